"""Games from OpenSpiel: find their states and identify them by keys.

A game becomes a `Game` whose states are *keys*. A state of OpenSpiel has its history,
and this key is always right. Other keys merge histories: the moves of a key are those
of the first history that has it. So two things are checked. When a history leads to a
known key, the two positions are compared: the player to move, the actions or
probabilities, and the returns. And random playouts compare, for each position that they
meet, the keys that can follow with those of the explored game.

The game is explored depth first, as few states of OpenSpiel are then held at a time.
What they have in common is stored once: a game has few different positions, in this
sense.

Probabilities are floats in OpenSpiel and integer weights here. A float p becomes the
fraction with a denominator of at most a million within 2**-50 p of it. There is at most
one, since two such fractions are further apart than 10**-12. If there is none, or if
the fractions of a state do not sum to 1, the game is refused.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cardgames_dp._graph.explored import Explored, build_explored, refuse_cycles
from cardgames_dp._graph.outcomes import integer_weights
from cardgames_dp._graph.search import find_states
from cardgames_dp._support import arguments
from cardgames_dp._support.running import require
from cardgames_dp.game import CHANCE, TERMINAL, GameError

if TYPE_CHECKING:
    import pyspiel
else:
    pyspiel = require("pyspiel", extra="openspiel", purpose="from_open_spiel")

Key = Callable[[Any], Hashable]

_FEWEST, _SHARE = 2000, 10
"""Playouts compare as many moves as this, or as this share of all moves, if more."""

_SAFE = (
    "key lacks something: it must hold all that decides what can follow, such as the "
    "position, whose turn it is, points, and how many moves are left where they are "
    "limited; without key, which is always right, a state is its history"
)


def load(game: Any) -> Any:
    """Return a game of OpenSpiel, checked to be of a kind that can be converted.

    Raises
    ------
    TypeError, ValueError
        If `game` is neither a game of OpenSpiel nor the name of one.
    GameError
        If it has hidden information, simultaneous moves, or chance that is sampled.
    """
    if isinstance(game, str):
        # OpenSpiel would print all names that it knows, and then raise an error.
        if game.partition("(")[0] not in pyspiel.registered_names():
            raise ValueError(
                "game must be a game that OpenSpiel knows, got "
                f"{arguments.shown(game)}; "
                "pyspiel.registered_names() has all names"
            )
        try:
            game = pyspiel.load_game(game)
        except pyspiel.SpielError as error:
            raise ValueError(
                f"game must be a game that OpenSpiel loads, got "
                f"{arguments.shown(game)}: {str(error).strip()}"
            ) from error
    if not isinstance(game, pyspiel.Game):
        raise arguments.wrong_type(
            "game must be a pyspiel.Game or the name of one", game
        )
    kind = game.get_type()
    for what, attribute, *accepted in (
        ("information", kind.information, "PERFECT_INFORMATION"),
        ("dynamics", kind.dynamics, "SEQUENTIAL"),
        ("chance", kind.chance_mode, "DETERMINISTIC", "EXPLICIT_STOCHASTIC"),
    ):
        if attribute.name not in accepted:
            raise GameError(
                f"game must have {what} of OpenSpiel's kind {' or '.join(accepted)}, "
                f"got {arguments.shown(kind.short_name)} of kind {attribute.name}"
            )
    return game


def explore(
    game: Any, key: Key | None, max_states: int, rng: np.random.Generator
) -> Explored[Hashable, int]:
    """Return all states of a game of OpenSpiel, by key, or by history without one.

    Raises
    ------
    TypeError
        If a key is not hashable.
    GameError
        If two histories of the same key differ, a play can return to a key, or
        probabilities are not fractions.
    TooManyStatesError
        If there are more than `max_states` keys.
    """
    keyed = KeyedGame(game, key)
    explored = build_explored(find_states(keyed, max_states, depth_first=True))
    try:
        refuse_cycles(explored)
    except GameError as cycle:
        raise GameError(f"{cycle}; {_SAFE}") from None
    if key is not None:
        keyed.play(explored, rng)
    return explored


class Position(NamedTuple):
    """The properties of a state of OpenSpiel, without those of later states.

    Attributes
    ----------
    player : int
        The player to move, or `CHANCE` or `TERMINAL`, the same numbers as in OpenSpiel.
    actions : tuple of int
        The actions of a player, or the outcomes of chance that are possible.
    weights : tuple of int
        The weights of outcomes; otherwise empty.
    returns : tuple of Fraction
        The returns at the end, floats where they are not finite; also before it, if the
        game pays during play.
    """

    player: int
    actions: tuple[int, ...]
    weights: tuple[int, ...]
    returns: tuple[Fraction | float, ...]


class KeyedGame:
    """A game of OpenSpiel as a `Game` whose states are keys.

    `find_states` asks it once about each state: `current_player` says which one the
    next questions are about, and its state of OpenSpiel is then forgotten.

    Parameters
    ----------
    game : pyspiel.Game
        The game.
    key : callable or None
        What identifies its states: their histories if None.
    """

    def __init__(self, game: Any, key: Key | None) -> None:
        self._game, self._key = game, key
        self.num_players: int = game.num_players()
        self._pays = game.get_type().reward_model.name == "REWARDS"
        self._positions: dict[Any, Position] = {}  # by what OpenSpiel answers
        self._known: dict[Hashable, Position] = {}  # by key
        self._ahead: dict[Hashable, tuple[Position, Any]] = {}

    def initial_state(self) -> Hashable:
        """Return the key of the state in which the game starts."""
        return self._reached(self._game.new_initial_state())

    def current_player(self, name: Hashable) -> int:
        """Return the player to move in a state."""
        self._position, self._state = self._ahead.pop(name)
        return self._position.player

    def legal_actions(self, name: Hashable) -> tuple[int, ...]:
        """Return the numbers of the actions of a state."""
        return self._position.actions

    def next_state(self, name: Hashable, action: int) -> Hashable:
        """Return the key to which a move leads."""
        if action != self._position.actions[-1]:
            return self._reached(self._state.child(action))
        self._state.apply_action(action)  # itself, as it is not needed any more
        return self._reached(self._state)

    def chance_outcomes(self, name: Hashable) -> list[tuple[int, Hashable]]:
        """Return the weights of outcomes, and the keys to which they lead."""
        after = [self.next_state(name, action) for action in self._position.actions]
        return list(zip(self._position.weights, after, strict=True))

    def returns(self, name: Hashable) -> tuple[Fraction | float, ...]:
        """Return the return of each player."""
        return self._position.returns

    def play(self, explored: Explored[Hashable, int], rng: np.random.Generator) -> None:
        """Play at random, and compare what follows each key with the explored game.

        Raises
        ------
        GameError
            If they differ, or two histories of the same key do.
        """
        states, graph = explored.states, explored.graph
        left = max(_FEWEST, explored.num_moves // _SHARE)
        while left > 0:
            state, place = self._game.new_initial_state(), 0
            left -= 1
            while actions := self._known[states[place]].actions:
                left -= len(actions)
                following = graph.following[graph.offsets[place] :][: len(actions)]
                children = [state.child(action) for action in actions]
                names = map(self._reached, children)
                for action, name, after in zip(actions, names, following, strict=True):
                    if name != states[after]:
                        raise _same_key(
                            f"after {arguments.shown(states[place])} action {action} "
                            f"has led to {arguments.shown(states[after])}, and leads "
                            f"to {arguments.shown(name)}",
                            state,
                        )
                taken = int(rng.integers(len(actions)))
                state, place = children[taken], following[taken]

    def _reached(self, state: Any) -> Hashable:
        """Return the key of a state, whose position is compared if the key is known."""
        position = self._position_of(state)
        if self._key is None:  # of histories no two are equal
            name: Hashable = tuple(state.history())
            self._ahead[name] = position, state
            return name
        name = arguments.call("key", self._key, state)
        try:
            earlier = self._known.get(name)
        except TypeError as error:
            raise TypeError(
                f"key must return what is hashable, got {arguments.described(name)} "
                f"after {arguments.shown(tuple(state.history()))}"
            ) from error
        if earlier is None:
            self._ahead[name], self._known[name] = (position, state), position
        elif earlier is not position and earlier != position:
            pairs = zip(Position._fields, earlier, position, strict=True)
            differ = [(word, had, has) for word, had, has in pairs if had != has]
            had = ", ".join([f"{word} {arguments.shown(x)}" for word, x, _ in differ])
            has = ", ".join([f"{word} {arguments.shown(x)}" for word, _, x in differ])
            difference = (
                f"{arguments.shown(name)} has been met with {had}, and has {has}"
            )
            raise _same_key(difference, state)
        return name

    def _position_of(self, state: Any) -> Position:
        """Return the exact form of what a state of OpenSpiel answers."""
        moves: Any = ()
        paid: Any = ()
        player = int(state.current_player())
        if player >= 0:
            moves = tuple(state.legal_actions())
        elif player == CHANCE:
            moves = tuple(state.chance_outcomes())
        if self._pays or player == TERMINAL:
            paid = tuple(state.returns())
        answer = player, moves, paid
        position = self._positions.get(answer)
        if position is None:
            weights: tuple[int, ...] = ()
            if player == CHANCE:
                moves, weights = _exact_chances(moves, state)
            returns = tuple([Fraction(x) if math.isfinite(x) else x for x in paid])
            position = Position(player, moves, weights, returns)
            self._positions[answer] = position
        return position


def _same_key(difference: str, state: Any) -> GameError:
    """Return the error for a key that histories with other futures have as well."""
    return GameError(
        "key must be the same only for histories with equal futures, but "
        f"{difference} after {arguments.shown(tuple(state.history()))}; {_SAFE}"
    )


_MOST_DENOMINATOR = 10**6
_RELATIVE = Fraction(1, 2**50)


def _exact_chances(
    outcomes: Any, state: Any
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the outcomes of chance that are possible, and their weights.

    Raises
    ------
    GameError
        If their probabilities are not fractions that sum to 1.
    """
    shares = [fraction_of(p) for _, p in outcomes]
    fractions = [share for share in shares if share is not None]
    if len(fractions) < len(shares) or sum(fractions) != 1:
        raise GameError(
            f"chances after {arguments.shown(tuple(state.history()))} must be "
            f"fractions with denominators up to {_MOST_DENOMINATOR} that sum to 1, got "
            f"{arguments.shown([p for _, p in outcomes])}"
        )
    pairs = zip(outcomes, integer_weights(fractions), strict=True)
    possible = [(action, weight) for (action, _), weight in pairs if weight]
    actions, weights = zip(*possible, strict=True)
    return actions, weights


def fraction_of(chance: float) -> Fraction | None:
    """Return the fraction that a float stands for, if it stands for one."""
    if not math.isfinite(chance):
        return None
    exact = Fraction(chance)
    near = exact.limit_denominator(_MOST_DENOMINATOR)
    return near if abs(near - exact) <= _RELATIVE * exact else None
