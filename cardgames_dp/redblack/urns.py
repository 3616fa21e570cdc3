"""Red/black with odds that are fixed, or that are unknown and learnt while drawing.

A *prior* is a probability for each number of red cards among N cards: N + 1 weights,
for 0, 1, ..., N red cards. A known deck has a single positive weight. `fixed_odds` is
the prior of draws with replacement, at fixed odds. Unknown odds are learnt while
drawing, by Bayes' rule: ``[1] * (N + 1)`` makes all compositions equally likely, and
`beta_binomial` describes a player who has seen some cards before. States count cards
*drawn*, because the numbers of each colour remaining are unknown.

How it is solved
----------------
There are N cards, of which r are red with probability w(r). All orders of the same
cards are equally likely, so all that a player knows after n draws is the number i of
red ones. Let q(i, j) be the probability of one given order of i red and j black cards::

    q(i, N - i) = w(i) / C(N, i),    q(i, j) = q(i + 1, j) + q(i, j + 1),

The next card is red with probability q(i + 1, j) / q(i, j): Bayes' rule, with a single
division. With the total W(i, j) of optimal play and U = q W, the recurrence of the game
is the same sum with a maximum::

    U(i, j) = max(q(i, j) reward(i, j), U(i + 1, j) + U(i, j + 1)).

A known deck is the special case of a single r; draws with replacement at fixed odds are
the case of a binomial w.

Exact levels hold these numbers as integers. Float64 levels hold P(i) = C(n, i) q(i,
n - i), the probability of i red cards in n draws, and C(n, i) U, so that all numbers
have similar sizes: both are computed from the level of n + 1 cards with the weights
(n + 1 - i) / (n + 1) and (i + 1) / (n + 1). Rewards are counted from the smallest, so
that no number is negative; each level then adds at most four roundings to the relative
error of either.

:func:`game` is the same as a game for arrays. Its weights of chance are q(i + 1, j) and
q(i, j + 1): small integers for the priors of this module, and for equally likely
compositions; for most others they have about as many bits as there are cards, or more.
It takes eight times as long as :func:`solve` in float64, 3 s for all states of 2000
cards against 0.35 s, and with large integers more: 14 times for 1000 cards. In exact
arithmetic both take as long for about a thousand cards.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import accumulate
from operator import mul
from typing import (
    Any,
    ClassVar,
    Generic,
    Literal,
    NamedTuple,
    SupportsIndex,
    TypeAlias,
    overload,
)

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._results.records import Advice, Result
from cardgames_dp._support import arguments
from cardgames_dp._support.arguments import Backend
from cardgames_dp._support.calls import suggest_arguments
from cardgames_dp._support.printing import Number, short
from cardgames_dp._support.running import refuse_too_large, tracked
from cardgames_dp.game import Names
from cardgames_dp.redblack._kernels.bayes import (
    refuse_many_weights,
    weights_by_draws,
)
from cardgames_dp.redblack._kernels.recurrence import integer_rewards
from cardgames_dp.redblack._kernels.scaling import relative_error
from cardgames_dp.redblack.cards import ASK, WORDS, CardsInArrays
from cardgames_dp.redblack.rules import Decision as Action, Rules, told
from cardgames_dp.redblack.utilities import Amount, in_float64, of_one

__all__ = ["Solution", "State", "beta_binomial", "fixed_odds", "game", "solve"]
__dir__ = __all__.copy  # for completion

Prior: TypeAlias = Iterable[Any]
"""Weights of 0, 1, ..., N red cards: ints, Fractions, Decimals, floats or text."""

_CELL_BYTES = {"float64": 30, "exact": 600}


@suggest_arguments
def fixed_odds(draws: SupportsIndex, odds: Amount) -> tuple[Fraction, ...]:
    """Return the prior of draws with replacement: each is red with the same odds.

    Grade: exact.

    Parameters
    ----------
    draws : int
        The largest number of draws.
    odds : int, Fraction, Decimal, float or str
        The probability of a red card, from 0 to 1.

    Returns
    -------
    tuple of Fraction
        Binomial probabilities of 0, 1, ..., `draws` red cards.

    Examples
    --------
    A fair coin is worth nothing, however often it is thrown. A coin that shows red in
    11 of 20 throws is worth 1/10 a throw:

    >>> from cardgames_dp import redblack
    >>> from cardgames_dp.redblack.urns import fixed_odds
    >>> redblack.urns.solve(fixed_odds(52, "1/2"), backend="exact").value
    Fraction(0, 1)
    >>> redblack.urns.solve(fixed_odds(52, "0.55"), backend="exact").value
    Fraction(26, 5)
    """
    draws = arguments.integer("draws", draws)
    red = arguments.amount("odds", odds)
    if red > 1:
        raise arguments.wrong_value("odds must be from 0 to 1", odds)
    _refuse_large_prior(draws, draws, red.denominator.bit_length())
    if red == 1:
        return (Fraction(0),) * draws + (Fraction(1),)
    black = 1 - red
    steps = [Fraction(draws - i, i + 1) * red / black for i in range(draws)]
    return tuple(accumulate(steps, mul, initial=black**draws))


@suggest_arguments
def beta_binomial(
    draws: SupportsIndex, red: Amount, black: Amount
) -> tuple[Fraction, ...]:
    """Return the prior of a player who has seen some cards: Pólya's urn.

    The next card is red with probability ``red / (red + black)``, and each card drawn
    adds one to its colour. This is the same as draws at fixed odds that are unknown and
    have a beta distribution.

    Grade: exact.

    Parameters
    ----------
    draws : int
        The number of cards to draw.
    red, black : int, Fraction, Decimal, float or str
        The two parameters of the beta distribution, positive. With 1 and 1, all odds
        are equally likely, and so are all compositions.

    Returns
    -------
    tuple of Fraction
        Probabilities of 0, 1, ..., `draws` red cards.

    Examples
    --------
    >>> from cardgames_dp import redblack
    >>> redblack.urns.beta_binomial(3, 1, 1)
    (Fraction(1, 4), Fraction(1, 4), Fraction(1, 4), Fraction(1, 4))
    """
    draws = arguments.integer("draws", draws)
    a, b = (arguments.amount(name, x) for name, x in (("red", red), ("black", black)))
    for name, number in (("red", a), ("black", b)):
        if not number:
            raise ValueError(f"{name} must be positive, got 0")
    unit = math.lcm(a.denominator, b.denominator)
    # With whole numbers, most factors cancel.
    factors = draws if unit > 1 else min(draws, int(a + b))
    _refuse_large_prior(draws, factors, int((a + b + draws) * unit).bit_length())
    first = math.prod([(b + i) / (a + b + i) for i in range(draws)], start=Fraction(1))
    steps = [
        Fraction(draws - i, i + 1) * (a + i) / (b + draws - i - 1) for i in range(draws)
    ]
    return tuple(accumulate(steps, mul, initial=first))


def _refuse_large_prior(draws: int, factors: int, bits: int) -> None:
    """Refuse probabilities with too many factors, or factors with too many bits."""
    count, size = draws + 1, factors * bits
    what = f"{short(count)} probabilities in exact numbers"
    instead = "ask for fewer draws, or odds with fewer digits"
    refuse_too_large(what, count * (size // 4 + 200), instead)


class State(NamedTuple):
    """A state of an urn: the cards drawn, and the decision just taken.

    Attributes
    ----------
    red, black : int
        Numbers of red and black cards that have been drawn.
    decision : {"", "draw", "stop"}
        Empty while the player decides; after "draw" chance turns a card over, after
        "stop" the game is over.

    Examples
    --------
    >>> from cardgames_dp import exact, redblack
    >>> solution = exact.solve(redblack.urns.game([1, 1, 1]))
    >>> solution.policy[redblack.urns.State(red=1, black=0)]
    'draw'
    >>> solution.values[1, 0, "draw"]
    Fraction(1, 3)
    """

    red: int
    black: int
    decision: Literal["", "draw", "stop"] = ""


@dataclass(frozen=True, slots=True, repr=False)
class Urn(CardsInArrays):
    """Draws with a prior over the composition, as an `ArrayGame`; made by :func:`game`.

    Attributes
    ----------
    counts : tuple of int
        The most cards of each colour that can be drawn.
    prior : tuple of Fraction
        The probabilities of 0, 1, ..., N red cards; they sum to 1.
    """

    prior: tuple[Fraction, ...]
    _weights: list[NDArray[Any]] = field(
        default_factory=list, init=False, compare=False, repr=False
    )

    names: ClassVar[Names] = Names(State, WORDS, {"decision": WORDS})
    """States are `State`, actions "stop" and "draw"."""

    _told = ("prior", "rules")

    def initial_states(self) -> NDArray[Any]:
        """Return the state in which no card has been drawn."""
        return np.array([[0, 0, ASK]])

    def chance_outcomes(
        self, states: NDArray[Any]
    ) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]:
        """Return the states after a red and after a black card, by Bayes' rule."""
        if not self._weights:
            self._weights.extend(weights_by_draws(self.prior))
        red, drawn = states[:, 0], self._drawn(states).sum(axis=1)
        present = np.unique(drawn).tolist()
        kind = np.result_type(*[self._weights[n] for n in present])
        weights = np.empty((2, len(states)), dtype=kind)
        for n in present:
            here = drawn == n
            weights[:, here] = self._weights[n][:, red[here]]
        return self._draws(states, weights.ravel(), 1)

    def _empty(self, states: NDArray[Any]) -> NDArray[np.bool_]:
        return np.asarray(self._drawn(states).sum(axis=1) == len(self.prior) - 1)

    def _drawn(self, states: NDArray[Any]) -> NDArray[Any]:
        return states[:, :-1]

    def __reduce__(self) -> tuple[Any, ...]:
        # Without the weights, which are quickly found again.
        return Urn, (self.rules, self.worths, self.counts, self.prior)


