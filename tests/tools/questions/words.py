"""What is read: errors, printed results, and what pictures show."""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import Any

import numpy as np

from ...written import RedBlack, Table
from ..asked import Questions, refused, too_large
from .pairs import SMALL, THREE, USUAL, solved
from .redblack import table

# Without static types: what is refused here has wrong ones.
DOORS = "cardrow diagonal exact fitting interop pairs play plots redblack"
cardrow, diagonal, exact, fitting, interop, pairs, play, plots, redblack = (
    import_module(f"cardgames_dp.{name}") for name in DOORS.split()
)
Rules, kinds = redblack.Rules, redblack.kinds
urns, utilities = redblack.urns, redblack.utilities

SIX = [4, 4, 6, 6, 12, 9]
DECKS = [1, 5, 20, 50, 100, 200, 500, 1000]


class Waiting:
    """A play that comes back."""

    num_players = 1

    def initial_state(self) -> str:
        return "here"

    def current_player(self, state: str) -> int:
        return 0

    def legal_actions(self, state: str) -> list[str]:
        return ["wait"]

    def next_state(self, state: str, action: str) -> str:
        return "here"

    def chance_outcomes(self, state: str) -> list[Any]:
        return []

    def returns(self, state: str) -> list[int]:
        return [0]


class Endless(Waiting):
    """More states than memory holds."""

    def initial_state(self) -> Any:
        return 0

    def next_state(self, state: Any, action: str) -> Any:
        return state + 1


def solve(rows: Any, **options: Any) -> Any:
    return exact.solve(Table(rows), **options)


def thumb(state: Any) -> str:
    return "draw" if state[0] and state[1] - state[0] < 2 else "stop"


GIVEN: tuple[dict[str, Any], ...] = (
    {"players": 1},
    {"deck": {}},
    {"deck": {0: 1}},
    {"target": 0},
    {"reshuffle": "never"},
    {"first": "lowest"},
    {"burn": -1},
    {"tie": "draw"},
    {"capacity": 0},
    {"deck": {1: 3}, "burn": 3},
    {"shuffle_limit": 1},
    {"reshuffle": "essay", "burn": 1},
    {"deck": {1: 2, 3: 1}, "capacity": {1: 1}},
)

