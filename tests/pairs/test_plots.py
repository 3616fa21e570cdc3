"""Pictures show the numbers that they are made from."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from matplotlib import colormaps
from matplotlib.colors import to_hex

from cardgames_dp import pairs, play
from cardgames_dp.pairs import Rules, plots

from ..artists import cell_texts, draw, label_of, pixels, points, xs

RULES = Rules(deck=4, target=8)
SOLUTION = pairs.solve(RULES)


def labels(axis: Any) -> list[str]:
    return [label.get_text() for label in axis.get_ticklabels()]


def cells(ax: Any) -> dict[tuple[str, str], float]:
    """Return what a map of hands shows: by labels of rows and columns, its colours."""
    image, rows, columns = pixels(ax), labels(ax.yaxis), labels(ax.xaxis)
    assert image.shape == (len(rows), len(columns))
    return {
        (rows[i], columns[j]): float(image[i, j])
        for i, j in np.argwhere(~np.ma.getmaskarray(image)).tolist()
    }


def deck_of(ranks: Any, count: int, target: int, **rules: Any) -> Rules:
    return Rules(deck=dict.fromkeys(ranks, count), target=target, **rules)


@pytest.mark.parametrize(("own", "other"), [(0, 1), (1, 1), (1, 2), (2, 2)])
def test_hands_show_what_advice_says(own: int, other: int) -> None:
    ax = plots.plot_hands(pairs.positions(SOLUTION, (3, 5)), own=own, other=other)
    draw(ax)
    scores = (3, 5) if (own + other) % 2 == 0 else (5, 3)
    title = f"against {other}, at {scores[0]} to {scores[1]} points"
    assert ax.get_title().endswith(title)
    words, seen = cell_texts(ax), cells(ax)
    for own_hand, others_hand in itertools.product(
        itertools.combinations_with_replacement((1, 2, 3, 4), own),
        itertools.combinations_with_replacement((1, 2, 3, 4), other),
    ):
        names = (
            " ".join(map(str, own_hand)) or "none",
            " ".join(map(str, others_hand)),
        )
        asked: Any = {"hand": own_hand, "others": others_hand, "scores": scores}
        if names not in seen:
            with pytest.raises(ValueError, match="must hold at most"):
                pairs.state(**asked, rules=RULES)
            continue
        advice = SOLUTION.advice(pairs.state(**asked, rules=RULES))
        assert seen.pop(names) == pytest.approx(
            advice.values["hit"] - advice.values["fold"]
        )
        row, column = (
            labels(axis).index(name)
            for axis, name in zip((ax.yaxis, ax.xaxis), names, strict=True)
        )
        assert words.pop((column, row)) == advice.action
    assert not seen
    assert not words


def test_hands_are_in_the_order_of_lowest_cards_and_sums() -> None:
    for rules, cards, names in [
        (
            deck_of((2, 3, 7), 2, 9, capacity=2),
            *(2, ["2 2", "2 3", "2 7", "3 3", "3 7", "7 7"]),
        ),
        (
            deck_of(range(1, 6), 2, 3),
            *(3, ["1 2 3", "1 2 4", "1 2 5", "1 3 4", "1 3 5", "1 4 5"]),
        ),
    ]:
        table = pairs.positions(pairs.solve(rules))
        ax = plots.plot_hands(table, own=cards, other=cards)
        assert labels(ax.yaxis)[:6] == names


def test_many_hands_are_labelled_by_their_lowest_cards() -> None:
    ax = plots.plot_hands(pairs.positions(pairs.solve(deck_of(range(3, 10), 2, 3))))
    draw(ax)
    assert not ax.texts
    assert pixels(ax).shape == (21, 21)
    for axis in (ax.yaxis, ax.xaxis):
        # Six hands with a 3, then five with a 4, ...
        ticks = dict(zip(axis.get_ticklocs(), labels(axis), strict=True))
        assert ticks == {2.5: "3", 8: "4", 12.5: "5", 16: "6", 18.5: "7", 20: "8"}
        ends = [-0.5, 5.5, 10.5, 14.5, 17.5, 19.5]
        assert axis.get_ticklocs(minor=True).tolist() == ends
        assert axis.get_label_text().endswith("hand, by its lowest card")
    assert ax.get_legend_handles_labels()[1][:2] == ["hit", "fold"]


def test_labels_that_would_overlap_are_left_out() -> None:
    table = pairs.positions(pairs.solve(deck_of(range(1, 10), 1, 2)))
    ax = plots.plot_hands(table, own=3, other=3)
    draw(ax)
    # There are few hands of high cards, in a row of 84.
    assert labels(ax.yaxis) == ["1", "2", "3", "4", "5", "6"]
    for texts in (ax.get_yticklabels(), ax.get_xticklabels()):
        boxes = [label.get_window_extent() for label in texts]
        assert all(box.count_overlaps(boxes) == 1 for box in boxes)
    ax = plots.plot_hands(table, own=0, other=1)
    assert (len(ax.get_xticklabels()), ax.get_xlabel()) == (9, "the other's hand")
    # Large hands are too long for labels.
    table = pairs.positions(pairs.solve(deck_of(range(1, 9), 2, 2)))
    ax = plots.plot_hands(table, own=7, other=7)
    assert pixels(ax).shape == (8, 8)
    assert ax.get_xlabel() == "the other's hand, by its lowest card"
    assert labels(ax.xaxis) == ["1", "2"]


def test_ties_are_seen() -> None:
    round_ = pairs.positions(pairs.solve(deck_of((1, 2, 3), 2, 3, tie="hit")))
    ax = plots.plot_hands(round_)
    draw(ax)
    ties, words = pixels(ax, 1), cell_texts(ax)
    assert [*words.values()].count("tie") == 4
    for (other, own), word in words.items():
        assert np.ma.getmaskarray(ties)[own, other] == (word != "tie")
    assert not [line for line in ax.lines if len(xs(line))]  # neither is worse


def test_shades_have_no_white_between_hit_and_fold() -> None:
    """As many of both, from the darkest of each to a colour that is clearly one."""
    shades, whole = plots._shades(), colormaps["PuOr"]
    assert shades.N == 256
    for place, shade in ((0.0, 0), (0.38, 127), (0.62, 128), (1.0, 255)):
        assert shades(shade) == whole(place)


def test_hands_that_are_none_are_seen() -> None:
    ax = plots.plot_hands(pairs.positions(pairs.solve(deck_of(range(1, 6), 1, 2))))
    draw(ax)
    lead = pixels(ax)
    assert lead.shape == (10, 10)
    assert np.ma.getmaskarray(lead)[0, 1]  # 1 and 2 against 1 and 3
    assert len(ax.texts) == 30  # three hands go with each
    assert to_hex(ax.get_facecolor(), keep_alpha=True) == "#00000026"
    assert ax.get_legend_handles_labels()[1] == ["no such hands"]


def test_dots_are_where_a_policy_errs() -> None:
    game = pairs.game(RULES)
    response = play.best_response(game, ["fifty_percent", None], 1)
    # The leader keeps to the policy, and the other responds.
    ax = plots.plot_hands(pairs.positions(response))
    draw(ax)
    (dots,) = [line for line in ax.lines if label_of(line).startswith("the other act")]
    dotted = {(round(x - 0.3), round(y + 0.3)) for x, y in points(dots)}
    lead, words = pixels(ax), cell_texts(ax)
    worse = {
        (x, y) for (x, y), word in words.items() if (lead[y, x] > 0) != (word == "hit")
    }
    assert dotted == worse
    assert 0 < len(worse) < len(words)
    # The responder never errs.
    ax = plots.plot_hands(pairs.positions(response, leader=1))
    assert not [line for line in ax.lines if len(xs(line))]


def test_where_the_deck_is_remembered_it_is_the_fresh_one() -> None:
    rules = Rules(deck=3, target=4, reshuffle="exhausted")
    solution = pairs.solve(rules)
    start = pairs.state(scores=[2, 1], rules=rules)
    shown = pixels(plots.plot_scores(solution))[2, 1]
    assert shown == solution.payoffs_at(start)[0]
    advice = solution.advice(pairs.state([2], [3], rules=rules))
    round_ = pairs.positions(solution)
    fields = [getattr(round_, name) for name in round_.__slots__[2:]]
    backwards = pairs.Round(rules, (0, 0), *(field[::-1] for field in fields))
    for given in (round_, backwards):
        seen = cells(plots.plot_hands(given, own=1, other=1))
        assert seen["2", "3"] == pytest.approx(
            advice.values["hit"] - advice.values["fold"]
        )


def test_scores_are_indexed_by_the_leader_first() -> None:
    ax = plots.plot_scores(SOLUTION)
    draw(ax)
    image = pixels(ax)
    for scores in ((7, 0), (0, 7), (3, 4)):
        start = pairs.state(scores=scores, rules=RULES)
        assert image[scores] == SOLUTION.payoffs_at(start)[0]
    assert image[7, 0] < 0.1
    assert image[0, 7] > 0.9
    draw(plots.plot_scores(pairs.solve(Rules(target=1, deck=3))))


def test_win_rates_are_dots_and_what_is_left_at_worst_a_cross() -> None:
    thumbs = ("expected_points", "fifty_percent")
    rates = [pairs.rates(RULES, [name, "optimal"]) for name in thumbs]
    worst = pairs.rates(RULES, ["fifty_percent", None])
    ax = plots.plot_win_rates(rates, [worst])
    draw(ax)
    first, second, mean, cross = ax.lines[:4]
    assert xs(first).tolist() == [rate.payoffs[0] for rate in rates]
    seconds = [rate.by_leader[1][0] for rate in rates]
    assert xs(second).tolist() == seconds
    assert xs(mean).tolist() == [rate.mean[0] for rate in rates]
    assert ax.get_ylim()[0] > ax.get_ylim()[1]  # from the top
    assert [text.get_text() for text in ax.texts] == [f"{x:.3f}" for x in xs(mean)]
    assert [label.get_text() for label in ax.get_yticklabels()] == [*thumbs]
    assert ax.get_xlabel() == "chance of winning against optimal"
    assert cross.get_label() == "mean, at worst"
    assert points(cross).tolist() == [[worst.mean[0], 1]]
    assert xs(cross)[0] < xs(mean)[1]
