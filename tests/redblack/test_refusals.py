"""Bad input is refused before any work, in words that name it and what would do."""

import math
import time
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import matplotlib.figure
import numpy as np
import pytest

from cardgames_dp import TooLargeError, diagonal, exact, game, play, redblack
from cardgames_dp.plots import plot_distribution
from cardgames_dp.redblack import Rules

from .. import told
from ..told import within
from ..tools.fuzz.hostile import FloatOf

FILE = Path(__file__).with_name("refused.txt")


def axes(rows: int) -> Any:
    return matplotlib.figure.Figure().subplots(rows)


NAMES: dict[str, Any] = {name: getattr(redblack, name) for name in dir(redblack)}
NAMES |= {f.__name__: f for f in (axes, plot_distribution, FloatOf)}
NAMES |= {"nan": math.nan, "inf": math.inf}
NAMES |= {"exact": exact, "diagonal": diagonal, "play": play}
NAMES["explore"] = game.explore
NAMES["PARTED"] = Rules(utility=lambda c: np.where((c > 2) & (c < 5), 3 - c, c))


@pytest.mark.parametrize("line", [*told.table(FILE)], ids=str)
def test_refused(line: told.Told) -> None:
    line.check(NAMES)


# Sizes without end, of which most calls would run for years or ask for petabytes.

ODD = Rules(win=3, lose=2)
TASTE = Rules(utility=lambda cash: cash)


def law(red: int, black: int, *policy: Any, rules: Any = None, **how: Any) -> Any:
    game = redblack.game(red, black, rules=rules)
    return play.distribution(game, *(policy or ["optimal"]), **how)


def simulate(red: int, black: int, *policy: Any, rules: Any = None, **how: Any) -> Any:
    game = redblack.game(red, black, rules=rules)
    return play.simulate(game, *(policy or ["optimal"]), **how)


ENDLESS: list[Callable[[int], Any]] = [
    lambda n: redblack.value(n, n, method="diagonal"),
    lambda n: redblack.value(n, n, backend="exact"),
    lambda n: redblack.value(n, n, rules=TASTE),
    lambda n: redblack.value(n, 12, rules=TASTE),
    lambda n: redblack.value(n, 12, rules=TASTE, backend="exact"),
    lambda n: redblack.value(2 * n, 3 * n, rules=ODD),
    lambda n: redblack.value(n, 3, backend="exact"),
    lambda n: redblack.enclosure(n, n, method="diagonal"),
    lambda n: redblack.value([1, n], [1, n], method="diagonal"),
    lambda n: redblack.value([1, n], [1, n], rules=TASTE),
    lambda n: redblack.value([1, n], [1, n], backend="exact"),
    lambda n: redblack.solve(n, n),
    lambda n: redblack.solve(n, 3, backend="exact"),
    lambda n: redblack.solve(n, 3),
    lambda n: law(n, n),
    lambda n: law(n, 3, backend="exact"),
    lambda n: law(n, n, rules=TASTE),
    lambda n: law(3, n),
    lambda n: redblack.lowest_cash(n, 3),
    redblack.thresholds,
    lambda n: redblack.thresholds(n, method="diagonal"),
    lambda n: redblack.thresholds(n, rules=ODD),
    lambda n: simulate(n, n, games=3),
    lambda n: simulate(26, 26, games=100 * n),
    lambda n: simulate(26, 26, games=100 * n, histories=n),
    lambda n: simulate(n, 0, "never_stop", games=2),
    lambda n: redblack.foresight_value(n, n, backend="exact"),
]


@pytest.mark.parametrize("call", ENDLESS, ids=range(len(ENDLESS)))
def test_sizes_without_end(call: Callable[[int], Any]) -> None:
    for n in (10**12, 10**18, 10**30, 10**400, 10**6000):
        began = time.process_time()
        with pytest.raises(ValueError) as refusal:  # noqa: PT011
            within(10**500, call, n)
        assert time.process_time() - began < 5
        message = str(refusal.value)
        assert "Exceeds the limit" not in message  # Python's own, of long integers
        assert len(message) < 600
        if isinstance(refusal.value, TooLargeError) or "must be at most" in message:
            cures = ("use ", "ask for ", "simulate", "at most 10**")
            assert any(word in message for word in cures)


