"""Faults in how the parts of a climb are put together, which no test of a part can see.

Each passed every check of an earlier version, with an interval that looked honest and
did not hold the value. Faults of single stairs are put into a deck that is too small
for blocks, too.
"""

import math
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from cardgames_dp import redblack
from cardgames_dp.redblack._kernels import boundary_law as guess
from cardgames_dp.redblack._kernels.staircase import climb, self_tests, stairs, walks
from cardgames_dp.redblack._kernels.staircase.climb import Staircase
from cardgames_dp.redblack._kernels.staircase.self_tests import Climbed
from cardgames_dp.redblack._kernels.staircase.stairs import Block, Passage, Rise
from cardgames_dp.redblack._kernels.staircase.walks import Waves

SMALL, DECK = 1500, 40_000

Patch = pytest.MonkeyPatch

TWO_WAYS = r"climbed in two ways, differ by"


def is_refused(match: str, deck: int = DECK) -> None:
    with pytest.raises(ArithmeticError, match=f"{match}.*no error can be certified"):
        redblack.enclosure(deck, deck, method="staircase")


@pytest.mark.slow
@pytest.mark.parametrize("fault", ["single precision", "scale"])
def test_samples_changed_when_a_block_has_ended(fault: str, monkeypatch: Patch) -> None:
    honest = Staircase._climb_block

    def wrong(staircase: Staircase, block: Block) -> Any:
        result = honest(staircase, block)
        if fault == "scale":
            staircase.cells = staircase.cells * (1 + 1e-10)
        else:
            staircase.cells = staircase.cells.astype(np.float32).astype(float)
        return result

    monkeypatch.setattr(Staircase, "_climb_block", wrong)
    is_refused(f"the stairs from 81 to 93, {TWO_WAYS}")


@pytest.mark.slow
@pytest.mark.parametrize("fault", ["single precision", "scale"])
def test_samples_changed_in_later_blocks_only(fault: str, monkeypatch: Patch) -> None:
    """Only the first block is climbed twice; sums over samples see larger faults."""
    honest = Staircase._climb_block

    def wrong(staircase: Staircase, block: Block) -> Any:
        result = honest(staircase, block)
        if block.excess > 200:
            if fault == "scale":
                staircase.cells = staircase.cells * (1 + 1e-8)
            else:
                staircase.cells = staircase.cells.astype(np.float32).astype(float)
        return result

    monkeypatch.setattr(Staircase, "_climb_block", wrong)
    is_refused(r"a sample at excess -?\d+ with \d+ cards left errs by")


@pytest.mark.slow
def test_samples_of_a_passage_scaled(monkeypatch: Patch) -> None:
    honest: Callable[..., Any] = Passage._samples
    monkeypatch.setattr(
        Passage, "_samples", lambda *given: honest(*given) * (1 + 1e-10)
    )
    is_refused(TWO_WAYS)


@pytest.mark.parametrize("deck", [SMALL, pytest.param(DECK, marks=pytest.mark.slow)])
def test_a_step_scaled(deck: int, monkeypatch: Patch) -> None:
    honest = walks.step
    for module in (stairs, climb, self_tests):
        monkeypatch.setattr(module, "step", lambda cells: honest(cells) * (1 + 1e-10))
    is_refused(TWO_WAYS, deck)


@pytest.mark.parametrize("deck", [SMALL, pytest.param(DECK, marks=pytest.mark.slow)])
def test_cells_scaled(deck: int, monkeypatch: Patch) -> None:
    honest: Callable[..., Any] = stairs.Stair.end
    monkeypatch.setattr(stairs.Stair, "end", lambda of: honest(of) * (1 + 1e-10))
    is_refused(f"the first 12 stairs, {TWO_WAYS}", deck)


@pytest.mark.slow
@pytest.mark.parametrize("part", [1e-6, 1e-10])
def test_wrong_slopes_of_the_lost_probabilities(
    part: float, monkeypatch: Patch
) -> None:
    honest: Callable[..., Any] = Rise.of_pmf

    def wrong(*given: Any) -> Any:
        coefficients, slopes = honest(*given)
        return coefficients, slopes * (1 + part)

    monkeypatch.setattr(Rise, "of_pmf", wrong)
    is_refused(TWO_WAYS)


@pytest.mark.slow
@pytest.mark.parametrize(("rise", "steps"), [(1, 0), (-1, 0), (0, 2), (0, -2)])
def test_a_free_walk_elsewhere(rise: int, steps: int, monkeypatch: Patch) -> None:
    honest = walks.walk_free
    monkeypatch.setattr(
        climb,
        "walk_free",
        lambda cells, stride, walked, risen, to: honest(
            cells, stride, walked + steps, risen + rise, to
        ),
    )
    is_refused(r"a sample at excess -?\d+ with \d+ cards left errs by|" + TWO_WAYS)


