"""Advice on one state of a red/black game, in numbers and in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, Literal, SupportsIndex, TypeAlias

from cardgames_dp import _checks
from cardgames_dp._advice import AdviceRecord
from cardgames_dp._numbers import Number, short

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
    worths : mapping of {"draw", "stop"} to float or Fraction
        The expected final cash after each action: after `stop` and, unless the deck is
        empty, after `draw`. Under a utility, its expected utility.
    red, black : int
        Numbers of red and black cards remaining.
    cash : float or Fraction
        The cash in hand, counted from the full deck.
    value : float or Fraction
        The expected gain from playing on optimally instead of stopping now; 0 where
        stopping is optimal.
    unit : {"cash", "utility"}
        The unit of `value` and `worths`: cash, or utility under rules with a utility.

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
    unit: Literal["cash", "utility"] = "cash"

    @property
    def stop(self) -> Number:
        """The final cash after stopping now, or its utility."""
        return self.worths["stop"]

    @property
    def draw(self) -> Number | None:
        """What drawing and then playing optimally is worth; None without cards."""
        return self.worths.get("draw")

    @property
    def total(self) -> Number:
        """The expected final cash under optimal play, or its expected utility."""
        return self.worth

    def __str__(self) -> str:
        return f"{self._summary()}."

    def _summary(self) -> str:
        position = (
            f"{self.red} red and {self.black} black cards left, "
            f"{short(self.cash)} in hand"
        )
        of = "" if self.unit == "cash" else "a utility of "
        stop = f"worth {of}{short(self.stop)}"
        if self.draw is None:
            return f"{position}: the deck is empty, the game is over"
        if self.tie:
            return (
                f"{position}: drawing and stopping are both {stop}; "
                f"the tie rule says {self.action}"
            )
        draw = f"worth {of}{short(self.draw)}"
        if self.action == "draw":
            return f"{position}: draw, {draw}; stopping is {stop}"
        return f"{position}: stop, {stop}; drawing is {draw}"

    def _measure(self) -> str:
        return "worth" if self.unit == "cash" else "expected utility"


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
