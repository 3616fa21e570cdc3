"""Games from OpenSpiel: find their states and identify them by keys.

A game becomes a table of states, each with a *key*. A state of OpenSpiel has its
history, and this key is always right. Other keys merge histories. When a history leads
to a known key, the two positions are compared: the player to move, the actions or
probabilities, and the returns.

Probabilities are floats in OpenSpiel and integer weights here. A float p becomes the
fraction with a denominator of at most a million within 2**-50 p of it. There is at most
one, since two such fractions are further apart than 10**-12. If there is none, or if
the fractions of a state do not sum to 1, the game is refused.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any

from cardgames_dp import _checks
from cardgames_dp._extras import require, tracked
from cardgames_dp._interop.table import OpenSpielGame, Position
from cardgames_dp.game import CHANCE, TERMINAL, GameError, TooManyStatesError

if TYPE_CHECKING:
    import pyspiel
else:
    pyspiel = require("pyspiel", extra="openspiel", purpose="from_open_spiel")

Key = Callable[[Any], Hashable]

_MOST_DENOMINATOR = 10**6
_RELATIVE = Fraction(1, 2**50)


def history(state: Any) -> tuple[int, ...]:
    """Return the key that is always right."""
    return tuple(state.history())


def load(game: Any) -> Any:
    """Return a game of OpenSpiel, checked to be of a kind that can be converted.

    Raises
    ------
    TypeError, ValueError
        If `game` is neither a game of OpenSpiel nor the name of one.
    GameError
        If it has hidden information, simultaneous moves, or chance that is sampled.
    """
    if isinstance(game, str):
        # OpenSpiel would print all names that it knows, and then raise an error.
        if game.partition("(")[0] not in pyspiel.registered_names():
            raise ValueError(
                f"game must be a game that OpenSpiel knows, got {_checks.shown(game)}; "
                "pyspiel.registered_names() has all names"
            )
        try:
            game = pyspiel.load_game(game)
        except pyspiel.SpielError as error:
            raise ValueError(
                f"game must be a game that OpenSpiel loads, got "
                f"{_checks.shown(game)}: {str(error).strip()}"
            ) from error
    if not isinstance(game, pyspiel.Game):
        raise TypeError(
            f"game must be a pyspiel.Game or the name of one, got "
            f"{_checks.described(game)}"
        )
    kind = game.get_type()
    for what, found, *accepted in (
        ("information", kind.information, "PERFECT_INFORMATION"),
        ("dynamics", kind.dynamics, "SEQUENTIAL"),
        ("chance", kind.chance_mode, "DETERMINISTIC", "EXPLICIT_STOCHASTIC"),
    ):
        if found.name not in accepted:
            raise GameError(
                f"game must have {what} of OpenSpiel's kind {' or '.join(accepted)}, "
                f"got {_checks.shown(kind.short_name)} of kind {found.name}"
            )
    return game


def walk(game: Any, key: Key, max_states: int, *, progress: bool) -> OpenSpielGame:
    """Return all states of a game of OpenSpiel, by key.

    Raises
    ------
    TypeError
        If a key is not hashable.
    GameError
        If two histories of the same key differ, or probabilities are not fractions.
    TooManyStatesError
        If there are more than `max_states` keys.
    """
    initial = game.new_initial_state()
    table = OpenSpielGame(str(game), game.num_players(), _hashed(key, initial), {}, {})
    steps = _walk(table, initial, key, max_states)
    for _ in tracked(steps, None, "states", shown=progress):
        pass
    return table


def _walk(
    table: OpenSpielGame, initial: Any, key: Key, max_states: int
) -> Iterator[None]:
    """Go through the states, depth first, and yield after each."""
    look = _looking(initial.get_game())
    table._positions[table._start] = look(initial)
    ahead = [(table._start, initial)]
    while ahead:
        name, state = ahead.pop()
        children = []
        for action in table._positions[name].actions:
            child = state.child(action)
            child_name = _hashed(key, child)
            children.append(child_name)
            position, known = look(child), table._positions.get(child_name)
            if known is None:
                if len(table._positions) >= max_states:
                    raise TooManyStatesError(
                        f"the game has more states than max_states={max_states} "
                        f"allows; the first one beyond is {_checks.shown(child_name)}"
                    )
                table._positions[child_name] = position
                ahead.append((child_name, child))
            elif known != position:
                raise GameError(_unlike(child_name, child, known, position))
        table._following[name] = tuple(children)
        yield


def _looking(game: Any) -> Callable[[Any], Position]:
    """Return the function that reads a state of a game."""
    reward = game.get_type().reward_model.name == "REWARDS"
    fraction_of = cache(_fraction)

    def look(state: Any) -> Position:
        player = int(state.current_player())
        returns: tuple[Fraction, ...] = ()
        if reward or player == TERMINAL:
            returns = tuple([_return(x, state) for x in state.returns()])
        if player == TERMINAL:
            return Position(player, (), (), returns)
        if player != CHANCE:
            return Position(player, tuple(state.legal_actions()), (), returns)
        outcomes = state.chance_outcomes()
        shares = [fraction_of(p) for _, p in outcomes]
        known = [share for share in shares if share is not None]
        if len(known) < len(shares) or sum(known) != 1:
            raise GameError(
                f"chances after {_checks.shown(tuple(state.history()))} must be "
                f"fractions with denominators up to {_MOST_DENOMINATOR} that sum to 1, "
                f"got {_checks.shown([p for _, p in outcomes])}"
            )
        common = math.lcm(*[share.denominator for share in known])
        weights = tuple([int(share * common) for share in known])
        return Position(player, tuple([a for a, _ in outcomes]), weights, returns)

    return look


def _fraction(chance: float) -> Fraction | None:
    """Return the fraction that a float stands for, if it stands for one."""
    if not math.isfinite(chance):
        return None
    exact = Fraction(chance)
    near = exact.limit_denominator(_MOST_DENOMINATOR)
    return near if abs(near - exact) <= _RELATIVE * exact else None


def _return(number: float, state: Any) -> Fraction:
    if not math.isfinite(number):
        raise GameError(
            f"returns after {_checks.shown(tuple(state.history()))} must be finite, "
            f"got {number}"
        )
    return Fraction(number)


def _hashed(key: Key, state: Any) -> Hashable:
    name = key(state)
    try:
        hash(name)
    except TypeError as error:
        raise TypeError(
            f"key must return what is hashable, got {_checks.described(name)} after "
            f"{_checks.shown(tuple(state.history()))}"
        ) from error
    return name


def _unlike(name: Hashable, state: Any, known: Position, other: Position) -> str:
    before, now = known._asdict(), other._asdict()
    differ = [word for word in before if before[word] != now[word]]
    was = ", ".join([f"{word} {_checks.shown(before[word])}" for word in differ])
    has = ", ".join([f"{word} {_checks.shown(now[word])}" for word in differ])
    return (
        f"key must be the same only for histories with equal futures, but "
        f"{_checks.shown(name)} has been met with {was}, and has {has} after "
        f"{_checks.shown(tuple(state.history()))}"
    )
