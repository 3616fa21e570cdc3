"""Games of millions of states: explored, solved and looked up in arrays.

A game for arrays is a `cardgames_dp.game.ArrayGame`. Give it to
`cardgames_dp.diagonal.solve`, `cardgames_dp.exact.solve` or
`cardgames_dp.game.explore` like any other game. The results are `ExploredArrays` in
place of `Explored`, and `ArraySolution` in place of `Solution`; their methods take
arrays of states.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Generic

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._graph.answers import CHANCE, TERMINAL, ArrayGame, GameError
from cardgames_dp._graph.array_answers import CheckedArrays
from cardgames_dp._graph.generations import bounds, packed, unique
from cardgames_dp._graph.graph import (
    ExploredRecord,
    Graph,
    Integers,
    fractions,
    narrowed,
    spans,
)
from cardgames_dp._graph.payments import distinct, laid_out, ratios
from cardgames_dp._results.records import Result, plain, summary
from cardgames_dp._support import arguments
from cardgames_dp._support.printing import Number, vector

_AT_ONCE = 2**18
"""The number of states whose weights are matched at once."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ExploredArrays(ExploredRecord):
    """All reachable states of a game for arrays, and the moves between them.

    Made by `cardgames_dp.game.explore`, read-only. The states have *places*, as in
    `cardgames_dp.game.Explored`; a state that is reached after different numbers of
    moves has several places, unless the game has levels.

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
    >>> from cardgames_dp.game import CHANCE, TERMINAL, GameError
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
    _order: list[Any] = field(default_factory=list, compare=False)

    @property
    def num_positions(self) -> int | None:
        """The number of positions if `with_returns` has given many, otherwise None."""
        shape = self.graph.numerators.shape
        return shape[2] if len(shape) == 3 else None

    def at(self, position: int) -> ExploredArrays:
        """Return the game in one of many positions, as counted from 0.

        Raises
        ------
        TypeError, ValueError
            If the game is not one of many positions, or there is no such position.
        """
        count = self.num_positions
        if count is None:
            raise ValueError(
                "at is for a game of many positions, and this game has one; "
                "with_returns gives the returns of many"
            )
        position = arguments.integer("position", position)
        if position >= count:
            raise ValueError(
                f"position must be below num_positions, {count}, got "
                f"{arguments.shown(position)}"
            )
        numerators = self.graph.numerators[:, :, position]
        return self._paying(np.ascontiguousarray(numerators))

    def _paying(self, returns: NDArray[Any]) -> ExploredArrays:
        """Return the same game with other returns."""
        tops, bottoms, exact = ratios(returns)
        return self._with(numerators=tops, denominators=bottoms, exact=exact)

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
            with the same states. It may also give the returns of many *positions*, an
            array of shape (positions, count, players): see `ArraySolution`.

        Raises
        ------
        TypeError, GameError
            If the answer breaks a rule of `ArrayGame.returns`.
        """
        ends = np.flatnonzero(self.graph.players == TERMINAL)
        game = CheckedArrays(self.game)
        return self._paying(game.returns(self.columns[:, ends], returns))

    def __reduce__(self) -> tuple[Any, ...]:
        # Without the index of the states, which is quickly made again.
        return ExploredArrays, (self.game, self.columns, self.initial, self.graph)

    def with_weights(
        self,
        chance_outcomes: Callable[[NDArray[Any]], tuple[NDArray[Any], ...]],
    ) -> ExploredArrays:
        """Return the same game with other weights of chance.

        Parameters
        ----------
        chance_outcomes : callable
            A function like `ArrayGame.chance_outcomes`. Next states and payments must
            be among those that follow in this game; an outcome that is left out has
            weight 0, and its state stays among the states.

        Raises
        ------
        TypeError, GameError
            If the answer breaks a rule of `ArrayGame.chance_outcomes`, or has an
            outcome that is not in this game.
        """
        places = np.flatnonzero(self.graph.players == CHANCE)
        parts: list[Integers] = [np.empty(0, dtype=np.int64)]
        for start in range(0, len(places), _AT_ONCE):
            some = places[start : start + _AT_ONCE]
            parts.append(self._weights(some, chance_outcomes))
        return self._with(weights=narrowed(np.concatenate(parts)))

    def _weights(
        self, places: Integers, chance_outcomes: Callable[[NDArray[Any]], Any]
    ) -> Integers:
        """Return the weights of the moves of some places of chance."""
        graph, game = self.graph, CheckedArrays(self.game)
        columns = self.columns[:, places]
        index, given, after, _, paid = game.outcomes(columns, chance_outcomes)
        counts = np.diff(graph.offsets)[places].astype(np.int64)
        moves = spans(graph.offsets[places].astype(np.int64), counts)
        # One number for each outcome: its state, the next one, and what it pays.
        known = self.columns[:, graph.following[moves]]
        every = np.concatenate([known, after], axis=1)
        _, codes = unique(every, bounds(every))
        codes += np.append(np.repeat(np.arange(len(places)), counts), index) * len(
            codes
        )
        if graph.rewards is not None or paid is not None:
            nothing = np.zeros((len(codes), self.num_players), dtype=np.int8)
            rows = [
                nothing[: len(moves)],
                nothing[len(moves) :] if paid is None else paid,
            ]
            if graph.rewards is not None:
                rows[0] = graph.rewards.numbers()[graph.rewards.which[moves]]
            _, payments = distinct(np.concatenate(rows))
            _, codes = np.unique(codes, return_inverse=True)
            codes = codes.ravel() * (int(payments.max()) + 1) + payments
        mine, asked = np.split(codes, [len(moves)])
        found, wrong = matched(mine, asked)
        if wrong.any():
            i = int(wrong.argmax())
            both = np.stack([columns[:, index[i]], after[:, i]], axis=1)
            state, other = game.states(both).tolist()
            raise GameError(
                f"chance_outcomes(states) must lead from state {arguments.shown(state)}"
                " to states that follow it in the explored game, and pay what it pays, "
                f"got {arguments.shown(other)}; explore the game with these weights"
            )
        weights = np.zeros(len(moves), dtype=np.int64)
        np.add.at(weights, found, given)
        return weights

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
        kept, rows = self._payments_of_chance()
        places = np.flatnonzero(graph.players >= 0)
        if places.size:
            columns = self.columns[:, places]
            index, actions, _ = game.actions(columns)
            paid = game.rewards(columns, index, actions, rewards)
            assert paid is not None
            new, which = distinct(paid)
            kept[spans(graph.offsets[places], counts[places])] = which + len(rows)
            rows = np.concatenate([rows, new])
        return self._with(rewards=laid_out(kept, rows))


def matched(known: Integers, asked: Integers) -> tuple[Integers, NDArray[np.bool_]]:
    """Return the index of each number asked for among others, and which are missing."""
    order = known.argsort(kind="stable")
    found = np.minimum(np.searchsorted(known[order], asked), len(known) - 1)
    return order[found], known[order[found]] != asked


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ArraySolution(Result, Generic[Number]):
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
            "num_moves": self.explored.num_moves,
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
            values = (
                values + graph.rewards.in_type(self.numerators.dtype)[which, players]
            )
        if self.explored.num_positions is None:
            return values, self.optimal[moves]
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
