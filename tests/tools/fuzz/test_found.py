"""What the tool `fuzz` has found, each mended and kept; refusals in ``found.txt``."""

import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cardgames_dp import cardrow, exact, fitting, interop, pairs, play, redblack
from cardgames_dp._graph import explored
from cardgames_dp._support import checkpoints

from ... import told
from ...written import Cards, RedBlack
from .hostile import Lies, Toss, compressed

GAME = explored.explore(RedBlack(3, 3))
NAMED = explored.explore(redblack.game(3, 3))
ARRAYS = explored.explore(Cards(3, 3))
WEIGHTS: list[str | int] = ["1e400", 1, 1, 1]
HEAVY = cardrow.Rules(weights=WEIGHTS)
NAMES: dict[str, Any] = {
    each.__name__.removeprefix("cardgames_dp."): each
    for each in (cardrow, exact, interop, pairs, play, redblack, Lies, Toss)
} | {
    "GAME": GAME,
    "NAMED": NAMED,
    "ARRAYS": ARRAYS,
    "HEAVY": HEAVY,
    "MANY": range(10**18),
    "ONES": np.lib.stride_tricks.as_strided(np.ones(1), (10**12,), (0,)),
    "PAIRS": pairs.solve(pairs.Rules(deck=3, target=3)),
}
LINES = [*told.table(Path(__file__).with_name("found.txt"))]


@pytest.mark.parametrize("line", LINES, ids=str)
def test_refused(line: told.Told) -> None:
    line.check(NAMES)


def test_a_limit_distribution_of_many_arguments_takes_little_memory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It took 2.4 GiB for a million of them: 320 waves of each at once."""
    law, many = fitting.LimitDistribution("duration"), np.linspace(0.1, 0.9, 2500)
    largest = []
    exp = np.exp

    def watched(x: Any, *args: Any, **kwargs: Any) -> Any:
        largest.append(np.size(x))
        return exp(x, *args, **kwargs)

    monkeypatch.setattr(np, "exp", watched)
    found = law.cdf(many)
    assert max(largest) < 500 * len(many)
    assert found[[0, 999, 1000, 2499]] == pytest.approx(
        [float(law.cdf(x)) for x in many[[0, 999, 1000, 2499]]], rel=1e-14
    )


def test_probabilities_of_next_to_nothing_are_not_negative() -> None:
    """They were, by some 1e-20; a test of random shares met one."""
    xs = np.linspace(0.0001, 0.02, 400)
    law = fitting.LimitDistribution("duration")
    assert (law.cdf(xs) >= 0).all()
    assert (law.pdf(xs) >= 0).all()


def deflated(content: bytes) -> bytes:
    """Return the same archive as another program writes it, with a damaged stream."""
    damaged = bytearray(compressed(content))
    damaged[45:60] = b"\xff" * 15
    return bytes(damaged)


def encrypted(content: bytes) -> bytes:
    """Return an archive whose directory says that a password is needed."""
    damaged = bytearray(content)
    for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        place = damaged.index(signature)
        damaged[place + offset] |= 1
    return bytes(damaged)


@pytest.mark.parametrize("damaged", [deflated, encrypted])
def test_checkpoints_that_are_damaged_in_the_archive(
    damaged: Callable[[bytes], bytes], tmp_path: Path
) -> None:
    """They raised errors of zlib, and a RuntimeError of zipfile."""
    checkpoint = checkpoints.Checkpoint(tmp_path / "file", {"of": "a test"})
    checkpoint.save({"values": np.arange(9.0)})
    before = damaged(checkpoint.path.read_bytes())
    checkpoint.path.write_bytes(before)
    with pytest.raises(ValueError, match="is not a whole checkpoint") as caught:
        checkpoint.load()
    assert not isinstance(caught.value.__cause__, (ValueError, zipfile.BadZipFile))
    assert checkpoint.path.read_bytes() == before
