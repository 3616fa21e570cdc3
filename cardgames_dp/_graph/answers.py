"""Checks of the answers of a game, one function for each method of `Game`.

The checks take answers, not games, so that callers can handle the usual answers
themselves, and pass only the others to these functions.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

import numpy as np

from cardgames_dp._support import arguments
from cardgames_dp._support.printing import short
from cardgames_dp._support.running import refuse_too_large

CHANCE: Final = -1
TERMINAL: Final = -4


class GameError(ValueError):
    """A game broke a rule of `Game`, as by endless play or a state without actions.

    An answer of the wrong *type* (a float where exact arithmetic needs a rational)
    raises a TypeError instead.

    Examples
    --------
    >>> from cardgames_dp import diagonal
    >>> class Waiting:
    ...     num_players = 1
    ...     def initial_state(self): return "here"
    ...     def current_player(self, state): return 0
    ...     def legal_actions(self, state): return ["wait"]
    ...     def next_state(self, state, action): return state
    ...     def chance_outcomes(self, state): return []
    ...     def returns(self, state): return [0]
    >>> diagonal.solve(Waiting())
    Traceback (most recent call last):
        ...
    cardgames_dp.game.GameError: every play must end, but a play can come back to \
'here': 'here' -> 'here' (a cycle of 1), and never leave it
    """


GameError.__module__ = "cardgames_dp.game"  # which is its public home


def num_players(game: Any, methods: Iterable[str], protocol: str) -> int:
    """Return the number of players of a game, after checking its members.

    Raises
    ------
    TypeError
        If it is a class or lacks a member.
    GameError
        If it has no player.
    TooLargeError
        If it has more players than fit in memory.
    """
    arguments.not_a_class("game", game)
    missing = [name for name in methods if not callable(getattr(game, name, None))]
    if not hasattr(game, "num_players"):
        missing.insert(0, "num_players")
    if missing:
        raise TypeError(
            f"game must have the members of cardgames_dp.game.{protocol}, got "
            f"{arguments.described(game)} without {', '.join(missing)}"
        )
    try:
        count = arguments.integer("num_players", game.num_players, minimum=1)
    except ValueError as error:
        raise GameError(*error.args) from None
    what = f"a game of {short(count)} players"
    refuse_too_large(what, 100 * count, "each state has a value for each of them")
    return count


def player(answer: Any, state: object, num_players: int) -> int:
    """Return the player to move, from the answer of `current_player`."""
    if _is_integer(answer) and (
        0 <= answer < num_players or answer in (CHANCE, TERMINAL)
    ):
        return int(answer)
    kind = GameError if _is_integer(answer) else TypeError
    raise kind(
        f"current_player({arguments.shown(state)}) must be the index of one of the "
        f"players (num_players is {num_players}), CHANCE ({CHANCE}) or "
        f"TERMINAL ({TERMINAL}), got {arguments.described(answer)}"
    )


def actions(answer: Any, state: object) -> tuple[Any, ...]:
    """Return the actions of a decision state, from the answer of `legal_actions`."""
    _require_sequence(answer, f"legal_actions({arguments.shown(state)})")
    if len(answer) == 0:
        raise GameError(
            f"legal_actions({arguments.shown(state)}) must hold at least one "
            "action, got none; where the game is over, current_player is TERMINAL "
            f"({TERMINAL})"
        )
    result = tuple(answer)
    for action in result:
        require_hashable(action, "legal_actions", state)
    if len(set(result)) < len(result):
        raise GameError(
            f"legal_actions({arguments.shown(state)}) must hold distinct actions, "
            f"got {arguments.shown(answer)}"
        )
    return result


def outcomes(
    answer: Any, state: object, num_players: int
) -> list[tuple[int, Any, tuple[Fraction | float, ...]]]:
    """Return the outcomes of positive weight, from the answer of `chance_outcomes`.

    They are triples of weight, state and what the outcome pays to each player.
    """
    if not isinstance(answer, (list, tuple)):
        _require_iterable(answer, state)
    possible: list[tuple[int, Any, tuple[Fraction | float, ...]]] = []
    nothing: tuple[Fraction | float, ...] = (Fraction(0),) * num_players
    for outcome in answer:
        if not isinstance(outcome, (tuple, list)) or len(outcome) not in {2, 3}:
            raise TypeError(f"{_expected(state)}, got {arguments.shown(outcome)}")
        weight, following, *paid = outcome
        if not _is_integer(weight):
            raise TypeError(
                f"{_expected(state)} whose weights are integers >= 0, "
                f"got the weight {arguments.described(weight)}"
            )
        if weight < 0:
            raise GameError(
                f"{_expected(state)} whose weights are integers >= 0, "
                f"got the weight {arguments.shown(weight)}"
            )
        if weight > 0:
            require_hashable(following, "chance_outcomes", state)
            rewards = nothing
            if paid:
                rewards = _numbers(paid[0], "chance_outcomes", num_players, state)
            possible.append((int(weight), following, rewards))
    if not possible:
        raise GameError(f"{_expected(state)} whose weights have a positive sum, got 0")
    return possible


def returns(
    answer: Any, state: object, num_players: int
) -> tuple[Fraction | float, ...]:
    """Return the returns of a terminal state, from the answer of `returns`."""
    return _numbers(answer, "returns", num_players, state)


def rewards(
    answer: Any, state: object, action: object, num_players: int
) -> tuple[Fraction | float, ...]:
    """Return what an action pays, from the answer of `rewards`."""
    return _numbers(answer, "rewards", num_players, state, action)


def _numbers(
    answer: Any, method: str, num_players: int, *given: object
) -> tuple[Fraction | float, ...]:
    """Return one number for each player: a Fraction, or a float if one was given."""
    call = f"{method}({', '.join(map(arguments.shown, given))})"
    if method == "chance_outcomes":
        call += " with rewards"
    _require_sequence(answer, call)
    if len(answer) != num_players:
        raise GameError(
            f"{call} must hold one number a player (num_players is {num_players}), got "
            f"{len(answer)}: {arguments.shown(answer)}"
        )
    return tuple([number(each, call) for each in answer])


def number(value: object, call: str) -> Fraction | float:
    """Return a finite number that a game pays: a Fraction, or a float if it is one."""
    if type(value) is int:
        return Fraction(value)
    if type(value) is Fraction:
        return value
    if not isinstance(value, bool) and isinstance(value, numbers.Rational):
        return arguments.exact_rational(value)
    if not isinstance(value, (float, np.floating)):
        raise TypeError(
            f"{call} must hold numbers (int, Fraction or float), got "
            f"{arguments.described(value)}"
        )
    nearest = float(value)
    if not math.isfinite(nearest):
        raise GameError(f"{call} must hold finite numbers, got {nearest}")
    return nearest


def note(error: Exception, method: str, *given: object) -> None:
    """Add to an error that a game's own method raised which call it was."""
    call = f"{method}({', '.join(map(arguments.shown, given))})"
    if not str(error).startswith(call):  # as our own messages about answers do
        error.add_note(f"raised when the game was asked {call}")


