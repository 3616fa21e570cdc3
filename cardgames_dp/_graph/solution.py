"""The result of backward induction on a game, in either arithmetic.

Its mappings from states are read-only views over the arrays of an explored game: making
them takes no time, and no memory beyond the arrays. Iteration is by places, the initial
state first.
"""

from __future__ import annotations

from collections.abc import ItemsView, Iterable, Iterator, Mapping, ValuesView
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import compress, islice
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._graph.explored import Explored
from cardgames_dp._graph.graph import Floats, Integers
from cardgames_dp._results import tables
from cardgames_dp._results.advice import Advice
from cardgames_dp._results.records import Action, Record, State, plain
from cardgames_dp._support import arguments
from cardgames_dp._support.printing import printable, vector
from cardgames_dp._support.running import require

if TYPE_CHECKING:
    import pandas as pd


Number = TypeVar("Number", bound=float | Fraction)


@dataclass(frozen=True, slots=True, repr=False)
class Solution(Record, Generic[State, Action, Number]):
    """The solution of a game by backward induction; made by either `solve`, read-only.

    Numbers are Fractions (:func:`cardgames_dp.exact.solve`) or floats
    (:func:`cardgames_dp.diagonal.solve`), which have an `error`.

    Attributes
    ----------
    initial_state : State
        The state in which the game starts.
    tie_break : str
        The tie rule: "first", "last", "uniform" or the name of the callable.
    values : mapping of State to tuple of Fraction or of float
        The expected return of each player in every reachable state (decision, chance
        and terminal) under the policy: what is still to come, without the rewards of
        the moves that led there. The initial state comes first, and every state
        before those that can follow it, unless plays can come back to it.
    optimal_actions : mapping of State to tuple of Action
        For every decision state, all actions that are best for the player to move,
        given the policy in later states, in the order of `legal_actions`. With floats,
        all actions that may be optimal up to rounding.
    policy : mapping of State to Action
        For every decision state, the optimal action that the tie rule chose; by the
        rule "uniform" a mixture of all of them, a mapping of actions to weights.
    error : float
        A bound of the error of every value, compared with the exact solution with the
        same tie rule; 0 for Fractions.
    possible_ties : tuple of State
        The decision states in which rounding leaves open which of several actions are
        optimal; none for Fractions.
    turned_ties : tuple of State
        The decision states in which the action that the tie rule prefers would let play
        go on for ever: there the policy takes another optimal action, the next one that
        leads to the end.

    See Also
    --------
    cardgames_dp.exact.solve, cardgames_dp.diagonal.solve : Solve a game.

    Examples
    --------
    Look up values and actions by state; all actions that tie are kept:

    >>> from cardgames_dp import exact, redblack
    >>> solution = exact.solve(redblack.Rules().game(3, 3))
    >>> solution.value, solution.num_states
    ((Fraction(17, 20),), 46)
    >>> solution.ties
    (State(red=1, black=2, decision=''),)
    >>> state = redblack.State(red=1, black=2)
    >>> solution.optimal_actions[state], solution.policy[state]
    (('stop', 'draw'), 'stop')
    """

    initial_state: State
    tie_break: str
    values: Mapping[State, tuple[Number, ...]] = field(hash=False)
    optimal_actions: Mapping[State, tuple[Action, ...]] = field(hash=False)
    policy: Mapping[State, Action] = field(hash=False)
    error: float = 0.0
    possible_ties: tuple[State, ...] = ()
    turned_ties: tuple[State, ...] = ()

    def __post_init__(self) -> None:
        for name in ("values", "optimal_actions", "policy"):
            given = getattr(self, name)
            if not isinstance(given, ByState):
                object.__setattr__(self, name, MappingProxyType(dict(given)))

    @property
    def value(self) -> tuple[Number, ...]:
        """The expected return of each player at the start."""
        return self.values[self.initial_state]

    @property
    def num_players(self) -> int:
        """The number of players."""
        return len(self.value)

    @property
    def num_states(self) -> int:
        """The number of reachable states, the initial one included."""
        return len(self.values)

    @property
    def ties(self) -> tuple[State, ...]:
        """The decision states that certainly have more than one optimal action."""
        doubtful = set(self.possible_ties)
        best = self.optimal_actions
        if isinstance(best, OptimalActions):
            several = best.several()
        else:
            several = [state for state, actions in best.items() if len(actions) > 1]
        return tuple([state for state in several if state not in doubtful])

    def advice(self, state: State) -> Advice[State, Action, Number]:
        """Return the best actions in a state, and the values of all actions.

        Parameters
        ----------
        state : State
            A state in which a player moves.

        Raises
        ------
        ValueError
            If the state cannot be reached, or no player moves in it, or the solution
            was constructed by hand, without the game.

        Examples
        --------
        >>> from cardgames_dp import diagonal, redblack
        >>> solution = diagonal.solve(redblack.Rules().game(3, 3))
        >>> print(solution.advice(redblack.State(red=2, black=2)))
        State(red=2, black=2, decision=''): draw; value: stop 0, draw 0.666667.
        """
        values = self.values
        if not isinstance(values, ByState):
            raise ValueError(
                "advice needs the game, which is missing in a solution that was "
                "constructed by hand"
            )
        explored = values.explored
        place = explored.places.get(state)
        actions = () if place is None else explored.actions_at(place)
        if place is None or not actions:
            raise ValueError(
                "state must be one in which a player moves and that can be reached, "
                f"got {arguments.shown(state)}"
            )
        graph, action = explored.graph, self.policy[state]
        if isinstance(self.policy, Policy) and self.policy.optimal is not None:
            action = self.optimal_actions[state][0]
        player = int(graph.players[place])
        first, last = graph.offsets[place : place + 2].tolist()
        after = [values.at(target) for target in graph.following[first:last].tolist()]
        paid = [graph.paid(move)[player] for move in range(first, last)]
        known = [x[player] for x in after]
        worth = list(map(_plus, known, paid))
        # A sum of floats rounds; the value of the state is one of these sums.
        parts = zip(worth, known, paid, strict=True)
        rounding = max([abs(Fraction(x) - Fraction(y) - z) for x, y, z in parts])
        error = float(self.error + rounding) * (1 + 4 * 2.0**-53 * bool(rounding))
        return Advice(
            action=action,
            best=self.optimal_actions[state],
            values=dict(zip(actions, worth, strict=True)),
            state=state,
            player=player,
            returns=values.at(place),
            certain=state not in self.possible_ties,
            error=error,
        )

    def to_dict(self, *, json: bool = False) -> dict[str, Any]:
        """Return all fields as plain columns, with one entry for each state.

        Parameters
        ----------
        json : bool, default False
            Whether to use only types that JSON has: Fractions become strings like
            ``"17/20"``, tuples lists, states and actions of other kinds their repr.

        Returns
        -------
        dict of str to list
            The columns "state" (the initial one first), "values", "optimal_actions" and
            "policy"; in states without a decision the optimal actions are ``()`` and
            the policy is None. Also "tie_break", "error", "possible_ties" and
            "turned_ties".
        """
        columns = {
            **self._columns(),
            "possible_ties": list(self.possible_ties),
            "turned_ties": list(self.turned_ties),
        }
        if arguments.boolean("json", json):
            columns = plain(columns, json=True)
        return {"tie_break": self.tie_break, "error": self.error, **columns}

    def _columns(self) -> dict[str, list[Any]]:
        return {
            "state": list(self.values),
            "values": list(self.values.values()),
            "optimal_actions": [self.optimal_actions.get(s, ()) for s in self.values],
            "policy": [self.policy.get(s) for s in self.values],
        }

    def to_pandas(self) -> pd.DataFrame:
        """Return the columns of `to_dict` as a DataFrame of objects.

        Raises
        ------
        ModuleNotFoundError
            If pandas is not installed (the extra ``pandas``).
        """
        pandas = require("pandas", extra="pandas", purpose="to_pandas")
        frame: pd.DataFrame = pandas.DataFrame(self._columns(), dtype=object)
        return frame

    def __reduce__(self) -> tuple[Any, ...]:
        # Proxies cannot be pickled; the constructor makes them again.
        mappings = (self.values, self.optimal_actions, self.policy)
        return type(self), (
            self.initial_state,
            self.tie_break,
            *(dict(m) if isinstance(m, MappingProxyType) else m for m in mappings),
            self.error,
            self.possible_ties,
            self.turned_ties,
        )

    def __repr__(self) -> str:
        doubt = ""
        if self.error or self.possible_ties:
            doubt = f"possible_ties={len(self.possible_ties)}, error={self.error:.2g}, "
        return (
            f"Solution(value={vector(self.value)}, num_states={self.num_states}, "
            f"ties={len(self.ties)}, {doubt}tie_break={self.tie_break!r})"
        )

    def _repr_html_(self) -> str:
        rows, doubtful = [], set(self.possible_ties)
        for state in islice(self.values, tables.MOST_ROWS):
            value, best = self.values[state], self.optimal_actions.get(state, ())
            actions = ", ".join(map(repr, best))
            mark = (" (tie?)" if state in doubtful else " (tie)") * (len(best) > 1)
            rows.append(
                [
                    tables.cell(repr(state)),
                    tables.cell(vector(value)),
                    tables.cell(actions, mark=mark or None),
                ]
            )
        head = ["state", "value", "optimal actions"]
        notes = [
            "Marked (tie): several actions are optimal.",
            *["Marked (tie?): several may be optimal, up to rounding."]
            * bool(doubtful),
            *tables.first_of(self.num_states, "states"),
        ]
        return tables.table(repr(self), head, rows, notes)


