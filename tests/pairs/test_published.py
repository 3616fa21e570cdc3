"""The published game of two players: 250 million positions."""

import numpy as np
import pytest

from cardgames_dp import pairs

from . import sources

# Own card down, the other's across; the digits are our own.
FIRST_DECISION = """\
     1  2  3  4  5  6  7  8  9 10
  1     H  H  H  H  H  H  H  H  H
  2  f  H  H  H  H  H  H  H  H  H
  3  f  H  H  H  H  H  H  H  H  H
  4  f  H  H  H  H  H  H  H  H  H
  5  f  H  H  H  H  H  H  H  H  H
  6  f  f  H  H  H  H  H  H  H  H
  7  f  f  H  H  H  H  H  H  H  H
  8  f  f  f  H  H  H  H  H  H  H
  9  f  f  f  H  H  H  H  H  H  H
 10  f  f  f  f  H  H  H  H  H  H"""


@pytest.fixture(scope="module")
def solution() -> pairs.Solution:
    return pairs.solve()


@pytest.mark.slow
def test_the_table_that_comes_with_the_package(solution: pairs.Solution) -> None:
    assert pairs.published() == solution


@pytest.mark.slow
def test_value(solution: pairs.Solution) -> None:
    assert solution.rules == pairs.Rules()
    assert solution.value[0] == pytest.approx(sources.PUBLISHED_VALUE, abs=5e-9)
    assert sum(solution.value) == pytest.approx(1, abs=1e-15)
    assert solution.num_positions == sources.PUBLISHED_POSITIONS


def test_ties_are_told_from_leads(solution: pairs.Solution) -> None:
    assert solution.largest_tie < 1e-15
    assert solution.smallest_lead > 4e-12
    assert (solution.ties, solution.doubtful) == (430, 3)


def test_first_decision(solution: pairs.Solution) -> None:
    assert str(solution.opening_table()) == FIRST_DECISION
    assert not solution.opening_table().ties.any()


def test_worked_example(solution: pairs.Solution) -> None:
    """The Pairs essay calls hitting wise for the first; optimal play folds both."""
    for hand, others in (sources.EXAMPLE, sources.EXAMPLE[::-1]):
        advice = solution.advice(hand=hand, others=others, scores=[0, 0])
        assert (advice.action, advice.tie) == ("fold", False)
        assert advice.margin is not None
        assert advice.margin > 0.008
    # At 30 points a fold loses at once, as the Pairs essay says itself.
    advice = solution.advice(
        hand=sources.EXAMPLE[1], others=sources.EXAMPLE[0], scores=[30, 0]
    )
    assert (advice.action, advice.fold) == ("hit", 0.0)


def test_score_grid(solution: pairs.Solution) -> None:
    """Points never help; who is to move at equal scores is worse off."""
    grid = solution.table[0, :, 0].reshape(31, 31)
    assert (np.diff(grid, axis=0) < 0).all()
    assert (np.diff(grid, axis=1) > 0).all()
    assert (np.diag(grid) < 0.5).all()


def test_shorter_games(solution: pairs.Solution) -> None:
    """The game to 5 is the end of the game to 31."""
    shorter = pairs.solve(pairs.Rules(target=5))
    assert solution.value_at([26, 26]) == pytest.approx(shorter.value, abs=1e-15)


def test_round(solution: pairs.Solution) -> None:
    table = solution.round([0, 0])
    assert len(table) == 260_338
    assert table.choice.sum() == 260_337
    assert not table.ties.any()
    assert table.values.sum(axis=1) == pytest.approx(1, abs=1e-14)
