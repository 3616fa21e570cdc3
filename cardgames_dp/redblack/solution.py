"""A solved game of red/black: tables of all states, and advice from them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import (
    TYPE_CHECKING,
    Any,
    Generic,
    Literal,
    SupportsIndex,
    TypeAlias,
    overload,
)

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import _checks, _records
from cardgames_dp._checks import Backend
from cardgames_dp._numbers import Number, printable
from cardgames_dp._records import ArrayRecord
from cardgames_dp.redblack import utilities
from cardgames_dp.redblack._kernels import limits, sheet, tables
from cardgames_dp.redblack.advice import Action, Advice, state_asked
from cardgames_dp.redblack.boundary import Boundary
from cardgames_dp.redblack.rules import Rules

if TYPE_CHECKING:
    import pandas as pd

Table: TypeAlias = Literal["totals", "values", "stop", "ties"]
TABLES: tuple[Table, ...] = ("totals", "values", "stop", "ties")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Solution(ArrayRecord, Generic[Number]):
    """A solved game: tables of all states, indexed ``[red, black]`` by cards remaining.

    Made by :func:`solve`. In a notebook it is shown as the spreadsheet of the Problem
    14 essay.

    Attributes
    ----------
    red, black : int
        Numbers of red and black cards in the full deck.
    rules : Rules
        The rules; values are in the unit of their amounts.
    backend : {"float64", "exact"}
        The arithmetic of the tables.
    values : ndarray, shape (red + 1, black + 1)
        The expected gain from playing on optimally instead of stopping now, never
        negative; float64, or Fractions (dtype object). Like all tables, read-only.
        Under a utility they are differences of expected utilities: infinite where
        stopping now is ruin and playing on is not, 0 where both are ruin.
    stop : ndarray of bool, same shape
        Where an optimal player stops; true for the empty deck.
    ties : ndarray of bool, same shape
        Where drawing and stopping are worth the same; in float64, up to rounding.

    Examples
    --------
    >>> from cardgames_dp import redblack
    >>> table = redblack.solve(26, 26)
    >>> table
    Solution(red=26, black=26, backend='float64', value=2.62448)
    >>> print(table.advice(red=16, black=22))
    16 red and 22 black cards left, 6 in hand: stop, worth 6; drawing is worth 5.84211.
    """

    red: int
    black: int
    rules: Rules
    backend: Literal["float64", "exact"]
    values: NDArray[Any]
    stop: NDArray[np.bool_]
    ties: NDArray[np.bool_]

    @property
    def value(self) -> Number:
        """The value of the full deck; under a utility, its optimal expected utility."""
        if self.rules.utility is None:
            return self._number(self.values[-1, -1])
        return self._total(self.red, self.black)

    @property
    def certainty_equivalent(self) -> float | Number:
        """The sure amount of cash that the player values as much as the whole game.

        Without a utility this is the `value`; with one, a float: the amount of cash
        that has this expected utility, from ``utilities.certainty_equivalent``.
        """
        return utilities.certainty_equivalent(self.rules.utility, self.value)

    @property
    def totals(self) -> NDArray[Any]:
        """The cash in hand, counted from the full deck, plus `values`.

        Under a utility, expected utilities. Computed anew at each access.
        """
        return self._totals(*self._all_cards)

    @property
    def boundary(self) -> Boundary:
        """The stopping boundary: excess by cards remaining, and thresholds by excess.

        Raises
        ------
        ValueError
            On access, if for some n the stop set is not one-sided, which can happen
            under a utility; `stop` has the whole set.
        """
        return Boundary.of_table(self.rules, self.stop)

    def advice(
        self,
        *,
        red: SupportsIndex | None = None,
        black: SupportsIndex | None = None,
        drawn: SupportsIndex | None = None,
        good: SupportsIndex | None = None,
    ) -> Advice[Number]:
        """Return what to do now, given the cards remaining or the cards in hand.

        Parameters
        ----------
        red, black : int
            Numbers of red and black cards that remain.
        drawn, good : int
            The number of cards in hand, and how many of them are red (the good ones).

        Returns
        -------
        Advice
            With floats, or with Fractions for an exact solution.

        Raises
        ------
        TypeError
            Unless exactly one of the two pairs is given, as integers.
        ValueError
            If the state cannot be reached from the full deck.

        References
        ----------
        The question by cards in hand is the second function of H. Yang's program.

        Examples
        --------
        >>> from cardgames_dp import redblack
        >>> table = redblack.solve(26, 26)
        >>> table.advice(drawn=14, good=6) == table.advice(red=20, black=18)
        True
        """
        red, black = state_asked((self.red, self.black), red, black, drawn, good)
        action: Action = "stop" if self.stop[red, black] else "draw"
        worths: dict[Action, Number] = {"stop": self._stop_worth(red, black)}
        draw, tie = self._draw_worth(red, black), bool(self.ties[red, black])
        if draw is not None:
            worths["draw"] = worths["stop"] if tie else draw
        # The same number as in `totals`, to the last bit.
        worths[action] = self._total(red, black)
        return Advice(
            action=action,
            best=("stop", "draw") if tie else (action,),
            worths=worths,
            red=red,
            black=black,
            cash=self._cash(red, black),
            value=self._number(self.values[red, black]),
            unit="cash" if self.rules.utility is None else "utility",
        )

    def to_text(self) -> str:
        """Return the totals as plain text, laid out as in the Problem 14 essay.

        Rows are red cards remaining, columns black cards remaining, both from the full
        deck down. Numbers have four digits; a star marks the states in which to stop.
        Large tables are thinned to rows and columns at equal distances. Under a
        utility, a last line says that the cells are expected utilities.
        """
        return sheet.text(self._sheet())

    def to_pandas(self, what: Table | Literal["all"] = "totals") -> pd.DataFrame:
        """Return one table, or all tables, as a DataFrame.

        Parameters
        ----------
        what : {"totals", "values", "stop", "ties", "all"}
            The table: red cards in rows and black cards in columns, both from the full
            deck down, as in the Problem 14 essay. "all" has a row for each state, and
            the columns "cash", "value", "total", "stop" and "tie".

        Raises
        ------
        TypeError, ValueError
            If `what` is not one of these words.
        ModuleNotFoundError
            If pandas is not installed.

        Examples
        --------
        >>> from cardgames_dp import redblack
        >>> redblack.solve(2, 1).to_pandas("all").loc[2, 1]
        cash          0.0
        value    1.333333
        total    1.333333
        stop        False
        tie         False
        Name: (2, 1), dtype: object
        """
        if _checks.choice("what", what, (*TABLES, "all")) != "all":
            return sheet.data_frame(getattr(self, what))
        tables = {
            "cash": self._cash_of(*self._all_cards),
            "value": self.values,
            "total": self.totals,
            "stop": self.stop,
            "tie": self.ties,
        }
        return sheet.long_frame(tables)

    def to_dict(self, *, json: bool = False) -> dict[str, Any]:
        """Return all fields as plain lists and numbers, tables as ``[red][black]``.

        Parameters
        ----------
        json : bool, default False
            Whether to use only types that JSON has: Fractions and infinities become
            text, a utility its name.
        """
        derived = {"value": self.value, "totals": self.totals}
        own = _records.plain(self, json=json)
        return {**own, **_records.plain(derived, json=json)}

    def __repr__(self) -> str:
        facts: dict[str, object] = {"red": self.red, "black": self.black}
        if self.rules != Rules():
            facts["rules"] = self.rules
        return _records.summary(self, **facts, backend=self.backend, value=self.value)

    def _repr_html_(self) -> str:
        return sheet.html(repr(self), self._sheet())

    @property
    def _all_cards(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        return np.arange(self.red + 1), np.arange(self.black + 1)

    def _cash(self, red: int, black: int) -> Number:
        return self._number(self.rules.cash(self.red - red, self.black - black))

    def _stop_worth(self, red: int, black: int) -> Number:
        cash = self._cash(red, black)
        if isinstance(cash, Fraction):
            return self._number(self.rules.exact_reward([cash])[0])
        return self._number(self.rules.reward(np.array([cash]))[0])

    def _total(self, red: int, black: int) -> Number:
        value = self._number(self.values[red, black])
        if value == math.inf:
            return self._number(self.totals[red, black])
        return self._number(self._stop_worth(red, black) + value)

    def _draw_worth(self, red: int, black: int) -> Number | None:
        if red + black == 0:
            return None
        ways = (red, (red - 1, black)), (black, (red, black - 1))
        drawn: Any = sum(cards * self._total(*after) for cards, after in ways if cards)
        return self._number(drawn / (red + black))

    def _cash_of(
        self, reds: NDArray[np.int64], blacks: NDArray[np.int64]
    ) -> NDArray[Any]:
        deck, exact = (self.red, self.black), self.backend == "exact"
        return tables.cash(self.rules, deck, reds, blacks, exact=exact)

    def _totals(
        self, reds: NDArray[np.int64], blacks: NDArray[np.int64]
    ) -> NDArray[Any]:
        """Return the totals of the states with these cards."""
        values = self.values[np.ix_(reds, blacks)]
        if not np.equal(values, math.inf).any():
            return tables.totals(self.rules, values, self._cash_of(reds, blacks))
        cash = self._cash_of(*self._all_cards)
        past_ruin = tables.totals_past_ruin(self.values, self.rules.reward(cash))
        return past_ruin[np.ix_(reds, blacks)]

    def _sheet(self) -> sheet.Sheet:
        reds, blacks = sheet.shown(self.red + 1), sheet.shown(self.black + 1)
        stop = self.stop[np.ix_(reds, blacks)]
        cell = "total" if self.rules.utility is None else "expected utility"
        totals = self._totals(reds, blacks)
        return sheet.Sheet(reds, blacks, totals, stop, self.stop.shape, cell)

    def _number(self, number: Any) -> Number:
        """Return a number in the arithmetic of the tables."""
        as_shown: Any = printable(number) if self.backend == "exact" else float(number)
        result: Number = as_shown
        return result


@overload
def solve(
    red: SupportsIndex,
    black: SupportsIndex,
    *,
    rules: Rules | None = None,
    backend: Literal["float64"] = "float64",
    max_bytes: SupportsIndex | None = None,
    progress: bool = False,
) -> Solution[float]: ...
@overload
def solve(
    red: SupportsIndex,
    black: SupportsIndex,
    *,
    rules: Rules | None = None,
    backend: Literal["exact"],
    max_bytes: SupportsIndex | None = None,
    progress: bool = False,
) -> Solution[Fraction]: ...
def solve(
    red: SupportsIndex,
    black: SupportsIndex,
    *,
    rules: Rules | None = None,
    backend: Backend = "float64",
    max_bytes: SupportsIndex | None = None,
    progress: bool = False,
) -> Solution[float] | Solution[Fraction]:
    """Solve the game in all states that it can reach.

    Grade: float64; exact with ``backend="exact"``.

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
    max_bytes : int, optional
        The largest table to make, in bytes; half of this machine's memory if not given.
    progress : bool, default False
        Show a progress bar, for which `tqdm` is needed (the extra ``progress``).

    Returns
    -------
    Solution
        Tables indexed by cards remaining, ``[red, black]``.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described above, amounts are too large or too small for
        float64, or the utility returns anything but finite real numbers.
    TooLargeError
        If the tables would not fit in memory. Without a table, :func:`value` returns
        the value, :func:`thresholds` the boundary and :func:`payoff_law` the law.
    TooLongError
        If it would take weeks, or more than an hour without `progress`.
    ModuleNotFoundError
        If `progress` is true and `tqdm` is not installed.

    Notes
    -----
    In float64, stopping and drawing count as a tie if their worths differ by no more
    than a running bound of the rounding error. The exact backend finds every tie with
    certainty.

    References
    ----------
    The Problem 14 essay ("Problem 14 Dynamic Programming Solutions"), whose spreadsheet
    by Han Zheng is the table of totals of 26 red and 26 black cards.

    Examples
    --------
    >>> from cardgames_dp import redblack
    >>> table = redblack.solve(4, 4)
    >>> table.values[:5, :5].round(4).tolist()[3]
    [3.0, 2.25, 1.5, 0.85, 0.3429]
    >>> bool(table.stop[1, 2]), bool(table.ties[1, 2])
    (True, True)
    """
    red, black = _checks.integer("red", red), _checks.integer("black", black)
    rules = _checks.rules(rules, Rules)
    exact = _checks.backend(backend) == "exact"
    if max_bytes is not None:
        max_bytes = _checks.integer("max_bytes", max_bytes)
    progress = _checks.boolean("progress", progress)
    limits.refuse_tables(
        red, black, exact=exact, progress=progress, max_bytes=max_bytes
    )
    found = tables.tables(rules, red, black, exact=exact, progress=progress)
    return Solution(red, black, rules, backend, *found)
