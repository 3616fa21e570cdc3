"""What holds for all games and policies, against brute force and between functions."""

from collections import defaultdict
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from cardgames_dp import diagonal, exact, play
from cardgames_dp._graph import explored
from cardgames_dp.play import distributions
from cardgames_dp.play._kernels import chain

from ..written import Table, games
from . import oracles
from .strategies import Case, cases

pytestmark = pytest.mark.slow


def close(floats: Any, exactly: Any, error: float) -> None:
    """Hold floats against exact numbers, with their bound."""
    assert len(floats) == len(exactly)
    for x, y in zip(floats, exactly, strict=True):
        assert type(x) is float
        assert abs(Fraction(x) - y) <= Fraction(error)


# What policies are worth.


@given(case=cases(max_players=5))
def test_values_of_policies_by_brute_force(case: Case) -> None:
    game, behaviour, policies = case
    found = play.evaluate(game, policies, backend="exact")
    for state, value in found.values.items():
        assert value == oracles.value(game, behaviour, state)
    floats = play.evaluate(game, policies)
    assert floats.error < 1e-13
    for state, numbers in floats.values.items():
        close(numbers, found.values[state], floats.error)
    assert (found.policy, floats.policy) == ({}, {})


@given(case=cases(max_players=5))
def test_laws_by_brute_force(case: Case) -> None:
    game, behaviour, policies = case
    found = play.distribution(game, policies, backend="exact")
    returns: list[dict[Any, Fraction]]
    returns = [defaultdict(Fraction) for _ in range(game.num_players)]
    moves: dict[int, Fraction] = defaultdict(Fraction)
    for chance, states, worths in oracles.plays(game, behaviour, game.start):
        moves[len(states) - 1] += chance
        for law, worth in zip(returns, worths, strict=True):
            law[worth] += chance
    assert [law.to_dict() for law in found.returns] == returns
    assert found.moves.to_dict() == moves
    reached = oracles.reach(game, behaviour)
    assert dict(found.reach) == {state: reached[state] for state in found.reach}
    assert reached.keys() <= found.reach.keys()
    assert found.means == play.evaluate(game, policies, backend="exact").value
    assert found.error == 0


@given(case=cases(max_players=3))
def test_laws_in_float64(case: Case) -> None:
    game, _, policies = case
    floats, exactly = (
        play.distribution(game, policies, backend=name) for name in ("float64", "exact")
    )
    assert floats.error < 1e-13
    close(list(floats.reach.values()), list(exactly.reach.values()), floats.error)
    for law, other in zip(
        (*floats.returns, floats.moves), (*exactly.returns, exactly.moves), strict=True
    ):
        assert law.support.tolist() == [float(x) for x in other.support]
        close(law.probabilities.tolist(), other.probabilities.tolist(), floats.error)


@pytest.mark.parametrize("weight", [999_999, 10**6 + 2, 3 * 10**5])
def test_errors_add_up_along_a_play(weight: int) -> None:
    """The same chance, rounded the same way, two hundred times over."""
    rows: dict[Any, Any] = {
        i: ("chance", [(weight, i + 1), (1, f"out {i}")]) for i in range(200)
    }
    rows |= {f"out {i}": ("end", [0]) for i in range(200)} | {200: ("end", [1])}
    graph = explored.explore(Table(rows)).graph
    floats, exactly = (chain.reach(graph, 0, exact=how) for how in (False, True))
    away = [abs(Fraction(x) - y) for x, y in zip(floats[1], exactly[1], strict=True)]
    assert max(away) > 2.0**-52
    assert all(x <= Fraction(e) for x, e in zip(away, floats[2], strict=True))
    assert floats[2].max() < 2.0**-43
    (law,), error = distributions.of_returns(graph, floats, exact=False)
    (other,), none = distributions.of_returns(graph, exactly, exact=True)
    away = [
        abs(Fraction(x) - y)
        for x, y in zip(law.probabilities, other.probabilities, strict=True)
    ]
    assert 2.0**-52 < max(away) <= error < 2.0**-43
    assert none == 0
    steps = chain.ends_by_length(graph, 0, exact=False)
    moves, error = distributions.of_moves(steps, exact=False)
    steps = chain.ends_by_length(graph, 0, exact=True)
    (*_, last) = distributions.of_moves(steps, exact=True)[0].probabilities
    assert 2.0**-52 < abs(Fraction(moves.probabilities[-1]) - last) <= error < 2.0**-43


