"""Trees show every state once, its worth and what is optimal; laws show as bars."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from matplotlib.axes import Axes
from matplotlib.colors import same_color, to_hex
from matplotlib.patches import FancyBboxPatch

from cardgames_dp import cardrow, diagonal, exact, play, plots, redblack
from cardgames_dp._results.figures import COLOURS
from cardgames_dp.game import Solution, explore

from .artists import (
    bars_of,
    draw,
    error_bars,
    label_of,
    legend_of,
    points,
    rectangles,
    ys,
)
from .games import Paying, RedBlack, Table, games

SHARED = Table(
    {
        "start": (0, {"left": "luck", "right": "end", "also": "end"}),
        "luck": ("chance", [(1, "end"), (1, "other"), (1, "end"), (0, "never")]),
        "other": (1, {"up": "end", "down": "lost", "under": "lost"}),
        "end": ("end", [Fraction(1, 3), -2]),
        "lost": ("end", [0, -2]),
    },
    "start",
    2,
)


PAYING = Paying(
    {
        "start": (0, {"left": "luck", "right": "end", "also": "end"}),
        "luck": ("chance", [(1, "end", [1, 0]), (2, "end"), (3, "end", [1, 0])]),
        "end": ("end", [0, 0]),
    },
    "start",
    2,
    {("start", "left"): [Fraction(1, 2), -3], ("start", "also"): [0, 2]},
)


def test_moves_show_what_they_pay() -> None:
    texts = {text.get_text() for text in plots.plot_tree(PAYING).texts}
    assert {"left (+1/2, -3)", "right, also (0, +2)"} <= texts
    assert "2/3 (+1, 0), 1/3" in texts
    assert "luck\n2/3, 0" in texts


def boxes(ax: Axes) -> dict[str, str]:
    """Return what stands in each box, and the colour of its edge."""
    result = {}
    for text in ax.texts:
        box = text.get_bbox_patch()
        assert isinstance(box, FancyBboxPatch)
        if to_hex(box.get_edgecolor(), keep_alpha=True)[7:] != "00":
            assert text.get_text() not in result
            result[text.get_text()] = to_hex(box.get_edgecolor())
    return result


def labels(ax: Axes) -> list[str]:
    """Return what stands at the edges."""
    known = boxes(ax)
    return sorted(text.get_text() for text in ax.texts if text.get_text() not in known)


def thick(ax: Axes) -> list[str]:
    """Return the colours of the edges that are optimal."""
    return [
        str(line.get_color())
        for line in ax.lines
        if line.get_linewidth() == 2.5 and len(ys(line))
    ]


def test_a_shared_state_is_drawn_once() -> None:
    ax = plots.plot_tree(SHARED)
    draw(ax)
    assert boxes(ax) == {
        "start\n1/3, -2": COLOURS[0],
        "luck\n1/3, -2": to_hex("0.5"),
        "other\n1/3, -2": COLOURS[1],
        "end\n1/3, -2": "#000000",
        "lost\n0, -2": "#000000",
    }
    assert labels(ax) == ["1/3", "2/3", "down, under", "left", "right, also", "up"]
    # Both moves of the first player are optimal, and both of the second, who loses 2.
    assert sorted(thick(ax)) == sorted([COLOURS[0]] * 2 + [COLOURS[1]] * 2)
    assert ax.get_title() == "5 states, worth 1/3, -2"
    texts = [text.get_text() for text in legend_of(ax).get_texts()]
    assert texts == ["chance moves", "player 0 moves", "player 1 moves", "optimal"]


def test_only_optimal_moves_are_marked() -> None:
    game = Table({0: (0, {"good": 1, "bad": 2}), 1: ("end", [1]), 2: ("end", [0])})
    ax = plots.plot_tree(game)
    (best,) = [
        line for line in ax.lines if line.get_linewidth() == 2.5 and len(ys(line))
    ]
    place = {text.get_text(): text.get_position() for text in ax.texts}
    assert tuple(points(best)[-1]) == place["1\n1"]
    assert place["0\n1"][1] > place["1\n1"][1] == place["2\n0"][1]


@given(games(max_states=8))
def test_every_state_and_move_of_a_game(game: Table) -> None:
    solution = exact.solve(game)
    ax = plots.plot_tree(solution, name=lambda state: f"state {state}")
    states = {text.partition("\n")[0] for text in boxes(ax)}
    assert states == {f"state {state}" for state in solution.values}
    explored = explore(game)
    starts = np.repeat(np.arange(explored.num_states), np.diff(explored.graph.offsets))
    pairs = set(zip(starts.tolist(), explored.graph.following.tolist(), strict=True))
    assert len([line for line in ax.lines if len(ys(line))]) == len(pairs)


@pytest.mark.parametrize(
    "game",
    [
        exact.solve(RedBlack(2, 1)),
        diagonal.solve(RedBlack(2, 1)),
        explore(RedBlack(2, 1)),
        RedBlack(2, 1),
    ],
    ids=lambda game: type(game).__name__,
)
def test_what_is_drawn_may_be_solved_or_not(game: Any) -> None:
    ax = plots.plot_tree(game)
    worth = "1.333" if isinstance(game, Solution) and game.error else "4/3"
    assert ax.get_title() == f"17 states, worth {worth}"
    assert f"2, 1, decide\n{worth}" in boxes(ax)


def test_outcomes_without_weight_lead_nowhere() -> None:
    game = cardrow.game([1, 5, 2])
    left = lambda _: "left"  # noqa: E731
    solution = play.best_response(game, [None, left], 0, backend="exact").solution
    assert solution.num_states == 9
    assert plots.plot_tree(solution).get_title() == "7 states, worth 6, -6"


def test_long_names_and_numbers_are_cut() -> None:
    rows: dict[Any, Any] = {"a name\nthat is too long": ("end", [Fraction(1, 7**9)])}
    ax = plots.plot_tree(Table(rows, next(iter(rows))))
    assert set(boxes(ax)) == {"a name that is to…\n2.478e-08"}
    dollars = Table({"$x": ("end", [10**5000])}, "$x")
    ax = plots.plot_tree(dollars)
    draw(ax)
    assert ax.get_title() == "1 state, worth 1e+5000"


# Distributions of returns
# ---------------

DUEL = Table(
    {
        0: ("chance", [(1, 1), (2, 2)]),
        1: ("end", [3, -3]),
        2: (1, {"a": 3, "b": 1}),
        3: ("end", [-1, 1]),
    },
    num_players=2,
)


def test_bars_are_the_laws() -> None:
    """Side by side; simulated games are dots on the bars."""
    solution = exact.solve(DUEL)
    laws = play.distribution(solution, solution)
    account = play.simulate(solution, solution, 50, rng=1)
    ax = plots.plot_distribution(laws, account)
    draw(ax)
    shifts = [-0.4, 0.4]  # returns are 2 apart
    groups = bars_of(ax)
    dots = [group for group in ax.containers if group not in groups]
    for number, bars, group, shift in zip((0, 1), groups, dots, shifts, strict=True):
        law = laws.returns[number]
        assert label_of(bars) == f"player {number}"
        heights = [bar.get_height() for bar in bars.patches]
        assert heights == law.probabilities.tolist()
        middles = [bar.get_x() + bar.get_width() / 2 for bar in bars.patches]
        assert np.allclose(middles, law.support + shift)
        assert same_color(bars.patches[0].get_edgecolor(), COLOURS[number])
        ends, met = error_bars(group), account.returns[number]
        assert np.allclose(ends[:, :, 0].T, met.support + shift)
        p = met.probabilities
        two = 2 * np.sqrt(p * (1 - p) / 50)
        assert np.allclose(ends[:, :, 1], np.transpose([p - two, p + two]))
    texts = [text.get_text() for text in legend_of(ax).get_texts()]
    games_drawn = "50 games, ± 2 standard errors"
    assert texts == ["player 0", "player 1", games_drawn]


def test_a_lone_law_needs_no_legend() -> None:
    game = redblack.game(3, 3)
    ax = plots.plot_distribution(play.distribution(game, exact.solve(game)))
    assert ax.get_legend() is None
    assert ax.get_xlabel() == "return"
    certain = play.distribution(Table({0: ("end", [5])}), {})
    (bar,) = rectangles(plots.plot_distribution(certain))
    assert bar.get_width() == pytest.approx(0.8)
    assert bar.get_height() == 1


def test_games_that_never_end_are_said() -> None:
    """One in three: the others end after one move or two."""
    rows: Any = {
        0: ("chance", [(1, 1), (1, 2), (1, 3)]),
        1: (0, {"stop": 2}),
        2: ("end", [0]),
        3: (0, {"on": 3}),
    }
    endless = explore(Table(rows)).with_endless_returns([0])
    ax = plots.plot_distribution(play.distribution(endless, {1: "stop", 3: "on"}).moves)
    assert [bar.get_height() for bar in rectangles(ax)] == [1 / 3, 1 / 3]
    assert ax.get_xlabel() == "moves, with probability 0.3 elsewhere"
    never = explore(Table({3: rows[3]}, 3)).with_endless_returns([0])
    with pytest.raises(ValueError, match="and no game ends"):
        plots.plot_distribution(play.distribution(never, {3: "on"}).moves)


def test_rare_results_are_cut_and_said() -> None:
    """Of results from 0 to 300, and one that is far away."""
    support = np.append(np.arange(301), 10**6)
    weights = np.append(np.exp(-(((support[:-1] - 150) / 10) ** 2)), 1e-4)
    law: play.Distribution[Any] = play.Distribution(
        "points", support, weights / weights.sum()
    )
    ax = plots.plot_distribution(law)
    draw(ax)
    places = [round(bar.get_x() + bar.get_width() / 2) for bar in rectangles(ax)]
    assert places == [*range(places[0], places[-1] + 1)]
    outside = 1 - law.probabilities[places].sum()
    assert 1e-5 < outside < 0.002
    low, high = ax.get_xlim()
    assert places[0] - 3 < low < places[0]
    assert places[-1] < high < places[-1] + 3
    assert ax.get_xlabel() == f"points, with probability {outside:.1g} elsewhere"


@pytest.mark.parametrize("states", [RedBlack(1, 1), RedBlack(2, 2)], ids=repr)
def test_a_tree_is_as_large_as_its_text(states: Any) -> None:
    """No two boxes or labels of a new picture overlap, and letters can be read."""
    ax = plots.plot_tree(states)
    draw(ax)
    texts = [text for text in ax.texts if text.get_text()]
    assert min(float(text.get_fontsize()) for text in texts) >= 6
    boxes = [text.get_window_extent() for text in texts]
    for box in boxes:
        assert box.count_overlaps(boxes) == 1  # itself
