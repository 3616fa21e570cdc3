"""Small results of all kinds."""

from collections.abc import Callable
from functools import cache, cached_property
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

from .games import Cards

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
RISKY = redblack.Rules(fee="1/20", utility=redblack.utilities.log(wealth=9))
ROW: list[int | str] = [4, 7, 2, "1/3"]
LEFT = nasty(lambda state: "left")
FOLDS = nasty(lambda state: np.full(len(state.hand), "fold"))
GAME = redblack.game(2, 2)
NAMES: dict[str, Any] = {NASTY: [NASTY, 2]}


class Solved:
    """Solutions that several results share, each solved when it is first used."""

    fit = cached_property(lambda _: fitting.fit([1, 2, 3, 4, 5], [1, 3, 2, 5, 4]))
    table = cached_property(lambda _: redblack.solve(4, 3))
    exactly = cached_property(lambda _: redblack.solve(3, 4, backend="exact"))
    deck = cached_property(lambda _: exact.solve(GAME))
    states = cached_property(lambda _: exact.solve(explore(GAME)))
    named = cached_property(
        lambda _: exact.solve(Nasty(), tie_break=nasty(lambda state, best: best[0]))
    )
    pairs = cached_property(lambda _: pairs.solve(SMALL))


ONCE = Solved()