# Best responses.


@given(case=cases(max_states=7, max_moves=3), data=st.data())
def test_best_responses_by_brute_force(case: Case, data: st.DataObject) -> None:
    """No policy of the player does better, and one does as well."""
    game, behaviour, policies = case
    player = data.draw(st.integers(0, game.num_players - 1))
    response = play.best_response(game, policies, player, backend="exact")
    values = [
        oracles.value(game, {**behaviour, **mine}, game.start)
        for mine in oracles.pure(game, player)
    ]
    assert response.value[player] == max(value[player] for value in values)
    assert response.value in values
    assert response.before == oracles.value(game, behaviour, game.start)
    assert response.gain == response.value[player] - response.before[player] >= 0
    replied = [*policies]
    replied[player] = response
    assert play.evaluate(game, replied, backend="exact").value == response.value


@given(case=cases(), data=st.data(), tie_break=st.sampled_from(["first", "last"]))
def test_best_responses_in_float64(
    case: Case, data: st.DataObject, tie_break: Any
) -> None:
    game, _, policies = case
    player = data.draw(st.integers(0, game.num_players - 1))
    floats = play.best_response(game, policies, player, tie_break=tie_break)
    exactly = play.best_response(
        game, policies, player, tie_break=tie_break, backend="exact"
    )
    close([floats.value[player]], [exactly.value[player]], floats.error)
    assert floats.before is not None
    assert floats.gain is not None
    assert floats.gain >= -2 * floats.error
    assert floats.policy.keys() == exactly.policy.keys()
    if not floats.solution.possible_ties:
        assert floats.policy == exactly.policy
    without = [*policies]
    without[player] = None
    alone = play.best_response(game, without, player, tie_break=tie_break)
    assert alone.solution == floats.solution  # whatever the policy left out
    assert (alone.before, alone.gain, alone.changes) == (None, None, None)


@st.composite
def opposed(draw: st.DrawFn) -> Table:
    """Return a random game of two players whose returns sum to zero."""
    game = draw(games(max_players=1))
    rows = {
        state: (draw(st.integers(0, 1)), row)
        if kind == 0
        else (kind, [row[0], -row[0]] if kind == "end" else row)
        for state, (kind, row) in game.rows.items()
    }
    return Table(rows, num_players=2)


@given(game=opposed())
def test_nothing_beats_optimal_play_of_opposed_players(game: Table) -> None:
    solution = exact.solve(game)
    for player in (0, 1):
        response = play.best_response(game, solution, player, backend="exact")
        assert response.value == response.before == solution.value
        assert response.gain == 0
        # In every state, not in the first one only.
        assert dict(response.solution.values) == dict(solution.values)


@given(game=opposed(), data=st.data())
def test_a_policy_is_exploited_by_what_the_best_response_wins(
    game: Table, data: st.DataObject
) -> None:
    thumb = {
        state: data.draw(st.sampled_from([*game.rows[state][1]]))
        for state in oracles.decisions(game, 0)
    }
    solution = exact.solve(game)
    worst = play.best_response(game, [thumb, None], 1, backend="exact").value[0]
    loss = play.regret(game, [thumb, solution], 0, backend="exact").loss
    assert worst <= solution.value[0] - loss <= solution.value[0]


@given(game=games(max_players=1))
def test_a_lone_player_responds_with_the_solution(game: Table) -> None:
    response = play.best_response(game, [None], 0, backend="exact")
    assert response.solution == exact.solve(game)
    assert play.best_response(game, [None], 0).solution == diagonal.solve(game)


