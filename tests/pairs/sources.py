"""Figures of Pairs, with their source.

The Pairs essay is "Probability and Game Theory in the Card Game Pairs", an extended
essay with a program in its appendix. It prints numbers of positions alone. The
fractions are those of the exact backend; what is exact beside the Pairs essay's
columns, and the chances of the published game, were found by independent programs
before this package was.
"""

from fractions import Fraction
from typing import Final, NamedTuple


class Row(NamedTuple):
    """A row of the essay's table "Comparing the Strategies", and what goes with it.

    In how many positions optimal play and the two heuristics differ: as printed; both
    without noise (`exact`); the first as the text has it. `on_empty_table`: of the
    first, where all must hit; `short`: where chances do not add up to players - 1.
    """

    players: int
    target: int
    ranks: int
    fifty_percent: int
    expected_points: int
    exact: tuple[int, int]
    as_text: int
    on_empty_table: int
    visited: int
    ties: int
    short: int


TABLE: Final = (
    Row(2, 5, 3, 1916, 315, (1915, 316), 413, 309, 2306, 205, 6),
    Row(2, 6, 3, 3199, 558, (3198, 559), 708, 512, 3891, 277, 13),
    Row(2, 5, 4, 22476, 5554, (22474, 5556), 6805, 1367, 28784, 2427, 0),
    Row(2, 6, 4, 39208, 10410, (39206, 10412), 12705, 2372, 51691, 3269, 0),
)

# Under the rules of the Pairs essay's program: (players, target, ranks) and the chances
# at the start, the player to move first.
SHARES: Final = (
    (0.83, 0.14),
    (0.82, 0.14),
    (0.78, 0.19),
    (0.76, 0.20),
)
"""Of the positions of each row, in how many the two heuristics differ."""

ESSAY_FRACTIONS: Final = (
    (2, 5, 3, Fraction(174711141992893, 403107840000000)),
    (2, 6, 3, Fraction(647577679286997263, 1451188224000000000)),
)
ESSAY_CHANCES: Final = (
    (2, 5, 4, (0.4393940439,)),
    (3, 5, 4, (0.6181405933, 0.6818012196, 0.7000581871)),
)

# Where every round is shuffled: (target, ranks, chance, positions), two players.
SHUFFLED: Final = (
    (5, 3, Fraction(27261969263, 60750000000), 525),
    (6, 3, Fraction(59447267265733, 131220000000000), 775),
)

# The published deck, two players, 31 points, every round shuffled.
PUBLISHED_VALUE: Final = 0.48046769
PUBLISHED_POSITIONS: Final = 260_338 * 961

# The Pairs essay's worked example, in the section on the 50 % rule.
EXAMPLE: Final = ([1, 2, 3, 4, 5], [4, 5, 7, 8, 9])
EXAMPLE_CHANCES: Final = (Fraction(8, 45), Fraction(26, 45))  # 17.8 % and 57.8 %
