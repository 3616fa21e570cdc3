"""Values that no caller should give, and some that only look so."""

from __future__ import annotations

import io
import itertools
import math
import sys
import zipfile
from typing import Any


class OwnError(Exception):
    """What the user's code raises, which must come through as it is, or be wrapped."""


class Refuses:
    """An object of which every question fails."""

    def _fail(self, *_: object, **__: object) -> Any:
        raise OwnError

    __repr__ = __str__ = __eq__ = __lt__ = __gt__ = __le__ = __ge__ = _fail
    __bool__ = __hash__ = __len__ = __iter__ = __getitem__ = __contains__ = _fail
    __index__ = __int__ = __float__ = __complex__ = __array__ = __call__ = _fail
    __add__ = __radd__ = __mul__ = __rmul__ = __sub__ = __neg__ = __abs__ = _fail


class Lies:
    """An object that answers every question, each time with something else."""

    def __init__(self) -> None:
        self._count = itertools.count(-2)

    def _number(self) -> int:
        return next(self._count)

    def __index__(self) -> int:
        return self._number()

    def __float__(self) -> float:
        return math.nan if self._number() % 2 else math.inf

    def __eq__(self, other: object) -> bool:
        return bool(self._number() % 2)

    def __hash__(self) -> int:
        return self._number()

    def __bool__(self) -> bool:
        return bool(self._number() % 2)

    def __len__(self) -> int:
        return sys.maxsize

    def __getitem__(self, key: object) -> int:
        return self._number()

    def __call__(self, *_: object, **__: object) -> Any:
        return self


class FloatOf(float):
    """A float that raises when it is asked for its number."""

    def _fail(self, *_: object) -> Any:
        raise OwnError

    __repr__ = __float__ = __int__ = as_integer_ratio = __eq__ = _fail
    __hash__ = float.__hash__


class IntOf(int):
    """An integer that raises when it is compared or printed."""

    def _fail(self, *_: object) -> Any:
        raise OwnError

    __repr__ = __str__ = __lt__ = __eq__ = __index__ = __int__ = _fail
    __hash__ = int.__hash__


class TextOf(str):
    """A word that equals nothing and has no hash."""

    def _fail(self, *_: object) -> Any:
        raise OwnError

    __eq__ = __hash__ = __str__ = __repr__ = _fail


def raises(*_: object, **__: object) -> Any:
    """Answer as a user's function with a fault does."""
    raise OwnError


def nested(depth: int) -> list[Any]:
    """Return a list in a list in a list."""
    inner: list[Any] = []
    for _ in range(depth):
        inner = [inner]
    return inner


def compressed(content: bytes) -> bytes:
    """Return the same archive, deflated, as another program might write it."""
    after = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(content)) as old,
        zipfile.ZipFile(after, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        for name in old.namelist():
            new.writestr(name, old.read(name))
    return after.getvalue()
