"""Stopping policies of red/black, and the one form in which players use them.

All that a player can know of a shuffled deck is how many cards of each colour remain,
and the cash in hand follows from that. So a policy is a set of states at which to stop,
and each form of one becomes a function of n, the cards remaining, and of the red ones
among them in many games at once.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cardgames_dp import _checks
from cardgames_dp._aliases import Alias
from cardgames_dp._records import ArrayRecord, Record
from cardgames_dp.redblack._kernels.boundary import tops
from cardgames_dp.redblack._kernels.playing import Stops
from cardgames_dp.redblack.rules import Amount, Rules
from cardgames_dp.redblack.solution import solve

NamedPolicy: TypeAlias = Literal["optimal", "first_positive", "never_stop"]
StopFunction: TypeAlias = Callable[
    [NDArray[np.int64], NDArray[np.int64]], NDArray[np.bool_]
]
POLICIES: tuple[NamedPolicy, ...] = ("optimal", "first_positive", "never_stop")


@dataclass(frozen=True, slots=True)
class StopAtCash(Record):
    """The policy of stopping as soon as the cash in hand is at least `amount`.

    Cash and amount are compared exactly, as the rational numbers that they are.

    Parameters
    ----------
    amount : int, Fraction, Decimal, float or str
        In the unit of the rules' amounts; finite and not negative. At 0 the player does
        not draw at all. Text, such as ``"0.05"``, is kept as a Fraction.

    Raises
    ------
    TypeError, ValueError
        If `amount` is no such number.

    Examples
    --------
    >>> from cardgames_dp import redblack
    >>> result = redblack.simulate(26, 26, games=1000, policy=redblack.StopAtCash(3))
    >>> result.payoffs.tolist()
    [0.0, 3.0]
    """

    amount: Amount

    def __post_init__(self) -> None:
        amount = _checks.amount("amount", self.amount)
        if isinstance(self.amount, str):
            object.__setattr__(self, "amount", amount)


@dataclass(frozen=True, slots=True, init=False, eq=False, repr=False)
class StopAtExcess(ArrayRecord):
    """The policy of stopping at a boundary: any, in the form of ``Boundary.excess``.

    Parameters
    ----------
    excess : array_like of int, shape (red + black + 1,)
        For each number n of cards remaining, the smallest excess (black less red cards
        remaining) at which to stop: with r red and b black cards remaining the player
        stops exactly when ``b - r >= excess[r + b]``. (The excess of a state is even or
        odd as n is, so that boundaries differ by 2 if at all.) From n + 1 on it means
        never. The empty deck ends the game whatever ``excess[0]`` says. Kept as a
        read-only copy.

    Raises
    ------
    TypeError
        If `excess` holds something else than integers that fit in an int64.
    ValueError
        If it has not one dimension.

    Examples
    --------
    >>> from cardgames_dp import redblack
    >>> best = redblack.solve(26, 26).boundary.excess
    >>> timid = redblack.simulate(
    ...     26, 26, games=10_000, policy=redblack.StopAtExcess(best - 2), rng=1
    ... )
    >>> timid.mean < redblack.simulate(26, 26, games=10_000, rng=1).mean
    True
    """

    excess: NDArray[np.int64]

    def __init__(self, excess: ArrayLike) -> None:
        array = _checks.array("excess", excess)
        if array.dtype.kind not in "iu" or not np.can_cast(array.dtype, np.int64):
            raise TypeError(
                "excess must be an array of int64 or shorter integers, got one of "
                f"dtype {array.dtype}"
            )
        if array.ndim != 1:
            raise ValueError(
                f"excess must have one dimension, got an array of shape {array.shape}"
            )
        object.__setattr__(self, "excess", array.astype(np.int64))  # a copy
        self.__post_init__()


if TYPE_CHECKING:
    Policy: TypeAlias = NamedPolicy | StopAtCash | StopAtExcess | StopFunction
else:
    Policy = Alias(
        "Policy",
        __name__,
        NamedPolicy | StopAtCash | StopAtExcess | StopFunction,
        """What a player does: a word, a rule for stopping, or a function.

        The words, and what they mean, are in :func:`simulate`. A function takes two
        arrays, of the red and of the black cards remaining, and returns an array of
        bool of the same shape, true where to stop; `StopAtCash` and `StopAtExcess` are
        ready-made rules.

        Examples
        --------
        >>> from cardgames_dp import redblack
        >>> def timid(red, black):
        ...     return black - red >= 1
        >>> policies: list[redblack.Policy] = ["optimal", redblack.StopAtCash(2), timid]
        """,
    )


def stop_rule(
    policy: object, rules: Rules, red: int, black: int, *, progress: bool = False
) -> tuple[str, Stops]:
    """Return the name of a policy and its stops, for a full deck under given rules.

    Raises
    ------
    TypeError, ValueError
        If `policy` is none that there is; a callable's answers are checked when they
        are given.
    """
    if isinstance(policy, StopAtCash):
        amount = _checks.amount("amount", policy.amount)
        return _checks.shown(policy), _OneSided(_cash_tops(amount, rules, red, black))
    if isinstance(policy, StopAtExcess):
        return repr(policy), _OneSided(_excess_tops(policy.excess, red, black))
    _checks.not_a_class("policy", policy)
    if callable(policy):
        name = getattr(policy, "__name__", type(policy).__name__)
        return name, _Asked(policy, red, black)
    if not isinstance(policy, str) or policy not in POLICIES:
        words = ", ".join(map(repr, POLICIES))
        kind = ValueError if isinstance(policy, str) else TypeError
        raise kind(
            f"policy must be one of {words}, a StopAtCash, a StopAtExcess, or a "
            "callable of the red and black cards remaining, got "
            f"{_checks.shown(policy)}"
        )
    if policy == "never_stop":
        return policy, _OneSided(np.full(red + black + 1, -1))
    if policy == "first_positive":  # positive cash is one unit at least
        return policy, _OneSided(_cash_tops(rules.cash_unit, rules, red, black))
    if rules.utility is None:
        best = tops(rules, red, black, exact=False, progress=progress)
        return policy, _OneSided(best)
    table = solve(red, black, rules=rules, progress=progress).stop
    return policy, _Asked(_Tabled(table), red, black)


class _OneSided:
    """The stops of a player who stops where ``r <= highest[n]``.

    This and the others are classes, as those can be sent to other processes.
    """

    __slots__ = ("_highest",)

    def __init__(self, highest: NDArray[np.int64]) -> None:
        # Python ints, which leave short arrays short.
        self._highest = highest.tolist()

    def __call__(self, n: int, r: NDArray[Any]) -> NDArray[np.bool_]:
        stops: NDArray[np.bool_] = r <= self._highest[n]
        return stops


def _cash_tops(
    amount: Fraction, rules: Rules, red: int, black: int
) -> NDArray[np.int64]:
    """Return for each n the largest r where the cash is at least `amount`, else -1."""
    unit = Fraction(1, math.lcm(rules.cash_unit.denominator, amount.denominator))
    gain, cost, wanted = (int(x / unit) for x in (rules.gain, rules.cost, amount))
    found = []
    for n in range(red + black + 1):
        # The cash with r red cards is gain (red - r) - cost (black - (n - r)).
        spare = gain * red - cost * (black - n) - wanted
        if spare < 0:
            found.append(-1)
        elif gain + cost == 0:  # both colours are the same to the player
            found.append(red)
        else:
            found.append(spare // (gain + cost))
    return np.array(found, np.int64)


def _excess_tops(excess: NDArray[np.int64], red: int, black: int) -> NDArray[np.int64]:
    """Return for each n the largest r with ``(n - r) - r >= excess[n]``."""
    levels = red + black + 1
    if len(excess) != levels:
        raise ValueError(
            f"policy.excess must have red + black + 1 = {levels} entries, one for each "
            f"number of cards remaining, got {len(excess)}"
        )
    n = np.arange(levels)
    # Clipped, as the difference could overflow: -n stops everywhere, n + 2 nowhere.
    highest: NDArray[np.int64] = (n - excess.clip(-n, n + 2)) // 2
    return highest


@dataclass(frozen=True, slots=True)
class _Tabled:
    """Whether to stop, looked up in a table."""

    table: NDArray[np.bool_]

    def __call__(
        self, red: NDArray[np.int64], black: NDArray[np.int64]
    ) -> NDArray[np.bool_]:
        stops: NDArray[np.bool_] = self.table[red, black]
        return stops


@dataclass(frozen=True, slots=True)
class _Asked:
    """The stops of a callable policy, with every answer checked."""

    policy: Callable[..., object]
    red: int
    black: int

    def __call__(self, n: int, r: NDArray[Any]) -> NDArray[np.bool_]:
        expected = "policy must return a bool array of the shape of its arguments"
        first, last = max(0, n - self.black), min(self.red, n)
        reds = np.arange(first, last + 1)
        answer = self.policy(reds, n - reds)
        if not isinstance(answer, np.ndarray):
            raise TypeError(f"{expected}, got {type(answer).__name__}")
        if answer.dtype != np.bool_:
            raise TypeError(f"{expected}, got one of dtype {answer.dtype}")
        if answer.shape != (last - first + 1,):
            raise ValueError(
                f"{expected}, {(last - first + 1,)}, got shape {answer.shape}"
            )
        return answer[r.astype(np.intp) - first]
