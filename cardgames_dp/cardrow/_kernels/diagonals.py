"""Any rules, by diagonals: all intervals of the same length in one NumPy operation.

The cards left are always an interval of the row, from card i to card j, and the sums
that the players will still take depend only on it. Let s_p(i, j) be the sum of the p-th
player, counted from the one to move. After a turn of c cards from the left, worth g::

    s_0(i, j) = g + s_last(i + c, j),    s_p(i, j) = s_(p-1)(i + c, j),

and in the same way from the right. The player to move takes the best s_0. The intervals
of one length, a *diagonal* of the table, depend only on shorter ones. O(n**2 k m) time
for n cards, up to k a turn and m players; O(n k m) memory.

This is the dynamic programme of Pashevich's report, whose mySum and oppSum are s_0 and
s_1. For two players for whom the cards have the same values, the lead of the player to
move is enough, v = s_0 - s_1: a turn makes it ``g - v(i + c, j)``.

Short rows of one length, each a game of its own, are solved side by side: one NumPy
operation handles thousands of rows, which for up to about a hundred cards outweighs the
quadratic time. (Collapsing the peaks of all rows at once, repeatedly until none is
left, is slower for up to fifty cards, and at best three times as fast as collapsing one
long row after another.)

References
----------
Pashevich and others ("APP2: Hold'em for n00bs"), section 4.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._support.running import refuse_too_large, with_progress
from cardgames_dp.cardrow._kernels import collapse, row
from cardgames_dp.cardrow._kernels.row import Exact, Instance, Row, RuleSet


def leads(rows: NDArray[Any], take: int) -> Iterator[NDArray[Any]]:
    """Yield the leads of the player to move, one of two, without turns and ties.

    They are those of the intervals of each length from 1 to the whole row, from left to
    right: of shape (..., intervals) for rows of shape (..., n). Values, tables and
    optimal players of two are made of this sweep. Its order in memory is that of the
    results: many short rows are fastest in Fortran's order, side by side.
    """
    n = rows.shape[-1]
    _refuse(rows.dtype, n, take, rows.size // n)
    gains = runs(rows, take)
    nothing = np.zeros_like(rows, shape=(*rows.shape[:-1], n + 1))
    shorter = deque([nothing], maxlen=len(gains))
    for length in lengths(n):
        here = n + 1 - length
        left = right = None
        for count, (gain, after) in enumerate(zip(gains, shorter, strict=False), 1):
            taken = gain[..., :here] - after[..., count:]
            left = taken if left is None else np.maximum(left, taken, out=left)
            taken = gain[..., length - count :] - after[..., :here]
            right = taken if right is None else np.maximum(right, taken, out=right)
        assert left is not None
        assert right is not None
        best: NDArray[Any] = np.maximum(left, right, out=left)
        yield best
        shorter.appendleft(best)


Turns: TypeAlias = tuple[NDArray[Any], Any]
"""A turn at each of several intervals of one length, from left to right.

