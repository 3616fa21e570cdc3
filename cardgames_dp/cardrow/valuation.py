"""The values of rows, and who should start."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, TypeAlias, overload

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import _checks
from cardgames_dp._checks import Backend
from cardgames_dp._effort import refuse_too_long
from cardgames_dp._extras import progress_bar
from cardgames_dp.cardrow._cards import read, read_rows
from cardgames_dp.cardrow._kernels import solvers
from cardgames_dp.cardrow._kernels.batches import Batch, integer_matrix
from cardgames_dp.cardrow._kernels.row import Cards, Exact
from cardgames_dp.cardrow._kernels.solvers import Method
from cardgames_dp.cardrow.rules import Rules, instance_of, terms_of, weights_of

METHODS: tuple[Method, ...] = ("auto", "collapse", "diagonal")
Start: TypeAlias = Literal["first", "second", "indifferent"]


@overload
def value(
    cards: Cards,
    *,
    rules: Rules | None = None,
    backend: Literal["float64"] = "float64",
    method: Method = "auto",
    progress: bool = False,
) -> float: ...
@overload
def value(
    cards: Cards,
    *,
    rules: Rules | None = None,
    backend: Literal["exact"],
    method: Method = "auto",
    progress: bool = False,
) -> Exact: ...
def value(
    cards: Cards,
    *,
    rules: Rules | None = None,
    backend: Backend = "float64",
    method: Method = "auto",
    progress: bool = False,
) -> float | Exact:
    """Return the value of a row: what the first player wins by under optimal play.

    Grade: float64, rounded once; exact with ``backend="exact"``.

    Parameters
    ----------
    cards : iterable of int, Fraction, Decimal or float
        The row from left to right: a sequence, or a NumPy array of integers or floats.
        Numbers may also be written as text. A float counts as exactly the binary
        fraction that it is: 0.1 is a little more than ``"0.1"``.
    rules : Rules, optional
        The classic rules (two players, one card a turn) if not given.
    backend : {"float64", "exact"}
        The arithmetic of the result. Both compute in integers, so a float is the exact
        value, rounded once.
    method : {"auto", "collapse", "diagonal"}
        The algorithm. "collapse" takes O(n) time for n cards, for two players who take
        one card a turn (whatever else the rules say). "diagonal" takes
        ``O(n**2 k m)`` time, with up to k cards a turn and m players. "auto" is linear
        where possible.
    progress : bool, default False
        Show a progress bar of "diagonal", for which `tqdm` is needed (the extra
        ``progress``).

    Returns
    -------
    float, int or Fraction
        The first player's sum less the other's; with ``backend="exact"``, an int if all
        cards are integers. With more than two players, less the best of the others'
        sums, which under misère rules is the smallest.

    Raises
    ------
    TypeError
        If `cards` is not a row of numbers, `rules` is not Rules, or `method` is not a
        str.
    ValueError
        If there is no card, one is NaN or infinite, the weights of the rules are not
        one for each card, `method` is not one of the above or is not valid for the
        rules, or the value is too large for a float64.
    TooLongError
        If it would take weeks, or more than an hour without `progress`.

    Notes
    -----
    In the time that "collapse" takes for a million cards, "diagonal" solves about
    twenty thousand; a million cards take it an hour. For many rows, use
    :func:`values`. :doc:`/theory/cardrow` explains and proves collapsing.

    References
    ----------
    Pashevich and others ("APP2: Hold'em for n00bs"), whose
    gameOptimal returns this as the balance. For linear time: Idziaszek, T., "An Optimal
    Algorithm for Calculating the Profit in the Coins in a Row Game", 2010.

    Examples
    --------
    >>> from cardgames_dp import cardrow
    >>> cardrow.value([4, 4, 6, 6, 12, 9])
    3.0
    >>> cardrow.value([10**30, 0.5], backend="exact")
    Fraction(1999999999999999999999999999999, 2)
    >>> cardrow.value([0, 1, 0], rules=cardrow.Rules(take=2))
    1.0
    """
    rules = _checks.rules(rules, Rules)
    method = _checks.choice("method", method, METHODS)
    progress = _checks.boolean("progress", progress)
    refuse_collapse(method, rules)
    backend = _checks.backend(backend)
    instance = instance_of(rules, read("cards", cards))
    return in_backend(backend, solvers.value(instance, method, progress=progress))


def in_backend(backend: Backend, exact: Exact) -> float | Exact:
    """Return an exact number in the arithmetic of a backend."""
    if backend == "exact":
        return exact
    must = "cards must have a value that fits in a float64 (use backend='exact')"
    return _checks.nearest_float(must, exact)


def who_should_start(
    cards: Cards, *, rules: Rules | None = None, progress: bool = False
) -> Start:
    """Return whether it is better to move first or second.

    Grade: exact.

    Parameters
    ----------
    cards, rules, progress
        As for :func:`value`; for two players.

    Returns
    -------
    {"first", "second", "indifferent"}
        The better seat. With weights, it is the same for both players.

    Raises
    ------
    TypeError, ValueError
        As for :func:`value`; also for more than two players.
    TooLongError
        As for :func:`value`, under rules that need the method "diagonal".

    References
    ----------
    Pashevich's report, whose getBeginStrategy starts if it is indifferent, and also
    returns the first turn (see :func:`best_move`).

    Examples
    --------
    >>> from cardgames_dp import cardrow
    >>> cardrow.who_should_start([14, 4, 7, 2, 5, 12])
    'first'
    >>> cardrow.who_should_start([1, 5, 1])
    'second'
    >>> cardrow.who_should_start([8, 4, 2, 2, 4, 8])
    'indifferent'
    """
    rules = _checks.rules(rules, Rules)
    if rules.players != 2:
        raise ValueError(
            f"who_should_start is for two players, got players={rules.players}"
        )
    progress = _checks.boolean("progress", progress)
    lead = solvers.wanted_lead(
        instance_of(rules, read("cards", cards)), progress=progress
    )
    # Moving first is better by twice this, with weights as well: their sums cancel.
    if lead == 0:
        return "indifferent"
    return "first" if lead > 0 else "second"


def refuse_collapse(method: Method, rules: Rules) -> None:
    """Refuse the method "collapse" for rules for which it is not valid."""
    if method == "collapse" and not rules.linear:
        raise ValueError(
            "method 'collapse' is for rules with take=1 and players=2, got "
            f"take={rules.take}, players={rules.players}; use method='diagonal'"
        )


@overload
def values(
    rows: Iterable[Cards] | NDArray[Any],
    *,
    rules: Rules | None = None,
    backend: Literal["float64"] = "float64",
    progress: bool = False,
) -> NDArray[np.float64]: ...
@overload
def values(
    rows: Iterable[Cards] | NDArray[Any],
    *,
    rules: Rules | None = None,
    backend: Literal["exact"],
    progress: bool = False,
) -> NDArray[Any]: ...
def values(
    rows: Iterable[Cards] | NDArray[Any],
    *,
    rules: Rules | None = None,
    backend: Backend = "float64",
    progress: bool = False,
) -> NDArray[Any]:
    """Return the values of many rows, each a game of its own.

    The results are those of :func:`value` for each row, but faster: for a matrix of
    rows by one or two orders of magnitude up to twenty cards a row, and by a few times
    up to a hundred. (For one game on several rows, use :func:`value_of_rows`.)

    Grade: float64, rounded once; exact with ``backend="exact"``.

    Parameters
    ----------
    rows : iterable of rows of cards, or ndarray of shape (games, cards)
        The rows, each as for :func:`value`, or a two-dimensional array, as from
        :func:`deal`. Rows in an iterable may have different lengths.
    rules : Rules, optional
        The rules of all games; the classic rules if not given. With weights, every row
        must have as many cards as there are weights.
    backend : {"float64", "exact"}
        The arithmetic of the results, as for :func:`value`.
    progress : bool, default False
        Show a progress bar, for which `tqdm` is needed (the extra ``progress``).

    Returns
    -------
    ndarray, shape (games,)
        The :func:`value` of each row. Exact values are int64 where all cards are
        integers and no sum could overflow; otherwise Python ints and Fractions (dtype
        object).

    Raises
    ------
    TypeError, ValueError
        As for :func:`value`, for the row that the message names; also if there is no
        row.
    TooLongError
        If it would take weeks, or more than an hour without `progress`.

    Notes
    -----
    Matrices of integers, and lists of lists of integers, are solved side by side in
    NumPy arrays, for two players and up to 128 cards. Other rows are read card by card
    first, which takes most of the time. With more than two players, rows are solved one
    by one.

    Examples
    --------
    >>> from cardgames_dp import cardrow
    >>> cardrow.values([[4, 4, 6, 6, 12, 9], [8, 4, 2, 2, 4, 8], [1, 5, 1]])
    array([ 3.,  0., -3.])

    The share of deals in which it is better to move second:

    >>> found = cardrow.values(cardrow.deal(10_000, 13, rng=1))
    >>> float((found < 0).mean())
    0.566
    """
    rules = _checks.rules(rules, Rules)
    exact = _checks.backend(backend) == "exact"
    progress = _checks.boolean("progress", progress)
    batch = _batch(rows, rules)
    refuse_too_long(
        f"the values of {batch.rows} rows",
        batch.seconds,
        "give fewer",
        progress=progress,
    )
    found = np.empty(batch.rows, np.int64 if batch.fits else object)
    with progress_bar(batch.rows, "games", shown=progress) as bar:
        for places, results in batch.solved():
            found[places] = results
            if bar is not None:
                bar.update(len(places))
    if not exact:
        if batch.fits:
            return found.astype(np.float64)
        return np.array([in_backend("float64", x) for x in found.tolist()])
    fits = batch.fits or all(isinstance(x, int) and abs(x) < 2**63 for x in found)
    return found.astype(np.int64, copy=False) if fits else found


def _batch(rows: object, rules: Rules) -> Batch:
    """Return the rows of :func:`values`, checked and ready to be solved."""
    terms, matrix = terms_of(rules), integer_matrix(rows)
    if matrix is not None:
        batch = Batch.of_matrix(matrix, terms, weights_of(rules, matrix.shape[1]))
        if batch is not None:
            return batch
    listed = list(read_rows("rows", rows))
    weights = None
    for length in sorted({len(row.numerators) for row in listed}):
        weights = weights_of(rules, length)
    return Batch.of(listed, terms, weights)
