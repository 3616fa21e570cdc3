"""Estimate the time of a request before it begins, and refuse what takes too long."""

from __future__ import annotations

import math
from fractions import Fraction

MOST_SECONDS = 7 * 86400.0
"""A week on one core: requests that would take longer are refused."""

MOST_SILENT_SECONDS = 3600.0
"""An hour: requests that would take longer are refused unless they show progress."""

_UNITS = (
    (365.25 * 86400, "years"),
    (86400.0, "days"),
    (3600.0, "hours"),
    (60.0, "minutes"),
)


class TooLongError(ValueError):
    """A request would take too long; the message says how long, and what to do instead.

    The limit is a week, or an hour for functions called without ``progress=True``. The
    time is an estimate, from the number of operations and the speed of a usual core. It
    may be wrong by a factor of three, which is small compared with that between an hour
    and a week.

    Examples
    --------
    >>> from cardgames_dp import redblack
    >>> redblack.thresholds(10**9)
    Traceback (most recent call last):
        ...
    cardgames_dp.TooLongError: 1000000000 thresholds would take about \
3.4e11 years, more than 7 days; ask for fewer: n_k is about (k / 0.83992 + 0.6)**2 \
for large k
    """

    __module__ = "cardgames_dp"  # its only public home, which tracebacks name


def refuse_too_long(
    what: str, seconds: float, instead: str, *, progress: bool | None = True
) -> None:
    """Raise `TooLongError` if a request would take more than `MOST_SECONDS`.

    Parameters
    ----------
    what : str
        What was asked for, with its size, for the message.
    seconds : float
        The estimated time on one core.
    instead : str
        What to do instead, for the message.
    progress : bool or None, default True
        Whether progress is shown; if not, more than `MOST_SILENT_SECONDS` is refused,
        too. None for functions without an argument `progress`.
    """
    if not seconds <= MOST_SECONDS:
        raise TooLongError(
            f"{what} would take about {duration(seconds)}, more than "
            f"{duration(MOST_SECONDS)}; {instead}"
        )
    if not progress and seconds > MOST_SILENT_SECONDS:
        bar = "allow it with progress=True, or " if progress is False else ""
        raise TooLongError(
            f"{what} would take about {duration(seconds)} without showing progress; "
            f"{bar}{instead}"
        )


def real(count: int | Fraction) -> float:
    """Return a count as a float, infinite if it is too large for one."""
    try:
        return float(count)
    except OverflowError:
        return math.inf


def duration(seconds: float) -> str:
    """Return a number of seconds as text, in a suitable unit."""
    if seconds == math.inf:
        return "1e300 years"
    for size, unit in _UNITS:
        if seconds >= 2 * size:
            return f"{_two_digits(seconds / size)} {unit}"
    return f"{_two_digits(seconds)} seconds"


def _two_digits(number: float) -> str:
    rounded = float(f"{number:.2g}")
    if rounded < 1e6:
        return f"{rounded:,.10g}"
    return f"{rounded:.2g}".replace("e+", "e")
