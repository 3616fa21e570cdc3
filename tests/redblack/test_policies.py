"""Any policy: its value, laws and games, against walks over all cards."""

from __future__ import annotations

import math
import pickle
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, strategies as st
from numpy.typing import NDArray

from cardgames_dp import play, redblack
from cardgames_dp.redblack import OptimalWithin, Policy, Rules, State, StopAt
from cardgames_dp.redblack.utilities import in_fractions
from tests.redblack import oracles
from tests.redblack.oracles import Stops
from tests.redblack.strategies import amounts, linear_rules, utility_rules

decks = st.tuples(st.integers(0, 5), st.integers(0, 5))

CAPPED = Rules(utility=lambda cash: np.minimum(cash, 1))
"""A player whom nothing beyond 1 interests."""


def each(found: redblack.Distributions[Any]) -> tuple[play.Distribution[Any], ...]:
    return found.payoff, found.moves, found.lowest_cash


def counted(found: play.Distribution[float], games: int) -> tuple[Any, Any]:
    """Return the results of games, and how many games had each."""
    return found.support, np.rint(found.probabilities * games).astype(int)


def asked(stops: Stops, kind: Any = float) -> Any:
    """Return the function of arrays that a function of a state stands for."""

    def policy(red: NDArray[np.int64], black: NDArray[np.int64]) -> NDArray[Any]:
        pairs = zip(red.tolist(), black.tolist(), strict=True)
        found = [Fraction(stops(r, b)) for r, b in pairs]
        return np.array([*map(kind, found)], object if kind is Fraction else kind)

    return policy


def check(
    deck: tuple[int, int],
    rules: Rules,
    policy: Policy,
    stops: Stops,
    floats: Policy | None = None,
) -> None:
    """Check all that is known of a policy against the walk, in both backends.

    A simulated player follows it in every game. `floats` is the same policy for
    float64, if that is another.
    """
    how: Any = {"policy": policy, "rules": rules, "backend": "exact"}
    rough: Any = {"policy": policy if floats is None else floats, "rules": rules}
    expected = oracles.laws(*deck, rules, stops)
    certain = each(redblack.distribution(*deck, **how))
    rounded = each(redblack.distribution(*deck, **rough))
    for exact, float_, law in zip(certain, rounded, expected, strict=True):
        assert exact.to_dict() == law
        assert float_.support.tolist() == [float(x) for x in law]
        likely = [float(p) for p in law.values()]
        assert float_.probabilities == pytest.approx(likely, rel=1e-12)
    rewards = in_fractions(rules.utility, expected[0])
    worth = sum(p * u for p, u in zip(expected[0].values(), rewards, strict=True))
    assert redblack.value(*deck, **how) == worth
    assert redblack.value(*deck, **rough) == pytest.approx(float(worth), abs=1e-12)
    returns = dict.fromkeys(sorted(rewards), Fraction(0))
    for u, p in zip(rewards, expected[0].values(), strict=True):
        returns[u] += p
    check_in_play(deck, rules, policy, stops, (returns, expected[1]))
    states = [state for state in np.ndindex(deck[0] + 1, deck[1] + 1) if any(state)]
    decided = all(Fraction(stops(*state)) in (0, 1) for state in states)
    inner = policy.policy if isinstance(policy, StopAt) else policy
    decided &= not isinstance(inner, dict)  # which is asked for chances at any rate
    decided &= floats is None or floats == policy  # other ones answer with chances
    same = asked(stops, bool if decided else float)
    one, other = (
        redblack.simulate(*deck, games=30, rules=rules, policy=player, rng=1, paths=30)
        for player in (rough["policy"], same)
    )
    assert replace(one, policy=other.policy) == other


