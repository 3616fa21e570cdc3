"""States of games under any rules that include the sums taken so far.

A *state* here is the player to move, the interval that is left, and the *tally*: one
integer that encodes the sums taken so far. With two players it is the lead of the first
one, in the cards that both want (`Instance.wanted`); with more it holds all sums, as
the digits of a number in a sufficiently large base. A turn adds a fixed integer to it,
so all tallies of an interval are one sorted array, and a turn is one addition and one
search in an array.

The chance of winning, and what may be risked without giving up a guarantee, depend on
the tally; the value of the cards left does not. There are as many tallies as different
sums: for n cards that are integers up to x at most about ``n x`` for each interval, and
``n**3 x / 2`` states in total.

Games are also played here, many side by side, with a draw for every random turn.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._support.running import real
from cardgames_dp.cardrow._kernels.players import (
    Deals,
    Hands,
    Odds,
    Player,
    turn_codes,
)
from cardgames_dp.cardrow._kernels.row import Instance

Place: TypeAlias = tuple[int, int, int]
"""The player to move, and the positions of the end cards."""


class Board(NamedTuple):
    """A row under rules, as tallies see it.

    Attributes
    ----------
    take, players : int
    sums : list of int
        What the first cards are worth together, in the unit of the tallies.
    steps : tuple of int
        What a card of worth 1 adds to the tally when each player takes it.
    base : int
        Of the digits, with more than two players.
    """

    take: int
    players: int
    sums: list[int]
    steps: tuple[int, ...]
    base: int

    @classmethod
    def of(cls, instance: Instance) -> Board:
        """Return the board of a row."""
        cards, players = instance.wanted, instance.terms.players
        sums = [0]
        for card in cards:
            sums.append(sums[-1] + card)
        base = 2 * sum(map(abs, cards)) + 1
        steps = (1, -1) if players == 2 else tuple([base**j for j in range(players)])
        return cls(instance.terms.take, players, sums, steps, base)

    @property
    def cards(self) -> int:
        """How many there are."""
        return len(self.sums) - 1

    def turns(self, place: Place) -> list[tuple[int, Place, int]]:
        """Return each turn at a place: its code, where it leads, and what it takes."""
        player, left, right = place
        after = (player + 1) % self.players
        found = []
        for code in turn_codes(right - left + 1, self.take):
            start, stop = (
                (left, left - code) if code < 0 else (right + 1 - code, right + 1)
            )
            rest = (stop, right) if code < 0 else (left, right - code)
            found.append((code, (after, *rest), self.sums[stop] - self.sums[start]))
        return found

    def own_sums(self, tallies: NDArray[Any]) -> list[NDArray[Any]]:
        """Return the sums of more than two players that tallies hold."""
        sums, half = [], self.base // 2
        for _ in range(self.players):
            digit = (tallies + half) % self.base - half
            sums.append(digit)
            tallies = (tallies - digit) // self.base
        return sums

    def start(self) -> NDArray[Any]:
        """Return the tally before the first turn, in integers that hold all others."""
        largest = self.base * (
            1 if self.players == 2 else self.base ** (self.players - 1)
        )
        return np.zeros(1, np.int64 if largest < 2**61 else object)


def most_states(board: Board) -> float:
    """Return an upper bound of the number of states.

    If the absolute values of the cards outside an interval sum to T, all its tallies
    have the parity of T, so there are at most T + 1; and there are at most as many as
    ways to share those cards.
    """
    n, players = board.cards, board.players
    # Cut where powers would overflow: the ways to share are fewer then anyway.
    most = 1e300 ** (1 / players) / n
    sizes = np.array([min(real(abs(b - a)), most) for a, b in pairwise(board.sums)])
    before = np.concatenate([[0.0], np.cumsum(sizes)])
    states = 0.0
    for left in range(n):
        outside = before[left] + (before[-1] - before[left + 1 :])
        tallies = (outside + 1) ** (players - 1)
        taken = n - 1 - np.arange(n - left)
        shared = float(players) ** np.minimum(taken, 500 // players)
        states += float(np.minimum(tallies, shared).sum())
    return states * (1 if board.take == 1 else players)


def reached(board: Board) -> dict[Place, NDArray[Any]]:
    """Return the tallies, in order, that can come up at each place, by any turns.

    Places come in an order in which turns lead from earlier ones to later ones.
    """
    n = board.cards
    pending: dict[Place, list[NDArray[Any]]] = defaultdict(list)
    pending[0, 0, n - 1].append(board.start())
    found: dict[Place, NDArray[Any]] = {}
    for length in range(n, -1, -1):
        for left in range(n + 1 - length):
            for player in range(board.players):
                place = player, left, left + length - 1
                if place not in pending:
                    continue
                tallies = np.unique(np.concatenate(pending.pop(place)))
                found[place] = tallies
                if length:
                    for _, rest, gain in board.turns(place):
                        step = board.steps[player] * gain
                        pending[rest].append(tallies + step)
    return found


def odds_at(
    player: Player, deals: Deals, place: Place, tallies: NDArray[Any] | None = None
) -> Odds:
    """Return the odds of a player at a place, one for all tallies or one for each."""
    seat, left, right = place
    which = np.zeros(1, np.int64), np.array([left])
    return player(Hands(deals, right - left + 1, which, tallies), seat)


def results(
    board: Board, tallies: NDArray[Any], seat: int, offset: int
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return where a player has won in the end, and where nobody has.

    Parameters
    ----------
    board, tallies
        What all have taken in the end.
    seat : int
    offset : int
        With weights, what the first of two players is ahead by from the beginning.
    """
    if board.players == 2:
        ahead = (tallies + offset) * (1 if seat == 0 else -1)
        return ahead > 0, ahead == 0
    sums = board.own_sums(tallies)
    others = np.max([x for j, x in enumerate(sums) if j != seat], axis=0)
    return sums[seat] > others, sums[seat] == others


