"""Explore a game once, and solve it many times.

Both backends find all states of a game before they solve it. This takes most of their
time, as they call the game's own methods for every state. `explore` does it once. Its
result can be given to either backend in place of the game, any number of times, with
other returns (`Explored.with_returns`) and other weights (`Explored.with_weights`).

Examples
--------
The effect of a fee on the value of a small deck of red/black, explored once:

>>> from cardgames_dp import exact, explored, redblack
>>> game = explored.explore(redblack.Rules().game(4, 4))
>>> game
Explored(num_states=73, num_moves=88, num_players=1)
>>> exact.solve(game).value
(Fraction(1, 1),)
>>> for fee in ("1/20", "1/10"):
...     other = redblack.Rules(fee=fee).game(4, 4)
...     print(exact.solve(game.with_returns(other.returns)).value)
(Fraction(127, 175),)
(Fraction(81, 175),)
"""

from __future__ import annotations

from typing import Any, overload

from cardgames_dp import _checks
from cardgames_dp._array_answers import CheckedArrays
from cardgames_dp._explored import Explored, Table, explored_of
from cardgames_dp._generations import explore_generations
from cardgames_dp._walk import walk
from cardgames_dp.arrays import ExploredArrays
from cardgames_dp.game import Action, ArrayGame, Game, State

__all__ = ["Explored", "explore"]

_MOST_STATES, _MOST_ROWS = 1_000_000, 1_000_000_000
"""The default limits for a game and for a game for arrays."""


def __dir__() -> list[str]:
    return __all__


@overload
def explore(
    game: Game[State, Action] | Explored[State, Action],
    *,
    max_states: int | None = None,
    progress: bool = False,
) -> Explored[State, Action]: ...
@overload
def explore(
    game: ArrayGame | ExploredArrays,
    *,
    max_states: int | None = None,
    progress: bool = False,
) -> ExploredArrays: ...
def explore(
    game: Any, *, max_states: int | None = None, progress: bool = False
) -> Explored[Any, Any] | ExploredArrays:
    """Find all reachable states of a game.

    Grade: exact.

    Parameters
    ----------
    game : Game, ArrayGame, Explored or ExploredArrays
        Any object with the members of `cardgames_dp.game.Game`, which is asked once
        about each state, or of `cardgames_dp.game.ArrayGame`. A game that is already
        explored is returned unchanged, and games of `cardgames_dp.interop` have been.
    max_states : int, optional
        The search ends with an error at the first state beyond this number: a million
        if not given; a billion for an array game. A state takes about half a
        kilobyte, in an array game about 50 bytes; the search also ends when states
        would fill half of this machine's memory.
    progress : bool, default False
        Show how many states (for an array game, generations) are found, for which
        `tqdm` is needed (the extra ``progress``).

    Returns
    -------
    Explored, or ExploredArrays of an ArrayGame
        The explored game, which either backend solves in place of the game.

    Raises
    ------
    TypeError
        If an argument has the wrong type, `game` is a class or lacks members, or an
        answer of the game has the wrong type.
    GameError
        If the game breaks a rule of the protocol, or has a cycle.
    TooManyStatesError
        If more than `max_states` states can be reached, or more than memory holds.
    TooLargeError
        If the states of an array game would not fit in memory.
    ValueError
        If `max_states` is not positive. (The three errors above are also ValueErrors.)
    ModuleNotFoundError
        If `progress` is true and `tqdm` is not installed.

    Examples
    --------
    >>> from cardgames_dp import exact, explored, redblack
    >>> game = explored.explore(redblack.Rules().game(3, 3))
    >>> game.num_states, exact.solve(game).value
    (46, (Fraction(17, 20),))
    >>> game.states[0], game.places[2, 1, "draw"], game.actions_at(0)
    (State(red=3, black=3, decision=''), 25, ('stop', 'draw'))
    """
    if max_states is not None:
        max_states = _checks.integer("max_states", max_states, minimum=1)
    progress = _checks.boolean("progress", progress)
    if Table in type(game).__bases__:  # not in a subclass, which may answer otherwise
        return game.explored  # type: ignore[no-any-return]
    if isinstance(game, (Explored, ExploredArrays)):
        return game
    if callable(getattr(game, "initial_states", None)):
        rows = max_states or _MOST_ROWS
        checked = CheckedArrays(game)
        graph, columns, initial = explore_generations(checked, rows, progress=progress)
        return ExploredArrays(game, columns, initial, graph)
    limit = max_states or _MOST_STATES
    return explored_of(walk(game, limit, progress=progress))
