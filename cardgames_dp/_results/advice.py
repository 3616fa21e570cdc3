"""Advice for a state of a game: what the advice of all games has in common."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Generic, TypeVar

from cardgames_dp._results import tables
from cardgames_dp._results.records import Action, Result, State, plain
from cardgames_dp._support.printing import printable, short

Number = TypeVar("Number", bound=float | Fraction)


@dataclass(frozen=True, slots=True, repr=False)
class AdviceRecord(Result, Generic[Action, Number]):
    """A base of the advice of every game, which adds the position and its wording.

    Attributes
    ----------
    action : Action
        An optimal action, chosen by the tie rule.
    best : tuple of Action
        All optimal actions; more than one in a tie.
    values : mapping of Action to Number
        The value of each action for the player to move, if play after it is optimal.
    """

    action: Action
    best: tuple[Action, ...]
    values: Mapping[Action, Number] = field(hash=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", MappingProxyType(dict(self.values)))

    @property
    def value(self) -> Number:
        """The value of the advised action: one of `values`."""
        return self.values[self.action]

    @property
    def tie(self) -> bool:
        """Whether more than one action is optimal."""
        return len(self.best) > 1

    @property
    def margin(self) -> Number | None:
        """The value of the action less that of the next best; None if it is forced.

        In a tie it is 0, up to rounding.
        """
        mine: Any = self.value
        others: list[Any] = [x for a, x in self.values.items() if a != self.action]
        least: Any = min([_gap(mine, value) for value in others], default=None)
        if isinstance(least, Fraction):
            least = printable(least)
        found: Number | None = least
        return found

    _derived = ("value", "tie", "margin")

    def to_dict(self, *, json: bool = False) -> dict[str, Any]:
        """Return all fields as plain objects, with lists of actions and `values`.

        Parameters
        ----------
        json : bool, default False
            Whether to use only types that JSON has: Fractions become strings, tuples
            lists.
        """
        columns = {"actions": [*self.values], "values": [*self.values.values()]}
        return {**Result.to_dict(self, json=json), **plain(columns, json=json)}

    def __reduce__(self) -> tuple[Any, ...]:
        # A read-only view does not pickle; the constructor makes it anew.
        given = {f.name: getattr(self, f.name) for f in fields(self)}
        return type(self), tuple((given | {"values": dict(self.values)}).values())

    def _facts(self) -> dict[str, object]:
        shared = ("action", "best", "values")
        names = [field.name for field in fields(self)]
        where = {name: getattr(self, name) for name in names if name not in shared}
        return {**where, "action": self.action, "value": self.value, "tie": self.tie}

    def __str__(self) -> str:
        values = ", ".join(f"{a!s} {short(x)}" for a, x in self.values.items())
        return f"{self._summary()}; {self._measure()}: {values}."

    def _table(self) -> tables.Table:
        rows = [
            (tables.Marked(str(a)) if a in self.best else str(a), x)
            for a, x in self.values.items()
        ]
        head = ("action", self._measure())
        notes = ["Marked *: optimal."]
        return tables.Table(head, rows, notes, self._summary(), first="actions")

    def _columns(self) -> tuple[Any, dict[str, Any]]:
        best = [action in self.best for action in self.values]
        values = list(self.values.values())
        return None, {"action": list(self.values), "value": values, "best": best}

    def _summary(self) -> str:
        """Return the position and the advice, in one line."""
        return f"{self.action!s}{' (a tie)' * self.tie}"

    def _measure(self) -> str:
        """Return what the values measure."""
        return "value"


@dataclass(frozen=True, slots=True, repr=False)
class Advice(AdviceRecord[Action, Number], Generic[State, Action, Number]):
    """The best actions in a state of any game; made by `Solution.advice`.

    Attributes
    ----------
    action : Action
        An optimal action, chosen by the tie rule.
    best : tuple of Action
        All optimal actions or, where rounding leaves it open, all that may be optimal.
    values : mapping of Action to Fraction or float
        The value of each action for the player to move, if all players then follow the
        solution.
    state : State
        The state.
    player : int
        The player to move.
    returns : tuple of Fraction or float
        The expected returns of all players if the advice is followed.
    certain : bool
        Whether `best` is certain, which it always is for Fractions.
    error : float
        A bound of the error of every value; 0 for Fractions.

    Examples
    --------
    >>> from cardgames_dp import exact, redblack
    >>> solution = exact.solve(redblack.Rules().game(3, 3))
    >>> advice = solution.advice(redblack.State(red=2, black=3))
    >>> advice.action, advice.margin
    ('draw', Fraction(1, 5))
    >>> print(solution.advice(redblack.State(red=1, black=2)))
    State(red=1, black=2, decision=''): stop (a tie); value: stop 1, draw 1.
    """

    state: State
    player: int
    returns: tuple[Number, ...]
    certain: bool
    error: float

    def _summary(self) -> str:
        tie = (" (a tie)" if self.certain else " (a possible tie)") * self.tie
        return f"{self.state!s}: {self.action!s}{tie}"


def _gap(one: Any, other: Any) -> Any:
    """Return the difference of two numbers; 0 for two equal infinities."""
    return 0.0 if one == other and abs(one) == math.inf else abs(one - other)
