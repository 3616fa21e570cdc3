"""Explored games: all states of a game, found once and solved many times.

`explore` lays out the states of a game in arrays. `Explored` looks up what a game is
asked there, and takes other returns and rewards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import chain
from typing import Any, Generic, overload

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._graph.answers import (
    CHANCE,
    MOST_STATES,
    TERMINAL,
    ArrayGame,
    Game,
    GameError,
    Weight,
)
from cardgames_dp._graph.array_answers import (
    CheckedGame,
    checked_numbers,
    other_weights,
)
from cardgames_dp._graph.array_search import GenerationSearch, LevelSearch
from cardgames_dp._graph.arrays import ExploredArrays
from cardgames_dp._graph.explored_record import ExploredRecord, moves_of_action
from cardgames_dp._graph.graph import Graph, Integers, narrowed
from cardgames_dp._graph.names import PLAIN, Names, names_of, own_member
from cardgames_dp._graph.payments import Payments, ratios
from cardgames_dp._graph.search import RawGraph, build_graph, find_states, ranks_within
from cardgames_dp._loops.components import RefusedError, a_cycle, told_round
from cardgames_dp._results.records import Action, State
from cardgames_dp._support import arguments
from cardgames_dp._support.calls import suggest_arguments
from cardgames_dp._support.running import refuse_too_large

_MOST_ROWS = 1_000_000_000
"""The default limit of the states of an array game."""

_ROW_BYTES = 50
"""About the least bytes of a state of an array game."""


@overload
def explore(
    game: Game[State, Action] | Explored[State, Action],
    *,
    max_states: int | None = None,
) -> Explored[State, Action]: ...
@overload
def explore(
    game: ArrayGame | ExploredArrays, *, max_states: int | None = None
) -> ExploredArrays: ...
@suggest_arguments
def explore(
    game: Any, *, max_states: int | None = None
) -> Explored[Any, Any] | ExploredArrays:
    """Find all reachable states of a game.

    Grade: exact.

    Parameters
    ----------
    game : Game, ArrayGame, Explored or ExploredArrays
        Any object with the members of `cardgames_dp.game.Game`, which is asked once
        about each state, or of `cardgames_dp.game.ArrayGame`. A game that is already
        explored is returned unchanged.
    max_states : int, optional
        The search ends with an error at the first state beyond this number: five
        million if not given; a billion for an array game. A state takes about half a
        kilobyte, in an array game about 50 bytes; the search also ends when states
        would fill half of this machine's memory. A state has at most as many moves, or
        10,000 if that is more.

    Returns
    -------
    Explored, or ExploredArrays of an ArrayGame
        The explored game, which either backend solves in place of the game.

    Raises
    ------
    GameError
        If the game breaks a rule of the protocol; a TypeError if an answer has the
        wrong type.
    TooManyStatesError, TooLargeError
        If there are more than `max_states` states, or more than fit in memory.

    Examples
    --------
    >>> from cardgames_dp import exact, game, redblack
    >>> found = game.explore(redblack.game(3, 3))
    >>> found.num_states, exact.solve(found).value
    (46, Fraction(17, 20))
    >>> found.initial_state(), found.legal_actions((2, 1))
    (State(red=3, black=3, decision=''), ('stop', 'draw'))
    """
    if max_states is not None:
        max_states = arguments.integer("max_states", max_states, minimum=1)
    if isinstance(game, (Explored, ExploredArrays)):
        return game
    if callable(getattr(game, "initial_states", None)):
        rows = max_states or _MOST_ROWS
        size = game._num_states if hasattr(type(game), "_num_states") else 0
        if size and (max_states is None or size <= max_states):
            refuse_too_large(
                f"a game of {arguments.shown(size)} states",
                _ROW_BYTES * size,
                "solve a smaller game",
            )
        search = (
            LevelSearch if callable(getattr(game, "levels", None)) else GenerationSearch
        )
        graph, columns, initial = search(CheckedGame(game), rows).explored()
        return ExploredArrays(game, columns, initial, graph)
    limit, names = max_states or MOST_STATES, names_of(game)
    return build_explored(
        find_states(game, limit), own_member(game, "as_policy"), names
    )


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Explored(ExploredRecord, Generic[State, Action]):
    """All reachable states of a game, and the moves between them.

    Made by `explore`, read-only. The states have *places*: the initial state is at 0,
    and every state comes before those that can follow it, except in loops. It is a
    `Game` itself, which looks up the answers.

    Attributes
    ----------
    states : tuple of State
        The states by place.
    actions : tuple of tuple of Action
        All different answers of `legal_actions`.
    action_index : ndarray of int, shape (states,)
        By place: the index of the answer for a decision state, and -1 for others.
    graph : Graph
        Players, moves, weights, returns and rewards in arrays, diagonal by diagonal.
    as_policy : callable, optional
        The game's own: it makes a policy from a word that the game knows.
    names : Names
        The game's own names of the fields of a state, and of actions.

    See Also
    --------
    cardgames_dp.exact.solve, cardgames_dp.diagonal.solve : Solve it, as any game.

    Examples
    --------
    Explore a game once, one or two rolls of a die, and solve it again with other
    returns:

    >>> from cardgames_dp import exact, game
    >>> class TwoRolls:
    ...     num_players = 1
    ...     def initial_state(self): return 2, 0
    ...     def current_player(self, state):
    ...         rolls, face = state
    ...         return game.CHANCE if not face else 0 if rolls else game.TERMINAL
    ...     def legal_actions(self, state): return ["keep", "roll"]
    ...     def next_state(self, state, action):
    ...         return (0, state[1]) if action == "keep" else (1, 0)
    ...     def chance_outcomes(self, state):
    ...         return [(1, (state[0] - 1, face)) for face in range(1, 7)]
    ...     def returns(self, state): return [state[1]]
    >>> explored = game.explore(TwoRolls())
    >>> squares = explored.with_returns(lambda state: [state[1] ** 2])
    >>> exact.solve(explored).value, exact.solve(squares).value
    (Fraction(17, 4), Fraction(...))
    """

    states: tuple[State, ...]
    actions: tuple[tuple[Action, ...], ...]
    action_index: Integers
    graph: Graph
    as_policy: Any = field(default=None, compare=False)
    names: Names = field(default=PLAIN, compare=False)
    _places: list[dict[State, int]] = field(default_factory=list, compare=False)

    @property
    def places(self) -> dict[State, int]:
        """The place of every state; they are collected when first asked for."""
        if not self._places:  # whole when appended, whatever other threads do
            self._places.append({state: i for i, state in enumerate(self.states)})
        return self._places[0]

    def actions_at(self, place: int) -> tuple[Action, ...]:
        """Return the actions of the state at a place; none if nobody decides there."""
        place = arguments.index("place", place, "num_states", self.num_states)
        index = int(self.action_index[place])
        return self.actions[index] if index >= 0 else ()

    @property
    def start(self) -> int:
        """The place of the initial state."""
        return 0

    def place(self, state: State) -> int:
        """Return the place of a state.

        Raises
        ------
        KeyError
            If it cannot be reached.
        """
        return self.places[state]

    def state(self, place: int) -> State:
        """Return the state at a place."""
        return self.states[
            arguments.index("place", place, "num_states", self.num_states)
        ]

    def named_states(self, places: Integers) -> tuple[State, ...]:
        """Return the states at some places."""
        return tuple(map(self.states.__getitem__, places.tolist()))

    def _call_count(self, count: Any, before: Integers, after: Integers) -> Any:
        pairs = zip(self.named_states(before), self.named_states(after), strict=True)
        return [arguments.call("count", count, *pair) for pair in pairs]

    def _moves_with(self, action: Any) -> NDArray[np.bool_]:
        ranks = [
            answer.index(action) if action in answer else -1 for answer in self.actions
        ]
        places = np.flatnonzero(self.action_index >= 0)
        rank = np.array([*ranks, -1])[self.action_index[places]]
        every = dict.fromkeys(chain.from_iterable(self.actions))
        starts = self.graph.offsets[places]
        return moves_of_action(self.graph, action, every, (starts + rank)[rank >= 0])

    def with_returns(
        self, returns: Callable[[State], Sequence[float | Fraction]]
    ) -> Explored[State, Action]:
        """Return the same game with other returns.

        Parameters
        ----------
        returns : callable
            A function like `Game.returns`: for a terminal state, one number for
            each player. It may be this method of another game with the same states. For
            many *variants* it returns a row of numbers for each, an array of shape
            (variants, players): see `Solution`.
        """
        ends = np.flatnonzero(self.graph.players == TERMINAL).tolist()
        states = [self.states[place] for place in ends]
        paid = [arguments.call("returns", returns, state) for state in states]
        numbers = self._of_variants(paid, "returns", states)
        if numbers is None:
            raw: RawGraph[State, Action] = RawGraph(self.num_players, [])
            for answer, state in zip(paid, states, strict=True):
                raw.add_returns(answer, state)
            numbers = raw.returns_array()
        tops, bottoms, exact = ratios(numbers)
        return self._with(numerators=tops, denominators=bottoms, exact=exact)

    def _of_variants(
        self, answer: list[Any], method: str, states: list[Any]
    ) -> NDArray[Any] | None:
        """Return the numbers of many variants, last; None if they are those of one."""
        first = _shape(answer[0]) if answer else ()
        if len(first) != 2:
            return None
        variants, players = first
        right = players == self.num_players and variants > 0
        for each, state in zip(answer, states, strict=True):
            if not right or _shape(each) != first:
                raise GameError(
                    f"{method} must hold a row for each variant, of one number per "
                    f"player (num_players is {self.num_players}), in an array of the "
                    f"same shape for all states, got {arguments.shown(each)} at state "
                    f"{arguments.shown(state)}"
                )
        rows = np.array(answer).swapaxes(0, 1)
        return checked_numbers(rows, method, states.__getitem__)

    def with_rewards(
        self, rewards: Callable[[State, Action], Sequence[float | Fraction]]
    ) -> Explored[State, Action]:
        """Return the same game in which actions pay something else.

        What outcomes of chance pay stays as it is.

        Parameters
        ----------
        rewards : callable
            A function like `rewards` of a `Game`: of a state and an action, one number
            for each player. For many *variants* it returns a row of numbers for each,
            an array of shape (variants, players): see `Solution`.
        """
        payments, places = Payments(self.num_players), self.graph.players >= 0
        taken = [
            (self.states[place], action)
            for place in np.flatnonzero(places).tolist()
            for action in self.actions_at(place)
        ]
        paid = [arguments.call("rewards", rewards, *each) for each in taken]
        numbers = self._of_variants(paid, "rewards", [state for state, _ in taken])
        if numbers is None and taken:
            pairs = zip(paid, taken, strict=True)
            rows = [payments.of_action(answer, *each) for answer, each in pairs]
            numbers = payments.table()[rows]
        return self._with_payments(np.flatnonzero(places), numbers, payments.exact)

    def with_weights(
        self, weights: Callable[[State, State], Weight | Sequence[Weight]]
    ) -> Explored[State, Action]:
        """Return the same game with other weights of outcomes of chance.

        Parameters
        ----------
        weights : callable
            A function of a chance state and of a state that follows: it returns the
            weight of this outcome, as in `Game.chance_outcomes`. For many *variants* it
            returns one weight for each, an array of shape (variants,): see `Solution`.
        """
        graph = self.graph
        index = np.repeat(np.arange(self.num_states), np.diff(graph.offsets))
        moves = np.flatnonzero(graph.players[index] == CHANCE)
        index = index[moves]
        states = [self.states[place] for place in index.tolist()]
        after = [self.states[place] for place in graph.following[moves].tolist()]
        pairs = zip(states, after, strict=True)
        answer = [arguments.call("weights", weights, *pair) for pair in pairs]
        rows = arguments.array(answer, "weights must return numbers >= 0").T
        shares, exact = other_weights(rows, index, "weights", states.__getitem__)
        return self._with(weights=shares, exact_weights=exact)


def _shape(answer: Any) -> tuple[int, ...]:
    """Return the shape of an answer; that of one number for what is no array."""
    try:
        return np.shape(answer)
    except ValueError:  # rows of different lengths
        return ()


def build_explored(
    raw: RawGraph[State, Action], as_policy: Any = None, names: Names = PLAIN
) -> Explored[State, Action]:
    """Lay out the states of a game."""
    order, graph = build_graph(raw)
    action_index = np.full(len(order), -1, dtype=np.int32)
    deciding = ranks_within(np.asarray(raw.players) >= 0, order)
    action_index[graph.players >= 0] = np.asarray(raw.action_index)[deciding]
    return Explored(
        states=tuple(map(raw.states.__getitem__, order.tolist())),
        actions=tuple(raw.action_sets),
        action_index=narrowed(action_index),
        graph=graph,
        as_policy=as_policy,
        names=names,
    )


@contextmanager
def name_states_in_errors(
    explored: Explored[Any, Any] | ExploredArrays,
) -> Iterator[None]:
    """Name the states of a game where a group of it is refused."""
    try:
        yield
    except RefusedError as refused:
        message = refused.message(explored.named_states(np.array(refused.places)))
        raise GameError(message) from None


def refuse_cycles(explored: Explored[Any, Any] | ExploredArrays, why: str = "") -> None:
    """Refuse a game with loops, naming one.

    The message says why: what a game without cycles is needed for.
    """
    if explored.graph.components is not None:
        cycle = explored.named_states(np.array(a_cycle(explored.graph)))
        must = f"the game must be acyclic {why}".rstrip()
        raise GameError(f"{must}, but {told_round(cycle)}")


def explore_by_state(game: Any, max_states: int | None) -> Explored[Any, Any]:
    """Return a game explored state by state, from its start, in whatever form it is."""
    explored = explore(game, max_states=max_states)
    explored.refuse_variants("game")
    if isinstance(explored, ExploredArrays):
        return build_explored(find_states(explored, max_states or MOST_STATES))
    one_by_one: Explored[Any, Any] = explored
    return one_by_one
