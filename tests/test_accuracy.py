"""The tool `accuracy` in small: every check holds, and would tell if one did not."""

import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from .tools import accuracy
from .tools.accuracy import CHECKS, Check, Error, U, held


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
