"""Change the code in small ways, and see whether the tests notice.

``python -m tests.tools mutants --sample 40`` makes so many changes in each part of the
library that `PARTS` names, one at a time, and runs those tests of the part that run the
changed line, as the tool ``coverage`` has found; without its files, all of them. It
prints what became of each change, and fails if fewer than nine tenths were noticed. A
change that cannot be observed belongs into ``mutants.txt``, with its reason, and does
not count. ``exact.py:12`` in place of a part is that line, for the tests after
``--tests``.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from importlib.machinery import SourceFileLoader
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names
from coverage import CoverageData

ROOT = Path(__file__).parents[2]
SURVIVORS = Path(__file__).with_name("mutants.txt")
ENOUGH = 0.9

ROUGH = {"costs.py", "plots.py"}
"""Modules of estimates of time and of pictures: other numbers are as good."""


def part(modules: str, tests: str) -> tuple[list[str], list[str]]:
    """Return the paths of modules in the library, and of the tests that are theirs."""
    names = (f"tests/{x}.py" if "test_" in x else f"tests/{x}" for x in tests.split())
    return modules.split(), [*names]


PARTS = {
    "quick": part("exact.py _graph/solving.py", "test_exact test_solutions test_loops"),
    "exact": part(
        "exact.py _graph/search.py",
        "test_exact test_solutions test_same_answers test_refusals test_game_check "
        "test_package",
    ),
    "diagonal": part(
        "diagonal.py _graph/float_sweep.py _graph/variants.py",
        "test_same_answers test_diagonal test_arrays play test_solutions "
        "test_refusals test_package",
    ),
    "play": part("play", "play test_results test_package"),
    "fitting": part("fitting", "fitting"),
    "redblack": part("redblack/_kernels redblack/deck.py", "redblack"),
    "cardrow": part("cardrow/_kernels cardrow/fast.py", "cardrow"),
    "pairs": part(
        "pairs/_kernels pairs/fast.py pairs/forward.py pairs/lookup.py", "pairs"
    ),
}


def files_of(modules: list[str]) -> list[str]:
    """Return the paths of modules and of those in folders, but for those in `ROUGH`."""
    paths = [ROOT / "cardgames_dp" / name for name in modules]
    files = {x for path in paths for x in (path, *path.rglob("*.py")) if x.is_file()}
    return sorted(str(x.relative_to(ROOT)) for x in files if x.name not in ROUGH)


# Changes
# -------


@dataclass(frozen=True)
class Change:
    """One change: a module's path, the line, as it was and as it became, all code."""

    module: str
    line: int
    before: str
    after: str
    code: str

    def __str__(self) -> str:
        return f"{self.module}: {self.before} => {self.after}"


def changes(modules: list[str], size: int, seed: int, lines: range) -> Iterator[Change]:
    """Yield one change at each of so many places of some modules, chosen at random."""
    chance = random.Random(seed)
    places: dict[tuple[str, int, int], list[tuple[str, int]]] = {}
    for module in modules:
        code = (ROOT / module).read_text(encoding="utf-8")
        nodes = [*ast_nodes(get_ast(code))]
        for name in sorted(operator_names()):
            operator = get_operator(name)
            if operator.arguments() or name.endswith("NoOp"):
                continue
            positions = operator().mutation_positions
            starts = (start for node in nodes for start, _ in positions(node))
            for occurrence, (line, column) in enumerate(starts):
                if line in lines:
                    place = places.setdefault((module, line, column), [])
                    place.append((name, occurrence))
    for (module, _, _), ways in chance.sample(sorted(places.items()), len(places)):
        if not size:
            return
        change = made(module, *chance.choice(ways))
        if change:
            size -= 1
            yield change


def made(module: str, name: str, occurrence: int) -> Change | None:
    """Return a change, if code results that means something else to Python."""
    code = (ROOT / module).read_text(encoding="utf-8")
    changed = mutate_code(code, get_operator(name)(), occurrence)
    if changed is None or meaning(changed) in {None, meaning(code)}:
        return None
    if changed.count("@overload") < code.count("@overload"):
        return None
    pairs = zip(code.splitlines(), changed.splitlines(), strict=False)
    line, (before, after) = next(
        (line, pair) for line, pair in enumerate(pairs, 1) if pair[0] != pair[1]
    )
    if "TYPE_CHECKING" in before:  # which only a type checker reads
        return None
    return Change(module, line, before.strip(), after.strip(), changed)


