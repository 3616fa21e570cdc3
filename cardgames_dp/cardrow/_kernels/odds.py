"""Policies under any rules, as probabilities of turns.

The players are those of `cardgames_dp.cardrow._kernels.choosers`, which is the faster
form for two players and one card a turn. Here they are generalised to up to k cards a
turn, any number of players, and two who value the cards differently:

- "larger" and "smaller" take the turn that is worth most or least to the player now;
- "greedy" takes the turn that exceeds by most the next player's best turn after it,
  each by their own values (under misère rules, with negated values);
- "random" takes any legal turn, all with the same chance;
- "optimal" follows the table of the rules.

Of turns that are equally good the tie rule prefers a side, and then fewer cards.
"""

from __future__ import annotations

import math
import reprlib
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import _checks
from cardgames_dp.cardrow._kernels import diagonals
from cardgames_dp.cardrow._kernels.instance import Instance, Terms
from cardgames_dp.cardrow._kernels.row import Exact


class Setting(NamedTuple):
    """Rows of one length under rules, side by side.

    Attributes
    ----------
    terms : Terms
        The rules, with the tie rule of the players.
    instances : list of Instance
        One a row, all over one denominator.
    given : tuple of tuples of int or Fraction
        The rows in the form that callables get.
    sums : tuple of ndarray, shape (rows, cards + 1)
        For each player, the cumulative worths of the cards.
    shared : ndarray, shape (rows, cards)
        The worth of each card to all players together, which breaks "larger" ties.
    """

    terms: Terms
    instances: list[Instance]
    given: tuple[tuple[Exact, ...], ...]
    sums: tuple[NDArray[Any], ...]
    shared: NDArray[Any]

    @classmethod
    def of(
        cls,
        terms: Terms,
        instances: list[Instance],
        given: tuple[tuple[Exact, ...], ...],
    ) -> Setting:
        """Return rows side by side."""
        shared = np.array([x.worths[0] for x in instances], object)
        players = range(2 if instances[0].weighted else 1)
        own = [np.array([x.own(p) for x in instances], object) for p in players]
        sums = tuple([_summed(rows) for rows in own])
        if len(sums) == 1:
            sums *= terms.players
        return cls(terms, instances, given, sums, shared)

    @property
    def cards(self) -> int:
        """How many cards lie in each row."""
        count: int = self.shared.shape[1]
        return count


def _summed(rows: NDArray[Any]) -> NDArray[Any]:
    """Return the sums of the first cards, in int64 where they fit."""
    largest = max([sum(map(abs, row)) for row in rows.tolist()])
    sums = np.zeros((rows.shape[0], rows.shape[1] + 1), object)
    np.cumsum(rows, axis=1, out=sums[:, 1:])
    return sums.astype(np.int64) if largest < 2**61 else sums


class Spots(NamedTuple):
    """Intervals of one length, each in a row of a setting.

    Attributes
    ----------
    length : int
    rows, lefts : ndarray of int64, shape (spots,)
        The number of the row, and the position of the left end card.
    taken : ndarray, shape (players, spots), or None
        The sums that the players have taken so far, where games are played.
    """

    length: int
    rows: NDArray[np.int64]
    lefts: NDArray[np.int64]
    taken: NDArray[Any] | None = None


class Odds(NamedTuple):
    """The probabilities of all turns.

    Attributes
    ----------
    parts : ndarray of integers, shape (turns, spots)
        The probabilities times `whole`, in the order of `turn_codes`.
    whole : int
    """

    parts: NDArray[Any]
    whole: int


Player: TypeAlias = Callable[[Spots, int], Odds]
"""A function from spots and a seat to the odds of a player."""


def turn_codes(length: int, take: int) -> list[int]:
    """Return the legal turns: minus the count from the left, the count from the right.

    Taking all cards left counts as a turn from the left.
    """
    most = min(take, length)
    return [*range(-1, -most - 1, -1), *range(1, min(most, length - 1) + 1)]


