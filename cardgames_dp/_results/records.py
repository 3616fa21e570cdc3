"""What records share: immutability, comparison, short reprs, plain objects.

Records are rules and policies, positions of games in progress, and results.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import (
    MISSING,
    Field,
    FrozenInstanceError,
    dataclass,
    field,
    fields,
    is_dataclass,
)
from decimal import Decimal
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

import numpy as np

from cardgames_dp._results.tables import Marked, Table
from cardgames_dp._support import arguments, printing
from cardgames_dp._support.running import require

if TYPE_CHECKING:
    import pandas as pd
    from _typeshed import DataclassInstance

State = TypeVar("State", bound=Hashable)
Action = TypeVar("Action", bound=Hashable)
Number = TypeVar("Number", bound=float | Fraction)

_MOST_SHOWN = 8
"""The largest number of entries of an array or a tuple that are printed."""

_MOST_BITS = 64
"""The most bits of a Fraction in a summary; a longer one is cut."""


class Record:
    """A base of frozen dataclasses with slots: nothing in them can be set or deleted.

    The methods that `dataclass` generates refuse this for fields only; for other names
    they fail, as their ``super`` refers to the class without slots that was replaced.
    With ``repr=False`` they print in one line what they tell, by default all fields.
    """

    __slots__ = ()

    _repr_fields: ClassVar[tuple[str, ...]] = ()

    def __repr__(self) -> str:
        return summary(self, **self._facts())

    def _facts(self) -> dict[str, object]:
        """Return what the repr shows: the attributes `_repr_fields`, or all fields."""
        names = self._repr_fields or [f.name for f in fields(self._itself) if f.repr]
        return {name: getattr(self, name) for name in names}

    def _set(self, **values: object) -> None:
        """Set fields while a record is made."""
        for name, value in values.items():
            object.__setattr__(self, name, value)

    @property
    def _itself(self) -> DataclassInstance:
        record: Any = self
        return record  # type: ignore[no-any-return]

    def __init_subclass__(cls) -> None:
        # Called twice: for the class as written, and for the one with slots.
        super().__init_subclass__()
        if "__setattr__" in cls.__dict__:
            cls.__setattr__ = _refuse  # type: ignore[method-assign]
            cls.__delattr__ = _refuse  # type: ignore[method-assign]


def _refuse(self: object, name: str, *value: object) -> None:
    what = f"{'set' if value else 'delete'} {name!r}"
    raise FrozenInstanceError(f"{type(self).__name__} is frozen: cannot {what}")


class ArrayRecord(Record):
    """A base of frozen dataclasses (``eq=False``) some of whose fields are arrays.

    A field may also be a tuple: of arrays only, or of none, as a long one is not
    searched for them. The methods that `dataclass` generates cannot compare arrays or
    make them read-only, and unpickling would make them writeable.
    """

    __slots__ = ()

    def __post_init__(self: DataclassInstance) -> None:
        for name in (f.name for f in fields(self)):
            value = getattr(self, name)
            if isinstance(value, np.ndarray):
                object.__setattr__(self, name, _read_only(value))
            elif (
                isinstance(value, tuple) and value and isinstance(value[0], np.ndarray)
            ):
                object.__setattr__(self, name, tuple(map(_read_only, value)))

    def __eq__(self: DataclassInstance, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return all(
            _same(getattr(self, f.name), getattr(other, f.name))
            for f in fields(self)
            if f.compare
        )

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self: DataclassInstance) -> tuple[Any, ...]:
        # Without indices, which start empty and are quickly made again.
        def is_index(field: Field[Any]) -> bool:
            return not field.compare and field.default_factory is not MISSING

        parts = [f.name for f in fields(self) if f.init and not is_index(f)]
        return type(self), tuple([getattr(self, name) for name in parts])


class Result(ArrayRecord):
    """A base of the results of computations, which makes all their views.

    A result declares its fields, the properties that exports hold besides (`_derived`),
    what its repr shows (`_repr_fields`) and at most one table (`_table`). These give
    repr, ``str``, HTML, `to_dict` and `to_pandas`.
    """

    __slots__ = ()

    _derived: ClassVar[tuple[str, ...]] = ()

    def to_dict(self, *, json: bool = False) -> dict[str, Any]:
        """Return all fields, and what is derived from them, as plain Python objects.

        Arrays become lists, records dictionaries of their fields.

        Parameters
        ----------
        json : bool, default False
            Whether to use only types that JSON has: Fractions, and floats that are not
            finite, become text, tuples lists, functions their names.
        """
        json = arguments.boolean("json", json)
        names = [f.name for f in fields(self._itself) if f.repr]
        names += self._derived
        return {name: _plain(getattr(self, name), json) for name in names}

    def to_pandas(self) -> pd.DataFrame:
        """Return the table as a DataFrame, with a row for each of its rows.

        Exact numbers are Fractions; ``frame["value"].astype(float)`` makes floats.

        Raises
        ------
        ModuleNotFoundError
            If pandas is not installed (the extra ``pandas``).
        """
        pandas = require("pandas", extra="pandas", purpose="to_pandas")
        index, columns = self._columns()
        if isinstance(index, dict) and len(index) == 1:
            ((name, labels),) = index.items()
            index = pandas.Index(labels, name=name)
        elif isinstance(index, dict):
            names = list(index)
            index = pandas.MultiIndex.from_arrays(list(index.values()), names=names)
        frame: pd.DataFrame = pandas.DataFrame(columns, index=index)
        return frame

    def __repr__(self) -> str:
        facts = self._facts()
        for name, fact in facts.items():
            if type(fact) is tuple and [*map(type, fact)] in ([float], [Fraction]):
                facts[name] = fact[0]  # what one player gets
        return summary(self, **facts)

    def _table(self) -> Table:
        """Return the table of the record."""
        raise NotImplementedError

    def _columns(self) -> tuple[Any, dict[str, Any]]:
        """Return the index of a DataFrame, or several by name, and its columns.

        They are those of the table if not said otherwise, or one row of what the repr
        tells.
        """
        if not self._has_table:
            return None, {name: [fact] for name, fact in self._facts().items()}
        table = self._table()
        cells = [[getattr(c, "cell", c) for c in row] for row in table.rows]
        columns = zip(*cells, strict=True) if cells else ((),) * len(table.head)
        return None, dict(zip(table.head, map(list, columns), strict=True))

    def __str__(self) -> str:
        return self._table().text() if self._has_table else repr(self)

    def _repr_html_(self) -> str | None:
        return self._table().html(repr(self)) if self._has_table else None

    @property
    def _has_table(self) -> bool:
        return type(self)._table is not Result._table


@dataclass(frozen=True, slots=True, repr=False)
class Advice(Result, Generic[State, Action, Number]):
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
    payoffs : tuple of Fraction or float
        What each player can expect if the advice is followed.
    certain : bool
        Whether `best` is certain, which it always is for Fractions.
    error : float
        A bound on the error of every value; 0 for Fractions.
    collected : Fraction, float or None
        What was paid to the first player before, if the game's layout tells it. The
        values are what is still to come.

    Examples
    --------
    >>> from cardgames_dp import exact, redblack
    >>> solution = exact.solve(redblack.game(3, 3))
    >>> advice = solution.advice(redblack.State(red=2, black=3))
    >>> advice.action, advice.margin
    ('draw', Fraction(1, 5))
    >>> print(solution.advice(redblack.State(red=1, black=2)))
    State(red=1, black=2, decision=''), 1 in hand: stop (a tie); still to come: \
stop 0, draw 0.
    """

    action: Action
    best: tuple[Action, ...]
    values: Mapping[Action, Number] = field(hash=False)
    state: State
    player: int
    payoffs: tuple[Number, ...]
    certain: bool
    error: float
    collected: Number | None = None

    def __post_init__(self) -> None:
        self._set(values=MappingProxyType(dict(self.values)))

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
        alike: Any = 0.0 if abs(mine) == math.inf else mine - mine
        gaps = [alike if mine == other else abs(mine - other) for other in others]
        return min(gaps, default=None)

    _derived = ("value", "tie", "margin")
    _repr_fields = (
        *("state", "player", "payoffs", "certain", "error", "collected"),
        *("action", "value", "tie"),
    )

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
        values = {f.name: getattr(self, f.name) for f in fields(self)}
        return type(self), tuple((values | {"values": dict(self.values)}).values())

    def __str__(self) -> str:
        values = ", ".join(f"{a!s} {printing.short(x)}" for a, x in self.values.items())
        return f"{self._summary()}; {self._measure}: {values}."

    def _table(self) -> Table:
        rows = [
            (Marked(str(a)) if a in self.best else str(a), x)
            for a, x in self.values.items()
        ]
        head = ("action", self._measure)
        notes = ["Marked *: optimal."]
        return Table(head, rows, notes, self._summary(), first="actions")

    def _columns(self) -> tuple[Any, dict[str, Any]]:
        best = [action in self.best for action in self.values]
        values = list(self.values.values())
        return None, {"action": list(self.values), "value": values, "best": best}

    def _summary(self) -> str:
        """Return the position and the advice, in one line."""
        tie = (" (a tie)" if self.certain else " (a possible tie)") * self.tie
        hand = ""
        if self.collected is not None:
            hand = f", {printing.short(self.collected)} in hand"
        return f"{self.state!s}{hand}: {self.action!s}{tie}"

    @property
    def _measure(self) -> str:
        """What the values measure."""
        return "value" if self.collected is None else "still to come"