def meaning(code: str) -> str | None:
    """Return what Python reads in code, without what only states that something holds.

    That is annotations and overloads, assertions, ``strict`` where lengths are known to
    agree, and ``slots``, which only save memory.
    """
    try:
        tree = ast.parse(code)
    except SyntaxError:
        return None
    for node in ast.walk(tree):
        for name in ("annotation", "returns"):
            if getattr(node, name, None):
                setattr(node, name, ast.Constant(None))
        if isinstance(node, ast.Assert):
            node.test = ast.Constant(True)
        if isinstance(node, ast.FunctionDef) and any(
            isinstance(by, ast.Name) and by.id == "overload"
            for by in node.decorator_list
        ):
            node.args = ast.arguments([], [], None, [], [], None, [])
        if isinstance(node, ast.Call):
            node.keywords = [
                word for word in node.keywords if word.arg not in {"strict", "slots"}
            ]
    return ast.dump(tree)


def statement(code: str, line: int) -> range:
    """Return the lines of the innermost statement in which a line stands."""
    lines = range(line, line + 1)
    for node in ast.walk(ast.parse(code)):  # what is within others comes later
        if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or 0):
            lines = range(node.lineno, (node.end_lineno or 0) + 1)
    return lines


# Tests that run a line
# ---------------------


def costs_of(change: Change) -> dict[str, float] | None:
    """Return the tests that run what is changed, and the seconds that each takes.

    Nothing is known if the tool `coverage` has not run since the code was changed.
    """
    left, files = ROOT / ".coverage", (ROOT / "cardgames_dp").rglob("*.py")
    youngest = max(file.stat().st_mtime for file in files)
    if not left.exists() or left.stat().st_mtime < youngest:
        return None
    data = CoverageData(str(left))
    data.read()
    paths = [path for path in data.measured_files() if path.endswith(change.module)]
    contexts = data.contexts_by_lineno(paths[0]) if paths else {}
    lines = statement(change.code, change.line)
    running = tests(name for line in lines for name in contexts.get(line, []))
    # What runs at import is no test's.
    running = running or tests(name for line in contexts.values() for name in line)
    seconds = {
        f"{case.get('classname')}.{case.get('name')}": float(case.get("time", 0))
        for case in ET.parse(ROOT / ".coverage.xml").iter("testcase")
    }
    return {test: seconds.get(case_of(test), 0.0) for test in running}


def case_of(test: str) -> str:
    """Return what pytest calls a test in XML."""
    path, bracket, parameters = test.partition("[")
    path = path.replace(".py::", ".").replace("::", ".").replace("/", ".")
    return path + bracket + parameters


def tests(contexts: Iterable[str]) -> set[str]:
    """Return the tests of contexts: ``test|phase``, with xdist ``test@group|phase``."""
    result = {context.rpartition("|")[0] for context in contexts} - {""}
    return result | {test.rpartition("@")[0] for test in result if "@" in test}


# Trials
# ------

LOADED = ("matplotlib", "mpmath", "numpy", "pandas", "scipy.stats")
"""Packages that are loaded once, before the forks."""

MOST_BYTES = 4 * 2**30
"""The address space of a process that runs tests."""

MOST_SECONDS = 1800
"""After these, a process that hardly computes waits for something for ever."""


