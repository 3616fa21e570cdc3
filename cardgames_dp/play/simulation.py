"""Simulated games, and their results.

Each step advances all plays of a batch by one move. A play in a state with several
moves draws a random number in [0, 1) and takes, by bisection, the first move whose
cumulative probability exceeds it. Cumulative probabilities are summed for each state
separately, so their rounding error does not grow with the number of states.
"""

from __future__ import annotations

import math
from collections import Counter
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any, Generic, SupportsIndex, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._graph.explored_record import check_count
from cardgames_dp._graph.graph import Floats, Graph, Integers
from cardgames_dp._graph.lookup import fast_method
from cardgames_dp._results.distribution import (
    Distribution,
    deviation,
    frequencies,
    mean_error,
)
from cardgames_dp._results.records import Action, Result, State
from cardgames_dp._results.tables import Table
from cardgames_dp._support import arguments, executors
from cardgames_dp._support.calls import suggest_arguments
from cardgames_dp._support.printing import short, with_noun
from cardgames_dp._support.running import refuse_too_large, with_progress
from cardgames_dp.game import TERMINAL
from cardgames_dp.play._kernels.chain import Points, fixed
from cardgames_dp.play._kernels.visits import expected_moves, refuse_endless
from cardgames_dp.play.distributions import moves_of
from cardgames_dp.play.evaluation import Played, PlayedArrays, as_explored, played_by
from cardgames_dp.play.policies import ArrayProfile, Profile, weighed

_BATCH = 2**16
"""The number of plays at once: their arrays fit in a cache of a few megabytes."""

_MOVES = 2**31
"""No play has more moves, as nobody could wait for it."""

