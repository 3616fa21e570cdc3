"""Games from the first turn to the last, and the distribution of how they end.

Players are given, or optimal ones. :func:`distribution` counts all courses of a game.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import groupby
from typing import Any, ClassVar, Generic, Literal, TypeAlias, overload

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._results.distribution import Distribution
from cardgames_dp._results.records import Result
from cardgames_dp._results.tables import Table
from cardgames_dp._support import arguments
from cardgames_dp._support.arguments import Backend
from cardgames_dp._support.printing import short
from cardgames_dp._support.running import refuse_too_large
from cardgames_dp.cardrow._kernels import collapse, diagonals, states as engine
from cardgames_dp.cardrow._kernels.row import (
    Cards,
    Exact,
    Instance,
    Real,
    Row,
    counted,
)
from cardgames_dp.cardrow._kernels.states import Board, most_states, play
from cardgames_dp.cardrow._kernels.values import taken_sums
from cardgames_dp.cardrow.cards import read
from cardgames_dp.cardrow.policies import (
    Policy,
    checked_players,
    name_of,
    places,
    seated,
)
from cardgames_dp.cardrow.rules import Rules, Side, Turn, deals_of, instance_of

Winner: TypeAlias = (
    Literal["first", "second", "third", "fourth", "fifth", "sixth", "draw"] | str
)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Match(Result, Generic[Real]):
    """The record of one game; made by :func:`match`, prints as a sentence.

    `Solution.play` makes it of a game between optimal players.
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
    sums : tuple of int, Fraction or float
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
    >>> game.taken[::2]  # by the first player
    (9, 6, 4)
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
    def winner(self) -> Winner:
        """The winner: "first", "second" and so on; "draw" if the best sum is shared."""
        sums: Any = self.sums
        best = min(sums) if self.rules.misere else max(sums)
        if sums.count(best) > 1:
            return "draw"
        place: int = sums.index(best)
        return places(len(sums))[place]

    @property
    def taken(self) -> tuple[Exact, ...]:
        """The cards in the order in which they were taken."""
        return tuple([self.cards[i] for i in self.positions.tolist()])

    @property
    def sides(self) -> tuple[Side, ...]:
        """The end from which each card was taken, "left" or "right"."""
        return tuple(["right" if right else "left" for right in self.from_right])

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The turns in order; a turn may take several cards from one end."""
        taken = groupby(zip(self.takers.tolist(), self.sides, strict=True))
        return tuple([Turn(side, len(list(cards))) for (_, side), cards in taken])

    def _facts(self) -> dict[str, object]:
        facts = {"players": self.players, "sums": self.sums}
        return {"cards": len(self.cards), **facts}

    def __str__(self) -> str:
        (first, one), *others = zip(self.players, map(short, self.sums), strict=True)
        *some, (last, its) = others
        between = "".join([f", {name} {taken}" for name, taken in some])
        return (
            f"{counted(len(self.cards), 'card')}: {first}, who started, took {one}"
            f"{between} and {last} {its}."
        )

    def _table(self) -> Table:
        columns: dict[str, Any] = self._columns()[1]
        rows = [*zip(*columns.values(), strict=True)]
        head = ["player", "from", "position", "card"]
        return Table(head, rows, title=str(self), first="cards")

    def _columns(self) -> tuple[None, dict[str, Any]]:
        return None, {
            "player": [self.players[taker] for taker in self.takers.tolist()],
            "side": list(self.sides),
            "position": self.positions.tolist(),
            "card": list(self.taken),
        }


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
        all play optimally if none is given. `Policy` explains the names ("optimal",
        "greedy", "greedy_literal", "larger", "smaller", "random"), :class:`Mixed`,
        callables, solutions and responses.
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

    Raises
    ------
    ValueError
        If a callable returns anything but a move; the message names the player.
    TooLargeError
        If the table of an optimal player, or its turns, would not fit in memory.

    Notes
    -----
    The player "optimal" takes O(n**2) time and n**2 / 2 bytes before the first move,
    for n cards, and follows the tie rule. If no player is given, two who take one card
    a turn need O(n) time. They take the blocks to which the row collapses from the
    largest to the smallest (under misère rules from the smallest to the largest), the
    left one of two equal ones, and the cards of a block one after the other
    (:doc:`/theory/cardrow` explains why). Both lines are optimal at every turn, so both
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
    >>> def from_the_left(cards, left, right):
    ...     return "left"
    >>> print(cardrow.match([4, 4, 6, 6, 12, 9], from_the_left, "optimal"))
    6 cards: from_the_left, who started, took 14 and optimal 27.

    Optimal play of both:

    >>> play = cardrow.match([14, 4, 7, 2, 5, 12])
    >>> play.positions.tolist(), play.sums
    ([0, 5, 4, 1, 2, 3], (26, 18))
    >>> play.sides
    ('left', 'right', 'right', 'left', 'left', 'left')
    """
    row = read("cards", cards)
    rules = arguments.rules(rules, Rules)
    source = arguments.generator(rng)
    if not players:
        return _optimal(row, rules)
    policies = checked_players(players, rules)
    deals = deals_of(rules, [row])
    board = None
    if any(getattr(policy, "looks_at_sums", False) for policy in policies):
        board = Board.of(deals.instances[0])
    course = play(deals, seated(policies, deals), source, board)
    return Match(
        cards=deals.given[0],
        players=tuple(map(name_of, policies)),
        positions=course.positions[0],
        from_right=course.from_right[0],
        sums=tuple([deals.unit.exact(int(x[0])) for x in course.sums(deals)]),
        takers=course.takers[0],
        rules=rules,
    )


