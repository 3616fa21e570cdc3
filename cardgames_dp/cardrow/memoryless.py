"""Best responses by the classic rules, which look only at the cards left.

:func:`cardgames_dp.cardrow.best_response` makes them unless `rules`, a `goal` or
`slack` is given. A response is itself a policy: it can be played, and responded to. The
recursion is in `cardgames_dp.cardrow._kernels.best_reply`.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import _checks
from cardgames_dp._checks import Backend
from cardgames_dp._effort import refuse_too_long
from cardgames_dp._memory import refuse_too_large
from cardgames_dp._numbers import short
from cardgames_dp._records import ArrayRecord, plain, summary
from cardgames_dp.cardrow._kernels import sheet
from cardgames_dp.cardrow._kernels.best_reply import reply
from cardgames_dp.cardrow._kernels.choosers import Deals
from cardgames_dp.cardrow._kernels.instance import Tie
from cardgames_dp.cardrow._kernels.row import Exact, Real, Row, counted, float_array
from cardgames_dp.cardrow.policies import Mixed, Policy, chooser, name_of
from cardgames_dp.cardrow.turns import Side

if TYPE_CHECKING:
    import pandas as pd

Seat: TypeAlias = Literal["first", "second"]
SEATS: tuple[Seat, ...] = ("first", "second")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Response(ArrayRecord, Generic[Real]):
    """A best response to an opponent; made by :func:`best_response`.

    It is itself a policy: ``match(cards, response, opponent)`` plays it, on the same
    row and in the same seat. Called with the row and the first and last place that are
    left, it returns the end to take. The arrays are read-only.

    Attributes
    ----------
    cards : tuple of int or Fraction
        The row from left to right.
    opponent : str
        The name of the opponent.
    seat : {"first", "second"}
        Whether the response moves first or second.
    backend : {"float64", "exact"}
        The arithmetic.
    value : float, int or Fraction
        The mean lead of the response.
    best : ndarray of int8, shape (cards, cards)
        The best turn at the interval ``[left, right]``: negative for the left card,
        positive for the right one, 0 where the response is not to move. The absolute
        value is 2 in a tie, and 1 otherwise.

    Examples
    --------
    >>> from cardgames_dp import cardrow
    >>> response = cardrow.best_response([8, 4, 2, 2, 4, 8], "random")
    >>> int(response.best[0, 3]), bool(response.ties[0, 5])
    (-1, True)
    >>> response(response.cards, 0, 3)
    'left'
    """

    cards: tuple[Exact, ...]
    opponent: str
    seat: Seat
    backend: Backend
    value: Real
    best: NDArray[np.int8]

    @property
    def ties(self) -> NDArray[np.bool_]:
        """Where the response is to move and both ends tie; indexed as `best` is."""
        ties: NDArray[np.bool_] = np.abs(self.best) == 2
        return ties

    def __call__(self, cards: tuple[Exact, ...], left: int, right: int) -> Side:
        """Return the end to take, "left" or "right".

        Parameters
        ----------
        cards : tuple of int or Fraction
            The whole row, which must be that of the response.
        left, right : int
            Positions of the end cards of the interval, counted from 0.

        Raises
        ------
        TypeError
            If `left` or `right` is not an integer.
        ValueError
            If the response is for another row, or is not to move there.
        """
        given: Any = cards
        if not isinstance(given, tuple) or given != self.cards:
            raise ValueError(
                "cards must be the row of the response, as a tuple: this best response "
                "is for another row of cards"
            )
        left, right = _checks.integer("left", left), _checks.integer("right", right)
        if not left <= right < len(cards):
            raise ValueError(
                f"left and right must be left <= right < {len(cards)}, got "
                f"left={_checks.shown(left)}, right={_checks.shown(right)}"
            )
        turn = int(self.best[left, right])
        if not turn:
            raise ValueError(
                f"this best response is for the {self.seat} player, who is not to move "
                f"with the cards at {left} to {right} (a tournament plays both seats; "
                "use match)"
            )
        return "left" if turn < 0 else "right"

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
                "opponent": self.opponent,
                "seat": self.seat,
                "backend": self.backend,
                "value": self.value,
                "best": self.best,
                "ties": self.ties,
            },
            json=json,
        )
        return found

    def to_pandas(self) -> pd.DataFrame:
        """Return a DataFrame with one row for each interval at which it is to move.

        The index is (left, right); the columns are side and tie.

        Raises
        ------
        ModuleNotFoundError
            If pandas is not installed.
        """
        return sheet.choices(self.best, self.ties)

    @property
    def __name__(self) -> str:
        """The name of this player in matches and tournaments."""
        return f"response to {self.opponent}"

    def __repr__(self) -> str:
        return summary(
            self,
            cards=len(self.cards),
            opponent=self.opponent,
            seat=self.seat,
            value=self.value,
        )

    def _repr_html_(self) -> str:
        title = (
            f"{self.__name__} on {counted(len(self.cards), 'card')}, {self.seat} to "
            f"move: value {short(self.value)}"
        )
        return sheet.html(title, self.cards, self.best, self.ties)


def memoryless(
    row: Row,
    opponent: Policy,
    seat: Seat,
    backend: Backend,
    tie: Tie,
    *,
    progress: bool,
) -> Response[float] | Response[Exact]:
    """Return the best response; the arguments are those of `best_response`, checked."""
    n = len(row.numerators)
    refuse_too_large(f"a best response on {n} cards", n * n, "use a shorter row")
    refuse_too_long(
        f"a best response on {n} cards",
        seconds_of(n, opponent, exact=backend == "exact"),
        "use a shorter row" + " or backend='float64'" * (backend == "exact"),
        progress=progress,
    )
    deals = Deals.of([row])
    name = name_of(opponent)
    ask = chooser(opponent, deals, tie, f"{_checks.shown(name)}, the opponent,")
    worths = deals.rows
    if backend == "float64":
        worths = float_array(row.numerators, denominator=row.denominator)
    found = reply(
        worths,
        deals,
        ask,
        ours=(n if seat == "first" else n - 1) % 2,
        tie=tie,
        progress=progress,
    )
    given = deals.given[0]
    if backend == "float64":
        return Response(given, name, seat, backend, float(found.value), found.best)
    value = row.exact(int(found.value))
    if found.scale > 1:  # something was left to chance
        value = Fraction(int(found.value), found.scale * row.denominator)
    return Response(given, name, seat, backend, value, found.best)


def seconds_of(cards: int, opponent: Policy, *, exact: bool) -> float:
    """Estimate the time in seconds, by measurement."""
    interval = 2e-8
    if callable(opponent) or isinstance(opponent, Mixed):
        interval += 7e-7  # half of the intervals are asked about, one by one
    if exact and (opponent == "random" or isinstance(opponent, Mixed)):
        interval += 3e-7 + 1e-10 * cards  # integers that grow
    return interval * cards**2 / 2
