"""Stop sets: where a player stops, asked level by level.

Each kind answers two questions about the states with n cards remaining: for simulated
games, which of many games stop, given their red cards; for play run forwards, in which
states from `first` to `last` red cards play ends, as indices ``r - first``. Neither is
asked about the empty deck, which ends every game.

These are classes, not functions, as those can be sent to other processes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from cardgames_dp.redblack._kernels.antidiagonals import antidiagonal


class StopSet(Protocol):
    """Where a player of a full deck stops."""

    def __call__(self, n: int, r: NDArray[Any]) -> NDArray[np.bool_]:
        """Return whether games stop with n cards remaining, r of them red."""

    def among(self, n: int, first: int, last: int) -> Sequence[int]:
        """Return the indices of the states that stop: a range from 0 on, or a list."""


@dataclass(frozen=True, slots=True)
class Edges:
    """A player who goes on exactly where ``ahead[n] < r < behind[n]``.

    The fewer red cards remain, the more cash is in hand. The edges are lists of Python
    ints, which do not widen arrays of short integers.
    """

    ahead: list[int]
    behind: list[int]

    @classmethod
    def of(
        cls,
        cards: int,
        ahead: NDArray[np.int64] | None = None,
        behind: NDArray[np.int64] | None = None,
    ) -> Edges:
        """Return the edges from arrays by n; without an array that edge never stops."""
        levels = np.arange(cards + 1)
        return cls(
            (levels * 0 - 1 if ahead is None else ahead).tolist(),
            (levels + 1 if behind is None else behind).tolist(),
        )

    def __call__(self, n: int, r: NDArray[Any]) -> NDArray[np.bool_]:
        """Return whether games stop with n cards remaining, r of them red."""
        stops: NDArray[np.bool_] = r <= self.ahead[n]
        if self.behind[n] <= n:
            stops |= r >= self.behind[n]
        return stops

    def among(self, n: int, first: int, last: int) -> Sequence[int]:
        """Return the indices of the states that stop."""
        low = min(max(self.ahead[n] + 1, first), last + 1) - first
        high = self.behind[n] - first
        if high > last - first:
            return range(low)
        return [*range(low), *range(max(low, high), last - first + 1)]


@dataclass(frozen=True, slots=True)
class Runs:
    """A player who goes on in runs of red cards: any set of states.

    ``bounds[n]`` lists where the first run begins, where it has ended, where the second
    run begins, and so on.
    """

    bounds: list[list[int]]

    def __call__(self, n: int, r: NDArray[Any]) -> NDArray[np.bool_]:
        """Return whether games stop with n cards remaining, r of them red."""
        passed = np.searchsorted(self.bounds[n], r.astype(np.int64), side="right")
        stops: NDArray[np.bool_] = passed % 2 == 0
        return stops

    def among(self, n: int, first: int, last: int) -> Sequence[int]:
        """Return the indices of the states that stop."""
        starts = [first, *self.bounds[n][1::2]]
        ends = [*self.bounds[n][::2], last + 1]
        found: list[int] = []
        for start, end in zip(starts, ends, strict=True):
            found += range(max(start, first) - first, min(end, last + 1) - first)
        return found


@dataclass(frozen=True, slots=True)
class Table:
    """A player whose stops are a table, indexed ``[red, black]``."""

    table: NDArray[np.bool_]

    def __call__(self, n: int, r: NDArray[Any]) -> NDArray[np.bool_]:
        """Return whether games stop with n cards remaining, r of them red."""
        reds = r.astype(np.intp)
        stops: NDArray[np.bool_] = self.table[reds, n - reds]
        return stops

    def among(self, n: int, first: int, last: int) -> Sequence[int]:
        """Return the indices of the states that stop."""
        found: list[int] = np.flatnonzero(
            antidiagonal(self.table, n, first, last)
        ).tolist()
        return found


@dataclass(frozen=True, slots=True)
class Asked:
    """A player given as a function of red and black cards; each result is checked."""

    policy: Callable[..., object]
    red: int
    black: int

    def __call__(self, n: int, r: NDArray[Any]) -> NDArray[np.bool_]:
        """Return whether games stop; the function is called with the whole level."""
        first, last = max(0, n - self.black), min(self.red, n)
        return self._answer(n, first, last)[r.astype(np.intp) - first]

    def among(self, n: int, first: int, last: int) -> Sequence[int]:
        """Return the indices of the states that stop; no others are asked about."""
        found: list[int] = np.flatnonzero(self._answer(n, first, last)).tolist()
        return found

    def _answer(self, n: int, first: int, last: int) -> NDArray[np.bool_]:
        expected = "policy must return a bool array of the shape of its arguments"
        reds = np.arange(first, last + 1)
        try:
            answer = self.policy(reds, n - reds)
        except Exception as error:
            error.add_note(
                "policy was called with arrays of the red and of the black cards that "
                "remain, of one dimension, and must return an array of bool"
            )
            raise
        if not isinstance(answer, np.ndarray):
            raise TypeError(f"{expected}, got {type(answer).__name__}")
        if answer.dtype != np.bool_:
            raise TypeError(f"{expected}, got one of dtype {answer.dtype}")
        if answer.shape != (last - first + 1,):
            raise ValueError(
                f"{expected}, {(last - first + 1,)}, got shape {answer.shape}"
            )
        return answer


@dataclass(frozen=True, slots=True)
class Either:
    """A player who stops where any of several players stops."""

    parts: tuple[StopSet, ...]

    def __call__(self, n: int, r: NDArray[Any]) -> NDArray[np.bool_]:
        """Return whether games stop with n cards remaining, r of them red."""
        stops: NDArray[np.bool_] = np.any([part(n, r) for part in self.parts], axis=0)
        return stops

    def among(self, n: int, first: int, last: int) -> Sequence[int]:
        """Return the indices of the states that stop."""
        return sorted({i for part in self.parts for i in part.among(n, first, last)})


def either(parts: Sequence[StopSet]) -> StopSet:
    """Return where any of several players stops, as edges if they all have them."""
    edges = [part for part in parts if isinstance(part, Edges)]
    if len(edges) < len(parts):
        return Either(tuple(parts))
    ahead = np.max([part.ahead for part in edges], axis=0)
    behind = np.min([part.behind for part in edges], axis=0)
    return Edges(ahead.tolist(), behind.tolist())
