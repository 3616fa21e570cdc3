"""Solving that is interrupted goes on from its checkpoint, to the same bits."""

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cardgames_dp import pairs
from cardgames_dp._support.checkpoints import Arrays, Checkpoint
from cardgames_dp.pairs._kernels import induction, positions
from cardgames_dp.pairs.rounds import solved_by_pairs

RULES = pairs.Rules(players=3, deck=4, target=6)
KINDS = {
    "three": RULES,
    "hit": dataclasses.replace(RULES, tie="hit", target=4),
    "exhausted": pairs.Rules(deck=3, target=5, reshuffle="exhausted"),
    "essay": pairs.Rules(deck=3, target=5, reshuffle="essay"),
    "lowest": pairs.Rules(players=3, deck=3, target=4, deal=1, first="lowest"),
}


class Interrupted(Exception):
    """Raised in the place of a power cut."""


@pytest.mark.parametrize("kind", KINDS)
def test_interrupted(kind: str, tmp_path: Path, monkeypatch: Any) -> None:
    """And what is done is not done again."""
    rules, file = KINDS[kind], tmp_path / "table.npz"
    at_once, save = pairs.solve(rules), Checkpoint.save
    for after in (0, 2, 1):
        saved = iter(range(after))

        def interrupted(self: Checkpoint, arrays: Arrays, saved: Any = saved) -> None:
            save(self, arrays)
            if next(saved, None) is None:
                raise Interrupted

        with monkeypatch.context() as patch:
            patch.setattr(Checkpoint, "save", interrupted)
            with pytest.raises(Interrupted):
                pairs.solve(rules, checkpoint=file)
    with np.load(file) as state:
        assert state["totals"] == 6  # one, three and two of them
    at_last = pairs.solve(rules, checkpoint=file)
    assert at_last == at_once
    one, other = (pairs.score_table(x) for x in (at_last, at_once))
    assert one.table.tobytes() == other.table.tobytes()
    assert (one.ties, one.smallest_lead) == (other.ties, other.smallest_lead)

    def starts(*_: object) -> Any:
        raise AssertionError

    monkeypatch.setattr(induction.Block, "starts", starts)
    with pytest.raises(AssertionError):
        pairs.solve(rules)
    assert pairs.solve(rules, checkpoint=str(file)) == at_once


def test_other_games_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "table.npz"
    pairs.solve(RULES, checkpoint=file)
    written = file.read_bytes()
    for change in ({"tie": "hit"}, {"target": 7}, {"tie": "rounding"}):
        rules = dataclasses.replace(RULES, **change)
        with pytest.raises(ValueError, match=r"checkpoint '.*' belongs to .*, not to"):
            pairs.solve(rules, checkpoint=file)
    file.write_bytes(written[:-7])
    with pytest.raises(ValueError, match="is not a whole checkpoint"):
        pairs.solve(RULES, checkpoint=file)
    assert file.read_bytes() == written[:-7]


@pytest.mark.parametrize("kept", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_portions(kind: str, kept: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bit for bit the same, however a layer is cut, its sparse arrays kept or not."""
    rules = KINDS[kind]
    usual = pairs.solve(rules)
    for room in (induction, positions):
        monkeypatch.setattr(room, "MOST_ROWS", 16)
    if not kept:
        monkeypatch.setattr(positions, "MOST_KEPT", 0)
    monkeypatch.setattr(induction, "_PORTION_CELLS", 1)
    small = pairs.solve(rules)
    cut = solved_by_pairs(small).sweep.positions.layers[1]
    assert (cut.made is not None) == kept
    assert not kept or cut.made
    one, other = (pairs.score_table(x).table for x in (small, usual))
    assert one.tobytes() == other.tobytes()
