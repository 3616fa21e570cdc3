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
from typing import TYPE_CHECKING, Any, Generic, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._graph.decisions import Decisions, decisions_of
from cardgames_dp._graph.graph import Exact, Floats, Integers, spans
from cardgames_dp._graph.solution import Number, Solution, general
from cardgames_dp._results import figures
from cardgames_dp._results.records import Action, Result, State, brief
from cardgames_dp._results.tables import Table
from cardgames_dp._support import arguments
from cardgames_dp._support.arguments import Backend
from cardgames_dp._support.calls import suggest_arguments
from cardgames_dp._support.printing import counted, short
from cardgames_dp._support.running import refuse_too_large
from cardgames_dp.game import GameError
from cardgames_dp.play._kernels.chain import fixed
from cardgames_dp.play._kernels.decision_lists import MOST_LINES, Line, Search
from cardgames_dp.play._kernels.visits import expected_visits, refuse_endless
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
        A bound of the error of `loss`; 0 for Fractions.
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
    >>> rule.loss, play.evaluate(solution, rule, backend="exact").value
    >>> rule.policy[redblack.State(red=2, black=4)], rule.curve
    """

    player: int
    lines: tuple[str, ...]
    loss: Number
    error: float
    curve: tuple[float, ...]
    solution: Solution[State, Action, Number]

    @property
    def value(self) -> Number:
        """What the first player can expect at the start."""
        return self.solution.value

    @property
    def payoffs(self) -> tuple[Number, ...]:
        """What each player can expect at the start."""
        return self.solution.payoffs

    @property
    def policy(self) -> Mapping[State, Action]:
        """The rule: an action for every state in which its player moves."""
        return self.solution.policy

    _told = ("player", "lines", "loss")
    _derived = ("payoffs",)

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
        best: Any = self.payoffs[self.player] + self.loss
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
    which the rule is followed. Rules with which a game might never end are left out.

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
        What the rule may cost at the start, against the solution.
    player : int, default 0
        Whose rule it is.
    seconds : float, optional
        After about so many seconds, and the time to price one rule, the best rule found
        by then is taken; another machine may find another. Otherwise the search ends by
        itself, after seconds or, for a million states, hours.

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
    TooLargeError
        If states and different actions would not fit in memory.

    References
    ----------
    .. [1] R. L. Rivest, "Learning decision lists", Machine Learning 2 (1987), 229-246.

    Examples
    --------
    When to stop with 26 red and 26 black cards:

    >>> from cardgames_dp import play, redblack
    >>> solution = redblack.solve(26, 26)
    >>> features = {
    ...     "ahead": lambda state: state.black - state.red,
    ...     "cards left": lambda state: state.red + state.black,
    ... }
    >>> print(play.short_rule(solution, features, 0.025))
    """
    known = general(solution)
    if known is None:
        raise arguments.wrong_type("solution must be a solution of a game", solution)
    most = float(arguments.finite("loss", loss))
    if most < 0:
        raise arguments.wrong_value("loss must be at least 0", loss)
    until = math.inf
    if seconds is not None:
        until = time.monotonic() + float(arguments.amount("seconds", seconds))
    player = arguments.integer("player", player)
    table = decisions_of(known)
    table = table[table.players == player]
    if not len(table):
        must = "player must be one who decides in some state of the solution"
        raise arguments.wrong_value(must, player)
    columns = _columns(table, features)
    game = _Followed.of(known, table, player, until)
    ranks = np.stack([column.ranks for column in columns])
    search = Search(ranks, game.given_up, game.best_visits, game.price, game.worth)
    limit = most * (1 + _ROUNDING)
    lines, curve = search.find(limit)
    texts = _texts(lines, columns, table.names)
    rule = game.rule(search.actions(lines), texts, tuple(curve))
    if rule.loss > limit + rule.error:
        within = "" if seconds is None else f" or {short(float(seconds))} seconds"
        error = ValueError(
            f"loss {short(most)} is not reached in {MOST_LINES} lines{within}: the best "
            f"rule found costs {short(rule.loss)}; allow more, or give other features"
        )
        error.add_note(str(rule))
        raise error
    return rule


