"""Confidence intervals and p values, by Student's t and Fisher's F."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import _html
from cardgames_dp._extras import require
from cardgames_dp._records import ArrayRecord, plain, summary
from cardgames_dp.fitting import _design

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Interval(ArrayRecord):
    """Estimates with confidence limits: coefficients or predictions of a `Fit`.

    Attributes
    ----------
    kind : {"coefficients", "confidence", "prediction"}
        What is estimated: the coefficients; the values of the law; or new observations,
        which scatter about the law.
    level : float
        The probability to cover, if residuals were independent and normal.
    estimate, lower, upper : float or ndarray of float64, read-only
        The estimates and their limits: numbers for a single deck, otherwise arrays with
        an entry for each deck or coefficient.
    terms : tuple of str
        The names of the coefficients, as in `Fit.terms`; empty for predictions.
    cards : float or ndarray of float64, read-only, or None
        Half of each deck predicted, l; None for coefficients.

    Examples
    --------
    A law fitted to small decks, and its prediction for a larger deck:

    >>> from cardgames_dp import fitting, redblack
    >>> growth = fitting.fit(range(1, 201), redblack.values(range(1, 201)))
    >>> limits = growth.predict_interval(1000, kind="prediction")
    >>> f"{limits.lower:.4f} {limits.estimate:.4f} {limits.upper:.4f}"
    '16.5041 16.5107 16.5173'

    The residuals are not random errors, so the limits need not hold:

    >>> redblack.value(1000, 1000) < limits.lower
    True
    """

    kind: str
    level: float
    estimate: float | NDArray[np.float64]
    lower: float | NDArray[np.float64]
    upper: float | NDArray[np.float64]
    terms: tuple[str, ...] = ()
    cards: float | NDArray[np.float64] | None = None

    def to_dict(self, *, json: bool = False) -> dict[str, Any]:
        """Return all fields as plain lists and numbers.

        Parameters
        ----------
        json : bool, default False
            Whether to use only types that JSON has.
        """
        found: dict[str, Any] = plain(self, json=json)
        return found

    def to_pandas(self) -> pd.DataFrame:
        """Return a DataFrame with a row for each term or deck.

        Its columns are "estimate", "lower" and "upper".

        Raises
        ------
        ModuleNotFoundError
            If pandas is not installed.
        """
        pandas = require("pandas", extra="pandas", purpose="to_pandas")
        names = ("estimate", "lower", "upper")
        columns = {name: np.atleast_1d(getattr(self, name)) for name in names}
        index = pandas.Index(self._heads(), name="term" if self.terms else "cards")
        frame: pd.DataFrame = pandas.DataFrame(columns, index=index)
        return frame

    def __repr__(self) -> str:
        facts = {name: getattr(self, name) for name in self.__dataclass_fields__}
        if not self.terms:
            del facts["terms"]
        if self.cards is None:
            del facts["cards"]
        return summary(self, **facts)

    def _heads(self) -> list[Any]:
        """Return the labels of the estimates: terms or decks."""
        if self.terms or self.cards is None:
            return list(self.terms)
        heads: list[float] = np.atleast_1d(self.cards).tolist()
        return heads

    def _repr_html_(self) -> str:
        columns = np.atleast_2d(np.transpose([self.estimate, self.lower, self.upper]))

        heads = [x if isinstance(x, str) else f"{x:.10g}" for x in self._heads()]

        def row(place: int) -> list[str]:
            return [heads[place], *(f"{x:.6g}" for x in columns[place].tolist())]

        title = f"{self.kind}: estimates between limits, level {self.level:g}"
        head = ["term" if self.terms else "l", "estimate", "lower", "upper"]
        return _html.listing(title, head, row, len(columns))


def ratio(number: float, error: float) -> float:
    """Return a number divided by its error.

    Without an error, the result is infinite, or 0 for the number 0.
    """
    if error:
        return number / error
    return math.copysign(math.inf, number) if number else 0.0


def two_sided(t: NDArray[np.float64], freedom: int) -> NDArray[np.float64]:
    """Return the two-sided p values of t: how likely a larger size is by chance."""
    from scipy.special import stdtr

    p: NDArray[np.float64] = 2 * stdtr(freedom, -np.abs(t))
    return p


def of_f(f: float, numerator: int, denominator: int) -> float:
    """Return the p value of F: the probability of a larger F by chance."""
    from scipy.special import fdtrc

    return float(fdtrc(numerator, denominator, f))


def interval(
    kind: str,
    level: float,
    freedom: int,
    estimate: float | NDArray[np.float64],
    error: float | NDArray[np.float64],
    *,
    terms: tuple[str, ...] = (),
    cards: float | NDArray[np.float64] | None = None,
) -> Interval:
    """Return estimates with the limits that Student's t gives for their errors."""
    from scipy.special import stdtrit

    level = _design.number("level", level, _design.LEVEL)
    reach = -float(stdtrit(freedom, (1 - level) / 2)) * error
    lower, upper = estimate - reach, estimate + reach
    return Interval(kind, level, estimate, lower, upper, terms, cards)
