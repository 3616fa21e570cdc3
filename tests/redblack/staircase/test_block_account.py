"""A block's account of errors, term by term, against the formulas of its page.

In arithmetics in which one thing errs, on a passage in which nothing is zero. The right
sides are written anew, sum by sum, from "How the staircase works".
"""

import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from cardgames_dp.redblack._kernels.staircase import audit
from cardgames_dp.redblack._kernels.staircase.audit import Audit, BlockErrors
from cardgames_dp.redblack._kernels.staircase.self_tests import Climbed, HandOver
from cardgames_dp.redblack._kernels.staircase.stairs import Block, Passage, Rise
from cardgames_dp.redblack._kernels.staircase.walks import Arithmetic

UNIT = 1e-6
ROUNDING = Arithmetic(float, unit_roundoff=UNIT, deviations=99.0, survival=999.0)
TAILS = Arithmetic(float, unit_roundoff=0.0, deviations=3.0, survival=999.0)
WAVES = Arithmetic(float, unit_roundoff=0.0, deviations=99.0, survival=3.0)

CELLS, PAIRS, NODES = 60, 4, 3
TOPS = [1100, 1150, 1203]
BLOCK = Block(1050, 1240, 30, TOPS, stride=3, to=5, unit=15, reach=9)
"""From the middle of a stair at excess 31 to the middle of one at 34."""

WINDOW = np.array([-3.0, -4.0, 0.0, 0.0])
"""Samples of norm 5: 14 roundings of their transform, and three times as many cells."""

WHOLE = np.array([-5.0, 0.0, 12.0, 0.0, 0.0])
"""Of norm 13: 28 roundings, and 20 those of the three samples at the end."""

SOME = np.random.default_rng(17).standard_normal((4, 2, PAIRS))
RISE = Rise.of(CELLS, PAIRS, NODES, float)


def passage(**given: Any) -> Passage:
    """A way through the block on which all is zero but what is given."""
    nothing: dict[str, Any] = {
        "block": BLOCK,
        "rise": RISE,
        "tops": np.array(TOPS),
        "walks": np.array([49, 49, 52, 37]),
        "pairs": [4, 3, 4, 2],
        "slopes": np.zeros((4, 2, PAIRS)),
        "before": np.zeros((4, 2, PAIRS)),
        "coefficients": np.zeros((3, NODES)),
    }
    return Passage(**nothing | given)


def norm_of(slopes: Any) -> float:
    """The norm of the cells that some slopes stand for."""
    total = 0.0
    for parity in (0, 1):
        for pair in range(PAIRS):
            sine = math.sin((2 * pair + parity + 1) * math.pi / (2 * CELLS))
            total += CELLS / 2 * (slopes[parity, pair] * sine) ** 2
    return math.sqrt(total)


def spread(steps: int) -> float:
    return float((math.pi * steps) ** -0.25)


def likely(steps: int) -> float:
    return math.sqrt(2 / math.pi / steps)


def relative(numbers: Arithmetic, whole: Any) -> tuple[Passage, BlockErrors]:
    """Return a way through the block on which nothing is zero, and its errors."""
    coefficients = np.random.default_rng(18).standard_normal((3, NODES)) / 100
    way = passage(slopes=SOME, before=SOME[::-1] / 3, coefficients=coefficients)
    return way, BlockErrors.of(way, WINDOW, whole, numbers)


def products(slopes: Any) -> Any:
    """What a rise sums, all signs the same, odd waves from even ones and back."""
    result = np.zeros((2, PAIRS))
    for parity in (0, 1):
        for to in range(PAIRS):
            for pair in range(PAIRS):
                entry = RISE.coupling[parity, to, pair] * slopes[1 - parity, pair]
                result[parity, to] += abs(entry)
    return result


