"""How long a request would take, told before it begins."""

from __future__ import annotations

import math

MOST_SECONDS = 7 * 86400.0
"""A week of one core: what would take longer is refused."""

MOST_SILENT_SECONDS = 3600.0
"""An hour: what would take longer is refused unless it shows its progress."""

_UNITS = (
    (365.25 * 86400, "years"),
    (86400.0, "days"),
    (3600.0, "hours"),
    (60.0, "minutes"),
)


class TooLongError(ValueError):
    """A request would take weeks; the message says how long, and what to do.

    The time is an estimate: operations counted beforehand, at the speed of a usual
    core. It may be wrong by a factor of three, hence not by what separates an hour from
    a week.

    Examples
    --------
    >>> from cardgames_dp import redblack
    >>> redblack.thresholds(10**9)
    Traceback (most recent call last):
        ...
    cardgames_dp.TooLongError: 1000000000 thresholds would take about \
3.4e11 years, more than 7 days; ask for fewer: n_k is about (k / 0.83992 + 0.6)**2 \
far out
    """

    __module__ = "cardgames_dp"  # its only public home, which tracebacks name


def refuse_too_long(
    what: str, seconds: float, instead: str, *, progress: bool | None = True
) -> None:
    """Raise `TooLongError` when a request would take more than `MOST_SECONDS`.

    Parameters
    ----------
    what : str
        What was asked for, with its size, for the message.
    seconds : float
        How long it takes on one core, about.
    instead : str
        What to use instead.
    progress : bool or None, default True
        Whether it shows its progress; if not, more than `MOST_SILENT_SECONDS` is
        refused, too. None where there is no bar to be asked for.
    """
    if not seconds <= MOST_SECONDS:
        raise TooLongError(
            f"{what} would take about {duration(seconds)}, more than "
            f"{duration(MOST_SECONDS)}; {instead}"
        )
    if not progress and seconds > MOST_SILENT_SECONDS:
        bar = "wait for it with progress=True, or " if progress is False else ""
        raise TooLongError(
            f"{what} would take about {duration(seconds)} without a sign of life; "
            f"{bar}{instead}"
        )


def real(count: int) -> float:
    """Return a count as a float, infinite where there is none so large."""
    try:
        return float(count)
    except OverflowError:
        return math.inf


def duration(seconds: float) -> str:
    """Return a number of seconds in the unit that suits it."""
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
