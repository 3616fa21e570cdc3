"""Solved play in simulated games: decisions are looked up, one for each game."""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._support.running import allowance, refuse_too_large
from cardgames_dp.pairs._kernels.backward import Sweep
from cardgames_dp.pairs._kernels.decisions import Bits, DecisionTable, FewDecisions
from cardgames_dp.pairs._kernels.protocol import Decisions, Integers, largest_holdings
from cardgames_dp.pairs._kernels.simulation import Player, Seen

_PORTION = 2**15
"""Positions whose cards are held at a time: of all of a layer they may be gigabytes."""


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
    side_by_side : int, optional
        At most how many different rounds are played side by side; all that there are if
        not given. If the table of all would not fit in memory, only the decisions of
        rounds that come up are made, when they are first asked for.

    Raises
    ------
    TooLargeError
        If not even the decisions of rounds side by side would fit in memory.
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
        self,
        sweep: Sweep,
        otherwise: Player,
        *,
        side_by_side: int | None = None,
    ) -> None:
        rules, positions = sweep.rules, sweep.positions
        self._otherwise = otherwise
        self._table = _table_of(sweep, side_by_side)
        self._rules, self._remembers = rules, positions.decks > 1
        digits = np.tile(largest_holdings(rules), rules.players)
        if self._remembers:
            digits = np.concatenate([digits, rules.counts])
        values = [math.prod((digits[:i] + 1).tolist()) for i in range(len(digits))]
        self._weights = np.array(values)
        codes, places = [], []
        for in_hands in range(sweep.first, len(positions.layers)):
            for first in range(0, len(positions.layers[in_hands].keys), _PORTION):
                rows = slice(first, first + _PORTION)
                unseen, hands = positions.cards(in_hands, rows)
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
        powers = self._rules.target ** np.arange(n)[::-1]
        numbers = np.zeros(len(in_hands), np.int64)
        for i, scores in enumerate(seen.scores):  # the mover is in_hands after the lead
            numbers += scores * powers[(i + in_hands) % n]
        return numbers


def _table_of(sweep: Sweep, side_by_side: int | None) -> DecisionTable | FewDecisions:
    """Return the decisions of all rounds, or of those that are met, if they fit."""
    positions, vectors = sweep.positions, sweep.tables[0].shape[1]
    codes = 32 * positions.size
    room = allowance()[0] - codes
    if sweep.decisions_bytes <= room:
        return sweep.decisions()
    several = vectors if side_by_side is None else min(side_by_side, vectors)
    each = sweep.decisions_bytes // vectors
    refuse_too_large(
        f"the policy of {positions.size} positions x {several} vectors of scores",
        each * several + codes,
        "simulate fewer games, or a smaller deck or target",
    )
    made = functools.partial(_made, sweep)
    return FewDecisions(positions.layers, made, sweep.columns, room // each)


def _made(sweep: Sweep, numbers: Integers) -> Bits:
    """Return the decisions for vectors of scores, by their numbers."""
    shape = (sweep.rules.target,) * sweep.rules.players
    return sweep.bits(np.stack(np.unravel_index(numbers, shape), axis=1))
