"""Every example runs as it stands, from any folder."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).parents[1] / "examples").glob("*.py"))


def run(script: Path, folder: Path, *, without: str | None = None) -> str:
    """Return what an example prints, with a package hidden if asked for."""
    environment = {**os.environ, "MPLBACKEND": "Agg"}
    if without is not None:
        # A finder in front of all others that knows nothing of the package.
        (folder / "sitecustomize.py").write_text(
            "import importlib.util\n"
            "real = importlib.util.find_spec\n"
            "importlib.util.find_spec = lambda name, package=None: (\n"
            f"    None if name == {without!r} else real(name, package))\n"
        )
        environment["PYTHONPATH"] = str(folder)
    done = subprocess.run(
        [sys.executable, str(script)],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("script", EXAMPLES, ids=lambda script: script.stem)
def test_example_runs(script: Path, tmp_path: Path) -> None:
    assert run(script, tmp_path)


@pytest.fixture
def problem14() -> Path:
    (script,) = (script for script in EXAMPLES if script.stem == "problem14")
    return script


def test_problem14_shows_the_game_solved(problem14: Path, tmp_path: Path) -> None:
    printed = run(problem14, tmp_path)
    for part in (
        "41984711742427/15997372030584",
        "2.624475548993925",
        "red\\black    26     25",
        "16 red and 22 black cards left, 6 in hand: stop",
        "     6      0.047611",
        "standard errors from the value",
    ):
        assert part in printed
    picture = tmp_path / "problem14.png"
    assert picture.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"


def test_problem14_without_matplotlib(problem14: Path, tmp_path: Path) -> None:
    printed = run(problem14, tmp_path, without="matplotlib")
    assert "it needs matplotlib" in printed
    assert not (tmp_path / "problem14.png").exists()
