"""Find every state of a game once, breadth first, and lay the states out by level.

A state is numbered when it is first reached, and the game is asked for its moves when
the loop gets to it. Usual answers (tuples, lists, ints, Fractions) are handled in the
loop; all others go to `_graph.answers`, which converts or refuses them.

Then the states are laid out by *level*: the number of moves of the longest play that
leads to a state. It is found by Kahn's algorithm: a state is on the next level when all
moves to it have been made. Where that never happens, there is a cycle.
"""

from __future__ import annotations

import itertools
from array import array
from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import Any, Generic

import numpy as np

from cardgames_dp._graph import answers
from cardgames_dp._graph.answers import CHANCE, TERMINAL, GameError
from cardgames_dp._graph.graph import (
    Block,
    Graph,
    Integers,
    exact_array,
    narrowed,
    sizes_of,
    spans,
)
from cardgames_dp._graph.payments import RATIONALS, Payments
from cardgames_dp._support import arguments
from cardgames_dp._support.running import allowance, progress_bar
from cardgames_dp.game import Action, Game, State, TooManyStatesError

STATE_BYTES = 512
"""About the bytes that a state takes until all are solved."""

_SEQUENCES = frozenset({tuple, list})


@dataclass(slots=True)
class Ratios:
    """A list of numbers, stored as numerators and denominators.

    Attributes
    ----------
    numerators, denominators : list of int
    exact : bool
        Whether no number was given as a float.
    """

    numerators: list[int] = field(default_factory=list)
    denominators: list[int] = field(default_factory=list)
    exact: bool = True

    def extend(self, answer: Any, state: object, num_players: int) -> None:
        """Append the returns of a terminal state, from the answer of `returns`."""
        if (
            type(answer) not in _SEQUENCES
            or len(answer) != num_players
            or not RATIONALS.issuperset(map(type, answer))
        ):
            answer = answers.returns(answer, state, num_players)
            self.exact = self.exact and float not in map(type, answer)
            answer = tuple(map(Fraction, answer))
        for number in answer:
            self.numerators.append(number.numerator)
            self.denominators.append(number.denominator)


@dataclass(slots=True)
class Found(Generic[State, Action]):
    """The states of a game found so far, by number.

    Attributes
    ----------
    num_players : int
        The number of players of the game.
    numbers : dict of State to int
        The number of each state, in order; that of the initial state is 0.
    players : array of int
        The player to move in each state that was asked about, or `CHANCE` or
        `TERMINAL`.
    counts : array of int
        The number of moves of each of these states.
    following : array of int
        The state to which each move leads, state by state.
    weights : list of int
        The weights of the moves of chance.
    returns : Ratios
        The returns of the terminal states.
    payments : Payments
        What the moves pay.
    action_sets : dict of tuple of Action to int
        All different answers of `legal_actions`, numbered.
    which : array of int
        The number of the actions of each decision state.
    """

    num_players: int
    numbers: dict[State, int]
    players: array[int] = field(default_factory=lambda: array("i"))
    counts: array[int] = field(default_factory=lambda: array("i"))
    following: array[int] = field(default_factory=lambda: array("i"))
    weights: list[int] = field(default_factory=list)
    returns: Ratios = field(default_factory=Ratios)
    payments: Payments = field(init=False)
    action_sets: dict[tuple[Action, ...], int] = field(default_factory=dict)
    which: array[int] = field(default_factory=lambda: array("i"))

    def __post_init__(self) -> None:
        self.payments = Payments(self.num_players)

    def levels(self, states: Collection[State]) -> Integers:
        """Return the number of moves of the longest play to each state, in order.

        Raises
        ------
        GameError
            If there is a cycle among the states that were asked about.
        """
        counts, following = np.asarray(self.counts), np.asarray(self.following)
        return levels(states, counts, following)


