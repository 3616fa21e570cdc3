"""Import games and tables, export games, and keep solutions in files.

OpenSpiel [1]_ has many games, and algorithms that learn to play. Gambit [2]_ finds
equilibria, also of games with hidden information. This package finds exact solutions,
with known ties and error bounds, for games of perfect information. So each can
check the others.

OpenSpiel is optional: the extra ``openspiel`` installs it. `to_efg` and `from_efg`
write and read Gambit's games as the text of its files, and do not need Gambit.

`from_transitions` reads tables of transitions: Markov decision processes as Gymnasium,
QuantEcon or pymdptoolbox write them.

`to_html` writes a solution as a page to click through.

`to_table` writes a solution to a file, with its game and a certificate, in plain arrays
that any program can check; `from_table` reads it.

References
----------
.. [1] M. Lanctot et al., "OpenSpiel: A Framework for Reinforcement Learning in Games",
   2019, arXiv:1908.09453.
.. [2] R. Savani and T. L. Turocy, "Gambit: The package for computation in game theory",
   https://www.gambit-project.org.
"""

from __future__ import annotations

import codecs
import os
from collections.abc import Callable, Hashable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from cardgames_dp._graph.explored import explore, explore_by_state, refuse_cycles
from cardgames_dp._interop import efg
from cardgames_dp._interop.decision_process import DecisionProcess, from_transitions
from cardgames_dp._results.records import Action, State
from cardgames_dp._support import arguments
from cardgames_dp._support.calls import suggest_arguments
from cardgames_dp._support.files import path_of, read_arrays, replacing
from cardgames_dp._support.running import TooLargeError, refuse_too_large
from cardgames_dp.game import ArrayGame, Explored, ExploredArrays, Game, Solution

__all__ = [
    "DecisionProcess",
    "from_efg",
    "from_open_spiel",
    "from_table",
    "from_transitions",
    "to_efg",
    "to_html",
    "to_open_spiel",
    "to_table",
]
__dir__ = __all__.copy  # for completion


