"""Call everything that is public with hostile arguments, in processes with limits.

``python -m tests.tools fuzz --calls 100000 --seed 1`` prints how calls ended, and fails
where one did so otherwise than documented: by another exception, too late, out of
memory, or with the interpreter. ``--only NUMBER`` repeats one call of a seed here and
now.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import json
import os
import resource
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path

import numpy as np

from cardgames_dp._support import running

from .calls import tried
from .targets import Target, harvest

FORK = get_context("fork")
BATCH = 500
"""Calls of one process."""

MEMORY = 2**30
"""What the library is told that this machine has; it may take half of it."""

MOST_BYTES = 3 * 2**30
"""The address space that a process may take beyond that with which it starts."""

WALL = 180
"""Seconds without a sign of life after which a process is killed."""


def limit() -> None:
    """Tell the library of a small machine; have that enforced."""
    running.physical_memory = lambda: MEMORY
    pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[0]
    used = int(pages) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + MOST_BYTES, -1))


def one(targets: list[Target], seed: int, number: int) -> dict[str, object]:
    """Make one call; all about it follows from seed and number."""
    rng = np.random.default_rng([seed, number])
    verdict = tried(targets[int(rng.integers(len(targets)))], rng)
    return {"number": number, **vars(verdict)}


def child(targets: list[Target], seed: int, numbers: range, pipe: Connection) -> None:
    """Make calls; send the number of each before it, and the verdict after it."""
    limit()
    os.chdir(tempfile.mkdtemp(prefix="cardgames_dp-fuzz-"))  # for what calls write
    for number in numbers:
        pipe.send(number)
        pipe.send(one(targets, seed, number))


def batch(
    targets: list[Target], seed: int, numbers: range
) -> Iterator[dict[str, object]]:
    """Yield the verdicts of a process on its calls, the last one on what ended it."""
    reading, writing = FORK.Pipe(duplex=False)
    process = FORK.Process(target=child, args=(targets, seed, numbers, writing))
    process.start()
    writing.close()
    last, why = numbers.start, ""
    with contextlib.suppress(EOFError):
        while reading.poll(WALL):
            got = reading.recv()
            if isinstance(got, dict):
                yield got
            else:
                last = got
        process.kill()
        why = f"silent for {WALL} s"
    process.join()
    if process.exitcode:
        why = why or f"ended the process: {process.exitcode}"
        dead = {"call": "?", "outcome": "dead", "fault": why, "seconds": 0}
        yield {"number": last, **dead}


def main() -> None:
    """Make the calls, print a summary and the faults."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=time.time_ns())
    parser.add_argument("--only", type=int, help="repeat one call")
    parser.add_argument("--modules", nargs="*", help="not all, but these: redblack ...")
    given = parser.parse_args()
    names = given.modules and [f"cardgames_dp.{name}" for name in given.modules]
    targets = harvest(names and [importlib.import_module(name) for name in names])
    print(f"--seed {given.seed}: {len(targets)} callables", flush=True)
    if given.only is not None:
        limit()
        print(*one(targets, given.seed, given.only).items(), sep="\n")
        return
    outcomes: Counter[object] = Counter()
    faults, slowest, number = [], 0.0, 0
    while number < given.calls:
        numbers = range(number, min(number + BATCH, given.calls))
        for verdict in batch(targets, given.seed, numbers):
            outcomes[verdict["outcome"]] += 1
            number = int(str(verdict["number"])) + 1
            slowest = max(slowest, float(str(verdict["seconds"])))
            if verdict["fault"]:
                faults.append(verdict)
                print(json.dumps(verdict), flush=True)
    print(f"{number} calls, the slowest {slowest:.1f} s; they ended so:")
    for outcome, count in outcomes.most_common():
        print(f"{count:>9}  {outcome}")
    if faults:
        sys.exit(f"{len(faults)} calls did not end as documented")


if __name__ == "__main__":
    main()
