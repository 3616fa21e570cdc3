"""Pictures show the numbers that they are made from."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

from cardgames_dp import cardrow
from cardgames_dp.cardrow import collapse, plots

ROW = [14, 4, 7, 2, 5, 12]
TABLE = cardrow.solve(ROW)


def draw(ax: Any) -> None:
    """Render, which is where a broken artist shows."""
    ax.figure.canvas.draw()


def written(ax: Any) -> dict[tuple[int, int], str]:
    """Return the texts with letters, by where they stand, to whole numbers."""
    return {
        (round(y), round(x)): text.get_text()
        for text in ax.texts
        for x, y in [text.get_position()]
        if text.get_text()
    }


def test_table_shows_document_002s_sums() -> None:
    ax = plots.plot_table(TABLE)
    draw(ax)
    cells = written(ax)
    assert len(cells) == 21
    assert cells[0, 5] == "26:18"
    assert cells[1, 3] == "6:7*"  # the only tie
    assert [cells[i, i] for i in range(6)] == [f"{card}:0" for card in ROW]
    image = ax.images[0].get_array()
    assert image[0, 5] == 8
    assert image[1, 3] == -1
    assert image.mask[3, 1]  # no interval
    assert ax.get_xticklabels()[0].get_text() == "0: 14"


def test_arrows_point_to_what_is_left() -> None:
    ax = plots.plot_table(TABLE)
    arrows = [text for text in ax.texts if not text.get_text()]
    assert len(arrows) == 15  # none from a single card
    for arrow in arrows:
        (x, y), (column, row) = arrow.xy, np.round(arrow.get_position())
        down = TABLE.best_turn(int(row), int(column)).side == "left"
        assert (y > row + 0.4) == down
        assert (x < column - 0.4) == (not down)


def test_the_line_of_play_is_framed() -> None:
    ax = plots.plot_table(TABLE)
    framed = {
        (
            round(float(np.mean(line.get_ydata()[:4]))),
            round(np.mean(line.get_xdata()[:4])),
        )
        for line in ax.lines
    }
    assert framed == {(0, 5), (1, 5), (1, 4), (1, 3), (2, 3), (3, 3)}


def test_large_tables_have_no_numbers() -> None:
    ax = plots.plot_table(cardrow.solve(range(15)))
    draw(ax)
    assert not ax.texts


def test_table_of_three_players_shows_the_lead_over_the_next_best() -> None:
    table = cardrow.solve([1, 1, 2, 1], rules=cardrow.Rules(players=3))
    lead = plots.plot_table(table).images[0].get_array()[0, 3]
    assert lead == table.sums[0, 0, 3] - table.sums[1:, 0, 3].max()


def test_table_of_one_card_that_is_nothing() -> None:
    draw(plots.plot_table(cardrow.solve([0])))


def test_play_shows_takers_and_turns() -> None:
    game = cardrow.match([4, 4, 6, 6, 12, 9], "greedy", "larger")
    ax = plots.plot_play([4, 4, 6, 6, 12, 9], game)
    draw(ax)
    one, other = ax.containers
    assert [bar.get_height() for bar in one] == [4, 6, 9]
    assert [bar.get_height() for bar in other] == [4, 6, 12]
    assert one.get_label() == "greedy: 19"
    assert other.get_label() == "larger: 22"
    turns = {round(text.xy[0]): text.get_text() for text in ax.texts}
    assert turns == {0: "6", 1: "5", 2: "4", 3: "3", 4: "2", 5: "1"}


def test_play_of_three_players_and_negative_cards() -> None:
    row = [-1, 5, 2, -3]
    play = cardrow.optimal_play(row, rules=cardrow.Rules(players=3))
    ax = plots.plot_play(row, play)
    draw(ax)
    assert [bars.get_label().split(":")[0] for bars in ax.containers] == [
        "player 1",
        "player 2",
        "player 3",
    ]
    below = [text for text in ax.texts if text.get_va() == "top"]
    assert sorted(round(text.xy[0]) for text in below) == [0, 3]


def test_long_rows_have_no_turns() -> None:
    row = list(range(61))
    assert not plots.plot_play(row, cardrow.optimal_play(row)).texts


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=10))
def test_collapse_ends_where_the_solver_does(row: list[int]) -> None:
    ax = plots.plot_collapse(row)
    lines: dict[int, list[tuple[float, str]]] = {}
    for text in ax.texts:
        x, y = text.get_position()
        lines.setdefault(y, []).append((x, text.get_text()))
    steps = [[int(card) for _, card in sorted(lines[y])] for y in sorted(lines)]
    assert steps[0] == row
    assert steps[-1] == collapse.collapsed(row)
    values = {cardrow.value(step) for step in steps}
    assert values == {cardrow.value(row)}


def test_collapse_marks_the_peak_that_goes_next() -> None:
    ax = plots.plot_collapse([0, 1, 0.5, 9])
    marked = [
        text.get_text()
        for text in ax.texts
        if to_hex(text.get_bbox_patch().get_facecolor()) != "#ffffff"
    ]
    assert marked == ["0", "1", "0.5"]


def test_tournament_shows_shares_with_errors() -> None:
    rows = cardrow.deal(50, 6, rng=1)
    results = cardrow.tournament(["optimal", "larger"], rows)
    ax = plots.plot_tournament(results)
    draw(ax)
    heights = [
        [bar.get_height() for bar in bars.patches] for bars in ax.containers[1::2]
    ]
    assert np.array_equal(np.transpose(heights), results.win_rate)
    for second, bars in enumerate(ax.containers[1::2]):
        segments = bars.errorbar.lines[2][0].get_segments()
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
            ([1], 3),
            "play must be a cardrow.Play or cardrow.Match, got",
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


def test_play_of_another_row_is_refused() -> None:
    with pytest.raises(ValueError, match="of the 3 cards given, got one of 2"):
        plots.plot_play([1, 2, 3], cardrow.optimal_play([1, 2]))


def test_axes_are_taken_and_given_back() -> None:
    ax = Figure().add_subplot()
    assert plots.plot_table(TABLE, ax=ax) is ax
    with pytest.raises(TypeError, match="ax must be a matplotlib Axes, got 3"):
        plots.plot_collapse([1], ax=3)  # type: ignore[arg-type]


def test_without_matplotlib(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(ModuleNotFoundError, match=r"needs matplotlib.*\[plot\]"):
        plots.plot_table(TABLE)
