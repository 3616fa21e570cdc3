"""Files: replaced as a whole or not at all, and read within the limits of memory."""

from __future__ import annotations

import errno
import os
import shutil
import threading
import zipfile
from collections.abc import Container, Iterator
from contextlib import contextmanager, suppress
from math import prod
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._support import arguments
from cardgames_dp._support.running import refuse_too_large

_HEADS: dict[tuple[int, int], Any] = {
    (1, 0): np.lib.format.read_array_header_1_0,
    (2, 0): np.lib.format.read_array_header_2_0,
}
_METHODS = zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED
"""Those of NumPy. Others may take much memory of their own."""


def path_of(name: str, value: object) -> Path:
    """Return an argument that is the path of a file."""
    if not isinstance(value, (str, os.PathLike)):
        must = f"{name} must be the path of a file (str or os.PathLike)"
        raise arguments.wrong_type(must, value)
    return Path(os.fsdecode(value))


@contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """Yield a file to be written, which takes the place of that at `path` in the end.

    If anything fails, the old file is unchanged, and nothing is left beside it. A
    symbolic link stays, and the file to which it points is replaced.

    Raises
    ------
    OSError
        If the file cannot be written or replaced; the error names it.
    """
    target = Path(os.path.realpath(path))
    # Several threads may write the same file.
    number = f"{os.getpid()}{threading.get_ident()}"
    beside = target.with_name(f"{target.name}.{number}.part")
    try:
        if target.exists():
            if not target.is_file():  # a folder, or a pipe or device, which would go
                raise OSError(errno.EINVAL, "Not a regular file")
            if not writable(target):
                raise PermissionError(errno.EACCES, "Read-only file")
        with beside.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            shutil.copymode(target, beside)
        beside.replace(target)
    except OSError as error:
        why = error.strerror or str(error)
        raise OSError(error.errno, why, os.fspath(path)) from error
    finally:
        with suppress(OSError):
            beside.unlink()


def writable(place: Path) -> bool:
    """Return whether a file, by its own mode too, or a folder can be written to."""
    # A superuser may write anywhere; a file that is marked is to be kept all the same.
    marked = place.is_file() and not place.stat().st_mode & 0o222
    return os.access(place, os.W_OK) and not marked


def read_arrays(
    path: Path, names: Container[str] | None = None, *, factor: int = 1
) -> dict[str, NDArray[Any]]:
    """Return the arrays of an ``.npz`` file, which must not be objects.

    Their sizes, in the directory of the archive and in the head of each array, must
    agree, and are held against the limit of memory before any of them is read.

    Parameters
    ----------
    path : Path
    names : container of str, optional
        The names of all arrays that the file may have; any if not given.
    factor : int, default 1
        The memory that the caller takes in all, in sizes of the arrays.

    Raises
    ------
    TooLargeError
        If the arrays would not fit in memory.
    Exception
        Of any kind, if the file is damaged.
    """
    with path.open("rb") as file, zipfile.ZipFile(file) as archive:
        members = {
            member.filename.removesuffix(".npy"): member
            for member in archive.infolist()
        }
        if len(members) < len(archive.infolist()):
            raise ValueError("an array is there twice")
        if any(member.header_offset < 0 for member in archive.infolist()):
            raise ValueError("its beginning is missing")  # not an OSError of seeking
        for name in members:
            if names is not None and name not in names:
                raise ValueError(f"an unknown array, {arguments.shown(name)}")
        refuse_too_large(
            f"reading {arguments.shown(str(path))}",
            factor * sum(member.file_size for member in members.values()),
            "if you trust the file, allow more by cardgames_dp.running(max_bytes=...)",
        )
        return {name: _array(archive, member) for name, member in members.items()}


def _array(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> NDArray[Any]:
    """Return an array of an archive, whose head must agree with its size there."""
    if member.compress_type not in _METHODS:
        raise ValueError("an array is compressed in another way than by NumPy")
    with archive.open(member) as file:
        version = np.lib.format.read_magic(file)
        shape, _, dtype = _HEADS[version](file)
        size = prod(shape) * dtype.itemsize
        if dtype.hasobject or not dtype.itemsize or min(shape, default=0) < 0:
            raise ValueError(f"an array of {dtype} and shape {shape}")
        if size != member.file_size - file.tell():
            raise ValueError("an array of another size than its head says")
    with archive.open(member) as file:
        array: NDArray[Any] = np.lib.format.read_array(file, allow_pickle=False)
    return array
