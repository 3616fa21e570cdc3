"""Compute the value V(l) in eight ways, from a recursion to the staircase, with times.

V(l) is the value of l red and l black cards (+1 and -1, stop when you like). The first
six rungs are the algorithms of the Problem 14 essay ("Problem 14 Dynamic Programming
Solutions"), which has them in R, Neat, Haskell and C; here they are written in a few
lines of Python each. The last two are this library's. Each rung doubles l until a run
is long enough to time, and is compared with the next one; the exponent of its growth is
fitted. Writes the times to algorithm_ladder.csv, and saves one picture,
algorithm_ladder.png, if matplotlib is installed.

Times are processor times, the best of three runs, so that other work of the machine
matters little. The processor seconds of the last run of a rung can be given; without
an argument it is a second, which makes about a minute in all.
"""

import csv
import importlib.util
import math
import os
import platform
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import redblack

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SMALLEST = 16
SHORT, LONG = 0.25, 1.0  # shares of what a run may last: NumPy shows its growth late
TRIES = 3

FINE = time.get_clock_info("process_time").resolution <= 1e-6
CLOCK = time.process_time if FINE else time.perf_counter
POINTS = 3  # of the largest sizes enter a fit: there overheads matter least
DEEPEST = (sys.getrecursionlimit() - 100) // 2  # the recursion is 2 l calls deep
BLOCKS = 4  # a side: NumPy's vectors must be longer than those of a program in C
ONE = Fraction(1)
V26 = 41984711742427 / 15997372030584  # nshepperd's fraction, in the Problem 14 essay

Number = TypeVar("Number", Fraction, float)


def recursion(cards: int, one: Number) -> Number:
    """Rungs 1 and 2: ask for the full deck and remember every answer.

    The type of `one` is the type of all the numbers. As everywhere below, v(r, b) is
    what playing on is worth with r red and b black cards left.
    """
    memo: dict[tuple[int, int], Number] = {}

    def value(red: int, black: int) -> Number:
        if red == 0 or black == 0:
            return red * one
        if (red, black) not in memo:
            good, bad = value(red - 1, black) + one, value(red, black - 1) - one
            memo[red, black] = max(0 * one, (red * good + black * bad) / (red + black))
        return memo[red, black]

    return value(cards, cards)


def flat_array(cards: int) -> float:
    """Rung 3: the table in one list, filled from the empty deck up."""
    width = cards + 1
    table = [0.0] * width**2
    for red in range(1, width):
        table[red * width] = red
        for black in range(1, width):
            here = red * width + black
            good, bad = table[here - width] + 1, table[here - 1] - 1
            table[here] = max(0.0, (red * good + black * bad) / (red + black))
    return table[-1]


def two_rows(cards: int) -> float:
    """Rung 4: a row needs the one before only, so two of them are kept."""
    row = [0.0] * (cards + 1)
    for red in range(1, cards + 1):
        before, row = row, [float(red)]
        for black in range(1, cards + 1):
            good, bad = before[black] + 1, row[-1] - 1
            row.append(max(0.0, (red * good + black * bad) / (red + black)))
    return row[-1]


def diagonal(cards: int) -> float:
    """Rung 5: positions with n cards left are independent: one vector, indexed by r."""
    value, reds = np.zeros(cards + 1), np.arange(cards + 1.0)
    for n in range(1, 2 * cards + 1):
        first, end = max(1, n - cards), min(n, cards) + 1
        red = reds[first:end]
        good, bad = value[first - 1 : end - 1] + 1, value[first:end] - 1
        value[first:end] = np.maximum(0.0, (red * good + (n - red) * bad) / n)
    return float(value[cards])


def finish_block(
    red: int, black: int, above: NDArray[np.float64], left: NDArray[np.float64]
) -> None:
    """Move the edges of finished ground across the block that begins at (red, black).

    `above` holds the row ``red - 1`` over the block and `left` the column ``black - 1``
    beside it; they become the block's own last row and column.
    """
    if left[-1] == 0:
        # Even the most red and fewest black cards stop: so does all of the block.
        above[:] = left[:] = 0
        return
    height, width = len(left), len(above)
    reds = np.arange(red, red + height, dtype=np.float64)
    # newest[i + 1] is the last finished cell of the block's row i; above them, `above`.
    newest = np.concatenate(([0.0], left))
    for step in range(height + width - 1):
        if step < width:
            newest[0] = above[step]
        first, end = max(0, step - width + 1), min(step + 1, height)
        r, n = reds[first:end], red + black + step
        good, bad = newest[first:end] + 1, newest[first + 1 : end + 1] - 1
        newest[first + 1 : end + 1] = np.maximum(0.0, (r * good + (n - r) * bad) / n)
        if step >= height - 1:
            above[step - height + 1] = newest[height]
    left[:] = newest[1:]


