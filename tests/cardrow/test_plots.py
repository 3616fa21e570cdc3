"""Pictures show the numbers that they are made from."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st
from matplotlib.colors import to_hex

from cardgames_dp import cardrow
from cardgames_dp.cardrow import plots

from ..artists import points


@pytest.mark.slow
@given(st.lists(st.integers(-3, 3), min_size=1, max_size=10))
def test_collapse_ends_where_the_solver_does(row: list[int]) -> None:
    lines: dict[float, list[tuple[float, str]]] = {}
    for text in plots.plot_collapse(row).texts:
        x, y = text.get_position()
        lines.setdefault(y, []).append((x, text.get_text()))
    steps = [[int(card) for _, card in sorted(lines[y])] for y in sorted(lines)]
    assert (steps[0], tuple(steps[-1])) == (row, cardrow.collapsed(row))
    assert {*map(cardrow.value, steps)} == {cardrow.value(row)}


def test_collapse_marks_peaks_and_joins_them_to_what_they_become() -> None:
    ax = plots.plot_collapse([0, 1, 0.5, 9])
    marked = [
        text.get_text()
        for text in ax.texts
        if (box := text.get_bbox_patch()) and to_hex(box.get_facecolor()) != "#ffffff"
    ]
    assert marked == ["0", "1", "0.5"]
    joins = [points(line).tolist() for line in ax.lines if len(points(line))]
    assert joins == [[[x, 0], [1, 1]] for x in range(3)]
