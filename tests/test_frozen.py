"""The public functions return what they have returned before."""

import json
from collections import Counter
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from .tools import frozen
from .tools.frozen import Question

PARTS = Counter("/".join(name.split("/")[:2]) for name in frozen.questions())


@pytest.mark.slow
@pytest.mark.parametrize("part", PARTS)
def test_results(part: str) -> None:
    found = [*frozen.compared(part), *frozen.compared(f"{part}/*")]
    assert len(found) >= PARTS[part]
    assert {name: lines for name, lines in found if lines} == {}


def test_every_question_is_recorded_and_asked() -> None:
    assert [*json.loads(frozen.RECORD.read_text("utf-8"))["results"]] == [
        *frozen.questions()
    ]


def test_no_question_is_recorded_with_an_error_of_its_own() -> None:
    assert '"raised ' not in frozen.RECORD.read_text("utf-8")


ROW = np.array([0.1, -0.2, 0.3])
TABLE = np.arange(200.0).reshape(20, 10)


@pytest.mark.parametrize(
    ("then", "now"),
    [
        (0.1, float(np.nextafter(0.1, 1))),
        (Fraction(1, 3), Fraction(1, 4)),
        (1, 1.0),
        (1, True),
        ("draw", "stop"),
        ([1, 2], [1, 2, 3]),
        ({"a": 1}, {"b": 1}),
        (ROW, ROW[::-1]),
        (ROW > 0, ROW > -1),
        (TABLE, TABLE.T),
        (TABLE, TABLE.reshape(10, 20)),
        (TABLE, TABLE + 1e-13 * (TABLE == 123)),
        (float("nan"), 0.0),
        (float("inf"), -float("inf")),
    ],
)
def test_what_differs_is_seen(then: object, now: object) -> None:
    assert frozen.differences(frozen.plain(then), frozen.plain(then)) == []
    assert frozen.differences(frozen.plain(then), frozen.plain(now)) != []


def test_the_bound_is_of_the_largest_float() -> None:
    then, now = frozen.plain([8.0, 0.5, 3]), frozen.plain([8.0, 0.5 + 1e-12, 3])
    assert frozen.differences(then, now, 1e-12) == []
    assert len(frozen.differences(then, now, 1e-13)) == 1
    assert frozen.differences(then, frozen.plain([8.0, 0.5, 4]), 1) != []


def test_an_exact_number_is_the_same_as_int_and_as_fraction() -> None:
    assert frozen.plain(Fraction(6, 2)) == frozen.plain(np.int64(3)) == 3


def test_an_error_is_an_answer() -> None:
    assert frozen.answer(Question(0, lambda: 1 / 0)).startswith("raised ZeroDivision")


def test_writing_keeps_what_is_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = {
        "a/b": Question(0, lambda: 1),
        "a/c": Question(0, lambda: 0.5),
    }
    monkeypatch.setattr(frozen, "questions", lambda pattern="*": asked)
    monkeypatch.setattr(frozen, "RECORD", tmp_path / "frozen.json")
    frozen.write("*", again=True)
    assert dict(frozen.compared()) == {"a/b": [], "a/c": []}
    asked["a/b"] = Question(0, lambda: 2)
    asked["a/d"] = Question(0, lambda: "new")
    assert dict(frozen.compared()) == {
        "a/b": ["was 1, is 2"],
        "a/c": [],
        "a/d": ["is not recorded: run with --write"],
    }
    frozen.write("*", again=False)
    assert dict(frozen.compared()) == {"a/b": ["was 1, is 2"], "a/c": [], "a/d": []}
    del asked["a/c"]
    assert dict(frozen.compared())["a/c"] == ["is recorded, but nobody asks for it"]
    frozen.write("*", again=True)
    assert dict(frozen.compared()) == {"a/b": [], "a/d": []}
