"""Tournaments: every player against every one, in both seats, on the same deals."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import _checks
from cardgames_dp._effort import refuse_too_long
from cardgames_dp._extras import progress_bar
from cardgames_dp.cardrow import exhaustive
from cardgames_dp.cardrow.cards import Cards, Row, read_rows
from cardgames_dp.cardrow.choosers import Deals, chooser
from cardgames_dp.cardrow.matches import play
from cardgames_dp.cardrow.policies import Mixed, Policy, checked, name_of
from cardgames_dp.cardrow.rules import TIES, Tie
from cardgames_dp.cardrow.standings import Tournament

if TYPE_CHECKING:
    from concurrent.futures import Executor

_CHUNK, _CHUNK_CELLS = 1024, 2**24
"""Deals played side by side at most, and how many table cells they may have."""


def tournament(
    # Beside Iterable type checkers would not read a mapping's values as policies.
    players: Mapping[str, Policy] | Sequence[Policy],
    deals: Iterable[Cards] | NDArray[Any],
    *,
    rng: int | np.random.Generator | None = None,
    tie: Tie = "right",
    executor: Executor | None = None,
    progress: bool = False,
) -> Tournament:
    """Let every player play every one, itself too, in both seats and on every deal.

    Grade: estimated, with standard errors.

    Parameters
    ----------
    players : iterable of policies, or mapping of names to policies
        Each is a player that :func:`match` knows; a mapping names them, as it must if
        two would have the same name.
    deals : iterable of rows of cards
        Or a two-dimensional array, as from :func:`deal`. The rows need not be of one
        length.
    rng : None, int or numpy.random.Generator
        A seed, or a source of random numbers. The same seed gives the same result,
        whatever `executor` and `progress` are.
    tie : {"right", "left", "larger"}
        As for :func:`match`.
    executor : concurrent.futures.Executor, optional
        What to let play the deals, in chunks, side by side. Players for a pool of
        processes must pickle, which a ``lambda`` does not.
    progress : bool, default False
        Show a progress bar, for which `tqdm` is needed (the extra ``progress``).

    Returns
    -------
    Tournament
        How often each player won, drew and lost against each in the first seat, and the
        mean of what it won by, with standard errors.

    Raises
    ------
    TypeError, ValueError
        If an argument is none of the kinds above, two players have the same name, a
        callable returns something else than a move (the message names the player), or
        there are more than 24 cards for "brute_force", or cards too large for the
        squares of what is won by to be summed in a float64.
    TooLargeError
        If the table of an optimal player would not fit in memory.
    TooLongError
        If it would take weeks on one core, or more than an hour without `progress`.
    ModuleNotFoundError
        If `progress` is asked for and `tqdm` is not installed.

    Notes
    -----
    Games with rows of one length are played side by side; callables are asked game by
    game, and "brute_force" is slow everywhere.

    References
    ----------
    Document 002 (A. Pashevich and others, "APP2: Hold'em for n00bs") describes the
    players; it does not count.

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
    tie = _checks.choice("tie", tie, TIES)
    source = _checks.generator(rng)
    progress = _checks.boolean("progress", progress)
    mapper = _checks.mapper(executor)
    rows = list(read_rows("deals", deals))
    refuse_too_long(
        f"a tournament of {len(named)} players on {len(rows)} deals",
        sum([_seconds(len(row.numerators), named.values()) for row in rows]),
        "give fewer deals, shorter ones or faster players",
        progress=progress,
    )
    chunks = list(_chunks(rows))
    jobs = [
        _Job(chunk, named, tie, child)
        for chunk, child in zip(chunks, source.spawn(len(chunks)), strict=True)
    ]
    totals = [[_Tally()] * len(named) for _ in named]
    with progress_bar(len(rows) * len(named) ** 2, "games", shown=progress) as bar:
        for job, tallies in zip(jobs, mapper(_played, jobs), strict=True):
            totals = [
                [total.plus(new) for total, new in zip(*pair, strict=True)]
                for pair in zip(totals, tallies, strict=True)
            ]
            if bar is not None:
                bar.update(len(job.rows) * len(named) ** 2)
    return _standings(tuple(named), len(rows), totals)


