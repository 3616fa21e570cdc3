"""Solve a deck of red and black cards in all its states."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal, SupportsIndex, TypeAlias, overload

from cardgames_dp import diagonal, exact
from cardgames_dp._graph.solution import Solution
from cardgames_dp._support import arguments
from cardgames_dp._support.arguments import Backend
from cardgames_dp._support.calls import suggest_arguments
from cardgames_dp.redblack.cards import State
from cardgames_dp.redblack.deck import game
from cardgames_dp.redblack.rules import Decision, Rules

Solved: TypeAlias = (
    Solution[State, Decision, float] | Solution[State, Decision, Fraction]
)


@overload
def solve(
    red: SupportsIndex,
    black: SupportsIndex,
    *,
    rules: Rules | None = None,
    backend: Literal["float64"] = "float64",
) -> Solution[State, Decision, float]: ...
@overload
def solve(
    red: SupportsIndex,
    black: SupportsIndex,
    *,
    rules: Rules | None = None,
    backend: Literal["exact"],
) -> Solution[State, Decision, Fraction]: ...
@suggest_arguments
def solve(
    red: SupportsIndex,
    black: SupportsIndex,
    *,
    rules: Rules | None = None,
    backend: Backend = "float64",
) -> Solved:
    r"""Solve the game in all states that it can reach.

    This is ``solve(game(red, black, rules=rules))`` of `cardgames_dp.diagonal` or
    `cardgames_dp.exact`.

    Grade: certified, by `Solution.error`; exact with ``backend="exact"``.

    Parameters
    ----------
    red, black : int
        Numbers of red and black cards in the full deck.
    rules : Rules, optional
        The classic rules if not given.
    backend : {"float64", "exact"}
        The arithmetic. float64 computes tables by vectorised antidiagonals. The exact
        backend computes with integers and returns Fractions, for decks of up to a few
        hundred cards.

    Returns
    -------
    cardgames_dp.game.Solution
        It prints as the spreadsheet of the Problem 14 essay: totals by cards remaining,
        with a star where to stop. ``solution.table(...)`` is indexed ``[red, black]``;
        `cardgames_dp.play` has what else there is to know. With certain ruin under a
        utility, it has no graph, and only what needs none.

    Raises
    ------
    TooLargeError
        If the tables would not fit in memory. Without a table, :func:`value` returns
        the value, :func:`thresholds` the boundary and
        `cardgames_dp.play.distribution` what may happen.

    Notes
    -----
    In float64, stopping and drawing count as a possible tie if their worths differ by
    no more than a running bound of the rounding error. Under a utility, the bound of
    the error holds for the utility of the cash as float64 rounds it: that is the cash
    itself if amounts are integers, or halves. The exact backend finds every tie with
    certainty.

    References
    ----------
    The Problem 14 essay ("Problem 14 Dynamic Programming Solutions"), whose spreadsheet
    by Han Zheng is the table of totals of 26 red and 26 black cards.

    Examples
    --------
    >>> from cardgames_dp import redblack
    >>> solution = redblack.solve(26, 26)
    >>> solution.value
    2.624475548993...
    >>> advice = solution.advice((16, 22))
    >>> advice.action, advice.collected, round(advice.margin, 6)
    ('stop', 6.0, 0.157895)
    >>> print(redblack.solve(2, 2))
    red \ black        2        1   0
              2  0.6667   0.3333   0
              1       1*     0.5   0
              0       2*       1*  0*
    (rows: red cards left, columns: black cards left; total; *: stop)
    >>> solution = redblack.solve(4, 4)
    >>> solution.table("values")[3].round(4).tolist()
    [3.0, 2.25, 1.5, 0.85, 0.3429]
    >>> solution.policy[1, 2], solution.optimal_actions[1, 2]
    ('stop', ('stop', 'draw'))
    """
    solver = exact if arguments.backend(backend) == "exact" else diagonal
    solution: Solved = solver.solve(game(red, black, rules=rules))
    return solution
