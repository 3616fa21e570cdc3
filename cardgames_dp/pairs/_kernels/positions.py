"""All positions of a round, layer by layer, and the transitions by hits.

A *position* is all that the players know except the scores: the hands and the unseen
cards. The positions with t cards in hands are a *layer*. Seats are counted from the
leader of the round, so in layer t seat t mod n is to move. A hit leads from one layer
to the next or ends the round; a fold ends it. The end of a round is an *outcome*: the
points for the player to move, and the deck with which the next round starts.

Hits are linear: with W the value of every position of layer t + 1 and U that of every
outcome, the value of hitting in layer t is ``A @ concatenate([W, U])`` for a sparse A
of probabilities. A does not depend on the scores, so it is computed once, and each
column of W and U is another vector of scores. This makes the game tractable in NumPy:
for the published deck and two players there are 260,338 positions with 2,367,352 draws,
for three players 45,522,498 with 396,787,993.

A draw takes five bytes: its column and a code for its probability, of which there are
few different ones, cards of a rank out of unseen cards. Rows of A are made from these
when they are used, and kept if there is room for all.

Positions are numbered in mixed radix: one digit for each rank of each hand, beginning
with the player to move, and, where discards stay out of the deck, for each rank of the
deck. The entries of a row of A are in the order of the ranks, and sums are taken in
this order: the Pairs essay's arithmetic is reproduced to the last bit.

Before any position is found, they are counted, and their memory is estimated.
"""

from __future__ import annotations

import functools
import itertools
import math
import operator
import weakref
from typing import Any, NamedTuple

import numpy as np
import scipy  # its parts are loaded when they are used
from numpy.typing import NDArray

from cardgames_dp._support.running import TooLargeError, refuse_too_large
from cardgames_dp.pairs.rules import Rules, largest_holdings

_PORTION = 2**15
"""Positions whose draws are found at a time."""
MOST_ROWS = 2**13
"""Positions whose hits are one sparse array: the most, as they are used by `induction`.
With as many vectors of scores as `sweeps` takes side by side, their values, some
2**18, stay in the caches."""
_POSITION_BYTES = 40
"""About the bytes that a position takes, without its draws, and while it is found."""
_LAYER_BYTES = 3000
"""About the bytes that a layer takes, without its positions."""
_DRAW_BYTES = 6
"""Bytes that a draw takes: a column and a code, which may take two bytes."""
_KEPT_BYTES = 12
"""Additional bytes that a draw takes in a sparse array, if that is kept."""
MOST_KEPT = 2**23
"""The largest number of draws in a round of which the sparse arrays are kept."""
_MOST_COUNTED = 10**6
"""The largest number of steps in which positions are counted rank by rank."""


class Layer(NamedTuple):
    """The positions with the same number of cards in hands.

    `keys`: their numbers, increasing. A round may end in as many `outcomes`, with
    places after those of the next layer's `following` positions. The draws of position
    i are those from ``ends[i]`` to ``ends[i + 1]``: `columns` says what each leads to,
    a position of the next layer or an outcome, and `codes` has the place of its chance
    among `probabilities`. `fold`: the outcome of a fold; 0 where there is no card on
    the table. Neither `can_hit` nor `can_fold` where the essay's program finds no card.
    `made`: sparse arrays, by their first rows and the ones after the last; None where
    they would take too much memory.
    """

    keys: NDArray[np.int64]
    outcomes: int
    following: int
    ends: NDArray[Any]
    columns: NDArray[Any]
    codes: NDArray[Any]
    probabilities: NDArray[np.float64]
    fold: NDArray[Any]
    can_hit: NDArray[np.bool_]
    can_fold: NDArray[np.bool_]
    made: dict[tuple[int, int], Any] | None = None

    @property
    def choice(self) -> NDArray[np.bool_]:
        """Whether both actions are allowed, an array of shape (positions,)."""
        return self.can_hit & self.can_fold

    def hit(self, rows: slice = slice(None)) -> Any:
        """Return the chances of what a hit leads to from positions: a sparse array."""
        first, last, _ = rows.indices(len(self.keys))
        if self.made is None or last - first > MOST_ROWS:
            return self._hit(first, last)
        if (first, last) not in self.made:
            self.made[first, last] = self._hit(first, last)
        return self.made[first, last]

    def _hit(self, first: int, last: int) -> Any:
        ends = self.ends[first : last + 1]
        draws = slice(ends[0], ends[-1])
        return scipy.sparse.csr_array(
            (
                np.take(self.probabilities, self.codes[draws]),
                self.columns[draws],
                ends - ends[0],
            ),
            shape=(last - first, self.following + self.outcomes),
        )


