"""The mistakes of a policy, what they cost, and where they are."""

from __future__ import annotations

from concurrent.futures import Executor
from dataclasses import dataclass, fields
from typing import Any, SupportsIndex

import numpy as np

from cardgames_dp._results.records import Record, Result
from cardgames_dp._results.tables import Table
from cardgames_dp._support import arguments
from cardgames_dp._support.calls import suggest_arguments
from cardgames_dp._support.printing import short
from cardgames_dp.pairs._kernels.game import Action, Floats, Integers
from cardgames_dp.pairs._kernels.induction import (
    BEST,
    COPY,
    Profile,
    Step,
    facing,
    optimal,
)
from cardgames_dp.pairs._kernels.sweeps import Sweep
from cardgames_dp.pairs.players import Policy, player_of, policy_name, seated
from cardgames_dp.pairs.rounds import ranks_of
from cardgames_dp.pairs.rules import Rules, tabled
from cardgames_dp.pairs.solver import solved


@dataclass(frozen=True, slots=True)
class Mistake(Record):
    """A position in which a policy takes the worse action; a row of :class:`Regret`.

    Attributes
    ----------
    hand : tuple of int
        The cards of the player to move.
    others : tuple of tuple of int
        The hands of the others, in turn order.
    unseen : tuple of int
        The cards that nobody has seen.
    scores : tuple of int
        The points in turn order, the player to move first.
    taken : {"hit", "fold"}
        The action of the policy; the other one is better.
    reach : float
        The mean number of times per game that the player gets there, in a random seat.
    given_up : float
        The chance of winning after the other action less that after this one.
    cost : float
        The product of `reach` and `given_up`.
    """

    hand: tuple[int, ...]
    others: tuple[tuple[int, ...], ...]
    unseen: tuple[int, ...]
    scores: tuple[int, ...]
    taken: Action
    reach: float
    given_up: float
    cost: float


@dataclass(frozen=True, slots=True, repr=False)
class Regret(Result):
    """The mistakes of a policy; made by :func:`regret`, prints as a table.

    Attributes
    ----------
    policy : str
        The policy of the player.
    against : str
        The policy of all others.
    loss : float
        The chance of winning of a best response to the others, less the policy's, in a
        random seat.
    loss_by_seat : tuple of float
        The same by seat of the player, from the one who moves first on.
    mistakes : float
        The mean number of the player's mistakes per game, in a random seat.
    dearest : tuple of Mistake
        The positions, with scores, that cost most, beginning with the costliest. If all
        are listed, their costs sum to the loss.
    rules : Rules
        The rules of the game.

    Examples
    --------
    >>> from cardgames_dp import pairs
    >>> rules = pairs.Rules(deck=4, target=10)
    >>> found = pairs.regret(rules, "fifty_percent")
    >>> worst = found.dearest[0]
    >>> worst.hand, worst.others, worst.scores, worst.taken
    ((3, 4), ((3, 4),), (0, 0), 'fold')
    >>> round(worst.reach, 4), round(worst.given_up, 4), round(worst.cost, 4)
    (0.0286, 0.0971, 0.0028)
    """

    policy: str
    against: str
    loss: float
    loss_by_seat: tuple[float, ...]
    mistakes: float
    dearest: tuple[Mistake, ...]
    rules: Rules

    _told = ("policy", "against", "loss", "loss_by_seat", "mistakes")

    def _columns(self) -> tuple[Any, dict[str, Any]]:
        names = [field.name for field in fields(Mistake)]
        return None, {name: [getattr(x, name) for x in self.dearest] for name in names}

    def _table(self) -> Table:
        head = ("hand", "others", "scores", "taken", "reach", "given up", "cost")
        rows = [
            (
                *(str(x) for x in (each.hand, each.others, each.scores, each.taken)),
                *(each.reach, each.given_up, each.cost),
            )
            for each in self.dearest
        ]
        notes = [
            f"means over seats: {short(self.mistakes)} mistakes a game; loss "
            f"{short(self.loss)}",
            f"loss by seat: {', '.join(map(short, self.loss_by_seat))}",
        ]
        return Table(head, rows, notes, left=(0, 1, 2, 3), first="mistakes")


