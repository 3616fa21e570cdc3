"""How the library runs: bars, limits of memory, and optional packages.

What `cardgames_dp.running` sets (in `cardgames_dp._support.settings`) is read where a
bar is made or a size is refused, and `executors` hands it on to workers.
"""

from __future__ import annotations

import importlib.util
import math
import os
import sys
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar

resource: Any
try:
    import resource
except ModuleNotFoundError:  # not a POSIX system, as Windows
    resource = None

T = TypeVar("T")

Progress: TypeAlias = Literal[True, False, "auto"]

_SECONDS_UNTIL_SHOWN = 3.0
"""Seconds after which a bar shows itself in an interactive session."""


class Setting(NamedTuple):
    """What `cardgames_dp.running` sets."""

    progress: Progress = "auto"
    max_bytes: int | None = None


_USUAL = Setting()
setting: ContextVar[Setting] = ContextVar("cardgames_dp.running", default=_USUAL)


# Bars

_open: list[object] = []
"""The bar that is open in the main thread; there is never more than one."""


@contextmanager
def progress_bar(total: int | None, unit: str) -> Iterator[Any | None]:
    """Yield a bar of tqdm, or None where none is to be seen.

    Within another bar there is none, nor in other threads than the main one.

    Parameters
    ----------
    total : int or None
        The number of steps, if it is known.
    unit : str
        The unit of a step, in the plural.
    """
    options = _bar_options()
    if options is None:
        yield None
        return
    tqdm = require("tqdm", extra="progress", purpose="progress=True")
    with warnings.catch_warnings():
        # A notebook without widgets shows a text bar instead, which is fine.
        warnings.simplefilter("ignore", tqdm.TqdmWarning)
        made = require("tqdm.auto", extra="progress", purpose="progress=True").tqdm
    with made(total=total, unit=f" {unit}", unit_scale=True, **options) as bar:
        _open.append(bar)
        try:
            yield bar
        finally:
            _open.remove(bar)


def with_progress(
    steps: Iterable[T],
    total: int | None,
    unit: str,
    size: Callable[[T], int] = lambda _: 1,
) -> Iterable[T]:
    """Return the steps of a loop, with a bar that counts them where one is shown.

    A step counts as much as `size` says.
    """
    return (
        steps if _bar_options() is None else _steps_with_bar(steps, total, unit, size)
    )


def _steps_with_bar(
    steps: Iterable[T], total: int | None, unit: str, size: Callable[[T], int]
) -> Iterator[T]:
    with progress_bar(total, unit) as bar:
        for step in steps:
            yield step
            if bar is not None:
                bar.update(size(step))


def _bar_options() -> dict[str, Any] | None:
    """Return options of tqdm for a bar, or None if there is to be none."""
    progress = setting.get().progress
    if (
        progress is False
        or _open
        or threading.current_thread() is not threading.main_thread()
    ):
        return None
    # A notebook shows stderr in red, as if it were an error.
    in_notebook = type(sys.stderr).__module__.startswith("ipykernel.")
    file = {"file": sys.stdout} if in_notebook else {}
    if progress is True:
        return file
    if not is_interactive() or importlib.util.find_spec("tqdm") is None:
        return None
    return {"delay": _SECONDS_UNTIL_SHOWN, "leave": False, **file}


def is_interactive() -> bool:
    """Return whether somebody sits at a prompt, of Python, IPython or a notebook."""
    return hasattr(sys, "ps1") or bool(sys.flags.interactive)


# Memory


class TooLargeError(ValueError, MemoryError):
    """A request would not fit in memory; the message says its size, and what to do.

    Examples
    --------
    >>> import cardgames_dp
    >>> from cardgames_dp import redblack
    >>> with cardgames_dp.running(max_bytes=1000):
    ...     redblack.solve(100, 100)
    Traceback (most recent call last):
        ...
    cardgames_dp.TooLargeError: ...
    """

    __module__ = "cardgames_dp"  # its only public home, which tracebacks name


