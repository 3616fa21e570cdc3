"""Check the links between the pages of a build: each file, and each place in a page.

A link that leads nowhere is a warning, hence an error of the build. The checks that
Sphinx itself makes end with references; this one looks at what has been written, so
that it sees links in raw HTML, in notebooks and in the theme as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urljoin, urlsplit

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.util.typing import ExtensionMetadata

TAG = re.compile(r"<[a-zA-Z][^<>]*>")
LINK = re.compile(r'\s(?:href|src|data)="([^"]*)"')
PLACE = re.compile(r'\s(?:id|name)="([^"]*)"')


class Pages:
    """The pages below a folder, by their addresses there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.links: dict[str, set[str]] = {}
        self.places: dict[str, set[str]] = {}
        for page in sorted(folder.rglob("*.html")):
            address = page.relative_to(folder).as_posix()
            tags = "".join(TAG.findall(page.read_text(encoding="utf-8")))
            self.links[address] = set(map(unescape, LINK.findall(tags)))
            self.places[address] = set(map(unescape, PLACE.findall(tags)))

    def broken(self) -> Iterator[tuple[str, str]]:
        """Yield the links that lead nowhere, each with the address of its page."""
        leads = cache(self.leads)
        for address, links in self.links.items():
            folder = address[: address.rfind("/") + 1]
            for link in sorted(links):
                # Others lead to the same place from all pages of a folder.
                within = link.startswith(("#", "?"))
                if not leads(address if within else folder, link):
                    yield address, link

    def leads(self, address: str, link: str) -> bool:
        """Tell whether a link leads elsewhere, or from an address to a file here."""
        there = urlsplit(urljoin(f"/{address}", link))
        if there.scheme or there.netloc:
            return True
        path, place = unquote(there.path).lstrip("/"), unquote(there.fragment)
        # Of an object on two pages, a page of source code names the places on one.
        if place and path in self.places and not address.startswith("_modules/"):
            return place in self.places[path]
        return (self.folder / path).is_file()


def check(app: Sphinx, failure: Exception | None) -> None:
    """Warn of the links that lead nowhere, once all pages are written."""
    from sphinx.util import logging

    if failure is None and app.builder.name == "html":
        for address, link in Pages(Path(app.outdir)).broken():
            logging.getLogger(__name__).warning("%s: %s leads nowhere", address, link)


def setup(app: Sphinx) -> ExtensionMetadata:
    """Have the links checked at the end of a build."""
    # Last, as others copy files then.
    app.connect("build-finished", check, priority=1000)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
