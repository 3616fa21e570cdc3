"""The table of decision states: their moves, and their fields by name."""

import math
import re
from collections import namedtuple
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, strategies as st

from cardgames_dp import cardrow, diagonal, exact, game, pairs, redblack
from cardgames_dp._graph.decisions import States, decisions_of, frame_of, states_of
from cardgames_dp.game import GameError, Names

from .games import Listed, RedBlack, Table, any_games
from .test_named_states import Worded
from .test_solutions import SOLVERS, WORDS


def assert_like_advice(solution: Any) -> None:
    """Compare the table, whole and in parts, with what is said of single states."""
    whole = decisions_of(solution)
    assert [whole.states.state(k) for k in range(len(whole))] == [*solution.policy]
    odd = np.arange(len(whole)) % 2 == 1
    for table in (whole, whole[odd], whole[np.flatnonzero(~odd)[::-1]]):
        assert len(table.rows) == table.offsets[-1]
        for k in range(len(table)):
            advice = solution.advice(table.states.state(k))
            moves = slice(*table.offsets[k : k + 2])
            assert table.rows[moves].tolist() == [k] * len(advice.values)
            actions = [table.names[i] for i in table.actions[moves]]
            assert dict(zip(actions, table.worth[moves], strict=True)) == advice.values
            assert tuple(np.extract(table.best[moves], actions)) == advice.best
            assert table.players[k] == advice.player
            assert table.values[k] == advice.payoffs[advice.player]
            chosen = table.chosen[k]
            assert moves.start <= chosen < moves.stop
            assert table.names[table.actions[chosen]] == advice.action
            alone = advice.margin is None
            assert table.margins[k] == (math.inf if alone else advice.margin)
    said = {state: solution.policy[state] for state in solution.policy}
    assert dict(solution.policy.items()) == said
    assert_like_a_frame(solution)


def assert_like_a_frame(solution: Any) -> None:
    """Compare the columns of all states with what is said of single ones."""
    frame = frame_of(solution)
    assert {len(column) for column in frame.values()} == {len(solution.values)}
    for k, state in enumerate(solution.values):
        row = {name: column[k] for name, column in frame.items()}
        payoffs = [row[f"payoff_{i}"] for i in range(len(solution.payoffs))]
        assert tuple(payoffs) == solution.payoffs_at(state)
        if row["mover"] < 0:
            assert state not in solution.policy
            assert row["action"] is None
            assert row["margin"] is None or math.isnan(row["margin"])
        else:
            advice, margin = solution.advice(state), row["margin"]
            assert row["mover"] == advice.player
            assert row["action"] == solution.policy[state]
            none = margin is None or math.isnan(margin)
            assert (None if none else margin) == advice.margin


@given(
    table=any_games(),
    solve=st.sampled_from(SOLVERS),
    tie_break=WORDS,
    form=st.sampled_from([None, Listed, Worded]),
    rows=st.booleans(),
    mixed=st.booleans(),
)
def test_the_table_says_what_advice_says(
    table: Any, solve: Any, tie_break: Any, form: Any, rows: bool, mixed: bool
) -> None:
    if form is not None:
        table = form(table, rows=rows or form is Worded, mixed=mixed)
    try:
        solution = solve(table, tie_break=tie_break)
    except GameError:
        return
    if solution.policy:
        assert_like_advice(solution)
    else:
        with pytest.raises(ValueError, match="must have a state in which a player"):
            decisions_of(solution)


@pytest.mark.parametrize("backend", ["float64", "exact"])
def test_games_with_a_solver_of_their_own(backend: Any) -> None:
    deck = redblack.solve(4, 3, backend=backend)
    assert_like_advice(deck)
    assert_like_advice(cardrow.solve([3, 1, 4, 1, 5], backend=backend))
    rules = pairs.Rules(deck=2, target=2)
    assert_like_advice(pairs.solve(rules, backend=backend))


