"""Tables of transitions as games: all forms against policy iteration in Fractions."""

import math
import pickle
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy import sparse

from cardgames_dp import diagonal, exact, game as games, interop, play
from cardgames_dp._interop import transitions as tables

from . import oracles
from .refusals import type_error, value_error

Row = dict[int, tuple[Fraction, Fraction]]
"""Of one action in one state: probabilities and rewards by next state."""


@dataclass
class Process:
    """A process, and what is best in it by policy iteration; state 0 is the end."""

    rows: list[dict[int, Row]]  # by state, then by action
    discount: Fraction
    owner: list[int]

    def worth(self, state: int, action: int, values: list[Fraction]) -> Fraction:
        row = self.rows[state][action].items()
        return sum(
            (p * (r + self.discount * values[t]) for t, (p, r) in row), Fraction(0)
        )

    def of_policy(self, policy: dict[int, int]) -> list[Fraction]:
        """Return the values of a policy, by elimination; the end is worth nothing."""
        system = []
        for s in policy:
            row = self.rows[s][policy[s]]
            nothing = Fraction(0), Fraction(0)
            left = [
                int(s == t) - self.discount * row.get(t, nothing)[0] for t in policy
            ]
            system.append([*left, sum([p * r for p, r in row.values()], Fraction(0))])
        oracles.eliminate(system)
        return [Fraction(0), *[equation[-1] for equation in system]]

    def improved(self, policy: dict[int, int], player: int) -> list[Fraction]:
        """Return the values of the best policies of this player and those after it."""
        while True:
            values = self.of_policy(policy) if player else self.improved(policy, 1)
            before = dict(policy)
            for s in [s for s in policy if self.owner[s] == player]:
                sign = 1 - 2 * player
                worth = {a: sign * self.worth(s, a, values) for a in self.rows[s]}
                if max(worth.values()) > worth[policy[s]]:
                    policy[s] = max(worth, key=worth.__getitem__)
            if policy == before:
                return values

    def solved(self) -> list[Fraction]:
        """Return the values, by the algorithm of Hoffman and Karp."""
        return self.improved(
            {s: min(self.rows[s]) for s in range(1, len(self.rows))}, 0
        )

    def after(self, moves: int) -> list[Fraction]:
        """Return the values with a step limit, by backward induction."""
        values = [Fraction(0)] * len(self.rows)
        for _ in range(moves):
            values = [
                (max, min)[self.owner[s]](self.worth(s, a, values) for a in actions)
                if s
                else Fraction(0)
                for s, actions in enumerate(self.rows)
            ]
        return values


@st.composite
def processes(draw: st.DrawFn) -> Process:
    size, actions = draw(st.sampled_from([(2, 3), (3, 2), (4, 2), (4, 1), (5, 3)]))
    discount = draw(st.sampled_from([Fraction(1), Fraction(9, 10), Fraction(2, 3)]))
    rows: list[dict[int, Row]] = [
        {a: {0: (Fraction(1), Fraction(0))} for a in range(actions)}
    ]
    numbers = st.fractions(-3, 3, max_denominator=4)
    for s in range(1, size):
        legal = draw(st.sets(st.integers(0, actions - 1), min_size=1))
        rows.append({})
        for a in sorted(legal):
            weights = draw(st.lists(st.integers(0, 6), min_size=size, max_size=size))
            weights[0] += discount == 1 or not any(weights)
            even, same = draw(st.booleans()), draw(numbers)
            rows[s][a] = {
                t: (Fraction(w, sum(weights)), same if even else draw(numbers))
                for t, w in enumerate(weights)
                if w
            }
    owners = st.integers(0, draw(st.integers(0, 1)))
    owner = draw(st.lists(owners, min_size=size, max_size=size))
    return Process(rows, discount, owner)


def dense(process: Process, kind: Any) -> tuple[Any, Any]:
    """Return probabilities and rewards of shape (S, A, S); illegal actions pay -inf."""
    size, actions = len(process.rows), len(process.rows[0])
    exact_numbers = kind is Fraction
    shape = size, actions, size
    p = np.full(shape, Fraction(0) if exact_numbers else 0.0)
    r = np.full(shape, -math.inf, dtype=object if exact_numbers else float)
    for s, of in enumerate(process.rows):
        for a, row in of.items():
            r[s, a] = kind(0)
            for t, (chance, paid) in row.items():
                p[s, a, t], r[s, a, t] = kind(chance), kind(paid)
    return p, r


