"""What a solution says of decision states, in columns: for maps, rules and pages.

States have *fields*: those of the game's `Names`, of a named tuple or of a dataclass,
and those inside another field (``own.score``, ``hand.0``); without names, the numbers
of the items of a tuple; of anything else one that is called ``state``.
"""

from __future__ import annotations

import dataclasses
import numbers
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._graph.arrays import ExploredArrays
from cardgames_dp._graph.graph import Integers, joined_ranges
from cardgames_dp._graph.names import PLAIN, Names, names_of
from cardgames_dp._graph.value_arrays import first_or_last
from cardgames_dp._support import arguments

_SEVERAL = (list, tuple, set, frozenset, range, np.ndarray)
"""What stands for several values of a field."""


@dataclass(frozen=True, slots=True)
class States:
    """Some states of a game, and their fields.

    Attributes
    ----------
    states : sequence, or ndarray of int
        The states; of an array game, in the form that the game uses.
    names : Names
        The names of the game.
    """

    states: Any
    names: Names

    def __len__(self) -> int:
        return len(self.states)

    def __getitem__(self, rows: Integers) -> States:
        if isinstance(self.states, np.ndarray):
            return States(self.states[rows], self.names)
        return States([self.states[row] for row in rows.tolist()], self.names)

    def state(self, row: int) -> Any:
        """Return the state in a row, named."""
        state = self.states[row]
        is_array = isinstance(self.states, np.ndarray)
        return self.names.state_of(state) if is_array else state

    @property
    def fields(self) -> tuple[str | int, ...]:
        """The names or numbers of the fields of a state."""
        if self.names.state is not None:
            return tuple(self.names.state._fields)
        first = self.states[0]
        if dataclasses.is_dataclass(first):
            return tuple([each.name for each in dataclasses.fields(first)])
        several = isinstance(first, tuple) or getattr(self.states, "ndim", 1) == 2
        numbered = range(len(first)) if several else ["state"]
        return tuple(getattr(first, "_fields", numbered))

    def column(self, field: Any, argument: str) -> NDArray[Any]:
        """Return a field of all states, or what a callable returns for them.

        Parameters
        ----------
        field : str, int or callable
            Of an array game, a callable may take many states at once, as policies
            do.
        argument : str
            What `field` is called in messages.

        Raises
        ------
        TypeError, ValueError
            If there is no such field, or some state has no number or word there.
        """
        read = self._results if callable(field) else self.items
        values: Any = read(field, argument)
        plain = isinstance(values, np.ndarray) and values.ndim == 1
        if plain and values.dtype.kind in "biu":
            return np.asarray(values)
        items = list[Any]()
        for row, entry in enumerate(values):
            value = entry.item() if isinstance(entry, np.generic) else entry
            if isinstance(value, Decimal):
                value = arguments.finite(argument, value)
            items.append(value)
            number = isinstance(value, (numbers.Rational, str))
            if not number and not (isinstance(value, float) and np.isfinite(value)):
                must = f"{argument} must be a number or a word in each state"
                at = arguments.shown(self.state(row))
                raise TypeError(f"{must}, got {arguments.described(value)} at {at}")
        return array_of(items)

    def columns(self) -> dict[str, NDArray[Any]]:
        """Return all fields by name; those of plain tuples are state_0, state_1, ..."""
        if isinstance(self.states, np.ndarray) and self.names.state is not None:
            return self.names.columns_of(self.states)
        if isinstance(self.states[0], tuple):
            widths = {len(x) if isinstance(x, tuple) else -1 for x in self.states}
            if len(widths) > 1:
                return {"state": array_of(self.states)}
        names = [x if isinstance(x, str) else f"state_{x}" for x in self.fields]
        values = [array_of(self.items(x, "field")) for x in self.fields]
        return dict(zip(names, values, strict=True))

    def mask(self, where: Any, argument: str = "where") -> NDArray[np.bool_]:
        """Return which states a callable accepts, or have values of some fields."""
        if callable(where):
            return self.column(where, argument).astype(bool)
        if not isinstance(where, Mapping):
            must = f"{argument} must be a callable, or a mapping of fields to values"
            raise arguments.wrong_type(must, where)
        accepted = np.ones(len(self), dtype=bool)
        for field, value in where.items():
            values = list(value) if isinstance(value, _SEVERAL) else [value]
            column = self.column(field, argument)
            accepted &= np.array([x in values for x in column.tolist()], dtype=bool)
        return accepted

    def items(self, field: Any, argument: str) -> Any:
        """Return a field of all states, or what is inside one, of any kind."""
        fields = self.fields
        first, *parts = field.split(".") if isinstance(field, str) else [field]
        if type(first) is int and 0 <= first < len(fields):
            first = fields[first]
        if isinstance(field, bool) or first not in fields:
            every = ", ".join(map(repr, fields))
            must = f"{argument} must be a callable or a field of a state ({every})"
            raise arguments.wrong_value(must, field)
        position, values, path = fields.index(first), self.states, parts
        if isinstance(values, np.ndarray):
            by_field = self.names.fields_of(values)
            columns = np.atleast_2d(by_field.T) if by_field is values else by_field
            values = columns[position]
        elif isinstance(values[0], tuple):
            path = [str(position), *parts]
        elif first != "state":
            path = [str(first), *parts]
        if not path:
            return values
        inside = []
        for row, value in enumerate(values):
            try:
                inside.append(_inside(value, path))
            except (LookupError, AttributeError, TypeError):
                must = f"{argument} must be a field of every state, got {field!r}"
                at = arguments.shown(self.state(row))
                raise ValueError(f"{must}, which {at} lacks") from None
        words = self.names.columns.get(str(field))
        if words is None or isinstance(self.states, np.ndarray):
            return inside
        return [words[code] for code in inside]

    def _results(self, function: Any, argument: str) -> Any:
        """Return what a callable returns for all states."""
        states: Any = self.states
        if isinstance(states, np.ndarray):
            try:
                values = function(self.names.fields_of(states))
            except Exception:  # called again for each state, where errors are raised
                values = None
            several = isinstance(values, (np.ndarray, list))
            if several and np.shape(values) == (len(self),):
                return values
            states = map(self.names.state_of, states)
        return [arguments.call(argument, function, state) for state in states]


