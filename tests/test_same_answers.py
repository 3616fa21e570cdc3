"""Two ways to ask one thing: the same answer, or a refusal.

A game can be explored before it is solved, with other numbers or none, or be written
for arrays, with levels or without, or be solved in many variants at once. Each
property is about all games and options, those that are refused included.
"""

import pickle
import re
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from cardgames_dp import diagonal, exact
from cardgames_dp._graph import array_answers, search, variants
from cardgames_dp._graph.explored import build_explored
from cardgames_dp._graph.search import find_states
from cardgames_dp.game import CHANCE, ExploredArrays, GameError, explore

from . import oracles
from .games import SMALL, Listed, Paying, Table, any_games, whole
from .test_solutions import RULES, SOLVERS, WORDS, certify, near

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


@given(game=any_games())
def test_explored_depth_first(game: Table) -> None:
    """The same states with the same moves, whichever is asked about first."""
    deep, wide = (
        build_explored(find_states(game, 1000, depth_first=True)),
        explore(game),
    )
    assert deep.places.keys() == wide.places.keys()
    assert deep.initial_state() == wide.initial_state()
    for state in wide.states:
        one, other = (x.node(x.place(state)) for x in (deep, wide))
        after = [deep.states[i] for i in one.following]
        assert after == [wide.states[i] for i in other.following]
        assert one._replace(following=[]) == other._replace(following=[])


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
        explored = answer(explore, one)
        if isinstance(explored, tuple):
            assert [answer(solve, one) for solve in SOLVERS] == [explored] * 2
            continue
        before, changed = pickle.dumps(explored.graph), explored
        for change in order:
            changed = getattr(changed, f"with_{change}")(getattr(other, change))
        for solve in SOLVERS:
            for mine, its in (
                (explored, one),
                (changed, other),
                (explore(other), other),
            ):
                expected = answer(solve, its, tie_break=tie_break)
                assert answer(solve, mine, tie_break=tie_break) == expected
        assert explored.graph == pickle.loads(before)
        assert explore(explored) is explored
    # Asked one by one, what was found gives it all back.
    assert build_explored(find_states(explore(game), 100)) == explore(game)


