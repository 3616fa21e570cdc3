"""Explored games: all states of a game, found once and solved many times.

`explore` lays out the states of a game in arrays. `Explored` looks up what a game is
asked there, and takes other returns and rewards. `nodes` lists them with their moves,
state by state.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import (
    Callable,
    Hashable,
    ItemsView,
    Iterator,
    Mapping,
    Sequence,
    ValuesView,
)
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from itertools import compress
from typing import Any, Generic, NamedTuple, TypeVar, overload

import numpy as np

from cardgames_dp._graph.answers import (
    CHANCE,
    TERMINAL,
    ArrayGame,
    Game,
    GameError,
    Outcome,
)
from cardgames_dp._graph.array_answers import CheckedArrays
from cardgames_dp._graph.array_walking import LevelWalk, Walk
from cardgames_dp._graph.arrays import ExploredArrays
from cardgames_dp._graph.components import RefusedError, a_cycle, told_round
from cardgames_dp._graph.graph import ExploredRecord, Graph, Integers, narrowed, paid_of
from cardgames_dp._graph.payments import Payments, laid_out, ratios
from cardgames_dp._graph.walking import Found, lay_out, walk
from cardgames_dp._results.records import Action, State, brief
from cardgames_dp._support import arguments
from cardgames_dp._support.calls import suggest_arguments

_MOST_STATES, _MOST_ROWS = 5_000_000, 1_000_000_000
"""The default limits for a game and for a game for arrays."""


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
        would fill half of this machine's memory.

    Returns
    -------
    Explored, or ExploredArrays of an ArrayGame
        The explored game, which either backend solves in place of the game.

    Raises
    ------
    TypeError
        If an argument has the wrong type, `game` is a class or lacks members, or an
        answer of the game has the wrong type.
    GameError
        If the game breaks a rule of the protocol.
    TooManyStatesError
        If more than `max_states` states can be reached, or more than memory holds.
    TooLargeError
        If the states of an array game would not fit in memory.
    ValueError
        If `max_states` is not positive. (The three errors above are also ValueErrors.)

    Examples
    --------
    >>> from cardgames_dp import exact, game, redblack
    >>> found = game.explore(redblack.Rules().game(3, 3))
    >>> found.num_states, exact.solve(found).value
    (46, (Fraction(17, 20),))
    >>> found.states[0], found.places[2, 1, "draw"], found.actions_at(0)
    (State(red=3, black=3, decision=''), 25, ('stop', 'draw'))
    """
    if max_states is not None:
        max_states = arguments.integer("max_states", max_states, minimum=1)
    if isinstance(game, (Explored, ExploredArrays)):
        return game
    if callable(getattr(game, "initial_states", None)):
        rows = max_states or _MOST_ROWS
        search = LevelWalk if callable(getattr(game, "levels", None)) else Walk
        graph, columns, initial = search(CheckedArrays(game), rows).explored()
        return ExploredArrays(game, columns, initial, graph)
    limit = max_states or _MOST_STATES
    return explored_of(walk(game, limit))


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Explored(ExploredRecord, Generic[State, Action]):
    """All reachable states of a game, and the moves between them.

    Made by `explore`, read-only. The states have *places*: the initial state is at 0,
    and every state comes before those that can follow it, unless plays come back. It
    is a `Game` itself, which looks up the answers.

    Attributes
    ----------
    states : tuple of State
        The states by place.
    places : dict of State to int
        The place of every state.
    actions : tuple of tuple of Action
        All different answers of `legal_actions`.
    which : ndarray of int, shape (states,)
        By place: the index of the answer for a decision state, and -1 for others.
    graph : Graph
        Players, moves, weights, returns and rewards in arrays, diagonal by diagonal.

    See Also
    --------
    cardgames_dp.exact.solve, cardgames_dp.diagonal.solve : Solve it, as any game.

    Examples
    --------
    Explore a game once, and solve it again with another prize:

    >>> from cardgames_dp import exact, game, redblack
    >>> rules = redblack.Rules().game(2, 2)
    >>> found = game.explore(rules)
    >>> squares = found.with_returns(lambda state: [rules.returns(state)[0] ** 2])
    >>> exact.solve(found).value, exact.solve(squares).value
    ((Fraction(2, 3),), (Fraction(2, 1),))
    """

    states: tuple[State, ...]
    places: dict[State, int]
    actions: tuple[tuple[Action, ...], ...]
    which: Integers
    graph: Graph

    def actions_at(self, place: int) -> tuple[Action, ...]:
        """Return the actions of the state at a place; none if nobody decides there.

        Raises
        ------
        TypeError, ValueError
            If there is no such place.
        """
        place = arguments.index("place", place, "num_states", self.num_states)
        which = int(self.which[place])
        return self.actions[which] if which >= 0 else ()

    def initial_state(self) -> State:
        """Return the state in which the game starts."""
        return self.states[0]

    def current_player(self, state: State) -> int:
        """Return the index of the player to move, or `CHANCE` or `TERMINAL`."""
        return int(self.graph.players[self.places[state]])

    def legal_actions(self, state: State) -> tuple[Action, ...]:
        """Return the actions of a decision state."""
        return self.actions_at(self.places[state])

    def next_state(self, state: State, action: Action) -> State:
        """Return the state to which an action leads."""
        where = self.legal_actions(state).index(action)
        return self.states[self._node(self.places[state]).following[where]]

    def rewards(self, state: State, action: Action) -> tuple[Fraction, ...]:
        """Return what an action pays to each player."""
        where = self.legal_actions(state).index(action)
        graph = self.graph
        return graph.paid(int(graph.offsets[self.places[state]]) + where)

    def chance_outcomes(self, state: State) -> list[Outcome[State]]:
        """Return the outcomes of a chance state: weight, next state, and rewards.

        In a game without rewards they are pairs.
        """
        node = self._node(self.places[state])
        after = [self.states[place] for place in node.following]
        if not node.rewards:
            return list(zip(node.weights, after, strict=True))
        return list(zip(node.weights, after, node.rewards, strict=True))

    def returns(self, state: State) -> tuple[Fraction, ...]:
        """Return the return of each player in a terminal state."""
        return self._node(self.places[state]).returns

    def with_returns(
        self, returns: Callable[[State], Sequence[float | Fraction]]
    ) -> Explored[State, Action]:
        """Return the same game with other returns.

        Parameters
        ----------
        returns : callable
            A function like `Game.returns`: for a terminal state, one number for
            each player. It may be this method of another game with the same states.

        Raises
        ------
        TypeError, GameError
            If an answer breaks a rule of `Game.returns`.
        """
        found: Found[State, Action] = Found(self.num_players, {})
        for place in np.flatnonzero(self.graph.players == TERMINAL).tolist():
            state = self.states[place]
            found.end(arguments.ask("returns", returns, state), state)
        tops, bottoms, exact = ratios(found.ends())
        return self._with(numerators=tops, denominators=bottoms, exact=exact)

    def with_rewards(
        self, rewards: Callable[[State, Action], Sequence[float | Fraction]]
    ) -> Explored[State, Action]:
        """Return the same game in which actions pay something else.

        What outcomes of chance pay stays as it is.

        Parameters
        ----------
        rewards : callable
            A function like `rewards` of a `Game`: of a state and an action, one number
            for each player.

        Raises
        ------
        TypeError, GameError
            If an answer breaks a rule of `rewards`.
        """
        graph, payments = self.graph, Payments(self.num_players)
        kept, rows = self._payments_of_chance()
        if graph.rewards is not None:
            rows = rows.astype(object)
            payments.exact = graph.rewards.exact or not kept.any()
        for place in np.flatnonzero(graph.players >= 0).tolist():
            state, first = self.states[place], graph.offsets[place]
            for move, action in enumerate(self.actions_at(place), first):
                paid = arguments.ask("rewards", rewards, state, action)
                kept[move] = len(rows) + payments.of_action(paid, state, action)
        rows = np.concatenate([rows, payments.table()])
        return self._with(rewards=laid_out(kept, rows, exact=payments.exact))

    def _node(self, place: int) -> Node:
        """Return the state at a place with its moves."""
        graph, blocks = self.graph, self.graph.blocks
        first, last = graph.offsets[place : place + 2].tolist()
        where = bisect_right(blocks, place, key=lambda block: block.places.start) - 1
        own, moves = blocks[where].own.start, list(range(first, last))
        weights, returns = list[int](), tuple[Fraction, ...]()
        player = int(graph.players[place])
        if player == TERMINAL:
            row = own + place - blocks[where].places.start
            tops, bottoms = graph.numerators[row], graph.denominators[row]
            returns = paid_of(tops, bottoms)
        elif player == CHANCE:
            own += first - blocks[where].moves.start
            weights = graph.weights[own : own + len(moves)].tolist()
            moves = list(compress(moves, weights))
            weights = list(filter(None, weights))
        following = [int(graph.following[move]) for move in moves]
        paid = [] if graph.rewards is None else list(map(graph.paid, moves))
        actions = self.actions_at(place)
        return Node(player, actions, following, weights, returns, paid)


