"""A row as a game, for both backends and `cardgames_dp.play`, and its solution.

Cards pay when they are taken, so the value of a state is what is still to come. It
depends on the cards left and on who is to move, and not on the sums taken so far.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal, TypeAlias, overload

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import diagonal, exact
from cardgames_dp._graph.graph import fractions
from cardgames_dp._graph.solution import Solution
from cardgames_dp._support import arguments
from cardgames_dp._support.arguments import Backend
from cardgames_dp._support.calls import suggest_arguments
from cardgames_dp.cardrow import policies
from cardgames_dp.cardrow._kernels import row
from cardgames_dp.cardrow._kernels.row import Cards, Exact, Instance
from cardgames_dp.cardrow.cards import parse_row
from cardgames_dp.cardrow.fast import Fast, sheet
from cardgames_dp.cardrow.rules import Rules, State, codes_of, signed, words
from cardgames_dp.game import Layout, Names


@dataclass(frozen=True, slots=True, repr=False)
class CardRow(row.EndStates):
    """Cards in a row as a `cardgames_dp.game.ArrayGame`; made by :func:`game`.

    Of two players, each gets the worth of the cards that they take, less that of the
    other's: their lead. With more players, each gets their own sum. Under misère rules
    it is the negative of that.

    Attributes
    ----------
    rules : Rules
        The rules of the game; their `tie` orders the legal actions.
    cards : tuple of int or Fraction
        The row from left to right: what the cards are worth to the first player.
    """

    rules: Rules
    cards: tuple[Exact, ...]
    names: Names = field(init=False, repr=False, compare=False)
    """States are `State`, actions words such as "left" or "2 from the right"."""
    _instance: Instance = field(init=False, repr=False, compare=False)
    _sums: tuple[NDArray[Any], ...] = field(init=False, repr=False, compare=False)
    _worths: NDArray[Any] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        its = Instance.of(self.rules, parse_row("cards", self.cards))
        seats = range(2 if its.weighted else 1)
        self._set(
            names=Names(State, words(min(self.rules.take, len(self.cards)))),
            _instance=its,
            _sums=tuple([row.sums_of(its.own(seat)) for seat in seats]),
            _worths=row.exact_array(its.worths[0])[0],
        )

    @property
    def num_players(self) -> int:
        """The number of players."""
        return self.rules.players

    @property
    def _num_states(self) -> int:
        # For `explore`: at least as many, so that it refuses a long row at once.
        return len(self.cards) * (len(self.cards) + 3) // 2

    @property
    def fast(self) -> Fast | None:
        """The faster ways of this game; a derived class, with other rules, has none."""
        return Fast(self._instance) if type(self) is CardRow else None

    @property
    def layout(self) -> Layout | None:
        """How solutions lie in a table: what the player to move gets, by the ends."""
        if type(self) is not CardRow:
            return None
        note = "rows: left end card; columns: right end card"
        shape = len(self.cards), len(self.cards)
        return Layout(("left", "right"), None, None, note, shape, self._turned, sheet)

    def _turned(self, state: Any) -> Any:
        """Return states with a player who may be to move: if each took one card."""
        taken = len(self.cards) - 1 - state.right + state.left
        return state._replace(player=taken % self.num_players)

    def as_policy(self, policy: Any, _backend: Backend) -> Any:
        """Return a policy with a name as a function of states, and others as None."""
        if type(self) is not CardRow:
            return None
        return policies.by_state(policy, self._instance)

    def initial_states(self) -> NDArray[Any]:
        """Return the state with the whole row, and the first player to move."""
        return np.array([[0, len(self.cards) - 1, 0]])

    def legal_actions(self, states: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return the legal turns, in the order in which the tie rule prefers them."""
        left, right, _ = states.T
        index, turns = row.legal_turns(left, right, self._worths, self.rules)
        return index, codes_of(turns)

    def next_states(self, states: NDArray[Any], actions: NDArray[Any]) -> NDArray[Any]:
        """Return the states after turns."""
        (left, right, player), turns = states.T, signed(actions)
        low, high = left - np.minimum(turns, 0), right - np.maximum(turns, 0)
        return np.column_stack([low, high, (player + 1) % self.num_players])

    def rewards(self, states: NDArray[Any], actions: NDArray[Any]) -> NDArray[Any]:
        """Return the worth of the cards taken, for each player."""
        (left, right, player), turns = states.T, signed(actions)
        start = np.where(turns < 0, left, right + 1 - turns)
        end = start + abs(turns)
        gains: NDArray[Any] = self._sums[0][end] - self._sums[0][start]
        for seat, sums in enumerate(self._sums[1:], 1):
            gains = np.where(player == seat, sums[end] - sums[start], gains)
        if self.rules.misere:
            gains = -gains
        unit = self._instance.unit.denominator
        if unit > 1:
            gains = fractions(gains, np.array(unit, dtype=object))
        own = player[:, np.newaxis] == np.arange(self.num_players)
        others = -gains if self.num_players == 2 else 0 * gains
        return np.where(own, gains[:, np.newaxis], others[:, np.newaxis])

    def returns(self, states: NDArray[Any]) -> NDArray[Any]:
        """Return nothing, as the cards have paid all."""
        return np.zeros((len(states), self.num_players), dtype=np.int64)


@suggest_arguments
def game(cards: Cards, *, rules: Rules | None = None) -> CardRow:
    """Return cards in a row as a game for either backend and `cardgames_dp.play`.

    Cards pay when they are taken, so the value of a state is what is still to come: of
    two players, what each wins by in the cards left; of more, the sum that each takes.

    Grade: exact.

    Parameters
    ----------
    cards : iterable of int, Fraction, Decimal or float
        The row from left to right, as for :func:`value`.
    rules : Rules, optional
        The classic rules if not given. The turn that their tie rule prefers comes
        first, and the solvers' default ``tie_break="first"`` takes it.

    Returns
    -------
    CardRow
        A `cardgames_dp.game.ArrayGame`. Its states are named `State`, its actions
        "left", "right", "2 from the left", and so on.

    Examples
    --------
    How a game against a player who takes the larger card may end, and what that player
    gives away:

    >>> from cardgames_dp import cardrow, play
    >>> row = cardrow.game([8, 4, 2, 2, 4, 8, 1])
    >>> play.evaluate(row, ["random", "larger"], backend="exact").value
    Fraction(-5, 2)
    >>> play.best_response(row, [None, "larger"], 0).value
    1.0
    """
    return CardRow(arguments.rules(rules, Rules), parse_row("cards", cards).numbers())


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
