"""What explored games in both forms have in common: each is a game, looked up."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import compress
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._graph import answers
from cardgames_dp._graph.answers import CHANCE, TERMINAL, Endless
from cardgames_dp._graph.graph import (
    Graph,
    Integers,
    exact_payments,
    fractions,
    joined_ranges,
    zero_rewards,
)
from cardgames_dp._graph.payments import build_rewards, distinct_rows
from cardgames_dp._results.records import ArrayRecord, summary
from cardgames_dp._support import arguments


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


class ExploredRecord(ArrayRecord):
    """A base of explored games, which add what their states are.

    It is a `Game` of single states itself, which looks up the answers.

    Attributes
    ----------
    graph : Graph
        Players, moves, weights, returns and rewards in arrays, diagonal by diagonal.
    """

    __slots__ = ()

    graph: Graph

    @property
    def num_states(self) -> int:
        """The number of reachable states, the initial one included.

        In an array game, a state that is reached in two generations counts twice.
        """
        return self.graph.num_states

    @property
    def num_moves(self) -> int:
        """The number of moves: of the actions and outcomes of all states."""
        return len(self.graph.following)

    @property
    def num_players(self) -> int:
        """The number of players."""
        return self.graph.num_players

    @property
    def num_variants(self) -> int | None:
        """The number of variants, if returns, rewards or weights have many."""
        return self.graph.num_variants

    def at(self, variant: int) -> Self:
        """Return the game in one of many variants, as counted from 0."""
        count = self.num_variants
        if count is None:
            raise ValueError(
                "at is for a game of many variants, and this game has one; "
                "with_returns, with_rewards and with_weights give the numbers of many"
            )
        variant = arguments.index("variant", variant, "num_variants", count)
        return self._with_graph(self.graph.variants(variant))

    def refuse_variants(self, name: str) -> None:
        """Refuse many variants for an argument that is a game of one."""
        if self.num_variants is not None:
            raise ValueError(
                f"{name} must be a game of one variant, got one of "
                f"{self.num_variants}; explored.at(variant) is the game in one"
            )

    @property
    def start(self) -> int:
        """The place of the initial state; if there are several, of the first."""
        raise NotImplementedError

    def place(self, state: Any) -> int:
        """Return the place of a state.

        Raises
        ------
        KeyError
            If it cannot be reached.
        """
        raise NotImplementedError

    def state(self, place: int) -> Any:
        """Return the state at a place."""
        raise NotImplementedError

    def actions_at(self, place: int) -> tuple[Any, ...]:
        """Return the actions of the state at a place; none if nobody decides there."""
        raise NotImplementedError

    @property
    def representatives(self) -> Integers:
        """By place: the first place of the same state."""
        return np.arange(self.num_states)

    def named_states(self, places: Integers) -> tuple[Any, ...]:
        """Return the states at some places."""
        return tuple(map(self.state, places.tolist()))

    def decisions(self, places: Integers) -> Iterator[tuple[Any, tuple[Any, ...]]]:
        """Return the states at some places, and their actions."""
        actions = map(self.actions_at, places.tolist())
        return zip(self.named_states(places), actions, strict=True)

    def actions_with_flags(
        self, places: Integers, flags: NDArray[np.bool_]
    ) -> Iterator[tuple[Any, ...]]:
        """Return for decision states at some places the actions whose moves have flags.

        Together, as an array game takes as long to say the actions of one state.
        """
        offsets = self.graph.offsets
        limits = zip(
            offsets[places].tolist(), offsets[places + 1].tolist(), strict=True
        )
        pairs = zip(limits, self.decisions(places), strict=True)
        for (first, last), (_, actions) in pairs:
            yield tuple(compress(actions, flags[first:last].tolist()))

    def count_mask(self, count: Any, moves: Integers) -> NDArray[np.bool_]:
        """Return whether each of some moves counts, as an action or a function says."""
        if not callable(count):
            return self._moves_with(count)[moves]
        before = np.repeat(np.arange(self.num_states), np.diff(self.graph.offsets))
        must = "count must return True or False for each move"
        answer = self._call_count(count, before[moves], self.graph.following[moves])
        counts = arguments.array(answer, must)
        if counts.shape != moves.shape or (counts.size and counts.dtype != np.bool_):
            raise arguments.wrong_type(must, answer)
        return counts.astype(np.bool_)

    def _call_count(self, count: Any, before: Integers, after: Integers) -> Any:
        """Return the answers of a function of states and of those that follow."""
        raise NotImplementedError

    def _moves_with(self, action: Any) -> NDArray[np.bool_]:
        """Return whether each move is this action of a player."""
        raise NotImplementedError

    def initial_state(self) -> Any:
        """Return the state in which the game starts."""
        return self.state(self.start)

    def current_player(self, state: Any) -> int:
        """Return the index of the player to move, or `CHANCE` or `TERMINAL`."""
        return int(self.graph.players[self.place(state)])

    def legal_actions(self, state: Any) -> tuple[Any, ...]:
        """Return the actions of a decision state."""
        return self.actions_at(self.place(state))

    def next_state(self, state: Any, action: Any) -> Any:
        """Return the state to which an action leads."""
        where = self.legal_actions(state).index(action)
        return self.state(self.node(self.place(state)).following[where])

    def rewards(self, state: Any, action: Any) -> tuple[Fraction, ...]:
        """Return what an action pays to each player."""
        where = self.legal_actions(state).index(action)
        return self.graph.reward_of_move(
            int(self.graph.offsets[self.place(state)]) + where
        )

    def chance_outcomes(self, state: Any) -> list[Any]:
        """Return the outcomes of a chance state: weight, next state, and rewards.

        In a game without rewards they are pairs.
        """
        node = self.node(self.place(state))
        after = list(map(self.state, node.following))
        if not node.rewards:
            return list(zip(node.weights, after, strict=True))
        return list(zip(node.weights, after, node.rewards, strict=True))

    def returns(self, state: Any) -> tuple[Fraction, ...]:
        """Return the return of each player in a terminal state."""
        return self.node(self.place(state)).returns

    @property
    def endless_returns(self) -> Endless | None:
        """What endless play pays to each player, if the game says so."""
        return self.graph.endless

    def with_endless_returns(
        self, endless_returns: Sequence[float | Fraction] | None
    ) -> Self:
        """Return the same game in which endless play pays something else.

        Parameters
        ----------
        endless_returns : sequence of int, Fraction or float, or None
            One number for each player; None if nothing is to be said.

        Examples
        --------
        >>> from cardgames_dp import exact, game, redblack
        >>> found = game.explore(redblack.game(2, 2))
        >>> found.with_endless_returns([0]).endless_returns
        (Fraction(0, 1),)
        """
        if endless_returns is None:
            return self._with(endless=None)
        answer = answers.endless_returns(endless_returns, self.num_players)
        return self._with(endless=answer)

    def node(self, place: int) -> Node:
        """Return the state at a place with its moves."""
        self.refuse_variants("game")
        graph, blocks = self.graph, self.graph.blocks
        first, last = graph.offsets[place : place + 2].tolist()
        block = blocks[bisect_right(blocks, place, key=lambda each: each.first) - 1]
        own, moves = block.first_row, list(range(first, last))
        weights, returns = list[int](), tuple[Fraction, ...]()
        player = int(graph.players[place])
        if player == TERMINAL:
            row = own + place - block.first
            tops, bottoms = graph.numerators[row], graph.denominators[row]
            returns = exact_payments(tops, bottoms)
        elif player == CHANCE:
            own += first - block.first_move
            weights = graph.weights[own : own + len(moves)].tolist()
            moves = list(compress(moves, weights))
            weights = list(filter(None, weights))
        following = [int(graph.following[move]) for move in moves]
        paid = [] if graph.rewards is None else list(map(graph.reward_of_move, moves))
        actions = self.actions_at(place)
        return Node(player, actions, following, weights, returns, paid)

    def nodes(self) -> list[Node]:
        """Return all states with their moves, by place."""
        return list(map(self.node, range(self.num_states)))

    def _payments_of_chance(self) -> tuple[Integers, NDArray[Any]]:
        """Return the rows of what moves of chance pay, and the rows themselves."""
        graph = self.graph
        rows = np.zeros(len(graph.following), dtype=np.int64)
        if graph.rewards is None:
            return rows, np.zeros((1, graph.num_players), dtype=np.int8)
        chance = np.repeat(graph.players == CHANCE, np.diff(graph.offsets))
        rows[chance] = graph.rewards.rows[chance]
        tops, bottoms = graph.rewards.numerators, graph.rewards.denominators
        whole = tops.dtype.kind == "f" or (bottoms == 1).all()
        return rows, tops if whole else fractions(tops, bottoms)

    def _with_payments(
        self, places: Integers, paid: NDArray[Any] | None, exact: bool = True
    ) -> Self:
        """Return the same game in which the actions at some places pay something else.

        Parameters
        ----------
        places : ndarray of int
            All decision states.
        paid : ndarray, shape (actions, players) or (actions, players, variants)
            What they pay; None if there is no action.
        exact : bool, default True
            Whether no payment was given as a float.
        """
        rows_of_moves, rows = self._payments_of_chance()
        chance = bool(rows_of_moves.any())
        offsets, axis = self.graph.offsets, paid.shape[2:] if paid is not None else ()
        if paid is not None:
            # What chance pays is the same in all variants.
            rows = rows if rows.ndim == 2 else rows[:, :, 0]
            rows = np.repeat(rows, math.prod(axis), axis=1)
            different, numbers = distinct_rows(paid.reshape(len(paid), -1))
            moves = joined_ranges(offsets[places], np.diff(offsets)[places])
            rows_of_moves[moves] = numbers + len(rows)
            rows = np.concatenate([rows, different])
        before = self.graph.rewards
        exact &= before is None or before.exact or not chance
        rewards = build_rewards(rows_of_moves, rows, exact=exact)
        if axis:
            rewards = rewards or zero_rewards(self.graph, axis)
            shape = -1, self.num_players, *axis
            tops, bottoms = rewards.numerators, rewards.denominators
            tops, bottoms = tops.reshape(shape), bottoms.reshape(shape)
            rewards = replace(rewards, numerators=tops, denominators=bottoms)
        return self._with(rewards=rewards)

    def _with(self, **parts: Any) -> Self:
        """Return the same game with other parts of its graph."""
        graph = replace(self.graph, **parts)
        counts = graph.counts_of_variants()
        if len(set(counts.values())) > 1:
            each = ", ".join([f"{name} {count}" for name, count in counts.items()])
            raise ValueError(
                f"returns, rewards and weights must have the same number of variants, "
                f"or one, got {each}"
            )
        return self._with_graph(graph)

    def _with_graph(self, graph: Graph) -> Self:
        """Return the same game with another graph."""
        game: Any = self
        return replace(game, graph=graph)  # type: ignore[no-any-return]

    def __repr__(self) -> str:
        names = "num_states", "num_moves", "num_players"
        return summary(self, **{name: getattr(self, name) for name in names})


def check_count(count: Any) -> Any:
    """Return an action whose moves are to be counted, or a function that says which."""
    if isinstance(count, (bool, np.bool_, np.ndarray, list, dict, set)):
        must = "count must be an action of the game, or a function of two states"
        raise arguments.wrong_type(must, count)
    return count


def moves_of_action(
    graph: Graph, action: object, among: Iterable[object], moves: Integers
) -> NDArray[np.bool_]:
    """Return whether each move is an action, which is one `among` those of the game."""
    if not moves.size:
        every = arguments.shown(tuple(among))
        must = f"count must be an action of the game, one of {every}"
        raise arguments.wrong_value(must, action)
    taken = np.zeros(len(graph.following), dtype=np.bool_)
    taken[moves] = True
    return taken
