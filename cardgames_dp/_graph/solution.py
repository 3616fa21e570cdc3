"""The result of backward induction on a game, in either arithmetic.

Its mappings from states are read-only views over the arrays of an explored game: making
them takes no time, and no memory beyond the arrays. Iteration is by places, the initial
state first.
"""

from __future__ import annotations

from collections.abc import ItemsView, Iterator, Mapping, Sequence, ValuesView
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import compress, islice
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._graph.explored import Explored
from cardgames_dp._graph.graph import Integers
from cardgames_dp._results import tables
from cardgames_dp._results.advice import Advice
from cardgames_dp._results.records import Action, Result, State, plain
from cardgames_dp._support import arguments
from cardgames_dp._support.printing import printable, vector
from cardgames_dp._support.running import require

if TYPE_CHECKING:
    import pandas as pd

Number = TypeVar("Number", bound=float | Fraction)


@dataclass(frozen=True, slots=True, repr=False)
class Solution(Result, Generic[State, Action, Number]):
    """The solution of a game by backward induction; made by either `solve`, read-only.

    It prints as a table of its first states. Numbers are Fractions
    (:func:`cardgames_dp.exact.solve`) or floats (:func:`cardgames_dp.diagonal.solve`),
    which have an `error`.

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
        error = float(self.error + rounding)
        if rounding:  # upward, among the smallest floats as well
            error = error * (1 + 4 * 2.0**-53) + 2.0**-1073
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
        rest = ("tie_break", "error", "possible_ties", "turned_ties")
        facts: dict[str, Any] = {name: getattr(self, name) for name in rest}
        _, columns = self._columns()
        if arguments.boolean("json", json):
            columns = plain(columns, json=True)
        ties = {name: list(facts[name]) for name in rest[2:]}
        return {**facts, **columns, **plain(ties, json=json)}

    def _columns(self) -> tuple[Any, dict[str, Any]]:
        states = list(self.values)
        return None, {
            "state": states,
            "values": list(self.values.values()),
            "optimal_actions": [self.optimal_actions.get(s, ()) for s in states],
            "policy": [self.policy.get(s) for s in states],
        }

    def to_pandas(self) -> pd.DataFrame:
        """Return the columns of `to_dict` as a DataFrame of objects.

        Raises
        ------
        ModuleNotFoundError
            If pandas is not installed (the extra ``pandas``).
        """
        pandas = require("pandas", extra="pandas", purpose="to_pandas")
        frame: pd.DataFrame = pandas.DataFrame(self._columns()[1], dtype=object)
        return frame

    def _table(self) -> tables.Table:
        doubtful, rows = set(self.possible_ties), list[Sequence[object]]()
        for state in islice(self.values, tables.MOST_ROWS):
            best = self.optimal_actions.get(state, ())
            actions: Any = ", ".join(map(repr, best))
            if len(best) > 1:
                sign = " (tie?)" if state in doubtful else " (tie)"
                actions = tables.Marked(actions, sign)
            rows.append((repr(state), vector(self.values[state]), actions))
        notes = ["marked (tie): several actions are optimal"]
        if doubtful:
            notes.append("marked (tie?): several may be optimal, up to rounding")
        if len(rows) < self.num_states:
            notes.append(f"the first {len(rows)} of {self.num_states} states shown")
        head = ("state", "value", "optimal actions")
        return tables.Table(head, rows, notes, left=(0, 2))

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

    def _places(self) -> list[int]:
        """Return the places of the states that have an entry."""
        return list(range(self.explored.num_states))

    def __getitem__(self, state: State) -> T:
        return self.at(self.explored.places[state])

    def __iter__(self) -> Iterator[State]:
        return map(self.explored.states.__getitem__, self._places())

    def __len__(self) -> int:
        return len(self._places())

    # All entries are made at once, as a look-up for every state takes longer.

    def items(self) -> ItemsView[State, T]:
        """Return pairs of states and their entries."""
        return dict(zip(self, map(self.at, self._places()), strict=True)).items()

    def values(self) -> ValuesView[T]:
        """Return the entries of the states."""
        return dict(self.items()).values()

    def __repr__(self) -> str:
        return repr(dict(self.items()))


class Values(ByState[State, Action, tuple[Any, ...]]):
    """The values of all states.

    Attributes
    ----------
    numerators : ndarray of float64 or object, shape (players, states)
        By place: the values or, for exact values, their numerators.
    denominators : ndarray of object, shape (states,), or None
        The denominators of exact values.
    """

    __slots__ = ("denominators", "numerators")

    def __init__(
        self,
        explored: Explored[State, Action],
        numerators: NDArray[Any],
        denominators: NDArray[Any] | None,
    ) -> None:
        self.explored = explored
        self.numerators, self.denominators = numerators, denominators

    def at(self, place: int) -> tuple[Any, ...]:
        """Return the value of the state at a place."""
        tops: list[Any] = self.numerators[:, place].tolist()
        if self.denominators is None:
            return tuple(tops)
        bottom = self.denominators[place]
        return tuple([printable(Fraction(top, bottom)) for top in tops])


class _Decisions(ByState[State, Action, T]):
    """A mapping from decision states only."""

    __slots__ = ()

    def __getitem__(self, state: State) -> T:
        place = self.explored.places[state]
        if self.explored.which[place] < 0:
            raise KeyError(state)
        return self.at(place)

    def _places(self) -> list[int]:
        places: list[int] = np.flatnonzero(self.explored.which >= 0).tolist()
        return places


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
        return self.explored.actions[self.explored.which[place]][self.chosen[place]]
