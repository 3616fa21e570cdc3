"""A solved row: the best turn and the sums at every interval, as tables, and advice.

As Pashevich's report shows a table, rows are the left end of what is left, columns its
right end. A cell has an arrow to the cell that the best turn leads to, down for a card
from the left and to the left for one from the right, and what the players take, the one
to move first.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Generic, Literal, SupportsIndex, overload

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import diagonal, exact
from cardgames_dp._graph.own_solutions import OwnSolution
from cardgames_dp._results.records import AdviceRecord
from cardgames_dp._results.tables import MOST_ROWS, Marked, Table
from cardgames_dp._support import arguments
from cardgames_dp._support.arguments import Backend
from cardgames_dp._support.calls import suggest_arguments
from cardgames_dp._support.printing import counted, short
from cardgames_dp.cardrow._kernels import diagonals
from cardgames_dp.cardrow._kernels.players import Deals, Player, by_length, tabled
from cardgames_dp.cardrow._kernels.row import Cards, Exact, Instance, Real, turn_orders
from cardgames_dp.cardrow.cards import read
from cardgames_dp.cardrow.matches import Match, match
from cardgames_dp.cardrow.policies import refuse_other_games
from cardgames_dp.cardrow.rules import Rules, Seat, State, Turn, seat_of


@dataclass(frozen=True, slots=True, repr=False)
class Advice(AdviceRecord[Turn, Real], Generic[Real]):
    """The best turns at a row or an interval; prints as a sentence.

    Attributes
    ----------
    action : Turn
        An optimal turn, chosen by the tie rule.
    best : tuple of Turn
        All optimal turns; more than one in a tie.
    values : mapping of Turn to int, Fraction or float
        The worth of every turn if all play optimally after it: with two players the
        lead of the player to move, with more players that player's sum, in the cards
        left. Under misère rules the smallest is the best. Turns from the left come
        first, and fewer cards before more.
    left, right : int
        Positions of the end cards, counted from 0.

    Examples
    --------
    >>> from cardgames_dp import cardrow
    >>> advice = cardrow.solve([0, 1, 0], rules=cardrow.Rules(take=2)).advice(0, 2)
    >>> advice.action, advice.value
    (Turn(side='right', count=2), 1.0)
    >>> [turn.side for turn in advice.best]
    ['left', 'right']
    >>> print(advice)
    cards 0 to 2: take 2 from the right (a tie); value: left -1, 2 from the left 1, \
