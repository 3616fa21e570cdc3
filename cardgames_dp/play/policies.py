"""The argument `policies` of all functions of `cardgames_dp.play`, checked.

A *policy* says what a player does in a state: a callable of the state, a mapping from
states, or a result that has a policy (a solution, a best response). It gives an action
or a *mixture*, a mapping of actions to weights. A *profile* is one policy for each
player.

In array games a callable is called with many states at once: with named fields if
the game has `names`, otherwise with an array of states in the form that the game uses.
It returns an array with one action for each state or, for a mixture, arrays ``(index,
actions, weights)``, as `ArrayGame.chance_outcomes` does, or a mapping of actions to
arrays of weights. What does not answer so for named fields is called once for each
state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._graph.answers import Weight
from cardgames_dp._graph.array_answers import CheckedGame
from cardgames_dp._graph.arrays import ExploredArrays
from cardgames_dp._graph.by_state import ByState, not_a_policy_error
from cardgames_dp._graph.explored import Explored
from cardgames_dp._graph.graph import (
    Exact,
    Integers,
    bounds,
    distinct_states,
    exact_array,
    joined_ranges,
)
from cardgames_dp._graph.lookup import LookupValues
from cardgames_dp._graph.mixtures import (
    Mixture,
    Random,
    array_answer,
    in_codes,
    mixture_weights,
)
from cardgames_dp._graph.names import PLAIN, names_of, own_member
from cardgames_dp._graph.outcomes import integer_weights, integers_from_floats
from cardgames_dp._graph.solution import as_solution
from cardgames_dp._graph.value_arrays import ValueArrays
from cardgames_dp._results.records import Action, State
from cardgames_dp._support import arguments
from cardgames_dp._support.arguments import Backend
from cardgames_dp._support.calls import suggest_arguments
from cardgames_dp._support.running import refuse_too_large, with_progress
from cardgames_dp.game import CHANCE

Done: TypeAlias = Action | Mapping[Action, Weight]
"""What a policy gives for a state: an action, or several with weights."""

Policy: TypeAlias = Callable[[State], Done[Action]] | Mapping[State, Done[Action]] | Any
"""The policy of one player: a callable, a mapping, or a result with a `policy`."""

Profile: TypeAlias = Policy[State, Action] | Sequence[Policy[State, Action] | None]
"""One policy for all players, or a list or tuple with one policy for each."""


ArrayPolicy: TypeAlias = (
    Callable[[NDArray[Any]], NDArray[Any] | tuple[NDArray[Any], ...]] | Any
)
"""The policy of one player in an array game: a callable, or a result with one."""

ArrayProfile: TypeAlias = ArrayPolicy | Sequence[ArrayPolicy | None]
"""One policy for all players, or a list or tuple with one policy for each."""

_KINDS: Final = (
    "a callable of a state, a mapping of states to actions, a solution, or a mixture"
)


_AT_ONCE: Final = 2**20
"""The largest number of states that a policy is asked about in one call."""


def weighed(
    explored: Explored[Any, Any] | ExploredArrays,
    policies: object,
    backend: Backend = "float64",
    *,
    free: int | None = None,
) -> Exact:
    """Return the weights of all moves of chance and of policies.

    Moves of a player without a policy have weight 0.

    Parameters
    ----------
    explored : Explored or ExploredArrays
        The game.
    policies : Profile
        The argument. Each policy is asked once about each of its player's states with a
        choice. The policy of a player who never moves may be None.
    backend : {"float64", "exact"}
        The arithmetic: with "exact", float weights are refused.
    free : int, optional
        A player whose policy is not used, and may be None.

    Raises
    ------
    TypeError, ValueError
        If there is not one policy for each player, or one gives anything but a legal
        action or a mixture of them.
    TooLargeError
        If the weights of an array game would not fit in memory.
    """
    graph, parts = explored.graph, list[tuple[Integers, Exact]]()
    counts = np.diff(graph.offsets)
    policy_of = _by_player(policies, explored, free, backend)
    if isinstance(explored, ExploredArrays):
        states, moves = graph.num_states, len(graph.following)
        refuse_too_large(
            f"policies of a game of {states} states and {moves} moves",
            48 * (states + moves),
            "play a smaller game",
        )
    for player, (name, policy) in enumerate(policy_of):
        places = np.flatnonzero(graph.players == player)
        if policy is not None:
            certain = counts[places] == 1
            only = graph.offsets[places[certain]].astype(np.int64)
            parts.append((only, np.ones(len(only), dtype=np.int64)))
            places = places[~certain]
        parts += _parts(name, policy, explored, places, player, backend)
    wide = object in [graph.weights.dtype, *[shares.dtype for _, shares in parts]]
    weights: Exact = np.zeros(len(graph.following), dtype=object if wide else np.int64)
    weights[np.repeat(graph.players == CHANCE, counts)] = graph.weights
    for where, shares in parts:
        weights[where] = shares
    return weights


def _parts(
    name: str,
    policy: Any,
    explored: Explored[Any, Any] | ExploredArrays,
    places: Integers,
    player: int,
    backend: Backend,
) -> list[tuple[Integers, Exact]]:
    """Return moves from some places and their weights, by a policy."""
    if policy is None:
        return []
    if isinstance(policy, Random):
        counts = np.diff(explored.graph.offsets)[places]
        moves = joined_ranges(explored.graph.offsets[places].astype(np.int64), counts)
        return [(moves, np.ones(len(moves), dtype=np.int64))]
    chosen = _chosen_moves(policy, explored, places)
    if chosen is not None:
        return [chosen]
    if not isinstance(policy, Mixture):
        return list(_answers(name, policy, explored, places, player, backend))
    shares, offsets = policy.shares(exact=backend == "exact"), explored.graph.offsets
    counts = np.diff(offsets)[places]
    moves, each = joined_ranges(offsets[places].astype(np.int64), counts), list[Exact]()
    for one in policy.policies:
        weights = np.zeros(len(explored.graph.following), dtype=object)
        for where, part in _parts(name, one, explored, places, player, backend):
            weights[where] = part
        each.append(weights[moves])
    return [(moves, _blended(each, shares, counts))] if len(places) else []


def _blended(parts: list[Exact], shares: list[Fraction], counts: Integers) -> Exact:
    """Return the weights of policies, each followed with some probability."""
    starts = np.cumsum(counts) - counts
    factors = integer_weights(shares)
    totals = [np.add.reduceat(weights, starts) for weights in parts]
    blend: Exact = np.zeros(len(parts[0]), dtype=object)
    for k, weights in enumerate(parts):
        factor = np.full(len(counts), factors[k], dtype=object)
        for total in totals[:k] + totals[k + 1 :]:
            factor = factor * total
        blend = blend + weights * np.repeat(factor, counts)
    common = np.gcd.reduceat(blend, starts)
    return exact_array((blend // np.repeat(common, counts)).tolist())


@suggest_arguments
def mixture(
    policies: Mapping[Any, Weight] | Iterable[tuple[Any, Weight]],
) -> Mixture:
    """Return the policy that follows one of several, drawn anew in each state.

    Grade: exact.

    Parameters
    ----------
    policies : mapping of Policy to weight, or iterable of pairs
        The policies, of one player, and how likely each is followed: ints, Fractions,
        Decimals or floats >= 0, of which only the ratios matter. What cannot be the key
        of a mapping, such as another mapping, is given in pairs.

    Returns
    -------
    Mixture
        A policy for all functions of `cardgames_dp.play`.

    Raises
    ------
    TypeError, ValueError
        If there are no policies, or a weight is negative or no number, or all are 0.

    Examples
    --------
    A player who stops when ahead, but only half of the time:

    >>> from cardgames_dp import play, redblack
    >>> torn = play.mixture({"first_positive": 1, "never_stop": 1})
    >>> play.evaluate(redblack.game(2, 2), torn, backend="exact").value
    Fraction(23, 48)
    """
    must = "policies must be a mapping of policies to weights, or pairs of both"
    items = arguments.iterable(must, policies)
    pairs = list(items.items()) if isinstance(items, Mapping) else list(items)
    if not all(isinstance(pair, (tuple, list)) and len(pair) == 2 for pair in pairs):
        raise arguments.wrong_type(must, policies)
    weights = [
        arguments.stored_amount("a weight of policies", weight) for _, weight in pairs
    ]
    if not any(weights):
        raise arguments.wrong_value(f"{must}, with a positive weight", policies)
    return Mixture(tuple([policy for policy, _ in pairs]), tuple(weights))


def _by_player(
    policies: Any,
    explored: Explored[Any, Any] | ExploredArrays,
    free: int | None,
    backend: Backend,
) -> list[tuple[str, Any]]:
    """Return the policies of all players, checked, with their names in messages."""
    num_players, game = explored.num_players, getattr(explored, "game", explored)
    if not isinstance(policies, (list, tuple)):
        return [("policies", _checked("policies", policies, game, backend))] * (
            num_players
        )
    if len(policies) != num_players:
        raise ValueError(
            f"policies must hold one policy per player (num_players is {num_players}), "
            f"got {len(policies)}"
        )
    movers = set(np.unique(explored.graph.players).tolist()) - {free}
    names = [f"policies[{player}]" for player in range(num_players)]
    return [
        (
            name,
            _checked(name, policy, game, backend)
            if policy is not None or player in movers
            else None,
        )
        for player, (name, policy) in enumerate(zip(names, policies, strict=True))
    ]


def _checked(name: str, policy: Any, game: Any, backend: Backend) -> Any:
    """Return a policy, or each one of a mixture, as a callable or a mapping."""
    if isinstance(policy, Mixture):
        parts = [_checked(name, each, game, backend) for each in policy.policies]
        return replace(policy, policies=tuple(parts))
    convert = own_member(game, "as_policy")
    special = None if convert is None else convert(policy, backend)
    policy = policy if special is None else special
    arguments.refuse_class(name, policy)
    solution = as_solution(policy)
    if solution is not None:
        policy = solution.policy
    if isinstance(policy, ByState) and policy.what != "chosen":
        raise not_a_policy_error(name, policy)
    if isinstance(policy, ByState) and (many := policy.source.num_variants):
        raise ValueError(
            f"{name} must be of one variant, got a solution of {many}; solve "
            "explored.at(variant)"
        )
    if isinstance(policy, Mapping) or callable(policy):
        return policy
    several = "" if "[" in name else ", or a list or tuple of one policy per player"
    hint = "; other words name policies of built-in games, in their own functions"
    raise TypeError(
        f"{name} must be {_KINDS}{several}, got {arguments.described(policy)}"
        f"{hint if isinstance(policy, str) else ''}"
    )


def _chosen_moves(
    policy: Any, explored: Explored[Any, Any] | ExploredArrays, places: Integers
) -> tuple[Integers, Exact] | None:
    """Return moves and their weights, from the policy of a solution of the same game.

    None if it is anything else, or does not decide at all these places.
    """
    of: Any = policy.source if isinstance(policy, ByState) else None
    if not isinstance(of, (ValueArrays, LookupValues)) or policy.what != "chosen":
        return None
    if isinstance(of, LookupValues):
        if not isinstance(explored, ExploredArrays) or of.game is not explored.game:
            return None
        of = of.by_place
    if isinstance(explored, ExploredArrays):
        columns, other = getattr(of.explored, "columns", places), explored.columns
        if columns.shape != other.shape or not np.may_share_memory(columns, other):
            return None
    elif of.explored.states is not explored.states:
        return None
    if not of.optimal.size or (of.explored.graph.players[places] < 0).any():
        return None
    starts = explored.graph.offsets[places].astype(np.int64)
    if of.tie_break != "uniform":
        return starts + of.chosen[places], np.ones(len(places), dtype=np.int64)
    moves = joined_ranges(starts, np.diff(explored.graph.offsets)[places])
    return moves, of.optimal[moves].astype(np.int64)


def _callable(name: str, policy: Any, player: int) -> Callable[[Any], Any]:
    """Return a policy as a callable of a state."""
    if not isinstance(policy, Mapping):
        return policy  # type: ignore[no-any-return]

    def look_up(state: Any) -> Any:
        try:
            return policy[state]
        except KeyError:
            raise ValueError(
                f"{name} must have an action for every state in which player "
                f"{player} moves, and has none for {arguments.shown(state)}"
            ) from None

    return look_up


def _answers(
    name: str,
    policy: Any,
    explored: Explored[Any, Any] | ExploredArrays,
    places: Integers,
    player: int,
    backend: Backend,
) -> Iterator[tuple[Integers, Exact]]:
    """Yield moves from some places and their weights, as a policy gives them."""
    at_once = isinstance(explored, ExploredArrays) and not isinstance(policy, Mapping)
    if isinstance(explored, ExploredArrays) and isinstance(policy, ByState):
        # Rows and codes of two games with different names need not mean the same.
        of, here = policy.source.game, names_of(explored.game)
        at_once = not isinstance(of, Explored) and (
            PLAIN in (here, names_of(of)) or here.same_as(names_of(of))
        )
    if at_once:
        assert isinstance(explored, ExploredArrays)
        parts = _in_arrays(policy, explored, places, player, backend)
        if parts is not None:
            yield from parts
            return
    ask = _callable(name, policy, player)
    yield from _one_by_one(ask, explored, places, player, backend)


def _one_by_one(
    ask: Callable[[Any], Any],
    explored: Explored[Any, Any] | ExploredArrays,
    places: Integers,
    player: int,
    backend: Backend,
) -> Iterator[tuple[Integers, Exact]]:
    """Do the same, state by state."""
    certain, mixed = list[int](), list[int]()
    weights, ranks = list[int](), dict[Any, dict[Any, int]]()
    starts = explored.graph.offsets[places].tolist()
    pairs = zip(starts, explored.decisions(places), strict=True)
    for first, (state, actions) in with_progress(pairs, len(places), "states"):
        rank = ranks.get(actions)
        if rank is None:
            rank = ranks[actions] = {action: k for k, action in enumerate(actions)}
        try:  # not arguments.ask: a call more would be a tenth of the time
            result = ask(state)
        except Exception as error:
            if not str(error).startswith("policies"):  # as where a mapping lacks one
                at = arguments.shown(state)
                error.add_note(f"raised by the policy of player {player} for {at}")
            raise
        if isinstance(result, np.ndarray) and not result.ndim:
            result = result.item()  # from np.where
        try:
            certain.append(first + rank[result])
        except (KeyError, TypeError):  # no legal action, or not hashable
            at = f"at state {arguments.shown(state)}"
            must = (
                f"the policy of player {player} must give one of the legal actions "
                f"{arguments.shown(actions)} {at}, or a mapping of them to weights"
            )
            where = f"the policy of player {player} {at}"
            weights += mixture_weights(result, rank, must, where, backend)
            mixed += range(first, first + len(actions))
    yield np.array(certain, dtype=np.int64), np.ones(len(certain), dtype=np.int64)
    yield np.array(mixed, dtype=np.int64), exact_array(weights)


def _in_arrays(
    policy: Any,
    explored: ExploredArrays,
    places: Integers,
    player: int,
    backend: Backend,
) -> list[tuple[Integers, Exact]] | None:
    """Do the same for arrays of states, or return None if a policy does not take them.

    A policy of named fields may be one of a single state, such as ``"stop" if s.cash
    else "draw"``, which fails, or answers once, for arrays of fields.
    """
    checked, offsets = CheckedGame(explored.game), explored.graph.offsets
    names, parts = names_of(explored.game), list[tuple[Integers, Exact]]()
    by_field = names.state is not None and not isinstance(policy, ByState)
    starts = range(0, len(places), _AT_ONCE)
    for start in with_progress(starts, len(starts), "parts of states"):
        some = places[start : start + _AT_ONCE]
        states = explored.states_at(some)
        if by_field:
            fields = names.fields_of(states, exact=backend == "exact")
            result = array_answer(policy, fields, len(some))
            if result is None:
                return None
        else:
            result = _answer_in_rows(policy, states, player)
        answer = _Answer(checked, explored.columns[:, some], player, backend)
        words = names.actions is not None and not isinstance(policy, ByState)
        if by_field or words or isinstance(result, Mapping):
            result = in_codes(result, len(some), names, backend)
        moves = joined_ranges(offsets[some], np.diff(offsets)[some])
        parts.append((moves, answer.weights(result)))
    return parts


def _answer_in_rows(policy: Any, states: NDArray[Any], player: int) -> Any:
    """Return the answer of a policy for states in the form that the game uses."""
    if not isinstance(policy, ByState):
        return arguments.call(f"the policy of player {player}", policy, states)
    try:
        return policy(states)
    except KeyError as error:
        raise ValueError(
            "a solution must have an action for every state in which player "
            f"{player} moves: {error}"
        ) from error


class _Answer:
    """The answer of a policy about some states of a player, checked."""

    def __init__(
        self, game: CheckedGame, columns: Integers, player: int, backend: Backend
    ) -> None:
        self._states, self._player = game.states(columns), player
        self._exact = backend == "exact"
        self._index, self._actions, _ = game.actions(columns)

    def weights(self, result: Any) -> Exact:
        """Return the weights of the moves of these states.

        Raises
        ------
        TypeError, ValueError
            If the answer is neither an action for each state nor a mixture.
        """
        if isinstance(result, tuple):
            return self._mixture(result)
        actions = np.asarray(result)
        shape = (len(self._states), *self._actions.shape[1:])
        if actions.dtype.kind not in "iu" or actions.shape != shape:
            raise TypeError(
                f"the policy of player {self._player} must give an array of integers "
                f"of shape {shape}, one action a state, or a mixture (index, actions, "
                f"weights), got {arguments.described(result)}"
            )
        same = np.reshape(self._actions == actions[self._index], (len(self._index), -1))
        matches = np.logical_and.reduce(same, axis=1)
        legal = np.bincount(self._index[matches], minlength=len(actions)) > 0
        if not legal.all():
            self._refuse(int(legal.argmin()), actions[legal.argmin()])
        weights: Exact = matches.astype(np.int64)
        return weights

    def _mixture(self, result: tuple[Any, ...]) -> Exact:
        must = (
            f"the policy of player {self._player} must give a mixture as arrays (index,"
            " actions, weights) of the same length"
        )
        parts = [np.asarray(part) for part in result]
        if len(parts) != 3 or len({part.shape[:1] for part in parts}) > 1:
            raise arguments.wrong_type(must, result)
        index, actions, shares = parts
        count = len(self._states)
        if index.dtype.kind not in "iu" or actions.dtype.kind not in "iu":
            raise TypeError(f"{must}, index and actions of integers")
        if not shares.shape == index.shape == (len(index),) or (
            actions.shape[1:] != self._actions.shape[1:]
        ):
            raise TypeError(f"{must} and of one action and one weight each")
        if len(index) and not (index.min() >= 0 and index.max() < count):
            raise ValueError(f"{must}, index from 0 to {count - 1}")
        places = self._places(index, actions)
        whole = self._whole(shares, index, must)
        if whole.dtype != object and float(whole.max(initial=0)) * len(whole) >= 2**62:
            whole = whole.astype(object)  # as sums might be too large
        weights: NDArray[Any] = np.zeros(len(self._index), dtype=whole.dtype)
        np.add.at(weights, places, whole)
        some = np.bincount(self._index[weights > 0], minlength=count) > 0
        if not some.all():
            state = self._states[some.argmin()].tolist()
            raise ValueError(f"{must}, with a positive sum for state {state}")
        return weights

    def _places(self, index: Integers, actions: Integers) -> Integers:
        """Return the indices of the given moves among the legal ones."""
        legal, given = (
            np.concatenate([x[np.newaxis], np.atleast_2d(y.T)]).astype(np.int64)
            for x, y in ((self._index, self._actions), (index, actions))
        )
        both = np.concatenate([legal, given], axis=1)
        distinct, codes = distinct_states(both, bounds(both))
        place_of = np.full(distinct.shape[1], -1)
        place_of[codes[: len(self._index)]] = np.arange(len(self._index))
        places: Integers = place_of[codes[len(self._index) :]]
        if (places < 0).any():
            wrong = places.argmin()
            self._refuse(int(index[wrong]), actions[wrong])
        return places

    def _whole(self, weights: NDArray[Any], index: Integers, must: str) -> Exact:
        """Return weights as integers in the same ratio."""
        if weights.dtype.kind == "f" and not self._exact:
            weights = weights.astype(np.float64)
            if not (np.isfinite(weights).all() and (weights >= 0).all()):
                raise ValueError(f"{must}, weights finite and >= 0")
            return integers_from_floats(weights, index)
        large = weights.dtype == object and all(isinstance(x, int) for x in weights)
        if weights.dtype.kind not in "iu" and not large:
            kinds = "integers" if self._exact else "integers or floats"
            raise TypeError(f"{must}, weights of {kinds}, got {weights.dtype}")
        if (weights < 0).any():
            raise ValueError(f"{must}, weights finite and >= 0")
        large |= weights.dtype.kind == "u" and weights.max(initial=0) >= 2**63
        integers: Exact = weights.astype(object if large else np.int64)
        return integers

    def _refuse(self, i: int, action: Any) -> None:
        legal = self._actions[self._index == i].tolist()
        raise ValueError(
            f"the policy of player {self._player} must give one of the legal actions "
            f"{arguments.shown(legal)} at state {self._states[i].tolist()}, got "
            f"{np.asarray(action).tolist()}"
        )
