"""Bearing off in backgammon: the fewest rolls, and the chances of a race.

All your checkers, 15 at most, are on the six points of your home board. You roll two
dice and move a checker by each: down, or off the board if the die shows its point, or
more and there is no checker behind it. A double is played four times. There are 54,264
positions.

The *one-sided* question is for the fewest rolls on average. Its answers are published
as an "effective pip count", 49/6 pips a roll: 7 n + 1 for 2 n checkers on the ace point
(Walter Trice). GNU Backgammon comes with the chances of all numbers of rolls, in a
database ``gnubg_os0.bd``: given its path, the script compares all of them. In a
*race* of two players it matters who is off first.

The script takes nothing, or a path of that database, or a number of checkers: then both
sides have so many on the six point, and race to win, or for the fewest rolls. Four have
2.5 million states, and six 56.6 million, which take 10 GB.
"""

from __future__ import annotations

import sys
from itertools import combinations, combinations_with_replacement
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import diagonal, exact, play
from cardgames_dp.game import CHANCE, TERMINAL, Solution

States = NDArray[Any]
POINTS = np.arange(1, 7)
PIPS = 49 / 6
"""The mean of a roll, doubles played four times."""

PAIRS = [*combinations(range(1, 7), 2)]
# What is left to play: nothing, a die, two dice, or a double two, three or four times.
CHECKERS = 15
LEFT: list[tuple[int, ...]] = [(), *[(d,) for d in POINTS.tolist()], *PAIRS]
LEFT += [(d,) * k for k in (2, 3, 4) for d in POINTS.tolist()]
CODE = {dice: i for i, dice in enumerate(LEFT)}
ROLLS = np.array([*range(7, 22), *range(34, 40)])
WAYS = np.array([2] * 15 + [1] * 6)
# By code, for each die that may be played next: the die, and the code of the rest.
DICE = np.array([(x + x)[:2] if len(set(x)) == 1 else x or (0, 0) for x in LEFT])
REST = np.array([[CODE.get(x[1:], 0), CODE.get(x[:1], 0)] for x in LEFT])
NUM_DICE = np.array([len({*x}) for x in LEFT])


def positions(checkers: int) -> States:
    """Return all positions with so many checkers at most: those on each point."""
    every = combinations_with_replacement(range(7), checkers)
    places = np.array([*every]).reshape(-1, checkers)
    found: States = (places[:, :, np.newaxis] == POINTS).sum(axis=1)
    return found


def moves(men: States, left: States) -> tuple[States, States]:
    """Return all moves of a checker: index, and 6 times the die plus the point."""
    highest = (POINTS * (men > 0)).max(axis=1, keepdims=True)
    legal = [
        (men > 0)
        & ((DICE[left, k : k + 1] <= POINTS) | (highest == POINTS))
        & (NUM_DICE[left] > k)[:, np.newaxis]
        for k in (0, 1)
    ]
    index, action = np.nonzero(np.concatenate(legal, axis=1))
    return index, action


def moved(men: States, left: States, action: States) -> tuple[States, States]:
    """Return where moves lead: the checkers, and what is left to play."""
    after, rows = men.copy(), np.arange(len(men))
    die, point = np.divmod(action, 6)
    to = point - DICE[left, die]
    after[rows, point] -= 1
    after[rows[to >= 0], to[to >= 0]] += 1
    return after, np.where(after.any(axis=1), REST[left, die], 0)


class BearOff:
    """One side alone; each roll costs one. A state: checkers by point, what is left."""

    num_players = 1

    def __init__(self, checkers: int = CHECKERS) -> None:
        self.checkers = checkers

    def initial_states(self) -> States:
        """Return all positions."""
        return np.insert(positions(self.checkers), 6, 0, axis=1)

    def levels(self, states: States) -> States:
        """Return the pips that are gone."""
        return -(states[:, :6] @ POINTS)

    def current_players(self, states: States) -> States:
        """Return whether dice are rolled or played."""
        over = ~states[:, :6].any(axis=1)
        return np.where(over, TERMINAL, np.where(states[:, 6] > 0, 0, CHANCE))

    def legal_actions(self, states: States) -> tuple[States, States]:
        """Return the moves of a checker."""
        return moves(states[:, :6], states[:, 6])

    def next_states(self, states: States, actions: States) -> States:
        """Return where they lead."""
        return np.column_stack(moved(states[:, :6], states[:, 6], actions))

    def chance_outcomes(self, states: States) -> tuple[States, States, States, States]:
        """Return all rolls, each of which costs one."""
        index = np.repeat(np.arange(len(states)), len(ROLLS))
        ways, dice = np.tile([WAYS, ROLLS], len(states))
        after = np.column_stack([states[index, :6], dice])
        return index, ways, after, -np.ones_like(ways)

    def returns(self, states: States) -> States:
        """Return nothing."""
        return np.zeros(len(states), dtype=int)


