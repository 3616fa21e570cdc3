"""Pictures show the numbers that they are made from, and leave nothing open."""

import subprocess
import sys

import matplotlib.figure
import numpy as np
import pytest
from matplotlib.colors import to_rgba

from cardgames_dp import redblack
from cardgames_dp.redblack import plots

SOLUTION = redblack.solve(6, 6)
GAMES = redblack.simulate(6, 6, games=200, paths=10, rng=3)


def draw(ax: object) -> None:
    """Render, which is where a broken artist shows."""
    ax.figure.canvas.draw()  # type: ignore[attr-defined]


def test_sheet_shows_the_totals_from_the_full_deck_down() -> None:
    ax = plots.plot_sheet(SOLUTION)
    draw(ax)
    (image,) = ax.images
    assert np.array_equal(image.get_array(), SOLUTION.totals)
    assert ax.get_xlim() == (6.5, -0.5)
    assert ax.get_ylim() == (-0.5, 6.5)
    numbers = {text.get_position(): text.get_text() for text in ax.texts}
    assert len(numbers) == 49
    assert numbers[2, 1] == "1"  # 2 black and 1 red left: 5 red, 4 black drawn
    assert numbers[6, 6] == f"{SOLUTION.value:.3g}"


def test_sheet_outlines_the_stop_set() -> None:
    """The outline of the stop set has every stop cell inside and no other."""
    ax = plots.plot_sheet(SOLUTION)
    (outline,) = ax.collections
    (path,) = outline.get_paths()
    for red in range(7):
        edge = path.vertices[np.abs(path.vertices[:, 1] - red) < 0.4, 0]
        # Along a row the stops are the columns from the edge on.
        first = int(np.argmax(SOLUTION.stop[red])) if SOLUTION.stop[red].any() else 7
        if len(edge) and 0 < first < 7:
            assert np.abs(edge - (first - 0.5)).min() < 0.1


def test_sheet_marks_ties() -> None:
    ax = plots.plot_sheet(SOLUTION)
    marked = [line for line in ax.lines if line.get_label() == "tie"]
    assert [line.get_xydata().tolist() for line in marked] == [[[2.0, 1.0]]]


@pytest.mark.parametrize("deck", [(0, 0), (0, 3), (3, 0), (1, 1), (30, 2)])
def test_sheet_of_any_shape(deck: tuple[int, int]) -> None:
    ax = plots.plot_sheet(redblack.solve(*deck))
    draw(ax)
    assert ax.images[0].get_array().shape == (deck[0] + 1, deck[1] + 1)


def test_sheet_of_a_long_strip() -> None:
    draw(plots.plot_sheet(redblack.solve(1500, 0)))


def test_sheet_of_a_stop_set_in_two_parts() -> None:
    rules = redblack.Rules(utility=lambda c: np.where((c > 2) & (c < 5), 3 - c, c))
    draw(plots.plot_sheet(redblack.solve(9, 8, rules=rules)))


def test_sheet_of_an_exact_solution_is_that_of_float64() -> None:
    exact = plots.plot_sheet(redblack.solve(6, 6, backend="exact"))
    assert np.allclose(exact.images[0].get_array(), SOLUTION.totals, atol=1e-14)


def test_boundary_shows_what_is_in_the_deck() -> None:
    boundary = SOLUTION.boundary
    ax = plots.plot_boundary(boundary)
    draw(ax)
    dots, law = ax.lines
    n, excess = dots.get_data()
    assert np.array_equal(boundary.excess[n.astype(int)], excess)
    assert sorted(n) == [i for i, k in enumerate(boundary.excess) if k <= i]
    assert law.get_ydata()[-1] == pytest.approx(0.8399236756923727 * 12**0.5)


def test_the_limit_law_is_drawn_for_even_amounts_only() -> None:
    rules = redblack.Rules(win=2)
    ax = plots.plot_boundary(redblack.solve(6, 6, rules=rules).boundary)
    assert len(ax.lines) == 1


def test_law_is_drawn_as_bars() -> None:
    law = redblack.payoff_law(6, 6)
    ax = plots.plot_law(law)
    draw(ax)
    assert [bar.get_height() for bar in ax.patches] == law.probabilities.tolist()
    middles = [bar.get_x() + bar.get_width() / 2 for bar in ax.patches]
    assert np.allclose(middles, law.support)
    assert ax.get_xlabel() == "payoff: final cash"


@pytest.mark.parametrize("of", ["payoff", "duration"])
def test_simulated_frequencies_stand_with_their_law(of: str) -> None:
    law = {"payoff": redblack.payoff_law, "duration": redblack.duration_law}[of](6, 6)
    ax = plots.plot_law(law, GAMES)
    draw(ax)
    (container,) = [c for c in ax.containers if c.get_label() != "law"]
    results, shares = container.lines[0].get_data()
    counts = GAMES.payoff_counts if of == "payoff" else GAMES.duration_counts
    expected = GAMES.payoffs if of == "payoff" else GAMES.durations
    assert results.tolist() == expected.tolist()
    assert shares.tolist() == (counts / 200).tolist()


def test_a_law_of_one_result() -> None:
    draw(plots.plot_law(redblack.payoff_law(0, 3, backend="exact")))


def test_paths_are_drawn_to_where_they_stop() -> None:
    figure = plots.plot_paths(GAMES)
    figure.canvas.draw()
    assert len(figure.axes) == 10
    for ax, path in zip(figure.axes, GAMES.paths, strict=True):
        _, course, end = ax.lines
        assert course.get_ydata().tolist() == path.tolist()
        assert end.get_xydata().tolist() == [[len(path) - 1, path[-1]]]
        assert to_rgba(end.get_color()) == to_rgba("tab:red")


def test_pictures_go_where_they_are_told() -> None:
    figure = matplotlib.figure.Figure()
    left, right = figure.subfigures(1, 2)
    ax = left.subplots()
    assert plots.plot_sheet(SOLUTION, ax=ax) is ax
    assert plots.plot_paths(GAMES, figure=right) is right


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (plots.plot_sheet, r"solution must be a redblack\.Solution, got 3 of type int"),
        (plots.plot_boundary, r"boundary must be a redblack\.Boundary, got 3 of"),
        (plots.plot_law, r"law must be a redblack\.Law, got 3 of type int"),
        (plots.plot_paths, r"simulation must be a redblack\.Simulation, got 3 of"),
    ],
)
def test_other_things_are_refused(function: object, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        function(3)  # type: ignore[operator]


def test_a_law_beside_something_else_is_refused() -> None:
    law = redblack.payoff_law(2, 2)
    with pytest.raises(TypeError, match=r"simulation must be a redblack\.Simulation"):
        plots.plot_law(law, law)  # type: ignore[arg-type]


def test_no_paths_no_picture() -> None:
    games = redblack.simulate(2, 2, games=3, rng=1)
    with pytest.raises(ValueError, match=r"simulation must have paths; use simulate"):
        plots.plot_paths(games)


def test_missing_matplotlib_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(ModuleNotFoundError, match=r"matplotlib: .*cardgames_dp\[plot"):
        plots.plot_sheet(SOLUTION)


def test_pyplot_is_left_alone() -> None:
    script = (
        "import sys; from cardgames_dp import redblack as r; "
        "assert 'matplotlib' not in sys.modules; "
        "r.plots.plot_sheet(r.solve(2, 2)); "
        "assert 'matplotlib.pyplot' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
