"""Maps of what to do, what it is worth and what mistakes cost, over two fields."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import ceil, floor, isnan, log10
from numbers import Real
from textwrap import fill
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._graph.decisions import States, array_of, decisions_of
from cardgames_dp._graph.solution import Solution, as_solution
from cardgames_dp._results import figures
from cardgames_dp._results.records import Action, State
from cardgames_dp._support import arguments
from cardgames_dp._support.calls import suggest_arguments
from cardgames_dp._support.printing import short
from cardgames_dp.play.distributions import Distributions
from cardgames_dp.play.regrets import Regret

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_SHOWN = {
    "policy": ("What to do", "best action"),
    "value": ("What it is worth", "value for who moves"),
    "margin": ("How much depends on it", "best action less the next one"),
    "given_up": ("What actions give up", "given up"),
    "cost": ("What mistakes cost", "cost"),
    "reach": ("Where play comes", "probability"),
    "visits": ("Where play comes", "visits"),
}
"""For each kind of map: its title, and what its colours stand for."""

_OF_SOLUTION, _OF_ACTIONS = ("policy", "value", "margin"), ("given_up",)
_OF_REGRET = ("cost", "given_up", "reach", "visits")
"""The kinds of a solution, of what its actions give up, and of a regret."""

_HUES = ("#0072b2", "#f0b440", "#009e73", "#c973a3", "#d55e00", "#56b4e9", "#7a6a55")
"""The colours of actions, each of which differs in grey from the next."""

_MIXED, _NEVER, _PALE = "#999999", "#ededed", "#ffffffa8"
"""What covers squares of several best actions, of none, and that no play reaches."""

_MOST_LETTERS, _MOST_NUMBERS = 20, 12
"""The most squares a side with letters, and lines between them; and with numbers."""

_MOST_TICKS, _MOST_SHOWN, _MOST_FIXED = 14, 40, 4
"""The most words along an axis, letters of a line, and values named in a title."""

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
    style = figures.image_style(style)
    if several is not None and not callable(several):
        raise arguments.wrong_type("several must be callable or None", several)
    picture = _Map(solution, of, where, x, y)
    if along is not None or action is not None:
        picture.show_thresholds(along, action)
    elif picture.of == "policy":
        picture.show_policy()
    else:
        picture.show_numbers(several)
    if reach is not None:
        picture.cover(picture.unreached(reach), _PALE, "never reached")
    ax = figures.axes(ax)
    picture.draw(ax, style)
    notes = []
    for field, value in where.items() if isinstance(where, Mapping) else ():
        values = value if isinstance(value, (list, tuple, set, range)) else [value]
        if len(values) <= _MOST_FIXED:
            words = " or ".join(map(figures.label, values))
            notes.append(f"{_name(field, '')} = {words}")
    figures.title(ax, fill(", ".join([picture.title, *notes]), _MOST_SHOWN), columns=3)
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


class _Axis(NamedTuple):
    """An axis: its values, and by item which of them it has.

    Integers begin at `first` and stand where they are, with those between them.
    """

    name: str
    values: list[Any]
    places: NDArray[Any]
    first: int = 0


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
    axes : tuple of _Axis
        The vertical one first.
    squares : _Groups
    numbers : ndarray of float64
        By square: what its colour stands for, if it is not NaN.
    words : tuple of str
        What the numbers 0, 1, ... stand for; empty if they are numbers.
    signs : tuple of str
        Which actions are better where numbers are below 0, and above.
    look : dict
        How numbers are drawn.
    covers : list of tuple
        Squares, the colour of what lies over them, and its name.
    dots : tuple of an array and a str
        Squares with a dot, and its name.
    """

    numbers: NDArray[Any]

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
        self.rows, self.marks = np.arange(len(rows)), rows < 0
        if costs:
            numbers = getattr(solution, self.of)[rows]
            self.shown: NDArray[Any] = figures.drawable("solution", numbers)
        else:
            self.marks = np.isin(table.places[rows], solved._arrays.ties())
            self._read()
        self.axes = self._axis(y, "y"), self._axis(x, "x")
        self.squares = _Groups(*[axis.places for axis in self.axes])
        self.title, self.label = _SHOWN[self.of]
        self.words: tuple[str, ...] = ()
        self.signs: tuple[str, ...] = ()
        self.look: dict[str, Any] = {}
        self.covers: list[Any] = []
        self.dots = np.zeros(len(self.squares.keys), dtype=bool), ""

    def _read(self) -> None:
        """Read what is shown from the table of a solution."""
        table: Any = self.table
        if self.of == "policy":
            self.shown = table.actions[table.chosen]
            return
        self.shown = figures.drawable("solution", table.values)
        if self.of == "value":
            return
        worth = figures.drawable("solution", table.worth)
        if self.each:
            self.rows, self.marks = table.rows, table.best
            self.shown = np.where(table.best, 0, self.shown[table.rows] - worth)
            return
        self.rows = np.flatnonzero(np.diff(table.offsets) > 1)
        if not self.rows.size:
            raise ValueError("of must not be 'margin': each state has only one action")
        last = table.offsets[1:][self.rows] - 1
        order = np.lexsort((worth, table.rows))
        best, used = order[last], np.unique(table.actions)
        self.shown = worth[best] - worth[order[last - 1]]
        if len(used) == 2:
            self.shown *= np.where(table.actions[best] == used[1], 1, -1)

    def _axis(self, field: Any, argument: str) -> _Axis:
        """Return an axis: a field or, of moves, the actions."""
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
                return _Axis(name, [*range(low, high + 1)], column - low, low)
        if not words:  # such as an ace among numbers: words first
            values.sort(key=lambda value: (not isinstance(value, str), value))
        number = {value: k for k, value in enumerate(values)}
        return _Axis(name, values, np.array([number[x] for x in column.tolist()]))

    # What squares show

    def show_policy(self) -> None:
        """Show best actions: as words or, if they are many numbers, as numbers."""
        index = self.squares.reduce(np.maximum, self.shown)
        mixed = self.squares.differ(self.shown)
        used, place = np.unique(index[~mixed], return_inverse=True)
        names: list[Any] = [self.table.names[k] for k in used.tolist()]
        if len(names) <= 3 or not all(isinstance(name, Real) for name in names):
            if len(names) > len(_HUES):
                most = f"where must leave at most {len(_HUES)} different best actions"
                raise ValueError(f"{most} that are no numbers, got {len(names)}")
            self.words, names = tuple(map(str, names)), [*range(len(names))]
            self.look = {"vmin": -0.5, "vmax": len(names) - 0.5}
        self.numbers = np.full(len(mixed), np.nan)
        self.numbers[~mixed] = np.array(names, dtype=float)[place]
        if mixed.any():
            self.cover(mixed, _MIXED, f"depends on {self._deciding(mixed)}")
        self.dots = ~mixed & self.squares.reduce(np.logical_or, self.marks), "tie"

    def show_thresholds(self, along: Any, action: Any) -> None:
        """Show the first value of a field at which an action is best."""
        if along is None or action is None or self.of != "policy":
            raise ValueError("along and action must be given together, of a policy")
        if action not in self.table.names:
            every = arguments.shown(self.table.names)
            must = f"action must be one of the actions of the game, {every}"
            raise arguments.wrong_value(must, action)
        steps = self._axis(along, "along")
        if any(isinstance(value, str) for value in steps.values):
            raise ValueError(f"along must be a field of numbers, got {along!r}")
        squares = self.squares
        self.squares = _Groups(squares.of, steps.places)
        self._refuse("best actions")
        self.squares, never = squares, len(steps.values)
        is_best = self.shown == self.table.names.index(action)
        first = squares.reduce(np.minimum, np.where(is_best, steps.places, never))
        self.numbers = np.array([*steps.values, np.nan], dtype=float)[first]
        self.title = f"First {steps.name} to {figures.label(action)}"
        self.label = steps.name
        if (back := ~is_best & (steps.places > first[squares.of])).any():
            again = np.count_nonzero(squares.reduce(np.logical_or, back))
            count = np.count_nonzero(first < never)
            self.title += f", no threshold in {again} of {count}"
        self.cover(first == never, _NEVER, f"never {action}")

    def show_numbers(self, several: Any) -> None:
        """Show a number for each square."""
        squares = self.squares
        if several is not None:
            parts = squares.parts(self.shown)
            numbers = [arguments.call("several", several, part) for part in parts]
            self.numbers = arguments.float_array("what several returns", numbers)
            if self.numbers.ndim > 1:
                raise arguments.wrong_type("several must return a number", numbers[0])
        elif self.of in ("cost", "reach", "visits"):
            self.numbers = squares.reduce(np.add, self.shown)
        else:
            self._refuse("numbers")
            self.numbers = squares.reduce(np.maximum, self.shown)
        most = np.abs(self.numbers).max() or 1
        if self.of in ("cost", "given_up"):
            self.look = {"cmap": "YlOrBr", "vmin": 0, "vmax": most}
        used = np.unique(self.table.actions).tolist() if self.of == "margin" else []
        if len(used) == 2:
            self.signs = tuple([str(self.table.names[k]) for k in used])
            self.label = " less ".join(map(figures.label, self.signs[::-1]))
            self.look = {"cmap": "PuOr", "vmin": -most, "vmax": most}
        if self.each:
            self.dots = squares.reduce(np.logical_or, self.marks), "best"

    def cover(self, some: NDArray[np.bool_], colour: str, name: str) -> None:
        """Cover some squares."""
        if some.any():
            self.covers.append((some, colour, name))

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

    def _refuse(self, what: str) -> None:
        """Refuse several states that do not show the same on a square."""
        mixed = self.squares.differ(self.shown)
        if mixed.any():
            hint = "; or say by several= which number to draw, such as max"
            raise ValueError(
                f"where must fix {self._deciding(mixed)}, as states of a square have "
                f"different {what}{hint * (what == 'numbers')}"
            )

    def _deciding(self, mixed: NDArray[np.bool_]) -> str:
        """Return the fields on which depends what some squares show."""
        some = np.flatnonzero(mixed[self.squares.of])
        states, numbers, keys = self.states[self.rows[some]], self.shown[some], {}
        for field in states.fields:
            column = states.items(field, "x")
            if not (isinstance(column, np.ndarray) and column.ndim == 1):
                column = np.array([repr(value) for value in column])
            keys[field] = np.unique(column, return_inverse=True)[1]
        for field in list(keys):
            others = [keys[other] for other in keys if other != field]
            if not _Groups(self.squares.of[some], *others).differ(numbers).any():
                del keys[field]
        return ", ".join([_name(field, "") for field in keys])

    # The picture

    def draw(self, ax: Axes, style: dict[str, Any]) -> None:
        """Draw squares, axes, and what the legend explains."""
        from matplotlib.colors import ListedColormap

        shape = [len(axis.values) for axis in self.axes]
        ends = [
            (axis.first - 0.5, axis.first + k - 0.5)
            for axis, k in zip(self.axes, shape, strict=True)
        ]
        even = max(shape) < 3 * min(shape) and not self.each
        frame: dict[str, Any] = {"extent": ends[1] + ends[0], "origin": "lower"}
        frame |= {"interpolation": "nearest", "aspect": "equal" if even else "auto"}

        def image(numbers: NDArray[Any], **look: Any) -> Any:
            grid = np.full(shape, np.nan)
            grid[tuple(self.squares.keys.T)] = numbers
            return ax.imshow(np.ma.masked_invalid(grid), **frame, **look)

        hues = ListedColormap(_HUES[: len(self.words)])
        look = {"cmap": hues if self.words else "cividis"} | self.look | style
        layer, empty = image(self.numbers, **look), np.isnan(self.numbers)
        if not self.words and not empty.all():
            ax.figure.colorbar(layer, ax=ax, label=self.label)
        labels = [(layer.to_rgba(k), word) for k, word in enumerate(self.words)]
        for some, colour, name in self.covers:
            image(np.where(some, 0, np.nan), cmap=ListedColormap([colour]))
            labels.append((colour, name))
            empty &= ~some
        box: dict[str, Any] = {"markersize": 9, "markeredgecolor": figures.ink()}
        for colour, name in labels:
            text = figures.label(name, _MOST_SHOWN)
            ax.plot([], [], "s", color=colour, label=text, **box)
        if np.count_nonzero(~empty) < np.prod(shape):
            # Opaque: a file of SVG would have no lines otherwise.
            hatch: dict[str, Any] = {"facecolor": figures.paper(), "hatch": "///"}
            hatch |= {"edgecolor": _MIXED, "linewidth": 0}
            ax.patch.set(**hatch)
            ax.fill([], [], label="no decision", **hatch)
        self._write(ax, layer.to_rgba(np.ma.masked_invalid(self.numbers)), max(shape))
        for axis, values in zip((ax.yaxis, ax.xaxis), self.axes, strict=True):
            _label(axis, values, lines=max(shape) <= _MOST_LETTERS)

    def _write(self, ax: Axes, colours: NDArray[Any], side: int) -> None:
        """Write into squares what they show, if they are large, and mark some."""
        texts = [""] * len(self.numbers)
        if (self.words or self.signs) and side <= _MOST_LETTERS:
            letters = _letters(self.words or (self.signs[0], "", self.signs[-1]))
            index = self.numbers if self.words else np.sign(self.numbers) + 1
            texts = ["" if np.isnan(k) else letters[int(k)] for k in index]
        elif side <= _MOST_NUMBERS:
            places = 2 - floor(log10(np.nanmax(np.abs(self.numbers), initial=0) or 1))
            rounded = [round(x, places) for x in self.numbers.tolist()]
            texts = ["" if isnan(x) else short(x, 4) for x in rounded]
        size = min(9, 360 / side / max(1, *map(len, texts)))
        centres = self.squares.keys + [axis.first for axis in self.axes]
        middle: dict[str, Any] = {"ha": "center", "va": "center", "size": size}
        for (y, x), text, colour in zip(centres.tolist(), texts, colours, strict=True):
            if text:
                look = middle | {"color": figures.ink_on(colour)}
                ax.text(x, y, figures.label(text), **look)
        some, name = self.dots
        if some.any():
            y, x = (centres[some] + ([-0.3, 0.3] if any(texts) else [0, 0])).T
            dot: dict[str, Any] = {"color": "black", "markeredgecolor": "white"}
            dot |= {"markersize": max(2, min(5, 150 / side)), "markeredgewidth": 0.3}
            ax.plot(x, y, "o", label=name, **dot)


