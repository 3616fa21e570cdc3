"""Optimal play of a whole game: its line of play, and the final sums."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any, Generic

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import _checks, _html
from cardgames_dp._extras import require
from cardgames_dp._memory import refuse_too_large
from cardgames_dp._numbers import short
from cardgames_dp._records import ArrayRecord, Record, plain, short_repr, summary
from cardgames_dp.cardrow._cards import read
from cardgames_dp.cardrow._kernels import collapse, diagonals, solvers
from cardgames_dp.cardrow._kernels.row import Cards, Exact, Real, counted
from cardgames_dp.cardrow._kernels.solvers import Method
from cardgames_dp.cardrow.rules import Rules, instance_of
from cardgames_dp.cardrow.turns import Side, Turn
from cardgames_dp.cardrow.valuation import METHODS, refuse_collapse

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Play(ArrayRecord, Generic[Real]):
    """A row played to its end: the order of the cards, their ends and their takers.

    The arrays are read-only.

    Attributes
    ----------
    positions : ndarray of int64, shape (cards,)
        The positions of the cards, counted from 0, in the order in which they are
        taken.
    players : ndarray of int64, shape (cards,)
        The player who takes each of these cards, counted from 0.
    from_right : ndarray of bool, shape (cards,)
        Whether each of these cards is taken from the right; the last turn counts as one
        from the left.
    sums : tuple of int, Fraction or float
        The sum that each player takes, each by their own values.

    Examples
    --------
    >>> from cardgames_dp import cardrow
    >>> cardrow.optimal_play([14, 4, 7, 2, 5, 12])
    Play(cards=6, sums=(26, 18))
    """

    positions: NDArray[np.int64]
    players: NDArray[np.int64]
    from_right: NDArray[np.bool_]
    sums: tuple[Real, ...]

    @property
    def sides(self) -> tuple[Side, ...]:
        """The end from which each card is taken, "left" or "right"."""
        return tuple(["right" if right else "left" for right in self.from_right])

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The turns in order; a turn may take several cards from one end."""
        taken = groupby(zip(self.players.tolist(), self.sides, strict=True))
        return tuple([Turn(side, len(list(cards))) for (_, side), cards in taken])

    def to_dict(self, *, json: bool = False) -> dict[str, Any]:
        """Return all fields as plain lists, tuples and numbers.

        Parameters
        ----------
        json : bool, default False
            Whether to use only types that JSON has: Fractions become text.
        """
        found: dict[str, Any] = plain(self, json=json)
        return found

    def to_pandas(self) -> pd.DataFrame:
        """Return a DataFrame with one row a card, in order: player, side, position.

        Raises
        ------
        ModuleNotFoundError
            If pandas is not installed.
        """
        pandas = require("pandas", extra="pandas", purpose="to_pandas")
        columns = {
            "player": self.players,
            "side": np.where(self.from_right, "right", "left"),
            "position": self.positions,
        }
        frame: pd.DataFrame = pandas.DataFrame(columns)
        return frame

    def __repr__(self) -> str:
        return summary(self, cards=len(self.positions), sums=self.sums)

    def _repr_html_(self) -> str:
        first = slice(0, _html.MOST_ROWS)
        rows = [
            [_html.cell(str(player)), _html.cell(side), _html.cell(str(position))]
            for player, side, position in zip(
                self.players[first].tolist(),
                self.sides[first],
                self.positions[first].tolist(),
                strict=True,
            )
        ]
        notes = [
            "Players and positions are counted from 0.",
            *_html.first_of(len(self.positions), "cards"),
        ]
        sums = " to ".join(map(short, self.sums[:9])) + " ..." * (len(self.sums) > 9)
        title = f"{counted(len(self.positions), 'card')}: {sums}"
        return _html.table(title, ["player", "from", "position"], rows, notes)


