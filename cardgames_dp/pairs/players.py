"""Who sits at the table: policies by seat, as players of simulations and by states."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, SupportsIndex, TypeVar

import numpy as np

from cardgames_dp._results.records import Record
from cardgames_dp._support import arguments
from cardgames_dp.pairs._kernels.game import Action, State
from cardgames_dp.pairs._kernels.players import LookedUp
from cardgames_dp.pairs._kernels.simulation import Player
from cardgames_dp.pairs.advice import Hand
from cardgames_dp.pairs.hands import checked_scores, read_position
from cardgames_dp.pairs.policies import (
    Policy,
    SolvedPlay,
    decider,
    expected_points,
    solved_play,
    sweep_of,
)
from cardgames_dp.pairs.rules import OfficialRules, Rules
from cardgames_dp.pairs.solver import solve
from cardgames_dp.pairs.views import AskedInGames, Decide, decided_at

Made = TypeVar("Made")


def by_seat(policies: object, players: int) -> list[tuple[str, Any]]:
    """Return the policy of each seat with its name in error messages."""
    if isinstance(policies, (str, SolvedPlay)) or callable(policies):
        return [("policies", policies)] * players
    if not isinstance(policies, Iterable):
        raise TypeError(
            "policies must be a policy (a name, a callable, a Solution or a "
            "Response), or an iterable of one for each seat, got "
            f"{arguments.described(policies)}"
        )
    listed = list(arguments.items("policies", policies))
    if len(listed) != players:
        raise ValueError(
            f"policies must be one for each of {players} players, or a single one for "
            f"all, got {len(listed)}"
        )
    return [(f"policies[{i}]", policy) for i, policy in enumerate(listed)]


def refuse_unknown(
    name: str, policy: object, rules: Rules | OfficialRules, known: Rules
) -> None:
    """Refuse what is not a policy, or not one for these rules."""
    if isinstance(policy, SolvedPlay):
        field = _other_field(policy, known)
        if field is not None:
            raise ValueError(
                f"{name} must be a {type(policy).__name__} of rules with the same "
                f"players, deck, capacity and target, got {field}="
                f"{arguments.shown(getattr(policy.rules, field))} instead of "
                f"{arguments.shown(getattr(known, field))}"
            )
    elif decider(name, policy) is None and isinstance(rules, OfficialRules):
        raise ValueError(
            f"{name}='optimal' is not known under the official rules, where scored "
            "cards stay out; use the policy of the nearest rules that can be solved, "
            "solve(rules.solvable)"
        )


def _other_field(solved: SolvedPlay, rules: Rules) -> str | None:
    """Return a field in which the rules of solved play differ too much, or None."""
    for field in ("players", "deck", "capacity", "target"):
        if getattr(solved.rules, field) != getattr(rules, field):
            return field
    return None


def players_of(
    seats: list[tuple[str, Any]], rules: Rules, side_by_side: int
) -> list[Player]:
    """Return the player of each seat; seats with the same policy share one.

    At most `side_by_side` games are played at the same time.
    """
    return one_for_each(
        seats, lambda name, policy: _player(name, policy, rules, side_by_side)
    )


def one_for_each(
    seats: list[tuple[str, Any]], make: Callable[[str, Any], Made]
) -> list[Made]:
    """Return what `make` makes of each seat's policy, made once for equal policies."""
    made: list[tuple[Any, Made]] = []
    seated = []
    for name, policy in seats:
        found = next((one for known, one in made if _same(known, policy)), None)
        if found is None:
            found = make(name, policy)
            made.append((policy, found))
        seated.append(found)
    return seated


def _player(name: str, policy: Any, rules: Rules, side_by_side: int) -> Player:
    solved, decide = solved_play(policy), None
    if solved is None or _other_field(solved, rules) is not None:
        decide, solved = decider(name, policy), None
    if decide is not None:
        return AskedInGames(rules, decide)
    if solved is None:
        solved = solve(rules)
    otherwise = AskedInGames(rules, expected_points)
    return LookedUp(sweep_of(solved), otherwise, side_by_side=side_by_side)


