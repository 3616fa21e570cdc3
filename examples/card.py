"""A card to print, on A5, with rules of any games: by itself, Pairs and red/black.

    python card.py [FILE]

It says when to hit and when to stop in the published game of Pairs and with 26 red and
26 black cards, as the solutions say. The file may also be a .png or an .svg.
`plot_card` takes other rules, such as those of `cardgames_dp.play.short_rule`.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from itertools import product
from textwrap import fill
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from cardgames_dp import pairs, play, redblack

WIDTH, HEIGHT, MARGIN = 210, 148, 6
"""Millimetres of A5, and of a printer's margins."""

LETTER, BOLD, LINE, ROW = 0.2, 0.23, 0.5, 0.6
"""Widths of letters, heights of lines and rows: millimetres at a size of one point."""

LARGEST = 20
"""The size of titles in points, and the largest of other letters."""

SHADES = {"hit": ("#0072b2", 0.15), "fold": ("#d55e00", 0.4), "either": ("grey", 0.3)}

STEPS = """\
1  No card on the table: hit.
2  A fold would lose you the game: hit.
3  Add up the cards in your hand.
4  A card counts {0.losing} times if a pair of it would lose you the game.
5  Take {0.times} times the lowest card on the table, less {0.less}.
6  Your sum is smaller: hit.
7  Otherwise fold."""


def hands(opening: pairs.OpeningTable) -> list[list[str]]:
    """Return what two players do with one card each, with the cards as heads."""
    ranks = [*map(str, opening.ranks)]
    words = np.where(opening.ties, "either", np.where(opening.hits, "hit", "fold"))
    shown = np.where(opening.possible, words, "").tolist()
    return [["", *ranks], *([x, *row] for x, row in zip(ranks, shown, strict=True))]


def stops(boundary: redblack.Boundary) -> list[list[str]]:
    """Return when to stop, a row for each excess, below the head."""
    red, black, rules = boundary.red, boundary.black, boundary.rules
    rows: list[list[str]] = []
    for k in range(1, black + 1):
        n = np.arange(k, min(2 * black - k, 2 * red + k) + 1, 2)  # all with this excess
        few = boundary.excess[n] <= k
        most = n[few].max(initial=0)
        assert np.array_equal(few, n <= most), "stop with few cards, not with many"
        words = "always" if few.all() else f"at most {most}" if most else "never"
        rows.append([str(k), words])
    while len(rows) > 1 and rows[-1][1] == rows[-2][1] == "always":
        rows = [*rows[:-2], [f"{rows[-2][0]} or more", "always"]]
    level = red == black and rules.gain == 1 == rules.cost
    return [["ahead by" if level else "more black by", "stop with cards left"], *rows]


def write(
    ax: Axes,
    rows: list[list[str]],
    corner: tuple[float, float],
    cell: tuple[float, float],
    size: float,
) -> None:
    """Write words in cells, from a corner down, with heads above and at the left."""
    width, height = cell
    size = min(size, width / BOLD / max(len(word) for row in rows for word in row))
    for i, row in enumerate(rows):
        for j, word in enumerate(row):
            x, y, head = corner[0] + j * width, corner[1] + i * height, 0 in (i, j)
            colour = "none" if head else SHADES.get(word, "none")
            box: dict[str, Any] = {"facecolor": colour, "linewidth": 0.5}
            box["edgecolor"] = "none" if head else "0.7"
            ax.add_patch(Rectangle((x, y), width, height, **box))
            style: dict[str, Any] = {"ha": "center", "va": "center_baseline"}
            style["weight"] = "bold" if head else "normal"
            style |= {"parse_math": False, "size": size}
            ax.text(x + width / 2, y + height / 2, word, **style)


def sentences(part: Any, letters: int) -> str:
    """Return a text, or the lines of a short rule and what it costs, in short lines."""
    lines = str(part).splitlines()
    if isinstance(part, play.ShortRule):
        lines = [f"{k}  {line}" for k, line in enumerate(part.lines, 1)]
        mean, loss = float(part.solution.payoffs[part.player]), float(part.loss)
        less = f"{loss:.2g} less than" if loss > 1e-9 else "as much as"
        lines.append(f"You get {mean:.4g} on average, {less} with perfect play.")
    indents = ["    " * line[:1].isdigit() for line in lines]
    short = [
        fill(line, letters, subsequent_indent=indent)
        for line, indent in zip(lines, indents, strict=True)
    ]
    return "\n".join(short)


