"""A small solved game as a tree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import exact
from cardgames_dp._graph.explored import Explored, explore, refuse_cycles
from cardgames_dp._graph.explored_record import Node
from cardgames_dp._graph.solution import Solution, as_solution
from cardgames_dp._results import figures
from cardgames_dp._results.records import Action, State
from cardgames_dp._support import arguments
from cardgames_dp._support.calls import suggest_arguments
from cardgames_dp._support.printing import exact_text, is_long, short, with_noun
from cardgames_dp.game import CHANCE, TERMINAL, ArrayGame, ExploredArrays, Game

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MOST_DIGITS = 7
"""The largest number of digits of a number that is written as a fraction."""

_POINTS, _LARGEST = 9, (16, 20)
"""The size of letters of a new figure, and its largest size in inches."""

_CENTRED: dict[str, Any] = {"ha": "center", "va": "center"}
_THICK, _CHANCE = 2.5, ("0.8", "0.5")
"""The width of optimal moves; the colours of boxes where chance moves, and edges."""


@suggest_arguments
def plot_tree(
    game: Solution[State, Action, Any]
    | Game[State, Action]
    | Explored[State, Action]
    | ArrayGame
    | ExploredArrays,
    *,
    name: Callable[[State], str] | None = None,
    max_states: int = 200,
    ax: Axes | None = None,
) -> Axes:
    """Draw all states and moves of a small game, with optimal moves thick.

    The game starts at the top, and every state is below all states that lead to it. A
    state that several histories reach is drawn once. Boxes are round and in the
    player's colour where a player moves, grey where chance moves, and square where the
    game is over; they show the value of the state for each player. Moves are labelled
    with actions or probabilities and, in brackets, with what they pay.

    Parameters
    ----------
    game : Solution, Game, ArrayGame, Explored or ExploredArrays
        The result of `cardgames_dp.exact.solve` or `cardgames_dp.diagonal.solve`, or a
        game, which is then solved exactly.
    name : callable, optional
        A function that returns the name of a state as a str, of which the first 18
        characters are shown. The default is ``str`` of the state, or of each item of a
        tuple.
    max_states : int, default 200
        Games with more states are refused, as their picture would be unreadable.
    ax : matplotlib Axes, optional

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    TypeError, GameError, TooManyStatesError
        As for `cardgames_dp.exact.solve`; a TypeError also if another argument is not
        as described above.
    ValueError
        If the game has more than `max_states` states. (The last two errors above are
        also ValueErrors.)

    Examples
    --------
    >>> from cardgames_dp import exact, plots, redblack
    >>> solution = exact.solve(redblack.game(2, 1))
    >>> ax = plots.plot_tree(solution)
    >>> ax.get_title()
    '16 states, worth 4/3'
    """
    most = arguments.integer("max_states", max_states, minimum=1)
    if name is not None and not callable(name):
        raise arguments.wrong_type("name must be callable or None", name)
    solution, any_game = as_solution(game), cast("Any", game)
    explored: Any = explore(any_game) if solution is None else solution.explored
    explored.refuse_variants("game")
    refuse_cycles(explored, "to be drawn from the top down")
    if solution is None:
        solution = exact.solve(explored)
    if explored.num_states > most:
        raise ValueError(
            f"game must have at most max_states={most} states to be drawn, got one "
            f"with {explored.num_states}"
        )
    nodes, levels = _layers(explored)
    states = [explored.state(place) for place in levels]
    texts = [_text(state, solution.payoffs_at(state), name) for state in states]
    edges, rows = _edges(solution, nodes), [*levels.values()]
    places, paths = figures.layered(rows, [(edge.first, edge.last) for edge in edges])
    for path in paths:
        rows += range(rows[path[0]] + 1, rows[path[-1]])
    points = np.column_stack([places, np.negative(rows)])
    # The size of the picture, if letters had one point; above are title and legend.
    letters = max(len(line) for text in texts for line in text.split("\n"))
    high = max(rows) + 1
    wide = (0.62 * letters + 1) * (max(places) - min(places) + 1.2)
    inches = np.array([wide, 4.6 * high + 8]) * _POINTS / 72
    ax = figures.axes(ax, size=np.clip(inches, 6, _LARGEST).tolist())
    ax.set_xlim(min(places) - 0.6, max(places) + 0.6)
    ax.set_ylim(-high + 0.5, 0.5)
    ax.set_axis_off()
    space, point = ax.get_window_extent(), ax.figure.dpi / 72
    full = space.width / point / wide, space.height / point / (4.6 * high)
    size = max(3, min(11, *full))
    _draw_boxes(ax, points, [node.player for node in nodes.values()], texts, size)
    _draw_edges(ax, edges, [points[path] for path in paths], size)
    count = with_noun(len(texts), "state")
    figures.title(ax, f"{count}, worth {_values(solution.payoffs)}")
    return ax


class _Edge(NamedTuple):
    """All moves from one state to another."""

    first: int
    last: int
    label: str
    player: int
    best: bool


def _layers(explored: Any) -> tuple[dict[int, Node], dict[int, int]]:
    """Return the states that can be reached, by place, and how far below the start.

    A state is below all that lead to it.
    """
    levels = {explored.start: 0}  # an outcome of weight 0 leads nowhere
    everything = explored.nodes()
    for place, node in enumerate(everything):
        for after in node.following if place in levels else ():
            levels[after] = max(levels.get(after, 0), levels[place] + 1)
    levels = dict(sorted(levels.items()))
    return {place: everything[place] for place in levels}, levels


def _edges(solution: Solution[Any, Any, Any], some: dict[int, Node]) -> list[_Edge]:
    """Return the edges between some states, which are given by place."""
    offsets = solution.explored.graph.offsets.tolist()
    number = {place: k for k, place in enumerate(some)}
    edges = []
    for place, node in some.items():
        flags = solution.optimal[offsets[place] : offsets[place + 1]].tolist()
        for after in dict.fromkeys(node.following):
            moves = [i for i, to in enumerate(node.following) if to == after]
            paid = [_payment(node, i) for i in moves]
            if node.player == CHANCE:
                weights = Counter[str]()
                for i, payment in zip(moves, paid, strict=True):
                    weights[payment] += node.weights[i]
                total, paid = sum(node.weights), [*weights]
                names = [_number(Fraction(w, total)) for w in weights.values()]
            else:
                names = [figures.label(node.actions[i]) for i in moves]
            label = ", ".join(map("".join, zip(names, paid, strict=True)))
            best = node.player != CHANCE and any(flags[i] for i in moves)
            edges.append(_Edge(number[place], number[after], label, node.player, best))
    return edges


def _payment(node: Node, move: int) -> str:
    """Return what a move pays in brackets, with signs; nothing if it pays nothing."""
    payments = node.rewards[move] if node.rewards else ()
    if not any(payments):
        return ""
    return f" ({', '.join(['+' * (x > 0) + _number(x) for x in payments])})"


def _text(state: Any, value: tuple[Any, ...], name: Callable[[Any], str] | None) -> str:
    """Return the text of a state's box: its name, if it has one, and its value."""
    if name is not None:
        text = arguments.call("name", name, state)
    else:
        parts = map(str, state) if isinstance(state, tuple) else [str(state)]
        text = ", ".join(filter(None, parts))
    if not isinstance(text, str):
        raise TypeError(
            f"name must return a str, got {arguments.described(text)} for "
            f"{arguments.shown(state)}"
        )
    lines = [figures.label(text)] if text.strip() else []
    return "\n".join([*lines, _values(value)])


