"""Any policy: its value and laws, against all orders of small decks."""

from __future__ import annotations

import functools
import math
import pickle
import re
from collections import defaultdict
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, strategies as st
from numpy.typing import NDArray

import cardgames_dp
from cardgames_dp import play, redblack
from cardgames_dp.redblack import (
    OptimalWithin,
    Policy,
    Rules,
    StopAfter,
    StopAtCash,
    StopAtExcess,
    StopAtFirst,
    StopAtLoss,
)
from cardgames_dp.redblack._kernels import distributions, recurrence
from cardgames_dp.redblack.policies import stop_set
from tests.redblack.oracles import orders
from tests.redblack.strategies import amounts, linear_rules

Stops = Callable[[int, int], bool]
Laws = tuple[dict[Any, Fraction], dict[Any, Fraction], dict[Any, Fraction]]

CAPPED = Rules(utility=lambda cash: np.minimum(cash, 1))
"""A player whom nothing beyond 1 interests."""


def of_all_orders(red: int, black: int, rules: Rules, stops: Stops) -> Laws:
    """Return the laws of payoff, duration and lowest cash, from all orders."""
    laws: Laws = defaultdict(Fraction), defaultdict(Fraction), defaultdict(Fraction)
    chance = Fraction(1, math.comb(red + black, red))
    for order in orders(red, black):
        r, b, cash = red, black, [Fraction(0)]
        for card in order:
            if stops(r, b):
                break
            r, b = r - card, b - (1 - card)
            cash.append(rules.cash(red - r, black - b))
        for law, result in zip(laws, (cash[-1], len(cash) - 1, min(cash)), strict=True):
            law[result] += chance
    return laws


def each(found: redblack.Distributions[Any]) -> tuple[play.Distribution[Any], ...]:
    return found.payoff, found.moves, found.lowest_cash


def check_mixture(
    red: int, black: int, rules: Rules, policies: tuple[Policy, Policy], stops: Any
) -> None:
    """Check a policy that stops by chance, against a walk over all cards and stops.

    The two policies are the same, for floats and for Fractions.
    """
    expected: Laws = defaultdict(Fraction), defaultdict(Fraction), defaultdict(Fraction)

    def go(r: int, b: int, lowest: Fraction, chance: Fraction) -> None:
        cash, n = rules.cash(red - r, black - b), r + b
        lowest = min(lowest, cash)
        stop = chance * (stops(r, b) if n else 1)
        ends = cash, Fraction(red + black - n), lowest
        for law, result in zip(expected, ends, strict=True):
            law[result] += stop
        for i, cards in enumerate((r, b)):
            if cards and chance > stop:
                share = (chance - stop) * Fraction(cards, n)
                go(r - (i == 0), b - (i == 1), lowest, share)

    go(red, black, Fraction(0), Fraction(1))
    for policy, backend in zip(policies, ("float64", "exact"), strict=True):
        how: Any = {"policy": policy, "rules": rules, "backend": backend}
        found = redblack.distribution(red, black, **how)
        for law, one in zip(expected, each(found), strict=True):
            likely = {float(x): float(p) for x, p in law.items() if p}
            got = {float(x): float(p) for x, p in one.to_dict().items()}
            assert got == pytest.approx(likely, rel=1e-12)
            if backend == "exact":
                assert one.to_dict() == {x: p for x, p in law.items() if p}
        mean = sum([x * p for x, p in expected[0].items()], Fraction(0))
        value = redblack.value(red, black, **how)
        assert value == pytest.approx(float(mean), abs=1e-12)


def check_laws(
    red: int, black: int, rules: Rules, policy: Policy, stops: Stops
) -> None:
    """Check all that is known of a policy against all orders of a deck."""
    expected = of_all_orders(red, black, rules, stops)
    how: Any = {"policy": policy, "rules": rules}
    certain = each(redblack.distribution(red, black, backend="exact", **how))
    rounded = each(redblack.distribution(red, black, **how))
    for exact, floats, law in zip(certain, rounded, expected, strict=True):
        assert exact.to_dict() == law
        assert floats.support.tolist() == [float(x) for x in exact.support]
        assert floats.probabilities == pytest.approx(
            exact.probabilities.astype(float), rel=1e-13
        )
    payoff = expected[0]
    rewards = rules.exact_reward(payoff)
    worth = sum(p * u for p, u in zip(payoff.values(), rewards, strict=True))
    assert redblack.value(red, black, backend="exact", **how) == worth
    assert redblack.value(red, black, **how) == pytest.approx(float(worth), abs=1e-12)


