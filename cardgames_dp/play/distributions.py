"""How games end: the probability distributions of returns and of moves."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any, Generic, Literal, NamedTuple, overload

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._graph.answers import TERMINAL
from cardgames_dp._graph.by_state import ByPlace, ByState
from cardgames_dp._graph.explored_record import check_count
from cardgames_dp._graph.graph import Graph, Integers, Rewards, fractions
from cardgames_dp._graph.lookup import fast_method
from cardgames_dp._results.distribution import Distribution
from cardgames_dp._results.records import Action, Result, State, plain
from cardgames_dp._results.tables import Table
from cardgames_dp._support import arguments
from cardgames_dp._support.arguments import Backend
from cardgames_dp._support.calls import suggest_arguments
from cardgames_dp._support.printing import Number, short
from cardgames_dp._support.running import TooLargeError, with_progress
from cardgames_dp.play._kernels.chain import (
    Points,
    Reached,
    ends_by_length,
    fixed,
    points_of,
)
from cardgames_dp.play._kernels.visits import Flow, flow
from cardgames_dp.play.evaluation import Played, PlayedArrays, as_explored, played_by
from cardgames_dp.play.policies import ArrayProfile, Profile, weighed


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Distributions(Result, Generic[State, Number]):
    """The distributions of how a game ends; made by :func:`distribution`.

    It prints as tables.

    Attributes
    ----------
    returns : tuple of Distribution
        The distribution of the returns of each player.
    moves : Distribution
        The distribution of the number of moves, including those of chance, or of the
        moves that are counted.
    reach : mapping of State to float or Fraction
        The probability that a game reaches each state; for a terminal state this is the
        probability that the game ends there. Of an array game, it may also be
        called with an array of states. In Fractions, looking it up raises a
        TooLargeError if a loop has more than 200 states.
    visits : mapping of State to float or Fraction
        The expected number of visits of each state: the same as `reach`, unless the
        game has loops.
    error : float
        A bound on the error of every probability and number of visits; 0 for Fractions.
    rest : float
        The probability of what is left out; 0 unless the game has loops.
        Then `moves` is cut off where at most 1e-13 of all games go on, or after a
        million moves, or where Fractions have too many digits, and so are `returns` if
        moves pay. (For means without a cut: the mean number of moves is the sum of
        `visits` minus 1, and :func:`evaluate` has those of the returns.)
    never : float or Fraction
        The probability that the game never ends; then it returns the game's
        ``endless_returns``, and has infinitely many moves and visits.

    Examples
    --------
    >>> from cardgames_dp import exact, play, redblack
    >>> solution = exact.solve(redblack.game(2, 2))
    >>> found = play.distribution(solution)
    >>> print(found)
    return  probability
         0     0.333333
         1     0.666667
    (mean 0.666667, standard deviation 0.471405)
    <BLANKLINE>
    moves  probability
        3          0.5
        7     0.166667
        8     0.333333
    (mean 5.33333, standard deviation 2.35702)
    >>> found.reach[redblack.State(red=1, black=2)]
    0.5
    """

    returns: tuple[Distribution[Number], ...]
    moves: Distribution[Number]
    reach: ByState[State, Number]
    visits: ByState[State, Number]
    error: float
    rest: float = 0.0
    never: Number | float = 0.0

    def to_dict(self, *, json: bool = False) -> dict[str, Any]:
        """Return all fields as plain objects, with lists of states and what is of them.

        Parameters
        ----------
        json : bool, default False
            Whether to use only types that JSON has: Fractions become strings.
        """
        columns = {"states": list(self.reach), "reach": list(self.reach.values())}
        columns["visits"] = list(self.visits.values())
        return {
            "returns": [each.to_dict(json=json) for each in self.returns],
            "moves": self.moves.to_dict(json=json),
            **plain(columns, json=json),
            "error": self.error,
            "rest": self.rest,
            **plain({"never": self.never}, json=json),
        }

    def __str__(self) -> str:
        parts = list(map(str, (*self.returns, self.moves)))
        if self.never:
            parts.append(f"(inf: games that never end, {short(self.never)} of all)")
        if self.rest:
            parts.append(f"(cut off: {self.rest:.1e} of all games are left out)")
        return "\n\n".join(parts)

    @property
    def mean(self) -> tuple[Number, ...]:
        """The mean return of each player."""
        return tuple([each.mean for each in self.returns])

    def _facts(self) -> dict[str, object]:
        return {"mean": self.mean, "moves": self.moves.mean, "error": self.error}

    def _table(self) -> Table:
        head = ("", "mean", "standard deviation", "least", "median", "most")
        return Table(head, [*map(_row, self.returns), _row(self.moves)])


def _row(each: Distribution[Any]) -> tuple[object, ...]:
    """Return the row of a distribution in a table."""
    ends = each.support[0], each.median, each.support[-1]
    return each.of, each.mean, each.std, *ends


@overload
def distribution(
    game: Played[State, Action],
    policies: Profile[State, Action] | None = None,
    *,
    count: Action | Callable[[State, State], bool] | None = None,
    backend: Literal["float64"] = "float64",
) -> Distributions[State, float]: ...
@overload
def distribution(
    game: Played[State, Action],
    policies: Profile[State, Action] | None = None,
    *,
    count: Action | Callable[[State, State], bool] | None = None,
    backend: Literal["exact"],
) -> Distributions[State, Fraction]: ...
@overload
def distribution(
    game: PlayedArrays,
    policies: ArrayProfile = None,
    *,
    count: Any = None,
    backend: Backend = "float64",
) -> Distributions[Any, Any]: ...
@suggest_arguments
def distribution(
    game: Any, policies: Any = None, *, count: Any = None, backend: Backend = "float64"
) -> Distributions[Any, Any]:
    """Return the distributions of returns and of moves, and how likely states are.

    Grade: exact, or certified by `Distributions.error` in float64.

    Parameters
    ----------
    game : Game, ArrayGame, Explored, ExploredArrays, Solution or Response
        The game that is played.
    policies : Policy, or list or tuple of Policy, optional
        One policy for all players, or one for each player, as for :func:`evaluate`.
    count : Action or callable, optional
        What `moves` counts: an action, how often players take it; or the moves for
        which a function of a state and the next one returns True, such as those that
        end a turn. In an array game the function takes all moves at once: arrays of
        states, with named fields if the game has names. All moves, those of chance
        included, count if not given. Games may count more, as Pairs "round".
    backend : {"float64", "exact"}, default "float64"
        The arithmetic.

    Returns
    -------
    Distributions
        The distribution of each player's returns, all rewards on the way included, and
        of the number of moves, and the probability of every state. The time is linear
        in the moves of the game, with two exceptions. For the number of moves, a state
        counts once for every number of moves after which it can be reached; for returns
        with rewards, once for every number of points with which it can be reached.

    Raises
    ------
    TypeError, ValueError
        As for :func:`evaluate`. A ValueError also if rewards are floats, or fractions,
        whose sums in a common unit are beyond 2**62 (such as those with 0.1, whose sums
        differ in the last bit if they are added in another order).
    TooLargeError
        If there are more pairs of state and points than memory holds, or a loop has
        more than 4,000 states.

    Examples
    --------
    >>> from cardgames_dp import exact, play, redblack
    >>> solution = exact.solve(redblack.game(2, 2))
    >>> found = play.distribution(solution, backend="exact")
    >>> found.returns[0].mean == solution.value
    True
    >>> {str(x): str(p) for x, p in found.returns[0].to_dict().items()}
    {'0': '1/3', '1': '2/3'}

    How many of 52 cards does the optimal player draw?

    >>> best = redblack.solve(26, 26)
    >>> round(play.distribution(best, count="draw").moves.mean, 6)
    36.45156
    """
    name = arguments.backend(backend)
    policies, count = played_by(game, policies), check_count(count)
    way = fast_method(None if callable(count) else game, "distribution")
    parts = way(policies, name, count)
    if parts is not None:
        return _of_a_fast_way(game, parts, name, moves_of(count))
    explored = as_explored(game)
    if name == "exact":
        explored.graph.refuse_floats()
    graph, remaining = fixed(explored.graph, weighed(explored, policies, name))
    flows = flow(explored, graph, name)
    graph, start, chances = flows.graph, explored.start, flows.chances
    never, rest = flows.ends.at(flows.parts >= 0).total()[0], list[float]()
    if count is None:
        lengths = ends_by_length(graph, start, chances, rest)
        if never:
            lengths = (each.at(flows.parts[each.places] < 0) for each in lengths)
        moves, doubt = of_moves(lengths, never)
    else:
        if never:
            raise ValueError(
                "count must be left out, as some games never end under these policies "
                f"and have no number of moves, got {arguments.shown(count)}"
            )
        counted = explored.count_mask(count, remaining)
        moves, doubt = _of_action(graph, start, chances, counted, rest)
    moves = replace(moves, of=moves_of(count), rest=max(rest, default=0.0))
    laws = [
        _of_player(graph, player, start, chances, flows.ends, rest)
        for player in range(graph.num_players)
    ]
    returns, doubts = zip(*laws, strict=True)
    visits = Visits(of_visits(explored, flows))
    return Distributions(
        returns=returns,
        moves=moves,
        reach=ByState(visits, "reach"),
        visits=ByState(visits, "visits"),
        error=max(doubt, *doubts, visits.error),
        rest=max(rest, default=0.0),
        never=never,
    )


def _of_player(
    graph: Graph,
    player: int,
    start: int,
    chances: NDArray[Any],
    reached: Reached,
    rest: list[float],
) -> tuple[Distribution[Any], float]:
    """Return the distribution of what a player gets, and a bound on its errors."""
    of = "return" if graph.num_players == 1 else f"return of player {player}"
    if graph.rewards is None:
        ends = reached.at(graph.players == TERMINAL)
        some, tops, bottoms = ends.chances > 0, graph.numerators, graph.denominators
        if chances.dtype != object:
            tops, bottoms = graph.payoffs()[0], np.ones_like(tops)
        return _tallied(of, tops[some, player], bottoms[some, player], ends.at(some))
    pay = points_of(graph, player, exact=chances.dtype == object)
    ends = _ends(graph, start, chances, pay, rest)
    return _tallied(of, ends.places, pay.unit, ends)


def _of_a_fast_way(
    game: Any, parts: Any, name: Backend, of: str
) -> Distributions[Any, Any]:
    """Return the distributions of a game without loops that has a faster way."""
    returns, moves, error, played = parts
    visits = Visits(partial(_visits_of_policies, game, played, name))
    return Distributions(
        returns=returns,
        moves=replace(moves, of=of),
        reach=ByState(visits, "reach"),
        visits=ByState(visits, "visits"),
        error=error,
        never=Fraction(0) if name == "exact" else 0.0,
    )


def moves_of(count: Any) -> str:
    """Return the name of the number of moves, or of those that are counted."""
    if callable(count):
        name = getattr(count, "__name__", "<lambda>").replace("_", " ")
        return "counted moves" if name == "<lambda>" else name
    return "moves" if count is None else f"{count!r} moves"


class VisitArrays(NamedTuple):
    """How plays move through an explored game, by place."""

    explored: Any
    reach: NDArray[Any] | TooLargeError
    visits: NDArray[Any]
    error: float


class Visits(ByPlace):
    """How likely plays reach each state, and how often; found when it is needed."""

    __slots__ = ("_arrays",)

    num_variants = None

    def __init__(self, arrays: VisitArrays | Callable[[], VisitArrays]) -> None:
        self._arrays = arrays

    def _compute(self) -> VisitArrays:
        if callable(self._arrays):
            self._arrays = self._arrays()
        return self._arrays

    @property
    def explored(self) -> Any:
        """The explored game."""
        return self._compute().explored

    @property
    def error(self) -> float:
        """A bound on the error of all numbers."""
        return self._compute().error

    def reach_at(self, place: int) -> Any:
        """Return the probability that a play reaches a place."""
        return self.reach_of(np.array([place])).item(0)

    def reach_of(self, places: Integers) -> NDArray[Any]:
        """Return the probabilities that a play reaches some places."""
        arrays = self._compute()
        if isinstance(arrays.reach, TooLargeError):
            raise arrays.reach
        chances: NDArray[Any] = arrays.reach[places]
        return chances

    def visits_at(self, place: int) -> Any:
        """Return the expected number of visits of a place."""
        return self._compute().visits.item(place)

    def visits_of(self, places: Integers) -> NDArray[Any]:
        """Return the expected numbers of visits of some places."""
        visits: NDArray[Any] = self._compute().visits[places]
        return visits


def _visits_of_policies(game: Any, policies: Any, name: Backend) -> VisitArrays:
    """Return how plays move through a game by these policies."""
    explored = as_explored(game)
    graph, _ = fixed(explored.graph, weighed(explored, policies, name))
    return of_visits(explored, flow(explored, graph, name))


def of_visits(explored: Any, flows: Flow) -> VisitArrays:
    """Return how plays move through a game, with what is known of each state once."""

    def once(reached: Reached | TooLargeError) -> tuple[Any, float]:
        if isinstance(reached, TooLargeError):
            return reached, 0.0
        # In an array game without levels, a state may have several places.
        total, doubt = (np.zeros_like(x) for x in (reached.chances, reached.errors))
        np.add.at(total, explored.representatives, reached.chances)
        np.add.at(doubt, explored.representatives, reached.errors)
        return total, float(doubt.max())

    (reach, error), (visits, doubt) = once(flows.reached), once(flows.visits)
    return VisitArrays(explored, reach, visits, max(error, doubt))


def of_moves(
    lengths: Iterable[Reached], never: Any = 0
) -> tuple[Distribution[Any], float]:
    """Return the distribution of the number of moves, and a bound on its errors.

    `lengths` are the terminal states of plays that end after 0, 1, 2, ... moves, and
    `never` is the probability that a play does not end.
    """
    batches = with_progress(enumerate(lengths), None, "moves")
    rows: list[tuple[float, Any, float]] = [
        (moves, *ends.total()) for moves, ends in batches if ends.places.size
    ]
    if never:
        rows.append((math.inf, never, 0.0))
    support, shares, doubts = zip(*rows, strict=True)
    return Distribution("moves", np.array(support), np.array(shares)), max(doubts)


def _ends(
    graph: Graph, start: int, chances: NDArray[Any], pay: Points, rest: list[float]
) -> Reached:
    """Return the points with which plays may end, and their probabilities."""
    lengths = ends_by_length(graph, start, chances, rest, pay)
    batches = with_progress(lengths, None, "moves")
    ends = Reached(*map(np.concatenate, zip(*batches, strict=True)))
    return ends.at(ends.chances > 0)


def _of_action(
    graph: Graph,
    start: int,
    chances: NDArray[Any],
    counted: NDArray[np.bool_],
    rest: list[float],
) -> tuple[Distribution[Any], float]:
    """Return the distribution of the number of moves that are counted."""
    nothing = np.zeros((2, 1), dtype=np.int64)
    rows = Rewards(counted.astype(np.int64), nothing, nothing + 1)
    ends = np.zeros(np.count_nonzero(graph.players == TERMINAL), dtype=np.int64)
    pay, graph = Points(1, np.array([0, 1]), ends), replace(graph, rewards=rows)
    points = _ends(graph, start, chances, pay, rest)
    law, doubt = _tallied("moves", points.places, 1, points)
    support = np.array([int(x) for x in law.support])
    return Distribution("moves", support, law.probabilities), doubt


def _tallied(
    of: str, tops: NDArray[Any], bottoms: Any, ends: Reached
) -> tuple[Distribution[Any], float]:
    """Return the distribution of ratios that plays end with, and a bound of errors."""
    exact = ends.chances.dtype == object
    results = fractions(tops, np.asarray(bottoms)) if exact else tops / bottoms
    support, index = np.unique(results, return_inverse=True)
    order = np.argsort(index.ravel(), kind="stable")
    starts = np.flatnonzero(np.diff(index.ravel()[order])) + 1
    totals = [ends.at(group).total() for group in np.split(order, starts)]
    shares, doubts = zip(*totals, strict=True)
    return Distribution(of, support, np.array(shares)), max(doubts)
