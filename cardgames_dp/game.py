"""The vocabulary in which every game is written.

A *game* is a finite, acyclic graph of *states*. In a *decision* state a player moves by
one of the legal actions; in a *chance* state luck moves, to one of the weighted
outcomes; in a *terminal* state the game is over and pays one return a player. All
players see the whole state: these are games of perfect information. The words are those
of OpenSpiel [1]_ and Gambit [2]_, so that a game written for one of them is quickly
rewritten here.

Two differences from OpenSpiel: a state is any hashable value and knows nothing of the
game, so the questions are put to the game; and chance has *integer weights* in place of
float probabilities, so that every probability is an exact rational.

A game inherits from nothing: any object with the seven members of `Game` is one.
`CheckedGame` asks such an object and refuses answers that break the promises. A game of
millions of states is written in the same words for many states at once: `ArrayGame`.

References
----------
.. [1] M. Lanctot et al., "OpenSpiel: A Framework for Reinforcement Learning in Games",
   2019, arXiv:1908.09453.
.. [2] R. Savani and T. L. Turocy, "Gambit: The package for computation in game theory",
   https://www.gambit-project.org.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from fractions import Fraction
from typing import Any, Final, Generic, Protocol, TypeVar, runtime_checkable

from numpy.typing import NDArray

from cardgames_dp import _answers
from cardgames_dp._answers import GameError

__all__ = [
    "CHANCE",
    "TERMINAL",
    "Action",
    "ArrayGame",
    "CheckedGame",
    "Game",
    "GameError",
    "State",
    "TooManyStatesError",
]

CHANCE: Final = _answers.CHANCE
"""What `Game.current_player` says where chance moves."""

TERMINAL: Final = _answers.TERMINAL
"""What `Game.current_player` says where the game is over."""

State = TypeVar("State", bound=Hashable)
Action = TypeVar("Action", bound=Hashable)


def __dir__() -> list[str]:
    return __all__


class TooManyStatesError(ValueError):
    """A game has more reachable states than `max_states` allows, or than memory holds.

    Examples
    --------
    >>> from cardgames_dp import exact, redblack
    >>> exact.solve(redblack.Rules().game(26, 26), max_states=2000)
    Traceback (most recent call last):
        ...
    cardgames_dp.game.TooManyStatesError: the game has more states than \
max_states=2000 allows; the first one beyond is State(red=..., black=..., decision=...)
    """


@runtime_checkable
class Game(Protocol[State, Action]):
    """A finite game of perfect information with any number of players, and chance.

    The promises: states and actions are hashable; equal states have equal futures,
    returns included; no play comes back to a state where it was before. A game without
    chance still has `chance_outcomes` (it is never called).

    Examples
    --------
    Heads or tails, without a word on how it is solved:

    >>> from cardgames_dp.game import CHANCE, TERMINAL, Game
    >>> class Toss:
    ...     num_players = 1
    ...     def initial_state(self): return "call"
    ...     def current_player(self, state):
    ...         if state == "call": return 0
    ...         return CHANCE if state in ("heads", "tails") else TERMINAL
    ...     def legal_actions(self, state): return ["heads", "tails"]
    ...     def next_state(self, state, action): return action
    ...     def chance_outcomes(self, state): return [(1, "right"), (1, "wrong")]
    ...     def returns(self, state): return [1 if state == "right" else -1]
    >>> isinstance(Toss(), Game)
    True
    """

    @property
    def num_players(self) -> int:
        """How many players there are, at least one; chance is not a player."""
        ...

    def initial_state(self) -> State:
        """Return the state in which the game starts."""
        ...

    def current_player(self, state: State) -> int:
        """Return the index from 0 of the player to move, or `CHANCE` or `TERMINAL`."""
        ...

    def legal_actions(self, state: State) -> Sequence[Action]:
        """Return the actions of a decision state: one or more, distinct, in order."""
        ...

    def next_state(self, state: State, action: Action) -> State:
        """Return the state to which a legal action leads from a decision state."""
        ...

    def chance_outcomes(self, state: State) -> Iterable[tuple[int, State]]:
        """Return the outcomes of a chance state as pairs of weight and next state.

        Weights are integers >= 0 with a positive sum; the probability of an outcome is
        its weight over that sum. A state may be listed more than once.
        """
        ...

    def returns(self, state: State) -> Sequence[int | Fraction]:
        """Return what each player gets in a terminal state, as exact rationals."""
        ...


@runtime_checkable
class ArrayGame(Protocol):
    """A game whose methods answer for many states at once, in NumPy arrays.

    The vocabulary is that of `Game`, in the plural. A state is an integer or a row of
    integers, so that states are an array of shape (count,) or (count, width); actions
    likewise. Methods are given int64 arrays. Where a state has several moves, the
    answers are arrays side by side, of which the first says for each move the index of
    its state among those asked; moves of one state keep their order.

    The promises are those of `Game`, and besides, all plays to a state should have
    equally many moves, as where each move deals a card: a state that is met after
    different numbers of moves is solved once for each.

    Examples
    --------
    Red/black; a state is a row of red cards, black cards and what was decided:

    >>> import numpy as np
    >>> from cardgames_dp import diagonal
    >>> from cardgames_dp.game import CHANCE, TERMINAL, ArrayGame
    >>> ASK, STOP, DRAW = 0, 1, 2
    >>> class RedBlack:
    ...     num_players = 1
    ...     def __init__(self, red, black):
    ...         self.deck = np.array([red, black])
    ...     def initial_states(self):
    ...         return np.array([[*self.deck, ASK]])
    ...     def current_players(self, states):
    ...         red, black, decided = states.T
    ...         over = (decided == STOP) | (red + black == 0)
    ...         return np.where(over, TERMINAL, np.where(decided == DRAW, CHANCE, 0))
    ...     def legal_actions(self, states):
    ...         count = len(states)
    ...         return np.repeat(np.arange(count), 2), np.tile([STOP, DRAW], count)
    ...     def next_states(self, states, actions):
    ...         return np.column_stack([states[:, :2], actions])
    ...     def chance_outcomes(self, states):
    ...         index, (red, black, _) = np.arange(len(states)), states.T
    ...         after = [states - [1, 0, DRAW], states - [0, 1, DRAW]]
    ...         return np.tile(index, 2), np.append(red, black), np.concatenate(after)
    ...     def returns(self, states):
    ...         return (self.deck - states[:, :2]) @ [1, -1]
    >>> isinstance(RedBlack(1, 1), ArrayGame)
    True
    >>> solution = diagonal.solve(RedBlack(200, 200))
    >>> solution
    ArraySolution(value=(7.356938687,), num_states=121201, ties=0, \
possible_ties=1, error=..., tie_break='first')
    >>> solution.policy(np.array([[100, 101, ASK], [100, 120, ASK]])).tolist()
    [2, 1]
    """

    @property
    def num_players(self) -> int:
        """How many players there are, at least one; chance is not a player."""
        ...

    def initial_states(self) -> NDArray[Any]:
        """Return the states in which games start, one or more."""
        ...

    def current_players(self, states: NDArray[Any]) -> NDArray[Any]:
        """Return for each state the index of who moves, or `CHANCE` or `TERMINAL`."""
        ...

    def legal_actions(self, states: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return the moves of decision states: index of the state, and action."""
        ...

    def next_states(self, states: NDArray[Any], actions: NDArray[Any]) -> NDArray[Any]:
        """Return the states to which actions lead, the i-th from the i-th state."""
        ...

    def chance_outcomes(
        self, states: NDArray[Any]
    ) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """Return the outcomes of chance states: index of the state, weight, next state.

        Weights are integers >= 0 with a positive sum for each state. Where a weight is
        0 the next state need not be one.
        """
        ...

    def returns(self, states: NDArray[Any]) -> NDArray[Any]:
        """Return what the players get in terminal states, of shape (count, players).

        Integers, or floats, which are then taken as they are, and refused by
        `cardgames_dp.exact.solve`. With one player the shape may be (count,).
        """
        ...


