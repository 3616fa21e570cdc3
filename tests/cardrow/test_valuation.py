"""Values, scores, moves and lines: all methods agree, and what must hold of them."""

import copy
import dataclasses
import pickle
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from cardgames_dp import TooLargeError, cardrow, exact
from cardgames_dp.cardrow import Rules, Turn
from cardgames_dp.cardrow._kernels.row import exact_array

from .oracles import brute_force, lists, play_out, rows, small


@given(lists(9))
def test_every_way_to_the_value(cards: list[Any]) -> None:
    """Linear time, diagonals, table, game tree, oracle."""
    exactly = [Fraction(x) for x in cards]
    value = cardrow.value(cards, backend="exact")
    assert value == brute_force(exactly)
    assert value == cardrow.value(cards, method="diagonal", backend="exact")
    assert value == cardrow.solve(cards, backend="exact").value
    assert value == exact.solve(Rules().game(cards)).value[0]
    assert type(value) is (int if all(isinstance(x, int) for x in cards) else Fraction)
    scores = cardrow.match(cards).sums
    assert scores == cardrow.solve(cards, backend="exact").play().sums
    assert sum(scores) == sum(exactly)
    assert scores[0] - scores[1] == value
    assert {type(x) for x in scores} == {type(value)}


@given(lists(), st.integers(-50, 50))
def test_a_constant_on_all_cards(cards: list[Any], constant: int) -> None:
    """It shifts the value by that constant if the number of cards is odd."""
    exactly = [Fraction(x) for x in cards]
    shifted = [x + constant for x in exactly]
    shift = constant * (len(cards) % 2)
    assert (
        cardrow.value(shifted, backend="exact")
        == cardrow.value(exactly, backend="exact") + shift
    )


@given(lists(), st.fractions(0, 10))
def test_symmetries(cards: list[Any], factor: Fraction) -> None:
    exactly = [Fraction(x) for x in cards]
    value = cardrow.value(exactly, backend="exact")
    assert cardrow.value(exactly[::-1], backend="exact") == value
    assert (
        cardrow.value([factor * x for x in exactly], backend="exact") == factor * value
    )