class _Column(NamedTuple):
    """A feature of all states.

    Attributes
    ----------
    name : str
    values : list
        Its values, in order.
    ranks : ndarray of int
        By state: the number of its value among them.
    yes : bool
        Whether it holds or does not.
    """

    name: str
    values: list[Any]
    ranks: Integers
    yes: bool = False

    def text(self, low: int, high: int) -> str:
        """Return the condition that the rank is in an interval."""
        if self.yes:
            head, _, tail = self.name.partition(" is ")
            return (
                self.name if low else f"{head} is not {tail}" if tail else f"not {head}"
            )
        first, last = [short(self.values[rank]) for rank in (low, high)]
        if low == high:
            return f"{self.name} {first}"
        if low == 0:
            return f"{self.name} {last} or less"
        if high == len(self.values) - 1:
            return f"{self.name} {first} or more"
        return f"{self.name} {first} to {last}"


def _columns(table: Decisions, features: Any) -> list[_Column]:
    """Return the features of states; one with words is one for each word."""
    if not isinstance(features, Mapping) or not features:
        must = "features must be a mapping of names to fields of a state, or functions"
        raise arguments.wrong_type(must, features)
    columns = []
    for name, field in features.items():
        argument = f"features[{name!r}]"
        column = table.states.column(field, argument)
        plain = column.tolist()
        words = [isinstance(value, str) for value in plain]
        if any(words) and not all(words):
            both = plain[words.index(True)], plain[words.index(False)]
            must = f"{argument} must be a number in all states, or a word in all"
            raise TypeError(f"{must}, got {both[0]!r} and {both[1]!r}")
        values = sorted(set(plain))
        number = {value: rank for rank, value in enumerate(values)}
        ranks = np.array([number[value] for value in plain])
        if any(words):
            columns += [
                _Column(
                    f"{name} is {word}", [False, True], (ranks == rank) * 1, yes=True
                )
                for rank, word in enumerate(values)
            ]
        else:
            yes = column.dtype == np.bool_
            columns.append(_Column(str(name), values, ranks, yes and len(values) == 2))
    return columns


def _texts(
    lines: tuple[Line, ...], columns: list[_Column], names: tuple[Any, ...]
) -> tuple[str, ...]:
    """Return lines as sentences."""
    texts = []
    for number, (box, action) in enumerate(lines):
        conditions = [
            column.text(low, high)
            for column, (low, high) in zip(columns, box, strict=True)
            if (low, high) != (0, len(column.values) - 1)
        ]
        when = f"If {' and '.join(conditions)}" if conditions else "Otherwise"
        when = when if len(lines) > 1 or number else "Always"
        texts.append(f"{when}: {names[action]}.")
    return tuple(texts)