def _plus(value: Any, paid: Fraction) -> Any:
    """Return the sum of a value and of what a move pays, in the value's arithmetic."""
    if isinstance(value, float):
        return value + float(paid)
    return printable(value + paid)


T = TypeVar("T")


class ByState(Mapping[State, T], Generic[State, Action, T]):
    """A mapping from states; subclasses define the entry at a place.

    Attributes
    ----------
    explored : Explored
        The game.
    """

    __slots__ = ("explored",)

    explored: Explored[State, Action]

    def at(self, place: int) -> T:
        """Return the entry of the state at a place."""
        raise NotImplementedError

    def all(self) -> Iterable[T]:
        """Return the entries of all states, in their order."""
        return map(self.at, range(len(self)))

    def __getitem__(self, state: State) -> T:
        return self.at(self.explored.places[state])

    def __iter__(self) -> Iterator[State]:
        return iter(self.explored.states)

    def __len__(self) -> int:
        return len(self.explored.states)

    # All entries are made at once, as a look-up for every state takes longer.

    def items(self) -> ItemsView[State, T]:
        """Return pairs of states and their entries."""
        return dict(zip(self, self.all(), strict=True)).items()

    def values(self) -> ValuesView[T]:
        """Return the entries of the states."""
        return dict(zip(self, self.all(), strict=True)).values()

    def __repr__(self) -> str:
        return repr(dict(self.items()))


