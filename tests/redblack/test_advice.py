"""What to do now: worths, margins and words."""

from typing import Any

import pytest

from cardgames_dp import redblack
from cardgames_dp.redblack import Rules

FLOAT = redblack.solve(6, 5)


EXACT = redblack.solve(6, 5, backend="exact")


def test_advice() -> None:
    advice = EXACT.advice(red=2, black=4)
    assert advice == EXACT.advice(drawn=5, good=4)
    assert advice.cash == advice.stop == 3
    assert advice.action == "stop"
    assert advice.draw == (2 * EXACT.totals[1, 4] + 4 * EXACT.totals[2, 3]) / 6
    assert advice.margin == advice.stop - advice.draw
    assert advice.value == 3
    assert advice.gain == 0
    advice = EXACT.advice(red=6, black=5)
    assert advice.action == "draw"
    assert advice.draw == advice.value == EXACT.value
    assert advice.margin == EXACT.value
    over = EXACT.advice(red=0, black=0)
    assert (over.draw, over.margin, over.action, over.tie) == (
        None,
        None,
        "stop",
        False,
    )


@pytest.mark.parametrize("table", [FLOAT, EXACT])
def test_advice_in_words(table: redblack.Solution[Any]) -> None:
    assert str(table.advice(red=6, black=5)).endswith(
        "0 in hand: draw, worth 1.90909; stopping is worth 0."
    )
    assert str(table.advice(red=1, black=2)).startswith(
        "1 red and 2 black cards left, 2 in hand: drawing and stopping are both worth 2"
    )
    assert "the game is over" in str(table.advice(red=0, black=0))
    tied = redblack.solve(2, 2, rules=Rules(tie="draw")).advice(red=1, black=2)
    assert (tied.tie, tied.action) == (True, "draw")
    assert str(tied).endswith("the tie rule says draw.")


def test_advice_of_a_utility_is_in_utility() -> None:
    rules = Rules(utility=lambda cash: 10 * cash + 1)
    for backend in ("float64", "exact"):
        table = redblack.solve(6, 5, rules=rules, backend=backend)
        advice = table.advice(red=2, black=4)
        assert advice.cash == 3
        assert advice.stop == advice.value == 31
        assert table.value == pytest.approx(float(10 * EXACT.value + 1))
