"""The rules of red/black, stated in one place.

A deck holds `red` cards and `black` cards, face down and shuffled. The player turns the
cards over one by one and may stop at any time, also before the first card and after the
last one. A red card pays `win`, a black card costs `lose`, and each card drawn costs
`fee`; cards are not returned. On stopping, the player receives the cash, or
``utility(cash)`` if there is a utility.

A fee only changes the two amounts, so the solvers use two numbers: the *gain* of a red
card, ``win - fee``, and the *cost* of a black card, ``lose + fee``.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any, Literal, NamedTuple, SupportsIndex, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._results.records import Record
from cardgames_dp._support import arguments
from cardgames_dp._support.arguments import Backend
from cardgames_dp._support.calls import suggest_arguments
from cardgames_dp.game import ArrayGame
from cardgames_dp.redblack.utilities import Amount

Held: TypeAlias = int | Fraction | Decimal | float
"""An amount as rules store it: text as a Fraction, numbers as Python's types."""

Decision: TypeAlias = Literal["stop", "draw"]
Tie: TypeAlias = Literal["stop", "draw"]
Utility: TypeAlias = Callable[[Any], Any]
"""A function of a number, or of an array; `utilities` finds out which."""
TIES: tuple[Tie, ...] = ("stop", "draw")


@suggest_arguments
@dataclass(frozen=True, slots=True, init=False)
class Rules(Record):
    """The amounts, the utility and the tie rule of a red/black game.

    Parameters
    ----------
    win : int, Fraction, Decimal, float or str, default 1
        What a red card pays; finite and not negative. A float stands for exactly the
        binary fraction that it is; for a tenth write ``"0.1"``, ``"1/10"``,
        ``Decimal("0.1")`` or ``Fraction(1, 10)``. Text is stored as a Fraction.
    lose : int, Fraction, Decimal, float or str, default 1
        What a black card costs; finite and not negative.
    fee : int, Fraction, Decimal, float or str, default 0
        What each card drawn costs, whatever its colour; finite and not negative. The
        float 0.1 is a little more than a tenth: with it, drawing all of 11 + 9 cards
        costs a little more than it pays; with a tenth, it breaks even.
    utility : callable, optional
        The utility of the final cash; a concave function describes a risk-averse
        player. If not given, the utility is the cash itself. `utilities` has ready-made
        ones. It may be a function of a number, ``lambda c: math.log(100 + c)``, or of
        an array of cash that returns an array of the same shape, which is faster. It
        must return finite numbers, or ``-inf`` for *ruin*: the player does not stop in
        such a state, unless drawing leads to nothing but ruin as well. The expected
        utility is then -inf, too; elsewhere it is finite. Numbers that overflow float64
        are refused, and so is NaN.

        The float64 backend calls it with the cash rounded to floats, and its errors
        count from there; the exact backend calls it with Fractions. If
        it does not take Fractions (most functions of `numpy` do not), it is called with
        the same cash as floats, provided that these are exact, and its results stand
        for the binary fractions that they are. The exact backend has no -inf and
        refuses it.
    tie : {"stop", "draw"}, default "stop"
        What the player does where stopping and drawing are worth exactly the same. The
        tie rule never changes a value; it does change the laws of payoff and duration.

    Examples
    --------
    >>> from cardgames_dp import redblack
    >>> redblack.value(26, 26, rules=redblack.Rules(win=2), backend="exact") > 13
    True

    A float fee is not exactly the decimal fraction that it looks like, and this can
    change the probability of a loss:

    >>> from cardgames_dp import play
    >>> for fee in (0.1, "0.1"):
    ...     deck = redblack.game(11, 9, rules=redblack.Rules(fee=fee))
    ...     law = play.distribution(deck, "optimal").returns[0]
    ...     print(round(law.loss_probability, 4))
    0.3225
    0.0
    """

    win: Held
    lose: Held
    fee: Held
    utility: Utility | None
    tie: Tie

    def __init__(
        self,
        win: Amount = 1,
        lose: Amount = 1,
        fee: Amount = 0,
        utility: Utility | None = None,
        tie: Tie = "stop",
    ) -> None:
        for name, given in (("win", win), ("lose", lose), ("fee", fee)):
            object.__setattr__(self, name, arguments.stored_amount(name, given))
        if utility is not None and not callable(utility):
            raise arguments.wrong_type(
                "utility must be None or a callable of cash", utility
            )
        object.__setattr__(self, "utility", utility)
        object.__setattr__(self, "tie", arguments.choice("tie", tie, TIES))

    @property
    def gain(self) -> Fraction:
        """What drawing a red card adds to the cash, ``win - fee``; may be negative."""
        return Fraction(self.win) - Fraction(self.fee)

    @property
    def cost(self) -> Fraction:
        """What drawing a black card takes from the cash, ``lose + fee``."""
        return Fraction(self.lose) + Fraction(self.fee)

    def cash(self, red_drawn: SupportsIndex, black_drawn: SupportsIndex) -> Fraction:
        """Return the exact cash in hand after some red and black cards have been drawn.

        Parameters
        ----------
        red_drawn, black_drawn : int
            Numbers of red and black cards drawn.
        """
        red_drawn = arguments.integer("red_drawn", red_drawn)
        black_drawn = arguments.integer("black_drawn", black_drawn)
        return self.gain * red_drawn - self.cost * black_drawn

    def game(self, red: SupportsIndex, black: SupportsIndex) -> ArrayGame:
        """Return :func:`cardgames_dp.redblack.game` of a deck under these rules.

        Examples
        --------
        >>> from cardgames_dp import exact, redblack
        >>> exact.solve(redblack.Rules(win=2).game(1, 1)).value
        Fraction(3, 2)
        """
        from cardgames_dp import redblack

        return redblack.game(red, black, rules=self)


