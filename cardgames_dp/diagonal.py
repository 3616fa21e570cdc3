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
  may be, and e is the largest ``|v - v chosen| + e`` of these, for each player. A lone
  player gets the largest v instead, whatever the tie rule takes, and e is the largest.

So ``error``, the largest e, is proved; nothing in it is estimated. It stays near the
number of chance moves times u M in games of one player. With others a possible tie may
leave open what those get who do not move, and then `error` says so by its size: take
`cardgames_dp.exact`.

References
----------
.. [1] N. J. Higham, *Accuracy and Stability of Numerical Algorithms*, 2nd ed., SIAM,
   2002.
"""

from __future__ import annotations

from typing import Any, overload

from cardgames_dp import _checks
from cardgames_dp._extras import tracked
from cardgames_dp._float_sweep import FloatSweep
from cardgames_dp._graph import Graph
from cardgames_dp._memory import refuse_too_large
from cardgames_dp._solution import Solution
from cardgames_dp._ties import TieBreak, TieRule, Word
from cardgames_dp._views import FloatValues, OptimalActions, Policy
from cardgames_dp.arrays import ArraySolution, ExploredArrays
from cardgames_dp.explored import Explored, explore
from cardgames_dp.game import Action, ArrayGame, Game, State, TooManyStatesError

__all__ = ["Solution", "TieBreak", "TooManyStatesError", "solve"]


def __dir__() -> list[str]:
    return __all__


@overload
def solve(
    game: Game[State, Action] | Explored[State, Action],
    *,
    tie_break: TieBreak[State, Action] = "first",
    max_states: int | None = None,
    progress: bool = False,
) -> Solution[State, Action, float]: ...
@overload
def solve(
    game: ArrayGame | ExploredArrays,
    *,
    tie_break: Word = "first",
    max_states: int | None = None,
    progress: bool = False,
) -> ArraySolution[float]: ...
def solve(
    game: Any,
    *,
    tie_break: Any = "first",
    max_states: int | None = None,
    progress: bool = False,
) -> Solution[Any, Any, float] | ArraySolution[float]:
    """Solve a game in float64, diagonal by diagonal, with a proved bound of the error.

    Grade: certified, by `Solution.error`.

    Parameters
    ----------
    game : Game, ArrayGame, Explored or ExploredArrays
        Any object with the members of `cardgames_dp.game.Game` or `ArrayGame`, or what
        `cardgames_dp.explored.explore` made of one.
    tie_break : {"first", "last"} or callable, default "first"
        Which of several optimal actions the player takes: the first or the last in the
        order of `legal_actions`, or what ``tie_break(state, optimal_actions)`` returns.
        It chooses in the same way where rounding leaves open which of several actions
        are optimal.
    max_states : int, optional
        The search ends with an error at the first state beyond this number (a million
        if not given, and for an array game a thousand million), or where states would
        fill half of this machine's memory.
    progress : bool, default False
        Show how many states are found, and then how many diagonals are swept, for which
        `tqdm` is needed (the extra ``progress``).

    Returns
    -------
    Solution, or ArraySolution of an array game
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
        If `progress` is true and `tqdm` is not installed.

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
    sweep = FloatSweep(graph, rule.pick(explored))
    blocks = graph.blocks[::-1]
    for block in tracked(blocks, len(blocks), "diagonals", shown=progress):
        sweep.step(block)
    error = float(sweep.errors.max())
    if isinstance(explored, ExploredArrays):
        return ArraySolution(
            explored,
            rule.name,
            sweep.values,
            None,
            sweep.optimal,
            sweep.chosen,
            error,
            sweep.num_ties,
            len(sweep.open),
        )
    return Solution(
        initial_state=explored.states[0],
        tie_break=rule.name,
        values=FloatValues(explored, sweep.values),
        optimal_actions=OptimalActions(explored, sweep.optimal),
        policy=Policy(explored, sweep.chosen),
        error=error,
        possible_ties=tuple([explored.states[i] for i in sorted(sweep.open)]),
    )


def _refuse_too_large(graph: Graph) -> None:
    """Refuse what only many players can make too large: states are counted before."""
    states, players = graph.num_states, graph.num_players
    refuse_too_large(
        f"a solution of {states} x {players} values (states, players)",
        states * (16 * players + 8) + len(graph.following) * 2,
        "solve a smaller game",
    )
