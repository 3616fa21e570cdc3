"""What is known of a game with a prior that is solved, and its advice."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Generic, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import _checks, _records
from cardgames_dp._advice import AdviceRecord
from cardgames_dp._checks import Backend
from cardgames_dp._numbers import Number, printable, short
from cardgames_dp._records import ArrayRecord
from cardgames_dp.redblack._kernels import urns as kernel
from cardgames_dp.redblack.advice import Action
from cardgames_dp.redblack.rules import Rules


@dataclass(frozen=True, slots=True, repr=False)
class Advice(AdviceRecord[Action, Number], Generic[Number]):
    """What to do after some draws; prints as a sentence.

    Attributes
    ----------
    action : {"draw", "stop"}
        What an optimal player does; the tie rule decides where both are worth the same.
    best : tuple of {"draw", "stop"}
    worths : mapping of {"draw", "stop"} to float or Fraction
        What either brings in all; with a utility, its expectation.
    red, black : int
        Cards drawn.
    cash : float or Fraction
        In hand.
    odds : float or Fraction
        How likely the next card is red.

    Examples
    --------
    >>> from cardgames_dp import redblack
    >>> advice = redblack.urns.solve([1, 1, 1], backend="exact").advice(red=1, black=0)
    >>> advice.action, advice.odds, advice.worth
    ('draw', Fraction(2, 3), Fraction(4, 3))
    """

    red: int
    black: int
    cash: Number
    odds: Number

    def __str__(self) -> str:
        return f"{self._summary()}."

    def _summary(self) -> str:
        position = (
            f"{self.red} red and {self.black} black cards drawn, {short(self.cash)} in "
            "hand"
        )
        if "draw" not in self.worths:
            return f"{position}: all cards are drawn, the game is over"
        position += f", the next is red with chance {short(self.odds)}"
        stop, draw = short(self.worths["stop"]), short(self.worths["draw"])
        if self.tie:
            return f"{position}: drawing and stopping are both worth {stop}"
        if self.action == "draw":
            return f"{position}: draw, worth {draw}; stopping is worth {stop}"
        return f"{position}: stop, worth {stop}; drawing is worth {draw}"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Solution(ArrayRecord, Generic[Number]):
    """The game with a prior solved: tables by cards drawn. Made by :func:`solve`.

    Attributes
    ----------
    prior : tuple of Fraction
        The weights of 0, 1, ..., N red cards; they sum to 1.
    rules : Rules
    backend : {"float64", "exact"}
    totals : ndarray, shape (N + 1, N + 1)
        What optimal play brings in all, on average, after so many ``[red, black]``
        cards drawn; with a utility, its expectation. Float64, or Fractions (dtype
        object). Read-only, as all tables.
    values : ndarray, same shape
        What playing on optimally brings beyond stopping now, never negative.
    odds : ndarray, same shape
        How likely the next card is red.
    ties, possible : ndarray of bool, same shape
        Where drawing and stopping are worth the same, in float64 to rounding; and which
        states can be met. In float64 states less likely than 1e-250 cannot. Numbers of
        states that cannot be met mean nothing.

    Examples
    --------
    >>> from cardgames_dp import redblack
    >>> urn = redblack.urns.solve(redblack.urns.beta_binomial(10, 2, 3))
    >>> round(urn.value, 6), round(float(urn.odds[1, 0]), 6)
    (0.069863, 0.5)
    """

    prior: tuple[Fraction, ...]
    rules: Rules
    backend: Backend
    totals: NDArray[Any]
    values: NDArray[Any]
    odds: NDArray[Any]
    ties: NDArray[np.bool_]
    possible: NDArray[np.bool_]

    @property
    def cards(self) -> int:
        """How many cards there are to draw."""
        return len(self.prior) - 1

    @property
    def value(self) -> Number:
        """What the whole game is worth; with a utility, its optimal expectation."""
        return self._number(self.totals[0, 0])

    @property
    def stop(self) -> NDArray[np.bool_]:
        """Where an optimal player stops; after the last card, too."""
        stops = np.asarray(self.values == 0)
        if self.rules.tie == "draw":
            stops = stops & ~self.ties
        found: NDArray[np.bool_] = stops.astype(bool)
        return found

    def posterior(
        self, *, red: SupportsIndex, black: SupportsIndex
    ) -> NDArray[np.float64] | NDArray[np.object_]:
        """Return how likely each number of red cards among those left is.

        Parameters
        ----------
        red, black : int
            Cards drawn.

        Returns
        -------
        ndarray of float64, or of Fractions (dtype object)
            Of 0, 1, ..., all of the cards left.

        Raises
        ------
        TypeError, ValueError
            If these cards cannot be drawn.

        Examples
        --------
        >>> from cardgames_dp import redblack
        >>> urn = redblack.urns.solve([1, 1, 1, 1], backend="exact")
        >>> [str(chance) for chance in urn.posterior(red=2, black=0)]
        ['1/4', '3/4']
        """
        red, black = self._state(red, black)
        exact = self.backend == "exact"
        chances = kernel.posterior(list(self.prior), red, black, exact=exact)
        return np.array(chances, dtype=object if exact else np.float64)

    def advice(self, *, red: SupportsIndex, black: SupportsIndex) -> Advice[Number]:
        """Return what to do after these cards were drawn.

        Raises
        ------
        TypeError, ValueError
            If they cannot be drawn.
        """
        red, black = self._state(red, black)
        tie, odds = bool(self.ties[red, black]), self.odds[red, black]
        cash = self.rules.cash(red, black)
        if self.backend == "exact":
            stop = self._number(self.rules.exact_reward([cash])[0])
        else:
            stop = self._number(self.rules.reward(np.array([float(cash)]))[0])
        action: Action = "stop" if self.stop[red, black] else "draw"
        worths: dict[Action, Number] = {"stop": stop}
        if red + black < self.cards:
            draw = odds * self.totals[red + 1, black]
            draw += (1 - odds) * self.totals[red, black + 1]
            worths["draw"] = stop if tie else self._number(draw)
        return Advice(
            action=action,
            best=("stop", "draw") if tie else (action,),
            worths=worths,
            red=red,
            black=black,
            cash=self._number(cash),
            odds=self._number(odds),
        )

    def to_dict(self, *, json: bool = False) -> dict[str, Any]:
        """Return everything as plain lists and numbers, ``[red][black]`` in tables.

        Parameters
        ----------
        json : bool, default False
            Whether only what JSON has may be in it: Fractions become strings.
        """
        own = _records.plain(self, json=json)
        return {**own, "value": _records.plain(self.value, json=json)}

    def _state(self, red: SupportsIndex, black: SupportsIndex) -> tuple[int, int]:
        red, black = _checks.integer("red", red), _checks.integer("black", black)
        if red + black > self.cards or not self.possible[red, black]:
            raise ValueError(
                f"red={_checks.shown(red)}, black={_checks.shown(black)} cannot be "
                f"drawn from {self.cards} cards with this prior"
            )
        return red, black

    def _number(self, number: Any) -> Number:
        as_shown: Any = number if self.backend == "exact" else float(number)
        if self.backend == "exact":
            as_shown = printable(Fraction(number))
        result: Number = as_shown
        return result

    def __repr__(self) -> str:
        known = {} if self.rules == Rules() else {"rules": self.rules}
        return _records.summary(
            self, cards=self.cards, **known, backend=self.backend, value=self.value
        )
