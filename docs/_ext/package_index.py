"""The README as a package index shows it, where relative links lead nowhere.

With the address of the project's sources, ``Source`` in the table ``project.urls`` of
``pyproject.toml``, links and pictures become absolute. As long as there is none, their
words stay and the links go, and so do the pictures.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

LINK = re.compile(r"`([^`<>]+?)\s+<(?!https?:)([^<>`]+)>`__?")
PICTURE = re.compile(r"^\.\. image:: (?!https?:)(\S+)\n((?: +\S.*\n)*)\n?", re.M)


def for_an_index(text: str, source: str | None) -> str:
    """Return a README without relative links."""
    if source is None:
        return LINK.sub(r"\1", PICTURE.sub("", text))
    base = source.rstrip("/")
    text = LINK.sub(rf"`\1 <{base}/blob/HEAD/\2>`__", text)
    return PICTURE.sub(rf".. image:: {base}/raw/HEAD/\1\n\2\n", text)


class Hook(MetadataHookInterface):  # type: ignore[misc, unused-ignore]
    """Gives the README to the metadata."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the README."""
        text = (Path(self.root) / "README.rst").read_text(encoding="utf-8")
        source = metadata.get("urls", {}).get("Source")
        metadata["readme"] = {
            "content-type": "text/x-rst",
            "text": for_an_index(text, source),
        }
