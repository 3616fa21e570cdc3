"""What is called: every public function, class and method, as the examples call them.

The examples of all docstrings are run, and the calls in them kept; so what is public
tomorrow is called as well.
"""

from __future__ import annotations

import contextlib
import doctest
import inspect
import io
import os
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import wraps
from pathlib import Path
from types import ModuleType
from typing import Any

import cardgames_dp

MOST_CALLS = 40
"""Calls of one function that are kept."""

ASKED = {
    *("current_player", "legal_actions", "next_state", "chance_outcomes", "returns"),
    *("current_players", "next_states"),
}
"""Questions to a game, which are asked millions of times about states that it has made
itself, and check nothing."""

ELSEWHERE = "_interop.to_open_spiel"
"""Games and states of OpenSpiel, whose own classes check what they are given."""

EXAMPLE = "the example of "
"""How file names begin that tracebacks have for functions which examples define."""

DUNDERS = ("__eq__", "__len__", "__getitem__", "__iter__", "__contains__", "__call__")


@dataclass
class Target:
    """A callable, and arguments with which an example calls it."""

    name: str
    function: Callable[..., Any]
    calls: list[tuple[tuple[Any, ...], dict[str, Any]]] = field(default_factory=list)
    documentation: str = ""

    def parameters(self) -> list[str]:
        """Return the names that can be given by keyword."""
        try:
            signature = inspect.signature(self.function)
        except (TypeError, ValueError):
            return []
        free = (inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
        return [name for name, p in signature.parameters.items() if p.kind in free]


def public_modules(module: ModuleType) -> Iterator[ModuleType]:
    """Yield a module, and all to which its public names lead."""
    yield module
    for name in getattr(module, "__all__", ()):
        member = getattr(module, name)
        if inspect.ismodule(member):
            yield from public_modules(member)


def is_ours(thing: Any) -> bool:
    """Tell whether a class or function is one of the library's own."""
    return str(getattr(thing, "__module__", "")).partition(".")[0] == "cardgames_dp"


def harvest(modules: list[ModuleType] | None = None) -> list[Target]:
    """Run the examples of docstrings; return what they call, and what can be."""
    modules = modules or list(public_modules(cardgames_dp))
    targets: dict[str, Target] = {}
    examples = []
    for module in modules:
        for name in module.__all__:
            member = getattr(module, name)
            if not inspect.isfunction(member) and not inspect.isclass(member):
                continue
            full = f"{module.__name__}.{name}".removeprefix("cardgames_dp.")
            about = inspect.getdoc(member) or ""
            targets[full] = Target(full, member, documentation=about)
            examples.append((about, full))
    with recorded(modules, targets):
        made = list(run(examples))
    given = [x for t in targets.values() for a, k in t.calls for x in (*a, *k.values())]
    for item in [*made, *filter(lambda x: is_ours(type(x)), given)]:
        for target in [*methods(item), *construction(item)]:
            kept = targets.setdefault(target.name, target)
            if kept is not target and len(kept.calls) < MOST_CALLS:
                kept.calls.extend(target.calls)
    return [target for _, target in sorted(targets.items()) if target.calls]


@contextlib.contextmanager
def recorded(modules: list[ModuleType], targets: dict[str, Target]) -> Iterator[None]:
    """Have the public functions keep the calls that examples make, for a while."""
    before = []
    depth = [0]
    for module in modules:
        for name in module.__all__:
            full = f"{module.__name__}.{name}".removeprefix("cardgames_dp.")
            if full in targets and inspect.isfunction(targets[full].function):
                before.append((module, name, getattr(module, name)))
                setattr(module, name, recorder(targets[full], depth))
    try:
        yield
    finally:
        for module, name, member in before:
            setattr(module, name, member)


def recorder(target: Target, depth: list[int]) -> Callable[..., Any]:
    """Return a function that keeps its arguments, if nothing recorded called it."""

    @wraps(target.function)
    def call(*args: Any, **kwargs: Any) -> Any:
        if not depth[0] and len(target.calls) < MOST_CALLS:
            target.calls.append((args, kwargs))
        depth[0] += 1
        try:
            return target.function(*args, **kwargs)
        finally:
            depth[0] -= 1

    return call


def run(examples: list[tuple[str, str]]) -> Iterator[Any]:
    """Run examples; yield the objects of the library's classes that they name."""
    parser = doctest.DocTestParser()
    here = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            for text, name in examples:
                names: dict[str, Any] = {"__name__": "__main__"}
                for example in parser.get_examples(text):
                    yield from results(example.source, EXAMPLE + name, names)
        finally:
            os.chdir(here)


def results(source: str, name: str, names: dict[str, Any]) -> Iterator[Any]:
    """Run a statement; yield its value, and what it has named, if it is ours."""
    known = dict(names)
    with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(Exception):
        try:
            value = eval(compile(source, name, "eval"), names)
        except SyntaxError:
            value = None
            exec(compile(source, name, "exec"), names)
        if is_ours(type(value)):
            yield value
    for key, value in names.items():
        if known.get(key) is not value and is_ours(type(value)):
            yield value


def methods(item: Any) -> Iterator[Target]:
    """Yield the public methods and the usual operations of an object."""
    cls = type(item)
    for name in dir(cls):
        member = inspect.getattr_static(cls, name)
        if name.startswith("_") and name not in DUNDERS:
            continue
        full = f"{cls.__module__}.{cls.__qualname__}.{name}"
        full = full.removeprefix("cardgames_dp.")
        about = inspect.getdoc(getattr(cls, name, None)) or ""
        if isinstance(member, property) or not callable(getattr(cls, name)):
            continue
        call: tuple[tuple[Any, ...], dict[str, Any]] = ((item,), {})
        function = getattr(cls, name)
        if not is_ours(function) or name in ASKED or full.startswith(ELSEWHERE):
            continue
        if isinstance(member, (classmethod, staticmethod)):
            call = ((), {})
        yield Target(full, function, [call], about)


def construction(item: Any) -> Iterator[Target]:
    """Yield the class of an object that users make, with the arguments for it."""
    cls = type(item)
    about = inspect.getdoc(cls) or ""
    if "\nParameters\n---" not in about:
        return
    full = f"{cls.__module__}.{cls.__qualname__}".removeprefix("cardgames_dp.")
    target = Target(full, cls, documentation=about)
    names = target.parameters()
    if all(hasattr(item, name) for name in names):
        target.calls.append(((), {name: getattr(item, name) for name in names}))
        yield target