@suggest_arguments
def game(prior: Prior, *, rules: Rules | None = None) -> Urn:
    """Return the game with a prior, for either backend and `cardgames_dp.play`.

    Cards pay when they are drawn, so the value of a state is what is still to come.
    Under a utility, nothing is paid before the end: it is the expected utility.

    Grade: exact.

    Parameters
    ----------
    prior : iterable of int, Fraction, Decimal, float or str
        The weights of 0, 1, ..., N red cards among N cards: not negative, and not all
        0.
    rules : Rules, optional
        The classic rules if not given. The action that their tie rule prefers comes
        first, and the solvers' default ``tie_break="first"`` takes it.

    Returns
    -------
    Urn
        A `cardgames_dp.game.ArrayGame`. Its states are named `State`, its actions
        "stop" and "draw". States that the prior excludes are not reached.

    Raises
    ------
    TypeError, ValueError
        If `prior` holds no weights, or a negative one, or none that is positive.
    TooLargeError
        If the weights of chance would not fit in memory.

    References
    ----------
    The Problem 14 essay asks what the game would be worth with odds that stay at one
    half, "perhaps because we were sampling with replacement".

    Examples
    --------
    Among 52 cards, all numbers of red cards are equally likely. Looking at some of them
    pays, so a player draws on after a red and two black cards:

    >>> from cardgames_dp import diagonal, exact, redblack
    >>> solution = diagonal.solve(redblack.urns.game([1] * 53))
    >>> round(solution.value, 4)
    11.1745
    >>> print(solution.advice(redblack.urns.State(red=1, black=2)))
    State(red=1, black=2, decision=''): draw; value: stop 0, draw 2.25145.

    A known deck is a prior, too:

    >>> known = redblack.urns.game([0] * 4 + [1] + [0] * 4)
    >>> exact.solve(known).value == exact.solve(redblack.game(4, 4)).value
    True
    """
    kind = arguments.rules(rules, Rules)
    weights = tuple(_weights(prior))
    most = len(weights) - 1
    refuse_many_weights(most)
    return Urn(kind, (kind.gain, -kind.cost), (most, most), weights)


