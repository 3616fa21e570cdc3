"""Short rules: their lines, their price, and all rules of one or two lines."""

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import combinations_with_replacement, product
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, strategies as st
from matplotlib.figure import Figure

from cardgames_dp import diagonal, exact, play, redblack
from cardgames_dp.game import CHANCE, TERMINAL, GameError, explore, from_function

from ..classics.scripts import loaded
from ..games import games

F = Fraction
SOLVERS: Any = [exact.solve, diagonal.solve]


def three_rolls(state: tuple[int, int | None]) -> Any:
    """Roll a die up to three times; keep what it shows."""
    left, face = state
    if face is None:
        return CHANCE, [(1, (left - 1, face)) for face in range(1, 7)]
    if left == 0:
        return TERMINAL, face
    return 0, {"keep": (0, face), "roll": (left, None)}


ROLLS = from_function(three_rolls, (3, None))


def reading(
    rule: Any, features: Mapping[str, Callable[[Any], Any]], legal: Callable[[Any], Any]
) -> Callable[[Any], Any]:
    """Return the policy that somebody follows who reads the lines."""

    def holds(condition: str, state: Any) -> bool:
        expected, condition = (
            not condition.startswith("not "),
            condition[4 * condition.startswith("not ") :],
        )
        if condition in features:
            return bool(features[condition](state)) == expected
        name = next(name for name in features if condition.startswith(name + " "))
        value, text = features[name](state), condition[len(name) + 1 :]
        low, _, high = text.partition(" to ")
        if high:
            return bool(float(low) <= value <= float(high))
        if text.endswith(" or less"):
            return bool(value <= float(text.split()[0]))
        if text.endswith(" or more"):
            return bool(value >= float(text.split()[0]))
        return str(value) in text.split(" or ")

    def act(state: Any) -> Any:
        actions = list(legal(state))
        for line in rule.lines:
            when, _, action = line.removesuffix(".").partition(": ")
            conditions = re.findall(r"(?:If | and )(.+?)(?= and |$)", when)
            if all(holds(each, state) for each in conditions) and action in map(
                str, actions
            ):
                return next(each for each in actions if str(each) == action)
        return actions[0]

    return act