right -1, 2 from the right 1.
    """

    left: int
    right: int

    def _summary(self) -> str:
        tie = " (a tie)" * self.tie
        return f"cards {self.left} to {self.right}: take {self.action}{tie}"


_MOST_SUMS = 2400
"""Sums shown: with many players there are fewer rows and columns, but at least one."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Solution(OwnSolution, Generic[Real]):
    """A solved row: tables of all its intervals, indexed ``[left, right]``.

    Made by :func:`solve`. An interval is the cards left, from position `left` to
    position `right`, counted from 0 and both included. Cells with left > right hold
    zeros. It prints as the table of Pashevich's report: arrows for best turns, sums,
    and stars for ties. An arrow points to the cell of the interval that the best turn
    leaves: a turn from the left points down, a turn from the right points left. It is
    also a `Policy`, which plays by it. The arrays are read-only.

    Attributes
    ----------
    cards : tuple of int or Fraction
        The row from left to right.
    rules : Rules
        The rules under which it was solved.
    backend : {"float64", "exact"}
        The arithmetic of the tables.
    best : ndarray of a signed integer type, shape (cards, cards)
        The best turn by the tie rule: the number of cards to take, negative from the
        left (`Turn.of_code` decodes it).
    ties : ndarray of bool, shape (cards, cards)
        Where another turn is as good: exactly, or up to rounding in float64.
    sums : ndarray, shape (players, cards, cards)
        The sums that the players take of the interval: the player to move first, then
        the next one, and so on (mySum and oppSum of the report). Of int64 or
        float64, or of Python ints or Fractions (dtype object).
    sums_of_second : ndarray or None
        With weights, the same where the second player is to move; `sums` is then for
        the first player to move.

    Examples
    --------
    >>> from cardgames_dp import cardrow
    >>> table = cardrow.solve([14, 4, 7, 2, 5, 12])
    >>> table
    Solution(cards=6, backend='float64', value=8)
    >>> print(table.advice(1, 5))
    cards 1 to 5: take right; value: left -4, right 6.

    A data frame has a row for each interval, with the columns "side" and "count" of the
    best turn, "tie", "value" (its lead), and the sums, of the player to move "sum_0":

    >>> frame = table.to_pandas()
    >>> frame.side[1, 5], int(frame.value[1, 5]), int(frame.sum_0[1, 5])
    ('right', 6, 18)
    """

    _derived: ClassVar[tuple[str, ...]] = ("value",)

    cards: tuple[Exact, ...]
    rules: Rules
    backend: Backend
    best: NDArray[np.signedinteger[Any]]
    ties: NDArray[np.bool_]
    sums: NDArray[Any]
    sums_of_second: NDArray[Any] | None

    @property
    def value(self) -> Real:
        """The value of the row: what the first player wins by; see :func:`value`."""
        return self.lead(0, len(self.cards) - 1)

    @property
    def payoffs(self) -> tuple[Real, ...]:
        """What each player gets in `Rules.game`: leads of two players, sums of more.

        Under misère rules their negatives, as every player maximises the payoff.
        """
        sums: Any = self.sums[:, 0, -1].tolist()
        each = (self.value, -self.value) if len(sums) == 2 else sums
        return tuple([-x if self.rules.misere else x for x in each])

    def advice(
        self, left: SupportsIndex, right: SupportsIndex, *, player: Seat = 0
    ) -> Advice[Real]:
        """Return the best turns at an interval, and the values of all turns.

        Parameters
        ----------
        left, right : int
            Positions of the end cards, counted from 0.
        player : {"first", "second"} or int, default 0
            The player to move. It matters only with weights.

        Returns
        -------
        Advice
            Its values are exact numbers, or floats in a float64 solution.
        """
        left, right = self._interval(left, right)
        player = seat_of(player, self.rules, "player")
        cards = right - left + 1
        turns = map(Turn.of_code, turn_orders(cards, self.rules.take)[0])
        game, nothing = self.rules.game(self.cards), (0,) * self.rules.players
        here = State(left, right, player, nothing)
        worths: dict[Turn, Any] = {
            turn: self._worth(game.next_state(here, turn), player) for turn in turns
        }
        optimum = (min if self.rules.misere else max)(worths.values())
        turn = Turn.of_code(self.best[left, right])
        # In float64 the table's own turn is always among the best, despite rounding.
        near = self._tolerance(cards)
        best = [t for t, x in worths.items() if abs(x - optimum) <= near or t == turn]
        return Advice(turn, tuple(best), worths, left=left, right=right)

    def lead(
        self, left: SupportsIndex, right: SupportsIndex, *, player: Seat = 0
    ) -> Real:
        """Return what the player to move wins by in the cards of an interval.

        Parameters
        ----------
        left, right, player
            As for `advice`.
        """
        left, right = self._interval(left, right)
        sums = self._sums_of(seat_of(player, self.rules, "player"))[:, left, right]
        lead: Real = _number(self._leads(sums))
        return lead

    def play(self) -> Match[Real]:
        """Return the game from the whole row in which all follow the table."""
        players: Any = [self] * self.rules.players
        game: Any = match(self.cards, *players, rules=self.rules)
        sums = tuple([_number(x) for x in self.sums[:, 0, -1]])
        return replace(game, players=("optimal",) * len(players), sums=sums)

    @property
    def __name__(self) -> str:
        """The name of this player in matches."""
        return "solution"

    def _player(self, deals: Deals, name: str) -> Player:
        """Return it as the kernels ask it: who takes its best turns."""
        refuse_other_games(self.cards, self.rules, deals, name)
        return tabled(by_length(self.best))

    def _solved_in_general(self) -> Any:
        solver: Any = exact if self.backend == "exact" else diagonal

        def own_turn(state: State, best: tuple[Turn, ...]) -> Turn:
            # In float64, turns that are equal to rounding may be none of the game's.
            turn = Turn.of_code(self.best[state.left, state.right])
            return turn if turn in best else best[0]

        return solver.solve(self.rules.game(self.cards), tie_break=own_turn)

    def _facts(self) -> dict[str, object]:
        return {"cards": len(self.cards), "backend": self.backend, "value": self.value}

    def _table(self) -> Table:
        cards = counted(len(self.cards), "card")
        title = f"{cards}, {self.backend}: value {short(self.value)}"
        return cells(title, self.cards, self.best, self.ties, self.sums)

    def _columns(self) -> tuple[Any, dict[str, Any]]:
        left, right = np.triu_indices(len(self.cards))
        codes = self.best[left, right]
        tables = {"tie": self.ties}
        for player, sums in (("", self.sums), ("second_", self.sums_of_second)):
            if sums is not None:
                tables[f"{player}value"] = self._leads(sums)
                tables |= {f"{player}sum_{j}": table for j, table in enumerate(sums)}
        return {"left": left, "right": right}, {
            "side": np.where(codes < 0, "left", "right"),
            "count": np.abs(codes.astype(np.int64)),
            **{name: table[left, right] for name, table in tables.items()},
        }

    def _leads(self, sums: NDArray[Any]) -> NDArray[Any]:
        """Return what the player to move wins by, from the sums of all players."""
        best_other = np.min if self.rules.misere else np.max
        leads: NDArray[Any] = sums[0] - best_other(sums[1:], axis=0)
        return leads

    def _sums_of(self, player: int) -> NDArray[Any]:
        """Return the sums where a player is to move."""
        if player == 1 and self.sums_of_second is not None:
            return self.sums_of_second
        return self.sums

    def _interval(self, left: object, right: object) -> tuple[int, int]:
        left, right = arguments.integer("left", left), arguments.integer("right", right)
        if not left <= right < len(self.cards):
            raise ValueError(
                f"an interval must have left <= right < {len(self.cards)}, got "
                f"left={left}, right={right}"
            )
        return left, right

    def _worth(self, after: State, player: int) -> Any:
        """Return the worth of a turn to a player, as `Advice` has it."""
        left, right, following, taken = after
        worth: Any = taken[player]
        if left <= right:
            sums = [_number(x) for x in self._sums_of(following)[:, left, right]]
            worth += sums[-1]
            if len(sums) == 2:
                worth -= sums[0]
        return float(worth) if self.backend == "float64" else worth

    def _tolerance(self, length: int) -> float:
        if self.backend == "exact":
            return 0
        values: Any = self.rules.worths(self.cards)
        both = values[:1] if self.rules.weights is None else values
        cards = np.array([float(sum(x)) for x in zip(*both, strict=True)])
        # Leads differ by twice as much as sums; with weights a lead is half of the lead
        # in the worths to both players together.
        doubled = self.rules.players == 2 and self.rules.weights is None
        return (2 if doubled else 1) * diagonals.tolerance(cards, length)


