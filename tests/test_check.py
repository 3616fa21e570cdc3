"""`game.check`: games that are broken in one way, and what it says of them."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from cardgames_dp import cardrow, game, pairs, redblack
from cardgames_dp._graph import checking
from cardgames_dp.game import TERMINAL, GameError

from .written import Cards, RedBlack, Table


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


class Turning(Matches):
    """The mover is kept in the game, not in the state."""

    turn = 0

    def current_player(self, state: Any) -> int:
        self.turn = 1 - self.turn
        return self.turn if state[0] else TERMINAL


class Failing(Matches):
    def returns(self, state: Any) -> Any:
        return {0: [1, 0]}[state[1] + 1]


def answering(method: str, answer: Any) -> Matches:
    """Return a game with another answer of one method."""
    return type("Wrong", (Matches,), {method: lambda *_: answer})()  # type: ignore[no-any-return]


def drawing(*outcomes: Any) -> Table:
    return Table({0: ("chance", list(outcomes)), 1: ("end", [0])})


BROKEN: dict[str, tuple[Any, str]] = {
    "order": (Shuffled(), r"legal_actions\(.*\) must keep the order of actions"),
    "equality": (Unequal(), r"initial_state\(\) must give equal states .* __hash__"),
    "mutation": (Changed(), r"next_state\(.*\) changes the state that it is given"),
    "blind": (Blind(), r"must not change, got .* later, for an equal state"),
    "turn": (
        Turning(),
        r"current_player\(.*\) must not change, got . and, asked again",
    ),
    "error": (Failing(), r"returns\(\(0, .\)\) raises KeyError"),
    "player": (answering("current_player", 2), r"current_player\(\(7, 0\)\) must be"),
    "no action": (answering("legal_actions", []), r"must hold at least one action"),
    "twice": (answering("legal_actions", [1, 1]), r"must hold distinct actions"),
    "set": (answering("legal_actions", {1}), r"must be a sequence"),
    "hash": (answering("next_state", [3, 0]), r"must give hashable states"),
    "endless": (answering("next_state", (3, 0)), r"a play must end, but none did"),
    "too few": (answering("returns", [1]), r"returns\(\(0, .\)\) must hold one"),
    "word": (answering("returns", ["won", "lost"]), r"returns\(\(0, .\)\) must hold"),
    "rewards": (answering("rewards", [1]), r"rewards\(\(7, 0\), 1\) must hold one"),
    "chance": (drawing((0.5, 1)), r"weights are integers >= 0, got the weight 0.5"),
    "sum": (drawing((0, 1)), r"have a positive sum, got 0"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_wrong(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "_MOST_MOVES", 500)
    broken, message = BROKEN[name]
    with pytest.raises(
        GameError, match=rf"^the game is not well formed:\n(.*\n)*- .*{message}"
    ):
        game.check(broken, rng=1)


def test_all_faults_are_listed() -> None:
    broken = type("Two", (Shuffled,), {"returns": lambda *_: [1, 2, 3]})()
    with pytest.raises(GameError) as caught:
        game.check(broken, rng=1)
    faults = str(caught.value).split("\n- ")[1:]
    found = sorted(fault.partition("(")[0] for fault in faults)
    assert found == ["legal_actions", "returns"]  # in the order of chance


# Games for arrays
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


BROKEN_ARRAYS: dict[str, tuple[Cards, str]] = {
    "shape": (changed("returns", lambda a, s: a[:-1]), r"returns\(states\) must hold"),
    "players": (
        changed("current_players", lambda a, s: a[:, np.newaxis]),
        r"current_players\(states\) must hold one player a state",
    ),
    "mixed up": (
        changed("returns", lambda a, s: np.roll(a, 1)),
        r"returns\(states\) must answer about many states as about each alone",
    ),
    "random": (
        changed("returns", lambda a, s: a + random.random()),
        r"returns\(states\) must not change",
    ),
    "in place": (changed("returns", spoilt), r"changes the array that it is given"),
    "error": (changed("next_states", lambda a, s: 1 // 0), r"raises ZeroDivisionError"),
    "endless": (
        changed("next_states", lambda a, s: np.where(a == 1, 0, s)),
        r"a play must end, but none did",
    ),
}


@pytest.mark.parametrize("name", BROKEN_ARRAYS)
def test_what_is_wrong_with_arrays(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "_LONGEST", 50)
    broken, message = BROKEN_ARRAYS[name]
    with pytest.raises(GameError, match=message):
        game.check(broken, rng=1)


# Good games, and arguments
# -------------------------


@pytest.mark.parametrize(
    "good",
    [
        Matches(),
        RedBlack(3, 3),
        Cards(4, 4),
        Table({None: ("chance", [(1, 0), (1, None)]), 0: ("end", [1])}, start=None),
        redblack.Rules().game(5, 5),
        cardrow.Rules().game([3, 1, 2, 5]),
        pairs.Rules(deck=4, target=10).game(),
    ],
)
def test_good_games_pass(good: Any) -> None:
    game.check(good, plays=20, rng=1)


def test_arguments() -> None:
    with pytest.raises(TypeError, match="must have the members of"):
        game.check(object())
    with pytest.raises(ValueError, match="plays must be"):
        game.check(Matches(), plays=0)
    with pytest.raises(TypeError, match="rng must be"):
        game.check(Matches(), rng=0.5)  # type: ignore[arg-type]
