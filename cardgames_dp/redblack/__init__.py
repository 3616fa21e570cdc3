"""Red/black: draw red cards (+1) and black cards (-1), and stop when you like.

A deck of `red` and `black` cards is shuffled. The player turns the cards over one by
one, wins 1 for each red card, loses 1 for each black card, and may stop at any time.
What is the value of the game, and when should the player stop? N. Coldwell's "Problem
14" asks this for 26 + 26 cards. Mathematicians know the game as L. Shepp's urn; its
limit for large decks is a Brownian bridge.

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

- `value` for a deck of any size, or for arrays of them; `enclosure` with certified
  bounds; `published_values` for certified values that come with the package.

When to stop:

- `solve` for all states of a deck: a `cardgames_dp.game.Solution`, of which `boundary`
  makes the stopping rule.
- `thresholds` for the stopping rule without a table.

Optimal play, or any other policy: `cardgames_dp.play` takes solutions, and the `game`
itself, up to millions of cards where it needs no table. It plays along, and finds
values, mistakes, distributions and simulated games. Beside the policies of any game it
takes the words "optimal", "first_positive", "quit_when_negative" and "never_stop",
`StopAt` and `OptimalWithin`.

- `lowest_cash`: how far behind a player may be on the way.

Variants:

- `Rules` for other amounts, fees and risk aversion, with the utilities of `utilities`.
- `kinds` for cards of more than two values; `urns` for fixed or unknown odds.
- `foresight_value` for a player who sees the next cards, or knows the order of all.
- `bridge_value` for the limit of large decks.

Pictures are in `plots`.

References
----------
L. A. Shepp, "Explicit solutions to some problems of optimal stopping", Annals of
Mathematical Statistics 40 (1969), 993-1010.
"""

from cardgames_dp.redblack import kinds, plots, urns, utilities
from cardgames_dp.redblack.boundaries import (
    Boundary,
    Thresholds,
    boundary,
    bridge_value,
    thresholds,
)
from cardgames_dp.redblack.cards import State
from cardgames_dp.redblack.certified import (
    Enclosure,
    PublishedValues,
    enclosure,
    published_values,
)
from cardgames_dp.redblack.deck import game, solve
from cardgames_dp.redblack.foresight import foresight_value
from cardgames_dp.redblack.policies import OptimalWithin, StopAt
from cardgames_dp.redblack.rules import Rules
from cardgames_dp.redblack.valuation import lowest_cash, value

__all__ = [
    "Boundary",
    "Enclosure",
    "OptimalWithin",
    "PublishedValues",
    "Rules",
    "State",
    "StopAt",
    "Thresholds",
    "boundary",
    "bridge_value",
    "enclosure",
    "foresight_value",
    "game",
    "kinds",
    "lowest_cash",
    "plots",
    "published_values",
    "solve",
    "thresholds",
    "urns",
    "utilities",
    "value",
]
__dir__ = __all__.copy  # for completion