class Race:
    """Two sides; the first to be off wins. A state: who moves, both sides, the dice."""

    num_players = 2

    def __init__(self, mine: list[int], other: list[int]) -> None:
        self.start = mine, other

    def initial_states(self) -> States:
        """Return the position, before a roll."""
        return np.array([[0, *self.start[0], *self.start[1], 0]])

    def levels(self, states: States) -> States:
        """Return the pips that are gone."""
        return -(states[:, 1:13] @ np.tile(POINTS, 2))

    def current_players(self, states: States) -> States:
        """Return who moves; it is over if who has moved is off."""
        over, left = ~states[:, 7:13].any(axis=1), states[:, 13] > 0
        return np.where(over, TERMINAL, np.where(left, states[:, 0], CHANCE))

    def legal_actions(self, states: States) -> tuple[States, States]:
        """Return the moves of a checker."""
        return moves(states[:, 1:7], states[:, 13])

    def next_states(self, states: States, actions: States) -> States:
        """Return where they lead; after the last one, the other side is to roll."""
        men, left = moved(states[:, 1:7], states[:, 13], actions)
        mover, other = states[:, :1], states[:, 7:13]
        same = np.column_stack([mover, men, other, left])
        turned = np.column_stack([1 - mover, other, men, left])
        return np.where(left[:, np.newaxis] > 0, same, turned)

    def chance_outcomes(self, states: States) -> tuple[States, States, States]:
        """Return all rolls."""
        index = np.repeat(np.arange(len(states)), len(ROLLS))
        ways, dice = np.tile([WAYS, ROLLS], len(states))
        return index, ways, np.column_stack([states[index, :13], dice])

    def returns(self, states: States) -> States:
        """Return 1 to the side that is off."""
        return np.column_stack([states[:, 0], 1 - states[:, 0]])


def chances(solution: Solution[Any, Any, float], men: States) -> NDArray[np.float64]:
    """Return the probabilities of 0, 1, 2, ... rolls for all positions, in a row each.

    `men` has all positions, those with fewer pips first.
    """
    graph = solution.explored.graph
    # Where play goes until the next roll: follow the policy as long as there are dice.
    goes = np.arange(graph.num_states)
    moving = graph.players >= 0
    taken = graph.offsets[:-1][moving] + solution.chosen[moving]
    goes[moving] = graph.following[taken]
    for _ in range(2):  # four moves at most
        goes = goes[goes]
    places = solution.explored.places(np.insert(men, 6, 0, axis=1))
    number = np.zeros(graph.num_states, dtype=np.int64)
    number[places] = np.arange(len(men))
    rolling = places[1:]
    rolls = graph.following[graph.offsets[rolling][:, np.newaxis] + np.arange(21)]
    after = number[goes[rolls]]
    weights = graph.weights.reshape(-1, 21)[0] / 36
    found = [np.eye(1, len(men))[0]]
    while found[-1].any():
        found.append(np.concatenate([[0.0], found[-1][after] @ weights]))
    return np.column_stack(found[:-1])


def misers(solution: Solution[Any, Any, float]) -> States:
    """Return where a checker could be borne off, but it is better to bear off none.

    In states with two different dice still to play.
    """
    graph, states = solution.explored.graph, solution.explored.columns
    values, following = solution.numerators[0], graph.following
    checkers = states[:6].sum(axis=0)
    off = np.repeat(checkers, np.diff(graph.offsets)) > checkers[following]
    if_off = np.full(graph.num_states, -np.inf)  # the best of those that bear off
    for dice in (1, 2):
        at = np.flatnonzero((graph.players >= 0) & (NUM_DICE[states[6]] == dice))
        if dice == 1:
            at = at[states[6, at] <= 6]
        first, counts = graph.offsets[at], np.diff(graph.offsets)[at]
        which = np.repeat(first - np.cumsum(counts) + counts, counts)
        which += np.arange(counts.sum())
        worth = np.where(off[which], values[following[which]], if_off[following[which]])
        if_off[at] = np.maximum.reduceat(worth, np.cumsum(counts) - counts)
    better = values[at] > if_off[at] + 1e-9
    worse: States = states[:, at[better & np.isfinite(if_off[at])]].T
    return worse


