"""Games played, one by one: errors that add up, points, positions, samples."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import cardgames_dp
from cardgames_dp import diagonal, exact, interop, pairs, play, plots, redblack
from cardgames_dp.game import GameError, explore
from cardgames_dp.play import simulation
from cardgames_dp.play._kernels import chain

from ..games import Paying, Pig, Table
from ..test_executors import Elsewhere

GAME = redblack.game(6, 6)
"""Its policies are solutions and a ``lambda``: neither they nor it are sent."""


# Errors
# ------


@pytest.mark.parametrize("weight", [999_999, 10**6 + 2])
def test_errors_of_chances_add_up_along_a_play(weight: int) -> None:
    """The same chance, rounded the same way, two hundred times over."""
    rows: dict[Any, Any] = {
        i: ("chance", [(weight, i + 1), (1, "out", [i])]) for i in range(200)
    }
    game = Paying(rows | {"out": ("end", [0]), 200: ("end", [300])})
    floats = play.distribution(game, {})
    exactly = play.distribution(game, {}, backend="exact")
    assert floats.returns[0].support.tolist() == [*range(200), 300]
    laws = [(floats.returns[0], exactly.returns[0]), (floats.moves, exactly.moves)]
    for law, other in laws:
        pairs_of = zip(law.probabilities, other.probabilities, strict=True)
        away = max(abs(Fraction(x) - y) for x, y in pairs_of)
        assert 2.0**-52 < away <= floats.error < 2.0**-43
    graph = explore(game).graph
    chances = graph.chances("float64"), graph.chances("exact")
    walks = (chain.ends_by_length(graph, 0, each, []) for each in chances)
    for near, right in zip(*walks, strict=True):
        away = np.abs(near.chances - right.chances)
        assert (away <= near.errors).all()
        assert (near.errors < 2.0**-43).all()


def test_the_error_of_a_loss_covers_that_of_the_values() -> None:
    """Of a value that is rounded a thousand times over."""
    rows: dict[Any, Any] = {
        "start": (0, {"on": 0, "out": "lost"}),
        "lost": ("end", [0]),
    }
    rows |= {i: ("chance", [(10**6 + i, i + 1), (7, "lost")]) for i in range(1000)}
    game = Table(rows | {1000: ("end", [Fraction(1, 3)])}, start="start")
    floats = play.regret(game, {"start": "out"})
    exactly = play.regret(game, {"start": "out"}, backend="exact")
    away = abs(Fraction(floats.loss) - exactly.loss)
    assert 0 < away <= floats.error < 1e-11


def test_regrets_are_in_the_returns_of_the_player() -> None:
    """Not in the numerators or denominators of another one."""
    ends = {1: ("end", [1, Fraction(1, 2)]), 2: ("end", [Fraction(1, 3), 0])}
    game = Table({0: (1, {"a": 1, "b": 2}), **ends}, num_players=2)
    result = play.regret(game, {0: "b"}, 1, backend="exact")
    assert (result.loss, result.best) == (Fraction(1, 2), (("a",),))
    assert play.regret(game, {0: "b"}, 1).loss == 0.5
    assert "total loss 0.5" in str(result)


# Points
# ------


def test_floats_that_have_no_unit() -> None:
    rows: Any = {0: (0, {"a": 1, "b": 1}), 1: (0, {"on": 2}), 2: ("end", [0])}
    game = Paying(rows, paid={(0, "a"): [0.1], (1, "on"): [0.2], (0, "b"): [1e-9]})
    toss = {0: {"a": 1, "b": 1}, 1: "on"}
    with pytest.raises(ValueError, match=r"not as floats \(evaluate has the means\)$"):
        play.distribution(game, toss)
    with pytest.raises(TypeError, match=r"^rewards must be integers or Fractions to"):
        play.distribution(game, toss, backend="exact")
    assert play.evaluate(game, toss).payoffs == pytest.approx([0.25])
    account = play.simulate(game, toss, 100, rng=1)
    assert account.returns[0].support.tolist() == [1e-9 + 0.2, 0.1 + 0.2]
    far = Paying(rows, paid={(0, "a"): [Fraction(1, 3**50)], (1, "on"): [1]})
    with pytest.raises(ValueError, match=r"2\*\*62 .* use backend='exact' \(evaluate"):
        play.distribution(far, toss)
    exactly = play.distribution(far, toss, backend="exact").returns[0]
    assert exactly.support.tolist() == [1, 1 + Fraction(1, 3**50)]
    halves = Paying(rows, paid={(0, "a"): [0.5], (1, "on"): [0.25]})
    assert play.distribution(halves, toss).returns[0].support.tolist() == [0.25, 0.75]


def test_a_coin_that_pays() -> None:
    """One for each head before the first tail, and three at the end."""
    rows: dict[Any, Any] = {
        0: ("chance", [(1, 0, [1]), (1, 1, [0])]),
        1: ("end", [3]),
    }
    for backend in ("exact", "float64"):
        result: Any = play.distribution(Paying(rows), {}, backend=backend)
        assert result.returns[0].to_dict() == {
            k + 3: Fraction(1, 2 ** (k + 1)) for k in range(len(result.returns[0]))
        }
        assert result.rest == 2.0 ** -len(result.returns[0]) < 1e-13
        assert str(result).endswith("of all games are left out)")
    account = play.simulate(Paying(rows), {}, 2000, rng=1)
    assert abs(account.mean[0] - 4) < 4 * account.standard_error[0]


def test_a_large_loop_in_fractions() -> None:
    """Returns and visits are exact; what would take long is cut, or refused."""
    goal, start = 800, 790
    rows: dict[Any, Any] = {
        k: ("chance", [(1, k + 1), (2, k - 1)]) for k in range(1, goal)
    }
    game = Table(rows | {0: ("end", [0]), goal: ("end", [1])}, start)
    result = play.distribution(game, {}, backend="exact")
    assert result.mean[0] == Fraction(2**start - 1, 2**goal - 1)
    # The expected number of moves, as W. Feller has it (volume 1, chapter 14).
    assert sum(result.visits.values()) - 1 == 3 * (start - goal * result.mean[0])
    assert 0.8 < result.rest < 0.9999
    assert float(sum(result.moves.probabilities)) + result.rest == pytest.approx(1)
    with pytest.raises(
        cardgames_dp.TooLargeError, match=r"^799 states come back to each other, mo"
    ):
        result.reach[1]
    floats = play.distribution(game, {})
    assert abs(floats.visits[5] - result.visits[5]) <= floats.error


def test_rounding_is_not_left_out() -> None:
    """Three times the float next to 1/3 is less than 1, and ten times 0.1 more."""
    thirds: dict[Any, Any] = {k: ("end", [k]) for k in (1, 2, 3)}
    thirds |= {0: ("chance", [(1, 1), (1, 2), (1, 3)])}
    result: Any = play.distribution(Table(thirds), {})
    assert sum(map(Fraction, result.returns[0].probabilities.tolist())) < 1
    assert (result.rest, "cut off" in str(result)) == (0, False)
    # A loop that the policy does not enter; then a state of 2 to 11 moves to the end.
    tenths: dict[Any, Any] = {-1: (0, {"on": -2, "wait": -1}), 0: ("end", [0])}
    tenths |= {-2: ("chance", [(1, k) for k in range(10)])}
    tenths |= {k: ("chance", [(1, k - 1, [1])]) for k in range(1, 10)}
    result = play.distribution(Paying(tenths, -1), {-1: "on"})
    for law in (result.moves, *result.returns):
        assert sum(map(Fraction, law.probabilities.tolist())) > 1
    assert result.rest == 0


def test_shorter_plays_wait_for_the_longest(monkeypatch: pytest.MonkeyPatch) -> None:
    """So each pair of state and points goes on once, whatever the lengths of plays."""
    end, honest, sizes = 60, chain._different, list[int]()

    def watched(places: Any, totals: Any) -> Any:
        sizes.append(len(places))
        return honest(places, totals)

    monkeypatch.setattr(chain, "_different", watched)
    rows: dict[Any, Any] = {end: ("end", [0])}
    for i in range(end):
        steps = 1, min(2, end - i)
        rows[i] = "chance", [(1, i + step, [step]) for step in steps]
    (result,) = play.distribution(Paying(rows), {}).returns
    assert result.support.tolist() == [end]
    assert sum(sizes) < 4 * end


# Positions and advice
# --------------------


def test_an_outcome_that_is_not_told_by_its_state() -> None:
    rows: Any = {
        0: ("chance", [(1, 1, [1]), (1, 1, [2]), (1, 2)]),
        1: ("end", [0]),
        2: ("end", [0]),
    }
    position: Any = play.Position(exact.solve(Paying(rows)))
    assert position.outcomes == ((1, (1,)), (1, (2,)), (2, (0,)))
    assert position.play((1, (2,))).collected == (2,)
    assert position.play(2).returns == (0,)
    with pytest.raises(ValueError, match=r"^move must be one of .* got 1$"):
        position.play(1)
    assert repr(position.play((1, (1,)))) == (
        "Position(state=1, collected=1, value=0, over=True)"
    )


def test_advice_follows_a_response() -> None:
    on = dict.fromkeys(exact.solve(GAME).policy, "draw")
    here = play.Position(play.best_response(GAME, on, 0, backend="exact"))
    while not here.over:
        here = here.play(here.advice().action if here.actions else here.outcomes[-1])
    red, black, _ = here.state
    assert here.returns == here.collected == (black - red,)
    assert here.undo() != here


# Games that come back
# --------------------


def test_what_has_no_sense_for_games_that_come_back() -> None:
    game = Pig(2)
    for call in (
        lambda: plots.plot_tree(game),
        lambda: plots.plot_tree(diagonal.solve(game)),
        lambda: interop.to_efg(game),
    ):
        with pytest.raises(
            GameError, match=r"^the game must be acyclic (to|for) .*, bu"
        ):
            call()


# Samples
# -------


def simulate(**options: Any) -> Any:
    solution = diagonal.solve(GAME)
    policy = solution.policy
    return play.simulate(
        explore(GAME), lambda state: policy[state], 1000, rng=3, **options
    )


def test_executors(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same games on any number of workers, to whom everything is pickled."""
    monkeypatch.setattr(simulation, "_BATCH", 64)
    workers = Elsewhere()
    assert simulate(histories=100, executor=workers) == simulate(histories=100)
    rules = pairs.Rules(players=3, deck={1: 2, 2: 2}, target=3)
    solution = diagonal.solve(explore(pairs.game(rules)))
    alone = play.simulate(solution, solution, 500, rng=1)
    assert play.simulate(solution, solution, 500, rng=1, executor=workers) == alone
    assert len(workers.sent) > 10


def test_histories_and_bars_change_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(simulation, "_BATCH", 300)
    with cardgames_dp.running(progress=True):
        alone, told = simulate(), simulate(histories=700)
    assert "1.00k/1.00k" in capsys.readouterr().err
    assert (told.returns, told.moves) == (alone.returns, alone.moves)
    assert len(told.histories) == 700
    assert simulate(histories=650).histories == told.histories[:650]
    assert np.unique([len(states) for states in told.histories]).size > 5
