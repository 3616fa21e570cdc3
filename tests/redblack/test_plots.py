"""Pictures show the numbers that they are made from, and leave nothing open."""

from typing import Any

import numpy as np
import pytest

from cardgames_dp import play, redblack
from cardgames_dp.plots import plot_distribution
from cardgames_dp.redblack import plots

from ..artists import (
    draw,
    legend_of,
    points,
    ys,
)

SOLUTION = redblack.solve(6, 6)
GAMES = play.simulate(SOLUTION, games=200, histories=10, rng=3)


def stops(solution: Any) -> Any:
    """Return where the player stops, or has no card left."""
    result = solution.table("stop")
    result[0, 0] = True
    return result


def test_boundary_shows_what_is_in_the_deck() -> None:
    boundary = redblack.boundary(SOLUTION)
    ax = plots.plot_boundary(boundary)
    draw(ax)
    dots, law, _ = ax.lines
    n, cash = points(dots).T
    assert np.array_equal(boundary.cash[n.astype(int)], cash)
    assert sorted(n) == [i for i, k in enumerate(boundary.excess) if 0 < i >= k]
    assert ys(law)[-1] == pytest.approx(0.8399236756923727 * 12**0.5)


@pytest.mark.parametrize(
    ("deck", "gain"),
    [((16, 17), 0), ((20, 30), 1), ((3, 9), 3), ((0, 3), 0), ((3, 0), 1), ((0, 0), 1)],
)
def test_a_dot_is_where_some_states_stop_and_others_do_not(
    deck: tuple[int, int], gain: int
) -> None:
    solution = redblack.solve(*deck, rules=redblack.Rules(win=gain))
    ax, stop = plots.plot_boundary(redblack.boundary(solution)), stops(solution)
    draw(ax)
    places = np.indices(stop.shape)
    left, excess = places.sum(axis=0), np.diff(places, axis=0)[0]
    dots, grey = {}, []
    for n in range(min(sum(deck), 1), sum(deck) + 1):
        here = stop[left == n]
        if here.all():
            grey.append(n)
        elif here.any():
            first = excess[(left == n) & stop].min()
            red_drawn, black_drawn = (
                deck[0] - (n - first) / 2,
                deck[1] - (n + first) / 2,
            )
            dots[n] = gain * red_drawn - black_drawn
    assert dict(map(tuple, points(ax.lines[0]).tolist())) == dots
    spans = [
        patch.get_extents().transformed(ax.transData.inverted()).intervalx
        for patch in ax.patches
    ]
    assert [n for n in range(sum(deck) + 1) if any(a < n < b for a, b in spans)] == grey
    named = [text.get_text() for text in legend_of(ax).get_texts()]
    assert named.count("stop with any cash") == bool(grey)


@pytest.mark.parametrize(
    ("rules", "has_it"),
    [
        (redblack.Rules(win=2, lose=2), True),
        (redblack.Rules(win=2), False),
        (redblack.Rules(win=0, lose=0), False),
        (redblack.Rules(utility=lambda cash: -np.exp(-cash / 3)), False),
    ],
    ids=["scaled", "uneven", "nothing", "utility"],
)
def test_the_limit_distribution_is_drawn_where_it_holds(
    rules: redblack.Rules, has_it: bool
) -> None:
    ax = plots.plot_boundary(redblack.boundary(redblack.solve(6, 6, rules=rules)))
    assert len(ax.lines) == 1 + 2 * has_it


def test_results_that_are_whole_have_whole_ticks() -> None:
    for win, whole in ((1, True), (1.5, False)):
        solution = redblack.solve(1, 1, rules=redblack.Rules(win=win))
        ax = plot_distribution(play.distribution(solution))
        draw(ax)
        assert np.array_equal(ax.get_xticks(), ax.get_xticks().round()) == whole
    never = redblack.solve(0, 3, backend="exact")
    draw(plot_distribution(play.distribution(never, backend="exact")))


def test_no_error_bar_reaches_below_probability_zero() -> None:
    solution = redblack.solve(26, 26)
    games = play.simulate(solution, games=40, rng=1)
    assert games.returns[0].probabilities.min() < 0.1  # else two errors do not reach 0
    ax = plot_distribution(play.distribution(solution), games)
    assert ax.get_ylim()[0] == 0


def test_a_law_says_of_what_it_is() -> None:
    ax = plot_distribution(redblack.lowest_cash(4, 4, policy="never_stop"))
    assert ax.get_xlabel() == "lowest cash"
    assert ax.get_title() == "Distribution of the lowest cash"


def test_paths_are_drawn_to_where_they_stop() -> None:
    """In the cash of the rules that are given."""
    for rules in (redblack.Rules(), redblack.Rules(win=2, fee="0.25")):
        ax = plots.plot_paths(GAMES, rules=rules)
        draw(ax)
        count = len(GAMES.histories)
        courses, ends = ax.lines[:count], ax.lines[count : 2 * count]
        for course, end, history in zip(courses, ends, GAMES.histories, strict=True):
            left = [state for state in history if not state.decision]
            path = [float(rules.cash(6 - r, 6 - b)) for r, b, _ in left]
            assert ys(course).tolist() == path
            assert points(end).tolist() == [[len(path) - 1, path[-1]]]
            assert not end.get_clip_on()  # it may stand on the edge of the picture
