"""Ready-made utilities: the worth of cash to a risk-averse player.

Each utility is 0 for no cash and close to the amount itself for small amounts, so its
figures can be compared with cash; the scale and the origin of a utility change no
decision. The utilities take numbers and arrays, compare by content, can be pickled, and
have an inverse. Where the player has lost more than allowed they are -inf: *ruin*, as
:class:`cardgames_dp.redblack.Rules` describes.

You can also use a function of your own, of a number or of an array;
`certainty_equivalent` finds its worth in cash as well.

References
----------
J. W. Pratt, "Risk aversion in the small and in the large", Econometrica 32 (1964),
122-136, for constant absolute and constant relative risk aversion.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cardgames_dp import _checks
from cardgames_dp._numbers import Number, printable
from cardgames_dp._records import Record
from cardgames_dp.redblack._kernels import utility as _utility

if TYPE_CHECKING:
    from cardgames_dp.redblack.rules import Amount

__all__ = ["certainty_equivalent", "exponential", "log", "power"]


def __dir__() -> list[str]:
    return __all__


class _ReadyMade(Record):
    """What the utilities share: calls with numbers or arrays, and an inverse."""

    __slots__ = ()

    @overload
    def __call__(self, cash: float | Fraction) -> float: ...
    @overload
    def __call__(self, cash: ArrayLike) -> Any: ...
    def __call__(self, cash: ArrayLike | Fraction) -> Any:
        """Return the utility of an amount of cash, or of an array of them.

        Raises
        ------
        TypeError, ValueError
            If `cash` is no number that fits in float64, or its utility does not.
        """
        amounts = _checks.float_array("cash", cash)
        try:
            with np.errstate(over="raise"):
                values = self._values(amounts)
        except FloatingPointError:
            raise ValueError(
                "cash must have a utility that fits in float64, got "
                f"{_checks.shown(cash)}"
            ) from None
        return values if amounts.ndim else float(values)

    def inverse(self, utility: float | Fraction) -> float:
        """Return the amount of cash that has this utility.

        Parameters
        ----------
        utility : float or Fraction
            A real number; for -inf the largest amount that is ruin is returned.

        Returns
        -------
        float
            The amount, in the unit of cash.

        Raises
        ------
        TypeError, ValueError
            If `utility` is not a real number, or is outside the range of the utility.
        """
        return self._inverse("utility", utility)

    def _inverse(self, name: str, utility: float | Fraction) -> float:
        must = f"{name} must be a value of {self}, not too near its limits for float64"
        wanted = _checks.nearest_float(must, _checks.real(name, utility))
        with np.errstate(all="ignore"):  # the result is checked below
            cash = self._cash(np.float64(wanted))
        if not math.isnan(cash) and cash < math.inf:
            return cash
        raise ValueError(f"{must}, got {_checks.shown(utility)}")

    def _values(self, cash: NDArray[np.float64]) -> NDArray[np.float64]:
        raise NotImplementedError

    def _cash(self, utility: np.float64) -> float:
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class exponential(_ReadyMade):
    """Constant absolute risk aversion: ``(1 - exp(-a cash)) / a``.

    The decisions do not depend on the player's wealth, and no loss is ruin.

    Parameters
    ----------
    risk_aversion : int, Fraction, Decimal, float or str
        The coefficient a > 0, per unit of cash.

    Raises
    ------
    TypeError, ValueError
        If `risk_aversion` is not as described above.

    Examples
    --------
    >>> from cardgames_dp import redblack
    >>> rules = redblack.Rules(utility=redblack.utilities.exponential(0.5))
    >>> table = redblack.solve(26, 26, rules=rules)
    >>> round(table.value, 6), round(table.certainty_equivalent, 6)
    (1.233888, 1.919147)
    """

    risk_aversion: Amount

    def __post_init__(self) -> None:
        _keep_positive(self, "risk_aversion")

    def _values(self, cash: NDArray[np.float64]) -> NDArray[np.float64]:
        a = float(self.risk_aversion)
        return -np.expm1(-a * cash) / a

    def _cash(self, utility: np.float64) -> float:
        a = float(self.risk_aversion)
        return float(-np.log1p(-a * utility) / a)


@dataclass(frozen=True, slots=True)
class power(_ReadyMade):
    """Constant relative risk aversion: a power of the player's wealth.

    With wealth w and g not 1, it is ``w / (1 - g) ((1 + cash / w)**(1 - g) - 1)``. A
    loss of more than w is ruin; if g > 1, so is a loss of exactly w.

    Parameters
    ----------
    risk_aversion : int, Fraction, Decimal, float or str
        The coefficient g > 0; for g = 1 use `log`.
    wealth : int, Fraction, Decimal, float or str
        The player's wealth w before the game, in the unit of cash; positive.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described above.

    Examples
    --------
    >>> from cardgames_dp import redblack
    >>> utility = redblack.utilities.power(2, wealth=10)
    >>> utility(30), utility.inverse(7.5), utility(-10)
    (7.5, 30.0, -inf)
    """

    risk_aversion: Amount
    wealth: Amount = field(kw_only=True)

    def __post_init__(self) -> None:
        _keep_positive(self, "risk_aversion")
        _keep_positive(self, "wealth")
        if float(self.risk_aversion) == 1:
            raise ValueError("risk_aversion must not be 1; use log(...)")

    def _values(self, cash: NDArray[np.float64]) -> NDArray[np.float64]:
        w, rest = float(self.wealth), 1 - float(self.risk_aversion)
        ratio = cash / w
        with np.errstate(divide="ignore"):  # the logarithm of nothing
            logarithm = np.log1p(np.maximum(ratio, -1))
        return np.where(ratio < -1, -np.inf, w / rest * np.expm1(rest * logarithm))

    def _cash(self, utility: np.float64) -> float:
        w, rest = float(self.wealth), 1 - float(self.risk_aversion)
        if utility == -math.inf:
            return -w
        return float(w * np.expm1(np.log1p(rest * utility / w) / rest))


@dataclass(frozen=True, slots=True)
class log(_ReadyMade):
    """The logarithm of the player's wealth: ``w log(1 + cash / w)``.

    Daniel Bernoulli's utility, of constant relative risk aversion 1. A loss of w or
    more is ruin.

    Parameters
    ----------
    wealth : int, Fraction, Decimal, float or str
        The player's wealth w before the game, in the unit of cash; positive.

    Raises
    ------
    TypeError, ValueError
        If `wealth` is not as described above.

    Examples
    --------
    A player whose wealth is 4 must not stop when 4 behind:

    >>> from cardgames_dp import redblack
    >>> rules = redblack.Rules(utility=redblack.utilities.log(wealth=4))
    >>> print(redblack.solve(26, 26, rules=rules).advice(red=26, black=22))
    26 red and 22 black cards left, -4 in hand: draw, worth a utility of 1.23137; \
