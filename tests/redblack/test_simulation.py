"""Simulated players against all orders of small decks, and against each other."""

import json
import math
import pickle
import sys
from collections import Counter, defaultdict
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from itertools import combinations, pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, strategies as st
from numpy.typing import NDArray

import cardgames_dp
from cardgames_dp import TooLargeError, redblack
from cardgames_dp.redblack import Rules, simulation
from cardgames_dp.redblack.policies import Policy, StopAtCash, StopAtExcess
from cardgames_dp.redblack.simulation import Simulation, simulate

Stops = Callable[[int, int], bool]  # of the red and black cards remaining


def capped(cash: NDArray[Any]) -> NDArray[Any]:
    """A utility that pickles: nothing beyond 2 is of any use."""
    result: NDArray[Any] = np.minimum(cash, 2)
    return result


def unasked(*_: NDArray[np.int64]) -> NDArray[np.bool_]:
    """A policy that must not be used."""
    raise AssertionError


CLASSIC = Rules()
DRAW_ON = Rules(tie="draw")
UNEQUAL = Rules(win=Fraction(3, 2), lose=0.1, fee=Fraction(1, 7))
SATED = Rules(utility=capped)


def brute_force(
    red: int, black: int, rules: Rules, stops: Stops
) -> tuple[dict[float, Fraction], dict[int, Fraction]]:
    """Return the laws of payoff and duration, from all orders of the deck."""
    total = red + black
    payoffs: dict[float, Fraction] = defaultdict(Fraction)
    durations: dict[int, Fraction] = defaultdict(Fraction)
    for places in combinations(range(total), red):
        r, b = red, black
        while r + b and not stops(r, b):
            if total - r - b in places:
                r -= 1
            else:
                b -= 1
        chance = Fraction(1, math.comb(total, red))
        payoffs[float(rules.cash(red - r, black - b))] += chance
        durations[total - r - b] += chance
    return payoffs, durations


def vectorised(stops: Stops) -> Callable[..., NDArray[np.bool_]]:
    def policy(red: NDArray[np.int64], black: NDArray[np.int64]) -> NDArray[np.bool_]:
        pairs = zip(red.tolist(), black.tolist(), strict=True)
        return np.array([stops(r, b) for r, b in pairs], dtype=bool)

    return policy


def optimal(red: int, black: int, rules: Rules) -> Stops:
    """The stops of the exact solution: an oracle that `simulate` does not use."""
    table = redblack.solve(red, black, rules=rules, backend="exact").stop
    return lambda r, b: bool(table[r, b])


def cash_at_least(amount: Any, red: int, black: int, rules: Rules) -> Stops:
    return lambda r, b: rules.cash(red - r, black - b) >= amount


def same_games(one: Simulation, other: Simulation) -> bool:
    return replace(one, policy=other.policy) == other


def arrays(result: Simulation) -> list[NDArray[Any]]:
    return [
        result.payoffs,
        result.payoff_counts,
        result.moves,
        result.move_counts,
        *result.paths,
    ]


SMALL = [
    pytest.param(red, black, rules, policy, stops, id=f"{name}-{red}+{black}")
    for red, black in [(3, 3), (4, 2), (2, 5), (1, 1)]
    for name, rules, policy, stops in [
        ("optimal", CLASSIC, "optimal", optimal(red, black, CLASSIC)),
        ("tie", DRAW_ON, "optimal", optimal(red, black, DRAW_ON)),
        ("unequal", UNEQUAL, "optimal", optimal(red, black, UNEQUAL)),
        ("utility", SATED, "optimal", optimal(red, black, SATED)),
        ("never", CLASSIC, "never_stop", lambda r, b: False),
        (
            "positive",
            UNEQUAL,
            "first_positive",
            cash_at_least(Fraction(1, 10**20), red, black, UNEQUAL),
        ),
        ("cash", CLASSIC, StopAtCash(2), cash_at_least(2, red, black, CLASSIC)),
        (
            "boundary",
            CLASSIC,
            StopAtExcess([1] * (red + black + 1)),
            lambda r, b: b > r,
        ),
        ("callable", UNEQUAL, lambda r, b: r == b, lambda r, b: r == b),
    ]
]


