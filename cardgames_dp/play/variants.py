"""Variants of a game: one made and solved for each combination of some parameters."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from itertools import product
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np

from cardgames_dp import diagonal, exact
from cardgames_dp._graph.explored import explore
from cardgames_dp._graph.explored_record import ExploredRecord
from cardgames_dp._graph.lookup import LookupValues, lookup_values
from cardgames_dp._graph.solution import Solution, as_solution
from cardgames_dp._graph.variants import solve_together
from cardgames_dp._results import figures
from cardgames_dp._results.records import Result, brief
from cardgames_dp._results.tables import Table
from cardgames_dp._support import arguments, executors
from cardgames_dp._support.calls import suggest_arguments
from cardgames_dp._support.printing import vector_text
from cardgames_dp._support.running import refuse_too_large, with_progress

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MOST_COMPARED = 100_000
"""Tables compare the best actions of games with at most this many states."""

_VARIANT_BYTES = 1000
"""About the least memory of a variant: its combination and a small solution."""

_MOST_ROWS, _MOST_LETTERS = 100, 60
"""The most rows of a printed table, and the most letters of a refusal there."""

_FACTS = ("best at the start", "changed", "refused")
"""The columns of a table that are left out if they say nothing."""

_MARKERS = "os^Dv*X"
"""Seven for five colours, so that no two of 35 lines look alike."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Variants(Result):
    """The solutions of variants of a game; made by :func:`variants`.

    It prints as a table with a row for each variant: the values of the axes, what the
    players can expect, the best actions at the start, and in how many states, among
    those that are also in the previous solved variant, none of the best actions there
    is a best one here.

    ``len`` is the number of variants. Iteration yields their combinations, and
    ``table[combination]`` is the solution of one.

    Attributes
    ----------
    axes : tuple of str
        The names of the axes.
    combinations : tuple
        The values of the axes for each variant: single values if there is one axis,
        otherwise tuples. The last axis varies fastest.

    Examples
    --------
    >>> from cardgames_dp import play, redblack
    >>> def deck(red, fee):
    ...     return redblack.game(red, 3, rules=redblack.Rules(fee=fee))
    >>> table = play.variants(deck, red=[3, 4], fee=[0, "1/5"])
    >>> table[3, "1/5"].value, table.values[4, 0]
    (Fraction(4, 25), Fraction(58, 35))
    >>> table.changed((3, 0), (3, "1/5"))[redblack.State(red=2, black=3)]
    (('draw',), ('stop',))
    """

    axes: tuple[str, ...]
    combinations: tuple[Any, ...]
    _outcomes: tuple[Solution[Any, Any, Any] | str, ...] = field(repr=False)

    @property
    def solutions(self) -> dict[Any, Solution[Any, Any, Any]]:
        """The solution of each variant that was solved, by combination."""
        pairs = zip(self.combinations, self._outcomes, strict=True)
        return {key: each for key, each in pairs if not isinstance(each, str)}

    @property
    def refused(self) -> dict[Any, str]:
        """Why the other variants were refused, by combination."""
        pairs = zip(self.combinations, self._outcomes, strict=True)
        return {key: each for key, each in pairs if isinstance(each, str)}

    @property
    def values(self) -> dict[Any, Any]:
        """What the first player can expect at the start, by combination."""
        return {key: each.value for key, each in self.solutions.items()}

    _derived = ("values", "refused")

    def __len__(self) -> int:
        return len(self.combinations)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.combinations)

    def __getitem__(self, combination: Any) -> Solution[Any, Any, Any]:
        if combination not in self.combinations:
            raise KeyError(
                f"there is no variant with {', '.join(self.axes)} = "
                f"{arguments.shown(combination)}, but with "
                f"{arguments.shown(self.combinations)}"
            )
        outcome = self._outcomes[self.combinations.index(combination)]
        if isinstance(outcome, str):
            text = arguments.shown(combination)
            raise KeyError(f"the variant {text} was refused: {outcome}")
        return outcome

    def changed(
        self, one: Any, other: Any
    ) -> dict[Any, tuple[tuple[Any, ...], tuple[Any, ...]]]:
        """Return where two variants have no best action in common.

        Parameters
        ----------
        one, other
            The combinations of the variants.

        Returns
        -------
        dict of State to pair of tuple of Action
            For each state of both games in which this is so, the best actions in one
            and in the other.

        Raises
        ------
        KeyError
            If there is no such variant, or it was refused.
        """
        first, second = self[one].optimal_actions, self[other].optimal_actions
        return _changed(dict(first.items()), dict(second.items()))

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the value of the first player over the first axis of numbers.

        It is the first that has several. Each combination of the other axes is a line,
        with gaps where variants were refused.

        Parameters
        ----------
        ax : matplotlib Axes, optional

        Returns
        -------
        matplotlib Axes

        Raises
        ------
        ValueError
            If no axis has numbers only, or there are numbers beyond 1e100.
        ModuleNotFoundError
            If matplotlib is not installed (the extra ``plot``).
        """
        every = self._by_axis()
        numeric = [axis for axis in self.axes if all(map(_is_number, every[axis]))]
        if not numeric:
            raise ValueError(
                f"a picture needs an axis of numbers, got {', '.join(self.axes)} only"
            )
        several = [axis for axis in numeric if len(set(every[axis])) > 1]
        name = (several or numeric)[0]
        across = every.pop(name)
        others = [*zip(*every.values(), strict=True)] or [()] * len(across)
        x = figures.drawable(name, np.array(across, dtype=object))
        worth = [math.nan if isinstance(s, str) else s.value for s in self._outcomes]
        y = figures.drawable("values", np.array(worth, dtype=object))
        ax = figures.axes(ax)
        for i, line in enumerate(dict.fromkeys(others)):
            rows = np.array([k for k, other in enumerate(others) if other == line])
            rows = rows[np.argsort(x[rows])]
            pairs = zip(every, map(_text, line), strict=True)
            label = ", ".join([f"{axis}={value}" for axis, value in pairs]) or None
            colour = figures.COLOURS[i % len(figures.COLOURS)]
            mark = _MARKERS[i % len(_MARKERS)]
            ax.plot(x[rows], y[rows], marker=mark, ms=5, color=colour, label=label)
        if np.array_equal(x, x.round()):
            ax.locator_params(axis="x", integer=True, min_n_ticks=1)
        ax.set_xlabel(name)
        ax.set_ylabel("value")
        figures.title(ax, f"Value by {name}")
        return ax

    def _by_axis(self) -> dict[str, list[Any]]:
        """Return the values of each axis, variant by variant."""
        rows = self.combinations
        if len(self.axes) == 1:
            return {self.axes[0]: [*rows]}
        return {name: [row[i] for row in rows] for i, name in enumerate(self.axes)}

    def _columns(self) -> tuple[Any, dict[str, list[Any]]]:
        """Return the axes, and the columns beside them that say anything."""
        solved = self.solutions.values()
        players = max([len(each.payoffs) for each in solved], default=1)
        names = ["value"] if players == 1 else [f"player {i}" for i in range(players)]
        before: dict[Any, Any] | None = None
        rows = list[list[Any]]()
        for each in self._outcomes:
            if isinstance(each, str):
                rows.append([*[None] * (players + 2), each])
                continue
            actions, changed = each.optimal_actions, None
            best = ", ".join(map(str, actions.get(each.initial_state, ())))
            if self._is_small:
                now = dict(actions.items())
                changed = None if before is None else len(_changed(before, now))
                before = now
            missing = [None] * (players - len(each.payoffs))
            rows.append([*each.payoffs, *missing, best or None, changed, None])
        columns = map(list, zip(*rows, strict=True))
        by_name = dict(zip([*names, *_FACTS], columns, strict=True))
        empty = [name for name in _FACTS if set(by_name[name]) == {None}]
        return self._by_axis(), {k: v for k, v in by_name.items() if k not in empty}

    def _table(self) -> Table:
        axes, columns = self._columns()
        columns = {k: ["" if x is None else x for x in v] for k, v in columns.items()}
        if "refused" in columns:
            columns["refused"] = [_cut(text) for text in columns["refused"]]
        cells = [*(list(map(_text, each)) for each in axes.values()), *columns.values()]
        head = [*axes, *columns]
        words = {*range(len(axes)), *[head.index(x) for x in _FACTS[::2] if x in head]}
        note = "changed: states shared with the last solved row"
        note += ", with no best action in common"
        if not self._is_small:
            note = f"changes are not counted: over {_MOST_COMPARED} states; see changed"
        notes = [note] * ("changed" in columns or not self._is_small)
        rows = [*zip(*cells, strict=True)]
        return Table(head, rows, notes, left=words, first="variants", most=_MOST_ROWS)

    @property
    def _is_small(self) -> bool:
        """Whether it takes no time to compare the best actions of all states."""
        sizes = map(num_states, self.solutions.values())
        return all(size <= _MOST_COMPARED for size in sizes)


@suggest_arguments
def variants(
    make: Callable[..., Any],
    /,
    *,
    solve: Callable[[Any], Any] = exact.solve,
    executor: Executor | None = None,
    **axes: Iterable[Hashable],
) -> Variants:
    """Make and solve a game for each combination of some parameters.

    Grade: exact, or that of the solutions that `solve` returns.

    Parameters
    ----------
    make : callable
        A function or class that takes the parameters by name and returns a game in any
        form. The states of the game may depend on them.
    solve : callable, default `cardgames_dp.exact.solve`
        A function of a game that returns its solution, such as
        :func:`cardgames_dp.diagonal.solve`, by which variants with the same moves are
        solved side by side, ``functools.partial(exact.solve, tie_break="last")``, or
        :func:`best_response` to given policies.
    executor : concurrent.futures.Executor, optional
        Where to make and solve the variants in parallel (:doc:`/cluster`). Processes
        need `make` and `solve` that can be pickled: functions of a module.
    **axes : iterable
        For each parameter, its values: hashable, and all different.

    Returns
    -------
    Variants
        The solutions, by combination of values; prints as a table. A variant that
        `make` or `solve` refuses with a ValueError, as a `GameError` is, has a row with
        the message.

    Raises
    ------
    TypeError, ValueError
        If `make` cannot be called with these parameters, an axis is no iterable, is
        empty, or has a value twice, or `solve` does not return a solution of one
        game. Errors that are no ValueErrors are raised with a note of the variant.
    TooLargeError
        If there are more variants than memory holds.

    Examples
    --------
    Red/black with a fee for each card drawn:

    >>> from cardgames_dp import play, redblack
    >>> def deck(red, fee):
    ...     return redblack.game(red, 3, rules=redblack.Rules(fee=fee))
    >>> print(play.variants(deck, red=[3, 4], fee=[0, "1/5", -1]))
    red  fee     value  best at the start  changed  refused
    3    0        0.85  draw
    3    1/5      0.16  draw                     1
    3    -1                                         fee must be a finite int, Frac...
    4    0     1.65714  draw                     1
    4    1/5  0.617143  draw                     1
    4    -1                                         fee must be a finite int, Frac...
    (changed: states shared with the last solved row, with no best action in common)
    """
    items = _checked(make, axes)
    if not callable(solve):
        raise arguments.wrong_type("solve must be a function of a game", solve)
    executor = executors.check_executor(executor)
    count = math.prod(map(len, items.values()))
    what = f"a table of {count} variants"
    refuse_too_large(what, _VARIANT_BYTES * count, "give fewer values")
    combinations = [*product(*items.values())]
    outcomes = _solve_all(make, solve, [*items], combinations, executor)
    keys = combinations if len(items) > 1 else [key for (key,) in combinations]
    return Variants(tuple(items), tuple(keys), outcomes)


def _checked(make: Any, axes: dict[str, Any]) -> dict[str, list[Any]]:
    """Return the values of each axis, if `make` can be called with them."""
    if not callable(make):
        raise arguments.wrong_type("make must be a function that returns a game", make)
    if not axes:
        raise TypeError("variants needs an axis, such as fee=[0, 1], got none")
    try:
        signature = inspect.signature(make)
        signature.bind_partial(**axes)  # first, as a misspelt word is also missing
        signature.bind(**axes)
    except ValueError:  # a function of C may have no signature
        pass
    except TypeError as error:
        raise TypeError(
            f"make must take the axes by name, {', '.join(axes)}, and nothing else: "
            f"{error}; it is {arguments.function_name(make)}{signature}"
        ) from None
    return {name: _values(f"axis {name}", items) for name, items in axes.items()}


def _values(name: str, items: Any) -> list[Any]:
    """Return the values of an axis: at least one, hashable, and all different."""
    arguments.iterable(f"{name} must be an iterable of values", items)
    items = arguments.limited_items(name, items)
    values = items.tolist() if isinstance(items, np.ndarray) else list(items)
    texts = set()
    for value in values:
        try:
            hash(value)
        except TypeError:
            must = f"{name} must have hashable values"
            raise arguments.wrong_type(must, value) from None
        if value in texts:
            twice = f"{arguments.shown(value)} twice"
            raise ValueError(f"{name} must have different values, got {twice}")
        texts.add(value)
    if not values:
        raise ValueError(f"{name} must have at least one value, got none")
    return values


def _solve_all(
    make: Any, solve: Any, names: list[str], rows: list[Any], executor: Executor | None
) -> tuple[Solution[Any, Any, Any] | str, ...]:
    """Return the solution of each variant, or why it was refused, in their order."""
    if solve is diagonal.solve and executor is None:
        return _solve_in_float64(make, names, rows)
    shared = make, solve, names

    def name(row: tuple[Any, ...]) -> str:
        return ", ".join(f"{n}={v!r}" for n, v in zip(names, row, strict=True))

    steps = executors.map_items(_outcome, shared, rows, executor=executor, name=name)
    outcomes = dict(with_progress(steps, len(rows), "variants"))
    return tuple([outcomes[number] for number in range(len(rows))])


def _solve_in_float64(
    make: Any, names: list[str], rows: list[Any]
) -> tuple[Solution[Any, Any, Any] | str, ...]:
    """Return solutions, or refusals, where games with the same moves share a sweep."""

    def solve_or_explore(game: Any) -> Any:
        quick = lookup_values(game, "float64", "first")
        return explore(game) if quick is None else diagonal.solve(game)

    shared = make, solve_or_explore, names
    steps = with_progress(
        (_outcome(shared, row) for row in rows), len(rows), "variants"
    )
    outcomes: list[Any] = list(steps)
    explored = [
        i for i, each in enumerate(outcomes) if isinstance(each, ExploredRecord)
    ]
    together = solve_together([outcomes[i] for i in explored], "first")
    for i, each in zip(explored, together, strict=True):
        outcomes[i] = str(each) if isinstance(each, ValueError) else each
    return tuple(outcomes)


def _outcome(shared: Any, row: tuple[Any, ...]) -> Any:
    make, solve, names = shared
    try:
        result = solve(make(**dict(zip(names, row, strict=True))))
    except ValueError as error:
        return str(error) or type(error).__name__
    if isinstance(result, ExploredRecord) and result.num_variants is None:
        return result
    solution = as_solution(result)
    if solution is None or solution._source.num_variants is not None:
        raise arguments.wrong_type("solve must return a Solution of one game", result)
    return solution


def _changed(one: Mapping[Any, Any], other: Mapping[Any, Any]) -> dict[Any, Any]:
    """Return the states of both in which they have no best action in common."""
    return {
        state: (best, other[state])
        for state, best in one.items()
        if state in other and set(best).isdisjoint(other[state])
    }


def num_states(solution: Solution[Any, Any, Any]) -> int:
    """Return the number of states; of a game's own solver, without exploring it."""
    source = solution._source
    if not isinstance(source, LookupValues):
        return solution.num_states
    count: int = source.game._num_states
    return count


def _is_number(value: object) -> bool:
    return isinstance(value, Real | Decimal) and not isinstance(value, bool)


def _text(value: object) -> str:
    """Return the value of an axis as text."""
    if isinstance(value, Fraction):
        return vector_text(value)
    return brief(value) if isinstance(value, int | float) else _cut(str(value))


def _cut(text: str) -> str:
    return text if len(text) <= _MOST_LETTERS else text[: _MOST_LETTERS - 1] + "…"
