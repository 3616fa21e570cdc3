"""Short rules: strategies in a few lines that a person can remember, with their price.

A rule is a list of lines, of which the first that fits decides. What it costs is not
estimated: the game in which the rule is followed is solved.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Generic

import numpy as np

from cardgames_dp._graph.decisions import Decisions, decisions_of
from cardgames_dp._graph.graph import Exact, Integers
from cardgames_dp._graph.solution import Number, Solution, as_solution
from cardgames_dp._results import figures
from cardgames_dp._results.records import Action, Result, State
from cardgames_dp._results.tables import Table
from cardgames_dp._support import arguments
from cardgames_dp._support.arguments import Backend
from cardgames_dp._support.calls import suggest_arguments
from cardgames_dp._support.printing import short
from cardgames_dp.play._kernels.chain import fixed
from cardgames_dp.play.decision_lists import MOST_LINES, Box, List, Search
from cardgames_dp.play.evaluation import solved
from cardgames_dp.play.policies import weighed

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_ROUNDING = 1e-9
"""The share of a loss by which sums of floats may exceed it."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ShortRule(Result, Generic[State, Action, Number]):
    """A strategy in a few lines, and what it costs; made by :func:`short_rule`.

    It prints as a list of lines, and is a policy for all functions of
    `cardgames_dp.play`.

    Attributes
    ----------
    player : int
        The player whose rule it is.
    lines : tuple of str
        The lines. The first whose conditions hold, and whose action is legal, decides;
        if there is none, the first legal action is taken.
    loss : Fraction or float
        What the rule costs its player, from the start, against the solution.
    error : float
        A bound on the error of `loss`; 0 for Fractions.
    curve : tuple of float
        The least loss that was found with 1, 2, ... lines.
    solution : Solution
        The game in which the rule is followed: what all players can expect then, and
        the rule as the policy of its player.

    Examples
    --------
    >>> from cardgames_dp import exact, play, redblack
    >>> solution = exact.solve(redblack.game(6, 6))
    >>> rule = play.short_rule(solution, {"reds": "red", "blacks": "black"}, 0.5)
    >>> rule.lines
    ('If reds 1 or more: draw.', 'Otherwise: stop.')
    >>> rule.loss, play.evaluate(solution, rule, backend="exact").value
    (Fraction(86, 231), Fraction(6, 7))
    >>> rule.policy[redblack.State(red=0, black=2)], rule.curve
    ('stop', (1.2294..., 0.3722...))
    """

    player: int
    lines: tuple[str, ...]
    loss: Number
    error: float
    curve: tuple[float, ...]
    solution: Solution[State, Action, Number]

    @property
    def policy(self) -> Mapping[State, Action]:
        """The rule: an action for every state in which its player moves."""
        return self.solution.policy

    _repr_fields = ("player", "lines", "loss")

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the least loss that was found over the number of lines.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; a new figure if not given.

        Returns
        -------
        matplotlib Axes

        Raises
        ------
        ModuleNotFoundError
            If matplotlib is not installed (the extra ``plot``).
        """
        ax = figures.axes(ax)
        counts = range(1, len(self.curve) + 1)
        ax.plot(counts, self.curve, "o-", color=figures.COLOURS[0])
        ax.set(xlabel="lines", ylabel="loss", xticks=counts)
        ax.set_ylim(bottom=0)
        figures.title(ax, "What a rule costs, by its number of lines")
        return ax

    def _table(self) -> Table:
        best: Any = self.solution.payoffs[self.player]
        best += self.loss
        doubt = f", within {self.error:.0e}" if self.error else ""
        cost = f"costs {short(self.loss)} of {short(best)}{doubt}"
        note = f"{cost}, from the start, against the solution"
        rows = list(
            zip(map(str, range(1, len(self.lines) + 1)), self.lines, strict=True)
        )
        return Table(("line", "what to do"), rows, [note], left=(0, 1))


@suggest_arguments
def short_rule(
    solution: Any,
    features: Mapping[str, str | int | Callable[[Any], Any]],
    loss: float | Fraction,
    *,
    player: int = 0,
    seconds: float | None = None,
) -> ShortRule[Any, Any, Any]:
    """Return a rule of few lines that costs a player at most a given loss.

    A rule is a *decision list* [1]_: the first line whose conditions hold decides. The
    search is a heuristic, so a shorter rule may exist; its price is that of the game in
    which the rule is followed. Rules with which a game might never end, from any
    state, are left out.

    Grade: exact, or certified by `ShortRule.error` in float64.

    Parameters
    ----------
    solution : Solution or Response
        The solution of a game in any form, whose arithmetic prices the rule. The other
        players follow it. The best response to an opponent gives a rule against that
        opponent.
    features : mapping of str to field or callable
        What conditions are about: a name, and a field of a state ("red",
        "hand.total", or the number of an item), or a function of a state that returns
        a number, a word or a bool. "If soft and hand 17 or less" has two.
    loss : int, Fraction, Decimal or float
        What the rule may cost at the start, against the solution. For at most k lines,
        give the ``curve[k - 1]`` of an earlier rule.
    player : int, default 0
        The player whose rule it is.
    seconds : float, optional
        The search stops after about this time, plus that of pricing one rule, with the
        best rule so far, which may depend on the machine. Otherwise it ends by itself,
        after seconds or, for a million states, hours.

    Returns
    -------
    ShortRule
        The lines and their price; a policy for all functions of `cardgames_dp.play`.

    Raises
    ------
    TypeError, ValueError
        If an argument has the wrong type, the player never decides, there is no such
        field, or a feature has no number or word for a state. Also if no rule of ten
        lines that costs so little is found, or not in time; a note of the error has the
        best one.

    References
    ----------
    .. [1] Ronald L. Rivest, "Learning decision lists", Machine Learning 2 (1987),
       229-246.

    Examples
    --------
    When to stop with 26 red and 26 black cards:

    >>> from cardgames_dp import play, redblack
    >>> solution = redblack.solve(26, 26)
    >>> features = {
    ...     "ahead": lambda state: state.black - state.red,
    ...     "cards left": lambda state: state.red + state.black,
    ... }
    >>> print(play.short_rule(solution, features, 0.5))
    line  what to do
    1     If ahead 3 or more and cards left 29 or less: stop.
    2     Otherwise: draw.
    (costs 0.461055 of 2.62448, within ..., from the start, against the solution)
    """
    source, most = as_solution(solution), float(arguments.finite("loss", loss))
    if source is None:
        raise arguments.wrong_type("solution must be a solution of a game", solution)
    if most < 0:
        raise arguments.wrong_value("loss must be at least 0", loss)
    until = math.inf
    if seconds is not None:
        until = time.monotonic() + float(arguments.amount("seconds", seconds))
    table = decisions_of(source)
    table = table[table.players == arguments.integer("player", player)]
    if not len(table):
        must = "player must be one who decides somewhere in the solution"
        raise arguments.wrong_value(must, player)
    must = "values of solution must fit in floats, for the search"
    arguments.nearest_float(must, np.abs(table.worth).max())
    values, ranks = _values(table, features)
    backend: Backend = "float64" if source.denominators is None else "exact"
    weights = weighed(source.explored, source, backend)
    search = Search(source.explored, table, ranks, weights, until)
    limit = most * (1 + _ROUNDING)
    lines, curve = search.find(limit)
    within = f"with at most {MOST_LINES} lines"
    within += "" if seconds is None else f" in {seconds} seconds"
    if not math.isfinite(curve[-1]):
        must = "features must allow a rule with which all games end, and none was found"
        raise ValueError(f"{must} {within}")
    texts = _texts(lines, values, table.names)
    followed = _followed(source, search.weights(search.actions(lines)), backend)
    cost = source.payoffs[player] - followed.payoffs[player]
    error = source.error + followed.error
    error += abs(cost) * 2.0**-52 * (error > 0)
    rule = ShortRule(player, texts, max(cost, 0 * cost), error, curve, followed)
    if rule.loss > limit + error:
        must = f"loss must be at least {short(rule.loss)} for the best rule found"
        refused = arguments.wrong_value(f"{must} {within}", loss)
        refused.add_note(str(rule))
        raise refused
    return rule


def _values(table: Decisions, features: Any) -> tuple[dict[str, list[Any]], Integers]:
    """Return the values of features, in order, and those of all states as ranks."""
    if not isinstance(features, Mapping) or {*map(type, features)} != {str}:
        must = "features must be a mapping of names to fields of a state or functions"
        raise arguments.wrong_type(must, features)
    values, ranks = {}, []
    for name, field in features.items():
        column = table.states.column(field, f"features[{name!r}]").tolist()
        ordered = sorted(set(column), key=lambda x: (isinstance(x, str), x))
        number = {value: rank for rank, value in enumerate(ordered)}
        values[str(name)] = ordered
        ranks.append([number[value] for value in column])
    return values, np.array(ranks)


def _texts(lines: List, values: Any, names: Any) -> tuple[str, ...]:
    """Return lines as sentences."""
    defaults = ["If you can"] * len(lines)  # for an action that need not be legal
    defaults[-1] = "Otherwise" if len(lines) > 1 else "Always"
    both = zip(lines, defaults, strict=True)
    return tuple([_text(box, values, default, names[k]) for (box, k), default in both])


def _text(box: Box, values: dict[str, list[Any]], default: str, action: object) -> str:
    """Return a line as a sentence."""
    conditions = []
    for (low, high), (name, ordered) in zip(box, values.items(), strict=True):
        some = [x if isinstance(x, str) else short(x) for x in ordered[low : high + 1]]
        if some[0] in ("False", "True"):
            conditions.append(name if low else f"not {name}")
        elif len(some) == 1 or isinstance(ordered[high], str):
            conditions.append(f"{name} {' or '.join(some)}")
        elif low == 0:
            conditions.append(f"{name} {some[-1]} or less")
        elif high == len(ordered) - 1:
            conditions.append(f"{name} {some[0]} or more")
        else:
            conditions.append(f"{name} {some[0]} to {some[-1]}")
        if len(some) == len(ordered):
            conditions.pop()
    when = f"If {' and '.join(conditions)}" if conditions else default
    return f"{when}: {action}."


def _followed(solution: Any, weights: Exact, backend: Backend) -> Any:
    """Return the solution of a game in which all players take moves by weights."""
    graph, chosen = solution.explored.graph, solution.chosen.copy()
    arrays = solved(solution.explored, fixed(graph, weights)[0], backend)._arrays
    flags = np.repeat(graph.players >= 0, np.diff(graph.offsets)) & (weights > 0)
    moves = np.flatnonzero(flags)[::-1]  # the first of several comes last, and stays
    places = np.searchsorted(graph.offsets, moves, side="right") - 1
    chosen[places] = moves - graph.offsets[places]
    rule = {"explored": solution.explored, "tie_break": solution.tie_break}
    return Solution(replace(arrays, optimal=flags, chosen=chosen, **rule))
