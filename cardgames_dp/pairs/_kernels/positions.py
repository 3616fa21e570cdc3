"""Everything that can lie on the table in a round, layer by layer, and what a hit does.

A *position* is what the players see besides the scores: the hands and the cards not
seen yet. Those with t cards in hands are a *layer*. Seats are counted from the leader
of the round, so in layer t it is the turn of seat t mod n. A hit leads from one layer
to the next or ends the round; a fold ends it. The end of a round is an *outcome*: the
points for the player to move, and the deck with which the next round starts.

Hits are linear: with W the value of every position of layer t + 1 and U that of every
outcome, the value of hitting in layer t is ``A @ concatenate([W, U])`` for a sparse A
of probabilities. A does not know the scores, so it is made once, and each column of W
and U is another vector of scores. This is what makes the whole game tractable in NumPy:
for the published deck and two players there are 260,338 positions with 2,367,352 draws.

Positions are numbered by mixed radix: one digit for each rank of each hand and, where
cards are remembered from round to round, of the deck. The entries of a row of A are in
the order of the ranks, so that sums are added up in that order: document 004's
arithmetic is reproduced to the last bit.
"""

from __future__ import annotations

import itertools
import math
import operator
from typing import Any, NamedTuple

import numpy as np
import scipy  # its parts are loaded when they are used
from numpy.typing import NDArray

from cardgames_dp._memory import TooLargeError, refuse_too_large
from cardgames_dp.pairs._kernels.setting import Setting, largest_holdings

_POSITION_BYTES = 60
"""Bytes that a position takes, about, without its draws."""
_LAYER_BYTES = 3000
"""Bytes that a layer takes, about, without its positions."""
_DRAW_BYTES = 24
"""Bytes that a draw takes: a probability, a column, and room while they are found."""
_MOST_COUNTED = 10**6
"""Steps: positions are counted beforehand, rank by rank, in no more than these."""


class Layer(NamedTuple):
    """The positions with the same number of cards in hands.

    Attributes
    ----------
    keys : ndarray of int64, shape (positions,)
        Their numbers, increasing.
    hit : sparse array, shape (positions, positions of the next layer + outcomes)
        Probabilities of what a hit leads to.
    fold : ndarray of int64, shape (positions,)
        The outcome of a fold; 0 where there is no card on the table.
    can_hit, can_fold : ndarray of bool, shape (positions,)
        What is allowed. Neither is where the essay's program finds no card.
    """

    keys: NDArray[np.int64]
    hit: Any
    fold: NDArray[np.int64]
    can_hit: NDArray[np.bool_]
    can_fold: NDArray[np.bool_]