def test_many_variants_are_refused() -> None:
    deck = game.explore(redblack.game(2, 2))
    many = deck.with_returns(lambda ends: np.ones((3, len(ends), 1)))
    with pytest.raises(ValueError, match=r"table of decisions is for one variant"):
        decisions_of(diagonal.solve(many))


# Fields
# ------


class Own(NamedTuple):
    score: int
    cards: tuple[int, ...]


class Seat(NamedTuple):
    own: Own
    word: str


@dataclass(frozen=True)
class Open:
    score: int
    word: str


NESTED = States([Seat(Own(k, (k, 9)), "ab"[k % 2]) for k in range(4)], Names())
PAIRS = [(k, k % 2) for k in range(4)]
TITLED = Names(namedtuple("Pair", "score word"), columns={"word": ("a", "b")})
BLOCKS = Names(namedtuple("Block", "own word"), blocks={"own": (2,)})
SCORES, LETTERS = [0, 1, 2, 3], ["a", "b", "a", "b"]
LONE, ARRAY = States(SCORES, Names()), States(np.array(SCORES), Names())


@pytest.mark.parametrize(
    ("states", "score", "word"),
    [
        (NESTED, "own.score", "word"),
        (NESTED, "own.cards.0", lambda s: s.word),
        (States(PAIRS, Names()), 0, lambda s: "ab"[s[1]]),
        (States(PAIRS, TITLED), "score", "word"),
        (States(np.array(PAIRS), TITLED), "score", "word"),
        (States(np.array(PAIRS), TITLED), lambda s: s.score, lambda s: s.word),
        (States(np.array(PAIRS), Names()), 0, lambda s: np.array(["a", "b"])[s[:, 1]]),
        (States(np.array([[8, *each] for each in PAIRS]), BLOCKS), "own.1", None),
        (States(np.array([[*each, 8] for each in PAIRS]), BLOCKS), "own.0", None),
        (States([Open(k, "ab"[k % 2]) for k in range(4)], Names()), "score", "word"),
        (LONE, "state", lambda s: "ab"[s % 2]),
        (ARRAY, "state", lambda s: ["a", "b"] * 2),
        # What takes a single state only is asked about one after the other.
        (States(np.array(PAIRS), TITLED), lambda s: s.score if s.score else 0, "word"),
    ],
)
def test_fields_in_all_forms(states: States, score: Any, word: Any) -> None:
    assert states.column(score, "x").tolist() == SCORES
    few = states[np.array([3, 1])]
    assert few.column(score, "x").tolist() == [3, 1]
    assert states.mask({score: 2}).tolist() == [False, False, True, False]
    assert states.mask({score: range(2)}).tolist() == [True, True, False, False]
    if word is not None:
        assert states.column(word, "x").tolist() == LETTERS
        both = states.mask({score: [0, 1, 2], word: "a"})
        assert both.tolist() == [True, False, True, False]


def test_names_of_actions_and_fields_of_a_plain_game() -> None:
    def rules(state: tuple[int, ...]) -> Any:
        if len(state) == 2:
            return 0, {1: (state[0], 0, 0), 0: (0, 0, state[1])}
        return game.TERMINAL, max(state)

    plain: Any = game.from_function(rules, (2, 3))
    plain.names = Names(namedtuple("Pair", "own other"), ("pass", "take"))
    for solution in (exact.solve(plain), exact.solve(game.explore(plain))):
        table = decisions_of(solution)
        assert (table.names, table.actions.tolist()) == (("take", "pass"), [0, 1])
        assert table.states.fields == ("own", "other")
        assert table.states.column("other", "x").tolist() == [3]
    plain.names = Names(actions=("pass",))
    with pytest.raises(ValueError, match=r"a word for each action of the game, got 1$"):
        decisions_of(exact.solve(plain))
    plain.names = ("own", "other")
    with pytest.raises(TypeError, match=r"^names of a game must be game\.Names, got"):
        game.explore(plain)


def test_kinds_of_numbers() -> None:
    states = States([0, 1], Names())
    assert states.column(lambda s: s > 0, "x").dtype == bool
    assert states.column(lambda s: s + 0.5, "x").dtype == float
    assert states.column(np.int64, "x").dtype == int
    thirds = states.column(lambda s: Fraction(s, 3), "x")
    assert thirds.tolist() == [0, Fraction(1, 3)]


