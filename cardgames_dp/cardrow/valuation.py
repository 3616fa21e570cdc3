"""The values of rows, collapsed rows, and the brute force of Pashevich's report."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, overload

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._support import arguments
from cardgames_dp._support.arguments import Backend
from cardgames_dp._support.running import progress_bar
from cardgames_dp.cardrow._kernels import collapse, values as engine
from cardgames_dp.cardrow._kernels.row import Cards, Exact
from cardgames_dp.cardrow._kernels.values import Batch, Method, integer_matrix
from cardgames_dp.cardrow.cards import read, read_rows
from cardgames_dp.cardrow.rules import Rules, instance_of, terms_of, weights_of

_MOST_CARDS = 24
"""The longest row of the brute force."""

METHODS: tuple[Method, ...] = ("auto", "collapse", "diagonal")


@overload
def value(
    cards: Cards,
    *,
    rules: Rules | None = None,
    backend: Literal["float64"] = "float64",
    method: Method = "auto",
) -> float: ...
@overload
def value(
    cards: Cards,
    *,
    rules: Rules | None = None,
    backend: Literal["exact"],
    method: Method = "auto",
) -> Exact: ...
def value(
    cards: Cards,
    *,
    rules: Rules | None = None,
    backend: Backend = "float64",
    method: Method = "auto",
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

    Returns
    -------
    float, int or Fraction
        The first player's sum less the other's; with ``backend="exact"``, an int if all
        cards are integers. With more than two players, less the best of the others'
        sums, which under misère rules is the smallest.

    Raises
    ------
    ValueError
        If there is no card, one is NaN or infinite, the weights of the rules are not
        one for each card, `method` is not one of the above or is not valid for the
        rules, or the value is too large for a float64.

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
    rules = arguments.rules(rules, Rules)
    method = arguments.choice("method", method, METHODS)
    refuse_collapse(method, rules)
    backend = arguments.backend(backend)
    instance = instance_of(rules, read("cards", cards))
    return in_backend(backend, engine.value(instance, method))


def in_backend(backend: Backend, exact: Exact) -> float | Exact:
    """Return an exact number in the arithmetic of a backend."""
    if backend == "exact":
        return exact
    must = "cards must have a value that fits in a float64 (use backend='exact')"
    return arguments.nearest_float(must, exact)


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
) -> NDArray[np.float64]: ...
@overload
def values(
    rows: Iterable[Cards] | NDArray[Any],
    *,
    rules: Rules | None = None,
    backend: Literal["exact"],
) -> NDArray[Any]: ...
def values(
    rows: Iterable[Cards] | NDArray[Any],
    *,
    rules: Rules | None = None,
    backend: Backend = "float64",
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
    rules = arguments.rules(rules, Rules)
    exact = arguments.backend(backend) == "exact"
    batch = _batch(rows, rules)
    found = np.empty(batch.rows, np.int64 if batch.fits else object)
    with progress_bar(batch.rows, "games") as bar:
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


def collapsed(cards: Cards) -> tuple[Exact, ...]:
    """Return a shorter row with the same value, also as a part of any longer row.

    It replaces each peak, three neighbours a <= b >= c, by the single card a - b + c,
    until no peak is left. This holds for two players who take one card a turn and want
    the larger sum. A long row can therefore be collapsed piece by piece: its value is
    the value of its collapsed pieces, one after the other. It takes linear time.

    Grade: exact.

    Parameters
    ----------
    cards : iterable of int, Fraction, Decimal or float
        The row from left to right, as for :func:`value`.

    Returns
    -------
    tuple of int or Fraction
        A row that falls and then rises, shorter by an even number of cards. Random rows
        collapse to about ten cards.

    References
    ----------
    Idziaszek, T., "An Optimal Algorithm for Calculating the Profit in the Coins in a
    Row Game", 2010.

    Examples
    --------
    >>> from cardgames_dp import cardrow
    >>> cardrow.collapsed([4, 4, 6, 6, 12, 9, 3, 8, 2, 7, 7, 1])
    (4, 1, -3, 1)

    A row repeated 1024 times, by ten doublings of the collapsed row:

    >>> row = piece = (3, 1, 4, 1, 5, 9, 2, 6)
    >>> for _ in range(10):
    ...     row = cardrow.collapsed(row + row)
    >>> row, cardrow.value(row) == cardrow.value(piece * 1024)
    ((3, -2, -3071, 6), True)
    """
    row = read("cards", cards)
    return tuple([row.exact(x) for x in collapse.collapsed(row.numerators)])


def brute_force(cards: Cards) -> tuple[Exact, Exact, int]:
    """Solve a row by trying all courses of the game, as Pashevich's gameOptimal does.

    It is for comparison: :func:`value` and :class:`Position` find the same in linear
    time.

    Grade: exact.

    Parameters
    ----------
    cards : iterable of int, Fraction, Decimal or float
        The row from left to right, as for :func:`value`; at most 24 cards, as each card
        doubles the time.

    Returns
    -------
    tuple of two int or Fraction and an int
        What the player to move wins by after taking the left card, and after taking the
        right one, the larger of which is the value of the row; and the number of calls
        of the recursive function, ``2**n - 1`` for n cards.

    Raises
    ------
    ValueError
        If there are no cards, or more than 24.

    References
    ----------
    Pashevich and others ("APP2: Hold'em for n00bs"), section 3, which gives the number
    of calls as O(2**N). Where both ends are equally good, the report takes the right
    one.

    Examples
    --------
    >>> from cardgames_dp import cardrow
    >>> cardrow.brute_force([14, 4, 7, 2, 5, 12])
    (8, 4, 63)
    """
    row = read("cards", cards)
    x, calls = row.numerators, 1  # this one
    instead = "value(...) finds the same"
    arguments.at_most("the number of cards", len(x), _MOST_CARDS, instead)

    def balance(left: int, right: int) -> int:
        nonlocal calls
        calls += 1
        if left == right:
            return x[left]
        by_left = x[left] - balance(left + 1, right)
        return max(by_left, x[right] - balance(left, right - 1))

    last = len(x) - 1
    by_left = by_right = x[0]
    if last:
        by_left, by_right = x[0] - balance(1, last), x[last] - balance(0, last - 1)
    return row.exact(by_left), row.exact(by_right), calls
