"""The seats of a game: policies, checked, and made into players of simulations."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from cardgames_dp import _checks
from cardgames_dp.pairs._asking import AskedInGames
from cardgames_dp.pairs._kernels.lookup import LookedUp
from cardgames_dp.pairs._kernels.playing import Player
from cardgames_dp.pairs.official import OfficialRules
from cardgames_dp.pairs.policies import (
    SolvedPlay,
    decider,
    expected_points,
    solved_play,
    sweep_of,
)
from cardgames_dp.pairs.rules import Rules
from cardgames_dp.pairs.solver import solve

Made = TypeVar("Made")


def by_seat(policies: object, players: int) -> list[tuple[str, Any]]:
    """Return the policy of each seat with its name in error messages."""
    if isinstance(policies, (str, SolvedPlay)) or callable(policies):
        return [("policies", policies)] * players
    if not isinstance(policies, Iterable):
        raise TypeError(
            "policies must be a policy (a name, a callable, a Solution or a "
            "BestResponse), or an iterable of one for each seat, got "
            f"{_checks.described(policies)}"
        )
    listed = list(_checks.items("policies", policies))
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
                f"{_checks.shown(getattr(policy.rules, field))} instead of "
                f"{_checks.shown(getattr(known, field))}"
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
    seats: list[tuple[str, Any]], rules: Rules, met: tuple[int, int], *, progress: bool
) -> list[Player]:
    """Return the player of each seat; seats with the same policy share one.

    `met` is at most how many rounds are played side by side, and at all.
    """
    return one_for_each(
        seats, lambda name, policy: _player(name, policy, rules, met, progress=progress)
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


def _player(
    name: str, policy: Any, rules: Rules, met: tuple[int, int], *, progress: bool
) -> Player:
    solved, decide = solved_play(policy), None
    if solved is None or _other_field(solved, rules) is not None:
        decide, solved = decider(name, policy), None
    if decide is not None:
        return AskedInGames(rules, decide)
    if solved is None:
        solved = solve(rules, progress=progress)
    otherwise = AskedInGames(rules, expected_points)
    return LookedUp(sweep_of(solved), otherwise, met=met, progress=progress)


def _same(one: object, other: object) -> bool:
    """Return whether two policies are the same, so that one player is enough."""
    if one is other or (isinstance(one, str) and one == other):
        return True
    solved = solved_play(one)
    return solved is not None and solved is solved_play(other)
