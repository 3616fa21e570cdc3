"""The contents at the side of every page, put together once and not once a page.

Furo shows all pages on all pages. Sphinx resolves that tree anew for each of them and
Furo parses it, which takes longer than the rest of the writing. But the trees of two
pages differ only in what they mark as current, and in how many folders up their links
begin.
"""

from __future__ import annotations

import functools
import itertools
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.util.typing import ExtensionMetadata

ENTRY = re.compile(
    r'<li class="toctree-l(\d+)( has-children)?">'
    r'<a class="reference internal" href="([^"#]+)">'
    r'(.*</a>)(<input aria-label="[^"]*")?'
)
"""An entry, with the beginning of the box that unfolds what is below it."""


def seen_from(contents: str, page: str) -> str:
    """Return the contents, as the home page has them, for another page.

    It and all that it belongs to are marked as current, and unfolded.
    """
    above: dict[int, int] = {}
    current: set[int] = set()
    for place, entry in enumerate(ENTRY.finditer(contents)):
        level = int(entry[1])
        above[level] = place
        if entry[3] == page:
            current |= {above[each] for each in range(1, level + 1)}
    places, up = itertools.count(), "../" * page.count("/")

    def changed(entry: re.Match[str]) -> str:
        level, children, target, title, box = entry.groups(default="")
        classes = f"toctree-l{level}"
        link = f'class="reference internal" href="{up}{target}"'
        if next(places) in current:
            classes += " current"
            box += ' checked=""' * bool(box)
        classes += children
        if target == page:
            classes += " current-page"
            link = 'class="current reference internal" href="#"'
        return f'<li class="{classes}"><a {link}>{title}{box}'

    return ENTRY.sub(changed, contents)


def setup(app: Sphinx) -> ExtensionMetadata:
    """Give Furo the same for each page, and mark in what it returns where a page is."""
    from sphinx.builders.html import StandaloneHTMLBuilder
    from sphinx.environment.adapters.toctree import TocTree

    @functools.cache
    def contents(builder: StandaloneHTMLBuilder, **options: Any) -> str:
        home = app.config.root_doc
        tree = TocTree(app.env).get_toctree_for(home, builder, **options)
        return str(builder.render_partial(tree)["fragment"])

    def before(
        app: Sphinx, _page: str, _: str, context: dict[str, Any], __: Any
    ) -> None:
        if app.builder.name == "html":
            context["toctree"] = functools.partial(contents, app.builder)

    def after(app: Sphinx, page: str, _: str, context: dict[str, Any], __: Any) -> None:
        if app.builder.name == "html":
            address = app.builder.get_target_uri(page)
            tree = context["furo_navigation_tree"]
            context["furo_navigation_tree"] = seen_from(tree, address)

    app.connect("html-page-context", before, priority=400)
    app.connect("html-page-context", after, priority=550)  # Furo comes between
    return {"parallel_read_safe": True, "parallel_write_safe": True}