@suggest_arguments
def from_open_spiel(
    game: Any,
    *,
    key: Callable[[Any], Hashable] | None = None,
    max_states: int = 1_000_000,
    rng: int | np.random.Generator | None = None,
) -> Explored[Hashable, int]:
    r"""Explore a game of OpenSpiel, which can then be solved exactly.

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
    Explored
        A game whose states are keys and whose actions are OpenSpiel's numbers. It does
        not need OpenSpiel.

    Raises
    ------
    GameError
        If the game has hidden information, simultaneous moves, or chance that OpenSpiel
        samples; if its probabilities are not fractions with denominators up to a
        million, or its returns are not finite; if `key` is found to merge positions
        with different futures; or if a play can return to an earlier `key`.
    TooManyStatesError
        If there are more than `max_states` states, or more than memory holds.

    Examples
    --------
    Tic-tac-toe is a draw, and all nine opening moves are equally good. After a corner
    only the centre keeps the draw:

    >>> from cardgames_dp import exact, interop
    >>> game = interop.from_open_spiel("tic_tac_toe", key=str)
    >>> solution = exact.solve(game)
    >>> solution
    Solution(payoffs=(0, 0), num_states=5478, ties=2114, tie_break='first')
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
        raise arguments.wrong_type(
            "key must be a callable that takes a pyspiel.State, or None", key
        )
    limit = arguments.integer("max_states", max_states, minimum=1)
    source = arguments.generator(rng)
    from cardgames_dp._interop import from_open_spiel as reading

    return reading.explore(reading.load(game), key, limit, source)


@suggest_arguments
def to_open_spiel(
    game: Game[State, Action] | Explored[State, Action] | ArrayGame | ExploredArrays,
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
    returns become floats. What moves pay is paid at the end.

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
    GameError
        If two plays to the same state have been paid different sums, or `zero_sum` is
        true and the returns do not always have the same sum.
    ValueError
        If `name` is taken, or a number does not fit in a float.

    Examples
    --------
    >>> from cardgames_dp import interop, redblack
    >>> game = interop.to_open_spiel(redblack.game(3, 3))
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
        raise arguments.wrong_type("name must be a str", name)
    if tensor is not None and not callable(tensor):
        raise arguments.wrong_type(
            "tensor must be a callable that takes a state, or None", tensor
        )
    zero_sum = arguments.boolean("zero_sum", zero_sum)
    from cardgames_dp._interop import to_open_spiel as writing

    writing.refuse_name(name)
    explored = explore_by_state(game, max_states)
    refuse_cycles(explored, "for OpenSpiel, where games have a largest number of moves")
    tensors = writing.tensors_of(tensor, explored.states) if tensor else None
    return writing.registered(
        writing.board_of(explored, name, tensors, zero_sum=zero_sum)
    )


@suggest_arguments
def from_efg(source: str | os.PathLike[str]) -> Explored[Sequence[str], str]:
    """Read a game from the text of a ``.efg`` file, or from such a file.

    Grade: exact.

    A game of ``pygambit`` writes its text itself, by ``game.to_efg()``. Numbers may be
    fractions or decimals, and are kept exactly. The payoffs of all
    outcomes on a path, also those of inner nodes, add up to a return.

    Parameters
    ----------
    source : str or path-like
        The text, which begins with ``EFG 2 R``, or the path of a file.

    Returns
    -------
    Explored
        A game whose actions are the labels of Gambit's, and whose states are sequences
        of the labels on the path to a node, which equal the tuple of them. Labels that
        are empty or not unique at a node are changed.

    Raises
    ------
    GameError
        If the game has hidden information (an information set of several nodes), or no
        player, or chances that are negative or do not sum to 1.
    ValueError
        If the text is not of this format; the message names the line.

    References
    ----------
    "The extensive game (.efg) file format", Gambit's documentation,
    https://gambitproject.readthedocs.io/en/latest/formats.efg.html

    Examples
    --------
    Ann asks for a share of 3, and Bob takes the rest or leaves both with nothing:

    >>> from cardgames_dp import exact, interop
    >>> game = interop.from_efg('''EFG 2 R "Share" { "Ann" "Bob" }
    ... p "" 1 1 "" { "all" "two" } 0
    ...   p "" 2 1 "all?" { "yes" "no" } 0
    ...     t "" 1 "" { 3, 0 }
    ...     t "" 2 "" { 0, 0 }
    ...   p "" 2 2 "two?" { "yes" "no" } 0
    ...     t "" 3 "" { 2, 1 }
    ...     t "" 2''')
    >>> exact.solve(game)
    Solution(payoffs=(3, 0), num_states=7, ties=1, tie_break='first')
    >>> exact.solve(game, tie_break="last").payoffs
    (Fraction(2, 1), Fraction(1, 1))

    If Bob cannot see what Ann has done, his two nodes are one information set:

    >>> interop.from_efg('''EFG 2 R "Share" { "Ann" "Bob" }
    ... p "" 1 1 "" { "all" "two" } 0
    ...   p "" 2 1 "fine?" { "yes" "no" } 0
    ...     t "" 1 "" { 3, 0 }
    ...     t "" 2 "" { 0, 0 }
    ...   p "" 2 1 0
    ...     t "" 3 "" { 2, 1 }
    ...     t "" 2''')
    Traceback (most recent call last):
        ...
    cardgames_dp.game.GameError: the game must have perfect information, got the \
