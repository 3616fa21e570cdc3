"""Measure two commits side by side: how long the headline calls take in each.

``python -m tests.tools speed A B`` checks both commits out in a temporary folder and
runs every call in turn in each, in a fresh process with one thread: so a busy machine
slows both alike. It prints medians of processor time and of wall time, how far the runs
lie apart, and the ratio of the second commit to the first, of the smallest times as
well: on a busy machine these are the best estimate. ``.`` in place of a commit is
the work tree as it is.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from fnmatch import fnmatch
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias

from . import fresh
from .fresh import ROOT

RED_BLACK = "from cardgames_dp import diagonal, redblack; redblack.value(2, 2)"
DECKS = f"{RED_BLACK}; from cardgames_dp import play; deck = redblack.game"
CLIMB = f"{RED_BLACK}; redblack.value(3000, 3000, method='staircase')"
GAME = (
    "from cardgames_dp import diagonal, exact, redblack; from tests import games; "
    "game = redblack.game(300, 300)"
)
PAIRS = "from cardgames_dp import pairs; pairs.Rules"
PLAYED = (
    "from cardgames_dp import diagonal, game, play, redblack; "
    "found = game.explore(redblack.game(300, 300)); "
    "best = diagonal.solve(found)"
)
ROWS = (
    "from cardgames_dp import cardrow, play; import numpy; "
    "row = numpy.random.default_rng(1).integers(1, 14, 10**6)"
)
GROUPS = {
    "pass": {
        "nothing": "pass",
        "import numpy": "import numpy",
        "import cardgames_dp": "import cardgames_dp",
        "import a game": RED_BLACK,
    },
    CLIMB: {
        "V(133,787,000)": "redblack.value(133_787_000, 133_787_000)",
        "V(10**9)": "redblack.value(10**9, 10**9)",
        "enclosure 10**6": "redblack.enclosure(10**6, 10**6)",
    },
    RED_BLACK: {
        "solve(1000, 1000)": "redblack.solve(1000, 1000)",
        "exact V(1000)": "redblack.value(1000, 1000, backend='exact')",
        "V(120,000, 80,000)": "redblack.value(120_000, 80_000)",
        "50 digits of V(3000)": "redblack.value(3000, 3000, digits=50)",
        "thresholds(389)": "redblack.thresholds(389)",
    },
    DECKS: {
        "distribution 10**4": "play.distribution(deck(10**4, 10**4), 'optimal')",
        "10**6 games": "play.simulate(deck(26, 26), 'optimal', 10**6, rng=1)",
    },
    GAME: {
        "271,801 states, exact": "exact.solve(game)",
        "271,801 states, float64": "diagonal.solve(game)",
        "121,202 states by hand": "exact.solve(games.RedBlack(200, 200))",
    },
    ROWS: {
        "row of 10**6": "cardrow.value(row)",
        "match of 10**6 cards": "cardrow.match(row)",
        "winning response": "cardrow.best_response(row[:52], 'random')",
    },
    PAIRS: {
        "pairs.solve": "pairs.solve()",
        "pairs, three players": "pairs.solve(pairs.Rules(players=3, deck=6))",
        "pairs.best_response": (
            "pairs.rates(pairs.Rules(deck=7), [None, 'fifty_percent'])"
        ),
        "pairs.simulate": (
            "pairs.rates(pairs.Rules(), 'expected_points', games=2**15, rng=1)"
        ),
    },
    PLAYED: {
        "play.best_response": "play.best_response(found, best, 0)",
        "play.distribution": "play.distribution(found, best)",
        "play.simulate": "play.simulate(found, best, 10_000, rng=1)",
    },
}
"""What is done before, and by their names the calls that are measured."""

CALLS = {
    name: (code, before)
    for before, group in GROUPS.items()
    for name, code in group.items()
}
TIMES = {"solve(1000, 1000)": 5, "exact V(1000)": 9, "row of 10**6": 3}
"""How often in one process, of which the fastest counts: more for short calls."""

TIMER = """
import time
exec({before!r})
compiled, runs = compile({code!r}, {code!r}, "exec"), []
for _ in range({times}):
    processor, wall = time.process_time(), time.perf_counter()
    exec(compiled)
    runs += [(time.process_time() - processor, time.perf_counter() - wall)]
print(*map(min, zip(*runs)))
"""

Times: TypeAlias = dict[str, list[tuple[float, float]]]
"""Of each call, the processor time and the wall time of each run, in seconds."""


@contextmanager
def trees(commits: list[str]) -> Iterator[list[Path]]:
    """Check commits out in a temporary folder."""
    with TemporaryDirectory() as folder:
        result = []
        try:
            for number, commit in enumerate(commits):
                tree = ROOT
                if commit != ".":
                    tree = Path(folder, str(number))
                    git("worktree", "add", "--quiet", "--detach", str(tree), commit)
                result.append(tree)
            yield result
        finally:
            for tree in result:
                if tree != ROOT:
                    git("worktree", "remove", "--force", str(tree))


def git(*words: str) -> None:
    """Run git in this repository."""
    subprocess.run(["git", *words], cwd=ROOT, check=True)


def timed(tree: Path, code: str, before: str, times: int = 1) -> tuple[float, float]:
    """Run a call in a fresh process; return its processor time and its wall time."""
    script = TIMER.format(code=code, before=before, times=times)
    where: dict[str, Any] = {"cwd": tree, "env": {"PYTHONPATH": str(tree)}}
    done = fresh.run("-c", script, stderr=subprocess.PIPE, check=False, **where)
    if done.returncode:
        sys.exit(f"in {tree}:\n{done.stderr}")
    processor, wall = map(float, done.stdout.split())
    return processor, wall


def spread(times: list[float]) -> float:
    """Return how far the runs lie apart, of their median."""
    return (max(times) - min(times)) / median(times)


def report(name: str, first: Times, second: Times) -> str:
    """Return a line of the table."""
    words = [f"{name:24}"]
    for kind in (0, 1):
        old, new = ([run[kind] for run in times[name]] for times in (first, second))
        ratio, least = median(new) / median(old), min(new) / min(old)
        words.append(f"{median(old):8.3f} ±{spread(old):4.0%}")
        words.append(f"{median(new):8.3f} ±{spread(new):4.0%}")
        words.append(f"{ratio:7.3f} {least:7.3f}")
    return " ".join(words)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("commits", nargs=2, metavar="COMMIT")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--only", default="*", help="a pattern of names")
    given = parser.parse_args()
    names = [name for name in CALLS if fnmatch(name, given.only)]
    both: tuple[Times, Times] = (
        {name: [] for name in names},
        {name: [] for name in names},
    )
    with trees(given.commits) as result:
        for run in range(given.runs):
            for name in names:
                for which in (0, 1) if run % 2 else (1, 0):
                    both[which][name].append(
                        timed(result[which], *CALLS[name], TIMES.get(name, 1))
                    )
    columns = f"{'first':>14} {'second':>14} {'ratio':>7} {'of min':>7}"
    print(f"{'seconds':24} {columns} {columns}")
    print(f"{'':24} {'processor time':^45} {'wall time':^45}")
    for name in names:
        print(report(name, *both))


if __name__ == "__main__":
    main()
