"""Bounds of the game of two players: backward induction in intervals.

The value of a game of two players, one of whom wins, is unique, and monotone in the
values of the ends of rounds, as means, maxima and minima are. So lower bounds of later
values give lower bounds of earlier ones, if each step is rounded down, and upper bounds
likewise. No tolerance is needed: it does not matter which action is better, only that
the player to move gets the larger value.

The arrays hold bounds of the leader's chance of winning: the first half of the columns
are lower bounds, the second half upper bounds, for the same scores.

Rounding, with u = 2**-53. A hit is a sum of at most R products of a probability, which
is a rounded quotient of integers, and a bound. Its error is a factor between
``(1 - u)**(R + 1)`` and ``(1 + u)**(R + 1)``, whatever the order, as nothing is
negative. The result is lowered or raised by ``(R + 4) u``, which covers this and the
rounding of that product itself. `_TINY` covers underflow.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._support.running import progress_bar
from cardgames_dp.pairs._kernels.backward import Sweep
from cardgames_dp.pairs._kernels.dealing import Dealing
from cardgames_dp.pairs._kernels.positions import Layer, Positions
from cardgames_dp.pairs._kernels.protocol import Floats

_UNIT = 2.0**-53
_TINY = 1e-300


class Bounded(NamedTuple):
    """Bounds of a layer.

    Attributes
    ----------
    in_hands : int
    layer : Layer
    hit, fold, values : ndarray of float64, shape (positions, 2 * columns)
        Bounds of the leader's chance of winning after either action, without meaning
        where it is not allowed, and under optimal play.
    """

    in_hands: int
    layer: Layer
    hit: Floats
    fold: Floats
    values: Floats


class Doubt(NamedTuple):
    """The decisions that the bounds leave open.

    Attributes
    ----------
    choices, undecided : int
        The number of positions, with scores, in which both actions are allowed, and in
        which their bounds overlap.
    largest : float
        The largest possible cost of the worse of two undecided actions.
    """

    choices: int
    undecided: int
    largest: float


def enclose(sweep: Sweep) -> tuple[Floats, Floats, Doubt]:
    """Return bounds of the leader's chance at the start of every round.

    Parameters
    ----------
    sweep : Sweep
        A sweep of two players; its tables are not used.

    Returns
    -------
    lower, upper : ndarray of float64, shape (decks, vectors of scores)
    doubt : Doubt

    Raises
    ------
    TooLargeError
        If it would not fit in memory.
    """
    sweep.refuse_too_much()
    decks, vectors = sweep.positions.decks, sweep.rules.target**2
    bounds = np.zeros((2, decks, vectors))
    choices = undecided = 0
    largest = 0.0
    total = sweep.positions.size * vectors
    keys = sweep.positions.layers[0].keys
    with progress_bar(total, "positions") as bar:
        for block in [*sweep.all_blocks()][::-1]:
            start = np.empty((0, 0))
            for step in layers(sweep, sweep.positions, bounds, block):
                start = step.values
                open_, most = _doubt(step)
                choices += int((step.layer.can_hit & step.layer.can_fold).sum()) * len(
                    block
                )
                undecided, largest = undecided + open_, max(largest, most)
            if sweep.dealing is not None:
                start = _before_deal(sweep.dealing, sweep, start, block)
            halves = start.reshape(len(start), 2, len(block)).swapaxes(0, 1)
            bounds[:, keys[:, None], sweep.index(block)] = halves
            if bar is not None:
                bar.update(sweep.positions.size * len(block))
    return bounds[0], bounds[1], Doubt(choices, undecided, largest)


def layers(
    sweep: Sweep, positions: Positions, bounds: Floats, block: NDArray[np.int64]
) -> Iterator[Bounded]:
    """Yield the layers of a block, beginning with the fullest hands.

    Parameters
    ----------
    sweep : Sweep
    positions : Positions
        All of the sweep's, or one and what may follow it.
    bounds : ndarray, shape (2, decks, vectors of scores)
        Those of higher totals are there.
    block : ndarray of int64, shape (columns, 2)
        Scores, leader first.
    """
    ends = [_ends(sweep, bounds, block, mover) for mover in range(2)]
    off = _rounding(len(sweep.rules.ranks) + 4)
    values = np.empty((0, 2 * len(block)))
    for in_hands in range(len(positions.layers) - 1, sweep.first - 1, -1):
        layer, mover = positions.layers[in_hands], in_hands % 2
        hit = _widened(layer.hit() @ np.concatenate([values, ends[mover]]), off)
        fold = ends[mover][layer.fold]
        better = np.maximum if mover == 0 else np.minimum
        values = np.where(layer.can_fold[:, None], fold, hit)
        both = layer.can_hit & layer.can_fold
        values[both] = better(hit[both], fold[both])
        yield Bounded(in_hands, layer, hit, fold, values)


def _ends(sweep: Sweep, bounds: Floats, block: NDArray[np.int64], mover: int) -> Floats:
    """Return bounds of the leader's chance after `mover` has scored.

    Shape (ranks * decks, 2 * columns).
    """
    rules = sweep.rules
    worth = np.empty((len(rules.ranks), sweep.positions.decks, 2, len(block)))
    for index, rank in enumerate(rules.ranks):
        scores = block.copy()
        scores[:, mover] += rank
        lost = scores[:, mover] >= rules.target
        scores[lost] = 0
        if mover == 1:  # the same player leads again
            after = bounds[:, :, sweep.index(scores)]
        else:
            after = complement(bounds[:, :, sweep.index(scores[:, ::-1])])
        worth[index] = after.swapaxes(0, 1)
        worth[index][..., lost] = float(mover)
    return worth.reshape(-1, 2 * len(block))


def complement(bounds: Floats) -> Floats:
    """Return bounds of one player's chances from those of the other's, first axis 2."""
    lower, upper = bounds
    below, above = np.nextafter(1 - upper, -1), np.nextafter(1 - lower, 2)
    return np.stack([np.maximum(below, 0.0), np.minimum(above, 1.0)])


def _before_deal(
    dealing: Dealing, sweep: Sweep, after: Floats, block: NDArray[np.int64]
) -> Floats:
    """Return bounds before the deal after which the lowest card leads.

    The chances of deals are sums and quotients of sums of at most R**2 products.
    """
    ranks = len(sweep.rules.ranks)
    off = _rounding(2 * ranks**2 + 2 * ranks + 16)
    by_half = after.reshape(len(after), 2, len(block)).swapaxes(0, 1)
    place = {tuple(vector): i for i, vector in enumerate(block.tolist())}
    turned = [place[other, own] for own, other in block.tolist()]
    second = complement(by_half[:, :, turned])
    first, second = (
        half.swapaxes(0, 1).reshape(len(after), -1) for half in (by_half, second)
    )
    return _widened(dealing.by_leader[0] @ first + dealing.by_leader[1] @ second, off)


def _rounding(units: int) -> float:
    """Return an even number of units, so that 1 less it and 1 plus it are exact."""
    return (units + units % 2) * _UNIT


def _widened(values: Floats, off: float) -> Floats:
    """Return bounds that hold despite relative rounding errors below `off`."""
    half = values.shape[1] // 2
    values[:, :half] = np.maximum(values[:, :half] * (1 - off) - _TINY, 0.0)
    values[:, half:] = np.minimum(values[:, half:] * (1 + off) + _TINY, 1.0)
    return values


def _doubt(step: Bounded) -> tuple[int, float]:
    """Return the number of open decisions, and the largest possible cost of one."""
    half = step.hit.shape[1] // 2
    both = step.layer.can_hit & step.layer.can_fold
    hit, fold = step.hit[both], step.fold[both]
    hit_above = hit[:, :half] > fold[:, half:]
    fold_above = fold[:, :half] > hit[:, half:]
    undecided = ~(hit_above | fold_above)
    most = np.maximum(hit[:, half:] - fold[:, :half], fold[:, half:] - hit[:, :half])
    return int(undecided.sum()), float(most[undecided].max(initial=0.0))
