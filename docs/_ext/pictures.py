"""The pictures: for light and dark pages, in the gallery, and at their functions.

Every picture is drawn in the ink and on the paper that ``docs/matplotlibrc`` names. Its
double for dark pages is the same with these two exchanged: a colour that stands for
something, such as one of a colour map, is the same on both.

The examples in the docstrings of all modules ``plots`` are run once a build. What a
function draws is saved as ``docs/_output/pictures/MODULE.FUNCTION.svg``, shown on the
function's own page below its example, and by the directive ``gallery`` with the code
that drew it.
"""

from __future__ import annotations

import doctest
import importlib
import inspect
import re
import runpy
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from docutils import nodes
from matplotlib.figure import Figure
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from sphinx.util.typing import ExtensionMetadata

from cardgames_dp import cardrow, pairs, play, plots, redblack

MODULES = (
    "cardgames_dp.redblack.plots",
    "cardgames_dp.cardrow.plots",
    "cardgames_dp.pairs.plots",
    "cardgames_dp.fitting.plots",
    "cardgames_dp.plots",
)
TITLES: dict[str, str] = {}
"""What the pictures of a build are called, by the full names of their functions."""

PICTURES = Path(__file__).parents[1] / "_output" / "pictures"
CARD = PICTURES.with_name("card.pdf")
"""The card to print: the published game of Pairs, and Problem 14."""

DARK = {"#1f2328": "#cfd0d0", "#fefefe": "#131416"}
"""Ink and paper of pictures, and what dark pages have in their place."""

mpl.use("agg")


def front_law(ax: Any) -> None:
    """Draw what the player of Problem 14 wins."""
    plots.plot_distribution(play.distribution(redblack.solve(26, 26)), ax=ax)
    ax.set_title("What you win, and how likely")


def front_row(ax: Any) -> None:
    """Draw the best turns in a row of cards."""
    row = cardrow.solve([14, 4, 7, 2, 5, 12])
    plots.plot_map(row, x="right", y="left", ax=ax)
    ax.get_legend().remove()
    ax.set_title("The best turn with any cards left")


def front_pairs(ax: Any) -> None:
    """Draw the first decision of a small game of Pairs."""
    rules = pairs.Rules(deck=4, target=10)
    pairs.plots.plot_hands(pairs.positions(pairs.solve(rules)), own=1, other=1, ax=ax)
    ax.get_legend().remove()
    ax.set_title("One card each: hit, or fold?")


def front_tree(ax: Any) -> None:
    """Draw a small game as a tree."""
    game = redblack.game(1, 1)
    plots.plot_tree(game, name=lambda state: f"{state.red} + {state.black}", ax=ax)
    ax.get_legend().remove()
    ax.set_title("Every state, its value and the best move")


FRONT: dict[str, tuple[tuple[float, float], Callable[[Any], None]]] = {
    "law": ((4.2, 3.3), front_law),
    "row": ((4.2, 3.3), front_row),
    "pairs": ((4.2, 4), front_pairs),
    "tree": ((4.2, 4), front_tree),
}
"""The pictures of the front page, which has half the width for each: size and what."""


def functions(module: str) -> Iterator[tuple[str, Any]]:
    """Yield the picture functions of a module, with their full names."""
    loaded = importlib.import_module(module)
    for name in loaded.__all__:
        if name.startswith("plot_"):
            yield f"{module}.{name}", getattr(loaded, name)


def example(function: Any) -> list[doctest.Example]:
    """Return the statements of a docstring's example, up to the one that draws."""
    found = doctest.DocTestParser().get_examples(inspect.getdoc(function) or "")
    call = f".{function.__name__}("
    last = max(place for place, one in enumerate(found) if call in one.source)
    return found[: last + 1]


def draw(function: Any) -> Any:
    """Run an example, and return the figure of what it calls `ax`."""
    names: dict[str, Any] = {}
    for statement in example(function):
        exec(statement.source, names)
    return np.ravel(names["ax"])[0].figure


def file_of(name: str) -> Path:
    """Return where the picture of a function lies."""
    return PICTURES / f"{name}.svg"


