"""What a play that never ends pays: values that do not depend on it, and refusals."""

import math
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, strategies as st

from cardgames_dp import diagonal, exact, game as protocol, play
from cardgames_dp._loops.components import Group
from cardgames_dp.game import GameError, explore
from cardgames_dp.play._kernels.chain import _ratios

from . import oracles
from .games import Listed, Paying, Table, games

SOLVERS: list[Any] = [exact.solve, diagonal.solve]


def opposed(rows: dict[Any, Any], paid: Any = None) -> Paying:
    """Return a game of two players, given what the first one gets; it begins at "A".

    In place of a state, moves may lead to a number, which ends the game.
    """
    ends = {
        after
        for kind, what in rows.values()
        for after in (what.values() if kind != "chance" else [t for _, t in what])
        if after not in rows
    }
    every = rows | {x: ("end", [x, -x]) for x in ends}
    both = {move: [x, -x] for move, x in (paid or {}).items()}
    return Paying(every, "A", 2, both)


def chain(size: int) -> Table:
    """Return Haddad and Monmege's game, which comes back to 0 after each false step."""
    rows: dict[Any, Any] = {0: ("chance", [(1, -1), (1, 1)])}
    for state in range(1, size):
        rows |= {s * state: ("chance", [(1, s * (state + 1)), (1, 0)]) for s in (1, -1)}
    return Table(rows | {size: ("end", [1]), -size: ("end", [0])})


ROUND = {"A": (0, {"stop": 1, "go": "B"}), "B": (1, {"back": "A", "round": "C"})}
LEAVE = Paying(
    {0: (0, {"wait": 0, "leave": 1}), 1: ("end", [0])},
    paid={(0, "wait"): [-1], (0, "leave"): [10**6]},
)
ROUNDS = Paying(
    {0: ("chance", [(10**9 - 1, 0, [1]), (1, 1, [1])]), 1: ("end", [0])},
)
TOSS = {
    "A": (0, {"stop": 0, "toss": "B"}),
    "B": ("chance", [(1, "A", [1]), (1, "A", [-1])]),
}


@pytest.mark.parametrize("solve", SOLVERS)
@pytest.mark.parametrize(
    ("game", "value"),
    [
        (opposed(ROUND | {"C": ("chance", [(1, "A")])}), 1),
        (
            opposed(
                {
                    "A": (0, {"a": "A", "b": "B", "prize": 1, "nothing": 0}),
                    "B": (1, {"a": "A", "prize": 1}),
                }
            ),
            1,
        ),
        (
            opposed(
                {"A": (1, {"delay": "B", "end": 3}), "B": (0, {"back": "A", "end": 0})},
                {("A", "delay"): 1},
            ),
            3,
        ),
        (
            opposed(
                {"A": (1, {"end": 1, "on": "B"}), "B": (0, {"end": 1, "back": "A"})},
                {("A", "end"): 2, ("B", "end"): -1, ("B", "back"): 2},
            ),
            3,
        ),
        (LEAVE, 10**6),
        (Paying(TOSS | {0: ("end", [0])}, "A"), 0),
        (chain(10), Fraction(1, 2)),
        (chain(50), Fraction(1, 2)),
        (chain(400), Fraction(1, 2)),
        (ROUNDS, 10**9),
    ],
)
def test_values_that_are_clear(solve: Any, game: Any, value: Any) -> None:
    solution = solve(game)
    assert abs(Fraction(solution.payoffs[0]) - value) <= Fraction(solution.error)
    assert solution.error <= 1e-12 * (1 + value)


DEPENDS = "the value of 'A' depends on what a play that never ends pays: "
ROUND_AB = "play can go on for ever 'A' -> 'B' -> 'A' (a cycle of 2)"
GIVE = "give endless_returns"
GAINS = (
    "what players get must have a bound, but somebody gains each time round: a play "
    "can come back to "
)


