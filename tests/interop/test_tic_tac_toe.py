"""The classic games whose rules come from OpenSpiel."""

import contextlib
import io
import runpy
from fractions import Fraction
from functools import cache
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from cardgames_dp import exact, play

from ..classics.scripts import loaded

ROOT = Path(__file__).parents[2]
GAME = loaded("tic_tac_toe")
LINES = [
    *[range(3 * i, 3 * i + 3) for i in range(3)],
    *[range(i, 9, 3) for i in range(3)],
    *[range(0, 9, 4), range(2, 7, 2)],
]


@cache
def first_wins(board: str, mover: str, best: bool) -> Fraction:
    """Return how often x wins: at random, or x by the best moves."""
    last = "o" if mover == "x" else "x"
    if any(all(board[i] == last for i in line) for line in LINES):
        return Fraction(last == "x")
    free = [i for i in range(9) if board[i] == "."]
    if not free:
        return Fraction(0)
    after = [
        first_wins(f"{board[:i]}{mover}{board[i + 1 :]}", last, best) for i in free
    ]
    if best and mover == "x":
        return max(after)
    return sum(after, Fraction(0)) / len(after)


def test_wins_against_a_random_player() -> None:
    game = GAME.tic_tac_toe()
    chaos = GAME.at_random(game)
    result = GAME.outcomes(game, chaos, chaos)
    assert result[1] == first_wins("." * 9, "x", best=False) == Fraction(737, 1260)
    assert sum(result.values()) == 1
    first = play.best_response(game, [None, chaos], 0, backend="exact")
    result = GAME.outcomes(game, first, chaos)
    assert result[1] == first_wins("." * 9, "x", best=True)


def test_turned_boards() -> None:
    boards = [*exact.solve(GAME.tic_tac_toe()).values]
    assert (len(boards), len({*map(GAME.turned, boards)})) == (5478, 765)


@pytest.mark.parametrize("misere", [False, True])
def test_who_wins_at_nim(misere: bool) -> None:
    @cache
    def wins(heaps: tuple[int, ...]) -> bool:
        """Return whether the player to move wins."""
        after = {
            tuple(sorted((*heaps[:i], left, *heaps[i + 1 :])))
            for i, heap in enumerate(heaps)
            for left in range(heap)
        }
        return not all(map(wins, after)) if after else misere

    for heaps in [(1,), (1, 1), (1, 1, 1), (2, 2), (1, 2, 3), (3, 4, 5), (1, 3, 5, 7)]:
        assert GAME.mover_wins([*heaps], misere=misere) == wins(heaps)


def test_the_page_shows_what_is_printed() -> None:
    tables: dict[str, Any] = runpy.run_path(str(ROOT / "docs" / "_ext" / "tables.py"))
    page = (ROOT / "docs" / "classics.rst").read_text(encoding="utf-8")
    (name,) = tables["ELSEWHERE"]
    (lines,) = [
        block["lines"]
        for block in tables["PRINTED"].finditer(page)
        if block["command"] == name
    ]
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        GAME.main()
    assert dedent(lines).rstrip() == printed.getvalue().rstrip()
