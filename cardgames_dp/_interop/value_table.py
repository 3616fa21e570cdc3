"""The file format of value tables: a solved game with all that proves it.

A file is an ``.npz`` archive, which NumPy reads without pickles: plain arrays, and a
head in JSON. The page "Save and share results" lists them. An array of unsigned bytes
is text in UTF-8, one item a line; so numbers that no type of NumPy holds are decimal
integers or fractions as text. What a policy does is the weights of a player's moves, so
that values follow from weights wherever a move is made.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from fractions import Fraction
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._graph.array_answers import CheckedArrays
from cardgames_dp._graph.arrays import ArraySolution, ExploredArrays
from cardgames_dp._graph.explored import Explored
from cardgames_dp._graph.graph import narrowed
from cardgames_dp._graph.solution import OptimalActions, Solution, Values
from cardgames_dp._interop.certificate import certificate
from cardgames_dp._support import arguments
from cardgames_dp.play.policies import weighed

FORMAT: Final = "cardgames_dp value table"
VERSION: Final = 1

Parts = dict[str, NDArray[Any]]


def parts_of(solution: object) -> Parts:
    """Return the arrays of a file.

    Raises
    ------
    TypeError, ValueError
        If it is no solution of a whole game, or two states look alike as text.
    """
    head: dict[str, Any] = {"format": FORMAT, "version": VERSION}
    explored, tops, bottoms, optimal, parts = _described(solution, head)
    graph = explored.graph
    exact = bottoms is not None
    weights = weighed(explored, solution, "exact" if exact else "float64")
    head["numbers"] = "exact" if exact else "float64"
    head["error"], head["tie_break"] = float(solution.error), solution.tie_break  # type: ignore[attr-defined]
    head["floats"] = [] if graph.exact else ["returns"]
    proof = certificate(graph, weights, None if exact else tops)
    if proof is not None:
        parts["certificate"] = proof.numbers
        head["error"] = max(head["error"], proof.error)
    if graph.rewards is not None:
        paid = graph.rewards
        parts["rewards"] = _ratios(paid.numerators, paid.denominators)
        parts["paid"] = paid.which
        head["floats"] += [] if paid.exact else ["rewards"]
    if graph.components is not None:
        parts["components"] = graph.components
    starts = [(block.places.start, block.group) for block in graph.blocks]
    return {
        "head": text([json.dumps(head)]),
        "players": narrowed(graph.players),
        "offsets": graph.offsets,
        "following": graph.following,
        "weights": _listed(weights) if weights.dtype == object else narrowed(weights),
        "optimal": optimal,
        "returns": _ratios(graph.numerators, graph.denominators),
        "values": _ratios(tops, bottoms).T if not exact else _ratios(tops.T, bottoms),
        "blocks": np.array(starts).T,
        **parts,
    }


Described = tuple[
    Explored[Any, Any] | ExploredArrays,
    NDArray[Any],
    NDArray[Any] | None,
    NDArray[np.bool_],
    Parts,
]
"""A game, its values, which moves are optimal, and what is written of its states."""


def _described(solution: object, head: dict[str, Any]) -> Described:
    """Return what is written in the form of the game, and say so in the head."""
    if isinstance(solution, ArraySolution):
        ties = solution.num_ties, solution.num_possible_ties, solution.num_turned_ties
        head["form"], head["counts"] = "arrays", ties
        return _of_arrays(solution)
    if not isinstance(solution, Solution):
        raise TypeError(
            "solution must be a Solution or an ArraySolution, got "
            f"{arguments.described(solution)}"
        )
    head["form"] = "states"
    return _of_states(solution)


def _of_arrays(solution: ArraySolution[Any]) -> Described:
    game = solution.explored
    if game.num_positions is not None:
        raise ValueError(
            "solution must be one of a single position, got one of "
            f"{game.num_positions}; solve explored.at(position)"
        )
    parts: Parts = {
        "states": narrowed(game.states_at(np.arange(game.num_states))),
        "initial": game.initial,
    }
    deciding = np.flatnonzero(game.graph.players >= 0)
    if deciding.size:
        columns = game.columns[:, deciding]
        parts["actions"] = narrowed(CheckedArrays(game.game).actions(columns)[1])
    bottoms = solution.denominators
    return game, solution.numerators, bottoms, solution.optimal, parts


def _of_states(solution: Solution[Any, Any, Any]) -> Described:
    values, best = solution.values, solution.optimal_actions
    if not isinstance(values, Values) or not isinstance(best, OptimalActions):
        raise ValueError(
            "solution must have its game, which is missing in one that was constructed "
            "by hand"
        )
    found = values.explored
    states = [json.dumps(_written(state)) for state in found.states]
    if len(set(states)) < len(states):
        raise ValueError(
            "the states of solution must differ as text: those that are not numbers, "
            "str, None, tuples or frozensets of them are written by repr"
        )
    tied = solution.possible_ties, solution.turned_ties
    possible, turned = (
        np.array([found.places[state] for state in some], dtype=np.int64)
        for some in tied
    )
    parts = {
        "states": text(states),
        "initial": np.zeros(1, dtype=np.int8),
        "actions": text([json.dumps(_written(answer)) for answer in found.actions]),
        "answers": found.which,
        "possible": possible,
        "turned": turned,
    }
    return found, values.numerators, values.denominators, best.optimal, parts


def text(lines: Iterable[str]) -> NDArray[np.uint8]:
    """Return lines as an array of bytes."""
    return np.frombuffer("\n".join(lines).encode(), dtype=np.uint8)


def lines_of(array: NDArray[np.uint8]) -> list[str]:
    """Return the lines of an array of bytes."""
    found = array.tobytes().decode()
    return found.split("\n") if found else []


def _listed(numbers: NDArray[Any]) -> NDArray[np.uint8]:
    return text(map(str, numbers.ravel().tolist()))


def _ratios(tops: NDArray[Any], bottoms: NDArray[Any] | None) -> NDArray[Any]:
    """Return numbers in rows: as they are, or as text if they are fractions or long."""
    if bottoms is None or (tops.dtype != object and bool((bottoms == 1).all())):
        return tops
    if bottoms.ndim == 1:
        bottoms = bottoms[:, np.newaxis]
    bottoms = np.broadcast_to(bottoms, tops.shape)
    both = zip(tops.ravel().tolist(), bottoms.ravel().tolist(), strict=True)
    return text([str(Fraction(top) / bottom) for top, bottom in both])


def _written(value: object) -> Any:
    """Return a state or an action in what JSON has."""
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, (int, np.integer)):
        return int(value)
    if isinstance(value, (float, np.floating)) and np.isfinite(value):
        return float(value)
    if isinstance(value, tuple):
        return [_written(each) for each in value]
    if isinstance(value, Fraction):
        return {"fraction": str(value)}
    if isinstance(value, frozenset):
        return {"set": sorted(map(_written, value), key=json.dumps)}
    return {"repr": repr(value)}


def meant(value: Any) -> Any:
    """Return a state or an action that was written; of others the text."""
    if isinstance(value, list):
        return tuple([meant(each) for each in value])
    if isinstance(value, dict):
        (kind, inner), *more = value.items()
        if kind == "fraction" and not more:
            return Fraction(inner)
        if kind == "set" and not more:
            return frozenset([meant(each) for each in inner])
        if kind == "repr" and isinstance(inner, str) and not more:
            return inner
        raise ValueError(f"{arguments.shown(value)} is no state or action")
    return value


def numbers_of(array: NDArray[Any], num_players: int) -> NDArray[Any]:
    """Return rows of numbers, those that are text as ints and Fractions."""
    if array.dtype != np.uint8:
        return array
    read = [Fraction(line) for line in lines_of(array)]
    found = np.empty(len(read), dtype=object)
    found[:] = [x.numerator if x.denominator == 1 else x for x in read]
    return found.reshape(-1, num_players)


def weights_of(array: NDArray[Any]) -> NDArray[Any]:
    """Return weights, those that are text as ints."""
    if array.dtype != np.uint8:
        return array
    return np.array([*map(int, lines_of(array)), None], dtype=object)[:-1]
