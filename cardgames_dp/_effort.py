"""How long a request would take, told before it begins."""

from __future__ import annotations

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
    """


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


def duration(seconds: float) -> str:
    """Return a number of seconds in the unit that suits it."""
    for size, unit in _UNITS:
        if seconds >= 2 * size:
            return f"{seconds / size:.2g} {unit}".replace("e+", "e")
    return f"{seconds:.2g} seconds"
