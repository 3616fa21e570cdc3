"""Pictures show the numbers that they are made from."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st
from matplotlib.colors import to_hex

from cardgames_dp import cardrow
from cardgames_dp.cardrow import plots

from ..artists import (
    cell_texts,
    draw,
    points,
)

ROW = [14, 4, 7, 2, 5, 12]
TABLE = cardrow.solve(ROW)


def framed(ax: Any) -> list[tuple[int, int]]:
    """Return the rows and columns of the cells with frames, one after the other."""
    (line,) = [line for line in ax.lines if line.get_label() == "line of play"]
    corners = points(line).reshape(-1, 6, 2)[:, :4]
    return [(round(y), round(x)) for x, y in corners.mean(axis=1)]


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
    (joins,) = [line for line in ax.lines if len(points(line)) == 9]
    starts, ends, gaps = points(joins).reshape(3, 3, 2).swapaxes(0, 1)
    assert starts.tolist() == [[0, 0], [1, 0], [2, 0]]
    assert ends.tolist() == [[1, 1]] * 3
    assert np.isnan(gaps).all()


def test_long_rows_collapse_in_squares() -> None:
    ax = plots.plot_collapse([(7 * i * i) % 53 for i in range(40)])
    draw(ax)
    assert not ax.texts
    cards, peaks, joins, _ = ax.lines
    steps = round(points(peaks).shape[0] / 3)
    # Each peak takes two of the cards that are left.
    assert len(points(cards)) + 3 * steps == sum(40 - 2 * i for i in range(steps + 1))
    # A line from each card of a peak to the line below, and a gap after it.
    assert points(joins)[::3, 1].tolist() == points(peaks)[:, 1].tolist()
    assert to_hex(cards.get_markerfacecolor()) == "#ffffff"
    assert to_hex(peaks.get_markerfacecolor()) == "#0072b2"


def test_tournament_shows_shares_with_errors() -> None:
    results = cardrow.tournament(["optimal", "larger"], cardrow.deal(50, 6, rng=1))
    ax = plots.plot_tournament(results)
    draw(ax)
    assert np.array_equal(ax.images[0].get_array(), 100 * results.win_rate)  # type: ignore[arg-type, unused-ignore]
    assert [label.get_text() for label in ax.get_yticklabels()] == ["optimal", "larger"]
    texts = cell_texts(ax)
    for (first, second), share in np.ndenumerate(results.win_rate):
        error = 200 * results.win_rate_error[first, second]
        assert texts[second, first] == f"{100 * share:.0f}\n± {error:.0f}"
    assert {label.get_rotation() for label in ax.get_xticklabels()} == {0}
    # Of one deal, without errors; many names are slanted.
    names = {f"a policy with a long name {i}": "larger" for i in range(3)}
    ax = plots.plot_tournament(cardrow.tournament(names, [[1, 2]]))
    draw(ax)
    assert {label.get_rotation() for label in ax.get_xticklabels()} == {30}
    assert {*cell_texts(ax).values()} == {"100"}
    many = {str(number): "larger" for number in range(12)}
    ax = plots.plot_tournament(cardrow.tournament(many, [[1, 2]]))
    assert not ax.texts
