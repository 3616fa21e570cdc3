"""Values of one row, of many and of several at once: all ways to them agree."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from cardgames_dp import cardrow, exact
from cardgames_dp.cardrow import Rules, State, collapsed, value, values
from cardgames_dp.game import explore

from . import oracles
from .oracles import brute_force, fractions, lists, small


@given(lists(9))
def test_every_way_to_the_value(cards: list[Any]) -> None:
    """Linear time, diagonals, table, game tree, oracle; rounded once in floats."""
    exactly = [Fraction(x) for x in cards]
    result = value(cards, backend="exact")
    assert result == brute_force(exactly)
    assert result == value(cards, method="diagonal", backend="exact")
    assert result == cardrow.solve(cards, backend="exact").value
    assert result == exact.solve(explore(cardrow.game(cards))).value
    assert type(result) is (int if all(isinstance(x, int) for x in cards) else Fraction)
    assert (value(cards), type(value(cards))) == (float(result), float)
    game = cardrow.match(cards)
    assert game.sums == cardrow.match(cards, "optimal", "optimal").sums
    assert (sum(game.sums), game.lead) == (sum(exactly), result)
    assert {type(x) for x in game.sums} == {type(result)}
    left, right, calls = cardrow.brute_force(cards)
    start = State(0, len(cards) - 1)
    worths = cardrow.solve(cards, backend="exact").advice(start).values
    assert worths == {"left": left, **({"right": right} if len(cards) > 1 else {})}
    assert calls == 2 ** len(cards) - 1


def of_parts(rows: Any, stacks: Any) -> Any:
    """Return the value from the definition."""

    @lru_cache(None)
    def ahead(rows: Any, stacks: Any) -> Any:
        result = []
        for i, row in enumerate(rows):
            for card, rest in [(row[:1], row[1:]), (row[-1:], row[:-1])]:
                after = (*rows[:i], rest, *rows[i + 1 :])
                result += [x - ahead(after, stacks) for x in card]
        for i, stack in enumerate(stacks):
            after = (*stacks[:i], stack[:-1], *stacks[i + 1 :])
            result += [x - ahead(rows, after) for x in stack[-1:]]
        return max(result, default=0)

    return ahead(tuple(map(tuple, rows)), tuple(map(tuple, stacks)))


parts = st.lists(small | fractions, min_size=1, max_size=4)
ways = st.tuples(st.lists(parts, max_size=2), st.lists(parts, max_size=2)).filter(any)


@given(ways)
def test_several_rows_and_stacks(table: Any) -> None:
    rows, stacks = table
    expected = of_parts(rows, stacks)
    assert value(*rows, stacks=stacks, backend="exact") == expected
    assert value(*rows, stacks=stacks) == float(expected)
    every = [*rows, *stacks]
    rules = Rules(
        misere=True, weights=[card + i for i, x in enumerate(every) for card in x]
    )
    more = [i * len(x) for i, x in enumerate(every)]
    doubled = [[2 * card + i for card in x] for i, x in enumerate(every)]
    ahead = -of_parts(
        *[
            [[-card for card in x] for x in some]
            for some in (doubled[: len(rows)], doubled[len(rows) :])
        ]
    )
    result = value(*rows, stacks=stacks, rules=rules, backend="exact")
    assert result == (ahead - sum(more)) / Fraction(2)


@given(st.lists(parts, min_size=1, max_size=5))
def test_collapsed_pieces_stand_for_long_rows(pieces: list[Any]) -> None:
    whole = [card for piece in pieces for card in piece]
    short = [card for piece in pieces for card in collapsed(piece)]
    assert value(whole, backend="exact") == value(short, backend="exact")
    left = collapsed(whole)
    assert collapsed(short) == left
    triples = zip(left, left[1:], left[2:], strict=False)
    assert not any(a <= b >= c for a, b, c in triples)
    # Without a peak, the cards are taken in order of size.
    order = sorted(left, reverse=True)
    assert value(left, backend="exact") == sum(order[::2]) - sum(order[1::2])


def test_long_rows() -> None:
    """Some thousands of diagonals, in both exact types; nothing recurses."""
    rng = np.random.default_rng(4)
    for scale in (1, 10**25):
        cards = [scale * x for x in rng.integers(-(10**6), 10**6, 501).tolist()]
        table = cardrow.solve(cards, backend="exact")
        lookup: Any = table._source.lookup
        assert lookup._table.dtype == (np.int64 if scale == 1 else object)
        for result in (
            value(cards, backend="exact"),
            value(cards[::-1], backend="exact"),
            value([x + scale for x in cards], backend="exact") - scale,
            value(cards, method="diagonal", backend="exact"),
        ):
            assert result == table.value
        assert cardrow.match(cards).sums == cardrow.match(cards, table, table).sums
    n = 50_001
    assert value(range(n)) == value(range(n)[::-1]) == n // 2
    assert value([1] * n) == 1
    zigzag = [i % 2 for i in range(n)]
    assert value(zigzag) == -(n // 2)
    assert cardrow.match(zigzag).positions.tolist() == [*range(n)]


@pytest.mark.parametrize("excess", [-1, 0, 1])
def test_where_int64_ends(excess: int) -> None:
    """Up to a sum of 2**62 - 1 no difference overflows; beyond it, no int64 is used."""
    cards = [-(2**60), 2**61, -(2**60) - excess]
    table = cardrow.solve(cards, backend="exact")
    lookup: Any = table._source.lookup
    assert lookup._table.dtype == (np.int64 if excess < 0 else object)
    assert table.value == value(cards, backend="exact") == brute_force(cards)
    for rules in (Rules(misere=True), Rules(take=2), Rules(players=3)):
        solved = exact.solve(explore(cardrow.game(cards, rules=rules))).payoffs
        sums = cardrow.match(cards, rules=rules).sums
        actual = sums if rules.players > 2 else (sums[0] - sums[1], sums[1] - sums[0])
        assert [-x if rules.misere else x for x in actual] == list(solved)


def same(result: Any, rows: Any, rules: Rules | None = None) -> None:
    expected = [value(row, rules=rules, backend="exact") for row in rows]
    assert result.shape == (len(expected),)
    assert result.tolist() == expected
    assert [*map(type, result.tolist())] == [*map(type, expected)]


@given(st.data(), oracles.rules, st.booleans())
def test_many_rows_are_worth_what_each_is(
    data: Any, rules: Rules, ragged: bool
) -> None:
    if ragged:
        rows = data.draw(st.lists(lists(6), min_size=1, max_size=8))
    else:
        n, kind = data.draw(st.integers(1, 7)), st.integers(-(2**40), 2**40)
        row = st.lists(kind, min_size=n, max_size=n)
        rows = data.draw(st.lists(row, min_size=1, max_size=8))
        if rules.players == 2 and data.draw(st.booleans()):
            rules = Rules(rules.take, 2, rules.misere, data.draw(row), rules.tie)
        matrix = values(np.array(rows), rules=rules, backend="exact")
        assert matrix.dtype == np.int64
        same(matrix, rows, rules)
    same(values(iter(rows), rules=rules, backend="exact"), rows, rules)
    rounded = values(rows, rules=rules)
    assert rounded.dtype == np.float64
    assert rounded.tolist() == [value(row, rules=rules) for row in rows]


@pytest.mark.parametrize("dtype", [np.uint8, np.int8, np.uint64, np.int64, np.float32])
@pytest.mark.parametrize("cards", [1, 2, 127, 128, 129])
def test_dtypes_on_both_sides_of_what_is_short(dtype: Any, cards: int) -> None:
    rows = np.random.default_rng(cards).integers(0, 100, (5, cards)).astype(dtype)
    rows[0] = 127 * (np.arange(cards) % 2)  # differences that an int8 cannot hold
    same(values(rows, backend="exact"), rows)


@pytest.mark.parametrize("size", [2**61, 2**62, 2**63 - 1, 2**63, 10**30])
def test_sums_that_leave_an_int64(size: int) -> None:
    rows = [[size, -size, size], [-size, size, -size], [1, 2, 3]]
    result = values(rows, backend="exact")
    same(result, rows)
    assert result.dtype == (np.int64 if 3 * size < 2**63 else object)
    if size < 2**64:
        unsigned = np.array([[size, 0, 1], [0, size, 1]], np.uint64)
        same(values(unsigned, backend="exact"), unsigned)


def test_more_rows_than_are_swept_at_a_time() -> None:
    rows = cardrow.deal(2**14 // 3 + 10, 4, rng=1)  # with 3 and more numbers each
    result = values(rows, backend="exact")
    same(result[-20:], rows[-20:])
    assert (result[:-20] == values(rows[:-20], backend="exact")).all()
