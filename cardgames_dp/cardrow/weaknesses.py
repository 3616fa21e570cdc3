"""Where a policy fails: a search through all rows of a given length."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import _checks
from cardgames_dp._effort import real, refuse_too_long
from cardgames_dp._extras import tracked
from cardgames_dp._numbers import short
from cardgames_dp._records import Record, plain, short_repr
from cardgames_dp.cardrow._kernels.best_reply import leads
from cardgames_dp.cardrow._kernels.choosers import Deals
from cardgames_dp.cardrow._kernels.instance import Tie
from cardgames_dp.cardrow.policies import Policy, checked, chooser, name_of
from cardgames_dp.cardrow.rules import TIES
from cardgames_dp.cardrow.valuation import values

_CHUNK = 2**16
"""Rows tried side by side in one array."""


@dataclass(frozen=True, slots=True, repr=False)
class Failures(Record):
    """The rows on which a policy fails; made by :func:`failures`.

    Attributes
    ----------
    policy : str
        The name of the policy.
    cards : int
        The number of cards in a row.
    rows : int
        The number of rows tried.
    failing : int
        The number of rows on which the policy guarantees less than the value.
    smallest : tuple of int, or None
        The failing row with the smallest sum, the first one in lexicographic order;
        None if the policy never fails.
    worst : tuple of int, or None
        The failing row with the smallest ratio, the first one in lexicographic order;
        None if the policy never fails.
    ratio : Fraction
        On the worst row, the sum that the policy is guaranteed to take, divided by the
        sum that an optimal player is guaranteed to take; 1 if the policy never fails.
    loss : int or Fraction
        The largest amount by which the guarantee is less than the value, on any row.

    Examples
    --------
    >>> from cardgames_dp import cardrow
    >>> found = cardrow.failures(4, 6)
    >>> found.smallest, found.worst, found.ratio, found.loss
    ((1, 1, 3, 2), (1, 1, 5, 3), Fraction(2, 3), 4)
    """

    policy: str
    cards: int
    rows: int
    failing: int
    smallest: tuple[int, ...] | None
    worst: tuple[int, ...] | None
    ratio: Fraction
    loss: int | Fraction

    @property
    def share(self) -> Fraction:
        """The share of the rows on which the policy fails."""
        return Fraction(self.failing, self.rows)

    def to_dict(self, *, json: bool = False) -> dict[str, Any]:
        """Return all fields as plain numbers and lists.

        Parameters
        ----------
        json : bool, default False
            Whether to use only types that JSON has: Fractions become text.
        """
        share = plain(self.share, json=_checks.boolean("json", json))
        return {**plain(self, json=json), "share": share}

    def __str__(self) -> str:
        share = f"{self.policy} fails on {self.failing} of {self.rows} rows of "
        if not self.failing:
            return f"{share}{self.cards} cards."
        return (
            f"{share}{self.cards} cards. The smallest is {_listed(self.smallest)}. The "
            f"worst is {_listed(self.worst)}, where it is sure of {short(self.ratio)} "
            "of the optimal sum."
        )

    def __repr__(self) -> str:
        return short_repr(self)


def failures(
    cards: SupportsIndex,
    largest: SupportsIndex,
    policy: Policy = "greedy",
    *,
    smallest: SupportsIndex = 1,
    tie: Tie = "right",
    progress: bool = False,
) -> Failures:
    """Find the rows of a given length on which a policy guarantees less than the value.

    It tries all rows. A policy fails on a row if, in the first seat, it guarantees less
    than an optimal player, who guarantees the value: an opponent who knows the policy
    can do better than against optimal play.

    Grade: exact.

    Parameters
    ----------
    cards : int
        The number of cards in a row, at least 1.
    largest : int
        The largest card: cards are the integers from `smallest` to `largest`.
    policy : Policy, default "greedy"
        A name, a :class:`Mixed` or a callable; see `Policy`.
    smallest : int, default 1
        The smallest card, at least 0.
    tie : {"right", "left", "larger"}
        What the policy does where both ends are equally good, as for :func:`match`.
    progress : bool, default False
        Show a progress bar, for which `tqdm` is needed (the extra ``progress``).

    Returns
    -------
    Failures
        How many rows fail, the smallest and the worst of them, and the largest loss.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described above.
    TooLongError
        If it would take weeks, or more than an hour without `progress`: there are
        ``(largest - smallest + 1) ** cards`` rows.

    See Also
    --------
    guarantees : The same for rows of your own, for example from :func:`deal`.

    Notes
    -----
    Section 2.3 of Pashevich's report has a failing row of six cards. The greedy player
    can fail arbitrarily badly (see :doc:`/theory/cardrow`): of the row
    ``0, 1, 1, 0, 1, 0, ..., 1, 0`` with k ones it takes one, and an optimal player
    takes k - 1.

    Examples
    --------
    >>> from cardgames_dp import cardrow
    >>> print(cardrow.failures(3, 9))
    greedy fails on 0 of 729 rows of 3 cards.
    >>> print(cardrow.failures(6, 1, smallest=0, tie="larger"))
    greedy fails on 1 of 64 rows of 6 cards. The smallest is 0, 1, 1, 0, 1, 0. The \
