"""How a game is written, as protocols, and checks of the answers of a game.

There is one check for each method of `Game`. The checks take answers, not games, so
that callers can handle the usual answers themselves, and pass only the others to these
functions. The protocols are public in `cardgames_dp.game`.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import islice
from typing import Any, Final, Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._results.records import Action, State
from cardgames_dp._support import arguments
from cardgames_dp._support.printing import short
from cardgames_dp._support.running import refuse_too_large

MOST_STATES: Final = 5_000_000
"""The default limit of the states of a game, and so of the moves of a state."""

_LEAST_MOVES = 10_000
"""Moves that a state may always have, as several of them may lead to one state."""

STATE_BYTES: Final = 512
"""About the bytes that a state takes until all are solved."""

CHANCE: Final = -1
"""The value of `Game.current_player` in chance states."""

TERMINAL: Final = -4
"""The value of `Game.current_player` in terminal states."""

TEXT = (str, bytes, bytearray)
"""Sequences that nobody means as such."""

Weight: TypeAlias = int | Fraction | Decimal | float
"""The weight of an outcome or of an action: its probability times the sum of all."""

Payment: TypeAlias = float | Fraction | Sequence[float | Fraction]
"""What each player gets: one number for each; of one player, it may be the number."""

Outcome: TypeAlias = tuple[Weight, State] | tuple[Weight, State, Payment]
"""An outcome of chance: its weight, the next state and, where chance pays, rewards."""


Endless: TypeAlias = tuple[Fraction | float, ...]
"""What endless play pays to each player."""


class GameError(ValueError):
    """A game broke a rule of `Game`, as by endless play or a state without actions.

    An answer of the wrong *type* (a float where exact arithmetic needs a rational)
    raises a TypeError instead.

    Examples
    --------
    >>> from cardgames_dp import diagonal
    >>> class Waiting:
    ...     num_players = 1
    ...     def initial_state(self): return "here"
    ...     def current_player(self, state): return 0
    ...     def legal_actions(self, state): return ["wait"]
    ...     def next_state(self, state, action): return state
    ...     def chance_outcomes(self, state): return []
    ...     def returns(self, state): return [0]
    >>> diagonal.solve(Waiting())
    Traceback (most recent call last):
        ...
    cardgames_dp.game.GameError: every play must end, but a play can come back to \
'here': 'here' -> 'here' (a cycle of 1), and never leave it; or give endless_returns
    """


class TooManyStatesError(ValueError):
    """A game has more reachable states than `max_states` allows, or than memory holds.

    Examples
    --------
    >>> from cardgames_dp import cardrow, exact
    >>> exact.solve(cardrow.game(range(99)), max_states=2000)
    Traceback (most recent call last):
        ...
    cardgames_dp.game.TooManyStatesError: the game has more states than \
