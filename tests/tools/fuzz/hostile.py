"""Values that no caller should give, and some that only look so."""

from __future__ import annotations

import io
import itertools
import math
import sys
import zipfile
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np


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


def endless() -> Any:
    """Yield ones until somebody stops asking, at a million at most."""
    return itertools.repeat(1, 10**6)


NUMPY_SCALARS = [
    kind(value)
    for kind in {np.dtype(code).type for code in np.typecodes["AllInteger"]}
    | {np.dtype(code).type for code in np.typecodes["AllFloat"]}
    for value in (0, 1, 3)
]
"""Every kind of number that NumPy has."""

VALUES: list[Callable[[], Any]] = [
    *[lambda v=v: v for v in (None, ..., NotImplemented, True, False, "", b"", "a")],
    *[lambda v=v: v for v in ("optimal", "exact", "1", "1/3", "1e400", "nan", "\0")],
    *[lambda v=v: v for v in (-1, 0, 1, 2, 3, 7, 26, 100, 10**4, 10**6, 10**9, 10**12)],
    *[lambda v=v: v for v in (2**31, 2**53 + 1, 2**63 - 1, 2**63, 2**64, -(2**63) - 1)],
    *[lambda v=v: v for v in (10**200, -(10**308), 10**400, 10**5000)],
    *[lambda v=v: v for v in (0.5, -0.0, 1.5, 5e-324, -5e-324, 1e-310, 2.0**-1022)],
    *[lambda v=v: v for v in (1e300, -1.8e308, sys.float_info.max, math.pi, 1e16)],
    *[lambda v=v: v for v in (math.nan, math.inf, -math.inf, 1j, complex("nan"))],
    *[
        lambda v=v: Decimal(v)
        for v in ("NaN", "sNaN", "Infinity", "1e999999", "-1e-99")
    ],
    *[
        lambda v=v: v
        for v in (Fraction(1, 3), Fraction(10**400, 3), Fraction(-1, 10**400))
    ],
    *[lambda v=v: v for v in NUMPY_SCALARS],
    *[lambda v=v: np.float64(v) for v in ("nan", "inf", "-inf", 5e-324)],
    lambda: np.float32("nan"),
    lambda: np.longdouble("1e4000"),
    lambda: np.complex128(1j),
    lambda: np.bool_(True),
    lambda: np.str_("optimal"),
    lambda: np.datetime64("2026-01-01"),
    lambda: np.timedelta64("NaT", "s"),
    list,
    tuple,
    dict,
    set,
    object,
    Refuses,
    Lies,
    lambda: FloatOf(1.5),
    lambda: IntOf(3),
    lambda: TextOf("optimal"),
    lambda: raises,
    lambda: len,
    lambda: lambda *_, **__: None,
    lambda: lambda *_, **__: math.nan,
    lambda: lambda *_, **__: Refuses(),
    lambda: int,
    lambda: Refuses,
    lambda: sys,
    lambda: range(10**18),
    lambda: range(3),
    endless,
    lambda: (x for x in (1, 2, 3)),
    lambda: (raises() for _ in (1,)),
    lambda: iter([1, Refuses()]),
    lambda: zip((1, 2), (3, 4), strict=True),
    lambda: [1, 2, 3],
    lambda: [1, math.nan],
    lambda: [1, math.inf, 10**400],
    lambda: [1, "two", None],
    lambda: [[1, 2], [3]],
    lambda: [2**62] * 9,
    lambda: nested(1000),
    lambda: {1: 2, 2: 3},
    lambda: {1: math.nan},
    lambda: {"a": Refuses()},
    lambda: {10**400: 1, -1: 10**400},
    lambda: np.array(3),
    lambda: np.zeros(0),
    lambda: np.zeros((0, 3)),
    lambda: np.zeros((2, 0, 2)),
    lambda: np.arange(5),
    lambda: np.arange(6.0).reshape(2, 3),
    lambda: np.arange(10)[::-2],
    lambda: np.array([1, np.nan, np.inf]),
    lambda: np.array([True, False]),
    lambda: np.array([1, None, "x"], dtype=object),
    lambda: np.array([10**400, Fraction(1, 3)], dtype=object),
    lambda: np.array([2**63], dtype=np.uint64),
    lambda: np.array([1, 2], dtype=">i4"),
    lambda: np.array(["a", "b"]),
    lambda: np.ma.masked_array([1.0, 2.0], [True, False]),
    lambda: np.array([(1, 2.0)], dtype=[("a", int), ("b", float)]),
    lambda: np.lib.stride_tricks.as_strided(np.ones(1), (10**12,), (0,)),
    lambda: np.random.default_rng(1),
    lambda: np.random.RandomState(1),
    lambda: bytearray(b"abc"),
    lambda: memoryview(b"abc"),
]
"""Makers of values, each of which is made anew for a call: some can be used up."""


class Toss:
    """A game of one toss, in which one question gets another answer."""

    num_players: Any = 1

    def __init__(self, question: str, answer: Callable[[], Any]) -> None:
        if question == "num_players":
            self.num_players = answer()
        else:
            setattr(self, question, lambda *_: answer())

    def initial_state(self) -> Any:
        return "call"

    def current_player(self, state: Any) -> Any:
        return {"call": 0, "heads": -1, "tails": -1}.get(state, -4)

    def legal_actions(self, _: Any) -> Any:
        return ["heads", "tails"]

    def next_state(self, _: Any, action: Any) -> Any:
        return action

    def chance_outcomes(self, _: Any) -> Any:
        return [(1, "right"), (1, "wrong")]

    def returns(self, state: Any) -> Any:
        return [1 if state == "right" else -1]


QUESTIONS = [
    *("num_players", "initial_state", "current_player", "legal_actions"),
    *("next_state", "chance_outcomes", "returns"),
]


def game(rng: np.random.Generator) -> Toss:
    """Return a game that gives one bad answer."""
    question = QUESTIONS[int(rng.integers(len(QUESTIONS)))]
    return Toss(question, VALUES[int(rng.integers(len(VALUES)))])


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
