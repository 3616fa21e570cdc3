"""Cards in a row: values, what to do, and games against other players."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from cardgames_dp import cardrow
from cardgames_dp.cardrow import Rules

from ..asked import Questions, advice, each, law, of

SIX = (4, 4, 6, 6, 12, 9)
SISTER = (14, 4, 7, 2, 5, 12)
EVEN = (8, 4, 2, 2, 4, 8)
EIGHT = (2, 7, 5, 3, 8, 1, 4, 3)
RISKY = (5, 2, 9, 12, 10, 11, 4, 4)
ODD: tuple[Any, ...] = (Fraction(1, 3), "2.5", -1, 7, 0, Fraction(7, 2), 4)
TIED = (0, 1, 1, 2, 1, 1, 0, 2, 2)
MIXED = {"larger": 4, "random": 1}
NAMES: tuple[Any, ...] = (
    *("optimal", "larger", "smaller"),
    *("greedy", "greedy_literal", "random"),
)
TIES: tuple[Any, ...] = ("right", "left", "larger")
RULES = {
    "take-2": Rules(take=2),
    "take-3": Rules(take=3, tie="left"),
    "misere": Rules(misere=True),
    "players-3": Rules(players=3),
    "players-4": Rules(players=4, take=2, tie="right"),
    "misere-3": Rules(players=3, misere=True),
    "weights": Rules(weights=[1, 2, 3, 4, 5, 6]),
    "weights-2": Rules(weights=[3, 1, 4, 1, 5, 9], take=2, misere=True),
}


@cache
def row(cards: int, largest: int = 13, seed: int = 1) -> Any:
    """Return a row of random cards."""
    return np.random.default_rng(seed).integers(1, largest + 1, cards)


@cache
def deals(games: int, cards: int) -> Any:
    return cardrow.deal(games, cards, rng=1)


def sweet_tooth(cards: Any, left: int, right: int) -> Any:
    return "right" if cards[right] == 8 > cards[left] else "left"


def hesitant(cards: Any, left: int, right: int) -> Any:
    """A user's own player, who answers with the chance of the left card."""
    return Fraction(1, 3) if cards[left] < cards[right] else Fraction(3, 4)


def turns(found: Any) -> str:
    """Return turns as signs: L and R, or as numbers of cards."""
    return " ".join(turn.side[0].upper() + str(turn.count) for turn in found)


def table(found: Any) -> dict[str, Any]:
    return of(found, "value", "sums", "sums_of_second", "best", "ties")


def line(found: Any) -> dict[str, Any]:
    """Return a play or a match."""
    return {
        "positions": found.positions,
        "from_right": found.from_right,
        "sums": found.sums,
    }


def matched(
    *players: Any,
    cards: Any = SIX,
    rules: Any = None,
    tie: Any = "right",
    **options: Any,
) -> list[Any]:
    rules = Rules(tie=tie) if rules is None else replace(rules, tie=tie)
    game = cardrow.match(cards, *players, rules=rules, **options)
    return [game.positions, game.sums, game.takers, game.winner]


def response(
    cards: Any, opponent: Any, tie: Any = "right", **options: Any
) -> dict[str, Any]:
    """Return a response that looks at the cards alone."""
    found = cardrow.best_response(cards, opponent, rules=Rules(tie=tie), **options)
    best: Any = found.best  # there is one, as this response counts no cards
    return of(found, "value", "best") | {"ties": abs(best) == 2}


def plan(
    cards: Any, opponent: Any, rules: Any = None, **options: Any
) -> dict[str, Any]:
    """Return a response that looks at sums as well, with its turn in every state."""
    tie = options.pop("tie", "right")
    rules = rules or Rules(tie=tie)
    found: Any = cardrow.best_response(
        cards, opponent, rules=replace(rules, tie=tie), **options
    )
    game = rules.game(cards)
    states, done = [game.initial_state()], ""
    for state in states:  # which grows
        if state.left > state.right:
            continue
        actions = game.legal_actions(state)
        if state.player == found.seat:
            done += f"{found(state).side[0].upper()}{found(state).count}"
        after = [game.next_state(state, action) for action in actions]
        states += [each for each in after if each not in states]
    return {
        **of(found, "value", "lead", "win", "draw", "guaranteed"),
        "lose": None if found.win is None else 1 - found.win - found.draw,
        "turns": done[:400],
    }


