"""Solved play as a player in other games: its decisions are looked up.

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
from cardgames_dp._support.running import allowance, refuse_too_large
from cardgames_dp.pairs._kernels.game import (
    Decisions,
    Integers,
    RuleSet,
    largest_holdings,
    numbers_of,
)
from cardgames_dp.pairs._kernels.induction import Bits, DecisionTable, bits_at
from cardgames_dp.pairs._kernels.positions import Positions
from cardgames_dp.pairs._kernels.simulation import Player, Seen
from cardgames_dp.pairs._kernels.sweeps import Sweep


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
        if known and in_hands in positions.downwards:
            own = positions.layers[in_hands].keys
            keys = positions.keys(unseen, hands, in_hands)
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


class LookedUp:
    """A player who does what is best in a solved game, from its table of decisions.

    A position of the game is looked up by its number, of which the hand of the player
    to move has the lowest digits in all layers, and by the scores. The cards unseen
    matter where the solved game's rules remember them.

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

    __slots__ = ("_keys", "_otherwise", "_places", "_positions", "_table")

    def __init__(
        self, sweep: Sweep, otherwise: Player, *, side_by_side: int | None = None
    ) -> None:
        positions = self._positions = sweep.positions
        self._otherwise = otherwise
        self._table = _table_of(sweep, side_by_side)
        layers = positions.downwards
        keys = np.concatenate([positions.layers[t].keys for t in layers])
        places = np.concatenate([self._table.places(t) for t in layers])
        order = np.argsort(keys)
        self._keys, self._places = keys[order], places[order]

    def __call__(self, seen: Seen) -> Decisions:
        """Return true where to hit, shape (games,)."""
        hands = seen.hands.transpose(2, 0, 1)
        keys = self._positions.keys(seen.unseen.T, hands, 0)
        found = np.searchsorted(self._keys, keys)
        found = np.minimum(found, len(self._keys) - 1)
        hits = self._table.look_up(self._places[found], self._vectors(seen))
        unknown = np.flatnonzero(self._keys[found] != keys)
        if len(unknown):
            hits[unknown] = self._otherwise(seen.of(unknown))
        return hits

    def _vectors(self, seen: Seen) -> Integers:
        """Return the numbers of vectors of scores, which have the leader first."""
        rules = self._positions.rules
        in_hands = seen.hands.sum(axis=(0, 1), dtype=np.int64)
        seats = np.arange(rules.players)[:, None]
        leader_first = np.take_along_axis(
            seen.scores, (seats - in_hands) % rules.players, axis=0
        )
        return numbers_of(rules, leader_first.T)


def _table_of(sweep: Sweep, side_by_side: int | None) -> DecisionTable:
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
    return FewDecisions(sweep, room // each)


class FewDecisions(DecisionTable):
    """The same for the vectors of scores that are asked about, made when they are.

    Parameters
    ----------
    sweep : Sweep
        Its tables are filled.
    most : int
        How many columns are kept: those that were asked about last.
    """

    __slots__ = ("_kept", "_most", "_sweep")

    def __init__(self, sweep: Sweep, most: int) -> None:
        self._sweep, self._most = sweep, most
        DecisionTable.__init__(self, sweep.positions.layers, 0)
        self._kept: dict[int, Bits] = {}

    def look_up(
        self, places: NDArray[np.int64], columns: NDArray[Any]
    ) -> NDArray[np.bool_]:
        """Return single decisions, by their places and vectors of scores."""
        asked, which = np.unique(columns, return_inverse=True)
        order = np.argsort(which, kind="stable")
        starts = np.searchsorted(which[order], np.arange(len(asked) + 1))
        hits = np.empty(len(places), np.bool_)
        rows = (places >> 3) - len(self.bits)  # from the last layer
        for first in range(0, len(asked), self._most):
            some = asked[first : first + self._most]
            self._make(some.tolist())
            for number, column in enumerate(some.tolist(), first):
                here = order[starts[number] : starts[number + 1]]
                hits[here] = bits_at(self._kept[column][rows[here]], places[here])
        return hits

    def _make(self, columns: list[int]) -> None:
        """Make those of the columns that are not kept, in the place of older ones."""
        missing = [column for column in columns if column not in self._kept]
        for column in columns:
            if column in self._kept:  # it becomes the one asked about last
                self._kept[column] = self._kept.pop(column)
        too_many = len(self._kept) + len(missing) - self._most
        for column in [*self._kept][: max(too_many, 0)]:
            del self._kept[column]
        shape = (self._sweep.rules.target,) * self._sweep.rules.players
        for first in range(0, len(missing), self._sweep.columns):
            some = missing[first : first + self._sweep.columns]
            bits = self._sweep.bits(np.stack(np.unravel_index(some, shape), axis=1))
            for number, column in enumerate(some):
                self._kept[column] = bits[:, number].copy()
