"""The files by which a project is found, built and cited say the same."""

from __future__ import annotations

import json
import re
import tomllib
from itertools import chain
from pathlib import Path

import pytest

from cardgames_dp import __version__

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))[
    "project"
]
FLOORS = dict(
    re.findall(
        r"(\w+)>=([\d.]+)(?!.*== 'win32')",
        "\n".join(
            chain(PROJECT["dependencies"], *PROJECT["optional-dependencies"].values())
        ),
    )
)
SESSIONS = re.findall(
    r"^@nox\.session.*\ndef (\w+)", (ROOT / "noxfile.py").read_text("utf-8"), re.M
)


def text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def test_the_deposit_describes_the_package() -> None:
    deposit = json.loads(text(".zenodo.json"))
    assert deposit["license"] == PROJECT["license"]
    assert deposit["keywords"] == PROJECT["keywords"]
    assert [creator["name"] for creator in deposit["creators"]] == [
        author["name"] for author in PROJECT["authors"]
    ]
    assert PROJECT["description"] in deposit["description"]


def test_the_page_on_citing_names_this_version() -> None:
    page = text("docs/citing.rst")
    assert re.findall(r"^ +version = \{(.*)\}", page, re.M) == [__version__]
    assert f"version {__version__}," in page


def test_the_paper_cites_what_its_bibliography_has() -> None:
    known = re.findall(r"^@\w+\{(\w+),", text("docs/paper/paper.bib"), re.M)
    cited = re.findall(r"@(\w+)", text("docs/paper/paper.md").split("\n---\n", 1)[1])
    assert len(known) == len(set(known)) > 5
    assert set(cited) == set(known)


def test_versions_of_python_agree() -> None:
    """The metadata name what ran; the workflow may try newer ones."""
    named = re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["classifiers"]))
    assert PROJECT["requires-python"] == f">={named[0]}"
    ran = re.findall(
        r"all tests passed with Python ([\d., and\n]+\d)", text("docs/trust.rst")
    )
    assert re.findall(r"3\.\d+", *ran) == named
    (matrix,) = re.findall(r"python: (\[.*\])", text(".github/workflows/ci.yml"))
    assert json.loads(matrix)[: len(named)] == named
    assert f'python="{named[0]}"' in text("noxfile.py")


def test_the_page_on_stability_names_the_supported_versions() -> None:
    page = text("docs/stability.rst")
    named = re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["classifiers"]))
    assert re.findall(r"^Python +(3\.\d+) .* yes", page, re.M) == named
    stated = dict(re.findall(r"(NumPy|SciPy|mpmath)\s(\d[\d.]*\d)", page))
    lowered = {name.lower(): version for name, version in stated.items()}
    assert lowered == {name: FLOORS[name] for name in lowered}
    assert len(lowered) == 3


def test_systems_are_those_on_which_tests_ran() -> None:
    """The metadata names no other one, and the workflow tries others."""
    classifiers = [c for c in PROJECT["classifiers"] if c.startswith("Operating")]
    (ran,) = re.findall(r"All this ran on (\w+) ", text("docs/trust.rst"))
    assert classifiers == [f"Operating System :: POSIX :: {ran}"]
    systems = re.findall(r"\b(\w+)-latest", text(".github/workflows/ci.yml"))
    assert {"ubuntu", "windows", "macos"} <= set(systems)


@pytest.mark.parametrize(
    "name", [".ci/run", ".pre-commit-config.yaml", ".github/workflows/ci.yml"]
)
def test_what_calls_a_session_calls_one_that_is_there(name: str) -> None:
    lines = re.findall(r"nox (?:-\w )*-s \"?([a-z][a-z ]*)", text(name))
    called = {session for line in lines for session in line.split()}
    assert called
    assert called <= set(SESSIONS)


def test_sessions_that_pages_name_exist() -> None:
    pages = [
        *ROOT.glob("docs/**/*.rst"),
        *ROOT.glob(".github/*.md"),
        ROOT / "README.rst",
    ]
    words = " ".join(" ".join(page.read_text("utf-8").split()) for page in pages)
    named = re.findall(r"(?:session `+|nox -s )(\w+)", words)
    assert len(named) > 10
    assert set(named) <= set(SESSIONS)


def test_every_session_is_explained() -> None:
    page = text("docs/contributing.rst").partition("\nSession ")[2]
    table = page.partition("``.ci/run``")[0]
    assert set(re.findall(r"^``(\w+)``  ", table, re.M)) == set(SESSIONS)
