"""Games that come back to a state: known values, odd ones, and wrong guesses."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from cardgames_dp import diagonal, exact, play
from cardgames_dp._loops import groups, policy_iteration, proof, systems
from cardgames_dp._loops.policy_iteration import Local
from cardgames_dp.game import GameError

from . import oracles
from .games import Paying, Pig, Table, games
from .refusals import game_error
from .test_solutions import near


def agree(game: Table, **options: Any) -> tuple[Any, Any]:
    """Return the solutions of both backends, which agree within the bound."""
    floats, solution = (each.solve(game, **options) for each in (diagonal, exact))
    near(floats, solution)
    return floats, solution


# Games of known value
# --------------------


def test_pig() -> None:
    """Holding at nothing changes no value, though both could hold for ever."""
    values = [exact.solve(Pig(5, idle=idle)).value for idle in (False, True)]
    assert values == [Fraction(216, 271)] * 2
    solution = diagonal.solve(Pig(20))
    # As solved by others, to 12 digits.
    assert solution.value == pytest.approx(0.615558549805, abs=1e-12)
    assert solution.error < 1e-12
    assert next(iter(solution.values)) == solution.initial_state


# Rare ends, and endless play
# ---------------------------


def loop(weight: int, off: Any = 0) -> Table:
    """Return a game in which chance ends play once in many times, or a player."""
    return Table(
        {
            0: ("chance", [(weight, 1), (1, "won"), (2, "lost")]),
            1: (0, {"on": 0, "off": "off"}),
            "won": ("end", [1]),
            "lost": ("end", [0]),
            "off": ("end", [off]),
        }
    )


@pytest.mark.parametrize("weight", [1, 10**6, 10**12, 10**30])
def test_ends_that_are_rare(weight: int) -> None:
    floats, solution = agree(loop(weight))
    assert solution.payoffs == (Fraction(1, 3),)
    assert floats.error < 1e-12
    assert floats.policy[1] == "on"


def test_ends_too_rare_for_floats() -> None:
    """Where another action ties, it could be better by what rounding hides."""
    words = (
        r"^the 2 states that can come back to 0 are too hard for float64: values "
        r"within .* proved; use cardgames_dp\.exact\.solve$"
    )
    with pytest.raises(GameError, match=words):
        diagonal.solve(loop(10**18, Fraction(1, 3)))
    assert exact.solve(loop(10**30)).payoffs == (Fraction(1, 3),)
    with pytest.raises(GameError, match=r"^how often plays come back to 0 is too hard"):
        play.distribution(loop(10**30), {1: "on"})


def test_a_poor_bound_warns() -> None:
    """Above a millionth of the size of values; above a hundredth, it is refused."""
    with pytest.warns(RuntimeWarning, match=r"proved within .* only; cardgames_dp\.ex"):
        solution = diagonal.solve(loop(10**12, Fraction(1, 3)))
    assert 1e-6 < solution.error < 1e-2
    assert abs(Fraction(solution.value) - Fraction(1, 3)) <= solution.error


def pair(*returns: Any, players: int = 2) -> Table:
    """Return a game of two players who can send a coin back and forth, or flip it."""
    heads, tails = returns
    return Table(
        {
            0: (0, {"pass": 1, "flip": 2}),
            1: (1, {"pass": 0, "flip": 2}),
            2: ("chance", [(1, "heads"), (1, "tails"), (1, 0)]),
            "heads": ("end", heads),
            "tails": ("end", tails),
        },
        num_players=players,
    )


def test_endless_play_that_does_not_matter() -> None:
    """Both could pass for ever, and either can end the game."""
    asked: list[Any] = []

    def passes(state: Any, actions: Any) -> Any:
        asked.append(state)
        return actions[0]

    rules: list[Any] = ["first", "last", passes]
    for rule in rules:
        floats, _ = agree(pair((1, -1), (-1, 1)), tie_break=rule)
        # All actions tie, and the first ones would never end.
        assert floats.optimal_actions[0] == ("pass", "flip")
        assert floats.policy == {0: "flip", 1: "flip"}
        assert floats.turned_ties == (() if rule == "last" else (0, 1))
        assert floats.to_dict()["turned_ties"] == [*floats.turned_ties]
    assert sorted(asked) == [0, 0, 1, 1]  # once by each backend


def test_the_next_tied_action_ends_the_play() -> None:
    """Both may pass, or end at the same value; all prefer to pass."""
    rows: dict[Any, Any] = {
        0: (0, {"pass": 1, "end": "even", "stop": "even"}),
        1: (1, {"pass": 0, "end": "even"}),
        "even": ("end", [0, 0]),
    }
    expected: list[tuple[Any, dict[int, str], tuple[int, ...]]] = [
        ("first", {0: "end", 1: "end"}, (0, 1)),
        ("last", {0: "stop", 1: "end"}, ()),
        (lambda state, actions: actions[-2], {0: "end", 1: "end"}, (1,)),
    ]
    for rule, policy, turned in expected:
        for result in agree(Table(rows, num_players=2), tie_break=rule):
            assert (result.policy, result.turned_ties) == (policy, turned)
    rows[0] = 0, {"stop": "even", "pass": 1, "end": "even"}
    for result in agree(Table(rows, num_players=2), tie_break=lambda *_: "pass"):
        assert (result.policy, result.turned_ties) == ({0: "end", 1: "end"}, (0, 1))


def ending(low: Any, high: Any) -> Table:
    """Return a game of two players of whom either can end it, or pass."""
    rows = {
        0: (0, {"pass": 1, "end": "low"}),
        1: (1, {"pass": 0, "end": "high"}),
        "low": ("end", low),
        "high": ("end", high),
    }
    return Table(rows, num_players=len(low))


TURNS: Any = {i: (i, {"pass": (i + 1) % 3, "end": 3}) for i in range(3)}
TURNS |= {3: ("chance", [(1, 4), (1, 0)]), 4: ("end", [1, 1, 1])}


def side_by_side(*games: Table) -> Paying:
    """Return a game of two players that begins with a draw of one of several."""
    every = [(1, (number, 0)) for number in range(len(games))]
    rows: dict[Any, Any] = {"start": ("chance", every)}
    paid: dict[Any, Any] = {}
    for number, game in enumerate(games):
        for state, (who, moves) in game.rows.items():
            named: Any = moves
            if who == "chance":
                named = [(w, (number, t), *pays) for w, t, *pays in moves]
            elif who != "end":
                named = {a: (number, t) for a, t in moves.items()}
            rows[number, state] = (who, named)
        for (state, action), pays in getattr(game, "paid", {}).items():
            paid[(number, state), action] = pays
    return Paying(rows, "start", 2, paid)


def test_opposed_in_one_component_only() -> None:
    """The sum differs from component to component, and not within one."""
    game = side_by_side(pair((3, -1), (0, 2)), pair((1, 4), (5, 0)))
    _, solution = agree(game)
    value = Fraction(3, 4) + Fraction(3, 2)
    assert solution.payoffs == (value, Fraction(2 + 5, 2) - value)


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
    for rule, others in (("first", (5, 0)), ("last", (7, 1 / 3))):
        floats, _ = agree(game, tie_break=rule)
        assert floats.payoffs == pytest.approx((1, *others), abs=1e-14)
        assert floats.possible_ties == (0,)
        assert 1.99 < floats.error < 20
    rows["y"] = ("end", [2, 7, Fraction(1, 3)])
    floats, solution = agree(Table(rows, num_players=3))
    assert solution.payoffs == (2, 7, Fraction(1, 3))
    assert floats.error < 1e-13


@given(
    game=st.booleans().flatmap(
        lambda pays: games(
            cycles=True, max_states=7, players=2, total=0, pays=pays, heavy=True
        )
    )
)
def test_elimination_by_sums(game: Table) -> None:
    """Wherever it finds something, however rare ends are."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(proof, "_HARD", -1.0)
        try:
            floats = diagonal.solve(game)
        except GameError:
            return
    near(floats, exact.solve(game))


