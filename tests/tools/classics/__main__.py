"""Time and memory of the classic games, each beside a program for that game alone.

``python -m tests.tools classics [NAME ...]`` runs the modules beside this one, or some
of them. Each has ``ours()`` and ``special()``, which return the same number, and
``GAME`` and ``SPECIAL``, what a table calls them. A game for which any program takes
more than a few lines is in `ALONE`, and stands beside nothing. Every run has a process
of its own; the shortest time of the processor counts, without imports, and the memory
is the most that it held. With ``--write`` the table of the documentation is written
anew.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from typing import Any

from cardgames_dp import diagonal, exact
from tests.classics.scripts import loaded
from tests.tools.fresh import keep, kilobytes, run

HOME = Path(__file__).parent
HEAD = [
    *("game", "seconds, measured", "memory, measured", "beside"),
    *("its seconds, measured", "its memory, measured"),
]


ALONE: dict[str, tuple[str, Callable[[Any], float | Fraction]]] = {
    "bearoff": (
        "bearing off, 15 checkers",
        lambda script: diagonal.solve(script.BearOff()).value[0],
    ),
    "blackjack": (
        "blackjack, one deck",
        lambda script: diagonal.solve(script.OneDeck()).value[0],
    ),
    "jacks_or_better": (
        "Jacks or Better",
        lambda script: diagonal.solve(script.JacksOrBetter()).value[0],
    ),
    "piglet": (
        "Piglet to 10, exactly",
        lambda script: exact.solve(script.Piglet(10)).value[0],
    ),
    "yahtzee": ("Yahtzee", lambda script: script.Solitaire("forced").solve()),
}
"""What the table calls a game, and how its script is solved."""


def measure(name: str, side: str) -> None:
    """Run one side of a comparison, and print what came out and what it took."""
    if name in ALONE:
        script, solve = loaded(name), ALONE[name][1]
        began = time.process_time()
        value: Any = solve(script)
    else:
        module = import_module(f"tests.tools.classics.{name}")
        began = time.process_time()
        value = getattr(module, side)()
    seconds = time.process_time() - began
    print(json.dumps([float(value), seconds, kilobytes() / 1024]))


def measured(name: str, side: str, runs: int) -> tuple[float, float, float]:
    """Return the value of one side, its shortest time and its memory in MiB."""
    found = []
    for _ in range(runs):
        done = run("-m", "tests.tools.classics", "--side", side, name)
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
    listed = {path.stem for path in HOME.glob("[a-z]*.py")} | {*ALONE}
    rows = [HEAD]
    for name in given.names or sorted(listed):
        ours = measured(name, "ours", given.runs)
        if name in ALONE:
            rows.append([ALONE[name][0], *in_words(*ours[1:]), "", "", ""])
            print(*rows[-1][:3], sep="; ", flush=True)
            continue
        module = import_module(f"tests.tools.classics.{name}")
        special = measured(name, "special", given.runs)
        if abs(ours[0] - special[0]) > 1e-9 * max(1, abs(special[0])):
            sys.exit(f"{name}: {ours[0]!r} here, {special[0]!r} by {module.SPECIAL}")
        rows.append(
            [module.GAME, *in_words(*ours[1:]), module.SPECIAL, *in_words(*special[1:])]
        )
        print(*rows[-1], f"{ours[1] / special[1]:.2f} times", sep="; ", flush=True)
    if given.write:
        keep("speed_classics", rows)


if __name__ == "__main__":
    main()
