"""What search engines and messengers show of a page: its first sentences, a picture.

A picture for links needs a full address. Where the pages are published, the host says
which that is (``html_baseurl``); elsewhere there is no such picture.
"""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.util.typing import ExtensionMetadata

PICTURE = "_static/problem14.png"
TAG = re.compile(r"<[^>]*>")
LONGEST = 170
"""Search engines show no more letters than about this many."""


def shortened(text: str) -> str:
    """Return a paragraph on one line; of a long one whole sentences, or else words."""
    line = " ".join(text.split())
    if len(line) <= LONGEST:
        return line
    sentences = line[: LONGEST + 1].rpartition(". ")[0]
    if len(sentences) > LONGEST / 3:
        return f"{sentences}."
    return line[:LONGEST].rpartition(" ")[0].rstrip(",;:") + "…"


def tags(title: str, text: str, base: str) -> str:
    """Return the elements for the head of a page."""
    named = [("property", "og:title", title), ("property", "og:type", "website")]
    if text:
        named += [("name", "description", text), ("property", "og:description", text)]
    if base:
        address = f"{base.rstrip('/')}/{PICTURE}"
        named += [("property", "og:image", address)]
        named += [("name", "twitter:card", "summary_large_image")]
    return "".join(
        f'<meta {kind}="{name}" content="{html.escape(content)}"/>\n'
        for kind, name, content in named
    )


def add(
    app: Sphinx, _page: str, _template: str, context: dict[str, Any], doctree: Any
) -> None:
    """Add the elements to a page; pages without text of their own have no tree."""
    from docutils import nodes

    paragraphs = [] if doctree is None else doctree.findall(nodes.paragraph)
    text = next((shortened(each.astext()) for each in paragraphs), "")
    title = html.unescape(TAG.sub("", str(context.get("title", ""))))
    found = tags(title, text, app.config.html_baseurl)
    context["metatags"] = context.get("metatags", "") + found


def setup(app: Sphinx) -> ExtensionMetadata:
    """Have every page described when it is written."""
    app.connect("html-page-context", add)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
