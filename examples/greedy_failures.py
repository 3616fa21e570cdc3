"""Measure how badly the greedy player fails, on all short rows and on many long ones.

Prints and writes two tables: greedy_rows.csv, on all rows of few different cards, and
greedy_deals.csv, on rows dealt from a shuffled deck of 52. A player fails on a row if
an opponent who knows the player's policy can hold the player below the value of the
row. Takes no arguments.
"""

import csv
from pathlib import Path

from cardgames_dp import cardrow

EVERY = [(3, 1, 9), (4, 1, 13), (5, 1, 9), (6, 1, 7), (7, 1, 5), (8, 1, 4), (9, 0, 3)]
"""Cards in a row, and the smallest and the largest card."""

LENGTHS = (4, 5, 6, 7, 8, 9, 12, 13, 20, 21, 32, 51, 52)
DEALS = 4000

POLICIES: list[cardrow.Policy] = ["greedy", "larger"]


def written(row: tuple[int, ...] | None) -> str:
    """Return a row as text."""
    return "none" if row is None else " ".join(map(str, row))


def every_row() -> list[list[str]]:
    """Return the table of all rows."""
    table = [["cards", "of", "rows", "greedy fails", "smallest", "worst", "ratio"]]
    for cards, smallest, largest in EVERY:
        found = cardrow.failures(cards, largest, smallest=smallest)
        table.append(
            [
                str(cards),
                f"{smallest} to {largest}",
                f"{found.rows:,}",
                f"{float(found.share):.2%}",
                written(found.smallest),
                written(found.worst),
                str(found.ratio),
            ]
        )
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
            loss = values - cardrow.guarantees(deals, policy)
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
        sure = int(cardrow.guarantees([cards], "greedy")[0])
        best = int(cardrow.scores(cards).sums[0])
        print(f"with {ones} ones: {(ones + sure) // 2} and {best}")


if __name__ == "__main__":
    main()
