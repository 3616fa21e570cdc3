"""Which of several optimal actions is taken: the argument `tie_break`, checked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, Literal, TypeAlias

from cardgames_dp import _checks
from cardgames_dp.game import Action, State

TieBreak: TypeAlias = (
    Literal["first", "last"] | Callable[[State, tuple[Action, ...]], Action]
)


class TieRule(Generic[State, Action]):
    """A tie rule: it is asked where there is more than one optimal action.

    Parameters
    ----------
    tie_break : {"first", "last"} or callable
        The argument.

    Attributes
    ----------
    name : str
        The word, or what the callable is called.
    is_first, is_last : bool
        Whether it always takes the first, or the last.

    Raises
    ------
    TypeError, ValueError
        If it is neither one of the words nor callable.
    """

    __slots__ = ("_choose", "is_first", "is_last", "name")

    def __init__(self, tie_break: TieBreak[State, Action]) -> None:
        self._choose: Callable[[State, tuple[Action, ...]], Any] | None = None
        if callable(tie_break):
            self._choose, self.name = tie_break, _checks.called(tie_break)
        elif tie_break in ("first", "last"):
            self.name = str(tie_break)
        else:
            raise _checks.not_one_of(
                "tie_break",
                tie_break,
                ("first", "last"),
                "a callable of a state and its optimal actions",
            )
        self.is_first = self._choose is None and self.name == "first"
        self.is_last = self._choose is None and self.name == "last"

    def __call__(self, state: State, actions: tuple[Action, ...]) -> int:
        """Return the index of the action taken.

        Raises
        ------
        ValueError
            If the callable returns something else.
        """
        if self._choose is None:
            return 0 if self.is_first else len(actions) - 1
        action = self._choose(state, actions)
        if action not in actions:
            raise ValueError(
                f"tie_break must return one of the optimal actions "
                f"{_checks.shown(actions)} at state {_checks.shown(state)}, got "
                f"{_checks.shown(action)}"
            )
        return actions.index(action)
