"""The rule by black cards is the boundary of exact tables."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from cardgames_dp import TooLargeError, redblack
from cardgames_dp.redblack import Rules, boundary


@pytest.mark.parametrize(
    "rules",
    [
        Rules(),
        Rules(tie="draw"),
        Rules(win=2),
        Rules(win="3/2", fee="1/10"),
        Rules(win=9),
    ],
)
def test_it_is_the_boundary_of_the_table(rules: Rules) -> None:
    stop = redblack.solve(45, 45, rules=rules, backend="exact").stop
    least = redblack.least_red(45, rules=rules)
    for black in range(46):
        expected = np.arange(46) < least[black]
        assert np.array_equal(stop[:, black], expected), black


def test_card_game_note_rule() -> None:
    least = redblack.least_red(10).tolist()
    assert least[0] == 1
    assert least[1:3] == [1, 2]  # play while r >= b
    assert least[3:6] == [2, 3, 4]  # play while r >= b - 1: for 5 as well
    assert least[6] == 4  # not for 6


@settings(max_examples=20)
@given(more=st.integers(0, 1000), fewer=st.integers(0, 1000))
def test_a_longer_rule_begins_with_a_shorter_one(more: int, fewer: int) -> None:
    fewer, more = sorted((fewer, more))
    assert np.array_equal(
        redblack.least_red(more)[: fewer + 1], redblack.least_red(fewer)
    )


def test_large_numbers_follow_the_thresholds() -> None:
    least = redblack.least_red(10**5)
    found = redblack.thresholds(400)
    rng = np.random.default_rng(1)
    for black in rng.integers(10, 10**5, 50).tolist():
        red = least[black]
        for r, stops in ((red - 1, True), (red, False)):
            excess = black - r
            assert (r + black <= found[excess - 1]) == stops


def test_what_is_not_known_or_too_much_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with pytest.raises(TooLargeError, match=r"rule by black cards needs .*thresholds"):
        redblack.least_red(10**15)
    with pytest.raises(ValueError, match="max_black must be an integer >= 0, got -1"):
        redblack.least_red(-1)
    with pytest.raises(ValueError, match="win - fee >= lose"):
        redblack.least_red(5, rules=Rules(lose=2))
    known = redblack.thresholds(6)
    gap = redblack.Thresholds(
        np.where(np.arange(6) == 4, -1, known.n), 4, (5,), known.rules
    )
    monkeypatch.setattr(boundary, "thresholds", lambda *_, **__: gap)
    with pytest.raises(ArithmeticError, match="threshold at excess 5 is not known"):
        redblack.least_red(40)
    assert redblack.least_red(5).tolist() == [1, 1, 2, 2, 3, 4]
