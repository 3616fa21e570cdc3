"""Give numbered references the roles that software for reading aloud expects.

docutils marks each as a ``doc-biblioentry``, a role that is deprecated, in a list whose
items it then does not find.
"""

from __future__ import annotations

from typing import Any

from sphinx.application import Sphinx
from sphinx.util.typing import ExtensionMetadata

ROLES = {' role="doc-biblioentry"': ' role="listitem"', ' role="doc-backlink"': ""}


def correct(
    _app: Sphinx, _page: str, _template: str, context: dict[str, Any], _doctree: object
) -> None:
    """Replace the roles in the body of a page."""
    if "body" in context:  # which the search has not
        for given, expected in ROLES.items():
            context["body"] = context["body"].replace(given, expected)


def setup(app: Sphinx) -> ExtensionMetadata:
    """Have every page corrected when it is written."""
    app.connect("html-page-context", correct)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
