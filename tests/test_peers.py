"""The programs of others beside which the library is measured, and their tables."""

from __future__ import annotations

import csv
import importlib
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.tools import peers

ROOT = Path(__file__).parents[1]
PROGRAMS = {
    path.stem: path.read_text(encoding="utf-8")
    for path in sorted(Path(*peers.__path__).glob("[a-z]*_*.py"))
}
ABOUT = {
    name: re.findall(r'^ABOUT = \("(.*)", "(.*)", "(.*)"\)$', text, re.M)[0]
    for name, text in PROGRAMS.items()
}
OWN = {"redblack": "redblack_own_exact", "row": "row_own", "pairs": "pairs_own"}
HERE = [
    name for name in PROGRAMS if ABOUT[name][1] in {"python", "numpy", "cardgames_dp"}
]
"""Those that need no package of others."""


@pytest.fixture(autouse=True)
def _limit() -> Iterator[None]:
    """Undo what recursive programs set for their process."""
    before = sys.getrecursionlimit()
    yield
    sys.setrecursionlimit(before)


def answer(name: str, size: int) -> Any:
    program = importlib.import_module(f"tests.tools.peers.{name}")
    return program.solve(program.build(size))


@pytest.mark.parametrize("size", [1, 2, 5, 8])
@pytest.mark.parametrize("name", HERE)
def test_programs_find_the_same(name: str, size: int) -> None:
    task = name.partition("_")[0]
    found, expected = answer(name, size), answer(OWN[task], size)
    assert found == pytest.approx(float(expected), rel=1e-12, abs=1e-12)
    if ABOUT[name][2] == ABOUT[OWN[task]][2] == "exact":
        assert found == expected


def test_openspiel_is_told_of_cycles() -> None:
    """Else it walks the tree of all histories, which its users need not do."""
    calls = [
        call
        for text in PROGRAMS.values()
        for call in re.findall(r"value_iteration\.value_iteration\((.*)\)", text)
    ]
    assert len(calls) == 3
    assert all("cyclic_game=True" in call for call in calls)


def table(name: str) -> list[list[str]]:
    file = ROOT / "docs" / "tables" / f"comparison_{name}.csv"
    with file.open(encoding="utf-8", newline="") as lines:
        return list(csv.reader(lines))


@pytest.mark.parametrize("task", OWN)
def test_tables_have_a_row_for_each_program(task: str) -> None:
    _, *rows = table(task)
    programs = [about for name, about in ABOUT.items() if name.startswith(f"{task}_")]
    assert {(row[0], row[1]) for row in rows} == {(it[0], it[2]) for it in programs}
    assert len(rows) == len(programs)
