"""Faults of a library or of this program that a certificate must not survive.

Each is put in where it would work: into a deck that is too small for blocks of stairs,
or into one with some. Most passed every check of an earlier version, with an interval
that looked honest and did not hold the value. A climb must refuse them, or say how much
they may do: the value is never outside.
"""

import math
import re
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import scipy.fft

from cardgames_dp import redblack
from cardgames_dp.redblack import Enclosure
from cardgames_dp.redblack._kernels import large_decks as guess, scaling
from cardgames_dp.redblack._kernels.scaling import Band
from cardgames_dp.redblack._kernels.staircase import (
    audit,
    climb,
    self_tests,
    stairs,
    walks,
)
from cardgames_dp.redblack._kernels.staircase.climb import Staircase
from cardgames_dp.redblack._kernels.staircase.self_tests import Climbed
from cardgames_dp.redblack._kernels.staircase.stairs import Block, Passage, Rise, Stair
from cardgames_dp.redblack._kernels.staircase.walks import Waves

SMALL = 1500
DECK = 40_000
"""The first excess of its blocks is 80, and the last one 230; strides 1 and 3."""

Patch = pytest.MonkeyPatch
Fault = Callable[[Patch], None]

TWO_WAYS = r"climbed in two ways, differ by"
SINES = r"the sine transform of \d+ numbers errs by"
CHANCE = r"the probability that \d+ fair steps sum to -?\d+ errs by"
DECAY = r"the decay of wave \d+ of \d+ in \d+ steps errs by"
SAMPLE = r"a sample at excess -?\d+ with \d+ cards left errs by"


def enclosure(deck: int) -> Enclosure[float]:
    return redblack.enclosure(deck, deck, method="staircase")


@pytest.fixture(scope="module")
def honest() -> dict[int, tuple[Any, Enclosure[float]]]:
    """The values of both decks, good to 14 digits and more, and their bounds."""
    values = {
        SMALL: redblack.value(SMALL, SMALL, backend="exact"),
        DECK: redblack.value(DECK, DECK, method="diagonal"),
    }
    result = {deck: (value, enclosure(deck)) for deck, value in values.items()}
    assert all(
        value in bounds and bounds.width < 1e-9 for value, bounds in result.values()
    )
    return result


def changed(place: tuple[Any, str], by: Callable[..., Any]) -> Fault:
    """Return the fault that what a function returns is changed.

    A function of walks wherever it is used, or as one of the other modules sees it.
    """
    owner, name = place

    def put_in(patch: Patch) -> None:
        alone = owner in (climb, self_tests)
        right = getattr(walks if alone else owner, name)
        made = isinstance(owner, type) and hasattr(right, "__self__")

        def wrong(*given: Any, **how: Any) -> Any:
            return by(right(*given, **how), *given)

        if alone:
            seen = SimpleNamespace(**(vars(walks) | {name: wrong}))
            patch.setattr(owner, "walks", seen)
        else:
            patch.setattr(owner, name, staticmethod(wrong) if made else wrong)

    return put_in


def scaled(part: float, place: tuple[Any, str]) -> Fault:
    return changed(place, by=lambda result, *_: result * (1 + part))


def noisy(part: float, place: tuple[Any, str], each: int = 1) -> Fault:
    rng, calls = np.random.default_rng(2), iter(range(10**9))

    def noise(result: Any, *_: Any) -> Any:
        here = next(calls) % each == 0
        return result * (1 + here * part * rng.standard_normal(np.shape(result)))

    return changed(place, by=noise)


def entry(field: str, place: Any, part: float) -> Fault:
    """An entry of what a rise is made of: times 1 + part, or so much more."""

    def wrong(rise: Rise, *_: Any) -> Rise:
        array = getattr(rise, field)
        if field == "coupling":
            array[place] += 0.1 * part
        else:
            array[place] *= 1 + part
        return rise

    return changed((Rise, "of"), by=wrong)


def cells_after_a_block(part: float, beyond: int) -> Fault:
    def wrong(result: Climbed, staircase: Staircase, block: Block) -> Climbed:
        if block.excess > beyond:
            staircase.cells = staircase.cells * (1 + part)
        return result._replace(ended=staircase.cells)

    return changed((Staircase, "_climb_block"), by=wrong)


def walked_elsewhere(rise: int, steps: int) -> Fault:
    def elsewhere(_: Any, cells: Any, stride: int, n: int, risen: int, to: int) -> Any:
        return walks.walk_free(cells, stride, n + steps, risen + rise, to)

    return changed((climb, "walk_free"), by=elsewhere)


def level_at(excess: int, shift: int) -> Fault:
    """A threshold elsewhere: of the wrong parity, or a worse policy."""
    return changed((guess, "level"), by=lambda n, k: n + shift * (k == excess))


