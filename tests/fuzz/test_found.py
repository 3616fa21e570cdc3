"""What the session `fuzz` has found, each mended and kept here."""

import io
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cardgames_dp import _checkpoint, cardrow, explored, fitting, pairs, redblack
from cardgames_dp.game import GameError

from ..written import Cards
from .hostile import Lies

GAME = explored.explore(redblack.Rules().game(3, 3))
ARRAYS = explored.explore(Cards(3, 3))


@pytest.mark.parametrize("place", [-1, 1000, 10**400, 0.0, "nan", None, [1], {1: 2}])
def test_places_of_states_that_are_none(place: Any) -> None:
    with pytest.raises((TypeError, ValueError), match=r"^place must be "):
        GAME.actions_at(place)
    with pytest.raises((TypeError, ValueError), match=r"^places must be "):
        ARRAYS.states_at("1" if place == [1] else place)  # type: ignore[arg-type]


def test_places_of_states() -> None:
    assert GAME.actions_at(np.int8(0)) == ("stop", "draw")  # type: ignore[arg-type]
    assert ARRAYS.states_at(np.array([0])).tolist() == [[3, 3, 0]]
    assert ARRAYS.states_at([]).shape == (0, 3)  # type: ignore[arg-type]


def test_states_that_lie_about_their_number() -> None:
    with pytest.raises((TypeError, GameError), match=r"^states must hold states"):
        ARRAYS.places(Lies())  # type: ignore[arg-type]


def test_other_returns_need_not_know_whether_they_are_true() -> None:
    with pytest.raises(TypeError):
        ARRAYS.with_returns(NotImplemented)


def test_a_refusal_of_many_scores_is_short() -> None:
    solution = pairs.solve(pairs.Rules(deck=pairs.triangular(3), target=3))
    with pytest.raises(ValueError, match=r"^scores must hold an integer") as caught:
        pairs.Position(solution, scores=[1] * 10**5)
    assert len(str(caught.value)) < 400


def test_a_limit_law_of_many_arguments_takes_little_memory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It took 2.4 GiB for a million of them: 320 waves of each at once."""
    law, many = fitting.limit_law("duration"), np.linspace(0.1, 0.9, 2500)
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
    law = fitting.limit_law("duration")
    assert (law.cdf(xs) >= 0).all()
    assert (law.pdf(xs) >= 0).all()


def deflated(content: bytes) -> bytes:
    """Return the same archive as another program writes it, with a damaged stream."""
    after = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(content)) as old,
        zipfile.ZipFile(after, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        for name in old.namelist():
            new.writestr(name, old.read(name))
    damaged = bytearray(after.getvalue())
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
    checkpoint = _checkpoint.Checkpoint(tmp_path / "file", {"of": "a test"})
    checkpoint.save({"values": np.arange(9.0)})
    before = damaged(checkpoint.path.read_bytes())
    checkpoint.path.write_bytes(before)
    with pytest.raises(ValueError, match="is not a whole checkpoint") as caught:
        checkpoint.load()
    assert not isinstance(caught.value.__cause__, (ValueError, zipfile.BadZipFile))
    assert checkpoint.path.read_bytes() == before


@pytest.mark.parametrize("state", [None, "state", (0, 2, 0, ("1", "0"))])
def test_a_plan_counts_what_was_taken_in_states_only(state: Any) -> None:
    plan = cardrow.best_response([1, 5, 1], "random", goal="win")
    with pytest.raises(TypeError, match=r"^state must "):
        plan.tally(state)
