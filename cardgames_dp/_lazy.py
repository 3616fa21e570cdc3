"""Public names whose modules are loaded on first use (PEP 562, SPEC 1)."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
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
            found = getattr(import_module(home[name]), name)
        setattr(here, name, found)
        return found

    return load