@pytest.mark.parametrize(("red", "black", "rules", "policy", "stops"), SMALL)
def test_small_decks_have_the_laws_of_all_orders(
    red: int, black: int, rules: Rules, policy: Policy, stops: Stops
) -> None:
    games = 20_000
    result = simulate(red, black, games=games, policy=policy, rules=rules, rng=2)
    payoffs, durations = brute_force(red, black, rules, stops)
    laws: list[tuple[dict[Any, Fraction], NDArray[Any], NDArray[np.int64]]] = [
        (payoffs, result.payoffs, result.payoff_counts),
        (durations, result.moves, result.move_counts),
    ]
    for law, values, counts in laws:
        assert counts.sum() == games
        assert set(values.tolist()) == set(law)  # each is likely in this many games
        for value, count in zip(values.tolist(), counts.tolist(), strict=True):
            error = math.sqrt(games * law[value] * (1 - law[value]))
            assert abs(count - games * law[value]) <= 5 * error
    rewards = rules.reward(np.array(list(payoffs)))
    chances = np.array([float(p) for p in payoffs.values()])
    expected = float(rewards @ chances)
    assert abs(result.mean - expected) <= 5 * result.standard_error + 1e-12
    loss = sum(float(p) for cash, p in payoffs.items() if cash < 0)
    assert abs(result.loss_frequency - loss) <= 5 * math.sqrt(loss / games)


def test_problem_14() -> None:
    """The Problem 14 essay, "Simulation Check": the mean of 10^7 games was 2.6243913.

    The law, the deviation and the number of draws are those of the exact forward sweep.
    """
    games = 200_000
    result = simulate(26, 26, games=games, rng=14)
    value = 2.624475548993925
    assert abs(2.6243913 - value) < 4 * result.standard_deviation / math.sqrt(10**7)
    assert abs(result.mean - value) < 4 * result.standard_error
    assert result.standard_deviation == pytest.approx(1.973770, abs=0.01)
    assert result.mean_moves == pytest.approx(36.451560, abs=0.15)
    assert result.loss_frequency == 0
    law = np.array(
        [0.220521, 0.145155, 0.109334, 0.129925, 0.152057, 0.195397, 0.047611]
    )
    assert result.payoffs.tolist() == [0, 1, 2, 3, 4, 5, 6]
    chi_square = ((result.payoff_counts - games * law) ** 2 / (games * law)).sum()
    assert chi_square < 35  # six degrees of freedom: exceeded with probability 4e-6


def test_tie_rule_changes_the_duration() -> None:
    stop = simulate(26, 26, games=200_000, rng=3)
    draw = simulate(26, 26, games=200_000, rng=3, rules=DRAW_ON)
    assert abs(draw.mean - 2.624475548993925) < 4 * draw.standard_error
    assert draw.mean_moves == pytest.approx(36.607307, abs=0.15)
    assert draw.mean_moves > stop.mean_moves
    assert {n for n in stop.moves.tolist() if n % 2} >= {49}  # 1 red, 2 black left
    assert 49 not in draw.moves


@pytest.mark.parametrize("rules", [CLASSIC, DRAW_ON, UNEQUAL, SATED])
@pytest.mark.parametrize(("red", "black"), [(12, 12), (5, 9), (9, 4), (0, 3), (3, 0)])
def test_optimal_stops_as_the_exact_table_does(
    red: int, black: int, rules: Rules
) -> None:
    best = simulate(red, black, games=2000, rules=rules, rng=1, paths=20)
    table = redblack.solve(red, black, rules=rules, backend="exact")
    by_table = simulate(
        red,
        black,
        games=2000,
        policy=lambda r, b: table.stop[r, b],
        rules=rules,
        rng=1,
        paths=20,
    )
    assert same_games(best, by_table)


