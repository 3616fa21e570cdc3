"""Decks of several kinds of cards, against the definition and against two colours."""

import json
import pickle
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

import cardgames_dp
from cardgames_dp import TooLargeError, redblack
from cardgames_dp.redblack import kinds
from cardgames_dp.redblack.kinds import read

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
def test_value_is_that_of_the_definition(deck: dict[Fraction, int]) -> None:
    expected = played(tuple(deck.items()))
    assert kinds.value(deck, backend="exact") == expected
    assert kinds.value(deck) == pytest.approx(float(expected), abs=1e-12)


@given(deck=decks, data=st.data())
def test_tables_and_advice_are_those_of_the_definition(
    deck: dict[Fraction, int], data: st.DataObject
) -> None:
    exact = kinds.solve(deck, backend="exact")
    floats = kinds.solve(deck)
    assert exact.worths == floats.worths == tuple(sorted(deck, reverse=True))
    assert exact.values.shape == tuple([deck[w] + 1 for w in exact.worths])
    for state in np.ndindex(exact.values.shape):
        left = tuple(zip(exact.worths, state, strict=True))
        assert exact.values[state] == played(left)
        assert exact.stop[state] == (played(left) == 0)
        tie = sum(state) > 0 and drawn(left) == 0
        assert exact.ties[state] == floats.ties[state] == tie
    assert np.abs((floats.values - exact.values).astype(float)).max() <= floats.error
    assert exact.error == 0
    assert exact.value == kinds.value(deck, backend="exact")
    counts = {w: data.draw(st.integers(0, c)) for w, c in deck.items()}
    advice = exact.advice(counts)
    assert advice == kinds.advice(deck, counts, backend="exact")
    left = tuple([(worth, counts[worth]) for worth in exact.worths])
    cash = sum([w * (deck[w] - counts[w]) for w in deck], Fraction(0))
    assert advice.state == tuple([counts[worth] for worth in exact.worths])
    assert (advice.values["stop"], advice.certain, advice.error) == (cash, True, 0)
    assert advice.value == advice.returns[0] == cash + exact.values[advice.state]
    if any(counts.values()):
        assert advice.values["draw"] == cash + drawn(left)
        assert advice.action == ("draw" if drawn(left) > 0 else "stop")
        assert advice.tie == (drawn(left) == 0)
    else:
        assert "draw" not in advice.values
    for one in (floats.advice(counts), kinds.advice(deck, counts)):
        assert (one.action, one.best, one.state) == (
            *(advice.action, advice.best, advice.state),
        )
        assert one.certain != one.tie
        assert 0 <= one.error < 1e-12
        for action, worth in one.values.items():
            assert worth == pytest.approx(float(advice.values[action]), abs=1e-12)


@pytest.mark.parametrize(("red", "black"), [(26, 26), (100, 80), (7, 30), (300, 300)])
def test_two_kinds_are_red_and_black(red: int, black: int) -> None:
    expected = redblack.value(red, black)
    assert kinds.value({1: red, -1: black}) == pytest.approx(expected, rel=1e-12)
    # A blank card can be drawn past at no cost, so that it changes nothing.
    blanks = {1: red, 0: 40, -1: black}
    assert kinds.value(blanks) == pytest.approx(expected, rel=1e-12)


def test_the_band_leaves_out_nothing_that_counts() -> None:
    cards: dict[Any, int] = {2: 120, "1/3": 120, -1: 240}
    deck = read("deck", cards).commonest_last()
    assert deck.cells(banded=True) < 0.75 * deck.cells(banded=False)
    whole = kinds.solve(cards)
    assert whole.value > 40
    assert abs(kinds.value(cards) - whole.value) <= 2 * whole.error < 1e-9


@pytest.mark.slow
def test_a_few_thousand_cards_of_three_kinds() -> None:
    value = kinds.value({1: 1000, 0: 1000, -1: 1000})
    assert value == pytest.approx(redblack.value(1000, 1000), rel=1e-11)


