"""Tables of what calls answer: a call in a line, below it, indented, what it tells.

That is the error with its words, or else what is returned, as text. ``{a|b}`` in a call
stands for several calls that answer the same, and ``...`` for what may differ. Set
``WRITE_TOLD=1`` and run the tests of a table to have it written anew.
"""

from __future__ import annotations

import io
import itertools
import math
import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr
from decimal import Decimal
from fractions import Fraction
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

import numpy as np

from cardgames_dp import running

MAY_DIFFER = (
    r"0x[0-9a-f]{6,}|\d{60,}|np\.(True_|\w+\(.*?\))|(?<=more than )half of .*?(?=; )"
)
"""Addresses, very long numbers, NumPy's scalars by its release, a machine's memory."""


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


class Told(NamedTuple):
    """A line of a table: the calls, and what each of them answers."""

    file: Path
    written: str
    expected: str

    def __str__(self) -> str:
        return self.written

    def check(self, names: dict[str, Any]) -> None:
        """Fail if a call answers something else."""
        found = [answer(call, names) for call in calls(self.written)]
        if os.environ.get("WRITE_TOLD"):
            write(self, shared([re.sub(MAY_DIFFER, "...", text) for text in found]))
            return
        whole = ".*?".join(map(re.escape, self.expected.split("...")))
        for text in found:
            if not re.fullmatch(whole, text, re.DOTALL):
                assert text == self.expected


def table(file: Path) -> Iterator[Told]:
    """Yield what a file tells."""
    for block in re.split(r"\n(?=\S)", file.read_text(encoding="utf-8").strip("\n")):
        call, *lines = block.split("\n")
        if not call.startswith("#"):
            text = "\n".join(line.removeprefix("    ") for line in lines)
            yield Told(file, call, text.strip("\n"))


def calls(written: str) -> list[str]:
    """Return the calls for which one line stands."""
    parts = re.split(r"\{([^{}|]+(?:\|[^{}|]+)+)\}", written)
    ways = itertools.product(*[part.split("|") for part in parts[1::2]])
    return [
        "".join(itertools.chain(*zip(parts[::2], [*way, ""], strict=True)))
        for way in ways
    ]


def answer(call: str, names: dict[str, Any]) -> str:
    """Return what a call answers, as text without spaces at the ends of lines."""
    try:
        text = str(eval(call, KNOWN | names))
    except Exception as error:
        text = f"{type(error).__name__}: {error}"
    return "\n".join(line.rstrip() for line in text.splitlines())


def shared(texts: list[str]) -> str:
    """Return what several answers share, with ``...`` in place of what differs."""
    if len({*texts}) == 1:
        return texts[0]
    start = os.path.commonprefix(texts)  # noqa: RUF071 - of texts, not of paths
    rest = [text[len(start) :] for text in texts]
    end = os.path.commonprefix([text[::-1] for text in rest])[::-1]  # noqa: RUF071
    return f"{start}...{end}"


def write(told: Told, text: str) -> None:
    """Put a new answer into the file."""
    lines = [told.written, *(f"    {line}".rstrip() for line in text.splitlines())]
    blocks = re.split(r"\n(?=\S)", told.file.read_text(encoding="utf-8").strip("\n"))
    blocks = [
        "\n".join(lines) if block.split("\n")[0] == told.written else block
        for block in blocks
    ]
    told.file.write_text("\n".join(blocks) + "\n", encoding="utf-8")


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


def within(max_bytes: int, call: Callable[..., Any], *given: Any, **how: Any) -> Any:
    """Return what a call returns within so much memory."""
    with running(max_bytes=max_bytes):
        return call(*given, **how)


def bars(call: Callable[[], Any]) -> str:
    """Return how far each bar of a call comes; they change nothing that it returns."""
    with redirect_stderr(io.StringIO()) as silent:
        alone = call()
    assert not silent.getvalue()
    with redirect_stderr(io.StringIO()) as shown, running(progress=True):
        assert call() == alone
    lines = shown.getvalue().split("\n")[:-1]
    units = [line.partition("? ")[2].partition("/s]")[0] for line in lines]
    ends = [re.findall(r"([\d.k]+(?:/[\d.k]+)?)[ \w]* \[", line)[-1] for line in lines]
    return ", ".join(map(" ".join, zip(ends, units, strict=True)))


def without(package: str, call: Callable[[], Any]) -> Any:
    """Return what a call returns where a package is not installed."""
    with mock.patch.dict(sys.modules, {package: None}):
        return call()


KNOWN: dict[str, Any] = {
    each.__name__: each
    for each in (math, Decimal, Fraction, bars, page, shown, within, without)
} | {"np": np}
