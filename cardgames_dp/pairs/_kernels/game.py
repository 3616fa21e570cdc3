"""The game of Pairs: its rules as the engines use them, and its turns, one at a time.

The public module `rules` checks and stores the rules; the engines do not depend on it.
`PairsGame` follows them literally, from state to state, and independently of the tables
of `positions`, `induction` and `sweeps`: the general backends use it to check them.

Discards are all cards that are nowhere else. Cards in the deck and burned cards are all
unseen and equally likely to be in either place: the deck is exhausted when as many
cards are unseen as have been burned. By the official rules scored
cards stay out, so a state includes them, and cards are dealt one after the other.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._results.records import Record
from cardgames_dp.game import CHANCE, TERMINAL

Reshuffle: TypeAlias = Literal["round", "exhausted", "essay", "official"]
First: TypeAlias = Literal["rotation", "lowest"]
Action: TypeAlias = Literal["fold", "hit"]
Tie: TypeAlias = Literal["fold", "hit", "rounding"]

Floats: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.int64]
Rows: TypeAlias = NDArray[Any]
Decisions: TypeAlias = NDArray[np.bool_]
Hits: TypeAlias = NDArray[np.bool_] | NDArray[np.float64]
"""Where to hit, or with what probability."""
Returns: TypeAlias = Callable[[Integers], Floats]
"""A function from final scores to returns, both of shape (ends, players)."""

TOLERANCE = 1e-12
"""Chances of winning count as equal if they differ by at most this. Rounding makes the
two sides of an exact tie differ by up to about 1e-16; other differences are rarely
below about 1e-12. `Solution.doubtful` counts the positions in between."""


@dataclass(frozen=True, slots=True)
class RuleSet(Record):
    """The rules as the engines need them; `cardgames_dp.pairs.Rules` explains them."""

    players: int
    deck: tuple[tuple[int, int], ...]
    target: int
    reshuffle: Reshuffle
    deal: int
    first: First
    burn: int
    tie: Tie
    capacity: int

    @property
    def ranks(self) -> tuple[int, ...]:
        """The ranks, increasing."""
        return tuple([rank for rank, _ in self.deck])

    @property
    def counts(self) -> tuple[int, ...]:
        """The number of cards of each rank in the full deck."""
        return tuple([count for _, count in self.deck])


def tolerance_of(rules: RuleSet) -> float:
    """Return the largest difference of two chances that counts as a tie."""
    return 0.0 if rules.tie == "rounding" else TOLERANCE


def largest_holdings(rules: RuleSet) -> list[int]:
    """Return the largest number of cards of each rank in a hand."""
    return [min(rules.capacity, count) for count in rules.counts]


def numbers_of(rules: RuleSet, scores: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the columns of tables for vectors of scores, shape (..., players)."""
    powers = rules.target ** np.arange(rules.players)[::-1]
    numbers: NDArray[np.int64] = scores @ powers
    return numbers


def vectors_of(rules: RuleSet) -> list[Integers]:
    """Return all vectors of scores, shape (vectors, players), by their totals."""
    n, target = rules.players, rules.target
    every = np.indices((target,) * n).reshape(n, -1).T
    totals = every.sum(axis=1)
    return [every[totals == total] for total in range(n * (target - 1) + 1)]


Counts: TypeAlias = tuple[int, ...]
"""How many cards of each rank, in the order of the ranks."""


class State(NamedTuple):
    """A state of the game: all that the players know.

    Attributes
    ----------
    scores : tuple of int
        The points of the players, by seat.
    hands : tuple of tuple of int
        The hands of the players, by seat: the number of cards of each rank.
    unseen : tuple of int
        The number of cards of each rank in the deck or burned.
    player : int
        The seat of the player to move; in a deal, of the first player to be dealt a
        card.
    drawing : bool
        Whether that player draws a card next, or (with ``first="lowest"``) cards are
        dealt next.
    scored : tuple of int
        The number of scored cards of each rank, which stay out under the official
        rules; empty under others.
    dealing : tuple of int
        In a deal by the official rules, the seats that are still tied, in order.
    dealt : tuple of int
        In such a deal, the indices of the ranks that the first of these seats were
        dealt in this pass, or the number of ranks for a seat that could not get a card.

    Examples
    --------
    With a deck of a 1 and two 2s, the first player has a 1 and the second a 2:

    >>> from cardgames_dp import exact, pairs
    >>> solution = exact.solve(pairs.Rules(deck={1: 1, 2: 2}, target=3).game())
    >>> state = pairs.State((0, 0), ((1, 0), (0, 1)), (0, 1), player=0, drawing=False)
    >>> solution.policy[state], solution.payoffs_at(state)
    ('hit', (Fraction(19, 27), Fraction(8, 27)))
    """

    scores: Counts
    hands: tuple[Counts, ...]
    unseen: Counts
    player: int
    drawing: bool
    scored: Counts = ()
    dealing: Counts = ()
    dealt: Counts = ()

    def __repr__(self) -> str:
        told = self._asdict().items()
        parts = [f"{name}={value!r}" for name, value in told if value != ()]
        return f"State({', '.join(parts)})"


