"""Pairs: chances of winning, rules of thumb, certified bounds, simulated games."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from cardgames_dp import diagonal, exact, pairs, play
from cardgames_dp.pairs import FoldUpTo, HitBelow, Rules, SumBelow

from ..asked import Questions, advice, each, of


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


def solution(found: Any) -> dict[str, Any]:
    return {
        **of(found, "value", "table", "ties", "num_positions", "smallest_lead"),
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
    return of(found, "value", "num_states") | {"ties": len(found.ties)}


SOLVED: Questions = {
    **each("pairs/solve/{}", [*RULES], lambda name: solution(solved(name))),
    "pairs/solve/10": lambda: solution(pairs.solve(Rules(target=10))),
    "pairs/solve/28": lambda: solution(pairs.solve(Rules(deck=triangular(7)))),
    "pairs/solve/three-larger": lambda: solution(
        pairs.solve(Rules(players=3, deck=triangular(5), target=12))
    ),
    **each(
        "pairs/exact/{}",
        ("exhausted", "burn"),
        lambda name: any_game(pairs.solve(RULES[name], backend="exact")),
    ),
    "pairs/exact/small": lambda: any_game(pairs.solve(SMALL, backend="exact")),
    "pairs/published": lambda: [
        [of(found, "value", "ties"), found.table]
        for found in (pairs.published(), pairs.published(players=3))
    ],
    "pairs/published/advice": lambda: [
        advice(pairs.published().advice(hand=hand, others=others, scores=scores))
        for hand, others, scores in [
            ([1, 2, 3, 4, 5], [4, 5, 7, 8, 9], [0, 0]),
            ([10], [3], [0, 0]),
            ([3, 9], [7, 10], [12, 20]),
        ]
    ],
    "pairs/published/three": lambda: advice(
        pairs.published(players=3, ranks=8).advice(
            hand=[1, 5], others=[[2, 3], [4, 8]], scores=[0, 0, 0]
        )
    ),
    "pairs/value-at": lambda: (
        [solved().value_at([points, other]) for points in (0, 4, 9) for other in (0, 7)]
        + [
            solved("exhausted").value_at([2, 3], deck={1: 1, 2: 0, 3: 2}),
            solved("three").value_at([1, 5, 2]),
        ]
    ),
    "pairs/advice": lambda: [
        advice(solved().advice(hand=[2, 3], others=[4, 1], scores=[3, 5])),
        advice(solved().advice(hand=[], others=[], scores=[0, 0])),
        advice(solved("three").advice(hand=[2], others=[[3], [4]], scores=[0, 2, 1])),
        solved().advice(hand=[2, 3], others=[4, 1], scores=[3, 5]).returns,
    ],
    "pairs/advice/deck": lambda: advice(
        solved("exhausted").advice(
            hand=[2], others=[3], scores=[1, 0], deck={1: 0, 2: 1, 3: 2}
        )
    ),
    "pairs/round": lambda: [a_round(solved().round(s)) for s in ([0, 0], [3, 8])],
    "pairs/round/three": lambda: a_round(solved("three").round([1, 0, 4])),
    "pairs/round/exhausted": lambda: a_round(solved("exhausted").round([0, 2])),
    "pairs/opening": lambda: (
        [opening(solved(name).opening_table()) for name in ("usual", "three", "deal")]
        + [opening(solved().opening_table([5, 2]))]
    ),
    "pairs/position": lambda: followed(2, 3, 4, "fold"),
    "pairs/position/pair": lambda: followed(3, 4, 2, 4),
    "pairs/position/open": lambda: followed(2, 4, 1, scores=[4, 6]),
    "pairs/position/three": lambda: followed(4, 3, 2, 4, name="three"),
    "pairs/position/exhausted": lambda: followed(3, 2, 3, 2, name="exhausted"),
    "pairs/position/lowest": lambda: followed([4, 2], 3, name="lowest"),
    **each(
        "pairs/enclosure/{}",
        ("usual", "exhausted", "deal", "lowest", "capacity", "burn"),
        lambda name: of(
            sure(name),
            *("value", "lower", "upper", "choices", "undecided", "largest_doubt"),
        ),
    ),
    "pairs/enclosure/positions": lambda: [
        sure("usual").value_at([3, 5]),
        sure("exhausted").value_at([2, 3], deck={1: 1, 2: 0, 3: 2}),
    ],
    "pairs/enclosure/larger": lambda: of(
        pairs.enclosure(Rules(deck=triangular(5))), "value", "undecided", "width"
    ),
}


def spread(scores: tuple[int, ...]) -> list[int]:
    """A goal of the user's own."""
    return [max(scores) - 2 * points for points in scores]


