"""Bad input is refused before any work, in words that name it and what would do."""

import math
import time
from collections.abc import Callable
from fractions import Fraction
from math import inf, nan
from typing import Any

import matplotlib.figure
import numpy as np
import pytest

from cardgames_dp import TooLargeError, diagonal, exact, play, redblack
from cardgames_dp.game import explore
from cardgames_dp.plots import plot_distribution
from cardgames_dp.redblack import (
    OptimalWithin,
    Rules,
    StopAt,
    boundary,
    bridge_value,
    enclosure,
    foresight_value,
    game,
    kinds,
    lowest_cash,
    plots,
    solve,
    thresholds,
    urns,
    utilities,
    value,
)

from ..refusals import refuses, too_large, type_error, value_error, within


def axes(rows: int) -> Any:
    return matplotlib.figure.Figure().subplots(rows)


PARTED = Rules(utility=lambda c: np.where((c > 2) & (c < 5), 3 - c, c))


def test_rules_and_amounts() -> None:
    value_error("win must have at most 4000 digits", Rules, win=10**5000)
    value_error("tie must be one of 'stop', 'draw", Rules, tie="no")
    value_error("rules must have amounts of", value, 2, 2, rules=Rules(win=10**400))
    value_error("/ (red + black) for float64", solve, 50, 50, rules=Rules(win=2e298))
    dear = game(2, 2, rules=Rules(win=1e308))
    value_error("whose sums over the deck fit in", play.simulate, dear, "optimal", 1)


def test_utilities_that_do_not_answer_with_numbers() -> None:
    type_error(
        "utility must return a", value, 3, 3, rules=Rules(utility=lambda cash: cash > 0)
    )
    value_error("utility must return a", value, 3, 3, rules=Rules(utility=math.log))
    powers = Rules(utility=lambda cash: 2**cash.size)
    type_error("for an amount of cash, or for an array", value, 3, 3, rules=powers)
    third = Rules(win=Fraction(1, 3), utility=np.exp)
    type_error("takes no Fractions, and", value, 1, 1, rules=third, backend="exact")
    ruin = Rules(utility=lambda c: -inf)
    value_error(
        "or -inf for ruin, which only", solve, 4, 4, rules=ruin, backend="exact"
    )


def test_ready_made_utilities() -> None:
    value_error("risk_aversion must be a number > 0 in", utilities.exponential, 0)
    value_error("risk_aversion must not be 1; use log", utilities.power, 1, wealth=1)
    root, worth = utilities.power(0.5, wealth=1), utilities.certainty_equivalent
    value_error("value must be a value of power(risk_aversion=0.5", worth, root, -9)
    value_error("amount of cash has", utilities.certainty_equivalent, math.tanh, 2)


def test_decks_methods_backends_digits() -> None:
    type_error("black[0, 1] must be an integer >= 0", enclosure, 1, [[1, 1.0]])
    value_error("red and black must have shapes that", enclosure, [1, 2], [1, 2, 3])
    value_error(
        "in float64; use 'diagonal", value, 2, 2, method="staircase", backend="exact"
    )
    value_error(
        "and have no utility", thresholds, 2, method="staircase", rules=Rules(win=2)
    )
    value_error("4 times the root of their sum", value, 500, 800, method="staircase")
    value_error("checkpoint is for", value, 26, 26, checkpoint="c.npz")
    value_error("must be an integer from 1 to 100000", value, [5], [5], digits=10**6)
    value_error("given with backend='exact", value, 5, 5, digits=9, backend="exact")
    tasty = Rules(utility=lambda cash: cash)
    value_error("digits must not be given for", value, [5], [5], digits=9, rules=tasty)
    value_error("digits must be at most 1000000000", value, 10**9, 10**9, digits=50)
    how: Any = {"digits": 15, "method": "diagonal"}
    value_error("digits must be at most", enclosure, 60_000, 60_000, **how)


def test_too_large_with_what_answers() -> None:
    too_large("a table of 10 x 10 states", within, 10, solve, 9, 9, backend="exact")
    too_large("the exact sweep of 10000000 red", value, 10**7, 10**7, backend="exact")
    too_large("a distribution of 1000000000000 red and 3", lowest_cash, 10**12, 3)
    too_large("a simulation of", play.simulate, game(10**12, 3), "optimal", 1)
    value_error("red and black must be at most 10**300", value, 10**400, 3)
    value_error("the levels of a sweep of 10000000000000000", value, 10**16, 10**16)
    value_error("max_excess must be at most 16777216", thresholds, 10**9)
    how: Any = {"rules": Rules(lose="1.00001"), "policy": "never_stop"}
    value_error("the depths of cash must be at", lowest_cash, 20_000, 20_000, **how)