def asked(stops: Stops) -> Callable[..., NDArray[np.bool_]]:
    def policy(red: NDArray[np.int64], black: NDArray[np.int64]) -> NDArray[np.bool_]:
        pairs = zip(red.tolist(), black.tolist(), strict=True)
        return np.array([stops(r, b) for r, b in pairs], dtype=bool)

    return policy


decks = st.tuples(st.integers(0, 5), st.integers(0, 5))


@given(deck=decks, rules=linear_rules, data=st.data())
def test_any_callable(deck: tuple[int, int], rules: Rules, data: st.DataObject) -> None:
    red, black = deck
    cells = [(r, b) for r in range(red + 1) for b in range(black + 1)]
    table = dict(zip(cells, data.draw(_flags(len(cells))), strict=True))
    table[0, 0] = False  # nobody is asked
    check_laws(red, black, rules, asked(lambda r, b: table[r, b]), _stops(table))


def _flags(count: int) -> st.SearchStrategy[list[bool]]:
    # Mostly going on, or games would be short.
    flag = st.sampled_from([False, False, False, True])
    return st.lists(flag, min_size=count, max_size=count)


def _stops(table: dict[tuple[int, int], bool]) -> Stops:
    return lambda r, b: table[r, b]


@given(deck=decks, rules=linear_rules, data=st.data())
def test_any_probabilities(
    deck: tuple[int, int], rules: Rules, data: st.DataObject
) -> None:
    red, black = deck
    shares = st.sampled_from([Fraction(0), Fraction(1, 3), Fraction(7, 8), Fraction(1)])
    cells = st.lists(shares, min_size=36, max_size=36)
    table = np.array([*data.draw(cells), None], dtype=object)[:-1].reshape(6, 6)

    def exact(r: NDArray[np.int64], b: NDArray[np.int64]) -> NDArray[np.object_]:
        chances: NDArray[np.object_] = table[r, b]
        return chances

    def floats(r: NDArray[np.int64], b: NDArray[np.int64]) -> NDArray[np.float64]:
        return table[r, b].astype(np.float64)

    both: tuple[Policy, Policy] = floats, exact
    check_mixture(red, black, rules, both, lambda r, b: table[r, b])
    first: Any = [StopAtFirst(StopAfter(4), policy) for policy in both]

    def stops(r: int, b: int) -> Fraction:
        return table[r, b] if red + black - r - b < 4 else Fraction(1)

    check_mixture(red, black, rules, tuple(first), stops)


def test_a_mapping_gives_weights() -> None:
    third: Policy = {"stop": 1, "draw": 2}
    check_mixture(4, 3, Rules(), (third, third), lambda r, b: Fraction(1, 3))
    both = StopAtFirst(third, {"stop": 0.5, "draw": 0.5})
    exact = StopAtFirst(third, {"stop": "1/2", "draw": "1/2"})
    check_mixture(3, 4, Rules(), (both, exact), lambda r, b: Fraction(2, 3))
    for always, word in (({"stop": 2}, 0), ({"draw": 1}, "never_stop")):
        policy: Any = StopAfter(0) if word == 0 else word
        found = redblack.distribution(4, 4, policy=always)
        same = redblack.distribution(4, 4, policy=policy)
        assert found.payoff.to_dict() == same.payoff.to_dict()
    game = redblack.simulate(10, 10, games=40_000, policy=third, rng=1)
    expected = redblack.distribution(10, 10, policy=third)
    assert abs(game.mean) < 5 * game.standard_error
    assert game.mean_moves == pytest.approx(expected.moves.mean, abs=0.06)


