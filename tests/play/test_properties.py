"""What holds for all games and policies, against brute force and between functions."""

import math
import pickle
from collections import defaultdict
from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from cardgames_dp import diagonal, exact, play
from cardgames_dp.game import CHANCE, GameError, explore

from .. import oracles
from ..games import Listed, Paying, Table, games, whole
from ..test_same_answers import answer

pytestmark = pytest.mark.slow

WEIGHTS = st.one_of(
    st.integers(0, 4), st.fractions(0, 2, max_denominator=7), st.just(10**30)
)
HALF = settings(max_examples=settings().max_examples // 2)
"""For tests that ask much of each game."""

ANY = st.booleans().flatmap(lambda pays: games(pays=pays, max_states=9))
RETURNING = st.booleans().flatmap(
    lambda pays: games(cycles=True, pays=pays, max_states=6, max_moves=3, max_players=2)
)


class Case(NamedTuple):
    """A game, what its players do, and the same as an argument of the library."""

    game: Table
    behaviour: dict[Any, dict[str, Fraction]]
    policies: list[Any]


@st.composite
def cases(draw: st.DrawFn, drawn: st.SearchStrategy[Any] = ANY) -> Case:
    """Return a random game with a random policy for each player, of any form."""
    game = draw(drawn)
    behaviour: dict[Any, dict[str, Fraction]] = {}
    policies: list[Any] = []
    for player in range(game.num_players):
        done: dict[Any, Any] = {}
        for state in oracles.decisions(game, player):
            actions = list(game.rows[state][1])
            if draw(st.booleans()):
                done[state] = draw(st.sampled_from(actions))
                behaviour[state] = {done[state]: Fraction(1)}
            else:
                weights = [draw(WEIGHTS) for _ in actions]
                weights[draw(st.integers(0, len(actions) - 1))] += 1
                done[state] = dict(zip(actions, weights, strict=True))
                total = Fraction(sum(weights))
                behaviour[state] = {a: w / total for a, w in done[state].items()}
        policies.append(done if draw(st.booleans()) else done.__getitem__)
    return Case(game, behaviour, policies)


def close(floats: Any, exactly: Any, error: float) -> None:
    """Hold floats against exact numbers, with their bound."""
    for x, y in zip(floats, exactly, strict=True):
        assert type(x) is float
        assert abs(Fraction(x) - y) <= Fraction(error)


def both(function: Callable[..., Any], *given: Any, **options: Any) -> tuple[Any, Any]:
    """Return what a function gives in float64, and exactly."""
    return function(*given, **options), function(*given, **options, backend="exact")


@given(case=cases())
def test_values_of_policies(case: Case) -> None:
    game, behaviour, policies = case
    floats, result = both(play.evaluate, game, policies)
    assert oracles.payoffs(result) == oracles.values(game, behaviour)
    assert floats.error < 1e-13
    for state, numbers in oracles.payoffs(floats).items():
        close(numbers, result.payoffs_at(state), floats.errors[state])
    assert (result.policy, floats.policy, result.error) == ({}, {}, 0)


@given(case=cases())
def test_distributions(case: Case) -> None:
    """Of all plays, one by one."""
    game, behaviour, policies = case
    floats, result = both(play.distribution, game, policies)
    returns: list[dict[Any, Fraction]]
    returns = [defaultdict(Fraction) for _ in range(game.num_players)]
    moves: dict[int, Fraction] = defaultdict(Fraction)
    reached: dict[Any, Fraction] = defaultdict(Fraction)
    for chance, states, worths in oracles.plays(game, behaviour):
        moves[len(states) - 1] += chance
        for law, worth in zip(returns, worths, strict=True):
            law[worth] += chance
        for state in states:
            reached[state] += chance
    assert [law.to_dict() for law in result.returns] == returns
    assert result.moves.to_dict() == moves
    assert dict(result.reach) == {state: reached[state] for state in result.reach}
    assert reached.keys() <= result.reach.keys()
    means = tuple([each.mean for each in result.returns])
    assert means == play.evaluate(game, policies, backend="exact").payoffs
    assert (result.error, floats.error < 1e-13) == (0, True)
    close(floats.reach.values(), result.reach.values(), floats.error)
    for law, other in zip(
        (*floats.returns, floats.moves), (*result.returns, result.moves), strict=True
    ):
        assert law.support.tolist() == [float(x) for x in other.support]
        close(law.probabilities.tolist(), other.probabilities.tolist(), floats.error)


@given(case=cases(), data=st.data(), tie_break=st.sampled_from(["first", "last"]))
def test_best_responses(case: Case, data: st.DataObject, tie_break: Any) -> None:
    """One step at a time no action is better, and the policy has the values."""
    game, behaviour, policies = case
    player = data.draw(st.integers(0, game.num_players - 1))
    floats, result = both(
        play.best_response, game, policies, player, tie_break=tie_break
    )
    values = oracles.payoffs(result.solution)
    mine = {s: {a: Fraction(1)} for s, a in result.policy.items()}
    assert values == oracles.values(game, behaviour | mine)
    assert [*sorted(mine)] == oracles.decisions(game, player)
    for state in mine:
        for action in game.rows[state][1]:
            worth = oracles.worth(game, state, action, values, player)
            assert worth <= values[state][player]
    assert result.before == oracles.values(game, behaviour)[game.start]
    assert result.gain == result.payoffs[player] - result.before[player] >= 0
    replied = [*policies[:player], result, *policies[player + 1 :]]
    assert play.evaluate(game, replied, backend="exact").payoffs == result.payoffs
    for name in ("float64", "exact"):
        again: Any = play.regret(game, replied, player, backend=name)
        assert again.loss < 1e-12
    assert (again.loss, again.given_up.any()) == (0, False)

    close([floats.payoffs[player]], [result.payoffs[player]], floats.solution.error)
    assert floats.gain >= -2 * floats.solution.error
    assert floats.policy.keys() == result.policy.keys()
    if not floats.solution.possible_ties:
        assert floats.policy == result.policy
    without = [*policies[:player], None, *policies[player + 1 :]]
    alone: Any = play.best_response(game, without, player, tie_break=tie_break)
    assert alone.solution == floats.solution  # whatever the policy left out
    assert (alone.before, alone.gain) == (None, None)


@given(game=games(total=0, players=2), data=st.data())
def test_opposed_players(game: Table, data: st.DataObject) -> None:
    """Nothing beats optimal play; a best response wins what another policy loses."""
    solution = exact.solve(game)
    for player in (0, 1):
        response = play.best_response(game, solution, player, backend="exact")
        assert response.gain == 0
        # In every state, not in the first one only.
        assert dict(response.solution.values) == dict(solution.values)
    thumb = {
        state: data.draw(st.sampled_from([*game.rows[state][1]]))
        for state in oracles.decisions(game, 0)
    }
    worst = play.best_response(game, [thumb, None], 1, backend="exact").value
    loss = play.regret(game, [thumb, solution], 0, backend="exact").loss
    assert worst <= solution.value - loss <= solution.value


@given(game=games(players=1))
def test_a_lone_player_responds_with_the_solution(game: Table) -> None:
    floats, result = both(play.best_response, game, [None], 0)
    assert result.solution == exact.solve(game)
    assert floats.solution == diagonal.solve(game)


@given(case=cases(), data=st.data())
def test_regrets(case: Case, data: st.DataObject) -> None:
    game, behaviour, policies = case
    player = data.draw(st.integers(0, game.num_players - 1))
    response = play.best_response(game, policies, player, backend="exact")
    floats, result = both(play.regret, game, policies, player)
    assert (result.error, result.loss) == (0, response.gain)
    assert sorted(result.states) == oracles.decisions(game, player)
    assert all(result.given_up >= 0)
    assert list(result.cost) == sorted(result.cost, reverse=True)
    reached: dict[Any, Fraction] = defaultdict(Fraction)
    for chance, states, _ in oracles.plays(game, behaviour):
        for state in states:
            reached[state] += chance
    values = oracles.payoffs(response.solution)
    for i, state in enumerate(result.states):
        assert result.reach[i] == reached[state]
        assert result.cost[i] == result.reach[i] * result.given_up[i]
        shares = behaviour[state]
        worth = sum(
            share * oracles.worth(game, state, action, values, player)
            for action, share in shares.items()
        )
        assert result.given_up[i] == values[state][player] - worth
        assert result.best[i] == response.solution.optimal_actions[state]
        assert result.taken[i] == tuple(a for a, share in shares.items() if share)
        assert (result.given_up[i] == 0) == ({*result.taken[i]} <= {*result.best[i]})
    assert floats.error < 1e-12
    close([floats.loss], [result.loss], floats.error)
    pairs = dict(zip(result.states, result.given_up, strict=True))
    for state, given_up in zip(floats.states, floats.given_up.tolist(), strict=True):
        assert abs(Fraction(given_up) - pairs[state]) < Fraction(1, 10**12)


@HALF
@given(case=cases(games(max_players=3, pays=True)), seed=st.integers(0, 2**32))
def test_simulations(case: Case, seed: int) -> None:
    """Within seven standard deviations of every count."""
    game, behaviour, policies = case
    number = 1000
    expected = play.distribution(game, policies)
    account = play.simulate(game, policies, number, rng=seed, histories=20)
    assert account.games == number
    counted = (*account.returns, account.moves)
    for frequencies, likely in zip(
        counted, (*expected.returns, expected.moves), strict=True
    ):
        result = {x: share * number for x, share in frequencies}
        assert sum(result.values()) == pytest.approx(number, rel=1e-12)
        assert result.keys() <= {worth for worth, _ in likely}
        for worth, share in likely:
            spread = (number * share * max(1 - share, 0)) ** 0.5
            assert abs(result.get(worth, 0) - number * share) <= 7 * spread + 1e-6 + (
                4 * (share * number < 0.1)
            )
    for player, each in enumerate(account.returns):
        counts = np.rint(each.probabilities * number).astype(int)
        results = np.repeat(each.support, counts)
        assert account.mean[player] == pytest.approx(results.mean(), abs=1e-12)
        assert account.std[player] == pytest.approx(results.std(ddof=1), abs=1e-12)
        assert account.standard_error[player] == pytest.approx(
            results.std(ddof=1) / number**0.5, abs=1e-12
        )
    assert len(account.histories) == 20
    assert {*account.histories} <= {s for _, s, _ in oracles.plays(game, behaviour)}


@given(game=games(pays=True), data=st.data())
def test_positions(game: Paying, data: st.DataObject) -> None:
    """Each move as the game's own methods say, what it pays, and back again."""
    for solve in (exact.solve, diagonal.solve):
        solution: Any = solve(game)
        position: Any = play.Position(solution)
        paid = [Fraction(0)] * game.num_players
        while not position.over:
            state, before = position.state, position
            assert position.returns is None
            assert position.player == game.current_player(state)
            assert position.payoffs == solution.payoffs_at(state)
            if position.player == CHANCE:
                move = data.draw(st.sampled_from(position.outcomes))
                row = [x for x in game.rows[state][1] if x[0]]
                nothing = (0,) * game.num_players
                pays = any(len(x) == 3 and any(x[2]) for x in row)
                after, more = move if pays else (move, nothing)
                told = {(s, tuple(map(Fraction, *p or [nothing]))) for _, s, *p in row}
                assert (after, tuple(map(Fraction, more))) in told
                assert position.actions == ()
            else:
                assert position.outcomes == ()
                assert list(position.actions) == list(game.legal_actions(state))
                assert position.advice() == solution.advice(state)
                move = data.draw(st.sampled_from(position.actions))
                after, more = game.next_state(state, move), game.rewards(state, move)
            position = position.play(move)
            paid = [x + Fraction(y) for x, y in zip(paid, more, strict=True)]
            assert (position.state, position.history[-1]) == (after, move)
            nearest = [
                type(x)(y) for x, y in zip(position.collected, paid, strict=True)
            ]
            assert list(position.collected) == nearest
            assert position.undo() == before != position
        copied = pickle.loads(pickle.dumps(position))
        assert (copied, hash(copied)) == (position, hash(position))
        ends = map(sum, zip(paid, game.returns(position.state), strict=True))
        for x, y in zip(position.returns, ends, strict=True):
            assert x == (y if solve is exact.solve else pytest.approx(float(y)))


# Games in any form, policies in any form
# ---------------------------------------

FUNCTIONS: list[Callable[..., Any]] = [
    play.evaluate,
    lambda game, policies: play.best_response(game, policies, 0),
    play.regret,
    play.distribution,
    lambda game, policies: play.simulate(game, policies, 50, rng=1, histories=2),
]


@HALF
@given(case=cases(ANY | RETURNING))
def test_forms(case: Case) -> None:
    """Explored and solved games are games; policies are asked once for each choice."""
    game, _, policies = case
    solution = answer(diagonal.solve, game)
    decided = sorted(
        state
        for player in range(game.num_players)
        for state in oracles.decisions(game, player)
        if len(game.legal_actions(state)) > 1
    )
    asked: list[Any] = []

    def watched(policy: Any) -> Callable[[Any], Any]:
        def ask(state: Any) -> Any:
            asked.append(state)
            return policy[state] if isinstance(policy, dict) else policy(state)

        return ask

    loops = explore(game).graph.components is not None
    # Plays of a game with loops may have 10**30 moves.
    for function in FUNCTIONS[:3] if loops else FUNCTIONS:
        once = answer(function, game, policies)
        asked.clear()
        given = [watched(policy) for policy in policies]
        assert answer(function, explore(game), given) == once
        assert sorted(asked) == decided
        if isinstance(solution, tuple):
            continue
        assert answer(function, solution, policies) == once
        once = answer(function, game, solution)
        assert answer(function, explore(game), [solution] * game.num_players) == once
        assert answer(function, solution, dict(solution.policy)) == once
        half = lambda state: {solution.policy[state]: 0.5}  # noqa: E731
        assert answer(function, solution, half) == once


@given(case=cases(), scale=st.floats(1e-3, 1e3))
def test_weights_of_any_size_and_kind(case: Case, scale: float) -> None:
    """Only their ratios matter; floats are taken as the numbers that they are."""
    game, behaviour, _ = case
    scaled = {
        state: {a: float(share) * scale for a, share in shares.items()}
        for state, shares in behaviour.items()
    }
    result = oracles.payoffs(play.evaluate(game, scaled))
    expected = oracles.payoffs(play.evaluate(game, behaviour, backend="exact"))
    for state, value in result.items():
        assert value == pytest.approx([float(x) for x in expected[state]], abs=1e-12)


def alike(one: Any, other: Any) -> None:
    """Hold distributions, of games that may be asked in another order."""
    for mine, its in zip(
        (*one.returns, one.moves), (*other.returns, other.moves), strict=True
    ):
        assert mine.support.tolist() == its.support.tolist()
        near = [float(x) for x in its.probabilities]
        assert [float(x) for x in mine.probabilities] == pytest.approx(near, abs=1e-13)


@HALF
@given(
    game=games(max_players=3, pays=True).map(whole),
    data=st.data(),
    mixed=st.booleans(),
    levels=st.booleans(),
)
def test_games_for_arrays(
    game: Paying, data: st.DataObject, mixed: bool, levels: bool
) -> None:
    """The same as the same game state by state, with one policy or one a player."""
    count = len(game.rows)
    listed: Any = explore(
        Listed(game, mixed=mixed, kind=np.int64, levels=[0] * count if levels else None)
    )
    kind: Any = data.draw(st.sampled_from([None, np.int64, np.float64]))
    factors = st.sampled_from([1.0, 2.0**-1000, 2.0**900])
    factor = data.draw(factors) if kind is np.float64 else 1
    weights: dict[Any, list[int]] = {}
    for state, (mover, row) in game.rows.items():
        if isinstance(mover, int):
            weights[state] = [data.draw(st.integers(0, 3)) for _ in row]
            weights[state][data.draw(st.integers(0, len(row) - 1))] += 1

    def by_state(state: Any) -> Any:
        row = weights[state]
        if kind is None:
            return f"{np.argmax(row)}"
        return {f"{k}": weight for k, weight in enumerate(row)}

    def policy(states: Any) -> Any:
        if kind is None:
            return np.array([np.argmax(weights[state]) for state in states.tolist()])
        rows = [
            (i, k, weight)
            for i, state in enumerate(states.tolist())
            for k, weight in enumerate(weights[state])
        ]
        rows = rows[::2] + rows[1::2]
        index, actions, given = zip(*rows, strict=True)
        scale = np.where(np.array(index) % 2, factor, 1)
        return np.array(index), np.array(actions), np.array(given, kind) * scale

    many: Any = [policy] * game.num_players if mixed else policy
    players = range(game.num_players)
    for name in ("float64",) if kind is np.float64 else ("float64", "exact"):
        values = play.evaluate(game, by_state, backend=name)  # type: ignore[call-overload]
        result = play.evaluate(listed, many, backend=name)  # type: ignore[call-overload]
        states = np.array([*values.values])
        for value, right in zip(
            result.payoffs_at(states), oracles.payoffs(values).values(), strict=True
        ):
            assert tuple(value) == pytest.approx(right, abs=1e-13)
        law = play.distribution(listed, many, backend=name)  # type: ignore[call-overload]
        right = play.distribution(game, by_state, backend=name)  # type: ignore[call-overload]
        alike(law, right)
        for mine, its in ((law.reach, right.reach), (law.visits, right.visits)):
            # A state that is reached after different numbers of moves has some places.
            assert dict(mine) == pytest.approx(dict(its), abs=1e-13)
            chances = mine(np.array([*its])).tolist()
            assert chances == pytest.approx([*its.values()], abs=1e-13)
        assert len(law.to_dict()["states"]) == len(right.reach)
        for player in players:
            mine = play.best_response(listed, many, player, backend=name)  # type: ignore[call-overload]
            its = play.best_response(game, by_state, player, backend=name)  # type: ignore[call-overload]
            assert mine.payoffs == pytest.approx(its.payoffs, abs=1e-13)
            assert mine.gain == pytest.approx(its.gain, abs=1e-13)
            replied = [policy] * game.num_players
            replied[player] = mine
            again = play.evaluate(listed, replied, backend=name)  # type: ignore[call-overload]
            assert again.payoffs == pytest.approx(mine.payoffs, abs=1e-13)
            losses(
                play.regret(listed, many, player, backend=name),  # type: ignore[call-overload]
                play.regret(game, by_state, player, backend=name),  # type: ignore[call-overload]
            )
    account = play.simulate(listed, many, 50, rng=1, histories=3)
    for result, likely in zip(account.returns, law.returns, strict=True):
        assert {*result.support.tolist()} <= {*map(float, likely.support.tolist())}
    possible = {states for _, states, _ in oracles.plays(game, weighed(weights))}
    assert {*account.histories} <= possible or kind is None


def weighed(weights: dict[Any, list[int]]) -> dict[Any, dict[str, int]]:
    return {s: {f"{k}": w for k, w in enumerate(row)} for s, row in weights.items()}


def losses(found: Any, expected: Any) -> None:
    """Hold regrets: a state that is met after different numbers of moves has rows."""
    assert found.loss == pytest.approx(expected.loss, abs=1e-13)
    assert (np.diff(found.cost) <= 0).all()
    rows: dict[Any, list[int]] = {}
    for i, state in enumerate(found.states):
        rows.setdefault(state, []).append(i)
    assert {*rows} == {*expected.states}
    for j, state in enumerate(expected.states):
        for name in ("cost", "reach"):
            whole_of_it = sum(getattr(found, name)[rows[state]])
            right = getattr(expected, name)[j]
            assert whole_of_it == pytest.approx(right, abs=1e-13)
        for i in rows[state]:
            assert found.given_up[i] == pytest.approx(expected.given_up[j], abs=1e-12)
            for actions, names in (
                (found.taken, expected.taken),
                (found.best, expected.best),
            ):
                assert {f"{k}" for k in actions[i]} >= {*names[j]}
    assert [*map(tuple, found.to_pandas()["taken"])] == [*found.taken]


# Games that come back to states
# ------------------------------


@HALF
@given(case=cases(RETURNING))
def test_games_that_come_back(case: Case) -> None:
    game, behaviour, policies = case
    if not oracles.ends(game, behaviour, reached=True):
        for function in (play.distribution, FUNCTIONS[-1]):
            with pytest.raises(
                GameError, match=r"^every play must end, but a play can"
            ):
                function(game, policies)
        return
    if not oracles.ends(game, behaviour):
        with pytest.raises(GameError, match=r"^every play must end, .*, and never lea"):
            play.evaluate(game, policies)
        return
    result = play.evaluate(game, policies, backend="exact")
    assert oracles.payoffs(result) == oracles.values(game, behaviour)
    expected = oracles.visits(game, behaviour)
    starts = [Table(game.rows, state, game.num_players) for state in result.values]
    longest = max(sum(oracles.visits(each, behaviour).values()) for each in starts)
    unpaid = Table(
        {
            s: (kind, [x[:2] for x in row] if kind == "chance" else row)
            for s, (kind, row) in game.rows.items()
        },
        0,
        game.num_players,
    )
    few = (
        sum(expected.values()) <= 8
    )  # else there are too many pairs of state and points
    try:
        floats = play.evaluate(game, policies)
        laws = both(play.distribution, unpaid, policies) if few else ()
    except GameError:  # where a round ends with a chance of 10**-30
        assert longest > 10**12
        return
    for state, numbers in oracles.payoffs(floats).items():
        close(numbers, result.payoffs_at(state), floats.errors[state])
    for law in laws:
        for state, visited in law.visits.items():
            right = expected.get(state, Fraction(0))
            assert abs(Fraction(visited) - right) <= Fraction(law.error)
            again = Table(game.rows, state, game.num_players)
            if right:
                reach = right / oracles.visits(again, behaviour)[state]
                assert abs(Fraction(law.reach[state]) - reach) <= Fraction(law.error)
        assert law.error < 1e-9
        assert math.fsum(law.moves.probabilities) + law.rest == pytest.approx(1)
        assert law.rest < 1e-12
        moves = float(sum(expected.values()) - 1)
        assert float(law.moves.mean) == pytest.approx(moves)
    if not few:
        return
    near, right = both(play.distribution, game, policies)
    for each in (near, right):
        for player, returns in enumerate(each.returns):
            assert float(sum(returns.probabilities)) + each.rest == pytest.approx(1)
            mean = float(result.payoffs_at(game.start)[player])
            assert float(returns.mean) == pytest.approx(mean, abs=1e-8)
    for one, other in zip(near.returns, right.returns, strict=True):
        nearly = dict(one)
        for x, p in other:
            assert p < 1e-12 or abs(Fraction(nearly[float(x)]) - p) <= near.error
    account = play.simulate(game, policies, 20, rng=1, histories=5)
    assert {game.rows[states[-1]][0] for states in account.histories} == {"end"}


@HALF
@given(case=cases(RETURNING), data=st.data())
def test_regrets_where_plays_come_back(case: Case, data: st.DataObject) -> None:
    """The costs, by expected visits, sum to what the best response gains."""
    game, _, policies = case
    player = data.draw(st.integers(0, game.num_players - 1))
    try:
        floats, result = both(play.regret, game, policies, player)
        response = play.best_response(game, policies, player, backend="exact")
    except GameError:
        return
    assert result.loss == response.gain
    close([floats.loss], [result.loss], floats.error)
    visits = dict(zip(floats.states, floats.visits.tolist(), strict=True))
    for state, visited in zip(result.states, result.visits, strict=True):
        assert visits[state] == pytest.approx(float(visited), abs=1e-9)