def as_mapping(process: Process, kind: Any) -> tuple[Any, ...]:
    return (
        {
            s: {
                a: [(kind(p), t, kind(r), False) for t, (p, r) in row.items()]
                for a, row in of.items()
            }
            for s, of in enumerate(process.rows)
        },
    )


def by_action(process: Process, kind: Any) -> tuple[Any, ...]:
    return tuple(np.moveaxis(x, 1, 0) for x in dense(process, kind))


def as_matrices(process: Process, _: type) -> tuple[Any, ...]:
    p, r = by_action(process, float)
    return [sparse.csr_array(x) for x in p], [sparse.csr_matrix(x) for x in r]


FORMS: dict[str, Callable[..., Any]] = {
    "mapping": as_mapping,
    "states first": dense,
    "actions first": by_action,
    "matrices": as_matrices,
}


def made(process: Process, form: str, kind: Any = float, **more: Any) -> Any:
    """Return the game of a process in one of the forms."""
    axis = {"states first": 1, "actions first": 0}.get(form)
    more["discount"] = kind(process.discount)
    if any(process.owner):
        more["owner"] = process.owner
    return interop.from_transitions(
        *FORMS[form](process, kind),
        action_axis=axis,
        **more,
    )


@pytest.mark.parametrize("form", FORMS)
@settings(max_examples=25)
@given(data=st.data(), kind=st.sampled_from([float, Fraction]))
def test_all_forms_against_policy_iteration(
    form: str, data: st.DataObject, kind: type
) -> None:
    """Floats with small denominators stand for fractions, so the values are equal."""
    process = data.draw(processes())
    game, right = made(process, form, kind), process.solved()
    solution = exact.solve(game)
    values, worth = game.values(solution), game.action_values(solution)
    assert values.tolist() == right
    assert solution.value == sum(right) / len(right)
    rounded = diagonal.solve(game)
    assert abs(game.values(rounded) - right).max() <= max(rounded.errors.values())
    decided = game.policy(solution)
    for s, actions in enumerate(process.rows):
        loop = all({*row} == {s} and not row[s][1] for row in actions.values())
        assert loop == (decided[s] == -1)
        for a in () if loop else range(game.num_actions):
            here = process.worth(s, a, right) if a in actions else None
            assert worth[s, a] == here
        assert loop or worth[s, decided[s]] == right[s]


@settings(max_examples=40)
@given(processes(), st.integers(1, 5), st.data())
def test_a_horizon_against_backward_induction(
    process: Process, horizon: int, data: st.DataObject
) -> None:
    start = data.draw(st.none() | st.integers(0, len(process.rows) - 1))
    form = data.draw(st.sampled_from([*FORMS]))
    game = made(process, form, horizon=horizon, start=start)
    solution = exact.solve(game)
    right = process.after(horizon)
    begin = sum(right) / len(right) if start is None else right[start]
    assert solution.value == begin
    for left in range(1, horizon + 1):
        values = game.values(solution, left)
        reached = values != np.array(None)
        assert reached.any() or start == 0 or left < horizon
        assert (values == process.after(left))[reached].all()
    rounded: Any = diagonal.solve(game)
    assert abs(Fraction(rounded.value) - begin) <= rounded.error


def test_what_is_told_of_a_discount() -> None:
    """A play of one move a time stops with the rest of the probability."""
    rows = {0: {0: [(1, 0, 1, False)]}}
    game = interop.from_transitions(rows, discount=0.75, start=0)
    limited = replace(game, horizon=3)
    assert "lengths are those of games that may stop" in str(game)
    assert "discount=Fraction(3, 4)" in repr(game)
    assert exact.solve(game).value == 4
    assert pickle.loads(pickle.dumps(game)) == game
    paid = play.distribution(exact.solve(limited)).returns[0]
    assert paid.to_dict() == {1: 0.25, 2: 0.1875, 3: 0.5625}


@pytest.mark.parametrize("never", [math.nan, -math.inf])
def test_outcomes_of_probability_0_change_nothing(never: float) -> None:
    outcomes = [(0, 0, never, True), (0.5, 1, 7, True), (0.5, 1, -2, True)]
    game = interop.from_transitions({0: {0: outcomes}}, start=0)
    assert exact.solve(game).value == Fraction(5, 2)


