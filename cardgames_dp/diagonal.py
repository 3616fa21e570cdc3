"""The float64 backend: backward induction over any game, a diagonal at a time.

Model
-----
As for `cardgames_dp.exact`: a finite game of perfect information with any number of
players and chance, written as a `cardgames_dp.game.Game`. Play is subgame perfect, and
where several actions are optimal the *tie rule* chooses one.

Plays may come back to a state. In a strong component, the states that come back to each
other, one player may decide, or two whose interests are opposed; what the value then is
`cardgames_dp.exact` says.

Algorithm
---------
A *diagonal* is a set of states that do not depend on each other; here, all states to
which the longest play from the start has the same number of moves. States are found
once, as for the exact backend (`cardgames_dp.game.explore`), and laid out in arrays
diagonal by diagonal. A sweep goes through the diagonals from the end to the start.
Each takes a few NumPy operations: sums of probabilities times values, and maxima over
actions. Where plays come back to states, strong components take the place of states.
They are solved by strategy iteration, with sparse linear systems [3]_.

Error
-----
Every value v comes with a bound e of its error. With u = 2**-53, v' and e' the values
and bounds of the next states, and p their probabilities:

- terminal: e is the rounding error of the return (0 for an integer);
- a move that pays r leads to ``v' + r``, with the error e', that of r, and the exact
  rounding error of the sum, which one more sum finds [2]_. So sums of integers add
  nothing. Below, v' and e' include what moves pay;
- chance: a mean of m outcomes takes a product, ``m - 1`` additions and a division each.
  So e is at most ``sum(p (e' + (m + 1) u |v'|))``, by lemma 3.1 of [1]_, times
  ``1 + 2 (m + 8) u`` for the rounding of this sum itself, plus ``m 2**-1073 (1 + M)``
  for underflow, where M is the largest return, with all payments of the longest
  play. A single outcome adds nothing;
- decision: an action *may* be optimal if its ``v + e`` is at least the largest
  ``v - e`` of all actions. If only one may be optimal, it is, and its v and e are
  passed on. If several may be optimal and all of them have e = 0, they tie, and the tie
  rule chooses as in exact arithmetic. Otherwise it is open which are optimal: a
  *possible tie*. The tie rule chooses among all that may be optimal, and for each
  player e is the largest ``|v - v chosen| + e`` of these. The rule "uniform" takes the
  mean of all v in place of the v chosen, so e covers the means of any of them; if the
  tie is certain, e is the mean e, with the rounding of the mean. In a game of one
  player, v is the largest v instead, whichever action the tie rule takes, and e is the
  largest e;
- component: states among which a lone player can walk in circles for nothing are
  merged, as they share one value. Then the policy of each side, with all actions of the
  other side free, gives a bound; see ``cardgames_dp._loops.proof``. With the residual r
  of the values, the longest expected stay w in the component and the largest bound e of
  the states that follow it, the bound is ``r w + e``, and ties of actions are possible
  ties. Moves that pay and come back for a total of nothing have no bound, and are
  refused. If the tie rule's choice would let play go on for ever, the next tied action
  that leads to the end is taken (`Solution.turned_ties`).

So ``error``, the largest e, is a proved bound, not an estimate. In games of one player
it stays near the number of chance moves times u M. With more players a possible tie can
leave open the values of those who do not move. A large `error` shows this; then use
`cardgames_dp.exact`.

References
----------
.. [1] N. J. Higham, *Accuracy and Stability of Numerical Algorithms*, 2nd ed., SIAM,
   2002.
.. [2] T. J. Dekker, "A floating-point technique for extending the available precision",
   Numerische Mathematik 18 (1971), 224-242. (The sum is due to D. E. Knuth.)
.. [3] A. J. Hoffman and R. M. Karp, "On nonterminating stochastic games", Management
   Science 12 (1966), 359-370.
"""

from __future__ import annotations

from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._graph import solving
from cardgames_dp._graph.answers import CHANCE, TERMINAL
from cardgames_dp._graph.arrays import ExploredArrays
from cardgames_dp._graph.explored import Explored, explore
from cardgames_dp._graph.graph import Block, Floats, Graph, Integers, Ranks, by_rank
from cardgames_dp._graph.lookup import lookup_values
from cardgames_dp._graph.positions import solve_positions
from cardgames_dp._graph.solution import Solution
from cardgames_dp._graph.solving import Pick, SolvedValues, TieBreak
from cardgames_dp._graph.value_arrays import ValueArrays
from cardgames_dp._loops.components import Group
from cardgames_dp._loops.groups import GroupSolver
from cardgames_dp._results.records import Action, State
from cardgames_dp._support.calls import suggest_arguments
from cardgames_dp._support.running import refuse_too_large
from cardgames_dp.game import ArrayGame, Game

