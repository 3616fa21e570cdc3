"""Players: policies as the engines ask them, about rounds and about games.

A policy is a word, a rule of thumb with numbers, a function of states, solved play, or
a mixture of these. As a player it is asked by ``in_round``
about all positions of a layer and all scores, by simulations as a function of games,
and by `each` about any states.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cardgames_dp._graph.mixtures import shares
from cardgames_dp._graph.names import nested_tuples
from cardgames_dp._support import arguments
from cardgames_dp.pairs._kernels.induction import ByLayer
from cardgames_dp.pairs._kernels.positions import Positions
from cardgames_dp.pairs._kernels.sweeps import Sweep
from cardgames_dp.pairs.lookup import SolvedRounds
from cardgames_dp.pairs.rules import (
    Decisions,
    Floats,
    Hits,
    Integers,
    Rules,
    in_integers,
    numbers_of,
)
from cardgames_dp.pairs.state import WORDS, State

_AT_ONCE = 2**18
"""The largest number of states that a function is asked about in one call."""


class Player(ABC):
    """A player who follows a policy."""

    __slots__ = ()

    @abstractmethod
    def each(self, state: Any) -> Hits:
        """Return where to hit, or how likely, in states: a `State` of arrays."""

    @abstractmethod
    def in_round(self, positions: Positions, vectors: Integers) -> ByLayer:
        """Return where to hit, by layers; see the engines' `InRounds`."""

    def __call__(
        self, hands: Integers, unseen: Integers, scores: Integers, seats: Integers
    ) -> Hits:
        """Return where to hit, or how likely, in simulated games."""
        return self.each(states_of(hands, unseen, scores, seats))


class CachingPlayer(Player):
    """A player who is asked about a layer once, if the scores do not matter."""

    __slots__ = ("_answers", "_given")

    def __init__(self, *given: Any) -> None:
        self._given = given
        self._answers: dict[int, tuple[Positions, Hits]] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._given  # answers are not sent to other processes

    def in_round(self, positions: Positions, vectors: Integers) -> ByLayer:
        """Return where to hit, or how likely, by layers."""

        def in_layer(in_hands: int) -> Hits:
            answer = self._answers.get(in_hands)
            if answer is not None and answer[0] is positions:
                return answer[1]
            hits, always = self._in_layer(positions, vectors, in_hands)
            if always:
                self._answers[in_hands] = positions, hits
            return hits

        return in_layer

    @abstractmethod
    def _in_layer(
        self, positions: Positions, vectors: Integers, in_hands: int
    ) -> tuple[Hits, bool]:
        """Return where to hit, and whether it is the same whatever the scores are."""


class ThumbPlayer(CachingPlayer):
    """A player who follows a rule of thumb, under rules."""

    __slots__ = ()

    def each(self, state: Any) -> Hits:
        """Return where to hit."""
        rule, rules = self._given
        return np.asarray(rule(rules, state))

    def _in_layer(
        self, positions: Positions, vectors: Integers, in_hands: int
    ) -> tuple[Hits, bool]:
        hands, unseen, scores = from_the_mover(positions, in_hands, vectors)
        # Every position meets every vector of scores.
        state = states_of(hands[:, np.newaxis], unseen[:, np.newaxis], scores[None])
        hits = self.each(state)
        return hits, hits.shape[1] < len(vectors)


