"""The front page's game: 26 red and 26 black cards on the solved map, to play.

The directive ``play`` shows ``play.html``, with what the library computes written in:
what drawing is worth beyond stopping, whose sign says what is optimal. It needs no
network and no other file, so that it runs wherever the page is opened.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import redblack
from cardgames_dp.game import Solution

if TYPE_CHECKING:
    from docutils import nodes
    from sphinx.application import Sphinx
    from sphinx.util.typing import ExtensionMetadata

CARDS = 26
TEMPLATE = Path(__file__).with_name("play.html")


def gains(solution: Solution[Any, Any, float]) -> NDArray[np.int64]:
    """Return what a draw is worth beyond stopping, in thousandths, by cards left."""
    ahead = solution.table("values")
    red, black = np.indices(ahead.shape)
    after_red = 1 + np.pad(ahead, ((1, 0), (0, 0)))[:-1]
    after_black = np.pad(ahead, ((0, 0), (1, 0)))[:, :-1] - 1
    drawn = red * after_red + black * after_black
    found: NDArray[np.int64]
    found = np.rint(1000 * drawn / np.maximum(red + black, 1)).astype(np.int64)
    return found


def game() -> str:
    """Return the game as HTML."""
    solution = redblack.solve(CARDS, CARDS)
    table = json.dumps(gains(solution).tolist(), separators=(",", ":"))
    page = TEMPLATE.read_text(encoding="utf-8")
    return page.replace("TABLE", table).replace("VALUE", f"{solution.value:.2f}")


def setup(app: Sphinx) -> ExtensionMetadata:
    """Add the directive; a page that is not for browsers does without the game."""
    from docutils import nodes
    from sphinx.util.docutils import SphinxDirective

    class Play(SphinxDirective):  # type: ignore[misc, unused-ignore]
        def run(self) -> list[nodes.Node]:
            self.env.note_dependency(str(TEMPLATE))
            return [nodes.raw("", game(), format="html")]

    app.add_directive("play", Play)
    return {"parallel_read_safe": True}
