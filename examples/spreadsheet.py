"""A spreadsheet that solves red/black, as the one of the Problem 14 essay does.

    python spreadsheet.py [RED BLACK [FILE]]

Writes the sheets "Totals" and "Moves" to an .xlsx file, red cards remaining in rows and
black cards remaining in columns, from the full deck down. Each cell of the totals is a
formula, the larger of stopping and drawing, so the sheet computes the game anew when
you change what a card pays or costs. The essay says that "it's not clear how you'd
construct your own spreadsheet"; this is how. It needs XlsxWriter. The numbers alone are
``redblack.solve(...).table("total")``, which pandas writes as .csv.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from xlsxwriter import Workbook
from xlsxwriter.utility import xl_col_to_name

from cardgames_dp import redblack
from cardgames_dp.game import Solution

HEAD = 7
"""The row, counted from 1, with the numbers of black cards; the table begins below."""

Cell = Any
"""A number or a text, or a formula with what it comes to."""


def write(solution: Solution[Any, Any, Any], path: Path) -> None:
    """Write a solved game, under rules without a utility, to a file .xlsx."""
    if solution.game.rules.utility is not None:
        raise ValueError("solution must be for rules without a utility")
    with Workbook(path) as book:
        for name, rows in (("Totals", totals(solution)), ("Moves", moves(solution))):
            sheet = book.add_worksheet(name)
            for i, row in enumerate(rows):
                for j, cell in enumerate(row):
                    if isinstance(cell, tuple):
                        sheet.write_formula(i, j, f"={cell[0]}", None, cell[1])
                    else:
                        sheet.write(i, j, cell)


def totals(solution: Solution[Any, Any, Any]) -> Iterator[list[Cell]]:
    """Yield the rows of the sheet of totals."""
    rules, (most_red, most_black) = solution.game.rules, solution.game.counts
    table = solution.table("total")
    yield ["What each position is worth: cash in hand and expected gain of playing on"]
    yield ["a red card pays", float(rules.win)]
    yield ["a black card costs", float(rules.lose)]
    yield ["each draw costs", float(rules.fee)]
    yield ["the game is worth", (f"B{HEAD + 1}", float(solution.value))]
    yield []
    yield ["red\\black", *range(most_black, -1, -1)]
    for i, red in enumerate(range(most_red, -1, -1)):
        cells: list[Cell] = [red]
        for j, total in enumerate(table[red, ::-1].tolist()):
            is_empty = red == 0 and j == most_black
            formula = cash(i, j) if is_empty else f"MAX({cash(i, j)},{draw(i, j)})"
            cells.append((formula, float(total)))
        yield cells


def moves(solution: Solution[Any, Any, Any]) -> Iterator[list[Cell]]:
    """Yield the rows of the sheet of moves, laid out as the sheet of totals."""
    most_red, most_black = solution.game.counts
    stop, ties = solution.table("stop"), solution.table("ties")
    yield ["What to do: draw, stop, or either where both are worth the same"]
    yield from ([] for _ in range(HEAD - 2))
    yield ["red\\black", *range(most_black, -1, -1)]
    for i, red in enumerate(range(most_red, -1, -1)):
        cells: list[Cell] = [red]
        for j, black in enumerate(range(most_black, -1, -1)):
            if red == black == 0:
                cells.append("over")
                continue
            more = f"({draw(i, j, 'Totals!')}-({cash(i, j, 'Totals!')}))"
            # Rounding must not break a tie.
            near = f"ABS({more})<=1E-9*(Totals!$B$2+Totals!$B$3)"
            word = "stop" if stop[red, black] else "draw"
            if ties[red, black]:
                word = "either"
            cells.append((f'IF({near},"either",IF({more}>0,"draw","stop"))', word))
        yield cells


def cash(i: int, j: int, sheet: str = "") -> str:
    """Return the formula of the cash in hand in row i and column j of the table."""
    first, here = HEAD + 1, HEAD + 1 + i
    red = f"{sheet}$A${first}-{sheet}$A{here}"
    black = f"{sheet}$B${HEAD}-{sheet}{xl_col_to_name(j + 1)}${HEAD}"
    gain, cost = f"{sheet}$B$2-{sheet}$B$4", f"{sheet}$B$3+{sheet}$B$4"
    return f"({gain})*({red})-({cost})*({black})"


def draw(i: int, j: int, sheet: str = "") -> str:
    """Return the formula of what drawing a card is worth."""
    row = HEAD + 1 + i
    here, right = xl_col_to_name(j + 1), xl_col_to_name(j + 2)
    red, black = f"{sheet}$A{row}", f"{sheet}{here}${HEAD}"
    after_red, after_black = f"{sheet}{here}{row + 1}", f"{sheet}{right}{row}"
    return f"({red}*{after_red}+{black}*{after_black})/({red}+{black})"


def main(red: str = "26", black: str = "26", file: str = "spreadsheet.xlsx") -> None:
    """Write the spreadsheet of a deck."""
    solution = redblack.solve(int(red), int(black))
    write(solution, Path(file))
    print(f"{file}: {red} red and {black} black cards, worth {solution.value:.6f}")


if __name__ == "__main__":
    main(*sys.argv[1:])