@pytest.mark.slow
def test_a_free_walk_that_changes_probabilities(monkeypatch: Patch) -> None:
    honest = walks.walk_free
    monkeypatch.setattr(
        self_tests, "walk_free", lambda *given: honest(*given) * (1 + 1e-10)
    )
    is_refused(rf"the probabilities of \d+ steps, {TWO_WAYS}")


@pytest.mark.slow
@pytest.mark.parametrize("factor", [3, 5])
def test_strides_too_coarse(factor: int, monkeypatch: Patch) -> None:
    honest = stairs.stride_at
    monkeypatch.setattr(stairs, "stride_at", lambda *given: factor * honest(*given))
    is_refused(r"every cell in \d+ does not determine the waves")


@pytest.mark.slow
@pytest.mark.parametrize("part", [0.4, 0.9])
def test_windows_too_narrow_for_a_block(part: float, monkeypatch: Patch) -> None:
    honest = Block.of.__func__  # type: ignore[attr-defined]

    def wrong(cls: type[Block], *given: Any) -> Block | None:
        made: Block | None = honest(cls, *given)
        return made and made._replace(reach=math.ceil(part * made.reach))

    monkeypatch.setattr(Block, "of", classmethod(wrong))
    is_refused(r"windows have room for \d+ cells")


@pytest.mark.parametrize("wave", [3, 6, 11])
def test_the_decay_of_any_wave(wave: int, monkeypatch: Patch) -> None:
    honest = Waves.after

    def wrong(waves: Waves, steps: int) -> Any:
        left = honest(waves, steps)
        left[wave - 1 : wave] *= 1 + 1e-6
        return left

    monkeypatch.setattr(Waves, "after", wrong)
    is_refused(rf"the decay of wave {wave} of \d+ in \d+ steps errs by", SMALL)


@pytest.mark.slow
@pytest.mark.parametrize("pair", [1, 5, 20])
def test_the_decay_of_any_wave_of_a_block(pair: int, monkeypatch: Patch) -> None:
    honest = Rise.of.__func__  # type: ignore[attr-defined]

    def wrong(cls: type[Rise], *given: Any) -> Rise:
        made: Rise = honest(cls, *given)
        made.log_cosines[1, pair] *= 1 + 1e-6
        return made

    monkeypatch.setattr(Rise, "of", classmethod(wrong))
    is_refused(rf"the decay of wave {2 * pair + 2} of \d+ in \d+ steps errs by")


@pytest.mark.parametrize(
    ("deck", "excess"),
    [(SMALL, 5), (SMALL, 30), pytest.param(DECK, 120, marks=pytest.mark.slow)],
)
def test_a_threshold_of_the_wrong_parity(
    deck: int, excess: int, monkeypatch: Patch
) -> None:
    level = guess.level
    monkeypatch.setattr(guess, "level", lambda k: level(k) + (k == excess))
    is_refused(rf"no path has excess {excess} with \d+ cards left", deck)


@pytest.mark.parametrize(("part", "refused"), [(0.9, False), (1.1, True)])
def test_what_is_allowed_is_allowed(part: float, refused: bool) -> None:
    """The first stairs, with an error of the norm that the account has for it."""
    honest = Staircase(5000, 5000)
    while honest.excess < 12:
        honest.climb(10_000)
    allowed = 1e-9
    cells = honest.cells.copy()
    cells[3] += part * allowed
    if refused:
        with pytest.raises(ArithmeticError, match=TWO_WAYS):
            self_tests.first_stairs(cells, honest.level, 12, allowed)
    else:
        self_tests.first_stairs(cells, honest.level, 12, allowed)


def room(steps: int, kept: int) -> None:
    """Test a block of 4 stairs, 1000 cells and every third cell, on its geometry.

    It begins and ends as many steps before its first stair and after its last one.
    """
    block = SimpleNamespace(begin=0, end=5000, stride=3, to=3, stairs=4)
    made: Any = SimpleNamespace(block=block, tops=np.array([steps + 1, 5000 - steps]))
    climbed = Climbed(made, np.zeros(1000), np.zeros(kept), 1000)
    self_tests.geometry(climbed, walks.DOUBLE)


def test_samples_resolve_what_is_left() -> None:
    """Of a wave of six cells less than exp(-44) is left after 306 steps."""
    assert math.cos(math.pi / 6) ** 306 < math.exp(-44) < math.cos(math.pi / 6) ** 305
    room(306, 800)
    with pytest.raises(ArithmeticError, match="every cell in 3 does not determine"):
        room(305, 800)


def test_windows_reach_far_enough() -> None:
    """Nine deviations of 5000 steps are 637; with four stairs they are 321 cells."""
    room(306, 893)
    with pytest.raises(ArithmeticError, match=r"room for 318 cells, .* reaches 321"):
        room(306, 894)
