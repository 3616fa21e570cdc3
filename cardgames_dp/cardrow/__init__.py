"""Cards in a row: take an end card, in turns, and have the larger sum in the end.

Cards lie face up in a row; two players take turns, each time the leftmost or the
rightmost card of those left. Pashevich and others ("APP2:
Hold'em for n00bs") asks how to beat a little sister at it; puzzle books know it as
"coins in a row". With the table of all intervals it takes quadratic time; by collapsing
the peaks of the row, as Idziaszek does, it takes linear time
(`cardgames_dp.cardrow._kernels.collapse`).

Names
-----
row, cards
    Numbers from left to right, of any size and sign; positions count from 0.
value
    What the first player wins by if all play optimally.
sums, scores
    What each player has taken in the end.
interval
    What is left of a row, from card `left` to card `right`, both included. All tables
    are indexed ``[left, right]``.
turn
    One card from one end, or several: ``Turn("left", 1)``.

What to use
-----------
What a row is worth: `value`, `scores`; what each of many rows is worth: `values`; one
game on several rows: `value_of_rows`. Whether to start: `who_should_start`. What to do
now: `best_move`. A whole game: `optimal_play`. All of these take linear time. A game
off the optimal line, move by move: `Position`. Every interval: `solve`, and the tables
of its `Solution`. More cards a turn, more players, the smaller sum wins, other values
for the other player, another rule for ties: `Rules`.
Against players who are not optimal: `match`, `tournament` (on rows from `deal`),
`lead_law`, `best_response` (to win by most or most often, or without risking what is
sure); `Mixed` for one that follows several policies at random, `estimate` for one who
is only known from games. What a policy is sure of, and where it fails: `guarantees`,
`failures`. Pictures: `plots`.

References
----------
Linear time: Idziaszek, T., "An Optimal Algorithm for Calculating the Profit in the
Coins in a Row Game", 2010.
The game: P. Winkler, *Mathematical Puzzles: A Connoisseur's Collection*, A K Peters,
2004.
"""

from typing import TYPE_CHECKING

from cardgames_dp import _lazy

if TYPE_CHECKING:
    from cardgames_dp.cardrow import plots
    from cardgames_dp.cardrow.advice import Advice, best_move
    from cardgames_dp.cardrow.deals import FRENCH_DECK, deal
    from cardgames_dp.cardrow.estimation import Estimate, estimate, recorded
    from cardgames_dp.cardrow.exhaustive import BruteForce, brute_force
    from cardgames_dp.cardrow.faces import read_cards
    from cardgames_dp.cardrow.guarantee import guarantees
    from cardgames_dp.cardrow.lead_laws import lead_law
    from cardgames_dp.cardrow.matches import Match, match
    from cardgames_dp.cardrow.memoryless import Response
    from cardgames_dp.cardrow.plans import Plan
    from cardgames_dp.cardrow.play import Play, Scores, optimal_play, scores
    from cardgames_dp.cardrow.policies import Mixed, Policy
    from cardgames_dp.cardrow.position import Position
    from cardgames_dp.cardrow.response import best_response
    from cardgames_dp.cardrow.rules import CardRowGame, Rules
    from cardgames_dp.cardrow.several import (
        End,
        RowsAdvice,
        best_move_of_rows,
        collapsed,
        value_of_rows,
    )
    from cardgames_dp.cardrow.solution import Solution, solve
    from cardgames_dp.cardrow.surveys import survey
    from cardgames_dp.cardrow.tournaments import Tournament, tournament
    from cardgames_dp.cardrow.turns import State, Turn
    from cardgames_dp.cardrow.valuation import value, values, who_should_start
    from cardgames_dp.cardrow.weaknesses import Failures, failures
else:
    __getattr__ = _lazy.loader(
        __name__,
        {
            "cardgames_dp.cardrow": ["plots"],
            "cardgames_dp.cardrow.advice": ["Advice", "best_move"],
            "cardgames_dp.cardrow.deals": ["FRENCH_DECK", "deal"],
            "cardgames_dp.cardrow.estimation": ["Estimate", "estimate", "recorded"],
            "cardgames_dp.cardrow.exhaustive": ["BruteForce", "brute_force"],
            "cardgames_dp.cardrow.faces": ["read_cards"],
            "cardgames_dp.cardrow.guarantee": ["guarantees"],
            "cardgames_dp.cardrow.lead_laws": ["lead_law"],
            "cardgames_dp.cardrow.matches": ["Match", "match"],
            "cardgames_dp.cardrow.memoryless": ["Response"],
            "cardgames_dp.cardrow.plans": ["Plan"],
            "cardgames_dp.cardrow.play": ["Play", "Scores", "optimal_play", "scores"],
            "cardgames_dp.cardrow.policies": ["Mixed", "Policy"],
            "cardgames_dp.cardrow.position": ["Position"],
            "cardgames_dp.cardrow.response": ["best_response"],
            "cardgames_dp.cardrow.rules": ["CardRowGame", "Rules"],
            "cardgames_dp.cardrow.several": [
                "End",
                "RowsAdvice",
                "best_move_of_rows",
                "collapsed",
                "value_of_rows",
            ],
            "cardgames_dp.cardrow.solution": ["Solution", "solve"],
            "cardgames_dp.cardrow.surveys": ["survey"],
            "cardgames_dp.cardrow.tournaments": ["Tournament", "tournament"],
            "cardgames_dp.cardrow.turns": ["State", "Turn"],
            "cardgames_dp.cardrow.valuation": [
                "value",
                "values",
                "who_should_start",
            ],
            "cardgames_dp.cardrow.weaknesses": ["Failures", "failures"],
        },
    )

__all__ = [
    "FRENCH_DECK",
    "Advice",
    "BruteForce",
    "CardRowGame",
    "End",
    "Estimate",
    "Failures",
    "Match",
    "Mixed",
    "Plan",
    "Play",
    "Policy",
    "Position",
    "Response",
    "RowsAdvice",
    "Rules",
    "Scores",
    "Solution",
    "State",
    "Tournament",
    "Turn",
    "best_move",
    "best_move_of_rows",
    "best_response",
    "brute_force",
    "collapsed",
    "deal",
    "estimate",
    "failures",
    "guarantees",
    "lead_law",
    "match",
    "optimal_play",
    "plots",
    "read_cards",
    "recorded",
    "scores",
    "solve",
    "survey",
    "tournament",
    "value",
    "value_of_rows",
    "values",
    "who_should_start",
]


def __dir__() -> list[str]:
    return __all__
