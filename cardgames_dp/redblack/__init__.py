"""Red/black: draw red cards (+1) and black cards (-1), and stop when you like.

A deck of `red` and `black` cards is shuffled. The player turns the cards over one by
one, wins 1 for each red card, loses 1 for each black card, and may stop at any time.
What is the game worth, and when should the player stop? N. Coldwell's "Problem 14" asks
this for 26 + 26 cards. Mathematicians know the game as L. Shepp's urn; its limit for
large decks is a Brownian bridge.

Terms
-----
red, black
    Numbers of cards remaining; red cards are the good ones. All tables are indexed
    ``[red, black]``.
n
    The number of cards remaining, ``red + black``.
l
    Half of a balanced deck: l red and l black cards.
value
    The expected gain from playing on optimally instead of stopping now.
total
    Cash in hand plus value.
excess
    ``black - red`` remaining; in a balanced deck this is the cash in hand.

What to use
-----------
The value of a deck:

- `value` for one deck of any size, `values` for many; `enclosure` and `enclosures` with
  certified bounds; `published_values` for certified values that come with the package.

When to stop:

- `solve` for all states of a deck: the tables, `Advice` and spreadsheet of a
  `Solution`; `write_spreadsheet` writes the spreadsheet to a file.
- `thresholds` and `least_red` for the stopping rule without a table.
- `Position` to play along.

What happens to a player, optimal or with any other `Policy`:

- `payoff_law`, `duration_law`, `lowest_cash_law`: probability distributions.
- `simulate`: random games.

Variants:

- `Rules` for other amounts, fees and risk aversion, with the utilities of `utilities`.
- `kinds` for cards of more than two worths; `urns` for fixed or unknown odds.
- `omniscient_value`, `omniscient_law` for a player who knows the order of the cards;
  `foresight_value` for one who sees the next cards.
- `bridge_value`, `bridge_boundary` for the limit of large decks.

`survey` tabulates many decks under many rules. Pictures are in `plots`.

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
