"""Policies of cards in a row, in the form in which the kernels ask them.

The named policies are those of Pashevich's report and a few others for comparison.
Other policies are those of any game: functions of a `State`, mappings of states,
solutions, mixtures. On many rows a policy has to know its row: there a function is one
of the cards, and returns the policy.

References
----------
Pashevich and others ("APP2: Hold'em for n00bs"), sections 2 to 4.
"""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._graph.by_state import ByState, not_a_policy_error
from cardgames_dp._graph.mixtures import Mixture, mixture_weights
from cardgames_dp._graph.solution import as_solution
from cardgames_dp._support import arguments
from cardgames_dp._support.arguments import Backend
from cardgames_dp.cardrow._kernels import players
from cardgames_dp.cardrow._kernels.players import Deals, Hands, Odds, Player
from cardgames_dp.cardrow._kernels.row import Exact, Instance
from cardgames_dp.cardrow.rules import Rules, State, signed, word_of

NamedPolicy: TypeAlias = Literal[
    "optimal", "greedy", "greedy_literal", "larger", "smaller", "random"
]
POLICIES: tuple[NamedPolicy, ...] = get_args(NamedPolicy)

Policy: TypeAlias = Any
"""A word, or a policy as any game has it; see `cardgames_dp.cardrow`."""


def checked(
    name: str, policy: Any, *, rows: bool = False, sums: bool = False
) -> Policy:
    """Return a policy given as an argument, checked, but for the answers of functions.

    It may be for many `rows`, and look at the `sums` taken so far.
    """
    arguments.refuse_class(name, policy)
    if isinstance(policy, ByState) and policy.what != "chosen":
        raise not_a_policy_error(name, policy)
    if isinstance(policy, Mixture):
        for part in policy.policies:
            checked(f"a policy in {name}", part, rows=rows)
        return policy
    if not (sums or rows):
        _refuse_sums(name, policy)
    _refuse_weights(name, policy)
    of_one = as_solution(policy) is not None or isinstance(policy, Mapping)
    if rows and (of_one or looks_at_sums(policy)):
        raise TypeError(
            f"{name} must be a policy for many rows, a word or a function of the cards "
            f"that returns a policy, got {arguments.described(policy)}, which is for "
            "one row"
        )
    word = isinstance(policy, str) and policy in POLICIES
    if word or of_one or looks_at_sums(policy) or callable(policy):
        return policy
    others = ["a function of a State", "a mapping of states", "a solution"]
    if rows:
        others = ["a function of the cards that returns a policy"]
    raise arguments.not_one_of(
        name, policy, POLICIES, *others, "a play.mixture of policies"
    )


def _refuse_sums(name: str, policy: Any) -> None:
    """Refuse a response that looks at the sums taken."""
    if looks_at_sums(policy):
        raise TypeError(
            f"{name} must be a policy that looks only at the cards left, got a "
            "response that looks at the sums as well; match plays it, its `leads` say "
            "how games end, and its `guaranteed` is its worst case, if made with slack="
        )


def _refuse_weights(name: str, policy: Any) -> None:
    """Refuse a mapping of policies to weights, which is to be a mixture."""
    mapping = isinstance(policy, Mapping) and not isinstance(policy, ByState)
    if mapping and policy and policy.keys() <= set(POLICIES):
        raise TypeError(
            f"{name} must be a mapping of states to turns, got one of policies, "
            f"{arguments.shown(policy)}; play.mixture({arguments.shown(policy)}) "
            "follows one of them"
        )


def is_named(policy: Any, *, exact: bool) -> bool:
    """Return whether a policy is a word, or a mixture of words, with exact weights."""
    if isinstance(policy, Mixture):
        policy.shares(exact=exact)  # refuses floats
        return all(is_named(part, exact=exact) for part in policy.policies)
    return isinstance(policy, str) and policy in POLICIES


def name_of(policy: Policy) -> str:
    """Return the name of a policy."""
    if isinstance(policy, str):
        return str(policy)
    if isinstance(policy, Mixture):
        shares = zip(policy.policies, policy.shares(exact=False), strict=True)
        return " + ".join([f"{float(x):.4g} {name_of(part)}" for part, x in shares])
    if looks_at_sums(policy):
        return str(policy.__name__)
    if isinstance(policy, Mapping):
        return "mapping"
    if as_solution(policy) is not None:
        return type(policy).__name__.lower()
    return arguments.function_name(policy)


