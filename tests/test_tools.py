"""The tools for developers: all of them start by the one way that there is."""

import subprocess
import sys
from pathlib import Path

import pytest

from .tools import __main__ as tools

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "tests" / "tools"


def test_every_tool_is_named() -> None:
    files = {file.stem for file in FOLDER.glob("[a-z]*.py")} - {"fresh", "records"}
    folders = {file.parent.name for file in FOLDER.glob("*/__main__.py")}
    assert {*tools.NAMES} == files | folders


@pytest.mark.parametrize("words", [[], ["unknown"]])
def test_without_a_name_all_are_listed(words: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.tools", *words],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert all(f"``{name}``" in done.stderr for name in tools.NAMES)


def test_what_stands_behind_the_name_goes_to_the_tool() -> None:
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "tests.tools",
            "accuracy",
            "--cases=1",
            "--only=nothing",
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.startswith("--cases 1 --seed ")
