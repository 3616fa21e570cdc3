"""The spreadsheet of the examples computes the game: formulas are evaluated here."""

import re
import runpy
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cardgames_dp import redblack
from cardgames_dp.game import Solution
from cardgames_dp.redblack import Rules

pytest.importorskip("xlsxwriter")
FILE = Path(__file__).parents[2] / "examples" / "spreadsheet.py"
EXAMPLE = runpy.run_path(str(FILE))
column = EXAMPLE["xl_col_to_name"]

Book = dict[str, dict[str, Any]]
"""By sheet and name of cell: numbers and texts, or a formula that begins with =."""


def sheets(solution: Solution[Any, Any, Any]) -> tuple[Book, Book]:
    """Return what the cells of a spreadsheet hold, and what they show."""
    held: Book = {}
    shown: Book = {}
    for name in ("Totals", "Moves"):
        held[name], shown[name] = {}, {}
        for i, row in enumerate(EXAMPLE[name.lower()](solution), 1):
            for j, cell in enumerate(row):
                place, formula = f"{column(j)}{i}", isinstance(cell, tuple)
                held[name][place] = f"={cell[0]}" if formula else cell
                shown[name][place] = cell[1] if formula else cell
    return held, shown


def computed(book: Book, changed: dict[str, float]) -> Book:
    """Return what all cells come to, once some cells of the totals are changed."""
    cells = {name: dict(sheet) for name, sheet in book.items()}
    cells["Totals"].update(changed)

    @cache
    def look(sheet: str, place: str) -> Any:
        cell = cells[sheet].get(place, 0.0)  # an empty cell counts as 0
        if not isinstance(cell, str) or not cell.startswith("="):
            return cell
        text = re.sub(r"(?<![<>])=(?!=)", "==", cell[1:])
        code = re.sub(
            r"(?:(\w+)!)?\$?([A-Z]{1,3})\$?([0-9]+)\b",
            lambda result: f"look({result[1] or sheet!r}, {result[2] + result[3]!r})",
            text,
        )
        names = {"MAX": max, "ABS": abs, "look": look}
        names["IF"] = lambda test, yes, no: yes if test else no
        return eval(code, {"__builtins__": {}}, names)

    # From the last row up, so that no chain of cells goes too deep.
    return {
        name: {place: look(name, place) for place in reversed(list(sheet))}
        for name, sheet in cells.items()
    }


def table_of(sheet: dict[str, Any], rows: int, columns: int) -> np.ndarray[Any, Any]:
    """Return the table of a sheet, indexed as those of solutions are."""
    listed = [
        [sheet[f"{column(j + 1)}{8 + i}"] for j in range(columns)] for i in range(rows)
    ]
    return np.array(listed)[::-1, ::-1]


@pytest.mark.parametrize(
    ("changed", "rules"),
    [
        ({}, Rules()),
        ({"B2": 2.0}, Rules(win=2)),
        ({"B3": 0.25}, Rules(lose=0.25)),
        ({"B4": 0.125}, Rules(fee=0.125)),
    ],
)
def test_formulas_compute_what_the_library_does(
    changed: dict[str, float], rules: Rules
) -> None:
    """For the amounts in its cells; what it shows is for the usual ones."""
    held, shown = sheets(redblack.solve(12, 9))
    solution, result = redblack.solve(12, 9, rules=rules), computed(held, changed)
    assert result["Totals"]["B5"] == pytest.approx(solution.value)
    ties = solution.table("ties")
    for book in (result, result if changed else shown):
        totals = table_of(book["Totals"], 13, 10).astype(float)
        assert totals == pytest.approx(solution.table("total"))
        moves = table_of(book["Moves"], 13, 10)
        assert moves[0, 0] == "over"
        assert np.array_equal((moves == "stop") | ties, solution.table("stop") | ties)
        assert changed or np.array_equal(moves == "either", ties)
    formulas = [cell for cell in held["Totals"].values() if str(cell)[0] == "="]
    assert len(formulas) == 13 * 10 + 1


def test_a_utility_has_no_formulas(tmp_path: Path) -> None:
    careful = Rules(utility=redblack.utilities.exponential(1))
    with pytest.raises(ValueError, match="must be for rules without a utility"):
        EXAMPLE["write"](redblack.solve(2, 2, rules=careful), tmp_path / "a.xlsx")
