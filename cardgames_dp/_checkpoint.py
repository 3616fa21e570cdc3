"""Checkpoints: the state of a long computation in a file, from which it can continue.

A checkpoint is an ``.npz`` archive of plain arrays, with a header that says what is
computed and a checksum of everything. It is first written to a second file, which then
replaces it, so a computation killed at any time leaves the new checkpoint or the
previous one, never a part.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import _checks

FORMAT = 1
"""Version of the file format: a state is valid for one version of an algorithm only."""

SECONDS_BETWEEN_SAVES = 10.0

_HEADER, _CHECKSUM = "header", "checksum"

Arrays = Mapping[str, NDArray[Any]]


@dataclass(slots=True)
class Checkpoint:
    """The checkpoint of one computation.

    Attributes
    ----------
    path : Path
    parameters : dict
        What is computed, in JSON's types. Only a file with the same parameters is used.
    saved : float
        The time of the last save, by `time.monotonic`.
    """

    path: Path
    parameters: Mapping[str, object]
    saved: float = field(default_factory=time.monotonic)

    @classmethod
    def of(cls, path: object, parameters: Mapping[str, object]) -> Checkpoint:
        """Return the checkpoint for an argument `checkpoint`.

        Raises
        ------
        TypeError
            If `path` is not a str or os.PathLike.
        ValueError
            If its folder does not exist, or it is a folder itself.
        """
        if not isinstance(path, (str, os.PathLike)):
            raise TypeError(
                "checkpoint must be the path of a file (str or os.PathLike), got "
                f"{_checks.described(path)}"
            )
        file = Path(os.fsdecode(path))
        if file.is_dir() or not file.parent.is_dir():
            raise ValueError(
                "checkpoint must be the path of a file in a folder that exists, got "
                f"{_checks.shown(str(file))}"
            )
        return cls(file, parameters)

    def load(self) -> Arrays | None:
        """Return the state that was saved, or None if there is no file.

        Raises
        ------
        ValueError
            If the file is damaged, or not a checkpoint of this computation. The file is
            left unchanged.
        """
        if not self.path.exists():
            return None
        try:
            with self.path.open("rb") as file, np.load(file, allow_pickle=False) as npz:
                arrays = {name: npz[name] for name in npz.files}
            header = str(arrays.pop(_HEADER))
            checksum = str(arrays.pop(_CHECKSUM))
            written = json.loads(header)["parameters"]
            version = json.loads(header)["format"]
        except Exception as error:  # a damaged archive may raise anything
            raise self.refusal("is not a whole checkpoint of cardgames_dp") from error
        if checksum != _checksum(header, arrays):
            raise self.refusal("was changed after it was written")
        if version != FORMAT:
            raise self.refusal(f"has format {version}, and {FORMAT} is needed")
        if written != json.loads(json.dumps(self.parameters)):
            raise self.refusal(f"belongs to {written}, not to {self.parameters}")
        return arrays

    def save(self, arrays: Arrays) -> None:
        """Replace the saved state."""
        header = json.dumps({"format": FORMAT, "parameters": self.parameters})
        content: dict[str, Any] = {
            **arrays,
            _HEADER: np.array(header),
            _CHECKSUM: np.array(_checksum(header, arrays)),
        }
        beside = self.path.with_name(f"{self.path.name}.{os.getpid()}.part")
        try:
            with beside.open("wb") as file:
                np.savez(file, **content)
                file.flush()
                os.fsync(file.fileno())
            beside.replace(self.path)
        finally:
            beside.unlink(missing_ok=True)
        self.saved = time.monotonic()

    @property
    def due(self) -> bool:
        """Whether it is time to save again."""
        return time.monotonic() - self.saved >= SECONDS_BETWEEN_SAVES

    def refusal(self, what: str) -> ValueError:
        """Return the error for a file with a given problem."""
        return ValueError(
            f"checkpoint {_checks.shown(str(self.path))} {what}; it was left "
            "unchanged: remove it, or give another path"
        )


def _checksum(header: str, arrays: Arrays) -> str:
    digest = hashlib.sha256(header.encode())
    for name in sorted(arrays):
        array = np.ascontiguousarray(arrays[name])
        digest.update(f"{name} {array.dtype.str} {array.shape}".encode())
        digest.update(array.tobytes())
    return digest.hexdigest()
