"""Configuration of Sphinx: a build that needs no network and lets no warning pass."""

import doctest

import cardgames_dp

project = "cardgames_dp"
author = "The cardgames_dp developers"
copyright = f"2026, {author}"
version = release = cardgames_dp.__version__

extensions = [
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.doctest",
    "sphinx.ext.mathjax",
]
exclude_patterns = ["_build"]
html_theme = "alabaster"
html_theme_options = {"description": "Finite card games by dynamic programming"}

autodoc_member_order = "bysource"
autodoc_typehints = "none"  # the docstrings give the types, as numpydoc has it
numpydoc_show_class_members = False
doctest_default_flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE

# References to this package must lead somewhere; those to other projects stay text.
nitpicky = True
nitpick_ignore_regex = [("py:.*", r"(?!cardgames_dp\b).*")]