def test_thresholds_and_boundaries() -> None:
    value_error("rules must have win - fee >=", thresholds, 3, rules=Rules(lose=2))
    value_error("with 3 cards remaining the", boundary, solve(9, 8, rules=PARTED))
    value_error("black must be at most 32 for the", thresholds(6).least_red, [3, 33])


def test_solutions_positions() -> None:
    value_error("state must be one in which a player", solve(3, 3).advice, (0, 0))
    refuses(
        KeyError, '"(-1, 1) cannot be reached', solve(3, 3).values.__getitem__, (-1, 1)
    )
    refuses(
        KeyError, "\"(0, 0, 'stop')", solve(3, 3).values.__getitem__, (0, 0, "stop")
    )
    refuses(KeyError, "'nobody decides in the", solve(3, 3).policy.__getitem__, (0, 0))
    value_error("player must be below num_players, 1", solve(3, 3).table, player=1)
    type_error("table is for games with a", exact.solve(kinds.game({1: 2})).table)
    value_error("what must be one of 'values', 'total'", solve(2, 2).table, "draws")
    value_error(
        "move must be one of", play.Position(solve(0, 2)).play("draw").play, (1, 1)
    )


def test_policies() -> None:
    value_error("cash, loss or draws must be given", StopAt)
    value_error("cash must be a finite int, Fraction, Decimal or float", StopAt, -1)
    value_error("policy must be one of 'optimal'", StopAt, 1, policy="best")
    value_error("loss or draws must be given", OptimalWithin)
    value_error("policy must be a solution of the", value, 3, 3, policy=solve(2, 3))
    other = solve(4, 3, rules=Rules(utility=np.tanh))
    value_error("of the deck, 3 red and 3 black", play.simulate, game(3, 3), other, 1)
    value_error("the policy of player", value, 3, 3, policy=lambda s: s.black - s.red)
    value_error(
        "of both to weights, finite and >= 0, of a positive sum, got",
        lambda: value(3, 3, policy=lambda s: {"stop": s.red - 0.1, "draw": 1}),
    )
    value_error("action for every state", value, 3, 3, policy={}, backend="exact")
    value_error("policies must have an action for", play.distribution, game(3, 3), {})
    exactly: Any = {"backend": "exact"}
    holding: Any = lambda state: {"hold": 1}  # noqa: E731
    value_error("must give 'stop' or 'draw'", value, 3, 3, policy=holding, **exactly)
    nothing: Any = lambda state: {"stop": 0, "draw": 0}  # noqa: E731
    value_error("with a positive sum, got", value, 3, 3, policy=nothing, **exactly)
    tenth: Any = lambda state: {"stop": 0.1}  # noqa: E731
    type_error("must be exact (int, Fraction", value, 3, 3, policy=tenth, **exactly)
    halves = play.mixture({"never_stop": 0.5, "optimal": 1})
    type_error(
        "weights of a mixture must be exact", value, 3, 3, policy=halves, **exactly
    )
    value_error("weights, or pairs of both, with a positive weight", play.mixture, {})
    how: Any = {"policy": "never_stop", "method": "staircase"}
    value_error("for a policy other than 'optimal'; use", value, 5000, 5000, **how)
    value_error("digits must not be", value, 50, 50, policy=StopAt(1), digits=20)


def test_simulated_games() -> None:
    value_error(
        "count must be an action of", play.simulate, solve(2, 2), games=10, count="card"
    )


def test_foresight() -> None:
    too_large("foresight with 4052739537881", foresight_value, 200, 200, cards=60)
    value_error("red or black must be at most 1e+20", foresight_value, 10**30, 10**30)
    value_error("red - black must be at most 1e308 in", foresight_value, 10**400, 1)


def test_the_bridge() -> None:
    value_error("x must be from -1e+100 to 1e+100", bridge_value, 0, 1e101)
    value_error("t and x must have shapes that", bridge_value, [0, 1], [0] * 3)


