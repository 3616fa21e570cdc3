"""The float64 backend: backward induction over any game, a diagonal at a time.

Model
-----
As for `cardgames_dp.exact`: a finite, acyclic game of perfect information with any
number of players and chance, written as a `cardgames_dp.game.Game`. Play is subgame
perfect, and where several actions are optimal the *tie rule* chooses one.

Algorithm
---------
A *diagonal* is a set of states that do not depend on each other; here, all states to
which the longest play from the start has the same number of moves. States are found
once, as for the exact backend, and laid out in arrays diagonal by diagonal
(`cardgames_dp.explored`). A sweep goes through the diagonals from the end to the start.
Each takes a few NumPy operations: sums of probabilities times values, and maxima over
actions.

Error
-----
Every value v comes with a bound e of its error. With u = 2**-53, v' and e' the values
and bounds of the next states, and p their probabilities:

- terminal: e is the rounding error of the return (0 for an integer);
- chance: a mean of m outcomes takes a product, ``m - 1`` additions and a division each.
  So e is at most ``sum(p (e' + (m + 1) u |v'|))``, by lemma 3.1 of [1]_, times
  ``1 + 2 (m + 8) u`` for the rounding of this sum itself, plus ``m 2**-1073 (1 + M)``
  for underflow, where M is the largest return. A single outcome adds nothing;
- decision: an action *may* be optimal if its ``v + e`` is at least the largest
  ``v - e`` of all actions. If only one may be optimal, it is, and its v and e are
  passed on. If several may be optimal and all of them have e = 0, they tie, and the tie
  rule chooses as in exact arithmetic. Otherwise it is open which are optimal: a
  *possible tie*. The tie rule chooses among all that may be optimal, and for each
  player e is the largest ``|v - v chosen| + e`` of these. In a game of one player, v is
  the largest v instead, whichever action the tie rule takes, and e is the largest e.

So ``error``, the largest e, is a proved bound, not an estimate. In games of one player
it stays near the number of chance moves times u M. With more players a possible tie can
leave open the values of those who do not move. A large `error` shows this; then use
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
        Any object with the members of `cardgames_dp.game.Game` or `ArrayGame`, or the
        result of `cardgames_dp.explored.explore` for one.
    tie_break : {"first", "last"} or callable, default "first"
        Which of several optimal actions the player takes: the first or the last in the
        order of `legal_actions`, or the one that ``tie_break(state, optimal_actions)``
        returns. The same rule applies where rounding leaves open which of several
        actions are optimal.
    max_states : int, optional
        The search for states ends with an error at the first state beyond this number
        (a million if not given; a billion for an array game), or when states
        would fill half of this machine's memory.
    progress : bool, default False
        Show how many states are found, and then how many diagonals are solved, for
        which `tqdm` is needed (the extra ``progress``).

    Returns
    -------
    Solution, or ArraySolution of an array game
        The result in floats: values, the actions that may be optimal, and the policy,
        with `Solution.error` and `Solution.possible_ties`.

    Raises
    ------
    TypeError, GameError
        As for `cardgames_dp.exact.solve`.
    TooManyStatesError
        If more than `max_states` states can be reached, or more than memory holds.
    TooLargeError
        If the values of all states and players would not fit in memory.
    ValueError
        If `tie_break` is another str, or returns an action that is not among the
        optimal ones, `max_states` is not positive, or a return is larger than 2**1000
        in absolute value. (The three errors above are also ValueErrors.)
    ModuleNotFoundError
        If `progress` is true and `tqdm` is not installed.

    See Also
    --------
    cardgames_dp.exact.solve : The same in Fractions, with every tie certain.

    Examples
    --------
    >>> from cardgames_dp import diagonal, redblack
    >>> solution = diagonal.solve(redblack.Rules().game(26, 26))
    >>> solution.value, solution.error < 1e-13
    ((2.624475548993...,), True)

    With one red and two black cards left, stopping and drawing have the same value.
    Rounding leaves this open:

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
    """Refuse values that are too large because of many players."""
    states, players = graph.num_states, graph.num_players
    refuse_too_large(
        f"a solution of {states} x {players} values (states, players)",
        states * (16 * players + 8) + len(graph.following) * 2,
        "solve a smaller game",
    )
