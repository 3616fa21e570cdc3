"""Solved games of Pairs whose tables come with the package.

A table is small, however long it took to compute, and can be checked without computing
it again: every entry follows from those with higher total scores, by one round. Advice,
rounds and opening tables are derived from it in the same way.

The files are checkpoints of `solve`: ``pairs.solve(rules, checkpoint=file)`` makes such
a file, or continues from it. The tables of three players with nine and ten ranks were
computed with a compiled version of the loop over a layer, with the same order of
operations; with six and with eight ranks it gives the same bits as the solver.
"""

from __future__ import annotations

from pathlib import Path
from typing import SupportsIndex

from cardgames_dp import _checks
from cardgames_dp.pairs._engine import TOLERANCE, checkpoint_of
from cardgames_dp.pairs._kernels.induction import optimal
from cardgames_dp.pairs._kernels.positions import Positions
from cardgames_dp.pairs._kernels.sweep import Sweep
from cardgames_dp.pairs.rules import Rules, triangular
from cardgames_dp.pairs.solution import Solution, solution_of

_FOLDER = Path(__file__).parent / "_data"

SOLVED = ((2, 10), (3, 8), (3, 9), (3, 10))
"""Players and ranks of the games whose tables come with the package."""


def published(
    players: SupportsIndex = 2, ranks: SupportsIndex | None = None
) -> Solution:
    """Return the solution of the published game, or of one with fewer ranks.

    Its table comes with the package; nothing is computed.

    Grade: float64.

    Parameters
    ----------
    players : int, default 2
        2, for a game to 31 points, or 3, for a game to 21.
    ranks : int, optional
        The number of ranks of the deck ``triangular(ranks)``: 10 for two players; 8, 9
        or 10 for three. 10 if not given.

    Returns
    -------
    Solution
        The result of :func:`solve` for ``Rules(players, deck=triangular(ranks))``, bit
        for bit. Its advice computes the positions of one round that can follow the
        given one.

    Raises
    ------
    TypeError, ValueError
        If an argument is not an integer, or there is no such table, or its file was
        damaged after it was installed.

    Examples
    --------
    >>> from cardgames_dp import pairs
    >>> pairs.published()
    Solution(value=(0.480468, 0.519532), players=2, cards=55, target=31, \
reshuffle='round', ties=430)
    >>> three = pairs.published(players=3, ranks=8)
    >>> [round(chance, 4) for chance in three.value]
    [0.6446, 0.6676, 0.6878]
    >>> print(three.advice(hand=[1, 5], others=[[2, 3], [4, 8]], scores=[0, 0, 0]))
    fold, winning 0.659125; a hit wins 0.646018.
    """
    seats = _checks.integer("players", players)
    known = {n: max(most for m, most in SOLVED if m == n) for n, _ in SOLVED}
    if seats not in known:
        raise ValueError(
            f"players must be one of {', '.join(map(str, known))}, got "
            f"{_checks.shown(seats)}; use solve(...) for other games"
        )
    number = known[seats] if ranks is None else _checks.integer("ranks", ranks)
    if (seats, number) not in SOLVED:
        there = ", ".join([str(each) for n, each in SOLVED if n == seats])
        raise ValueError(
            f"ranks must be one of {there} for {seats} players, got "
            f"{_checks.shown(number)}; use solve(...) for other games"
        )
    rules = Rules(seats, triangular(number))
    sweep = Sweep(Positions(rules), [optimal(seats)], TOLERANCE)
    file = _FOLDER / f"{seats}_players_{number}_ranks.npz"
    state = checkpoint_of(file, rules, TOLERANCE).load()
    if state is None:
        raise FileNotFoundError(f"{file} is not there; install cardgames_dp again")
    sweep.restore(state)
    return solution_of(rules, sweep)
