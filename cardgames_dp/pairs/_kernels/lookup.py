"""Solved play in simulated games: decisions are looked up, one for each game."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames_dp.pairs._kernels.playing import Player, Seen
from cardgames_dp.pairs._kernels.setting import Decisions, Integers, largest_holdings
from cardgames_dp.pairs._kernels.sweep import Sweep


class LookedUp:
    """A player who does what is best in a solved game, from its table of decisions.

    A position of the game is looked up by hands and scores, with the cards unseen where
    the solved game's rules remember them.

    Parameters
    ----------
    sweep : Sweep
        Its tables are filled.
    otherwise : Player
        Who decides where the solved game has no such position, as with three players of
        whom two got another card in the deal.
    progress : bool, default False
        Show a progress bar if the table has to be made.

    Raises
    ------
    TooLargeError
        If the table would not fit in memory.
    """

    __slots__ = (
        "_codes",
        "_otherwise",
        "_places",
        "_remembers",
        "_rules",
        "_table",
        "_weights",
    )

    def __init__(
        self, sweep: Sweep, otherwise: Player, *, progress: bool = False
    ) -> None:
        rules, positions = sweep.rules, sweep.positions
        self._otherwise = otherwise
        self._table = sweep.decisions(progress=progress)
        self._rules, self._remembers = rules, positions.decks > 1
        digits = np.tile(largest_holdings(rules), rules.players)
        if self._remembers:
            digits = np.concatenate([digits, rules.counts])
        values = [math.prod((digits[:i] + 1).tolist()) for i in range(len(digits))]
        self._weights = np.array(values)
        codes, places = [], []
        for in_hands in range(sweep.first, len(positions.layers)):
            unseen, hands = positions.cards(in_hands)
            mover_first = np.roll(hands, -in_hands, axis=1)
            codes.append(self._code(mover_first.transpose(1, 2, 0), unseen.T))
            places.append(self._table.places(in_hands))
        order = np.argsort(np.concatenate(codes))
        self._codes = np.concatenate(codes)[order]
        self._places = np.concatenate(places)[order]

    def __call__(self, seen: Seen) -> Decisions:
        """Return true where to hit, shape (games,)."""
        codes = self._code(seen.hands, seen.unseen)
        found = np.searchsorted(self._codes, codes)
        found = np.minimum(found, len(self._codes) - 1)
        hits = self._table.look_up(self._places[found], self._vectors(seen))
        unknown = np.flatnonzero(self._codes[found] != codes)
        if len(unknown):
            hits[unknown] = self._otherwise(seen.of(unknown))
        return hits

    def _code(self, hands: NDArray[Any], unseen: NDArray[Any]) -> Integers:
        """Return numbers that tell positions apart, the player to move first."""
        cards = hands.reshape(-1, hands.shape[2])
        if self._remembers:
            cards = np.concatenate([cards, unseen])
        codes = np.zeros(cards.shape[1], np.int64)
        for weight, digit in zip(self._weights.tolist(), cards, strict=True):
            codes += digit.astype(np.int64) * weight
        return codes

    def _vectors(self, seen: Seen) -> Integers:
        """Return the numbers of vectors of scores, which have the leader first."""
        n = self._rules.players
        in_hands = seen.hands.sum(axis=(0, 1), dtype=np.int64)
        powers = self._rules.losing_score ** np.arange(n)[::-1]
        numbers = np.zeros(len(in_hands), np.int64)
        for i, scores in enumerate(seen.scores):  # the mover is in_hands after the lead
            numbers += scores * powers[(i + in_hands) % n]
        return numbers
