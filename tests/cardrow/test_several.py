"""Games on several rows and stacks against all games played, and collapsed rows."""

from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import Any

import pytest
from hypothesis import given, strategies as st

from cardgames_dp.cardrow import (
    Position,
    Rules,
    advice_of_rows,
    collapsed,
    value,
)
from cardgames_dp.cardrow.valuation import End

from .oracles import fractions, rows as all_rows, small

cards = st.lists(small | fractions, min_size=1, max_size=4)
tables = st.tuples(st.lists(cards, max_size=2), st.lists(cards, max_size=2)).filter(any)


def brute_force(rows: Any, stacks: Any) -> Any:
    """Return the value and the worth of each end, from the definition."""

    @lru_cache(None)
    def worths(rows: Any, stacks: Any) -> dict[tuple[int, str], Any]:
        found = {}
        for i, row in enumerate(rows):
            for side, card, rest in [
                ("left", row[:1], row[1:]),
                ("right", row[-1:], row[:-1]),
            ]:
                if row:
                    after = (*rows[:i], rest, *rows[i + 1 :])
                    found[i, side] = card[0] - ahead(after, stacks)
        for i, stack in enumerate(stacks):
            if stack:
                after = (*stacks[:i], stack[:-1], *stacks[i + 1 :])
                found[len(rows) + i, "right"] = stack[-1] - ahead(rows, after)
        return found

    def ahead(rows: Any, stacks: Any) -> Any:
        return max(worths(rows, stacks).values(), default=0)

    start = tuple(map(tuple, rows)), tuple(map(tuple, stacks))
    return ahead(*start), worths(*start)


@given(tables)
def test_all_games_played(table: Any) -> None:
    rows, stacks = table
    expected, worths = brute_force(rows, stacks)
    assert value(*rows, stacks=stacks, backend="exact") == expected
    advice = advice_of_rows(*rows, stacks=stacks)
    assert advice.value == expected
    single = {i for i, row in enumerate(rows) if len(row) == 1}
    listed = {e: x for e, x in worths.items() if e[0] not in single or e[1] == "left"}
    assert dict(advice.values) == listed
    assert {*advice.best} == {e for e, x in listed.items() if x == expected}


@pytest.mark.slow
def test_all_small_stacks_beside_a_row() -> None:
    for stack, row in product(all_rows((-1, 0, 1, 2), 4), [(0,), (1, 1), (2, 0, 1)]):
        for stacks in [[stack], [stack, (1, 0)]]:
            expected = brute_force([row], stacks)[0]
            found = value(row, stacks=stacks, backend="exact")
            assert found == expected


@given(cards, st.booleans(), st.sampled_from(["larger", "left", "right"]))
def test_one_row_is_the_game_of_best_move(
    row: list[Any], misere: bool, tie: Any
) -> None:
    rules = Rules(misere=misere, tie=tie, weights=[*range(len(row))])
    several, one = (
        advice_of_rows(row, rules=rules),
        Position(row, rules=rules).advice(),
    )
    assert {e.side: x for e, x in several.values.items()} == {
        turn.side: x for turn, x in one.values.items()
    }
    assert {end.side for end in several.best} == {turn.side for turn in one.best}
    assert several.value == one.value


def test_the_tie_rule_takes_among_the_best_ends() -> None:
    def taken(rows: Any, tie: Any, **rules: Any) -> Any:
        return advice_of_rows(*rows, rules=Rules(tie=tie, **rules)).action

    rows = [[4, 1, 4], [1]]  # each end is worth 0
    assert len(advice_of_rows(*rows).best) == 3
    assert taken(rows, "left") == End(0, "left")
    assert taken(rows, "right") == End(1, "left")
    assert taken(rows, "larger") == End(0, "right")
    assert taken([[-4, -1, -4], [-1]], "larger", misere=True) == End(1, "left")
    assert str(End(3, "right")) == "row 3 right"


@given(st.lists(cards, min_size=1, max_size=5))
def test_collapsed_pieces_stand_for_long_rows(pieces: list[Any]) -> None:
    whole = [card for piece in pieces for card in piece]
    short = [card for piece in pieces for card in collapsed(piece)]
    assert value(whole, backend="exact") == value(short, backend="exact")
    assert collapsed(short) == collapsed(whole)
    left = collapsed(whole)
    assert not any(
        a <= b >= c for a, b, c in zip(left, left[1:], left[2:], strict=False)
    )
    assert (len(whole) - len(left)) % 2 == 0


def test_collapsed_keeps_exact_numbers() -> None:
    assert collapsed([10**30, "1/3", 10**30]) == (10**30, Fraction(1, 3), 10**30)
    assert collapsed([1, 2, 3]) == (1, 2, 3)


def test_refusals() -> None:
    with pytest.raises(ValueError, match="rows must hold at least one row, got none"):
        value()
    with pytest.raises(ValueError, match=r"rows\[0\] must hold at least one card"):
        advice_of_rows([], stacks=[[1]])
    with pytest.raises(TypeError, match="stacks must be an iterable of rows"):
        value([1], stacks=3)  # type: ignore[call-overload]
    with pytest.raises(ValueError, match="several rows need rules with take=1"):
        advice_of_rows([1], rules=Rules(take=2))
    with pytest.raises(ValueError, match="one number for each card, got 1 for"):
        value([1], stacks=[[2]], rules=Rules(weights=[1]))
