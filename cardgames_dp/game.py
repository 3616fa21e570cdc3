"""The protocol in which every game is written.

A *game* is a finite graph of *states*. In a *decision* state a player takes
one of the legal actions; in a *chance* state one of the weighted outcomes happens; in a
*terminal* state the game is over and pays one return to each player. Games may have
loops; by the policies of a solution they end with probability 1. All players see the
whole state: these are games of perfect information. The terms are those of OpenSpiel
[1]_ and Gambit [2]_, so a game written for one of them is easy to rewrite.

There are two differences from OpenSpiel. A state is any hashable value without methods,
so all methods are those of the game. And chance has *weights*, of which only the ratios
matter: with integers or Fractions every probability is an exact rational number.

A game needs no base class: any object with the members of `Game` is one. A game whose
rules are one function is made by `from_function`; one of millions of states has methods
for many states at once: `ArrayGame`.

A game may also pay *rewards* when a move is made: for an action, by the optional method
`rewards`, or with an outcome of chance. The value of a state counts later payments
only, and the returns at the end are the last reward. So past points need not be in the
state, which makes far fewer states.

Both backends find all states of a game before they solve it. This takes most of their
time, as they call the game's own methods for every state. `explore` does it once. Its
result can be given to either backend in place of the game, any number of times, with
other returns (`Explored.with_returns`), other rewards (`Explored.with_rewards`) and
other returns of endless play (`Explored.with_endless_returns`).

References
----------
.. [1] M. Lanctot et al., "OpenSpiel: A Framework for Reinforcement Learning in Games",
   2019, arXiv:1908.09453.
.. [2] R. Savani and T. L. Turocy, "Gambit: The package for computation in game theory",
   https://www.gambit-project.org.

Examples
--------
A small deck of red/black, explored once, with a prize for drawing all cards:

>>> from cardgames_dp import exact, game, redblack
>>> found = game.explore(redblack.game(4, 4))
>>> found
ExploredArrays(num_states=73, num_moves=88, num_players=1)
>>> for prize in (0, 1, 2):
...     drawn = found.with_returns(lambda left: prize * (left[:, :2].sum(axis=1) == 0))
...     print(exact.solve(drawn).value)
1
7/5
74/35
"""

from cardgames_dp._graph.answers import (
    CHANCE,
    TERMINAL,
    ArrayGame,
    Game,
    GameError,
    Outcome,
    TooManyStatesError,
)
from cardgames_dp._graph.arrays import ExploredArrays
from cardgames_dp._graph.checking import check
from cardgames_dp._graph.explored import Explored, explore
from cardgames_dp._graph.layout import Layout
from cardgames_dp._graph.names import Names
from cardgames_dp._graph.one_function import from_function
from cardgames_dp._graph.solution import Solution
from cardgames_dp._graph.solving import TieBreak

__all__ = [
    "CHANCE",
    "TERMINAL",
    "ArrayGame",
    "Explored",
    "ExploredArrays",
    "Game",
    "GameError",
    "Layout",
    "Names",
    "Outcome",
    "Solution",
    "TieBreak",
    "TooManyStatesError",
    "check",
    "explore",
    "from_function",
]
__dir__ = __all__.copy  # for completion
