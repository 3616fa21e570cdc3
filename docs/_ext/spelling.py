"""Check the words of every page, docstrings included, against a dictionary of English.

A word that neither the dictionary nor ``docs/words.txt`` has is a warning, hence an
error of the build. Code, mathematics and names are not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from docutils import nodes
from spellchecker import SpellChecker
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.typing import ExtensionMetadata

WORDS = Path(__file__).parents[1] / "words.txt"
"""Names, terms and British spellings that the dictionary does not have."""

NO_PROSE = (
    addnodes.desc_signature,
    nodes.classifier,
    nodes.comment,
    nodes.doctest_block,
    nodes.literal,
    nodes.literal_block,
    nodes.math,
    nodes.math_block,
    nodes.raw,
)

WORD = re.compile(r"(?<![\w./@-])[^\W\d_]{3,}(?![\w/@]|\.\w|://)")
"""Whole words: no part of a path, an address or a name such as n_k."""


def prose(doctree: nodes.document) -> Iterator[nodes.Text]:
    """Yield what people read as text."""
    for text in doctree.findall(nodes.Text):
        above = text.parent
        while above is not None and not isinstance(above, NO_PROSE):
            above = above.parent
        if above is None:
            yield text


def setup(app: Sphinx) -> ExtensionMetadata:
    """Have every page checked when it has been read."""
    dictionary = SpellChecker(language="en")
    dictionary.word_frequency.load_words(WORDS.read_text("utf-8").split())

    def check(_: Sphinx, doctree: nodes.document) -> None:
        for text in prose(doctree):
            for word in WORD.findall(text.astext()):
                # Inner capitals make a name: NumPy, PairsGame.
                if word[1:].islower() and word.lower() not in dictionary:
                    logging.getLogger(__name__).warning(
                        "unknown word: %s", word, location=text.parent
                    )

    app.connect("doctree-read", check)
    return {"parallel_read_safe": True}