def test_optimal_policy_that_is_not_one_sided() -> None:
    """A bonus for exactly 1 makes the player stop at 1, but not at 2 nor at 0."""

    def bonus(cash: NDArray[Any]) -> NDArray[Any]:
        return np.where(cash == 1, 3.0, cash)

    rules = Rules(utility=bonus)
    result = simulate(8, 8, games=5000, rules=rules, rng=1, paths=200)
    assert abs(result.mean - redblack.value(8, 8, rules=rules)) < (
        5 * result.standard_error
    )
    assert result.mean > result.payoffs @ result.payoff_counts / result.games
    with pytest.raises(ValueError, match="not one-sided"):
        _ = redblack.solve(8, 8, rules=rules).boundary
    stop = redblack.solve(8, 8, rules=rules).stop
    stopping = vectorised(lambda r, b: bool(stop[r, b]))
    again = simulate(8, 8, games=5000, rules=rules, policy=stopping, rng=1, paths=200)
    assert same_games(result, again)


def test_boundary_of_a_solution() -> None:
    excess = redblack.solve(15, 15).boundary.excess
    best = simulate(15, 15, games=1000, rng=5, paths=10)
    policy = StopAtExcess(excess)
    assert same_games(
        best, simulate(15, 15, games=1000, policy=policy, rng=5, paths=10)
    )


@given(data=st.data())
def test_any_boundary_stops_where_it_says(data: st.DataObject) -> None:
    red, black = data.draw(st.integers(0, 7)), data.draw(st.integers(0, 7))
    levels = red + black + 1
    entries = st.one_of(
        st.integers(-levels - 1, levels + 2), st.sampled_from([-(2**63), 2**63 - 1])
    )
    excess = data.draw(st.lists(entries, min_size=levels, max_size=levels))
    by_array = simulate(
        red, black, games=50, policy=StopAtExcess(excess), rng=1, paths=5
    )
    stopping = vectorised(lambda r, b: b - r >= excess[r + b])
    assert same_games(
        by_array, simulate(red, black, games=50, policy=stopping, rng=1, paths=5)
    )


amounts = st.one_of(
    st.integers(0, 4),
    st.fractions(0, 4, max_denominator=9),
    st.sampled_from([0.1, 0.3, 0.5, 2.0**-40]),
)


@pytest.mark.slow
@example(red=2, black=2, rules=Rules(win=0, lose=0, fee=1), amount=0)
@given(
    red=st.integers(0, 6),
    black=st.integers(0, 6),
    rules=st.builds(Rules, win=amounts, lose=amounts, fee=amounts),
    amount=amounts,
)
def test_cash_policies_compare_exactly(
    red: int, black: int, rules: Rules, amount: Any
) -> None:
    enough = vectorised(cash_at_least(Fraction(amount), red, black, rules))
    positive = vectorised(lambda r, b: rules.cash(red - r, black - b) > 0)
    pairs: list[tuple[Policy, Policy]] = [
        (StopAtCash(amount), enough),
        ("first_positive", positive),
    ]
    for policy, stopping in pairs:
        one, other = (
            simulate(red, black, games=40, policy=p, rules=rules, rng=1, paths=40)
            for p in (policy, stopping)
        )
        assert same_games(one, other)


def test_named_policies_on_a_balanced_deck() -> None:
    def ahead(red: NDArray[np.int64], black: NDArray[np.int64]) -> NDArray[np.bool_]:
        return black > red

    first = simulate(10, 10, games=3000, policy="first_positive", rng=1)
    assert first.payoffs.tolist() == [0, 1]
    assert same_games(first, simulate(10, 10, games=3000, policy=ahead, rng=1))
    assert same_games(first, simulate(10, 10, games=3000, policy=StopAtCash(1), rng=1))


def test_never_stop() -> None:
    result = simulate(7, 4, games=500, policy="never_stop", rules=UNEQUAL, rng=1)
    assert result.payoffs.tolist() == [float(UNEQUAL.cash(7, 4))]
    assert result.payoff_counts.tolist() == [500]
    assert result.moves.tolist() == [11]
    assert result.mean_moves == 11
    assert result.mean == result.payoffs[0]
    assert result.standard_error == 0


@pytest.mark.parametrize(
    "policy", [StopAtCash(0), StopAtExcess([0] * 9), lambda r, b: r + b == 8]
)
def test_players_may_leave_before_the_first_card(policy: Policy) -> None:
    result = simulate(4, 4, games=10, policy=policy, paths=2)
    assert result.moves.tolist() == [0]
    assert [path.tolist() for path in result.paths] == [[0], [0]]


