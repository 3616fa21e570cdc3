r"""The staircase: the value through its stopping boundary, in sub-quadratic time.

Let n cards remain, s more black ones than red: the excess, and the cash of the player
of a balanced deck. W(n, s) is the total of optimal play, cash and all; in Pascal form,
times P(n, s) = C(n, r) / 2**n, one card less is one plain average::

    W P (n, s) = max(s P(n, s), (W P (n-1, s+1) + W P (n-1, s-1)) / 2)

The player stops at excess k exactly when n <= n_k (`boundary` says why), so between two
thresholds, n_k < n <= n_{k+1}, the stop set is s >= B with one *fixed* B = k + 1. What
the player can still win beyond B, ``D = (W - B) P``, then obeys the averaging without
any maximum, and is 0 on the barrier s = B. Three facts make that fast.

**Reflection.** D is a random walk's law with an absorbing barrier. A sine transform
moves it any number of draws at once, exactly (`walk`).

**The next stair.** At n_{k+1} the barrier rises by one, to where W = B + 1: D loses P.
Stopping at excess B is right with n cards when it is worth what drawing brings, which
is when ``D(n-1, B-1) + P(n-1, B+1) <= 0``; n_{k+1} is the largest such n. An asymptotic
formula knows it beforehand (`guess`), and two sums over the surviving waves confirm it:
right at n, wrong at n + 2. The guess is overruled when they clearly say so. Where
rounding hides the difference it cannot matter: the two actions are worth the same.

**Recursion in time.** A boundary of some 1.19 sqrt(l) stairs, each moved on a window of
sqrt(l) cells, would be O(l log l). But only cells within some sqrt(T) of the barrier
feel it during T draws. All others are moved T draws at once, as if the barrier had
stayed where it was; then each of the J stairs passed costs them one P. So a block of J
stairs is one such move of the whole window and J stairs of a *near* window, which is
done in two halves in the same way (`plan` has the widths). In all, O(l**0.75 log l)
time and O(sqrt l) memory.

The whole window is the band of the deck (`band`): what a path from the full deck may
visit. All deck sizes on the way can be read off, `Staircase.total`.

The transforms' rounding is of the size of the largest D times 2**-53. In the total of
l + l cards that is a relative error of some 1e-14; with unequal colours P(N, s) of the
full deck is smaller, and the error is larger by ``exp(s**2 / 2N)``. `audit` bounds all
errors rigorously, while the climb goes on.

References
----------
The reflection principle: W. Feller, *An Introduction to Probability Theory and Its
Applications*, volume 1, chapter III. Free boundaries by FFT and recursion in time, for
American options: Z. Ahmad et al., "Fast American option pricing using nonlinear
stencils", PPoPP 2024.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from cardgames_dp.redblack import guess
from cardgames_dp.redblack.audit import Audit
from cardgames_dp.redblack.band import Band
from cardgames_dp.redblack.plan import OFF, Plan, half_width, plan
from cardgames_dp.redblack.pmf import pmf, pmf_below
from cardgames_dp.redblack.stair import Stair
from cardgames_dp.redblack.walk import good_length, step, walk

DEVIATIONS = 8.6
"""Walks are taken to end there: further ones have probability 1.7e-16."""

_FEWEST_STAIRS = 8
"""Blocks of fewer are climbed stair by stair."""


@dataclass(slots=True)
class Staircase:
    """A climb from the empty deck up to a full one of `red` and `black` cards.

    Attributes
    ----------
    red, black : int
        The largest deck to be read off.
    levels : list of int
        The thresholds passed: 0, n_1, ..., n_k.
    cells : ndarray
        ``cells[i]`` holds D(n_k, k - 2 i), for the barrier at k + 1.
    audit : Audit, optional
        Keeps the account of errors.
    deviations : float
        Standard deviations of a walk that count as all of it.
    """

    red: int
    black: int
    audit: Audit | None = None
    deviations: float = DEVIATIONS
    levels: list[int] = field(default_factory=lambda: [0])
    # Nothing is left and nothing can be won: W = 0 is one less than the barrier.
    cells: NDArray[np.float64] = field(default_factory=lambda: np.array([-1.0, 0.0]))

    @property
    def excess(self) -> int:
        """The k of the last threshold passed."""
        return len(self.levels) - 1

    def climb(self, n: int) -> bool:
        """Pass the next thresholds, as many at once as can be, all below level n.

        Returns False, with nothing done, if there is none: the barrier is the same from
        here to n.
        """
        stairs = self._stairs_at_once(n)
        begin, excess = self.levels[-1], self.excess
        end = guess.level(excess + stairs) + 2
        if stairs < _FEWEST_STAIRS:
            self._resize(end)
            stair = Stair.of(self.cells, begin, excess + 1)
            if stair.top >= n:
                if self.audit:
                    self.audit.stayed(stair)
                return False
            self.cells = self._pass(stair)
            return True
        near = half_width(end - begin, self.deviations) + stairs // 2
        levels = [begin, *(guess.level(excess + i + 1) for i in range(stairs))]
        block = plan(levels, near, self.deviations)
        self._resize(end, block.window)
        self.cells = self._move(self.cells, block, len(self.cells))
        passed = zip(self.levels[excess:], levels, strict=True)
        if any(abs(n - guess) > OFF for n, guess in passed):
            raise ArithmeticError(
                f"a threshold between excess {excess} and {self.excess} is not where "
                "it was expected; the windows may have been too narrow for it"
            )
        return True

    def total(self, n: int, excess: int) -> float:
        """Return W(n, excess), once no threshold below n is left to pass."""
        barrier = self.excess + 1
        if excess >= barrier:
            return float(excess)
        self._resize(n)
        steps = n - self.levels[-1]
        if self.audit:
            self.audit.moved(n, self.cells, 0)
        cells = walk(self.cells, steps - steps % 2)
        top = barrier - 1
        if steps % 2:
            cells, top = step(cells), barrier
        return barrier + cells.item((top - excess) // 2) / pmf(n, excess)

    def _stairs_at_once(self, n: int) -> int:
        """Return how many stairs pay, a power of two, all of them below level n."""
        begin, excess = self.levels[-1], self.excess
        stairs = 1
        while True:
            end = guess.level(excess + 2 * stairs) + 2
            # The near window is 2.5 half widths: more than half, and little is far.
            near = 2.5 * half_width(end - begin, self.deviations) + 2 * stairs
            if end >= n or 2 * near > len(self.cells):
                return stairs
            stairs *= 2

    def _resize(self, end: int, fewest: int = 2) -> None:
        """Make the window the band from here up to a level, or some cells if more."""
        n, excess = self.levels[-1], self.excess
        end = min(end, self.red + self.black)
        lowest = Band(self.red, self.black).lowest_excess(n, end)
        size = good_length(max((excess - lowest) // 2 + 3, fewest))
        missing = size - len(self.cells)
        if missing <= 0:
            self.cells = self.cells[:size]
            return
        # Outside the band nothing counts: W = 0. Below s = -n there is nothing.
        more = np.zeros(missing)
        below = excess - 2 * len(self.cells)
        if below >= -n:
            more = pmf_below(n, below, pmf(n, below), missing) * -(excess + 1.0)
        self.cells = np.concatenate([self.cells, more])

    def _advance(self, cells: NDArray[np.float64], block: Plan) -> NDArray[np.float64]:
        """Return the cells next to the barrier, all stairs of the plan later."""
        if block.halves is None:
            for length in block.lengths:
                stair = Stair.of(cells[:length], self.levels[-1], len(self.levels))
                cells = self._pass(stair)
            return cells[: block.out]
        first, second = block.halves
        cells = self._move(cells[: block.window], first, block.middle)
        if block.both:
            return self._move(cells, second, block.out)
        return self._advance(cells[: second.window], second)

    def _move(
        self, cells: NDArray[np.float64], near: Plan, out: int
    ) -> NDArray[np.float64]:
        """Return `out` cells later, those near the barrier by the plan."""
        begin = self.levels[-1]
        result = np.empty(out)
        joint = near.out
        result[:joint] = self._advance(cells[: near.window], near)
        n, excess = self.levels[-1], self.excess
        far = walk(cells, n - begin)
        if self.audit:
            self.audit.moved(n, cells, near.stairs)
        # The barrier has risen by so many units: the cells' places, by half of it.
        shift, below = near.stairs // 2, excess - 2 * joint
        lost = pmf_below(n, below, pmf(n, below), out - joint)
        lost *= near.stairs
        np.subtract(far[joint - shift : out - shift], lost, out=result[joint:])
        return result

    def _pass(self, stair: Stair) -> NDArray[np.float64]:
        """Pass a threshold, and return the cells there."""
        if self.audit:
            self.audit.passed(stair)
        self.levels.append(stair.top)
        return stair.end()
