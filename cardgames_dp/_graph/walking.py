"""Find every state of a game once, breadth first, and lay the states out by level.

A state is numbered when it is first reached, and the game is asked for its moves when
the loop gets to it. Usual answers (tuples, lists, ints, Fractions) are handled in the
loop; all others go to `_graph.answers`, which converts or refuses them.

Then the states are laid out by *level*: the number of moves of the longest play that
leads to a state. It is found by Kahn's algorithm: a state is on the next level when all
moves to it have been made. Where that never happens, plays come back to a state. Strong
components then take the place of states, and moves within them do not count.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import Any, Generic

import numpy as np

from cardgames_dp._graph import answers
from cardgames_dp._graph.answers import CHANCE, TERMINAL
from cardgames_dp._graph.graph import (
    Block,
    Graph,
    Integers,
    exact_array,
    narrowed,
    sizes_of,
    spans,
)
from cardgames_dp._graph.ordering import levels_of
from cardgames_dp._graph.payments import RATIONALS, Payments
from cardgames_dp._graph.protocol import Game, TooManyStatesError
from cardgames_dp._results.records import Action, State
from cardgames_dp._support import arguments
from cardgames_dp._support.running import allowance, tracked

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

    def offsets(self) -> Integers:
        """Return where the moves of each state begin in `following`, and their end."""
        offsets = np.zeros(len(self.counts) + 1, dtype=np.int64)
        np.cumsum(self.counts, out=offsets[1:])
        return offsets


def walk(
    game: Game[State, Action],
    max_states: int,
) -> Found[State, Action]:
    """Find all reachable states of a game.

    Raises
    ------
    TypeError, GameError
        If the game breaks a rule of `Game`, as for `CheckedGame`.
    TooManyStatesError
        If there are more than `max_states`, or more than half of the memory holds.
    """
    num_players = answers.num_players(game, answers.METHODS, "Game")
    limit = min(max_states, allowance()[0] // STATE_BYTES)
    start = game.initial_state()
    answers.require_hashable(start, "initial_state")
    states = [start]
    found: Found[State, Action] = Found(num_players, {start: 0})
    _ask(game, states, found, limit)
    if len(states) > limit:
        raise _too_many(states[limit], max_states, limit)
    return found


def _ask(game: Any, states: list[Any], found: Found[Any, Any], limit: int) -> None:
    """Ask a game about states, to which those that follow are appended, up to a limit.

    Every line here takes its share of the time of all plain games.
    """
    movers = frozenset({CHANCE, TERMINAL, *range(found.num_players)})
    rewards, payments = answers.rewards_of(game), found.payments
    number_of, reach = found.numbers.setdefault, found.following.append
    count, action_sets = len(states), found.action_sets
    method, actions, action, after = "", None, None, None
    try:
        for state in tracked(iter(states), None, "states"):
            method = "current_player"
            player = game.current_player(state)
            if type(player) is not int or player not in movers:
                player = answers.player(player, state, found.num_players)
            if player >= 0:
                method = "legal_actions"
                actions = game.legal_actions(state)
                listed = tuple(actions) if type(actions) is list else actions
                which = action_sets.get(listed) if type(listed) is tuple else None
                if which is None:
                    actions = answers.actions(actions, state)
                    which = action_sets.setdefault(actions, len(action_sets))
                found.which.append(which)
                if rewards is not None:
                    method = "rewards"
                    payments.of_actions(rewards, state, actions, len(found.following))
                method, moves = "next_state", len(actions)
                for action in actions:
                    after = game.next_state(state, action)
                    number = number_of(after, count)
                    if number == count:
                        states.append(after)
                        count += 1
                    reach(number)
            elif player == CHANCE:
                method = "chance_outcomes"
                moves = _draw(game.chance_outcomes(state), state, states, found)
                count = len(states)
            else:
                method, moves = "returns", 0
                found.returns.extend(game.returns(state), state, found.num_players)
            found.players.append(player)
            found.counts.append(moves)
            if count > limit:
                return
    except Exception as error:
        _tell(error, method, state, actions, action, after)
        raise


def _draw(outcomes: Any, state: Any, states: list[Any], found: Found[Any, Any]) -> int:
    """Add the outcomes of a chance state, and return their number."""
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
        before = len(found.following)
        outcomes = found.payments.of_outcomes(outcomes, state, before)
    number_of, reach = found.numbers.setdefault, found.following.append
    weigh, count = found.weights.append, len(states)
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
        reach(number)
    return len(outcomes)


def _tell(
    error: Exception, method: str, state: Any, actions: Any, action: Any, after: Any
) -> None:
    """Refuse what is not hashable by its name; otherwise note what the game was asked.

    Parameters
    ----------
    error : Exception
        The error that the last call of a method of the game has led to.
    method, state
        The call.
    actions, action, after
        The last answer of `legal_actions`, the last action taken, and the state to
        which it led.
    """
    if isinstance(error, TypeError):
        if method == "legal_actions":
            answers.actions(actions, state)
        elif method == "next_state":
            answers.require_hashable(after, method, state, action)
    answers.note(error, method, state)


def _too_many(beyond: object, max_states: int, limit: int) -> TooManyStatesError:
    """Return the error that ends a search."""
    why = f"max_states={max_states} allows"
    if limit < max_states:
        why = f"{allowance()[1]} holds, {limit} of about {STATE_BYTES} B"
    return TooManyStatesError(
        f"the game has more states than {why}; the first one beyond is "
        f"{arguments.shown(beyond)}"
    )


def lay_out(found: Found[State, Any]) -> tuple[Integers, Graph]:
    """Return the number of the state at every place, and the graph of the places."""
    reached, parts = levels_of(found.offsets(), np.asarray(found.following))
    players, counts = np.asarray(found.players), np.asarray(found.counts)
    sizes = sizes_of(counts)
    keys = [sizes, -players, reached]  # states of one block agree in these
    if parts is not None:
        # The initial state is first, whoever moves in it, and groups are contiguous.
        keys[2:2] = [np.arange(len(players)) > 0, parts >= 0]
    order = np.lexsort(keys if parts is None else [parts, *keys])
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
    if parts is not None:
        parts = _renumbered(parts[order])
    keys = [key[order] for key in keys]
    return order, Graph(
        players=narrowed(players[order]),
        offsets=narrowed(offsets, np.int32),
        following=place[np.asarray(found.following)[moves]],
        weights=exact_array(found.weights)[drawn],
        numerators=exact_array(found.returns.numerators).reshape(shape)[paid],
        denominators=exact_array(found.returns.denominators).reshape(shape)[paid],
        rewards=found.payments.rewards(moves),
        exact=found.returns.exact,
        blocks=_blocks(keys, players[order], offsets, parts),
        components=parts,
    )


def _renumbered(components: Integers) -> Integers:
    """Return components by place, numbered as they first come; -1 stays."""
    known, first = np.unique(components[components >= 0], return_index=True)
    numbers = np.full(int(known.max(initial=0)) + 2, -1, dtype=np.int32)  # its last: -1
    numbers[known[np.argsort(first)]] = np.arange(len(known))
    renumbered: Integers = numbers[components]
    return renumbered


def _blocks(
    keys: list[Integers],
    players: Integers,
    offsets: Integers,
    components: Integers | None,
) -> tuple[Block, ...]:
    """Return the blocks: runs of places at which all keys agree, the last by level."""
    changes = np.logical_or.reduce([key[1:] != key[:-1] for key in keys])
    starts = np.concatenate(([0], np.flatnonzero(changes) + 1))
    counts = np.diff(offsets)
    most = np.maximum.reduceat(counts, starts).tolist()
    least = np.minimum.reduceat(counts, starts).tolist()
    ends = [*starts.tolist(), len(players)]
    groups = np.full(len(starts), -1)
    if components is not None:
        # Levels hold at most one group, so groups change where levels do.
        cyclic = components[starts] >= 0
        new = np.diff(keys[-1][starts[cyclic]], prepend=-1) != 0
        groups[cyclic] = np.cumsum(new) - 1
    ahead = {CHANCE: 0, TERMINAL: 0}
    blocks = []
    for i, (first, last) in enumerate(pairwise(ends)):
        player = int(players[first])
        moves = slice(int(offsets[first]), int(offsets[last]))
        size = moves.stop - moves.start if player == CHANCE else last - first
        start = ahead.get(player, 0)
        own = slice(start, start + size)
        ahead[player] = own.stop
        even, group = most[i] == least[i], int(groups[i])
        places = slice(first, last)
        blocks.append(Block(player, places, moves, own, most[i], even, group))
    return tuple(blocks)
