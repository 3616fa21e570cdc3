"""What holds for the solutions of all games, in both backends and in every form."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import example, given, strategies as st

from cardgames_dp import diagonal, exact, play
from cardgames_dp._graph import solving
from cardgames_dp.exact import ExactSweep, IntegerSweep
from cardgames_dp.game import GameError, explore

from . import oracles
from .games import SMALL, Paying, Table, games, paying, whole

SOLVERS: list[Callable[..., Any]] = [exact.solve, diagonal.solve]
WORDS = st.sampled_from(["first", "last", "uniform"])
RULES = WORDS | st.sampled_from([max, min]).map(
    lambda pick: lambda state, actions: pick(actions)
)
ENDING = st.one_of(games(), games(pays=True), games(pays=True, total=1))
TIE_OF_THIRDS = Table(
    {
        0: (0, {"a": 1, "b": 2, "c": 3}),
        1: ("chance", [(1, 4), (2, 5)]),
        2: ("chance", [(2, 4), (4, 5)]),
        3: ("chance", [(3, 4), (7, 5)]),
        4: ("end", [Fraction(1, 3), 0]),
        5: ("end", [Fraction(-1, 7), 5]),
    },
    num_players=2,
)
SECOND_CHOOSES = Table(
    {0: (1, {"a": 1, "b": 2}), 1: ("end", [1, 0]), 2: ("end", [0, 1])}, num_players=2
)
ONE_ACTION_IN_A_LOOP = Table(
    {
        0: (0, {"on": 1, "stop": 2}),
        1: (1, {"back": 0}),
        2: ("end", [1, -1]),
    },
    num_players=2,
)


def certify(game: Table, solution: Any, tie_break: Any) -> None:
    """Hold a solution against the rules: its policy has its values, and none is better.

    In games that come back to states there may be a better policy of more moves.
    """
    values = oracles.payoffs(solution)
    assert values == oracles.values(game, solution.policy)
    assert solution.payoffs == values[game.start]
    assert solution.num_states == len(values)
    for policy in (solution, dict(solution.policy)):
        played = play.evaluate(solution, policy, backend="exact")
        assert oracles.payoffs(played) == values
    for state, best in solution.optimal_actions.items():
        player, row = game.rows[state]
        worths = {a: oracles.worth(game, state, a, values, player) for a in row}
        top = max(worths.values())
        assert best == tuple([a for a, x in worths.items() if x == top])
        done = solution.policy[state]
        if tie_break == "uniform":
            assert done == dict.fromkeys(best, 1)
        elif state not in solution.turned_ties:
            words = {"first": best[0], "last": best[-1]}
            asked = tie_break(state, best) if callable(tie_break) else None
            assert done == (words[tie_break] if asked is None else asked)
        advice = solution.advice(state)
        assert (advice.state, advice.player, advice.best) == (state, player, best)
        assert [*advice.values.items()] == [*worths.items()]
        assert (advice.value, advice.payoffs) == (top, values[state])
        assert advice.tie == (len(best) > 1)
        second = sorted(worths.values())[-2:-1]
        assert advice.margin == (top - second[0] if second else None)
        assert done == advice.action or tie_break == "uniform"
    assert {*solution.ties} == {
        state for state, best in solution.optimal_actions.items() if len(best) > 1
    }
    assert ({*solution.errors.values()}, solution.possible_ties) == ({0}, ())
    assert solution.error == 0


def near(floats: Any, exactly: Any) -> None:
    """Hold values, advice and ties of float64 against the exact ones."""
    assert floats.values.keys() == exactly.values.keys()
    for state, value in oracles.payoffs(floats).items():
        assert all(type(x) is float for x in value)
        assert floats.values[state] == value[0]
        for x, y in zip(value, exactly.payoffs_at(state), strict=True):
            assert abs(Fraction(x) - y) <= Fraction(floats.errors[state])
    assert {*floats.ties} <= {*exactly.ties}
    if (
        max(floats.errors.values()) > 1e-9
    ):  # a possible tie may change what comes before
        return
    for state, actions in exactly.optimal_actions.items():
        assert {*actions} <= {*floats.optimal_actions[state]}
        if state not in floats.possible_ties:
            assert floats.optimal_actions[state] == actions
        advice, right = floats.advice(state), exactly.advice(state)
        assert advice.error >= floats.errors[state]
        assert advice.certain == (state not in floats.possible_ties)
        # Where a state comes back, its value is not computed from those that follow.
        off = abs(advice.value - floats.payoffs_at(state)[advice.player])
        assert off <= advice.error or advice.tie
        for action, x in advice.values.items():
            assert abs(Fraction(x) - right.values[action]) <= Fraction(advice.error)
    if not floats.possible_ties:
        assert floats.policy == exactly.policy


@given(game=ENDING, tie_break=RULES)
@example(game=TIE_OF_THIRDS, tie_break="last")
@example(game=SECOND_CHOOSES, tie_break="first")
def test_games_that_end(game: Table, tie_break: Any) -> None:
    solution = exact.solve(game, tie_break=tie_break)
    certify(game, solution, tie_break)
    place = {state: i for i, state in enumerate(solution.values)}
    for state, number in place.items():  # what follows comes later
        after = oracles.moves(game, state, solution.policy)
        assert all(place[t] > number for _, t, _ in after)
    floats = diagonal.solve(game, tie_break=tie_break)
    near(floats, solution)
    assert [*floats.values] == [*place]
    assert floats.tie_break == solution.tie_break
    if game.num_players == 1:
        assert max(floats.errors.values()) < 1e-13


@given(game=games(pays=True).map(whole), tie_break=WORDS)
def test_integers_without_chance_have_no_error(game: Paying, tie_break: Any) -> None:
    if tie_break == "uniform":
        tie_break = "first"
    sure = {s: (k, r[-1:] if k == "chance" else r) for s, (k, r) in game.rows.items()}
    game = Paying(sure, 0, game.num_players, game.paid)
    floats, exactly = (solve(game, tie_break=tie_break) for solve in SOLVERS[::-1])
    assert ({*floats.errors.values()}, floats.possible_ties) == ({0}, ())
    assert (floats.ties, floats.policy) == (exactly.ties, exactly.policy)


WHOLE = st.integers(-2, 2)
LARGE = st.sampled_from([2**50, 2**52, 2**53 - 1, -(2**53), 2**53 + 1, 10**20])
"""Integers of which float64 holds all, some, or none with what is paid besides."""


def suits_floats(game: Table, rule: Any) -> bool:
    """Return whether floats are taken for exact values, if they are faster."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(exact, "_WIDE", 0)
        return IntegerSweep.suits(explore(game).graph, rule)