def test_several_kinds_of_cards() -> None:
    value_error("numbers of cards, or pairs of both, at least one", kinds.value, {})
    value_error("a worth of deck must be a finite int", kinds.value, {nan: 1})
    value_error("deck must have worths that float64 can", kinds.value, {10**301: 1})
    cards: Any = {rank - 7: 4 for rank in range(1, 14)}
    too_large(
        "a deck of 1220703125", within, 2**30, kinds.value, cards, backend="exact"
    )


def test_urns() -> None:
    value_error("black must be positive", urns.beta_binomial, 3, 1, 0)
    log = urns.game([1] * 5, rules=Rules(utility=utilities.log(wealth=3)))
    value_error("a utility that is finite, and of at most", diagonal.solve, log)
    too_large("a table of 53 x 53", within, 30_000, exact.solve, urns.game([1] * 53))
    value_error("prior must have a positive weight", urns.game, [])
    many = urns.game([7 ** (90 * i) for i in range(53)])
    too_large("a prior of 52 cards needs about", within, 500_000, explore, many)
    values = exact.solve(urns.game([1] * 3)).values
    refuses(KeyError, "cannot be reached in this", values.__getitem__, urns.State(2, 1))
    values = exact.solve(urns.game([1, 0, 1])).values
    refuses(KeyError, '"(1, 1) cannot be', values.__getitem__, (1, 1))


def test_pictures() -> None:
    type_error("boundary must be a redblack.Boundary", plots.plot_boundary, 3)
    type_error("simulation must be a play.Simulation", plots.plot_paths, 3)
    type_error("distribution must be a play.Distribution or", plot_distribution, 3)
    games = play.simulate(exact.solve(kinds.game({1: 2})), games=3, histories=2)
    type_error("simulation must be of a deck", plots.plot_paths, games)
    games = play.simulate(redblack.solve(2, 2), games=3)
    value_error("simulation must have histories", plots.plot_paths, games)
    value_error(
        "simulation must have 1 distribution of the lowest cash, as distribution has",
        plot_distribution,
        lowest_cash(2, 2),
        play.simulate(solve(2, 2), games=3),
    )


def test_decks_so_large_that_the_theorem_on_their_growth_has_the_best_bounds() -> None:
    value_error("digits must be at most 13 for", enclosure, 10**16, 10**16, digits=14)
    value_error("method must not be", enclosure, 10**16, 10**16, method="staircase")


# Sizes without end, of which most calls would run for years or ask for petabytes.

ODD = Rules(win=3, lose=2)
TASTE = Rules(utility=lambda cash: cash)


def law(red: int, black: int, *policy: Any, rules: Any = None, **how: Any) -> Any:
    game = redblack.game(red, black, rules=rules)
    return play.distribution(game, *(policy or ["optimal"]), **how)


def simulate(red: int, black: int, *policy: Any, rules: Any = None, **how: Any) -> Any:
    game = redblack.game(red, black, rules=rules)
    return play.simulate(game, *(policy or ["optimal"]), **how)


ENDLESS: list[Callable[[int], Any]] = [
    lambda n: redblack.value(n, n, method="diagonal"),
    lambda n: redblack.value(n, n, backend="exact"),
    lambda n: redblack.value(n, n, rules=TASTE),
    lambda n: redblack.value(n, 12, rules=TASTE),
    lambda n: redblack.value(n, 12, rules=TASTE, backend="exact"),
    lambda n: redblack.value(2 * n, 3 * n, rules=ODD),
    lambda n: redblack.value(n, 3, backend="exact"),
    lambda n: redblack.enclosure(n, n, method="diagonal"),
    lambda n: redblack.value([1, n], [1, n], method="diagonal"),
    lambda n: redblack.value([1, n], [1, n], rules=TASTE),
    lambda n: redblack.value([1, n], [1, n], backend="exact"),
    lambda n: redblack.solve(n, n),
    lambda n: redblack.solve(n, 3, backend="exact"),
    lambda n: redblack.solve(n, 3),
    lambda n: law(n, n),
    lambda n: law(n, 3, backend="exact"),
    lambda n: law(n, n, rules=TASTE),
    lambda n: law(3, n),
    lambda n: redblack.lowest_cash(n, 3),
    redblack.thresholds,
    lambda n: redblack.thresholds(n, method="diagonal"),
    lambda n: redblack.thresholds(n, rules=ODD),
    lambda n: simulate(n, n, games=3),
    lambda n: simulate(26, 26, games=100 * n),
    lambda n: simulate(26, 26, games=100 * n, histories=n),
    lambda n: simulate(n, 0, "never_stop", games=2),
    lambda n: redblack.foresight_value(n, n, backend="exact"),
]


