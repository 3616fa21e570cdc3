"""The deal after which the player with the lowest card leads.

The chances of a deal are those of dealing card by card, the layers 0 to n - 1 of the
positions. A deal with several lowest cards is repeated, so chances are conditional on a
unique lowest card; a deck without such a deal is refilled first. If the lowest card is
in seat i, seat i leads the round: hands, scores and profile are rotated by i.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy  # its parts are loaded when they are used
from numpy.typing import NDArray

from cardgames_dp.pairs._kernels.positions import Positions


class Dealing:
    """Chances of the positions after the deal.

    Attributes
    ----------
    by_leader : list of sparse arrays, shape (decks, positions after the deal)
        For each seat, the chances that it leads, by the position rotated to it.
    """

    __slots__ = ("by_leader",)

    def __init__(self, positions: Positions) -> None:
        n = positions.rules.players
        chances: Any = _diagonal(np.ones(len(positions.layers[0].keys)))
        for in_hands in range(n):
            following = len(positions.layers[in_hands + 1].keys)
            chances = chances @ positions.layers[in_hands].hit()[:, :following]
        after = positions.layers[n]
        unseen, hands = positions.cards(n)
        dealt = hands.argmax(axis=2)
        single = (dealt == dealt.min(axis=1, keepdims=True)).sum(axis=1) == 1
        leaders = dealt.argmin(axis=1)
        allowed = chances @ single.astype(float)
        full = np.searchsorted(positions.layers[0].keys, positions.full_deck)
        dealt_from = np.where(allowed > 0, np.arange(len(allowed)), full)
        chances, allowed = chances[dealt_from], allowed[dealt_from]
        self.by_leader: list[Any] = []
        for seat in range(n):
            here = np.flatnonzero(single & (leaders == seat))
            turned = np.roll(hands[here], -seat, axis=1)
            keys = positions.keys(unseen[here], turned, n)
            places = np.searchsorted(after.keys, keys)
            turn = scipy.sparse.csr_array(
                (np.ones(len(here)), (here, places)), shape=(len(after.keys),) * 2
            )
            self.by_leader.append(_diagonal(1 / allowed) @ chances @ turn)

    def values_before(
        self,
        profiles: list[Any],
        after: list[NDArray[np.float64]],
        vectors: NDArray[np.int64],
    ) -> list[NDArray[np.float64]]:
        """Return values before the deal by seats, from those after it by leader.

        Parameters
        ----------
        profiles : list of tuples
        after : list of ndarray, shape (positions, players, columns)
            A value for each profile.
        vectors : ndarray of int64, shape (columns, players)
            The scores, with every turn of each vector.
        """
        place = {tuple(vector): i for i, vector in enumerate(vectors.tolist())}
        result = []
        for profile in profiles:
            total: Any = 0.0
            for seat, chances in enumerate(self.by_leader):
                turned = profile[seat:] + profile[:seat]
                scores = np.roll(vectors, -seat, axis=1).tolist()
                columns = [place[tuple(vector)] for vector in scores]
                values = after[profiles.index(turned)][:, :, columns]
                shape = (chances.shape[0], *values.shape[1:])
                met = (chances @ values.reshape(len(values), -1)).reshape(shape)
                total = total + np.roll(met, seat, axis=1)
            result.append(total)
        return result

    def weights_after(
        self, before: NDArray[np.float64], vectors: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """Return the weights of positions after the deal, from those before it.

        Parameters
        ----------
        before : ndarray, shape (turns, decks, columns)
            By seats, and by the seat of the player who is followed.
        vectors : ndarray of int64, shape (columns, players)
            The scores, with every turn of each vector.

        Returns
        -------
        ndarray, shape (turns, positions after the deal, columns)
            By the seats from the leader on.
        """
        place = {tuple(vector): i for i, vector in enumerate(vectors.tolist())}
        turns = len(before)
        after: list[Any] = [0.0] * turns
        for seat, chances in enumerate(self.by_leader):
            # Column s of what is after is met from the vector that seat turns into s.
            scores = np.roll(vectors, seat, axis=1).tolist()
            columns = [place[tuple(vector)] for vector in scores]
            for turn, weights in enumerate(before):
                onwards = chances.T @ weights[:, columns]
                after[(turn - seat) % turns] = after[(turn - seat) % turns] + onwards
        return np.array(after)


def _diagonal(values: NDArray[np.float64]) -> Any:
    """Return a sparse array with these values on its diagonal."""
    places = np.arange(len(values) + 1)
    return scipy.sparse.csr_array((values, places[:-1], places))
