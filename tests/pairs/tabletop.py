"""The official game of Pairs with one deck on one table: an oracle of `simulate`.

Cards are objects in lists here, one game at a time, as the sheet of the published
game tells it, and as `Rules.official` says where that is silent.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

Decide = Callable[["Tabletop"], bool]


@dataclass
class Tabletop:
    """A game that is going on; seats are counted from the first one."""

    deck_of_ranks: list[int]
    players: int
    target: int
    burn: int
    rng: random.Random
    deck: list[int] = field(default_factory=list)
    burned: list[int] = field(default_factory=list)
    discards: list[int] = field(default_factory=list)
    hands: list[list[int]] = field(default_factory=list)
    kept: list[list[int]] = field(default_factory=list)
    mover: int = 0
    rounds: int = 0
    hits: int = 0
    choices: int = 0
    pairs: int = 0
    shuffles: int = 0

    def play(self, policies: list[Decide]) -> int:
        """Play to the end and return the seat that lost."""
        self.kept = [[] for _ in range(self.players)]
        self.discards = list(self.deck_of_ranks)
        self.shuffle()
        while True:
            self.hands = [[] for _ in range(self.players)]
            self.deal()
            while not self.turn(policies[self.mover]):
                self.mover = (self.mover + 1) % self.players
            self.rounds += 1
            for hand in self.hands:
                self.discards += hand
            self.hands = []
            self.shuffle_if_empty()
            kept = [card for cards in self.kept for card in cards]
            everything = self.deck + self.burned + self.discards + kept
            assert sorted(everything) == sorted(self.deck_of_ranks)
            if self.score(self.mover) >= self.target:
                return self.mover
            self.mover = (self.mover + 1) % self.players

    def score(self, seat: int) -> int:
        return sum(self.kept[seat])

    def shuffle(self) -> None:
        cards = self.deck + self.burned + self.discards
        self.rng.shuffle(cards)
        self.burned, self.deck, self.discards = (
            cards[: self.burn],
            cards[self.burn :],
            [],
        )
        self.shuffles += 1

    def shuffle_if_empty(self) -> None:
        if not self.deck:
            self.shuffle()

    def deal(self) -> None:
        tied = [(self.mover + i) % self.players for i in range(self.players)]
        while True:
            newest = {seat: self.deal_to(seat) for seat in tied}
            lowest = min(newest.values())
            tied = [seat for seat in tied if newest[seat] == lowest]
            if len(tied) == 1 or lowest == float("inf"):
                self.mover = tied[0]
                return

    def deal_to(self, seat: int) -> float:
        """Deal a card that makes no pair; infinity if there is none."""
        while self.deck:
            to_come = self.deck + self.burned + self.discards
            if set(to_come) <= set(self.hands[seat]):
                break
            card = self.deck.pop()
            fits = card not in self.hands[seat]
            (self.hands[seat] if fits else self.discards).append(card)
            self.shuffle_if_empty()
            if fits:
                return card
        return float("inf")

    def turn(self, hits: Decide) -> bool:
        """Return whether the turn ends the round."""
        hit = False
        if self.deck:
            hit = hits(self)
            self.choices += 1
            self.hits += hit
        if not hit:
            hand = min((hand for hand in self.hands if hand), key=min)
            card = min(hand)
            hand.remove(card)
            self.kept[self.mover].append(card)
            return True
        card, own = self.deck.pop(), self.hands[self.mover]
        if card in own:
            self.kept[self.mover].append(card)
            self.pairs += 1
            return True
        own.append(card)
        self.shuffle_if_empty()
        return False

    @property
    def lowest(self) -> int:
        return min(map(min, filter(None, self.hands)))
