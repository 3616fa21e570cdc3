"""The file format of value tables: a solved game with all that proves it.

A file is an ``.npz`` archive, which NumPy reads without pickles: plain arrays, and a
head in JSON. The page "Save and share results" lists them. An array of unsigned bytes
is text in UTF-8, one item a line; so numbers that no type of NumPy holds are decimal
integers or fractions as text. What a policy does is the weights of a player's moves, so
that values follow from weights wherever a move is made.
"""

from __future__ import annotations

import json
import re
from collections import namedtuple
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._graph.answers import Endless
from cardgames_dp._graph.array_answers import CheckedGame, require_distinct
from cardgames_dp._graph.graph import (
    Graph,
    Integers,
    Rewards,
    blocks_of,
    exact_array,
    joined_ranges,
    narrowed,
    over_one_bottom,
)
from cardgames_dp._graph.names import PLAIN, Names, names_of
from cardgames_dp._graph.payments import ratios
from cardgames_dp._graph.solution import as_solution
from cardgames_dp._graph.value_arrays import ValueArrays
from cardgames_dp._interop.certificate import certificate
from cardgames_dp._interop.contradictions import refuse_contradictions
from cardgames_dp._support import arguments
from cardgames_dp.game import CHANCE, TERMINAL, Explored, ExploredArrays, Solution
from cardgames_dp.play.policies import weighed

_FORMAT: Final = "cardgames_dp value table"
_VERSION: Final = 1
_MOST_PLAYERS: Final = 1000
_NUMBER: Final = re.compile("(-?[0-9]+)(?:/([0-9]*[1-9][0-9]*))?")
MEMORY: Final = 10
"""The bytes that reading takes for each byte of arrays, about: 8 of large tables."""

NAMES: Final = (
    *("head", "players", "offsets", "following", "weights", "optimal", "returns"),
    *("values", "blocks", "states", "initial", "actions", "answers", "possible"),
    *("turned", "certificate", "rewards", "paid", "components", "endless"),
)
"""The names of the arrays that a file may have."""

Parts = dict[str, NDArray[Any]]


def parts_of(solution: object) -> Parts:
    """Return the arrays of a file.

    Raises
    ------
    TypeError, ValueError
        If it is no solution of a whole game, or two states look alike as text.
    """
    head: dict[str, Any] = {"format": _FORMAT, "version": _VERSION}
    given, solution = solution, as_solution(solution)
    if solution is None:
        raise arguments.wrong_type(
            "solution must be a Solution, as solve returns", given
        )
    solution.explored.refuse_variants("solution")
    solved = solution._source.by_place
    arrays = isinstance(solution.explored, ExploredArrays)
    head["form"] = "arrays" if arrays else "states"
    if arrays and names_of(solution.explored.game) is not PLAIN:
        head["names"] = _written_names(names_of(solution.explored.game))
    parts = _of_arrays(solution) if arrays else _of_states(solution)
    parts |= {"possible": solved.open, "turned": solved.turned}
    explored: Explored[Any, Any] | ExploredArrays = solution.explored
    tops, bottoms, graph = solution.numerators, solution.denominators, explored.graph
    exact = bottoms is not None
    head["numbers"] = "exact" if exact else "float64"
    weights = weighed(explored, solution, head["numbers"])
    head["error"], head["tie_break"] = solved.largest_error, solution.tie_break
    proof = certificate(graph, weights, None if exact else tops)
    if proof is not None:
        parts["certificate"], error = proof
        head["error"] = max(head["error"], error)
    more, head["floats"] = _of_some_games(graph)
    starts = [(block.places.start, block.group) for block in graph.blocks]
    return {
        "head": text([json.dumps(head)]),
        "players": narrowed(graph.players),
        "offsets": graph.offsets,
        "following": graph.following,
        "weights": text(map(_decimal, weights.tolist()))
        if weights.dtype == object
        else narrowed(weights),
        "optimal": solution.optimal,
        "returns": _ratios(graph.numerators, graph.denominators),
        "values": _ratios(tops, bottoms).T if not exact else _ratios(tops.T, bottoms),
        "blocks": np.array(starts).T,
        **parts,
        **more,
    }


