"""The solution of a red/black game: its tables, and what they say about a state."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import _checks, _html
from cardgames_dp._records import ArrayRecord, Record
from cardgames_dp.redblack import sheet
from cardgames_dp.redblack.boundary import Boundary
from cardgames_dp.redblack.rules import Rules

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class Advice(Record):
    """What to do in one state, and what it is worth; prints as a sentence.

    Attributes
    ----------
    red, black : int
        Cards remaining.
    cash : float or Fraction
        In hand, counted from the full deck.
    value : float or Fraction
        What playing on optimally brings on average, more than stopping now: 0 where
        stopping is optimal.
    total : float or Fraction
        What the game will have brought in the end; expected utility, with a utility.
    stop : float or Fraction
        What stopping now brings in all.
    draw : float, Fraction or None
        What drawing a card and playing on optimally brings in all; None without cards.
    action : {"draw", "stop"}
        What an optimal player does; the tie rule decides where both are worth the same.
    tie : bool
        Whether both are worth the same.

    Examples
    --------
    >>> from cardgames_dp import redblack
    >>> advice = redblack.solve(26, 26).advice(red=20, black=18)
    >>> advice.action, advice.cash, round(advice.value, 4), round(advice.total, 4)
    ('draw', -2.0, 3.732, 1.732)
    >>> print(redblack.solve(3, 3, backend="exact").advice(red=1, black=2))
    1 red and 2 black cards left, 1 in hand: drawing and stopping are both worth 1; \
