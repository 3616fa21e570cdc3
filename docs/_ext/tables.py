"""Tables of the pages: computed by examples, kept in docs/tables, held against a run.

A build runs the examples and compares what they compute with the files in
``docs/tables``, which the pages include: a figure that differs is a warning, hence an
error of the build. Figures that were *measured* are not compared: those of the programs
in `MEASURED`, which a build does not even run, and columns whose heading says so.

``python docs/_ext/tables.py`` runs the examples one after the other, or those that are
named, and writes their tables anew, and what they print where that is kept.
"""

from __future__ import annotations

import csv
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.util.typing import ExtensionMetadata

DOCS = Path(__file__).parents[1]
EXAMPLES = DOCS.parent / "examples"
PACKAGE = DOCS.parent / "cardgames_dp"
KEPT = DOCS / "tables"
"""The tables, and what the examples print if a page shows it: files of the project."""
OUTPUT = DOCS / "_output"
"""What the examples print, their tables and pictures, as the build has made them."""

MEASURED = ("accuracy", "algorithm_ladder", "comparison", "memory", "speed")
"""Examples and sessions that tell what was measured on one machine on one day."""

NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?")


def run_example(script: Path, folder: Path) -> None:
    """Run an example in a folder, and put what it prints there as well."""
    done = subprocess.run(
        [sys.executable, str(script)],
        cwd=folder,
        env={**os.environ, "MPLBACKEND": "Agg"},
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    (folder / f"{script.stem}.txt").write_text(done.stdout, encoding="utf-8")


def run_examples() -> None:
    """Run the examples anew that have changed, or all if the package has."""
    OUTPUT.mkdir(exist_ok=True)
    changed = max([path.stat().st_mtime for path in PACKAGE.rglob("*.py")])
    old = []
    for script in sorted(EXAMPLES.glob("*.py")):
        printed = OUTPUT / f"{script.stem}.txt"
        fresh = printed.exists() and printed.stat().st_mtime > max(
            changed, script.stat().st_mtime
        )
        if script.stem not in MEASURED and not fresh:
            old.append(script)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(run_example, old, [OUTPUT] * len(old)))


def is_measured(name: str) -> bool:
    """Tell whether a file of `KEPT` comes from an example that measures."""
    return name.startswith(MEASURED)


def compare() -> Iterator[str]:
    """Yield what is wrong with the files in `KEPT`, by what the examples compute."""
    for kept in sorted(KEPT.iterdir()):
        made = OUTPUT / kept.name
        if is_measured(kept.name):
            continue
        if not made.exists():
            yield f"{kept.name}: no example makes it"
            continue
        for difference in differences(
            kept.read_text("utf-8"), made.read_text("utf-8"), kept.suffix
        ):
            yield f"{kept.name}: {difference}"
    for made in sorted(OUTPUT.glob("*.csv")):
        if not is_measured(made.name) and not (KEPT / made.name).exists():
            yield f"{made.name}: computed, but not kept"


def differences(kept: str, made: str, suffix: str) -> Iterator[str]:
    """Yield the lines or rows that differ by more than a unit of the last digit."""
    old, new = (
        rows(text) if suffix == ".csv" else [line.split() for line in text.splitlines()]
        for text in (kept, made)
    )
    if len(old) != len(new):
        yield f"{len(old)} rows, where {len(new)} are computed"
    for before, now in zip(old, new, strict=False):
        if len(before) != len(now) or not all(map(agree, before, now)):
            yield f"has {' '.join(before)!r}, where {' '.join(now)!r} is computed"


def rows(text: str) -> list[list[str]]:
    """Return the cells of a table, without the columns that are measured."""
    table = list(csv.reader(StringIO(text)))
    computed = [i for i, name in enumerate(table[0]) if "measured" not in name]
    return [[row[i] for i in computed] for row in table]


def agree(kept: str, made: str) -> bool:
    """Tell whether two cells say the same, but for a unit of a number's last digit.

    Only decimals have such a digit: an integer or a fraction is what it is.
    """
    if NUMBER.split(kept) != NUMBER.split(made):
        return False
    return all(map(_close, NUMBER.findall(kept), NUMBER.findall(made)))


def _close(kept: str, made: str) -> bool:
    """Tell whether two numbers, printed in the same way, differ by a unit at most."""
    if "." not in kept + made and "e" not in kept + made:
        return kept == made
    before, now = (Decimal(number.replace(",", "")) for number in (kept, made))
    unit = Decimal(1).scaleb(int(before.as_tuple().exponent))
    return before.same_quantum(now) and abs(before - now) <= unit


def renew(names: list[str]) -> None:
    """Write the tables of some examples anew, or of all of them."""
    KEPT.mkdir(exist_ok=True)
    for script in sorted(EXAMPLES.glob("*.py")):
        if names and script.stem not in names:
            continue
        with tempfile.TemporaryDirectory() as folder:
            run_example(script, Path(folder))
            for made in sorted(Path(folder).iterdir()):
                if made.suffix == ".csv" or (KEPT / made.name).exists():
                    shutil.copy(made, KEPT)
                    print(made.name)


def setup(app: Sphinx) -> ExtensionMetadata:
    """Have the examples run, and the tables compared, before the pages are read."""
    from sphinx.util import logging

    def check(_: Sphinx) -> None:
        run_examples()
        for difference in compare():
            logging.getLogger(__name__).warning("docs/tables/%s", difference)

    app.connect("builder-inited", check)
    return {"parallel_read_safe": True}


if __name__ == "__main__":
    renew(sys.argv[1:])
