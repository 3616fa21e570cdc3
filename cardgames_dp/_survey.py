"""Surveys: the same measures of many games, in one tidy table.

A *case* is one row of the table: its labels identify the game, its measures are the
results. Cases are independent, so they are spread over the workers of any executor, and
results are saved in a file as they come: a survey that was killed, or is repeated with
more cases, computes only those that the file does not have.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import _checks, _html, _spread
from cardgames_dp._checkpoint import Checkpoint
from cardgames_dp._extras import progress_bar, require
from cardgames_dp._numbers import short
from cardgames_dp._records import ArrayRecord, plain, summary
from cardgames_dp._text import aligned

if TYPE_CHECKING:
    import pandas as pd

R = TypeVar("R")
T = TypeVar("T", bound=str)

_KEYS = "cases"
"""The name of the array of cases in a file; measures have other names."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Survey(ArrayRecord):
    """The results for many games: a tidy table, with one row for each of them.

    Made by the ``survey`` functions of the games. The arrays are read-only.

    Attributes
    ----------
    names : tuple of str
        The names of the columns: first those that identify the game, then the measures.
    columns : tuple of ndarray, each of shape (games,)
        Text, integers or floats; NaN where a measure does not apply.

    Examples
    --------
    >>> from cardgames_dp import redblack
    >>> fees = [redblack.Rules(fee=fee) for fee in ("0", "1/100")]
    >>> survey = redblack.survey([26, 500], rules=fees)
    >>> survey
    Survey(rows=4, names=('red', 'black', 'win', 'lose', 'fee', 'utility', 'tie', \
'value'))
    >>> survey["value"].round(3)
    array([ 2.624,  2.267, 11.652,  5.3  ])
    >>> survey.table.shape, survey.table.dtype["value"]
    ((4,), dtype('float64'))
    """

    names: tuple[str, ...]
    columns: tuple[NDArray[Any], ...]

    @property
    def table(self) -> NDArray[np.void]:
        """All columns as one structured array, shape (games,)."""
        dtype = [
            (name, column.dtype)
            for name, column in zip(self.names, self.columns, strict=True)
        ]
        found = np.empty(len(self), dtype)
        for name, column in zip(self.names, self.columns, strict=True):
            found[name] = column
        return found

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.columns[0])

    def __getitem__(self, name: str) -> NDArray[Any]:
        """Return a column.

        Raises
        ------
        TypeError, ValueError
            If there is no column of this name.
        """
        return self.columns[self.names.index(_checks.choice("name", name, self.names))]

    def to_dict(self, *, json: bool = False) -> dict[str, Any]:
        """Return the columns by name, as plain lists.

        Parameters
        ----------
        json : bool, default False
            Whether to use only types that JSON has: NaN becomes a string.
        """
        columns = dict(zip(self.names, self.columns, strict=True))
        found: dict[str, Any] = plain(columns, json=json)
        return found

    def to_pandas(self) -> pd.DataFrame:
        """Return a DataFrame with the same rows and columns.

        Raises
        ------
        ModuleNotFoundError
            If pandas is not installed (the extra ``pandas``).
        """
        pandas = require("pandas", extra="pandas", purpose="to_pandas")
        columns = dict(zip(self.names, self.columns, strict=True))
        frame: pd.DataFrame = pandas.DataFrame(columns)
        return frame

    def __repr__(self) -> str:
        return summary(self, rows=len(self), names=self.names)

    def __str__(self) -> str:
        text = [i for i, column in enumerate(self.columns) if column.dtype.kind == "U"]
        return "\n".join(aligned([self.names, *self._rows()], left=text))

    def _repr_html_(self) -> str:
        rows = ([_html.cell(x) for x in row] for row in self._rows())
        shown = list(islice(rows, _html.MOST_ROWS))
        notes = _html.first_of(len(self), "rows")
        return _html.table("Survey", self.names, shown, notes)

    def _rows(self) -> Iterator[list[str]]:
        lists = [column.tolist() for column in self.columns]
        for row in zip(*lists, strict=True):
            yield [x if isinstance(x, str) else short(x) for x in row]


class Case(NamedTuple):
    """One row of a survey, before its measures are computed.

    Attributes
    ----------
    labels : mapping
        What identifies the row, by the names of columns.
    given : object
        The input of its measures; it must be picklable.
    key : object
        All that its measures depend on, in JSON's types: its key in a file.
    """

    labels: Mapping[str, str | int | float]
    given: Any
    key: Any

    def __str__(self) -> str:
        return ", ".join([f"{name}={x!r}" for name, x in self.labels.items()])


