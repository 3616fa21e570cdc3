"""Names of array games, default policies, and solutions of any origin in play."""

import pickle
import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, strategies as st

from cardgames_dp import cardrow, diagonal, exact, interop, pairs, play, plots, redblack
from cardgames_dp._graph.explored import explore_by_state
from cardgames_dp.game import TERMINAL, Names, check, explore

from . import oracles
from .games import Cards, Listed, Paying, Table, any_games, games
from .refusals import game_error, type_error, value_error
from .test_same_answers import answer
from .test_solutions import SOLVERS, WORDS

ENDS, ONES = ("x", "y", "z"), ("p", "q", "r")
ACTIONS = ("none", "some", "more", "most")


class Digits(NamedTuple):
    """A state of a `Listed` game in rows: two of its digits have words."""

    nines: str
    threes: int
    ones: str = "p"


class Worded(Listed):
    """An array game with names."""

    names = Names(Digits, ACTIONS, {"nines": ENDS, "ones": ONES})


def digits(state: int) -> Digits:
    return Digits(ENDS[state // 9 % 3], state // 3 % 3, ONES[state % 3])


def named(row: tuple[int, int, int]) -> Digits:
    return Digits(ENDS[row[0]], row[1], ONES[row[2]])


def word(action: Any) -> Any:
    """Return the word of an action, or those of a mixture."""
    if isinstance(action, dict):
        return {ACTIONS[k]: weight for k, weight in action.items()}
    return ACTIONS[action]


@given(
    game=any_games(),
    solve=st.sampled_from(SOLVERS),
    tie_break=WORDS,
    mixed=st.booleans(),
    levelled=st.booleans(),
)
def test_names_change_no_number(
    game: Table, solve: Any, tie_break: Any, mixed: bool, levelled: bool
) -> None:
    levels = [0] * len(game.rows) if levelled else None
    both = [
        kind(game, rows=True, mixed=mixed, levels=levels) for kind in (Listed, Worded)
    ]
    plain, words = (answer(solve, each, tie_break=tie_break) for each in both)
    if isinstance(plain, tuple):
        assert words[0] is plain[0]
        return
    states = [*plain.values]
    assert [*words.values] == [*map(named, states)]
    assert (words.value, words.payoffs) == (plain.value, plain.payoffs)
    for name in ("ties", "possible_ties", "turned_ties"):
        assert getattr(words, name) == tuple(map(named, getattr(plain, name)))
    rows = np.array(states)
    assert words.payoffs_at(rows).tolist() == plain.payoffs_at(rows).tolist()
    for row in states:
        state = named(row)
        payoffs = plain.payoffs_at(row)
        assert words.values[state] == plain.values[row] == payoffs[0]
        assert words.payoffs_at(tuple(state)) == payoffs
        assert words.errors[state] == plain.errors[row]
        if state.ones == "p":  # which need not be said
            assert words.payoffs_at(tuple(state)[:2]) == payoffs
    assert [*words.policy] == [*map(named, plain.policy)]
    for row, action in plain.policy.items():
        state, right = named(row), plain.advice(row)
        assert words.policy[state] == word(action)
        best = words.optimal_actions[state]
        assert best == tuple(map(word, plain.optimal_actions[row]))
        advice = words.advice(state)
        assert (advice.state, advice.best, advice.payoffs) == (
            state,
            best,
            right.payoffs,
        )
        assert [*advice.values.items()] == [
            (word(k), x) for k, x in right.values.items()
        ]
    frame, other = words.to_pandas(), plain.to_pandas()
    assert [*map(tuple, frame[list(Digits._fields)].to_numpy())] == [
        named(row)
        for row in other[["state_0", "state_1", "state_2"]].to_numpy().tolist()
    ]
    assert frame["payoff_0"].tolist() == other["payoff_0"].tolist()
    for wrong in (states[0], (*named(states[0]), 1), ("x",), ("w", 0), "x", 3, None):
        assert wrong not in words.values


# Policies in words
# -----------------


@st.composite
def played(draw: st.DrawFn) -> tuple[Any, dict[int, Any]]:
    """Return a game and what is done in each of its states: an action or weights."""
    game = draw(games(pays=draw(st.booleans()), decides=True))
    done: dict[int, Any] = {}
    for state in oracles.reachable(game):
        kind, row = game.rows[state]
        if kind not in ("chance", "end"):
            weights = draw(
                st.lists(st.integers(0, 3), min_size=len(row), max_size=len(row))
            )
            done[state] = dict(enumerate(weights))
            if not any(weights):
                done[state] = draw(st.integers(0, len(row) - 1))
    return game, done


@given(both=played(), backend=st.sampled_from(["exact", "float64"]))
def test_policies_in_words(both: Any, backend: Any) -> None:
    """As mappings, as functions of a state, and of arrays where actions are certain."""
    game, done = both
    there = Worded(game, rows=True)
    policy = {
        s: {f"{k}": w for k, w in a.items()} if isinstance(a, dict) else f"{a}"
        for s, a in done.items()
    }
    right = play.evaluate(game, policy, backend=backend)
    sure = {
        s: max(a, key=a.__getitem__) if isinstance(a, dict) else a
        for s, a in done.items()
    }
    certain = play.evaluate(game, {s: f"{a}" for s, a in sure.items()}, backend=backend)
    table, calls = np.zeros((3, 3, 3), dtype=int), []
    for state, action in sure.items():
        table[state // 9 % 3, state // 3 % 3, state % 3] = action

    def by_fields(state: Any) -> Any:
        calls.append(state)
        first, last = (
            np.searchsorted(w, np.asarray(x, dtype=str))
            for w, x in ((ENDS, state.nines), (ONES, state.ones))
        )
        return np.array(ACTIONS)[table[first, np.asarray(state.threes, int), last]]

    in_words = {digits(s): word(a) for s, a in done.items()}
    for form, expected in (
        (in_words, right),
        (lambda state: in_words[state], right),
        ({digits(s): word(a) for s, a in sure.items()}, certain),
        (by_fields, certain),
    ):
        result: Any = play.evaluate(there, form, backend=backend)
        one = explore_by_state(there, None)
        again: Any = play.evaluate(one, form, backend=backend)
        bound = 2 * max(max(x.errors.values()) for x in (result, again, expected))
        for state in expected.values:
            for other in (result, again):
                pairs = zip(
                    other.payoffs_at(digits(state)),
                    expected.payoffs_at(state),
                    strict=True,
                )
                assert all(abs(x - y) <= bound for x, y in pairs)
    if backend == "exact":
        two: Any = (there, in_words), (game, policy)
        laws, plain = (play.distribution(*x, backend=backend) for x in two)
        assert laws.returns == plain.returns
        mistakes, its = (play.regret(*x, backend=backend) for x in two)
        assert mistakes.loss == its.loss
        taken = zip(map(digits, its.states), its.taken, strict=True)
        assert dict(zip(mistakes.states, mistakes.taken, strict=True)) == {
            state: tuple([ACTIONS[int(k)] for k in names]) for state, names in taken
        }
    # Each player's states at once; then one by one, from the game that was explored so.
    # Where one action is legal, it is taken without a question.
    asked = [game.rows[s][0] for s in done if len(game.rows[s][1]) > 1]
    assert len(calls) == len(set(asked)) + len(asked)


class Moment(NamedTuple):
    red: int
    black: int
    moment: str = "ask"


class Deck(Cards):
    """Red/black with names."""

    names = Names(Moment, ("", "stop", "draw"), {"moment": ("ask", "stop", "draw")})


class Recoded(Deck):
    """The same with other codes: 1 is to draw, and 2 to stop."""

    names = Names(Moment, ("", "draw", "stop"), {"moment": ("ask", "draw", "stop")})

    def _recoded(self, states: Any) -> Any:
        codes = np.array([0, 2, 1])[states[:, 2]]
        return np.column_stack([states[:, :2], codes])

    def current_players(self, states: Any) -> Any:
        return super().current_players(self._recoded(states))

    def chance_outcomes(self, states: Any) -> Any:
        return super().chance_outcomes(self._recoded(states))


def timid(state: Any) -> str:
    """Draw until one card ahead: of one state only."""
    return "stop" if state.black > state.red else "draw"


def test_a_policy_of_a_game_with_other_codes() -> None:
    mine, its = exact.solve(Deck(5, 4)), exact.solve(Recoded(5, 4))
    assert mine.value == its.value
    assert dict(mine.policy).keys() == dict(its.policy).keys()
    for game, policy in ((mine, its), (its, mine), (its, its.policy)):
        assert play.evaluate(game, policy, backend="exact").value == mine.value


def test_what_is_no_action_is_refused() -> None:
    for words, policy in (
        ("('stop', 'draw') at state Moment(red=5", lambda state: "hold"),
        ("one of ('stop', 'draw')", lambda s: np.full(np.shape(s.red), "hold")),
        ("must give one of the legal actions", lambda state: 2),
        ("got a weight for 'hold'", lambda state: {"stop": 1, "hold": 2}),
        ("none for Moment(red=4, black=4, moment='ask')", {Moment(5, 4): "draw"}),
        ("positive sum", lambda state: {"stop": 0 * state.red}),
        ("the weight of", lambda s: {"stop": np.ones(2), "draw": np.ones(2)}),
    ):
        value_error(words, play.evaluate, Deck(5, 4), policy)
    type_error(
        *("exact", play.evaluate, Deck(3, 3)),
        lambda s: {"stop": 0.1 + 0 * s.red, "draw": Fraction(1, 3)},
        backend="exact",
    )


@pytest.mark.parametrize(
    "state",
    [
        *((-1, 2), (4, 2), (2, 2**31), (-(2**63), 0), (2**63, 0), (10**30, 1)),
        *((0, 0, "draw"), (0, 0, "stop"), (1.5, 2), ("1", 2), (None, 2), (), (1,)),
        *((1, 2, 0), (1, 2, ""), (1, 2, "ask", 3), "ask", None, 3, Moment(-1, 2)),
    ],
    ids=repr,
)
@pytest.mark.parametrize("solve", SOLVERS)
def test_states_that_cannot_be_reached(solve: Any, state: Any) -> None:
    """None is read from the other end of a table, or rounded to one that can be."""
    solution = solve(Deck(3, 3))
    laws = play.distribution(solution)
    mappings: Any = solution.values, solution.errors, solution.policy, laws.reach
    for mapping in (*mappings, solution.optimal_actions, laws.visits):
        assert state not in mapping
        with pytest.raises(KeyError):
            mapping[state]
    with pytest.raises(KeyError):
        solution.payoffs_at(state)
    with pytest.raises(ValueError, match=r"^state must be one in which a player moves"):
        solution.advice(state)


@pytest.mark.parametrize("solve", SOLVERS)
def test_a_tie_rule_of_a_game_for_arrays_is_asked_by_name(solve: Any) -> None:
    asked: list[Any] = []

    def rule(state: Any, best: Any) -> Any:
        asked.append((state, best))
        return best[-1]

    solution = solve(Deck(4, 4), tie_break=rule)
    assert (Moment(1, 2), ("stop", "draw")) in asked
    assert solution.policy == solve(Deck(4, 4), tie_break="last").policy
    plain = solve(Cards(4, 4), tie_break=lambda state, best: min(best))
    assert plain.policy == solve(Cards(4, 4), tie_break="first").policy
    with pytest.raises(
        ValueError, match=r"^tie_break must return one of .*'draw'.*hold"
    ):
        solve(Deck(4, 4), tie_break=lambda state, best: "hold")


# An array game as one of single states
# -----------------------------------------


@given(game=any_games(), mixed=st.booleans())
def test_an_explored_game_for_arrays_is_one_of_single_states(
    game: Table, mixed: bool
) -> None:
    levels = [0] * len(game.rows)
    there: Any = explore(Worded(game, rows=True, mixed=mixed, levels=levels))
    assert there.initial_state() == digits(game.start)
    for state in oracles.reachable(game):
        name, row = digits(state), game.rows[state][1]
        player = there.current_player(name)
        assert player == game.current_player(state)
        assert there.state(there.place(name)) == name
        if player == TERMINAL:
            assert there.returns(name) == tuple(row)
        elif player >= 0:
            actions = there.legal_actions(name)
            assert actions == ACTIONS[: len(row)]
            after = [there.next_state(name, action) for action in actions]
            assert after == [*map(digits, row.values())]
            if isinstance(game, Paying):
                for k, action in enumerate(actions):
                    paid = tuple(game.rewards(state, f"{k}"))
                    assert there.rewards(name, action) == paid
    one = explore_by_state(there, None)
    assert {*one.states} == {*map(digits, oracles.reachable(game))}
    assert explore_by_state(one, None) is one
    solution = answer(exact.solve, game)
    if not isinstance(solution, tuple):
        right = {digits(s): value for s, value in oracles.payoffs(solution).items()}
        assert oracles.payoffs(exact.solve(one)) == right


TWO_WAYS = Table(
    {
        0: ("chance", [(1, 1), (1, 2)]),
        1: (0, {"0": 2, "1": 3}),
        2: ("chance", [(1, 3), (2, 4)]),
        3: ("end", [3]),
        4: ("end", [6]),
    }
)


def test_how_likely_a_state_of_several_places_is() -> None:
    """One that is reached after different numbers of moves has a place for each."""
    there: Any = Listed(TWO_WAYS, mixed=True)
    assert explore(there).num_states == 8
    laws = play.distribution(there, {1: {0: 1, 1: 1}}, backend="exact")
    assert laws.reach[2] == laws.visits[2] == Fraction(3, 4)


# The policy of a solution is played if none is given
# ---------------------------------------------------

LITTLE = pairs.Rules(deck={1: 2, 2: 2}, target=2)
SOLUTIONS: dict[str, Callable[[], Any]] = {
    "states": lambda: exact.solve(TWO_WAYS),
    "arrays": lambda: diagonal.solve(Cards(3, 3), tie_break="last"),
    "names": lambda: exact.solve(Deck(3, 4), tie_break="uniform"),
    "response": lambda: play.best_response(Deck(3, 3), timid, 0),
    "deck": lambda: redblack.solve(3, 4),
    "deck, exact": lambda: redblack.solve(
        4, 3, backend="exact", rules=redblack.Rules(tie="draw")
    ),
    "deck, utility": lambda: redblack.solve(
        3, 3, rules=redblack.Rules(utility=redblack.utilities.exponential("1/2"))
    ),
    "row": lambda: cardrow.solve([4, 7, 2, 9, 1]),
    "row, exact": lambda: cardrow.solve([4, 7, "1/2", 9], backend="exact"),
    "row of three": lambda: cardrow.solve(
        [3, 1, 4, 1, 5], rules=cardrow.Rules(players=3, take=2)
    ),
    "pairs": lambda: pairs.solve(LITTLE),
    "pairs for points": lambda: pairs.solve(LITTLE, goal="points"),
}


@pytest.fixture(params=SOLUTIONS, scope="module")
def solution(request: pytest.FixtureRequest) -> Any:
    return SOLUTIONS[request.param]()


def payoffs_of(solution: Any) -> tuple[Any, ...]:
    result = getattr(solution, "payoffs", None)
    return (solution.value,) if result is None else result


def test_a_solution_plays_its_own_policy(solution: Any) -> None:
    payoffs = pytest.approx([float(x) for x in payoffs_of(solution)], abs=1e-12)
    result: Any = play.evaluate(solution)
    assert result.payoffs == payoffs
    assert result == play.evaluate(solution, solution)
    exactly: Any = play.evaluate(solution, backend="exact")
    assert [float(x) for x in exactly.payoffs] == payoffs
    laws: Any = play.distribution(solution)
    assert [law.mean for law in laws.returns] == payoffs
    assert laws.returns == play.distribution(solution, solution).returns
    account = play.simulate(solution, games=40, rng=1)
    assert account == play.simulate(solution, solution, 40, rng=1)
    position: Any = play.Position(solution)
    assert position.payoffs == payoffs
    while not position.over:
        move = position.advice().action if position.actions else position.outcomes[-1]
        position = position.play(move)
    for player, paid in enumerate(position.returns):
        support = laws.returns[player].support
        assert np.abs(support - float(paid)).min() < 1e-12


def test_a_solution_is_a_policy_and_loses_nothing(solution: Any) -> None:
    players = len(payoffs_of(solution))
    for player in range(players):
        result = play.regret(solution, solution, player)
        assert 0 <= result.loss <= 1e-12 + result.error
        response: Any = play.best_response(solution, solution, player)
        assert abs(response.gain) <= 1e-12 + 2 * response.solution.error
    general: Any = play.evaluate(solution).explored
    game = getattr(general, "game", general)
    other: Any = play.evaluate(game, [solution] * players)
    assert other.payoffs == pytest.approx([*play.evaluate(solution).payoffs], abs=1e-12)


def test_a_solution_is_written_and_drawn(solution: Any, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    interop.to_table(solution, tmp_path / "table.npz")
    read: Any = interop.from_table(tmp_path / "table.npz")
    payoffs = [float(x) for x in payoffs_of(solution)]
    assert [float(x) for x in read.payoffs] == pytest.approx(payoffs, abs=1e-12)
    axes = plots.plot_tree(solution, max_states=1000)
    assert axes.get_title().startswith(f"{len(read.values)} states, worth ")


def test_a_solution_by_a_kernel_is_one_of_the_game() -> None:
    """Of red/black also with another deck: its state says what to do."""
    game, large = redblack.game(4, 3), redblack.solve(9, 8)
    value = redblack.value(4, 3)
    for policy in (large, redblack.solve(4, 3), "optimal", exact.solve(game)):
        assert play.evaluate(game, policy).value == pytest.approx(value, abs=1e-14)
    assert redblack.value(4, 3, policy=redblack.solve(4, 3)) == pytest.approx(value)
    first: Any = play.evaluate(game, redblack.StopAt(1)).value
    assert first == redblack.value(4, 3, policy=redblack.StopAt(1))
    assert first == play.evaluate(redblack.solve(4, 3), redblack.StopAt(1)).value


@pytest.mark.parametrize(
    ("game", "policy"),
    [
        (redblack.game(2, 2), cardrow.solve([1, 5, 2])),
        (redblack.game(2, 2), pairs.solve(LITTLE)),
        (cardrow.game([1, 5, 2]), redblack.solve(2, 2)),
        (explore(cardrow.game([1, 5, 2])), redblack.solve(2, 2)),
        (pairs.game(LITTLE), redblack.solve(2, 2)),
        (Deck(2, 2), exact.solve(Cards(2, 1))),
    ],
)
def test_a_policy_of_another_game_is_refused(game: Any, policy: Any) -> None:
    with pytest.raises((ValueError, KeyError)) as caught:
        play.evaluate(game, policy)
    words = "must have an action for every state|must be a solution of the deck|cannot"
    assert re.search(words, str(caught.value))


@pytest.mark.parametrize("call", [play.evaluate, play.distribution, play.simulate])
def test_a_game_has_no_policy_of_its_own(call: Any) -> None:
    for game in (TWO_WAYS, Deck(2, 2), explore(Deck(2, 2))):
        type_error("policies must be given for a game, which has", call, game)


def test_names_are_checked() -> None:
    type_error("state must be a typing.NamedTuple, got [", Names, ["red", "black"])
    type_error("actions must be a sequence, a word a code", Names, Moment, "stop")
    value_error("actions must be distinct", Names, Moment, ("", "stop", "stop"))
    for words, state, columns in (
        ("got 'Moment'", Moment, {"Moment": "abc"}),
        ("columns must be of fields", None, {"moment": ("ask",)}),
        ("columns['moment'] must", Moment, {"moment": ("a", "a")}),
    ):
        value_error(words, Names, state, None, columns)


@pytest.mark.parametrize("call", [explore, exact.solve, check])
def test_names_are_those_of_the_game(call: Any) -> None:
    game: Any = Cards(2, 2)
    game.names = Names(Digits)
    call(game)
    for words, names in (
        ("a field for each", Names(NamedTuple("Two", [("red", int), ("black", int)]))),
        ("hold codes of actions from 0 to 1", Names(Moment, ("", "stop"))),
        ("codes of 'moment' from 0 to 1", Names(Moment, None, {"moment": ("a", "b")})),
    ):
        game.names = names
        game_error(words, call, game)


def test_tables_keep_names(tmp_path: Path) -> None:
    solution = exact.solve(Deck(3, 3))
    interop.to_table(solution, tmp_path / "deck.npz")
    result = interop.from_table(tmp_path / "deck.npz")
    assert (result == solution, hash(result)) == (True, hash(solution))
    assert result.values[3, 3] == result.values[Moment(3, 3)] == solution.value
    assert pickle.loads(pickle.dumps(result)) == solution
    for game, policy in ((result, solution), (solution, result)):
        assert play.evaluate(game, policy, backend="exact").value == solution.value


def test_solutions_of_other_actions_differ() -> None:
    """Their arrays are the same, but not what the codes stand for."""
    one, other = (exact.solve(kind(3, 3)) for kind in (Deck, Cards))
    assert one == exact.solve(Deck(3, 3))
    assert one != other
    game = Deck(3, 3)
    game.names = Names(Moment, ("", "go", "wait"), Deck.names.columns)
    assert one != exact.solve(game)


def test_a_solution_of_many_variants_is_no_policy() -> None:
    explored: Any = explore(Cards(2, 2))
    many = explored.with_returns(lambda ends: np.zeros((2, len(ends), 1)))
    for policy in (diagonal.solve(many), diagonal.solve(many).policy):
        with pytest.raises(ValueError, match=r"^policies must be of one variant, got"):
            play.evaluate(explored, policy)


def test_large_weights_do_not_wrap() -> None:
    half = np.uint64(2**63)
    law = {"stop": Fraction(1, 2), "draw": Fraction(1, 2)}
    right = play.evaluate(Deck(3, 2), lambda _: law, backend="exact").value

    def rows(states: Any) -> Any:
        index = np.repeat(np.arange(len(states)), 8)
        codes = np.tile([1, 1, 1, 1, 2, 2, 2, 2], len(states))
        return index, codes, np.full(len(index), 2**62)

    result = play.evaluate(Cards(3, 2), rows, backend="exact").value
    assert result == right
    many = play.evaluate(
        Deck(3, 2),
        lambda s: {
            "stop": np.full(len(s.red), half),
            "draw": np.full(len(s.red), half),
        },
        backend="exact",
    )
    assert many.value == right
    half_floats = play.evaluate(
        Deck(3, 2),
        lambda s: {"stop": np.full(len(s.red), 0.5, np.float16), "draw": 0.5},
    )
    assert half_floats.value == pytest.approx(float(right))


def test_exact_policies_of_fields_do_not_wrap() -> None:
    def grown(state: Any) -> Any:
        stop = (1 + 1999**state.red) / Fraction(7)
        return {"draw": 1 + 2000**state.red, "stop": stop}

    game = Deck(6, 2)
    each = {state: grown(state) for state in exact.solve(game).policy}
    mine, its = (play.evaluate(game, x, backend="exact").value for x in (grown, each))
    assert mine == its
