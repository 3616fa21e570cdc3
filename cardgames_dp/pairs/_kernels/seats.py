"""How simulated players decide: by asking a policy, or by looking up what is solved.

In a simulation every game has its own scores, while a `View` has vectors of scores
that all go with all positions. A policy that does not look at the scores answers in
one dimension, and is asked once for all games. From the first time on that it
answers in two, it is asked once for the games of each different vector.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardgames_dp.pairs._kernels.positions import largest_holdings
from cardgames_dp.pairs._kernels.tabled import WithSweep
from cardgames_dp.pairs.policies import (
    Decide,
    Decisions,
    Integers,
    View,
    decided,
    expected_points,
)
from cardgames_dp.pairs.rules import Rules


class Seen(NamedTuple):
    """What players to move see, a column for each game.

    Attributes
    ----------
    rules : Rules
    hands : ndarray of int, shape (players, ranks, games)
        From the player to move on.
    unseen : ndarray of int, shape (ranks, games)
    scores : ndarray of int64, shape (players, games)
        From the player to move on.
    """

    rules: Rules
    hands: NDArray[Any]
    unseen: NDArray[Any]
    scores: Integers

    def of(self, games: Any) -> Seen:
        """Return what is seen in some of the games."""
        return Seen(
            self.rules,
            self.hands[:, :, games],
            self.unseen[:, games],
            self.scores[:, games],
        )

    def view(self, vectors: Integers) -> View:
        """Return the view of all games with certain vectors of scores."""
        hands = self.hands.astype(np.int64)
        return View(
            self.rules,
            hands[0].T,
            hands[1:].transpose(2, 0, 1),
            self.unseen.astype(np.int64).T,
            vectors,
        )


Player: TypeAlias = Callable[[Seen], Decisions]
"""Returns true where to hit, shape (games,)."""


class Asked:
    """A player who asks a policy of views."""

    __slots__ = ("_by_scores", "_decide")

    def __init__(self, decide: Decide) -> None:
        self._decide = decide
        self._by_scores = False

    def __call__(self, seen: Seen) -> Decisions:
        """Return true where to hit, shape (games,)."""
        if not self._by_scores:
            # Two vectors, so that an answer which mixes them with positions is refused.
            first = seen.scores[:, :1]
            other = int((seen.scores != first).any(axis=0).argmax())
            vectors = seen.scores[:, sorted({0, other})].T
            answer = self._decide(seen.view(vectors))
            if answer.ndim == 1:
                return answer
            self._by_scores = True
        return self._for_each_vector(seen)

    def _for_each_vector(self, seen: Seen) -> Decisions:
        vectors, group = np.unique(seen.scores, axis=1, return_inverse=True)
        order = np.argsort(group.reshape(-1), kind="stable")
        ends = np.cumsum(np.bincount(group.reshape(-1)))
        games = seen.of(order).view(vectors.T)
        hits = np.empty(len(order), np.bool_)
        start = 0
        for vector, end in zip(vectors.T, ends.tolist(), strict=True):
            part = slice(start, end)
            some = View(
                games.rules,
                games.hand[part],
                games.others[part],
                games.unseen[part],
                vector[None],
            )
            hits[order[part]] = decided(self._decide, some)[:, 0]
            start = end
        return hits


class LookedUp:
    """A player who does what is best in a solved game, from its table of decisions.

    A position of the game is looked up by hands and scores, with the cards unseen where
    the solved game's rules remember them. Where that has none (as with three players of
    whom two got another card in the deal) `expected_points` decides.

    Parameters
    ----------
    solved : Solution or BestResponse
    progress : bool, default False
        Show a progress bar if the table has to be made.

    Raises
    ------
    TooLargeError
        If the table would not fit in memory.
    """

    __slots__ = ("_codes", "_places", "_remembers", "_rules", "_table", "_weights")

    def __init__(self, solved: WithSweep, *, progress: bool = False) -> None:
        sweep, rules = solved.sweep, solved.rules
        positions = sweep.positions
        self._table = sweep.decisions(progress=progress)
        self._rules, self._remembers = rules, positions.decks > 1
        digits = np.tile(largest_holdings(rules), rules.players)
        if self._remembers:
            digits = np.concatenate([digits, rules.counts])
        values = [math.prod((digits[:i] + 1).tolist()) for i in range(len(digits))]
        self._weights = np.array(values)
        codes, places = [], []
        for in_hands in range(sweep.first, len(positions.layers)):
            unseen, hands = positions.cards(positions.layers[in_hands].keys)
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
            there = seen.of(unknown)
            hits[unknown] = expected_points(there.view(there.scores[:, :1].T))
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
