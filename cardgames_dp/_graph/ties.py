"""The argument `tie_break`, checked: the choice among several optimal actions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, Literal, TypeAlias

from cardgames_dp._graph.arrays import ExploredArrays
from cardgames_dp._graph.explored import Explored
from cardgames_dp._results.records import Action, State
from cardgames_dp._support import arguments

TieBreak: TypeAlias = (
    Literal["first", "last", "uniform"] | Callable[[State, tuple[Action, ...]], Action]
)
"""Which of several optimal actions is taken: the first, the last, any of them by equal
chances, or what a function of the state and of these actions returns."""

Word: TypeAlias = Literal["first", "last", "uniform"]

WORDS: tuple[Word, ...] = ("first", "last", "uniform")

Pick: TypeAlias = Word | Callable[[int, list[int]], int]
"""A tie rule for sweeps: takes a place and its optimal actions, 0, 1, ..."""


class TieRule(Generic[State, Action]):
    """A tie rule, which is asked where there is more than one optimal action.

    Parameters
    ----------
    tie_break : {"first", "last", "uniform"} or callable
        The argument.

    Attributes
    ----------
    name : str
        The word, or the name of the callable.

    Raises
    ------
    TypeError, ValueError
        If it is neither one of the words nor callable.
    """

    __slots__ = ("_choose", "name")

    def __init__(self, tie_break: TieBreak[State, Action]) -> None:
        self._choose: Word | Callable[[State, tuple[Action, ...]], Any]
        if callable(tie_break):
            self._choose, self.name = tie_break, arguments.called(tie_break)
        else:
            self._choose = self.name = arguments.choice(
                "tie_break",
                tie_break,
                WORDS,
                "a callable of a state and its optimal actions",
            )

    @property
    def mixes(self) -> bool:
        """Whether all optimal actions are taken, with equal chances."""
        return self._choose == "uniform"

    def pick(self, explored: Explored[State, Action] | ExploredArrays) -> Pick:
        """Return the rule in terms of places.

        Raises
        ------
        TypeError
            If it is a callable, for a game for arrays.
        """
        choose = self._choose
        if not callable(choose):
            return choose
        if isinstance(explored, ExploredArrays):
            raise TypeError(
                "tie_break must be 'first', 'last' or 'uniform' for a game for arrays, "
                f"got {arguments.described(choose)}"
            )

        def asked(place: int, among: list[int]) -> int:
            state, actions = explored.states[place], explored.actions_at(place)
            optimal = tuple([actions[k] for k in among])
            action = choose(state, optimal)
            if action not in optimal:
                raise ValueError(
                    f"tie_break must return one of the optimal actions "
                    f"{arguments.shown(optimal)} at state {arguments.shown(state)}, "
                    "got "
                    f"{arguments.shown(action)}"
                )
            return among[optimal.index(action)]

        return asked
