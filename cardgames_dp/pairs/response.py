"""The best response of one player to others who all follow a policy."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any, SupportsIndex

from cardgames_dp._results.records import Result
from cardgames_dp._results.tables import Table
from cardgames_dp._support import arguments
from cardgames_dp.pairs._kernels.backward import Sweep
from cardgames_dp.pairs._kernels.game import Floats
from cardgames_dp.pairs._kernels.induction import (
    BEST,
    COPY,
    Behaviour,
    Profile,
    optimal,
)
from cardgames_dp.pairs.advice import SolvedPlay, sweep_of
from cardgames_dp.pairs.hands import checked_scores
from cardgames_dp.pairs.players import Policy, player_of, policy_name
from cardgames_dp.pairs.rounds import Round, round_from
from cardgames_dp.pairs.rules import Rules
from cardgames_dp.pairs.solution import score_columns
from cardgames_dp.pairs.solver import solved


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Response(SolvedPlay):
    """The best response to others who all follow a policy.

    Made by :func:`best_response`. The arrays are read-only.

    Attributes
    ----------
    rules : Rules
        The rules of the game.
    others : Policy
        The policy of all others.
    tables : tuple of ndarray of float64, shape (decks, vectors of scores, players)
        For each seat of the responder, beginning with the leader, the chances of
        winning as in :class:`Solution`.

    Examples
    --------
    The gain of one of three players, seat by seat, if the others follow a simple rule:

    >>> from cardgames_dp import pairs
    >>> rules = pairs.Rules(players=3, deck=3, target=3)
    >>> response = pairs.best_response(rules, "fifty_percent")
    >>> usual = pairs.solve(rules).value
    >>> [round(x - y, 4) for x, y in zip(response.values, usual)]
    [0.0682, 0.0616, 0.0473]
    >>> round(response.mean, 4)
    0.7257

    Against a player who always hits, you win more often than against an optimal player:

    >>> rules = pairs.Rules(deck=4, target=10)
    >>> position = {"hand": [2, 3], "others": [4, 1], "scores": [3, 5]}
    >>> print(pairs.best_response(rules, "always_hit").advice(**position))
    fold, winning 0.734885; a hit wins 0.699604.
    >>> print(pairs.solve(rules).advice(**position))
    fold, winning 0.632464; a hit wins 0.597338.
    """

    rules: Rules
    others: Policy
    tables: tuple[Floats, ...]

    @property
    def values(self) -> tuple[float, ...]:
        """The responder's chance of winning in each seat, at the start of the game."""
        return tuple(
            [float(table[-1, 0, seat]) for seat, table in enumerate(self.tables)]
        )

    @property
    def mean(self) -> float:
        """The responder's chance of winning in a random seat: the mean of `values`."""
        return sum(self.values) / len(self.values)

    @property
    def gain(self) -> float:
        """The mean less that of a player who follows the same policy as the others.

        Of players who all do the same one loses: each wins 1 - 1/players of the games,
        in a random seat.
        """
        return self.mean - (1 - 1 / self.rules.players)

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
        """
        vector = checked_scores(self.rules, scores)
        seat = arguments.integer("seat", seat)
        n = self.rules.players
        if seat >= n:
            raise ValueError(
                f"seat must be an integer from 0 to {n - 1}, got "
                f"{arguments.shown(seat)}"
            )
        sweep = sweep_of(self)
        return round_from(sweep, self.rules, sweep.deciding[seat], vector)

    _derived = ("values", "mean", "gain")

    def to_dict(self, *, json: bool = False) -> dict[str, Any]:
        """Return all fields, with "others" as the name of the policy.

        Parameters
        ----------
        json : bool, default False
            Whether to use only types that JSON has: tuples become lists.
        """
        found = Result.to_dict(self, json=json)
        return {**found, "others": policy_name(self.others)}

    @property
    def label(self) -> str:
        """The name of this policy in results."""
        return f"best response to {policy_name(self.others)}"

    def _filled_sweep(self) -> Sweep:
        responding = responses(
            self.rules.players, player_of("others", self.others, self.rules)
        )
        return Sweep.filled(self.rules, self.tables, responding)

    def _facts(self) -> dict[str, object]:
        return {
            "to": policy_name(self.others),
            "values": self.values,
            "gain": self.gain,
        }

    def _table(self) -> Table:
        rows = [(seat, f"{chance:.6f}") for seat, chance in enumerate(self.values)]
        notes = ["The responder's chance of winning, by seat, the leader's first."]
        return Table(("seat", "chance"), rows, notes, self.label)

    def _columns(self) -> tuple[Any, dict[str, Any]]:
        by_seat = [score_columns(sweep_of(self), table) for table in self.tables]
        seats = [seat for seat, x in enumerate(by_seat) for _ in x["score_0"]]
        columns = {
            name: [x for one in by_seat for x in one[name]] for name in by_seat[0]
        }
        return None, {"seat": seats, **columns}


def best_response(
    rules: Rules | None, policy: Policy, *, executor: Executor | None = None
) -> Response:
    """Return the best response to others who all follow one policy.

    Its gain is the cost of that policy in the worst case.

    Grade: float64.

    Parameters
    ----------
    rules : Rules or None
        The published game of two players if None.
    policy : Policy
        The policy of all others.
    executor
        As for :func:`solve`.

    Returns
    -------
    Response
        The chances of winning in each seat, and the policy that attains them.

    Raises
    ------
    ValueError
        If the policy does not return an array of bool of the right shape.
    TooLargeError
        As for :func:`solve`.

    Examples
    --------
    >>> from cardgames_dp import pairs
    >>> rules = pairs.Rules(deck=4, target=10)
    >>> response = pairs.best_response(rules, "fifty_percent")
    >>> response
    Response(to='fifty_percent', values=(0.57934, 0.65534), gain=0.11734)
    >>> found = pairs.evaluate(rules, [response, "fifty_percent"])
    >>> round(found.mean[0] - response.mean, 12)
    0.0
    """
    rules = arguments.rules(rules, Rules)
    sweep = solved(
        rules,
        responses(rules.players, player_of("policy", policy, rules))[:1],
        executor=executor,
        keep_decisions=True,
    )
    tables = tuple([sweep.tables[place] for place in sweep.deciding])
    response = Response(rules, policy, tables)
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
