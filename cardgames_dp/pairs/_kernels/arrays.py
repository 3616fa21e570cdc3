"""Pairs for many states at once, where all cards return after each round.

A second form of the game, written apart from `PairsGame`: the general backends solve
larger decks in it, and each form checks the other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._results.records import Record
from cardgames_dp.game import CHANCE, TERMINAL
from cardgames_dp.pairs._kernels.game import RuleSet

Rows: TypeAlias = NDArray[Any]

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
        full = before[each, cell] == np.array(rules.capacities)[rank]
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