class FloatValues(ByState[State, Action, tuple[float, ...]]):
    """Values in float64: an array of shape (players, states)."""

    __slots__ = ("table",)

    def __init__(self, explored: Explored[State, Action], table: Floats) -> None:
        self.explored, self.table = explored, table

    def at(self, place: int) -> tuple[float, ...]:
        """Return the value of the state at a place."""
        return tuple(self.table[:, place].tolist())

    def all(self) -> Iterable[tuple[float, ...]]:
        """Return the values of all states."""
        return zip(*self.table.tolist(), strict=True)


class ExactValues(ByState[State, Action, tuple[Fraction, ...]]):
    """Exact values: for each state an integer a player, over a common denominator."""

    __slots__ = ("bottoms", "tops")

    def __init__(
        self,
        explored: Explored[State, Action],
        tops: list[list[int]],
        bottoms: list[int],
    ) -> None:
        self.explored, self.tops, self.bottoms = explored, tops, bottoms

    def at(self, place: int) -> tuple[Fraction, ...]:
        """Return the value of the state at a place."""
        bottom = self.bottoms[place]
        return tuple([printable(Fraction(top[place], bottom)) for top in self.tops])


class _Decisions(ByState[State, Action, T]):
    """A mapping from decision states only."""

    __slots__ = ()

    def __getitem__(self, state: State) -> T:
        place = self.explored.places[state]
        if self.explored.which[place] < 0:
            raise KeyError(state)
        return self.at(place)

    def __iter__(self) -> Iterator[State]:
        return compress(self.explored.states, (self.explored.which >= 0).tolist())

    def __len__(self) -> int:
        return int(np.count_nonzero(self.explored.which >= 0))

    def all(self) -> Iterable[T]:
        """Return the entries of all decision states, in their order."""
        return map(self.at, np.flatnonzero(self.explored.which >= 0).tolist())


class OptimalActions(_Decisions[State, Action, tuple[Action, ...]]):
    """The optimal actions of decision states: an array of bool, one for each move."""

    __slots__ = ("optimal",)

    def __init__(
        self, explored: Explored[State, Action], optimal: NDArray[np.bool_]
    ) -> None:
        self.explored, self.optimal = explored, optimal

    def at(self, place: int) -> tuple[Action, ...]:
        """Return the optimal actions of the decision state at a place."""
        first, last = self.explored.graph.offsets[place : place + 2].tolist()
        flags = self.optimal[first:last].tolist()
        return tuple(compress(self.explored.actions_at(place), flags))

    def several(self) -> list[State]:
        """Return the states with more than one optimal action."""
        until = np.concatenate(([0], np.cumsum(self.optimal)))
        counts = np.diff(until[self.explored.graph.offsets])
        return [self.explored.states[i] for i in np.flatnonzero(counts > 1).tolist()]


class Policy(_Decisions[State, Action, Any]):
    """The action taken in each decision state, or a mixture of all optimal ones.

    Attributes
    ----------
    chosen : ndarray of int, shape (states,)
        By place: the index of the action; 0 where nobody decides.
    optimal : ndarray of bool, shape (moves,), or None
        The optimal actions if all of them are taken, with equal chances.
    """

    __slots__ = ("chosen", "optimal")

    def __init__(
        self,
        explored: Explored[State, Action],
        chosen: Integers,
        optimal: NDArray[np.bool_] | None = None,
    ) -> None:
        self.explored, self.chosen, self.optimal = explored, chosen, optimal

    def at(self, place: int) -> Any:
        """Return what is done in the decision state at a place."""
        if self.optimal is not None:
            best = OptimalActions(self.explored, self.optimal).at(place)
            return dict.fromkeys(best, 1)
        return self.explored.actions_at(place)[int(self.chosen[place])]

    def all(self) -> Iterable[Any]:
        """Return what is done in all decision states."""
        explored = self.explored
        places = np.flatnonzero(explored.which >= 0)
        if self.optimal is not None:
            return map(self.at, places.tolist())
        taken = self.chosen[places].tolist()
        rows = zip(explored.which[places].tolist(), taken, strict=True)
        return [explored.actions[which][k] for which, k in rows]
