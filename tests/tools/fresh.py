"""A process of its own for each measurement, and the tables that pages show."""

from __future__ import annotations

import csv
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
ONE_THREAD = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"
)


def run(
    *words: str, check: bool = True, **options: Any
) -> subprocess.CompletedProcess[str]:
    """Run Python with one thread, in the root of the project, and keep its output."""
    usual: dict[str, Any] = {"cwd": ROOT, "stdout": subprocess.PIPE, "text": True}
    options["env"] = {**os.environ, **ONE_THREAD, **options.get("env", {})}
    return subprocess.run([sys.executable, *words], check=check, **usual | options)


def kilobytes() -> int:
    """Return the most memory that this process has held so far, on Linux."""
    # ru_maxrss has the memory of the parent, too, as it was when this process began.
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.partition("VmHWM:")[2].split()[0])


def keep(name: str, rows: Iterable[Iterable[str]]) -> None:
    """Write a table of the documentation."""
    path = ROOT / "docs" / "tables" / f"{name}.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)