FEATURES: dict[str, Any] = {
    "number": lambda state: state,
    "even": lambda state: state % 2 == 0,
    "kind": lambda state: ("low", "middle", "high")[min(state // 3, 2)],
}


@given(
    game=games(max_states=9, max_moves=3, max_players=2, pays=True)
    | games(max_states=9, max_moves=3, total=1, cycles=True),
    loss=st.sampled_from([0, F(1, 2), 9]),
    names=st.sampled_from([["number"], ["even", "kind"], ["number", "even", "kind"]]),
    solve=st.sampled_from(SOLVERS),
    data=st.data(),
)
def test_a_rule_costs_what_its_lines_cost(
    game: Any, loss: Any, names: list[str], solve: Any, data: Any
) -> None:
    try:
        solution = solve(game)
    except GameError:
        assume(False)
    players = sorted({*solution.explored.graph.players.tolist()} - {CHANCE, TERMINAL})
    assume(players)
    player = data.draw(st.sampled_from(players))
    features = {name: FEATURES[name] for name in names}
    try:
        rule = play.short_rule(solution, features, loss, player=player)
    except ValueError:  # ten lines are too few, or plays may go on for ever
        return
    profile = [solution] * solution.explored.num_players
    profile[player] = reading(rule, features, solution.explored.legal_actions)
    backend: Any = "exact" if solve is exact.solve else "float64"
    read = play.evaluate(solution, profile, backend=backend)
    lost = solution.payoffs[player] - read.payoffs[player]
    assert abs(rule.loss - lost) <= rule.error + read.error + 1e-14 * (
        solve is not exact.solve
    )
    assert rule.loss <= loss * (1 + F(1, 10**9)) + rule.error
    assert len(rule.curve) == len(rule.lines)
    assert rule.curve[-1] == pytest.approx(float(rule.loss), abs=1e-9)
    assert [*rule.curve] == sorted(rule.curve, reverse=True)
    profile[player] = rule
    assert (
        play.evaluate(solution, profile, backend=backend).payoffs
        == rule.solution.payoffs
    )


def all_costs(solution: Any, features: Mapping[str, Any]) -> tuple[Any, Any]:
    """Return the least losses with one line and with two, by all rules there are."""
    states = list(solution.policy)
    actions = sorted({a for s in states for a in solution.explored.legal_actions(s)})
    values = [sorted({f(s) for s in states}) for f in features.values()]
    least: dict[int, Any] = {}
    boxes = product(*[combinations_with_replacement(each, 2) for each in values])
    for box, first, second in product(boxes, actions, actions):

        def act(
            state: Any, box: Any = box, first: Any = first, second: Any = second
        ) -> Any:
            legal = list(solution.explored.legal_actions(state))
            ends = zip(features.values(), box, strict=True)
            inside = all(low <= f(state) <= high for f, (low, high) in ends)
            expected = [*[first] * inside, second, legal[0]]
            return next(action for action in expected if action in legal)

        value = play.evaluate(solution, act, backend="exact").value
        lines = 1 if first == second else 2
        least[lines] = min(least.get(lines, 99), solution.value - value)
    return least[1], min(least.values())


@pytest.mark.parametrize(
    ("game", "features"),
    [
        (ROLLS, {"left": lambda s: s[0], "face": lambda s: s[1]}),
        (redblack.game(3, 2), {"ahead": lambda s: s.black - s.red}),
        (redblack.game(2, 2), {"red": lambda s: s.red, "black": lambda s: s.black}),
    ],
)
def test_the_best_rules_of_one_and_two_lines(game: Any, features: Any) -> None:
    solution = exact.solve(game)
    one, two = all_costs(solution, features)
    assert play.short_rule(solution, features, one).loss == one
    rule = play.short_rule(solution, features, two)
    assert (rule.loss, len(rule.lines)) == (two, 2)


PIGLET = loaded("piglet").Piglet
CASINO = loaded("blackjack").Endless("casino")
HAND: dict[str, Any] = {
    "soft": "player.usable",
    "hand": "player.total",
    "dealer": lambda state: 11 if state.dealer.usable else state.dealer.total,
}
DECK: dict[str, Any] = {
    "ahead": lambda s: s.black - s.red,
    "cards left": lambda s: s.red + s.black,
}
RACE: dict[str, Any] = {"turn": 3, "other": 2, "lead": lambda s: s[1] + s[3] - s[2]}


@pytest.mark.parametrize(
    ("make", "features", "loss", "lines"),
    [
        (lambda: exact.solve(CASINO), HAND, 0, 6),
        (lambda: redblack.solve(26, 26), DECK, 0.0242, 4),
        (lambda: exact.solve(PIGLET(10)), RACE, 0.0104, 2),
        (lambda: diagonal.solve(loaded("pig").Pig(20)), {"turn": 0}, 0.02, 1),
    ],
)
def test_rules_that_fit_on_a_card(
    make: Callable[[], Any], features: Any, loss: Any, lines: int
) -> None:
    rule = play.short_rule(make(), features, loss)
    assert len(rule.lines) <= lines
    assert rule.loss <= loss


def test_a_rule_is_a_policy_everywhere() -> None:
    solution = exact.solve(ROLLS)
    rule: Any = play.short_rule(solution, {"left": 0, "face": 1}, F(1, 10))
    assert rule.lines == ("If face 4 or more: keep.", "Otherwise: roll.")
    assert (rule.loss, rule.error) == (F(1, 24), 0)
    value = F(14, 3) - F(1, 24)
    assert play.evaluate(rule, backend="exact").value == value
    assert play.regret(solution, rule, backend="exact").loss == rule.loss
    assert play.best_response(solution, rule, 0, backend="exact").gain == rule.loss
    assert play.distribution(ROLLS, rule, backend="exact").returns[0].mean == value
    assert play.simulate(solution, rule, 50, rng=1).mean[0] > 3
    mixed = play.mixture([(rule, 1), (solution, 1)])
    assert F(14, 3) > play.evaluate(ROLLS, mixed, backend="exact").value > value
    assert rule.policy[2, 4] == "keep"
    assert play.Position(rule).play((2, 4)).advice().action == "keep"


def test_a_game_for_arrays_has_the_rules_of_its_plain_form() -> None:
    solution = exact.solve(redblack.game(4, 4))
    explored = explore(redblack.game(4, 4))
    names = "num_players initial_state current_player legal_actions next_state"
    names += " chance_outcomes returns"
    methods = {name: getattr(explored, name) for name in names.split()}
    plain = exact.solve(SimpleNamespace(**methods))
    rules: Any = [play.short_rule(each, DECK, 0.05) for each in (solution, plain)]
    assert rules[0].lines == rules[1].lines
    assert rules[0].loss == rules[1].loss
    states = np.array([[1, 3, 0], [4, 4, 0]])
    assert rules[0].policy(states).tolist() == [1, 2]


def test_a_line_for_where_an_action_is_legal() -> None:
    def rules(state: Any) -> Any:
        if state is None:
            return CHANCE, [(1, (face, "")) for face in range(1, 7)]
        face, action = state
        if action:
            return TERMINAL, face * {"pass": 0, "stop": 1, "double": 2}[action]
        actions = ["pass", "stop", "double"][: 2 + face % 2]
        return 0, {action: (face, action) for action in actions}

    solution = exact.solve(from_function(rules, None))
    rule = play.short_rule(solution, {"face": 0}, 0)
    assert rule.lines == ("If you can: double.", "Otherwise: stop.")


def test_a_rule_against_an_opponent() -> None:
    """The best response to a player who always holds with a point."""
    piglet = PIGLET(5)
    timid = lambda s: "hold" if s[3] or s[2] + s[1] >= 5 else "toss"  # noqa: E731
    response = play.best_response(piglet, [None, timid], 0, backend="exact")
    rule = play.short_rule(response, RACE, 1)
    value = play.evaluate(piglet, [rule, timid], backend="exact").value
    assert rule.loss == response.value - value


def test_the_curve_is_drawn() -> None:
    rule = play.short_rule(exact.solve(ROLLS), {"left": 0, "face": 1}, 0)
    ax = rule.plot(Figure().add_subplot())
    points: Any = ax.get_lines()[0].get_xydata()
    assert points.tolist() == [[k, x] for k, x in enumerate(rule.curve, 1)]


SOLVED = exact.solve(ROLLS)


def large(state: int) -> Any:
    """Choose between numbers that fit in no float."""
    return (TERMINAL, 10**400 * state) if state else (0, {"one": 1, "two": 2})


@pytest.mark.parametrize(
    ("change", "error", "words"),
    [
        ({"solution": ROLLS}, TypeError, "solution must be a solution of a game"),
        (
            {"solution": play.evaluate(ROLLS, SOLVED)},
            ValueError,
            "the game must have a state in which a player moves",
        ),
        ({"player": 1}, ValueError, "player must be one who decides .* got 1"),
        ({"player": "first"}, TypeError, "player must be an integer"),
        ({"loss": -1}, ValueError, "loss must be at least 0, got -1"),
        ({"loss": float("nan")}, ValueError, "loss must be a finite"),
        ({"loss": "little"}, TypeError, "loss must be a finite"),
        (
            {"loss": 0, "features": {"left": 0}},
            ValueError,
            r"loss must be at least 1.16667 for the best rule",
        ),
        ({"loss": 0, "seconds": 0}, ValueError, "features must .* in 0 seconds"),
        ({"seconds": -1}, ValueError, "seconds must be a finite"),
        ({"features": {}}, TypeError, "features must be a mapping"),
        ({"features": ["left"]}, TypeError, "features must be a mapping"),
        ({"features": {1: 0, "1": 1}}, TypeError, "features must be a mapping"),
        (
            {"solution": exact.solve(from_function(large, 0))},
            ValueError,
            "values of solution must fit in floats",
        ),
        (
            {"features": {"left": "left"}},
            ValueError,
            r"features\['left'\] must be .* got 'left'",
        ),
        (
            {"features": {"f": lambda s: None}},
            TypeError,
            r"features\['f'\] must be a number or a word .* at \(\d, \d\)",
        ),
        ({"features": {"f": lambda s: 1 / 0}}, ZeroDivisionError, "division by zero"),
    ],
)
def test_bad_input(change: Any, error: type[Exception], words: str) -> None:
    call: dict[str, Any] = {"solution": SOLVED, "features": {"face": 1}, "loss": 1}
    call |= change
    with pytest.raises(error, match=words) as caught:
        play.short_rule(
            call.pop("solution"), call.pop("features"), call.pop("loss"), **call
        )
    if error is ZeroDivisionError:
        assert re.search(r"features\['f'\] for \(\d, \d\)", caught.value.__notes__[0])
    if "for the best rule" in words:
        assert "costs" in caught.value.__notes__[0]


def test_rules_that_never_end_are_refused() -> None:
    """Left and right alternate: who takes only one of them walks into a wall."""

    def walk(state: int) -> Any:
        if state == 4:
            return TERMINAL, 1
        return 0, {"left": state + state % 2, "right": state + 1 - state % 2}

    solution = exact.solve(from_function(walk, 0))
    with pytest.raises(ValueError, match=r"features must allow a rule .* games end"):
        play.short_rule(solution, {"place": "state"}, 0)