GOALS: Questions = {
    **each(
        "pairs/goal/{}",
        ("points", "lead", "win"),
        lambda goal: [
            of(
                pairs.solve(rules, goal=rules.players - 1 if goal == "win" else goal),
                *("value", "table", "ties"),
            )
            for rules in (USUAL, THREE, RULES["exhausted"])
        ],
    ),
    "pairs/goal/callable": lambda: [
        of(pairs.solve(rules, goal=spread), "value", "table")
        for rules in (USUAL, THREE)
    ],
    "pairs/goal/best-of": lambda: [
        of(pairs.solve(RULES[name], goal=best), "value", "table")
        for name, best in [("three", 1), ("three", 2), ("four", 2)]
    ],
    "pairs/goal/exact": lambda: [
        pairs.solve(
            Rules(players=3, deck=triangular(3), target=3), goal=1, backend="exact"
        ).value,
        pairs.solve(TINY, goal="lead", backend="exact").value,
    ],
    "pairs/goal/round": lambda: [
        pairs.solve(Rules(deck=triangular(6), target=1), goal=goal).value
        for goal in ("points", "lead")
    ],
    "pairs/goal/positions": lambda: [
        opening(pairs.solve(USUAL, goal="points").opening_table()),
        pairs.solve(USUAL, goal="points").value_at([3, 8]),
    ],
    "pairs/goal/as-policy": lambda: (
        pairs.evaluate(USUAL, [pairs.solve(USUAL, goal="points"), "optimal"]).value
    ),
}

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


POLICIES: Questions = {
    **each(
        "pairs/evaluate/{}",
        ("usual", "exhausted", "essay", "three", "lowest", "capacity"),
        lambda name: [
            of(found, "value", "lose")
            for thumb in THUMBS[1:]
            for found in [pairs.evaluate(RULES[name], against_optimal(thumb, name))]
        ],
    ),
    "pairs/evaluate/mixed": lambda: [
        of(pairs.evaluate(THREE, policies), "value", "lose") for policies in PROFILES
    ],
    "pairs/evaluate/four": lambda: (
        pairs.evaluate(
            RULES["four"],
            [HitBelow("1/5", or_equal=True), "optimal", "optimal", "optimal"],
        ).lose
    ),
    "pairs/evaluate/own": lambda: [
        pairs.evaluate(USUAL, [policy, "fifty_percent"]).value
        for policy in (at_last, careful, SumBelow(7, 2, 3))
    ],
    "pairs/evaluate/at": lambda: [
        pairs.evaluate(USUAL, ["always_hit", "optimal"]).value_at([5, 5], leader=leader)
        for leader in (0, 1)
    ],
    "pairs/evaluate/solution": lambda: [
        pairs.evaluate(USUAL, [solved("essay"), "expected_points"]).value,
        pairs.evaluate(USUAL, [solved().policy, solved("tie-hit").policy]).value,
    ],
    "pairs/evaluate/larger": lambda: (
        pairs.evaluate(Rules(deck=triangular(6)), ["optimal", "expected_points"]).value
    ),
    "pairs/states": lambda: [
        play.evaluate(TINY.game(), [*map(by_states, both)], backend="exact").value
        for both in [("fifty_percent", "always_hit"), (pairs.solve(TINY), SumBelow())]
    ],
    **each(
        "pairs/response/{}",
        ("usual", "exhausted", "three", "lowest"),
        lambda name: [
            of(response(name, thumb), "values", "tables")
            for thumb in ("fifty_percent", "always_hit", "expected_points")
        ],
    ),
    "pairs/response/positions": lambda: [
        advice(
            response("usual", "always_hit").advice(
                hand=[2, 3], others=[4, 1], scores=[3, 5]
            )
        ),
        opening(response("usual", "always_hit").opening_table()),
        a_round(response("usual", "never_hit").round([0, 0])),
    ],
    "pairs/response/as-policy": lambda: (
        pairs.evaluate(
            USUAL, ["always_hit", response("usual", "always_hit").policy]
        ).value
    ),
    "pairs/response/own": lambda: response("usual", at_last).values,
    **each(
        "pairs/regret/{}",
        ("usual", "exhausted", "three", "lowest"),
        lambda name: [
            regret(pairs.regret(RULES[name], policy, against, most=4))
            for policy, against in OPPONENTS
        ],
    ),
    "pairs/regret/all": lambda: regret(
        pairs.regret(TINY, "fifty_percent", "optimal", most=1000)
    ),
    "pairs/regret/own": lambda: regret(pairs.regret(USUAL, careful, "optimal", most=3)),
    "pairs/frequencies": lambda: [
        of(found, "rounds", "choices", "hits", "folds")
        | {"hit_rate": found.hits / found.choices if found.choices else np.nan}
        for found in (
            pairs.evaluate(USUAL, "optimal"),
            pairs.evaluate(SMALL, "never_hit"),
            pairs.evaluate(THREE, "fifty_percent"),
            pairs.evaluate(RULES["exhausted"], "expected_points"),
        )
    ],
    "pairs/decision": lambda: (
        [
            pairs.decision(policy, hand=[3, 9], others=[7, 10], scores=[12, 20])
            for policy in (*THUMBS[1:], HitBelow("0.05"))
        ]
        + [
            pairs.decision(SumBelow(), hand=[4, 10], others=[2, 6], scores=[22, 20]),
            pairs.decision(
                "fifty_percent",
                hand=[2],
                others=[3],
                scores=[0, 0],
                deck={2: 1, 3: 2},
                rules=RULES["exhausted"],
            ),
        ]
    ),
}

