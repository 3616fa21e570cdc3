"""The band: the cells that a float64 sweep needs, and the size of their numbers."""

from __future__ import annotations

import math
from dataclasses import dataclass

from cardgames_dp.redblack._kernels import scaled
from cardgames_dp.redblack._kernels.scaled import MANTISSA_BITS, Scaled

BLOCK = 64
"""Levels between two renewals of band and scale; any number works, this is fast."""

TAIL_BITS = 64
"""The tail of a level outside the band has probability at most 2**-64 / N."""

_TILT_BITS = 16
"""Bits of a tilt: its error of 2**-16 a card is negligible over the width of a band.

A smaller error would have the same effect.
"""

_LOG_RANGE = 200.0
"""The largest ratio of cells of a band without a tilt, as a logarithm."""


@dataclass(frozen=True, slots=True)
class Band:
    """The cells that a path from the full deck of `red` and `black` cards visits.

    At each level and on each side, a path is outside with probability at most
    2**-tail_bits / N.
    """

    red: int
    black: int
    tail_bits: int = TAIL_BITS

    def reach(self, n: int) -> float:
        """Return x(n): how far from its mean the band lets r be with n cards left."""
        total = self.red + self.black
        tail = math.log(2) * self.tail_bits + math.log(total)
        # Cards drawn and cards left have the same law of deviations: use the smaller.
        fewer = min(n, total - n)
        serfling = math.sqrt(tail * (total - n) * (n + 1) / (2 * total))
        variance = fewer * (self.red / total) * (self.black / total)
        bernstein = tail / 3 + math.sqrt(tail * tail / 9 + 2 * tail * variance)
        return min(serfling, bernstein)

    def widest(self, n: int, end: int) -> float:
        """Return the largest reach at the levels n to `end`."""
        # The reach rises up to the middle of the deck and then falls.
        middle = min(max((self.red + self.black) // 2, n), end)
        return max(self.reach(n), self.reach(end), self.reach(middle))

    def over(self, n: int, end: int) -> tuple[int, int]:
        """Return the lowest and the highest r of the band, at the levels n to `end`."""
        total, widest = self.red + self.black, self.widest(n, end)
        lowest = math.floor(self.red * n / total - widest) - 1
        return lowest, math.ceil(self.red * end / total + widest) + 1

    def lowest_excess(self, n: int, end: int) -> int:
        """Return the lowest ``black - red`` of the band, at the levels n to `end`."""
        drift = (self.black - self.red) / (self.red + self.black)
        return math.floor(min(drift * n, drift * end) - 2 * self.widest(n, end)) - 2


@dataclass(frozen=True, slots=True)
class Tilt:
    """Weights t of the colours, ``red / 2**red_shift`` and the same for black.

    At most one differs from 1, and it is below 1, so cells never grow faster than
    Pascal's. The cells of the band, C(n, r) times the weights, then have similar sizes.
    """

    red: int = 1
    red_shift: int = 0
    black: int = 1
    black_shift: int = 0

    @classmethod
    def of(cls, red: int, black: int) -> Tilt:
        """Return the weights for a deck: 1 if its colours are nearly even."""
        reach = Band(red, black).reach((red + black) // 2)
        width = min(red, black, 2 * reach + 2 * BLOCK)
        if abs(math.log(black / red)) * width < _LOG_RANGE:
            return cls()
        fewer, more = sorted((red, black))
        shift = _TILT_BITS + (more // fewer).bit_length()
        weight = (fewer << shift) // more
        return cls(weight, shift) if red < black else cls(1, 0, weight, shift)

    @property
    def roundings(self) -> int:
        """Roundings of a cell at each level: of its sum, and of a weight if tilted."""
        return 1 if self.red == self.black else 2

    def weights(self, *, exact: bool) -> tuple[float, float]:
        """Return the factors by which cells are multiplied; 1 in exact arithmetic."""
        if exact:
            return 1, 1
        red, black = (
            math.ldexp(self.red, -self.red_shift),
            math.ldexp(self.black, -self.black_shift),
        )
        return red, black

    def weight(self, red: int, black: int, bits: int = MANTISSA_BITS) -> Scaled:
        """Return the weight of these cards."""
        if self.roundings == 1:
            return Scaled(1, 0)
        reds = scaled.power(Scaled(self.red, -self.red_shift), red, bits)
        blacks = scaled.power(Scaled(self.black, -self.black_shift), black, bits)
        return Scaled(reds.mantissa * blacks.mantissa, reds.exponent + blacks.exponent)
