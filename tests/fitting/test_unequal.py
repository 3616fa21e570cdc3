"""The law of growth for unequal colours, against decks and against its equations."""

import math

import mpmath
import pytest
from hypothesis import given, strategies as st

from cardgames_dp import fitting, redblack
from cardgames_dp.fitting import growth
from cardgames_dp.redblack._kernels.large_decks import ALPHA


@given(cards=st.integers(2000, 4000), y=st.floats(-4, 0.5))
def test_decks_are_within_the_error(cards: int, y: float) -> None:
    excess = math.ceil(y * math.sqrt(cards))
    excess += (excess - cards) % 2
    if excess > 0.5 * math.sqrt(cards):
        excess -= 2
    red, black = (cards - excess) // 2, (cards + excess) // 2
    law = fitting.asymptotic_value(red, black)
    assert abs(law.value - redblack.value(red, black)) <= law.error


@pytest.mark.parametrize("cards", [20_000, 100_000])
def test_large_decks_are_within_the_error(cards: int) -> None:
    """Errors fall as the exponent says: that of the next term would be too small."""
    for deviations in (-4, -3, -1.5, -0.5, 0, 0.3, 0.5):
        excess = 2 * math.trunc(deviations * math.sqrt(cards) / 2)
        red, black = (cards - excess) // 2, (cards + excess) // 2
        law = fitting.asymptotic_value(red, black)
        assert law.error < 3 * cards**-1.2
        assert abs(law.value - redblack.value(red, black)) <= law.error


@pytest.mark.parametrize("size", [1000, 10**5, 10**9, 10**20])
def test_equal_colours_have_the_same_law(size: int) -> None:
    law = growth._unequal(size, size)
    assert fitting.asymptotic_value(size, size) == fitting.asymptotic_value(size)
    assert float(law) == pytest.approx(
        float(fitting.asymptotic_value(size)), rel=1e-14, abs=2 * (2 * size) ** -1.23
    )


def test_terms_by_their_formulas() -> None:
    """The lattice's term on the boundary, too; both terms with other functions."""
    context = mpmath.MPContext()
    context.dps = 30
    alpha = context.mpf(ALPHA)
    for y in (-4.0, 0.0, 0.5, ALPHA):
        place = context.mpf(y)
        bridge = context.sqrt(2 * context.pi) * (1 - alpha**2)
        bridge *= context.exp(place**2 / 2) * context.ncdf(place)
        third, fourth = place**3 - 3 * place, place**4 - 6 * place**2 + 3
        lattice = (1 - alpha**2) * third + bridge * fourth + (2 * alpha**2 - 1) * place
        result = growth._lattice(y, float(bridge))
        assert result == pytest.approx(float(lattice / 12), rel=1e-10, abs=1e-14)
        disturbed = context.exp(place**2 / 4) * context.pcfd(0.6, -place)
        result = growth._disturbance(0.3, y)
        assert result == pytest.approx(float(disturbed), rel=1e-10)
    assert float(lattice / 12) == pytest.approx(-ALPHA / 12, abs=1e-12)


def test_other_rules_are_another_bridge() -> None:
    """As the notes say: the bridge's variance is the product of gain and cost."""
    rules = redblack.Rules(win=3, lose=2)
    for excess in (-60, 0, 20):
        red, black = 4000 - excess, 6000
        fair = math.sqrt(6 * (red + black))
        limit = fair * redblack.bridge_value(0, 3 * excess / fair) - 3 * excess
        result = redblack.value(red, black, rules=rules)
        assert result == pytest.approx(limit, abs=0.5)


def test_the_smallest_and_the_largest_decks() -> None:
    most = 10**30 // 2 + 10**14
    for red, black in ((999, 1001), (10**30 - most, most)):
        assert fitting.asymptotic_value(red, black).value > 0
        less = (red, black - 1) if red < 1000 else (red, black + 1)
        with pytest.raises(ValueError, match="must be 2000 to 1e30 cards"):
            fitting.asymptotic_value(*less)
