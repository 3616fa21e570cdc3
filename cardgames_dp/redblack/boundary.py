"""The stopping boundary of red/black: where to stop, in a solved deck and in any deck.

`Boundary` is the boundary of a solved deck. `thresholds` finds the boundary of any deck
without a table; `cardgames_dp.redblack._kernels.boundary` describes how, and why one
number for each excess is enough.
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
        Numbers of red and black cards in the full deck.
    rules : Rules
        The rules under which the deck was solved.
    excess : ndarray of int64, shape (red + black + 1,), read-only
        For each number n of cards remaining, the smallest excess (black less red cards
        remaining) at which the player stops: in the state (r, b) the player stops
        exactly when ``b - r >= excess[r + b]``. Where the player stops in no state of
        the deck, it is n + 1, an excess that no state has; where in all, the smallest.

    Notes
    -----
    The excess determines `cash`: with r red and b black cards remaining it is
    ``gain * (red - r) - cost * (black - b)``. It is the excess itself in a balanced
    deck under the classic rules.

    Examples
    --------
    With 38 cards left, stop when 6 ahead; with 41 or fewer, when 5 ahead:

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
        """Return the boundary of a table of stops, indexed ``[red, black]`` remaining.

        Parameters
        ----------
        rules : Rules
            The rules of the game.
        stop : ndarray of bool, shape (red + 1, black + 1)
            Where to stop, as in ``Solution.stop``.

        Raises
        ------
        TypeError
            If `rules` or `stop` is not as described above.
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
        """The thresholds that the deck determines: entry ``k - 1`` is n_k.

        At excess k the player stops exactly when at most n_k cards remain. A deck
        determines n_k if it also has states of excess k with more than n_k cards.

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
        """The cash in hand at `excess`: the player stops with this much or more.

        Computed anew at each access; NaN where the player does not stop in any state.

        Raises
        ------
        ValueError
            On access, if an amount is too large for float64.
        """
        n = np.arange(len(self.excess))
        cash = self._cash(n.astype(object), self.excess.astype(object))
        return np.where(self.excess <= n, list(map(as_float, cash)), np.nan)

    def to_text(self, *, all_rows: bool = False) -> str:
        """Return the boundary as a table, from the full deck down.

        Parameters
        ----------
        all_rows : bool, default False
            Whether to show all rows of a long table, not some at equal distances.
        """
        rows = self._rows()
        most = len(rows) if _checks.boolean("all_rows", all_rows) else _html.MOST_ROWS
        shown = _html.spread(len(rows), max(most, 2))
        text = aligned([_HEAD, *(rows[i] for i in shown)], left=(1, 2))
        if len(shown) < len(rows):
            text.append(f"({len(shown)} of {len(rows)} rows shown)")
        return "\n".join(text)

    def to_dict(self, *, json: bool = False) -> dict[str, Any]:
        """Return all fields and `cash` as plain lists and numbers.

        Parameters
        ----------
        json : bool, default False
            Whether to use only types that JSON has: NaN becomes text, for example.
        """
        cash = plain(self.cash, json=json)
        return {**plain(self, json=json), "cash": cash}

    def to_pandas(self) -> pd.DataFrame:
        """Return a DataFrame with a row for each number of cards remaining.

        "stops" says whether the player stops in some state of the deck, "excess" and
        "cash" from which excess and cash on.

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
        """Return the rows of the table; cash is a range if gain and cost differ."""
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
    """The thresholds n_1, n_2, ...: for each excess, the largest n at which to stop.

    A sequence of ints, which NumPy takes as an array. ``thresholds[0]`` is n_1.

    Attributes
    ----------
    n : ndarray of int64, read-only
        ``n[k - 1]`` is n_k: at excess k (black less red cards remaining) the player
        stops exactly when at most n_k cards remain. -1 where the threshold is not
        known.
    exact_up_to : int
        All thresholds up to this excess are certain.
    undecided : tuple of int
        The excesses whose threshold floating point cannot decide.
    rules : Rules
        The rules for which the thresholds hold.

    Examples
    --------
    Should you stop at excess 6 with 38 cards left, and with 60?

    >>> from cardgames_dp import redblack
    >>> found = redblack.thresholds(100)
    >>> 38 <= found[6 - 1], 60 <= found[6 - 1]
    (True, False)
    >>> found.exact_up_to, found.undecided
    (100, ())

    Shepp found that the player stops at excess ``alpha sqrt(n)`` in the limit, so n_k
    is about ``1.4175 k**2``:

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
        """Return all fields as plain lists and numbers.

        Parameters
        ----------
        json : bool, default False
            Whether to use only types that JSON has: Fractions become text.
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

        notes = ["At each excess, stop exactly when at most this many cards remain."]
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
    """Return the thresholds n_1, ..., n_max_excess of the stopping boundary.

    At excess k (black less red cards remaining, which in a balanced deck is the cash in
    hand) the player stops exactly when at most n_k cards remain.

    A decision compares two float64 numbers with a bound of their error. A decision left
    open is settled with integers up to excess 100 (in the classic game only the tie at
    1 red and 2 black cards). Beyond, the staircase climbs once more with the longer
    floats of this machine, if it has them; what is still open is reported. The first
    open threshold is at excess 21,586 (2316 without longer floats, 390 by the
    diagonal).

    Grade: certified.

    Parameters
    ----------
    max_excess : int
        The largest excess, at least 1.
    rules : Rules, optional
        Linear rules under which a red card gains at least what a black card costs, and
        both amounts are positive. ``rules.tie`` says whether the thresholds include
        states in which stopping and drawing are worth the same. The classic rules if
        not given.
    method : {"auto", "diagonal", "staircase"}
        "diagonal" takes time that grows as the cube of `max_excess`, about 4 seconds
        for 1000. "staircase" needs rules under which a red card gains what a black card
        costs; each threshold takes a fraction of a millisecond, and about two if
        `max_excess` is 2316 or more.
    progress : bool, default False
        Show a progress bar, for which `tqdm` is needed (the extra ``progress``).

    Returns
    -------
    Thresholds
        In each array, entry ``k - 1`` belongs to excess k.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described above, `rules` has no thresholds or has
        amounts too different in size for float64, or `method` is "staircase" for other
        rules.
    TooLongError
        If it would take weeks, or more than an hour without `progress`.
    ArithmeticError
        If the staircase cannot certify its own arithmetic, as for :func:`enclosure`.
    ModuleNotFoundError
        If `progress` is true and `tqdm` is not installed.

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