def _seconds(cards: int, players: Collection[Policy]) -> float:
    """Return about how long all games with a row take, by measurement."""
    table = 1.2e-8 * cards**2 / 2
    once = sum([table for player in players if player == "optimal"])
    # Every player is half of the players of 2 p games.
    return once + len(players) * sum([_seconds_of(player, cards) for player in players])


def _seconds_of(player: Policy, cards: int) -> float:
    """Return about how long the turns of a player take in two games."""
    if isinstance(player, Mixed):
        return sum([_seconds_of(part, cards) for part, _ in player.shares])
    if player == "brute_force":  # all lengths, each twice as long as the one before
        return 2 * exhaustive.seconds(cards)
    return (2e-6 if callable(player) else 1e-7) * cards


class _Job(NamedTuple):
    """What one worker needs to know: rows of one length, and who plays."""

    rows: Sequence[Row]
    players: dict[str, Policy]
    tie: Tie
    rng: np.random.Generator


class _Tally(NamedTuple):
    """Results of the first player of a pair, and sums of the leads and their squares.

    The sums are exact, so that no result depends on the order of addition.
    """

    wins: int = 0
    draws: int = 0
    losses: int = 0
    leads: Fraction = Fraction(0)
    squares: Fraction = Fraction(0)

    def plus(self, other: _Tally) -> _Tally:
        return _Tally(
            self.wins + other.wins,
            self.draws + other.draws,
            self.losses + other.losses,
            self.leads + other.leads,
            self.squares + other.squares,
        )


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


def _chunks(rows: Iterable[Row]) -> Iterator[list[Row]]:
    """Yield the rows again, those of one length together."""
    by_length: dict[int, list[Row]] = defaultdict(list)
    for row in rows:
        by_length[len(row.numerators)].append(row)
    for length, same in by_length.items():
        size = min(_CHUNK, max(1, _CHUNK_CELLS // length**2))
        for start in range(0, len(same), size):
            yield same[start : start + size]


def _played(job: _Job) -> list[list[_Tally]]:
    """Return what came of a chunk of deals, for all pairs of players."""
    deals = Deals.of(job.rows)
    choosers = [
        chooser(policy, deals, job.tie, repr(name))
        for name, policy in job.players.items()
    ]
    return [
        [
            _tally(deals, play(deals, first, second, job.rng).positions)
            for second in choosers
        ]
        for first in choosers
    ]


def _tally(deals: Deals, positions: NDArray[np.int64]) -> _Tally:
    taken = np.take_along_axis(deals.rows, positions, axis=1)
    leads = (taken[:, ::2].sum(axis=1) - taken[:, 1::2].sum(axis=1)).tolist()
    return _Tally(
        wins=sum([lead > 0 for lead in leads]),
        draws=leads.count(0),
        losses=sum([lead < 0 for lead in leads]),
        leads=Fraction(sum(leads), deals.denominator),
        squares=Fraction(sum([lead * lead for lead in leads]), deals.denominator**2),
    )


def _standings(
    players: tuple[str, ...], games: int, totals: list[list[_Tally]]
) -> Tournament:
    counts = np.array([[tally[:3] for tally in row] for row in totals])
    try:
        means = [[float(tally.leads / games) for tally in row] for row in totals]
        deviations = [[_deviation(tally, games) for tally in row] for row in totals]
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


def _deviation(tally: _Tally, games: int) -> float:
    """Return the sample's standard deviation of the leads, rounded at the end."""
    if games == 1:
        return math.nan  # no deviation is known
    return math.sqrt((tally.squares - tally.leads**2 / games) / (games - 1))