def _values(value: tuple[Any, ...]) -> str:
    return ", ".join(map(_number, value))


def _number(number: Any) -> str:
    if isinstance(number, Fraction) and not is_long(number):
        text = exact_text(number)
        if len(text) <= _MOST_DIGITS:
            return text
    return short(number, 4)


def _draw_edges(ax: Axes, edges: list[_Edge], paths: list[Any], size: float) -> None:
    """Draw the edges, each with its label at some part of the way."""
    rank = Counter[int]()
    for edge, path in zip(edges, paths, strict=True):
        style: dict[str, Any] = {"color": figures.ink(0.5), "lw": 0.8, "zorder": 1}
        if edge.player == CHANCE:
            style["linestyle"] = "--"
        elif edge.best:
            style = {"color": figures.colour(edge.player), "lw": _THICK, "zorder": 2}
        ax.plot(*path.T, **style)
        # Labels of neighbours at different heights do not meet.
        part = 0.45 if edge.player == CHANCE else 0.35 + 0.15 * (rank[edge.first] % 2)
        rank[edge.first] += 1
        behind = {"facecolor": figures.paper(), "pad": 0.3, "alpha": 0.8}
        look = _CENTRED | {"size": 0.9 * size, "zorder": 2.5}
        x, y = (path[0] + part * (path[1] - path[0])).tolist()
        ax.text(x, y, edge.label, bbox=behind | {"edgecolor": "none"}, **look)
    if any(edge.best for edge in edges):
        ax.plot([], [], color=figures.ink(), linewidth=_THICK, label="optimal")


def _draw_boxes(
    ax: Axes, points: NDArray[Any], movers: list[int], texts: list[str], size: float
) -> None:
    """Draw the states as boxes, and name their colours."""
    from matplotlib.colors import to_rgb

    for player, (x, y), text in zip(movers, points.tolist(), texts, strict=False):
        box, ink = _box(player), figures.ink()
        colour = ink if player == TERMINAL else figures.ink_on(to_rgb(box["facecolor"]))
        look = _CENTRED | {"size": size, "zorder": 3, "color": colour}
        ax.text(x, y, text, bbox=box, **look)
    for player in sorted({*movers} - {TERMINAL}):
        label = "chance moves" if player == CHANCE else f"player {player} moves"
        box = _box(player)
        look = {"c": box["facecolor"], "mec": box["edgecolor"], "ms": 9}
        ax.plot([], [], "s", label=label, **look)


def _box(player: int) -> dict[str, Any]:
    """Return the box of states in which a player moves, or chance, or nobody."""
    if player == TERMINAL:
        look: dict[str, Any] = {"boxstyle": "square", "edgecolor": figures.ink()}
        return look | {"facecolor": figures.paper()}
    face, edge = _CHANCE if player == CHANCE else (figures.colour(player),) * 2
    return {"boxstyle": "round", "facecolor": face, "edgecolor": edge}
