"""Games of millions of states: explored, solved and looked up in arrays.

A game for arrays is a `cardgames_dp.game.ArrayGame`. Give it to
`cardgames_dp.diagonal.solve`, `cardgames_dp.exact.solve` or
`cardgames_dp.game.explore` like any other game. The results are `ExploredArrays` in
place of `Explored`, and `ArraySolution` in place of `Solution`; their methods take
arrays of states.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Generic

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._graph.answers import CHANCE, TERMINAL
from cardgames_dp._graph.array_answers import CheckedArrays
from cardgames_dp._graph.generations import bounds, packed
from cardgames_dp._graph.graph import Graph, Integers, narrowed, spans
from cardgames_dp._graph.payments import distinct, laid_out, ratios
from cardgames_dp._results.printing import Number, printable, vector
from cardgames_dp._results.records import ArrayRecord, plain, summary
from cardgames_dp._support import arguments
from cardgames_dp._support.running import require
from cardgames_dp.game import ArrayGame

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ExploredArrays(ArrayRecord):
    """All reachable states of a game for arrays, and the moves between them.

    Made by `cardgames_dp.game.explore`, read-only. The states have *places*, as in
    `cardgames_dp.game.Explored`; a state that is reached after different numbers of
    moves has several places.

    Attributes
    ----------
    game : ArrayGame
        The game, which is asked for the actions of the states that you look up.
    columns : ndarray of int, shape (width, states)
        The states by place, in the smallest type that holds them.
    initial : ndarray of int
        The places of the initial states.
    graph : Graph
        Players, moves, weights, returns and rewards, as for other games.

    Examples
    --------
    Throw a coin ten times; a state is the number of throws and the number of heads:

    >>> import numpy as np
    >>> from cardgames_dp import exact
    >>> from cardgames_dp.game import explore
    >>> from cardgames_dp.game import CHANCE, TERMINAL
    >>> class Heads:
    ...     num_players = 1
    ...     def initial_states(self): return np.array([[0, 0]])
    ...     def current_players(self, states):
    ...         return np.where(states[:, 0] < 10, CHANCE, TERMINAL)
    ...     def legal_actions(self, states): ...                      # never asked
    ...     def next_states(self, states, actions): ...               # never asked
    ...     def chance_outcomes(self, states):
    ...         index = np.tile(np.arange(len(states)), 2)
    ...         after = np.concatenate([states + [1, 0], states + [1, 1]])
    ...         return index, np.ones(len(index), dtype=int), after
    ...     def returns(self, states): return states[:, 1]
    >>> game = explore(Heads())
    >>> game
    ExploredArrays(num_states=66, num_moves=110, num_players=1)
    >>> exact.solve(game).values(np.array([[0, 0], [9, 9]])).tolist()
    [[Fraction(5, 1)], [Fraction(19, 2)]]
    """

    game: ArrayGame = field(compare=False)
    columns: Integers
    initial: Integers
    graph: Graph
    _order: list[Any] = field(default_factory=list, init=False, compare=False)

    @property
    def num_states(self) -> int:
        """The number of places: a state reached in two generations counts twice."""
        return self.graph.num_states

    @property
    def num_moves(self) -> int:
        """The number of all moves: actions and outcomes."""
        return len(self.graph.following)

    @property
    def num_players(self) -> int:
        """The number of players."""
        return self.graph.num_players

    def states_at(self, places: Integers) -> Integers:
        """Return the states at some places, in the form that the game uses.

        Raises
        ------
        TypeError, ValueError
            If `places` is not an array of integers, or one of them is not a place.
        """
        asked = arguments.places("places", places, self.num_states)
        return CheckedArrays(self.game).states(self.columns[:, asked])

    def places(self, states: NDArray[Any]) -> Integers:
        """Return a place of each of some states.

        The first call sorts all states, which takes a quarter of a microsecond and
        twelve bytes for each.

        Raises
        ------
        TypeError, GameError
            If `states` is not an array of states of the game.
        KeyError
            If one of them cannot be reached.
        """
        asked = CheckedArrays(self.game).columns(states, None, "states")
        if not self._order:
            within = bounds(self.columns)
            keys = packed(self.columns, within)
            order = keys.argsort(kind="stable")
            self._order.extend((within, keys[order], narrowed(order, np.int32)))
        within, keys, order = self._order
        low, high = (np.array(each)[:, np.newaxis] for each in within)
        known = ((low <= asked) & (asked <= high)).all(axis=0)
        wanted = packed(np.clip(asked, low, high), within)
        found = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
        known &= keys[found] == wanted
        if not known.all():
            state = np.asarray(states)[known.argmin()].tolist()
            raise KeyError(f"the state {state} cannot be reached in this game")
        places: Integers = order[found]
        return places

    def with_returns(
        self, returns: Callable[[NDArray[Any]], NDArray[Any]]
    ) -> ExploredArrays:
        """Return the same game with other returns.

        Parameters
        ----------
        returns : callable
            A function like `ArrayGame.returns`, for example this method of another game
            with the same states.

        Raises
        ------
        TypeError, GameError
            If the answer breaks a rule of `ArrayGame.returns`.
        """
        game = CheckedArrays(self.game)
        ends = np.flatnonzero(self.graph.players == TERMINAL)
        columns = self.columns[:, ends]
        tops, bottoms, exact = ratios(game.returns(columns, returns))
        graph = replace(self.graph, numerators=tops, denominators=bottoms, exact=exact)
        return replace(self, graph=graph)

    def with_rewards(
        self, rewards: Callable[[NDArray[Any], NDArray[Any]], NDArray[Any]]
    ) -> ExploredArrays:
        """Return the same game in which actions pay something else.

        What outcomes of chance pay stays as it is.

        Parameters
        ----------
        rewards : callable
            A function like `rewards` of an `ArrayGame`, of states and actions.

        Raises
        ------
        TypeError, GameError
            If the answer breaks a rule of `rewards`.
        """
        game, graph = CheckedArrays(self.game), self.graph
        counts = np.diff(graph.offsets)
        kept = np.zeros(len(graph.following), dtype=np.int64)
        rows = np.zeros((1, self.num_players), dtype=np.int8)
        if graph.rewards is not None:
            chance = np.repeat(graph.players == CHANCE, counts)
            kept[chance] = graph.rewards.which[chance]
            rows = graph.rewards.numbers()
        places = np.flatnonzero(graph.players >= 0)
        if places.size:
            columns = self.columns[:, places]
            index, actions, _ = game.actions(columns)
            paid = game.rewards(columns, index, actions, rewards)
            assert paid is not None
            new, which = distinct(paid)
            kept[spans(graph.offsets[places], counts[places])] = which + len(rows)
            rows = np.concatenate([rows, new])
        return replace(self, graph=replace(graph, rewards=laid_out(kept, rows)))

    def __repr__(self) -> str:
        return summary(
            self,
            num_states=self.num_states,
            num_moves=self.num_moves,
            num_players=self.num_players,
        )


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ArraySolution(ArrayRecord, Generic[Number]):
    """The solution of a game for arrays by backward induction; made by either `solve`.

    Attributes
    ----------
    explored : ExploredArrays
        The explored game.
    tie_break : str
        The tie rule: "first", "last" or "uniform".
    numerators : ndarray of float64 or object, shape (players, states)
        By place: the values or, for exact values, their numerators.
    denominators : ndarray of object, shape (states,), or None
        The denominators of exact values.
    optimal : ndarray of bool, shape (moves,)
        Whether each move is an optimal action; with floats, whether it may be.
    chosen : ndarray of int, shape (states,)
        By place: the index of the action that the tie rule chose.
    error : float
        A bound of the error of every value; 0 for Fractions.
    num_ties, num_possible_ties : int
        The number of decision states in which several actions are certainly optimal,
        and in which rounding leaves open which of several are optimal.

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
    """

    explored: ExploredArrays
    tie_break: str
    numerators: NDArray[Any]
    denominators: NDArray[Any] | None
    optimal: NDArray[np.bool_]
    chosen: Integers
    error: float = 0.0
    num_ties: int = 0
    num_possible_ties: int = 0

    @property
    def value(self) -> tuple[Number, ...]:
        """The expected return of each player in the first initial state."""
        first = self.explored.initial[:1]
        return tuple(self._values_at(first)[0].tolist())

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
            One row for each state.

        Raises
        ------
        TypeError, GameError, KeyError
            As for `ExploredArrays.places`.
        """
        return self._values_at(self.explored.places(states))

    def policy(
        self, states: NDArray[Any]
    ) -> Integers | tuple[Integers, Integers, Integers]:
        """Return the action that the tie rule chose in each of some decision states.

        By the rule "uniform" these are mixtures of all optimal actions: arrays (index,
        actions, weights), as policies of `cardgames_dp.play` give them.

        Raises
        ------
        TypeError, GameError, KeyError
            As for `ExploredArrays.places`, or if nobody decides in one of the states.
        """
        if self.tie_break == "uniform":
            index, best = self.optimal_actions(states)
            return index, best, np.ones(len(index), dtype=np.int64)
        places, starts, _, actions = self._actions(states)
        taken: Integers = actions[starts + self.chosen[places]]
        return taken

    def optimal_actions(self, states: NDArray[Any]) -> tuple[Integers, Integers]:
        """Return all optimal actions of some decision states: index and action.

        Raises
        ------
        TypeError, GameError, KeyError
            As for `policy`.
        """
        places, starts, index, actions = self._actions(states)
        offsets = self.explored.graph.offsets
        moves = spans(offsets[places], np.diff(np.append(starts, len(index))))
        best = self.optimal[moves]
        return index[best], actions[best]

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
            "error": self.error,
        }
        result: dict[str, Any] = plain(facts, json=json)
        return result

    def to_pandas(self) -> pd.DataFrame:
        """Return a DataFrame with one row for each state, in the order of places.

        The columns are the state ("state", or "state_0", "state_1", ... if it is a row
        of integers), "player", the player to move or `CHANCE` or `TERMINAL`, and the
        values "value_0", ..., one for each player.

        Raises
        ------
        ModuleNotFoundError
            If pandas is not installed (the extra ``pandas``).
        """
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
        rows = zip(tops.tolist(), self.denominators[places].tolist(), strict=True)
        values = np.empty(tops.shape, dtype=object)
        for row, (numerators, bottom) in zip(values, rows, strict=True):
            row[:] = [printable(Fraction(top, bottom)) for top in numerators]
        return values

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
        doubt = ""
        if self.error or self.num_possible_ties:
            doubt = f"possible_ties={self.num_possible_ties}, error={self.error:.2g}, "
        return (
            f"ArraySolution(value={vector(self.value)}, num_states={self.num_states}, "
            f"ties={self.num_ties}, {doubt}tie_break={self.tie_break!r})"
        )


def _named(name: str, rows: NDArray[Any]) -> dict[str, NDArray[Any]]:
    """Return the columns of an array, named with their numbers."""
    return {f"{name}_{i}": column for i, column in enumerate(rows.T)}
