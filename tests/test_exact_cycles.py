"""Exact values of games in which plays come back to a state."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, strategies as st

from cardgames_dp import diagonal, exact
from cardgames_dp._graph import groups
from cardgames_dp.game import CHANCE, TERMINAL, GameError

from . import stationary
from .games import cyclic_games, paying_cycles
from .written import Paying, Table


class Pig:
    """Roll for points until you hold; a 1 loses the turn's points.

    A state is both scores, the turn's points, who is to move, and what comes next. If
    `idle`, a player may hold at nothing, so that both could hold for ever.
    """

    num_players = 2

    def __init__(self, goal: int, faces: range = range(1, 7), idle: bool = False):
        self.goal, self.faces, self.idle = goal, faces, idle

    def initial_state(self) -> Any:
        return 0, 0, 0, 0, "decide"

    def current_player(self, state: Any) -> int:
        return int({"decide": state[3], "roll": CHANCE, "end": TERMINAL}[state[4]])

    def legal_actions(self, state: Any) -> Sequence[str]:
        return ["roll", "hold"] if state[2] or self.idle else ["roll"]

    def next_state(self, state: Any, action: str) -> Any:
        mine, other, points, mover, _ = state
        if action == "roll":
            return mine, other, points, mover, "roll"
        if mine + points >= self.goal:
            return 0, 0, 0, mover, "end"
        return other, mine + points, 0, 1 - mover, "decide"

    def chance_outcomes(self, state: Any) -> list[tuple[int, Any]]:
        mine, other, points, mover, _ = state
        outcomes = [(1, (other, mine, 0, 1 - mover, "decide"))]
        for face in self.faces[1:]:
            got = points + face
            over = mine + got >= self.goal
            after = (0, 0, 0) if over else (mine, other, got)
            outcomes.append((1, (*after, mover, "end" if over else "decide")))
        return outcomes

    def returns(self, state: Any) -> list[int]:
        return [1 - state[3], state[3]]


class Ruin:
    """Stake one unit at a time, with the chance p / (p + q), until all or `goal`."""

    num_players = 1

    def __init__(self, start: int, goal: int, p: int, q: int) -> None:
        self.start, self.goal, self.p, self.q = start, goal, p, q

    def initial_state(self) -> int:
        return self.start

    def current_player(self, state: int) -> int:
        return CHANCE if 0 < state < self.goal else TERMINAL

    def legal_actions(self, state: int) -> Sequence[Any]:
        raise NotImplementedError

    def next_state(self, state: int, action: Any) -> int:
        raise NotImplementedError

    def chance_outcomes(self, state: int) -> list[tuple[int, int]]:
        return [(self.p, state + 1), (self.q, state - 1)]

    def returns(self, state: int) -> list[int]:
        return [int(state == self.goal)]


class Bold:
    """Stake what you like of `state` units, up to `goal`: Dubins and Savage."""

    num_players = 1

    def __init__(self, start: int, goal: int, p: int, q: int) -> None:
        self.start, self.goal, self.p, self.q = start, goal, p, q

    def initial_state(self) -> Any:
        return self.start, 0

    def current_player(self, state: Any) -> int:
        if state[0] in (0, self.goal):
            return TERMINAL
        return CHANCE if state[1] else 0

    def legal_actions(self, state: Any) -> Sequence[int]:
        return range(1, min(state[0], self.goal - state[0]) + 1)

    def next_state(self, state: Any, action: int) -> Any:
        return state[0], action

    def chance_outcomes(self, state: Any) -> list[tuple[int, Any]]:
        has, stake = state
        return [(self.p, (has + stake, 0)), (self.q, (has - stake, 0))]

    def returns(self, state: Any) -> list[int]:
        return [int(state[0] == self.goal)]


# Games of known value
# --------------------


def test_piglet() -> None:
    """T. W. Neller and C. G. M. Presser, "Optimal Play of the Dice Game Pig", 2004."""
    solution = exact.solve(Pig(2, faces=range(2)))
    won = {
        (0, 0, 0): Fraction(4, 7),
        (0, 0, 1): Fraction(5, 7),
        (0, 1, 0): Fraction(2, 5),
        (0, 1, 1): Fraction(3, 5),
        (1, 0, 0): Fraction(4, 5),
        (1, 1, 0): Fraction(2, 3),
    }
    for state, value in won.items():
        assert solution.values[*state, 0, "decide"] == (value, 1 - value)
        assert solution.values[*state, 1, "decide"] == (1 - value, value)


@pytest.mark.parametrize("idle", [False, True])
def test_pig(idle: bool) -> None:
    """Holding at nothing changes no value, though both could hold for ever."""
    assert exact.solve(Pig(5, idle=idle)).value[0] == Fraction(216, 271)
    solution = exact.solve(Pig(20, faces=range(1, 4), idle=idle))
    assert "hold" in solution.policy.values()
    for (mine, other, points, mover, what), value in solution.values.items():
        assert sum(value) == 1
        if mover == 0 and what == "decide" and points:
            roll = solution.values[mine, other, points, 0, "roll"][0]
            held = (0, 0, 0, 0, "end")
            if mine + points < 20:
                held = (other, mine + points, 0, 1, "decide")
            assert value[0] == max(roll, solution.values[held][0])


@pytest.mark.parametrize(("p", "q"), [(1, 1), (18, 19), (3, 1), (10**40, 10**40 + 1)])
def test_the_gamblers_ruin(p: int, q: int) -> None:
    goal = 30
    solution = exact.solve(Ruin(7, goal, p, q))
    for has, value in solution.values.items():
        odds = Fraction(q, p)
        ruin = Fraction(has, goal) if p == q else (odds**has - 1) / (odds**goal - 1)
        assert value == (ruin,)


def test_bold_play() -> None:
    """With a chance below one half it is best to stake all that can be of use."""
    solution = exact.solve(Bold(1, 16, 2, 3), tie_break="last")
    assert solution.value == (Fraction(2, 5) ** 4,)
    assert all(
        action == min(has, 16 - has) for (has, _), action in solution.policy.items()
    )


def test_a_walk_on_a_cube() -> None:
    """From a corner, the opposite corner comes before a neighbour with chance 1/4."""
    corners = range(8)
    rows: dict[Any, Any] = {
        c: ("chance", [(1, c ^ 1), (1, c ^ 2), (1, c ^ 4)]) for c in corners
    }
    rows[7], rows[1] = ("end", [1]), ("end", [0])
    # x = (0 + 2y) / 3; y and z are one and two steps from 0 along the other edges.
    # Solved by hand: 0 -> 2, 4; 2 -> 0, 3, 6; 3 -> 1, 2, 7; 6 -> 2, 4, 7; 5 -> 1, 4, 7.
    x, y, z, w = (exact.solve(Table(rows)).values[c][0] for c in (0, 2, 3, 6))
    assert 3 * x == 2 * y
    assert 3 * y == x + z + w
    assert (3 * z, 3 * w) == (0 + y + 1, 2 * y + 1)
    assert 0 < x < y < 1


# Against all stationary policies
# -------------------------------


def ended(game: Table, solution: Any) -> stationary.Values:
    """Return the values of the policy of a solution, with which play ends."""
    assert stationary.ends(game, solution.policy)
    return stationary.values(game, solution.policy)


def tied(game: Table, state: Any, best: dict[Any, Fraction]) -> tuple[str, ...]:
    """Return the actions with the value of the state."""
    actions = game.rows[state][1]
    return tuple([a for a, after in actions.items() if best[after] == best[state]])


RULES = st.sampled_from(["first", "last"])


@given(game=cyclic_games(), tie_break=RULES)
def test_a_lone_player(game: Table, tie_break: Any) -> None:
    best = stationary.best_alone(game, 0)
    if best is None:
        with pytest.raises(GameError, match=r"^every play must end"):
            exact.solve(game)
        return
    solution = exact.solve(game, tie_break=tie_break)
    assert ended(game, solution) == dict(solution.values)
    for state, value in best.items():
        assert solution.values[state] == (value,)
        if game.rows[state][0] == 0:
            assert solution.optimal_actions[state] == tied(game, state, best)


@given(
    game=cyclic_games(deciders=(1,), num_players=3),
    tie_break=RULES,
)
def test_values_of_others_follow_the_actions(game: Table, tie_break: Any) -> None:
    best = stationary.best_alone(game, 1)
    if best is None:
        with pytest.raises(GameError, match=r"^every play must end"):
            exact.solve(game)
        return
    solution = exact.solve(game, tie_break=tie_break)
    assert ended(game, solution) == dict(solution.values)
    assert {s: value[1] for s, value in solution.values.items()} == best


@given(
    game=cyclic_games(deciders=(0, 1), num_players=2, opposed=True, max_states=6),
    tie_break=RULES,
)
def test_two_opposed_players(game: Table, tie_break: Any) -> None:
    best = stationary.best_opposed(game)
    if best is None:
        with pytest.raises(GameError, match=r"^every play must end"):
            exact.solve(game)
        return
    solution = exact.solve(game, tie_break=tie_break)
    assert ended(game, solution) == dict(solution.values)
    for state, value in best.items():
        assert solution.values[state] == (value, -value)
        if game.rows[state][0] in (0, 1):
            assert solution.optimal_actions[state] == tied(game, state, best)
    # Each policy guarantees the value, whatever the other player does.
    for player in (0, 1):
        mine = {s: a for s, a in solution.policy.items() if game.rows[s][0] == player}
        for theirs in stationary.able(game, 1 - player):
            assert stationary.ends(game, {**mine, **theirs})


# Moves that pay
# --------------


def worth(game: Paying, state: Any, action: str, best: dict[Any, Fraction]) -> Fraction:
    """Return the value of an action for the first player."""
    ((_, after, paid),) = stationary.moves(game, state, {state: action})
    return best[after] + Fraction(paid[0])


@given(game=paying_cycles(), tie_break=RULES)
def test_a_lone_player_who_is_paid(game: Paying, tie_break: Any) -> None:
    best = stationary.best_alone(game, 0)
    if best is None:
        with pytest.raises(GameError, match=r"^every play must end"):
            exact.solve(game)
        return
    top = {
        s: max(worth(game, s, a, best) for a in game.rows[s][1])
        for s in best
        if game.rows[s][0] == 0
    }
    if any(best[s] != x for s, x in top.items()):  # then no policy is best of all
        with pytest.raises(GameError, match="somebody gains each time round"):
            exact.solve(game)
        return
    solution = exact.solve(game, tie_break=tie_break)
    assert ended(game, solution) == dict(solution.values)
    assert {s: value[0] for s, value in solution.values.items()} == best
    for s, actions in solution.optimal_actions.items():
        every = game.rows[s][1]
        assert actions == tuple([a for a in every if worth(game, s, a, best) == top[s]])


@given(
    game=paying_cycles(deciders=(0, 1), num_players=2, opposed=True, max_states=6),
    tie_break=RULES,
)
def test_two_opposed_players_who_are_paid(game: Paying, tie_break: Any) -> None:
    best = stationary.best_opposed(game)
    try:
        solution = exact.solve(game, tie_break=tie_break)
    except GameError:
        assert best is None or any(
            gain
            for player in (0, 1)
            for policy in stationary.policies(game, (0, 1))
            for gain in stationary.rounds(game, policy, player)
        )
        return
    assert ended(game, solution) == dict(solution.values)
    value = {s: x for s, (x, y) in solution.values.items()}
    assert all(x + y == 0 for x, y in solution.values.values())
    # Each policy guarantees the value: other play costs the opponent without end.
    for player, sign in ((0, 1), (1, -1)):
        mine = {s: a for s, a in solution.policy.items() if game.rows[s][0] == player}
        for theirs in stationary.able(game, 1 - player):
            policy = {**mine, **theirs}
            if stationary.ends(game, policy):
                found = stationary.values(game, policy)
                assert all(sign * (found[s][0] - x) >= 0 for s, x in value.items())
            else:
                assert all(g > 0 for g in stationary.rounds(game, policy, player))


# Guided by floats
# ----------------


ANY_GAME = st.one_of(
    cyclic_games(deciders=(0, 1), num_players=2, opposed=True),
    cyclic_games(),
    cyclic_games(deciders=(1,), num_players=3),
)


@given(game=ANY_GAME, tie_break=RULES)
def test_both_backends_agree(game: Table, tie_break: Any) -> None:
    """They accept the same games, but for those that floats say are too hard."""
    try:
        solution = exact.solve(game, tie_break=tie_break)
    except GameError as error:
        told = str(error).split(": ")[0]
        with pytest.raises(GameError, match=f"^({told}|.* too hard for float64)"):
            diagonal.solve(game)
        return
    try:
        floats = diagonal.solve(game, tie_break=tie_break)
    except GameError as error:
        assert "too hard for float64" in str(error)  # noqa: PT017
        return
    for state, value in floats.values.items():
        for x, y in zip(value, solution.values[state], strict=True):
            assert abs(Fraction(x) - y) <= Fraction(floats.error)
    if not floats.error:
        assert floats.policy == solution.policy


def test_the_guess_does_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Pig(10, faces=range(1, 4), idle=True)
    guided = exact.solve(game)

    def fail(*_: Any) -> Any:
        raise RuntimeError("floats fail")

    monkeypatch.setattr(groups.GroupSolver, "guess", fail)
    alone = exact.solve(game)
    assert alone == guided
    assert alone.turned_ties == guided.turned_ties


def test_ends_that_are_rare_beyond_floats() -> None:
    rare = 10**30
    rows: dict[Any, Any] = {
        0: (0, {"wait": 1, "leave": "low"}),
        1: ("chance", [(rare, 0), (1, "high")]),
        "low": ("end", [Fraction(rare - 1, rare)]),
        "high": ("end", [1]),
    }
    solution = exact.solve(Table(rows))
    assert solution.values[0] == (Fraction(1),)
    assert solution.optimal_actions[0] == ("wait",)


def test_the_next_tied_action_ends_the_play() -> None:
    """Both may pass, or end at the same value; all prefer to pass."""
    rows: dict[Any, Any] = {
        0: (0, {"pass": 1, "end": "even", "stop": "even"}),
        1: (1, {"pass": 0, "end": "even"}),
        "even": ("end", [0, 0]),
    }
    asked = []

    def last_but_one(state: Any, actions: tuple[str, ...]) -> str:
        asked.append(state)
        return actions[-2]

    first = exact.solve(Table(rows, num_players=2))
    assert first.policy == {0: "end", 1: "end"}
    assert first.turned_ties == (0, 1)
    last = exact.solve(Table(rows, num_players=2), tie_break="last")
    assert (last.policy, last.turned_ties) == ({0: "stop", 1: "end"}, ())
    other = exact.solve(Table(rows, num_players=2), tie_break=last_but_one)
    assert (other.policy, other.turned_ties) == ({0: "end", 1: "end"}, (1,))
    assert sorted(asked) == [0, 1]


REFUSED: dict[str, tuple[dict[Any, Any], str]] = {
    "whoever ends loses": (
        {
            0: (0, {"pass": 1, "end": "low"}),
            1: (1, {"pass": 0, "end": "high"}),
            "low": ("end", [0, 1, 0]),
            "high": ("end", [1, 0, 0]),
        },
        "whoever ends this one loses by that: . -> . -> . ",
    ),
    "not opposed": (
        {
            0: (0, {"pass": 1, "end": "low"}),
            1: (1, {"pass": 0, "end": "high"}),
            "low": ("end", [0, 1, 0]),
            "high": ("end", [1, 1, 0]),
        },
        "players 0 and 1 both decide .* opposed",
    ),
    "three decide": (
        {
            0: (0, {"pass": 1, "end": 3}),
            1: (1, {"pass": 2, "end": 3}),
            2: (2, {"pass": 0, "end": 3}),
            3: ("end", [0, 0, 0]),
        },
        "players 0, 1, 2 all decide",
    ),
    "nobody can end": (
        {
            0: (0, {"pass": 1, "back": 0}),
            1: (1, {"pass": 0, "back": 1}),
        },
        "nobody can prevent that one goes on for ever",
    ),
    "no way out": (
        {0: ("chance", [(1, 1), (0, 2)]), 1: ("chance", [(3, 0)]), 2: ("end", [0] * 3)},
        "and never leave it",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refusals(name: str) -> None:
    rows, message = REFUSED[name]
    with pytest.raises(GameError, match=message):
        exact.solve(Table(rows, num_players=3))