def summary(result: object, /, **facts: object) -> str:
    """Return the repr of a result in one line: its class and some facts.

    Parameters
    ----------
    result : object
        The result, for the name of its class.
    **facts : object
        The facts, in this order; numbers are rounded to six digits, long arrays and
        tuples are cut.
    """
    parts = [f"{name}={brief(fact)}" for name, fact in facts.items()]
    return f"{type(result).__qualname__}({', '.join(parts)})"


def plain(value: object, *, json: bool = False) -> Any:
    """Return a value, or a record with all that it holds, as plain Python objects.

    Records become dicts of their fields, arrays become lists, NumPy's scalars Python's.

    Parameters
    ----------
    value : object
        Anything that a result may hold.
    json : bool, default False
        Whether to use only types that JSON has: Fractions, floats that are not finite,
        and integers that Python may refuse to print become strings that ``Fraction``
        and ``float`` can read; tuples become lists, keys strings, and other objects (a
        policy, a utility) their names.
    """
    return _plain(value, arguments.boolean("json", json))


def _plain(value: object, json: bool) -> Any:
    if isinstance(value, np.ndarray):
        return _plain(value.tolist(), json)
    if isinstance(value, np.generic):
        return _plain(value.item(), json)
    if callable(value) and json:
        name = getattr(value, "__name__", None)
        return name if isinstance(name, str) else repr(value)
    if is_dataclass(value) and not callable(value):
        return {f.name: _plain(getattr(value, f.name), json) for f in fields(value)}
    if isinstance(value, Mapping):
        items = ((k, _plain(v, json)) for k, v in value.items())
        return {_key(k) if json else k: v for k, v in items}
    if isinstance(value, (list, tuple)):
        parts = [_plain(part, json) for part in value]
        return parts if json or isinstance(value, list) else tuple(parts)
    if not json or value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, int):
        return printing.exact_text(value) if printing.is_long(value) else value
    if isinstance(value, float) and math.isfinite(value):
        return value
    if isinstance(value, Fraction):
        return printing.exact_text(value)
    if isinstance(value, (float, Decimal)):
        return str(value)
    if isinstance(value, Sequence) and not isinstance(value, bytes):
        return [_plain(part, json) for part in value]
    return repr(value)