def test_empty_deck() -> None:
    result = simulate(0, 0, games=3, policy=unasked, paths=1)
    assert (result.mean, result.mean_moves) == (0, 0)
    assert result.paths[0].tolist() == [0]


@pytest.mark.parametrize("games", [1, 6, 7, 8, 100])
def test_chunks(monkeypatch: pytest.MonkeyPatch, games: int) -> None:
    """Fewer games than a chunk, as many, more, and a multiple or not."""
    monkeypatch.setattr(simulation, "CHUNK", 7)
    result = simulate(6, 6, games=games, rng=1, paths=games)
    assert result.payoff_counts.sum() == result.move_counts.sum() == games
    ends = Counter(path[-1] for path in result.paths)
    assert ends == dict(zip(result.payoffs, result.payoff_counts, strict=True))
    lengths = Counter(len(path) - 1 for path in result.paths)
    assert lengths == dict(zip(result.moves, result.move_counts, strict=True))


@pytest.mark.parametrize("rules", [CLASSIC, UNEQUAL, Rules(win=0.1, lose=0.3)])
@pytest.mark.parametrize("policy", ["optimal", "first_positive", "never_stop"])
def test_paths_follow_the_policy(rules: Rules, policy: Policy) -> None:
    red, black = 9, 8
    result = simulate(
        red, black, games=300, policy=policy, rules=rules, rng=4, paths=49
    )
    best = optimal(red, black, rules)
    stops: dict[Any, Stops] = {
        "optimal": best,
        "first_positive": lambda r, b: rules.cash(red - r, black - b) > 0,
        "never_stop": lambda r, b: False,
    }
    assert len(result.paths) == 49
    for path in result.paths:
        r, b = red, black
        assert path[0] == 0
        assert path[-1] in result.payoffs
        for before, after in pairwise(path):
            assert not stops[policy](r, b)
            if after > before:
                r -= 1
            else:
                b -= 1
            assert after == float(rules.cash(red - r, black - b))
        assert r + b == 0 or stops[policy](r, b)


def test_moments_are_those_of_the_games() -> None:
    result = simulate(8, 8, games=300, rules=SATED, rng=6, paths=300)
    rewards = capped(np.array([path[-1] for path in result.paths]))
    assert result.mean == pytest.approx(rewards.mean(), rel=1e-14)
    assert result.standard_deviation == pytest.approx(rewards.std(ddof=1), rel=1e-14)
    assert result.standard_error == result.standard_deviation / math.sqrt(300)
    assert result.mean_moves == np.mean([len(path) - 1 for path in result.paths])
    rules = Rules(lose=2)
    greedy = simulate(
        8, 8, games=300, policy=StopAtCash(3), rng=6, rules=rules, paths=300
    )
    lost = sum(path[-1] < 0 for path in greedy.paths)
    assert greedy.loss_frequency == lost / 300
    assert 0 < lost < 300


def test_one_game_has_no_deviation() -> None:
    result = simulate(5, 5, games=1, rng=1)
    assert math.isnan(result.standard_deviation)
    assert math.isnan(result.standard_error)
    assert result == simulate(5, 5, games=1, rng=1)


def test_large_amounts() -> None:
    result = simulate(3, 3, games=100, rules=Rules(win=1e300, lose=1e300), rng=1)
    small = simulate(3, 3, games=100, rng=1)
    assert result.mean == pytest.approx(small.mean * 1e300)
    assert result.standard_deviation == pytest.approx(small.standard_deviation * 1e300)


@pytest.mark.slow
def test_deck_beyond_short_integers() -> None:
    result = simulate(2, 70_000, games=3, policy="never_stop", rng=1, paths=1)
    assert result.payoffs.tolist() == [-69_998]
    assert len(result.paths[0]) == 70_003
    assert np.count_nonzero(np.diff(result.paths[0]) > 0) == 2


