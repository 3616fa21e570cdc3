"""Export games to OpenSpiel and Gambit, and import games from them.

OpenSpiel [1]_ has many games, and algorithms that learn to play. Gambit [2]_ finds
equilibria, also of games with hidden information. This package has exact solutions,
with known ties and error bounds, for games of perfect information. So each can
check the others.

Both are optional: the extra ``openspiel`` installs OpenSpiel, and the extra ``gambit``
installs Gambit. `to_efg` and `from_efg`, which write and read the text of Gambit's
files, need neither.

References
----------
.. [1] M. Lanctot et al., "OpenSpiel: A Framework for Reinforcement Learning in Games",
   2019, arXiv:1908.09453.
.. [2] R. Savani and T. L. Turocy, "Gambit: The package for computation in game theory",
   https://www.gambit-project.org.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from cardgames_dp._graph.explored import Explored, explored_one_by_one, refuse_cycles
from cardgames_dp._interop.gambit import from_efg, from_gambit, to_efg, to_gambit
from cardgames_dp._interop.table import GambitGame, OpenSpielGame
from cardgames_dp._support import arguments
from cardgames_dp.game import Action, Game, State

__all__ = [
    "GambitGame",
    "OpenSpielGame",
    "from_efg",
    "from_gambit",
    "from_open_spiel",
    "to_efg",
    "to_gambit",
    "to_open_spiel",
]


def __dir__() -> list[str]:
    return __all__


def from_open_spiel(
    game: Any,
    *,
    key: Callable[[Any], Hashable] | None = None,
    max_states: int = 1_000_000,
    rng: int | np.random.Generator | None = None,
) -> OpenSpielGame:
    r"""Convert a game of OpenSpiel to a `Game`, which can be solved exactly.

    Grade: exact.

    All states are found at once. Probabilities, which are floats in OpenSpiel, become
    the fractions that they approximate; returns are converted exactly.

    Parameters
    ----------
    game : pyspiel.Game or str
        A game of perfect information in which players move in turns, or its name, such
        as ``"tic_tac_toe"`` or ``"connect_four(rows=3,columns=4)"``.
    key : callable, optional
        A function that identifies states: it takes a ``pyspiel.State`` and returns a
        hashable value that determines all that can follow, and the returns. Without it
        a state is its history, a tuple of actions: this is always right, but gives a
        state for each history. ``key=str`` is right if the text of a position
        determines everything, and gives 5478 states of tic-tac-toe in place of 549,946.
        A safe key holds all that decides what can follow, and texts do not always do
        so (whose turn it is, points, how many moves are left). Whenever a history leads
        to a known key, the positions are compared: mover, actions, probabilities and
        returns. Random playouts then compare the keys that follow. So most keys that
        lack something are refused, but not surely all.
    max_states : int, default 1_000_000
        The search ends with an error at the first state beyond this number.
    rng : None, int or numpy.random.Generator
        The source of the playouts that test `key`: a seed, a generator, or None for
        other playouts each time.

    Returns
    -------
    OpenSpielGame
        A `Game` whose states are keys and whose actions are OpenSpiel's numbers. It is
        explored: no solver has to find its states again.

    Raises
    ------
    TypeError
        If `game` is not a game or a name, `key` is not callable, or its result is not
        hashable.
    GameError
        If the game has hidden information, simultaneous moves, or chance that OpenSpiel
        samples; if its probabilities are not fractions with denominators up to a
        million, or its returns are not finite; if `key` is found to merge positions
        with different futures; or if a play can return to an earlier `key`.
    TooManyStatesError
        If there are more than `max_states` states.
    ValueError
        If OpenSpiel does not know the game, `max_states` is not positive, or `rng` is a
        negative seed. (The two errors above are also ValueErrors.)
    ModuleNotFoundError
        If OpenSpiel is not installed (the extra ``openspiel``), or `progress` is true
        and `tqdm` is not installed.

    Examples
    --------
    Tic-tac-toe is a draw, and all nine opening moves are equally good. After a corner
    only the centre keeps the draw:

    >>> from cardgames_dp import exact, interop
    >>> game = interop.from_open_spiel("tic_tac_toe", key=str)
    >>> solution = exact.solve(game)
    >>> solution
    Solution(value=(0, 0), num_states=5478, ties=2114, tie_break='first')
    >>> solution.optimal_actions["x..\n...\n..."]
    (4,)

    Look up the policy in the middle of an OpenSpiel game by its key:

    >>> import pyspiel
    >>> state = pyspiel.load_game("tic_tac_toe").new_initial_state()
    >>> state.apply_action(2)
    >>> state.action_to_string(solution.policy[str(state)])
    'o(1,1)'
    """
    if key is not None and not callable(key):
        raise TypeError(
            "key must be a callable that takes a pyspiel.State, or None, got "
            f"{arguments.described(key)}"
        )
    limit = arguments.integer("max_states", max_states, minimum=1)
    source = arguments.generator(rng)
    from cardgames_dp._interop import from_open_spiel as reading

    loaded = reading.load(game)
    return reading.walk(loaded, key, limit, source)


def to_open_spiel(
    game: Game[State, Action] | Explored[State, Action],
    *,
    name: str = "cardgames_dp",
    tensor: Callable[[State], ArrayLike] | None = None,
    zero_sum: bool = False,
    max_states: int = 1_000_000,
) -> Any:
    """Convert a `Game` to a game of OpenSpiel, for its algorithms.

    Grade: float64.

    All states are found at once. In OpenSpiel an action is a number: equal actions have
    the same number, in the order in which they are found. A state prints as ``str`` or
    ``repr`` of the state here; the text of its information state is its history. Both
    tensors, which learning agents see, are those of the state. Probabilities and
    returns become floats.

    The game is registered: ``pyspiel.load_game`` finds the latest game by its `name`,
    and any one that is still in memory by its ``str``. So OpenSpiel can write states
    and read them again in this process. A pickle holds the whole game, and can be read
    in any process.

    Parameters
    ----------
    game : Game or Explored
        Any object with the members of `cardgames_dp.game.Game`, or the result of
        `cardgames_dp.game.explore` for one.
    name : str, default "cardgames_dp"
        The name of the game in OpenSpiel: a word that is not the name of one of
        OpenSpiel's own games.
    tensor : callable, optional
        A function that takes a state of `game` and returns an array_like of finite
        numbers, with the same shape for all states: what a learning agent sees. Without
        it, this is a vector with a 1 at the number of the state, as long as there are
        states.
    zero_sum : bool, default False
        Take from each return an equal share of their sum, which must be the same in all
        terminal states. Many algorithms accept only games of sum zero.
    max_states : int, default 1_000_000
        The search ends with an error at the first state beyond this number, or where
        states would fill half of this machine's memory.

    Returns
    -------
    pyspiel.Game
        A sequential game of perfect information, deterministic or with explicit chance.
        Its utility is "zero sum", "constant sum" or "identical" if the returns of all
        terminal states are.

    Raises
    ------
    TypeError, GameError, TooManyStatesError
        As for `cardgames_dp.exact.solve`; a GameError also if the game has rewards on
        the way, or `zero_sum` is true and the returns do not always have the same sum.
    ValueError
        If `max_states` is not positive, `name` is not a new word, an answer of `tensor`
        has another shape, or a number does not fit in a float. (The last two errors
        above are also ValueErrors.)
    ModuleNotFoundError
        If OpenSpiel is not installed (the extra ``openspiel``), or `progress` is true
        and `tqdm` is not installed.

    Examples
    --------
    >>> from cardgames_dp import interop, redblack
    >>> game = interop.to_open_spiel(redblack.Rules().game(3, 3))
    >>> state = game.new_initial_state()
    >>> [state.action_to_string(action) for action in state.legal_actions()]
    ['stop', 'draw']
    >>> state.apply_action(1)
    >>> state.chance_outcomes()
    [(0, 0.5), (1, 0.5)]

    Its environments for learning agents take the game:

    >>> from open_spiel.python import rl_environment
    >>> rl_environment.Environment(game).observation_spec()["info_state"]
    (46,)

    OpenSpiel's own value iteration finds the value, which is exactly 17/20. (It needs
    ``cvxpy``.)

    .. code-block:: pycon

       >>> from open_spiel.python.algorithms import value_iteration
       >>> values = value_iteration.value_iteration(game, -1, threshold=1e-12)
       >>> values[str(game.new_initial_state())]
       0.85
    """
    if not isinstance(name, str):
        raise TypeError(f"name must be a str, got {arguments.described(name)}")
    if tensor is not None and not callable(tensor):
        raise TypeError(
            "tensor must be a callable that takes a state, or None, got "
            f"{arguments.described(tensor)}"
        )
    zero_sum = arguments.boolean("zero_sum", zero_sum)
    from cardgames_dp._interop import to_open_spiel as writing

    writing.refuse_name(name)
    found = explored_one_by_one(game, max_states=max_states)
    refuse_cycles(found, "for OpenSpiel, where games have a largest number of moves")
    tensors = writing.tensors_of(tensor, found.states) if tensor else None
    return writing.registered(writing.board_of(found, name, tensors, zero_sum=zero_sum))
