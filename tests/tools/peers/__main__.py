"""Run every program on every task and size, and write the tables of the comparison.

``python -m tests.tools peers``; about a quarter of an hour on
an idle machine. Each measurement has a process of its own, with limits of time and
memory; times are those of a processor, means of all runs that half a second holds,
after a small task that loads and compiles what there is to. Programs that do not run
are rows as well. ``MOST_SECONDS`` in the environment sets another limit of time.
"""

from __future__ import annotations

import argparse
import ast
import json
import math
import os
import platform
import re
import resource
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from .. import fresh

HERE = Path(__file__).parent

SIZES = {
    "redblack": (26, 100, 300, 1000),
    "row": (10, 100, 1000, 10_000),
    "pairs": (4, 8, 16, 31),
}
"""Cards of each colour; cards in the row; points that lose."""

LETTER = {"redblack": "l", "row": "n", "pairs": "target"}
"""What the pages call these sizes."""

SIMPLEST = {"redblack": 2, "row": 6, "pairs": 2}
"""Where the search for the largest size begins if none of the above is possible."""

REFERENCE = {"redblack": "redblack_own_exact", "row": "row_own", "pairs": "pairs_own"}
"""The programs whose values the others must find."""

MOST_SECONDS = float(os.environ.get("MOST_SECONDS", "60"))
MOST_BYTES = 6 * 2**30
LARGEST = 10**10
"""Where a search ends in any case."""


@dataclass
class Program:
    """A program, and what was measured with it, by size."""

    name: str
    about: tuple[str, str, str]
    found: dict[int, dict[str, float]] = field(default_factory=dict)
    problem: str = ""


def programs(task: str) -> list[Program]:
    """Return the programs for a task, this library's own last."""
    found = []
    for path in sorted(HERE.glob(f"{task}_*.py"), key=lambda path: path.stem):
        (about,) = re.findall(r"^ABOUT = (\(.*\))$", path.read_text("utf-8"), re.M)
        found.append(Program(path.stem, ast.literal_eval(about)))
    return sorted(found, key=lambda program: program.about[1] == "cardgames_dp")


def lines(name: str) -> int:
    """Return the lines of code of a program, and of those beside it that it uses."""
    tree = ast.parse((HERE / f"{name}.py").read_text("utf-8"))
    used, used_here = set[int](), 0
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.level:
            modules = [node.module] if node.module else [x.name for x in node.names]
            used_here += sum(map(lines, modules))
        text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if isinstance(node, (ast.stmt, ast.expr)) and not text:
            used |= {node.lineno, node.end_lineno or 0}
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            used -= set(range(node.lineno, (node.end_lineno or 0) + 1))
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            inside = node.value.strip().count("\n")
            used |= set(range(node.lineno, node.lineno + inside)) if inside else set()
    docstring = tree.body[0]
    used -= set(range(docstring.lineno, (docstring.end_lineno or 0) + 1))
    return len(used) + used_here - 1  # but for ABOUT


def limits() -> None:
    """Bound time and memory of a process that is to be started."""
    most = int(MOST_SECONDS) + 30  # for imports, and the small task before
    resource.setrlimit(resource.RLIMIT_CPU, (most, most))
    resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))


