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
States are found once and laid out diagonal by diagonal (`cardgames_dp.explored`), and
solved from the last diagonal to the first. The value of a state is one integer a player
over a common denominator. Means are summed as integers, and reduced by one greatest
common divisor a state; actions are compared by integers, without division. Time is
linear in states and moves (and grows with the digits of the fractions), memory in
states and moves.

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
from operator import mul
from typing import Generic, TypeAlias

import numpy as np

from cardgames_dp import _checks
from cardgames_dp._extras import tracked
from cardgames_dp._graph import Block, narrowed
from cardgames_dp._solution import Solution
from cardgames_dp._ties import TieBreak, TieRule
from cardgames_dp._views import ExactValues, OptimalActions, Policy
from cardgames_dp.explored import Explored, explore
from cardgames_dp.game import CHANCE, TERMINAL, Action, Game, State, TooManyStatesError

__all__ = ["Solution", "TieBreak", "TooManyStatesError", "Value", "solve"]

Value: TypeAlias = tuple[Fraction, ...]


def __dir__() -> list[str]:
    return __all__


def solve(
    game: Game[State, Action] | Explored[State, Action],
    *,
    tie_break: TieBreak[State, Action] = "first",
    max_states: int = 1_000_000,
    progress: bool = False,
) -> Solution[State, Action, Fraction]:
    """Solve a game exactly by backward induction over its reachable states.

    Grade: exact.

    Parameters
    ----------
    game : Game or Explored
        Any object with the members of `cardgames_dp.game.Game`, or what
        `cardgames_dp.explored.explore` made of one.
    tie_break : {"first", "last"} or callable, default "first"
        Which of several optimal actions the player takes: the first or the last in the
        order of `legal_actions`, or what ``tie_break(state, optimal_actions)`` returns.
        A callable is asked only where there is more than one. Every optimal action is
        worth the same to the player to move; to the other players it need not be, so
        that with three players or more (or two whose interests are not opposed) the
        rule is part of the answer. See the notes at the head of this module.
    max_states : int, default 1_000_000
        The search ends with an error at the first state beyond this number, before the
        memory does. A state takes about half a kilobyte, and more when its fractions
        are long; the search also ends where such states would fill half of this
        machine's memory.
    progress : bool, default False
        Show how many states are found, and then how many diagonals are solved, for
        which `tqdm` is needed (the extra ``progress``).

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
    progress = _checks.boolean("progress", progress)
    explored = explore(game, max_states=max_states, progress=progress)
    sweep = _Sweep(explored, rule)
    blocks = explored.graph.blocks[::-1]
    for block in tracked(blocks, len(blocks), "diagonals", shown=progress):
        sweep.step(block)
    return Solution(
        initial_state=explored.states[0],
        tie_break=rule.name,
        values=ExactValues(explored, sweep.tops, sweep.bottoms),
        optimal_actions=OptimalActions(
            explored, np.frombuffer(sweep.optimal, dtype=np.bool_)
        ),
        policy=Policy(explored, narrowed(np.array(sweep.chosen))),
    )


class _Sweep(Generic[State, Action]):
    """What is known of the states, as far as the sweep has come.

    Attributes
    ----------
    tops, bottoms : list of list of int, list of int
        By place, the value of each player is ``tops[player]`` over ``bottoms``.
    optimal : bytearray
        Of each move, whether it is an optimal action.
    chosen : list of int
        By place: which action the tie rule chose, or 0.
    """

    def __init__(
        self, explored: Explored[State, Action], rule: TieRule[State, Action]
    ) -> None:
        self._explored, self._rule = explored, rule
        graph = explored.graph
        self.tops = [[0] * graph.num_states for _ in range(graph.num_players)]
        self.bottoms = [1] * graph.num_states
        self.optimal = bytearray(len(graph.following))
        self.chosen = [0] * graph.num_states

    def step(self, block: Block) -> None:
        """Solve the states of a block."""
        if block.player == TERMINAL:
            self._end(block)
        elif block.player == CHANCE:
            self._average(block)
        else:
            self._decide(block)

    def _end(self, block: Block) -> None:
        graph = self._explored.graph
        tops = graph.numerators[block.own].tolist()
        bottoms = graph.denominators[block.own].tolist()
        places = range(block.places.start, block.places.stop)
        for place, numerators, denominators in zip(places, tops, bottoms, strict=True):
            bottom = math.lcm(*denominators)
            self.bottoms[place] = bottom
            for column, n, d in zip(self.tops, numerators, denominators, strict=True):
                column[place] = n * (bottom // d)

    def _average(self, block: Block) -> None:
        graph, known = self._explored.graph, self.bottoms
        following = graph.following[block.moves].tolist()
        weights = graph.weights[block.own].tolist()
        ends = graph.offsets[block.places.start + 1 : block.places.stop + 1]
        first = 0
        for place, last in enumerate(
            (ends - block.moves.start).tolist(), block.places.start
        ):
            after, factors = following[first:last], weights[first:last]
            bottoms = [known[i] for i in after]
            total, bottom = sum(factors), bottoms[0]
            if bottoms.count(bottom) < len(bottoms):
                bottom = math.lcm(*bottoms)
                factors = [
                    w * (bottom // d) for w, d in zip(factors, bottoms, strict=True)
                ]
            bottom *= total
            tops = [
                sum(map(mul, factors, [column[i] for i in after]))
                for column in self.tops
            ]
            common = math.gcd(bottom, *tops)
            known[place] = bottom // common
            for column, top in zip(self.tops, tops, strict=True):
                column[place] = top // common
            first = last

    def _decide(self, block: Block) -> None:
        graph, worth, known = (
            self._explored.graph,
            self.tops[block.player],
            self.bottoms,
        )
        following = graph.following[block.moves].tolist()
        ends = graph.offsets[block.places.start + 1 : block.places.stop + 1]
        first = 0
        for place, last in enumerate(
            (ends - block.moves.start).tolist(), block.places.start
        ):
            best = [first]
            top, bottom = worth[following[first]], known[following[first]]
            for move in range(first + 1, last):
                n, d = worth[following[move]], known[following[move]]
                more = n - top if d == bottom else n * bottom - top * d
                if more > 0:
                    best, top, bottom = [move], n, d
                elif not more:
                    best.append(move)
            chosen = best[0] if len(best) == 1 else self._choose(place, first, best)
            self.chosen[place] = chosen - first
            for move in best:
                self.optimal[move + block.moves.start] = True
            target = following[chosen]
            known[place] = known[target]
            for column in self.tops:
                column[place] = column[target]
            first = last

    def _choose(self, place: int, first: int, best: list[int]) -> int:
        """Return which of several optimal moves the tie rule takes."""
        state, actions = (
            self._explored.states[place],
            self._explored.actions_at(place),
        )
        return best[self._rule(state, tuple([actions[k - first] for k in best]))]