def title_of(figure: Any) -> str:
    """Return what a picture is called: its text for those who do not see it."""
    titles = [ax.get_title() for ax in figure.axes] + [figure.get_suptitle()]
    title = next(title for title in titles if title)
    # Mathematics is written for the eye: say it in letters.
    return re.sub(r"\\,|[${}]", "", title).replace("\\sqrt", "√")


def alt(name: str) -> str:
    """Return what a picture is for those who do not see it."""
    return f"What {name.rpartition('.')[2]} draws: {TITLES[name]}."


def save(figure: Any, name: str) -> None:
    """Save a figure without more room about it than its margins."""
    # No date: a page changes when its picture does.
    form: dict[str, Any] = {"bbox_inches": "tight", "metadata": {"Date": None}}
    figure.savefig(file_of(name), **form)


def save_card() -> None:
    """Save the card to print, in its own size."""
    example = runpy.run_path(str(PICTURES.parents[2] / "examples" / "card.py"))
    opening = pairs.opening_table(pairs.published())
    boundary = redblack.boundary(redblack.solve(26, 26))
    undated = {"CreationDate": None, "ModDate": None}
    card = example["two_games"](opening, pairs.SumBelow(), boundary)
    card.savefig(CARD, metadata=undated)


def save_all(_: Sphinx) -> None:
    """Save the pictures of all functions, and keep what they are called."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    TITLES.clear()
    for module in MODULES:
        for name, function in functions(module):
            figure = draw(function)
            save(figure, name)
            TITLES[name] = title_of(figure)
    for name, (size, picture) in FRONT.items():
        figure = Figure(figsize=size, layout="constrained")
        picture(figure.add_subplot())
        save(figure, f"front.{name}")
    save_card()


def show_below_example(
    _: Sphinx, what: str, name: str, __: Any, ___: Any, lines: list[str]
) -> None:
    """Put the picture of a function below its example."""
    if what == "function" and name in TITLES:
        lines += ["", f".. image:: /_output/pictures/{name}.svg"]
        lines += [f"   :alt: {alt(name)}", ""]


def double(app: Sphinx, page: nodes.document) -> None:
    """Put beside each picture its double, which the theme shows on dark pages."""
    for image in list(page.findall(nodes.image)):
        _, path = app.env.relfn2path(image["uri"])
        light = Path(path)
        if light.suffix != ".svg" or not light.is_file():
            continue
        drawn = light.read_text(encoding="utf-8")
        for colour, other in DARK.items():
            drawn = drawn.replace(colour, other)
        light.with_suffix(".dark.svg").write_text(drawn, encoding="utf-8")
        dark = image.deepcopy()
        dark["uri"] = f"{image['uri'].removesuffix('.svg')}.dark.svg"
        image["classes"].append("only-light")
        dark["classes"].append("only-dark")
        image.parent.insert(image.parent.index(image) + 1, dark)


class Gallery(SphinxDirective):  # type: ignore[misc, unused-ignore]
    """Shows all pictures of a module, each with its function and its code."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return the name, a picture and an example of each function."""
        text: list[str] = []
        for name, function in functions(self.arguments[0]):
            first = (inspect.getdoc(function) or "").partition("\n")[0]
            text += [f".. rubric:: :func:`~{name}`", "", first, ""]
            text += [
                f".. image:: /_output/pictures/{name}.svg",
                f"   :alt: {alt(name)}",
            ]
            text += ["", ".. code-block:: python", ""]
            code = "".join(one.source for one in example(function) if not one.want)
            text += [f"   {line}" for line in code.splitlines()]
            text += [""]
        shown: list[nodes.Node] = self.parse_text_to_nodes("\n".join(text))
        return shown


def setup(app: Sphinx) -> ExtensionMetadata:
    """Draw before the pages are read."""
    app.connect("builder-inited", save_all)
    # Before numpydoc, which sorts the sections, gets to see the docstring.
    app.connect("autodoc-process-docstring", show_below_example, priority=400)
    app.add_directive("gallery", Gallery)
    # Before Sphinx collects the pictures of a page.
    app.connect("doctree-read", double, priority=400)
    return {"parallel_read_safe": True}
