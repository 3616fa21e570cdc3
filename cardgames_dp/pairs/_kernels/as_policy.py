"""Solved play, as a policy for other games with the same hands.

Decisions are computed from tables of chances for a whole round at once. If solved play
were asked for one layer after another, as other policies are, it would solve the round
again for each of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._support import arguments
from cardgames_dp.pairs._kernels.backward import Sweep
from cardgames_dp.pairs._kernels.positions import Positions
from cardgames_dp.pairs._kernels.protocol import (
    Decisions,
    Integers,
    RuleSet,
    largest_holdings,
)


class Tabled:
    """The best play that a sweep has found, in any game with the same hands.

    Parameters
    ----------
    sweep : Sweep
        Its tables are filled.

    Raises
    ------
    ValueError
        Raised by the methods if a position cannot arise in the sweep's game.
    """

    __slots__ = ("_places", "_positions", "_sweep")

    def __init__(self, sweep: Sweep) -> None:
        self._sweep = sweep
        self._positions: Positions | None = None
        self._places: dict[int, Any] = {}

    def at(
        self, rules: RuleSet, hands: Integers, unseen: Integers, scores: Integers
    ) -> Decisions:
        """Return where to hit, shape (positions, vectors), by what a `View` shows.

        The hands and scores of the player to move come first.
        """
        self._refuse_other(rules, scores)
        cards, n = hands.sum(axis=(1, 2)), self._sweep.rules.players
        hits = np.zeros((len(hands), len(scores)), bool)
        for mover in np.unique(cards % n).tolist():
            in_layers = self._sweep.hits(np.roll(scores, mover, axis=1))
            for in_hands in np.unique(cards[cards % n == mover]).tolist():
                here = np.flatnonzero(cards == in_hands)
                by_seat = np.roll(hands[here], mover, axis=1)
                found = self._found(in_hands, unseen[here], by_seat)
                hits[here] = in_layers[in_hands][found]
        return hits

    def in_round(
        self, positions: Positions, vectors: Integers
    ) -> Callable[[int], Decisions]:
        """Return where to hit; see `InRounds`."""
        self._refuse_other(positions.rules, vectors)
        if self._positions is not positions:
            self._positions, self._places = positions, {}
        in_layers = self._sweep.hits(vectors)

        def in_layer(in_hands: int) -> Decisions:
            places = self._places.get(in_hands)
            if places is None:
                cards = positions.cards(in_hands)
                places = self._found(in_hands, *cards)
                if np.array_equal(places, np.arange(len(in_layers[in_hands]))):
                    places = slice(None)  # the same positions: nothing to reorder
                self._places[in_hands] = places
            hits: Decisions = in_layers[in_hands][places]
            return hits

        return in_layer

    def _found(
        self, in_hands: int, unseen: NDArray[Any], hands: NDArray[Any]
    ) -> NDArray[np.int64]:
        """Return the places of positions in their layer; `hands` are leader first."""
        positions = self._sweep.positions
        known = (hands <= largest_holdings(positions.rules)).all()
        if positions.decks > 1:
            known &= (unseen <= np.array(positions.rules.counts)).all()
        if known and self._sweep.first <= in_hands < len(positions.layers):
            keys, own = (
                positions.keys(unseen, hands, in_hands),
                positions.layers[in_hands].keys,
            )
            places: NDArray[np.int64] = np.searchsorted(own, keys)
            if (own[np.minimum(places, len(own) - 1)] == keys).all():
                return places
        raise self._refusal()

    def _refuse_other(self, rules: RuleSet, scores: Integers) -> None:
        own = self._sweep.rules
        alike = all(
            getattr(rules, name) == getattr(own, name)
            for name in ("players", "ranks", "capacities")
        )
        if not alike or scores.max(initial=0) >= own.target:
            raise self._refusal()

    def _refusal(self) -> ValueError:
        return ValueError(
            f"view must be of positions that can arise under "
            f"{arguments.shown(self._sweep.rules)}"
        )
