"""Simulated games: how they are dealt, counted and kept, whoever plays them."""

import math
import pickle
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import cardgames_dp
from cardgames_dp import redblack
from cardgames_dp.redblack import Rules, simulation
from cardgames_dp.redblack.policies import Policy, StopAt
from cardgames_dp.redblack.simulation import simulate

from ..test_spread import Elsewhere
from . import sources


def capped(cash: NDArray[Any]) -> NDArray[Any]:
    """A utility that pickles: nothing beyond 2 is of any use."""
    result: NDArray[Any] = np.minimum(cash, 2)
    return result


SATED = Rules(utility=capped)
SOURCE = [float(p) for p in sources.PAYOFF_PROBABILITIES]


def test_problem_14() -> None:
    """The law, the deviation and the number of draws of the exact forward sweep."""
    games, law = 100_000, np.array(SOURCE)
    result = simulate(26, 26, games=games, rng=14)
    assert abs(result.mean - float(sources.V26)) < 4 * result.standard_error
    assert result.standard_deviation == pytest.approx(1.973770, abs=0.015)
    assert result.moves.mean == pytest.approx(36.451560, abs=0.2)
    assert result.payoff.support.tolist() == [0, 1, 2, 3, 4, 5, 6]
    chi_square = games * ((result.payoff.probabilities - law) ** 2 / law).sum()
    assert chi_square < 35  # six degrees of freedom: exceeded with probability 4e-6
    draw = simulate(26, 26, games=games, rng=3, rules=Rules(tie="draw"))
    assert abs(draw.mean - float(sources.V26)) < 4 * draw.standard_error
    assert draw.moves.mean == pytest.approx(36.607307, abs=0.15)
    assert 49 in result.moves.support  # 1 red, 2 black left: the tie
    assert 49 not in draw.moves.support


@pytest.mark.parametrize("games", [1, 6, 7, 8, 100])
def test_chunks(monkeypatch: pytest.MonkeyPatch, games: int) -> None:
    """Fewer games than a chunk, as many, more, and a multiple or not."""
    monkeypatch.setattr(simulation, "CHUNK", 7)
    result = simulate(6, 6, games=games, rng=1, paths=games)
    ends = Counter(path[-1] for path in result.paths)
    lengths = Counter(len(path) - 1 for path in result.paths)
    for found, counts in ((result.payoff, ends), (result.moves, lengths)):
        assert found.to_dict() == {x: count / games for x, count in counts.items()}


def test_paths_are_walks_of_the_deck() -> None:
    rules = Rules(win=0.1, lose=0.3)
    result = simulate(9, 8, games=60, policy="never_stop", rules=rules, paths=49)
    assert len(result.paths) == 49
    for path in result.paths:
        won = np.diff(path) > 0
        assert (len(won), won.sum(), path[0]) == (17, 9, 0)
        drawn = np.cumsum(won), np.cumsum(~won)
        cash = [float(rules.cash(r, b)) for r, b in np.transpose(drawn).tolist()]
        assert path[1:].tolist() == cash


def test_moments_are_those_of_the_games() -> None:
    result = simulate(8, 8, games=300, rules=SATED, rng=6, paths=300)
    rewards = capped(np.array([path[-1] for path in result.paths]))
    assert result.mean == pytest.approx(rewards.mean(), rel=1e-14)
    assert result.standard_deviation == pytest.approx(rewards.std(ddof=1), rel=1e-14)
    assert result.standard_error == result.standard_deviation / math.sqrt(300)
    assert result.moves.mean == pytest.approx(
        np.mean([len(path) - 1 for path in result.paths])
    )
    how: Any = {"games": 300, "rng": 6, "paths": 300, "policy": StopAt(cash=3)}
    greedy = simulate(8, 8, rules=Rules(lose=2), **how)
    lost = sum(path[-1] < 0 for path in greedy.paths)
    assert greedy.payoff.loss_probability == pytest.approx(lost / 300)
    assert 0 < lost < 300


def test_odd_sizes() -> None:
    one = simulate(5, 5, games=1, rng=1)
    assert math.isnan(one.standard_deviation)
    assert math.isnan(one.standard_error)
    assert one == simulate(5, 5, games=1, rng=1)
    nobody: Any = None
    empty = simulate(0, 0, games=3, policy=lambda *_: nobody, paths=1)  # is not asked
    assert (empty.mean, empty.moves.mean) == (0, 0)
    assert empty.paths[0].tolist() == [0]
    large = simulate(3, 3, games=100, rules=Rules(win=1e300, lose=1e300), rng=1)
    small = simulate(3, 3, games=100, rng=1)
    assert large.mean == pytest.approx(small.mean * 1e300)
    assert large.standard_deviation == pytest.approx(small.standard_deviation * 1e300)
    ruined = simulate(
        *(6, 6), games=200, rng=1, policy=lambda r, b: abs(r - b) == 2,
        rules=Rules(utility=redblack.utilities.log(wealth=2)),
    )  # fmt: skip
    assert ruined.mean == -math.inf
    assert math.isnan(ruined.standard_deviation)
    assert "mean utility -inf" in str(ruined)


