"""What an argument that is to be a policy may be, and what it stands for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from cardgames_dp import _checks
from cardgames_dp._aliases import Alias
from cardgames_dp.pairs._kernels.induction import COPY, Behaviour
from cardgames_dp.pairs._kernels.tabled import Tabled, WithSweep, solved_play
from cardgames_dp.pairs.policies import (
    NAMED,
    NAMES,
    Decide,
    Decisions,
    FoldUpTo,
    HitBelow,
    Name,
    View,
)

if TYPE_CHECKING:
    Policy: TypeAlias = Name | Decide | WithSweep
else:
    Policy = Alias(
        "Policy",
        __name__,
        Name | Decide | WithSweep,
        """What a player does: a word, a function of a `View`, or solved play.

        The words, and what they mean, are in :func:`win_rate`. A function takes a
        `View` of many positions with several vectors of scores, and returns an array of
        bool, true where to hit, of shape (positions, vectors), or (positions,) if it
        does not look at the scores; `HitBelow` and `FoldUpTo` make some. Solved play is
        a `Solution` or a `BestResponse`, or the method `policy` of one.

        Examples
        --------
        >>> from cardgames_dp import pairs
        >>> def greedy(view: pairs.View):
        ...     return view.lowest >= 3
        >>> policies: list[pairs.Policy] = ["optimal", pairs.HitBelow(0.4), greedy]
        """,
    )


def policy_name(policy: Policy) -> str:
    """Return how results call a policy."""
    if isinstance(policy, str):
        return policy
    solved = solved_play(policy)
    if solved is not None:
        return solved.label
    if isinstance(policy, (HitBelow, FoldUpTo)):
        return repr(policy)
    return getattr(policy, "__name__", type(policy).__name__)


def decider(name: str, policy: object) -> Decide | None:
    """Return the function that an argument stands for; None for "optimal".

    Raises
    ------
    TypeError, ValueError
        If it is neither one of the words nor callable, or a class.
    """
    solved = solved_play(policy)
    if solved is not None:
        return Tabled(solved.sweep)
    _checks.not_a_class(name, policy)
    if callable(policy):
        return _Checked(name, policy)
    if not isinstance(policy, str) or policy not in NAMES:
        kind = ValueError if isinstance(policy, str) else TypeError
        raise kind(
            f"{name} must be one of {', '.join(map(repr, NAMES))}, a Solution or "
            f"BestResponse, or a callable of a View, got {_checks.shown(policy)}"
        )
    return NAMED.get(policy)


def played(name: str, policy: object) -> Behaviour:
    """Return how a seat with a policy plays, as profiles say it."""
    return decider(name, policy) or COPY


@dataclass(frozen=True, slots=True)
class _Checked:
    """A user's policy, whose answers are looked at."""

    argument: str
    policy: Callable[[View], object]

    def __call__(self, view: View) -> Decisions:
        answer = self.policy(view)
        positions, vectors = len(view.hand), len(view.scores)
        if (
            not isinstance(answer, np.ndarray)
            or answer.dtype != np.bool_
            or answer.shape not in ((positions,), (positions, vectors))
        ):
            got = (
                f"an array of {answer.dtype} of shape {answer.shape}"
                if isinstance(answer, np.ndarray)
                else _checks.described(answer)
            )
            raise ValueError(
                f"{self.argument} must return an array of bool of shape "
                f"({positions},) or ({positions}, {vectors}), got {got}"
            )
        return answer