def looks_at_sums(policy: Any) -> bool:
    """Return whether a policy is a response that looks at the sums taken so far."""
    return hasattr(policy, "_player")


def player_of(
    policy: Policy,
    deals: Deals,
    name: str,
    *,
    rows: bool = False,
    exact: bool = False,
) -> Player:
    """Return a checked policy in the form in which the kernels ask it.

    With `rows`, a function is one of the cards, which returns the policy for a row; if
    `exact`, weights that are floats are refused. The player itself refuses answers that
    are not legal turns.
    """
    if isinstance(policy, Mixture):
        every = zip(policy.policies, policy.shares(exact=exact), strict=True)
        some = [(part, share) for part, share in every if share]
        shares = [share for _, share in some]
        parts = [
            player_of(part, deals, name, rows=rows, exact=exact) for part, _ in some
        ]
        return lambda hands, seat: players.mixture_odds(
            [part(hands, seat) for part in parts], shares
        )
    if looks_at_sums(policy):
        by_sums: Player = policy._player(deals, name)
        return by_sums
    if isinstance(policy, str):
        return _named_player(policy, deals, name)
    if rows:
        return _player_by_rows(policy, deals, name, exact)
    solution = as_solution(policy)
    if solution is not None:
        refuse_other_games(solution.game, deals, name)
        policy = solution.policy
        if solution.tie_break != "uniform":
            return _player_by_solution(policy, name)
    elif isinstance(policy, ByState):
        refuse_other_games(policy.source.game, deals, name)
    return lambda hands, seat: _call_policy(policy, name, hands, seat, exact)


def _named_player(policy: str, deals: Deals, name: str) -> Player:
    """Return a player with a name."""
    if policy == "greedy_literal" and deals.rules.take > 1:
        raise ValueError(
            f"player {name} must be another policy than 'greedy_literal', which "
            f"compares two cards, with take={deals.rules.take}"
        )
    if policy == "optimal":
        return players.optimal(deals)
    return players.RULES_OF_THUMB[policy]


def _player_by_rows(
    make: Callable[[tuple[Exact, ...]], Policy], deals: Deals, name: str, exact: bool
) -> Player:
    """Return a player whose policy for a row is what a function of its cards says."""
    made = dict[int, tuple[Player, Deals]]()

    def of_row(number: int) -> tuple[Player, Deals]:
        if number not in made:
            cards = deals.rows[number]
            policy = arguments.call(f"player {name}, of a row,", make, cards)
            checked(f"what player {name} returns for a row", policy)
            row = deals.instances[number].row()
            alone = Deals.of(deals.rules, [row])
            made[number] = player_of(policy, alone, name, exact=exact), alone
        return made[number]

    def player(hands: Hands, seat: int) -> Odds:
        odds = dict[tuple[int, int], dict[int, Fraction]]()
        places = [*hands.places()]
        for place in dict.fromkeys(places):
            one, alone = of_row(place[0])
            index = np.array([0]), np.array([place[1]])
            parts, whole = one(Hands(alone, hands.length, index), seat)
            weights = zip(hands.codes, parts[:, 0].tolist(), strict=True)
            odds[place] = {code: Fraction(x, whole) for code, x in weights if x}
        return players.odds_from_chances([odds[place] for place in places], hands)

    return player


def _player_by_solution(policy: ByState[Any, Any], name: str) -> Player:
    """Return a player who follows the policy of a solution of the row."""

    def turns_at(ends: NDArray[Any], seat: int, _tallies: Any) -> NDArray[Any]:
        try:
            turns: NDArray[Any] = signed(policy(np.insert(ends, 2, seat, axis=1)))
        except KeyError:
            raise ValueError(
                f"player {name} must have an action for every state that comes up, and "
                f"has none where player {seat} is to move"
            ) from None
        return turns

    return players.player_by_function(turns_at)


