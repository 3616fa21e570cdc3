"""The figures of the sources, reproduced; and what is right where they err."""

import functools
import math
from fractions import Fraction
from typing import Any, Literal

import numpy as np
import pytest

from cardgames_dp import fitting, play, redblack
from cardgames_dp.game import Solution
from cardgames_dp.redblack import Rules
from cardgames_dp.redblack.rules import TIES, Tie

from ..fitting.sources import deck_values
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


def test_problem_14_simulated_mean() -> None:
    law = play.distribution(redblack.game(FULL, FULL), "optimal").returns[0]
    error = law.std / math.sqrt(sources.SIMULATED_GAMES)
    assert abs(sources.SIMULATED_MEAN - law.mean) < 4 * error
    assert error < 1e-3


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


def worth(deck: float) -> float:
    """Return the value of a large deck, by a law that is off by 1e-6 at most."""
    return fitting.asymptotic_value(deck).value


def test_problem_14_largest_deck_is_worth_what_was_computed() -> None:
    """Not what the summary says, which is the extrapolation of a regression."""
    right = worth(sources.LARGEST_DECK)
    assert right == pytest.approx(6038.21688, abs=1e-4)
    assert f"{right:.2f}" == f"{sources.LARGEST_COMPUTED}"
    assert abs(right - sources.LARGEST_IN_SUMMARY) > 0.1
    intercept, slope, _ = sources.SQRT_REFIT
    fitted = intercept + slope * math.sqrt(sources.LARGEST_DECK)
    assert fitted == pytest.approx(sources.LARGEST_BY_FIT, abs=1e-5)
    assert f"{fitted:.2f}" == f"{sources.LARGEST_IN_SUMMARY}"


@pytest.mark.slow
def test_problem_14_two_million_a_side_are_worth_738_27() -> None:
    """The essay's figure is the value of about 2,456,000 cards of each colour."""
    right = worth(2e6)
    assert f"{right:.2f}" == "738.27"
    assert right < 0.5221 * math.sqrt(2e6) < sources.TWO_MILLION
    assert worth(2_455_900) < sources.TWO_MILLION < worth(2_456_000)
    # That bound, and that V increases, as far as all decks were computed:
    values = deck_values()
    assert (values < 0.5221 * np.sqrt(np.arange(1, len(values) + 1))).all()
    assert (np.diff(values) > 0).all()


def test_problem_14_counts_cards_of_each_colour() -> None:
    """Its 143 cards, like all its numbers of cards but 52, are those of one colour."""
    assert f"{redblack.value(143, 143):.8f}" == "6.21519192"
    values = [f"{redblack.value(*deck):.2f}" for deck in ((71, 72), (72, 71))]
    assert values == ["3.70", "5.10"]


@pytest.mark.slow
def test_problem_14_growth_law() -> None:
    """V(l) / sqrt(l) leaves 0.5 behind for good at l = 5; its limit is 0.52204.

    The fitted intercepts stand in for a term that decays like l^-0.231, no constant.
    """
    ratios = deck_values() / np.sqrt(np.arange(1, len(deck_values()) + 1))
    assert ratios[0] == 0.5
    assert (np.diff(ratios[1:]) > 0).all()
    assert ratios[170] > 0.52
    decks = np.array([1e5, 1e9, 1e10])
    values = np.array([sources.V100000, sources.V1E9, sources.V1E10])
    assert values[0] / math.sqrt(1e5) > 0.522
    missing = 0.522037675987 * np.sqrt(decks) - values
    assert 0 < missing[0] < -sources.SQRT_REFIT[0] / 2 < -sources.SQRT_FIT[0] / 2
    assert 0 < missing[2] < 0.001
    powers = np.diff(np.log(missing)) / np.diff(np.log(decks))
    assert powers[1] == pytest.approx(-0.2312, abs=0.001)


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


def test_problem_14_picture_of_games_cuts_off_the_best_payoff() -> None:
    """A payoff of 6 is out of its frame, and most sets of 49 games contain one."""
    law = play.distribution(redblack.solve(FULL, FULL)).returns[0]
    assert law.support.max() == sources.PICTURED_TOP + 1
    none = law.cdf(sources.PICTURED_TOP) ** sources.PICTURED_GAMES
    assert f"{none:.3f}" == "0.092"


def fixed_odds_total(*, sure_rest: bool) -> float:
    """Return what 26 + 26 are worth if either colour is drawn with probability 1/2.

    Draws end when a colour is used up; `sure_rest` then pays the good cards left.
    """
    totals: dict[tuple[int, int], float] = {}
    for red, black in CELLS:
        cash = black - red
        if red == 0 or black == 0:
            totals[red, black] = cash + (red if sure_rest else 0)
        else:
            draw = (totals[red - 1, black] + totals[red, black - 1]) / 2
            totals[red, black] = max(cash, draw)
    return totals[FULL, FULL]


def test_problem_14_fixed_odds_are_worth_nothing() -> None:
    """Its 2.86 for a chance of 1/2 throughout is not due to luck that never reverts.

    A fair walk is a martingale, worth 0 whatever the policy. The figure comes from the
    program's last rule, by which good cards that outlast the bad ones are paid for.
    """
    assert f"{fixed_odds_total(sure_rest=True):.2f}" == sources.FIXED_ODDS_MEAN
    assert fixed_odds_total(sure_rest=False) == 0