@pytest.mark.parametrize("shape", [(3,), (3, 2), (2, 3, 3)])
def test_all_shapes_of_rewards(shape: tuple[int, ...]) -> None:
    """What is paid in a state, for an action, or for a move; illegal where it is."""
    p = np.zeros((2, 3, 3))
    p[0, :, 2] = p[1, :, 1] = 1
    p[:, 2] = [0, 0, 1]
    paid = {(3,): [5, 1, 0], (3, 2): [[5, 5], [1, 1], [0, 0]]}
    r = np.array(paid.get(shape, [[[5] * 3, [1] * 3, [0] * 3]] * 2), dtype=float)
    game = interop.from_transitions(p, r, 0.5, start=0)
    assert exact.solve(game).value == 6
    if len(shape) > 1:  # to stay in state 1 makes no difference; to go there is best
        illegal = r.copy()
        illegal[(0, 1) if len(shape) == 2 else (1, 0)] = -math.inf
        closed = interop.from_transitions(p, illegal, 0.5, start=0)
        assert exact.solve(closed).value == 5


# Dense tables
# ------------


@pytest.mark.parametrize("special", [False, True])
@pytest.mark.parametrize(
    ("discount", "share", "start", "axis", "most"),
    [
        (0.5, 1, None, 1, 10**6),
        (0.9, 0.4, 7, 0, None),
        (0.99, 0.4, "row", 1, 10**6),
        (0.999, 1, "rows", 0, 10**6),
    ],
)
def test_dense_tables_against_the_moves_of_their_game(
    discount: float, share: float, start: Any, axis: int, most: Any, special: bool
) -> None:
    """Explored games have no faster way; `special` are ends, and illegal actions."""
    seed = round(100 * share) + special
    rng, size = np.random.default_rng(seed), 150
    p = rng.random((size, 3, size)) * (rng.random((size, 3, size)) < share)
    p[..., 0] += 0.01
    r = rng.integers(-3, 4, (size, 3)) / rng.choice([1, 3, 7])
    if special:
        p[3], r[3] = np.eye(size)[3], 0
        p[5:9, 1], r[5, 0] = np.eye(size)[[3, 4, 5, 6]], -math.inf
        p[size - 2] = np.full(size, 1 / 8) * (np.arange(size) < 8)
        p[size - 1, 2], r[size - 1, 2] = 0, -math.inf
    p /= np.maximum(p.sum(axis=2, keepdims=True), 0.1)
    chances = {"row": np.eye(size)[4], "rows": np.eye(size)[[3, 4]].mean(axis=0)}
    game = interop.from_transitions(
        np.moveaxis(p, 1, axis),
        r,
        discount,
        start=chances.get(start, start),
        action_axis=axis,
        max_denominator=most,
    )
    p[:] = 0  # the game has a copy
    quick, general = diagonal.solve(game), diagonal.solve(games.explore(game))
    assert repr(quick) != repr(general)
    explored = general.explored
    states = explored.states_at(np.arange(explored.num_states))
    apart = abs(quick.values(states) - general.values(states))
    assert (apart <= quick.errors(states) + general.errors(states)).all()
    assert quick.error <= 1e-8 * (1 + abs(quick.values(states)).max())
    every = np.arange(-2, len(game._movers) + 2)
    for told in (
        lambda solution: solution._source.reaches(every),
        game.policy,
        lambda solution: game.values(solution) > -1e9,
    ):
        np.testing.assert_array_equal(told(quick), told(general))
    np.testing.assert_allclose(
        game.action_values(quick),
        game.action_values(general),
        atol=2 * apart.max() + 1e-9,
    )
    assert pickle.loads(pickle.dumps(quick)) == quick == diagonal.solve(game)
    assert set(game.policy(diagonal.solve(game, tie_break="last"))) <= {-1, 0, 1, 2}


def test_a_dense_table_with_ties_and_a_hard_discount() -> None:
    """Both actions are the same; where plays hardly ever stop, moves prove more."""
    size = 260
    p = np.full((size, 2, size), 1 / size)
    game = interop.from_transitions(p, np.arange(size), 0.99)
    first, last = (diagonal.solve(game, tie_break=rule) for rule in ("first", "last"))
    assert set(game.policy(first)) == {0}
    assert set(game.policy(last)) == {1}
    assert first.value == pytest.approx(100 * (size - 1) / 2, abs=first.error)
    assert first.optimal_actions[3] == (0, 1)
    printed = str(first)
    assert "3      12823.5  0, 1 (tie?)" in printed
    assert printed.endswith("the first 20 of 260 states shown)")
    assert "arrays" not in first._source._cache, "a table is printed without a graph"
    third = np.full((150, 3, 150), 1 / 150)
    hard = diagonal.solve(interop.from_transitions(third, np.arange(150), 1 - 1e-6))
    assert hard.num_states == 602
    assert "num_states" in repr(hard)


