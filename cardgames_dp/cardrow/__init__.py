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
    Taking one card from one end, or several where the rules allow it: "left", "right",
    "2 from the left". A turn that takes all cards left counts as one from the left.
sums
    The total that each player has taken at the end.
lead
    A player's own sum minus the opponent's.
value
    The first player's lead if both players play optimally.

What to use
-----------
For optimal play, in linear time by the classic rules:

- `value`: the value of a row, or of one game on several rows; `values` for many games.
- `match`: a whole game.

For every interval of a row: `solve`, which returns a `cardgames_dp.game.Solution`. For
other rules (several cards a turn, more players, the smaller sum wins, other values of
the cards for the second player, other choices in ties): `Rules`.

Optimal play, or any other policy: `cardgames_dp.play` takes solutions, and the `game`
itself. It plays along, and finds values, best responses, mistakes, distributions and
simulated games. Beside the policies of any game it takes these words:

====================  =============================================================
``"optimal"``         Plays optimally: guarantees the value of the cards left.
``"greedy"``          Looks one turn ahead: maximises what the turn takes minus
                      the best that the next player can then take.
``"greedy_literal"``  The greedy player as Pashevich's report prints it, with a
                      mistake: it compares the absolute values of these
                      differences, and takes the left card if its is smaller. Ties
                      are frequent; the report's rule for them is
                      ``Rules(tie="right")``, by which it takes the 1 of 2, 1. For
                      one card a turn.
``"larger"``          Takes the turn that is worth most at once: of one card a turn,
                      the larger of the two end cards.
``"smaller"``         Takes the turn that is worth least at once.
``"random"``          Takes any legal turn, each with the same probability.
====================  =============================================================

Each player counts the cards by their own values. Where both ends are equally good to a
named player, ``rules.tie`` decides. Mixtures are made by `cardgames_dp.play.mixture`.

Questions of this game:

- `match`, `tournament`: play one game, or many on rows from `deal`.
- `values`: the guaranteed lead of a policy, on many rows.
- `best_response`: win most often, or win without risking a guarantee.

Pictures are in `plots`.

References
----------
Linear time: Idziaszek, T., "An Optimal Algorithm for Calculating the Profit in the
Coins in a Row Game", 2010.
The game: P. Winkler, *Mathematical Puzzles: A Connoisseur's Collection*, A K Peters,
2004.
"""

from cardgames_dp.cardrow import plots
from cardgames_dp.cardrow.cards import deal
from cardgames_dp.cardrow.matches import Match, Tournament, match, tournament
from cardgames_dp.cardrow.opponents import Response, best_response
from cardgames_dp.cardrow.row import game, solve
from cardgames_dp.cardrow.rules import Rules, State
from cardgames_dp.cardrow.valuation import brute_force, collapsed, value, values

__all__ = [
    "Match",
    "Response",
    "Rules",
    "State",
    "Tournament",
    "best_response",
    "brute_force",
    "collapsed",
    "deal",
    "game",
    "match",
    "plots",
    "solve",
    "tournament",
    "value",
    "values",
]
__dir__ = __all__.copy  # for completion
