"""Public names whose modules are loaded on first use (PEP 562, SPEC 1).

The `__init__.py` of a package lists its public names once, as imports for type checkers
under ``if TYPE_CHECKING:``. From this list follow what is loaded, ``dir()`` and
``__all__``.

What users call is given to them here, so here it learns to explain calls that do not
fit (`cardgames_dp._support.calls`): a name when it is loaded, and a public module when
it is imported, however that is done, because the import makes it an attribute of its
package.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from importlib import import_module
from types import FunctionType, ModuleType
from typing import Any, Union


def opened(
    package: str, file: str, *others: str
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Return ``__getattr__``, ``__dir__`` and ``__all__`` of a package.

    Parameters
    ----------
    package, file : str
        Its ``__name__`` and ``__file__``.
    *others : str
        Public names that it defines itself.
    """
    with open(file, encoding="utf-8") as source:  # noqa: PTH123 - pathlib loads much
        module = ast.parse(source.read())
    (listed,) = (
        node.body
        for node in module.body
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
    )
    home = {
        alias.name: str(node.module)
        for node in listed
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    public = sorted([*home, *others])

    def load(name: str) -> Any:
        """Return a public name, which then becomes an ordinary attribute."""
        here = sys.modules[package]
        if name not in home:
            raise AttributeError(
                f"module {package!r} has no attribute {name!r}", name=name, obj=here
            )
        if home[name] == package:  # a module of the package itself
            found: Any = import_module(f"{package}.{name}")
        else:
            from cardgames_dp._support import calls

            found = calls.helped(getattr(import_module(home[name]), name))
            if found.__class__ is FunctionType:
                found.__module__ = package  # by which it is pickled
        setattr(here, name, found)
        return found

    class Door(ModuleType):
        """The package, which looks at its public modules when they are imported."""

        def __setattr__(self, name: str, value: Any) -> None:
            super().__setattr__(name, value)
            if home.get(name) == package and not hasattr(value, "__path__"):
                from cardgames_dp._support import calls

                calls.help_callers(value)

    sys.modules[package].__class__ = Door
    return load, lambda: public, public


class Alias:
    """A type alias with a docstring, named as those of Python 3.12 are.

    Type checkers are shown the union itself, under ``TYPE_CHECKING``.

    Parameters
    ----------
    name, module : str
        Its name and its public module.
    value : type or union of types
        What it stands for.
    doc : str
        Its docstring.
    """

    def __init__(self, name: str, module: str, value: Any, doc: str) -> None:
        self.__name__ = self.__qualname__ = name
        self.__module__ = module
        self.__value__ = value
        self.__doc__ = doc

    def __repr__(self) -> str:
        return f"{self.__module__}.{self.__name__}"

    def __reduce__(self) -> str:
        return self.__name__  # a global of its module, as types are

    def __or__(self, other: Any) -> Any:
        return Union[self.__value__, other]  # noqa: UP007 - it may be a string

    def __ror__(self, other: Any) -> Any:
        return Union[other, self.__value__]  # noqa: UP007
