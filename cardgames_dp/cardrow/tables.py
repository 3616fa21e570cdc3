"""Solved rows as tables: turns and sums by the end cards, as Pashevich's report shows.

Rows are the left end of what is left, columns its right end. A cell has an arrow to the
cell that the best turn leads to, down for a card from the left and to the left for one
from the right, and what the players take, the one to move first.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._results.tables import MOST_ROWS, Marked, Table
from cardgames_dp._support.printing import counted, short
from cardgames_dp.cardrow.states import signed

_MOST_SUMS = 2400
"""Sums shown: with many players there are fewer rows and columns, but at least one."""


class Cells(NamedTuple):
    """What is known of some intervals of a row.

    Attributes
    ----------
    leads : ndarray
        What the player to move wins by or, of more than two, takes more than the best
        of the others.
    sums : list of ndarray
        The sums of the player to move, of the next one and so on; with weights the lead
        only, as it does not determine both sums.
    turns : ndarray of int
        How many cards the policy takes, negative from the left.
    ties : ndarray of bool
        Whether several turns are optimal.
    """

    leads: NDArray[Any]
    sums: list[NDArray[Any]]
    turns: NDArray[np.int64]
    ties: NDArray[np.bool_]


def cells(solution: Any, left: NDArray[Any], right: NDArray[Any]) -> Cells:
    """Return what a solution of a row knows of intervals, from the ends of each."""
    game, source = solution.game, solution._source
    taken = len(game.cards) - 1 - right + left
    player = taken % game.num_players
    states = np.column_stack([left, right, player])
    places = source.places(states)
    seats = (player[:, np.newaxis] + np.arange(game.num_players)) % game.num_players
    payoffs = np.take_along_axis(source.payoffs_of(places), seats, axis=1).T
    if game.rules.misere:
        payoffs = 0 - payoffs
    sums = [*payoffs]
    if game.num_players == 2:
        leads = payoffs[0]
        sums = [leads]
        if game.rules.weights is None:
            exact = np.array([0, *game.cards], dtype=object).cumsum()
            total = (exact[right + 1] - exact[left]).astype(leads.dtype)
            sums = [(total + leads) / 2, (total - leads) / 2]
    else:
        best = np.min if game.rules.misere else np.max
        leads = payoffs[0] - best(payoffs[1:], axis=0)
    index, _ = source.best_of(places)
    chosen = source.chosen_of(places)
    if isinstance(chosen, tuple):  # the first of the optimal turns of a mixture
        first = np.unique(chosen[0], return_index=True)[1]
        chosen = chosen[1][first]
    ties = np.bincount(index, minlength=len(left)) > 1
    return Cells(leads, sums, signed(chosen), ties)


def sheet(solution: Any) -> Table:
    """Return the table of the intervals of a row; a star marks ties.

    Of a long row it is the corner of the intervals that are met first: arrows lead from
    cell to cell, so that no rows between them can be left out.
    """
    cards = solution.game.cards
    n = len(cards)
    most = math.isqrt(_MOST_SUMS // max(2, solution.game.num_players))
    most = min(n, MOST_ROWS, max(1, most))
    rights = range(n - most, n)
    left, right = np.indices((most, most)).reshape(2, -1)
    right = right + n - most
    some = left <= right
    left, right = left[some], right[some]
    known = cells(solution, left, right)
    texts: dict[tuple[int, int], object] = {}
    for i, place in enumerate(zip(left.tolist(), right.tolist(), strict=True)):
        arrow = _arrow(int(known.turns[i])) if place[0] < place[1] else ""
        numbers = ":".join([_short(sums[i]) for sums in known.sums])
        text = f"{arrow} {numbers}".strip()
        texts[place] = Marked(text) if known.ties[i] else text
    rows = [
        [_short(cards[i]), *[texts.get((i, j), "") for j in rights]]
        for i in range(most)
    ]
    tie = "; *: a tie" * bool(known.ties.any())
    after = " and the sums of the player to move and of the others"
    if len(known.sums) == 1:
        after = " and what the player to move wins by"
    notes = [
        "rows: left end card; columns: right end card",
        f"cells: turn (↓ left, ← right{tie}){after}",
    ]
    cut = f"the first {most} rows and the last {most} columns of {n} shown"
    head = ["left \\ right", *[_short(cards[j]) for j in rights]]
    whole = known.leads[(left == 0) & (right == n - 1)]
    backend = "float64" if isinstance(solution.value, float) else "exact"
    word = "value" if whole[0] == solution.value else "lead"
    title = f"{counted(n, 'card')}, {backend}: {word} {_short(whole[0])}"
    return Table(head, rows, [*notes, *[cut] * (most < n)], title)


def _arrow(turn: int) -> str:
    """Return where a turn leads to."""
    return ("↓" if turn < 0 else "←") + ("" if abs(turn) == 1 else str(abs(turn)))


def _short(number: Any) -> str:
    return short(number.item() if isinstance(number, np.generic) else number, digits=4)