T = TypeVar("T")

_MOST_SHOWN = 20
"""The most entries of a mapping that are printed."""


@dataclass(slots=True, eq=False, repr=False)
class ByState(Mapping[State, T], Generic[State, T]):
    """A mapping from the states of a game, or from its decision states only.

    Attributes
    ----------
    explored : Explored
        The game.
    at : callable
        Returns the entry of the state at a place.
    deciding : bool
        Whether only decision states have an entry.
    """

    explored: Explored[State, Any]
    at: Callable[[int], T]
    deciding: bool = False

    def _places(self) -> list[int]:
        """Return the places of the states that have an entry."""
        if not self.deciding:
            return list(range(self.explored.num_states))
        places: list[int] = np.flatnonzero(self.explored.which >= 0).tolist()
        return places

    def __getitem__(self, state: State) -> T:
        place = self.explored.places[state]
        if self.deciding and self.explored.which[place] < 0:
            raise KeyError(state)
        return self.at(place)

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
        count, places = len(self), self._places()[:_MOST_SHOWN]
        some = dict(zip(self, map(self.at, places), strict=False))
        try:
            text = repr(some)
        except ValueError:  # numbers too long for Python to print
            text = ", ".join(f"{state!r}: {brief(x)}" for state, x in some.items())
            text = f"{{{text}}}"
        more = f", ...}} ({len(some)} of {count} states)"
        return text if count == len(some) else text[:-1] + more