def _expected(state: object) -> str:
    """Return the beginning of an error message about outcomes."""
    return (
        f"chance_outcomes({arguments.shown(state)}) must hold pairs (weight, state), "
        "or triples (weight, state, rewards)"
    )


def _require_iterable(answer: object, state: object) -> None:
    got = f"{_expected(state)}, got {arguments.described(answer)}"
    if isinstance(answer, Mapping):  # its keys might look like pairs
        raise GameError(
            f"{got}; return [(weight, state) for state, weight in outcomes.items()]"
        )
    if not isinstance(answer, Iterable):
        raise TypeError(got)


def _is_integer(value: object) -> bool:
    """Return whether a value is an integer, and no bool."""
    return type(value) is int or (
        not isinstance(value, bool) and isinstance(value, numbers.Integral)
    )


def _require_sequence(value: object, call: str) -> None:
    """Refuse what has no order, or can be iterated only once."""
    # A set or an iterator would make "the first optimal action" mean nothing.
    if not isinstance(value, (tuple, list, Sequence, np.ndarray)):
        raise TypeError(
            f"{call} must be a sequence, as a list or a tuple, got "
            f"{arguments.described(value)}"
        )


def require_hashable(value: object, method: str, *given: object) -> None:
    """Refuse states and actions that cannot be looked up."""
    try:
        hash(value)
    except TypeError as error:
        call = f"{method}({', '.join(map(arguments.shown, given))})"
        raise TypeError(
            f"{call} must give hashable states and actions, got "
            f"{arguments.described(value)}"
        ) from error


METHODS: Final = (
    "initial_state",
    "current_player",
    "legal_actions",
    "next_state",
    "chance_outcomes",
    "returns",
)


def rewards_of(game: Any) -> Any:
    """Return the optional method `rewards` of a game, or None.

    Raises
    ------
    TypeError
        If it is not a method.
    """
    method = getattr(game, "rewards", None)
    if method is not None and not callable(method):
        raise TypeError(
            "rewards of a game must be a method, as of cardgames_dp.game.Game, got "
            f"{arguments.described(method)}"
        )
    return method


class CheckedGame:
    """A game whose answers are checked against the rules of `Game`.

    Its answers are narrower: actions and returns are tuples, numbers are Fractions or
    floats, and outcomes of weight zero are left out. It does not detect cycles, which
    no single answer shows.
    """

    __slots__ = ("_game", "_rewards", "num_players")

    def __init__(self, game: Any) -> None:
        self.num_players = num_players(game, METHODS, "Game")
        self._game, self._rewards = game, rewards_of(game)

    def initial_state(self) -> Any:
        """Return the state in which the game starts."""
        state = self._game.initial_state()
        require_hashable(state, "initial_state")
        return state

    def current_player(self, state: Any) -> int:
        """Return the index of the player to move, or `CHANCE` or `TERMINAL`."""
        return player(self._game.current_player(state), state, self.num_players)

    def legal_actions(self, state: Any) -> tuple[Any, ...]:
        """Return the actions of a decision state in the order of the game."""
        return actions(self._game.legal_actions(state), state)

    def next_state(self, state: Any, action: Any) -> Any:
        """Return the state to which an action leads."""
        following = self._game.next_state(state, action)
        require_hashable(following, "next_state", state, action)
        return following

    def rewards(self, state: Any, action: Any) -> tuple[Fraction | float, ...]:
        """Return what an action pays to each player."""
        if self._rewards is None:
            return (Fraction(0),) * self.num_players
        return rewards(self._rewards(state, action), state, action, self.num_players)

    def chance_outcomes(self, state: Any) -> list[tuple[Any, ...]]:
        """Return the outcomes of a chance state that have a positive weight."""
        found = outcomes(self._game.chance_outcomes(state), state, self.num_players)
        return [outcome if any(outcome[2]) else outcome[:2] for outcome in found]

    def returns(self, state: Any) -> tuple[Fraction | float, ...]:
        """Return the return of each player in a terminal state."""
        return returns(self._game.returns(state), state, self.num_players)
