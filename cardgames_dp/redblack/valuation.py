"""What a game of red/black is worth: single values and many values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Literal, TypeAlias, overload

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import _checks
from cardgames_dp.redblack import marginal, recurrence
from cardgames_dp.redblack.rules import Rules, checked
from cardgames_dp.redblack.sweep import Sweep

Backend: TypeAlias = Literal["float64", "exact"]
Method: TypeAlias = Literal["auto", "diagonal"]
BACKENDS: tuple[Backend, ...] = ("float64", "exact")
METHODS: tuple[Method, ...] = ("auto", "diagonal")


@overload
def value(
    red: int,
    black: int,
    *,
    rules: Rules | None = None,
    backend: Literal["float64"] = "float64",
    method: Method = "auto",
) -> float: ...
@overload
def value(
    red: int,
    black: int,
    *,
    rules: Rules | None = None,
    backend: Literal["exact"],
    method: Method = "auto",
) -> Fraction: ...
def value(
    red: int,
    black: int,
    *,
    rules: Rules | None = None,
    backend: Backend = "float64",
    method: Method = "auto",
) -> float | Fraction:
    """Return what the game is worth to an optimal player who has not drawn yet.

    Parameters
    ----------
    red, black : int
        Cards of each colour in the deck; any numbers, balanced or not.
    rules : Rules, optional
        The classic ones (a red card pays 1, a black one costs 1) if not given.
    backend : {"float64", "exact"}
        float64 takes O(l**1.5) time and O(sqrt(l)) memory for l + l cards, and is good
        to about 15 digits; :func:`enclosure` gives its error. Exact takes O(l**2)
        additions of integers of up to 2 l bits.
    method : {"auto", "diagonal"}
        The algorithm; "diagonal" is the only one so far.

    Returns
    -------
    float or Fraction
        Expected winnings, in the unit of the rules' amounts; with a utility, the
        expected utility of the final cash. Never less than not playing.

    Raises
    ------
    TypeError, ValueError
        If an argument is none of the kinds above.
    TooLargeError
        If the numbers of an exact sweep would not fit in memory, or a float64 sweep has
        more than 2 billion levels.

    Notes
    -----
    The recurrence is ``v(r, b) = max(0, r/n (1 + v(r-1, b)) + b/n (v(r, b-1) - 1))``
    with n = r + b; the module `cardgames_dp.redblack.sweep` tells how it is swept.

    References
    ----------
    L. A. Shepp, "Explicit solutions to some problems of optimal stopping", Annals of
    Mathematical Statistics 40 (1969), 993-1010. The 52 cards: N. Coldwell's "Problem
    14", solved by Han Zheng's spreadsheet, as document 001 reports.

    Examples
    --------
    >>> from cardgames_dp import redblack
    >>> redblack.value(26, 26)
    2.624475548993925
    >>> redblack.value(26, 26, backend="exact")
    Fraction(41984711742427, 15997372030584)
    """
    red, black = _checks.integer("red", red), _checks.integer("black", black)
    rules = checked(rules)
    exact = _checks.choice("backend", backend, BACKENDS) == "exact"
    _checks.choice("method", method, METHODS)
    if rules.utility is not None:
        return _expected_utility(rules, red, black, exact=exact)
    result = marginal.closed_form(rules, red, black)
    if result is None:
        sweep = Sweep.of(rules, red, black, exact=exact)
        result = marginal.of_best(sweep, marginal.best_reward(sweep))
    return result if exact else _checks.as_float(result)


@overload
def values(
    decks: Iterable[int],
    *,
    rules: Rules | None = None,
    backend: Literal["float64"] = "float64",
    method: Method = "auto",
) -> NDArray[np.float64]: ...
@overload
def values(
    decks: Iterable[int],
    *,
    rules: Rules | None = None,
    backend: Literal["exact"],
    method: Method = "auto",
) -> NDArray[np.object_]: ...
def values(
    decks: Iterable[int],
    *,
    rules: Rules | None = None,
    backend: Backend = "float64",
    method: Method = "auto",
) -> NDArray[np.float64] | NDArray[np.object_]:
    """Return the values of many balanced decks, from one sweep.

    The marginal values do not depend on the deck that play began with, so the sweep for
    the largest deck passes through all the others. (With a utility they do, and every
    deck is solved on its own.)

    Parameters
    ----------
    decks : iterable of int
        The sizes l of decks of l red and l black cards, in any order.
    rules, backend, method
        As for :func:`value`.

    Returns
    -------
    ndarray of float64, or of Fractions (dtype object), shape (len(decks),)
        ``values(decks)[i]`` is the value of ``decks[i]``.

    Raises
    ------
    TypeError, ValueError, TooLargeError
        As for :func:`value`.

    Examples
    --------
    >>> from cardgames_dp import redblack
    >>> redblack.values([1, 2, 26]).round(9)
    array([0.5       , 0.66666667, 2.62447555])
    """
    sizes = _checks.integers("decks", decks)
    rules = checked(rules)
    exact = _checks.choice("backend", backend, BACKENDS) == "exact"
    _checks.choice("method", method, METHODS)
    found: Mapping[int, float | Fraction]
    if rules.utility is not None:
        found = {
            size: _expected_utility(rules, size, size, exact=exact)
            for size in set(sizes)
        }
    else:
        found = marginal.of_balanced(rules, sorted(set(sizes)), exact=exact)
    result = np.empty(len(sizes), dtype=object)
    result[:] = [found[size] for size in sizes]
    return (
        result
        if exact
        else np.array([_checks.as_float(v) for v in result], dtype=np.float64)
    )


def _expected_utility(
    rules: Rules, red: int, black: int, *, exact: bool
) -> float | Fraction:
    """Return the optimal expected utility of the final cash."""
    if exact:
        for level in recurrence.exact_levels(rules, red, black):  # noqa: B007
            pass
        best = max(level.stop[-1], level.draw[-1])
        return Fraction(best, level.denominators[-1])
    for last in recurrence.float_levels(rules, red, black):  # noqa: B007
        pass
    return float(max(last.stop[-1], last.draw[-1]))
