"""A solved game as a spreadsheet file, with formulas that compute it."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, TypeAlias

from cardgames_dp import _checks
from cardgames_dp._memory import refuse_too_large
from cardgames_dp._numbers import written
from cardgames_dp.redblack._kernels import grid
from cardgames_dp.redblack._kernels.grid import Cell, Formula
from cardgames_dp.redblack.position import COLOURS, Colour
from cardgames_dp.redblack.solution import Solution

Suffix: TypeAlias = Literal[".xlsx", ".ods", ".csv"]
SUFFIXES: tuple[Suffix, ...] = (".xlsx", ".ods", ".csv")

_HEAD = 7
"""The row, counted from 1, with the numbers of bad cards; the table begins below it."""

_MOST_COLUMNS, _MOST_ROWS = 16_384, 1_048_576
"""The limits of spreadsheet programs."""

_CELL_BYTES = 1500
"""The memory that XlsxWriter needs for a cell, in both sheets together."""


def write_spreadsheet(
    solution: Solution[Any], path: str | os.PathLike[str], *, good: Colour = "red"
) -> None:
    r"""Write a solved game to a spreadsheet whose formulas compute the solution.

    The sheet "Totals" is that of the Problem 14 essay: good cards remaining in rows,
    bad cards remaining in columns, from the full deck down. Each cell is the larger of
    what stopping and what drawing is worth. Above the table are the amounts that a good
    card pays, that a bad card costs and that each draw costs; if you change one of
    them, all cells follow. The sheet "Moves" says what to do. A .csv file has only the
    numbers of the totals.

    Grade: float64.

    Parameters
    ----------
    solution : Solution
        From :func:`solve`, under rules without a utility; a .csv file takes any rules.
    path : str or path
        The file to write; its name must end in .xlsx, .ods or .csv. An existing file is
        replaced.
    good : {"red", "black"}
        What the sheets call the good cards, which are red in `solution`.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described above, or the table has more rows or columns
        than a spreadsheet can have.
    TooLargeError
        If the sheets would not fit in memory.
    ModuleNotFoundError
        If the file is an .xlsx file and XlsxWriter is not installed (the extra
        ``spreadsheet``).
    OSError
        If the file cannot be written.

    References
    ----------
    The sheet is Han Zheng's, which the Problem 14 essay (:doc:`/notation`) shows; the
    essay says that "it's not clear how you'd construct your own spreadsheet".

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from cardgames_dp import redblack
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "sheet.csv")
    ...     redblack.write_spreadsheet(redblack.solve(2, 2, backend="exact"), file)
    ...     print(file.read_text().strip())
    red\black,2,1,0
    2,2/3,1/3,0
    1,1,1/2,0
    0,2,1,0
    """
    if not isinstance(solution, Solution):
        raise TypeError(
            "solution must be what redblack.solve returns, got "
            f"{_checks.described(solution)}"
        )
    good = _checks.choice("good", good, COLOURS)
    target = _path(path)
    if target.suffix.lower() == ".csv":
        _write_csv(solution, target, good)
        return
    if solution.rules.utility is not None:
        raise ValueError(
            "solution must be for rules without a utility, to have formulas"
        )
    rows, columns = solution.red + 1, solution.black + 1
    if rows + _HEAD > _MOST_ROWS or columns >= _MOST_COLUMNS:
        raise ValueError(
            f"solution must have at most {_MOST_ROWS - _HEAD - 1} red and "
            f"{_MOST_COLUMNS - 2} black cards to fit on a sheet, got "
            f"{solution.red} and {solution.black}"
        )
    what = f"a spreadsheet of {rows} x {columns} states"
    refuse_too_large(what, rows * columns * _CELL_BYTES, "write a .csv file")
    sheets = {"Totals": _totals(solution, good), "Moves": _moves(solution, good)}
    made = grid.ods if target.suffix.lower() == ".ods" else grid.xlsx
    target.write_bytes(made(sheets))


def _path(path: object) -> Path:
    must = f"path must be a file name that ends in {', '.join(SUFFIXES)}"
    if not isinstance(path, (str, os.PathLike)):
        raise TypeError(f"{must}, got {_checks.described(path)}")
    target = Path(path)
    if target.suffix.lower() not in SUFFIXES:
        raise ValueError(f"{must}, got {_checks.shown(str(path))}")
    return target


def _write_csv(solution: Solution[Any], target: Path, good: Colour) -> None:
    with target.open("w", encoding="utf-8", newline="") as file:
        lines = csv.writer(file, lineterminator="\n")
        lines.writerow([_corner(good), *range(solution.black, -1, -1)])
        for red, row in _downwards(solution.totals):
            exact = solution.backend == "exact"
            numbers = [written(x) if exact else repr(float(x)) for x in row]
            lines.writerow([red, *numbers])


def _corner(good: Colour) -> str:
    bad = COLOURS[1 - COLOURS.index(good)]
    return f"{good}\\{bad}"


def _downwards(table: Any) -> Iterator[tuple[int, list[Any]]]:
    """Yield the rows of a table from the full deck down, with their numbers."""
    for red in range(len(table) - 1, -1, -1):
        yield red, table[red, ::-1].tolist()


def _totals(solution: Solution[Any], good: Colour) -> Iterator[list[Cell]]:
    """Yield the rows of the sheet of totals."""
    rules, bad = solution.rules, COLOURS[1 - COLOURS.index(good)]
    yield ["What each position is worth: cash in hand and expected gain of playing on"]
    yield [f"a {good} card pays", float(rules.win)]
    yield [f"a {bad} card costs", float(rules.lose)]
    yield ["each draw costs", float(rules.fee)]
    yield ["the game is worth", Formula(f"B{_HEAD + 1}", float(solution.value))]
    yield []
    yield [_corner(good), *map(float, range(solution.black, -1, -1))]
    for i, (red, row) in enumerate(_downwards(solution.totals)):
        cells: list[Cell] = [float(red)]
        for j, total in enumerate(row):
            is_empty = red == 0 and j == solution.black
            formula = _cash(i, j) if is_empty else f"MAX({_cash(i, j)},{_draw(i, j)})"
            cells.append(Formula(formula, float(total)))
        yield cells


def _moves(solution: Solution[Any], good: Colour) -> Iterator[list[Cell]]:
    """Yield the rows of the sheet of moves, laid out as the sheet of totals."""
    yield ["What to do: draw, stop, or either where both are worth the same"]
    yield from ([] for _ in range(_HEAD - 2))
    yield [_corner(good), *map(float, range(solution.black, -1, -1))]
    ties = solution.ties[::-1, ::-1]
    for i, (red, row) in enumerate(_downwards(solution.stop)):
        cells: list[Cell] = [float(red)]
        for j, stop in enumerate(row):
            if red == 0 and j == solution.black:
                cells.append("over")
                continue
            more = f"({_draw(i, j, 'Totals!')}-({_cash(i, j, 'Totals!')}))"
            # Rounding must not break a tie.
            near = f"ABS({more})<=1E-9*(Totals!$B$2+Totals!$B$3)"
            word = "either" if ties[i, j] else "stop" if stop else "draw"
            text = f'IF({near},"either",IF({more}>0,"draw","stop"))'
            cells.append(Formula(text, word))
        yield cells


def _cash(i: int, j: int, sheet: str = "") -> str:
    """Return the formula of the cash in hand in row i and column j of the table."""
    first, here = f"{_HEAD + 1}", f"{_HEAD + 1 + i}"
    red = f"{sheet}$A${first}-{sheet}$A{here}"
    black = f"{sheet}$B${_HEAD}-{sheet}{grid.column(j + 1)}${_HEAD}"
    gain, cost = f"{sheet}$B$2-{sheet}$B$4", f"{sheet}$B$3+{sheet}$B$4"
    return f"({gain})*({red})-({cost})*({black})"


def _draw(i: int, j: int, sheet: str = "") -> str:
    """Return the formula of what drawing a card is worth."""
    row = _HEAD + 1 + i
    red, black = f"{sheet}$A{row}", f"{sheet}{grid.column(j + 1)}${_HEAD}"
    after_red = f"{sheet}{grid.column(j + 1)}{row + 1}"
    after_black = f"{sheet}{grid.column(j + 2)}{row}"
    return f"({red}*{after_red}+{black}*{after_black})/({red}+{black})"
