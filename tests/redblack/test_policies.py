"""Any policy: its value, laws and games, against walks over all cards."""

from __future__ import annotations

import math
import operator
import pickle
from collections import Counter
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, strategies as st

from cardgames_dp import exact, play, redblack
from cardgames_dp.game import explore
from cardgames_dp.redblack import OptimalWithin, Rules, State, StopAt
from cardgames_dp.redblack.policies import Policy
from cardgames_dp.redblack.utilities import in_fractions
from tests.redblack import oracles
from tests.redblack.oracles import Stops
from tests.redblack.strategies import amounts, linear_rules, utility_rules
from tests.refusals import type_error, value_error

decks = st.tuples(st.integers(0, 5), st.integers(0, 5))

CAPPED = Rules(utility=lambda cash: np.minimum(cash, 1))
"""A player whom nothing beyond 1 interests."""


def as_arrays(stops: Stops, kind: Any = float) -> Any:
    """Return the function of arrays that a function of a state stands for."""

    def policy(state: Any) -> Any:
        pairs = zip(np.ravel(state.red), np.ravel(state.black), strict=True)
        chances = [kind(Fraction(stops(int(r), int(b)))) for r, b in pairs]
        if kind is bool:
            return np.where(np.array(chances, bool), "stop", "draw")
        stop = np.array(chances, object if kind is Fraction else float)
        return {"stop": stop, "draw": 1 - stop}

    return policy


def one_by_one(stops: Stops) -> Any:
    """Return the same as a function of a single state."""

    def policy(state: State) -> dict[str, Fraction]:
        stop = Fraction(stops(operator.index(state.red), operator.index(state.black)))
        return {"stop": stop, "draw": 1 - stop}

    return policy


def counted(drawn: dict[Fraction, Fraction], cards: int, count: str | None) -> Any:
    """Return the law of the moves that count, given that of the cards drawn."""
    result: dict[int, Fraction] = {}
    for n, p in drawn.items():
        # A card is two moves, and stopping before the last card is one.
        moves = {None: 2 * int(n) + (n < cards), "draw": int(n), "stop": int(n < cards)}
        result[moves[count]] = result.get(moves[count], Fraction(0)) + p
    return dict(sorted(result.items()))


def check(
    deck: tuple[int, int],
    rules: Rules,
    policy: Policy,
    stops: Stops,
    floats: Policy | None = None,
) -> None:
    """Check all that is known of a policy against the walk, in both backends.

    By the ways of a deck, and of any game. `floats` is the same policy for float64, if
    that is another.
    """
    how: Any = {"rules": rules, "backend": "exact"}
    rough = policy if floats is None else floats
    cash, drawn, lowest = oracles.laws(*deck, rules, stops)
    rewards = in_fractions(rules.utility, cash)
    returns = dict.fromkeys(sorted(rewards), Fraction(0))
    for reward, p in zip(rewards, cash.values(), strict=True):
        returns[reward] += p
    worth = sum([p * u for u, p in returns.items()])
    assert redblack.value(*deck, policy=policy, **how) == worth
    value = redblack.value(*deck, policy=rough, rules=rules)
    assert value == pytest.approx(float(worth), abs=1e-12)
    deepest = redblack.lowest_cash(*deck, policy=policy, **how)
    assert deepest.to_dict() == lowest
    rounded = redblack.lowest_cash(*deck, policy=rough, rules=rules)
    assert rounded.support.tolist() == [*map(float, lowest)]
    assert rounded.probabilities == pytest.approx([*map(float, lowest.values())])
    best = redblack.value(*deck, **how)
    game = redblack.game(*deck, rules=rules)
    explored = explore(game)
    # Without cards nobody decides.
    count = (None, "draw", "stop")[sum(deck) % 3] if any(deck) else None
    law = counted(drawn, sum(deck), count)
    for way in (game, explored):
        result: Any = play.distribution(way, policy, count=count, backend="exact")
        assert result.returns[0].to_dict() == returns
        assert result.moves.to_dict() == law
        rounded_law: Any = play.distribution(way, rough, count=count)
        check_floats(rounded_law.returns[0], returns, rounded_law.error)
        check_floats(rounded_law.moves, law, rounded_law.error)
    assert play.evaluate(explored, policy, backend="exact").value == worth
    near: Any = play.evaluate(game, rough)
    assert abs(Fraction(near.value) - worth) <= near.error < 1e-10
    regret = play.regret(game, policy, backend="exact")
    assert regret.loss == sum(regret.cost) == best - worth
    same = play.regret(game, one_by_one(stops), backend="exact")
    assert reached(regret) == reached(same)
    near = play.regret(game, rough)
    assert abs(Fraction(near.loss) - regret.loss) <= near.error < 1e-10
    for what in ("reach", "given_up", "cost"):
        expected = by_state(regret, what)
        assert by_state(near, what) == pytest.approx(expected, abs=1e-10)
    check_games(deck, rules, rough, stops)


