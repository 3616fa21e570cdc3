"""`game.check`: good games, and games that are broken."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from itertools import cycle
from typing import Any

import numpy as np
import pytest

from cardgames_dp import cardrow, game, pairs, redblack
from cardgames_dp._graph import checking
from cardgames_dp.game import TERMINAL, GameError, explore

from .games import Cards, RedBlack, Table
from .refusals import game_error


class Matches:
    """Take one or two of some matches in turn; the last one wins."""

    num_players = 2

    def initial_state(self) -> Any:
        return 7, 0

    def current_player(self, state: Any) -> int:
        return state[1] if state[0] else TERMINAL

    def legal_actions(self, state: Any) -> Any:
        return [1, 2][: state[0]]

    def next_state(self, state: Any, action: int) -> Any:
        return state[0] - action, 1 - state[1]

    def chance_outcomes(self, state: Any) -> Any:
        raise NotImplementedError

    def returns(self, state: Any) -> Any:
        return [-1, 1] if state[1] == 0 else [1, -1]


class Shuffled(Matches):
    def legal_actions(self, state: Any) -> Any:
        actions = [1, 2][: state[0]]
        return random.sample(actions, len(actions))


class Plain:
    """A state without equality that is printed in full."""

    def __init__(self, left: int, mover: int) -> None:
        self.left, self.mover = left, mover

    def __getitem__(self, index: int) -> int:
        return (self.left, self.mover)[index]

    def __repr__(self) -> str:
        return f"Plain({self.left}, {self.mover})"


class Unequal(Matches):
    def initial_state(self) -> Any:
        return Plain(7, 0)

    def next_state(self, state: Any, action: int) -> Any:
        return Plain(state[0] - action, 1 - state[1])


@dataclass(unsafe_hash=True)
class Box(Plain):
    left: int
    mover: int


class Changed(Matches):
    """It takes the matches out of the state."""

    def initial_state(self) -> Any:
        return Box(7, 0)

    def next_state(self, state: Any, action: int) -> Any:
        state.left -= action
        state.mover = 1 - state.mover
        return state


class Half(Box):
    """Equal and hashed by a part of what counts."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Half) and self.left == other.left

    def __hash__(self) -> int:
        return hash(self.left)


class Blind(Matches):
    def initial_state(self) -> Any:
        return Half(7, 0)

    def next_state(self, state: Any, action: int) -> Any:
        return Half(state.left - action, 1 - state.mover)


def answering(method: str, answer: Any) -> Matches:
    """Return a game with another answer of one method, or another method."""
    own = answer if callable(answer) else lambda *_: answer
    return type("Wrong", (Matches,), {method: own})()  # type: ignore[no-any-return]


def drawing(*outcomes: Any) -> Table:
    return Table({0: ("chance", list(outcomes)), 1: ("end", [0])})


def test_all_faults_are_listed() -> None:
    broken = type("Two", (Shuffled,), {"returns": lambda *_: [1, 2, 3]})()
    with pytest.raises(GameError) as caught:
        game.check(broken, rng=1)
    faults = str(caught.value).split("\n- ")[1:]
    result = sorted(fault.partition("(")[0] for fault in faults)
    assert result == ["legal_actions", "returns"]  # in the order of chance


# Array games
# ----------------


def changed(method: str, change: Callable[[Any, Any], Any]) -> Cards:
    """Return red/black with the answers of one method changed."""
    before = getattr(Cards, method)

    def answer(self: Cards, states: Any, *more: Any) -> Any:
        return change(before(self, states, *more), states)

    return type("Wrong", (Cards,), {method: answer})(5, 5)  # type: ignore[no-any-return]


def spoilt(answer: Any, states: Any) -> Any:
    states[:] = 0
    return answer


# Good games
# ----------


@pytest.mark.parametrize(
    "good",
    [
        Matches(),
        RedBlack(3, 3),
        Cards(4, 4),
        Table({None: ("chance", [(1, 0), (1, None)]), 0: ("end", [1])}, start=None),
        redblack.game(5, 5),
        cardrow.game([3, 1, 2, 5]),
        explore(cardrow.game([3, 1, 2, 5], rules=cardrow.Rules(take=2))),
        pairs.game(pairs.Rules(deck=4, target=10)),
    ],
)
def test_good_games_pass(good: Any) -> None:
    game.check(good, plays=20, rng=1)


def test_games_that_are_not_well_formed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "_MOST_MOVES", 500)
    monkeypatch.setattr(checking, "_LONGEST", 50)
    check = game.check
    game_error("legal_actions", check, Shuffled(), rng=1)
    game_error("initial_state() must give equal states when", check, Unequal(), rng=1)
    game_error("next_state(Box(left=7, mover=0), 1) changes", check, Changed(), rng=1)
    game_error("returns(Half(left=0, mover=1)) must not change", check, Blind(), rng=1)
    turns = cycle([1, 0])  # the mover is kept in the game, not in the state
    turning = answering("current_player", lambda _, s: next(turns) if s[0] else -4)
    game_error("current_player((7, 0)) must not change", check, turning, rng=1)
    failing = answering("returns", lambda _, state: {0: [1, 0]}[state[1] + 1])
    game_error("returns((0, 0)) raises KeyError: 1", check, failing, rng=1)
    game_error("current_player((7, 0))", check, answering("current_player", 2), rng=1)
    game_error("legal_actions((7, 0))", check, answering("legal_actions", []), rng=1)
    game_error(
        "legal_actions((7, 0)) must", check, answering("legal_actions", [1, 1]), rng=1
    )
    game_error("legal_actions((7, 0))", check, answering("legal_actions", {1}), rng=1)
    game_error("next_state((7, 0), 1)", check, answering("next_state", [3, 0]), rng=1)
    game_error("a play must end", check, answering("next_state", (3, 0)), rng=1)
    game_error("returns((0, 0)) must hold", check, answering("returns", [1]), rng=1)
    game_error(
        "returns((0, 0)) must hold", check, answering("returns", ["won", "lost"]), rng=1
    )
    game_error("rewards((7, 0), 1) must", check, answering("rewards", [1]), rng=1)
    game_error("chance_outcomes(0) must hold", check, drawing((0.5, 1)), rng=1)
    game_error("chance_outcomes(0) must hold pairs", check, drawing((0, 1)), rng=1)
    game_error(
        "returns(states) must hold",
        check,
        changed("returns", lambda a, s: a[:-1]),
        rng=1,
    )
    game_error(
        "current_players(states) must hold one player a state, an array of shape (1,)",
        check,
        changed("current_players", lambda a, s: a[:, None]),
        rng=1,
    )
    game_error(
        "returns(states) must answer about many states as about each alone",
        check,
        changed("returns", lambda a, s: np.roll(a, 1)),
        rng=1,
    )
    game_error(
        "returns(states) must not change",
        check,
        changed("returns", lambda a, s: a + random.random()),
        rng=1,
    )
    game_error("returns(states) changes", check, changed("returns", spoilt), rng=1)
    game_error(
        "legal_actions(states) raises ZeroDivisionError",
        check,
        changed("next_states", lambda a, s: 1 // 0),
        rng=1,
    )
