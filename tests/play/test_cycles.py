"""Games that come back to states, played: against linear systems in Fractions."""

import math
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from cardgames_dp import diagonal, exact, interop, play, plots
from cardgames_dp.game import GameError, explore
from cardgames_dp.play._kernels.chain import fixed
from cardgames_dp.play._kernels.visits import flow
from cardgames_dp.play.policies import deciders, weighed
from tests.games import paying_cycles
from tests.returning import Pig, returning, visits
from tests.written import Paying, Table


@given(returning(), st.randoms(use_true_random=False))
def test_visits_reach_and_moves(game: Table, random: Any) -> None:
    policy = {
        state: random.choice(list(moves))
        for state, (kind, moves) in game.rows.items()
        if isinstance(kind, int)
    }
    expected = visits(game, policy)
    if expected is None:
        with pytest.raises(
            GameError, match=r"^every play must end, but a play can come"
        ):
            play.distribution(game, policy)
        with pytest.raises(
            GameError, match=r"^every play must end, but a play can come"
        ):
            play.simulate(game, policy, 10)
        return
    found = play.distribution(game, policy)
    explored = explore(game)
    graph, _ = fixed(
        explored.graph, weighed(explored, deciders(policy, explored), exact=True)
    )
    exactly = flow(explored, graph, exact=True)
    for place, (state, visited) in enumerate(found.visits.items()):
        right = expected.get(state, Fraction(0))
        assert abs(Fraction(visited) - right) <= found.error
        assert exactly.visited.chances[place] == right
        again = visits(Table(game.rows, state, game.num_players), policy)
        if right:
            assert again is not None
            chance = Fraction(found.reach[state])
            assert abs(chance - right / again[state]) <= found.error
            assert exactly.reached.chances[place] == right / again[state]
    assert found.error < 1e-9
    assert math.fsum(found.moves.probabilities) + found.rest == pytest.approx(1)
    assert found.rest < 1e-12
    assert found.moves.mean == pytest.approx(float(sum(expected.values()) - 1))
    account = play.simulate(game, policy, 50, rng=1, histories=5)
    for states in account.histories:
        assert game.rows[states[-1]][0] == "end"


@given(returning(players=2))
def test_regret_is_what_the_best_response_gains(game: Table) -> None:
    """The costs, by expected visits, sum to the gain."""
    policies: list[Any] = [lambda state: list(game.rows[state][1])[-1]] * 2
    try:
        response = play.best_response(game, policies, 0)
        found = play.regret(game, policies)
    except GameError:
        return
    assert response.gain is not None
    assert abs(found.loss - response.gain) <= found.error + 2 * response.error


def holds_at(points: int) -> Any:
    return lambda state: "hold" if state[2] >= points else "roll"


def test_pig_is_played() -> None:
    game, rule = Pig(12), holds_at(5)
    solution = diagonal.solve(game)
    value = play.evaluate(solution, [rule, solution])
    response = play.best_response(solution, [rule, solution], 0)
    assert response.value[0] == pytest.approx(solution.value[0], abs=response.error)
    found = play.regret(solution, [rule, solution])
    assert response.gain == pytest.approx(found.loss, abs=1e-12)
    assert found.loss > 0.001
    assert (found.visits >= found.reach).all()
    assert (found.visits > found.reach + 0.01).any()
    account = play.simulate(solution, [rule, solution], 20_000, rng=1, histories=1)
    assert abs(account.mean[0] - value.value[0]) < 4 * account.standard_error[0]
    ends = play.distribution(solution, [rule, solution])
    assert ends.means == pytest.approx(value.value, abs=ends.error + value.error)
    position = play.Position(solution).play("roll")
    position = position.play(position.outcomes[0])
    assert position.player == 1
    assert position.undo().undo().state == solution.initial_state


