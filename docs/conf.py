"""Configuration of Sphinx: a build that needs no network and lets no warning pass."""

import doctest
import os
import sys
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

import cardgames_dp

project = "cardgames_dp"
author = "The cardgames_dp developers"
copyright = f"2026, {author}"
version = release = cardgames_dp.__version__

DOCS = Path(__file__).parent
OUTPUT = DOCS / "_output"
"""What the notebooks and the pictures of functions make in a build."""

# Before matplotlib is loaded, here and by the kernels of notebooks and by examples.
os.environ["MATPLOTLIBRC"] = str(DOCS / "matplotlibrc")

# The extensions, and the examples: one of them draws a picture of its kept times.
sys.path += [str(DOCS / "_ext"), str(DOCS.parent / "examples")]
extensions = [
    "descriptions",
    "links",
    "markup",
    "matplotlib.sphinxext.plot_directive",
    "myst_nb",
    "notebooks",
    "numpydoc",
    "pictures",
    "playing",
    "roles",
    "sidebar",
    "solved",
    "spelling",
    "units",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.doctest",
    "sphinx.ext.mathjax",
    "sphinx.ext.viewcode",
    "sphinx_copybutton",
    "sphinx_design",
    "sphinxext.opengraph",
]
exclude_patterns = ["_*", "conf.py", "paper"]
html_theme = "furo"
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
pygments_dark_style = "a11y-high-contrast-dark"  # underlines no name of a module
html_title = f"cardgames_dp {version}: dice and card games solved"
html_theme_options: dict[str, Any] = {"top_of_page_buttons": []}
html_copy_source = False
html_favicon = "_static/favicon.svg"
# Where the pages are published, their host says at what address.
html_baseurl = ogp_site_url = os.environ.get("READTHEDOCS_CANONICAL_URL", "")
ogp_description_length = 170  # search engines show no more letters
ogp_image = "_static/problem14.png"
ogp_social_cards = {"enable": False}
templates_path = ["_templates"]

# Mathematics is set by a MathJax that comes with the pages, so it needs no network.
MATHJAX = distribution("jupyter-server-mathjax")
html_static_path = [
    str(MATHJAX.locate_file("jupyter_server_mathjax/static")),
    "_static",
]
html_css_files = ["pictures.css"]
html_js_files = ["breaks.js", "scroll.js"]
mathjax_path = "MathJax.js"
mathjax2_config = {
    "config": ["TeX-AMS-MML_HTMLorMML-full.js"],
    "tex2jax": {"inlineMath": [["\\(", "\\)"]], "processClass": "math"},
    "HTML-CSS": {
        "availableFonts": [],
        "webFont": "STIX-Web",
        "linebreaks": {"automatic": True},
        "scale": 90,  # as large as the text beside it
    },
    "messageStyle": "none",
    "showMathMenu": False,
}
myst_enable_extensions = ["dollarmath"]
myst_update_mathjax = False

autodoc_member_order = "bysource"
autodoc_typehints = "none"  # the docstrings give the types, as numpydoc has it
numpydoc_show_class_members = False
doctest_default_flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE

# References to this package must lead somewhere; those to other projects stay text.
default_role = "py:obj"
linkcheck_ignore = ["solved/"]  # pages that are written at the end
nitpicky = True
# Type variables of games, which have no page.
nitpick_ignore = [
    ("py:obj", f"cardgames_dp._results.records.{name}") for name in ("Action", "State")
]
nitpick_ignore_regex = [("py:.*", r"(?!cardgames_dp\b).*")]

plot_formats = ["svg"]
plot_html_show_formats = plot_html_show_source_link = False

# Notebooks are run when they have changed. What they run on may have changed as well:
# delete docs/_output to run everything anew, as a clean checkout does.
nb_custom_formats = {".py": ["jupytext.reads", {"fmt": "py:percent"}]}
nb_execution_mode = "cache"
nb_execution_cache_path = str(OUTPUT / "notebooks")
nb_execution_raise_on_error = True
nb_execution_timeout = 600
nb_merge_streams = True
nb_code_prompt_show = "Answer"  # only answers of exercises are folded
nb_code_prompt_hide = "Hide the answer"

# However slow the machine is, no bar is part of a page.
os.environ["TQDM_DISABLE"] = "1"

# Notebooks draw SVG, as the other pages do, of which pictures.py makes doubles.
os.environ["IPYTHONDIR"] = str(OUTPUT / "ipython")
KERNEL = OUTPUT / "ipython" / "profile_default" / "ipython_kernel_config.py"
KERNEL.parent.mkdir(parents=True, exist_ok=True)
KERNEL.write_text(
    "c = get_config()\n"
    "c.InlineBackend.figure_formats = ['svg']\n"
    "c.InlineBackend.print_figure_kwargs = {\n"
    "    'bbox_inches': 'tight', 'metadata': {'Date': None}\n"
    "}\n",
    encoding="utf-8",
)
