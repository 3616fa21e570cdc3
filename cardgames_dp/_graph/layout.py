"""Tables of solutions: the states of a game in rows and columns."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._graph.answers import TERMINAL
from cardgames_dp._graph.graph import Integers
from cardgames_dp._graph.names import names_of
from cardgames_dp._results import tables
from cardgames_dp._support import arguments
from cardgames_dp._support.printing import short

_AT_ONCE = 2**18
"""The largest number of states that are looked up together."""


class Layout(NamedTuple):
    """How the states of a game lie in a table: its optional member `layout`.

    It is for a game for arrays whose states and actions have `Names`. Solutions of the
    game have a `Solution.table` then, and print as it: totals in rows and columns.

    Attributes
    ----------
    axes : tuple of str
        The two fields of a state that are the rows and the columns. Other fields are as
        at the start.
    marked : str
        The action that is marked with a star where the policy takes it; so are states
        in which the game is over.
    collected : callable, optional
        What was paid to the first player before a state: a function of a state with
        named fields, each of which may be an array. Nothing if not given.
    note : str
        What the table shows.
    shape : tuple of int, optional
        The numbers of rows and of columns, from 0 on. If not given, they end with the
        start, which is then printed first.

    Examples
    --------
    >>> from cardgames_dp import redblack
    >>> deck = redblack.game(26, 26)
    >>> deck.layout.axes, deck.layout.marked
    (('red', 'black'), 'stop')
    >>> deck.layout.collected(redblack.State(red=20, black=24))
    Fraction(4, 1)
    """

    axes: tuple[str, str]
    marked: str
    collected: Callable[[Any], Any] | None = None
    note: str = ""
    shape: tuple[int, int] | None = None


def layout_of(solution: Any) -> Layout | None:
    """Return the layout of the game that was solved, if it has one."""
    return getattr(solution.game, "layout", None)


def collected(solution: Any, state: Any) -> Any:
    """Return what was paid before a state, if the game's layout tells it."""
    layout = layout_of(solution)
    if layout is None or layout.collected is None:
        return None
    paid = layout.collected(state)
    return float(paid) if isinstance(solution.value, float) else paid


def table(solution: Any, what: str, player: int = 0) -> NDArray[Any]:
    """Return a table of a solution, as `Solution.table` describes it."""
    layout = layout_of(solution)
    if layout is None:
        raise TypeError(
            "table is for games with a layout, such as redblack.game(...) (see "
            "cardgames_dp.game.Layout); values, policy and to_pandas are for all"
        )
    words: list[Any] = [
        word for word in names_of(solution.game).actions or () if word != ""
    ]
    arguments.choice("what", what, ("values", "total", "ties", *words))
    count = len(solution.payoffs)
    player = arguments.index("player", player, "num_players", count)
    return _cells(solution, layout, what, player, *_axes(solution, layout))


def sheet(solution: Any) -> tables.Table | None:
    """Return the table of a solution; None without a layout.

    A large one is thinned to rows and columns at equal distances.
    """
    layout = layout_of(solution)
    if layout is None:
        return None
    every = _axes(solution, layout)
    step = -1 if layout.shape is None else 1
    rows, columns = [
        np.array(tables.spread(len(each))[::step], dtype=np.int64) for each in every
    ]
    totals, marks, over = [
        _cells(solution, layout, what, 0, rows, columns).tolist()
        for what in ("total", layout.marked, "over")
    ]
    texts: list[list[object]] = []
    for i, row in enumerate(rows.tolist()):
        # States that cannot be reached are None, or NaN.
        lacks = [
            x is None or (isinstance(x, float) and math.isnan(x)) for x in totals[i]
        ]
        cells: list[object] = [
            "" if lack else short(x, 4)
            for x, lack in zip(totals[i], lacks, strict=True)
        ]
        for j in range(len(columns)):
            if marks[i][j] or over[i][j]:
                cells[j] = tables.Marked(cells[j])
        texts.append([str(row), *cells])
    notes = [layout.note] if layout.note else []
    if len(rows) < len(every[0]) or len(columns) < len(every[1]):
        shown = f"{len(rows)} of {len(every[0])} rows and {len(columns)} of "
        notes.append(f"{shown}{len(every[1])} columns shown")
    head = [" \\ ".join(layout.axes), *map(str, columns.tolist())]
    return tables.Table(head, texts, notes, left=(), most=len(texts))


def _start(solution: Any, layout: Layout) -> tuple[Integers, list[int]]:
    """Return the initial state as a row, and the columns in it of both axes."""
    fields = names_of(solution.game).state._fields
    row = np.asarray(solution.game.initial_states(), dtype=np.int64)[0]
    return row, [fields.index(name) for name in layout.axes]


def _axes(solution: Any, layout: Layout) -> tuple[Integers, Integers]:
    """Return the values of both axes, from 0 on."""
    row, axes = _start(solution, layout)
    shape = layout.shape or [int(row[axis]) + 1 for axis in axes]
    return np.arange(shape[0]), np.arange(shape[1])


def _cells(
    solution: Any,
    layout: Layout,
    what: str,
    player: int,
    rows: Integers,
    columns: Integers,
) -> NDArray[Any]:
    """Return some rows and columns of a table, or where the game is over."""
    start, axes = _start(solution, layout)
    kind: Any = np.bool_
    if what in ("values", "total"):
        kind = np.float64 if isinstance(solution.value, float) else object
    none = {np.bool_: False, np.float64: np.nan, object: None}[kind]
    result = np.full(len(rows) * len(columns), none, dtype=kind)
    for first in range(0, len(result), _AT_ONCE):
        cells = np.arange(first, min(first + _AT_ONCE, len(result)))
        states = np.tile(start, (len(cells), 1))
        states[:, axes[0]] = rows[cells // len(columns)]
        states[:, axes[1]] = columns[cells % len(columns)]
        known = solution._source.reaches(states)
        if known.any():
            cells, states = cells[known], states[known]
            result[cells] = _entries(solution, layout, what, player, states)
    return result.reshape(len(rows), len(columns))


def _entries(
    solution: Any, layout: Layout, what: str, player: int, states: Integers
) -> NDArray[Any]:
    """Return the entries of states that can be reached."""
    source, names = solution._source, names_of(solution.game)
    places = source.places(states)
    if what in ("values", "total"):
        values: NDArray[Any] = source.payoffs_of(places)[:, player]
        if what == "values" or layout.collected is None:
            return values
        exact = values.dtype == object
        total: NDArray[Any] = values + layout.collected(
            names.fields_of(states, exact=exact)
        )
        return total
    movers = source.movers(places)
    entries: NDArray[np.bool_] = movers == TERMINAL
    if what == "over":
        return entries
    entries[:] = False
    deciding = np.flatnonzero(movers >= 0)
    if not deciding.size:
        return entries
    index, actions = source.best_of(places[deciding])
    if what != "ties":
        code = names.codes_of([what])[0]
        done = source.chosen_of(places[deciding])
        if not isinstance(done, tuple):  # else all optimal ones, by chance
            entries[deciding] = done == code
            return entries
        index = index[actions == code]
    entries[deciding] = np.bincount(index, minlength=len(deciding)) > (what == "ties")
    return entries
