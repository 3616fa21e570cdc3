"""Figures that the sources of red/black print, digit for digit.

Yang's program is a program's documentation by H. Yang; the Problem 14 essay is the
essay "Problem 14 Dynamic Programming Solutions", with programs by several authors; the
Dynamic Card Game note is a note "Dynamic Card Game". They write red and black, or good
and bad, each in its own way: here red is the good card, and every table is indexed by
cards remaining. Decks are named by l, their cards of each colour.

Figures of ours, to which no document is a source, are at the end.
"""

import csv
from fractions import Fraction
from pathlib import Path
from typing import Final

# The Problem 14 essay, output of the R program: V(0), ..., V(26).
R_VALUES: Final = (
    *("0.000000000", "0.500000000", "0.666666667", "0.850000000", "1.000000000"),
    *("1.119047619", "1.229437229", "1.335372960", "1.434110334", "1.524701769"),
    *("1.607227911", "1.687397226", "1.765411833", "1.840809473", "1.913207824"),
    *("1.982391061", "2.048281891", "2.112213746", "2.174760756", "2.235998731"),
    *("2.295858627", "2.354246421", "2.411081973", "2.466309395", "2.520043731"),
    *("2.572700079", "2.624475549"),
)

# The Problem 14 essay, the output of nshepperd's Haskell program for 26 + 26.
V26: Final = Fraction(41984711742427, 15997372030584)

# The Problem 14 essay, single values: (l, digits, whose).
SINGLE_VALUES: Final = (
    (26, "2.624475549", "spreadsheet of Han Zheng, as N. Coldwell reports it"),
    (26, "2.62447555", "R program"),
    (26, "2.624475548993925", "Haskell program of nshepperd, the fraction as a float"),
    (26, "2.62", "summary"),
    (1, "0.5", "remark on the growth law"),
    (143, "6.21519192", "R program, at its limit of recursion"),
    (100_000, "165.075847", "diagonal C program of FeepingCreature"),
    (100_000, "165.076", "block C programs of Khoth"),
)

# The Problem 14 essay, the largest deck, 133,787,000 of each colour: the summary's
# value, which is that of a regression, and the value that the block C program computed.
LARGEST_DECK: Final = 133_787_000
LARGEST_IN_SUMMARY, LARGEST_COMPUTED = 6038.32, 6038.22

# The Problem 14 essay, what a deck of 2,000,000 of each colour is said to be worth.
TWO_MILLION: Final = 818.1

# The Problem 14 essay, the footnote that cites Howe, 2014.
OMNISCIENT: Final = "4.04"

# The Dynamic Card Game note, v(r, b) for r, b = 0, ..., 4; r red in rows.
SMALL_VALUES: Final = (
    ("0.0000", "0.0000", "0.0000", "0.0000", "0.0000"),
    ("1.0000", "0.5000", "0.0000", "0.0000", "0.0000"),
    ("2.0000", "1.3333", "0.6667", "0.2000", "0.0000"),
    ("3.0000", "2.2500", "1.5000", "0.8500", "0.3429"),
    ("4.0000", "3.2000", "2.4000", "1.6571", "1.0000"),
)

# The Dynamic Card Game note, the stopping rule of that table: with b black cards
# remaining, draw while at least this many red ones remain.
FEWEST_RED_TO_DRAW: Final = {0: 1, 1: 1, 2: 2, 3: 2, 4: 3}


def spreadsheet() -> list[list[str]]:
    """Return the essay's spreadsheet of Han Zheng, its labels and all its digits.

    Rows are good (red) cards remaining, columns bad (black) ones, both from 26 down to
    0. A cell is the total: cash in hand plus what play still brings.
    """
    path = Path(__file__).with_name("problem14_sheet.csv")
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


# Computed for this project, by the exact backend and by an independent recursion in
# integers.
THRESHOLDS: Final = [3, 8, 17, 28, 41, 58, 79, 100, 127, 154, 185, 220]
PAYOFF_PROBABILITIES: Final = (
    *("0.220521", "0.145155", "0.109334", "0.129925", "0.152057", "0.195397"),
    "0.047611",
)
PAYOFF_DEVIATION: Final = "1.973770"
MEAN_DURATIONS: Final = {"stop": "36.451560", "draw": "36.607294"}
