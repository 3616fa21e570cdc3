"""The returns of a goal for final scores: exactly, and in arrays.

Scores are rotated so that the loser's come first: a goal treats all seats alike.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any, Literal, TypeAlias

import numpy as np

from cardgames_dp import _checks
from cardgames_dp.pairs._kernels.setting import Floats, Integers
from cardgames_dp.pairs.rules import Rules

Number: TypeAlias = int | float | Fraction
Goal: TypeAlias = (
    Literal["win", "points", "lead"]
    | int
    | Callable[[tuple[int, ...]], Sequence[Number]]
)
"""What players maximise: a name, a number of players, or a function of final scores."""

_WORDS = ("win", "points", "lead")

Exactly: TypeAlias = Callable[[tuple[int, ...]], tuple[Fraction, ...]]
"""A function from final scores to returns, both by seats."""


def returns_of(rules: Rules, goal: object) -> Exactly:
    """Return the function from final scores to returns, whoever has lost."""
    n, target = rules.players, rules.target
    _checks.not_a_class("goal", goal)
    if callable(goal):
        of_loser = _checked(goal, n)
    elif isinstance(goal, str):
        word = _checks.choice("goal", goal, _WORDS)
        of_loser = {"win": _among(n - 1), "points": _points, "lead": _lead}[word]
    else:
        best = _checks.integer("goal", goal, minimum=1)
        if best >= n:
            raise ValueError(
                f"goal must be fewer players than the game has, {n}, got {best}"
            )
        of_loser = _among(best)
    known: dict[tuple[int, ...], tuple[Fraction, ...]] = {}

    def returns(scores: tuple[int, ...]) -> tuple[Fraction, ...]:
        loser = next(seat for seat, points in enumerate(scores) if points >= target)
        turned = scores[loser:] + scores[:loser]
        if turned not in known:
            known[turned] = of_loser(turned)
        got = known[turned]
        return got[n - loser :] + got[: n - loser]

    return returns


def _among(best: int) -> Exactly:
    """Return the function to the players' shares of the best places."""

    def shares(scores: tuple[int, ...]) -> tuple[Fraction, ...]:
        found = []
        for points in scores:
            before = sum([other < points for other in scores])
            tied = scores.count(points)
            found.append(Fraction(min(max(best - before, 0), tied), tied))
        return tuple(found)

    return shares


def _points(scores: tuple[int, ...]) -> tuple[Fraction, ...]:
    return tuple([Fraction(-points) for points in scores])


def _lead(scores: tuple[int, ...]) -> tuple[Fraction, ...]:
    n, total = len(scores), sum(scores)
    return tuple([Fraction(total - n * points, n - 1) for points in scores])


def _checked(goal: Callable[[tuple[int, ...]], Any], players: int) -> Exactly:
    """Return a user's function, whose results are checked."""

    def returns(scores: tuple[int, ...]) -> tuple[Fraction, ...]:
        answer = goal(scores)
        must = f"goal must return a finite number for each of {players} players"
        if isinstance(answer, (str, bytes)) or not isinstance(answer, Iterable):
            raise TypeError(f"{must}, got {_checks.described(answer)}")
        got = tuple([_checks.real("what goal returns", x) for x in answer])
        if len(got) != players or not all(isinstance(x, Fraction) for x in got):
            raise ValueError(f"{must}, got {_checks.shown(answer)} for {scores}")
        return tuple([Fraction(x) for x in got])

    return returns


def in_arrays(returns: Exactly) -> Callable[[Integers], Floats]:
    """Return the same for many final scores, in float64."""

    def of_many(final: Integers) -> Floats:
        got = [list(map(float, returns(tuple(scores)))) for scores in final.tolist()]
        return np.array(got).reshape(final.shape)

    return of_many


def goal_name(goal: Goal) -> str:
    """Return the name of a goal in results."""
    if isinstance(goal, str):
        return goal
    return _checks.called(goal) if callable(goal) else f"best {goal}"
