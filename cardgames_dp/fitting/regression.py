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

import numpy as np

from cardgames_dp import _checks
from cardgames_dp.fitting import _design
from cardgames_dp.fitting._design import MODELS, Model, Numbers
from cardgames_dp.fitting.fitted import Fit


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
    TypeError, ValueError
        If an argument is not as described above, the two iterables are not of equal
        length, or the sizes differ too little to tell the terms apart.

    References
    ----------
    The Problem 14 essay fits these three laws.

    Examples
    --------
    >>> from cardgames_dp import fitting, redblack
    >>> cards = range(1, 1001)
    >>> print(fitting.fit(cards, redblack.values(cards)))
    Least squares: V = a + b sqrt(l), 1000 points
    <BLANKLINE>
    Residuals:
           Min          1Q      Median         3Q       Max
    -0.0365289 -0.00084634 0.000371185 0.00130353 0.0132894
    <BLANKLINE>
    Coefficients:
                  Estimate  Std. Error t value Pr(>|t|)
    (Intercept) -0.0359302 0.000208254 -172.53   <2e-16 ***
    sqrt(l)       0.522641 9.30875e-06 56145.1   <2e-16 ***
    ---
    Signif. codes: 0 '***' 0.001 '**' 0.01 '*' 0.05 '.' 0.1 ' ' 1
    <BLANKLINE>
    Residual standard error: 0.00219097 on 998 degrees of freedom
    Multiple R-squared: 1, Adjusted R-squared: 1
    F-statistic: 3.15227e+09 on 1 and 998 DF, p-value: <2e-16
    """
    _checks.choice("model", model, MODELS)
    sizes = _design.array("cards", cards, _design.cards_of(model))
    worth = _design.array("values", values, _design.VALUES)
    if len(sizes) != len(worth):
        raise ValueError(
            f"cards and values must be of equal length, got {len(sizes)} and "
            f"{len(worth)}"
        )
    matrix = _design.matrix(model, sizes)
    points, terms = matrix.shape
    if points <= terms:
        raise ValueError(
            f"cards must be more than the {terms} terms of model "
            f"{_checks.shown(model)}, got {points}"
        )
    scale = np.abs(matrix).max(axis=0)
    scale[scale == 0] = 1
    q, r = np.linalg.qr(matrix / scale)
    singular = np.linalg.svd(r, compute_uv=False)
    if singular[-1] <= singular[0] * matrix.size * np.finfo(np.float64).eps:
        raise ValueError(
            f"cards must differ enough to tell the {terms} terms of model "
            f"{_checks.shown(model)} apart"
        )
    inverse = np.linalg.inv(r) / scale[:, None]
    coefficients = inverse @ (q.T @ worth)
    # One step of refinement: it gains two digits of the smaller coefficients.
    coefficients += inverse @ (q.T @ (worth - matrix @ coefficients))
    residuals = worth - matrix @ coefficients
    error = np.linalg.norm(residuals) / math.sqrt(points - terms)
    return Fit(model, sizes, worth, coefficients, error * inverse)
