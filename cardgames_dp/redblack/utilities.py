"""Ready-made utilities: the worth of cash to a risk-averse player.

Each utility is 0 for no cash and close to the amount itself for small amounts, so its
figures can be compared with cash; the scale and the origin of a utility change no
decision. The utilities take numbers and arrays, compare by content, and can be pickled.
Where the player has lost more than allowed they are -inf: *ruin*, as
:class:`cardgames_dp.redblack.Rules` describes.

You can also use a function of your own, of a number or of an array: you do not have to
say which. It is first called with an array. If it does not take one, or the result does
not have its shape (as the constant of a function of a number), it is called with each
amount, and each result is checked. `certainty_equivalent` finds its worth in cash, too.

References
----------
J. W. Pratt, "Risk aversion in the small and in the large", Econometrica 32 (1964),
122-136, for constant absolute and constant relative risk aversion.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, fields
from decimal import Decimal
from fractions import Fraction
from typing import Any, TypeAlias, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cardgames_dp._results.records import Record
from cardgames_dp._support import arguments
from cardgames_dp._support.calls import suggest_arguments
from cardgames_dp._support.printing import short

Amount: TypeAlias = int | float | Fraction | Decimal | str | np.number[Any]
"""An amount as a user may give it."""

__all__ = ["certainty_equivalent", "exponential", "log", "power"]
__dir__ = __all__.copy  # for completion

_EXPECTED = (
    "utility must return a real number for an amount of cash, or for an array of cash "
    "a real array of its shape"
)
_RANGE = "utility must be a finite number, or -inf for ruin"

_NO_ARRAYS = (TypeError, ValueError, AttributeError)
"""How functions of a number refuse an array: `math.log`, ``cash > 0``, methods."""


class _Utility(Record):
    """What the utilities share: calls with numbers or arrays, and an inverse."""

    __slots__ = ()

    def __post_init__(self: Any) -> None:
        for name in (parameter.name for parameter in fields(self)):
            value = getattr(self, name)
            try:
                number = float(arguments.amount(name, value))
            except OverflowError:
                number = math.inf
            if not 0 < number < math.inf:
                must = f"{name} must be a number > 0 in float64"
                raise ValueError(f"{must}, got {value!r}")
            object.__setattr__(self, name, arguments.stored_amount(name, value))

    @overload
    def __call__(self, cash: float | Fraction) -> float: ...
    @overload
    def __call__(self, cash: ArrayLike) -> Any: ...
    def __call__(self, cash: ArrayLike | Fraction) -> Any:
        """Return the utility of an amount of cash, or of an array of them."""
        amounts = arguments.float_array("cash", cash)
        try:
            with np.errstate(over="raise", under="ignore"):
                values = self._values(amounts)
        except FloatingPointError:
            raise arguments.wrong_value(
                "cash must have a utility that fits in float64", cash
            ) from None
        return values if amounts.ndim else float(values)

    def _inverse(self, value: float | Fraction) -> float:
        must = f"value must be a value of {self}, not too near its limits for float64"
        target = arguments.nearest_float(must, arguments.real("value", value))
        with np.errstate(all="ignore"):  # the result is checked below
            cash = self._cash(np.float64(target))
        if not math.isnan(cash) and cash < math.inf:
            return cash
        raise arguments.wrong_value(must, value)

    def _values(self, cash: NDArray[np.float64]) -> NDArray[np.float64]:
        raise NotImplementedError

    def _cash(self, utility: np.float64) -> float:
        raise NotImplementedError


@suggest_arguments
@dataclass(frozen=True, slots=True)
class exponential(_Utility):
    """Constant absolute risk aversion: ``(1 - exp(-a cash)) / a``.

    The decisions do not depend on the player's wealth, and no loss is ruin.

    Parameters
    ----------
    risk_aversion : int, Fraction, Decimal, float or str
        The coefficient a > 0, per unit of cash.

    Examples
    --------
    >>> from cardgames_dp import redblack
    >>> rules = redblack.Rules(utility=redblack.utilities.exponential(0.5))
    >>> value = redblack.value(26, 26, rules=rules)
    >>> sure = redblack.utilities.certainty_equivalent(rules.utility, value)
    >>> round(value, 6), round(sure, 6)
    (1.233888, 1.919147)
    """

    risk_aversion: Amount

    def _values(self, cash: NDArray[np.float64]) -> NDArray[np.float64]:
        a = float(self.risk_aversion)
        return -np.expm1(-a * cash) / a

    def _cash(self, utility: np.float64) -> float:
        a = float(self.risk_aversion)
        return float(-np.log1p(-a * utility) / a)


@suggest_arguments
@dataclass(frozen=True, slots=True)
class power(_Utility):
    """Constant relative risk aversion: a power of the player's wealth.

    With wealth w and g not 1, it is ``w / (1 - g) ((1 + cash / w)**(1 - g) - 1)``. A
    loss of more than w is ruin; if g > 1, so is a loss of exactly w.

    Parameters
    ----------
    risk_aversion : int, Fraction, Decimal, float or str
        The coefficient g > 0; for g = 1 use `log`.
    wealth : int, Fraction, Decimal, float or str
        The player's wealth w before the game, in the unit of cash; positive.

    Examples
    --------
    >>> from cardgames_dp import redblack
    >>> utility = redblack.utilities.power(2, wealth=10)
    >>> utility(30), utility(-10)
    (7.5, -inf)
    """

    risk_aversion: Amount
    wealth: Amount = field(kw_only=True)

    def __post_init__(self) -> None:
        _Utility.__post_init__(self)
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


@suggest_arguments
@dataclass(frozen=True, slots=True)
class log(_Utility):
    """The logarithm of the player's wealth: ``w log(1 + cash / w)``.

    Daniel Bernoulli's utility, of constant relative risk aversion 1. A loss of w or
    more is ruin.

    Parameters
    ----------
    wealth : int, Fraction, Decimal, float or str
        The player's wealth w before the game, in the unit of cash; positive.

    Examples
    --------
    A player whose wealth is 4 must not stop when 4 behind:

    >>> from cardgames_dp import redblack
    >>> rules = redblack.Rules(utility=redblack.utilities.log(wealth=4))
    >>> print(redblack.solve(26, 26, rules=rules).advice((26, 22)))
    State(red=26, black=22, decision=''): draw; value: stop -inf, draw 1.23137.
    """

    wealth: Amount = field(kw_only=True)

    def _values(self, cash: NDArray[np.float64]) -> NDArray[np.float64]:
        w = float(self.wealth)
        with np.errstate(divide="ignore"):  # the logarithm of nothing
            return w * np.log1p(np.maximum(cash / w, -1))

    def _cash(self, utility: np.float64) -> float:
        w = float(self.wealth)
        return float(w * np.expm1(utility / w))


@suggest_arguments
def certainty_equivalent(
    utility: Callable[[Any], Any], value: float | Fraction
) -> float:
    """Return the sure amount of cash that has a given utility.

    Grade: float64.

    Parameters
    ----------
    utility : callable
        A non-decreasing utility, as for :class:`cardgames_dp.redblack.Rules`.
    value : float or Fraction
        An expected utility: the value of a game, a total, or the mean of a simulation.

    Returns
    -------
    float
        The amount of cash. A utility of this module is inverted. For other utilities it
        is the smallest float64 that has this utility or more, found by bisection;
        amounts for which the utility is not defined count as too small. For -inf it is
        the amount at which ruin begins.

    Raises
    ------
    ValueError
        If no amount of cash has this utility.

    Examples
    --------
    >>> import math
    >>> from cardgames_dp import redblack
    >>> rules = redblack.Rules(utility=lambda cash: math.log(100 + cash))
    >>> value = redblack.value(26, 26, rules=rules)
    >>> round(redblack.utilities.certainty_equivalent(rules.utility, value), 6)
    2.605669
    """
    if isinstance(utility, _Utility):
        return utility._inverse(value)
    target = arguments.real("value", value)
    if not callable(utility):
        raise arguments.wrong_type("utility must be a callable of cash", utility)

    def enough(cash: float) -> bool:
        try:
            worth: float = in_float64(utility, np.array([cash])).item()
        except ValueError:  # not defined for so small an amount
            return False
        return worth > target if target == -math.inf else worth >= target

    sizes = [2.0**i for i in range(1024)]
    upper = next((size for size in sizes if enough(size)), None)
    lower = next((-size for size in sizes if not enough(-size)), None)
    if upper is None or lower is None:
        side = "more" if upper is None else "not more"
        raise ValueError(
            "value must be a utility that some amount of cash has, got "
            f"{arguments.shown(value)}, {side} than any"
        )
    while lower < (middle := (lower + upper) / 2) < upper:
        lower, upper = (lower, middle) if enough(middle) else (middle, upper)
    return upper


def in_float64(
    utility: Callable[[Any], Any] | None, cash: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return ``utility(cash)`` in float64: finite numbers, and -inf for ruin."""
    if utility is None:
        return cash
    amounts = cash.ravel()
    with np.errstate(all="ignore"):  # the results are checked here
        values = _in_float64(utility, amounts)
        if np.isneginf(values).any():
            _refuse_overflow(utility, amounts[np.isneginf(values)])
    wrong = np.isnan(values) | np.isposinf(values)
    if wrong.any():
        where = int(np.argmax(wrong))
        raise ValueError(f"{_RANGE}, got {values[where]} at cash {amounts[where]}")
    return values.reshape(cash.shape)