@dataclass(eq=False)
class Trial:
    """A plugin of pytest that runs the tests for changed code until one fails.

    `costs` are the tests to run and the seconds that they take, if a record tells; a
    fork must not read the record, as Coverage then begins its file anew. `why` is what
    noticed the change; `count`, how many tests there were. `without` are tests that
    fail as things are, such as those of memory here.
    """

    change: Change
    costs: dict[str, float] | None
    limit: float
    without: set[str]
    why: str = ""
    count: int = 0
    began: float = field(default_factory=time.process_time)

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Keep the tests to run, those that cost little first."""
        items[:] = [item for item in items if item.nodeid not in self.without]
        if self.costs is None:
            stem = Path(self.change.module).stem.strip("_")
            items.sort(key=lambda item: stem not in item.path.stem)
            items.sort(key=lambda item: item.get_closest_marker("slow") is not None)
        else:
            costs = self.costs
            items[:] = [item for item in items if item.nodeid in costs]
            items.sort(key=lambda item: costs[item.nodeid])
        self.count, self.began = len(items), time.process_time()

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Tell of a module that cannot be imported."""
        if report.failed:
            self.why = f"at import: {report.longreprtext.splitlines()[-1]}"

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Tell of a test that fails."""
        if report.failed:
            self.why = f"{report.nodeid}: {report.longreprtext.splitlines()[-1]}"

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> None:
        """End when the time is over."""
        if time.process_time() - self.began > self.limit:
            item.session.shouldstop = "the time is over"

    def run(self, tests: Iterable[str]) -> str:
        """Import the code as it is changed, and run tests; return the outcome."""
        most = int(2 * self.limit) + 60
        resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
        resource.setrlimit(resource.RLIMIT_CPU, (most, most))
        silent, usual = os.open(os.devnull, os.O_WRONLY), SourceFileLoader.get_code
        os.dup2(silent, 1)
        os.dup2(silent, 2)

        def get_code(loader: SourceFileLoader, name: str) -> Any:
            if loader.path == str(ROOT / self.change.module):
                return compile(self.change.code, loader.path, "exec", dont_inherit=True)
            return usual(loader, name)

        SourceFileLoader.get_code = get_code  # type: ignore[assignment, method-assign]
        options = ["-x", "-qq", "-s", "--no-showlocals", "-p", "no:cacheprovider"]
        pytest.main([*options, *tests], plugins=[self])
        return f"{self.count}\n{self.why}"


def outcome(trial: Trial, tests: Iterable[str]) -> tuple[int, str]:
    """Try a change in a fork; return the number of tests, and what noticed it."""
    with tempfile.TemporaryFile("w+", encoding="utf-8") as report:
        process = os.fork()
        if not process:
            try:
                report.write(trial.run(tests))
            except BaseException:
                report.write(traceback.format_exc())
            finally:
                report.flush()
                os._exit(0)
        end = time.monotonic() + MOST_SECONDS
        try:
            ended = os.WEXITED | os.WNOHANG | os.WNOWAIT
            while not os.waitid(os.P_PID, process, ended) and time.monotonic() < end:
                time.sleep(0.01)
        finally:
            os.kill(process, 9)
        if os.waitpid(process, 0)[1]:
            return 0, "ended the process, or took too long"
        report.seek(0)
        count, _, why = (said := report.read()).partition("\n")
        if not count.isdecimal():
            sys.exit(f"a fault of the tool itself:\n{said}")
        return int(count), why


def run(name: str, given: argparse.Namespace) -> bool:
    """Try the changes of a part; return whether enough of them were noticed."""
    file, _, line = name.partition(":")
    modules, tests = PARTS.get(name) or ([file], [])
    lines = range(int(line), int(line) + 1) if line else range(10**9)
    recorded = not given.tests and name != "quick"
    os.environ["OMP_NUM_THREADS"] = "1"
    for package in LOADED:
        importlib.import_module(package)
    fates, survivors = Counter[str](), SURVIVORS.read_text(encoding="utf-8")
    sound, broken = set[str](), set[str]()
    tests = given.tests or tests
    for change in changes(files_of(modules), given.sample, given.seed, lines):
        started, count, fate, why = time.monotonic(), 0, "idle", ""
        if f"\n{change} # " not in survivors:
            costs = costs_of(change) if recorded else None
            trial = Trial(change, costs, given.limit, broken)
            while True:
                count, why = outcome(trial, tests)
                test = why.partition(": ")[0]
                if not why or test in sound:
                    break
                files = [test.partition("::")[0]] if "::" in why else tests
                plain = replace(change, code=(ROOT / change.module).read_text("utf-8"))
                alone = replace(trial, change=plain, costs={test: 0.0})
                if not outcome(alone, files)[1]:
                    sound.add(test)
                    break
                if "::" not in why:
                    sys.exit(f"fails as things are: {why}")
                print(f"left out, as it fails as things are: {test}", flush=True)
                broken.add(test)
            fate = "noticed" if why else "SURVIVED"
        fates[fate] += 1
        seconds = time.monotonic() - started
        print(f"{fate:8} {seconds:5.1f} s  {change.line}  {change}", flush=True)
        print(f"{'':18} {why or f'{count} tests'}", flush=True)
    tried = fates.total() - fates["idle"]
    print(f"{name}: {fates['noticed']} of {tried} changes noticed; ", end="")
    print(f"{fates['idle']} more are explained", flush=True)
    return fates["noticed"] >= ENOUGH * tried


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
