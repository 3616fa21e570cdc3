"""Games for arrays, played: the same as the same games written state by state."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from cardgames_dp import diagonal, exact, play
from cardgames_dp._graph import explored
from cardgames_dp.game import CHANCE, TERMINAL

States = NDArray[Any]
TURNS, GOAL = 4, 7


class Pig:
    """Roll for points until you hold, or a 1 loses them; a state a tuple."""

    num_players = 2

    def initial_state(self) -> Any:
        return 0, TURNS, 0, 0, 0, 0  # rolling, turns left, mover, scores, pot

    def current_player(self, state: Any) -> int:
        rolling, turns, mover, *scores, _ = state
        if turns == 0 or max(scores) >= GOAL:
            return TERMINAL
        return CHANCE if rolling else int(mover)

    def legal_actions(self, state: Any) -> list[int]:
        _, _, mover, *scores, pot = state
        return [0] if scores[mover] + pot >= GOAL else [0, 1]

    def next_state(self, state: Any, action: int) -> Any:
        _, turns, mover, *scores, pot = state
        if action:
            return 1, turns, mover, *scores, pot
        scores[mover] += pot
        return 0, turns - 1, 1 - mover, *scores, 0

    def chance_outcomes(self, state: Any) -> list[tuple[int, Any]]:
        _, turns, mover, *scores, pot = state
        bust = 0, turns - 1, 1 - mover, *scores, 0
        lucky = [(1, (0, turns, mover, *scores, pot + k)) for k in range(2, 7)]
        return [(1, bust), *lucky]

    def returns(self, state: Any) -> list[int]:
        first, second = state[3:5]
        return [1, -1] if first >= GOAL else [-1, 1] if second >= GOAL else [0, 0]


class PigOfArrays:
    """The same, asked of many states at once."""

    num_players = 2

    def __init__(self) -> None:
        self.one = Pig()

    def initial_states(self) -> States:
        return np.array([self.one.initial_state()])

    def current_players(self, states: States) -> States:
        return np.array([self.one.current_player(s) for s in states.tolist()])

    def legal_actions(self, states: States) -> tuple[States, States]:
        rows = [self.one.legal_actions(s) for s in states.tolist()]
        index = np.repeat(np.arange(len(rows)), [len(row) for row in rows])
        return index, np.array([action for row in rows for action in row])

    def next_states(self, states: States, actions: States) -> States:
        pairs = zip(states.tolist(), actions.tolist(), strict=True)
        return np.array([self.one.next_state(s, a) for s, a in pairs])

    def chance_outcomes(self, states: States) -> tuple[States, States, States]:
        rows = [self.one.chance_outcomes(s) for s in states.tolist()]
        after = [state for row in rows for _, state in row]
        return (
            np.repeat(np.arange(len(rows)), 6),
            np.ones(len(after), int),
            np.array(after),
        )

    def returns(self, states: States) -> States:
        return np.array([self.one.returns(s) for s in states.tolist()])


ONE, MANY = explored.explore(Pig()), explored.explore(PigOfArrays())


def hold_at_four(state: Any) -> int:
    return int(state[5] < 4 and state[3 + state[2]] + state[5] < GOAL)


def all_hold_at_four(states: States) -> States:
    return np.array([hold_at_four(state) for state in states.tolist()])


def mixed(state: Any) -> dict[int, Any]:
    legal = Pig().legal_actions(state)
    return {action: Fraction(1 + 2 * action, 4) for action in legal}


def all_mixed(kind: type) -> Callable[[States], tuple[States, States, States]]:
    def mix(states: States) -> tuple[States, States, States]:
        index, actions = PigOfArrays().legal_actions(states)
        order = np.random.default_rng(1).permutation(len(index))
        weights = (1 + 2 * actions).astype(kind) / (4 if kind is float else 1)
        return index[order], actions[order], weights.astype(kind)[order]

    return mix


BEST_ONE, BEST_MANY = diagonal.solve(ONE), diagonal.solve(MANY)
PROFILES: list[tuple[Any, Any]] = [
    (hold_at_four, all_hold_at_four),
    ([hold_at_four, mixed], [all_hold_at_four, all_mixed(int)]),
    ([mixed, BEST_ONE], [all_mixed(float), BEST_MANY]),
    (BEST_ONE, BEST_MANY.policy),
]
profiles = pytest.mark.parametrize(("one", "many"), PROFILES)


@profiles
@pytest.mark.parametrize("name", ["float64", "exact"])
def test_values_are_those_of_the_game_state_by_state(
    one: Any, many: Any, name: Any
) -> None:
    if name == "exact" and isinstance(many, list):
        many = [all_mixed(int) if "mix" in repr(each) else each for each in many]
    found = play.evaluate(MANY, many, backend=name)
    expected = play.evaluate(ONE, one, backend=name)
    values = found.values(np.array(ONE.states)).tolist()
    for state, value in zip(ONE.states, values, strict=True):
        if name == "exact":
            assert tuple(value) == expected.values[state]
        else:
            assert value == pytest.approx(expected.values[state], abs=1e-14)
    assert found.error < 1e-13


@profiles
def test_responses_laws_and_simulations(one: Any, many: Any) -> None:
    for player in (0, 1):
        found = play.best_response(MANY, many, player)
        expected = play.best_response(ONE, one, player)
        assert found.value == pytest.approx(expected.value, abs=1e-14)
        assert found.gain == pytest.approx(expected.gain, abs=1e-14)
        mine = np.array([s for s in ONE.states if Pig().current_player(s) == player])
        policy: Any = found.policy
        assert policy(mine).tolist() == [
            expected.policy[tuple(state)] for state in mine.tolist()
        ]
    outcomes, others = play.distribution(MANY, many), play.distribution(ONE, one)
    for law, other in zip(
        (*outcomes.returns, outcomes.moves),
        (*others.returns, others.moves),
        strict=True,
    ):
        assert law.support.tolist() == other.support.tolist()
        assert law.probabilities == pytest.approx(other.probabilities, abs=1e-14)
    assert isinstance(outcomes.reach, np.ndarray)
    assert "reach" not in outcomes.to_dict()
    account = play.simulate(MANY, many, 4000, rng=1, histories=3)
    for mean, error, law in zip(
        account.mean, account.standard_error, outcomes.returns, strict=True
    ):
        assert abs(mean - float(law.mean)) < 6 * error
    for history in account.histories:
        assert history[0] == (0, TURNS, 0, 0, 0, 0)
        assert {*history} <= {*ONE.states}


def test_a_solution_is_its_own_best_response() -> None:
    response = play.best_response(BEST_MANY, BEST_MANY, 0)
    assert response.value == pytest.approx(BEST_MANY.value, abs=1e-14)
    replied = play.evaluate(BEST_MANY, [response, BEST_MANY])
    assert replied.value == pytest.approx(BEST_MANY.value, abs=1e-14)
    again = play.evaluate(PigOfArrays(), BEST_MANY)  # looked up by state
    assert again.value == pytest.approx(BEST_MANY.value, abs=1e-14)
    assert play.evaluate(MANY, exact.solve(MANY), backend="exact").value == (
        exact.solve(MANY).value
    )


MUST = "the policy of player 0 must give a"
WRONG: list[tuple[Any, type[Exception], str]] = [
    ({}, TypeError, "policies of a game for arrays must be callables of an array"),
    (lambda s: 0, TypeError, f"{MUST}n array of integers of shape"),
    (lambda s: np.zeros(len(s)), TypeError, f"{MUST}n array of integers of shape"),
    (
        lambda s: np.full(len(s), 7),
        ValueError,
        r"must give one of the legal actions \[0, 1\] at state \[0, 4, .* got 7",
    ),
    (lambda s: (np.arange(len(s)), np.zeros(3, int)), TypeError, f"{MUST} mixture as"),
    *(
        (lambda s, n=n: (np.arange(len(s)),) * n, TypeError, f"{MUST} mixture as")
        for n in (1, 2, 4)
    ),
    (
        lambda s: (np.zeros(len(s)), np.zeros(len(s), int), np.ones(len(s))),
        TypeError,
        "index and actions of integers",
    ),
    (
        lambda s: (np.arange(len(s)), np.zeros(len(s), int), np.ones((len(s), 2))),
        TypeError,
        "one action and one weight each",
    ),
    (
        lambda s: (np.arange(len(s)) + 1, np.zeros(len(s), int), np.ones(len(s))),
        ValueError,
        "index from 0 to",
    ),
    (
        lambda s: (np.arange(len(s)), np.full(len(s), 5), np.ones(len(s))),
        ValueError,
        r"one of the legal actions \[0, 1\] at state .* got 5",
    ),
    (
        lambda s: (np.arange(len(s)), np.zeros(len(s), int), np.zeros(len(s))),
        ValueError,
        "with a positive sum for state",
    ),
    (
        lambda s: (np.arange(len(s)), np.zeros(len(s), int), np.full(len(s), np.nan)),
        ValueError,
        "weights finite and >= 0",
    ),
    (
        lambda s: (np.arange(len(s)), np.zeros(len(s), int), np.full(len(s), -1)),
        ValueError,
        "weights finite and >= 0",
    ),
    (
        lambda s: (np.arange(len(s)), np.zeros(len(s), int), np.full(len(s), "1")),
        TypeError,
        "weights of integers or floats",
    ),
]


@pytest.mark.parametrize(("policy", "error", "message"), WRONG)
def test_refusals(policy: Any, error: type[Exception], message: str) -> None:
    for function in (
        play.evaluate,
        play.distribution,
        lambda game, policies: play.simulate(game, policies, 5),
        lambda game, policies: play.best_response(game, [policies, BEST_MANY], 1),
    ):
        with pytest.raises(error, match=message):
            function(MANY, policy)


def test_an_index_beyond_the_states_is_refused_with_their_number() -> None:
    asked = []

    def beyond(states: States) -> tuple[States, States, States]:
        asked.append(len(states))
        return np.arange(len(states)) + 1, np.zeros(len(states), int), states[:, 0]

    with pytest.raises(ValueError, match="index from 0 to") as refused:
        play.evaluate(MANY, beyond)
    assert str(refused.value).endswith(f"index from 0 to {asked[-1] - 1}")


@pytest.mark.parametrize("kind", [int, float])
def test_weights_of_zero(kind: type) -> None:
    def sure(states: States) -> tuple[States, States, States]:
        index, actions = PigOfArrays().legal_actions(states)
        return index, actions, 4 * (actions == all_hold_at_four(states)[index])

    def mix(states: States) -> tuple[States, States, States]:
        index, actions, weights = sure(states)
        return index, actions, weights.astype(kind)

    found = play.evaluate(MANY, mix).value
    assert found == play.evaluate(MANY, all_hold_at_four).value


def test_what_is_not_for_arrays() -> None:
    with pytest.raises(TypeError, match="game must not be one for arrays, as regret"):
        play.regret(MANY, BEST_MANY)  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="weights of integers, got float64"):
        play.evaluate(MANY, all_mixed(float), backend="exact")


def test_float_returns_have_no_exact_law() -> None:
    class Floats(PigOfArrays):
        def returns(self, states: States) -> States:
            return super().returns(states) / 2

    game = Floats()
    assert play.distribution(game, all_hold_at_four).error < 1e-13
    with pytest.raises(TypeError, match=r"^returns must be integers or Fractions"):
        play.distribution(game, all_hold_at_four, backend="exact")


@pytest.mark.parametrize("scale", [1.0, 2.0**-1000, 2.0**900])
def test_float_weights_of_any_size(scale: float) -> None:
    def mix(states: States) -> tuple[States, States, States]:
        index, actions, weights = all_mixed(float)(states)
        return index, actions, weights * np.where(index % 2, scale, 1.0)

    found = play.evaluate(MANY, mix).value
    assert found == pytest.approx(play.evaluate(ONE, mixed).value, abs=1e-14)
