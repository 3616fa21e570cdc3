"""Files: replaced as a whole, read within the limits of memory, or refused by name."""

import io
import os
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cardgames_dp
from cardgames_dp import exact, interop, redblack
from cardgames_dp._support.checkpoints import Checkpoint
from cardgames_dp._support.files import read_arrays, replacing

SMALL = exact.solve(redblack.game(2, 2))
LARGE = exact.solve(redblack.game(20, 20))
Writer = Callable[[Path], None]


def member(head: bytes, content: bytes = b"") -> bytes:
    """Return an array of NumPy's format, with any head."""
    return b"\x93NUMPY\x01\x00" + len(head).to_bytes(2, "little") + head + content


def described(shape: str, kind: str = "|u1") -> bytes:
    return f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}}}".encode()


def archive(path: Path, *members: tuple[str, bytes], **options: Any) -> None:
    with zipfile.ZipFile(path, "w", **options) as file:
        for name, content in members:
            file.writestr(name, content)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "some.npz"


# Written
# -------


@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError, MemoryError])
def test_what_fails_in_its_midst_leaves_nothing(
    path: Path, error: type[BaseException]
) -> None:
    path.write_bytes(b"old")

    def write() -> None:
        with replacing(path) as file:
            file.write(b"new")
            raise error

    with pytest.raises(error):
        write()
    assert path.read_bytes() == b"old"
    assert [*path.parent.iterdir()] == [path]


@pytest.mark.skipif(sys.platform == "win32", reason="open files stay there")
def test_the_old_file_is_never_written_to(path: Path) -> None:
    interop.to_table(SMALL, path)
    before = path.read_bytes()
    with path.open("rb") as old:
        interop.to_table(LARGE, path)
        assert old.read() == before


def _folder(path: Path) -> None:
    path.mkdir()


def _pipe(path: Path) -> None:
    os.mkfifo(path)


def _read_only(path: Path) -> None:
    path.write_bytes(b"old")
    path.chmod(0o444)


@pytest.mark.skipif(sys.platform == "win32", reason="modes and pipes are of POSIX")
@pytest.mark.parametrize("make", [_folder, _pipe, _read_only])
def test_what_must_not_be_replaced(path: Path, make: Writer) -> None:
    """The place of /dev/null would be taken by a table."""
    make(path)
    before = path.lstat()
    with pytest.raises(OSError, match=r"some\.npz'$"):
        interop.to_table(SMALL, path)
    assert path.lstat() == before
    assert [*path.parent.iterdir()] == [path]


def test_a_folder_that_is_missing_is_named_before_any_work(path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"missing/some\.npz'$"):
        interop.to_table(None, path.parent / "missing" / "some.npz")  # type: ignore[arg-type]


# Read
# ----

HUGE = 10**12

BAD: dict[str, tuple[tuple[str, bytes], ...]] = {
    "a head that says more": (("a.npy", member(described(f"({HUGE},)"), b"1")),),
    "a head that says less": (("a.npy", member(described("(1,)"), b"12")),),
    "items of no size": (("a.npy", member(described(f"({HUGE},)", "|S0"))),),
    "a negative shape": (("a.npy", member(described("(-1, -1)"), b"1")),),
    "objects": (("a.npy", member(described("(1,)", "|O"), b"\x80\x04N.")),),
    "a nested head": (("a.npy", member(b"(" * 9000)),),
    "a long number": (("a.npy", member(described(f"({'9' * 5000},)"))),),
    "no array": (("a.npy", b"text"),),
    "twice": (("a.npy", member(described("(0,)"))),) * 2,
    "another name": (("b.npy", member(described("(0,)"))),),
}


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize("members", BAD.values(), ids=BAD)
def test_arrays_that_are_refused(
    path: Path, members: tuple[tuple[str, bytes], ...]
) -> None:
    archive(path, *members)
    with pytest.raises(ValueError, match=r"some\.npz"):
        interop.from_table(path)
    with pytest.raises(ValueError, match=r"some\.npz"):
        Checkpoint(path, {}).load()


@pytest.mark.parametrize("name", ["a head that says more", "a head that says less"])
def test_a_size_that_differs_is_refused_first(path: Path, name: str) -> None:
    archive(path, *BAD[name])
    with pytest.raises(ValueError, match="another size than its head says"):
        read_arrays(path, ["a"])


def test_another_compression_is_refused(path: Path) -> None:
    whole = member(described("(3,)"), b"123")
    archive(path, ("a.npy", whole), compression=zipfile.ZIP_LZMA)
    with pytest.raises(ValueError, match="compressed"):
        read_arrays(path)
    archive(path, ("a.npy", whole), compression=zipfile.ZIP_DEFLATED)
    assert read_arrays(path)["a"].tolist() == [*b"123"]


@pytest.mark.parametrize(
    ("name", "read"),
    [
        ("values", interop.from_table),
        ("header", lambda path: Checkpoint(path, {}).load()),
    ],
)
def test_what_would_not_fit_is_refused_first(
    path: Path,
    name: str,
    read: Callable[[Path], Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A megabyte of zeros takes a kilobyte; it is not unpacked."""
    size = 2**20
    content = member(described(f"({size},)"), bytes(size))
    archive(path, (f"{name}.npy", content), compression=zipfile.ZIP_DEFLATED)
    assert path.stat().st_size < 2**12
    monkeypatch.setattr(np.lib.format, "read_array", pytest.fail)
    with (
        cardgames_dp.running(max_bytes=2**19),
        pytest.raises(cardgames_dp.TooLargeError, match=r"reading '.*some\.npz' needs"),
    ):
        read(path)


def test_a_file_that_says_less_than_it_holds(path: Path) -> None:
    """No more is unpacked than the archive's directory says."""
    size = 2**20
    content = member(described(f"({size},)"), bytes(size))
    archive(path, ("a.npy", content), compression=zipfile.ZIP_DEFLATED)
    small = (1000).to_bytes(4, "little")
    whole = path.read_bytes().replace(len(content).to_bytes(4, "little"), small)
    path.write_bytes(whole)
    with pytest.raises(zipfile.BadZipFile, match="CRC"):
        read_arrays(path)


def test_arrays_are_as_numpy_wrote_them(path: Path) -> None:
    arrays: dict[str, Any] = {
        "many": np.arange(6.0).reshape(2, 3).T,
        "none": np.zeros((0, 3), np.int8),
        "text": np.array("x"),
        "long": np.array([1], np.longdouble),
    }
    for write in (np.savez, np.savez_compressed):
        file = io.BytesIO()
        write(file, **arrays)
        path.write_bytes(file.getvalue())
        result = read_arrays(path, arrays)
        assert result.keys() == arrays.keys()
        for name, array in arrays.items():
            assert result[name].dtype == array.dtype
            assert np.array_equal(result[name], array)
            assert result[name].flags.writeable