worst is 0, 1, 1, 0, 1, 0, where it is sure of 0.5 of the optimal sum.
    """
    n = _checks.integer("cards", cards, minimum=1)
    low = _checks.integer("smallest", smallest)
    high = _checks.integer("largest", largest, minimum=low)
    policy = checked("policy", policy)
    tie = _checks.choice("tie", tie, TIES)
    progress = _checks.boolean("progress", progress)
    # Powers with more digits than these are not worth computing, or cannot be.
    large = real(n) * math.log2(real(high - low + 1)) > 10_000
    rows = 10**3000 if large else (high - low + 1) ** n
    each = 3e-8 if isinstance(policy, str) else 1e-6
    refuse_too_long(
        f"{_checks.shown(rows)} rows of {_checks.shown(n)} cards",
        real(min(rows, 10**30)) * real(n**2) * each,
        "try shorter rows, or fewer different cards",
        progress=progress,
    )
    best = _Found()
    chunks = range(0, rows, _CHUNK)
    for start in tracked(chunks, len(chunks), "chunks of rows", shown=progress):
        numbers = np.arange(start, min(start + _CHUNK, rows))
        places = np.unravel_index(numbers, (high - low + 1,) * n)
        found = _tried(np.stack(places, axis=1) + low, policy, tie)
        best = best.with_(found)
    return Failures(name_of(policy), n, rows, *best.summary())


class _Failing(NamedTuple):
    """Rows on which a policy fails, their sums, and its guarantees on them."""

    rows: NDArray[Any]
    totals: NDArray[Any]
    sure: list[Fraction]
    values: NDArray[Any]


class _Found(NamedTuple):
    """The results so far."""

    failing: int = 0
    smallest: tuple[int, tuple[int, ...]] | None = None
    worst: tuple[Fraction, tuple[int, ...]] | None = None
    loss: Fraction = Fraction(0)

    def with_(self, found: _Failing) -> _Found:
        """Return the results with those of more rows."""
        if not len(found.rows):
            return self
        rows = [tuple(row) for row in found.rows.tolist()]
        totals, values = found.totals.tolist(), found.values.tolist()
        ratios = [
            (total + sure) / (total + value)
            for total, sure, value in zip(totals, found.sure, values, strict=True)
        ]
        losses = [x - sure for x, sure in zip(values, found.sure, strict=True)]
        sizes = [(total, row) for total, row in zip(totals, rows, strict=True)]
        shares = [(ratio, row) for ratio, row in zip(ratios, rows, strict=True)]
        return _Found(
            self.failing + len(rows),
            min([*sizes, *([self.smallest] if self.smallest else [])]),
            min([*shares, *([self.worst] if self.worst else [])]),
            max(self.loss, *losses),
        )

    def summary(self) -> Iterator[Any]:
        """Yield the fields of the result."""
        yield self.failing
        yield None if self.smallest is None else self.smallest[1]
        yield None if self.worst is None else self.worst[1]
        yield Fraction(1) if self.worst is None else self.worst[0]
        yield int(self.loss) if self.loss.denominator == 1 else self.loss


def _tried(rows: NDArray[Any], policy: Policy, tie: Tie) -> _Failing:
    """Return the rows on which a policy fails."""
    given = () if isinstance(policy, str) else tuple(map(tuple, rows.tolist()))
    deals, n = Deals(rows, 1, given), rows.shape[1]
    ask = chooser(policy, deals, tie, f"{_checks.shown(name_of(policy))}, the policy,")
    lost, scale = leads(rows, deals, ask, ours=(n - 1) % 2, progress=False)
    worth = values(rows, backend="exact")
    if scale > 1:
        worth = worth.astype(object)
    fails = -lost < worth * scale
    sure = [Fraction(-x, scale) for x in lost[fails].tolist()]
    return _Failing(rows[fails], rows[fails].sum(axis=1), sure, worth[fails])


def _listed(row: tuple[int, ...] | None) -> str:
    return ", ".join(map(str, row or ()))