def test_seeds() -> None:
    result = simulate(10, 10, games=1000, rng=1)
    generator = np.random.default_rng(1)
    assert result == simulate(10, 10, games=1000, rng=np.int64(1))  # type: ignore[arg-type]
    assert result == simulate(10, 10, games=1000, rng=generator)
    assert result != simulate(10, 10, games=1000, rng=generator)
    assert result != simulate(10, 10, games=1000, rng=2)
    assert simulate(10, 10, games=1000) != simulate(10, 10, games=1000)


def test_paths_do_not_change_the_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulation, "CHUNK", 400)
    without = simulate(10, 10, games=1000, rng=1)
    some = simulate(10, 10, games=1000, rng=1, paths=49)
    every = simulate(10, 10, games=1000, rng=1, paths=1000)
    assert replace(every, paths=()) == replace(some, paths=()) == without
    assert replace(every, paths=every.paths[:49]) == some
    assert some != without


@pytest.mark.slow
def test_executors(executor: Executor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulation, "CHUNK", 400)
    policies: list[Policy] = [
        *("optimal", "never_stop", "first_positive"),
        *(StopAtCash(2), StopAtExcess([1] * 21)),
    ]
    for policy in policies:
        alone = simulate(10, 10, games=1000, policy=policy, rng=1, paths=500)
        assert alone == simulate(
            *(10, 10), games=1000, policy=policy, rng=1, paths=500, executor=executor
        )
    careful = Rules(utility=redblack.utilities.log(wealth=100))
    alone = simulate(10, 10, games=1000, rules=careful, rng=1)
    with cardgames_dp.running(progress=True):
        assert alone == simulate(
            10, 10, games=1000, rules=careful, rng=1, executor=executor
        )


