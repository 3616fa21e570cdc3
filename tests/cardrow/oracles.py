"""Solutions of small rows that share no code with the package, and rows to try."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from hypothesis import strategies as st

from cardgames_dp.cardrow import Rules


def rows(alphabet: tuple[int, ...], longest: int) -> Iterator[tuple[int, ...]]:
    """Yield all rows over an alphabet up to a length."""
    for length in range(1, longest + 1):
        yield from product(alphabet, repeat=length)


def brute_force(cards: Any, take: int = 1) -> Any:
    """Return what the first of two wins by: all games, one after the other."""
    if not cards:
        return 0
    counts = range(1, min(take, len(cards)) + 1)
    return max(
        *[sum(cards[:c]) - brute_force(cards[c:], take) for c in counts],
        *[sum(cards[-c:]) - brute_force(cards[:-c], take) for c in counts],
    )


def play_out(cards: Any, rules: Rules, turns: Any) -> list[Any]:
    """Return what each player has after these turns; each of them must be legal."""
    left, right, player = 0, len(cards), 0
    second: Any = cards if rules.weights is None else rules.weights
    sums: list[Any] = [0] * rules.players
    for side, count in turns:
        assert 1 <= count <= min(rules.take, right - left)
        values = second if player == 1 else cards
        if side == "left":
            taken, left = values[left : left + count], left + count
        else:
            taken, right = values[right - count : right], right - count
        sums[player] += sum(taken)
        player = (player + 1) % rules.players
    assert left == right
    return sums


small = st.integers(-4, 4)
integers = st.integers() | st.integers(-(10**30), 10**30)
tenths = st.integers(-30, 30).map(lambda x: x / 10)
fractions = st.builds(Fraction, small, st.integers(1, 6))
decimals = st.decimals(-9, 9, places=2, allow_nan=False)
floats = st.floats(-1e9, 1e9)
numbers = st.sampled_from([small, integers, tenths, fractions, decimals, floats])


def lists(longest: int = 10) -> st.SearchStrategy[list[Any]]:
    """Rows of one kind of number, and rows of several."""
    alike = numbers.flatmap(lambda kind: st.lists(kind, min_size=1, max_size=longest))
    mixed = st.lists(numbers.flatmap(lambda kind: kind), min_size=1, max_size=longest)
    return alike | mixed


rules = st.builds(
    Rules,
    take=st.integers(1, 3),
    players=st.integers(2, 4),
    misere=st.booleans(),
    tie=st.sampled_from(["larger", "left", "right"]),
)