# What is certain by the graph
# ----------------------------


@given(game=games(cycles=True, max_states=7, max_moves=3, players=1, heavy=True))
def test_certain_values_of_one_player(game: Table) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(proof, "settled", lambda local, _: nothing_certain(local))
        try:
            before = diagonal.solve(game)
        except GameError as error:
            with pytest.raises(GameError, match=str(error)[:30]):
                diagonal.solve(game)
            return
    floats, _ = agree(game)
    assert floats.error <= before.error
    assert oracles.ends(game, floats.policy)


def nothing_certain(local: Local) -> Any:
    size = local.group.num_states
    return local, np.full(size, np.nan), np.full(size, -1)


def test_certain_values_need_no_arithmetic(monkeypatch: pytest.MonkeyPatch) -> None:
    """On ice you slip with a chance of 999/1000, and may never slip into the hole."""
    rows: dict[Any, Any] = {"hole": ("end", [0]), "goal": ("end", [1])}
    for x in range(9):
        rows[x] = (0, {"go": (x, "slip"), "back": max(x - 1, 0), "jump": "hole"})
        rows[x, "slip"] = ("chance", [(999, max(x - 1, 0)), (1, x + 1)])
    rows[8, "slip"] = ("chance", [(999, 0), (1, "goal")])
    monkeypatch.delattr(systems.Systems, "solved")
    floats = diagonal.solve(Table(rows))
    assert (floats.value, floats.error) == (1, 0)
    assert {floats.policy[x] for x in range(9)} == {"go"}