@pytest.mark.parametrize(
    ("game", "message"),
    [
        (
            opposed({"A": (0, {"on": "B", "end": 0}), "B": (1, {"on": "A", "end": 1})}),
            f"{DEPENDS}it is 0 if that is 0, the least that this game pays, and 1 if "
            f"it is 1, the most; {ROUND_AB}, which both players can prevent; {GIVE}",
        ),
        (
            opposed(
                {
                    "A": (0, {"on": "B", "stay": "A", "end": Fraction(1, 3)}),
                    "B": (1, {"on": "A", "stay": "B", "end": 1}),
                }
            ),
            f"{DEPENDS}it is 1/3 if that is 1/3, the least that this game pays, and "
            f"1 if it is 1, the most; {ROUND_AB}, which neither player alone can "
            f"prevent; {GIVE}",
        ),
        (
            opposed(
                {"A": (0, {"on": "B", "end": 0}), "B": (1, {"on": "A", "end": 1})},
                {("B", "end"): 1},
            ),
            f"{DEPENDS}{ROUND_AB}, and who ends it loses by that; {GIVE}",
        ),
        (
            Paying(
                {"A": (0, {"on": "A", "end": 0}), 0: ("end", [0])},
                "A",
                1,
                {("A", "on"): [1]},
            ),
            f"{GAINS}'A': 'A' -> 'A' (a cycle of 1)",
        ),
        # Player 0 gains by going on, and 1 need not let it.
        (
            opposed(
                {
                    "A": (0, {"end": 0, "on": "B"}),
                    "B": (1, {"on": "A", "wait": "C"}),
                    "C": ("chance", [(1, "B")]),
                },
                {("A", "on"): 2, ("B", "wait"): 1},
            ),
            f"{DEPENDS}{ROUND_AB}, and who ends it loses by that; {GIVE}",
        ),
        # Only the cycle that pays counts, of states that come back for nothing.
        (
            opposed(
                {
                    "A": (0, {"on": "B"}),
                    "B": (0, {"gain": "B", "end": 0, "back": "C"}),
                    "C": ("chance", [(1, "A"), (1, "C")]),
                },
                {("B", "gain"): 2},
            ),
            f"{GAINS}'B': 'B' -> 'B' (a cycle of 1)",
        ),
        (
            opposed(
                {
                    "A": (0, {"on": "C", "wait": "A", "pay": "C"}),
                    "B": (0, {"on": "C", "pay": "B"}),
                    "C": (1, {"gain": "B", "back": "A", "stay": "C", "end": 0}),
                },
                {("A", "pay"): -2, ("B", "on"): -2, ("B", "pay"): -2},
            ),
            f"{GAINS}'C': 'C' -> 'B' -> 'C' (a cycle of 2)",
        ),
    ],
)
def test_refusals_are_the_same(game: Any, message: str) -> None:
    if ("B", "pay") in game.paid:
        game.endless_returns = Fraction(-1, 2), Fraction(1, 2)
    for solve in SOLVERS:
        with pytest.raises(GameError) as raised:
            solve(game)
        assert str(raised.value) == message


# A number for endless play
# -------------------------


def mixed(draw: Any, *, pays: bool, deciders: tuple[int, ...] = (0, 1)) -> Any:
    """Return a random game of which no state need be left, and the moves that pay.

    All that moves pay has one sign.
    """
    game = draw(
        games(cycles=True, total=0, max_states=5, max_moves=3, deciders=deciders)
    )
    paid = {}
    sign = draw(st.sampled_from([1, -1]))
    for state, (kind, what) in game.rows.items():
        for action in what if pays and kind not in ("chance", "end") else ():
            if draw(st.booleans()):
                x = sign * draw(st.integers(1, 2))
                paid[state, action] = x, -x
    return (
        Paying(game.rows, num_players=2, paid=paid)
        if paid
        else Table(game.rows, num_players=2)
    )


