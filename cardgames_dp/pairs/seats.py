"""The argument `policies` of Pairs: checked, seated, and made players of sweeps."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from cardgames_dp import diagonal, exact
from cardgames_dp._graph.by_state import ByState, not_a_policy_error
from cardgames_dp._graph.lookup import LookupValues
from cardgames_dp._graph.mixtures import Mixture
from cardgames_dp._graph.solution import as_solution
from cardgames_dp._support import arguments
from cardgames_dp._support.calls import suggest_arguments
from cardgames_dp.pairs._kernels import induction
from cardgames_dp.pairs._kernels.induction import BEST, COPY
from cardgames_dp.pairs.lookup import SolvedRounds, run_sweep
from cardgames_dp.pairs.players import (
    FunctionPlayer,
    MixedPlayer,
    Player,
    SolutionPlayer,
    ThumbPlayer,
)
from cardgames_dp.pairs.policies import NAMES, thumb_of
from cardgames_dp.pairs.rules import Goal, Hits, Rules, in_integers
from cardgames_dp.pairs.state import WORDS, State


def solved_rounds_of(policy: Any) -> SolvedRounds | None:
    """Return the solved rounds of a solution, response or their policy; else None."""
    solution = as_solution(policy)
    look_up = policy if solution is None else solution.policy
    source = look_up.source if isinstance(look_up, ByState) else None
    if isinstance(source, LookupValues) and isinstance(source.lookup, SolvedRounds):
        return source.lookup
    return None


def check(name: str, policy: object) -> None:
    """Refuse what is not a policy."""
    arguments.refuse_class(name, policy)
    if isinstance(policy, Mixture):
        for each in policy.policies:
            check(name, each)
        return
    if isinstance(policy, str) and policy in NAMES:
        return
    if isinstance(policy, ByState) and policy.what != "chosen":
        raise not_a_policy_error(name, policy)
    solved = solved_rounds_of(policy)
    if solved is not None and not solved.decides:
        raise ValueError(
            f"{name} must be a solution in which a player decides, got the values of "
            "policies; give the policies themselves"
        )
    if isinstance(policy, Mapping) and set(WORDS) & policy.keys():
        raise ValueError(
            f"{name} must be a mapping of states, got one of actions; a function, "
            "lambda state: {'hit': 1, 'fold': 2}, gives the same weights in all states"
        )
    fits = thumb_of(policy) is not None or isinstance(policy, Mapping)
    fits |= callable(policy) or solved is not None
    if isinstance(policy, str) or not (fits or as_solution(policy) is not None):
        raise arguments.not_one_of(
            name,
            policy,
            NAMES,
            "a HitBelow, FoldUpTo or SumBelow",
            "a callable of a state",
            "a mapping of states to actions",
            "a solution",
            "a play.mixture",
        )


def by_states_alone(policies: Any) -> bool:
    """Return whether a policy knows only the states of its own explored game.

    Sweeps ask about all scores, among them some that no game comes to.
    """
    several = isinstance(policies, (list, tuple))
    for policy in policies if several else [policies]:
        if isinstance(policy, Mixture) and by_states_alone(policy.policies):
            return True
        by_table = isinstance(policy, Mapping) or as_solution(policy) is not None
        if by_table and solved_rounds_of(policy) is None:
            return True
    return False


def player_of(
    name: str, policy: Any, rules: Rules, goal: Goal = "win", seat: int | None = None
) -> Player:
    """Return a policy as a player under these rules, who may stay in one seat."""
    thumb, solved = thumb_of(policy), solved_rounds_of(policy)
    if thumb is not None:
        return ThumbPlayer(thumb, rules)
    if isinstance(policy, Mixture):
        shares = [float(share) for share in policy.shares(exact=False)]
        each = [player_of(name, x, rules, goal, seat) for x in policy.policies]
        return MixedPlayer(each, shares)
    if isinstance(policy, str):  # "optimal"
        solved = optimal_rounds(rules, goal)
    if solved is not None:
        return SolutionPlayer(solved)
    return FunctionPlayer(name, policy, rules, seat)


def optimal_rounds(rules: Rules, goal: Goal) -> SolvedRounds:
    """Return optimal play of a game, solved now."""
    return SolvedRounds.of(run_sweep(rules, goal, [induction.optimal(rules.players)]))


def by_seat(policies: Any, players: int, free: int | None = None) -> list[Any]:
    """Return the policy of each seat, checked; None for a player who is free."""
    if not isinstance(policies, (list, tuple)):
        check("policies", policies)
        return [policies] * players
    if len(policies) != players:
        raise ValueError(
            f"policies must hold one policy per player (num_players is {players}), got "
            f"{len(policies)}"
        )
    for seat, policy in enumerate(policies):
        if policy is not None or seat != free:
            check(f"policies[{seat}]", policy)
    return list(policies)


def profiles_of(
    policies: Sequence[Any], rules: Rules, goal: Goal
) -> list[induction.Profile]:
    """Return what a sweep needs to play policies, each of which is made a player once.

    A function is one player for each seat, which it may look at. None is what is best.
    """
    made: dict[Any, induction.Behaviour] = {None: BEST, "optimal": COPY}
    profile = []
    for seat, policy in enumerate(policies):
        key = key_of(policy, seat)
        if key not in made:
            name = f"policies[{seat}]"
            made[key] = player_of(name, policy, rules, goal, seat).in_round
        profile.append(made[key])
    return profiles(tuple(profile))


def key_of(policy: Any, seat: int | None = None) -> Any:
    """Return what is the same for policies that are one player."""
    if policy is None or isinstance(policy, str):
        return policy
    solved = solved_rounds_of(policy)
    if solved is None and thumb_of(policy) is None:
        return id(policy), seat
    return id(policy if solved is None else solved)


def profiles(profile: induction.Profile) -> list[induction.Profile]:
    """Return a profile, after that of optimal play if a seat copies it."""
    if set(profile) <= {BEST, COPY}:  # optimal play is the best response to itself
        return [induction.optimal(len(profile))]
    return [induction.optimal(len(profile)), profile] if COPY in profile else [profile]


def by_state(policy: Any, game: Any, backend: str) -> Any:
    """Return a policy of Pairs as one of any game: a function of states, or None.

    Functions, mappings, and solutions of the same rules are such policies already.
    """
    rules: Rules = game.rules
    if isinstance(policy, str) or thumb_of(policy) is not None:
        check("policies", policy)
    if isinstance(policy, str) and policy == "optimal":
        solve: Any = exact.solve if backend == "exact" else diagonal.solve
        return solve(game).policy
    solved = solved_rounds_of(policy)
    if solved is not None:
        check("policies", policy)
        if solved.rules == rules and set(solved.policies) == {None}:
            return None
        return partial(_in_words, SolutionPlayer(solved).each)
    thumb = thumb_of(policy)
    return None if thumb is None else partial(_in_words, partial(thumb, rules))


def _in_words(each: Callable[[Any], Hits], state: Any) -> Any:
    """Return what a player does in a state, or in states of arrays."""
    if np.ndim(state.player):
        many: Any = [in_integers(part) for part in state]
        return np.where(each(State(*many)), "hit", "fold")
    one: Any = [in_integers(part)[np.newaxis] for part in state]
    return "hit" if each(State(*one))[0] else "fold"


@suggest_arguments
def decision(policy: Any, state: State, *, rules: Rules | None = None) -> Any:
    """Return the action of a policy in one state, without solving the game.

    Where only one action is allowed, it is returned whatever the policy says: nobody
    can fold on an empty table, or hit if no card is left to draw.

    Grade: float64.

    Parameters
    ----------
    policy : Policy
        Any policy but "optimal", for which the game must be solved; ask the solution.
    state : State
        The state, from :func:`state`; or many, with arrays as fields.
    rules : Rules, optional
        The published game of two players if not given.

    Returns
    -------
    {"hit", "fold"} or dict; or arrays of these
        The action; of a player who mixes, the probability of each.

    Examples
    --------
    With 3 and 9 against 7 and 10, at 12 points to 20:

    >>> from cardgames_dp import pairs
    >>> table = pairs.state(hand=[3, 9], others=[7, 10], scores=[12, 20])
    >>> pairs.decision("expected_points", table)
    'hit'
    >>> pairs.decision(pairs.HitBelow(0.15), table)
    'fold'
    """
    rules = arguments.rules(rules, Rules)
    check("policy", policy)
    if isinstance(policy, str) and policy == "optimal":
        raise ValueError(
            "policy must not be 'optimal', for which the game must be solved; use "
            "solve(rules).policy[state]"
        )
    if not isinstance(state, State):
        raise arguments.wrong_type("state must be a pairs.State", state)
    if by_states_alone(policy):
        solution = as_solution(policy)
        return (policy if solution is None else solution.policy)[state]
    alone = not np.ndim(state.player)
    one: Any = [np.asarray(x)[np.newaxis] for x in state]
    many: Any = State(*one) if alone else state
    player = player_of("policy", policy, rules)
    if many.hand.shape[-1] != len(rules.ranks):
        must = f"state must be one of the rules, with {len(rules.ranks)} ranks"
        raise arguments.wrong_value(must, state)
    cards = many.hand.sum(axis=-1) + many.others.sum(axis=(-1, -2))
    first, last = cards == 0, many.unseen.sum(axis=-1) <= rules.burn
    hits = np.array(first, dtype=np.float64)
    some = np.flatnonzero(~(first | last))
    if some.size:
        few: Any = [part[some] for part in many]
        hits[some] = player.each(State(*few))
    if ((hits > 0) & (hits < 1)).any():
        mix = {"hit": hits, "fold": 1 - hits}
        return {word: x.item() for word, x in mix.items()} if alone else mix
    words = np.where(hits > 0, "hit", "fold")
    return words.item() if alone else words
