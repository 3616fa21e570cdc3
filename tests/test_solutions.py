"""What holds for the solutions of all games, in both backends and in every form."""

import pickle
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings, strategies as st

from cardgames_dp import diagonal, exact, play
from cardgames_dp._graph import array_answers, positions
from cardgames_dp._graph.explored import explored_of
from cardgames_dp._graph.walking import walk
from cardgames_dp.game import CHANCE, GameError, explore

from . import oracles
from .written import SMALL, Listed, Paying, Table, games, whole

SOLVERS: list[Callable[..., Any]] = [exact.solve, diagonal.solve]
WORDS = st.sampled_from(["first", "last", "uniform"])
RULES = WORDS | st.sampled_from([max, min]).map(
    lambda pick: lambda state, actions: pick(actions)
)
ENDING = st.one_of(games(), games(pays=True), games(pays=True, total=1))
TIE_OF_THIRDS = Table(
    {
        0: (0, {"a": 1, "b": 2, "c": 3}),
        1: ("chance", [(1, 4), (2, 5)]),
        2: ("chance", [(2, 4), (4, 5)]),
        3: ("chance", [(3, 4), (7, 5)]),
        4: ("end", [Fraction(1, 3), 0]),
        5: ("end", [Fraction(-1, 7), 5]),
    },
    num_players=2,
)


def certify(game: Table, solution: Any, tie_break: Any) -> None:
    """Hold a solution against the rules: its policy has its values, and none is better.

    In games that come back to states there may be a better policy of more moves.
    """
    values = dict(solution.values)
    assert values == oracles.values(game, solution.policy)
    assert solution.value == values[game.start]
    assert solution.num_states == len(values)
    for policy in (solution, dict(solution.policy)):
        played = play.evaluate(solution, policy, backend="exact")
        assert dict(played.values) == values
    for state, best in solution.optimal_actions.items():
        player, row = game.rows[state]
        worths = {a: oracles.worth(game, state, a, values, player) for a in row}
        top = max(worths.values())
        assert best == tuple([a for a, x in worths.items() if x == top])
        done = solution.policy[state]
        if tie_break == "uniform":
            assert done == dict.fromkeys(best, 1)
        elif state not in solution.turned_ties:
            words = {"first": best[0], "last": best[-1]}
            asked = tie_break(state, best) if callable(tie_break) else None
            assert done == (words[tie_break] if asked is None else asked)
        advice = solution.advice(state)
        assert (advice.state, advice.player, advice.best) == (state, player, best)
        assert [*advice.values.items()] == [*worths.items()]
        assert (advice.value, advice.returns) == (top, values[state])
        assert advice.tie == (len(best) > 1)
        second = sorted(worths.values())[-2:-1]
        assert advice.margin == (top - second[0] if second else None)
        assert done == advice.action or tie_break == "uniform"
    assert {*solution.ties} == {
        state for state, best in solution.optimal_actions.items() if len(best) > 1
    }
    assert (solution.error, solution.possible_ties) == (0, ())


def near(floats: Any, exactly: Any) -> None:
    """Hold values, advice and ties of float64 against the exact ones."""
    assert floats.values.keys() == exactly.values.keys()
    for state, value in floats.values.items():
        assert all(type(x) is float for x in value)
        for x, y in zip(value, exactly.values[state], strict=True):
            assert abs(Fraction(x) - y) <= Fraction(floats.error)
    assert {*floats.ties} <= {*exactly.ties}
    if floats.error > 1e-9:  # a possible tie may change what comes before
        return
    for state, actions in exactly.optimal_actions.items():
        assert {*actions} <= {*floats.optimal_actions[state]}
        if state not in floats.possible_ties:
            assert floats.optimal_actions[state] == actions
        advice, right = floats.advice(state), exactly.advice(state)
        assert advice.error >= floats.error
        assert advice.certain == (state not in floats.possible_ties)
        # Where a state comes back, its value is not computed from those that follow.
        off = abs(advice.value - floats.values[state][advice.player])
        assert off <= floats.error or advice.tie
        for action, x in advice.values.items():
            assert abs(Fraction(x) - right.values[action]) <= Fraction(advice.error)
    if not floats.possible_ties:
        assert floats.policy == exactly.policy


