"""Boundaries and thresholds: where to stop, as data, in print and of no table."""

import re
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given

from cardgames_dp import redblack
from cardgames_dp.redblack import Rules
from cardgames_dp.redblack._kernels.boundary import tops

from .strategies import decks, linear_rules

FLOAT = redblack.solve(6, 5)


PARTED = Rules(utility=lambda cash: np.where((cash > 2) & (cash < 5), 3 - cash, cash))


def test_boundary_in_both_forms() -> None:
    boundary = redblack.solve(26, 26).boundary
    assert boundary.thresholds.tolist() == [3, 8, 17, 28, 41]
    # 12 cards: none of the states with less than 4 more black ones stops.
    assert boundary.excess[12] == 4
    assert boundary.excess[52] == 53
    table = redblack.solve(26, 26)
    assert not table.stop[5, 7]
    assert table.stop[4, 8]


def test_boundary_in_print() -> None:
    assert str(redblack.solve(26, 26).boundary).splitlines() == [
        "cards remaining  stop at an excess of  in cash",
        "       47 to 52  never                 never",
        "       42 to 46  6 or more             6 or more",
        "       29 to 41  5 or more             5 or more",
        "       18 to 28  4 or more             4 or more",
        "        9 to 17  3 or more             3 or more",
        "         4 to 8  2 or more             2 or more",
        "         1 to 3  1 or more             1 or more",
        "(The excess is how many more black than red cards remain.)",
    ]
    last = str(redblack.solve(0, 0).boundary).splitlines()[1:-1]
    assert [line.split() for line in last] == [["0", "any", "any"]]
    worthless = redblack.solve(6, 6, rules=Rules(win=0)).boundary
    *_, line, _ = str(worthless).splitlines()
    assert line.split()[-1] == "any"
    assert line.lstrip().startswith("1 to 12  any  ")
    long = str(redblack.solve(600, 600).boundary).splitlines()
    assert len(long) < 25
    count = re.fullmatch(r"\((\d+) of (\d+) rows shown\)", long[-1])
    assert count
    assert int(count[1]) == len(long) - 3 < int(count[2])


@given(rules=linear_rules, deck=decks)
def test_boundary_in_print_tells_where_to_stop(
    rules: redblack.Rules, deck: tuple[int, int]
) -> None:
    table = redblack.solve(*deck, rules=rules, backend="exact")
    _, *lines = str(table.boundary).splitlines()[:-1]
    told = set()
    for line in lines:
        cards, words, cash = re.split("  +", line.strip())
        last, _, first = cards.partition(" to ")
        for n in range(int(last), int(first or last) + 1):
            told.add(n)
            for r in range(max(0, n - deck[1]), min(n, deck[0]) + 1):
                stops = words == "any" or (
                    words != "never"
                    and n - 2 * r >= int(words.removesuffix(" or more"))
                )
                assert stops == table.stop[r, n - r]
                rounding = Fraction(1, 10**4)  # of six digits
                in_hand = rules.cash(deck[0] - r, deck[1] - (n - r))
                least, _, most = cash.removesuffix(" or more").partition(" to ")
                if stops and words != "any":
                    assert in_hand - Fraction(least) >= -rounding
                elif words not in ("any", "never"):
                    assert in_hand - Fraction(most or least) < rounding
    assert told == set(range(min(1, sum(deck)), sum(deck) + 1))


@given(rules=linear_rules, deck=decks)
@example(rules=Rules(), deck=(2, 100))  # a deck that may stop blocks before it is full
@example(rules=Rules(), deck=(2, 2))
def test_boundary_without_a_table(rules: redblack.Rules, deck: tuple[int, int]) -> None:
    """In all states of the deck, those that play cannot come to as well."""
    stop = redblack.solve(*deck, rules=rules, backend="exact").stop
    ties = redblack.solve(*deck, rules=rules).ties
    for exact in (True, False):
        highest = tops(rules, *deck, exact=exact)
        for r, b in np.ndindex(stop.shape):
            if r + b and (exact or not ties[r, b]):
                assert stop[r, b] == (r <= highest[r + b])


@pytest.mark.parametrize(
    "bad", [None, 3, [[1, 0]], np.array([True]), np.empty((0, 2), bool), [[1], [1, 2]]]
)
def test_boundary_of_what_is_no_table(bad: Any) -> None:
    with pytest.raises(TypeError, match="stop must be"):
        redblack.Boundary.of_table(Rules(), bad)
    with pytest.raises(TypeError, match=r"rules must be redblack\.Rules"):
        redblack.Boundary.of_table(3, FLOAT.stop)  # type: ignore[arg-type]


def test_a_stop_set_in_two_parts_has_no_boundary() -> None:
    """With 3 cards left, stop with 0 or 3 red ones and draw with 1 and 2 between."""
    table = redblack.solve(9, 8, rules=PARTED, backend="exact")
    stops = [bool(table.stop[r, 3 - r]) for r in range(4)]
    assert stops.index(False) < 3 - stops[::-1].index(True)
    with pytest.raises(ValueError, match="with 3 cards remaining the stop set is not"):
        _ = table.boundary
    assert table.stop.tolist() == redblack.solve(9, 8, rules=PARTED).stop.tolist()


def test_boundary_as_a_data_frame() -> None:
    rules = Rules(fee="0.05")
    boundary = redblack.solve(30, 22, rules=rules).boundary
    frame = boundary.to_pandas()
    assert frame.index.name == "n"
    assert frame["excess"].tolist() == boundary.excess.tolist()
    assert frame.loc[41, "cash"] == 10.45
    assert frame["cash"].isna().tolist() == (~frame["stops"]).tolist()
    for n in range(1, 42):
        black = (n + boundary.excess[n]) // 2
        assert boundary.cash[n] == float(rules.cash(30 - (n - black), 22 - black))


def test_thresholds_are_a_sequence() -> None:
    found: Any = redblack.thresholds(7)
    assert found[-1] == found[6] == found[np.int8(6)] == 79
    assert found[2:4] == [17, 28]
    frame = found.to_pandas()
    assert frame.index.name == "excess"
    assert frame.loc[7, "n"] == 79
    for index in (7, -8, 10**400, np.uint64(2**63)):
        with pytest.raises(IndexError, match="index must be from 0 to 6, for the exc"):
            found[index]
    for bad in (1.0, "1", True, None, (0, 1), np.array([1])):
        with pytest.raises(TypeError, match="index must be an integer, got"):
            found[bad]