@dataclass(frozen=True, slots=True)
class PairsGame(Record):
    """Pairs as a :class:`cardgames_dp.game.Game`; made by `Rules.game`.

    A player's return is 1 for winning and 0 for losing.

    Attributes
    ----------
    rules : Rules
        The rules of the game; their `tie` orders the legal actions.

    Examples
    --------
    Play a game step by step:

    >>> from cardgames_dp import pairs
    >>> game = pairs.Rules(deck={1: 1, 2: 2}, target=3).game()
    >>> state = game.initial_state()
    >>> game.legal_actions(state)  # nobody has a card
    ['hit']
    >>> for weight, after in game.chance_outcomes(game.next_state(state, "hit")):
    ...     print(weight, after.hands, game.legal_actions(after))
    1 ((1, 0), (0, 0)) ['fold', 'hit']
    2 ((0, 1), (0, 0)) ['fold', 'hit']

    By the official rules, deal two cards, one after the other; here they are not tied:

    >>> game = pairs.Rules.official(deck={1: 2, 2: 3}, target=2, burn=0).game()
    >>> _, (_, second) = game.chance_outcomes(game.initial_state())
    >>> (_, dealt), _ = game.chance_outcomes(second)
    >>> dealt.hands, dealt.player, game.legal_actions(dealt)
    (((0, 1), (1, 0)), 1, ['fold', 'hit'])
    """

    rules: RuleSet

    @property
    def num_players(self) -> int:
        """The number of players."""
        return self.rules.players

    @property
    def _official(self) -> bool:
        return self.rules.reshuffle == "official"

    def initial_state(self) -> State:
        """Return the first state: no points, the full deck, the first seat leads."""
        rules = self.rules
        scored = (0,) * len(rules.ranks) if self._official else ()
        return self._round((0,) * rules.players, rules.counts, scored, 0)

    def current_player(self, state: State) -> int:
        """Return the player to move, `CHANCE` if a card is drawn, or `TERMINAL`.

        With reshuffle="essay" a game also ends if a round starts with an empty deck.
        """
        if max(state.scores) >= self.rules.target or not (
            any(state.unseen) or any(map(any, state.hands))
        ):
            return TERMINAL
        return CHANCE if state.drawing else state.player

    def legal_actions(self, state: State) -> list[Action]:
        """Return the legal actions, the one that the tie rule prefers first."""
        if not any(map(any, state.hands)):
            return ["hit"]
        if sum(state.unseen) <= self.rules.burn:
            return ["fold"]
        return ["hit", "fold"] if self.rules.tie == "hit" else ["fold", "hit"]

    def next_state(self, state: State, action: Action) -> State:
        """Return the state after a decision."""
        if action == "hit":
            return state._replace(drawing=True)
        lowest = min([_first(hand) for hand in state.hands if any(hand)])
        return self._scored(state, lowest)

    def chance_outcomes(self, state: State) -> list[tuple[int, State]]:
        """Return the states after each possible card or deal, with weights."""
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

    def returns(self, state: State) -> list[int]:
        """Return 1 for each winner and 0 for the loser.

        It is 0 for all if a round starts with an empty deck, with reshuffle="essay".
        """
        if max(state.scores) < self.rules.target:
            return [0] * self.rules.players
        return [int(score < self.rules.target) for score in state.scores]

    def _drawn(self, state: State, index: int) -> State:
        """Return the state after the player to move has got a card."""
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

    def _scored(self, state: State, index: int) -> State:
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
    ) -> State:
        n = self.rules.players
        hands = ((0,) * len(self.rules.ranks),) * n
        drawing = self.rules.deal > 0
        seats = tuple([(leader + i) % n for i in range(n)])
        tied = seats if self._official else ()
        return State(scores, hands, unseen, leader, drawing, scored, tied)

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

    def _deals(self, state: State) -> list[tuple[int, State]]:
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

    def _deal_on(self, state: State) -> dict[State, Fraction]:
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
            unseen: Counts, weight: Fraction, found: dict[State, Fraction]
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
                    found[after] = found.get(after, Fraction(0)) + part
                elif sum(left) <= rules.burn:
                    refilled += part
                else:
                    refilled += until_refilled(left, part, found)
            return refilled

        found: dict[State, Fraction] = {}
        refilled = until_refilled(state.unseen, Fraction(1), found)
        if not refilled:
            return found
        if sum(everything) <= rules.burn:
            nobody = self._given(state._replace(unseen=everything), seat, None)
            return {**found, nobody: refilled}
        again: dict[State, Fraction] = {}
        back = until_refilled(everything, Fraction(1), again)
        for after, chance in again.items():
            share = refilled * chance / (1 - back)
            found[after] = found.get(after, Fraction(0)) + share
        return found

    def _given(self, state: State, seat: int, index: int | None) -> State:
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