@pytest.mark.parametrize(
    ("suits", "rows", "rule"),
    [
        (True, {0: (0, {"a": 1, "b": 2}), 1: [2**53 - 1], 2: [1 - 2**53]}, "uniform"),
        (False, {0: (0, {"a": 1, "b": 2}), 1: [2**53], 2: [2**53 + 1]}, "first"),
        (False, {0: (0, {"a": 1, "b": 2}), 1: [1], 2: [Fraction(1, 3)]}, "first"),
        (True, {0: ("chance", [(7, 1)]), 1: [1]}, "first"),
        (False, {0: ("chance", [(1, 1), (1, 2)]), 1: [0], 2: [1]}, "first"),
        (True, {0: (0, {"a": 1, "b": 2}), 1: [0, 4], 2: [1, 3]}, "uniform"),
        (False, {0: (0, {"a": 1, "b": 2}), 1: [0, 4], 2: [0, 3]}, "uniform"),
        (True, {0: (0, {"a": 1, "b": 2}), 1: [0, 4], 2: [0, 3]}, "last"),
        (False, {0: (0, {"a": 1, "b": 0}), 1: [1]}, "first"),
    ],
    ids=range(9),
)
def test_integers_that_floats_hold(suits: bool, rows: Any, rule: Any) -> None:
    ends = {s: ("end", r) for s, r in rows.items() if isinstance(r, list)}
    game = Table(rows | ends, num_players=len(rows[1]))
    assert suits_floats(game, rule) is suits


@given(data=st.data(), tie_break=RULES)
def test_integers_are_exact_in_floats(data: st.DataObject, tie_break: Any) -> None:
    """Where the float sweep is taken for exact values, it finds what the other does."""
    numbers = data.draw(st.sampled_from([WHOLE, WHOLE, WHOLE | LARGE, SMALL]))
    total = data.draw(st.sampled_from([None, 0, 1]))
    cycles, chance = data.draw(st.booleans()), data.draw(st.booleans())
    game = data.draw(games(pays=True, numbers=numbers, total=total, cycles=cycles))
    if not chance:
        rows = game.rows.items()
        game.rows = {s: (k, r[-1:] if k == "chance" else r) for s, (k, r) in rows}
    calls: list[Any] = []

    def asked(state: Any, actions: Any) -> Any:
        calls.append((state, actions))
        return tie_break(state, actions)

    rule = asked if callable(tie_break) else tie_break
    suits = suits_floats(game, rule)
    if numbers is WHOLE and not cycles and not chance:
        mean = rule == "uniform" and game.num_players > 1 and total is None
        assert suits or mean
    if not suits:
        return
    both = [
        solving.solve_by_sweep(explore(game), rule, x)
        for x in (ExactSweep, IntegerSweep)
    ]
    assert both[0] == both[1]
    assert repr(both[0]) == repr(both[1])
    for name in ("numerators", "denominators", "optimal", "chosen", "open", "turned"):
        one, other = [getattr(solution._source, name) for solution in both]
        assert one.dtype == other.dtype
        assert [*map(type, one.flat)] == [*map(type, other.flat)]
    half = len(calls) // 2
    assert calls[:half] == calls[half:]


