"""What a result shows in a notebook, read back from its HTML."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Any

TAGS = {
    *("figure", "figcaption", "br", "div", "table", "thead", "tbody"),
    *("tr", "th", "td", "b"),
}
MARK = "background:#e904"


class Page(HTMLParser):
    """Reads what a result shows, and finds fault with what it should not.

    Attributes
    ----------
    caption : list of str
        Its lines.
    rows : list of lists of tuples
        The tag and the text of each cell, and whether it is marked.
    """

    def __init__(self, text: str) -> None:
        super().__init__()
        self.caption = [""]
        self.rows: list[list[tuple[str, str, bool]]] = []
        self.open: list[str] = []
        self.styles: list[str] = []
        self.marked = self.bold = False
        self.text = ""
        assert text.startswith("<figure ")
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in TAGS
        assert {name for name, _ in attrs} <= {"style", "scope"}
        style = dict(attrs).get("style") or ""
        self.styles.append(style)
        if tag == "br":
            assert self.open[-1] == "figcaption"
            self.caption.append("")
            return
        self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.text, self.marked, self.bold = "", style == MARK, False
        elif tag == "b":
            self.bold = True

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag
        if tag in ("td", "th"):
            assert self.marked == self.bold  # not by colour alone
            self.rows[-1].append((tag, self.text, self.marked))

    def handle_data(self, data: str) -> None:
        if "figcaption" in self.open:
            self.caption[-1] += data
        else:
            assert {"td", "th"} & {*self.open}
            self.text += data

    def handle_comment(self, data: str) -> None:
        raise AssertionError(data)

    def handle_decl(self, decl: str) -> None:
        raise AssertionError(decl)

    handle_pi = unknown_decl = handle_comment

    @property
    def head(self) -> list[str]:
        return [text for _, text, _ in self.rows[0]]

    @property
    def texts(self) -> list[list[str]]:
        return [[text for _, text, _ in row] for row in self.rows[1:]]

    @property
    def marks(self) -> list[list[bool]]:
        """Which cells of the body are marked, without the labels of rows."""
        return [[m for tag, _, m in row if tag == "td"] for row in self.rows[1:]]

    def __str__(self) -> str:
        rows = [[f"[{t}]" if m else t for _, t, m in row] for row in self.rows[:26]]
        lines = [" | ".join(row).rstrip() for row in rows]
        more = [f"and {len(self.rows) - 26} rows more"] * (len(self.rows) > 26)
        return "\n".join([*self.caption, *lines, *more])


def html_of(result: Any) -> str | None:
    """Return what a notebook shows, of results that have a table."""
    shown: str | None = getattr(result, "_repr_html_", lambda: None)()
    return shown


def page(result: Any) -> str:
    """Return what a notebook shows, not how it looks; marked cells are in brackets."""
    return str(Page(html_of(result) or ""))


def shown(result: Any) -> str:
    """Return what a person sees of a result, in a terminal and in a notebook."""
    return "\n".join([repr(result), *([page(result)] if html_of(result) else [])])
