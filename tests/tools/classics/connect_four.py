"""Connect Four on four columns and four rows: the sum of all positions' values."""

from functools import cache

from cardgames_dp import diagonal
from tests.classics.scripts import loaded

GAME = "Connect Four, 4 columns, 4 rows"
SPECIAL = "bits and ``cache``"


def ours() -> float:
    """Return the sum for the player to move, by the library."""
    solution = diagonal.solve(loaded("connect_four").ConnectFour())
    values = solution.values.items()
    return float(sum(value[both.bit_count() % 2] for (_, both), value in values))


def special() -> float:
    """Return the sum, by a recursion through all positions."""
    tops, feet = [8 << 5 * i for i in range(4)], [1 << 5 * i for i in range(4)]
    moves = list(zip(tops, feet, strict=True))
    total = 0

    @cache
    def value(mine: int, both: int) -> int:
        nonlocal total
        other = mine ^ both
        found = -2
        for step in (1, 4, 5, 6):
            two = other & other >> step
            if two & two >> 2 * step:
                found = -1
                break
        else:
            for top, foot in moves:
                if not both & top:
                    found = max(found, -value(other, both | both + foot))
            found = max(found, 0) if found == -2 else found
        total += found
        return found

    value(0, 0)
    return float(total)
