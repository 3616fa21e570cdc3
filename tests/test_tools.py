"""The tools for developers, without a look at times: all start by one way."""

import re
import sys

import pytest

from .tools import __main__ as tools, fresh, speed

FOLDER = fresh.ROOT / "tests" / "tools"


def test_every_tool_is_named() -> None:
    files = {file.stem for file in FOLDER.glob("[a-z]*.py")} - {"fresh"}
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
    done = fresh.run("-m", "tests.tools", "speed", "--help")
    assert done.stdout.startswith("usage: ")


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