@overload
def solve(
    prior: Prior, *, rules: Rules | None = None, backend: Literal["float64"] = "float64"
) -> Solution[float]: ...
@overload
def solve(
    prior: Prior, *, rules: Rules | None = None, backend: Literal["exact"]
) -> Solution[Fraction]: ...
@suggest_arguments
def solve(
    prior: Prior, *, rules: Rules | None = None, backend: Backend = "float64"
) -> Solution[float] | Solution[Fraction]:
    """Solve the game with a prior over the number of red cards, in all states.

    Grade: float64; exact with ``backend="exact"``.

    Parameters
    ----------
    prior : iterable of int, Fraction, Decimal, float or str
        The weights of 0, 1, ..., N red cards among N cards: not negative, and not all
        0.
    rules : Rules, optional
        The classic rules if not given. A utility must be finite: no ruin.
    backend : {"float64", "exact"}
        The arithmetic: floats, or integers, which give Fractions.

    Returns
    -------
    Solution
        Tables indexed by cards drawn, ``[red, black]``.

    References
    ----------
    The Problem 14 essay asks what the game would be worth with odds that stay at one
    half, "perhaps because we were sampling with replacement".

    Examples
    --------
    Among 52 cards, all numbers of red cards are equally likely. Looking at some of them
    pays:

    >>> from cardgames_dp import redblack
    >>> urn = redblack.urns.solve([1] * 53)
    >>> urn
    Solution(prior=(Fraction(1, 53), ...), backend='float64', value=11.1745)
    >>> print(urn.advice(red=1, black=2))
    (1, 2): draw; value: stop -1, draw 1.25145.
    >>> round(float(urn.odds[1, 2]), 6)
    0.4

    A known deck is a prior, too:

    >>> known = [0] * 26 + [1] + [0] * 26
    >>> round(redblack.urns.solve(known).value, 9)
    2.624475549
    """
    rules = arguments.rules(rules, Rules)
    exact = arguments.backend(backend) == "exact"
    weights = _weights(prior)
    size = len(weights)
    what = f"a table of {size} x {size} states"
    instead = "draw fewer cards" + ", or use backend='float64'" * exact
    refuse_too_large(what, size**2 * _CELL_BYTES[backend], instead)
    levels = (_exact_levels if exact else _float_levels)(rules, weights)
    tables = _tables(levels, size, object if exact else np.float64)
    return Solution(tuple(weights), rules, backend, *tables)