@pytest.mark.parametrize("whole", [None, WHOLE])
def test_the_roundings_of_a_block(whole: Any) -> None:
    """Of amplitudes and samples; of each rise and of a free walk, sum by sum."""
    way, errors = relative(ROUNDING, whole)
    # Of every third cell: their norm is that of the cells over sqrt(3).
    assert errors.begin == pytest.approx((14 + 12) * UNIT * 5 * math.sqrt(3))
    # Twelve at the end, every fifth cell: 6 + 12 + 8 roundings of a transform.
    end = (26 + 12) * norm_of(way.before[3])
    if whole is not None:  # transforms from five samples to three, and rows of P
        end += (28 + 2 * 20 + 40) * 13 * math.sqrt(3) + 3 * 20 * spread(1240)
    assert errors.end == pytest.approx(UNIT * end)
    assert errors.cuts == pytest.approx(0)
    fastest = math.sin(8 * math.pi / (2 * CELLS)) ** 2
    for i, top in enumerate(TOPS):
        expected = (4 + 12 * fastest) * norm_of(way.before[i])
        expected += 8 * norm_of(way.slopes[i]) + 2 * norm_of(way.slopes[i + 1])
        expected += (PAIRS + 120) * norm_of(products(way.before[i]))
        # P from some of its values, and a polynomial, with each degree's roundings.
        row = 65 * likely(top)
        for degree, c in enumerate(way.coefficients[i]):
            roundings = 2.5 * degree**2 + 10 + NODES + 46
            row += abs(c) * (roundings + 2 * NODES**2 * (degree == 0))
        expected += math.sqrt(60) * row
        assert errors.rises[i] == pytest.approx(UNIT * expected)


@pytest.mark.parametrize("whole", [None, WHOLE])
@pytest.mark.parametrize(
    ("numbers", "part", "dropped"),
    [(TAILS, 4 * math.exp(-4.5), 0.0), (WAVES, 8 * math.exp(-3), math.exp(-3))],
)
def test_the_cuts_of_a_block(
    numbers: Arithmetic, part: float, dropped: float, whole: Any
) -> None:
    """Of the norm of the window, and of what is beyond it, up to the barrier at 34."""
    way, errors = relative(numbers, whole)
    beyond = 34 * spread(1050)
    near, far = 5 * math.sqrt(3), 13 * math.sqrt(3)
    assert errors.begin == 0
    assert errors.cuts == pytest.approx(part * (near + beyond))
    walked = 0 if whole is None else far + beyond
    assert errors.end == pytest.approx(part * (near + beyond + walked))
    lost = [norm_of(way.before[i]) + spread(top) for i, top in enumerate(TOPS)]
    assert errors.rises == pytest.approx(dropped * np.array(lost))


def test_the_doubt_of_the_sums() -> None:
    """A sum over the waves of a stair, seen in the cell next to the barrier."""
    errors = BlockErrors(0.0, np.zeros(3), 0.25, 0.0)
    result = errors.doubts(passage(slopes=SOME), UNIT)
    expected = [
        (2 * pairs + 30) * UNIT * norm_of(slopes) * spread(walk) / math.sqrt(walk + 1)
        for pairs, walk, slopes in zip([4, 3, 4], [49, 49, 52], SOME, strict=False)
    ]
    assert result - 0.25 == pytest.approx(np.array(expected), rel=1e-8)


class AnyPassage(SimpleNamespace):
    """A passage whose advantages are given; it notes which stairs are looked at."""

    def __init__(self, at_top: list[float], above: list[float]) -> None:
        super().__init__(block=BLOCK, tops=np.array(TOPS), asked=[])
        self.found = np.array(at_top), np.array(above), np.array([0.5, 0.5, 0.5])

    def advantages(self) -> Any:
        return self.found

    def stair(self, i: int) -> int:
        self.asked.append(i)
        return i


OWN = np.array([1e-3, 2e-3, 4e-3])


class OnlyOwn(BlockErrors):
    """Errors of a block whose sums err by so much, whatever the passage."""

    def doubts(self, passage: Passage, unit: float) -> Any:
        return np.full(3, float(self.cuts))


def settled(
    monkeypatch: pytest.MonkeyPatch,
    numbers: Arithmetic,
    errors: BlockErrors,
    at_top: float,
    above: float,
    lost: float = 0.0,
) -> tuple[list[int], Audit]:
    """Return which stairs were looked at by themselves, and the account.

    The middle one has the advantages given, the other two are beyond doubt.
    """
    account = Audit(numbers)
    account.noise.add(1000, 0.5)
    account.loss.add(1000, lost)
    way: Any = AnyPassage([-9.0, at_top, -9.0], [9.0, above, 9.0])
    monkeypatch.setattr(Audit, "_add_loss", lambda *_: None)
    account._add_block_losses(way, errors)
    return way.asked, account


def from_one(steps: int) -> float:
    """What an error of norm 1 does to the cell next to the barrier."""
    return spread(steps) / math.sqrt(steps + 1)


