"""Small results of all kinds."""

from typing import Any

import numpy as np

from cardgames_dp import (
    cardrow,
    diagonal,
    exact,
    fitting,
    pairs,
    play,
    redblack,
)
from cardgames_dp.game import TERMINAL, explore
from cardgames_dp.redblack import urns

from .written import Cards

NASTY = "<script>alert('&amp;')</script><b id=\"x\">"


class Nasty:
    """A game whose states and actions are text that is no one's friend."""

    num_players = 1

    def initial_state(self) -> str:
        return NASTY

    def current_player(self, state: str) -> int:
        return 0 if state == NASTY else TERMINAL

    def legal_actions(self, state: str) -> list[str]:
        return [NASTY, "<i>", NASTY + "&"]

    def next_state(self, state: str, action: str) -> str:
        return "&lt;" if action.startswith(NASTY) else "</td>"

    def chance_outcomes(self, state: str) -> list[tuple[int, str]]:
        raise AssertionError

    def returns(self, state: str) -> list[int]:
        return [1 if state == "&lt;" else 0]


def nasty(function: Any) -> Any:
    function.__name__ = NASTY
    return function


def deck(red: int, fee: Any) -> Any:
    return redblack.game(red, 4, rules=redblack.Rules(fee=fee))


LITTLE = pairs.Rules(deck={1: 2, 2: 2}, target=2)
SMALL = pairs.Rules(deck=3, target=5)
PAIRS = pairs.solve(SMALL)
FIT = fitting.fit([1, 2, 3, 4, 5], [1, 3, 2, 5, 4])
TABLE, EXACTLY = redblack.solve(4, 3), redblack.solve(3, 4, backend="exact")
RISKY = redblack.Rules(fee="1/20", utility=redblack.utilities.log(wealth=9))
ROW: list[int | str] = [4, 7, 2, "1/3"]
LEFT = nasty(lambda state: "left")
FOLDS = nasty(lambda state: np.full(len(state.hand), "fold"))
GAME = redblack.game(2, 2)
SOLVED, STATES = exact.solve(GAME), exact.solve(explore(GAME))
NAMED = exact.solve(Nasty(), tie_break=nasty(lambda state, best: best[0]))
NAMES: dict[str, Any] = {NASTY: [NASTY, 2]}

