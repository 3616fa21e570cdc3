"""Play forwards: how often positions are reached, mistakes, and how games may end.

Rounds are followed by the transposed matrices of draws. For distributions, what a round
may lead to is found once for each leader and scores; games are then chains of rounds.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._results.distribution import Distribution
from cardgames_dp._support.running import refuse_too_large
from cardgames_dp.pairs._kernels.induction import Profile
from cardgames_dp.pairs._kernels.sweeps import Passed, Sweep, followed
from cardgames_dp.pairs.lookup import SolvedRounds, rounding, rounds_left
from cardgames_dp.pairs.players import from_the_mover
from cardgames_dp.pairs.rules import Floats, Goal, Integers, Rules, in_arrays
from cardgames_dp.pairs.state import WORDS, Table

COUNTS = ("fold", "hit", "round")
"""What may be counted besides all moves."""

_UNIT = 2.0**-53


def tallies(sweep: Sweep) -> tuple[float, Floats]:
    """Return the mean number of rounds, and choices, hits, folds and pairs by seat."""
    n, rounds = sweep.rules.players, 0.0
    turns, counts = sweep.places(sweep.played, 0), np.zeros((4, n))
    for turn, _, number, layers in sweep.flows(turns, 0):
        rounds += number
        for passed in layers:
            step = passed.steps[0]
            seat, choice = (step.in_hands - turn) % n, step.layer.choice
            counts[:, seat] += (
                passed.visits[choice].sum(),
                passed.hits[choice].sum(),
                passed.folds.sum(),
                passed.pairs.sum(),
            )
    return rounds, counts


# Mistakes
# --------


class _Mistakes:
    """The mistakes of a player so far, of which the costliest are kept."""

    def __init__(self, sweep: Sweep, player: int, most: int | None) -> None:
        self._sweep, self._player, self._most = sweep, player, most
        self.loss = self.visits = self.tie = 0.0
        self.states = self.count = self.costly = 0
        self._parts: list[tuple[NDArray[Any], ...]] = []
        self._size = 0

    def add(self, passed: Passed, vectors: Integers, played: int, best: int) -> None:
        """Add a layer in which the player is to move."""
        step, better = passed.steps[played], passed.steps[best]
        rules, tolerance = self._sweep.rules, self._sweep.tolerance
        if step.in_hands < rules.players * rules.deal:
            return  # a card is dealt
        reach, choice = passed.visits, better.layer.choice[:, None]
        self.states += int(np.count_nonzero(reach))
        self.visits += float((reach * choice).sum())
        stake = np.abs(better.lead) * choice
        matters = stake > tolerance
        self.tie = max(self.tie, float(stake.max(where=~matters, initial=0)))
        share = np.where(better.lead > 0, 1 - step.hits, step.hits * 1)
        given_up = share * np.where(matters, stake, 0.0)
        cost = reach * given_up
        self.loss += float(cost.sum())
        self.count += int(np.count_nonzero(given_up[reach > 0]))
        rows, columns = np.nonzero(cost)
        self.costly += len(rows)
        if self._most is not None and len(rows) > self._most:
            few = np.argsort(-cost[rows, columns], kind="stable")[: self._most]
            rows, columns = rows[few], columns[few]
        if not len(rows):
            return
        mixes = (step.hits * 1)[rows, columns]
        hit = better.lead[rows, columns] > 0
        numbers = (x[rows, columns] for x in (reach, given_up, cost))
        hands, unseen, scores = from_the_mover(
            self._sweep.positions, step.in_hands, vectors
        )
        cards = hands[rows], unseen[rows]
        states = Table.to_move(*cards, scores[columns], self._player).rows()
        taken = np.stack([mixes < 1, mixes > 0], axis=1)
        self._keep(*numbers, states, taken, np.stack([~hit, hit], axis=1))

    def _keep(self, *arrays: NDArray[Any]) -> None:
        self._parts.append(arrays)
        self._size += len(arrays[0])
        if self._most is not None and self._size > 4 * self._most + 1000:
            self._parts = [self._costliest()]
            self._size = len(self._parts[0][0])
        width = arrays[3].shape[1] + 5
        refuse_too_large(
            f"the mistakes in {self._size} states",
            16 * width * self._size,
            "give most=, the number of the costliest to list",
        )

    def _costliest(self) -> tuple[NDArray[Any], ...]:
        """Return the costliest so far, in order."""
        arrays = [np.concatenate(x) for x in zip(*self._parts, strict=True)]
        order = np.lexsort((-arrays[1], -arrays[2]))[: self._most]
        return tuple([x[order] for x in arrays])

    def fields(self) -> dict[str, Any]:
        """Return the fields of a regret."""
        rules = self._sweep.rules
        n, ranks = rules.players, len(rules.ranks)
        turn = -1 if rules.tie == "hit" else 1  # of the legal actions
        if self._parts:
            reach, given_up, cost, rows, taken, best = self._costliest()
        else:
            width = n * ranks + n + ranks + 2
            reach = given_up = cost = np.zeros(0)
            rows = np.zeros((0, width), np.int64)
            taken = best = np.zeros((0, 2), np.bool_)
        return {
            "reach": reach,
            "visits": reach,
            "given_up": given_up,
            "cost": cost,
            "loss": self.loss,
            "mistakes": self.count,
            "num_states": self.states,
            "_reached": self.costly,
            "words": WORDS[::turn],
            "rows": rows,
            "taken": taken[:, ::turn],
            "best": best[:, ::turn],
        }


def regret(
    sweep: Sweep,
    goal: Goal,
    playing: Profile,
    responding: Profile,
    player: int,
    most: int | None,
) -> dict[str, Any]:
    """Return the mistakes of a player: fields of `cardgames_dp.play.Regret`.

    The error adds up what is given up in each decision, a difference of two values,
    each rounded, or taken to be 0 where it counts as a tie; and the rounding of how
    often the decisions are reached, which is relative.
    """
    turns = sweep.places(playing, player)
    best = sweep.places(responding, player)
    mistakes, n = _Mistakes(sweep, player, most), sweep.rules.players
    for turn, vectors, _, layers in sweep.flows(turns, player):
        for passed in layers:
            if passed.steps[0].in_hands % n == turn:
                mistakes.add(passed, vectors, turns[turn], best[turn])
    error = rounding(sweep.rules, goal, mistakes.tie)
    doubt = mistakes.visits * (4 * error + mistakes.tie)
    return {**mistakes.fields(), "error": doubt + 2 * error * mistakes.loss}


# Distributions
# -------------


def distribution(
    lookup: SolvedRounds, count: str | None
) -> tuple[tuple[Distribution[Any], ...], Distribution[Any], float]:
    """Return the distributions of returns and of moves, and a bound of errors.

    All cards return after each round, and the lead rotates.
    """
    sweep, rules = lookup.sweep, lookup.rules
    n, vectors = rules.players, rules.target**rules.players
    cards = sum([min(c, n * rules.capacity) for c in rules.counts])
    each = {"round": 1, "fold": 1, "hit": cards + 1, None: 2 * cards + 2}[count]
    most = rounds_left(rules) * each + 1  # more than there may be
    refuse_too_large(
        f"the numbers of moves, up to {most}, at {vectors} scores",
        16 * n * vectors * most,
        "count rounds, or simulate games",
    )
    # How likely rounds start, by leader, scores and count so far.
    starts = np.zeros((n, vectors, most))
    starts[0, 0, 0] = 1.0
    ends: list[tuple[Integers, Floats]] = []
    lengths = np.zeros(most)
    for block in sweep.all_blocks():
        columns = sweep.index(block)
        steps = [*sweep.steps(block)][::-1]
        before = starts[:, columns]
        top = int(np.flatnonzero(before.any(axis=(0, 1))).max(initial=0)) + 1
        for leader in range(n):
            if not before[leader].any():
                continue
            unit = np.ones((1, len(block)))
            layers = followed(steps, sweep.place(sweep.played, leader), unit)
            for (moves, mover), chances in _outcomes(rules, layers, count).items():
                after = starts[(leader + mover + 1) % n]
                for by, (rank, lost, onward) in zip(
                    chances, sweep.ends(block, mover), strict=True
                ):
                    passed = before[leader, :, :top] * by[:, None]
                    to = slice(moves, moves + top)
                    after[onward[~lost], to] += passed[~lost]
                    final = block[lost]
                    final[:, mover] += rank
                    lengths[to] += passed[lost].sum(axis=0)
                    over = passed[lost].sum(axis=1)
                    ends.append((np.roll(final, leader, axis=1), over))
    scores, chances = map(np.concatenate, zip(*ends, strict=True))
    paid = in_arrays(rules, lookup.goal)(scores)
    returns = [
        _distribution_of(f"return of player {i}", paid[:, i], chances) for i in range(n)
    ]
    moves_law = _distribution_of("moves", np.arange(most), lengths)
    terms = 8 * len(rules.ranks) * len(sweep.positions.layers) * n + 32
    return tuple(returns), moves_law, rounds_left(rules) * terms * _UNIT


def _outcomes(
    rules: Rules, layers: Iterable[Passed], count: str | None
) -> dict[tuple[int, int], Floats]:
    """Return the chances by rank of what a round leads to, by moves and who ends it."""
    n, dealt = rules.players, rules.players * rules.deal
    chances: dict[tuple[int, int], Floats] = {}
    for passed in layers:
        in_hands = passed.steps[0].in_hands
        hits = in_hands - dealt
        numbers = {
            "round": (1, 1),
            "fold": (0, 1),
            "hit": (hits + 1, hits),
            None: (dealt + 2 * hits + 2, dealt + 2 * hits + 1),
        }[count]
        for moves, part in zip(numbers, (passed.pairs, passed.ends), strict=True):
            if part.any():
                key = moves, in_hands % n
                chances[key] = chances.get(key, 0.0) + part
    return chances


def _distribution_of(
    of: str, results: NDArray[Any], chances: Floats
) -> Distribution[Any]:
    """Return the distribution of results, which may be equal."""
    support, place = np.unique(results, return_inverse=True)
    sums = np.bincount(place.ravel(), weights=chances)
    return Distribution(of, support[sums > 0], sums[sums > 0])
