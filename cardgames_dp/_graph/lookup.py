"""Games with faster ways of their own, behind the functions for any game.

An array game may have a member `fast`, an object with any of the methods below.
Each is asked first, with the arguments of the public function, checked; it answers as
described here, or None if it has no way for these arguments. Then the general way is
taken. An explored game has no `fast`: of ``game.explore(...)`` all goes the general
way, and so a faster way can be held against it.

`solve(backend, tie_break)`
    Returns a `Lookup`. It is not asked for a solution with a tie rule other than
    "first" and "last", or with a limit of the states.
`evaluate(policies, backend)`
    Returns a `Lookup` of the values of policies.
`best_response(policies, player, backend, tie_break)`
    Returns a `Lookup` of the game in which only this player decides, and what all can
    expect with the player's own policy, or None if none is given.
`regret(policies, player, backend, most)`
    Returns the fields of `cardgames_dp.play.Regret`, by name.
`distribution(policies, backend, count)`
    Returns the distributions of each player's returns and of the moves, a bound of the
    errors of their probabilities, and the policies as they were then: they may change,
    or be random.
`simulate(policies, games, histories, rng, count, executor)`
    Returns how often each return and each number of moves occurred, and the histories.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._graph.answers import CHANCE
from cardgames_dp._graph.array_answers import CheckedGame
from cardgames_dp._graph.explored import explore
from cardgames_dp._graph.graph import (
    Floats,
    Integers,
    joined_ranges,
    narrowed,
    over_one_bottom,
)
from cardgames_dp._graph.names import Names, names_of, own_member, unreachable_error
from cardgames_dp._graph.value_arrays import Moves, ValueArrays, first_or_last
from cardgames_dp._results.records import ArrayRecord


class Lookup(Protocol):
    """The values and decisions of a solved array game, found for given states.

    It may have an attribute `certain`: whether ties are so, although values round; and
    a method `sheet`, which returns the table as which the solution prints.
    """

    def reaches(self, states: Integers) -> NDArray[np.bool_]:
        """Return whether each of some states can be reached."""

    def values(self, states: Integers) -> NDArray[Any]:
        """Return what is still to come, of shape (count, players).

        Floats, or Fractions (dtype object).
        """

    def errors(self, states: Integers) -> Floats:
        """Return bounds on the errors of these values."""

    def optimal(self, states: Integers, actions: Integers) -> NDArray[np.bool_]:
        """Return whether each action is optimal in its state, or may be."""


class Chances(Lookup, Protocol):
    """One of a game in which some players follow policies."""

    def chances(self, states: Integers, actions: Integers) -> Floats:
        """Return the probability of each action in its state."""


def fast_method(game: Any, question: str) -> Callable[..., Any]:
    """Return the game's own way to answer a question, or one that never answers.

    Of a solution, it is that of the game if the game's own solver has made it.
    """
    source = getattr(game, "_source", None)
    if isinstance(source, LookupValues):
        # Where some players follow policies, it is another game.
        game = source.game if source.free is None else None
    way: Any = getattr(own_member(game, "fast"), question, None)
    return way or (lambda *_: None)


def lookup_values(game: Any, backend: str, tie_break: Any) -> LookupValues | None:
    """Return what a game's own solver finds, if it has one for these arguments."""
    if callable(tie_break) or tie_break == "uniform":
        return None
    lookup = fast_method(game, "solve")(backend, tie_break)
    return None if lookup is None else LookupValues(game, lookup, tie_break)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class LookupValues(ArrayRecord):
    """The values and decisions of the states of a game, from its own solver.

    Single states are rows of an array of one. All states by place are found when they
    are first needed: then the game is explored.

    Attributes
    ----------
    game : ArrayGame
    lookup : Lookup, or Chances if some players follow policies
    tie_break : {"first", "last"}
    free : tuple of int, optional
        The players who decide; the others follow policies, and are chance. All decide
        if not given.
    general : callable, optional
        Returns the solution of the explored game, if some players follow policies.
    """

    game: Any
    lookup: Any
    tie_break: str
    free: tuple[int, ...] | None = None
    general: Callable[[], Any] | None = field(default=None, compare=False)
    _cache: dict[str, Any] = field(default_factory=dict, compare=False)

    @property
    def by_place(self) -> ValueArrays:
        """The values and decisions of all states, in arrays."""
        if "arrays" not in self._cache:
            self._cache["arrays"] = (
                _values_by_place(self.game, self.lookup, self.tie_break)
                if self.general is None
                else self.general()._source
            )
        arrays: ValueArrays = self._cache["arrays"]
        return arrays

    @property
    def _names(self) -> Names:
        return names_of(self.game)

    @property
    def _checked(self) -> CheckedGame:
        if "game" not in self._cache:
            self._cache["game"] = CheckedGame(self.game)
        game: CheckedGame = self._cache["game"]
        return game

    num_variants = None

    @property
    def decides(self) -> bool:
        """Whether a player decides anywhere."""
        return self.free != ()

    def refuse_variants(self, _: str) -> None:
        """Accept what can be said of one variant, as there is only one."""

    @property
    def start(self) -> Integers:
        """The initial state."""
        return self._checked.states(self._checked.start[:, :1])

    def state(self, row: Integers) -> Any:
        """Return the state in a row, named."""
        return self._names.state_of(row[0])

    def place(self, state: Any) -> Integers:
        """Return a named state as a row."""
        try:
            return self.places(self._names.row_of(state)[np.newaxis])
        except (KeyError, TypeError, ValueError, OverflowError):
            raise unreachable_error(state, self.state(self.start)) from None

    def reaches(self, states: NDArray[Any]) -> NDArray[np.bool_]:
        """Return whether each of some states can be reached."""
        columns = self._checked.columns(states, None, "states")
        reachable: NDArray[np.bool_] = self.lookup.reaches(
            self._checked.states(columns)
        )
        return reachable

    def places(self, states: NDArray[Any]) -> Integers:
        """Return states as rows, all of which can be reached."""
        columns = self._checked.columns(states, None, "states")
        rows = self._checked.states(columns)
        reachable = self.lookup.reaches(rows)
        if not reachable.all():
            state = rows[reachable.argmin()].tolist()
            raise KeyError(f"the state {state} cannot be reached in this game")
        return rows

    def movers(self, rows: Integers) -> Integers:
        """Return who moves in some states."""
        players = self._checked.players(np.atleast_2d(rows.T))[0]
        if self.free is None:
            return players
        follows = (players >= 0) & ~np.isin(players, self.free)
        return np.where(follows, CHANCE, players)

    # Of one state.

    def value_at(self, row: Integers) -> Any:
        """Return what the first player can expect."""
        return self.value_of(row).item()

    def payoffs_at(self, row: Integers) -> tuple[Any, ...]:
        """Return what each player can expect."""
        return tuple(self.lookup.values(row)[0].tolist())

    def error_at(self, row: Integers) -> float:
        """Return a bound on the error of all players' values."""
        return float(self.lookup.errors(row)[0])

    def best_at(self, row: Integers) -> tuple[Any, ...]:
        """Return the optimal actions."""
        return tuple(map(self._names.action_of, self.best_of(row)[1]))

    def chosen_at(self, row: Integers) -> Any:
        """Return the action of the policy."""
        return self._names.action_of(self.chosen_of(row)[0])

    def moves_at(self, row: Integers) -> Moves:
        """Return the moves from a state."""
        player, actions = int(self.movers(row)[0]), tuple[Any, ...]()
        after, paid = row[:0], None
        if player >= 0:
            _, codes, after, paid, _ = self._moves_of(row)
            actions = tuple(map(self._names.action_of, codes))
        elif player == CHANCE:
            columns = np.atleast_2d(row.T)
            if self._checked.players(columns)[0][0] >= 0:
                index, codes, after, paid = self._steps_of(row)
                likely = self.lookup.chances(row[index], codes) > 0
                after, paid = after[likely], paid[likely]
            else:
                _, _, columns, _, paid = self._checked.outcomes(columns)
                after = self._checked.states(columns)
        if paid is None:
            paid = np.zeros((len(after), self._checked.num_players), dtype=np.int64)
        rows = [after[i : i + 1] for i in range(len(after))]
        pays = [tuple(map(Fraction, each)) for each in paid.tolist()]
        return Moves(player, actions, rows, pays)

    def is_open(self, row: Integers) -> bool:
        """Return whether rounding leaves open which actions are optimal."""
        certain = getattr(self.lookup, "certain", False)
        return not certain and self.error_at(row) > 0 and len(self.best_at(row)) > 1

    # Of some states.

    def value_of(self, rows: Integers) -> NDArray[Any]:
        """Return what the first player can expect."""
        return self.payoffs_of(rows)[:, 0]

    def payoffs_of(self, rows: Integers) -> NDArray[Any]:
        """Return what each player can expect, in rows."""
        values: NDArray[Any] = self.lookup.values(rows)
        return values

    def error_of(self, rows: Integers) -> Floats:
        """Return bounds on the errors of all players' values."""
        errors: Floats = self.lookup.errors(rows)
        return errors

    def chosen_of(self, rows: Integers) -> Integers:
        """Return the actions of the policy."""
        index, actions, counts = self._checked.actions(np.atleast_2d(rows.T))
        best = self.lookup.optimal(rows[index], actions)
        return first_or_last(self.tie_break, actions, best, np.cumsum(counts) - counts)

    def best_of(self, rows: Integers) -> tuple[Integers, Integers]:
        """Return the optimal actions, with the index of the state of each."""
        index, actions, _ = self._checked.actions(np.atleast_2d(rows.T))
        best = self.lookup.optimal(rows[index], actions)
        return index[best], actions[best]

    def advice_of(
        self, rows: Integers
    ) -> tuple[Integers, Integers, NDArray[Any], NDArray[np.bool_]]:
        """Return of all actions: index, action, value, and whether it is optimal."""
        index, actions, after, paid, best = self._moves_of(rows)
        who = np.arange(len(index)), self.movers(rows)[index]
        worth = self.lookup.values(after)[who]
        return index, actions, worth + paid[who].astype(worth.dtype), best

    def _moves_of(
        self, rows: Integers
    ) -> tuple[Integers, Integers, Integers, Any, Any]:
        """Return index, action, next state and payments of all actions, and if best."""
        steps = self._steps_of(rows)
        return *steps, self.lookup.optimal(rows[steps[0]], steps[1])

    def _steps_of(self, rows: Integers) -> tuple[Integers, Integers, Integers, Any]:
        """Return index, action, next state and payments of all actions."""
        columns = np.atleast_2d(rows.T)
        index, actions, _ = self._checked.actions(columns)
        after = self._checked.states(self._checked.following(columns, index, actions))
        paid: Any = self._checked.rewards(columns, index, actions)
        if paid is None:
            paid = np.zeros((len(index), self._checked.num_players), dtype=np.int64)
        return index, actions, after, paid


