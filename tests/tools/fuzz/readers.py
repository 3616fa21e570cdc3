"""Coverage-guided fuzzing of what reads: checkpoints, packaged tables, rows as text.

``python -m tests.tools fuzz.readers -runs=100000 -seed=1 -rss_limit_mb=2000``; the
options are those of libFuzzer. Whatever Atheris makes of a file, it is loaded as it was
saved, or refused with a ``ValueError`` that names it. (The tables of Pairs are
checkpoints.) A value table whose arrays were changed may also be another one. Whatever
it makes of a text, the cards in it are read as Python would, or refused.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import atheris
import numpy as np

with atheris.instrument_imports():
    import numpy.lib.format

    from cardgames_dp import cardrow, diagonal, interop, redblack
    from cardgames_dp._interop import value_table
    from cardgames_dp._support import checkpoints
    from cardgames_dp.redblack import certified

from .hostile import compressed

PARAMETERS = {"of": "fuzzing", "numbers": [1, 2]}
FOLDER = Path(tempfile.mkdtemp(prefix="cardgames_dp-fuzz-"))
SAVED = {"values": np.arange(5.0), "turns": np.array([[1, 2], [3, 4]], np.int8)}


def whole() -> bytes:
    """Return what a checkpoint's file holds."""
    checkpoint = checkpoints.Checkpoint(FOLDER / "whole", PARAMETERS)
    checkpoint.save(SAVED)
    return checkpoint.path.read_bytes()


SEEDS = [whole(), compressed(whole())]

TABLES = {path.name: path.read_bytes() for path in certified._FOLDER.iterdir()}
certified._FOLDER = FOLDER
for name, content in TABLES.items():
    (FOLDER / name).write_bytes(content)
PUBLISHED = certified.published_values()


def changed(content: bytes, given: atheris.FuzzedDataProvider) -> bytes:
    """Return a file's content in which pieces are replaced, or something else."""
    if given.ConsumeProbability() < 0.1:
        return bytes(given.ConsumeBytes(2**16))
    after = bytearray(content)
    for _ in range(given.ConsumeIntInRange(0, 8)):
        place = given.ConsumeIntInRange(0, len(after))
        size = given.ConsumeIntInRange(0, 8)
        after[place : place + size] = given.ConsumeBytes(size)
    return bytes(after)


def load_checkpoint(given: atheris.FuzzedDataProvider) -> None:
    """Load a changed checkpoint; anything but success or a refusal is a fault."""
    path = FOLDER / "changed"
    path.write_bytes(changed(given.PickValueInList(SEEDS), given))
    try:
        found = checkpoints.Checkpoint(path, PARAMETERS).load()
    except ValueError as error:
        if str(path) not in str(error):
            raise
        return
    assert found is not None
    assert found.keys() == SAVED.keys()
    assert all(np.array_equal(found[name], SAVED[name]) for name in SAVED)


def load_table(given: atheris.FuzzedDataProvider) -> None:
    """Load the published values when one of their files was changed."""
    path = FOLDER / given.PickValueInList(sorted(TABLES))
    path.write_bytes(changed(TABLES[path.name], given))
    try:
        assert certified.published_values() == PUBLISHED
    except ValueError as error:
        if str(path) not in str(error):
            raise
    finally:
        path.write_bytes(TABLES[path.name])


VALUES = value_table.parts_of(diagonal.solve(redblack.Rules(fee="0.05").game(2, 2)))


def load_values(given: atheris.FuzzedDataProvider) -> None:
    """Load a value table whose archive, or one of whose arrays, was changed."""
    path, parts = FOLDER / "values.npz", dict[str, Any](VALUES)
    name = given.PickValueInList(sorted(parts))
    array = parts[name]
    content = changed(array.tobytes(), given)
    whole = len(content) // array.itemsize * array.itemsize
    parts[name] = np.frombuffer(content[:whole], dtype=array.dtype)
    if len(content) == array.nbytes:
        parts[name] = parts[name].reshape(array.shape)
    np.savez(path, **parts)
    if given.ConsumeBool():
        path.write_bytes(changed(path.read_bytes(), given))
    try:
        found = interop.from_table(path)
    except ValueError as error:
        if str(path) not in str(error):
            raise
        return
    assert len(found.to_dict(json=True)["state"]) == found.num_states


def read_text(given: atheris.FuzzedDataProvider) -> None:
    """Read a row of cards from a text of any characters, or of those that are usual."""
    if given.ConsumeBool():
        text = given.ConsumeUnicode(100)
    else:
        usual = "0123456789 ,.eE+-/_akqjAKQJxnif\u0663\N{NBSP}"
        length = given.ConsumeIntInRange(0, 60)
        text = "".join(given.PickValueInList(list(usual)) for _ in range(length))
    letters = {"A": 14, "K": 13, "Q": 12, "J": 11}
    try:
        row, _ = cardrow.Rules().worths(text)
    except ValueError as error:
        if not str(error).startswith("cards"):
            raise
        return
    words = text.replace(",", " ").split()
    assert len(row) == len(words)
    for card, word in zip(row, words, strict=True):
        # Not all as fractions: in 0E999999999 the power of ten would be computed.
        worth = letters.get(word.upper(), word)
        number = Fraction(word) if "/" in word else Decimal(worth)
        assert card == number, word


READERS: list[Callable[[atheris.FuzzedDataProvider], None]] = [
    load_checkpoint,
    load_table,
    load_values,
    read_text,
]


def read(data: bytes) -> None:
    """Try one of the readers."""
    given = atheris.FuzzedDataProvider(data)
    given.PickValueInList(READERS)(given)


def main() -> None:
    """Run Atheris."""
    atheris.Setup(sys.argv, read)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