# Regrets.


@given(case=cases(max_players=5), data=st.data())
def test_regrets(case: Case, data: st.DataObject) -> None:
    game, behaviour, policies = case
    player = data.draw(st.integers(0, game.num_players - 1))
    response = play.best_response(game, policies, player, backend="exact")
    found = play.regret(game, policies, player, backend="exact")
    assert found.error == 0
    assert found.loss == response.gain
    assert sorted(found.states) == oracles.decisions(game, player)
    assert all(found.given_up >= 0)
    assert list(found.cost) == sorted(found.cost, reverse=True)
    reached, values = oracles.reach(game, behaviour), response.solution.values
    for i, state in enumerate(found.states):
        assert found.reach[i] == reached.get(state, 0)
        assert found.cost[i] == found.reach[i] * found.given_up[i]
        shares = behaviour[state]
        after = {a: values[game.rows[state][1][a]][player] for a in shares}
        worth = sum(share * after[action] for action, share in shares.items())
        assert found.given_up[i] == values[state][player] - worth
        assert found.best[i] == response.solution.optimal_actions[state]
        assert found.taken[i] == tuple(a for a, share in shares.items() if share)
        assert (found.given_up[i] == 0) == ({*found.taken[i]} <= {*found.best[i]})


@given(case=cases(), data=st.data())
def test_regrets_in_float64(case: Case, data: st.DataObject) -> None:
    game, _, policies = case
    player = data.draw(st.integers(0, game.num_players - 1))
    floats = play.regret(game, policies, player)
    exactly = play.regret(game, policies, player, backend="exact")
    assert floats.error < 1e-12
    close([floats.loss], [exactly.loss], floats.error)
    pairs = dict(zip(exactly.states, exactly.given_up, strict=True))
    for state, given_up in zip(floats.states, floats.given_up, strict=True):
        assert abs(Fraction(float(given_up)) - pairs[state]) < Fraction(1, 10**12)


@given(
    case=cases(max_players=3),
    data=st.data(),
    name=st.sampled_from(["float64", "exact"]),
)
def test_the_best_response_regrets_nothing(
    case: Case, data: st.DataObject, name: Any
) -> None:
    game, _, policies = case
    player = data.draw(st.integers(0, game.num_players - 1))
    response = play.best_response(game, policies, player, backend=name)
    found = play.regret(
        game,
        [*policies[:player], response, *policies[player + 1 :]],
        player,
        backend=name,
    )
    assert found.loss == 0
    assert found.num_deviations == 0
    assert not found.given_up.any()


def test_regrets_are_in_the_returns_of_the_player() -> None:
    """Not in the numerators or denominators of another one."""
    ends = {1: ("end", [1, Fraction(1, 2)]), 2: ("end", [Fraction(1, 3), 0])}
    game = Table({0: (1, {"a": 1, "b": 2}), **ends}, num_players=2)
    found = play.regret(game, {0: "b"}, 1, backend="exact")
    assert (found.loss, found.best) == (Fraction(1, 2), (("a",),))
    assert play.regret(game, {0: "b"}, 1).loss == 0.5


def test_the_error_of_a_loss_covers_that_of_the_values() -> None:
    """Of a value that is rounded three thousand times over."""
    rows: dict[Any, Any] = {
        "start": (0, {"on": 0, "out": "lost"}),
        "lost": ("end", [0]),
    }
    rows |= {i: ("chance", [(10**6 + i, i + 1), (7, "lost")]) for i in range(3000)}
    game = Table(rows | {3000: ("end", [Fraction(1, 3)])}, start="start")
    floats = play.regret(game, {"start": "out"})
    exactly = play.regret(game, {"start": "out"}, backend="exact")
    away = abs(Fraction(floats.loss) - exactly.loss)
    assert 2.0**-50 < away <= floats.error < 1e-11


# Simulations.


