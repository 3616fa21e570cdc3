"""The rule by black cards is the boundary of exact tables."""

import numpy as np
import pytest

from cardgames_dp import redblack
from cardgames_dp.redblack import Rules


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
    least = redblack.thresholds(45, rules=rules).least_red(range(46))
    for black in range(46):
        expected = np.arange(46) < least[black]
        assert np.array_equal(stop[:, black], expected), black


def test_card_game_note_rule() -> None:
    least = redblack.thresholds(10).least_red(range(11)).tolist()
    assert least[0] == 1
    assert least[1:3] == [1, 2]  # play while r >= b
    assert least[3:6] == [2, 3, 4]  # play while r >= b - 1: for 5 as well
    assert least[6] == 4  # not for 6


def test_one_number_of_black_cards() -> None:
    found = redblack.thresholds(20)
    least = found.least_red(np.arange(20).reshape(4, 5))
    assert least.shape == (4, 5)
    assert least.dtype == np.int64
    for black in range(20):
        assert type(found.least_red(black)) is int
        assert found.least_red(black) == least.flat[black]


def test_large_numbers_follow_the_thresholds() -> None:
    found = redblack.thresholds(400)
    rng = np.random.default_rng(1)
    for black in rng.integers(10, 10**5, 50).tolist():
        red = found.least_red(black)
        for r, stops in ((red - 1, True), (red, False)):
            excess = black - r
            assert (r + black <= found[excess - 1]) == stops


def test_what_is_not_known_is_refused() -> None:
    known = redblack.thresholds(6)
    with pytest.raises(ValueError, match="black must be an integer >= 0, got -1"):
        known.least_red(-1)
    with pytest.raises(TypeError, match=r"black\[1\] must be an integer >= 0, got 1.5"):
        known.least_red([1, 1.5])  # type: ignore[arg-type]
    assert known[5] == 58
    assert known.least_red(32) == 32 - 6 + 1  # 26 + 32 cards are 58
    assert known.least_red([]).shape == (0,)
    with pytest.raises(ValueError, match=r"at most 32 for .* up to excess 6, got 33"):
        known.least_red([3, 33])
    with pytest.raises(ValueError, match="at most 32"):
        known.least_red(10**400)
    gap = redblack.Thresholds(
        np.where(np.arange(6) == 4, -1, known.n), 4, (5,), known.rules
    )
    with pytest.raises(ValueError, match=r"at most 16 for .* up to excess 4, got 17"):
        gap.least_red(17)
    assert gap.least_red(range(6)).tolist() == [1, 1, 2, 2, 3, 4]