@suggest_arguments
def regret(
    rules: Rules | None,
    policy: Policy,
    against: Policy | None = None,
    *,
    most: SupportsIndex = 10,
    executor: Executor | None = None,
) -> Regret:
    """Return the mistakes of a policy, and what each of them costs.

    Grade: float64.

    Parameters
    ----------
    rules : Rules or None
        The published game of two players if None.
    policy : Policy
        The policy of one player.
    against : Policy, optional
        The policy of all others; the same policy if not given.
    most : int, default 10
        The largest number of positions to list, beginning with the costliest.
    executor
        As for :func:`solve`.

    Returns
    -------
    Regret
        The loss compared with the best response to the others, and the mistakes.

    See Also
    --------
    best_response : The best play against the others, and its chances seat by seat.

    Notes
    -----
    In a position a policy gives up the difference in value between the two actions, if
    the best response is played after them. Weighted with how often the policy reaches
    the positions, these differences sum to the gain of the best response: a telescoping
    sum over plays that follow the policy for k decisions and then the best response.

    Examples
    --------
    >>> from cardgames_dp import pairs
    >>> rules = pairs.Rules(players=3, deck=4, target=6)
    >>> found = pairs.regret(rules, "expected_points")
    >>> found
    Regret(policy='expected_points', against='expected_points', loss=0.0552713, \
loss_by_seat=(0.060542, 0.0544734, 0.0507985), mistakes=0.614299)
    >>> abs(found.loss - pairs.best_response(rules, "expected_points").gain) < 1e-14
    True

    All positions of a small game in which "fifty_percent" deviates from optimal play,
    with the cost against an optimal player:

    >>> rules = pairs.Rules(deck=3, target=5)
    >>> found = pairs.regret(rules, "fifty_percent", "optimal", most=1000)
    >>> len(found.dearest), round(sum(each.cost for each in found.dearest), 6)
    (63, 0.065928)
    >>> round(0.5 - pairs.evaluate(rules, ["fifty_percent", "optimal"]).mean[0], 6)
    0.065928
    """
    rules = tabled(rules)
    most = arguments.integer("most", most)
    both = [("policy", policy), ("against", policy if against is None else against)]
    own, others = seated(both, lambda name, one: player_of(name, one, rules))
    n = rules.players
    playing, responding = facing(own, others, n), facing(BEST, others, n)
    first = [optimal(n)] if COPY in (own, others) else []
    sweep = solved(rules, [*first, playing[0], responding[0]], executor=executor)
    lost, mistakes, dearest = _found_mistakes(sweep, rules, playing, responding, most)
    by_seat = [
        [sweep.tables[sweep.profiles.index(one)][-1, 0, seat] for one in (best, mine)]
        for seat, (best, mine) in enumerate(zip(responding, playing, strict=True))
    ]
    return Regret(
        policy_name(policy),
        policy_name(policy if against is None else against),
        lost,
        # A difference may be -1e-17 by rounding.
        tuple([max(float(best - mine), 0.0) for best, mine in by_seat]),
        mistakes,
        tuple(dearest),
        rules,
    )


def _found_mistakes(
    sweep: Sweep,
    rules: Rules,
    playing: list[Profile],
    responding: list[Profile],
    most: int,
) -> tuple[float, float, list[Mistake]]:
    """Return the loss, the number of mistakes, and the costliest mistakes."""
    n, place_of = rules.players, sweep.profiles.index
    turns = [place_of(profile) for profile in dict.fromkeys(playing)]
    best = [place_of(profile) for profile in responding]
    lost = mistakes = 0.0
    dearest: list[Mistake] = []
    for turn, vectors, _, layers in sweep.flows(turns):
        for by_profile, visits, _, _ in layers:
            played = by_profile[turns[turn]]
            mover = played.in_hands % n
            if mover != turn and len(turns) > 1:
                continue  # another player is to move
            better, reach = by_profile[best[mover]], visits / n
            stake = np.abs(better.lead)
            matters = better.layer.choice[:, None] & (stake > sweep.tolerance)
            share = np.where(better.lead > 0, 1 - played.hits, played.hits * 1)
            given_up = share * np.where(matters, stake, 0.0)
            costs = reach * given_up
            lost += float(costs.sum())
            mistakes += float((share * reach)[given_up > 0].sum())
            numbers = reach, given_up, costs
            dearest += _dearest(sweep, vectors, better, numbers, most)
        dearest = sorted(dearest, key=lambda each: each.cost, reverse=True)[:most]
    return lost, mistakes, dearest


def _dearest(
    sweep: Sweep,
    vectors: Integers,
    best: Step,
    numbers: tuple[Floats, Floats, Floats],
    most: int,
) -> list[Mistake]:
    """Return the costliest mistakes of a layer, at most `most` of them.

    The numbers are how often a position is reached, what is given up, and its cost.
    """
    costs = numbers[2]
    some = np.argsort(costs, axis=None)[max(costs.size - most, 0) :]
    found: list[Mistake] = []
    mover, ranks = best.in_hands % sweep.rules.players, sweep.rules.ranks
    for row, column in zip(*np.unravel_index(some, costs.shape), strict=True):
        if costs[row, column] == 0:
            continue
        (unseen,), (hands,) = sweep.positions.cards(best.in_hands, slice(row, row + 1))
        hand, *others = (
            ranks_of(each, ranks) for each in np.roll(hands, -mover, axis=0).tolist()
        )
        scores = tuple(np.roll(vectors[column], -mover).tolist())
        taken: Action = "fold" if best.lead[row, column] > 0 else "hit"
        left = ranks_of(unseen.tolist(), ranks)
        reach, given_up, cost = (float(x[row, column]) for x in numbers)
        found.append(
            Mistake(hand, tuple(others), left, scores, taken, reach, given_up, cost)
        )
    return found
