"""What a state of OpenSpiel answers, in exact numbers.

Probabilities are floats in OpenSpiel and integer weights here. A float p becomes the
fraction with a denominator of at most a million within 2**-50 p of it. There is at most
one, since two such fractions are further apart than 10**-12. If there is none, or if
the fractions of a state do not sum to 1, the game is refused.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, NamedTuple

from cardgames_dp import _answers, _checks
from cardgames_dp.game import CHANCE, TERMINAL, GameError

_MOST_DENOMINATOR = 10**6
_RELATIVE = Fraction(1, 2**50)


class Position(NamedTuple):
    """The properties of a state of OpenSpiel, without those of later states.

    Attributes
    ----------
    player : int
        The player to move, or `CHANCE` or `TERMINAL`, the same numbers as in OpenSpiel.
    actions : tuple of int
        The actions of a player, or the outcomes of chance that are possible.
    weights : tuple of int
        The weights of outcomes; otherwise empty.
    returns : tuple of Fraction
        The returns at the end; also before it, if the game pays during play.
    """

    player: int
    actions: tuple[int, ...]
    weights: tuple[int, ...]
    returns: tuple[Fraction, ...]


def position_of(state: Any, player: int, moves: Any, paid: Any) -> Position:
    """Return the exact form of what a state of OpenSpiel answers.

    Raises
    ------
    GameError
        If the game breaks a rule of `Game`, probabilities are not fractions, or returns
        are not finite.
    """
    at, num_players = tuple(state.history()), state.get_game().num_players()
    _answers.player(player, at, num_players)
    returns = tuple([_return(x, state) for x in paid])
    if paid:
        _answers.returns(returns, at, num_players)
    if player == TERMINAL:
        return Position(player, (), (), returns)
    if player != CHANCE:
        return Position(player, _answers.actions(moves, at), (), returns)
    shares = [fraction_of(p) for _, p in moves]
    known = [share for share in shares if share is not None]
    if len(known) < len(shares) or sum(known) != 1:
        raise GameError(
            f"chances after {_checks.shown(at)} must be fractions "
            f"with denominators up to {_MOST_DENOMINATOR} that sum to 1, got "
            f"{_checks.shown([p for _, p in moves])}"
        )
    common = math.lcm(*[share.denominator for share in known])
    drawn = [(a, int(p * common)) for (a, _), p in zip(moves, known, strict=True) if p]
    actions = _answers.actions([a for a, _ in drawn], at)
    return Position(player, actions, tuple([weight for _, weight in drawn]), returns)


def fraction_of(chance: float) -> Fraction | None:
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