ANSWERED: list[tuple[Callable[[int], Any], Callable[[int], Any]]] = [
    (lambda n: redblack.value(12, n), lambda n: 0),
    (lambda n: redblack.value(12, n, backend="exact"), lambda n: 0),
    (lambda n: redblack.value(12, n, rules=ODD), lambda n: 0),
    (lambda n: redblack.value(0, n), lambda n: 0),
    (lambda n: redblack.value(n, 0, backend="exact"), lambda n: n),
    (lambda n: redblack.value(n, 1), lambda n: n - 1),
    (lambda n: redblack.value(n, n, rules=ODD), lambda n: n + 3.5792),
    (lambda n: redblack.enclosure(n, 3).lower, lambda n: n - 3),
    (lambda n: redblack.value([1, n], [1, n], rules=ODD)[1], lambda n: n + 3.5792),
    (lambda n: redblack.foresight_value(n, 1), lambda n: n - 1),
    (lambda n: redblack.foresight_value(1, n), lambda n: 0),
]


@pytest.mark.parametrize(("call", "answer"), ANSWERED, ids=range(len(ANSWERED)))
def test_large_decks_that_are_decided_soon(
    call: Callable[[int], Any], answer: Callable[[int], Any]
) -> None:
    for n in (10**9, 10**12, 10**30):
        assert call(n) == pytest.approx(answer(n), rel=1e-12, abs=1e-8)


def test_the_memory_of_the_machine_bounds_every_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    memory = "cardgames_dp._support.running.physical_memory"
    monkeypatch.setattr(memory, lambda: 5000)
    assert within(4000, redblack.solve, 9, 9).game.counts == (9, 9)
    with pytest.raises(TooLargeError, match=r"more than this machine's memory, 4.883"):
        within(10**12, redblack.solve, 99, 99)
    # Fractions count for more than floats.
    monkeypatch.setattr(memory, lambda: 500_000)
    assert redblack.foresight_value(100, 100, cards=4) > 6
    with pytest.raises(TooLargeError, match=r"foresight with 8 profiles, for 100 red"):
        redblack.foresight_value(100, 100, cards=4, backend="exact")
    monkeypatch.setattr(memory, lambda: 2**60)
    with pytest.raises(ValueError, match=r"states of deck must be at most 1e.14"):
        redblack.kinds.value({1: 10**7, 0: 10**7, -1: 10**7})


# What is odd, but right.


def test_what_is_beyond_float64_is_known_exactly() -> None:
    large = redblack.urns.game([0, 1], rules=Rules(win=10**301))
    assert exact.solve(large).value == 10**301
    for rules in (Rules(win=10**400), Rules(win=1e200, lose=1e-200)):
        exactly = redblack.value(2, 2, rules=rules, backend="exact")
        assert exactly == redblack.solve(2, 2, rules=rules, backend="exact").value
        assert law(2, 2, rules=rules, backend="exact").mean == (exactly,)
    tiny = Rules(win=5e-324, lose=5e-324)
    value = redblack.value(26, 26, backend="exact")
    assert redblack.value(26, 26, rules=tiny, backend="exact") == value * Fraction(
        5e-324
    )
    uneven = Rules(win=1e20, lose=0.1)
    assert redblack.value(9, 9, rules=uneven, backend="exact") in (
        redblack.enclosure(9, 9, rules=uneven)
    )
    far = redblack.foresight_value(10**400, 1, backend="exact")
    assert far == 10**400 - 1 + Fraction(1, 10**400 + 1)
    assert redblack.kinds.value({10**301: 1, -1: 0}, backend="exact") == 10**301
    assert redblack.solve(20, 20, rules=Rules(win=2e298)).value > 0