def scores(found: Any) -> dict[str, Any]:
    """Return a tournament."""
    return of(
        found, "players", "wins", "draws", "losses", "mean_lead", "lead_deviation"
    )


def followed(*sides: Any, cards: Any = SIX, rules: Any = None) -> dict[str, Any]:
    """Return a game followed move by move."""
    game = cardrow.Position(cards, rules=rules)
    worth = []
    for side in sides:
        worth.append(game.value)
        game = game.play(side)
    return {
        **game.state._asdict(),
        **of(game, "over", "value", "lead"),
        "values": worth,
        "advice": None if game.over else advice(game.advice()),
        "undone": game.undo().state.sums,
    }


VALUES: Questions = {
    "cardrow/value": lambda: [
        cardrow.value(cards) for cards in (SIX, SISTER, EVEN, EIGHT, ODD, TIED, [7])
    ],
    "cardrow/value/exact": lambda: [
        cardrow.value(cards, backend="exact") for cards in (SIX, ODD, [10**30, 0.5])
    ],
    "cardrow/value/random": lambda: [
        cardrow.value(row(cards, largest), backend="exact")
        for cards in (99, 1000, 100_001)
        for largest in (2, 13, 10**9)
    ],
    "cardrow/value/million": lambda: cardrow.value(row(10**6)),
    "cardrow/value/diagonal": lambda: [
        cardrow.value(row(700), method="diagonal"),
        cardrow.value(row(101) / 7, method="diagonal"),
        cardrow.value(row(60), method="diagonal", backend="exact"),
    ],
    "cardrow/value/floats": lambda: cardrow.value(np.sqrt(row(500))),
    **each(
        "cardrow/value/{}",
        RULES,
        lambda rules: [
            cardrow.value(cards, rules=rules) for cards in (SIX, SISTER, EVEN)
        ],
    ),
    "cardrow/value/rules/exact": lambda: [
        cardrow.value(ODD, rules=rules, backend="exact")
        for name, rules in RULES.items()
        if not name.startswith("weights")
    ],
    "cardrow/value/rules/long": lambda: [
        cardrow.value(row(300), rules=Rules(take=4)),
        cardrow.value(row(80), rules=Rules(players=3, take=2)),
        cardrow.value(row(200), rules=Rules(weights=row(200, 9, 2))),
    ],
    "cardrow/values": lambda: cardrow.values([SIX, EVEN, [1, 5, 1], ODD]),
    "cardrow/values/exact": lambda: cardrow.values([ODD, SIX], backend="exact"),
    "cardrow/values/deals": lambda: cardrow.values(deals(400, 13)),
    "cardrow/values/long": lambda: cardrow.values([row(200, 13, k) for k in range(9)]),
    "cardrow/values/rules": lambda: [
        cardrow.values(deals(50, 10), rules=rules)
        for rules in (Rules(take=2), Rules(players=3), Rules(misere=True))
    ],
    "cardrow/rows/value": lambda: [
        cardrow.value([1, 5, 1], [2, 3]),
        cardrow.value(stacks=[[5, 1, 1]]),
        cardrow.value(SIX, EIGHT, stacks=[ODD, TIED]),
        cardrow.value(row(300), row(20, 5), stacks=[row(90, 40)]),
        cardrow.value(SIX, rules=Rules(misere=True)),
    ],
    "cardrow/rows/value/exact": lambda: cardrow.value(
        ODD, SIX, stacks=[EIGHT], backend="exact"
    ),
    "cardrow/collapsed": lambda: [
        cardrow.collapsed([*SIX, 3, 8, 2, 7, 7, 1]),
        cardrow.collapsed(ODD),
        cardrow.collapsed(row(2000)),
    ],
    "cardrow/collapsed/doubled": lambda: _doubled(40),
    "cardrow/scores": lambda: [
        cardrow.match(cards).sums for cards in (SIX, SISTER, ODD, row(301))
    ],
    "cardrow/scores/rules": lambda: (
        [
            cardrow.solve(SIX, rules=rules, backend="exact").play().sums
            for rules in RULES.values()
        ]
        + [cardrow.match([1, 1, 2, 1], rules=Rules(players=3, tie="left")).sums]
    ),
    "cardrow/brute-force": lambda: [
        _tried(cards, tie) for cards in (SIX, SISTER, EVEN) for tie in TIES
    ],
    "cardrow/deal": lambda: [
        cardrow.deal(4, 9, rng=3),
        cardrow.deal(4, 9, deck=range(1, 6), replace=True, rng=3),
        deals(1000, 12),
    ],
    "cardrow/read": lambda: [
        cardrow.Rules().worths("A 5 7 K 4 9")[0],
        cardrow.Rules().worths([1, "2.5", Fraction(1, 3)])[0],
        (*range(1, 14),) * 4,
    ],
}


