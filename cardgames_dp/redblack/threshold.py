"""The thresholds of red/black: where to stop at each excess, for any deck.

`cardgames_dp.redblack._kernels.boundary` says why they exist, and finds them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import _checks, _html
from cardgames_dp._effort import refuse_too_long
from cardgames_dp._extras import require
from cardgames_dp._records import ArrayRecord, plain
from cardgames_dp.redblack._kernels import boundary, costs
from cardgames_dp.redblack._kernels.methods import Method, chosen
from cardgames_dp.redblack._kernels.staircase import guess
from cardgames_dp.redblack._kernels.staircase.ascent import MOST_CARDS, Deck
from cardgames_dp.redblack.boundary import refuse_rules_without_thresholds
from cardgames_dp.redblack.rules import Rules

if TYPE_CHECKING:
    import pandas as pd

EXACT_EXCESS = 100
"""Decisions up to this excess are always settled, by integers where float64 cannot."""


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
        The excesses whose threshold float64 could not tell.
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
    def __getitem__(self, index: int) -> int: ...
    @overload
    def __getitem__(self, index: slice) -> list[int]: ...
    def __getitem__(self, index: int | slice) -> int | list[int]:
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
    max_excess: int,
    *,
    rules: Rules | None = None,
    method: Method = "auto",
    progress: bool = False,
) -> Thresholds:
    """Return the thresholds of the stopping boundary, n_1 to n_max_excess.

    The player stops at excess k (black less red cards remaining; how far ahead the
    player of a balanced deck is) exactly when at most n_k cards remain.

    A decision compares two float64 numbers whose error is bounded; those that the bound
    leaves open are settled in integers up to excess 100, where the classic game has
    one, the tie at 1 red and 2 black, and reported beyond. The first of them is at
    excess 390 by the diagonal, beyond 2000 by the staircase.

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
        takes half a millisecond for each.
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
    refuse_rules_without_thresholds(rules)
    progress = _checks.boolean("progress", progress)
    _refuse_beyond_limits(max_excess)
    # A deck that comes past the last threshold, and not past another.
    n = (guess.level(max_excess) + guess.level(max_excess + 1)) // 2
    deck = Deck((n - max_excess) // 2, (n + max_excess) // 2)
    climbs = chosen(method, rules, [deck]) == "staircase"
    find = boundary.climbed_thresholds if climbs else boundary.swept_thresholds
    last, doubtful = find(rules, deck, max_excess, progress)
    undecided = []
    for excess, levels in doubtful.items():
        if excess <= EXACT_EXCESS:
            stopping = (n for n in reversed(levels) if boundary.stops(rules, n, excess))
            last[excess] = next(stopping, levels[0] - 2)
        else:
            undecided.append(excess)
            last[excess] = -1
    result = last[1:].copy()
    exact_up_to = min(undecided, default=max_excess + 1) - 1
    return Thresholds(result, exact_up_to, tuple(undecided), rules)


def _refuse_beyond_limits(max_excess: int) -> None:
    """Refuse what neither the staircase nor the diagonal can do."""
    # n_k is about (k / 0.84)**2, and the staircase's decks have 2**50 cards at most.
    cards = 2 * max_excess * max_excess
    if cards > 2 * MOST_CARDS:
        refuse_too_long(
            f"{_checks.shown(max_excess)} thresholds",
            costs.sweep(Rules(), cards, cards, exact=False, last=cards),
            "ask for fewer: n_k is about (k / 0.83992 + 0.6)**2 far out",
        )