@dataclass(frozen=True, slots=True, eq=False)
class _Followed:
    """A game in which a player follows some actions, and the others a solution.

    Attributes
    ----------
    solution : Solution
    table : Decisions
        The states of the player.
    player : int
    until : float
        The time after which nothing is priced.
    places, rows : ndarray of int
        The places where the player moves, and their rows in the table.
    moves : ndarray of int, shape (states, actions)
        By row and action: the rank of the move among those of the state; -1 if the
        action is not legal.
    given_up : ndarray of float64, shape (states, actions)
    weights : ndarray of int or object
        The weights of the moves of chance and of the others.
    """

    solution: Solution[Any, Any, Any]
    table: Decisions
    player: int
    until: float
    places: Integers
    rows: Integers
    moves: Integers
    given_up: Floats
    weights: Exact

    @classmethod
    def of(
        cls,
        solution: Solution[Any, Any, Any],
        table: Decisions,
        player: int,
        until: float,
    ) -> _Followed:
        """Return a game by its solution."""
        explored, shape = solution.explored, (len(table), len(table.names))
        refuse_too_large(
            f"a rule for {shape[0]} states and {shape[1]} actions",
            100 * shape[0] * shape[1],
            "rules are for games with few different actions",
        )
        graph, rows, counts = explored.graph, table.rows, np.diff(table.offsets)
        moves, given_up = np.full(shape, -1), np.full(shape, np.nan)
        ranks = np.arange(len(rows)) - np.repeat(table.offsets[:-1], counts)
        moves[rows, table.actions] = ranks
        gaps = np.maximum(np.repeat(table.values, counts) - table.worth, 0)
        given_up[rows, table.actions] = np.where(table.best, 0, gaps).astype(float)
        places = np.flatnonzero(graph.players == player)
        backend = "float64" if solution.denominators is None else "exact"
        weights = weighed(explored, solution, backend)
        own = spans(graph.offsets[places], np.diff(graph.offsets)[places])
        weights[own] = 0
        return cls(
            solution,
            table,
            player,
            until,
            places,
            np.searchsorted(table.places, explored.representatives[places]),
            moves,
            given_up,
            weights,
        )

    def _graph(self, taken: Integers) -> Any:
        """Return the graph of the game in which the player takes these actions."""
        weights = self.weights.copy()
        weights[self._chosen(taken)] = 1
        return fixed(self.solution.explored.graph, weights)[0]

    def _chosen(self, taken: Integers) -> Integers:
        ranks = self.moves[np.arange(len(taken)), taken][self.rows]
        return self.solution.explored.graph.offsets[self.places] + ranks

    def price(self, taken: Integers) -> tuple[float, Floats]:
        """Return what actions cost from the start, and how often they visit states.

        The price is infinite where a game might never end, or there is no time.
        """
        explored = self.solution.explored
        if time.monotonic() > self.until:
            return math.inf, np.zeros(len(taken))
        graph = self._graph(taken)
        try:
            refuse_endless(explored, graph, explored.start)
        except GameError:
            return math.inf, np.zeros(len(taken))
        visits = expected_visits(graph, explored.start)[self.places]
        visits = np.bincount(self.rows, visits, len(taken))
        return float(visits @ self.given_up[np.arange(len(taken)), taken]), visits

    @property
    def best_visits(self) -> Floats:
        """How often the solution visits the states."""
        best = np.nanargmin(self.given_up, axis=1)
        return self.price(best)[1]

    def worth(self, taken: Integers) -> Floats:
        """Return the values of all actions if these follow; NaN where not legal."""
        explored, table = self.solution.explored, self.table
        values = solved(explored, self._graph(taken), "float64").numerators[self.player]
        graph, worth = explored.graph, np.full(self.moves.shape, np.nan)
        moves = (
            graph.offsets[table.places][table.rows]
            + self.moves[table.rows, table.actions]
        )
        after = values[graph.following[moves]]
        if graph.rewards is not None:
            after = (
                after
                + graph.rewards.floats()[0][graph.rewards.which[moves], self.player]
            )
        worth[table.rows, table.actions] = after
        return worth

    def rule(
        self, taken: Integers, lines: tuple[str, ...], curve: tuple[float, ...]
    ) -> ShortRule[Any, Any, Any]:
        """Return the rule of some actions, with its price."""
        arrays, explored = self.solution._arrays, self.solution.explored
        exact = arrays.denominators is not None
        backend: Backend = "exact" if exact else "float64"
        own = solved(explored, self._graph(taken), backend)._arrays
        moves, optimal = self._chosen(taken), arrays.optimal.copy()
        graph = explored.graph
        optimal[np.repeat(graph.players == self.player, np.diff(graph.offsets))] = False
        optimal[moves] = True
        chosen = arrays.chosen.copy()
        chosen[self.places] = moves - graph.offsets[self.places]
        none = np.zeros(0, dtype=np.int64)
        followed: Solution[Any, Any, Any] = Solution(
            replace(
                own,
                explored=explored,
                tie_break=arrays.tie_break,
                optimal=optimal,
                chosen=chosen,
                open=none,
                turned=none,
            )
        )
        loss = self.solution.payoffs[self.player] - followed.payoffs[self.player]
        error = self.solution.error + followed.error
        if error:
            error += abs(loss) * 2.0**-52
        return ShortRule(
            self.player, lines, max(loss, 0 * loss), error, curve, followed
        )
