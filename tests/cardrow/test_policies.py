"""Each policy, at every interval, against its description in plain Python."""

import math
import pickle
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import product
from typing import Any, Literal

import numpy as np
import pytest
from hypothesis import given, strategies as st

from cardgames_dp import TooLargeError
from cardgames_dp.cardrow._kernels.players import Hands
from cardgames_dp.cardrow.cards import read
from cardgames_dp.cardrow.matches import match
from cardgames_dp.cardrow.policies import Mixed, Policy, player_of
from cardgames_dp.cardrow.rules import Rules, deals_of
from cardgames_dp.cardrow.solution import solve
from cardgames_dp.cardrow.tournaments import tournament

from .opponents import NAMES, TIES, chance_of_left

rows = st.lists(st.integers(-3, 9), min_size=2, max_size=8)
MIXED = Mixed({"larger": Fraction(1, 3), "random": 0.5, "optimal": 1, "smaller": 0})


@given(st.lists(rows, min_size=1, max_size=3), st.sampled_from(TIES))
@pytest.mark.parametrize("policy", [*NAMES, MIXED])
def test_all_intervals(policy: Policy, cards: list[list[int]], tie: Any) -> None:
    n = min(map(len, cards))
    deals = deals_of(Rules(tie=tie), [read("cards", row[:n]) for row in cards])
    player = player_of(policy, deals, "x")
    for length in range(2, n + 1):
        lefts = np.arange(n + 1 - length)
        for number, row in enumerate(deals.given):
            expected = chance_of_left(policy, row, tie)
            wanted = [expected(left, left + length - 1) for left in lefts.tolist()]
            indices = [
                (number, slice(len(lefts))),
                (np.full(len(lefts), number), lefts),
            ]
            for which in indices:
                odds = player(Hands(deals, length, which), 0)
                parts = odds.parts.tolist()
                assert [Fraction(int(p), odds.whole) for p in parts[0]] == wanted
                assert [Fraction(int(p), odds.whole) for p in parts[1]] == [
                    1 - p for p in wanted
                ]


def test_pashevichs_literal_comparison() -> None:
    right = Rules(tie="right")  # as the report has it
    assert match([2, 1], "greedy_literal", "larger", rules=right).sums == (1, 2)
    assert match([2, 1], "greedy", "larger").sums == (2, 1)


@pytest.mark.parametrize("policy", ["greedy", "larger", "smaller", "optimal"])
@pytest.mark.parametrize(
    ("tie", "taken"), [("right", (1, 0)), ("left", (0, 1)), ("larger", (1, 0))]
)
def test_equal_cards(policy: Any, tie: Any, taken: tuple[int, int]) -> None:
    game = match([7, 7], policy, "larger", rules=Rules(tie=tie))
    assert tuple(game.positions.tolist()) == taken


def test_tie_of_unequal_cards() -> None:
    # [4, 7, 2]: either end is worth -1.
    for tie, first in [("right", 2), ("left", 4), ("larger", 4)]:
        game = match([4, 7, 2], "optimal", "larger", rules=Rules(tie=tie))  # type: ignore[arg-type]
        assert game.taken[0] == first


def test_ties_of_tenths_are_exact() -> None:
    wrong = 0
    for row in product(range(1, 6), repeat=4):
        a, b, c, d = (x / 10 for x in row)
        in_floats = a - max(b, d) > d - max(a, c)
        tenths = [Decimal(x) / 10 for x in row]
        goes_left = match(tenths, "greedy", "larger").positions[0] == 0
        assert goes_left == (match(row, "greedy", "larger").positions[0] == 0)
        wrong += goes_left != in_floats
    assert wrong


def test_large_integers_do_not_overflow() -> None:
    big = 2**62
    for cards in ([big, big - 1, -big, big], [10**30, 1, -(10**30), 10**30 + 1]):
        for policy in ("greedy", "greedy_literal", "larger", "optimal"):
            expected = chance_of_left(policy, cards, "larger")(0, 3)
            first = match(cards, policy, "larger").positions[0]
            assert first == (0 if expected else 3)


def always_left(*_: object) -> Literal["left"]:
    return "left"


def test_mixed_is_a_value() -> None:
    mixed = Mixed({"larger": 0.8, "random": 0.2})
    assert mixed == Mixed({"larger": 4, "random": 1})
    assert mixed != Mixed({"larger": 3, "random": 1})
    assert hash(mixed) == hash(Mixed({"larger": 4, "random": 1}))
    tenths: dict[Policy, Decimal] = {"larger": Decimal("0.7"), "random": Decimal("0.3")}
    assert Mixed(tenths) == Mixed({"larger": 7, "random": 3})
    assert Mixed(tenths) != Mixed({"larger": 0.7, "random": 0.3})
    assert pickle.loads(pickle.dumps(mixed)) == mixed
    assert mixed.shares == (("larger", Fraction(4, 5)), ("random", Fraction(1, 5)))
    assert repr(mixed) == "Mixed(0.8 larger, 0.2 random)"
    assert repr(Mixed({mixed: 1, always_left: 1})) == (
        "Mixed(0.5 Mixed(0.8 larger, 0.2 random), 0.5 always_left)"
    )


