"""What would take for ever, or all memory, is refused; what takes long shows it.

Sizes without end, of which most calls would run for years or ask for petabytes: each
call answers, or refuses with an error that says what to do instead.
"""

import pickle
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from cardgames_dp import TooLargeError, TooLongError, cardrow, exact, pairs, redblack
from cardgames_dp._effort import MOST_SECONDS, duration
from cardgames_dp.redblack import Rules
from cardgames_dp.redblack._kernels import costs, limits, playing
from cardgames_dp.redblack._kernels.sweep import Sweep

PLAIN = Rules()
ODD = Rules(win=3, lose=2)
TASTE = Rules(utility=lambda cash: cash)
HUGE = [10**12, 10**18, 10**30, 10**400, 10**6000]


@pytest.mark.parametrize("error", [TooLongError, TooLargeError])
def test_refusals_are_at_the_front_door_alone(error: type[ValueError]) -> None:
    assert issubclass(error, ValueError)
    assert f"{error.__module__}.{error.__name__}" in (
        "cardgames_dp.TooLongError",
        "cardgames_dp.TooLargeError",
    )
    for game in (redblack, cardrow, pairs):
        assert not hasattr(game, error.__name__)
    caught = pickle.loads(pickle.dumps(error("1 card would take a year")))
    assert type(caught) is error
    assert caught.args == ("1 card would take a year",)


CALLS: list[Callable[[int], Any]] = [
    lambda n: redblack.value(n, n, method="diagonal"),
    lambda n: redblack.value(n, n, backend="exact"),
    lambda n: redblack.value(n, n, rules=TASTE),
    lambda n: redblack.value(n, 12, rules=TASTE),
    lambda n: redblack.value(n, 12, rules=TASTE, backend="exact"),
    lambda n: redblack.value(2 * n, 3 * n, rules=ODD),
    lambda n: redblack.value(n, 3, backend="exact"),
    lambda n: redblack.enclosure(n, n, method="diagonal"),
    lambda n: redblack.values([1, n], method="diagonal"),
    lambda n: redblack.values([1, n], rules=TASTE),
    lambda n: redblack.values([1, n], backend="exact"),
    lambda n: redblack.solve(n, n),
    lambda n: redblack.solve(n, 3, backend="exact"),
    lambda n: redblack.solve(n, 3, max_bytes=10**500),
    lambda n: redblack.payoff_law(n, n),
    lambda n: redblack.payoff_law(n, 3, backend="exact"),
    lambda n: redblack.payoff_law(n, n, rules=TASTE),
    lambda n: redblack.duration_law(3, n),
    redblack.thresholds,
    lambda n: redblack.thresholds(n, method="diagonal"),
    lambda n: redblack.thresholds(n, rules=ODD),
    lambda n: redblack.simulate(n, n, games=3),
    lambda n: redblack.simulate(26, 26, games=n),
    lambda n: redblack.simulate(26, 26, games=n, paths=n),
    lambda n: redblack.simulate(n, 0, games=2, policy="never_stop"),
    lambda n: redblack.omniscient_value(n, n, backend="exact"),
]


@pytest.mark.parametrize("n", HUGE, ids=lambda n: f"1e{len(f'{n:x}') * 1.204:.0f}")
@pytest.mark.parametrize("call", CALLS, ids=range(len(CALLS)))
def test_sizes_without_end(call: Callable[[int], Any], n: int) -> None:
    with pytest.raises((TooLongError, TooLargeError, ValueError)) as refusal:
        call(n)
    message = str(refusal.value)
    assert "Exceeds the limit" not in message  # Python's own, of long integers
    assert len(message) < 600
    if isinstance(refusal.value, (TooLongError, TooLargeError)):
        assert ("use " in message) or ("ask for " in message) or ("simulate" in message)


@pytest.mark.parametrize("n", HUGE[3:], ids=["1e400", "1e6000"])
@pytest.mark.parametrize("call", [redblack.value, redblack.enclosure])
def test_numbers_that_float64_does_not_have(
    call: Callable[[int, int], Any], n: int
) -> None:
    with pytest.raises(ValueError, match=r"at most 10\*\*300"):
        call(n, 3)


