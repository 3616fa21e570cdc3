"""How users say how the library runs: by a ``with`` block, or from now on."""

from __future__ import annotations

from typing import Any, Self, SupportsIndex

from cardgames_dp._support import arguments
from cardgames_dp._support.calls import suggest_arguments
from cardgames_dp._support.running import Progress, Setting, require, setting


@suggest_arguments
class running:
    """Set how the library runs; this changes no result.

    In a ``with`` statement the settings hold for that block, and after a plain call
    from then on, in this thread or asynchronous task and in the workers of an
    `executor`.

    Parameters
    ----------
    progress : {"auto", True, False}, optional
        Whether long calls show a progress bar, for which `tqdm` is needed (the extra
        ``progress``). "auto", the default of the library, shows one in an interactive
        session (REPL, IPython, notebook) after three seconds, and none in a script.
        As it was if not given.
    max_bytes : int, optional
        The most memory that a call may plan to take, in bytes, up to the memory of this
        machine, or what its container or ``ulimit -v`` allows; half of that by default,
        or 2 GiB if that is unknown. As it was if not given.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described above.
    ModuleNotFoundError
        If `progress` is True and `tqdm` is not installed.

    Examples
    --------
    >>> import cardgames_dp
    >>> from cardgames_dp import redblack
    >>> with cardgames_dp.running(max_bytes=1000):
    ...     redblack.solve(26, 26)
    Traceback (most recent call last):
        ...
    cardgames_dp.TooLargeError: a table of 27 x 27 states needs about \
7.119 KiB of memory, more than max_bytes, 1000 bytes; use value(...), \
thresholds(...), distribution(...), which need no table
    """

    __module__ = "cardgames_dp"

    def __init__(
        self,
        *,
        progress: Progress | None = None,
        max_bytes: SupportsIndex | None = None,
    ) -> None:
        before = setting.get()
        shown: Any = before.progress
        if progress is not None:
            if isinstance(progress, str):
                shown = arguments.choice(
                    "progress", progress, ["auto"], "True", "False"
                )
            else:
                shown = arguments.boolean("progress", progress)
            if shown is True:
                require("tqdm", extra="progress", purpose="progress=True")
        most = before.max_bytes
        if max_bytes is not None:
            most = arguments.integer("max_bytes", max_bytes)
        self._before = before
        setting.set(Setting(shown, most))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        setting.set(self._before)

    def __repr__(self) -> str:
        now = setting.get()
        return f"running(progress={now.progress!r}, max_bytes={now.max_bytes!r})"
