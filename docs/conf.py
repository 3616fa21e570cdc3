"""Configuration of Sphinx: a build that needs no network and lets no warning pass."""

import doctest
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import cardgames_dp

project = "cardgames_dp"
author = "The cardgames_dp developers"
copyright = f"2026, {author}"
version = release = cardgames_dp.__version__

extensions = [
    "matplotlib.sphinxext.plot_directive",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.doctest",
    "sphinx.ext.mathjax",
]
exclude_patterns = ["_build", "_output"]
html_theme = "alabaster"
html_theme_options = {"description": "Finite card games by dynamic programming"}

autodoc_member_order = "bysource"
autodoc_typehints = "none"  # the docstrings give the types, as numpydoc has it
numpydoc_show_class_members = False
doctest_default_flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE

# References to this package must lead somewhere; those to other projects stay text.
nitpicky = True
nitpick_ignore_regex = [("py:.*", r"(?!cardgames_dp\b).*")]

plot_formats = [("png", 120)]
plot_html_show_formats = plot_html_show_source_link = False

DOCS = Path(__file__).parent
OUTPUT = DOCS / "_output"
"""What the examples print, and their pictures; made by the build."""


def run_examples(_: object) -> None:
    """Run the examples that have changed since they were last run."""
    OUTPUT.mkdir(exist_ok=True)
    for script in sorted((DOCS.parent / "examples").glob("*.py")):
        printed = OUTPUT / f"{script.stem}.txt"
        if printed.exists() and printed.stat().st_mtime > script.stat().st_mtime:
            continue
        done = subprocess.run(
            [sys.executable, str(script)],
            cwd=OUTPUT,
            env={**os.environ, "MPLBACKEND": "Agg"},
            check=True,
            capture_output=True,
            text=True,
        )
        printed.write_text(done.stdout)


def setup(app: Any) -> None:
    """Have the examples run before the pages are read."""
    app.connect("builder-inited", run_examples)
