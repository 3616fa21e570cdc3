"""The published game of two players, 250 million positions, and the tables shipped."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cardgames_dp import pairs
from cardgames_dp.pairs import solver
from cardgames_dp.pairs._kernels.induction import optimal
from cardgames_dp.pairs._kernels.positions import Positions
from cardgames_dp.pairs._kernels.sweeps import Sweep

from . import sources

FOLDER = Path(solver.__file__).parent / "_data"

# Own card down, the other's across; the digits are our own.
FIRST_DECISION = """\
own \\ other  1  2  3  4  5  6  7  8  9  10
1               H  H  H  H  H  H  H  H   H
2            f  H  H  H  H  H  H  H  H   H
3            f  H  H  H  H  H  H  H  H   H
4            f  H  H  H  H  H  H  H  H   H
5            f  H  H  H  H  H  H  H  H   H
6            f  f  H  H  H  H  H  H  H   H
7            f  f  H  H  H  H  H  H  H   H
8            f  f  f  H  H  H  H  H  H   H
9            f  f  f  H  H  H  H  H  H   H
10           f  f  f  f  H  H  H  H  H   H
(H hit, f fold (marked in pages); own card down, the other's across.)"""


@pytest.mark.parametrize(("players", "ranks"), solver.SOLVED)
def test_tables(players: int, ranks: int) -> None:
    solution, rules = pairs.published(players, ranks), pairs.Rules(players, ranks)
    about = pairs.score_table(solution)
    assert about.rules == solution.game.rules == rules
    table = about.table
    assert table.shape == (1, rules.target**players, players)
    assert ((table > 0) & (table < 1)).all()
    assert np.allclose(table.sum(axis=2), players - 1, atol=1e-14, rtol=0)
    # At equal scores it is better to move later.
    assert list(solution.payoffs) == sorted(solution.payoffs)
    # At an empty table the whole round is derived, and is the table's own entry.
    if players == 2:
        first = pairs.positions(solution, [7, 12])
        start = pairs.state(scores=[7, 12])
        assert tuple(first.values[0].tolist()) == solution.payoffs_at(start)


def solved_again(solution: Any, vectors: Iterable[Any]) -> np.ndarray:
    """Return chances at the start of rounds, derived from those of higher totals."""
    rules, scores = solution.game.rules, np.array(list(vectors))
    points = np.indices((rules.target,) * rules.players).sum(axis=0).reshape(1, -1, 1)
    (total,) = set(scores.sum(axis=1).tolist())
    table = pairs.score_table(solution).table
    sweep = Sweep(Positions(rules), [optimal(rules.players)])
    sweep.tables = [np.where(points > total, table, np.nan)]  # the others are unknown
    *_, last = sweep.steps(scores)
    values: np.ndarray = last[0].values[0]
    return values


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3])
def test_each_entry_follows_from_the_others(players: int) -> None:
    """Random entries, bit for bit; those of other seeds are no less right."""
    rng, ranks = np.random.default_rng(), 10 if players == 2 else 8
    solution = pairs.published(players, ranks)
    if players == 2:
        total = int(rng.integers(61))
        low, high = max(total - 30, 0), min(total, 30)
        vectors: list[Any] = [(a, total - a) for a in range(low, high + 1)]
    else:
        first = rng.integers(0, 21, 3)
        vectors = [first]
    result = solved_again(solution, vectors)
    for column, vector in enumerate(vectors):
        start = pairs.state(scores=vector, rules=solution.game.rules)
        right = solution.payoffs_at(start)[: players - 1]
        assert tuple(result[:, column]) == right


def test_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = {f"{n}_players_{ranks}_ranks.npz" for n, ranks in solver.SOLVED}
    assert {file.name for file in FOLDER.iterdir()} == names
    monkeypatch.setattr(solver, "_FOLDER", tmp_path)
    with pytest.raises(FileNotFoundError, match=r"2_players_10_ranks.npz is not there"):
        pairs.published()


def test_the_published_game() -> None:
    solution = pairs.published()
    about = pairs.score_table(solution)
    assert about.rules == pairs.Rules() == pairs.Rules(2, 10, 31)
    assert solution.value == pytest.approx(sources.PUBLISHED_VALUE, abs=5e-9)
    assert sum(solution.payoffs) == pytest.approx(1, abs=1e-15)
    assert about.num_positions == sources.PUBLISHED_POSITIONS
    assert about.largest_tie < 1e-15
    assert about.smallest_lead > 4e-12
    assert (about.ties, about.doubtful) == (430, 3)
    table = pairs.positions(solution)
    assert (len(table), (table.can_hit & table.can_fold).sum()) == (260_338, 260_337)
    assert not table.ties.any()
    assert table.values.sum(axis=1) == pytest.approx(1, abs=1e-14)


def test_its_decisions() -> None:
    solution = pairs.published()
    assert str(pairs.opening_table(solution)) == FIRST_DECISION
    assert not pairs.opening_table(solution).ties.any()
    # The Pairs essay calls hitting wise for the first; optimal play folds both.
    for hand, others in (sources.EXAMPLE, sources.EXAMPLE[::-1]):
        advice = solution.advice(pairs.state(hand, others))
        assert (advice.action, advice.tie) == ("fold", False)
        assert advice.margin is not None
        assert advice.margin > 0.008
    # At 30 points a fold loses at once, as the Pairs essay says itself.
    others, hand = sources.EXAMPLE
    advice = solution.advice(pairs.state(hand, others, [30, 0]))
    assert (advice.action, advice.values["fold"]) == ("hit", 0.0)
    # Points never help; who is to move at equal scores is worse off.
    grid = pairs.score_table(solution).table[0, :, 0].reshape(31, 31)
    assert (np.diff(grid, axis=0) < 0).all()
    assert (np.diff(grid, axis=1) > 0).all()
    assert (np.diag(grid) < 0.5).all()