def check_in_play(
    deck: tuple[int, int], rules: Rules, policy: Any, stops: Stops, laws: Any
) -> None:
    """Check a policy in `play`, against the laws of its returns and of its draws.

    What it stands for there in single states is the same policy, and a function of
    arrays of cards is one of states.
    """
    game = redblack.game(*deck, rules=rules)

    def one_by_one(state: State) -> dict[str, Fraction]:
        stop = Fraction(stops(state.red, state.black))
        return {"stop": stop, "draw": 1 - stop}

    def at_once(states: State) -> Any:
        stop = policy(states.red, states.black)
        if stop.dtype == bool:
            return np.where(stop, "stop", "draw")
        return {"stop": stop, "draw": 1 - stop}

    given, mean = at_once if callable(policy) else policy, laws[0].items()
    worth = sum([p * u for u, p in mean])
    assert play.evaluate(game, given, backend="exact").value == worth
    floats = play.evaluate(game, given)
    assert abs(Fraction(floats.value) - worth) <= floats.error < 1e-10
    found: Any = play.distribution(game, given, backend="exact")
    assert found.returns[0].to_dict() == laws[0]
    # A card is two moves, and stopping before the last card is one.
    assert {x // 2: p for x, p in found.moves} == laws[1]
    regret = play.regret(game, given, backend="exact")
    best = redblack.value(*deck, rules=rules, backend="exact")
    assert regret.loss == sum(regret.cost) == best - worth
    assert redblack.regret(*deck, policy=policy, rules=rules, backend="exact") == regret
    same = play.regret(game, one_by_one, backend="exact")
    assert reached(regret) == reached(same)
    rounded = play.regret(game, given)
    assert abs(Fraction(rounded.loss) - regret.loss) <= rounded.error < 1e-10
    for what in ("reach", "given_up", "cost"):
        expected = by_state(regret, what)
        assert by_state(rounded, what) == pytest.approx(expected, abs=1e-10)


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
    exact, floats = asked(stops, Fraction), asked(stops)
    if all(p in (0, 1) for p in table.values()):
        exact = floats = asked(stops, bool)
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
    word=st.integers(0, 6),
)
def test_policies_with_a_name_or_a_number(
    deck: tuple[int, int], rules: Rules, cash: Any, loss: Any, draws: Any, word: int
) -> None:
    """Each word, a mixture and a function, alone and within limits, and those again."""
    red, black = deck

    def in_hand(r: int, b: int) -> Fraction:
        return rules.cash(red - r, black - b)

    meanings: list[tuple[Policy, Stops]] = [
        ("never_stop", lambda r, b: False),
        ("first_positive", lambda r, b: in_hand(r, b) > 0),
        ("quit_when_negative", lambda r, b: in_hand(r, b) < 0),
        (asked(lambda r, b: b > r, bool), lambda r, b: b > r),
        ({"stop": 1, "draw": 2}, lambda r, b: Fraction(1, 3)),
        ({"stop": 2}, lambda r, b: 1),
        ({"draw": 1}, lambda r, b: 0),
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
    how: Any = {"rules": rules, "backend": "exact"}
    once = redblack.distribution(*deck, policy=nested, **how).payoff.to_dict()
    assert once == oracles.laws(*deck, rules, limited)[0]


@given(deck=decks, rules=linear_rules | utility_rules)
def test_the_optimal_policy_is_one_of_them(deck: tuple[int, int], rules: Rules) -> None:
    game = oracles.Game(*deck, rules)
    table = redblack.solve(*deck, rules=rules, backend="exact")
    for policy in ("optimal", table):
        check(deck, rules, policy, game.stops)
    best = redblack.value(*deck, rules=rules, policy=table, backend="exact")
    assert best == game.total(*deck)


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
    policy, game = (
        OptimalWithin(loss=loss, draws=draws),
        oracles.Game(*deck, rules, least),
    )
    game = oracles.Game(*deck, rules, least, draws)
    check(deck, rules, policy, game.stops)
    how: Any = {"rules": rules, "policy": policy, "backend": "exact"}
    assert redblack.value(*deck, **how) == game.total(*deck)
    if least is not None:
        assert redblack.distribution(*deck, **how).lowest_cash.support[0] >= -least


def test_limits_of_a_large_deck() -> None:
    """From the lowest level that is reached on, as over all levels."""
    limits = [OptimalWithin(draws=n) for n in (0, 1, 40, 400, 550, 10**20)]
    values = [redblack.value(300, 250, policy=policy) for policy in limits]
    assert values == sorted(values)
    assert values[0] == 0
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
    # After the last black card the floor is no reason to stop.
    assert redblack.value(1, 1, policy=OptimalWithin(loss=1), backend="exact") == 0.5
    assert redblack.value(1, 1, policy=StopAt(loss=1), backend="exact") == -0.5


def at_each_seventh(
    red: NDArray[np.int64], black: NDArray[np.int64]
) -> NDArray[np.bool_]:
    stops: NDArray[np.bool_] = (red + black) % 7 == 0
    return stops


POLICIES: list[Policy] = [
    *("optimal", "first_positive", "quit_when_negative", "never_stop"),
    *(StopAt(3), StopAt(loss=4), StopAt(draws=14)),
    *(OptimalWithin(loss=4), OptimalWithin(draws=16), {"stop": 1, "draw": 20}),
    StopAt(loss=1, policy="optimal"),
    StopAt(2, policy=at_each_seventh),
]


@pytest.mark.parametrize("policy", POLICIES, ids=range(len(POLICIES)))
@pytest.mark.parametrize("rules", [Rules(), Rules(win="1.5", fee="0.25", tie="draw")])
def test_float64_is_exact_to_rounding_and_simulated(
    policy: Policy, rules: Rules
) -> None:
    deck, games = (13, 11), 2_000
    how: Any = {"policy": policy, "rules": rules}
    rounded = each(redblack.distribution(*deck, **how))
    certain = each(redblack.distribution(*deck, **how, backend="exact"))
    result = redblack.simulate(*deck, games=games, **how, rng=5, paths=games)
    lows = np.unique([path.min() for path in result.paths], return_counts=True)
    played = counted(result.payoff, games), counted(result.moves, games), lows
    for floats, exact, (results, counts) in zip(rounded, certain, played, strict=True):
        assert sum(exact.probabilities) == 1
        common = np.isin(exact.support.astype(float), floats.support)
        # What float64 leaves out is never met.
        assert exact.probabilities[~common].sum() < 1e-15
        expected = exact.probabilities[common].astype(float)
        assert floats.probabilities == pytest.approx(expected, rel=1e-9, abs=1e-16)
        found = dict(zip(results.tolist(), counts.tolist(), strict=True))
        assert found.keys() <= set(floats.support.tolist())
        for x, p in floats.to_dict().items():
            assert abs(found.get(x, 0) - games * p) <= 5 * math.sqrt(games * p) + 5
    value = redblack.value(*deck, **how)
    assert abs(result.mean - value) <= 5 * result.standard_error + 1e-12
    game = redblack.game(*deck, rules=rules)
    law = play.distribution(game, policy)
    # As above; but float amounts on the way may differ in the last bit.
    share = np.array([p for x, p in law.returns[0] if p > 1e-15])
    likely = [p for p in rounded[0].probabilities if p > 1e-15]
    assert share == pytest.approx(likely)
    assert law.returns[0].mean == pytest.approx(value, abs=1e-12)
    games_ = play.simulate(game, policy, games=games, rng=1)
    assert abs(games_.mean[0] - value) <= 5 * games_.standard_error[0] + 1e-12
    sizes = [3, 0, 7, 3]
    single = [redblack.value(size, size, **how) for size in sizes]
    assert redblack.value(sizes, sizes, **how).tolist() == single


def test_a_part_of_the_solution_of_a_larger_deck() -> None:
    table, value = redblack.solve(30, 20), redblack.value(12, 15)
    assert redblack.value(12, 15, policy=table) == pytest.approx(value, rel=1e-14)


def test_the_lowest_cash_of_a_large_deck() -> None:
    """By reflection, also far down, and where a player may give up on the way."""

    def moody(red: NDArray[np.int64], black: NDArray[np.int64]) -> NDArray[np.bool_]:
        gives_up = (red - black > 20) & ((red + black) % 50 == 20)
        gives_up[red - black >= 40] = False
        return gives_up  # type: ignore[no-any-return]

    law = redblack.distribution(400, 380, policy="never_stop").lowest_cash
    assert law.probabilities.sum() == pytest.approx(1, abs=1e-13)
    for depth in (1, 20, 21, 60, 100):
        below = Fraction(math.comb(780, 400 + depth), math.comb(780, 400))
        assert law.cdf(-depth) == pytest.approx(float(below), rel=1e-12)
    law = redblack.distribution(500, 500, policy=moody).lowest_cash
    expected = math.prod((500 - i) / (501 + i) for i in range(21))
    assert law.cdf(-21) == pytest.approx(expected, rel=1e-12)


def test_the_band_leaves_out_next_to_nothing() -> None:
    either = StopAt(60, loss=60)
    law = redblack.distribution(3000, 3000, policy=either).payoff
    assert law.support.tolist() == [-60, 0, 60]
    assert law.probabilities.sum() == pytest.approx(1, abs=1e-13)
    assert law.probabilities[0] == pytest.approx(law.probabilities[2], rel=1e-12)
    within = redblack.value(3000, 3000, policy=OptimalWithin(loss=500))
    assert within == pytest.approx(redblack.value(3000, 3000), rel=1e-12)
    lopsided = redblack.distribution(5, 300, policy="never_stop").lowest_cash
    assert lopsided.support.tolist() == [-300.0 + i for i in range(6)]


def test_limits_do_not_write_into_the_answers_of_a_function() -> None:
    chances = np.zeros(9)
    limited = StopAt(draws=1, policy=lambda red, black: chances[: len(red)])
    assert redblack.value(4, 4, policy=limited) == 0
    assert not chances.any()


def test_policies_are_values() -> None:
    both = StopAt("0.05", draws=np.int64(3), policy=StopAt(loss=2, policy="optimal"))
    same = StopAt("1/20", draws=3, policy=StopAt(loss=np.uint8(2), policy="optimal"))
    assert both == same != StopAt("1/20", draws=3, policy=StopAt(loss=2))
    assert hash(both) == hash(same)
    assert (
        StopAt(Decimal("1.5")) == StopAt(Fraction(3, 2)) != StopAt(loss=Decimal("1.5"))
    )
    for policy in (both, OptimalWithin(loss="1/3")):
        assert pickle.loads(pickle.dumps(policy)) == policy
        with pytest.raises(AttributeError):
            policy.loss = 3  # type: ignore[misc]
    plain: list[tuple[Any, type]] = [
        (both.cash, Fraction),
        (both.draws, int),
        (StopAt(np.float32(2.5)).cash, float),
        (StopAt(loss=np.uint8(3)).loss, int),
        (OptimalWithin(loss=np.float64(2.5), draws=np.int64(3)).loss, float),
        (OptimalWithin(loss="0.5", draws=np.int64(3)).draws, int),
    ]
    assert [type(number) for number, _ in plain] == [kind for _, kind in plain]


@pytest.mark.parametrize("policy", ["nevr_stop", "best", ["optimum"]])
def test_misspelt_words_in_play(policy: Any) -> None:
    words = (
        r"^policies must be one of 'optimal', 'first_positive', 'never_stop', "
        r"'quit_when_negative', a StopAt, .* a callable of a state, .*, got '"
    )
    for function in (play.evaluate, play.distribution, play.regret):
        with pytest.raises(ValueError, match=words):
            function(redblack.game(3, 3), policy)


def test_a_solution_of_another_deck_in_play() -> None:
    part, whole = redblack.game(4, 3), redblack.solve(5, 6)
    assert play.regret(part, whole, backend="exact").loss == 0
    with pytest.raises(
        ValueError, match=r"^policy must be a solution of the deck, 4 r"
    ):
        play.evaluate(part, redblack.solve(3, 3))


# What policies give up.


def test_nothing_is_given_up_without_cards_or_by_the_optimal_player() -> None:
    assert not play.regret(redblack.game(0, 0), "never_stop").cost.any()
    careful = Rules(utility=redblack.utilities.exponential("1/2"))
    game = redblack.game(26, 26, rules=careful)
    assert play.regret(game, "optimal").loss == 0
    assert 0 < play.regret(redblack.game(26, 26), "optimal").error < 1e-9
    # An optimal player without fear gives something up for one who is careful.
    bold = redblack.solve(26, 26)
    expected = redblack.value(26, 26, rules=careful)
    expected -= redblack.value(26, 26, policy=bold, rules=careful)
    assert play.regret(game, bold).loss == pytest.approx(expected, abs=1e-10)
