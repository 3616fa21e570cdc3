"""Put changed code into modules that are loaded, without loading anything again.

Functions keep who they are and get new code, so that all who have imported them run it.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import sys
from types import FunctionType, ModuleType
from typing import Any

from .changes import Change

METHODS = {
    property: ("fget", "fset"),
    staticmethod: ("__func__",),
    classmethod: ("__func__",),
}


def graft(change: Change) -> None:
    """Change the code of a loaded module."""
    name = change.module.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    old, new = importlib.import_module(name), ModuleType(name)
    kept = ("__file__", "__package__", "__path__", "__spec__")
    vars(new).update({key: vars(old)[key] for key in kept if key in vars(old)})
    exec(compile(change.code, str(old.__file__), "exec"), vars(new))
    Graft(at_import=not in_function(change.code, change.line)).names(old, new)


def in_function(code: str, line: int) -> bool:
    """Return whether a line is run when some function is called."""
    return any(
        node.body[0].lineno <= line <= (node.end_lineno or 0)
        for node in ast.walk(ast.parse(code))
        if isinstance(node, ast.FunctionDef)
    )


class Graft:
    """One way from new modules, classes and functions to the old ones.

    Parameters
    ----------
    at_import : bool
        Whether constants, defaults and what decorators have made are new as well.
    """

    def __init__(self, *, at_import: bool) -> None:
        self.at_import = at_import
        self.seen: set[int] = set()  # as functions may hold themselves

    def names(self, old: Any, new: Any) -> None:
        """Exchange what the names of a module or class stand for."""
        for name, there in list(vars(new).items()):
            here = vars(old).get(name)
            if not self.same_place(here, there) and self.at_import:
                self.replace(old, name, here, there)
        if self.at_import and isinstance(old, type):
            for name in vars(old).keys() - vars(new).keys():
                delattr(old, name)

    def same_place(self, here: Any, there: Any) -> bool:
        """Exchange one thing where it is, if its kind allows it."""
        if here is there or id(here) in self.seen:
            return True
        if type(here) is not type(there):
            return False
        if isinstance(here, FunctionType):
            self.seen.add(id(here))
            if not hasattr(there, "__wrapped__"):
                here = inspect.unwrap(here)  # of what a door adds to explain calls
            self.function(here, there)
        elif isinstance(here, type):
            if here.__module__ != there.__module__ or here.__name__ != there.__name__:
                return False
            self.names(here, there)
        elif type(here) in METHODS:
            for part in METHODS[type(here)]:
                self.same_place(getattr(here, part), getattr(there, part))
        elif isinstance(getattr(here, "__wrapped__", None), FunctionType):
            self.function(here.__wrapped__, there.__wrapped__)  # of a cache
        else:
            return type(here).__name__ in {"getset_descriptor", "member_descriptor"}
        return True

    def function(self, here: FunctionType, there: FunctionType) -> None:
        """Give a function new code, and to those that it wraps."""
        cells = zip(here.__closure__ or (), there.__closure__ or (), strict=True)
        names = here.__code__.co_freevars
        for name, (old, new) in zip(names, cells, strict=True):
            if name == "__class__" or self.same_place(
                old.cell_contents, new.cell_contents
            ):
                continue
            if self.at_import:
                old.cell_contents = new.cell_contents
        here.__code__ = there.__code__
        if self.at_import:
            here.__defaults__ = there.__defaults__
            here.__kwdefaults__ = there.__kwdefaults__

    def replace(self, owner: Any, name: str, here: Any, there: Any) -> None:
        """Let a name stand for something else, wherever it was imported."""
        if isinstance(owner, type):
            if name not in {"__dict__", "__weakref__", "__doc__", "__module__"}:
                setattr(owner, name, there)
            return
        for module in list(sys.modules.values()):
            if module is owner or getattr(module, "__dict__", {}).get(name) is here:
                setattr(module, name, there)
