"""Ask policies, which are functions of views, for decisions.

The engines ask about the positions of a layer, or about many games side by side; a
policy gets a `View` of either.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from cardgames_dp.pairs._kernels.playing import Seen
from cardgames_dp.pairs._kernels.positions import Positions
from cardgames_dp.pairs._kernels.setting import Decisions, Integers
from cardgames_dp.pairs.rules import Rules
from cardgames_dp.pairs.views import Decide, View, decided


def view_of(
    rules: Rules, positions: Positions, in_hands: int, vectors: Integers
) -> View:
    """Return the view of the player to move in a layer; scores are leader first."""
    unseen, hands = positions.cards(in_hands)
    mover = in_hands % rules.players
    order = np.roll(np.arange(rules.players), -mover)
    return View(rules, hands[:, mover], hands[:, order[1:]], unseen, vectors[:, order])


@dataclass(frozen=True, slots=True)
class AskedInRounds:
    """A policy of views, asked about rounds.

    A policy that does not look at the scores is asked once for each layer. Its answers
    are kept with their positions, but not sent to other processes.
    """

    rules: Rules
    decide: Decide
    _answers: dict[int, tuple[Positions, Decisions]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def in_round(
        self, positions: Positions, vectors: Integers
    ) -> Callable[[int], Decisions]:
        """Return where to hit, by layers; see the engines' `InRounds`."""
        return partial(self._in_layer, positions, vectors)

    def _in_layer(
        self, positions: Positions, vectors: Integers, in_hands: int
    ) -> Decisions:
        kept = self._answers.get(in_hands)
        if kept is not None and kept[0] is positions:
            return kept[1]
        answer = self.decide(view_of(self.rules, positions, in_hands, vectors))
        if answer.ndim == 2:
            return answer
        self._answers[in_hands] = positions, answer[:, None]
        return answer[:, None]

    def __reduce__(self) -> tuple[Any, ...]:
        return AskedInRounds, (self.rules, self.decide)


class AskedInGames:
    """A player of many games at once, who asks a policy of views.

    Every game has its own scores, while a `View` combines all its vectors of scores
    with all its positions. A policy that does not look at the scores returns one
    dimension, and is asked once for all games. Once a policy has returned two
    dimensions, it is asked separately for the games of each vector.
    """

    __slots__ = ("_by_scores", "_decide", "_rules")

    def __init__(self, rules: Rules, decide: Decide) -> None:
        self._rules, self._decide = rules, decide
        self._by_scores = False

    def __call__(self, seen: Seen) -> Decisions:
        """Return true where to hit, shape (games,)."""
        if not self._by_scores:
            # With two vectors, an answer that mixes them with positions is refused.
            first = seen.scores[:, :1]
            other = int((seen.scores != first).any(axis=0).argmax())
            vectors = seen.scores[:, sorted({0, other})].T
            answer = self._decide(self._view(seen, vectors))
            if answer.ndim == 1:
                return answer
            self._by_scores = True
        return self._for_each_vector(seen)

    def _for_each_vector(self, seen: Seen) -> Decisions:
        vectors, group = np.unique(seen.scores, axis=1, return_inverse=True)
        order = np.argsort(group.reshape(-1), kind="stable")
        ends = np.cumsum(np.bincount(group.reshape(-1)))
        games = self._view(seen.of(order), vectors.T)
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

    def _view(self, seen: Seen, vectors: Integers) -> View:
        """Return the view of all games with certain vectors of scores."""
        hands = seen.hands.astype(np.int64)
        return View(
            self._rules,
            hands[0].T,
            hands[1:].transpose(2, 0, 1),
            seen.unseen.astype(np.int64).T,
            vectors,
        )
