"""Ask an array game about many states at a time, and check every answer.

A game takes and returns states as an array of shape (count,) or (count, width). Here
they are *columns*, an array of shape (width, count), which suits the sweeps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._graph import answers
from cardgames_dp._graph.answers import CHANCE, TERMINAL, ArrayGame, GameError
from cardgames_dp._graph.graph import Exact, Integers, narrowed
from cardgames_dp._graph.layout import layout_of
from cardgames_dp._graph.names import names_of
from cardgames_dp._graph.outcomes import integer_weight_array
from cardgames_dp._graph.payments import RATIONALS
from cardgames_dp._support import arguments

_AT_ONCE = 2**18
"""The largest number of states or moves that a game is asked about in one call, so that
its own temporary arrays stay small."""


class CheckedGame:
    """An array game whose answers are checked against the rules of `ArrayGame`.

    Attributes
    ----------
    num_players : int
        The number of players of the game.
    start : ndarray of int64, shape (width, count)
        The initial states.
    endless : tuple of Fraction or float, or None
        What endless play pays, if the game says so.
    exact_weights : bool
        Whether no weight of chance was given as a float so far.
    """

    def __init__(self, game: ArrayGame) -> None:
        self.num_players = answers.num_players(game, ArrayGame)
        self._game, self._rewards = game, answers.rewards_of(game)
        self.endless = answers.endless_returns_of(game, self.num_players)
        start = _as_array(game.initial_states(), "initial_states()")
        self._rows = start.ndim == 2
        if start.ndim not in {1, 2} or start.size == 0:
            raise GameError(
                "initial_states() must hold one or more states, an array of shape "
                f"(count,) or (count, width), got {_array_text(start)}"
            )
        self._width = start.shape[1] if self._rows else 1
        self._names = names_of(game)
        layout_of(game)  # so that a wrong one is refused before all else
        fields = getattr(self._names.state, "_fields", None)
        if fields and not (self._rows and self._names.width == self._width):
            raise GameError(
                f"names must have a field for each column of initial_states(), got "
                f"{arguments.shown(fields)} for {_array_text(start)}"
            )
        self.start = self.columns(start, len(start), "initial_states()")
        self.exact_weights = True

    def states(self, columns: Integers) -> Integers:
        """Return states in the form that the game uses."""
        columns = columns.astype(np.int64, copy=False)
        return columns.T if self._rows else columns[0]

    def columns(self, answer: Any, count: int | None, call: str) -> Integers:
        """Return given states as columns, checked."""
        states = _as_array(answer, call)
        count = len(states) if count is None and states.ndim else count
        shape = (count, self._width) if self._rows else (count,)
        if states.shape != shape:
            raise GameError(
                f"{call} must hold states in an array of shape {shape}, got "
                f"{_array_text(states)}"
            )
        columns = np.ascontiguousarray(np.atleast_2d(_integers(states, call).T))
        for i, most, name in self._names.code_columns:
            self._require_codes(columns[i], most, f"{call} must hold codes of {name!r}")
        return columns

    def _require_codes(self, codes: Integers, most: int, must: str) -> None:
        """Refuse codes for which the names of the game have no word."""
        low, high = codes.min(initial=0), codes.max(initial=0)
        if low < 0 or high >= most:
            got = low if low < 0 else high
            raise GameError(f"{must} from 0 to {most - 1}, as names has, got {got}")

    def players(self, columns: Integers) -> tuple[Integers, list[int]]:
        """Return the mover of each state, and the different movers, players first."""
        if columns.shape[1] > _AT_ONCE:
            parts = [self.players(part) for part in _split(columns)]
            movers = {player for _, present in parts for player in present}
            return np.concatenate([each for each, _ in parts]), sorted(movers)[::-1]
        states, call = self.states(columns), "current_players(states)"
        players = self._integer_by_state("current_players", "player", states)
        low, high = players.min(initial=0), players.max(initial=0)
        if low >= TERMINAL and high < self.num_players:
            counts = np.bincount(players - TERMINAL, minlength=-TERMINAL)
            if not counts[1 : CHANCE - TERMINAL].any():
                return players, (counts.nonzero()[0] + TERMINAL).tolist()[::-1]
        wrong = (players < 0) & (players != CHANCE) & (players != TERMINAL)
        i = int((wrong | (players >= self.num_players)).argmax())
        raise GameError(
            f"{call} must hold indices of players (num_players is {self.num_players}), "
            f"CHANCE ({CHANCE}) or TERMINAL ({TERMINAL}), got {players[i]} at state "
            f"{_state_text(states[i])}"
        )

    def levels(self, columns: Integers) -> Integers:
        """Return the levels of states, of a game that has them."""
        if columns.shape[1] > _AT_ONCE:
            return np.concatenate([self.levels(part) for part in _split(columns)])
        return self._integer_by_state("levels", "integer", self.states(columns))

    def _integer_by_state(self, method: str, what: str, states: Integers) -> Integers:
        """Return one integer a state, as a method gives them."""
        call = f"{method}(states)"
        numbers = _integers(_as_array(self._ask(method, states), call), call)
        if numbers.shape != (len(states),):
            raise GameError(
                f"{call} must hold one {what} a state, an array of shape "
                f"({len(states)},), got {_array_text(numbers)}"
            )
        return numbers

    def actions(self, columns: Integers) -> tuple[Integers, Integers, Integers]:
        """Return the moves of decision states: index, action, and count by state."""
        if columns.shape[1] > _AT_ONCE:
            index, actions, counts = _joined(map(self.actions, _split(columns)), 0, 0)
            return index, actions, counts
        states, call = self.states(columns), "legal_actions(states)"
        index, actions = _split_answer(self._ask("legal_actions", states), (2,), call)
        index = _check_index(index, len(states), call)
        if actions.ndim not in {1, 2} or len(actions) != len(index):
            raise GameError(
                f"{call} must hold an action for each index, got {_array_text(index)} "
                f"and {_array_text(actions)}"
            )
        actions = _integers(actions, call)
        if self._names.actions is not None:
            most, must = len(self._names.actions), f"{call} must hold codes of actions"
            self._require_codes(actions, most, must)
        counts = _moves_per_state(
            index, states, f"{call} must hold at least one action"
        )
        if not is_sorted(index):
            order = index.argsort(kind="stable")
            index, actions = index[order], actions[order]
        require_distinct(index, actions, states)
        return index, actions, counts

    def following(
        self, columns: Integers, index: Integers, actions: Integers
    ) -> Integers:
        """Return the states to which actions lead, as columns."""
        if len(index) > _AT_ONCE:
            parts = [
                self.following(columns, index[part], actions[part])
                for part in _slices(len(index))
            ]
            return np.concatenate(parts, axis=1)
        states = self.states(columns.take(index, axis=1))
        after = self._ask("next_states", states, actions)
        return self.columns(after, len(index), "next_states(states, actions)")

    def rewards(
        self,
        columns: Integers,
        index: Integers,
        actions: Integers,
        function: Callable[[Integers, Integers], Any] | None = None,
    ) -> NDArray[Any] | None:
        """Return what actions pay, of shape (count, players), or None if they do not.

        The answer comes from `function`, or from the game if it is not given.
        """
        if function is None and self._rewards is None:
            return None
        if len(index) > _AT_ONCE and function is None:
            parts = [
                self.rewards(columns, index[part], actions[part])
                for part in _slices(len(index))
            ]
            return np.concatenate([part for part in parts if part is not None])
        states = self.states(columns.take(index, axis=1))
        paid = self._ask("rewards", states, actions, function=function)
        return self._numbers(paid, states, "rewards(states, actions)", function)

    def outcomes(
        self, columns: Integers
    ) -> tuple[Integers, Exact, Integers, Integers, NDArray[Any] | None]:
        """Return the outcomes of chance states, their number by state, and rewards.

        For each outcome: the index of its state, its weight > 0, and the next state, as
        columns; then the number of outcomes of each state, and what each outcome pays,
        or None if they pay nothing.
        """
        if columns.shape[1] > _AT_ONCE:
            return self._outcomes_of_many(columns)
        states, call = self.states(columns), "chance_outcomes(states)"
        index, weights, after, *paid = _split_answer(
            self._ask("chance_outcomes", states), (3, 4), call
        )
        index = _check_index(index, len(states), call)
        if weights.shape != index.shape:
            raise GameError(
                f"{call} must hold index, weights and states, a weight for each index, "
                f"got {_array_text(index)} and {_array_text(weights)}"
            )
        weights, exact = integer_weight_array(
            weights, index, call, lambda i: f" at state {_state_text(states[index[i]])}"
        )
        self.exact_weights = self.exact_weights and exact
        following = self.columns(after, len(index), call)
        rewards = None
        if not weights.all():
            possible = np.flatnonzero(weights)
            index, weights = index[possible], weights[possible]
            following = following.take(possible, axis=1)
            paid = [part[possible] for part in paid if len(part) == len(after)] or paid
        must = f"{call} must hold weights with a positive sum"
        counts = _moves_per_state(index, states, must)
        if paid:
            rewards = self._numbers(paid[0], states[index], f"{call} with rewards")
        return index, weights, following, counts, rewards

    def _outcomes_of_many(
        self, columns: Integers
    ) -> tuple[Integers, Exact, Integers, Integers, NDArray[Any] | None]:
        parts = list[tuple[Any, ...]]()
        for *part, paid in map(self.outcomes, _split(columns)):
            nothing = np.zeros((len(part[1]), self.num_players), dtype=np.int8)
            parts.append((*part, nothing if paid is None else paid))
        index, weights, after, counts, rewards = _joined(parts, 0, 1, 0, 0)
        return index, weights, after, counts, rewards if rewards.any() else None

    def returns(
        self, columns: Integers, function: Callable[[Integers], Any] | None = None
    ) -> NDArray[Any]:
        """Return the returns of terminal states, of shape (count, players).

        They come from `function`, or from the game if it is not given, and may be those
        of many variants: then of shape (count, players, variants).
        """
        if columns.shape[1] > _AT_ONCE and function is None:
            return np.concatenate([self.returns(part) for part in _split(columns)])
        states = self.states(columns)
        paid = self._ask("returns", states, function=function)
        return self._numbers(paid, states, "returns(states)", function)

    def weights(
        self,
        columns: Integers,
        after: Integers,
        index: Integers,
        function: Callable[[Integers, Integers], Any],
    ) -> tuple[Exact, bool]:
        """Return other weights of outcomes, as `other_weights` does."""
        states = self.states(columns)
        answer = self._ask("weights", states, self.states(after), function=function)
        call = "weights(states, next_states)"
        return other_weights(_as_array(answer, call), index, call, states.__getitem__)

    def _ask(
        self, method: str, states: Integers, *args: Integers, function: Any = None
    ) -> Any:
        """Return the answer of a method, or of a callable that takes its place."""
        try:
            if function is None:
                answers.require_method(self._game, method, *states[:1].tolist())
                function = getattr(self._game, method)
            return function(states, *args)
        except Exception as error:
            first = (
                f", the first of which is {_state_text(states[0])}"
                if len(states)
                else ""
            )
            error.add_note(
                f"raised when the game was asked {method} for {len(states)} states"
                f"{first}"
            )
            raise

    def _numbers(
        self, answer: Any, states: Integers, call: str, variants: Any = None
    ) -> NDArray[Any]:
        """Return numbers for each player: integers, floats, or objects (Fractions).

        Where variants may be given, they are the last axis.
        """
        paid = _as_array(answer, call)
        shape: tuple[int, ...] = len(states), self.num_players
        if variants is not None and paid.ndim == 3 and len(paid):
            shape = len(paid), *shape
        if paid.shape != shape and (self.num_players > 1 or paid.shape != shape[:1]):
            raise GameError(
                f"{call} must hold one number per player (num_players is "
                f"{self.num_players}), an array of shape {shape[-2:]}, got "
                f"{_array_text(paid)}"
            )
        paid = paid.reshape(shape)
        return checked_numbers(paid, call, states.__getitem__)


def checked_numbers(
    paid: NDArray[Any], call: str, state_at: Callable[[int], Any]
) -> NDArray[Any]:
    """Return numbers in a common type, with variants last, if they are first.

    Parameters
    ----------
    paid : ndarray, shape (count, players) or (variants, count, players)
    call : str
        The call that they answer.
    state_at : callable
        The state of a row, for messages.
    """

    def place(row: int) -> str:
        variant, i = divmod(row, paid.shape[-2])
        more = f" in variant {variant}" if paid.ndim == 3 else ""
        return f"at state {_state_text(state_at(i))}{more}"

    rows = paid.reshape(-1, paid.shape[-1])
    if rows.dtype.kind == "f":
        rows = rows.astype(np.float64, copy=False)
        if not np.isfinite(rows).all():
            i = int((~np.isfinite(rows)).argmax()) // rows.shape[1]
            raise GameError(
                f"{call} must hold finite numbers, got "
                f"{arguments.shown(rows[i].tolist())} {place(i)}"
            )
    elif rows.dtype == object:
        rows = rows.copy()
        for i, row in enumerate(rows.tolist()):
            if not RATIONALS.issuperset(map(type, row)):
                rows[i] = [answers.number(each, f"{call} {place(i)}") for each in row]
    else:
        whole = _integers(paid, call, ", floats or Fractions")
        rows = narrowed(whole).reshape(rows.shape)
    numbers = rows.reshape(paid.shape)
    if numbers.ndim == 3:
        numbers = np.ascontiguousarray(np.moveaxis(numbers, 0, -1))
    return numbers


def other_weights(
    weights: NDArray[Any], index: Integers, call: str, state_at: Callable[[int], Any]
) -> tuple[Exact, bool]:
    """Return weights of outcomes, with variants last, and whether none is a float.

    Parameters
    ----------
    weights : ndarray, shape (count,) or (variants, count)
    index : ndarray of int, shape (count,)
        The state of each outcome, in order.
    call : str
        The call that they answer.
    state_at : callable
        The state of an outcome, for messages.
    """
    if (
        weights.ndim not in {1, 2}
        or weights.shape[-1:] != index.shape
        or not len(weights.reshape(-1, len(index)))
    ):
        raise GameError(
            f"{call} must hold a weight for each outcome, an array of shape "
            f"{index.shape} or (variants, {len(index)}), got {_array_text(weights)}"
        )
    rows = weights.reshape(-1, len(index)).T
    variants = rows.shape[1]

    def at(i: int) -> str:
        more = f" in variant {i % variants}" if weights.ndim == 2 else ""
        return f" at state {_state_text(state_at(i // variants))}{more}"

    of = index[:, np.newaxis] * variants + np.arange(variants)
    whole, exact = integer_weight_array(rows.ravel(), of.ravel(), call, at)
    whole = whole.reshape(rows.shape)
    starts = np.flatnonzero(np.diff(index, prepend=-1))
    none = whole == 0
    if starts.size:
        none = np.logical_and.reduceat(none, starts)
    if none.any():
        i, variant = np.argwhere(none)[0].tolist()
        where = at(int(starts[i]) * variants + variant)
        raise GameError(f"{call} must hold weights with a positive sum, got 0{where}")
    if whole.dtype != object:
        whole = narrowed(whole)
    return (whole if weights.ndim == 2 else whole[:, 0]), exact


def _slices(count: int) -> list[slice]:
    return [slice(first, first + _AT_ONCE) for first in range(0, count, _AT_ONCE)]


def _split(columns: Integers) -> list[Integers]:
    """Return states in parts, to be asked about one after the other."""
    return [columns[:, part] for part in _slices(columns.shape[1])]


def _joined(parts: Iterable[tuple[Any, ...]], *axes: int) -> list[NDArray[Any]]:
    """Return answers about parts of the states as one, joined along these axes.

    The first array of each are the indices of states.
    """
    index, *others = zip(*parts, strict=True)
    first = [part + i * _AT_ONCE for i, part in enumerate(index)]
    pairs = zip(others, axes, strict=True)
    return [
        np.concatenate(first),
        *[np.concatenate(each, axis) for each, axis in pairs],
    ]


def _as_array(answer: Any, call: str) -> NDArray[Any]:
    return arguments.array(answer, f"{call} must hold numbers in an array")


def _split_answer(
    answer: Any, numbers: tuple[int, ...], call: str
) -> list[NDArray[Any]]:
    if not isinstance(answer, (tuple, list)) or len(answer) not in numbers:
        what = "2 arrays, (index, actions)"
        if 3 in numbers:
            what = "3 arrays, (index, weights, states), or a fourth of rewards"
        raise arguments.wrong_type(f"{call} must be {what}", answer)
    return [_as_array(part, call) for part in answer]


def _integers(array: NDArray[Any], call: str, besides: str = "") -> Integers:
    """Return an array of integers as int64."""
    fits = array.dtype.kind == "i" or (
        array.dtype.kind == "u" and array.max(initial=0) <= np.iinfo(np.int64).max
    )
    if not fits:
        raise TypeError(
            f"{call} must hold integers of at most 64 bits{besides}, got "
            f"{_array_text(array)}"
        )
    return array.astype(np.int64, copy=False)


def _check_index(index: NDArray[Any], count: int, call: str) -> Integers:
    index = _integers(index, call)
    if index.ndim != 1 or (
        index.size and not (index.min() >= 0 and index.max() < count)
    ):
        raise GameError(
            f"{call} must hold indices of the {count} states first, from 0 to "
            f"{count - 1}, got {_array_text(index)} from {index.min(initial=0)} to "
            f"{index.max(initial=0)}"
        )
    return index


def _moves_per_state(index: Integers, states: Integers, must: str) -> Integers:
    """Return the number of moves of each state; states without moves are refused."""
    counts = np.bincount(index, minlength=len(states))
    if not counts.all():
        state = _state_text(states[counts.argmin()])
        raise GameError(f"{must} for each state, got none for {state}")
    return counts


def require_distinct(index: Integers, actions: Integers, states: Integers) -> None:
    """Refuse actions that a state has twice; moves are in the order of states."""
    keys = np.atleast_2d(actions.T)
    if ((index[1:] > index[:-1]) | (keys[0, 1:] > keys[0, :-1])).all():
        return
    order = np.lexsort((*keys[::-1], index))
    again = (np.diff(keys[:, order]) == 0).all(axis=0) & (np.diff(index[order]) == 0)
    if again.any():
        i = order[again.argmax()]
        raise GameError(
            f"legal_actions(states) must hold distinct actions, got "
            f"{_state_text(actions[i])} twice for state {_state_text(states[index[i]])}"
        )


def is_sorted(index: Integers) -> bool:
    """Return whether moves are in the order of their states."""
    return bool((index[1:] >= index[:-1]).all())


def _array_text(array: NDArray[Any]) -> str:
    return f"an array of {array.dtype} of shape {array.shape}"


def _state_text(state: Any) -> str:
    return arguments.shown(state.tolist() if hasattr(state, "tolist") else state)
