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
    A rule that says whether a player hits. `Policy` lists the named ones,
    "fifty_percent" and so on.

What to use
-----------
- `Rules`: the rules and the deck; `Rules.official` for the published rules.
- `solve`: optimal play, as a `Solution` with `Advice`, `OpeningTable` and `Round`, also
  for players with a goal other than to win; `published` returns one that comes with the
  package. `Position`: play along, card by card.
- `enclosure`: chances of winning with a certified error.
- `evaluate`, `best_response`: how often policies win, with a policy for each seat, and
  at worst; and how often they hit, fold and make pairs.
- `regret`: the mistakes of a policy, and their cost. `decision`: its action in one
  position.
- `simulate`: many games dealt at random, also under the official rules.
- `View`: the argument of your own policies, which may mix. `HitBelow`, `FoldUpTo` and
  `SumBelow` are ready-made policies; `SumBelow` is good and easy to remember.
- `plots`: pictures.

References
----------
The Pairs essay ("Probability and Game Theory in the Card Game Pairs", an extended
essay). The game: J. Ernest and others, *Pairs*, Cheapass Games, 2014.
"""

from cardgames_dp.pairs import plots
from cardgames_dp.pairs._kernels.game import State
from cardgames_dp.pairs.enclosures import (
    Enclosure,
    enclosure,
)
from cardgames_dp.pairs.evaluation import (
    Evaluation,
    Response,
    best_response,
    evaluate,
)
from cardgames_dp.pairs.players import Policy, decision
from cardgames_dp.pairs.policies import (
    FoldUpTo,
    HitBelow,
    SumBelow,
    View,
)
from cardgames_dp.pairs.position import Position
from cardgames_dp.pairs.regrets import Regret, regret
from cardgames_dp.pairs.rounds import OpeningTable, Round
from cardgames_dp.pairs.rules import Rules
from cardgames_dp.pairs.simulation import (
    Simulation,
    simulate,
)
from cardgames_dp.pairs.solution import Advice, Solution
from cardgames_dp.pairs.solver import published, solve

__all__ = [
    "Advice",
    "Enclosure",
    "Evaluation",
    "FoldUpTo",
    "HitBelow",
    "OpeningTable",
    "Policy",
    "Position",
    "Regret",
    "Response",
    "Round",
    "Rules",
    "Simulation",
    "Solution",
    "State",
    "SumBelow",
    "View",
    "best_response",
    "decision",
    "enclosure",
    "evaluate",
    "plots",
    "published",
    "regret",
    "simulate",
    "solve",
]
__dir__ = __all__.copy  # for completion