@given(lists())
def test_an_even_number_of_cards_is_never_lost(cards: list[Any]) -> None:
    """The first player can take all of one colour of a chessboard's row."""
    even = [Fraction(x) for x in cards[: len(cards) // 2 * 2]]
    if even:
        difference = Fraction(sum(even[::2]) - sum(even[1::2]))
        assert cardrow.value(even, backend="exact") >= abs(difference)


def test_values_of_long_rows() -> None:
    """Rows at which the table has some thousands of diagonals, in both exact types."""
    rng = np.random.default_rng(4)
    for scale in (1, 10**25):
        cards = [scale * x for x in rng.integers(-(10**6), 10**6, 501).tolist()]
        value = cardrow.value(cards, backend="exact")
        table = cardrow.solve(cards, backend="exact")
        assert (
            table.value
            == value
            == cardrow.value(cards, method="diagonal", backend="exact")
        )
        assert table.sums.dtype == (np.int64 if scale == 1 else object)
        assert cardrow.match(cards).sums == table.play().sums
        assert cardrow.Position(cards).advice() == table.advice(0, 500)


@pytest.mark.parametrize("excess", [-1, 0, 1])
def test_where_int64_ends(excess: int) -> None:
    """Up to a sum of 2**62 - 1 no difference overflows; beyond it, no int64 is used."""
    cards = [-(2**60), 2**61, -(2**60) - excess]
    worths = exact_array(cards)
    assert worths.dtype == (np.int64 if excess < 0 else object)
    for rules in (Rules(), Rules(misere=True), Rules(take=2), Rules(players=3)):
        solved = exact.solve(rules.game(cards)).value
        sums = cardrow.match(cards, rules=rules).sums
        expected = solved if rules.players > 2 else (solved[0], -solved[0])
        sign = -1 if rules.misere else 1
        got = sums if rules.players > 2 else (sums[0] - sums[1], sums[1] - sums[0])
        assert [sign * x for x in got] == list(expected)
    assert (
        cardrow.solve(cards, backend="exact").value
        == cardrow.value(cards, backend="exact")
        == brute_force(cards)
    )


def test_value_with_more_players_is_the_lead_over_the_best_other() -> None:
    cards = [3, 1, 4, 1, 5, 9, 2]
    for misere, best in [(False, max), (True, min)]:
        rules = Rules(players=3, misere=misere)
        first, *others = cardrow.match(cards, rules=rules).sums
        assert len(set(others)) == 2
        assert cardrow.value(cards, rules=rules, backend="exact") == first - best(
            others
        )
        assert cardrow.solve(cards, rules=rules, backend="exact").value == first - best(
            others
        )


def test_more_players_than_cards() -> None:
    rules = Rules(players=5)
    assert cardrow.match([3, 4], rules=rules).sums == (4, 3, 0, 0, 0)
    assert cardrow.match([3, 4], rules=rules).sums == (4, 3, 0, 0, 0)


def test_more_cards_a_turn_than_there_are() -> None:
    assert cardrow.value([3, 4, 5], rules=Rules(take=10**9), backend="exact") == 12
    play = cardrow.match([3, 4, 5], rules=Rules(take=10**9))
    assert play.turns == (Turn("left", 3),)


@given(lists(8))
def test_best_move(cards: list[Any]) -> None:
    exactly = [Fraction(x) for x in cards]
    advice = cardrow.Position(cards).advice()
    left = exactly[0] - brute_force(exactly[1:])
    right = exactly[-1] - brute_force(exactly[:-1])
    if len(cards) == 1:
        assert advice.values == {Turn("left"): exactly[0]}
        return
    assert tuple(advice.values) == (Turn("left"), Turn("right"))
    assert tuple(advice.values.values()) == (left, right)
    assert advice.tie == (left == right)
    assert advice.value == max(left, right) == cardrow.value(cards, backend="exact")
    assert (Turn("left") in advice.best) == (left >= right)
    assert (Turn("right") in advice.best) == (right >= left)
    prefers_right = right > left or (right == left and exactly[-1] >= exactly[0])
    assert advice.action == Turn("right" if prefers_right else "left")


def test_advice_in_words() -> None:
    advice = cardrow.Position([4, 7, 2]).advice()
    assert str(advice) == ("cards 0 to 2: take left (a tie); value: left -1, right -1.")
    two = cardrow.Position([0.5, 1, 0], rules=Rules(take=2)).advice()
    assert str(two) == (
        "cards 0 to 2: take 2 from the left; value: left -0.5, 2 from the left 1.5, "
        "right -1.5, 2 from the right 0.5."
    )


@given(lists(10), st.booleans())
def test_lines_of_play(cards: list[Any], misere: bool) -> None:
    exactly, rules = [Fraction(x) for x in cards], Rules(misere=misere)
    linear = cardrow.match(exactly, rules=rules)
    by_table = cardrow.solve(exactly, rules=rules, backend="exact").play()
    assert linear.sums == by_table.sums
    every: list[Any] = [linear, by_table]
    for play in every:
        assert sorted(play.positions) == list(range(len(cards)))
        assert play.takers.tolist() == [i % 2 for i in range(len(cards))]
        assert len(play.turns) == len(cards)
        assert [turn.side for turn in play.turns] == list(play.sides)
        assert play.sides[-1] == "left"
        assert tuple(play_out(exactly, rules, play.turns)) == play.sums


def test_which_line_is_found_in_linear_time() -> None:
    """Blocks by size, the left one of equal ones; the tie rule is not asked."""
    for tie in ("left", "right", "larger"):
        play = cardrow.match([3, 1, 1, 3], rules=Rules(tie=tie))
        assert play.positions.tolist() == [0, 3, 1, 2]
    by_table = cardrow.solve([3, 1, 1, 3]).play()
    assert by_table.positions.tolist() == [3, 0, 2, 1]
    # A block of three, worth 2 - 3 + 4 = 3, between cards worth 5 and 1.
    assert cardrow.match([5, 2, 3, 4]).positions.tolist()[0] == 0


def test_lines_of_several_cards_a_turn() -> None:
    rules = Rules(take=2, players=3)
    play = cardrow.match([5, 1, 1, 4, 4], rules=rules)
    assert play.turns == (Turn("right", 2), Turn("left", 2), Turn("left", 1))
    assert play.positions.tolist() == [4, 3, 0, 1, 2]
    assert play.takers.tolist() == [0, 0, 1, 1, 2]
    assert play.sums == (8, 6, 1)


RESULTS = [
    cardrow.Position([1, 2, 3]).advice(),
    cardrow.match([1, 2, 3]),
    cardrow.solve([0.5, 2]).play(),
    Rules().game([1, 2]),
]


@pytest.mark.parametrize("result", RESULTS, ids=lambda r: type(r).__name__)
def test_results_are_values(result: Any) -> None:
    for other in (pickle.loads(pickle.dumps(result)), copy.deepcopy(result)):
        assert other == result
        assert repr(other) == repr(result)
    assert result != 3
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(result, dataclasses.fields(result)[0].name, None)
    if isinstance(result, cardrow.Match):
        for array in (result.positions, result.takers, result.from_right):
            with pytest.raises(ValueError, match="read-only"):
                array[0] = 1


def test_a_play_prints_shortly() -> None:
    play = cardrow.match([0.5, 2])
    assert repr(play) == (
        "Match(cards=2, players=('optimal', 'optimal'), sums=(Fraction(2, 1), "
        "Fraction(1, 2)))"
    )
    crowd = cardrow.match(range(9999), rules=Rules(players=2))
    assert len(repr(crowd)) < 90
    many = cardrow.match([1, 2], rules=Rules(players=20))
    assert repr(many).endswith("sums=(2, 1, 0, 0, 0, 0, 0, 0, ...))")


def test_methods() -> None:
    function: Any = cardrow.value
    with pytest.raises(
        ValueError, match="method must be one of 'auto', 'collapse', 'diagonal', got"
    ):
        function([1, 2], method="fast")
    with pytest.raises(TypeError, match=r"method must be one of .*, got None"):
        function([1, 2], method=None)


@pytest.mark.parametrize("n", range(1, 11))
def test_brute_force_counts_its_calls(n: int) -> None:
    cards = np.random.default_rng(n).integers(1, 14, n).tolist()
    left, right, calls = cardrow.brute_force(cards)
    assert calls == 2**n - 1
    worths = cardrow.Position(cards).advice().values
    assert [left, right][: min(n, 2)] == [*worths.values()]


def test_brute_force_of_pashevich() -> None:
    assert cardrow.brute_force([14, 4, 7, 2, 5, 12]) == (8, 4, 63)
    assert cardrow.brute_force([1, 5, 1]) == (-3, -3, 7)
    assert cardrow.brute_force([7]) == (7, 7, 1)
    left, right, _ = cardrow.brute_force([Fraction(1, 2), 0.25])
    assert max(left, right) == Fraction(1, 4)
    with pytest.raises(ValueError, match="cards must be at most 24, got 25; value"):
        cardrow.brute_force(range(25))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: cardrow.match(range(10**6), rules=Rules(take=2)),
            r"turns at 500000500000 intervals of 1000000 cards .* a shorter row",
        ),
        (
            lambda: cardrow.value(
                range(10**6), rules=Rules(take=10**6), backend="exact"
            ),
            r"a sweep over 1000000 cards with up to 1000000 a turn .* allow fewer",
        ),
        (
            lambda: cardrow.value([1, 2], rules=Rules(players=10**12)),
            r"up to 1 a turn and 1000000000000 numbers .* or fewer players",
        ),
    ],
)
def test_what_does_not_fit(call: Any, message: str) -> None:
    with pytest.raises(TooLargeError, match=message):
        call()