def test_problem_14_first_program_in_neat_is_for_balanced_decks() -> None:
    """At the end of the deck it returns 0, where the player has the cash in hand."""

    @functools.cache
    def expected(cash: int, red: int, black: int) -> float:
        if not (red or black):
            return 0
        payoff = 0.0
        if red:
            payoff += red / (red + black) * expected(cash + 1, red - 1, black)
        if black:
            payoff += black / (red + black) * expected(cash - 1, red, black - 1)
        return max(cash, payoff)

    assert expected(0, FULL, FULL) == pytest.approx(float(sources.V26))
    assert f"{expected(0, FULL + 1, FULL):.4f}" == "3.1307"
    assert f"{redblack.value(FULL + 1, FULL):.4f}" == "3.3728"


# The Problem 14 essay: its extrapolations; tests of `fitting` reproduce its
# regressions.


def test_problem_14_extrapolations() -> None:
    """Two of its fit's are cut off, not rounded; all are above the value."""
    intercept, slope, _ = sources.SQRT_FIT
    misprinted = {}
    for deck, printed in sources.EXTRAPOLATIONS.items():
        fitted = intercept + slope * math.sqrt(deck)
        assert fitted > worth(deck)
        if (rounded := f"{fitted:.{decimals(printed)}f}") != printed:
            misprinted[printed] = rounded
    assert misprinted == {"522.0": "522.1", "1650.96": "1650.97"}
    right = {deck: worth(deck) for deck in sources.EXTRAPOLATIONS}
    assert [f"{value:.2f}" for value in right.values()] == [
        *("165.08", "522.03", "1650.83", "5220.38", "16508.28"),
        *("52203.77", "165082.81"),
    ]


# Yang's program: black is the good card there, and values are totals.


def yangs_program() -> tuple[dict[tuple[int, int], Fraction], set[tuple[int, int]]]:
    """Return its two tables: currentValue[C, D], and where continueOrNot is 1.

    C black (good) and D red (bad) cards remain.
    """
    current: dict[tuple[int, int], Fraction] = {(0, 0): Fraction(0)}
    going_on: set[tuple[int, int]] = set()
    for c, d in CELLS[1:]:
        if c == 0:
            play = current[c, d - 1]
        elif d == 0:
            play = current[c - 1, d]
        else:
            play = (c * current[c - 1, d] + d * current[c, d - 1]) / (c + d)
        current[c, d] = max(Fraction(d - c), play)
        if play > d - c:
            going_on.add((c, d))
    return current, going_on


@pytest.mark.parametrize("tie", TIES)
def test_yangs_program_recurrence(tie: Tie) -> None:
    """Its colours exchanged are ours; it stops where both are worth the same."""
    current, going_on = yangs_program()
    ours = redblack.solve(FULL, FULL, rules=Rules(tie=tie), backend="exact")
    totals, stop = ours.table("total"), ours.table("stop")
    assert {cell: totals[cell] for cell in CELLS} == current
    draws = {cell for cell in CELLS[1:] if not stop[cell]}
    assert draws ^ going_on == (set() if tie == "stop" else {(1, 2)})
    assert current[FULL, FULL] == sources.V26


def test_yangs_program_special_cases(solution: Solution[Any, Any, Any]) -> None:
    """The empty deck; only bad cards left; only good cards left."""
    totals = solution.table("total")
    assert totals[0, 0] == 0
    for cards in range(1, FULL + 1):
        bad, good = solution.advice((0, cards)), solution.advice((cards, 0))
        assert (bad.collected, good.collected) == (cards, -cards)
        assert bad.values == {"stop": 0, "draw": totals[0, cards - 1] - cards}
        assert good.values == {"stop": 0, "draw": totals[cards - 1, 0] + cards}
        assert (bad.action, bad.value) == ("stop", 0)
        assert (good.action, good.value) == ("draw", cards)


def test_yangs_program_state_by_cards_in_hand() -> None:
    """Its second function is given X cards in hand, Y of them good."""
    current, going_on = yangs_program()
    table = redblack.solve(FULL, FULL, backend="exact")
    for y in range(FULL + 1):
        for x in range(y, y + FULL + 1):
            state = FULL - y, FULL - (x - y)
            if not any(state):
                continue
            advice = table.advice(redblack.State(*state))
            assert advice.collected == y - (x - y)
            assert advice.value + advice.collected == current[state]
            assert (advice.action == "draw") == (state in going_on)


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
    found = redblack.thresholds(12).n.tolist()
    assert found == sources.THRESHOLDS
    excess = redblack.boundary(redblack.solve(60, 60, backend="exact")).excess
    for k, n in enumerate(found[:6], 1):
        assert excess[n] <= k < excess[n + 2]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("tie", TIES)
def test_distributions(tie: Tie, backend: Backend) -> None:
    game = redblack.game(FULL, FULL, rules=Rules(tie=tie))
    found = play.distribution(game, "optimal", count="draw", backend=backend)
    assert f"{float(found.moves.mean):.6f}" == sources.MEAN_DURATIONS[tie]
    if tie == "stop":
        law = found.returns[0]
        assert [int(payoff) for payoff in law.support] == list(range(7))
        printed = tuple(f"{float(p):.6f}" for p in law.probabilities)
        assert printed == sources.PAYOFF_PROBABILITIES
        assert f"{law.std:.6f}" == sources.PAYOFF_DEVIATION
