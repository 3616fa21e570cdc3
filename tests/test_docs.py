"""What the documentation keeps: tables, all shown and well compared, and its words."""

from __future__ import annotations

import csv
import importlib
import inspect
import re
import runpy
import sys
from collections.abc import Callable
from pathlib import Path
from textwrap import indent
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
KEPT = ROOT / "docs" / "tables"
PAGES = [
    page
    for page in sorted((ROOT / "docs").rglob("*.rst"))
    if not page.relative_to(ROOT / "docs").as_posix().startswith(("_", "api/generated"))
]


def shown(page: Path) -> set[Path]:
    """Return the files that a page includes."""
    names = re.findall(
        r"^ *(?::file:|\.\. (?:literal)?include::) (\S+)$",
        page.read_text(encoding="utf-8"),
        re.MULTILINE,
    )
    return {(page.parent / name).resolve() for name in names}


SOURCES = [
    ROOT / "README.rst",
    *PAGES,
    *sorted((ROOT / "cardgames_dp").rglob("*.py")),
    *sorted((ROOT / "examples").rglob("*.py")),
]


def first_column(name: str) -> list[str]:
    """Return the first cells of a kept table, without its head."""
    with (KEPT / name).open(encoding="utf-8", newline="") as file:
        return [row[0] for row in csv.reader(file)][1:]


@pytest.fixture(scope="module")
def tables() -> dict[str, Any]:
    """Return what the program defines that makes and compares tables."""
    return runpy.run_path(str(ROOT / "docs" / "_ext" / "tables.py"))


def test_pages_show_files_of_the_project_only() -> None:
    files = set[Path]().union(*map(shown, PAGES))
    assert len(files) > 30
    examples = ROOT / "examples"
    homes = {KEPT, examples, examples / "classics", ROOT}
    assert {file.parent for file in files} == homes
    assert [file.name for file in files if not file.is_file()] == []


def test_each_table_is_shown() -> None:
    files = set[Path]().union(*map(shown, PAGES))
    drawn = ("algorithm_ladder", "jacks_or_better", "pairs_thumbs")
    as_pictures = {KEPT / f"{name}.csv" for name in drawn}
    tables = {file for file in files if file.parent == KEPT}
    assert set(KEPT.iterdir()) == tables | as_pictures


def test_each_example_is_shown() -> None:
    home = ROOT / "examples"
    pages = [ROOT / "docs" / name for name in ("notebooks.rst", "saving.rst")]
    assert {*home.glob("*.py")} <= set[Path]().union(*map(shown, pages))
    assert {*(home / "classics").glob("*.py")} <= shown(ROOT / "docs" / "classics.rst")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_no_line_of_code_on_a_page_has_to_be_scrolled(page: Path) -> None:
    lines = page.read_text(encoding="utf-8").splitlines()
    code = [line.strip() for line in lines if re.match(r" *(>>>|\.\.\.) ", line)]
    assert [line for line in code if len(line) > 91] == []


def test_each_notebook_has_its_place() -> None:
    text = (ROOT / "docs" / "notebooks.rst").read_text(encoding="utf-8")
    for script in (ROOT / "examples" / "notebooks").glob("*.py"):
        assert f"   notebooks/{script.stem}\n" in text
        assert f"- :doc:`notebooks/{script.stem}`. " in text


def test_each_public_name_is_in_the_reference() -> None:
    text = "".join(
        page.read_text(encoding="utf-8") for page in PAGES if page.parent.name == "api"
    )
    documented = set(re.findall(r"automodule:: (\S+)", text))
    assert len(documented) > 15
    for name in sorted(documented - {"cardgames_dp"}):
        module = importlib.import_module(name)
        part = text.partition(f"automodule:: {name}\n")[2].partition("automodule::")[0]
        listed = set(re.findall(r"^   (\w+)$", part, re.MULTILINE))
        public = {
            one for one in module.__all__ if not inspect.ismodule(getattr(module, one))
        }
        assert public <= listed, name


def test_measured_tables_are_of_the_calls_that_are_measured(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "argv", ["speed.py"])
    speed = runpy.run_path(str(ROOT / "examples" / "speed.py"))
    for game, (_, _, methods) in speed["CHOICES"].items():
        calls = [f"``{method.call}``" for method in methods]
        assert first_column(f"speed_choose_{game}.csv") == calls
    usual = [each for _, calls in speed["SPEED"].values() for each in calls.items()]
    listed = [f"``{call}``" for call, sizes in usual for _ in sizes]
    assert first_column("speed_calls.csv") == listed
    ladder = runpy.run_path(str(ROOT / "examples" / "algorithm_ladder.py"))
    rungs = [rung.name for rung in ladder["RUNGS"]]
    assert list(dict.fromkeys(first_column("algorithm_ladder.csv"))) == rungs


