"""What would take too long is refused before it begins, or shows how far it is."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from cardgames_dp import cardrow
from cardgames_dp._effort import TooLongError
from cardgames_dp.cardrow import Rules, diagonals

MANY = [1] * 10**6


@pytest.mark.parametrize(
    "call",
    [
        lambda progress: cardrow.best_move(
            MANY, rules=Rules(take=2), progress=progress
        ),
        lambda progress: cardrow.value(MANY, rules=Rules(players=3), progress=progress),
        lambda progress: cardrow.scores(
            MANY, rules=Rules(weights=MANY), progress=progress
        ),
        lambda progress: cardrow.who_should_start(
            MANY, rules=Rules(take=9), progress=progress
        ),
    ],
)
def test_hours_without_a_sign_of_life(call: Callable[[Any], Any]) -> None:
    with pytest.raises(TooLongError, match=r"1000000 cards .* progress=True"):
        call(False)
    with pytest.raises(TypeError, match="progress"):
        call(1)


@pytest.mark.parametrize("progress", [False, True])
def test_weeks(progress: bool) -> None:
    rules, large = Rules(take=20), [2**62] * 10**6
    with pytest.raises(TooLongError, match=r"would take about .* (days|years)"):
        cardrow.best_move(large, rules=rules, progress=progress)
    with pytest.raises(TooLongError):
        cardrow.value(large, method="diagonal", rules=rules, progress=progress)


def test_lines_of_a_million_cards_do_not_fit_but_half_an_hour_is_allowed() -> None:
    with pytest.raises(cardrow.TooLargeError):
        cardrow.optimal_play(MANY, rules=Rules(take=2))
    assert diagonals.sweep_seconds(10**6, 1, 1, turns=False, fast=True) < 3600


@pytest.mark.parametrize("fast", [False, True])
@pytest.mark.parametrize("turns", [False, True])
def test_an_estimate_grows_with_the_work(turns: bool, fast: bool) -> None:
    def seconds(cards: int, take: int, numbers: int) -> float:
        return diagonals.sweep_seconds(cards, take, numbers, turns=turns, fast=fast)

    assert seconds(10**6, 1, 2) == pytest.approx(100 * seconds(10**5, 1, 2), rel=0.05)
    assert seconds(1000, 3, 2) == pytest.approx(3 * seconds(1000, 1, 2))
    assert seconds(1000, 1, 3) > seconds(1000, 1, 2) > 0


@pytest.mark.parametrize(
    "call",
    [
        lambda row: cardrow.value(row, method="diagonal", progress=True),
        lambda row: cardrow.value(row, rules=Rules(players=3), progress=True),
        lambda row: cardrow.scores(row, rules=Rules(take=2), progress=True),
        lambda row: cardrow.optimal_play(row, method="diagonal", progress=True),
    ],
)
def test_a_bar_counts_intervals(
    call: Callable[[Any], Any], capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("tqdm")
    call(np.arange(9))
    assert "45.0/45.0" in capsys.readouterr().err


def test_what_is_linear_shows_no_bar(capsys: pytest.CaptureFixture[str]) -> None:
    assert cardrow.value([1, 5, 1], progress=True) == -3
    assert capsys.readouterr().err == ""
