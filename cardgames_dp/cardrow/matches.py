"""Games from the first turn to the last: one match, or a tournament of many.

In a tournament every player plays against every other, in both seats, on the same
deals.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import Any, ClassVar, Generic, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._results.distribution import mean_error, rate_error
from cardgames_dp._results.records import Result
from cardgames_dp._results.tables import MOST_ROWS, Table
from cardgames_dp._support import arguments, executors
from cardgames_dp._support.calls import suggest_arguments
from cardgames_dp._support.printing import short, with_noun
from cardgames_dp._support.running import with_progress
from cardgames_dp.cardrow._kernels import collapse
from cardgames_dp.cardrow._kernels.players import Deals, Hands, Odds, Player
from cardgames_dp.cardrow._kernels.row import Cards, Exact, Real, Row, alike, is_linear
from cardgames_dp.cardrow._kernels.sums import RowSums
from cardgames_dp.cardrow.cards import parse_row, parse_rows
from cardgames_dp.cardrow.policies import (
    POLICIES,
    Policy,
    checked,
    looks_at_sums,
    name_of,
    places,
    player_of,
    players_by_seat,
)
from cardgames_dp.cardrow.rules import Rules, word_of


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Match(Result, Generic[Real]):
    """The record of one game; made by :func:`match`, prints as a sentence.

    The arrays are read-only.

    Attributes
    ----------
    cards : tuple of int or Fraction
        The row from left to right.
    players : tuple of str
        The names of the players, in the order in which they move.
    positions : ndarray of int64, shape (cards,)
        The positions of the cards, counted from 0, in the order in which they were
        taken.
    from_right : ndarray of bool, shape (cards,)
        Whether each of these cards was taken from the right; the last one counts as
        taken from the left.
    sums : tuple of int or Fraction
        The sum that each player took, each by their own values.
    takers : ndarray of int64, shape (cards,)
        The player who took each of these cards, counted from 0.
    rules : Rules
        The rules of the game.

    Examples
    --------
    >>> from cardgames_dp import cardrow
    >>> game = cardrow.match([4, 4, 6, 6, 12, 9], "greedy", "larger")
    >>> game.winner, game.lead, game.sums
    ('second', -3, (19, 22))
    >>> [game.cards[i] for i in game.positions[::2]]  # taken by the first player
    [9, 6, 4]
    """

    _derived: ClassVar[tuple[str, ...]] = ("lead", "winner")

    cards: tuple[Exact, ...]
    players: tuple[str, ...]
    positions: NDArray[np.int64]
    from_right: NDArray[np.bool_]
    sums: tuple[Real, ...]
    takers: NDArray[np.int64]
    rules: Rules

    @property
    def lead(self) -> Real:
        """The first player's sum less the opponent's; of several, less the best one."""
        sums: Any = self.sums
        others = sums[1:]
        lead: Real = sums[0] - (min(others) if self.rules.misere else max(others))
        return lead

    @property
    def winner(self) -> str:
        """The winner: "first", "second" and so on; "draw" if the best sum is shared."""
        sums: Any = self.sums
        best = min(sums) if self.rules.misere else max(sums)
        if sums.count(best) > 1:
            return "draw"
        place: int = sums.index(best)
        return places(len(sums))[place]

    @property
    def turns(self) -> tuple[str, ...]:
        """The turns in order, as in :func:`game`; one may take several cards."""
        taken = groupby(
            zip(self.takers.tolist(), self.from_right.tolist(), strict=True)
        )
        counts = [(right, len(list(cards))) for (_, right), cards in taken]
        return tuple([word_of(n if right else -n) for right, n in counts])

    def _facts(self) -> dict[str, object]:
        return {"cards": len(self.cards), "players": self.players, "sums": self.sums}

    def __str__(self) -> str:
        (first, one), *others = zip(self.players, map(short, self.sums), strict=True)
        *some, (last, its) = others
        between = "".join([f", {name} {taken}" for name, taken in some])
        return (
            f"{with_noun(len(self.cards), 'card')}: {first}, who started, took {one}"
            f"{between} and {last} {its}."
        )

    def _table(self) -> Table:
        turns = zip(self.takers, self.from_right, self.positions.tolist(), strict=True)
        rows = [
            (self.players[taker], "right" if right else "left", i, self.cards[i])
            for taker, right, i in turns
        ]
        head = ["player", "side", "position", "card"]
        return Table(head, rows, title=str(self), first="cards")


@suggest_arguments
def match(
    cards: Cards,
    *players: Policy,
    rules: Rules | None = None,
    rng: int | np.random.Generator | None = None,
) -> Match[Exact]:
    """Play one game between given players, or by optimal play of all.

    Grade: exact, for the one game that is played.

    Parameters
    ----------
    cards : iterable of int, Fraction, Decimal or float
        The row from left to right, as for :func:`value`.
    *players : Policy
        The players, in the order in which they move: two, or as many as the rules say;
        all play optimally if none is given. They are words ("optimal", "greedy",
        "greedy_literal", "larger", "smaller", "random"; see `cardgames_dp.cardrow`) or
        policies as for `cardgames_dp.play`: functions of a `State`, mappings of states,
        solutions, responses, mixtures.
    rules : Rules, optional
        The classic rules (two players, one card a turn) if not given. Their `tie` says
        what named players do where both ends are equally good to them: "larger" (the
        larger card, of equal ones the right one), the usual one, is the rule of the
        table of Pashevich's report; ``Rules(tie="right")`` is that of its players.
    rng : None, int or numpy.random.Generator
        A seed, or a source of random numbers. Used only where a player is random.

    Returns
    -------
    Match
        Every turn, the final sums, and the winner.

    Notes
    -----
    The player "optimal" takes O(n**2) time and n**2 / 2 bytes before the first move,
    for n cards, and follows the tie rule. If no player is given, two who take one card
    a turn need O(n) time. They take the blocks to which the row collapses from the
    largest to the smallest (under misère rules from the smallest to the largest), the
    left one of two equal ones, and the cards of a block one after the other
    (:doc:`/appendix/methods` proves it). Both lines are optimal at every turn, so both
    end in the same sums; with weights, in the same lead only.

    References
    ----------
    Pashevich and others ("APP2: Hold'em for n00bs"), section 2.3.

    Examples
    --------
    The greedy player loses the game of section 2.3 of Pashevich's report:

    >>> from cardgames_dp import cardrow
    >>> game = cardrow.match([4, 4, 6, 6, 12, 9], "greedy", "larger")
    >>> game
    Match(cards=6, players=('greedy', 'larger'), sums=(19, 22))
    >>> game.positions.tolist()
    [5, 4, 3, 2, 1, 0]
    >>> def from_the_left(state):
    ...     return "left"
    >>> print(cardrow.match([4, 4, 6, 6, 12, 9], from_the_left, "optimal"))
    6 cards: from_the_left, who started, took 14 and optimal 27.

    Optimal play of both:

    >>> play = cardrow.match([14, 4, 7, 2, 5, 12])
    >>> play.positions.tolist(), play.sums
    ([0, 5, 4, 1, 2, 3], (26, 18))
    >>> play.turns
    ('left', 'right', 'right', 'left', 'left', 'left')
    """
    row = parse_row("cards", cards)
    rules = arguments.rules(rules, Rules)
    source = arguments.generator(rng)
    deals, optimal = Deals.of(rules, [row]), [POLICIES[0]]
    policies: Sequence[Policy] = players or optimal * rules.players
    if not players and is_linear(rules):
        from_right = collapse.line(deals.instances[0].objective)
        course = _course(np.where(from_right, 1, -1)[np.newaxis], 2)
    else:
        seats, arrays = players_by_seat(policies, rules, deals), None
        if any(map(looks_at_sums, policies)):
            arrays = RowSums(deals.instances[0])
        course = _play_games(deals, seats, source, arrays)
    positions, from_right, takers = course
    return Match(
        cards=deals.rows[0],
        players=tuple(map(name_of, policies)),
        positions=positions[0],
        from_right=from_right[0],
        sums=tuple([deals.unit.exact(int(x[0])) for x in _sums(deals, course)]),
        takers=takers[0],
        rules=rules,
    )


Course: TypeAlias = tuple[NDArray[np.int64], NDArray[np.bool_], NDArray[np.int64]]
"""Positions, sides and takers of all cards, in the order in which they were taken.

