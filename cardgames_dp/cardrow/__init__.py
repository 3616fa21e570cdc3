"""Cards in a row: take a card from either end, in turns; the larger sum wins.

Cards lie face up in a row. Two players take turns; each turn takes the leftmost or the
rightmost of the cards left. Pashevich and others ("APP2: Hold'em for n00bs") ask how to
beat a little sister at this game; puzzle books call it "coins in a row". Solving all
intervals of the row takes quadratic time; collapsing the peaks of the row, as Idziaszek
does, takes linear time (:doc:`/theory/cardrow`).

Terms
-----
row, cards
    Numbers from left to right, of any size and sign. Positions are counted from 0.
interval
    The cards left of a row, from position `left` to position `right`, both included.
    All tables are indexed ``[left, right]``.
turn
    Taking one card from one end, or several where the rules allow it:
    ``Turn("left", 1)``.
sums, scores
    The total that each player has taken at the end.
lead
    A player's own sum less the opponent's.
value
    The first player's lead if both players play optimally.
policy
    A rule that says which turn a player takes. `Policy` lists the named ones,
    "optimal", "greedy" and so on.

What to use
-----------
For optimal play, in linear time by the classic rules:

- `value`, `scores`: the value of a row, and the sums of the players; `values` for many
  rows, `value_of_rows` for one game on several rows.
- `who_should_start`, `best_move`, `optimal_play`: whether to start, what to do now, and
  a whole game.
- `Position`: a game played move by move, off the optimal line as well.

For every interval of a row: `solve`, which returns the tables of a `Solution`. For
other rules (several cards a turn, more players, the smaller sum wins, cards worth
something else to the second player, other choices in ties): `Rules`.

Against players who are not optimal:

- `match`, `tournament`: play one game, or many on rows from `deal`.
- `lead_law`: the probability distribution of the lead between given players.
- `best_response`: win by the most, win most often, or win without risking a guarantee;
  `response_values`: by how much, on many rows.
- `Mixed`: a player who follows several policies at random; `estimate`: a player who is
  known only from games.
- `guarantees`, `failures`: what a policy wins by in the worst case, and on which rows
  this is less than the value.

Pictures are in `plots`.

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
    from cardgames_dp.cardrow.guarantee import guarantees, response_values
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
            "cardgames_dp.cardrow.guarantee": ["guarantees", "response_values"],
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
    "response_values",
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