def _tried(cards: Any, tie: Any) -> dict[str, Any]:
    left, right, _ = cardrow.brute_force(cards)
    prefers_left = tie == "left" or (tie == "larger" and cards[0] > cards[-1])
    goes_left = left > right or (left == right and prefers_left)
    return {"side": "left" if goes_left else "right", "balance": max(left, right)}


def _doubled(times: int) -> Any:
    """Return a row put together from itself, as in Project Euler's problem 477."""
    piece: Any = (3, 1, 4, 1, 5, 9, 2, 6)
    for _ in range(times):
        piece = cardrow.collapsed(piece + piece)
    return piece


ADVICE: Questions = {
    "cardrow/solve": lambda: [table(cardrow.solve(x)) for x in (SIX, EVEN, TIED)],
    "cardrow/solve/exact": lambda: table(cardrow.solve(ODD, backend="exact")),
    "cardrow/solve/ties": lambda: [
        cardrow.solve(TIED, rules=Rules(tie=tie)).best for tie in TIES
    ],
    "cardrow/solve/long": lambda: table(cardrow.solve(row(150))),
    "cardrow/solve/floats": lambda: table(cardrow.solve(np.sqrt(row(40)))),
    **each(
        "cardrow/solve/{}", RULES, lambda rules: table(cardrow.solve(SIX, rules=rules))
    ),
    "cardrow/solve/rules/exact": lambda: [
        table(cardrow.solve(ODD[:5], rules=rules, backend="exact"))
        for rules in (Rules(take=2), Rules(players=3), Rules(weights=[1, 0, 2, 0, 3]))
    ],
    "cardrow/solve/play": lambda: [
        line(cardrow.solve(SIX, rules=rules).play())
        for rules in (None, *RULES.values())
    ],
    "cardrow/play": lambda: [
        line(cardrow.match(cards)) for cards in (SIX, SISTER, ODD, TIED, row(55))
    ],
    "cardrow/play/rules": lambda: [
        line(cardrow.match(SIX, rules=rules)) for rules in RULES.values()
    ],
    "cardrow/play/long": lambda: line(cardrow.match(row(3000))),
    "cardrow/advice": lambda: [
        advice(cardrow.solve(SISTER).advice(1, 5)),
        advice(cardrow.solve([0, 1, 0, 5], rules=Rules(take=2)).advice(0, 2)),
        advice(cardrow.solve(SIX, rules=RULES["weights"]).advice(1, 4, player=1)),
        advice(cardrow.solve(SIX, rules=RULES["misere-3"]).advice(0, 5)),
    ],
    "cardrow/advice/exact": lambda: [
        advice(cardrow.solve(cards, backend="exact").advice(0, len(cards) - 1))
        for cards in (SIX, TIED, ODD)
    ],
    "cardrow/position": lambda: followed("right", "right"),
    "cardrow/position/long": lambda: followed(
        *["left", "right", "right"] * 9, cards=row(90)
    ),
    "cardrow/position/over": lambda: followed(*["left"] * 6),
    "cardrow/position/rules": lambda: [
        followed("left", "right", rules=RULES["misere"]),
        followed("right", "right", "left", rules=Rules(tie="left")),
    ],
    "cardrow/position/queries": lambda: _queries(2000),
    "cardrow/recorded": lambda: line(cardrow.match(SIX, _recorded, _recorded)),
}


