"""Games that come back to a state, in float64: against all policies in Fractions."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from cardgames_dp import diagonal, exact, play
from cardgames_dp._graph.policy_iteration import Guess, Local
from cardgames_dp.game import GameError
from tests import stationary
from tests.games import cyclic_games, paying_cycles
from tests.returning import Pig, brute, returning
from tests.written import Paying, Table


def check(game: Table) -> None:
    """Compare all values, errors and actions with those of the oracle."""
    expected = brute(game)
    if expected is None:
        with pytest.raises(GameError, match=r"^every play must end, but .*a cycle of"):
            diagonal.solve(game)
        return
    values, best = expected
    solution = diagonal.solve(game)
    assert set(solution.values) <= set(values)
    for state, found in solution.values.items():
        for mine, right in zip(found, values[state], strict=True):
            assert abs(Fraction(mine) - right) <= solution.error
    for state, actions in solution.optimal_actions.items():
        assert best[state] <= set(actions)
        assert solution.policy[state] in actions
    assert solution.error < 1e-6


@given(returning())
@settings(max_examples=200)
def test_all_policies_tried(game: Table) -> None:
    check(game)


@given(returning(heavy=True))
@settings(max_examples=100)
def test_weights_of_many_digits(game: Table) -> None:
    check(game)


@pytest.mark.parametrize("shift", [1e-3, -1e-3, 1e-9])
def test_a_wrong_guess_is_covered(
    monkeypatch: pytest.MonkeyPatch, shift: float
) -> None:
    """The proof does not care how values and stays were found."""
    right = diagonal.solve(Pig(5))
    honest = Guess.found

    def wrong(guess: Guess) -> Any:
        v, policy = honest(guess)
        return v + shift * np.arange(len(v)) / len(v), policy

    monkeypatch.setattr(Guess, "found", wrong)
    solution = diagonal.solve(Pig(5))
    assert solution.error > abs(shift) / 10
    for state, value in right.values.items():
        assert abs(value[0] - solution.values[state][0]) <= solution.error


@pytest.mark.parametrize("factor", [0.5, 0.0, -1.0, 1e-9])
def test_a_wrong_stay_is_covered(
    monkeypatch: pytest.MonkeyPatch, factor: float
) -> None:
    right, honest = diagonal.solve(Pig(5)), Local.solved

    def wrong(local: Local, policy: Any, given: Any) -> Any:
        found = honest(local, policy, given)
        return found * factor if (given == 1).all() else found

    monkeypatch.setattr(Local, "solved", wrong)
    solution = diagonal.solve(Pig(5))
    assert solution.error >= right.error / 2
    assert solution.value == right.value


@pytest.mark.parametrize("which", ["first", "last"])
def test_a_wrong_policy_is_refused_or_covered(
    monkeypatch: pytest.MonkeyPatch, which: str
) -> None:
    """Holding for ever is refused, as it loses too much, and rolling is not."""
    right, honest = diagonal.solve(Pig(5)), Guess.found

    def wrong(guess: Guess) -> Any:
        v, _ = honest(guess)
        offsets = guess.local.group.offsets
        taken = offsets[:-1] if which == "first" else offsets[1:] - 1
        return v, np.where(guess.local.sign != 0, taken, 0)

    monkeypatch.setattr(Guess, "found", wrong)
    if which == "first":
        with pytest.raises(GameError, match="too hard for float64"):
            diagonal.solve(Pig(5))
        return
    solution = diagonal.solve(Pig(5))
    for state, value in right.values.items():
        assert abs(value[0] - solution.values[state][0]) <= solution.error


def loop(weight: int, **rows: Any) -> Table:
    """Return a game in which chance ends play once in many times."""
    game = {
        0: ("chance", [(weight, 1), (1, "won"), (2, "lost")]),
        1: (0, {"on": 0, "off": "lost"}),
        "won": ("end", [1]),
        "lost": ("end", [0]),
    }
    return Table({**game, **rows})


@pytest.mark.parametrize("weight", [1, 10**6, 10**12])
def test_ends_that_are_rare(weight: int) -> None:
    solution = diagonal.solve(loop(weight))
    assert abs(Fraction(solution.value[0]) - Fraction(1, 3)) <= solution.error
    assert solution.error < 1e-14 * weight
    assert solution.policy[1] == "on"


def test_ends_too_rare_for_floats() -> None:
    message = (
        r"^the 2 states that can come back to 0 are too hard for float64: values w"
    )
    with pytest.raises(GameError, match=message):
        diagonal.solve(loop(10**18))


def pair(*returns: tuple[int, int], mover: int = 1) -> Table:
    """Return a game of two players who can send a coin back and forth, or flip it."""
    heads, tails = returns
    return Table(
        {
            0: (0, {"pass": 1, "flip": 2}),
            1: (mover, {"pass": 0, "flip": 2}),
            2: ("chance", [(1, "heads"), (1, "tails"), (1, 0)]),
            "heads": ("end", heads),
            "tails": ("end", tails),
        },
        num_players=2,
    )


def test_endless_play_that_does_not_matter() -> None:
    """Both could pass for ever, and either can end the game."""
    solution = diagonal.solve(pair((1, -1), (-1, 1)))
    assert solution.value == pytest.approx((0, 0), abs=solution.error)
    assert solution.error < 1e-13
    # All actions tie, and the first ones would never end.
    assert solution.optimal_actions[0] == ("pass", "flip")
    assert solution.policy == {0: "flip", 1: "flip"}
    assert solution.turned_ties == (0, 1)
    assert solution.to_dict()["turned_ties"] == [0, 1]
    last = diagonal.solve(pair((1, -1), (-1, 1)), tie_break="last")
    assert last.policy == solution.policy
    assert last.turned_ties == ()


def test_a_tie_rule_is_asked_once() -> None:
    asked: list[Any] = []

    def passes(state: Any, actions: Any) -> Any:
        asked.append(state)
        return actions[0]

    solution = diagonal.solve(pair((1, -1), (-1, 1)), tie_break=passes)
    assert sorted(asked) == [0, 1]
    assert solution.policy == {0: "flip", 1: "flip"}


def test_nobody_can_end() -> None:
    message = (
        r"^every play must end, but nobody can prevent that one goes on for ever: "
        r"0 -> 1 -> 0 \(a cycle of 2\); drop the move that changes nothing, or charge "
    )
    rows = {0: (0, {"pass": 1, "stay": 0}), 1: (0, {"pass": 0})}
    with pytest.raises(GameError, match=message):
        diagonal.solve(Table(rows))


def test_whoever_ends_loses() -> None:
    """Each can force the end, and what the game is worth depends on endless play."""
    rows: dict[Any, Any] = {
        0: (0, {"pass": 1, "end": "low"}),
        1: (1, {"pass": 0, "end": "high"}),
        "low": ("end", [0, 1]),
        "high": ("end", [1, 0]),
    }
    message = (
        r"^every play must end, but whoever ends this one loses by that: (0|1) -> "
    )
    with pytest.raises(GameError, match=message):
        diagonal.solve(Table(rows, num_players=2))
    rows["low"], rows["high"] = rows["high"], rows["low"]
    solution = diagonal.solve(Table(rows, num_players=2))
    assert [solution.values[state][0] for state in (0, 1)] == [1, 0]


def test_interests_that_are_not_opposed() -> None:
    message = r"^players 0 and 1 both decide .* come back to 0, so .* must be opposed"
    game = pair((1, 1), (-1, 1))
    with pytest.raises(GameError, match=message):
        diagonal.solve(game)
    flips = play.evaluate(game, lambda state: "flip")
    assert flips.value == pytest.approx((0, 1), abs=flips.error)
    response = play.best_response(game, [None, lambda state: "flip"], 0)
    assert response.error < 1e-13


def test_opposed_in_one_component_only() -> None:
    """The sum differs from component to component, and not within one."""
    one, other = pair((3, -1), (0, 2)), pair((1, 4), (5, 0))
    rows: dict[Any, Any] = {"start": ("chance", [(1, (0, 0)), (3, (1, 0))])}
    for number, game in enumerate((one, other)):
        for state, (who, moves) in game.rows.items():
            named: Any = moves
            if who == "chance":
                named = [(w, (number, t)) for w, t in moves]
            elif who != "end":
                named = {a: (number, t) for a, t in moves.items()}
            rows[number, state] = (who, named)
    solution = diagonal.solve(Table(rows, start="start", num_players=2))
    value = Fraction(1, 4) * Fraction(3, 2) + Fraction(3, 4) * 3
    assert solution.value[0] == pytest.approx(float(value), abs=solution.error)
    assert sum(solution.value) == pytest.approx(2 / 4 + 5 * 3 / 4)


def test_three_deciders() -> None:
    rows: dict[Any, Any] = {i: (i, {"on": (i + 1) % 3, "end": 3}) for i in range(3)}
    rows[3] = ("chance", [(1, 4), (1, 0)])
    rows[4] = ("end", [1, 1, 1])
    game = Table(rows, num_players=3)
    with pytest.raises(GameError, match=r"^players 0, 1, 2 all decide .* come back to"):
        diagonal.solve(game)
    assert play.evaluate(game, lambda state: "end").value == pytest.approx((1, 1, 1))
    account = play.simulate(game, lambda state: "end", 100, rng=1, histories=3)
    assert account.mean == (1, 1, 1)


def test_others_follow_the_policy() -> None:
    """The first player alone decides, and what the others get is in doubt in a tie."""
    rows: dict[Any, Any] = {
        0: (0, {"a": 1, "b": 2}),
        1: ("chance", [(1, 0), (1, "x")]),
        2: ("chance", [(1, 0), (2, "y")]),
        "x": ("end", [1, 5, 0]),
        "y": ("end", [1, 7, Fraction(1, 3)]),
    }
    game = Table(rows, num_players=3)
    rules: list[tuple[Any, Any]] = [("first", (5, 0)), ("last", (7, 1 / 3))]
    for rule, others in rules:
        solution = diagonal.solve(game, tie_break=rule)
        assert solution.value == pytest.approx((1, *others), abs=1e-14)
        assert solution.possible_ties == (0,)
        assert 1.99 < solution.error < 20
    rows["y"] = ("end", [2, 7, Fraction(1, 3)])
    solution = diagonal.solve(Table(rows, num_players=3))
    assert solution.value == pytest.approx((2, 7, 1 / 3), abs=solution.error)
    assert solution.error < 1e-13


def test_the_initial_state_comes_first() -> None:
    solution = diagonal.solve(Pig(4))
    assert next(iter(solution.values)) == solution.initial_state == (0, 0, 0, 0, "turn")
    assert diagonal.solve(Pig(4), tie_break="last").value == solution.value


def test_pig() -> None:
    """As solved by others, to 12 digits; holding at nothing is allowed."""
    solution = diagonal.solve(Pig(20))
    assert solution.value[0] == pytest.approx(0.615558549805, abs=1e-12)
    assert solution.error < 1e-12


def test_a_long_chain_of_components() -> None:
    """Errors add up from component to component, and do not multiply."""
    rows: dict[Any, Any] = {400: ("end", [Fraction(1, 3)]), -1: ("end", [0])}
    for i in range(400):
        rows[i] = ("chance", [(97, i), (2, i + 1), (1, -1)])
    solution = diagonal.solve(Table(rows))
    right = Fraction(2, 3) ** 400 / 3
    assert abs(Fraction(solution.value[0]) - right) <= solution.error < 1e-11


def test_a_deep_component() -> None:
    """A walk of 3000 steps, back to the beginning with each false one."""
    size = 3000
    rows: dict[Any, Any] = {
        i: ("chance", [(10**6, i + 1), (1, 0)]) for i in range(size)
    }
    rows[size] = ("end", [1])
    solution = diagonal.solve(Table(rows))
    assert solution.value[0] == 1
    assert solution.error < 1e-12


def test_a_wide_component() -> None:
    """Random successors, for which elimination would fill the memory, are swept."""
    rng = np.random.default_rng(1)
    size = 5000
    rows: dict[Any, Any] = {"won": ("end", [1, 0]), "lost": ("end", [0, 1])}
    after = rng.integers(0, size, (size, 3)).tolist()
    for i, targets in enumerate(after):
        if i % 3:
            rows[i] = (i % 3 - 1, {k: t - t % 3 for k, t in enumerate(targets)})
        else:
            end = "won" if rng.random() < 0.6 else "lost"
            rows[i] = ("chance", [(1, t) for t in (*targets, end)])
    solution = diagonal.solve(Table(rows, num_players=2))
    assert solution.error < 1e-12
    follow = play.evaluate(solution, solution)
    assert follow.value == pytest.approx(solution.value, abs=1e-12)


# A lone player who can go on for ever
# ------------------------------------


def agree(game: Table, **options: Any) -> tuple[Any, Any]:
    """Return the solutions of both backends, which agree within the bound."""
    floats, solution = (each.solve(game, **options) for each in (diagonal, exact))
    for state, value in floats.values.items():
        for x, y in zip(value, solution.values[state], strict=True):
            assert abs(Fraction(x) - y) <= floats.error
    return floats, solution


@given(cyclic_games())
@settings(max_examples=200)
def test_the_best_of_the_policies_that_end(game: Table) -> None:
    best = stationary.best_alone(game, 0)
    if best is None:
        with pytest.raises(GameError, match=r"^every play must end"):
            diagonal.solve(game)
        return
    try:
        solution = diagonal.solve(game)
    except GameError as error:
        assert "too hard for float64" in str(error)  # noqa: PT017
        return
    assert stationary.ends(game, solution.policy)
    for state, value in best.items():
        assert abs(Fraction(solution.values[state][0]) - value) <= solution.error


@given(paying_cycles())
@settings(max_examples=200)
def test_the_best_of_the_policies_that_end_where_moves_pay(game: Paying) -> None:
    """Only where moves that pay sum to nothing may floats refuse what is exact."""
    try:
        expected = exact.solve(game)
    except GameError:
        with pytest.raises(GameError):
            diagonal.solve(game)
        return
    try:
        solution = diagonal.solve(game)
    except GameError as error:
        assert "too hard for float64" in str(error)  # noqa: PT017
        return
    assert stationary.ends(game, solution.policy)
    for state, value in expected.values.items():
        assert abs(Fraction(solution.values[state][0]) - value[0]) <= solution.error


@pytest.mark.parametrize("fee", [0, -1])
def test_a_maze(fee: int) -> None:
    """Anybody could walk round in it; three doors, and the nearest is not the best."""
    size = 12
    rows: dict[Any, Any] = {}
    for x, y in np.ndindex(size, size):
        steps = [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1), (x, y)]
        inside = [s for s in steps if max(s) < size and min(s) >= 0]
        rows[x, y] = (0, {f"{s}": s for s in inside})
    doors = {(0, 3): 1, (size - 1, size - 1): 3, (5, 5): 2}
    for door, worth in doors.items():
        rows[door][1]["out"] = worth
        rows[worth] = ("end", [worth])
    paid = {((0, 0), "(0, 1)"): [fee]}
    floats, solution = agree(Paying(rows, (0, 0), paid=paid))
    assert floats.value == (3,)
    assert floats.error < 1e-12
    assert stationary.ends(Table(rows, (0, 0)), floats.policy)
    assert set(solution.optimal_actions[4, 4]) <= set(floats.optimal_actions[4, 4])


def test_others_of_whom_one_idles() -> None:
    """What they get is that of the exit, and in doubt only where exits tie."""
    rows: dict[Any, Any] = {
        0: (0, {"on": 3, "back": 1, "out": "low"}),
        1: (0, {"back": 0, "roll": 2}),
        2: ("chance", [(1, 1), (2, 0)]),
        3: (0, {"wait": 3, "back": 0, "out": "high"}),
        "low": ("end", [0, 5, 6]),
        "high": ("end", [1, 2, Fraction(1, 3)]),
    }
    floats, solution = agree(Table(rows, num_players=3))
    assert floats.error < 1e-14
    assert floats.policy == solution.policy
    rows["low"] = ("end", [1, 5, 6])
    floats, solution = agree(Table(rows, num_players=3))
    assert floats.value[0] == 1
    assert 3 <= floats.error < 40


def test_idling_that_pays_another() -> None:
    """Not nothing: how long the first player waits matters to the second."""
    rows: dict[Any, Any] = {
        0: (0, {"wait": 0, "out": "end"}),
        "end": ("end", [1, 0]),
    }
    game = Paying(rows, num_players=2, paid={(0, "wait"): [0, 1]})
    assert exact.solve(game).value == (Fraction(1), Fraction(0))
    with pytest.raises(GameError, match="too hard for float64"):
        diagonal.solve(game)


@pytest.mark.parametrize("tiny", [True, False])
def test_sums_that_differ_by_rounding(tiny: bool) -> None:
    share = 0.1 + 0.2 if tiny else 0.3001
    message = "by rounding only: give it" if tiny else "must be opposed"
    with pytest.raises(GameError, match=message):
        diagonal.solve(pair((0.3, 0.7), (share, 0.7)))  # type: ignore[arg-type]
