"""Games of one function, and weights of any kind, in every form of a game."""

import pickle
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from cardgames_dp import diagonal, exact, game, interop, play, plots
from cardgames_dp.game import CHANCE, TERMINAL, GameError, explore, from_function

from .games import Cards, Listed, Table, any_games
from .test_same_answers import answer


def refuses(call: Callable[..., Any], error: Any, words: str, *args: Any) -> Any:
    with pytest.raises(error, match=words) as caught:
        call(*args)
    return caught.value


class Ruled:
    """The rules of a game that is given state by state, as one function."""

    def __init__(self, table: Any) -> None:
        self.table = table

    def __call__(self, state: Any) -> tuple[Any, ...]:
        kind, what = self.table.rows[state]
        if kind == "chance":
            return CHANCE, what
        if kind == "end":
            return TERMINAL, what
        paid = getattr(self.table, "paid", {})
        pays = {a: paid[state, a] for a in what if (state, a) in paid}
        return (kind, what, pays) if pays else (kind, what)


def ruled(table: Any) -> Any:
    return from_function(Ruled(table), table.start, table.num_players)


@given(table=any_games())
def test_one_function_is_the_game_that_a_class_is(table: Any) -> None:
    """Solved and refused alike, also when pickled."""
    one = pickle.loads(pickle.dumps(ruled(table)))
    for solve in (exact.solve, diagonal.solve):
        assert answer(solve, one) == answer(solve, table)


def three_rolls(state: Any) -> tuple[Any, ...]:
    left, face = state
    if face is None:
        return CHANCE, ((1, (left - 1, face)) for face in range(1, 7))
    return (0, {"keep": (0, face), "roll": (left, None)}) if left else (TERMINAL, face)


THREE_ROLLS = from_function(three_rolls, (3, None))


def test_all_that_takes_a_game_takes_one_function() -> None:
    """The state of the start is one that no other state leads to."""
    game.check(THREE_ROLLS, rng=1)
    solution = exact.solve(THREE_ROLLS)
    assert solution.value == Fraction(14, 3)
    assert len(solution) == solution.num_states == 21
    assert play.evaluate(THREE_ROLLS, "random", backend="exact").value == Fraction(7, 2)
    assert play.Position(solution).play((2, 4)).advice().action == "roll"
    assert plots.plot_tree(THREE_ROLLS).texts
    assert exact.solve(interop.from_efg(interop.to_efg(THREE_ROLLS))).value == (
        solution.value
    )
    assert repr(THREE_ROLLS) == "from_function(three_rolls, (3, None), num_players=1)"


def test_rules_are_asked_once_for_each_state() -> None:
    asked: list[Any] = []

    def rules(state: Any) -> tuple[Any, ...]:
        asked.append(state)
        return three_rolls(state)

    explored = explore(from_function(rules, (3, None)))
    assert len(asked) == len(set(asked)) == explored.num_states


def test_what_actions_and_outcomes_pay_is_for_one_player_a_number() -> None:
    def wheel(state: Any) -> tuple[Any, ...]:
        if state == "spin":
            return CHANCE, [(1, "over", 12), (3, "on", -1)]
        if state == "over":
            return TERMINAL, 0
        return 0, {"on": "spin", "stop": "over"}, {"on": Fraction(-1, 2)}

    # One more spin costs 1/2, and is worth (12 + 3 (-1 + worth)) / 4, as nobody stops.
    solution = exact.solve(from_function(wheel, "on"))
    assert solution.value == 7
    assert solution.policy["on"] == "on"


def test_a_member_says_what_an_endless_play_pays_only_if_it_is_given() -> None:
    assert not hasattr(THREE_ROLLS, "endless_returns")
    given = from_function(three_rolls, (3, None), endless_returns=[3])
    assert given.endless_returns == [3]  # type: ignore[attr-defined]
    again: Any = pickle.loads(pickle.dumps(given))
    assert again.endless_returns == [3]


SHAPES = r"rules\('a'\) must return \(player, \{action: state, ...\}\), \(CHANCE, "


SHAPELESS: list[Any] = [
    *(None, {"go": "b"}, [0, {"go": "b"}], (0,), (0, {}, {}, {}), (0, [(1, "b")])),
    *[(player, {"go": "b"}) for player in ("0", 0.0, True, 2, -2, TERMINAL)],
    *[(CHANCE, outcomes) for outcomes in ({"b": 1}, "b", 1)],
    *((CHANCE, [(1, "b")], {}), (TERMINAL, [1, -1], {})),
]


