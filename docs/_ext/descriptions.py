"""Data are described by what stands below their definition, wherever that is.

Packages export names of their modules. Autodoc looks for the description of such a name
in the package, does not find it, and takes that of the type: of a tuple, say.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

from jinja2.sandbox import SandboxedEnvironment
from numpydoc import docscrape_sphinx
from sphinx.application import Sphinx
from sphinx.pycode import ModuleAnalyzer
from sphinx.util.typing import ExtensionMetadata


def described(name: str, value: object) -> Iterator[list[str]]:
    """Yield the descriptions of a name in the modules in which it has this value."""
    for path, module in sorted(sys.modules.items()):
        if path.startswith("cardgames_dp.") and vars(module).get(name) is value:
            documented = ModuleAnalyzer.for_module(path).find_attr_docs()
            if ("", name) in documented:
                yield list(documented["", name])


def describe(
    _: Sphinx, what: str, name: str, value: Any, __: Any, lines: list[str]
) -> None:
    """Replace the description of a type by that of the data."""
    if what == "data":
        lines[:] = next(described(name.rpartition(".")[2], value), lines)


def setup(app: Sphinx) -> ExtensionMetadata:
    """Look before numpydoc reads the description."""
    app.setup_extension("sphinx.ext.autodoc")
    kept: dict[str, SandboxedEnvironment] = {}

    def environment(loader: Any) -> SandboxedEnvironment:
        # One for all docstrings: numpydoc would compile its template for each.
        return kept.setdefault("", SandboxedEnvironment(loader=loader))

    docscrape_sphinx.SandboxedEnvironment = environment
    app.connect("autodoc-process-docstring", describe, priority=300)
    return {"parallel_read_safe": True}
