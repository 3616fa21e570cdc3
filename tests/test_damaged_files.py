"""Damaged files and texts of any kind: read as they were saved, or refused by name."""

from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings, strategies as st

from cardgames_dp import cardrow, diagonal, interop, redblack
from cardgames_dp._interop import value_table
from cardgames_dp._support.checkpoints import Checkpoint
from cardgames_dp.redblack import certified

from .games import RedBlack
from .hostile import compressed

SAVED = {"values": np.arange(5.0), "turns": np.array([[1, 2], [3, 4]], np.int8)}
PUBLISHED = certified.published_values()
TABLES = {path.name: path.read_bytes() for path in certified._FOLDER.iterdir()}
FEE = redblack.Rules(fee="0.05")
VALUES = {
    form: value_table.parts_of(solution)
    for form, solution in [
        ("states", diagonal.solve(RedBlack(2, 2))),
        ("arrays", diagonal.solve(redblack.game(2, 2, rules=FEE))),
    ]
}
PIECES = st.tuples(st.floats(0, 1), st.integers(0, 8), st.binary(max_size=8))
DAMAGE = st.one_of(st.binary(max_size=300), st.lists(PIECES, max_size=8))
one_folder = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


def damaged(content: bytes, damage: Any) -> bytes:
    """Return a file's content in which pieces are replaced, or something else."""
    if isinstance(damage, bytes):
        return damage
    after = bytearray(content)
    for share, size, piece in damage:
        place = round(share * len(after))
        after[place : place + size] = piece
    return bytes(after)


@contextmanager
def or_refused(by: object) -> Iterator[None]:
    """Let an error pass that names what is refused."""
    try:
        yield
    except ValueError as error:
        if str(by) not in str(error):
            raise


@one_folder
@given(damage=DAMAGE, deflated=st.booleans())
def test_checkpoints(damage: Any, deflated: bool, tmp_path: Path) -> None:
    checkpoint = Checkpoint(tmp_path / "file", {"of": "a test", "numbers": [1, 2]})
    checkpoint.save(SAVED)
    whole = checkpoint.path.read_bytes()
    written = damaged(compressed(whole) if deflated else whole, damage)
    checkpoint.path.write_bytes(written)
    with or_refused(checkpoint.path):
        result = checkpoint.load() or {}
        assert result.keys() == SAVED.keys()
        assert all(np.array_equal(result[name], SAVED[name]) for name in SAVED)


@one_folder
@given(damage=DAMAGE, name=st.sampled_from(sorted(TABLES)))
def test_published_values(damage: Any, name: str, tmp_path: Path) -> None:
    for table, content in TABLES.items():
        (tmp_path / table).write_bytes(content)
    (tmp_path / name).write_bytes(damaged(TABLES[name], damage))
    with pytest.MonkeyPatch.context() as patch, or_refused(tmp_path / name):
        patch.setattr(certified, "_FOLDER", tmp_path)
        assert certified.published_values() == PUBLISHED


@one_folder
@given(
    damage=DAMAGE,
    place=st.sampled_from([(form, x) for form in VALUES for x in sorted(VALUES[form])]),
    whole=st.booleans(),
)
@example(damage=[(0.0, 1, b"")], place=("arrays", "head"), whole=True)
def test_value_tables(
    damage: Any, place: tuple[str, str], whole: bool, tmp_path: Path
) -> None:
    """One whose arrays were changed may also be another one."""
    path, (form, name) = tmp_path / "values.npz", place
    parts = dict[str, Any](VALUES[form])
    if not whole:
        array = parts[name]
        content = damaged(array.tobytes(), damage)
        size = len(content) // array.itemsize * array.itemsize
        parts[name] = np.frombuffer(content[:size], dtype=array.dtype)
        if len(content) == array.nbytes:
            parts[name] = parts[name].reshape(array.shape)
    np.savez(path, **parts)
    if whole:
        path.write_bytes(damaged(path.read_bytes(), damage))
    with or_refused(path):
        result = interop.from_table(path)
        assert len(result.to_pandas()) == result.num_states
        assert result.to_dict(json=True)["error"] == result.error


@given(st.text() | st.text("0123456789 ,.eE+-/_akqjAKQJxnif\u0663\N{NBSP}"))
def test_rows_as_text(text: str) -> None:
    """The cards are read as Python reads numbers."""
    letters = {"A": 14, "K": 13, "Q": 12, "J": 11}
    with or_refused("cards"):
        row, _ = cardrow.Rules().worths(text)
        words = text.replace(",", " ").split()
        for card, word in zip(row, words, strict=True):
            # Not all as fractions: in 0E999999999 the power of ten would be computed.
            worth = letters.get(word.upper(), word)
            assert card == (Fraction(word) if "/" in word else Decimal(worth)), word
