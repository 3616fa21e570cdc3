"""The gallery: what the example of each picture function draws, shown at the function.

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
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from sphinx.util.typing import ExtensionMetadata

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

mpl.use("agg")


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


def save_all(_: Sphinx) -> None:
    """Save the pictures of all functions, and keep what they are called."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    TITLES.clear()
    # The same names in each build, so that a page changes when its picture does.
    with mpl.rc_context({"svg.hashsalt": "cardgames_dp", "font.size": 11}):
        for module in MODULES:
            for name, function in functions(module):
                figure = draw(function)
                figure.savefig(file_of(name), metadata={"Date": None})
                TITLES[name] = title_of(figure)


def show_below_example(
    _: Sphinx, what: str, name: str, __: Any, ___: Any, lines: list[str]
) -> None:
    """Put the picture of a function below its example."""
    if what == "function" and name in TITLES:
        lines += ["", f".. image:: /_output/pictures/{name}.svg"]
        lines += [f"   :alt: What {name.rpartition('.')[2]} draws: {TITLES[name]}.", ""]


class Gallery(SphinxDirective):  # type: ignore[misc, unused-ignore]
    """Shows all pictures of a module, each with its function and its code."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return a heading, a picture and an example for each function."""
        text: list[str] = []
        for name, function in functions(self.arguments[0]):
            short = name.removeprefix("cardgames_dp.")
            first = (inspect.getdoc(function) or "").partition("\n")[0]
            text += [f".. rubric:: {TITLES[name]}", "", first, ""]
            text += [f".. image:: /_output/pictures/{name}.svg"]
            text += [f"   :alt: What {short} draws: {TITLES[name]}.", ""]
            text += [f":func:`~{name}`:", "", ".. code-block:: python", ""]
            code = "".join(statement.source for statement in example(function))
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
    return {"parallel_read_safe": True}
