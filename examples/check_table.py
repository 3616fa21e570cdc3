"""Check value tables of Pig and red/black, by the rules and without the library.

Takes a file, a game and its size: ``table.npz pig 100``, ``table.npz red_black 26 26``.
It knows these two games, red/black by the classic rules. The page "Save and share" says
what is checked. All arithmetic is exact.
"""

import json
import math
import re
import sys
from collections import Counter
from decimal import ROUND_CEILING, Context, Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np

ONE = 2**1074
"""Every float is a whole multiple of 1 / ONE."""

NUMBER = re.compile("-?[0-9]+(/0*[1-9][0-9]*)?")

CHECKED = {
    *("head", "states", "initial", "players", "offsets", "following", "weights"),
    *("values", "certificate", "returns", "optimal", "actions", "answers"),
    *("rewards", "paid"),
}
NOT_CHECKED = {"blocks", "components", "endless", "possible", "turned"}
HEAD = {"format", "version", "form", "numbers", "error"}
"""The facts in the head that are checked."""


def pig(state: Any, goal: int) -> Any:
    """Return who moves, where to by which action or weight, and what the end pays."""
    turn, own, other, mover, last = state
    if last == 2:
        return -4, {}, (1 - mover, mover)
    if last == 0:
        hold = {0: (0, other, own + turn, 1 - mover, 0)} if turn else {}
        return mover, {**hold, 1: (turn, own, other, mover, 1)}, ()
    after = [(turn + face, own, other, mover, 0) for face in range(2, 7)]
    after = [(0, 0, 0, mover, 2) if s[0] + own >= goal else s for s in after]
    return -1, Counter([(0, other, own, 1 - mover, 0), *after]), ()


def red_black(state: Any) -> Any:
    """Return the same for red/black, and what is paid on the way to other states."""
    red, black, moment = state  # 0: the player decides, 1: stop, 2: draw
    if moment == 1 or red + black == 0:
        return -4, {}, (0,), {}
    if moment == 0:
        return 0, {action: (red, black, action) for action in (1, 2)}, (), {}
    drawn = {(red - 1, black, 0): red, (red, black - 1, 0): black}
    pay = dict(zip(drawn, [(1,), (-1,)], strict=True))
    return -1, {after: left for after, left in drawn.items() if left}, (), pay


def require(right: Any, otherwise: str) -> None:
    """Stop if something is wrong."""
    if not right:
        raise ValueError(otherwise)


def exact(array: Any, *shape: int) -> Any:
    """Return the numbers of an array of some shape, or of its text, as fractions."""
    if array.dtype == np.uint8 and array.ndim == 1:
        numbers = bytes(array).decode().split("\n") if array.size else []
        right = all(map(NUMBER.fullmatch, numbers))
    else:
        numbers = array.ravel().tolist()
        right = array.dtype.kind in "if" and array.shape == shape
    require(right and len(numbers) == math.prod(shape), f"numbers not of shape {shape}")
    return [Fraction(number) for number in numbers]


def scaled(numbers: Any) -> Any:
    """Return fractions times ONE, as integers where they are."""
    products = [x * ONE for x in numbers]
    return [x.numerator if x.denominator == 1 else x for x in products]


def whole(array: Any, size: int, low: int, high: int) -> Any:
    """Return the integers of a list, from `low` to below `high`."""
    right = array.dtype.kind == "i" and array.shape == (size,)
    right = right and ((array >= low) & (array < high)).all()
    require(right, f"no {size} integers from {low} to below {high}")
    return array.tolist()


def named(table: Any, form: str, players: Any, counts: Any) -> Any:
    """Yield the labels of the actions of each state, none where nobody decides."""
    decisions = [
        n if mover >= 0 else 0 for mover, n in zip(players, counts, strict=True)
    ]
    if form == "states":
        lists = [json.loads(x) for x in bytes(table["actions"]).decode().split("\n")]
        answers = whole(table["answers"], len(players), -1, len(lists))
        yield from (
            [*lists[k]] if n else [] for k, n in zip(answers, decisions, strict=True)
        )
        return
    actions, first = table["actions"], 0
    right = actions.dtype.kind == "i" and len(actions) == sum(decisions)
    require(right, "not as many integers as actions")
    for count in decisions:
        yield actions[first : first + count].tolist()
        first += count


