"""Keep numbers and their units on one line: the space between them does not break."""

from __future__ import annotations

import re

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.typing import ExtensionMetadata

SPACE = re.compile(r"(?<=\d) (?=(?:%|[mnµ]?s|[KMGT]i?B|million|billion)(?!\w))")
"""A space between a number and a unit, or a word that is part of the number."""

CODE = (nodes.FixedTextElement, nodes.literal, nodes.math, nodes.raw)


def bind(_: Sphinx, doctree: nodes.document) -> None:
    """Replace these spaces in all text but code and mathematics."""
    for text in list(doctree.findall(nodes.Text)):
        bound = SPACE.sub("\N{NO-BREAK SPACE}", text)
        if bound != text and not isinstance(text.parent, CODE):
            text.parent.replace(text, nodes.Text(bound))


def setup(app: Sphinx) -> ExtensionMetadata:
    """Have every page set when it has been read and checked."""
    app.connect("doctree-read", bind, priority=900)
    return {"parallel_read_safe": True}
