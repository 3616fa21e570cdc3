"""One game between given players, move by move."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import _checks, _html
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

Winner: TypeAlias = (
    Literal["first", "second", "third", "fourth", "fifth", "sixth", "draw"] | str
)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Match(ArrayRecord):
    """A game that was played; made by :func:`match`, printed as a sentence.

    The arrays are read-only.

    Attributes
    ----------
    cards : tuple of int or Fraction
        The row from left to right.
    players : tuple of str
        How the players are called, in the order in which they move.
    positions : ndarray of int64, shape (cards,)
        The positions of the cards in the order in which they were taken.
    from_right : ndarray of bool, shape (cards,)
        The end from which each was; the last card was taken from the left.
    sums : tuple of int or Fraction
        What each player took, by the own values.
    takers : ndarray of int64, shape (cards,)
        The player who took each of these cards, counted from 0.
    rules : Rules

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
        """The first player's sum less the other's; of several, less the best one."""
        own, *others = self.sums
        return own - (min(others) if self.rules.misere else max(others))

    @property
    def winner(self) -> Winner:
        """Who won: "first", "second" and so on, or "draw" if the best sum is shared."""
        best = min(self.sums) if self.rules.misere else max(self.sums)
        if self.sums.count(best) > 1:
            return "draw"
        return places(len(self.sums))[self.sums.index(best)]

    @property
    def taken(self) -> tuple[Exact, ...]:
        """The cards in the order in which they were taken."""
        return tuple([self.cards[i] for i in self.positions.tolist()])

    def to_dict(self, *, json: bool = False) -> dict[str, Any]:
        """Return everything as plain lists and numbers.

        Parameters
        ----------
        json : bool, default False
            Whether only what JSON knows may be left: Fractions become text.
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
        """Return a DataFrame with one line a card: player, side, position and card.

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
    """Let players play one game.

    Grade: exact, of the one game that is played.

    Parameters
    ----------
    cards : iterable of int, Fraction, Decimal or float
        The row from left to right, as for :func:`value`.
    first, second, *others : word, Mixed, callable or Plan
        The players, in the order in which they move: two, or as many as the rules say.

        - "optimal": wins by as much as is possible against an optimal player.
        - "greedy": takes the card that is further ahead of the best card which the
          other can take next.
        - "greedy_literal": the same with Pashevich's comparison, which takes the
          right card unless the left one is ahead or behind by strictly less.
        - "larger", "smaller": takes the larger or the smaller one of the end cards.
        - "random": takes either, with even chances.
        - ``Mixed({policy: weight, ...})``: follows one of these, drawn at each turn.
        - a callable ``(cards, left, right)``: it is given the whole row, as a tuple of
          exact numbers, and the positions of the end cards of what is left, and returns
          "left", "right" or the probability of "left". A :class:`Response` is one, too.
        - a :class:`Plan`, at its row, by its rules and in its seat.

        With more cards a turn, "larger" and "smaller" take what is worth most or least
        at once, "greedy" looks at the next player's best turn, "random" takes any legal
        turn, and callables may return a :class:`Turn`, or a mapping of turns to
        weights. Rules of thumb count the cards by the own values.
    rules : Rules, optional
        The classic ones, two players and one card a turn, if not given; their `tie` is
        replaced by the argument of that name.
    rng : None, int or numpy.random.Generator
        A seed, or a source of random numbers. It is used where a player leaves
        something to chance.
    tie : {"right", "left", "larger"}
        What all but callables do where both ends are equally good to them, be it by a
        rule of thumb or by the truth. "right" is Pashevich's rule for the
        greedy player and for the larger card; "larger" (the larger card, of equal ones
        the right one) is the rule of its table.
    progress : bool, default False
        Show a progress bar of an optimal player's table, which takes a minute or so
        where it just fits in memory; `tqdm` is needed (the extra ``progress``).

    Returns
    -------
    Match
        Each turn, what both have in the end, and who won.

    Raises
    ------
    TypeError, ValueError
        If an argument is none of the kinds above, or a callable returns something else
        than a move; the message names the player.
    TooLargeError
        If the table of an optimal player would not fit in memory.

    Notes
    -----
    An optimal player takes O(n**2) time and n**2 / 2 bytes before the first move.

    References
    ----------
    Pashevich and others ("APP2: Hold'em for n00bs"), section
    2.3, where the greedy player loses this game:

    Examples
    --------
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
