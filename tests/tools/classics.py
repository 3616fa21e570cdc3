"""Time and memory of the classic games, each beside a program for that game alone.

``python -m tests.tools classics [NAME ...]`` measures all games of `GAMES`, or some of
them. A game and the special program beside it return the same number; one for which any
program takes more than a few lines stands beside nothing. Every run has a process of
its own; the shortest time of the processor counts, without imports, and the memory is
the most that it held. With ``--write`` the table of the documentation is written anew.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from cardgames_dp import diagonal, exact, redblack
from tests.classics.scripts import loaded
from tests.tools.fresh import keep, kilobytes, run

HEAD = [
    *("game", "seconds, measured", "memory, measured", "beside"),
    *("its seconds, measured", "its memory, measured"),
]


def by_floats(name: str, *given: Any) -> Callable[[Any], float]:
    """Return what solves a game of a script in float64: the first player's value."""
    return lambda script: diagonal.solve(getattr(script, name)(*given)).value


def by_fractions(name: str, *given: Any) -> Callable[[Any], Fraction]:
    """Return what solves a game of a script exactly."""
    return lambda script: exact.solve(getattr(script, name)(*given)).value


# Connect Four, 4 columns and 4 rows: the sum of all values for the player to move
# ---------------------------------------------------------------------------------


def connect_four(script: Any) -> float:
    """Return the sum, by the library."""
    solution: Any = diagonal.solve(script.ConnectFour())
    states: Any = solution.values
    return float(sum(solution.payoffs_at(s)[s[1].bit_count() % 2] for s in states))


def connect_four_by_bits() -> float:
    """Return the sum, by a recursion through all positions."""
    tops, feet = [8 << 5 * i for i in range(4)], [1 << 5 * i for i in range(4)]
    moves = list(zip(tops, feet, strict=True))
    total = 0

    @cache
    def value(mine: int, both: int) -> int:
        nonlocal total
        other = mine ^ both
        found = -2
        for step in (1, 4, 5, 6):
            two = other & other >> step
            if two & two >> 2 * step:
                found = -1
                break
        else:
            for top, foot in moves:
                if not both & top:
                    found = max(found, -value(other, both | both + foot))
            found = max(found, 0) if found == -2 else found
        total += found
        return found

    value(0, 0)
    return total


# Special programs for the others, by which tests check small ones
# ----------------------------------------------------------------


def race(goal: int, choices: list[int]) -> float:
    """Return how often the second player wins: each equation solved by hand."""
    before = [[0.0] * (goal + 1) for _ in range(goal + 1)]  # the first is to toss
    choose = [[0.0] * (goal + 1) for _ in range(goal + 1)]
    for first in range(1, goal + 1):
        before[first][0] = choose[first][0] = 1.0
        for second in range(1, goal + 1):
            found = []
            for tosses in choices:
                most = next(t for t in range(1, 20) if 2 ** (t - 1) >= second)
                p = 0.5 ** min(tosses, most)
                later = before[first][max(0, second - 2 ** (min(tosses, most) - 1))]
                one = (choose[first - 1][second] + p * later) / (1 + p)
                found.append((one, p * later + (1 - p) * one))
            before[first][second], choose[first][second] = max(found)
    return before[goal][goal]


