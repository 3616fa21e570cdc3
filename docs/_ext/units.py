"""Set numbers: a unit stays on the line of its number, columns are flush right."""

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


NUMBER = re.compile(
    r"[-+−<>≤≥≈$]*\s?\d[\d,./]*(e[-+−]?\d+|\^\{?-?\d+\}?)?"
    r"(\s?(%|[mnµ]?s|[KMGT]?i?B|million|billion))?(\s?±\s?[\d.]+)?(\s\(.*\))?"
)
"""What most cells of a column of numbers hold; the others are empty, or words."""


def align(_: Sphinx, doctree: nodes.document) -> None:
    """Mark the cells of columns that hold numbers below the head, or mostly numbers."""
    for table in doctree.findall(nodes.tgroup):
        rows = list(table.findall(nodes.row))
        body = [row for row in rows if isinstance(row.parent, nodes.tbody)]
        for place, column in enumerate(zip(*body, strict=False)):
            texts = [cell.astext().strip(" -–—") for cell in column]
            filled = list(filter(None, texts))
            found = [text for text in filled if NUMBER.fullmatch(text)]
            if len(found) > len(filled) / 2:
                for row in rows:
                    row[place]["classes"].append("number")


def setup(app: Sphinx) -> ExtensionMetadata:
    """Have every page set when it has been read and checked."""
    app.connect("doctree-read", bind, priority=900)
    app.connect("doctree-read", align, priority=900)
    return {"parallel_read_safe": True}