PLAYED: Questions = {
    **each(
        "pairs/simulate/{}",
        [*RULES],
        lambda name: simulated(
            RULES[name],
            ["expected_points", "fifty_percent", "always_hit", "never_hit"][
                : RULES[name].players
            ],
            games=500,
            rng=1,
        ),
    ),
    "pairs/simulate/optimal": lambda: [
        simulated(RULES[name], "optimal", games=500, rng=2)
        for name in ("usual", "three", "exhausted")
    ],
    "pairs/simulate/solutions": lambda: simulated(
        USUAL, [solved(), response("usual", "always_hit").policy], games=800, rng=3
    ),
    "pairs/simulate/published": lambda: simulated(
        Rules(), [SumBelow(), FoldUpTo(2)], games=800, rng=4
    ),
    "pairs/simulate/own": lambda: simulated(
        USUAL, [careful, at_last], games=400, rng=5
    ),
    "pairs/official": lambda: simulated(
        Rules.official(), ["expected_points", HitBelow("0.46")], games=800, rng=6
    ),
    "pairs/official/six": lambda: simulated(
        Rules.official(players=6), [careful] + ["expected_points"] * 5, games=300, rng=7
    ),
    "pairs/official/solved": lambda: of(
        diagonal.solve(Rules.official(deck=triangular(4), target=3, burn=1).game()),
        *("value", "num_states", "error"),
    ),
    "pairs/official/exact": lambda: any_game(
        exact.solve(Rules.official(deck={1: 2, 2: 3, 3: 1}, target=3, burn=1).game())
    ),
    "pairs/official/rules": lambda: [
        [rules.target, rules.burn]
        for players in range(2, 7)
        for rules in [Rules.official(players=players)]
    ],
    "pairs/game": lambda: [
        any_game(exact.solve(RULES[name].game())) for name in ("exhausted", "burn")
    ],
    "pairs/rules": lambda: [
        of(rules, "deck", "target")
        | {"losing_score": rules.target}
        | of(rules, "ranks", "counts")
        for rules in (Rules(), Rules(players=3), RULES["burn"])
    ],
}

QUESTIONS: Questions = {**SOLVED, **GOALS, **POLICIES, **PLAYED}
