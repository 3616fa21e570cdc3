"""A distribution, asked for what is likely: by hand, and held against itself."""

import math
import statistics
import zlib
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, strategies as st

from cardgames_dp import exact, game, play, redblack
from cardgames_dp._results.distribution import deviation, mean_error, rate_error
from cardgames_dp.game import GameError

from ..games import Pig, games

THIRD = Fraction(1, 3)


def thirds(*results: Any) -> play.Distribution[Fraction]:
    chances = np.empty(len(results), dtype=object)
    chances[:] = [Fraction(1, len(results))] * len(results)
    return play.Distribution("points", np.array(results, dtype=object), chances)


LOADED = thirds(-1, Fraction(1, 2), 4)
DIE = play.Distribution("points", np.arange(1, 7), np.full(6, 1 / 6))


@pytest.mark.parametrize(
    ("x", "below", "here"),
    [
        (-math.inf, 0, 0),
        (-2, 0, 0),
        (-1, 1, 1),
        (0, 1, 0),
        (0.5, 2, 1),
        (Decimal("0.5"), 2, 1),
        (Fraction(1, 2) + Fraction(1, 10**40), 2, 0),  # compared exactly
        (np.int8(4), 3, 1),
        (10**400, 3, 0),
        (math.inf, 3, 0),
    ],
)
def test_probabilities_by_hand(x: Any, below: int, here: int) -> None:
    assert LOADED.cdf(x) == below * THIRD
    assert LOADED.sf(x) == 1 - below * THIRD
    assert LOADED.pmf(x) == here * THIRD
    assert type(LOADED.sf(x)) is type(LOADED.pmf(x)) is Fraction


def test_the_ends_of_quantiles() -> None:
    assert (DIE.quantile(0), DIE.quantile(1)) == (1, 6)
    assert (LOADED.quantile(THIRD), LOADED.quantile(THIRD + Fraction(1, 9**40))) == (
        -1,
        Fraction(1, 2),
    )


def test_what_is_cut_off_counts_as_infinite() -> None:
    for half in (0.5, Fraction(1, 2)):
        shares = np.array([half, half / 2])
        law: Any = play.Distribution("moves", np.array([3, 7]), shares, rest=0.25)
        assert [law.quantile(q) for q in (0, half, 0.75)] == [3, 3, 7]
        assert [law.quantile(q) for q in (0.7500001, 1)] == [math.inf] * 2
    race = exact.solve(Pig(3))
    for backend in ("exact", "float64"):
        moves: Any = play.distribution(race, backend=backend).moves
        assert moves.rest > 0
        assert moves.quantile(0.99) in moves.support
        assert moves.quantile(1) == math.inf


def test_arrays_have_the_pairs_of_an_iteration() -> None:
    for law in (LOADED, DIE):
        assert np.asarray(law).tolist() == [*map(list, law)]
    assert np.asarray(LOADED).dtype == object
    assert np.asarray(LOADED, dtype=float)[1].tolist() == [0.5, 1 / 3]


def accepts(before: Any, after: Any) -> bool:
    """Return True for half of all moves."""
    return zlib.crc32(f"{before} {after}".encode()) % 2 == 0


@given(game=st.one_of(games(pays=True), games(cycles=True, total=1)))
def test_moves_that_a_function_counts(game: Any) -> None:
    """Their mean is that of the moves that count, each as often as it is made."""
    try:
        solution = exact.solve(game)
    except GameError:
        assume(False)
    laws = play.distribution(solution, count=accepts)
    mean, result = 0.0, solution.explored
    for state, often in laws.visits.items():
        node = result.node(result.place(state))
        after = [result.state(place) for place in node.following]
        weights = node.weights
        if node.actions:
            weights = [action == solution.policy[state] for action in node.actions]
        counts = [w for s, w in zip(after, weights, strict=True) if accepts(state, s)]
        mean += often * sum(counts) / (sum(weights) or 1)
    assert math.isclose(laws.moves.mean, mean, rel_tol=1e-9, abs_tol=1e-9)
    assert laws.moves.of == "accepts"
    every, plain = (
        play.distribution(solution, count=x).moves for x in (lambda *_: True, None)
    )
    assert every.support.tolist() == plain.support.tolist()
    assert np.allclose(every.probabilities, plain.probabilities, rtol=1e-9)


