"""How much memory the calls take that most people make: a table for the documentation.

``python -m tests.tools memory`` makes each call of ``examples/speed.py`` in a process
of its own, and writes the most that the process held then, beyond what it held before.
"""

from __future__ import annotations

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
    rows = [["call", "size", "memory"]]
    for game, (_, calls) in SPEED.items():
        for call, sizes in calls.items():
            for n in sizes:
                done = run("-m", __spec__.name, game, call, str(n))
                rows.append([f"``{call}``", f"{n:,}", in_words(int(done.stdout))])
                print(*rows[-1], flush=True)
    keep("memory", rows)


if __name__ == "__main__":
    main()