class Positions:
    """All positions of a round under given rules.

    Parameters
    ----------
    rules : Setting
    max_bytes : int, optional
        The most memory to use; half of this machine's if not given.

    Attributes
    ----------
    rules : Setting
    layers : tuple of Layer
        By the number of cards in hands, from 0.
    decks : int
        How many decks are told apart at the start of a round: 1 if everything returns.

    Raises
    ------
    TooLargeError
        If there are too many, or numbers would be too large for int64 and float64.
    """

    __slots__ = ("_deck_weights", "_hand_weights", "decks", "layers", "rules")

    def __init__(self, rules: Setting, max_bytes: int | None = None) -> None:
        self.rules = rules
        counts = np.array(rules.counts)
        remembers = rules.reshuffle != "round"
        self.decks = decks_told_apart(rules)
        _refuse_too_many(rules, self.decks)
        what = f"Pairs with {rules.players} players and {len(rules.ranks)} ranks"
        fewer = "a smaller deck, reshuffle='round'" if remembers else "a smaller deck"
        instead = f"use {fewer}, or simulate(...), which needs no table"
        refuse_too_large(what, _layers_bytes(rules), instead, max_bytes)
        each = _POSITION_BYTES + _DRAW_BYTES * len(rules.ranks)
        needed = most_positions(rules, self.decks) * each
        refuse_too_large(what, needed, instead, max_bytes)
        self._deck_weights = _radix_weights(counts) * remembers
        capacities = np.array(largest_holdings(rules))
        hand_weights = _radix_weights(np.tile(capacities, rules.players)) * self.decks
        self._hand_weights = hand_weights.reshape(rules.players, -1)
        self.layers = tuple(self._found())

    @property
    def size(self) -> int:
        """How many positions there are."""
        return sum([len(layer.keys) for layer in self.layers])

    @property
    def draws(self) -> int:
        """How many draws there are in all positions."""
        return sum([layer.hit.nnz for layer in self.layers])

    @property
    def full_deck(self) -> int:
        """The number of the full deck among those told apart."""
        return self.decks - 1

    def deck_number(self, unseen: NDArray[Any]) -> NDArray[np.int64]:
        """Return the numbers of decks, given how many cards of each rank they hold."""
        numbers: NDArray[np.int64] = unseen @ self._deck_weights
        return numbers

    def keys(self, unseen: NDArray[Any], hands: NDArray[Any]) -> NDArray[np.int64]:
        """Return the numbers of positions.

        Parameters
        ----------
        unseen : ndarray of int, shape (positions, ranks)
        hands : ndarray of int, shape (positions, players, ranks)
            From the leader on.
        """
        by_hands = (hands * self._hand_weights).sum(axis=(1, 2))
        numbers: NDArray[np.int64] = self.deck_number(unseen) + by_hands
        return numbers

    def cards(
        self, keys: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return what lies where.

        Returns
        -------
        unseen : ndarray of int64, shape (positions, ranks)
            Cards that nobody has seen.
        hands : ndarray of int64, shape (positions, players, ranks)
            From the leader on.
        """
        counts = np.array(self.rules.counts)
        capacities = np.array(largest_holdings(self.rules))
        digits = keys[:, None, None] // self._hand_weights % (capacities + 1)
        if self.decks == 1:
            return counts - digits.sum(axis=1), digits
        return keys[:, None] // self._deck_weights % (counts + 1), digits

    def _found(self) -> list[Layer]:
        layers: list[Layer] = []
        keys = np.arange(self.decks)
        if self.rules.reshuffle == "exhausted":  # such decks have been refilled
            keys = keys[self.cards(keys)[0].sum(axis=1) > self.rules.kept_back]
        while len(keys):
            layer, keys = self._layer(keys, len(layers))
            layers.append(layer)
        return layers

    def _layer(
        self, keys: NDArray[np.int64], in_hands: int
    ) -> tuple[Layer, NDArray[np.int64]]:
        """Return the layer of these positions, and the positions of the next one."""
        rules = self.rules
        mover = in_hands % rules.players
        unseen, hands = self.cards(keys)
        sizes, held = unseen.sum(axis=1), hands.sum(axis=1)
        there = (unseen > 0) & (sizes > rules.burn)[:, None]
        pairs = there & (hands[:, mover] == largest_holdings(rules))
        draws = there & ~pairs

        deck = self.deck_number(unseen)
        after_pair, after_draw = deck[:, None], deck[:, None]
        after_fold = deck
        if rules.reshuffle != "round":
            exhausted = (sizes - 1 <= rules.kept_back)[:, None]
            all_others = self.deck_number(rules.counts - held)[:, None]
            drawn = self._deck_weights
            after_draw = np.where(exhausted, all_others, deck[:, None]) - drawn
            after_pair = after_draw
            if rules.reshuffle == "exhausted":
                after_pair = np.where(exhausted, self.full_deck, after_draw)
                after_fold = np.where(sizes <= rules.kept_back, self.full_deck, deck)
        moved = (keys - deck)[:, None] + self._hand_weights[mover] + after_draw
        following, places = np.unique(moved[draws], return_inverse=True)

        columns = np.zeros(there.shape, np.int64)
        columns[draws] = places
        rank_rows = np.arange(len(rules.ranks)) * self.decks
        columns[pairs] = (len(following) + rank_rows + after_pair)[pairs]
        probabilities = unseen / np.maximum(sizes, 1)[:, None]
        hit = scipy.sparse.csr_array(
            (
                probabilities[there],
                columns[there],
                np.concatenate([[0], np.cumsum(there.sum(axis=1))]),
            ),
            shape=(len(keys), len(following) + len(rules.ranks) * self.decks),
        )
        lowest = (held > 0).argmax(axis=1)
        return (
            Layer(
                keys,
                hit,
                lowest * self.decks + after_fold,
                there.any(axis=1),
                np.full(len(keys), in_hands >= max(rules.players * rules.deal, 1)),
            ),
            following,
        )


def _radix_weights(largest: NDArray[Any]) -> NDArray[np.int64]:
    """Return what the digits of a number are worth, from their largest values."""
    weights: NDArray[np.int64] = np.concatenate([[1], np.cumprod(largest[:-1] + 1)])
    return weights


def decks_told_apart(rules: Setting) -> int:
    """Return how many decks there are with which a round may start, or more."""
    if rules.reshuffle == "round":
        return 1
    return math.prod([count + 1 for count in rules.counts])


def _refuse_too_many(rules: Setting, decks: int) -> None:
    """Refuse what the solver's integers and floats cannot tell apart."""
    hands = math.prod([most + 1 for most in largest_holdings(rules)])
    points = rules.ranks[-1] * sum(rules.counts)
    if hands**rules.players * decks >= 2**63 or points >= 2**53:
        raise TooLargeError(
            f"Pairs with {rules.players} players, {sum(rules.counts)} cards and ranks "
            f"up to {rules.ranks[-1]} has positions whose numbers would not fit in 63 "
            "bits, or points of all cards that would not fit in 53; use fewer players, "
            "smaller ranks or fewer cards, or the exact backend with rules.game()"
        )


def _layers_bytes(rules: Setting) -> int:
    """Return about what the layers take, with few positions or none in each."""
    each = [rules.players * most for most in rules.capacities]
    return sum(map(min, rules.counts, each)) * _LAYER_BYTES


def most_positions(rules: Setting, decks: int) -> int:
    """Return about how many positions there are, never less.

    They are counted, rank by rank, unless that would be long: then hands of given sizes
    are counted as if each were drawn from a deck of its own, and went with all decks.
    """
    most = largest_holdings(rules)
    hands = (sum(most) + 1) ** rules.players * len(most)
    if hands * (max(most) + 1) ** rules.players <= _MOST_COUNTED:
        return _counted(rules)
    by_size = [1]  # how many hands there are of each size
    for capacity in most:
        sums = [0, *itertools.accumulate(by_size + [0] * capacity)]
        by_size = [
            total - sums[max(size - capacity, 0)] for size, total in enumerate(sums[1:])
        ]
    by_size.append(0)
    positions, n = 0, rules.players
    for now, more in itertools.pairwise(by_size):
        positions += sum([more**ahead * now ** (n - ahead) for ahead in range(n)])
    return positions * decks


def _counted(rules: Setting) -> int:
    """Return how many hands, and decks beside them, taking turns may lead to."""
    n, remembers = rules.players, rules.reshuffle != "round"
    by_sizes = {(0,) * n: 1}  # how many there are, by the sizes of the hands
    for count, most in zip(rules.counts, largest_holdings(rules), strict=True):
        found: dict[tuple[int, ...], int] = {}
        for hands in itertools.product(range(most + 1), repeat=n):
            if sum(hands) > count:
                continue
            decks = count - sum(hands) + 1 if remembers else 1
            for before, ways in by_sizes.items():
                sizes = tuple(map(operator.add, before, hands))
                found[sizes] = found.get(sizes, 0) + ways * decks
        by_sizes = found
    return sum(
        ways
        for sizes, ways in by_sizes.items()
        if sizes[0] - sizes[-1] <= 1 and sorted(sizes, reverse=True) == list(sizes)
    )