# Idling
# ------


@pytest.mark.parametrize("fee", [0, -1])
def test_a_maze(fee: int) -> None:
    """Anybody could walk round in it; three doors, and the nearest is not the best."""
    size = 8
    rows: dict[Any, Any] = {}
    for x, y in np.ndindex(size, size):
        steps = [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1), (x, y)]
        inside = [s for s in steps if max(s) < size and min(s) >= 0]
        rows[x, y] = (0, {f"{s}": s for s in inside})
    doors = {(0, 3): 1, (size - 1, size - 1): 3, (5, 5): 2}
    for door, worth in doors.items():
        rows[door][1]["out"] = worth
        rows[worth] = ("end", [worth])
    floats, _ = agree(Paying(rows, (0, 0), paid={((0, 0), "(0, 1)"): [fee]}))
    assert floats.value == 3
    assert floats.error < 1e-12
    assert oracles.ends(Table(rows, (0, 0)), floats.policy)


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
    floats, _ = agree(Table(rows, num_players=3))
    assert floats.value == 1
    assert 3 <= floats.error < 40


def test_idling_that_pays_another() -> None:
    """Not nothing: how long the first player waits matters to the second."""
    rows: Any = {0: (0, {"wait": 0, "out": "end"}), "end": ("end", [1, 0])}
    game = Paying(rows, num_players=2, paid={(0, "wait"): [0, 1]})
    assert exact.solve(game).payoffs == (Fraction(1), Fraction(0))
    with pytest.raises(GameError, match="too hard for float64"):
        diagonal.solve(game)


# Large ones
# ----------


def test_a_long_chain_of_components() -> None:
    """Errors add up from component to component, and do not multiply."""
    rows: dict[Any, Any] = {100: ("end", [Fraction(1, 3)]), -1: ("end", [0])}
    for i in range(100):
        rows[i] = ("chance", [(97, i), (2, i + 1), (1, -1)])
    solution = diagonal.solve(Table(rows))
    right = Fraction(2, 3) ** 100 / 3
    assert abs(Fraction(solution.value) - right) <= solution.error < 1e-11


