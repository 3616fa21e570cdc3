"""Change the code in small ways, and see whether the tests notice.

``python -m tests.mutants --sample 40 --seed 1`` makes so many changes in each part of
the library that `PARTS` names, one at a time, in a copy of the project, and runs the
tests that run the changed line, as the session ``coverage`` has found; without its
files, all tests of that part. It prints what became of each change, and fails if fewer
than nine tenths were noticed. A change that cannot be observed belongs into
``survivors.txt``, with its reason, and does not count. In place of a part's name,
``exact.py:12`` is that line of ``cardgames_dp/exact.py``.
"""

from __future__ import annotations

import argparse
import compileall
import contextlib
import os
import re
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from py_compile import PycInvalidationMode

import hypothesis  # noqa: F401 - before the fork, so that it is loaded once
import mpmath  # noqa: F401
import numpy as np  # noqa: F401
import pytest
import scipy.optimize
import scipy.special
import scipy.stats  # noqa: F401

from .changes import Change, changes, statement
from .choice import Tests

ROOT = Path(__file__).parents[2]
SURVIVORS = Path(__file__).with_name("survivors.txt")
ENOUGH = 0.9

ROUGH = {"costs.py", "plots.py"}
"""Modules of estimates of time and of pictures: other numbers are as good."""

MOST_BYTES = 4 * 2**30
"""The address space of a process that runs tests."""

MOST_SECONDS = 1800
"""After these, a process that hardly computes waits for something for ever."""


@dataclass(frozen=True)
class Part:
    """Modules or folders, and the tests that are theirs."""

    modules: tuple[str, ...]
    tests: tuple[str, ...]


PARTS = {
    "quick": Part(("_exact_sweep.py", "_ties.py"), ("tests/test_exact.py",)),
    "exact": Part(
        ("exact.py", "_exact_sweep.py", "_walk.py"),
        ("tests/test_exact.py", "tests/test_explored.py"),
    ),
    "diagonal": Part(
        ("diagonal.py", "_float_sweep.py"),
        ("tests/test_diagonal.py", "tests/test_layered.py", "tests/test_arrays.py"),
    ),
    "play": Part(("play",), ("tests/play",)),
    "fitting": Part(("fitting",), ("tests/fitting",)),
    "redblack": Part(("redblack/_kernels",), ("tests/redblack",)),
    "cardrow": Part(("cardrow/_kernels",), ("tests/cardrow",)),
    "pairs": Part(("pairs/_kernels",), ("tests/pairs",)),
}


def modules(copy: Path, part: Part) -> list[str]:
    """Return the paths of a part's modules, but for those in `ROUGH`."""
    paths = (copy / "cardgames_dp" / name for name in part.modules)
    files = (
        file
        for path in paths
        for file in ([path] if path.suffix else path.rglob("*.py"))
    )
    return sorted(
        str(file.relative_to(copy)) for file in files if file.name not in ROUGH
    )


def outcome(copy: Path, tests: Iterable[str], seconds: float) -> tuple[int, str]:
    """Run tests in a process of their own; return its exit code and what it printed."""
    report = copy / "report.txt"
    sys.stdout.flush()
    process = os.fork()
    if not process:
        code = 3
        try:
            code = child(copy, [*tests], int(seconds), report)
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
    end = time.monotonic() + MOST_SECONDS
    try:
        ended = os.WEXITED | os.WNOHANG | os.WNOWAIT
        while not os.waitid(os.P_PID, process, ended) and time.monotonic() < end:
            time.sleep(0.05)
    finally:
        with contextlib.suppress(ProcessLookupError):  # it, and what it has started
            os.killpg(process, signal.SIGKILL)
    status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    return status, report.read_text(encoding="utf-8", errors="replace")


def child(copy: Path, tests: list[str], seconds: int, report: Path) -> int:
    """Run tests in the copy, which is the only place where to find the code."""
    os.setsid()
    resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    with report.open("wb") as out:
        os.dup2(out.fileno(), 1)
        os.dup2(out.fileno(), 2)
    os.chdir(copy)
    os.environ |= {"PYTHONPATH": str(copy), "HYPOTHESIS_PROFILE": "mutants"}
    sys.path = [str(copy), *(path for path in sys.path if path not in {"", str(ROOT)})]
    for name in [name for name in sys.modules if name.partition(".")[0] == "tests"]:
        del sys.modules[name]
    options = ["-x", "-q", "--tb=line", "--no-showlocals", "-p", "no:cacheprovider"]
    # Hypothesis is loaded already, and pytest warns that it cannot rewrite it.
    options += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]
    return int(pytest.main([*options, *tests]))