ERRORS: Questions = {
    "errors/redblack/counts": lambda: [
        *[refused(partial(redblack.value, x, 3)) for x in (-1, True, 2.0, "2", None)],
        refused(lambda: redblack.solve(3, -2)),
        refused(lambda: redblack.thresholds(3).least_red(-1)),
    ],
    "errors/redblack/words": lambda: [
        refused(lambda: redblack.value(2, 2, backend="float32")),
        refused(lambda: redblack.value(2, 2, method="guess")),
        refused(lambda: redblack.value(2, 2, policy="optimum")),
        refused(lambda: redblack.value(2, 2, rules="x")),
        refused(lambda: Rules(tie="hit")),
    ],
    "errors/redblack/rules": lambda: [
        refused(lambda: Rules(win=-1)),
        refused(lambda: Rules(fee=float("nan"))),
        refused(lambda: Rules(utility=3)),
        refused(lambda: redblack.value(3, 3, rules=Rules(utility=lambda x: "high"))),
        refused(lambda: utilities.power(1, wealth=4)),
        refused(lambda: utilities.log(wealth=0)),
    ],
    "errors/redblack/methods": lambda: [
        refused(lambda: redblack.value(2, 2, method="staircase", backend="exact")),
        refused(lambda: redblack.value(500, 800, method="staircase")),
        refused(lambda: redblack.value([1, 2**50], [1, 2**50], method="staircase")),
        refused(lambda: redblack.thresholds(2, rules=Rules(fee="1/2"))),
    ],
    "errors/redblack/digits": lambda: [
        refused(lambda: redblack.value(2, 2, digits=0)),
        refused(lambda: redblack.value(2, 2, digits=10**9)),
        refused(lambda: redblack.value(2, 2, digits=9, policy="never_stop")),
        refused(lambda: redblack.enclosure(2, 2, digits=16)),
        refused(lambda: redblack.enclosure(2, 2, rules=Rules(utility=abs))),
    ],
    "errors/redblack/policies": lambda: [
        refused(lambda: redblack.StopAtLoss(-1)),
        refused(lambda: redblack.StopAfter(1.5)),
        refused(redblack.OptimalWithin),
        refused(redblack.StopAtFirst),
        refused(lambda: redblack.distribution(3, 3, policy=lambda r, b: "yes").payoff),
        refused(lambda: redblack.value(9, 9, policy=table(2, 2))),
    ],
    "errors/redblack/states": lambda: [
        refused(lambda: table(3, 3).advice(red=4, black=0)),
        refused(lambda: table(3, 3).advice(red=1)),
        refused(lambda: redblack.Position(table(2, 2)).play("blue")),
        refused(lambda: redblack.Position(table(2, 0)).play("black")),
    ],
    "errors/redblack/size": lambda: [
        too_large(lambda: redblack.solve(26, 26)),
        too_large(lambda: kinds.value({5: 2, 2: 6, -1: 9})),
        too_large(lambda: urns.solve([1] * 99)),
    ],
    "errors/redblack/others": lambda: [
        refused(lambda: kinds.value(3)),
        refused(lambda: kinds.value({1: -2})),
        refused(lambda: urns.solve([0, 0])),
        refused(lambda: urns.solve([1, -1])),
        refused(lambda: urns.fixed_odds(5, 2)),
        refused(lambda: redblack.foresight_value(5, 5, cards=-1)),
        refused(lambda: redblack.bridge_value(2, 0)),
        refused(lambda: redblack.simulate(5, 5, games=0)),
    ],
    "errors/cardrow": lambda: [
        refused(lambda: cardrow.value([])),
        refused(lambda: cardrow.value(7)),
        refused(lambda: cardrow.value([1, None])),
        refused(lambda: cardrow.value([1, float("inf")])),
        refused(lambda: cardrow.value(SIX, rules=cardrow.Rules(weights=[1, 2]))),
        refused(lambda: cardrow.Rules(take=0)),
        refused(lambda: cardrow.Rules(players=3, weights=[1])),
        refused(lambda: cardrow.values([[1], []])),
        refused(lambda: cardrow.value("A X")),
    ],
    "errors/cardrow/players": lambda: [
        refused(lambda: cardrow.match(SIX, "largest", "random")),
        refused(lambda: cardrow.match(SIX, lambda c, left, right: "up", "random")),
        refused(lambda: cardrow.best_response(SIX, "random", goal="draw")),
        refused(lambda: cardrow.best_response(SIX, "random", slack=-1)),
        refused(lambda: cardrow.tournament(["greedy", "greedy"], [SIX])),
        refused(lambda: cardrow.match(SIX, {}, "random")),
        refused(lambda: cardrow.solve(SIX).advice(3, 2)),
        refused(lambda: cardrow.Position(SIX).play("top")),
        too_large(lambda: cardrow.solve(range(2000))),
    ],
    "errors/pairs/rules": lambda: [
        refused(partial(pairs.Rules, **given)) for given in GIVEN
    ],
    "errors/pairs": lambda: [
        refused(lambda: pairs.solve(3)),
        refused(lambda: pairs.evaluate(USUAL, ["optimal"])),
        refused(lambda: pairs.evaluate(USUAL, "always")),
        refused(lambda: pairs.best_response(USUAL, lambda view: 3)),
        refused(lambda: pairs.solve(USUAL, goal=2)),
        refused(lambda: pairs.solve(USUAL, goal=lambda scores: [1])),
        refused(lambda: pairs.enclosure(THREE)),
        refused(lambda: pairs.HitBelow(2)),
        refused(lambda: pairs.FoldUpTo(-1)),
        refused(lambda: pairs.OfficialRules(deck={1: 2}, target=3)),
        refused(lambda: pairs.published(7)),
        refused(lambda: solved().advice(hand=[2, 2], others=[1], scores=[0, 0])),
        refused(lambda: solved().advice(hand=[2], others=[1], scores=[0, 99])),
        refused(lambda: solved().value_at([1])),
        refused(lambda: pairs.Position(solved()).play("fold")),
        too_large(pairs.solve),
    ],
    "errors/games": lambda: [
        refused(lambda: exact.solve(3)),
        refused(lambda: exact.solve(Waiting())),
        refused(lambda: exact.solve(Endless(), max_states=100)),
        refused(lambda: exact.solve(RedBlack(9, 9), max_states=100)),
        refused(lambda: exact.solve(RedBlack(2, 2), tie_break="best")),
        refused(lambda: solve({0: ("chance", [(-1, 1)])})),
        refused(lambda: solve({0: ("chance", [])})),
        refused(lambda: solve({0: ("end", [0.5])})),
        refused(lambda: solve({0: ("end", [1, 2])})),
        refused(lambda: solve({0: (0, {})})),
        refused(lambda: solve({0: (7, {"a": 1}), 1: ("end", [1])})),
        refused(lambda: solve({0: ("chance", [(0, 1)]), 1: ("end", [1])})),
        refused(lambda: diagonal.solve(RedBlack(2, 2)).advice((1, 1, "stop"))),
        refused(lambda: diagonal.solve(RedBlack(2, 2)).values[9, 9, "stop"]),
        refused(lambda: interop.to_efg(RedBlack(30, 30))),
    ],
    "errors/play": lambda: [
        refused(lambda: play.evaluate(RedBlack(2, 2), "optimal")),
        refused(lambda: play.evaluate(RedBlack(2, 2), [thumb, thumb])),
        refused(lambda: play.evaluate(RedBlack(2, 2), lambda state: "hit")),
        refused(lambda: play.evaluate(RedBlack(2, 2), lambda state: {"stop": -1})),
        refused(lambda: play.best_response(RedBlack(2, 2), thumb, 1)),
        refused(lambda: play.simulate(RedBlack(2, 2), thumb, 0)),
        refused(lambda: play.distribution(RedBlack(2, 2), {})),
    ],
    "errors/fitting": lambda: [
        refused(lambda: fitting.fit([1, 2], [1, 2, 3])),
        refused(lambda: fitting.fit([1, 2], [1, 2])),
        refused(lambda: fitting.fit([1, 2, 3], [1, 2, 3], "cubic")),
        refused(lambda: fitting.asymptotic_value(10)),
        refused(lambda: fitting.asymptotic_deck(10**6, 1)),
        refused(lambda: fitting.limit_distribution("rounds")),
        refused(lambda: fitting.limit_distribution("payoff").quantile(2)),
        refused(lambda: fitting.shepp_alpha(0)),
        refused(lambda: fitting.decay_exponent(0)),
    ],
}

