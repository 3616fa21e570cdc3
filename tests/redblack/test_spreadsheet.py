"""Spreadsheets compute the game: their formulas are evaluated here, cell by cell."""

import csv
import dataclasses
import re
import sys
import zipfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from cardgames_dp import TooLargeError, redblack
from cardgames_dp.redblack import Rules
from cardgames_dp.redblack._kernels import grid

Book = dict[str, dict[str, Any]]
"""By sheet and name of cell: numbers and texts, or a formula that begins with =."""

MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
OPEN = "{urn:oasis:names:tc:opendocument:xmlns:"


def read_xlsx(path: Path) -> tuple[Book, Book]:
    """Return what the cells of an .xlsx file hold, and what they show."""
    pytest.importorskip("xlsxwriter")
    held: Book = {}
    shown: Book = {}
    with zipfile.ZipFile(path) as archive:
        strings = [
            "".join(node.itertext())
            for node in ET.fromstring(archive.read("xl/sharedStrings.xml"))
        ]
        names = [
            str(sheet.get("name"))
            for sheet in ET.fromstring(archive.read("xl/workbook.xml")).iter(
                f"{MAIN}sheet"
            )
        ]
        for number, name in enumerate(names, 1):
            root = ET.fromstring(archive.read(f"xl/worksheets/sheet{number}.xml"))
            held[name], shown[name] = {}, {}
            for cell in root.iter(f"{MAIN}c"):
                formula, value = cell.find(f"{MAIN}f"), cell.findtext(f"{MAIN}v")
                assert value is not None
                kind, place = cell.get("t"), str(cell.get("r"))
                seen: Any = strings[int(value)] if kind == "s" else value
                if kind is None:
                    seen = float(value)
                shown[name][place] = seen
                text = None if formula is None else f"={formula.text}"
                held[name][place] = seen if text is None else text
    return held, shown


def read_ods(path: Path) -> tuple[Book, Book]:
    """Return what the cells of an .ods file hold, and what they show."""
    held: Book = {}
    shown: Book = {}
    with zipfile.ZipFile(path) as archive:
        first = archive.infolist()[0]
        assert (first.filename, first.compress_type) == ("mimetype", zipfile.ZIP_STORED)
        assert archive.read("mimetype").endswith(b".spreadsheet")
        ET.fromstring(archive.read("META-INF/manifest.xml"))
        root = ET.fromstring(archive.read("content.xml"))
    for sheet in root.iter(f"{OPEN}table:1.0}}table"):
        name = str(sheet.get(f"{OPEN}table:1.0}}name"))
        held[name], shown[name] = {}, {}
        for i, row in enumerate(sheet):
            for j, cell in enumerate(row):
                place = f"{grid.column(j)}{i + 1}"
                number = cell.get(f"{OPEN}office:1.0}}value")
                text = "".join(cell.itertext())
                seen = text if number is None else float(number)
                if seen == "":
                    continue
                shown[name][place] = seen
                formula = cell.get(f"{OPEN}table:1.0}}formula")
                held[name][place] = seen
                if formula is not None:
                    assert formula.startswith("of:=")
                    plain = re.sub(r"\[\$(\w+)\.([^]]+)\]", r"\1!\2", formula[3:])
                    plain = re.sub(r"\[\.([^]]+)\]", r"\1", plain)
                    held[name][place] = plain.replace(";", ",")
    return held, shown


READERS = {".xlsx": read_xlsx, ".ods": read_ods}


def computed(book: Book, changed: Mapping[str, float] | None = None) -> Book:
    """Return what all cells come to, once some cells of the totals are changed."""
    cells = {name: dict(sheet) for name, sheet in book.items()}
    cells["Totals"].update(changed or {})

    @cache
    def look(sheet: str, place: str) -> Any:
        cell = cells[sheet].get(place, 0.0)  # an empty cell counts as 0
        if not isinstance(cell, str) or not cell.startswith("="):
            return cell
        text = re.sub(r"(?<![<>])=(?!=)", "==", cell[1:])
        code = re.sub(
            r"(?:(\w+)!)?\$?([A-Z]{1,3})\$?([0-9]+)\b",
            lambda found: f"look({found[1] or sheet!r}, {found[2] + found[3]!r})",
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
        [sheet[f"{grid.column(j + 1)}{8 + i}"] for j in range(columns)]
        for i in range(rows)
    ]
    return np.array(listed)[::-1, ::-1]


@pytest.fixture(scope="module", params=READERS)
def books(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Book, Book]:
    """Return a sheet of 12 red and 9 black cards, as each of the formats has it."""
    if request.param == ".xlsx":
        pytest.importorskip("xlsxwriter")
    path = tmp_path_factory.mktemp("sheets") / f"sheet{request.param}"
    redblack.write_spreadsheet(redblack.solve(12, 9), path)
    return READERS[request.param](path)