def _weights(prior: object) -> list[Fraction]:
    """Return a prior as probabilities."""
    must = "prior must be an iterable of weights, one for each number of red cards"
    given = list(arguments.items("prior", arguments.iterable(must, prior)))
    weights = [
        arguments.amount(f"prior[{i}]", weight) for i, weight in enumerate(given)
    ]
    whole = sum(weights)
    if not whole:
        raise arguments.wrong_value("prior must have a positive weight", given)
    return [weight / whole for weight in weights]


def _tables(levels: Iterator[_Level], size: int, number: Any) -> list[NDArray[Any]]:
    """Return the totals, values, odds, ties and possible states."""
    kinds = number, number, number, bool, bool
    found = [np.zeros((size, size), kind) for kind in kinds]
    for level in tracked(levels, size, "levels"):
        red = np.arange(len(level[0]))
        for table, cells in zip(found, level, strict=True):
            table[red, red[::-1]] = cells
    return found


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Solution(Result, Generic[Number]):
    """A solved game with a prior: tables of all states, indexed by cards drawn.

    Made by :func:`solve`.

    Attributes
    ----------
    prior : tuple of Fraction
        The probabilities of 0, 1, ..., N red cards; they sum to 1.
    rules : Rules
        The rules; amounts are in their unit.
    backend : {"float64", "exact"}
        The arithmetic of the tables.
    totals : ndarray, shape (N + 1, N + 1)
        The expected final cash under optimal play after ``[red, black]`` cards drawn;
        under a utility, its expected utility. Float64, or Fractions (dtype object).
        Like all tables, read-only.
    values : ndarray, same shape
        The expected gain from playing on optimally instead of stopping now, never
        negative.
    odds : ndarray, same shape
        The probability that the next card is red.
    ties, possible : ndarray of bool, same shape
        Where drawing and stopping are worth the same (in float64, up to rounding), and
        which states can occur. In float64, states less likely than 1e-250 count as
        impossible. The other tables have no meaning in impossible states.

    Examples
    --------
    >>> from cardgames_dp import redblack
    >>> urn = redblack.urns.solve(redblack.urns.beta_binomial(10, 2, 3))
    >>> round(urn.value, 6), round(float(urn.odds[1, 0]), 6)
    (0.069863, 0.5)
    """

    prior: tuple[Fraction, ...]
    rules: Rules
    backend: Backend
    totals: NDArray[Any]
    values: NDArray[Any]
    odds: NDArray[Any]
    ties: NDArray[np.bool_]
    possible: NDArray[np.bool_]

    @property
    def value(self) -> Number:
        """The value of the whole game, or its optimal expected utility."""
        return self._number(self.totals[0, 0])

    @property
    def stop(self) -> NDArray[np.bool_]:
        """Where an optimal player stops; true after the last card."""
        stops = np.asarray(self.values == 0)
        if self.rules.tie == "draw":
            stops = stops & ~self.ties
        found: NDArray[np.bool_] = stops.astype(bool)
        return found

    def advice(
        self, *, red: SupportsIndex, black: SupportsIndex
    ) -> Advice[tuple[int, int], Action, Number]:
        """Return what to do after some cards have been drawn.

        Parameters
        ----------
        red, black : int
            Numbers of red and black cards drawn.

        Returns
        -------
        Advice
            Its state is the index of the tables. With Fractions for an exact solution;
            with floats, whose error has no proved bound (`inf`), for another one.
        """
        red, black = arguments.integer("red", red), arguments.integer("black", black)
        if red + black >= len(self.prior) or not self.possible[red, black]:
            raise ValueError(
                f"red={arguments.shown(red)}, black={arguments.shown(black)} cannot be "
                f"drawn from {len(self.prior) - 1} cards with this prior"
            )
        tie, odds = bool(self.ties[red, black]), self.odds[red, black]
        exact = self.backend == "exact"
        cash = self.rules.cash(red, black)
        stop = self._number(of_one(self.rules.utility, cash if exact else float(cash)))
        action: Action = "stop" if self.stop[red, black] else "draw"
        values: dict[Action, Number] = {"stop": stop}
        if red + black < len(self.prior) - 1:
            draw = odds * self.totals[red + 1, black]
            draw += (1 - odds) * self.totals[red, black + 1]
            values["draw"] = stop if tie else self._number(draw)
        best: tuple[Action, ...] = ("stop", "draw") if tie else (action,)
        certain, error = exact or not tie, 0.0 if exact else math.inf
        state, returns = (red, black), (values[action],)
        return Advice(action, best, values, state, 0, returns, certain, error)

    def _number(self, number: Any) -> Number:
        exact = self.backend == "exact"
        as_shown: Any = Fraction(number) if exact else float(number)
        result: Number = as_shown
        return result

    _derived = ("value",)

    def _columns(self) -> tuple[Any, dict[str, Any]]:
        """Return a row for each state that can occur, from the first one on."""
        red, black = np.nonzero(self.possible)
        order = np.argsort(red + black, kind="stable")
        red, black = red[order], black[order]
        tables = {"value": self.values, "total": self.totals, "odds": self.odds}
        tables |= {"stop": self.stop, "tie": self.ties}
        index = {"red": red, "black": black}
        return index, {name: each[red, black] for name, each in tables.items()}

    def _facts(self) -> dict[str, object]:
        return told(self, "prior", "rules", "backend", "value")