@pytest.mark.parametrize(
    ("returned", "words"),
    [
        *[(wrong, SHAPES) for wrong in SHAPELESS],
        ((0, {"go": "b"}, [1]), "must name payments as {action: payment, ...}, got"),
        ((0, {"go": "b"}, {"to": [1, 2]}), r"pay for its actions \['go'\], got 'to'"),
        ((0, {"go": "b"}, {"go": [1]}), "rules.'a'. for 'go' must hold one number per"),
        ((0, {}), "rules.'a'. must hold at least one action"),
        ((0, {"go": []}), "rules.'a'. for 'go' must give hashable states"),
        ((TERMINAL, [1]), "rules.'a'. must hold one number per player"),
        ((TERMINAL, 1), "rules.'a'. must be a sequence"),
        ((CHANCE, [("b", 1)]), r"the weight comes first: write \(1, 'b'\)"),
    ],
)
def test_what_cannot_be_meant_is_refused_by_state(returned: Any, words: str) -> None:
    wrong: Any = from_function(lambda state: returned, "a", 2)
    for solve in (exact.solve, diagonal.solve):
        error = refuses(solve, (TypeError, GameError), words, wrong)
        assert "'a'" in str(error)


def test_an_error_of_the_function_is_noted_with_its_state() -> None:
    def rules(state: str) -> Any:
        return (0, {"go": "b"}) if state == "a" else 1 / 0

    broken = from_function(rules, "a")
    error = refuses(exact.solve, ZeroDivisionError, "division", broken)
    assert error.__notes__ == ["raised when the game was asked rules('b')"]


def test_wrong_arguments_are_refused() -> None:
    refuses(from_function, TypeError, "rules must be a function", 3, 0)
    refuses(from_function, ValueError, "num_players must be", three_rolls, 0, 0)
    refuses(from_function, TypeError, "start must be hashable", three_rolls, [3])


# Weights
# -------


def spun(weights: Any) -> Any:
    """Return a game of one spin that pays the rank of the outcome."""
    rows: dict[Any, Any] = {i: ("end", [i]) for i in range(len(weights))}
    return Table(rows | {-1: ("chance", [(w, i) for i, w in enumerate(weights)])}, -1)


def listed(weights: Any) -> Any:
    """Return the same for arrays."""
    return Listed(spun(weights), mixed=True)


def forms(weights: Any) -> list[Any]:
    """Return the game in every form."""
    even = [1] * len(weights)
    return [
        spun(weights),
        ruled(spun(weights)),
        listed(weights),
        explore(spun(even)).with_weights(lambda _, i: weights[i]),
        explore(listed(even)).with_weights(lambda _, i: np.array(weights)[i]),
    ]


def mean(weights: Any) -> Fraction:
    exactly = list(map(Fraction, weights))
    return sum((i * w for i, w in enumerate(exactly)), Fraction(0)) / sum(exactly)


KINDS: list[Callable[[list[int]], list[Any]]] = [
    lambda whole: whole,
    lambda whole: [Fraction(w, 7) for w in whole],
    lambda whole: [Decimal(w).scaleb(-3) for w in whole],
    lambda whole: [w if i % 2 else Fraction(w) for i, w in enumerate(whole)],
]
WHOLE = st.lists(st.integers(0, 50), min_size=2, max_size=5).filter(any)


@given(whole=WHOLE, kind=st.sampled_from(KINDS))
def test_exact_weights_of_any_kind(whole: list[int], kind: Any) -> None:
    for one in forms(kind(whole)):
        assert exact.solve(one).value == mean(whole)
        solution = diagonal.solve(one)
        assert abs(Fraction(solution.value) - mean(whole)) <= solution.error


TINY = st.floats(1e-300, 1e-290) | st.floats(0, 1) | st.floats(1, 1e9)


@given(given=st.lists(TINY, min_size=2, max_size=5), scaled=st.booleans())
def test_floats_are_the_binary_fractions_that_they_are(
    given: list[float], scaled: bool
) -> None:
    """Probabilities, or floats of which one is above 1."""
    weights = [*given, 1.5]
    if scaled:
        weights = (np.array(weights) / sum(weights)).tolist()
    for one in forms(weights):
        solution = diagonal.solve(one)
        assert abs(Fraction(solution.value) - mean(weights)) <= solution.error < 1e-13
        refuses(exact.solve, TypeError, r"is not 2/5.*limit_denominator", one)


