"""Tournaments: every player against every other, in both seats, on the same deals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import _checks, _html, _samples, _spread
from cardgames_dp._effort import refuse_too_long
from cardgames_dp._extras import progress_bar, require
from cardgames_dp._records import ArrayRecord, plain, summary
from cardgames_dp._text import aligned
from cardgames_dp.cardrow._cards import read_rows
from cardgames_dp.cardrow._kernels import odds
from cardgames_dp.cardrow._kernels.choosers import Deals
from cardgames_dp.cardrow._kernels.games import play
from cardgames_dp.cardrow._kernels.instance import Tie
from cardgames_dp.cardrow._kernels.row import Cards, Row, alike, counted
from cardgames_dp.cardrow._kernels.tallies import Tally, tally, tally_of
from cardgames_dp.cardrow._seats import player_of, setting_of
from cardgames_dp.cardrow.policies import Mixed, Policy, checked, chooser, name_of
from cardgames_dp.cardrow.rules import TIES, Rules

if TYPE_CHECKING:
    import pandas as pd


def tournament(
    # With Iterable type checkers would not read a mapping's values as policies.
    players: Mapping[str, Policy] | Sequence[Policy],
    deals: Iterable[Cards] | NDArray[Any],
    *,
    rules: Rules | None = None,
    rng: int | np.random.Generator | None = None,
    tie: Tie = "right",
    executor: Executor | None = None,
    progress: bool = False,
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
        The classic rules if not given; their `tie` is replaced by the argument of that
        name. With more than two players, one of a pair has the first seat, and the
        other one all the other seats; the first seat wins if its sum is better than
        each of the others.
    rng : None, int or numpy.random.Generator
        A seed, or a source of random numbers. The same seed gives the same result,
        whatever `executor` and `progress` are.
    tie : {"right", "left", "larger"}
        What named players do where both ends are equally good, as for :func:`match`.
    executor : concurrent.futures.Executor, optional
        Where to play chunks of deals in parallel: threads, processes or a cluster
        (:doc:`/cluster`). Processes and clusters have to pickle the players; a
        ``lambda`` can be pickled on a Dask cluster only.
    progress : bool, default False
        Show a progress bar, for which `tqdm` is needed (the extra ``progress``).

    Returns
    -------
    Tournament
        The wins, draws and losses of each player in the first seat against each in the
        second, and the mean leads, with standard errors.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described above, two players have the same name, a
        callable returns anything but a move (the message names the player), or the
        cards are so large that the squares of leads cannot be summed in float64.
    TooLargeError
        If the table of an optimal player would not fit in memory.
    TooLongError
        If it would take weeks on one core, or more than an hour without `progress`.
    ModuleNotFoundError
        If `progress` is true and `tqdm` is not installed.

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
    optimal    989/11/0    990/10/0     991/9/0
    greedy    879/31/90   881/25/94   901/25/74
    larger   718/36/246  698/30/272  731/27/242
    """
    named = _named(players)
    rules = _checks.rules(rules, Rules)
    tie = _checks.choice("tie", tie, TIES)
    source = _checks.generator(rng)
    progress = _checks.boolean("progress", progress)
    executor = _spread.checked(executor)
    rows = list(read_rows("deals", deals))
    lengths = Counter(len(row.numerators) for row in rows)
    refuse_too_long(
        f"a tournament of {len(named)} players on {len(rows)} deals",
        sum([k * _seconds(n, named.values(), rules) for n, k in lengths.items()]),
        "give fewer deals, shorter ones or faster players",
        progress=progress,
    )
    chunks = [chunk for _, chunk in alike(rows)]
    jobs = map(_Job, chunks, _spread.streams(source))
    totals = [[Tally()] * len(named) for _ in named]
    with progress_bar(len(rows) * len(named) ** 2, "games", shown=progress) as bar:
        for _, tallies in _spread.each(
            _played, (named, rules, tie), jobs, executor=executor, name=str
        ):
            totals = [
                [total.plus(new) for total, new in zip(*pair, strict=True)]
                for pair in zip(totals, tallies, strict=True)
            ]
            if bar is not None:
                bar.update(sum([sum(new[:3]) for some in tallies for new in some]))
    return _result(tuple(named), len(rows), totals)


def _seconds(cards: int, players: Collection[Policy], rules: Rules) -> float:
    """Estimate the time of all games on a row in seconds, by measurement."""
    if rules != Rules(tie=rules.tie):
        return len(players) ** 2 * cards * rules.take * 1e-5
    table = 1.2e-8 * cards**2 / 2
    once = sum([table for player in players if player == "optimal"])
    # Every player has one of the two seats in 2 p games.
    return once + len(players) * sum([_seconds_of(player, cards) for player in players])


def _seconds_of(player: Policy, cards: int) -> float:
    """Estimate the time of a player's turns in two games in seconds."""
    if isinstance(player, Mixed):
        return sum([_seconds_of(part, cards) for part, _ in player.shares])
    return (2e-6 if callable(player) else 1e-7) * cards


class _Job(NamedTuple):
    """The work of one worker at a time: rows of one length."""

    rows: Sequence[Row]
    rng: np.random.Generator

    def __str__(self) -> str:
        first = [self.rows[0].exact(x) for x in self.rows[0].numerators]
        return f"{len(self.rows)} deals from {_checks.shown(first)} on"