@settings(max_examples=50)
@given(case=cases(max_players=3), seed=st.integers(0, 2**32))
def test_simulations_agree_with_laws(case: Case, seed: int) -> None:
    """Within seven standard deviations of every count."""
    game, behaviour, policies = case
    number = 2000
    expected = play.distribution(game, policies)
    account = play.simulate(game, policies, number, rng=seed, histories=20)
    assert account.games == number
    counted: list[tuple[Any, Any]]
    counted = [*zip(account.returns, account.return_counts, strict=True)]
    counted.append((account.moves, account.move_counts))
    for (support, counts), likely in zip(
        counted, (*expected.returns, expected.moves), strict=True
    ):
        assert counts.sum() == number
        found = dict(zip(support.tolist(), counts.tolist(), strict=True))
        assert found.keys() <= {worth for worth, _ in likely}
        for worth, share in likely:
            spread = (number * share * max(1 - share, 0)) ** 0.5
            assert abs(found.get(worth, 0) - number * share) <= 7 * spread + 1e-6 + (
                4 * (share * number < 0.1)
            )
    for player, (support, counts) in enumerate(counted[:-1]):
        results = np.repeat(support, counts)
        assert account.mean[player] == pytest.approx(results.mean(), abs=1e-12)
        assert account.standard_deviation[player] == pytest.approx(
            results.std(ddof=1), abs=1e-12
        )
        assert account.standard_error[player] == pytest.approx(
            results.std(ddof=1) / number**0.5, abs=1e-12
        )
    possible = {states for _, states, _ in oracles.plays(game, behaviour, game.start)}
    assert len(account.histories) == 20
    assert {*account.histories} <= possible


# Games in any form, policies in any form.


FUNCTIONS: list[Callable[..., Any]] = [
    play.evaluate,
    lambda game, policies: play.best_response(game, policies, 0),
    play.regret,
    play.distribution,
    lambda game, policies: play.simulate(game, policies, 50, rng=1, histories=2),
]


@pytest.mark.parametrize("function", FUNCTIONS)
@given(game=games())
def test_explored_and_solved_games_are_games(
    function: Callable[..., Any], game: Table
) -> None:
    solution = diagonal.solve(game)
    once = function(game, solution)
    assert function(explored.explore(game), solution) == once
    assert function(solution, solution) == once
    assert function(game, [solution] * game.num_players) == once
    assert function(game, dict(solution.policy)) == once
    assert function(game, lambda state: solution.policy[state]) == once
    assert function(solution, lambda state: {solution.policy[state]: 0.5}) == once


@given(game=games())
def test_a_solution_is_worth_its_value(game: Table) -> None:
    solution = exact.solve(game)
    found = play.evaluate(game, solution, backend="exact")
    assert dict(found.values) == dict(solution.values)


@given(case=cases())
def test_policies_are_asked_once_of_each_state(case: Case) -> None:
    game, _, policies = case
    asked: list[Any] = []

    def watched(policy: Any) -> Callable[[Any], Any]:
        def ask(state: Any) -> Any:
            asked.append(state)
            return policy[state] if isinstance(policy, dict) else policy(state)

        return ask

    every = sorted(
        s for p in range(game.num_players) for s in oracles.decisions(game, p)
    )
    for function in FUNCTIONS:
        asked.clear()
        function(game, [watched(policy) for policy in policies])
        assert sorted(asked) == every


@given(case=cases(max_players=2), scale=st.floats(1e-3, 1e3))
def test_weights_of_any_size_and_kind(case: Case, scale: float) -> None:
    """Only their ratios matter; floats are taken as the numbers that they are."""
    game, behaviour, _ = case
    scaled = {
        state: {a: float(share) * scale for a, share in shares.items()}
        for state, shares in behaviour.items()
    }
    found = play.evaluate(game, scaled).values
    expected = play.evaluate(game, behaviour, backend="exact").values
    for state, value in found.items():
        assert value == pytest.approx([float(x) for x in expected[state]], abs=1e-12)
