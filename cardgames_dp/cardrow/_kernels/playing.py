"""Games played, many side by side: one on each row, and what they count up to."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames_dp.cardrow._kernels.players import Deals, Hands, Odds, Player
from cardgames_dp.cardrow._kernels.states import Board


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


def _drawn(odds: Odds, rng: np.random.Generator) -> NDArray[Any]:
    """Return the number of a turn for each game, at random."""
    parts, whole = odds
    if whole == 1:
        turn: NDArray[Any] = parts.argmax(axis=0) if len(parts) > 2 else 1 - parts[0]
        return turn
    reached = np.cumsum((parts[:-1] / whole).astype(float), axis=0)
    passed = rng.random(parts.shape[1]) >= reached
    drawn: NDArray[Any] = passed.sum(axis=0)
    return drawn


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
