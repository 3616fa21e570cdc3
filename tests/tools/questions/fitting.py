"""The law of growth: constants, limit laws, large decks, regressions."""

from __future__ import annotations

from functools import cache
from typing import Any

from cardgames_dp import fitting, redblack

from ..asked import Questions, Within, each, of

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


QUESTIONS: Questions = {
    "fitting/alpha": lambda: [fitting.shepp_alpha(digits) for digits in (1, 17, 100)],
    "fitting/constant": lambda: [fitting.limit_constant(n) for n in (5, 17, 100)],
    "fitting/decay/exponent": lambda: [
        fitting.decay_exponent(k, digits) for k in (1, 2, 3, 9) for digits in (17, 40)
    ],
    "fitting/terms": lambda: [
        of(term, "exponent", "coefficient", "uncertainty", "origin")
        for term in fitting.GROWTH_TERMS
    ],
    "fitting/value": lambda: [
        stated(fitting.asymptotic_value(deck))
        for deck in (1000, 20_000, 133_787_000, 10**12, 10.0**30)
    ],
    "fitting/value/many": lambda: of(
        fitting.asymptotic_value([10**4, 10**8, 10**12]), "cards", "value", "error"
    ),
    "fitting/deck": lambda: [
        stated(fitting.asymptotic_deck(*deck))
        for deck in [
            (5100, 4900),
            (500_001, 500_000),
            (10**9, 10**9 - 70_000),
            (1000, 1016),
        ]
    ],
    **each(
        "fitting/limit/{}",
        LAWS,
        lambda name: {
            **of(
                fitting.limit_distribution(name),
                "mean",
                "median",
            ),
            "support": fitting.limit_distribution(name).quantile([0, 1]),
            "cdf": fitting.limit_distribution(name).cdf([0.01, 0.1, 0.5, 0.9, 0.99]),
            "sf": fitting.limit_distribution(name).sf([0.01, 0.1, 0.5, 0.9, 0.99]),
            "pdf": fitting.limit_distribution(name).pdf([0.05, 0.3, 0.7]),
            "quantile": fitting.limit_distribution(name).quantile([0.01, 0.5, 0.999]),
            "moments": [
                fitting.limit_distribution(name).moment(k) for k in range(1, 5)
            ],
            "deviation": fitting.limit_distribution(name).standard_deviation,
        },
    ),
    **each(
        "fitting/limit/{}/digits",
        LAWS,
        lambda name: [
            fitting.limit_distribution(name, digits=30).mean,
            fitting.limit_distribution(name, digits=25).cdf("0.1"),
            fitting.limit_distribution(name, digits=20).sf("0.7"),
            fitting.limit_distribution(name, digits=20).moment(2),
            fitting.limit_distribution(name, digits=20).pdf("0.4"),
        ],
    ),
    "fitting/limit/quantile/digits": lambda: fitting.limit_distribution(
        "payoff", digits=20
    ).quantile("0.9"),
    **{
        name: Within(1e-9, ask)
        for name, ask in each(
            "fitting/fit/{}", MODELS, lambda model: regression(fitted(model))
        ).items()
    },
    "fitting/fit/1000": Within(1e-9, lambda: regression(fitted("sqrt", 1000))),
    "fitting/fit/predict": Within(
        1e-9,
        lambda: [
            fitted().predict(10**6),
            fitted("log+sqrt").predict([3, 10**4]),
            limits(fitted().predict_interval(1000, kind="prediction")),
            limits(
                fitted().predict_interval([10, 10**5], kind="confidence", level=0.8)
            ),
        ],
    ),
    "fitting/fit/perfect": Within(
        1e-9,
        lambda: of(fitting.fit([1, 4, 9, 16], [3.0, 5, 7, 9]), "coefficients"),
    ),
}