# Numbers
# -------


@given(st.fractions(-50, 50, max_denominator=10**6), st.integers(-1, 1))
def test_floats_stand_for_simple_fractions(number: Fraction, ulps: int) -> None:
    near = float(number)
    if abs(near) <= 1:
        near += ulps * math.ulp(near) * (near != 0)
    assert tables.fractions_of([near], 10**6) == [number]
    assert tables.fractions_of([near], 0) == [Fraction(near)]


@given(st.floats(allow_nan=False, allow_infinity=False), st.integers(1, 10**7))
def test_what_a_float_stands_for_is_near(number: float, most: int) -> None:
    (exact_number,) = tables.fractions_of([number], most)
    away = abs(exact_number - Fraction(number))
    assert away <= max(Fraction(1e-15), Fraction(math.ulp(number)))
    assert exact_number == Fraction(number) or exact_number.denominator <= most
    assert (exact_number == 0) is (number == 0)


@given(st.lists(st.floats(1e-6, 1), min_size=1, max_size=6))
def test_other_rows_are_binary_fractions_over_their_sum(row: list[float]) -> None:
    total = math.fsum(row)
    probabilities = [x / total for x in row]
    weights = tables.weights_of(np.array(probabilities), np.zeros(1, int), 10**6)
    simple = tables.fractions_of(probabilities, 10**6)
    right = simple if sum(simple) == 1 else list(map(Fraction, probabilities))
    assert [Fraction(w, sum(weights)) for w in weights] == [
        x / sum(right) for x in right
    ]


def test_many_denominators_of_one_row() -> None:
    """Their common denominator has more than 64 bits, and is what they sum to."""
    primes = [999_983, 999_979, 999_961, 999_959]
    row = [Fraction(k, 4 * p) for p in primes for k in (1, p - 1)]
    floats = np.array(row, dtype=float)
    weights = tables.weights_of(floats, np.zeros(1, int), 10**7)
    assert [Fraction(w, sum(weights)) for w in weights] == row


@pytest.mark.parametrize(
    ("least", "most"),
    [(0.5, 2**53 + 1), (-1, 2**64 - 1), (np.float32(0.5), Fraction(10, 3))],
)
def test_rewards_of_several_types_are_what_they_are(least: Any, most: Any) -> None:
    """Also integers that no float is, beside floats."""
    rows = {0: {0: [(1, 0, least, True)], 1: [(1, 0, most, True)]}}
    assert exact.solve(interop.from_transitions(rows, start=0)).value == most


def test_exact_probabilities_are_what_they_are() -> None:
    """Also one that rounds to 0."""
    tiny = Fraction(1, 10**400)
    rows = {0: {0: [(tiny, 0, 0, False), (1 - tiny, 1, 1, True)]}}
    assert exact.solve(interop.from_transitions(rows, start=0)).value == 1
    once = interop.from_transitions(rows, start=0, horizon=1)
    assert exact.solve(once).value == 1 - tiny


# States that cannot be reached, and results by number
# ----------------------------------------------------

CORRIDOR = {
    s: {0: [(1, max(s - 1, 0), -2, False)], 1: [(1, s + 1, 1, s == 2)]}
    for s in range(3)
}


def test_only_what_can_be_reached() -> None:
    game = interop.from_transitions({**CORRIDOR, 4: {0: [(1, 0, 0, False)]}}, start=1)
    explored = games.explore(game)
    solution = diagonal.solve(explored)
    assert (game.num_states, explored.num_states) == (5, 4)
    np.testing.assert_array_equal(game.values(solution), [3, 2, 1, np.nan, np.nan])
    assert game.policy(solution).tolist() == [1, 1, 1, -1, -1]
    np.testing.assert_array_equal(
        game.action_values(solution)[:3], [[1, 3], [1, 2], [0, 1]]
    )
    assert solution.values[1] == 2
    assert solution.policy[0] == 1


def test_a_discount_of_hardly_anything() -> None:
    """Its denominator has more than 64 bits."""
    rows = {0: {0: [(1, 0, 1, False)]}}
    game = interop.from_transitions(rows, discount=5e-324)
    assert exact.solve(game).value == 1 / (1 - Fraction(5e-324))


