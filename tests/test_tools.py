"""The tools for developers, without a look at times: all start by one way."""

import re
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from .tools import __main__ as tools, accuracy, fresh, speed
from .tools.accuracy import CHECKS, Check, Error, U, held

FOLDER = fresh.ROOT / "tests" / "tools"


def test_every_tool_is_named() -> None:
    files = {file.stem for file in FOLDER.glob("[a-z]*.py")} - {"fresh", "records"}
    folders = {file.parent.name for file in FOLDER.glob("*/__main__.py")}
    assert {*tools.NAMES} == files | folders


@pytest.mark.parametrize("words", [[], ["unknown"]])
def test_without_a_name_all_are_listed(
    words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["tools", *words])
    with pytest.raises(SystemExit) as ended:
        tools.main()
    assert re.findall(r"^- ``(\w+)``", str(ended.value), re.M) == tools.NAMES


def test_what_stands_behind_the_name_goes_to_the_tool() -> None:
    options = ("accuracy", "--cases=1", "--only=nothing")
    done = fresh.run("-m", "tests.tools", *options)
    assert done.stdout.startswith("--cases 1 --seed ")


# Accuracy
# --------


@pytest.mark.slow
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.name)
def test_errors_are_within_the_bounds(check: Check) -> None:
    error = check.worst(3, seed=1)
    assert 0 <= error.share <= 1
    assert error.relative >= 0


def test_names_are_distinct() -> None:
    assert len({check.name for check in CHECKS}) == len(CHECKS) > 20


def test_errors_are_parts_of_scale_and_bound() -> None:
    found = held([1.0, 2.5], [1, Fraction(2)], scale=4, bound=0.25)
    assert found == Error(relative=0.125, share=2.0)
    assert held([0.0], [0], scale=0, bound=0) == Error(0.0, 0.0)
    assert held([U], [0], scale=0, bound=0) == Error(0.0, float("inf"))


def test_the_tool_fails_above_a_bound(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    good = replace(CHECKS[0], name="good", case=lambda _: Error(1e-16, 0.5))
    bad = replace(good, name="bad", case=lambda _: Error(1e-12, 1.5))
    monkeypatch.setattr(accuracy, "CHECKS", [good, bad])
    table = tmp_path / "table.csv"
    options = ["--cases", "2", "--seed", "1", "--write", str(table)]
    monkeypatch.setattr(sys, "argv", ["accuracy", *options])
    with pytest.raises(SystemExit, match=r"^above the bound: bad$"):
        accuracy.main()
    assert "--cases 2 --seed 1\ngood " in capsys.readouterr().out
    assert len(table.read_text(encoding="utf-8").splitlines()) == 3


# Speed
# -----


def test_a_call_is_measured() -> None:
    processor, wall = speed.timed(fresh.ROOT, "sum(numbers)", "numbers = range(9)", 3)
    assert processor >= 0
    assert wall > 0
    with pytest.raises(SystemExit, match="no_such_name"):
        speed.timed(fresh.ROOT, "no_such_name", "pass")


def test_a_line_of_the_table() -> None:
    first = {"call": [(1.0, 2.0), (1.5, 2.0), (2.0, 2.0)]}
    second = {"call": [(3.0, 1.0), (3.0, 1.0), (3.0, 1.0)]}
    assert speed.report("call", first, second).split() == [
        *("call", "1.500", "±", "67%", "3.000", "±", "0%", "2.000", "3.000"),
        *("2.000", "±", "0%", "1.000", "±", "0%", "0.500", "0.500"),
    ]
