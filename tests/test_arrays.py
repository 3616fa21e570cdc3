"""Array games: states as rows, several of them at first, many variants."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from cardgames_dp import TooLargeError, diagonal, exact, interop, play, running
from cardgames_dp._graph import array_answers, arrays
from cardgames_dp.game import check, explore

from .games import Cards, Listed, RedBlack, Table

SOLVERS: list[Any] = [exact.solve, diagonal.solve]


@pytest.mark.parametrize("solve", SOLVERS)
def test_all_tied_actions(solve: Any) -> None:
    solution = solve(Cards(4, 4), tie_break="uniform")
    assert repr(solution).endswith("tie_break='uniform')")
    index, actions, weights = solution.policy(np.array([[1, 2, 0], [3, 3, 0]]))
    assert index.tolist() == [0, 0, 1]
    assert actions.tolist() == [1, 2, 2]  # stop or draw; draw
    assert weights.tolist() == [1, 1, 1]
    for policy in (solution, solution.policy):
        result = play.evaluate(solution, policy, backend="exact")
        assert result.payoffs == exact.solve(Cards(4, 4)).payoffs


def test_several_initial_states() -> None:
    class Decks(Cards):
        def initial_states(self) -> NDArray[Any]:
            return np.array([[3, 3, 0], [1, 2, 0], [3, 3, 0], [2, 0, 0]])

    solution = exact.solve(Decks(3, 3))
    values = solution.values(Decks(3, 3).initial_states())
    assert values[0] == values[2] == exact.solve(RedBlack(3, 3)).value
    assert values[1] == exact.solve(Cards(3, 3)).values[1, 2, 0]
    assert values[3] == 1 - 3 + 2  # two of three red to come, all black ones drawn
    assert (solution.initial_state, solution.value) == ((3, 3, 0), values[0])


def test_states_met_in_two_generations() -> None:
    """By two ways of different length; a state has a place in each."""
    rows: dict[Any, Any] = {
        0: (0, {"0": 1, "1": 2}),
        1: (0, {"0": 2}),
        2: ("chance", [(1, 3), (2, 4)]),
        3: ("end", [3]),
        4: ("end", [6]),
    }
    game: Any = explore(Listed(Table(rows)))
    assert game.num_states == 8
    assert exact.solve(game).payoffs_at(np.arange(5)).ravel().tolist() == [
        5,
        5,
        5,
        3,
        6,
    ]
    assert len(exact.solve(game).ties) == 1


class Wide(Cards):
    """Red/black with states of five hundred bits: told apart by their bytes."""

    def initial_states(self) -> NDArray[Any]:
        high = np.full((1, 8), 2**61)
        return np.concatenate([high, super().initial_states()], axis=1)

    def inner(self, states: NDArray[Any]) -> NDArray[Any]:
        inner: NDArray[Any] = states[:, 8:]
        return inner

    def outer(self, inner: NDArray[Any]) -> NDArray[Any]:
        # Of another sign in every other state: spans are wider than an int64.
        signs = np.where(inner[:, :1] % 2, -1, 1)
        high: NDArray[Any] = signs * 2**61 * np.ones(8, dtype=int)
        return np.concatenate([high, inner], axis=1)

    def current_players(self, states: NDArray[Any]) -> NDArray[Any]:
        return super().current_players(self.inner(states))

    def next_states(self, states: Any, actions: Any) -> NDArray[Any]:
        return self.outer(super().next_states(self.inner(states), actions))

    def chance_outcomes(self, states: NDArray[Any]) -> Any:
        index, weights, after = super().chance_outcomes(self.inner(states))
        return index, weights, self.outer(after)

    def returns(self, states: NDArray[Any]) -> NDArray[Any]:
        return super().returns(self.inner(states))


def test_rows_too_wide_for_a_number() -> None:
    wide, plain = exact.solve(Wide(6, 4)), exact.solve(Cards(6, 4))
    assert wide.payoffs == plain.payoffs
    assert wide.num_states == plain.num_states
    states = plain.explored.states_at(np.arange(plain.num_states))
    assert (wide.payoffs_at(Wide(6, 4).outer(states)) == plain.payoffs_at(states)).all()


@pytest.mark.parametrize("solve", [exact.solve, diagonal.solve])
def test_advice_for_no_states(solve: Any) -> None:
    for cards in (0, 2):  # without a move, and with some
        solution = solve(explore(Cards(cards, 0)))
        for part in solution.advice(np.empty((0, 3), dtype=int)):
            assert part.size == 0


class Weighed(Cards):
    """Red/black whose weights are given in some type, and so many times as large."""

    def __init__(self, red: int, black: int, kind: Any, factor: int = 1) -> None:
        super().__init__(red, black)
        self.kind, self.factor = kind, factor

    def chance_outcomes(self, states: NDArray[Any]) -> Any:
        index, weights, after = super().chance_outcomes(states)
        return index, weights.astype(self.kind) * self.factor, after


@pytest.mark.parametrize("kind", [np.uint8, np.uint64, object])
def test_small_weights_are_kept_as_small_integers(kind: Any) -> None:
    graph = explore(Weighed(5, 4, kind)).graph
    assert graph == explore(Cards(5, 4)).graph
    assert graph.weights.dtype == np.int8


@pytest.mark.parametrize(
    ("kind", "factor"), [(object, 10**30), (np.uint64, 2**61), (np.int64, 2**60)]
)
def test_large_weights(kind: Any, factor: int, tmp_path: Path) -> None:
    """Beyond 64 bits, or only their sums: the same chances, by any way to ask."""
    game, plain = Weighed(5, 4, kind, factor), Cards(5, 4)
    for solve in SOLVERS:
        result, right = solve(game), solve(plain)
        assert result == right or solve is diagonal.solve
        assert result.value == pytest.approx(
            right.value, abs=result.error + right.error
        )
        law = play.distribution(result).returns[0]
        assert law.mean == pytest.approx(float(right.value))
        interop.to_table(result, tmp_path / "table.npz")
        assert interop.from_table(tmp_path / "table.npz").value == result.value
        weights, small = (x.explored.graph.weights.tolist() for x in (result, right))
        assert weights == [factor * weight for weight in small]
        assert play.simulate(result, games=9, rng=1).games == 9
    check(game)
    assert explore(game).with_returns(game.returns) == explore(game)


def test_large_weights_count_as_memory() -> None:
    """A million bits each: as many bytes as that, and not eight."""
    with running(max_bytes=10**6), pytest.raises(TooLargeError, match=r"^a game of at"):
        explore(Weighed(9, 9, object, 2**1_000_000))


class Counting(Cards):
    """It remembers the most states of a call."""

    most = 0

    def current_players(self, states: NDArray[Any]) -> NDArray[Any]:
        self.most = max(self.most, len(states))
        return super().current_players(states)

    def chance_outcomes(self, states: NDArray[Any]) -> Any:
        self.most = max(self.most, len(states))
        return super().chance_outcomes(states)


def test_no_call_has_more_states(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = explore(Cards(9, 9))
    monkeypatch.setattr(array_answers, "_AT_ONCE", 4)
    game = Counting(9, 9)
    assert explore(game).graph == whole.graph
    assert game.most == 4


def test_copies_share_the_index_of_states(monkeypatch: pytest.MonkeyPatch) -> None:
    result, state = explore(Cards(3, 3)), np.array([[1, 1, 0]])
    copies = [result.with_returns(Cards(3, 3).returns) for _ in range(2)]
    place = copies[0].places(state)
    monkeypatch.setattr(arrays, "bounds", None)  # which sorting the states begins with
    assert result.places(state) == copies[1].places(state) == place
    with pytest.raises(TypeError):
        explore(Cards(3, 2)).places(state)