def test_deck_beyond_short_integers() -> None:
    half = 40_000
    result = simulate(half, half, games=900, policy=StopAt(draws=100), rng=1, paths=1)
    assert result.moves.support.tolist() == [100]
    assert abs(result.mean) < 5 * result.standard_error
    assert result.standard_deviation == pytest.approx(10, rel=0.2)
    assert len(result.paths[0]) == 101


def test_seeds() -> None:
    result = simulate(10, 10, games=1000, rng=1)
    generator = np.random.default_rng(1)
    assert result == simulate(10, 10, games=1000, rng=np.int64(1))  # type: ignore[arg-type]
    assert result == simulate(10, 10, games=1000, rng=generator)
    assert result != simulate(10, 10, games=1000, rng=generator)
    assert result != simulate(10, 10, games=1000, rng=2)
    assert simulate(10, 10, games=1000) != simulate(10, 10, games=1000)


def test_paths_do_not_change_the_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulation, "CHUNK", 400)
    without, some, every = (
        simulate(10, 10, games=1000, rng=1, paths=paths) for paths in (0, 49, 1000)
    )
    assert replace(every, paths=()) == replace(some, paths=()) == without
    assert replace(every, paths=every.paths[:49]) == some
    assert some != without


def test_executors(monkeypatch: pytest.MonkeyPatch) -> None:
    """All that workers are given, and all that they find, is pickled."""
    monkeypatch.setattr(simulation, "CHUNK", 400)
    policies: list[Policy] = ["optimal", "first_positive", StopAt(3, loss=2)]
    careful = Rules(utility=redblack.utilities.log(wealth=100))
    for policy, rules in [
        *((each, Rules()) for each in policies),
        ("optimal", careful),
    ]:
        how: Any = {"policy": policy, "rules": rules, "rng": 1, "paths": 500}
        alone = simulate(10, 10, games=1000, **how)
        with cardgames_dp.running(progress=True):
            assert alone == simulate(10, 10, games=1000, **how, executor=Elsewhere(2))


@pytest.mark.parametrize(("draws", "most"), [(1, 1), (420, 3)])
def test_chunks_of_a_task(
    draws: int, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The games of a seed are the same, and their paths, however they are sent."""
    monkeypatch.setattr(simulation, "CHUNK", 7)
    monkeypatch.setattr(simulation, "_TASK_DRAWS", draws)
    alone = simulate(10, 10, games=1000, rng=1, paths=600)
    tasks = []
    dealt = simulation._dealt

    def counted(shared: Any, chunks: Any) -> Any:
        tasks.append(len(chunks))
        return dealt(shared, chunks)

    monkeypatch.setattr(simulation, "_dealt", counted)
    with ThreadPoolExecutor(2) as pool:
        assert alone == simulate(10, 10, games=1000, rng=1, paths=600, executor=pool)
    # 143 chunks: four to a task leave 32 tasks or more.
    assert (max(tasks), sum(tasks)) == (most, 143)


def test_an_error_names_the_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulation, "CHUNK", 4)
    with pytest.raises(TypeError, match="must return a bool array") as raised:
        simulate(5, 5, games=10, policy=lambda r, b: r)  # type: ignore[arg-type, return-value]
    assert raised.value.__notes__ == ["This happened with games 0 to 3."]


def test_the_bar_of_long_games_moves_within_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tqdm = pytest.importorskip("tqdm")
    moves: list[float] = []
    update = tqdm.tqdm.update

    def recorded(bar: Any, step: float = 1) -> Any:
        moves.append(step)
        return update(bar, step)

    monkeypatch.setattr(tqdm.tqdm, "update", recorded)
    monkeypatch.setattr(simulation, "_LEVELS_A_STEP", 10)
    with cardgames_dp.running(progress=True):
        simulate(50, 50, games=7, policy="never_stop", rng=1)
    assert len(moves) > 5
    assert sum(moves) == pytest.approx(7)
    assert max(moves) < 1


def test_callables_are_asked_about_states_of_the_deck() -> None:
    asked: set[tuple[int, int]] = set()

    def policy(red: NDArray[np.int64], black: NDArray[np.int64]) -> NDArray[np.bool_]:
        assert red.dtype == black.dtype == np.int64
        asked.update(zip(red.tolist(), black.tolist(), strict=True))
        red += 1  # ours no longer: the library must not mind
        return np.zeros(len(red), dtype=bool)

    result = simulate(3, 2, games=10, policy=policy)
    assert result.policy == "policy"
    assert asked == {(r, b) for r in range(4) for b in range(3)} - {(0, 0)}


def test_a_simulation_is_a_value() -> None:
    result = simulate(4, 4, games=100, rules=SATED, rng=1, paths=3)
    copy = pickle.loads(pickle.dumps(result))
    assert copy == result
    assert (copy.mean, copy.standard_error) == (result.mean, result.standard_error)
    assert result != replace(result, moves=result.payoff)
    assert result != replace(result, payoff=result.moves)
    assert result != replace(result, paths=result.paths[:2])
    assert result != replace(result, paths=(*result.paths[:2], np.zeros(9)))
    assert result != simulate(4, 4, games=100, rng=1, paths=3)
    with pytest.raises(TypeError, match="unhashable"):
        hash(result)
