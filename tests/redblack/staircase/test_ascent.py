"""Long climbs that are interrupted, and files that are not what they should be."""

import json
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from cardgames_dp import redblack
from cardgames_dp._support.checkpoints import Checkpoint
from cardgames_dp.redblack._kernels.scaling import Band
from cardgames_dp.redblack._kernels.staircase.climb import ROOM

DECK = 60_000
"""The last blocks of its climb have strides of three."""


@pytest.fixture(autouse=True)
def saves_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cardgames_dp._support.checkpoints.SECONDS_BETWEEN_SAVES", 0.0)


def interrupt(patch: pytest.MonkeyPatch, when: Callable[[Any], bool]) -> None:
    """Let saves of some states interrupt the climb after them."""
    save = Checkpoint.save

    def interrupted(self: Checkpoint, arrays: Any) -> None:
        save(self, arrays)
        if when(arrays):
            raise KeyboardInterrupt

    patch.setattr(Checkpoint, "save", interrupted)


def stairs(path: Path) -> int:
    if not path.exists():
        return 0
    with np.load(path, allow_pickle=False) as file:
        return len(file["levels"])


PROGRAM = """
import sys, time
from cardgames_dp import redblack
from cardgames_dp._support import checkpoints

checkpoints.SECONDS_BETWEEN_SAVES = 0.0
save = checkpoints.Checkpoint.save

def slowly(self, arrays):
    save(self, arrays)
    time.sleep(0.05 * (len(arrays["levels"]) > 40))

checkpoints.Checkpoint.save = slowly
redblack.enclosure(5000, 5000, method="staircase", checkpoint=sys.argv[1])
"""


@pytest.mark.slow
def test_a_killed_climb_goes_on(tmp_path: Path) -> None:
    """kill -9 at whatever moment; then the same result, bit for bit."""
    path = tmp_path / "climb.npz"
    child = subprocess.Popen([sys.executable, "-c", PROGRAM, str(path)])
    deadline = time.monotonic() + 60
    while stairs(path) <= 40:
        assert child.poll() is None, "it came to its end before it was killed"
        assert time.monotonic() < deadline
        time.sleep(0.005)
    child.kill()
    assert child.wait() != 0
    assert 40 < stairs(path) < 80

    def climbed(name: str) -> Any:
        return redblack.enclosure(
            5000, 5000, method="staircase", checkpoint=tmp_path / name
        )

    assert climbed("climb.npz") == climbed("other.npz")


@pytest.mark.slow
def test_every_point_of_a_climb_can_be_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An exception after every tenth save, which is where the next climb begins.

    Nor do other decks, before in the file or in the same call, change a bit.
    """
    path, function, counts = tmp_path / "climb.npz", redblack.enclosure, count(1)
    decks = [40_000, DECK - 1]
    expected = function(DECK, DECK, checkpoint=tmp_path / "other.npz")
    before = function(decks, decks, checkpoint=tmp_path / "before.npz")
    # Read off, and from the state that they have left.
    assert function(decks, decks, checkpoint=tmp_path / "before.npz") == before
    both = function([DECK, *decks], [DECK, *decks], checkpoint=tmp_path / "before.npz")
    rows = [[*ends] for ends in zip(*both, strict=True)]
    assert rows == [[*expected], *([*ends] for ends in zip(*before, strict=True))]
    interrupt(monkeypatch, lambda _: next(counts) % 10 == 0)
    climbs = 0
    while True:
        climbs += 1
        try:
            assert function(DECK, DECK, checkpoint=str(path)) == expected
        except KeyboardInterrupt:
            continue
        break
    assert climbs > 5
    assert not [*tmp_path.glob("*.part")]


@pytest.mark.slow
@pytest.mark.parametrize("sizes", [[10, 1000, 5000, 20_000], [1, 300, 12_000]])
def test_many_decks_go_on(
    sizes: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And those in the climb of another change no bit."""
    path = tmp_path / "climb.npz"
    how: Any = {"method": "staircase", "checkpoint": path}
    expected = redblack.value(sizes, sizes, **how)
    path.unlink()
    with monkeypatch.context() as patch:
        interrupt(patch, lambda arrays: len(arrays["found"]) == 2)
        with pytest.raises(KeyboardInterrupt):
            redblack.value(sizes, sizes, **how)
    np.testing.assert_array_equal(redblack.value(sizes, sizes, **how), expected)
    path.unlink()
    assert redblack.value(sizes[-1:], sizes[-1:], **how) == expected[-1]


@pytest.mark.slow
@pytest.mark.parametrize("deck", [5000, 30_000])
def test_a_state_serves_larger_decks(deck: int, tmp_path: Path) -> None:
    """A finished climb goes on; its certificate is one for the larger deck, too."""
    path, larger = tmp_path / "climb.npz", 3 * deck // 2
    small = redblack.enclosure(deck, deck, method="staircase", checkpoint=path)
    reached = stairs(path)
    bounds = redblack.enclosure(larger, larger, method="staircase", checkpoint=path)
    alone = redblack.enclosure(larger, larger, method="staircase")
    assert stairs(path) > reached > 0.9 * 1.18 * deck**0.5
    assert bounds.width == pytest.approx(alone.width, rel=0.25)
    assert abs(bounds.midpoint - alone.midpoint) < 0.01 * alone.width
    # What has been read off stays in the file.
    assert redblack.enclosure(deck, deck, method="staircase", checkpoint=path) == small


