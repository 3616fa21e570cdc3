"""Solving a game of Pairs: in float64 layer by layer, or exactly state by state.

What `solve` returns has a module of its own, `solution`, which simulations and other
results need without it.
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
"""Bytes that a state takes in the exact backend, about."""
_STATE_SECONDS = 5e-5
"""Seconds that a state takes in the exact backend, about."""


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
        Two players with the published deck, to 31 points, if not given.
    backend : {"float64", "exact"}
        In which arithmetic. "exact" is the general solver of any game,
        :func:`cardgames_dp.exact.solve`, with ``rules.game()``: in Fractions, state by
        state, for small decks and low targets.
    tolerance : float, default 1e-12
        Chances of winning that differ by no more than this count as equal, and
        ``rules.tie`` decides; below 1. With 0 the noise of the arithmetic decides, as
        in the Pairs essay's program. For float64 alone: exact ties need none.
    progress : bool, default False
        Show a progress bar, for which `tqdm` is needed (the extra ``progress``).
    executor : concurrent.futures.Executor, optional
        Where to solve vectors of scores with the same total side by side. Threads share
        the tables, and the sparse products in them run side by side. The result is the
        same, bit for bit, whatever the executor. For float64 alone.
    max_bytes : int, optional
        The most memory to use; half of this machine's if not given.
    checkpoint : path, optional
        A file to which the table is saved after each total of scores. If it is there
        already, the solver goes on from it, whatever machine wrote it, and the result
        is the same, bit for bit. For float64 alone.

    Returns
    -------
    Solution or exact.Solution
        In float64 a `Solution`: only the table of scores is kept; rounds are made from
        it when asked for. Exactly the :class:`cardgames_dp.exact.Solution` of the game,
        whose tables have each `State` that play can reach, and whose `value` has the
        same meaning: chances of winning, one a player.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described above; if `tolerance`, `executor` or
        `checkpoint` is given to the exact backend; or if `checkpoint` names a damaged
        file, or one of other rules or another tolerance, which is left as it is.
    TooLargeError
        If positions or tables would not fit in memory.
    TooLongError
        If it would take more than a week on one core; with the exact backend, more than
        hours without a progress bar.
    ModuleNotFoundError
        If `progress` is true and `tqdm` is not installed.

    Notes
    -----
    The engines `positions`, `induction` and `sweep` tell how it is done. Time grows as
    the number of draws in all positions times that of vectors of scores, 1 to 2 ns for
    each player: the published game of two players takes about ten seconds. The exact
    backend takes about 50 µs and 1 kB for each state. There are up to ``2 * players``
    times as many states as positions with scores: a position is another one for each
    leader, and while a card is drawn.

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
            "executor is for backend='float64': the exact backend goes from state to "
            f"state, got {_checks.described(executor)}"
        )
    if checkpoint is not None:
        raise ValueError(
            "checkpoint is for backend='float64': the exact backend has none, got "
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
    """Return how many states the game may have, never fewer than there are.

    In a position, with scores, somebody leads, and decides or is given a card; the game
    ends with a loser, beyond the target by less than the highest rank.
    """
    n, target, decks = rules.players, rules.target, decks_told_apart(rules)
    going_on: int = 2 * n * target**n * most_positions(rules, decks)
    over: int = n * target ** (n - 1) * rules.ranks[-1] * decks
    return going_on + over