_METHODS = (
    "initial_state",
    "current_player",
    "legal_actions",
    "next_state",
    "chance_outcomes",
    "returns",
)


class CheckedGame(Generic[State, Action]):
    """A game of which every answer is held to the promises of `Game`.

    It is a `Game` itself, with narrower answers: actions and returns come as tuples,
    returns as Fractions, and outcomes of weight zero do not come at all. A cycle, which
    no single answer shows, is left to whoever walks through the states.

    Parameters
    ----------
    game : Game
        The object to ask.

    Raises
    ------
    TypeError
        If `game` is a class, or lacks a member of the protocol, or `num_players` is not
        an integer.
    GameError
        If there is no player.

    Examples
    --------
    >>> from cardgames_dp.game import CheckedGame
    >>> CheckedGame("chess")
    Traceback (most recent call last):
        ...
    TypeError: game must have the members of cardgames_dp.game.Game, got 'chess' of \
type str without num_players, initial_state, current_player, legal_actions, \
next_state, chance_outcomes, returns
    """

    __slots__ = ("_game", "_num_players")

    def __init__(self, game: Game[State, Action]) -> None:
        self._num_players = _answers.num_players(game, _METHODS, "Game")
        self._game = game

    @property
    def num_players(self) -> int:
        """How many players there are."""
        return self._num_players

    def initial_state(self) -> State:
        """Return the state in which the game starts.

        Raises
        ------
        TypeError
            If it is not hashable.
        """
        state = self._game.initial_state()
        _answers.require_hashable(state, "initial_state")
        return state

    def current_player(self, state: State) -> int:
        """Return the index of the player to move, or `CHANCE` or `TERMINAL`.

        Raises
        ------
        TypeError
            If the answer is not an integer.
        GameError
            If it is another integer.
        """
        player = self._game.current_player(state)
        return _answers.player(player, state, self._num_players)

    def legal_actions(self, state: State) -> tuple[Action, ...]:
        """Return the actions of a decision state in the order of the game.

        Raises
        ------
        TypeError
            If they are not a sequence, or one of them is not hashable.
        GameError
            If there is none, or one stands twice.
        """
        actions: tuple[Action, ...]
        actions = _answers.actions(self._game.legal_actions(state), state)
        return actions

    def next_state(self, state: State, action: Action) -> State:
        """Return the state to which an action leads.

        Raises
        ------
        TypeError
            If it is not hashable.
        """
        following = self._game.next_state(state, action)
        _answers.require_hashable(following, "next_state", state, action)
        return following

    def chance_outcomes(self, state: State) -> list[tuple[int, State]]:
        """Return the outcomes of a chance state that have a positive weight.

        Raises
        ------
        TypeError
            If the answer is not an iterable of pairs, a weight is not an integer or a
            state not hashable.
        GameError
            If the answer is a mapping, a weight is negative, or none is positive.
        """
        outcomes: list[tuple[int, State]]
        outcomes = _answers.outcomes(self._game.chance_outcomes(state), state)
        return outcomes

    def returns(self, state: State) -> tuple[Fraction, ...]:
        """Return what each player gets in a terminal state.

        Raises
        ------
        TypeError
            If the answer is not a sequence of rational numbers.
        GameError
            If it does not have one number a player.
        """
        returns = self._game.returns(state)
        return _answers.returns(returns, state, self._num_players)