@pytest.mark.parametrize("call", ENDLESS, ids=range(len(ENDLESS)))
def test_sizes_without_end(call: Callable[[int], Any]) -> None:
    for n in (10**12, 10**18, 10**30, 10**400, 10**6000):
        began = time.process_time()
        with pytest.raises(ValueError) as refusal:  # noqa: PT011
            within(10**500, call, n)
        assert time.process_time() - began < 5
        message = str(refusal.value)
        assert "Exceeds the limit" not in message  # Python's own, of long integers
        assert len(message) < 600
        if isinstance(refusal.value, TooLargeError) or "must be at most" in message:
            cures = ("use ", "ask for ", "simulate", "at most 10**")
            assert any(word in message for word in cures)


ANSWERED: list[tuple[Callable[[int], Any], Callable[[int], Any]]] = [
    (lambda n: redblack.value(12, n), lambda n: 0),
    (lambda n: redblack.value(12, n, backend="exact"), lambda n: 0),
    (lambda n: redblack.value(12, n, rules=ODD), lambda n: 0),
    (lambda n: redblack.value(0, n), lambda n: 0),
    (lambda n: redblack.value(n, 0, backend="exact"), lambda n: n),
    (lambda n: redblack.value(n, 1), lambda n: n - 1),
    (lambda n: redblack.value(n, n, rules=ODD), lambda n: n + 3.5792),
    (lambda n: redblack.enclosure(n, 3).lower, lambda n: n - 3),
    (lambda n: redblack.value([1, n], [1, n], rules=ODD)[1], lambda n: n + 3.5792),
    (lambda n: redblack.foresight_value(n, 1), lambda n: n - 1),
    (lambda n: redblack.foresight_value(1, n), lambda n: 0),
]


@pytest.mark.parametrize(("call", "answer"), ANSWERED, ids=range(len(ANSWERED)))
def test_large_decks_that_are_decided_soon(
    call: Callable[[int], Any], answer: Callable[[int], Any]
) -> None:
    for n in (10**9, 10**12, 10**30):
        assert call(n) == pytest.approx(answer(n), rel=1e-12, abs=1e-8)


def test_the_memory_of_the_machine_bounds_every_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    memory = "cardgames_dp._support.running.physical_memory"
    monkeypatch.setattr(memory, lambda: 5000)
    assert within(4000, redblack.solve, 9, 9).game.counts == (9, 9)
    with pytest.raises(TooLargeError, match=r"more than this machine's memory, 4.883"):
        within(10**12, redblack.solve, 99, 99)
    # Fractions count for more than floats.
    monkeypatch.setattr(memory, lambda: 500_000)
    assert redblack.foresight_value(100, 100, cards=4) > 6
    with pytest.raises(TooLargeError, match=r"foresight with 8 profiles, for 100 red"):
        redblack.foresight_value(100, 100, cards=4, backend="exact")
    monkeypatch.setattr(memory, lambda: 2**60)
    with pytest.raises(ValueError, match=r"states of deck must be at most 1e.14"):
        redblack.kinds.value({1: 10**7, 0: 10**7, -1: 10**7})


# What is odd, but right.


def test_what_is_beyond_float64_is_known_exactly() -> None:
    large = redblack.urns.game([0, 1], rules=Rules(win=10**301))
    assert exact.solve(large).value == 10**301
    for rules in (Rules(win=10**400), Rules(win=1e200, lose=1e-200)):
        exactly = redblack.value(2, 2, rules=rules, backend="exact")
        assert exactly == redblack.solve(2, 2, rules=rules, backend="exact").value
        assert law(2, 2, rules=rules, backend="exact").mean == (exactly,)
    tiny = Rules(win=5e-324, lose=5e-324)
    value = redblack.value(26, 26, backend="exact")
    assert redblack.value(26, 26, rules=tiny, backend="exact") == value * Fraction(
        5e-324
    )
    uneven = Rules(win=1e20, lose=0.1)
    assert redblack.value(9, 9, rules=uneven, backend="exact") in (
        redblack.enclosure(9, 9, rules=uneven)
    )
    far = redblack.foresight_value(10**400, 1, backend="exact")
    assert far == 10**400 - 1 + Fraction(1, 10**400 + 1)
    assert redblack.kinds.value({10**301: 1, -1: 0}, backend="exact") == 10**301
    assert redblack.solve(20, 20, rules=Rules(win=2e298)).value > 0