def _of_some_games(graph: Graph) -> tuple[Parts, list[str]]:
    """Return what not all games have, and which numbers were given as floats."""
    parts: Parts = {}
    exact = {"returns": graph.exact, "weights": graph.exact_weights}
    if graph.rewards is not None:
        paid = graph.rewards
        parts["rewards"] = _ratios(paid.numerators, paid.denominators)
        parts["paid"] = paid.rows
        exact["rewards"] = paid.exact
    if graph.components is not None:
        parts["components"] = graph.components
    if graph.endless is not None:
        tops, bottoms, whole = ratios(np.array([graph.endless], dtype=object))
        parts["endless"] = _ratios(tops, bottoms)
        exact["endless_returns"] = whole
    return parts, [name for name, whole in exact.items() if not whole]


def _of_arrays(solution: Solution[Any, Any, Any]) -> Parts:
    """Return what is written of the states of a game in arrays."""
    game = solution.explored
    parts: Parts = {
        "states": narrowed(game.states_at(np.arange(game.num_states))),
        "initial": game.initial,
    }
    deciding = np.flatnonzero(game.graph.players >= 0)
    if deciding.size:
        columns = game.columns[:, deciding]
        parts["actions"] = narrowed(CheckedGame(game.game).actions(columns)[1])
    return parts


def _of_states(solution: Solution[Any, Any, Any]) -> Parts:
    """Return what is written of states that are objects."""
    explored = solution.explored
    states = [json.dumps(_written(state)) for state in explored.states]
    if len(set(states)) < len(states):
        raise ValueError(
            "the states of solution must differ as text: those that are not numbers, "
            "str, None, tuples or frozensets of them are written by repr"
        )
    return {
        "states": text(states),
        "initial": np.zeros(1, dtype=np.int8),
        "actions": text([json.dumps(_written(answer)) for answer in explored.actions]),
        "answers": explored.action_index,
    }


def text(lines: Iterable[str]) -> NDArray[np.uint8]:
    """Return lines as an array of bytes."""
    return np.frombuffer("\n".join(lines).encode(), dtype=np.uint8)


def _lines(array: NDArray[np.uint8]) -> list[str]:
    """Return the lines of an array of bytes."""
    content = array.tobytes().decode()
    return content.split("\n") if content else []


def _decimal(number: int | Fraction) -> str:
    try:
        return str(number)
    except ValueError:
        large = max(abs(number.numerator), number.denominator)
        raise ValueError(
            "solution must have no number of more than 4300 digits, which Python does "
            f"not write as text, got one with {arguments.magnitude(large)}"
        ) from None


def _ratios(tops: NDArray[Any], bottoms: NDArray[Any] | None) -> NDArray[Any]:
    """Return numbers in rows: as they are, or as text if they are fractions or long."""
    if bottoms is None or (tops.dtype != object and bool((bottoms == 1).all())):
        return tops
    if bottoms.ndim == 1:
        bottoms = bottoms[:, np.newaxis]
    bottoms = np.broadcast_to(bottoms, tops.shape)
    both = zip(tops.ravel().tolist(), bottoms.ravel().tolist(), strict=True)
    return text([_decimal(Fraction(top) / bottom) for top, bottom in both])


def _written(value: object) -> Any:
    """Return a state or an action in what JSON has."""
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, (int, np.integer)):
        return int(_decimal(int(value)))
    if isinstance(value, (float, np.floating)) and np.isfinite(value):
        return float(value)
    if isinstance(value, tuple):
        return [_written(each) for each in value]
    if isinstance(value, Fraction):
        return {"fraction": _decimal(value)}
    if isinstance(value, frozenset):
        return {"set": sorted(map(_written, value), key=json.dumps)}
    return {"repr": repr(value)}