def by_state(policy: Any, instance: Instance) -> Callable[[State], Any] | None:
    """Return a policy with a name as a function of arrays of states, or None."""
    _refuse_sums("policies", policy)
    _refuse_weights("policies", policy)
    if not isinstance(policy, str):
        return None
    arguments.choice("policies", policy, POLICIES)
    deals = Deals.of(instance.rules, [instance.row()])
    player = _named_player(policy, deals, arguments.shown(policy))

    def turns(state: State) -> Any:
        columns = [np.atleast_1d(np.asarray(x, np.int64)) for x in state]
        index, codes, weights = players.in_arrays(player, deals, *columns)
        words = np.array([word_of(code) for code in codes.tolist()], dtype=object)
        if np.ndim(state.left) == 0:
            return dict(zip(words.tolist(), weights.tolist(), strict=True))
        return index, words, weights

    return turns


def _call_policy(policy: Any, name: str, hands: Hands, seat: int, exact: bool) -> Odds:
    """Ask a function or a mapping about each interval, and check its answers."""
    chances = dict[int, dict[int, Fraction]]()
    codes = [word_of(code) for code in hands.codes]
    rank = {word: i for i, word in enumerate(codes)}
    backend: Backend = "exact" if exact else "float64"
    places = [left for _, left in hands.places()]
    for left in dict.fromkeys(places):
        if hands.length == 1:
            chances[left] = {-1: Fraction(1)}
            continue
        state = State(left, left + hands.length - 1, seat)
        if isinstance(policy, Mapping):
            try:
                answer = policy[state]
            except KeyError:
                raise ValueError(
                    f"player {name} must have an action for every state that comes up, "
                    f"and has none for {arguments.shown(state)}"
                ) from None
        else:
            answer = arguments.call(f"player {name}", policy, state)
        if isinstance(answer, np.ndarray) and answer.ndim == 0:
            answer = answer.item()
        weights = {answer: 1} if isinstance(answer, str) and answer in rank else answer
        must = (
            f"player {name} must return a legal turn, one of "
            f"{arguments.shown(tuple(codes))}, or a mapping of turns to weights, at "
            f"{state!r} with the cards "
            f"{reprlib.repr(list(hands.deals.rows[0][left : state.right + 1]))}"
        )
        where = f"player {name} at {state!r}"
        parts = mixture_weights(weights, rank, must, where, backend)
        some = zip(hands.codes, parts, strict=True)
        chances[left] = {code: Fraction(x, sum(parts)) for code, x in some if x}
    return players.odds_from_chances([chances[left] for left in places], hands)


def places(players: int) -> list[str]:
    """Return the names of the seats: "first", "second" and so on."""
    words = ["first", "second", "third", "fourth", "fifth", "sixth"]
    return [*words, *[f"{i + 1}th" for i in range(len(words), players)]][:players]


def players_by_seat(
    policies: Sequence[Any], rules: Rules, deals: Deals
) -> list[Player]:
    """Return policies as players, one for each seat, checked."""
    if len(policies) != rules.players:
        raise TypeError(
            f"there must be a player for each of {rules.players} seats, got "
            f"{len(policies)}"
        )
    seats, words = list[Player](), dict[str, Player]()
    for name, policy in zip(places(rules.players), policies, strict=True):
        checked(name, policy, sums=True)
        called = f"{arguments.shown(name_of(policy))}, who is to move {name},"
        player = words.get(policy) if isinstance(policy, str) else None
        seats.append(player or player_of(policy, deals, called))
        if isinstance(policy, str):  # a table, say, is made once
            words[policy] = seats[-1]
    return seats


def refuse_other_games(game: Any, deals: Deals, name: str) -> None:
    """Refuse a policy that was not made for the one row that is played."""
    rules, cards = getattr(game, "rules", None), getattr(game, "cards", None)
    same = isinstance(rules, Rules) and cards == deals.rows[0]
    if not same or replace(rules, tie=deals.rules.tie) != deals.rules:  # type: ignore[type-var]
        its = arguments.described(game)
        if isinstance(cards, tuple):
            its = f"{arguments.shown(list(cards))}, by {rules!r}"
        raise ValueError(
            f"player {name} must be made for this row and these rules; it is for {its}"
        )