As `Match` has them, with a row for each game.
"""


def _sums(deals: Deals, course: Course) -> list[NDArray[Any]]:
    """Return the final sums of each player, each by their own values."""
    positions, _, takers = course
    return [
        np.where(
            takers == seat, np.take_along_axis(gains[0], positions, axis=1), 0
        ).sum(axis=1)
        for seat, gains in enumerate(deals.gains)
    ]


def _play_games(
    deals: Deals,
    players: Sequence[Player],
    rng: np.random.Generator,
    arrays: RowSums | None = None,
) -> Course:
    """Play one game on each row, all side by side.

    Only one game is played if a player looks at what has been taken, in `arrays`.
    """
    (games, n), alike = deals.shared.shape, deals.rules.take == 1
    numbers, left = np.arange(games), np.zeros(games, np.int64)
    rest: Any = n if alike else np.full(games, n)  # cards left
    turns: list[NDArray[np.int64]] = []
    tally: Any = None if arrays is None else arrays.start()
    while (lengths := [rest] if alike else np.unique(rest).tolist()) != [0]:
        codes, seat = np.zeros(games, np.int64), len(turns) % len(players)
        for length in lengths:
            here: Any = slice(None) if alike else np.flatnonzero(rest == length)
            if length < 2:  # the last card is taken from the left
                codes[here] = -length
                continue
            index: Any = numbers[here], left[here]
            if games == 1:  # a slice is found much faster than one cell
                index = slice(1), slice(left[0], left[0] + 1)
            hands = Hands(deals, length, index, tally)
            drawn = _draw_turns(players[seat](hands, seat), rng)
            codes[here] = np.array(hands.codes)[drawn]
        if arrays is not None:
            gained = arrays.gains(left, left + rest - 1, codes)
            tally = tally + arrays.steps[seat] * gained
        turns.append(codes)
        left, rest = left - np.minimum(codes, 0), rest - (1 if alike else abs(codes))
    return _course(np.stack(turns, axis=1), len(players))


def _course(codes: NDArray[np.int64], players: int) -> Course:
    """Return the course of games of as many cards, from the codes of all turns."""
    games, turns = codes.shape
    counts = np.abs(codes).ravel()
    seats = np.tile(np.arange(turns) % players, games)
    takers: NDArray[np.int64] = np.repeat(seats, counts).reshape(games, -1)
    from_right: NDArray[np.bool_]
    from_right = np.repeat(codes.ravel() > 0, counts).reshape(games, -1)
    before: NDArray[np.int64] = np.cumsum(from_right, axis=1) - from_right
    n = takers.shape[1]
    positions = np.where(from_right, n - 1, np.arange(n)) - before
    return positions, from_right, takers


def _draw_turns(odds: Odds, rng: np.random.Generator) -> NDArray[Any]:
    """Return the number of a turn for each game, at random."""
    parts, whole = odds
    if whole == 1:
        chosen = parts[1].astype(np.int64) if len(parts) == 2 else parts.argmax(axis=0)
        return np.asarray(chosen)
    reached = (parts[:-1] / whole).astype(float)
    if len(reached) > 1:
        reached = np.cumsum(reached, axis=0)
    return np.asarray((rng.random(parts.shape[1]) >= reached).sum(axis=0))


@suggest_arguments
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
        The players: words as for :func:`match`, or functions of a row, a tuple of exact
        cards, that return a policy as for :func:`match`; or mixtures of these by
        `cardgames_dp.play.mixture`. A mapping gives them other names, as is needed if
        two would have the same name.
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
        If two players have the same name, or the squares of leads cannot be summed in
        float64.
    TooLargeError
        If the table of an optimal player would not fit in memory.

    Notes
    -----
    Games on rows of one length are played side by side in NumPy arrays; functions are
    called game by game.

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

    A player who cannot resist a 13:

    >>> def eager(cards):
    ...     return lambda state: "right" if cards[state.right] == 13 else "left"
    >>> cardrow.tournament(["optimal", eager], rows[:100]).wins.tolist()
    [[100, 100], [25, 56]]
    """
    policies = _by_name(players)
    rules = arguments.rules(rules, Rules)
    source = arguments.generator(rng)
    executor = executors.check_executor(executor)
    rows = list(parse_rows("deals", deals))
    chunks = [chunk for _, chunk in alike(rows)]
    jobs = zip(chunks, executors.streams(source), strict=False)
    totals: Any = 0
    each = executors.map_items(
        _play_job, (policies, rules), jobs, executor=executor, name=_job_name
    )
    games = len(rows) * len(policies) ** 2
    for _, result in with_progress(
        each, games, "games", lambda each: each[1][:3].sum()
    ):
        totals = totals + result

    def deviation(total: Fraction, squares: Fraction) -> float:
        """Return the sample's standard deviation of the leads, rounded at the end."""
        if len(rows) == 1:
            return math.nan  # no deviation is known
        return math.sqrt((squares - total**2 / len(rows)) / (len(rows) - 1))

    try:
        means = (totals[3] / len(rows)).astype(np.float64)
        deviations = np.vectorize(deviation, otypes=[float])(*totals[3:])
    except OverflowError:
        raise ValueError(
            "deals must have cards whose squares can be summed in a float64"
        ) from None
    wins, draws, losses = totals[:3].astype(np.int64)
    names, games = tuple(policies), len(rows)
    return Tournament(names, games, wins, draws, losses, means, deviations)