def test_a_deep_component() -> None:
    """A walk of 3000 steps, back to the beginning with each false one."""
    size = 3000
    rows: dict[Any, Any] = {
        i: ("chance", [(10**6, i + 1), (1, 0)]) for i in range(size)
    }
    solution = diagonal.solve(Table(rows | {size: ("end", [1])}))
    assert solution.value == 1
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
    assert follow.payoffs == pytest.approx(solution.payoffs, abs=1e-12)


def test_a_wide_component_that_is_rarely_left() -> None:
    """Sweeps would need thousands of rounds, and a Krylov method needs a few."""
    rng = np.random.default_rng(2)
    size = 2000
    after = rng.integers(0, size, (size, 3))
    rows: dict[Any, Any] = {"won": ("end", [1]), "lost": ("end", [0])}
    dense, known = np.eye(size), np.zeros(size)
    for i, targets in enumerate(after.tolist()):
        end = "won" if rng.random() < 0.6 else "lost"
        rows[i] = ("chance", [*((999, t) for t in targets), (3, end)])
        np.subtract.at(dense[i], targets, 0.333)
        known[i] = 0.001 * (end == "won")
    solution = diagonal.solve(Table(rows))
    assert solution.error < 1e-11
    assert solution.value == pytest.approx(np.linalg.solve(dense, known)[0], abs=1e-11)


# The proof does not care how values and policies were found
# -----------------------------------------------------------


def covered(right: Any) -> Any:
    """Return a solution that is found with wrong steps, whose error covers them."""
    solution = diagonal.solve(Pig(5))
    for state, value in right.values.items():
        assert abs(value - solution.values[state]) <= solution.errors[state]
    return solution


@pytest.mark.parametrize("shift", [1e-3, -1e-3, 1e-9])
def test_a_wrong_guess_is_covered(
    monkeypatch: pytest.MonkeyPatch, shift: float
) -> None:
    right, honest = diagonal.solve(Pig(5)), policy_iteration.guessed

    def wrong(local: Local, alone: Any) -> Any:
        v, policy = honest(local, alone)
        return v + shift * np.arange(len(v)) / len(v), policy

    monkeypatch.setattr(proof, "guessed", wrong)
    if abs(shift) > 1e-6:  # policies are right, and eliminated by sums
        assert covered(right).error < 1e-12
    monkeypatch.setattr(proof, "_HARD", np.inf)
    assert covered(right).error > abs(shift) / 10


@pytest.mark.parametrize("factor", [0.5, 0.0, -1.0, 1e-9])
def test_a_wrong_stay_is_covered(
    monkeypatch: pytest.MonkeyPatch, factor: float
) -> None:
    right, honest = diagonal.solve(Pig(5)), Local.solved

    def wrong(local: Local, policy: Any, given: Any) -> Any:
        result = honest(local, policy, given)
        return result * factor if (given == 1).all() else result

    monkeypatch.setattr(Local, "solved", wrong)
    assert covered(right).error >= right.error / 2


@pytest.mark.parametrize("which", ["first", "last"])
def test_a_wrong_policy_is_refused_or_covered(
    monkeypatch: pytest.MonkeyPatch, which: str
) -> None:
    """Holding for ever is refused, as it loses too much, and rolling is not."""
    right, honest = diagonal.solve(Pig(5)), policy_iteration.guessed

    def wrong(local: Local, alone: Any) -> Any:
        v, _ = honest(local, alone)
        offsets = local.group.offsets
        taken = offsets[:-1] if which == "first" else offsets[1:] - 1
        return v, np.where(local.sign != 0, taken, 0)

    monkeypatch.setattr(proof, "guessed", wrong)
    if which == "first":
        with pytest.raises(GameError, match="too hard for float64"):
            diagonal.solve(Pig(5))
    else:
        covered(right)


