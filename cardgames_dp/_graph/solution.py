"""The result of backward induction on a game, in either form and either arithmetic.

A solution holds arrays by place. The mappings from states of a `Solution` are views
over them: making one takes no time, and no memory beyond the arrays. An `ArraySolution`
takes arrays of states.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import compress, islice
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._graph.array_answers import CheckedArrays
from cardgames_dp._graph.arrays import ExploredArrays
from cardgames_dp._graph.explored import ByState, Explored, states_at
from cardgames_dp._graph.graph import Integers, fractions, spans
from cardgames_dp._results import tables
from cardgames_dp._results.records import Action, Advice, Result, State, plain, summary
from cardgames_dp._support import arguments
from cardgames_dp._support.printing import vector
from cardgames_dp._support.running import require

if TYPE_CHECKING:
    import pandas as pd

Number = TypeVar("Number", bound=float | Fraction)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SolutionRecord(Result, Generic[Number]):
    """A base of solutions of games in both forms, which describe its fields."""

    explored: Any
    tie_break: str
    numerators: NDArray[Any]
    denominators: NDArray[Any] | None
    optimal: NDArray[np.bool_]
    chosen: Integers
    error: Any = 0.0

    @property
    def value(self) -> tuple[Number, ...]:
        """The expected return of each player at the start."""
        raise NotImplementedError

    @property
    def num_states(self) -> int:
        """The number of reachable states, the initial one included.

        In a game for arrays, a state that is reached in two generations counts twice.
        """
        count: int = self.explored.num_states
        return count

    def _in_a_line(self, ties: int, possible: int, prefix: str = "") -> str:
        doubt = ""
        if self.error or possible:
            doubt = f"{prefix}possible_ties={possible}, error={self.error:.2g}, "
        return (
            f"{type(self).__name__}(value={vector(self.value)}, "
            f"num_states={self.num_states}, {prefix}ties={ties}, {doubt}"
            f"tie_break={self.tie_break!r})"
        )


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Solution(SolutionRecord[Number], Generic[State, Action, Number]):
    """The solution of a game by backward induction; made by either `solve`, read-only.

    It prints as a table of its first states. Numbers are Fractions
    (:func:`cardgames_dp.exact.solve`) or floats (:func:`cardgames_dp.diagonal.solve`),
    which have an `error`.

    Attributes
    ----------
    explored : Explored
        The explored game.
    tie_break : str
        The tie rule: "first", "last", "uniform" or the name of the callable.
    numerators : ndarray of float64 or object, shape (players, states)
        By place: the values or, for exact values, their numerators.
    denominators : ndarray of object, shape (states,), or None
        The denominators of exact values.
    optimal : ndarray of bool, shape (moves,)
        Whether each move is an optimal action; with floats, whether it may be.
    chosen : ndarray of int, shape (states,)
        By place: the index of the action that the tie rule chose; 0 where nobody
        decides.
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

    explored: Explored[State, Action]
    possible_ties: tuple[State, ...] = ()
    turned_ties: tuple[State, ...] = ()

    @property
    def initial_state(self) -> State:
        """The state in which the game starts."""
        return self.explored.states[0]

    @property
    def value(self) -> tuple[Number, ...]:
        """The expected return of each player at the start."""
        return self._value_at(0)

    @property
    def values(self) -> Mapping[State, tuple[Number, ...]]:
        """The expected return of each player in every reachable state.

        In decision, chance and terminal states, under the policy: what is still to
        come, without the rewards of the moves that led there. The initial state comes
        first, and every state before those that can follow it, unless plays can come
        back to it.
        """
        return ByState(self.explored, self._value_at)

    @property
    def optimal_actions(self) -> Mapping[State, tuple[Action, ...]]:
        """For every decision state, all actions that are best for the player to move.

        They are best given the policy in later states, in the order of `legal_actions`.
        With floats, all actions that may be optimal up to rounding.
        """
        return ByState(self.explored, self._best_at, deciding=True)

    @property
    def policy(self) -> Mapping[State, Action]:
        """For every decision state, the optimal action that the tie rule chose.

        By the rule "uniform" a mixture of all of them, a mapping of actions to weights.
        """
        return ByState(self.explored, self._done_at, deciding=True)

    @property
    def ties(self) -> tuple[State, ...]:
        """The decision states that certainly have more than one optimal action."""
        until = np.concatenate(([0], np.cumsum(self.optimal)))
        counts = np.diff(until[self.explored.graph.offsets])
        several = states_at(self.explored, np.flatnonzero(counts > 1).tolist())
        doubtful = set(self.possible_ties)
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
            If the state cannot be reached, or no player moves in it.

        Examples
        --------
        >>> from cardgames_dp import diagonal, redblack
        >>> solution = diagonal.solve(redblack.Rules().game(3, 3))
        >>> print(solution.advice(redblack.State(red=2, black=2)))
        State(red=2, black=2, decision=''): draw; value: stop 0, draw 0.666667.
        """
        explored = self.explored
        place = explored.places.get(state)
        actions = () if place is None else explored.actions_at(place)
        if place is None or not actions:
            must = "state must be one in which a player moves and that can be reached"
            deciding = np.flatnonzero(explored.graph.players >= 0)
            hint = "and the game has none"
            if deciding.size:
                hint = f"such as {arguments.shown(explored.states[deciding[0]])}"
            raise arguments.wrong_value(f"{must}, {hint}", state)
        graph, best = explored.graph, self._best_at(place)
        action = best[0] if self.tie_break == "uniform" else self._done_at(place)
        player = int(graph.players[place])
        first, last = graph.offsets[place : place + 2].tolist()
        after = [self._value_at(i) for i in graph.following[first:last].tolist()]
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
            best=best,
            values=dict(zip(actions, worth, strict=True)),
            state=state,
            player=player,
            returns=self._value_at(place),
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

    def _value_at(self, place: int) -> tuple[Any, ...]:
        tops: list[Any] = self.numerators[:, place].tolist()
        if self.denominators is None:
            return tuple(tops)
        bottom = self.denominators[place]
        return tuple([Fraction(top, bottom) for top in tops])

    def _best_at(self, place: int) -> tuple[Action, ...]:
        return flagged(self.explored, self.optimal, place)

    def _done_at(self, place: int) -> Any:
        """Return what is done in the decision state at a place, as `policy` does."""
        if self.tie_break == "uniform":
            return dict.fromkeys(self._best_at(place), 1)
        return self.explored.actions[self.explored.which[place]][self.chosen[place]]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Solution):
            return NotImplemented
        rest = "tie_break", "error", "possible_ties", "turned_ties"
        names = "initial_state", *rest, "values", "optimal_actions", "policy"
        return all(getattr(self, name) == getattr(other, name) for name in names)

    def __hash__(self) -> int:  # type: ignore[override]
        return hash((self.initial_state, self.tie_break, self.error))

    def __repr__(self) -> str:
        return self._in_a_line(len(self.ties), len(self.possible_ties))


def flagged(
    explored: Explored[State, Action], flags: NDArray[np.bool_], place: int
) -> tuple[Action, ...]:
    """Return the actions of a state whose moves are flagged."""
    first, last = explored.graph.offsets[place : place + 2].tolist()
    return tuple(compress(explored.actions_at(place), flags[first:last].tolist()))


def _plus(value: Any, paid: Fraction) -> Any:
    """Return the sum of a value and of what a move pays, in the value's arithmetic."""
    if isinstance(value, float):
        return value + float(paid)
    return value + paid


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ArraySolution(SolutionRecord[Number], Generic[Number]):
    """The solution of a game for arrays by backward induction; made by either `solve`.

    Where a turn is the same in many *positions* of a longer game, which differ in what
    its ends are worth, `ExploredArrays.with_returns` may give the returns of all, and
    `cardgames_dp.diagonal.solve` solves them side by side, many times as fast as one by
    one, if it has no rewards and no loops and the tie rule is "first" or "last". Then
    `value`, `values`, `error`, `policy` and `advice` have a first axis of positions.
    `ExploredArrays.at` is the game in one of them, for all else.

    Attributes
    ----------
    explored : ExploredArrays
        The explored game.
    tie_break : str
        The tie rule: "first", "last" or "uniform".
    numerators : ndarray of float64 or object, shape (players, states)
        By place: the values or, for exact values, their numerators. For many positions,
        of shape (players, states, positions).
    denominators : ndarray of object, shape (states,), or None
        The denominators of exact values.
    optimal : ndarray of bool, shape (moves,)
        Whether each move is an optimal action; with floats, whether it may be. For
        many positions, of shape (moves, positions), and with one player empty.
    chosen : ndarray of int, shape (states,)
        By place: the index of the action that the tie rule chose. For many positions,
        of shape (states, positions), and with one player empty.
    error : float, or ndarray of float64, shape (positions,)
        A bound of the error of every value; 0 for Fractions.
    num_ties, num_possible_ties : int
        The number of decision states in which several actions are certainly optimal,
        and in which rounding leaves open which of several are optimal. Not counted for
        many positions.
    num_turned_ties : int
        The number of decision states in which the action that the tie rule prefers
        would let play go on for ever, and another optimal one is taken.

    Examples
    --------
    See also the examples of `cardgames_dp.game.ArrayGame`. Red/black with two cards of
    each colour; a state is a row of reds, blacks and what was decided, 0 if nothing:

    >>> import numpy as np
    >>> from cardgames_dp import diagonal
    >>> from cardgames_dp.redblack import kinds
    >>> solution = diagonal.solve(kinds.game({1: 2, -1: 2}))
    >>> solution.value, solution.num_states, solution.num_possible_ties
    ((0.66666666...,), 25, 1)
    >>> solution.policy(np.array([[2, 2, 0], [1, 2, 0]]))          # draw, stop
    array([2, 1])
    >>> solution.values(np.array([[2, 2, 0], [1, 2, 0]]))
    array([[0.66666667],
           [1.        ]])

    The values of both actions at the start; and three positions in which the game is
    played for one, for five, and for nothing:

    >>> index, taken, values, best = solution.advice(np.array([[2, 2, 0]]))
    >>> taken.tolist(), values.tolist(), best.tolist()
    ([1, 2], [0.0, 0.66666666...], [False, True])
    >>> stakes = np.array([1, 5, 0])[:, np.newaxis, np.newaxis]
    >>> game = solution.explored
    >>> many = game.with_returns(lambda ends: stakes * game.game.returns(ends)[:, None])
    >>> diagonal.solve(many).value
    array([[0.66666667],
           [3.33333333],
           [0.        ]])
    >>> diagonal.solve(many).policy(np.array([[2, 2, 0]])).ravel()
    array([2, 2, 1])
    """

    explored: ExploredArrays
    num_ties: int = 0
    num_possible_ties: int = 0
    num_turned_ties: int = 0

    @property
    def value(self) -> tuple[Number, ...]:
        """The expected return of each player in the first initial state.

        For many positions, an array of shape (positions, players).
        """
        values: Any = self._values_at(self.explored.initial[:1])
        if self.explored.num_positions is not None:
            return values[:, 0]  # type: ignore[no-any-return]
        return tuple(values[0].tolist())

    def values(self, states: NDArray[Any]) -> NDArray[Any]:
        """Return the expected returns in some states: what is still to come there.

        Parameters
        ----------
        states : ndarray of int
            Reachable states, in the form that the game uses.

        Returns
        -------
        ndarray of float64, or of Fractions, shape (count, players)
            One row for each state; of shape (positions, count, players) for many
            positions.

        Raises
        ------
        TypeError, GameError, KeyError
            As for `ExploredArrays.places`.
        """
        return self._values_at(self.explored.places(states))

    def policy(self, states: NDArray[Any]) -> Any:
        """Return the action that the tie rule chose in each of some decision states.

        By the rule "uniform" these are mixtures of all optimal actions: arrays (index,
        actions, weights), as policies of `cardgames_dp.play` give them. For many
        positions, a first axis of positions is added; with one player, the tie rule
        applies to all actions whose values may be the largest by `error`.

        Raises
        ------
        TypeError, GameError, KeyError
            As for `ExploredArrays.places`, or if nobody decides in one of the states.
        """
        if self.tie_break == "uniform":
            index, tied = self.optimal_actions(states)
            return index, tied, np.ones(len(index), dtype=np.int64)
        places, starts, index, actions = self._actions(states)
        if self.chosen.size:
            taken: Integers = actions[starts + self.chosen[places].T]
            return taken
        _, best = self._worth(places, starts, index)
        ranks = np.arange(len(index))
        if self.tie_break == "first":
            ranks = np.where(best, ranks, len(index))
            return actions[np.minimum.reduceat(ranks, starts, axis=1)]
        return actions[np.maximum.reduceat(ranks * best, starts, axis=1)]

    def optimal_actions(self, states: NDArray[Any]) -> tuple[Integers, Integers]:
        """Return all optimal actions of some decision states: index and action.

        Raises
        ------
        TypeError, GameError, KeyError
            As for `policy`.
        ValueError
            If the solution is one of many positions, whose actions `advice` has.
        """
        self._require_one("optimal_actions")
        places, starts, index, actions = self._actions(states)
        _, best = self._worth(places, starts, index)
        return index[best], actions[best]

    def advice(
        self, states: NDArray[Any]
    ) -> tuple[Integers, Integers, NDArray[Any], NDArray[np.bool_]]:
        """Return all actions of some decision states, with their values.

        Returns
        -------
        index : ndarray of int, shape (moves,)
            The index of the state of each action.
        actions : ndarray of int, shape (moves,) or (moves, width)
            The actions, in the order of `ArrayGame.legal_actions`.
        values : ndarray of float64, or of Fractions, shape (moves,)
            The value of each action for the player to move, if all players then follow
            the solution; for many positions, of shape (positions, moves).
        best : ndarray of bool, of the same shape
            Whether the action is optimal; with floats, whether it may be.

        Raises
        ------
        TypeError, GameError, KeyError
            As for `policy`.
        """
        places, starts, index, actions = self._actions(states)
        values, best = self._worth(places, starts, index)
        return index, actions, values, best

    def to_dict(self, *, json: bool = False) -> dict[str, Any]:
        """Return the fields of the whole solution, without those of single states.

        `to_pandas` has one row for each state, in the order of places: the state
        ("state", or "state_0", "state_1", ... if it is a row of integers), "player",
        the player to move or `CHANCE` or `TERMINAL`, and the values "value_0", ..., one
        for each player.
        """
        initial = self.explored.initial
        facts = {
            "initial_states": self.explored.states_at(initial),
            "initial_values": self._values_at(initial),
            "num_states": self.num_states,
            "num_moves": len(self.explored.graph.following),
            "tie_break": self.tie_break,
            "num_ties": self.num_ties,
            "num_possible_ties": self.num_possible_ties,
            "num_turned_ties": self.num_turned_ties,
            "error": self.error,
        }
        result: dict[str, Any] = plain(facts, json=json)
        return result

    def _columns(self) -> tuple[Any, dict[str, NDArray[Any]]]:
        self._require_one("to_pandas")
        everywhere = np.arange(self.num_states)
        states = self.explored.states_at(everywhere)
        columns = {"state": states} if states.ndim == 1 else _named("state", states)
        columns["player"] = self.explored.graph.players
        return None, columns | _named("value", self._values_at(everywhere))

    def _values_at(self, places: Integers) -> NDArray[Any]:
        tops = self.numerators[:, places].T
        if self.denominators is None:
            return tops
        return fractions(tops, self.denominators[places][:, np.newaxis])

    def _worth(
        self, places: Integers, starts: Integers, index: Integers
    ) -> tuple[NDArray[Any], NDArray[np.bool_]]:
        """Return the values of all actions for who moves, and whether each is best.

        They are those of the states at some places, as `_actions` lists them.
        """
        graph = self.explored.graph
        counts = np.diff(np.append(starts, len(index)))
        moves = spans(graph.offsets[places].astype(np.int64), counts)
        after, players = graph.following[moves], graph.players[places][index]
        values = self.numerators[players, after].T
        if self.denominators is not None:
            values = fractions(values, self.denominators[after])
        if graph.rewards is not None:
            which = graph.rewards.which[moves]
            paid = graph.rewards.in_type(self.numerators.dtype)
            values = values + paid[which, players]
        if self.optimal.size:
            return values, self.optimal[moves].T
        error = self.error[:, np.newaxis] * (1 + 2.0**-50)
        least = np.maximum.reduceat(values - error, starts, axis=1)
        return values, values + error >= np.repeat(least, counts, axis=1)

    def _require_one(self, name: str) -> None:
        if self.explored.num_positions is not None:
            raise ValueError(
                f"{name} is for one position, and this is a solution of many; solve "
                "explored.at(position), or see advice"
            )

    def _actions(
        self, states: NDArray[Any]
    ) -> tuple[Integers, Integers, Integers, Integers]:
        """Return places, first moves, and all actions of states, with their index."""
        places = self.explored.places(states)
        idle = self.explored.graph.players[places] < 0
        if idle.any():
            state = np.asarray(states)[idle.argmax()].tolist()
            raise KeyError(f"nobody decides in the state {state}")
        index, actions, counts = CheckedArrays(self.explored.game).actions(
            self.explored.columns[:, places]
        )
        return places, np.cumsum(counts) - counts, index, actions

    def __repr__(self) -> str:
        positions = self.explored.num_positions
        if positions is not None:
            return summary(
                self,
                num_positions=positions,
                num_states=self.num_states,
                error=float(self.error.max()),
                tie_break=self.tie_break,
            )
        return self._in_a_line(self.num_ties, self.num_possible_ties, "num_")


def _named(name: str, rows: NDArray[Any]) -> dict[str, NDArray[Any]]:
    """Return the columns of an array, named with their numbers."""
    return {f"{name}_{i}": column for i, column in enumerate(rows.T)}
