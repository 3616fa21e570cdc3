"""Piglet beside fractions, two unknowns at a time."""

from __future__ import annotations

from fractions import Fraction

from cardgames_dp import exact
from tests.classics.scripts import loaded

GAME = "Piglet to 10, exactly"
SPECIAL = "two equations at a time, in fractions"
GOAL = 10


def ours() -> float:
    """Solve the game in fractions."""
    return float(exact.solve(loaded("piglet").Piglet(GOAL)).value[0])


def special() -> float:
    """Improve the numbers of heads to hold with, of both players, while one can be."""
    values: dict[tuple[int, int], Fraction] = {}

    def held(own: int, other: int) -> list[Fraction]:
        more = range(own + 1, GOAL + 1)
        return [Fraction(1) if s == GOAL else 1 - values[other, s] for s in more]

    for total in range(2 * GOAL - 2, -1, -1):
        for own in range(max(0, total - GOAL + 1), total // 2 + 1):
            other, heads = total - own, [1, 1]
            ends = [held(own, other), held(other, own)]
            while True:
                # With h heads a turn is worth (e + (2^h - 1) (1 - y)) / 2^h.
                a, b = [
                    (e[h - 1] / 2**h, 1 - Fraction(1, 2**h))
                    for e, h in zip(ends, heads, strict=True)
                ]
                x = (a[0] + a[1] * (1 - b[0] - b[1])) / (1 - a[1] * b[1])
                y = b[0] + b[1] * (1 - x)
                better = [
                    max(
                        range(1, len(e) + 1),
                        key=lambda h, e=e, z=z, now=now: (  # type: ignore[misc]
                            (e[h - 1] - 1 + z) / 2**h,
                            h == now,
                        ),
                    )
                    for e, z, now in zip(ends, (y, x), heads, strict=True)
                ]
                if better == heads:
                    break
                heads = better
            values[own, other], values[other, own] = x, y
    return float(values[0, 0])