@given(
    game=st.booleans().flatmap(
        lambda pays: games(
            cycles=True,
            total=0,
            max_states=7,
            max_moves=3,
            players=2,
            deciders=(0, 1),
            pays=pays,
        )
    ),
    seed=st.integers(0, 99),
)
def test_the_guess_does_not_matter_exactly(game: Table, seed: int) -> None:
    """Moves at random in place of those that floats find to be best."""
    rng = np.random.default_rng(seed)

    def at_random(_: Any, group: Any) -> Any:
        return group.offsets[:-1] + rng.integers(np.diff(group.offsets))

    def solved() -> Any:
        try:
            return exact.solve(game)
        except GameError:
            return None

    guided = solved()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(groups.GroupSolver, "guess", at_random)
        assert solved() == guided


LEAD_ENDS = Paying(
    {
        0: ("chance", [(3, 0), (1, 2, [1, -1]), (3, 2)]),
        1: (1, {"back": 0, "end": 3}),
        2: (0, {"on": 1, "end": 3}),
        3: ("end", [3, -3]),
    },
    num_players=2,
    paid={(2, "on"): [2, -2], (2, "end"): [-1, 1]},
)
"""Player 0 alone can end it, where all first moves go round."""

OPPONENT_ENDS = Paying(
    {
        0: (1, {"on": 1, "end": 3}),
        1: (1, {"on": 2, "back": 0, "end": 4}),
        2: (1, {"on": 3, "end": 4, "back": 0}),
        3: (0, {"back": 1, "end": 5, "stop": 5}),
        4: ("end", [2, -2]),
        5: ("end", [-3, 3]),
    },
    num_players=2,
    paid={
        (0, "on"): [1, -1],
        (1, "on"): [1, -1],
        (2, "back"): [2, -2],
        (3, "back"): [-2, 2],
        (3, "stop"): [-1, 1],
    },
)
"""Player 1 alone can end it, and no first move of a turn does."""


@pytest.mark.parametrize(
    ("game", "value"),
    [
        (LEAD_ENDS, Fraction(21, 4)),
        (OPPONENT_ENDS, Fraction(-3)),
        (side_by_side(LEAD_ENDS, OPPONENT_ENDS), Fraction(9, 8)),
    ],
)
def test_one_player_improves_while_the_other_ends_play(
    monkeypatch: pytest.MonkeyPatch, game: Paying, value: Any
) -> None:
    """From first moves with which plays go round, and a gain on the way."""
    guided = exact.solve(game)
    monkeypatch.setattr(
        groups.GroupSolver, "guess", lambda _, group: group.offsets[:-1]
    )
    assert exact.solve(game) == guided
    assert guided.payoffs == (value, -value)


def test_who_ends_play_alone_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    """Player 0 gains each time round, so that 1 has to end play from the start."""
    rows: Any = {
        0: (0, {"on": 1, "slow": 1}),
        1: (1, {"back": 0, "end": 2}),
        2: ("end", [0, 0]),
    }
    monkeypatch.setattr(
        groups.GroupSolver, "guess", lambda _, group: group.offsets[:-1]
    )
    game = Paying(rows, num_players=2, paid={(0, "on"): [1, -1], (0, "slow"): [0, 0]})
    solution: Any = exact.solve(game)
    assert (solution.payoffs, solution.policy[1]) == ((1, -1), "end")


@pytest.mark.parametrize("solve", [exact.solve, diagonal.solve])
def test_loops_whose_end_is_disputed(solve: Any) -> None:
    game_error("the value of 0 depends on what a play", solve, ending([0, 1], [1, 0]))
    game_error("players 0 and 1 both decide in the", solve, pair((1, 1), (-1, 1)))
    game_error("players 0, 1, 2 all decide in", solve, Table(TURNS, num_players=3))


def test_floats_that_differ_in_the_last_bit_are_disputed() -> None:
    game_error(
        "or Fractions, not as floats",
        diagonal.solve,
        pair((0.3, 0.7), (0.1 + 0.2, 0.7)),
    )