def endless_values(game: Any, policy: Any, never: Fraction) -> dict[Any, Any]:
    """Return what a policy of both gives the first player, or an infinity."""
    states = oracles.reachable(game)
    after = {s: oracles.moves(game, s, policy) for s in states}
    reach = {s: set(oracles.reachable(Table(game.rows, s), policy)) for s in states}
    worth: dict[Any, Any] = {}
    for s in states:
        if game.rows[s][0] == "end":
            worth[s] = Fraction(game.rows[s][1][0])
        elif all(s in reach[t] for t in reach[s]):
            paid = [Fraction(p[0]) for t in reach[s] for _, _, p in after[t]]
            worth[s] = never if not any(paid) else math.copysign(math.inf, sum(paid))
    left = [s for s in states if s not in worth]
    for s in left:
        beyond = {worth[t] for t in reach[s] if t in worth} & {math.inf, -math.inf}
        assume(len(beyond) < 2)
        worth |= dict.fromkeys([s] * len(beyond), *beyond or [0])
    left = [s for s in left if s not in worth]
    rows = [[Fraction(0)] * (len(left) + 1) for _ in left]
    for row, s in zip(rows, left, strict=True):
        row[left.index(s)] += 1
        for chance, t, pays in after[s]:
            row[-1] += chance * Fraction(pays[0])
            if t in left:
                row[left.index(t)] -= chance
            else:
                row[-1] += chance * worth[t]
    oracles.eliminate(rows)
    return worth | {s: row[-1] for s, row in zip(left, rows, strict=True)}


def values_of_all(game: Any, never: Fraction) -> dict[Any, Any]:
    """Return the value for the first player, by brute force."""
    best: dict[Any, Any] = {}
    for mine in oracles.policies(game, (0,)):
        worst: dict[Any, Any] = {}
        for theirs in oracles.policies(game, (1,)):
            result = endless_values(game, mine | theirs, never)
            worst = {s: min(x, worst.get(s, x)) for s, x in result.items()}
        best = {s: max(x, best.get(s, x)) for s, x in worst.items()}
    return best


NEVER = st.sampled_from([Fraction(k, 2) for k in range(-4, 5)])


@given(data=st.data(), pays=st.booleans(), never=NEVER)
def test_what_an_endless_play_pays(
    data: st.DataObject, pays: bool, never: Fraction
) -> None:
    """Values, and policies that secure them, in both backends and forms."""
    game = mixed(data.draw, pays=pays)
    right = values_of_all(game, never)
    game.endless_returns = never, -never
    forms = [game, Listed(game, levels=[0] * len(game.rows))]
    forms[1].endless_returns = [never, -never]
    for solve, form in product(SOLVERS, forms):
        if any(map(math.isinf, right.values())):
            with pytest.raises(GameError, match="somebody gains each time round"):
                solve(form)
            continue
        solution = solve(form)
        error = Fraction(solution.error)
        if form is game:
            error = max(map(Fraction, solution.errors.values()))
        assert error < 1e-9
        if form is not game:
            assert abs(Fraction(solution.value) - right[game.start]) <= error
            continue
        for state, value in solution.values.items():
            assert abs(Fraction(value) - right[state]) <= error
        for player, sign in ((0, 1), (1, -1)):
            mine = {
                s: a for s, a in solution.policy.items() if game.rows[s][0] == player
            }
            for theirs in oracles.policies(game, (1 - player,)):
                result = endless_values(game, theirs | mine, never)
                assert all(sign * (result[s] - right[s]) >= -3 * error for s in right)
        if solution.policy:
            again = play.evaluate(solution, backend="exact")
            assert abs(again.value - right[game.start]) <= 3 * error


