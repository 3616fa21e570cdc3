"""Tables that come with the package: whole, and each entry follows from the others."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cardgames_dp import pairs
from cardgames_dp.pairs import solver
from cardgames_dp.pairs._kernels.backward import Sweep

FOLDER = Path(solver.__file__).parent / "_data"


@pytest.mark.parametrize(("players", "ranks"), solver.SOLVED)
def test_tables(players: int, ranks: int) -> None:
    solution = pairs.published(players, ranks)
    rules = pairs.Rules(players, ranks)
    assert solution.rules == rules
    assert solution.table.shape == (1, rules.target**players, players)
    assert (solution.table > 0).all()
    assert (solution.table < 1).all()
    assert np.allclose(solution.table.sum(axis=2), players - 1, atol=1e-14, rtol=0)
    # At equal scores it is better to move later.
    assert list(solution.value) == sorted(solution.value)


def test_all_files_are_known() -> None:
    names = {f"{n}_players_{ranks}_ranks.npz" for n, ranks in solver.SOLVED}
    assert {file.name for file in FOLDER.iterdir()} == names


def solved_again(solution: pairs.Solution, vectors: Iterable[Any]) -> np.ndarray:
    """Return chances at the start of rounds, derived from those of higher totals."""
    rules, scores = solution.rules, np.array(list(vectors))
    totals = np.add.outer(
        np.add.outer(np.arange(rules.target), np.arange(rules.target)),
        np.arange(rules.target) if rules.players == 3 else np.zeros(1, int),
    ).reshape(1, -1, 1)
    (total,) = set(scores.sum(axis=1).tolist())
    known = np.where(totals > total, solution.table, np.nan)  # the others are unknown
    sweep = Sweep.filled(rules, [known])
    *_, last = sweep.steps(scores)
    values: np.ndarray = last[0].values[0]
    return values


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_two_players(seed: int) -> None:
    rng, solution = np.random.default_rng(seed), pairs.published()
    total = int(rng.integers(61))
    low, high = max(total - 30, 0), min(total, 30)
    vectors = [(a, total - a) for a in range(low, high + 1)]
    found = solved_again(solution, vectors)
    for column, vector in enumerate(vectors):
        assert found[0, column] == solution.value_at(vector)[0]


@pytest.mark.slow
@pytest.mark.parametrize("ranks", [n for m, n in solver.SOLVED if m == 3 and n < 9])
def test_three_players(ranks: int) -> None:
    """Random entries, bit for bit; those of other seeds are no less right."""
    rng, solution = np.random.default_rng(), pairs.published(3, ranks)
    first = rng.integers(0, 21, 3)
    vectors = [np.roll(first, by) for by in range(3)]
    found = solved_again(solution, vectors)
    for column, vector in enumerate(vectors):
        assert tuple(found[:, column]) == solution.value_at(vector)[:2]


def test_advice_on_an_empty_table() -> None:
    """The whole round is derived from the table, and is the table's own entry."""
    solution = pairs.published()
    advice = solution.advice(hand=[], others=[], scores=[7, 12])
    assert advice.returns == solution.value_at([7, 12])


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (
            (4,),
            ValueError,
            "players must be one of 2, 3, got 4; use solve",
        ),
        (
            (3, 4),
            ValueError,
            "ranks must be one of 8.* for 3 players, got 4; use solve",
        ),
        ((2, 9), ValueError, "ranks must be one of 10 for 2 players, got 9; use solve"),
        (("3",), TypeError, "players must be an integer"),
        ((3, 8.0), TypeError, "ranks must be an integer"),
    ],
)
def test_unknown_games(arguments: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        pairs.published(*arguments)


def test_a_table_that_is_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(solver, "_FOLDER", tmp_path)
    with pytest.raises(FileNotFoundError, match=r"2_players_10_ranks.npz is not there"):
        pairs.published()