def refuse_too_large(what: str, needed: int, instead: str) -> None:
    """Raise `TooLargeError` if `needed` bytes exceed the limit.

    Parameters
    ----------
    what : str
        What was asked for, with its size, for the message.
    needed : int
        The bytes that it takes.
    instead : str
        What to do instead, for the message.
    """
    limit, whose = memory_limit()
    if needed > limit:
        raise TooLargeError(
            f"{what} needs about {_size_text(needed)} of memory, more than {whose}, "
            f"{_size_text(limit)}; {instead}"
        )


def memory_limit() -> tuple[int, str]:
    """Return how many bytes a request may take, and what this limit is."""
    max_bytes = setting.get().max_bytes
    memories = (
        (physical_memory(), "this machine's memory"),
        (container_memory(), "this container's memory"),
        (process_memory(), "the memory that this process may take"),
    )
    limits = [(memory, whose) for memory, whose in memories if memory is not None]
    if not limits:
        if max_bytes is not None:
            return max_bytes, "max_bytes"
        return 2 * 2**30, "the limit on a system with unknown memory"
    memory, whose = min(limits)
    if max_bytes is None:
        return memory // 2, f"half of {whose}"
    return (max_bytes, "max_bytes") if max_bytes <= memory else (memory, whose)


def physical_memory() -> int | None:
    """Return the bytes of memory of this machine, or None if it is unknown."""
    try:
        page, pages = os.sysconf("SC_PAGE_SIZE"), os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):  # not a POSIX system, as Windows
        return None
    return page * pages if pages > 0 else None


def process_memory() -> int | None:
    """Return the limit of the address space of this process, or None."""
    if resource is None:
        return None
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    return None if limit == resource.RLIM_INFINITY else limit


_UNLIMITED = 2**62
"""From here on, a limit of a control group means that there is none."""


@cache
def container_memory(root: Path = Path("/")) -> int | None:
    """Return the least limit of memory of the control groups of this process, or None.

    They are those of Linux, in version 2 or 1, which containers and batch systems set;
    a limit of a group holds for all groups within it. They are read once.

    Parameters
    ----------
    root : Path, optional
        The folder that has ``proc`` and ``sys``.
    """
    limits = []
    for line in _read_lines(root / "proc/self/cgroup"):
        _, controllers, name = line.split(":", 2)
        home, file = root / "sys/fs/cgroup", "memory.max"
        if controllers:
            home, file = home / "memory", "memory.limit_in_bytes"
        if controllers and "memory" not in controllers.split(","):
            continue
        # Within a container the group may have another name, and only the top is seen.
        group = home / name.lstrip("/")
        for folder in (group, *group.parents):
            numbers = [
                int(text) for text in _read_lines(folder / file) if text.isdigit()
            ]
            limits += [limit for limit in numbers if limit < _UNLIMITED]
            if folder == home:
                break
    return min(limits, default=None)


def _read_lines(file: Path) -> list[str]:
    """Return the lines of a file, none if it cannot be read."""
    try:
        return file.read_text(encoding="utf-8").splitlines()
    except OSError:
        return []


def float_or_inf(count: int | Fraction) -> float:
    """Return a count as a float, infinite if it is too large for one."""
    try:
        return float(count)
    except OverflowError:
        return math.inf


def _size_text(size: int) -> str:
    value = float_or_inf(size)
    for unit in ("bytes", "KiB", "MiB", "GiB", "TiB"):
        if value < 1024:
            return f"{value:.4g} {unit}"
        value /= 1024
    return "1e300 PiB" if value == math.inf else f"{value:.4g} PiB"


# Optional packages


def require(package: str, *, extra: str, purpose: str) -> Any:
    """Return an installed package or module, or name the extra that installs it.

    Parameters
    ----------
    package : str
        Its import name, or that of one of its modules.
    extra : str
        The extra of this project that installs it.
    purpose : str
        The feature that needs it, which begins the error message.
    """
    try:
        return importlib.import_module(package)
    except ModuleNotFoundError as error:
        name = package.partition(".")[0]
        raise ModuleNotFoundError(
            f"{purpose} needs {name}: python3 -m pip install 'cardgames_dp[{extra}]'",
            name=error.name,
        ) from error
