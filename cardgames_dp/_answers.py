"""Checks of the answers of a game, one function for each method of `Game`.

The checks take answers, not games, so that callers can handle the usual answers
themselves, and pass only the others to these functions.
"""

from __future__ import annotations

import numbers
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

import numpy as np

from cardgames_dp import _checks
from cardgames_dp._memory import refuse_too_large
from cardgames_dp._numbers import short

CHANCE: Final = -1
TERMINAL: Final = -4


class GameError(ValueError):
    """A game broke a rule of `Game`, for example by a cycle or a state without actions.

    An answer of the wrong *type* (a float where exact arithmetic needs a rational)
    raises a TypeError instead.

    Examples
    --------
    >>> from cardgames_dp import exact
    >>> class Waiting:
    ...     num_players = 1
    ...     def initial_state(self): return "here"
    ...     def current_player(self, state): return 0
    ...     def legal_actions(self, state): return ["wait"]
    ...     def next_state(self, state, action): return state
    ...     def chance_outcomes(self, state): return []
    ...     def returns(self, state): return [0]
    >>> exact.solve(Waiting())
    Traceback (most recent call last):
        ...
    cardgames_dp.game.GameError: the game must be acyclic, but a play can come back \
to 'here': 'here' -> 'here' (a cycle of 1)
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
    _checks.not_a_class("game", game)
    missing = [name for name in methods if not callable(getattr(game, name, None))]
    if not hasattr(game, "num_players"):
        missing.insert(0, "num_players")
    if missing:
        raise TypeError(
            f"game must have the members of cardgames_dp.game.{protocol}, got "
            f"{_checks.described(game)} without {', '.join(missing)}"
        )
    try:
        count = _checks.integer("num_players", game.num_players, minimum=1)
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
        f"current_player({_checks.shown(state)}) must be the index of one of the "
        f"players (num_players is {num_players}), CHANCE ({CHANCE}) or "
        f"TERMINAL ({TERMINAL}), got {_checks.described(answer)}"
    )


def actions(answer: Any, state: object) -> tuple[Any, ...]:
    """Return the actions of a decision state, from the answer of `legal_actions`."""
    _require_sequence(answer, "legal_actions", state)
    if len(answer) == 0:
        raise GameError(
            f"legal_actions({_checks.shown(state)}) must hold at least one "
            "action, got none; where the game is over, current_player is TERMINAL "
            f"({TERMINAL})"
        )
    result = tuple(answer)
    for action in result:
        require_hashable(action, "legal_actions", state)
    if len(set(result)) < len(result):
        raise GameError(
            f"legal_actions({_checks.shown(state)}) must hold distinct actions, "
            f"got {_checks.shown(answer)}"
        )
    return result


def outcomes(answer: Any, state: object) -> list[tuple[int, Any]]:
    """Return the outcomes of positive weight, from the answer of `chance_outcomes`."""
    if not isinstance(answer, (list, tuple)):
        _require_iterable(answer, state)
    possible: list[tuple[int, Any]] = []
    for outcome in answer:
        if not isinstance(outcome, (tuple, list)) or len(outcome) != 2:
            raise TypeError(f"{_expected(state)}, got {_checks.shown(outcome)}")
        weight, following = outcome
        if not _is_integer(weight):
            raise TypeError(
                f"{_expected(state)} whose weights are integers >= 0, "
                f"got the weight {_checks.described(weight)}"
            )
        if weight < 0:
            raise GameError(
                f"{_expected(state)} whose weights are integers >= 0, "
                f"got the weight {_checks.shown(weight)}"
            )
        if weight > 0:
            require_hashable(following, "chance_outcomes", state)
            possible.append((int(weight), following))
    if not possible:
        raise GameError(f"{_expected(state)} whose weights have a positive sum, got 0")
    return possible


def returns(answer: Any, state: object, num_players: int) -> tuple[Fraction, ...]:
    """Return the returns of a terminal state, from the answer of `returns`."""
    _require_sequence(answer, "returns", state)
    if len(answer) != num_players:
        raise GameError(
            f"returns({_checks.shown(state)}) must hold one rational a player "
            f"(num_players is {num_players}), got {len(answer)}: "
            f"{_checks.shown(answer)}"
        )
    return tuple([_rational(number, state) for number in answer])


def _expected(state: object) -> str:
    """Return the beginning of an error message about outcomes."""
    return f"chance_outcomes({_checks.shown(state)}) must hold pairs (weight, state)"


def _require_iterable(answer: object, state: object) -> None:
    got = f"{_expected(state)}, got {_checks.described(answer)}"
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


def _rational(value: object, state: object) -> Fraction:
    """Return one of the returns of a state as a Fraction."""
    if type(value) is int:
        return Fraction(value)
    if type(value) is Fraction:
        return value
    if not isinstance(value, bool) and isinstance(value, numbers.Rational):
        return _checks.exact_rational(value)
    raise TypeError(
        f"returns({_checks.shown(state)}) must hold exact rationals (int or "
        f"Fraction), got {_checks.described(value)}"
    )


def _require_sequence(value: object, method: str, state: object) -> None:
    """Refuse what has no order, or can be iterated only once."""
    # A set or an iterator would make "the first optimal action" mean nothing.
    if not isinstance(value, (tuple, list, Sequence, np.ndarray)):
        raise TypeError(
            f"{method}({_checks.shown(state)}) must be a sequence, as a list or a "
            f"tuple, got {_checks.described(value)}"
        )


def require_hashable(value: object, method: str, *arguments: object) -> None:
    """Refuse states and actions that cannot be looked up."""
    try:
        hash(value)
    except TypeError as error:
        call = f"{method}({', '.join(map(_checks.shown, arguments))})"
        raise TypeError(
            f"{call} must give hashable states and actions, got "
            f"{_checks.described(value)}"
        ) from error
