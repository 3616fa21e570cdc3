"""Long climbs that are interrupted, and files that are not what they should be."""

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
def test_many_decks_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And those in the climb of another change no bit."""
    sizes, path = [1, 300, 5000, 12_000], tmp_path / "climb.npz"
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


def test_a_state_serves_larger_decks(tmp_path: Path) -> None:
    """A finished climb goes on; its certificate is one for the larger deck, too."""
    path, deck, larger = tmp_path / "climb.npz", 5000, 7500
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
    result = redblack.value(2 * DECK, 2 * DECK, checkpoint=path)
    assert result == pytest.approx(redblack.value(2 * DECK, 2 * DECK), rel=1e-13)


@pytest.mark.parametrize("deck", [(20_000, 20_350), (21_000, 20_300), (60_000, 60_800)])
def test_a_state_serves_other_colours(tmp_path: Path, deck: tuple[int, int]) -> None:
    path = tmp_path / "climb.npz"
    redblack.value(20_000, 20_000, checkpoint=path)
    result = redblack.value(*deck, checkpoint=path)
    assert result == pytest.approx(redblack.value(*deck), rel=1e-10)


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


def test_a_climb_that_cannot_serve_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An error, and not a byte changed."""
    path = tmp_path / "climb.npz"
    redblack.value(5000, 5000, checkpoint=path)
    before = path.read_bytes()

    def refused(message: str, deck: int) -> None:
        with pytest.raises(ValueError, match=message) as error:
            redblack.value(deck, deck, checkpoint=path)
        assert path.name in str(error.value)
        assert "was left unchanged" in str(error.value)
        assert path.read_bytes() == before

    refused("has come too far for 4000 red and 4000 black", 4000)
    # As far as stairs are climbed one by one: up to the excess 80.
    refused("has come too far for 4590 red and 4590 black", 4590)
    with pytest.raises(ValueError, match=r"'audited': False.* not to .*True"):
        redblack.enclosure(5000, 5000, checkpoint=path)
    with monkeypatch.context() as patch:
        patch.setattr("cardgames_dp._support.checkpoints.FORMAT", 2)
        refused("has format 1, and 2 is needed", 5000)
    # The last stairs are climbed once for each deck, and are not in the file.
    for deck in (4900, 4600):
        value = redblack.value(deck, deck, checkpoint=path)
        alone = tmp_path / f"{deck}.npz"
        assert value == redblack.value(deck, deck, checkpoint=alone)
