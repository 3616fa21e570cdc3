"""Change the code in small ways, and see whether the tests notice.

``python -m tests.mutants --sample 20 --seed 1`` makes so many changes in each part of
the library that `PARTS` names, by Cosmic Ray, in a copy of the project, and runs the
tests of that part for each. It prints the changes that no test has noticed, and fails
if fewer than nine tenths were. A survivor that changes nothing that can be observed
belongs into ``survivors.txt``, with its reason.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
SURVIVORS = Path(__file__).with_name("survivors.txt")
ENOUGH = 0.9


@dataclass(frozen=True)
class Part:
    """Modules, and the tests that should notice when one of them is wrong."""

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

ANNOTATION = re.compile(r"\| None|-> |^ *\w+: ")
"""A line in which a | stands between types, which nothing evaluates."""

CONFIG = """\
[cosmic-ray]
module-path = {modules}
timeout = {timeout}
excluded-modules = ["**/plots.py"]
test-command = {command}
[cosmic-ray.distributor]
name = "local"
"""


def sample(session: Path, size: int, seed: int) -> None:
    """Leave so many of the changes in a session, chosen at random."""
    with closing(sqlite3.connect(session)) as database, database:
        specs = database.execute(
            "SELECT module_path, operator_name, occurrence, start_pos_row, job_id "
            "FROM mutation_specs"
        ).fetchall()
        lines = {
            module: (session.parent / module).read_text("utf-8").splitlines()
            for module in {row[0] for row in specs}
        }
        jobs = [
            job  # in an order of our own, as names of jobs are random
            for module, operator, _, row, job in sorted(specs)
            if "BitOr" not in operator or not ANNOTATION.search(lines[module][row - 1])
        ]
        kept = set(random.Random(seed).sample(jobs, min(size, len(jobs))))
        for job in {row[-1] for row in specs} - kept:
            for table in ("mutation_specs", "work_items"):
                database.execute(f"DELETE FROM {table} WHERE job_id = ?", (job,))


def known() -> set[str]:
    """Return the survivors that are explained: module, line of code, operator."""
    lines = SURVIVORS.read_text(encoding="utf-8").splitlines()
    return {line.partition(" # ")[0] for line in lines if " # " in line}


def run(
    part: Part, copy: Path, size: int, seed: int, timeout: int
) -> tuple[int, list[str]]:
    """Return how many changes were made to a part, and those that nothing noticed."""
    config, session = copy / "mutants.toml", copy / "mutants.sqlite"
    session.unlink(missing_ok=True)
    here = os.environ | {"PYTHONPATH": str(copy), "HYPOTHESIS_PROFILE": "ci"}
    modules = [f"cardgames_dp/{name}" for name in part.modules]
    command = (
        f"{sys.executable} -m pytest -x -q -p no:cacheprovider {' '.join(part.tests)}"
    )
    text = CONFIG.format(
        modules=json.dumps(modules), timeout=timeout, command=json.dumps(command)
    )
    config.write_text(text, encoding="utf-8")
    # Tests that fail without any change would notice every one.
    subprocess.run(command.split(), cwd=copy, env=here, check=True)
    for step in (
        ["init", config.name, session.name],
        ["exec", config.name, session.name],
    ):
        subprocess.run(["cosmic-ray", *step], cwd=copy, env=here, check=True)
        if step[0] == "init":
            sample(session, size, seed)
    dumped = subprocess.run(
        ["cosmic-ray", "dump", session.name],
        cwd=copy,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    return judge([json.loads(line) for line in dumped.splitlines()], copy)


def judge(lines: list[list[Any]], copy: Path) -> tuple[int, list[str]]:
    """Return how many changes were tried, and which of them survived unexplained."""
    tried, alive, explained = 0, [], known()
    for item, result in lines:
        if not result or result["worker_outcome"] != "normal":
            continue
        tried += 1
        if result["test_outcome"] != "survived":
            continue
        (change,) = item["mutations"]
        place = change["start_pos"][0]
        module = str(change["module_path"])
        source = (copy / module).read_text("utf-8").splitlines()[place - 1].strip()
        operator = str(change["operator_name"]).removeprefix("core/")
        name = f"{module}: {operator}: {source}"
        if name not in explained:
            alive.append(f"{name}\n{result['diff']}")
    return tried, alive


def main() -> None:
    """Run the parts that are named, or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sample", type=int, default=40, help="changes of each part")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--timeout", type=int, default=600, help="seconds of one run")
    parser.add_argument("parts", nargs="*", default=[*PARTS])
    given = parser.parse_args()
    few = []
    for name in given.parts:
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder)
            for kept in ("cardgames_dp", "tests", "examples", "docs/tables"):
                shutil.copytree(ROOT / kept, copy / kept)
            for kept in ("pyproject.toml", "README.rst"):
                shutil.copy(ROOT / kept, copy)
            tried, alive = run(
                PARTS[name], copy, given.sample, given.seed, given.timeout
            )
        print(f"{name}: {tried - len(alive)} of {tried} changes noticed", flush=True)
        print(*alive, sep="\n\n", flush=True)
        if tried - len(alive) < ENOUGH * tried:
            few.append(name)
    if few:
        sys.exit(f"too few changes were noticed in {', '.join(few)}")


if __name__ == "__main__":
    main()
