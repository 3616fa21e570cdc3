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


def limits(cards: Any, kind: Any, level: float = 0.95) -> dict[str, Any]:
    """Return a prediction with its limits."""
    lower, upper = fitted().predict_interval(cards, level, kind)
    ends = {"estimate": fitted().predict(cards), "lower": lower, "upper": upper}
    return {**ends, "level": level, "kind": kind}


def regression(found: Any) -> dict[str, Any]:
    table = found.to_pandas()
    return {
        **of(found, "terms", "coefficients"),
        "covariance": found.covariance_root @ found.covariance_root.T,
        **of(found, "residuals", "standard_errors"),
        "t_values": table["t_value"].to_numpy(),
        "p_values": table["p_value"].to_numpy(),
        **of(found, "r_squared", "residual_standard_error", "degrees_of_freedom"),
        "fitted": found.predict(found.cards),
    }


def stated(found: Any) -> dict[str, Any]:
    """Return the value of a large deck between its bounds."""
    lower, upper = found.value - found.error, found.value + found.error
    return {**of(found, "value", "error"), "lower": lower, "upper": upper}