def wave_of(part: float, wave: int, *names: str) -> Fault:
    """A wave that is too large, and one on the way back that makes up for it."""

    def put_in(patch: Patch) -> None:
        for name in names:
            right = getattr(scipy.fft, name)

            def wrong(
                cells: Any, kind: int, name: str = name, right: Any = right, **how: Any
            ) -> Any:
                cells, place = np.array(cells), np.s_[..., wave : wave + 1]
                if name != "dst":
                    cells[place] *= 1 - part
                result = right(cells, kind, **how)
                if name == "dst":
                    result[place] *= 1 + part
                return result

            patch.setattr(scipy.fft, name, wrong)

    return put_in


def decay_of(wave: int) -> Fault:
    def wrong(left: Any, *_: Any) -> Any:
        left[wave - 1 : wave] *= 1 + 1e-6
        return left

    return changed((Waves, "after"), by=wrong)


def later(waves: Waves, steps: int, right: Any = Waves.after) -> Any:
    return right(waves, steps * (1 + 1e-9))


STEP, PMF, PMF_AT = (walks, "step"), (walks, "pmf"), (walks, "pmf_at")
DST, IDST = (scipy.fft, "dst"), (scipy.fft, "idst")


def single(cells: Any, *_: Any) -> Any:
    return cells.astype(np.float32).astype(float)


def with_a_drift(row: Any, *_: Any) -> Any:
    return row * (1 + 1e-10 * np.linspace(0, 1, len(row)))


def narrower(made: Block | None, *_: Any) -> Block | None:
    return made and made._replace(reach=math.ceil(0.9 * made.reach))


def other_slopes(result: Any, *_: Any) -> Any:
    return result[0], result[1] * (1 + 1e-10)


def a_step_too_far(result: Any, rise: Rise, _: Any, pairs: int) -> Any:
    return result - 1e-9 * rise.losses[:, :pairs] * result


def in_the_last_division(p: Any, n: int, *_: Any) -> Any:
    return p * (1 + 1e-8 * (n == 2 * SMALL))


def handed(place: tuple[Any, str], by: Callable[[Any], Any], when: Any) -> Fault:
    """Cells changed by a method of a climb, if its first argument is of this kind."""
    return changed(place, lambda cells, of, *_: by(cells) if when(of) else cells)