def fate(copy: Path, change: Change, batches: Iterable[tuple[float, list[str]]]) -> str:
    """Return what noticed a change, or nothing."""
    file = copy / change.module
    code = file.read_text(encoding="utf-8")
    file.write_text(change.code, encoding="utf-8")
    try:
        for seconds, tests in batches:
            status, report = outcome(copy, tests, 60 + 4 * seconds)
            if status < 0:
                return "killed, as it took too long"
            if status:
                found = re.findall(r"^(?:FAILED|ERROR) (.*)", report, re.MULTILINE)
                return found[0] if found else f"exit code {status}"
    finally:
        file.write_text(code, encoding="utf-8")
    return ""


def known() -> set[str]:
    """Return the changes that nothing can notice, each with its module."""
    lines = SURVIVORS.read_text(encoding="utf-8").splitlines()
    return {line.rpartition(" # ")[0] for line in lines if " # " in line}


@contextlib.contextmanager
def copied() -> Iterator[Path]:
    """Give a copy of the project, with bytecode that knows its source by a hash."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        omitted = shutil.ignore_patterns("__pycache__")
        for kept in ("cardgames_dp", "tests", "examples", "docs"):
            shutil.copytree(ROOT / kept, copy / kept, ignore=omitted)
        for kept in ("pyproject.toml", "README.rst", "noxfile.py"):
            shutil.copy(ROOT / kept, copy)
        # By its time and size, a changed file may look the same.
        hashed = PycInvalidationMode.CHECKED_HASH
        compileall.compile_dir(copy / "cardgames_dp", quiet=1, invalidation_mode=hashed)
        yield copy


def run(name: str, given: argparse.Namespace, copy: Path) -> bool:
    """Try the changes of a part; return whether enough of them were noticed."""
    file, _, line = name.partition(":")
    part = PARTS.get(name) or Part((file,), tuple(given.tests))
    lines = range(int(line), int(line) + 1) if line else range(10**9)
    found = None if given.tests or name == "quick" else recorded()
    whole = [(given.limit, [*(given.tests or part.tests)])]
    if not found:  # tests that fail without any change would notice every one
        status, report = outcome(copy, whole[0][1], 60 + 4 * given.limit)
        if status:
            sys.exit(f"tests fail as things are:\n{report}")
    fates: Counter[str] = Counter()
    explained = known()
    for change in changes(copy, modules(copy, part), given.sample, given.seed, lines):
        started = time.monotonic()
        batches: Iterable[tuple[float, list[str]]] = whole
        if found:
            code = (copy / change.module).read_text(encoding="utf-8")
            tests = found.running(change.module, statement(code, change.line))
            batches = found.batches(tests, part.tests, given.limit)
        noticed = "" if str(change) in explained else fate(copy, change, batches)
        word = (
            "noticed" if noticed else "idle" if str(change) in explained else "SURVIVED"
        )
        fates[word] += 1
        seconds = time.monotonic() - started
        print(f"{word:8} {seconds:5.1f} s  {change.line}  {change}", flush=True)
        print(f"{'':18} {noticed}", flush=True)
    tried = fates.total() - fates["idle"]
    print(f"{name}: {fates['noticed']} of {tried} changes noticed; ", end="")
    print(f"{fates['idle']} more are explained", flush=True)
    return fates["noticed"] >= ENOUGH * tried


def recorded() -> Tests | None:
    """Return what the session `coverage` has left, if the code is no newer."""
    left = ROOT / ".coverage"
    files = (ROOT / "cardgames_dp").rglob("*.py")
    if left.exists() and all(
        file.stat().st_mtime < left.stat().st_mtime for file in files
    ):
        return Tests.read(ROOT)
    print("no record of the session coverage that is newer than the code")
    return None


def main() -> None:
    """Run the parts that are named, or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sample", type=int, default=40, help="changes of each part")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--limit", type=float, default=60, help="seconds of tests for each change"
    )
    parser.add_argument("--tests", nargs="*", default=[], help="not the chosen ones")
    parser.add_argument("parts", nargs="*", default=[*PARTS][1:])
    given = parser.parse_args()
    with copied() as copy:
        few = [name for name in given.parts if not run(name, given, copy)]
    if few:
        sys.exit(f"too few changes were noticed in {', '.join(few)}")


if __name__ == "__main__":
    main()