def test_chance_before_the_first_state() -> None:
    start = [0.25, 0, 0.75, 0]
    game = interop.from_transitions(CORRIDOR, start=start)
    assert exact.solve(game).value == Fraction(3, 2)
    limited = interop.from_transitions(CORRIDOR, start=start, horizon=2)
    solution = exact.solve(limited)
    assert solution.value == Fraction(5, 4)
    assert limited.values(solution, 2).tolist() == [2, None, 1, None]
    assert limited.values(solution, 1).tolist() == [1, 1, None, None]
    assert solution.values[0, 2] == 2


# What is refused
# ---------------

P = np.array([[[0.5, 0.5, 0], [0, 0, 1], [0, 0, 1]], [[1, 0, 0], [0, 1, 0], [0, 0, 1]]])
R = np.array([[1.0, 2], [3, 4], [0, 0]])
LOOP = {0: {0: [(1, 0, 1, False)]}}


def changed(array: Any, where: Any, number: Any) -> Any:
    new = array.copy()
    new[where] = number
    return new


class Environment:
    unwrapped = None


OUTCOMES: list[tuple[Any, str]] = [
    ((1, 0, 1), r"must be a list of \(probability, next"),
    ((1, -1, 0, True), "a next state of .* must be an integer >= 0 .*, got -1"),
    ((0, 0, 0, True), "sum of 0 for action 0 in state 0; an action that"),
    ((1, 1, 0, False), "state 1 must have an action, as action 0 in state 0"),
    ((1, 0, math.inf, True), "rewards must be finite.*inf for action 0 in"),
    (("x", 0, 0, True), "probabilities must be a finite int"),
    ((1, 0, 10**400, True), "rewards must be numbers that fit in a float"),
    ((1, 0, 0, "no"), "done of transitions must be a bool, got 'no'"),
    ((1, 10**12, 0, True), "a next state .* and below 2.*31, got 1"),
]
END = [(1, 0, 0, True)]
EYE = sparse.eye_array(3)

