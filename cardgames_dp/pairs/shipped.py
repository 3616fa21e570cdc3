"""Games of Pairs that have been solved already: their tables come with the package.

A table is small, whatever it took to make it, and is checked without being made again:
every entry follows from those of higher totals of scores, by one round. Advice, rounds
and opening tables are derived from it in the same way.

The files are checkpoints of `solve`, so that ``pairs.solve(rules, checkpoint=file)``
makes one, or goes on with one. The tables of three players with nine and ten ranks were
made with the loop over a layer compiled, in the same order of operations: with six and
with eight ranks that gives the same bits as the solver.
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
"""Players and ranks of the games whose tables are there."""


def published(
    players: SupportsIndex = 2, ranks: SupportsIndex | None = None
) -> Solution:
    """Return the solution of the game with the published deck, or fewer ranks of it.

    Its table comes with the package; nothing is solved.

    Grade: float64.

    Parameters
    ----------
    players : int, default 2
        To 31 points for two, to 21 for three.
    ranks : int, optional
        How many: one 1, two 2s and so on; the most that there are if not given. Two
        players have all ten, three players eight, nine or all ten.

    Returns
    -------
    Solution
        As :func:`solve` returns it for ``Rules(players, deck=triangular(ranks))``, bit
        for bit. Its advice derives one round from the table, as far as that may follow
        the position.

    Raises
    ------
    TypeError, ValueError
        If an argument is not an integer, or there is no such table.

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
            f"{_checks.shown(seats)}; other games are solved by solve(...)"
        )
    number = known[seats] if ranks is None else _checks.integer("ranks", ranks)
    if (seats, number) not in SOLVED:
        there = ", ".join([str(each) for n, each in SOLVED if n == seats])
        raise ValueError(
            f"ranks must be one of {there} for {seats} players, got "
            f"{_checks.shown(number)}; other games are solved by solve(...)"
        )
    rules = Rules(seats, triangular(number))
    sweep = Sweep(Positions(rules), [optimal(seats)], TOLERANCE)
    file = _FOLDER / f"{seats}_players_{number}_ranks.npz"
    sweep.restore(checkpoint_of(file, rules, TOLERANCE).load())
    return solution_of(rules, sweep)
