"""The files by which a project is found, built and cited say the same."""

from __future__ import annotations

import ast
import json
import os
import pkgutil
import re
import shutil
import subprocess
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


def numbers(version: str) -> list[int]:
    return [*map(int, version.split("."))]


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


NEWER = {
    "numpy": {
        "2.0": "acos acosh asin asinh astype atan atan2 atanh bitwise_count"
        " bitwise_invert bitwise_left_shift bitwise_right_shift bool concat isdtype"
        " long matrix_transpose permute_dims pow strings trapezoid ulong unique_all"
        " unique_counts unique_inverse unique_values vecdot lib.array_utils"
        " lib.introspect exceptions.RankWarning linalg.cross linalg.diagonal"
        " linalg.matmul linalg.matrix_norm linalg.matrix_transpose linalg.outer"
        " linalg.svdvals linalg.tensordot linalg.trace linalg.vecdot"
        " linalg.vector_norm",
        "2.1": "cumulative_prod cumulative_sum unstack",
        "2.2": "matvec vecmat",
        "2.5": "polynomial.chebyshev.chebvalnd",
    },
    "scipy": {
        "1.12": "sparse.block_array sparse.diags_array sparse.eye_array"
        " sparse.random_array sparse.linalg.LaplacianNd sparse.linalg.matrix_power"
        " special.betaincc special.betainccinv special.stirling2",
        "1.14": "fft.prev_fast_len sparse.csgraph.yen special.log_wright_bessel",
        "1.15": "differentiate sparse.get_index_dtype sparse.safely_cast_index_arrays"
        " special.legendre_p special.softplus special.sph_harm_y",
        "1.16": "sparse.linalg.is_sptriangular sparse.linalg.spbandwidth",
        "1.18": "sparse.expand_dims sparse.matrix_transpose sparse.permute_dims"
        " sparse.swapaxes sparse.linalg.funm_multiply_krylov",
    },
    "mpmath": {
        "1.4": "exp2 foxh libfp log2 lower_gamma rank spherical_jn spherical_yn"
        " upper_gamma",
    },
    "matplotlib": {"3.10": "bivar_colormaps colorizer multivar_colormaps"},
}
"""Names by the first version that has them, in the modules that the package uses."""


def names_used(source: str) -> set[str]:
    """Return the names of other packages in a module, in full."""
    full: dict[str, str] = {}
    nodes = [*ast.walk(ast.parse(source))]
    for node in nodes:
        if isinstance(node, ast.Import | ast.ImportFrom):
            origin = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
            for each in node.names:
                first = each.name.partition(".")[0]
                full[each.asname or first] = origin + (
                    each.name if each.asname else first
                )
    names = {*full.values()}
    for node in nodes:
        if isinstance(node, ast.Attribute):
            dotted = re.fullmatch(r"(\w+)(\.[\w.]+)", ast.unparse(node))
            if dotted and dotted[1] in full:
                names.add(full[dotted[1]] + dotted[2])
    return {name for name in names if name.partition(".")[0] in NEWER}


def test_no_name_is_newer_than_the_oldest_versions() -> None:
    """The session ``floors``, which has those, finds out about methods, too."""
    modules = (ROOT / "cardgames_dp").rglob("*.py")
    used = set[str]().union(*[names_used(each.read_text("utf-8")) for each in modules])
    newer = {
        f"{package}.{name}"
        for package, versions in NEWER.items()
        for version, names in versions.items()
        if numbers(version) > numbers(FLOORS[package])
        for name in names.split()
    }
    assert "scipy.sparse.linalg.splu" in used
    assert not used & newer
    for name in used:
        pkgutil.resolve_name(name)


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