def hog(goal: int = 100, most: int = 10) -> float:
    """Return how often the first player wins; two positions depend on each other."""
    chances, row = [], np.ones(1)
    for _ in range(most):
        row = np.convolve(row, [0, 0, 1, 1, 1, 1, 1]) / 6
        chances.append(row)
    blank = np.array([1 - row.sum() for row in chances])  # where nobody scores
    wins = np.zeros((goal, goal))  # of who moves: own score, the other's

    def scored(own: int, other: int) -> np.ndarray:
        after = 1 - wins[other, own:]
        after = np.concatenate([after, np.ones(6 * most)])
        return np.array([row @ after[: len(row)] for row in chances])

    for total in reversed(range(2 * goal - 1)):
        for own in range(max(0, total - goal + 1), total // 2 + 1):
            other = total - own
            ahead, behind = scored(own, other), scored(other, own)
            first, before = 0.5, 1.0
            while abs(first - before) > 1e-16:
                second = (behind + blank * (1 - first)).max()
                before, first = first, (ahead + blank * (1 - second)).max()
            wins[own, other], wins[other, own] = first, second
    return float(wins[0, 0])


def house(cards: int = 4000) -> float:
    """Return a deck's value: of fewer cards first, all decks of as many at once."""
    worth = np.zeros(1)
    for count in range(1, 2 * cards + 1):
        red = np.arange(count + 1)
        with_red = red * (1 + np.append(0, worth))
        with_black = (count - red) * (np.append(worth, 0) - 1)
        worth = np.maximum((with_red + with_black) / count, 0)
    return float(worth[cards])


def pig(goal: int = 100) -> float:
    """Iterate the values of all states with one sum of scores at a time."""
    start = np.zeros((goal, goal))  # of the mover, by own score and the other's
    for total in range(2 * goal - 2, -1, -1):
        own = np.arange(max(0, total - goal + 1), min(total, goal - 1) + 1)
        other, most = total - own, goal - own.min()
        after = own + np.arange(most)[:, np.newaxis]
        later = start[other, np.minimum(after, goal - 1)]
        held = np.where(after >= goal, 1, 1 - later)
        held[0] = 0  # nobody may hold without points
        value = np.ones((most + 6, len(own)))
        apart = 1.0
        while apart > 1e-14:
            lost = 1 - start[other, own]
            for turn in range(most - 1, -1, -1):
                rolled = (lost + value[turn + 2 : turn + 7].sum(axis=0)) / 6
                np.maximum(rolled, held[turn], out=value[turn])
            apart = np.abs(value[0] - start[own, other]).max()
            start[own, other] = value[0]
    return float(start[0, 0])


def ruin(has: int = 20, goal: int = 100, winning: int = 18) -> float:
    """Improve the values of all sums of money at once until none of them changes."""
    money, stake = np.meshgrid(np.arange(1, goal), np.arange(1, goal // 2 + 1))
    allowed = stake <= np.minimum(money, goal - money)
    won, lost = np.where(allowed, money + stake, 0), np.where(allowed, money - stake, 0)
    values, p = np.append(np.zeros(goal), 1.0), winning / 38
    while True:
        better = (p * values[won] + (1 - p) * values[lost]).max(axis=0)
        if np.abs(better - values[1:-1]).max() < 1e-15:
            return float(values[has])
        values[1:-1] = better


def secretary(count: int = 100) -> Fraction:
    """Return the expected rank, below 0: back over the number of who have come."""
    rank = Fraction(count + 1, 2)
    for k in range(count - 1, 0, -1):
        some = int(rank * (k + 1) / (count + 1))  # ranks that are better than to go on
        total = Fraction(count + 1, k + 1) * (some * (some + 1) // 2)
        rank = (total + (k - some) * rank) / k
    return -rank


def tic_tac_toe() -> float:
    """Return the value for the first player."""
    wins = ("012", "345", "678", "036", "147", "258", "048", "246")

    @cache
    def value(board: str, mover: str) -> int:
        last = "o" if mover == "x" else "x"
        if any(all(board[int(i)] == last for i in line) for line in wins):
            return -1
        free = [i for i, mark in enumerate(board) if mark == "."]
        after = [f"{board[:i]}{mover}{board[i + 1 :]}" for i in free]
        return max((-value(board, last) for board in after), default=0)

    return value("." * 9, "x")


class Game(NamedTuple):
    """What a table calls a game and a special program, and how each is run."""

    name: str
    ours: Callable[[Any], float | Fraction]
    """Given the script of the game."""
    beside: str = ""
    special: Callable[[], float | Fraction] | None = None


GAMES = {
    "bearoff": Game("bearing off, 15 checkers", by_floats("BearOff")),
    "blackjack": Game("blackjack, one deck", by_floats("OneDeck")),
    "coins": Game(
        *("the race of two coins", by_floats("Race", 100)),
        *("two equations at a time, in Python", lambda: race(100, [*range(1, 9)])),
    ),
    "connect_four": Game(
        *("Connect Four, 4 columns, 4 rows", connect_four),
        *("bits and ``cache``", connect_four_by_bits),
    ),
    "hog": Game(
        *("Hog to 100", by_floats("Hog", 100)),
        *("value iteration of two scores at a time, in NumPy", hog),
    ),
    "house": Game(
        *("red/black, 4000 + 4000 cards", lambda _: redblack.value(4000, 4000)),
        *("NumPy, by numbers of cards", house),
    ),
    "jacks_or_better": Game("Jacks or Better", by_floats("JacksOrBetter")),
    "pig": Game(
        *("Pig to 100", by_floats("Pig", 100)),
        *("value iteration in NumPy, by the sum of the scores", pig),
    ),
    "piglet": Game("Piglet to 10, exactly", by_fractions("Piglet", 10)),
    "ruin": Game(
        *("stakes from 20 to 100", by_floats("Casino", 20, 100, 18)),
        *("value iteration over all stakes, in NumPy", ruin),
    ),
    "secretary": Game(
        "secretary problem, expected rank, exactly",
        by_fractions("Candidates", 100, "rank"),
        *("the recursion over candidates, in fractions", secretary),
    ),
    "tic_tac_toe": Game(
        *("tic-tac-toe", by_fractions("tic_tac_toe")),  # from OpenSpiel
        *("a recursion over boards with a cache, in Python", tic_tac_toe),
    ),
    "yahtzee": Game("Yahtzee", lambda script: script.Solitaire("forced").solve()),
}


def measure(name: str, side: str) -> None:
    """Run one side of a comparison, and print what came out and what it took."""
    game = GAMES[name]
    given = [loaded(name)] if side == "ours" else []
    began = time.process_time()
    value = getattr(game, side)(*given)
    seconds = time.process_time() - began
    print(json.dumps([float(value), seconds, kilobytes() / 1024]))


def measured(name: str, side: str, runs: int) -> tuple[float, float, float]:
    """Return the value of one side, its shortest time and its memory in MiB."""
    found = []
    for _ in range(runs):
        done = run("-m", "tests.tools.classics", "--side", side, name)
        found.append(json.loads(done.stdout))
    value, _, held = found[0]
    return value, min(seconds for _, seconds, _ in found), held


def in_words(seconds: float, held: float) -> list[str]:
    """Return a time with two digits and a memory in MiB."""
    return [f"{float(f'{seconds:.2g}'):g} s", f"{float(f'{held:.2g}'):.0f} MiB"]


def main() -> None:
    """Compare some games or all of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--side", choices=["ours", "special"], help=argparse.SUPPRESS)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    if given.side:
        measure(given.names[0], given.side)
        return
    rows = [HEAD]
    for name in given.names or GAMES:
        game, ours = GAMES[name], measured(name, "ours", given.runs)
        rows.append([game.name, *in_words(*ours[1:]), game.beside, "", ""])
        if game.special:
            special = measured(name, "special", given.runs)
            if abs(ours[0] - special[0]) > 1e-9 * max(1, abs(special[0])):
                sys.exit(f"{name}: {ours[0]!r} here, {special[0]!r} by {game.beside}")
            rows[-1][4:] = in_words(*special[1:])
            print(f"{ours[1] / special[1]:.2f} times:", end=" ")
        print(*rows[-1], sep="; ", flush=True)
    if given.write:
        keep("speed_classics", rows)


if __name__ == "__main__":
    main()
