"""Play a game at random, and report errors in its rules.

Both backends check every answer on its own. Here a game is asked everything twice, of
equal states and with others in between, which shows what single answers do not: answers
that change, states that are changed by the game or are not equal where they should be,
and answers about many states at once that differ from those about one.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._graph import answers
from cardgames_dp._graph.answers import (
    CHANCE,
    MOST_STATES,
    STATE_BYTES,
    TERMINAL,
    Game,
    GameError,
)
from cardgames_dp._graph.array_answers import CheckedGame
from cardgames_dp._graph.graph import Integers
from cardgames_dp._graph.outcomes import outcomes_of
from cardgames_dp._support import arguments
from cardgames_dp._support.calls import suggest_arguments
from cardgames_dp._support.running import memory_limit

_NOTHING: Any = object()
"""In place of an answer that is refused."""

_MOST_MOVES = 20_000
"""The most moves of all plays of a game."""

_LONGEST = 1_000
"""The most moves of plays of an array game, side by side."""

_MOST_ASKED = 256
"""The most states of an array game that are kept after each move."""

_ALONE = 4
"""The most states of these that are also asked about one at a time."""


@suggest_arguments
def check(
    game: Any, *, plays: int = 100, rng: int | np.random.Generator | None = None
) -> None:
    """Play a game at random, and report errors in its rules.

    Grade: exact, of what these plays reach.

    Parameters
    ----------
    game : Game or ArrayGame
        Any object with the members of `cardgames_dp.game.Game` or `ArrayGame`.
    plays : int, default 100
        The number of plays.
    rng : None, int or numpy.random.Generator
        The source of random numbers.

    Raises
    ------
    TypeError
        If `game` is a class or lacks members, or another argument has the wrong type.
    GameError
        If anything is wrong; the message lists all faults, one a line.

    Notes
    -----
    A game that passes can still have faults in states that were not reached. The
    solvers check every answer, too, but each on its own; and only they find an
    infinite state space, with `cardgames_dp.game.TooManyStatesError`.

    Examples
    --------
    A set of actions has no order, so "the first optimal action" would mean nothing:

    >>> from cardgames_dp import game, redblack
    >>> game.check(redblack.game(4, 4))
    >>> class Matches:
    ...     num_players = 2
    ...     def initial_state(self): return (7, 0)
    ...     def current_player(self, state): return state[1] if state[0] else -4
    ...     def legal_actions(self, state): return {1, 2}
    ...     def next_state(self, state, taken): return state[0] - taken, 1 - state[1]
    ...     def chance_outcomes(self, state): return []
    ...     def returns(self, state): return [-1, 1] if state[1] == 0 else [1, -1]
    >>> game.check(Matches(), rng=1)
    Traceback (most recent call last):
        ...
    cardgames_dp.game.GameError: the game is not well formed:
    - legal_actions((7, 0)) must be a sequence, as a list or a tuple, got {1, 2} of \