def _number(cell: Any) -> Any:
    return cell.item() if isinstance(cell, np.generic) else cell


@overload
def solve(
    cards: Cards, *, rules: Rules | None = None, backend: Literal["float64"] = "float64"
) -> Solution[float]: ...
@overload
def solve(
    cards: Cards, *, rules: Rules | None = None, backend: Literal["exact"]
) -> Solution[Exact]: ...
@suggest_arguments
def solve(
    cards: Cards, *, rules: Rules | None = None, backend: Backend = "float64"
) -> Solution[float] | Solution[Exact]:
    """Solve every interval of a row, by dynamic programming.

    Grade: float64; exact with ``backend="exact"``.

    Parameters
    ----------
    cards : iterable of int, Fraction, Decimal or float
        The row from left to right, as for :func:`value`.
    rules : Rules, optional
        The classic rules if not given.
    backend : {"float64", "exact"}
        The arithmetic. Float tables are equally fast for all cards, and round each card
        to the nearest float64. Exact tables are of int64 where all cards are integers
        and no sum overflows, of Python ints where a sum would overflow, and of
        Fractions for other cards; the last two are slower and take more memory.

    Returns
    -------
    Solution
        Tables indexed ``[left, right]`` by the positions of the end cards.

    Raises
    ------
    TooLargeError
        If the table would not fit in memory. :func:`value`, :func:`match` and
        :class:`Position` need no table by the classic rules.

    Notes
    -----
    In float64 two turns at an interval of D cards count as a tie if their sums differ
    by at most ``5 u x D**2``, where x is the largest card of the row in absolute value
    and u = 2**-53. Sums are accurate to ``2 u x D**2`` as long as no two turns are
    closer to each other than that without being equal. So tables of integers with
    x D**2 < 2**49 are exact. The exact backend finds every tie with certainty.

    References
    ----------
    Pashevich and others ("APP2: Hold'em for n00bs"), section 4, which has this table.

    Examples
    --------
    >>> from cardgames_dp import cardrow
    >>> table = cardrow.solve([14, 4, 7, 2, 5, 12])
    >>> table.sums[0][0].tolist()  # of the player to move
    [14.0, 14.0, 18.0, 21.0, 20.0, 26.0]
    >>> cardrow.Turn.of_code(table.best[1, 3]), bool(table.ties[1, 3])
    (Turn(side='left', count=1), True)
    >>> cardrow.solve([14, 4, 7, 2, 5, 12], backend="exact").value
    8
    """
    rules, backend = arguments.rules(rules, Rules), arguments.backend(backend)
    row = read("cards", cards)
    found = diagonals.tables(Instance.of(rules, row), backend)
    return Solution(row.numbers(), rules, backend, *found)