def in_fractions(
    utility: Callable[[Any], Any] | None, cash: Iterable[Fraction]
) -> list[Fraction]:
    """Return ``utility(cash)`` in exact rationals, which have no -inf."""
    amounts = [Fraction(amount) for amount in cash]
    if utility is None:
        return amounts
    with np.errstate(all="ignore"):
        answer = _of_an_array(utility, np.array(amounts, dtype=object))
        if answer is not None:
            answers = answer.tolist()
        else:
            try:
                answers = [utility(c) for c in amounts]
            except (TypeError, AttributeError):
                # NumPy's transcendental functions end here: they do not take Fractions.
                answers = _in_float64(utility, _as_float64(amounts)).tolist()
            except (ValueError, ArithmeticError):
                answers = [_result(utility, c) for c in amounts]  # to say where
    return [_rational(u, c) for u, c in zip(answers, amounts, strict=True)]


def _in_float64(
    utility: Callable[[Any], Any], cash: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the answers as float64 numbers of any kind."""
    answer = _of_an_array(utility, cash)
    if answer is None:
        different, places = np.unique(cash, return_inverse=True)
        each = [_float(_result(utility, c), c) for c in different.tolist()]
        return np.array(each)[places]
    if answer.dtype == object:
        pairs = zip(answer.tolist(), cash.tolist(), strict=True)
        answer = [_float(u, c) for u, c in pairs]
    return np.asarray(answer, dtype=np.float64)


def _of_an_array(utility: Callable[[Any], Any], cash: NDArray[Any]) -> Any | None:
    """Return the result for an array of cash; None if it has to be asked one by one."""
    if not len(cash):
        return np.empty(0)
    # A single amount is repeated, because an array of one passes for a number. A copy,
    # because a utility that works in place must not change our arrays.
    amounts = np.repeat(cash, 2) if len(cash) == 1 else cash.copy()
    try:
        answer = utility(amounts)
    except _NO_ARRAYS:
        return None
    except Exception as error:
        error.add_note(f"(raised by utility for {arguments.shown(amounts)})")
        raise
    if not isinstance(answer, np.ndarray) or answer.shape != amounts.shape:
        return None
    if answer.dtype.kind not in "iufO":
        raise TypeError(f"{_EXPECTED}, got an array of dtype {answer.dtype}")
    return answer[: len(cash)]


def _result(utility: Callable[[Any], Any], cash: float | Fraction) -> object:
    """Return the result for one amount; errors name the utility."""
    try:
        return utility(cash)
    except (*_NO_ARRAYS, ArithmeticError) as error:
        kind = (
            TypeError if isinstance(error, (TypeError, AttributeError)) else ValueError
        )
        raise kind(
            f"{_EXPECTED} (-inf for ruin), but raised {type(error).__name__}: {error}, "
            f"at cash {short(cash)}"
        ) from error
    except Exception as error:
        error.add_note(f"(raised by utility at cash {short(cash)})")
        raise


def _refuse_overflow(utility: Callable[[Any], Any], cash: NDArray[np.float64]) -> None:
    """Refuse -inf that means a number too large for float64, not ruin."""
    try:
        with np.errstate(over="raise"):
            _in_float64(utility, cash)
    except FloatingPointError:
        raise ValueError(
            f"{_RANGE}, but overflows float64 at cash {cash.min()}; scale it down"
        ) from None


def _as_float64(cash: list[Fraction]) -> NDArray[np.float64]:
    for c in cash:
        if abs(c) > Fraction(np.finfo(np.float64).max) or Fraction(float(c)) != c:
            raise TypeError(
                "utility takes no Fractions, and the exact backend does not round: "
                f"cash {c} is not a float64; use a utility that takes Fractions, "
                "amounts that are binary fractions, or backend='float64'"
            )
    return np.array([float(c) for c in cash])


def _float(value: object, cash: float) -> float:
    number = _number(value, cash)
    must = f"{_RANGE} that fits in float64 at cash {cash}"
    return arguments.nearest_float(must, number)


def _rational(value: object, cash: Fraction) -> Fraction:
    number = _number(value, cash)
    if isinstance(number, numbers.Rational):
        return arguments.exact_rational(number)
    if np.isfinite(number):
        return Fraction(*number.as_integer_ratio())
    more = ", which only backend='float64' takes" if np.isneginf(number) else ""
    raise ValueError(f"{_RANGE}{more}, got {number} at cash {cash}")


def _number(
    value: object, cash: float | Fraction
) -> numbers.Rational | float | np.floating[Any]:
    """Return a result for one amount; refuse anything but a real number."""
    if isinstance(value, np.ndarray) and not value.ndim:
        value = value[()]
    if isinstance(value, (bool, np.bool_)) or not isinstance(
        value, (numbers.Rational, float, np.floating)
    ):
        raise TypeError(
            f"{_EXPECTED}, as int, Fraction or float numbers, got "
            f"{arguments.described(value)} at cash {cash}"
        )
    return value
