"""Calls that fit no signature, and words that are not known: what was probably meant.

Python says which argument it did not take; here the message adds which one is like it,
or how the function is called. Public functions and classes get this at the doors
(`cardgames_dp._support.door`), so that their own code, signatures and types stay as
they are.
"""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable
from types import ModuleType
from typing import Any, TypeVar

from cardgames_dp._support.printing import closest

T = TypeVar("T")

_ALIKE = 0.75
"""How much alike words are, by `difflib`, of which one is surely the other misspelt."""


def helped(public: T) -> T:
    """Return a function, or a class, whose calls are explained if they do not fit."""
    if inspect.isclass(public):
        init = vars(public).get("__init__")
        if inspect.isfunction(init) and not hasattr(init, "__wrapped__"):
            type.__setattr__(public, "__init__", _explaining(init, public))
    elif inspect.isfunction(public) and not hasattr(public, "__wrapped__"):
        return _explaining(public, public)  # type: ignore[return-value]
    return public


def help_callers(module: ModuleType) -> None:
    """Do the same for all functions that a public module defines, and its classes.

    ``dir()`` then lists what is public.
    """
    vars(module)["__dir__"] = lambda: module.__all__
    for name in module.__all__:
        member = vars(module).get(name)
        if inspect.isclass(member) or inspect.isfunction(member):
            setattr(module, name, helped(member))


def _explaining(function: Callable[..., Any], public: Any) -> Callable[..., Any]:
    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except TypeError as error:
            trace = error.__traceback__
            if trace is None or trace.tb_next is not None:
                raise  # from the function's own code, not from the call
            own = args if public is function else args[1:]  # without self
            message = _explained(public, own, kwargs, error)
        raise TypeError(message)

    return call


def _explained(
    public: Any, args: tuple[Any, ...], kwargs: dict[str, Any], error: TypeError
) -> str:
    """Return the message for a call that does not fit."""
    from cardgames_dp._support.arguments import shown

    parameters = inspect.signature(public).parameters.values()
    by_place = [p.name for p in parameters if p.kind < p.VAR_POSITIONAL]
    by_name = [p.name for p in parameters if p.kind == p.KEYWORD_ONLY]
    kinds = {p.kind for p in parameters}
    called, texts, meant = public.__name__, _documented(public), None
    unknown = [name for name in kwargs if name not in [*by_place, *by_name]]
    if unknown and inspect.Parameter.VAR_KEYWORD not in kinds:
        said = f"{called}() has no argument {unknown[0]!r}"
        meant = _meant(unknown[0], [*by_place, *by_name], texts)
    elif len(args) > len(by_place) and inspect.Parameter.VAR_POSITIONAL not in kinds:
        more, given = args[len(by_place)], shown(args[len(by_place)])
        said = f"{called}() got {given}, and takes only {len(by_place)} by position"
        # Docstrings list the words that are accepted, as in {"float64", "exact"}.
        lists = [p for p in by_name if f'"{more}"' in texts.get(p, "").split("\n")[0]]
        meant = f"{lists[0]}={given}" if lists and isinstance(more, str) else None
    else:
        said = f"{called}() {str(error).partition('() ')[2]}"
        taken = [f"{shown(x)} as {p}" for p, x in zip(by_place, args, strict=False)]
        said += f" (it took {' and '.join(taken)})" if taken else ""
    hint = "; it" if meant is None else f"; did you mean {meant}? It"
    bare = [p.replace(default=p.empty, annotation=p.empty) for p in parameters]
    return f"{said}{hint} is called as {called}{inspect.Signature(bare)}"


def _meant(word: str, names: list[str], texts: dict[str, str]) -> str | None:
    """Return the argument that is like a word, or else whose description has it."""
    whole = re.compile(rf"\b{re.escape(word)}\b", re.IGNORECASE)
    told = [name for name in names if whole.search(texts.get(name, ""))]
    return (
        closest(word, names, _ALIKE) or next(iter(told), None) or closest(word, names)
    )


def _documented(public: Any) -> dict[str, str]:
    """Return what the docstring says about each parameter, its type first."""
    section = (inspect.getdoc(public) or "").partition("\nParameters\n---")[2]
    found = re.compile(r"^([\w*, ]+) : ((?:.*\n)(?:(?: .*)?\n)*)", re.MULTILINE)
    texts: dict[str, str] = {}
    for names, text in found.findall(section.partition("\n---")[0] + "\n"):
        texts |= dict.fromkeys(names.replace("*", "").split(", "), text)
    return texts