def place(
    column: list[tuple[str, Any]], width: float, top: float, size: float
) -> tuple[list[tuple[float, Any, str]], float]:
    """Return the tops, texts or tables, and weights of a column, and where it ends."""
    result: list[tuple[float, Any, str]] = []
    for heading, part in column:
        text, rows = part if isinstance(part, tuple) else (part, [])
        text, rows = ("", text) if isinstance(text, list) else (text, rows)
        head = fill(heading, int(width / size / BOLD))
        text = sentences(text, int(width / size / LETTER))
        result += [(top, head, "bold")]
        top += LINE * size * len(head.splitlines())
        result += [(top, text, "normal")]
        top += LINE * size * len(text.splitlines())
        result += [(top, rows, "")] if rows else []
        top += size * (ROW * len(rows) + LINE)
    return result, top


def plot_card(title: str, parts: Mapping[str, Any]) -> Figure:
    """Return a card with a title and some parts, by their headings, in two columns.

    A part is a text, a short rule, rows of words, or a pair of a text and such rows.
    Letters are as large as there is room for, with some of the parts in the first
    column; one part has the whole card.
    """
    figure = Figure(figsize=(WIDTH / 25.4, HEIGHT / 25.4))
    ax = figure.add_axes((0, 0, 1, 1))
    ax.set(xlim=(0, WIDTH), ylim=(HEIGHT, 0))
    ax.set_axis_off()
    plain: dict[str, Any] = {"va": "top", "parse_math": False, "linespacing": 1.4}
    title = fill(title, int((WIDTH - 2 * MARGIN) / LARGEST / BOLD))
    middle: dict[str, Any] = {"ha": "center", "weight": "bold", "size": LARGEST}
    ax.text(WIDTH / 2, MARGIN, title, **middle, **plain)
    top = MARGIN + LINE * LARGEST * (title.count("\n") + 1.5)
    every, wide = [*parts.items()], WIDTH - 2 * MARGIN if len(parts) == 1 else 104
    splits = range(1, max(len(parts), 2))
    for size, split in product(np.arange(LARGEST, 3, -0.5), splits):
        columns = [(MARGIN, wide, every[:split]), (118, 86, every[split:])]
        places = [place(column, width, top, size) for _, width, column in columns]
        if max([end for _, end in places]) <= HEIGHT - MARGIN + LINE * size:
            break
    for (x, width, _), (column, _) in zip(columns, places, strict=True):
        for y, words, weight in column:
            if weight:
                ax.text(x, y, words, weight=weight, size=size, **plain)
            else:
                write(ax, words, (x, y), (width / len(words[0]), ROW * size), size)
    return figure


def two_games(
    opening: pairs.OpeningTable, rule: pairs.SumBelow, boundary: redblack.Boundary
) -> Figure:
    """Return the card of any rules for two players of Pairs, and of any red/black.

    Give it ``pairs.opening_table(...)`` and ``redblack.boundary(...)`` of solutions.
    """
    red, black, rules = boundary.red, boundary.black, boundary.rules
    own, other = opening.scores
    scores = f"At {own} to {other} points. Your card: down; the other's: across."
    stop = f"Red {rules.gain}, black −{rules.cost}: stop or draw?"
    parts = {
        "One card each: hit or fold?": (scores, hands(opening)),
        "Any cards: hit or fold?": STEPS.format(rule),
        stop: stops(boundary),
    }
    return plot_card(f"Pairs, and {red} red and {black} black cards", parts)


def main(file: str = "card.pdf") -> None:
    """Draw the card of the published game and of 26 red and 26 black cards."""
    opening = pairs.opening_table(pairs.published())
    boundary = redblack.boundary(redblack.solve(26, 26))
    two_games(opening, pairs.SumBelow(), boundary).savefig(file)
    print(f"{file}: {WIDTH} by {HEIGHT} mm")


if __name__ == "__main__":
    main(*sys.argv[1:])
