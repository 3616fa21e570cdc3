"""The solution of a game for arrays, by either backend: looked up in arrays."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Generic

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._graph.array_answers import CheckedArrays
from cardgames_dp._graph.arrays import ExploredArrays
from cardgames_dp._graph.graph import Integers, spans
from cardgames_dp._results.records import ArrayRecord, plain, summary
from cardgames_dp._support.printing import Number, printable, vector
from cardgames_dp._support.running import require

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ArraySolution(ArrayRecord, Generic[Number]):
    """The solution of a game for arrays by backward induction; made by either `solve`.

    Where a turn is the same in many *positions* of a longer game, which differ in what
    its ends are worth, `ExploredArrays.with_returns` may give the returns of all, and
    `cardgames_dp.diagonal.solve` solves them side by side, many times as fast as one by
    one. Then `value`, `values`, `error`, `policy` and `advice` have a first axis of
    positions. `ExploredArrays.at` is the game in one of them, for all else.

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
        Whether each move is an optimal action; with floats, whether it may be. Empty
        for many positions.
    chosen : ndarray of int, shape (states,)
        By place: the index of the action that the tie rule chose. Empty for many
        positions.
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
    See also the example of `cardgames_dp.game.ArrayGame`.

    >>> import numpy as np
    >>> from cardgames_dp import diagonal
    >>> from cardgames_dp.game import TERMINAL
    >>> class Matches:
    ...     num_players = 2                    # a state: matches left, who is to move
    ...     def initial_states(self): return np.array([[5, 0]])
    ...     def current_players(self, states):
    ...         return np.where(states[:, 0] > 0, states[:, 1], TERMINAL)
    ...     def legal_actions(self, states):                       # take one or two
    ...         index = np.repeat(np.arange(len(states)), 2)
    ...         taken = np.tile([1, 2], len(states))
    ...         legal = taken <= states[index, 0]
    ...         return index[legal], taken[legal]
    ...     def next_states(self, states, taken):
    ...         return np.column_stack([states[:, 0] - taken, 1 - states[:, 1]])
    ...     def chance_outcomes(self, states): ...                 # never asked
    ...     def returns(self, states):                       # the last taker has won
    ...         return np.where(states[:, 1:] == [0, 1], -1, 1)
    >>> solution = diagonal.solve(Matches())
    >>> solution
    ArraySolution(value=(1, -1), num_states=12, ties=2, tie_break='first')
    >>> solution.policy(np.array([[5, 0], [4, 1]]))
    array([2, 1])
    >>> solution.values(np.array([[5, 0], [3, 1]]))
    array([[ 1., -1.],
           [ 1., -1.]])

    The values of all actions with five matches left; and three positions in which the
    game is played for one, for five, and for nothing:

    >>> index, taken, values, best = solution.advice(np.array([[5, 0]]))
    >>> taken.tolist(), values.tolist(), best.tolist()
    ([1, 2], [-1.0, 1.0], [False, True])
    >>> stakes = np.array([1, 5, 0])[:, np.newaxis, np.newaxis]
    >>> game = solution.explored
    >>> many = game.with_returns(lambda ends: stakes * game.game.returns(ends))
    >>> diagonal.solve(many).value
    array([[ 1., -1.],
           [ 5., -5.],
           [ 0.,  0.]])
    >>> diagonal.solve(many).policy(np.array([[5, 0]])).ravel()
    array([2, 2, 1])
    """

    explored: ExploredArrays
    tie_break: str
    numerators: NDArray[Any]
    denominators: NDArray[Any] | None
    optimal: NDArray[np.bool_]
    chosen: Integers
    error: Any = 0.0
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

    @property
    def num_players(self) -> int:
        """The number of players."""
        return self.explored.num_players

    @property
    def num_states(self) -> int:
        """The number of places of reachable states."""
        return self.explored.num_states

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
        positions, a first axis of positions is added; the tie rule applies to all
        actions whose values may be the largest by `error`.

        Raises
        ------
        TypeError, GameError, KeyError
            As for `ExploredArrays.places`, or if nobody decides in one of the states.
        """
        if self.tie_break == "uniform":
            index, tied = self.optimal_actions(states)
            return index, tied, np.ones(len(index), dtype=np.int64)
        places, starts, index, actions = self._actions(states)
        if self.explored.num_positions is None:
            taken: Integers = actions[starts + self.chosen[places]]
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
        """Return the fields of the whole solution, without those of single states."""
        initial = self.explored.initial
        facts = {
            "initial_states": self.explored.states_at(initial),
            "initial_values": self._values_at(initial),
            "num_states": self.num_states,
            "num_moves": self.explored.num_moves,
            "tie_break": self.tie_break,
            "num_ties": self.num_ties,
            "num_possible_ties": self.num_possible_ties,
            "num_turned_ties": self.num_turned_ties,
            "error": self.error,
        }
        result: dict[str, Any] = plain(facts, json=json)
        return result

    def to_pandas(self) -> pd.DataFrame:
        """Return a DataFrame with one row for each state, in the order of places.

        Not for many positions.

        The columns are the state ("state", or "state_0", "state_1", ... if it is a row
        of integers), "player", the player to move or `CHANCE` or `TERMINAL`, and the
        values "value_0", ..., one for each player.

        Raises
        ------
        ModuleNotFoundError
            If pandas is not installed (the extra ``pandas``).
        ValueError
            If the solution is one of many positions.
        """
        self._require_one("to_pandas")
        pandas = require("pandas", extra="pandas", purpose="to_pandas")
        everywhere = np.arange(self.num_states)
        states = self.explored.states_at(everywhere)
        values = self._values_at(everywhere)
        columns = {"state": states} if states.ndim == 1 else _named("state", states)
        columns["player"] = self.explored.graph.players
        frame: pd.DataFrame = pandas.DataFrame({**columns, **_named("value", values)})
        return frame

    def _values_at(self, places: Integers) -> NDArray[Any]:
        tops = self.numerators[:, places].T
        if self.denominators is None:
            return tops
        return _fractions(tops, self.denominators[places][:, np.newaxis])

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
            values = _fractions(values, self.denominators[after])
        if graph.rewards is not None:
            which = graph.rewards.which[moves]
            values = values + self._rewards()[which, players]
        if self.explored.num_positions is None:
            return values, self.optimal[moves]
        error = self.error[:, np.newaxis] * (1 + 2.0**-50)
        least = np.maximum.reduceat(values - error, starts, axis=1)
        return values, values + error >= np.repeat(least, counts, axis=1)

    def _rewards(self) -> NDArray[Any]:
        """Return the different payments, by row and player."""
        rewards = self.explored.graph.rewards
        assert rewards is not None
        if self.denominators is None:
            return rewards.floats()[0]
        return _fractions(rewards.numerators, rewards.denominators)

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
        doubt = ""
        if self.error or self.num_possible_ties:
            doubt = f"possible_ties={self.num_possible_ties}, error={self.error:.2g}, "
        return (
            f"ArraySolution(value={vector(self.value)}, num_states={self.num_states}, "
            f"ties={self.num_ties}, {doubt}tie_break={self.tie_break!r})"
        )


def _fractions(tops: NDArray[Any], bottoms: NDArray[Any]) -> NDArray[Any]:
    """Return ratios of integers as an array of Fractions."""
    rows = np.broadcast_to(bottoms, tops.shape).ravel().tolist()
    values = np.empty(tops.size, dtype=object)
    pairs = zip(tops.ravel().tolist(), rows, strict=True)
    values[:] = [printable(Fraction(top, bottom)) for top, bottom in pairs]
    return values.reshape(tops.shape)


def _named(name: str, rows: NDArray[Any]) -> dict[str, NDArray[Any]]:
    """Return the columns of an array, named with their numbers."""
    return {f"{name}_{i}": column for i, column in enumerate(rows.T)}