REFUSED: list[tuple[tuple[Any, ...], dict[str, Any], str]] = [
    *[(({0: {0: [outcome]}},), {}, words) for outcome, words in OUTCOMES],
    ((Environment(),), {}, "transitions must be the table of an env.*unwrapped.P"),
    ((LOOP, R), {}, "rewards and action_axis must not be given with a mapping"),
    (({0: [(1, 0, 1, False)]},), {}, r"must be a list of \(probability, next"),
    (({},), {}, "must be a list of"),
    (({0: {0: []}, 1: {0: END}},), {}, "sum of 0 for action 0 in state 0"),
    (({0: {"up": END}},), {}, "an action of transitions must be an integer .* 'up'"),
    (({(0, 0): {0: END}, (0,): {0: END}},), {}, r"a state of transitions .*\(0, 0\)"),
    (({0: {0: END, 3: [(0.9, *END[0][1:])]}},), {}, "0.9 for action 3 in state 0"),
    (({0: {10**12: END}},), {}, "an action .* and below 2.*31, got 1"),
    ((R, P, 0.9), {}, "shape .*, and rewards come second, got .3, 2"),
    ((P[0],), {}, r"shape \(actions, states, states\) or .*, got \(3, 3\)"),
    ((np.ones((2, 3, 4)),), {}, r"must have the shape .*, got \(2, 3, 4\)"),
    ((P[:, :2, :2],), {}, "as many actions as states, 2: give action_axis=0"),
    ((P,), {"action_axis": 1}, r"shape \(states, actions, states\), got \(2, 3, 3\)"),
    ((P,), {"action_axis": 2}, "action_axis must be 0, 1 or None, got 2"),
    ((P, R.T), {}, r"rewards must have the shape .*got \(2, 3\); transpose them"),
    ((P, R[:, 0:1]), {}, r"have the shape \(3,\), \(3, 2\) or \(2, 3, 3\)"),
    ((P, "none"), {}, "rewards must "),
    ((changed(P, (1, 2), 0), R), {}, "sum of 0 for action 1 in state 2; an action"),
    ((changed(P, (0, 0, 0), 0.5 + 1e-8), R), {}, "1.00000001 for action 0 in state 0"),
    ((changed(P, (0, 0, 0), -0.5), R), {}, r">= 0, got .*-0\.5.* for action 0 in st"),
    ((changed(P, (0, 0, 0), math.nan), R), {}, "got .*nan.* for action 0 in state 0"),
    ((P, changed(R, (1, 0), math.nan)), {}, "must be finite.*action 0 in state 1"),
    ((P, changed(R, 1, -math.inf)), {}, "state 1 must have an action, as action 0"),
    (([EYE, np.eye(3)],), {}, "must be sparse matrices of one shape"),
    (([sparse.csr_array((0, 0))],), {}, "must be sparse matrices of one shape"),
    (([EYE, sparse.eye_array(2)],), {}, "must be sparse matrices of one"),
    (([EYE], [sparse.eye_array(2)]), {}, "rewards must be 1 matrices of 3"),
    ((EYE,), {}, "must be numbers in a mapping, an array or sparse"),
    ((P, [[1, 2], [3]]), {}, "rewards must be numbers in an array"),
    ((P, R - math.inf), {}, "rewards must not be -inf everywhere"),
    ((np.ma.masked_equal(P, 1), R), {}, "transitions must .*got masked entries"),
    ((P, np.ma.masked_equal(R, 1)), {}, "rewards must .*got masked entries"),
    ((P, R), {"action_axis": 0.0}, "action_axis must be 0, 1 or None, got 0.0"),
    ((P, R), {"start": np.array([1, "a", 0], dtype=object)}, "start must be a finite"),
    ((LOOP,), {}, "play must end, but no move ends it"),
    ((LOOP, None, 0), {}, "discount must be above 0 and at most 1, got 0"),
    ((LOOP, None, 1.01), {}, "discount must be above 0 and at most 1, got 1.01"),
    ((LOOP, None, "0.9"), {}, "discount must be a finite int"),
    ((LOOP,), {"horizon": 0}, "horizon must be an integer >= 1, got 0"),
    ((P, R), {"start": [0.5, 0.5]}, "start must be a state, or a probability for"),
    ((P, R), {"start": 3}, "start must be below the number of states, 3, got 3"),
    ((P, R), {"start": [0.5, 0.4, 0]}, "sum of 0.9 for start"),
    ((P, R), {"start": [1.5, -0.5, 0]}, "start must hold probabilities"),
    ((P, R), {"owner": [0, 1]}, "owner must be 0 or 1 for each of the 3 states"),
    ((P, R), {"owner": [0, 1, 2]}, "owner must be 0 or 1 for each of the 3 states"),
    ((P, R), {"horizon": 10**12}, "horizon must be at most 10000000, got 10"),
    ((P, R), {"max_denominator": 0}, "max_denominator must be an integer >= 1"),
    ((P, R), {"max_denominator": 10**8}, "max_denominator must be .*or give None"),
]


DENSE = np.full((150, 2, 150), 1 / 150), np.ones((150, 2))
REFUSED += [
    ((changed(DENSE[0], (3, 1, 4), wrong), DENSE[1], 0.9), {}, "action 1 in state 3")
    for wrong in (math.nan, math.inf, -0.1, 0.1)
]
REFUSED += [
    ((DENSE[0], changed(DENSE[1], (3, 1), wrong), 0.9), {}, "action 1 in state 3")
    for wrong in (math.nan, math.inf)
]
REFUSED += [
    ((DENSE[0], changed(DENSE[1], 3, -math.inf), 0.9), {}, "state 3 must have an"),
    ((DENSE[0], 5.0, 0.9), {}, "rewards must have the shape"),
    ((DENSE[0], np.ma.masked_equal(DENSE[1], 1), 0.9), {}, "got masked entries"),
    ((*DENSE, 0.9), {"start": 150}, "start must be below the number of states, 150"),
]


@pytest.mark.parametrize(("given", "more", "words"), REFUSED)
def test_refusals(given: tuple[Any, ...], more: dict[str, Any], words: str) -> None:
    with pytest.raises((TypeError, ValueError), match=words):
        interop.from_transitions(*given, **more)


def test_what_is_asked_of_another_solution() -> None:
    game = interop.from_transitions(CORRIDOR, start=0)
    solution = exact.solve(game)
    other = exact.solve(interop.from_transitions(CORRIDOR, start=1))
    uniform = exact.solve(game, tie_break="uniform")
    value_error("solution must be one of this game", game.values, other)
    type_error("solution must be a Solution, as solve returns, got 3", game.policy, 3)
    value_error("left must be at most 0, got 2; the", game.action_values, solution, 2)
    value_error("got the tie rule 'uniform'", game.policy, uniform)
