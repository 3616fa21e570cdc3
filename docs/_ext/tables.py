"""What pages show of examples: tables and printed lines, held against a run.

The pages include the tables in ``docs/tables``, and show what a program prints in a
block of their own, after its command. ``python docs/_ext/tables.py`` runs the examples
side by side: a figure that differs from the kept one is an error. Figures that were
*measured* are not compared: those of the programs in `MEASURED`, which are not even
run, and columns whose heading says so.

With ``--write`` it runs the examples one after the other, or those that are named, and
writes their tables anew, and the printed lines on the pages.
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
from itertools import repeat
from pathlib import Path
from textwrap import dedent, indent

DOCS = Path(__file__).parents[1]
EXAMPLES = DOCS.parent / "examples"
KEPT = DOCS / "tables"
"""The tables: files of the project."""

MEASURED = ("accuracy", "algorithm_ladder", "comparison", "speed")
"""Examples and sessions that tell what was measured on one machine on one day."""

ELSEWHERE = ("classics/tic_tac_toe.py",)
"""Examples that need OpenSpiel, which the session interop runs and compares."""

PRINTED = re.compile(
    r"(?<=\.\. code-block:: console\n\n)"
    r"   \$ python3 examples/(?P<command>\S+\.py.*)\n\n?"
    r"(?P<lines>(?:   (?!\$).*\n|\n(?=   ))+)"
)
"""A block of a page with the command of an example, and what it prints."""

NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?")


def run(command: str, folder: Path) -> str:
    """Run an example in a folder, and return what it prints."""
    name, *arguments = command.split()
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / name), *arguments],
        cwd=folder,
        env={**os.environ, "MPLBACKEND": "Agg"},
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    return done.stdout


def commands() -> list[str]:
    """Return how the examples are run that do not measure: each alone, as on pages."""
    scripts = [path.name for path in EXAMPLES.glob("*.py") if not is_measured(path)]
    texts = [page.read_text("utf-8") for page in pages()]
    shown = [block["command"] for text in texts for block in PRINTED.finditer(text)]
    shown = [each for each in shown if not is_measured(Path(each))]
    return sorted({*scripts, *shown} - {*ELSEWHERE})


def pages() -> list[Path]:
    """Return the pages."""
    return [page for page in sorted(DOCS.rglob("*.rst")) if "_output" not in page.parts]


def is_measured(file: Path) -> bool:
    """Tell whether a file is an example that measures, or comes from one."""
    return file.name.startswith(MEASURED)


def compare(folder: Path, printed: dict[str, str]) -> Iterator[str]:
    """Yield what is wrong with tables and pages, by what examples made and printed."""
    for page in pages():
        for block in PRINTED.finditer(page.read_text("utf-8")):
            if block["command"] not in printed:
                continue  # it measures, or is run elsewhere
            shown, lines = dedent(block["lines"]), printed[block["command"]]
            for difference in differences(shown, lines, page.suffix):
                yield f"{page.name}: {block['command']}: {difference}"
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
    """Write what some examples make anew, or all of them."""
    KEPT.mkdir(exist_ok=True)
    measured = [path.name for path in EXAMPLES.glob("*.py") if is_measured(path)]
    printed = {}
    for command in [*commands(), *measured]:
        if names and Path(command.split()[0]).stem not in names:
            continue
        with tempfile.TemporaryDirectory() as folder:
            printed[command] = run(command, Path(folder))
            for made in sorted(Path(folder).iterdir()):
                if made.suffix == ".csv" or (KEPT / made.name).exists():
                    shutil.copy(made, KEPT)
                    print(made.name)
    for page in pages():
        before = page.read_text("utf-8")
        after = PRINTED.sub(lambda block: renewed(block, printed), before)
        if after != before:
            page.write_text(after, encoding="utf-8")
            print(page.name)


def renewed(block: re.Match[str], printed: dict[str, str]) -> str:
    """Return a block of a page with what its command has printed now, if it was run."""
    if block["command"] not in printed:
        return block[0]
    text = f"$ python3 examples/{block['command']}\n\n{printed[block['command']]}"
    return indent(text.rstrip() + "\n", "   ")


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
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            lines = pool.map(run, commands(), repeat(Path(folder)))
        printed = dict(zip(commands(), lines, strict=True))
        found = list(compare(Path(folder), printed))
    taken = os.times()
    seconds = taken.children_user + taken.children_system
    print(f"The examples took {seconds:.0f} seconds of a processor.")
    sys.exit("\n".join(found) or 0)


if __name__ == "__main__":
    main()
