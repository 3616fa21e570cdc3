"""Pairs: chances of winning, rules of thumb, certified bounds, simulated games."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from cardgames_dp import pairs, play
from cardgames_dp.pairs import FoldUpTo, HitBelow, Rules, SumBelow
from cardgames_dp.pairs.rounds import solved_by_pairs

from ..records import of


def triangular(ranks: int) -> dict[int, int]:
    """Return the deck with each rank as often as it says."""
    return {rank: rank for rank in range(1, ranks + 1)}


USUAL = Rules(deck=triangular(4), target=10)
SMALL = Rules(deck=triangular(3), target=5)
THREE = Rules(players=3, deck=triangular(4), target=6)
TINY = Rules(deck={1: 1, 2: 2}, target=3)
RULES = {
    "usual": USUAL,
    "other-deck": Rules(deck={2: 3, 5: 1, 7: 4}, target=14),
    "exhausted": Rules(deck=triangular(3), target=5, reshuffle="exhausted"),
    "essay": Rules(deck=triangular(4), target=10, reshuffle="essay"),
    "deal": Rules(deck=triangular(4), target=8, deal=1),
    "lowest": Rules(deck=triangular(4), target=8, deal=1, first="lowest"),
    "burn": Rules(deck=triangular(3), target=5, reshuffle="exhausted", burn=1),
    "capacity": Rules(deck=triangular(4), target=8, capacity=2),
    "tie-hit": Rules(deck=triangular(4), target=10, tie="hit"),
    "three": THREE,
    "three-hit": Rules(players=3, deck=triangular(4), target=6, tie="hit"),
    "three-lowest": Rules(
        players=3, deck=triangular(4), target=4, deal=1, first="lowest"
    ),
    "three-exhausted": Rules(
        players=3, deck=triangular(3), target=4, reshuffle="exhausted"
    ),
    "three-essay": Rules(players=3, deck=triangular(4), target=4, reshuffle="essay"),
    "four": Rules(players=4, deck=triangular(4), target=3),
}
THUMBS: tuple[Any, ...] = (
    *("optimal", "fifty_percent", "expected_points", "always_hit", "never_hit"),
    *(FoldUpTo(1), HitBelow("1/4", or_equal=True), HitBelow(0.3), SumBelow()),
)


def at_last(state: Any) -> Any:
    """A user's own rule: half, and never a fold that loses the game."""
    loses = USUAL.lowest(state) + state.scores[:, 0] >= USUAL.target
    half = pairs.decision(HitBelow(0.5), state, rules=USUAL)
    return np.where(loses, "hit", half)


def three_at_last(state: Any) -> Any:
    """The same of three players."""
    loses = THREE.lowest(state) + state.scores[:, 0] >= THREE.target
    half = pairs.decision(HitBelow(0.5), state, rules=THREE)
    return np.where(loses, "hit", half)


def careful(state: Any) -> Any:
    return np.where(state.hand.sum(axis=1) < 2, "hit", "fold")


@cache
def solved(name: str = "usual") -> Any:
    return pairs.solve(RULES[name])


@cache
def sure(name: str) -> Any:
    return pairs.enclosure(RULES[name])


@cache
def response(name: str, policy: Any) -> Any:
    """Return the best response of the first seat to others who share a policy."""
    rules = RULES[name]
    others = [policy] * (rules.players - 1)
    return play.best_response(pairs.game(rules), [None, *others], 0)


def by_turn(name: str, policy: Any) -> list[Any]:
    """Return the tables of a best response, by its seat from the leader."""
    lookup, n = solved_by_pairs(response(name, policy)), RULES[name].players
    return [lookup.at_start(-seat % n) for seat in range(n)]


def values_of(name: str, policy: Any) -> tuple[float, ...]:
    """Return what the best response wins in each seat."""
    tables = by_turn(name, policy)
    return tuple(float(table[-1, 0, i]) for i, table in enumerate(tables))


def responding(name: str, policy: Any) -> dict[str, Any]:
    tables = tuple(by_turn(name, policy))
    return {"values": values_of(name, policy), "tables": tables}


def advice(found: Any, state: Any) -> dict[str, Any]:
    """Return what to do, and what each action is worth."""
    said = found.advice(state)
    words = [word for word in ("hit", "fold") if word in said.values]
    return {
        "action": said.action,
        "best": tuple(word for word in words if word in said.best),
        "values": {word: said.values[word] for word in words},
        "margin": said.margin,
    }


def starts(found: Any, scores: Any, name: str = "usual", **how: Any) -> Any:
    """Return what all can expect at the start of a round, the leader first."""
    return found.payoffs_at(pairs.state(scores=scores, rules=RULES[name], **how))