def gains(
    setting: Setting, spots: Spots, seat: int, codes: Sequence[int]
) -> NDArray[Any]:
    """Return the immediate worths of turns to a player, shape (turns, spots)."""
    sums, rows, left = setting.sums[seat], spots.rows, spots.lefts
    end = left + spots.length
    return np.stack(
        [
            sums[rows, left - code] - sums[rows, left]
            if code < 0
            else sums[rows, end] - sums[rows, end - code]
            for code in codes
        ]
    )


def after(spots: Spots, code: int) -> Spots:
    """Return the spots after a turn."""
    lefts = spots.lefts - code if code < 0 else spots.lefts
    return Spots(spots.length - abs(code), spots.rows, lefts)


def best_by(setting: Setting, spots: Spots, scores: NDArray[Any]) -> Odds:
    """Return the turns of a player who takes one of the highest score."""
    codes = turn_codes(spots.length, setting.terms.take)
    best = scores == scores.max(axis=0)
    from_left = [i for i, code in enumerate(codes) if code < 0]
    from_right = [i for i, code in enumerate(codes) if code > 0]
    orders = np.array([from_left + from_right, from_right + from_left])
    right_first: Any = setting.terms.tie == "right"
    if setting.terms.tie == "larger":
        last = setting.shared[spots.rows, spots.lefts + spots.length - 1]
        right_first = last >= setting.shared[spots.rows, spots.lefts]
    choices = [order[best[order].argmax(axis=0)] for order in orders]
    chosen = np.where(right_first, choices[1], choices[0])
    return Odds((np.arange(len(codes))[:, None] == chosen).astype(np.int64), 1)


def even(setting: Setting, spots: Spots) -> Odds:
    """Return the same chance for all turns."""
    turns = len(turn_codes(spots.length, setting.terms.take))
    return Odds(np.ones((turns, len(spots.lefts)), np.int64), turns)


def greedy(setting: Setting, spots: Spots, seat: int, *, literal: bool = False) -> Odds:
    """Return the turns of a player who looks one turn ahead."""
    take = setting.terms.take
    sign = -1 if setting.terms.misere else 1
    codes = turn_codes(spots.length, take)
    scores = [*(sign * gains(setting, spots, seat, codes))]
    other = (seat + 1) % setting.terms.players
    for i, code in enumerate(codes):
        left = after(spots, code)
        if left.length:
            answers = turn_codes(left.length, take)
            best = (sign * gains(setting, left, other, answers)).max(axis=0)
            scores[i] = scores[i] - best  # which may be of another dtype, by weights
    found = np.array(scores)
    return best_by(setting, spots, -np.abs(found) if literal else found)


def extreme(setting: Setting, spots: Spots, seat: int, sign: int) -> Odds:
    """Return the turns of a player who takes most (sign 1), or least (-1), at once."""
    codes = turn_codes(spots.length, setting.terms.take)
    return best_by(setting, spots, sign * gains(setting, spots, seat, codes))


def optimal(setting: Setting) -> Player:
    """Return a player who follows the table of the rules."""
    tables = []
    for instance in setting.instances:
        sweep = diagonals.sweep(instance.array(exact=True), setting.terms)
        n = setting.cards
        tables.append([np.broadcast_to(t.codes, n - i) for i, t in enumerate(sweep)])

    def player(spots: Spots, _seat: int) -> Odds:
        places = zip(spots.rows.tolist(), spots.lefts.tolist(), strict=True)
        taken = np.array([tables[row][spots.length - 1][left] for row, left in places])
        codes = np.array(turn_codes(spots.length, setting.terms.take))
        return Odds((codes[:, None] == taken).astype(np.int64), 1)

    return player


def mixed(odds: Sequence[Odds], shares: Sequence[Fraction]) -> Odds:
    """Return the chances of following one of several players."""
    factors = [share / one.whole for share, one in zip(shares, odds, strict=True)]
    whole = math.lcm(*[factor.denominator for factor in factors])
    parts = [
        one.parts.astype(object) * int(factor * whole)
        for one, factor in zip(odds, factors, strict=True)
    ]
    return Odds(sum(parts[1:], start=parts[0]), whole)