def run(
    of: str,
    cases: Sequence[Case],
    measure: Callable[[Any, Any], Sequence[float]],
    shared: object,
    measures: Mapping[str, Any],
    *,
    checkpoint: object,
    executor: object,
    progress: object,
) -> Survey:
    """Return the survey of some cases.

    Parameters
    ----------
    of : str
        What is surveyed, for the file.
    cases : sequence of Case
    measure : callable
        Takes `shared` and ``case.given``; returns the measures in their order.
    shared : object
        What the measures of all cases depend on, in JSON's types.
    measures : mapping of str to dtype
        The columns of the measures.
    checkpoint, executor, progress
        The user's arguments.

    Raises
    ------
    TypeError, ValueError
        If one of these three is invalid; or what `measure` raises, with a note that
        names the case. Earlier results are in the file.
    """
    workers, shown = _spread.checked(executor), _checks.boolean("progress", progress)
    kept = _Kept.of(of, shared, measures, checkpoint)
    keys = [json.dumps(case.key) for case in cases]
    todo = {k: case for k, case in zip(keys, cases, strict=True) if k not in kept.found}
    names = list(todo)
    with progress_bar(len(set(keys)), "cases", shown=shown) as bar, kept:
        if bar is not None:
            bar.update(len(set(keys)) - len(todo))
        for number, found in _spread.each(
            _measured, (measure, shared), todo.values(), executor=workers, name=str
        ):
            kept.add(names[number], found)
            if bar is not None:
                bar.update(1)
    return _table(cases, [kept.found[key] for key in keys], measures)


def _measured(shared: tuple[Any, Any], case: Case) -> tuple[float, ...]:
    measure, common = shared
    return tuple(measure(common, case.given))


def _table(
    cases: Sequence[Case],
    found: Sequence[Sequence[float]],
    measures: Mapping[str, Any],
) -> Survey:
    labels = {
        name: np.array([case.labels[name] for case in cases])
        for name in cases[0].labels
    }
    columns = zip(*found, strict=True)
    measured = {
        name: np.array(column, dtype)
        for (name, dtype), column in zip(measures.items(), columns, strict=True)
    }
    both = labels | measured
    return Survey(tuple(both), tuple(both.values()))


class _Kept:
    """The results so far, by the keys of cases; and the file, if there is one."""

    def __init__(self, file: Checkpoint | None, measures: Mapping[str, Any]) -> None:
        self.file, self._measures = file, measures
        self.found: dict[str, tuple[float, ...]] = {}
        self._new = False

    @classmethod
    def of(
        cls, of: str, shared: object, measures: Mapping[str, Any], checkpoint: object
    ) -> _Kept:
        """Return the results in a user's file."""
        if checkpoint is None:
            return cls(None, measures)
        asked = {"survey": of, "measures": list(measures), "given": shared}
        kept = cls(Checkpoint.of(checkpoint, asked), measures)
        arrays = kept.file.load() if kept.file else None
        if arrays is not None:
            keys = [key.decode() for key in arrays[_KEYS].tolist()]
            rows = zip(*[arrays[name].tolist() for name in measures], strict=True)
            kept.found = dict(zip(keys, rows, strict=True))
        return kept

    def add(self, key: str, found: tuple[float, ...]) -> None:
        """Add the measures of a case, and save them when it is time."""
        self.found[key] = found
        self._new = True
        if self.file is not None and self.file.due:
            self._save(self.file)

    def __enter__(self) -> _Kept:
        return self

    def __exit__(self, *_: object) -> None:
        """Save new results, also after an error."""
        if self.file is not None and self._new:
            self._save(self.file)

    def _save(self, file: Checkpoint) -> None:
        arrays = {_KEYS: np.array([key.encode() for key in self.found])}
        columns = zip(*self.found.values(), strict=True)
        for (name, dtype), column in zip(self._measures.items(), columns, strict=True):
            arrays[name] = np.array(column, dtype)
        file.save(arrays)
        self._new = False


def several(name: str, given: object, kind: type[R], usual: R | None = None) -> list[R]:
    """Return one or several objects of a kind as a list; the usual one for None.

    Raises
    ------
    TypeError, ValueError
        If it is neither, or empty.
    """
    if given is None and usual is not None:
        return [usual]
    if isinstance(given, kind):
        return [given]
    where = f"{kind.__module__.split('.')[1]}.{kind.__name__}"
    accepted = f"{name} must be {where}, or an iterable of them"
    if isinstance(given, (str, bytes)) or not isinstance(given, Iterable):
        raise TypeError(f"{accepted}, got {_checks.described(given)}")
    listed = list(_checks.items(name, given))
    for i, one in enumerate(listed):
        if not isinstance(one, kind):
            raise TypeError(
                f"{name}[{i}] must be {where}, got {_checks.described(one)}"
            )
    if not listed:
        raise ValueError(f"{accepted}, at least one, got none")
    return listed


def words(name: str, given: object, known: Sequence[T], *, least: int = 1) -> list[T]:
    """Return one or several words as a list, in their order, each once.

    There must be `least` of them, 0 or 1.

    Raises
    ------
    TypeError, ValueError
        If it is neither, or a word is not known, or there is none.
    """
    one = isinstance(given, str) or not isinstance(given, Iterable)
    listed: Any = [given] if one else _checks.items(name, given)
    found = [_checks.choice(name, word, known) for word in listed]
    if len(found) < least:
        raise ValueError(f"{name} must hold at least one word, got none")
    return list(dict.fromkeys(found))
