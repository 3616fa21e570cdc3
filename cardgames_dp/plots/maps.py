"""Maps of what to do, what it is worth and what mistakes cost, over two fields."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from numbers import Real
from textwrap import fill
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._graph.decisions import States, array_of, decisions_of
from cardgames_dp._graph.solution import Solution, as_solution
from cardgames_dp._results import figures
from cardgames_dp._results.figures import GREY, HUES, MOST_SHOWN, Side, Squares
from cardgames_dp._results.records import Action, State
from cardgames_dp._support import arguments
from cardgames_dp._support.calls import suggest_arguments
from cardgames_dp.play.distributions import Distributions
from cardgames_dp.play.regrets import Regret

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_SHOWN = {
    "policy": ("What to do", "best action"),
    "value": ("What it is worth", "value for who moves"),
    "margin": ("The least that a mistake costs", "margin of the best action"),
    "given_up": ("What actions give up", "given up"),
    "cost": ("What mistakes cost", "cost"),
    "reach": ("Where play comes", "probability"),
    "visits": ("Where play comes", "visits"),
}
"""For each kind of map: its title, and what its colours stand for."""

_OF_SOLUTION, _OF_ACTIONS = ("policy", "value", "margin"), ("given_up",)
_OF_REGRET = ("cost", "given_up", "reach", "visits")
"""The kinds of a solution, of what its actions give up, and of a regret."""

_NEVER, _PALE = "#ededed", "#ffffffa8"
"""What covers squares where an action is never best, and that no play reaches."""

_STYLE = ("cmap", "norm", "vmin", "vmax")
"""What callers hand on to matplotlib."""

_MOST_FIXED = 4
"""The most values named in a title."""

_NEAR = 1e-9
"""Numbers that differ by less, in parts of the largest, are the same."""


@suggest_arguments
def plot_map(
    solution: Solution[State, Action, Any] | Regret[State, Action, Any],
    *,
    x: str | int | Callable[[Any], Any],
    y: str | int | Callable[[Any], Any] = "action",
    of: Literal["policy", "value", "margin", "given_up", "cost", "reach", "visits"]
    | None = None,
    where: Mapping[str | int, Any] | Callable[[Any], Any] | None = None,
    along: str | int | Callable[[Any], Any] | None = None,
    action: Action | None = None,
    several: Callable[[NDArray[Any]], float] | None = None,
    reach: Distributions[Any, Any] | None = None,
    ax: Axes | None = None,
    **style: Any,
) -> Axes:
    """Draw what to do, what it is worth, or what mistakes cost, by two fields.

    A square stands for the states in which a player moves with the same `x` and `y`.
    Where the best action differs between them, it is grey, and the legend says what it
    depends on. Numbers that differ are refused, except costs and frequencies, which are
    summed. Squares without a state are hatched. On small maps squares show the first
    letters of actions, or numbers.

    Parameters
    ----------
    solution : Solution or Regret
        A solved game, or the mistakes of a policy, from `cardgames_dp.play.regret`.
    x, y : str, int or callable
        Fields of a state: of a named tuple, a dataclass or `cardgames_dp.game.Names`,
        also inside another field (``"own.score"``); numbers of the items of other
        tuples; ``"state"`` of anything else. Or a callable of a state, for an array
        game as in `cardgames_dp.play`. By ``y="action"`` a column shows what each
        action gives up; dots mark the best ones.
    of : str, optional
        Of a solution: "policy" (the default), "value", for the player to move, or
        "margin", by which the best action beats the next one (if there are two in all,
        by which the second beats the first). Of a regret: "cost" (the default),
        "given_up", "reach" or "visits".
    where : mapping or callable, optional
        Which states to draw: values of fields, each one or several, or a callable that
        returns whether to draw a state.
    along, action : str, int or callable; Action, optional
        Colours are the first value of the field `along` at which `action` is best.
    several : callable, optional
        The number of a square from those of its states, such as ``max``.
    reach : Distributions, optional
        From `cardgames_dp.play.distribution`: squares that such plays never reach are
        pale.
    ax : matplotlib Axes, optional
    **style
        Any of ``cmap``, ``norm``, ``vmin`` and ``vmax`` of
        `matplotlib.axes.Axes.imshow`.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    ValueError
        If there is no such field or action, `where` leaves no state, or states of a
        square have different numbers.
    TypeError
        If a field or a callable gives no number or word; the message has the state.

    Examples
    --------
    When to stop in red/black, and with how much in hand:

    >>> from cardgames_dp import plots, redblack
    >>> deck = redblack.solve(26, 26)
    >>> ax = plots.plot_map(deck, x="black", y="red")
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('black', 'red')
    """
    for name in style:
        arguments.choice("a keyword of style", name, _STYLE)
    if several is not None and not callable(several):
        raise arguments.wrong_type("several must be callable or None", several)
    drawing = _Map(solution, of, where, x, y)
    if along is not None or action is not None:
        drawing.show_thresholds(along, action)
    elif drawing.of == "policy":
        drawing.show_policy()
    else:
        drawing.show_numbers(several)
    if reach is not None:
        drawing.cover(drawing.unreached(reach), _PALE, "never reached")
    drawing.picture.look |= style
    ax = figures.axes(ax)
    drawing.picture.draw(ax)
    notes = [drawing.title]
    for field, value in where.items() if isinstance(where, Mapping) else ():
        values = value if isinstance(value, (list, tuple, set, range)) else [value]
        if len(values) <= _MOST_FIXED:
            words = " or ".join(map(figures.label, values))
            notes.append(f"{_name(field, '')} = {words}")
    figures.title(ax, fill(", ".join(notes), MOST_SHOWN))
    return ax


class _Groups:
    """Items by keys that they share, such as the squares that they are on.

    Attributes
    ----------
    keys : ndarray of int
        By group: its keys.
    of : ndarray of int
        By item: its group.
    """

    def __init__(self, *keys: NDArray[Any]) -> None:
        self.keys, index = np.unique(np.column_stack(keys), axis=0, return_inverse=True)
        self.of = index.ravel()
        self._order = np.argsort(self.of, kind="stable")
        self._starts = np.searchsorted(self.of[self._order], range(len(self.keys)))

    def parts(self, numbers: NDArray[Any]) -> list[NDArray[Any]]:
        """Return the numbers of each group."""
        return np.split(numbers[self._order], self._starts[1:])

    def reduce(self, function: np.ufunc, numbers: NDArray[Any]) -> NDArray[Any]:
        """Return the sum, or the largest, of the numbers of each group."""
        return np.asarray(function.reduceat(numbers[self._order], self._starts))

    def differ(self, numbers: NDArray[Any]) -> NDArray[np.bool_]:
        """Return which groups have different numbers, apart from rounding."""
        most, least = (self.reduce(x, numbers) for x in (np.maximum, np.minimum))
        return np.asarray(most - least > _NEAR * np.abs(numbers).max())


class _Map:
    """Items on squares: states or, with what each action gives up, moves.

    Attributes
    ----------
    of : str
    states : States
    table : Decisions, or None of a regret
    rows : ndarray of int
        By item: the row of its state.
    shown : ndarray
        By item: a number or, of a policy, the index of an action.
    marks : ndarray of bool
        By item: whether a move is best; whether several actions of a state are.
    squares : _Groups
    title : str
    picture : Squares
    """

    def __init__(self, solution: Any, of: Any, where: Any, x: Any, y: Any) -> None:
        costs = isinstance(solution, Regret)
        self.each = isinstance(y, str) and y == "action" and not costs
        solved: Any = None if costs else as_solution(solution)
        if not costs and solved is None:
            must = "solution must be a game.Solution or a play.Regret"
            raise arguments.wrong_type(must, solution)
        if self.each and of in _OF_SOLUTION:
            must = f"y must be given with of={of!r}: a field of a state, or a callable"
            raise arguments.wrong_value(must, y)
        accepted = _OF_REGRET if costs else _OF_ACTIONS if self.each else _OF_SOLUTION
        self.of = accepted[0] if of is None else arguments.choice("of", of, accepted)
        table: Any = None if costs else decisions_of(solved)
        states: States = solution._entries.fields() if costs else table.states
        rows = np.arange(len(states))
        rows = rows if where is None else np.flatnonzero(states.mask(where))
        if not rows.size:
            raise ValueError(
                "where must leave some state in which a player moves, and leaves none"
            )
        self.table: Any = None if costs else table[rows]
        self.states = states[rows]
        self.rows = np.arange(len(rows))
        if costs:
            numbers = getattr(solution, self.of)[rows]
            self.shown: NDArray[Any] = figures.drawable("solution", numbers)
        else:
            self.marks = np.isin(table.places[rows], solved._arrays.ties())
            self._read()
        (own, up), (other, right) = self._side(y, "y"), self._side(x, "x")
        self.squares = _Groups(up, right)
        self.title, label = _SHOWN[self.of]
        blank = np.full(len(self.squares.keys), np.nan)
        self.picture = Squares((own, other), self.squares.keys, blank, label)

    def _read(self) -> None:
        """Read what is shown from the table of a solution."""
        table: Any = self.table
        if self.of == "policy":
            self.shown = table.actions[table.chosen]
        elif self.of == "margin":
            margins = table.margins
            self.rows = np.flatnonzero(margins != np.inf)
            if not self.rows.size:
                must = "of must not be 'margin': each state has only one action"
                raise ValueError(must)
            self.shown = figures.drawable("solution", margins[self.rows])
            used, first = np.unique(table.actions), table.actions[table.chosen]
            if len(used) == 2:
                self.shown *= np.where(first[self.rows] == used[1], 1, -1)
        else:
            self.shown = figures.drawable("solution", table.values)
        if self.each:
            worth = figures.drawable("solution", table.worth)
            self.rows, self.marks = table.rows, table.best
            self.shown = np.where(table.best, 0, self.shown[table.rows] - worth)

    def _side(self, field: Any, argument: str) -> tuple[Side, NDArray[Any]]:
        """Return a field or, of moves, the actions, and by item the place there."""
        name, words = _name(field, argument), self.each and argument == "y"
        if words:
            names = self.table.names
            column = array_of([names[k] for k in self.table.actions.tolist()])
        else:
            column = self.states.column(field, argument)[self.rows]
        values = list(dict.fromkeys(column.tolist()))
        if column.dtype.kind in "iu":
            low, high = int(column.min()), int(column.max())
            if high - low < 4 * len(values) + 4:
                return Side(name, range(low, high + 1), low), column - low
        if not words:  # such as an ace among numbers: words first
            values.sort(key=lambda value: (not isinstance(value, str), value))
        number = {value: k for k, value in enumerate(values)}
        return Side(name, values), np.array([number[x] for x in column.tolist()])

    def show_policy(self) -> None:
        """Show best actions: as words or, if they are many numbers, as numbers."""
        index = self.squares.reduce(np.maximum, self.shown)
        mixed = self.squares.differ(self.shown)
        used, place = np.unique(index[~mixed], return_inverse=True)
        names: list[Any] = [self.table.names[k] for k in used.tolist()]
        if len(names) <= 3 or not all(isinstance(name, Real) for name in names):
            if len(names) > len(HUES):
                most = f"where must leave at most {len(HUES)} different best actions"
                raise ValueError(f"{most} that are no numbers, got {len(names)}")
            self.picture.words, names = [*map(str, names)], [*range(len(names))]
        self.picture.numbers[~mixed] = np.array(names, dtype=float)[place]
        if mixed.any():
            self.cover(mixed, GREY, f"depends on {self._deciding(self.squares)}")
        ties = self.squares.reduce(np.logical_or, self.marks)
        self.picture.dots = ~mixed & ties, "tie"

    def show_thresholds(self, along: Any, action: Any) -> None:
        """Show the first value of a field at which an action is best."""
        if along is None or action is None or self.of != "policy":
            raise ValueError("along and action must be given together, of a policy")
        if action not in self.table.names:
            every = arguments.shown(self.table.names)
            must = f"action must be one of the actions of the game, {every}"
            raise arguments.wrong_value(must, action)
        (name, values, _), places = self._side(along, "along")
        if any(isinstance(value, str) for value in values):
            raise ValueError(f"along must be a field of numbers, got {along!r}")
        squares, never = self.squares, len(values)
        self._refuse(_Groups(squares.of, places), "best actions")
        is_best = self.shown == self.table.names.index(action)
        first = squares.reduce(np.minimum, np.where(is_best, places, never))
        self.picture.numbers = np.array([*values, np.nan], dtype=float)[first]
        self.title = f"First {name} to {figures.label(action)}"
        self.picture.label = name
        if (back := ~is_best & (places > first[squares.of])).any():
            again = np.count_nonzero(squares.reduce(np.logical_or, back))
            count = np.count_nonzero(first < never)
            self.title += f", no threshold in {again} of {count}"
        self.cover(first == never, _NEVER, f"never {action}")

    def show_numbers(self, several: Any) -> None:
        """Show a number for each square."""
        squares, picture = self.squares, self.picture
        if several is not None:
            parts = squares.parts(self.shown)
            numbers = [arguments.call("several", several, part) for part in parts]
            picture.numbers = arguments.float_array("what several returns", numbers)
            if picture.numbers.ndim > 1:
                raise arguments.wrong_type("several must return a number", numbers[0])
        elif self.of in ("cost", "reach", "visits"):
            picture.numbers = squares.reduce(np.add, self.shown)
        else:
            self._refuse(squares, "numbers")
            picture.numbers = squares.reduce(np.maximum, self.shown)
        most = np.abs(picture.numbers).max() or 1
        if self.of in ("cost", "given_up"):
            picture.look = {"cmap": "YlOrBr", "vmin": 0, "vmax": most}
        used = np.unique(self.table.actions).tolist() if self.of == "margin" else []
        if len(used) == 2:
            signs = picture.signs = [str(self.table.names[k]) for k in used]
            picture.label = " less ".join(map(figures.label, signs[::-1]))
            picture.look = {"cmap": "PuOr", "vmin": -most, "vmax": most}
        if self.each:
            picture.dots = squares.reduce(np.logical_or, self.marks), "best"

    def cover(self, some: NDArray[np.bool_], colour: str, name: str) -> None:
        """Cover some squares."""
        if some.any():
            self.picture.covers.append((some, colour, name))

    def unreached(self, reach: Any) -> NDArray[np.bool_]:
        """Return which squares plays never reach."""
        figures.require_kind("reach", reach, Distributions, "play.Distributions")
        states = self.states.states
        try:
            if isinstance(states, np.ndarray):
                chances = np.asarray(reach.reach(states))
            else:
                chances = np.array([reach.reach[state] for state in states])
        except (KeyError, TypeError) as error:
            raise ValueError("reach must be of the game of solution") from error
        return np.asarray(self.squares.reduce(np.add, chances[self.rows]) == 0)

    def _refuse(self, groups: _Groups, what: str) -> None:
        """Refuse states that do not show the same in their group."""
        if groups.differ(self.shown).any():
            hint = "; or say by several= which number to draw, such as max"
            raise ValueError(
                f"where must fix {self._deciding(groups)}, as states of a square have "
                f"different {what}{hint * (what == 'numbers')}"
            )

    def _deciding(self, groups: _Groups) -> str:
        """Return the fields on which depends what some groups show."""
        some = np.flatnonzero(groups.differ(self.shown)[groups.of])
        states, numbers, keys = self.states[self.rows[some]], self.shown[some], {}
        for field in states.fields:
            column = states.items(field, "x")
            if not (isinstance(column, np.ndarray) and column.ndim == 1):
                column = np.array([repr(value) for value in column])
            keys[field] = np.unique(column, return_inverse=True)[1]
        for field in list(keys):
            others = [keys[other] for other in keys if other != field]
            if not _Groups(groups.of[some], *others).differ(numbers).any():
                del keys[field]
        return ", ".join([_name(field, "") for field in keys])


def _name(field: Any, argument: str) -> str:
    """Return the name of a field, or of a callable, for an axis."""
    if callable(field):
        name = arguments.function_name(field)
        return argument if name == "<lambda>" else name.replace("_", " ")
    return field if isinstance(field, str) else f"state[{field}]"
