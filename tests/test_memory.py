"""What would not fit in memory is refused before memory is taken."""

from __future__ import annotations

import inspect
import itertools
import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import cardgames_dp
from cardgames_dp import (
    TooLargeError,
    cardrow,
    diagonal,
    exact,
    fitting,
    game,
    interop,
    pairs,
    play,
    plots,
    redblack,
)
from cardgames_dp.game import TooManyStatesError
from cardgames_dp.redblack import kinds, urns

from .games import Table
from .test_package import MODULES

MIB = 2**20
N = 10**7
MANY = np.broadcast_to(0.5, N)
ONES = np.broadcast_to(1, N)
ROW, ROWS = range(1, N), np.broadcast_to(1, (N, 5))
HALF = np.broadcast_to(1, (3000, 1)), np.broadcast_to(1, 3000)
TWO_CARDS = cardrow.Rules(take=2)
DECK = {1: 400, 0: 400, -1: 400}
SHEDS = pairs.FoldUpTo(3)
PAIRS = pairs.Rules(target=60)
SMALL = pairs.Rules(deck=3, target=3)
LARGE = redblack.game(1000, 1000)
EXPLORED = game.explore(redblack.game(3, 3))


class Wide(Table):
    """One state has more actions, or outcomes, than memory holds."""

    def __init__(self, player: int = 0, *, same: bool = False) -> None:
        super().__init__({})
        self.player, self.same = player, same

    def current_player(self, state: Any) -> int:
        return -4 if state else self.player

    def legal_actions(self, _: Any) -> Any:
        return range(10**20)

    def next_state(self, _: Any, action: Any) -> Any:
        return 1 if self.same else action + 1

    def chance_outcomes(self, _: Any) -> Any:
        return ((1, 1 if self.same else i) for i in itertools.count())

    def returns(self, _: Any) -> Any:
        return [1]


class WideArrays:
    """The same in arrays."""

    num_players = 1

    def initial_states(self) -> Any:
        return np.zeros(1, int)

    def current_players(self, states: Any) -> Any:
        return np.where(states, -4, -1)

    def chance_outcomes(self, _: Any) -> Any:
        return np.broadcast_to(0, N), ONES, ONES

    def returns(self, states: Any) -> Any:
        return states

    legal_actions = next_states = lambda *_: None


ARRAYS: Any = WideArrays()


def draws(_: Any) -> str:
    return "draw"