@dataclass(frozen=True, slots=True)
class Stakes:
    """Gain and cost of the linear rules as coprime integers, in units of `unit`.

    Scaling changes no policy, so ``win = lose = 0.1`` is exactly the classic game.
    """

    gain: int
    cost: int
    unit: Fraction

    @classmethod
    def of(cls, rules: Rules) -> Stakes:
        """Return the stakes of rules under which drawing can pay, ``gain > 0``."""
        unit, (gain, cost) = in_units(rules)
        shared = math.gcd(gain, cost)
        return cls(gain // shared, cost // shared, unit * shared)

    def reward(self, n: int, r: int) -> int:
        """Return how much more stopping brings than playing to the end, in units."""
        return self.cost * n - (self.gain + self.cost) * r


class Problem(NamedTuple):
    """A deck under some rules, to be solved in integers if `exact`, or in float64."""

    rules: Rules
    red: int
    black: int
    exact: bool

    @classmethod
    def of(cls, red: object, black: object, rules: object, backend: Backend) -> Problem:
        """Return the problem that a public function is asked for, checked."""
        red, black = arguments.integer("red", red), arguments.integer("black", black)
        kind = arguments.rules(rules, Rules)
        return cls(kind, red, black, arguments.backend(backend) == "exact")

    @property
    def cards(self) -> int:
        """The number of cards, N."""
        return self.red + self.black

    @property
    def dtype(self) -> Any:
        """The dtype of arrays of numbers in this arithmetic."""
        return object if self.exact else np.float64

    def number(self, amount: float | Fraction) -> Any:
        """Return an amount in this arithmetic, as it is shown."""
        return Fraction(amount) if self.exact else as_float(amount)

    @property
    def deck(self) -> str:
        """The deck in words."""
        red, black = arguments.shown(self.red), arguments.shown(self.black)
        return f"{red} red and {black} black cards"

    @property
    def instead(self) -> str:
        """What to do if it is too large, in words."""
        return "use a smaller deck" + ", or backend='float64'" * self.exact


def in_units(rules: Rules, *amounts: Fraction) -> tuple[Fraction, list[int]]:
    """Return a unit of gain, cost and amounts, 1 over an integer, and these in it."""
    every = (rules.gain, rules.cost, *amounts)
    unit = Fraction(1, math.lcm(*[amount.denominator for amount in every]))
    return unit, [int(amount / unit) for amount in every]


def cash_in_floats(
    rules: Rules,
) -> Callable[[NDArray[Any], NDArray[Any]], NDArray[np.float64]]:
    """Return a function from cards drawn, in arrays, to the cash, rounded once."""
    unit, (gain, cost) = in_units(rules)

    def cash(red: NDArray[Any], black: NDArray[Any]) -> NDArray[np.float64]:
        most = abs(gain) * int(red.max(initial=0)) + cost * int(black.max(initial=0))
        if max(most, unit.denominator) >= 2**53:
            red, black = red.astype(object), black.astype(object)
        units = gain * red - cost * black
        return np.asarray(units / unit.denominator).astype(np.float64)

    return cash


def as_float(amount: float | Fraction) -> float:
    """Return an amount as the nearest float64, if it is not too large for one."""
    must = "rules must have winnings that fit in a float64 (use backend='exact')"
    return arguments.nearest_float(must, amount)
