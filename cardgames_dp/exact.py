"""The exact-rational backend: backward induction over any game, in Fractions.

Model
-----
A finite game of perfect information with any number of players and chance, written as a
`cardgames_dp.game.Game`. The value of a state is a vector with one rational number for
each player:

- terminal: its returns;
- chance: the mean of the outcomes' values;
- decision: the value of the chosen action, one that is best for the player to move.

The value of an action or outcome is its payment, if there is one, plus the value of the
next state: the value of a state counts later payments only.

So play is *subgame perfect* [1]_. With one player, or with two whose returns always
have the same sum, the values are unique. Otherwise they need not be: several actions
may be equally good for the player to move and still differ for the others, and the
value is that of the action that the *tie rule* chooses. Values and optimal actions
therefore depend on the tie rule. As values are exact, rounding never makes or hides a
tie.

In a game with loops, values are the best over the policies that depend on the state
only. In a *strong component*, states that can all be reached from each other, one
player may decide, or two with opposed interests: the sum of their later payments must
not depend on play. The member ``endless_returns`` of a game may say what a game without
end pays, on top of earlier payments. Otherwise:

- A solo player may loop for free, but must finish eventually.
- If no move pays, endless play pays something between the least and the largest return:
  the least to the one of two players who alone can end the game from everywhere in the
  component. If both or neither can, the value must not depend on it, or the game is
  refused.
- If moves pay, each of two players needs a policy that secures the value whatever the
  other does, because play then ends or costs the other ever more; or the game is
  refused.

The policy takes the tie rule's action, or the next optimal one where play might
otherwise never end, and this would be worse.

Algorithm
---------
States are found once (`cardgames_dp.game.explore`), laid out diagonal by diagonal, and
solved from the last diagonal to the first. The value of a state is one integer for each
player over a common denominator. Means are summed as integers, and reduced by one
greatest common divisor for each state; actions are compared without division. Time and
memory are linear in states and moves; the time also grows with the digits of the
fractions. Without chance, where diagonals are wide, integers below 2**53 are compared
in float64, which holds them exactly: in a tenth of the time.

A component is solved by policy iteration [2]_, starting from the policies that are best
in float64. The linear systems of policies are solved in integers, eliminating the state
with the fewest neighbours first; in large components without an order of play, digits
are lifted from a float solution, and the result is checked in integers
(``cardgames_dp._loops.lifting``). One player's decisions are improved to the end before
the other's are improved once. Where endless play pays a number, two backward searches
prove that no player can hold play where it is worth more
(``cardgames_dp._loops.endless``).

References
----------
.. [1] R. Selten, "Spieltheoretische Behandlung eines Oligopolmodells mit
   Nachfrageträgheit", Zeitschrift für die gesamte Staatswissenschaft 121 (1965),
   301-324 and 667-689.
.. [2] A. J. Hoffman and R. M. Karp, "On nonterminating stochastic games", Management
   Science 12 (1966), 359-370.

Examples
--------
Your own game takes a dozen lines. Roll a die up to three times; the last roll pays:

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
Fraction(14, 3)
>>> [solution.policy[2, die, "choose"] for die in range(1, 7)]
['roll', 'roll', 'roll', 'roll', 'keep', 'keep']
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence
from fractions import Fraction
from operator import mul
from typing import Any, overload

import numpy as np

from cardgames_dp._graph import solving
from cardgames_dp._graph.answers import CHANCE, TERMINAL
from cardgames_dp._graph.arrays import ExploredArrays
from cardgames_dp._graph.explored import Explored, explore
from cardgames_dp._graph.float_sweep import FloatSweep
from cardgames_dp._graph.graph import Block, Floats, Graph, Integers, Rewards, narrowed
from cardgames_dp._graph.lookup import lookup_values
from cardgames_dp._graph.solution import Solution
from cardgames_dp._graph.solving import Pick, SolvedValues, TieBreak
from cardgames_dp._loops.components import Group, RefusedError
from cardgames_dp._loops.elimination import PolicyIteration, constants_of
from cardgames_dp._loops.endless import Endless
from cardgames_dp._loops.groups import GroupSolver
from cardgames_dp._loops.interests import Interests
from cardgames_dp._results.records import Action, State
from cardgames_dp._support.calls import suggest_arguments
from cardgames_dp.game import ArrayGame, Game

__all__ = ["solve"]
__dir__ = __all__.copy  # for completion


@overload
def solve(
    game: Game[State, Action] | Explored[State, Action],
    *,
    tie_break: TieBreak[State, Action] = "first",
    max_states: int | None = None,
) -> Solution[State, Action, Fraction]: ...
@overload
def solve(
    game: ArrayGame | ExploredArrays,
    *,
    tie_break: TieBreak[Any, Any] = "first",
    max_states: int | None = None,
) -> Solution[Any, Any, Fraction]: ...
@suggest_arguments
def solve(game: Any, *, tie_break: Any = "first", max_states: int | None = None) -> Any:
    """Solve a game exactly by backward induction over its reachable states.

    Grade: exact.

    Parameters
    ----------
    game : Game, ArrayGame, Explored or ExploredArrays
        Any object with the members of `cardgames_dp.game.Game` or `ArrayGame`, or the
        result of `cardgames_dp.game.explore` for one.
    tie_break : {"first", "last", "uniform"} or callable, default "first"
        Which of several optimal actions the player takes: the first or the last in the
        order of `legal_actions`, all of them with equal chances ("uniform": values
        are means, and `policy` gives mixtures), or the one that
        ``tie_break(state, optimal_actions)`` returns; a callable is called only in
        ties. All optimal actions have the same value for the player to move, but not
        always for the others. So with three or more players (or two without a constant
        sum) values depend on the rule; see `cardgames_dp.exact`.
    max_states : int, optional
        The search for states ends with an error at the first state beyond this number:
        five million if not given; a billion for an array game. A state takes
        about a third of a kilobyte, and more if its fractions are long; the search also
        ends when states would fill half of this machine's memory.

    Returns
    -------
    Solution
        Values, all optimal actions, and the policy.

    Raises
    ------
    TypeError
        If returns, rewards or weights are floats, or states are not hashable.
    GameError
        If the game breaks a rule of the protocol. Also if three players decide in
        states that form a loop, or two whose interests are not opposed; or if the value
        depends on what endless play pays, and the game has no ``endless_returns``.
    TooManyStatesError
        If more than `max_states` states can be reached, or more than memory holds.

    References
    ----------
    R. Selten, "Spieltheoretische Behandlung eines Oligopolmodells mit
    Nachfrageträgheit", Zeitschrift für die gesamte Staatswissenschaft 121 (1965),
    301-324 and 667-689, for subgame-perfect play.

    Examples
    --------
    Two players in turn take one or two of five matches; the player who takes the last
    one wins.

    >>> from cardgames_dp import exact
    >>> from cardgames_dp.game import TERMINAL
    >>> class Matches:
    ...     num_players = 2
    ...     def initial_state(self): return 5, 0                     # matches, mover
    ...     def current_player(self, state): return state[1] if state[0] else TERMINAL
    ...     def legal_actions(self, state): return [1, 2][:state[0]]
    ...     def next_state(self, state, taken): return state[0] - taken, 1 - state[1]
    ...     def returns(self, state): return [-1, 1] if state[1] == 0 else [1, -1]
    >>> solution = exact.solve(Matches())
    >>> solution
    Solution(payoffs=(1, -1), num_states=10, ties=2, tie_break='first')
    >>> solution.policy[5, 0]
    2
    """
    tie_break = solving.check_tie_break(tie_break)
    quick = lookup_values(game, "exact", tie_break) if max_states is None else None
    if quick is not None:
        return Solution(quick)
    explored = explore(game, max_states=max_states)
    graph = explored.graph
    explored.refuse_variants("game")
    graph.refuse_floats()
    suits = IntegerSweep.suits(graph, tie_break)
    return solving.solve_by_sweep(
        explored, tie_break, IntegerSweep if suits else ExactSweep
    )


_WIDE = 100
"""With fewer moves to a block than this, floats take more time than integers."""


class IntegerSweep(FloatSweep):
    """The values and decisions of a game whose values float64 holds without error.

    They are integers, as all returns and rewards are and chance has no choice.
    """

    @staticmethod
    def suits(graph: Graph, pick: Pick) -> bool:
        """Return whether a game is of this kind, and wide enough to gain by it."""
        paid = [each for each in (graph, graph.rewards) if each is not None]
        alone = graph.num_players == 1
        return bool(
            graph.components is None
            and len(graph.following) >= _WIDE * len(graph.blocks)
            and len(graph.weights) == np.count_nonzero(graph.players == CHANCE)
            and all(each.numerators.dtype.kind == "i" for each in paid)
            and all((each.denominators == 1).all() for each in paid)
            and graph.largest_return() < 2.0**53
            # Means are integers where what is best for one is alike for the other.
            and (pick != "uniform" or alone or Interests(graph).constant is not None)
        )

    def result(self) -> SolvedValues:
        """Return values and decisions, once all steps are taken."""
        tops = self.values.astype(np.int64).astype(object)
        bottoms = np.ones(self.values.shape[1], dtype=object)
        chosen = narrowed(self.chosen)
        return SolvedValues(tops, bottoms, self.optimal, chosen, errors=None)


class ExactSweep:
    """The values and decisions of the states solved so far.

    Attributes
    ----------
    bottoms : list of int
        By place, the value of each player is ``tops()[player]`` over ``bottoms``.
    optimal : bytearray
        By move: whether it is an optimal action.
    chosen : array of int
        By place: the index of the action that the tie rule chose, or 0.
    open, turned
        As for `Sweep`; nothing is ever open.
    """

    def __init__(self, graph: Graph, pick: Pick) -> None:
        self._graph, self._pick = graph, pick
        # With two players and a constant sum, the first player's column is enough.
        self._interests = Interests(graph)
        total = self._interests.constant
        self._sum = None
        if total is not None and total.denominator == 1:
            self._sum = total.numerator
        columns = graph.num_players if self._sum is None else 1
        self._columns = [[0] * graph.num_states for _ in range(columns)]
        self.bottoms = [1] * graph.num_states
        self.optimal = bytearray(len(graph.following))
        self.chosen = array("i", bytes(4 * graph.num_states))
        self._floats: tuple[GroupSolver, Floats] | None = None
        self.open, self.turned = list[int](), list[int]()
        self._paid = (
            [] if graph.rewards is None else _with_common_denominators(graph.rewards)
        )

    def tops(self) -> list[list[int]]:
        """Return the numerators of all players' values, by place."""
        if self._sum is None:
            return self._columns
        both = zip(self._columns[0], self.bottoms, strict=True)
        return [self._columns[0], [self._sum * bottom - top for top, bottom in both]]

    def result(self) -> SolvedValues:
        """Return values and decisions, once all steps are taken."""
        tops, bottoms = (np.array(x, dtype=object) for x in (self.tops(), self.bottoms))
        optimal = np.frombuffer(self.optimal, dtype=np.bool_)
        chosen = narrowed(np.asarray(self.chosen))
        return SolvedValues(tops, bottoms, optimal, chosen, errors=None)

    def step(self, blocks: tuple[Block, ...]) -> None:
        """Solve the states of a block, or of all blocks of a group."""
        block = blocks[0]
        if block.group >= 0:
            self._solve_group(blocks)
        elif block.player == TERMINAL:
            self._set_returns(block)
        elif block.player == CHANCE:
            self._average(block)
        else:
            self._decide(block)

    def _set_returns(self, block: Block) -> None:
        graph = self._graph
        tops = graph.numerators[block.rows].tolist()
        bottoms = graph.denominators[block.rows].tolist()
        places = range(block.places.start, block.places.stop)
        for place, numerators, denominators in zip(places, tops, bottoms, strict=True):
            bottom = math.lcm(*denominators)
            self.bottoms[place] = bottom
            # With a constant sum there is no column for the second player.
            for column, n, d in zip(self._columns, numerators, denominators):  # noqa: B905
                column[place] = n * (bottom // d)

    def _values_after(
        self, block: Block
    ) -> tuple[list[int], list[int], list[list[int]]]:
        """Return where moves lead, and denominators and numerators of values there.

        If moves of the block pay, these are the values of the moves, in their order.
        """
        graph = self._graph
        following = graph.following[block.moves].tolist()
        if graph.rewards is None:
            return following, self.bottoms, self._columns
        rows = graph.rewards.rows[block.moves]
        if not rows.any():
            return following, self.bottoms, self._columns
        bottoms = [self.bottoms[i] for i in following]
        columns = [[column[i] for i in following] for column in self._columns]
        for move in np.flatnonzero(rows).tolist():
            paid, unit = self._paid[rows[move]]
            bottom = bottoms[move]
            if bottom % unit:
                bottoms[move] = math.lcm(bottom, unit)
            more, scale = bottoms[move] // unit, bottoms[move] // bottom
            # With a constant sum there is no column for the second player.
            for column, reward in zip(columns, paid):  # noqa: B905
                column[move] = column[move] * scale + reward * more
            if unit > 1:
                common = math.gcd(bottoms[move], *[column[move] for column in columns])
                bottoms[move] //= common
                for column in columns:
                    column[move] //= common
        return list(range(len(following))), bottoms, columns

    def _average(self, block: Block) -> None:
        graph = self._graph
        weights = graph.weights[block.rows].tolist()
        ends = graph.offsets[block.places.start + 1 : block.places.stop + 1]
        places = range(block.places.start, block.places.stop)
        lasts = (ends - block.moves.start).tolist()
        self._set_means(places, lasts, weights, *self._values_after(block))

    def _set_means(
        self,
        places: Sequence[int],
        lasts: list[int],
        weights: list[int],
        following: list[int],
        denominators: list[int],
        columns: list[list[int]],
    ) -> None:
        """Set values to weighted means of others; each takes moves up to its last."""
        here, own, first = self.bottoms, self._columns, 0
        for place, last in zip(places, lasts, strict=True):
            after, factors = following[first:last], weights[first:last]
            bottoms = [denominators[i] for i in after]
            total, bottom = sum(factors), bottoms[0]
            if bottoms.count(bottom) < len(bottoms):
                bottom = _common_multiple(bottoms)
                factors = [
                    w * (bottom // d) for w, d in zip(factors, bottoms, strict=True)
                ]
            bottom *= total
            tops = [
                sum(map(mul, factors, [column[i] for i in after])) for column in columns
            ]
            common = math.gcd(bottom, *tops)
            here[place] = bottom // common
            for column, top in zip(own, tops, strict=True):
                column[place] = top // common
            first = last

    def _decide(self, block: Block) -> None:
        graph, here = self._graph, self.bottoms
        optimal, taken = self.optimal, self.chosen
        following, bottoms, columns = self._values_after(block)
        tied, tied_places, lasts = list[int](), list[int](), list[int]()
        pairs = list(zip(self._columns, columns, strict=True))
        worth, rising = columns[0], False
        if self._sum is None or block.player == 0:
            worth, rising = columns[block.player], True
        ends = graph.offsets[block.places.start + 1 : block.places.stop + 1]
        start, first = block.moves.start, 0
        for place, last in enumerate((ends - start).tolist(), block.places.start):
            after = following[first:last]
            best, top, bottom = [0], worth[after[0]], bottoms[after[0]]
            for k in range(1, len(after)):
                n, d = worth[after[k]], bottoms[after[k]]
                more = n - top if d == bottom else n * bottom - top * d
                if not more:
                    best.append(k)
                elif (more > 0) is rising:
                    best, top, bottom = [k], n, d
            chosen = best[0]
            if len(best) > 1:
                if callable(self._pick):
                    chosen = self._pick(place, best)
                elif self._pick == "last":
                    chosen = best[-1]
                elif self._pick == "uniform":
                    tied_places.append(place)
                    tied += [after[k] for k in best]
                    lasts.append(len(tied))
            taken[place] = chosen
            for k in best:
                optimal[start + first + k] = True
            target = after[chosen]
            here[place] = bottoms[target]
            for column, values in pairs:
                column[place] = values[target]
            first = last
        if tied:
            self._set_means(tied_places, lasts, [1] * len(tied), tied, bottoms, columns)

    def _solve_group(self, blocks: tuple[Block, ...]) -> None:
        """Solve the components of a group."""
        graph, group = self._graph, Group.of(self._graph, blocks)
        wants = [(player, 1) for player in range(graph.num_players)]
        if self._sum is not None:
            wants = [(0, 1), (0, -1)]
        limits = Endless.of(self._interests, group, *group.sides())
        for pair, states in group.pairs(*group.sides()):
            self._interests.sums(states + group.places.start, pair)
        outside = constants_of(group, self._columns, self.bottoms, self._paid)
        guess = self._guess(group)
        columns = len(self._columns)
        policies = PolicyIteration(group, outside, wants, columns, guess, limits)
        values, optimal, policy, turned = policies.solve(self._pick)
        for place, (tops, bottom) in enumerate(values, group.places.start):
            self.bottoms[place] = bottom
            for column, top in zip(self._columns, tops, strict=True):
                column[place] = top
        self.turned += [group.place(state) for state in turned]
        starts, deciding = group.offsets[:-1], group.players >= 0
        alone = ~deciding & (graph.players[group.places] >= 0)
        optimal[starts[alone]] = True
        for move in np.flatnonzero(optimal).tolist():
            self.optimal[group.moves.start + move] = True
        ranks = (policy - starts).tolist()
        for state in np.flatnonzero(deciding).tolist():
            self.chosen[group.place(state)] = ranks[state]

    def _guess(self, group: Group) -> Integers:
        """Return the moves that are best in floats; the first ones if these fail."""
        try:
            if self._floats is None:
                table = np.zeros((2 * self._graph.num_players, self._graph.num_states))
                self._floats = GroupSolver(self._graph, table, "first"), table
            solver, table = self._floats
            for place in np.unique(group.following[group.inside < 0]).tolist():
                bottom = self.bottoms[place]
                values = [column[place] / bottom for column in self._columns]
                if self._sum is not None:
                    values.append(self._sum - values[0])
                table[: len(values), place] = values
            with np.errstate(all="ignore"):
                return solver.guess(group)
        except (RefusedError, RuntimeError, ValueError, OverflowError):
            return group.offsets[:-1]


def _with_common_denominators(rewards: Rewards) -> list[tuple[list[int], int]]:
    """Return each payment as one integer for each player, over a common denominator."""
    units = []
    both = zip(rewards.numerators.tolist(), rewards.denominators.tolist(), strict=True)
    for tops, bottoms in both:
        common = math.lcm(*bottoms)
        pairs = zip(tops, bottoms, strict=True)
        units.append(([top * (common // bottom) for top, bottom in pairs], common))
    return units


def _common_multiple(bottoms: list[int]) -> int:
    """Return the least common multiple, which is often the largest of them."""
    largest = max(bottoms)
    for bottom in bottoms:
        if largest % bottom:  # a remainder takes a small part of the time of a gcd
            return math.lcm(*bottoms)
    return largest
