"""Solve a game of Pairs: in float64 layer by layer, or exactly state by state.

`Solution` has its own module, `solution`, which other modules use without the solver.
"""

from __future__ import annotations

import os
from concurrent.futures import Executor
from fractions import Fraction
from typing import Literal, SupportsIndex, overload

from cardgames_dp import _checks, exact
from cardgames_dp._checks import Backend
from cardgames_dp._effort import real, refuse_too_long
from cardgames_dp._memory import refuse_too_large
from cardgames_dp.pairs._engine import TOLERANCE, checked_tolerance, solved
from cardgames_dp.pairs._kernels.counting import decks_told_apart, most_positions
from cardgames_dp.pairs._kernels.induction import optimal
from cardgames_dp.pairs._kernels.setting import Action
from cardgames_dp.pairs._kernels.turns import State
from cardgames_dp.pairs.rules import Rules
from cardgames_dp.pairs.solution import Solution, solution_of

_STATE_BYTES = 1024
"""About the bytes that a state takes in the exact backend."""
_STATE_SECONDS = 5e-5
"""About the seconds that a state takes in the exact backend."""


@overload
def solve(
    rules: Rules | None = None,
    *,
    backend: Literal["float64"] = "float64",
    tolerance: float = TOLERANCE,
    progress: bool = False,
    executor: Executor | None = None,
    max_bytes: SupportsIndex | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
) -> Solution: ...
@overload
def solve(
    rules: Rules | None = None,
    *,
    backend: Literal["exact"],
    progress: bool = False,
    max_bytes: SupportsIndex | None = None,
) -> exact.Solution[State, Action, Fraction]: ...
@overload
def solve(
    rules: Rules | None = None,
    *,
    backend: Backend,
    tolerance: float = TOLERANCE,
    progress: bool = False,
    executor: Executor | None = None,
    max_bytes: SupportsIndex | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
) -> Solution | exact.Solution[State, Action, Fraction]: ...
def solve(
    rules: Rules | None = None,
    *,
    backend: Backend = "float64",
    tolerance: float = TOLERANCE,
    progress: bool = False,
    executor: Executor | None = None,
    max_bytes: SupportsIndex | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
) -> Solution | exact.Solution[State, Action, Fraction]:
    """Solve a game of Pairs: subgame-perfect play of all players.

    Grade: float64; exact with ``backend="exact"``.

    Parameters
    ----------
    rules : Rules, optional
        The published game of two players, to 31 points, if not given.
    backend : {"float64", "exact"}
        The arithmetic. "exact" uses the general solver :func:`cardgames_dp.exact.solve`
        with ``rules.game()``: in Fractions, state by state, for small decks and low
        targets.
    tolerance : float, default 1e-12
        The largest difference of chances of winning that counts as a tie, in which
        ``rules.tie`` decides; below 1. With 0 rounding errors decide, as in the Pairs
        essay's program. For float64 only: the exact backend finds ties exactly.
    progress : bool, default False
        Show a progress bar, for which `tqdm` is needed (the extra ``progress``).
    executor : concurrent.futures.Executor, optional
        Where to solve vectors of scores with the same total in parallel. Threads share
        the tables, and their sparse products run in parallel. The result does not
        depend on the executor, bit for bit. For float64 only.
    max_bytes : int, optional
        The most memory to use, in bytes; half of this machine's memory if not given.
    checkpoint : path, optional
        A file to which the table is saved after each total of scores. If the file
        exists, the solver continues from it, on any machine, and the result is the
        same, bit for bit. For float64 only.

    Returns
    -------
    Solution or exact.Solution
        In float64 a `Solution`, which stores the table of scores, and computes rounds
        from it on demand. With ``backend="exact"`` the
        :class:`cardgames_dp.exact.Solution` of the game, with tables of every `State`
        that play can reach; its `value` has the same meaning, the chances of winning.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described above; if `tolerance`, `executor` or
        `checkpoint` is given with the exact backend; or if `checkpoint` is a damaged
        file, or one of other rules or another tolerance, which is left unchanged.
    TooLargeError
        If positions or tables would not fit in memory.
    TooLongError
        If it would take more than a week on one core; with the exact backend, also if
        it would take hours without `progress`.
    ModuleNotFoundError
        If `progress` is true and `tqdm` is not installed.

    Notes
    -----
    :doc:`/theory/pairs` explains the algorithm. The time is proportional to the number
    of draws in all positions times the number of vectors of scores, at 1 to 2 ns for
    each player: the published game of two players takes about ten seconds. The exact
    backend takes about 50 µs and 1 kB for each state. There are up to ``2 * players``
    times as many states as positions with scores: states also distinguish the leader,
    and whether a card is being drawn.

    References
    ----------
    The Pairs essay ("Probability and Game Theory in the Card Game Pairs"), which solves
    decks of up to four ranks, and asks for more.

    Examples
    --------
    >>> from cardgames_dp import pairs
    >>> solution = pairs.solve(pairs.Rules(deck=pairs.triangular(3), target=5))
    >>> solution
    Solution(value=(0.448757, 0.551243), players=2, cards=6, target=5, \
reshuffle='round', ties=57)
    >>> exact = pairs.solve(solution.rules, backend="exact")
    >>> exact.value[0], abs(exact.value[0] - solution.value[0]) < 1e-15
    (Fraction(27261969263, 60750000000), True)
    """
    rules = _checks.rules(rules, Rules)
    if _checks.backend(backend) == "exact":
        _refuse_float_only(tolerance, executor, checkpoint)
        return _solved_exactly(rules, progress=progress, max_bytes=max_bytes)
    sweep = solved(
        rules,
        [optimal(rules.players)],
        tolerance=tolerance,
        progress=progress,
        executor=executor,
        max_bytes=max_bytes,
        keep_decisions=True,
        checkpoint=checkpoint,
    )
    return solution_of(rules, sweep)


def _refuse_float_only(tolerance: object, executor: object, checkpoint: object) -> None:
    if checked_tolerance(tolerance) != TOLERANCE:
        raise ValueError(
            "tolerance is for backend='float64': exact ties need none, got "
            f"{_checks.shown(tolerance)}"
        )
    if executor is not None:
        raise ValueError(
            "executor is for backend='float64': the exact backend solves one state "
            f"after another, got {_checks.described(executor)}"
        )
    if checkpoint is not None:
        raise ValueError(
            "checkpoint is for backend='float64': the exact backend writes none, got "
            f"{_checks.described(checkpoint)}"
        )


def _solved_exactly(
    rules: Rules, *, progress: bool, max_bytes: SupportsIndex | None
) -> exact.Solution[State, Action, Fraction]:
    progress = _checks.boolean("progress", progress)
    if max_bytes is not None:
        max_bytes = _checks.integer("max_bytes", max_bytes)
    states = _most_states(rules)
    what = f"the exact solution of up to {_checks.shown(states)} states"
    instead = "use backend='float64', or a smaller deck or target"
    refuse_too_large(what, states * _STATE_BYTES, instead, max_bytes)
    seconds = real(states) * _STATE_SECONDS
    refuse_too_long(what, seconds, instead, progress=progress)
    return exact.solve(rules.game(), max_states=states, progress=progress)


def _most_states(rules: Rules) -> int:
    """Return an upper bound of the number of states.

    A state is a position with scores and a leader, before a decision or a draw; or the
    end of the game, with the loser beyond the target by less than the highest rank.
    """
    n, target, decks = rules.players, rules.target, decks_told_apart(rules)
    going_on: int = 2 * n * target**n * most_positions(rules, decks)
    over: int = n * target ** (n - 1) * rules.ranks[-1] * decks
    return going_on + over
