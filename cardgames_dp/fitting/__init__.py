"""How the value of red/black grows with the deck: regressions and constants.

Names
-----
cards
    The size l of a deck of l red and l black cards, `cards` of each colour.
values
    V(l), what such a deck is worth.

What to use
-----------
A growth law by least squares, as the Problem 14 essay has three: `fit`, which returns a
`Fit` with predictions and a summary as statisticians print it. The constants of the
limit, to any number of digits: `limit_constant`, `shepp_alpha`, `decay_exponent`. What
a deck of any size is worth by the law of growth, with its error: `asymptotic_value`,
whose terms are `GROWTH_TERMS`; of unequal colours: `asymptotic_deck`; and where to
stop: `boundary_guess`. How payoff and duration are distributed in the limit:
`limit_law`. Pictures: `plots`.
"""

from typing import TYPE_CHECKING

from cardgames_dp import _lazy

if TYPE_CHECKING:
    from cardgames_dp.fitting import plots
    from cardgames_dp.fitting.constants import (
        decay_exponent,
        decay_share,
        limit_constant,
        shepp_alpha,
    )
    from cardgames_dp.fitting.fitted import Fit
    from cardgames_dp.fitting.growth import (
        GROWTH_TERMS,
        AsymptoticValue,
        GrowthTerm,
        asymptotic_value,
        boundary_guess,
    )
    from cardgames_dp.fitting.limit import LimitLaw, limit_law
    from cardgames_dp.fitting.regression import fit
    from cardgames_dp.fitting.significance import Interval
    from cardgames_dp.fitting.unequal import AsymptoticDeck, asymptotic_deck
else:
    __getattr__ = _lazy.loader(
        __name__,
        {
            "cardgames_dp.fitting": ["plots"],
            "cardgames_dp.fitting.constants": [
                "decay_exponent",
                "decay_share",
                "limit_constant",
                "shepp_alpha",
            ],
            "cardgames_dp.fitting.fitted": ["Fit"],
            "cardgames_dp.fitting.growth": [
                "GROWTH_TERMS",
                "AsymptoticValue",
                "GrowthTerm",
                "asymptotic_value",
                "boundary_guess",
            ],
            "cardgames_dp.fitting.limit": ["LimitLaw", "limit_law"],
            "cardgames_dp.fitting.regression": ["fit"],
            "cardgames_dp.fitting.significance": ["Interval"],
            "cardgames_dp.fitting.unequal": ["AsymptoticDeck", "asymptotic_deck"],
        },
    )

__all__ = [
    "GROWTH_TERMS",
    "AsymptoticDeck",
    "AsymptoticValue",
    "Fit",
    "GrowthTerm",
    "Interval",
    "LimitLaw",
    "asymptotic_deck",
    "asymptotic_value",
    "boundary_guess",
    "decay_exponent",
    "decay_share",
    "fit",
    "limit_constant",
    "limit_law",
    "plots",
    "shepp_alpha",
]


def __dir__() -> list[str]:
    return __all__
