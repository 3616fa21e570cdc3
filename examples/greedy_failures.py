"""Measure how badly the greedy player fails, on all short rows and on many long ones.

Prints and writes two tables: greedy_rows.csv, on all rows of few different cards, and
greedy_deals.csv, on rows dealt from a shuffled deck of 52. A player fails on a row if
an opponent who knows the player's policy can hold the player below the value of the
row. Takes no arguments.
"""

import csv
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np

from cardgames_dp import cardrow

RULES = cardrow.Rules(tie="right")
"""Of two equal cards, the greedy player of the report takes the right one."""

EVERY = [(3, 1, 9), (4, 1, 13), (5, 1, 9), (6, 1, 7), (7, 1, 5), (8, 1, 4), (9, 0, 3)]
"""Cards in a row, and the smallest and the largest card."""

LENGTHS = (4, 5, 6, 7, 8, 9, 12, 13, 20, 21, 32, 51, 52)
DEALS = 4000

POLICIES = ["greedy", "larger"]


def every_row() -> list[list[str]]:
    """Return the table of all rows."""
    table = [["cards", "of", "rows", "greedy fails", "smallest", "worst", "ratio"]]
    for cards, smallest, largest in EVERY:
        rows = np.array([*product(range(smallest, largest + 1), repeat=cards)])
        sums = rows.sum(axis=1)
        sure = sums + cardrow.values(rows, "greedy", rules=RULES).astype(int)
        best = sums + cardrow.values(rows, backend="exact")
        fails = np.flatnonzero(sure < best).tolist()
        ratios = [Fraction(int(sure[i]), int(best[i])) for i in fails]
        share = f"{len(fails) / len(rows):.2%}"
        line = [str(cards), f"{smallest} to {largest}", f"{len(rows):,}", share]
        if not fails:
            table.append([*line, "none", "none", "1"])
            continue
        least = min(fails, key=lambda i: sums[i])  # the first one of several
        worst = fails[ratios.index(min(ratios))]
        shown = [" ".join(map(str, rows[i])) for i in (least, worst)]
        table.append([*line, *shown, str(min(ratios))])
    return table


def many_deals() -> list[list[str]]:
    """Return the table of deals."""
    table = [["cards"]]
    for policy in POLICIES:
        table[0] += [f"{policy} fails", f"{policy} gives up"]
    for cards in LENGTHS:
        deals = cardrow.deal(DEALS, cards, rng=cards)
        values = cardrow.values(deals)
        line = [str(cards)]
        for policy in POLICIES:
            loss = values - cardrow.values(deals, policy, rules=RULES)
            line += [f"{(loss > 0).mean():.1%}", f"{loss.mean():.2f}"]
        table.append(line)
    return table


def family(ones: int) -> tuple[int, ...]:
    """Return the row 0, 1, 1, 0, 1, 0, ..., 1, 0."""
    return 0, 1, *(1, 0) * (ones - 1)


def main() -> None:
    """Print the tables, and write them."""
    for name, table in [
        ("greedy_rows.csv", every_row()),
        ("greedy_deals.csv", many_deals()),
    ]:
        for row in table:
            print(*row, sep="  ")
        with Path(name).open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows(table)
        print()
    print("What greedy and optimal players take on rows 0, 1, 1, 0, 1, 0, ..., 1, 0:")
    for ones in (2, 3, 5, 10, 50):
        cards = family(ones)
        sure = int(cardrow.values([cards], "greedy", rules=RULES)[0])
        best = int(cardrow.match(cards).sums[0])
        print(f"with {ones} ones: {(ones + sure) // 2} and {best}")


if __name__ == "__main__":
    main()
