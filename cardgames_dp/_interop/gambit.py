"""Games that go to Gambit and come from it, as the text of its files."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import Any

from cardgames_dp._graph.explored import Explored, explored_one_by_one, nodes
from cardgames_dp._interop import efg
from cardgames_dp._interop.table import GambitGame
from cardgames_dp._support import arguments
from cardgames_dp._support.running import TooLargeError, refuse_too_large, require
from cardgames_dp.game import Action, Game, GameError, State


def to_efg(
    game: Game[State, Action] | Explored[State, Action],
    *,
    title: str = "",
    max_nodes: int = 100_000,
    max_states: int = 1_000_000,
) -> str:
    """Return a game as the text of a ``.efg`` file, which Gambit reads.

    Grade: exact.

    Gambit has trees: a state that several histories reach becomes a node for each of
    them. Rewards on the way are paid at the end. Numbers are exact, and names of
    actions are their ``str`` or ``repr``.

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
    TypeError, GameError, TooManyStatesError
        As for `cardgames_dp.exact.solve`.
    TooLargeError
        If the tree has more than `max_nodes` nodes.
    ValueError
        If `max_nodes` or `max_states` is not positive. (The last three errors above are
        also ValueErrors.)

    References
    ----------
    "The extensive game (.efg) file format", Gambit's documentation,
    https://gambitproject.readthedocs.io/en/latest/formats.efg.html

    Examples
    --------
    >>> from cardgames_dp import interop, redblack
    >>> print(interop.to_efg(redblack.Rules().game(1, 0), title="One red card"))
    EFG 2 R "One red card" { "Player 1" }
    ""
    <BLANKLINE>
    p "" 1 1 "" { "stop" "draw" } 0
    t "" 1 "" { 0 }
    c "" 1 "" { "State(red=0, black=0, decision='')" 1 } 0
    t "" 2 "" { 1 }
    <BLANKLINE>
    >>> interop.to_efg(redblack.Rules().game(26, 26))
    Traceback (most recent call last):
        ...
    cardgames_dp.TooLargeError: the game has 4848981211048125 histories, each \
