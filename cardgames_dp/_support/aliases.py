"""Type aliases with a docstring, named as those of Python 3.12 are."""

from __future__ import annotations

from typing import Any, Union


class Alias:
    """A type alias with a docstring, as those of Python 3.12 are.

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