_LEAST_CHANCE = 1e-250
"""In float64, states less likely than this count as impossible."""

_ROUNDINGS = 4
"""Roundings of a cell at each level; the reward and the first level have a few more."""


_Level: TypeAlias = tuple[NDArray[Any], ...]
"""Of all states after some draws: totals, values, odds, ties, possible."""


def _rewards(rules: Rules, n: int) -> NDArray[np.float64]:
    """Return the rewards of stopping after n draws, by the number of red cards."""
    red = np.arange(n + 1)
    cash = float(rules.gain) * red - float(rules.cost) * (n - red)
    return in_float64(rules.utility, cash)


def _float_levels(rules: Rules, weights: list[Fraction]) -> Iterator[_Level]:
    """Yield the levels from the last card to the first in float64."""
    cards, largest = len(weights) - 1, max(abs(rules.gain), rules.cost)
    if largest * (cards + 1) > 10**300:
        raise ValueError(
            "rules must have amounts that float64 can sum, got one of "
            f"{short(largest)}; use backend='exact'"
        )
    lowest = min([float(_rewards(rules, n).min()) for n in range(cards + 1)])
    if lowest == -math.inf:
        raise ValueError(
            "rules must have a utility that is finite for all amounts of cash that can "
            "occur, got ruin"
        )
    chance = np.array([float(weight) for weight in weights])
    chance = chance / chance.sum()
    best = np.zeros(0)
    for n in range(cards, -1, -1):
        reward = _rewards(rules, n) - lowest
        red = np.zeros(n + 1)
        if n < cards:
            i = np.arange(n + 1)
            black_next, red_next = (n + 1 - i) / (n + 1), (i + 1) / (n + 1)
            by_red = red_next * chance[1:]
            chance = black_next * chance[:-1] + by_red
        stop, possible = chance * reward, chance >= _LEAST_CHANCE
        draw = stop
        if n < cards:
            draw = black_next * best[:-1] + red_next * best[1:]
            np.divide(by_red, chance, out=red, where=possible)
        best = np.maximum(stop, draw)
        doubt = float(relative_error(_ROUNDINGS * (cards - n) + 16))
        ties = possible & (np.abs(draw - stop) <= doubt * (draw + stop))
        values = np.zeros(n + 1)
        np.divide(best - stop, chance, out=values, where=possible & ~ties)
        totals = np.full(n + 1, lowest)
        np.divide(best, chance, out=totals, where=possible)
        totals[possible] += lowest
        yield totals, values, red, ties & (n < cards), possible


