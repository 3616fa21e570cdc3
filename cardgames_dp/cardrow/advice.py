"""What to do with a row: every turn, what it is worth, and which ones are best."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic

from cardgames_dp import _checks, _html
from cardgames_dp._extras import require
from cardgames_dp._records import Record, plain, summary
from cardgames_dp.cardrow._cards import read
from cardgames_dp.cardrow._kernels import collapse, diagonals
from cardgames_dp.cardrow._kernels.row import Cards, Exact, Real, short
from cardgames_dp.cardrow.rules import Rules, instance_of
from cardgames_dp.cardrow.turns import Turn

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True, repr=False)
class Advice(Record, Generic[Real]):
    """What to do with a row, or with what is left of it; prints as a sentence.

    Attributes
    ----------
    left, right : int
        Positions of the end cards, counted from 0.
    turn : Turn
        An optimal turn, the one that the tie rule takes.
    best : tuple of Turn
        All optimal turns; more than one where there is a tie.
    turns : tuple of Turn
        All turns: those from the left first, those of fewer cards before others.
    worths : tuple of int, Fraction or float
        What each of `turns` is worth if all play optimally after it: of two players
        what the one to move is ahead by in the end, of more their own sum. Under misère
        rules the smallest is the best.

    Examples
    --------
    >>> from cardgames_dp import cardrow
    >>> advice = cardrow.best_move([0, 1, 0], rules=cardrow.Rules(take=2))
    >>> advice.turn, advice.worth
    (Turn(side='right', count=2), 1)
    >>> [turn.side for turn in advice.best]
    ['left', 'right']
    >>> print(advice)
    cards 0 to 2: take 2 from the right (a tie); worth: left -1, 2 from the left 1, \
right -1, 2 from the right 1.
    """

    left: int
    right: int
    turn: Turn
    best: tuple[Turn, ...]
    turns: tuple[Turn, ...]
    worths: tuple[Real, ...]

    def to_dict(self, *, json: bool = False) -> dict[str, Any]:
        """Return everything as plain lists, tuples and numbers.

        Parameters
        ----------
        json : bool, default False
            Whether only what JSON knows may be left: Fractions become text.
        """
        derived = {"worth": self.worth, "tie": self.tie}
        found: dict[str, Any] = plain(self, json=json) | plain(derived, json=json)
        return found

    def to_pandas(self) -> pd.DataFrame:
        """Return a DataFrame with one line a turn: side, count, worth and best.

        Raises
        ------
        ModuleNotFoundError
            If pandas is not installed.
        """
        pandas = require("pandas", extra="pandas", purpose="to_pandas")
        columns = {
            "side": [turn.side for turn in self.turns],
            "count": [turn.count for turn in self.turns],
            "worth": list(self.worths),
            "best": [turn in self.best for turn in self.turns],
        }
        frame: pd.DataFrame = pandas.DataFrame(columns)
        return frame

    @property
    def worth(self) -> Real:
        """What `turn` is worth: one of `worths`."""
        return self.worths[self.turns.index(self.turn)]

    @property
    def tie(self) -> bool:
        """Whether more than one turn is optimal."""
        return len(self.best) > 1

    def __str__(self) -> str:
        worths = ", ".join(
            f"{_words(turn)} {short(worth)}"
            for turn, worth in zip(self.turns, self.worths, strict=True)
        )
        return f"{self._summary()}; worth: {worths}."

    def __repr__(self) -> str:
        return summary(
            self,
            left=self.left,
            right=self.right,
            turn=self.turn,
            worth=self.worth,
            tie=self.tie,
        )

    def _repr_html_(self) -> str:
        rows = [
            [
                _html.cell(_words(turn), mark="*" if turn in self.best else None),
                _html.cell(short(worth)),
            ]
            for turn, worth in zip(self.turns, self.worths, strict=True)
        ][: _html.MOST_ROWS]
        notes = ["Marked *: optimal.", *_html.first_of(len(self.turns), "turns")]
        return _html.table(self._summary(), ["take", "worth"], rows, notes)

    def _summary(self) -> str:
        chosen = f"take {_words(self.turn)}" + (" (a tie)" if self.tie else "")
        return f"cards {self.left} to {self.right}: {chosen}"


def _words(turn: Turn) -> str:
    return turn.side if turn.count == 1 else f"{turn.count} from the {turn.side}"


def best_move(
    cards: Cards, *, rules: Rules | None = None, progress: bool = False
) -> Advice[Exact]:
    """Return the best turn, all that are as good, and what every turn is worth.

    Grade: exact.

    Parameters
    ----------
    cards : iterable of int, Fraction, Decimal or float
        The row from left to right. With weights, the player to move is the one to whom
        the cards are worth what the row says.
    rules : Rules, optional
        The classic ones if not given. O(n) time for two players who take one card a
        turn, ``O(n**2 k m)`` for others.
    progress : bool, default False
        Show a progress bar where the time is quadratic, for which `tqdm` is needed (the
        extra ``progress``).

    Returns
    -------
    Advice
        Exact; the tie rule of the rules chooses among the best turns.

    Raises
    ------
    TypeError, ValueError
        As by :func:`value`.
    TooLongError
        If quadratic time would be weeks, or more than an hour without `progress`, as
        from about 300,000 cards on with two a turn.

    References
    ----------
    Document 002, whose getBeginStrategy says with which card to start.

    Examples
    --------
    >>> from cardgames_dp import cardrow
    >>> print(cardrow.best_move([4, 4, 6, 6, 12, 9]))
    cards 0 to 5: take left; worth: left 3, right -3.
    >>> cardrow.best_move([4, 7, 2]).tie
    True
    """
    rules = _checks.rules(rules, Rules)
    progress = _checks.boolean("progress", progress)
    instance = instance_of(rules, read("cards", cards))
    shared = instance.worths[0]
    if rules.linear:
        wanted = instance.wanted
        ends = collapse.worths_of_ends(wanted)[: len(wanted)]
        worths = [instance.lead(x) for x in ends]
        turns = [Turn("left"), Turn("right")][: len(wanted)]
    else:
        every = diagonals.turns_of_row(
            diagonals.exact_array(shared), instance.terms, progress=progress
        )
        turns = [Turn.of_code(code) for code, _ in every]
        if rules.players == 2:
            sign = -1 if rules.misere else 1
            worths = [instance.lead(sign * (own - other)) for _, (own, other) in every]
        else:
            worths = [instance.unit.exact(sums[0]) for _, sums in every]
    optimum = (min if rules.misere else max)(worths)
    best = [turn for turn, x in zip(turns, worths, strict=True) if x == optimum]
    turn = rules.preferred(best, shared[0], shared[-1])
    last = len(shared) - 1
    return Advice(0, last, turn, tuple(best), tuple(turns), tuple(worths))
