"""How often policies win, hit and fold, and the best response to one of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field
from typing import Any, SupportsIndex

import numpy as np

from cardgames_dp._results.records import Result
from cardgames_dp._results.tables import Table
from cardgames_dp._support.calls import suggest_arguments
from cardgames_dp.pairs._kernels.game import Floats
from cardgames_dp.pairs._kernels.induction import BEST, COPY, facing, optimal
from cardgames_dp.pairs._kernels.positions import Positions
from cardgames_dp.pairs._kernels.sweeps import Sweep
from cardgames_dp.pairs.players import Policy, by_seat, player_of, policy_name, seated
from cardgames_dp.pairs.rounds import (
    Round,
    checked_scores,
    round_from,
    seat_of,
    start_of,
)
from cardgames_dp.pairs.rules import Rules, tabled
from cardgames_dp.pairs.solution import SolvedPlay, Swept, sweep_of, with_sweep
from cardgames_dp.pairs.solver import solved


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Evaluation(Swept):
    """How often policies win against each other; made by :func:`evaluate`.

    Seats are numbered in turn order; seat 0 moves first in the game. Mean numbers of
    rounds and decisions, for all players together, are computed when first used. It
    prints as a table. The arrays are read-only.

    Attributes
    ----------
    rules : Rules
    policies : tuple of str
        The name of the policy in each seat.
    tables : tuple of ndarray of float64, shape (decks, vectors of scores, players)
        For each seat that may lead a round, the chances of winning as in
        :attr:`Solution.table`, the leader first.
    seats : tuple of Policy
        The policies themselves.

    Examples
    --------
    >>> from cardgames_dp import pairs
    >>> rules = pairs.Rules(players=3, deck=4, target=6)
    >>> print(pairs.evaluate(rules, ["fifty_percent", "optimal", "expected_points"]))
    seat  policy               wins     loses
       0  fifty_percent    0.557954  0.442046
       1  optimal          0.750978  0.249022
       2  expected_points  0.691068  0.308932

    A policy against one other, in both seats, and on average:

    >>> rules = pairs.Rules(deck=4, target=10)
    >>> found = pairs.evaluate(rules, ["optimal", "fifty_percent"])
    >>> [round(chances[0], 4) for chances in found.by_leader], round(found.mean[0], 4)
    ([0.5774, 0.6531], 0.6153)

    How long games of optimal players are, and how often these hit and fold:

    >>> usual = pairs.evaluate(rules, "optimal")
    >>> [round(x, 3) for x in (usual.rounds, usual.hits / usual.choices, usual.folds)]
    [7.763, 0.822, 4.486]
    """

    rules: Rules
    policies: tuple[str, ...]
    tables: tuple[Floats, ...]
    seats: tuple[Policy, ...] = field(compare=False, repr=False)

    @property
    def value(self) -> float:
        """The first seat's chance of winning."""
        return self.payoffs[0]

    @property
    def payoffs(self) -> tuple[float, ...]:
        """Chances of winning, by seat."""
        return tuple(self.tables[0][-1, 0].tolist())  # of the full deck

    @property
    def by_leader(self) -> tuple[tuple[float, ...], ...]:
        """Chances of winning, by seat, if each seat in turn moves first in the game."""
        return tuple(
            [
                tuple(np.roll(table[-1, 0], leader).tolist())
                for leader, table in enumerate(self.tables)
            ]
        )

    @property
    def mean(self) -> tuple[float, ...]:
        """Chances of winning, by seat, if it is drawn by lot who moves first.

        They are 1 - 1/players if all follow the same policy, as one of them loses.
        """
        # From the policy's own lead on: in each place that it may have.
        n, found = len(self.tables), self.by_leader
        return tuple([sum([found[i - k][i] for k in range(n)]) / n for i in range(n)])

    @property
    def lose(self) -> tuple[float, ...]:
        """Chances of losing, by seat.

        They sum to 1, except with ``reshuffle="essay"``, where games may end without a
        loser.
        """
        chances = self.payoffs
        ending = 1.0
        if self.rules.reshuffle == "essay":
            ending = sum(chances) / (len(chances) - 1)
        return tuple([ending - win for win in chances])

    @property
    def rounds(self) -> float:
        """The mean number of rounds."""
        return sweep_of(self).means["rounds"]

    @property
    def choices(self) -> float:
        """The mean number of decisions in which both actions are allowed."""
        return sweep_of(self).means["choices"]

    @property
    def hits(self) -> float:
        """The mean number of hits among these decisions."""
        return sweep_of(self).means["hits"]

    @property
    def folds(self) -> float:
        """The mean number of rounds that end with a fold."""
        return sweep_of(self).means["folds"]

    def _filled_sweep(self) -> Sweep:  # after a pickle
        return sweep_of(evaluate(self.rules, self.seats))

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

        Examples
        --------
        >>> from cardgames_dp import pairs
        >>> rules = pairs.Rules(deck=4, target=10)
        >>> chances = pairs.evaluate(rules, ["always_hit", "optimal"])
        >>> for leader in range(2):
        ...     print([round(x, 4) for x in chances.value_at([5, 5], leader=leader)])
        [0.3418, 0.6582]
        [0.4575, 0.5425]
        """
        vector = checked_scores(self.rules, scores)
        leader = seat_of("leader", leader, self.rules)
        turned = np.roll(vector, -leader)
        place = start_of(Positions(self.rules), turned, deck)
        return tuple(np.roll(self.tables[leader][place], leader).tolist())

    _derived = ("value", "payoffs", "lose", "by_leader", "mean")
    _told = ("policies", "payoffs")

    def _table(self) -> Table:
        by_seat = zip(self.policies, self.payoffs, self.lose, strict=True)
        rows = [(seat, *each) for seat, each in enumerate(by_seat)]
        return Table(("seat", "policy", "wins", "loses"), rows, left=(1,))


@suggest_arguments
def evaluate(
    rules: Rules | None,
    policies: Policy | Iterable[Policy],
    *,
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
    executor
        As for :func:`solve`.

    Returns
    -------
    Evaluation
        The chances of winning and losing by seat, at the start of the game and of any
        round, and the mean numbers of rounds, hits and folds.

    Raises
    ------
    ValueError
        If solved play is for rules in which some position of this game cannot arise.

    See Also
    --------
    simulate : Estimates of the same, also under the official rules.
    cardgames_dp.play.evaluate : The same for any game, and exactly; much slower.

    Notes
    -----
    A seat keeps its policy whoever leads a round, so one table is computed for each
    seat that may lead. Each takes the time of :func:`solve`, and there is one more if a
    seat plays optimally. Mean numbers take about twice as long again, at first.

    Examples
    --------
    The first of four players folds if the chance of a pair is above 1/5, and the others
    play optimally. The chances of each seat to lose are:

    >>> from cardgames_dp import pairs
    >>> rules = pairs.Rules(players=4, deck=4, target=3)
    >>> careful = pairs.HitBelow("1/5", or_equal=True)
    >>> chances = pairs.evaluate(rules, [careful, "optimal", "optimal", "optimal"])
    >>> [round(chance, 5) for chance in chances.lose]
    [0.50514, 0.18572, 0.16707, 0.14207]
    """
    rules = tabled(rules)
    seats = by_seat(policies, rules.players)
    profile = tuple(seated(seats, lambda name, one: player_of(name, one, rules)))
    if set(profile) == {COPY}:
        profile = optimal(rules.players)
    # If a seat copies optimal play, the tables of optimal play come first.
    first = [optimal(rules.players)] if COPY in profile else []
    sweep = solved(rules, [*first, profile], executor=executor)
    turns = [profile[by:] + profile[:by] for by in range(rules.players)]
    found = Evaluation(
        rules,
        tuple([policy_name(policy) for _, policy in seats]),
        tuple([sweep.tables[sweep.profiles.index(turned)] for turned in turns]),
        tuple([policy for _, policy in seats]),
    )
    return with_sweep(found, sweep)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Response(SolvedPlay):
    """The best response to others who all follow a policy.

    Made by :func:`best_response`. The arrays are read-only.

    Attributes
    ----------
    rules : Rules
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
    >>> usual = pairs.solve(rules).payoffs
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
        seat = seat_of("seat", seat, self.rules)
        sweep = sweep_of(self)
        return round_from(sweep, self.rules, sweep.deciding[seat], vector)

    _derived = ("values", "mean", "gain")
    _told = ("values", "gain")

    def to_dict(self, *, json: bool = False) -> dict[str, Any]:
        """Return the same as other results, with "others" as the policy's name."""
        found = Result.to_dict(self, json=json)
        return {**found, "others": policy_name(self.others)}

    @property
    def _label(self) -> str:
        return f"best response to {policy_name(self.others)}"

    def _filled_sweep(self) -> Sweep:
        other = player_of("others", self.others, self.rules)
        responding = facing(BEST, other, self.rules.players)
        return Sweep.filled(self.rules, self.tables, responding)

    def _facts(self) -> dict[str, object]:
        return {"others": policy_name(self.others), **Result._facts(self)}

    def _table(self) -> Table:
        rows = [*enumerate(self.values)]
        notes = ["The responder's chance of winning, by seat, the leader's first."]
        return Table(("seat", "chance"), rows, notes, self._label)


@suggest_arguments
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

    Examples
    --------
    >>> from cardgames_dp import pairs
    >>> rules = pairs.Rules(deck=4, target=10)
    >>> response = pairs.best_response(rules, "fifty_percent")
    >>> response
    Response(others='fifty_percent', values=(0.57934, 0.65534), gain=0.11734)
    >>> found = pairs.evaluate(rules, [response, "fifty_percent"])
    >>> round(found.mean[0] - response.mean, 12)
    0.0
    """
    rules = tabled(rules)
    profiles = facing(BEST, player_of("policy", policy, rules), rules.players)
    sweep = solved(rules, profiles[:1], executor=executor, keep_decisions=True)
    tables = tuple([sweep.tables[place] for place in sweep.deciding])
    return with_sweep(Response(rules, policy, tables), sweep)
