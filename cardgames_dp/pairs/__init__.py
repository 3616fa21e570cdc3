"""Pairs: draw a card without making a pair, or fold and take the lowest on the table.

Points are bad: a pair scores its rank, a fold scores the lowest rank on the table, and
the first player to reach the target loses. This package solves the game for any number
of players, as far as memory allows; the published game of two players and 55 cards
takes seconds.

Terms
-----
hit, fold
    The two actions: draw a card, or score the lowest card on the table.
round
    The play from an empty table (or a deal) to the next pair or fold.
value
    The players' chances of winning. They sum to the number of players minus one.
leader
    The player who acts first in a round. Tables of scores list the leader first,
    positions the player to move.
policy
    A word, such as "fifty_percent", or a function of a `State`, that says whether a
    player hits.

What to use
-----------
- `Rules`: the rules and the deck; `Rules.official` for the published rules.
- `solve`: optimal play, a `cardgames_dp.game.Solution`, also for players with a goal
  other than to win; `published` returns one that comes with the package. `state`
  makes a position to look up.
- `score_table`, `opening_table`, `positions`: the chances by scores, the first
  decisions, and all positions of a round.
- `enclosure`: chances of winning with a certified error.
- `game`: the game for `cardgames_dp.play`, which plays along card by card, and finds
  the values and mistakes of policies, best responses, distributions, and simulated
  games, also under the official rules.
- `rates`: how often policies win, whoever leads, and how often they hit, fold and make
  pairs. `decision`: the action of a policy in one state.
- Policies are the words "optimal", "fifty_percent", "expected_points", "never_hit" and
  "always_hit", all that `cardgames_dp.play` takes, and `HitBelow`, `FoldUpTo` and
  `SumBelow`, which is good and easy to remember.
- `plots`: pictures.

References
----------
The Pairs essay ("Probability and Game Theory in the Card Game Pairs", an extended
essay). The game: J. Ernest and others, *Pairs*, Cheapass Games, 2014.
"""

from cardgames_dp.pairs import plots
from cardgames_dp.pairs.enclosures import Enclosure, enclosure
from cardgames_dp.pairs.game import game
from cardgames_dp.pairs.policies import FoldUpTo, HitBelow, SumBelow
from cardgames_dp.pairs.rates import Rates, rates
from cardgames_dp.pairs.rounds import (
    OpeningTable,
    Round,
    ScoreTable,
    opening_table,
    positions,
    score_table,
)
from cardgames_dp.pairs.rules import Rules
from cardgames_dp.pairs.seats import decision
from cardgames_dp.pairs.solver import published, solve
from cardgames_dp.pairs.state import State, state

__all__ = [
    "Enclosure",
    "FoldUpTo",
    "HitBelow",
    "OpeningTable",
    "Rates",
    "Round",
    "Rules",
    "ScoreTable",
    "State",
    "SumBelow",
    "decision",
    "enclosure",
    "game",
    "opening_table",
    "plots",
    "positions",
    "published",
    "rates",
    "score_table",
    "solve",
    "state",
]
__dir__ = __all__.copy  # for completion