@given(game=ENDING, tie_break=RULES)
@example(game=TIE_OF_THIRDS, tie_break="last")
def test_games_that_end(game: Table, tie_break: Any) -> None:
    solution = exact.solve(game, tie_break=tie_break)
    certify(game, solution, tie_break)
    place = {state: i for i, state in enumerate(solution.values)}
    for state, number in place.items():  # what follows comes later
        after = oracles.moves(game, state, solution.policy)
        assert all(place[t] > number for _, t, _ in after)
    floats = diagonal.solve(game, tie_break=tie_break)
    near(floats, solution)
    assert [*floats.values] == [*place]
    assert floats.tie_break == solution.tie_break
    if game.num_players == 1:
        assert floats.error < 1e-13


@given(game=games(pays=True).map(whole), tie_break=WORDS)
def test_integers_without_chance_have_no_error(game: Paying, tie_break: Any) -> None:
    if tie_break == "uniform":
        tie_break = "first"
    sure = {s: (k, r[-1:] if k == "chance" else r) for s, (k, r) in game.rows.items()}
    game = Paying(sure, 0, game.num_players, game.paid)
    floats, exactly = (solve(game, tie_break=tie_break) for solve in SOLVERS[::-1])
    assert (floats.error, floats.possible_ties) == (0, ())
    assert (floats.ties, floats.policy) == (exactly.ties, exactly.policy)


@given(
    game=games(pays=True, numbers=SMALL | st.sampled_from([0.1, 0.2, -0.3, 0.5, 1e-9]))
)
def test_floats_are_the_numbers_that_they_are(game: Paying) -> None:
    def same(numbers: Any) -> Any:
        return [*map(Fraction, numbers)]

    rows: dict[Any, Any] = {
        state: (kind, same(row))
        if kind == "end"
        else (kind, [(w, s, *map(same, paid)) for w, s, *paid in row])
        if kind == "chance"
        else (kind, row)
        for state, (kind, row) in game.rows.items()
    }
    paid = {key: same(numbers) for key, numbers in game.paid.items()}
    rational = Paying(rows, 0, game.num_players, paid)
    assert diagonal.solve(game) == diagonal.solve(rational)
    near(diagonal.solve(rational), exact.solve(rational))


@pytest.mark.parametrize("solve", SOLVERS)
@given(game=games())
@example(game=TIE_OF_THIRDS)
def test_a_rule_is_asked_once_where_several_actions_are_optimal(
    solve: Any, game: Table
) -> None:
    asked: list[Any] = []

    def rule(state: Any, actions: Any) -> Any:
        asked.append((state, actions))
        return actions[-1]

    optimal = solve(game, tie_break=rule).optimal_actions
    tied = [(state, actions) for state, actions in optimal.items() if len(actions) > 1]
    assert sorted(asked) == sorted(tied)


@given(game=games(pays=True), data=st.data(), tie_break=WORDS)
def test_solving_again_is_solving_afresh(
    game: Paying, data: st.DataObject, tie_break: Any
) -> None:
    """With other rewards and returns, whichever are changed first."""
    numbers = st.tuples(*[SMALL] * game.num_players)
    paid: dict[Any, Any] = {}
    rows: dict[Any, Any] = {}
    for state, (kind, row) in game.rows.items():
        rows[state] = kind, row
        if kind == "end":
            rows[state] = kind, data.draw(numbers)
        elif kind != "chance":
            paid |= {(state, action): data.draw(numbers) for action in row}
    again = Paying(rows, game.start, game.num_players, paid)
    order = data.draw(st.permutations(["returns", "rewards"]))
    form = {"mixed": data.draw(st.booleans())}
    for one, other in ((game, again), (Listed(game, **form), Listed(again, **form))):
        found: Any = explore(one)
        before = pickle.dumps(found)
        for change in order:
            answer = getattr(other, change, None)
            found = getattr(found, f"with_{change}")(answer) if answer else found
        afresh = explore(other)
        for solve in SOLVERS:
            pair = [solve(each, tie_break=tie_break) for each in (found, afresh)]
            assert pair[0] == pair[1]
        assert explore(one) == pickle.loads(before)
        assert explore(found) is found
    # Asked one by one, what was found gives it all back.
    assert explored_of(walk(explore(game), 100)) == explore(game)


# Games for arrays
# ----------------


