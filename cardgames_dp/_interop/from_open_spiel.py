"""Games from OpenSpiel: find their states and identify them by keys.

A game becomes a table of states, each with a *key*. A state of OpenSpiel has its
history, and this key is always right. Other keys merge histories: the moves of a key
are those of the first history that has it. So two things are checked. When a history
leads to a known key, the two positions are compared: the player to move, the actions or
probabilities, and the returns. And random playouts compare, for each position that they
meet, the keys that can follow with those in the table.

States are numbered as they are reached, and asked for their moves depth first, as few
states of OpenSpiel are then held at a time. What they hold in common is stored once: a
game has few different positions, in this sense.

Probabilities are floats in OpenSpiel and integer weights here. A float p becomes the
fraction with a denominator of at most a million within 2**-50 p of it. There is at most
one, since two such fractions are further apart than 10**-12. If there is none, or if
the fractions of a state do not sum to 1, the game is refused.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cardgames_dp._graph import answers
from cardgames_dp._graph.explored import Explored, explored_of, refuse_cycles
from cardgames_dp._graph.graph import spans
from cardgames_dp._graph.walking import Found
from cardgames_dp._support import arguments
from cardgames_dp._support.running import require, tracked
from cardgames_dp.game import CHANCE, TERMINAL, GameError, TooManyStatesError

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


def history(state: Any) -> tuple[int, ...]:
    """Return the key that is always right."""
    return tuple(state.history())


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
    for what, found, *accepted in (
        ("information", kind.information, "PERFECT_INFORMATION"),
        ("dynamics", kind.dynamics, "SEQUENTIAL"),
        ("chance", kind.chance_mode, "DETERMINISTIC", "EXPLICIT_STOCHASTIC"),
    ):
        if found.name not in accepted:
            raise GameError(
                f"game must have {what} of OpenSpiel's kind {' or '.join(accepted)}, "
                f"got {arguments.shown(kind.short_name)} of kind {found.name}"
            )
    return game


def walk(
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
    table = _Table(game, key or history)
    for _ in tracked(table.fill(max_states), None, "states"):
        pass
    names = list(table.numbers)
    explored = explored_of(table.found())
    try:
        refuse_cycles(explored)
    except GameError as cycle:
        raise GameError(f"{cycle}; {_SAFE}") from None
    if key is not None:
        table.play(names, rng)
    return explored


@dataclass(slots=True)
class _Table:
    """The states of a game found so far.

    Attributes
    ----------
    game : pyspiel.Game
        The game.
    key : callable
        What identifies its states.
    numbers : dict of object to int
        The number of each key, in the order in which they are reached.
    kinds : array of int
        For each number: the kind of position.
    asked : array of int
        The numbers in the order in which they were asked for their moves.
    following : array of int
        The number to which each move leads, in this order.
    positions : list of Position
        The kinds of positions.
    """

    game: Any
    key: Key
    numbers: dict[Hashable, int] = field(default_factory=dict)
    kinds: array[int] = field(default_factory=lambda: array("i"))
    asked: array[int] = field(default_factory=lambda: array("i"))
    following: array[int] = field(default_factory=lambda: array("i"))
    positions: list[Position] = field(default_factory=list)
    _known: dict[Position, int] = field(default_factory=dict)
    _kinds: dict[Any, int] = field(default_factory=dict)

    def fill(self, max_states: int) -> Iterator[None]:
        """Go through the states, depth first, and yield after each."""
        look, hashed, number_of = self._looking(), self._hashed, self.numbers.get
        kinds, reach = self.kinds, self.following.append
        initial = self.game.new_initial_state()
        self.numbers[hashed(initial)] = 0
        kinds.append(look(initial))
        ahead = [(0, initial)]
        while ahead:
            number, state = ahead.pop()
            self.asked.append(number)
            actions = self.positions[kinds[number]].actions
            for action in actions:
                if action != actions[-1]:
                    child = state.child(action)
                else:  # the state itself, which is not needed any more
                    (child := state).apply_action(action)
                name, kind = hashed(child), look(child)
                known = number_of(name)
                if known is None:
                    known = len(kinds)
                    if known >= max_states:
                        raise TooManyStatesError(
                            f"the game has more states than max_states={max_states} "
                            f"allows; the first one beyond is {arguments.shown(name)}; "
                            "give a larger max_states"
                        )
                    self.numbers[name] = known
                    kinds.append(kind)
                    ahead.append((known, child))
                elif kinds[known] != kind:
                    raise self._unlike(name, child, kinds[known], kind)
                reach(known)
            yield

    def play(self, names: list[Hashable], rng: np.random.Generator) -> None:
        """Play at random, and compare what follows each key with the table.

        Parameters
        ----------
        names : list of object
            The keys in the order of their numbers.
        rng : numpy.random.Generator
            The source of the moves, all of which are equally likely.

        Raises
        ------
        GameError
            If they differ, or two histories of the same key do.
        """
        look = self._looking()
        starts, _ = self._spans()
        left = max(_FEWEST, len(self.following) // _SHARE)
        while left > 0:
            state, number = self.game.new_initial_state(), 0
            left -= 1
            while actions := self.positions[self.kinds[number]].actions:
                left -= len(actions)
                first, taken = starts[number], int(rng.integers(len(actions)))
                for place, action in enumerate(actions):
                    child = state.child(action)
                    name, known = self._hashed(child), self.following[first + place]
                    if name != names[known]:
                        raise _same_key(
                            f"after {arguments.shown(names[number])} action {action} "
                            f"has led to {arguments.shown(names[known])}, and leads to "
                            f"{arguments.shown(name)}",
                            state,
                        )
                    kind = look(child)
                    if kind != self.kinds[known]:
                        raise self._unlike(name, child, self.kinds[known], kind)
                    if place == taken:
                        after = known, child
                number, state = after

    def found(self) -> Found[Hashable, int]:
        """Return the states in the order of their numbers."""
        starts, counts = self._spans()
        found: Found[Hashable, int] = Found(self.game.num_players(), self.numbers)
        sets = found.action_sets
        which = []
        for position in self.positions:
            which.append(-1)
            if position.player >= 0:
                which[-1] = sets.setdefault(position.actions, len(sets))
        kinds = np.asarray(self.kinds)
        players = np.array([position.player for position in self.positions])[kinds]
        found.players = _ints(players)
        found.counts = _ints(counts)
        found.following = _ints(np.asarray(self.following)[spans(starts, counts)])
        found.which = _ints(np.array(which)[kinds[players >= 0]])
        for kind in kinds[players == CHANCE].tolist():
            found.weights += self.positions[kind].weights
        for kind in kinds[players == TERMINAL].tolist():
            found.end(self.positions[kind].returns, kind)
        return found

    def _spans(self) -> tuple[Any, Any]:
        """Return for each number the place of its first move, and how many it has."""
        sizes = np.array([len(position.actions) for position in self.positions])
        counts, asked = sizes[np.asarray(self.kinds)], np.asarray(self.asked)
        ends = np.cumsum(counts[asked])
        starts = np.empty_like(ends)
        starts[asked] = ends - counts[asked]
        return starts, counts

    def _looking(self) -> Callable[[Any], int]:
        """Return the function that finds the kind of position of a state."""
        reward = self.game.get_type().reward_model.name == "REWARDS"
        known = self._kinds.get

        def look(state: Any) -> int:
            player = int(state.current_player())
            moves: Any = ()
            if player >= 0:
                moves = tuple(state.legal_actions())
            elif player == CHANCE:
                moves = tuple(state.chance_outcomes())
            paid = ()
            if reward or player == TERMINAL:
                paid = tuple(state.returns())
            answer = player, moves, paid
            kind = known(answer)
            if kind is None:
                position = position_of(state, *answer)
                kind = self._known.setdefault(position, len(self._known))
                if kind == len(self.positions):
                    self.positions.append(position)
                self._kinds[answer] = kind
            return kind

        return look

    def _hashed(self, state: Any) -> Hashable:
        name: Hashable = arguments.ask("key", self.key, state)
        try:
            hash(name)
        except TypeError as error:
            raise TypeError(
                f"key must return what is hashable, got {arguments.described(name)} "
                f"after {arguments.shown(tuple(state.history()))}"
            ) from error
        return name

    def _unlike(self, name: Hashable, state: Any, was: int, now: int) -> GameError:
        """Return the error for two positions of different kinds with the same key."""
        known, other = self.positions[was]._asdict(), self.positions[now]._asdict()
        differ = [word for word in known if known[word] != other[word]]
        had = ", ".join([f"{word} {arguments.shown(known[word])}" for word in differ])
        has = ", ".join([f"{word} {arguments.shown(other[word])}" for word in differ])
        met = f"{arguments.shown(name)} has been met with {had}, and has {has}"
        return _same_key(met, state)


def _same_key(found: str, state: Any) -> GameError:
    """Return the error for a key that histories with other futures have as well."""
    return GameError(
        "key must be the same only for histories with equal futures, but "
        f"{found} after {arguments.shown(tuple(state.history()))}; {_SAFE}"
    )


def _ints(numbers: Any) -> array[int]:
    return array("i", numbers.astype(np.intc).tobytes())


_MOST_DENOMINATOR = 10**6
_RELATIVE = Fraction(1, 2**50)


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
        The returns at the end; also before it, if the game pays during play.
    """

    player: int
    actions: tuple[int, ...]
    weights: tuple[int, ...]
    returns: tuple[Fraction, ...]


