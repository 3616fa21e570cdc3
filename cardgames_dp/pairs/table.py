"""Solving Pairs in float64."""

from __future__ import annotations

from concurrent.futures import Executor

from cardgames_dp import _checks
from cardgames_dp.pairs._kernels.induction import Profile, optimal
from cardgames_dp.pairs._kernels.positions import Positions
from cardgames_dp.pairs._kernels.sweep import Sweep
from cardgames_dp.pairs.rules import Rules
from cardgames_dp.pairs.solution import Solution

TOLERANCE = 1e-12
"""Chances of winning are taken for equal that differ by so much: exact ties come out of
the arithmetic with differences of up to some 1e-16, and others have not been met below
some 1e-12."""


def solve(
    rules: Rules | None = None,
    *,
    tolerance: float = TOLERANCE,
    progress: bool = False,
    executor: Executor | None = None,
    max_bytes: int | None = None,
) -> Solution:
    """Solve a game of Pairs: subgame-perfect play of all players.

    Grade: float64.

    Parameters
    ----------
    rules : Rules, optional
        Two players with the published deck, to 31 points, if not given.
    tolerance : float, default 1e-12
        Chances of winning that differ by so much at most count as equal, and
        ``rules.tie`` decides; below 1. With 0 the noise of the arithmetic decides, as
        in document 004's program.
    progress : bool, default False
        Show a progress bar, for which `tqdm` is needed (the extra ``progress``).
    executor : concurrent.futures.Executor, optional
        Where to solve vectors of scores with the same total side by side. Threads share
        the tables, and the sparse products in them run side by side. The result is the
        same, bit for bit, whatever the executor.
    max_bytes : int, optional
        The most memory to use; half of this machine's if not given.

    Returns
    -------
    Solution
        Only the table of scores is kept; rounds are made from it when asked for.

    Raises
    ------
    TypeError, ValueError
        If an argument is none of the kinds above.
    TooLargeError
        If positions or tables would not fit in memory.
    TooLongError
        If it would take more than a week on one core.
    ModuleNotFoundError
        If `progress` is asked for and `tqdm` is not installed.

    Notes
    -----
    The kernels `positions`, `induction` and `sweep` tell how it is done.
    Time grows as the number of draws in all positions times that of vectors of scores,
    some 2 ns for each player: the published game of two players takes some ten seconds.

    References
    ----------
    Document 004 ("Probability and Game Theory in the Card Game Pairs"), which solves
    decks of up to four ranks, and asks for more.

    Examples
    --------
    >>> from cardgames_dp import pairs
    >>> solution = pairs.solve(pairs.Rules(deck=pairs.triangular(3), target=5))
    >>> solution
    Solution(value=(0.448757, 0.551243), players=2, cards=6, target=5, \
reshuffle='round', ties=57)
    >>> solution.value[0] - 27261969263 / 60750000000 < 1e-15  # the exact one
    True
    """
    rules = _checks.rules(rules, Rules)
    sweep = solved(
        rules,
        [optimal(rules.players)],
        tolerance=tolerance,
        progress=progress,
        executor=executor,
        max_bytes=max_bytes,
        keep_decisions=True,
    )
    gaps = sweep.gaps
    solution = Solution(
        rules,
        "layers",
        sweep.tolerance,
        sweep.tables[0],
        gaps.ties,
        gaps.largest_tie,
        gaps.smallest_lead,
        gaps.doubtful,
    )
    object.__setattr__(solution, "_sweep", sweep)
    return solution


def checked_tolerance(tolerance: object) -> float:
    """Return the largest difference of two chances that counts as none."""
    amount = _checks.amount("tolerance", tolerance)
    if amount >= 1:
        raise ValueError(f"tolerance must be below 1, got {_checks.shown(tolerance)}")
    return float(amount)


def solved(
    rules: Rules,
    profiles: list[Profile],
    *,
    tolerance: float,
    progress: bool,
    executor: Executor | None,
    max_bytes: int | None = None,
    keep_decisions: bool = False,
) -> Sweep:
    """Return the tables of profiles and of their turns."""
    tolerance = checked_tolerance(tolerance)
    progress = _checks.boolean("progress", progress)
    side_by_side = _checks.mapper(executor)
    if max_bytes is not None:
        max_bytes = _checks.integer("max_bytes", max_bytes)
    positions = Positions(rules, max_bytes)
    sweep = Sweep(positions, profiles, tolerance, max_bytes)
    sweep.run(side_by_side, progress=progress, keep_decisions=keep_decisions)
    return sweep
