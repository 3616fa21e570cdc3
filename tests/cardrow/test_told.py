"""What calls refuse and how results show themselves, in tables of text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cardgames_dp import cardrow, play
from cardgames_dp.cardrow import Rules, State

from .. import told


def answering(answer: Any) -> Any:
    """Return a player who answers so where two cards are left."""

    def player(state: State) -> Any:
        return "left" if state.right - state.left > 1 else answer

    return player


def two_of_it(_state: State) -> Any:
    return 2


def of_rows(policy: Any) -> Any:
    """Return it for rows: what a function of the cards returns."""

    def player(_cards: Any) -> Any:
        return policy

    return player


def sly(_state: State) -> str:
    return "left"


sly.__name__ = "<sly>"


class Careful:
    def __call__(self, _state: State) -> str:
        return "left"


def right(_state: State) -> str:
    return "right"


mixture, respond, Position = play.mixture, play.best_response, play.Position
TWO, THREE, WEIGHTED = Rules(take=2), Rules(players=3), Rules(weights=[1, 2])
TABLE = cardrow.solve([14, 4, 7, 2, 5, 12])
PLAN = cardrow.best_response([1, 2, 3], "random")
PUBLIC = {name: getattr(cardrow, name) for name in [*dir(cardrow), "plots"]}
TABLES = [Path(__file__).with_name(name) for name in ("refused.txt", "shown.txt")]


@pytest.mark.parametrize(
    "line", [*told.table(TABLES[0]), *told.table(TABLES[1])], ids=str
)
def test_told(line: told.Told) -> None:
    line.check(PUBLIC | globals())
