"""What the advice of all games has in common."""

import math
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, strategies as st

from cardgames_dp._results.advice import AdviceRecord
from cardgames_dp._support.printing import LongFraction

NUMBERS = st.integers(-3, 3) | st.fractions(-2, 2) | st.just(-math.inf)


@given(st.lists(NUMBERS, min_size=1, max_size=5), st.sampled_from([1, -1]))
def test_margin_is_the_lead_over_the_second_best(worths: list[Any], sign: int) -> None:
    """Of the largest or, where the smallest is the best, of the smallest."""
    ranked = sorted(worths, reverse=sign > 0)
    actions = dict(enumerate(worths))
    best = tuple([a for a, w in actions.items() if w == ranked[0]])
    advice = AdviceRecord(best[-1], best, actions)
    assert advice.value == ranked[0]
    assert advice.tie == (ranked.count(ranked[0]) > 1)
    if len(worths) == 1:
        assert advice.margin is None
    elif advice.tie:
        assert advice.margin == 0
    else:
        assert advice.margin == sign * (ranked[0] - ranked[1])


def test_margins_of_many_digits_print() -> None:
    long = Fraction(10**3000, 3)
    assert type(AdviceRecord("a", ("a",), {"a": long, "b": -long}).margin) is (
        LongFraction
    )


def test_worths_are_read_only() -> None:
    given = {"a": 1.0}
    advice = AdviceRecord("a", ("a",), given)
    given["a"] = 2.0
    assert advice.value == 1
    with pytest.raises(TypeError, match="does not support item assignment"):
        advice.values["a"] = 3  # type: ignore[index]
    assert hash(advice) == hash(AdviceRecord("a", ("a",), {"a": 1.0}))


def test_data_keep_actions_of_the_same_text_apart() -> None:
    worths: dict[Any, Any] = {(1, 2): Fraction(1, 3), "(1, 2)": 0}
    advice = AdviceRecord((1, 2), ((1, 2),), worths)
    assert advice.to_dict(json=True) == {
        "action": [1, 2],
        "best": [[1, 2]],
        "actions": [[1, 2], "(1, 2)"],
        "values": ["1/3", 0],
        "value": "1/3",
        "tie": False,
        "margin": "1/3",
    }
    assert advice.to_pandas()["action"].tolist() == [(1, 2), "(1, 2)"]
    assert str(advice) == "(1, 2); value: (1, 2) 0.333333, (1, 2) 0."
