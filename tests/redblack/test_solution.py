"""The tables of a solved deck, as sheets, HTML, data and DataFrames."""

import json
import re
from fractions import Fraction
from typing import Any, Literal

import numpy as np
import pytest

from cardgames_dp import redblack
from cardgames_dp.redblack import Rules

FLOAT = redblack.solve(6, 5)


EXACT = redblack.solve(6, 5, backend="exact")


def test_tables_are_of_their_backend() -> None:
    assert FLOAT.values.dtype == np.float64
    assert isinstance(FLOAT.value, float)
    assert EXACT.values.dtype == object
    assert all(isinstance(v, Fraction) for v in EXACT.values.ravel())
    assert isinstance(EXACT.value, Fraction)
    assert FLOAT.values.shape == FLOAT.stop.shape == FLOAT.ties.shape == (7, 6)
    assert FLOAT.backend == "float64"
    assert EXACT.totals[2, 4] == EXACT.values[2, 4] + 3


def test_sheet_as_text() -> None:
    assert redblack.solve(2, 1).to_text() == (
        "red\\black     1  0\n"
        "        2 1.333  1\n"
        "        1   1.5  1\n"
        "        0     2* 1*"
    )


@pytest.mark.parametrize("table", [FLOAT, EXACT])
def test_sheets_agree(table: redblack.Solution[Any]) -> None:
    """Text, HTML and DataFrame show the same numbers and mark the same stops."""
    lines = table.to_text().splitlines()
    assert lines[0].split() == ["red\\black", *map(str, range(5, -1, -1))]
    body = [line.split() for line in lines[1:]]
    frame = table.to_pandas()
    assert frame.index.name == "red"
    assert frame.columns.name == "black"
    page = table._repr_html_()
    rows = re.findall(r'<tr><th scope="row">(\d+)</th>(.*?)</tr>', page)
    for line, (label, row) in zip(body, rows, strict=True):
        red = int(line[0])
        assert int(label) == red
        cells = re.findall(r"<td( style=[^>]*)?>(?:<b>)?([^<]*)(?:</b>)?</td>", row)
        for j, (cell, (style, shown)) in enumerate(zip(line[1:], cells, strict=True)):
            black = 5 - j
            assert frame.loc[red, black] == table.totals[red, black]
            assert shown == cell
            assert cell.rstrip("*") == f"{float(table.totals[red, black]):.4g}"
            assert cell.endswith("*") == bool(style) == table.stop[red, black]


@pytest.mark.parametrize("backend", ["float64", "exact"])
def test_large_sheets_have_rows_and_columns_in_equal_steps(
    backend: Literal["float64", "exact"],
) -> None:
    table = redblack.solve(100, 30, backend=backend)
    totals = table.totals
    *lines, cut = table.to_text().splitlines()
    assert cut == "(35 of 101 rows and 31 of 31 columns shown)"
    assert cut in table._repr_html_()
    assert lines[0].split()[1:] == [str(black) for black in range(30, -1, -1)]
    body = [line.split() for line in lines[1:]]
    assert [int(line[0]) for line in body] == [100, *range(99, -1, -3)]
    for red, *cells in body:
        for black, cell in zip(range(30, -1, -1), cells, strict=True):
            state = int(red), black
            assert cell.rstrip("*") == f"{float(totals[state]):.4g}"
            assert cell.endswith("*") == table.stop[state]
    assert table.to_pandas().shape == (101, 31)


def test_html_is_escaped() -> None:
    page = FLOAT._repr_html_()
    assert "red \\ black" in page
    rules = Rules(utility=lambda cash: cash)
    page = redblack.solve(2, 2, rules=rules)._repr_html_()
    assert "&lt;lambda&gt;" in page
    assert "<lambda>" not in page


def test_plain_data() -> None:
    data = json.loads(json.dumps(FLOAT.to_dict()))
    assert data["values"] == FLOAT.values.tolist()
    assert data["totals"] == FLOAT.totals.tolist()
    assert data["value"] == FLOAT.value
    assert data["stop"][2][4] is True
    assert EXACT.to_dict()["value"] == EXACT.value


@pytest.mark.parametrize("table", [FLOAT, EXACT])
def test_tables_as_data_frames(table: redblack.Solution[Any]) -> None:
    for what in ("totals", "values", "stop", "ties"):
        frame = table.to_pandas(what)
        array = getattr(table, what)
        assert frame.shape == array.shape
        assert frame.loc[2, 4] == array[2, 4]
    whole: Any = table.to_pandas("all")
    assert len(whole) == 7 * 6
    assert whole.index.names == ["red", "black"]
    for state in [(6, 5), (2, 4), (0, 0), (1, 2)]:
        row, advice = whole.loc[state], table.advice(red=state[0], black=state[1])
        assert (row["cash"], row["value"], row["total"], row["stop"], row["tie"]) == (
            advice.cash,
            advice.gain,
            advice.value,
            advice.action == "stop",
            advice.tie,
        )
    with pytest.raises(ValueError, match="what must be one of 'totals', 'values'"):
        table.to_pandas("total")  # type: ignore[arg-type]
