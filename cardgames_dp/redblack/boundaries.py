r"""The stopping boundary of red/black: where to stop, in a solved deck and in any deck.

`boundary` is that of a solved deck. `thresholds` finds the boundary of any deck
without a table, by a sweep or by the staircase. `Thresholds.least_red` says the same by
black cards: how many red cards make a draw right.

**One number for each excess is enough** under linear rules by which a red card gains at
least what a black card costs: stop at excess k exactly when at most n_k cards remain.
For then a pair of cards, one of each colour, can only help: a player who ignores the
pair plays the smaller deck, and by symmetry both cards of the pair are equally likely
to be drawn before the player stops. So if stopping is right at (r + 1, b + 1), it is
right at (r, b).

**In continuous time** the boundary is where to stop a Brownian bridge.
The Problem 14 essay remarks that the cash in hand is a discrete Brownian bridge, and
that the question when to stop it resembles the pricing of an American option. With N
cards in all, n of them left and excess s, let ``t = 1 - n / N`` and
``x = s / sqrt(N)``. As N grows, x becomes a Brownian bridge X, which is 0 at the times
0 and 1. The total of optimal play, divided by sqrt(N), becomes the value of stopping
the bridge:

.. math:: V(t, x) = \sup_\tau E\,[X_\tau \mid X_t = x].

The solution is known in closed form. The player stops at ``alpha sqrt(1 - t)`` and
above, with Shepp's alpha = 0.8399; below,

.. math::

   V(t, x) = \sqrt{2 \pi (1 - t)}\, (1 - \alpha^2)\, e^{y^2 / 2}\, \Phi(y),
   \qquad y = \frac x{\sqrt{1 - t}}.

`bridge_value` computes it, and has the references.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal, SupportsIndex, TypeAlias, overload

import numpy as np
import scipy  # its parts are loaded when they are used
from numpy.typing import ArrayLike, NDArray

from cardgames_dp._graph.solution import Solution, as_solution
from cardgames_dp._results import tables
from cardgames_dp._results.records import Result
from cardgames_dp._support import arguments
from cardgames_dp._support.arguments import Count, Counts
from cardgames_dp._support.calls import suggest_arguments
from cardgames_dp._support.printing import short
from cardgames_dp._support.running import with_progress
from cardgames_dp.redblack._kernels.large_decks import ALPHA, level as level_of
from cardgames_dp.redblack._kernels.methods import Method, chosen
from cardgames_dp.redblack._kernels.recurrence import antidiagonal
from cardgames_dp.redblack._kernels.staircase.climb import MOST_CARDS, Deck, ascend
from cardgames_dp.redblack._kernels.staircase.walks import has_extended
from cardgames_dp.redblack._kernels.sweep import Sweep, tops
from cardgames_dp.redblack.cards import is_deck
from cardgames_dp.redblack.rules import Problem, Rules, as_float

_HEAD = ("cards remaining", "stop at an excess of", "in cash")

_EXACT_EXCESS = 100
"""Decisions up to this excess are always settled, with integers if necessary."""

_ByExcess: TypeAlias = tuple[NDArray[np.int64], dict[int, list[int]]]
"""Thresholds by excess, from 0 on; for some excesses, the levels that are open."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Boundary(Result):
    """The stopping boundary of a solved deck, in both forms; prints as a table.

    Made by :func:`boundary`. ``np.asarray`` gives `excess`.

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
    >>> boundary = redblack.boundary(redblack.solve(26, 26))
    >>> int(boundary.excess[38])
    6
    >>> print(redblack.boundary(redblack.solve(5, 5)))
    cards remaining  stop at an excess of  in cash
            9 to 10  never                 never
             4 to 8  2 or more             2 or more
             1 to 3  1 or more             1 or more
    (The excess is how many more black than red cards remain, odd with an odd number.)
    """

    red: int
    black: int
    rules: Rules
    excess: NDArray[np.int64]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return np.array(self.excess, dtype=dtype, copy=copy)

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

    _derived = ("cash",)

    def _table(self) -> tables.Table:
        rows: list[tuple[str, str, str]] = []
        for first, last, word in runs(self.excess, self.red):
            levels = str(last) if first == last else f"{last} to {first}"
            if isinstance(word, str):
                rows.append((levels, word, word))
                continue
            ends = {self._cash(last, word)}
            if self.rules.gain != self.rules.cost:
                # A range, of the excesses that states have: only with equal amounts
                # does the cash at any excess mean the same.
                every = range(last, first + 1)
                ends = {self._cash(n, int(self.excess[n])) for n in every}
            amounts = sorted({min(ends), max(ends)})
            cash = f"{' to '.join(map(short, amounts))} or more"
            rows.append((levels, f"{word} or more", cash))
        excess = "how many more black than red cards remain, odd with an odd number"
        notes = [f"The excess is {excess}."]
        return tables.Table(_HEAD, rows, notes, left=(1, 2))

    def _columns(self) -> tuple[Any, dict[str, Any]]:
        n = np.arange(len(self.excess))
        columns = {"stops": self.excess <= n, "excess": self.excess, "cash": self.cash}
        return {"n": n}, columns

    def _cash(self, n: Any, excess: Any) -> Any:
        """Return the cash in hand at an excess, which may have the wrong parity."""
        red_drawn, black_drawn = 2 * self.red - n + excess, 2 * self.black - n - excess
        return (self.rules.gain * red_drawn - self.rules.cost * black_drawn) / 2


