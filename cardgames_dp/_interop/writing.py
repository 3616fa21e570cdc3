"""Games for OpenSpiel.

A game is exported with all its states, found beforehand: OpenSpiel needs bounds of
utilities and of the length of a play at once. A state of OpenSpiel holds the number of
a state here, so copying it costs nothing.
"""

from __future__ import annotations

from collections.abc import Container, Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cardgames_dp import _checks
from cardgames_dp._extras import require
from cardgames_dp._labels import labels
from cardgames_dp._nodes import nodes
from cardgames_dp.explored import Explored
from cardgames_dp.game import CHANCE, TERMINAL

if TYPE_CHECKING:
    import pyspiel
else:
    pyspiel = require("pyspiel", extra="openspiel", purpose="to_open_spiel")


@dataclass(frozen=True, slots=True)
class Board:
    """All states of a game in the form that OpenSpiel needs, with numbers for all.

    Attributes
    ----------
    states : list of str
        The texts of the states, all different.
    actions : list of str
        The names of the actions, all different.
    players : list of int
        The player to move in each state, or `CHANCE` or `TERMINAL`.
    moves : list of dict of int to int
        For each state: the next state for each action or outcome of chance.
    chances : list of list of float
        For chance states: the probability of each outcome; otherwise empty.
    returns : list of list of float
        For terminal states: the returns; otherwise zeros.
    """

    states: list[str]
    actions: list[str]
    players: list[int]
    moves: list[dict[int, int]]
    chances: list[list[float]]
    returns: list[list[float]]

    def __deepcopy__(self, memo: object) -> Board:
        """Return itself: OpenSpiel copies all that a state holds."""
        return self


def board_of(found: Explored[Any, Any]) -> Board:
    """Return the states of a game that has been explored, numbered by their places."""
    states = nodes(found)
    number: dict[Hashable, int] = {}
    for node in states:
        for action in node.actions:
            number.setdefault(action, len(number))
    nothing = [0.0] * found.num_players
    moves, chances = [], []
    for node in states:
        weights: dict[int, int] = {}
        for place, weight in zip(node.following, node.weights, strict=False):
            weights[place] = weights.get(place, 0) + weight
        total = sum(weights.values())
        chances.append([weight / total for weight in weights.values()])
        ids = [number[action] for action in node.actions]
        # OpenSpiel needs legal actions in increasing order.
        known = zip(ids, node.following, strict=True) if ids else enumerate(weights)
        moves.append(dict(sorted(known)))
    return Board(
        labels(found.states),
        labels(list(number)),
        [node.player for node in states],
        moves,
        chances,
        [list(map(_float, node.returns)) or nothing for node in states],
    )


class ExploredGame(pyspiel.Game):  # type: ignore[misc]
    """A game of ours in OpenSpiel."""

    def __init__(self, found: Explored[Any, Any], name: str) -> None:
        self.board = board = board_of(found)
        self._most_chance = _longest(board, {CHANCE})
        ends = [node.returns for node in nodes(found) if node.returns]
        lowest, highest = min(map(min, ends)), max(map(max, ends))
        utility, total = _utility(ends)
        info = pyspiel.GameInfo(
            num_distinct_actions=max(len(board.actions), 1),
            max_chance_outcomes=max(map(len, board.chances)),
            num_players=found.num_players,
            min_utility=_float(lowest),
            # OpenSpiel needs a range, even if all returns are equal.
            max_utility=_float(highest if highest > lowest else lowest + 1),
            utility_sum=total,
            max_game_length=_longest(board, range(found.num_players)),
        )
        super().__init__(_type(name, found.num_players, utility, board), info, {})

    def max_chance_nodes_in_history(self) -> int:
        """Return the largest number of chance moves in a play."""
        return self._most_chance

    def new_initial_state(self, *_: object) -> ExploredState:
        """Return the state in which the game starts."""
        return ExploredState(self)

    def make_py_observer(self, kind: Any = None, params: Any = None) -> Any:
        """Return an observer of the state, or of the history, which all players see."""
        from open_spiel.python.observation import IIGObserverForPublicInfoGame

        if kind is None or (kind.public_info and not kind.perfect_recall):
            return _Observer()
        return IIGObserverForPublicInfoGame(kind, params)


class ExploredState(pyspiel.State):  # type: ignore[misc]
    """A state of ours in OpenSpiel."""

    def __init__(self, game: ExploredGame) -> None:
        super().__init__(game)
        self._board = game.board
        self._at = 0

    def current_player(self) -> int:
        """Return the player to move."""
        return self._board.players[self._at]

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self._board.players[self._at] == TERMINAL

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the outcomes of chance with their probabilities."""
        return list(enumerate(self._board.chances[self._at]))

    def returns(self) -> list[float]:
        """Return the return of each player."""
        return self._board.returns[self._at]

    def _legal_actions(self, _player: int) -> list[int]:
        return list(self._board.moves[self._at])

    def _apply_action(self, action: int) -> None:
        self._at = self._board.moves[self._at][action]

    def _action_to_string(self, player: int, action: int) -> str:
        board = self._board
        if player == CHANCE:
            return board.states[board.moves[self._at][action]]
        return board.actions[action]

    def __str__(self) -> str:
        return self._board.states[self._at]


class _Observer:
    """Sees the state: as text, without a tensor."""

    tensor = None

    def __init__(self) -> None:
        self.dict: dict[str, Any] = {}

    def set_from(self, state: ExploredState, player: int) -> None:
        """Do nothing, as there is no tensor."""

    def string_from(self, state: ExploredState, player: int) -> str:
        """Return the state."""
        return str(state)


def _type(name: str, players: int, utility: str, board: Board) -> Any:
    kind = pyspiel.GameType
    chance = "EXPLICIT_STOCHASTIC" if CHANCE in board.players else "DETERMINISTIC"
    return kind(
        short_name=name,
        long_name=name,
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=getattr(kind.ChanceMode, chance),
        information=kind.Information.PERFECT_INFORMATION,
        utility=getattr(kind.Utility, utility),
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=players,
        min_num_players=players,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=False,
        parameter_specification={},
    )


def _utility(returns: list[Any]) -> tuple[str, float | None]:
    """Return OpenSpiel's word for how returns sum up, and the sum if there is one."""
    sums = {sum(each) for each in returns}
    if len(returns[0]) > 1:
        if len(sums) == 1:
            (total,) = sums
            return "CONSTANT_SUM" if total else "ZERO_SUM", _float(total)
        if all(len(set(each)) == 1 for each in returns):
            return "IDENTICAL", None
    return "GENERAL_SUM", None


def _longest(board: Board, movers: Container[int]) -> int:
    """Return the largest number of moves of some movers in a play."""
    most = [0] * len(board.players)
    for place in reversed(range(len(most))):
        after = [most[i] for i in board.moves[place].values()]
        most[place] = max(after, default=0) + (board.players[place] in movers)
    return most[0]


def _float(number: Any) -> float:
    """Return a return as a float."""
    must = "returns must fit in a float64, which OpenSpiel has"
    return _checks.nearest_float(must, number)
