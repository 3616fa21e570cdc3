"""Tournaments: every player against every other, in both seats, on the same deals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._results import sampling
from cardgames_dp._results.records import Result
from cardgames_dp._results.tables import MOST_ROWS, Table
from cardgames_dp._support import arguments, executors
from cardgames_dp._support.running import progress_bar
from cardgames_dp.cardrow._kernels.players import Player
from cardgames_dp.cardrow._kernels.row import Cards, Row, alike, counted
from cardgames_dp.cardrow._kernels.states import Tally, play
from cardgames_dp.cardrow.cards import read_rows
from cardgames_dp.cardrow.policies import Policy, checked, name_of, player_of
from cardgames_dp.cardrow.rules import Rules, deals_of


def tournament(
    # With Iterable type checkers would not read a mapping's values as policies.
    players: Mapping[str, Policy] | Sequence[Policy],
    deals: Iterable[Cards] | NDArray[Any],
    *,
    rules: Rules | None = None,
    rng: int | np.random.Generator | None = None,
    executor: Executor | None = None,
) -> Tournament:
    """Play all pairs of players against each other, in both seats, on every deal.

    Each player also plays against itself.

    Grade: estimated, with standard errors.

    Parameters
    ----------
    players : sequence of Policy, or mapping of str to Policy
        The players: names, :class:`Mixed` or callables; see `Policy`. A mapping gives
        them other names, as is needed if two would have the same name.
    deals : iterable of rows of cards
        Or a two-dimensional array, as from :func:`deal`. The rows may have different
        lengths.
    rules : Rules, optional
        The classic rules if not given. Their `tie` says what named players do where
        both ends are equally good, as for :func:`match`. With more than two players,
        one of a pair has the first seat, and the other one all the other seats; the
        first seat wins if its sum is better than each of the others.
    rng : None, int or numpy.random.Generator
        A seed, or a source of random numbers. The same seed gives the same result,
        whatever `executor` is.
    executor : concurrent.futures.Executor, optional
        Where to play chunks of deals in parallel: threads, processes or a cluster
        (:doc:`/cluster`). Processes and clusters have to pickle the players; a
        ``lambda`` can be pickled on a Dask cluster only.

    Returns
    -------
    Tournament
        The wins, draws and losses of each player in the first seat against each in the
        second, and the mean leads, with standard errors.

    Raises
    ------
    ValueError
        If two players have the same name, a callable returns anything but a move (the
        message names the player), or the cards are so large that the squares of leads
        cannot be summed in float64.
    TooLargeError
        If the table of an optimal player would not fit in memory.

    Notes
    -----
    Games on rows of one length are played side by side in NumPy arrays; callables are
    called game by game.

    References
    ----------
    Pashevich and others ("APP2: Hold'em for n00bs") describe the players, but give no
    results of tournaments.

    Examples
    --------
    >>> from cardgames_dp import cardrow
    >>> rows = cardrow.deal(1000, 10, deck=range(1, 14), replace=True, rng=2)
    >>> result = cardrow.tournament(["optimal", "greedy", "larger"], rows)
    >>> result
    Tournament(players=('optimal', 'greedy', 'larger'), games=1000)
    >>> print(result)
    win/draw/lose of the first seat, 1000 games a pair
                optimal      greedy      larger
    optimal    989/11/0     991/9/0    989/11/0
    greedy    874/34/92   873/31/96   895/28/77
    larger   716/31/253  695/31/274  731/27/242
    """
    named = _named(players)
    rules = arguments.rules(rules, Rules)
    source = arguments.generator(rng)
    executor = executors.checked(executor)
    rows = list(read_rows("deals", deals))
    chunks = [chunk for _, chunk in alike(rows)]
    jobs = map(_Job, chunks, executors.streams(source))
    totals = [[Tally()] * len(named) for _ in named]
    with progress_bar(len(rows) * len(named) ** 2, "games") as bar:
        for _, tallies in executors.each(
            _played, (named, rules), jobs, executor=executor, name=str
        ):
            totals = [
                [total.plus(new) for total, new in zip(*pair, strict=True)]
                for pair in zip(totals, tallies, strict=True)
            ]
            if bar is not None:
                bar.update(sum([sum(new[:3]) for some in tallies for new in some]))
    return _result(tuple(named), len(rows), totals)


class _Job(NamedTuple):
    """The work of one worker at a time: rows of one length."""

    rows: Sequence[Row]
    rng: np.random.Generator

    def __str__(self) -> str:
        first = [self.rows[0].exact(x) for x in self.rows[0].numerators]
        return f"{len(self.rows)} deals from {arguments.shown(first)} on"


def _named(players: object) -> dict[str, Policy]:
    """Return the players by their names, each checked."""
    if isinstance(players, (str, bytes)) or not isinstance(players, Iterable):
        raise TypeError(
            "players must be an iterable of policies or a mapping of names to "
            f"policies, got {arguments.described(players)}"
        )
    named: dict[str, Policy] = {}
    if isinstance(players, Mapping):
        for name, player in players.items():
            if not isinstance(name, str):
                raise TypeError(
                    f"players must have names that are str, got {arguments.shown(name)}"
                )
            named[name] = checked(f"players[{arguments.shown(name)}]", player)
    else:
        for i, player in enumerate(players):
            policy = checked(f"players[{i}]", player)
            name = name_of(policy)
            if name in named:
                raise ValueError(
                    f"players must have different names, got {arguments.shown(name)} "
                    "twice; give a mapping of names to policies"
                )
            named[name] = policy
    if not named:
        raise ValueError("players must hold at least one policy, got none")
    return named


def _played(shared: tuple[dict[str, Policy], Rules], job: _Job) -> list[list[Tally]]:
    """Return the results of a chunk of deals, for all pairs of players."""
    players, rules = shared
    deals = deals_of(rules, job.rows)
    asked = [player_of(policy, deals, repr(name)) for name, policy in players.items()]
    best = np.min if rules.misere else np.max

    def pair(first: Player, second: Player) -> Tally:
        everybody = [first, *[second] * (rules.players - 1)]
        own, *others = play(deals, everybody, job.rng).sums(deals)
        leads = (own - best(others, axis=0)).tolist()
        return Tally.of(leads, deals.unit.denominator, misere=rules.misere)

    return [[pair(first, second) for second in asked] for first in asked]


def _result(
    players: tuple[str, ...], games: int, totals: list[list[Tally]]
) -> Tournament:
    counts = np.array([[tally[:3] for tally in row] for row in totals])
    try:
        means = [[float(tally.leads / games) for tally in row] for row in totals]
        deviations = [[tally.deviation(games) for tally in row] for row in totals]
    except OverflowError:
        raise ValueError(
            "deals must have cards whose squares can be summed in a float64"
        ) from None
    return Tournament(
        players,
        games,
        wins=counts[..., 0],
        draws=counts[..., 1],
        losses=counts[..., 2],
        mean_lead=np.array(means),
        lead_deviation=np.array(deviations),
    )


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Tournament(Result):
    """The results of a tournament; made by :func:`tournament`, prints as a table.

    Arrays have a row for each player in the first seat and a column for each player in
    the second, in the order of `players`, and are read-only. Wins, losses and leads are
    those of the first seat.

    Attributes
    ----------
    players : tuple of str
        The names of the players.
    games : int
        The number of games of each pair, one on each deal.
    wins, draws, losses : ndarray of int64, shape (players, players)
        The numbers of games with each result.
    mean_lead : ndarray of float64, shape (players, players)
        The mean lead of the first seat.
    lead_deviation : ndarray of float64, shape (players, players)
        The sample standard deviation of the lead, with the divisor ``games - 1``. For
        one game it and the standard errors are NaN.

    Examples
    --------
    >>> from cardgames_dp import cardrow
    >>> rows = [[4, 4, 6, 6, 12, 9], [8, 4, 2, 2, 4, 8]]
    >>> print(cardrow.tournament(["optimal", "greedy", "larger"], rows))
    win/draw/lose of the first seat, 2 games a pair
             optimal  greedy  larger
    optimal    1/1/0   1/1/0   1/1/0
    greedy     0/1/1   0/1/1   0/1/1
    larger     0/1/1   0/1/1   0/1/1
    """

    _derived: ClassVar[tuple[str, ...]] = ("win_rate", "win_rate_error", "lead_error")
    _told: ClassVar[tuple[str, ...]] = ("players", "games")

    players: tuple[str, ...]
    games: int
    wins: NDArray[np.int64]
    draws: NDArray[np.int64]
    losses: NDArray[np.int64]
    mean_lead: NDArray[np.float64]
    lead_deviation: NDArray[np.float64]

    @property
    def win_rate(self) -> NDArray[np.float64]:
        """The share of the games that the first seat won."""
        return self.wins / self.games

    @property
    def win_rate_error(self) -> NDArray[np.float64]:
        """The standard error of `win_rate`, from the sample; NaN for one game."""
        return sampling.rate_error(self.win_rate, self.games)

    @property
    def lead_error(self) -> NDArray[np.float64]:
        """The standard error of `mean_lead`, from the sample; NaN for one game."""
        return sampling.mean_error(self.lead_deviation, self.games)

    def _table(self) -> Table:
        counts = np.stack([self.wins, self.draws, self.losses], axis=-1).tolist()
        first = MOST_ROWS if len(self.players) > MOST_ROWS else None
        rows = [
            [name, *["/".join(map(str, cell)) for cell in row[:first]]]
            for name, row in zip(self.players, counts, strict=True)
        ]
        games = counted(self.games, "game")
        title = f"win/draw/lose of the first seat, {games} a pair"
        return Table(["", *self.players[:first]], rows, title=title, first="players")

    def _columns(self) -> tuple[Any, dict[str, Any]]:
        count = len(self.players)
        first, second = np.repeat(self.players, count), np.tile(self.players, count)
        names = ["wins", "draws", "losses", "mean_lead", "lead_deviation"]
        names += self._derived
        columns = {name: getattr(self, name).ravel() for name in names}
        return {"first": first, "second": second}, columns