def check_floats(
    result: play.Distribution[float], expected: dict[Any, Fraction], error: float
) -> None:
    assert result.support.tolist() == [*map(float, expected)]
    pairs = zip(result.probabilities.tolist(), expected.values(), strict=True)
    assert all(abs(Fraction(p) - q) <= error for p, q in pairs)
    assert error < 1e-12


def check_games(
    deck: tuple[int, int], rules: Rules, policy: Policy, stops: Stops
) -> None:
    """Check that simulated players follow a policy, and are paid."""
    games = play.simulate(
        redblack.game(*deck, rules=rules), policy, games=30, rng=1, histories=30
    )
    ends = []
    for history in games.histories:
        for state, after in pairwise(history):
            red, black, decision = state
            if decision:
                assert after in {(red - 1, black, ""), (red, black - 1, "")}
            else:
                assert Fraction(stops(red, black)) != (after.decision == "draw")
        red, black, decision = history[-1]
        assert (decision == "stop") == (red + black > 0)
        ends.append(rules.cash(deck[0] - red, deck[1] - black))
    paid = [float(x) for x in in_fractions(rules.utility, ends)]
    moves = [len(x) - 1 for x in games.histories]
    for law, results in ((games.returns[0], paid), (games.moves, moves)):
        assert {x: round(30 * p) for x, p in law} == pytest.approx(Counter(results))


def reached(regret: Any) -> dict[State, list[Any]]:
    """Return what is known of the states that play comes to."""
    columns = regret.to_dict()
    names = ("taken", "best", "reach", "given_up", "cost")
    rows = zip(columns["state"], *[columns[name] for name in names], strict=True)
    return {state: row for state, *row in rows if row[2]}


def by_state(regret: Any, what: str) -> dict[State, float]:
    """Return an attribute of a regret by state."""
    numbers = map(float, getattr(regret, what))
    return dict(zip(regret.states, numbers, strict=True))


@given(deck=decks, rules=linear_rules, data=st.data())
def test_any_function_of_the_state(
    deck: tuple[int, int], rules: Rules, data: st.DataObject
) -> None:
    """Which stops by chance or for certain, alone and within others."""
    # Mostly going on, or games would be short.
    certain = st.sampled_from([Fraction(0)] * 3 + [Fraction(1)])
    chances = st.sampled_from([Fraction(0), Fraction(1, 3), Fraction(7, 8)]) | certain
    chance = certain if data.draw(st.booleans()) else chances
    table = {(r, b): data.draw(chance) for r in range(6) for b in range(6)}
    stops: Stops = lambda r, b: table[r, b]  # noqa: E731
    exact, floats = as_arrays(stops, Fraction), as_arrays(stops)
    if all(p in (0, 1) for p in table.values()):
        exact = floats = as_arrays(stops, bool)
    check(deck, rules, exact, stops, floats)
    first: Any = [StopAt(draws=4, policy=policy) for policy in (exact, floats)]
    soon: Stops = lambda r, b: stops(r, b) if sum(deck) - r - b < 4 else 1  # noqa: E731
    check(deck, rules, first[0], soon, first[1])