@pytest.mark.parametrize("draws", [1, 420, 2**26])
def test_chunks_of_a_task(draws: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The games of a seed are the same, and their paths, however they are sent."""
    monkeypatch.setattr(simulation, "CHUNK", 7)
    monkeypatch.setattr(simulation, "_TASK_DRAWS", draws)
    alone = simulate(10, 10, games=1000, rng=1, paths=600)
    tasks = []
    dealt = simulation._dealt

    def counted(shared: Any, chunks: Any) -> Any:
        tasks.append(len(chunks))
        return dealt(shared, chunks)

    monkeypatch.setattr(simulation, "_dealt", counted)
    with ThreadPoolExecutor(2) as pool:
        assert alone == simulate(10, 10, games=1000, rng=1, paths=600, executor=pool)
    # 143 chunks: four to a task leave 32 tasks or more.
    assert max(tasks) == {1: 1, 420: 3, 2**26: 4}[draws]
    assert sum(tasks) == 143


def test_an_error_names_the_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulation, "CHUNK", 4)
    with pytest.raises(TypeError, match="must return a bool array") as raised:
        simulate(5, 5, games=10, policy=lambda r, b: r)  # type: ignore[arg-type, return-value]
    assert raised.value.__notes__ == ["This happened with games 0 to 3."]


def test_progress(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(simulation, "CHUNK", 400)
    silent = simulate(10, 10, games=1000, rng=1)
    assert capsys.readouterr().err == ""
    with cardgames_dp.running(progress=True):
        assert simulate(10, 10, games=1000, rng=1) == silent
    bar = capsys.readouterr().err
    assert "100%" in bar
    assert "1.00k/1.00k" in bar


def test_progress_without_tqdm(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tqdm", None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'cardgames_dp\[prog"):
        cardgames_dp.running(progress=True)


def test_callables_are_asked_about_states_of_the_deck() -> None:
    asked: set[tuple[int, int]] = set()

    def policy(red: NDArray[np.int64], black: NDArray[np.int64]) -> NDArray[np.bool_]:
        assert red.dtype == black.dtype == np.int64
        asked.update(zip(red.tolist(), black.tolist(), strict=True))
        red += 1  # ours no longer: the library must not mind
        return np.zeros(len(red), dtype=bool)

    result = simulate(3, 2, games=10, policy=policy)
    assert result.policy == "policy"
    assert asked == {(r, b) for r in range(4) for b in range(3)} - {(0, 0)}


def test_names_of_policies() -> None:
    class Coward:
        def __call__(self, red: NDArray[Any], black: NDArray[Any]) -> NDArray[np.bool_]:
            return red >= 0

    for policy, name in [
        ("optimal", "optimal"),
        (StopAtCash(Fraction(1, 2)), "StopAtCash(amount=Fraction(1, 2))"),
        (StopAtExcess(np.arange(3, dtype=np.int8)), "StopAtExcess(excess=[0, 1, 2])"),
        (Coward(), "Coward"),
    ]:
        assert simulate(1, 1, games=1, policy=policy).policy == name  # type: ignore[arg-type]


def test_boundary_policy_is_a_value() -> None:
    array = np.array([0, 1, 2])
    policy = StopAtExcess(array)
    array[0] = 7
    assert policy.excess.tolist() == [0, 1, 2]
    assert policy == StopAtExcess([0, 1, 2])
    assert policy != StopAtExcess([0, 1, 3])
    assert policy != [0, 1, 2]
    copy = pickle.loads(pickle.dumps(policy))
    assert copy == policy
    for excess in (policy.excess, copy.excess):
        with pytest.raises(ValueError, match="read-only"):
            excess[0] = 1
    assert pickle.loads(pickle.dumps(StopAtCash(1.5))) == StopAtCash(1.5)
    assert StopAtCash(Decimal("1.5")) == StopAtCash(Fraction(3, 2))


def test_simulation_is_a_value() -> None:
    result = simulate(4, 4, games=100, rules=SATED, rng=1, paths=3)
    copy = pickle.loads(pickle.dumps(result))
    assert copy == result
    assert (copy.mean, copy.standard_error) == (result.mean, result.standard_error)
    for array in arrays(result) + arrays(copy):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
    assert result != "result"
    for name in ("payoffs", "payoff_counts", "moves", "move_counts"):
        assert result != replace(result, **{name: getattr(result, name) + 1})
    assert result != replace(result, paths=result.paths[:2])
    assert result != replace(result, paths=(*result.paths[:2], np.zeros(9)))
    assert result != simulate(4, 4, games=100, rng=1, paths=3)
    with pytest.raises(TypeError, match="unhashable"):
        hash(result)


def test_simulation_in_words_and_in_plain_data() -> None:
    result = simulate(2, 1, games=10, policy="never_stop", paths=1)
    assert repr(result) == (
        "Simulation(red=2, black=1, policy='never_stop', games=10, mean=1, "
        "standard_error=0)"
    )
    assert str(result) == (
        "10 games with 2 red and 1 black cards, policy never_stop: mean payoff 1, "
        "standard error 0; 3 cards drawn on average, 0.0000% of the games lost money."
    )
    assert "mean utility 1," in str(
        simulate(2, 1, games=10, policy="never_stop", rules=SATED)
    )
    plain = json.loads(json.dumps(result.to_dict()))
    path = plain.pop("paths")
    assert len(path) == 1
    assert path[0][-1] == 1
    assert plain == {
        "red": 2,
        "black": 1,
        "rules": {"win": 1, "lose": 1, "fee": 0, "utility": None, "tie": "stop"},
        "policy": "never_stop",
        "games": 10,
        "mean": 1.0,
        "standard_deviation": 0.0,
        "standard_error": 0.0,
        "mean_moves": 3.0,
        "loss_frequency": 0.0,
        "payoffs": [1.0],
        "payoff_counts": [10],
        "moves": [3],
        "move_counts": [10],
    }


RNG = r"rng must be None, a seed \(an integer >= 0\) or a numpy.random.Generator, got "
POLICY = (
    r"policy must be one of 'optimal', 'first_positive', 'never_stop', "
    r"'quit_when_negative', a StopAtCash, a StopAtLoss, a StopAfter, a StopAtExcess, a "
    r"StopAtFirst, an OptimalWithin, a Solution, a callable of the red and black "
    r"cards remaining, or a mapping of 'stop' and 'draw' to weights, got "
)
ANSWER = "policy must return a bool array of the shape of its arguments, "


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"red": -1}, ValueError, "red must be an integer >= 0, got -1"),
        ({"red": True}, TypeError, "red must be an integer >= 0, got True"),
        ({"black": 2.0}, TypeError, "black must be an integer >= 0, got 2.0"),
        ({"games": 0}, ValueError, "games must be an integer >= 1, got 0"),
        ({"games": 1e3}, TypeError, "games must be an integer >= 1, got 1000.0"),
        ({"paths": -1}, ValueError, "paths must be an integer >= 0, got -1"),
        ({"paths": 11}, ValueError, "paths must be at most games, 10, got 11"),
        ({"paths": "all"}, TypeError, "paths must be an integer >= 0, got 'all'"),
        ({"rules": "classic"}, TypeError, "rules must be redblack.Rules or None"),
        ({"rng": "x"}, TypeError, RNG + "'x' of type str"),
        ({"rng": -1}, ValueError, RNG + "-1 of type int"),
        ({"rng": 1.0}, TypeError, RNG + "1.0 of type float"),
        ({"rng": True}, TypeError, RNG + "True of type bool"),
        ({"policy": "greedy"}, ValueError, POLICY + "'greedy'"),
        ({"policy": None}, TypeError, POLICY + "None"),
        ({"policy": 3}, TypeError, POLICY + "3"),
        (
            {"policy": StopAtExcess([1, 2, 3])},
            ValueError,
            r"policy.excess must have red \+ black \+ 1 = 5 entries, one for each "
            "number of cards remaining, got 3",
        ),
        ({"policy": lambda r, b: True}, TypeError, ANSWER + "got bool"),
        ({"policy": lambda r, b: b - r}, TypeError, ANSWER + "got one of dtype int64"),
        (
            {"policy": lambda r, b: np.array([True])[:0]},
            ValueError,
            ANSWER + r"\(1,\), got shape \(0,\)",
        ),
        (
            {"rules": Rules(win=1e308)},
            ValueError,
            r"rules must have amounts whose sums over the deck fit in a float64, got "
            r"win=1e\+308, lose=1, fee=0",
        ),
        (
            {"rules": Rules(utility=lambda cash: cash * np.nan)},
            ValueError,
            "utility must be a finite number, or -inf for ruin, got nan",
        ),
        (
            {
                "rules": Rules(utility=lambda cash: cash * np.nan),
                "policy": "never_stop",
            },
            ValueError,
            "utility must be a finite number, or -inf for ruin, got nan",
        ),
        (
            {"red": 10**20},
            TooLargeError,
            "a simulation of 100000000000000000000 red and 2 black cards with 0 paths "
            "needs about .* simulate a smaller deck, or ask for fewer paths",
        ),
        (
            {"games": 10**15, "paths": 10**15},
            TooLargeError,
            "2 red and 2 black cards with 1000000000000000 paths needs about",
        ),
    ],
)
def test_errors(
    arguments: dict[str, Any], error: type[Exception], message: str
) -> None:
    deck = {"red": 2, "black": 2, "games": 10}
    with pytest.raises(error, match=message):
        simulate(**(deck | arguments))


@pytest.mark.parametrize(
    ("excess", "error", "message"),
    [
        (
            [1.0],
            TypeError,
            "excess must be an array of int64 or shorter integers, got ",
        ),
        ([True], TypeError, "integers, got one of dtype bool"),
        (np.array([1], dtype=np.uint64), TypeError, "got one of dtype uint64"),
        ("1", TypeError, "got one of dtype <U1"),
        ([[1]], ValueError, r"one dimension, got an array of shape \(1, 1\)"),
        (1.0, TypeError, "integers, got one of dtype float64"),
    ],
)
def test_errors_of_a_boundary(
    excess: Any, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        StopAtExcess(excess)


@pytest.mark.parametrize(
    ("amount", "error", "message"),
    [
        (
            -1,
            ValueError,
            "amount must be a finite int, Fraction, Decimal or float >= 0, .* got -1",
        ),
        (math.nan, ValueError, "amount must be a finite .*, got nan"),
        (math.inf, ValueError, "amount must be a finite .*, got inf"),
        (Decimal("Infinity"), ValueError, "amount must be a finite .*'Infinity'"),
        ("three", ValueError, "amount must be a finite .*, got 'three'"),
        (True, TypeError, "amount must be a finite .*, got True of type bool"),
    ],
)
def test_errors_of_an_amount_of_cash(
    amount: Any, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        StopAtCash(amount)
