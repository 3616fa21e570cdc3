"""A small solved game as a tree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

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

_DRAWN = "to be drawn from the top down"


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
    explored: Any = game
    solution = as_solution(game)
    if solution is None:
        explored = explore(explored)
        refuse_cycles(explored, _DRAWN)
        solution = exact.solve(explored)
    explored = solution.explored
    explored.refuse_variants("game")
    refuse_cycles(explored, _DRAWN)
    if explored.num_states > most:
        raise ValueError(
            f"game must have at most max_states={most} states to be drawn, got one "
            f"with {explored.num_states}"
        )
    everything = explored.nodes()
    levels = _levels(everything, explored.start)
    nodes = {place: everything[place] for place in levels}
    states = [explored.state(place) for place in levels]
    texts = [_text(state, solution.payoffs_at(state), name) for state in states]
    edges, rows = _edges(solution, nodes), [*levels.values()]
    places, paths = figures.layered(rows, [(edge.first, edge.last) for edge in edges])
    for path in paths:
        rows += range(rows[path[0]] + 1, rows[path[-1]])
    points = [(x, -float(level)) for x, level in zip(places, rows, strict=True)]
    # The number of letters and of lines across and down, with the title's.
    letters = max(len(line) for text in texts for line in text.split("\n"))
    wide = (max(places) - min(places) + 1.2) * (0.62 * letters + 1)
    high = (max(rows) + 1) * 5.4 + 6
    width, height = [max(6, _POINTS * each / 72) for each in (wide, high)]
    ax = figures.axes(ax, size=(min(width, _LARGEST[0]), min(height, _LARGEST[1])))
    movers = [node.player for node in nodes.values()]
    _draw(ax, points, edges, paths, movers, texts)
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


def _levels(everything: list[Node], start: int) -> dict[int, int]:
    """Return how far below the start each state is that can be reached, by its place.

    It is below all that lead to it.
    """
    levels = {start: 0}  # an outcome of weight 0 leads nowhere
    for place, node in enumerate(everything):
        for after in node.following if place in levels else ():
            levels[after] = max(levels.get(after, 0), levels[place] + 1)
    return dict(sorted(levels.items()))


def _edges(solution: Solution[Any, Any, Any], some: dict[int, Node]) -> list[_Edge]:
    """Return the edges between some states, which are given by place."""
    offsets = solution.explored.graph.offsets.tolist()
    number = {place: k for k, place in enumerate(some)}
    edges = []
    for place, node in some.items():
        flags = solution.optimal[offsets[place] : offsets[place + 1]].tolist()
        for after in dict.fromkeys(node.following):
            moves = [i for i, to in enumerate(node.following) if to == after]
            if node.player == CHANCE:
                label, optimal = _chances(node, moves), False
            else:
                names = [
                    f"{figures.label(node.actions[i])}{_payment(node, i)}"
                    for i in moves
                ]
                label, optimal = ", ".join(names), any(flags[i] for i in moves)
            ends = number[place], number[after]
            edges.append(_Edge(*ends, label, node.player, optimal))
    return edges


def _chances(node: Node, moves: list[int]) -> str:
    """Return the probabilities of the payments with which chance leads to a state."""
    weights: dict[str, int] = {}
    for i in moves:
        payment = _payment(node, i)
        weights[payment] = weights.get(payment, 0) + node.weights[i]
    total = sum(node.weights)
    chances = [
        f"{_number(Fraction(w, total))}{payment}" for payment, w in weights.items()
    ]
    return ", ".join(chances)


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


def _draw(
    ax: Axes,
    points: list[tuple[float, float]],
    edges: list[_Edge],
    paths: list[list[int]],
    movers: list[int],
    texts: list[str],
) -> None:
    """Draw the edges, the boxes, and the legend of their colours."""
    across, down = zip(*points, strict=True)
    left, right, low = min(across), max(across), min(down)
    # Limits that leave room for boxes, and letters that fit into boxes.
    ax.set_xlim(left - 0.6, right + 0.6)
    ax.set_ylim(low - 0.5, 0.5)
    ax.set_axis_off()
    shape = ax.get_window_extent()
    width = 72 / ax.figure.dpi * shape.width / (right - left + 1)
    height = 72 / ax.figure.dpi * shape.height / (1 - low)
    letters = max(len(line) for text in texts for line in text.split("\n"))
    size = max(3, min(11, width / (0.62 * letters + 1), height / 4.4))
    rank = Counter[int]()
    for edge, path in zip(edges, paths, strict=True):
        # Labels of neighbours at different heights do not meet.
        part = 0.45 if edge.player == CHANCE else 0.35 + 0.15 * (rank[edge.first] % 2)
        rank[edge.first] += 1
        _draw_edge(ax, edge, [points[i] for i in path], size, part)
    for player, (x, y), text in zip(movers, points, texts, strict=False):
        box = {"bbox": _box(player), "size": size, "color": _ink_in(player)}
        ax.text(x, y, text, **box, **_CENTRED, zorder=3)
    for player in sorted({*movers} - {TERMINAL}):
        label = "chance moves" if player == CHANCE else f"player {player} moves"
        box = _box(player)
        look = {"color": box["facecolor"], "markeredgecolor": box["edgecolor"]}
        ax.plot([], [], "s", markersize=9, label=label, **look)
    if any(edge.best for edge in edges):
        ax.plot([], [], color=figures.ink(), linewidth=_THICK, label="optimal")


def _draw_edge(
    ax: Axes, edge: _Edge, path: list[tuple[float, float]], size: float, part: float
) -> None:
    """Draw an edge, with its label at some part of the way."""
    style: dict[str, Any] = {"color": figures.ink(0.5), "linewidth": 0.8, "zorder": 1}
    if edge.player == CHANCE:
        style |= {"linestyle": "--"}
    elif edge.best:
        style |= {
            "color": figures.colour(edge.player),
            "linewidth": _THICK,
            "zorder": 2,
        }
    ax.plot(*zip(*path, strict=True), **style)
    (x, y), (to_x, to_y) = path[:2]
    x, y = x + part * (to_x - x), y + part * (to_y - y)
    behind = {
        "facecolor": figures.paper(),
        "edgecolor": "none",
        "pad": 0.3,
        "alpha": 0.8,
    }
    look: dict[str, Any] = {"size": 0.9 * size, "bbox": behind, "zorder": 2.5}
    ax.text(x, y, edge.label, **_CENTRED, **look)


def _box(player: int) -> dict[str, Any]:
    """Return the box of states in which a player moves, or chance, or nobody."""
    if player == TERMINAL:
        look: dict[str, Any] = {"boxstyle": "square", "edgecolor": figures.ink()}
        return look | {"facecolor": figures.paper()}
    face, edge = (
        _CHANCE
        if player == CHANCE
        else (figures.colour(player), figures.colour(player))
    )
    return {"boxstyle": "round", "facecolor": face, "edgecolor": edge}


def _ink_in(player: int) -> Any:
    """Return the colour of the text in such a box."""
    from matplotlib.colors import to_rgb

    if player == TERMINAL:
        return figures.ink()
    return figures.ink_on(to_rgb(_box(player)["facecolor"]))
