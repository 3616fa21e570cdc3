"""Best responses to the policies of the other players."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Generic, Literal, overload

from cardgames_dp._graph.solution import Number, Solution
from cardgames_dp._graph.ties import TieBreak
from cardgames_dp._results.advice import Advice
from cardgames_dp._results.records import Result, plain
from cardgames_dp._results.tables import Table
from cardgames_dp._support import arguments
from cardgames_dp._support.arguments import Backend
from cardgames_dp._support.printing import printable
from cardgames_dp.game import Action, State
from cardgames_dp.play._kernels.chain import fixed
from cardgames_dp.play.evaluation import Played, PlayedArrays, explored_of, solved
from cardgames_dp.play.policies import Profile, deciders, player_of, weighed

if TYPE_CHECKING:
    import pandas as pd


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
        The expected returns of all players with the player's own policy, if one was
        given.

    Examples
    --------
    In red/black with 4 cards of each colour, a player who never stops gets 0, and could
    get 1:

    >>> from cardgames_dp import play, redblack
    >>> on = lambda state: "draw" if state.red or state.black else "stop"
    >>> game = redblack.Rules().game(4, 4)
    >>> response = play.best_response(game, on, 0, backend="exact")
    >>> response
    Response(player=0, value=(Fraction(1, 1),), gain=Fraction(1, 1))
    >>> response.policy[redblack.State(red=1, black=3)]
    'stop'
    """

    player: int
    solution: Solution[State, Action, Number]
    before: tuple[Number, ...] | None

    @property
    def value(self) -> tuple[Number, ...]:
        """The expected return of each player at the start."""
        return self.solution.value

    @property
    def policy(self) -> Mapping[State, Action]:
        """The best response: an action for every state in which the player moves."""
        return self.solution.policy

    @property
    def error(self) -> float:
        """A bound of the error of every value; 0 for Fractions."""
        return self.solution.error

    @property
    def changes(self) -> tuple[Number, ...] | None:
        """The change of each player's expected return against `before`."""
        if self.before is None:
            return None
        pairs = zip(self.value, self.before, strict=True)
        found: Any = tuple([_difference(after, before) for after, before in pairs])
        changes: tuple[Number, ...] = found
        return changes

    @property
    def gain(self) -> Number | None:
        """The change for the player; in float64 its error is at most twice `error`."""
        changes = self.changes
        return None if changes is None else changes[self.player]

    def advice(self, state: State) -> Advice[State, Action, Number]:
        """Return the best actions in a state in which the player moves.

        Raises
        ------
        ValueError
            If the player does not move in the state, or it cannot be reached.
        """
        return self.solution.advice(state)

    _told = ("player", "value", "gain")

    def to_dict(self, *, json: bool = False) -> dict[str, Any]:
        """Return all fields as plain objects, with the columns of the solution.

        Parameters
        ----------
        json : bool, default False
            Whether to use only types that JSON has: Fractions become strings.
        """
        names = ("player", "value", "before", "gain")
        own = {name: plain(getattr(self, name), json=json) for name in names}
        return {**own, "solution": self.solution.to_dict(json=json)}

    def to_pandas(self) -> pd.DataFrame:
        """Return the solution as a DataFrame with one row for each state.

        Raises
        ------
        ModuleNotFoundError
            If pandas is not installed (the extra ``pandas``).
        """
        return self.solution.to_pandas()

    def _table(self) -> Table:
        columns = {"before": self.before, "with the best response": self.value}
        known = {name: column for name, column in columns.items() if column}
        numbers = zip(*known.values(), strict=True)
        rows = [(str(player), *row) for player, row in enumerate(numbers)]
        return Table(("player", *known), rows)


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
    game: Played[State, Action],
    policies: Profile[State, Action],
    player: int,
    *,
    tie_break: TieBreak[State, Action] = "first",
    backend: Backend,
) -> Response[State, Action, Any]: ...
@overload
def best_response(
    game: PlayedArrays,
    policies: Any,
    player: int,
    *,
    tie_break: Literal["first", "last", "uniform"] = "first",
    backend: Backend = "float64",
) -> Response[Any, Any, Any]: ...
def best_response(
    game: Any,
    policies: Any,
    player: int,
    *,
    tie_break: TieBreak[Any, Any] = "first",
    backend: Backend = "float64",
) -> Response[Any, Any, Any]:
    """Return the best response of a player to the policies of the others.

    Grade: exact, or certified by `Response.error` in float64.

    Parameters
    ----------
    game : Game, Explored or Solution; or one for arrays
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
    Two players in turn take one or two of five matches; the player who takes the last
    one wins. The second player's best response to a first player who always takes one:

    >>> from cardgames_dp import exact, play
    >>> from cardgames_dp.game import TERMINAL
    >>> class Matches:
    ...     num_players = 2
    ...     def initial_state(self): return 5, 0                     # matches, mover
    ...     def current_player(self, state): return state[1] if state[0] else TERMINAL
    ...     def legal_actions(self, state): return [1, 2][:state[0]]
    ...     def next_state(self, state, taken): return state[0] - taken, 1 - state[1]
    ...     def chance_outcomes(self, state): return []              # never asked
    ...     def returns(self, state): return [-1, 1] if state[1] == 0 else [1, -1]
    >>> one = lambda state: 1
    >>> response = play.best_response(Matches(), [one, one], 1, backend="exact")
    >>> response
    Response(player=1, value=(Fraction(-1, 1), Fraction(1, 1)), gain=Fraction(2, 1))
    """
    name = arguments.backend(backend)
    found = explored_of(game)
    player = player_of(player, found.num_players)
    asked = deciders(policies, found, free=player)
    weights = weighed(found, asked, exact=name == "exact")
    left, _ = fixed(found.graph, weights, free=player)
    solution = solved(found, left, name, tie_break)
    before = None
    if asked[player] is not None:
        before = solved(found, fixed(found.graph, weights)[0], name).value
    return Response(player, solution, before)


def _difference(one: Any, other: Any) -> Any:
    """Return the difference of two floats or Fractions."""
    found = one - other
    return printable(found) if isinstance(found, Fraction) else found