def facts(found: Any, *names: str) -> dict[str, Any]:
    """Return some attributes, the payoffs of all players as its value."""
    return {x: found.payoffs if x == "value" else getattr(found, x) for x in names}


def solution(found: Any) -> dict[str, Any]:
    about = pairs.score_table(found)
    return {
        "value": found.payoffs,
        **of(about, "table", "ties", "num_positions", "smallest_lead"),
        "largest_tie": about.largest_tie < 1e-12,  # rounding alone
        "doubtful": about.doubtful,
    }


def tabled(found: Any, *names: str) -> dict[str, Any]:
    about = pairs.score_table(found)
    return {"value": found.payoffs} | of(about, *names)


def rated(*given: Any) -> dict[str, Any]:
    found = pairs.rates(*given)
    return {"value": found.payoffs, "lose": found.lose}


def opening(found: Any) -> dict[str, Any]:
    return of(found, "ranks", "hits", "ties", "lead", "possible")


def a_round(found: Any) -> dict[str, Any]:
    names = ("hands", "can_hit", "can_fold", "hits", "ties")
    return {
        **of(found, "cards", "unseen", *names),
        "hit": np.nan_to_num(found.hit),
        "fold": np.nan_to_num(found.fold),
        "values": found.values,
    }


def regret(rules: Rules, policy: Any, against: Any, most: int) -> dict[str, Any]:
    """Return the mistakes of a player in a random seat."""
    n, own = rules.players, pairs.game(rules)
    costs: dict[Any, list[Any]] = {}
    losses, mistakes = [], 0.0
    for seat in range(n):
        seats = [policy if against is None else against] * n
        seats[seat] = policy
        found = play.regret(own, seats, seat)
        losses.append(found.loss)
        mistakes += float(found.reach.sum())
        each = zip(
            *(found.states, found.taken, found.reach, found.given_up), strict=True
        )
        for state, (taken,), reach, given_up in each:
            key = state.hand, state.others, state.unseen, state.scores
            known = costs.setdefault(key, [taken, 0.0, given_up])
            known[1] += reach
    rows = []
    for (hand, others, _, scores), (taken, reach, given_up) in costs.items():
        cards = [
            [
                r
                for r, count in zip(rules.ranks, each, strict=True)
                for _ in range(count)
            ]
            for each in (hand, *others)
        ]
        ranks = [*cards[0], "|", *map(tuple, cards[1:]), "|", *scores, taken]
        rows.append([*ranks, reach / n, given_up, reach / n * given_up])
    rows.sort(key=lambda row: row[-1], reverse=True)
    return {
        "loss": sum(losses) / n,
        "loss_by_seat": tuple(losses),
        "mistakes": mistakes / n,
        "dearest": rows[:most],
    }


_NAMED = {"best response": "best response to always_hit"}
"""What a response in `simulated` was called."""


def simulated(rules: Rules, policies: Any, *, games: int, rng: int) -> dict[str, Any]:
    """Return counts of games, each by the same seed."""
    own = pairs.game(rules)
    rates = pairs.rates(rules, policies, games=games, rng=rng)
    counts = {k: np.rint(x * games).astype(int) for k, x in rates.counts.items()}
    rounds = play.simulate(own, policies, games, rng=rng, count="round").moves
    choices = int(counts["choices"].sum())
    won = [round(x * games) for x in rates.payoffs]
    lost = [sum(won) // (rules.players - 1) - x for x in won]
    return {
        "policies": tuple(_NAMED.get(name, name) for name in rates.policies),
        **counts,
        "wins": tuple(won),
        "losses": tuple(lost),
        "win_rates": tuple(x / games for x in won),
        "rounds": rounds.to_dict(),
        "hit_rate": int(counts["hits"].sum()) / choices if choices else np.nan,
    }


def any_game(found: Any) -> dict[str, Any]:
    return facts(found, "value", "num_states") | {"ties": len(found.ties)}


def spread(scores: tuple[int, ...]) -> list[int]:
    """A goal of the user's own."""
    return [max(scores) - 2 * points for points in scores]


PROFILES: tuple[Any, ...] = (
    ["fifty_percent", "optimal", "expected_points"],
    ["optimal", "never_hit", three_at_last],
    "optimal",
)
OPPONENTS: tuple[Any, ...] = (
    ("fifty_percent", None),
    ("expected_points", "optimal"),
    ("never_hit", "always_hit"),
)


def against_optimal(policy: Any, name: str) -> list[Any]:
    return [policy, *["optimal"] * (RULES[name].players - 1)]
