"""Players who see cards in advance: a few of them, or all."""

import functools
import math
from collections import Counter
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, strategies as st

from cardgames_dp import redblack
from cardgames_dp.redblack import Rules, foresight as kernel
from cardgames_dp.redblack.rules import Problem
from tests.redblack.oracles import highest_cash, orders

decks = st.tuples(st.integers(0, 5), st.integers(0, 5))


def with_foresight(red: int, black: int, cards: int) -> Fraction:
    """Return the value from the definition: states are cards seen and cards drawn."""
    total = red + black

    def mean(seen: tuple[int, ...], then: Any) -> Fraction:
        left = red - seen.count(1), black - seen.count(-1)
        results = [
            n * then((*seen, card)) for n, card in zip(left, (1, -1), strict=True) if n
        ]
        return Fraction(sum(results)) / sum(left)

    @functools.cache
    def best(seen: tuple[int, ...], drawn: int) -> Fraction:
        cash = Fraction(sum(seen[:drawn]))
        if drawn == total:
            return cash
        draw: Any = lambda known: best(known, drawn + 1)  # noqa: E731
        return max(cash, draw(seen) if len(seen) == total else mean(seen, draw))

    def dealt(seen: tuple[int, ...]) -> Fraction:
        if len(seen) == min(cards, total):
            return best(seen, 0)
        return mean(seen, dealt)

    return dealt(())


@given(deck=decks, cards=st.integers(0, 11))
def test_foresight_by_its_definition(deck: tuple[int, int], cards: int) -> None:
    exact = redblack.foresight_value(*deck, cards=cards, backend="exact")
    assert exact == with_foresight(*deck, cards)
    floats = redblack.foresight_value(*deck, cards=cards)
    assert floats == pytest.approx(float(exact), rel=1e-14)


def test_almost_all_cards_are_all() -> None:
    """The last card is known by the others: two sweeps and a closed form agree."""
    for red, black in [(7, 6), (4, 9), (6, 0), (0, 5)]:
        total = red + black
        swept = kernel.sweep(Problem(Rules(), red, black, exact=True), total - 1)
        assert swept == redblack.foresight_value(red, black, backend="exact")
        all_seen = redblack.foresight_value(
            red, black, cards=total + 5, backend="exact"
        )
        assert all_seen == swept


@given(size=st.integers(1, 200))
def test_omniscient_closed_form(size: int) -> None:
    """A sum over the reflected walks, against the sum in closed form."""
    central = Fraction(1)
    for i in range(1, size + 1):
        central = central * (size + i) / i
    expected = (Fraction(4) ** size / central - 1) / 2
    assert redblack.foresight_value(size, size, backend="exact") == expected


@given(deck=decks)
def test_the_highest_cash_by_all_orders(deck: tuple[int, int]) -> None:
    """It is the lowest cash of the other colours, of which the law is known."""
    count = Counter(highest_cash(order) for order in orders(*deck))
    total = math.comb(sum(deck), deck[0])
    law = {m: Fraction(n, total) for m, n in count.items()}
    low = redblack.lowest_cash(*deck[::-1], policy="never_stop", backend="exact")
    assert {-m: p for m, p in low} == law
    mean = sum(m * p for m, p in law.items())
    assert redblack.foresight_value(*deck, backend="exact") == mean
    assert redblack.foresight_value(*deck) == pytest.approx(float(mean), rel=1e-14)


@pytest.mark.parametrize("deck", [(300, 300), (500, 200), (200, 500)])
def test_a_large_deck_of_the_clairvoyant(deck: tuple[int, int]) -> None:
    low = redblack.lowest_cash(*deck[::-1], policy="never_stop")
    assert -low.mean == pytest.approx(redblack.foresight_value(*deck), rel=1e-12)
    assert kernel.profiles(10**6) == 10**18  # the most that are counted
