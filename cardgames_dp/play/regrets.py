"""The mistakes of a policy, and what they cost.

By the performance difference lemma [1]_ the costs sum to the loss: along the plays of
the policies, the value of playing the best response from here on falls in each state by
what is given up there, on average, and by what moves pay, and at the end it is the
return.

References
----------
.. [1] S. Kakade and J. Langford, "Approximately optimal approximate reinforcement
   learning", Proceedings of the 19th International Conference on Machine Learning
   (2002), 267-274.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import compress
from typing import Any, Generic, Literal, NamedTuple, overload

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._graph.decisions import States, states_of
from cardgames_dp._graph.graph import Floats, Graph, Integers, joined_ranges
from cardgames_dp._graph.lookup import fast_method
from cardgames_dp._graph.mixtures import freeze_policies
from cardgames_dp._graph.names import Names, names_of
from cardgames_dp._graph.solution import Number
from cardgames_dp._graph.value_arrays import ValueArrays
from cardgames_dp._results.records import Action, Result, State, plain
from cardgames_dp._results.tables import Table
from cardgames_dp._support import arguments
from cardgames_dp._support.arguments import Backend
from cardgames_dp._support.calls import suggest_arguments
from cardgames_dp._support.printing import short
from cardgames_dp.play._kernels.chain import Reached, fixed, returns_of, total, whole
from cardgames_dp.play._kernels.visits import flow
from cardgames_dp.play.evaluation import (
    Played,
    PlayedArrays,
    as_explored,
    game_of,
    solved,
)
from cardgames_dp.play.policies import ArrayProfile, Profile, weighed

_UNIT = 2.0**-53
_MOST_ROWS = 10
"""The largest number of rows of a printed table."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Regret(Result, Generic[State, Action, Number]):
    """The mistakes of a policy; made by :func:`regret`, prints as a table.

    There is one entry for each place of a state in which the player moves, the
    costliest first. A game's own solver lists only those that cost something.

    Attributes
    ----------
    player : int
        The player whose policy it is.
    reach : ndarray of float64 or Fractions, shape (states,)
        The probability that a game reaches the state.
    visits : ndarray of float64 or Fractions, shape (states,)
        The expected number of visits of the state: the same as `reach`, unless it is
        in a loop.
    given_up : ndarray of float64 or Fractions, shape (states,)
        What the policy gives up in the state: the value of the best action, minus that
        of the policy's action if the player then plays the best response. Values are
        what is still to come, with what the action itself pays. Of states that play
        never leaves, only the first one has an entry above 0.
    cost : ndarray of float64 or Fractions, shape (states,)
        The product of `visits` and `given_up`, or of `reach` where play never leaves.
    error : float
        A bound on the error of `loss`; 0 for Fractions.
    loss : float or Fraction
        The sum of all costs: the gain of the best response over the policy.
    mistakes : int
        The number of states in which the policy gives up something.
    num_states : int
        The number of all states in which the player moves, listed or not; in Pairs, of
        those that play reaches, also of `mistakes`.

    Examples
    --------
    A policy for red/black with a mistake in one state of 48:

    >>> from cardgames_dp import play, redblack
    >>> def thumb(state):
    ...     return "draw" if state.red and state.black - state.red < 2 else "stop"
    >>> found = play.regret(redblack.game(6, 6), thumb, backend="exact")
    >>> found
    Regret(player=0, loss=Fraction(1, 66), mistakes=1, states=48)
    >>> found.states[0], found.taken[0], found.best[0]
    (State(red=4, black=6, decision=''), ('stop',), ('draw',))
    >>> found.reach[0], found.given_up[0], found.cost[0]
    (Fraction(5, 22), Fraction(1, 15), Fraction(1, 66))
    """

    player: int
    reach: NDArray[Any]
    visits: NDArray[Any]
    given_up: NDArray[Any]
    cost: NDArray[Any]
    error: float
    loss: Number
    mistakes: int
    num_states: int
    _reached: int
    _entries: _Places | _Rows

    @property
    def states(self) -> tuple[State, ...]:
        """The states."""
        return self._entries.states()

    @property
    def taken(self) -> tuple[tuple[Action, ...], ...]:
        """The action of the policy in each state, or all actions of a mixture."""
        return self._entries.actions("taken")

    @property
    def best(self) -> tuple[tuple[Action, ...], ...]:
        """The best actions in each state, as from `best_response`."""
        return self._entries.actions("best")

    _derived = ("states", "taken", "best")

    def to_dict(self, *, json: bool = False) -> dict[str, Any]:
        """Return all fields as plain objects, with an entry for each state.

        Parameters
        ----------
        json : bool, default False
            Whether to use only types that JSON has: Fractions become strings.
        """
        names = ("player", "error", "loss", "mistakes", "num_states")
        facts = {name: getattr(self, name) for name in names}
        plainly: dict[str, Any] = plain({**facts, **self._columns()[1]}, json=json)
        return plainly

    def _facts(self) -> dict[str, object]:
        facts = {"player": self.player, "loss": self.loss, "mistakes": self.mistakes}
        return {**facts, "states": self.num_states}

    def _table(self) -> Table:
        few = min(int(np.count_nonzero(self.cost)), _MOST_ROWS)
        states = map(str, self._entries.states(few))
        actions = [
            [", ".join(map(str, each)) for each in self._entries.actions(name, few)]
            for name in ("taken", "best")
        ]
        head, numbers = ["state", "taken", "best", "reach"], [self.reach]
        if not np.array_equal(self.reach, self.visits):
            head, numbers = [*head, "visits"], [*numbers, self.visits]
        numbers += [self.given_up, self.cost]
        # The numbers are more than the rows.
        rows = list(zip(states, *actions, *numbers))  # noqa: B905
        loss = f"total loss {short(self.loss)}"
        count = f"{self.mistakes} of {self.num_states} states"
        if self._reached < self.mistakes:
            count += f", {self._reached} of them reached"
        if self._reached > few:
            count += f", here the {few} costliest"
        note = f"mistakes in {count}; {loss}"
        return Table([*head, "given up", "cost"], rows, [note], left=(0, 1, 2))

    def _columns(self) -> tuple[Any, dict[str, Any]]:
        names = ("states", "taken", "best", "reach", "visits", "given_up", "cost")
        columns = {name: list(getattr(self, name)) for name in names}
        return None, {"state": columns.pop("states"), **columns}


