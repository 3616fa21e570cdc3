"""A solved row: the best turn and the sums at every interval, as tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Literal, SupportsIndex, overload

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import _checks
from cardgames_dp._checks import Backend
from cardgames_dp._numbers import short
from cardgames_dp._records import ArrayRecord, plain, summary
from cardgames_dp.cardrow._cards import read
from cardgames_dp.cardrow._kernels import diagonals, sheet, tables
from cardgames_dp.cardrow._kernels.row import Cards, Exact, Real, counted
from cardgames_dp.cardrow.advice import Advice
from cardgames_dp.cardrow.play import Play, follow
from cardgames_dp.cardrow.rules import Rules, instance_of
from cardgames_dp.cardrow.turns import Turn

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Solution(ArrayRecord, Generic[Real]):
    """A solved row: tables of all its intervals, indexed ``[left, right]``.

    Made by :func:`solve`. An interval is the cards left, from position `left` to
    position `right`, counted from 0 and both included. Cells with left > right hold
    zeros. In a notebook a solution is displayed as the table of Pashevich's report. The
    arrays are read-only.

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
        the next one, and so on. Of int64 or float64, or of Python ints or Fractions
        (dtype object).
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
    cards 1 to 5: take right; worth: left -4, right 6.
    """

    cards: tuple[Exact, ...]
    rules: Rules
    backend: Backend
    best: NDArray[np.signedinteger[Any]]
    ties: NDArray[np.bool_]
    sums: NDArray[Any]
    sums_of_second: NDArray[Any] | None

    @property
    def my_sum(self) -> NDArray[Any]:
        """The sum that the player to move takes of each interval."""
        table: NDArray[Any] = self.sums[0]
        return table

    @property
    def opp_sum(self) -> NDArray[Any]:
        """The sum that the opponent of the player to move takes of each interval.

        Raises
        ------
        ValueError
            On access, with more than two players; use `sums`.
        """
        if self.rules.players > 2:
            raise ValueError(
                f"opp_sum is for two players, got players={self.rules.players}; "
                "use sums"
            )
        table: NDArray[Any] = self.sums[1]
        return table

    @property
    def value(self) -> Real:
        """The value of the row: what the first player wins by; see :func:`value`."""
        lead: Real = _number(self._leads(self.sums[:, :1, -1:])[0, 0])
        return lead

    def best_turn(self, left: SupportsIndex, right: SupportsIndex) -> Turn:
        """Return the best turn at an interval, by the tie rule.

        Parameters
        ----------
        left, right : int
            Positions of the end cards, counted from 0.

        Raises
        ------
        TypeError, ValueError
            As for `advice`.
        """
        return Turn.of_code(self.best[self._interval(left, right)])

    def advice(
        self, left: SupportsIndex, right: SupportsIndex, *, player: SupportsIndex = 0
    ) -> Advice[Real]:
        """Return the best turns at an interval, and the worths of all turns.

        Parameters
        ----------
        left, right : int
            Positions of the end cards, counted from 0.
        player : int, default 0
            The player to move. It matters only with weights.

        Returns
        -------
        Advice
            Its worths are exact numbers, or floats in a float64 solution.

        Raises
        ------
        TypeError
            If an argument is not an integer.
        ValueError
            If there is no such interval or no such player.
        """
        left, right = self._interval(left, right)
        player = _checks.integer("player", player)
        if player >= self.rules.players:
            raise ValueError(
                f"player must be less than {self.rules.players}, got "
                f"{_checks.shown(player)}"
            )
        turns = self._turns(left, right)
        worths: dict[Turn, Any]
        worths = {turn: self._worth(left, right, turn, player) for turn in turns}
        optimum = (min if self.rules.misere else max)(worths.values())
        turn = self.best_turn(left, right)
        # In float64 the table's own turn is always among the best, despite rounding.
        near = self._tolerance(right - left + 1)
        best = [t for t, x in worths.items() if abs(x - optimum) <= near or t == turn]
        return Advice(turn, tuple(best), worths, left=left, right=right)

    def play(self) -> Play[Real]:
        """Return the game from the whole row in which all follow the table."""
        n, players = len(self.cards), self.rules.players
        best = self.best
        line = follow(n, players, lambda left, right: int(best[left, right]))
        return Play(*line, tuple([_number(x) for x in self.sums[:, 0, -1]]))

    def to_text(self) -> str:
        """Return the table as text: arrows for best turns, sums, and stars for ties.

        An arrow points to the cell of the interval that the best turn leaves: a turn
        from the left points down, a turn from the right points left. Large tables are
        cut to the corner with the whole row.
        """
        return sheet.text(self.cards, self.best, self.ties, self.sums)

    def to_pandas(self) -> pd.DataFrame:
        """Return a DataFrame with one row an interval.

        The index is (left, right). The columns are side, count, tie, value (what the
        player to move wins by) and the sums of the players: sum_0 of the one to move,
        sum_1 of the next, and so on. With weights these are for the first player to
        move; second_value, second_sum_0 and second_sum_1 are for the second.

        Raises
        ------
        ModuleNotFoundError
            If pandas is not installed.
        """
        columns = {f"sum_{j}": table for j, table in enumerate(self.sums)}
        columns = {"value": self._leads(self.sums), **columns}
        if self.sums_of_second is not None:
            columns["second_value"] = self._leads(self.sums_of_second)
            for j, table in enumerate(self.sums_of_second):
                columns[f"second_sum_{j}"] = table
        return sheet.data_frame(self.best, self.ties, columns)

    def to_dict(self, *, json: bool = False) -> dict[str, Any]:
        """Return all fields as plain lists and numbers; tables are ``[left][right]``.

        Parameters
        ----------
        json : bool, default False
            Whether to use only types that JSON has: Fractions become text.
        """
        found: dict[str, Any] = plain(
            {
                "cards": list(self.cards),
                "rules": self.rules,
                "backend": self.backend,
                "value": self.value,
                "best": self.best,
                "ties": self.ties,
                "sums": self.sums,
                "sums_of_second": self.sums_of_second,
            },
            json=json,
        )
        return found

    def __repr__(self) -> str:
        return summary(
            self, cards=len(self.cards), backend=self.backend, value=self.value
        )

    def _repr_html_(self) -> str:
        title = (
            f"{counted(len(self.cards), 'card')}, {self.backend}: value "
            f"{short(self.value)}"
        )
        return sheet.html(title, self.cards, self.best, self.ties, self.sums)

    def _leads(self, sums: NDArray[Any]) -> NDArray[Any]:
        """Return what the player to move wins by, from the sums of all players."""
        best_other = np.min if self.rules.misere else np.max
        leads: NDArray[Any] = sums[0] - best_other(sums[1:], axis=0)
        return leads

    def _interval(self, left: object, right: object) -> tuple[int, int]:
        left, right = _checks.integer("left", left), _checks.integer("right", right)
        if not left <= right < len(self.cards):
            raise ValueError(
                f"an interval must have left <= right < {len(self.cards)}, got "
                f"left={left}, right={right}"
            )
        return left, right

    def _turns(self, left: int, right: int) -> list[Turn]:
        cards = right - left + 1
        most = min(self.rules.take, cards)
        counts = range(1, most + 1)
        from_right = [Turn("right", count) for count in counts if count < cards]
        return [Turn("left", count) for count in counts] + from_right

    def _worth(self, left: int, right: int, turn: Turn, player: int) -> Real:
        """Return the worth of a turn to a player, as `Advice` has it."""
        if turn.side == "left":
            taken = range(left, left + turn.count)
            left += turn.count
        else:
            taken = range(right - turn.count + 1, right + 1)
            right -= turn.count
        own: Any = self.cards
        if player == 1 and self.rules.weights is not None:
            own = self.rules.weights
        gain: Any = sum([own[i] for i in taken])
        after = self.sums
        if self.sums_of_second is not None and player == 0:
            after = self.sums_of_second
        sums: list[Any] = [0] * self.rules.players
        if left <= right:
            sums = [_number(x) for x in after[:, left, right]]
        worth: Any = gain + sums[-1]
        if self.rules.players == 2:
            worth -= sums[0]
        found: Any = float(worth) if self.backend == "float64" else worth
        return found  # type: ignore[no-any-return]  # of the kind of the backend

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
    cards: Cards,
    *,
    rules: Rules | None = None,
    backend: Literal["float64"] = "float64",
    max_bytes: SupportsIndex | None = None,
    progress: bool = False,
) -> Solution[float]: ...
@overload
def solve(
    cards: Cards,
    *,
    rules: Rules | None = None,
    backend: Literal["exact"],
    max_bytes: SupportsIndex | None = None,
    progress: bool = False,
) -> Solution[Exact]: ...
def solve(
    cards: Cards,
    *,
    rules: Rules | None = None,
    backend: Backend = "float64",
    max_bytes: SupportsIndex | None = None,
    progress: bool = False,
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
    max_bytes : int, optional
        The largest table to make, in bytes; half of this machine's memory if not given.
    progress : bool, default False
        Show a progress bar, for which `tqdm` is needed (the extra ``progress``).

    Returns
    -------
    Solution
        Tables indexed ``[left, right]`` by the positions of the end cards.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described above, the weights of the rules are not one
        for each card, or, in float64, sums of the cards are too large.
    TooLargeError
        If the table would not fit in memory. :func:`value`, :func:`scores`,
        :func:`best_move` and :func:`optimal_play` need no table.
    TooLongError
        If it would take weeks, or more than an hour without `progress`.

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
    >>> table.my_sum[0].tolist()
    [14.0, 14.0, 18.0, 21.0, 20.0, 26.0]
    >>> table.best_turn(1, 3), bool(table.ties[1, 3])
    (Turn(side='left', count=1), True)
    >>> cardrow.solve([14, 4, 7, 2, 5, 12], backend="exact").value
    8
    """
    rules = _checks.rules(rules, Rules)
    exact = _checks.backend(backend) == "exact"
    progress = _checks.boolean("progress", progress)
    if max_bytes is not None:
        max_bytes = _checks.integer("max_bytes", max_bytes)
    row = read("cards", cards)
    instance = instance_of(rules, row)
    found = tables.solved(instance, exact=exact, max_bytes=max_bytes, progress=progress)
    return Solution(tuple(row.numbers()), rules, backend, *found)
