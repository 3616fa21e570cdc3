"""Find every state of a game once, breadth first.

A state is numbered when it is first reached, and the game is asked for its moves when
the loop gets to it. Usual answers (tuples, lists, ints, Fractions) are handled in the
loop; all others go to `_answers`, which converts or refuses them.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Generic

import numpy as np

from cardgames_dp import _answers, _checks
from cardgames_dp._answers import CHANCE, TERMINAL, GameError
from cardgames_dp._extras import tracked
from cardgames_dp._graph import Integers
from cardgames_dp._levels import levels
from cardgames_dp._memory import allowance
from cardgames_dp.game import Action, CheckedGame, Game, State, TooManyStatesError

STATE_BYTES = 512
"""About the bytes that a state takes until all are solved."""


_RATIONALS = frozenset({int, Fraction})


@dataclass(slots=True)
class Ratios:
    """A list of rational numbers, stored as numerators and denominators."""

    numerators: list[int] = field(default_factory=list)
    denominators: list[int] = field(default_factory=list)

    def extend(self, answer: Any, state: object, num_players: int) -> None:
        """Append the returns of a terminal state, from the answer of `returns`."""
        if (
            type(answer) not in {tuple, list}
            or len(answer) != num_players
            or not _RATIONALS.issuperset(map(type, answer))
        ):
            answer = _answers.returns(answer, state, num_players)
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
    action_sets: dict[tuple[Action, ...], int] = field(default_factory=dict)
    which: array[int] = field(default_factory=lambda: array("i"))

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
    game: Game[State, Action], max_states: int, *, progress: bool
) -> Found[State, Action]:
    """Find all reachable states of a game.

    Raises
    ------
    TypeError, GameError
        If the game breaks a rule of `Game`, as for `CheckedGame`. Cycles are not
        detected.
    TooManyStatesError
        If there are more than `max_states`, or more than half of the memory holds.
    ModuleNotFoundError
        If `progress` is true and `tqdm` is not installed.
    """
    checked = CheckedGame(game)
    num_players = checked.num_players
    limit = min(max_states, allowance()[0] // STATE_BYTES)
    states, count = [checked.initial_state()], 1
    found: Found[State, Action] = Found(num_players, {states[0]: 0})
    movers = frozenset({CHANCE, TERMINAL, *range(num_players)})
    number_of, reach = found.numbers.setdefault, found.following.append
    for state in tracked(iter(states), None, "states", shown=progress):
        player = game.current_player(state)
        if type(player) is not int or player not in movers:
            player = _answers.player(player, state, num_players)
        after: Sequence[State] = ()
        actions: tuple[Action, ...] = ()
        if player == TERMINAL:
            found.returns.extend(game.returns(state), state, num_players)
        elif player == CHANCE:
            outcomes: Any = game.chance_outcomes(state)
            if not _are_plain(outcomes):
                outcomes = _answers.outcomes(outcomes, state)
            found.weights += [weight for weight, _ in outcomes]
            after = [following for _, following in outcomes]
        else:
            actions = _actions(game.legal_actions(state), state, found)
            after = [game.next_state(state, action) for action in actions]
        for following in after:
            try:
                number = number_of(following, count)
            except TypeError:
                _require_hashable(state, actions, after, following)
                raise
            if number == count:
                if count >= limit:
                    raise _too_many(found, following, max_states, limit)
                states.append(following)
                count += 1
            reach(number)
        found.players.append(player)
        found.counts.append(len(after))
    return found


def _actions(
    answer: Any, state: State, found: Found[State, Action]
) -> tuple[Action, ...]:
    """Return the actions of a state, and store them."""
    actions: Any = tuple(answer) if type(answer) in {tuple, list} else None
    try:
        which = found.action_sets.get(actions)
    except TypeError:  # not hashable
        which = None
    if which is None:
        actions = _answers.actions(answer, state)
        which = found.action_sets.setdefault(actions, len(found.action_sets))
    found.which.append(which)
    return actions  # type: ignore[no-any-return]


def _are_plain(outcomes: Any) -> bool:
    """Return whether outcomes have the usual form: tuples with a positive int each."""
    if type(outcomes) not in {tuple, list}:
        return False
    for outcome in outcomes:
        if type(outcome) is not tuple or len(outcome) != 2:
            return False
        weight = outcome[0]
        if type(weight) is not int or weight <= 0:
            return False
    return len(outcomes) > 0


def _require_hashable(
    state: State, actions: Sequence[Action], after: Sequence[State], following: State
) -> None:
    """Refuse a state that is not hashable, naming the method that returned it."""
    if actions:
        action = next(a for a, s in zip(actions, after, strict=True) if s is following)
        _answers.require_hashable(following, "next_state", state, action)
    else:
        _answers.require_hashable(following, "chance_outcomes", state)


def _too_many(
    found: Found[State, Action], beyond: State, max_states: int, limit: int
) -> ValueError:
    """Return the error that ends a search: a cycle, or too many states."""
    del found.numbers[beyond]
    found.counts.append(len(found.following) - sum(found.counts))
    try:
        found.levels(found.numbers)
    except GameError as cycle:
        return cycle
    why = f"max_states={max_states} allows"
    if limit < max_states:
        why = f"{allowance()[1]} holds, {limit} of about {STATE_BYTES} B"
    return TooManyStatesError(
        f"the game has more states than {why}; the first one beyond is "
        f"{_checks.shown(beyond)}"
    )
