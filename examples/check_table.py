"""Check value tables of Pig and red/black, by the rules and without the library.

Takes a file, a game and its size: ``table.npz pig 100``, ``table.npz red_black 26 26``.
The page "Save and share results" says what is checked. All arithmetic is exact.
"""

import json
import sys
from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np

ONE = 2**1074
"""Every float is a whole multiple of 1 / ONE."""


def pig(state: Any, goal: int) -> Any:
    """Return who moves, the weights of all next states, and what the end pays."""
    turn, own, other, mover, last = state
    if last == 2:
        return -4, {}, (1 - mover, mover)
    if last == 0:
        hold = {(0, other, own + turn, 1 - mover, 0): 1} if turn else {}
        return mover, {**hold, (turn, own, other, mover, 1): 1}, ()
    after = [(turn + face, own, other, mover, 0) for face in range(2, 7)]
    after = [(0, 0, 0, mover, 2) if s[0] + own >= goal else s for s in after]
    return -1, Counter([(0, other, own, 1 - mover, 0), *after]), ()


def red_black(state: Any, reds: int, blacks: int) -> Any:
    """Return the same for red/black."""
    red, black, decision = state
    if decision == "stop" or red + black == 0:
        return -4, {}, [reds - red - (blacks - black)]
    if decision == "draw":
        drawn = {(red - 1, black, ""): red, (red, black - 1, ""): black}
        return -1, {after: left for after, left in drawn.items() if left}, ()
    return 0, {(red, black, "stop"): 1, (red, black, "draw"): 1}, ()


def exact(array: Any) -> Any:
    """Return numbers times ONE."""
    text = array.dtype == np.uint8
    numbers = bytes(array).decode().split() if text else array.ravel().tolist()
    found = [Fraction(number) * ONE for number in numbers]
    return [x.numerator if x.denominator == 1 else x for x in found]


def check(table: Any, start: Any, rules: Any) -> str:
    """Return what the table proves, or in which state it is wrong."""
    if "certificate" not in table:
        return "no proof: the table has no certificate that play ends"
    head, states = json.loads(bytes(table["head"])), table["states"].tolist()
    if head["form"] == "states":
        states = map(json.loads, bytes(table["states"]).decode().split("\n"))
    states, count = [tuple(state) for state in states], table["certificate"].shape[1]
    names = ("players", "offsets", "following", "weights")
    players, offsets, following, weights = (table[name].tolist() for name in names)
    values, falling = exact(table["values"]), exact(table["certificate"])
    columns = [(values[i::count], falling[i::count]) for i in range(count)]
    most = [max(c) or ONE for _, c in columns]
    error = int(Fraction(head["error"]) * ONE)
    begins = states[table["initial"][0]] == start
    if not begins or min(error, *falling, *weights) < 0:
        return "wrong: another start, or numbers below 0"
    for place, state in enumerate(states):
        (mover, moves, pays), found = rules(state), Counter[Any]()
        here = slice(offsets[place], offsets[place + 1])
        after = list(zip(following[here], weights[here], strict=True))
        for to, weight in after:
            found[states[to]] += weight if mover == -1 else 1
        if players[place] != mover or found != moves:
            return f"wrong: {state} has other moves"
        for i, (v, c) in enumerate(columns):
            each = [(v[t] - v[place], c[place] - c[t], w) for t, w in after]
            mean, drop = (sum(w * step[k] for *step, w in each) for k in (0, 1))
            steps = [(gain, fall) for gain, fall, _ in each if mover == i]
            steps += [(mean, drop), (-mean, drop)]
            if pays:
                gain = pays[i] * ONE - v[place]
                steps = [(gain, c[place]), (-gain, c[place])]
            right = [gain * most[i] <= error * fall for gain, fall in steps]
            if not all(right) or (after and min(fall for _, fall in steps) <= 0):
                return f"wrong: the value of {state} for player {i}"
    return f"a solution, with an error of at most {head['error']:.2g}"


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(print(__doc__))
    path, game, *sizes = sys.argv[1:]
    size = [int(each) for each in sizes]
    begin, named = ((0,) * 5, pig) if game == "pig" else ((*size, ""), red_black)
    print(check(np.load(path), begin, lambda state: named(state, *size)))