def _values_by_place(game: Any, lookup: Lookup, tie_break: str) -> ValueArrays:
    """Return by place what a game's own solver finds."""
    explored: Any = explore(game)
    graph, states = explored.graph, explored.states_at(np.arange(explored.num_states))
    values, bottoms, errors = lookup.values(states), None, None
    if values.dtype == object:
        values, bottoms = over_one_bottom(values.tolist())
    else:
        errors = lookup.errors(states)
    deciding = np.flatnonzero(graph.players >= 0)
    optimal = np.zeros(len(graph.following), dtype=np.bool_)
    chosen = np.zeros(explored.num_states, dtype=np.int64)
    if deciding.size:
        columns = explored.columns[:, deciding]
        index, actions, counts = CheckedGame(game).actions(columns)
        best = lookup.optimal(states[deciding][index], actions)
        starts = np.cumsum(counts) - counts
        optimal[joined_ranges(graph.offsets[deciding].astype(np.int64), counts)] = best
        ranks = np.arange(len(index)) - np.repeat(starts, counts)
        chosen[deciding] = first_or_last(tie_break, ranks, best, starts)
    arrays = ValueArrays(
        explored=explored,
        tie_break=tie_break,
        numerators=np.ascontiguousarray(values.T),
        denominators=bottoms,
        optimal=optimal,
        chosen=narrowed(chosen),
        errors=errors,
        open=np.empty(0, dtype=np.int64),
        turned=np.empty(0, dtype=np.int64),
    )
    if errors is None or getattr(lookup, "certain", False):
        return arrays
    several = arrays.ties()
    return replace(arrays, open=several[errors[several] > 0])
