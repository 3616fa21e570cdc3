"""Equilibria: known ones, those of random games, and games that go round."""

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given, strategies as st

from cardgames_dp import exact, play
from cardgames_dp.game import CHANCE, TERMINAL, GameError, explore, from_function

from ..games import games

BACKENDS: Any = ["float64", "exact"]


def around(stopper: int, after: int, before: int) -> Any:
    """Return a game in which players in turn stop or pass, and what each then gets."""

    def rules(state: tuple[int, bool]) -> tuple[Any, ...]:
        player, over = state
        if over:
            paid = stopper, after, before
            return TERMINAL, [paid[i - player] for i in range(3)]
        return player, {"pass": ((player + 1) % 3, False), "stop": (player, True)}

    return from_function(rules, (0, False), 3)


# The truel
# ---------

HITS = Fraction(1, 5), Fraction(2, 5), Fraction(9, 10)


def after(shooter: int, alive: tuple[int, ...]) -> int:
    return next(each % 3 for each in range(shooter + 1, 9) if each % 3 in alive)


def truel(state: Any) -> tuple[Any, ...]:
    """Shoot at one of the others, or in the air, until one is left."""
    alive, shooter, target = state
    if len(alive) == 1:
        return TERMINAL, [int(i in alive) for i in range(3)]
    missed = alive, after(shooter, alive), None
    if target is None:
        moves = {each: (alive, shooter, each) for each in alive if each != shooter}
        return shooter, {**moves, "air": missed}
    left = tuple(each for each in alive if each != target)
    hit = HITS[shooter]
    return CHANCE, [(hit, (left, after(shooter, left), None)), (1 - hit, missed)]


@pytest.mark.parametrize("backend", BACKENDS)
def test_the_truel_has_one_pure_stationary_equilibrium(backend: Any) -> None:
    """The weakest shoots in the air; the others shoot at each other.

    Whoever hits leaves the weakest the first shot of a duel, whose chances are 5/13 and
    5/23; all miss in 3 of 50 rounds.
    """
    game = from_function(truel, ((0, 1, 2), 0, None), 3)
    result = play.equilibrium(game, backend=backend)
    everyone = 0, 1, 2
    taken = [result.policies[i][everyone, i, None] for i in everyone]
    assert taken == ["air", 2, 1]
    second, third = Fraction(20, 47), Fraction(27, 47)  # of who hits first
    values = [second * Fraction(5, 13) + third * Fraction(5, 23)]
    values += [second * Fraction(8, 13), third * Fraction(18, 23)]
    assert list(map(float, result.payoffs)) == pytest.approx(values, abs=1e-12)
    if backend == "exact":
        assert list(result.payoffs) == values
        assert not result.regrets.any()
    assert result.regrets.shape == (3, explore(game).num_states)
    assert result.regrets.max() <= result.error < 1e-12


# Races
# -----


def race(players: int, goal: int, faces: tuple[int, ...]) -> Any:
    """Return Pig with some faces of a die, besides one that loses the turn's points."""

    def rules(state: Any) -> tuple[Any, ...]:
        player, scores, turn, rolling = state
        if max(scores) >= goal:
            return TERMINAL, [int(score >= goal) for score in scores]
        following = (player + 1) % players
        if rolling:
            lost = following, scores, 0, False
            good = [(1, (player, scores, turn + face, False)) for face in faces]
            return CHANCE, [(1, lost), *good]
        held = list(scores)
        held[player] += turn
        hold = {"hold": (following, tuple(held), 0, False)}
        roll = {"roll": (player, scores, turn, True)}
        if held[player] >= goal:
            return player, hold
        return player, {**roll, **hold} if turn else roll

    return from_function(rules, (0, (0,) * players, 0, False), players)


def by_iteration(players: int, goal: int, faces: tuple[int, ...]) -> list[float]:
    """Return the chances of players in order from the mover, by value iteration."""
    places = sorted(product(range(goal), repeat=players), key=sum, reverse=True)
    values = {scores: [1 / players] * players for scores in places}
    change = 1.0
    while change > 1e-14:
        change = 0.0
        for scores in places:

            def held(turn: int, scores: tuple[int, ...] = scores) -> list[float]:
                mine = scores[0] + turn
                if mine >= goal:
                    return [1.0] + [0.0] * (players - 1)
                after = values[*scores[1:], mine]
                return [after[-1], *after[:-1]]

            lost, ahead = held(0), dict[int, list[float]]()
            for turn in range(goal - scores[0] - 1, -1, -1):
                rolled = [lost, *[ahead.get(turn + f, held(turn + f)) for f in faces]]
                means = [sum(x) / len(rolled) for x in zip(*rolled, strict=True)]
                stop = held(turn)
                ahead[turn] = means if not turn or means[0] >= stop[0] else stop
            away = zip(ahead[0], values[scores], strict=True)
            change = max(change, *[abs(x - y) for x, y in away])
            values[scores] = ahead[0]
    return values[(0,) * players]


