"""Files of checkpoints: what they replace, what is left of them, what if they fail."""

import os
import stat
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cardgames_dp import pairs, redblack
from cardgames_dp._support import checkpoints
from cardgames_dp._support.checkpoints import Checkpoint

RULES = pairs.Rules(players=3, deck=4, target=6)

Work = Callable[[Path | None], Any]

WORK: dict[str, Work] = {
    "solve": lambda file: pairs.solve(RULES, checkpoint=file),
    "climb": lambda file: redblack.enclosure(2_500, 2_500, checkpoint=file),
}
"""Each user of checkpoints."""


@pytest.fixture(autouse=True)
def saves_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoints, "SECONDS_BETWEEN_SAVES", 0.0)


@pytest.fixture
def checkpoint(tmp_path: Path) -> Checkpoint:
    return Checkpoint.of(tmp_path / "file.npz", {"of": "a test"})


STATE = {"numbers": np.arange(1000)}


@pytest.mark.skipif(sys.platform == "win32", reason="needs limits of POSIX")
@pytest.mark.filterwarnings(
    # NumPy 1.26 leaves the archive open, which then complains by itself.
    "ignore:Exception ignored in. .function ZipFile.__del__"
    ":pytest.PytestUnraisableExceptionWarning"
)
@pytest.mark.parametrize("kind", WORK)
def test_a_full_disk_is_told_and_the_computation_goes_on(
    kind: str, tmp_path: Path
) -> None:
    """The limit of a file's size lets the write fail in its midst, as a full disk."""
    import resource

    work, file = WORK[kind], tmp_path / "file.npz"
    expected = work(tmp_path / "other.npz")
    (tmp_path / "other.npz").unlink()
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (500, limit[1]))
    try:
        with pytest.warns(RuntimeWarning, match=r"checkpoint '.*file.npz' could not b"):
            result = work(file)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limit)
    assert result == expected
    assert [*tmp_path.iterdir()] == []
    assert work(file) == expected
    assert [*tmp_path.iterdir()] == [file]


def test_what_was_saved_outlasts_a_save_that_fails(
    checkpoint: Checkpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    checkpoint.save(STATE)
    before = checkpoint.path.read_bytes()

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    checkpoint.saved = 0.0
    with pytest.warns(RuntimeWarning, match=r"saved: No space left on device; the com"):
        checkpoint.save({"numbers": np.arange(2000)})
    assert checkpoint.path.read_bytes() == before
    assert [*checkpoint.path.parent.iterdir()] == [checkpoint.path]
    assert checkpoint.saved > 0, "else it would be tried again at once"


def test_what_killed_saves_have_left_is_removed(checkpoint: Checkpoint) -> None:
    folder = checkpoint.path.parent
    left = [folder / f"file.npz.{number}.part" for number in (1, 123456)]
    others = [folder / name for name in ("file.npz.part", "x.npz.1.part", "1.part")]
    for file in (*left, *others):
        file.write_bytes(b"PK")
    assert checkpoint.load() is None
    assert sorted(folder.iterdir()) == sorted(others)


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege there")
@pytest.mark.parametrize("there", [False, True])
def test_a_link_stays_a_link(tmp_path: Path, there: bool) -> None:
    disk = tmp_path / "large disk"
    disk.mkdir()
    if there:
        Checkpoint.of(disk / "state", {"of": "a test"}).save({})
    link = tmp_path / "file.npz"
    link.symlink_to(disk / "state")
    Checkpoint.of(link, {"of": "a test"}).save(STATE)
    assert link.is_symlink()
    assert [*disk.iterdir()] == [disk / "state"]
    result = Checkpoint.of(link, {"of": "a test"}).load()
    assert result is not None
    assert result["numbers"].tolist() == STATE["numbers"].tolist()


@pytest.mark.parametrize("kind", WORK)
def test_a_file_that_is_read_only_is_refused(kind: str, tmp_path: Path) -> None:
    file = tmp_path / "file.npz"
    WORK[kind](file)
    before = file.read_bytes()
    file.chmod(0o444)
    with pytest.raises(ValueError, match=r"checkpoint must .*npz' is read-only"):
        WORK[kind](file)
    assert file.read_bytes() == before


def test_a_folder_that_is_read_only_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda path, _: path != tmp_path)
    with pytest.raises(
        ValueError, match=rf"checkpoint must .*{tmp_path}' is read-only"
    ):
        Checkpoint.of(tmp_path / "file.npz", {})


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs POSIX's pipes")
def test_a_pipe_is_no_file(tmp_path: Path) -> None:
    """Reading it would wait for ever."""
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ValueError, match="checkpoint must be the path of a file in"):
        Checkpoint.of(tmp_path / "pipe", {})


@pytest.mark.skipif(sys.platform == "win32", reason="modes are of POSIX")
def test_who_may_read_a_file_stays_as_it_is(checkpoint: Checkpoint) -> None:
    checkpoint.save({})
    for mode in (0o600, 0o640):
        checkpoint.path.chmod(mode)
        checkpoint.save(STATE)
        assert stat.S_IMODE(checkpoint.path.stat().st_mode) == mode