@given(data=st.data(), pays=st.booleans(), never=NEVER)
def test_policies_that_may_never_end(
    data: st.DataObject, pays: bool, never: Fraction
) -> None:
    """All of `play` beside brute force, for policies drawn at random."""
    game = mixed(data.draw, pays=pays)
    mine, theirs = (
        data.draw(st.sampled_from(list(oracles.policies(game, (k,))))) for k in (0, 1)
    )
    before = endless_values(game, mine | theirs, never)
    each = [
        endless_values(game, x | theirs, never) for x in oracles.policies(game, (0,))
    ]
    assume(all(map(math.isfinite, before.values())))
    assume(not any(math.inf in values.values() for values in each))
    best = max(values[game.start] for values in each)
    game.endless_returns = never, -never
    for backend in ("exact", "float64"):
        arguments: Any = {"policies": mine | theirs, "backend": backend}
        law = play.distribution(game, **arguments)
        result = play.regret(game, **arguments)
        error = 1e-9 if backend == "float64" else 0
        assert result.error <= error
        assert abs(result.loss - (best - before[game.start])) <= result.error
        assert abs(result.cost.sum() - result.loss) <= error
        assert (result.given_up >= 0).all()
        assert result.mistakes >= (result.loss > result.error)
        value = play.evaluate(game, **arguments).value
        assert abs(value - before[game.start]) <= error
        cut = 1e-9 if law.rest else 0  # what plays pay that go on
        assert abs(law.mean[0] - value) <= error + cut
        assert abs(law.never + sum(law.reach[s] for s in ends_of(game)) - 1) <= error
        response = play.best_response(game, player=0, **arguments)
        assert abs(response.gain - (best - before[game.start])) <= error


def ends_of(game: Table) -> list[Any]:
    """Return the terminal states that plays can reach."""
    return [s for s in oracles.reachable(game) if game.rows[s][0] == "end"]


def clear(game: Table) -> dict[Any, Any] | None:
    """Return the values if they are clear though nothing is said; by brute force."""
    states = oracles.reachable(game)
    reach = {s: set(oracles.reachable(Table(game.rows, s))) for s in states}
    known = {
        s: Fraction(game.rows[s][1][0]) for s in states if game.rows[s][0] == "end"
    }
    if not known:
        return None
    low, high = min(known.values()), max(known.values())
    while left := [s for s in states if s not in known]:
        s = min(left, key=lambda s: len(reach[s]))
        part = {t for t in reach[s] if s in reach[t]}
        after = {x for t in part for x in reach[t]} - part
        if part and s in reach[s] and not after:
            return None
        rows = {t: game.rows[t] for t in part}
        rows |= {t: ("end", [known[t], -known[t]]) for t in after}
        who = {
            game.rows[t][0]
            for t in part
            if game.rows[t][0] in (0, 1) and len(game.rows[t][1]) > 1
        }
        sure = [_forces(rows, part, player) for player in (0, 1)]
        numbers = [high if who == {1} else low]
        if who == {0, 1}:
            numbers = [low, high] if sure[0] == sure[1] else [low if sure[0] else high]
        result = [values_of_all(Table(rows, t, 2), x) for x in numbers for t in part]
        for values in result:
            for t in part & set(values):
                if known.setdefault(t, values[t]) != values[t]:
                    return None
    return known


def _forces(rows: Any, part: set[Any], player: int) -> bool:
    """Return whether a player can leave some states from each of them."""
    inside = set(part)
    for _ in part:
        for s in list(inside):
            kind, what = rows[s]
            to = list(what.values()) if kind != "chance" else [t for w, t in what if w]
            some = any if kind in (player, "chance") else all
            if some(t not in inside for t in to):
                inside.discard(s)
    return not inside


@given(
    game=games(cycles=True, total=0, max_states=5, max_moves=3, deciders=(0, 1)),
)
def test_the_rule_where_nothing_is_said(game: Table) -> None:
    right = clear(game)
    told = set()
    for solve in SOLVERS:
        if right is None:
            with pytest.raises(GameError, match="endless_returns") as raised:
                solve(game)
            told.add(str(raised.value))
            continue
        solution = solve(game)
        assert solution.error < 1e-9
        for state, value in solution.values.items():
            assert abs(Fraction(value) - right[state]) <= solution.errors[state]
        assert oracles.ends(game, solution.policy, reached=True)
    assert len(told) <= 1


