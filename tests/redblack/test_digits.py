"""Values to any number of digits: all of them right, whatever was cut off."""

import decimal
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, strategies as st

from cardgames_dp import redblack
from cardgames_dp.redblack import Rules
from cardgames_dp.redblack._kernels import methods, scaling
from cardgames_dp.redblack._kernels.digits import CutSweep
from cardgames_dp.redblack._kernels.scaling import Band
from cardgames_dp.redblack._kernels.staircase.climb import Deck
from cardgames_dp.redblack._kernels.sweep import Sweep
from cardgames_dp.redblack.rules import Stakes

RULES = [
    Rules(),
    Rules(win=2),
    Rules(lose=2),
    Rules(win=3, lose=2),
    Rules(fee="0.1"),
    Rules(win="1.01"),
    Rules(lose=30),
]


def rounded(exact: Fraction, digits: int) -> Decimal:
    context = decimal.Context(prec=digits, rounding=decimal.ROUND_HALF_EVEN)
    return context.divide(Decimal(exact.numerator), Decimal(exact.denominator))


@given(
    red=st.integers(0, 250),
    black=st.integers(0, 250),
    digits=st.integers(1, 60),
    rules=st.sampled_from(RULES),
)
def test_digits_are_those_of_the_exact_value(
    red: int, black: int, digits: int, rules: Rules
) -> None:
    exact = redblack.value(red, black, rules=rules, backend="exact")
    found = redblack.value(red, black, rules=rules, digits=digits)
    assert found == rounded(exact, digits)
    assert isinstance(found, Decimal)


@pytest.mark.parametrize(
    ("red", "black", "rules"),
    [
        (500, 500, Rules()),
        (500, 500, Rules(fee="0.02")),
        (700, 300, Rules(fee="0.4")),
        (3000, 100, Rules(lose=30)),
        (100, 3000, Rules(win=29)),
    ],
)
def test_bounds_hold_with_few_bits(red: int, black: int, rules: Rules) -> None:
    """So few that cuts are felt: cells of 40 bits, of fair and of tilted decks."""
    stakes, deck = Stakes.of(rules), Deck(red, black)
    exact = methods.best_reward(Sweep(stakes, red, black, exact=True))
    for bits in (40, 60, 100):
        sweep = CutSweep(stakes, red, black, bits)
        last = list(sweep.levels())[-1]
        assert last.cut
        if last.n == red + black or last.top >= red:
            count = scaling.binomial(
                red + black, red, exact=False, bits=sweep.precision
            )
            ends = sweep.bounds(last, deck, count)
        else:
            ends = sweep.leapt(last, deck)
        assert ends is not None
        lower, upper = ends
        assert lower <= exact <= upper
        assert upper - lower <= exact * 2.0 ** (20 - bits) + 2.0 ** (20 - bits)


def test_every_cell_is_within_its_cut() -> None:
    """Cell by cell of the integers that the exact sweep has."""
    stakes = Stakes(3, 2, Fraction(1))
    cut_sweep = CutSweep(stakes, 150, 250, 30)
    # No path is left out, so nothing but cuts is missing.
    object.__setattr__(cut_sweep, "band", Band(150, 250, 2000))
    exactly = Sweep(stakes, 400, 400, exact=True).levels()
    for found, exact in zip(cut_sweep.levels(), exactly, strict=False):
        assert found.top == exact.top
        for r in range(found.top, min(found.top + 10, found.n, 151)):
            weight = cut_sweep.tilt.weight(r, exact.n - r, 2000).fraction()
            unit = Fraction(2) ** found.unit
            cell = exact.cells.item(r - exact.base) * weight / unit
            assert 0 <= cell - found.cells.item(r - found.base) <= found.cut


def test_many_decks_by_one_sweep() -> None:
    sizes = [1, 400, 26, 0, 400, 3]
    for rules in (Rules(), Rules(win="1.2"), Rules(lose=2)):
        found = redblack.value(sizes, sizes, rules=rules, digits=33)
        exact = redblack.value(sizes, sizes, rules=rules, backend="exact")
        assert found.tolist() == [rounded(value, 33) for value in exact]
    assert redblack.value([], [], digits=5).tolist() == []


def test_a_value_half_way_between_two_decimals() -> None:
    """No bounds that are wider than nothing agree there, but the exact value does."""
    assert redblack.value(199, 1, backend="exact") == Fraction(198005, 1000)
    assert redblack.value(199, 1, digits=5) == Decimal("198.00")
    assert redblack.value(199, 1, digits=6) == Decimal("198.005")


def test_a_deck_that_draws_for_next_to_nothing() -> None:
    """A value of 1e-40 or so, far below the cuts of the first sweep."""
    deck, low, high = (60, 62), Fraction(0), Fraction(1, 5)
    for _ in range(130):
        fee = (low + high) / 2
        if redblack.value(*deck, rules=Rules(fee=fee), backend="exact"):
            low = fee
        else:
            high = fee
    exact = redblack.value(*deck, rules=Rules(fee=low), backend="exact")
    assert 0 < exact < Fraction(1, 10**36)
    assert redblack.value(*deck, rules=Rules(fee=low), digits=3) == rounded(exact, 3)
    assert redblack.value(*deck, rules=Rules(fee=high), digits=3) == 0


@pytest.mark.slow
def test_fifty_digits_of_thousands_of_cards() -> None:
    """The value of 3000 + 3000 cards as a Fraction has 5995 bits in its numerator."""
    exact = redblack.value(3000, 3000, backend="exact")
    assert redblack.value(3000, 3000, digits=50) == rounded(exact, 50)
    assert redblack.value(3000, 3000, digits=50) == Decimal(
        "28.578225084220591559938208703633977291926477671365"
    )
    large = redblack.value(10_000, 10_000, digits=50)
    assert Fraction(large) in redblack.enclosure(10_000, 10_000)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"digits": 0}, r"digits must be an integer >= 1, got 0"),
        ({"digits": 10**6}, r"digits must be .* from 1 to 100000, got 1000000"),
        ({"digits": 9, "backend": "exact"}, r"digits must not be given with backend="),
        ({"digits": 9, "method": "staircase"}, r"must not be 'staircase' with digits"),
        ({"digits": 9, "method": "best"}, r"method must be"),
        ({"digits": 9, "checkpoint": "x.npz"}, r"checkpoint is for method='staircase'"),
        (
            {"digits": 9, "rules": Rules(utility=lambda cash: cash)},
            r"digits must not be given for rules with a utility",
        ),
    ],
)
def test_what_does_not_go_with_digits(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        redblack.value(5, 5, **given)
    with pytest.raises(ValueError, match=message):
        redblack.value([5], [5], **given)


def test_digits_are_integers() -> None:
    with pytest.raises(TypeError, match="digits"):
        redblack.value(5, 5, digits=2.0)  # type: ignore[call-overload]


def test_too_many_cards_are_refused() -> None:
    with pytest.raises(ValueError, match=r"levels of a sweep .* with digits must"):
        redblack.value(10**9, 10**9, digits=50)
