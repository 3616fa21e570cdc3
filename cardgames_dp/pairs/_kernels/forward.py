"""Forward induction: which positions are reached, and how often.

Backward induction goes from the highest scores down; this goes from the start up. The
weights of starts of rounds flow through the layers, by the transposed sparse matrices,
to the starts of later rounds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import scipy  # its parts are loaded when they are used
from numpy.typing import NDArray

from cardgames_dp._support.running import progress_bar
from cardgames_dp.pairs._kernels.backward import Sweep
from cardgames_dp.pairs._kernels.game import Floats, Hits
from cardgames_dp.pairs._kernels.positions import Layer

Actions: TypeAlias = Callable[[NDArray[np.int64]], list[list[Hits]]]
"""For some vectors of scores, where to hit: for each turn and layer an array of shape
(positions, vectors)."""


class Met(NamedTuple):
    """How often the positions of a layer are reached.

    Attributes
    ----------
    in_hands : int
        The layer's number.
    layer : Layer
    weights, hits, folds : ndarray of float64, shape (positions, columns)
        The expected numbers of visits, and of visits followed by a hit and by a fold.
    """

    in_hands: int
    layer: Layer
    weights: Floats
    hits: Floats
    folds: Floats


class Flow(NamedTuple):
    """The flow through rounds with some vectors of scores.

    Attributes
    ----------
    turn : int
        The seat of the player who is followed, counted from the leader; 0 if all
        players do the same, and none is followed.
    vectors : ndarray of int64, shape (columns, players)
        Scores, leader first.
    rounds : float
        The expected number of such rounds.
    layers : list of Met
        The layers, beginning with the empty table, or with the deal after which the
        lowest card leads.
    """

    turn: int
    vectors: NDArray[np.int64]
    rounds: float
    layers: list[Met]


def flows(
    sweep: Sweep,
    actions: Actions,
    *,
    turns: int = 1,
    first: slice = slice(None),
) -> Iterator[Flow]:
    """Yield a flow for each block of scores and turn, from the start of the game up.

    Parameters
    ----------
    sweep : Sweep
        Its tables are not used.
    actions : callable
        The actions taken.
    turns : int, default 1
        If one player plays differently from all others, the number of players: that
        player starts once in each seat, and is followed. Otherwise 1.
    first : slice, optional
        The seats in which the player who is followed starts; all if not given.
    """
    rules = sweep.rules
    vectors = rules.target**rules.players
    starts = np.zeros((turns, sweep.positions.decks, vectors))
    starts[first, sweep.positions.full_deck, 0] = 1.0
    total = sweep.positions.size * vectors
    with progress_bar(total, "positions") as bar:
        for block in sweep.all_blocks():
            before = starts[:, :, sweep.index(block)]
            if before.any():
                yield from _rounds(sweep, starts, block, before, actions)
            if bar is not None:
                bar.update(sweep.positions.size * len(block))


def _rounds(
    sweep: Sweep,
    starts: Floats,
    block: NDArray[np.int64],
    before: Floats,
    actions: Actions,
) -> Iterator[Flow]:
    """Yield the flows of a block, and add what they lead to to `starts`."""
    first_layer, dealing = sweep.positions.layers[0], sweep.dealing
    by_turn = actions(block)
    before = before[:, first_layer.keys]
    # The essay's dead end, a start with an empty deck, is no round.
    rounds = before[:, first_layer.can_hit].sum(axis=(1, 2)).tolist()
    first = before if dealing is None else dealing.weights_after(before, block)
    for turn, weights in enumerate(first):
        flow = Flow(turn, block, rounds[turn], [])
        _follow(sweep, starts, flow, weights, by_turn[turn])
        yield flow


def _follow(
    sweep: Sweep,
    starts: Floats,
    flow: Flow,
    weights: Floats,
    where: list[Hits],
) -> None:
    """Add the layers of a flow, and to `starts` what they lead to."""
    positions, n = sweep.positions, sweep.rules.players
    for in_hands in range(sweep.first, len(positions.layers)):
        layer = positions.layers[in_hands]
        hits = weights * where[in_hands - sweep.first]
        folds = np.where(layer.can_fold[:, None], weights - hits, 0.0)
        flow.layers.append(Met(in_hands, layer, weights, hits, folds))
        onwards = layer.hit().T @ hits
        weights, ends = np.split(onwards, [-len(sweep.rules.ranks) * positions.decks])
        ends += _folded(layer, len(ends)) @ folds
        _add_rounds(sweep, starts, flow, in_hands % n, ends)


def _folded(layer: Layer, outcomes: int) -> Any:
    """Return the sparse matrix that adds up folds by their outcomes."""
    positions = len(layer.fold)
    one_each = (np.ones(positions), layer.fold, np.arange(positions + 1))
    return scipy.sparse.csc_array(one_each, shape=(outcomes, positions))


def _add_rounds(
    sweep: Sweep, starts: Floats, flow: Flow, mover: int, ends: Floats
) -> None:
    """Add the ends of rounds, which give `mover` points, to the starts of the next."""
    rules, block = sweep.rules, flow.vectors
    by_rank = ends.reshape(len(rules.ranks), sweep.positions.decks, len(block))
    lead = (mover + 1) % rules.players
    after = starts[(flow.turn - lead) % len(starts)]
    for rank, weights in zip(rules.ranks, by_rank, strict=True):
        scores = block.copy()
        scores[:, mover] += rank
        on = scores[:, mover] < rules.target
        columns = sweep.index(np.roll(scores[on], -lead, axis=1))
        after[:, columns] += weights[:, on]