class FunctionPlayer(CachingPlayer):
    """A player who asks a function of states, in one seat if it takes part in rounds.

    `by_scores` is whether the function has ever looked at scores.
    """

    __slots__ = ("by_scores",)

    def __init__(
        self, name: str, policy: Any, rules: Rules, seat: int | None = None
    ) -> None:
        super().__init__(name, policy, rules, seat)
        self.by_scores = False

    def _look(self) -> None:
        self.by_scores = True

    def each(self, state: Any) -> Hits:
        """Return where to hit, or how likely."""
        name, policy = self._given[:2]

        def state_at(i: int) -> Any:
            plain = [nested_tuples(part[i].tolist()) for part in state[:6]]
            return WatchedState.of(State(*plain), self._look)

        fields = WatchedState.of(state, self._look)
        hits: Floats
        _, hits = shares(name, policy, fields, state_at, WORDS, "float64")
        sure: Decisions = hits == 1
        return sure if (sure | (hits == 0)).all() else hits

    def _in_layer(
        self, positions: Positions, vectors: Integers, in_hands: int
    ) -> tuple[Hits, bool]:
        choice = np.flatnonzero(positions.layers[in_hands].choice)
        hands, unseen, scores = from_the_mover(positions, in_hands, vectors)
        count, seat = len(hands), self._given[3] or 0
        if not choice.size:
            return np.zeros((count, 1), dtype=np.bool_), False

        def answers(some: Integers, points: Integers) -> Any:
            every = [np.repeat(x[some], len(points), axis=0) for x in (hands, unseen)]
            seats = np.full(len(every[0]), seat)
            tiled = np.tile(points, (len(some), 1))
            hits = self.each(states_of(every[0], every[1], tiled, seats))
            return hits.reshape(len(some), len(points))

        parts = [] if self.by_scores else [answers(choice, scores[:1])]
        if self.by_scores:
            size = max(_AT_ONCE // len(vectors), 1)
            parts = [
                answers(choice[first : first + size], scores)
                for first in range(0, len(choice), size)
            ]
        whole = np.zeros((count, parts[0].shape[1]), dtype=np.result_type(*parts))
        whole[choice] = np.concatenate(parts)
        return whole, not self.by_scores


@dataclass(eq=False, slots=True)
class MixedPlayer(Player):
    """A player who follows one of several, drawn anew in each state."""

    players: Sequence[Player]
    shares: Sequence[float]

    def each(self, state: Any) -> Hits:
        """Return how likely a hit is."""
        return self._sum([player.each(state) for player in self.players])

    def in_round(self, positions: Positions, vectors: Integers) -> ByLayer:
        """Return how likely a hit is, by layers."""
        parts = [player.in_round(positions, vectors) for player in self.players]
        return lambda in_hands: self._sum([part(in_hands) for part in parts])

    def _sum(self, parts: Sequence[Hits]) -> Hits:
        pairs = zip(self.shares, parts, strict=True)
        total: Any = sum([share * part for share, part in pairs])
        return np.asarray(np.minimum(total, 1.0))


class SolutionPlayer(Player):
    """A player who does what is best in a solved game, in any with the same hands."""

    __slots__ = ("_places", "_positions", "solved")

    def __init__(self, solved: SolvedRounds) -> None:
        self.solved = solved
        self._positions: Positions | None = None
        self._places: dict[int, Any] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        return SolutionPlayer, (self.solved,)

    def each(self, state: Any) -> Hits:
        """Return where to hit."""
        solved, rules = self.solved, self.solved.rules
        hands = np.concatenate([state.hand[:, None], state.others], axis=1)
        unseen, scores = state.unseen, state.scores
        fits = hands.shape[1:] == (rules.players, len(rules.ranks))
        if fits and scores.max(initial=0) < rules.target:
            if rules.reshuffle == "round":
                unseen = np.array(rules.counts) - hands.sum(axis=1)
            rows = solved.rows(hands, unseen, scores)
            if solved.reaches(rows).all():
                return solved.decisions_in(rows).hits > 0
        raise self._refusal()

    def in_round(self, positions: Positions, vectors: Integers) -> ByLayer:
        """Return where to hit, by layers."""
        rules, own = positions.rules, self.solved.rules
        same = (rules.players, rules.ranks, rules.capacity)
        if same != (own.players, own.ranks, own.capacity) or (
            vectors.max(initial=0) >= own.target
        ):
            raise self._refusal()
        if self._positions is not positions:
            self._positions, self._places = positions, {}
        hits = self.solved.sweep.hits(vectors)

        def in_layer(in_hands: int) -> Hits:
            places = self._places.get(in_hands)
            if places is None:
                places = self._placed(in_hands, *positions.cards(in_hands))
                if np.array_equal(places, np.arange(len(hits[in_hands]))):
                    places = slice(None)  # the same positions: nothing to reorder
                self._places[in_hands] = places
            return hits[in_hands][places]

        return in_layer

    def _placed(self, in_hands: int, unseen: Integers, hands: Integers) -> Integers:
        """Return the places of positions in their layer; `hands` are leader first."""
        positions = self.solved.sweep.positions
        fits = (hands <= positions.capacities).all()
        if positions.decks > 1:
            fits &= (unseen <= np.array(positions.rules.counts)).all()
        if fits and in_hands in positions.downwards:
            own = positions.layers[in_hands].keys
            keys = positions.keys(unseen, hands, in_hands)
            places: Integers = np.searchsorted(own, keys)
            if (own[np.minimum(places, len(own) - 1)] == keys).all():
                return places
        raise self._refusal()

    def _refusal(self) -> ValueError:
        return ValueError(
            "policies must be solutions of rules under which all positions of the game "
            f"can arise, got one of {arguments.shown(self.solved.rules)}"
        )


class LookupPlayer:
    """A player of simulated games who does what is best, from a table of decisions.

    A position is looked up by its number, of which the hand of the player to move has
    the lowest digits in all layers, and by the scores. Another player decides where the
    solved game has no such position, as with three players of whom two got another card
    in the deal.
    """

    __slots__ = ("_keys", "_numbers", "_otherwise", "_positions", "_table")

    def __init__(self, sweep: Sweep, otherwise: Player) -> None:
        positions = self._positions = sweep.positions
        self._otherwise, self._table = otherwise, sweep.decisions()
        layers = positions.downwards
        keys = np.concatenate([positions.layers[t].keys for t in layers])
        numbers = np.concatenate([self._table.places(t) for t in layers])
        order = np.argsort(keys)
        self._keys, self._numbers = keys[order], numbers[order]

    def __call__(
        self, hands: Integers, unseen: Integers, scores: Integers, seats: Integers
    ) -> Hits:
        """Return where to hit."""
        rules = self._positions.rules
        keys = self._positions.keys(unseen, hands, 0)
        places = np.searchsorted(self._keys, keys)
        places = np.minimum(places, len(self._keys) - 1)
        mover = hands.sum(axis=(1, 2), dtype=np.int64)[:, None]
        turn = (np.arange(rules.players) - mover) % rules.players  # leader first
        columns = numbers_of(rules, np.take_along_axis(scores, turn, axis=1))
        hits = self._table.look_up(self._numbers[places], columns)
        others = np.flatnonzero(self._keys[places] != keys)
        if len(others):
            few = (x[others] for x in (hands, unseen, scores, seats))
            hits[others] = self._otherwise(*few)
        return hits


class WatchedState(State):
    """A state that notes whether anybody looks at its scores."""

    _look: Callable[[], None]

    @classmethod
    def of(cls, state: Any, look: Callable[[], None]) -> WatchedState:
        """Return a state that calls a function when its scores are looked at."""
        watched = cls(*state)
        watched._look = look
        return watched

    @property
    def scores(self) -> Any:
        """The points."""
        return self[2]

    def __iter__(self) -> Any:
        self._look()
        return super().__iter__()

    def __getitem__(self, index: Any) -> Any:
        self._look()
        return super().__getitem__(index)

    def __hash__(self) -> int:
        self._look()
        return super().__hash__()

    def __eq__(self, other: object) -> bool:
        self._look()
        return super().__eq__(other)


def states_of(hands: Any, unseen: Any, scores: Any, seats: Any = None) -> State:
    """Return states as one `State` of arrays; the hand of the player to move first."""
    lead = np.shape(hands)[:-2]
    none = np.zeros((*lead, 0), dtype=np.int64)
    hands, unseen, scores = map(in_integers, (hands, unseen, scores))
    seats = np.zeros(lead, dtype=np.int64) if seats is None else seats
    drawing = np.zeros(lead, dtype=np.bool_)
    hand, others = hands[..., 0, :], hands[..., 1:, :]
    return State(hand, others, scores, unseen, seats, drawing, none, none, none)  # type: ignore[arg-type]


def from_the_mover(
    positions: Positions, in_hands: int, vectors: Integers
) -> tuple[Integers, Integers, Integers]:
    """Return hands, unseen cards and scores of a layer from the player to move on."""
    unseen, hands = positions.cards(in_hands)
    mover = in_hands % positions.rules.players
    return np.roll(hands, -mover, axis=1), unseen, np.roll(vectors, -mover, axis=1)
