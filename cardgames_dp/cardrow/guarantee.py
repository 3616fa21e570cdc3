"""What a policy is guaranteed to win by, against any opponent."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import _checks
from cardgames_dp._checks import Backend
from cardgames_dp._effort import refuse_too_long
from cardgames_dp._extras import progress_bar
from cardgames_dp.cardrow._cards import read_rows
from cardgames_dp.cardrow._kernels.best_reply import leads
from cardgames_dp.cardrow._kernels.choosers import Deals
from cardgames_dp.cardrow._kernels.instance import Tie
from cardgames_dp.cardrow._kernels.row import Cards, Row, alike, float_array
from cardgames_dp.cardrow.memoryless import SEATS, Seat, seconds_of
from cardgames_dp.cardrow.policies import Policy, checked, chooser, name_of
from cardgames_dp.cardrow.rules import TIES


def guarantees(
    rows: Iterable[Cards] | NDArray[Any],
    policy: Policy = "optimal",
    *,
    seat: Seat = "first",
    tie: Tie = "right",
    backend: Backend = "float64",
    progress: bool = False,
) -> NDArray[Any]:
    """Return what a policy is guaranteed to win by on each of many rows.

    This is its lead against the worst opponent: one who knows the policy and plays the
    best response to it. If the policy is random, it is the mean lead, and the opponent
    does not know the draws. An optimal policy guarantees the value; no policy
    guarantees more.

    Grade: float64, with the bound of :func:`best_response`; exact with
    ``backend="exact"``.

    Parameters
    ----------
    rows : iterable of rows of cards
        Or a two-dimensional array, as from :func:`deal`. The rows may have different
        lengths.
    policy : Policy, default "optimal"
        A name, a :class:`Mixed` or a callable; see `Policy`.
    seat : {"first", "second"}
        Whether the policy moves first or second. A :class:`Response` knows one seat
        only.
    tie : {"right", "left", "larger"}
        What the policy does where both ends are equally good, as for :func:`match`.
    backend : {"float64", "exact"}
        The arithmetic. Decisions of named policies are exact with either.
    progress : bool, default False
        Show a progress bar, for which `tqdm` is needed (the extra ``progress``).

    Returns
    -------
    ndarray, shape (rows,)
        float64; if exact, ints and Fractions (dtype object).

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described above, or a callable returns anything but a
        move.
    TooLargeError
        If the table of an optimal player would not fit in memory.
    TooLongError
        If it would take weeks, or more than an hour without `progress`.

    See Also
    --------
    failures : The rows on which a policy guarantees less than the value.
    response_values : The best responses to a policy, on many rows.

    Notes
    -----
    :doc:`/theory/cardrow` has the theorem. It takes O(n**2) time for n cards.

    Examples
    --------
    The greedy player can lose the first of these rows:

    >>> from cardgames_dp import cardrow
    >>> rows = [[4, 4, 6, 6, 12, 9], [14, 4, 7, 2, 5, 12]]
    >>> cardrow.guarantees(rows, "greedy")
    array([-3.,  8.])
    >>> cardrow.guarantees(rows) == cardrow.values(rows)
    array([ True,  True])

    The share of deals of twelve cards on which the greedy player guarantees the value:

    >>> deals = cardrow.deal(2000, 12, rng=1)
    >>> sure = cardrow.guarantees(deals, "greedy") == cardrow.values(deals)
    >>> float(sure.mean())
    0.4185
    """
    policy = checked("policy", policy)
    seat = _checks.choice("seat", seat, SEATS)
    tie = _checks.choice("tie", tie, TIES)
    exact = _checks.backend(backend) == "exact"
    progress = _checks.boolean("progress", progress)
    listed = list(read_rows("rows", rows))
    refuse_too_long(
        f"the guarantees of a policy on {len(listed)} rows",
        sum([seconds_of(len(row.numerators), policy, exact=exact) for row in listed]),
        "give fewer rows, or shorter ones",
        progress=progress,
    )
    found = np.empty(len(listed), object if exact else np.float64)
    with progress_bar(len(listed), "rows", shown=progress) as bar:
        for numbers, chunk in alike(listed):
            found[numbers] = _sure(chunk, policy, seat, tie, exact)
            if bar is not None:
                bar.update(len(numbers))
    return found


def response_values(
    rows: Iterable[Cards] | NDArray[Any],
    opponent: Policy,
    *,
    seat: Seat = "first",
    tie: Tie = "right",
    backend: Backend = "float64",
    progress: bool = False,
) -> NDArray[Any]:
    """Return the mean lead of the best response to an opponent on each of many rows.

    Each entry is the value of :func:`best_response` on its row, under the classic
    rules. The responses themselves, which say what to take, are made row by row.

    Grade: float64, with the bound of :func:`best_response`; exact with
    ``backend="exact"``.

    Parameters
    ----------
    rows : iterable of rows of cards
        As for :func:`guarantees`.
    opponent : Policy
        A name, a :class:`Mixed` or a callable; see `Policy`.
    seat : {"first", "second"}
        Your seat: whether you move first or second.
    tie : {"right", "left", "larger"}
        What the opponent does where both ends are equally good, as for :func:`match`.
    backend, progress
        As for :func:`guarantees`.

    Returns
    -------
    ndarray, shape (rows,)
        float64; if exact, ints and Fractions (dtype object).

    Raises
    ------
    TypeError, ValueError, TooLargeError, TooLongError
        As by :func:`guarantees`.

    See Also
    --------
    best_response : The value and the policy, on one row.
    guarantees : The same from the other side of the table.

    Notes
    -----
    It is the negative of what the opponent guarantees in the other seat. Rows of the
    same length are computed together.

    Examples
    --------
    How much more the best response to the greedy player wins than optimal play
    guarantees, on average over deals of twelve cards. (Optimal play wins more than it
    guarantees against this player, too: see the last lines.)

    >>> from cardgames_dp import cardrow
    >>> deals = cardrow.deal(2000, 12, rng=1)
    >>> best = cardrow.response_values(deals, "greedy")
    >>> float((best - cardrow.values(deals)).mean())
    0.672
    >>> bool(cardrow.best_response(deals[0], "greedy").value == best[0])
    True
    >>> plays = [cardrow.match(row, "optimal", "greedy").lead for row in deals]
    >>> round(float((best - plays).mean()), 3)
    0.16
    """
    opponent = checked("opponent", opponent)
    first = _checks.choice("seat", seat, SEATS) == "first"
    other: Seat = "second" if first else "first"
    sure = guarantees(
        rows, opponent, seat=other, tie=tie, backend=backend, progress=progress
    )
    values: NDArray[Any] = 0 - sure  # a minus sign would make zeros negative
    return values


def _sure(
    rows: list[Row], policy: Policy, seat: Seat, tie: Tie, exact: bool
) -> list[Any]:
    """Return what a policy guarantees on rows of one length."""
    deals, n = Deals.of(rows), len(rows[0].numerators)
    worths = deals.rows
    if not exact:
        worths = np.concatenate(
            [float_array(row.numerators, denominator=row.denominator) for row in rows]
        )
    name = f"{_checks.shown(name_of(policy))}, the policy,"
    ask = chooser(policy, deals, tie, name)
    ours = (n if seat == "second" else n - 1) % 2  # parity of the responder's turns
    lost, scale = leads(worths, deals, ask, ours=ours, progress=False)
    if not exact:
        return [0.0 - x for x in lost.tolist()]
    shares = [Fraction(-x, scale * deals.denominator) for x in lost.tolist()]
    return [
        int(share) if row.integral and scale == 1 else share
        for row, share in zip(rows, shares, strict=True)
    ]
