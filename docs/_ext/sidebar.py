"""The contents at the side of every page, put together once and not once a page.

Furo shows all pages on all pages. Sphinx resolves that tree anew for each of them,
which takes longer than the rest of the writing. But the trees of two pages differ only
in what they mark as current, and in how many folders up their links begin.
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
    r'<li class="toctree-l(\d+)"><a class="reference internal" href="([^"#]+)">'
)


def seen_from(contents: str, page: str) -> str:
    """Return the contents, as the home page has them, for another page.

    It and all that it belongs to are marked as current.
    """
    above: dict[int, int] = {}
    current: set[int] = set()
    for place, entry in enumerate(ENTRY.finditer(contents)):
        level = int(entry[1])
        above[level] = place
        if entry[2] == page:
            current |= {above[each] for each in range(1, level + 1)}
    places, up = itertools.count(), "../" * page.count("/")

    def changed(entry: re.Match[str]) -> str:
        classes = f"toctree-l{entry[1]}" + " current" * (next(places) in current)
        link = f'class="reference internal" href="{up}{entry[2]}"'
        if entry[2] == page:
            link = 'class="current reference internal" href="#"'
        return f'<li class="{classes}"><a {link}>'

    return ENTRY.sub(changed, contents)


def setup(app: Sphinx) -> ExtensionMetadata:
    """Give each page its contents before Furo asks for them."""
    from sphinx.builders.html import StandaloneHTMLBuilder
    from sphinx.environment.adapters.toctree import TocTree

    @functools.cache
    def contents(builder: StandaloneHTMLBuilder, **options: Any) -> str:
        home = app.config.root_doc
        tree = TocTree(app.env).get_toctree_for(home, builder, **options)
        return str(builder.render_partial(tree)["fragment"])

    def prepare(
        app: Sphinx, page: str, _: str, context: dict[str, Any], __: Any
    ) -> None:
        builder = app.builder
        if isinstance(builder, StandaloneHTMLBuilder) and builder.name == "html":
            address = builder.get_target_uri(page)
            context["toctree"] = lambda **options: seen_from(
                contents(builder, **options), address
            )

    app.connect("html-page-context", prepare, priority=400)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
