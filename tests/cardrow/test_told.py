"""What calls refuse and how results show themselves, in tables of text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cardgames_dp import cardrow
from cardgames_dp.cardrow import Rules, Turn

from .. import told


def answering(answer: Any) -> Any:
    """Return a player who answers so where two cards are left."""

    def player(_cards: Any, left: int, right: int) -> Any:
        return "left" if right - left > 2 else answer

    return player


def two_of_it(_cards: Any, _left: int, _right: int) -> Any:
    return 2


def three_at_once(_cards: Any, _left: int, _right: int) -> Any:
    return Turn("left", 3)


def sly(_cards: Any, _left: int, _right: int) -> Any:
    return "left"


sly.__name__ = "<sly>"


class Careful:
    def __call__(self, _cards: Any, _left: int, _right: int) -> str:
        return "left"


def right(_cards: Any, _left: int, _right: int) -> str:
    return "right"


game, GAME = Rules().game, Rules().game([1, 5])
TWO, THREE, WEIGHTED = Rules(take=2), Rules(players=3), Rules(weights=[1, 2])
TABLE = cardrow.solve([14, 4, 7, 2, 5, 12])
PLAN = cardrow.best_response([1, 2, 3], "random", goal="win")
RESPONSE = cardrow.best_response([1, 2, 3], "larger")
OVER = cardrow.Position([1, 2]).play("left").play("left")
PUBLIC = {name: getattr(cardrow, name) for name in [*dir(cardrow), "plots"]}
TABLES = [Path(__file__).with_name(name) for name in ("refused.txt", "shown.txt")]


@pytest.mark.parametrize(
    "line", [*told.table(TABLES[0]), *told.table(TABLES[1])], ids=str
)
def test_told(line: told.Told) -> None:
    line.check(PUBLIC | globals())
