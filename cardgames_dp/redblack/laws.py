"""Laws of the payoff and of the number of draws under the optimal policy.

A law is a probability distribution: the results that can be, and how likely each is.
`cardgames_dp.redblack._kernels.laws` finds them, by running play forwards.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, SupportsIndex, overload

from cardgames_dp import _checks, _law
from cardgames_dp._checks import Backend
from cardgames_dp._numbers import Number
from cardgames_dp.redblack._kernels import laws as kernel
from cardgames_dp.redblack.rules import Rules


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Law(_law.Law[Number]):
    """A probability distribution of finitely many results; prints as a table.

    Made by :func:`payoff_law` and :func:`duration_law`.

    Attributes
    ----------
    of : {"payoff", "duration"}
        What is distributed.
    support : ndarray, shape (k,), read-only
        The results it can take, increasing: cards drawn, int64, for a duration; for a
        payoff cash in the unit of the rules' amounts, float64 or Fractions (dtype
        object).
    probabilities : ndarray, shape (k,), read-only
        Theirs, all positive: float64, or Fractions (dtype object) that sum to 1.
    red, black : int or None
        Cards of each colour in the deck that is played; None if it is of no deck.
    rules : Rules or None
        Those that are played by, the tie rule included.

    Examples
    --------
    >>> from cardgames_dp import redblack
    >>> law = redblack.payoff_law(2, 2, backend="exact")
    >>> {int(x): str(p) for x, p in law.to_dict().items()}
    {0: '1/3', 1: '2/3'}
    >>> law.mean, law.median
    (Fraction(2, 3), Fraction(1, 1))
    >>> print(redblack.payoff_law(26, 26))
    payoff  probability
         0     0.220521
         1     0.145155
         2     0.109334
         3     0.129925
         4     0.152057
         5     0.195397
         6    0.0476107
    (mean 2.62448, standard deviation 1.97377)
    """

    red: int | None = None
    black: int | None = None
    rules: Rules | None = None

    def _known(self) -> dict[str, Any]:
        deck = {"red": self.red, "black": self.black, "rules": self.rules}
        return {k: v for k, v in deck.items() if v not in (None, Rules())}


@overload
def payoff_law(
    red: SupportsIndex,
    black: SupportsIndex,
    *,
    rules: Rules | None = None,
    backend: Literal["float64"] = "float64",
    progress: bool = False,
) -> Law[float]: ...
@overload
def payoff_law(
    red: SupportsIndex,
    black: SupportsIndex,
    *,
    rules: Rules | None = None,
    backend: Literal["exact"],
    progress: bool = False,
) -> Law[Fraction]: ...
def payoff_law(
    red: SupportsIndex,
    black: SupportsIndex,
    *,
    rules: Rules | None = None,
    backend: Backend = "float64",
    progress: bool = False,
) -> Law[float] | Law[Fraction]:
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
    red, black = _checks.integer("red", red), _checks.integer("black", black)
    rules = _checks.rules(rules, Rules)
    exact = _checks.backend(backend) == "exact"
    progress = _checks.boolean("progress", progress)
    found = kernel.payoff(rules, red, black, exact=exact, progress=progress)
    return Law("payoff", *found, red, black, rules)


@overload
def duration_law(
    red: SupportsIndex,
    black: SupportsIndex,
    *,
    rules: Rules | None = None,
    backend: Literal["float64"] = "float64",
    progress: bool = False,
) -> Law[float]: ...
@overload
def duration_law(
    red: SupportsIndex,
    black: SupportsIndex,
    *,
    rules: Rules | None = None,
    backend: Literal["exact"],
    progress: bool = False,
) -> Law[Fraction]: ...
def duration_law(
    red: SupportsIndex,
    black: SupportsIndex,
    *,
    rules: Rules | None = None,
    backend: Backend = "float64",
    progress: bool = False,
) -> Law[float] | Law[Fraction]:
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
        As for :func:`payoff_law`, which also has the source.

    Examples
    --------
    >>> from cardgames_dp import redblack
    >>> round(redblack.duration_law(26, 26).mean, 6)
    36.45156
    >>> round(redblack.duration_law(26, 26, rules=redblack.Rules(tie="draw")).mean, 6)
    36.607294
    """
    red, black = _checks.integer("red", red), _checks.integer("black", black)
    rules = _checks.rules(rules, Rules)
    exact = _checks.backend(backend) == "exact"
    progress = _checks.boolean("progress", progress)
    found = kernel.duration(rules, red, black, exact=exact, progress=progress)
    return Law("duration", *found, red, black, rules)
