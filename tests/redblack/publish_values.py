"""Makes the certified table that comes with the package; it takes some minutes.

``python tests/redblack/publish_values.py 1e9 1e10`` climbs to the first deck in longer
floats, for values and thresholds, and to the second in float64, for values alone.
"""

import datetime as dt
import json
import math
import platform
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np

from cardgames_dp.redblack import certified
from cardgames_dp.redblack._kernels.staircase.climb import Ascent, Deck, ascend

FOLDER = Path(certified.__file__).parent / "_data"


def sizes(least: int, most: int) -> list[int]:
    """Return 1, 2, 5, 10, 20, ... beyond `least`, up to `most`."""
    result = [m * 10**e for e in range(16) for m in (1, 2, 5)]
    return [size for size in result if least < size <= most]


def outwards(number: Fraction, towards: float) -> float:
    """Return the float next to a number, or a bit further out."""
    nearest = float(number)
    wrong = nearest > number if towards < 0 else nearest < number
    return math.nextafter(nearest, towards) if wrong else nearest


def rows_of(decks: list[int], climb: Ascent) -> list[str]:
    """Return lines of the table of values."""
    bounds = zip(decks, climb.lower, climb.upper, strict=True)
    return [
        f"{size},{outwards(lower, -math.inf)!r},{outwards(upper, math.inf)!r}"
        for size, lower, upper in bounds
    ]


def write(rows: list[str], thresholds: list[int], open_ones: list[int]) -> None:
    """Write the files, of which the second has second differences, which are small."""
    today = dt.date.today().isoformat()
    provenance = (
        f"# computed on {today} by tests/redblack/publish_values.py with NumPy "
        f"{np.__version__} on {platform.machine()}: certified climbs of the staircase"
    )
    text = "\n".join([provenance, "l,lower,upper", *rows]) + "\n"
    (FOLDER / "values.csv").write_text(text, encoding="utf-8")
    bends = np.diff(np.array(thresholds), n=2, prepend=[0, 0])
    bends[1] = thresholds[1] - 2 * thresholds[0]
    bends[0] = thresholds[0]
    np.savez_compressed(
        FOLDER / "thresholds.npz",
        bends=bends.astype(np.int8),
        undecided=np.array(open_ones, dtype=np.int64),
    )


def main(longer: int, most: int) -> None:
    """Climb, and write what is found."""
    near, far = sizes(0, longer), sizes(longer, most)
    climb = ascend([Deck(size, size) for size in near], audited=True, extended=True)
    rows = rows_of(near, climb)
    if far:
        decks = [Deck(size, size) for size in far]
        rows += rows_of(far, ascend(decks, audited=True))
    # The tie at excess 1, where stopping is worth as much, is decided by the rules.
    write(rows, climb.thresholds, [k for k in climb.unsettled if k > 1])
    print(json.dumps({"values": len(rows), "thresholds": len(climb.thresholds)}))
    for name in ("values.csv", "thresholds.npz"):  # for the module that reads them
        print(name, certified.checksum((FOLDER / name).read_bytes()))


if __name__ == "__main__":
    main(*(int(float(argument)) for argument in sys.argv[1:]))