def test_one_kind_and_no_cards() -> None:
    assert kinds.value({3: 5}) == kinds.value({"3": 5}, backend="exact") == 15
    assert kinds.value({-3: 5}) == kinds.value({3: 0}) == 0
    assert kinds.solve({3: 2}).values.tolist() == [0, 3, 6]
    over = kinds.advice({3: 2}, {})
    assert str(over) == "(0,): stop; value: stop 6."


def test_results_say_what_they_are() -> None:
    solution = kinds.solve([(1, 1), ("-1/2", 2), (1, 0)], backend="exact")
    assert repr(solution) == (
        "Solution(deck={1: 1, -0.5: 2}, backend='exact', value=0.5)"
    )
    assert str(solution.advice({1: 1, "-1/2": 2})) == (
        "(1, 2): draw; value: stop 0, draw 0.5."
    )
    tied = kinds.advice({1: 1, -1: 2}, {1: 1, -1: 2})
    assert str(tied) == ("(1, 2): stop (a possible tie); value: stop 0, draw 0.")
    assert pickle.loads(pickle.dumps(solution)) == solution
    assert json.loads(json.dumps(solution.to_dict(json=True)))["value"] == "1/2"


BAD: list[tuple[Any, type[Exception], str]] = [
    (7, TypeError, "deck must be a mapping of worths to numbers of cards, or pairs"),
    ("12", TypeError, "deck must be a mapping of worths"),
    ([3], TypeError, "pairs of both, got the item 3"),
    ({}, ValueError, r"at least one, got \{\}"),
    ({1: -1}, ValueError, r"deck\[1\] must be an integer >= 0, got -1"),
    ({1: 1.5}, TypeError, r"deck\[1\] must be an integer >= 0"),
    ({"one": 1}, ValueError, "a worth of deck must be a finite int.* got 'one'"),
    ({float("nan"): 1}, ValueError, "a worth of deck must be a finite int"),
    ({10**301: 1}, ValueError, "worths that float64 can sum.* use backend='exact'"),
]


@pytest.mark.parametrize(("deck", "kind", "message"), BAD)
def test_bad_decks_are_refused(deck: Any, kind: type[Exception], message: str) -> None:
    for ask in (kinds.value, kinds.solve):
        with pytest.raises(kind, match=message):
            ask(deck)


def test_large_worths_are_exact() -> None:
    assert kinds.value({10**301: 1, -1: 0}, backend="exact") == 10**301


def test_what_is_left_is_part_of_the_deck() -> None:
    for ask in (kinds.solve({1: 2, -1: 2}).advice, lambda x: kinds.advice({1: 2}, x)):
        with pytest.raises(ValueError, match=r"left must be a part .* 2 cards of 1, g"):
            ask({1: 3})
        with pytest.raises(ValueError, match=r"left must be a part .* 0 cards of 5, g"):
            ask({5: 1})
        with pytest.raises(TypeError, match="left must be a mapping"):
            ask("all")  # type: ignore[arg-type]


def test_what_is_too_much_is_refused_with_its_size(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ranks = {Fraction(rank) - 7: 4 for rank in range(1, 14)}
    refused = pytest.raises(TooLargeError, match="table of a deck of 1220703125 states")
    with cardgames_dp.running(max_bytes=2**30), refused:
        kinds.solve(ranks)
    refused = pytest.raises(
        TooLargeError, match=r"max_bytes, 99 bytes; use .* no table"
    )
    with cardgames_dp.running(max_bytes=99), refused:
        kinds.solve({1: 9, -1: 9})
    many = {Fraction(rank): 9 for rank in range(20)}
    with pytest.raises(TooLargeError, match="merge kinds of about the same worth"):
        kinds.value(many)
    monkeypatch.setattr("cardgames_dp._support.running.physical_memory", lambda: 2**60)
    with pytest.raises(ValueError, match=r"states of deck must be at most 1e.14"):
        kinds.value({1: 10**7, 0: 10**7, -1: 10**7})
