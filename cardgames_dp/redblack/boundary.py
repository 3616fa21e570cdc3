"""The stopping boundary of red/black: where to stop, of a solved deck and of any.

`Boundary` is that of a deck's table, `thresholds` are found for any deck without one:
`cardgames_dp.redblack._kernels.boundary` does so, and says why one number for each
excess is enough.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, SupportsIndex, overload

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import _checks, _html
from cardgames_dp._extras import require
from cardgames_dp._numbers import short
from cardgames_dp._records import ArrayRecord, plain
from cardgames_dp._text import aligned
from cardgames_dp.redblack._kernels import boundary as kernel
from cardgames_dp.redblack._kernels.methods import Method, chosen
from cardgames_dp.redblack._kernels.stakes import as_float
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
        return cls(red, black, rules, kernel.of_table(stop))

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
        kernel.refuse_rules_without_thresholds(self.rules)
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
        return np.where(self.excess <= n, list(map(as_float, cash)), np.nan)

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
        text = aligned([_HEAD, *(rows[i] for i in shown)], left=(1, 2))
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
        excess = self.excess
        columns = {"stops": excess <= n, "excess": excess, "cash": self.cash}
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

        In cash a row has a range where the two colours do not weigh the same.
        """
        return [
            (
                str(n) if first == n else f"{n} to {first}",
                word if isinstance(word, str) else f"{word} or more",
                word if isinstance(word, str) else self._cash_words(n, first, word),
            )
            for first, n, word in kernel.runs(self.excess, self.red)
        ]

    def _cash_words(self, last: int, first: int, excess: int) -> str:
        ends = sorted({self._cash(last, excess), self._cash(first, excess)})
        return f"{' to '.join(map(short, ends))} or more"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Thresholds(ArrayRecord):
    """The largest n at which stopping is right, for each excess: n_1, n_2, ...

    A sequence of ints, and an array to NumPy. ``thresholds[0]`` is n_1.

    Attributes
    ----------
    n : ndarray of int64, read-only
        ``n[k - 1]`` is n_k: the player stops at excess k (black less red remaining)
        exactly when no more than n_k cards remain. -1 where the decision is not known.
    exact_up_to : int
        The largest excess up to which every decision is certain.
    undecided : tuple of int
        The excesses whose threshold floating point could not tell.
    rules : Rules
        Under which they hold.

    Examples
    --------
    Is it right to stop at excess 6 with 38 cards left, and with 60?

    >>> from cardgames_dp import redblack
    >>> found = redblack.thresholds(100)
    >>> 38 <= found[6 - 1], 60 <= found[6 - 1]
    (True, False)
    >>> found.exact_up_to, found.undecided
    (100, ())

    Stopping at excess ``alpha sqrt(n)``, as Shepp found, n_k is about ``1.4175 k**2``:

    >>> import numpy as np
    >>> (np.asarray(found) / np.arange(1, 101) ** 2)[[9, 99]].round(4).tolist()
    [1.54, 1.4314]
    """

    n: NDArray[np.int64]
    exact_up_to: int
    undecided: tuple[int, ...]
    rules: Rules

    def __len__(self) -> int:
        return len(self.n)

    def __iter__(self) -> Iterator[int]:
        return iter(self.n.tolist())

    @overload
    def __getitem__(self, index: SupportsIndex) -> int: ...
    @overload
    def __getitem__(self, index: slice) -> list[int]: ...
    def __getitem__(self, index: SupportsIndex | slice) -> int | list[int]:
        if not isinstance(index, slice):
            index = _checks.integer("index", index, minimum=None)
            if not -len(self) <= index < len(self):
                raise IndexError(
                    f"index must be from 0 to {len(self) - 1}, for the excesses 1 to "
                    f"{len(self)}, got {_checks.shown(index)}"
                )
        found: int | list[int] = self.n[index].tolist()
        return found

    def __array__(
        self, dtype: np.dtype[np.generic] | None = None, copy: bool | None = None
    ) -> NDArray[np.generic]:
        return (
            np.array(self.n, dtype=dtype) if copy else np.asarray(self.n, dtype=dtype)
        )

    def to_dict(self, *, json: bool = False) -> dict[str, Any]:
        """Return everything, the rules included, as plain lists and numbers.

        Parameters
        ----------
        json : bool, default False
            Whether only what JSON has may be in it: Fractions become strings.
        """
        fields: dict[str, Any] = plain(self, json=json)
        return fields

    def to_pandas(self) -> pd.Series[Any]:
        """Return the thresholds as a Series indexed by the excess, from 1 on.

        Raises
        ------
        ModuleNotFoundError
            If pandas is not installed.
        """
        pandas = require("pandas", extra="pandas", purpose="to_pandas")
        index = pandas.RangeIndex(1, len(self) + 1, name="excess")
        series: pd.Series[Any] = pandas.Series(self.n, index=index, name="n")
        return series

    def _repr_html_(self) -> str:
        def row(place: int) -> tuple[str, str]:
            n = self[place]
            return str(place + 1), "not known" if n < 0 else str(n)

        notes = ["At an excess, stop exactly when no more cards remain than this."]
        return _html.listing(
            repr(self), ["excess", "cards remaining"], row, len(self), notes
        )


