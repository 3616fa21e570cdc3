"""A solved game of red/black: tables of all states, and advice from them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Generic, Literal, SupportsIndex, TypeAlias, overload

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import diagonal, exact
from cardgames_dp._graph.own_solutions import OwnSolution
from cardgames_dp._results import tables
from cardgames_dp._results.records import AdviceRecord
from cardgames_dp._support import arguments
from cardgames_dp._support.arguments import Backend
from cardgames_dp._support.calls import suggest_arguments
from cardgames_dp._support.printing import Number, short
from cardgames_dp.redblack._kernels import recurrence
from cardgames_dp.redblack.boundary import Boundary, of_table
from cardgames_dp.redblack.deck import game
from cardgames_dp.redblack.rules import Problem, Rules, told
from cardgames_dp.redblack.utilities import in_float64, in_fractions, of_one

Action: TypeAlias = Literal["draw", "stop"]


@dataclass(frozen=True, slots=True, repr=False)
class Advice(AdviceRecord[Action, Number], Generic[Number]):
    """What to do in one state, and what each action is worth; prints as a sentence.

    Attributes
    ----------
    action : {"draw", "stop"}
        What an optimal player does; in a tie, as the tie rule says.
    best : tuple of {"draw", "stop"}
        The optimal actions: both in a tie.
    values : mapping of {"draw", "stop"} to float or Fraction
        The expected final cash after each action: after `stop` and, unless the deck is
        empty, after `draw`. Under a utility, its expected utility.
    red, black : int
        Numbers of red and black cards remaining.
    cash : float or Fraction
        The cash in hand, counted from the full deck.
    unit : {"cash", "utility"}
        The unit of `values`: cash, or utility under rules with a utility.

    Examples
    --------
    >>> from cardgames_dp import redblack
    >>> advice = redblack.solve(26, 26).advice(red=20, black=18)
    >>> advice.action, advice.cash, round(advice.value, 4), round(advice.margin, 4)
    ('draw', -2.0, 1.732, 3.732)
    >>> print(redblack.solve(3, 3, backend="exact").advice(red=1, black=2))
    1 red and 2 black cards left, 1 in hand: drawing and stopping are both worth 1; \
    the tie rule says stop.
    """

    red: int
    black: int
    cash: Number
    unit: Literal["cash", "utility"] = "cash"

    def __str__(self) -> str:
        return f"{self._summary()}."

    def _summary(self) -> str:
        position = (
            f"{self.red} red and {self.black} black cards left, "
            f"{short(self.cash)} in hand"
        )
        of = "" if self.unit == "cash" else "a utility of "
        stop = f"worth {of}{short(self.values['stop'])}"
        if "draw" not in self.values:
            return f"{position}: the deck is empty, the game is over"
        if self.tie:
            return (
                f"{position}: drawing and stopping are both {stop}; "
                f"the tie rule says {self.action}"
            )
        draw = f"worth {of}{short(self.values['draw'])}"
        if self.action == "draw":
            return f"{position}: draw, {draw}; stopping is {stop}"
        return f"{position}: stop, {stop}; drawing is {draw}"

    def _measure(self) -> str:
        return "value" if self.unit == "cash" else "expected utility"


def state_asked(
    full: tuple[int, int],
    red: SupportsIndex | None,
    black: SupportsIndex | None,
    drawn: SupportsIndex | None,
    good: SupportsIndex | None,
) -> tuple[int, int]:
    """Return the cards remaining of a full deck, given directly or as cards in hand."""
    given = [x is not None for x in (red, black, drawn, good)]
    if given == [True, True, False, False]:
        red, black = arguments.integer("red", red), arguments.integer("black", black)
        state = f"red={arguments.shown(red)}, black={arguments.shown(black)}"
    elif given == [False, False, True, True]:
        drawn, good = arguments.integer("drawn", drawn), arguments.integer("good", good)
        red, black = full[0] - good, full[1] - (drawn - good)
        state = f"drawn={arguments.shown(drawn)}, good={arguments.shown(good)}"
    else:
        raise TypeError(
            "advice takes either red and black (cards remaining) or drawn and good "
            "(cards in hand, and how many of them are red)"
        )
    if not (0 <= red <= full[0] and 0 <= black <= full[1]):
        raise ValueError(
            f"{state} cannot be reached from {full[0]} red and {full[1]} black"
        )
    return red, black


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Solution(OwnSolution, Generic[Number]):
    r"""A solved game: tables of all states, indexed ``[red, black]`` by cards left.

    Made by :func:`solve`. It prints, and is shown in a notebook, as the spreadsheet of
    the Problem 14 essay: totals by cards remaining, with a star where to stop.

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
    >>> print(redblack.solve(2, 2))
    red \ black        2        1   0
              2  0.6667   0.3333   0
              1       1*     0.5   0
              0       2*       1*  0*
    (rows: red cards left, columns: black cards left; total; *: stop)
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
    def payoffs(self) -> tuple[Number]:
        """The value in a tuple, as of every game."""
        return (self.value,)

    @property
    def totals(self) -> NDArray[Any]:
        """The cash in hand, counted from the full deck, plus `values`.

        Under a utility, expected utilities. Computed anew at each access.
        """
        return self._totals(*self._all_cards)

    @property
    def boundary(self) -> Boundary:
        """The stopping boundary: where to stop, by cards remaining.

        Raises
        ------
        ValueError
            On access, if for some n the stop set is not one-sided, which can happen
            under a utility; `stop` has the whole set.
        """
        return Boundary(self.red, self.black, self.rules, of_table(self.stop))

    def advice(
        self,
        red: SupportsIndex | None = None,
        black: SupportsIndex | None = None,
        *,
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
        of_each: dict[Action, Number] = {"stop": self._stop_worth(red, black)}
        draw, tie = self._draw_worth(red, black), bool(self.ties[red, black])
        if draw is not None:
            of_each["draw"] = of_each["stop"] if tie else draw
        # As in `totals`, up to a rounding of amounts that are no binary fractions.
        of_each[action] = self._total(red, black)
        return Advice(
            action=action,
            best=("stop", "draw") if tie else (action,),
            values=of_each,
            red=red,
            black=black,
            cash=self._cash(red, black),
            unit="cash" if self.rules.utility is None else "utility",
        )

    _derived = ("value", "totals")

    def _solved_in_general(self) -> Any:
        solver = exact if self.backend == "exact" else diagonal
        return solver.solve(game(self.red, self.black, rules=self.rules))

    def _facts(self) -> dict[str, object]:
        return told(self, "red", "black", "rules", "backend", "value")

    def _table(self) -> tables.Table:
        """Return the sheet of totals, from the full deck down.

        A large one is thinned to rows and columns at equal distances, because the
        corner at the full deck would have no stop cell.
        """
        height, width = self.stop.shape
        reds: NDArray[np.int64] = np.array(tables.spread(height)[::-1])
        blacks: NDArray[np.int64] = np.array(tables.spread(width)[::-1])
        stops = self.stop[np.ix_(reds, blacks)]
        totals = self._totals(reds, blacks).tolist()
        rows: list[list[object]] = []
        for red, numbers, marks in zip(reds.tolist(), totals, stops, strict=True):
            texts: list[object] = [short(number, 4) for number in numbers]
            for place in np.flatnonzero(marks).tolist():
                texts[place] = tables.Marked(texts[place])
            rows.append([str(red), *texts])
        of = "total" if self.rules.utility is None else "expected utility"
        notes = [f"rows: red cards left, columns: black cards left; {of}; *: stop"]
        if len(reds) < height or len(blacks) < width:
            shown = f"{len(reds)} of {height} rows and {len(blacks)} of {width} columns"
            notes.append(f"{shown} shown")
        head = ["red \\ black", *map(str, blacks.tolist())]
        return tables.Table(head, rows, notes, left=(), most=len(rows))

    def _columns(self) -> tuple[Any, dict[str, Any]]:
        """Return a row for each state, from the full deck down."""
        cash = self._cash_of(*self._all_cards)
        columns = {"cash": cash, "value": self.values, "total": self.totals}
        columns |= {"stop": self.stop, "tie": self.ties}
        down = {name: table[::-1, ::-1].ravel() for name, table in columns.items()}
        red, black = np.indices(self.stop.shape)[:, ::-1, ::-1].reshape(2, -1)
        return {"red": red, "black": black}, down

    @property
    def _all_cards(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        return np.arange(self.red + 1), np.arange(self.black + 1)

    def _cash(self, red: int, black: int) -> Number:
        return self._number(self.rules.cash(self.red - red, self.black - black))

    def _stop_worth(self, red: int, black: int) -> Number:
        return self._number(of_one(self.rules.utility, self._cash(red, black)))

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
        """Return the cash in the states with these cards, as a table."""
        rules, red_drawn, black_drawn = self.rules, self.red - reds, self.black - blacks
        if self.backend == "float64":
            gained = float(rules.gain) * red_drawn[:, None]
            return gained - float(rules.cost) * black_drawn
        gained = rules.gain * red_drawn.astype(object)[:, None]
        return np.asarray(gained - rules.cost * black_drawn.astype(object))

    def _totals(
        self, reds: NDArray[np.int64], blacks: NDArray[np.int64]
    ) -> NDArray[Any]:
        """Return the totals of the states with these cards."""
        values = self.values[np.ix_(reds, blacks)]
        if np.equal(values, math.inf).any():
            stopping = in_float64(self.rules.utility, self._cash_of(*self._all_cards))
            past_ruin = recurrence.totals_past_ruin(self.values, stopping)
            return past_ruin[np.ix_(reds, blacks)]
        cash = self._cash_of(reds, blacks)
        if self.backend == "float64":
            return np.asarray(values + in_float64(self.rules.utility, cash))
        worth = in_fractions(self.rules.utility, cash.ravel().tolist())
        return np.asarray(values + np.array(worth, object).reshape(values.shape))

    def _number(self, number: Any) -> Number:
        """Return a number in the arithmetic of the tables."""
        as_shown: Any = number if self.backend == "exact" else float(number)
        result: Number = as_shown
        return result


@overload
def solve(
    red: SupportsIndex,
    black: SupportsIndex,
    *,
    rules: Rules | None = None,
    backend: Literal["float64"] = "float64",
) -> Solution[float]: ...
@overload
def solve(
    red: SupportsIndex,
    black: SupportsIndex,
    *,
    rules: Rules | None = None,
    backend: Literal["exact"],
) -> Solution[Fraction]: ...
@suggest_arguments
def solve(
    red: SupportsIndex,
    black: SupportsIndex,
    *,
    rules: Rules | None = None,
    backend: Backend = "float64",
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

    Returns
    -------
    Solution
        Tables indexed by cards remaining, ``[red, black]``.

    Raises
    ------
    TooLargeError
        If the tables would not fit in memory. Without a table, :func:`value` returns
        the value, :func:`thresholds` the boundary and :func:`distribution` what may
        happen.

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
    problem = Problem.of(red, black, rules, backend)
    recurrence.refuse_large_tables(problem)
    found = recurrence.tables(problem)
    return Solution(problem.red, problem.black, problem.rules, backend, *found)
