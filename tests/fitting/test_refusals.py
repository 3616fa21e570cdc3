"""Bad input is refused in words that name it and what would do."""

from math import nan
from typing import Any

import numpy as np

from cardgames_dp import play, redblack
from cardgames_dp.fitting import LimitDistribution, asymptotic_value, fit, plots

from ..refusals import type_error, value_error

CARDS, VALUES = [1, 4, 9, 16, 49], [2, 3, 3, 7, 10]
LAW = fit(CARDS, VALUES, "log")


def laws(red: int, black: int) -> Any:
    return play.distribution(redblack.game(red, black), "optimal", count="draw")


def test_least_squares() -> None:
    value_error("cards and values must be of equal length", fit, CARDS, VALUES[:4])
    value_error("cards must be more than the 2 terms of", fit, CARDS[:2], VALUES[:2])
    value_error("cards must be more than the", fit, CARDS[:3], VALUES[:3], "log+sqrt")
    value_error("tell the 2 terms of model 'log' apart", fit, [1] * 5, VALUES, "log")
    value_error("to tell the 2 terms of model 'sqrt' apart", fit, [0] * 5, VALUES)
    value_error("of model 'log+sqrt' apart", fit, [3, 3, 8, 8, 8], VALUES, "log+sqrt")
    value_error("values[2] must be a number from", fit, CARDS, [0, 1, nan, 3, 4])
    type_error("values[4] must be a number from", fit, CARDS, [0, 1, 2, 3, "4"])
    type_error("cards[0] must be a number from 0 to", fit, np.ones((5, 1)), VALUES)
    value_error("cards must be a number above 0 and up to 1e100 in a", LAW.predict, 0)
    value_error("kind must be one of", LAW.predict_interval, 1, kind="both")
    value_error("level must be a number above 0 and", LAW.predict_interval, 1, 95)


def test_the_law_of_growth() -> None:
    value_error("red must be a number from 1000 to 1e30 (use", asymptotic_value, 999)
    type_error("only the value of a", float, asymptotic_value([1000, 2000, 3000]))
    value_error("red and black must be 2000 to 1e30", asymptotic_value, 999, 1000)
    value_error("black - red must be from -4 to 0.5", asymptotic_value, 1000, 1100)


def test_limit_laws() -> None:
    value_error("q must be a probability", LimitDistribution("left").quantile, 1.5)


def test_pictures() -> None:
    type_error("fits must be an iterable of fitting.Fit", plots.plot_fits, 0)
    type_error("law must be a fitting.AsymptoticValue", plots.plot_fits, [LAW], 3)
    type_error("limit must be a", plots.plot_limit, "payoff", {})
    type_error("decks must be a mapping", plots.plot_limit, LimitDistribution(), 5)
    type_error("fits must be a fitting.Fit each", plots.plot_fits, [3])
    value_error("fits must hold at least one Fit", plots.plot_fits, [])
    value_error(
        "fits must all be to the", plots.plot_fits, [LAW, fit(range(1, 11), range(10))]
    )
    left = LimitDistribution("left")
    value_error("limit must be of the payoff or", plots.plot_limit, left, {})
    payoff, moves = LimitDistribution(), {2: laws(2, 2).moves}
    value_error(
        "of the return with results from 0 to 2", plots.plot_limit, payoff, moves
    )
    large = {10**400: laws(2, 2).returns[0]}
    value_error("have keys that fit in float64", plots.plot_limit, payoff, large)
