"""Cards in a row with the sums taken so far in the state, for the general backends.

The chance of winning, and what may be risked without giving up a guarantee, depend on
the sums taken so far; the value of the cards left does not. There are as many states as
different sums: for n cards that are integers up to x at most about ``n**3 x / 2``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from itertools import accumulate, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._support.running import float_or_inf
from cardgames_dp.cardrow._kernels import row

_BITS = 60
_MASK = 2**_BITS - 1


@dataclass(frozen=True, slots=True, repr=False)
class RowSums(row.EndStates):
    """Cards in a row with the sums taken in the state, as an `ArrayGame`.

    A state is a row of integers: the positions of the end cards, the player to move,
    and the tally, in words of 60 bits (nearly always one). An action is the number of
    cards, negative from the left. `sums`: what the first cards are worth together, in
    the unit of the tallies. `base`: of the digits of tallies, with more than two
    players. `steps`: what a card of worth 1 adds to the tally when each player takes
    it.
    """

    instance: row.Instance
    sums: list[int] = field(init=False, repr=False, compare=False)
    base: int = field(init=False, repr=False, compare=False)
    steps: tuple[int, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        cards, players = self.instance.objective, self.num_players
        base = 2 * sum(map(abs, cards)) + 1
        steps = (1, -1) if players == 2 else tuple([base**j for j in range(players)])
        self._set(sums=[*accumulate(cards, initial=0)], base=base, steps=steps)

    @property
    def num_players(self) -> int:
        """The number of players."""
        return self.instance.rules.players

    @property
    def cards(self) -> int:
        """How many there are."""
        return len(self.sums) - 1

    @property
    def largest(self) -> int:
        """A bound of the absolute values of all tallies."""
        largest: int = self.base ** (1 if self.num_players == 2 else self.num_players)
        return largest

    @property
    def most(self) -> int:
        """A bound of the absolute values of all returns."""
        return (self.base // 2 + abs(self._offset)) // self.instance.scale + 1

    @property
    def _offset(self) -> int:
        """What the first of two players is ahead by before the first turn."""
        return sum(self.instance.surplus)

    def rows(self, left: Any, right: Any, player: Any, tallies: Any) -> NDArray[Any]:
        """Return states from the end cards, the players to move and the tallies."""
        words, tallies = [], np.asarray(tallies)
        for _ in range(self._words - 1):
            words.append(tallies & _MASK)
            tallies = tallies >> _BITS
        places = np.broadcast_arrays(left, right, player, *words, tallies)
        return np.stack([np.asarray(x, np.int64) for x in places], axis=-1)

    def tallies(self, states: NDArray[Any]) -> NDArray[Any]:
        """Return the tallies of states, in integers that hold them."""
        tallies = states[:, -1]
        for word in range(self._words - 2, -1, -1):
            tallies = (tallies.astype(object) << _BITS) + states[:, 3 + word]
        return tallies

    def initial_states(self) -> NDArray[Any]:
        """Return the state with the whole row, and the first player to move."""
        return self.rows(0, self.cards - 1, 0, self.start())

    def start(self) -> NDArray[Any]:
        """Return the tally before the first turn, in integers that hold all others."""
        return np.zeros(1, np.int64 if self.largest < 2**61 else object)

    def legal_actions(self, states: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return the legal turns, in the order in which the tie rule prefers them."""
        worths = row.exact_array(self.instance.worths[0])[0]
        return row.legal_turns(states[:, 0], states[:, 1], worths, self.instance.rules)

    def next_states(self, states: NDArray[Any], actions: NDArray[Any]) -> NDArray[Any]:
        """Return the states after turns."""
        left, right, player = states.T[:3]
        steps = np.array(self.steps, self.start().dtype)[player]
        taken = steps * self.gains(left, right, actions)
        low, high = left + np.maximum(-actions, 0), right - np.maximum(actions, 0)
        after = (player + 1) % self.num_players
        return self.rows(low, high, after, self.tallies(states) + taken)

    def gains(
        self, left: NDArray[Any], right: NDArray[Any], codes: NDArray[Any]
    ) -> NDArray[Any]:
        """Return what turns take from intervals."""
        start = np.where(codes < 0, left, right + 1 - codes)
        sums = np.array(self.sums, self.start().dtype)
        gains: NDArray[Any] = sums[start + abs(codes)] - sums[start]
        return gains

    def returns(self, states: NDArray[Any]) -> NDArray[Any]:
        """Return each player's lead or, with more than two, sum; negated in misère."""
        tallies, scale = self.tallies(states), self.instance.scale
        if self.num_players == 2:
            ahead = tallies + self._offset
            payoffs = np.stack([ahead, -ahead], axis=1)
        else:
            payoffs = np.stack(self.own_sums(tallies), axis=1)
        if scale == 1 and payoffs.dtype != object:
            return payoffs
        exactly = np.frompyfunc(lambda x: Fraction(int(x), scale), 1, 1)
        fractions: NDArray[Any] = exactly(payoffs)
        return fractions

    def ahead(self, states: NDArray[Any], seat: int) -> NDArray[Any]:
        """Return how far a player is ahead of all others in the end."""
        returns = self.returns(states).T
        ahead: NDArray[Any] = returns[seat]
        if self.num_players > 2:
            ahead = ahead - np.max(np.delete(returns, seat, axis=0), axis=0)
        return ahead

    def own_sums(self, tallies: NDArray[Any]) -> list[NDArray[Any]]:
        """Return the sums of more than two players that tallies hold."""
        sums, half = [], self.base // 2
        for _ in range(self.num_players):
            digit = (tallies + half) % self.base - half
            sums.append(digit)
            tallies = (tallies - digit) // self.base
        return sums

    def most_states(self) -> float:
        """Return an upper bound of the number of states, at most 1e300.

        If the cards outside an interval sum to T in absolute value, its tallies have
        the parity of T, so there are at most T + 1, and no more than ways to share
        those cards.
        """
        n, players = self.cards, self.num_players
        # Cut where powers would overflow: the ways to share are fewer then anyway.
        most = 1e300 ** (1 / players) / n
        sizes = np.array(
            [min(float_or_inf(abs(b - a)), most) for a, b in pairwise(self.sums)]
        )
        before = np.concatenate([[0.0], np.cumsum(sizes)])
        states = 0.0
        for left in range(n):
            outside = before[left] + (before[-1] - before[left + 1 :])
            tallies = (outside + 1) ** (players - 1)
            taken = n - 1 - np.arange(n - left)
            shared = float(players) ** np.minimum(taken, 500 // players)
            states += float(np.minimum(tallies, shared).sum())
        return min(states * (1 if self.instance.rules.take == 1 else players), 1e300)

    @property
    def _words(self) -> int:
        largest = self.largest.bit_length()
        return 1 if largest < _BITS + 2 else largest // _BITS + 1
