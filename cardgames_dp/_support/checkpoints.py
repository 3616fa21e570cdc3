"""Checkpoints: the state of a long computation in a file, from which it can continue.

A checkpoint is an ``.npz`` archive of plain arrays, with a header that says what is
computed and a checksum of everything. It is replaced as a whole, so a computation
killed at any time leaves the new checkpoint or the previous one, never a part. A
computation never fails for want of a checkpoint: where one cannot be written, because
the disk is full, for one, it warns and goes on.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import time
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._support import arguments
from cardgames_dp._support.files import path_of, read_arrays, replacing, writable
from cardgames_dp._support.running import TooLargeError

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

    @property
    def target(self) -> Path:
        """The file itself: a symbolic link stays, and what it points to is replaced."""
        return Path(os.path.realpath(self.path))

    @classmethod
    def of(cls, path: object, parameters: Mapping[str, object]) -> Checkpoint:
        """Return the checkpoint for an argument `checkpoint`.

        Raises
        ------
        TypeError
            If `path` is not a str or os.PathLike.
        ValueError
            If its folder does not exist; it is there and no file; or it is read-only,
            or its folder is, so that it could not be replaced.
        """
        checkpoint = cls(path_of("checkpoint", path), parameters)
        file, got = checkpoint.target, f"got {arguments.shown(str(checkpoint.path))}"
        if (file.exists() and not file.is_file()) or not file.parent.is_dir():
            raise ValueError(
                "checkpoint must be the path of a file in a folder that exists, " + got
            )
        for place in (file, file.parent):
            if place.exists() and not writable(place):
                raise ValueError(
                    f"checkpoint must be a file that can be replaced, {got}: "
                    f"{arguments.shown(str(place))} is read-only"
                )
        return checkpoint

    def load(self) -> Arrays | None:
        """Return the state that was saved, or None if there is no file.

        What saves that were killed have left behind is removed.

        Raises
        ------
        ValueError
            If the file is damaged, or not a checkpoint of this computation. The file is
            left unchanged.
        TooLargeError
            If its arrays would not fit in memory.
        """
        target = self.target
        part = re.compile(rf"{re.escape(target.name)}\.\d+\.part")
        for file in target.parent.iterdir():
            if part.fullmatch(file.name):
                # If it was not left but is being written, that save warns and goes on.
                with contextlib.suppress(OSError):
                    file.unlink()
        if not self.path.exists():
            return None
        try:
            arrays = read_arrays(self.path)
            header = str(arrays.pop(_HEADER))
            checksum = str(arrays.pop(_CHECKSUM))
            written = json.loads(header)["parameters"]
            version = json.loads(header)["format"]
        except TooLargeError:
            raise
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
        """Replace the saved state, or warn that it cannot be."""
        header = json.dumps({"format": FORMAT, "parameters": self.parameters})
        content: dict[str, Any] = {
            **arrays,
            _HEADER: np.array(header),
            _CHECKSUM: np.array(_checksum(header, arrays)),
        }
        try:
            with replacing(self.path) as file:
                np.savez(file, **content)
        except OSError as error:
            warnings.warn(
                f"checkpoint {arguments.shown(str(self.path))} could not be saved: "
                f"{error.strerror or error}; the computation goes on, and what was "
                "saved before is unchanged",
                RuntimeWarning,
                stacklevel=2,
            )
        self.saved = time.monotonic()

    @property
    def due(self) -> bool:
        """Whether it is time to save again."""
        return time.monotonic() - self.saved >= SECONDS_BETWEEN_SAVES

    def refusal(self, what: str) -> ValueError:
        """Return the error for a file with a given problem."""
        return ValueError(
            f"checkpoint {arguments.shown(str(self.path))} {what}; it was left "
            "unchanged: remove it, or give another path"
        )


def _checksum(header: str, arrays: Arrays) -> str:
    digest = hashlib.sha256(header.encode())
    for name in sorted(arrays):
        array = np.ascontiguousarray(arrays[name])
        digest.update(f"{name} {array.dtype.str} {array.shape}".encode())
        digest.update(array.tobytes())
    return digest.hexdigest()
