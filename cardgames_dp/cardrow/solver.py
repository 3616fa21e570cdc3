"""Solve a row in all states: every interval of the cards."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal, TypeAlias, overload

from cardgames_dp import diagonal, exact
from cardgames_dp._graph.solution import Solution
from cardgames_dp._support import arguments
from cardgames_dp._support.arguments import Backend
from cardgames_dp._support.calls import suggest_arguments
from cardgames_dp.cardrow._kernels.row import Cards
from cardgames_dp.cardrow.row import game
from cardgames_dp.cardrow.rules import Rules
from cardgames_dp.cardrow.states import State

Solved: TypeAlias = Solution[State, str, float] | Solution[State, str, Fraction]


@overload
def solve(
    cards: Cards, *, rules: Rules | None = None, backend: Literal["float64"] = "float64"
) -> Solution[State, str, float]: ...
@overload
def solve(
    cards: Cards, *, rules: Rules | None = None, backend: Literal["exact"]
) -> Solution[State, str, Fraction]: ...
@suggest_arguments
def solve(
    cards: Cards, *, rules: Rules | None = None, backend: Backend = "float64"
) -> Solved:
    r"""Solve a row in all states: every interval, whoever is to move.

    This is ``solve(game(cards, rules=rules))`` of `cardgames_dp.diagonal` or
    `cardgames_dp.exact`.

    Grade: certified, by `Solution.error`; exact with ``backend="exact"``.

    Parameters
    ----------
    cards : iterable of int, Fraction, Decimal or float
        The row from left to right, as for :func:`value`.
    rules : Rules, optional
        The classic rules if not given.
    backend : {"float64", "exact"}
        The arithmetic of the values. All is computed in integers, so ties are certain,
        and a float is the exact value, rounded once or twice.

    Returns
    -------
    cardgames_dp.game.Solution
        It prints as the table of Pashevich's report: arrows for best turns, sums, and
        stars for ties. An arrow points to the cell of the interval that the best turn
        leaves: a turn from the left points down, a turn from the right points left.
        ``solution.table(...)`` is indexed ``[left, right]``: what the player to move
        wins by or, of more than two, takes. `cardgames_dp.play` has what else there is
        to know.

    Raises
    ------
    TooLargeError
        If the table would not fit in memory. By the classic rules, long rows need no
        table: values and advice come from the collapsed peaks of the cards left, about
        twenty for 100,000 random cards.

    References
    ----------
    Pashevich and others ("APP2: Hold'em for n00bs"), section 4, which has this table.

    Examples
    --------
    >>> from cardgames_dp import cardrow, play
    >>> solution = cardrow.solve([14, 4, 7, 2, 5, 12])
    >>> solution.value
    8.0
    >>> print(solution.advice((1, 5, 1)))
    State(left=1, right=5, player=1): right; value: right 6, left -4.
    >>> solution.table()[0].tolist()  # what the player to move wins by
    [14.0, 10.0, 11.0, 15.0, 8.0, 8.0]
    >>> solution.optimal_actions[1, 3, 1]
    ('left', 'right')
    >>> print(cardrow.solve([14, 4, 7, 2]))
    4 cards, float64: value 15
    left \ right    14       4       7        2
    14            14:0  ↓ 14:4  ↓ 18:7   ↓ 21:6
    4                      4:0   ← 7:4  ↓ 6:7*
    7                              7:0    ↓ 7:2
    2                                       2:0
    (rows: left end card; columns: right end card)
    (cells: turn (↓ left, ← right; *: a tie) and the sums of the player ...)

    Play along, also in a row of a million cards:

    >>> row = cardrow.deal(1, 10**6, deck=range(1, 14), replace=True, rng=1)[0]
    >>> position = play.Position(cardrow.solve(row))
    >>> position = position.play(position.advice().action).play("right")
    >>> position.state, position.value
    (State(left=0, right=999997, player=0), 3514.0)
    """
    solver = exact if arguments.backend(backend) == "exact" else diagonal
    solution: Solved = solver.solve(game(cards, rules=rules))
    return solution