@given(
    game=games(pays=True, numbers=SMALL | st.sampled_from([0.1, 0.2, -0.3, 0.5, 1e-9]))
)
def test_floats_are_the_numbers_that_they_are(game: Paying) -> None:
    rational = paying(game, Fraction)
    assert diagonal.solve(game) == diagonal.solve(rational)
    near(diagonal.solve(rational), exact.solve(rational))


@pytest.mark.parametrize("solve", SOLVERS)
@given(game=games())
@example(game=TIE_OF_THIRDS)
def test_a_rule_is_asked_once_where_several_actions_are_optimal(
    solve: Any, game: Table
) -> None:
    asked: list[Any] = []

    def rule(state: Any, actions: Any) -> Any:
        asked.append((state, actions))
        return actions[-1]

    optimal = solve(game, tie_break=rule).optimal_actions
    tied = [(state, actions) for state, actions in optimal.items() if len(actions) > 1]
    assert sorted(asked) == sorted(tied)


# Games that come back to states
# ------------------------------

RETURNING: dict[str, Any] = {"cycles": True, "heavy": True, "max_moves": 3}


@given(
    player=st.integers(0, 2),
    players=st.integers(1, 3),
    pays=st.booleans(),
    data=st.data(),
    tie_break=RULES,
)
def test_one_player_decides(
    player: int, players: int, pays: bool, data: st.DataObject, tie_break: Any
) -> None:
    """The best of all policies that end the play."""
    players = max(players, player + 1)
    game = data.draw(
        games(**RETURNING, max_states=7, players=players, deciders=(player,), pays=pays)
    )
    best = oracles.best_alone(game, player)
    if best is None:
        with pytest.raises(GameError, match=r"^every play must end"):
            exact.solve(game, tie_break=tie_break)
        return
    alone = {
        s: tuple([x if i == player else Fraction(0) for i in range(players)])
        for s, x in best.items()
    }
    gains = any(
        oracles.worth(game, s, action, alone, player) > best[s]
        for s in oracles.decisions(game, player)
        for action in game.rows[s][1]
    )
    if gains:  # then no policy is best of all
        with pytest.raises(GameError, match="somebody gains each time round"):
            exact.solve(game, tie_break=tie_break)
        return
    solution = exact.solve(game, tie_break=tie_break)
    certify(game, solution, tie_break)
    values = oracles.payoffs(solution)
    assert {s: value[player] for s, value in values.items()} == best


@given(
    game=st.booleans().flatmap(
        lambda pays: games(**RETURNING, max_states=6, total=0, pays=pays)
    ),
    tie_break=st.sampled_from(["first", "last"]),
)
@example(game=ONE_ACTION_IN_A_LOOP, tie_break="first")
def test_two_opposed_players(game: Table, tie_break: Any) -> None:
    best = oracles.best_opposed(game)
    try:
        solution = exact.solve(game, tie_break=tie_break)
    except GameError:
        assert best is None or any(
            gain
            for player in (0, 1)
            for policy in oracles.policies(game, (0, 1))
            for gain in oracles.rounds(game, policy, player)
        )
        return
    certify(game, solution, tie_break)
    value = dict(solution.values)
    assert all(x + y == 0 for x, y in oracles.payoffs(solution).values())
    if best is None and not isinstance(game, Paying):
        return  # one side alone can end it, or it does not matter: see test_endless
    assert isinstance(game, Paying) or value == best
    # Each policy guarantees the value: other play costs the opponent without end.
    for player, sign in ((0, 1), (1, -1)):
        mine = {s: a for s, a in solution.policy.items() if game.rows[s][0] == player}
        for theirs in oracles.able(game, 1 - player):
            policy = {**mine, **theirs}
            if oracles.ends(game, policy):
                result = oracles.values(game, policy)
                assert all(sign * (result[s][0] - x) >= 0 for s, x in value.items())
            else:
                assert all(g > 0 for g in oracles.rounds(game, policy, player))


# Neither player alone can end play: 0 may go round by 2, and 1 sends play back to 0.
# But each round of one's own costs, so both end it.
TOGETHER = Paying(
    {
        0: ("chance", [(1, 2, [-1, 1])]),
        1: (1, {"0": 0, "1": 3}),
        2: (0, {"0": 1, "1": 0}),
        3: ("end", [0, 0]),
    },
    0,
    2,
    {(2, "0"): [2, -2]},
)


@pytest.mark.parametrize("solve", SOLVERS)
def test_games_that_only_both_players_end(solve: Any) -> None:
    result = solve(TOGETHER)
    assert oracles.payoffs(result) == {0: (1, -1), 1: (0, 0), 2: (2, -2), 3: (0, 0)}
    assert dict(result.policy) == {1: "1", 2: "0"}
