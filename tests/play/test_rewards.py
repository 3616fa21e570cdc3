"""Games with rewards, played: against all plays one by one, and in all forms."""

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from cardgames_dp import diagonal, exact, play
from cardgames_dp._graph.explored import explore
from cardgames_dp.play._kernels.points import ends_with_points

from ..test_rewards import ListedPaying, whole
from ..written import Carried, Paying, added, paying

pytestmark = pytest.mark.slow


@st.composite
def cases(draw: st.DrawFn, /, **limits: Any) -> tuple[Paying, dict[Any, Any]]:
    """Return a random game with rewards, and a mixture for each decision."""
    game = draw(paying(**limits))
    behaviour = {}
    for state, (kind, row) in game.rows.items():
        if isinstance(kind, int):
            weights = [draw(st.integers(0, 3)) for _ in row]
            weights[draw(st.integers(0, len(row) - 1))] += 1
            behaviour[state] = dict(zip(row, weights, strict=True))
    return game, behaviour


def plays(
    game: Paying, behaviour: Any, start: Any
) -> Iterator[tuple[Fraction, list[Any], tuple[Fraction, ...]]]:
    """Yield chance, states and returns of all plays from a state, one by one."""
    kind, row = game.rows[start]
    if kind == "end":
        yield Fraction(1), [start], added(row)
        return
    moves: list[tuple[int, Any, Any]] = []
    if kind == "chance":
        nothing = (0,) * game.num_players
        moves = [(w, s, *(paid or [nothing])) for w, s, *paid in row]
    else:
        for action, weight in behaviour[start].items():
            moves.append((weight, row[action], game.rewards(start, action)))
    total = sum(weight for weight, _, _ in moves)
    for weight, following, paid in moves:
        if weight:
            for chance, states, returns in plays(game, behaviour, following):
                share = Fraction(weight, total) * chance
                yield share, [start, *states], added(paid, returns)


def value(game: Paying, behaviour: Any, start: Any) -> tuple[Fraction, ...]:
    """Return what players can expect from a state on."""
    sums: tuple[Fraction, ...] = (Fraction(0),) * game.num_players
    for chance, _, returns in plays(game, behaviour, start):
        sums = added(sums, [chance * x for x in returns])
    return sums


@given(case=cases())
def test_values_of_policies(case: Any) -> None:
    game, behaviour = case
    found = play.evaluate(game, behaviour, backend="exact")
    floats = play.evaluate(game, behaviour)
    for state, values in found.values.items():
        assert values == value(game, behaviour, state)
        for x, y in zip(floats.values[state], values, strict=True):
            assert abs(Fraction(x) - y) <= Fraction(floats.error)
    assert floats.error < 1e-13


@given(case=cases())
def test_distributions(case: Any) -> None:
    game, behaviour = case
    returns: list[dict[Any, Fraction]]
    returns = [defaultdict(Fraction) for _ in range(game.num_players)]
    moves: dict[int, Fraction] = defaultdict(Fraction)
    reach: dict[Any, Fraction] = defaultdict(Fraction)
    for chance, states, paid in plays(game, behaviour, game.start):
        moves[len(states) - 1] += chance
        for law, worth in zip(returns, paid, strict=True):
            law[worth] += chance
        for state in states:
            reach[state] += chance
    found = play.distribution(game, behaviour, backend="exact")
    assert [law.to_dict() for law in found.returns] == returns
    assert found.moves.to_dict() == moves
    assert dict(found.reach) == {state: reach[state] for state in found.reach}
    assert found.means == play.evaluate(game, behaviour, backend="exact").value
    floats = play.distribution(game, behaviour)
    assert floats.error < 1e-13
    for near, other in zip(floats.returns, found.returns, strict=True):
        assert near.support.tolist() == [float(x) for x in other.support]
        pairs = zip(near.probabilities, other.probabilities, strict=True)
        assert all(abs(Fraction(x) - y) <= Fraction(floats.error) for x, y in pairs)