def _meant(value: Any) -> Any:
    """Return a state or an action that was written; of others the text."""
    if isinstance(value, list):
        return tuple([_meant(each) for each in value])
    if isinstance(value, dict):
        (kind, inner), *more = value.items()
        if kind == "fraction" and not more:
            return Fraction(_number(inner))
        if kind == "set" and not more:
            return frozenset([_meant(each) for each in inner])
        if kind == "repr" and isinstance(inner, str) and not more:
            return inner
        raise ValueError(f"{arguments.shown(value)} is no state or action")
    _require(not isinstance(value, float) or np.isfinite(value))
    return value


def solution_of(parts: Parts) -> Solution[Any, Any, Any]:
    """Return the solution that a file has.

    Raises
    ------
    ValueError, KeyError, TypeError, IndexError
        If the arrays are not those of a value table, or do not fit together.
    """
    _require(all(x.ndim == 1 for x in parts.values() if x.dtype == np.uint8))
    head = _head(parts)
    graph, weights, values = _graph(parts, head)
    exact = head["numbers"] == "exact"
    if exact:
        graph.refuse_floats()
    optimal, error = parts["optimal"], float(head["error"])
    _require(optimal.dtype == np.bool_ and optimal.shape == graph.following.shape)
    _require(0 <= error < np.inf and (error == 0 or not exact))
    tops, bottoms = _values(values, exact)
    mixed = head["tie_break"] == "uniform"
    refuse_contradictions(graph, weights, tops, bottoms, optimal, error, mixed=mixed)
    chosen = _chosen(graph, weights)
    ties = [_places(parts[name], graph) for name in ("possible", "turned")]
    arrays = head["form"] == "arrays"
    names = head.get("names")
    explored: Any = (
        _arrays(parts, graph, names) if arrays else _one_by_one(parts, graph)
    )
    errors = None if exact else np.broadcast_to(error, graph.num_states)
    sweep = tops, bottoms, optimal, chosen, errors
    return Solution(ValueArrays(explored, head["tie_break"], *sweep, *ties))


def _one_by_one(parts: Parts, graph: Graph) -> Explored[Any, Any]:
    """Return the explored game of a file whose states are not rows of integers."""
    states = [_meant(json.loads(line)) for line in _lines(parts["states"])]
    answers = [_meant(json.loads(line)) for line in _lines(parts["actions"])]
    indices = _integers(parts["answers"], (graph.num_states,), -1, len(answers))
    _require(all(type(x) is tuple and len({*x}) == len(x) for x in answers))
    lengths = np.array([*map(len, answers), 0])
    moved = graph.players >= 0
    _require(len({*states}) == graph.num_states and ((indices >= 0) == moved).all())
    _integers(parts["initial"], (1,), 0, 1)
    _require((lengths[indices] == np.diff(graph.offsets))[moved].all())
    return Explored(tuple(states), tuple(answers), indices, graph)


