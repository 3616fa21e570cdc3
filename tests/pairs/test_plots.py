"""Pictures show the numbers that they are made from."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from matplotlib import colormaps
from matplotlib.colors import to_hex

from cardgames_dp import pairs
from cardgames_dp.pairs import plots

from ..drawn import cell_texts, draw, label_of, pixels, points, xs

RULES = pairs.Rules(deck=4, target=10)
SOLUTION = pairs.solve(RULES)
RATES = [
    pairs.evaluate(RULES, ["optimal", name]) for name in ("never_hit", "always_hit")
]


def test_opening_shows_actions_and_leads() -> None:
    opening = SOLUTION.opening_table()
    ax = plots.plot_hands(SOLUTION.round([0, 0]), own=1, other=1)
    draw(ax)
    shown = cell_texts(ax)
    assert len(shown) == 15  # not 1 against 1, of which there is only one card
    for (other, own), word in shown.items():
        assert word == ("hit" if opening.hits[own, other] else "fold")
    lead = pixels(ax)
    assert np.ma.getmaskarray(lead)[0, 0]
    assert np.array_equal(lead[1], opening.lead[1])
    assert [label.get_text() for label in ax.get_xticklabels()] == ["1", "2", "3", "4"]
    assert ax.get_title().endswith("0 to 0 points")


def test_opening_marks_ties() -> None:
    rules = pairs.Rules(deck={1: 2, 2: 2}, target=1)  # whoever scores has lost
    solution = pairs.solve(rules)
    opening = solution.opening_table()
    ax = plots.plot_hands(solution.round([0, 0]), own=1, other=1)
    draw(ax)
    words = cell_texts(ax)
    ties = {(other, own) for own, other in np.argwhere(opening.ties).tolist()}
    assert {place for place, word in words.items() if word == "tie"} == ties


def test_scores_are_indexed_by_the_leader_first() -> None:
    ax = plots.plot_scores(SOLUTION)
    draw(ax)
    image = pixels(ax)
    assert image[9, 0] == SOLUTION.value_at((9, 0))[0]
    assert image[0, 9] == SOLUTION.value_at((0, 9))[0]
    assert image[9, 0] < 0.1
    assert image[0, 9] > 0.9


def test_scores_where_the_deck_is_remembered_are_those_of_the_full_one() -> None:
    rules = pairs.Rules(deck=3, target=4, reshuffle="exhausted")
    solution = pairs.solve(rules)
    image = pixels(plots.plot_scores(solution))
    assert image[2, 1] == solution.value_at((2, 1))[0]


def test_scores_of_a_game_to_one() -> None:
    draw(plots.plot_scores(pairs.solve(pairs.Rules(target=1))))


def test_win_rates_are_dots() -> None:
    ax = plots.plot_win_rates(RATES)
    draw(ax)
    first, second, mean, _ = ax.lines
    assert xs(first).tolist() == [rate.value[0] for rate in RATES]
    second_seats = [rate.value_at([0, 0], leader=1)[0] for rate in RATES]
    assert xs(second).tolist() == second_seats
    assert xs(mean).tolist() == [rate.mean[0] for rate in RATES]
    assert ax.get_ylim() == (1.5, -0.5)  # from the top


def cells(ax: Any) -> dict[tuple[str, str], float]:
    """Return what a map of hands shows: by labels of rows and columns, its colours."""
    image = pixels(ax)
    rows, columns = (
        [label.get_text() for label in axis.get_ticklabels()]
        for axis in (ax.yaxis, ax.xaxis)
    )
    assert image.shape == (len(rows), len(columns))
    return {
        (rows[i], columns[j]): float(image[i, j])
        for i, j in np.argwhere(~np.ma.getmaskarray(image)).tolist()
    }


@pytest.mark.parametrize(("own", "other"), [(0, 1), (1, 1), (1, 2), (2, 2)])
def test_hands_show_what_advice_says(own: int, other: int) -> None:
    ax = plots.plot_hands(SOLUTION.round((3, 5)), own=own, other=other)
    draw(ax)
    scores = (3, 5) if (own + other) % 2 == 0 else (5, 3)
    assert ax.get_title().endswith(
        f"against {other}, at {scores[0]} to {scores[1]} points"
    )
    words = cell_texts(ax)
    seen = cells(ax)
    for own_hand, others_hand in itertools.product(
        itertools.combinations_with_replacement((1, 2, 3, 4), own),
        itertools.combinations_with_replacement((1, 2, 3, 4), other),
    ):
        names = (
            " ".join(map(str, own_hand)) or "none",
            " ".join(map(str, others_hand)),
        )
        if names not in seen:
            with pytest.raises(ValueError, match="must hold at most"):
                SOLUTION.advice(hand=own_hand, others=others_hand, scores=scores)
            continue
        advice = SOLUTION.advice(hand=own_hand, others=others_hand, scores=scores)
        assert advice.hit is not None
        assert advice.fold is not None
        assert seen.pop(names) == pytest.approx(advice.hit - advice.fold)
        row, column = (
            [label.get_text() for label in axis.get_ticklabels()].index(name)
            for axis, name in zip((ax.yaxis, ax.xaxis), names, strict=True)
        )
        assert words.pop((column, row)) == advice.action
    assert not seen
    assert not words


def test_one_card_each_is_the_opening() -> None:
    hands = plots.plot_hands(SOLUTION.round((3, 5)), own=1, other=1)
    opening = SOLUTION.opening_table((3, 5))
    assert cells(hands) == {
        (str(opening.ranks[own]), str(opening.ranks[other])): opening.lead[own, other]
        for own, other in np.argwhere(opening.possible).tolist()
    }


def test_hands_are_in_the_order_of_lowest_cards_and_sums() -> None:
    rules = pairs.Rules(deck={2: 2, 3: 2, 7: 2}, capacity=2, target=9)
    ax = plots.plot_hands(pairs.solve(rules).round((0, 0)), own=2, other=2)
    names = [label.get_text() for label in ax.get_yticklabels()]
    assert names == ["2 2", "2 3", "2 7", "3 3", "3 7", "7 7"]
    rules = pairs.Rules(deck=dict.fromkeys(range(1, 6), 2), target=3)
    ax = plots.plot_hands(pairs.solve(rules).round((0, 0)), own=3, other=3)
    names = [label.get_text() for label in ax.get_yticklabels()][:6]
    assert names == ["1 2 3", "1 2 4", "1 2 5", "1 3 4", "1 3 5", "1 4 5"]


MANY = pairs.solve(pairs.Rules(deck=dict.fromkeys(range(3, 10), 2), target=3))


def test_many_hands_are_labelled_by_their_lowest_cards() -> None:
    ax = plots.plot_hands(MANY.round((0, 0)))
    draw(ax)
    assert not ax.texts
    assert pixels(ax).shape == (21, 21)
    for axis in (ax.yaxis, ax.xaxis):
        labels = {
            tick: label.get_text()
            for tick, label in zip(
                axis.get_ticklocs(), axis.get_ticklabels(), strict=True
            )
        }
        # Six hands with a 3, then five with a 4, ...
        assert labels == {2.5: "3", 8: "4", 12.5: "5", 16: "6", 18.5: "7", 20: "8"}
        assert axis.get_ticklocs(minor=True).tolist() == [
            -0.5,
            5.5,
            10.5,
            14.5,
            17.5,
            19.5,
        ]
        assert axis.get_label_text().endswith("hand, by its lowest card")
    assert ax.get_legend_handles_labels()[1][:2] == ["hit", "fold"]


def test_labels_that_would_overlap_are_left_out() -> None:
    deck = dict.fromkeys(range(1, 11), 1)
    solution = pairs.solve(pairs.Rules(deck=deck, target=2))
    ax = plots.plot_hands(solution.round((0, 0)), own=3, other=3)
    draw(ax)
    names = [label.get_text() for label in ax.get_yticklabels()]
    # There are few hands of 7, 8, 9 and 10, in a row of 120.
    assert names == ["1", "2", "3", "4", "5", "6", "8"]
    for labels in (ax.get_yticklabels(), ax.get_xticklabels()):
        boxes = [label.get_window_extent() for label in labels]
        assert all(box.count_overlaps(boxes) == 1 for box in boxes)


@pytest.mark.slow
def test_large_hands_are_too_long_for_labels() -> None:
    deck = dict.fromkeys(range(1, 10), 1)
    solution = pairs.solve(pairs.Rules(deck=deck, target=2))
    ax = plots.plot_hands(solution.round((0, 0)), own=0, other=1)
    assert len(ax.get_xticklabels()) == 9
    ax = plots.plot_hands(solution.round((0, 0)), own=1, other=1)
    assert ax.get_xlabel() == "the other's hand"
    rules = pairs.Rules(deck=dict.fromkeys(range(1, 9), 2), target=2)
    ax = plots.plot_hands(pairs.solve(rules).round((0, 0)), own=7, other=7)
    assert pixels(ax).shape == (8, 8)
    assert ax.get_xlabel() == "the other's hand, by its lowest card"
    assert [label.get_text() for label in ax.get_xticklabels()] == ["1", "2"]


def test_ties_are_seen() -> None:
    rules = pairs.Rules(deck=dict.fromkeys((1, 2, 3), 2), target=3, tie="hit")
    round_ = pairs.solve(rules).round((0, 0))
    ax = plots.plot_hands(round_)
    draw(ax)
    ties = pixels(ax, 1)
    words = cell_texts(ax)
    assert list(words.values()).count("tie") == 4
    for (other, own), word in words.items():
        assert np.ma.getmaskarray(ties)[own, other] == (word != "tie")
    assert round_.hits[round_.ties].all()
    assert not [line for line in ax.lines if len(xs(line))]  # neither is worse


def test_shades_have_no_white_between_hit_and_fold() -> None:
    """As many of both, from the darkest of each to a colour that is clearly one."""
    shades = plots._shades()
    assert shades.N == 256
    rgb = np.array([shades(i)[:3] for i in range(256)])
    fold, hit = rgb[:128], rgb[128:]
    assert (fold[:, 0] > fold[:, 2] + 0.3).all()  # orange: red over blue
    assert (hit[:, 2] > hit[:, 0] + 0.08).all()  # purple: blue over red
    whole = colormaps["PuOr"]
    for place, shade in ((0.0, 0), (0.38, 127), (0.62, 128), (1.0, 255)):
        assert shades(shade) == whole(place)
    brightness = rgb.mean(axis=1)
    assert (np.diff(brightness[:128]) > -0.01).all()
    assert (np.diff(brightness[128:]) < 0.01).all()


def test_hands_that_are_none_are_seen() -> None:
    rules = pairs.Rules(deck=dict.fromkeys(range(1, 6), 1), target=2)
    ax = plots.plot_hands(pairs.solve(rules).round((0, 0)))
    draw(ax)
    lead = pixels(ax)
    assert lead.shape == (10, 10)
    assert np.ma.getmaskarray(lead)[0, 1]  # 1 and 2 against 1 and 3
    assert len(ax.texts) == 30  # three hands go with each
    assert to_hex(ax.get_facecolor()) == "#d9d9d9"
    assert ax.get_legend_handles_labels()[1] == ["no such hands"]


def test_dots_are_where_a_policy_errs() -> None:
    response = pairs.best_response(RULES, "fifty_percent")
    # The leader keeps to the policy, and the other responds.
    ax = plots.plot_hands(response.round((0, 0), seat=1))
    draw(ax)
    (dots,) = [line for line in ax.lines if label_of(line).startswith("the other act")]
    dotted = {(round(x - 0.3), round(y + 0.3)) for x, y in points(dots)}
    lead = pixels(ax)
    words = cell_texts(ax)
    worse = {
        (x, y) for (x, y), word in words.items() if (lead[y, x] > 0) != (word == "hit")
    }
    assert dotted == worse
    assert 0 < len(worse) < len(words)
    # The responder never errs.
    ax = plots.plot_hands(response.round((0, 0), seat=0))
    assert not [line for line in ax.lines if len(xs(line))]


def test_hands_of_a_fresh_deck_where_the_deck_is_remembered() -> None:
    rules = pairs.Rules(deck=3, target=4, reshuffle="exhausted")
    solution = pairs.solve(rules)
    advice = solution.advice(hand=[2], others=[3], scores=[0, 0])
    assert advice.hit is not None
    assert advice.fold is not None
    round_ = solution.round((0, 0))
    fields = [getattr(round_, name) for name in round_.__slots__[2:]]
    backwards = pairs.Round(rules, (0, 0), *(field[::-1] for field in fields))
    for given in (round_, backwards):
        seen = cells(plots.plot_hands(given, own=1, other=1))
        assert seen["2", "3"] == pytest.approx(advice.hit - advice.fold)


@pytest.mark.parametrize(("own", "other"), [(0, 0), (2, 1), (9, 9), (5, 2)])
def test_hands_of_sizes_without_a_choice(own: int, other: int) -> None:
    message = (
        "own and other must be numbers of cards with which there is a choice: 0 and 1, "
        rf"1 and 1, .*3 and 3, 3 and 4; got {own} and {other}"
    )
    with pytest.raises(ValueError, match=message):
        plots.plot_hands(SOLUTION.round((0, 0)), own=own, other=other)


def test_a_round_without_a_choice() -> None:
    round_ = pairs.solve(pairs.Rules(deck={1: 1}, target=1)).round((0, 0))
    with pytest.raises(ValueError, match="this round has none; got 2 and 2"):
        plots.plot_hands(round_)


@pytest.mark.parametrize("sizes", [{"own": 1.0}, {"other": True}, {"own": -1}])
def test_sizes_of_hands_are_counts(sizes: dict[str, Any]) -> None:
    (name,) = sizes
    with pytest.raises((TypeError, ValueError), match=f"{name} must be"):
        plots.plot_hands(SOLUTION.round((0, 0)), **sizes)


THUMBS: tuple[pairs.Policy, ...] = ("expected_points", "fifty_percent")
LOST = [pairs.evaluate(RULES, [name, "optimal"]) for name in THUMBS]
RESPONSES = [pairs.best_response(RULES, name) for name in THUMBS]


def test_what_is_left_at_worst_is_a_cross() -> None:
    ax = plots.plot_win_rates(LOST, RESPONSES[1:])
    draw(ax)
    worst = ax.lines[3]
    assert worst.get_label() == "mean, at worst"
    assert points(worst).tolist() == [[1 - RESPONSES[1].mean, 1]]
    assert xs(worst)[0] < xs(ax.lines[2])[1]


def test_responses_that_do_not_belong_there() -> None:
    with pytest.raises(TypeError, match=r"responses must be a pairs.Response each"):
        plots.plot_win_rates(LOST, LOST)  # type: ignore[arg-type]
    with pytest.raises(
        ValueError, match="policies of evaluations, got one to 'fifty_percent'"
    ):
        plots.plot_win_rates(LOST[:1], RESPONSES)
    three = pairs.Rules(players=3, deck={1: 4}, target=2)
    with pytest.raises(ValueError, match="responses must be of two players, got pla"):
        plots.plot_win_rates(LOST, [pairs.best_response(three, "fifty_percent")])


@pytest.mark.parametrize(
    ("function", "argument", "message"),
    [
        (plots.plot_hands, 3, "round_ must be a pairs.Round, got 3 of type int"),
        (plots.plot_scores, 3, "solution must be a pairs.Solution, got 3 of type int"),
        (plots.plot_win_rates, [3], "evaluations must be a pairs.Evaluation each"),
    ],
)
def test_other_things_are_refused(function: Any, argument: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        function(argument)


def test_rates_of_three_are_refused() -> None:
    rules = pairs.Rules(players=3, deck={1: 2, 2: 2}, target=2)
    found = pairs.evaluate(rules, "never_hit")
    with pytest.raises(ValueError, match="evaluations must be of two players, got pl"):
        plots.plot_win_rates([found])


def test_nothing_to_draw() -> None:
    with pytest.raises(ValueError, match="at least one Evaluation, got none"):
        plots.plot_win_rates([])


def test_scores_are_of_two_players() -> None:
    solution = pairs.solve(pairs.Rules(players=3, deck={1: 4}, target=2))
    with pytest.raises(ValueError, match="must be of two players, got players=3"):
        plots.plot_scores(solution)
    with pytest.raises(
        ValueError, match="round_ must be of two players, got players=3"
    ):
        plots.plot_hands(solution.round((0, 0, 0)))