ANSWERED: list[tuple[Callable[[int], Any], Callable[[int], Any]]] = [
    (lambda n: redblack.value(12, n), lambda n: 0),
    (lambda n: redblack.value(12, n, backend="exact"), lambda n: 0),
    (lambda n: redblack.value(12, n, rules=ODD), lambda n: 0),
    (lambda n: redblack.value(0, n), lambda n: 0),
    (lambda n: redblack.value(n, 0, backend="exact"), lambda n: n),
    (lambda n: redblack.value(n, 1), lambda n: n - 1),
    (lambda n: redblack.value(n, n, rules=ODD), lambda n: n + 3.5792),
    (lambda n: redblack.enclosure(n, 3).lower, lambda n: n - 3),
    (lambda n: redblack.values([1, n], rules=ODD)[1], lambda n: n + 3.5792),
    (lambda n: redblack.omniscient_value(n, 1), lambda n: n - 1),
    (lambda n: redblack.omniscient_value(1, n), lambda n: 0),
]


@pytest.mark.parametrize(("call", "answer"), ANSWERED, ids=range(len(ANSWERED)))
@pytest.mark.parametrize("n", [10**9, 10**12, 10**30], ids=["1e9", "1e12", "1e30"])
def test_large_decks_that_are_decided_soon(
    call: Callable[[int], Any], answer: Callable[[int], Any], n: int
) -> None:
    assert call(n) == pytest.approx(answer(n), rel=1e-12, abs=1e-8)


def test_a_clairvoyants_winnings_beyond_float64() -> None:
    with pytest.raises(ValueError, match=r"in float64 .*backend='exact'.*about 1e400"):
        redblack.omniscient_value(10**400, 1)
    exactly = redblack.omniscient_value(10**400, 1, backend="exact")
    assert exactly == 10**400 - 1 + Fraction(1, 10**400 + 1)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: redblack.value(10**10, 10**10, method="diagonal", progress=True),
            r"diagonal sweep of 10000000000 red .* days; use method='staircase'",
        ),
        (
            lambda: redblack.value(10**16, 10**16),
            r"use .*fitting\.asymptotic_value\(\.\.\.\)",
        ),
        (lambda: redblack.values([1, 10**16]), r"fitting\.asymptotic_value"),
        (
            lambda: redblack.enclosure(2 * 10**10, 3 * 10**10, rules=ODD),
            r"omniscient_value\(\.\.\.\) is a",
        ),
        (
            lambda: redblack.thresholds(10**6, method="diagonal", progress=True),
            r"diagonal sweep",
        ),
        (lambda: redblack.thresholds(10**9), r"1000000000 thresholds .* ask for fewer"),
        (
            lambda: redblack.simulate(10**6, 10**6, games=10**9, progress=True),
            r"play 1000000000 games of .* simulate fewer games",
        ),
        (
            lambda: redblack.omniscient_value(10**9, 10**9, backend="exact"),
            r"use backend='float64'",
        ),
    ],
)
def test_weeks_are_refused_with_what_answers(
    call: Callable[[], Any], message: str
) -> None:
    with pytest.raises(TooLongError, match=message):
        call()


@pytest.mark.parametrize(
    "call",
    [
        lambda: redblack.value(10**9, 10**9, method="diagonal"),
        lambda: redblack.value(5 * 10**14, 5 * 10**14),
        lambda: redblack.values([5 * 10**14]),
        lambda: redblack.thresholds(4 * 10**6),
        lambda: redblack.simulate(10**6, 10**6, games=10**7),
        lambda: redblack.omniscient_value(10**22, 10**22),
        lambda: redblack.value(10**6, 10**6, rules=TASTE),
        lambda: redblack.values(range(10**4, 10**4 + 2000), rules=TASTE),
    ],
    ids=range(8),
)
def test_hours_are_not_silent(call: Callable[[], Any]) -> None:
    with pytest.raises(TooLongError, match="allow it with progress=True, or "):
        call()


def test_calls_of_minutes_are_not_refused() -> None:
    """By their costs alone: computing them would take minutes, too."""
    assert costs.climb(10**10, 10**10) < 3600
    assert costs.sweep(PLAIN, 10**7, 10**7, exact=False) < 3600
    assert costs.sweep(PLAIN, 10**4, 10**4, exact=True) < 3600
    assert costs.forward(10**6, 10**6, exact=False) < 3600
    assert costs.simulation(26, 26, 10**9) < 3600


