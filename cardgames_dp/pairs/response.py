"""The best that one player can do against others who keep to a policy."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, SupportsIndex

from cardgames_dp import _checks, _html, _records
from cardgames_dp.pairs._arguments import checked_scores
from cardgames_dp.pairs._engine import TOLERANCE, played, score_columns, solved
from cardgames_dp.pairs._frames import data_frame
from cardgames_dp.pairs._kernels.induction import (
    BEST,
    COPY,
    Behaviour,
    Profile,
    optimal,
)
from cardgames_dp.pairs._kernels.setting import Decisions, Floats
from cardgames_dp.pairs._kernels.sweep import Sweep
from cardgames_dp.pairs.advice import Advice, Hand, advice_from
from cardgames_dp.pairs.openings import OpeningTable, opening_from
from cardgames_dp.pairs.policies import (
    Policy,
    SolvedPlay,
    policy_name,
    policy_of,
    sweep_of,
)
from cardgames_dp.pairs.rounds import Round, round_from
from cardgames_dp.pairs.rules import Rules
from cardgames_dp.pairs.views import View

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class BestResponse(SolvedPlay):
    """The best that one player can do against others who all keep to a policy.

    Made by :func:`best_response`, read-only.

    Attributes
    ----------
    rules : Rules
        Those of the game.
    others : word or callable
        The policy of all others.
    tolerance : float
        Chances of winning that differ by no more than this were taken for equal.
    tables : tuple of ndarray of float64, shape (decks, vectors of scores, players)
        For each seat of the responder, from the leader on, chances of winning as in
        :class:`Solution`.

    Examples
    --------
    What one of three gains, seat by seat, where the others keep to a rule of thumb:

    >>> from cardgames_dp import pairs
    >>> rules = pairs.Rules(players=3, deck=pairs.triangular(3), target=3)
    >>> response = pairs.best_response(rules, "fifty_percent")
    >>> usual = pairs.solve(rules).value
    >>> [round(x - y, 4) for x, y in zip(response.values, usual)]
    [0.0682, 0.0616, 0.0473]
    >>> round(response.mean, 4)
    0.7257
    """

    rules: Rules
    others: Policy
    tolerance: float
    tables: tuple[Floats, ...]

    @property
    def values(self) -> tuple[float, ...]:
        """The responder's chance of winning in each seat, at the start of the game."""
        return tuple(
            [float(table[-1, 0, seat]) for seat, table in enumerate(self.tables)]
        )

    @property
    def first(self) -> float:
        """The responder's chance of winning in the first seat."""
        return self.values[0]

    @property
    def second(self) -> float:
        """The responder's chance of winning in the second seat."""
        return self.values[1]

    @property
    def mean(self) -> float:
        """The responder's chance of winning when seats are drawn by lot."""
        return sum(self.values) / len(self.values)

    def round(
        self, scores: Iterable[SupportsIndex], *, seat: SupportsIndex = 0
    ) -> Round:
        """Return a round: the responder's best decisions, and the others' own.

        Parameters
        ----------
        scores : iterable of int
            Points of each player, the leader of the round first.
        seat : int, default 0
            Where the responder sits, from the leader (0) on.

        Returns
        -------
        Round
            It is the responder's turn where ``cards % players == seat``.

        Raises
        ------
        TypeError, ValueError
            If there is not one score below the target for each player, or no such seat.
        """
        vector = checked_scores(self.rules, scores)
        seat = _checks.integer("seat", seat)
        n = self.rules.players
        if seat >= n:
            raise ValueError(
                f"seat must be an integer from 0 to {n - 1}, got {_checks.shown(seat)}"
            )
        sweep = sweep_of(self)
        return round_from(sweep, self.rules, sweep.deciding[seat], vector)

    def advice(
        self,
        *,
        hand: Hand,
        others: Iterable[Hand] | Hand,
        scores: Iterable[SupportsIndex],
        deck: Mapping[Any, SupportsIndex] | None = None,
    ) -> Advice:
        """Return what the responder should do when it is the responder's turn.

        Parameters
        ----------
        hand, others, scores, deck
            The position, as for :meth:`Solution.advice`, the responder's own cards and
            points first. The responder's seat follows from the numbers of cards.

        Returns
        -------
        Advice
            With the chances of winning after either action, if all others keep to their
            policy.

        Raises
        ------
        TypeError, ValueError
            As for :meth:`Solution.advice`.

        Examples
        --------
        A player who always hits loses more often than an optimal one:

        >>> from cardgames_dp import pairs
        >>> rules = pairs.Rules(deck=pairs.triangular(4), target=10)
        >>> position = {"hand": [2, 3], "others": [4, 1], "scores": [3, 5]}
        >>> print(pairs.best_response(rules, "always_hit").advice(**position))
        fold, winning 0.734885; a hit wins 0.699604.
        >>> print(pairs.solve(rules).advice(**position))
        fold, winning 0.632464; a hit wins 0.597338.
        """
        vector = checked_scores(self.rules, scores)
        return advice_from(sweep_of(self), hand, others, vector, deck)

    def opening_table(
        self, scores: Iterable[SupportsIndex] | None = None
    ) -> OpeningTable:
        """Return the responder's first real decision, with one card each.

        Parameters
        ----------
        scores : iterable of int, optional
            Points of the responder, who leads, and of the others; none if not given.

        Returns
        -------
        OpeningTable
            By the own card and the others'.

        Raises
        ------
        TypeError, ValueError
            If there is not one score below the target for each player.
        TooLargeError
            If the table, or the round that it follows from, would not fit in memory.

        Examples
        --------
        >>> from cardgames_dp import pairs
        >>> rules = pairs.Rules(deck=pairs.triangular(4), target=10)
        >>> print(pairs.best_response(rules, "always_hit").opening_table())
           1 2 3 4
         1   H H H
         2 f H H H
         3 f H H H
         4 f f H H
        """
        sweep = sweep_of(self)
        return opening_from(sweep, self.rules, sweep.deciding[0], scores)

    def policy(self, view: View) -> Decisions:
        """Return where the responder hits, as a policy for :func:`win_rate` and others.

        Parameters
        ----------
        view : View
            Of a game with as many players, the same ranks and capacities, and scores
            below this game's target.

        Returns
        -------
        ndarray of bool, shape (positions, vectors)
            True where to hit.

        Raises
        ------
        ValueError
            If a position is none that can arise in this game.

        Notes
        -----
        A response just made keeps its decisions if they take no more than 64 MiB, a bit
        for each position and vector of scores, and looks them up. Otherwise each call
        solves the rounds with the view's scores.
        """
        return policy_of(self, view)

    def to_dict(self, *, json: bool = False) -> dict[str, Any]:
        """Return everything, the rules included, as plain objects.

        Parameters
        ----------
        json : bool, default False
            Whether only what JSON has may be in it: tuples become lists.

        Returns
        -------
        dict
            "others" is the policy's name, "tables" are lists of chances, one for each
            seat of the responder; "values" and "mean" are the responder's chances.
        """
        everything = {
            "rules": self.rules,
            "others": policy_name(self.others),
            "tolerance": self.tolerance,
            "values": self.values,
            "mean": self.mean,
            "tables": self.tables,
        }
        plain: dict[str, Any] = _records.plain(everything, json=json)
        return plain

    def to_pandas(self) -> pd.DataFrame:
        """Return a DataFrame of chances, with the full deck, by seat and scores.

        Its columns are "seat", that of the responder, "score_0", "score_1", ..., from
        the leader on, and "win_0", "win_1", ....

        Raises
        ------
        ModuleNotFoundError
            If pandas is not installed (the extra ``pandas``).
        """
        by_seat = [score_columns(sweep_of(self), table) for table in self.tables]
        rows = len(by_seat[0]["score_0"])
        seats = [seat for seat in range(len(by_seat)) for _ in range(rows)]
        columns = {
            name: [x for columns in by_seat for x in columns[name]]
            for name in by_seat[0]
        }
        return data_frame({"seat": seats, **columns})

    @property
    def label(self) -> str:
        """What results call this policy."""
        return f"best response to {policy_name(self.others)}"

    def _filled_sweep(self) -> Sweep:
        responding = responses(
            self.rules.players, played("others", self.others, self.rules)
        )
        return Sweep.filled(self.rules, self.tolerance, self.tables, responding)

    def __repr__(self) -> str:
        return _records.summary(self, to=policy_name(self.others), values=self.values)

    def _repr_html_(self) -> str:
        rows = [
            [_html.label(str(seat)), _html.cell(f"{chance:.6f}")]
            for seat, chance in enumerate(self.values)
        ]
        notes = ["The responder's chance of winning, by the seat from the leader on."]
        return _html.table(self.label, ["seat", "chance"], rows, notes)