def _named(players: object) -> dict[str, Policy]:
    """Return the players by their names, each checked."""
    if isinstance(players, (str, bytes)) or not isinstance(players, Iterable):
        raise TypeError(
            "players must be an iterable of policies or a mapping of names to "
            f"policies, got {_checks.described(players)}"
        )
    named: dict[str, Policy] = {}
    if isinstance(players, Mapping):
        for name, player in players.items():
            if not isinstance(name, str):
                raise TypeError(
                    f"players must have names that are str, got {_checks.shown(name)}"
                )
            named[name] = checked(f"players[{_checks.shown(name)}]", player)
    else:
        for i, player in enumerate(players):
            policy = checked(f"players[{i}]", player)
            name = name_of(policy)
            if name in named:
                raise ValueError(
                    f"players must have different names, got {_checks.shown(name)} "
                    "twice; give a mapping of names to policies"
                )
            named[name] = policy
    if not named:
        raise ValueError("players must hold at least one policy, got none")
    return named


def _played(
    shared: tuple[dict[str, Policy], Rules, Tie], job: _Job
) -> list[list[Tally]]:
    """Return the results of a chunk of deals, for all pairs of players."""
    players, rules, tie = shared
    if rules != Rules(tie=rules.tie):
        return _by_any_rules(players, rules, tie, job)
    deals = Deals.of(job.rows)
    choosers = [
        chooser(policy, deals, tie, repr(name)) for name, policy in players.items()
    ]
    return [
        [
            tally(deals, play(deals, first, second, job.rng).positions)
            for second in choosers
        ]
        for first in choosers
    ]


def _by_any_rules(
    players: dict[str, Policy], rules: Rules, tie: Tie, job: _Job
) -> list[list[Tally]]:
    """Return the results of a chunk of deals by other rules than the classic ones."""
    setting = setting_of(rules, job.rows, tie)
    seated = [
        player_of(policy, setting, repr(name)) for name, policy in players.items()
    ]

    def pair(first: odds.Player, second: odds.Player) -> Tally:
        everybody = [first, *[second] * (rules.players - 1)]
        own, *others = odds.play(setting, everybody, job.rng).sums
        best = (np.min if rules.misere else np.max)(others, axis=0)
        unit = setting.instances[0].unit.denominator
        return tally_of((own - best).tolist(), unit, misere=rules.misere)

    return [[pair(first, second) for second in seated] for first in seated]


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


_OF_SEVERAL_GAMES = ("win_rate_error", "lead_deviation", "lead_error")
"""Fields that one game cannot estimate."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Tournament(ArrayRecord):
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
        one game it and the standard errors are NaN, and None in `to_dict`.

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
        return _samples.rate_error(self.win_rate, self.games)

    @property
    def lead_error(self) -> NDArray[np.float64]:
        """The standard error of `mean_lead`, from the sample; NaN for one game."""
        return _samples.mean_error(self.lead_deviation, self.games)

    def to_pandas(self) -> pd.DataFrame:
        """Return a DataFrame with one row a pair, indexed by the names of its players.

        What one game cannot estimate is missing (NaN).

        Raises
        ------
        ModuleNotFoundError
            If pandas is not installed.
        """
        pandas = require("pandas", extra="pandas", purpose="to_pandas()")
        index = pandas.MultiIndex.from_product(
            [self.players, self.players], names=["first", "second"]
        )
        columns = {name: array.ravel() for name, array in self._arrays().items()}
        frame: pd.DataFrame = pandas.DataFrame(columns, index=index)
        return frame

    def to_dict(self, *, json: bool = False) -> dict[str, Any]:
        """Return all fields as plain lists and numbers; arrays are ``[first][second]``.

        Parameters
        ----------
        json : bool, default False
            Without effect: all types are ones that JSON has.
        """
        missing = () if self.games > 1 else _OF_SEVERAL_GAMES
        arrays = self._arrays() | dict.fromkeys(missing)
        found: dict[str, Any] = plain(
            {"players": list(self.players), "games": self.games, **arrays}, json=json
        )
        return found

    def __str__(self) -> str:
        table = [["", *self.players]]
        table += [[name, *cells] for name, cells in self._cells()]
        return "\n".join([self._title(), *aligned(table, left=(0,))])

    def __repr__(self) -> str:
        return summary(self, players=self.players, games=self.games)

    def _repr_html_(self) -> str:
        first = slice(0, _html.MOST_ROWS)
        rows = (
            [_html.label(name), *map(_html.cell, cells[first])]
            for name, cells in islice(self._cells(), _html.MOST_ROWS)
        )
        head = ["first \\ second", *self.players[first]]
        notes = _html.first_of(len(self.players), "players")
        return _html.table(self._title(), head, rows, notes)

    def _title(self) -> str:
        return f"win/draw/lose of the first seat, {counted(self.games, 'game')} a pair"

    def _cells(self) -> Iterator[tuple[str, list[str]]]:
        """Yield each row of the table of results: the name of the player, and text."""
        counts = np.stack([self.wins, self.draws, self.losses], axis=-1).tolist()
        for name, row in zip(self.players, counts, strict=True):
            yield name, ["/".join(map(str, cell)) for cell in row]

    def _arrays(self) -> dict[str, NDArray[Any]]:
        return {
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "win_rate": self.win_rate,
            "win_rate_error": self.win_rate_error,
            "mean_lead": self.mean_lead,
            "lead_deviation": self.lead_deviation,
            "lead_error": self.lead_error,
        }