def test_costs_grow_as_their_algorithms_do() -> None:
    def exponent(cost: Callable[[int], float], size: int) -> float:
        return float(np.log10(cost(10 * size) / cost(size)))

    grown = {
        1.5: lambda n: costs.sweep(PLAIN, n, n, exact=False),
        3.0: lambda n: costs.sweep(PLAIN, n, n, exact=True),
        0.61: lambda n: costs.climb(n, n),
        2.0: lambda n: costs.table(n, n, exact=False),
        1.0: lambda n: costs.simulation(n, n, 10**6),
        0.5: lambda n: costs.omniscient(n, n, exact=False),
    }
    for power, cost in grown.items():
        assert exponent(cost, 10**14) == pytest.approx(power, abs=0.02)


def test_a_sweep_ends_where_its_deck_stops() -> None:
    """Which is what makes a deck of few red cards cheap, whatever the black ones."""
    for rules in (PLAIN, ODD, Rules(win=1, lose=5), Rules(fee=Fraction(1, 3))):
        sweep = Sweep.of(rules, 40, 10**6, exact=True)
        passed = sum(1 for _ in sweep.levels())
        assert passed <= costs.levels(rules, 40, 10**6) <= 3 * passed + 200


def test_durations_in_words() -> None:
    assert duration(MOST_SECONDS) == "7 days"
    assert duration(1e5) == "28 hours"
    assert duration(90) == "90 seconds"
    assert duration(float("inf")) == "1e300 years"


BARS: list[Callable[[bool], Any]] = [
    lambda shown: redblack.payoff_law(40, 40, progress=shown),
    lambda shown: redblack.duration_law(40, 40, backend="exact", progress=shown),
    lambda shown: redblack.payoff_law(9, 9, rules=TASTE, progress=shown),
    lambda shown: redblack.solve(40, 30, progress=shown),
    lambda shown: redblack.solve(9, 9, backend="exact", progress=shown),
    lambda shown: redblack.values([5, 6], rules=TASTE, progress=shown).tolist(),
    lambda shown: redblack.omniscient_value(40, 40, backend="exact", progress=shown),
    lambda shown: redblack.omniscient_value(40, 40, progress=shown),
    lambda shown: exact.solve(PLAIN.game(3, 3), progress=shown),
    lambda shown: redblack.simulate(20, 20, games=9, rng=1, progress=shown),
]


@pytest.mark.parametrize("call", BARS, ids=range(len(BARS)))
def test_progress_changes_nothing(
    call: Callable[[bool], Any], capsys: pytest.CaptureFixture[str]
) -> None:
    silent = call(False)
    assert capsys.readouterr() == ("", "")
    assert call(True) == silent
    bars = capsys.readouterr().err
    assert "levels" in bars or "decks" in bars or "leads" in bars or "s/s]" in bars


def test_the_bar_of_long_games_moves_within_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tqdm = pytest.importorskip("tqdm")
    moves: list[float] = []
    update = tqdm.tqdm.update

    def recorded(bar: Any, step: float = 1) -> Any:
        moves.append(step)
        return update(bar, step)

    monkeypatch.setattr(tqdm.tqdm, "update", recorded)
    monkeypatch.setattr(playing, "_LEVELS_A_STEP", 10)
    redblack.simulate(50, 50, games=7, policy="never_stop", rng=1, progress=True)
    assert len(moves) > 5
    assert sum(moves) == pytest.approx(7)
    assert max(moves) < 1


def test_the_memory_of_the_machine_bounds_every_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("cardgames_dp._memory.physical_memory", lambda: 5000)
    assert redblack.solve(9, 9, max_bytes=4000).red == 9
    with pytest.raises(TooLargeError, match=r"more than this machine's memory, 4.883"):
        redblack.solve(99, 99, max_bytes=10**12)


@pytest.mark.parametrize(
    ("rules", "red", "black", "amounts"),
    [
        (Rules(), 10, 20, 31),  # every cash from -20 to 10
        (Rules(win=Fraction(1, 7)), 10, 20, 10 + 7 * 20 + 1),
        (Rules(win=1000), 10, 20, 11 * 21),  # no two states have the same
    ],
)
def test_amounts_of_cash_are_counted(
    monkeypatch: pytest.MonkeyPatch, rules: Rules, red: int, black: int, amounts: int
) -> None:
    """Each is kept with its exact utility: most of the memory of small decks."""
    asked: list[int] = []
    monkeypatch.setattr(
        limits, "refuse_too_large", lambda _what, size, _instead: asked.append(size)
    )
    for exactly in (False, True):
        limits.refuse_recurrence(rules, red, black, exact=exactly, progress=False)
    levels = 11 * 30 // 2  # integers of up to this many bits, in two levels and more
    assert asked[1] - asked[0] - levels == limits._AMOUNT_BYTES * amounts
