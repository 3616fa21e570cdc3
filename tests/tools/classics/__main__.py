"""Time and memory of the classic games, each beside a program for that game alone.

``python -m tests.tools classics [NAME ...]`` runs the modules beside this one, or some
of them. Each has ``ours()`` and ``special()``, which return the same number, and
``GAME`` and ``SPECIAL``, what a table calls them. Every run has a process of its own;
the shortest time of the processor counts, without imports, and the memory is the most
that it held. With ``--write`` the table of the documentation is written anew.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import resource
import subprocess
import sys
import time
from importlib import import_module
from pathlib import Path

HOME = Path(__file__).parent
ROOT = HOME.parents[2]
TABLE = ROOT / "docs" / "tables" / "speed_classics.csv"
HEAD = [
    *("game", "seconds, measured", "memory, measured", "beside"),
    *("its seconds, measured", "its memory, measured"),
]


def measure(name: str, side: str) -> None:
    """Run one side of a comparison, and print what came out and what it took."""
    module = import_module(f"tests.tools.classics.{name}")
    began = time.process_time()
    value = getattr(module, side)()
    seconds = time.process_time() - began
    held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps([float(value), seconds, held]))


def measured(name: str, side: str, runs: int) -> tuple[float, float, float]:
    """Return the value of one side, its shortest time and its memory in MiB."""
    found = []
    for _ in range(runs):
        done = subprocess.run(
            [sys.executable, "-m", "tests.tools.classics", "--side", side, name],
            cwd=ROOT,
            env={**os.environ, "OMP_NUM_THREADS": "1"},
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        )
        found.append(json.loads(done.stdout))
    value, _, held = found[0]
    return value, min(seconds for _, seconds, _ in found), held


def in_words(seconds: float, held: float) -> list[str]:
    """Return a time with two digits and a memory in MiB."""
    return [f"{float(f'{seconds:.2g}'):g} s", f"{float(f'{held:.2g}'):.0f} MiB"]


def main() -> None:
    """Compare some games or all of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--side", choices=["ours", "special"], help=argparse.SUPPRESS)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    if given.side:
        measure(given.names[0], given.side)
        return
    listed = sorted(path.stem for path in HOME.glob("[a-z]*.py"))
    rows = [HEAD]
    for name in given.names or listed:
        module = import_module(f"tests.tools.classics.{name}")
        ours = measured(name, "ours", given.runs)
        special = measured(name, "special", given.runs)
        if abs(ours[0] - special[0]) > 1e-9 * max(1, abs(special[0])):
            sys.exit(f"{name}: {ours[0]!r} here, {special[0]!r} by {module.SPECIAL}")
        rows.append(
            [module.GAME, *in_words(*ours[1:]), module.SPECIAL, *in_words(*special[1:])]
        )
        print(*rows[-1], f"{ours[1] / special[1]:.2f} times", sep="; ", flush=True)
    if given.write:
        with TABLE.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows(rows)


if __name__ == "__main__":
    main()
