"""Every example runs as it stands, from any folder."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).parents[1] / "examples").glob("*.py"))


ARGUMENTS = {"pairs_complete": ["4"]}
"""For examples that are long; the session "examples" runs them without."""

OPTIONAL = ("matplotlib", "pandas", "tqdm")


def run(script: Path, folder: Path, *, without: tuple[str, ...] = ()) -> str:
    """Return what an example prints, with packages hidden from it if asked for."""
    environment = {**os.environ, "MPLBACKEND": "Agg"}
    if without:
        # Python runs this file first; what is None there cannot be imported.
        (folder / "sitecustomize.py").write_text(
            f"import sys\nsys.modules.update(dict.fromkeys({without!r}))\n"
        )
        inherited = os.environ.get("PYTHONPATH")
        environment["PYTHONPATH"] = os.pathsep.join(
            filter(None, [str(folder), inherited])
        )
    done = subprocess.run(
        [sys.executable, str(script), *ARGUMENTS.get(script.stem, [])],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_there_are_examples() -> None:
    assert EXAMPLES


@pytest.mark.parametrize("without", [(), OPTIONAL], ids=["extras", "no extras"])
@pytest.mark.parametrize("script", EXAMPLES, ids=lambda script: script.stem)
def test_example_runs(script: Path, without: tuple[str, ...], tmp_path: Path) -> None:
    assert run(script, tmp_path, without=without)


def test_hidden_packages_cannot_be_imported(tmp_path: Path) -> None:
    """Else the tests without them would show nothing."""
    script = tmp_path / "tries.py"
    script.write_text(
        "import contextlib\n"
        f"for name in {OPTIONAL!r}:\n"
        "    with contextlib.suppress(ModuleNotFoundError):\n"
        "        __import__(name)\n"
        "        print(name)\n"
    )
    assert run(script, tmp_path, without=OPTIONAL) == ""


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
    assert [path.name for path in tmp_path.iterdir()] == ["problem14.png"]
    picture = tmp_path / "problem14.png"
    assert picture.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"


def test_little_sister_tells_the_story(tmp_path: Path) -> None:
    (script,) = (script for script in EXAMPLES if script.stem == "little_sister")
    printed = run(script, tmp_path)
    for part in (
        "greedy, who started, took 19 and larger 22",
        "4,095 calls for the first move",
        "↓ 26:18",
        "+6.00 when we start",
        "value 3525",
    ):
        assert part in printed
    assert [path.name for path in tmp_path.iterdir()] == ["little_sister.png"]


def test_pairs_complete_reproduces_the_essay(tmp_path: Path) -> None:
    (script,) = (script for script in EXAMPLES if script.stem == "pairs_complete")
    printed = run(script, tmp_path)
    for part in (
        " 3  6  4     850,525     685,838       120,727     152,562       120,728",
        "positions solved    87,451",
        "0.480746492138 first",
        "4 f f H H",
    ):
        assert part in printed
    assert [path.name for path in tmp_path.iterdir()] == ["pairs_complete.png"]


def test_problem14_without_matplotlib(problem14: Path, tmp_path: Path) -> None:
    printed = run(problem14, tmp_path, without=("matplotlib",))
    assert "it needs matplotlib" in printed
    assert not (tmp_path / "problem14.png").exists()
