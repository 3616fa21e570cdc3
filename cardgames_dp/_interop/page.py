"""A solution as one page of HTML, to click through without a network.

The template ``page.html`` beside this file has the script. It shows all text of a game
as text, and the page's policy forbids any other script, and any request.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._graph.answers import CHANCE
from cardgames_dp._graph.decisions import decisions_of, states_of
from cardgames_dp._graph.graph import Integers, joined_ranges
from cardgames_dp._graph.solution import as_solution
from cardgames_dp._support import arguments
from cardgames_dp._support.printing import labels, short
from cardgames_dp._support.running import TooLargeError
from cardgames_dp.play.variants import num_states

_TEMPLATE = Path(__file__).with_name("page.html")
_MOST_STATES: Final = 50_000
_STATE_BYTES: Final = 70


def page_of(result: Any, title: Any, label: Any) -> str:
    """Return the page of a result that is a solution, or has one.

    Raises
    ------
    TypeError, ValueError, TooLargeError
        As `cardgames_dp.interop.to_html` does.
    """
    solution = as_solution(result)
    if solution is None:
        raise arguments.wrong_type(
            "solution must be a Solution, as solve returns", result
        )
    if not isinstance(title, str):
        raise arguments.wrong_type("title must be a str", title)
    if label is not None and not callable(label):
        must = "label must be a function of a state, or None"
        raise arguments.wrong_type(must, label)
    solution._source.refuse_variants("a page")
    count = num_states(solution)
    if count > _MOST_STATES:
        raise TooLargeError(
            f"a page has at most {_MOST_STATES} states, and the solution has {count} "
            f"(about {count * _STATE_BYTES // 10**6 + 1} MB): solve a smaller game of "
            "the kind, or write all states with to_table"
        )
    # In a script element only "<" could begin markup.
    data = json.dumps(_data(solution, label), separators=(",", ":"), allow_nan=False)
    page = _TEMPLATE.read_text("utf-8")
    policy = f"{_allowed(page, 'style')}; {_allowed(page, 'script')}"
    parts = {"@TITLE@": html.escape(title), "@POLICY@": policy}
    parts["@DATA@"] = data.replace("<", "\\u003c")
    return re.sub("@[A-Z]+@", lambda match: parts[match[0]], page)


def _allowed(page: str, tag: str) -> str:
    """Return the directive that allows the page's own element, by its hash."""
    text = page.partition(f"<{tag}>")[2].partition(f"</{tag}>")[0]
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return f"{tag}-src 'sha256-{digest}'"


def _data(solution: Any, label: Callable[[Any], str] | None) -> dict[str, Any]:
    """Return what the script of the page takes: columns of states and of moves."""
    decisions, explored = decisions_of(solution), solution.explored
    graph, places = explored.graph, solution.values.places
    row = np.zeros(explored.num_states, dtype=np.int64)
    row[places] = np.arange(len(places))
    row = row[explored.representatives]
    moves, counts, shares = _moves(graph, places)
    source = np.repeat(np.arange(len(places)), counts)
    movers = np.maximum(graph.players[places], CHANCE - 1)
    shares[np.repeat(movers >= 0, counts)] = decisions.actions
    chosen = np.zeros(len(places), dtype=np.int64)
    chosen[movers >= 0] = decisions.chosen - decisions.offsets[:-1]
    error = solution._arrays.largest_error
    within = f"within {error:.1g}" if error else "exact"
    data: dict[str, Any] = {
        "about": f"{len(places):,} positions; values {within}, rounded here",
        "uniform": solution.tie_break == "uniform",
        "start": int(row[explored.start]),
        "movers": movers.tolist(),
        "counts": counts.tolist(),
        "to": (row[graph.following[moves]] - source).tolist(),
        "moves": [*map(_number, shares.tolist())],
        "actions": labels(decisions.names),
        "chosen": chosen.tolist(),
        "best": "".join(map(str, decisions.best.astype(int).tolist())),
        "values": _numbers(solution._arrays.payoffs_of(places).T),
    }
    if graph.rewards is not None:
        data["rewards"] = graph.rewards.rows[moves].tolist()
        data["paid"] = _numbers(graph.rewards.floats()[0])
    return data | _labels(explored, places, label)


def _moves(graph: Any, places: Integers) -> tuple[Integers, Integers, Any]:
    """Return the moves that can occur, their number by state, and shares of chance."""
    lucky = np.repeat(graph.players == CHANCE, np.diff(graph.offsets))
    shares = np.ones(len(lucky))
    whole = graph.weights.dtype != object and graph.weights.max(initial=0) < 2**53
    shares[lucky] = graph.weights if whole else graph.chances()
    counts = np.diff(graph.offsets)[places].astype(np.int64)
    moves = joined_ranges(graph.offsets[places].astype(np.int64), counts)
    some = shares[moves] > 0
    source = np.repeat(np.arange(len(places)), counts)[some]
    moves = moves[some]
    return moves, np.bincount(source, minlength=len(places)), shares[moves]


def _labels(
    explored: Any, places: Integers, label: Callable[[Any], str] | None
) -> dict[str, Any]:
    """Return the text of all states; of tuples without a `label`, their items."""
    columns = states_of(explored, places).columns()
    if label is None and list(columns) == ["state"]:
        label = str
    if label is not None:
        texts = list[Any]()
        for state in explored.named_states(places):
            texts.append(arguments.call("label", label, state))
            if not isinstance(texts[-1], str):
                must = f"label must return a str, as for {arguments.shown(state)}"
                raise arguments.wrong_type(must, texts[-1])
        return {"labels": texts}
    index: dict[str, int] = {}
    numbered = [
        [index.setdefault(str(item), len(index)) for item in column.tolist()]
        for column in columns.values()
    ]
    fields = {} if "state_0" in columns else {"fields": list(columns)}
    return {"columns": numbered, "words": list(index), **fields}


def _numbers(rows: NDArray[Any]) -> list[list[float]]:
    """Return rows of numbers in nine digits."""
    return [[*map(_number, row)] for row in rows.tolist()]


def _number(number: float | Fraction) -> float | int:
    """Return a number in nine digits."""
    try:
        rounded = float(f"{float(number):.9g}")
    except OverflowError:
        must = "values of a page must fit in a float"
        raise ValueError(f"{must}, got {short(number)}") from None
    return int(rounded) if rounded == int(rounded) < 1e15 else rounded
