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
from typing import Any, NamedTuple, TypeAlias

from . import fresh
from .fresh import ROOT


class Call(NamedTuple):
    """What is measured, and what is done before."""

    code: str
    before: str = ""
    times: int = 1
    """How often in one process, of which the fastest counts: more for short calls."""


GAME = "from cardgames_dp import {0}, redblack; game = redblack.Rules().game(300, 300)"
ROW = "import numpy; row = numpy.random.default_rng(1).integers(1, 14, 10**6)"
RED_BLACK = "from cardgames_dp import redblack; redblack.value(2, 2)"
PAIRS = "from cardgames_dp import pairs; pairs.Rules"
PLAYED = (
    "from cardgames_dp import diagonal, game, play, redblack; "
    "found = game.explore(redblack.Rules().game(300, 300)); "
    "best = diagonal.solve(found)"
)
CARDS = (
    "from cardgames_dp import cardrow; import numpy; "
    "rng = numpy.random.default_rng(1); "
    "row = rng.integers(1, 14, {0}); rows = rng.integers(1, 14, ({0} // 10, 10))"
)
CLIMB = f"{RED_BLACK}; redblack.value(3000, 3000, method='staircase')"

# Several ways to write a call, where its names differ between commits: the first that
# the commit knows is measured.
CALLS: dict[str, tuple[Call, ...]] = {
    "nothing": (Call("pass"),),
    "import numpy": (Call("import numpy"),),
    "import cardgames_dp": (Call("import cardgames_dp"),),
    "import a game": (Call("from cardgames_dp import redblack; redblack.value(2, 2)"),),
    "V(133,787,000)": (Call("redblack.value(133_787_000, 133_787_000)", CLIMB),),
    "V(10**9)": (Call("redblack.value(10**9, 10**9)", CLIMB),),
    "enclosure 10**6": (Call("redblack.enclosure(10**6, 10**6)", CLIMB),),
    "solve(1000, 1000)": (Call("redblack.solve(1000, 1000)", RED_BLACK, 5),),
    "exact V(1000)": (
        Call("redblack.value(1000, 1000, backend='exact')", RED_BLACK, 9),
    ),
    "pairs.solve": (
        Call("pairs.solve()", "from cardgames_dp import pairs; pairs.Rules"),
    ),
    "row of 10**6": (
        Call("cardrow.value(row)", f"from cardgames_dp import cardrow; {ROW}", 3),
    ),
    "271,801 states, exact": (Call("exact.solve(game)", GAME.format("exact")),),
    "271,801 states, float64": (Call("diagonal.solve(game)", GAME.format("diagonal")),),
    "121,202 states by hand": (
        Call(
            "exact.solve(RedBlack(200, 200))",
            "from cardgames_dp import exact; from tests.written import RedBlack",
        ),
    ),
    "V(120,000, 80,000)": (Call("redblack.value(120_000, 80_000)", RED_BLACK),),
    "50 digits of V(3000)": (Call("redblack.value(3000, 3000, digits=50)", RED_BLACK),),
    "22,975 values": (Call("redblack.value(range(22_975), range(22_975))", RED_BLACK),),
    "thresholds(389)": (Call("redblack.thresholds(389)", RED_BLACK),),
    "distribution 10**4": (
        Call("redblack.distribution(10**4, 10**4).payoff", RED_BLACK),
    ),
    "three kinds of cards": (
        Call("redblack.kinds.value({2: 300, '1/3': 300, -1: 600})", RED_BLACK),
    ),
    "unknown urn": (Call("redblack.urns.solve([1] * 1001)", RED_BLACK),),
    "10**6 games": (Call("redblack.simulate(26, 26, games=10**6, rng=1)", RED_BLACK),),
    "match of 10**6 cards": (Call("cardrow.match(row)", CARDS.format(10**6)),),
    "rows side by side": (Call("cardrow.values(rows)", CARDS.format(10**6)),),
    "response in a row": (
        Call("cardrow.best_response(row, 'greedy')", CARDS.format(5000)),
    ),
    "tournament": (
        Call(
            "cardrow.tournament(['greedy', 'larger', 'optimal'], rows)",
            CARDS.format(40_000),
        ),
    ),
    "pairs, three players": (
        Call("pairs.solve(pairs.Rules(players=3, deck=6))", PAIRS),
    ),
    "pairs, remembered": (
        Call("pairs.solve(pairs.Rules(deck=5, reshuffle='exhausted'))", PAIRS),
    ),
    "pairs.evaluate": (
        Call(
            "pairs.evaluate(pairs.Rules(deck=7), ['optimal', 'fifty_percent'])", PAIRS
        ),
    ),
    "pairs.best_response": (
        Call("pairs.best_response(pairs.Rules(deck=7), 'fifty_percent')", PAIRS),
    ),
    "pairs.simulate": (
        Call(
            "pairs.simulate(pairs.Rules(), 'expected_points', games=2**15, rng=1)",
            PAIRS,
        ),
    ),
    "play.best_response": (Call("play.best_response(found, best, 0)", PLAYED),),
    "play.distribution": (Call("play.distribution(found, best)", PLAYED),),
    "play.simulate": (Call("play.simulate(found, best, 10_000, rng=1)", PLAYED),),
}

TIMER = """
import sys, time
for code, before, times in {ways!r}:
    try:
        exec(before)
        compiled, runs = compile(code, code, "exec"), []
        for _ in range(times):
            processor, wall = time.process_time(), time.perf_counter()
            exec(compiled)
            runs += [(time.process_time() - processor, time.perf_counter() - wall)]
        print(*map(min, zip(*runs)))
        break
    except (AttributeError, ImportError, NameError, TypeError) as error:
        print(f"{{code}}: {{error}}", file=sys.stderr)
else:
    sys.exit(1)
"""

Times: TypeAlias = dict[str, list[tuple[float, float]]]
"""Of each call, the processor time and the wall time of each run, in seconds."""


@contextmanager
def trees(commits: list[str]) -> Iterator[list[Path]]:
    """Check commits out in a temporary folder."""
    with TemporaryDirectory() as folder:
        found = []
        try:
            for number, commit in enumerate(commits):
                tree = ROOT
                if commit != ".":
                    tree = Path(folder, str(number))
                    git("worktree", "add", "--quiet", "--detach", str(tree), commit)
                found.append(tree)
            yield found
        finally:
            for tree in found:
                if tree != ROOT:
                    git("worktree", "remove", "--force", str(tree))


def git(*words: str) -> None:
    """Run git in this repository."""
    subprocess.run(["git", *words], cwd=ROOT, check=True)


def timed(tree: Path, ways: tuple[Call, ...]) -> tuple[float, float]:
    """Run a call in a fresh process; return its processor time and its wall time."""
    code = TIMER.format(ways=[*map(tuple, ways)])
    where: dict[str, Any] = {"cwd": tree, "env": {"PYTHONPATH": str(tree)}}
    done = fresh.run("-c", code, stderr=subprocess.PIPE, check=False, **where)
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
    with trees(given.commits) as found:
        for run in range(given.runs):
            for name in names:
                for which in (0, 1) if run % 2 else (1, 0):
                    both[which][name].append(timed(found[which], CALLS[name]))
    columns = f"{'first':>14} {'second':>14} {'ratio':>7} {'of min':>7}"
    print(f"{'seconds':24} {columns} {columns}")
    print(f"{'':24} {'processor time':^45} {'wall time':^45}")
    for name in names:
        print(report(name, *both))


if __name__ == "__main__":
    main()
