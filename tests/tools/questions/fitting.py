"""The law of growth: constants, limit laws, large decks, regressions."""

from __future__ import annotations

from functools import cache
from typing import Any

from cardgames_dp import fitting, redblack

from ..records import of

DECKS = [1, 5, 20, 50, 100, 200, 500, 1000, 1500, 2000]
MODELS: tuple[Any, ...] = ("log", "sqrt", "log+sqrt")
LAWS: tuple[Any, ...] = ("payoff", "duration", "left")


@cache
def fitted(model: Any = "sqrt", most: int = 0) -> Any:
    cards = range(1, most + 1) if most else DECKS
    return fitting.fit(cards, redblack.value(cards, cards), model)


def limits(found: Any) -> dict[str, Any]:
    """Return an interval."""
    return of(found, "estimate", "lower", "upper", "level", "kind")


def regression(found: Any) -> dict[str, Any]:
    figures = of(
        found,
        *("terms", "coefficients", "covariance", "residuals", "residual_quantiles"),
        *("standard_errors", "t_values", "p_values", "r_squared", "adjusted_r_squared"),
        *("f_statistic", "f_p_value", "residual_standard_error"),
        *("degrees_of_freedom", "is_perfect"),
    )
    return figures | {"fitted": found.predict(found.cards)}