def _exact_levels(rules: Rules, weights: list[Fraction]) -> Iterator[_Level]:
    """Yield the same in Fractions."""
    cards = len(weights) - 1
    unit = math.lcm(*(weight.denominator for weight in weights))
    orders = [math.comb(cards, i) for i in range(cards + 1)]
    scale = math.lcm(*orders)
    shares = zip(weights, orders, strict=True)
    likely = np.array([int(w * unit) * (scale // c) for w, c in shares], object)
    drawn = ((i, n - i) for n in range(cards + 1) for i in range(n + 1))
    reward, denominator = integer_rewards(rules, drawn)
    best = likely[:0]
    for n in range(cards, -1, -1):
        red = np.zeros(n + 1, dtype=object)
        if n < cards:
            before, likely = likely, likely[:-1] + likely[1:]
            red[:] = _ratios(before[1:], likely)
        stop = likely * np.array([reward(i, n - i) for i in range(n + 1)], object)
        draw = best[:-1] + best[1:] if n < cards else stop
        best = np.maximum(stop, draw)
        possible = likely > 0
        values = _ratios(best - stop, likely * denominator)
        totals = _ratios(best, likely * denominator)
        yield totals, values, red, possible & (draw == stop) & (n < cards), possible


def _ratios(tops: NDArray[Any], bottoms: NDArray[Any]) -> NDArray[np.object_]:
    """Return Fractions; a ratio with denominator 0 is 0."""
    pairs = zip(tops, bottoms, strict=True)
    return np.array([Fraction(top, bottom or 1) for top, bottom in pairs], object)