FOLD, HIT = 0, 1


@dataclass(frozen=True, slots=True)
class PairsArrays(Record):
    """Pairs as a :class:`cardgames_dp.game.ArrayGame`; made by `Rules.arrays`.

    A state is a row of integers: the points of the players and their hands, a count for
    each rank, all in turn order from the player to move; the seat of this player; and
    whether a card is drawn next. Returns are those of the plain game.

    Attributes
    ----------
    rules : Rules
        The rules of the game; their `tie` orders the legal actions.
    """

    rules: RuleSet

    @property
    def num_players(self) -> int:
        """The number of players."""
        return self.rules.players

    def initial_states(self) -> Rows:
        """Return the only one: no points, and nobody has a card."""
        n = self.rules.players
        cells = n + n * len(self.rules.ranks)
        return np.array([[*[0] * cells, 0, int(self.rules.deal > 0)]])

    def levels(self, states: Rows) -> Rows:
        """Return the points of all players, which only grow."""
        levels: Rows = states[:, : self.rules.players].sum(axis=1)
        return levels

    def current_players(self, states: Rows) -> Rows:
        """Return who moves: a player, or the deck, until somebody has lost."""
        over = states[:, : self.rules.players].max(axis=1) >= self.rules.target
        mover = np.where(states[:, -1], CHANCE, states[:, -2])
        return np.where(over, TERMINAL, mover)

    def legal_actions(self, states: Rows) -> tuple[Rows, Rows]:
        """Return the actions, the one that the tie rule prefers first."""
        held = self._hands(states).sum(axis=(1, 2))
        legal = np.stack([held > 0, held < sum(self.rules.counts) - self.rules.burn], 1)
        order = [HIT, FOLD] if self.rules.tie == "hit" else [FOLD, HIT]
        index, column = np.nonzero(legal[:, order])
        return index, np.array(order)[column]

    def next_states(self, states: Rows, actions: Rows) -> Rows:
        """Return the states in which a card is drawn, or after a fold."""
        shown = self._hands(states).any(axis=1)
        drawing = states.copy()
        drawing[:, -1] = 1
        folded = self._scored(states, shown.argmax(axis=1))
        return np.where((actions == HIT)[:, np.newaxis], drawing, folded)

    def chance_outcomes(self, states: Rows) -> tuple[Rows, Rows, Rows]:
        """Return the states after each card, weighted by the cards not on the table."""
        rules = self.rules
        unseen = np.array(rules.counts) - self._hands(states).sum(axis=1)
        index, rank = np.nonzero(unseen)
        before = states[index]
        cell = rules.players + rank
        each = np.arange(len(index))
        full = before[each, cell] == rules.capacity
        held = before.copy()
        held[each, cell] += 1
        cards = held[:, rules.players : -2].sum(axis=1)
        held = self._passed(held, cards < rules.players * rules.deal)
        after = np.where(full[:, np.newaxis], self._scored(before, rank), held)
        return index, unseen[index, rank], after

    def returns(self, states: Rows) -> Rows:
        """Return 1 for each winner and 0 for the loser, by seat."""
        n = self.rules.players
        seats = (np.arange(n) - states[:, -2, np.newaxis]) % n
        points = np.take_along_axis(states[:, :n], seats, axis=1)
        return (points < self.rules.target).astype(np.int64)

    def _hands(self, states: Rows) -> Rows:
        """Return the hands, in shape (states, players, ranks)."""
        n = self.rules.players
        return states[:, n:-2].reshape(len(states), n, len(self.rules.ranks))

    def _scored(self, states: Rows, rank: Rows) -> Rows:
        """Return the next rounds, after the player to move has scored a card."""
        points, after = np.array(self.rules.ranks)[rank], np.zeros_like(states)
        after[:, : self.rules.players] = states[:, : self.rules.players]
        after[:, 0] += points
        after[:, -2] = states[:, -2]
        return self._passed(after, self.rules.deal > 0)

    def _passed(self, states: Rows, drawing: Any) -> Rows:
        """Return the states in which it is the next player's turn."""
        n, ranks = self.rules.players, len(self.rules.ranks)
        points, hands = states[:, :n], states[:, n:-2]
        turned = [np.roll(points, -1, axis=1), np.roll(hands, -ranks, axis=1)]
        seat = (states[:, -2] + 1) % n
        last = np.broadcast_to(drawing, seat.shape).astype(np.int64)
        return np.column_stack([*turned, seat, last])
