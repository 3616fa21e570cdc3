"""What to do in a state of a red/black game, in numbers and in words."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Generic, Literal

from cardgames_dp import _checks, _html
from cardgames_dp._numbers import Number, printable, short
from cardgames_dp._records import Record, plain


@dataclass(frozen=True, slots=True)
class Advice(Record, Generic[Number]):
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
    unit : {"cash", "utility"}
        What `value`, `total`, `stop` and `draw` are amounts of: of cash, or under rules
        with a utility of that.

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
    cash: Number
    value: Number
    total: Number
    stop: Number
    draw: Number | None
    action: Literal["draw", "stop"]
    tie: bool
    unit: Literal["cash", "utility"] = "cash"

    @property
    def margin(self) -> Number | None:
        """By how much the better of drawing and stopping beats the other.

        None without cards.
        """
        if self.draw is None:
            return None
        # Ruin one way and the other is no difference.
        ruin = self.draw == self.stop == -math.inf
        margin: Any = 0.0 if ruin else abs(self.draw - self.stop)
        margin = printable(margin) if isinstance(margin, Fraction) else margin
        found: Number = margin
        return found

    def to_dict(self, *, json: bool = False) -> dict[str, Any]:
        """Return all attributes, and `margin`, by name.

        Parameters
        ----------
        json : bool, default False
            Whether only what JSON has may be in it: Fractions become strings.
        """
        margin = plain(self.margin, json=json)
        return {**plain(self, json=json), "margin": margin}

    def __str__(self) -> str:
        position = (
            f"{self.red} red and {self.black} black cards left, "
            f"{short(self.cash)} in hand"
        )
        of = "" if self.unit == "cash" else "a utility of "
        stop = f"worth {of}{short(self.stop)}"
        if self.draw is None:
            return f"{position}: the deck is empty, the game is over."
        if self.tie:
            return (
                f"{position}: drawing and stopping are both {stop}; "
                f"the tie rule says {self.action}."
            )
        draw = f"worth {of}{short(self.draw)}"
        if self.action == "draw":
            return f"{position}: draw, {draw}; stopping is {stop}."
        return f"{position}: stop, {stop}; drawing is {draw}."

    def _repr_html_(self) -> str:
        worths = {"draw": self.draw, "stop": self.stop}
        rows = [
            [
                _html.cell(action, mark="*" if action == self.action else None),
                _html.cell(short(worth)),
            ]
            for action, worth in worths.items()
            if worth is not None
        ]
        worth = "worth" if self.unit == "cash" else "expected utility"
        return _html.table(str(self), ["action", worth], rows, ["Marked *: to do."])


def state_asked(
    full: tuple[int, int],
    red: int | None,
    black: int | None,
    drawn: int | None,
    good: int | None,
) -> tuple[int, int]:
    """Return the cards remaining of a full deck, given as such or as cards in hand."""
    given = [x is not None for x in (red, black, drawn, good)]
    if given == [True, True, False, False]:
        red, black = _checks.integer("red", red), _checks.integer("black", black)
        state = f"red={_checks.shown(red)}, black={_checks.shown(black)}"
    elif given == [False, False, True, True]:
        drawn, good = _checks.integer("drawn", drawn), _checks.integer("good", good)
        red, black = full[0] - good, full[1] - (drawn - good)
        state = f"drawn={_checks.shown(drawn)}, good={_checks.shown(good)}"
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
