"""Figures that Pashevich's report prints, and this project's, to which none is one.

Pashevich's report is the report "APP2: Hold'em for n00bs" by A. Pashevich, A.
Patotskaya, Y. Patotskaya, R. Rey and R. Sid-Lakhdar, 2015. Its tables are indexed by
the first and the last card of what is left, from 0, as ours are.
"""

from typing import Final

# Section 4.1, figure 2, "table with input [14, 4, 7, 2, 5, 12]": for every l and r >= l
# bestTurn, mySum, oppSum.
TABLE_ROW: Final = (14, 4, 7, 2, 5, 12)
TABLE: Final[tuple[tuple[tuple[str, int, int], ...], ...]] = (
    (
        *(("left", 14, 0), ("left", 14, 4), ("left", 18, 7)),
        *(("left", 21, 6), ("left", 20, 12), ("left", 26, 18)),
    ),
    (
        *(("left", 4, 0), ("right", 7, 4), ("left", 6, 7)),
        *(("right", 12, 6), ("right", 18, 12)),
    ),
    (("left", 7, 0), ("left", 7, 2), ("left", 9, 5), ("right", 17, 9)),
    (("left", 2, 0), ("right", 5, 2), ("right", 14, 5)),
    (("left", 5, 0), ("right", 12, 5)),
    (("left", 12, 0),),
)

# Section 2.3, the row on which the greedy algorithm loses, and a line that wins with
# it: whose each card is ("You", "Sister"), and in which turn it was taken.
GREEDY_ROW: Final = (4, 4, 6, 6, 12, 9)
WINNING_LINE: Final = (
    *(("You", 1), ("Sister", 3), ("You", 3)),
    *(("Sister", 2), ("You", 2), ("Sister", 1)),
)

# Section 3.1, the row that is a draw, and what each of the two takes of it.
DRAWN_ROW: Final = (8, 4, 2, 2, 4, 8)
DRAWN_CARDS: Final = (8, 4, 2)

# Computed for this project: the only tied interval of the table, the game along it.
TABLE_TIE: Final = (1, 3)
TABLE_PLAY: Final = (14, 12, 5, 4, 7, 2)
TABLE_SUMS: Final = (26, 18)
