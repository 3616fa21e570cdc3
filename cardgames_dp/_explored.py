"""Explored games, and games that have been explored before they are asked."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Generic

import numpy as np

from cardgames_dp import _answers, _checks
from cardgames_dp._answers import CHANCE, TERMINAL, GameError
from cardgames_dp._graph import Block, Graph, Integers, exact_array, narrowed
from cardgames_dp._layout import lay_out
from cardgames_dp._records import ArrayRecord, Record, summary
from cardgames_dp._walk import Found, Ratios
from cardgames_dp.game import Action, State


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Explored(ArrayRecord, Generic[State, Action]):
    """All reachable states of a game, and the moves between them.

    Made by `explore`, read-only. The states have *places*: the initial state is at 0,
    and every state comes before those that can follow it.

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
        Players, moves, weights and returns in arrays, diagonal by diagonal.

    See Also
    --------
    cardgames_dp.exact.solve, cardgames_dp.diagonal.solve : Solve it, as any game.

    Examples
    --------
    Double the weight of red cards:

    >>> from cardgames_dp import exact, explored, redblack
    >>> rules = redblack.Rules().game(1, 2)
    >>> def lucky(state):
    ...     pairs = rules.chance_outcomes(state)
    ...     return [(w * (1 + (s.red < state.red)), s) for w, s in pairs]
    >>> game = explored.explore(rules)
    >>> exact.solve(game).value, exact.solve(game.with_weights(lucky)).value
    ((Fraction(0, 1),), (Fraction(1, 3),))
    """

    states: tuple[State, ...]
    places: dict[State, int]
    actions: tuple[tuple[Action, ...], ...]
    which: Integers
    graph: Graph

    @property
    def num_states(self) -> int:
        """The number of reachable states, the initial one included."""
        return len(self.states)

    @property
    def num_moves(self) -> int:
        """The number of all moves: actions and outcomes."""
        return len(self.graph.following)

    @property
    def num_players(self) -> int:
        """The number of players."""
        return self.graph.num_players

    def actions_at(self, place: int) -> tuple[Action, ...]:
        """Return the actions of the state at a place; none if nobody decides there.

        Raises
        ------
        TypeError, ValueError
            If there is no such place.
        """
        place = _checks.integer("place", place)
        if place >= self.num_states:
            raise ValueError(
                f"place must be below num_states, {self.num_states}, got "
                f"{_checks.shown(place)}"
            )
        which = int(self.which[place])
        return self.actions[which] if which >= 0 else ()

    def with_returns(
        self, returns: Callable[[State], Sequence[int | Fraction]]
    ) -> Explored[State, Action]:
        """Return the same game with other returns.

        Parameters
        ----------
        returns : callable
            A function like `Game.returns`: for a terminal state, one rational number
            for each player. It may be this method of another game with the same states.

        Raises
        ------
        TypeError, GameError
            If an answer breaks a rule of `Game.returns`.
        """
        ratios = Ratios()
        for place in np.flatnonzero(self.graph.players == TERMINAL).tolist():
            state = self.states[place]
            ratios.extend(returns(state), state, self.num_players)
        graph = replace(
            self.graph,
            numerators=exact_array(ratios.numerators).reshape(-1, self.num_players),
            denominators=exact_array(ratios.denominators).reshape(-1, self.num_players),
        )
        return replace(self, graph=graph)

    def with_weights(
        self, chance_outcomes: Callable[[State], Iterable[tuple[int, State]]]
    ) -> Explored[State, Action]:
        """Return the same game with other weights of chance.

        Parameters
        ----------
        chance_outcomes : callable
            A function like `Game.chance_outcomes`: for a chance state, pairs of weight
            and next state. The next states must be among those that follow in this
            game; one that is left out has weight 0, and stays among the states.

        Raises
        ------
        TypeError, GameError
            If an answer breaks a rule of `Game.chance_outcomes`, or has another next
            state.
        """
        graph = self.graph
        weights: list[int] = []
        for place in np.flatnonzero(graph.players == CHANCE).tolist():
            moves = slice(graph.offsets[place], graph.offsets[place + 1])
            after = [self.states[i] for i in graph.following[moves].tolist()]
            state = self.states[place]
            weights += _matched(chance_outcomes(state), state, after)
        return replace(self, graph=replace(graph, weights=exact_array(weights)))

    def __repr__(self) -> str:
        return summary(
            self,
            num_states=self.num_states,
            num_moves=self.num_moves,
            num_players=self.num_players,
        )


@dataclass(frozen=True, slots=True)
class Table(Record, Generic[State, Action]):
    """A base of games that are explored when they are made: questions are looked up.

    Attributes
    ----------
    explored : Explored
        All states, which `explore` returns at once.
    """

    explored: Explored[State, Action] = field(hash=False)

    @property
    def num_players(self) -> int:
        """The number of players."""
        return self.explored.num_players

    @property
    def num_states(self) -> int:
        """The number of states."""
        return self.explored.num_states

    def initial_state(self) -> State:
        """Return the state in which the game starts."""
        return self.explored.states[0]

    def current_player(self, state: State) -> int:
        """Return the index of the player to move, or `CHANCE` or `TERMINAL`."""
        return int(self.explored.graph.players[self.explored.places[state]])

    def legal_actions(self, state: State) -> tuple[Action, ...]:
        """Return the actions of a decision state."""
        return self.explored.actions_at(self.explored.places[state])

    def next_state(self, state: State, action: Action) -> State:
        """Return the state to which an action leads."""
        where = self.legal_actions(state).index(action)
        return self._following(self.explored.places[state])[where]

    def chance_outcomes(self, state: State) -> list[tuple[int, State]]:
        """Return the outcomes of a chance state as pairs of weight and next state."""
        place = self.explored.places[state]
        graph = self.explored.graph
        block, _ = self._block(place)
        first = block.own.start + int(graph.offsets[place]) - block.moves.start
        after = self._following(place)
        weights = graph.weights[first : first + len(after)].tolist()
        return list(zip(weights, after, strict=True))

    def returns(self, state: State) -> tuple[Fraction, ...]:
        """Return the return of each player in a terminal state."""
        block, inside = self._block(self.explored.places[state])
        graph, row = self.explored.graph, block.own.start + inside
        tops, bottoms = graph.numerators[row], graph.denominators[row]
        return tuple(map(Fraction, tops.tolist(), bottoms.tolist()))

    def _following(self, place: int) -> list[State]:
        graph = self.explored.graph
        moves = slice(graph.offsets[place], graph.offsets[place + 1])
        return [self.explored.states[i] for i in graph.following[moves].tolist()]

    def _block(self, place: int) -> tuple[Block, int]:
        """Return the block of a state, and the state's place inside it."""
        blocks = self.explored.graph.blocks
        where = bisect_right(blocks, place, key=lambda block: block.places.start) - 1
        return blocks[where], place - blocks[where].places.start


def _matched(answer: Any, state: State, after: list[State]) -> list[int]:
    """Return the weights of the states that follow a chance state, in their order."""
    outcomes = _answers.outcomes(answer, state)
    if [following for _, following in outcomes] == after:
        return [weight for weight, _ in outcomes]
    weights = dict.fromkeys(after, 0)
    for weight, following in outcomes:
        if following not in weights:
            raise GameError(
                f"chance_outcomes({_checks.shown(state)}) must lead to states that "
                f"follow it in the explored game, got {_checks.shown(following)}; "
                "explore the game with these weights"
            )
        weights[following] += weight
    return [weights.pop(following, 0) for following in after]  # each of them once


def explored_of(found: Found[State, Action]) -> Explored[State, Action]:
    """Lay out the states found of a game, whose dict is emptied to save memory.

    Raises
    ------
    GameError
        If there is a cycle.
    """
    states: list[Any] = list(found.numbers)
    found.numbers.clear()
    order, graph = lay_out(found, states)
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
