"""States of games under any rules that include the sums taken so far.

A *state* here is the player to move, the interval that is left, and the *tally*: one
integer that encodes the sums taken so far. With two players it is the lead of the first
one, in the cards that both want (`Instance.wanted`); with more it holds all sums, as
the digits of a number in a sufficiently large base. A turn adds a fixed integer to it.

The chance of winning, and what may be risked without giving up a guarantee, depend on
the tally; the value of the cards left does not. There are as many tallies as different
sums: for n cards that are integers up to x at most about ``n x`` for each interval, and
``n**3 x / 2`` states in total. `RowArrays` is the game of these states, which the
general backends solve.

Games are also played here, many side by side, with a draw for every random turn.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._results.records import Record, short_repr
from cardgames_dp._support.running import real
from cardgames_dp.cardrow._kernels.players import Deals, Hands, Odds, Player
from cardgames_dp.cardrow._kernels.row import Instance
from cardgames_dp.game import TERMINAL


@dataclass(frozen=True, slots=True, repr=False)
class RowArrays(Record):
    """Cards in a row as an `cardgames_dp.game.ArrayGame`; made by `Rules.arrays`.

    A state is a row of integers: the positions of the end cards, the player to move,
    and the tally, in words of 60 bits (nearly always one). An action is
    `cardgames_dp.cardrow.Turn.code`. Returns are those of the plain game.

    Attributes
    ----------
    instance : Instance
        The row under its rules.
    sums : list of int
        What the first cards are worth together, in the unit of the tallies.
    base : int
        Of the digits of tallies, with more than two players.
    steps : tuple of int
        What a card of worth 1 adds to the tally when each player takes it.
    """

    instance: Instance
    sums: list[int] = field(init=False, repr=False, compare=False)
    base: int = field(init=False, repr=False, compare=False)
    steps: tuple[int, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        cards, players = self.instance.wanted, self.num_players
        base = 2 * sum(map(abs, cards)) + 1
        steps = (1, -1) if players == 2 else tuple([base**j for j in range(players)])
        object.__setattr__(self, "sums", [*accumulate(cards, initial=0)])
        object.__setattr__(self, "base", base)
        object.__setattr__(self, "steps", steps)

    def __repr__(self) -> str:
        return short_repr(self)

    @property
    def num_players(self) -> int:
        """The number of players."""
        return self.instance.terms.players

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
        its = self.instance
        return (self.base // 2 + abs(its.offset)) // its.scale + 1

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
        found = states[:, -1]
        for word in range(self._words - 2, -1, -1):
            found = (found.astype(object) << _BITS) + states[:, 3 + word]
        return found

    def initial_states(self) -> NDArray[Any]:
        """Return the state with the whole row, and the first player to move."""
        return self.rows(0, self.cards - 1, 0, self.start())

    def start(self) -> NDArray[Any]:
        """Return the tally before the first turn, in integers that hold all others."""
        return np.zeros(1, np.int64 if self.largest < 2**61 else object)

    def levels(self, states: NDArray[Any]) -> NDArray[Any]:
        """Return a number for each state that rises with the cards taken."""
        levels: NDArray[Any] = states[:, 0] - states[:, 1]
        return levels

    def current_players(self, states: NDArray[Any]) -> NDArray[Any]:
        """Return the player to move, or `TERMINAL` where no card is left."""
        return np.where(states[:, 0] <= states[:, 1], states[:, 2], TERMINAL)

    def legal_actions(self, states: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return the legal turns, in the order in which the tie rule prefers them."""
        left, right = states[:, 0], states[:, 1]
        terms, worths = self.instance.terms, np.array(self.instance.worths[0])
        prefers_right = np.full(len(states), terms.tie == "right")
        if terms.tie == "larger":
            prefers_right = worths[right] >= worths[left]
        counts = np.arange(1, min(terms.take, self.cards) + 1)
        orders = np.array([[*-counts, *counts], [*counts, *-counts]])
        codes, cards = orders[prefers_right.astype(int)], (right - left + 1)[:, None]
        index, which = np.nonzero(np.where(codes < 0, -codes <= cards, codes < cards))
        return index, codes[index, which]

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
        found: NDArray[Any] = sums[start + abs(codes)] - sums[start]
        return found

    def chance_outcomes(self, states: NDArray[Any]) -> Any:
        """Never asked: this game has no chance events."""

    def returns(self, states: NDArray[Any]) -> NDArray[Any]:
        """Return each player's lead or, with more than two, sum; negated in misère."""
        tallies, scale = self.tallies(states), self.instance.scale
        if self.num_players == 2:
            ahead = tallies + self.instance.offset
            found = np.stack([ahead, -ahead], axis=1)
        else:
            found = np.stack(self.own_sums(tallies), axis=1)
        if scale == 1 and found.dtype != object:
            return found
        exactly = np.frompyfunc(lambda x: Fraction(int(x), scale), 1, 1)
        fractions: NDArray[Any] = exactly(found)
        return fractions

    def results(
        self, states: NDArray[Any], seat: int
    ) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Return where a player has won in the end, and where nobody has."""
        tallies = self.tallies(states)
        if self.num_players == 2:
            ahead = (tallies + self.instance.offset) * (1 if seat == 0 else -1)
            return ahead > 0, ahead == 0
        sums = self.own_sums(tallies)
        others = np.max([x for j, x in enumerate(sums) if j != seat], axis=0)
        return sums[seat] > others, sums[seat] == others

    def own_sums(self, tallies: NDArray[Any]) -> list[NDArray[Any]]:
        """Return the sums of more than two players that tallies hold."""
        sums, half = [], self.base // 2
        for _ in range(self.num_players):
            digit = (tallies + half) % self.base - half
            sums.append(digit)
            tallies = (tallies - digit) // self.base
        return sums

    def policy(self, player: Player, deals: Deals) -> Callable[[NDArray[Any]], Any]:
        """Return a player, on the one row of `deals`, as a policy of this game."""

        def policy(states: NDArray[Any]) -> tuple[NDArray[Any], ...]:
            lengths, found = states[:, 1] - states[:, 0] + 1, []
            tallies = self.tallies(states)
            for length in np.unique(lengths).tolist():
                (here,) = np.nonzero(lengths == length)
                which = np.zeros_like(here), states[here, 0]
                hands = Hands(deals, length, which, tallies[here])
                parts, _ = player(hands, int(states[0, 2]))
                turns, at = np.nonzero(parts)
                found.append((here[at], np.array(hands.codes)[turns], parts[turns, at]))
            index, codes, weights = map(np.concatenate, zip(*found, strict=True))
            return index, codes, weights * 1  # as integers, if they are bool

        return policy

    @property
    def _words(self) -> int:
        largest = self.largest.bit_length()
        return 1 if largest < _BITS + 2 else largest // _BITS + 1


_BITS = 60
_MASK = 2**_BITS - 1


def most_states(game: RowArrays) -> float:
    """Return an upper bound of the number of states, at most 1e300.

    If the absolute values of the cards outside an interval sum to T, all its tallies
    have the parity of T, so there are at most T + 1; and there are at most as many as
    ways to share those cards.
    """
    n, players = game.cards, game.num_players
    # Cut where powers would overflow: the ways to share are fewer then anyway.
    most = 1e300 ** (1 / players) / n
    sizes = np.array([min(real(abs(b - a)), most) for a, b in pairwise(game.sums)])
    before = np.concatenate([[0.0], np.cumsum(sizes)])
    states = 0.0
    for left in range(n):
        outside = before[left] + (before[-1] - before[left + 1 :])
        tallies = (outside + 1) ** (players - 1)
        taken = n - 1 - np.arange(n - left)
        shared = float(players) ** np.minimum(taken, 500 // players)
        states += float(np.minimum(tallies, shared).sum())
    return min(states * (1 if game.instance.terms.take == 1 else players), 1e300)


class Course(NamedTuple):
    """The course of games; the arrays have a row for each game, a column for each card.

    Attributes
    ----------
    positions, takers : ndarray of int64
        The cards in the order in which they were taken, and the players who took them.
    from_right : ndarray of bool
    """

    positions: NDArray[np.int64]
    takers: NDArray[np.int64]
    from_right: NDArray[np.bool_]

    def sums(self, deals: Deals) -> list[NDArray[Any]]:
        """Return the final sums of each player, each by their own values."""
        return [
            np.where(
                self.takers == seat,
                np.take_along_axis(gains[0], self.positions, axis=1),
                0,
            ).sum(axis=1)
            for seat, gains in enumerate(deals.gains)
        ]


def play(
    deals: Deals,
    players: Sequence[Player],
    rng: np.random.Generator,
    arrays: RowArrays | None = None,
) -> Course:
    """Play one game on each row, all side by side.

    Parameters
    ----------
    deals : Deals
    players : sequence of Player
        One for each seat.
    rng : numpy.random.Generator
    arrays : RowArrays, optional
        The one row of `deals`, if a player looks at what has been taken.
    """
    (games, n), alike = deals.shared.shape, deals.terms.take == 1
    numbers, left = np.arange(games), np.zeros(games, np.int64)
    rest: Any = n if alike else np.full(games, n)  # cards left
    turns: list[NDArray[np.int64]] = []
    tally: Any = None if arrays is None else arrays.start()
    while (lengths := [rest] if alike else np.unique(rest).tolist()) != [0]:
        codes, seat = np.zeros(games, np.int64), len(turns) % len(players)
        for length in lengths:
            here: Any = slice(None) if alike else np.flatnonzero(rest == length)
            if length < 2:  # the last card is taken from the left
                codes[here] = -length
                continue
            which: Any = numbers[here], left[here]
            if games == 1:  # a slice is found much faster than one cell
                which = slice(1), slice(left[0], left[0] + 1)
            hands = Hands(deals, length, which, tally)
            drawn = _drawn(players[seat](hands, seat), rng)
            codes[here] = np.array(hands.codes)[drawn]
        if arrays is not None:
            gained = arrays.gains(left, left + rest - 1, codes)
            tally = tally + arrays.steps[seat] * gained
        turns.append(codes)
        left, rest = left - np.minimum(codes, 0), rest - (1 if alike else abs(codes))
    return taken(np.stack(turns, axis=1), len(players))


def taken(codes: NDArray[np.int64], players: int) -> Course:
    """Return the course of games of as many cards, from the codes of all turns."""
    games, turns = codes.shape
    counts = np.abs(codes).ravel()
    seats = np.tile(np.arange(turns) % players, games)
    takers: NDArray[np.int64] = np.repeat(seats, counts).reshape(games, -1)
    from_right: NDArray[np.bool_]
    from_right = np.repeat(codes.ravel() > 0, counts).reshape(games, -1)
    before: NDArray[np.int64] = np.cumsum(from_right, axis=1) - from_right
    n = takers.shape[1]
    return Course(
        np.where(from_right, n - 1, np.arange(n)) - before, takers, from_right
    )


def _drawn(odds: Odds, rng: np.random.Generator) -> NDArray[Any]:
    """Return the number of a turn for each game, at random."""
    parts, whole = odds
    turn: NDArray[Any]
    if whole == 1:
        turn = parts[1].astype(np.int64) if len(parts) == 2 else parts.argmax(axis=0)
        return turn
    reached = (parts[:-1] / whole).astype(float)
    if len(reached) > 1:
        reached = np.cumsum(reached, axis=0)
    turn = (rng.random(parts.shape[1]) >= reached).sum(axis=0)
    return turn