def _head(parts: Parts) -> dict[str, Any]:
    """Return the head of a file of this version."""
    head: dict[str, Any] = json.loads(parts["head"].tobytes().decode())
    _require(head["format"] == _FORMAT, "another format")
    _require(type(head["version"]) is int, "no version")
    if head["version"] != _VERSION:
        raise ValueError(
            f"version {head['version']} of the format; this version of cardgames_dp "
            f"reads version {_VERSION}"
        )
    _require(head["form"] in ("states", "arrays"))
    _require(head["numbers"] in ("exact", "float64"))
    _require(type(head["error"]) in (int, float) and type(head["tie_break"]) is str)
    _require(type(head["floats"]) is list)
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
        count = len(_lines(parts["returns"])) // ends
    _require(0 < count < _MOST_PLAYERS and size)
    players = _integers(parts["players"], (size,), TERMINAL, count)
    _require(((players >= CHANCE) | (players == TERMINAL)).all())
    offsets = _integers(parts["offsets"], (size + 1,), 0, moves + 1)
    counts = np.diff(offsets)
    _require(offsets[0] == 0 and offsets[-1] == moves)
    _require((counts >= 0).all() and ((counts == 0) == (players == TERMINAL)).all())
    following = _integers(parts["following"], (moves,), 0, size)
    weights = _numbers(parts["weights"])
    _require(weights.dtype != object or {*map(type, weights)} <= {int})
    _require(weights.shape == (moves,) and weights.dtype.kind in "iO")
    returns, values = (_numbers(parts[x], count) for x in ("returns", "values"))
    for rows, length in ((returns, ends), (values, size)):
        _require(rows.shape == (length, count) and rows.dtype.kind in "ifO")
        _require(rows.dtype == object or np.isfinite(rows).all())
    sums = np.add.reduceat(np.append(weights > 0, True), offsets[:-1])[counts > 0]
    _require((weights >= 0).all() and (sums > 0).all())
    (tops, bottoms, whole), (starts, groups) = ratios(returns), parts["blocks"]
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
        *(players, offsets, following),
        weights=chances,
        numerators=tops,
        denominators=bottoms,
        blocks=blocks_of(starts, players, offsets, groups),
        rewards=_rewards(parts, head, count),
        components=components,
        exact=whole and "returns" not in head["floats"],
        endless=_endless(parts, head, count),
        exact_weights="weights" not in head["floats"],
    )
    return graph, weights, values


def _endless(parts: Parts, head: Mapping[str, Any], count: int) -> Endless | None:
    """Return what a play that never ends pays, if the file says so."""
    if "endless" not in parts:
        return None
    rows = _numbers(parts["endless"], count)
    _require(rows.shape == (1, count) and rows.dtype.kind in "ifO")
    kind = float if "endless_returns" in head["floats"] else Fraction
    return tuple(map(kind, rows[0].tolist()))


def _rewards(parts: Parts, head: Mapping[str, Any], count: int) -> Rewards | None:
    """Return what moves pay, if any move pays anything."""
    if "paid" not in parts:
        return None
    rows = _numbers(parts["rewards"], count)
    _require(rows.ndim == 2 and rows.shape[1] == count and rows.dtype.kind in "ifO")
    indices = _integers(parts["paid"], parts["following"].shape, 0, len(rows))
    tops, bottoms, whole = ratios(rows)
    return Rewards(indices, tops, bottoms, whole and "rewards" not in head["floats"])


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
    _require(rows.dtype.kind in "iO" if exact else rows.dtype == np.float64)
    if not exact:
        return np.ascontiguousarray(rows.T), None
    tops, bottoms = over_one_bottom(rows.tolist())
    return np.ascontiguousarray(tops.T), bottoms


def _chosen(graph: Graph, weights: NDArray[Any]) -> Integers:
    """Return the index of the action of each decision state that is taken first."""
    chosen = np.zeros(graph.num_states, dtype=np.int64)
    moves = np.flatnonzero(weights > 0)
    sources = np.repeat(np.arange(graph.num_states), np.diff(graph.offsets))[moves]
    first = np.flatnonzero(np.diff(sources, prepend=-1))
    chosen[sources[first]] = moves[first] - graph.offsets[sources[first]]
    chosen[graph.players < 0] = 0
    return chosen


def _written_names(names: Names) -> dict[str, Any]:
    """Return the names of an array game in what JSON has."""
    state, head = names.state, dict[str, Any]()
    if state is not None:
        defaults = {x: _written(y) for x, y in state._field_defaults.items()}
        head |= {
            "state": state.__name__,
            "fields": state._fields,
            "defaults": defaults,
        }
    if names.actions is not None:
        head["actions"] = [_written(word) for word in names.actions]
    columns = names.columns.items()
    head["columns"] = {x: [_written(y) for y in words] for x, words in columns}
    return head | ({"blocks": dict(names.blocks)} if names.blocks else {})