_Batch: TypeAlias = tuple[list[list[int]], list[tuple[NDArray[Any], NDArray[Any]]]]
"""The places of the first plays of a batch, and how often each result occurred."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Simulation(Result, Generic[State]):
    """The results of simulated games; made by :func:`simulate`, prints as a table.

    Attributes
    ----------
    games : int
        The number of games.
    returns : tuple of Distribution
        The frequencies of the returns of each player, rewards on the way included.
        (Floats are added in the order of the moves, so sums of the same floats may
        differ in the last bit.)
    moves : Distribution
        The frequencies of the numbers of moves, including those of chance, or of the
        moves that are counted.
    std : tuple of float, one a player
        The sample standard deviation of the returns, with the divisor ``games - 1``;
        NaN for one game, and where a utility is -inf.
    histories : tuple of tuple of State
        The states of the first games, from the initial to the terminal state; as many
        games as were requested.

    Examples
    --------
    >>> from cardgames_dp import diagonal, play, redblack
    >>> solution = diagonal.solve(redblack.game(26, 26))
    >>> print(play.simulate(solution, games=100_000, rng=1))
    player  mean return  standard error
         0      2.63559          0.0062
    (100000 games, 73.6097 moves on average, those of chance included)
    """

    games: int
    returns: tuple[Distribution[float], ...]
    moves: Distribution[float]
    std: tuple[float, ...]
    histories: tuple[tuple[State, ...], ...]

    @property
    def mean(self) -> tuple[float, ...]:
        """The mean of the returns of each player."""
        return tuple([each.mean for each in self.returns])

    @property
    def standard_error(self) -> tuple[float, ...]:
        """The standard error of each `mean`, estimated from the sample."""
        return tuple([mean_error(sd, self.games) for sd in self.std])

    _derived = ("mean", "standard_error")
    _repr_fields = ("games", *_derived)

    def _facts(self) -> dict[str, object]:
        return {**Result._facts(self), "moves": self.moves.mean}

    def _table(self) -> Table:
        pairs = zip(self.mean, self.standard_error, strict=True)
        rows = [
            (str(player), mean, f"{error:.2g}")
            for player, (mean, error) in enumerate(pairs)
        ]
        games, mean = with_noun(self.games, "game"), short(self.moves.mean)
        moves = f"{mean} {self.moves.of} on average"
        if self.moves.of == moves_of(None):
            moves = f"{with_noun(mean, 'move')} on average, those of chance included"
        note = f"{games}, {moves}"
        head = ("player", "mean return", "standard error")
        return Table(head, rows, [note], left=())


@suggest_arguments
def simulate(
    game: Played[State, Action] | PlayedArrays,
    policies: Profile[State, Action] | ArrayProfile | None = None,
    games: SupportsIndex = 10_000,
    *,
    rng: int | np.random.Generator | None = None,
    histories: SupportsIndex = 0,
    count: Any = None,
    executor: Executor | None = None,
) -> Simulation[Any]:
    """Simulate games in which all players follow policies, and count the results.

    Grade: estimated, with standard errors.

    Parameters
    ----------
    game : Game, ArrayGame, Explored, ExploredArrays, Solution or Response
        The game that is played.
    policies : Policy, or list or tuple of Policy, optional
        One policy for all players, or one for each player, as for :func:`evaluate`.
    games : int, default 10_000
        The number of games, at least 1.
    rng : None, int or numpy.random.Generator
        A seed, or a source of random numbers. The same seed gives the same games,
        whatever `histories`, `count` and `executor` are; but Pairs deals other games
        with `histories` than without.
    histories : int, default 0
        The number of games, the first ones, whose states to return.
    count : Action or callable, optional
        What `moves` counts, as for :func:`distribution`: an action, or the moves for
        which a function of a state and the next one returns True.
    executor : concurrent.futures.Executor, optional
        Where to play chunks of games in parallel: threads, processes or a cluster
        (:doc:`/cluster`). Each worker gets the arrays of the game once; the game and
        the policies are not sent.

    Returns
    -------
    Simulation
        Means with standard errors, the frequencies of returns and of numbers of moves,
        and the histories.

    Raises
    ------
    TypeError, ValueError
        As for :func:`evaluate`; if `games` is not positive, or fewer than `histories`.
    GameError
        If a game might never end under these policies.
    TooLargeError
        If the histories would not fit in memory.

    Examples
    --------
    >>> from cardgames_dp import diagonal, play, redblack
    >>> solution = diagonal.solve(redblack.game(26, 26))
    >>> account = play.simulate(solution, rng=1)
    >>> abs(account.mean[0] - solution.value) < 4 * account.standard_error[0]
    True
    """
    games = arguments.integer("games", games, minimum=1)
    histories = arguments.integer("histories", histories)
    if histories > games:
        raise arguments.wrong_value(
            f"histories must be at most games, {games}", histories
        )
    source = arguments.generator(rng)
    executor = executors.check_executor(executor)
    policies, count = played_by(game, policies), check_count(count)
    way = fast_method(None if callable(count) else game, "simulate")
    parts = way(policies, games, histories, source, count, executor)
    if parts is not None:
        *counters, first = parts
        return _account(games, counters, first, count)
    explored = as_explored(game)
    graph, remaining = fixed(explored.graph, weighed(explored, policies))
    counted = None if count is None else explored.count_mask(count, remaining)
    _refuse_long(explored, graph, histories)
    # The returns of each player, and then the moves.
    counters = [Counter[float]() for _ in range(graph.num_players + 1)]
    plays: dict[int, list[list[int]]] = {}
    batches = executors.map_items(
        _played,
        (_Table(graph, explored.start, counted), histories),
        executors.chunks(games, _BATCH, source),
        executor=executor,
        name=str,
    )
    for number, (some, counts) in with_progress(batches, games, "games", _size):
        plays[number] = some
        for counter, (results, times) in zip(counters, counts, strict=True):
            counter.update(dict(zip(results.tolist(), times.tolist(), strict=True)))
    first = [
        explored.named_states(np.array(places))
        for _, some in sorted(plays.items())
        for places in some
    ]
    return _account(games, counters, tuple(first), count)


def _refuse_long(explored: Any, graph: Graph, histories: int) -> None:
    """Refuse plays without end, and histories that would not fit in memory."""
    refuse_endless(explored, graph, explored.start)
    if not histories:
        return
    longest = math.ceil(expected_moves(graph, explored.start))
    about = "up to" if graph.components is None else "about"
    what = f"the histories of {arguments.shown(histories)} games of {about} "
    refuse_too_large(
        f"{what}{longest} moves", 64 * histories * longest, "use fewer histories"
    )


def _account(
    games: int,
    counters: list[Counter[float]],
    histories: tuple[tuple[Any, ...], ...],
    count: Any,
) -> Simulation[Any]:
    """Return the results of games, from how often each occurred."""
    *counted, moves = [
        tuple(map(np.array, zip(*sorted(counter.items()), strict=True)))
        for counter in counters
    ]
    returns = [frequencies("return", *each) for each in counted]
    deviations = [
        deviation(results, times, law.mean) if math.isfinite(law.mean) else math.nan
        for (results, times), law in zip(counted, returns, strict=True)
    ]
    return Simulation(
        games=games,
        returns=tuple(returns),
        moves=frequencies(moves_of(count), *moves),
        std=tuple(deviations),
        histories=histories,
    )


def _size(numbered: tuple[int, _Batch]) -> int:
    """Return the number of plays of a batch."""
    _, (_, counts) = numbered
    return int(counts[-1][1].sum())


def _played(shared: tuple[_Table, int], chunk: executors.Chunk) -> _Batch:
    table, histories = shared
    first = min(chunk.games, max(histories - chunk.start, 0))
    return table.play(chunk.games, chunk.rng, first)


class _Table:
    """A graph as plays need it.

    Parameters
    ----------
    graph : Graph
        Without decisions.
    start : int
        Where plays start.
    counted : ndarray of bool, optional
        The moves that count; all if not given.
    """

    def __init__(
        self, graph: Graph, start: int, counted: NDArray[np.bool_] | None
    ) -> None:
        self._start, self._counted = start, counted
        self._offsets, self._following = graph.offsets, graph.following
        self._counts = np.diff(graph.offsets)
        self._until = _cumulative(graph)
        self._halvings = int(self._counts.max()).bit_length()
        self._row = np.cumsum(graph.players == TERMINAL) - 1
        self._payment = None if graph.rewards is None else graph.rewards.rows
        self._points = [_points(graph, player) for player in range(graph.num_players)]

    def play(self, games: int, rng: np.random.Generator, histories: int) -> _Batch:
        """Return the places of the first of some plays, and how all of them end.

        That is a list of the different returns of each player, all rewards included,
        with how many plays had each; and last the same for the numbers of moves.
        """
        places: Integers = np.full(games, self._start)
        plays: list[list[int]] = [[self._start] for _ in range(histories)]
        numbers, steps, ends = np.arange(games), 0, list[tuple[Integers, ...]]()
        totals = [np.zeros(games, each.ends.dtype) for each in self._points]
        counted: Integers = np.zeros(games, dtype=np.int64)
        while places.size:
            over = self._counts[places] == 0
            if over.any():
                lengths = np.full(np.count_nonzero(over), steps)
                if self._counted is not None:
                    lengths = counted[numbers[over]]
                ends.append((numbers[over], places[over], lengths))
                places, numbers = places[~over], numbers[~over]
            steps += 1
            moves = self._sample(places, rng)
            if self._counted is not None:
                counted[numbers] += self._counted[moves]
            places = self._following[moves]
            if self._payment is not None:
                for total, points in zip(totals, self._points, strict=True):
                    total[numbers] += points.paid[self._payment[moves]]
            first = np.searchsorted(numbers, histories)
            for game, place in zip(
                numbers[:first].tolist(), places[:first].tolist(), strict=True
            ):
                plays[game].append(place)
        numbers, places, lengths = map(np.concatenate, zip(*ends, strict=True))
        counts = []
        for total, points in zip(totals, self._points, strict=True):
            results = (total[numbers] + points.ends[self._row[places]]) / points.unit
            counts.append(np.unique(results, return_counts=True))
        counts.append(np.unique(lengths, return_counts=True))
        return plays, counts

    def _sample(self, places: Integers, rng: np.random.Generator) -> Integers:
        """Return a move from each of these places, at random."""
        moves = self._offsets[places].astype(np.int64)
        counts = self._counts[places]
        several = np.flatnonzero(counts > 1)
        if several.size:
            low = moves[several]
            high = low + counts[several] - 1
            shares = rng.random(len(several))
            for _ in range(self._halvings):
                middle = (low + high) >> 1
                beyond = self._until[middle] > shares
                high = np.where(beyond, middle, high)
                low = np.where(beyond, low, np.minimum(middle + 1, high))
            moves[several] = low
        return moves


def _cumulative(graph: Graph) -> Floats:
    """Return for every move the chance of it, or of one before it from its state."""
    chances, counts = graph.chances().copy(), np.diff(graph.offsets)
    rows = np.flatnonzero(counts > 1)
    starts, counts = graph.offsets[rows], counts[rows]
    rank = 1
    while rows.size:
        here = starts + rank
        chances[here] += chances[here - 1]
        rank += 1
        longer = counts > rank
        chances[here[~longer]] = np.inf  # the last one is beyond any number
        rows, starts, counts = rows[longer], starts[longer], counts[longer]
    return chances


def _points(graph: Graph, player: int) -> Points:
    """Return what a player gets, in integers, whose sums are exact, if they fit."""
    ends = graph.payoffs()[0][:, player]
    if graph.rewards is None:
        return Points(1, ends[:0], ends)
    points = Points.of(graph, player, _MOVES)
    return points or Points(1, graph.rewards.floats()[0][:, player], ends)
