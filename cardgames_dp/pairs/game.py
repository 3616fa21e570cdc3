"""Pairs in the vocabulary of :class:`cardgames_dp.game.Game`, for the exact backend."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import NamedTuple

from cardgames_dp._records import Record
from cardgames_dp.game import CHANCE, TERMINAL
from cardgames_dp.pairs.rules import Action, Rules

Counts = tuple[int, ...]
"""How many cards of each rank, in the order of the ranks."""


class State(NamedTuple):
    """All that the players know.

    Attributes
    ----------
    scores : tuple of int
        Points of each player, by seats.
    hands : tuple of tuple of int
        Cards of each player on the table, by seats: how many of each rank.
    unseen : tuple of int
        How many cards of each rank are in the deck or burned.
    player : int
        The seat of the player whose turn it is.
    drawing : bool
        Whether chance has to give that player a card, or (with "lowest") to deal.

    Examples
    --------
    With a deck of a 1 and two 2s, the first player has a 1 and the second a 2:

    >>> from cardgames_dp import exact, pairs
    >>> solution = exact.solve(pairs.Rules(deck={1: 1, 2: 2}, target=3).game())
    >>> state = pairs.State((0, 0), ((1, 0), (0, 1)), (0, 1), player=0, drawing=False)
    >>> solution.policy[state], solution.values[state]
    ('hit', (Fraction(19, 27), Fraction(8, 27)))
    """

    scores: Counts
    hands: tuple[Counts, ...]
    unseen: Counts
    player: int
    drawing: bool


@dataclass(frozen=True, slots=True)
class PairsGame(Record):
    """Pairs as a game of which a player's return is 1 for winning and 0 for losing.

    In the vocabulary of :class:`cardgames_dp.game.Game`; made by `Rules.game`.

    Attributes
    ----------
    rules : Rules
        Those of the game, and which action comes first.

    Examples
    --------
    A game can be played step by step:

    >>> from cardgames_dp import pairs
    >>> game = pairs.Rules(deck={1: 1, 2: 2}, target=3).game()
    >>> state = game.initial_state()
    >>> game.legal_actions(state)  # nobody has a card
    ['hit']
    >>> for weight, after in game.chance_outcomes(game.next_state(state, "hit")):
    ...     print(weight, after.hands, game.legal_actions(after))
    1 ((1, 0), (0, 0)) ['fold', 'hit']
    2 ((0, 1), (0, 0)) ['fold', 'hit']
    """

    rules: Rules

    @property
    def num_players(self) -> int:
        """How many players there are."""
        return self.rules.players

    def initial_state(self) -> State:
        """Return the start: no points, the full deck, the first seat leads."""
        scores = (0,) * self.rules.players
        return self._round(scores, self.rules.counts, leader=0)

    def current_player(self, state: State) -> int:
        """Return who decides, `CHANCE` where a card is drawn, or `TERMINAL`."""
        if self._over(state):
            return TERMINAL
        return CHANCE if state.drawing else state.player

    def legal_actions(self, state: State) -> list[Action]:
        """Return what the player may do, first what the tie rule prefers."""
        if not any(map(any, state.hands)):
            return ["hit"]
        if not self._can_draw(state):
            return ["fold"]
        return ["fold", "hit"] if self.rules.tie == "fold" else ["hit", "fold"]

    def next_state(self, state: State, action: Action) -> State:
        """Return the state after a decision."""
        if action == "hit":
            return state._replace(drawing=True)
        lowest = min(
            [self.rules.ranks[_first(hand)] for hand in state.hands if any(hand)]
        )
        unseen = state.unseen
        if self.rules.reshuffle == "exhausted" and self._exhausted(unseen):
            unseen = self.rules.counts  # nothing was discarded until now
        return self._scored(state, lowest, unseen)

    def chance_outcomes(self, state: State) -> list[tuple[int, State]]:
        """Return the cards that may be drawn, or the deals."""
        if self.rules.first == "lowest" and not any(map(any, state.hands)):
            return self._deals(state)
        return [
            (count, self._drawn(state, index))
            for index, count in enumerate(state.unseen)
            if count
        ]

    def returns(self, state: State) -> list[int]:
        """Return 1 for the winners, 0 for the loser; 0 for all in the essay's dead end.

        That end is a round which starts with an empty deck.
        """
        if max(state.scores) < self.rules.losing_score:
            return [0] * self.rules.players
        return [int(score < self.rules.losing_score) for score in state.scores]

    def _over(self, state: State) -> bool:
        return max(state.scores) >= self.rules.losing_score or not (
            any(state.unseen) or any(map(any, state.hands))
        )

    def _can_draw(self, state: State) -> bool:
        return sum(state.unseen) > self.rules.burn

    def _exhausted(self, unseen: Counts) -> bool:
        return sum(unseen) <= self.rules.kept_back

    def _drawn(self, state: State, index: int) -> State:
        """Return the state after the player to move has got a card."""
        hand = state.hands[state.player]
        unseen = _changed(state.unseen, index, -1)
        exhausted = self._exhausted(unseen)
        if hand[index] == self.rules.capacities[index]:
            if self.rules.reshuffle == "essay" and exhausted:
                seen = map(sum, zip(*state.hands, strict=True))
                everything = zip(self.rules.counts, seen, strict=True)
                unseen = tuple([count - held for count, held in everything])
                unseen = _changed(unseen, index, -1)  # drawn, in no hand yet
            elif self.rules.reshuffle == "exhausted" and exhausted:
                unseen = self.rules.counts
            return self._scored(state, self.rules.ranks[index], unseen)
        hands = list(state.hands)
        hands[state.player] = _changed(hand, index, 1)
        if self.rules.reshuffle != "round" and exhausted:
            held = map(sum, zip(*hands, strict=True))
            unseen = tuple(
                [count - h for count, h in zip(self.rules.counts, held, strict=True)]
            )
        player = (state.player + 1) % self.rules.players
        dealing = sum(map(sum, hands)) < self.rules.players * self.rules.deal
        return State(state.scores, tuple(hands), unseen, player, dealing)

    def _scored(self, state: State, points: int, unseen: Counts) -> State:
        """Return the start of the round after one that ended with these points."""
        scores = _changed(state.scores, state.player, points)
        if self.rules.reshuffle == "round":
            unseen = self.rules.counts
        return self._round(scores, unseen, (state.player + 1) % self.rules.players)

    def _round(self, scores: Counts, unseen: Counts, leader: int) -> State:
        hands = ((0,) * len(self.rules.ranks),) * self.rules.players
        return State(scores, hands, unseen, leader, drawing=self.rules.deal > 0)

    def _deals(self, state: State) -> list[tuple[int, State]]:
        """Return all deals with one lowest card, dealt from the player's seat on.

        If the deck has none, everything returns to it first: nobody has a card.
        """
        everything = state._replace(unseen=self.rules.counts)
        return self._deals_from(state) or self._deals_from(everything)

    def _deals_from(self, state: State) -> list[tuple[int, State]]:
        outcomes = []
        for dealt in itertools.product(
            range(len(self.rules.ranks)), repeat=self.num_players
        ):
            lowest = min(dealt)
            if dealt.count(lowest) > 1:
                continue
            weight, after = _deal(self, state, dealt)
            if weight:
                leader = (state.player + dealt.index(lowest)) % self.num_players
                outcomes.append((weight, after._replace(player=leader)))
        return outcomes


def _deal(game: PairsGame, state: State, dealt: Counts) -> tuple[int, State]:
    """Return the weight of a deal, and the state after it."""
    weight = 1
    for index in dealt:
        if not state.unseen[index]:
            return 0, state
        weight *= state.unseen[index]
        state = game._drawn(state, index)
    # Weights are over the same denominator: all deals see the same numbers of cards.
    return weight, state._replace(drawing=False)


def _first(hand: Counts) -> int:
    return next(i for i, count in enumerate(hand) if count)


def _changed(counts: Counts, index: int, by: int) -> Counts:
    return (*counts[:index], counts[index] + by, *counts[index + 1 :])