@given(case=cases(max_states=8, max_moves=3), data=st.data())
def test_best_responses_and_regrets(case: Any, data: st.DataObject) -> None:
    """As in the game whose states carry the points."""
    game, behaviour = case
    player = data.draw(st.integers(0, game.num_players - 1))

    def carried_by(state: Any) -> Any:
        return behaviour[state[0]]

    response = play.best_response(game, behaviour, player, backend="exact")
    other = play.best_response(Carried(game), carried_by, player, backend="exact")
    assert response.value[player] == other.value[player]
    assert response.before == other.before == value(game, behaviour, game.start)
    regret = play.regret(game, behaviour, player, backend="exact")
    carried = play.regret(Carried(game), carried_by, player, backend="exact")
    assert regret.loss == carried.loss == response.gain
    by_state = dict(zip(regret.states, regret.given_up, strict=True))
    costs: dict[Any, Fraction] = defaultdict(Fraction)
    for i, (state, _) in enumerate(carried.states):
        assert carried.given_up[i] == by_state[state]
        costs[state] += carried.cost[i]
    assert costs == dict(zip(regret.states, regret.cost, strict=True))
    floats = play.regret(game, behaviour, player)
    assert abs(Fraction(floats.loss) - regret.loss) <= Fraction(floats.error)
    assert floats.error < 1e-12


@given(case=cases(max_players=2), seed=st.integers(0, 99))
def test_simulated_games_are_plays(case: Any, seed: int) -> None:
    game, behaviour = case
    law = play.distribution(game, behaviour, backend="exact")
    account = play.simulate(game, behaviour, 300, rng=seed, histories=300)
    possible: dict[Any, set[Any]] = defaultdict(set)
    for _, states, paid in plays(game, behaviour, game.start):
        possible[tuple(states)].add(tuple(map(float, paid)))
    for player, counts in enumerate(account.return_counts):
        assert counts.sum() == 300
        support = [float(x) for x in law.returns[player].support]
        assert set(account.returns[player].tolist()) <= set(support)
        mean = account.returns[player] @ counts / 300
        assert mean == pytest.approx(account.mean[player])
        spread = 6 * law.returns[player].standard_deviation / 300**0.5
        assert abs(account.mean[player] - float(law.means[player])) <= spread + 1e-9
    sums: dict[float, int] = defaultdict(int)
    for told in account.histories:
        if len(possible[told]) > 1:
            return
        ((first, *_),) = possible[told]
        sums[first] += 1
    counted = zip(account.returns[0], account.return_counts[0], strict=True)
    assert sums == dict(counted)


@given(case=cases().map(lambda case: (whole(case[0]), case[1])))
def test_games_for_arrays(case: Any) -> None:
    game, behaviour = case
    listed = ListedPaying(game, kind=np.int64)

    def mixed(states: Any) -> Any:
        rows = [
            (i, int(action), weight)
            for i, state in enumerate(states.tolist())
            for action, weight in behaviour[state].items()
        ]
        return tuple(map(np.array, zip(*rows, strict=True)))

    for backend in ("exact", "float64"):
        one = play.evaluate(game, behaviour, backend=backend)
        assert play.evaluate(listed, mixed, backend=backend).value == pytest.approx(
            one.value
        )
        law = play.distribution(game, behaviour, backend=backend)
        other = play.distribution(listed, mixed, backend=backend)
        for mine, its in zip(law.returns, other.returns, strict=True):
            assert mine.support.tolist() == its.support.tolist()
            if backend == "exact":
                assert mine == its
    account = play.simulate(listed, mixed, 50, rng=1)
    assert account.returns[0].size <= law.returns[0].support.size


@given(game=paying(), data=st.data())
def test_positions_collect(game: Paying, data: st.DataObject) -> None:
    for solve in (exact.solve, diagonal.solve):
        position: Any = play.Position(solve(game))
        paid = [Fraction(0)] * game.num_players
        assert position.collected == (0,) * game.num_players
        while not position.over:
            state, before = position.state, position
            if position.player >= 0:
                move = data.draw(st.sampled_from(position.actions))
                more = game.rewards(state, move)
            else:
                move = data.draw(st.sampled_from(position.outcomes))
                row = [x for x in game.rows[state][1] if x[0]]
                pays = any(len(x) == 3 and any(x[2]) for x in row)
                more = move[1] if pays else (0,) * game.num_players
                if pays:
                    nothing = (0,) * game.num_players
                    pairs = {
                        (x[1], added(x[2] if len(x) == 3 else nothing)) for x in row
                    }
                    assert move in pairs
            position = position.play(move)
            paid = [x + Fraction(y) for x, y in zip(paid, more, strict=True)]
            assert position.returns is None or position.over
            nearest = [
                type(x)(y) for x, y in zip(position.collected, paid, strict=True)
            ]
            assert list(position.collected) == nearest
            assert position.undo() == before
        ends = added(paid, game.returns(position.state))
        for x, y in zip(position.returns, ends, strict=True):
            assert x == (y if solve is exact.solve else pytest.approx(float(y)))


