"""One call of a public function with hostile arguments, and a verdict."""

from __future__ import annotations

import builtins
import io
import math
import re
import signal
import time
import traceback
import warnings
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np

from . import hostile
from .targets import EXAMPLE, Target

Rng = np.random.Generator

MOST_SECONDS = 5
"""Of processor time for one call, which is then interrupted, as by Ctrl-C."""

LONGEST_MESSAGE = 2000


class TooSlow(BaseException):
    """A call has taken too long."""


@dataclass
class Verdict:
    """How a call went; `fault` is empty if as documented."""

    call: str
    outcome: str
    seconds: float
    fault: str = ""


def value(rng: Rng) -> Any:
    """Return a hostile value, often as it is, at times among others."""
    if rng.random() < 0.05:
        return hostile.game(rng)
    made = hostile.VALUES[int(rng.integers(len(hostile.VALUES)))]()
    wrap = rng.random()
    if wrap < 0.08:
        return [made]
    if wrap < 0.12:
        return (made, 1)
    if wrap < 0.15:
        return {1: made}
    return made


def bent(rng: Rng, old: Any) -> Any:
    """Return something like the argument of an example, with a part that is hostile."""
    if type(old) in (list, tuple) and old:
        items = list(old)
        items[int(rng.integers(len(items)))] = value(rng)
        return type(old)(items)
    if type(old) is dict and old:
        keys = list(old)
        return {**old, keys[int(rng.integers(len(keys)))]: value(rng)}
    if type(old) in (int, float) and abs(old) < 1e300:
        choices = [
            *(-old, old * 2, old * 1000, old + 0.5, float(old), [old], [[old] * 3]),
            *(np.float64(old), np.longdouble(old), np.array(old), np.array([old] * 3)),
        ]
        return choices[int(rng.integers(len(choices)))]
    return value(rng)


def arguments(rng: Rng, target: Target) -> tuple[list[Any], dict[str, Any]]:
    """Return the arguments of an example, of which one or two are others."""
    call = target.calls[int(rng.integers(len(target.calls)))]
    args, kwargs = list(call[0]), dict(call[1])
    for _ in range(int(rng.integers(1, 3))):
        places: list[Any] = [*range(len(args)), *kwargs]
        free = [name for name in target.parameters()[len(args) :] if name not in kwargs]
        self_stays = target.function.__name__ in dir(type(args[0])) if args else False
        places = places[1:] if self_stays else places
        # A method's example has no argument but the object.
        if free and (not places or rng.random() < 0.5):
            name = free[int(rng.integers(len(free)))]
            kwargs[name] = value(rng)
        elif places:
            place = places[int(rng.integers(len(places)))]
            holder: Any = kwargs if isinstance(place, str) else args
            new = bent if rng.random() < 0.5 else lambda rng, _: value(rng)
            holder[place] = new(rng, holder[place])
        elif target.function.__name__.startswith("__") and rng.random() < 0.9:
            args = [args[0], value(rng)] if args else [value(rng)]
    return args, kwargs


def documented(target: Target) -> tuple[type[BaseException], ...]:
    """Return the exceptions that a function may raise, by its documentation."""
    about = target.documentation.partition("\nRaises\n------")[2].partition("\n---")[0]
    named = [
        getattr(builtins, name, None) for name in re.findall(r"\b\w+Error\b", about)
    ]
    found = [kind for kind in named if isinstance(kind, type)]
    if target.function.__name__ in ("__getitem__", "__call__"):
        found += [KeyError, IndexError]
    return (TypeError, ValueError, hostile.OwnError, *found)


def tried(target: Target, rng: Rng) -> Verdict:
    """Call once, and judge."""
    args, kwargs = arguments(rng, target)
    call = f"{target.name}({', '.join([*map(shown, args), *named(kwargs)])})"
    before = time.process_time()
    signal.signal(signal.SIGPROF, _alarm)
    signal.setitimer(signal.ITIMER_PROF, MOST_SECONDS)
    fault = ""
    try:
        with (
            warnings.catch_warnings(),
            redirect_stdout(io.StringIO()),
            redirect_stderr(io.StringIO()),
        ):
            warnings.simplefilter("error")
            result = target.function(*args, **kwargs)
            if isinstance(result, Iterator):
                result = list(islice(result, 20))
            if isinstance(result, float) and math.isnan(result):
                fault = "nan"
            outcome = type(result).__name__
    except documented(target) as error:
        outcome = type(error).__name__
        fault = misspoken(error)
    except MemoryError as error:
        outcome = type(error).__name__
        if not any(map(larger_than_memory, (*args, *kwargs.values()))):
            fault = traceback.format_exc(limit=-6)
    except TooSlow:
        outcome = "TooSlow"  # and ended when it was interrupted, as by Ctrl-C
    except BaseException as error:
        outcome = type(error).__name__
        if not raised_by_an_example(error):
            fault = traceback.format_exc(limit=-6)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return Verdict(call, outcome, time.process_time() - before, fault)


def raised_by_an_example(error: BaseException) -> bool:
    """Tell whether a function that an example defines, and not the library, raised."""
    frames = traceback.extract_tb(error.__traceback__)
    return frames[-1].filename.startswith(EXAMPLE)


def larger_than_memory(argument: Any) -> bool:
    """Tell whether an argument says that it has more items than any memory holds."""
    if isinstance(argument, (list, tuple)):
        return any(map(larger_than_memory, argument))
    try:
        return len(argument) > 10**9
    except BaseException:  # it has no length, or none that it tells
        return False


def misspoken(error: BaseException) -> str:
    """Tell what is wrong with a message: it is too long, or there is none."""
    if isinstance(error, hostile.OwnError):
        return ""
    try:
        message = str(error)
    except BaseException as inner:
        return f"its message cannot be read: {type(inner).__name__}"
    if not message:
        return "no message"
    if len(message) > LONGEST_MESSAGE:
        return f"a message of {len(message)} characters: {message[:200]}"
    return ""


def _alarm(*_: object) -> None:
    raise TooSlow


def shown(argument: Any) -> str:
    """Return an argument in words, whatever it is."""
    try:
        text = repr(argument)
    except BaseException:
        text = f"<{type(argument).__name__}>"
    return text if len(text) <= 80 else f"{text[:77]}..."


def named(kwargs: dict[str, Any]) -> list[str]:
    """Return keyword arguments in words."""
    return [f"{name}={shown(argument)}" for name, argument in kwargs.items()]