def blocks(cards: int) -> float:
    """Rung 6: blocks of the table, a wave of them at a time shared out among threads.

    The blocks of a wave have no row and no column in common.
    """
    row, column = np.zeros(cards + 1), np.arange(cards + 1.0)
    side = -(-cards // BLOCKS)
    starts = range(1, cards + 1, side)

    def finish(red: int, black: int) -> None:
        finish_block(red, black, row[black:][:side], column[red:][:side])

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for wave in range(2 * len(starts) - 1):
            reds = starts[max(0, wave - len(starts) + 1) : wave + 1]
            blacks = [wave * side + 2 - red for red in reds]
            list(pool.map(finish, reds, blacks))  # raises what a thread raised
    return float(column[cards])


class Rung(NamedTuple):
    """A way from l to V(l), and the exponent of l in its time when l is very large.

    It doubles l until a run takes its `share` of the time, or l would pass `largest`.
    """

    name: str
    solve: Callable[[int], float]
    limit: str
    share: float
    largest: int = sys.maxsize


RUNGS = (
    Rung("exact memo", lambda n: float(recursion(n, ONE)), ">2", SHORT, DEEPEST),
    Rung("float memo", lambda n: recursion(n, 1.0), "2", SHORT, DEEPEST),
    Rung("flat array", flat_array, "2", SHORT),
    Rung("two rows", two_rows, "2", SHORT),
    Rung("diagonal", diagonal, "2", LONG),
    Rung("blocks, threads", blocks, "2", LONG),
    Rung("band", lambda n: redblack.value(n, n, method="diagonal"), "1.5", LONG),
    Rung("staircase", lambda n: redblack.value(n, n, method="staircase"), "0.63", LONG),
)

NOTES = f"""\
* Python's limit of recursion allows at most l = {DEEPEST}, with 2 l calls.
The exponent is fitted to the last {POINTS} sizes; "limit" is that for very large l, by
counting. In 1, the numbers become longer. In 5 to 8 a call of NumPy costs as much as
some thousand cells, so the exponent is still below the limit. Blocks and threads help
compiled loops, as in C: in Python only one thread runs at a time, unless Python was
built without its global lock."""

MACHINE = (
    f"Measured with Python {platform.python_version()} and NumPy {np.__version__}, in "
    f"seconds of {'the processor' if FINE else 'the clock'}, the best of {TRIES} runs."
)

SOURCE = """\
1  nshepperd, Haskell (a table filled on demand): V(26) as a fraction
2  The author, R: seconds; up to l = 143, where the stack was full
   FeepingCreature, Neat
3  FeepingCreature, Neat; Khoth, C
4  FeepingCreature after nshepperd, C: up to l = 22,974 in the author's hands
5  FeepingCreature, C: l = 100,000 in 4.6 s (Clang) or 5.8 s (GCC) on a laptop;
   with each diagonal split among about 12 threads on 16 cores, 6.1 s became 2.9 s
6  Khoth, C, 15 threads on 16 cores: l = 100,000 in 0.85 s, about 0.5 s with
   skipping; l = 133,787,000 in 9 days
7  Only an idea: a beam of fixed width (the width has to grow like sqrt(l))
8  None"""
"""What the Problem 14 essay states of the programs; it times rungs 5 and 6."""


class Timing(NamedTuple):
    """The sizes that a rung did, the seconds that each took, and the values found."""

    sizes: list[int]
    seconds: list[float]
    values: list[float]

    @property
    def exponent(self) -> float:
        """The least-squares slope of log time against log l over the last sizes."""
        sizes, seconds = np.log(self.sizes[-POINTS:]), np.log(self.seconds[-POINTS:])
        return float(np.polyfit(sizes, seconds, 1)[0])


def measured(rung: Rung, enough: float) -> Timing:
    """Time a rung at l = 16, 32, 64, ..., to runs of `enough` seconds or so."""
    check(rung.name, rung.solve(26), V26)  # and loads what is loaded only once
    timing, size, quickest = Timing([], [], []), SMALLEST, 0.0
    while size <= rung.largest and quickest < rung.share * enough:
        quickest = math.inf
        for _ in range(TRIES):
            start = CLOCK()
            value = rung.solve(size)
            quickest = min(quickest, CLOCK() - start)
        timing.sizes.append(size)
        timing.seconds.append(float(f"{quickest:.3g}"))  # as in the file
        timing.values.append(value)
        size *= 2
    return timing


def check(name: str, found: float, expected: float) -> float:
    """Return the relative difference of two values that must agree."""
    difference = abs(found / expected - 1)
    assert difference < 1e-9, f"{name}: {found!r}, where {expected!r} is expected"
    return difference


def show_table(timings: Sequence[Timing]) -> None:
    """Print what each rung did at the largest l, and the growth of its time."""
    print("   rung              largest l   seconds  exponent     limit")
    for place, (rung, timing) in enumerate(zip(RUNGS, timings, strict=True), start=1):
        mark = "*" if 2 * timing.sizes[-1] > rung.largest else " "
        print(
            f"{place}  {rung.name:<16}{timing.sizes[-1]:>11,}{mark}"
            f"{timing.seconds[-1]:9g}{timing.exponent:10.2f}{rung.limit:>10}"
        )
    print(MACHINE)
    print(NOTES)


def compare(timings: Sequence[Timing]) -> None:
    """Compare the values of each rung with those of the next."""
    worst = 0.0
    for rung, (timing, after) in zip(RUNGS, pairwise(timings), strict=False):
        for found, expected in zip(timing.values, after.values, strict=False):
            worst = max(worst, check(rung.name, found, expected))
    print(f"Neighbours differ by at most {worst:.1e} of V(l), at all common sizes.")
    size, value = timings[-1].sizes[-1], timings[-1].values[-1]
    print(f"The largest: V({size:,}) = {value:.6f} = {value / size**0.5:.6f} sqrt(l).")


def write(timings: Sequence[Timing], path: Path) -> None:
    """Write what was measured."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["rung", "l", "seconds, measured", "V(l)"])
        for rung, timing in zip(RUNGS, timings, strict=True):
            for size, seconds, value in zip(*timing, strict=True):
                writer.writerow([rung.name, size, f"{seconds:g}", repr(float(value))])


def read(path: Path) -> list[Timing]:
    """Return what was measured, and written by `write`."""
    timings = {rung.name: Timing([], [], []) for rung in RUNGS}
    with path.open(encoding="utf-8", newline="") as file:
        for name, size, seconds, value in list(csv.reader(file))[1:]:
            timings[name].sizes.append(int(size))
            timings[name].seconds.append(float(seconds))
            timings[name].values.append(float(value))
    return list(timings.values())


def draw(timings: Sequence[Timing], axes: "Axes") -> None:
    """Draw the times against l, one line a rung; below, their names and exponents."""
    lines = list(zip(RUNGS, timings, "osD^vP*X", strict=True))
    for place, (rung, timing, marker) in enumerate(lines):
        name = f"{rung.name}: $l^{{{timing.exponent:.2f}}}$"
        style = {"marker": marker, "linestyle": "-" if place < 4 else "--"}
        axes.loglog(timing.sizes, timing.seconds, label=name, **style)
    axes.set(xlabel="$l$, the number of red and of black cards", ylabel="seconds")
    axes.set_title("Eight ways to $V(l)$")
    axes.grid(alpha=0.4)
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.13), ncols=2, frameon=False)


def save_picture(timings: Sequence[Timing]) -> None:
    """Save the picture, in the format that matplotlib's settings name."""
    from matplotlib import rcParams
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 6.4), layout="constrained")
    draw(timings, figure.subplots())
    figure.savefig("algorithm_ladder")
    print(f"\nThe picture is in algorithm_ladder.{rcParams['savefig.format']}")


def heading(text: str) -> None:
    """Print a line that sets off what follows."""
    print(f"\n{text}\n{'-' * len(text)}")


def main() -> None:
    """Climb the ladder, print the table, write the times and save the picture."""
    enough = float(sys.argv[1]) if sys.argv[1:] else 1.0
    timings = [measured(rung, enough) for rung in RUNGS]
    write(timings, Path("algorithm_ladder.csv"))
    heading("Eight ways to the value of l red and l black cards")
    show_table(timings)
    compare(timings)
    heading("The programs of the Problem 14 essay, with the times that it states")
    print(SOURCE)
    if importlib.util.find_spec("matplotlib"):
        save_picture(timings)


if __name__ == "__main__":
    main()