class Positions:
    """All positions of a round under given rules, found when first asked for.

    Another process gets the rules. If it was forked after `share`, it has all that was
    found; otherwise it finds it again, once. `decks`: how many decks are told apart at
    the start of a round, 1 if everything returns. `first`: the first layer of a round,
    that after the deal if the lowest card leads.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.first = 0 if rules.first == "rotation" else rules.players
        counts = np.array(rules.counts)
        remembers = rules.reshuffle != "round"
        self.decks = most_decks(rules)
        _refuse_large_numbers(rules, self.decks)
        self._deck_weights = _radix_weights(counts) * remembers
        self.capacities = np.array(largest_holdings(rules))
        each = np.tile(self.capacities, rules.players)
        hand_weights = _radix_weights(each) * self.decks
        self._hand_weights = hand_weights.reshape(rules.players, -1)

    def __reduce__(self) -> tuple[Any, ...]:
        return _all_positions, (self.rules,)

    @functools.cached_property
    def layers(self) -> tuple[Layer, ...]:
        """The layers by the number of cards in hands, unless they are too large."""
        _refuse_too_many(self.rules, self.decks)
        keys = np.arange(self.decks)
        if self.rules.reshuffle == "exhausted":  # such decks have been refilled
            sizes = self._cards(keys, 0)[0].sum(axis=1)
            keys = keys[sizes > self.rules.burn]
        layers = self._layers_from(keys, 0)
        if sum([len(layer.columns) for layer in layers]) <= MOST_KEPT:
            layers = [layer._replace(made={}) for layer in layers]
        return tuple(layers)

    @functools.cached_property
    def dealing(self) -> list[Any] | None:
        """The deal, if the lowest card leads: for each seat, the chances that it leads.

        They are sparse arrays, of shape (decks, positions after the deal, rotated to
        the seat).
        """
        return None if self.first == 0 else _deal_chances(self)

    @property
    def downwards(self) -> range:
        """The layers of a round from the fullest hands on."""
        return range(len(self.layers) - 1, self.first - 1, -1)

    def after(self, in_hands: int, keys: NDArray[np.int64]) -> Positions:
        """Return positions of a layer and all that may follow, if everything returns.

        Layers with fewer cards in hands are empty.
        """
        those = Positions(self.rules)
        layers = self._layers_from(keys, in_hands)
        none = layers[0]._replace(keys=layers[0].keys[:0], ends=layers[0].ends[:1])
        those.layers = (none,) * in_hands + tuple(layers)
        return those

    @property
    def size(self) -> int:
        """How many positions there are."""
        return sum([len(layer.keys) for layer in self.layers])

    @property
    def widest(self) -> int:
        """How many positions the largest layer has."""
        return max([len(layer.keys) for layer in self.layers])

    @property
    def full_deck(self) -> int:
        """The number of the full deck among those told apart."""
        return self.decks - 1

    def deck_number(self, unseen: NDArray[Any]) -> NDArray[np.int64]:
        """Return the numbers of decks, given how many cards of each rank they hold."""
        return unseen @ self._deck_weights

    def keys(
        self, unseen: NDArray[Any], hands: NDArray[Any], in_hands: int
    ) -> NDArray[np.int64]:
        """Return the numbers of positions of a layer.

        They are given by unseen cards and hands, the leader's first, of shape
        (positions, ranks) and (positions, players, ranks).
        """
        by_hands = (hands * self._weights(in_hands)).sum(axis=(1, 2))
        numbers: NDArray[np.int64] = self.deck_number(unseen) + by_hands
        return numbers

    def cards(
        self, in_hands: int, rows: slice = slice(None)
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the unseen cards and the hands of a layer, as `keys` takes them."""
        return self._cards(self.layers[in_hands].keys[rows], in_hands)

    def _cards(
        self, keys: NDArray[np.int64], in_hands: int
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        counts = np.array(self.rules.counts)
        most = self.capacities + 1
        digits = keys[:, None, None] // self._weights(in_hands) % most
        if self.decks == 1:
            return counts - digits.sum(axis=1), digits
        return keys[:, None] // self._deck_weights % (counts + 1), digits

    def _weights(self, in_hands: int) -> NDArray[np.int64]:
        """Return what cards in hands are worth in a layer's numbers, by seat and rank.

        The hand of the player to move has the lowest weights: what may follow positions
        that differ in it alone is looked up while it is still in the caches.
        """
        return np.roll(self._hand_weights, in_hands, axis=0)

    def _layers_from(self, keys: NDArray[np.int64], in_hands: int) -> list[Layer]:
        """Return the layer of these positions, and all that follow."""
        layers: list[Layer] = []
        while len(keys):
            layer, keys = self._layer(keys, in_hands + len(layers))
            layers.append(layer)
        return layers

    def _layer(
        self, keys: NDArray[np.int64], in_hands: int
    ) -> tuple[Layer, NDArray[np.int64]]:
        """Return the layer of these positions, and the positions of the next one."""
        rules = self.rules
        portions = np.array_split(keys, -(-len(keys) // _PORTION))
        nexts, different = [], []
        for some in portions:
            _, chances, pairs, leads_to, _ = self._draws(some, in_hands)
            nexts.append(np.unique(leads_to[~pairs]))
            different.append(np.unique(chances))
        following = np.unique(np.concatenate(nexts))
        probabilities = np.unique(np.concatenate(different))
        outcomes = len(rules.ranks) * self.decks
        most = max(len(following) + outcomes, len(keys) * len(rules.ranks))
        index = np.int32 if most < 2**31 else np.int64
        code = np.min_scalar_type(len(probabilities))
        counts, columns, codes, folds = [], [], [], []
        for some in portions:  # found again, as all draws at once may take gigabytes
            count, chances, pairs, leads_to, fold = self._draws(some, in_hands)
            leads_to[pairs] += len(following)
            leads_to[~pairs] = np.searchsorted(following, leads_to[~pairs])
            counts.append(count)
            columns.append(leads_to.astype(index))
            codes.append(np.searchsorted(probabilities, chances).astype(code))
            folds.append(fold.astype(index))
        draws_of = np.concatenate(counts)
        layer = Layer(
            keys,
            outcomes,
            len(following),
            np.concatenate([[0], np.cumsum(draws_of)]).astype(index),
            np.concatenate(columns),
            np.concatenate(codes),
            probabilities,
            np.concatenate(folds),
            draws_of > 0,
            np.full(len(keys), in_hands >= max(rules.players * rules.deal, 1)),
        )
        return layer, following

    def _draws(
        self, keys: NDArray[np.int64], in_hands: int
    ) -> tuple[NDArray[Any], ...]:
        """Return what may be drawn in some positions of a layer, and what follows.

        How many ranks may be drawn in each; for each draw its chance, whether it makes
        a pair, and the outcome if it does, otherwise the number of the position after
        it; and the outcome of a fold in each position.
        """
        rules = self.rules
        mover = in_hands % rules.players
        unseen, hands = self._cards(keys, in_hands)
        sizes, held = unseen.sum(axis=1), hands.sum(axis=1)
        there = (unseen > 0) & (sizes > rules.burn)[:, None]
        pairs = there & (hands[:, mover] == self.capacities)

        deck = self.deck_number(unseen)
        after_pair, after_draw = deck[:, None], deck[:, None]
        after_fold = deck
        if rules.reshuffle != "round":
            exhausted = (sizes - 1 <= rules.burn)[:, None]
            all_others = self.deck_number(rules.counts - held)[:, None]
            drawn = self._deck_weights
            after_draw = np.where(exhausted, all_others, deck[:, None]) - drawn
            after_pair = after_draw
            if rules.reshuffle == "exhausted":
                after_pair = np.where(exhausted, self.full_deck, after_draw)
                after_fold = np.where(sizes <= rules.burn, self.full_deck, deck)
        weights = self._weights(in_hands + 1)
        moved = (hands * weights).sum(axis=(1, 2))[:, None] + weights[mover]
        rank_rows = (np.arange(len(rules.ranks)) * self.decks)[None, :]
        leads_to = np.where(pairs, rank_rows + after_pair, moved + after_draw)
        chances = unseen / np.maximum(sizes, 1)[:, None]
        fold = (held > 0).argmax(axis=1) * self.decks + after_fold
        return there.sum(axis=1), chances[there], pairs[there], leads_to[there], fold


_shared_positions: weakref.WeakValueDictionary[Any, Positions] = (
    weakref.WeakValueDictionary()
)
"""Positions whose blocks are spread, by their rules: for workers that are forked."""


def share(positions: Positions) -> None:
    """Let processes that are forked from now on have these positions, at no cost."""
    _shared_positions[positions.rules] = positions


@functools.lru_cache(maxsize=1)
def _all_positions(rules: Any) -> Positions:
    return _shared_positions.get(rules) or Positions(rules)


def _radix_weights(largest: NDArray[Any]) -> NDArray[np.int64]:
    """Return what the digits of a number are worth, from their largest values."""
    return np.concatenate([[1], np.cumprod(largest[:-1] + 1)])


def most_decks(rules: Rules) -> int:
    """Return an upper bound of the number of decks with which a round may start."""
    if rules.reshuffle == "round":
        return 1
    return math.prod([count + 1 for count in rules.counts])


def _refuse_too_many(rules: Rules, decks: int) -> None:
    """Refuse more positions than fit in memory."""
    what = f"Pairs with {rules.players} players and {len(rules.ranks)} ranks"
    fewer = "a smaller deck" + ", reshuffle='round'" * (rules.reshuffle != "round")
    instead = f"use {fewer}, or simulate(...), which needs no table"
    # First the layers, of which there may be too many to count their positions.
    most = rules.players * rules.capacity
    layers = sum([min(count, most) for count in rules.counts])
    refuse_too_large(what, layers * _LAYER_BYTES, instead)
    positions = most_positions(rules, decks)
    draws = positions * len(rules.ranks)
    needed = positions * _POSITION_BYTES + draws * _DRAW_BYTES
    needed += min(draws, MOST_KEPT) * _KEPT_BYTES
    refuse_too_large(what, needed, instead)


def _refuse_large_numbers(rules: Rules, decks: int) -> None:
    """Refuse rules whose positions or points the integers and floats cannot hold."""
    hands = math.prod([most + 1 for most in largest_holdings(rules)])
    points = rules.ranks[-1] * sum(rules.counts)
    if hands**rules.players * decks >= 2**63 or points >= 2**53:
        raise TooLargeError(
            f"Pairs with {rules.players} players, {sum(rules.counts)} cards and ranks "
            f"up to {rules.ranks[-1]} has positions whose numbers would not fit in 63 "
            "bits, or points of all cards that would not fit in 53; use fewer players, "
            "smaller ranks or fewer cards"
        )


def most_positions(rules: Rules, decks: int) -> int:
    """Return an upper bound of the number of positions, close to it.

    They are counted rank by rank or, where that would take long, as if each hand came
    from its own deck, with all decks.
    """
    most = largest_holdings(rules)
    hands = (sum(most) + 1) ** rules.players * len(most)
    if hands * (max(most) + 1) ** rules.players <= _MOST_COUNTED:
        return _count_hands(rules)
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


def _count_hands(rules: Rules) -> int:
    """Return the number of hands, with decks, that taking turns may lead to."""
    n, remembers = rules.players, rules.reshuffle != "round"
    by_sizes = {(0,) * n: 1}  # how many there are, by the sizes of the hands
    for count, most in zip(rules.counts, largest_holdings(rules), strict=True):
        totals: dict[tuple[int, ...], int] = {}
        for hands in itertools.product(range(most + 1), repeat=n):
            if sum(hands) > count:
                continue
            decks = count - sum(hands) + 1 if remembers else 1
            for before, ways in by_sizes.items():
                sizes = tuple(map(operator.add, before, hands))
                totals[sizes] = totals.get(sizes, 0) + ways * decks
        by_sizes = totals
    return sum(
        ways
        for sizes, ways in by_sizes.items()
        if sizes[0] - sizes[-1] <= 1 and sorted(sizes, reverse=True) == list(sizes)
    )


def _deal_chances(positions: Positions) -> list[Any]:
    """Return the chances of the positions after the deal, if the lowest card leads.

    They are those of dealing card by card, the layers 0 to n - 1. A deal with several
    lowest cards is repeated, so chances are conditional on a unique lowest card; a deck
    without such a deal is refilled first. If the lowest card is in seat i, seat i leads
    the round: hands, scores and profile are rotated by i.
    """
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
    by_leader = []
    for seat in range(n):
        here = np.flatnonzero(single & (leaders == seat))
        turned = np.roll(hands[here], -seat, axis=1)
        keys = positions.keys(unseen[here], turned, n)
        places = np.searchsorted(after.keys, keys)
        turn = scipy.sparse.csr_array(
            (np.ones(len(here)), (here, places)), shape=(len(after.keys),) * 2
        )
        by_leader.append(_diagonal(1 / allowed) @ chances @ turn)
    return by_leader


def values_before(
    dealing: list[Any],
    profiles: list[Any],
    after: list[NDArray[np.float64]],
    vectors: NDArray[np.int64],
) -> list[NDArray[np.float64]]:
    """Return values before the deal by seats, from those after it by leader.

    There is one for each profile, of shape (positions, players, columns).
    """
    result = []
    for profile in profiles:
        total: Any = 0.0
        for seat, chances in enumerate(dealing):
            turned = profile[seat:] + profile[:seat]
            columns = turns_of(vectors, -seat)
            values = after[profiles.index(turned)][:, :, columns]
            shape = (chances.shape[0], *values.shape[1:])
            part = (chances @ values.reshape(len(values), -1)).reshape(shape)
            total = total + np.roll(part, seat, axis=1)
        result.append(total)
    return result


def weights_after(
    dealing: list[Any], before: NDArray[np.float64], vectors: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return the weights of positions after the deal, from those before it.

    Those before, of shape (turns, decks, columns), are by seats, and by the seat of the
    player who is followed; those after by the seats from the leader on.
    """
    turns = len(before)
    after: list[Any] = [0.0] * turns
    for seat, chances in enumerate(dealing):
        # Column s of what is after is met from the vector that seat turns into s.
        columns = turns_of(vectors, seat)
        for turn, weights in enumerate(before):
            onwards = chances.T @ weights[:, columns]
            after[(turn - seat) % turns] = after[(turn - seat) % turns] + onwards
    return np.array(after)


def turns_of(vectors: NDArray[np.int64], by: int) -> list[int]:
    """Return the places of the same vectors rotated, all of which are among them."""
    place = {tuple(vector): i for i, vector in enumerate(vectors.tolist())}
    return [place[tuple(turned)] for turned in np.roll(vectors, by, axis=1).tolist()]


def _diagonal(values: NDArray[np.float64]) -> Any:
    """Return a sparse array with these values on its diagonal."""
    places = np.arange(len(values) + 1)
    return scipy.sparse.csr_array((values, places[:-1], places))