BLOCK = States(np.array([[1, 2, 3]]), BLOCKS)
UNEQUAL = States([(1, 2), (3,)], Names())


@pytest.mark.parametrize(
    ("states", "field", "error", "message"),
    [
        (NESTED, "score", ValueError, "of a state ('own', 'word'), got 'score'"),
        (NESTED, 2, ValueError, "a field of a state ('own', 'word'), got 2"),
        (States(PAIRS, Names()), 2, ValueError, "a field of a state (0, 1), got 2"),
        (States(PAIRS, Names()), True, ValueError, "(0, 1), got True"),
        (NESTED, "own.points", ValueError, "state, got 'own.points', which Seat("),
        (NESTED, "own.cards.7", ValueError, "which Seat(own=Own(score=0"),
        (UNEQUAL, 1, ValueError, "field of every state, got 1, which (3,) lacks"),
        (NESTED, "own", TypeError, "got Own(score=0, cards=(0, 9)) of type Own at S"),
        (BLOCK, "own", TypeError, "of type ndarray at Block(own=(1, 2), word=3)"),
        (LONE, lambda s: None if s == 2 else s, TypeError, "of type NoneType at 2"),
        (ARRAY, lambda s: s * np.nan, TypeError, "got nan of type float at 0"),
    ],
)
def test_what_is_no_field(
    states: States, field: Any, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=re.escape(message)) as raised:
        states.column(field, "x")
    assert str(raised.value).startswith("x must be ")


@pytest.mark.parametrize("states", [LONE, ARRAY])
def test_a_callable_that_raises_is_named_with_the_state(states: States) -> None:
    with pytest.raises(ZeroDivisionError) as raised:
        states.column(lambda state: 1 // int(state), "y")
    assert raised.value.__notes__ == ["raised by y for 0"]


@pytest.mark.parametrize("solve", SOLVERS)
def test_of_uniform_ties_the_first_is_chosen_also_in_a_loop(solve: Any) -> None:
    rows: Any = {0: (0, {"on": 1}), 1: (0, {"back": 0, "end": 2}), 2: ("end", [0])}
    solution = solve(Table(rows), tie_break="uniform")
    assert_like_advice(solution)
    mixed = [{"on": 1}, {"back": 1, "end": 1}]
    assert solution.to_pandas()["action"].tolist()[:2] == mixed


@pytest.mark.parametrize(
    ("states", "columns"),
    [
        (LONE, {"state": list(SCORES)}),
        (ARRAY, {"state": list(SCORES)}),
        (States([(1, None)], Names()), {"state_0": [1], "state_1": [None]}),
        (UNEQUAL, {"state": [(1, 2), (3,)]}),
        (States([1, (3,)], Names()), {"state": [1, (3,)]}),
        (States([(), (3,)], Names()), {"state": [(), (3,)]}),
        (BLOCK, {"own_0": [1], "own_1": [2], "word": [3]}),
    ],
)
def test_columns_of_states(states: States, columns: Any) -> None:
    result = states.columns()
    assert {name: column.tolist() for name, column in result.items()} == columns


def test_a_field_does_not_hide_what_a_frame_says() -> None:
    class Turn(NamedTuple):
        mover: str
        error: int = 0

    def rules(state: Any) -> Any:
        if state.mover == "end":
            return game.TERMINAL, 1
        return 0, {"go": Turn("end")}

    frame = exact.solve(game.from_function(rules, Turn("me"))).to_pandas()
    assert frame["state_mover"].tolist() == ["me", "end"]
    assert frame["mover"].tolist() == [0, -4]
    assert frame["state_error"].tolist() == [0, 0]


def test_a_regret_has_the_fields_of_its_states() -> None:
    deck = exact.solve(RedBlack(2, 2))
    places = np.array([0])
    assert states_of(deck.explored, places).states == [deck.initial_state]