@pytest.mark.parametrize(
    ("weights", "error", "message"),
    [
        (
            "larger",
            TypeError,
            "weights must be a mapping of policies to numbers, got 'l",
        ),
        ({}, ValueError, r"weights must not all be 0, got \{\}"),
        ({"larger": 0}, ValueError, "weights must not all be 0, got"),
        ({"larger": -1}, ValueError, r"weights\[larger\] must be .* >= 0, .*, got -1"),
        ({"larger": math.nan}, ValueError, r"weights\[larger\] must be .*, got nan"),
        ({"larger": Decimal("NaN")}, ValueError, r"weights\[larger\] must be .*NaN"),
        ({"larger": [1]}, TypeError, r"weights\[larger\] must be .* of type list"),
        ({"largest": 1}, ValueError, "a policy in weights must be one of 'optimal', "),
        ({3: 1}, TypeError, "a policy in weights must be one of .*, got 3"),
    ],
)
def test_mixed_errors(weights: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        Mixed(weights)


ILLEGAL = (
    r"player '{}', who is to move {}, must return 'left', 'right' or the probability "
    r"of 'left', a number from 0 to 1, got {} for the cards {} at {} to {}"
)


@pytest.mark.parametrize(
    ("answer", "error", "shown"),
    [
        ("middle", ValueError, "'middle'"),
        (1.5, ValueError, "1.5"),
        (Fraction(-1, 2), ValueError, r"Fraction\(-1, 2\)"),
        (math.nan, ValueError, "nan"),
        (math.inf, ValueError, "inf"),
        (None, TypeError, "None"),
        (True, TypeError, "True"),
        (1j, TypeError, "1j"),
        (["left"], TypeError, r"\['left'\]"),
    ],
)
def test_illegal_moves(answer: Any, error: type[Exception], shown: str) -> None:
    def cheat(_: Sequence[Any], left: int, right: int) -> Any:
        return "left" if right - left > 2 else answer

    message = ILLEGAL.format("cheat", "first", shown, r"\[8, 9\]", 1, 2)
    with pytest.raises(error, match=message):
        match([7, 8, 9, 9], cheat, lambda cards, left, right: "right")
    message = ILLEGAL.format(r"Mixed\(1 cheat\)", "second", shown, r"\[7, 8, 9\]", 0, 2)
    with pytest.raises(error, match=message):
        match([7, 8, 9, 9], "larger", Mixed({cheat: 1}))


def test_callables_are_asked_about_what_is_left() -> None:
    asked: list[tuple[Any, int, int]] = []

    def player(cards: Sequence[Any], left: int, right: int) -> Any:
        asked.append((cards, left, right))
        return [np.str_("left"), np.float64(1), 1, Fraction(0)][len(asked) - 1]

    row = (1, Fraction(1, 2), 3, 4, 5)
    game = match(row, player, player)
    assert asked == [(row, 0, 4), (row, 1, 4), (row, 2, 4), (row, 3, 4)]
    assert game.positions.tolist() == [0, 1, 2, 4, 3]
    assert game.players == ("player", "player")


def test_chances_of_callables_are_exact() -> None:
    chances: list[Fraction | float] = [Fraction(1, 3), 0.1, Fraction(1, 10**30)]
    deals = deals_of(Rules(), [read("cards", [1, 2, 3, 4])])
    player = player_of(lambda cards, left, right: chances[left], deals, "x")
    odds = player(Hands(deals, 2, (0, slice(3))), 0)
    parts = odds.parts[0].tolist()
    assert [Fraction(p, odds.whole) for p in parts] == [Fraction(x) for x in chances]


def test_optimal_refuses_what_does_not_fit() -> None:
    with pytest.raises(TooLargeError, match="an optimal player of 1 rows of 10000000 "):
        match(np.zeros(10**7, np.int64), "optimal", "optimal")


@given(
    st.lists(st.integers(-3, 9), min_size=1, max_size=7),
    st.sampled_from(
        [Rules(), Rules(take=2, tie="left"), Rules(players=3), Rules(misere=True)]
    ),
)
def test_a_solution_is_a_player_that_follows_its_table(
    cards: list[int], rules: Rules
) -> None:
    table = solve(cards, rules=rules)
    others: list[Any] = ["optimal"] * (rules.players - 1)
    game = match(cards, table, *others, rules=rules)
    assert game.turns == table.play().turns
    assert game.players == ("solution", *others)
    assert tournament({"it": table, "all": "optimal"}, [cards], rules=rules).games == 1


def test_a_solution_plays_its_own_game_only() -> None:
    weighted = Rules(weights=[1, 2])
    for rules, cards, other in [
        (Rules(), [2, 1], Rules()),
        (Rules(), [1, 2], Rules(take=2)),
        (weighted, [1, 2], Rules()),
        (weighted, [1, 2], Rules(weights=[2, 1])),
    ]:
        table = solve([1, 2], rules=rules)
        with pytest.raises(ValueError, match="must be made for this row and these rul"):
            match(cards, "larger", table, rules=other)
    assert match([1, 2], solve([1, 2]), "random", rules=Rules(tie="left")).lead == 1
