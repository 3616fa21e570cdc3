"""Build and solve one task once by one program; print a line of JSON.

``python -m tests.tools.peers.measure redblack_numpy 26``, in a process of its own,
so that memory is that of the one program.
"""

from __future__ import annotations

import importlib
import json
import sys
import threading
import time
from typing import Any

from ..fresh import kilobytes

RUNS = 1000
ENOUGH = 0.5  # seconds; what has taken them is not run again
WARM = 10  # seconds; what takes less has a run before, as new memory is slow to come


def timed(program: Any, size: int) -> tuple[tuple[float, float], Any]:
    """Return how long it took to build and to solve, and the value."""
    began = time.process_time()
    model = program.build(size)
    built = time.process_time()
    value = program.solve(model)
    return (built - began, time.process_time() - built), value


def main() -> None:
    """Measure and print."""
    name, size = sys.argv[1], int(sys.argv[2])
    program = importlib.import_module(f"{__package__}.{name}")
    program.solve(program.build(3))  # what is compiled or loaded is so now
    before = kilobytes()
    run, value = timed(program, size)
    held = kilobytes() - before
    runs = [run] if sum(run) > WARM else []
    while not runs or (len(runs) < RUNS and sum(map(sum, runs)) < ENOUGH):
        run, value = timed(program, size)
        runs.append(run)
    found = {
        "value": float(value),
        "text": str(value)[:40],
        # A mean, as the clock of some machines ticks a hundred times a second only.
        "seconds": sum(map(sum, runs)) / len(runs),
        "solving": sum(run[1] for run in runs) / len(runs),
        "bytes": 1024 * held,
    }
    print(json.dumps(found))


if __name__ == "__main__":
    # Recursions are deep: a thread may have a stack of its own size.
    threading.stack_size(2**30)
    thread = threading.Thread(target=main)
    thread.start()
    thread.join()
