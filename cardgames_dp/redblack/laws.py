"""Laws of the payoff and of the number of draws under the optimal policy.

Play is run forwards (:mod:`cardgames_dp.redblack.forward`) and what it ends with is
added up. Under linear rules the stop set comes from
``tops`` of :mod:`cardgames_dp.redblack.boundary`, without a table, so the whole takes
O(l**1.5) time in float64; under a utility it comes from the table of
:func:`cardgames_dp.redblack.solve`.
"""

from __future__ import annotations

import dataclasses
import math
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import _checks, _html
from cardgames_dp._extras import require
from cardgames_dp._records import ArrayRecord
from cardgames_dp.diagonal import antidiagonal
from cardgames_dp.redblack.boundary import tops
from cardgames_dp.redblack.forward import Orders, StopSet, play
from cardgames_dp.redblack.rules import TIES, Rules, Tie
from cardgames_dp.redblack.table import solve
from cardgames_dp.redblack.valuation import BACKENDS, Backend

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Law(ArrayRecord):
    """A finite probability law: made by :func:`payoff_law` and :func:`duration_law`.

    Attributes
    ----------
    of : {"payoff", "duration"}
        What is distributed.
    support : ndarray, shape (k,), read-only
        The values it can take, increasing: cards drawn, int64, for a duration; for a
        payoff cash in the unit of the rules' amounts, float64 or Fractions (dtype
        object).
    probabilities : ndarray, shape (k,), read-only
        Theirs, all positive: float64, or Fractions (dtype object) that sum to 1.

    Examples
    --------
    >>> from cardgames_dp import redblack
    >>> law = redblack.payoff_law(2, 2, backend="exact")
    >>> {int(x): str(p) for x, p in law.to_dict().items()}
    {0: '1/3', 1: '2/3'}
    >>> law.mean
    Fraction(2, 3)
    """

    of: str
    support: NDArray[Any]
    probabilities: NDArray[Any]

    @property
    def mean(self) -> float | Fraction:
        """The expectation, a Fraction of an exact law."""
        return self._expect(self.support)

    @property
    def variance(self) -> float | Fraction:
        """The variance, a Fraction of an exact law."""
        return self._expect((self.support - self.mean) ** 2)

    @property
    def standard_deviation(self) -> float:
        """The square root of the variance."""
        return math.sqrt(self.variance)

    @property
    def loss_probability(self) -> float | Fraction:
        """The probability of a result below 0 (0 for durations)."""
        return self._expect(self.support < 0)

    def cdf(self, x: float | Fraction) -> float | Fraction:
        """Return the probability of a result of `x` or less.

        Parameters
        ----------
        x : int, Fraction or float
            Any real number; compared exactly with an exact law's support.
        """
        return self._expect(self.support <= x)

    def to_dict(self) -> dict[Any, Any]:
        """Return ``{result: probability}``, in increasing order."""
        pairs = zip(self.support.tolist(), self.probabilities.tolist(), strict=True)
        return dict(pairs)

    def to_pandas(self) -> pd.Series[Any]:
        """Return the probabilities as a Series indexed by the results.

        Raises
        ------
        ModuleNotFoundError
            If pandas is not installed.
        """
        pandas = require("pandas", extra="pandas", purpose="to_pandas")
        index = pandas.Index(self.support, name=self.of)
        series: pd.Series[Any] = pandas.Series(
            self.probabilities, index=index, name="probability"
        )
        return series

    def __repr__(self) -> str:
        return (
            f"<redblack.Law of the {self.of}: {len(self.support)} results, mean "
            f"{float(self.mean):.6g}, standard deviation {self.standard_deviation:.6g}>"
        )

    def _repr_html_(self) -> str:
        shares = [float(p) for p in self.probabilities.tolist()]
        head = (self.of, "probability")
        return _html.histogram(repr(self), head, self.support.tolist(), shares)

    def _expect(self, results: NDArray[Any]) -> float | Fraction:
        products = (results * self.probabilities).tolist()
        if self.probabilities.dtype == object:
            return sum(products, Fraction(0))
        return math.fsum(products)