type set
    """
    count = arguments.integer("plays", plays, minimum=1)
    source = arguments.generator(rng)
    several = callable(getattr(game, "initial_states", None))
    checked = (_ArrayChecker if several else _SingleChecker)(game, source)
    checked.play(count)
    if checked.faults:
        lines = ["the game is not well formed:", *checked.faults.values()]
        raise GameError("\n- ".join(lines))


class _Checker:
    """What is wrong: one message for each kind of fault of each method."""

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng, self.faults = rng, dict[tuple[str, str], str]()

    def _report(self, method: str, kind: str, message: str) -> None:
        """Keep the first fault of a kind."""
        self.faults.setdefault((method, kind), message)

    def _ask_twice(self, method: str, call: str, ask: Callable[[], Any]) -> list[Any]:
        """Return two answers, or nothing if one is refused or an error is raised."""
        both: list[Any] = [_NOTHING, _NOTHING]
        for i in range(2):
            try:
                both[i] = ask()
            except Exception as error:  # a game may raise anything
                message = str(error)
                if not message.startswith(method):
                    message = f"{call} raises {type(error).__name__}: {message}"
                self._report(method, "refused", message)
        return both


def _checked_answer(game: Any, num_players: int, method: str, *args: Any) -> Any:
    """Return the answer of a method of a game, checked against the rules of `Game`.

    It is narrower: actions and returns are tuples, numbers are Fractions or floats, and
    outcomes of weight zero are left out.
    """
    answers.require_method(game, method, *args)
    answer = getattr(game, method)(*args)
    if method == "current_player":
        return answers.player(answer, args[0], num_players)
    most = min(MOST_STATES, memory_limit()[0] // STATE_BYTES)
    if method == "legal_actions":
        return answers.actions(answer, args[0], most)
    if method == "chance_outcomes":
        outcomes = outcomes_of(answer, args[0], num_players, most)
        return [outcome if any(outcome[2]) else outcome[:2] for outcome in outcomes]
    if method in {"returns", "rewards"}:
        return answers.payoffs(answer, num_players, method, *args)
    answers.require_hashable(answer, method, *args)
    return answer


class _SingleChecker(_Checker):
    """Plays of a `Game`."""

    def __init__(self, game: Any, rng: np.random.Generator) -> None:
        super().__init__(rng)
        self._ask = partial(_checked_answer, game, answers.num_players(game, Game))
        self._pays = answers.rewards_of(game) is not None
        self._endless = answers.endless_returns_of(
            game, answers.num_players(game, Game)
        )
        self._answers: dict[tuple[Any, ...], Any] = {}
        self._printed: dict[str, Any] = {}

    def play(self, plays: int) -> None:
        """Play so many times."""
        ended, moves = False, 0
        for _ in range(plays):
            state = self._answer("initial_state")
            while state is not _NOTHING and moves < _MOST_MOVES:
                state, moves = self._move(state), moves + 1
            ended |= state is _NOTHING
        if not ended and self._endless is None:
            self._report("play", "long", _endless_message(moves, "current_player"))

    def _move(self, state: Any) -> Any:
        """Return a state that follows, or nothing at the end of the game."""
        player = self._answer("current_player", state)
        after: list[Any] = []
        if player == TERMINAL:
            self._answer("returns", state)
        elif player == CHANCE:
            outcomes = self._answer("chance_outcomes", state)
            if outcomes is not _NOTHING:
                after = [outcome[1] for outcome in outcomes]
        elif player is not _NOTHING:
            actions = self._answer("legal_actions", state)
            if actions is not _NOTHING:
                after = [
                    self._answer("next_state", state, action) for action in actions
                ]
                for action in actions if self._pays else ():
                    self._answer("rewards", state, action)
        possible = [following for following in after if following is not _NOTHING]
        for following in possible:
            self._compare_printed(following)
        return possible[self._rng.integers(len(possible))] if possible else _NOTHING

    def _answer(self, method: str, *args: Any) -> Any:
        """Return an answer; it is asked for twice, and compared with earlier ones."""
        call = f"{method}({', '.join(map(arguments.shown, args))})"
        before = repr(args)
        ask = partial(self._ask, method, *args)
        answer, again = self._ask_twice(method, call, ask)
        if repr(args) != before:
            self._report(
                method,
                "changes",
                f"{call} changes the state that it is given; states must stay as they "
                "are, so return a new one",
            )
        elif answer is not _NOTHING and again is not _NOTHING:
            self._compare(method, call, answer, again, "asked again")
            earlier = self._answers.setdefault((method, *args), answer)
            self._compare(method, call, earlier, answer, "later, for an equal state")
        return answer

    def _compare(self, method: str, call: str, one: Any, other: Any, when: str) -> None:
        if one == other:
            return
        first, second = arguments.shown(one), arguments.shown(other)
        message = f"{call} must not change, got {first} and, {when}, {second}"
        if repr(one) == repr(other):
            message = (
                f"{call} must give equal states when asked again, but {first} and "
                f"another {second} are not equal; write __eq__ and __hash__ (as "
                "dataclass(frozen=True) does), or use tuples"
            )
        elif method == "legal_actions" and set(one) == set(other):
            message = f"{call} must keep the order of actions, got {first} and {second}"
        self._report(method, "varies", message)

    def _compare_printed(self, state: Any) -> None:
        """Compare a state with the first one that is printed the same."""
        earlier = self._printed.setdefault(repr(state), state)
        if state != earlier:
            problem = "are not equal"
        elif hash(state) != hash(earlier):
            problem = "are equal, but have different hashes"
        else:
            return
        self._report(
            "state",
            "equality",
            f"two states are printed as {arguments.shown(state)} and {problem}; write "
            "__eq__ and __hash__ (as dataclass(frozen=True) does), or use tuples",
        )


class _ArrayChecker(_Checker):
    """Plays of an `ArrayGame`, side by side."""

    def __init__(self, game: Any, rng: np.random.Generator) -> None:
        super().__init__(rng)
        self._game, self._ended = CheckedGame(game), False

    def play(self, plays: int) -> None:
        """Follow so many plays, each move of all at once."""
        most = min(plays, _MOST_ASKED)
        columns = self._sample(self._game.start, most)
        moves = 0
        while columns.size and moves < _LONGEST:
            columns, moves = self._sample(self._move(columns), most), moves + 1
        if columns.size and not self._ended and self._game.endless is None:
            self._report("play", "long", _endless_message(moves, "current_players"))

    def _sample(self, columns: Integers, most: int) -> Integers:
        """Return different states, some of them at random if they are too many."""
        different = np.unique(columns, axis=1)
        if different.shape[1] > most:
            taken = self._rng.choice(different.shape[1], most, replace=False)
            different = different[:, np.sort(taken)]
        return different

    def _move(self, columns: Integers) -> Integers:
        """Return all states that follow some states."""
        parts = [columns[:, :0]]
        answer = self._answer("current_players", self._game.players, columns)
        if answer is _NOTHING:
            return parts[0]
        players = answer[0]
        if (players == TERMINAL).any():
            self._ended = True
            self._answer("returns", self._game.returns, columns[:, players == TERMINAL])
        if (players == CHANCE).any():
            drawing = columns[:, players == CHANCE]
            outcomes = self._answer("chance_outcomes", self._outcomes, drawing)
            parts += [] if outcomes is _NOTHING else [outcomes[2].T]
        if (players >= 0).any():
            deciding = columns[:, players >= 0]
            moves = self._answer("legal_actions", self._moves, deciding)
            parts += [] if moves is _NOTHING else [moves[2].T]
        return np.concatenate(parts, axis=1)

    def _outcomes(self, columns: Integers) -> list[NDArray[Any]]:
        """Return outcomes of chance: index, weight, next state as a row, and reward."""
        index, weights, following, _, paid = self._game.outcomes(columns)
        return [index, weights, following.T, *([] if paid is None else [paid])]

    def _moves(self, columns: Integers) -> list[NDArray[Any]]:
        """Return actions: index, action, next state as a row, and reward."""
        index, actions, _ = self._game.actions(columns)
        following = self._game.following(columns, index, actions)
        paid = self._game.rewards(columns, index, actions)
        return [index, actions, following.T, *([] if paid is None else [paid])]

    def _answer(
        self, method: str, ask: Callable[[Integers], Any], columns: Integers
    ) -> Any:
        """Return an answer; it is asked for again, and for single states."""
        call, before = f"{method}(states)", columns.copy()
        answer, again = self._ask_twice(method, call, partial(ask, columns))
        if answer is _NOTHING or again is _NOTHING:
            return _NOTHING
        if (columns != before).any():
            message = f"{call} changes the array that it is given; work on a copy"
            self._report(method, "changes", message)
            return _NOTHING
        if not _equal(_as_arrays(answer), _as_arrays(again)):
            message = f"{call} must not change, but does when asked again"
            self._report(method, "varies", message)
        size = columns.shape[1]
        for i in self._rng.choice(size, min(size, _ALONE), replace=False).tolist():
            alone = columns[:, [i]]
            single, _ = self._ask_twice(method, call, partial(ask, alone))
            if single is _NOTHING:
                return _NOTHING
            if not _equal(
                _part_of_state(_as_arrays(answer), i, size),
                _part_of_state(_as_arrays(single), 0, 1),
            ):
                state = self._game.states(alone)[0].tolist()
                self._report(
                    method,
                    "alone",
                    f"{call} must answer about many states as about each alone, but "
                    f"does not for state {arguments.shown(state)} of {size}",
                )
        return answer


def _endless_message(moves: int, method: str) -> str:
    return (
        f"a play must end, but none did within {moves} moves at random; where the game "
        f"is over, {method} is TERMINAL ({TERMINAL})"
    )


def _as_arrays(answer: Any) -> list[NDArray[Any]]:
    """Return an answer as a list of arrays."""
    if isinstance(answer, list):
        return answer
    return [np.asarray(answer[0] if isinstance(answer, tuple) else answer)]


def _part_of_state(parts: list[NDArray[Any]], i: int, size: int) -> list[NDArray[Any]]:
    """Return the part of an answer that is about the state of an index."""
    if len(parts) == 1 and len(parts[0]) == size:
        return [parts[0][i]]
    mine = parts[0] == i
    return [part[mine] for part in parts[1:]]


def _equal(one: list[NDArray[Any]], other: list[NDArray[Any]]) -> bool:
    return all(map(np.array_equal, one, other))