TEXTS: Questions = {
    "text/redblack/table": lambda: str(table(5, 5).to_text()),
    "text/redblack/boundary": lambda: str(table(26, 26).boundary).rpartition("\n(")[0],
    "text/redblack/advice": lambda: [
        str(table(26, 26).advice(red=16, black=22)),
        str(table(3, 3, "exact").advice(red=1, black=2)),
        str(table(3, 3).advice(red=0, black=0)),
    ],
    "text/redblack/law": lambda: [
        str(redblack.distribution(26, 26).payoff),
        str(redblack.distribution(2, 2, backend="exact").moves),
        str(redblack.distribution(200, 200).payoff),
    ],
    "text/redblack/simulate": lambda: str(redblack.simulate(26, 26, games=100, rng=1)),
    "text/redblack/others": lambda: [
        str(urns.solve([1] * 53).advice(red=1, black=3)),
    ],
    "text/cardrow": lambda: [
        str(cardrow.solve(SIX)),
        str(cardrow.solve(SIX).advice(0, 5)),
        str(cardrow.advice_of_rows([1, 5, 1], [2, 3])),
        str(cardrow.match(SIX, "greedy", "larger", rules=cardrow.Rules(tie="right"))),
        str(
            cardrow.tournament(
                ["optimal", "greedy"], [SIX, SIX[:4]], rules=cardrow.Rules(tie="right")
            )
        ),
        str(
            cardrow.distribution(
                SIX, "greedy", "random", rules=cardrow.Rules(tie="right")
            )
        ),
        str(
            cardrow.best_response(
                SIX, "random", goal="win", rules=cardrow.Rules(tie="right")
            )
        ),
    ],
    "text/pairs": lambda: [
        str(solved().advice(hand=[2, 3], others=[4, 1], scores=[3, 5])),
        str(solved().opening_table()),
        str(solved("three").opening_table()),
        str(pairs.evaluate(THREE, ["fifty_percent", "optimal", "expected_points"])),
        str(pairs.regret(SMALL, "fifty_percent", most=3)),
        str(pairs.simulate(SMALL, "fifty_percent", games=100, rng=1)),
    ],
    "text/games": lambda: [
        str(exact.solve(RedBlack(3, 3)).advice((1, 2, "decide"))),
        str(play.distribution(RedBlack(3, 3), thumb)),
        str(play.regret(RedBlack(6, 6), thumb)),
        str(play.simulate(RedBlack(3, 3), thumb, 100, rng=1)),
    ],
    "text/short": lambda: [
        repr(table(26, 26)),
        repr(redblack.enclosure(26, 26)),
        repr(cardrow.solve(SIX)),
        repr(solved()),
        repr(exact.solve(RedBlack(3, 3))),
        repr(diagonal.solve(RedBlack(3, 3))),
        repr(Rules(win="3/2", fee=0.1)),
        repr(pairs.Rules(deck={1: 2, 4: 2}, target=7, reshuffle="exhausted")),
        repr(cardrow.Rules(take=2, misere=True)),
    ],
}


