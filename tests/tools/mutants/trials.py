"""A plugin of pytest that runs the tests for changed code, each time in a fork.

Tests are collected once. A process forks for each change, so that nothing of it stays.
"""

from __future__ import annotations

import os
import resource
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pytest
from _pytest.runner import runtestprotocol

from .changes import Change, statement
from .choice import Record
from .grafting import graft

MOST_BYTES = 4 * 2**30
"""The address space of a process that runs tests."""

MOST_SECONDS = 1800
"""After these, a process that hardly computes waits for something for ever."""


class Trials:
    """Try changes, one after the other.

    Parameters
    ----------
    changes : iterable of Change
        What to try.
    explained : set of str
        Those that nothing can notice.
    record : Record, optional
        Which tests run a line. If not given, all are run.
    limit : float
        Seconds of computing that the tests may take for each change.
    """

    def __init__(
        self,
        changes: Iterable[Change],
        explained: set[str],
        record: Record | None,
        limit: float,
    ) -> None:
        self.changes, self.explained = changes, explained
        self.record, self.limit = record, limit
        self.fates: Counter[str] = Counter()
        self.sound: set[str] = set()

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Try all changes."""
        for change in self.changes:
            started = time.monotonic()
            chosen = self.chosen(session.items, change)
            fate, why = "idle", ""
            if str(change) not in self.explained:
                why = outcome(chosen, change, self.limit)
                fate = "noticed" if why else "SURVIVED"
                self.trust(why, chosen)
            self.fates[fate] += 1
            seconds = time.monotonic() - started
            print(f"{fate:8} {seconds:5.1f} s  {change.line}  {change}", flush=True)
            print(f"{'':18} {why or f'{len(chosen)} tests'}", flush=True)
        return True

    def trust(self, why: str, items: list[pytest.Item]) -> None:
        """End here if a test fails without the change that it has noticed."""
        test = why.partition(": ")[0]
        failed = [item for item in items if item.nodeid == test]
        if failed and test not in self.sound and outcome(failed, None, self.limit):
            sys.exit(f"fails as things are: {why}")
        self.sound.add(test)

    def chosen(self, items: list[pytest.Item], change: Change) -> list[pytest.Item]:
        """Return the tests to run, those that cost little first."""
        if self.record is None:
            stem = Path(change.module).stem.strip("_")
            return sorted(
                items,
                key=lambda item: (
                    item.get_closest_marker("slow") is not None,
                    stem not in item.path.stem,
                ),
            )
        lines = statement(change.code, change.line)
        running, duration = (
            self.record.running(change.module, lines),
            self.record.duration,
        )
        return sorted(
            (item for item in items if item.nodeid in running),
            key=lambda item: duration(item.nodeid),
        )


def outcome(items: list[pytest.Item], change: Change | None, limit: float) -> str:
    """Return what noticed a change, or nothing."""
    with tempfile.TemporaryFile("w+", encoding="utf-8") as report:
        process = os.fork()
        if not process:
            why = "a fault of the session itself"
            try:
                why = noticed(items, change, limit)
            except BaseException:
                why = traceback.format_exc()
            finally:
                report.write(why)
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
            return "ended the process, or took too long"
        report.seek(0)
        return report.read()


def noticed(items: list[pytest.Item], change: Change | None, limit: float) -> str:
    """Make a change, and run tests until one fails or the time is over."""
    most = int(2 * limit) + 60
    resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (most, most))
    silent = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silent, 1)
    os.dup2(silent, 2)
    if change:
        try:
            graft(change)
        except Exception as error:
            return f"at import: {error!r}"
    start = time.process_time()
    for item, after in zip(items, [*items[1:], None], strict=True):
        for report in runtestprotocol(item, log=False, nextitem=after):
            if report.failed:
                return f"{item.nodeid}: {report.longreprtext.splitlines()[-1]}"
        if time.process_time() - start > limit:
            break
    return ""
