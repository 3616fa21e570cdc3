"""Pictures show the numbers that they are made from."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st
from matplotlib.colors import to_hex

from cardgames_dp import cardrow
from cardgames_dp.cardrow import Rules, plots

from ..drawn import (
    cell_texts,
    draw,
    label_of,
    legend_of,
    notes_of,
    pixels,
    points,
)

ROW = [14, 4, 7, 2, 5, 12]
TABLE = cardrow.solve(ROW)


def framed(ax: Any) -> list[tuple[int, int]]:
    """Return the rows and columns of the cells with frames, one after the other."""
    (line,) = [line for line in ax.lines if line.get_label() == "line of play"]
    corners = points(line).reshape(-1, 6, 2)[:, :4]
    return [(round(y), round(x)) for x, y in corners.mean(axis=1)]


def test_table_shows_sums_turns_and_the_line_of_play() -> None:
    ax = plots.plot_table(TABLE)
    draw(ax)
    cells = {
        (round(y), round(x)): text.get_text()
        for text in ax.texts
        for x, y in [text.get_position()]
        if text.get_text()
    }
    lead = pixels(ax)
    for left, right in np.argwhere(np.triu(np.ones((6, 6)))).tolist():
        total, worth = sum(ROW[left : right + 1]), TABLE.table()[left, right]
        mine, theirs = (total + worth) / 2, (total - worth) / 2
        star = "*" * bool(TABLE.table("ties")[left, right])
        assert cells.pop((left, right)) == f"{mine:g}:{theirs:g}{star}"
        assert lead[left, right] == mine - theirs
    assert not cells
    assert np.ma.getmaskarray(lead)[np.tril_indices(6, -1)].all()
    assert ax.get_xticklabels()[0].get_text() == "0:\n14"
    assert ax.get_yticklabels()[5].get_text() == "5: 12"
    assert ax.get_legend_handles_labels()[1] == ["line of play", "tie"]
    arrows = [text for text in notes_of(ax) if not text.get_text()]
    assert len(arrows) == 15  # none from a single card
    for arrow in arrows:
        (x, y), (column, row) = arrow.xy, np.round(arrow.get_position())
        down = TABLE.table("left")[int(row), int(column)]
        assert (y > row + 0.4) == down
        assert (x < column - 0.4) == (not down)
    assert framed(ax) == [(0, 5), (1, 5), (1, 4), (1, 3), (2, 3), (3, 3)]


@pytest.mark.parametrize(
    "row", [[1] * 20, range(100, 114), [1000, 2000.25, 3, 5] * 2], ids=len
)
def test_tables_too_large_for_their_numbers_have_none(row: Any) -> None:
    ax = plots.plot_table(cardrow.solve(row))
    draw(ax)
    assert not ax.texts
    assert ax.get_title() == "What the player to move wins by, for each interval"
    assert ax.get_legend_handles_labels()[1] == ["line of play"]
    assert len(framed(ax)) == len(row)


@pytest.mark.parametrize("row", [list(range(10, 18)), [1.25, 0.5, 3.75, 2]], ids=len)
def test_no_sums_overlap(row: list[float]) -> None:
    ax = plots.plot_table(cardrow.solve(row))
    draw(ax)
    for labels in (ax.get_xticklabels(), [t for t in ax.texts if t.get_text()]):
        boxes = [label.get_window_extent() for label in labels]
        assert len(boxes) >= len(row)
        for box in boxes:
            assert box.count_overlaps(boxes) == 1  # itself


def test_other_tables() -> None:
    """Of three players, the lead over the next best; of a card that is nothing."""
    table = cardrow.solve([1, 1, 2, 1], rules=Rules(players=3))
    lead = pixels(plots.plot_table(table))[0, 3]
    own, *others = table.payoffs
    assert lead == own - max(others)
    draw(plots.plot_table(cardrow.solve([0])))


def test_play_shows_takers_and_turns() -> None:
    ax = plots.plot_play(cardrow.match([4, 4, 6, 6, 12, 9], "greedy", "larger"))
    draw(ax)
    taken = [
        {i: bar.get_height() for i, bar in enumerate(bars) if bar.get_height() > 0}
        for bars in ax.containers
    ]
    assert taken == [{1: 4, 3: 6, 5: 9}, {0: 4, 2: 6, 4: 12}]
    assert [label_of(bars) for bars in ax.containers] == ["greedy: 19", "larger: 22"]
    turns = {round(text.xy[0]): text.get_text() for text in notes_of(ax)}
    assert turns == {0: "6", 1: "5", 2: "4", 3: "3", 4: "2", 5: "1"}


def test_other_plays() -> None:
    """Three players and cards below 0; one who takes nothing has a colour as well."""
    ax = plots.plot_play(cardrow.match([-1, 5, 2, -3], rules=Rules(players=3)))
    draw(ax)
    names = [label_of(bars).split(":")[0] for bars in ax.containers]
    assert names == [f"player {i}, optimal" for i in (1, 2, 3)]
    below = [text for text in notes_of(ax) if text.get_verticalalignment() == "top"]
    assert sorted(round(text.xy[0]) for text in below) == [0, 3]
    ax = plots.plot_play(cardrow.match([7]))
    draw(ax)
    colours = [to_hex(bar.get_facecolor()) for bar in legend_of(ax).get_patches()]
    assert colours == ["#0072b2", "#d55e00"]


def test_long_rows_are_lines_without_turns() -> None:
    assert not plots.plot_play(cardrow.match(range(50))).texts
    row = np.arange(-600, 601)
    ax = plots.plot_play(cardrow.match(row))
    assert not ax.patches
    collections: Any = ax.collections
    drawn = [segment for lines in collections for segment in lines.get_segments()]
    assert sorted((x, top) for (x, _), (_, top) in drawn) == [*enumerate(row.tolist())]
    draw(ax)


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