@pytest.mark.slow
def test_an_interrupted_climb_serves_larger_decks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the middle of a stair, at a stride of three; not a deck nearer than that."""
    path = tmp_path / "climb.npz"
    with monkeypatch.context() as patch:
        interrupt(patch, lambda arrays: arrays["place"][1] == 3)
        with pytest.raises(KeyboardInterrupt):
            redblack.value(DECK, DECK, checkpoint=path)
    with np.load(path, allow_pickle=False) as file:
        level, _ = file["place"].tolist()
    before = path.read_bytes()
    for near in (level // 2 - 300, level // 2 + 300):
        with pytest.raises(ValueError, match="has come too far"):
            redblack.value(near, near, checkpoint=path)
    assert path.read_bytes() == before
    found = redblack.value(2 * DECK, 2 * DECK, checkpoint=path)
    assert found == pytest.approx(redblack.value(2 * DECK, 2 * DECK), rel=1e-13)


@pytest.mark.parametrize("deck", [(20_000, 20_350), (21_000, 20_300), (60_000, 60_800)])
def test_a_state_serves_other_colours(tmp_path: Path, deck: tuple[int, int]) -> None:
    path = tmp_path / "climb.npz"
    redblack.value(20_000, 20_000, checkpoint=path)
    found = redblack.value(*deck, checkpoint=path)
    assert found == pytest.approx(redblack.value(*deck), rel=1e-10)


@given(
    cards=st.integers(10_000, 2**50),
    part=st.floats(0.01, 1.0),
    uneven=st.floats(-4.0, 4.0),
)
def test_the_band_of_the_largest_deck_has_room_for_all(
    cards: int, part: float, uneven: float
) -> None:
    excess, n = int(uneven * cards**0.5), int(part * cards)
    red = (cards - excess) // 2
    lowest = Band(red, cards - red).lowest_excess(n, n)
    assert ROOM.lowest_excess(n, n) <= lowest


def test_saves_wait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the last state is written if the climb is over before the first is due."""
    monkeypatch.setattr(
        "cardgames_dp._support.checkpoints.SECONDS_BETWEEN_SAVES", 3600.0
    )
    saved = []
    monkeypatch.setattr(Checkpoint, "save", lambda self, arrays: saved.append(arrays))
    redblack.value(5000, 5000, checkpoint=tmp_path / "climb.npz")
    assert len(saved) == 1


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("climb") / "climb.npz"
    redblack.value(5000, 5000, checkpoint=path)
    return path


class TestRefused:
    """Files that are no checkpoint of the climb: an error, and not a byte changed."""

    @pytest.fixture
    def path(self, file: Path, tmp_path: Path) -> Path:
        return Path(shutil.copy(file, tmp_path))

    def refused(self, path: Path, message: str, deck: int = 5000) -> None:
        before = path.read_bytes()
        with pytest.raises(ValueError, match=message) as caught:
            redblack.value(deck, deck, checkpoint=path)
        assert str(path) in str(caught.value)
        assert "was left unchanged" in str(caught.value)
        assert path.read_bytes() == before
        assert list(path.parent.iterdir()) == [path]

    def test_what_is_not_whole(self, path: Path) -> None:
        """Nothing in a file is ever executed."""
        content = path.read_bytes()
        parts = [content[: int(p * len(content))] for p in (0, 0.1, 0.5, 0.9, 0.999)]
        for wrong in (*parts, b"not an archive", b"\x93NUMPY", b"PK\x03\x04 nor this"):
            path.write_bytes(wrong)
            self.refused(path, "is not a whole checkpoint of cardgames_dp")
        pickled: dict[str, Any] = {"header": np.array([{"a": 1}], dtype=object)}
        for arrays in ({"cells": np.zeros(3)}, pickled | {"checksum": np.array("")}):
            np.savez(path, **arrays)
            self.refused(path, "is not a whole checkpoint")
        np.save(path.with_suffix(".npy"), np.zeros(3))
        path.with_suffix(".npy").replace(path)
        self.refused(path, "is not a whole checkpoint")

    @pytest.mark.parametrize("name", ["levels", "cells", "found", "decks", "place"])
    def test_tampered(self, path: Path, name: str) -> None:
        with np.load(path) as file:
            arrays = dict(file)
        array = arrays[name]
        array.flat[-1] = (
            np.nextafter(array.flat[-1], 9) if array.dtype.kind == "f" else 9
        )
        np.savez(path, **arrays)
        self.refused(path, "was changed after it was written")
        content = bytearray(path.read_bytes())
        content[len(content) // 2] ^= 1
        path.write_bytes(content)
        self.refused(path, "is not a whole checkpoint|was changed after")

    def test_of_a_larger_deck(self, path: Path) -> None:
        self.refused(path, "has come too far for 4000 red and 4000 black", deck=4000)
        # As far as stairs are climbed one by one: up to the excess 80.
        self.refused(path, "has come too far for 4590 red and 4590 black", deck=4590)

    def test_of_a_deck_before_the_last_stairs(self, path: Path, tmp_path: Path) -> None:
        """They are climbed once for each deck, and are not in the file."""
        alone = tmp_path / "alone.npz"
        for deck in (4900, 4600):
            found = redblack.value(deck, deck, checkpoint=path)
            alone.unlink(missing_ok=True)
            assert found == redblack.value(deck, deck, checkpoint=alone)

    def test_of_another_function(self, path: Path) -> None:
        with pytest.raises(ValueError, match=r"'audited': False.* not to .*True"):
            redblack.enclosure(5000, 5000, checkpoint=path)

    def test_of_another_format(
        self, path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("cardgames_dp._support.checkpoints.FORMAT", 2)
        self.refused(path, "has format 1, and 2 is needed")

    def test_header_is_readable(self, path: Path) -> None:
        with np.load(path, allow_pickle=False) as file:
            header = json.loads(str(file["header"]))
        assert header["format"] == 1
        assert header["parameters"]["algorithm"] == "redblack staircase"
