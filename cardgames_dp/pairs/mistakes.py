"""The positions in which a policy takes the worse action."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames_dp.pairs._arguments import ranks_of
from cardgames_dp.pairs._kernels.flow import Met, flows
from cardgames_dp.pairs._kernels.induction import Profile, Step
from cardgames_dp.pairs._kernels.setting import Action, Decisions, Floats
from cardgames_dp.pairs._kernels.sweep import Sweep
from cardgames_dp.pairs.comparison import KINDS, kinds_by_layer
from cardgames_dp.pairs.rules import Rules


class Mistake(NamedTuple):
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

    Examples
    --------
    Here a fold loses at once, and a hit with an empty hand cannot make a pair:

    >>> from cardgames_dp import pairs
    >>> rules = pairs.Rules(deck=pairs.triangular(3), target=5)
    >>> mistake = pairs.regret(rules, "never_hit").dearest[0]
    >>> mistake.hand, mistake.others, mistake.taken, mistake.scores
    ((), ((3,),), 'fold', (3, 0))
    >>> mistake.given_up
    1.0
    """

    hand: tuple[int, ...]
    others: tuple[tuple[int, ...], ...]
    unseen: tuple[int, ...]
    scores: tuple[int, ...]
    taken: Action
    reach: float
    given_up: float
    cost: float


def found_mistakes(
    sweep: Sweep,
    rules: Rules,
    seated: list[Profile],
    responding: list[Profile],
    most: int,
    progress: bool,
) -> tuple[Floats, Floats, list[Mistake]]:
    """Return losses and numbers of mistakes by kind, and the costliest mistakes."""
    n, place_of = rules.players, sweep.profiles.index
    turns = [place_of(profile) for profile in dict.fromkeys(seated)]
    best = [place_of(profile) for profile in responding]
    layers: list[list[Step]] = []

    def actions(vectors: NDArray[np.int64]) -> list[list[Decisions]]:
        layers[:] = list(sweep.steps(vectors))[::-1]
        return [[by_profile[i].hits for by_profile in layers] for i in turns]

    kinds_of = kinds_by_layer(rules, sweep.positions)
    lost, mistakes = np.zeros(len(KINDS)), np.zeros(len(KINDS))
    dearest: list[Mistake] = []
    for flow in flows(sweep, actions, turns=len(turns), progress=progress):
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
