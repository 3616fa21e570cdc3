"""Configuration of Sphinx: a build that needs no network and lets no warning pass."""

import doctest
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import jupyter_server_mathjax

import cardgames_dp

project = "cardgames_dp"
author = "The cardgames_dp developers"
copyright = f"2026, {author}"
version = release = cardgames_dp.__version__

sys.path.append(str(Path(__file__).parent / "_ext"))
extensions = [
    "matplotlib.sphinxext.plot_directive",
    "myst_nb",
    "numpydoc",
    "spelling",
    "sphinx.ext.autodoc",
    "sphinx.ext.doctest",
    "sphinx.ext.mathjax",
]
exclude_patterns = ["_*", "conf.py"]
html_theme = "furo"
html_title = f"cardgames_dp {version}"
html_theme_options: dict[str, Any] = {"top_of_page_buttons": []}
html_copy_source = False

# Mathematics is set by a MathJax that comes with the pages, so it needs no network.
MATHJAX = Path(jupyter_server_mathjax.__file__).parent / "static"
html_static_path = [str(MATHJAX)]
mathjax_path = "MathJax.js"
mathjax2_config = {
    "config": ["TeX-AMS-MML_HTMLorMML-full.js"],
    "tex2jax": {"inlineMath": [["\\(", "\\)"]], "processClass": "math"},
    "HTML-CSS": {
        "availableFonts": [],
        "webFont": "STIX-Web",
        "linebreaks": {"automatic": True},
    },
    "messageStyle": "none",
    "showMathMenu": False,
}
myst_enable_extensions = ["dollarmath"]
myst_update_mathjax = False

autodoc_member_order = "bysource"
autodoc_typehints = "none"  # the docstrings give the types, as numpydoc has it
numpydoc_show_class_members = False
doctest_default_flags = doctest.ELLIPSIS

# References to this package must lead somewhere; those to other projects stay text.
default_role = "py:obj"
nitpicky = True
nitpick_ignore_regex = [("py:.*", r"(?!cardgames_dp\b).*")]

plot_formats = [("png", 120)]
plot_html_show_formats = plot_html_show_source_link = False

DOCS = Path(__file__).parent
EXAMPLES = DOCS.parent / "examples"
OUTPUT = DOCS / "_output"
"""What the examples print, their tables and pictures; made by the build."""

# Notebooks are run when they have changed. What they run on may have changed as well:
# delete docs/_output to run everything anew, as a clean checkout does.
nb_custom_formats = {".py": ["jupytext.reads", {"fmt": "py:percent"}]}
nb_execution_mode = "cache"
nb_execution_cache_path = str(OUTPUT / "notebooks")
nb_execution_raise_on_error = True
nb_execution_timeout = 600
nb_merge_streams = True


def copy_notebooks(_: object) -> None:
    """Put the notebooks where Sphinx looks for pages."""
    shutil.copytree(EXAMPLES / "notebooks", DOCS / "notebooks", dirs_exist_ok=True)


def run_examples(_: object) -> None:
    """Run the examples that have changed since they were last run, side by side."""
    OUTPUT.mkdir(exist_ok=True)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(run_example, sorted(EXAMPLES.glob("*.py"))))


def run_example(script: Path) -> None:
    """Run an example, unless what it printed is newer than the script."""
    printed = OUTPUT / f"{script.stem}.txt"
    if printed.exists() and printed.stat().st_mtime > script.stat().st_mtime:
        return
    done = subprocess.run(
        [sys.executable, str(script)],
        cwd=OUTPUT,
        env={**os.environ, "MPLBACKEND": "Agg"},
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    printed.write_text(done.stdout)


def setup(app: Any) -> None:
    """Have notebooks and examples ready before the pages are read."""
    app.connect("builder-inited", copy_notebooks)
    app.connect("builder-inited", run_examples)
