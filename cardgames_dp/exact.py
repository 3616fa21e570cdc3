"""The exact-rational backend: backward induction over any game, in Fractions.

Model
-----
A finite, acyclic game of perfect information with any number of players and chance,
written as a `cardgames_dp.game.Game`. The value of a state is a vector, one rational a
player:

- terminal: its returns;
- chance: the mean of the outcomes' values;
- decision: the value of the action chosen, which is one that is best for the player to
  move.

So play is *subgame perfect* [1]_. With one player, or two whose returns always have
the same sum, the values are unique. With more they need not be: several actions may be
exactly as good for the player to move and yet differ for the others, and the value
passed on is that of the action which the *tie rule* chooses. Values and optimal actions
are therefore those of the tie rule in use. As values are exact, a tie is never an
accident of rounding.

Algorithm
---------
Depth-first search from the initial state without Python recursion numbers every state
after all states that can follow it, each state once; then they are solved in that
order. Mean values are summed as integers over a common denominator and reduced once.
Time is linear in states and moves (and grows with the digits of the fractions), memory
in states and moves.

References
----------
.. [1] R. Selten, "Spieltheoretische Behandlung eines Oligopolmodells mit
   Nachfrageträgheit", Zeitschrift für die gesamte Staatswissenschaft 121 (1965),
   301-324 and 667-689.

Examples
--------
A game of your own takes a dozen lines. Roll a die up to three times; the last roll
pays:

>>> from cardgames_dp import exact
>>> from cardgames_dp.game import CHANCE, TERMINAL
>>> class ThreeRolls:
...     num_players = 1
...     def initial_state(self):
...         return 3, None, "roll"                    # rolls left, die, what comes next
...     def current_player(self, state):
...         return {"roll": CHANCE, "choose": 0, "keep": TERMINAL}[state[2]]
...     def legal_actions(self, state):
...         return ["keep", "roll"] if state[0] > 0 else ["keep"]
...     def next_state(self, state, action):
...         return state[0], state[1], action
...     def chance_outcomes(self, state):
...         return [(1, (state[0] - 1, die, "choose")) for die in range(1, 7)]
...     def returns(self, state):
...         return [state[1]]
>>> solution = exact.solve(ThreeRolls())
>>> solution.value
(Fraction(14, 3),)
>>> [solution.policy[2, die, "choose"] for die in range(1, 7)]
['roll', 'roll', 'roll', 'roll', 'keep', 'keep']
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TypeAlias

from cardgames_dp import _checks
from cardgames_dp._explore import explore
from cardgames_dp._extras import tracked
from cardgames_dp._numbers import printable
from cardgames_dp._solution import Solution
from cardgames_dp._ties import TieBreak, TieRule
from cardgames_dp.game import CHANCE, TERMINAL, Action, Game, State, TooManyStatesError

__all__ = ["Solution", "TieBreak", "TooManyStatesError", "Value", "solve"]

Value: TypeAlias = tuple[Fraction, ...]


def __dir__() -> list[str]:
    return __all__


def solve(
    game: Game[State, Action],
    *,
    tie_break: TieBreak[State, Action] = "first",
    max_states: int = 1_000_000,
    progress: bool = False,
) -> Solution[State, Action, Fraction]:
    """Solve a game exactly by backward induction over its reachable states.

    Grade: exact.

    Parameters
    ----------
    game : Game
        Any object with the members of `cardgames_dp.game.Game`.
    tie_break : {"first", "last"} or callable, default "first"
        Which of several optimal actions the player takes: the first or the last in the
        order of `legal_actions`, or what ``tie_break(state, optimal_actions)`` returns.
        A callable is asked only where there is more than one. Every optimal action is
        worth the same to the player to move; to the other players it need not be, so
        that with three players or more (or two whose interests are not opposed) the
        rule is part of the answer. See the notes at the head of this module.
    max_states : int, default 1_000_000
        The search ends with an error at the first state beyond this number, before the
        memory does. A state takes about 1 kB, and more when its fractions are long; the
        search also ends where such states would fill half of this machine's memory.
    progress : bool, default False
        Show how many states are found, and then how many of them are solved, for which
        `tqdm` is needed (the extra ``progress``).

    Returns
    -------
    Solution
        Values, all optimal actions, and the policy.

    Raises
    ------
    TypeError
        If an argument is of a wrong type, `game` is a class or lacks members, or an
        answer of the game is of a wrong type: returns that are not int or Fraction,
        weights that are not integers, states or actions that are not hashable.
    GameError
        If the game breaks a promise of the protocol: it has no player, a cycle, a
        player's index out of range, a decision state without actions or with the same
        one twice, negative weights or weights that sum to zero, or a number of returns
        that is not the number of players.
    TooManyStatesError
        If more than `max_states` states can be reached, or more than memory holds.
    ValueError
        If `tie_break` is another word, or returns an action that is not optimal, or
        `max_states` is not positive. (The two errors above are ValueErrors as well.)
    ModuleNotFoundError
        If `progress` is asked for and `tqdm` is not installed.

    References
    ----------
    R. Selten, "Spieltheoretische Behandlung eines Oligopolmodells mit
    Nachfrageträgheit", Zeitschrift für die gesamte Staatswissenschaft 121 (1965),
    301-324 and 667-689, for subgame-perfect play.

    Examples
    --------
    Take one or two of five matches; who takes the last one wins.

    >>> from cardgames_dp import exact
    >>> from cardgames_dp.game import TERMINAL
    >>> class Matches:
    ...     num_players = 2
    ...     def initial_state(self): return 5, 0                     # matches, mover
    ...     def current_player(self, state): return state[1] if state[0] else TERMINAL
    ...     def legal_actions(self, state): return [1, 2][:state[0]]
    ...     def next_state(self, state, taken): return state[0] - taken, 1 - state[1]
    ...     def chance_outcomes(self, state): return []              # never asked
    ...     def returns(self, state): return [-1, 1] if state[1] == 0 else [1, -1]
    >>> solution = exact.solve(Matches())
    >>> solution
    Solution(value=(1, -1), num_states=10, ties=2, tie_break='first')
    >>> solution.policy[5, 0]
    2
    """
    rule = TieRule(tie_break)
    limit = _checks.integer("max_states", max_states, minimum=1)
    progress = _checks.boolean("progress", progress)
    found = explore(game, limit, progress=progress)

    values: list[Value] = []
    optimal_actions: dict[State, tuple[Action, ...]] = {}
    policy: dict[State, Action] = {}
    everywhere = range(found.num_states)
    for i in tracked(everywhere, len(everywhere), "states", shown=progress):
        player = found.players[i]
        moves = slice(found.offsets[i], found.offsets[i + 1])
        following = [values[j] for j in found.following[moves]]
        if player == TERMINAL:
            value = found.returns[i]
        elif player == CHANCE:
            value = _mean(found.weights[moves], following)
        else:
            worth = [each[player] for each in following]
            best = max(worth)
            optimal = [k for k, w in enumerate(worth) if w == best]
            actions = tuple([found.actions[i][k] for k in optimal])
            chosen = 0 if len(actions) == 1 else rule(found.states[i], actions)
            value = following[optimal[chosen]]
            optimal_actions[found.states[i]] = actions
            policy[found.states[i]] = actions[chosen]
        values.append(value)
    shown = [tuple([printable(x) for x in value]) for value in values]
    return Solution(
        initial_state=found.states[-1],
        tie_break=rule.name,
        values=dict(zip(reversed(found.states), reversed(shown), strict=True)),
        optimal_actions=dict(reversed(optimal_actions.items())),
        policy=dict(reversed(policy.items())),
    )


def _mean(weights: list[int], values: list[Value]) -> Value:
    total = sum(weights)
    means = []
    for column in zip(*values, strict=True):
        # One gcd a mean, not one an addition: gcds are what long fractions cost.
        denominator = math.lcm(*[x.denominator for x in column])
        numerator = sum(
            [
                weight * x.numerator * (denominator // x.denominator)
                for weight, x in zip(weights, column, strict=True)
            ]
        )
        means.append(Fraction(numerator, denominator * total))
    return tuple(means)
