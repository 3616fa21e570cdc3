"""Decks of several kinds of cards, against the definition and against two colours."""

import pickle
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

import cardgames_dp
from cardgames_dp import TooLargeError, diagonal, exact, play, redblack
from cardgames_dp.game import check
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


@given(deck=decks)
def test_the_game_is_that_of_the_definition(deck: dict[Fraction, int]) -> None:
    sizes = tuple(sorted(deck.items(), reverse=True))
    exactly: Any = exact.solve(kinds.game(deck))
    floats = diagonal.solve(kinds.game(deck))
    states = [*np.ndindex(tuple([count + 1 for _, count in sizes]))]
    rows = np.array([[*state, 0] for state in states])
    values, rounded = exactly.values(rows)[:, 0], floats.values(rows)[:, 0]
    for i, state in enumerate(states):
        left = tuple([(w, n) for (w, _), n in zip(sizes, state, strict=True)])
        cash = sum([w * (deck[w] - n) for w, n in left], Fraction(0))
        assert values[i] == cash + played(left)
        error = abs(Fraction(rounded[i]) - cash - played(left))
        assert error <= floats.error < 1e-9
        if any(state):
            _, actions, each, best = exactly.advice(rows[[i]])
            assert actions.tolist() == [1, 2]
            assert each.tolist() == [cash, cash + drawn(left)]
            assert best.tolist() == [drawn(left) <= 0, drawn(left) >= 0]
    assert exactly.value == (kinds.value(deck, backend="exact"),)


@given(deck=decks, data=st.data())
def test_advice_is_that_of_the_definition(
    deck: dict[Fraction, int], data: st.DataObject
) -> None:
    counts = {w: data.draw(st.integers(0, c)) for w, c in deck.items()}
    advice = kinds.advice(deck, counts, backend="exact")
    left = tuple([(worth, counts[worth]) for worth in sorted(deck, reverse=True)])
    cash = sum([w * (deck[w] - counts[w]) for w in deck], Fraction(0))
    assert advice.state == tuple([count for _, count in left])
    assert (advice.values["stop"], advice.certain, advice.error) == (cash, True, 0)
    assert advice.value == advice.returns[0] == cash + played(left)
    if any(counts.values()):
        assert advice.values["draw"] == cash + drawn(left)
        assert advice.action == ("draw" if drawn(left) > 0 else "stop")
        assert advice.tie == (drawn(left) == 0)
    else:
        assert "draw" not in advice.values
    one = kinds.advice(deck, counts)
    known = advice.action, advice.best, advice.state
    assert (one.action, one.best, one.state) == known
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
    assert deck.cells() < 0.75 * 4_690_000  # as there are without a band
    whole = diagonal.solve(kinds.game(cards))
    assert whole.value[0] > 40
    error = deck.error(deck.total) + whole.error
    assert abs(kinds.value(cards) - whole.value[0]) <= error < 1e-9


@pytest.mark.slow
def test_a_few_thousand_cards_of_three_kinds() -> None:
    value = kinds.value({1: 1000, 0: 1000, -1: 1000})
    assert value == pytest.approx(redblack.value(1000, 1000), rel=1e-11)


def test_one_kind_and_no_cards() -> None:
    assert kinds.value({3: 5}) == kinds.value({"3": 5}, backend="exact") == 15
    assert kinds.value({-3: 5}) == kinds.value({3: 0}) == 0
    over = kinds.advice({3: 2}, {})
    assert str(over) == "(0,): stop; value: stop 6."


def test_results_say_what_they_are() -> None:
    deck: Any = [(1, 1), ("-1/2", 2), (1, 0)]
    advice = kinds.advice(deck, {1: 1, "-1/2": 2}, backend="exact")
    assert str(advice) == "(1, 2): draw; value: stop 0, draw 0.5."
    tied = kinds.advice({1: 1, -1: 2}, {1: 1, -1: 2})
    assert str(tied) == ("(1, 2): stop (a possible tie); value: stop 0, draw 0.")
    game = kinds.game(deck)
    assert pickle.loads(pickle.dumps(game)) == game
    check(game, rng=1)


def test_play_knows_a_deck_of_several_kinds() -> None:
    """Distributions, responses and simulated games agree with the value."""
    game = kinds.game({3: 2, 1: 3, "-1/2": 3, -2: 3})
    solution = exact.solve(game)
    law = play.distribution(game, solution, backend="exact")
    best = play.best_response(game, [None], 0, backend="exact")
    assert law.means == solution.value == best.solution.value
    games = play.simulate(game, solution, games=20_000, rng=1)
    assert abs(games.mean[0] - float(law.means[0])) < 5 * games.standard_error[0]
    late = play.regret(game, lambda states: np.full(len(states), 2), backend="exact")
    assert late.loss == solution.value[0] - (6 + 3 - Fraction(3, 2) - 6)


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
    with pytest.raises(kind, match=message):
        kinds.value(deck)
    if "float64" not in message:
        with pytest.raises(kind, match=message):
            kinds.game(deck)


def test_large_worths_are_exact() -> None:
    assert kinds.value({10**301: 1, -1: 0}, backend="exact") == 10**301


def test_what_is_left_is_part_of_the_deck() -> None:
    with pytest.raises(ValueError, match=r"left must be a part .* 2 cards of 1, g"):
        kinds.advice({1: 2}, {1: 3})
    with pytest.raises(ValueError, match=r"left must be a part .* 0 cards of 5, g"):
        kinds.advice({1: 2}, {5: 1})
    with pytest.raises(TypeError, match="left must be a mapping"):
        kinds.advice({1: 2}, "all")  # type: ignore[arg-type]


def test_what_is_too_much_is_refused_with_its_size(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ranks = {Fraction(rank) - 7: 4 for rank in range(1, 14)}
    refused = pytest.raises(TooLargeError, match="a deck of 1220703125 states needs")
    with cardgames_dp.running(max_bytes=2**30), refused:
        kinds.value(ranks, backend="exact")
    refused = pytest.raises(TooLargeError, match="max_bytes, 99 bytes; merge kinds")
    with cardgames_dp.running(max_bytes=99), refused:
        kinds.value({1: 9, -1: 9})
    many = {Fraction(rank): 9 for rank in range(20)}
    with pytest.raises(TooLargeError, match="merge kinds of about the same worth"):
        kinds.value(many)
    monkeypatch.setattr("cardgames_dp._support.running.physical_memory", lambda: 2**60)
    with pytest.raises(ValueError, match=r"states of deck must be at most 1e.14"):
        kinds.value({1: 10**7, 0: 10**7, -1: 10**7})
