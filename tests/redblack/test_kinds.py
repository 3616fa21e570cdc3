"""Decks of several kinds of cards, against the definition and against two colours."""

import math
import pickle
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from cardgames_dp import diagonal, exact, redblack
from cardgames_dp.game import check
from cardgames_dp.redblack import kinds
from cardgames_dp.redblack.kinds import likely_counts

worths = st.fractions(-4, 4, max_denominator=3)
decks = st.dictionaries(worths, st.integers(0, 3), min_size=1, max_size=4)


@cache
def drawn(deck: tuple[tuple[Fraction, int], ...]) -> Fraction:
    """Return what drawing a card and playing on brings, from the definition."""
    total = sum([count for _, count in deck])
    worth = Fraction(0)
    for i, (each, count) in enumerate(deck):
        if count:
            rest = (*deck[:i], (each, count - 1), *deck[i + 1 :])
            worth += Fraction(count, total) * (each + played(rest))
    return worth


def played(deck: tuple[tuple[Fraction, int], ...]) -> Fraction:
    """Return what a deck is worth, from the definition."""
    return max(Fraction(0), drawn(deck)) if any(c for _, c in deck) else Fraction(0)


@given(deck=decks)
def test_the_game_is_that_of_the_definition(deck: dict[Fraction, int]) -> None:
    sizes = tuple(sorted(deck.items(), reverse=True))
    expected = played(tuple(deck.items()))
    assert kinds.value(deck, backend="exact") == expected
    assert kinds.value(deck) == pytest.approx(float(expected), abs=1e-12)
    exactly: Any = exact.solve(kinds.game(deck))
    floats = diagonal.solve(kinds.game(deck))
    states = [*np.ndindex(tuple([count + 1 for _, count in sizes]))]
    rows = np.array([[*state, 0] for state in states])
    values, rounded, errors = (
        of(rows) for of in (exactly.values, floats.values, floats.errors)
    )
    for i, state in enumerate(states):
        left = tuple([(w, n) for (w, _), n in zip(sizes, state, strict=True)])
        assert values[i] == played(left)
        assert abs(Fraction(rounded[i]) - played(left)) <= errors[i] < 1e-9
        if any(state):
            _, actions, each, best = exactly.advice(rows[[i]])
            assert actions.tolist() == [1, 2]
            assert each.tolist() == [0, drawn(left)]
            assert best.tolist() == [drawn(left) <= 0, drawn(left) >= 0]
    assert exactly.value == expected


@pytest.mark.parametrize(("red", "black"), [(26, 26), (100, 80), (7, 30), (500, 500)])
def test_two_kinds_are_red_and_black(red: int, black: int) -> None:
    expected = redblack.value(red, black)
    assert kinds.value({1: red, -1: black}) == pytest.approx(expected, rel=1e-12)
    # A blank card can be drawn past at no cost, so that it changes nothing.
    blanks = {1: red, 0: 40, -1: black}
    assert kinds.value(blanks) == pytest.approx(expected, rel=1e-12)


def test_the_band_leaves_out_nothing_that_counts() -> None:
    cards: dict[Any, int] = {2: 120, "1/3": 1, -1: 200}
    result = [likely_counts((1, 120, 200), n) for n in range(322)]
    cells = sum(math.prod([high - low + 1 for low, high in each]) for each in result)
    assert cells < 0.9 * 121 * 2 * 201  # as there are without a band
    whole = diagonal.solve(kinds.game(cards))
    assert whole.value > 20
    assert abs(kinds.value(cards) - whole.value) <= 1e-10 + whole.error < 1e-9


def test_one_kind_and_no_cards() -> None:
    assert kinds.value({3: 5}) == kinds.value({"3": 5}, backend="exact") == 15
    assert kinds.value({-3: 5}) == kinds.value({3: 0}) == 0
    game = kinds.game([(1, 1), ("-1/2", 2), (1, 0)])
    assert pickle.loads(pickle.dumps(game)) == game
    check(game, rng=1)
