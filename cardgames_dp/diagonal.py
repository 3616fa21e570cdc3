"""The float64 backend: backward induction over any game, a diagonal at a time.

Model
-----
As for `cardgames_dp.exact`: a finite, acyclic game of perfect information with any
number of players and chance, written as a `cardgames_dp.game.Game`. Play is subgame
perfect, and where several actions are optimal the *tie rule* chooses one.

Algorithm
---------
A *diagonal* is a set of states that do not depend on each other; here, all states to
which the longest play from the start takes equally many moves. States are found once,
as for the exact backend, and laid into arrays diagonal by diagonal
(`cardgames_dp.explored`). A sweep goes through the diagonals from the end to the start,
and each takes some NumPy operations: sums of chances times values, maxima of what
actions are worth.

Error
-----
With every value goes a bound e of its distance from the exact one, so with u = 2**-53:

- terminal: the distance of the return from the nearest float64 (0 for an integer);
- chance: a mean of m outcomes takes a product, ``m - 1`` additions and a division each,
  hence e is at most ``sum(p (e' + (m + 1) u |v'|))`` over what follows, by lemma 3.1 of
  [1]_, times ``1 + 2 (m + 8) u`` for the rounding of this sum itself, plus ``m 2**-1073
  (1 + M)`` for underflow, with M the largest return. A single outcome costs nothing;
- decision: an action *may* be optimal if ``v + e`` is at least the largest ``v - e`` of
  all. If only one may be, it is, and its bounds are handed on. If several may be and
  all of them have e = 0, they tie, and the tie rule chooses as it would exactly. Else
  it is open which are optimal: a *possible tie*. The tie rule chooses among all that
  may be, and e is the largest ``|v - v chosen| + e`` of these, for each player.

So ``error``, the largest e, is proved; nothing in it is estimated. It stays near the
number of chance moves times u M in games of one player, and of two with opposed
interests. With others a possible tie may leave open what those get who do not move, and
then `error` says so by its size: take `cardgames_dp.exact`.

References
----------
.. [1] N. J. Higham, *Accuracy and Stability of Numerical Algorithms*, 2nd ed., SIAM,
   2002.
"""

from __future__ import annotations

from typing import Generic, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import _checks
from cardgames_dp._answers import CHANCE, TERMINAL
from cardgames_dp._extras import tracked
from cardgames_dp._graph import Block, Exact, Floats, Graph, Integers
from cardgames_dp._memory import refuse_too_large
from cardgames_dp._solution import Solution
from cardgames_dp._ties import TieBreak, TieRule
from cardgames_dp._views import FloatValues, OptimalActions, Policy
from cardgames_dp.explored import Explored, explore
from cardgames_dp.game import Action, Game, State, TooManyStatesError

__all__ = ["Solution", "TieBreak", "TooManyStatesError", "solve"]

_UNIT = 2.0**-53
_TINY = 2.0**-1073


def __dir__() -> list[str]:
    return __all__


