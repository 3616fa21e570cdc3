"""The information of the player to move, and how policies are asked with it.

A policy is a function of a `View`. The engines ask it about the positions of a layer,
or about many games side by side.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple, Self, TypeAlias

import numpy as np

from cardgames_dp._support import arguments
from cardgames_dp.pairs._kernels.game import Action, Decisions, Integers, State
from cardgames_dp.pairs._kernels.positions import Positions
from cardgames_dp.pairs._kernels.simulation import Seen
from cardgames_dp.pairs.rules import Rules


class _Seen(NamedTuple):
    """The fields of a `View`."""

    rules: Rules
    hand: Integers
    others: Integers
    unseen: Integers
    scores: Integers


class View(_Seen):
    """The information of the player to move, in many positions and with several scores.

    Attributes
    ----------
    rules : Rules
        The rules of the game.
    hand : ndarray of int64, shape (positions, ranks)
        The number of cards of each rank in the player's hand.
    others : ndarray of int64, shape (positions, players - 1, ranks)
        The same for the other hands, in turn order.
    unseen : ndarray of int64, shape (positions, ranks)
        The number of cards of each rank that nobody has seen: neither on the table nor
        among the discards that players remember.
    scores : ndarray of int64, shape (vectors, players)
        Points in turn order, the player's own first. Every vector is combined with
        every position.

    Examples
    --------
    Improve a simple policy by hitting if a fold would lose the game:

    >>> from cardgames_dp import pairs
    >>> def at_last(view):
    ...     fold_loses = view.lowest[:, None] + view.scores[:, 0] >= view.rules.target
    ...     return pairs.HitBelow(0.5)(view)[:, None] | fold_loses
    >>> rules = pairs.Rules(deck=3, target=5)
    >>> round(pairs.evaluate(rules, [at_last, "fifty_percent"]).mean[0], 4)
    0.5427
    """

    __slots__ = ()

    def __new__(
        cls,
        rules: Rules,
        hand: Integers,
        others: Integers,
        unseen: Integers,
        scores: Integers,
    ) -> Self:
        """Return a view, with the shapes of the arrays checked."""
        if not isinstance(rules, Rules):
            raise TypeError(
                f"rules must be pairs.Rules, got {arguments.described(rules)}"
            )
        n, ranks = rules.players, len(rules.ranks)
        positions, vectors = (getattr(x, "shape", ())[:1] for x in (hand, scores))
        _require_counts("hand", hand, (*positions, ranks))
        _require_counts("others", others, (*positions, n - 1, ranks))
        _require_counts("unseen", unseen, (*positions, ranks))
        _require_counts("scores", scores, (*vectors, n))
        return super().__new__(cls, rules, hand, others, unseen, scores)

    def __repr__(self) -> str:
        return f"View(positions={len(self.hand)}, vectors={len(self.scores)})"

    @property
    def ranks(self) -> Integers:
        """The ranks, shape (ranks,)."""
        return np.array(self.rules.ranks)

    @property
    def table(self) -> Integers:
        """The number of cards of each rank on the table, shape (positions, ranks)."""
        cards: Integers = self.hand + self.others.sum(axis=1)
        return cards

    @property
    def not_on_table(self) -> Integers:
        """The number of all other cards of each rank, shape (positions, ranks)."""
        cards: Integers = np.array(self.rules.counts) - self.table
        return cards

    @property
    def scoring(self) -> Decisions:
        """Whether drawing a card of each rank scores, shape (positions, ranks)."""
        full: Decisions = self.hand == np.array(self.rules.capacities)
        return full

    @property
    def lowest(self) -> Integers:
        """The points of a fold, shape (positions,); above all ranks if not allowed."""
        beyond = self.ranks[-1] + 1
        lowest: Integers = np.where(self.table > 0, self.ranks, beyond).min(axis=1)
        return lowest


def _require_counts(name: str, counts: object, shape: tuple[int, ...]) -> None:
    """Refuse what is not an array of integers of the given shape."""
    if not isinstance(counts, np.ndarray) or counts.dtype.kind not in "iu":
        raise TypeError(
            f"{name} must be an array of integers, got {arguments.described(counts)}"
        )
    if counts.shape != shape:
        raise ValueError(
            f"{name} must be of shape {shape}, to fit the rules and the other arrays, "
            f"got one of shape {counts.shape}"
        )


def require_view(view: object) -> None:
    """Refuse what is not a `View`."""
    if not isinstance(view, View):
        hint = (
            "; pairs.state_policy(rules, policy) makes a policy for the states of "
            "rules.game()"
        )
        raise TypeError(
            f"view must be a pairs.View, got {arguments.described(view)}"
            f"{hint if isinstance(view, State) else ''}"
        )


Decide: TypeAlias = Callable[[View], Decisions]
"""A policy as a function: it returns true where to hit, of shape (positions, vectors),
or always (positions,) if it does not look at the scores; then it is asked only once
about the same positions. Where only one action is allowed, its answer is ignored."""


def decided(decide: Decide, view: View) -> Decisions:
    """Return decisions of shape (positions, vectors), or (positions, 1)."""
    hits = decide(view)
    return hits[:, None] if hits.ndim == 1 else hits


def decided_at(
    decide: Decide, rules: Rules, hands: Integers, unseen: Integers, scores: Integers
) -> Action:
    """Return the decision in one position, given from the player to move on."""
    view = View(rules, hands[:1], hands[None, 1:], unseen[None], scores[None])
    return "hit" if decided(decide, view).item() else "fold"


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