class _Places(NamedTuple):
    """The states of a regret: places of an explored game, with flags of its moves."""

    explored: Any
    places: Integers
    taken: NDArray[np.bool_]
    best: NDArray[np.bool_]

    def fields(self) -> States:
        """Return all states with their fields."""
        return states_of(self.explored, self.places)

    def states(self, first: int | None = None) -> tuple[Any, ...]:
        """Return the first states, or all."""
        states: tuple[Any, ...] = self.explored.named_states(self.places[:first])
        return states

    def actions(
        self, flags: Literal["taken", "best"], first: int | None = None
    ) -> tuple[tuple[Any, ...], ...]:
        """Return the actions, in the first states or all, whose moves are flagged."""
        return tuple(
            self.explored.actions_with_flags(self.places[:first], getattr(self, flags))
        )


class _Rows(NamedTuple):
    """The states of a regret by a game's own solver, with flags of all its actions."""

    names: Names
    words: tuple[Any, ...]
    rows: Integers
    taken: NDArray[np.bool_]
    best: NDArray[np.bool_]

    def fields(self) -> States:
        """Return all states with their fields."""
        return States(self.rows, self.names)

    def states(self, first: int | None = None) -> tuple[Any, ...]:
        """Return the first states, or all."""
        return tuple(map(self.names.state_of, self.rows[:first]))

    def actions(
        self, flags: Literal["taken", "best"], first: int | None = None
    ) -> tuple[tuple[Any, ...], ...]:
        """Return the actions, in the first states or all, that are flagged."""
        flagged = getattr(self, flags)[:first].tolist()
        return tuple([tuple(compress(self.words, each)) for each in flagged])