def run(program: Program, size: int) -> bool:
    """Measure a program at a size; tell whether it was done in time."""
    try:
        done = fresh.run(
            *("-m", "tests.tools.peers.measure", program.name, str(size)),
            preexec_fn=limits,
            stderr=subprocess.PIPE,
            timeout=10 * MOST_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        program.problem = "too long"
        return False
    line = done.stdout.strip().rpartition("\n")[2]
    if not line.startswith("{"):
        program.problem = reason(done.stderr)
        print(f"{program.name:<24} {size:>12,}  {program.problem}", flush=True)
        return False
    measured = json.loads(line)
    seconds = measured["seconds"]
    print(f"{program.name:<24} {size:>12,}  {seconds:.4g} s", flush=True)
    if seconds <= MOST_SECONDS:
        program.found[size] = measured
    else:
        program.problem = "too long"
    return bool(seconds <= MOST_SECONDS)


def reason(errors: str) -> str:
    """Return in a few words why a program did not come to its end."""
    last = errors.strip().rpartition("\n")[2]
    if re.search(r"MemoryError|bad_alloc|allocate|Cannot allocate", errors):
        return "out of memory"
    if "TooLargeError" in last:
        return "too large"
    missing = re.search(r"No module named '(\w+)", last)
    if missing:
        return "not installed"
    return last[:60] if re.match(r"[\w.]+(Error|Exception)", last) else "too long"


def search(program: Program, task: str) -> None:
    """Measure at all sizes, then double the largest as long as a minute suffices."""
    for size in SIZES[task]:
        if not run(program, size):
            break
    problem = program.problem
    size = max(program.found, default=SIMPLEST[task] // 2)
    while 2 * size <= LARGEST and foreseen(program, 2 * size) <= 1.5 * MOST_SECONDS:
        size *= 2
        if not run(program, size):
            break
    program.problem = problem or program.problem


def foreseen(program: Program, size: int) -> float:
    """Return how long a size should take, by the growth between the two largest."""
    known = sorted(program.found)[-2:]
    if len(known) < 2:
        return 0.0
    (a, s), (b, t) = ((n, program.found[n]["seconds"]) for n in known)
    power = max(math.log(t / max(s, 1e-9)) / math.log(b / a), 0.5)
    return float(t * (size / b) ** power)


def time_of(seconds: float) -> str:
    """Return a time with two digits and its unit."""
    for unit, length in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= 0.1 * length:
            return f"{float(f'{seconds / length:.2g}'):g} {unit}"
    return f"{float(f'{seconds / 1e-6:.2g}'):g} µs"


def megabytes(program: Program, sizes: Iterable[int]) -> str:
    """Return the memory of the largest of some sizes that was done, and that size."""
    done = [size for size in sizes if size in program.found]
    if not done:
        return ""
    held = program.found[done[-1]]["bytes"] / 2**20
    return (
        f"{held:,.0f} MiB at {done[-1]:,}" if held >= 1 else f"little at {done[-1]:,}"
    )


def table(task: str, ran: list[Program]) -> list[list[str]]:
    """Return a row for each program: kind, times, memory, largest size, lines."""
    sizes = SIZES[task]
    exact = next(program for program in ran if program.name == REFERENCE[task])
    head = ["program", "kind", *[f"{LETTER[task]} = {size:,}" for size in sizes]]
    limit = f"largest {LETTER[task]} in {MOST_SECONDS:g} s"
    rows = [[*head, "memory", limit, "lines"]]
    for program in ran:
        cells: list[str] = []
        for size in sizes:
            measured = program.found.get(size)
            if measured is None:
                cells.append("" if cells and not cells[-1] else program.problem)
                continue
            cell = time_of(measured["seconds"])
            if measured["solving"] < 0.8 * measured["seconds"]:
                cell += f" ({time_of(measured['solving'])})"
            ours = exact.found.get(size)
            if ours and not math.isclose(
                measured["value"], ours["value"], rel_tol=1e-9, abs_tol=1e-9
            ):
                cell += f", but {measured['value']:.6g}"
            cells.append(cell)
        largest = f"{max(program.found):,}" if program.found else "none"
        kept = [megabytes(program, sizes), largest, str(lines(program.name))]
        rows.append([program.about[0], program.about[2], *cells, *kept])
    return rows


def installed(package: str) -> str:
    """Return the version of a package, or that there is none."""
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def versions() -> str:
    """Return a line on what the measurements depend on."""
    packages = {program.about[1] for task in SIZES for program in programs(task)}
    named = sorted(packages - {"python", "cardgames_dp"}, key=str.lower)
    listed = ", ".join([f"{name} {installed(name)}" for name in named])
    python = platform.python_version()
    machine = f"{os.cpu_count()} processors, Python {python}"
    time = f"Each program had {MOST_SECONDS:g} s for each size."
    return f"Measured with {machine}, {listed}. {time}\n"


def main() -> None:
    """Run all and write the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tasks", nargs="*", help="not all, but these: row ...")
    tasks = parser.parse_args().tasks or SIZES
    file = fresh.ROOT / "docs" / "tables" / "comparison_versions.txt"
    file.write_text(versions(), encoding="utf-8")
    for task in tasks:
        ran = programs(task)
        for program in ran:
            search(program, task)
        fresh.keep(f"comparison_{task}", table(task, ran))


if __name__ == "__main__":
    main()