@pytest.mark.parametrize(
    ("players", "goal", "faces"),
    [(3, 4, (1,)), (4, 3, (1,)), (3, 6, (2, 3)), (4, 4, (2, 3))],
    ids=["Piglet for 3", "Piglet for 4", "Pig for 3", "Pig for 4"],
)
def test_races_of_several_are_as_by_value_iteration(
    players: int, goal: int, faces: tuple[int, ...]
) -> None:
    result = play.equilibrium(race(players, goal, faces))
    expected = by_iteration(players, goal, faces)
    assert list(result.payoffs) == pytest.approx(expected, abs=1e-9)
    assert result.regrets.max() <= result.error < 1e-9


# Any game
# --------


@given(game=games(max_states=9, max_players=3), data=st.data())
def test_no_player_gains_by_the_best_response(game: Any, data: st.DataObject) -> None:
    backend = data.draw(st.sampled_from(BACKENDS))
    result = play.equilibrium(game, backend=backend)
    policies = list(result.policies)
    for player in range(game.num_players):
        others = play.best_response(game, policies, player, backend=backend)
        assert others.gain is not None
        assert others.gain <= result.error
    assert result.payoffs == play.evaluate(game, policies, backend=backend).payoffs


@given(game=games(total=0))
def test_equilibria_of_opposed_interests_are_solutions(game: Any) -> None:
    assert play.equilibrium(game, backend="exact").payoffs == exact.solve(game).payoffs


def test_policies_from_which_nobody_gains_stay_as_they_are() -> None:
    game = around(1, 2, 0)
    stop: Callable[[Any], str] = lambda state: "stop"  # noqa: E731
    result = play.equilibrium(game, [stop, stop, stop])
    assert result.policies == (stop, stop, stop)
    assert result.rounds == 0
    assert result.payoffs == (1, 2, 0)


def test_results_say_payoffs_and_regrets() -> None:
    result = play.equilibrium(around(1, 2, 0), backend="exact")
    assert repr(result).startswith("Equilibrium(payoffs=(1, 2, 0), rounds=")
    assert "(no player gains in any state; other equilibria may exist)" in str(result)
    plain = result.to_dict(json=True)
    assert plain["payoffs"] == ["1", "2", "0"]
    assert plain["regrets"][2] == ["0"] * 6


# Refusals
# --------


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_game_that_goes_round_shows_its_circle(backend: Any) -> None:
    """Each of three would rather have the next one stop, and stop than the last."""
    game = around(1, 0, 2)
    for profile in product(["pass", "stop"], repeat=3):  # and no profile is stable
        if "stop" in profile:
            policies = [{(i, False): action} for i, action in enumerate(profile)]
            regrets = [play.regret(game, policies, i) for i in range(3)]
            assert any(regret.given_up.any() for regret in regrets)
    with pytest.raises(GameError, match="go round: policies are the same") as caught:
        play.equilibrium(game, backend=backend)
    told = str(caught.value)
    for player, state in enumerate([(0, False), (1, False), (2, False)]):
        for change in ("'pass' -> 'stop'", "'stop' -> 'pass'"):
            assert f"player {player} in {state}: {change}" in told


def test_too_few_rounds_say_who_still_gains() -> None:
    with pytest.raises(ValueError, match=r"more than 1, .*player 2 gained 1/2 in \(2,"):
        play.equilibrium(around(1, 2, 0), rounds=1, backend="exact")
    with pytest.raises(ValueError, match="rounds must be an integer >= 1"):
        play.equilibrium(around(1, 2, 0), rounds=0)


def test_the_refusal_of_three_names_equilibria() -> None:
    with pytest.raises(GameError, match=r"play\.equilibrium looks for an equilibrium"):
        exact.solve(around(1, 2, 0))