def distribution(
    board: Board, deals: Deals, players: Sequence[Player], *, exact: bool
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the tallies in which games end, in order, and their probabilities."""
    n = board.cards
    pending: dict[Place, list[tuple[NDArray[Any], NDArray[Any]]]] = defaultdict(list)
    one: Any = np.array([Fraction(1)], object) if exact else np.ones(1)
    pending[0, 0, n - 1].append((board.start(), one))
    for length in range(n, 0, -1):
        for left in range(n + 1 - length):
            for seat in range(board.players):
                place = seat, left, left + length - 1
                if place not in pending:
                    continue
                tallies, shares = _merged(pending.pop(place))
                parts, whole = odds_at(players[seat], deals, place, tallies)
                for part, (_, rest, gain) in zip(
                    parts, board.turns(place), strict=True
                ):
                    odds = np.broadcast_to(part, tallies.shape)
                    met = odds > 0
                    if met.any():
                        share = _shares(odds[met], whole, exact)
                        moved = tallies[met] + board.steps[seat] * gain
                        pending[rest].append((moved, shares[met] * share))
    return _merged([pair for pairs in pending.values() for pair in pairs])


def _shares(parts: NDArray[Any], whole: int, exact: bool) -> NDArray[Any]:
    """Return parts of a whole as Fractions or in float64."""
    shares: NDArray[Any] = (
        parts * Fraction(1, whole) if exact else (parts / whole).astype(np.float64)
    )
    return shares


def _merged(
    pairs: list[tuple[NDArray[Any], NDArray[Any]]],
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return tallies in order, each once, with the sums of their probabilities."""
    every = np.concatenate([tallies for tallies, _ in pairs])
    shares = np.concatenate([shares for _, shares in pairs])
    tallies, where = np.unique(every, return_inverse=True)
    total = np.zeros(len(tallies), shares.dtype)
    np.add.at(total, where.reshape(-1), shares)
    return tallies, total


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
    board: Board | None = None,
) -> Course:
    """Play one game on each row, all side by side.

    Parameters
    ----------
    deals : Deals
    players : sequence of Player
        One for each seat.
    rng : numpy.random.Generator
    board : Board, optional
        The one row of `deals`, if a player looks at what has been taken.
    """
    if deals.terms.take == 1 and board is None:
        return _played_singly(deals, players, rng)
    games, n = deals.shared.shape
    left, right = np.zeros(games, np.int64), np.full(games, n - 1)
    positions, takers = np.empty((2, games, n), np.int64)
    from_right = np.zeros((games, n), bool)
    tally: Any = None if board is None else board.start()
    seat = 0
    while (left <= right).any():
        lengths = right - left + 1
        alike = lengths.min() == lengths.max()  # as with one card a turn
        for length in lengths[:1].tolist() if alike else np.unique(lengths).tolist():
            if not length:
                continue
            which = np.arange(games) if alike else np.flatnonzero(lengths == length)
            hands = Hands(deals, length, (which, left[which]), tally)
            codes = np.array(hands.codes)
            chosen = np.repeat(codes, len(which))
            if len(codes) > 1:
                chosen = codes[_drawn(players[seat](hands, seat), rng)]
            if board is not None:
                ends = seat, int(left[0]), int(right[0])
                gain = {code: gain for code, _, gain in board.turns(ends)}
                tally = tally + board.steps[seat] * gain[int(chosen[0])]
            counts = np.abs(chosen)
            for card in range(counts.max()):
                here: Any = slice(None) if alike else which
                from_left = chosen < 0
                if counts.min() <= card:
                    here, from_left = which[counts > card], from_left[counts > card]
                place = n - length + card
                positions[here, place] = np.where(from_left, left[here], right[here])
                takers[here, place] = seat
                from_right[here, place] = ~from_left
                left[here] += from_left
                right[here] -= ~from_left
        seat = (seat + 1) % len(players)
    return Course(positions, takers, from_right)


