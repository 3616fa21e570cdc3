"""The float64 backend: backward induction over any game, a diagonal at a time.

Model
-----
As for `cardgames_dp.exact`: a finite, acyclic game of perfect information with any
number of players and chance, written as a `cardgames_dp.game.Game`. Play is subgame
perfect, and where several actions are optimal the *tie rule* chooses one.

Algorithm
---------
A *diagonal* is a set of states that do not depend on each other; here, all states from
which the longest play takes equally many moves. States are found once, by the same
search as for the exact backend, and laid into arrays diagonal by diagonal: moves as
offsets and numbers of states (CSR). A sweep goes through the diagonals from the end to
the start, and each takes some NumPy operations: sums of chances times values, maxima of
what actions are worth.

Error
-----
With every value goes a bound e of its distance from the exact one, so with u = 2**-53:

- terminal: the distance of the return from the nearest float64 (0 for an integer);
- chance: a mean of m outcomes takes a division, a product and ``m - 1`` additions each,
  hence e is at most ``sum(p (e' + (m + 2) u |v'|))`` over what follows, by lemma 3.1 of
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

import math
from fractions import Fraction
from itertools import chain, compress
from typing import Any, Generic

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import _checks
from cardgames_dp._explore import Explored, explore
from cardgames_dp._extras import tracked
from cardgames_dp._graph import Block, Floats, Graph, Integers
from cardgames_dp._memory import refuse_too_large
from cardgames_dp._solution import Solution
from cardgames_dp._ties import TieBreak, TieRule
from cardgames_dp.game import Action, Game, State, TooManyStatesError

__all__ = ["Solution", "TieBreak", "TooManyStatesError", "solve"]

_UNIT = 2.0**-53
_TINY = 2.0**-1073
_MOST = 2.0**1000
"""Of a return: beyond it, sums might overflow."""


def __dir__() -> list[str]:
    return __all__


def solve(
    game: Game[State, Action],
    *,
    tie_break: TieBreak[State, Action] = "first",
    max_states: int = 1_000_000,
    progress: bool = False,
) -> Solution[State, Action, float]:
    """Solve a game in float64, diagonal by diagonal, with a proved bound of the error.

    Grade: certified, by `Solution.error`.

    Parameters
    ----------
    game : Game
        Any object with the members of `cardgames_dp.game.Game`.
    tie_break : {"first", "last"} or callable, default "first"
        Which of several optimal actions the player takes: the first or the last in the
        order of `legal_actions`, or what ``tie_break(state, optimal_actions)`` returns.
        It chooses in the same way where rounding leaves open which of several actions
        are optimal.
    max_states : int, default 1_000_000
        The search ends with an error at the first state beyond this number, or where
        states would fill half of this machine's memory, at about 1 kB each.
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
    limit = _checks.integer("max_states", max_states, minimum=1)
    progress = _checks.boolean("progress", progress)
    found = explore(game, limit, progress=progress)
    _refuse_too_large(found)
    sweep = _Sweep(found, rule)
    blocks = list(sweep.graph.blocks())
    for block in tracked(blocks, len(blocks), "diagonals", shown=progress):
        sweep.step(block)
    return sweep.solution()


def _refuse_too_large(found: Explored[Any, Any]) -> None:
    """Refuse what only many players can make too large: states are counted before."""
    players = len(found.returns[0])  # the first state to be finished is terminal
    refuse_too_large(
        f"a solution of {found.num_states} x {players} values (states, players)",
        found.num_states * (48 * players + 256)
        + len(found.following) * (24 * players + 64),
        "solve a smaller game",
    )


