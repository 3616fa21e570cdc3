"""The stopping boundary of red/black, from the table of a solved deck.

`cardgames_dp.redblack._kernels.boundary` finds it without a table, and says why it is
one number for each excess.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import _checks, _html
from cardgames_dp._antidiagonals import antidiagonal
from cardgames_dp._extras import require
from cardgames_dp._numbers import short
from cardgames_dp._records import ArrayRecord, plain
from cardgames_dp.redblack.rules import Rules

if TYPE_CHECKING:
    import pandas as pd

_HEAD = ("cards remaining", "stop at an excess of", "in cash")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Boundary(ArrayRecord):
    """The stopping boundary of a solved deck, in both forms; prints as a table.

    Attributes
    ----------
    red, black : int
        Cards of each colour in the full deck.
    rules : Rules
        Under which the deck was solved.
    excess : ndarray of int64, shape (red + black + 1,), read-only
        For each number n of cards remaining, the smallest excess (black less red
        remaining) at which the player stops: at (r, b) they stop exactly when
        ``b - r >= excess[r + b]``. It is n + 1, which no state has, where they do not
        stop in any state of the deck.

    Notes
    -----
    The excess tells the cash in hand, as `cash` does. With r red and b black cards
    remaining it is ``gain * (red - r) - cost * (black - b)``, where `gain` and `cost`
    are those of the rules (``win - fee`` and ``lose + fee``). Where both are 1 this is
    ``excess + red - black``: the excess itself, if the deck is balanced.

    Examples
    --------
    With 38 cards left stop when 6 ahead; when 5 ahead, with 41 cards left or fewer:

    >>> from cardgames_dp import redblack
    >>> boundary = redblack.solve(26, 26).boundary
    >>> int(boundary.excess[38])
    6
    >>> boundary.thresholds.tolist()
    [3, 8, 17, 28, 41]
    >>> print(redblack.solve(5, 5).boundary)
    cards remaining  stop at an excess of  in cash
            9 to 10  never                 never
             4 to 8  2 or more             2 or more
             1 to 3  1 or more             1 or more
    """

    red: int
    black: int
    rules: Rules
    excess: NDArray[np.int64]

    @classmethod
    def of_table(cls, rules: Rules, stop: NDArray[np.bool_]) -> Boundary:
        """Read the boundary off a table of stops, indexed ``[red, black]`` remaining.

        Parameters
        ----------
        rules : Rules
            Those of the game.
        stop : ndarray of bool, shape (red + 1, black + 1)
            Where to stop, as ``Solution.stop``.

        Raises
        ------
        TypeError
            If `rules` or `stop` are something else.
        ValueError
            If for some n the stop set is not one-sided.
        """
        rules = _checks.rules(rules, Rules)
        stop = _checks.array("stop", stop)
        if stop.dtype != bool or stop.ndim != 2 or not stop.size:
            raise TypeError(
                "stop must be a bool array of shape (red + 1, black + 1), got "
                f"{_checks.described(stop)}"
            )
        red, black = stop.shape[0] - 1, stop.shape[1] - 1
        excess = np.arange(1, red + black + 2)
        for n in range(red + black + 1):
            first, last = max(0, n - black), min(red, n)
            stops = antidiagonal(stop, n, first, last)
            count = int(np.count_nonzero(stops))
            if not stops[:count].all():
                raise ValueError(
                    f"with {n} cards remaining the stop set is not one-sided, so there "
                    "is no boundary; Solution.stop tells where to stop"
                )
            if count:
                excess[n] = n - 2 * (first + count - 1)
        return cls(red, black, rules, excess)

    @property
    def thresholds(self) -> NDArray[np.int64]:
        """The thresholds that the deck determines: entry ``k - 1`` is n_k, an int64.

        At excess k the player stops exactly when at most n_k cards remain. A deck
        determines n_k if it also has states of excess k with more cards.

        Raises
        ------
        ValueError
            On access, if the rules have no thresholds (see :func:`thresholds`).
        """
        refuse_rules_without_thresholds(self.rules)
        found = []
        for k in range(1, self.black + 1):
            # States of excess k: red = (n - k) / 2 and black = (n + k) / 2.
            n = np.arange(k, min(2 * self.red + k, 2 * self.black - k) + 1, 2)
            stops = self.excess[n] <= k
            if stops.all():
                break
            found.append(int(n[stops].max()))
        return np.array(found, dtype=np.int64)

    @property
    def cash(self) -> NDArray[np.float64]:
        """The cash in hand at `excess`: stop with that much or more.

        NaN where the player does not stop in any state of the deck. Computed at every
        access, of the same shape.

        Raises
        ------
        ValueError
            On access, if it is too large for float64.
        """
        n = np.arange(len(self.excess))
        cash = self._cash(n.astype(object), self.excess.astype(object))
        return np.where(self.excess <= n, list(map(_checks.as_float, cash)), np.nan)

    def to_text(self, *, all_rows: bool = False) -> str:
        """Return the boundary as a table, from the full deck down.

        Parameters
        ----------
        all_rows : bool, default False
            Of a long table show all rows, not some in equal steps.
        """
        rows = self._rows()
        most = len(rows) if _checks.boolean("all_rows", all_rows) else _html.MOST_ROWS
        shown = _html.spread(len(rows), max(most, 2))
        lines = [_HEAD, *(rows[i] for i in shown)]
        first, second = (
            max(map(len, column)) for column in list(zip(*lines, strict=True))[:2]
        )
        text = [f"{n:>{first}}  {k:<{second}}  {cash}" for n, k, cash in lines]
        if len(shown) < len(rows):
            text.append(f"({len(shown)} of {len(rows)} rows shown)")
        return "\n".join(text)

    def to_dict(self, *, json: bool = False) -> dict[str, Any]:
        """Return everything, the rules included, as plain lists and numbers.

        Parameters
        ----------
        json : bool, default False
            Whether only what JSON has may be in it: a utility becomes its name.
        """
        cash = plain(self.cash, json=json)
        return {**plain(self, json=json), "cash": cash}

    def to_pandas(self) -> pd.DataFrame:
        """Return a DataFrame with a row for each number of cards remaining.

        Its columns are "stops", whether the player stops in some state of the deck, and
        "excess" and "cash", from which on.

        Raises
        ------
        ModuleNotFoundError
            If pandas is not installed.
        """
        pandas = require("pandas", extra="pandas", purpose="to_pandas")
        n = np.arange(len(self.excess))
        columns = {
            "stops": self.excess <= n,
            "excess": self.excess,
            "cash": self.cash,
        }
        frame: pd.DataFrame = pandas.DataFrame(columns, index=pandas.Index(n, name="n"))
        return frame

    def __str__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        rows = self._rows()
        notes = ["The excess is how many more black than red cards remain."]
        return _html.listing(repr(self), _HEAD, rows.__getitem__, len(rows), notes)

    def _cash(self, n: Any, excess: Any) -> Any:
        """Return the cash in hand at an excess, which may have the wrong parity."""
        red_drawn, black_drawn = 2 * self.red - n + excess, 2 * self.black - n - excess
        return (self.rules.gain * red_drawn - self.rules.cost * black_drawn) / 2

    def _rows(self) -> list[tuple[str, str, str]]:
        """Return with how many cards to stop at what excess, from the full deck down.

        An excess is even or odd as n is. So "1 or more" means 2 or more where n is
        even, and numbers of cards of both kinds share a row. In cash a row has a range
        where the two colours do not weigh the same.
        """
        runs: list[tuple[int, int, list[int | str]]] = []
        total = self.red + self.black
        for n in range(total, min(total, 1) - 1, -1):
            least, first = int(self.excess[n]), n
            words: list[int | str]
            if least > n:
                words = ["never"]
            elif least <= n - 2 * min(self.red, n):
                words = ["any"]
            else:
                words = [least, least - 1]
            if runs and (shared := [word for word in runs[-1][2] if word in words]):
                first, _, _ = runs.pop()
                words = shared
            runs.append((first, n, words))
        return [
            (
                str(n) if first == n else f"{n} to {first}",
                word if isinstance(word, str) else f"{word} or more",
                word if isinstance(word, str) else self._cash_words(n, first, word),
            )
            for first, n, (word, *_) in runs
        ]

    def _cash_words(self, last: int, first: int, excess: int) -> str:
        ends = sorted({self._cash(last, excess), self._cash(first, excess)})
        return f"{' to '.join(map(short, ends))} or more"


def refuse_rules_without_thresholds(rules: Rules) -> None:
    """Refuse rules under which no number per excess tells where to stop."""
    if rules.utility is not None:
        raise ValueError(
            "rules must be linear, without a utility, to have thresholds; "
            "use solve(...).stop"
        )
    if not rules.gain >= rules.cost > 0:
        raise ValueError(
            "rules must have win - fee >= lose + fee > 0 to have thresholds (else "
            "stopping can be right with many cards and wrong with fewer), got "
            f"win - fee = {short(rules.gain, 12)}, lose + fee = "
            f"{short(rules.cost, 12)}; "
            "use solve(...).boundary.excess"
        )
