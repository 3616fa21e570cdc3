"""The float64 backend: backward induction over any game, a diagonal at a time.

Model
-----
As for `cardgames_dp.exact`: a finite game of perfect information with any number of
players and chance, written as a `cardgames_dp.game.Game`. Play is subgame perfect, and
where several actions are optimal the *tie rule* chooses one.

Games may have loops. In a strong component, states that can all be reached from each
other, one player may decide, or two whose interests are opposed; `cardgames_dp.exact`
defines the value.

Algorithm
---------
A *diagonal* is a set of states that do not depend on each other; here, all states to
which the longest play from the start has the same number of moves. States are found
once, as for the exact backend (`cardgames_dp.game.explore`), and laid out in arrays
diagonal by diagonal. A sweep goes through the diagonals from the end to the start.
Each takes a few NumPy operations: sums of probabilities times values, and maxima over
actions. In games with loops, strong components take the place of states. They are
solved by strategy iteration, with sparse linear systems [3]_.

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
  play, or 0 where all weights are integers whose sums are exact. A single outcome
  adds nothing;
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
- component: states among which a solo player can loop for free are merged, as they
  share one value. Then the policy of each side, with all actions of the
  other side free, gives a bound; see ``cardgames_dp._loops.proof``. With the residual r
  of the values, the longest expected stay w in the component and the largest bound e of
  the states that follow it, the bound is ``r w + e``, and ties of actions are possible
  ties. Loops of moves whose payments sum to nothing have no bound, and are refused. If
  the tie rule's choice would make play endless, the next tied action that leads to the
  end is taken (`Solution.turned_ties`).

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

from cardgames_dp._graph import solving
from cardgames_dp._graph.arrays import ExploredArrays
from cardgames_dp._graph.explored import Explored, explore
from cardgames_dp._graph.float_sweep import FloatSweep
from cardgames_dp._graph.lookup import lookup_values
from cardgames_dp._graph.solution import Solution
from cardgames_dp._graph.solving import TieBreak
from cardgames_dp._graph.variants import solve_variants
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
    """Solve a game in float64, diagonal by diagonal, with a proved bound on the error.

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
    GameError
        As for `cardgames_dp.exact.solve`; also if no useful bound is found.
    TooManyStatesError, TooLargeError
        If there are more than `max_states` states, or more than fit in memory.
    ValueError
        If returns with all rewards may be larger than 2**1000 in absolute value.

    Warns
    -----
    RuntimeWarning
        If the bound of the values of states on loops is above 1e-6 of their size.

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
    ...     def chance_outcomes(self, run): return [(5, run + 1), (4, 0), (1, "stop")]
    ...     def returns(self, run): return [1 if run == 3 else 0]
    >>> solution = diagonal.solve(Run())
    >>> solution.value, solution.error < 1e-14
    (0.416666666666..., True)
    """
    tie_break = solving.check_tie_break(tie_break)
    quick = lookup_values(game, "float64", tie_break) if max_states is None else None
    if quick is not None:
        return Solution(quick)
    explored = explore(game, max_states=max_states)
    graph = explored.graph
    if graph.num_variants is not None:
        return solve_variants(explored, tie_break)
    states, players = graph.num_states, graph.num_players
    refuse_too_large(
        f"a solution of {states} x {players} values (states, players)",
        states * (16 * players + 8) + len(graph.following) * 2,
        "solve a smaller game",
    )
    return solving.solve_by_sweep(explored, tie_break, FloatSweep)
