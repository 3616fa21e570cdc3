"""The mistakes of a policy, what they cost, and where they are."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, fields
from typing import Any, Literal, SupportsIndex, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._results.records import Record, Result
from cardgames_dp._results.tables import Table
from cardgames_dp._support import arguments
from cardgames_dp._support.printing import short
from cardgames_dp.pairs._kernels.backward import Sweep
from cardgames_dp.pairs._kernels.forward import Met, flows
from cardgames_dp.pairs._kernels.game import Action, Decisions, Floats
from cardgames_dp.pairs._kernels.induction import (
    COPY,
    Behaviour,
    Profile,
    Step,
    optimal,
)
from cardgames_dp.pairs._kernels.positions import Positions
from cardgames_dp.pairs.evaluation import responses
from cardgames_dp.pairs.hands import ranks_of
from cardgames_dp.pairs.players import Policy, player_of, policy_name, seated, view_of
from cardgames_dp.pairs.policies import View
from cardgames_dp.pairs.rules import Rules
from cardgames_dp.pairs.solver import solved

Kind: TypeAlias = Literal["empty_table", "empty_hand", "safe", "risk"]
KINDS: tuple[Kind, ...] = get_args(Kind)


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
    loss_by_seat : tuple of float
        The chance of winning of a best response to the others, less the policy's, by
        seat of the player, from the one who moves first on. `loss` is the mean.
    loss_by_kind : tuple of float
        The loss of the player's chance of winning, in a random seat, by kind of
        position: no card on the table; an empty hand of the player; no pair possible
        ("safe"); a hit can make a pair ("risk"). `by_kind` names them.
    mistakes_by_kind : tuple of float
        The mean number of the player's mistakes per game, by kind of position.
    dearest : tuple of Mistake
        The positions, with scores, that cost most, beginning with the costliest. If all
        are listed, their costs sum to the loss.
    rules : Rules or None
        The rules of the game; None if not given.

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
    loss_by_seat: tuple[float, ...]
    loss_by_kind: tuple[float, ...]
    mistakes_by_kind: tuple[float, ...]
    dearest: tuple[Mistake, ...]
    rules: Rules | None = None

    @property
    def loss(self) -> float:
        """The chance of winning of a best response to the others, less the policy's.

        This is the mean over the seats; `loss_by_seat` has the loss in each seat.
        """
        return sum(self.loss_by_kind)

    @property
    def mistakes(self) -> float:
        """The mean number of the player's mistakes per game, over all seats."""
        return sum(self.mistakes_by_kind)

    @property
    def by_kind(self) -> Mapping[Kind, tuple[float, float]]:
        """For each kind of position the mean number of mistakes, and the loss."""
        both = zip(self.mistakes_by_kind, self.loss_by_kind, strict=True)
        return dict(zip(KINDS, both, strict=True))

    _derived = ("loss", "mistakes", "by_kind")
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
        parts = [f"{kind} {short(loss)}" for kind, (_, loss) in self.by_kind.items()]
        notes = [
            f"means over seats: {short(self.mistakes)} mistakes a game; loss "
            f"{short(self.loss)}",
            f"loss by kind: {', '.join(parts)}",
            f"loss by seat: {', '.join(map(short, self.loss_by_seat))}",
        ]
        return Table(head, rows, notes, left=(0, 1, 2, 3), first="mistakes")


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
        The loss of the policy compared with the best response to the others, by seat
        and, as a mean over the seats, by kind of position; and the costliest mistakes.

    See Also
    --------
    best_response : The best play against the others, and its chances seat by seat.

    Notes
    -----
    In a position a policy gives up the difference in value between the two actions, if
    the best response is played after them. Weighted with how often the policy reaches
    the positions, these differences sum to the gain of the best response: a telescoping
    sum over plays that follow the policy for k decisions and then the best response.

    Against optimal play the best response is optimal play itself, and a policy gives up
    the theoretical difference of the two actions.

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
    rules = arguments.rules(rules, Rules)
    most = arguments.integer("most", most)
    both = [("policy", policy), ("against", policy if against is None else against)]
    own, others = seated(both, lambda name, one: player_of(name, one, rules))
    n = rules.players
    playing, responding = _playing(own, others, n), responses(n, others)
    needed = [playing[0], responding[0]]
    sweep = solved(
        rules,
        [optimal(n), *needed] if COPY in (own, others) else needed,
        executor=executor,
    )
    lost, mistakes, dearest = _found_mistakes(sweep, rules, playing, responding, most)
    return Regret(
        policy_name(policy),
        policy_name(policy if against is None else against),
        _lost_by_seat(sweep, playing, responding),
        tuple(lost.tolist()),
        tuple(mistakes.tolist()),
        tuple(dearest),
        rules,
    )


def _playing(own: Behaviour, others: Behaviour, players: int) -> list[Profile]:
    """Return the profiles in which each seat in turn is the player's."""
    if own == others == COPY:
        return [optimal(players)] * players
    return [
        tuple([own if i == seat else others for i in range(players)])
        for seat in range(players)
    ]