def test_policies_that_never_end() -> None:
    """Where plays would get, and in all states for `evaluate`."""
    game = Pig(5)
    calls: list[Any] = [play.distribution, play.evaluate, play.regret]
    calls.append(lambda game, policy: play.simulate(game, policy, 10))
    for call in calls:
        with pytest.raises(
            GameError, match=r"^every play must end, .*, and never leave"
        ):
            call(game, lambda state: "hold")


def test_what_has_no_sense_for_cycles() -> None:
    game = Pig(2)
    solution = diagonal.solve(game)
    for call in (
        lambda: plots.plot_tree(game),
        lambda: plots.plot_tree(solution),
        lambda: interop.to_efg(game),
    ):
        with pytest.raises(
            GameError, match=r"^the game must be acyclic (to|for) .*, but"
        ):
            call()


@given(game=paying_cycles(max_states=5), random=st.randoms(use_true_random=False))
@settings(max_examples=40)
def test_points(game: Paying, random: Any) -> None:
    """Points that are collected on the way have the mean that is evaluated."""
    policy = {
        state: random.choice(list(moves))
        for state, (kind, moves) in game.rows.items()
        if isinstance(kind, int)
    }
    unpaid = {
        state: (kind, [outcome[:2] for outcome in row] if kind == "chance" else row)
        for state, (kind, row) in game.rows.items()
    }
    try:
        exactly = play.evaluate(game, policy, backend="exact").value[0]
        moves = play.distribution(Table(unpaid), policy).visits
    except GameError:
        return
    if sum(moves.values()) > 8:  # too many pairs of state and points, of many digits
        return
    found: Any = [play.distribution(game, policy, backend="exact")]
    try:
        found.append(play.distribution(game, policy))
    except ValueError as error:  # points of twenty digits
        assert "of at most 2**62 units" in str(error)  # noqa: PT017
        return
    for each in found:
        returns = each.returns[0]
        assert sum(returns.probabilities) + each.rest == pytest.approx(1)
        assert float(returns.mean) == pytest.approx(float(exactly), abs=1e-8)
        assert 0 <= each.rest < 1e-12
    one, other = (each.returns[0] for each in found)
    likely = {x: p for x, p in one if p > 1e-12}
    nearly = dict(other)
    for x, p in likely.items():
        assert abs(Fraction(nearly[float(x)]) - p) <= found[1].error


def test_ends_too_rare_for_floats() -> None:
    rows: dict[Any, Any] = {0: ("chance", [(10**30, 0), (1, 1)]), 1: ("end", [1])}
    with pytest.raises(GameError, match=r"^how often plays come back to 0 is too hard"):
        play.distribution(Table(rows), {})


def test_a_coin_that_pays() -> None:
    """One for each head before the first tail, and three at the end."""
    rows: dict[Any, Any] = {
        0: ("chance", [(1, 0, [1]), (1, 1, [0])]),
        1: ("end", [3]),
    }
    for backend in ("exact", "float64"):
        found: Any = play.distribution(Paying(rows), {}, backend=backend)
        assert found.returns[0].to_dict() == {
            k + 3: Fraction(1, 2 ** (k + 1)) for k in range(len(found.returns[0]))
        }
        assert found.rest == 2.0 ** -len(found.returns[0]) < 1e-13
        assert str(found).endswith("of all plays are left out)")
    account = play.simulate(Paying(rows), {}, 2000, rng=1)
    assert abs(account.mean[0] - 4) < 4 * account.standard_error[0]


def test_regret_in_fractions() -> None:
    game, rule = Pig(5), holds_at(3)
    solution = exact.solve(game)
    found = play.regret(game, [rule, solution], backend="exact")
    response = play.best_response(game, [rule, solution], 0, backend="exact")
    assert found.loss == response.gain
    nearly = play.regret(game, [rule, solution])
    visits = dict(zip(nearly.states, nearly.visits.tolist(), strict=True))
    for state, visited in zip(found.states, found.visits, strict=True):
        assert abs(visits[state] - visited) < 1e-12
    assert "visits" in str(found)
