"""Solitaire Yahtzee: how many points to expect from the best play.

Thirteen boxes are filled in thirteen turns. A turn is a game of its own: roll five
dice, keep what you like, roll the others, and all this once more. It is the same in all
turns except for what the dice are worth at its end, which depends on the *position*: on
the open boxes, the points in the upper ones, and whether the Yahtzee box holds 50. So
the turn is written once, as an array game, and explored once. It is solved in
hundreds of positions at a time, those with the fewest open boxes first.

What a second Yahtzee may be used for, once the Yahtzee box is filled, has changed:

``forced``
    The official rule since 1961: its upper box if this is open; otherwise any lower
    box, in which it is a *joker* that has the full points of a full house or straight;
    otherwise an upper box, for nothing. It pays 100 more if the Yahtzee box holds 50,
    here and in the others but the last.
``free``
    Any open box; it is a joker in the lower ones if its upper box is filled. T.
    Verhoeff (1999) solved this one: 254.5896.
``paid``
    If it pays 100, its upper box if this is open; apart from that, free.
``original``
    The booklet of 1956: a joker in any lower box, and nothing in an upper one.
``none``
    There is neither a bonus nor a joker: 245.87.

J. Glenn, "An Optimal Strategy for Yahtzee" (2006), describes the computation. The
script takes the names of some rules, or ``all``, or else solves the official one; and a
number of boxes, or else 13: of fewer than 13 the last ones in `BOXES` are open, the
others filled with nothing. It prints the expected points, with a bound on their error,
and what two throws of the first turn are worth, used in one way or another.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import diagonal
from cardgames_dp.game import CHANCE, TERMINAL, explore

BOXES = (
    *("aces", "twos", "threes", "fours", "fives", "sixes"),
    *("three of a kind", "four of a kind", "full house", "small straight"),
    *("large straight", "yahtzee", "chance"),
)
UPPER, YAHTZEE = 6, BOXES.index("yahtzee")
RULES = ("forced", "free", "paid", "original", "none")
ENOUGH, UPPER_BONUS, YAHTZEE_BONUS = 63, 35, 100
"""Points in the upper boxes for the bonus, and what the two bonuses pay."""
AT_ONCE = 1024
"""About the number of positions that are solved at once."""

States = NDArray[Any]
Floats = NDArray[Any]


def dice(count: int) -> States:
    """Return all throws of some dice, as a row of how many show 1, 2, ..., 6 each."""
    throws = combinations_with_replacement(range(6), count)
    return np.array([np.bincount(throw, minlength=6) for throw in map(list, throws)])


THROWS = [np.zeros((1, 6), dtype=np.int64), *(dice(count) for count in range(1, 6))]
WAYS = [
    np.array(
        [factorial(sum(row)) // prod(map(factorial, row)) for row in rows.tolist()]
    )
    for rows in THROWS
]
KEPT = np.concatenate(THROWS)


class Turn:
    """Three rolls; a state has the dice by face, rolls left, whether to roll now."""

    num_players = 1

    def initial_states(self) -> States:
        """Return the only one, without any dice."""
        return np.array([[0, 0, 0, 0, 0, 0, 3, 1]])

    def current_players(self, states: States) -> States:
        """Return whose move it is: the dice's, or else the player's but at the end."""
        rolls, roll = states[:, 6], states[:, 7]
        return np.where(roll, CHANCE, np.where(rolls, 0, TERMINAL))

    def legal_actions(self, states: States) -> tuple[States, States]:
        """Return all dice that may be kept."""
        fits = (states[:, np.newaxis, :6] >= KEPT).all(axis=2)
        index, kept = np.nonzero(fits)
        return index, KEPT[kept]

    def next_states(self, states: States, kept: States) -> States:
        """Return the states in which the others are to be rolled."""
        return np.column_stack([kept, states[:, 6], np.ones_like(states[:, 7])])

    def chance_outcomes(self, states: States) -> tuple[States, States, States]:
        """Return all throws of the dice that were not kept."""
        rolled = 5 - states[:, :6].sum(axis=1)
        parts = []
        for count in np.unique(rolled).tolist():
            index = np.flatnonzero(rolled == count).repeat(len(THROWS[count]))
            times = len(index) // len(THROWS[count])
            after = states[index] - [0, 0, 0, 0, 0, 0, 1, 1]
            after[:, :6] += np.tile(THROWS[count], (times, 1))
            parts.append((index, np.tile(WAYS[count], times), after))
        indices, ways, after = zip(*parts, strict=True)
        return np.concatenate(indices), np.concatenate(ways), np.concatenate(after)

    def returns(self, states: States) -> States:
        """Return nothing, as it depends on the position."""
        return np.zeros(len(states), dtype=np.int64)


def points(faces: States) -> States:
    """Return what dice score in each box, in shape (boxes, throws)."""
    total, most = faces @ np.arange(1, 7), faces.max(axis=1)
    shown = faces > 0
    run_of_four = np.any([shown[:, i : i + 4].all(axis=1) for i in range(3)], axis=0)
    run_of_five = np.any([shown[:, i : i + 5].all(axis=1) for i in range(2)], axis=0)
    house = (faces == 3).any(axis=1) & (faces == 2).any(axis=1)
    lower = [
        *(total * (most >= 3), total * (most >= 4)),
        *(25 * house, 30 * run_of_four, 40 * run_of_five),
        *(50 * (most == 5), total),
    ]
    return np.array([*(faces * np.arange(1, 7)).T, *lower])


class Solitaire:
    """The whole game, or that of some boxes where the others are filled with nothing.

    Attributes
    ----------
    values : ndarray of float64, shape (2, sets of boxes, ENOUGH + 1)
        What a position is worth at the start of a turn: by whether the Yahtzee box
        holds 50, the open boxes as bits, and the points in the upper boxes, as far as
        they matter.
    error : float
        A bound on the error of every value.
    """

    def __init__(self, rule: str, boxes: Sequence[str] = BOXES) -> None:
        self.rule, self.boxes = rule, [BOXES.index(name) for name in boxes]
        self.open = sum(2**box for box in self.boxes)
        self.values = np.zeros((2, 2 ** len(BOXES), ENOUGH + 1))
        self.error = 0.0
        self.turn, self.start = explore(Turn()), Turn().initial_states()
        ends = np.flatnonzero(self.turn.graph.players == TERMINAL)
        self.faces = self.turn.states_at(ends)[:, :6]
        self.points = points(self.faces)
        self.totals = self.reachable()

    def reachable(self) -> dict[int, States]:
        """Return the totals of the upper boxes that are possible when some are open."""
        first = self.open % 2**UPPER
        totals = {first: {0}}
        for bits in range(first, 0, -1):
            for box in range(UPPER):
                if bits in totals and bits >> box & 1:
                    after = {t + (box + 1) * n for t in totals[bits] for n in range(6)}
                    rest = totals.setdefault(bits ^ 2**box, set())
                    rest |= {min(total, ENOUGH) for total in after}
        return {bits: np.array(sorted(found)) for bits, found in totals.items()}

    def solve(self) -> float:
        """Solve all positions, and return the value of the first one."""
        for count in range(1, len(self.boxes) + 1):
            self.error += max([self.solve_some(some) for some in self.batches(count)])
        return float(self.values[0, self.open, 0])

    def solve_some(self, some: list[tuple[int, int, States]]) -> float:
        """Solve some positions, and return a bound of what this adds to errors."""
        worth = np.concatenate([self.worth(*each) for each in some])
        paying = self.turn.with_returns(lambda _: worth[:, :, np.newaxis])
        solution = diagonal.solve(paying)
        cuts = np.cumsum([len(totals) for _, _, totals in some])[:-1]
        parts = np.split(solution.values(self.start)[:, 0], cuts)
        for (holds, bits, totals), part in zip(some, parts, strict=True):
            self.values[holds, bits, totals] = part
        # What the ends are worth was rounded in two sums.
        return float(np.max(solution.error) + 2.0**-52 * worth.max())

    def batches(self, count: int) -> Iterator[list[tuple[int, int, States]]]:
        """Yield the positions with so many open boxes, some at a time."""
        some: list[tuple[int, int, States]] = []
        for bits in range(self.open + 1):
            if bits & ~self.open or bits.bit_count() != count:
                continue
            totals = self.totals[bits % 2**UPPER]
            some.append((0, bits, totals))
            if YAHTZEE in self.boxes and self.filled(bits):
                some.append((1, bits, totals))
            if sum(len(totals) for _, _, totals in some) >= AT_ONCE:
                yield some
                some = []
        if some:
            yield some

    def filled(self, bits: int) -> bool:
        """Return whether the Yahtzee box is filled."""
        return not bits >> YAHTZEE & 1

    def worth(self, holds: int, bits: int, totals: States) -> Floats:
        """Return what the dice are worth at the end of a turn, by total and throw."""
        best = np.full((len(totals), len(self.faces)), -np.inf)
        before = totals[:, np.newaxis]
        joker = self.jokers(bits)
        for box in self.boxes:
            if not bits >> box & 1:
                continue
            score, allowed = self.score(box, bits, joker, holds)
            rest = bits ^ 2**box
            after = before
            if box < UPPER:
                after = np.minimum(before + score, ENOUGH)
                score = score + UPPER_BONUS * ((before < ENOUGH) & (after == ENOUGH))
            fifty = np.where(score == 50, 1, 0) if box == YAHTZEE else holds
            value = score + self.values[fifty, rest, after]
            np.maximum(best, np.where(allowed, value, -np.inf), out=best)
        worth: Floats = best + YAHTZEE_BONUS * (joker & bool(holds))
        return worth

    def jokers(self, bits: int) -> NDArray[np.bool_]:
        """Return which throws are Yahtzees for which the rule of jokers holds."""
        if self.rule == "none" or not self.filled(bits):
            return np.zeros(len(self.faces), dtype=np.bool_)
        found: NDArray[np.bool_] = (self.faces == 5).any(axis=1)
        return found

    def score(
        self, box: int, bits: int, joker: NDArray[np.bool_], holds: int
    ) -> tuple[States, NDArray[np.bool_]]:
        """Return what throws score in an open box, and which may be put there."""
        score, own = self.points[box], self.faces.argmax(axis=1)
        own_open = (bits >> own & 1).astype(bool)
        no_lower = bits < 2**UPPER
        if BOXES[box] in ("full house", "small straight", "large straight"):
            full = joker if self.rule == "original" else joker & ~own_open
            score = np.where(full, score.max(), score)
        if self.rule == "forced":
            must = (own == box) | (~own_open & no_lower)
            return score, ~joker | (must if box < UPPER else ~own_open)
        if self.rule == "paid" and holds:
            return score, ~joker | ~own_open | (own == box)
        if self.rule == "original" and box < UPPER:
            return np.where(joker, 0, score), ~joker | no_lower
        return score, np.ones_like(joker)


def first_turn(game: Solitaire) -> None:
    """Print what two throws are worth at the start of a solved game."""
    worth = game.worth(0, game.open, np.array([0]))[0]
    turn = diagonal.solve(game.turn.with_returns(lambda _: worth[:, np.newaxis]))
    kept = [[0, 0, 0, 0, 0, 3, 2, 1], [2, 0, 0, 0, 0, 3, 2, 1]]  # two more rolls
    sixes, everything = turn.values(np.array(kept))
    print(f"  1 1 6 6 6, first roll: keep sixes {sixes:.4f}, keep all {everything:.4f}")
    (throw,) = np.flatnonzero((game.faces == [1, 0, 0, 0, 0, 4]).all(axis=1))
    used = [
        f"{BOXES[box]} {game.points[box, throw] + game.values[0, rest, total]:.4f}"
        for box, total in [(5, 24), (7, 0)]
        for rest in [game.open ^ 2**box]
    ]
    print(f"  1 6 6 6 6, last roll: {', '.join(used)}")


def main() -> None:
    """Solve the game under the rules that are asked for."""
    rules = [name for name in RULES if {name, "all"} & {*sys.argv[1:]}] or ["forced"]
    count = [int(name) for name in sys.argv[1:] if name.isdigit()] or [len(BOXES)]
    for rule in rules:
        game = Solitaire(rule, BOXES[-count[0] :])
        print(f"{rule}: {game.solve():.10f} points, within {game.error:.0e}")
        if len(rules) == 1 and count == [len(BOXES)]:
            first_turn(game)


if __name__ == "__main__":
    main()
