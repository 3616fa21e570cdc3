"""A solved game with a prior, and its advice."""

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
        What an optimal player does; in a tie, as the tie rule says.
    best : tuple of {"draw", "stop"}
        The optimal actions: both in a tie.
    worths : mapping of {"draw", "stop"} to float or Fraction
        The expected final cash after each action; under a utility, its expected
        utility.
    red, black : int
        Numbers of red and black cards drawn.
    cash : float or Fraction
        The cash in hand.
    odds : float or Fraction
        The probability that the next card is red.

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
    """A solved game with a prior: tables of all states, indexed by cards drawn.

    Made by :func:`solve`.

    Attributes
    ----------
    prior : tuple of Fraction
        The probabilities of 0, 1, ..., N red cards; they sum to 1.
    rules : Rules
        The rules; amounts are in their unit.
    backend : {"float64", "exact"}
        The arithmetic of the tables.
    totals : ndarray, shape (N + 1, N + 1)
        The expected final cash under optimal play after ``[red, black]`` cards drawn;
        under a utility, its expected utility. Float64, or Fractions (dtype object).
        Like all tables, read-only.
    values : ndarray, same shape
        The expected gain from playing on optimally instead of stopping now, never
        negative.
    odds : ndarray, same shape
        The probability that the next card is red.
    ties, possible : ndarray of bool, same shape
        Where drawing and stopping are worth the same (in float64, up to rounding), and
        which states can occur. In float64, states less likely than 1e-250 count as
        impossible. The other tables have no meaning in impossible states.

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
        """The number of cards to draw, N."""
        return len(self.prior) - 1

    @property
    def value(self) -> Number:
        """The value of the whole game, or its optimal expected utility."""
        return self._number(self.totals[0, 0])

    @property
    def stop(self) -> NDArray[np.bool_]:
        """Where an optimal player stops; true after the last card."""
        stops = np.asarray(self.values == 0)
        if self.rules.tie == "draw":
            stops = stops & ~self.ties
        found: NDArray[np.bool_] = stops.astype(bool)
        return found

    def posterior(
        self, *, red: SupportsIndex, black: SupportsIndex
    ) -> NDArray[np.float64] | NDArray[np.object_]:
        """Return the probability of each number of red cards among the cards left.

        Parameters
        ----------
        red, black : int
            Numbers of red and black cards drawn.

        Returns
        -------
        ndarray of float64, or of Fractions (dtype object), shape (cards left + 1,)
            The probabilities of 0, 1, 2, ... red cards.

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
        """Return what to do after some cards have been drawn.

        Parameters
        ----------
        red, black : int
            Numbers of red and black cards drawn.

        Returns
        -------
        Advice
            With floats, or with Fractions for an exact solution.

        Raises
        ------
        TypeError, ValueError
            If these cards cannot be drawn.
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
        """Return all fields as plain lists and numbers, tables as ``[red][black]``.

        Parameters
        ----------
        json : bool, default False
            Whether to use only types that JSON has: Fractions become text.
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