@pytest.mark.slow
def test_cards_of_small_numbers_and_many_players() -> None:
    rules = Rules(players=3, take=2)
    for cards in rows((0, 1, 3), 5):
        solved = exact.solve(rules.game(cards)).value
        assert cardrow.match(cards, rules=rules).sums == solved


@given(st.lists(small, min_size=1, max_size=9), st.integers(1, 3))
def test_several_cards_a_turn(cards: list[int], take: int) -> None:
    assert cardrow.value(cards, rules=Rules(take=take), backend="exact") == brute_force(
        cards, take
    )


@pytest.mark.parametrize("cards", [[4, 7, 2], ["0.1", "0.7"], [2**53, -1], [10**30, 2]])
def test_float64_is_the_exact_value_rounded_once(cards: Any) -> None:
    exact, rounded = (
        cardrow.value(cards, backend="exact"),
        cardrow.value(cards, backend="float64"),
    )
    assert type(rounded) is float
    assert rounded == float(exact)


@pytest.mark.parametrize(
    "rows",
    [
        np.array([[4, 7, 2], [1, 5, 1]]),  # side by side
        [[4, 7, 2], [1, 5, 1]],
        [["0.1", "0.7"], [2**53, -1], [10**30, 2]],  # one by one
    ],
)
def test_float64_is_the_default_and_rounds_once(rows: Any) -> None:
    values = cardrow.values(rows)
    exact = cardrow.values(rows, backend="exact")
    assert values.dtype == np.float64
    assert values.tolist() == [float(x) for x in exact.tolist()]
    assert [cardrow.value(row) for row in rows] == values.tolist()
    several = cardrow.value(*rows)
    assert type(several) is float
    assert several == float(cardrow.value(*rows, backend="exact"))


def test_backends_of_a_value() -> None:
    assert cardrow.value([10**400, 1], backend="exact") == 10**400 - 1
    with pytest.raises(ValueError, match=r"fits in a float64 \(use backend='exact'\)"):
        cardrow.value([10**400, 1], backend="float64")
    with pytest.raises(ValueError, match="backend must be one of 'float64', 'exact'"):
        cardrow.value([1], backend="float32")  # type: ignore[call-overload]
    with pytest.raises(ValueError, match="fits in a float64"):
        cardrow.values([[1], [10**400]])
    with pytest.raises(ValueError, match="fits in a float64"):
        cardrow.value([1], [10**400])
    with pytest.raises(ValueError, match="backend must be one of 'float64', 'ex"):
        cardrow.values([[1]], backend="float32")  # type: ignore[call-overload]
    with pytest.raises(ValueError, match="method must be 'auto' for several rows"):
        cardrow.value([1], [2], method="diagonal")