def optimal_play(
    cards: Cards,
    *,
    rules: Rules | None = None,
    method: Method = "auto",
    progress: bool = False,
) -> Play[Exact]:
    """Return one whole game in which all players play optimally.

    Grade: exact.

    Parameters
    ----------
    cards : iterable of int, Fraction, Decimal or float
        The row from left to right, as for :func:`value`.
    rules : Rules, optional
        The classic rules if not given.
    method : {"auto", "collapse", "diagonal"}
        The algorithm. "collapse" takes O(n) time for n cards, for two players who take
        one card a turn. "diagonal" takes ``O(n**2 k m)`` time, with up to k cards a
        turn and m players, and n**2 / 2 bytes (four or more times that with 128 or more
        cards a turn). "auto" is linear where possible.
    progress : bool, default False
        Show a progress bar of "diagonal", for which `tqdm` is needed (the extra
        ``progress``).

    Returns
    -------
    Play
        With "diagonal" it follows the tie rule at every turn. With "collapse" it takes
        the blocks to which the row collapses from the largest to the smallest (under
        misère rules from the smallest to the largest), the left one of two equal ones,
        and the cards of a block one after the other. Both lines are optimal at every
        turn, so both end in the same sums; with weights, in the same lead only.

    Raises
    ------
    TypeError, ValueError
        As for :func:`value`.
    TooLargeError, TooLongError
        If "diagonal" would not fit in memory, or take weeks, or more than an hour
        without `progress`.

    Notes
    -----
    :doc:`/theory/cardrow` explains why the cards of a block may be taken one after the
    other.

    Examples
    --------
    >>> from cardgames_dp import cardrow
    >>> play = cardrow.optimal_play([14, 4, 7, 2, 5, 12])
    >>> play.positions.tolist(), play.sums
    ([0, 5, 4, 1, 2, 3], (26, 18))
    >>> play.sides
    ('left', 'right', 'right', 'left', 'left', 'left')
    """
    rules = _checks.rules(rules, Rules)
    method = _checks.choice("method", method, METHODS)
    progress = _checks.boolean("progress", progress)
    refuse_collapse(method, rules)
    instance = instance_of(rules, read("cards", cards))
    n = len(instance.worths[0])
    if rules.linear and method != "diagonal":
        positions, from_right = collapse.line(instance.wanted)
        players = np.arange(n) % 2
        sums = solvers.taken_sums(instance, positions, players)
        return Play(positions, players, from_right, sums)
    most = min(rules.take, n)
    refuse_too_large(
        f"the turns at {n * (n + 1) // 2} intervals of {n} cards",
        n * (n + 1) // 2 * np.min_scalar_type(-most).itemsize,
        "use method='collapse' if the rules allow it",
    )
    worths = instance.array(exact=True)
    every = diagonals.sweep(worths, instance.terms, progress=progress)
    codes = [np.broadcast_to(turns.codes, n - i) for i, turns in enumerate(every)]
    positions, players, from_right = follow(
        n, rules.players, lambda left, right: int(codes[right - left][left])
    )
    sums = solvers.taken_sums(instance, positions, players)
    return Play(positions, players, from_right, sums)


def follow(
    n: int, num_players: int, code_at: Callable[[int, int], int]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.bool_]]:
    """Return positions, players and ends of a game, from the turn at each interval."""
    positions: list[int] = []
    players: list[int] = []
    from_right: list[bool] = []
    left, right, player = 0, n - 1, 0
    while left <= right:
        code = code_at(left, right)
        if code < 0:
            positions += range(left, left - code)
            left -= code
        else:
            positions += range(right, right - code, -1)
            right -= code
        players += [player] * abs(code)
        from_right += [code > 0] * abs(code)
        player = (player + 1) % num_players
    return np.array(positions), np.array(players), np.array(from_right)


@dataclass(frozen=True, slots=True, repr=False)
class Scores(Record):
    """The final sums of the players; made by :func:`scores`.

    Attributes
    ----------
    sums : tuple of int or Fraction
        The sum of each player, beginning with the first; each by their own values.

    Examples
    --------
    >>> from cardgames_dp import cardrow
    >>> first, second = cardrow.scores([14, 4, 7, 2, 5, 12]).sums
    >>> first - second == cardrow.value([14, 4, 7, 2, 5, 12])
    True
    """

    sums: tuple[Exact, ...]

    def to_dict(self, *, json: bool = False) -> dict[str, Any]:
        """Return all fields as plain numbers and lists.

        Parameters
        ----------
        json : bool, default False
            Whether to use only types that JSON has: Fractions become text.
        """
        found: dict[str, Any] = plain(self, json=json)
        return found

    def __repr__(self) -> str:
        return short_repr(self)


def scores(
    cards: Cards,
    *,
    rules: Rules | None = None,
    method: Method = "auto",
    progress: bool = False,
) -> Scores:
    """Return the sum that each player takes if all play optimally.

    Grade: exact.

    Parameters
    ----------
    cards, rules, method, progress
        As for :func:`value`.

    Returns
    -------
    Scores
        With weights or more than two players, the sums can depend on the choices in
        ties. They are then those of ``rules.tie``, which only "diagonal" finds. With
        weights, :func:`optimal_play` gives the sums of another optimal line in linear
        time.

    Raises
    ------
    TypeError, ValueError
        As for :func:`value`; "collapse" is also refused with weights.
    TooLongError
        As for :func:`value`.

    References
    ----------
    Pashevich's report, whose table has these sums as mySum and oppSum.

    Examples
    --------
    >>> from cardgames_dp import cardrow
    >>> cardrow.scores([14, 4, 7, 2, 5, 12])
    Scores(sums=(26, 18))
    >>> cardrow.scores([1, 1, 2, 1], rules=cardrow.Rules(players=3)).sums
    (2, 2, 1)
    >>> cardrow.scores([1, 1, 2, 1], rules=cardrow.Rules(players=3, tie="left")).sums
    (2, 1, 2)
    """
    rules = _checks.rules(rules, Rules)
    method = _checks.choice("method", method, METHODS)
    progress = _checks.boolean("progress", progress)
    refuse_collapse(method, rules)
    if method == "collapse" and rules.weights is not None:
        raise ValueError(
            "method 'collapse' is for rules without weights, as with weights the sums "
            "depend on the tie rule; use method='diagonal', or optimal_play(...).sums"
        )
    instance = instance_of(rules, read("cards", cards))
    if rules.players > 2 or rules.weights is not None:
        return Scores(tuple(solvers.end_sums(instance, progress=progress)))
    wanted = solvers.wanted_lead(instance, method, progress=progress)
    total, lead = sum(instance.worths[0]), -wanted if rules.misere else wanted
    sums = (total + lead) // 2, (total - lead) // 2  # both are even
    return Scores((instance.unit.exact(sums[0]), instance.unit.exact(sums[1])))
