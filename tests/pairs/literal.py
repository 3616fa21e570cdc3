"""Pairs followed literally, from state to state: the oracle of the game in arrays.

Discards are all cards that are nowhere else. Cards in the deck and burned cards are all
unseen and equally likely to be in either place: the deck is exhausted when as many
cards are unseen as have been burned. By the official rules scored cards stay out, so a
state includes them, and cards are dealt one after the other.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, NamedTuple, TypeAlias

from cardgames_dp import pairs
from cardgames_dp._results.records import Record
from cardgames_dp.game import CHANCE, TERMINAL
from cardgames_dp.pairs import Rules

Action: TypeAlias = Literal["fold", "hit"]

Counts: TypeAlias = tuple[int, ...]
"""How many cards of each rank, in the order of the ranks."""


class Seated(NamedTuple):
    """A state of the game, by seat: cards are counted by rank.

    `unseen` cards are in the deck or burned. In a deal `player` is the first to be
    dealt a card. By the official rules some cards are `scored`; `dealing` are the seats
    that are still tied, and `dealt` the ranks' indices that the first of them got.
    """

    scores: Counts
    hands: tuple[Counts, ...]
    unseen: Counts
    player: int
    drawing: bool
    scored: Counts = ()
    dealing: Counts = ()
    dealt: Counts = ()


@dataclass(frozen=True, slots=True)
class PairsGame(Record):
    """Pairs as a plain game; a return is 1 for winning and 0 for losing."""

    rules: Rules

    @property
    def num_players(self) -> int:
        return self.rules.players

    @property
    def _official(self) -> bool:
        return self.rules.reshuffle == "official"

    def initial_state(self) -> Seated:
        rules = self.rules
        scored = (0,) * len(rules.ranks) if self._official else ()
        return self._round((0,) * rules.players, rules.counts, scored, 0)

    def current_player(self, state: Seated) -> int:
        """With reshuffle="essay" a game also ends if a round has no card."""
        if max(state.scores) >= self.rules.target or not (
            any(state.unseen) or any(map(any, state.hands))
        ):
            return TERMINAL
        return CHANCE if state.drawing else state.player

    def legal_actions(self, state: Seated) -> list[Action]:
        if not any(map(any, state.hands)):
            return ["hit"]
        if sum(state.unseen) <= self.rules.burn:
            return ["fold"]
        return ["hit", "fold"] if self.rules.tie == "hit" else ["fold", "hit"]

    def next_state(self, state: Seated, action: Action) -> Seated:
        if action == "hit":
            return state._replace(drawing=True)
        lowest = min([_first(hand) for hand in state.hands if any(hand)])
        return self._scored(state, lowest)

    def chance_outcomes(self, state: Seated) -> list[tuple[int, Seated]]:
        rules = self.rules
        if state.dealing:
            chances = self._deal_on(state)
            common = math.lcm(*[chance.denominator for chance in chances.values()])
            return [(int(p * common), after) for after, p in chances.items()]
        if rules.first == "lowest" and not any(map(any, state.hands)):
            # If the deck has no deal with one lowest card, all returns to it first.
            everything = state._replace(unseen=rules.counts)
            return self._deals(state) or self._deals(everything)
        return [
            (count, self._drawn(state, index))
            for index, count in enumerate(state.unseen)
            if count
        ]

    def returns(self, state: Seated) -> list[int]:
        if max(state.scores) < self.rules.target:
            return [0] * self.rules.players
        return [int(score < self.rules.target) for score in state.scores]

    def _drawn(self, state: Seated, index: int) -> Seated:
        rules, seat, hands = self.rules, state.player, list(state.hands)
        unseen = _changed(state.unseen, index, -1)
        if hands[seat][index] == rules.capacity:
            if rules.reshuffle == "essay" and sum(unseen) <= rules.burn:
                # What is drawn is in no hand yet, and stays out.
                unseen = _changed(self._elsewhere(hands, ()), index, -1)
            return self._scored(state._replace(unseen=unseen), index)
        hands[seat] = _changed(hands[seat], index, 1)
        if rules.reshuffle != "round":
            unseen = self._refilled(unseen, hands, state.scored)
        dealing = sum(map(sum, hands)) < rules.players * rules.deal
        return state._replace(
            hands=tuple(hands),
            unseen=unseen,
            player=(seat + 1) % rules.players,
            drawing=dealing and not self._official,
        )

    def _scored(self, state: Seated, index: int) -> Seated:
        """Return the start of the next round, after the player has scored a card."""
        rules, unseen, scored = self.rules, state.unseen, state.scored
        scores = _changed(state.scores, state.player, rules.ranks[index])
        if self._official:
            scored = _changed(scored, index, 1)
        if rules.reshuffle == "round":
            unseen = rules.counts
        elif rules.reshuffle != "essay":
            unseen = self._refilled(unseen, (), scored)
        return self._round(scores, unseen, scored, (state.player + 1) % rules.players)

    def _round(
        self, scores: Counts, unseen: Counts, scored: Counts, leader: int
    ) -> Seated:
        n = self.rules.players
        hands = ((0,) * len(self.rules.ranks),) * n
        drawing = self.rules.deal > 0
        seats = tuple([(leader + i) % n for i in range(n)])
        tied = seats if self._official else ()
        return Seated(scores, hands, unseen, leader, drawing, scored, tied)

    def _refilled(
        self, unseen: Counts, hands: Iterable[Counts], scored: Counts
    ) -> Counts:
        """Return what is unseen after discards have returned to an exhausted deck."""
        exhausted = sum(unseen) <= self.rules.burn
        return self._elsewhere(hands, scored) if exhausted else unseen

    def _elsewhere(self, hands: Iterable[Counts], scored: Counts) -> Counts:
        """Return all cards that are neither on the table nor scored."""
        left = self.rules.counts
        for gone in (*hands, *[scored] * bool(scored)):
            left = tuple([count - x for count, x in zip(left, gone, strict=True)])
        return left

    def _deals(self, state: Seated) -> list[tuple[int, Seated]]:
        """Return all deals with one lowest card, dealt from the player's seat on."""
        outcomes, n = [], self.rules.players
        for dealt in itertools.product(range(len(self.rules.ranks)), repeat=n):
            weight, after = int(dealt.count(min(dealt)) == 1), state
            for index in dealt:
                # Over one denominator, as all deals see the same numbers of cards.
                weight *= after.unseen[index]
                if weight:
                    after = self._drawn(after, index)
            if weight:
                leader = (state.player + dealt.index(min(dealt))) % n
                outcomes.append((weight, after._replace(player=leader, drawing=False)))
        return outcomes

    def _deal_on(self, state: Seated) -> dict[Seated, Fraction]:
        """Return the chances of what the next player of an official deal gets.

        A card that would make a pair is discarded, and another one dealt. The deck may
        run out meanwhile, and the discards return, any number of times: the chance to
        come back to that is a geometric series.
        """
        rules, seat = self.rules, state.dealing[len(state.dealt)]
        everything = self._elsewhere(state.hands, state.scored)
        fits = [held < rules.capacity for held in state.hands[seat]]
        there = any(fit and count for fit, count in zip(fits, everything, strict=True))
        if sum(state.unseen) <= rules.burn or not there:
            return {self._given(state, seat, None): Fraction(1)}

        def until_refilled(
            unseen: Counts, weight: Fraction, result: dict[Seated, Fraction]
        ) -> Fraction:
            """Add what comes before the discards return; return the chance of that."""
            refilled = Fraction(0)
            for index, count in enumerate(unseen):
                if not count:
                    continue
                part = weight * Fraction(count, sum(unseen))
                left = _changed(unseen, index, -1)
                if fits[index]:
                    after = self._given(state._replace(unseen=left), seat, index)
                    result[after] = result.get(after, Fraction(0)) + part
                elif sum(left) <= rules.burn:
                    refilled += part
                else:
                    refilled += until_refilled(left, part, result)
            return refilled

        result: dict[Seated, Fraction] = {}
        refilled = until_refilled(state.unseen, Fraction(1), result)
        if not refilled:
            return result
        if sum(everything) <= rules.burn:
            nobody = self._given(state._replace(unseen=everything), seat, None)
            return {**result, nobody: refilled}
        again: dict[Seated, Fraction] = {}
        back = until_refilled(everything, Fraction(1), again)
        for after, chance in again.items():
            share = refilled * chance / (1 - back)
            result[after] = result.get(after, Fraction(0)) + share
        return result

    def _given(self, state: Seated, seat: int, index: int | None) -> Seated:
        """Return the state after a player of a deal has got a card, or none."""
        none = len(self.rules.ranks)
        dealt = (*state.dealt, none if index is None else index)
        if index is not None:
            hands = list(state.hands)
            hands[seat] = _changed(hands[seat], index, 1)
            unseen = self._refilled(state.unseen, hands, state.scored)
            state = state._replace(hands=tuple(hands), unseen=unseen)
        if len(dealt) < len(state.dealing):
            return state._replace(dealt=dealt)
        lowest = min(dealt)
        tied = [who for who, x in zip(state.dealing, dealt, strict=True) if x == lowest]
        if len(tied) == 1 or lowest == none:
            return state._replace(player=tied[0], drawing=False, dealing=(), dealt=())
        return state._replace(dealing=tuple(tied), dealt=())


def _first(hand: Counts) -> int:
    return next(i for i, count in enumerate(hand) if count)


def _changed(counts: Counts, index: int, by: int) -> Counts:
    return (*counts[:index], counts[index] + by, *counts[index + 1 :])


def named(rules: Rules, state: Seated) -> pairs.State:
    """Return the state as the game in arrays names it, in turn order."""
    n, seat = rules.players, state.player
    hand, *others = state.hands[seat:] + state.hands[:seat]
    scores = state.scores[seat:] + state.scores[:seat]
    scored: tuple[int, ...] = ()
    dealing: tuple[int, ...] = ()
    dealt: tuple[int, ...] = ()
    if rules.reshuffle == "official":
        scored = state.scored
        flags, cards = [0] * n, [0] * n
        for i, tied in enumerate(state.dealing):
            flags[(tied - seat) % n] = 1
            if i < len(state.dealt):
                cards[(tied - seat) % n] = state.dealt[i] + 1
        dealing, dealt = tuple(flags), tuple(cards)
    return pairs.State(
        *(hand, tuple(others), scores, state.unseen, seat, state.drawing),
        *(scored, dealing, dealt),
    )