of them a node of Gambit's tree, more than max_nodes=100000 allows; its 2185 states \
are solved by cardgames_dp.exact.solve
    """
    if not isinstance(title, str):
        raise TypeError(f"title must be a str, got {arguments.described(title)}")
    most = arguments.integer("max_nodes", max_nodes, minimum=1)
    found = explored_one_by_one(game, max_states=max_states)
    states = nodes(found)
    histories = efg.count_nodes(states)
    if histories > most:
        raise TooLargeError(
            f"the game has {arguments.shown(histories)} histories, each of them a node "
            f"of Gambit's tree, more than max_nodes={most} allows; its "
            f"{found.num_states} states are solved by cardgames_dp.exact.solve"
        )
    what, instead = f"the text of {histories} nodes", "use a smaller game"
    refuse_too_large(what, 150 * histories, instead)
    return "\n".join([*efg.lines(states, found.states, title), ""])


def to_gambit(
    game: Game[State, Action] | Explored[State, Action],
    *,
    title: str = "",
    max_nodes: int = 100_000,
    max_states: int = 1_000_000,
) -> Any:
    """Convert a `Game` to a game of Gambit, through the text of `to_efg`.

    Grade: exact.

    Parameters
    ----------
    game : Game or Explored
        Any object with the members of `cardgames_dp.game.Game`, or the result of
        `cardgames_dp.game.explore` for one.
    title, max_nodes, max_states
        As for `to_efg`.

    Returns
    -------
    pygambit.Game
        A tree of perfect information.

    Raises
    ------
    TypeError, ValueError
        As for `to_efg`.
    ModuleNotFoundError
        If Gambit is not installed (the extra ``gambit``).

    Examples
    --------
    Two players in turn take one or two of four matches; the player who takes the last
    one wins. Gambit finds that the first player wins:

    >>> from cardgames_dp import interop
    >>> from cardgames_dp.game import TERMINAL
    >>> class Matches:
    ...     num_players = 2
    ...     def initial_state(self): return 4, 0                     # matches, mover
    ...     def current_player(self, state): return state[1] if state[0] else TERMINAL
    ...     def legal_actions(self, state): return [1, 2][:state[0]]
    ...     def next_state(self, state, taken): return state[0] - taken, 1 - state[1]
    ...     def chance_outcomes(self, state): return []              # never asked
    ...     def returns(self, state): return [-1, 1] if state[1] == 0 else [1, -1]
    >>> import pygambit
    >>> found = pygambit.nash.enumpure_solve(interop.to_gambit(Matches()))
    >>> {one.payoffs["Player 1"] for one in found.equilibria}
    {Rational(1, 1)}
    """
    text = to_efg(game, title=title, max_nodes=max_nodes, max_states=max_states)
    pygambit = require("pygambit", extra="gambit", purpose="to_gambit")
    return pygambit.read_efg(io.StringIO(text))


def from_efg(source: str | os.PathLike[str]) -> GambitGame:
    """Read a game from the text of a ``.efg`` file, or from such a file.

    Grade: exact.

    Numbers may be fractions or decimals, and are kept exactly. The payoffs of all
    outcomes on a path, also those of inner nodes, add up to a return.

    Parameters
    ----------
    source : str or path-like
        The text, which begins with ``EFG 2 R``, or the path of a file.

    Returns
    -------
    GambitGame
        A `Game` whose actions are the labels of Gambit's, and whose states are tuples
        of the labels on the path to a node. Labels that are empty or not unique at a
        node are changed.

    Raises
    ------
    TypeError
        If `source` is neither a str nor path-like.
    GameError
        If the game has hidden information (an information set of several nodes), or no
        player, or chances that are negative or do not sum to 1.
    OSError
        If the file cannot be read.
    ValueError
        If the text is not of this format; the message names the line. (A GameError is
        also a ValueError.)

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
    Solution(value=(3, 0), num_states=7, ties=1, tie_break='first')
    >>> exact.solve(game, tie_break="last").value
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
        raise TypeError(
            "source must be the text of an .efg file, or the path of one, got "
            f"{arguments.described(source)}"
        )
    if isinstance(source, str) and (
        source.lstrip().startswith("EFG ") or "\n" in source or not source.strip()
    ):
        return efg.read(source)
    written = Path(source).read_bytes()
    try:
        text = written.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = written.decode("latin-1")  # in which some old files are written
    return efg.read(text)


def from_gambit(game: Any) -> GambitGame:
    """Convert a game of Gambit to a `Game`, through the text of `from_efg`.

    Grade: exact.

    Parameters
    ----------
    game : pygambit.Game
        A tree of perfect information.

    Returns
    -------
    GambitGame
        A `Game`, as of `from_efg`.

    Raises
    ------
    TypeError
        If `game` is not a game of Gambit.
    GameError
        If it is a table of strategies, or what `from_efg` refuses.
    ModuleNotFoundError
        If Gambit is not installed (the extra ``gambit``).

    Examples
    --------
    >>> import pygambit
    >>> from cardgames_dp import exact, interop, redblack
    >>> there = interop.to_gambit(redblack.Rules().game(3, 3))
    >>> exact.solve(interop.from_gambit(there)).value
    (Fraction(17, 20),)
    """
    pygambit = require("pygambit", extra="gambit", purpose="from_gambit")
    if not isinstance(game, pygambit.Game):
        raise TypeError(
            f"game must be a pygambit.Game, got {arguments.described(game)}"
        )
    try:
        text = game.to_efg()
    except OSError:  # Gambit's for an undefined operation
        raise GameError(
            f"game must be a tree, got {arguments.described(game)} without moves"
        ) from None
    return efg.read(text)