the tie rule says stop.
    """

    red: int
    black: int
    cash: float | Fraction
    value: float | Fraction
    total: float | Fraction
    stop: float | Fraction
    draw: float | Fraction | None
    action: Literal["draw", "stop"]
    tie: bool

    @property
    def margin(self) -> float | Fraction | None:
        """By how much the better of drawing and stopping beats the other.

        None without cards.
        """
        if self.draw is None:
            return None
        return max(self.draw, self.stop) - min(self.draw, self.stop)

    def __str__(self) -> str:
        position = (
            f"{self.red} red and {self.black} black cards left, "
            f"{_short(self.cash)} in hand"
        )
        if self.draw is None:
            return f"{position}: the deck is empty, the game is over."
        if self.tie:
            return (
                f"{position}: drawing and stopping are both worth "
                f"{_short(self.stop)}; the tie rule says {self.action}."
            )
        best, other = (
            (
                f"draw, worth {_short(self.draw)}",
                f"stopping is worth {_short(self.stop)}",
            )
            if self.action == "draw"
            else (
                f"stop, worth {_short(self.stop)}",
                f"drawing is worth {_short(self.draw)}",
            )
        )
        return f"{position}: {best}; {other}."

    def _repr_html_(self) -> str:
        worths = {"draw": self.draw, "stop": self.stop}
        rows = [
            [
                _html.cell(action, mark="*" if action == self.action else None),
                _html.cell(_short(worth)),
            ]
            for action, worth in worths.items()
            if worth is not None
        ]
        return _html.table(str(self), ["action", "worth"], rows, ["Marked *: to do."])


def _short(number: float | Fraction) -> str:
    return f"{float(number):.6g}"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Solution(ArrayRecord):
    """A solved game: tables of all states, indexed ``[red, black]`` cards remaining.

    Made by :func:`solve`. In a notebook it shows itself as the spreadsheet of document
    001.

    Attributes
    ----------
    red, black : int
        Cards of each colour in the full deck.
    rules : Rules
        The amounts, in whose unit values are.
    backend : {"float64", "exact"}
        What computed the tables.
    method : str
        The algorithm used.
    values : ndarray, shape (red + 1, black + 1)
        What playing on optimally brings on average beyond stopping now, never
        negative; float64, or Fractions (dtype object). Read-only, as all tables.
    stop : ndarray of bool, same shape
        Where an optimal player stops; the empty deck is a stop.
    ties : ndarray of bool, same shape
        Where drawing and stopping are worth the same: exactly in an exact solution, to
        rounding in a float64 one.

    Examples
    --------
    >>> from cardgames_dp import redblack
    >>> table = redblack.solve(26, 26)
    >>> table
    <redblack.Solution of 26 red and 26 black, float64: value 2.62448>
    >>> print(table.advice(red=16, black=22))
    16 red and 22 black cards left, 6 in hand: stop, worth 6; drawing is worth 5.84211.
    """

    red: int
    black: int
    rules: Rules
    backend: Literal["float64", "exact"]
    method: str
    values: NDArray[Any]
    stop: NDArray[np.bool_]
    ties: NDArray[np.bool_]

    @property
    def value(self) -> float | Fraction:
        """What the whole game is worth; with a utility, its optimal expectation."""
        if self.rules.utility is None:
            return self._number(self.values[-1, -1])
        return self._total(self.red, self.black)

    @property
    def totals(self) -> NDArray[Any]:
        """What stopping now brings plus `values`, counted from the full deck.

        Computed at every access, of the same shape and type as `values`.
        """
        reds, blacks = np.arange(self.red + 1), np.arange(self.black + 1)
        return self._totals(self.values, reds, blacks)

    @property
    def boundary(self) -> Boundary:
        """Where to stop, as excess by cards remaining and as thresholds by excess.

        Raises
        ------
        ValueError
            On access, if for some n the stop set is not one-sided, as a utility can
            make it; `stop` says all.
        """
        return Boundary.of_table(self.rules, self.stop)

    def advice(
        self,
        *,
        red: int | None = None,
        black: int | None = None,
        drawn: int | None = None,
        good: int | None = None,
    ) -> Advice:
        """Return what to do now: give the cards remaining, or the cards in hand.

        Parameters
        ----------
        red, black : int
            Cards of each colour that remain.
        drawn, good : int
            Cards in hand, and how many of them are red (the good ones).

        Returns
        -------
        Advice
            Of floats, or of Fractions in an exact solution.

        Raises
        ------
        TypeError
            If not exactly one of the two pairs is given, as integers.
        ValueError
            If the state cannot be reached from the full deck.

        References
        ----------
        The question by cards in hand is the second function of document 000 (H. Yang).

        Examples
        --------
        >>> from cardgames_dp import redblack
        >>> table = redblack.solve(26, 26)
        >>> table.advice(drawn=14, good=6) == table.advice(red=20, black=18)
        True
        """
        red, black = self._state(red, black, drawn, good)
        stop, draw = self._stop_worth(red, black), self._draw_worth(red, black)
        tie = bool(self.ties[red, black])
        return Advice(
            red=red,
            black=black,
            cash=self._cash(red, black),
            value=self._number(self.values[red, black]),
            total=self._total(red, black),
            stop=stop,
            draw=stop if tie else draw,
            action="stop" if self.stop[red, black] else "draw",
            tie=tie,
        )

    def to_text(self) -> str:
        """Return the totals as the spreadsheet of document 001, as plain text.

        Rows are red cards remaining, columns black ones, from the full deck down; four
        digits; a star marks where to stop. Of large tables there are rows and columns
        in equal steps.
        """
        return sheet.text(self._sheet())

    def to_pandas(self) -> pd.DataFrame:
        """Return the totals as a DataFrame, red in rows and black in columns.

        Both from the full deck down, as in document 001.

        Raises
        ------
        ModuleNotFoundError
            If pandas is not installed.
        """
        return sheet.data_frame(self.totals)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain lists and numbers, ``[red][black]`` in tables."""
        return {
            "red": self.red,
            "black": self.black,
            "backend": self.backend,
            "method": self.method,
            "value": self.value,
            "values": self.values.tolist(),
            "totals": self.totals.tolist(),
            "stop": self.stop.tolist(),
            "ties": self.ties.tolist(),
        }

    def __repr__(self) -> str:
        return (
            f"<redblack.Solution of {self.red} red and {self.black} black, "
            f"{self.backend}: value {_short(self.value)}>"
        )

    def _repr_html_(self) -> str:
        return sheet.html(repr(self), self._sheet())

    def _state(
        self, red: int | None, black: int | None, drawn: int | None, good: int | None
    ) -> tuple[int, int]:
        given = [x is not None for x in (red, black, drawn, good)]
        if given == [True, True, False, False]:
            red, black = _checks.integer("red", red), _checks.integer("black", black)
            state = f"red={red}, black={black}"
        elif given == [False, False, True, True]:
            drawn, good = _checks.integer("drawn", drawn), _checks.integer("good", good)
            red, black = self.red - good, self.black - (drawn - good)
            state = f"drawn={drawn}, good={good}"
        else:
            raise TypeError(
                "advice takes either red and black (cards remaining) or drawn and good "
                "(cards in hand, and how many of them are red)"
            )
        if not (0 <= red <= self.red and 0 <= black <= self.black):
            raise ValueError(
                f"{state} cannot be reached from {self.red} red and {self.black} black"
            )
        return red, black

    def _cash(self, red: int, black: int) -> float | Fraction:
        cash = self.rules.cash(self.red - red, self.black - black)
        return cash if self.backend == "exact" else float(cash)

    def _stop_worth(self, red: int, black: int) -> float | Fraction:
        cash = self._cash(red, black)
        if isinstance(cash, Fraction):
            return self.rules.exact_reward([cash])[0]
        return float(self.rules.reward(np.array([cash]))[0])

    def _total(self, red: int, black: int) -> float | Fraction:
        return self._stop_worth(red, black) + self._number(self.values[red, black])

    def _draw_worth(self, red: int, black: int) -> float | Fraction | None:
        if red + black == 0:
            return None
        after_red = self._total(red - 1, black) if red else 0
        after_black = self._total(red, black - 1) if black else 0
        return (red * after_red + black * after_black) / (red + black)

    def _totals(
        self, values: NDArray[Any], reds: NDArray[np.int64], blacks: NDArray[np.int64]
    ) -> NDArray[Any]:
        """Return the totals of the states with these cards, given their values."""
        drawn_red, drawn_black = self.red - reds[:, None], self.black - blacks
        if self.backend == "exact":
            cash = [
                self.rules.cash(i, j)
                for i in drawn_red.ravel().tolist()
                for j in drawn_black.tolist()
            ]
            worth = np.empty(values.size, dtype=object)
            worth[:] = self.rules.exact_reward(cash)
            result: NDArray[Any] = values + worth.reshape(values.shape)
            return result
        gain, cost = float(self.rules.gain), float(self.rules.cost)
        amounts = gain * drawn_red - cost * drawn_black
        return values + self.rules.reward(amounts.ravel()).reshape(values.shape)

    def _sheet(self) -> sheet.Sheet:
        reds, blacks = sheet.shown(self.red + 1), sheet.shown(self.black + 1)
        cells = np.ix_(reds, blacks)
        totals = self._totals(self.values[cells], reds, blacks)
        return sheet.Sheet(reds, blacks, totals, self.stop[cells], self.stop.shape)

    def _number(self, cell: Any) -> float | Fraction:
        return cell if self.backend == "exact" else float(cell)
