"""A fitted growth law: its statistics, predictions and views."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import _checks
from cardgames_dp._extras import require
from cardgames_dp._records import ArrayRecord, plain, summary
from cardgames_dp.fitting import _design, _report, significance
from cardgames_dp.fitting._design import Model, Numbers
from cardgames_dp.fitting.significance import Interval

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Fit(ArrayRecord):
    """A growth law fitted by least squares; made by :func:`fit`, printed as by R.

    The statistics below are those of ``summary(lm)`` in R, under its names.

    Attributes
    ----------
    model : {"log", "sqrt", "log+sqrt"}
        The law, as for :func:`fit`.
    cards, values : ndarray of float64, shape (points,), read-only
        The data: l, half of each deck, and the values of the decks.
    coefficients : ndarray of float64, shape (p,), read-only
        The coefficients, in the order of `terms`; p is 2 or 3.
    covariance_root : ndarray of float64, shape (p, p), read-only
        A matrix S with S S' = `covariance`: the standard error of a linear combination
        x of the coefficients is the length of S' x, without cancellation.

    Examples
    --------
    >>> from cardgames_dp import fitting, redblack
    >>> growth = fitting.fit(range(1, 1001), redblack.values(range(1, 1001)))
    >>> growth
    Fit(model='sqrt', points=1000, coefficients=[-0.0359302, 0.522641], \
    residual_standard_error=0.00219097)
    >>> growth.coefficients.round(6).tolist()
    [-0.03593, 0.522641]
    """

    model: Model
    cards: NDArray[np.float64]
    values: NDArray[np.float64]
    coefficients: NDArray[np.float64]
    covariance_root: NDArray[np.float64]

    @property
    def terms(self) -> tuple[str, ...]:
        """The names of the terms: the intercept, then functions of l."""
        functions = _design.functions(self.model)
        return ("(Intercept)", *(f"{function}(l)" for function in functions))

    @property
    def formula(self) -> str:
        """The law as a formula, with letters for its coefficients."""
        pairs = zip("bc", self.terms[1:], strict=False)
        return " + ".join(["V = a", *(f"{letter} {term}" for letter, term in pairs)])

    @property
    def fitted(self) -> NDArray[np.float64]:
        """The values of the law at `cards`, shape (points,)."""
        return _design.matrix(self.model, self.cards) @ self.coefficients

    @property
    def residuals(self) -> NDArray[np.float64]:
        """The residuals, ``values - fitted``, shape (points,)."""
        return self.values - self.fitted

    @property
    def residual_quantiles(self) -> NDArray[np.float64]:
        """The minimum, the quartiles and the maximum of the residuals, shape (5,)."""
        return np.quantile(self.residuals, [0, 0.25, 0.5, 0.75, 1])

    @property
    def degrees_of_freedom(self) -> int:
        """The number of points less the number of coefficients."""
        return len(self.values) - len(self.coefficients)

    @property
    def residual_standard_error(self) -> float:
        """The root of the sum of squared residuals over the degrees of freedom."""
        length = float(np.linalg.norm(self.residuals))
        return length / math.sqrt(self.degrees_of_freedom)

    @property
    def covariance(self) -> NDArray[np.float64]:
        """The covariance of the coefficients, shape (p, p)."""
        return self.covariance_root @ self.covariance_root.T

    @property
    def standard_errors(self) -> NDArray[np.float64]:
        """The standard errors of the coefficients, shape (p,)."""
        return _lengths(self.covariance_root)

    @property
    def t_values(self) -> NDArray[np.float64]:
        """The coefficients divided by their standard errors, shape (p,).

        Where a standard error is 0, as without any residual, t is infinite, with the
        sign of the coefficient; it is 0 if the coefficient is 0.
        """
        pairs = zip(
            self.coefficients.tolist(), self.standard_errors.tolist(), strict=True
        )
        return np.array([significance.ratio(*pair) for pair in pairs])

    @property
    def p_values(self) -> NDArray[np.float64]:
        """The two-sided p values of t, shape (p,); 0 below the smallest float64."""
        return significance.two_sided(self.t_values, self.degrees_of_freedom)

    @property
    def r_squared(self) -> float:
        """The share of the variation of the values that the law explains, from 0 to 1.

        0 if the values are all the same.
        """
        explained, rest = self._variation()
        return explained / (explained + rest) if explained else 0.0

    @property
    def adjusted_r_squared(self) -> float:
        """`r_squared`, reduced by what as many terms would explain by chance."""
        factor = (len(self.values) - 1) / self.degrees_of_freedom
        return 1 - (1 - self.r_squared) * factor

    @property
    def f_statistic(self) -> float:
        """The mean square of the law over that of the residuals, or infinity."""
        explained, rest = self._variation()
        return significance.ratio(
            explained / (len(self.coefficients) - 1), rest / self.degrees_of_freedom
        )

    @property
    def f_p_value(self) -> float:
        """The probability of a larger `f_statistic` by chance."""
        numerator = len(self.coefficients) - 1
        return significance.of_f(self.f_statistic, numerator, self.degrees_of_freedom)

    @property
    def is_perfect(self) -> bool:
        """Whether the residuals are no larger than the rounding errors of the fit.

        If so, standard errors, t and p values show only rounding.
        """
        size = float(np.abs(self.values).max())
        return self.residual_standard_error <= 1e-15 * size

    @overload
    def predict(self, cards: float) -> float: ...
    @overload
    def predict(self, cards: Numbers) -> NDArray[np.float64]: ...
    def predict(self, cards: float | Numbers) -> float | NDArray[np.float64]:
        """Return the values of decks that the law predicts.

        Parameters
        ----------
        cards : number, or iterable of numbers
            Half of each deck, l, as for :func:`fit`.

        Returns
        -------
        float, or ndarray of float64
            The predicted values; a float for a single number.

        Raises
        ------
        TypeError, ValueError
            If `cards` is not as described above.

        Examples
        --------
        The value of a million red and a million black cards is 522.0335; the law
        predicts:

        >>> from cardgames_dp import fitting, redblack
        >>> growth = fitting.fit(range(1, 1001), redblack.values(range(1, 1001)))
        >>> round(growth.predict(10**6), 3)
        522.605
        """
        sizes = _design.sizes(self.model, cards)
        return _as_given(cards, _design.matrix(self.model, sizes) @ self.coefficients)

    def predict_interval(
        self,
        cards: float | Numbers,
        level: float = 0.95,
        kind: Literal["confidence", "prediction"] = "confidence",
    ) -> Interval:
        """Return confidence or prediction intervals of predictions, by Student's t.

        Parameters
        ----------
        cards : number, or iterable of numbers
            Half of each deck, l, as for :func:`fit`.
        level : float
            The probability to cover, above 0 and below 1.
        kind : {"confidence", "prediction"}
            Whether the limits are those of the law itself, or those of a new
            observation, which include the standard deviation of the residuals.

        Returns
        -------
        Interval
            The predictions and their limits; floats if `cards` is a single number.

        Raises
        ------
        TypeError, ValueError
            If an argument is not as described above.
        """
        sizes = _design.sizes(self.model, cards)
        rows = _design.matrix(self.model, sizes)
        _checks.choice("kind", kind, ("confidence", "prediction"))
        errors = _lengths(rows @ self.covariance_root)
        if kind == "prediction":
            errors = np.hypot(errors, self.residual_standard_error)
        estimate = rows @ self.coefficients
        return significance.interval(
            kind,
            level,
            self.degrees_of_freedom,
            _as_given(cards, estimate),
            _as_given(cards, errors),
            cards=_as_given(cards, sizes),
        )

    def confidence_intervals(self, level: float = 0.95) -> Interval:
        """Return confidence intervals of the coefficients, by Student's t.

        Parameters
        ----------
        level : float
            The probability to cover, above 0 and below 1.

        Returns
        -------
        Interval
            The coefficients and their limits, in the order of `terms`.

        Raises
        ------
        TypeError, ValueError
            If `level` is not as described above.
        """
        return significance.interval(
            "coefficients",
            level,
            self.degrees_of_freedom,
            self.coefficients,
            self.standard_errors,
            terms=self.terms,
        )

    def summary(self) -> str:
        """Return the summary that ``summary(lm)`` prints in R, as does `str`.

        Numbers have six significant digits; a p value below the rounding unit of
        float64 shows as "<2e-16".
        """
        return _report.text(self._statistics())

    def to_dict(self, *, json: bool = False) -> dict[str, Any]:
        """Return all figures as plain lists and numbers, coefficients by their terms.

        Parameters
        ----------
        json : bool, default False
            Whether to use only types that JSON has: infinite t values become text.
        """
        names, columns = zip(*self._columns().items(), strict=True)
        everything = {
            "model": self.model,
            "formula": self.formula,
            "cards": self.cards,
            "values": self.values,
            "coefficients": {
                term: dict(zip(names, row, strict=True))
                for term, *row in zip(self.terms, *columns, strict=True)
            },
            "covariance": self.covariance,
            "covariance_root": self.covariance_root,
            "residual_quantiles": self.residual_quantiles,
            "residual_standard_error": self.residual_standard_error,
            "degrees_of_freedom": self.degrees_of_freedom,
            "r_squared": self.r_squared,
            "adjusted_r_squared": self.adjusted_r_squared,
            "f_statistic": self.f_statistic,
            "f_p_value": self.f_p_value,
        }
        found: dict[str, Any] = plain(everything, json=json)
        return found

    def to_pandas(self) -> pd.DataFrame:
        """Return the table of the coefficients as a DataFrame, a row for each term.

        Raises
        ------
        ModuleNotFoundError
            If pandas is not installed.
        """
        pandas = require("pandas", extra="pandas", purpose="to_pandas")
        index = pandas.Index(self.terms, name="term")
        frame: pd.DataFrame = pandas.DataFrame(self._columns(), index=index)
        return frame

    def __repr__(self) -> str:
        return summary(
            self,
            model=self.model,
            points=len(self.values),
            coefficients=self.coefficients,
            residual_standard_error=self.residual_standard_error,
        )

    def __str__(self) -> str:
        return self.summary()

    def _repr_html_(self) -> str:
        return _report.html(self._statistics())

    def _columns(self) -> dict[str, list[float]]:
        """Return the table of the coefficients, by columns."""
        return {
            "estimate": self.coefficients.tolist(),
            "standard_error": self.standard_errors.tolist(),
            "t_value": self.t_values.tolist(),
            "p_value": self.p_values.tolist(),
        }

    def _statistics(self) -> _report.Statistics:
        return _report.Statistics(
            formula=self.formula,
            points=len(self.values),
            terms=self.terms,
            columns=self._columns(),
            residual_quantiles=self.residual_quantiles.tolist(),
            residual_standard_error=self.residual_standard_error,
            degrees_of_freedom=self.degrees_of_freedom,
            r_squared=self.r_squared,
            adjusted_r_squared=self.adjusted_r_squared,
            f_statistic=self.f_statistic,
            f_p_value=self.f_p_value,
            is_perfect=self.is_perfect,
        )

    def _variation(self) -> tuple[float, float]:
        """Return the sums of squares explained by the law and left in the residuals."""
        fitted = self.fitted
        explained = np.linalg.norm(fitted - fitted.mean()) ** 2
        return float(explained), float(np.linalg.norm(self.residuals) ** 2)


def _as_given(
    cards: float | Numbers, results: NDArray[np.float64]
) -> float | NDArray[np.float64]:
    """Return a single number if a single number was given."""
    return float(results[0]) if _design.is_single(cards) else results


def _lengths(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    lengths: NDArray[np.float64] = np.linalg.norm(rows, axis=1)
    return lengths