def best_response(
    rules: Rules | None,
    policy: Policy,
    *,
    tolerance: float = TOLERANCE,
    progress: bool = False,
    executor: Executor | None = None,
) -> BestResponse:
    """Return the best play against others who all keep to one policy.

    What it wins beyond optimal play's own chances is what the policy costs at worst.

    Grade: float64.

    Parameters
    ----------
    rules : Rules or None
        The published game if None.
    policy : word or callable
        What all others do; as for :func:`win_rate`.
    tolerance, progress, executor
        As for :func:`solve`.

    Returns
    -------
    BestResponse
        Chances of winning from each seat, and a policy that has them.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described above, or the policy does not return an
        array of bool of the right shape.
    TooLargeError, TooLongError, ModuleNotFoundError
        As for :func:`solve`.

    Examples
    --------
    >>> from cardgames_dp import pairs
    >>> rules = pairs.Rules(deck=pairs.triangular(4), target=10)
    >>> response = pairs.best_response(rules, "fifty_percent")
    >>> response
    BestResponse(to='fifty_percent', values=(0.57934, 0.65534))
    >>> rate = pairs.win_rate(rules, response.policy, "fifty_percent")
    >>> round(rate.first - response.first, 12), round(rate.second - response.second, 12)
    (0.0, 0.0)
    """
    rules = _checks.rules(rules, Rules)
    sweep = solved(
        rules,
        responses(rules.players, played("policy", policy, rules))[:1],
        tolerance=tolerance,
        progress=progress,
        executor=executor,
        keep_decisions=True,
    )
    tables = tuple([sweep.tables[place] for place in sweep.deciding])
    response = BestResponse(rules, policy, sweep.tolerance, tables)
    object.__setattr__(response, "_sweep", sweep)
    return response


def responses(players: int, other: Behaviour) -> list[Profile]:
    """Return the profiles in which each seat in turn responds to all others."""
    if other == COPY:  # no seat has anything better than what is optimal
        return [optimal(players)] * players
    return [
        tuple([BEST if i == seat else other for i in range(players)])
        for seat in range(players)
    ]
