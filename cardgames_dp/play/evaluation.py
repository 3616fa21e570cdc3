"""The values of policies, and the best responses to them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any, Generic, Literal, TypeAlias, overload

import numpy as np

from cardgames_dp import diagonal, exact
from cardgames_dp._graph.arrays import ExploredArrays
from cardgames_dp._graph.explored import Explored, explore
from cardgames_dp._graph.graph import Graph
from cardgames_dp._graph.lookup import LookupValues, fast_method
from cardgames_dp._graph.mixtures import freeze_policies
from cardgames_dp._graph.solution import Number, Solution, as_solution, payoffs_text
from cardgames_dp._graph.solving import TieBreak, check_tie_break
from cardgames_dp._results.records import Action, Result, State, brief, plain
from cardgames_dp._results.tables import Table
from cardgames_dp._support import arguments
from cardgames_dp._support.arguments import Backend
from cardgames_dp._support.calls import suggest_arguments
from cardgames_dp.game import ArrayGame, Game
from cardgames_dp.play._kernels.chain import fixed
from cardgames_dp.play.policies import ArrayProfile, Profile, weighed


@overload
def evaluate(
    game: Played[State, Action],
    policies: Profile[State, Action] | None = None,
    *,
    backend: Literal["float64"] = "float64",
) -> Solution[State, Action, float]: ...
@overload
def evaluate(
    game: Played[State, Action],
    policies: Profile[State, Action] | None = None,
    *,
    backend: Literal["exact"],
) -> Solution[State, Action, Fraction]: ...
@overload
def evaluate(
    game: PlayedArrays, policies: ArrayProfile = None, *, backend: Backend = "float64"
) -> Solution[Any, Any, Any]: ...
@suggest_arguments
def evaluate(game: Any, policies: Any = None, *, backend: Backend = "float64") -> Any:
    """Return the values of policies: what all players can expect in every state.

    Grade: exact, or certified by `Solution.error` in float64.

    Parameters
    ----------
    game : Game, ArrayGame, Explored, ExploredArrays, Solution or Response
        The game that is played.
    policies : Policy, or list or tuple of Policy, optional
        One policy for all players, or one for each player: callables of a state,
        mappings from states, or solutions, that give an action or a mapping of actions
        to weights; see `cardgames_dp.play`. A solution plays its own policy if not
        given.
    backend : {"float64", "exact"}, default "float64"
        The arithmetic. For "exact", the weights of mixtures must be exact (int,
        Fraction or Decimal).

    Returns
    -------
    Solution
        The values under these policies; its own `policy` is empty, as nobody decides.

    Raises
    ------
    TypeError, ValueError
        If an argument has the wrong type, or a policy is missing, has no action for a
        state, or gives anything but a legal action or weights of legal actions that are
        finite, not negative, and have a positive sum. The game is checked as by
        :func:`cardgames_dp.diagonal.solve`.

    Examples
    --------
    Toss a coin to decide whether to draw a card of red/black or to stop:

    >>> from cardgames_dp import play, redblack
    >>> game = redblack.game(1, 1)
    >>> def toss(state):
    ...     return {"draw": 1, "stop": 1} if state.red or state.black else "stop"
    >>> play.evaluate(game, toss, backend="exact").value
    Fraction(0, 1)
    """
    name = arguments.backend(backend)
    policies = played_by(game, policies)
    lookup = fast_method(game, "evaluate")(policies, name)
    if lookup is None:
        return _evaluated(game, policies, name)
    later = partial(_evaluated, game, policies, name)
    return Solution(LookupValues(game_of(game), lookup, "first", (), later))


def _evaluated(game: Any, policies: Any, name: Backend) -> Any:
    """Return the values of policies in the explored game."""
    explored = as_explored(game)
    return solved(
        explored, fixed(explored.graph, weighed(explored, policies, name))[0], name
    )


def game_of(game: Any) -> Any:
    """Return the game that is played, of a solution that which was solved."""
    solution = as_solution(game)
    return game if solution is None else solution.game


def as_explored(game: Any) -> Any:
    """Return a game in any form as an `Explored` or `ExploredArrays`."""
    solution = as_solution(game)
    explored = explore(game if solution is None else solution.explored)
    explored.refuse_variants("game")
    return explored


def played_by(game: Any, policies: Any) -> Any:
    """Return the argument `policies`: if it is not given, the policy of a solution.

    Raises
    ------
    TypeError
        If it is not given, and the game is not a solution.
    """
    if policies is None and as_solution(game) is None:
        raise TypeError(
            "policies must be given for a game, which has none of its own, got None; "
            "give a solution as game, or as policies, for optimal play"
        )
    return game if policies is None else freeze_policies(game_of(game), policies)


def solved(
    explored: Explored[Any, Any] | ExploredArrays,
    graph: Graph,
    backend: Backend,
    tie_break: TieBreak[Any, Any] = "first",
) -> Any:
    """Return the solution of a game in which some of its decisions are made.

    The graph has them; the tie rule is for those that are left.
    """
    left: Any = replace(explored, graph=graph)
    if isinstance(left, Explored):
        left = replace(
            left, action_index=np.where(graph.players >= 0, left.action_index, -1)
        )
    solve: Any = exact.solve if backend == "exact" else diagonal.solve
    return solve(left, tie_break=tie_break)


@dataclass(frozen=True, slots=True, repr=False)
class Response(Result, Generic[State, Action, Number]):
    """The best response of a player to the others; made by :func:`best_response`.

    Attributes
    ----------
    player : int
        The player who responds.
    solution : Solution
        The solution of the game in which only this player decides, and the others are
        chance: values of all players in every state, all best actions, and the policy.
    before : tuple of Fraction or of float, or None
        What all players can expect with the player's own policy, if one was given.

    Examples
    --------
    In red/black with 4 cards of each colour, a player who never stops gets 0, and could
    get 1:

    >>> from cardgames_dp import play, redblack
    >>> on = lambda state: "draw" if state.red or state.black else "stop"
    >>> game = redblack.game(4, 4)
    >>> response = play.best_response(game, on, 0, backend="exact")
    >>> response
    Response(player=0, value=1, gain=Fraction(1, 1))
    >>> response.policy[redblack.State(red=1, black=3)]
    'stop'
    """

    player: int
    solution: Solution[State, Action, Number]
    before: tuple[Number, ...] | None

    @property
    def value(self) -> Number:
        """What the first player can expect at the start."""
        return self.solution.value

    @property
    def payoffs(self) -> tuple[Number, ...]:
        """What each player can expect at the start."""
        return self.solution.payoffs

    @property
    def policy(self) -> Mapping[State, Action]:
        """The best response: an action for every state in which the player moves."""
        return self.solution.policy

    @property
    def gain(self) -> Number | None:
        """What the player wins more than `before`, up to twice `solution.error`."""
        if self.before is None:
            return None
        now: Any = self.payoffs[self.player]
        return now - self.before[self.player]  # type: ignore[no-any-return]

    def to_dict(self, *, json: bool = False) -> dict[str, Any]:
        """Return all fields as plain objects, with the columns of the solution.

        Parameters
        ----------
        json : bool, default False
            Whether to use only types that JSON has: Fractions become strings.
        """
        names = ("player", "payoffs", "before", "gain")
        columns = {name: plain(getattr(self, name), json=json) for name in names}
        return {**columns, "solution": self.solution.to_dict(json=json)}

    def _table(self) -> Table:
        columns = {"before": self.before, "with the best response": self.payoffs}
        columns = {name: column for name, column in columns.items() if column}
        numbers = zip(*columns.values(), strict=True)
        rows = [(str(player), *row) for player, row in enumerate(numbers)]
        return Table(("player", *columns), rows)

    def __repr__(self) -> str:
        text, gain = payoffs_text(self.payoffs), self.gain
        return f"Response(player={self.player}, {text}, gain={brief(gain)})"


Played: TypeAlias = (
    Game[State, Action]
    | Explored[State, Action]
    | Solution[State, Action, Any]
    | Response[State, Action, Any]
)
"""A game to be played: a game, an explored game, a solution or a response."""

PlayedArrays: TypeAlias = ArrayGame | ExploredArrays
"""An array game to be played."""


@overload
def best_response(
    game: Played[State, Action],
    policies: Profile[State, Action],
    player: int,
    *,
    tie_break: TieBreak[State, Action] = "first",
    backend: Literal["float64"] = "float64",
) -> Response[State, Action, float]: ...
@overload
def best_response(
    game: Played[State, Action],
    policies: Profile[State, Action],
    player: int,
    *,
    tie_break: TieBreak[State, Action] = "first",
    backend: Literal["exact"],
) -> Response[State, Action, Fraction]: ...
@overload
def best_response(
    game: PlayedArrays,
    policies: ArrayProfile,
    player: int,
    *,
    tie_break: TieBreak[Any, Any] = "first",
    backend: Backend = "float64",
) -> Response[Any, Any, Any]: ...
@suggest_arguments
def best_response(
    game: Any,
    policies: Any,
    player: int,
    *,
    tie_break: TieBreak[Any, Any] = "first",
    backend: Backend = "float64",
) -> Response[Any, Any, Any]:
    """Return the best response of a player to the policies of the others.

    Grade: exact, or certified by `Solution.error` in float64.

    Parameters
    ----------
    game : Game, ArrayGame, Explored, ExploredArrays, Solution or Response
        The game that is played.
    policies : Policy, or list or tuple of Policy
        One policy for all players, or one for each player, as for :func:`evaluate`. The
        policy of `player` may be None; otherwise the result includes the gain over it.
    player : int
        The player who responds, counted from 0.
    tie_break : {"first", "last", "uniform"} or callable, default "first"
        Which of several best actions to take, as for :func:`cardgames_dp.exact.solve`.
    backend : {"float64", "exact"}, default "float64"
        The arithmetic.

    Returns
    -------
    Response
        The values for all players, the policy, and the gain. In a constant-sum game of
        two players, the value of the other player is that of their policy in the worst
        case; its difference to the value of the game is the *exploitability*.

    Raises
    ------
    TypeError, ValueError
        As for :func:`evaluate`, or if there is no such player.

    Examples
    --------
    Two players in turn take a card from either end of a row. The first player's best
    response to a second player who always takes the card on the left:

    >>> from cardgames_dp import cardrow, play
    >>> left = lambda state: "left"
    >>> play.best_response(cardrow.game([1, 5, 2, 4]), [left, left], 0, backend="exact")
    Response(player=0, payoffs=(6, -6), gain=Fraction(12, 1))
    """
    name, policies = (
        arguments.backend(backend),
        freeze_policies(game_of(game), policies),
    )
    tie_break = check_tie_break(tie_break)
    if tie_break in ("first", "last"):
        player = arguments.integer("player", player)
        call = policies, player, name, tie_break
        parts = fast_method(game, "best_response")(*call)
        if parts is not None:
            lookup, before = parts
            later = partial(_response, game, *call)
            source = LookupValues(game_of(game), lookup, tie_break, (player,), later)
            return Response(player, Solution(source), before)
    explored = as_explored(game)
    player = arguments.index("player", player, "num_players", explored.num_players)
    weights = weighed(explored, policies, name, free=player)
    left, _ = fixed(explored.graph, weights, free=player)
    solution = solved(explored, left, name, tie_break)
    before = None
    if not isinstance(policies, (list, tuple)) or policies[player] is not None:
        before = solved(explored, fixed(explored.graph, weights)[0], name).payoffs
    return Response(player, solution, before)


def _response(
    game: Any, policies: Any, player: int, name: Backend, tie_break: Any
) -> Any:
    """Return the solution of the explored game in which one player responds."""
    explored = as_explored(game)
    weights = weighed(explored, policies, name, free=player)
    left, _ = fixed(explored.graph, weights, free=player)
    return solved(explored, left, name, tie_break)
