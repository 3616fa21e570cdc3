"""Public names whose modules are loaded on first use (PEP 562, SPEC 1).

What users call is given to them here, so here it learns to explain calls that do not
fit (`cardgames_dp._calls`): a name when it is loaded, and a public module when it is
imported, however that is done, because the import makes it an attribute of its package.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from types import FunctionType, ModuleType
from typing import Any


def loader(package: str, homes: Mapping[str, Iterable[str]]) -> Callable[[str], Any]:
    """Return the ``__getattr__`` of a package.

    `homes` maps each module to its names, as in ``from module import name``; the names
    of the package itself are its modules. Type checkers and readers find the same as
    imports under ``TYPE_CHECKING``, and a test compares the two.
    """
    home = {name: module for module, names in homes.items() for name in names}

    def load(name: str) -> Any:
        """Return a public name, which then becomes an ordinary attribute."""
        here = sys.modules[package]
        if name not in home:
            raise AttributeError(
                f"module {package!r} has no attribute {name!r}", name=name, obj=here
            )
        if home[name] == package:
            found: Any = import_module(f"{package}.{name}")
        else:
            from cardgames_dp import _calls

            found = _calls.helped(getattr(import_module(home[name]), name))
            if found.__class__ is FunctionType:
                found.__module__ = package  # by which it is pickled
        setattr(here, name, found)
        return found

    class Door(ModuleType):
        """The package, which looks at its public modules when they are imported."""

        def __setattr__(self, name: str, value: Any) -> None:
            super().__setattr__(name, value)
            if home.get(name) == package and not hasattr(value, "__path__"):
                from cardgames_dp import _calls

                _calls.help_callers(value)

    sys.modules[package].__class__ = Door

    return load