information set 'fine?', number 1 of player 'Bob', which has several nodes
    """
    if not isinstance(source, (str, os.PathLike)):
        raise arguments.wrong_type(
            "source must be the text of an .efg file, or the path of one", source
        )
    if isinstance(source, str):
        source = source.removeprefix("\ufeff")  # a byte order mark
    if isinstance(source, str) and (
        source.lstrip().startswith("EFG ") or "\n" in source or not source.strip()
    ):
        text = source
    else:
        written = Path(source).read_bytes()
        wide = written.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
        try:
            text = written.decode("utf-16" if wide else "utf-8-sig")
        except UnicodeDecodeError:
            text = written.decode("latin-1")  # in which some old files are written
    tree = efg.Tree(text)
    explored: Explored[Any, str] = explore(tree, max_states=tree.num_nodes)
    return explored


@suggest_arguments
def to_efg(
    game: Game[State, Action] | Explored[State, Action] | ArrayGame | ExploredArrays,
    *,
    title: str = "",
    max_nodes: int = 100_000,
    max_states: int = 1_000_000,
) -> str:
    """Return a game as the text of a ``.efg`` file, which Gambit reads.

    Grade: exact.

    ``pygambit.read_efg`` reads it from a file, or from an ``io.StringIO``. Gambit has
    trees: a state that several histories reach becomes a node for each of them. Rewards
    on the way are paid at the end. Numbers are exact, and names of actions are their
    ``str`` or ``repr``.

    Parameters
    ----------
    game : Game or Explored
        Any object with the members of `cardgames_dp.game.Game`, or the result of
        `cardgames_dp.game.explore` for one.
    title : str, optional
        The title of the game in Gambit.
    max_nodes : int, default 100_000
        Trees with more nodes are refused. Nodes are counted before any of them is made.
    max_states : int, default 1_000_000
        The search for states ends with an error at the first one beyond this number.

    Returns
    -------
    str
        A prologue, and one line for each node, in prefix order.

    Raises
    ------
    TooLargeError
        If the tree has more than `max_nodes` nodes.

    References
    ----------
    "The extensive game (.efg) file format", Gambit's documentation,
    https://gambitproject.readthedocs.io/en/latest/formats.efg.html

    Examples
    --------
    >>> from cardgames_dp import interop, redblack
    >>> print(interop.to_efg(redblack.game(1, 0), title="One red card"))
    EFG 2 R "One red card" { "Player 1" }
    ""
    <BLANKLINE>
    p "" 1 1 "" { "stop" "draw" } 0
    t "" 1 "" { 0 }
    c "" 1 "" { "State(red=0, black=0, decision='')" 1 } 0
    t "" 2 "" { 1 }
    <BLANKLINE>

    Two players in turn take one or two of four matches; the player who takes the last
    one wins. Gambit finds that the first player wins:

    >>> from cardgames_dp.game import TERMINAL
    >>> class Matches:
    ...     num_players = 2
    ...     def initial_state(self): return 4, 0                     # matches, mover
    ...     def current_player(self, state): return state[1] if state[0] else TERMINAL
    ...     def legal_actions(self, state): return [1, 2][:state[0]]
    ...     def next_state(self, state, taken): return state[0] - taken, 1 - state[1]
    ...     def returns(self, state): return [-1, 1] if state[1] == 0 else [1, -1]
    >>> import io, pygambit
    >>> there = pygambit.read_efg(io.StringIO(interop.to_efg(Matches())))
    >>> found = pygambit.nash.enumpure_solve(there)
    >>> {one.payoffs["Player 1"] for one in found.equilibria}
    {Rational(1, 1)}

    A state that many histories reach makes large trees:

    >>> interop.to_efg(redblack.game(26, 26))
    Traceback (most recent call last):
        ...
    cardgames_dp.TooLargeError: the game has 4848981211048125 histories, each \