def test_moves_that_a_function_counts_in_arrays() -> None:
    def draws(before: Any, after: Any) -> Any:
        return (before.decision == "") & (after.decision == "draw")

    deck = redblack.solve(4, 4)
    for call in (play.distribution, lambda *x, **y: play.simulate(*x, rng=1, **y)):
        explored = call(game.explore(redblack.game(4, 4)), deck, count=draws).moves
        right = call(game.explore(redblack.game(4, 4)), deck, count="draw").moves
        assert dict(explored) == dict(right)
        assert (explored.of, right.of) == ("draws", "'draw' moves")
    assert dict(play.distribution(deck, count=draws).moves) == dict(
        play.distribution(game.explore(redblack.game(4, 4)), deck, count="draw").moves
    )


@pytest.mark.parametrize(
    ("count", "words"),
    [
        (lambda *_: 1, "count must return True or False for each move, got 1"),
        (lambda *_: np.ones(2, dtype=bool), "count must return True or False for each"),
        ([1], "count must be an action of the game, or a function of two states, got"),
        (True, "count must be an action of the game, or a function of two states, got"),
    ],
)
@pytest.mark.parametrize("call", [play.distribution, play.simulate])
def test_what_does_not_say_what_counts(call: Any, count: Any, words: str) -> None:
    with pytest.raises(TypeError, match=f"^{words}"):
        call(redblack.solve(2, 2), count=count)


def test_samples_are_results_as_often_as_they_are_likely() -> None:
    certain = play.Distribution(
        "points", np.array([1, 2, 3]), np.array([0.0, 1.0, 0.0])
    )
    assert certain.sample(9, rng=1).tolist() == [2] * 9
    assert type(DIE.sample(rng=1)) is int
    assert LOADED.sample(3, rng=2).dtype == object
    drawn, rng = DIE.sample(60_000, rng=np.random.default_rng(3)), 3
    assert (drawn == DIE.sample(60_000, rng=rng)).all()
    counts = np.bincount(drawn, minlength=7)
    assert counts[0] == 0
    assert np.abs(counts[1:] - 10_000).max() < 5 * math.sqrt(60_000 * 5 / 36)


def test_iteration_gives_results_and_their_probabilities() -> None:
    assert list(LOADED) == [(-1, THIRD), (Fraction(1, 2), THIRD), (4, THIRD)]
    assert dict(LOADED) == LOADED.to_dict()
    assert len(LOADED) == 3
    assert [type(x) for x, _ in DIE] == [int] * 6
    assert [p for _, p in DIE] == DIE.probabilities.tolist()


# Standard errors of simulated games: one convention
# --------------------------------------------------

RESULTS = st.lists(st.integers(-5, 5), min_size=2, max_size=40)


@given(RESULTS)
def test_deviation_is_that_of_the_sample(results: list[int]) -> None:
    values, counts = np.unique(results, return_counts=True)
    result = deviation(values, counts, statistics.mean(results))
    assert result == pytest.approx(statistics.stdev(results), abs=1e-15)


@given(wins=st.integers(0, 50), losses=st.integers(0, 50))
def test_a_rate_is_a_mean_of_zeros_and_ones(wins: int, losses: int) -> None:
    games = wins + losses
    if games < 2:
        return
    counts = np.array([losses, wins])
    spread = deviation(np.array([0, 1]), counts, wins / games)
    error = mean_error(spread, games)
    assert rate_error(wins / games, games) == pytest.approx(error, abs=1e-15)


def test_errors_of_arrays() -> None:
    rates = np.array([[0.0, 0.5], [0.2, 1.0]])
    errors = rate_error(rates, 101)
    assert errors.shape == (2, 2)
    np.testing.assert_allclose(errors, [[0, 0.05], [0.04, 0]], rtol=1e-15)
    np.testing.assert_allclose(mean_error(rates, 4), rates / 2)


def test_one_game_tells_nothing() -> None:
    assert math.isnan(deviation(np.array([3]), np.array([1]), 3.0))
    assert math.isnan(rate_error(1.0, 1))
    assert np.isnan(rate_error(np.array([0.0, 1.0]), 1)).all()


def test_a_float_stays_a_float() -> None:
    assert type(rate_error(0.5, 3)) is float
    assert type(rate_error(0.5, 1)) is float


def test_deviations_of_large_results_do_not_overflow() -> None:
    result = deviation(np.array([-1e300, 1e300]), np.array([2, 2]), 0.0)
    assert result == pytest.approx(1e300 * math.sqrt(4 / 3), rel=1e-15)
