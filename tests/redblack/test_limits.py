"""What would take for ever, or all memory, is refused; what takes long shows it.

Sizes without end, of which most calls would run for years or ask for petabytes: each
call answers, or refuses with an error that says what to do instead.
"""

import time
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

import cardgames_dp
from cardgames_dp import TooLargeError, exact, redblack
from cardgames_dp.redblack import Rules
from cardgames_dp.redblack._kernels import limits
from cardgames_dp.redblack._kernels.sweep import Sweep

PLAIN = Rules()
ODD = Rules(win=3, lose=2)
TASTE = Rules(utility=lambda cash: cash)
HUGE = [10**12, 10**18, 10**30, 10**400, 10**6000]

CALLS: list[Callable[[int], Any]] = [
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
    lambda n: redblack.distribution(n, n).payoff,
    lambda n: redblack.distribution(n, 3, backend="exact").payoff,
    lambda n: redblack.distribution(n, n, rules=TASTE).payoff,
    lambda n: redblack.distribution(3, n).moves,
    redblack.thresholds,
    lambda n: redblack.thresholds(n, method="diagonal"),
    lambda n: redblack.thresholds(n, rules=ODD),
    lambda n: redblack.simulate(n, n, games=3),
    lambda n: redblack.simulate(26, 26, games=100 * n),
    lambda n: redblack.simulate(26, 26, games=100 * n, paths=n),
    lambda n: redblack.simulate(n, 0, games=2, policy="never_stop"),
    lambda n: redblack.foresight_value(n, n, backend="exact"),
]


@pytest.mark.parametrize("n", HUGE, ids=lambda n: f"1e{len(f'{n:x}') * 1.204:.0f}")
@pytest.mark.parametrize("call", CALLS, ids=range(len(CALLS)))
def test_sizes_without_end(call: Callable[[int], Any], n: int) -> None:
    began = time.process_time()
    with (
        cardgames_dp.running(max_bytes=10**500),
        pytest.raises(ValueError) as refusal,  # noqa: PT011
    ):
        call(n)
    assert time.process_time() - began < 5
    message = str(refusal.value)
    assert "Exceeds the limit" not in message  # Python's own, of long integers
    assert len(message) < 600
    if isinstance(refusal.value, TooLargeError) or "must be at most" in message:
        assert any(
            word in message for word in ("use ", "ask for ", "simulate", "at most 10**")
        )


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
    (lambda n: redblack.value([1, n], [1, n], rules=ODD)[1], lambda n: n + 3.5792),
    (lambda n: redblack.foresight_value(n, 1), lambda n: n - 1),
    (lambda n: redblack.foresight_value(1, n), lambda n: 0),
]


@pytest.mark.parametrize(("call", "answer"), ANSWERED, ids=range(len(ANSWERED)))
@pytest.mark.parametrize("n", [10**9, 10**12, 10**30], ids=["1e9", "1e12", "1e30"])
def test_large_decks_that_are_decided_soon(
    call: Callable[[int], Any], answer: Callable[[int], Any], n: int
) -> None:
    assert call(n) == pytest.approx(answer(n), rel=1e-12, abs=1e-8)


def test_a_clairvoyants_winnings_beyond_float64() -> None:
    with pytest.raises(ValueError, match=r"in float64 .*backend='exact'.*about 1e400"):
        redblack.foresight_value(10**400, 1)
    exactly = redblack.foresight_value(10**400, 1, backend="exact")
    assert exactly == 10**400 - 1 + Fraction(1, 10**400 + 1)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: redblack.value(10**11, 10**11, method="diagonal"),
            r"levels of a sweep of 100000000000 red .* use method='staircase'",
        ),
        (
            lambda: redblack.value(10**16, 10**16),
            r"use .*fitting\.asymptotic_value\(\.\.\.\)",
        ),
        (
            lambda: redblack.value([1, 10**16], [1, 10**16]),
            r"fitting\.asymptotic_value",
        ),
        (
            lambda: redblack.enclosure(2 * 10**10, 3 * 10**10, rules=ODD),
            r"foresight_value\(\.\.\.\) is a",
        ),
        (lambda: redblack.thresholds(10**9), r"max_excess .*1000000000; ask for fewer"),
        (lambda: redblack.thresholds(10**6, method="diagonal"), r"levels of a sweep"),
        (
            lambda: redblack.value(10**9, 10**9, digits=30),
            r"with digits must be at most .* use enclosure\(",
        ),
        (
            lambda: redblack.simulate(10**6, 10**6, games=10**9),
            r"of 1000000000 games of .* simulate fewer games",
        ),
        (
            lambda: redblack.foresight_value(10**9, 10**9, backend="exact"),
            r"or backend='float64'",
        ),
    ],
)
def test_weeks_are_refused_with_what_answers(
    call: Callable[[], Any], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        call()


def test_a_sweep_ends_where_its_deck_stops() -> None:
    """Which is what makes a deck of few red cards cheap, whatever the black ones."""
    for rules in (PLAIN, ODD, Rules(win=1, lose=5), Rules(fee=Fraction(1, 3))):
        sweep = Sweep.of(rules, 40, 10**6, exact=True)
        passed = sum(1 for _ in sweep.levels())
        assert passed <= limits.levels(rules, 40, 10**6) <= 3 * passed + 200


BARS: list[Callable[[], Any]] = [
    lambda: redblack.distribution(40, 40).payoff,
    lambda: redblack.distribution(40, 40, backend="exact").moves,
    lambda: redblack.distribution(9, 9, rules=TASTE).payoff,
    lambda: redblack.solve(40, 30),
    lambda: redblack.solve(9, 9, backend="exact"),
    lambda: redblack.value([5, 6], [5, 6], rules=TASTE).tolist(),
    lambda: redblack.foresight_value(40, 40, backend="exact"),
    lambda: redblack.foresight_value(40, 40),
    lambda: exact.solve(PLAIN.game(3, 3)),
    lambda: redblack.simulate(20, 20, games=9, rng=1),
]


@pytest.mark.parametrize("call", BARS, ids=range(len(BARS)))
def test_progress_changes_nothing(
    call: Callable[[], Any], capsys: pytest.CaptureFixture[str]
) -> None:
    silent = call()
    assert capsys.readouterr() == ("", "")
    with cardgames_dp.running(progress=True):
        assert call() == silent
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
    monkeypatch.setattr("cardgames_dp.redblack.simulation._LEVELS_A_STEP", 10)
    with cardgames_dp.running(progress=True):
        redblack.simulate(50, 50, games=7, policy="never_stop", rng=1)
    assert len(moves) > 5
    assert sum(moves) == pytest.approx(7)
    assert max(moves) < 1


def test_the_memory_of_the_machine_bounds_every_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("cardgames_dp._support.running.physical_memory", lambda: 5000)
    with cardgames_dp.running(max_bytes=4000):
        assert redblack.solve(9, 9).red == 9
    with (
        pytest.raises(TooLargeError, match=r"more than this machine's memory, 4.883"),
        cardgames_dp.running(max_bytes=10**12),
    ):
        redblack.solve(99, 99)


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
        limits.refuse_recurrence(rules, red, black, exact=exactly)
    levels = 11 * 30 // 2  # integers of up to this many bits, in two levels and more
    assert asked[1] - asked[0] - levels == limits._AMOUNT_BYTES * amounts
