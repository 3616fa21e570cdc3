"""The tests that run a line of code, as a run of them all under coverage has found."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from xml.etree import ElementTree as ET

from coverage import CoverageData

FIRST = 10.0
"""Seconds of the quickest tests, which run first, as they notice most changes."""


@dataclass(frozen=True)
class Tests:
    """What the session `coverage` has left: which lines a test runs, and how long."""

    data: CoverageData
    seconds: dict[str, float]

    @classmethod
    def read(cls, folder: Path) -> Tests:
        """Read the two files in which the session leaves this."""
        data = CoverageData(str(folder / ".coverage"))
        data.read()
        seconds = {}
        for case in ET.parse(folder / ".coverage.xml").iter("testcase"):
            if not len(case):  # neither failed nor skipped
                name = f"{case.get('classname')}.{case.get('name')}"
                seconds[name] = float(case.get("time", 0))
        return cls(data, seconds)

    def running(self, module: str, lines: Iterable[int]) -> set[str]:
        """Return the tests that run one of the lines, else all that run the module."""
        file = next(
            (path for path in self.data.measured_files() if path.endswith(module)), None
        )
        if file is None:
            return set()
        contexts = self.data.contexts_by_lineno(file)
        found = {test for line in lines for test in self.named(contexts.get(line, []))}
        # What runs at import is no test's.
        return found or {
            test for line in contexts.values() for test in self.named(line)
        }

    def named(self, contexts: Iterable[str]) -> Iterator[str]:
        """Yield the tests of contexts, without phases and the names of groups."""
        for context in contexts:
            test = context.rpartition("|")[0]
            if key(test) not in self.seconds:
                test = test.rpartition("@")[0]
            if key(test) in self.seconds:
                yield test

    def batches(
        self, tests: Iterable[str], own: tuple[str, ...], most: float
    ) -> Iterator[tuple[float, list[str]]]:
        """Yield seconds and tests: some quick ones first, then others as time allows.

        Tests of the part itself precede those of others.
        """
        ordered = sorted(
            tests,
            key=lambda test: (not test.startswith(own), self.seconds[key(test)], test),
        )
        ends = list(accumulate(self.seconds[key(test)] for test in ordered))
        first = sum(end <= FIRST for end in ends) or min(1, len(ends))
        last = max(first, sum(end <= most for end in ends))
        for low, high in ((0, first), (first, last)):
            if low < high:
                start = ends[low - 1] if low else 0.0
                yield ends[high - 1] - start, ordered[low:high]


def key(test: str) -> str:
    """Return a test's name as a report in JUnit's form has it."""
    path, bracket, parameters = test.partition("[")
    path = path.replace(".py::", ".").replace("::", ".").replace("/", ".")
    return path + bracket + parameters
