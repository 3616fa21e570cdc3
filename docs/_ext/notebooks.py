"""The notebooks: as pages, and as files that you can download and run in Jupyter.

``examples/notebooks`` has each as a script, whose links lead to other files of the
project. A page gets a link to its ``.ipynb`` file. That file may lie anywhere, so its
links are addresses where the pages are published, and plain words where they are not.
The pages have no kernel, so ``stand_in/ipywidgets.py`` makes their sliders.

Notebooks that have changed are run, two at once, while Sphinx reads the other pages. It
then finds them in the cache of MyST-NB. One that fails is not there, so that MyST-NB
runs it again and reports the error. An exercise whose answer is not the known one is a
warning.
"""

from __future__ import annotations

import json
import os
import re
from multiprocessing import Process
from multiprocessing.connection import wait
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from docutils import nodes
    from sphinx.application import Sphinx
    from sphinx.util.typing import ExtensionMetadata

DOCS = Path(__file__).parents[1]
SCRIPTS = DOCS.parent / "examples" / "notebooks"
FILES = DOCS / "_output" / "ipynb"
STAND_IN = Path(__file__).with_name("stand_in")

LINK = re.compile(r"\[([^\]]+)\]\((?!https?:)([^)]+)\.(?:rst|py)\)")
TITLE = re.compile(r"(?<=\n)# # .+\n")

ANSWERS = {
    "stop_or_draw": ["2/3", "0.5250, if", "1.4162: with it you get 4.0407", "107"],
    "how_it_grows": ["guess    1044.08", "computed 1044.07", "0.83993", "+2.823"],
    "beat_your_sister": ["wins by 10", "lead is -2", "20"],
    "hit_or_fold": ["1 + 4 of 51 cards: 0.0980", "costs 0.0332 wins", " of 49"],
    "beat_the_house": ["you win with probability 0.450", "8", "+0.0034"],
}
"""What the answers of the exercises print, in their order, at the end of a notebook."""

JUPYTEXT = {"name": "jupytext", "type": "plugin"}
"""How the cache of MyST-NB reads a page."""


def anywhere(text: str, base: str) -> str:
    """Return Markdown whose links work in a file that lies anywhere."""

    def moved(link: re.Match[str]) -> str:
        words, target = link.groups()
        page = target.removeprefix("../../docs/")
        if page == target:
            page = f"notebooks/{target}"
        return f"[{words}]({base.rstrip('/')}/{page}.html)" if base else str(words)

    return LINK.sub(moved, text)


def ipynb(script: str, base: str) -> str:
    """Return a script as a notebook to download, with its answers folded."""
    import jupytext

    notebook: Any = jupytext.reads(script, fmt="py:percent")
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = anywhere(cell.source, base)
        elif "hide-cell" in cell.metadata.get("tags", ()):
            cell.metadata["jupyter"] = {"source_hidden": True}
    return str(jupytext.writes(notebook, fmt="ipynb"))


def page(script: str, name: str) -> str:
    """Return a script as a page, which has a link to its file below the title."""
    file = f"/{(FILES / name).relative_to(DOCS).as_posix()}.ipynb"
    line = f"#\n# {{download}}`Download this notebook <{file}>` to run it in Jupyter.\n"
    return TITLE.sub(lambda title: title[0] + line, script, count=1)


def prepare(app: Sphinx) -> None:
    """Put pages where Sphinx looks for them, and files where the pages do; run them."""
    colours = getattr(app.extensions["pictures"].module, "DARK", {})
    before = [path for path in [os.environ.get("PYTHONPATH")] if path]
    os.environ["PYTHONPATH"] = os.pathsep.join([str(STAND_IN), *before])
    os.environ["DARK_COLOURS"] = json.dumps(colours)
    for folder in (DOCS / "notebooks", FILES):
        folder.mkdir(parents=True, exist_ok=True)
    for script in SCRIPTS.glob("*.py"):
        text = script.read_text(encoding="utf-8")
        written = page(text, script.stem)
        (DOCS / "notebooks" / script.name).write_text(written, encoding="utf-8")
        written = ipynb(text, app.config.html_baseurl)
        (FILES / f"{script.stem}.ipynb").write_text(written, encoding="utf-8")
    config = app.config
    given = (config.nb_execution_cache_path, config.nb_execution_timeout)
    running = Process(target=run, args=given)
    running.start()

    def read(_: Sphinx, name: str, __: list[str]) -> None:
        if is_notebook(name):
            wait([running.sentinel])  # not join, which only its parent may call

    app.connect("source-read", read)


def run(cache: str, timeout: int) -> None:
    """Run the notebooks that are not in a cache, and put them there."""
    from jupyter_cache import get_cache
    from jupyter_cache.executors import load_executor

    pages = [str(path) for path in sorted((DOCS / "notebooks").glob("*.py"))]
    found = get_cache(cache)
    for one in pages:
        found.add_nb_to_project(one, read_data=JUPYTEXT)
    load_executor("local-parallel", found).run_and_cache(
        filter_uris=pages, timeout=timeout
    )


def compare(app: Sphinx, page: nodes.document) -> None:
    """Warn of a notebook whose exercises are not answered as they should be."""
    from docutils.nodes import container
    from sphinx.util.logging import getLogger

    name = app.env.docname
    if is_notebook(name):
        cells = page.findall(container)
        printed = "\n".join(
            cell.astext() for cell in cells if "cell_output" in cell["classes"]
        )
        for answer in ANSWERS[Path(name).name]:
            _, found, printed = printed.partition(answer)
            if not found:
                getLogger(__name__).warning(
                    "no cell prints the answer %r", answer, location=name
                )


def is_notebook(name: str) -> bool:
    """Tell whether a page is a notebook."""
    return name.startswith("notebooks/")


def put_last(_: Sphinx, __: object, names: list[str]) -> None:
    """Have the notebooks read after all other pages."""
    names.sort(key=is_notebook)


def setup(app: Sphinx) -> ExtensionMetadata:
    """Have the notebooks ready before the pages are read."""
    app.connect("builder-inited", prepare)
    app.connect("env-before-read-docs", put_last)
    app.connect("doctree-read", compare)
    return {"parallel_read_safe": True}
