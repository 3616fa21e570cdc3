"""Play any solved game: policies, values, responses, regrets, distributions, games.

Model
-----
A *policy* gives a player's action in each state in which the player moves: a callable
of the state, a mapping from states, a result that has a policy (a `Solution`, a
`Response`), the word "random", for all legal actions with equal chances, another word
that the game knows, or a `mixture` of these. It gives an action, or
a mapping of actions to weights >= 0, which are divided by their sum to give
probabilities. The argument `policies` is one policy for all players, or a list or tuple
with one policy for each player; None is enough for a player who never moves.

The states of players who follow policies are treated as chance states. So the values of
policies are the solution of a game without decisions, and a best response is the
solution of a game in which one player decides: the sweeps of `cardgames_dp.exact` and
`cardgames_dp.diagonal` find both, and bound the error. Probabilities are computed
forward over the same arrays. Each policy is called once for each state with a
choice; where one action is legal, it is taken.

In a game with rewards, values, responses and regrets count later payments;
distributions, simulated games and `Position.returns` count all payments of a game.

Each function first explores the game, unless the game has a faster way, as Pairs has
for all, and decks of red/black for distributions and simulations. To do this only once,
or with more than five million states, give it an explored game
(`cardgames_dp.game.explore`) or a solution.

Array games (`cardgames_dp.game.ArrayGame`) can be played as well. Their policies
are solutions, or callables of an array of states in the form that the game uses. A
callable returns an array with one action for each state or, for a mixture, arrays
``(index, actions, weights)``, as `ArrayGame.chance_outcomes` does.

References
----------
Y. Shoham and K. Leyton-Brown, *Multiagent Systems*, Cambridge University Press, 2009,
chapter 5, on games in extensive form and best responses.

Examples
--------
A simple policy for red/black with six cards of each colour: stop if you have three in
hand, or if no red card is left. Find its value, and its mistakes:

>>> from cardgames_dp import diagonal, play, redblack
>>> solution = diagonal.solve(redblack.game(6, 6))
>>> def thumb(state):
...     return "draw" if state.red and state.black - state.red < 3 else "stop"
>>> solution.value, play.evaluate(solution, thumb).value
(1.2294..., 1.1331...)
>>> print(play.regret(solution, thumb))
state                               taken  best     reach   given up        cost
State(red=1, black=3, decision='')  draw   stop  0.121212        0.5   0.0606061
State(red=2, black=4, decision='')  draw   stop  0.146104        0.2   0.0292208
State(red=3, black=5, decision='')  draw   stop  0.181818  0.0357143  0.00649351
(mistakes in 3 of 48 states; total loss 0.0963203)
"""

from cardgames_dp._results.distribution import Distribution
from cardgames_dp._results.records import Advice
from cardgames_dp.play.distributions import (
    Distributions,
    distribution,
)
from cardgames_dp.play.equilibria import Equilibrium, equilibrium
from cardgames_dp.play.evaluation import (
    Response,
    best_response,
    evaluate,
)
from cardgames_dp.play.parameters import Breakpoints, breakpoints
from cardgames_dp.play.policies import Policy, Profile, mixture
from cardgames_dp.play.position import Position
from cardgames_dp.play.regrets import Regret, regret
from cardgames_dp.play.rules import ShortRule, short_rule
from cardgames_dp.play.simulation import (
    Simulation,
    simulate,
)
from cardgames_dp.play.variants import Variants, variants

__all__ = [
    "Advice",
    "Breakpoints",
    "Distribution",
    "Distributions",
    "Equilibrium",
    "Policy",
    "Position",
    "Profile",
    "Regret",
    "Response",
    "ShortRule",
    "Simulation",
    "Variants",
    "best_response",
    "breakpoints",
    "distribution",
    "equilibrium",
    "evaluate",
    "mixture",
    "regret",
    "short_rule",
    "simulate",
    "variants",
]
__dir__ = __all__.copy  # for completion