def test_an_outcome_that_is_not_told_by_its_state() -> None:
    rows: Any = {
        0: ("chance", [(1, 1, [1]), (1, 1, [2]), (1, 2)]),
        1: ("end", [0]),
        2: ("end", [0]),
    }
    position: Any = play.Position(exact.solve(Paying(rows)))
    assert position.outcomes == ((1, (1,)), (1, (2,)), (2, (0,)))
    assert position.play((1, (2,))).collected == (2,)
    assert position.play(2).returns == (0,)
    with pytest.raises(ValueError, match=r"^move must be one of .* got 1$"):
        position.play(1)
    assert repr(position.play((1, (1,)))) == (
        "Position(state=1, collected=(1,), value=(0,), over=True)"
    )


def test_floats_that_have_no_unit() -> None:
    rows: Any = {0: (0, {"a": 1, "b": 1}), 1: (0, {"on": 2}), 2: ("end", [0])}
    game = Paying(rows, paid={(0, "a"): [0.1], (1, "on"): [0.2], (0, "b"): [1e-9]})
    toss = {0: {"a": 1, "b": 1}, 1: "on"}
    with pytest.raises(ValueError, match=r"not as floats \(evaluate has the means\)$"):
        play.distribution(game, toss)
    with pytest.raises(
        TypeError, match=r"^rewards must be integers or Fractions to be"
    ):
        play.distribution(game, toss, backend="exact")
    assert play.evaluate(game, toss).value == pytest.approx([0.25])
    account = play.simulate(game, toss, 100, rng=1)
    assert account.returns[0].tolist() == [1e-9 + 0.2, 0.1 + 0.2]
    far = Paying(rows, paid={(0, "a"): [Fraction(1, 3**50)], (1, "on"): [1]})
    with pytest.raises(ValueError, match=r"2\*\*62 .* use backend='exact' \(evaluate"):
        play.distribution(far, toss)
    exactly = play.distribution(far, toss, backend="exact").returns[0]
    assert exactly.support.tolist() == [1, 1 + Fraction(1, 3**50)]
    halves = Paying(rows, paid={(0, "a"): [0.5], (1, "on"): [0.25]})
    assert play.distribution(halves, toss).returns[0].support.tolist() == [0.25, 0.75]


@given(case=cases(floats=True, max_players=2), seed=st.integers(0, 9))
def test_simulated_floats(case: Any, seed: int) -> None:
    """Whatever the numbers are, returns are those of plays, up to rounding."""
    game, behaviour = case
    account = play.simulate(game, behaviour, 100, rng=seed)
    possible = [paid for _, _, paid in plays(game, behaviour, game.start)]
    for player, (found, counts) in enumerate(
        zip(account.returns, account.return_counts, strict=True)
    ):
        assert counts.sum() == 100
        exactly = np.unique([float(paid[player]) for paid in possible])
        assert all(np.abs(exactly - x).min() < 1e-14 for x in found)
    assert play.simulate(explore(game), behaviour, 100, rng=seed) == account


@pytest.mark.parametrize("weight", [999_999, 10**6 + 2])
def test_errors_of_chances_add_up_along_a_play(weight: int) -> None:
    """The same chance, rounded the same way, two hundred times over."""
    rows: dict[Any, Any] = {
        i: ("chance", [(weight, i + 1), (1, "out", [i])]) for i in range(200)
    }
    game = Paying(rows | {"out": ("end", [0]), 200: ("end", [300])})
    floats = play.distribution(game, {})
    exactly = play.distribution(game, {}, backend="exact").returns[0]
    (law,) = floats.returns
    assert law.support.tolist() == exactly.support.tolist() == [*range(200), 300]
    pairs = zip(law.probabilities, exactly.probabilities, strict=True)
    away = max(abs(Fraction(x) - y) for x, y in pairs)
    _, ends = ends_with_points(explore(game).graph, 0, 0, exact=False)
    assert 2.0**-52 < away <= Fraction(float(ends.errors.max())) < 2.0**-43