of them a node of Gambit's tree, more than max_nodes=100000 allows; its 2185 states \
are solved by cardgames_dp.exact.solve
    """
    if not isinstance(title, str):
        raise arguments.wrong_type("title must be a str", title)
    most = arguments.integer("max_nodes", max_nodes, minimum=1)
    explored = explore_by_state(game, max_states)
    refuse_cycles(explored, "for Gambit, which has trees")
    states = explored.nodes()
    histories = efg.count_nodes(states)
    if histories > most:
        raise TooLargeError(
            f"the game has {arguments.shown(histories)} histories, each of them a node "
            f"of Gambit's tree, more than max_nodes={most} allows; its "
            f"{explored.num_states} states are solved by cardgames_dp.exact.solve"
        )
    what, instead = f"the text of {histories} nodes", "use a smaller game"
    refuse_too_large(what, 150 * histories, instead)
    return "\n".join([*efg.lines(states, explored.states, title), ""])


@suggest_arguments
def to_html(
    solution: Solution[State, Any, Any],
    path: str | os.PathLike[str],
    *,
    label: Callable[[State], str] | None = None,
    title: str = "A solved game",
) -> None:
    """Write a solution as a page of HTML, to click through and to play against.

    Grade: exact, of the solution; numbers are shown rounded.

    The page shows a state, its moves, what each is worth and what a mistake costs. You
    move for everybody, or for one player against the solution, with values hidden if
    you like. It is one file that makes no request, of some 60 kB for 1,000 states.

    Parameters
    ----------
    solution : Solution
        For a single position, with at most 50,000 states; or a result that has one.
    path : str or path-like
        The file, which is replaced as a whole if it exists.
    label : callable, optional
        A function that returns the text of a state, which may have several lines, such
        as a board. Without it the page shows the fields of named tuples, and of other
        states the ``str``.
    title : str, default "A solved game"
        The title of the page.

    Raises
    ------
    TooLargeError
        If there are more than 50,000 states.
    OSError
        If the file cannot be written. What was there before is unchanged.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from cardgames_dp import exact, interop, redblack
    >>> with TemporaryDirectory() as folder:
    ...     page = Path(folder) / "deck.html"
    ...     deck = exact.solve(redblack.game(5, 5))
    ...     interop.to_html(deck, page, title="Red/black")
    ...     page.stat().st_size < 30_000
    True
    """
    target = path_of("path", path)
    from cardgames_dp._interop.page import page_of

    page = page_of(solution, title, label)
    with replacing(target) as file:
        file.write(page.encode())


@suggest_arguments
def to_table(solution: Solution[Any, Any, Any], path: str | os.PathLike[str]) -> None:
    """Write a solution to a file, with the game and a certificate of its values.

    Grade: exact.

    The file is an ``.npz`` archive of plain arrays, and a head in JSON: :doc:`/saving`.
    It has all states and moves, with weights, rewards and returns, the values with a
    bound on their error, and the optimal actions. One step of backward induction at
    each state then shows that the values are right, with numbers that fall on the way
    to the end of the game: the *certificate*. ``examples/check_table.py`` does this,
    without this library. There is none where a player could go on for ever at a loss.

    Parameters
    ----------
    solution : Solution
        What `cardgames_dp.exact.solve` or `cardgames_dp.diagonal.solve` returned, for a
        single position. States and actions that consist of numbers, str, None, tuples
        and frozen sets are kept; any others are written by ``repr``, and stay text.
    path : str or path-like
        The file, which is replaced as a whole if it exists.

    Raises
    ------
    ValueError
        If two states have the same ``repr``, are nested too deeply, or a number has too
        many digits to be written.
    OSError
        If the file cannot be written. What was there before is unchanged.

    Examples
    --------
    >>> from cardgames_dp import exact, interop, redblack
    >>> interop.to_table(exact.solve(redblack.game(2, 1)), "/no/such/folder")
    Traceback (most recent call last):
        ...
    FileNotFoundError: [Errno 2] No such file or directory: '/no/such/folder'
    """
    target = path_of("path", path)
    from cardgames_dp._interop import value_table

    with replacing(target) as file:
        try:
            parts: dict[str, Any] = value_table.parts_of(solution)
        except RecursionError:
            raise ValueError(
                "states and actions of solution must not be nested so deeply, got one "
                "that is nested beyond the recursion limit of Python"
            ) from None
        np.savez_compressed(file, **parts)


@suggest_arguments
def from_table(
    path: str | os.PathLike[str],
) -> Solution[Any, Any, Any]:
    """Read a solution from a file that `to_table` has written.

    Grade: exact.

    The solution is like the one that was written, with its game: it gives advice, and
    :mod:`cardgames_dp.play` takes it. Nothing is solved again, but a file is refused
    whose values, weights and optimal actions contradict each other in one step of
    backward induction, by more than the stated error allows. It is not checked that the
    game is the one that you mean, or that play ends. States that were named tuples are
    plain tuples, which are equal to them. The error is what the certificate proves, if
    that is more.

    Parameters
    ----------
    path : str or path-like
        The file.

    Returns
    -------
    Solution
        In Fractions or in floats, as it was written.

    Raises
    ------
    TypeError
        If `path` is no path.
    OSError
        If the file cannot be read.
    TooLargeError
        If its arrays would not fit in memory.
    ValueError
        If it is not a whole value table, one of a newer version of the format, or one
        that contradicts itself. (The error above is also a ValueError.)

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from cardgames_dp import exact, interop, redblack
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "table.npz"
    ...     interop.to_table(exact.solve(redblack.game(3, 3)), path)
    ...     again = interop.from_table(path)
    >>> again
    Solution(value=17/20, num_states=46, ties=1, tie_break='first')
    >>> print(again.advice((2, 2)))
    State(red=2, black=2, decision=''): draw; value: stop 0, draw 0.666667.
    """
    source = path_of("path", path)
    from cardgames_dp._interop import value_table

    try:
        parts = read_arrays(source, value_table.NAMES, factor=value_table.MEMORY)
        return value_table.solution_of(parts)
    except (OSError, TooLargeError):
        raise
    except Exception as error:  # what is not an archive may raise anything
        why = str(error) if type(error) is ValueError else type(error).__name__
        if isinstance(error, RecursionError):
            why = "its text is nested too deeply"
        elif isinstance(error, KeyError):
            why = f"it lacks {error}"
        raise ValueError(
            "path must be the path of a value table of cardgames_dp, got "
            f"{arguments.shown(str(source))}: {why}"
        ) from error