def one_cell(cells: Any) -> Any:
    cells = cells.copy()
    cells[len(cells) // 4] *= 1 + 1e-6
    return cells


def scaled_cells(cells: Any) -> Any:
    return cells * (1 + 1e-9)


CHANGES: list[Callable[[Any], Any]] = [
    *(scaled_cells, one_cell, single),
    lambda cells: np.concatenate([cells[1:], cells[-1:]]),  # one dropped
]
"""Of the cells that one part of a climb hands over to the next."""

HANDED = "are not those handed over"
SAMPLES = rf"the samples of the stairs from \d+, {TWO_WAYS}"
WINDOW, END = (Staircase, "_window"), (Stair, "end")
ENDED = r"the stair at excess \d+, climbed in two ways"


def into_a_passage(part: float) -> Fault:
    """Only what the passage sees: what the climb keeps of its window is right."""

    def put_in(patch: Patch) -> None:
        right = Passage.of

        def wrong(samples: Any, block: Block, rise: Rise) -> Passage:
            return right(samples * (1 + part * (block.excess > 200)), block, rise)

        patch.setattr(Passage, "of", wrong)

    return put_in


def misplaced(result: Climbed, climbing: Staircase, _: Block) -> Climbed:
    """A level that is another one after a block."""
    climbing.level += 2
    return result


def read_elsewhere(cards: int, excess: int) -> Fault:
    right = Staircase.total

    def elsewhere(_: Any, climbing: Staircase, n: int, s: int) -> Any:
        audit, climbing.audit = climbing.audit, None
        other = right(climbing, n + cards, s + excess)
        climbing.audit = audit
        return other

    return changed((Staircase, "total"), by=elsewhere)


REFUSED_STAIRS: dict[str, list[Fault]] = {
    TWO_WAYS: [scaled(1e-10, STEP)],
    rf"{SINES} .*e-0\d": [changed(DST, by=single), changed(IDST, by=single)],
    f"{SINES}|{ENDED}": [noisy(1e-13, DST, each=7)],
    SINES: [wave_of(1e-10, 1, "idst"), wave_of(1e-10, 4, "dst", "idst")],
    CHANCE: [noisy(1e-12, PMF)],
    f"that {2 * SMALL} fair steps sum to 0 errs by 1.0e-08": [
        changed((climb, "pmf"), by=in_the_last_division)
    ],
    "the probability that": [changed((walks, "pmf_below"), by=with_a_drift)],
    DECAY: [changed((Waves, "after"), by=lambda _, *given: later(*given))],
    **{rf"the decay of wave {n} of \d+ in": [decay_of(n)] for n in (3, 11)},
    HANDED: [
        handed(WINDOW, by, lambda climbing: climbing.excess == 30) for by in CHANGES
    ],
    ENDED: [
        handed(END, scaled_cells, lambda stair, k=k: stair.excess == k)
        for k in (13, 43)
    ],
    "the total of a deck, computed in two ways": [
        *(read_elsewhere(*by) for by in ((2, 0), (0, -2))),
        changed((Staircase, "total"), by=lambda total, *_: total * (1 + 1e-9)),
    ],
    r"leave the band of 1500 \+ 1500 cards at": [scaled(-0.3, (Band, "reach"))],
    "no path has excess 30 with": [level_at(30, 1)],
}

# Only the first block is climbed twice; sums over samples see larger faults.
REFUSED_BLOCKS: dict[str, list[Fault]] = {
    "no path has excess 120 with": [level_at(120, 1)],
    f"the stairs from 81 to 93, {TWO_WAYS}": [cells_after_a_block(1e-10, 0)],
    SAMPLE: [cells_after_a_block(1e-8, 200)],
    TWO_WAYS: [
        scaled(1e-10, (Passage, "_samples")),
        changed((Rise, "of_pmf"), by=other_slopes),
    ],
    f"{SAMPLE}|{TWO_WAYS}": [walked_elsewhere(*by) for by in ((1, 0), (0, -2))],
    SAMPLES: [scaled(1e-10, (self_tests, "walk_free"))],
    rf"the probabilities of \d+ steps, {TWO_WAYS}": [wave_of(1e-9, 3, "idct")],
    f"{HANDED}|is not where it was expected": [
        handed(WINDOW, scaled_cells, lambda climbing: climbing.excess > 150),
        changed((Staircase, "_climb_block"), by=misplaced),
    ],
    ENDED: [
        handed(END, scaled_cells, lambda stair, k=k: stair.excess == k) for k in (1, 80)
    ],
    f"{SAMPLE}|{SAMPLES}": [
        into_a_passage(1e-9),
        cells_after_a_block(1e-10, 200),
    ],
    "does not determine the waves": [scaled(2, (stairs, "stride_at"))],
    r"windows have room for \d+ cells": [changed((Block, "of"), by=narrower)],
    "the decay of wave 42 of": [entry("log_cosines", (1, 20), 1e-6)],
    DECAY: [entry("log_cosines", ..., 1e-9)],
    "errs by": [
        *(entry("coupling", (0, 40, 41), 1e-10), entry("basis", 25, 1e-9)),
        *(entry("weights", -3, 1e-9), entry("places", -3, 1e-9)),
    ],
    SINES: [changed((Rise, "after_rise"), by=a_step_too_far)],
    CHANCE: [noisy(1e-11, PMF_AT)],
}
REFUSED = [
    (deck, message, fault)
    for deck, table in ((SMALL, REFUSED_STAIRS), (DECK, REFUSED_BLOCKS))
    for message, faults in table.items()
    for fault in faults
]


@pytest.mark.slow
@pytest.mark.parametrize(("deck", "message", "fault"), REFUSED)
def test_refused(deck: int, message: str, fault: Fault, monkeypatch: Patch) -> None:
    fault(monkeypatch)
    with pytest.raises(ArithmeticError, match=message) as refusal:
        enclosure(deck)
    assert re.search("no error can be certified|too narrow for it", str(refusal.value))


@pytest.mark.slow
def test_cells_of_a_checkpoint(tmp_path: Path, monkeypatch: Patch) -> None:
    how: Any = {"method": "staircase", "checkpoint": tmp_path / "climb"}
    redblack.enclosure(20_000, 20_000, **how)
    right = climb._restore

    def wrong(staircase: Staircase, state: Any) -> Any:
        result = right(staircase, state)
        staircase.cells = one_cell(staircase.cells)
        return result

    monkeypatch.setattr(climb, "_restore", wrong)
    with pytest.raises(ArithmeticError, match=HANDED):
        redblack.enclosure(DECK, DECK, **how)


def arithmetic(**sloppy: Any) -> Fault:
    return lambda patch: patch.setattr(walks, "DOUBLE", walks.DOUBLE._replace(**sloppy))


def narrow_band(patch: Patch) -> None:
    for module in (scaling, audit, self_tests):
        patch.setattr(module, "TAIL_BITS", 10)


def shifted(excess: int, shift: int) -> Fault:
    """A worse policy is worth less; what it loses is added to the upper bound."""

    def put_in(patch: Patch) -> None:
        patch.setattr(stairs, "DOUBT", math.inf)
        level_at(excess, shift)(patch)

    return put_in


WIDE: list[tuple[int, Fault, float]] = [
    *[(SMALL, shifted(30, by), 1.5) for by in (-20, 2)],
    (DECK, shifted(200, -2), 1.5),
    (SMALL, arithmetic(deviations=7.0), 3),
    (SMALL, arithmetic(survival=20.0), 3),
    *[
        (DECK, arithmetic(**one), 3)
        for one in ({"deviations": 6.0}, {"survival": 25.0})
    ],
    *[(SMALL, narrow_band, 1e9), (DECK, narrow_band, 1e7)],
]


@pytest.mark.slow
@pytest.mark.parametrize(("deck", "fault", "factor"), WIDE)
def test_wide_bounds_or_none(
    deck: int, fault: Fault, factor: float, honest: Any, monkeypatch: Patch
) -> None:
    value, right = honest[deck]
    fault(monkeypatch)
    try:
        bounds = enclosure(deck)
    except ArithmeticError as error:
        if factor == 1.5 or "float64 cannot decide where the" not in str(error):
            raise
    else:
        assert value in bounds
        assert bounds.width > factor * right.width
        assert bounds.lower < right.lower


@pytest.mark.slow
def test_transforms_of_every_length_are_tried_out(monkeypatch: Patch) -> None:
    used, tried = set(), set()

    def watch(result: Any, cells: Any, *_: Any) -> Any:
        used.add(len(result) if np.ndim(cells) == 1 else np.shape(cells)[-1])
        return result

    def note(*given: Any) -> None:
        tried.add(len(given[0]))

    changed(DST, by=watch)(monkeypatch)
    changed(IDST, by=watch)(monkeypatch)
    monkeypatch.setattr(self_tests, "transforms", note)
    enclosure(DECK)
    assert used == tried


# What is allowed is allowed, and no more.


@pytest.mark.parametrize(
    ("part", "outcome"),
    [
        (0.9, nullcontext()),
        (
            1.1,
            pytest.raises(ArithmeticError, match=f"{TWO_WAYS}|the sine transform of"),
        ),
    ],
)
def test_the_first_stairs_and_a_transform_at_their_limits(
    part: float, outcome: Any, monkeypatch: Patch
) -> None:
    """An error of the norm that the account has for it, in one place."""
    staircase, allowed, window = Staircase(5000, 5000), 1e-9, np.ones(60)
    while staircase.excess < 12:
        staircase.climb(10_000)
    cells = staircase.cells.copy()
    cells[3] += part * allowed
    with outcome:
        self_tests.first_stairs(cells, staircase.level, 12, allowed)

    def faulty(result: Any, cells: Any, *_: Any) -> Any:
        if not np.array_equal(cells, window):
            result[40] += part * allowed * np.linalg.norm(cells) * math.sqrt(2 * 60)
        return result

    changed(DST, by=faulty)(monkeypatch)
    with outcome:
        self_tests.transforms(window, allowed)


def room(steps: int, kept: int) -> None:
    """Test a block of 4 stairs, 1000 cells and every third cell, on its geometry.

    It begins and ends as many steps before its first stair and after its last one.
    """
    block = SimpleNamespace(begin=0, end=5000, stride=3, to=3, stairs=4)
    made: Any = SimpleNamespace(block=block, tops=np.array([steps + 1, 5000 - steps]))
    climbed = Climbed(made, np.zeros(1000), np.zeros(kept), 1000)
    self_tests.geometry(climbed, walks.DOUBLE)


def test_the_geometry_of_a_block_at_its_limits() -> None:
    """Of a wave of six cells less than exp(-44) is left after 306 steps.

    Nine deviations of 5000 steps are 637; with four stairs they are 321 cells.
    """
    assert math.cos(math.pi / 6) ** 306 < math.exp(-44) < math.cos(math.pi / 6) ** 305
    room(306, 893)
    with pytest.raises(ArithmeticError, match="every cell in 3 does not determine"):
        room(305, 800)
    with pytest.raises(ArithmeticError, match=r"room for 318 cells, .* reaches 321"):
        room(306, 894)


@pytest.mark.parametrize("left", [50, 55, 59])
def test_the_law_of_a_path_at_the_band_s_edge(left: int, monkeypatch: Patch) -> None:
    """The guard takes a tail for what it is or a little more."""
    red, black, n = 60, 60, 70
    counts = [math.comb(red, r) * math.comb(black, n - r) for r in range(red + 1)]
    tail = sum(counts[left:]) / math.comb(red + black, n)
    allowed = math.log2(2 / (red + black) / tail)  # the slack of two
    monkeypatch.setattr(self_tests, "TAIL_BITS", allowed - 0.5)
    self_tests.band(red, black, n, n - 2 * left)
    monkeypatch.setattr(self_tests, "TAIL_BITS", allowed + 0.01)
    with pytest.raises(ArithmeticError, match="too often"):
        self_tests.band(red, black, n, n - 2 * left)