def explored_of(found: Found[State, Action]) -> Explored[State, Action]:
    """Lay out the states found of a game, whose dict is emptied to save memory."""
    states: list[Any] = list(found.numbers)
    found.numbers.clear()
    order, graph = lay_out(found)
    states = list(map(states.__getitem__, order.tolist()))
    which = np.full(len(states), -1, dtype=np.int32)
    deciding = graph.players >= 0
    rank = np.cumsum(np.asarray(found.players) >= 0) - 1
    which[deciding] = np.asarray(found.which)[rank[order[deciding]]]
    return Explored(
        states=tuple(states),
        places=dict(zip(states, range(len(states)), strict=True)),
        actions=tuple(found.action_sets),
        which=narrowed(which),
        graph=graph,
    )


def start_of(explored: Explored[Any, Any] | ExploredArrays) -> int:
    """Return the place of the initial state; if there are several, of the first."""
    if isinstance(explored, Explored):
        return 0
    return int(explored.initial[0])


def states_at(
    found: Explored[Any, Any] | ExploredArrays, places: list[int]
) -> tuple[Any, ...]:
    """Return the states at some places; for a game for arrays as plain tuples."""
    if isinstance(found, ExploredArrays):
        states = found.states_at(np.array(places)).tolist()
        return tuple([tuple(s) if isinstance(s, list) else s for s in states])
    return tuple([found.states[place] for place in places])


@contextmanager
def naming(found: Explored[Any, Any] | ExploredArrays) -> Iterator[None]:
    """Name the states of a game where a group of it is refused.

    Raises
    ------
    GameError
        In place of a `RefusedError`.
    """
    try:
        yield
    except RefusedError as refused:
        message = refused.told(states_at(found, refused.places))
        raise GameError(message) from None


def refuse_cycles(found: Explored[Any, Any] | ExploredArrays, why: str = "") -> None:
    """Refuse a game in which plays can come back to a state, naming a cycle.

    The message says why: what a game without cycles is needed for.
    """
    if found.graph.components is not None:
        cycle = states_at(found, a_cycle(found.graph))
        must = f"the game must be acyclic {why}".rstrip()
        raise GameError(f"{must}, but {told_round(cycle)}")


def explored_one_by_one(game: Any, **options: Any) -> Explored[Any, Any]:
    """Return a game explored, if it is not a game for arrays.

    Raises
    ------
    TypeError
        If it is a game for arrays, or what `cardgames_dp.game.explore` raises.
    """
    found = explore(game, **options)
    if isinstance(found, ExploredArrays):
        raise arguments.wrong_type(
            "game must be a Game, or an Explored, not a game for arrays", game
        )
    one_by_one: Explored[Any, Any] = found
    return one_by_one


class Node(NamedTuple):
    """A state and its moves.

    Attributes
    ----------
    player : int
        The player to move, or `CHANCE` or `TERMINAL`.
    actions : tuple
        The actions of a decision state; otherwise empty.
    following : list of int
        The places to which the moves lead, without outcomes of weight 0.
    weights : list of int
        The weights of the outcomes of a chance state; otherwise empty.
    returns : tuple of Fraction
        The returns of a terminal state; otherwise empty.
    rewards : list of tuple of Fraction
        What the moves pay; empty if no move of the game pays anything.
    """

    player: int
    actions: tuple[Hashable, ...]
    following: list[int]
    weights: list[int]
    returns: tuple[Fraction, ...]
    rewards: list[tuple[Fraction, ...]]


def nodes(found: Explored[Any, Any]) -> list[Node]:
    """Return the states of a game in the order of their places."""
    return list(map(found._node, range(found.num_states)))