@overload
def regret(
    game: Played[State, Action],
    policies: Profile[State, Action],
    player: int = 0,
    *,
    most: int | None = None,
    backend: Literal["float64"] = "float64",
) -> Regret[State, Action, float]: ...
@overload
def regret(
    game: Played[State, Action],
    policies: Profile[State, Action],
    player: int = 0,
    *,
    most: int | None = None,
    backend: Literal["exact"],
) -> Regret[State, Action, Fraction]: ...
@overload
def regret(
    game: PlayedArrays,
    policies: ArrayProfile,
    player: int = 0,
    *,
    most: int | None = None,
    backend: Backend = "float64",
) -> Regret[Any, Any, Any]: ...
@suggest_arguments
def regret(
    game: Any,
    policies: Any,
    player: int = 0,
    *,
    most: int | None = None,
    backend: Backend = "float64",
) -> Regret[Any, Any, Any]:
    """Return what a player's policy gives up in every state, and what that costs.

    The other players follow their given policies; give solutions for optimal ones.

    Grade: exact, or certified by `Regret.error` in float64.

    Parameters
    ----------
    game : Game, ArrayGame, Explored, ExploredArrays, Solution or Response
        The game that is played.
    policies : Policy, or list or tuple of Policy
        One policy for all players, or one for each player, as for :func:`evaluate`.
        With one, the others make the same mistakes; ``[policy, solution]`` is the
        policy against best play.
    player : int, default 0
        The player whose mistakes to find.
    most : int, optional
        The largest number of states to list, the costliest first; all if not given.
    backend : {"float64", "exact"}, default "float64"
        The arithmetic. In float64 an action that may be optimal, up to rounding, counts
        as giving up nothing.

    Returns
    -------
    Regret
        The states in which the player moves, the costliest first. The costs sum to the
        gain of the best response; they are all 0 if and only if the policy is optimal
        in all states that it reaches.

    Raises
    ------
    TypeError, ValueError
        As for :func:`evaluate`, or if there is no such player.
    TooLargeError
        If a loop has more than 4,000 states (200 in Fractions).

    References
    ----------
    The Pairs essay, which asks where simple rules deviate from optimal play, and what
    that costs.

    Examples
    --------
    The policy of never stopping in red/black, with two cards of each colour:

    >>> from cardgames_dp import play, redblack
    >>> def never_stop(state):
    ...     return "draw" if state.red or state.black else "stop"
    >>> print(play.regret(redblack.game(2, 2), never_stop))
    state                               taken  best     reach  given up      cost
    State(red=0, black=1, decision='')  draw   stop       0.5         1       0.5
    State(red=0, black=2, decision='')  draw   stop  0.166667         1  0.166667
    (mistakes in 2 of 8 states; total loss 0.666667)
    """
    name = arguments.backend(backend)
    if most is not None:
        most = arguments.integer("most", most)
    player = arguments.integer("player", player)
    policies = freeze_policies(game_of(game), policies)
    raw = fast_method(game, "regret")(policies, player, name, most)
    if raw is not None:
        entries = [raw.pop(x) for x in ("words", "rows", "taken", "best")]
        return Regret(player, _entries=_Rows(names_of(game_of(game)), *entries), **raw)
    explored = as_explored(game)
    player = arguments.index("player", player, "num_players", explored.num_players)
    graph, weights = explored.graph, weighed(explored, policies, name)
    left, remaining = fixed(graph, weights, free=player)
    followed, moves = fixed(graph, weights)
    response = solved(explored, returns_of(left, player), name)._source
    places = np.flatnonzero(graph.players == player)
    flows = flow(explored, followed, name)
    reached, visited = flows.at(places)
    chances = whole(0, len(weights), reached.chances.dtype)
    chances[moves] = followed.chances(name)
    optimal = np.zeros(len(weights), dtype=bool)
    optimal[remaining] = response.optimal
    losses = _given_up(graph, places, chances, response)
    never, (_, times) = flows.parts[places] >= 0, flows.at(places)
    if never.any():
        times.chances[never], times.errors[never] = reached.at(never)[1:]
        _give_up_for_ever(graph, places, flows.parts, losses, response, player)
    cost = times.chances * losses
    few = np.lexsort((-losses, -cost))[:most]
    return Regret(
        player=player,
        reach=reached.chances[few],
        visits=visited.chances[few],
        given_up=losses[few],
        cost=cost[few],
        error=_error_of_loss(graph, losses, times, response, player),
        loss=total(cost),
        mistakes=int(np.count_nonzero(losses)),
        num_states=len(places),
        _reached=int(np.count_nonzero(cost)),
        _entries=_Places(explored, places[few], weights > 0, optimal),
    )


def _given_up(
    graph: Graph, places: Integers, chances: NDArray[Any], response: ValueArrays
) -> NDArray[Any]:
    """Return what a policy gives up at some places of a player.

    It takes the moves of the game by these chances. Those that may be optimal give up
    nothing. The response is of a game of the player alone.
    """
    if not places.size:
        return np.empty(0, dtype=chances.dtype)
    counts = graph.offsets[places + 1] - graph.offsets[places]
    index, starts = np.repeat(np.arange(len(places)), counts), counts.cumsum() - counts
    worth, best = response.worth_of(places, index, starts)
    gaps = np.where(best, 0, np.maximum(response.value_of(places)[index] - worth, 0))
    shares = chances[joined_ranges(graph.offsets[places], counts)]
    sums: NDArray[Any] = np.add.reduceat(shares * gaps, starts)
    return sums


def _give_up_for_ever(
    graph: Graph,
    places: Integers,
    parts: Integers,
    losses: NDArray[Any],
    response: ValueArrays,
    player: int,
) -> None:
    """Count what is given up by never leaving a class of states in the first of them.

    No single action there gives up anything, as the values of the best response are the
    same everywhere in it.
    """
    some, first = np.unique(parts[places], return_index=True)
    first = first[some >= 0]
    values = response.value_of(places[first])
    lost = values - type(values[0])((graph.endless or [])[player])
    losses[first] = lost * (lost > 4 * response.largest_error)


def _error_of_loss(
    graph: Graph, losses: Floats, visited: Reached, response: ValueArrays, player: int
) -> float:
    """Return a bound on the error of the sum of the costs.

    What an action gives up is a difference of two values, each within the response's
    error, or is taken to be 0 where up to four such errors hide it. What a move pays
    counts twice in the differences: it is rounded itself, and so is its sum with the
    value of the next state. Means of some of these and their products with
    probabilities round as sums of four more terms do.
    """
    if losses.dtype == object:
        return 0.0
    size = 2 * float(np.abs(response.numerators).max())
    size += 2 * abs(float(graph.endless[player])) if graph.endless else 0
    if graph.rewards is not None:
        size += 4 * float(np.abs(graph.rewards.floats()[0][:, player]).max())
    most = int(np.diff(graph.offsets).max(initial=0))
    gap: float = 4 * response.largest_error + (most + 8) * _UNIT * size
    bound = float((visited.chances + visited.errors).sum()) * gap
    bound += float(visited.errors @ losses)
    bound += 4 * _UNIT * float(visited.chances @ losses)
    return bound * (1 + len(losses) * 4 * _UNIT)
