"""Advice for a state of a game: what the advice of all games has in common."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from cardgames_dp import _checks, _html
from cardgames_dp._extras import require
from cardgames_dp._numbers import printable, short
from cardgames_dp._records import Record, plain, summary
from cardgames_dp.game import Action, State

if TYPE_CHECKING:
    import pandas as pd

Worth = TypeVar("Worth", bound=float | Fraction)


@dataclass(frozen=True, slots=True, repr=False)
class AdviceRecord(Record, Generic[Action, Worth]):
    """A base of the advice of every game, which adds the position and its wording.

    Attributes
    ----------
    action : Action
        An optimal action, chosen by the tie rule.
    best : tuple of Action
        All optimal actions; more than one in a tie.
    worths : mapping of Action to Worth
        The value of each action for the player to move, if play after it is optimal.
    """

    action: Action
    best: tuple[Action, ...]
    worths: Mapping[Action, Worth] = field(hash=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "worths", MappingProxyType(dict(self.worths)))

    @property
    def worth(self) -> Worth:
        """The value of the advised action: one of `worths`."""
        return self.worths[self.action]

    @property
    def tie(self) -> bool:
        """Whether more than one action is optimal."""
        return len(self.best) > 1

    @property
    def margin(self) -> Worth | None:
        """The worth of the action less that of the next best; None if it is forced.

        In a tie it is 0, up to rounding.
        """
        mine: Any = self.worth
        others: list[Any] = [w for a, w in self.worths.items() if a != self.action]
        least: Any = min([_gap(mine, worth) for worth in others], default=None)
        if isinstance(least, Fraction):
            least = printable(least)
        found: Worth | None = least
        return found

    def to_dict(self, *, json: bool = False) -> dict[str, Any]:
        """Return all fields as plain objects, with lists of `actions` and `worths`.

        Parameters
        ----------
        json : bool, default False
            Whether to use only types that JSON has: Fractions become strings, tuples
            lists.
        """
        json = _checks.boolean("json", json)
        found = {f.name: getattr(self, f.name) for f in fields(self)}
        found |= {"actions": list(self.worths), "worths": list(self.worths.values())}
        found |= {"worth": self.worth, "tie": self.tie, "margin": self.margin}
        return {name: plain(value, json=json) for name, value in found.items()}

    def to_pandas(self) -> pd.DataFrame:
        """Return a DataFrame with one row for each action: action, worth and best.

        Raises
        ------
        ModuleNotFoundError
            If pandas is not installed (the extra ``pandas``).
        """
        pandas = require("pandas", extra="pandas", purpose="to_pandas")
        actions = pandas.Series(list(self.worths), dtype=object)
        worths = list(self.worths.values())
        best = [action in self.best for action in self.worths]
        frame: pd.DataFrame = pandas.DataFrame(
            {"action": actions, "worth": worths, "best": best}
        )
        return frame

    def __reduce__(self) -> tuple[Any, ...]:
        # A read-only view does not pickle; the constructor makes it anew.
        given = {f.name: getattr(self, f.name) for f in fields(self)}
        return type(self), tuple((given | {"worths": dict(self.worths)}).values())

    def __repr__(self) -> str:
        shared = ("action", "best", "worths")
        where = {
            f.name: getattr(self, f.name) for f in fields(self) if f.name not in shared
        }
        return summary(
            self, **where, action=self.action, worth=self.worth, tie=self.tie
        )

    def __str__(self) -> str:
        worths = ", ".join(f"{a!s} {short(w)}" for a, w in self.worths.items())
        return f"{self._summary()}; {self._measure()}: {worths}."

    def _repr_html_(self) -> str:
        rows = [
            [
                _html.cell(str(action), mark="*" if action in self.best else None),
                _html.cell(short(worth)),
            ]
            for action, worth in list(self.worths.items())[: _html.MOST_ROWS]
        ]
        notes = [
            "Marked *: optimal.",
            *_html.first_of(len(self.worths), "actions"),
        ]
        return _html.table(self._summary(), ["action", self._measure()], rows, notes)

    def _summary(self) -> str:
        """Return the position and the advice, in one line."""
        return f"{self.action!s}{' (a tie)' * self.tie}"

    def _measure(self) -> str:
        """Return what the worths measure."""
        return "worth"


@dataclass(frozen=True, slots=True, repr=False)
class Advice(AdviceRecord[Action, Worth], Generic[State, Action, Worth]):
    """The best actions in a state of any game; made by `Solution.advice`.

    Attributes
    ----------
    action : Action
        An optimal action, chosen by the tie rule.
    best : tuple of Action
        All optimal actions or, where rounding leaves it open, all that may be optimal.
    worths : mapping of Action to Fraction or float
        The value of each action for the player to move, if all players then follow the
        solution.
    state : State
        The state.
    player : int
        The player to move.
    values : tuple of Fraction or float
        The expected returns of all players if the advice is followed.
    certain : bool
        Whether `best` is certain, which it always is for Fractions.
    error : float
        A bound of the error of every worth; 0 for Fractions.

    Examples
    --------
    >>> from cardgames_dp import exact, redblack
    >>> solution = exact.solve(redblack.Rules().game(3, 3))
    >>> advice = solution.advice(redblack.State(red=2, black=3))
    >>> advice.action, advice.margin
    ('draw', Fraction(1, 5))
    >>> print(solution.advice(redblack.State(red=1, black=2)))
    State(red=1, black=2, decision=''): stop (a tie); worth: stop 1, draw 1.
    """

    state: State
    player: int
    values: tuple[Worth, ...]
    certain: bool
    error: float

    def _summary(self) -> str:
        tie = (" (a tie)" if self.certain else " (a possible tie)") * self.tie
        return f"{self.state!s}: {self.action!s}{tie}"


def _gap(one: Any, other: Any) -> Any:
    """Return the difference of two numbers; 0 for two equal infinities."""
    return 0.0 if one == other and abs(one) == math.inf else abs(one - other)
