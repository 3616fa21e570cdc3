"""One game between given players, move by move."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import _checks, _html
from cardgames_dp._effort import refuse_too_long
from cardgames_dp._extras import require
from cardgames_dp._numbers import short
from cardgames_dp._records import ArrayRecord, plain, summary
from cardgames_dp.cardrow._cards import read
from cardgames_dp.cardrow._kernels import odds
from cardgames_dp.cardrow._kernels.choosers import Deals
from cardgames_dp.cardrow._kernels.games import play
from cardgames_dp.cardrow._kernels.instance import Tie
from cardgames_dp.cardrow._kernels.row import Cards, Exact, Row, counted
from cardgames_dp.cardrow._seats import player_of, setting_of
from cardgames_dp.cardrow.lead_laws import checked_players, places
from cardgames_dp.cardrow.plans import Plan, player_of_plan, refuse_other_games
from cardgames_dp.cardrow.policies import Policy, chooser, name_of
from cardgames_dp.cardrow.rules import TIES, Rules

if TYPE_CHECKING:
    import pandas as pd

_TURN = 25e-6
"""Seconds of a turn, at most: of simple players it took 12 to 13 us."""

Winner: TypeAlias = (
    Literal["first", "second", "third", "fourth", "fifth", "sixth", "draw"] | str
)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Match(ArrayRecord):
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
    >>> game.taken[::2]  # by the first player
    (9, 6, 4)
    """

    cards: tuple[Exact, ...]
    players: tuple[str, ...]
    positions: NDArray[np.int64]
    from_right: NDArray[np.bool_]
    sums: tuple[Exact, ...]
    takers: NDArray[np.int64]
    rules: Rules

    @property
    def lead(self) -> Exact:
        """The first player's sum less the opponent's; of several, less the best one."""
        own, *others = self.sums
        return own - (min(others) if self.rules.misere else max(others))

    @property
    def winner(self) -> Winner:
        """The winner: "first", "second" and so on; "draw" if the best sum is shared."""
        best = min(self.sums) if self.rules.misere else max(self.sums)
        if self.sums.count(best) > 1:
            return "draw"
        return places(len(self.sums))[self.sums.index(best)]

    @property
    def taken(self) -> tuple[Exact, ...]:
        """The cards in the order in which they were taken."""
        return tuple([self.cards[i] for i in self.positions.tolist()])

    def to_dict(self, *, json: bool = False) -> dict[str, Any]:
        """Return all fields as plain lists and numbers.

        Parameters
        ----------
        json : bool, default False
            Whether to use only types that JSON has: Fractions become text.
        """
        found: dict[str, Any] = plain(
            {
                "cards": list(self.cards),
                "players": list(self.players),
                "positions": self.positions,
                "from_right": self.from_right,
                "sums": list(self.sums),
                "takers": self.takers,
                "rules": self.rules,
                "lead": self.lead,
                "winner": self.winner,
            },
            json=json,
        )
        return found

    def to_pandas(self) -> pd.DataFrame:
        """Return a DataFrame with one row a card: player, side, position and card.

        Raises
        ------
        ModuleNotFoundError
            If pandas is not installed.
        """
        pandas = require("pandas", extra="pandas", purpose="to_pandas")
        columns = {
            "player": [self.players[taker] for taker in self.takers.tolist()],
            "side": np.where(self.from_right, "right", "left"),
            "position": self.positions,
            "card": list(self.taken),
        }
        frame: pd.DataFrame = pandas.DataFrame(columns)
        return frame

    def __str__(self) -> str:
        (first, one), *others = zip(self.players, map(short, self.sums), strict=True)
        *some, (last, its) = others
        between = "".join([f", {name} {taken}" for name, taken in some])
        return (
            f"{counted(len(self.cards), 'card')}: {first}, who started, took {one}"
            f"{between} and {last} {its}."
        )

    def __repr__(self) -> str:
        return summary(
            self, cards=len(self.cards), players=self.players, sums=self.sums
        )

    def _repr_html_(self) -> str:
        ends, takers = self.from_right.tolist(), self.takers.tolist()
        moves = zip(self.taken, ends, takers, strict=True)
        rows = [
            [
                _html.cell(self.players[taker]),
                _html.cell("right" if right else "left"),
                _html.cell(short(card)),
            ]
            for card, right, taker in islice(moves, _html.MOST_ROWS)
        ]
        notes = _html.first_of(len(self.cards), "cards")
        return _html.table(str(self), ["player", "from", "card"], rows, notes)