@pytest.mark.parametrize(
    ("policy", "error", "message"),
    [
        ({}, ValueError, "policy must be a mapping of 'stop' and 'draw' to weights"),
        ({"hold": 1}, ValueError, r"mapping of 'stop' and 'draw' .* got \{'hold': 1"),
        ({"stop": 0, "draw": 0}, ValueError, "with a positive sum"),
        ({"stop": -1, "draw": 2}, ValueError, r"policy\['stop'\] must be a finite"),
        ({"stop": 0.1}, TypeError, "weights that are exact .* backend='exact'"),
        (lambda r, b: r * 2.0, TypeError, "that are Fractions, with backend='exact'"),
        (
            lambda r, b: np.full(len(r), Fraction(3, 2), dtype=object),
            ValueError,
            "probabilities of stopping from 0 to 1, got 3/2",
        ),
    ],
)
def test_what_is_no_mixture(policy: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        redblack.value(3, 3, policy=policy, backend="exact")


def test_probabilities_are_from_0_to_1() -> None:
    for wrong in (-0.1, 1.5, math.nan):
        always = partial(_everywhere, wrong)
        with pytest.raises(ValueError, match=f"from 0 to 1, got {wrong}"):
            redblack.value(3, 3, policy=always)


def _everywhere(
    chance: float, red: NDArray[np.int64], black: NDArray[np.int64]
) -> NDArray[np.float64]:
    return np.asarray(chance + 0.0 * (red - black), dtype=np.float64)


@given(deck=decks, rules=linear_rules, amount=amounts, cards=st.integers(0, 12))
def test_policies_with_a_name_or_a_number(
    deck: tuple[int, int], rules: Rules, amount: Any, cards: int
) -> None:
    red, black = deck
    sum_ = Fraction(amount)

    def cash(r: int, b: int) -> Fraction:
        return rules.cash(red - r, black - b)

    meanings: list[tuple[Policy, Stops]] = [
        ("never_stop", lambda r, b: False),
        ("first_positive", lambda r, b: cash(r, b) > 0),
        ("quit_when_negative", lambda r, b: cash(r, b) < 0),
        (StopAtCash(amount), lambda r, b: cash(r, b) >= sum_),
        (StopAtLoss(amount), lambda r, b: cash(r, b) <= -sum_),
        (StopAfter(cards), lambda r, b: red + black - r - b >= cards),
    ]
    for policy, stops in meanings:
        check_laws(red, black, rules, policy, stops)
    either: Policy = StopAtFirst(StopAtCash(amount), StopAfter(cards), StopAtLoss(1))
    check_laws(
        red,
        black,
        rules,
        either,
        lambda r, b: (
            cash(r, b) >= sum_ or red + black - r - b >= cards or cash(r, b) <= -1
        ),
    )
    patient = asked(lambda r, b: b > r)
    check_laws(
        red,
        black,
        rules,
        StopAtFirst(patient, "quit_when_negative", StopAtFirst(StopAfter(cards))),
        lambda r, b: b > r or cash(r, b) < 0 or red + black - r - b >= cards,
    )


@given(deck=decks, rules=linear_rules)
def test_the_optimal_policy_is_one_of_them(deck: tuple[int, int], rules: Rules) -> None:
    red, black = deck
    table = redblack.solve(red, black, rules=rules, backend="exact")
    stops = lambda r, b: bool(table.stop[r, b])  # noqa: E731
    check_laws(red, black, rules, table, stops)
    laws = of_all_orders(red, black, rules, stops)
    best = redblack.distribution(red, black, rules=rules, backend="exact")
    assert tuple([law.to_dict() for law in each(best)]) == tuple(laws)
    value = redblack.value(red, black, rules=rules, backend="exact")
    assert redblack.value(
        red, black, rules=rules, policy=table, backend="exact"
    ) == pytest.approx(value)


def test_laws_under_a_utility() -> None:
    table = redblack.solve(5, 6, rules=CAPPED, backend="exact")
    stops = lambda r, b: bool(table.stop[r, b])  # noqa: E731
    for policy in ("optimal", table):
        check_laws(5, 6, CAPPED, policy, stops)
    assert redblack.value(
        5, 6, rules=CAPPED, policy=table, backend="exact"
    ) == redblack.value(5, 6, rules=CAPPED, backend="exact")


class Floored:
    """The best player within limits, word by word, on totals from a full deck."""

    def __init__(
        self,
        red: int,
        black: int,
        rules: Rules,
        loss: Fraction | None,
        draws: int | None = None,
    ) -> None:
        self.red, self.black, self.rules, self.loss = red, black, rules, loss
        self.draws = red + black if draws is None else draws
        self.total = functools.cache(self._total)

    def cash(self, red: int, black: int) -> Fraction:
        return self.rules.cash(self.red - red, self.black - black)

    def barred(self, red: int, black: int) -> bool:
        if self.red + self.black - red - black >= self.draws:
            return True
        if self.loss is None:
            return False
        worst = -self.rules.cost if black else self.rules.gain
        return self.cash(red, black) + worst < -self.loss

    def draw(self, red: int, black: int) -> Fraction:
        after_red = self.total(red - 1, black) if red else Fraction(0)
        after_black = self.total(red, black - 1) if black else Fraction(0)
        return (red * after_red + black * after_black) / (red + black)

    def _total(self, red: int, black: int) -> Fraction:
        stop = self.rules.exact_reward([self.cash(red, black)])[0]
        if red + black == 0 or self.barred(red, black):
            return stop
        return max(stop, self.draw(red, black))

    def stops(self, red: int, black: int) -> bool:
        if self.barred(red, black):
            return True
        stop = self.rules.exact_reward([self.cash(red, black)])[0]
        advantage = self.draw(red, black) - stop
        return advantage < 0 or (advantage == 0 and self.rules.tie == "stop")


@given(deck=decks, rules=linear_rules, loss=amounts)
@example(deck=(3, 3), rules=Rules(win=0, tie="draw"), loss=5)
@example(deck=(3, 3), rules=Rules(win=1, fee=2, tie="draw"), loss=9)
@example(deck=(4, 2), rules=Rules(win=0, lose=0, tie="draw"), loss=0)
@example(deck=(1, 1), rules=Rules(lose="5/3"), loss=Fraction(5, 3))  # rounded down
def test_the_best_within_a_loss(deck: tuple[int, int], rules: Rules, loss: Any) -> None:
    oracle = Floored(*deck, rules, Fraction(loss))
    check_laws(*deck, rules, OptimalWithin(loss), oracle.stops)
    best = redblack.value(
        *deck, rules=rules, policy=OptimalWithin(loss), backend="exact"
    )
    assert best == oracle.total(*deck)
    law = redblack.distribution(
        *deck, rules=rules, policy=OptimalWithin(loss), backend="exact"
    ).lowest_cash
    assert law.support[0] >= -Fraction(loss)


@given(
    deck=decks,
    rules=linear_rules,
    loss=st.none() | amounts,
    draws=st.integers(0, 12),
)
def test_the_best_within_some_draws(
    deck: tuple[int, int], rules: Rules, loss: Any, draws: int
) -> None:
    policy = OptimalWithin(loss, draws=draws)
    least = None if loss is None else Fraction(loss)
    oracle = Floored(*deck, rules, least, draws)
    check_laws(*deck, rules, policy, oracle.stops)
    best = redblack.value(*deck, rules=rules, policy=policy, backend="exact")
    assert best == oracle.total(*deck)
    law = redblack.distribution(*deck, rules=rules, policy=policy).moves
    assert law.support[-1] <= draws


def test_the_best_within_some_draws_of_a_large_deck() -> None:
    """From the lowest level that is reached on, as over all levels."""
    values = [
        redblack.value(300, 250, policy=OptimalWithin(draws=draws))
        for draws in (0, 1, 40, 400, 550, 10**20)
    ]
    assert values == sorted(values)
    assert values[0] == 0
    assert values[-1] == values[-2]
    assert values[-1] == pytest.approx(redblack.value(300, 250), rel=1e-13)
    policy = OptimalWithin(draws=40)
    exact = redblack.value(300, 250, policy=policy, backend="exact")
    assert values[2] == pytest.approx(float(exact), rel=1e-13)
    # A player who does not know of the limit does worse.
    unaware = StopAtFirst("optimal", StopAfter(400))
    assert redblack.value(300, 250, policy=unaware) < values[3] - 0.05


def test_the_best_within_a_loss_under_a_utility() -> None:
    bold = Rules(utility=lambda cash: cash * cash + cash)
    for rules in (CAPPED, bold):
        for loss in (0, 1, 2, 7):
            oracle = Floored(5, 5, rules, Fraction(loss))
            check_laws(5, 5, rules, OptimalWithin(loss), oracle.stops)
            oracle = Floored(5, 5, rules, Fraction(loss), 6)
            check_laws(5, 5, rules, OptimalWithin(loss, draws=6), oracle.stops)


def test_without_black_cards_nothing_can_be_lost() -> None:
    """After the last black card the floor is no reason to stop."""
    assert redblack.value(1, 1, policy=OptimalWithin(1), backend="exact") == 0.5
    assert redblack.value(1, 1, policy=StopAtLoss(1), backend="exact") == -0.5
    assert redblack.value(1, 1, policy=OptimalWithin("1/2"), backend="exact") == 0


@pytest.mark.parametrize(("red", "black"), [(40, 40), (30, 50), (60, 25)])
def test_more_credit_is_worth_more(red: int, black: int) -> None:
    values = [
        redblack.value(red, black, policy=OptimalWithin(loss)) for loss in range(52)
    ]
    assert values == sorted(values)
    assert values[-1] == pytest.approx(redblack.value(red, black), rel=1e-14)
    exact = redblack.value(red, black, policy=OptimalWithin(5), backend="exact")
    assert values[5] == pytest.approx(float(exact), rel=1e-13)


def name_of(policy: Policy) -> str:
    """Return what a test is called: the same in each process, without addresses."""
    return re.sub(r"<function (\w+) at \w+>", r"\1", str(policy))


def at_each_seventh(
    red: NDArray[np.int64], black: NDArray[np.int64]
) -> NDArray[np.bool_]:
    stops: NDArray[np.bool_] = (red + black) % 7 == 0
    return stops


POLICIES: list[Policy] = [
    "optimal",
    "first_positive",
    "quit_when_negative",
    "never_stop",
    StopAtCash(3),
    StopAtLoss(4),
    StopAfter(25),
    OptimalWithin(4),
    OptimalWithin(draws=30),
    StopAtFirst("optimal", "quit_when_negative"),
    StopAtFirst(at_each_seventh, StopAtCash(2)),
    StopAtExcess(1),
    StopAtExcess([1] * 61),
]


@pytest.mark.parametrize("policy", POLICIES, ids=name_of)
@pytest.mark.parametrize("rules", [Rules(), Rules(win="1.5", fee="0.25", tie="draw")])
def test_float64_is_exact_to_rounding(policy: Policy, rules: Rules) -> None:
    how: Any = {"policy": policy, "rules": rules}
    rounded = each(redblack.distribution(32, 28, **how))
    certain = each(redblack.distribution(32, 28, **how, backend="exact"))
    for floats, exact in zip(rounded, certain, strict=True):
        assert sum(exact.probabilities) == 1
        common = np.isin(exact.support.astype(float), floats.support)
        # What float64 leaves out is never met.
        assert exact.probabilities[~common].sum() < 1e-15
        assert floats.probabilities == pytest.approx(
            exact.probabilities[common].astype(float), rel=1e-9, abs=1e-16
        )


@pytest.mark.parametrize("policy", POLICIES, ids=name_of)
def test_simulated_games_follow_the_laws(policy: Policy) -> None:
    games = 20_000
    result = redblack.simulate(30, 30, games=games, policy=policy, rng=5, paths=games)
    lows = [path.min() for path in result.paths]
    laws = redblack.distribution(30, 30, policy=policy)
    for law, results, counts in (
        (laws.payoff, result.payoffs, result.payoff_counts),
        (laws.moves, result.moves, result.move_counts),
        (laws.lowest_cash, *np.unique(lows, return_counts=True)),
    ):
        expected = law.to_dict()
        found = dict(zip(results.tolist(), counts.tolist(), strict=True))
        assert found.keys() <= expected.keys()
        for x, p in expected.items():
            assert abs(found.get(x, 0) - games * p) <= 5 * math.sqrt(games * p) + 5
    value = redblack.value(30, 30, policy=policy)
    assert abs(result.mean - value) <= 5 * result.standard_error + 1e-12


@pytest.mark.parametrize("policy", POLICIES, ids=name_of)
def test_the_same_game_in_the_general_vocabulary(policy: Policy) -> None:
    """Against `play`, which knows nothing of red and black, or of cash."""
    red, black = 9, 8
    given_policy = StopAtExcess([1] * 18) if policy == POLICIES[-1] else policy
    stop = np.zeros((red + 1, black + 1), dtype=bool)
    stops = stop_set(given_policy, Rules(), red, black, exact=True)
    for r in range(red + 1):
        for b in range(black + 1):
            if r + b:
                stop[r, b] = stops(r + b, np.array([r]))[0]
    game = Rules().game(red, black)
    players = lambda state: "stop" if stop[state[:2]] else "draw"  # noqa: E731
    law = play.distribution(game, players, backend="exact").returns[0]
    mine = redblack.distribution(
        red, black, policy=given_policy, backend="exact"
    ).payoff
    assert mine.to_dict() == law.to_dict()
    value = play.evaluate(game, players, backend="exact").value[0]
    assert mine.mean == value
    assert redblack.value(red, black, policy=given_policy, backend="exact") == value


def test_figures_of_the_52_cards() -> None:
    """By enumeration of paths in integers, and as the questions' page quotes them."""
    quitter = StopAtFirst("optimal", "quit_when_negative")
    figures: list[tuple[Policy, float]] = [
        ("optimal", 2.624475548993925),
        ("first_positive", 26 / 27),
        ("quit_when_negative", -26 / 27),
        (quitter, -0.1806691198422925),
        (StopAtCash(3), 2.1346469622331696),
    ]
    for policy, value in figures:
        assert redblack.value(26, 26, policy=policy) == pytest.approx(value, rel=1e-14)
    law = redblack.distribution(26, 26).lowest_cash
    assert law.mean == pytest.approx(-3.6785734005649577)
    never = redblack.distribution(
        26, 26, policy="never_stop", backend="exact"
    ).lowest_cash
    for m in range(1, 27):  # by reflection
        assert never.cdf(-m) == Fraction(math.comb(52, 26 + m), math.comb(52, 26))


def test_values_by_a_policy() -> None:
    sizes = [3, 0, 7, 3]
    for backend in ("float64", "exact"):
        how: Any = {"policy": StopAtCash(2), "backend": backend}
        expected = [redblack.value(size, size, **how) for size in sizes]
        assert redblack.value(sizes, sizes, **how).tolist() == expected
    assert redblack.value([1, 2], [1, 2], policy="optimal").tolist() == [0.5, 2 / 3]


def test_a_part_of_the_solution_of_a_larger_deck() -> None:
    table = redblack.solve(30, 20)
    assert redblack.value(12, 15, policy=table) == pytest.approx(
        redblack.value(12, 15), rel=1e-14
    )


@pytest.mark.slow
@pytest.mark.parametrize("policy", ["optimal", "never_stop", StopAtCash(5)])
def test_depths_between_nodes(policy: Policy, monkeypatch: pytest.MonkeyPatch) -> None:
    """Against a sweep for every depth."""
    smooth = redblack.distribution(700, 680, policy=policy).lowest_cash
    monkeypatch.setattr(distributions, "_DENSITY", 10**6)
    every = redblack.distribution(700, 680, policy=policy).lowest_cash
    assert smooth.support.tolist() == every.support.tolist()
    assert len(smooth.support) > 150
    assert smooth.probabilities == pytest.approx(every.probabilities, rel=3e-11)
    assert smooth.probabilities.sum() == pytest.approx(1, abs=1e-13)


def test_a_policy_whose_depths_are_not_smooth(monkeypatch: pytest.MonkeyPatch) -> None:
    """A player who now and then gives up when far behind: more nodes, then all."""

    def moody(red: NDArray[np.int64], black: NDArray[np.int64]) -> NDArray[np.bool_]:
        gives_up = (red - black > 20) & ((red + black) % 50 == 20)
        gives_up[red - black >= 40] = False
        return gives_up  # type: ignore[no-any-return]

    swept: list[int] = []
    original = distributions._swept

    def counted(player: Any, depths: Any, **how: Any) -> Any:
        swept.append(len(depths))
        return original(player, depths, **how)

    monkeypatch.setattr(distributions, "_swept", counted)
    law = redblack.distribution(500, 500, policy=moody).lowest_cash
    assert swept[0] < swept[-1] == max(swept)
    assert law.cdf(-21) == pytest.approx(
        math.prod((500 - i) / (501 + i) for i in range(21)), rel=1e-12
    )


def test_the_band_leaves_out_next_to_nothing() -> None:
    law = redblack.distribution(
        3000, 3000, policy=StopAtFirst(StopAtCash(60), StopAtLoss(60))
    ).payoff
    assert law.support.tolist() == [-60, 0, 60]
    assert law.probabilities.sum() == pytest.approx(1, abs=1e-13)
    assert law.probabilities[0] == pytest.approx(law.probabilities[2], rel=1e-12)
    assert redblack.value(3000, 3000, policy=OptimalWithin(500)) == pytest.approx(
        redblack.value(3000, 3000), rel=1e-12
    )
    lopsided = redblack.distribution(5, 300, policy="never_stop").lowest_cash
    assert lopsided.support.tolist() == [-300.0 + i for i in range(6)]


@given(deck=st.tuples(st.integers(0, 7), st.integers(0, 7)), data=st.data())
def test_barred_states_of_the_recurrence(
    deck: tuple[int, int], data: st.DataObject
) -> None:
    """Both kinds of level obey the bars: nothing is drawn there."""
    red, black = deck
    bar = st.tuples(st.integers(0, 8), st.integers(-1, 8))
    bars = [data.draw(bar) for _ in range(red + black + 1)]
    barred = lambda n: bars[n]  # noqa: E731
    levels = zip(
        recurrence.float_levels(Rules(), red, black, barred),
        recurrence.exact_levels(Rules(), red, black, barred),
        strict=True,
    )
    for floats, exact in levels:
        for i in range(len(floats.stop)):
            worth = Fraction(exact.draw[i] - exact.stop[i], exact.denominators[i])
            assert floats.draw[i] - floats.stop[i] == pytest.approx(float(worth))
            if bars[floats.n][0] <= floats.first + i <= bars[floats.n][1]:
                assert worth == 0


def test_policies_are_values() -> None:
    both = StopAtFirst("optimal", StopAtCash("0.05"), StopAtExcess([1, 2]))
    assert both == StopAtFirst("optimal", StopAtCash("1/20"), StopAtExcess([1, 2]))
    assert both != StopAtFirst("optimal")
    assert repr(both) == (
        "StopAtFirst('optimal', StopAtCash(amount=Fraction(1, 20)), "
        "StopAtExcess(excess=[1, 2]))"
    )
    for policy in (both, StopAfter(np.int64(3)), StopAtLoss(2.5), OptimalWithin("1/3")):
        assert pickle.loads(pickle.dumps(policy)) == policy
        with pytest.raises(AttributeError):
            policy.amount = 3  # type: ignore[union-attr, misc]
    assert type(StopAfter(np.int64(3)).cards) is int
    assert type(StopAtLoss(np.uint8(3)).amount) is int
    assert type(StopAtCash(np.float32(2.5)).amount) is float
    assert type(OptimalWithin(np.float64(2.5)).loss) is float
    assert type(redblack.utilities.log(wealth=np.int64(3)).wealth) is int
    assert type(OptimalWithin(draws=np.int64(3)).draws) is int
    assert OptimalWithin("0.5").loss == Fraction(1, 2)


def test_distributions_say_of_which_policy_they_are() -> None:
    found = redblack.distribution(3, 3, policy=StopAtCash(1))
    assert repr(found).startswith(
        "Distributions(red=3, black=3, policy='StopAtCash(amount=1)', "
    )
    assert found.to_dict(json=True)["policy"] == "StopAtCash(amount=1)"


FUNCTIONS = [
    redblack.value,
    lambda *deck, **how: redblack.distribution(*deck, **how).payoff,
    functools.partial(redblack.simulate, games=10),
]


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize(
    ("policy", "error", "message"),
    [
        ("greedy", ValueError, "policy must be one of 'optimal', .* got 'greedy'"),
        (None, TypeError, "policy must be one of .* got None"),
        (StopAtCash, TypeError, "policy must be an instance of StopAtCash"),
        (
            StopAtExcess([1, 2]),
            ValueError,
            r"policy.excess must have red \+ black \+ 1 = 7 entries, .* got 2",
        ),
        (
            redblack.solve(2, 3),
            ValueError,
            "policy must be a solution of the deck, 3 red and 3 black cards, or of one "
            "that holds it, got one of 2 and 3",
        ),
        (
            redblack.solve(4, 3, rules=CAPPED),
            ValueError,
            "policy must be a solution of the deck, 3 red and 3 black cards, got one "
            "of 4 and 3",
        ),
        (lambda r, b: b - r, TypeError, "policy must return a bool array .* int64"),
        (lambda r, b: True, TypeError, "policy must return a bool array .* got bool"),
        (
            lambda r, b: np.ones(len(r) + 1, bool),
            ValueError,
            "policy must return a bool array of the shape of its arguments",
        ),
    ],
)
def test_what_is_no_policy(
    function: Any, policy: Any, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        function(3, 3, policy=policy)


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (StopAtFirst, ValueError, "policies must be at least one policy, got none"),
        (
            lambda: StopAtFirst("optimal", "best"),  # type: ignore[arg-type]
            ValueError,
            r"policies\[1\] must be one of 'optimal', .* got 'best'",
        ),
        (lambda: StopAfter(-1), ValueError, "cards must be an integer >= 0, got -1"),
        (lambda: StopAfter(2.0), TypeError, "cards must be an integer >= 0, got 2.0"),  # type: ignore[arg-type]
        (lambda: StopAtLoss(-1), ValueError, "amount must be a finite .* got -1"),
        (lambda: StopAtLoss(math.nan), ValueError, "amount must be .* got nan"),
        (lambda: OptimalWithin(-1), ValueError, "loss must be a finite .* got -1"),
        (lambda: OptimalWithin(True), TypeError, "loss must be .* got True"),
        (OptimalWithin, ValueError, "loss or draws must be given, got neither"),
        (lambda: OptimalWithin(draws=-1), ValueError, "draws must be .* got -1"),
        (lambda: OptimalWithin(draws=2.5), TypeError, "draws must be .* got 2.5"),  # type: ignore[arg-type]
        (lambda: OptimalWithin("much"), ValueError, "loss must be .* got 'much'"),
    ],
)
def test_errors_of_policies(
    make: Callable[[], object], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        make()


def test_other_policies_need_their_own_method() -> None:
    for policy in ("never_stop", StopAtCash(1)):
        with pytest.raises(ValueError, match="'staircase' for a policy other than 'o"):
            redblack.value(5000, 5000, policy=policy, method="staircase")
        with pytest.raises(ValueError, match="digits must not be given for a policy"):
            redblack.value(50, 50, policy=policy, digits=20)  # type: ignore[call-overload]
    with pytest.raises(ValueError, match="checkpoint is for method='staircase' only"):
        redblack.value([5000], [5000], policy="never_stop", checkpoint="file")


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (
            lambda: (
                redblack.distribution(
                    20_000, 20_000, rules=Rules(lose="1.00001"), policy="never_stop"
                ).lowest_cash
            ),
            "the depths of cash must be at most .* the same amount for both",
        ),
        (
            lambda: redblack.distribution(10**8, 10**8, policy=OptimalWithin(3)).payoff,
            "of memory",
        ),
        (
            lambda: redblack.value(10**9, 10**9, policy="never_stop"),
            "the law|a law of 1000000000 red and 1000000000 black cards",
        ),
    ],
)
def test_what_would_be_too_large(ask: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ask()


def test_progress(capsys: pytest.CaptureFixture[str]) -> None:
    for policy in ("optimal", OptimalWithin(3), StopAtCash(2)):
        silent = redblack.distribution(9, 9, policy=policy).lowest_cash
        assert capsys.readouterr().err == ""
        with cardgames_dp.running(progress=True):
            shown = redblack.distribution(9, 9, policy=policy).lowest_cash
        assert shown == silent
        assert "100%" in capsys.readouterr().err


def test_one_excess_is_that_of_every_level() -> None:
    assert repr(StopAtExcess(np.int8(2))) == "StopAtExcess(excess=2)"
    assert StopAtExcess(2) == StopAtExcess(np.int64(2))
    assert redblack.value(9, 9, policy=StopAtExcess(2)) == redblack.value(
        9, 9, policy=StopAtExcess([2] * 19)
    )


def test_a_function_of_single_states_is_told_of_arrays() -> None:
    with pytest.raises(ValueError, match="ambiguous") as raised:
        redblack.value(3, 3, policy=lambda red, black: black > red > 1)
    assert "called with arrays of the red and of the black" in raised.value.__notes__[0]
