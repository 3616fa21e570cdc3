"""Simulated games, and their results."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, overload

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._graph.explored import start_of, states_at
from cardgames_dp._graph.graph import Graph
from cardgames_dp._results import sampling
from cardgames_dp._results.records import Result
from cardgames_dp._results.tables import Table
from cardgames_dp._support import arguments, executors
from cardgames_dp._support.printing import short
from cardgames_dp._support.running import refuse_too_large, require
from cardgames_dp.game import TERMINAL, Action, State
from cardgames_dp.play._kernels.chain import fixed
from cardgames_dp.play._kernels.playing import Counts, played
from cardgames_dp.play._kernels.visits import expected_moves, refuse_endless
from cardgames_dp.play.evaluation import Played, PlayedArrays, explored_of
from cardgames_dp.play.policies import Profile, deciders, player_of, weighed

if TYPE_CHECKING:
    from concurrent.futures import Executor

    import pandas as pd


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Simulation(Result, Generic[State]):
    """The results of simulated games; made by :func:`simulate`, prints as a table.

    Attributes
    ----------
    games : int
        The number of games.
    returns, return_counts : tuple of ndarray of float64 and of int64, one a player
        The different returns that occurred, rewards on the way included, increasing,
        and the number of games with each. (Floats are added in the order of the moves,
        so sums of the same floats may differ in the last bit.)
    moves, move_counts : ndarray of int64, same shape
        The different numbers of moves, including those of chance, increasing, and the
        number of games with each.
    mean, standard_deviation : tuple of float, one a player
        The mean and the sample standard deviation of the returns, with the divisor
        ``games - 1``; NaN for one game.
    histories : tuple of tuple of State
        The states of the first games, from the initial to the terminal state; as many
        games as were requested.

    Examples
    --------
    >>> from cardgames_dp import diagonal, play, redblack
    >>> solution = diagonal.solve(redblack.Rules().game(26, 26))
    >>> print(play.simulate(solution, solution, 100_000, rng=1))
    player  mean return  standard error
         0      2.62757          0.0062
    (100000 games, 73.6344 moves on average)
    """

    games: int
    returns: tuple[NDArray[np.float64], ...]
    return_counts: tuple[NDArray[np.int64], ...]
    moves: NDArray[np.int64]
    move_counts: NDArray[np.int64]
    mean: tuple[float, ...]
    standard_deviation: tuple[float, ...]
    histories: tuple[tuple[State, ...], ...]

    @property
    def standard_error(self) -> tuple[float, ...]:
        """The standard error of each `mean`, estimated from the sample."""
        return tuple(
            [sampling.mean_error(sd, self.games) for sd in self.standard_deviation]
        )

    @property
    def mean_moves(self) -> float:
        """The mean number of moves."""
        return int(self.moves @ self.move_counts) / self.games

    _derived = ("standard_error", "mean_moves")
    _told = ("games", "mean", "standard_error", "mean_moves")

    def to_pandas(self, player: int = 0) -> pd.DataFrame:
        """Return the frequencies of a player's returns, as a DataFrame indexed by them.

        Parameters
        ----------
        player : int, default 0
            The player.

        Returns
        -------
        DataFrame
            The columns are "games" and "frequency".

        Raises
        ------
        ModuleNotFoundError
            If pandas is not installed (the extra ``pandas``).
        """
        player = player_of(player, len(self.returns))
        pandas = require("pandas", extra="pandas", purpose="to_pandas")
        counts = self.return_counts[player]
        frame: pd.DataFrame = pandas.DataFrame(
            {"games": counts, "frequency": counts / self.games},
            index=pandas.Index(self.returns[player], name="return"),
        )
        return frame

    def _table(self) -> Table:
        pairs = zip(self.mean, self.standard_error, strict=True)
        rows = [
            (str(player), mean, f"{error:.2g}")
            for player, (mean, error) in enumerate(pairs)
        ]
        note = f"{self.games} games, {short(self.mean_moves)} moves on average"
        head = ("player", "mean return", "standard error")
        return Table(head, rows, [note], left=())


@overload
def simulate(
    game: Played[State, Action],
    policies: Profile[State, Action],
    games: int,
    *,
    rng: int | np.random.Generator | None = None,
    histories: int = 0,
    executor: Executor | None = None,
) -> Simulation[State]: ...
@overload
def simulate(
    game: PlayedArrays,
    policies: Any,
    games: int,
    *,
    rng: int | np.random.Generator | None = None,
    histories: int = 0,
    executor: Executor | None = None,
) -> Simulation[Any]: ...
def simulate(
    game: Any,
    policies: Any,
    games: int,
    *,
    rng: int | np.random.Generator | None = None,
    histories: int = 0,
    executor: Executor | None = None,
) -> Simulation[Any]:
    """Simulate games in which all players follow policies, and count the results.

    Grade: estimated, with standard errors.

    Parameters
    ----------
    game : Game, Explored or Solution; or one for arrays
        The game that is played.
    policies : Policy, or list or tuple of Policy
        One policy for all players, or one for each player, as for :func:`evaluate`.
    games : int
        The number of games, at least 1.
    rng : None, int or numpy.random.Generator
        A seed, or a source of random numbers. The same seed gives the same games,
        whatever the other arguments are.
    histories : int, default 0
        The number of games, the first ones, whose states to return.
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
        If a play might never end under these policies.
    TooLargeError
        If the histories would not fit in memory.

    Examples
    --------
    >>> from cardgames_dp import diagonal, play, redblack
    >>> solution = diagonal.solve(redblack.Rules().game(26, 26))
    >>> account = play.simulate(solution, solution, 10_000, rng=1)
    >>> abs(account.mean[0] - solution.value[0]) < 4 * account.standard_error[0]
    True
    """
    games = arguments.integer("games", games, minimum=1)
    histories = arguments.integer("histories", histories)
    if histories > games:
        raise ValueError(
            f"histories must be at most games, {games}, got "
            f"{arguments.shown(histories)}"
        )
    source = arguments.generator(rng)
    executor = executors.checked(executor)
    found = explored_of(game)
    asked = deciders(policies, found)
    graph, _ = fixed(found.graph, weighed(found, asked, exact=False))
    start = start_of(found)
    refuse_endless(found, graph, start)
    if histories:
        _refuse_long(graph, start, histories)
    counts = played(graph, start, games, source, histories, executor=executor)
    told = [states_at(found, places) for places in counts.histories]
    return _account(graph, counts, tuple(told))


def _refuse_long(graph: Graph, start: int, histories: int) -> None:
    """Refuse histories that would not fit in memory."""
    longest = math.ceil(expected_moves(graph, start))
    about = "up to" if graph.components is None else "about"
    refuse_too_large(
        f"the histories of {arguments.shown(histories)} games of {about} {longest} "
        "moves",
        64 * histories * longest,
        "use fewer histories",
    )


def _account(
    graph: Graph, counts: Counts, histories: tuple[tuple[Any, ...], ...]
) -> Simulation[Any]:
    """Return the results of simulated plays."""
    games = int(counts.ends.sum())
    returns, return_counts, means, deviations = [], [], [], []
    for support, times in _frequencies(graph, counts):
        mean = math.fsum(times / games * support)
        returns.append(support)
        return_counts.append(times)
        means.append(mean)
        deviations.append(sampling.deviation(support, times, mean))
    return Simulation(
        games=games,
        returns=tuple(returns),
        return_counts=tuple(return_counts),
        moves=np.flatnonzero(counts.lengths),
        move_counts=counts.lengths[counts.lengths > 0],
        mean=tuple(means),
        standard_deviation=tuple(deviations),
        histories=histories,
    )


def _frequencies(
    graph: Graph, counts: Counts
) -> Iterator[tuple[NDArray[np.float64], NDArray[np.int64]]]:
    """Yield the different returns of each player, and how often they occurred."""
    if graph.rewards is not None:
        for counter in counts.returns:
            found = sorted(counter.items())
            yield np.array([x for x, _ in found]), np.array([n for _, n in found])
        return
    ends = counts.ends[graph.players == TERMINAL]
    results, ends = graph.payoffs()[0][ends > 0], ends[ends > 0]
    for column in results.T:
        support, which = np.unique(column, return_inverse=True)
        times = np.zeros(len(support), dtype=np.int64)
        np.add.at(times, which.ravel(), ends)
        yield support, times
