"""Red/black: values and enclosures, what to do, what will happen."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from cardgames_dp import diagonal, exact, redblack
from cardgames_dp.redblack import Rules, kinds, urns, utilities

from ..asked import Questions, Within, advice, counts, each, law, of, summary

TWO_FOR_ONE = Rules(win=2)
FEE = Rules(fee="1/10")
ODD = Rules(win="3/2", lose="5/4", fee="1/8", tie="draw")


def timid(red: Any, black: Any) -> Any:
    return black - red >= 1


def patient(red: Any, black: Any) -> Any:
    return (black > red) & (red + black < 18)


def root(cash: float) -> float:
    """A user's own utility, of one number at a time."""
    return math.sqrt(100 + cash)


def steps(cash: Fraction) -> Fraction:
    """A utility in fractions, which is not concave."""
    return cash if cash < 2 else cash**2


POLICIES: dict[str, redblack.Policy] = {
    "first_positive": "first_positive",
    "quit_when_negative": "quit_when_negative",
    "never_stop": "never_stop",
    "at_cash": redblack.StopAtCash(3),
    "at_loss": redblack.StopAtLoss(5),
    "after": redblack.StopAfter(20),
    "at_excess": redblack.StopAtExcess([99] + [2 + n // 12 for n in range(1, 53)]),
    "at_first": redblack.StopAtFirst("optimal", "quit_when_negative"),
    "bounds": redblack.StopAtFirst(redblack.StopAtCash(2), redblack.StopAtLoss(3)),
    "within_loss": redblack.OptimalWithin(8),
    "within_draws": redblack.OptimalWithin(draws=30),
    "within_both": redblack.OptimalWithin("5/2", draws=40),
    "callable": timid,
}


@cache
def table(red: int, black: int, backend: Any = "float64", rules: Any = None) -> Any:
    return redblack.solve(red, black, rules=rules, backend=backend)


def sheet(found: Any) -> dict[str, Any]:
    """Return a full table."""
    return of(found, "value", "values", "totals", "stop", "ties")


def bounds(*found: Any) -> list[Any]:
    """Return enclosures, of one deck each or of many."""
    rows = (
        zip(*map(np.ravel, (e.lower, e.upper, e.method)), strict=True) for e in found
    )
    return [[cell.item() for cell in row] for each in rows for row in each]


def simulated(found: Any) -> dict[str, Any]:
    return {
        **of(found, "mean", "standard_deviation", "standard_error"),
        "payoffs": found.payoff.support,
        "payoff_counts": counts(found.payoff, found.games),
        "loss_frequency": found.payoff.loss_probability,
        "mean_draws": found.moves.mean,
        "durations": found.moves.support,
        "duration_counts": counts(found.moves, found.games),
        "paths": [path[-1] for path in found.paths],
    }


def played(*cards: Any, good: Any = "red") -> Any:
    """Return a game followed card by card."""
    game = redblack.Position(table(26, 26), good=good)
    for card in cards:
        game = game.play(card)
    return {
        **of(game, "red", "black", "cash"),
        "value": 0.0 if game.over else game.advice().gain,
        **of(game, "over", "history"),
        "advice": None if game.over else advice(game.advice()),
        "undone": game.undo().cash,
    }


VALUES: Questions = {
    "redblack/value/26+26": lambda: redblack.value(26, 26),
    "redblack/value/26+26/exact": lambda: redblack.value(26, 26, backend="exact"),
    "redblack/value/small": lambda: [
        [redblack.value(red, black) for black in range(6)] for red in range(6)
    ],
    "redblack/value/small/exact": lambda: [
        [redblack.value(red, black, backend="exact") for black in range(6)]
        for red in range(6)
    ],
    "redblack/value/uneven": lambda: [
        redblack.value(red, black)
        for red, black in [(30, 22), (22, 30), (100, 140), (700, 640), (2500, 2600)]
    ],
    "redblack/value/uneven/exact": lambda: redblack.value(70, 91, backend="exact"),
    "redblack/value/tilted": lambda: [
        redblack.value(12_000, 8_000),
        redblack.value(100_000, 200),
        redblack.value(200, 3000),
    ],
    "redblack/value/far": lambda: [
        redblack.value(10**30, 10**29),
        redblack.value(10**29, 10**30),
        redblack.value(10**6, 10**6, rules=TWO_FOR_ONE),
        redblack.value(10**6, 10**6, rules=FEE),
        redblack.value(5000, 6000),
    ],
    "redblack/value/halves/exact": lambda: [
        float(redblack.value(2200, 2200, backend="exact")),
        redblack.value(2200, 2200, backend="exact").numerator % (10**18 + 9),
        redblack.value(2100, 2130, backend="exact").denominator % (10**18 + 9),
    ],
    "redblack/value/1000/exact": lambda: redblack.value(1000, 1000, backend="exact"),
    "redblack/value/staircase/stairs": lambda: [
        redblack.value(deck, deck, method="staircase") for deck in (1, 2, 30, 1000)
    ],
    "redblack/value/staircase/uneven": lambda: [
        redblack.value(20_000 + k, 20_000 - k) for k in (-300, -40, 1, 150)
    ],
    "redblack/value/staircase/blocks": lambda: [
        redblack.value(deck, deck) for deck in (4000, 30_000, 10**5, 1_234_567)
    ],
    "redblack/value/staircase/strides": lambda: redblack.value(10**7, 10**7),
    "redblack/value/staircase/million": lambda: redblack.value(10**6, 10**6),
    "redblack/value/staircase/133787000": lambda: redblack.value(
        133_787_000, 133_787_000
    ),
    "redblack/value/staircase/milliard": lambda: redblack.value(10**9, 10**9),
    "redblack/value/diagonal": lambda: [
        redblack.value(deck, deck, method="diagonal") for deck in (300, 2500, 9000)
    ],
    "redblack/value/rules": lambda: [
        redblack.value(26, 26, rules=rules)
        for rules in (TWO_FOR_ONE, FEE, ODD, Rules(lose=3), Rules(fee=2))
    ],
    "redblack/value/rules/exact": lambda: [
        redblack.value(26, 26, rules=rules, backend="exact")
        for rules in (TWO_FOR_ONE, FEE, ODD, Rules(fee=0.1))
    ],
    "redblack/value/rules/nearly-fair": lambda: [
        redblack.value(3000, 3000, rules=Rules(win="1.01")),
        redblack.value(4000, 4000, rules=Rules(win="1.0001")),
    ],
    "redblack/value/rules/scaled": lambda: redblack.value(
        4000, 4000, rules=Rules(win="7/3", lose="7/3")
    ),
    "redblack/value/rules/leap": lambda: redblack.value(
        10**6, 10**6, rules=Rules(win="1.1")
    ),
    "redblack/values": lambda: redblack.value(
        [26, 0, 1, 500, 7, 26], [26, 0, 1, 500, 7, 26]
    ),
    "redblack/values/all": lambda: redblack.value(range(1500), range(1500)),
    "redblack/values/exact": lambda: redblack.value(
        [3, 40, 12], [3, 40, 12], backend="exact"
    ),
    "redblack/values/staircase": lambda: redblack.value(
        [5000, 20, 40_000], [5000, 20, 40_000]
    ),
    "redblack/values/policy": lambda: redblack.value(
        [5, 26], [5, 26], policy="first_positive"
    ),
    "redblack/values/digits": lambda: redblack.value([5, 260], [5, 260], digits=25),
    "redblack/values/leap": lambda: redblack.value(
        [10, 900, 20_000], [10, 900, 20_000], rules=TWO_FOR_ONE
    ),
    "redblack/digits": lambda: [
        redblack.value(1000, 1000, digits=200),
        redblack.value(26, 26, digits=1),
        redblack.value(400, 391, digits=50),
        redblack.value(0, 7, digits=5),
    ],
    "redblack/digits/tilted": lambda: redblack.value(3000, 900, digits=40),
    "redblack/digits/rules": lambda: redblack.value(300, 300, rules=ODD, digits=60),
    "redblack/digits/leap": lambda: redblack.value(
        40_000, 40_000, rules=TWO_FOR_ONE, digits=30
    ),
    "redblack/digits/10000": lambda: redblack.value(10_000, 10_000, digits=50),
    "redblack/utility/exponential": lambda: [
        redblack.value(red, black, rules=Rules(utility=utilities.exponential(0.5)))
        for red, black in [(26, 26), (30, 20), (400, 410)]
    ],
    "redblack/utility/log": lambda: sheet(
        table(12, 12, rules=Rules(utility=utilities.log(wealth=4)))
    ),
    "redblack/utility/power": lambda: [
        redblack.value(26, 26, rules=Rules(utility=utilities.power(a, wealth=60)))
        for a in ("1/4", "1/2", 2, 3)
    ],
    "redblack/utility/numbers": lambda: redblack.value(
        [3, 26], [3, 26], rules=Rules(utility=root, tie="draw")
    ),
    "redblack/utility/exact": lambda: sheet(
        table(6, 5, "exact", Rules(utility=steps, fee="1/4"))
    ),
    "redblack/utility/inverse": lambda: [
        [utility(x), utility.inverse(utility(x))]
        for utility in (
            utilities.exponential("1/10"),
            utilities.log(wealth=50),
            utilities.power(2, wealth=10),
        )
        for x in (-3, 0.5, 12)
    ],
    "redblack/utility/certainty": lambda: [
        utilities.certainty_equivalent(
            (careful := utilities.exponential(0.5)),
            redblack.value(26, 26, rules=Rules(utility=careful)),
        ),
        utilities.certainty_equivalent(root, 10.125),
    ],
}

CERTAIN: Questions = {
    "redblack/enclosure/26+26": lambda: bounds(redblack.enclosure(26, 26)),
    "redblack/enclosure/uneven": lambda: bounds(
        redblack.enclosure(900, 940), redblack.enclosure(40_000, 39_900)
    ),
    "redblack/enclosure/diagonal": lambda: bounds(
        *(redblack.enclosure(n, n, method="diagonal") for n in (1, 300, 4000))
    ),
    "redblack/enclosure/stairs": lambda: bounds(
        *(redblack.enclosure(n, n, method="staircase") for n in (2, 300, 4000))
    ),
    "redblack/enclosure/blocks": lambda: bounds(redblack.enclosure(10**5, 10**5)),
    "redblack/enclosure/million": lambda: bounds(redblack.enclosure(10**6, 10**6)),
    "redblack/enclosure/rules": lambda: bounds(
        redblack.enclosure(300, 300, rules=ODD),
        redblack.enclosure(10**5, 10**5, rules=TWO_FOR_ONE),
    ),
    "redblack/enclosure/digits": lambda: bounds(
        redblack.enclosure(5000, 5000, digits=13),
        redblack.enclosure(30_000, 30_000, digits=12),
        redblack.enclosure(500, 480, digits=15),
        redblack.enclosure(500, 500, digits=15, rules=FEE),
    ),
    "redblack/enclosures": lambda: bounds(
        redblack.enclosure(cards := [3000, 0, 26, 30_000], cards)
    ),
    "redblack/enclosures/digits": lambda: bounds(
        redblack.enclosure([100, 2000], [100, 2000], digits=14)
    ),
    "redblack/enclosure/views": lambda: of(
        redblack.enclosure(1000, 1000), "width", "midpoint", "digits"
    ),
    "redblack/published": lambda: [
        redblack.published_values().decks,
        bounds(redblack.published_values().enclosure)[::6],
        of(redblack.published_values().thresholds, "exact_up_to", "undecided"),
        redblack.published_values().thresholds.n,
    ],
    "redblack/omniscient": lambda: [
        redblack.foresight_value(red, black)
        for red, black in [(26, 26), (1, 1), (30, 11), (0, 4), (2000, 2040)]
    ],
    "redblack/omniscient/exact": lambda: [
        redblack.foresight_value(26, 26, backend="exact"),
        redblack.foresight_value(9, 14, backend="exact"),
    ],
    "redblack/foresight": lambda: [
        redblack.foresight_value(26, 26, cards=k) for k in (0, 1, 2, 3, 5, 10, 20, 52)
    ],
    "redblack/foresight/uneven": lambda: [
        redblack.foresight_value(30, 21, cards=4),
        redblack.foresight_value(14, 40, cards=3),
        redblack.foresight_value(150, 150, cards=6),
    ],
    "redblack/foresight/exact": lambda: [
        redblack.foresight_value(12, 11, cards=k, backend="exact") for k in (1, 2, 6)
    ],
    "redblack/bridge/value": lambda: redblack.bridge_value(
        [[0.0], [0.5], [0.99]], [-9.0, -0.5, 0.0, 0.5, 1.0]
    ),
}

ADVICE: Questions = {
    "redblack/solve/8+9": lambda: sheet(table(8, 9)),
    "redblack/solve/8+9/exact": lambda: sheet(table(8, 9, "exact")),
    "redblack/solve/26+26": lambda: sheet(table(26, 26)),
    "redblack/solve/26+26/exact": lambda: sheet(table(26, 26, "exact")),
    "redblack/solve/26+26/draw": lambda: sheet(table(26, 26, rules=Rules(tie="draw"))),
    "redblack/solve/rules": lambda: sheet(table(20, 24, rules=ODD)),
    "redblack/solve/rules/exact": lambda: sheet(table(12, 10, "exact", ODD)),
    "redblack/solve/large": lambda: sheet(table(700, 650)),
    "redblack/solve/1000": lambda: sheet(table(1000, 1000)),
    "redblack/solve/ties": lambda: [
        table(6, 7, rules=Rules(win=amount, lose=amount, tie=tie)).ties
        for amount in ("1/1000", 10**6)
        for tie in ("stop", "draw")
    ],
    "redblack/advice": lambda: [
        advice(table(26, 26).advice(red=16, black=22)),
        advice(table(26, 26).advice(drawn=14, good=5)),
        {
            "cash": (found := table(26, 26).advice(red=20, black=18)).cash,
            "value": found.gain,
            "total": found.value,
            "tie": found.tie,
        },
    ],
    "redblack/advice/tie": lambda: [
        advice(table(3, 3, "exact").advice(red=1, black=2)),
        advice(table(3, 3, "exact", Rules(tie="draw")).advice(red=1, black=2)),
        advice(table(3, 3).advice(red=1, black=2)),
    ],
    "redblack/advice/utility": lambda: [
        advice(
            table(26, 26, rules=Rules(utility=utilities.log(wealth=4))).advice(
                red=26, black=22
            )
        ),
        advice(
            table(26, 26, rules=Rules(utility=utilities.exponential(0.5))).advice(
                red=20, black=22
            )
        ),
    ],
    "redblack/position": lambda: played("red", "black", "black"),
    "redblack/position/black": lambda: played(*["red", "black"] * 5, good="black"),
    "redblack/position/stopped": lambda: played("red", "red", "stop"),
    "redblack/boundary": lambda: of(table(26, 26).boundary, "excess", "cash"),
    "redblack/boundary/rules": lambda: of(
        table(20, 24, rules=ODD).boundary, "excess", "cash"
    ),
    "redblack/boundary/large": lambda: of(table(700, 650).boundary, "excess"),
    "redblack/thresholds": lambda: of(
        redblack.thresholds(40), "n", "exact_up_to", "undecided"
    ),
    "redblack/thresholds/diagonal": lambda: of(
        redblack.thresholds(120, method="diagonal"), "n", "exact_up_to", "undecided"
    ),
    "redblack/thresholds/staircase": lambda: of(
        redblack.thresholds(500, method="staircase"), "n", "exact_up_to", "undecided"
    ),
    "redblack/thresholds/draw": lambda: of(
        redblack.thresholds(30, rules=Rules(tie="draw")), "n", "exact_up_to"
    ),
    "redblack/thresholds/rules": lambda: [
        of(redblack.thresholds(25, rules=rules), "n", "exact_up_to", "undecided")
        for rules in (ODD, Rules(win="1.2"), Rules(win=3, lose=3))
    ],
    "redblack/least-red": lambda: redblack.thresholds(9).least_red(range(41)),
    "redblack/least-red/large": lambda: redblack.thresholds(80).least_red(range(3001)),
    "redblack/least-red/rules": lambda: redblack.thresholds(60, rules=ODD).least_red(
        range(41)
    ),
    "redblack/rules": lambda: (
        [of(rules, "gain", "cost") for rules in (Rules(), ODD, FEE)] + [ODD.cash(3, 5)]
    ),
}

LAWS: Questions = {
    "redblack/law/26+26": lambda: law(redblack.distribution(26, 26).payoff),
    "redblack/law/7+7/exact": lambda: law(
        redblack.distribution(7, 7, backend="exact").payoff
    ),
    "redblack/law/uneven": lambda: law(redblack.distribution(31, 22, rules=ODD).payoff),
    "redblack/law/large": lambda: summary(redblack.distribution(5000, 5000).payoff),
    "redblack/law/long": lambda: summary(redblack.distribution(30_000, 29_900).payoff),
    "redblack/law/float-fee": lambda: (
        redblack.distribution(11, 9, rules=Rules(fee=0.1)).payoff.loss_probability
    ),
    "redblack/law/utility": lambda: law(
        redblack.distribution(
            26, 26, rules=Rules(utility=utilities.exponential(0.5))
        ).payoff
    ),
    "redblack/law/cdf": lambda: [
        redblack.distribution(26, 26).payoff.cdf(x) for x in (-1, 0, 2.5, 3, 99)
    ],
    "redblack/duration": lambda: law(redblack.distribution(26, 26).moves),
    "redblack/duration/exact": lambda: law(
        redblack.distribution(5, 6, backend="exact").moves
    ),
    "redblack/duration/draw": lambda: summary(
        redblack.distribution(26, 26, rules=Rules(tie="draw")).moves
    ),
    "redblack/lowest": lambda: law(redblack.distribution(26, 26).lowest_cash),
    "redblack/lowest/exact": lambda: law(
        redblack.distribution(6, 5, backend="exact").lowest_cash
    ),
    "redblack/lowest/uneven": lambda: [
        summary(redblack.distribution(*deck, policy="never_stop").lowest_cash)
        for deck in [(300, 30), (30, 300), (150, 149), (0, 5), (5, 0)]
    ],
    "redblack/lowest/large": lambda: summary(
        redblack.distribution(400, 390).lowest_cash
    ),
    "redblack/lowest/rules": lambda: law(
        redblack.distribution(12, 14, rules=ODD, policy="first_positive").lowest_cash
    ),
    **each(
        "redblack/policy/{}/value",
        {name: policy for name, policy in POLICIES.items() if name != "at_excess"},
        lambda policy: [
            redblack.value(26, 26, policy=policy),
            redblack.value(9, 7, policy=policy, backend="exact"),
        ],
    ),
    **each(
        "redblack/policy/{}/laws",
        POLICIES,
        lambda policy: [
            law(redblack.distribution(26, 26, policy=policy).payoff),
            summary(redblack.distribution(26, 26, policy=policy).moves),
            law(redblack.distribution(26, 26, policy=policy).lowest_cash),
        ],
    ),
    "redblack/policy/within/rules": lambda: [
        redblack.value(20, 22, policy=redblack.OptimalWithin(loss), rules=ODD)
        for loss in (0, 1, 3, "9/2", 30)
    ],
    "redblack/policy/within/exact": lambda: redblack.value(
        14, 14, policy=redblack.OptimalWithin(3, draws=20), backend="exact"
    ),
    "redblack/policy/solution": lambda: redblack.value(
        20, 20, policy=table(26, 26, rules=Rules(tie="draw"))
    ),
    "redblack/policy/rules": lambda: [
        redblack.value(20, 26, policy=policy, rules=FEE)
        for policy in (redblack.StopAtCash("1/2"), "quit_when_negative", patient)
    ],
    "redblack/simulate": lambda: simulated(
        redblack.simulate(26, 26, games=3000, rng=1, paths=9)
    ),
    "redblack/simulate/callable": lambda: simulated(
        redblack.simulate(26, 24, games=2000, policy=patient, rng=2)
    ),
    "redblack/simulate/policies": lambda: [
        simulated(redblack.simulate(26, 26, games=500, policy=policy, rng=3))
        for policy in POLICIES.values()
    ],
    "redblack/simulate/rules": lambda: simulated(
        redblack.simulate(30, 25, games=2000, rules=ODD, rng=4, paths=3)
    ),
    "redblack/simulate/large": lambda: simulated(
        redblack.simulate(4000, 4000, games=300, rng=5)
    ),
    "redblack/simulate/utility": lambda: simulated(
        redblack.simulate(
            20, 20, games=500, rules=Rules(utility=utilities.exponential(1)), rng=6
        )
    ),
}


def _all_states(deck: dict[int, int], solve: Any) -> dict[str, Any]:
    """Return what playing on is worth with all cards left, and where to stop."""
    counts = [deck[worth] for worth in sorted(deck, reverse=True)]
    left = np.indices([count + 1 for count in counts]).reshape(len(counts), -1)
    rows = np.column_stack([left.T, np.zeros(left.shape[1], dtype=int)])
    solution = solve(kinds.game(deck))
    cash = (np.array(counts) - left.T) @ np.sort([*deck])[::-1]
    values = solution.values(rows)[:, 0] - cash
    shape = [count + 1 for count in counts]
    index, _ = solution.optimal_actions(rows[left.any(axis=0)])
    ties = np.zeros(left.shape[1], dtype=bool)
    ties[left.any(axis=0)] = np.bincount(index) > 1
    tables = {"values": values, "ties": ties, "stop": values <= 1e-12}
    return {name: table.reshape(shape) for name, table in tables.items()}


def given_up(found: Any) -> Any:
    """Return what a policy gives up, indexed by the cards left."""
    table = np.zeros((27, 27))
    table[tuple(found.states.T)] = found.given_up
    return table


OTHERS: Questions = {
    "redblack/regret": lambda: [
        given_up(redblack.regret(26, 26, policy="first_positive")),
        redblack.regret(9, 7, policy={"stop": 1, "draw": 2}, backend="exact").loss,
    ],
    "redblack/mixture": lambda: law(
        redblack.distribution(20, 20, policy={"stop": 1, "draw": 9}).lowest_cash
    ),
    "redblack/kinds/value": lambda: [
        kinds.value(deck)
        for deck in (
            {1: 26, 0: 10, -1: 26},
            {2: 30, "1/3": 30, -1: 60},
            {1: 40, -1: 40},
            {5: 2, 2: 6, -1: 9, -3: 4},
            {1: 3, 2: 4},
        )
    ],
    "redblack/kinds/exact": lambda: [
        kinds.value({2: 2, 0: 3, -1: 5}, backend="exact"),
        kinds.value({"5/2": 4, 1: 3, "-1/3": 6, -4: 3}, backend="exact"),
    ],
    "redblack/kinds/solve": lambda: _all_states({2: 2, 0: 3, -1: 5}, exact.solve),
    "redblack/kinds/solve/float": Within(
        1e-12, lambda: _all_states({3: 6, 1: 7, -2: 12}, diagonal.solve)
    ),
    "redblack/urns/uniform": lambda: [
        of(urns.solve([1] * 53), "value"),
        of(urns.solve([1] * 12), "values", "totals", "odds", "ties", "stop"),
    ],
    "redblack/urns/exact": lambda: of(
        urns.solve([1, 2, 0, 3, 1], backend="exact"), "values", "odds", "ties", "stop"
    ),
    "redblack/urns/odds": lambda: [
        urns.solve(urns.fixed_odds(52, odds), backend="exact").value
        for odds in ("1/2", "0.55", "1/3")
    ],
    "redblack/urns/beta": lambda: [
        urns.beta_binomial(6, 2, 3),
        urns.solve(urns.beta_binomial(40, "1/2", "3/2")).value,
        urns.solve(urns.beta_binomial(40, 2, 3), rules=ODD).value,
    ],
    "redblack/urns/ties": lambda: (
        [
            urns.solve([0, 1, 1, 1], rules=Rules(win=amount, lose=amount)).ties
            for amount in ("1/1000", 1, 10**6)
        ]
        + [urns.solve(urns.fixed_odds(12, "1/2"), rules=Rules(win=777, lose=777)).ties]
    ),
    "redblack/urns/known": lambda: urns.solve([0] * 26 + [1] + [0] * 26).value,
    "redblack/urns/large": lambda: urns.solve([1] * 801).value,
    "redblack/urns/utility": lambda: (
        urns.solve([1] * 21, rules=Rules(utility=utilities.exponential(0.3))).value
    ),
    "redblack/urns/advice": lambda: [
        advice(urns.solve([1] * 53).advice(red=1, black=3)),
        {
            "odds": (urn := urns.solve([1, 1, 1], backend="exact")).odds[1, 0],
            "cash": urn.advice(red=1, black=0).values["stop"],
        },
    ],
}

QUESTIONS: Questions = {**VALUES, **CERTAIN, **ADVICE, **LAWS, **OTHERS}