@dataclass(frozen=True, slots=True)
class Decisions:
    """Some states in which a player moves, a row a state, and their moves.

    The moves of row i are those from ``offsets[i]`` to below ``offsets[i + 1]``.

    Attributes
    ----------
    states : States
    players : ndarray of int
        By row: who moves.
    values : ndarray of float64 or Fractions
        By row: the value of the state for who moves.
    chosen : ndarray of int
        By row: the move that the policy takes; by the tie rule "uniform", one of
        them.
    places : ndarray of int
        By row: the place in the explored game.
    offsets : ndarray of int
    names : tuple
        All different actions, as the game names them, in order of appearance.
    actions : ndarray of int
        By move: the index of its action in `names`.
    worth : ndarray of float64 or Fractions
        By move: its value for who moves, with what it pays.
    best : ndarray of bool
        By move: whether it is optimal or, up to rounding, may be.
    """

    states: States
    players: Integers
    values: NDArray[Any]
    chosen: Integers
    places: Integers
    offsets: Integers
    names: tuple[Any, ...]
    actions: Integers
    worth: NDArray[Any]
    best: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.states)

    def __getitem__(self, rows: NDArray[Any]) -> Decisions:
        """Return some rows, given by their numbers or as a mask."""
        rows = np.arange(len(self))[rows]
        counts = np.diff(self.offsets)[rows]
        moves, ends = joined_ranges(self.offsets[rows], counts), np.cumsum(counts)
        return Decisions(
            states=self.states[rows],
            players=self.players[rows],
            values=self.values[rows],
            chosen=self.chosen[rows] - self.offsets[rows] + ends - counts,
            places=self.places[rows],
            offsets=np.append(0, ends),
            names=self.names,
            actions=self.actions[moves],
            worth=self.worth[moves],
            best=self.best[moves],
        )

    @property
    def margins(self) -> NDArray[Any]:
        """By row: what the policy's move is worth beyond the next best; inf if forced.

        With ties it is 0, up to rounding.
        """
        most = self.worth[self.chosen][self.rows]
        exact, other = self.worth.dtype == object, most != self.worth
        gaps = np.full(len(most), Fraction(0) if exact else 0.0)
        gaps[other] = np.abs(most[other] - self.worth[other])
        gaps[self.chosen] = np.inf
        margins: NDArray[Any] = np.minimum.reduceat(gaps, self.offsets[:-1])
        return margins

    @property
    def rows(self) -> Integers:
        """By move: its row."""
        return np.repeat(np.arange(len(self)), np.diff(self.offsets))


