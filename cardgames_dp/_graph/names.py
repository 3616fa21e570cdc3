"""The names of what an array game writes as integers."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._results.records import Record
from cardgames_dp._support import arguments
from cardgames_dp._support.calls import suggest_arguments


@suggest_arguments
@dataclass(frozen=True, slots=True, repr=False)
class Names(Record):
    """How a game names its states and actions: its optional member `names`.

    The states of an array game are shown, looked up and given to policies as named
    tuples, and its actions as words. Without it they are plain tuples and integers.

    Of any other game states and actions stay as they are; but pictures call the fields
    of states that are plain tuples, and actions that are integers, by these names.

    Parameters
    ----------
    state : type, optional
        A `typing.NamedTuple` with a field for each column of the states, or block of
        columns.
    actions : sequence, optional
        The action of each code, from 0 on.
    columns : mapping of str to sequence, optional
        For fields that are codes as well: what each code stands for.
    blocks : mapping of str to tuple of int, optional
        For fields that stand for several columns: their shape. Of one state such a
        field is a tuple, nested if it has several axes; of many states it is an array
        of shape ``(count, *shape)``.
    outcome : callable, optional
        What chance did, as `cardgames_dp.play.Position` takes it for a move: a function
        of a chance state and of one that follows it to, say, a card.

    Examples
    --------
    >>> from typing import NamedTuple
    >>> import numpy as np
    >>> from cardgames_dp import exact
    >>> from cardgames_dp.game import TERMINAL, Names
    >>> class State(NamedTuple):
    ...     matches: int
    ...     mover: str = "you"
    >>> class Matches:                      # take one or two; the last one wins
    ...     num_players = 2
    ...     names = Names(State, ("", "one", "two"), {"mover": ("you", "me")})
    ...     def initial_states(self): return np.array([[5, 0]])
    ...     def current_players(self, states):
    ...         return np.where(states[:, 0] > 0, states[:, 1], TERMINAL)
    ...     def legal_actions(self, states):
    ...         index = np.repeat(np.arange(len(states)), 2)
    ...         taken = np.tile([1, 2], len(states))
    ...         legal = taken <= states[index, 0]
    ...         return index[legal], taken[legal]
    ...     def next_states(self, states, taken):
    ...         return np.column_stack([states[:, 0] - taken, 1 - states[:, 1]])
    ...     def returns(self, states):
    ...         return np.where(states[:, 1:] == [0, 1], -1, 1)
    >>> solution = exact.solve(Matches())
    >>> solution.policy[State(5)], solution.values[2, "me"]
    ('two', Fraction(-1, 1))
    """

    state: Any = None
    actions: Sequence[Hashable] | None = None
    columns: Mapping[str, Sequence[Hashable]] = field(default_factory=dict)
    blocks: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    outcome: Callable[[Any, Any], Hashable] | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        fields = getattr(self.state, "_fields", ())
        if self.state is not None and not (isinstance(self.state, type) and fields):
            raise arguments.wrong_type("state must be a typing.NamedTuple", self.state)
        for kind in ("columns", "blocks"):
            for name in getattr(self, kind):
                if name not in fields or (kind == "blocks" and name in self.columns):
                    other = " that are no codes" * (kind == "blocks")
                    every = arguments.shown(fields)
                    must = f"{kind} must be of fields of the state{other}, {every}"
                    raise arguments.wrong_value(must, name)
        if self.actions is not None:
            _require_distinct("actions", self.actions)
        for name, words in self.columns.items():
            _require_distinct(f"columns[{name!r}]", words)

    def same_as(self, other: Names) -> bool:
        """Return whether other names stand for the same fields, words and codes."""
        mine, its = (getattr(x.state, "_fields", None) for x in (self, other))
        actions = self.actions and tuple(self.actions)
        columns = {name: tuple(words) for name, words in self.columns.items()}
        theirs = {name: tuple(words) for name, words in other.columns.items()}
        same = actions == (other.actions and tuple(other.actions))
        same &= dict(self.blocks) == dict(other.blocks)
        return mine == its and same and columns == theirs

    @property
    def width(self) -> int:
        """The number of columns that the fields stand for."""
        return sum(map(self._size, self.state._fields))

    @property
    def code_columns(self) -> list[tuple[int, int, str]]:
        """For each column of codes: its index, the number of codes, and its name."""
        every = self.columns.items()
        return [(self.slices()[x].start, len(words), x) for x, words in every]

    def _size(self, name: str) -> int:
        return math.prod(self.blocks.get(name, ()))

    def slices(self) -> dict[str, slice]:
        """Return the columns of each field."""
        slices, start = {}, 0
        for name in self.state._fields:
            slices[name] = slice(start, start + self._size(name))
            start = slices[name].stop
        return slices

    def _split_fields(self, states: NDArray[Any]) -> list[NDArray[Any]]:
        """Return the fields of states as arrays, codes as they are."""
        count = states.shape[:-1]
        return [
            states[..., columns].reshape((*count, *self.blocks.get(name, ())))
            for name, columns in self.slices().items()
        ]

    def state_of(self, row: NDArray[Any]) -> Any:
        """Return a row of integers, or an integer, as a state."""
        plain = row.tolist()
        if self.state is None:
            return tuple(plain) if isinstance(plain, list) else plain
        if self.blocks:
            plain = [nested_tuples(part.tolist()) for part in self._split_fields(row)]
        state = self.state(*plain)
        words = {
            name: words[getattr(state, name)] for name, words in self.columns.items()
        }
        return state._replace(**words) if words else state

    def row_of(self, state: Any) -> NDArray[Any]:
        """Return a state, or a tuple of its first fields, as a row of integers.

        Raises
        ------
        TypeError, ValueError
            If it is none.
        """
        if self.state is None:
            return np.asarray(state)
        record = self.state(*state) if isinstance(state, tuple) else self.state(state)
        codes = {
            name: words.index(getattr(record, name))
            for name, words in self.columns.items()
        }
        record = record._replace(**codes) if codes else record
        if not self.blocks:
            return np.asarray(record)
        parts = []
        for name, part in zip(record._fields, map(np.asarray, record), strict=True):
            if part.shape != self.blocks.get(name, ()):
                raise ValueError(f"{name} has the shape {part.shape}")
            parts.append(part.ravel() if part.size else np.empty(0, np.int64))
        return np.concatenate(parts)

    def fields_of(self, states: NDArray[Any], *, exact: bool = False) -> Any:
        """Return states as one named tuple of columns, or as they are without names.

        Exactly, numbers are Python's, which do not overflow.
        """
        if self.state is None:
            return states
        fields = {}
        for name, part in zip(
            self.state._fields, self._split_fields(states), strict=True
        ):
            words: Any = self.columns.get(name)
            if words is None:
                fields[name] = part.astype(object) if exact else part
            else:
                plain = bool if set(map(type, words)) == {bool} else object
                fields[name] = np.array(words, dtype=plain)[part]
        return self.state(**fields)

    def columns_of(self, states: NDArray[Any]) -> dict[str, NDArray[Any]]:
        """Return states as columns with names; a block's are numbered, as hand_0."""
        columns = {}
        for name, part in self.fields_of(states)._asdict().items():
            for index in np.ndindex(part.shape[1:]):
                columns["_".join(map(str, (name, *index)))] = part[:, *index]
        return columns

    def action_of(self, code: NDArray[Any]) -> Any:
        """Return the action of a code."""
        if self.actions is not None:
            return self.actions[int(code)]
        plain = np.asarray(code).tolist()
        return tuple(plain) if isinstance(plain, list) else plain

    def codes_of(self, actions: Any) -> NDArray[Any]:
        """Return actions, which may be words, as codes.

        Raises
        ------
        ValueError
            If a word is no action.
        """
        array = np.asarray(actions)
        if self.actions is None:
            return array
        code_of = {action: code for code, action in enumerate(self.actions)}
        try:
            codes = [code_of[action] for action in array.ravel().tolist()]
        except (KeyError, TypeError):
            words = [action for action in self.actions if action != ""]
            must = f"an action must be one of {arguments.shown(tuple(words))}"
            raise arguments.wrong_value(must, actions) from None
        return np.array(codes, dtype=np.int64).reshape(array.shape)