def _lost_by_seat(
    sweep: Sweep, playing: list[Profile], responding: list[Profile]
) -> tuple[float, ...]:
    """Return the gain of the best response over the policy, by seat of the player."""
    full = sweep.positions.full_deck

    def wins(profile: Profile, seat: int) -> float:
        return float(sweep.tables[sweep.profiles.index(profile)][full, 0, seat])

    return tuple(
        [
            max(wins(best, seat) - wins(own, seat), 0.0)  # may be -1e-17 by rounding
            for seat, (own, best) in enumerate(zip(playing, responding, strict=True))
        ]
    )


def _found_mistakes(
    sweep: Sweep,
    rules: Rules,
    playing: list[Profile],
    responding: list[Profile],
    most: int,
) -> tuple[Floats, Floats, list[Mistake]]:
    """Return losses and numbers of mistakes by kind, and the costliest mistakes."""
    n, place_of = rules.players, sweep.profiles.index
    turns = [place_of(profile) for profile in dict.fromkeys(playing)]
    best = [place_of(profile) for profile in responding]
    layers: list[list[Step]] = []

    def actions(vectors: NDArray[np.int64]) -> list[list[Decisions]]:
        layers[:] = list(sweep.steps(vectors))[::-1]
        return [[by_profile[i].hits for by_profile in layers] for i in turns]

    kinds_of = _kinds_by_layer(rules, sweep.positions)
    lost, mistakes = np.zeros(len(KINDS)), np.zeros(len(KINDS))
    dearest: list[Mistake] = []
    for flow in flows(sweep, actions, turns=len(turns)):
        for by_profile, by_all in zip(layers, flow.layers, strict=True):
            met = by_all._replace(weights=by_all.weights / n)
            mover = met.in_hands % n
            if mover != flow.turn and len(turns) > 1:
                continue  # another player is to move
            steps = by_profile[turns[flow.turn]], by_profile[best[mover]]
            given_up = _given_up(sweep, *steps)
            costs = met.weights * given_up
            kinds = kinds_of[met.in_hands]
            lost += np.bincount(kinds, costs.sum(axis=1), len(KINDS))
            wrong = np.where(given_up > 0, met.weights, 0.0).sum(axis=1)
            mistakes += np.bincount(kinds, wrong, len(KINDS))
            dearest += _dearest(sweep, flow.vectors, met, given_up, costs, most)
        dearest = sorted(dearest, key=lambda each: each.cost, reverse=True)[:most]
    return lost, mistakes, dearest


def _given_up(sweep: Sweep, played: Step, best: Step) -> Floats:
    """Return what the player to move gives up in the positions of a layer."""
    given_up = np.where(played.hits, -best.lead, best.lead)
    choice = best.layer.can_hit & best.layer.can_fold
    return np.where(choice[:, None] & (given_up > sweep.tolerance), given_up, 0.0)


def _dearest(
    sweep: Sweep,
    vectors: NDArray[np.int64],
    met: Met,
    given_up: Floats,
    costs: Floats,
    most: int,
) -> list[Mistake]:
    """Return the costliest mistakes of a layer, at most `most` of them."""
    some = np.argsort(costs, axis=None)[max(costs.size - most, 0) :]
    found: list[Mistake] = []
    n, ranks = sweep.rules.players, sweep.rules.ranks
    for row, column in zip(*np.unravel_index(some, costs.shape), strict=True):
        if costs[row, column] == 0:
            continue
        (unseen,), (hands,) = sweep.positions.cards(met.in_hands, slice(row, row + 1))
        turned = np.roll(hands, -(met.in_hands % n), axis=0).tolist()
        hand, *others = (ranks_of(each, ranks) for each in turned)
        found.append(
            Mistake(
                hand,
                tuple(others),
                ranks_of(unseen.tolist(), ranks),
                tuple(np.roll(vectors[column], -(met.in_hands % n)).tolist()),
                "hit" if met.hits[row, column] > 0 else "fold",
                float(met.weights[row, column]),
                float(given_up[row, column]),
                float(costs[row, column]),
            )
        )
    return found


def _kinds_by_layer(rules: Rules, positions: Positions) -> list[NDArray[np.int64]]:
    """Return the kinds of the positions of each layer."""
    scores = np.zeros((1, rules.players), np.int64)
    return [
        _kinds(view_of(rules, positions, in_hands, scores))
        for in_hands in range(len(positions.layers))
    ]


def _kinds(view: View) -> NDArray[np.int64]:
    """Return the kind of each position as an index of `KINDS`."""
    bare = ~view.table.any(axis=1)
    empty = ~view.hand.any(axis=1)
    risk = (view.scoring & (view.unseen > 0)).any(axis=1)
    return np.select([bare, empty, ~risk], [0, 1, 2], 3)