def walk(
    game: Game[State, Action],
    max_states: int,
) -> Found[State, Action]:
    """Find all reachable states of a game.

    Raises
    ------
    TypeError, GameError
        If the game breaks a rule of `Game`, as for `CheckedGame`. Cycles are not
        detected.
    TooManyStatesError
        If there are more than `max_states`, or more than half of the memory holds.
    """
    num_players = answers.num_players(game, answers.METHODS, "Game")
    limit = min(max_states, allowance()[0] // STATE_BYTES)
    start = game.initial_state()
    answers.require_hashable(start, "initial_state")
    # A state that is looked up for the first time gets the next number.
    numbers: defaultdict[State, int] = defaultdict(itertools.count().__next__)
    number = numbers.__getitem__
    number(start)
    found: Found[State, Action] = Found(num_players, numbers)
    reached = 0
    with progress_bar(None, "states") as bar:
        while len(numbers) > reached:
            # The states that the last round has found, in the order of their numbers.
            ahead = list(itertools.islice(reversed(numbers), len(numbers) - reached))
            reached = len(numbers)
            _ask(game, found, reversed(ahead), limit)
            if len(numbers) > limit:
                raise _too_many(found, max_states, limit)
            if bar is not None:
                bar.update(len(ahead))
    return found


def _ask(
    game: Game[State, Action],
    found: Found[State, Action],
    states: Iterable[State],
    limit: int,
) -> None:
    """Ask a game about some states, until more than `limit` are found."""
    num_players, payments = found.num_players, found.payments
    movers = frozenset({CHANCE, TERMINAL, *range(num_players)})
    rewards = answers.rewards_of(game)
    numbers, number = found.numbers, found.numbers.__getitem__
    action_sets, reach, method = found.action_sets, found.following.append, ""
    after: Any = ()
    try:
        for state in states:
            method = "current_player"
            player = game.current_player(state)
            if type(player) is not int or player not in movers:
                player = answers.player(player, state, num_players)
            if player >= 0:
                method = "legal_actions"
                answer = game.legal_actions(state)
                kind = type(answer)
                actions: Any = answer
                if kind is not tuple:
                    actions = tuple(answer) if kind is list else None
                try:
                    which = action_sets.get(actions)
                except TypeError:  # not hashable
                    which = None
                if which is None:
                    actions = answers.actions(answer, state)
                    which = action_sets.setdefault(actions, len(action_sets))
                found.which.append(which)
                if rewards is not None:
                    method, before = "rewards", len(found.following)
                    paid = [
                        payments.of_action(rewards(state, action), state, action)
                        for action in actions
                    ]
                    payments.extend(before, paid)
                method = "next_state"
                for action in actions:
                    after = (game.next_state(state, action),)
                    reach(number(after[0]))
                found.counts.append(len(actions))
            elif player == CHANCE:
                method = "chance_outcomes"
                outcomes: Any = game.chance_outcomes(state)
                if not _are_plain(outcomes):
                    outcomes = answers.outcomes(outcomes, state, num_players)
                    before = len(found.following)
                    payments.extend(before, [*map(payments.of_outcome, outcomes)])
                    outcomes = [outcome[:2] for outcome in outcomes]
                weights, after = zip(*outcomes, strict=True)
                found.weights += weights
                found.following.extend(map(number, after))
                found.counts.append(len(after))
            else:
                method = "returns"
                found.returns.extend(game.returns(state), state, num_players)
                found.counts.append(0)
            found.players.append(player)
            if len(numbers) > limit:
                return
    except Exception as error:
        if isinstance(error, TypeError):
            for following in after:
                given = (state, action) if method == "next_state" else (state,)
                answers.require_hashable(following, method, *given)
        answers.note(error, method, state)
        raise


def _are_plain(outcomes: Any) -> bool:
    """Return whether outcomes are pairs in a tuple or list, with weights of int > 0."""
    kind = type(outcomes)
    if (kind is not list and kind is not tuple) or not outcomes:
        return False
    for outcome in outcomes:
        if type(outcome) is not tuple or len(outcome) != 2:
            return False
        weight = outcome[0]
        if type(weight) is not int or weight <= 0:
            return False
    return True


def _too_many(found: Found[State, Action], max_states: int, limit: int) -> ValueError:
    """Return the error that ends a search: a cycle, or too many states."""
    states = list(itertools.islice(found.numbers, limit + 1))
    beyond = states.pop()
    following = np.asarray(found.following)
    inside = int((following >= limit).argmax())  # moves until then
    counts = np.asarray(found.counts)
    asked = int(np.searchsorted(counts.cumsum(), inside, side="right"))
    counts = np.append(counts[:asked], inside - counts[:asked].sum())
    try:
        levels(states, counts, following[:inside])
    except GameError as cycle:
        return cycle
    why = f"max_states={max_states} allows"
    if limit < max_states:
        why = f"{allowance()[1]} holds, {limit} of about {STATE_BYTES} B"
    return TooManyStatesError(
        f"the game has more states than {why}; the first one beyond is "
        f"{arguments.shown(beyond)}"
    )


_CYCLE_STATES = 6  # named in an error message before it shortens the cycle


def levels(states: Collection[Any], counts: Integers, following: Integers) -> Integers:
    """Return the level of every state.

    Parameters
    ----------
    states : collection
        The states, all of which can be reached from the first one.
    counts : ndarray of int, shape (asked,)
        The numbers of moves of the first states; the others have none.
    following : ndarray of int, shape (moves,)
        The state to which each move leads, state by state.

    Raises
    ------
    GameError
        If a play can return to a state.
    """
    offsets = np.zeros(len(states) + 1, dtype=np.int64)
    np.cumsum(counts, out=offsets[1 : len(counts) + 1])
    offsets[len(counts) + 1 :] = len(following)
    waiting = np.bincount(following, minlength=len(states))
    found = np.full(len(states), -1, dtype=np.int32)
    front, level = np.flatnonzero(waiting[:1] == 0), 0
    while front.size:
        found[front] = level
        reached = following[_moves_of(front, offsets)]
        np.subtract.at(waiting, reached, 1)
        front, level = np.unique(reached[waiting[reached] == 0]), level + 1
    if found.min() < 0:
        everything = list(states)
        on_cycle = _cycle(offsets.tolist(), following.tolist())
        raise GameError(_told([everything[state] for state in on_cycle]))
    return found


def _moves_of(states: Integers, offsets: Integers) -> slice | Integers:
    """Return the moves of some states, which are in ascending order."""
    first, last = states[0], states[-1]
    if last - first == len(states) - 1:
        return slice(offsets[first], offsets[last + 1])
    return spans(offsets[states], offsets[states + 1] - offsets[states])


def _cycle(offsets: list[int], following: list[int]) -> list[int]:
    """Return the states of the first cycle that a depth-first search finds."""
    path, on_path, seen = [0], {0}, {0}
    ahead = [iter(following[: offsets[1]])]
    while True:
        for state in ahead[-1]:
            if state in on_path:
                return path[path.index(state) :]
            if state not in seen:
                seen.add(state)
                on_path.add(state)
                path.append(state)
                ahead.append(iter(following[offsets[state] : offsets[state + 1]]))
                break
        else:
            ahead.pop()
            on_path.discard(path.pop())


def _told(states: list[Any]) -> str:
    """Return the error message for a cycle of states."""
    steps = [arguments.shown(state) for state in states[: _CYCLE_STATES - 1]]
    if len(states) > _CYCLE_STATES:
        steps.append("...")
    if len(states) >= _CYCLE_STATES:
        steps.append(arguments.shown(states[-1]))
    again = arguments.shown(states[0])
    return (
        f"the game must be acyclic, but a play can come back to {again}: "
        f"{' -> '.join([*steps, again])} (a cycle of {len(states)})"
    )


def lay_out(
    found: Found[State, Any], states: Collection[State]
) -> tuple[Integers, Graph]:
    """Return the number of the state at every place, and the graph of the places.

    Parameters
    ----------
    found : Found
        The moves of all states.
    states : collection
        The states in the order of their numbers.

    Raises
    ------
    GameError
        If there is a cycle.
    """
    levels = found.levels(states)
    players, counts = np.asarray(found.players), np.asarray(found.counts)
    sizes = sizes_of(counts)
    order = np.lexsort((sizes, -players, levels))
    place = np.empty(len(order), dtype=np.int32)
    place[order] = np.arange(len(order))
    offsets = np.zeros(len(order) + 1, dtype=np.int64)
    np.cumsum(counts[order], out=offsets[1:])
    moves = spans((np.cumsum(counts) - counts)[order], counts[order])
    # Chance and terminal states have their own arrays.
    luck = order[players[order] == CHANCE]
    ends = order[players[order] == TERMINAL]
    lucky = np.where(players == CHANCE, counts, 0)
    drawn = spans((np.cumsum(lucky) - lucky)[luck], counts[luck])
    paid = (np.cumsum(players == TERMINAL) - 1)[ends]
    shape = -1, found.num_players
    return order, Graph(
        players=narrowed(players[order]),
        offsets=narrowed(offsets, np.int32),
        following=place[np.asarray(found.following)[moves]],
        weights=exact_array(found.weights)[drawn],
        numerators=exact_array(found.returns.numerators).reshape(shape)[paid],
        denominators=exact_array(found.returns.denominators).reshape(shape)[paid],
        rewards=found.payments.rewards(moves),
        exact=found.returns.exact,
        blocks=_blocks(levels[order], players[order], sizes[order], offsets),
    )


def _blocks(
    levels: Integers, players: Integers, sizes: Integers, offsets: Integers
) -> tuple[Block, ...]:
    changes = (np.diff(levels) != 0) | (np.diff(players) != 0) | (np.diff(sizes) != 0)
    starts = np.concatenate(([0], np.flatnonzero(changes) + 1))
    counts = np.diff(offsets)
    most = np.maximum.reduceat(counts, starts).tolist()
    least = np.minimum.reduceat(counts, starts).tolist()
    ends = [*starts.tolist(), len(levels)]
    ahead = {CHANCE: 0, TERMINAL: 0}
    blocks = []
    for i, (first, last) in enumerate(pairwise(ends)):
        player = int(players[first])
        moves = slice(int(offsets[first]), int(offsets[last]))
        size = moves.stop - moves.start if player == CHANCE else last - first
        start = ahead.get(player, 0)
        own = slice(start, start + size)
        ahead[player] = own.stop
        even = most[i] == least[i]
        blocks.append(Block(player, slice(first, last), moves, own, most[i], even))
    return tuple(blocks)
