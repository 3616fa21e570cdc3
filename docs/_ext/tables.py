"""Tables of the pages: computed by examples, kept in docs/tables, held against a run.

The pages include the files in ``docs/tables``. ``python docs/_ext/tables.py`` runs the
examples side by side: a figure that differs from the kept one is an error. Figures that
were *measured* are not compared: those of the programs in `MEASURED`, which are not
even run, and columns whose heading says so.

With ``--write`` it runs the examples one after the other, or those that are named, and
writes their tables anew, and what they print where that is kept.
"""

from __future__ import annotations

import argparse
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

DOCS = Path(__file__).parents[1]
EXAMPLES = DOCS.parent / "examples"
KEPT = DOCS / "tables"
"""The tables, and what the examples print if a page shows it: files of the project."""

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


def run_examples(folder: Path) -> None:
    """Run the examples that do not measure in a folder, side by side."""
    scripts = [path for path in sorted(EXAMPLES.glob("*.py")) if not is_measured(path)]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(run_example, scripts, [folder] * len(scripts)))


def is_measured(file: Path) -> bool:
    """Tell whether a file is an example that measures, or comes from one."""
    return file.name.startswith(MEASURED)


def compare(folder: Path) -> Iterator[str]:
    """Yield what is wrong with the files in `KEPT`, by those that are in a folder."""
    for kept in sorted(KEPT.iterdir()):
        made = folder / kept.name
        if is_measured(kept):
            continue
        if not made.exists():
            yield f"{kept.name}: no example makes it"
            continue
        for difference in differences(
            kept.read_text("utf-8"), made.read_text("utf-8"), kept.suffix
        ):
            yield f"{kept.name}: {difference}"
    for made in sorted(folder.glob("*.csv")):
        if not (KEPT / made.name).exists():
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


def main() -> None:
    """Compare all tables, or write some anew."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--write", nargs="*", metavar="NAME", help="of examples; all if none is named"
    )
    arguments = parser.parse_args()
    if arguments.write is not None:
        renew(arguments.write)
        return
    with tempfile.TemporaryDirectory() as folder:
        run_examples(Path(folder))
        found = list(compare(Path(folder)))
    taken = os.times()
    seconds = taken.children_user + taken.children_system
    print(f"The examples took {seconds:.0f} seconds of a processor.")
    sys.exit("\n".join([f"docs/tables/{each}" for each in found]) or 0)


if __name__ == "__main__":
    main()