def _recorded(_cards: Any, left: int, right: int) -> Any:
    """Repeat a game that was played elsewhere."""
    return {5: "right", 4: "right", 3: "left", 2: "right", 1: "left"}[right - left]


def _queries(cards: int) -> list[Any]:
    """Return the values of some positions far from optimal play."""
    game, found = cardrow.Position(row(cards)), []
    rng = np.random.default_rng(5)
    for _ in range(60):
        for side in rng.integers(0, 2, 20):
            game = game.play("right" if side else "left")
        found.append(game.value)
    return found


COUPLES: tuple[Any, ...] = (
    ("greedy", "random"),
    (MIXED, "optimal"),
    ("random", hesitant),
)
FOUR: tuple[Any, ...] = ("random", MIXED, "greedy", "larger")


def _distribution(
    cards: Any, *players: Any, rules: Any = None, tie: Any = "right", **options: Any
) -> Any:
    """Return the distribution of the lead."""
    rules = replace(rules or Rules(), tie=tie)
    return cardrow.distribution(cards, *players, rules=rules, **options)


def _answered(
    rows: Any, opponent: Any, seat: str = "first", tie: Any = "right", **options: Any
) -> Any:
    """Return the values of best responses."""
    other: Any = {"first": "second", "second": "first"}[seat]
    rules = Rules(tie=tie)
    return 0 - cardrow.values(rows, opponent, seat=other, rules=rules, **options)