def states_of(explored: Any, places: Integers) -> States:
    """Return the states of an explored game at some places."""
    if isinstance(explored, ExploredArrays):
        return States(explored.states_at(places), names_of(explored.game))
    return States(list(explored.named_states(places)), explored.names)


def decisions_of(solution: Any) -> Decisions:
    """Return all states of a solution in which a player moves, each once.

    Parameters
    ----------
    solution : Solution
        Of one variant. A game with a solver of its own is explored now.

    Raises
    ------
    ValueError
        If the solution is one of many variants, or no player moves in any state.
    """
    solution._source.refuse_variants("a table of decisions")
    arrays, places = solution._arrays, solution.policy.places
    if not places.size:
        raise ValueError(
            "the game must have a state in which a player moves, got none; in results "
            "of play.evaluate and play.equilibrium all moves are made"
        )
    explored, graph = arrays.explored, arrays.explored.graph
    counts = np.diff(graph.offsets)[places].astype(np.int64)
    ends = np.cumsum(counts)
    index = np.repeat(np.arange(len(places)), counts)
    worth, best = arrays.worth_of(places, index, ends - counts)
    names, actions = _actions(explored, places)
    chosen = ends - counts + arrays.chosen[places]
    if arrays.tie_break == "uniform":  # the first, also where it leads round a loop
        chosen = first_or_last("first", np.arange(len(best)), best, ends - counts)
    players = graph.players[places]
    return Decisions(
        states=states_of(explored, places),
        players=players,
        values=arrays.payoffs_of(places)[np.arange(len(places)), players],
        chosen=chosen,
        places=places,
        offsets=np.append(0, ends),
        names=names,
        actions=actions,
        worth=worth,
        best=best,
    )


def frame_of(solution: Any) -> dict[str, NDArray[Any]]:
    """Return what a solution says of all states, each once, in columns.

    They are the fields of the states, who moves, what each player can expect, and in
    decision states the action of the policy and its margin.
    """
    arrays, places = solution._arrays, solution.values.places
    players, payoffs = arrays.explored.graph.players[places], arrays.payoffs_of(places)
    deciding = players >= 0
    columns = {"mover": players} | {f"payoff_{i}": x for i, x in enumerate(payoffs.T)}
    columns["action"] = np.full(len(places), None)
    blank: Any = None if payoffs.dtype == object else np.nan
    columns["margin"] = np.full(len(places), blank)
    if deciding.any():
        table = decisions_of(solution)
        words = np.fromiter(table.names, object, len(table.names))
        actions = words[table.actions[table.chosen]]
        if solution.tie_break == "uniform":  # the policy mixes actions there
            states = arrays.explored.named_states(places[deciding])
            actions = array_of([solution.policy[state] for state in states])
        columns["action"][deciding] = actions
        margins = table.margins
        columns["margin"][deciding] = np.where(margins == np.inf, blank, margins)
    fields = states_of(arrays.explored, places).columns()
    names = {*columns, "tie_break", "error", "possible_ties", "turned_ties"}
    return {f"state_{x}" if x in names else x: y for x, y in fields.items()} | columns


def _actions(explored: Any, places: Integers) -> tuple[tuple[Any, ...], Integers]:
    """Return all different actions at some places, and the index of each move's."""
    index: dict[Any, int] = {}
    moves = [
        index.setdefault(action, len(index))
        for _, actions in explored.decisions(places)
        for action in actions
    ]
    words: Any = getattr(explored, "names", PLAIN).actions  # arrays have named them
    for action in index if words is not None else ():
        if not isinstance(action, int) or not 0 <= action < len(words):
            must = "actions of names must have a word for each action of the game"
            raise arguments.wrong_value(must, action)
    labels = index if words is None else [words[action] for action in index]
    return tuple(labels), np.array(moves, dtype=np.int64)


def array_of(items: Any) -> NDArray[Any]:
    """Return numbers as an array of them, and anything else as one of objects."""
    if isinstance(items, np.ndarray) or {*map(type, items)} <= {bool, int, float}:
        return np.asarray(items)
    return np.fromiter(items, object, len(items))


def _inside(value: Any, path: list[str]) -> Any:
    """Return what is inside a value, by names, or by numbers of items."""
    for part in path:
        value = value[int(part)] if part.isdigit() else getattr(value, part)
    return value