class Circle:
    """Two players pass a coin round; from any place but 0, its player may keep it."""

    num_players = 2
    endless_returns: Any = (0, 0)

    def initial_state(self) -> int:
        return 1

    def current_player(self, state: int) -> int:
        return protocol.TERMINAL if state < 0 else state % 2

    def legal_actions(self, state: int) -> list[str]:
        return ["pass", "keep"] if state else ["pass"]

    def next_state(self, state: int, action: str) -> int:
        return (state + 1) % 4 if action == "pass" else -1 - state % 2

    def chance_outcomes(self, state: int) -> list[Any]:
        return []

    def returns(self, state: int) -> list[int]:
        return [-1, 1] if state == -1 else [1, -1]


@pytest.mark.parametrize("solve", SOLVERS)
@pytest.mark.parametrize(("never", "value"), [(0, 0), (-2, -1), (2, 1)])
def test_draws(solve: Any, never: int, value: int) -> None:
    """Who keeps the coin loses 1, which is better than to lose 2 by passing it on."""
    explored: Any = explore(Circle())
    assert explored.endless_returns == (0, 0)
    other = explored.with_endless_returns([never, -never])
    assert solve(other).payoffs == (value, -value)
    assert (other == explored) is (never == 0)
    assert explored.with_endless_returns(None).endless_returns is None


@pytest.mark.parametrize(
    ("never", "kind", "told"),
    [
        ([0], GameError, r"^endless_returns must hold one number per player \(num_pl"),
        ([0, 0, 0], GameError, r"^endless_returns must hold one number per player"),
        (
            [math.nan, 0],
            GameError,
            r"^endless_returns must hold finite numbers, got na",
        ),
        (["0", 0], TypeError, r"^endless_returns must hold numbers \(int, Fraction or"),
        (0, TypeError, r"^endless_returns must be a sequence, as a list or a tuple, g"),
        ([1, 0], GameError, r"^endless_returns of players 0 and 1 must sum to 0, as w"),
    ],
)
def test_wrong_endless_returns(never: Any, kind: Any, told: str) -> None:
    game = Circle()
    game.endless_returns = never
    calls: list[Any] = [lambda solve=solve: solve(game) for solve in SOLVERS]
    calls.append(lambda: exact.solve(explore(Circle()).with_endless_returns(never)))
    for call in calls:
        with pytest.raises(kind, match=told):
            call()


def test_endless_returns_that_are_floats() -> None:
    game = Circle()
    game.endless_returns = 0.5, -0.5
    assert diagonal.solve(game).error == 0
    with pytest.raises(TypeError, match=r"^endless_returns must be integers or Fracti"):
        exact.solve(game)


@pytest.mark.parametrize("solve", SOLVERS)
def test_moves_that_pay_both_ways(solve: Any) -> None:
    rows = {"A": (0, {"on": "B", "end": 0}), "B": (1, {"on": "A"})}
    game = opposed(rows, {("A", "on"): 1, ("B", "on"): -1})
    game.endless_returns = 0, 0  # type: ignore[attr-defined]
    with pytest.raises(GameError, match=r"^moves among 'A', 'B' pay both ways, so a"):
        solve(game)


