"""Read a value table, the format of which `value_table` describes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from math import lcm
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._graph.answers import CHANCE, TERMINAL
from cardgames_dp._graph.arrays import ArraySolution, ExploredArrays
from cardgames_dp._graph.explored import Explored
from cardgames_dp._graph.graph import (
    Graph,
    Integers,
    Rewards,
    blocks_of,
    exact_array,
    spans,
)
from cardgames_dp._graph.payments import ratios
from cardgames_dp._graph.solution import OptimalActions, Policy, Solution, Values
from cardgames_dp._interop.value_table import (
    FORMAT,
    VERSION,
    Parts,
    lines_of,
    meant,
    numbers_of,
    weights_of,
)

_MOST_PLAYERS: Final = 1000


def solution_of(parts: Parts) -> Solution[Any, Any, Any] | ArraySolution[Any]:
    """Return the solution that a file has.

    Raises
    ------
    ValueError, KeyError, TypeError, IndexError
        If the arrays are not those of a value table, or do not fit together.
    """
    _require(all(x.ndim == 1 for x in parts.values() if x.dtype == np.uint8))
    head = _head(parts)
    graph, weights, values = _graph(parts, head)
    exact, uniform = head["numbers"] == "exact", head["tie_break"] == "uniform"
    if exact:
        graph.refuse_floats()
    tops, bottoms = _values(values, exact)
    chosen = _chosen(graph, weights)
    optimal = parts["optimal"]
    _require(optimal.dtype == np.bool_ and optimal.shape == graph.following.shape)
    error = float(head["error"])
    _require(0 <= error < np.inf and isinstance(head["tie_break"], str))
    if head["form"] == "arrays":
        found = _arrays(parts, graph)
        counts = [int(each) for each in head["counts"]]
        _require(len(counts) == 3)
        return ArraySolution(
            found, head["tie_break"], tops, bottoms, optimal, chosen, error, *counts
        )
    states = [meant(json.loads(line)) for line in lines_of(parts["states"])]
    answers = [meant(json.loads(line)) for line in lines_of(parts["actions"])]
    places = {state: place for place, state in enumerate(states)}
    which = _integers(parts["answers"], (graph.num_states,), -1, len(answers))
    lengths = np.array([*map(len, answers), 0])
    moved = graph.players >= 0
    _require(len(places) == graph.num_states and ((which >= 0) == moved).all())
    _integers(parts["initial"], (1,), 0, 1)
    _require((lengths[which] == np.diff(graph.offsets))[moved].all())
    explored = Explored(tuple(states), places, tuple(answers), which, graph)
    open_, turned = (
        tuple([states[i] for i in _places(parts[name], graph).tolist()])
        for name in ("possible", "turned")
    )
    return Solution(
        initial_state=states[0],
        tie_break=head["tie_break"],
        values=Values(explored, tops, bottoms),
        optimal_actions=OptimalActions(explored, optimal),
        policy=Policy(explored, chosen, optimal if uniform else None),
        error=error,
        possible_ties=open_,
        turned_ties=turned,
    )


def _head(parts: Parts) -> dict[str, Any]:
    """Return the head of a file of this version."""
    head: dict[str, Any] = json.loads(parts["head"].tobytes().decode())
    _require(head["format"] == FORMAT, "another format")
    _require(isinstance(head["version"], int), "no version")
    if head["version"] != VERSION:
        raise ValueError(
            f"version {head['version']} of the format; this version of cardgames_dp "
            f"reads version {VERSION}"
        )
    _require(head["form"] in ("states", "arrays"))
    _require(head["numbers"] in ("exact", "float64"))
    return head


def _require(right: Any, otherwise: str = "arrays that do not fit together") -> None:
    if not right:
        raise ValueError(otherwise)


def _integers(
    array: NDArray[Any], shape: tuple[int, ...], low: int, high: int
) -> Integers:
    """Return an array of integers, checked: those from `low` to below `high`."""
    _require(array.dtype.kind == "i" and array.shape == shape)
    _require(low <= array.min(initial=low) and array.max(initial=low) < max(high, 1))
    return array


def _places(array: NDArray[Any], graph: Graph) -> Integers:
    return _integers(array, array.shape[:1], 0, graph.num_states)


def _graph(
    parts: Parts, head: Mapping[str, Any]
) -> tuple[Graph, NDArray[Any], NDArray[Any]]:
    """Return the game, the weights of all moves, and the values in rows."""
    size, moves = len(parts["players"]), len(parts["following"])
    count = parts["returns"].shape[1] if parts["returns"].ndim == 2 else None
    ends = int(np.count_nonzero(parts["players"] == TERMINAL))
    if count is None:
        _require(ends > 0)
        count = len(lines_of(parts["returns"])) // ends
    _require(0 < count < _MOST_PLAYERS and size)
    players = _integers(parts["players"], (size,), TERMINAL, count)
    _require(((players >= CHANCE) | (players == TERMINAL)).all())
    offsets = _integers(parts["offsets"], (size + 1,), 0, moves + 1)
    counts = np.diff(offsets)
    _require(offsets[0] == 0 and offsets[-1] == moves)
    _require((counts >= 0).all() and ((counts == 0) == (players == TERMINAL)).all())
    following = _integers(parts["following"], (moves,), 0, size)
    weights = weights_of(parts["weights"])
    _require(weights.shape == (moves,) and weights.dtype.kind in "iO")
    returns, values = (numbers_of(parts[x], count) for x in ("returns", "values"))
    for rows, length in ((returns, ends), (values, size)):
        _require(rows.shape == (length, count) and rows.dtype.kind in "ifO")
        _require(rows.dtype == object or np.isfinite(rows).all())
    sums = np.add.reduceat(np.append(weights > 0, True), offsets[:-1])[counts > 0]
    _require((weights >= 0).all() and (sums > 0).all())
    tops, bottoms, whole = ratios(returns)
    starts, groups = parts["blocks"]
    _laid_out(starts, groups, players, offsets, following)
    chances = weights[np.repeat(players == CHANCE, counts)]
    if chances.dtype == object:
        chances = exact_array(chances.tolist())
    components = parts.get("components")
    _require((components is None) == (groups < 0).all())
    if components is not None:
        _integers(components, (size,), -1, size)
        _require(((components >= 0) == (_block_of(starts, groups, size) >= 0)).all())
    graph = Graph(
        players=players,
        offsets=offsets,
        following=following,
        weights=chances,
        numerators=tops,
        denominators=bottoms,
        blocks=blocks_of(starts, players, offsets, groups),
        rewards=_rewards(parts, head, count),
        components=components,
        exact=whole and "returns" not in head["floats"],
    )
    return graph, weights, values


def _rewards(parts: Parts, head: Mapping[str, Any], count: int) -> Rewards | None:
    """Return what moves pay, if any move pays anything."""
    if "paid" not in parts:
        return None
    rows = numbers_of(parts["rewards"], count)
    _require(rows.ndim == 2 and rows.shape[1] == count and rows.dtype.kind in "ifO")
    which = _integers(parts["paid"], parts["following"].shape, 0, len(rows))
    tops, bottoms, whole = ratios(rows)
    return Rewards(which, tops, bottoms, whole and "rewards" not in head["floats"])


def _block_of(starts: Integers, numbers: Integers, size: int) -> Integers:
    """Return by place the number of its block."""
    return np.repeat(numbers, np.diff(np.append(starts, size)))


def _laid_out(
    starts: Integers,
    groups: Integers,
    players: Integers,
    offsets: Integers,
    following: Integers,
) -> None:
    """Require moves to later blocks or within a group, and one mover a block."""
    size = len(players)
    _integers(starts, starts.shape, 0, size)
    _integers(groups, starts.shape, -1, size)
    _require(starts[0] == 0 and (np.diff(starts) > 0).all())
    own = _block_of(starts, np.arange(len(starts)), size)
    _require((players == players[starts][own]).all())
    sources = np.repeat(own, np.diff(offsets))
    after = own[following]
    within = (groups[sources] >= 0) & (groups[sources] == groups[after])
    _require(((after > sources) | within).all())


def _values(
    rows: NDArray[Any], exact: bool
) -> tuple[NDArray[Any], NDArray[Any] | None]:
    """Return the values as a solution keeps them, with one denominator a state."""
    if not exact:
        _require(rows.dtype == np.float64)
        return np.ascontiguousarray(rows.T), None
    tops, bottoms = np.empty(rows.shape, dtype=object), []
    for place, row in enumerate(rows.tolist()):
        bottom = lcm(*[Fraction(x).denominator for x in row])
        tops[place] = [int(x * bottom) for x in row]
        bottoms.append(bottom)
    below = np.empty(len(bottoms), dtype=object)
    below[:] = bottoms
    return np.ascontiguousarray(tops.T), below


def _chosen(graph: Graph, weights: NDArray[Any]) -> Integers:
    """Return the index of the action of each decision state that is taken first."""
    chosen = np.zeros(graph.num_states, dtype=np.int64)
    moves = np.flatnonzero(weights > 0)
    sources = np.repeat(np.arange(graph.num_states), np.diff(graph.offsets))[moves]
    first = np.flatnonzero(np.diff(sources, prepend=-1))
    chosen[sources[first]] = moves[first] - graph.offsets[sources[first]]
    chosen[graph.players < 0] = 0
    return chosen


def _arrays(parts: Parts, graph: Graph) -> ExploredArrays:
    """Return the explored game for arrays, which answers from the table."""
    states, initial = parts["states"], _places(parts["initial"], graph)
    _require(states.dtype.kind == "i" and states.ndim in (1, 2) and states.size)
    _require(len(states) == graph.num_states and len(initial))
    decided = np.repeat(graph.players >= 0, np.diff(graph.offsets))
    actions = parts.get("actions", np.zeros(0, dtype=np.int8))
    _require(actions.dtype.kind == "i" and actions.ndim in (1, 2))
    _require(len(actions) == np.count_nonzero(decided))
    kind = TableGame if graph.rewards is None else PayingTableGame
    return kind(states, initial, graph, actions).explored


class TableGame:
    """A game for arrays that looks up its answers in a table.

    Parameters
    ----------
    states, initial, graph, actions
        The states in the form of the game, the places of the initial ones, the moves,
        and the actions of all decision states, one after the other.
    """

    def __init__(
        self,
        states: NDArray[Any],
        initial: Integers,
        graph: Graph,
        actions: NDArray[Any],
    ) -> None:
        self._states, self._initial = states, initial
        self._graph, self._actions = graph, actions
        self.num_players = graph.num_players
        decided = graph.players >= 0
        counts = np.where(decided, np.diff(graph.offsets), 0)
        self._first = np.cumsum(counts) - counts
        columns = np.ascontiguousarray(np.atleast_2d(states.T))
        self.explored = ExploredArrays(self, columns, initial, graph)

    def __reduce__(self) -> tuple[Any, ...]:
        # Without the explored game, which has this one.
        return type(self), (self._states, self._initial, self._graph, self._actions)

    def initial_states(self) -> NDArray[Any]:
        """Return the initial states."""
        return self._states[self._initial]

    def current_players(self, states: NDArray[Any]) -> Integers:
        """Return who moves."""
        return self._graph.players[self.explored.places(states)]

    def legal_actions(self, states: NDArray[Any]) -> tuple[Integers, NDArray[Any]]:
        """Return all actions."""
        places = self.explored.places(states)
        counts = np.diff(self._graph.offsets)[places].astype(np.int64)
        index = np.repeat(np.arange(len(places)), counts)
        return index, self._actions[spans(self._first[places], counts)]

    def next_states(self, states: NDArray[Any], actions: NDArray[Any]) -> NDArray[Any]:
        """Return where actions lead."""
        moves = self._moves(states, actions)
        return self._states[self._graph.following[moves]]

    def chance_outcomes(self, states: NDArray[Any]) -> Any:
        """Return the outcomes of chance."""
        graph, places = self._graph, self.explored.places(states)
        counts = np.diff(graph.offsets)[places].astype(np.int64)
        moves = spans(graph.offsets[places].astype(np.int64), counts)
        before = np.cumsum(np.repeat(graph.players == CHANCE, np.diff(graph.offsets)))
        index = np.repeat(np.arange(len(places)), counts)
        found = (
            index,
            graph.weights[before[moves] - 1],
            self._states[graph.following[moves]],
        )
        return found if graph.rewards is None else (*found, self._paid(moves))

    def returns(self, states: NDArray[Any]) -> NDArray[Any]:
        """Return what ends pay."""
        graph = self._graph
        rows = np.cumsum(graph.players == TERMINAL)[self.explored.places(states)] - 1
        whole: Any = Rewards(rows, graph.numerators, graph.denominators)
        numbers: NDArray[Any] = whole.numbers()[rows]
        return numbers

    def _paid(self, moves: Integers) -> NDArray[Any]:
        rewards = self._graph.rewards
        assert rewards is not None
        return rewards.numbers()[rewards.which[moves]]

    def _moves(self, states: NDArray[Any], actions: NDArray[Any]) -> Integers:
        """Return the number of the move of each state and action."""
        index, legal = self.legal_actions(states)
        same = legal == actions[index]
        same = same.all(axis=1) if same.ndim == 2 else same
        offsets = self._graph.offsets[:-1].astype(np.int64)
        counts = np.bincount(index, minlength=len(states))
        ranks = np.arange(len(index)) - np.repeat(np.cumsum(counts) - counts, counts)
        found: Integers = offsets[self.explored.places(states)] + ranks[same]
        return found


class PayingTableGame(TableGame):
    """The same of a game that pays on the way."""

    def rewards(self, states: NDArray[Any], actions: NDArray[Any]) -> NDArray[Any]:
        """Return what actions pay."""
        return self._paid(self._moves(states, actions))