def match(
    cards: Cards,
    first: Policy | Plan[Any],
    second: Policy | Plan[Any],
    *others: Policy | Plan[Any],
    rules: Rules | None = None,
    rng: int | np.random.Generator | None = None,
    tie: Tie = "right",
    progress: bool = False,
) -> Match:
    """Play one game between given players.

    Grade: exact, for the one game that is played.

    Parameters
    ----------
    cards : iterable of int, Fraction, Decimal or float
        The row from left to right, as for :func:`value`.
    first, second, *others : Policy or Plan
        The players, in the order in which they move: two, or as many as the rules say.
        `Policy` explains the names ("optimal", "greedy", "greedy_literal", "larger",
        "smaller", "random"), :class:`Mixed` and callables. A :class:`Plan` plays its
        own row, by its own rules and in its own seat only.
    rules : Rules, optional
        The classic rules (two players, one card a turn) if not given; their `tie` is
        replaced by the argument of that name.
    rng : None, int or numpy.random.Generator
        A seed, or a source of random numbers. Used only where a player is random.
    tie : {"right", "left", "larger"}
        What all players but callables do where both ends are equally good to them.
        "right" is the rule of Pashevich's report for the greedy player and for the
        larger card; "larger" (the larger card, of equal ones the right one) is the rule
        of its table.
    progress : bool, default False
        Show a progress bar of an optimal player's table, which takes a minute or so
        where it just fits in memory; `tqdm` is needed (the extra ``progress``).

    Returns
    -------
    Match
        Every turn, the final sums, and the winner.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described above, or a callable returns anything but a
        move; the message names the player.
    TooLargeError
        If the table of an optimal player would not fit in memory.

    Notes
    -----
    An optimal player takes O(n**2) time and n**2 / 2 bytes before the first move, for n
    cards.

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
    """
    row = read("cards", cards)
    rules = _checks.rules(rules, Rules)
    policies = checked_players((first, second, *others), rules)
    source = _checks.generator(rng)
    tie = _checks.choice("tie", tie, TIES)
    progress = _checks.boolean("progress", progress)
    turns = len(row.numerators)
    refuse_too_long(
        f"a game of {turns} cards", turns * _TURN, "use a shorter row", progress=None
    )
    plans = any(isinstance(policy, Plan) for policy in policies)
    if plans or rules != Rules(tie=rules.tie):
        return _by_any_rules(row, policies, rules, tie, source)
    deals = Deals.of([row])
    names = name_of(policies[0]), name_of(policies[1])
    one, other = (
        chooser(
            policy,
            deals,
            tie,
            f"{_checks.shown(name)}, who is to move {place},",
            progress=progress,
        )
        for policy, name, place in zip(
            policies, names, ("first", "second"), strict=True
        )
    )
    course = play(deals, one, other, source)
    positions = course.positions[0]
    taken = [row.numerators[i] for i in positions.tolist()]
    return Match(
        cards=deals.given[0],
        players=names,
        positions=positions,
        from_right=course.from_right[0],
        sums=(row.exact(sum(taken[::2])), row.exact(sum(taken[1::2]))),
        takers=np.arange(len(taken)) % 2,
        rules=rules,
    )


def _by_any_rules(
    row: Row,
    policies: Sequence[Any],
    rules: Rules,
    tie: Tie,
    source: np.random.Generator,
) -> Match:
    """Return a game by any rules, or with a plan in it."""
    setting = setting_of(rules, [row], tie)
    names = tuple(map(name_of, policies))
    choosers = []
    for seat, (policy, name) in enumerate(zip(policies, names, strict=True)):
        called = f"{_checks.shown(name)}, who is to move {places(seat + 1)[-1]},"
        if isinstance(policy, Plan):
            refuse_other_games(policy, setting.given[0], rules, seat, called)
            choosers.append(player_of_plan(policy, setting))
        else:
            choosers.append(player_of(policy, setting, called))
    course = odds.play(setting, choosers, source)
    unit = setting.instances[0].unit
    return Match(
        cards=setting.given[0],
        players=names,
        positions=course.positions[0],
        from_right=course.from_right[0],
        sums=tuple([unit.exact(x) for x in course.sums[:, 0].tolist()]),
        takers=course.takers[0],
        rules=rules,
    )
