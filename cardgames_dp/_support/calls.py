"""Calls that do not fit a function: the message says which argument was meant."""

from __future__ import annotations

import functools
import inspect
import re
from typing import Any, TypeVar

import numpy as np

from cardgames_dp._support.arguments import shown
from cardgames_dp._support.printing import closest

T = TypeVar("T")


def suggest_arguments(public: T) -> T:
    """Explain calls that do not fit a function or class, which is otherwise the same.

    Python says which argument it did not take; the message adds which one is like it,
    and how the function is called.
    """
    whole: Any = public
    function = vars(whole)["__init__"] if inspect.isclass(whole) else whole

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            # Tiny numbers become 0, whatever the caller does where his own do.
            with np.errstate(under="ignore"):
                return function(*args, **kwargs)
        except TypeError as error:
            # Without a name for the traceback, which has this frame and all its memory.
            if error.__traceback__ is None or error.__traceback__.tb_next is not None:
                raise  # from the function's own code, not from the call
            message = _explanation(whole, args[function is not whole :], error)
        raise TypeError(message)

    if function is not whole:  # of a class, whose own rules may refuse
        type.__setattr__(whole, "__init__", call)
    return public if function is not whole else call  # type: ignore[return-value]


def _explanation(public: Any, args: tuple[Any, ...], error: TypeError) -> str:
    parameters = inspect.signature(public).parameters.values()
    places = [p.name for p in parameters if p.kind < p.VAR_POSITIONAL]
    names = places + [p.name for p in parameters if p.kind == p.KEYWORD_ONLY]
    texts, meant = _descriptions(public), None
    problem = str(error).partition("() ")[2]
    if match := re.search("unexpected keyword argument '(.*?)'", problem):
        word = match[1]
        problem = f"has no argument {word!r}"
        whole = re.compile(rf"\b{re.escape(word)}\b", re.IGNORECASE)
        described = [name for name in names if whole.search(texts.get(name, ""))]
        likely = closest(word, names, 0.75), *described, closest(word, names)
        meant = next(filter(None, likely), None)
    elif re.search(r"takes .* positional arguments? but", problem):
        extra = args[len(places)]
        problem = f"got {shown(extra)}, and takes only {len(places)} by position"
        # Docstrings list the words that are accepted, as in {"float64", "exact"}.
        lists = (n for n in names if f'"{extra}"' in texts.get(n, "").split("\n")[0])
        meant = next((f"{name}={shown(extra)}" for name in lists), None)
    elif args:
        given = [f"{shown(x)} as {p}" for p, x in zip(places, args, strict=False)]
        problem += f" (it took {' and '.join(given)})"
    bare = [p.replace(default=p.empty, annotation=p.empty) for p in parameters]
    usage = f"is called as {public.__name__}{inspect.Signature(bare)}"
    hint = f"; it {usage}" if meant is None else f"; did you mean {meant}? It {usage}"
    return f"{public.__name__}() {problem}{hint}"


def _descriptions(public: Any) -> dict[str, str]:
    """Return what the docstring says about each parameter, its type first."""
    section = (inspect.getdoc(public) or "").partition("\nParameters\n---")[2]
    entry = re.compile(r"^([\w*, ]+) : ((?:.*\n)(?:(?: .*)?\n)*)", re.MULTILINE)
    texts: dict[str, str] = {}
    for names, text in entry.findall(section.partition("\n---")[0] + "\n"):
        texts |= dict.fromkeys(names.replace("*", "").split(", "), text)
    return texts