stopping is worth a utility of -inf.
    """

    wealth: Amount = field(kw_only=True)

    def __post_init__(self) -> None:
        _keep_positive(self, "wealth")

    def _values(self, cash: NDArray[np.float64]) -> NDArray[np.float64]:
        w = float(self.wealth)
        with np.errstate(divide="ignore"):  # the logarithm of nothing
            return w * np.log1p(np.maximum(cash / w, -1))

    def _cash(self, utility: np.float64) -> float:
        w = float(self.wealth)
        return float(w * np.expm1(utility / w))


@overload
def certainty_equivalent(utility: None, value: Number) -> Number: ...
@overload
def certainty_equivalent(
    utility: Callable[[Any], Any], value: float | Fraction
) -> float: ...
@overload
def certainty_equivalent(
    utility: Callable[[Any], Any] | None, value: Number
) -> float | Number: ...
def certainty_equivalent(
    utility: Callable[[Any], Any] | None, value: float | Fraction
) -> float | Fraction:
    """Return the sure amount of cash that has a given utility.

    Grade: float64.

    Parameters
    ----------
    utility : callable or None
        A non-decreasing utility, as for :class:`cardgames_dp.redblack.Rules`. With
        None, an amount is its own equivalent.
    value : float or Fraction
        An expected utility: the value of a game, a total, or the mean of a simulation.

    Returns
    -------
    float or Fraction
        The amount of cash. A utility of this module is inverted. For other utilities it
        is the smallest float64 that has this utility or more, found by bisection;
        amounts for which the utility is not defined count as too small. For -inf it is
        the amount at which ruin begins.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described above, or no amount of cash has this utility.

    Examples
    --------
    >>> import math
    >>> from cardgames_dp import redblack
    >>> rules = redblack.Rules(utility=lambda cash: math.log(100 + cash))
    >>> value = redblack.value(26, 26, rules=rules)
    >>> round(redblack.utilities.certainty_equivalent(rules.utility, value), 6)
    2.605669
    """
    wanted = _checks.real("value", value)
    if utility is None:
        if isinstance(value, (float, np.floating)) or not isinstance(wanted, Fraction):
            return float(wanted)
        return printable(wanted)
    if isinstance(utility, _ReadyMade):
        return utility._inverse("value", wanted)
    if not callable(utility):
        raise TypeError(
            "utility must be None or a callable of cash, got "
            f"{_checks.described(utility)}"
        )

    def enough(cash: float) -> bool:
        try:
            found = _utility.in_float64(utility, np.array([cash])).item()
        except ValueError:  # not defined for so small an amount
            return False
        return found > wanted if wanted == -math.inf else found >= wanted

    sizes = [2.0**i for i in range(1024)]
    upper = next((size for size in sizes if enough(size)), None)
    lower = next((-size for size in sizes if not enough(-size)), None)
    if upper is None or lower is None:
        side = "more" if upper is None else "not more"
        raise ValueError(
            "value must be a utility that some amount of cash has, got "
            f"{_checks.shown(value)}, {side} than any"
        )
    while lower < (middle := (lower + upper) / 2) < upper:
        lower, upper = (lower, middle) if enough(middle) else (middle, upper)
    return upper


def _keep_positive(utility: object, name: str) -> None:
    """Check a parameter > 0 of a utility, and keep it as rules keep theirs."""
    given = getattr(utility, name)
    try:
        number = float(_checks.amount(name, given))
    except OverflowError:
        number = math.inf
    if not 0 < number < math.inf:
        raise ValueError(f"{name} must be a number > 0 in float64, got {given!r}")
    object.__setattr__(utility, name, _checks.held(name, given))
