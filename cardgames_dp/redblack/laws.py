"""Laws of the payoff and of the number of draws under the optimal policy.

A law is a probability distribution: the results that can be, and how likely each is.
Play is run forwards (:mod:`cardgames_dp.redblack._kernels.forward`), and what it ends
with is added up. Under linear rules the stop set comes from the boundary, without a
table, so the whole takes O(l**1.5) time in float64; under a utility it comes from the
table of :func:`cardgames_dp.redblack.solve`.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import _checks
from cardgames_dp._antidiagonals import antidiagonal
from cardgames_dp._checks import Backend
from cardgames_dp._effort import refuse_too_long
from cardgames_dp._memory import refuse_too_large
from cardgames_dp._numbers import printable
from cardgames_dp.redblack._kernels import costs
from cardgames_dp.redblack._kernels.boundary import tops
from cardgames_dp.redblack._kernels.forward import Ending, StopSet, endings
from cardgames_dp.redblack.law import Law
from cardgames_dp.redblack.rules import Rules
from cardgames_dp.redblack.solution import solve

if TYPE_CHECKING:
    pass

_RESULT_BYTES = 300
"""Of a result of a law, next to its boundary's level: in a dict, lists and arrays."""


def payoff_law(
    red: int,
    black: int,
    *,
    rules: Rules | None = None,
    backend: Backend = "float64",
    progress: bool = False,
) -> Law:
    """Return the distribution of the cash that an optimal player goes home with.

    Grade: float64; exact with ``backend="exact"``.

    Parameters
    ----------
    red, black : int
        Cards of each colour in the deck.
    rules : Rules, optional
        The classic ones if not given. With a utility, the player maximises its
        expectation; the law is still that of the cash. Their tie rule changes the law,
        never its mean.
    backend : {"float64", "exact"}
        In float64 a tie is a tie to rounding.
    progress : bool, default False
        Show progress bars, of the sweep that finds the boundary and of the play that
        meets it, for which `tqdm` is needed (the extra ``progress``).

    Returns
    -------
    Law
        Under linear rules its mean is the value of the game.

    Raises
    ------
    TypeError, ValueError, TooLargeError, TooLongError, ModuleNotFoundError
        As for :func:`value`; with a utility, as for :func:`solve`.

    References
    ----------
    Document 001 simulates the mean. The law itself has no source: play is run forwards
    through the states, each with the probability that it is met.

    Examples
    --------
    >>> from cardgames_dp import redblack
    >>> law = redblack.payoff_law(26, 26)
    >>> law.support.tolist()
    [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
    >>> law.probabilities.round(6).tolist()
    [0.220521, 0.145155, 0.109334, 0.129925, 0.152057, 0.195397, 0.047611]
    """
    game = _Game.checked(red, black, rules, backend, progress)
    gain, cost = game.rules.gain, game.rules.cost
    unit = game.rules.cash_unit
    win, lose = int(gain / unit), int(cost / unit)
    law: dict[int, Any] = defaultdict(int)  # by cash in units: equal cash must meet
    for stop in game.endings():
        drawn_black = game.black - (stop.n - stop.red)
        law[win * (game.red - stop.red) - lose * drawn_black] += stop.weight
    payoffs = [printable(unit * cash) for cash in sorted(law)]
    support = np.empty(len(payoffs), dtype=object if game.exact else np.float64)
    support[:] = payoffs if game.exact else [_checks.as_float(p) for p in payoffs]
    return game.law("payoff", support, [law[cash] for cash in sorted(law)])


def duration_law(
    red: int,
    black: int,
    *,
    rules: Rules | None = None,
    backend: Backend = "float64",
    progress: bool = False,
) -> Law:
    """Return the distribution of the number of cards that an optimal player draws.

    Grade: float64; exact with ``backend="exact"``.

    Parameters
    ----------
    red, black, rules, backend, progress
        As for :func:`payoff_law`.

    Returns
    -------
    Law
        Its support is a part of 0, 1, ..., red + black.

    Raises
    ------
    TypeError, ValueError, TooLargeError, TooLongError, ModuleNotFoundError
        As for :func:`payoff_law`.

    References
    ----------
    As for :func:`payoff_law`.

    Examples
    --------
    >>> from cardgames_dp import redblack
    >>> round(redblack.duration_law(26, 26).mean, 6)
    36.45156
    >>> round(redblack.duration_law(26, 26, rules=redblack.Rules(tie="draw")).mean, 6)
    36.607294
    """
    game = _Game.checked(red, black, rules, backend, progress)
    law: dict[int, Any] = defaultdict(int)
    for stop in game.endings():
        law[game.red + game.black - stop.n] += stop.weight
    support = np.array(sorted(law), dtype=np.int64)
    return game.law("duration", support, [law[d] for d in sorted(law)])


class _Game(NamedTuple):
    red: int
    black: int
    rules: Rules
    exact: bool
    progress: bool

    @classmethod
    def checked(
        cls,
        red: object,
        black: object,
        rules: object,
        backend: object,
        progress: object,
    ) -> _Game:
        red, black = _checks.integer("red", red), _checks.integer("black", black)
        rules = _checks.rules(rules, Rules)
        exact = _checks.backend(backend) == "exact"
        progress = _checks.boolean("progress", progress)
        deck = f"{_checks.shown(red)} red and {_checks.shown(black)} black cards"
        instead = "use a smaller deck" + ", or backend='float64'" * exact
        refuse_too_large(f"a law of {deck}", _RESULT_BYTES * (red + black + 1), instead)
        seconds = costs.forward(red, black, exact=exact)
        refuse_too_long(f"a law of {deck}", seconds, instead, progress=progress)
        return cls(red, black, rules, exact, progress)

    def endings(self) -> Iterator[Ending]:
        """Yield where play can end, and with what weight, from the full deck down."""
        stop_set = self._stop_set()
        return endings(
            self.red, self.black, stop_set, exact=self.exact, progress=self.progress
        )

    def _stop_set(self) -> StopSet:
        """Return where an optimal player stops: by the boundary, or by a table."""
        red, black, rules, progress = self.red, self.black, self.rules, self.progress
        if rules.utility is None:
            top = tops(rules, red, black, exact=self.exact, progress=progress).tolist()
            top[0] = 0  # with no cards play ends under any tie rule
            return lambda n, first, last: range(min(top[n], last) + 1 - first)
        backend: Backend = "exact" if self.exact else "float64"
        stop = solve(red, black, rules=rules, backend=backend, progress=progress).stop
        return lambda n, first, last: np.flatnonzero(
            antidiagonal(stop, n, first, last)
        ).tolist()

    def law(self, of: str, support: NDArray[Any], weights: list[Any]) -> Law:
        """Return the law of results with these weights, those of `endings`."""
        shares = np.empty(len(weights), dtype=object if self.exact else np.float64)
        if self.exact:
            orders = math.comb(self.red + self.black, self.red)
            shares[:] = [printable(Fraction(weight, orders)) for weight in weights]
        else:
            shares[:] = weights
        return Law(of, support, shares, self.red, self.black, self.rules)
