"""Figures of Pairs, with their source.

The Pairs essay is "Probability and Game Theory in the Card Game Pairs", an extended
essay with a program in its appendix. It prints numbers of positions alone. The
fractions are those of the exact backend; what is exact beside the Pairs essay's
columns, and the chances of the published game, were found by independent programs
before this package was.
"""

from fractions import Fraction
from typing import Final

# The table "Comparing the Strategies", two players: target and ranks; in how many
# positions optimal play differs from the program's two heuristics, as printed and
# without the noise of its arithmetic; how many positions there are.
TABLE: Final = (
    (5, 3, (1916, 315), (1915, 316), 2306),
    (6, 3, (3199, 558), (3198, 559), 3891),
    (5, 4, (22476, 5554), (22474, 5556), 28784),
    (6, 4, (39208, 10410), (39206, 10412), 51691),
)

# Under the rules of the Pairs essay's program: (players, target, ranks) and the chances
# at the start, the player to move first.
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