def _read_names(given: Mapping[str, Any] | None) -> Names:
    """Return the names that are written in a head, if there are any."""
    if given is None:
        return PLAIN
    state: Any = None
    actions, make = given.get("actions"), cast(Any, namedtuple)
    if "state" in given:
        fields, defaults = given["fields"], given["defaults"]
        last = [_meant(defaults[x]) for x in fields if x in defaults]
        state = make(given["state"], fields, defaults=last)
        _require(state._field_defaults.keys() == defaults.keys())
    words = None if actions is None else [_meant(word) for word in actions]
    columns = {x: [_meant(y) for y in each] for x, each in given["columns"].items()}
    blocks = {x: tuple(shape) for x, shape in given.get("blocks", {}).items()}
    return Names(state, words, columns, blocks)


def _arrays(parts: Parts, graph: Graph, names: Any) -> ExploredArrays:
    """Return the explored array game, which answers from the table."""
    states, initial = parts["states"], _places(parts["initial"], graph)
    _require(states.dtype.kind == "i" and states.ndim in (1, 2) and states.size)
    _require(len(states) == graph.num_states and len(initial))
    decided = np.repeat(graph.players >= 0, np.diff(graph.offsets))
    actions = parts.get("actions", np.zeros(0, dtype=np.int8))
    _require(actions.dtype.kind == "i" and actions.ndim in (1, 2))
    _require(len(actions) == np.count_nonzero(decided))
    index = np.repeat(np.arange(graph.num_states), np.diff(graph.offsets))[decided]
    require_distinct(index, actions, states)
    return _ReadGame(states, initial, graph, actions, names).explored


class _ReadGame:
    """The game of a solution that was read: it says which states and actions it has.

    All else is in the explored game.
    """

    def __init__(
        self,
        states: NDArray[Any],
        initial: Integers,
        graph: Graph,
        actions: NDArray[Any],
        names: Any,
    ) -> None:
        self._given = states, initial, graph, actions, names
        self.names = _read_names(names)
        self.num_players = graph.num_players
        counts = np.where(graph.players >= 0, np.diff(graph.offsets), 0)
        self._counts, self._first = counts, np.cumsum(counts) - counts
        columns = np.ascontiguousarray(np.atleast_2d(states.T))
        self.explored = ExploredArrays(self, columns, initial, graph)

    def __reduce__(self) -> tuple[Any, ...]:
        # Without the explored game, which has this one.
        return type(self), self._given

    def initial_states(self) -> NDArray[Any]:
        """Return the initial states."""
        return self._given[0][self._given[1]]

    def legal_actions(self, states: NDArray[Any]) -> tuple[Integers, NDArray[Any]]:
        """Return all actions."""
        places = self.explored.places(states)
        counts = self._counts[places]
        index = np.repeat(np.arange(len(places)), counts)
        return index, self._given[3][joined_ranges(self._first[places], counts)]

    def _unknown(self, *_: object) -> Any:
        raise NotImplementedError("the game was read from a value table; see explored")

    current_players = next_states = chance_outcomes = returns = _unknown


def _numbers(array: NDArray[Any], *width: int) -> NDArray[Any]:
    """Return numbers, or rows of a width: those that are text as ints and Fractions."""
    if array.dtype != np.uint8:
        return array
    numbers = map(_number, _lines(array))
    return np.array([*numbers, None], dtype=object)[:-1].reshape(-1, *width)


def _number(line: str) -> int | Fraction:
    """Return the integer or fraction that a line of text is, and nothing else."""
    match = _NUMBER.fullmatch(line)
    if match is None:
        raise ValueError(f"{arguments.shown(line)} is no integer or fraction")
    top, bottom = int(match[1]), int(match[2] or 1)
    return top if bottom == 1 else Fraction(top, bottom)
