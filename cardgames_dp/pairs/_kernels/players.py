"""Solved play as a player in other games: its decisions are looked up.

Decisions are computed from tables of chances for a whole round at once. If solved play
were asked for one layer after another, as other policies are, it would solve the round
again for each of them.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._support import arguments
from cardgames_dp._support.running import allowance, refuse_too_large
from cardgames_dp.pairs._kernels.backward import DecisionTable, Sweep, bits_at
from cardgames_dp.pairs._kernels.game import (
    Decisions,
    Integers,
    RuleSet,
    largest_holdings,
)
from cardgames_dp.pairs._kernels.induction import Bits
from cardgames_dp.pairs._kernels.positions import Layer, Positions
from cardgames_dp.pairs._kernels.simulation import Player, Seen


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


class FewDecisions:
    """The same for the vectors of scores that are asked about, made when they are.

    Parameters
    ----------
    layers : sequence of Layer
    made : callable
        Returns the decisions of some columns, packed.
    at_once : int
        How many columns are made side by side.
    most : int
        How many columns are kept: those that were asked about last.
    """

    __slots__ = ("_at_once", "_kept", "_layers", "_made", "_most")

    def __init__(
        self,
        layers: Sequence[Layer],
        made: Callable[[NDArray[np.int64]], Bits],
        at_once: int,
        most: int,
    ) -> None:
        self._layers = DecisionTable(layers, 0)
        self._made, self._at_once, self._most = made, at_once, most
        self._kept: dict[int, Bits] = {}

    def places(self, in_hands: int) -> NDArray[np.int64]:
        """Return where the bits of a layer's positions are, for `look_up`."""
        return self._layers.places(in_hands)

    def look_up(
        self, places: NDArray[np.int64], columns: NDArray[Any]
    ) -> NDArray[np.bool_]:
        """Return single decisions, by their places and vectors of scores."""
        asked, which = np.unique(columns, return_inverse=True)
        order = np.argsort(which, kind="stable")
        starts = np.searchsorted(which[order], np.arange(len(asked) + 1))
        hits = np.empty(len(places), np.bool_)
        rows = (places >> 3) - len(self._layers.bits)  # from the last layer
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
        for first in range(0, len(missing), self._at_once):
            some = missing[first : first + self._at_once]
            bits = self._made(np.array(some))
            for number, column in enumerate(some):
                self._kept[column] = bits[:, number].copy()
