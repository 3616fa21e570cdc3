"""Pictures show the numbers that they are made from."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from cardgames_dp import pairs, play
from cardgames_dp.pairs import Rules, plots

from ..artists import cell_texts, draw, label_of, legend_of, pixels, points, xs

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
        table: Any = {"hand": own_hand, "others": others_hand, "scores": scores}
        if names not in seen:
            with pytest.raises(ValueError, match="must hold at most"):
                pairs.state(**table, rules=RULES)
            continue
        advice = SOLUTION.advice(pairs.state(**table, rules=RULES))
        assert seen.pop(names) == pytest.approx(
            advice.values["hit"] - advice.values["fold"]
        )
        row, column = (
            labels(axis).index(name)
            for axis, name in zip((ax.yaxis, ax.xaxis), names, strict=True)
        )
        assert words.pop((column, row)) == advice.action[0]
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


def test_of_many_hands_some_are_labelled() -> None:
    ax = plots.plot_hands(pairs.positions(pairs.solve(deck_of(range(3, 10), 2, 3))))
    draw(ax)
    assert not ax.texts
    assert pixels(ax).shape == (21, 21)
    for axis, step in ((ax.yaxis, 2), (ax.xaxis, 3)):
        ticks = dict(zip(axis.get_ticklocs(), labels(axis), strict=True))
        assert [*ticks] == [*range(0, 21, step)]
        assert (ticks[0], ticks[6], ticks[18]) == ("3 4", "4 5", "7 8")
        boxes = [label.get_window_extent() for label in axis.get_ticklabels()]
        assert all(box.count_overlaps(boxes) == 1 for box in boxes)


def test_ties_are_seen() -> None:
    round_ = pairs.positions(pairs.solve(deck_of((1, 2, 3), 2, 3, tie="hit")))
    ax = plots.plot_hands(round_)
    draw(ax)
    lead, ties = pixels(ax), np.ma.getmaskarray(pixels(ax, 1))
    assert np.count_nonzero(~ties) == 4
    assert np.array_equal(~ties, (lead == 0).filled(False))
    texts = [text.get_text() for text in legend_of(ax).get_texts()]
    assert "tie" in texts
    assert not [line for line in ax.lines if len(xs(line))]  # neither is worse


def test_dots_are_where_a_policy_errs() -> None:
    game = pairs.game(RULES)
    response = play.best_response(game, ["fifty_percent", None], 1)
    # The leader keeps to the policy, and the other responds.
    round_ = pairs.positions(response)
    ax = plots.plot_hands(round_)
    draw(ax)
    (dots,) = [line for line in ax.lines if label_of(line).startswith("the policy")]
    places = np.round(points(dots) - [0.3, -0.3]).astype(int)
    hands = [(labels(ax.yaxis)[y], labels(ax.xaxis)[x]) for x, y in places.tolist()]
    two = (round_.hands.sum(axis=2) == 2).all(axis=1) & ~round_.ties
    errs = two & (round_.hits != (round_.hit[:, 0] > round_.fold[:, 0]))
    names = [
        tuple([" ".join(map(str, np.repeat(RULES.ranks, hand))) for hand in each])
        for each in round_.hands[errs]
    ]
    assert sorted(hands) == sorted(names)
    assert 0 < len(names) < np.count_nonzero(two)
    # The responder never errs.
    ax = plots.plot_hands(pairs.positions(response, leader=1))
    assert not [line for line in ax.lines if len(xs(line))]


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
