"""What does not fit in memory is refused with its size."""

import os

import pytest

from cardgames_dp import _memory, _walk, exact, redblack


def test_too_large_says_how_large_and_what_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(_memory, "physical_memory", lambda: 3 * 2**30)
    with pytest.raises(
        _memory.TooLargeError,
        match=r"^a cake needs about 2 MiB of memory, more than max_bytes, 1 KiB; eat",
    ):
        _memory.refuse_too_large("a cake", 2 * 2**20, "eat bread", 1024)
    _memory.refuse_too_large("a cake", 1024, "eat bread", 1024)
    half = "PiB of memory, more than half of this machine's memory, 1.5 GiB; eat"
    with pytest.raises(_memory.TooLargeError, match=half):
        _memory.refuse_too_large("a cake", 2**60, "eat bread")


@pytest.mark.skipif(not hasattr(os, "sysconf"), reason="POSIX has it")
def test_this_machine_tells_its_memory() -> None:
    memory = _memory.physical_memory()
    assert memory is not None
    assert memory > 2**20


@pytest.mark.parametrize("how", ["none", "unknown name", "no answer"])
def test_a_system_that_does_not_tell_its_memory(
    how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on Windows, which has no sysconf: 2 GiB, or what you say."""

    def unknown(name: str) -> int:
        raise ValueError(f"unrecognized configuration name {name}")

    if how == "none":
        monkeypatch.delattr("os.sysconf", raising=False)
    else:
        answer = unknown if how == "unknown name" else lambda name: -1
        monkeypatch.setattr("os.sysconf", answer, raising=False)
    assert _memory.physical_memory() is None
    _memory.refuse_too_large("a cake", 2**31, "eat bread")
    _memory.refuse_too_large("a cake", 2**40, "eat bread", 2**40)
    with pytest.raises(_memory.TooLargeError, match="more than max_bytes, 1 TiB"):
        _memory.refuse_too_large("a cake", 2**40 + 1, "eat bread", 2**40)
    words = "more than the limit on a system that does not tell its memory, 2 GiB; eat"
    with pytest.raises(_memory.TooLargeError, match=words):
        _memory.refuse_too_large("a cake", 2**31 + 1, "eat bread")
    monkeypatch.setattr(_walk, "STATE_BYTES", 2**30)
    words = "more states than the limit on a system .* memory holds, 2 of about"
    with pytest.raises(exact.TooManyStatesError, match=words):
        exact.solve(redblack.Rules().game(3, 3))
