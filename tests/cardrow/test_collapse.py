"""Linear time: its steps, on all small rows, and where it would be wrong."""

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given, strategies as st

from cardgames_dp import cardrow
from cardgames_dp.cardrow import Rules
from cardgames_dp.cardrow._kernels import collapse

from .oracles import brute_force, lists, rows, small


def value_of(*parts: tuple[int, ...], known: dict[Any, int]) -> int:
    """Return what a position of several rows is worth, by definition."""
    if parts not in known:
        known[parts] = max(
            [
                x - value_of(*parts[:i], rest, *parts[i + 1 :], known=known)
                for i, row in enumerate(parts)
                if row
                for x, rest in ((row[0], row[1:]), (row[-1], row[:-1]))
            ],
            default=0,
        )
    return known[parts]


def peaks(row: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return what each of the peaks of a row makes of it when it collapses."""
    return [
        (*row[: i - 1], row[i - 1] - row[i] + row[i + 1], *row[i + 2 :])
        for i in range(1, len(row) - 1)
        if row[i - 1] <= row[i] >= row[i + 1]
    ]


KNOWN: dict[Any, int] = {}
ALL_ROWS = [*rows((0, 1), 10), *rows((-1, 0, 1), 7), *rows((0, 1, 2, 3), 6)]


def test_every_small_row() -> None:
    for row in ALL_ROWS:
        worth = value_of(row, known=KNOWN)
        assert collapse.value(row) == worth
        ends = row[0] - value_of(row[1:], known=KNOWN)
        last = row[-1] - value_of(row[:-1], known=KNOWN)
        assert collapse.worths_of_ends(row) == (ends, last)


@pytest.mark.slow
def test_every_small_row_to_the_end() -> None:
    """At each turn of the line, it is optimal, and takes a card from where it says."""
    for row in ALL_ROWS:
        positions, from_right = collapse.line(row)
        left, right = 0, len(row)
        for position, at_right in zip(positions, from_right, strict=True):
            worth = value_of(row[left:right], known=KNOWN)
            assert position == (right - 1 if at_right else left)
            left, right = left + (not at_right), right - at_right
            after = value_of(row[left:right], known=KNOWN)
            assert worth == row[position] - after
        assert left == right
        assert not from_right[-1]


def test_all_peaks_lead_to_one_row_and_keep_the_value() -> None:
    """Steps 3 and 4 of the proof."""
    for row in rows((0, 1, 2), 7):
        collapsed = tuple(collapse.collapsed(row))
        assert not peaks(collapsed)
        assert bool(peaks(row)) == (len(collapsed) < len(row))
        for after in peaks(row):
            assert value_of(after, known=KNOWN) == value_of(row, known=KNOWN)
            assert tuple(collapse.collapsed(after)) == collapsed


def test_two_rows_at_once() -> None:
    for first in rows((0, 1, 3), 4):
        for second in rows((0, 2), 3):
            worth = value_of(first, second, known=KNOWN)
            assert collapse.value(first, second) == worth
            assert cardrow.value(first, second, backend="exact") == worth


@given(st.lists(st.lists(small, min_size=1, max_size=3), min_size=1, max_size=4))
def test_several_rows(parts: list[list[int]]) -> None:
    assert cardrow.value(*parts, backend="exact") == value_of(
        *map(tuple, parts), known={}
    )


@given(lists(), st.integers(0, 9), st.fractions(-9, 9))
def test_continuity(row: list[Any], i: int, change: Fraction) -> None:
    """Step 1: a card that changes by t changes the value by abs(t) at most."""
    exactly = [Fraction(x) for x in row]
    changed = list(exactly)
    changed[i % len(row)] += change
    difference = Fraction(
        cardrow.value(exactly, backend="exact")
        - cardrow.value(changed, backend="exact")
    )
    assert abs(difference) <= abs(change)


@given(lists())
def test_the_largest_card_at_an_end_may_be_taken(row: list[Any]) -> None:
    """Step 2, on both ends."""
    largest = max(row)
    assert cardrow.value([largest, *row], backend="exact") == Fraction(
        largest
    ) - cardrow.value(row, backend="exact")
    assert cardrow.value([*row, largest], backend="exact") == Fraction(
        largest
    ) - cardrow.value(row, backend="exact")


def test_without_peaks() -> None:
    """Step 5: the cards are taken in order of size."""
    for falling, rising in product(range(6), range(1, 6)):
        row = [*range(40, 40 - 3 * falling, -3), *range(1, 1 + 4 * rising, 4)]
        order = sorted(row, reverse=True)
        assert collapse.collapsed(row) == row
        assert collapse.value(row) == sum(order[::2]) - sum(order[1::2])
        assert [row[i] for i in collapse.line(row)[0]] == order


def by_two_pointers(row: tuple[int, ...], *, ties_go_left: bool) -> int:
    """Return what comes of taking the larger end every time."""
    left, right, worth, sign = 0, len(row) - 1, 0, 1
    while left <= right:
        ahead = row[left] - row[right]
        from_left = ahead >= 0 if ties_go_left else ahead > 0
        worth += sign * row[left if from_left else right]
        left, right, sign = left + from_left, right - (not from_left), -sign
    return worth


def test_strict_peaks_alone_are_not_enough() -> None:
    rows_and_values = [((0, 0, 1, 1, 1, 0), 1), ((0, 0, 1, 1, 1, 0, 0), -1)]
    for row, worth in rows_and_values:
        triples = zip(row, row[1:], row[2:], strict=False)
        assert not any(a < b > c for a, b, c in triples)
        assert cardrow.value(row, backend="exact") == brute_force(row) == worth
    (even, _), (odd, _) = rows_and_values
    assert by_two_pointers(even, ties_go_left=False) == -1
    assert by_two_pointers(odd, ties_go_left=False) == 1
    assert by_two_pointers(odd, ties_go_left=True) == 1


def test_a_tempting_lemma_is_false() -> None:
    """V(b c Y) <= b - c + V(Y), with b = c = 0."""
    assert cardrow.value([0, 0, 1, 0, 0, 1], backend="exact") == 2
    assert cardrow.value([1, 0, 0, 1], backend="exact") == 0


def test_not_for_two_cards_a_turn() -> None:
    rules = Rules(take=2)
    assert (
        cardrow.value([0, 1, 0], rules=rules, backend="exact")
        == 1
        == brute_force((0, 1, 0), 2)
    )
    assert collapse.collapsed([0, 1, 0]) == [-1]
    assert cardrow.value([-1], rules=rules, backend="exact") == -1


def test_not_for_three_players() -> None:
    """The sums depend on what a player does who does not care."""
    row = [1, 1, 2, 1]
    sums = {
        tie: cardrow.match(row, rules=Rules(players=3, tie=tie)).sums
        for tie in ("left", "right", "larger")
    }
    assert sums == {"left": (2, 1, 2), "right": (2, 2, 1), "larger": (2, 2, 1)}


@pytest.mark.parametrize("rules", [Rules(take=2), Rules(players=3)])
def test_refused_where_it_is_not_valid(rules: Rules) -> None:
    assert not rules.linear
    message = rf"'collapse' is for .* got take={rules.take}, players={rules.players}; "
    with pytest.raises(ValueError, match=message + "use method='diagonal'"):
        cardrow.value([1, 2], rules=rules, method="collapse")
    with pytest.raises(ValueError, match="several rows need rules with take=1 and"):
        cardrow.value([1], [2], rules=rules, backend="exact")


def test_a_long_row_of_each_shape() -> None:
    """Nothing recurses, and the stack empties at once or not at all."""
    n = 50_001
    assert (
        cardrow.value(range(n), backend="exact")
        == cardrow.value(range(n)[::-1], backend="exact")
        == n // 2
    )
    assert cardrow.value([1] * n, backend="exact") == 1
    zigzag = [i % 2 for i in range(n)]
    assert cardrow.value(zigzag, backend="exact") == -(n // 2)
    assert cardrow.match(zigzag).positions.tolist() == list(range(n))