EARLIER = 0.5 * from_one(149)
"""What the error of before the block does one level below the second threshold."""

NONE = OnlyOwn(0.0, np.zeros(3), 0.0, 0.0)


@pytest.mark.parametrize(
    ("numbers", "errors", "lost", "doubt"),
    [
        # Errors of the cells before the block, and of its first amplitudes.
        (TAILS, NONE, 0.0, EARLIER),
        (TAILS, OnlyOwn(2.0, np.zeros(3), 0, 0), 0.0, EARLIER + 2 * from_one(99)),
        # Of the stairs up to the one before, not of those that come next.
        (TAILS, OnlyOwn(0.0, OWN, 0.0, 0.0), 0.0, EARLIER + 1e-3 * from_one(49)),
        # Of the sums themselves, and of P.
        (TAILS, OnlyOwn(0.0, np.zeros(3), 0.25, 0.0), 0.0, EARLIER + 0.25),
        (ROUNDING, NONE, 0.0, EARLIER + 40 * UNIT * 0.5),
        # Losses before: a best player may gain them, so stopping must win by more.
        (TAILS, NONE, 0.5, EARLIER + 0.5 * likely(149)),
    ],
)
def test_doubts_of_a_block(
    numbers: Arithmetic,
    errors: BlockErrors,
    lost: float,
    doubt: float,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A stair is settled by margins that exceed the doubt, and not by smaller ones."""
    for part, stairs in ((1 + 1e-6, []), (1 - 1e-6, [1])):
        margins = (-part * doubt, 9.0)
        assert settled(monkeypatch, numbers, errors, *margins, lost)[0] == stairs
        if not lost:
            margins = (-9.0, part * doubt)
            assert settled(monkeypatch, numbers, errors, *margins)[0] == stairs
    assert settled(monkeypatch, TAILS, NONE, -9.0, 1.01 * EARLIER, lost)[0] == []


def test_the_band_in_the_doubts_of_a_block(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit, "TAIL_BITS", 12)
    doubt = EARLIER + 32 * 2.0**-10 * 0.5
    for part, stairs in ((1 + 1e-6, []), (1 - 1e-6, [1])):
        margins = (-9.0, part * doubt)
        assert settled(monkeypatch, TAILS, NONE, *margins)[0] == stairs


def test_losses_above_a_threshold_count_in_full(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Doubtful cells of a stair may be higher than the next one's top."""
    monkeypatch.setattr(Audit, "_add_loss", lambda *_: None)
    for part, stairs in ((1 + 1e-6, []), (1 - 1e-6, [1])):
        account, margin = Audit(TAILS), part * 0.5
        account.loss.add(TOPS[1] + 8, 0.5)
        way = AnyPassage([-9.0, -margin, -9.0], [9.0, 9.0, 9.0])
        account._add_block_losses(way, NONE)  # type: ignore[arg-type]
        assert way.asked == stairs


def test_losses_in_a_block_count_on_its_next_stairs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    account = Audit(TAILS)

    def lose(self: Audit, stair: Any) -> None:
        self.loss.add(TOPS[stair], 100.0)

    monkeypatch.setattr(Audit, "_add_loss", lose)
    way: Any = AnyPassage([9.0, -9.0, -2e3], [9.0, 9.0, 9.0])
    account._add_block_losses(way, NONE)
    assert way.asked == [0, 1]


def test_a_block_is_entered(monkeypatch: pytest.MonkeyPatch) -> None:
    errors = OnlyOwn(2.0, OWN, 0.0, 7.0)
    monkeypatch.setattr(BlockErrors, "of", lambda *_: errors)
    for name in ("_test_block", "_compare_block"):
        monkeypatch.setattr(Audit, name, lambda *_: None)
    account, passage = Audit(TAILS), AnyPassage([-9.0] * 3, [9.0] * 3)
    account.last_cells = HandOver(WINDOW, 1050, 31, 3)
    account.add_block(Climbed(passage, WINDOW, WINDOW, len(WINDOW)))  # type: ignore[arg-type]
    expected = [(1050, 2.0), *zip(TOPS, OWN, strict=True), (1240, 7.0)]
    assert account.noise.entries.T.tolist() == pytest.approx(np.array(expected))
    assert not account.loss.entries.size
    assert not account.unsettled
