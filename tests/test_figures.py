"""What holds for the pictures of all games."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache, partial
from typing import Any
from unittest.mock import Mock

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_rgb, to_rgba
from matplotlib.figure import Figure

from cardgames_dp import cardrow, fitting, pairs, play, plots, redblack

from .artists import cell_texts, draw, render

ROW = [4, 1, 5, 3]


@cache
def table() -> Any:
    return redblack.solve(3, 3)


@cache
def simulated() -> Any:
    return play.simulate(table(), games=10, histories=4, rng=1)


@cache
def fits() -> Any:
    return [fitting.fit([1, 2, 3, 4], [1.0, 1.5, 1.8, 2.1])]


RULES = pairs.Rules(deck=3, target=5)


@cache
def solution() -> Any:
    return pairs.solve(RULES)


@cache
def larger() -> Any:
    return pairs.solve(pairs.Rules(deck=4, target=10))


GAME = redblack.game(2, 2)


def thumb(state: redblack.State) -> str:
    return "draw" if state.red else "stop"


@cache
def laws() -> Any:
    return play.distribution(GAME, thumb)


DRAWN: dict[Any, Callable[[], tuple[Any, ...]]] = {
    plots.plot_tree: lambda: (redblack.game(2, 2),),
    plots.plot_map: lambda: (table(),),
    plots.plot_distribution: lambda: (laws(), play.simulate(GAME, thumb, 50, rng=1)),
    redblack.plots.plot_boundary: lambda: (redblack.boundary(table()),),
    redblack.plots.plot_paths: lambda: (simulated(),),
    cardrow.plots.plot_collapse: lambda: (ROW,),
    fitting.plots.plot_fits: lambda: (fits(), fitting.asymptotic_value(1000)),
    fitting.plots.plot_limit: lambda: (
        fitting.LimitDistribution("payoff"),
        {9: play.distribution(redblack.solve(9, 9)).returns[0]},
    ),
    pairs.plots.plot_hands: lambda: (pairs.positions(solution()),),
    pairs.plots.plot_scores: lambda: (solution(),),
}
"""Every public picture, with something to draw."""

functions = pytest.mark.parametrize(
    "function", DRAWN, ids=lambda function: function.__name__
)


def picture(function: Any, **more: Any) -> Any:
    """Draw what there is to draw."""
    fields = {"x": "black", "y": "red"} if function is plots.plot_map else {}
    return function(*DRAWN[function](), **fields, **more)


def test_every_picture_is_here() -> None:
    public = {
        getattr(module, name)
        for module in (plots, redblack.plots, cardrow.plots, pairs.plots, fitting.plots)
        for name in module.__all__
    }
    assert set(DRAWN) == public


@functions
def test_where_to_draw_is_taken_and_given_back(function: Any) -> None:
    place = Figure().add_subplot()
    assert picture(function, ax=place) is place
    draw(place)


@functions
@pytest.mark.parametrize("place", [3, "right", Figure()], ids=type)
def test_places_of_other_kinds_are_refused(function: Any, place: Any) -> None:
    with pytest.raises(TypeError, match=r"ax must be a matplotlib Axes.*, got .* of"):
        picture(function, ax=place)


@functions
def test_without_matplotlib_the_extra_is_named(
    function: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in sys.modules if name.startswith("matplotlib.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ModuleNotFoundError) as caught:
        picture(function)
    message = "a picture needs matplotlib: python3 -m pip install 'cardgames_dp[plot]'"
    assert str(caught.value) == message


@functions
def test_nothing_outside_the_picture_changes(
    function: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither the style nor pyplot, which keeps figures open, is touched."""
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    style = dict(mpl.rcParams)
    render(picture(function).figure)
    assert dict(mpl.rcParams) == style


@functions
def test_jupyter_shows_a_new_figure(
    function: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It shows those of pyplot, and closes them when a cell ends."""
    monkeypatch.setitem(sys.modules, "IPython", Mock(version_info=(9, 0)))
    # The oldest matplotlib asks whatever the version is.
    for name in ("IPython.core", "IPython.core.pylabtools"):
        monkeypatch.setitem(sys.modules, name, Mock(backend2gui={}))
    figure = picture(function).figure
    assert [plt.figure(number) for number in plt.get_fignums()] == [figure]
    plt.close(figure)
    plt.uninstall_repl_displayhook()


@functions
def test_axes_are_labelled(function: Any) -> None:
    drawn = picture(function)
    labels = [drawn.get_title()]
    if drawn.axison:  # a tree has nothing to measure
        labels += [drawn.get_xlabel(), drawn.get_ylabel()]
    assert all(labels)


def luminance(colour: Any) -> float:
    """Return the relative luminance of a colour, as WCAG 2.2 defines it."""
    parts = np.array(to_rgb(colour))
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


def over(colour: Any, below: Any) -> Any:
    """Return what a colour looks like on another one, which is opaque."""
    *parts, opacity = to_rgba(colour)
    return opacity * np.array(parts) + (1 - opacity) * np.array(to_rgb(below))


def contrast(colour: Any, below: Any) -> float:
    """Return the contrast of a colour to the one below it, by WCAG 2.2."""
    dark, light = sorted([luminance(below), luminance(over(colour, below))])
    return (light + 0.05) / (dark + 0.05)


styles = pytest.mark.parametrize("style", ["default", "dark_background"])


@styles
@pytest.mark.parametrize(
    ("function", "given"),
    [
        (partial(plots.plot_map, x="black", y="red"), redblack.solve(5, 5)),
        (partial(plots.plot_map, x="black", y="red", of="value"), redblack.solve(5, 5)),
        (
            partial(plots.plot_map, x="black", y="red", of="margin"),
            redblack.solve(5, 5),
        ),
        (pairs.plots.plot_hands, pairs.positions(larger())),
    ],
    ids=["actions", "values", "margins", "hands"],
)
def test_words_on_maps_can_be_read(function: Any, given: Any, style: str) -> None:
    """On every colour they have the contrast that WCAG 2.2 asks for at level AA."""
    with mpl.style.context(style):
        ax = function(given)
    draw(ax)
    image, shown = ax.images[0], np.ma.asarray(ax.images[0].get_array())
    words = [text for text in ax.texts if text.get_text()]
    assert len(words) == len(cell_texts(ax)) > 8
    empty = over(ax.get_facecolor(), {"default": "white"}.get(style, "black"))
    for text in words:
        column, row = np.round(text.get_position()).astype(int)
        masked = np.ma.getmaskarray(shown)[row, column]
        below = empty if masked else image.to_rgba(shown)[row, column, :3]
        assert contrast(text.get_color(), below) >= 4.5


@styles
@functions
def test_what_is_drawn_stands_out(function: Any, style: str) -> None:
    """Words have the contrast of level AA, and what the legend names has 3 : 1."""
    with mpl.style.context(style):
        figure = picture(function).figure
        render(figure)
    paper = {"default": "white"}.get(style, "black")
    for ax in figure.axes:
        words = [ax.title, ax.xaxis.label, ax.yaxis.label, *ax.get_xticklabels()]
        if not ax.images:
            words += ax.texts
            for line in ax.lines:
                if not line.get_label().startswith("_"):
                    assert contrast(line.get_markeredgecolor(), paper) >= 3, line
            for group in ax.containers:
                for bar in getattr(group, "patches", ()):
                    assert contrast(bar.get_edgecolor(), paper) >= 3
        for text in words:
            box = text.get_bbox_patch()
            below = over(box.get_facecolor(), paper) if box else paper
            assert contrast(text.get_color(), below) >= 4.5, text
            assert text.get_size() >= 7 or function is plots.plot_tree
