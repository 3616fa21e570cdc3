"""Estimate the memory of a request before it begins, and refuse what does not fit."""

from __future__ import annotations

import math
import os

from cardgames_dp._effort import real


class TooLargeError(ValueError, MemoryError):
    """A request would not fit in memory; the message says its size, and what to do.

    Examples
    --------
    >>> from cardgames_dp import redblack
    >>> redblack.solve(26, 26, max_bytes=1000)
    Traceback (most recent call last):
        ...
    cardgames_dp.TooLargeError: a table of 27 x 27 states needs about \
7.119 KiB of memory, more than max_bytes, 1000 bytes; use value(...), \
thresholds(...), payoff_law(...), which need no table
    """

    __module__ = "cardgames_dp"  # its only public home, which tracebacks name


def refuse_too_large(
    what: str, needed: int, instead: str, max_bytes: int | None = None
) -> None:
    """Raise `TooLargeError` if `needed` bytes exceed the limit.

    Parameters
    ----------
    what : str
        What was asked for, with its size, for the message.
    needed : int
        The bytes that it takes.
    instead : str
        What to do instead, for the message.
    max_bytes : int, optional
        The limit, up to this machine's memory; if not given, half of that memory, or
        2 GiB if the system does not tell it.
    """
    limit, whose = allowance()
    if max_bytes is not None:
        memory = physical_memory()
        if memory is None or max_bytes <= memory:
            limit, whose = max_bytes, "max_bytes"
        else:
            limit, whose = memory, "this machine's memory"
    if needed > limit:
        raise TooLargeError(
            f"{what} needs about {_readable(needed)} of memory, more than {whose}, "
            f"{_readable(limit)}; {instead}"
        )


def allowance() -> tuple[int, str]:
    """Return how many bytes a request may take by default, and what this limit is."""
    memory = physical_memory()
    if memory is None:
        return 2 * 2**30, "the limit on a system that does not tell its memory"
    return memory // 2, "half of this machine's memory"


def physical_memory() -> int | None:
    """Return the bytes of memory of this machine, or None if it does not tell."""
    try:
        page, pages = os.sysconf("SC_PAGE_SIZE"), os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):  # not a POSIX system, as Windows
        return None
    return page * pages if pages > 0 else None


def _readable(size: int) -> str:
    value = real(size)
    for unit in ("bytes", "KiB", "MiB", "GiB", "TiB"):
        if value < 1024:
            return f"{value:.4g} {unit}"
        value /= 1024
    return "1e300 PiB" if value == math.inf else f"{value:.4g} PiB"