@suggest_arguments
def boundary(solution: Solution[Any, Any, Any]) -> Boundary:
    """Return the stopping boundary of a solved deck: where to stop, by cards remaining.

    Grade: exact, of the solution.

    Parameters
    ----------
    solution : Solution
        The solution of a deck, from :func:`solve`.

    Returns
    -------
    Boundary

    Raises
    ------
    ValueError
        Also if for some n the stop set is not one-sided, which can happen under a
        utility; ``solution.table("stop")`` has the whole set.

    Examples
    --------
    >>> from cardgames_dp import redblack
    >>> redblack.boundary(redblack.solve(3, 3)).excess.tolist()
    [0, 1, 2, 1, 2, 6, 7]
    """
    if (source := as_solution(solution)) is not None:
        solution = source
    must = "solution must be one of a deck, such as redblack.solve returns"
    if not is_deck(getattr(solution, "game", None)):
        raise arguments.wrong_type(must, solution)
    red, black = solution.game.counts
    if red + black and solution.initial_state not in solution.policy:
        raise arguments.wrong_value(f"{must}, with a policy of its own", solution)
    stop = solution.table("stop")
    stop[0, 0] = True  # the empty deck
    return Boundary(red, black, solution.game.rules, excess_by_table(stop))


def excess_by_table(stop: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return for each n the smallest excess at which a table stops, or n + 1."""
    red, black = stop.shape[0] - 1, stop.shape[1] - 1
    excess = np.arange(1, red + black + 2, dtype=np.int64)
    for n in range(red + black + 1):
        first, last = max(0, n - black), min(red, n)
        stops = antidiagonal(stop, n, first, last)
        count = int(np.count_nonzero(stops))
        if not stops[:count].all():
            raise ValueError(
                f"with {n} cards remaining the stop set is not one-sided, so there "
                "is no boundary; use solution.table('stop')"
            )
        if count:
            excess[n] = n - 2 * (first + count - 1)
    return excess


def runs(
    excess: NDArray[np.int64], red: int
) -> list[tuple[int, int, int | Literal["never", "any"]]]:
    """Return ranges of n, the larger end first, with the same excess to stop at.

    An excess is even or odd as n is. So "1 or more" means 2 or more where n is even,
    and even and odd n share a range.
    """
    ranges: list[tuple[int, int, list[Any]]] = []
    total = len(excess) - 1
    for n in range(total, min(total, 1) - 1, -1):
        least, first = int(excess[n]), n
        if least > n:
            words: list[Any] = ["never"]
        elif least <= n - 2 * min(red, n):
            words = ["any"]
        else:
            words = [least, least - 1]
        if ranges and (shared := [word for word in ranges[-1][2] if word in words]):
            first, _, _ = ranges.pop()
            words = shared
        ranges.append((first, n, words))
    return [(first, n, words[0]) for first, n, words in ranges]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Thresholds(Result):
    """The thresholds n_1, n_2, ...: for each excess, the largest n at which to stop.

    ``np.asarray`` gives `n`.

    Attributes
    ----------
    n : ndarray of int64, read-only
        ``n[k - 1]`` is n_k: at excess k (black less red cards remaining) the player
        stops exactly when at most n_k cards remain. -1 where floating point cannot
        decide the threshold.
    rules : Rules
        The rules for which the thresholds hold.

    Examples
    --------
    Should you stop at excess 6 with 38 cards left, and with 60? With up to 58:

    >>> from cardgames_dp import redblack
    >>> found = redblack.thresholds(100)
    >>> found.n[6 - 1].item()
    58
    >>> found.exact_up_to
    100

    Shepp found that the player stops at excess ``alpha sqrt(n)`` in the limit, so n_k
    is about ``1.4175 k**2``:

    >>> import numpy as np
    >>> (found.n / np.arange(1, 101) ** 2)[[9, 99]].round(4).tolist()
    [1.54, 1.4314]
    """

    n: NDArray[np.int64]
    rules: Rules

    _derived = ("exact_up_to",)
    _repr_fields = ("n", "exact_up_to", "rules")

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return np.array(self.n, dtype=dtype, copy=copy)

    @property
    def exact_up_to(self) -> int:
        """The largest excess up to which all thresholds are known, and certain."""
        unknown = np.flatnonzero(self.n < 0)
        return int(unknown[0]) if len(unknown) else len(self.n)

    @overload
    def least_red(self, black: Count) -> int: ...  # type: ignore[overload-overlap]
    @overload
    def least_red(self, black: Counts) -> NDArray[np.int64]: ...
    def least_red(self, black: Counts) -> int | NDArray[np.int64]:
        """Return how many red cards make a draw right, given the black cards.

        With b black cards left, the player draws exactly when at least ``least_red(b)``
        red cards are left. This is the same rule in another form: a state with r red
        cards has excess k = b - r, and the player stops there if ``r + b <= n_k``.

        Parameters
        ----------
        black : int, or array_like of int
            Numbers of black cards.

        Returns
        -------
        int, or ndarray of int64
            The numbers of red cards; they never decrease.

        Raises
        ------
        ValueError
            If a threshold is needed beyond `exact_up_to`: the thresholds up to excess K
            decide for up to ``(n_K + K) / 2`` black cards.

        References
        ----------
        W. M. Boyce, "On a simple optimal stopping problem", Discrete Mathematics 5
        (1973), 297-312, tabulates the boundary in this form. "If 3 <= b <= 4, play
        while r >= b - 1" is a rule of the Dynamic Card Game note (:doc:`/errata`); it
        holds for 5 as well.

        Examples
        --------
        >>> import numpy as np
        >>> from cardgames_dp import redblack
        >>> least = redblack.thresholds(4).least_red(range(13))
        >>> least.tolist()
        [1, 1, 2, 2, 3, 4, 4, 5, 6, 7, 8, 8, 9]
        >>> (np.arange(13) - least).tolist()
        [-1, 0, 0, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3]
        """
        blacks = arguments.counts("black", black)
        certain = self.n[: self.exact_up_to]
        # With b black cards, stop at excess k if 2 b - k <= n_k: from some k on.
        sums = certain + np.arange(1, len(certain) + 1)
        most = int(sums[-1]) // 2 if len(sums) else 0
        if blacks.size and blacks.max() > most:
            raise ValueError(
                f"black must be at most {most} for the certain thresholds up to excess "
                f"{len(certain)}, got {arguments.shown(blacks.max())}; use thresholds "
                "of more excesses"
            )
        counts = blacks.astype(np.int64)
        excess = np.searchsorted(sums, 2 * counts) + 1
        # With no black card left, draw any red card.
        least = np.where(counts == 0, 1, counts - excess + 1)
        return least if least.ndim else int(least)

    def _table(self) -> tables.Table:
        rows = [
            (str(k), str(n) if n > 0 else "not known")
            for k, n in enumerate(self.n.tolist(), 1)
        ]
        notes = ["At each excess, stop exactly when at most this many cards remain."]
        return tables.Table(("excess", "cards remaining"), rows, notes, left=())

    def _columns(self) -> tuple[Any, dict[str, Any]]:
        return {"excess": np.arange(1, len(self.n) + 1)}, {"n": self.n}


@suggest_arguments
def thresholds(
    max_excess: SupportsIndex, *, rules: Rules | None = None, method: Method = "auto"
) -> Thresholds:
    """Return the thresholds n_1, ..., n_max_excess of the stopping boundary.

    At excess k (black less red cards remaining, which in a balanced deck is the cash in
    hand) the player stops exactly when at most n_k cards remain.

    A decision compares two float64 numbers with a bound on their error. A decision left
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

    Returns
    -------
    Thresholds
        In each array, entry ``k - 1`` belongs to excess k.

    Raises
    ------
    ValueError
        If `rules` has no thresholds or has amounts too different in size for float64,
        or `method` is "staircase" for other rules.
    ArithmeticError
        If the staircase cannot certify its own arithmetic, as for :func:`enclosure`.

    References
    ----------
    W. M. Boyce, "On a simple optimal stopping problem", Discrete Mathematics 5 (1973),
    297-312, tabulates the boundary of decks of up to 200 cards.

    Examples
    --------
    >>> from cardgames_dp import redblack
    >>> redblack.thresholds(12).n.tolist()
    [3, 8, 17, 28, 41, 58, 79, 100, 127, 154, 185, 220]
    """
    max_excess = arguments.integer("max_excess", max_excess, minimum=1)
    rules = arguments.rules(rules, Rules)
    if rules.utility is not None:
        raise ValueError(
            "rules must be linear, without a utility, to have thresholds; "
            "use solve(...).table('stop')"
        )
    if not rules.gain >= rules.cost > 0:
        raise ValueError(
            "rules must have win - fee >= lose + fee > 0 to have thresholds (else "
            "stopping can be right with many cards and wrong with fewer), got "
            f"win - fee = {short(rules.gain, 12)}, lose + fee = "
            f"{short(rules.cost, 12)}; "
            "use boundary(solve(...)).excess"
        )
    # n_k is about (k / 0.84)**2, and the staircase has no larger decks.
    most = math.isqrt(MOST_CARDS) // 2
    arguments.at_most("max_excess", max_excess, most, "ask for fewer")
    # A deck that passes the last threshold, and no other after it.
    cards = (level_of(max_excess) + level_of(max_excess + 1)) // 2
    deck = Deck((cards - max_excess) // 2, (cards + max_excess) // 2)
    climbs = chosen(method, rules, [deck]) == "staircase"
    search = _climbed_thresholds if climbs else _swept_thresholds
    last, doubtful = search(rules, deck, max_excess)
    for excess, levels in doubtful.items():
        if excess <= _EXACT_EXCESS:
            last[excess] = levels[0] - 2
            for n in reversed(levels):
                red = (n - excess) // 2
                if tops(Problem(rules, red, n - red, exact=True))[n] >= red:
                    last[excess] = n
                    break
        else:
            last[excess] = -1
    return Thresholds(last[1:].copy(), rules)


def _climbed_thresholds(_: Rules, deck: Deck, max_excess: int) -> _ByExcess:
    ascent = ascend([deck], audited=True)
    open_ones = [k for k in ascent.unsettled if _EXACT_EXCESS < k <= max_excess]
    if open_ones and has_extended():
        ascent = ascend([deck], audited=True, extended=True)
    last = np.array([0, *ascent.thresholds[:max_excess]], dtype=np.int64)
    steps = np.array([-4, -2, 0, 2, 4])
    near = {k: last[k] + steps for k in ascent.unsettled if k <= max_excess}
    # No state of this excess has fewer cards.
    return last, {k: levels[levels >= k].tolist() for k, levels in near.items()}


def _swept_thresholds(rules: Rules, deck: Deck, max_excess: int) -> _ByExcess:
    # The boundary is at 0.84 sqrt(n) or beyond: met long before this deck ends.
    cards = 4 * (max_excess + 2) ** 2
    whole = Problem(rules, cards, cards, exact=False)
    sweep = Sweep.of(whole, tie=rules.tie, last=deck.cards)
    last = np.zeros(max_excess + 3, dtype=np.int64)  # of each excess, with its parity
    doubtful: dict[int, list[int]] = {}
    for level in with_progress(sweep.levels(), deck.cards, "levels"):
        excess = level.n - 2 * level.top
        if excess > max_excess + 1:
            break
        last[excess] = level.n
        if not sweep.certain(level):
            decided = excess if level.rose else excess - 2
            doubtful.setdefault(decided, []).append(level.n)
    near = {k: levels for k, levels in doubtful.items() if k <= max_excess}
    return last[: max_excess + 1], near


_LARGEST = 1e100
"""Largest size of a place: squares of larger ones could overflow."""


@overload
def bridge_value(t: float, x: float) -> float: ...
@overload
def bridge_value(t: ArrayLike, x: ArrayLike) -> NDArray[np.float64]: ...
@suggest_arguments
def bridge_value(t: ArrayLike, x: ArrayLike) -> float | NDArray[np.float64]:
    """Return the value of a Brownian bridge that is stopped at the best time.

    It is stopped at ``alpha sqrt(1 - t)`` or above, with Shepp's alpha, which
    :func:`cardgames_dp.fitting.shepp_alpha` returns.

    Grade: float64.

    Parameters
    ----------
    t : number or array_like
        The time now, from 0 to 1; at time 1 the bridge ends in 0.
    x : number or array_like
        The place of the bridge at that time, from -1e100 to 1e100.

    Returns
    -------
    float, or ndarray of float64
        The largest expectation of the place at which the bridge is stopped; if `t` or
        `x` is an array, an array of the shape to which both broadcast.

    References
    ----------
    L. A. Shepp, "Explicit solutions to some problems of optimal stopping", Annals of
    Mathematical Statistics 40 (1969), 993-1010; E. Ekström and H. Wanntorp, "Optimal
    stopping of a Brownian bridge", Journal of Applied Probability 46 (2009), 170-180.

    Examples
    --------
    The value of a deck, with 20,000 cards and with infinitely many:

    >>> from cardgames_dp import redblack
    >>> round(redblack.value(10_000, 10_000) / 20_000**0.5, 5)
    0.36905
    >>> round(redblack.bridge_value(0, 0), 5)
    0.36914

    At x = 1 the player stops and wins 1; further below, playing on is worth more than
    x:

    >>> redblack.bridge_value(0.5, [-0.5, 0.0, 0.5, 1.0]).round(4)
    array([0.1607, 0.261 , 0.5096, 1.    ])
    """
    times, places = (
        _floats_between("t", t, 0.0, 1.0),
        _floats_between("x", x, -_LARGEST, _LARGEST),
    )
    times, places = arguments.broadcast("t and x", times, places)
    root = np.sqrt(1 - times)
    result = np.asarray(np.maximum(places, 0.0))
    going = places < ALPHA * root
    root, below = root[going], -places[going]
    # Far below the boundary, or close to the end, the value is 0.
    with np.errstate(over="ignore", divide="ignore"):
        scaled = scipy.special.erfcx(below / root / math.sqrt(2))
    # exp(y**2 / 2) Phi(y) is half of erfcx, which does not overflow.
    result[going] = math.sqrt(math.pi / 2) * (1 - ALPHA**2) * root * scaled
    return result.item() if result.ndim == 0 else result


def _floats_between(
    name: str, given: Any, least: float, most: float
) -> NDArray[np.float64]:
    """Return finite numbers of any shape as an array, if they are within bounds."""
    numbers = arguments.float_array(name, given)
    if ((numbers < least) | (numbers > most)).any():
        raise arguments.wrong_value(f"{name} must be from {least:g} to {most:g}", given)
    return numbers