def _key(key: object) -> str:
    return printing.exact_text(key) if isinstance(key, Fraction) else str(key)


def brief(value: object) -> str:
    """Return a value as short text: numbers rounded, long arrays and tuples cut."""
    if isinstance(value, (float, np.floating)):
        return f"{value:.6g}"
    if isinstance(value, np.ndarray) and value.ndim:
        few = [
            x
            if isinstance(x, str)
            else str(x)
            if isinstance(x, Fraction) and printing.bits(x) <= _MOST_BITS
            else brief(x)
            for x in value[:_MOST_SHOWN].tolist()
        ]
        return f"[{', '.join(few + ['...'] * (len(value) > _MOST_SHOWN))}]"
    if isinstance(value, tuple) and value and not hasattr(value, "_fields"):
        parts = [brief(x) for x in value[:_MOST_SHOWN]]
        alone = "," * (len(value) == 1)
        return f"({', '.join(parts + ['...'] * (len(value) > _MOST_SHOWN))}{alone})"
    if isinstance(value, int) and not isinstance(value, bool):
        return printing.leading_digits(value)
    if isinstance(value, np.ndarray):  # a single number
        return brief(value.item())
    if isinstance(value, Fraction) and printing.bits(value) > _MOST_BITS:
        return printing.first_digits(value, 6)
    return repr(value)


def _read_only(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    view = array.view()
    view.flags.writeable = False
    return view


def _same(x: object, y: object) -> bool:
    if isinstance(x, np.ndarray) and isinstance(y, np.ndarray):
        # NaN counts as equal to itself, as the deviation of a single game is NaN.
        return np.array_equal(x, y, equal_nan=x.dtype.kind == y.dtype.kind == "f")
    if isinstance(x, np.ndarray) or isinstance(y, np.ndarray):
        return False  # a number is not equal to an array, though NumPy compares them
    if isinstance(x, tuple) and isinstance(y, tuple):
        return len(x) == len(y) and all(map(_same, x, y))
    if isinstance(x, float) and isinstance(y, float) and math.isnan(x):
        return math.isnan(y)  # as the deviation of a single game is
    return bool(x == y)
