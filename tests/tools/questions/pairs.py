"""Pairs: chances of winning, rules of thumb, certified bounds, simulated games."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from cardgames_dp import pairs
from cardgames_dp.pairs import FoldUpTo, HitBelow, Rules, SumBelow

from ..records import advice, of


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


def at_last(view: pairs.View) -> Any:
    """A user's own rule: half, and never a fold that loses the game."""
    fold_loses = view.lowest[:, None] + view.scores[:, 0] >= view.rules.target
    return HitBelow(0.5)(view)[:, None] | fold_loses


def careful(view: pairs.View) -> Any:
    return view.hand.sum(axis=1) < 2


@cache
def solved(name: str = "usual") -> Any:
    return pairs.solve(RULES[name])


@cache
def sure(name: str) -> Any:
    return pairs.enclosure(RULES[name])


@cache
def response(name: str, policy: Any) -> Any:
    return pairs.best_response(RULES[name], policy)


def facts(found: Any, *names: str) -> dict[str, Any]:
    """Return some attributes, the payoffs of all players as its value."""
    return {x: found.payoffs if x == "value" else getattr(found, x) for x in names}


def solution(found: Any) -> dict[str, Any]:
    return {
        **facts(found, "value", "table", "ties", "num_positions", "smallest_lead"),
        "largest_tie": found.largest_tie < 1e-12,  # rounding alone
        "doubtful": found.doubtful,
    }


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


def regret(found: Any) -> dict[str, Any]:
    return {
        **of(found, "loss", "loss_by_seat", "mistakes"),
        "dearest": [
            [
                *each.hand,
                "|",
                *each.others,
                "|",
                *each.scores,
                each.taken,
                each.reach,
                each.given_up,
                each.cost,
            ]
            for each in found.dearest
        ],
    }


def simulated(*given: Any, **options: Any) -> dict[str, Any]:
    found = pairs.simulate(*given, **options)
    choices = int(found.choices.sum())
    return of(
        found,
        *("policies", "final_scores", "choices", "hits", "folds", "pairs"),
        *("wins", "losses", "win_rates"),
    ) | {
        "rounds": found.rounds.to_dict(),
        "hit_rate": int(found.hits.sum()) / choices if choices else np.nan,
    }


def followed(*moves: Any, name: str = "usual", scores: Any = None) -> dict[str, Any]:
    """Return a game followed card by card."""
    game = pairs.Position(solved(name), scores=scores)
    for move in moves:
        game = game.play(move)
    return {
        "scores": game.state.scores,
        **of(game, "hands", "player", "over", "value", "values"),
        "advice": None if game.over or game.dealing else advice(game.advice()),
        "undone": game.undo().hands,
    }


def any_game(found: Any) -> dict[str, Any]:
    return facts(found, "value", "num_states") | {"ties": len(found.ties)}


def spread(scores: tuple[int, ...]) -> list[int]:
    """A goal of the user's own."""
    return [max(scores) - 2 * points for points in scores]


PROFILES: tuple[Any, ...] = (
    ["fifty_percent", "optimal", "expected_points"],
    ["optimal", "never_hit", at_last],
    "optimal",
)
OPPONENTS: tuple[Any, ...] = (
    ("fifty_percent", None),
    ("expected_points", "optimal"),
    ("never_hit", "always_hit"),
)


def against_optimal(policy: Any, name: str) -> list[Any]:
    return [policy, *["optimal"] * (RULES[name].players - 1)]


def by_states(policy: Any) -> Any:
    def decide(state: pairs.State) -> Any:
        seat = state.player
        hand, *others = [
            dict(zip(TINY.ranks, cards, strict=True))
            for cards in state.hands[seat:] + state.hands[:seat]
        ]
        scores = state.scores[seat:] + state.scores[:seat]
        return pairs.decision(
            policy, hand=hand, others=others, scores=scores, rules=TINY
        )

    return decide
