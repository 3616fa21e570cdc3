"""Faults of a library or of this program that a certificate must not survive.

Each is put in where it would work, and passed every check of an earlier version with an
interval that looked honest and did not hold the exact value.
"""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import scipy.fft

from cardgames_dp import redblack
from cardgames_dp.redblack._kernels.scaling import Band
from cardgames_dp.redblack._kernels.staircase import climb, self_tests, stairs, walks
from cardgames_dp.redblack._kernels.staircase.self_tests import Trial
from cardgames_dp.redblack._kernels.staircase.walks import Waves

DECK = 1500


@pytest.fixture(scope="module")
def exact() -> Fraction:
    return redblack.value(DECK, DECK, backend="exact")


def is_refused(match: str) -> None:
    with pytest.raises(ArithmeticError, match=f"{match}.*no error can be certified"):
        redblack.enclosure(DECK, DECK, method="staircase")


def test_without_a_fault_nothing_is_refused(exact: Fraction) -> None:
    bounds = redblack.enclosure(DECK, DECK, method="staircase")
    assert exact in bounds


@pytest.mark.parametrize(("part", "refused"), [(0.9, False), (1.1, True)])
def test_a_transform_may_err_as_much_as_is_allowed(
    part: float, refused: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Known waves have a part of the allowed error in one place that is not theirs."""
    transform, window, allowed = scipy.fft.dst, np.ones(60), 1e-9

    def faulty(cells: Any, kind: int) -> Any:
        result = transform(cells, kind)
        if not np.array_equal(cells, window):
            result[40] += part * allowed * np.linalg.norm(cells) * math.sqrt(2 * 60)
        return result

    monkeypatch.setattr(scipy.fft, "dst", faulty)
    if refused:
        with pytest.raises(ArithmeticError, match="the sine transform of 60 numbers"):
            Trial().transforms(window, allowed)
    else:
        Trial().transforms(window, allowed)


@pytest.mark.parametrize("part", [1e-6, 1e-10])
@pytest.mark.parametrize("wave", [2, 5])
@pytest.mark.parametrize("names", [["dst"], ["idst"], ["dst", "idst"]])
def test_a_wave_that_is_too_large(
    part: float, wave: int, names: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the way back makes up for it, as the waves decay in between."""
    for name in names:
        transform = getattr(scipy.fft, name)
        factor = 1 + part if name == "dst" else 1 - part

        def faulty(
            cells: Any,
            kind: int,
            factor: float = factor,
            there: bool = name == "dst",
            transform: Callable[..., Any] = transform,
            **more: bool,
        ) -> Any:
            cells = np.array(cells)
            if not there:
                cells[wave - 1 : wave] *= factor
            result = transform(cells, kind, **more)
            if there:
                result[wave - 1 : wave] *= factor
            return result

        monkeypatch.setattr(scipy.fft, name, faulty)
    is_refused(r"the sine transform of \d+ numbers errs by")


@pytest.mark.parametrize("seventh", [False, True])
def test_noise_in_the_transforms(
    seventh: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    transform, rng, calls = scipy.fft.dst, np.random.default_rng(1), iter(range(10**9))

    def noisy(cells: Any, kind: int, **more: bool) -> Any:
        result = transform(cells, kind, **more)
        if not seventh or next(calls) % 7 == 0:
            result *= 1 + 1e-13 * rng.standard_normal(len(result))
        return result

    monkeypatch.setattr(scipy.fft, "dst", noisy)
    is_refused(r"the sine transform of \d+ numbers errs by")


def patch_pmf(monkeypatch: pytest.MonkeyPatch, of: Callable[..., Any]) -> None:
    for module in (climb, stairs, self_tests, walks):
        monkeypatch.setattr(module, "pmf", of)


@pytest.mark.parametrize("constant", [1e-8, 1e-12, 0.0])
def test_wrong_probabilities(constant: float, monkeypatch: pytest.MonkeyPatch) -> None:
    honest, rng = walks.pmf, np.random.default_rng(2)

    def wrong(n: int, s: int, real: type = float) -> Any:
        noise = 0.0 if constant else 1e-12 * rng.standard_normal()
        return honest(n, s, real) * (1 + constant + noise)

    patch_pmf(monkeypatch, wrong)
    is_refused(r"the probability that \d+ fair steps sum to -?\d+ errs by 1?")


def test_a_wrong_last_division(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = walks.pmf

    def wrong(n: int, s: int, real: type = float) -> Any:
        return honest(n, s, real) * (1 + 1e-8 * (n == 2 * DECK))

    monkeypatch.setattr(climb, "pmf", wrong)
    is_refused(f"the probability that {2 * DECK} fair steps sum to 0 errs by 1.0e-08")


def test_rows_that_drift(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = walks.pmf_below

    def drifting(n: int, s: int, first: float, count: int) -> Any:
        return honest(n, s, first, count) * (1 + 1e-10 * np.arange(count) / count)

    for module in (climb, stairs, self_tests):
        monkeypatch.setattr(module, "pmf_below", drifting)
    is_refused("the probability that")


@pytest.mark.parametrize("fault", ["noise", "time"])
def test_wrong_decays(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    honest, rng = Waves.after, np.random.default_rng(3)

    def wrong(waves: Waves, steps: int) -> Any:
        if fault == "time":
            return honest(waves, steps * (1 + 1e-9))  # type: ignore[arg-type]
        left = honest(waves, steps)
        return left * (1 + 1e-10 * rng.standard_normal(len(left)))

    monkeypatch.setattr(Waves, "after", wrong)
    is_refused(r"the decay of wave \d+ of \d+ in \d+ steps errs by")


@pytest.mark.parametrize("part", [0.7, 0.5])
def test_a_band_too_narrow(part: float, monkeypatch: pytest.MonkeyPatch) -> None:
    honest = Band.reach
    monkeypatch.setattr(Band, "reach", lambda band, n: part * honest(band, n))
    is_refused(r"paths leave the band of 1500 \+ 1500 cards at \d+ too often")


@pytest.mark.parametrize("left", [50, 55, 59])
def test_the_law_of_a_path_at_the_band_s_edge(
    left: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The guard takes a tail for what it is or a little more."""
    red = black = 60
    n = 70
    counts = [math.comb(red, r) * math.comb(black, n - r) for r in range(red + 1)]
    tail = sum(counts[left:]) / math.comb(red + black, n)
    allowed = math.log2(2 / (red + black) / tail)  # the slack of two
    monkeypatch.setattr(self_tests, "TAIL_BITS", allowed - 0.5)
    Trial().band(red, black, n, n - 2 * left)
    monkeypatch.setattr(self_tests, "TAIL_BITS", allowed + 0.01)
    with pytest.raises(ArithmeticError, match="too often"):
        Trial().band(red, black, n, n - 2 * left)
