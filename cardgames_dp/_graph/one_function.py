"""Games written as one function of a state: who moves, and what can happen."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Generic

from cardgames_dp._graph import answers
from cardgames_dp._graph.answers import CHANCE, TERMINAL, Game, GameError
from cardgames_dp._results.records import Action, State
from cardgames_dp._support import arguments
from cardgames_dp._support.calls import suggest_arguments

_SHAPES = (
    "(player, {action: state, ...}), (CHANCE, [(weight, state), ...]) or "
    "(TERMINAL, returns), and may add {action: payment, ...} for a player"
)

_METHODS = "(?:current_player|legal_actions|next_state|chance_outcomes|returns|rewards)"


@suggest_arguments
def from_function(
    rules: Callable[[State], tuple[Any, ...]],
    start: State,
    num_players: int = 1,
    *,
    endless_returns: Sequence[float | Fraction] | None = None,
) -> Game[State, Any]:
    """Return a game whose rules are in one function.

    Grade: exact.

    Parameters
    ----------
    rules : callable
        A function of a state that returns who moves and what can happen:

        - ``player, {action: next_state, ...}`` where a player decides;
        - ``CHANCE, [(weight, next_state), ...]`` where chance does;
        - ``TERMINAL, returns`` where the game is over.

        A third item, ``{action: payment, ...}``, says which actions pay; an
        outcome of chance that pays is a triple ``(weight, next_state, payment)``.
        Returns and payments are one number for each player; with one player, a number.
    start : State
        The state in which the game starts.
    num_players : int, default 1
    endless_returns : sequence of numbers, optional
        What endless play pays to each player.

    Returns
    -------
    Game
        A game like any other. It calls `rules` once for each state that is explored,
        and can be pickled if `rules` can.

    Raises
    ------
    TypeError, ValueError
        If `rules` is not callable, `start` is not hashable, or `num_players` is not a
        positive integer. What `rules` returns is checked when the game is explored.

    See Also
    --------
    Game : What a state, an action and a weight may be.

    Examples
    --------
    Roll a die up to three times; you get the points of the last roll. A state says how
    many rolls are left, and what the die shows:

    >>> from cardgames_dp import exact, game
    >>> from cardgames_dp.game import CHANCE, TERMINAL
    >>> def three_rolls(state):
    ...     left, face = state
    ...     if face is None:
    ...         return CHANCE, [(1, (left - 1, face)) for face in range(1, 7)]
    ...     if left == 0:
    ...         return TERMINAL, face
    ...     return 0, {"keep": (0, face), "roll": (left, None)}
    >>> exact.solve(game.from_function(three_rolls, (3, None)))
    Solution(value=14/3, num_states=21, ties=0, tie_break='first')

    If each further roll costs one point, it is a payment:

    >>> def priced(state):
    ...     mover, moves = three_rolls(state)
    ...     return (mover, moves, {"roll": -1}) if mover == 0 else (mover, moves)
    >>> exact.solve(game.from_function(priced, (3, None))).value
    Fraction(71, 18)
    """
    if not callable(rules):
        raise arguments.wrong_type("rules must be a function of a state", rules)
    num_players = arguments.integer("num_players", num_players, minimum=1)
    try:
        hash(start)
    except TypeError as error:
        must = "start must be hashable, as all states"
        raise arguments.wrong_type(must, start) from error
    return OneFunction(rules, start, num_players, endless_returns)


class OneFunction(Generic[State, Action]):
    """A game whose methods look up what its function returned for the last state.

    Parameters
    ----------
    rules, start, num_players, endless_returns
        As for `from_function`.
    """

    def __init__(
        self,
        rules: Callable[[State], tuple[Any, ...]],
        start: State,
        num_players: int,
        endless_returns: Sequence[float | Fraction] | None,
    ) -> None:
        self.num_players = num_players
        if endless_returns is not None:
            self.endless_returns = endless_returns
        self._rules, self._start = rules, start
        # One tuple, replaced as a whole, so that threads can share the game.
        self._last: tuple[Any, int, Any, Any] = (object(), TERMINAL, (), None)
        self._nothing = (0,) * num_players

    def __reduce__(self) -> tuple[Any, ...]:
        endless = getattr(self, "endless_returns", None)
        return OneFunction, (self._rules, self._start, self.num_players, endless)

    def __repr__(self) -> str:
        start, players = arguments.shown(self._start), self.num_players
        name = arguments.function_name(self._rules)
        return f"from_function({name}, {start}, num_players={players})"

    def _at(self, state: Any) -> tuple[Any, int, Any, Any]:
        """Return a state, who moves there, what can happen, and what actions pay."""
        last = self._last
        if last[0] is not state:
            self._last = last = (state, *self._read(state, self._rules(state)))
        return last

    def _read(self, state: Any, answer: Any) -> tuple[int, Any, Any]:
        """Return the three parts of what the function returned, checked."""
        if type(answer) is not tuple or len(answer) not in {2, 3}:
            raise self._answer_error(state, answer)
        mover, what, paid = answer if len(answer) == 3 else (*answer, None)
        if not answers.is_integer(mover):
            raise self._answer_error(state, answer)
        if 0 <= mover < self.num_players:
            if not isinstance(what, Mapping):
                raise self._answer_error(state, answer)
            if paid is not None:
                self._require_actions(state, what, paid)
        elif (
            mover not in (CHANCE, TERMINAL)
            or paid is not None
            or isinstance(what, (Mapping, str))
        ):
            raise self._answer_error(state, answer)
        elif mover == CHANCE and not isinstance(what, (list, tuple)):
            if not arguments.is_iterable(what):
                raise self._answer_error(state, answer)
            what = list(what)  # as it may be asked for again
        return mover, what, paid

    def _require_actions(self, state: Any, moves: Any, paid: Any) -> None:
        """Refuse payments that are not for some of the actions."""
        call = f"rules({arguments.shown(state)})"
        if not isinstance(paid, Mapping):
            must = f"{call} must name payments as {{action: payment, ...}}"
            raise arguments.wrong_type(must, paid)
        for action in paid:
            if action not in moves:
                must = f"{call} must pay for its actions {arguments.shown(list(moves))}"
                raise GameError(f"{must}, got {arguments.shown(action)}")

    def _answer_error(self, state: Any, answer: Any) -> TypeError:
        must = f"rules({arguments.shown(state)}) must return {_SHAPES}"
        if self.num_players > 1:
            must += f"; players are 0 to {self.num_players - 1}"
        else:
            must += "; num_players is 1, so that the player is 0"
        return arguments.wrong_type(must, answer)

    def reword(self, error: Exception) -> None:
        """Let an error about an answer name the function, not a method of `Game`."""
        state, text = arguments.shown(self._last[0]), str(error)
        call = re.match(rf"{_METHODS}\({re.escape(state)}(?:, (.*?))?\)(?= )", text)
        if call:
            action = f" for {call[1]}" if call[1] else ""
            error.args = (f"rules({state}){action}{text[call.end() :]}",)
        notes = getattr(error, "__notes__", [])
        notes[:] = [
            note.replace("asked current_player", "asked rules") for note in notes
        ]

    def initial_state(self) -> Any:
        """Return the start."""
        return self._start

    def current_player(self, state: Any) -> int:
        """Return who moves, as the function says."""
        return self._at(state)[1]

    def legal_actions(self, state: Any) -> list[Any]:
        """Return the actions of the function's mapping."""
        return list(self._at(state)[2])

    def next_state(self, state: Any, action: Any) -> Any:
        """Return where the function's mapping leads."""
        return self._at(state)[2][action]

    def rewards(self, state: Any, action: Any) -> Any:
        """Return what the function says that an action pays; nothing if it does not."""
        paid = self._at(state)[3]
        return paid[action] if paid and action in paid else self._nothing

    def chance_outcomes(self, state: Any) -> Any:
        """Return the outcomes that the function gives."""
        return self._at(state)[2]

    def returns(self, state: Any) -> Any:
        """Return the returns that the function gives."""
        return self._at(state)[2]