__all__ = ["solve"]
__dir__ = __all__.copy  # for completion


@overload
def solve(
    game: Game[State, Action] | Explored[State, Action],
    *,
    tie_break: TieBreak[State, Action] = "first",
    max_states: int | None = None,
) -> Solution[State, Action, float]: ...
@overload
def solve(
    game: ArrayGame | ExploredArrays,
    *,
    tie_break: TieBreak[Any, Any] = "first",
    max_states: int | None = None,
) -> Solution[Any, Any, float]: ...
@suggest_arguments
def solve(game: Any, *, tie_break: Any = "first", max_states: int | None = None) -> Any:
    """Solve a game in float64, diagonal by diagonal, with a proved bound of the error.

    Grade: certified, by `Solution.error`.

    Parameters
    ----------
    game : Game, ArrayGame, Explored or ExploredArrays
        Any object with the members of `cardgames_dp.game.Game` or `ArrayGame`, or the
        result of `cardgames_dp.game.explore` for one.
    tie_break : {"first", "last", "uniform"} or callable, default "first"
        Which of several optimal actions the player takes, as for
        `cardgames_dp.exact.solve`; also where rounding leaves open which are optimal.
    max_states : int, optional
        The search for states ends with an error at the first state beyond this number,
        as for `cardgames_dp.exact.solve`.

    Returns
    -------
    Solution
        The result in floats: values, the actions that may be optimal, and the policy,
        with `Solution.error` and `Solution.possible_ties`.

    Raises
    ------
    TypeError, GameError
        As for `cardgames_dp.exact.solve`; a GameError also if plays can go on for ever,
        if three players decide in a strong component, or two whose interests are not
        opposed, or if no useful bound is found.
    TooManyStatesError
        If more than `max_states` states can be reached, or more than memory holds.
    TooLargeError
        If the values of all states and players would not fit in memory.
    ValueError
        If `tie_break` is another str, or returns an action that is not among the
        optimal ones, `max_states` is not positive, or returns with all rewards may be
        larger than 2**1000 in absolute value; for a game of many positions also if it
        has loops, or the tie rule is "uniform". (The three errors above are
        also ValueErrors.)

    See Also
    --------
    cardgames_dp.exact.solve : The same in Fractions, with every tie certain.

    Examples
    --------
    >>> from cardgames_dp import diagonal, redblack
    >>> solution = diagonal.solve(redblack.game(26, 26))
    >>> solution.value, solution.error < 1e-12
    (2.624475548993..., True)

    With one red and two black cards left, stopping and drawing have the same value.
    Rounding leaves this open:

    >>> solution.possible_ties
    (State(red=1, black=2, decision=''),)
    >>> solution.optimal_actions[redblack.State(red=1, black=2)]
    ('stop', 'draw')

    Throw a coin until it shows heads three times in a row, or give up. Each state is
    the length of the run:

    >>> from cardgames_dp.game import CHANCE, TERMINAL
    >>> RUNS = (0, 1, 2)
    >>> class Run:
    ...     num_players = 1
    ...     def initial_state(self): return 0
    ...     def current_player(self, run): return CHANCE if run in RUNS else TERMINAL
    ...     def legal_actions(self, run): ...                         # never asked
    ...     def next_state(self, run, action): ...                    # never asked
    ...     def chance_outcomes(self, run): return [(5, run + 1), (4, 0), (1, "stop")]
    ...     def returns(self, run): return [1 if run == 3 else 0]
    >>> solution = diagonal.solve(Run())
    >>> solution.value, solution.error < 1e-14
    (0.416666666666..., True)
    """
    tie_break = solving.checked(tie_break)
    quick = None if max_states else lookup_values(game, "float64", tie_break)
    if quick is not None:
        return Solution(quick)
    explored = explore(game, max_states=max_states)
    if isinstance(explored, ExploredArrays) and explored.num_positions is not None:
        pick: Any = solving.pick(tie_break, explored)
        values, errors, optimal, chosen = solve_positions(explored.graph, pick)
        bounds, nothing = np.broadcast_to(errors, values.shape[1:]), np.empty(0, int)
        arrays = values, None, optimal, chosen, bounds, nothing, nothing
        return Solution(ValueArrays(explored, pick, *arrays))
    graph = explored.graph
    states, players = graph.num_states, graph.num_players
    refuse_too_large(
        f"a solution of {states} x {players} values (states, players)",
        states * (16 * players + 8) + len(graph.following) * 2,
        "solve a smaller game",
    )
    return solving.swept(explored, tie_break, FloatSweep)