def thresholds(
    max_excess: SupportsIndex,
    *,
    rules: Rules | None = None,
    method: Method = "auto",
    progress: bool = False,
) -> Thresholds:
    """Return the thresholds of the stopping boundary, n_1 to n_max_excess.

    The player stops at excess k (black less red cards remaining; how far ahead the
    player of a balanced deck is) exactly when at most n_k cards remain.

    A decision compares two float64 numbers whose error is bounded. What the bound
    leaves open is settled in integers up to excess 100, where the classic game has one,
    the tie at 1 red and 2 black. Beyond, the staircase climbs once more in the longer
    floats of this machine, if it has them, and what is open then is reported. The first
    of them is at excess 21,586 (2316 without longer floats), by the diagonal at 390.

    Grade: certified.

    Parameters
    ----------
    max_excess : int
        The largest excess asked for, at least 1.
    rules : Rules, optional
        Linear rules under which a red card gains at least what a black one costs, and
        both something; ``rules.tie`` says whether the boundary includes the cells where
        both are worth the same. The classic ones if not given.
    method : {"auto", "diagonal", "staircase"}
        The diagonal's time grows as the cube of `max_excess`, 1000 takes about 4
        seconds; the staircase, where a red card gains just what a black one costs,
        takes a fraction of a millisecond for each, and some two from excess 2316 on.
    progress : bool, default False
        Show a progress bar, for which `tqdm` is needed (the extra ``progress``).

    Returns
    -------
    Thresholds
        In every array, entry ``k - 1`` belongs to excess k.

    Raises
    ------
    TypeError, ValueError
        If an argument is none of the kinds above, `rules` have no thresholds, amounts
        too different in size for float64, or `method` is "staircase" for other rules.
    TooLongError
        If they would take weeks, or more than an hour without `progress`.
    ArithmeticError
        If the staircase cannot vouch for its own arithmetic, as for :func:`enclosure`.
    ModuleNotFoundError
        If `progress` is asked for and `tqdm` is not installed.

    References
    ----------
    W. M. Boyce, "On a simple optimal stopping problem", Discrete Mathematics 5 (1973),
    297-312, tabulates the boundary of decks of up to 200 cards.

    Examples
    --------
    >>> from cardgames_dp import redblack
    >>> redblack.thresholds(12)[:]
    [3, 8, 17, 28, 41, 58, 79, 100, 127, 154, 185, 220]
    """
    max_excess = _checks.integer("max_excess", max_excess, minimum=1)
    rules = _checks.rules(rules, Rules)
    kernel.refuse_rules_without_thresholds(rules)
    progress = _checks.boolean("progress", progress)
    deck = kernel.deck_of(rules, max_excess)
    climbs = chosen(method, rules, [deck]) == "staircase"
    last, undecided = kernel.thresholds(
        rules, deck, max_excess, climbs=climbs, progress=progress
    )
    exact_up_to = min(undecided, default=max_excess + 1) - 1
    return Thresholds(last, exact_up_to, undecided, rules)