@given(
    deck=decks,
    rules=linear_rules,
    cash=st.none() | amounts,
    loss=st.none() | amounts,
    draws=st.none() | st.integers(0, 12) | st.just(10**20),
    word=st.integers(0, 9),
)
def test_policies_with_a_name_or_a_number(
    deck: tuple[int, int], rules: Rules, cash: Any, loss: Any, draws: Any, word: int
) -> None:
    """Words, functions and mixtures, alone and within limits, and those again."""
    red, black = deck

    def in_hand(r: int, b: int) -> Fraction:
        return rules.cash(red - r, black - b)

    behind: Stops = lambda r, b: b > r  # noqa: E731
    ahead, states = "first_positive", [*np.ndindex(red + 1, black + 1)]

    def halves(state: State) -> Any:
        even = (state.black > state.red) * 1
        return {"stop": even, "draw": 2 - even}

    meanings: list[tuple[Policy, Stops]] = [
        ("never_stop", lambda r, b: False),
        ("first_positive", lambda r, b: in_hand(r, b) > 0),
        ("quit_when_negative", lambda r, b: in_hand(r, b) < 0),
        (lambda state: np.where(state.black > state.red, "stop", "draw"), behind),
        (lambda state: "stop" if state.black > state.red else "draw", behind),
        (lambda _: {"stop": 1, "draw": 2}, lambda r, b: Fraction(1, 3)),
        (lambda _: "stop", lambda r, b: 1),
        (
            {State(r, b): "draw" if r else {"stop": 3, "draw": 1} for r, b in states},
            lambda r, b: 0 if r else Fraction(3, 4),
        ),
        (
            play.mixture({"quit_when_negative": 1, StopAt(2, draws=3): 4}),
            lambda r, b: Fraction(
                (in_hand(r, b) < 0)
                + 4 * (in_hand(r, b) >= 2 or red + black - r - b >= 3),
                5,
            ),
        ),
        (
            play.mixture([(play.mixture({"never_stop": 1, halves: 2}), 2), (ahead, 1)]),
            lambda r, b: (Fraction(2 * (b > r), 3) + (in_hand(r, b) > 0)) / 3,
        ),
    ]
    policy, stops = meanings[word]
    check(deck, rules, policy, stops)
    if cash is None and loss is None and draws is None:
        return

    def limited(r: int, b: int) -> Any:
        over = cash is not None and in_hand(r, b) >= Fraction(cash)
        over |= loss is not None and in_hand(r, b) <= -Fraction(loss)
        over |= draws is not None and red + black - r - b >= draws
        return over or stops(r, b)

    check(deck, rules, StopAt(cash, loss=loss, draws=draws, policy=policy), limited)
    nested = policy
    for limit in ({"cash": cash}, {"loss": loss}, {"draws": draws}):
        if None not in limit.values():
            nested = StopAt(**limit, policy=nested)
    once = redblack.lowest_cash(*deck, policy=nested, rules=rules, backend="exact")
    assert once.to_dict() == oracles.laws(*deck, rules, limited)[2]


@given(deck=decks, rules=linear_rules | utility_rules, form=st.integers(0, 5))
def test_the_optimal_policy_is_one_of_them(
    deck: tuple[int, int], rules: Rules, form: int
) -> None:
    """In words, as a solution of either kind, and as the best response."""
    best, game = oracles.Game(*deck, rules), redblack.game(*deck, rules=rules)
    solution = exact.solve(game)

    def even(r: int, b: int) -> Any:
        return Fraction(1, 2) if best.ties(r, b) else best.stops(r, b)

    forms: list[Policy] = [
        *("optimal", solution, solution.policy, exact.solve(explore(game))),
        play.best_response(game, solution, 0, backend="exact"),
        exact.solve(game, tie_break="uniform"),
    ]
    check(deck, rules, forms[form], best.stops if form < 5 else even)


@given(
    deck=decks,
    rules=linear_rules | utility_rules | st.just(CAPPED),
    loss=st.none() | amounts,
    draws=st.none() | st.integers(0, 12),
)
@example(deck=(3, 3), rules=Rules(win=0, tie="draw"), loss=5, draws=None)
@example(deck=(3, 3), rules=Rules(win=1, fee=2, tie="draw"), loss=9, draws=None)
@example(deck=(4, 2), rules=Rules(win=0, lose=0, tie="draw"), loss=0, draws=None)
@example(deck=(1, 1), rules=Rules(lose="5/3"), loss=Fraction(5, 3), draws=None)
def test_the_best_within_limits(
    deck: tuple[int, int], rules: Rules, loss: Any, draws: int | None
) -> None:
    if loss is None and draws is None:
        return
    least = None if loss is None else Fraction(loss)
    policy = OptimalWithin(loss=loss, draws=draws)
    game = oracles.Game(*deck, rules, least, draws)
    check(deck, rules, policy, game.stops)
    how: Any = {"rules": rules, "policy": policy, "backend": "exact"}
    assert redblack.value(*deck, **how) == game.total(*deck)
    if least is not None:
        assert redblack.lowest_cash(*deck, **how).support[0] >= -least


