"""The best response of one player to others who all follow a policy."""

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
    """The best response to others who all follow a policy.

    Made by :func:`best_response`. The arrays are read-only.

    Attributes
    ----------
    rules : Rules
        The rules of the game.
    others : Policy
        The policy of all others.
    tolerance : float
        The largest difference of chances of winning that counts as a tie.
    tables : tuple of ndarray of float64, shape (decks, vectors of scores, players)
        For each seat of the responder, beginning with the leader, the chances of
        winning as in :class:`Solution`.

    Examples
    --------
    The gain of one of three players, seat by seat, if the others follow a simple rule:

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
        """The responder's chance of winning in a random seat: the mean of `values`."""
        return sum(self.values) / len(self.values)

    def round(
        self, scores: Iterable[SupportsIndex], *, seat: SupportsIndex = 0
    ) -> Round:
        """Return a round: the responder's decisions, and those of the others.

        Parameters
        ----------
        scores : iterable of int
            The points of the players in turn order, the leader of the round first.
        seat : int, default 0
            The seat of the responder, counted from the leader, who has seat 0.

        Returns
        -------
        Round
            The responder is to move where ``cards % players == seat``.

        Raises
        ------
        TypeError, ValueError
            If `scores` is not one score below the target for each player, or there is
            no such seat.
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
        """Return the best action of the responder in a position.

        Parameters
        ----------
        hand, others, scores, deck
            The position, as for :meth:`Solution.advice`, with the responder to move.
            The responder's seat follows from the numbers of cards.

        Returns
        -------
        Advice
            The best action, and the chances of winning after each action if all others
            follow their policy.

        Raises
        ------
        TypeError, ValueError
            As for :meth:`Solution.advice`.

        Examples
        --------
        Against a player who always hits, you win more often than against an optimal
        player:

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
        """Return the responder's first decision with a choice, with one card each.

        Parameters
        ----------
        scores : iterable of int, optional
            The points in turn order, those of the responder, who leads, first; 0 if not
            given.

        Returns
        -------
        OpeningTable
            The decisions by the cards of all players.

        Raises
        ------
        TypeError, ValueError
            If `scores` is not one score below the target for each player.
        TooLargeError
            If the table, or the round from which it is made, would not fit in memory.

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
        """Return where the responder hits: a policy for :func:`win_rate` and others.

        Parameters
        ----------
        view : View
            Positions of a game with as many players, the same ranks and capacities, and
            scores below this game's target.

        Returns
        -------
        ndarray of bool, shape (positions, vectors)
            True where to hit.

        Raises
        ------
        ValueError
            If a position cannot arise in this game.

        Notes
        -----
        A new response keeps its decisions if they take at most 64 MiB, one bit for each
        position and vector of scores, and looks them up. Otherwise each call solves the
        rounds with the scores of the view.
        """
        return policy_of(self, view)

    def to_dict(self, *, json: bool = False) -> dict[str, Any]:
        """Return all fields, with the rules, as plain objects.

        Parameters
        ----------
        json : bool, default False
            Whether to use only types that JSON has: tuples become lists.

        Returns
        -------
        dict
            "others" is the name of the policy; "tables" has lists of chances, one for
            each seat of the responder; "values" and "mean" are the responder's chances.
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

        The columns are "seat", that of the responder, "score_0", "score_1", ..., the
        leader's first, and "win_0", "win_1", ....

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
        """The name of this policy in results."""
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
        notes = ["The responder's chance of winning, by seat, the leader's first."]
        return _html.table(self.label, ["seat", "chance"], rows, notes)


def best_response(
    rules: Rules | None,
    policy: Policy,
    *,
    tolerance: float = TOLERANCE,
    progress: bool = False,
    executor: Executor | None = None,
) -> BestResponse:
    """Return the best response to others who all follow one policy.

    Its gain over the value of optimal play is the cost of that policy in the worst
    case.

    Grade: float64.

    Parameters
    ----------
    rules : Rules or None
        The published game of two players if None.
    policy : Policy
        The policy of all others.
    tolerance, progress, executor
        As for :func:`solve`.

    Returns
    -------
    BestResponse
        The chances of winning in each seat, and the policy that attains them.

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
    if other == COPY:  # the best response to optimal play is optimal play
        return [optimal(players)] * players
    return [
        tuple([BEST if i == seat else other for i in range(players)])
        for seat in range(players)
    ]