def _optimal(row: Row, rules: Rules) -> Match[Exact]:
    """Return one whole game in which all players play optimally."""
    instance = instance_of(rules, row)
    n = len(instance.worths[0])
    if rules.linear:
        positions, from_right = collapse.line(instance.wanted)
        line = positions, np.arange(n) % 2, from_right
        return optimal_match(tuple(row.numbers()), rules, line, instance=instance)
    refuse_too_large(
        f"the turns at {n * (n + 1) // 2} intervals of {n} cards",
        n * (n + 1) // 2 * np.min_scalar_type(-min(rules.take, n)).itemsize,
        "use a shorter row",
    )
    every = diagonals.sweep(instance.array(exact=True), instance.terms)
    codes = [np.broadcast_to(turns.codes, n - i) for i, turns in enumerate(every)]
    line = follow(n, rules.players, lambda left, right: int(codes[right - left][left]))
    return optimal_match(tuple(row.numbers()), rules, line, instance=instance)


def optimal_match(
    cards: tuple[Exact, ...],
    rules: Rules,
    line: tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.bool_]],
    *,
    instance: Instance | None = None,
    sums: tuple[Any, ...] = (),
) -> Match[Any]:
    """Return a line of optimal play, as from `follow`, as a game between players."""
    positions, takers, from_right = line
    if instance is not None:
        sums = taken_sums(instance, positions, takers)
    names = ("optimal",) * rules.players
    return Match(cards, names, positions, from_right, sums, takers, rules)


def follow(
    n: int, num_players: int, code_at: Callable[[int, int], int]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.bool_]]:
    """Return positions, takers and ends of a game, from the turn at each interval."""
    positions: list[int] = []
    players: list[int] = []
    from_right: list[bool] = []
    left, right, player = 0, n - 1, 0
    while left <= right:
        code = code_at(left, right)
        if code < 0:
            positions += range(left, left - code)
            left -= code
        else:
            positions += range(right, right - code, -1)
            right -= code
        players += [player] * abs(code)
        from_right += [code > 0] * abs(code)
        player = (player + 1) % num_players
    return np.array(positions), np.array(players), np.array(from_right)


@overload
def distribution(
    cards: Cards,
    *players: Policy,
    rules: Rules | None = None,
    backend: Literal["float64"] = "float64",
) -> Distribution[float]: ...
@overload
def distribution(
    cards: Cards,
    *players: Policy,
    rules: Rules | None = None,
    backend: Literal["exact"],
) -> Distribution[Any]: ...
def distribution(
    cards: Cards,
    *players: Policy,
    rules: Rules | None = None,
    backend: Backend = "float64",
) -> Distribution[Any]:
    """Return the probability distribution of the first player's lead.

    It says who wins how often, and by how much, where players play at random. All
    courses of the game are counted; none is simulated.

    Grade: float64; exact with ``backend="exact"``.

    Parameters
    ----------
    cards : iterable of int, Fraction, Decimal or float
        The row from left to right, as for :func:`value`.
    *players : Policy
        One for each seat, as for :func:`match`.
    rules : Rules, optional
        The classic rules if not given.
    backend : {"float64", "exact"}
        The arithmetic of the probabilities. The possible leads are exact with either.

    Returns
    -------
    Distribution
        Of the first player's sum less the opponent's; with more players, less the best
        of the others' sums, as for :func:`value`. Its `mean` is what the players are
        expected to end with, `loss_probability` the probability of losing, and
        ``1 - cdf(0)`` that of winning (the other way round under misère rules).

    Raises
    ------
    TooLargeError
        If the possible sums are too many to fit in memory.

    Examples
    --------
    >>> from cardgames_dp import cardrow
    >>> print(cardrow.distribution([8, 4, 2, 2, 4, 8], "greedy", "random"))
    lead  probability
       0         0.25
       4         0.25
       8         0.25
      12         0.25
    (mean 6, standard deviation 4.47214)
    """
    row = read("cards", cards)
    rules = arguments.rules(rules, Rules)
    exact = arguments.backend(backend) == "exact"
    policies = checked_players(players, rules)
    deals = deals_of(rules, [row])
    instance = deals.instances[0]
    if not exact:
        instance.array(exact=False)  # leads are floats
    board = Board.of(instance)
    states = min(most_states(board), 1e300)
    refuse_too_large(
        f"the distribution of a game with {board.cards} cards and up to {states:.3g} "
        "states",
        int(states * (200 if exact else 40)),
        "use a shorter row or smaller integers",
    )
    seats = seated(policies, deals)
    tallies, shares = engine.distribution(board, deals, seats, exact=exact)
    if rules.players == 2:
        leads = [instance.lead(tally) for tally in tallies.tolist()]
    else:
        sums = [x.tolist() for x in board.own_sums(tallies)]
        sign = -1 if rules.misere else 1
        leads = [
            instance.unit.exact(sign * (own - max(others)))
            for own, *others in zip(*sums, strict=True)
        ]
    return _law(leads, shares, exact)


def _law(leads: list[Exact], shares: NDArray[Any], exact: bool) -> Distribution[Any]:
    """Return the distribution of leads, given in any order and with repetitions."""
    support = sorted(set(leads))
    place = {lead: i for i, lead in enumerate(support)}
    probabilities = np.zeros(len(support), shares.dtype)
    np.add.at(probabilities, [place[lead] for lead in leads], shares)
    whole = all(isinstance(x, int) and abs(x) < 2**63 for x in support)
    dtype: Any = np.int64 if whole else (object if exact else np.float64)
    return Distribution("lead", np.array(support, dtype), probabilities)