def solve(
    game: Game[State, Action] | Explored[State, Action],
    *,
    tie_break: TieBreak[State, Action] = "first",
    max_states: int = 1_000_000,
    progress: bool = False,
) -> Solution[State, Action, float]:
    """Solve a game in float64, diagonal by diagonal, with a proved bound of the error.

    Grade: certified, by `Solution.error`.

    Parameters
    ----------
    game : Game or Explored
        Any object with the members of `cardgames_dp.game.Game`, or what
        `cardgames_dp.explored.explore` made of one.
    tie_break : {"first", "last"} or callable, default "first"
        Which of several optimal actions the player takes: the first or the last in the
        order of `legal_actions`, or what ``tie_break(state, optimal_actions)`` returns.
        It chooses in the same way where rounding leaves open which of several actions
        are optimal.
    max_states : int, default 1_000_000
        The search ends with an error at the first state beyond this number, or where
        states would fill half of this machine's memory, at half a kilobyte each.
    progress : bool, default False
        Show how many states are found, and then how many diagonals are swept, for which
        `tqdm` is needed (the extra ``progress``).

    Returns
    -------
    Solution
        As `cardgames_dp.exact.solve` makes it, with floats: values, the actions that
        may be optimal, and the policy, with `Solution.error` and
        `Solution.possible_ties`.

    Raises
    ------
    TypeError, GameError
        As for `cardgames_dp.exact.solve`.
    TooManyStatesError
        If more than `max_states` states can be reached, or more than memory holds.
    TooLargeError
        If what is known of all states and players would not fit in memory.
    ValueError
        If `tie_break` is another word, or returns an action that is not among the
        optimal ones, `max_states` is not positive, or a return is beyond 2**1000. (The
        three errors above are ValueErrors as well.)
    ModuleNotFoundError
        If `progress` is asked for and `tqdm` is not installed.

    See Also
    --------
    cardgames_dp.exact.solve : the same in Fractions, where every tie is known.

    Examples
    --------
    >>> from cardgames_dp import diagonal, redblack
    >>> solution = diagonal.solve(redblack.Rules().game(26, 26))
    >>> solution.value, solution.error < 1e-13
    ((2.624475548993...,), True)

    To stop and to draw with one red and two black cards left are worth the same, as
    exact arithmetic knows; rounding leaves it open:

    >>> solution.possible_ties
    (State(red=1, black=2, decision=''),)
    >>> solution.optimal_actions[redblack.State(red=1, black=2)]
    ('stop', 'draw')
    """
    rule = TieRule(tie_break)
    progress = _checks.boolean("progress", progress)
    explored = explore(game, max_states=max_states, progress=progress)
    graph = explored.graph
    _refuse_too_large(graph)
    sweep = _Sweep(explored, rule)
    blocks = [b for b in reversed(graph.blocks) if b.player != TERMINAL]
    for block in tracked(blocks, len(blocks), "diagonals", shown=progress):
        sweep.step(block)
    return Solution(
        initial_state=explored.states[0],
        tie_break=rule.name,
        values=FloatValues(explored, sweep.values),
        optimal_actions=OptimalActions(explored, sweep.optimal),
        policy=Policy(explored, sweep.chosen),
        error=float(sweep.errors.max()),
        possible_ties=tuple([explored.states[i] for i in sorted(sweep.open)]),
    )


def _refuse_too_large(graph: Graph) -> None:
    """Refuse what only many players can make too large: states are counted before."""
    states, players = graph.num_states, graph.num_players
    refuse_too_large(
        f"a solution of {states} x {players} values (states, players)",
        states * (16 * players + 16) + len(graph.following) * 16,
        "solve a smaller game",
    )