def _name(field: Any, argument: str) -> str:
    """Return the name of a field, or of a callable, for an axis."""
    if callable(field):
        name = arguments.function_name(field)
        return argument if name == "<lambda>" else name.replace("_", " ")
    return field if isinstance(field, str) else f"state[{field}]"


def _letters(words: Sequence[str]) -> list[str]:
    """Return the first letters of words, as many as tell them apart, up to three."""
    for count in (1, 2, 3):
        letters = [word.strip()[:count] for word in words]
        if len({*letters}) == len(letters):
            return letters
    return [""] * len(words)


def _label(axis: Any, words: _Axis, *, lines: bool) -> None:
    """Label an axis, and draw lines between squares."""
    count = len(words.values)
    if words.values == list(range(words.first, words.first + count)):
        axis.get_major_locator().set_params(integer=True, min_n_ticks=1)
    else:
        step = ceil(count / _MOST_TICKS)
        values = words.values[::step]
        numbers = int, float, Fraction
        texts = [
            short(x, 4) if isinstance(x, numbers) else figures.label(x) for x in values
        ]
        axis.set_ticks(range(0, count, step), texts)
        if axis.axis_name == "x" and sum(map(len, texts)) > _MOST_SHOWN:
            axis.set_tick_params(rotation=30)
    axis.set_label_text(words.name)
    if lines:
        axis.set_ticks(words.first + np.arange(1, count) - 0.5, minor=True)
        axis.set_tick_params(which="minor", length=0)
        axis.grid(which="minor", color=figures.paper(), linewidth=0.8)