def up(number: Any) -> str:
    """Return a number with two digits, rounded up."""
    fraction = Fraction(number) / ONE
    context = Context(prec=2, rounding=ROUND_CEILING)
    top, bottom = Decimal(fraction.numerator), Decimal(fraction.denominator)
    return f"{context.divide(top, bottom):.2g}"


def check(table: Any, start: Any, rules: Any) -> str:
    """Return what the table proves, or in which state it is wrong."""
    if "certificate" not in table:
        return "no proof: the table has no certificate that play ends"
    try:
        return proved(table, start, rules)
    except ValueError as error:
        return f"wrong: {error}"
    except Exception as error:  # which another content may raise
        return f"wrong: no value table ({error!r})"


def proved(table: Any, start: Any, rules: Any) -> str:
    """Return what the table proves.

    Raises
    ------
    Exception
        Of any kind, if it is no right table.
    """
    strange = sorted(set(table) - CHECKED - NOT_CHECKED)
    require(not strange, f"the rules know of no {strange}")
    head = json.loads(bytes(table["head"]))
    require(head["format"] == "cardgames_dp value table", "another format")
    require(head["version"] == 1, "another version")
    require(head["form"] in ("states", "arrays"), "another form")
    states = table["states"].tolist()
    if head["form"] == "states":
        states = map(json.loads, bytes(table["states"]).decode().split("\n"))
    states, moves = [tuple(state) for state in states], len(table["following"])
    size = len(states)
    require(len(set(states)) == size, "a state is there twice")
    players = whole(table["players"], size, -4, 1000)
    offsets = whole(table["offsets"], size + 1, 0, moves + 1)
    counts = [after - before for before, after in pairwise(offsets)]
    require(min(counts) >= 0 and sum(counts) == moves, "moves of no state")
    following = whole(table["following"], moves, 0, size)
    (begin,) = whole(table["initial"], 1, 0, size)
    require(states[begin] == start, "another start")
    count = len(rules(states[players.index(-4)])[2])
    none = (0,) * count
    paid = [none] * moves
    paying = len(rules(start)) == 4
    right = all(paying == (name in table) for name in ("rewards", "paid"))
    require(right, "other payments on the way")
    if paying:
        rows = len(table["rewards"])
        each = scaled(exact(table["rewards"], rows, count))
        each = [tuple(each[i : i + count]) for i in range(0, len(each), count)]
        paid = [each[row] for row in whole(table["paid"], moves, 0, rows)]
    values = scaled(exact(table["values"], size, count))
    falling = scaled(exact(table["certificate"], size, count))
    columns = [(values[i::count], falling[i::count]) for i in range(count)]
    most = [max(c) or ONE for _, c in columns]
    returns = iter(exact(table["returns"], players.count(-4), count))
    weights = exact(table["weights"], moves)
    require(all(w.denominator == 1 for w in weights), "weights that are no integers")
    weights = [w.numerator for w in weights]
    require(type(head["error"]) in (int, float), "no number as error")
    (error,) = scaled([Fraction(head["error"])])
    require(min(error, *falling, *weights, 0) == 0, "numbers below 0")
    require(not error or head["numbers"] == "float64", "exact numbers with an error")
    best = table["optimal"]
    require(best.dtype == bool and best.shape == (moves,), "no marks of all moves")
    sums, best, cost, others = set(), best.tolist(), 0, 0
    labels = named(table, head["form"], players, counts)
    for place, (state, names) in enumerate(zip(states, labels, strict=True)):
        mover, by_rules, pays, *on_the_way = rules(state)
        found: Any = Counter()
        here = slice(offsets[place], offsets[place + 1])
        after = list(zip(following[here], weights[here], best[here], strict=True))
        now = paid[here]
        if on_the_way:
            due = [on_the_way[0].get(states[t], none) for t, *_ in after]
            right = now == [tuple([x * ONE for x in pay]) for pay in due]
            require(right, f"{state} pays otherwise")
        if mover >= 0:
            actions = [tuple(x) if isinstance(x, list) else x for x in names]
            found = dict(zip(actions, [states[t] for t, *_ in after], strict=False))
            require(len(found) == len(after) == len(names), f"{state} has other moves")
        else:
            for t, weight, _ in after:
                found[states[t]] += weight
        right = players[place] == mover and dict(found) == dict(by_rules)
        require(right, f"{state} has other moves")
        last = [next(returns) for _ in pays]
        require(last == [*pays] and len(pays) in (0, count), f"{state} pays otherwise")
        sums |= {sum(pays)} if pays else set()
        for i, (v, c) in enumerate(columns):
            each = [
                (v[t] + pay[i] - v[place], c[place] - c[t], w)
                for (t, w, _), pay in zip(after, now, strict=True)
            ]
            mean, drop = (sum(w * step[k] for *step, w in each) for k in (0, 1))
            steps = [(gain, fall) for gain, fall, _ in each if mover == i]
            steps += [(mean, drop), (-mean, drop)]
            if pays:
                gain = pays[i] * ONE - v[place]
                steps = [(gain, c[place]), (-gain, c[place])]
            right = all(gain * most[i] <= error * fall for gain, fall in steps)
            ends = not after or min(fall for _, fall in steps) > 0
            require(right and ends, f"the value of {state} for player {i}")
        if mover < 0:
            require(not any(best[here]), f"{state} has optimal actions")
            continue
        v, _ = columns[mover]
        worth = [
            (v[t] + pay[mover], mark)
            for (t, _, mark), pay in zip(after, now, strict=True)
        ]
        marked = [x for x, mark in worth if mark]
        rest = [x for x, mark in worth if not mark]
        policy = marked and not any(weight for _, weight, mark in after if not mark)
        require(policy, f"the policy in {state}")
        top, low, high = max(marked + rest), min(marked), max(marked)
        right = top - low <= 2 * error and all(x < high + 2 * error for x in rest)
        require(right, f"other actions are optimal in {state}")
        cost = max(cost, top - low)
        others += sum(top - x <= 2 * error for x in rest)
    verdict = f"a solution, with an error of at most {up(error)}"
    if count == 2 and len(sums) == 1 and not any(map(sum, paid)):
        (total,) = sums
        pairs = zip(values[::2], values[1::2], strict=True)
        gap = max(abs(x + y - total * ONE) for x, y in pairs)
        verdict = f"a solution, with an error of at most {up(error + gap)}"
    elif count > 1:
        verdict = (
            f"a solution: an equilibrium whose values have an error of at most "
            f"{up(error)}, and in which no player gains more than {up(2 * error)}"
        )
    facts = sorted((set(table) & NOT_CHECKED) | set(head) - HEAD)
    return (
        f"{verdict}\nactions marked as optimal cost at most {up(cost + 2 * error)}; "
        f"{others} others may be as good\nnot checked: {', '.join(facts)}"
    )


def read(path: str) -> Any:
    """Return the arrays of a file, none of which is made of Python's objects."""
    with np.load(path, allow_pickle=False) as file:
        require(len(set(file.files)) == len(file.files), "an array is there twice")
        return {name: file[name] for name in file.files}


if __name__ == "__main__":
    path, game, *sizes = [*sys.argv[1:], "", ""]
    size = [int(each) for each in sizes if each.isdecimal()]
    known = {"pig": 1, "red_black": 2}.get(game)
    if known != len(size) or len(sys.argv) != 3 + known:
        sys.exit(__doc__ if sys.argv[1:] else print(__doc__))
    begin, rules = (*size, 0), red_black
    if game == "pig":
        begin, rules = (0,) * 5, lambda state: pig(state, *size)
    try:
        verdict = check(read(path), begin, rules)
    except Exception as error:  # which any other file may raise
        verdict = f"wrong: no value table ({error!r})"
    print(verdict)
    sys.exit(not verdict.startswith("a solution"))