class _Sweep(Generic[State, Action]):
    """Values and their bounds, and what is optimal, as far as the sweep has come.

    Attributes
    ----------
    values, errors : ndarray of float64, shape (players, states)
        By place.
    optimal : ndarray of bool, shape (moves,)
        Which actions may be optimal.
    chosen : ndarray of int64, shape (states,)
        By place: the move that the tie rule chose.
    open : ndarray of bool, shape (states,)
        By place: where rounding leaves open which actions are optimal.
    """

    def __init__(
        self, found: Explored[State, Action], rule: TieRule[State, Action]
    ) -> None:
        self._found, self._rule = found, rule
        self.graph = graph = Graph.of(found)
        states, moves = found.num_states, len(found.following)
        terminal = [i for i, returns in enumerate(found.returns) if returns]
        values, errors = _returns([found.returns[i] for i in terminal])
        self.values = np.zeros((values.shape[1], states))
        self.errors = np.zeros_like(self.values)
        self.values[:, graph.place[terminal]] = values.T
        self.errors[:, graph.place[terminal]] = errors.T
        self.tiny = _TINY * (1 + float(np.abs(values).max()))
        self.optimal = np.zeros(moves, dtype=bool)
        self.chosen = np.zeros(states, dtype=np.int64)
        self.open = np.zeros(states, dtype=bool)

    def step(self, block: Block) -> None:
        """Go over the states of a block, all at once."""
        offsets = self.graph.offsets[block.first : block.last + 1]
        starts, counts = offsets[:-1] - offsets[0], np.diff(offsets)
        moves = slice(offsets[0], offsets[-1])
        if block.chance:
            self._average(block, moves, starts, counts)
        else:
            self._decide(block, moves, starts, counts)

    def _average(
        self, block: Block, moves: slice, starts: Integers, counts: Integers
    ) -> None:
        here = slice(block.first, block.last)
        following, chances = self.graph.following[moves], self.graph.chances[moves]
        values = self.values[:, following]
        self.values[:, here] = np.add.reduceat(chances * values, starts, axis=1)
        rounds = np.where(counts > 1, counts + 2, 0)
        away = self.errors[:, following]
        away += np.repeat(rounds * _UNIT, counts) * np.abs(values)
        errors = np.add.reduceat(chances * away, starts, axis=1)
        errors *= 1 + 2 * (rounds + 6) * _UNIT * (counts > 1)
        self.errors[:, here] = errors + np.where(counts > 1, counts * self.tiny, 0)

    def _decide(
        self, block: Block, moves: slice, starts: Integers, counts: Integers
    ) -> None:
        here = slice(block.first, block.last)
        following = self.graph.following[moves]
        mover = np.repeat(self.graph.players[here], counts)
        values, errors = self.values[mover, following], self.errors[mover, following]
        certain = errors == 0
        lower = np.where(certain, values, np.nextafter(values - errors, -np.inf))
        upper = np.where(certain, values, np.nextafter(values + errors, np.inf))
        best = np.maximum.reduceat(lower, starts)
        optimal = upper >= np.repeat(best, counts)
        number = np.add.reduceat(optimal, starts, dtype=np.int64)
        candidates = np.flatnonzero(optimal)
        ends = np.cumsum(number)
        chosen = candidates[ends - number]
        if not self._rule.is_first:
            for i in np.flatnonzero(number > 1).tolist():
                among = candidates[ends[i] - number[i] : ends[i]]
                chosen[i] = among[self._ask(block.first + i, among - starts[i])]
        doubtful = np.logical_or.reduceat(optimal & ~certain, starts) & (number > 1)
        target = following[chosen]
        self.values[:, here] = self.values[:, target]
        self.errors[:, here] = self.errors[:, target]
        if doubtful.any():
            away = self.values[:, following]
            away = np.abs(away - np.repeat(self.values[:, target], counts, axis=1))
            away = (away + self.errors[:, following]) * (optimal * (1 + 4 * _UNIT))
            spread = np.maximum.reduceat(away, starts, axis=1)
            self.errors[:, here] = np.where(doubtful, spread, self.errors[:, here])
        self.optimal[moves] = optimal
        self.chosen[here] = chosen + moves.start
        self.open[here] = doubtful

    def _ask(self, place: int, optimal: Integers) -> int:
        """Return which of several actions that may be optimal the tie rule takes."""
        number = int(self.graph.number[place])
        actions = self._found.actions[number]
        return self._rule(
            self._found.states[number], tuple([actions[k] for k in optimal.tolist()])
        )

    def solution(self) -> Solution[State, Action, float]:
        """Return what the sweep has found, the initial state first."""
        found, graph = self._found, self.graph
        states = found.states[::-1]
        place = graph.place[::-1]
        values = zip(*self.values[:, place].tolist(), strict=True)
        decisions = np.flatnonzero(graph.kinds[graph.place] == 2)[::-1]
        moves = self.chosen[graph.place[decisions]]
        firsts = graph.offsets[graph.place[decisions]]
        optimal_actions: dict[State, tuple[Action, ...]] = {}
        policy: dict[State, Action] = {}
        for i, k, first, several in zip(
            decisions.tolist(),
            (moves - firsts).tolist(),
            firsts.tolist(),
            self._tied()[graph.place[decisions]].tolist(),
            strict=True,
        ):
            state, actions = found.states[i], found.actions[i]
            policy[state] = actions[k]
            optimal_actions[state] = (actions[k],)
            if several:
                flags = self.optimal[first : first + len(actions)].tolist()
                optimal_actions[state] = tuple(compress(actions, flags))
        doubts = zip(states, self.open[place].tolist(), strict=True)
        return Solution(
            initial_state=states[0],
            tie_break=self._rule.name,
            values=dict(zip(states, values, strict=True)),
            optimal_actions=optimal_actions,
            policy=policy,
            error=float(self.errors.max()),
            possible_ties=tuple([state for state, doubt in doubts if doubt]),
        )

    def _tied(self) -> NDArray[np.bool_]:
        """Return by place where several actions may be optimal."""
        until = np.concatenate(([0], np.cumsum(self.optimal)))
        several: NDArray[np.bool_] = np.diff(until[self.graph.offsets]) > 1
        return several


def _returns(returns: list[tuple[Fraction, ...]]) -> tuple[Floats, Floats]:
    """Return returns as floats, and how far they may be from the exact ones."""
    shape = len(returns), len(returns[0])
    ratios = [(x.numerator, x.denominator) for each in returns for x in each]
    try:
        floats = [top / bottom for top, bottom in ratios]  # correctly rounded
    except OverflowError:
        floats = [math.inf]
    values = np.array(floats)
    if np.abs(values).max() > _MOST:
        raise ValueError(
            "returns must be at most 2**1000 in absolute value to be summed in "
            f"float64, got {_checks.shown(max(map(abs, chain(*returns))))}; use "
            "cardgames_dp.exact.solve"
        )
    rounded = [x.as_integer_ratio() != y for x, y in zip(floats, ratios, strict=True)]
    errors = np.where(rounded, np.spacing(np.abs(values)), 0.0)
    return values.reshape(shape), errors.reshape(shape)
