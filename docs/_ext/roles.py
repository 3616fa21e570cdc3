"""Give parts of a page what software for reading aloud expects of them.

docutils marks each numbered reference as a ``doc-biblioentry``, a role that is
deprecated, in a list whose items it then does not find. Sphinx makes a caption of the
contents a heading of no level. The theme has two bars with no names; the template of a
page names them. What is left of these in the pages that have been written is a warning,
hence an error of the build.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.util.typing import ExtensionMetadata

ROLES = {
    ' role="doc-biblioentry"': ' role="listitem"',
    ' role="doc-backlink"': "",
    ' role="heading">': ' role="heading" aria-level="2">',
}

HEADING = re.compile(r'<[^<>]* role="heading"[^<>]*>')
ASIDE = re.compile(r"<aside\b[^<>]*>")
ARTICLE = re.compile(r"<article\b.*</article>", re.DOTALL)
NAME = re.compile(r' aria-label="[^"]+"')


def correct(
    _app: Sphinx, _page: str, _template: str, context: dict[str, Any], _doctree: object
) -> None:
    """Replace the roles in the body of a page and in the contents at its side."""
    for part in ("body", "furo_navigation_tree"):
        if part in context:  # the search has no body
            for given, expected in ROLES.items():
                context[part] = context[part].replace(given, expected)


def barriers(page: str) -> Iterator[str]:
    """Yield the headings that have no level, and the bars not told apart by names."""
    for heading in HEADING.findall(page):
        if " aria-level=" not in heading:
            yield f"{heading} has no level"
    bars = ASIDE.findall(ARTICLE.sub("", page))
    for name, times in Counter(["".join(NAME.findall(bar)) for bar in bars]).items():
        if times > 1:
            yield f"{times} bars named {name.strip() or 'nothing'}"


def setup(app: Sphinx) -> ExtensionMetadata:
    """Have every page corrected when it is written, after the theme's contents came."""
    began = time.time()

    def check(app: Sphinx, failure: Exception | None) -> None:
        """Warn of what is left, once all pages are written."""
        from sphinx.util import logging

        if failure is None and app.builder.name == "html":
            for page in sorted(Path(app.outdir).rglob("*.html")):
                # An older one, of source code that has not changed, is kept as it was.
                if page.stat().st_mtime >= began:
                    for what in barriers(page.read_text(encoding="utf-8")):
                        logging.getLogger(__name__).warning("%s: %s", page, what)

    app.connect("html-page-context", correct, priority=600)
    app.connect("build-finished", check, priority=1000)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
