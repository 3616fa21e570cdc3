"""Coverage-guided fuzzing of what reads files: Atheris changes a whole checkpoint.

``python -m tests.fuzz.readers -runs=100000 -seed=1 -rss_limit_mb=2000``; the options
are those of libFuzzer. Whatever a file holds, it is loaded as it was saved, or refused
with a ``ValueError`` that names it.
"""

from __future__ import annotations

import io
import sys
import tempfile
import zipfile
from pathlib import Path

import atheris
import numpy as np

with atheris.instrument_imports():
    import numpy.lib.format

    from cardgames_dp import _checkpoint

PARAMETERS = {"of": "fuzzing", "numbers": [1, 2]}
FOLDER = Path(tempfile.mkdtemp(prefix="cardgames_dp-fuzz-"))
SAVED = {"values": np.arange(5.0), "turns": np.array([[1, 2], [3, 4]], np.int8)}


def whole() -> bytes:
    """Return what a checkpoint's file holds."""
    checkpoint = _checkpoint.Checkpoint(FOLDER / "whole", PARAMETERS)
    checkpoint.save(SAVED)
    return checkpoint.path.read_bytes()


def compressed(content: bytes) -> bytes:
    """Return the same archive, deflated, as another program might write it."""
    after = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(content)) as old,
        zipfile.ZipFile(after, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        for name in old.namelist():
            new.writestr(name, old.read(name))
    return after.getvalue()


SEEDS = (whole(), compressed(whole()))


def changed(data: bytes) -> bytes:
    """Return a seed in which pieces are replaced, or the data as they are."""
    given = atheris.FuzzedDataProvider(data)
    if given.ConsumeProbability() < 0.1:
        return bytes(given.ConsumeBytes(2**16))
    content = bytearray(SEEDS[given.ConsumeIntInRange(0, len(SEEDS) - 1)])
    for _ in range(given.ConsumeIntInRange(0, 8)):
        place = given.ConsumeIntInRange(0, len(content))
        size = given.ConsumeIntInRange(0, 8)
        content[place : place + size] = given.ConsumeBytes(size)
    return bytes(content)


def read(data: bytes) -> None:
    """Load one file; anything but success or a refusal is a fault."""
    path = FOLDER / "changed"
    path.write_bytes(changed(data))
    checkpoint = _checkpoint.Checkpoint(path, PARAMETERS)
    try:
        found = checkpoint.load()
    except ValueError as error:
        if str(path) not in str(error):
            raise
        return
    assert found is not None
    assert found.keys() == SAVED.keys()
    assert all(np.array_equal(found[name], SAVED[name]) for name in SAVED)


def main() -> None:
    """Run Atheris."""
    atheris.Setup(sys.argv, read)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
