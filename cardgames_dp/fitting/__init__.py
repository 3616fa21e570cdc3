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
- `limit_constant`, `shepp_alpha`, `decay_exponent`: the constants of the limit, to any
  number of digits.
- `asymptotic_value`: the value of a deck of any size by the law of growth, with its
  error; `GROWTH_TERMS` has the terms.
- `LimitDistribution`: payoff and duration in the limit of large decks.

Pictures are in `plots`.
"""

from cardgames_dp.fitting import plots
from cardgames_dp.fitting.constants import (
    decay_exponent,
    limit_constant,
    shepp_alpha,
)
from cardgames_dp.fitting.growth import (
    GROWTH_TERMS,
    AsymptoticValue,
    GrowthTerm,
    asymptotic_value,
)
from cardgames_dp.fitting.limit import LimitDistribution
from cardgames_dp.fitting.regression import Fit, fit

__all__ = [
    "GROWTH_TERMS",
    "AsymptoticValue",
    "Fit",
    "GrowthTerm",
    "LimitDistribution",
    "asymptotic_value",
    "decay_exponent",
    "fit",
    "limit_constant",
    "plots",
    "shepp_alpha",
]
__dir__ = __all__.copy  # for completion
