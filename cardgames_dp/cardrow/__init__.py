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
    A player's own sum minus the opponent's.
value
    The first player's lead if both players play optimally.
policy
    A rule that says which turn a player takes. `Policy` lists the named ones,
    "optimal", "greedy" and so on.

What to use
-----------
For optimal play, in linear time by the classic rules:

- `value`: the value of a row, or of one game on several rows; `values` for many games.
- `Position`: a game played move by move, on any line of play, with advice; `match`: a
  whole game.

For every interval of a row: `solve`, which returns the tables of a `Solution`. For
other rules (several cards a turn, more players, the smaller sum wins, other values of
the cards for the second player, other choices in ties): `Rules`.

Against players who are not optimal:

- `match`, `tournament`: play one game, or many on rows from `deal`.
- `distribution`: the probability distribution of the lead between given players.
- `best_response`: win by the most, win most often, or win without risking a guarantee.
- `values`: the guaranteed lead of a policy, on many rows.

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
from cardgames_dp.cardrow.matches import (
    Match,
    Tournament,
    match,
    tournament,
)
from cardgames_dp.cardrow.opponents import (
    Response,
    best_response,
    distribution,
)
from cardgames_dp.cardrow.policies import Policy
from cardgames_dp.cardrow.position import Position
from cardgames_dp.cardrow.rules import Rules, State, Turn
from cardgames_dp.cardrow.solution import (
    Advice,
    Solution,
    solve,
)
from cardgames_dp.cardrow.valuation import (
    brute_force,
    collapsed,
    value,
    values,
)

__all__ = [
    "Advice",
    "Match",
    "Policy",
    "Position",
    "Response",
    "Rules",
    "Solution",
    "State",
    "Tournament",
    "Turn",
    "best_response",
    "brute_force",
    "collapsed",
    "deal",
    "distribution",
    "match",
    "plots",
    "solve",
    "tournament",
    "value",
    "values",
]
__dir__ = __all__.copy  # for completion