max_states=2000 allows; 1953 are found, and 63 follow, among them [0, 36, 0]; give a \
larger max_states; if a number in them grows without end, limit it in the rules
    """


@runtime_checkable
class Game(Protocol[State, Action]):
    """A finite game of perfect information with any number of players, and chance.

    The rules: states and actions are hashable; equal states have the same future,
    including returns; players can end the game, and for loops the rules of
    `cardgames_dp.exact` hold. Methods that are never called may be missing: a
    game without chance needs no `chance_outcomes`.

    A game in which actions pay has one more method, ``rewards(state, action)``: what
    the action pays at once to each player, in the form of `returns`. Where chance pays,
    `chance_outcomes` says so.

    A game that may never end can have a member ``endless_returns``: what endless play
    pays, in the form of `returns`, on top of earlier payments, such as a draw by
    repetition, or minus the cost of a deadlock. For the value without it, see
    `cardgames_dp.exact`.

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
    Fraction(685, 36)
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

        Weights are numbers >= 0 with a positive sum; the probability of an outcome is
        its weight over that sum. They are integers, Fractions or Decimals, or floats,
        which `cardgames_dp.exact.solve` refuses; if some are floats, and none is above
        1, the sum must be 1, up to 1e-9. Weights matter within one state only. A state
        may be listed more than once. Where chance pays, outcomes are triples of weight,
        next state and what each player gets.
        """
        ...

    def returns(self, state: State) -> Payment:
        """Return the return of each player in a terminal state; of one, a number.

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
    One that may never end says what this pays in ``endless_returns``, one number for
    each player. One whose states have names, and whose actions are words,
    says so in a member ``names``, a `Names`; one whose solutions are tables, in
    ``layout``, a `Layout`.

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
    Solution(value=7.356938687, num_states=121201, ties=0, \
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
    ...     def returns(self, states):                       # the last taker has won
    ...         return np.where(states[:, 1:] == [0, 1], -1, 1)
    >>> diagonal.solve(Matches())
    Solution(payoffs=(1, -1), num_states=20, ties=5, tie_break='first')
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

        Weights are those of `Game`: an array of integers or floats or, for Fractions,
        Decimals and integers beyond 64 bits, of objects. Where a weight is 0 the next
        state may be anything. Where chance pays, a fourth array
        has what each outcome pays, in the form of `returns`.
        """
        ...

    def returns(self, states: NDArray[Any]) -> NDArray[Any]:
        """Return the returns in terminal states, of shape (count, players).

        They are integers, or Fractions in an array of objects, or floats, which
        `cardgames_dp.exact.solve` refuses. With one player the shape may be (count,).
        """
        ...


for _public in (GameError, TooManyStatesError, Game, ArrayGame):
    _public.__module__ = "cardgames_dp.game"


_IF_CALLED = frozenset(
    {"chance_outcomes", "legal_actions", "next_state", "next_states"}
)
"""Methods that a game need not have where they are never called."""


def num_players(game: Any, protocol: type) -> int:
    """Return the number of players of a game, after checking its members."""
    arguments.refuse_class("game", game)
    members = [name for name in vars(protocol) if not name.startswith("_")]
    missing = [
        name
        for name in members
        if (not hasattr(game, name) and name not in _IF_CALLED)
        or (name != "num_players" and not callable(getattr(game, name, len)))
    ]
    if missing:
        raise TypeError(
            f"game must have the members of cardgames_dp.game.{protocol.__name__}, got "
            f"{arguments.described(game)} without {', '.join(missing)}"
        )
    try:
        count = arguments.integer("num_players", game.num_players, minimum=1)
    except ValueError as error:
        raise GameError(*error.args) from None
    what = f"a game of {short(count)} players"
    refuse_too_large(what, 100 * count, "each state has a value for each of them")
    return count


def player(answer: Any, state: object, num_players: int) -> int:
    """Return the player to move, from the answer of `current_player`."""
    if is_integer(answer) and (
        0 <= answer < num_players or answer in (CHANCE, TERMINAL)
    ):
        return int(answer)
    kind = GameError if is_integer(answer) else TypeError
    raise kind(
        f"current_player({arguments.shown(state)}) must be the index of one of the "
        f"players (num_players is {num_players}), CHANCE ({CHANCE}) or "
        f"TERMINAL ({TERMINAL}), got {arguments.described(answer)}"
    )


def actions(
    answer: Any, state: object, max_states: int = MOST_STATES
) -> tuple[Any, ...]:
    """Return the actions of a decision state, from the answer of `legal_actions`."""
    call = f"legal_actions({arguments.shown(state)})"
    _require_sequence(answer, call)
    result = items(answer, call, max_states)
    if not result:
        raise GameError(
            f"{call} must hold at least one action, got none; a state in which the "
            f"game is over is TERMINAL ({TERMINAL})"
        )
    for action in result:
        require_hashable(action, "legal_actions", state)
    if len(set(result)) < len(result):
        raise GameError(
            f"{call} must hold distinct actions, got {arguments.shown(answer)}"
        )
    return result


def items(answer: Any, call: str, max_states: int) -> tuple[Any, ...]:
    """Return what an answer holds; one that has too much, or no end, is refused."""
    most = max(max_states, _LEAST_MOVES)
    items = tuple(islice(answer, most + 1))
    if len(items) > most:
        raise TooManyStatesError(
            f"{call} must hold at most {most} moves, got more than that of "
            f"{arguments.described(answer)}; a larger max_states allows more, as far "
            "as memory holds them"
        )
    return items


def payoffs(
    answer: Any, num_players: int, method: str, *given: object
) -> tuple[Fraction | float, ...]:
    """Return what a method says that each player gets, as Fractions or floats.

    It is `returns`, `rewards`, or `chance_outcomes` for its rewards.
    """
    call = f"{method}({', '.join(map(arguments.shown, given))})"
    if method == "chance_outcomes":
        call += " with rewards"
    if num_players == 1 and isinstance(answer, numbers.Number):
        answer = (answer,)
    return _per_player(answer, num_players, call)


def _per_player(answer: Any, num_players: int, call: str) -> Endless:
    """Return one number for each player, checked."""
    _require_sequence(answer, call)
    items = tuple(islice(answer, num_players + 1))
    if len(items) != num_players:
        raise GameError(
            f"{call} must hold one number per player (num_players is {num_players}), "
            f"got {arguments.shown(answer)}"
        )
    return tuple([number(each, call) for each in items])


def endless_returns_of(game: Any, num_players: int) -> Endless | None:
    """Return the optional member `endless_returns` of a game, or None."""
    answer = getattr(game, "endless_returns", None)
    return None if answer is None else endless_returns(answer, num_players)


def endless_returns(answer: Any, num_players: int) -> Endless:
    """Return what endless play pays to each player, checked."""
    return _per_player(answer, num_players, "endless_returns")


def number(value: object, call: str) -> Fraction | float:
    """Return a finite number that a game pays: a Fraction, or a float if it is one."""
    if type(value) is int:
        return Fraction(value)
    if type(value) is Fraction:
        return value
    if not isinstance(value, bool) and isinstance(value, numbers.Rational):
        return arguments.exact_rational(value)
    if not isinstance(value, (float, np.floating)):
        raise arguments.wrong_type(
            f"{call} must hold numbers (int, Fraction or float)", value
        )
    nearest = float(value)
    if not math.isfinite(nearest):
        raise GameError(f"{call} must hold finite numbers, got {nearest}")
    return nearest


def require_method(game: Any, method: str, *given: object) -> None:
    """Refuse a game that lacks a method it needs."""
    if not hasattr(game, method):
        call = f"{method}({', '.join(map(arguments.shown, given))})"
        raise TypeError(
            f"game must have the method {method} if a player or chance moves, and is "
            f"asked {call}; got {arguments.described(game)} without it"
        ) from None


def note(error: Exception, method: str, *given: object) -> None:
    """Add to an error that a game's own method raised which call it was."""
    call = f"{method}({', '.join(map(arguments.shown, given))})"
    if not str(error).startswith(call):  # as our own messages about answers do
        error.add_note(f"raised when the game was asked {call}")


def is_integer(value: object) -> bool:
    """Return whether a value is an integer, and no bool."""
    return type(value) is int or (
        not isinstance(value, bool) and isinstance(value, numbers.Integral)
    )


def _require_sequence(value: object, call: str) -> None:
    """Refuse what has no order, or can be iterated only once."""
    # A set or an iterator would make "the first optimal action" mean nothing.
    kinds = (tuple, list, Sequence, np.ndarray)
    sequence = isinstance(value, kinds) and arguments.is_iterable(value)
    if isinstance(value, TEXT) or not sequence:
        raise arguments.wrong_type(
            f"{call} must be a sequence, as a list or a tuple", value
        )


def require_hashable(value: object, method: str, *given: object) -> None:
    """Refuse states and actions that cannot be looked up."""
    try:
        hash(value)
    except TypeError as error:
        call = f"{method}({', '.join(map(arguments.shown, given))})"
        raise arguments.wrong_type(
            f"{call} must give hashable states and actions", value
        ) from error


def rewards_of(game: Any) -> Any:
    """Return the optional method `rewards` of a game, or None."""
    method = getattr(game, "rewards", None)
    if method is not None and not callable(method):
        raise arguments.wrong_type(
            "rewards of a game must be a method, as of cardgames_dp.game.Game", method
        )
    return method