def ranked(men: States) -> States:
    """Return the numbers of positions in the database.

    They are ordered by the checkers on all points, then by those above the first, above
    the second, and so on: sums of binomial coefficients.
    """
    above = men[:, ::-1].cumsum(axis=1)[:, ::-1]
    table = np.array([[comb(n + 5 - k, 6 - k) for k in range(6)] for n in range(16)])
    found: States = table[above, np.arange(6)].sum(axis=1)
    return found


def database(path: Path) -> NDArray[np.float64]:
    """Return the chances of 0, 1, ..., 31 rolls in a one-sided database, by number.

    After a head of 40 bytes, an entry for each position: where its numbers begin, how
    many there are, and of how many rolls the first is the chance, in units of 1/65535.
    (The same follows for the first checker off, which is left out here.)
    """
    content = path.read_bytes()
    kind, points, checkers, gammons, packed, normal = (
        content[:20].decode("ascii")[6:].split("-")
    )
    if not content.startswith(b"gnubg-") or (kind, packed, normal) != ("OS", "1", "0"):
        raise ValueError(f"{path} is not a compressed one-sided database")
    count = comb(int(points) + int(checkers), int(points))
    entry = [("first", "<u4"), ("size", "u1"), ("rolls", "u1")]
    entry += [("other", "<u2")] * int(gammons)
    index = np.frombuffer(content, dtype=entry, count=count, offset=40)
    numbers = np.frombuffer(content, dtype="<u2", offset=40 + index.nbytes)
    found = np.zeros((count, 32))
    for i, (first, size, rolls, *_) in enumerate(index.tolist()):
        found[i, rolls : rolls + size] = numbers[first : first + size] / 65535
    return found


def race_of(checkers: int) -> None:
    """Solve a race, and see what it costs to play for the fewest rolls."""
    start = [0, 0, 0, 0, 0, checkers]
    race, alone = diagonal.solve(Race(start, start)), diagonal.solve(BearOff(checkers))

    def fewest(states: States) -> States:
        actions: States = alone.policy(np.delete(states[:, 1:], np.s_[6:12], axis=1))
        return actions

    print(f"{race.num_states:,} states; the first player wins {race.value:.9f}")
    simple = play.evaluate(race, [fewest, race])
    print(f"  playing for the fewest rolls {race.value - simple.value:.1e} less")


def main() -> None:
    """Solve all positions, and a race."""
    if sys.argv[1:] and sys.argv[1].isdecimal():
        race_of(int(sys.argv[1]))
        return
    solution = diagonal.solve(BearOff(CHECKERS))
    men = positions(CHECKERS)
    men = men[np.argsort(men @ POINTS, kind="stable")]
    rolling = np.insert(men, 6, 0, axis=1)
    rolls, error = -solution.values(rolling), solution.errors(rolling).max()
    print(f"{len(men):,} positions; with dice to play, {solution.num_states:,} states")
    print(f"all on the six point: {rolls[-1]:.9f} rolls, within {error:.0e}")
    print("2 n checkers on the ace point, rolls times 49/6 (Trice: 7 n + 1)")
    for n in range(1, CHECKERS // 2 + 1):
        (at,) = np.flatnonzero((men == [2 * n, 0, 0, 0, 0, 0]).all(axis=1))
        print(f"  {n}  {PIPS * rolls[at]:.6f}  {7 * n + 1}")
    found = misers(solution)
    print(f"Better to take none off, though one could be: {len(found):,} rolls")
    print("  (BGonline: 3825). With two checkers:")
    for *row, left in found[found[:, :6].sum(axis=1) == 2].tolist():
        points = [point for point, count in enumerate(row, 1) if count]
        print(f"  on the points {points}, after the roll {LEFT[left]}")
    race = exact.solve(Race([8, 0, 0, 0, 0, 0], [6, 0, 0, 0, 0, 0]))
    print(f"8 against 6 on the ace points wins {race.value}", end="")
    print(f" = {float(race.value):.6f} (Peelle: 0.301055)")
    if sys.argv[1:]:
        theirs = database(Path(sys.argv[1]))[ranked(men)]
        ours = chances(solution, men)
        apart = np.abs(theirs[:, : ours.shape[1]] - ours).max()
        mean = np.abs(theirs @ np.arange(32) - rolls).max()
        print(f"the database differs by at most {apart:.1e}, in means by {mean:.1e}")


if __name__ == "__main__":
    main()
