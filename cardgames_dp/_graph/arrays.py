"""Games of millions of states: explored and looked up in arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._graph.answers import CHANCE, TERMINAL, ArrayGame
from cardgames_dp._graph.array_answers import CheckedGame
from cardgames_dp._graph.explored_record import ExploredRecord, moves_of_action
from cardgames_dp._graph.graph import (
    Graph,
    Integers,
    bounds,
    joined_ranges,
    narrowed,
    state_keys,
)
from cardgames_dp._graph.names import names_of, unreachable_error
from cardgames_dp._graph.payments import ratios
from cardgames_dp._support import arguments


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ExploredArrays(ExploredRecord):
    """All reachable states of an array game, and the moves between them.

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
    ...     def chance_outcomes(self, states):
    ...         index = np.tile(np.arange(len(states)), 2)
    ...         after = np.concatenate([states + [1, 0], states + [1, 1]])
    ...         return index, np.ones(len(index), dtype=int), after
    ...     def returns(self, states): return states[:, 1]
    >>> game = explore(Heads())
    >>> game
    ExploredArrays(num_states=66, num_moves=110, num_players=1)
    >>> exact.solve(game).values(np.array([[0, 0], [9, 9]])).tolist()
    [Fraction(5, 1), Fraction(19, 2)]
    """

    game: ArrayGame = field(compare=False)
    columns: Integers
    initial: Integers
    graph: Graph
    _order: list[Any] = field(default_factory=list, compare=False)

    @property
    def start(self) -> int:
        """The place of the initial state; if there are several, of the first."""
        return int(self.initial[0])

    def states_at(self, places: Integers) -> Integers:
        """Return the states at some places, in the form that the game uses."""
        places = arguments.places("places", places, self.num_states)
        return CheckedGame(self.game).states(self.columns[:, places])

    def place(self, state: Any) -> int:
        """Return a place of one state, as it is named: see `cardgames_dp.game.Names`.

        Raises
        ------
        KeyError
            If it cannot be reached.
        """
        names = names_of(self.game)
        try:
            row = names.row_of(state)
            return int(self.places(row[np.newaxis])[0])
        except (KeyError, TypeError, ValueError, OverflowError):
            raise unreachable_error(state, self.initial_state()) from None

    def state(self, place: int) -> Any:
        """Return the state at a place, named."""
        return self.named_states(np.array([place]))[0]

    def named_states(self, places: Integers) -> tuple[Any, ...]:
        """Return the states at some places, named."""
        return tuple(map(names_of(self.game).state_of, self.states_at(places)))

    def actions_at(self, place: int) -> tuple[Any, ...]:
        """Return the actions, named, at a place; none if nobody decides there."""
        place = arguments.index("place", place, "num_states", self.num_states)
        if self.graph.players[place] < 0:
            return ()
        return next(self.decisions(np.array([place])))[1]

    def decisions(self, places: Integers) -> Iterator[tuple[Any, tuple[Any, ...]]]:
        """Return the decision states at some places, and their actions, named."""
        if not places.size:
            return
        _, codes, counts = CheckedGame(self.game).actions(self.columns[:, places])
        actions = map(names_of(self.game).action_of, codes)
        for state, count in zip(self.named_states(places), counts, strict=True):
            yield state, tuple(islice(actions, count))

    def _call_count(self, count: Any, before: Integers, after: Integers) -> Any:
        names = names_of(self.game)
        pair = [names.fields_of(self.states_at(x)) for x in (before, after)]
        return arguments.call("count", count, *pair)

    def _moves_with(self, action: Any) -> NDArray[np.bool_]:
        places, offsets = np.flatnonzero(self.graph.players >= 0), self.graph.offsets
        if not places.size:
            return moves_of_action(self.graph, action, (), places)
        _, codes, counts = CheckedGame(self.game).actions(self.columns[:, places])
        distinct, index = np.unique(codes, axis=0, return_inverse=True)
        every = [*map(names_of(self.game).action_of, distinct)]
        same = np.array([each == action for each in every])[index.ravel()]
        moves = joined_ranges(offsets[places].astype(np.int64), counts)[same]
        return moves_of_action(self.graph, action, every, moves)

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
        places, reachable = self._look_up(states)
        if not reachable.all():
            state = np.asarray(states)[reachable.argmin()].tolist()
            raise KeyError(f"the state {state} cannot be reached in this game")
        return places

    def _look_up(self, states: NDArray[Any]) -> tuple[Integers, NDArray[np.bool_]]:
        """Return a place of each of some states, and whether it is that of the state.

        It is not where a state cannot be reached.
        """
        columns = CheckedGame(self.game).columns(states, None, "states")
        within, keys, order = self._sorted_keys()
        low, high = (np.array(each)[:, np.newaxis] for each in within)
        reachable = ((low <= columns) & (columns <= high)).all(axis=0)
        targets = state_keys(np.clip(columns, low, high), within)
        index = np.minimum(np.searchsorted(keys, targets), len(keys) - 1)
        reachable &= keys[index] == targets
        return order[index], reachable

    def _sorted_keys(self) -> list[Any]:
        """Return bounds of all states, their keys, sorted, and their places."""
        if not self._order:
            within = bounds(self.columns)
            keys = state_keys(self.columns, within)
            order = keys.argsort(kind="stable")
            self._order.extend((within, keys[order], narrowed(order, np.int32)))
        return self._order

    @property
    def representatives(self) -> Integers:
        """By place: the first place of the same state, which :meth:`places` returns."""
        if callable(getattr(self.game, "levels", None)):
            return np.arange(self.num_states)
        _, keys, order = self._sorted_keys()
        first = np.flatnonzero(np.append(True, keys[1:] != keys[:-1]))
        representatives = np.empty(len(keys), dtype=np.int64)
        counts = np.diff(np.append(first, len(keys)))
        representatives[order] = np.repeat(order[first], counts)
        return representatives

    def with_returns(
        self, returns: Callable[[NDArray[Any]], NDArray[Any]]
    ) -> ExploredArrays:
        """Return the same game with other returns.

        Parameters
        ----------
        returns : callable
            A function like `ArrayGame.returns`, for example this method of another game
            with the same states. It may also give the returns of many *variants*, an
            array of shape (variants, count, players): see `Solution`.
        """
        ends = np.flatnonzero(self.graph.players == TERMINAL)
        game = CheckedGame(self.game)
        tops, bottoms, exact = ratios(game.returns(self.columns[:, ends], returns))
        return self._with(numerators=tops, denominators=bottoms, exact=exact)

    def with_rewards(
        self, rewards: Callable[[NDArray[Any], NDArray[Any]], NDArray[Any]]
    ) -> ExploredArrays:
        """Return the same game in which actions pay something else.

        What outcomes of chance pay stays as it is.

        Parameters
        ----------
        rewards : callable
            A function like `rewards` of an `ArrayGame`, of states and actions. It may
            also give the rewards of many *variants*, an array of shape (variants,
            count, players): see `Solution`.
        """
        game, places = CheckedGame(self.game), np.flatnonzero(self.graph.players >= 0)
        if not places.size:
            return self._with_payments(places, None)
        columns = self.columns[:, places]
        index, actions, _ = game.actions(columns)
        return self._with_payments(
            places, game.rewards(columns, index, actions, rewards)
        )

    def with_weights(
        self, weights: Callable[[NDArray[Any], NDArray[Any]], NDArray[Any]]
    ) -> ExploredArrays:
        """Return the same game with other weights of outcomes of chance.

        Parameters
        ----------
        weights : callable
            A function of chance states and of the states that follow, the i-th of which
            is an outcome of the i-th: it returns the weights of these outcomes, of
            shape (count,), with a positive sum for each chance state. It may also give
            the weights of many *variants*, of shape (variants, count).
        """
        graph, game = self.graph, CheckedGame(self.game)
        index = np.repeat(np.arange(self.num_states), np.diff(graph.offsets))
        moves = np.flatnonzero(graph.players[index] == CHANCE)
        index, after = index[moves], graph.following[moves]
        shares, exact = game.weights(
            self.columns[:, index], self.columns[:, after], index, weights
        )
        return self._with(weights=shares, exact_weights=exact)
