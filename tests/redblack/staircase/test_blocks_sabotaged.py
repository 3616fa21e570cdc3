"""Blocks of stairs with a fault in them: refused, or wide bounds that hold the value.

The value that they should hold is that of a sweep by diagonals, which is good to 14
digits; all bounds here are a thousand times wider.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.fft

from cardgames_dp import redblack
from cardgames_dp.redblack import Enclosure
from cardgames_dp.redblack._kernels import boundary_law as guess, scaling
from cardgames_dp.redblack._kernels.staircase import (
    audit,
    climb,
    self_tests,
    stairs,
    walks,
)
from cardgames_dp.redblack._kernels.staircase.stairs import Rise

STAIRCASE = "cardgames_dp.redblack._kernels.staircase"

DECK = 40_000
"""The first excess of its blocks is 80, and the last one 230; strides 1 and 3."""

Patch = pytest.MonkeyPatch


@pytest.fixture(scope="module")
def value() -> float:
    return redblack.value(DECK, DECK, method="diagonal")


def enclosure() -> Enclosure[float]:
    return redblack.enclosure(DECK, DECK, method="staircase")


def is_refused(match: str) -> None:
    with pytest.raises(ArithmeticError, match=f"{match}.*no error can be certified"):
        enclosure()


@pytest.mark.slow
def test_without_a_fault_the_value_is_inside(value: float) -> None:
    bounds = enclosure()
    assert value in bounds
    assert bounds.width < 1e-9


@pytest.mark.slow
def test_transforms_of_every_length_are_tried_out(monkeypatch: Patch) -> None:
    used, tried = set(), set()

    def watch(transform: Callable[..., Any]) -> Callable[..., Any]:
        def watched(cells: Any, kind: int, **more: Any) -> Any:
            used.add(np.shape(cells)[more.get("axis", -1)])
            return transform(cells, kind, **more)

        return watched

    def note(*given: Any) -> None:
        tried.add(len(given[1]))

    for name in ("dst", "idst"):
        monkeypatch.setattr(scipy.fft, name, watch(getattr(scipy.fft, name)))
    monkeypatch.setattr(self_tests.Trial, "transforms", note)
    enclosure()
    assert used == tried


@pytest.mark.slow
@pytest.mark.parametrize("part", [1e-6, 1e-10])
@pytest.mark.parametrize("place", [(0, 0, 0), (1, 3, 2), (0, 40, 41)])
def test_a_wrong_coupling(part: float, place: Any, monkeypatch: Patch) -> None:
    honest = Rise.of.__func__  # type: ignore[attr-defined]

    def wrong(cls: type[Rise], *given: Any) -> Rise:
        made: Rise = honest(cls, *given)
        made.coupling[place] *= 1 + part / made.coupling[place].item() * 0.1
        return made

    monkeypatch.setattr(Rise, "of", classmethod(wrong))
    is_refused("errs by")


@pytest.mark.slow
@pytest.mark.parametrize("fault", ["noise", "step"])
def test_wrong_products(fault: str, monkeypatch: Patch) -> None:
    honest, rng = Rise.risen, np.random.default_rng(7)

    def wrong(of: Rise, slopes: Any, pairs: int) -> Any:
        result = honest(of, slopes, pairs)
        if fault == "noise":
            return result * (1 + 1e-12 * rng.standard_normal(result.shape))
        return result - 1e-9 * of.losses[:, :pairs] * result

    monkeypatch.setattr(Rise, "risen", wrong)
    is_refused(r"the sine transform of \d+ numbers errs by")


@pytest.mark.slow
@pytest.mark.parametrize("field", ["basis", "weights", "places"])
def test_wrong_polynomials(field: str, monkeypatch: Patch) -> None:
    honest = Rise.of.__func__  # type: ignore[attr-defined]

    def wrong(cls: type[Rise], *given: Any) -> Rise:
        made: Rise = honest(cls, *given)
        array = getattr(made, field)
        array[-3 if field != "basis" else 25] *= 1 + 1e-9
        return made

    monkeypatch.setattr(Rise, "of", classmethod(wrong))
    is_refused("errs by")


@pytest.mark.slow
@pytest.mark.parametrize("constant", [1e-8, 1e-12, 0.0])
def test_wrong_probabilities(constant: float, monkeypatch: Patch) -> None:
    honest, rng = walks.pmf_at, np.random.default_rng(2)

    def wrong(n: Any, s: Any) -> Any:
        found = honest(n, s)
        noise = 0.0 if constant else 1e-11 * rng.standard_normal(found.shape)
        return found * (1 + constant + noise)

    for module in (stairs, climb, self_tests):
        monkeypatch.setattr(module, "pmf_at", wrong)
    is_refused(r"the probability that \d+ fair steps sum to -?\d+ errs by")


@pytest.mark.slow
def test_wrong_decays(monkeypatch: Patch) -> None:
    honest = Rise.of.__func__  # type: ignore[attr-defined]

    def wrong(cls: type[Rise], *given: Any) -> Rise:
        made: Rise = honest(cls, *given)
        return made._replace(log_cosines=made.log_cosines * (1 + 1e-9))

    monkeypatch.setattr(Rise, "of", classmethod(wrong))
    is_refused(r"the decay of wave \d+ of \d+ in \d+ steps errs by")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "part"),
    [("dst", 1e-11), ("idst", 1e-11), ("dst", 1e-6), ("idct", 1e-6), ("idct", 1e-9)],
)
def test_a_wave_that_is_too_large(name: str, part: float, monkeypatch: Patch) -> None:
    transform = getattr(scipy.fft, name)

    def faulty(cells: Any, kind: int, **more: Any) -> Any:
        cells = np.array(cells)
        if name != "dst":
            cells[..., 3] *= 1 + part
        result = transform(cells, kind, **more)
        if name == "dst":
            result[..., 3] *= 1 + part
        return result

    monkeypatch.setattr(scipy.fft, name, faulty)
    is_refused(
        r"the probabilities of \d+ steps, climbed in two ways, differ"
        if name == "idct"
        else r"the sine transform of \d+ numbers errs by"
    )


@pytest.mark.slow
@pytest.mark.parametrize("excess", [81, 120, 200])
@pytest.mark.parametrize("shift", [-2, 2])
def test_a_shifted_threshold(
    shift: int, excess: int, value: float, monkeypatch: Patch
) -> None:
    """A worse policy is worth less; what it loses is added to the upper bound."""
    honest, level = enclosure(), guess.level
    monkeypatch.setattr(f"{STAIRCASE}.stairs.DOUBT", math.inf)
    monkeypatch.setattr(guess, "level", lambda k: level(k) + shift * (k == excess))
    bounds = enclosure()
    assert value in bounds
    assert bounds.width > 1.5 * honest.width
    assert bounds.lower < honest.lower


def certified_or_refused() -> Enclosure[float] | None:
    try:
        return enclosure()
    except ArithmeticError as error:
        if "float64 cannot decide where the player stops" in str(error):
            return None
        raise


@pytest.mark.slow
@pytest.mark.parametrize(
    ("field", "amount"),
    [*(("deviations", x) for x in (5.0, 6.0, 7.0)), ("survival", 25.0)],
)
def test_windows_too_narrow_and_waves_dropped(
    field: str, amount: Any, value: float, monkeypatch: Patch
) -> None:
    honest = enclosure()
    sloppy = walks.DOUBLE._replace(**{field: amount})
    monkeypatch.setattr(walks, "DOUBLE", sloppy)
    bounds = certified_or_refused()
    if bounds:
        assert value in bounds
        assert bounds.width > 3 * honest.width


@pytest.mark.slow
def test_a_narrow_band(value: float, monkeypatch: Patch) -> None:
    for module in (scaling, audit, self_tests):
        monkeypatch.setattr(module, "TAIL_BITS", 10)
    bounds = certified_or_refused()
    assert bounds is None or (value in bounds and bounds.width > 1)


@pytest.mark.slow
def test_noise_is_within_the_bound(value: float, monkeypatch: Patch) -> None:
    """All that a product may err by the account, at each rise."""
    honest_bounds, plain = enclosure(), redblack.value(DECK, DECK)
    honest: Callable[..., Any] = Rise.risen

    def worst(of: Rise, slopes: Any, pairs: int) -> Any:
        sizes = np.matmul(
            np.abs(of.coupling[:, :pairs, : slopes.shape[1]]),
            np.abs(slopes[::-1, :, None]),
        )
        return honest(of, slopes, pairs) + 100 * 2.0**-53 * sizes[:, :, 0]

    monkeypatch.setattr(self_tests.Trial, "rise", lambda *_: None)
    monkeypatch.setattr(Rise, "risen", worst)
    shifted = redblack.value(DECK, DECK)
    assert abs(shifted - plain) > 20 * math.ulp(plain)
    assert honest_bounds.lower < shifted < honest_bounds.upper
    assert value in enclosure()
