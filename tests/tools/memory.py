"""How much memory the calls take that most people make: a column of a table of times.

``python -m tests.tools memory`` makes each call of ``examples/speed.py`` in a process
of its own, and writes the most that the process held then, beyond what it held before,
beside the times in ``docs/tables/speed_calls.csv``, which that example has written.
"""

from __future__ import annotations

import csv
import runpy
import sys

from .fresh import ROOT, keep, kilobytes, run

GIVEN = sys.argv[1:]
del sys.argv[1:]  # which the example would read
SPEED = runpy.run_path(str(ROOT / "examples" / "speed.py"))["SPEED"]


def measure(game: str, call: str, n: int) -> None:
    """Make a call, after a small one, and print the memory that it took."""
    names = SPEED[game][0]
    eval(call, names(3))
    given = names(n)
    before = kilobytes()
    eval(call, given)
    print(kilobytes() - before)


def in_words(size: int) -> str:
    """Return a size in KiB with two digits and its unit."""
    unit, length = ("MiB", 1024) if size >= 1024 else ("KiB", 1)
    return f"{float(f'{size / length:.2g}'):,g}\N{NBSP}{unit}"


def main() -> None:
    """Measure all calls, each in a process of its own."""
    if GIVEN:
        game, call, n = GIVEN
        measure(game, call, int(n))
        return
    table = (ROOT / "docs" / "tables" / "speed_calls.csv").read_text(encoding="utf-8")
    rows = [row[:3] for row in csv.reader(table.splitlines())]
    rows[0].append("memory")
    calls = [
        (game, call, n)
        for game, (_, calls) in SPEED.items()
        for call, sizes in calls.items()
        for n in sizes
    ]
    for row, (game, call, n) in zip(rows[1:], calls, strict=True):
        if row[:2] != [f"``{call}``", f"{n:,}"]:
            raise ValueError(f"the table of times must be of now: {row} for {call}")
        done = run("-m", __spec__.name, game, call, str(n))
        row.append(in_words(int(done.stdout)))
        print(*row, flush=True)
    keep("speed_calls", rows)


if __name__ == "__main__":
    main()