def cells(
    title: str,
    cards: Sequence[Any],
    best: NDArray[Any],
    ties: NDArray[np.bool_],
    sums: NDArray[Any] | None = None,
) -> Table:
    """Return the table of the intervals of a row; a star marks ties.

    Parameters
    ----------
    title : str
    cards : sequence of numbers
    best, ties : ndarray, shape (n, n)
        As in :class:`~cardgames_dp.cardrow.solution.Solution`; 0 in `best` where
        another player moves.
    sums : ndarray, shape (players, n, n), optional
    """
    n = len(cards)
    # The corner of the intervals that are met first: arrows lead from cell to cell, so
    # that no rows between them can be left out.
    numbers = 1 if sums is None else len(sums)
    most = min(n, MOST_ROWS, max(1, math.isqrt(_MOST_SUMS // numbers)))
    rights = range(n - most, n)

    def cell(left: int, right: int) -> object:
        if left > right:
            return ""
        shown = _arrow(int(best[left, right])) if left < right or sums is None else ""
        if sums is not None:
            shown = f"{shown} {':'.join(map(_short, sums[:, left, right]))}".strip()
        return Marked(shown) if ties[left, right] else shown

    rows = [
        [_short(cards[left]), *[cell(left, right) for right in rights]]
        for left in range(most)
    ]
    after = " and the sums of the player to move and of the others"
    tie = "; *: a tie" * any(isinstance(x, Marked) for row in rows for x in row)
    notes = [
        "rows: left end card; columns: right end card",
        f"cells: turn (↓ left, ← right{tie}){after * (sums is not None)}",
    ]
    cut = f"the first {most} rows and the last {most} columns of {n} shown"
    head = ["left \\ right", *[_short(cards[right]) for right in rights]]
    return Table(head, rows, [*notes, *[cut] * (most < n)], title)


def _arrow(code: int) -> str:
    """Return where the best turn leads to."""
    if not code:
        return ""
    return ("↓" if code < 0 else "←") + ("" if abs(code) == 1 else str(abs(code)))


def _short(number: Any) -> str:
    return short(_number(number), digits=4)
