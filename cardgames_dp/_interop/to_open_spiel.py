"""Games for OpenSpiel.

A game is exported with all its states, found beforehand: OpenSpiel needs bounds of
utilities and of the length of a play at once. A state of OpenSpiel holds the number of
a state here, so copying it costs nothing.

OpenSpiel finds games by name, also when it reads states that it has written. So every
game is registered under its name, with a parameter that tells different games of the
same name apart: a digest of all that they hold. The name alone means the latest one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Container, Hashable, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from functools import partial
from operator import add, methodcaller
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cardgames_dp._graph.explored import Explored
from cardgames_dp._graph.explored_record import Node
from cardgames_dp._support import arguments
from cardgames_dp._support.printing import labels
from cardgames_dp._support.running import refuse_too_large, require
from cardgames_dp.game import CHANCE, TERMINAL, GameError

if TYPE_CHECKING:
    import pyspiel
else:
    pyspiel = require("pyspiel", extra="openspiel", purpose="to_open_spiel")


_NODE_BYTES = 2000
"""About the bytes of a state with its moves, here and in OpenSpiel."""

_BOARDS: WeakValueDictionary[str, Board] = WeakValueDictionary()
"""All boards that are in use, by digest: where OpenSpiel finds them again."""

_LATEST: dict[str, Board] = {}
"""The latest board of each name, kept as long as OpenSpiel knows the name."""


class ExploredGame(pyspiel.Game):  # type: ignore[misc]
    """A game of ours in OpenSpiel."""

    def __init__(self, params: dict[str, Any]) -> None:
        if params["board"] not in _BOARDS:
            raise ValueError(
                f"the game with board={params['board']} is not in memory any more: "
                "keep what to_open_spiel returns"
            )
        self.board = board = _BOARDS[params["board"]]
        self._most_chance = _longest(board, {CHANCE})
        ends = zip(board.players, board.returns, strict=True)
        paid = [each for player, each in ends if player == TERMINAL]
        lowest, highest = min(map(min, paid)), max(map(max, paid))
        num_players, kind = len(paid[0]), pyspiel.GameType
        chance = "EXPLICIT_STOCHASTIC" if CHANCE in board.players else "DETERMINISTIC"
        game_type = kind(
            short_name=board.name,
            long_name=board.name,
            dynamics=kind.Dynamics.SEQUENTIAL,
            chance_mode=getattr(kind.ChanceMode, chance),
            information=kind.Information.PERFECT_INFORMATION,
            utility=getattr(kind.Utility, board.utility),
            reward_model=kind.RewardModel.TERMINAL,
            max_num_players=num_players,
            min_num_players=num_players,
            provides_information_state_string=True,
            provides_information_state_tensor=True,
            provides_observation_string=True,
            provides_observation_tensor=True,
            parameter_specification={"board": params["board"]},
        )
        info = pyspiel.GameInfo(
            num_distinct_actions=max(len(board.actions), 1),
            max_chance_outcomes=max(map(len, board.chances)),
            num_players=num_players,
            min_utility=lowest,
            # OpenSpiel needs a range, even if all returns are equal.
            max_utility=highest if highest > lowest else lowest + 1,
            utility_sum=board.total,
            max_game_length=_longest(board, range(num_players)),
        )
        super().__init__(game_type, info, params)

    def max_chance_nodes_in_history(self) -> int:
        """Return the largest number of chance moves in a play."""
        return self._most_chance

    def new_initial_state(self, *_: object) -> ExploredState:
        """Return the state in which the game starts."""
        return ExploredState(self)

    def make_py_observer(self, kind: Any = None, params: Any = None) -> Any:
        """Return an observer of the state, or of the history, which all players see."""
        if isinstance(kind, dict):  # in which way OpenSpiel asks for its default
            kind, params = None, kind
        if params:
            raise ValueError(f"no parameters of observers are known, got {params}")
        if kind is not None and not kind.public_info:  # what is private: nothing
            return SimpleNamespace(
                tensor=None,
                dict={},
                set_from=lambda state, player: None,
                string_from=lambda state, player: "",
            )
        return _Observer(self.board, history=kind is not None and kind.perfect_recall)

    def __reduce_ex__(self, _protocol: Any) -> tuple[Any, ...]:
        return _unpickled, (self.board, self.get_parameters()["board"])

    def __deepcopy__(self, _memo: object) -> ExploredGame:
        return self  # which nothing changes


class ExploredState(pyspiel.State):  # type: ignore[misc]
    """A state of ours in OpenSpiel."""

    # OpenSpiel copies and writes all that is in __dict__: the number of the state.
    __slots__ = ("__dict__", "_board")

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

    def __reduce_ex__(self, _protocol: Any) -> tuple[Any, ...]:
        return methodcaller("deserialize_state", self.serialize()), (self.get_game(),)

    def __deepcopy__(self, _memo: object) -> Any:
        return self.clone()


def refuse_name(name: str) -> None:
    """Refuse the name of a game that is no word, or that of a game of OpenSpiel.

    Raises
    ------
    ValueError
        If it is.
    """
    # OpenSpiel would read other letters as the start of a parameter.
    if not name.isidentifier():
        raise ValueError(
            "name must be a word of letters, digits and underscores, so that "
            f"pyspiel.load_game can read it, got {arguments.shown(name)}"
        )
    if name in pyspiel.registered_names() and name not in _LATEST:
        raise ValueError(
            f"name must be new to OpenSpiel, got {arguments.shown(name)}, which is a "
            "game of its own"
        )


def registered(board: Board) -> ExploredGame:
    """Return a game that OpenSpiel finds by its name from now on."""
    digest = board.digest()
    _LATEST[board.name] = _BOARDS.setdefault(digest, board)
    game = ExploredGame({"board": digest})
    # A class, as OpenSpiel drops it when Python has ended, and nothing can be deleted.
    pyspiel.register_game(game.get_type(), ExploredGame)
    return game


def _unpickled(board: Board, digest: str) -> ExploredGame:
    """Return a game that may come from another process."""
    if board.name not in _LATEST:
        return registered(board)
    board = _BOARDS.setdefault(digest, board)
    return ExploredGame({"board": digest})


class _Observer:
    """Sees the state, or tells the history, which all players see.

    The tensor is that of the state in both cases, as all that can follow depends on it
    alone.
    """

    def __init__(self, board: Board, *, history: bool) -> None:
        self._board, self._history, self._last = board, history, 0
        tensors = board.tensors
        shape = (len(board.players),) if tensors is None else tensors.shape[1:]
        seen = np.zeros(shape, dtype=np.float32)
        self.tensor = seen.reshape(-1)
        self.dict = {"info_state" if history else "observation": seen}

    def set_from(self, state: ExploredState, player: int) -> None:
        """Write the tensor of the state."""
        if self._board.tensors is None:
            self.tensor[self._last] = 0
            self.tensor[state._at] = 1
            self._last = state._at
        else:
            self.tensor[:] = self._board.tensors[state._at].ravel()

    def string_from(self, state: ExploredState, player: int) -> str:
        """Return the state, or the history."""
        return str(state.history_str() if self._history else state)


def _longest(board: Board, movers: Container[int]) -> int:
    """Return the largest number of moves of some movers in a play."""
    most = [0] * len(board.players)
    for place in reversed(range(len(most))):
        after = [most[i] for i in board.moves[place].values()]
        most[place] = max(after, default=0) + (board.players[place] in movers)
    return most[0]


@dataclass(frozen=True, eq=False)
class Board:
    """All states of a game in the form that OpenSpiel needs, with numbers for all.

    Attributes
    ----------
    name : str
        The name of the game.
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
    utility : str
        OpenSpiel's word for how returns sum up.
    total : float or None
        The sum, if it is always the same.
    tensors : ndarray of float32, shape (states, ...), or None
        What is observed in each state; None for a one-hot vector of its number.
    """

    name: str
    states: list[str]
    actions: list[str]
    players: list[int]
    moves: list[dict[int, int]]
    chances: list[list[float]]
    returns: list[list[float]]
    utility: str
    total: float | None
    tensors: NDArray[np.float32] | None

    def digest(self) -> str:
        """Return a text that no other board has, and that OpenSpiel reads as a text."""
        digest = hashlib.sha256()
        for part in fields(self):
            value = getattr(self, part.name)
            if isinstance(value, np.ndarray):
                digest.update(f"{value.shape}".encode())
                digest.update(np.ascontiguousarray(value).data)
            else:
                digest.update(f"{value}".encode("utf-8", "surrogatepass"))
        return f"x{digest.hexdigest()[:16]}"


def board_of(
    explored: Explored[Any, Any],
    name: str,
    tensors: NDArray[np.float32] | None,
    *,
    zero_sum: bool,
) -> Board:
    """Return the states of a game that has been explored, numbered by their places.

    Raises
    ------
    GameError
        If returns shall sum to zero, and their sum is not always the same.
    TooLargeError
        If there are too many states with different sums paid before.
    """
    states, names = explored.nodes(), list[Any](explored.states)
    if explored.graph.rewards is not None:
        states, names, places = _paying_at_the_end(explored, states)
        tensors = None if tensors is None else tensors[places]
    number: dict[Hashable, int] = {}
    for node in states:
        for action in node.actions:
            number.setdefault(action, len(number))
    utility, total = _utility([node.returns for node in states if node.returns])
    share = Fraction(0)
    if zero_sum:
        if total is None:
            raise GameError(
                "with zero_sum=True, the returns of at least two players must have the "
                f"same sum in every terminal state, got a game of kind {utility}"
            )
        utility, total, share = "ZERO_SUM", Fraction(0), total / explored.num_players
    nothing = [0.0] * explored.num_players
    moves, chances = [], []
    for node in states:
        weights: dict[int, int] = {}
        for place, weight in zip(node.following, node.weights, strict=False):
            weights[place] = weights.get(place, 0) + weight
        whole = sum(weights.values())
        chances.append([weight / whole for weight in weights.values()])
        ids = [number[action] for action in node.actions]
        # OpenSpiel needs legal actions in increasing order.
        pairs = zip(ids, node.following, strict=True) if ids else enumerate(weights)
        moves.append(dict(sorted(pairs)))
    return Board(
        name,
        labels(names),
        labels(list(number)),
        [node.player for node in states],
        moves,
        chances,
        [[_float(x - share) for x in node.returns] or nothing for node in states],
        utility,
        None if total is None else _float(total),
        tensors,
    )


def _paying_at_the_end(
    explored: Explored[Any, Any], nodes: list[Node]
) -> tuple[list[Node], list[Any], list[int]]:
    """Return the states of a game that pays at its ends what it paid on the way.

    In OpenSpiel a state is worth what a play has been paid in all, so a state to which
    plays come with different sums is several. For each of them its name, with the sum
    if there are several, and its place in the game are returned as well.
    """
    sums: list[dict[tuple[Fraction, ...], int]] = [{} for _ in nodes]
    sums[0][(Fraction(0),) * explored.num_players] = 0
    count = 0
    for totals, node in zip(sums, nodes, strict=True):
        for total in totals:
            totals[total], count = count, count + 1
            for place, paid in zip(node.following, node.rewards, strict=True):
                sums[place].setdefault(tuple(map(add, total, paid)), 0)
        refuse_too_large(
            f"{count} states with the sums that were paid before",
            _NODE_BYTES * count,
            "use a smaller game, or one with fewer sums",
        )
    several, names, places = list[Node](), list[Any](), list[int]()
    for here, (totals, node) in enumerate(zip(sums, nodes, strict=True)):
        for total in totals:
            following = [
                sums[place][tuple(map(add, total, paid))]
                for place, paid in zip(node.following, node.rewards, strict=True)
            ]
            returns = tuple(map(add, node.returns, total))
            several.append(node._replace(following=following, returns=returns))
            state = explored.states[here]
            names.append((state, total) if len(totals) > 1 else state)
            places.append(here)
    return several, names, places


def tensors_of(
    tensor: Callable[[Any], ArrayLike], states: Sequence[object]
) -> NDArray[np.float32]:
    """Return what a function observes in each state.

    Raises
    ------
    TypeError, ValueError
        If an answer is no array of finite numbers of the same shape as the others.
    """
    rows: list[NDArray[np.float64]] = []
    for state in states:
        call = f"tensor({arguments.shown(state)})"
        row = arguments.float_array(call, arguments.call("tensor", tensor, state))
        if (rows and row.shape != rows[0].shape) or not row.ndim:
            must = f"{rows[0].shape} as for other states" if rows else "at least (1,)"
            raise ValueError(f"{call} must have the shape {must}, got {row.shape}")
        rows.append(row)
    return np.array(rows, dtype=np.float32)


def _utility(returns: list[Any]) -> tuple[str, Fraction | None]:
    """Return OpenSpiel's word for how returns sum up, and the sum if there is one."""
    sums = {sum(each) for each in returns}
    if len(returns[0]) > 1:
        if len(sums) == 1:
            (total,) = sums
            return "CONSTANT_SUM" if total else "ZERO_SUM", total
        if all(len(set(each)) == 1 for each in returns):
            return "IDENTICAL", None
    return "GENERAL_SUM", None


_float = partial(
    arguments.nearest_float, "returns must fit in a float64, which OpenSpiel has"
)
"""It makes a float of a return."""