def _job_name(job: tuple[list[Row], np.random.Generator]) -> str:
    """Return the name of the work of one worker at a time: rows of one length."""
    rows, _ = job
    return f"{len(rows)} deals from {arguments.shown([*rows[0].numbers()])} on"


def _by_name(players: object) -> dict[str, Policy]:
    """Return the players by their names, each checked."""
    must = "players must be an iterable of policies or a mapping of names to policies"
    items, mapped = arguments.iterable(must, players), isinstance(players, Mapping)
    policies: dict[str, Policy] = {}
    pairs: Any = items.items() if isinstance(items, Mapping) else enumerate(items)
    for key, player in pairs:
        if mapped and not isinstance(key, str):
            raise TypeError(
                f"players must have names that are str, got {arguments.shown(key)}"
            )
        policy = checked(f"players[{arguments.shown(key)}]", player, rows=True)
        name: str = key if mapped else name_of(policy)
        if name in policies:
            raise ValueError(
                f"players must have different names, got {arguments.shown(name)} "
                "twice; give a mapping of names to policies"
            )
        policies[name] = policy
    if not policies:
        raise ValueError("players must hold at least one policy, got none")
    return policies


def _play_job(
    shared: tuple[dict[str, Policy], Rules], job: tuple[list[Row], np.random.Generator]
) -> NDArray[np.object_]:
    """Return what all pairs of players win on a chunk of deals.

    These are the wins, draws and losses of the first one, and the sums of the leads and
    of their squares: exact, so that no result depends on the order of addition.
    """
    (policies, rules), (rows, rng) = shared, job
    deals = Deals.of(rules, rows)
    players = [
        player_of(policy, deals, repr(name), rows=True)
        for name, policy in policies.items()
    ]
    scale = deals.unit.denominator
    best, sign = (np.min, -1) if rules.misere else (np.max, 1)
    totals = np.zeros((5, len(players), len(players)), object)
    for pair in np.ndindex(totals.shape[1:]):
        first, second = (players[i] for i in pair)
        everybody = [first, *[second] * (rules.players - 1)]
        own, *others = _sums(deals, _play_games(deals, everybody, rng))
        leads = (own - best(others, axis=0)).tolist()
        signs = [sign * ((x > 0) - (x < 0)) for x in leads]
        squares = sum([lead * lead for lead in leads])
        exact = (Fraction(sum(leads), scale), Fraction(squares, scale**2))
        totals[:, *pair] = *map(signs.count, (1, 0, -1)), *exact
    return totals


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
    _repr_fields: ClassVar[tuple[str, ...]] = ("players", "games")

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
        return rate_error(self.win_rate, self.games)

    @property
    def lead_error(self) -> NDArray[np.float64]:
        """The standard error of `mean_lead`, from the sample; NaN for one game."""
        return mean_error(self.lead_deviation, self.games)

    def _table(self) -> Table:
        counts = np.stack([self.wins, self.draws, self.losses], axis=-1).tolist()
        first = MOST_ROWS if len(self.players) > MOST_ROWS else None
        rows = [
            [name, *["/".join(map(str, cell)) for cell in row[:first]]]
            for name, row in zip(self.players, counts, strict=True)
        ]
        games = with_noun(self.games, "game")
        title = f"win/draw/lose of the first seat, {games} a pair"
        return Table(["", *self.players[:first]], rows, title=title, first="players")

    def _columns(self) -> tuple[Any, dict[str, Any]]:
        count = len(self.players)
        first, second = np.repeat(self.players, count), np.tile(self.players, count)
        names = ["wins", "draws", "losses", "mean_lead", "lead_deviation"]
        names += self._derived
        columns = {name: getattr(self, name).ravel() for name in names}
        return {"first": first, "second": second}, columns