class _Sweep(Generic[State, Action]):
    """Values and their bounds, and what is optimal, as far as the sweep has come.

    Within a block, arrays have an axis of moves and one of states: the first moves of
    all states, then the second ones, and so on.

    Attributes
    ----------
    values, errors : ndarray of float64, shape (players, states)
        By place.
    optimal : ndarray of bool, shape (moves,)
        Which actions may be optimal.
    chosen : ndarray of int, shape (states,)
        By place: which action the tie rule chose, from 0 on.
    open : list of int
        The places where rounding leaves open which actions are optimal.
    """

    def __init__(
        self, explored: Explored[State, Action], rule: TieRule[State, Action]
    ) -> None:
        self._explored, self._rule = explored, rule
        self._graph = graph = explored.graph
        self._players = graph.num_players
        # Values and errors are gathered together, so they are rows of one array.
        self._table = np.zeros((2 * graph.num_players, graph.num_states))
        self.values, self.errors = np.split(self._table, 2)
        values, errors = graph.payoffs()
        ends = np.flatnonzero(graph.players == TERMINAL)
        self.values[:, ends], self.errors[:, ends] = values.T, errors.T
        largest = float(np.abs(values).max())
        self._tiny = _TINY * (1 + largest)
        self._summable = graph.weights_are_summable(largest)
        self._weights = graph.weights if self._summable else graph.chances()
        most = max([block.most for block in graph.blocks])
        self.chosen = np.zeros(graph.num_states, dtype=np.min_scalar_type(most))
        self.optimal = np.zeros(len(graph.following), dtype=np.bool_)
        self.open: list[int] = []

    def step(self, block: Block) -> None:
        """Go over the states of a block, all at once."""
        following = self._graph.following[block.moves]
        if block.most == 1:
            self._table[:, block.places] = self._table.take(following, axis=1)
            self.optimal[block.moves] = block.player != CHANCE
            return
        ranks = None if block.even else _Ranks.of(block, self._graph.offsets)
        after = self._table.take(_by_rank(following, block, ranks), axis=1)
        if block.player == CHANCE:
            self._average(block, ranks, after)
        else:
            self._decide(block, ranks, after)

    def _average(self, block: Block, ranks: _Ranks | None, after: Floats) -> None:
        weights = _by_rank(self._weights[block.own], block, ranks).astype(np.float64)
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

    def _decide(self, block: Block, ranks: _Ranks | None, after: Floats) -> None:
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
        if lower is not upper and np.count_nonzero(optimal) > size:
            self._doubt(block, after, optimal, unsure)

    def _chosen(self, block: Block, optimal: NDArray[np.bool_]) -> Integers:
        """Return the ranks of the actions that are taken of those that may be best."""
        if self._rule.is_last:
            last: Integers = len(optimal) - 1 - optimal[::-1].argmax(axis=0)
            return last
        chosen: Integers = optimal.argmax(axis=0)
        if self._rule.is_first:
            return chosen
        for i in np.flatnonzero(np.count_nonzero(optimal, axis=0) > 1).tolist():
            place = block.places.start + i
            actions = self._explored.actions_at(place)
            among = np.flatnonzero(optimal[:, i]).tolist()
            state = self._explored.states[place]
            chosen[i] = among[self._rule(state, tuple([actions[k] for k in among]))]
        return chosen

    def _doubt(
        self,
        block: Block,
        after: Floats,
        optimal: NDArray[np.bool_],
        unsure: NDArray[np.bool_],
    ) -> None:
        """Let errors cover whichever of several actions is the optimal one."""
        several = np.count_nonzero(optimal, axis=0) > 1
        doubtful = np.flatnonzero(several & (optimal & unsure).any(axis=0))
        places = doubtful + block.places.start
        values, errors = np.split(after[:, :, doubtful], 2)
        away = np.abs(values - self.values[:, np.newaxis, places]) + errors
        away *= optimal[:, doubtful] * (1 + 4 * _UNIT)
        self.errors[:, places] = away.max(axis=1)
        self.open += places.tolist()


class _Ranks(NamedTuple):
    """Where the moves of a block are whose states have not all as many.

    Attributes
    ----------
    moves : ndarray of int, shape (most, states)
        By rank and state; where a state has no more moves, its last one again.
    real : ndarray of bool, shape (most, states)
        Where it has.
    counts : ndarray of int, shape (states,)
        How many moves there are.
    """

    moves: Integers
    real: NDArray[np.bool_]
    counts: Integers

    @classmethod
    def of(cls, block: Block, offsets: Integers) -> _Ranks:
        """Return them for a block."""
        ends = offsets[block.places.start : block.places.stop + 1] - block.moves.start
        counts, ranks = (
            np.diff(ends).astype(np.int64),
            np.arange(block.most)[:, np.newaxis],
        )
        moves = ends[:-1] + np.minimum(ranks, counts - 1)
        return cls(moves, ranks < counts, counts)


def _by_rank(of_moves: Exact, block: Block, ranks: _Ranks | None) -> Exact:
    """Return what the moves of a block have, in an array of shape (most, states)."""
    if ranks is None:
        return of_moves.reshape(-1, block.most).T
    return of_moves[ranks.moves]
