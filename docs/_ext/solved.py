"""Three solved games as pages to click through, in the folder ``solved``.

They are built with the documentation, by `cardgames_dp.interop.to_html`, which readers
call for games of their own.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from cardgames_dp import diagonal, exact, interop
from cardgames_dp.game import CHANCE, TERMINAL, from_function

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.util.typing import ExtensionMetadata


class Roll(NamedTuple):
    """A state of the first game: rolls that are left, and what the die shows."""

    left: int
    face: int | None


def three_rolls(state: Roll) -> Any:
    """Return the moves: up to three rolls of a die, of which the last one counts."""
    if state.face is None:
        return CHANCE, [(1, Roll(state.left - 1, face)) for face in range(1, 7)]
    if not state.left:
        return TERMINAL, state.face
    return 0, {"keep": Roll(0, state.face), "roll": Roll(state.left, None)}


class Race(NamedTuple):
    """A state of Pig: who moves, all points, and whether the die is rolled now."""

    player: int
    own: int = 0
    other: int = 0
    turn: int = 0
    rolling: bool = False


def pig(state: Race, goal: int = 20) -> Any:
    """Return the moves of the dice game Pig."""
    player, own, other, turn, rolling = state
    if other >= goal:
        return TERMINAL, [player, 1 - player]
    if rolling:
        good = [(1, Race(player, own, other, turn + face)) for face in range(2, 7)]
        return CHANCE, [(1, Race(1 - player, other, own)), *good]
    hold = {"hold": Race(1 - player, other, own + turn)} if turn else {}
    roll = {} if own + turn >= goal else {"roll": state._replace(rolling=True)}
    return player, hold | roll


SQUARES = [
    f"{row} {column}".replace("middle centre", "centre")
    for row in ("top", "middle", "bottom")
    for column in ("left", "centre", "right")
]
LINES = ["012", "345", "678", "036", "147", "258", "048", "246"]


def tic_tac_toe(board: str) -> Any:
    """Return the moves of tic-tac-toe; a state is the text of its nine squares."""
    player = int(board.count("x") > board.count("o"))
    last = "ox"[player]
    if any(all(board[int(i)] == last for i in line) for line in LINES):
        return TERMINAL, [2 * player - 1, 1 - 2 * player]
    free = [i for i, mark in enumerate(board) if mark == "."]
    if not free:
        return TERMINAL, [0, 0]
    mark = "xo"[player]
    return player, {SQUARES[i]: board[:i] + mark + board[i + 1 :] for i in free}


def drawn(board: str) -> str:
    """Return a board as text in three lines."""
    return "\n".join([" ".join(board[i : i + 3]) for i in (0, 3, 6)])


def write(folder: Path) -> None:
    """Write the pages."""
    folder.mkdir(parents=True, exist_ok=True)
    first = exact.solve(from_function(three_rolls, Roll(3, None)))
    interop.to_html(first, folder / "three_rolls.html", title="Three rolls of a die")
    race = diagonal.solve(from_function(pig, Race(0), num_players=2))
    interop.to_html(race, folder / "pig.html", title="Pig to 20 points")
    board = exact.solve(from_function(tic_tac_toe, "." * 9, num_players=2))
    page = folder / "tic_tac_toe.html"
    interop.to_html(board, page, label=drawn, title="Tic-tac-toe")


def setup(app: Sphinx) -> ExtensionMetadata:
    """Have the pages written beside those of the documentation."""

    def finish(app: Sphinx, error: Exception | None) -> None:
        if error is None and app.builder.format == "html":
            write(Path(app.outdir) / "solved")

    app.connect("build-finished", finish)
    return {"parallel_read_safe": True}
