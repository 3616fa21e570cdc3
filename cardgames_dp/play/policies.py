"""The argument `policies` of all functions of `cardgames_dp.play`, checked.

A *policy* says what a player does in a state: a callable of the state, a mapping from
states, or a result that has a policy (a solution, a best response). It gives an action
or a *mixture*, a mapping of actions to weights. A *profile* is one policy for each
player.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import chain
from typing import Any, Final, TypeAlias

import numpy as np

from cardgames_dp._graph import solution
from cardgames_dp._graph.arrays import ExploredArrays
from cardgames_dp._graph.explored import Explored
from cardgames_dp._graph.graph import Exact, Integers, exact_array, spans
from cardgames_dp._support import arguments
from cardgames_dp._support.running import tracked
from cardgames_dp.game import CHANCE, Action, State
from cardgames_dp.play._kernels.mixtures import Asked, LookUp, Mixer, weighed_arrays

Weight: TypeAlias = int | Fraction | Decimal | float
"""The weight of an action in a mixture: its probability times the sum of weights."""

Done: TypeAlias = Action | Mapping[Action, Weight]
"""What a policy gives for a state: an action, or several with weights."""

Policy: TypeAlias = Callable[[State], Done[Action]] | Mapping[State, Done[Action]] | Any
"""The policy of one player: a callable, a mapping, or a result with a `policy`."""

Profile: TypeAlias = Policy[State, Action] | Sequence[Policy[State, Action] | None]
"""One policy for all players, or a list or tuple with one policy for each."""

_KINDS: Final = "a callable of a state, a mapping of states to actions, or a solution"


def deciders(
    policies: object,
    explored: Explored[Any, Any] | ExploredArrays,
    *,
    free: int | None = None,
) -> list[Asked | None]:
    """Return the policy of each player as a callable of a state.

    Parameters
    ----------
    policies : Profile
        The argument.
    explored : Explored or ExploredArrays
        The game. The policy of a player who never moves in it may be None.
    free : int, optional
        A player whose policy is not used, and may be None.

    Raises
    ------
    TypeError
        If it is neither a policy nor a list or tuple of policies.
    ValueError
        If there is not one policy for each player.
    """
    num_players = explored.num_players
    if not isinstance(policies, (list, tuple)):
        return [_decider("policies", policies, player) for player in range(num_players)]
    if len(policies) != num_players:
        raise ValueError(
            f"policies must hold one policy a player (num_players is {num_players}), "
            f"got {len(policies)}"
        )
    asked = set(np.unique(explored.graph.players).tolist()) - {free}
    return [
        None
        if policy is None and player not in asked
        else _decider(f"policies[{player}]", policy, player)
        for player, policy in enumerate(policies)
    ]


def player_of(value: object, num_players: int) -> int:
    """Return the argument `player`, checked."""
    player = arguments.integer("player", value)
    if player >= num_players:
        raise ValueError(
            f"player must be less than num_players, {num_players}, got "
            f"{arguments.shown(player)}"
        )
    return player


def _decider(name: str, policy: Any, player: int) -> Asked:
    arguments.not_a_class(name, policy)
    policy = getattr(policy, "policy", policy)
    if isinstance(policy, Mapping):
        return LookUp(name, policy, player)
    if callable(policy):
        return policy  # type: ignore[no-any-return]
    each = "" if "[" in name else ", or a list or tuple of one policy a player"
    hint = "; names of policies are for the functions of their own games"
    raise TypeError(
        f"{name} must be {_KINDS}{each}, got {arguments.described(policy)}"
        f"{hint if isinstance(policy, str) else ''}"
    )


def weighed(
    explored: Explored[Any, Any] | ExploredArrays,
    asked: Sequence[Asked | None],
    *,
    exact: bool,
) -> Exact:
    """Return the weights of all moves of chance and of policies.

    Moves of a player without a policy have weight 0.

    Parameters
    ----------
    explored : Explored or ExploredArrays
        The game.
    asked : sequence of callable or None
        The policy of each player, which is asked once about each of its states.
    exact : bool
        Whether to refuse float weights.

    Raises
    ------
    TypeError, ValueError
        If a policy gives anything but a legal action or a mixture of them.
    """
    if isinstance(explored, ExploredArrays):
        return weighed_arrays(explored, asked, exact=exact)
    graph, counts = explored.graph, np.diff(explored.graph.offsets)
    rows: dict[int, Sequence[int]] = {}
    taken = np.full(graph.num_states, -1)
    mixtures: list[tuple[Integers, Exact]] = []
    for player, ask in enumerate(asked):
        places = np.flatnonzero(graph.players == player)
        known = _known(ask, explored, places)
        optimal = None if known is None else known.optimal
        if optimal is not None:
            moves = spans(graph.offsets[places], counts[places])
            mixtures.append((moves, optimal[moves].astype(np.int64)))
        elif known is not None:
            taken[places] = known.chosen[places]
        elif ask is not None:
            mixer = Mixer(player, exact=exact)
            for place in tracked(places.tolist(), len(places), "states"):
                state = explored.states[place]
                answer = mixer(ask(state), state, explored.actions_at(place))
                if isinstance(answer, int):
                    taken[place] = answer
                else:
                    rows[place] = answer
    mixed = np.array([*rows], dtype=np.int64)
    given = exact_array(list(chain.from_iterable(rows.values())))
    mixtures.append((spans(graph.offsets[mixed], counts[mixed]), given))
    wide = object in (given.dtype, graph.weights.dtype)
    weights = np.zeros(len(graph.following), dtype=object if wide else np.int64)
    weights[np.repeat(graph.players == CHANCE, counts)] = graph.weights
    certain = np.flatnonzero(taken >= 0)
    weights[graph.offsets[certain] + taken[certain]] = 1
    for moves, shares in mixtures:
        weights[moves] = shares
    return weights


def _known(
    ask: Asked | None, explored: Explored[Any, Any], places: Integers
) -> solution.Policy[Any, Any] | None:
    """Return the policy of a solution of the same game that decides at places."""
    if not isinstance(ask, LookUp) or not isinstance(ask.mapping, solution.Policy):
        return None
    of = ask.mapping.explored
    if of.places is not explored.places or (of.which[places] < 0).any():
        return None
    return ask.mapping