@pytest.mark.parametrize(
    ("weights", "words"),
    [
        ([0.5, 0.5000001], "floats of at most 1, got the sum 1.0000001"),
        ([1, 0.5], "whose sum is 1, .* got the sum 1.5"),
        ([0.5, -0.5], ">= 0"),
        ([0.5, float("nan")], ">= 0"),
        ([float("inf"), 0.5], ">= 0"),
        ([Fraction(1), Fraction(-1, 2)], ">= 0"),
        ([True, Fraction(1)], "got the weight True of type bool"),
        ([None, 1], "got the weight None"),
        ([0.0, 0.0], "positive sum"),
        ([Fraction(0), 0], "positive sum"),
    ],
)
def test_wrong_weights_are_refused_in_every_form(weights: Any, words: str) -> None:
    for k, _ in enumerate(forms([1, 1])):
        with pytest.raises((TypeError, GameError), match=words):
            diagonal.solve(forms(weights)[k])


def test_weights_as_text_are_refused_in_every_form() -> None:
    text = ["1/6", "5/6"]
    refuses(diagonal.solve, TypeError, r"write Fraction\('1/6'\)$", spun(text))
    refuses(diagonal.solve, TypeError, "give numbers, as by astype", listed(text))
    even = explore(spun([1, 1]))
    refuses(even.with_weights, TypeError, "give numbers, as by", lambda _, i: text[i])


def test_weights_of_variants_are_floats_one_by_one() -> None:
    shares = np.array([[0.25, 0.75], [0.5, 0.5], [3.0, 1.0]])
    for one in (explore(spun([1, 1])), explore(listed([1, 1]))):
        many = one.with_weights(lambda _, i: shares[:, i])
        solution: Any = diagonal.solve(many)
        assert solution.value.tolist() == [0.75, 0.5, 0.25]
        assert not many.at(0).graph.exact_weights


def test_saved_solutions_keep_that_weights_were_floats(tmp_path: Any) -> None:
    interop.to_table(diagonal.solve(spun([0.25, 0.75])), tmp_path / "spun.npz")
    again = interop.from_table(tmp_path / "spun.npz")
    assert again.value == 0.75
    refuses(exact.solve, TypeError, "limit_denominator", again.explored)


# Methods that are never called
# -----------------------------


def test_a_method_that_is_needed_and_missing_is_named() -> None:
    words = r"must have the method chance_outcomes .* asked chance_outcomes\('toss'\)"
    coin: Any = SimpleNamespace(num_players=1, initial_state=lambda: "toss")
    coin.current_player = lambda state: CHANCE if state == "toss" else TERMINAL
    coin.returns = len
    for call in (exact.solve, diagonal.solve, explore, game.check):
        refuses(call, (TypeError, GameError), words, coin)

    deciding: Any = SimpleNamespace(num_players=1)
    deciding.initial_states = lambda: np.zeros(1, int)
    deciding.current_players = deciding.returns = lambda states: 0 * states
    words = "must have the method legal_actions"
    for call in (diagonal.solve, game.check):
        refuses(call, (TypeError, GameError), words, deciding)


# At random
# ---------


@given(table=any_games(), data=st.data())
def test_random_is_every_action_with_equal_chances(table: Any, data: Any) -> None:
    explored = answer(explore, table)
    if isinstance(explored, tuple):
        return
    even = {
        state: dict.fromkeys(explored.legal_actions(state), 1)
        for state in explored.states
        if explored.current_player(state) >= 0
    }
    backend = data.draw(st.sampled_from(["float64", "exact"]))
    for one in (table, explored):
        result = answer(play.evaluate, one, "random", backend=backend)
        assert result == answer(play.evaluate, one, even, backend=backend)


@pytest.mark.parametrize("one", [Cards(3, 2), explore(Cards(3, 2))])
def test_random_in_games_for_arrays(one: Any) -> None:
    def even(states: Any) -> Any:
        index, actions = np.divmod(np.arange(2 * len(states)), 2)
        return index, actions + 1, np.ones(len(index))

    result, expected = (play.evaluate(one, policy).value for policy in ("random", even))
    assert result == expected
    blend = play.mixture({"random": 1, even: 1})
    assert play.evaluate(one, blend).value == pytest.approx(expected)
    assert play.distribution(one, "random").returns[0].mean == pytest.approx(expected)
    assert play.best_response(one, "random", 0).value > expected
    assert play.regret(one, "random").mistakes > 0
    assert play.simulate(one, "random", 10, rng=1).games == 10


# Series
# ------


def test_a_series_of_states_has_a_series_of_entries() -> None:
    pandas = pytest.importorskip("pandas")
    solution = exact.solve(THREE_ROLLS)
    states = pandas.Series([(2, 4), (1, 4)], index=["early", "late"])
    taken = solution.policy(states)
    assert taken.to_dict() == {"early": "roll", "late": "keep"}
    assert solution.values(states)["late"] == 4
    cards = diagonal.solve(Cards(2, 2))
    assert cards.policy(pandas.Series([(1, 2, 0), (2, 1, 0)])).tolist() == [1, 2]