_UNIT = 2.0**-53
_TINY = 2.0**-1073


class FloatSweep:
    """Values, error bounds and optimal actions of the states solved so far.

    Within a block, arrays have an axis of moves and one of states: the first moves of
    all states, then the second ones, and so on.

    Attributes
    ----------
    values, errors : ndarray of float64, shape (players, states)
        By place.
    optimal : ndarray of bool, shape (moves,)
        Which actions may be optimal.
    chosen : ndarray of int, shape (states,)
        By place: the index of the action that the tie rule chose.
    open, turned
        As for `Sweep`.
    """

    def __init__(self, graph: Graph, pick: Pick) -> None:
        self._graph, self._pick = graph, pick
        self._players = graph.num_players
        # Values and errors are gathered together, so they are rows of one array.
        self._table = np.zeros((2 * graph.num_players, graph.num_states))
        self.values, self.errors = np.split(self._table, 2)
        largest = graph.largest_return()
        self._tiny = _TINY * (1 + largest)
        self._summable = graph.weights_are_summable(largest)
        self._weights = graph.weights if self._summable else graph.chances()
        self._which = None if graph.rewards is None else graph.rewards.which
        if graph.rewards is not None:
            # By row: payments of all players, and bounds of their rounding errors.
            self._paid = np.concatenate(graph.rewards.floats(), axis=1).T
        most = max([block.most for block in graph.blocks])
        self.chosen = np.zeros(graph.num_states, dtype=np.min_scalar_type(most))
        self.optimal = np.zeros(len(graph.following), dtype=np.bool_)
        self.open, self.turned = list[int](), list[int]()
        self._groups: GroupSolver | None = None

    def found(self) -> SolvedValues:
        """Return what is found when all steps are taken."""
        errors = self.errors[0] if self._players == 1 else self.errors.max(axis=0)
        return SolvedValues(self.values, None, self.optimal, self.chosen, errors)

    def step(self, blocks: tuple[Block, ...]) -> None:
        """Solve the states of a block, or of all blocks of a group, all at once."""
        block = blocks[0]
        if block.group >= 0:
            self._solve(blocks)
            return
        if block.player == TERMINAL:
            values, errors = self._graph.payoffs(block.own)
            self.values[:, block.places] = values.T
            self.errors[:, block.places] = errors.T
            return
        following, which = self._graph.following[block.moves], None
        if self._which is not None:
            which = self._which[block.moves]
            which = which if which.any() else None
        if block.most == 1 and which is None:
            # As below, in half the time: chains of states have a block for each.
            self._table[:, block.places] = self._table.take(following, axis=1)
            self.optimal[block.moves] = block.player != CHANCE
            return
        ranks = None if block.even else Ranks.of(block, self._graph.offsets)
        after = self._table.take(by_rank(following, block, ranks), axis=1)
        if which is not None:
            self._pay(by_rank(which, block, ranks), after)
        if block.most == 1:
            self._table[:, block.places] = after[:, 0]
            self.optimal[block.moves] = block.player != CHANCE
        elif block.player == CHANCE:
            self._average(block, ranks, after)
        else:
            self._decide(block, ranks, after)

    def _solve(self, blocks: tuple[Block, ...]) -> None:
        """Solve the components of a group."""
        if self._groups is None:
            self._groups = GroupSolver(self._graph, self._table, self._pick)
        group = Group.of(self._graph, blocks)
        optimal, chosen, several, turned = self._groups.solve(group)
        self.optimal[group.moves] = optimal
        self.chosen[group.places] = chosen
        self.open += [group.place(state) for state in several]
        self.turned += [group.place(state) for state in turned]

    def _pay(self, which: Integers, after: Floats) -> None:
        """Add what moves pay to values, and the rounding errors to their bounds."""
        values, errors = np.split(after, 2)
        paid, doubt = self._paid.take(which, axis=1).reshape(2, *values.shape)
        total = values + paid
        # The exact rounding error of each sum.
        back = total - values
        rounded = np.abs((values - (total - back)) + (paid - back))
        rounded += doubt
        errors += rounded
        errors *= 1 + 4 * _UNIT * (rounded > 0)
        values[:] = total

    def _average(self, block: Block, ranks: Ranks | None, after: Floats) -> None:
        weights = by_rank(self._weights[block.own], block, ranks).astype(np.float64)
        counts: int | Integers = block.most
        if ranks is not None:
            weights *= ranks.real
            counts = ranks.counts
        after *= weights
        values = after.sum(axis=1)
        sizes = np.abs(after[: self._players]).sum(axis=1)
        if self._summable:
            total = weights.sum(axis=0)
            values /= total
            sizes /= total
        errors = values[self._players :]
        errors += sizes * ((counts + 1) * _UNIT)
        errors *= 1 + (counts + 8) * (2 * _UNIT)
        errors += counts * self._tiny
        self._table[:, block.places] = values

    def _decide(self, block: Block, ranks: Ranks | None, after: Floats) -> None:
        values, errors = after[block.player], after[self._players + block.player]
        unsure = errors > 0
        lower = upper = values
        if unsure.any():
            # Enough to cover the rounding of the two bounds themselves.
            margin = errors * (1 + 4 * _UNIT) + np.abs(values) * (unsure * (2 * _UNIT))
            lower, upper = values - margin, values + margin
        optimal = upper >= lower.max(axis=0)
        if ranks is not None:
            optimal &= ranks.real
        chosen = self._chosen(block, optimal)
        size = len(chosen)
        taken = chosen * size + np.arange(size)
        flat = after.reshape(len(after), -1)
        self._table[:, block.places] = flat.take(taken, axis=1)
        self.chosen[block.places] = chosen
        here = self.optimal[block.moves]
        if ranks is None:
            here.reshape(size, block.most).T[:] = optimal
        else:
            here[ranks.moves[ranks.real]] = optimal[ranks.real]
        if np.count_nonzero(optimal) > size:
            if self._pick == "uniform":
                self._mix(block, after, optimal)
            self._tie(block, after, optimal, unsure)

    def _chosen(self, block: Block, optimal: NDArray[np.bool_]) -> Integers:
        """Return the ranks of the actions taken among those that may be optimal."""
        if self._pick == "last":
            last: Integers = len(optimal) - 1 - optimal[::-1].argmax(axis=0)
            return last
        if len(optimal) == 2 and not callable(self._pick):
            other: Integers = (~optimal[0]).astype(np.int64)  # eight times faster
            return other
        chosen: Integers = optimal.argmax(axis=0)
        if callable(self._pick):
            for i in np.flatnonzero(np.count_nonzero(optimal, axis=0) > 1).tolist():
                among = np.flatnonzero(optimal[:, i]).tolist()
                chosen[i] = self._pick(block.places.start + i, among)
        return chosen

    def _mix(self, block: Block, after: Floats, optimal: NDArray[np.bool_]) -> None:
        """Set values to means over all actions that may be optimal, where several may.

        Of m equal values the mean is their value. The error of any other mean is that
        of ``m - 1`` additions and a division, and the mean of the errors.
        """
        counts = np.count_nonzero(optimal, axis=0)
        some = np.flatnonzero(counts > 1)
        counts, among = counts[some], optimal[:, some]
        each = after[:, :, some] * among
        means = each.sum(axis=1) / counts
        values = after[: self._players, :, some]
        low = np.where(among, values, np.inf).min(axis=1)
        high = np.where(among, values, -np.inf).max(axis=1)
        sizes = np.abs(each[: self._players]).sum(axis=1) / counts
        rounding = sizes * ((counts + 1) * _UNIT) * (1 + (counts + 8) * (2 * _UNIT))
        means[: self._players] = np.where(low == high, low, means[: self._players])
        means[self._players :] *= 1 + (counts + 8) * (2 * _UNIT)
        means[self._players :] += np.where(low == high, 0.0, rounding + self._tiny)
        self._table[:, some + block.places.start] = means

    def _tie(
        self,
        block: Block,
        after: Floats,
        optimal: NDArray[np.bool_],
        unsure: NDArray[np.bool_],
    ) -> None:
        """Enlarge errors to cover whichever of several actions is optimal."""
        several = np.count_nonzero(optimal, axis=0) > 1
        doubtful = np.flatnonzero(several & (optimal & unsure).any(axis=0))
        if not doubtful.size:
            return
        places = doubtful + block.places.start
        values, errors = np.split(after[:, :, doubtful], 2)
        away = np.abs(values - self.values[:, np.newaxis, places]) + errors
        among = optimal[:, doubtful]
        away *= among * (1 + 4 * _UNIT)
        self.errors[:, places] = away.max(axis=1)
        if self._players == 1:
            # A lone player gets the largest, whichever it is: were it that of the
            # action which the tie rule takes, doubts would grow from level to level.
            self.values[0, places] = np.where(among, values[0], -np.inf).max(axis=0)
            self.errors[0, places] = (errors[0] * among).max(axis=0)
        self.open += places.tolist()
