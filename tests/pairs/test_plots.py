"""Pictures show the numbers that they are made from."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure

from cardgames_dp import pairs
from cardgames_dp.pairs import plots

RULES = pairs.Rules(deck=pairs.triangular(4), target=10)
SOLUTION = pairs.solve(RULES)
RATES = [pairs.win_rate(RULES, "optimal", name) for name in ("never_hit", "always_hit")]


def draw(ax: Any) -> None:
    """Render, which is where a broken artist shows."""
    ax.figure.canvas.draw()


def test_opening_shows_actions_and_leads() -> None:
    opening = SOLUTION.opening_table()
    ax = plots.plot_opening(opening)
    draw(ax)
    shown = {text.get_position(): text.get_text() for text in ax.texts}
    assert len(shown) == 15  # not 1 against 1, of which there is only one card
    for (other, own), word in shown.items():
        assert word == ("hit" if opening.hits[own, other] else "fold")
    lead = ax.images[0].get_array()
    assert lead.mask[0, 0]
    assert np.array_equal(lead[1], opening.lead[1])
    assert [label.get_text() for label in ax.get_xticklabels()] == ["1", "2", "3", "4"]
    assert ax.get_title().endswith("0 to 0 points")


def test_opening_marks_ties() -> None:
    rules = pairs.Rules(deck={1: 2, 2: 2}, target=1)  # whoever scores has lost
    opening = pairs.solve(rules).opening_table()
    ax = plots.plot_opening(opening)
    draw(ax)
    words = {text.get_position(): text.get_text() for text in ax.texts}
    ties = {(other, own) for own, other in np.argwhere(opening.ties).tolist()}
    assert {place for place, word in words.items() if word == "tie"} == ties


def test_scores_are_indexed_by_the_leader_first() -> None:
    ax = plots.plot_scores(SOLUTION)
    draw(ax)
    image = ax.images[0].get_array()
    assert image[9, 0] == SOLUTION.value_at((9, 0))[0]
    assert image[0, 9] == SOLUTION.value_at((0, 9))[0]
    assert image[9, 0] < 0.1
    assert image[0, 9] > 0.9


def test_scores_where_the_deck_is_remembered_are_those_of_the_full_one() -> None:
    rules = pairs.Rules(deck=pairs.triangular(3), target=4, reshuffle="exhausted")
    solution = pairs.solve(rules)
    image = plots.plot_scores(solution).images[0].get_array()
    assert image[2, 1] == solution.value_at((2, 1))[0]


def test_scores_of_a_game_to_one() -> None:
    draw(plots.plot_scores(pairs.solve(pairs.Rules(target=1))))


def test_win_rates_are_dots() -> None:
    ax = plots.plot_win_rates(RATES)
    draw(ax)
    first, second, mean, _ = ax.lines
    assert first.get_xdata().tolist() == [rate.first for rate in RATES]
    assert second.get_xdata().tolist() == [rate.second for rate in RATES]
    assert mean.get_xdata().tolist() == [rate.mean for rate in RATES]
    assert ax.get_ylim() == (1.5, -0.5)  # from the top


@pytest.mark.parametrize(
    ("function", "argument", "message"),
    [
        (plots.plot_opening, 3, "opening must be a pairs.OpeningTable, got 3 of type"),
        (plots.plot_scores, 3, "solution must be a pairs.Solution, got 3 of type int"),
        (plots.plot_win_rates, [3], "rates must be a pairs.WinRate each, got 3"),
    ],
)
def test_other_things_are_refused(function: Any, argument: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        function(argument)


def test_nothing_to_draw() -> None:
    with pytest.raises(ValueError, match="at least one WinRate, got none"):
        plots.plot_win_rates([])


def test_scores_are_of_two_players() -> None:
    solution = pairs.solve(pairs.Rules(players=3, deck={1: 4}, target=2))
    with pytest.raises(ValueError, match="must be of two players, got players=3"):
        plots.plot_scores(solution)


def test_axes_are_taken_and_given_back() -> None:
    ax = Figure().add_subplot()
    assert plots.plot_scores(SOLUTION, ax=ax) is ax


def test_without_matplotlib(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(ModuleNotFoundError, match=r"needs matplotlib.*\[plot\]"):
        plots.plot_scores(SOLUTION)
