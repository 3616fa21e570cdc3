"""Type aliases of the games: documented, and usable where types are."""

import pickle
import pydoc
from types import ModuleType
from typing import Any, get_args, get_type_hints

import pytest

from cardgames_dp import cardrow, pairs, redblack

GAMES = [cardrow, pairs, redblack]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.__name__)
def test_help_of_a_policy(game: ModuleType) -> None:
    text = pydoc.render_doc(game.Policy)
    assert "Alias in module" in text
    assert "A policy: a " in text
    assert "Union" not in text
    assert pickle.loads(pickle.dumps(game.Policy)) is game.Policy


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.__name__)
def test_unions_with_a_policy(game: Any) -> None:
    own = set(get_args(game.Policy.__value__))
    assert set(get_args(game.Policy | None)) == own | {type(None)}
    assert set(get_args(None | game.Policy)) == own | {type(None)}


def test_annotations_can_be_read() -> None:
    assert get_type_hints(redblack.simulate)["policy"] is redblack.Policy