@st.composite
def forms(draw: st.DrawFn, game: Table, *, levelled: bool = False) -> Listed:
    """Return a game for arrays, in any of the forms in which it can be written."""
    levels = None
    if levelled or draw(st.booleans()):
        # These fall along no move, and are the same where plays come back.
        reach = [
            -len(oracles.reachable(Table(game.rows, s, game.num_players)))
            for s in range(len(game.rows))
        ]
        coarse = draw(st.integers(1, 5))
        levels = [level // coarse for level in reach]
    kind = draw(st.sampled_from([object, np.int64, np.int8]))
    return Listed(
        whole(game, 1 if kind is object else 12, most=9),
        rows=draw(st.booleans()),
        mixed=draw(st.booleans()),
        kind=kind,
        levels=levels,
    )


def beside(listed: Listed, tie_break: Any) -> None:
    """Hold a game for arrays against the same one state by state, in both backends."""
    one = exact.solve(listed.table, tie_break=tie_break)
    exactly = exact.solve(listed, tie_break=tie_break)
    floats = diagonal.solve(listed, tie_break=tie_break)
    states = listed.written(list(one.values))
    assert exactly.value == one.value
    assert [tuple(value) for value in exactly.values(states)] == [*one.values.values()]
    found = np.vectorize(Fraction, otypes=[object])(floats.values(states))
    errors = np.abs(exactly.values(states) - found)  # of fractions, so exactly
    assert (errors <= Fraction(floats.error)).all()
    assert bool(exactly.num_ties) == bool(one.ties)
    assert bool(exactly.num_turned_ties) == bool(one.turned_ties)
    assert (exactly.error, exactly.num_possible_ties) == (0, 0)
    assert floats.num_ties <= exactly.num_ties
    if not one.policy:
        return
    asked = listed.written([*one.policy])
    for solution in (exactly, floats):
        index, actions, values, best = solution.advice(asked)
        tied = solution.optimal_actions(asked)
        done = solution.policy(asked)
        for i, (state, taken) in enumerate(one.policy.items()):
            advice, here = one.advice(state), np.flatnonzero(index == i)
            assert [f"{k}" for k in actions[here]] == [*advice.values]
            for value, right in zip(values[here], advice.values.values(), strict=True):
                close = 1e-15 * (1 + abs(right)) if solution is floats else 0
                assert abs(value - right) <= solution.error + close
            names = tuple([f"{k}" for k in actions[here][best[here]]])
            assert names == tuple([f"{k}" for k in tied[1][tied[0] == i]])
            assert {*names} >= {*advice.best}
            if solution is exactly:
                assert names == advice.best
                if tie_break == "uniform":
                    assert tuple([f"{k}" for k in done[1][done[0] == i]]) == names
                    assert (done[2] == 1).all()
                elif not listed.mixed and not one.turned_ties:
                    assert f"{done[i]}" == taken
                else:
                    assert f"{done[i]}" in names
    if floats.error == 0 and tie_break != "uniform":
        assert floats.policy(asked).tolist() == exactly.policy(asked).tolist()


@given(game=ENDING, data=st.data(), tie_break=WORDS)
def test_games_for_arrays(game: Table, data: st.DataObject, tie_break: Any) -> None:
    listed = data.draw(forms(game))
    beside(listed, tie_break)
    solution = exact.solve(listed, tie_break=tie_break)
    if hasattr(listed, "levels"):  # each state once, before what follows it
        one = exact.solve(listed.table, tie_break=tie_break)
        assert solution.num_states == one.num_states
        assert solution.num_ties == len(one.ties)
    with pytest.MonkeyPatch.context() as patch:  # calls of few states at a time
        patch.setattr(array_answers, "_AT_ONCE", 2)
        assert exact.solve(listed, tie_break=tie_break) == solution


def broad(seed: int) -> Paying:
    """Return a game with many states side by side, with different numbers of moves."""
    rng = np.random.default_rng(seed)
    rows: dict[Any, Any] = {0: ("chance", [(1, k, [k, 0]) for k in range(1, 21)])}
    paid: dict[Any, Any] = {}
    for state in range(1, 61):
        first = 20 * ((state - 1) // 20) + 21
        following = rng.integers(first, first + 20, rng.integers(1, 7)).tolist()
        numbers = rng.integers(-9, 10, (len(following), 2)).tolist()
        if state % 3:
            rows[state] = state % 2, {f"{k}": s for k, s in enumerate(following)}
            paid |= {(state, f"{k}"): pair for k, pair in enumerate(numbers)}
        else:
            weights = rng.integers(1, 5, len(following)).tolist()
            rows[state] = "chance", [*zip(weights, following, numbers, strict=True)]
    rows |= {state: ("end", [state % 7, -state % 5]) for state in range(61, 81)}
    return Paying(rows, num_players=2, paid=paid)


@pytest.mark.parametrize("mixed", [False, True])
@pytest.mark.parametrize("seed", range(2))
def test_broad_games(seed: int, mixed: bool) -> None:
    """Moves are reordered where states are solved at once."""
    game = broad(seed)
    certify(game, exact.solve(game), "first")
    near(diagonal.solve(game), exact.solve(game))
    beside(Listed(game, mixed=mixed, kind=np.int64), "first")
    found: Any = explore(Listed(game, mixed=mixed, kind=np.int64))
    assert found.with_rewards(Listed(game, kind=np.int64).paid).graph == found.graph


@st.composite
def many(draw: st.DrawFn) -> tuple[Any, list[Any]]:
    """Return a game of several positions, and the returns in each."""
    game = draw(games(max_players=3, max_moves=5))
    found: Any = explore(Listed(whole(game), kind=np.int64))
    ends = int(np.count_nonzero(found.graph.players < CHANCE))
    shape = draw(st.integers(1, 5)), ends, found.num_players
    size = int(np.prod(shape))
    numbers = st.lists(st.integers(-2, 2), min_size=size, max_size=size)
    returns = np.array(draw(numbers)).reshape(shape) / draw(st.sampled_from([1, 7]))
    return found.with_returns(lambda _: returns), list(returns)


@given(
    both=many(),
    tie_break=st.sampled_from(["first", "last"]),
    cache=st.sampled_from([1, 2**18]),
)
def test_many_positions(both: Any, tie_break: Any, cache: int) -> None:
    """As each of them alone; and, of one player, within the error of Fractions."""
    found, returns = both
    assert found.num_positions == len(returns)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(positions, "_CACHE", cache)
        patch.setattr(positions, "_LEAST_WIDTH", 2)
        solution: Any = diagonal.solve(found, tie_break=tie_break)
    states = found.states_at(np.arange(found.num_states))
    decided = states[found.graph.players >= 0]
    values = solution.values(states)
    assert values.shape == (len(returns), found.num_states, found.num_players)
    for position, paid in enumerate(returns):
        alone = diagonal.solve(found.at(position), tie_break=tie_break)
        away = np.abs(values[position] - alone.values(states)).max()
        assert away <= solution.error[position] + alone.error
        assert np.array_equal(solution.value[position], values[position, 0])
        if found.num_players == 1:
            fractions = np.vectorize(Fraction, otypes=[object])(paid)
            exactly = exact.solve(found.with_returns(lambda _, f=fractions: f))
            off = np.abs(values[position] - exactly.values(states))
            assert (off <= Fraction(solution.error[position])).all()
            least = 2.0**-1060  # one that has underflowed in one of the two forms only
            assert alone.error <= solution.error[position] + least or not decided.size
        if decided.size and solution.error[position] == alone.error == 0:
            chosen = solution.policy(decided)[position]
            assert chosen.tolist() == alone.policy(decided).tolist()
            _, _, told, best = solution.advice(decided)
            _, _, *right = alone.advice(decided)
            assert [told[position].tolist(), best[position].tolist()] == [
                each.tolist() for each in right
            ]


# Games that come back to states
# ------------------------------

RETURNING: dict[str, Any] = {"cycles": True, "heavy": True, "max_moves": 3}


@given(
    player=st.integers(0, 2),
    players=st.integers(1, 3),
    pays=st.booleans(),
    data=st.data(),
    tie_break=RULES,
)
def test_one_player_decides(
    player: int, players: int, pays: bool, data: st.DataObject, tie_break: Any
) -> None:
    """The best of all policies that end the play."""
    players = max(players, player + 1)
    game = data.draw(
        games(**RETURNING, max_states=7, players=players, deciders=(player,), pays=pays)
    )
    best = oracles.best_alone(game, player)
    if best is None:
        with pytest.raises(GameError, match=r"^every play must end"):
            exact.solve(game, tie_break=tie_break)
        return
    alone = {
        s: tuple([x if i == player else Fraction(0) for i in range(players)])
        for s, x in best.items()
    }
    gains = any(
        oracles.worth(game, s, action, alone, player) > best[s]
        for s in oracles.decisions(game, player)
        for action in game.rows[s][1]
    )
    if gains:  # then no policy is best of all
        with pytest.raises(GameError, match="somebody gains each time round"):
            exact.solve(game, tie_break=tie_break)
        return
    solution = exact.solve(game, tie_break=tie_break)
    certify(game, solution, tie_break)
    assert {s: value[player] for s, value in solution.values.items()} == best


@given(
    game=st.booleans().flatmap(
        lambda pays: games(**RETURNING, max_states=6, total=0, pays=pays)
    ),
    tie_break=st.sampled_from(["first", "last"]),
)
def test_two_opposed_players(game: Table, tie_break: Any) -> None:
    best = oracles.best_opposed(game)
    try:
        solution = exact.solve(game, tie_break=tie_break)
    except GameError:
        assert best is None or any(
            gain
            for player in (0, 1)
            for policy in oracles.policies(game, (0, 1))
            for gain in oracles.rounds(game, policy, player)
        )
        return
    certify(game, solution, tie_break)
    value = {s: x for s, (x, y) in solution.values.items()}
    assert all(x + y == 0 for x, y in solution.values.values())
    assert isinstance(game, Paying) or value == best
    # Each policy guarantees the value: other play costs the opponent without end.
    for player, sign in ((0, 1), (1, -1)):
        mine = {s: a for s, a in solution.policy.items() if game.rows[s][0] == player}
        for theirs in oracles.able(game, 1 - player):
            policy = {**mine, **theirs}
            if oracles.ends(game, policy):
                found = oracles.values(game, policy)
                assert all(sign * (found[s][0] - x) >= 0 for s, x in value.items())
            else:
                assert all(g > 0 for g in oracles.rounds(game, policy, player))


@given(
    heavy=st.booleans(),
    pays=st.booleans(),
    total=st.sampled_from([0, None]),
    data=st.data(),
    tie_break=WORDS,
)
@settings(max_examples=3 * settings().max_examples)
def test_backends_and_forms_agree(
    heavy: bool, pays: bool, total: Any, data: st.DataObject, tie_break: Any
) -> None:
    """But for games that floats say are too hard: of heavy weights, or that pay."""
    game = data.draw(
        games(
            cycles=True,
            heavy=heavy,
            pays=pays,
            total=total,
            max_states=9,
            max_moves=3,
            players=None if total is None else 2,
            max_players=3,
            deciders=(0,) if total is None else (0, 1),
        )
    )
    listed = data.draw(forms(game, levelled=True))
    try:
        solution = exact.solve(game, tie_break=tie_break)
    except GameError as error:
        told = str(error).split(": ")[0][:15]
        if pays:  # a game may have two faults, and forms are searched in other orders
            told = "every play must|what players ge"
        for solve, form in product(SOLVERS, [game] if heavy else [game, listed]):
            with pytest.raises(GameError, match=f"^({told}|.* too hard for float64)"):
                solve(form, tie_break=tie_break)
        return
    try:
        floats = diagonal.solve(game, tie_break=tie_break)
    except GameError as error:
        assert "too hard for float64" in str(error)  # noqa: PT017
        assert heavy or pays
        return
    near(floats, solution)
    assert {*floats.turned_ties} <= {*floats.optimal_actions}
    if not heavy and not pays and not floats.possible_ties:
        assert floats.error < 1e-6
    try:
        beside(listed, tie_break)
    except GameError as error:
        assert "too hard for float64" in str(error)  # noqa: PT017
        assert heavy or pays


# Neither player alone can end play: 0 may go round by 2, and 1 sends play back to 0.
# But each round of one's own costs, so both end it.
TOGETHER = Paying(
    {
        0: ("chance", [(1, 2, [-1, 1])]),
        1: (1, {"0": 0, "1": 3}),
        2: (0, {"0": 1, "1": 0}),
        3: ("end", [0, 0]),
    },
    0,
    2,
    {(2, "0"): [2, -2]},
)


@pytest.mark.parametrize("solve", SOLVERS)
def test_games_that_only_both_players_end(solve: Any) -> None:
    found = solve(TOGETHER)
    assert dict(found.values) == {0: (1, -1), 1: (0, 0), 2: (2, -2), 3: (0, 0)}
    assert dict(found.policy) == {1: "1", 2: "0"}