CALLS: list[tuple[Callable[..., Any], Callable[[], Any]]] = [
    (cardrow.best_response, lambda: cardrow.best_response(ROW, "greedy")),
    (
        cardrow.best_response,
        lambda: cardrow.best_response(range(900), "random", goal="win"),
    ),
    (cardrow.collapsed, lambda: cardrow.collapsed(ROW)),
    (cardrow.brute_force, lambda: cardrow.brute_force(ROW)),
    (cardrow.deal, lambda: cardrow.deal(N, 20)),
    (cardrow.deal, lambda: cardrow.deal(2, N, replace=True)),
    (cardrow.deal, lambda: cardrow.deal(2, 2, deck=range(N))),
    (cardrow.game, lambda: cardrow.game(ROW)),
    (cardrow.match, lambda: cardrow.match(ROW, "random", "random")),
    (cardrow.solve, lambda: cardrow.solve(range(2000), rules=TWO_CARDS)),
    (cardrow.solve, lambda: cardrow.solve(range(2000)).table()),
    (cardrow.solve, lambda: cardrow.solve(range(2000)).explored),
    (cardrow.tournament, lambda: cardrow.tournament({"a": "random"}, ROWS)),
    (cardrow.value, lambda: cardrow.value(ROW)),
    (cardrow.value, lambda: cardrow.value([1, 2], stacks=[ROW])),
    (cardrow.values, lambda: cardrow.values(ROWS)),
    (cardrow.values, lambda: cardrow.values(ROWS, "greedy")),
    (diagonal.solve, lambda: diagonal.solve(ARRAYS)),
    (exact.solve, lambda: exact.solve(Wide())),
    (exact.solve, lambda: exact.solve(redblack.game(1000, 1000))),
    (fitting.asymptotic_value, lambda: fitting.asymptotic_value(MANY)),
    (fitting.fit, lambda: fitting.fit(MANY, MANY, "sqrt")),
    (game.check, lambda: game.check(Wide(same=True), plays=2)),
    (game.explore, lambda: game.explore(LARGE)),
    (game.explore, lambda: game.explore(Wide(same=True))),
    (game.explore, lambda: game.explore(Wide(-1))),
    (game.explore, lambda: game.explore(Wide(-1, same=True))),
    (interop.to_efg, lambda: interop.to_efg(redblack.game(5, 5))),
    (
        interop.to_open_spiel,
        lambda: (pytest.importorskip("pyspiel"), interop.to_open_spiel(LARGE)),
    ),
    (play.best_response, lambda: play.best_response(pairs.game(PAIRS), SHEDS, 0)),
    (pairs.enclosure, lambda: pairs.enclosure(PAIRS)),
    (play.evaluate, lambda: play.evaluate(pairs.game(PAIRS), [SHEDS, SHEDS])),
    (play.regret, lambda: play.regret(pairs.game(PAIRS), SHEDS)),
    (pairs.rates, lambda: pairs.rates(PAIRS, [SHEDS, SHEDS])),
    (play.simulate, lambda: play.simulate(pairs.game(SMALL), SHEDS, 10**12)),
    (pairs.solve, lambda: pairs.solve(PAIRS)),
    (pairs.solve, lambda: pairs.solve(PAIRS, backend="exact")),
    (play.best_response, lambda: play.best_response(Wide(), [None], 0)),
    (
        play.best_response,
        lambda: play.best_response(cardrow.game(range(2000)), [None, "greedy"], 0),
    ),
    (play.breakpoints, lambda: play.breakpoints(lambda fee: LARGE, 0, 1)),
    (play.distribution, lambda: play.distribution(kinds.game(DECK), draws)),
    (play.distribution, lambda: play.distribution(redblack.game(N, N), "optimal")),
    (play.distribution, lambda: play.distribution(cardrow.game(range(2000)), "random")),
    (play.equilibrium, lambda: play.equilibrium(LARGE)),
    (play.evaluate, lambda: play.evaluate(Wide(), draws)),
    (play.regret, lambda: play.regret(LARGE, draws)),
    (play.simulate, lambda: play.simulate(EXPLORED, draws, N, histories=N)),
    (play.simulate, lambda: play.simulate(redblack.game(N, N), "optimal", 1)),
    (
        play.simulate,
        lambda: play.simulate(redblack.game(26, 26), "optimal", N, histories=N),
    ),
    (play.variants, lambda: play.variants(redblack.game, red=range(N), black=[1])),
    (
        play.variants,
        lambda: play.variants(redblack.game, red=range(999), black=range(999)),
    ),
    (plots.plot_tree, lambda: plots.plot_tree(LARGE, max_states=10**9)),
    (redblack.bridge_value, lambda: redblack.bridge_value(MANY, 0.5)),
    (redblack.bridge_value, lambda: redblack.bridge_value(*HALF)),
    (redblack.enclosure, lambda: redblack.enclosure(N**2, N**2, method="diagonal")),
    (
        redblack.foresight_value,
        lambda: redblack.foresight_value(N**2, N**2, backend="exact"),
    ),
    (
        redblack.foresight_value,
        lambda: redblack.foresight_value(N, N, cards=20),
    ),
    (redblack.lowest_cash, lambda: redblack.lowest_cash(N, N)),
    (redblack.solve, lambda: redblack.solve(5000, 5000)),
    (redblack.thresholds, lambda: redblack.thresholds(N**2)),
    (redblack.value, lambda: redblack.value(N, N, backend="exact")),
    (redblack.value, lambda: redblack.value(N, N, policy="first_positive")),
    (redblack.value, lambda: redblack.value(ONES, 1)),
    (redblack.value, lambda: redblack.value(*HALF)),
    (kinds.value, lambda: kinds.value(DECK)),
    (kinds.value, lambda: kinds.value(DECK, backend="exact")),
    (kinds.game, lambda: exact.solve(kinds.game(DECK))),
    (urns.beta_binomial, lambda: urns.beta_binomial(N, 1, 1)),
    (urns.fixed_odds, lambda: urns.fixed_odds(N, "0.55")),
    (urns.game, lambda: exact.solve(urns.game(ROW))),
    (urns.game, lambda: exact.solve(urns.game([1] * 2000))),
    (urns.game, lambda: diagonal.solve(urns.game([1] * 2000))),
]


@pytest.mark.parametrize("call", [c for _, c in CALLS], ids=range(len(CALLS)))
def test_refused_first(call: Callable[[], Any]) -> None:
    """A function that took what its argument asks for would take 40 MiB or more."""
    tracemalloc.start()
    try:
        with (
            cardgames_dp.running(max_bytes=10**5),
            pytest.raises((TooLargeError, TooManyStatesError, ValueError)) as refusal,
        ):
            call()
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    large = isinstance(refusal.value, (TooLargeError, TooManyStatesError))
    assert large or "at most" in str(refusal.value)
    assert peak < 16 * MIB  # most of it is what a function imports


FIXED = [
    *(fitting.decay_exponent, fitting.limit_constant, fitting.shepp_alpha),
    *(pairs.decision, pairs.game, pairs.published, pairs.state, play.mixture),
    play.short_rule,
    *(pairs.opening_table, pairs.positions, pairs.score_table),
    *(redblack.boundary, redblack.game, redblack.published_values),
    redblack.utilities.certainty_equivalent,
    *(interop.from_efg, interop.from_open_spiel, interop.from_table, interop.to_table),
    *(game.from_function, interop.from_transitions, interop.to_html),
    *(cardrow.plots.plot_collapse, plots.plot_map),
    *(fitting.plots.plot_fits, fitting.plots.plot_limit),
    *(pairs.plots.plot_hands, pairs.plots.plot_scores),
    *(redblack.plots.plot_boundary, redblack.plots.plot_paths),
    plots.plot_distribution,
]
"""What takes digits or states up to a limit of its own, no size at all, a hand, or
what is in memory or in a file."""


def test_every_function_is_looked_at() -> None:
    known: list[Any] = [*FIXED, *[function for function, _ in CALLS]]
    for module in MODULES:
        for name in module.__all__:
            member = getattr(module, name)
            if inspect.isfunction(member):
                assert member in known, f"{module.__name__}.{name}"
