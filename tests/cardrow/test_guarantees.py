"""What players are sure of against anybody, and where rules of thumb fall short."""

from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from cardgames_dp import cardrow
from cardgames_dp.cardrow import Mixed, Rules, best_response, values

from .opponents import NAMES, TIES, chance_of_left, expected_lead, value

numbers = st.one_of(st.integers(-3, 9), st.fractions(0, 3, max_denominator=3))
rows = st.lists(numbers, min_size=1, max_size=7)
policies = st.sampled_from([*NAMES, Mixed({"larger": 4, "random": 1})])
seats = st.sampled_from(["first", "second"])


def turns_of_anybody(draw: Any) -> Any:
    """Return a player who does whatever is drawn, at each turn anew."""
    return lambda _cards, _left, _right: draw(st.sampled_from(["left", "right"]))


@given(st.data(), rows, seats, st.sampled_from(TIES))
def test_nobody_holds_an_optimal_player_below_the_value(
    data: Any, cards: Any, seat: Any, tie: Any
) -> None:
    anybody = turns_of_anybody(data.draw)
    worth = value(list(map(Fraction, cards)))
    if seat == "first":
        assert (
            cardrow.match(cards, "optimal", anybody, rules=Rules(tie=tie)).lead >= worth
        )
    else:
        assert (
            cardrow.match(cards, anybody, "optimal", rules=Rules(tie=tie)).lead <= worth
        )


@given(st.data(), rows)
def test_the_table_guarantees_my_sum(data: Any, cards: Any) -> None:
    """The report's own claim, of the table and its sums, on every line of play."""
    table = cardrow.solve(cards, backend="exact")
    left, right, mine, ours = 0, len(cards) - 1, Fraction(0), data.draw(st.booleans())
    promised = table.my_sum[0, -1] if ours else table.opp_sum[0, -1]
    while left <= right:
        side = "left"
        if ours:
            side = table.best_turn(left, right).side
        elif left < right:
            side = data.draw(st.sampled_from(["left", "right"]))
        card = cards[left if side == "left" else right]
        left, right = (left + 1, right) if side == "left" else (left, right - 1)
        mine += card if ours else 0
        ours = not ours
    assert mine >= promised


@given(rows, policies, seats, st.sampled_from(TIES))
def test_what_is_sure_is_what_the_best_reply_leaves(
    cards: Any, policy: Any, seat: Any, tie: Any
) -> None:
    other = "second" if seat == "first" else "first"
    (found,) = values([cards], policy, seat=seat, rules=Rules(tie=tie), backend="exact")
    assert (
        -found
        == best_response(
            cards,
            policy,
            seat=other,  # type: ignore[call-overload]
            rules=Rules(tie=tie),
            backend="exact",
        ).value
    )
    worth = value(list(map(Fraction, cards)))
    worth = worth if seat == "first" else -worth
    assert found == worth if policy == "optimal" else found <= worth
    assert values([cards], policy, seat=seat, rules=Rules(tie=tie)) == pytest.approx(
        float(found), abs=1e-12
    )


@pytest.mark.parametrize("policy", [*NAMES, Mixed({"smaller": 2, "random": 1})])
def test_the_worst_of_all_opponents(policy: Any) -> None:
    """Every memoryless opponent without luck, one after the other."""
    cards = [3, 1, 4, 2]
    ours = chance_of_left(policy, cards, "larger")
    choices = [(0, 2), (1, 3)]  # where the second player has a choice
    leads = []
    for sides in product([0, 1], repeat=len(choices)):
        taken = {
            place: Fraction(side) for place, side in zip(choices, sides, strict=True)
        }

        def theirs(left: int, right: int, taken: Any = taken) -> Any:
            return taken[left, right]

        leads.append(expected_lead(cards, ours, theirs))
    assert values([cards], policy, backend="exact")[0] == min(leads)


def test_rows_of_several_lengths_keep_their_places() -> None:
    several: list[Any] = [[1, 5, 1], [4, 4, 6, 6, 12, 9], [2], ["1/2", 0, 3]]
    exact = values(several, "greedy", backend="exact")
    assert exact.tolist() == [-3, -3, 2, Fraction(5, 2)]
    assert [type(x) for x in exact] == [int, int, int, Fraction]
    floats = values(several, "greedy")
    assert floats.dtype == np.float64
    assert floats.tolist() == [-3, -3, 2, 2.5]


@pytest.mark.parametrize("k", [3, 4, 10])
def test_greed_has_no_limit_but_zero(k: int) -> None:
    row = [0, 1, *[1, 0] * (k - 1)]
    rows: list[tuple[Any, list[int]]] = [
        ("right", row),
        ("larger", row),
        ("left", row[::-1]),
    ]
    for tie, cards in rows:
        (sure,) = values([cards], "greedy", rules=Rules(tie=tie), backend="exact")
        assert k + sure == 2
        assert k + cardrow.value(cards) == 2 * (k - 1)


@pytest.mark.parametrize("m", [2, 3, 10, 1000])
def test_greed_on_four_cards(m: int) -> None:
    row = [1, 1, 2 * m - 1, m]
    (sure,) = values([row], "greedy", backend="exact")
    assert Fraction(sum(row) + sure, sum(row) + int(cardrow.value(row))) == Fraction(
        m + 1, 2 * m
    )


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(
    "policy", ["larger", "random", Mixed({"greedy": 1, "random": 3})]
)
def test_values_of_best_responses_are_those_of_each_row(policy: Any, seat: Any) -> None:
    deals: list[Any] = [[4, 4, 6, 6, 12, 9], [1, 5, 1], ["1/2", 3, 2], [14, 4], [0, 0]]
    for backend in ("float64", "exact"):
        how: dict[str, Any] = {"rules": Rules(tie="left"), "backend": backend}
        found = values(deals, policy, seat=1 - seat, **how).tolist()
        each = [best_response(row, policy, seat=seat, **how).value for row in deals]
        assert found == [-value for value in each]
    assert not np.signbit(values([[0, 0]], policy, seat=seat)).any()


def test_one_row_and_many_are_told_apart() -> None:
    """A single row where rows are asked for, and rows where one is."""
    message = r"rows\[0\] must be a row, .* got 11 of type int; put a single row into a"
    with pytest.raises(TypeError, match=message):
        values([11, 2, 3], "greedy")  # type: ignore[call-overload]
    hint = r"; cardrow\.values is for many rows"
    with pytest.raises(TypeError, match=hint):
        best_response([[1, 2], [3, 4]], "greedy")  # type: ignore[list-item]
    plan = best_response([1, 2, 3], "random", goal="win")
    with pytest.raises(TypeError, match="attribute `guaranteed` is its worst case, if"):
        values([[1, 2, 3]], plan)


def test_refusals() -> None:
    with pytest.raises(TypeError, match="rows must be an iterable of rows"):
        values(3)  # type: ignore[call-overload]
    with pytest.raises(ValueError, match="policy must be"):
        values([[1]], "gredy")  # type: ignore[call-overload]
    with pytest.raises(ValueError, match="seat must be"):
        values([[1]], seat="third")  # type: ignore[call-overload]
    with pytest.raises(ValueError, match=r"player .*, the policy, must return"):
        values([[1, 2]], lambda _cards, _left, _right: 2)
    with pytest.raises(ValueError, match="rules must be the classic ones"):
        values([[1, 2]], "greedy", rules=Rules(take=2))
