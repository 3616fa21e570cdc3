"""Simulated games: how they are dealt, counted and kept, whoever plays them."""

import math
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import cardgames_dp
from cardgames_dp import play, redblack
from cardgames_dp.redblack import Rules, StopAt
from cardgames_dp.redblack._kernels import dealing
from cardgames_dp.redblack.policies import Policy

from ..test_executors import Elsewhere
from . import sources

SOURCE = [float(p) for p in sources.PAYOFF_PROBABILITIES]


def simulate(
    red: int,
    black: int,
    games: int,
    policy: Policy = "optimal",
    *,
    rules: Rules | None = None,
    count: str | None = "draw",
    **how: Any,
) -> play.Simulation[redblack.State]:
    game = redblack.game(red, black, rules=rules)
    return play.simulate(game, policy, games, count=count, **how)


def cash_of(history: tuple[redblack.State, ...], rules: Rules) -> list[Fraction]:
    """Return the cash in hand at the start and after each draw."""
    red, black, _ = history[0]
    states = [state for state in history if not state.decision]
    return [rules.cash(red - state.red, black - state.black) for state in states]


def test_problem_14() -> None:
    """The law, the deviation and the number of draws of the exact forward sweep."""
    games, law = 100_000, np.array(SOURCE)
    result = play.simulate(redblack.solve(26, 26), games=games, rng=14, count="draw")
    assert abs(result.mean[0] - float(sources.V26)) < 4 * result.standard_error[0]
    assert result.std[0] == pytest.approx(1.973770, abs=0.015)
    assert result.moves.mean == pytest.approx(36.451560, abs=0.2)
    payoff = result.returns[0]
    assert payoff.support.tolist() == [0, 1, 2, 3, 4, 5, 6]
    chi_square = games * ((payoff.probabilities - law) ** 2 / law).sum()
    assert chi_square < 35  # six degrees of freedom: exceeded with probability 4e-6
    draw = simulate(26, 26, games, rng=3, rules=Rules(tie="draw"))
    assert abs(draw.mean[0] - float(sources.V26)) < 4 * draw.standard_error[0]
    assert draw.moves.mean == pytest.approx(36.607307, abs=0.15)
    assert 49 in result.moves.support  # 1 red, 2 black left: the tie
    assert 49 not in draw.moves.support


@pytest.mark.parametrize("games", [1, 6, 7, 8, 100])
def test_chunks(monkeypatch: pytest.MonkeyPatch, games: int) -> None:
    """Fewer games than a chunk, as many, more, and a multiple or not."""
    monkeypatch.setattr(dealing, "CHUNK", 7)
    every: dict[Any, Any] = {
        count: simulate(6, 6, games, rng=1, histories=games, count=count)
        for count in (None, "draw", "stop")
    }
    histories = every[None].histories
    for result in every.values():
        assert (result.histories, result.returns) == (histories, every[None].returns)
    lasts = Counter(cash_of(history, Rules())[-1] for history in histories)
    counts: dict[Any, Any] = {
        None: Counter(len(history) - 1 for history in histories),
        "draw": Counter(len(cash_of(history, Rules())) - 1 for history in histories),
        "stop": Counter(history[-1].decision == "stop" for history in histories),
    }
    pairs = [(every[None].returns[0], lasts)]
    pairs += [(every[count].moves, counts[count]) for count in counts]
    for result, times in pairs:
        assert result.to_dict() == {x: count / games for x, count in times.items()}


def test_odd_sizes() -> None:
    one = simulate(5, 5, 1, rng=1)
    assert math.isnan(one.std[0])
    assert math.isnan(one.standard_error[0])
    assert one == simulate(5, 5, 1, rng=1)
    empty = simulate(0, 0, 3, lambda _: None, histories=1, count=None)  # is not asked
    assert (empty.mean, empty.moves.mean) == ((0,), 0)
    assert empty.histories == ((redblack.State(0, 0),),)
    large = simulate(3, 3, 100, rules=Rules(win=1e300, lose=1e300), rng=1)
    small = simulate(3, 3, 100, rng=1)
    assert large.mean[0] == pytest.approx(small.mean[0] * 1e300)
    (deviation,) = small.std
    assert large.std[0] == pytest.approx(deviation * 1e300)

    def uneven(state: redblack.State) -> Any:
        return np.where(abs(state.red - state.black) == 2, "stop", "draw")

    ruin = Rules(utility=redblack.utilities.log(wealth=2))
    ruined = simulate(6, 6, 200, uneven, rng=1, rules=ruin)
    assert ruined.mean == (-math.inf,)
    assert math.isnan(ruined.std[0])


def test_deck_beyond_short_integers() -> None:
    half = 40_000
    result = simulate(half, half, 900, StopAt(draws=100), rng=1, histories=1)
    assert result.moves.support.tolist() == [100]
    assert abs(result.mean[0]) < 5 * result.standard_error[0]
    assert result.std[0] == pytest.approx(10, rel=0.2)
    assert len(result.histories[0]) == 202


def test_seeds() -> None:
    result = simulate(10, 10, 1000, rng=1)
    generator = np.random.default_rng(1)
    assert result == simulate(10, 10, 1000, rng=np.int64(1))
    assert result == simulate(10, 10, 1000, rng=generator)
    assert result != simulate(10, 10, 1000, rng=generator)
    assert result != simulate(10, 10, 1000, rng=2)
    assert simulate(10, 10, 1000) != simulate(10, 10, 1000)


def test_histories_do_not_change_the_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dealing, "CHUNK", 400)
    without, some, every = (
        simulate(10, 10, 1000, rng=1, histories=number) for number in (0, 49, 1000)
    )
    assert replace(every, histories=()) == replace(some, histories=()) == without
    assert replace(every, histories=every.histories[:49]) == some
    assert some != without


def test_executors(monkeypatch: pytest.MonkeyPatch) -> None:
    """All that workers are given, and all that they find, is pickled."""
    monkeypatch.setattr(dealing, "CHUNK", 400)
    policies: list[Policy] = ["optimal", "first_positive", StopAt(3, loss=2)]
    policies.append(play.mixture({"never_stop": 2, redblack.solve(10, 10): 1}))
    careful = Rules(utility=redblack.utilities.log(wealth=100))
    for policy, rules in [
        *((each, Rules()) for each in policies),
        ("optimal", careful),
    ]:
        how: Any = {"rules": rules, "rng": 1, "histories": 500}
        alone = simulate(10, 10, 1000, policy, **how)
        with cardgames_dp.running(progress=True):
            assert alone == simulate(10, 10, 1000, policy, **how, executor=Elsewhere())


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
    monkeypatch.setattr(dealing, "_LEVELS_A_STEP", 10)
    with cardgames_dp.running(progress=True):
        simulate(50, 50, 7, "never_stop", rng=1)
    assert len(moves) > 5
    assert sum(moves) == pytest.approx(7)
    assert max(moves) < 1
