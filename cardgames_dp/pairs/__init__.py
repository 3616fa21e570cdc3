"""Pairs: draw cards without making a pair, or fold and take the lowest on the table.

Points are bad: a pair scores its rank, a fold the lowest rank on the table, and the
player who first reaches the target has lost. This package solves the game for any
number of players, as far as memory goes, the published one of two players and 55 cards
in seconds.

Names
-----
hit, fold
    The two actions: to draw a card, or to take the lowest one's points.
round
    From an empty table (or a deal) to the next pair or fold.
value
    Chances of winning, one a player. They add up to the number of players less one.
leader
    The player who is the first to act in a round. Tables of scores have the leader
    first, positions the player to move.

What to use
-----------
Rules of all kinds: `Rules`, `triangular`. Optimal play: `solve` for a `Solution`, or
`published` where one comes with the package; its `Advice`, `OpeningTable` and `Round`;
`Position` to play along. Chances with a certified error: `enclosure`. Players who want
something else than to win: `solve_for`.
What policies are worth: `win_rate`, `evaluate` with one for each seat, and
`best_response`; where they differ, what they give
away and what they do: `compare`, `regret`, `frequencies`, and in one position
`decision`. Many games dealt, under the published rules too: `simulate`. Policies of
one's own look at a `View`; `HitBelow`, `FoldUpTo` and `SumBelow`, a good one to keep in
mind, are ready-made. Pictures of all this: `plots`.

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
    from cardgames_dp.pairs.official import OfficialGame, OfficialRules
    from cardgames_dp.pairs.openings import OpeningTable
    from cardgames_dp.pairs.policies import FoldUpTo, HitBelow, Policy
    from cardgames_dp.pairs.position import Position
    from cardgames_dp.pairs.profiles import Evaluation, evaluate
    from cardgames_dp.pairs.regrets import Mistake, Regret, regret
    from cardgames_dp.pairs.response import BestResponse, best_response
    from cardgames_dp.pairs.rounds import Round
    from cardgames_dp.pairs.rules import PairsGame, Rules, triangular
    from cardgames_dp.pairs.shipped import published
    from cardgames_dp.pairs.simulation import Simulation, simulate
    from cardgames_dp.pairs.solution import Solution
    from cardgames_dp.pairs.solver import solve
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
            "cardgames_dp.pairs.official": ["OfficialGame", "OfficialRules"],
            "cardgames_dp.pairs.openings": ["OpeningTable"],
            "cardgames_dp.pairs.policies": ["FoldUpTo", "HitBelow", "Policy"],
            "cardgames_dp.pairs.shipped": ["published"],
            "cardgames_dp.pairs.position": ["Position"],
            "cardgames_dp.pairs.profiles": ["Evaluation", "evaluate"],
            "cardgames_dp.pairs.regrets": ["Mistake", "Regret", "regret"],
            "cardgames_dp.pairs.response": ["BestResponse", "best_response"],
            "cardgames_dp.pairs.rounds": ["Round"],
            "cardgames_dp.pairs.rules": ["PairsGame", "Rules", "triangular"],
            "cardgames_dp.pairs.simulation": ["Simulation", "simulate"],
            "cardgames_dp.pairs.solution": ["Solution"],
            "cardgames_dp.pairs.solver": ["solve"],
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
    "survey",
    "triangular",
    "win_rate",
]


def __dir__() -> list[str]:
    return __all__