def nested_tuples(values: Any) -> Any:
    """Return nested lists as nested tuples."""
    return tuple(map(nested_tuples, values)) if isinstance(values, list) else values


def _require_distinct(name: str, words: Sequence[Hashable]) -> None:
    """Refuse what is no sequence of different words."""
    if isinstance(words, str) or not isinstance(words, Sequence):
        raise arguments.wrong_type(f"{name} must be a sequence, a word a code", words)
    if len(set(words)) < len(words):
        raise arguments.wrong_value(f"{name} must be distinct, a word a code", words)


PLAIN = Names()
"""The names of a game that has none: tuples and integers."""


def names_of(game: object) -> Names:
    """Return the names of a game."""
    names = getattr(game, "names", PLAIN)
    if not isinstance(names, Names):
        raise arguments.wrong_type("names of a game must be game.Names", names)
    return names


def own_member(game: object, name: str) -> Any:
    """Return an optional member that a game has itself; None if it has none.

    One that it only passes on, by ``__getattr__``, is that of another game, whose rules
    may be others.
    """
    if hasattr(type(game), name) or name in getattr(game, "__dict__", ()):
        return getattr(game, name)
    return None


def unreachable_error(state: object, start: object) -> KeyError:
    """Return the error for a state that a game does not have."""
    shown, like = arguments.shown(state), arguments.shown(start)
    return KeyError(f"{shown} cannot be reached in this game; states are like {like}")
