"""Tables of solutions: the states of a game in rows and columns."""

from __future__ import annotations

from collections.abc import Callable
from math import isnan
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._graph.answers import TERMINAL
from cardgames_dp._graph.graph import Integers
from cardgames_dp._graph.names import names_of, own_member
from cardgames_dp._results import tables
from cardgames_dp._support import arguments
from cardgames_dp._support.printing import short
from cardgames_dp._support.running import refuse_too_large

_TABLES = ("values", "total", "ties")
"""The tables of a solution besides those of its actions."""

_AT_ONCE = 2**18
"""The largest number of states that are looked up together."""


class Layout(NamedTuple):
    """How the states of a game lie in a table: its optional member `layout`.

    It is for an array game whose states and actions have `Names`. Solutions of the
    game have a `Solution.table` then, and print as it: totals in rows and columns.

    Attributes
    ----------
    axes : tuple of str
        The two fields of a state that are the rows and the columns; the side of the
        start is printed first. Other fields are as at the start.
    marked : str or None
        The action that is marked with a star where the policy takes it; so are states
        in which the game is over. If None, nothing is marked.
    collected : callable, optional
        What was paid to the first player before a state: a function of a state with
        named fields, each of which may be an array. Nothing if not given.
    note : str
        What the table shows.
    shape : tuple of int, optional
        The numbers of rows and of columns, from 0 on. If not given, all states are
        shown, for which the game has to be explored.
    others : callable, optional
        If given, it sets the other fields: a function of states with named fields,
        arrays, which returns the states of the table. Its values are then those of the
        player to move.
    sheet : callable, optional
        If given, what a solution prints as: a function that returns a `Table`.

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
    marked: str | None
    collected: Callable[[Any], Any] | None = None
    note: str = ""
    shape: tuple[int, int] | None = None
    others: Callable[[Any], Any] | None = None
    sheet: Callable[[Any], tables.Table] | None = None


def layout_of(game: Any) -> Layout | None:
    """Return the layout of a game, checked; None if it has none."""
    layout = own_member(game, "layout")
    if layout is None:
        return None
    if not isinstance(layout, Layout):
        raise arguments.wrong_type("layout of a game must be game.Layout", layout)
    fields = getattr(names_of(game).state, "_fields", ())
    axes: Any = layout.axes  # which a user may have got wrong, as all here
    shape: Any = layout.shape
    pair = isinstance(axes, tuple) and len(axes) == 2 and axes[0] != axes[1]
    if not pair or not set(axes) <= set(fields):
        every = arguments.shown(fields)
        must = f"layout.axes must be two fields of the game's names, {every}"
        raise arguments.wrong_value(must, axes)
    words = [word for word in names_of(game).actions or () if word != ""]
    if layout.marked is not None and layout.marked not in words:
        must = f"layout.marked must be an action of names, {arguments.shown(words)}"
        raise arguments.wrong_value(must, layout.marked)
    if taken := [word for word in words if word in _TABLES]:
        must = f"actions of a game with a layout must not be called {_TABLES}"
        raise arguments.wrong_value(must, taken[0])
    pair = isinstance(shape, tuple) and len(shape) == 2
    counts = pair and all(isinstance(n, (int, np.integer)) and n > 0 for n in shape)
    if shape is not None and not counts:
        must = "layout.shape must be the numbers of rows and of columns, or None"
        raise arguments.wrong_value(must, shape)
    return layout


def collected_before(solution: Any, state: Any) -> Any:
    """Return what was paid before a state, if the game's layout tells it."""
    layout = layout_of(solution.game)
    if layout is None or layout.collected is None:
        return None
    paid = layout.collected(state)
    return float(paid) if isinstance(solution.value, float) else paid


def table(solution: Any, what: str, player: int | None = None) -> NDArray[Any]:
    """Return a table of a solution, as `Solution.table` describes it."""
    layout = layout_of(solution.game)
    if layout is None:
        raise TypeError(
            "table is for games with a layout, such as redblack.game(...) (see "
            "cardgames_dp.game.Layout); values, policy and to_pandas are for all"
        )
    words: list[Any] = [
        word for word in names_of(solution.game).actions or () if word != ""
    ]
    arguments.choice("what", what, (*_TABLES, *words))
    count = len(solution.payoffs)
    if player is not None:
        player = arguments.index("player", player, "num_players", count)
    rows, columns = _axes(solution, layout)
    refuse_too_large(
        f"a table of {len(rows)} x {len(columns)} states",
        len(rows) * len(columns) * (9 if isinstance(solution.value, float) else 100),
        "look up the states that you need",
    )
    return _cells(solution, layout, what, player, rows, columns)


