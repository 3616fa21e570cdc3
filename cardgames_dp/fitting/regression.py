"""Growth laws of the value by least squares, such as ``V = a + b sqrt(l)``.

The Problem 14 essay fits three laws, by R's ``lm``, to the values of all decks up to
l = 22,974 and of one or two larger ones. `fit` returns the figures of ``summary(lm)``
and computes them as R does: the matrix of the terms, with columns scaled to equal size,
is factored into Q R by Householder reflections, and R b = Q' V is solved. The normal
equations, which square the condition number, are not formed.

What the numbers mean
---------------------
The values of a game are not random. The residuals are the misfit of the law, and those
of neighbouring decks are nearly the same. So no standard error, t value or interval
bounds the error of an extrapolation. They are the figures that statistical software
prints.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, get_args, overload

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._results.records import Result
from cardgames_dp._results.tables import Table
from cardgames_dp._support import arguments
from cardgames_dp._support.arguments import Range
from cardgames_dp._support.calls import suggest_arguments

Model: TypeAlias = Literal["log", "sqrt", "log+sqrt"]
Numbers: TypeAlias = Iterable[float] | NDArray[Any]

MODELS: tuple[Model, ...] = get_args(Model)
_FUNCTIONS = {"log": np.log, "sqrt": np.sqrt}

VALUES = Range("a number from -1e100 to 1e100", lambda x: (x >= -1e100) & (x <= 1e100))
LEVEL = Range("a number above 0 and below 1", lambda x: (x > 0) & (x < 1))
_FROM_ZERO = Range("a number from 0 to 1e100", lambda x: (x >= 0) & (x <= 1e100))
_POSITIVE = Range(
    "a number above 0 and up to 1e100 in a law with log(l)",
    lambda x: (x > 0) & (x <= 1e100),
)


@suggest_arguments
def fit(cards: Numbers, values: Numbers, model: Model = "sqrt") -> Fit:
    """Fit a growth law to the values of decks, by ordinary least squares.

    Grade: estimated.

    Parameters
    ----------
    cards : iterable of numbers
        Half of each deck, l: ints, floats or Fractions from 0 to 1e100, above 0 in a
        law with log(l); not all the same.
    values : iterable of numbers
        The value of each deck, at most 1e100 in size; more values than terms.
    model : {"sqrt", "log", "log+sqrt"}
        The law: "sqrt" for ``a + b sqrt(l)``, which has the right order of growth;
        "log" for ``a + b log(l)``; "log+sqrt" for ``a + b log(l) + c sqrt(l)``.

    Returns
    -------
    Fit
        The coefficients, with statistics and predictions.

    Raises
    ------
    ValueError
        If the two iterables are not of equal length, or the sizes differ too little to
        tell the terms apart.

    References
    ----------
    The Problem 14 essay fits these three laws.

    Examples
    --------
    >>> from cardgames_dp import fitting, redblack
    >>> cards = range(1, 1001)
    >>> print(fitting.fit(cards, redblack.value(cards, cards)))
    Least squares: V = a + b sqrt(l), 1000 points
    term           estimate  standard_error   t_value  p_value
    (Intercept)  -0.0359302     0.000208254   -172.53        0
    sqrt(l)        0.522641     9.30875e-06   56145.1        0
    (residual standard error 0.00219097 on 998 degrees of freedom)
    (R-squared 1)
    """
    arguments.choice("model", model, MODELS)
    sizes = arguments.floats_in("cards", cards, _cards_of(model))
    worth = arguments.floats_in("values", values, VALUES)
    if len(sizes) != len(worth):
        raise ValueError(
            f"cards and values must be of equal length, got {len(sizes)} and "
            f"{len(worth)}"
        )
    matrix = _matrix(model, sizes)
    points, terms = matrix.shape
    if points <= terms:
        raise ValueError(
            f"cards must be more than the {terms} terms of model "
            f"{arguments.shown(model)}, got {points}"
        )
    scale = np.abs(matrix).max(axis=0)
    scale[scale == 0] = 1
    q, r = np.linalg.qr(matrix / scale)
    singular = np.linalg.svd(r, compute_uv=False)
    if singular[-1] <= singular[0] * matrix.size * np.finfo(np.float64).eps:
        raise ValueError(
            f"cards must differ enough to tell the {terms} terms of model "
            f"{arguments.shown(model)} apart"
        )
    inverse = np.linalg.inv(r) / scale[:, None]
    coefficients = inverse @ (q.T @ worth)
    # One step of refinement: it gains two digits of the smaller coefficients.
    coefficients += inverse @ (q.T @ (worth - matrix @ coefficients))
    residuals = worth - matrix @ coefficients
    error = np.linalg.norm(residuals) / math.sqrt(points - terms)
    return Fit(model, sizes, worth, coefficients, error * inverse)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Fit(Result):
    """A growth law fitted by least squares; made by :func:`fit`.

    It prints as a table like that of ``summary(lm)`` in R, with the t value and the
    two-sided p value of each coefficient; `to_pandas` returns the table. Where a
    standard error is 0, as without any residual, t is infinite, with the sign of the
    coefficient, or 0 if the coefficient is 0.

    Attributes
    ----------
    model : {"log", "sqrt", "log+sqrt"}
        The law, as for :func:`fit`.
    cards, values : ndarray of float64, shape (points,), read-only
        The data: l, half of each deck, and the values of the decks.
    coefficients : ndarray of float64, shape (p,), read-only
        The coefficients, in the order of `terms`; p is 2 or 3.
    covariance_root : ndarray of float64, shape (p, p), read-only
        A matrix S with S S' the covariance of the coefficients: the standard error of a
        linear combination x of them is the length of S' x, without cancellation.

    Examples
    --------
    >>> from cardgames_dp import fitting, redblack
    >>> cards = range(1, 1001)
    >>> growth = fitting.fit(cards, redblack.value(cards, cards))
    >>> growth
    Fit(model='sqrt', coefficients=[-0.0359302, 0.522641], \
    residual_standard_error=0.00219097, degrees_of_freedom=998)
    >>> growth.coefficients.round(6).tolist()
    [-0.03593, 0.522641]
    """

    model: Model
    cards: NDArray[np.float64]
    values: NDArray[np.float64]
    coefficients: NDArray[np.float64]
    covariance_root: NDArray[np.float64]

    _repr_fields = (
        "model",
        "coefficients",
        "residual_standard_error",
        "degrees_of_freedom",
    )
    _derived = ("terms", "standard_errors", *_repr_fields[2:], "r_squared")

    @property
    def terms(self) -> tuple[str, ...]:
        """The names of the terms: the intercept, then functions of l."""
        return ("(Intercept)", *(f"{name}(l)" for name in self.model.split("+")))

    @property
    def residuals(self) -> NDArray[np.float64]:
        """The residuals, ``values - predict(cards)``, shape (points,)."""
        return self.values - self.predict(self.cards)

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
    def standard_errors(self) -> NDArray[np.float64]:
        """The standard errors of the coefficients, shape (p,)."""
        errors: NDArray[np.float64] = np.linalg.norm(self.covariance_root, axis=1)
        return errors

    @property
    def r_squared(self) -> float:
        """The share of the variation of the values that the law explains, from 0 to 1.

        0 if the values are all the same.
        """
        fitted = self.predict(self.cards)
        explained = float(np.linalg.norm(fitted - fitted.mean()) ** 2)
        rest = float(np.linalg.norm(self.residuals) ** 2)
        return explained / (explained + rest) if explained else 0.0

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

        Examples
        --------
        The value of a million red and a million black cards is 522.0335; the law
        predicts:

        >>> from cardgames_dp import fitting, redblack
        >>> cards = range(1, 1001)
        >>> growth = fitting.fit(cards, redblack.value(cards, cards))
        >>> round(growth.predict(10**6), 3)
        522.605
        """
        rows = self._rows(cards)
        with np.errstate(under="ignore"):
            return _like_input(cards, rows @ self.coefficients)

    def predict_interval(
        self,
        cards: float | Numbers,
        level: float = 0.95,
        kind: Literal["confidence", "prediction"] = "confidence",
    ) -> tuple[Any, Any]:
        """Return confidence or prediction intervals of predictions, by Student's t.

        The residuals are not random errors, so the limits need not hold.

        Parameters
        ----------
        cards : number, or iterable of numbers
            Half of each deck, l, as for :func:`fit`.
        level : float
            The probability to cover, above 0 and below 1, if residuals were independent
            and normal.
        kind : {"confidence", "prediction"}
            Whether the limits are those of the law itself, or those of a new
            observation, which include the standard deviation of the residuals.

        Returns
        -------
        lower, upper : float, or ndarray of float64
            The limits about ``predict(cards)``; floats for a single number.

        Examples
        --------
        A law fitted to small decks misses a larger one:

        >>> from cardgames_dp import fitting, redblack
        >>> cards = range(1, 201)
        >>> growth = fitting.fit(cards, redblack.value(cards, cards))
        >>> lower, upper = growth.predict_interval(1000, kind="prediction")
        >>> f"{lower:.4f} {growth.predict(1000):.4f} {upper:.4f}"
        '16.5041 16.5107 16.5173'
        >>> round(redblack.value(1000, 1000), 4)
        16.4895
        """
        from scipy.special import stdtrit

        rows = self._rows(cards)
        arguments.choice("kind", kind, ("confidence", "prediction"))
        level = arguments.float_in("level", level, LEVEL)
        errors = np.linalg.norm(rows @ self.covariance_root, axis=1)
        if kind == "prediction":
            errors = np.hypot(errors, self.residual_standard_error)
        errors *= -float(stdtrit(self.degrees_of_freedom, (1 - level) / 2))
        middle = rows @ self.coefficients
        return _like_input(cards, middle - errors), _like_input(cards, middle + errors)

    def _table(self) -> Table:
        index, columns = self._columns()
        rows = list(zip(self.terms, *columns.values(), strict=True))
        notes = [
            f"residual standard error {self.residual_standard_error:.6g} on "
            f"{self.degrees_of_freedom} degrees of freedom",
            f"R-squared {self.r_squared:.6g}",
        ]
        if self.residual_standard_error <= 1e-15 * float(np.abs(self.values).max()):
            notes.append("a perfect fit: errors, t and p values show only rounding")
        title = f"Least squares: V = {formula(self.model)}, {len(self.values)} points"
        return Table([*index, *columns], rows, notes, title)

    def _columns(self) -> tuple[dict[str, Any], dict[str, Any]]:
        from scipy.special import stdtr

        estimates, errors = self.coefficients, self.standard_errors
        with np.errstate(divide="ignore", invalid="ignore"):
            t = np.where(estimates == 0, 0.0, estimates / errors)
        columns = {
            "estimate": estimates,
            "standard_error": errors,
            "t_value": t,
            "p_value": 2 * stdtr(self.degrees_of_freedom, -np.abs(t)),
        }
        return {"term": self.terms}, {k: x.tolist() for k, x in columns.items()}

    def _rows(self, cards: float | Numbers) -> NDArray[np.float64]:
        sizes = arguments.float_or_floats_in("cards", cards, _cards_of(self.model))
        return _matrix(self.model, sizes)


def formula(model: Model) -> str:
    """Return a law as a formula, with letters for its coefficients."""
    terms = zip("bc", model.split("+"), strict=False)
    return " + ".join(["a", *(f"{letter} {name}(l)" for letter, name in terms)])


def _cards_of(model: Model) -> Range:
    """Return the range of deck sizes for which a model is defined."""
    return _POSITIVE if "log" in model.split("+") else _FROM_ZERO


def _matrix(model: Model, cards: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the design matrix of some decks: a column of ones, then the functions."""
    columns = [_FUNCTIONS[name](cards) for name in model.split("+")]
    return np.column_stack([np.ones_like(cards), *columns])


def _like_input(
    cards: float | Numbers, results: NDArray[np.float64]
) -> float | NDArray[np.float64]:
    """Return a single number if a single number was given."""
    return float(results[0]) if arguments.is_single(cards) else results
