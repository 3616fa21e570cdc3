"""How a game is written, as protocols; public in `cardgames_dp.game`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, Final, Protocol, TypeAlias, runtime_checkable

from numpy.typing import NDArray

from cardgames_dp._graph import answers
from cardgames_dp._results.records import Action, State

CHANCE: Final = answers.CHANCE
"""The value of `Game.current_player` in chance states."""

TERMINAL: Final = answers.TERMINAL
"""The value of `Game.current_player` in terminal states."""

Outcome: TypeAlias = tuple[int, State] | tuple[int, State, Sequence[float | Fraction]]
"""An outcome of chance: its weight, the next state and, where chance pays, rewards."""


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

    The rules: states and actions are hashable; equal states have the same future,
    including returns; plays end with probability 1, and where they come back to a state
    the rules of `cardgames_dp.diagonal` hold. A game without chance still has
    `chance_outcomes`, which is never called.

    A game in which actions pay has one more method, ``rewards(state, action)``: what
    the action pays at once to each player, in the form of `returns`. Where chance pays,
    `chance_outcomes` says so.

    Examples
    --------
    Heads or tails:

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

    Roll a die as often as you like, at a price of three for each roll; the last roll
    pays its square. Prices are rewards, so the state is the last roll only:

    >>> from cardgames_dp import exact
    >>> class Squares:
    ...     num_players = 1
    ...     def initial_state(self): return 4, 0, "choose"      # rolls left, last roll
    ...     def current_player(self, state):
    ...         return {"choose": 0, "roll": CHANCE, "stop": TERMINAL}[state[2]]
    ...     def legal_actions(self, state): return ["stop", "roll"][:1 + (state[0] > 0)]
    ...     def next_state(self, state, action): return *state[:2], action
    ...     def rewards(self, state, action): return [-3 if action == "roll" else 0]
    ...     def chance_outcomes(self, state):
    ...         return [(1, (state[0] - 1, die, "choose")) for die in range(1, 7)]
    ...     def returns(self, state): return [state[1] ** 2]
    >>> solution = exact.solve(Squares())
    >>> solution.value
    (Fraction(685, 36),)
    >>> print(solution.advice((2, 4, "choose")))
    (2, 4, 'choose'): stop; value: stop 16, roll 15.9167.
    """

    @property
    def num_players(self) -> int:
        """The number of players, at least 1; chance is not a player."""
        ...

    def initial_state(self) -> State:
        """Return the state in which the game starts."""
        ...

    def current_player(self, state: State) -> int:
        """Return the index from 0 of the player to move, or `CHANCE` or `TERMINAL`."""
        ...

    def legal_actions(self, state: State) -> Sequence[Action]:
        """Return the legal actions of a decision state, at least one, all distinct."""
        ...

    def next_state(self, state: State, action: Action) -> State:
        """Return the state to which a legal action leads from a decision state."""
        ...

    def chance_outcomes(self, state: State) -> Iterable[Outcome[State]]:
        """Return the outcomes of a chance state as pairs of weight and next state.

        Weights are integers >= 0 with a positive sum; the probability of an outcome is
        its weight over that sum. Weights matter within one state only. A state may be
        listed more than once. Where chance pays, outcomes are triples of weight, next
        state and what each player gets.
        """
        ...

    def returns(self, state: State) -> Sequence[float | Fraction]:
        """Return the return of each player in a terminal state.

        They are integers or Fractions, or floats, which are taken as the rational
        numbers that they are, and which `cardgames_dp.exact.solve` refuses.
        """
        ...


@runtime_checkable
class ArrayGame(Protocol):
    """A game whose methods answer for many states at once, in NumPy arrays.

    The methods are those of `Game`, in the plural. A state is an integer or a row of
    integers, so states are an array of shape (count,) or (count, width); the same holds
    for actions. Methods get int64 arrays. Where states have several moves, the answers
    are parallel arrays; the first gives for each move the index of its state in the
    argument, and the moves of a state keep their order.

    The rules are those of `Game`. In addition, either all plays to a state should have
    the same number of moves, as in games where each move deals a card: a state that is
    reached after different numbers of moves is solved once for each of them. Or the
    game has one more method, ``levels(states)``: an integer for each state, which no
    move lowers, such as the number of cards dealt. Then each state is solved once, and
    moves within a level may be in any order. With nothing better at hand, all levels
    may be 0.

    A game in which actions pay has one more method, ``rewards(states, actions)``: an
    array in the form of `returns`, the i-th row for the i-th action in the i-th state.

    Examples
    --------
    Red/black; a state is a row of red cards, black cards and the last decision:

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

    Take one or two of ten matches; the last one wins. A number of matches is left after
    different numbers of moves, so there are levels, which rise as matches go:

    >>> class Matches:
    ...     num_players = 2                    # a state: matches left, who is to move
    ...     def initial_states(self): return np.array([[10, 0]])
    ...     def levels(self, states): return -states[:, 0]
    ...     def current_players(self, states):
    ...         return np.where(states[:, 0] > 0, states[:, 1], TERMINAL)
    ...     def legal_actions(self, states):
    ...         index = np.repeat(np.arange(len(states)), 2)
    ...         taken = np.tile([1, 2], len(states))
    ...         legal = taken <= states[index, 0]
    ...         return index[legal], taken[legal]
    ...     def next_states(self, states, taken):
    ...         return np.column_stack([states[:, 0] - taken, 1 - states[:, 1]])
    ...     def chance_outcomes(self, states): ...                 # never asked
    ...     def returns(self, states):                       # the last taker has won
    ...         return np.where(states[:, 1:] == [0, 1], -1, 1)
    >>> diagonal.solve(Matches())
    ArraySolution(value=(1, -1), num_states=20, ties=5, tie_break='first')
    """

    @property
    def num_players(self) -> int:
        """The number of players, at least 1; chance is not a player."""
        ...

    def initial_states(self) -> NDArray[Any]:
        """Return the states in which games start, one or more."""
        ...

    def current_players(self, states: NDArray[Any]) -> NDArray[Any]:
        """Return the index of the mover of each state, or `CHANCE` or `TERMINAL`."""
        ...

    def legal_actions(self, states: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return the legal actions of decision states: index of the state, action."""
        ...

    def next_states(self, states: NDArray[Any], actions: NDArray[Any]) -> NDArray[Any]:
        """Return the states to which actions lead, the i-th from the i-th state."""
        ...

    def chance_outcomes(
        self, states: NDArray[Any]
    ) -> (
        tuple[NDArray[Any], NDArray[Any], NDArray[Any]]
        | tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]
    ):
        """Return the outcomes of chance states: index of the state, weight, next state.

        Weights are integers >= 0 with a positive sum for each state. Where a weight is
        0 the next state may be anything. Where chance pays, a fourth array has what
        each outcome pays, in the form of `returns`.
        """
        ...

    def returns(self, states: NDArray[Any]) -> NDArray[Any]:
        """Return the returns in terminal states, of shape (count, players).

        They are integers, or Fractions in an array of objects, or floats, which
        `cardgames_dp.exact.solve` refuses. With one player the shape may be (count,).
        """
        ...


for _public in (TooManyStatesError, Game, ArrayGame):
    _public.__module__ = "cardgames_dp.game"
