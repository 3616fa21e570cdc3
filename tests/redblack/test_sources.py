"""The figures of the sources, reproduced; and what is right where they err."""

from typing import Any, Literal

import numpy as np
import pytest

from cardgames_dp import fitting, play, redblack
from cardgames_dp.game import Solution
from cardgames_dp.redblack import Rules
from cardgames_dp.redblack.rules import TIES, Tie

from . import sources

Backend = Literal["float64", "exact"]
BACKENDS: tuple[Backend, ...] = ("float64", "exact")
FULL = 26
CELLS = [(red, black) for red in range(FULL + 1) for black in range(FULL + 1)]


@pytest.fixture(scope="module", params=BACKENDS)
def solution(request: pytest.FixtureRequest) -> Solution[Any, Any, Any]:
    return redblack.solve(FULL, FULL, backend=request.param)


def decimals(number: str) -> int:
    return len(number.partition(".")[2])


# The Problem 14 essay: values.


@pytest.mark.parametrize("backend", BACKENDS)
def test_problem_14_values_of_the_r_program(backend: Backend) -> None:
    values = redblack.value(range(FULL + 1), range(FULL + 1), backend=backend)
    assert tuple(f"{float(value):.9f}" for value in values) == sources.R_VALUES


def test_problem_14_fraction_of_the_haskell_program() -> None:
    assert redblack.value(FULL, FULL, backend="exact") == sources.V26
    assert redblack.solve(FULL, FULL, backend="exact").value == sources.V26
    assert redblack.value(FULL, FULL) == float(sources.V26)


@pytest.mark.parametrize(
    ("deck", "printed"),
    [
        pytest.param(deck, printed, id=f"{deck}: {whose}")
        for deck, printed, whose in sources.SINGLE_VALUES
    ],
)
def test_problem_14_single_values(deck: int, printed: str) -> None:
    assert f"{redblack.value(deck, deck):.{decimals(printed)}f}" == printed


def test_problem_14_omniscient_player_of_the_footnote() -> None:
    assert f"{redblack.foresight_value(FULL, FULL):.2f}" == sources.OMNISCIENT


# The Problem 14 essay: the spreadsheet of Han Zheng.


def test_problem_14_spreadsheet(solution: Solution[Any, Any, Any]) -> None:
    """Totals with good cards in rows, though a later text calls them marginal values.

    A stop cell is one that shows no more than the cash in hand.
    """
    text = [line.split() for line in str(solution).splitlines()]
    (_, *columns), *rows = sources.spreadsheet()
    assert text[0] == ["red", "\\", "black", *columns]
    totals, seen = solution.table("total"), []
    for (label, *row), (name, *starred) in zip(rows, text[1:-1], strict=True):
        assert label == name
        for black, cell, shown in zip(columns, row, starred, strict=True):
            state = int(label), int(black)
            seen.append(state)
            assert f"{float(totals[state]):.4g}" == shown.rstrip("*") == cell
            assert (shown == cell + "*") == (float(cell) == state[1] - state[0])
    assert sorted(seen) == CELLS
    assert rows[1][:2] == ["25", "2.927"]
    assert f"{float(solution.values[25, 26]):.4g}" == "1.927"
    assert f"{float(totals[26, 25]):.4g}" == "2.322"


# The Problem 14 essay: what it gets wrong about values.


def test_problem_14_large_decks() -> None:
    """The summary has a prediction, and a deck of about 2,456,000 for 2,000,000."""
    largest, million = fitting.asymptotic_value([sources.LARGEST_DECK, 2e6]).value
    assert f"{largest:.2f}" == f"{sources.LARGEST_COMPUTED}"
    assert abs(largest - sources.LARGEST_IN_SUMMARY) > 0.1
    assert f"{million:.2f}" == "738.27" < f"{sources.TWO_MILLION}"


def test_problem_14_growth_law() -> None:
    """V(l) / sqrt(l) leaves 0.5 behind for good at l = 5; its limit is 0.52204."""
    sizes = np.arange(1, 172)
    ratios = redblack.value(sizes, sizes) / np.sqrt(sizes)
    assert ratios[0] == 0.5
    assert (np.diff(ratios[1:]) > 0).all()
    assert ratios[-2] < 0.52 < ratios[-1] < fitting.limit_constant()


def test_problem_14_counts_cards_of_each_colour() -> None:
    """Its 143 cards, like all its numbers of cards but 52, are those of one colour."""
    assert f"{redblack.value(143, 143):.8f}" == "6.21519192"
    values = [f"{redblack.value(*deck):.2f}" for deck in ((71, 72), (72, 71))]
    assert values == ["3.70", "5.10"]


# The Problem 14 essay: what it gets wrong about play.


def test_problem_14_optimal_play_never_ends_with_a_loss() -> None:
    """It plays on when far behind; it does not quit there, as an aside has it."""
    solution = redblack.solve(FULL, FULL, backend="exact")
    law = play.distribution(solution, backend="exact").returns[0]
    assert law.loss_probability == 0
    assert min(law.support) == 0
    stop = solution.table("stop")
    assert not stop[np.triu_indices(FULL + 1, 1)[::-1]].any()  # red > black
    assert solution.advice(redblack.State(26, 13)).action == "draw"


# Yang's program: black is the good card there, and values are totals.


# The Dynamic Card Game note: red is the good card there, and values are marginal.


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("deck", [4, FULL])
def test_card_game_note_values(deck: int, backend: Backend) -> None:
    table = redblack.solve(deck, deck, backend=backend).table()[:5, :5]
    printed = tuple(tuple(f"{float(cell):.4f}" for cell in row) for row in table)
    assert printed == sources.SMALL_VALUES


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("tie", TIES)
def test_card_game_note_stopping_rule(tie: Tie, backend: Backend) -> None:
    """It stops where both are worth the same, and so differs from the other rule.

    Its last line, which it gives for 3 and 4, holds for 5 black cards too, not for 6.
    """
    solution = redblack.solve(FULL, FULL, rules=Rules(tie=tie), backend=backend)
    stop, ties = solution.table("stop"), solution.table("ties")
    stop[0, 0] = True  # nothing to draw
    rule = sources.FEWEST_RED_TO_DRAW | {5: 4, 6: 4}
    differ = {
        (red, black)
        for black, fewest in rule.items()
        for red in range(FULL + 1)
        if (red < fewest) != stop[red, black]
    }
    assert differ == (set() if tie == "stop" else {(1, 2)})
    assert [tuple(cell) for cell in np.argwhere(ties)] == [(1, 2)]


# Figures computed for this project.


def test_thresholds() -> None:
    result = redblack.thresholds(12).n.tolist()
    assert result == sources.THRESHOLDS
    excess = redblack.boundary(redblack.solve(60, 60, backend="exact")).excess
    for k, n in enumerate(result[:6], 1):
        assert excess[n] <= k < excess[n + 2]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("tie", TIES)
def test_distributions(tie: Tie, backend: Backend) -> None:
    game = redblack.game(FULL, FULL, rules=Rules(tie=tie))
    result = play.distribution(game, "optimal", count="draw", backend=backend)
    assert f"{float(result.moves.mean):.6f}" == sources.MEAN_DURATIONS[tie]
    if tie == "stop":
        law = result.returns[0]
        assert [int(payoff) for payoff in law.support] == list(range(7))
        printed = tuple(f"{float(p):.6f}" for p in law.probabilities)
        assert printed == sources.PAYOFF_PROBABILITIES
        assert f"{law.std:.6f}" == sources.PAYOFF_DEVIATION