@pytest.mark.parametrize("backend", ["exact", "float64"])
def test_play_that_never_ends(backend: Any) -> None:
    """Half of all plays go round for ever between 1 and 2, the others end at once."""
    rows = {
        0: ("chance", [(1, 1, [1, -1]), (1, 3, [0, 0])]),
        1: (0, {"on": 2, "end": 3}),
        2: (1, {"back": 1, "end": 3}),
        3: ("end", [2, -2]),
    }
    game = Paying(rows, num_players=2)
    game.endless_returns = Fraction(-1, 4), Fraction(1, 4)  # type: ignore[attr-defined]
    policy = {1: "on", 2: "back"}
    result = play.distribution(game, policy, backend=backend)
    assert result.never == result.moves.pmf(math.inf) == Fraction(1, 2)
    assert result.returns[0].to_dict() == {Fraction(3, 4): 0.5, 2: 0.5}
    assert (
        result.mean[0] == play.evaluate(game, policy, backend=backend).value == 11 / 8
    )
    assert [result.reach[s] for s in range(4)] == [1, 0.5, 0.5, 0.5]
    assert [result.visits[s] for s in range(4)] == [1, math.inf, math.inf, 0.5]
    assert result.rest == 0
    assert str(result).endswith("(inf: games that never end, 0.5 of all)")
    with pytest.raises(GameError, match=r"^a play may go on for ever, as a play can"):
        play.simulate(game, policy)
    regret = play.regret(game, policy, backend=backend)
    assert (regret.states, regret.visits[0], regret.reach[0]) == ((1,), math.inf, 0.5)
    assert (regret.given_up[0], regret.cost[0]) == (Fraction(9, 4), Fraction(9, 8))
    assert not play.regret(game, policy, 1, backend=backend).mistakes
    with pytest.raises(ValueError, match="count must be left out"):
        play.distribution(game, policy, count="on", backend=backend)
    response = play.best_response(game, policy, 0, backend=backend)
    assert (response.payoffs[0], response.policy[1]) == (2.5, "end")


def test_play_that_pays_for_ever() -> None:
    game = Paying(
        {0: (0, {"on": 0, "end": 1}), 1: ("end", [0])}, paid={(0, "on"): [-1]}
    )
    game.endless_returns = [0]  # type: ignore[attr-defined]
    assert exact.solve(game).value == diagonal.solve(game).value == 0
    with pytest.raises(GameError, match=r"^a play that goes on for ever pays without"):
        play.distribution(game, {0: "on"})


def test_long_waits_are_cut() -> None:
    """An event of chance 1 in 1000: visits are exact, and what is cut off is said."""
    game = Table({0: ("chance", [(1, 1), (999, 0)]), 1: ("end", [1])})
    result = play.distribution(game, {}, backend="exact")
    assert result.visits[0] == 1000
    last = int(result.moves.support[-1])
    assert 1000 < last < 30_000
    assert result.rest == pytest.approx(0.999**last, rel=1e-9)


@given(
    powers=st.lists(st.integers(0, 40), min_size=3, max_size=3),
    below=st.lists(st.integers(0, 40), min_size=3, max_size=3),
    other=st.sampled_from([1, 7, 143]),
)
def test_ratios_in_lowest_terms(
    powers: list[int], below: list[int], other: int
) -> None:
    """The base has all primes of the bottom, to other powers."""
    top, bottom = (2**a * 3**b * 5**c for a, b, c in (powers, below))
    (ratio,) = _ratios(np.array([top * other], dtype=object), bottom, 2 * 3**2 * 5)
    assert ratio.as_integer_ratio() == Fraction(top * other, bottom).as_integer_ratio()


@pytest.mark.parametrize("solve", SOLVERS)
def test_long_ways_are_walked_once(solve: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The work is linear in states, however far the end is."""
    before, steps = Group.before, list[int]()

    def counted(self: Group, states: Any) -> Any:
        steps.append(1 + len(states))
        return before(self, states)

    monkeypatch.setattr(Group, "before", counted)
    work = []
    for size in (200, 400):
        rows: dict[Any, Any] = {
            s: (s % 2, {"on": s + 1} | ({} if s % 2 else {"back": 0}))
            for s in range(size)
        }
        game = Table(rows | {size: ("end", [1, -1])}, num_players=2)
        game.endless_returns = 0, 0  # type: ignore[attr-defined]
        steps.clear()
        # A tie rule that goes back wherever that is as good.
        assert solve(game, tie_break="last").value == 1
        work.append(sum(steps))
    assert work[1] < 2.2 * work[0]
