"""Find every state of a game once, breadth first, and lay the states out by diagonal.

A state is numbered when it is first reached, and the game is asked for its moves when
the loop gets to it. Usual answers (tuples, lists, ints, Fractions) are handled in the
loop; all others go to `_graph.answers`, which converts or refuses them.

Then the states are laid out by *diagonal*, from 0: the number of moves of the longest
play that leads to a state. It is found by Kahn's algorithm: a state is on the next
diagonal when all moves to it have been made. Where that never happens, plays come back
to a state, or come from such states. Strong components then take the place of states,
and moves within them do not count.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Generic

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._graph import answers
from cardgames_dp._graph.answers import (
    CHANCE,
    STATE_BYTES,
    TERMINAL,
    Game,
    TooManyStatesError,
)
from cardgames_dp._graph.graph import (
    Graph,
    Integers,
    blocks_of,
    exact_array,
    joined_ranges,
    narrowed,
    size_classes,
)
from cardgames_dp._graph.one_function import OneFunction
from cardgames_dp._graph.outcomes import integer_weights, outcomes_of
from cardgames_dp._graph.payments import RATIONALS, Payments, in_rows, ratios
from cardgames_dp._results.records import Action, State
from cardgames_dp._support import arguments
from cardgames_dp._support.running import memory_limit, with_progress

_SEQUENCES = frozenset({tuple, list})


@dataclass(slots=True)
class RawGraph(Generic[State, Action]):
    """The states of a game that has been asked about them, in order.

    Attributes
    ----------
    num_players : int
        The number of players of the game.
    states : list of State
        The states; the first is the initial one.
    endless : tuple of Fraction or float, or None
        What endless play pays, if the game says so.
    players : array of int
        The player to move in each state, or `CHANCE` or `TERMINAL`.
    counts : array of int
        The number of moves of each state.
    following : array of int
        The number of the state to which each move leads, state by state.
    weights : list of int
        The weights of the moves of chance.
    exact_weights : bool
        Whether none of them was given as a float.
    returns : list
        The returns of the terminal states, player by player.
    payments : Payments
        What the moves pay.
    action_sets : dict of tuple of Action to int
        All different answers of `legal_actions`, numbered.
    action_index : array of int
        The number of the actions of each decision state.
    """

    num_players: int
    states: list[State]
    endless: answers.Endless | None = None
    players: array[int] = field(default_factory=lambda: array("i"))
    counts: array[int] = field(default_factory=lambda: array("i"))
    following: array[int] = field(default_factory=lambda: array("i"))
    weights: list[int] = field(default_factory=list)
    exact_weights: bool = True
    returns: list[Fraction | float] = field(default_factory=list)
    payments: Payments = field(init=False)
    action_sets: dict[tuple[Action, ...], int] = field(default_factory=dict)
    action_index: array[int] = field(default_factory=lambda: array("i"))

    def __post_init__(self) -> None:
        self.payments = Payments(self.num_players)

    def add_returns(self, answer: Any, state: object) -> None:
        """Append the returns of a terminal state, from the answer of `returns`."""
        if (
            type(answer) not in _SEQUENCES
            or len(answer) != self.num_players
            or not RATIONALS.issuperset(map(type, answer))
        ):
            answer = answers.payoffs(answer, self.num_players, "returns", state)
        self.returns.extend(answer)

    def add_outcomes(self, answer: Any, state: object, limit: int) -> list[Any]:
        """Return pairs of weight and state of outcomes, and append what they pay."""
        checked = outcomes_of(answer, state, self.num_players, limit)
        weights, states, paid = zip(*checked, strict=True)
        self.payments.of_outcomes(paid, len(self.following))
        self.exact_weights = self.exact_weights and float not in map(type, weights)
        return list(zip(integer_weights(weights), states, strict=True))

    def returns_array(self) -> NDArray[Any]:
        """Return the returns of all terminal states, a row for each."""
        return in_rows(self.returns, self.num_players)


def find_states(
    game: Game[State, Action], max_states: int, *, depth_first: bool = False
) -> RawGraph[State, Action]:
    """Find all reachable states of a game.

    Parameters
    ----------
    game : Game
        The game, which is asked once about each state.
    max_states : int
        The most states that are accepted.
    depth_first : bool
        Ask about the state next that was reached last, not the one that was reached
        first. A game that holds something for each state about which it has not been
        asked then holds less.
    """
    num_players = answers.num_players(game, Game)
    limit = min(max_states, memory_limit()[0] // STATE_BYTES)
    start = game.initial_state()
    answers.require_hashable(start, "initial_state")
    states, order = [start], array("i")
    endless = answers.endless_returns_of(game, num_players)
    raw: RawGraph[State, Action] = RawGraph(num_players, states, endless)
    steps = _depth_first(states, order) if depth_first else iter(states)
    try:
        _ask(game, steps, raw, limit)
    except Exception as error:
        if isinstance(game, OneFunction):
            game.reword(error)
        raise
    if len(states) > limit:
        why, instead = f"max_states={max_states} allows", "give a larger max_states"
        if limit < max_states:
            why = f"{memory_limit()[1]} holds, {limit} of about {STATE_BYTES} B"
            instead = "raise max_bytes of cardgames_dp.running"
        raise TooManyStatesError(
            f"the game has more states than {why}; the first one beyond is "
            f"{arguments.shown(states[limit])}; {instead}, or write the game for "
            "arrays (game.ArrayGame); if a number in it grows without end, limit it "
            "in the rules"
        )
    if depth_first:
        numbers = np.argsort(order).astype(np.intc)
        raw.following = array("i", numbers[raw.following].tobytes())
        raw.states = list(map(states.__getitem__, order))
    return raw


def _depth_first(states: list[State], order: array[int]) -> Iterator[State]:
    """Yield states to which others are appended, the latest first; note their order."""
    ahead, count = [0], 1
    while ahead:
        order.append(ahead.pop())
        yield states[order[-1]]
        ahead += range(count, len(states))
        count = len(states)


def _ask(game: Any, steps: Iterator[Any], raw: RawGraph[Any, Any], limit: int) -> None:
    """Ask a game about its states, and append those that follow, up to a limit.

    Every line here takes its share of the time of all plain games.
    """
    movers = frozenset({CHANCE, TERMINAL, *range(raw.num_players)})
    rewards, payments = answers.rewards_of(game), raw.payments
    states, numbers = raw.states, {raw.states[0]: 0}
    number_of, reach = numbers.setdefault, raw.following.append
    count, action_sets = 1, raw.action_sets
    method, actions, action, after = "", None, None, None
    try:
        for state in with_progress(steps, None, "states"):
            method = "current_player"
            player = game.current_player(state)
            if type(player) is not int or player not in movers:
                player = answers.player(player, state, raw.num_players)
            if player >= 0:
                method = "legal_actions"
                actions = game.legal_actions(state)
                answer = tuple(actions) if type(actions) is list else actions
                index = action_sets.get(answer) if type(answer) is tuple else None
                if index is None:
                    actions = answers.actions(actions, state, limit)
                    index = action_sets.setdefault(actions, len(action_sets))
                raw.action_index.append(index)
                if rewards is not None:
                    method = "rewards"
                    payments.of_actions(rewards, state, actions, len(raw.following))
                method, moves = "next_state", len(actions)
                for action in actions:
                    after = game.next_state(state, action)
                    number = number_of(after, count)
                    if number == count:
                        states.append(after)
                        count += 1
                        if count > limit:
                            return
                    reach(number)
            elif player == CHANCE:
                method = "chance_outcomes"
                outcomes = game.chance_outcomes(state)
                moves = _add_outcomes(outcomes, state, numbers, raw, limit)
                count = len(states)
                if count > limit:
                    return
            else:
                method, moves = "returns", 0
                raw.add_returns(game.returns(state), state)
            raw.players.append(player)
            raw.counts.append(moves)
    except Exception as error:
        _annotate(error, method, state, actions, action, after)
        raise


def _add_outcomes(
    outcomes: Any,
    state: Any,
    numbers: dict[Any, int],
    raw: RawGraph[Any, Any],
    limit: int,
) -> int:
    """Add the outcomes of a chance state, up to a limit; return their number."""
    plain = type(outcomes) in _SEQUENCES and len(outcomes) > 0
    for outcome in outcomes if plain else ():
        if type(outcome) is not tuple or len(outcome) != 2:
            plain = False
            break
        weight = outcome[0]
        if type(weight) is not int or weight <= 0:
            plain = False
            break
    if not plain:
        outcomes = raw.add_outcomes(outcomes, state, limit)
    number_of, reach = numbers.setdefault, raw.following.append
    states, weigh = raw.states, raw.weights.append
    count = len(states)
    for weight, after in outcomes:
        weigh(weight)
        try:
            number = number_of(after, count)
        except TypeError:
            answers.require_hashable(after, "chance_outcomes", state)
            raise
        if number == count:
            states.append(after)
            count += 1
            if count > limit:
                break
        reach(number)
    return len(outcomes)


def _annotate(
    error: Exception, method: str, state: Any, actions: Any, action: Any, after: Any
) -> None:
    """Refuse what is not hashable by its name; otherwise note what the game was asked.

    The error is that of the last call of a method; `after` is the state to which the
    last action led.
    """
    if isinstance(error, AttributeError) and error.name == method:
        answers.require_method(error.obj, method, state)
    elif isinstance(error, TypeError):
        if method == "legal_actions" and actions is not None:  # else it never answered
            answers.actions(actions, state)
        elif method == "next_state":
            answers.require_hashable(after, method, state, action)
    answers.note(error, method, state)


def build_graph(raw: RawGraph[State, Any]) -> tuple[Integers, Graph]:
    """Return the number of the state at every place, and the graph of the places."""
    players, counts = np.asarray(raw.players), np.asarray(raw.counts)
    following = np.asarray(raw.following)
    firsts = np.concatenate(([0], np.cumsum(counts)))
    diagonals, parts = diagonals_of(firsts, following)
    keys = diagonals.astype(np.int64)  # states of one block agree in these
    if parts is not None:
        # The initial state is first, whoever moves in it, and groups are contiguous.
        keys = 4 * keys + 2 * (parts >= 0) + (np.arange(len(keys)) > 0)
    keys = (keys * (raw.num_players - TERMINAL) - players) * 64 + size_classes(counts)
    order = np.lexsort((keys,) if parts is None else (parts, keys))
    place = np.empty(len(order), dtype=np.int32)
    place[order] = np.arange(len(order))
    offsets = np.concatenate(([0], np.cumsum(counts[order])))
    moves = joined_ranges(firsts[order], counts[order])
    drawn = ranks_within(np.repeat(players == CHANCE, counts), moves)
    ends = raw.returns_array()[ranks_within(players == TERMINAL, order)]
    numerators, denominators, exact = ratios(ends)
    starts = np.concatenate(([0], np.flatnonzero(np.diff(keys[order])) + 1))
    groups = np.full(len(starts), -1)
    if parts is not None:
        parts = _renumbered(parts[order])
        # Diagonals hold at most one group, so groups change where diagonals do.
        cyclic = parts[starts] >= 0
        new = np.diff(diagonals[order[starts[cyclic]]], prepend=-1) != 0
        groups[cyclic] = np.cumsum(new) - 1
    players = players[order]
    return order, Graph(
        players=narrowed(players),
        offsets=narrowed(offsets, np.int32),
        following=place[following[moves]],
        weights=exact_array(raw.weights)[drawn],
        numerators=numerators,
        denominators=denominators,
        rewards=raw.payments.rewards(moves),
        exact=exact,
        exact_weights=raw.exact_weights,
        blocks=blocks_of(starts, players, offsets, groups),
        components=parts,
        endless=raw.endless,
    )


def ranks_within(some: NDArray[np.bool_], order: Integers) -> Integers:
    """Return where entries that only some things have lie, in another order of all."""
    positions: Integers = (np.cumsum(some) - 1)[order][some[order]]
    return positions


def _renumbered(components: Integers) -> Integers:
    """Return components by place, numbered as they first come; -1 stays."""
    distinct, first = np.unique(components[components >= 0], return_index=True)
    numbers = np.full(
        int(distinct.max(initial=0)) + 2, -1, dtype=np.int32
    )  # its last: -1
    numbers[distinct[np.argsort(first)]] = np.arange(len(distinct))
    renumbered: Integers = numbers[components]
    return renumbered


def diagonals_of(
    offsets: Integers, following: Integers
) -> tuple[Integers, Integers | None]:
    """Return the number of the diagonal and the strong component of every state.

    Parameters
    ----------
    offsets : ndarray of int, shape (states + 1,)
        Where the moves of each state begin, and their end.
    following : ndarray of int, shape (moves,)
        The state to which each move leads, state by state.

    Returns
    -------
    diagonals : ndarray of int, shape (states,)
        The number of moves of the longest play that leads to a state, where all states
        of a component count as one.
    components : ndarray of int, shape (states,), or None
        The number of the component, from 0; -1 for a state in no loop; None without
        loops.
    """
    depths = _depths(offsets, following)
    if depths.min() >= 0:
        return depths, None
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    size = len(depths)
    ones = np.ones(len(following), dtype=np.int8)
    matrix = csr_array((ones, following, offsets), shape=(size, size))
    count, parts = connected_components(matrix, connection="strong")
    del matrix, ones
    sources = np.repeat(np.arange(size), np.diff(offsets))
    on_cycle = np.bincount(parts, minlength=count) > 1
    on_cycle[parts[sources[sources == following]]] = True
    # The moves between components, in the order of the component from which they lead.
    first, last = parts[sources], parts[following]
    between = np.flatnonzero(first != last)
    first, last = first[between], last[between]
    starts = np.concatenate(([0], np.cumsum(np.bincount(first, minlength=count))))
    depths = _depths(starts, last[np.argsort(first, kind="stable")])
    components = np.where(on_cycle, np.cumsum(on_cycle, dtype=np.int32) - 1, -1)
    return depths[parts], components[parts]


_NARROW = 64
"""Fewer states than this are counted faster one by one than in NumPy."""


def _depths(offsets: Integers, following: Integers) -> Integers:
    """Return the number of moves of the longest play that leads to each state.

    It is -1 for the states that plays reach only after, or on, a cycle.
    """
    size = len(offsets) - 1
    waiting = np.bincount(following, minlength=size)
    depths = np.full(size, -1, dtype=np.int32)
    depth, wait = depths.data, waiting.data
    start, after = offsets.data, following.data
    front: Any = np.flatnonzero(waiting == 0)
    diagonal = 0
    while len(front):
        if len(front) < _NARROW:
            states = front if isinstance(front, list) else front.tolist()
            front = []
            for state in states:
                depth[state] = diagonal
                for target in after[start[state] : start[state + 1]]:
                    wait[target] -= 1
                    if not wait[target]:
                        front.append(target)
        else:
            states = np.asarray(front)
            depths[states] = diagonal
            moves = joined_ranges(
                offsets[states], offsets[states + 1] - offsets[states]
            )
            reached = following[moves]
            np.subtract.at(waiting, reached, 1)
            front = np.unique(reached[waiting[reached] == 0])
        diagonal += 1
    return depths
