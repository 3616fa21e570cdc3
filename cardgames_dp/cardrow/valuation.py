"""What a row is worth: to the first player, to all of them, and who should start."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from typing import Any, Literal, TypeAlias

from cardgames_dp import _checks
from cardgames_dp._records import Record, plain, short_repr
from cardgames_dp.cardrow import collapse, diagonals
from cardgames_dp.cardrow.cards import Cards, Exact, Row, read, read_rows
from cardgames_dp.cardrow.rules import Rules
from cardgames_dp.cardrow.stakes import Stakes

Method: TypeAlias = Literal["auto", "collapse", "diagonal"]
METHODS: tuple[Method, ...] = ("auto", "collapse", "diagonal")
Start: TypeAlias = Literal["first", "second", "indifferent"]


def value(
    cards: Cards,
    *,
    rules: Rules | None = None,
    method: Method = "auto",
    progress: bool = False,
) -> Exact:
    """Return what the first player wins by when all play optimally.

    Grade: exact.

    Parameters
    ----------
    cards : iterable of int, Fraction, Decimal or float
        The row from left to right: a sequence, or a NumPy array of integers or floats.
        Floats are taken for exactly the binary fractions that they are.
    rules : Rules, optional
        The classic ones (two players, one card a turn) if not given.
    method : {"auto", "collapse", "diagonal"}
        The algorithm: "collapse" takes O(n) time, for two players who take one card a
        turn (whatever else the rules say); "diagonal" O(n**2 k m), for up to k cards a
        turn and m players. "auto" is linear where it can be.
    progress : bool, default False
        Show a progress bar of "diagonal", for which `tqdm` is needed (the extra
        ``progress``).

    Returns
    -------
    int or Fraction
        The first player's sum less the other's, exactly; an int if all cards are. With
        more than two players, less the best of the others', which under misère rules
        is the smallest.

    Raises
    ------
    TypeError
        If `cards` is not a row of numbers, `rules` not Rules, or `method` not a word.
    ValueError
        If there is no card, one is NaN or infinite, the weights of the rules are not
        one for each card, or `method` is another word or cannot be used.
    TooLongError
        If it would take weeks, or more than an hour without `progress`.

    Notes
    -----
    In the time that linear time takes for a million cards, diagonals do some twenty
    thousand; a million take them an hour. Many rows at once are for :func:`values`.
    Collapsing is explained and proved in `cardgames_dp.cardrow.collapse`.

    References
    ----------
    Document 002 (A. Pashevich and others, "APP2: Hold'em for n00bs"), whose gameOptimal
    returns this as the balance. For linear time: Idziaszek, T., "An Optimal Algorithm
    for Calculating the Profit in the Coins in a Row Game", 2010.

    Examples
    --------
    >>> from cardgames_dp import cardrow
    >>> cardrow.value([4, 4, 6, 6, 12, 9])
    3
    >>> cardrow.value([10**30, 0.5])
    Fraction(1999999999999999999999999999999, 2)
    >>> cardrow.value([0, 1, 0], rules=cardrow.Rules(take=2))
    1
    """
    rules = _checks.rules(rules, Rules)
    method = _checks.choice("method", method, METHODS)
    progress = _checks.boolean("progress", progress)
    refuse_collapse(method, rules)
    return of_row(read("cards", cards), rules, method, progress=progress)


def of_row(
    row: Row, rules: Rules, method: Method = "auto", *, progress: bool = False
) -> Exact:
    """Return the value of a row that is read already."""
    stakes = Stakes.of(rules, row)
    if rules.players > 2:
        sums = _sums_by_diagonals(stakes, progress)
        others = sums[1:]
        return sums[0] - (min(others) if rules.misere else max(others))
    return stakes.lead(_wanted_lead(stakes, method, progress))


def value_of_rows(rows: Iterable[Cards], *, rules: Rules | None = None) -> Exact:
    """Return what the first player wins by in one game on several rows.

    A turn takes a card from either end of any row; :func:`values` is for many games,
    each with a row of its own. Linear time, and the sorting of what
    the rows collapse to, which is little unless they are in special order.

    Grade: exact.

    Parameters
    ----------
    rows : iterable of rows of cards
        Each as for :func:`value`.
    rules : Rules, optional
        The classic ones if not given; with one card a turn and two players. Weights
        are those of the rows one after the other.

    Returns
    -------
    int or Fraction
        As from :func:`value`.

    Raises
    ------
    TypeError, ValueError
        As by :func:`value`; also if there is no row, or for other rules.

    Notes
    -----
    Collapsing does not see whether cards lie in one row or in several:
    `cardgames_dp.cardrow.collapse` has the proof.

    Examples
    --------
    >>> from cardgames_dp import cardrow
    >>> cardrow.value_of_rows([[1, 5, 1], [2, 3]])
    -2
    """
    rules = _checks.rules(rules, Rules)
    if not rules.linear:
        raise ValueError(
            "several rows need rules with take=1 and players=2, got "
            f"take={rules.take}, players={rules.players}"
        )
    parts = list(read_rows("rows", rows))
    stakes = Stakes.of(rules, Row.joined(parts))
    wanted = iter(stakes.wanted)
    lengths = [len(part.numerators) for part in parts]
    return stakes.lead(collapse.value(*[list(islice(wanted, n)) for n in lengths]))


def who_should_start(
    cards: Cards, *, rules: Rules | None = None, progress: bool = False
) -> Start:
    """Return whether it is better to start or to let the other start.

    Grade: exact.

    Parameters
    ----------
    cards, rules, progress
        As for :func:`value`; for two players.

    Returns
    -------
    {"first", "second", "indifferent"}
        Which player to be. With weights: for the player to whom the cards are worth
        what the row says; for the other one it is the same.

    Raises
    ------
    TypeError, ValueError
        As by :func:`value`; also for more than two players.
    TooLongError
        As by :func:`value`, under rules that need diagonals.

    References
    ----------
    Document 002, getBeginStrategy (which starts if it is indifferent, and also says
    with which card: :func:`best_move`).

    Examples
    --------
    >>> from cardgames_dp import cardrow
    >>> cardrow.who_should_start([14, 4, 7, 2, 5, 12])
    'first'
    >>> cardrow.who_should_start([1, 5, 1])
    'second'
    >>> cardrow.who_should_start([8, 4, 2, 2, 4, 8])
    'indifferent'
    """
    rules = _checks.rules(rules, Rules)
    if rules.players != 2:
        raise ValueError(
            f"who should start is asked of two players, got players={rules.players}"
        )
    progress = _checks.boolean("progress", progress)
    lead = _wanted_lead(Stakes.of(rules, read("cards", cards)), "auto", progress)
    # Starting is better by twice this, weights or not: halves and the rest cancel.
    if lead == 0:
        return "indifferent"
    return "first" if lead > 0 else "second"


@dataclass(frozen=True, slots=True, repr=False)
class Scores(Record):
    """What the players have in the end.

    Attributes
    ----------
    sums : tuple of int or Fraction
        One a player, from the one who starts; each by the own values.

    Examples
    --------
    >>> from cardgames_dp import cardrow
    >>> first, second = cardrow.scores([14, 4, 7, 2, 5, 12]).sums
    >>> first - second == cardrow.value([14, 4, 7, 2, 5, 12])
    True
    """

    sums: tuple[Exact, ...]

    def to_dict(self, *, json: bool = False) -> dict[str, Any]:
        """Return everything as plain numbers and lists.

        Parameters
        ----------
        json : bool, default False
            Whether only what JSON knows may be left: Fractions become text.
        """
        found: dict[str, Any] = plain(self, json=json)
        return found

    def __repr__(self) -> str:
        return short_repr(self)


def scores(
    cards: Cards,
    *,
    rules: Rules | None = None,
    method: Method = "auto",
    progress: bool = False,
) -> Scores:
    """Return what each player takes in all when all play optimally.

    Grade: exact.

    Parameters
    ----------
    cards, rules, method, progress
        As for :func:`value`.

    Returns
    -------
    Scores
        Where the sums depend on what is done about ties, with weights or more than two
        players, they are those of the tie rule. Then only "diagonal" knows them; in
        linear time :func:`optimal_play` gives the sums of another optimal line with
        weights.

    Raises
    ------
    TypeError, ValueError
        As by :func:`value`; "collapse" is refused also with weights.
    TooLongError
        As by :func:`value`.

    References
    ----------
    Document 002, whose table has them as mySum and oppSum.

    Examples
    --------
    >>> from cardgames_dp import cardrow
    >>> cardrow.scores([14, 4, 7, 2, 5, 12])
    Scores(sums=(26, 18))
    >>> cardrow.scores([1, 1, 2, 1], rules=cardrow.Rules(players=3)).sums
    (2, 2, 1)
    >>> cardrow.scores([1, 1, 2, 1], rules=cardrow.Rules(players=3, tie="left")).sums
    (2, 1, 2)
    """
    rules = _checks.rules(rules, Rules)
    method = _checks.choice("method", method, METHODS)
    progress = _checks.boolean("progress", progress)
    refuse_collapse(method, rules)
    if method == "collapse" and rules.weights is not None:
        raise ValueError(
            "method 'collapse' is for rules without weights, with which the sums "
            "depend on the tie rule; use method='diagonal', or optimal_play(...).sums"
        )
    stakes = Stakes.of(rules, read("cards", cards))
    if rules.players > 2 or rules.weights is not None:
        return Scores(tuple(_sums_by_diagonals(stakes, progress)))
    wanted = _wanted_lead(stakes, method, progress)
    total, lead = sum(stakes.worths[0]), -wanted if rules.misere else wanted
    sums = (total + lead) // 2, (total - lead) // 2  # both are even
    return Scores((stakes.unit.exact(sums[0]), stakes.unit.exact(sums[1])))


def refuse_collapse(method: Method, rules: Rules) -> None:
    """Refuse linear time for rules for which it is not valid."""
    if method == "collapse" and not rules.linear:
        raise ValueError(
            "method 'collapse' is for rules with take=1 and players=2, got "
            f"take={rules.take}, players={rules.players}; use method='diagonal'"
        )


def _sums_by_diagonals(stakes: Stakes, progress: bool) -> list[Exact]:
    worths = diagonals.exact_array(*stakes.worths)
    every = diagonals.sweep(worths, stakes.rules, progress=progress)
    turns = deque(every, maxlen=1).pop()
    sums = turns.sums[:, :, 0].tolist()
    own = sums[0] if len(sums) == 1 else [sums[1][0], sums[2][1]]
    return [stakes.unit.exact(x) for x in own]


def _wanted_lead(stakes: Stakes, method: Method, progress: bool) -> int:
    """Return what the first of two is ahead by, counted in what they want."""
    if method == "diagonal" or not stakes.rules.linear:
        return diagonals.value(stakes.wanted, stakes.rules.take, progress=progress)
    return collapse.value(stakes.wanted)
