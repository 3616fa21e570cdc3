"""Forward through the game: which positions can be met, and how often.

Where backward induction goes from the highest scores down, this goes from the start up:
the weights of starts of rounds flow through the layers, by the same sparse matrices
transposed, into the starts of later rounds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import scipy  # its parts are loaded when they are used
from numpy.typing import NDArray

from cardgames_dp._extras import progress_bar
from cardgames_dp.pairs._kernels.induction import Step
from cardgames_dp.pairs._kernels.positions import Layer
from cardgames_dp.pairs._kernels.setting import Floats
from cardgames_dp.pairs._kernels.sweep import Sweep

Actions: TypeAlias = Callable[[NDArray[np.int64]], list[NDArray[np.bool_]]]
"""For some vectors of scores, where to hit: for each layer (positions, vectors)."""


class Met(NamedTuple):
    """How often the positions of a layer are met.

    Attributes
    ----------
    in_hands : int
        The layer's number.
    layer : Layer
    weights, hits, folds : ndarray of float64, shape (positions, columns)
        How often in all, and how often play goes on by either action.
    """

    in_hands: int
    layer: Layer
    weights: Floats
    hits: Floats
    folds: Floats


class Flow(NamedTuple):
    """What happens in rounds with some vectors of scores.

    Attributes
    ----------
    vectors : ndarray of int64, shape (columns, players)
        Scores, leader first.
    rounds : float
        How many such rounds there are.
    layers : list of Met
        From the empty table on, or from the deal in which the lowest card leads.
    """

    vectors: NDArray[np.int64]
    rounds: float
    layers: list[Met]


def flows(
    sweep: Sweep, actions: Actions | None, *, progress: bool = False
) -> Iterator[Flow]:
    """Yield what happens with every block of scores, from the start of the game up.

    Parameters
    ----------
    sweep : Sweep
        Its tables are not looked at.
    actions : callable or None
        What is done; weights are means. With None *both* actions are, and weights are 1
        for what can be met and 0 for what cannot.
    progress : bool, default False
        Show a progress bar.
    """
    rules = sweep.rules
    starts = np.zeros((sweep.positions.decks, rules.losing_score**rules.players))
    starts[sweep.positions.full_deck, 0] = 1.0
    total = sweep.positions.size * starts.shape[1]
    with progress_bar(total, "positions", shown=progress) as bar:
        for block in sweep.all_blocks():
            before = starts[:, sweep.index(block)]
            if before.any():
                yield _round(sweep, starts, block, before, actions)
            if bar is not None:
                bar.update(sweep.positions.size * len(block))


def upwards(sweep: Sweep, vectors: NDArray[np.int64]) -> list[Step]:
    """Return the layers of a block as the first profile plays, from the empty table."""
    return [by_profile[0] for by_profile in sweep.steps(vectors)][::-1]


def _round(
    sweep: Sweep,
    starts: Floats,
    block: NDArray[np.int64],
    before: Floats,
    actions: Actions | None,
) -> Flow:
    """Return the flow of a block, and add what it leads to to `starts`."""
    positions, dealing, n = sweep.positions, sweep.dealing, sweep.rules.players
    where = None if actions is None else actions(block)
    weights = before[positions.layers[0].keys]
    # The essay's dead end, a start with an empty deck, is no round.
    flow = Flow(block, float(weights[positions.layers[0].can_hit].sum()), [])
    first = 0
    if dealing is not None:
        first, weights = n, dealing.weights_after(weights, block)
    for in_hands in range(first, len(positions.layers)):
        layer = positions.layers[in_hands]
        if where is None:
            weights = (weights > 0).astype(float)
            hits, folds = (
                layer.can_hit[:, None] * weights,
                layer.can_fold[:, None] * weights,
            )
        else:
            hits = np.where(where[in_hands - first], weights, 0.0)
            folds = np.where(layer.can_fold[:, None], weights - hits, 0.0)
        flow.layers.append(Met(in_hands, layer, weights, hits, folds))
        onwards = layer.hit().T @ hits
        weights, ends = np.split(onwards, [-len(sweep.rules.ranks) * positions.decks])
        ends += _folded(layer, len(ends)) @ folds
        _add_rounds(sweep, starts, block, in_hands % n, ends)
    return flow


def _folded(layer: Layer, outcomes: int) -> Any:
    """Return the sparse matrix that adds up folds by their outcomes."""
    positions = len(layer.fold)
    one_each = (np.ones(positions), layer.fold, np.arange(positions + 1))
    return scipy.sparse.csc_array(one_each, shape=(outcomes, positions))


def _add_rounds(
    sweep: Sweep, starts: Floats, block: NDArray[np.int64], mover: int, ends: Floats
) -> None:
    """Add the ends of rounds, which give `mover` points, to the starts of the next."""
    rules = sweep.rules
    by_rank = ends.reshape(len(rules.ranks), sweep.positions.decks, len(block))
    lead = (mover + 1) % rules.players
    for rank, weights in zip(rules.ranks, by_rank, strict=True):
        scores = block.copy()
        scores[:, mover] += rank
        on = scores[:, mover] < rules.losing_score
        columns = sweep.index(np.roll(scores[on], -lead, axis=1))
        starts[:, columns] += weights[:, on]
