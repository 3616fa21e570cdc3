"""Red/black with odds that are fixed, or that are unknown and learnt while drawing.

A *prior* is a probability for each number of red cards among N cards: N + 1 weights,
for 0, 1, ..., N red cards. A known deck has a single positive weight. `fixed_odds` is
the prior of draws with replacement, at fixed odds. Unknown odds are learnt while
drawing, by Bayes' rule: ``[1] * (N + 1)`` makes all compositions equally likely, and
`beta_binomial` describes a player who has seen some cards before. States count cards
*drawn*, because the numbers of each colour remaining are unknown.

A game of this module has a faster solver, which `cardgames_dp.diagonal.solve` and
`cardgames_dp.exact.solve` take: in float64 eight times as fast as the general one for
2000 cards, and with priors whose weights of chance are large integers faster still. All
else, and ``solve(game.explore(...))``, takes the general solver.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import accumulate
from operator import mul
from types import SimpleNamespace
from typing import Any, ClassVar, Literal, NamedTuple, SupportsIndex, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._support import arguments
from cardgames_dp._support.arguments import Backend
from cardgames_dp._support.calls import suggest_arguments
from cardgames_dp._support.printing import short
from cardgames_dp._support.running import refuse_too_large
from cardgames_dp.game import Layout, Names
from cardgames_dp.redblack._kernels import bayes, recurrence
from cardgames_dp.redblack.cards import ASK, WORDS, CardsInArrays, CardsLookup
from cardgames_dp.redblack.rules import Problem, Rules
from cardgames_dp.redblack.utilities import Amount

__all__ = ["State", "beta_binomial", "fixed_odds", "game"]
__dir__ = __all__.copy  # for completion

Prior: TypeAlias = Iterable[Any]
"""Weights of 0, 1, ..., N red cards: ints, Fractions, Decimals, floats or text."""


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

    >>> from cardgames_dp import exact
    >>> from cardgames_dp.redblack import urns
    >>> exact.solve(urns.game(urns.fixed_odds(52, "1/2"))).value
    Fraction(0, 1)
    >>> exact.solve(urns.game(urns.fixed_odds(52, "0.55"))).value
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
    red_drawn, black_drawn : int
        Numbers of red and black cards that have been drawn.
    decision : {"", "draw", "stop"}
        Empty while the player decides; after "draw" chance turns a card over, after
        "stop" the game is over.

    Examples
    --------
    >>> from cardgames_dp import exact, redblack
    >>> solution = exact.solve(redblack.urns.game([1, 1, 1]))
    >>> solution.policy[redblack.urns.State(red_drawn=1, black_drawn=0)]
    'draw'
    >>> solution.values[1, 0, "draw"]
    Fraction(1, 3)
    """

    red_drawn: int
    black_drawn: int
    decision: Literal["", "draw", "stop"] = ""


@dataclass(frozen=True, slots=True, repr=False)
class Urn(CardsInArrays):
    """Draws with a prior over the composition, as an `ArrayGame`; made by :func:`game`.

    `counts` are the most cards of each colour that can be drawn; the probabilities in
    `prior`, of 0, 1, ..., N red cards, sum to 1.
    """

    prior: tuple[Fraction, ...]
    _weights: list[NDArray[Any]] = field(
        default_factory=list, init=False, compare=False, repr=False
    )

    _by_draws: ClassVar[bool] = True
    names: ClassVar[Names] = Names(State, WORDS, {"decision": WORDS})
    """States are `State`, actions "stop" and "draw"."""

    _repr_fields = ("prior", "rules")

    @property
    def _num_states(self) -> int:
        return 0  # not known: the prior says which there are

    @property
    def fast(self) -> SimpleNamespace | None:
        """The faster solver; a derived class, with other rules, has none."""
        return SimpleNamespace(solve=self._solve) if type(self) is Urn else None

    def _solve(self, backend: Backend, _tie_break: str) -> CardsLookup:
        """Return the solution, by Bayes' rule from the last card to the first."""
        most = len(self.prior) - 1
        problem = Problem(self.rules, most, most, backend == "exact")
        recurrence.refuse_large_tables(problem, self.prior)
        tables = recurrence.tables(problem, self.prior)
        return CardsLookup(problem, *tables, drawn=True)

    @property
    def layout(self) -> Layout | None:
        """How solutions lie in a table: totals by cards drawn, and where to stop."""
        return self._sheet(State._fields[:2]) if type(self) is Urn else None

    def initial_states(self) -> NDArray[Any]:
        """Return the state in which no card has been drawn."""
        return np.array([[0, 0, ASK]])

    def chance_outcomes(
        self, states: NDArray[Any]
    ) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]:
        """Return the states after a red and after a black card, by Bayes' rule."""
        if not self._weights:
            self._weights.extend(bayes.weights_by_draws(self.prior))
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

    def __reduce__(self) -> tuple[Any, ...]:
        # Without the weights, which are quickly found again.
        return type(self), (self.rules, self.worths, self.counts, self.prior)

    def __post_init__(self) -> None:
        self._set(worths=(self.rules.gain, -self.rules.cost))


@suggest_arguments
def game(prior: Prior, *, rules: Rules | None = None) -> Urn:
    r"""Return the game with a prior, for either backend and `cardgames_dp.play`.

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

    Notes
    -----
    In float64, `Solution.errors` are proved bounds, in states that are all but
    impossible as well. They grow with the square of the number of cards, as they count
    every rounding as the worst: with 2000 cards and all compositions equally likely
    they are up to 5e-9, thirty times those of the general way, and no value is off by
    more than 5e-12. Utilities must be finite there, and are taken to be as exact as
    sums.

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
    >>> solution.policy[1, 2], round(solution.values[1, 2], 5)
    ('draw', 2.25145)
    >>> print(exact.solve(redblack.urns.game([1] * 4)))
    red_drawn \ black_drawn        0    1    2    3
                          0  0.3333   -1*  -2*  -3*
                          1   1.667    0*  -1*
                          2     2.5    1*
                          3       3*
    (rows: red cards drawn, columns: black cards drawn; total; ...)

    A known deck is a prior, too:

    >>> known = redblack.urns.game([0] * 4 + [1] + [0] * 4)
    >>> exact.solve(known).value == exact.solve(redblack.game(4, 4)).value
    True
    """
    kind = arguments.rules(rules, Rules)
    weights = tuple(_weights(prior))
    most = len(weights) - 1
    bayes.refuse_many_weights(most)
    return Urn(kind, (kind.gain, -kind.cost), (most, most), weights)


def _weights(prior: object) -> list[Fraction]:
    """Return a prior as probabilities."""
    must = "prior must be an iterable of weights, one for each number of red cards"
    amounts = list(arguments.limited_items("prior", arguments.iterable(must, prior)))
    weights = [
        arguments.amount(f"prior[{i}]", weight) for i, weight in enumerate(amounts)
    ]
    whole = sum(weights)
    if not whole:
        raise arguments.wrong_value("prior must have a positive weight", amounts)
    return [weight / whole for weight in weights]