def test_formulas_compute_what_the_library_does(books: tuple[Book, Book]) -> None:
    held, shown = books
    found = computed(held)
    solution = redblack.solve(12, 9)
    assert found["Totals"]["B5"] == pytest.approx(solution.value)
    for book in (found, shown):
        totals = table_of(book["Totals"], 13, 10)
        assert totals.astype(float) == pytest.approx(solution.totals)
        words = np.where(solution.stop, "stop", "draw").astype("<U6")
        words[solution.ties] = "either"
        words[0, 0] = "over"
        assert np.array_equal(table_of(book["Moves"], 13, 10), words)
    formulas = [cell for cell in held["Totals"].values() if str(cell)[0] == "="]
    assert len(formulas) == 13 * 10 + 1


@pytest.mark.parametrize(
    ("cell", "amount", "rules"),
    [
        ("B2", 2.0, Rules(win=2)),
        ("B3", 0.25, Rules(lose=0.25)),
        ("B4", 0.125, Rules(fee=0.125)),
        ("B2", 0.5, Rules(win=0.5)),
    ],
)
def test_changing_an_amount_changes_every_cell(
    books: tuple[Book, Book], cell: str, amount: float, rules: Rules
) -> None:
    held, _ = books
    found = computed(held, {cell: amount})
    solution = redblack.solve(12, 9, rules=rules)
    assert found["Totals"]["B5"] == pytest.approx(solution.value)
    totals = table_of(found["Totals"], 13, 10).astype(float)
    assert totals == pytest.approx(solution.totals)
    stop = (table_of(found["Moves"], 13, 10) == "stop") | solution.ties
    stop[0, 0] = True
    assert np.array_equal(stop, solution.stop | solution.ties)


def test_the_sheet_is_that_of_the_document(tmp_path: Path) -> None:
    """Good cards in rows and bad ones in columns, from the full deck down."""
    path = tmp_path / "SHEET.ODS"
    redblack.write_spreadsheet(redblack.solve(26, 26), path, good="black")
    _, shown = read_ods(path)
    sheet = shown["Totals"]
    assert sheet["A2"] == "a black card pays"
    assert sheet["A7"] == "black\\red"
    assert (sheet["A9"], sheet["B7"]) == (25, 26)
    assert f"{sheet['B9']:.4g}" == "2.927"


@pytest.mark.parametrize("backend", ["float64", "exact"])
def test_csv_has_all_digits(tmp_path: Path, backend: Any) -> None:
    solution = redblack.solve(5, 7, backend=backend)
    path = tmp_path / "sheet.csv"
    redblack.write_spreadsheet(solution, path, good="black")
    with path.open(encoding="utf-8", newline="") as file:
        head, *rows = list(csv.reader(file))
    assert head == ["black\\red", *map(str, range(7, -1, -1))]
    for i, (label, *row) in enumerate(rows):
        assert label == str(5 - i)
        kind = float if backend == "float64" else type(solution.value)
        assert [kind(x) for x in row] == solution.totals[5 - i, ::-1].tolist()


def test_columns_have_letters() -> None:
    names = [grid.column(i) for i in (0, 25, 26, 701, 702, 16_383)]
    assert names == ["A", "Z", "AA", "ZZ", "AAA", "XFD"]


def test_what_cannot_be_written_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    solution = redblack.solve(2, 2)
    with pytest.raises(TypeError, match=r"solution must be what redblack\.solve ret"):
        redblack.write_spreadsheet(26, tmp_path / "a.ods")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"path must be a file name that ends in \.xls"):
        redblack.write_spreadsheet(solution, 7)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"\.xlsx, \.ods, \.csv, got 'sheet\.xls'"):
        redblack.write_spreadsheet(solution, "sheet.xls")
    with pytest.raises(ValueError, match="good must be one of 'red', 'black'"):
        redblack.write_spreadsheet(
            solution,
            tmp_path / "a.ods",
            good="blue",  # type: ignore[arg-type]
        )
    careful = Rules(utility=redblack.utilities.exponential(1))
    risky = redblack.solve(2, 2, rules=careful)
    with pytest.raises(ValueError, match="rules without a utility, to have formulas"):
        redblack.write_spreadsheet(risky, tmp_path / "a.ods")
    redblack.write_spreadsheet(risky, tmp_path / "a.csv")
    wide = dataclasses.replace(solution, black=16_384)
    with pytest.raises(ValueError, match=r"at most .* 16382 black cards to fit"):
        redblack.write_spreadsheet(wide, tmp_path / "a.ods")
    with pytest.raises(OSError, match="nowhere"):
        redblack.write_spreadsheet(solution, tmp_path / "nowhere" / "a.ods")
    monkeypatch.setattr("cardgames_dp._memory.physical_memory", lambda: 10_000)
    with pytest.raises(TooLargeError, match="a spreadsheet of 3 x 3 states needs"):
        redblack.write_spreadsheet(solution, tmp_path / "a.ods")


def test_without_xlsxwriter_it_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "xlsxwriter", None)
    with pytest.raises(ModuleNotFoundError, match=r"cardgames_dp\[spreadsheet\]"):
        redblack.write_spreadsheet(redblack.solve(2, 2), tmp_path / "a.xlsx")
    assert not list(tmp_path.iterdir())