def position_of(state: Any, player: int, moves: Any, paid: Any) -> Position:
    """Return the exact form of what a state of OpenSpiel answers.

    Raises
    ------
    GameError
        If the game breaks a rule of `Game`, probabilities are not fractions, or returns
        are not finite.
    """
    at, num_players = tuple(state.history()), state.get_game().num_players()
    answers.player(player, at, num_players)
    returns = tuple([_return(x, state) for x in paid])
    if paid:
        answers.paid(returns, num_players, "returns", at)
    if player == TERMINAL:
        return Position(player, (), (), returns)
    if player != CHANCE:
        return Position(player, answers.actions(moves, at), (), returns)
    shares = [fraction_of(p) for _, p in moves]
    known = [share for share in shares if share is not None]
    if len(known) < len(shares) or sum(known) != 1:
        raise GameError(
            f"chances after {arguments.shown(at)} must be fractions "
            f"with denominators up to {_MOST_DENOMINATOR} that sum to 1, got "
            f"{arguments.shown([p for _, p in moves])}"
        )
    common = math.lcm(*[share.denominator for share in known])
    drawn = [(a, int(p * common)) for (a, _), p in zip(moves, known, strict=True) if p]
    actions = answers.actions([a for a, _ in drawn], at)
    return Position(player, actions, tuple([weight for _, weight in drawn]), returns)


def fraction_of(chance: float) -> Fraction | None:
    """Return the fraction that a float stands for, if it stands for one."""
    if not math.isfinite(chance):
        return None
    exact = Fraction(chance)
    near = exact.limit_denominator(_MOST_DENOMINATOR)
    return near if abs(near - exact) <= _RELATIVE * exact else None


def _return(number: float, state: Any) -> Fraction:
    if not math.isfinite(number):
        raise GameError(
            f"returns after {arguments.shown(tuple(state.history()))} must be finite, "
            f"got {number}"
        )
    return Fraction(number)
