"""Two ways to ask one thing: the same answer, or a refusal.

A game can be explored before it is solved, with other numbers or none, or be written
for arrays, with levels or without, or be solved in many positions at once. Each
property is about all games and options, those that are refused included.
"""

import pickle
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from cardgames_dp import diagonal, exact
from cardgames_dp._graph import array_answers, positions
from cardgames_dp._graph.explored import explored_of
from cardgames_dp._graph.walking import walk
from cardgames_dp.game import CHANCE, GameError, explore

from . import oracles
from .test_solutions import RULES, SOLVERS, WORDS, certify, near
from .written import SMALL, Listed, Paying, Table, any_games, whole

pytestmark = pytest.mark.slow


def answer(ask: Callable[..., Any], *given: Any, **options: Any) -> Any:
    """Return what a call gives, or the error that it raises."""
    try:
        return ask(*given, **options)
    except (TypeError, ValueError) as error:
        return type(error), str(error)


def has_loops(game: Any) -> bool:
    return explore(game).graph.components is not None


# Explored or not
# ---------------


@given(game=any_games(), data=st.data(), tie_break=RULES)
def test_explored_games(game: Table, data: st.DataObject, tie_break: Any) -> None:
    """With their own returns and rewards, or with others, changed in either order."""
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
    levels = data.draw(st.sampled_from([None, [0] * len(rows)]))
    form: dict[str, Any] = {"mixed": data.draw(st.booleans()), "levels": levels}
    for one, other in ((game, again), (Listed(game, **form), Listed(again, **form))):
        found = answer(explore, one)
        if isinstance(found, tuple):
            assert [answer(solve, one) for solve in SOLVERS] == [found] * 2
            continue
        before, changed = pickle.dumps(found.graph), found
        for change in order:
            changed = getattr(changed, f"with_{change}")(getattr(other, change))
        for solve in SOLVERS:
            for mine, its in ((found, one), (changed, other), (explore(other), other)):
                expected = answer(solve, its, tie_break=tie_break)
                assert answer(solve, mine, tie_break=tie_break) == expected
        assert found.graph == pickle.loads(before)
        assert explore(found) is found
    # Asked one by one, what was found gives it all back.
    assert explored_of(walk(explore(game), 100)) == explore(game)


# For arrays or state by state
# ----------------------------


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
        whole(game, 1 if kind is object else 12),
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
    assert exactly.payoffs == one.payoffs
    rows = [*map(tuple, exactly.payoffs_at(states))]
    assert rows == [*oracles.payoffs(one).values()]
    assert exactly.values(states).tolist() == [*one.values.values()]
    found = np.vectorize(Fraction, otypes=[object])(floats.payoffs_at(states))
    errors = np.abs(exactly.payoffs_at(states) - found)  # of fractions, so exactly
    bounds = np.vectorize(Fraction, otypes=[object])(floats.errors(states))
    assert (errors <= bounds[:, np.newaxis]).all()
    assert bool(exactly.ties) == bool(one.ties)
    assert bool(exactly.turned_ties) == bool(one.turned_ties)
    assert (exactly.error, exactly.possible_ties) == (0, ())
    assert {*floats.ties} <= {*exactly.ties}
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
                assert abs(value - right) <= max(solution.errors(states)) + close
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
    if not floats.errors(states).any() and tie_break != "uniform":
        assert floats.policy(asked).tolist() == exactly.policy(asked).tolist()


