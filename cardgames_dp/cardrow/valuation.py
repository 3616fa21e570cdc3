"""What rows are worth: to optimal players, on several rows at once, to policies."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any, Literal, overload

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._support import arguments
from cardgames_dp._support.arguments import Backend
from cardgames_dp._support.calls import suggest_arguments
from cardgames_dp._support.running import with_progress
from cardgames_dp.cardrow._kernels import collapse, diagonals, players, row
from cardgames_dp.cardrow._kernels.diagonals import Method
from cardgames_dp.cardrow._kernels.row import Cards, Exact, Instance, Row
from cardgames_dp.cardrow.cards import parse_row, parse_rows
from cardgames_dp.cardrow.policies import Policy, checked, name_of, player_of
from cardgames_dp.cardrow.rules import Rules, Seat, is_classic, seat_of

_MOST_CARDS = 24
"""The longest row of the brute force."""

METHODS: tuple[Method, ...] = ("auto", "collapse", "diagonal")


@overload
def value(
    *rows: Cards,
    stacks: Iterable[Cards] = (),
    rules: Rules | None = None,
    backend: Literal["float64"] = "float64",
    method: Method = "auto",
) -> float: ...
@overload
def value(
    *rows: Cards,
    stacks: Iterable[Cards] = (),
    rules: Rules | None = None,
    backend: Literal["exact"],
    method: Method = "auto",
) -> Exact: ...
@suggest_arguments
def value(
    *rows: Cards,
    stacks: Iterable[Cards] = (),
    rules: Rules | None = None,
    backend: Backend = "float64",
    method: Method = "auto",
) -> float | Exact:
    """Return what the first player wins by under optimal play.

    On several rows a turn takes a card from either end of any row, or from the open end
    of any stack.

    Grade: float64, rounded once; exact with ``backend="exact"``.

    Parameters
    ----------
    *rows : iterable of int, Fraction, Decimal or float
        The row from left to right: a sequence, or a NumPy array of integers or floats;
        or several rows, as several arguments. Numbers may also be written as text, and
        so may a row: "A 5 7 K 4 9", where J, Q, K and A are 11 to 14. A float counts as
        exactly the binary fraction that it is: 0.1 is a little more than ``"0.1"``.
    stacks : iterable of rows of cards
        Rows that are open at the right end only.
    rules : Rules, optional
        The classic rules (two players, one card a turn) if not given. Several rows are
        for two players and one card a turn; the weights are for the rows one after the
        other, then for the stacks.
    backend : {"float64", "exact"}
        The arithmetic of the result. Both compute in integers, so a float is the exact
        value, rounded once.
    method : {"auto", "collapse", "diagonal"}
        The algorithm. "collapse" takes O(n) time for n cards, for two players who take
        one card a turn (whatever else the rules say). "diagonal" takes
        ``O(n**2 k m)`` time, with up to k cards a turn and m players. "auto" is linear
        where possible. On several rows, only "auto", which also sorts the collapsed
        cards.

    Returns
    -------
    float, int or Fraction
        The first player's sum less the other's; with ``backend="exact"``, an int if all
        cards are integers. With more than two players, less the best of the others'
        sums, which under misère rules is the smallest.

    Raises
    ------
    ValueError
        If `method` is not valid for the rules, or the value is too large for a float64.

    Notes
    -----
    In the time that "collapse" takes for a million cards, "diagonal" solves about
    twenty thousand. :doc:`/theory/cardrow` explains collapsing.

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

    One game on two rows, in which to take the 1 is as good as to take the 3, whereas
    the 2 would cost 2; and what closing the left end of a row changes:

    >>> cardrow.value([1, 5, 1], [2, 3])
    -2.0
    >>> [x - cardrow.value(*rest) for x, *rest in (
    ...     (1, [5, 1], [2, 3]), (2, [1, 5, 1], [3]), (3, [1, 5, 1], [2]))]
    [-2.0, -4.0, -2.0]
    >>> cardrow.value([5, 1]), cardrow.value(stacks=[[5, 1]])
    (4.0, -4.0)
    """
    rules = arguments.rules(rules, Rules)
    method = arguments.choice("method", method, METHODS)
    if method == "collapse" and not row.is_linear(rules):
        raise ValueError(
            "method 'collapse' is for rules with take=1 and players=2, got "
            f"take={rules.take}, players={rules.players}; use method='diagonal'"
        )
    backend = arguments.backend(backend)
    closed = list(parse_rows("stacks", stacks, least=0))
    if len(rows) == 1 and not closed:
        instance = Instance.of(rules, parse_row("cards", rows[0]))
        return _in_backend(backend, diagonals.value(instance, method))
    if method == "diagonal":
        raise ValueError("method must be 'auto' for several rows, got 'diagonal'")
    if not row.is_linear(rules):
        raise ValueError(
            "several rows need rules with take=1 and players=2, got "
            f"take={rules.take}, players={rules.players}"
        )
    open_rows = list(parse_rows("rows", rows, least=0 if closed else 1))
    instance = Instance.of(rules, Row.concatenate([*open_rows, *closed]))
    cards = iter(instance.objective)
    parts = [list(islice(cards, len(x.numerators))) for x in [*open_rows, *closed]]
    lead = collapse.value(*parts[: len(open_rows)], stacks=parts[len(open_rows) :])
    return _in_backend(backend, instance.lead(lead))


def _in_backend(backend: Backend, exact: Exact) -> float | Exact:
    """Return an exact number in the arithmetic of a backend."""
    if backend == "exact":
        return exact
    must = "cards must have a value that fits in a float64 (use backend='exact')"
    return arguments.nearest_float(must, exact)


@suggest_arguments
def values(
    rows: Iterable[Cards] | NDArray[Any],
    policy: Policy = "optimal",
    *,
    rules: Rules | None = None,
    seat: Seat = "first",
    backend: Backend = "float64",
) -> NDArray[Any]:
    """Return the values of many rows to a player, each a game of its own.

    To an optimal player who moves first they are worth the :func:`value` of each row,
    but this is faster: for a matrix of rows by one or two orders of magnitude up to
    twenty cards a row, and by a few times up to a hundred. (For one game on several
    rows, use :func:`value`.)

    To the player of another policy they are worth the lead against the worst opponent:
    one who knows the policy and plays the best response to it. If the policy is random,
    it is the mean lead, and the opponent does not know the draws. No policy guarantees
    more than the value. The negative is the value of the best response to the policy in
    the other seat (`cardgames_dp.play.best_response`).

    Grade: float64, rounded once, and with a policy within ``8 u x n**2`` for n cards up
    to x in absolute value, u = 2**-53, unless cards are among the smallest floats;
    exact with ``backend="exact"``.

    Parameters
    ----------
    rows : iterable of rows of cards, or ndarray of shape (games, cards)
        The rows, each as for :func:`value`, or a two-dimensional array, as from
        :func:`deal`. Rows in an iterable may have different lengths.
    policy : Policy, default "optimal"
        A word as for :func:`match`, or a function of a row that returns a policy, or a
        mixture of these, as for :func:`tournament`.
    rules : Rules, optional
        The rules of all games; the classic rules if not given. With weights, every row
        must have as many cards as there are weights. Policies other than "optimal" are
        for the classic rules, with another `tie` if you like, and so is the second
        seat.
    seat : {"first", "second"} or int
        Whether the player moves first or second.
    backend : {"float64", "exact"}
        The arithmetic of the results, as for :func:`value`.

    Returns
    -------
    ndarray, shape (games,)
        What the player wins by on each row. Exact values are int64 where all cards are
        integers and no sum could overflow; otherwise Python ints and Fractions (dtype
        object), as they always are with a policy.

    Notes
    -----
    Matrices of integers are solved side by side in NumPy arrays, for two players and up
    to 128 cards. Other rows are read card by card first, which takes most of the time.
    With more than two players, rows are solved one by one. With a policy it takes
    O(n**2) time for n cards; :doc:`/theory/cardrow` has the theorem.

    Examples
    --------
    >>> from cardgames_dp import cardrow
    >>> cardrow.values([[4, 4, 6, 6, 12, 9], [8, 4, 2, 2, 4, 8], [1, 5, 1]])
    array([ 3.,  0., -3.])

    The share of deals in which it is better to move second:

    >>> found = cardrow.values(cardrow.deal(10_000, 13, rng=1))
    >>> float((found < 0).mean())
    0.566

    The greedy player can lose the first of these rows:

    >>> cardrow.values([[4, 4, 6, 6, 12, 9], [14, 4, 7, 2, 5, 12]], "greedy")
    array([-3.,  8.])

    How much more the best response to the greedy player wins than optimal play
    guarantees, on average over deals of twelve cards:

    >>> deals = cardrow.deal(2000, 12, rng=1)
    >>> best = -cardrow.values(deals, "greedy", seat="second")
    >>> float((best - cardrow.values(deals)).mean())
    0.637
    """
    rules, backend = arguments.rules(rules, Rules), arguments.backend(backend)
    place = seat_of(seat, rules)
    if checked("policy", policy, rows=True) != "optimal" or place:
        return _guaranteed(rows, policy, rules, place, backend)
    matrix = (
        arguments.limited_items("rows", rows)
        if type(rows) is np.ndarray
        else np.empty(0)
    )
    if matrix.ndim == 2 and matrix.size and matrix.dtype.kind in "iu":
        solved = diagonals.of_matrix(matrix, 1, rules)
        if solved is not None and solved[2]:
            return solved[0].astype(np.int64 if backend == "exact" else np.float64)
    results = _by_length(rows, lambda same: diagonals.of_rows(same, rules))
    if backend == "float64":
        return np.array([_in_backend("float64", x) for x in results])
    fits = all(isinstance(x, int) and abs(x) < 2**63 for x in results)
    return results.astype(np.int64) if fits else results


def _by_length(
    rows: object, solve: Callable[[list[Row]], list[Any]]
) -> NDArray[np.object_]:
    """Return what a function says of many rows, which gets those of one length."""
    every = list(parse_rows("rows", rows))
    results = np.empty(len(every), object)
    chunks = with_progress(
        row.alike(every), len(every), "games", lambda each: len(each[0])
    )
    for places, same in chunks:
        results[places] = solve(same)
    return results


def _guaranteed(
    rows: object, policy: Policy, rules: Rules, seat: int, backend: Backend
) -> NDArray[Any]:
    """Return what a policy is guaranteed to win by on each of many rows."""
    if not is_classic(rules):
        raise ValueError(
            "rules must be the classic ones for a policy, two players who take one "
            f"card a turn and want the larger sum, got {rules!r}"
        )

    def sure(same: list[Row]) -> list[Any]:
        deals = players.Deals.of(rules, same)
        name = f"{arguments.shown(name_of(policy))}, the policy,"
        player = player_of(policy, deals, name, rows=True, exact=backend == "exact")
        return [0 - x for x in players.best_replies(deals, player, 1 - seat, backend)]

    results = _by_length(rows, sure)
    return results if backend == "exact" else results.astype(np.float64)


@suggest_arguments
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
    row = parse_row("cards", cards)
    return tuple([row.exact(x) for x in collapse.collapsed(row.numerators)])


@suggest_arguments
def brute_force(cards: Cards) -> tuple[Exact, Exact, int]:
    """Solve a row by trying all courses of the game, as Pashevich's gameOptimal does.

    It is for comparison: :func:`value` finds the same in linear time.

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
    row = parse_row("cards", cards)
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
