"""The growth of the value of red/black with the deck: fits, constants and limit laws.

Terms
-----
l, cards
    Half of a balanced deck: l red and l black cards. The argument `cards` is l.
values
    V(l), the value of such a deck.

What to use
-----------
- `fit`: a growth law by least squares, as the Problem 14 essay fits three; it returns a
  `Fit` with predictions and a statistical summary.
- `limit_constant`, `shepp_alpha`, `decay_exponent`, `decay_share`: the constants of the
  limit, to any number of digits.
- `asymptotic_value`: the value of a deck of any size by the law of growth, with its
  error; `GROWTH_TERMS` has the terms. `asymptotic_deck`: the same for unequal numbers
  of red and black cards.
- `boundary_guess`: where to stop, by an asymptotic formula.
- `limit_law`: the laws of payoff and duration in the limit of large decks.

Pictures are in `plots`.
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