def sheet(solution: Any) -> tables.Table | None:
    """Return the table of a solution; None without a layout.

    A large one is thinned to rows and columns at equal distances.
    """
    layout = layout_of(solution.game)
    if layout is None:
        return None
    if layout.sheet is not None:
        return layout.sheet(solution)
    every, (start, axes) = _axes(solution, layout), _start(solution, layout)
    spread = [tables.spread(len(each)) for each in every]
    rows, columns = [  # from the side of the start
        np.array(some[:: -1 if 2 * start[axis] >= len(each) else 1], dtype=np.int64)
        for some, each, axis in zip(spread, every, axes, strict=True)
    ]
    totals, marks, over = [
        _cells(solution, layout, what, None, rows, columns)
        for what in ("total", layout.marked, None)
    ]
    marked = solution._source.decides and layout.marked is not None
    marks = (marks | over) & marked
    first, second = map(_labels, [solution] * 2, layout.axes, (rows, columns))
    texts: list[list[Any]] = [[label] for label in first]
    for i, j in np.ndindex(totals.shape):
        number: Any = totals[i, j]
        cell: Any = "" if _is_blank(number) else short(number, 4)
        texts[i].append(tables.Marked(cell) if marks[i, j] else cell)
    notes = [layout.note] * bool(layout.note)
    notes += [f"*: {layout.marked}"] * marked
    notes += ["blank: cannot be reached"] * any(map(_is_blank, totals.flat))
    notes = ["; ".join(notes)] * bool(notes)
    if len(rows) < len(every[0]) or len(columns) < len(every[1]):
        shown = f"{len(rows)} of {len(every[0])} rows and {len(columns)} of "
        notes.append(f"{shown}{len(every[1])} columns shown")
    head = [" \\ ".join(layout.axes), *second]
    return tables.Table(head, texts, notes, left=(), most=len(texts))


def _is_blank(number: Any) -> bool:
    """Return whether an entry is that of a state that cannot be reached."""
    return number is None or (isinstance(number, float) and isnan(number))


def _labels(solution: Any, axis: str, numbers: Integers) -> list[str]:
    """Return the values of an axis as text: as words, if they are codes."""
    words = names_of(solution.game).columns.get(axis)
    return [str(i if words is None else words[i]) for i in numbers.tolist()]


def _start(solution: Any, layout: Layout) -> tuple[Integers, list[int]]:
    """Return the initial state as a row, and the columns in it of both axes."""
    columns = names_of(solution.game).slices()
    row = np.asarray(solution.game.initial_states(), dtype=np.int64)[0]
    return row, [columns[name].start for name in layout.axes]


def _axes(solution: Any, layout: Layout) -> tuple[Integers, Integers]:
    """Return the values of both axes, from 0 on."""
    shape: Any = layout.shape
    if shape is None:
        _, axes = _start(solution, layout)
        shape = [int(solution.explored.columns[axis].max()) + 1 for axis in axes]
    return np.arange(shape[0]), np.arange(shape[1])


def _cells(
    solution: Any,
    layout: Layout,
    what: str | None,
    player: int | None,
    rows: Integers,
    columns: Integers,
) -> NDArray[Any]:
    """Return some rows and columns of a table; of None, where the game is over."""
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
        if layout.others is not None:
            fields = names_of(solution.game).fields_of(states)
            states = np.column_stack(layout.others(fields))
        reachable = solution._source.reaches(states)
        if reachable.any():
            cells, states = cells[reachable], states[reachable]
            result[cells] = _entries(solution, layout, what, player, states)
    return result.reshape(len(rows), len(columns))


def _entries(
    solution: Any,
    layout: Layout,
    what: str | None,
    player: int | None,
    states: Integers,
) -> NDArray[Any]:
    """Return the entries of states that can be reached."""
    source, names = solution._source, names_of(solution.game)
    places = source.places(states)
    if what in ("values", "total"):
        whose: Any = 0 if player is None else player
        if player is None and layout.others is not None:
            whose = np.maximum(source.movers(places), 0)
        payoffs = source.payoffs_of(places)
        values: NDArray[Any] = payoffs[np.arange(len(states)), whose]
        if what == "values" or layout.collected is None:
            return values
        exact = values.dtype == object
        total: NDArray[Any] = values + layout.collected(
            names.fields_of(states, exact=exact)
        )
        return total
    movers = source.movers(places)
    entries: NDArray[np.bool_] = movers == TERMINAL
    if what is None:
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
