"""Every state of a game, found once: what both backends sweep.

Depth-first search from the initial state without Python recursion. It finishes every
state after all states that can follow it, and numbers states as it finishes them: so
whoever goes through the numbers in order knows of each state what comes after it. A
state that is met again before it is finished is on a cycle.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Generic

from cardgames_dp import _checks
from cardgames_dp._extras import tracked
from cardgames_dp._memory import physical_memory
from cardgames_dp.game import (
    CHANCE,
    TERMINAL,
    Action,
    CheckedGame,
    Game,
    GameError,
    State,
    TooManyStatesError,
)

STATE_BYTES = 1024
"""About what a state takes until all are solved."""

_UNSEEN, _OPEN = -1, -2  # of a state that has no number yet
_CYCLE_STATES = 6  # named in an error message before it shortens the cycle


@dataclass(frozen=True, slots=True)
class Explored(Generic[State, Action]):
    """All states of a game by their numbers, and the moves between them.

    A state comes after all that can follow it; the initial one is the last.

    Attributes
    ----------
    states : list of State
    players : list of int
        Who moves in each, or `CHANCE` or `TERMINAL`.
    actions : list of tuple of Action
        Of decision states; else empty.
    returns : list of tuple of Fraction
        Of terminal states; else empty.
    offsets : list of int
        The moves of state i are those from ``offsets[i]`` to ``offsets[i + 1]``.
    following : list of int
        To which state each move leads.
    weights : list of int
        Of each move of chance; 1 for those of players.
    """

    states: list[State]
    players: list[int]
    actions: list[tuple[Action, ...]]
    returns: list[tuple[Fraction, ...]]
    offsets: list[int]
    following: list[int]
    weights: list[int]

    @property
    def num_states(self) -> int:
        """How many states there are."""
        return len(self.states)

    def levels(self) -> list[int]:
        """Return the most moves, chance's included, from each state to the end."""
        found: list[int] = []
        for first, last in pairwise(self.offsets):
            after = [found[i] for i in self.following[first:last]]
            found.append(1 + max(after) if after else 0)
        return found


def explore(
    game: Game[State, Action], max_states: int, *, progress: bool
) -> Explored[State, Action]:
    """Find all states of a game that can be reached.

    Raises
    ------
    TypeError, GameError
        If the game breaks a promise, as `CheckedGame` says, or has a cycle.
    TooManyStatesError
        If there are more than `max_states`, or more than half of the memory holds.
    ModuleNotFoundError
        If `progress` is asked for and `tqdm` is not installed.
    """
    walk = _Walk(CheckedGame(game), max_states)
    found: Explored[State, Action] = Explored([], [], [], [], [0], [], [])
    # Long lists, not an object a state, which Python's collector would go through.
    for visit in tracked(walk.finished(), None, "states", shown=progress):
        found.states.append(visit.state)
        found.players.append(visit.player)
        found.actions.append(visit.actions)
        found.returns.append(visit.returns)
        found.following.extend(visit.following)
        found.weights.extend(visit.weights)
        found.offsets.append(len(found.following))
    return found


class _Visit(Generic[State, Action]):
    """A state that the search has come to, and what may come next.

    First these are places of `_Walk`, and numbers of states when it is finished.
    """

    __slots__ = (
        "actions",
        "following",
        "place",
        "player",
        "returns",
        "state",
        "weights",
    )

    def __init__(self, place: int, state: State, player: int) -> None:
        self.place = place
        self.state = state
        self.player = player
        self.actions: tuple[Action, ...] = ()
        self.returns: tuple[Fraction, ...] = ()
        self.following: Sequence[int] = ()
        self.weights: Sequence[int] = ()


class _Walk(Generic[State, Action]):
    """The search. A state has a *place* in its lists from when it is first heard of."""

    def __init__(self, game: CheckedGame[State, Action], max_states: int) -> None:
        self._game = game
        self._max_states = max_states
        self._room = physical_memory() // 2 // STATE_BYTES
        self._places: dict[State, int] = {}
        self._states: list[State] = []
        self._numbers: list[int] = []

    def finished(self) -> Iterator[_Visit[State, Action]]:
        """Yield every state after all that can follow it."""
        numbers, count = self._numbers, 0
        path = [self._visit(self._place(self._game.initial_state()))]
        ahead = [iter(path[0].following)]
        while path:
            for place in ahead[-1]:
                if numbers[place] >= 0:
                    continue
                if numbers[place] == _OPEN:
                    raise GameError(_cycle(path, place))
                child = self._visit(place)
                if child.following:
                    path.append(child)
                    ahead.append(iter(child.following))
                    break
                numbers[place] = count
                count += 1
                yield child
            else:
                ahead.pop()
                visit = path.pop()
                visit.following = [numbers[place] for place in visit.following]
                numbers[visit.place] = count
                count += 1
                yield visit

    def _place(self, state: State) -> int:
        states = self._states
        place = self._places.setdefault(state, len(states))
        if place == len(states):
            if place >= self._max_states or place >= self._room:
                raise self._too_many(state)
            states.append(state)
            self._numbers.append(_UNSEEN)
        return place

    def _visit(self, place: int) -> _Visit[State, Action]:
        game, state = self._game, self._states[place]
        player = game.current_player(state)
        visit: _Visit[State, Action] = _Visit(place, state, player)
        self._numbers[place] = _OPEN
        if player == TERMINAL:
            visit.returns = game.returns(state)
        elif player == CHANCE:
            outcomes = game.chance_outcomes(state)
            visit.weights = [weight for weight, _ in outcomes]
            visit.following = [self._place(following) for _, following in outcomes]
        else:
            visit.actions = game.legal_actions(state)
            visit.following = [
                self._place(game.next_state(state, action)) for action in visit.actions
            ]
            visit.weights = [1] * len(visit.actions)
        return visit

    def _too_many(self, state: State) -> TooManyStatesError:
        why = f"max_states={self._max_states} allows"
        if self._room < self._max_states:
            why = f"half of this machine's memory holds, {self._room} of about 1 kB"
        return TooManyStatesError(
            f"the game has more states than {why}; the first one beyond is "
            f"{_checks.shown(state)}"
        )


def _cycle(path: list[_Visit[State, Action]], repeated: int) -> str:
    start = next(i for i, visit in enumerate(path) if visit.place == repeated)
    cycle = path[start:]
    steps = [_checks.shown(visit.state) for visit in cycle[: _CYCLE_STATES - 1]]
    if len(cycle) > _CYCLE_STATES:
        steps.append("...")
    if len(cycle) >= _CYCLE_STATES:
        steps.append(_checks.shown(cycle[-1].state))
    again = _checks.shown(cycle[0].state)
    return (
        f"the game must be acyclic, but a play can come back to {again}: "
        f"{' -> '.join([*steps, again])} (a cycle of {len(cycle)})"
    )