PLAYERS: Questions = {
    "cardrow/match": lambda: [
        matched(one, other, tie="right") for one in NAMES[:5] for other in NAMES[:5]
    ],
    "cardrow/match/ties": lambda: [
        matched(name, "larger", cards=TIED, tie=tie)
        for name in NAMES[:5]
        for tie in TIES
    ],
    "cardrow/match/random": lambda: [
        matched("random", MIXED, cards=row(30), rng=seed) for seed in range(4)
    ],
    "cardrow/match/callable": lambda: [
        matched(sweet_tooth, "optimal", cards=EVEN, tie="right"),
        matched(hesitant, "greedy", cards=EIGHT, rng=1, tie="right"),
    ],
    "cardrow/match/response": lambda: matched(
        cardrow.best_response(SIX, "larger", rules=Rules(tie="right")), "larger"
    ),
    "cardrow/match/plan": lambda: matched(
        cardrow.best_response(RISKY, "random", goal="win", rules=Rules(tie="right")),
        *("random",),
        cards=RISKY,
        rng=2,
    ),
    "cardrow/match/rules": lambda: [
        matched(
            *["greedy", "larger", "smaller", "optimal"][: rules.players], rules=rules
        )
        for rules in RULES.values()
    ],
    "cardrow/match/rules/random": lambda: [
        matched(
            *["random", MIXED, "greedy", "greedy"][: rules.players], rules=rules, rng=9
        )
        for rules in RULES.values()
    ],
    "cardrow/tournament": lambda: scores(
        cardrow.tournament(NAMES[:5], deals(300, 12), rules=Rules(tie="right"))
    ),
    "cardrow/tournament/ties": lambda: [
        scores(
            cardrow.tournament(
                ["optimal", "greedy", "larger"], [TIED, EVEN], rules=Rules(tie=tie)
            )
        )
        for tie in TIES
    ],
    "cardrow/tournament/random": lambda: scores(
        cardrow.tournament(
            ["random", MIXED, "optimal"], deals(200, 9), rng=1, rules=Rules(tie="right")
        )
    ),
    "cardrow/tournament/rules": lambda: [
        scores(
            cardrow.tournament(
                ["optimal", "larger"], deals(30, 6), rules=replace(rules, tie="right")
            )
        )
        for rules in RULES.values()
    ],
    "cardrow/tournament/callable": lambda: scores(
        cardrow.tournament({"a": sweet_tooth, "b": hesitant}, deals(40, 8), rng=3)
    ),
    **each(
        "cardrow/response/{}",
        NAMES,
        lambda name: [
            response(cards, name, tie="right", seat=seat)
            for cards in (SIX, EVEN)
            for seat in ("first", "second")
        ],
    ),
    "cardrow/response/exact": lambda: [
        response(EVEN, opponent, backend="exact", tie="right")
        for opponent in ("random", MIXED, hesitant)
    ],
    "cardrow/response/ties": lambda: [
        response(TIED, "greedy", tie=tie, backend="exact") for tie in TIES
    ],
    "cardrow/response/long": lambda: [
        cardrow.best_response(row(120), opponent, rules=Rules(tie="right")).value
        for opponent in (*NAMES, MIXED)
    ],
    "cardrow/response/callable": lambda: response(EVEN, sweet_tooth, tie="right"),
    "cardrow/responses": lambda: [
        _answered(deals(100, 10), opponent, seat=seat)
        for opponent in (*NAMES, MIXED)
        for seat in ("first", "second")
    ],
    "cardrow/responses/exact": lambda: _answered(
        [ODD, SIX, EIGHT], MIXED, backend="exact", tie="left"
    ),
    "cardrow/guarantees": lambda: [
        cardrow.values(deals(100, 10), policy, seat=seat, rules=Rules(tie="right"))
        for policy in (*NAMES, MIXED)
        for seat in ("first", "second")
    ],
    "cardrow/guarantees/exact": lambda: cardrow.values(
        [ODD, SIX, EIGHT], "greedy", backend="exact", rules=Rules(tie="larger")
    ),
    "cardrow/plan/lead": lambda: [
        plan(RISKY, opponent, goal="lead") for opponent in ("random", "greedy", MIXED)
    ],
    "cardrow/plan/win": lambda: [
        plan(RISKY, opponent, goal="win") for opponent in ("random", "larger", hesitant)
    ],
    "cardrow/plan/second": lambda: plan(RISKY, "random", goal="win", seat="second"),
    "cardrow/plan/slack": lambda: [
        plan(RISKY, "random", slack=slack, goal=goal)
        for slack in (0, 1, "7/2")
        for goal in ("lead", "win")
    ],
    "cardrow/plan/exact": lambda: [
        plan(EIGHT, "random", goal="win", backend="exact"),
        plan(ODD, MIXED, slack=0, backend="exact", seat="second"),
    ],
    "cardrow/plan/ties": lambda: [
        plan(TIED, "greedy", goal="lead", tie=tie)["turns"] for tie in TIES
    ],
    "cardrow/plan/rules": lambda: [
        plan(SIX, ["random", "larger", "greedy"][: rules.players - 1], rules=rules)
        for rules in RULES.values()
    ],
    "cardrow/plan/rules/win": lambda: [
        plan(SIX, "random", rules=rules, goal="win", seat=1, backend="exact")
        for rules in RULES.values()
    ],
    "cardrow/plan/rules/slack": lambda: [
        plan(SIX, "random", rules=rules, slack=1)
        for rules in (RULES["take-2"], RULES["misere"], RULES["weights"])
    ],
    "cardrow/plan/52": lambda: of(
        cardrow.best_response(row(52), "random", goal="win", rules=Rules(tie="right")),
        *("lead", "win", "draw"),
    ),
    "cardrow/lead": lambda: [
        law(_distribution(cards, one, other, tie="right"))
        for cards in (EVEN, RISKY)
        for one, other in [
            ("greedy", "random"),
            (MIXED, "optimal"),
            ("random", hesitant),
        ]
    ],
    "cardrow/lead/exact": lambda: law(
        _distribution(ODD, MIXED, "random", backend="exact", tie="left")
    ),
    "cardrow/lead/plan": lambda: law(
        _distribution(
            RISKY,
            cardrow.best_response(RISKY, "random", slack=0, rules=Rules(tie="right")),
            "random",
            tie="right",
        )
    ),
    "cardrow/lead/rules": lambda: [
        law(
            _distribution(
                SIX,
                *["random", MIXED, "greedy", "larger"][: rules.players],
                rules=rules,
                tie="right",
            )
        )
        for rules in RULES.values()
    ],
    "cardrow/lead/52": lambda: of(
        cardrow.distribution(row(52), "random", "larger", rules=Rules(tie="right")),
        *("mean", "variance"),
    ),
}

QUESTIONS: Questions = {**VALUES, **ADVICE, **PLAYERS}
