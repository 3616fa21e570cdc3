"""Build and solve one task once by one program; print a line of JSON.

``python -m tests.benchmarks.peers.measure redblack_numpy 26``, in a process of its own,
so that memory is that of the one program.
"""

from __future__ import annotations

import importlib
import json
import resource
import sys
import threading
import time
from typing import Any

RUNS = 1000
ENOUGH = 0.5  # seconds; what has taken them is not run again


def kilobytes() -> int:
    """Return the most memory that this process has held so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def main() -> None:
    """Measure and print."""
    name, size = sys.argv[1], int(sys.argv[2])
    program = importlib.import_module(f"{__package__}.{name}")
    program.solve(program.build(3))  # what is compiled or loaded is so now
    before = kilobytes()
    runs: list[tuple[float, float]] = []
    value: Any = None
    while len(runs) < RUNS and sum(map(sum, runs)) < ENOUGH:
        began = time.process_time()
        model = program.build(size)
        built = time.process_time()
        value = program.solve(model)
        runs.append((built - began, time.process_time() - built))
    found = {
        "value": float(value),
        "text": str(value)[:40],
        # A mean, as the clock of some machines ticks a hundred times a second only.
        "seconds": sum(map(sum, runs)) / len(runs),
        "solving": sum(run[1] for run in runs) / len(runs),
        "bytes": 1024 * (kilobytes() - before),
    }
    print(json.dumps(found))


if __name__ == "__main__":
    # Recursions are deep: a thread may have a stack of its own size.
    threading.stack_size(2**30)
    thread = threading.Thread(target=main)
    thread.start()
    thread.join()
