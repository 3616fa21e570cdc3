"""The files by which a project is found, built and cited say the same."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from cardgames_dp import __version__

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))[
    "project"
]
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
    floors = dict(
        re.findall(r"(\w+)>=([\d.]+)", "\n".join(PROJECT["dependencies"][::-1]))
    )
    stated = dict(re.findall(r"(NumPy|SciPy|mpmath)\s(\d[\d.]*\d)", page))
    assert {name.lower(): version for name, version in stated.items()} == floors


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


@pytest.mark.skipif(os.name == "nt", reason="a script for POSIX systems")
@pytest.mark.parametrize(
    "broken", ["", "lint types", "mutants", "-s tests", "install", "venv"]
)
def test_continuous_integration_runs_all_and_fails_if_one_does(
    broken: str, tmp_path: Path
) -> None:
    """With a Python that writes down what it is asked for, and does none of it."""
    for name in (".ci/run", "README.rst"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    python = tmp_path / "bin" / "python3"
    python.parent.mkdir()
    python.write_text(
        f'#!{shutil.which("bash")}\necho "$*"\n'
        '[[ -z "$BROKEN" || "$*" != *"$BROKEN"* ]]\n',
        encoding="utf-8",
    )
    python.chmod(0o755)
    path = f"{python.parent}{os.pathsep}{os.environ['PATH']}"
    ended = subprocess.run(
        [tmp_path / ".ci" / "run"],
        env={**os.environ, "PATH": path, "BROKEN": broken},
        stdout=subprocess.PIPE,
        encoding="utf-8",
        check=False,
    )
    *_, last = lines = ended.stdout.splitlines()
    assert bool(ended.returncode) == bool(broken)
    if broken in ("install", "venv"):  # nothing can run
        assert broken in last
        return
    sessions = [line for line in lines if line.startswith("-m nox")]
    assert len(sessions) == 3
    assert sessions[-1] == "-m nox -s tests"
    if broken:
        assert re.match(f"failed: .*{broken}", last)
    else:
        assert last == sessions[-1]


def test_every_session_is_explained() -> None:
    page = text("docs/contributing.rst").partition("\nSession ")[2]
    table = page.partition("``.ci/run``")[0]
    assert set(re.findall(r"^``(\w+)``  ", table, re.M)) == set(SESSIONS)
