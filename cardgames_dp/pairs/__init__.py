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
    The players' chances of winning. They sum to the number of players less one.
leader
    The player who acts first in a round. Tables of scores list the leader first,
    positions the player to move.
policy
    A rule that says whether a player hits. `Policy` lists the named ones,
    "fifty_percent" and so on.

What to use
-----------
- `Rules`, `triangular`, `OfficialRules`: the rules and the deck.
- `solve`: optimal play, as a `Solution` with `Advice`, `OpeningTable` and `Round`;
  `published` returns one that comes with the package. `Position`: play along, card by
  card.
- `enclosure`: chances of winning with a certified error. `solve_for`: players with
  another goal than to win.
- `win_rate`, `evaluate`, `best_response`: how often policies win, one against another,
  with a policy for each seat, and at worst.
- `compare`, `regret`, `frequencies`: where policies differ, what they give away, and
  how often they hit. `decision`: what a policy does in one position.
- `simulate`: many games dealt at random, also under the official rules.
- `state_policy`: these policies for the functions of `cardgames_dp.play`, exactly.
- `View`: the argument of your own policies. `HitBelow`, `FoldUpTo` and `SumBelow` are
  ready-made policies; `SumBelow` is good and easy to remember.
- `survey`: many rules in one table. `plots`: pictures.

References
----------
The Pairs essay ("Probability and Game Theory in the Card Game Pairs", an extended
essay). The game: J. Ernest and others, *Pairs*, Cheapass Games, 2014.
"""

from typing import TYPE_CHECKING

from cardgames_dp import _lazy

if TYPE_CHECKING:
    from cardgames_dp.pairs import plots
    from cardgames_dp.pairs._kernels.official import OfficialState
    from cardgames_dp.pairs._kernels.turns import State
    from cardgames_dp.pairs.advice import Advice, decision
    from cardgames_dp.pairs.comparison import Comparison, compare
    from cardgames_dp.pairs.enclosures import (
        Bounds,
        CertifiedChances,
        Enclosure,
        enclosure,
    )
    from cardgames_dp.pairs.evaluation import (
        Frequencies,
        WinRate,
        frequencies,
        win_rate,
    )
    from cardgames_dp.pairs.goals import GoalSolution, solve_for
    from cardgames_dp.pairs.mistakes import Mistake
    from cardgames_dp.pairs.official import OfficialGame, OfficialRules
    from cardgames_dp.pairs.openings import OpeningTable
    from cardgames_dp.pairs.policies import FoldUpTo, HitBelow, Policy
    from cardgames_dp.pairs.position import Position
    from cardgames_dp.pairs.profiles import Evaluation, evaluate
    from cardgames_dp.pairs.regrets import Regret, regret
    from cardgames_dp.pairs.response import BestResponse, best_response
    from cardgames_dp.pairs.rounds import Round
    from cardgames_dp.pairs.rules import PairsGame, Rules, triangular
    from cardgames_dp.pairs.shipped import published
    from cardgames_dp.pairs.simulation import Simulation, simulate
    from cardgames_dp.pairs.solution import Solution
    from cardgames_dp.pairs.solver import solve
    from cardgames_dp.pairs.states import state_policy
    from cardgames_dp.pairs.sums import SumBelow
    from cardgames_dp.pairs.surveys import survey
    from cardgames_dp.pairs.views import View
else:
    __getattr__ = _lazy.loader(
        __name__,
        {
            "cardgames_dp.pairs": ["plots"],
            "cardgames_dp.pairs._kernels.official": ["OfficialState"],
            "cardgames_dp.pairs._kernels.turns": ["State"],
            "cardgames_dp.pairs.advice": ["Advice", "decision"],
            "cardgames_dp.pairs.comparison": ["Comparison", "compare"],
            "cardgames_dp.pairs.enclosures": [
                "Bounds",
                "CertifiedChances",
                "Enclosure",
                "enclosure",
            ],
            "cardgames_dp.pairs.evaluation": [
                "Frequencies",
                "WinRate",
                "frequencies",
                "win_rate",
            ],
            "cardgames_dp.pairs.goals": ["GoalSolution", "solve_for"],
            "cardgames_dp.pairs.mistakes": ["Mistake"],
            "cardgames_dp.pairs.official": ["OfficialGame", "OfficialRules"],
            "cardgames_dp.pairs.openings": ["OpeningTable"],
            "cardgames_dp.pairs.policies": ["FoldUpTo", "HitBelow", "Policy"],
            "cardgames_dp.pairs.shipped": ["published"],
            "cardgames_dp.pairs.position": ["Position"],
            "cardgames_dp.pairs.profiles": ["Evaluation", "evaluate"],
            "cardgames_dp.pairs.regrets": ["Regret", "regret"],
            "cardgames_dp.pairs.response": ["BestResponse", "best_response"],
            "cardgames_dp.pairs.rounds": ["Round"],
            "cardgames_dp.pairs.rules": ["PairsGame", "Rules", "triangular"],
            "cardgames_dp.pairs.simulation": ["Simulation", "simulate"],
            "cardgames_dp.pairs.solution": ["Solution"],
            "cardgames_dp.pairs.solver": ["solve"],
            "cardgames_dp.pairs.states": ["state_policy"],
            "cardgames_dp.pairs.sums": ["SumBelow"],
            "cardgames_dp.pairs.surveys": ["survey"],
            "cardgames_dp.pairs.views": ["View"],
        },
    )

__all__ = [
    "Advice",
    "BestResponse",
    "Bounds",
    "CertifiedChances",
    "Comparison",
    "Enclosure",
    "Evaluation",
    "FoldUpTo",
    "Frequencies",
    "GoalSolution",
    "HitBelow",
    "Mistake",
    "OfficialGame",
    "OfficialRules",
    "OfficialState",
    "OpeningTable",
    "PairsGame",
    "Policy",
    "Position",
    "Regret",
    "Round",
    "Rules",
    "Simulation",
    "Solution",
    "State",
    "SumBelow",
    "View",
    "WinRate",
    "best_response",
    "compare",
    "decision",
    "enclosure",
    "evaluate",
    "frequencies",
    "plots",
    "published",
    "regret",
    "simulate",
    "solve",
    "solve_for",
    "state_policy",
    "survey",
    "triangular",
    "win_rate",
]


def __dir__() -> list[str]:
    return __all__
