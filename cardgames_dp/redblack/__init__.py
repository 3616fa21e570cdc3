"""Red/black: draw from red cards (+1) and black ones (-1), stop when you like.

A deck of `red` and `black` cards is shuffled; the player turns cards over one by one,
gains 1 by a red card, loses 1 by a black one, and may stop at any time. What is the
game worth, and when should they stop? N. Coldwell's "Problem 14" asks it for 26 + 26
cards; it is L. Shepp's urn, and a Brownian bridge in the limit.

Names
-----
red, black
    Cards remaining, red the good ones. All tables are indexed ``[red, black]``.
n
    ``red + black``, cards remaining.
value
    What playing on optimally brings, on average, beyond stopping now.
total
    Cash in hand plus value.
excess
    ``black - red`` remaining: how far ahead the player of a balanced deck is.

What to use
-----------
The value of one deck, of any size: `value`, `enclosure` with certified error; of many:
`values`, `enclosures`; certified ones that come with the package: `published_values`.
When to stop: `thresholds` and `least_red` without a table, `solve` for every state with
`Solution`'s tables, `Advice` and spreadsheet, also as a file (`write_spreadsheet`);
`Position` to play along. What will happen, to the optimal player or one of any other
`Policy`: `payoff_law`, `duration_law`, `lowest_cash_law`, and `simulate`. What a
clairvoyant would win: `omniscient_value`, `omniscient_law`; a player who sees the next
cards: `foresight_value`.
The limit of large decks, a Brownian bridge: `bridge_value`, `bridge_boundary`. Other
amounts, fees, risk aversion: `Rules`, with a utility of `utilities`; cards of more than
two worths: `kinds`; fixed odds, and those that are not known: `urns`. Pictures of all
this: `plots`.

References
----------
L. A. Shepp, "Explicit solutions to some problems of optimal stopping", Annals of
Mathematical Statistics 40 (1969), 993-1010.
"""

from typing import TYPE_CHECKING

from cardgames_dp import _lazy

if TYPE_CHECKING:
    from cardgames_dp.redblack import kinds, plots, urns, utilities
    from cardgames_dp.redblack.advice import Advice
    from cardgames_dp.redblack.boundary import Boundary, Thresholds, thresholds
    from cardgames_dp.redblack.bridge import bridge_boundary, bridge_value
    from cardgames_dp.redblack.certified import Enclosure, enclosure, enclosures
    from cardgames_dp.redblack.drawing import least_red
    from cardgames_dp.redblack.foresight import foresight_value
    from cardgames_dp.redblack.laws import (
        Law,
        duration_law,
        lowest_cash_law,
        payoff_law,
    )
    from cardgames_dp.redblack.omniscient import omniscient_law, omniscient_value
    from cardgames_dp.redblack.policies import (
        OptimalWithin,
        Policy,
        StopAfter,
        StopAtCash,
        StopAtExcess,
        StopAtFirst,
        StopAtLoss,
    )
    from cardgames_dp.redblack.position import Position
    from cardgames_dp.redblack.published import PublishedValues, published_values
    from cardgames_dp.redblack.rules import RedBlackGame, Rules, State
    from cardgames_dp.redblack.simulation import Simulation, simulate
    from cardgames_dp.redblack.solution import Solution, solve
    from cardgames_dp.redblack.spreadsheet import write_spreadsheet
    from cardgames_dp.redblack.surveys import survey
    from cardgames_dp.redblack.valuation import value, values
else:
    __getattr__ = _lazy.loader(
        __name__,
        {
            "cardgames_dp.redblack": ["kinds", "plots", "urns", "utilities"],
            "cardgames_dp.redblack.advice": ["Advice"],
            "cardgames_dp.redblack.boundary": ["Boundary", "Thresholds", "thresholds"],
            "cardgames_dp.redblack.bridge": ["bridge_boundary", "bridge_value"],
            "cardgames_dp.redblack.certified": ["Enclosure", "enclosure", "enclosures"],
            "cardgames_dp.redblack.drawing": ["least_red"],
            "cardgames_dp.redblack.foresight": ["foresight_value"],
            "cardgames_dp.redblack.laws": [
                "Law",
                "duration_law",
                "lowest_cash_law",
                "payoff_law",
            ],
            "cardgames_dp.redblack.omniscient": ["omniscient_law", "omniscient_value"],
            "cardgames_dp.redblack.policies": [
                "OptimalWithin",
                "Policy",
                "StopAfter",
                "StopAtCash",
                "StopAtExcess",
                "StopAtFirst",
                "StopAtLoss",
            ],
            "cardgames_dp.redblack.position": ["Position"],
            "cardgames_dp.redblack.published": ["PublishedValues", "published_values"],
            "cardgames_dp.redblack.rules": ["RedBlackGame", "Rules", "State"],
            "cardgames_dp.redblack.simulation": ["Simulation", "simulate"],
            "cardgames_dp.redblack.solution": ["Solution", "solve"],
            "cardgames_dp.redblack.spreadsheet": ["write_spreadsheet"],
            "cardgames_dp.redblack.surveys": ["survey"],
            "cardgames_dp.redblack.valuation": ["value", "values"],
        },
    )

__all__ = [
    "Advice",
    "Boundary",
    "Enclosure",
    "Law",
    "OptimalWithin",
    "Policy",
    "Position",
    "PublishedValues",
    "RedBlackGame",
    "Rules",
    "Simulation",
    "Solution",
    "State",
    "StopAfter",
    "StopAtCash",
    "StopAtExcess",
    "StopAtFirst",
    "StopAtLoss",
    "Thresholds",
    "bridge_boundary",
    "bridge_value",
    "duration_law",
    "enclosure",
    "enclosures",
    "foresight_value",
    "kinds",
    "least_red",
    "lowest_cash_law",
    "omniscient_law",
    "omniscient_value",
    "payoff_law",
    "plots",
    "published_values",
    "simulate",
    "solve",
    "survey",
    "thresholds",
    "urns",
    "utilities",
    "value",
    "values",
    "write_spreadsheet",
]


def __dir__() -> list[str]:
    return __all__