def drawn(axes: Any) -> Any:
    """Return what pictures show, in numbers and words."""
    return [
        {
            "labels": [ax.get_title(), ax.get_xlabel(), ax.get_ylabel()],
            "lines": [np.asarray(line.get_xydata(), float) for line in ax.lines],
            "bars": [
                [bar.get_x(), bar.get_y(), bar.get_width(), bar.get_height()]
                for bar in ax.patches[:20]
                if hasattr(bar, "get_height")
            ],
            "texts": [text.get_text() for text in ax.texts][:20],
            "images": [np.ma.filled(image.get_array(), -99) for image in ax.images],
        }
        for ax in np.ravel(axes)
    ]


def _values(cards: Any) -> Any:
    return redblack.value(cards, cards)


PICTURES: Questions = {
    "picture/redblack": lambda: [
        drawn(redblack.plots.plot_sheet(table(8, 9))),
        drawn(redblack.plots.plot_boundary(table(26, 26).boundary)),
        drawn(plots.plot_distribution(redblack.distribution(26, 26).payoff)),
        drawn(
            redblack.plots.plot_paths(
                redblack.simulate(26, 26, games=4, paths=4, rng=1)
            )
        ),
    ],
    "picture/cardrow": lambda: [
        drawn(cardrow.plots.plot_table(cardrow.solve(SIX))),
        drawn(cardrow.plots.plot_play(cardrow.match(SIX))),
        drawn(cardrow.plots.plot_collapse([*SIX, 3, 8, 2, 7])),
        drawn(
            cardrow.plots.plot_tournament(
                cardrow.tournament(["optimal", "greedy"], cardrow.deal(30, 8, rng=1))
            )
        ),
    ],
    "picture/pairs": lambda: [
        drawn(pairs.plots.plot_hands(solved().round([0, 0]), own=1, other=1)),
        drawn(pairs.plots.plot_hands(solved().round([0, 0]), own=1, other=2)),
        drawn(pairs.plots.plot_scores(solved())),
    ],
    "picture/fitting": lambda: [
        drawn(
            fitting.plots.plot_fits(
                [
                    fitting.fit(DECKS, _values(DECKS), model)
                    for model in ("log", "sqrt")
                ],
                fitting.asymptotic_value([1000, 1500, 2000]),
            )
        ),
        drawn(fitting.plots.plot_missing([fitting.fit(DECKS, _values(DECKS))])),
        drawn(
            fitting.plots.plot_limit(
                fitting.limit_distribution("payoff"),
                {26: redblack.distribution(26, 26).payoff},
            )
        ),
    ],
    "picture/games": lambda: [
        drawn(plots.plot_tree(exact.solve(RedBlack(2, 1)))),
        drawn(plots.plot_distribution(play.distribution(RedBlack(3, 3), thumb))),
    ],
}

QUESTIONS: Questions = {**ERRORS, **TEXTS, **PICTURES}