RESULTS: dict[str, Callable[[], Any]] = {
    # Any game.
    "solution": lambda: ONCE.states,
    "solution in floats": lambda: diagonal.solve(explore(GAME)),
    "solution of nasty names": lambda: ONCE.named,
    "solution of arrays": lambda: diagonal.solve(Cards(2, 2)),
    "advice": lambda: ONCE.states.advice(redblack.State(1, 2)),
    "advice of nasty names": lambda: ONCE.named.advice(NASTY),
    "evaluation": lambda: play.evaluate(ONCE.deck, ONCE.deck, backend="exact"),
    "response": lambda: play.best_response(ONCE.deck, ONCE.deck, 0, backend="exact"),
    "response to nobody": lambda: play.best_response(ONCE.deck, [None], 0),
    "equilibrium": lambda: play.equilibrium(ONCE.deck, backend="exact"),
    "regret": lambda: play.regret(ONCE.deck, lambda state: "stop"),
    "regret of nasty names": lambda: play.regret(Nasty(), lambda state: "<i>"),
    "distributions": lambda: play.distribution(ONCE.deck, ONCE.deck),
    "distributions, exact": lambda: play.distribution(
        ONCE.deck, ONCE.deck, backend="exact"
    ),
    "moves": lambda: play.distribution(ONCE.deck, ONCE.deck).moves,
    "one game": lambda: play.simulate(ONCE.deck, ONCE.deck, 1, rng=1),
    "games": lambda: play.simulate(ONCE.deck, ONCE.deck, 20, histories=2, rng=1),
    "variants": lambda: play.variants(deck, red=[2, 3, -1], fee=[0, "1/5"]),
    "variants of Pairs": lambda: play.variants(
        lambda target: pairs.game(pairs.Rules(deck=2, target=target)), target=[2, 3]
    ),
    "variants of nasty names": lambda: play.variants(lambda **names: Nasty(), **NAMES),
    "short rule": lambda: play.short_rule(
        ONCE.deck, {"red": "red", "black": "black"}, 1
    ),
    "breakpoints": lambda: play.breakpoints(lambda fee: deck(4, fee), 0, 1),
    # Red and black cards.
    "table": lambda: ONCE.table,
    "table with a fee": lambda: redblack.solve(2, 2, rules=RISKY),
    "red or black": lambda: ONCE.table.advice(redblack.State(1, 2)),
    "red or black, exact": lambda: ONCE.exactly.advice(redblack.State(3, 4)),
    "boundary": lambda: redblack.boundary(redblack.solve(26, 26)),
    "enclosure": lambda: redblack.enclosure(3, 4),
    "law": lambda: redblack.lowest_cash(3, 4),
    "law, exact": lambda: (
        play.distribution(ONCE.exactly, backend="exact", count="draw").moves
    ),
    "long law": lambda: play.distribution(redblack.solve(22, 22), count="draw").moves,
    "mixed regret": lambda: play.regret(GAME, lambda state: {"stop": 1, "draw": 1}),
    "thresholds": lambda: redblack.thresholds(7),
    "thresholds in doubt": lambda: redblack.Thresholds(
        np.array([3, -1]), redblack.Rules()
    ),
    "published": redblack.published_values,
    "urn": lambda: diagonal.solve(urns.game([1, 2, 1])),
    "urn advice": lambda: diagonal.solve(urns.game([1, 2, 1])).advice((1, 0)),
    "red/black games": lambda: play.simulate(
        ONCE.exactly, games=10, rng=1, count="draw"
    ),
    # Cards in a row.
    "row": lambda: cardrow.solve([4, 7, 2]),
    "row of three players": lambda: cardrow.solve(
        ROW, rules=cardrow.Rules(players=3, take=2)
    ),
    "row advice": lambda: play.Position(cardrow.solve(ROW, backend="exact")).advice(),
    "row advice, many": lambda: cardrow.solve(
        [1] * 50, rules=cardrow.Rules(take=20)
    ).advice(cardrow.State(0, 49)),
    "match": lambda: cardrow.match(ROW),
    "match, nasty": lambda: cardrow.match([4, 7, 2], "greedy", LEFT),
    "row response": lambda: cardrow.best_response(
        ROW, play.mixture({"random": 1, "larger": 2}), backend="exact"
    ),
    "row response, sure": lambda: cardrow.best_response(ROW, "random", slack="1/2"),
    "row response, nasty": lambda: cardrow.best_response(ROW, LEFT, backend="exact"),
    "row response for wins": lambda: cardrow.best_response(
        [4, 7, 2], "random", goal="win", backend="exact"
    ),
    "row response to two": lambda: cardrow.best_response(
        ROW, ["random", "greedy"], rules=cardrow.Rules(players=3)
    ),
    "row laws": lambda: play.distribution(cardrow.game(ROW), ["random", "larger"]),
    "tournament": lambda: cardrow.tournament(
        ["larger", "random"], [[4, 7, 2]] * 3, rng=1
    ),
    "tournament, nasty": lambda: cardrow.tournament(
        {NASTY: "larger", "sly": "greedy"}, [ROW]
    ),
    # Pairs.
    "pairs": lambda: ONCE.pairs,
    "pairs, exact": lambda: exact.solve(pairs.game(LITTLE)),
    "pairs for points": lambda: pairs.solve(LITTLE, goal="points"),
    "pairs advice": lambda: ONCE.pairs.advice(pairs.state([2], [3], rules=SMALL)),
    "pairs advice, forced": lambda: ONCE.pairs.advice(pairs.state(rules=SMALL)),
    "scores": lambda: pairs.score_table(ONCE.pairs),
    "opening": lambda: pairs.opening_table(ONCE.pairs),
    "opening of three": lambda: pairs.opening_table(
        pairs.solve(pairs.Rules(players=3, deck=3, target=4))
    ),
    "round": lambda: pairs.positions(ONCE.pairs),
    "pairs response": lambda: play.best_response(
        pairs.game(LITTLE), [None, pairs.HitBelow("1/4")], 0
    ),
    "win rates": lambda: pairs.rates(LITTLE, "optimal"),
    "win rates of two, nasty": lambda: pairs.rates(LITTLE, ["optimal", FOLDS]),
    "win rates of games": lambda: pairs.rates(LITTLE, "never_hit", games=9, rng=1),
    "pairs regret": lambda: play.regret(pairs.game(LITTLE), "never_hit", 1),
    "pairs enclosure": lambda: pairs.enclosure(LITTLE),
    "pairs games": lambda: play.simulate(
        pairs.game(LITTLE), ["optimal", "never_hit"], 10, rng=1
    ),
    # Fits and limits.
    "fit": lambda: ONCE.fit,
    "fit of nothing": lambda: fitting.fit([1, 4, 9], [0, 0, 0]),
    "asymptotic": lambda: fitting.asymptotic_value(1000),
    "asymptotic values": lambda: fitting.asymptotic_value([1000, 2000]),
    "asymptotic deck": lambda: fitting.asymptotic_value(1000, 1010),
    "term": lambda: fitting.GROWTH_TERMS[0],
    "limit": lambda: fitting.LimitDistribution("duration"),
}
"""How a result of each kind is made."""


@cache
def result(name: str) -> Any:
    """Return a result, which is made when it is first used."""
    return RESULTS[name]()