def _same(one: object, other: object) -> bool:
    """Return whether two policies are the same, so that one player is enough."""
    if one is other or (isinstance(one, str) and one == other):
        return True
    solved = solved_play(one)
    return solved is not None and solved is solved_play(other)


def decision(
    policy: Policy,
    *,
    hand: Hand,
    others: Iterable[Hand] | Hand,
    scores: Iterable[SupportsIndex],
    deck: Mapping[Any, SupportsIndex] | None = None,
    rules: Rules | None = None,
) -> Action:
    """Return the action of a policy in one position, without solving the game.

    Where only one action is allowed, it is returned whatever the policy says: nobody
    can fold on an empty table, or hit if no card is left to draw.

    Grade: float64.

    Parameters
    ----------
    policy : Policy
        Any policy but "optimal", for which the game must be solved; use
        ``Solution.advice`` instead.
    hand, others, scores, deck
        The position, as for :meth:`Solution.advice`. The cards and the numbers of cards
        are checked, but not whether a round can reach exactly this `deck`.
    rules : Rules, optional
        The published game of two players if not given.

    Returns
    -------
    {"hit", "fold"}
        The action.

    Examples
    --------
    With 3 and 9 against 7 and 10, at 12 points to 20:

    >>> from cardgames_dp import pairs
    >>> position = {"hand": [3, 9], "others": [7, 10], "scores": [12, 20]}
    >>> pairs.decision("expected_points", **position)
    'hit'
    >>> pairs.decision(pairs.HitBelow(0.15), **position)
    'fold'
    """
    rules = arguments.rules(rules, Rules)
    decide = decider("policy", policy)
    if decide is None:
        raise ValueError(
            "policy must not be 'optimal', for which the game must be solved; use "
            "solve(rules).advice(...)"
        )
    vector = checked_scores(rules, scores)
    hands, unseen = read_position(rules, hand, others, deck)
    if not hands.any():
        return "hit"
    if unseen.sum() <= rules.burn:
        return "fold"
    return decided_at(decide, rules, hands, unseen, vector)


def state_policy(rules: Rules | None, policy: Policy) -> Callable[[State], Action]:
    """Return a policy of Pairs as a policy of the game ``rules.game()``.

    The functions of :mod:`cardgames_dp.play` ask policies about one `State` at a time.
    With this, they take the policies of this package, too, and are exact.

    Grade: float64 for "optimal" and for solved play; else exact.

    Parameters
    ----------
    rules : Rules or None
        The published game of two players if None.
    policy : Policy
        A name, a function of a `View`, a `Solution` or a `Response`. For "optimal"
        the game is solved.

    Returns
    -------
    callable
        A function of a `State` that returns "hit" or "fold".

    Raises
    ------
    TooLargeError
        As by :func:`solve`, for "optimal".

    See Also
    --------
    evaluate : The chances of all seats in float64, much faster.

    Examples
    --------
    >>> from cardgames_dp import pairs, play
    >>> rules = pairs.Rules(deck={1: 1, 2: 2}, target=3)
    >>> names = ["fifty_percent", "always_hit"]
    >>> policies = [pairs.state_policy(rules, name) for name in names]
    >>> exact = play.evaluate(rules.game(), policies, backend="exact").value
    >>> exact
    (Fraction(155, 243), Fraction(88, 243))
    >>> abs(float(exact[0]) - pairs.evaluate(rules, names).value[0]) < 1e-15
    True
    """
    rules = arguments.rules(rules, Rules)
    decide = decider("policy", policy)
    return _ByState(rules, solve(rules).policy if decide is None else decide)


@dataclass(frozen=True, slots=True)
class _ByState(Record):
    """A policy of views, asked about one state."""

    rules: Rules
    decide: Decide

    def __call__(self, state: State) -> Action:
        if not isinstance(state, State):
            raise TypeError(
                f"state must be a pairs.State, got {arguments.described(state)}"
            )
        allowed = self.rules.game().legal_actions(state)
        if len(allowed) == 1:
            return allowed[0]
        hands = np.roll(np.array(state.hands), -state.player, axis=0)
        scores = np.roll(state.scores, -state.player)
        unseen = np.array(state.unseen)
        return decided_at(self.decide, self.rules, hands, unseen, scores)