def test_limits_of_a_large_deck() -> None:
    """From the lowest level that is reached on, as over all levels."""
    limits = [OptimalWithin(draws=n) for n in (0, 1, 40, 400, 550, 10**20)]
    values = [redblack.value(300, 250, policy=policy) for policy in limits]
    assert values == sorted(values)
    assert values[-1] == values[-2]
    assert values[-1] == pytest.approx(redblack.value(300, 250), rel=1e-13)
    exact = redblack.value(300, 250, policy=limits[2], backend="exact")
    assert values[2] == pytest.approx(float(exact), rel=1e-13)
    # A player who does not know of the limit does worse.
    unaware = StopAt(draws=400, policy="optimal")
    assert redblack.value(300, 250, policy=unaware) < values[3] - 0.05
    credit = [redblack.value(30, 50, policy=OptimalWithin(loss=n)) for n in range(52)]
    assert credit == sorted(credit)
    assert credit[-1] == pytest.approx(redblack.value(30, 50), rel=1e-14)


def test_a_part_of_the_solution_of_a_larger_deck() -> None:
    table, value = redblack.solve(30, 20), redblack.value(12, 15)
    assert redblack.value(12, 15, policy=table) == pytest.approx(value, rel=1e-14)


def test_the_lowest_cash_of_a_large_deck() -> None:
    """By reflection, also far down, and where a player may give up on the way."""

    def moody(state: State) -> Any:
        gap, n = state.red - state.black, state.red + state.black
        return np.where((gap > 20) & (gap < 40) & (n % 50 == 20), "stop", "draw")

    law = redblack.lowest_cash(400, 380, policy="never_stop")
    assert law.probabilities.sum() == pytest.approx(1, abs=1e-13)
    for depth in (1, 20, 21, 60, 100):
        below = Fraction(math.comb(780, 400 + depth), math.comb(780, 400))
        assert law.cdf(-depth) == pytest.approx(float(below), rel=1e-12)
    law = redblack.lowest_cash(500, 500, policy=moody)
    expected = math.prod((500 - i) / (501 + i) for i in range(21))
    assert law.cdf(-21) == pytest.approx(expected, rel=1e-12)
    lopsided = redblack.lowest_cash(5, 300, policy="never_stop")
    assert lopsided.support.tolist() == [-300.0 + i for i in range(6)]


def test_the_band_leaves_out_next_to_nothing() -> None:
    either = StopAt(60, loss=60)
    result = play.distribution(redblack.game(3000, 3000), either)
    law = result.returns[0]
    assert law.support.tolist() == [-60, 0, 60]
    assert abs(law.probabilities.sum() - 1) <= 3 * result.error
    assert abs(law.probabilities[0] - law.probabilities[2]) <= 2 * result.error < 1e-10
    within = redblack.value(3000, 3000, policy=OptimalWithin(loss=500))
    assert within == pytest.approx(redblack.value(3000, 3000), rel=1e-12)


def test_limits_do_not_write_into_the_answers_of_a_function() -> None:
    chances = np.zeros(9)

    def policy(state: State) -> Any:
        none = chances[: np.size(state.red)]
        return {"stop": none, "draw": none + 1}

    assert redblack.value(4, 4, policy=StopAt(draws=1, policy=policy)) == 0
    assert not chances.any()


def test_many_of_one_mind() -> None:
    """A mixture of players who all stop does, whatever its weights add up to."""
    for count in (6, 49):
        stopping = [(StopAt(draws=0, loss=i), 0.1) for i in range(count)]
        result = play.distribution(redblack.game(3, 3), play.mixture(stopping))
        assert dict(result.returns[0]) == {0: 1}