The sums that it leads to, shape (players, intervals), the player to move first; and
how many cards it takes, negative from the left: one number if all take as many.
"""


def sweep(instance: Instance) -> Iterator[Turns]:
    """Yield the best turns by the tie rule, for all lengths from 1 to the whole row.

    Sums are of the cards of `Instance.objective`, in integers. Single cards are taken
    from the left.
    """
    rules, worths = instance.rules, row.exact_array(instance.worths[0])[0]
    cards = -worths if rules.misere else worths
    n = len(cards)
    _refuse(cards.dtype, n, rules.take, rules.players)
    gains = runs(cards, rules.take)
    code = np.min_scalar_type(-len(gains) - 1).type
    nothing = np.zeros((rules.players, n + 1), cards.dtype)
    shorter = deque([nothing], maxlen=len(gains))
    for length in lengths(n):
        here = n + 1 - length
        left = right = None
        for count, (gain, after) in enumerate(zip(gains, shorter, strict=False), 1):
            turn = _turn(gain[:here], after[:, count:], code(-count))
            left = turn if left is None else _better(left, turn)
            if count < length:
                turn = _turn(gain[length - count :], after[:, :here], code(count))
                right = turn if right is None else _better(right, turn)
        assert left is not None
        best = left
        if right is not None:
            ends = worths[:here], worths[length - 1 :]
            best = _better(left, right, row.prefers_right(rules.tie, *ends))
        yield best
        shorter.appendleft(best[0])


def _turn(
    gain: NDArray[Any], after: NDArray[Any], code: np.signedinteger[Any]
) -> Turns:
    """Return a turn with the sums of all players, the player to move first."""
    sums = np.roll(after, 1, axis=0)  # who was next is now to move
    sums[0] += gain
    return sums, code


def _better(first: Turns, second: Turns, prefers_second: Any = False) -> Turns:
    """Return the better one of two turns for the player to move."""
    (sums, codes), (others, other_codes) = first, second
    mine, its = sums[0], others[0]
    chosen = (its > mine) | ((its == mine) & prefers_second)
    return np.where(chosen, others, sums), np.where(chosen, other_codes, codes)


def runs(worths: NDArray[Any], take: int) -> list[NDArray[Any]]:
    """Return for 1, 2, ... cards a turn what they are worth, wherever they begin."""
    gains = [worths]
    for count in range(2, min(take, worths.shape[-1]) + 1):
        gains.append(gains[-1][..., :-1] + worths[..., count - 1 :])
    return gains


def _refuse(dtype: np.dtype[Any], cards: int, take: int, numbers: int) -> None:
    """Refuse a sweep that would take too much memory."""
    most = min(take, cards)
    what = (
        f"a sweep over {cards} cards with up to {most} a turn and {numbers} numbers "
        "an interval"
    )
    instead = "allow fewer cards a turn, or fewer players"
    needed = sweep_bytes(cards, most, numbers, dtype.itemsize)
    refuse_too_large(what, needed, instead)


def sweep_bytes(cards: int, take: int, numbers: int, itemsize: int) -> int:
    """Return about the bytes that a sweep takes, with the parameters of `_refuse`.

    It keeps as many diagonals, and as many rows of gains, as there are cards a turn.
    """
    return 2 * cards * take * numbers * itemsize


def lengths(n: int, first: int = 1) -> Iterable[int]:
    """Return the lengths of intervals up to n, counting intervals on a bar."""
    every, longer = range(first, n + 1), n + 1 - first
    total = longer * (longer + 1) // 2
    return with_progress(every, total, "intervals", lambda length: n + 1 - length)


def sum_table(instance: Instance) -> NDArray[Any]:
    """Return what players get in all intervals, by the best turns.

    In the unit of `Instance.objective`, indexed ``[player, left, right + 1]`` with the
    player to move first, so that what is on the diagonal is that of no cards. Of two
    players it is the lead of the player to move, indexed ``[left, right + 1]``.
    """
    rules, shape = instance.rules, tuple[int, ...]()
    every: Iterable[NDArray[Any]]
    if rules.players == 2:
        every = leads(row.exact_array(instance.objective)[0], rules.take)
    else:
        shape = (rules.players,)
        every = (sums for sums, _ in sweep(instance))
    cells = table(shape, instance)
    for length, sums in enumerate(every, 1):
        diagonal(cells, length)[...] = sums
    return cells


def table(
    shape: tuple[int, ...], instance: Instance, *, exact: bool | None = None
) -> NDArray[Any]:
    """Return a table of zeros for all intervals, unless it would not fit in memory.

    Of Python integers or, if not exact, of floats; if not given, of integers that fit.
    """
    rules = instance.rules
    kinds: dict[bool | None, Any] = {True: object, False: np.float64}
    kind = np.dtype(kinds.get(exact, row.exact_array(instance.objective).dtype))
    n, size = len(instance.objective), 8
    if kind.hasobject:
        bits = sum(map(abs, instance.objective)).bit_length() + (n if exact else 0)
        size += _INTEGER_BYTES + bits // 8
    refuse_too_large(
        f"a table of {n} x {n} intervals",
        math.prod(shape) * (n + 1) ** 2 * size,
        "use value(...)"
        + " or match(cards), which need no table" * row.is_linear(rules),
    )
    return np.zeros((*shape, n + 1, n + 1), kind)


_INTEGER_BYTES = 28
"""Bytes of a Python integer besides its digits."""


def diagonal(cells: NDArray[Any], offset: int) -> NDArray[Any]:
    """Return the cells ``[..., l, l + offset]`` of a new table, as a view."""
    *outer, n, _ = cells.shape
    flat = cells.reshape(*outer, n * n)
    return flat[..., offset : (n - offset) * n : n + 1]


Method: TypeAlias = Literal["auto", "collapse", "diagonal"]


def value(instance: Instance, method: Method = "auto") -> Exact:
    """Return what the first player wins by; of more than two, less the best other."""
    rules = instance.rules
    if rules.players > 2:
        every = deque(sweep(instance), maxlen=1).pop()[0][:, 0].tolist()
        ahead = every[0] - max(every[1:])
        return instance.unit.exact(-ahead if rules.misere else ahead)
    cards = instance.objective
    if method != "diagonal" and row.is_linear(rules):
        return instance.lead(collapse.value(cards))
    last = deque(leads(row.exact_array(cards)[0], rules.take), maxlen=1).pop()
    return instance.lead(int(last[0]))


_MOST_CARDS = 128
"""The largest number of cards at which rows side by side are faster than one by one."""

_MOST_SIDE_BY_SIDE = 2**14
"""Cards in all rows side by side: many rows, but few enough for a cache."""


def of_rows(rows: list[Row], rules: RuleSet) -> list[Exact]:
    """Return the values of rows of one length."""
    if len(rows[0].numerators) <= _MOST_CARDS:
        denominator = math.lcm(*{each.denominator for each in rows})
        cards = row.exact_array(*[each.over(denominator) for each in rows])
        result = of_matrix(cards, denominator, rules)
        if result is not None:
            leads, scale, whole = result
            return [
                Row([], scale, each.integral and whole).exact(lead)
                for each, lead in zip(rows, leads.tolist(), strict=True)
            ]
    return [value(Instance.of(rules, each)) for each in rows]


def of_matrix(
    cards: NDArray[Any], denominator: int, rules: RuleSet
) -> tuple[NDArray[np.int64], int, bool] | None:
    """Return the values of rows side by side, their denominator, and if they are whole.

    The cards are given times a denominator; None where rows are to be solved one by
    one.
    """
    count, length = cards.shape
    weights = row.weights_of(rules, length)
    if length > _MOST_CARDS or rules.players > 2:
        return None
    scale = (
        denominator if weights is None else math.lcm(denominator, weights.denominator)
    )
    second = [0] * length if weights is None else weights.over(scale)
    factor = scale // denominator
    largest = max(int(cards.max()), -int(cards.min()), 1) * factor
    if length * largest + sum(map(abs, second)) >= row.LARGEST_SUM:
        return None
    own = cards.astype(np.int64) * factor
    objective = own + np.array(second)
    if rules.misere:
        objective = -objective
    ahead, size = np.empty(count, np.int64), max(1, _MOST_SIDE_BY_SIDE // length)
    parts = [slice(start, start + size) for start in range(0, count, size)]
    for part in with_progress(parts, count, "games", lambda part: len(objective[part])):
        every = leads(np.asfortranarray(objective[part]), rules.take)
        ahead[part] = deque(every, maxlen=1).pop()[:, 0]
    if rules.misere:
        ahead = -ahead
    if weights is not None:
        ahead = (ahead + own.sum(axis=1) - sum(second)) // 2
    return ahead, scale, weights is None or weights.integral
