"""Hold float64 against exact results in thousands of random games.

``python -m tests.tools accuracy --cases 1000 --seed 1`` prints the worst error of each
function, and fails where one is above the bound that the documentation states.
"""

from __future__ import annotations

import argparse
import csv
import sys
import time
from pathlib import Path

from .checks import worst
from .listed import CHECKS

HEAD = ("function", "cases", "worst error", "relative to", "of the bound", "the bound")


def main() -> None:
    """Print a line for each check."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=time.time_ns())
    parser.add_argument("--only", default="", help="a part of a function's name")
    parser.add_argument("--write", type=Path, help="a table for the documentation")
    given = parser.parse_args()
    print(f"--cases {given.cases} --seed {given.seed}")
    rows, failed = [], []
    for check in CHECKS:
        if given.only not in check.name:
            continue
        cases = max(round(given.cases * check.weight), 1)
        error = worst(check, cases, given.seed)
        row = [check.name, f"{cases:,}", f"{error.relative:.1e}", check.relative_to]
        rows.append([*row, f"{error.share:.2g}", check.bound])
        print("  ".join(map(str.ljust, rows[-1], (36, 6, 8, 20, 8, 0))), flush=True)
        if not error.share <= 1:
            failed.append(check.name)
    if given.write:
        with given.write.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows([HEAD, *rows])
    if failed:
        sys.exit(f"above the bound: {', '.join(failed)}")


if __name__ == "__main__":
    main()