def test_the_ladder_has_the_figures_of_its_picture(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The text and the picture are made of the same times, as they are kept."""
    ladder = runpy.run_path(str(ROOT / "examples" / "algorithm_ladder.py"))
    ladder["show_table"](ladder["read"](KEPT / "algorithm_ladder.csv"))
    made = capsys.readouterr().out.partition("Measured")[0]
    assert made.count("\n") == 1 + len(ladder["RUNGS"])
    page = ROOT / "docs" / "theory" / "staircase.rst"
    assert indent(made, "   ") in page.read_text(encoding="utf-8")


def test_pages_have_one_vocabulary_of_grades() -> None:
    table = (ROOT / "docs" / "trust.rst").read_text(encoding="utf-8")
    grades = re.findall(r"^(\w+)  +[A-Z]", table.partition("Grade  ")[2], re.M)
    lists = [
        words
        for page in PAGES
        for words in re.findall(
            r"exact\W+certified\W+float64\W+(?:and|or)\W+(\w+)",
            page.read_text(encoding="utf-8"),
        )
    ]
    assert set(lists) == set(grades[3:]) != set()
    results = (ROOT / "docs" / "results.rst").read_text(encoding="utf-8")
    labels = re.findall(r"^\*(\w+)[*.,]", results, re.M)
    assert len(labels) >= 10
    assert {label.lower() for label in labels} <= {*grades, "proved"}


@pytest.mark.parametrize(
    ("kept", "made", "agree"),
    [
        ("165.0758465315", "165.0758465316", True),
        ("1,650.82562961", "1,650.82562960", True),
        ("1e-09", "2e-09", True),
        ("9.99", "10.00", True),
        ("−0.0201887 + 0.522116 √l", "−0.0201886 + 0.522116 √l", True),
        ("41984711742427/15997372030584", "41984711742427/15997372030584", True),
        ("165.0758465315", "165.0758465317", False),
        ("1,650.82562961", "1,650.82562", False),
        ("1e-09", "3e-09", False),
        ("430", "431", False),
        ("1/3", "1/2", False),
        ("0.5", "-0.5", False),
        ("0.25", "0.25 %", False),
        ("first", "second", False),
    ],
)
def test_only_the_last_digit_may_differ_by_one(
    tables: dict[str, Any], kept: str, made: str, agree: bool
) -> None:
    assert tables["agree"](kept, made) == agree


def test_pages_and_examples_import_what_is_public() -> None:
    private = re.compile(r"(?:from|import) +cardgames_dp[\w.]*\._|import +_\w")
    texts = [*PAGES, *(ROOT / "examples").rglob("*.py"), ROOT / "README.rst"]
    result = [
        file.name for file in texts if private.search(file.read_text(encoding="utf-8"))
    ]
    assert result == []


def test_words_are_sorted_and_used() -> None:
    words = (ROOT / "docs" / "words.txt").read_text(encoding="utf-8").split()
    assert words == sorted(set(words))
    text = "\n".join([source.read_text(encoding="utf-8") for source in SOURCES])
    used = set(re.findall(r"[^\W\d_]+", text.lower()))
    assert [word for word in words if word not in used] == []


def test_files_that_are_named_exist() -> None:
    """Else a page that has moved, or a test that never was, is cited for ever."""
    path = r"\b(?:docs|tests|examples|cardgames_dp)/[\w/*-]+\.(?:rst|py|txt)\b"
    named = [
        (name, source.name)
        for source in (*SOURCES, *(ROOT / ".github").rglob("*.md"))
        for name in re.findall(path, source.read_text(encoding="utf-8"))
    ]
    assert len(named) > 20
    assert [pair for pair in named if not list(ROOT.glob(pair[0]))] == []


@pytest.fixture
def broken(tmp_path: Path) -> Callable[..., list[tuple[str, str]]]:
    """Return a function that writes pages and returns their links to nowhere."""
    links = runpy.run_path(str(ROOT / "docs" / "_ext" / "links.py"))

    def found(**pages: str) -> list[tuple[str, str]]:
        for name, text in pages.items():
            file = tmp_path / f"{name.replace('__', '/')}.html"
            file.parent.mkdir(exist_ok=True)
            file.write_text(text, encoding="utf-8")
        return list(links["Pages"](tmp_path).broken())

    return found


@pytest.mark.parametrize(
    ("tag", "link"),
    [
        ('<a href="nowhere.html">', "nowhere.html"),
        ('<a title="x" href="index.html">', "index.html"),
        ('<a href="../index.html#bottom">', "../index.html#bottom"),
        ('<a href="#bottom">', "#bottom"),
        ('<img alt="x" src="../picture.png"/>', "../picture.png"),
        ('<a href="..">', ".."),
        ('<a href="?a=1&amp;b=2#c&amp;d">', "?a=1&b=2#c&d"),
    ],
)
def test_links_to_nowhere_are_told(
    broken: Callable[..., list[tuple[str, str]]], tag: str, link: str
) -> None:
    home = '<a href="sub/page.html#here">'
    page = f'<p id="here">{tag}</p>'
    assert broken(index=home, sub__page=page) == [("sub/page.html", link)]
    source = '<a href="../index.html#gone"> <a href="../gone.html">'
    assert broken(index="", sub__page="", _modules__source=source) == [
        ("_modules/source.html", "../gone.html")  # source code need not name a place
    ]
