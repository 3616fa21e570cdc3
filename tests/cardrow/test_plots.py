"""Pictures show the numbers that they are made from."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st
from matplotlib.colors import to_hex

from cardgames_dp import cardrow
from cardgames_dp.cardrow import plots
from cardgames_dp.cardrow._kernels import collapse

from ..drawn import (
    bars_of,
    draw,
    error_bars,
    label_of,
    legend_of,
    notes_of,
    pixels,
    points,
)

ROW = [14, 4, 7, 2, 5, 12]
TABLE = cardrow.solve(ROW)


def written(ax: Any) -> dict[tuple[int, int], str]:
    """Return the texts with letters, by where they stand, to whole numbers."""
    return {
        (round(y), round(x)): text.get_text()
        for text in ax.texts
        for x, y in [text.get_position()]
        if text.get_text()
    }


def test_table_shows_pashevichs_sums() -> None:
    ax = plots.plot_table(TABLE)
    draw(ax)
    cells = written(ax)
    assert len(cells) == 21
    assert cells[0, 5] == "26:18"
    assert cells[1, 3] == "6:7*"  # the only tie
    assert [cells[i, i] for i in range(6)] == [f"{card}:0" for card in ROW]
    image = pixels(ax)
    assert image[0, 5] == 8
    assert image[1, 3] == -1
    assert np.ma.getmaskarray(image)[3, 1]  # no interval
    assert ax.get_xticklabels()[0].get_text() == "0:\n14"
    assert ax.get_yticklabels()[5].get_text() == "5: 12"
    assert ax.get_legend_handles_labels()[1] == ["line of play", "tie"]


def test_arrows_point_to_what_is_left() -> None:
    ax = plots.plot_table(TABLE)
    arrows = [text for text in notes_of(ax) if not text.get_text()]
    assert len(arrows) == 15  # none from a single card
    for arrow in arrows:
        (x, y), (column, row) = arrow.xy, np.round(arrow.get_position())
        down = TABLE.best_turn(int(row), int(column)).side == "left"
        assert (y > row + 0.4) == down
        assert (x < column - 0.4) == (not down)


def framed(ax: Any) -> list[tuple[int, int]]:
    """Return the rows and columns of the cells with frames, one after the other."""
    (line,) = [line for line in ax.lines if line.get_label() == "line of play"]
    corners = points(line).reshape(-1, 6, 2)[:, :4]
    return [(round(y), round(x)) for x, y in corners.mean(axis=1)]


def test_the_line_of_play_is_framed() -> None:
    line = [(0, 5), (1, 5), (1, 4), (1, 3), (2, 3), (3, 3)]
    assert framed(plots.plot_table(TABLE)) == line


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


@pytest.mark.parametrize(
    "row", [ROW, list(range(10, 22)), [1.25, 0.5, 3.75, 2]], ids=len
)
def test_no_sums_overlap(row: list[float]) -> None:
    ax = plots.plot_table(cardrow.solve(row))
    draw(ax)
    for labels in (ax.get_xticklabels(), [t for t in ax.texts if t.get_text()]):
        boxes = [label.get_window_extent() for label in labels]
        assert len(boxes) >= len(row)
        for box in boxes:
            assert box.count_overlaps(boxes) == 1  # itself


def test_table_of_three_players_shows_the_lead_over_the_next_best() -> None:
    table = cardrow.solve([1, 1, 2, 1], rules=cardrow.Rules(players=3))
    lead = pixels(plots.plot_table(table))[0, 3]
    assert lead == table.sums[0, 0, 3] - table.sums[1:, 0, 3].max()


def test_table_of_one_card_that_is_nothing() -> None:
    draw(plots.plot_table(cardrow.solve([0])))


def test_play_shows_takers_and_turns() -> None:
    game = cardrow.match([4, 4, 6, 6, 12, 9], "greedy", "larger")
    ax = plots.plot_play(game)
    draw(ax)
    one, other = ax.containers
    taken = [
        {i: bar.get_height() for i, bar in enumerate(bars) if bar.get_height() > 0}
        for bars in (one, other)
    ]
    assert taken == [{1: 4, 3: 6, 5: 9}, {0: 4, 2: 6, 4: 12}]
    assert one.get_label() == "greedy: 19"
    assert other.get_label() == "larger: 22"
    turns = {round(text.xy[0]): text.get_text() for text in notes_of(ax)}
    assert turns == {0: "6", 1: "5", 2: "4", 3: "3", 4: "2", 5: "1"}


def test_play_of_three_players_and_negative_cards() -> None:
    row = [-1, 5, 2, -3]
    play = cardrow.match(row, rules=cardrow.Rules(players=3))
    ax = plots.plot_play(play)
    draw(ax)
    assert [label_of(bars).split(":")[0] for bars in ax.containers] == [
        "player 1, optimal",
        "player 2, optimal",
        "player 3, optimal",
    ]
    below = [text for text in notes_of(ax) if text.get_verticalalignment() == "top"]
    assert sorted(round(text.xy[0]) for text in below) == [0, 3]


def test_long_rows_have_no_turns() -> None:
    row = list(range(61))
    assert not plots.plot_play(cardrow.match(row)).texts


@pytest.mark.slow
@given(st.lists(st.integers(-3, 3), min_size=1, max_size=10))
def test_collapse_ends_where_the_solver_does(row: list[int]) -> None:
    ax = plots.plot_collapse(row)
    lines: dict[float, list[tuple[float, str]]] = {}
    for text in ax.texts:
        x, y = text.get_position()
        lines.setdefault(y, []).append((x, text.get_text()))
    steps = [[int(card) for _, card in sorted(lines[y])] for y in sorted(lines)]
    assert steps[0] == row
    assert steps[-1] == collapse.collapsed(row)
    values = {cardrow.value(step, backend="exact") for step in steps}
    assert values == {cardrow.value(row, backend="exact")}


def test_collapse_marks_the_peak_that_goes_next() -> None:
    ax = plots.plot_collapse([0, 1, 0.5, 9])
    marked = [
        text.get_text()
        for text in ax.texts
        if (box := text.get_bbox_patch()) and to_hex(box.get_facecolor()) != "#ffffff"
    ]
    assert marked == ["0", "1", "0.5"]


def test_collapse_joins_peaks_to_the_cards_that_they_become() -> None:
    ax = plots.plot_collapse([0, 1, 0.5, 9])
    (joins,) = [line for line in ax.lines if len(points(line)) == 9]
    starts, ends, gaps = points(joins).reshape(3, 3, 2).swapaxes(0, 1)
    assert starts.tolist() == [[0, 0], [1, 0], [2, 0]]
    assert ends.tolist() == [[1, 1]] * 3
    assert np.isnan(gaps).all()


def test_tournament_shows_shares_with_errors() -> None:
    rows = cardrow.deal(50, 6, rng=1)
    results = cardrow.tournament(["optimal", "larger"], rows)
    ax = plots.plot_tournament(results)
    draw(ax)
    heights = [[bar.get_height() for bar in bars.patches] for bars in bars_of(ax)]
    assert np.array_equal(np.transpose(heights), results.win_rate)
    for second, bars in enumerate(bars_of(ax)):
        segments = error_bars(bars.errorbar)
        halves = [(high[1] - low[1]) / 2 for low, high in segments]
        assert halves == pytest.approx(2 * results.win_rate_error[:, second])


def test_tournament_of_one_deal_has_no_errors() -> None:
    draw(plots.plot_tournament(cardrow.tournament(["larger"], [[1, 2]])))


@pytest.mark.parametrize(
    ("function", "arguments", "message"),
    [
        (plots.plot_table, (3,), "solution must be a cardrow.Solution, got 3 of"),
        (
            plots.plot_play,
            (3,),
            "game must be a cardrow.Match, got",
        ),
        (plots.plot_tournament, (3,), "results must be a cardrow.Tournament, got 3 of"),
        (plots.plot_collapse, (3,), "cards must be an iterable of numbers"),
    ],
)
def test_other_things_are_refused(
    function: Any, arguments: tuple[Any, ...], message: str
) -> None:
    with pytest.raises(TypeError, match=message):
        function(*arguments)


def test_long_rows_collapse_in_squares() -> None:
    row = [(7 * i * i) % 53 for i in range(40)]
    ax = plots.plot_collapse(row)
    draw(ax)
    assert not ax.texts
    cards, peaks, joins, _ = ax.lines
    steps = round(points(peaks).shape[0] / 3)
    # Each peak takes two of the cards that are left.
    assert len(points(cards)) + 3 * steps == sum(40 - 2 * i for i in range(steps + 1))
    # A line from each card of a peak to the line below, and a gap after it.
    assert points(joins)[::3, 1].tolist() == points(peaks)[:, 1].tolist()
    assert to_hex(cards.get_markerfacecolor()) == "#ffffff"
    assert to_hex(peaks.get_markerfacecolor()) == "#56b4e9"


def test_many_names_are_slanted() -> None:
    names: dict[str, cardrow.Policy] = {
        f"a policy with a long name {i}": "larger" for i in range(3)
    }
    rows = cardrow.deal(5, 4, rng=1)
    both: list[cardrow.Policy] = ["larger", "optimal"]
    for players, slanted in ((names, True), (both, False)):
        ax = plots.plot_tournament(cardrow.tournament(players, rows))
        draw(ax)
        assert {label.get_rotation() for label in ax.get_xticklabels()} == {
            30.0 if slanted else 0.0
        }


def test_who_takes_nothing_has_a_colour_all_the_same() -> None:
    ax = plots.plot_play(cardrow.match([7]))
    draw(ax)
    colours = [to_hex(bar.get_facecolor()) for bar in legend_of(ax).get_patches()]
    assert colours == ["#0072b2", "#e69f00"]


def test_what_is_too_large_to_be_drawn_is_refused() -> None:
    """Before any axes are made, and whatever kind of number it is."""
    with pytest.raises(ValueError, match=r"cards must be at most 1000 .* value"):
        plots.plot_collapse([1] * 10**6)
    for huge in (10**400, 1e300, -(10**101)):
        with pytest.raises(ValueError, match=r"solution must have numbers of at most"):
            plots.plot_table(cardrow.solve([huge, 1], backend="exact"))
        with pytest.raises(ValueError, match=r"game must have numbers of at most"):
            plots.plot_play(cardrow.match([huge, 1]))


def test_long_rows_are_lines() -> None:
    row = np.arange(-600, 601)
    play = cardrow.match(row)
    ax = plots.plot_play(play)
    assert not ax.patches
    collections: Any = ax.collections
    drawn = [segment for lines in collections for segment in lines.get_segments()]
    assert sorted(x for (x, _), _ in drawn) == list(range(len(row)))
    assert {x: top for (x, _), (_, top) in drawn} == dict(enumerate(row.tolist()))
    draw(ax)
