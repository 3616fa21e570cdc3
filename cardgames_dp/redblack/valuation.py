"""What a game of red/black is worth: single values, many values, certified bounds."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias, overload

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import _checks, diagonal
from cardgames_dp.diagonal import Scaled
from cardgames_dp.redblack import recurrence
from cardgames_dp.redblack.rules import Rules, checked
from cardgames_dp.redblack.sweep import Stakes, Sweep

Backend: TypeAlias = Literal["float64", "exact"]
Method: TypeAlias = Literal["auto", "diagonal"]
BACKENDS: tuple[Backend, ...] = ("float64", "exact")
METHODS: tuple[Method, ...] = ("auto", "diagonal")

_MOST_CARDS = 2 * 10**9
"""A sweep of more levels would take weeks; its indices are still small enough."""


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
    result = _closed_form(rules, red, black)
    if result is None:
        sweep = _sweep(rules, red, black, exact=exact)
        result = _marginal(sweep, _start(sweep))
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
        found = _balanced(rules, sorted(set(sizes)), exact=exact)
    result = np.empty(len(sizes), dtype=object)
    result[:] = [found[size] for size in sizes]
    return (
        result
        if exact
        else np.array([_checks.as_float(v) for v in result], dtype=np.float64)
    )


@dataclass(frozen=True, slots=True)
class Enclosure:
    """An interval that is certain to contain the exact value.

    Attributes
    ----------
    lower, upper : float
    method : str
        The algorithm that found it.

    Examples
    --------
    >>> from cardgames_dp import redblack
    >>> bounds = redblack.enclosure(26, 26)
    >>> redblack.value(26, 26, backend="exact") in bounds
    True
    """

    lower: float
    upper: float
    method: str

    @property
    def width(self) -> float:
        """``upper - lower``."""
        return self.upper - self.lower

    @property
    def midpoint(self) -> float:
        """The middle of the interval, as a float."""
        return self.lower + (self.upper - self.lower) / 2

    def __contains__(self, number: Fraction | float) -> bool:
        return self.lower <= number <= self.upper


def enclosure(
    red: int, black: int, *, rules: Rules | None = None, method: Method = "auto"
) -> Enclosure:
    """Return certified lower and upper bounds of the value, by float64 sweeps.

    Parameters
    ----------
    red, black : int
        Cards of each colour in the deck.
    rules : Rules, optional
        Without a utility, whose own rounding nobody could certify.
    method : {"auto", "diagonal"}

    Returns
    -------
    Enclosure
        Relative width about ``4e-16 (red + black)``; the exact value lies within.

    Raises
    ------
    TypeError, ValueError, TooLargeError
        As for :func:`value`; also if `rules` has a utility.

    Notes
    -----
    Two errors are bounded. Rounding: every number of the sweep is a sum, product or
    maximum of non-negative ones, so its relative error after m roundings is at most
    ``(1 + u)**m - 1``. The band: the sweep finds the best that a player can do who
    counts only the paths inside it; the others have a total probability of at most
    ``2**-63`` and could not bring more than ``(lose + fee) black``. The interval is
    then rounded outwards.

    References
    ----------
    N. J. Higham, *Accuracy and Stability of Numerical Algorithms*, 2nd ed., lemma 3.1;
    the tails are in `cardgames_dp.redblack.sweep`.

    Examples
    --------
    >>> from cardgames_dp import redblack
    >>> redblack.enclosure(1000, 1000).width < 1e-11
    True
    """
    red, black = _checks.integer("red", red), _checks.integer("black", black)
    rules = checked(rules)
    if _checks.choice("method", method, METHODS) == "auto":
        method = "diagonal"
    if rules.utility is not None:
        raise ValueError(
            "rules must be without a utility, whose rounding cannot be certified; use "
            "value(..., backend='exact')"
        )
    lower = upper = _closed_form(rules, red, black)
    if lower is None or upper is None:
        sweep = _sweep(rules, red, black, exact=False)
        best, error, omitted = _start(sweep), sweep.error, sweep.omitted
        lower = max(_marginal(sweep, best / (1 + error) - omitted), Fraction(0))
        upper = _marginal(sweep, best / (1 - error) + omitted)
    return Enclosure(_rounded(lower, -math.inf), _rounded(upper, math.inf), method)


def _rounded(exact: Fraction, towards: float) -> float:
    """Return a float64 next to an exact number, on the side of `towards` or equal."""
    nearest = _checks.as_float(exact)
    wrong_side = nearest > exact if towards < 0 else nearest < exact
    return math.nextafter(nearest, towards) if wrong_side else nearest


def _closed_form(rules: Rules, red: int, black: int) -> Fraction | None:
    """Return the value where nothing has to be weighed against anything."""
    if red == 0 or rules.gain <= 0:
        return Fraction(0)
    return rules.gain * red if black == 0 else None


def _sweep(rules: Rules, red: int, black: int, *, exact: bool) -> Sweep:
    cards = red + black
    if exact:
        # Two windows of integers of up to `cards` bits, in CPython's 30-bit digits.
        size = 2 * (min(red, black) + 1) * (cards * 4 // 30 + 36)
        instead = "use backend='float64', and enclosure(...) for its error"
        diagonal.refuse_too_large(
            f"the exact sweep of {red} red and {black} black cards", size, instead
        )
    elif cards > _MOST_CARDS:
        raise diagonal.TooLargeError(
            f"red + black must be at most {_MOST_CARDS} for the diagonal method, whose "
            f"time grows as their power 1.5, got {cards}"
        )
    return Sweep(Stakes.of(rules), red, black, exact=exact)


def _start(sweep: Sweep) -> Fraction:
    """Run a sweep and return W of its full deck, in units of the stakes."""
    red, black = sweep.red, sweep.black
    for last in sweep.levels():  # noqa: B007
        pass
    if last.top >= red:
        return Fraction(sweep.stakes.reward(red + black, red))
    if sweep.exact:
        return sweep.reward(last, red, Scaled(math.comb(red + black, red), 0))
    return sweep.reward(last, red, diagonal.binomial(red + black, red))


def _marginal(sweep: Sweep, best: Fraction) -> Fraction:
    """Return the marginal value of the full deck, given its W."""
    stopping = sweep.stakes.reward(sweep.red + sweep.black, sweep.red)
    return (best - stopping) * sweep.stakes.unit


def _balanced(rules: Rules, sizes: list[int], *, exact: bool) -> dict[int, Fraction]:
    """Return the values of balanced decks of increasing sizes, by one sweep."""
    found = {size: _closed_form(rules, size, size) for size in sizes}
    swept = [size for size in sizes if found[size] is None]
    if swept:
        sweep = _sweep(rules, swept[-1], swept[-1], exact=exact)
        for size, best in _centre(sweep, swept):
            stopping = sweep.stakes.reward(2 * size, size)
            found[size] = (best - stopping) * sweep.stakes.unit
    return {size: Fraction(0) if v is None else v for size, v in found.items()}


def _centre(sweep: Sweep, sizes: list[int]) -> Iterator[tuple[int, Fraction]]:
    """Yield W of the balanced decks of increasing sizes that a sweep passes through.

    Decks that come after the sweep's end are not yielded: there the boundary has passed
    the largest deck, and with it all of them; they stop, and their value is 0.
    """
    wanted = iter(sizes)
    size, done, count = next(wanted), 0, Scaled(1, 0)
    for level in sweep.levels():
        if level.n < 2 * size:
            continue
        while done < size:  # C(2 l, l) = C(2 l - 2, l - 1) 2 (2 l - 1) / l
            done += 1
            count = count.times(2 * (2 * done - 1), done, exact=sweep.exact)
        yield size, sweep.reward(level, size, count)
        size = next(wanted, 0)
        if not size:
            return


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
