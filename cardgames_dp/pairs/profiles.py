"""The chances of all seats when each seat has its own policy."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np

from cardgames_dp import _checks, _html, _records, _text
from cardgames_dp._records import ArrayRecord
from cardgames_dp.pairs._arguments import checked_scores, start_deck
from cardgames_dp.pairs._engine import (
    TOLERANCE,
    kept_to,
    played,
    tables_by_leader,
)
from cardgames_dp.pairs._frames import data_frame
from cardgames_dp.pairs._kernels.induction import COPY, optimal
from cardgames_dp.pairs._kernels.positions import Positions
from cardgames_dp.pairs._kernels.setting import Floats, numbers_of
from cardgames_dp.pairs._seating import by_seat, one_for_each
from cardgames_dp.pairs.policies import Policy, policy_name
from cardgames_dp.pairs.rules import Rules

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Evaluation(ArrayRecord):
    """The chances of each seat to win and to lose; made by :func:`evaluate`.

    Seats are numbered in turn order; seat 0 moves first in the game. It prints as a
    table. The arrays are read-only.

    Attributes
    ----------
    rules : Rules
        The rules of the game.
    policies : tuple of str
        The name of the policy in each seat.
    tolerance : float
        The largest difference of chances of winning that counts as a tie, for seats
        that play optimally.
    tables : tuple of ndarray of float64, shape (decks, vectors of scores, players)
        For each seat that may lead a round, the chances of winning as in
        :attr:`Solution.table`, the leader first. `value_at` reads them.

    Examples
    --------
    >>> from cardgames_dp import pairs
    >>> rules = pairs.Rules(players=3, deck=pairs.triangular(4), target=6)
    >>> print(pairs.evaluate(rules, ["fifty_percent", "optimal", "expected_points"]))
    seat  policy               wins     loses
       0  fifty_percent    0.557954  0.442046
       1  optimal          0.750978  0.249022
       2  expected_points  0.691068  0.308932
    """

    rules: Rules
    policies: tuple[str, ...]
    tolerance: float
    tables: tuple[Floats, ...]

    @property
    def value(self) -> tuple[float, ...]:
        """Chances of winning, by seat."""
        return tuple(self.tables[0][-1, 0].tolist())  # of the full deck

    @property
    def lose(self) -> tuple[float, ...]:
        """Chances of losing, by seat.

        They sum to 1, except with ``reshuffle="essay"``, where games may end without a
        loser.
        """
        value = self.value
        ending = 1.0
        if self.rules.reshuffle == "essay":
            ending = sum(value) / (len(value) - 1)
        return tuple([ending - win for win in value])

    def value_at(
        self,
        scores: Iterable[SupportsIndex],
        *,
        leader: SupportsIndex = 0,
        deck: Mapping[Any, SupportsIndex] | None = None,
    ) -> tuple[float, ...]:
        """Return the chances of winning at the start of a round.

        Parameters
        ----------
        scores : iterable of int
            The points of the players, by seat.
        leader : int, default 0
            The seat of the player who leads the round; with ``first="lowest"``, of the
            player who is dealt the first card.
        deck : mapping of int to int, optional
            The cards that nobody has seen, as for :meth:`Solution.value_at`.

        Returns
        -------
        tuple of float
            The chances by seat.

        Raises
        ------
        TypeError, ValueError
            If `scores` is not one score below the target for each player, there is no
            such seat, or a round cannot start with `deck`.

        Examples
        --------
        The same scores, and another leader:

        >>> from cardgames_dp import pairs
        >>> rules = pairs.Rules(deck=pairs.triangular(4), target=10)
        >>> chances = pairs.evaluate(rules, ["always_hit", "optimal"])
        >>> for leader in range(2):
        ...     print([round(x, 4) for x in chances.value_at([5, 5], leader=leader)])
        [0.3418, 0.6582]
        [0.4575, 0.5425]
        """
        vector = checked_scores(self.rules, scores)
        leader = _checks.integer("leader", leader)
        if leader >= self.rules.players:
            raise ValueError(
                f"leader must be an integer from 0 to {self.rules.players - 1}, got "
                f"{_checks.shown(leader)}"
            )
        number = start_deck(Positions(self.rules), deck)
        column = numbers_of(self.rules, np.roll(vector, -leader))
        turned = self.tables[leader][number, column]
        return tuple(np.roll(turned, leader).tolist())

    def to_dict(self, *, json: bool = False) -> dict[str, Any]:
        """Return all fields, with the rules, as plain objects.

        Parameters
        ----------
        json : bool, default False
            Whether to use only types that JSON has: tuples become lists.
        """
        everything = {
            "rules": self.rules,
            "policies": self.policies,
            "value": self.value,
            "lose": self.lose,
            "tolerance": self.tolerance,
            "tables": self.tables,
        }
        plain: dict[str, Any] = _records.plain(everything, json=json)
        return plain

    def to_pandas(self) -> pd.DataFrame:
        """Return a DataFrame with one row for each seat: "policy", "win" and "lose".

        Raises
        ------
        ModuleNotFoundError
            If pandas is not installed (the extra ``pandas``).
        """
        columns = {"policy": self.policies, "win": self.value, "lose": self.lose}
        return data_frame(columns, index=("seat", range(len(self.policies))))

    def __repr__(self) -> str:
        return _records.summary(self, policies=self.policies, value=self.value)

    def __str__(self) -> str:
        return "\n".join(_text.aligned([_HEAD, *self._rows()], left={1}))

    def _repr_html_(self) -> str:
        rows = [
            [_html.label(seat), *map(_html.cell, rest)] for seat, *rest in self._rows()
        ]
        return _html.table("Chances of each seat", _HEAD, rows)

    def _rows(self) -> list[list[str]]:
        by_seat = zip(self.policies, self.value, self.lose, strict=True)
        return [
            [str(seat), name, f"{win:.6f}", f"{lose:.6f}"]
            for seat, (name, win, lose) in enumerate(by_seat)
        ]


_HEAD = ["seat", "policy", "wins", "loses"]


def evaluate(
    rules: Rules | None,
    policies: Policy | Iterable[Policy],
    *,
    tolerance: float = TOLERANCE,
    progress: bool = False,
    executor: Executor | None = None,
) -> Evaluation:
    """Return the chances of all seats when each player follows a given policy.

    Grade: float64; exact except for rounding.

    Parameters
    ----------
    rules : Rules or None
        The published game of two players if None.
    policies : Policy, or iterable of Policy
        The policy of each seat, in turn order, beginning with the player who moves
        first; or one policy for all seats. `Policy` lists the named ones.
    tolerance, progress, executor
        As for :func:`solve`.

    Returns
    -------
    Evaluation
        The chances of winning and losing by seat, at the start of the game and of any
        round.

    Raises
    ------
    TypeError, ValueError
        If there is not one policy for each seat; otherwise as for :func:`win_rate`.
    TooLargeError, TooLongError, ModuleNotFoundError
        As for :func:`solve`.

    See Also
    --------
    win_rate : One policy in each seat in turn, against others who share another one.
    simulate : Estimates of the same, also under the official rules.
    cardgames_dp.play.evaluate : The same for any game, and exactly; much slower.

    Notes
    -----
    A seat keeps its policy whoever leads a round, so one table is computed for each
    seat that may lead. Each takes the time of :func:`solve`, and there is one more if a
    seat plays optimally.

    Examples
    --------
    The first of four players folds if the chance of a pair is above 1/5, and the others
    play optimally. The chances of each seat to lose are:

    >>> from cardgames_dp import pairs
    >>> rules = pairs.Rules(players=4, deck=pairs.triangular(4), target=3)
    >>> careful = pairs.HitBelow("1/5", or_equal=True)
    >>> chances = pairs.evaluate(rules, [careful, "optimal", "optimal", "optimal"])
    >>> [round(chance, 5) for chance in chances.lose]
    [0.50514, 0.18572, 0.16707, 0.14207]
    >>> [round(chance, 5) for chance in pairs.evaluate(rules, "optimal").lose]
    [0.31685, 0.26537, 0.22542, 0.19236]
    """
    rules = _checks.rules(rules, Rules)
    seats = by_seat(policies, rules.players)
    profile = tuple(one_for_each(seats, lambda name, one: played(name, one, rules)))
    if all(seat == COPY for seat in profile):
        profile = optimal(rules.players)
    sweep = kept_to(
        rules, profile, tolerance=tolerance, progress=progress, executor=executor
    )
    return Evaluation(
        rules,
        tuple([policy_name(policy) for _, policy in seats]),
        sweep.tolerance,
        tuple(tables_by_leader(sweep, profile)),
    )
