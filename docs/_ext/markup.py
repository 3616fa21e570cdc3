"""Check the markup of every page, docstrings included, for what is seldom meant.

A paragraph that begins with an initial ("H. Yang") becomes a list numbered by letters;
an indented one a quotation; a second line in the first column of a simple table a row
of its own; a cell that is only a dash or a star a bullet. Each is a warning, hence an
error of the build.
"""

from __future__ import annotations

from collections.abc import Iterator

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.typing import ExtensionMetadata


def mistakes(doctree: nodes.document) -> Iterator[tuple[str, nodes.Node]]:
    """Yield what is seldom meant, and where it stands."""
    for numbered in doctree.findall(nodes.enumerated_list):
        if numbered["enumtype"] != "arabic":
            yield "a list numbered by letters: does it begin with an initial?", numbered
    for quotation in doctree.findall(nodes.block_quote):
        yield "a quotation: should it be a list, code or an equation?", quotation
    for row in doctree.findall(nodes.row):
        if not all(map(filled, row.findall(nodes.entry))) and not from_file(row):
            yield "an empty cell: a row split in two?", row
    for cell in doctree.findall(nodes.entry):
        for bullets in cell.findall(nodes.bullet_list):
            if not all(map(filled, bullets.findall(nodes.list_item))):
                yield "a bullet with no text: is a sign meant?", cell


def filled(part: nodes.Element) -> bool:
    """Tell whether there is anything in a part of a page, such as a cell of a table."""
    return bool(part.children)


def from_file(row: nodes.row) -> bool:
    """Tell whether a row comes from a file of figures, where a cell may be empty."""
    return any(
        str(paragraph.source).endswith(".csv")
        for paragraph in row.findall(nodes.paragraph)
    )


def setup(app: Sphinx) -> ExtensionMetadata:
    """Have every page checked when it has been read."""

    def check(_: Sphinx, doctree: nodes.document) -> None:
        for what, where in mistakes(doctree):
            logging.getLogger(__name__).warning("%s", what, location=where)

    app.connect("doctree-read", check)
    return {"parallel_read_safe": True}
