"""What players do: the argument `policies` of everything that is played, checked.

A *policy* says what a player does in a state: a callable of the state, a mapping of
states to what is done there, or a result that has one (a solution, a best response).
What is done is an action or a *mixture*, a mapping of actions to weights. A *profile*
is one policy a player.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final, TypeAlias

from cardgames_dp import _checks
from cardgames_dp.game import Action, State
from cardgames_dp.play._kernels.mixtures import Asked, LookUp

Weight: TypeAlias = int | Fraction | Decimal | float
"""Of an action in a mixture: its probability is its weight over the sum of all."""

Done: TypeAlias = Action | Mapping[Action, Weight]
"""What is done in a state: an action, or several with weights."""

Policy: TypeAlias = Callable[[State], Done[Action]] | Mapping[State, Done[Action]] | Any
"""What one player does: a callable, a mapping, or a result with a `policy`."""

Profile: TypeAlias = Policy[State, Action] | Sequence[Policy[State, Action] | None]
"""What all players do: one policy for everybody, or a list or tuple of one each."""

_KINDS: Final = "a callable of a state, a mapping of states to actions, or a solution"


def deciders(
    policies: object, num_players: int, *, free: int | None = None
) -> list[Asked | None]:
    """Return what each player does in a state, as a callable.

    Parameters
    ----------
    policies : Profile
        The argument.
    num_players : int
        Of the game.
    free : int, optional
        A player whose policy is not asked for, and may be None.

    Raises
    ------
    TypeError
        If it is no policy, nor a list or tuple of them.
    ValueError
        If there is not one policy a player.
    """
    if not isinstance(policies, (list, tuple)):
        return [_decider("policies", policies, player) for player in range(num_players)]
    if len(policies) != num_players:
        raise ValueError(
            f"policies must hold one policy a player (num_players is {num_players}), "
            f"got {len(policies)}"
        )
    return [
        None
        if policy is None and player == free
        else _decider(f"policies[{player}]", policy, player)
        for player, policy in enumerate(policies)
    ]


def player_of(value: object, num_players: int) -> int:
    """Return the argument `player`, if there is such a player."""
    player = _checks.integer("player", value)
    if player >= num_players:
        raise ValueError(
            f"player must be less than num_players, {num_players}, got "
            f"{_checks.shown(player)}"
        )
    return player


def _decider(name: str, policy: Any, player: int) -> Asked:
    _checks.not_a_class(name, policy)
    policy = getattr(policy, "policy", policy)
    if isinstance(policy, Mapping):
        return LookUp(name, policy, player)
    if callable(policy):
        return policy  # type: ignore[no-any-return]
    each = "" if "[" in name else ", or a list or tuple of one policy a player"
    raise TypeError(f"{name} must be {_KINDS}{each}, got {_checks.described(policy)}")