def payoff_law(
    red: int,
    black: int,
    *,
    tie: Tie | None = None,
    rules: Rules | None = None,
    backend: Backend = "float64",
) -> Law:
    """Return the law of the cash that an optimal player goes home with.

    Grade: float64; exact with ``backend="exact"``.

    Parameters
    ----------
    red, black : int
        Cards of each colour in the deck.
    tie : {"stop", "draw"}, optional
        What the player does where both are worth the same; the rules' own if not given.
        It changes the law, never its mean.
    rules : Rules, optional
        The classic ones if not given. With a utility, the player maximises its
        expectation; the law is still that of the cash.
    backend : {"float64", "exact"}
        In float64 a tie is a tie to rounding.

    Returns
    -------
    Law
        Under linear rules its mean is the value of the game.

    Raises
    ------
    TypeError, ValueError, TooLargeError
        As for :func:`value`; with a utility, as for :func:`solve`.

    References
    ----------
    The law of the boundary game is computed here from first principles; document 001
    simulates its mean.

    Examples
    --------
    >>> from cardgames_dp import redblack
    >>> law = redblack.payoff_law(26, 26)
    >>> law.support.tolist()
    [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
    >>> law.probabilities.round(6).tolist()
    [0.220521, 0.145155, 0.109334, 0.129925, 0.152057, 0.195397, 0.047611]
    """
    game = _Game.checked(red, black, tie, rules, backend)
    gain, cost = game.rules.gain, game.rules.cost
    unit = game.rules.cash_unit
    win, lose = int(gain / unit), int(cost / unit)
    law: dict[int, Any] = defaultdict(int)  # by cash in units: equal cash must meet
    for stop in _stops(game):
        drawn_black = game.black - (stop.n - stop.red)
        law[win * (game.red - stop.red) - lose * drawn_black] += stop.weight
    payoffs = [unit * cash for cash in sorted(law)]
    support = np.empty(len(payoffs), dtype=object if game.exact else np.float64)
    support[:] = payoffs if game.exact else [_checks.as_float(p) for p in payoffs]
    return _law("payoff", support, [law[cash] for cash in sorted(law)], game)


def duration_law(
    red: int,
    black: int,
    *,
    tie: Tie | None = None,
    rules: Rules | None = None,
    backend: Backend = "float64",
) -> Law:
    """Return the law of the number of cards that an optimal player draws.

    Grade: float64; exact with ``backend="exact"``.

    Parameters
    ----------
    red, black, tie, rules, backend
        As for :func:`payoff_law`.

    Returns
    -------
    Law
        Its support is a part of 0, 1, ..., red + black.

    Raises
    ------
    TypeError, ValueError, TooLargeError
        As for :func:`payoff_law`.

    References
    ----------
    Computed here from first principles, as :func:`payoff_law`.

    Examples
    --------
    >>> from cardgames_dp import redblack
    >>> round(redblack.duration_law(26, 26).mean, 6)
    36.45156
    >>> round(redblack.duration_law(26, 26, tie="draw").mean, 6)
    36.607294
    """
    game = _Game.checked(red, black, tie, rules, backend)
    law: dict[int, Any] = defaultdict(int)
    for stop in _stops(game):
        law[game.red + game.black - stop.n] += stop.weight
    support = np.array(sorted(law), dtype=np.int64)
    return _law("duration", support, [law[d] for d in sorted(law)], game)


def _law(of: str, support: NDArray[Any], weights: list[Any], game: _Game) -> Law:
    probabilities = np.empty(len(weights), dtype=object if game.exact else np.float64)
    if game.exact:
        orders = math.comb(game.red + game.black, game.red)
        probabilities[:] = [Fraction(weight, orders) for weight in weights]
    else:
        probabilities[:] = weights
    return Law(of, support, probabilities)


class _Game(NamedTuple):
    red: int
    black: int
    tie: Tie
    rules: Rules
    exact: bool

    @classmethod
    def checked(
        cls, red: object, black: object, tie: object, rules: object, backend: object
    ) -> _Game:
        red, black = _checks.integer("red", red), _checks.integer("black", black)
        rules = _checks.rules(rules, Rules)
        exact = _checks.choice("backend", backend, BACKENDS) == "exact"
        tie = rules.tie if tie is None else _checks.choice("tie", tie, TIES)
        return cls(red, black, tie, rules, exact)


class _Stop(NamedTuple):
    """Play ends with n cards remaining, so many of them red.

    The weight is the chance of that, or in exact arithmetic the number of orders of the
    deck, C(N, R) in all, in which it does.
    """

    n: int
    red: int
    weight: Any


def _stops(game: _Game) -> Iterator[_Stop]:
    """Yield where play can end, and with what weight, from the full deck down."""
    orders = Orders(game.red + game.black, game.red) if game.exact else None
    stop_set = _stop_set(game)
    for front in play(game.red, game.black, stop_set, exact=game.exact):
        for i in front.stops:
            if weight := front.flow.item(i):
                n, r = front.n, front.first + i
                yield _Stop(n, r, weight * orders.of(n, r) if orders else weight)


def _stop_set(game: _Game) -> StopSet:
    """Return where an optimal player stops: by the boundary, or by a table."""
    red, black, rules = game.red, game.black, game.rules
    if rules.utility is None:
        top = tops(rules, red, black, exact=game.exact, tie=game.tie).tolist()
        top[0] = 0  # with no cards play ends under any tie rule
        return lambda n, first, last: range(min(top[n], last) + 1 - first)
    backend: Backend = "exact" if game.exact else "float64"
    rules = dataclasses.replace(rules, tie=game.tie)
    stop = solve(red, black, rules=rules, backend=backend).stop
    return lambda n, first, last: np.flatnonzero(
        antidiagonal(stop, n, first, last)
    ).tolist()
