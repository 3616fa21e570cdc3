"""The tests that run a line of code, as a run of them all under coverage has found."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree as ET

from coverage import CoverageData


@dataclass(frozen=True)
class Record:
    """What the tool `coverage` has left: which lines a test runs, and how long."""

    data: CoverageData
    seconds: dict[str, float]

    @classmethod
    def read(cls, folder: Path) -> Record | None:
        """Read the two files in which the tool leaves this, if the code is older."""
        left = folder / ".coverage"
        files = (folder / "cardgames_dp").rglob("*.py")
        if not left.exists() or left.stat().st_mtime < max(
            file.stat().st_mtime for file in files
        ):
            return None
        data = CoverageData(str(left))
        data.read()
        cases = ET.parse(folder / ".coverage.xml").iter("testcase")
        seconds = {
            f"{case.get('classname')}.{case.get('name')}": float(case.get("time", 0))
            for case in cases
        }
        return cls(data, seconds)

    def running(self, module: str, lines: Iterable[int]) -> set[str]:
        """Return the tests that run one of the lines, else all that run the module."""
        file = next(
            (path for path in self.data.measured_files() if path.endswith(module)), None
        )
        if file is None:
            return set()
        contexts = self.data.contexts_by_lineno(file)
        found = tests(name for line in lines for name in contexts.get(line, []))
        # What runs at import is no test's.
        return found or tests(name for line in contexts.values() for name in line)

    def duration(self, test: str) -> float:
        """Return the seconds that a test took."""
        path, bracket, parameters = test.partition("[")
        path = path.replace(".py::", ".").replace("::", ".").replace("/", ".")
        return self.seconds.get(path + bracket + parameters, 0.0)


def tests(contexts: Iterable[str]) -> set[str]:
    """Return the tests of contexts: ``test|phase``, with xdist ``test@group|phase``."""
    found = {context.rpartition("|")[0] for context in contexts} - {""}
    return found | {test.rpartition("@")[0] for test in found if "@" in test}