def _played_singly(
    deals: Deals, players: Sequence[Player], rng: np.random.Generator
) -> Course:
    """Play games of one card a turn, in which all rows have as many cards left."""
    games, n = deals.shared.shape
    left, from_right = np.zeros(games, np.int64), np.zeros((n, games), bool)
    which: Any = np.arange(games), left
    for turn in range(n - 1):  # the last card is taken from the left
        seat = turn % len(players)
        if games == 1:  # a slice is found much faster than one cell
            first = int(left[0])
            which = slice(1), slice(first, first + 1)
        hands = Hands(deals, n - turn, which)
        from_right[turn] = _drawn(players[seat](hands, seat), rng)
        left += ~from_right[turn]
    turns = np.arange(n)
    before = np.cumsum(from_right, axis=0) - from_right
    positions = np.where(from_right, n - 1, turns[:, np.newaxis]) - before
    takers = np.broadcast_to(turns % len(players), (games, n))
    return Course(
        np.ascontiguousarray(positions.T), takers, np.ascontiguousarray(from_right.T)
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


class Tally(NamedTuple):
    """Results of the first player of a pair, and sums of the leads and their squares.

    The sums are exact, so that no result depends on the order of addition.
    """

    wins: int = 0
    draws: int = 0
    losses: int = 0
    leads: Fraction = Fraction(0)
    squares: Fraction = Fraction(0)

    @classmethod
    def of(cls, leads: list[int], denominator: int, *, misere: bool = False) -> Tally:
        """Return the results of games from what the first player won by, in units."""
        ahead, behind = sum([x > 0 for x in leads]), sum([x < 0 for x in leads])
        return cls(
            wins=behind if misere else ahead,
            draws=leads.count(0),
            losses=ahead if misere else behind,
            leads=Fraction(sum(leads), denominator),
            squares=Fraction(sum([lead * lead for lead in leads]), denominator**2),
        )

    def plus(self, other: Tally) -> Tally:
        """Return the results of both."""
        return Tally(
            self.wins + other.wins,
            self.draws + other.draws,
            self.losses + other.losses,
            self.leads + other.leads,
            self.squares + other.squares,
        )

    def deviation(self, games: int) -> float:
        """Return the sample's standard deviation of the leads, rounded at the end."""
        if games == 1:
            return math.nan  # no deviation is known
        return math.sqrt((self.squares - self.leads**2 / games) / (games - 1))
