"""Advice for a row: every turn, its worth, and the best turns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic

from cardgames_dp import _checks
from cardgames_dp._advice import AdviceRecord
from cardgames_dp.cardrow._cards import read
from cardgames_dp.cardrow._kernels import collapse, diagonals
from cardgames_dp.cardrow._kernels.row import Cards, Exact, Real, exact_array
from cardgames_dp.cardrow.rules import Rules, instance_of
from cardgames_dp.cardrow.turns import Turn


@dataclass(frozen=True, slots=True, repr=False)
class Advice(AdviceRecord[Turn, Real], Generic[Real]):
    """The best turns at a row or an interval; prints as a sentence.

    Attributes
    ----------
    action : Turn
        An optimal turn, chosen by the tie rule.
    best : tuple of Turn
        All optimal turns; more than one in a tie.
    worths : mapping of Turn to int, Fraction or float
        The worth of every turn if all play optimally after it: with two players the
        lead of the player to move, with more players that player's sum, in the cards
        left. Under misère rules the smallest is the best. Turns from the left come
        first, and fewer cards before more.
    left, right : int
        Positions of the end cards, counted from 0.

    Examples
    --------
    >>> from cardgames_dp import cardrow
    >>> advice = cardrow.best_move([0, 1, 0], rules=cardrow.Rules(take=2))
    >>> advice.action, advice.worth
    (Turn(side='right', count=2), 1)
    >>> [turn.side for turn in advice.best]
    ['left', 'right']
    >>> print(advice)
    cards 0 to 2: take 2 from the right (a tie); worth: left -1, 2 from the left 1, \
right -1, 2 from the right 1.
    """

    left: int
    right: int

    def _summary(self) -> str:
        tie = " (a tie)" * self.tie
        return f"cards {self.left} to {self.right}: take {self.action}{tie}"


def best_move(
    cards: Cards, *, rules: Rules | None = None, progress: bool = False
) -> Advice[Exact]:
    """Return the best turn, all turns that are as good, and the worth of every turn.

    Grade: exact.

    Parameters
    ----------
    cards : iterable of int, Fraction, Decimal or float
        The row from left to right, as for :func:`value`. With weights, the player to
        move is the first player, who values the cards as the row says.
    rules : Rules, optional
        The classic rules if not given. Two players who take one card a turn need O(n)
        time for n cards; other rules ``O(n**2 k m)``, with up to k cards a turn and m
        players.
    progress : bool, default False
        Show a progress bar where the time is quadratic, for which `tqdm` is needed (the
        extra ``progress``).

    Returns
    -------
    Advice
        Exact; ``rules.tie`` chooses among the best turns.

    Raises
    ------
    TypeError, ValueError
        As for :func:`value`.
    TooLongError
        If it would take weeks, or more than an hour without `progress`: with two cards
        a turn, from about 300,000 cards on.

    References
    ----------
    Pashevich's report, whose getBeginStrategy says with which card to start.

    Examples
    --------
    >>> from cardgames_dp import cardrow
    >>> print(cardrow.best_move([4, 4, 6, 6, 12, 9]))
    cards 0 to 5: take left; worth: left 3, right -3.
    >>> cardrow.best_move([4, 7, 2]).tie
    True
    """
    rules = _checks.rules(rules, Rules)
    progress = _checks.boolean("progress", progress)
    instance = instance_of(rules, read("cards", cards))
    shared = instance.worths[0]
    if rules.linear:
        wanted = instance.wanted
        ends = collapse.worths_of_ends(wanted)[: len(wanted)]
        worths = [instance.lead(x) for x in ends]
        turns = [Turn("left"), Turn("right")][: len(wanted)]
    else:
        every = diagonals.turns_of_row(
            exact_array(shared), instance.terms, progress=progress
        )
        turns = [Turn.of_code(code) for code, _ in every]
        if rules.players == 2:
            sign = -1 if rules.misere else 1
            worths = [instance.lead(sign * (own - other)) for _, (own, other) in every]
        else:
            worths = [instance.unit.exact(sums[0]) for _, sums in every]
    optimum = (min if rules.misere else max)(worths)
    best = [turn for turn, x in zip(turns, worths, strict=True) if x == optimum]
    turn = rules.preferred(best, shared[0], shared[-1])
    by_turn = dict(zip(turns, worths, strict=True))
    return Advice(turn, tuple(best), by_turn, left=0, right=len(shared) - 1)