def asked(
    policy: Callable[..., Any],
    read_answer: Callable[[Any], dict[int, Fraction]],
    name: str,
    setting: Setting,
    spots: Spots,
) -> Odds:
    """Ask a callable about each spot, and check its answers.

    Parameters
    ----------
    policy : callable
    read_answer : callable
        It returns the chances of codes, or raises a TypeError or ValueError.
    name : str
        The player's name in error messages.
    setting, spots
        The spots to ask about.
    """
    codes = turn_codes(spots.length, setting.terms.take)
    found: list[dict[int, Fraction]] = []
    for row, left in zip(spots.rows.tolist(), spots.lefts.tolist(), strict=True):
        cards, right = setting.given[row], left + spots.length - 1
        if spots.length == 1:
            found.append({-1: Fraction(1)})
            continue
        answer = policy(cards, left, right)
        try:
            chances = read_answer(answer)
            if not chances.keys() <= {*codes}:
                raise ValueError
        except (TypeError, ValueError) as error:
            rest = reprlib.repr(list(cards[left : right + 1]))
            raise type(error)(
                f"player {name} must return a legal turn ('left', 'right' or a "
                "cardrow.Turn), the probability of 'left', or a mapping of turns to "
                f"weights, got {_checks.shown(answer)} for the cards {rest} at {left} "
                f"to {right}"
            ) from None
        found.append(chances)
    whole = math.lcm(*[x.denominator for chances in found for x in chances.values()])
    parts = [[int(chances.get(code, 0) * whole) for chances in found] for code in codes]
    return Odds(np.array(parts, object), whole)


class Course(NamedTuple):
    """The course of games; the arrays have a row for each game, a column for each card.

    Attributes
    ----------
    positions, takers : ndarray of int64
        The cards in the order in which they were taken, and the players who took them.
    from_right : ndarray of bool
    sums : ndarray, shape (players, games)
        The final sums.
    """

    positions: NDArray[np.int64]
    takers: NDArray[np.int64]
    from_right: NDArray[np.bool_]
    sums: NDArray[Any]


def play(
    setting: Setting, players: Sequence[Player], rng: np.random.Generator
) -> Course:
    """Play one game on each row, all side by side."""
    games, n = setting.shared.shape
    left, right = np.zeros(games, np.int64), np.full(games, n - 1)
    positions, takers = np.empty((2, games, n), np.int64)
    from_right = np.zeros((games, n), bool)
    dtype = np.result_type(*[sums.dtype for sums in setting.sums])
    taken = np.zeros((len(players), games), dtype)
    seat = 0
    while (left <= right).any():
        lengths = right - left + 1
        for length in np.unique(lengths[lengths > 0]).tolist():
            which = np.flatnonzero(lengths == length)
            spots = Spots(length, which, left[which], taken[:, which])
            codes = np.array(turn_codes(length, setting.terms.take))
            worths = gains(setting, spots, seat, codes.tolist())
            drawn = _drawn(players[seat](spots, seat), rng)
            taken[seat, which] += worths[drawn, np.arange(len(which))]
            chosen = codes[drawn]
            for card in range(np.abs(chosen).max()):
                some = card < np.abs(chosen)
                here, goes_left = which[some], chosen[some] < 0
                place = n - 1 - (right[here] - left[here])
                at = np.where(goes_left, left[here], right[here])
                positions[here, place], takers[here, place] = at, seat
                from_right[here, place] = ~goes_left
                left[here] += goes_left
                right[here] -= ~goes_left
        seat = (seat + 1) % len(players)
    return Course(positions, takers, from_right, taken)


def _drawn(odds: Odds, rng: np.random.Generator) -> NDArray[np.int64]:
    """Return the number of a turn for each spot, at random."""
    if odds.whole == 1:
        turn: NDArray[np.int64] = odds.parts.argmax(axis=0)
        return turn
    reached = np.cumsum((odds.parts / odds.whole).astype(float), axis=0)[:-1]
    passed = rng.random(odds.parts.shape[1]) >= reached
    drawn: NDArray[np.int64] = passed.sum(axis=0)
    return drawn