RESULTS: dict[str, Any] = {
    # Any game.
    "solution": STATES,
    "solution in floats": diagonal.solve(explore(GAME)),
    "solution of nasty names": NAMED,
    "solution of arrays": diagonal.solve(Cards(2, 2)),
    "solution of arrays, exact": exact.solve(Cards(2, 2)),
    "advice": STATES.advice(redblack.State(1, 2)),
    "advice in floats": diagonal.solve(explore(GAME)).advice(redblack.State(1, 2)),
    "advice of nasty names": NAMED.advice(NASTY),
    "evaluation": play.evaluate(SOLVED, SOLVED, backend="exact"),
    "response": play.best_response(SOLVED, SOLVED, 0, backend="exact"),
    "response to nobody": play.best_response(SOLVED, [None], 0),
    "response of nasty names": play.best_response(Nasty(), lambda state: "<i>", 0),
    "equilibrium": play.equilibrium(SOLVED, backend="exact"),
    "regret": play.regret(SOLVED, lambda state: "stop"),
    "regret, exact": play.regret(SOLVED, lambda state: "stop", backend="exact"),
    "regret of nasty names": play.regret(Nasty(), lambda state: "<i>"),
    "distributions": play.distribution(SOLVED, SOLVED),
    "distributions, exact": play.distribution(SOLVED, SOLVED, backend="exact"),
    "moves": play.distribution(SOLVED, SOLVED).moves,
    "one game": play.simulate(SOLVED, SOLVED, 1, rng=1),
    "games": play.simulate(SOLVED, SOLVED, 20, histories=2, rng=1),
    "variants": play.variants(deck, red=[2, 3, -1], fee=[0, "1/5"]),
    "variants of Pairs": play.variants(
        lambda target: pairs.game(pairs.Rules(deck=2, target=target)), target=[2, 3]
    ),
    "variants of nasty names": play.variants(lambda **names: Nasty(), **NAMES),
    "short rule": play.short_rule(SOLVED, {"red": "red", "black": "black"}, 1),
    "breakpoints": play.breakpoints(lambda fee: deck(4, fee), 0, 1),
    # Red and black cards.
    "table": TABLE,
    "table, exact": EXACTLY,
    "table with a fee": redblack.solve(2, 2, rules=RISKY),
    "table, thinned": redblack.solve(3, 60),
    "red or black": TABLE.advice(redblack.State(1, 2)),
    "red or black, exact": EXACTLY.advice(redblack.State(3, 4)),
    "boundary": redblack.boundary(redblack.solve(26, 26)),
    "boundary, exact": redblack.boundary(EXACTLY),
    "enclosure": redblack.enclosure(3, 4),
    "law": redblack.lowest_cash(3, 4),
    "law, exact": play.distribution(EXACTLY, backend="exact", count="draw").moves,
    "long law": play.distribution(redblack.solve(22, 22), count="draw").moves,
    "mixed regret": play.regret(GAME, lambda state: {"stop": 1, "draw": 1}),
    "thresholds": redblack.thresholds(7),
    "thresholds in doubt": redblack.Thresholds(np.array([3, -1]), redblack.Rules()),
    "published": redblack.published_values(),
    "urn": diagonal.solve(urns.game([1, 2, 1])),
    "urn, exact": exact.solve(urns.game([1, 0, 2])),
    "urn advice": diagonal.solve(urns.game([1, 2, 1])).advice((1, 0)),
    "red/black games": play.simulate(EXACTLY, games=10, rng=1, count="draw"),
    # Cards in a row.
    "row": cardrow.solve([4, 7, 2]),
    "row of ties": cardrow.solve([4, 7, 2, 9, 9, 3, 8, 8, 1, 5] * 3),
    "row of three players": cardrow.solve(ROW, rules=cardrow.Rules(players=3, take=2)),
    "row advice": play.Position(cardrow.solve(ROW, backend="exact")).advice(),
    "row advice, two cards": cardrow.solve(
        [0, 1, 0], rules=cardrow.Rules(take=2)
    ).advice(cardrow.State(0, 2)),
    "row advice, many": cardrow.solve([1] * 50, rules=cardrow.Rules(take=20)).advice(
        cardrow.State(0, 49)
    ),
    "match": cardrow.match(ROW),
    "match, nasty": cardrow.match([4, 7, 2], "greedy", LEFT),
    "row response": cardrow.best_response(
        ROW, play.mixture({"random": 1, "larger": 2}), backend="exact"
    ),
    "row response, sure": cardrow.best_response(ROW, "random", slack="1/2"),
    "row response by the cards left": play.best_response(
        cardrow.game(ROW), [None, LEFT], 0, backend="exact"
    ),
    "row response, nasty": cardrow.best_response(ROW, LEFT, backend="exact"),
    "row response in floats": cardrow.best_response([4, 7, 2], "random"),
    "row response for wins": cardrow.best_response(
        [4, 7, 2], "random", goal="win", backend="exact"
    ),
    "row response to two": cardrow.best_response(
        ROW, ["random", "greedy"], rules=cardrow.Rules(players=3)
    ),
    "row laws": play.distribution(cardrow.game(ROW), ["random", "larger"]),
    "tournament": cardrow.tournament(["larger", "random"], [[4, 7, 2]] * 3, rng=1),
    "tournament, nasty": cardrow.tournament({NASTY: "larger", "sly": "greedy"}, [ROW]),
    # Pairs.
    "pairs": PAIRS,
    "pairs, exact": exact.solve(pairs.game(LITTLE)),
    "pairs for points": pairs.solve(LITTLE, goal="points"),
    "pairs advice": PAIRS.advice(pairs.state([2], [3], rules=SMALL)),
    "pairs advice, forced": PAIRS.advice(pairs.state(rules=SMALL)),
    "scores": pairs.score_table(PAIRS),
    "opening": pairs.opening_table(PAIRS),
    "opening of three": pairs.opening_table(
        pairs.solve(pairs.Rules(players=3, deck=3, target=4))
    ),
    "round": pairs.positions(PAIRS),
    "pairs response": play.best_response(
        pairs.game(LITTLE), [None, pairs.HitBelow("1/4")], 0
    ),
    "win rates": pairs.rates(LITTLE, "optimal"),
    "win rates of two, nasty": pairs.rates(LITTLE, ["optimal", FOLDS]),
    "win rates of games": pairs.rates(LITTLE, "never_hit", games=9, rng=1),
    "pairs regret": play.regret(pairs.game(LITTLE), "never_hit", 1),
    "pairs enclosure": pairs.enclosure(LITTLE),
    "pairs games": play.simulate(
        pairs.game(LITTLE), ["optimal", "never_hit"], 10, rng=1
    ),
    # Fits and limits.
    "fit": FIT,
    "fit of nothing": fitting.fit([1, 4, 9], [0, 0, 0]),
    "asymptotic": fitting.asymptotic_value(1000),
    "asymptotic values": fitting.asymptotic_value([1000, 2000]),
    "asymptotic deck": fitting.asymptotic_value(1000, 1010),
    "term": fitting.GROWTH_TERMS[0],
    "limit": fitting.LimitDistribution("duration"),
}
"""Results of all kinds, each with the name by which ``shown.txt`` has it."""