@given(game=any_games(), narrow=st.integers(0, 4))
def test_longest_plays(game: Table, narrow: int) -> None:
    """State by state where diagonals are narrow, and by NumPy where they are wide."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search, "_NARROW", narrow)
        explored = answer(explore, game)
    assert explored == answer(explore, game)


# For arrays or state by state
# ----------------------------


@st.composite
def forms(draw: st.DrawFn, game: Table, *, levelled: bool = False) -> Listed:
    """Return an array game, in any of the forms in which it can be written."""
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
        game if kind is object else whole(game),
        rows=draw(st.booleans()),
        mixed=draw(st.booleans()),
        kind=kind,
        levels=levels,
    )


def beside(listed: Listed, tie_break: Any) -> None:
    """Hold an array game against the same one state by state, in both backends."""
    one = exact.solve(listed.table, tie_break=tie_break)
    exactly = exact.solve(listed, tie_break=tie_break)
    floats = diagonal.solve(listed, tie_break=tie_break)
    states = listed.written(list(one.values))
    assert exactly.payoffs == one.payoffs
    rows = [*map(tuple, exactly.payoffs_at(states))]
    assert rows == [*oracles.payoffs(one).values()]
    assert exactly.values(states).tolist() == [*one.values.values()]
    result = np.vectorize(Fraction, otypes=[object])(floats.payoffs_at(states))
    errors = np.abs(exactly.payoffs_at(states) - result)  # of fractions, so exactly
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
    result = exact.solve(listed, tie_break=tie_break)
    if levelled:  # each state once
        one = exact.solve(listed.table, tie_break=tie_break)
        assert result.num_states == one.num_states
        assert len(result.ties) == len(one.ties)
    with pytest.MonkeyPatch.context() as patch:  # calls of few states at a time
        patch.setattr(array_answers, "_AT_ONCE", 2)
        assert exact.solve(listed, tie_break=tie_break) == result


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
    explored: Any = explore(Listed(game, mixed=mixed, kind=np.int64))
    assert (
        explored.with_rewards(Listed(game, kind=np.int64).paid).graph == explored.graph
    )


# Many variants or one by one
# ---------------------------

NUMBERS = st.sampled_from(
    [
        st.integers(-2, 2),
        st.integers(-2, 2).map(lambda k: k / 7),
        st.fractions(-2, 2, max_denominator=9),
        st.integers(-(2**54), 2**54),
        st.floats(-(2.0**1010), 2.0**1010),
        st.sampled_from(
            [0.0, 0.1, 0.3, 2.0**-1074, -(2.0**-1022), 2.0**900, 2.0**1000]
        ),
    ]
)


def changed(found: Any, kind: str, numbers: Any) -> Any:
    """Return a game with other returns, rewards or weights, in the order of moves.

    With a first axis, they are those of variants.
    """
    change, numbers = getattr(found, f"with_{kind}"), np.asarray(numbers)
    if isinstance(found, ExploredArrays):
        return change(lambda *_: numbers)
    rows = iter(np.moveaxis(numbers, -1 if kind == "weights" else -2, 0))
    return change(lambda *_: next(rows))


@st.composite
def many(draw: st.DrawFn) -> tuple[Any, int, dict[str, Any]]:
    """Return a game of any kind, in either form, and numbers of several variants."""
    game = draw(any_games(pays=draw(st.sampled_from([False, True, None]))))
    explored: Any = explore(game)
    if draw(st.booleans()):
        explored = explore(draw(forms(game, levelled=has_loops(game))))
    graph, variants = explored.graph, draw(st.sampled_from([1, 2, 5]))
    of_move = np.repeat(graph.players, np.diff(graph.offsets))
    counts = {
        "returns": int(np.count_nonzero(graph.players < CHANCE)),
        "rewards": int(np.count_nonzero(of_move >= 0)),
        "weights": int(np.count_nonzero(of_move == CHANCE)),
    }
    numbers: dict[str, Any] = {}
    kinds = draw(st.sets(st.sampled_from([*counts]), min_size=1))
    for kind in sorted(kinds):
        shape: Any = variants, counts[kind], explored.num_players
        each = draw(NUMBERS)
        if kind == "weights":
            shape, each = shape[:2], st.integers(0, 3)
        size = int(np.prod(shape))
        if not size:
            continue
        drawn = draw(st.lists(each, min_size=size, max_size=size))
        numbers[kind] = np.array(drawn).reshape(shape)
        if kind == "weights":  # of outcomes of weight 0 only, there is no game
            numbers[kind][:, ::2] += 1
    return explored, variants, numbers


def roughly(message: str) -> str:
    """Return a message without its floats, whose last digits may differ."""
    return re.sub(r"\d+\.\d+(e[+-]?\d+)?|\d+e[+-]?\d+", "float", message)


@given(given=many(), tie_break=RULES, cache=st.sampled_from([1, 2**22]))
@settings(max_examples=3 * settings().max_examples)
def test_many_variants(given: Any, tie_break: Any, cache: int) -> None:
    """As each of them alone, and within the error of Fractions."""
    result, count, numbers = given
    together, kinds = result, [*numbers]
    for kind in kinds:
        together = answer(changed, together, kind, numbers[kind])
        if isinstance(together, tuple):
            assert "positive sum" in together[1]
            return
    if not kinds:
        return
    assert (result.num_variants, together.num_variants) == (None, count)
    every = [
        answer(diagonal.solve, together.at(variant), tie_break=tie_break)
        for variant in range(count)
    ]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(variants, "_CACHE", cache)
        patch.setattr(variants, "_LEAST_WIDTH", 2)
        solution = answer(diagonal.solve, together, tie_break=tie_break)
    refused = [i for i, alone in enumerate(every) if isinstance(alone, tuple)]
    if refused or isinstance(solution, tuple):
        assert refused
        message = solution[1].removeprefix(f"variant {refused[0]}: ")
        assert roughly(message) == roughly(every[refused[0]][1])
        return
    places = np.arange(result.num_states)
    states = result.named_states(places)
    values = solution._source.payoffs_of(places)
    assert values.shape == (count, result.num_states, result.num_players)
    small = all(np.abs(each).max() < 2**40 for each in numbers.values())
    for variant, alone in enumerate(every):
        exactly = result
        for kind in kinds:
            part = numbers[kind][variant]
            if kind != "weights":
                part = np.vectorize(Fraction, otypes=[object])(part)
            exactly = changed(exactly, kind, part)
        right = exact.solve(exactly, tie_break=tie_break)
        error = Fraction(solution.error[variant])
        truth = right._source.payoffs_of(places)
        by_state = Fraction(1) * np.vectorize(Fraction, otypes=[object])(
            solution._source.error_of(places)[variant]
        )
        off = np.abs(np.vectorize(Fraction, otypes=[object])(values[variant]) - truth)
        assert (off <= by_state[:, np.newaxis]).all()
        assert by_state[result.start] == error
        assert np.array_equal(solution.payoffs[variant], values[variant, result.start])
        if small and result.graph.components is None:
            assert np.array_equal(values[variant], alone._source.payoffs_of(places))
        if isinstance(result, ExploredArrays):
            beside_alone(result, solution, variant, alone, right)
    for place in np.unique(result.representatives):  # a state may have several places
        row = solution.payoffs_at(states[place])
        assert np.array_equal(row, values[:, place])


def beside_alone(
    found: ExploredArrays, solution: Any, variant: int, alone: Any, right: Any
) -> None:
    """Hold decisions of a variant against those of the same game alone."""
    decided = found.states_at(np.flatnonzero(found.graph.players >= 0))
    if not decided.size:
        return
    index, actions, worths, best = solution.advice(decided)
    flags = alone.advice(decided)[3]
    assert not (right.advice(decided)[3] & ~best[variant]).any()
    # Where the two differ in an action, it is a matter of rounding.
    starts = np.searchsorted(index, np.arange(len(decided)))
    tops = np.maximum.reduceat(worths[variant], starts)[index]
    size = np.abs(worths[variant]).max() + 2.0**-500
    differ = best[variant] != flags
    assert (tops - worths[variant] <= 1e-12 * size)[differ].all()
    if solution.tie_break == "uniform":
        chosen = solution.policy(decided)
        assert np.array_equal(chosen[2][variant] > 0, best[variant])
        assert np.array_equal(chosen[1], actions)
        return
    same = np.setdiff1d(np.arange(len(decided)), index[differ])
    chosen = solution.policy(decided)[variant]
    assert (chosen == alone.policy(decided))[same].all()


@given(given=many(), tie_break=RULES, cache=st.sampled_from([1, 2**22]))
def test_games_solved_together(given: Any, tie_break: Any, cache: int) -> None:
    """As each of them alone, in all fields, if they have the same moves or not."""
    result, count, numbers = given
    games = [result]
    for kind, each in numbers.items():
        together = answer(changed, games[-1], kind, each)
        if isinstance(together, tuple):
            return
        games += [together.at(variant) for variant in range(count)]
    every = [answer(diagonal.solve, game, tie_break=tie_break) for game in games]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(variants, "_CACHE", cache)
        patch.setattr(variants, "_LEAST_WIDTH", 2)
        solutions = answer(variants.solve_together, games, tie_break)
    for one, alone in zip(solutions, every, strict=True):
        if isinstance(alone, tuple):
            assert (type(one), str(one)) == alone
        else:
            assert one._source == alone._source
            assert repr(one) == repr(alone)


TOSS: dict[Any, Any] = {0: ("chance", [(1, 0), (1, 1)]), 1: ("end", [1])}
CHOICE: dict[Any, Any] = {0: (0, {"0": 1, "1": 2}), 1: ("end", [1]), 2: ("end", [1])}


def test_means_of_variants_are_divided_once() -> None:
    """By the sum of weights, with what chance pays: the same bits as alone."""
    rows: Any = {0: ("chance", [(1, 1), (2, 1, [1])]), 1: ("end", [1])}
    game = explore(Table(rows))
    together: Any = diagonal.solve(changed(game, "returns", [[[1]], [[1]]]))
    assert (
        together.payoffs.tolist() == [[5 / 3]] * 2 == [[diagonal.solve(game).value]] * 2
    )


def test_a_callable_is_asked_about_every_variant() -> None:
    explored = changed(explore(Table(CHOICE)), "returns", [[[1], [1]], [[1], [2]]])
    asked = []

    def rule(state: int, tied: tuple[str, ...]) -> str:
        asked.append((state, tied))
        return tied[-1]

    solution: Any = diagonal.solve(explored, tie_break=rule)
    assert asked == [(0, ("0", "1"))]
    assert solution.chosen[0].tolist() == [1, 1]


@pytest.mark.parametrize(
    ("kind", "numbers", "words"),
    [
        ("returns", np.full((2, 2, 1), 1.5e301), r"^returns must be at most 2\*\*1000"),
        (
            "returns",
            np.zeros((0, 2, 1)),
            r"^returns.* got .*shape.*\(0, ",
        ),
        (
            "returns",
            np.full((2, 2, 1), np.nan),
            "finite numbers, got .*nan.* variant 0$",
        ),
        ("returns", np.zeros((2, 2, 2)), "num_players is 1"),
        ("rewards", np.zeros((2, 2, 2)), "num_players is 1"),
        (
            "rewards",
            np.full((3, 2, 1), np.inf),
            "finite numbers, got .*inf.* variant 0$",
        ),
    ],
)
def test_refused_variants(kind: str, numbers: Any, words: str) -> None:
    for game in (Table(CHOICE), Listed(Table(CHOICE))):
        with pytest.raises(ValueError, match=words):
            diagonal.solve(changed(explore(game), kind, numbers))


@pytest.mark.parametrize(
    ("numbers", "error", "words"),
    [
        ([[1, 1, 1]], GameError, r"^weights.* shape \(2,\) or \(variants, 2\), got"),
        ([1, -1], GameError, r"^weights.* must hold weights >= 0, got -1 at state 0$"),
        ([[1, 1], [0, 0]], GameError, r"positive sum, got 0 at state 0 in variant 1$"),
        ([0.5, 0.6], GameError, r"^weights.* sum is 1, .* got the sum 1\.1 at state 0"),
        (["1", "1"], TypeError, "^weights.* must hold weights that are numbers, got"),
        ([2**70, None], TypeError, "^weights.* got the weight None of type NoneType"),
    ],
)
def test_refused_weights(numbers: Any, error: Any, words: str) -> None:
    explored: Any = explore(Listed(Table(TOSS), levels=[0, 0]))
    with pytest.raises(error, match=words):
        explored.with_weights(lambda *_: np.array(numbers))
    plain, rows = explore(Table(TOSS)), np.array(numbers).T
    if len(rows) == 2:
        given = iter(rows)
        with pytest.raises(error, match=words):
            plain.with_weights(lambda *_: next(given))


def test_other_numbers_of_variants() -> None:
    explored = changed(explore(Table(CHOICE)), "returns", np.ones((2, 2, 1)))
    with pytest.raises(ValueError, match=r"returns 2, rewards 3$"):
        changed(explored, "rewards", np.ones((3, 2, 1)))
    alone: Any = changed(explored, "returns", np.ones((2, 1)))
    assert changed(alone, "rewards", np.ones((3, 2, 1))).num_variants == 3


THIRD: dict[Any, Any] = {
    0: ("chance", [(1, 1), (2, 2)]),
    1: ("end", [1]),
    2: ("end", [0]),
}


ROUNDED = [[[1], [0]], [[Fraction(1, 3)]] * 2, [[2**53 + 1], [1]]]


@pytest.mark.parametrize(
    ("rows", "returns"),
    [(THIRD, [[[1], [0]], [[2], [0]]]), (THIRD, ROUNDED), (CHOICE, ROUNDED)],
)
def test_errors_of_one_player_cover_roundings(rows: Any, returns: Any) -> None:
    """Those of means alone, and those of returns that are no floats."""
    for form in (Table, lambda rows: Listed(Table(rows))):
        explored: Any = changed(
            explore(form(rows)), "returns", np.array(returns, object)
        )
        solution: Any = diagonal.solve(explored)
        for variant in range(len(returns)):
            right: Any = exact.solve(explored.at(variant)).value
            off = abs(Fraction(float(solution.value[variant])) - right)
            assert off <= solution.error[variant] <= 2.0**-49 * right
            assert off > 0 or rows is CHOICE


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
    explored: Any = explore(Listed(Table(rows, num_players=2), kind=float))
    returns = explored.graph.numerators[np.newaxis] / 7
    solution: Any = diagonal.solve(
        explored.with_returns(lambda _: returns), tie_break="last"
    )
    assert solution.error.tolist() == [0]
    assert solution.errors[3][0] > 0.4
    assert solution.policy(np.array([0, 3])).tolist() == [[0, 1]]
    assert solution.advice(np.array([0, 3]))[3].tolist() == [[True, False, True, True]]