@given(game=any_games(), data=st.data(), tie_break=WORDS)
@settings(max_examples=3 * settings().max_examples)
def test_forms(game: Table, data: st.DataObject, tie_break: Any) -> None:
    """Both backends and forms; floats may say that a game with loops is too hard."""
    listed = data.draw(forms(game))
    levelled, loops = hasattr(listed, "levels"), has_loops(game)
    if loops and not levelled:
        for solve in SOLVERS:
            with pytest.raises(GameError, match=r"need a method levels\(states\)$"):
                solve(listed, tie_break=tie_break)
        return
    pays = isinstance(game, Paying)
    heavy = any(
        w > 9 for kind, row in game.rows.values() if kind == "chance" for w, *_ in row
    )
    try:
        solution = exact.solve(game, tie_break=tie_break)
    except GameError as error:
        assert loops
        told = str(error).split(": ")[0][:15]
        if pays:  # a game may have two faults, and forms are searched in other orders
            told = r"every play must|what players ge|players \d"
        for solve, form in product(SOLVERS, [game, listed]):
            with pytest.raises(GameError, match=f"^({told}|.* too hard for float64)"):
                solve(form, tie_break=tie_break)
        return
    hard = loops and (heavy or pays)
    floats = answer(diagonal.solve, game, tie_break=tie_break)
    if isinstance(floats, tuple):
        assert hard
        assert "too hard for float64" in floats[1]
        return
    near(floats, solution)
    assert {*floats.turned_ties} <= {*floats.optimal_actions}
    if not hard and not floats.possible_ties:
        assert floats.error < 1e-6
    refused = answer(beside, listed, tie_break)
    if refused is not None:
        assert hard
        assert "too hard for float64" in refused[1]
        return
    found = exact.solve(listed, tie_break=tie_break)
    if levelled:  # each state once
        one = exact.solve(listed.table, tie_break=tie_break)
        assert found.num_states == one.num_states
        assert len(found.ties) == len(one.ties)
    with pytest.MonkeyPatch.context() as patch:  # calls of few states at a time
        patch.setattr(array_answers, "_AT_ONCE", 2)
        assert exact.solve(listed, tie_break=tie_break) == found


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


# Many positions or one by one
# ----------------------------

RETURNS = st.sampled_from(
    [
        st.integers(-2, 2),
        st.integers(-2, 2).map(lambda k: k / 7),
        st.integers(-(2**54), 2**54),
        st.floats(-(2.0**1010), 2.0**1010),
        st.sampled_from(
            [0.0, 0.1, 0.3, 2.0**-1074, -(2.0**-1022), 2.0**900, 2.0**1000]
        ),
    ]
)


@st.composite
def many(draw: st.DrawFn) -> tuple[Any, Any]:
    """Return a game of any kind for arrays, and its returns in several positions."""
    game = draw(any_games(pays=draw(st.sampled_from([False, True, None]))))
    found: Any = explore(draw(forms(game, levelled=has_loops(game))))
    ends = int(np.count_nonzero(found.graph.players < CHANCE))
    shape = draw(st.sampled_from([1, 2, 5])), ends, found.num_players
    size = int(np.prod(shape))
    numbers = st.lists(draw(RETURNS), min_size=size, max_size=size)
    return found, np.array(draw(numbers), dtype=None if size else float).reshape(shape)


@given(both=many(), tie_break=WORDS, cache=st.sampled_from([1, 2**18]))
@settings(max_examples=3 * settings().max_examples)
def test_many_positions(both: Any, tie_break: Any, cache: int) -> None:
    """As each of them alone, and within the error of Fractions."""
    found, returns = both
    paying = answer(found.with_returns, lambda _: returns)
    if isinstance(paying, tuple):
        assert returns.dtype == int
        assert np.abs(returns).max() > 2**53
        return
    every = [
        answer(diagonal.solve, paying.at(position), tie_break=tie_break)
        for position in range(len(returns))
    ]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(positions, "_CACHE", cache)
        patch.setattr(positions, "_LEAST_WIDTH", 2)
        solution = answer(diagonal.solve, paying, tie_break=tie_break)
    if isinstance(solution, tuple):
        assert (
            found.graph.components is not None
            or tie_break == "uniform"
            or any(isinstance(alone, tuple) for alone in every)
        )
        return
    assert (found.num_positions, paying.num_positions) == (None, len(returns))
    states = found.states_at(np.arange(found.num_states))
    decided = states[found.graph.players >= 0]
    values = solution.payoffs_at(states)
    assert values.shape == (len(returns), found.num_states, found.num_players)
    for position, (paid, alone) in enumerate(zip(returns, every, strict=True)):
        error = solution.error[position]
        size = max(float(np.abs(paid).max()), 2.0**-500)  # the least unit of errors
        if found.graph.rewards is not None:
            largest = float(np.abs(found.graph.rewards.floats()[0]).max())
            size += len(found.graph.blocks) * largest
        fractions = np.vectorize(Fraction, otypes=[object])(paid)
        one = found.with_returns(lambda _, given=fractions: given)
        exactly = exact.solve(one, tie_break=tie_break)
        off = np.abs(values[position] - exactly.payoffs_at(states))
        assert (off <= Fraction(error)).all()
        assert np.array_equal(solution.payoffs[position], values[position, 0])
        if found.num_players == 1:
            assert error <= 1e-13 * size
        if not decided.size:
            continue
        index, _, worths, best = solution.advice(decided)
        certain, flags = (each.advice(decided)[3] for each in (exactly, alone))
        assert not (certain & ~best[position]).any()
        # Where the two forms differ in an action, it is a matter of rounding.
        starts = np.searchsorted(index, np.arange(len(decided)))
        tops = np.maximum.reduceat(worths[position], starts)[index]
        differ = best[position] != flags
        assert (tops - worths[position] <= 1e-12 * size)[differ].all()
        same = np.setdiff1d(np.arange(len(decided)), index[differ])
        chosen = solution.policy(decided)[position]
        assert (chosen == alone.policy(decided))[same].all()


