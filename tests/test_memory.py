"""What does not fit in memory is refused with its size."""

import pytest

from cardgames_dp import _memory


def test_too_large_says_how_large_and_what_else() -> None:
    with pytest.raises(
        _memory.TooLargeError,
        match=r"^a cake needs about 2 MiB of memory, more than max_bytes, 1 KiB; eat",
    ):
        _memory.refuse_too_large("a cake", 2 * 2**20, "eat bread", 1024)
    _memory.refuse_too_large("a cake", 1024, "eat bread", 1024)
    half = r"PiB of memory, more than half of this machine's memory, [\d.]+ \wiB; eat"
    with pytest.raises(_memory.TooLargeError, match=half):
        _memory.refuse_too_large("a cake", 2**60, "eat bread")


def test_memory_of_a_machine_that_does_not_tell(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert _memory.physical_memory() > 2**20
    monkeypatch.delattr("os.sysconf")
    assert _memory.physical_memory() == 4 * 2**30
