#!/usr/bin/env python3
# /// script
# dependencies = ["nox>=2025.10.14"]
# ///
"""Sessions of development: every check of the project, each in its own environment.

``python3 -m nox`` runs the checks that need nothing but a package registry;
``python3 -m nox -s NAME`` runs one session, and what stands behind a ``--`` goes
to that session's tool.
"""

from __future__ import annotations

from itertools import chain
from pathlib import Path

import nox

nox.needs_version = ">=2025.10.14"
nox.options.default_venv_backend = "virtualenv"
nox.options.reuse_venv = "yes"

ROOT = Path(__file__).parent
PACKAGE = ".[distributed,pandas,plot,progress]"
NEIGHBOUR = ".[openspiel]"
"""Large, and not built for every machine, so only some sessions have it."""

SIDE_BY_SIDE = ("--numprocesses=auto", "--dist=loadgroup")
"""Tests marked as one group run in one process, which starts their cluster once."""


def group(name: str) -> list[str]:
    """Return the requirements of a dependency group of pyproject.toml."""
    pyproject = nox.project.load_toml(ROOT / "pyproject.toml")
    return list(nox.project.dependency_groups(pyproject, name))


@nox.session
def tests(session: nox.Session) -> None:
    """Test the installed package, its docstrings and the README.

    With another version of Python: ``python3 -m nox -s tests -P 3.12``.
    """
    session.install(PACKAGE, *group("test"))
    session.run("pytest", *SIDE_BY_SIDE, *session.posargs)


@nox.session(python="3.11", default=False)
def floors(session: nox.Session) -> None:
    """Test with the oldest supported version of everything, Python's included."""
    project = nox.project.load_toml(ROOT / "pyproject.toml")["project"]
    extras = chain.from_iterable(project["optional-dependencies"].values())
    wanted = [*project["dependencies"], *extras, *group("interop")]
    session.install(*(requirement.replace(">=", "==") for requirement in wanted))
    session.install("--no-deps", ".")
    # Two runs: named beside tests, the folder inside would be all that is collected.
    session.run("pytest", *SIDE_BY_SIDE, *session.posargs)
    session.run("pytest", *SIDE_BY_SIDE, "tests/interop", *session.posargs)


@nox.session
def interop(session: nox.Session) -> None:
    """Test with OpenSpiel and Gambit what goes there and comes from there."""
    session.install(PACKAGE, NEIGHBOUR, *group("interop"))
    session.run("pytest", "tests/interop", "tests/test_interop.py", *session.posargs)


@nox.session
def lint(session: nox.Session) -> None:
    """Check style, risky code, and what a project is expected to bring."""
    session.install(*group("lint"))
    session.run("ruff", "check", *session.posargs)
    # A text file without an encoding has another one on other systems.
    session.run("ruff", "check", "--preview", "--select=PLW1514", *session.posargs)
    session.run("ruff", "format", "--check")
    session.run("bandit", "-c", "pyproject.toml", "-q", "-r", "cardgames_dp")
    session.run("repo-review", ".")
    # What these two want, an address, is explained in pyproject.toml.
    session.run("pyroma", "--min=10", "--skip-tests=AuthorEmail,Url", ".")


@nox.session
def types(session: nox.Session) -> None:
    """Check the types with mypy, strictly."""
    session.install(PACKAGE, *group("types"), *group("test"))
    session.run("mypy", *session.posargs)


@nox.session(default=False)
def audit(session: nox.Session) -> None:
    """Look for known faults of the dependencies; needs the network."""
    session.install(PACKAGE, "pip-audit>=2.9")
    installed = session.run(
        *("python", "-m", "pip", "freeze", "--exclude", "cardgames_dp"), silent=True
    )
    listed = Path(session.create_tmp()) / "installed.txt"
    listed.write_text(str(installed), encoding="utf-8")
    # Strictly: what could not be looked up is no sign of health.
    options = ["--strict", "--no-deps", "--disable-pip", "-r", str(listed)]
    session.run("pip-audit", *options, *session.posargs)


def build_docs(session: nox.Session, builder: str) -> None:
    """Run a builder of Sphinx; a warning is an error."""
    # -E: pages kept from an earlier build would keep their warnings to themselves.
    options = ["-E", "-W", "--keep-going", "-b", builder]
    session.run("sphinx-build", *options, "docs", f"docs/_build/{builder}")


@nox.session
def docs(session: nox.Session) -> None:
    """Build the documentation, check spelling and links, run the pages' examples.

    ``python3 -m nox -s docs -- linkcheck`` tries the links to elsewhere instead.
    """
    session.install(PACKAGE, NEIGHBOUR, *group("docs"))
    if session.posargs:
        build_docs(session, *session.posargs)
        return
    build_docs(session, "html")
    session.chdir(session.create_tmp())  # some save files
    options = ["--doctest-glob=*.rst", "--doctest-continue-on-failure"]
    session.run("pytest", "--quiet", *options, str(ROOT / "docs"))


@nox.session(default=False)
def browser(session: nox.Session) -> None:
    """Look at the documentation and the notebooks in Chromium, which must be there."""
    wanted = [*group("docs"), *group("browser"), *group("test")]
    session.install(PACKAGE, NEIGHBOUR, *wanted)
    build_docs(session, "html")
    session.run("pytest", "tests/browser", *session.posargs)


@nox.session
def examples(session: nox.Session) -> None:
    """Run every example as it stands, and hold its figures against the kept tables.

    ``python3 -m nox -s examples -- --write`` writes the tables anew.
    """
    session.install(PACKAGE, "XlsxWriter>=3.1")
    session.run("python", "docs/_ext/tables.py", *session.posargs)


@nox.session(default=False)
def bounds(session: nox.Session) -> None:
    """Sweep the level on which the bounds of the largest decks rest; about a minute."""
    session.install(".", *group("test"))
    # That the library has the constants of the script, and then their proof.
    test = "tests/fitting/test_growth_bounds.py"
    session.run("pytest", "--quiet", "-k", "same_constants", test)
    session.run("python", "examples/growth_bounds.py", *(session.posargs or ["256000"]))


@nox.session(reuse_venv=False)
def wheel(session: nox.Session) -> None:
    """Build the wheel, install it alone in a fresh environment and try it there."""
    built = Path(session.create_tmp())
    for old in built.glob("*.whl"):
        old.unlink()
    options = ["--no-deps", "--wheel-dir", str(built)]
    session.run("python", "-m", "pip", "wheel", *options, ".")
    session.install(*map(str, built.glob("*.whl")))
    session.chdir(built)
    session.run("python", "-I", str(ROOT / "tests" / "smoke_wheel.py"))


@nox.session(default=False)
def tools(session: nox.Session) -> None:
    """Run a tool of `tests.tools`, which is named behind the ``--``."""
    session.install("-e", PACKAGE, *group("tools"))
    session.run("python", "-m", "tests.tools", *session.posargs)


if __name__ == "__main__":
    nox.main()