TOSS: dict[Any, Any] = {0: ("chance", [(1, 0), (1, 1)]), 1: ("end", [1])}
CHOICE: dict[Any, Any] = {0: (0, {"0": 1, "1": 2}), 1: ("end", [1]), 2: ("end", [1])}
ALONE = r"got one of 2; solve explored\.at\(position\) for each$"


@pytest.mark.parametrize(
    ("rows", "number", "tie_break", "words"),
    [
        (TOSS, 1, "first", "^game must be of one position for a game with loops, "),
        (CHOICE, 1, "uniform", "^game .* for tie_break='uniform', " + ALONE),
        (CHOICE, 1, max, "^game .* for a callable tie_break, " + ALONE),
        (CHOICE, 1.5e301, "first", r"^returns must be at most 2\*\*1000"),
        (CHOICE, 2**53 + 1, "first", r"^returns.* most 2\*\*53 .*from 0 to 9007199254"),
    ],
)
def test_refused_positions(
    rows: Any, number: float, tie_break: Any, words: str
) -> None:
    found: Any = explore(Listed(Table(rows), levels=[0, 0, 0]))
    with pytest.raises(ValueError, match=words):
        diagonal.solve(
            found.with_returns(lambda ends: np.full((2, len(ends), 1), number)),
            tie_break=tie_break,
        )


def test_no_positions() -> None:
    found: Any = explore(Listed(Table(CHOICE)))
    with pytest.raises(GameError, match=r"of shape \(2, 1\), got .* \(0, 2, 1\)$"):
        found.with_returns(lambda ends: np.zeros((0, len(ends), 1)))


def test_errors_of_one_state_leave_others_alone() -> None:
    """The second player's payoff is open after a possible tie, and nothing else is."""
    rows: dict[Any, Any] = {
        0: (0, {"0": 2, "1": 1}),
        1: ("chance", [(1, 3), (1, 4)]),
        2: ("end", [5, 0]),
        3: (0, {"0": 5, "1": 6}),
        4: ("end", [0, 0]),
        5: ("chance", [(1, 7), (2, 8)]),
        6: ("chance", [(2, 7), (1, 8)]),
        7: ("end", [1, 0]),
        8: ("end", [1, 9]),
    }
    found: Any = explore(Listed(Table(rows, num_players=2), kind=float))
    returns = found.graph.numerators[np.newaxis] / 7
    solution: Any = diagonal.solve(
        found.with_returns(lambda _: returns), tie_break="last"
    )
    assert solution.error[0] > 0.4
    assert solution.policy(np.array([0, 3])).tolist() == [[0, 1]]
    assert solution.advice(np.array([0, 3]))[3].tolist() == [[True, False, True, True]]
