"""Change the code in small ways, and see whether the tests notice.

``python -m tests.tools mutants --sample 40`` makes so many changes in each part of the
library that `PARTS` names, one at a time, and runs those tests of the part that run the
changed line, as the tool ``coverage`` has found; without its files, all of them. It
prints what became of each change, and fails if fewer than nine tenths were noticed. A
change that cannot be observed belongs into ``survivors.txt``, with its reason, and does
not count. ``exact.py:12`` in place of a part is that line, for the tests after
``--tests``.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from .changes import changes
from .choice import Record
from .trials import Trials

ROOT = Path(__file__).parents[3]
SURVIVORS = Path(__file__).with_name("survivors.txt")
ENOUGH = 0.9

ROUGH = {"costs.py", "plots.py"}
"""Modules of estimates of time and of pictures: other numbers are as good."""


@dataclass(frozen=True)
class Part:
    """Modules or folders, and the tests that are theirs."""

    modules: tuple[str, ...]
    tests: tuple[str, ...]


PARTS = {
    "quick": Part(("exact.py", "_graph/solving.py"), ("tests/test_exact.py",)),
    "exact": Part(
        ("exact.py", "_graph/walking.py"),
        ("tests/test_exact.py", "tests/test_solutions.py", "tests/test_package.py"),
    ),
    "diagonal": Part(
        ("diagonal.py",),
        (
            *("tests/test_diagonal.py", "tests/test_arrays.py"),
            "tests/test_package.py",
        ),
    ),
    "play": Part(
        ("play",), ("tests/play", "tests/test_results.py", "tests/test_package.py")
    ),
    "fitting": Part(("fitting",), ("tests/fitting",)),
    "redblack": Part(("redblack/_kernels",), ("tests/redblack",)),
    "cardrow": Part(("cardrow/_kernels",), ("tests/cardrow",)),
    "pairs": Part(("pairs/_kernels",), ("tests/pairs",)),
}


def modules(part: Part) -> list[str]:
    """Return the paths of a part's modules, but for those in `ROUGH`."""
    paths = (ROOT / "cardgames_dp" / name for name in part.modules)
    files = (
        file
        for path in paths
        for file in ([path] if path.suffix else path.rglob("*.py"))
    )
    return sorted(
        str(file.relative_to(ROOT)) for file in files if file.name not in ROUGH
    )


def known() -> set[str]:
    """Return the changes that nothing can notice, each with its module."""
    lines = SURVIVORS.read_text(encoding="utf-8").splitlines()
    return {line.rpartition(" # ")[0] for line in lines if " # " in line}


def run(name: str, given: argparse.Namespace) -> bool:
    """Try the changes of a part; return whether enough of them were noticed."""
    file, _, line = name.partition(":")
    part = PARTS.get(name) or Part((file,), ())
    lines = range(int(line), int(line) + 1) if line else range(10**9)
    record = None if given.tests or name == "quick" else Record.read(ROOT)
    trials = Trials(
        changes(ROOT, modules(part), given.sample, given.seed, lines),
        known(),
        record,
        given.limit,
    )
    # Its usual last line would count the tests that it ran itself: none.
    options = ["-qq", "-s", "--no-showlocals", "-p", "no:cacheprovider"]
    ended = pytest.main([*options, *(given.tests or part.tests)], plugins=[trials])
    if ended:
        sys.exit(f"pytest could not collect the tests of {name}: {ended!r}")
    tried = trials.fates.total() - trials.fates["idle"]
    print(f"{name}: {trials.fates['noticed']} of {tried} changes noticed; ", end="")
    print(f"{trials.fates['idle']} more are explained", flush=True)
    return trials.fates["noticed"] >= ENOUGH * tried


def main() -> None:
    """Run the part that is named, or each one in a process of its own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sample", type=int, default=40, help="changes of each part")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--limit", type=float, default=60, help="seconds of tests for each change"
    )
    parser.add_argument("--tests", nargs="*", default=[], help="not those of the part")
    parser.add_argument("parts", nargs="*", default=[*PARTS][1:])
    given = parser.parse_args()
    if len(given.parts) == 1:
        os.environ["HYPOTHESIS_PROFILE"] = "mutants"
        enough = [run(given.parts[0], given)]
    else:
        options = [f"--{key}={vars(given)[key]}" for key in ("sample", "seed", "limit")]
        command = [sys.executable, "-m", "tests.tools", "mutants", *options]
        enough = [
            not subprocess.run([*command, part], cwd=ROOT, check=False).returncode
            for part in given.parts
        ]
    if not all(enough):
        sys.exit("too few changes were noticed")


if __name__ == "__main__":
    main()