def test_policies_are_values() -> None:
    both = StopAt("0.05", draws=np.int64(3), policy=StopAt(loss=2, policy="optimal"))
    same = StopAt("1/20", draws=3, policy=StopAt(loss=np.uint8(2), policy="optimal"))
    assert both == same != StopAt("1/20", draws=3, policy=StopAt(loss=2))
    assert hash(both) == hash(same)
    assert StopAt(Decimal("1.5")) == StopAt(Fraction(3, 2))
    for policy in (both, OptimalWithin(loss="1/3")):
        assert pickle.loads(pickle.dumps(policy)) == policy
        with pytest.raises(AttributeError):
            policy.loss = 3  # type: ignore[misc]
    assert type(StopAt(np.float32(2.5)).cash) is float


def test_a_policy_is_kept_as_it_was_when_it_was_asked() -> None:
    """Also what is found later, such as reach."""
    policies = ["first_positive"]
    result = play.distribution(redblack.game(4, 4), policies)
    policies[0] = "never_stop"
    assert sum(result.visits.values()) == pytest.approx(result.moves.mean + 1)
    assert result.reach[0, 0] == pytest.approx(0.2)


def test_a_policy_may_change_its_arguments() -> None:
    def changing(state: Any) -> Any:
        red = state.red
        red -= state.black
        return "stop" if red < 0 else "draw"

    deck = redblack.game(4, 4)
    for backend in ("float64", "exact"):
        how: Any = {"policy": changing, "backend": backend}
        assert redblack.value(4, 4, **how) == pytest.approx(0.8)
    assert play.distribution(deck, changing).mean == pytest.approx((0.8,))


def test_other_look_ups_are_no_policies() -> None:
    solution = redblack.solve(3, 3)
    others: list[Any] = [solution.values, solution.errors, solution.optimal_actions]
    for other in [*others, play.distribution(solution).reach]:
        for game in (solution.game, explore(solution.game)):
            type_error("a look-up of", play.distribution, game, other)
        type_error("a look-up of", redblack.value, 3, 3, policy=other)
    fixed = play.evaluate(solution, "first_positive")
    words = "must have an action for every state"
    value_error(words, redblack.value, 3, 3, policy=fixed)
    value_error("with a policy of its own", redblack.boundary, fixed)


@pytest.mark.parametrize("weight", [1e308, 5e-324, 10**400, Fraction(1, 10**400), "1"])
def test_weights_of_any_size(weight: Any) -> None:
    def even(state: Any) -> Any:
        weights = [weight] * len(state.red)
        return {"stop": weights, "draw": weights}

    deck = redblack.game(2, 2)
    expected = {1: 1 / 2, 3: 1 / 4, 5: 1 / 8, 7: 1 / 16, 8: 1 / 16}
    for policy in (even, lambda _: {"stop": weight, "draw": weight}):
        result = play.distribution(deck, policy).moves.to_dict()
        assert result == pytest.approx(expected)


def test_answers_in_arrays_of_other_kinds() -> None:
    """Integers without a sign are exact; what is masked is no answer."""

    def even(state: Any) -> Any:
        return {"stop": np.ones(len(state.red), np.uint64), "draw": 1}

    each = redblack.value(
        3, 3, policy=lambda s: {"stop": 1, "draw": 1}, backend="exact"
    )
    assert redblack.value(3, 3, policy=even, backend="exact") == each
    mask: Any = lambda s: np.ma.array(["stop"] * len(s.red), mask=True)  # noqa: E731
    with pytest.raises(ValueError, match="must not give masked arrays"):
        redblack.value(3, 3, policy=mask)
    with pytest.raises(ValueError, match=r"must give 'stop' or 'draw', .*got \(0, 'st"):
        redblack.value(3, 3, policy=lambda s: (0, "stop", 1))


def test_a_mixture_of_many_policies_is_within_its_error() -> None:
    stop: Any = lambda s: np.where(s.red >= 0, "stop", "draw")  # noqa: E731
    draw: Any = lambda s: np.where(s.red >= 0, "draw", "stop")  # noqa: E731
    parts = [(draw, 1), *[(draw, 2.0**-53)] * 200, (stop, 1)]
    law = play.distribution(redblack.game(1, 0), play.mixture(parts))
    share = 1 / (2 + 200 * Fraction(1, 2**53))
    apart = abs(Fraction(law.returns[0].pmf(0)) - share)
    assert apart <= law.error < 1e-12
