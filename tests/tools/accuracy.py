"""Hold float64 against exact results in thousands of random games.

``python -m tests.tools accuracy --cases 1000 --seed 1`` prints the worst error of each
function, and fails where one is above the bound that the documentation states.
"""

from __future__ import annotations

import argparse
import csv
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from cardgames_dp import cardrow, diagonal, exact, fitting, pairs, play, redblack
from cardgames_dp.pairs._kernels.positions import Positions

from ..fitting.inversion import precisely
from ..pairs import oracles
from ..written import Table

Rng: TypeAlias = np.random.Generator

U = Fraction(1, 2**53)
"""The unit of rounding of float64."""

CHECKS: list[Check] = []
HEAD = ("function", "cases", "worst error", "relative to", "of the bound", "the bound")


class Error(NamedTuple):
    """How far a float64 answer is from the exact one."""

    relative: float
    share: float
    """Of what the documentation allows: above 1 it has promised too much."""


Case: TypeAlias = Callable[[Rng], Error]


@dataclass(frozen=True, slots=True)
class Check:
    """A function, and what its error is held against.

    `case` computes one random example by both backends.
    """

    name: str
    bound: str
    relative_to: str
    case: Case
    weight: float = 1
    """How many cases it gets, of those asked for: less where a case takes long."""

    def worst(self, cases: int, seed: int) -> Error:
        """Return the worst error of random cases, which depend on name and seed."""
        rng = np.random.default_rng([seed, *self.name.encode()])
        return worst_of(self.case(rng) for _ in range(cases))


def check(
    name: str, bound: str, relative_to: str, weight: float = 1
) -> Callable[[Case], Case]:
    """Return a decorator that makes a case one of `CHECKS`."""

    def kept(case: Case) -> Case:
        CHECKS.append(Check(name, bound, relative_to, case, weight))
        return case

    return kept


def held(
    computed: Iterable[Any], exact: Iterable[Any], scale: Any, bound: Any
) -> Error:
    """Compare numbers one by one; the bound is absolute, the same for all."""
    worst = max(
        (abs(Fraction(x) - Fraction(y)) for x, y in zip(computed, exact, strict=True)),
        default=Fraction(0),
    )
    return of(worst, scale, bound)


def each_held(computed: Iterable[Any], exact: Iterable[Any], bound: Fraction) -> Error:
    """Compare numbers one by one, each by its own size."""
    return worst_of(
        held([x], [y], abs(y), abs(Fraction(y)) * bound)
        for x, y in zip(computed, exact, strict=True)
    )


def of(error: Fraction, scale: Any, bound: Any) -> Error:
    """Return an absolute error as parts of a scale and of a bound."""
    relative = _ratio(error, Fraction(scale)) if scale else 0.0  # of nothing
    return Error(relative, _ratio(error, Fraction(bound)))


def worst_of(errors: Iterable[Error]) -> Error:
    """Return the largest relative error and the largest share."""
    relative, share = zip(*errors, strict=True)
    return Error(max(relative), max(share))


def _ratio(part: Fraction, whole: Fraction) -> float:
    if whole:
        return float(part / whole)
    return float("inf") if part else 0.0


def some(rng: Rng, items: Any) -> Any:
    """Return one of some items."""
    return items[int(rng.integers(len(items)))]


def both(function: Any, *given: Any, **how: Any) -> tuple[Any, Any]:
    """Return what a function answers in float64 and exactly."""
    found, exactly = (function(*given, **how, backend=b) for b in ("float64", "exact"))
    return found, exactly


# Red/black
# ---------

MOST = 120
"""Cards of each colour in a random deck; a balanced one for the staircase has more."""
LARGEST_SUM = "the largest sum"
OF_SUM = "4 u n of the largest sum"


def deck(rng: Rng, most: int = MOST) -> tuple[int, int]:
    """Return a deck, balanced or not."""
    red = int(rng.integers(0, most + 1))
    return red, red if rng.random() < 0.3 else int(rng.integers(0, most + 1))


def near_balance(rng: Rng) -> tuple[int, int]:
    """Return a deck for which the staircase is."""
    red = int(rng.integers(1, 600))
    apart = int((2 * red) ** 0.5)
    return red, max(1, red + int(rng.integers(-apart, apart + 1)))


def amount(rng: Rng) -> Any:
    """Return an amount of money as people write it, often 1."""
    if rng.random() < 0.4:
        return 1
    if rng.random() < 0.5:
        return Fraction(int(rng.integers(0, 40)), int(rng.integers(1, 12)))
    return float(rng.integers(0, 64)) / 16


def linear(rng: Rng) -> redblack.Rules:
    """Return rules without a utility."""
    fee = 0 if rng.random() < 0.6 else Fraction(int(rng.integers(0, 30)), 40)
    tie = some(rng, ("stop", "draw"))
    return redblack.Rules(win=amount(rng), lose=amount(rng), fee=fee, tie=tie)


def equal_stakes(rng: Rng) -> redblack.Rules:
    """Return rules for which the staircase is."""
    stake = amount(rng) or 2
    return redblack.Rules(win=stake, lose=stake)


@check("redblack.value, diagonal", "the width of its enclosure", "the value")
def value_by_diagonals(rng: Rng) -> Error:
    cards, rules = deck(rng), linear(rng)
    found = redblack.value(*cards, rules=rules, method="diagonal")
    right = redblack.value(*cards, rules=rules, backend="exact")
    bounds = redblack.enclosure(*cards, rules=rules, method="diagonal")
    width = Fraction(bounds.upper) - Fraction(bounds.lower)
    return held([found], [right], right, width)


@check("redblack.value, staircase", "1e-13 of the value, or √n", "the value or √n")
def staircase(rng: Rng) -> Error:
    """Of an unbalanced deck, whose value may be next to nothing, in its own scale."""
    cards, rules = near_balance(rng), equal_stakes(rng)
    found = redblack.value(*cards, rules=rules, method="staircase")
    right = redblack.value(*cards, rules=rules, backend="exact")
    scale = Fraction(rules.win) * Fraction(sum(cards) ** 0.5)
    if cards[0] == cards[1]:
        scale = right
    return held([found], [right], scale, scale / 10**13)


@check(
    "redblack.value, with a utility",
    "4 u n of the largest utility",
    "the largest utility",
)
def bent(rng: Rng) -> Error:
    """Under a utility of polynomials, which both backends can compute."""
    cards = deck(rng, 30)
    rules = redblack.Rules(utility=lambda cash: cash * (400 - cash))
    found, right = both(redblack.value, *cards, rules=rules)
    largest = 440 * sum(cards) or 1
    return held([found], [right], largest, 4 * sum(cards) * U * largest)


@check("redblack.value, of arrays", "1e-13 of each value", "each value")
def values(rng: Rng) -> Error:
    sizes = np.unique(rng.integers(1, MOST, 5)).tolist()
    return each_held(*both(redblack.value, sizes, sizes), Fraction(1, 10**13))


def enclosure(rng: Rng, method: Any) -> Error:
    """Of the interval's half width, how far the exact value is from the midpoint."""
    if method == "diagonal":
        cards, rules = deck(rng), linear(rng)
    else:
        cards, rules = near_balance(rng), equal_stakes(rng)
    bounds = redblack.enclosure(*cards, rules=rules, method=method)
    right = redblack.value(*cards, rules=rules, backend="exact")
    lower, upper = Fraction(bounds.lower), Fraction(bounds.upper)
    return of(abs(right - (lower + upper) / 2), right, (upper - lower) / 2)


for _method in ("diagonal", "staircase"):
    check(f"redblack.enclosure, {_method}", "half of its width", "the value")(
        partial(enclosure, method=_method)
    )


@check("redblack.enclosure, digits", "what was asked for", "the value")
def digits(rng: Rng) -> Error:
    """As many digits as are asked for are right."""
    cards, wanted = near_balance(rng), int(rng.integers(1, 16))
    bounds = redblack.enclosure(*cards, digits=wanted)
    right = redblack.value(*cards, backend="exact")
    far = max(right - Fraction(bounds.lower), Fraction(bounds.upper) - right)
    inside = bounds.lower <= right <= bounds.upper
    return of(far, right, right / 10**wanted if inside else 0)


@check("redblack.solve", "Solution.error", LARGEST_SUM, 0.3)
def table(rng: Rng) -> Error:
    cards, rules = deck(rng, 40), linear(rng)
    found, right = both(redblack.solve, *cards, rules=rules)
    largest = sum(cards) * max(Fraction(rules.win), Fraction(rules.lose)) or 1
    rows = np.pad(np.argwhere(found.table() >= 0), ((0, 0), (0, 1)))
    each = zip(found.values(rows), right.values(rows), found.errors(rows), strict=True)
    return worst_of(held([x], [y], largest, error) for x, y, error in each)


def distribution(rng: Rng, of: str) -> Error:
    """Each probability, relative to itself."""
    cards = deck(rng, 60)
    rules = redblack.Rules(tie=some(rng, ("stop", "draw")))
    two = both(play.distribution, redblack.game(*cards, rules=rules), "optimal")
    found, right = (laws.moves if of == "moves" else laws.returns[0] for laws in two)
    assert found.support.tolist() == right.support.tolist()
    allowed = U * (sum(cards) or 1)
    return each_held(found.probabilities, right.probabilities, allowed)


for _name in ("returns", "moves"):
    check(
        f"play.distribution, {_name} of a deck",
        "u a card, of each probability",
        "the probability",
    )(partial(distribution, of=_name))


@check("redblack.foresight_value, all cards", "1e-13 of the value", "the value")
def omniscient(rng: Rng) -> Error:
    found, right = both(redblack.foresight_value, *deck(rng))
    return each_held([found], [right], Fraction(1, 10**13))


def policy(rng: Rng) -> Any:
    """Return a policy for which rounding decides nothing."""
    return some(
        rng,
        (
            *("never_stop", "first_positive", "quit_when_negative"),
            redblack.StopAt(cash=int(rng.integers(0, 6))),
            redblack.StopAt(loss=int(rng.integers(0, 9))),
            redblack.StopAt(draws=int(rng.integers(0, 60))),
            redblack.OptimalWithin(loss=int(rng.integers(0, 9))),
            redblack.OptimalWithin(draws=int(rng.integers(0, 60))),
        ),
    )


@check("redblack.value, of a policy", OF_SUM, LARGEST_SUM)
def of_policy(rng: Rng) -> Error:
    """Its mean cash, which may be a small difference of large sums."""
    cards, rules, plays = deck(rng, 40), linear(rng), policy(rng)
    found, right = both(redblack.value, *cards, rules=rules, policy=plays)
    largest = sum(cards) * max(rules.gain, rules.cost, Fraction(1)) or 1
    return held([found], [right], largest, 4 * sum(cards) * U * largest)


@check("redblack.lowest_cash", "8 u n", "1")
def lowest_cash(rng: Rng) -> Error:
    cards, plays = deck(rng, 30), policy(rng)
    found, right = (
        law.to_dict() for law in both(redblack.lowest_cash, *cards, policy=plays)
    )
    assert found.keys() == {float(x) for x in right}
    computed = [found[float(x)] for x in right]
    return held(computed, right.values(), 1, U * (8 * sum(cards) or 1))


@check("redblack.foresight_value, some cards", OF_SUM, LARGEST_SUM)
def foresight(rng: Rng) -> Error:
    cards, seen = deck(rng, 25), int(rng.integers(0, 6))
    found, right = both(redblack.foresight_value, *cards, cards=seen)
    largest = sum(cards) or 1
    return held([found], [right], largest, 4 * U * largest**2)


@check("diagonal.solve, redblack.urns", "Solution.error", LARGEST_SUM)
def urn(rng: Rng) -> Error:
    """The value of a deck whose composition is not known."""
    prior = rng.integers(0, 9, int(rng.integers(2, 30))).tolist()
    prior[0] += 1
    game = redblack.urns.game(prior)
    found, right = diagonal.solve(game), exact.solve(game)
    return held([found.value], [right.value], len(prior), found.error)


@check("redblack.kinds.value", OF_SUM, LARGEST_SUM, 0.3)
def kinds(rng: Rng) -> Error:
    """The value of a small deck of cards of several worths."""
    worths = rng.choice(np.arange(-5, 6), int(rng.integers(1, 5)), replace=False)
    cards = {int(worth): int(rng.integers(1, 6)) for worth in worths}
    found, right = both(redblack.kinds.value, cards)
    largest = sum(abs(worth) * count for worth, count in cards.items()) or 1
    return held([found], [right], largest, 4 * sum(cards.values()) * U * largest)


# Cards in a row
# --------------

OPPONENTS = ("larger", "smaller", "greedy", "random")
"""Who look at cards alone, so that rounding never changes what they do."""


def row_of(rng: Rng, most: int = 40) -> list[Any]:
    """Return a row of integers, small or huge, of floats or of fractions."""
    count = int(rng.integers(1, most + 1))
    kind = int(rng.integers(4))
    if kind == 0:
        row: Any = rng.integers(-13, 14, count)
    elif kind == 1:
        row = rng.integers(-(2**62), 2**62, count)
    elif kind == 2:
        row = rng.normal(scale=10.0 ** int(rng.integers(-9, 10)), size=count)
    else:
        return [Fraction(int(a), int(b)) for a, b in rng.integers(1, 50, (count, 2))]
    return list(row.tolist())


def largest_of(row: list[Any]) -> Any:
    """Return the largest card, without its sign."""
    return max(map(abs, map(Fraction, row))) or 1


def rules_of_row(rng: Rng, row: list[Any]) -> cardrow.Rules:
    """Return rules of every kind, for a row."""
    if rng.random() < 0.2:
        return cardrow.Rules(weights=rng.integers(-9, 10, len(row)).tolist())
    return cardrow.Rules(
        take=int(rng.integers(1, 4)),
        players=int(rng.integers(2, 4)),
        misere=bool(rng.integers(2)),
        tie=some(rng, ("larger", "left", "right")),
    )


@check("cardrow.value", "u of the value", "the value")
def row_value(rng: Rng) -> Error:
    row = row_of(rng)
    found, right = both(cardrow.value, row, rules=rules_of_row(rng, row))
    return each_held([found], [right], U)


@check("cardrow.values", "u of each value", "each value")
def row_values(rng: Rng) -> Error:
    return each_held(*both(cardrow.values, [row_of(rng, 20) for _ in range(4)]), U)


@check("cardrow.value of rows", "u of the value", "the value")
def value_of_several(rng: Rng) -> Error:
    found, right = both(cardrow.value, *[row_of(rng, 20) for _ in range(3)])
    return each_held([found], [right], U)


@check("cardrow.solve", "Solution.error", "the largest value", 0.3)
def row_table(rng: Rng) -> Error:
    """What is still to come in every state; near ties are told apart in integers."""
    row = row_of(rng, 16)
    return compared(*both(cardrow.solve, row, rules=rules_of_row(rng, row)))


@check("play.best_response, of a row", "Solution.error", "the largest value", 0.3)
def row_response(rng: Rng) -> Error:
    row, seat = row_of(rng, 16), int(rng.integers(2))
    policies = [some(rng, OPPONENTS)] * 2
    policies[seat] = None
    found, right = both(play.best_response, cardrow.game(row), policies, seat)
    return compared(found.solution, right.solution)


@check("cardrow.best_response", "plan.error", "the largest card", 0.3)
def row_plan(rng: Rng) -> Error:
    """The mean lead of a response to win, or within a guarantee."""
    row = rng.integers(1, 14, int(rng.integers(1, 10))).tolist()
    how = some(rng, ({"goal": "win"}, {"slack": int(rng.integers(9))}))
    opponent, seat = some(rng, OPPONENTS), some(rng, ("first", "second"))
    found, right = both(cardrow.best_response, row, opponent, seat=seat, **how)
    return held([found.lead], [right.lead], largest_of(row), found.plan.error)


@check("play.distribution, returns of a row", "Distributions.error", "1")
def row_distribution(rng: Rng) -> Error:
    """What players win by, one of them at random: probabilities of every lead."""
    row = cardrow.game(rng.integers(1, 14, int(rng.integers(1, 15))).tolist())
    players: Any = [some(rng, OPPONENTS), "random"]
    two = both(play.distribution, row, players)
    found, right = (laws.returns[0].to_dict() for laws in two)
    assert found.keys() == {float(x) for x in right}
    return held(found.values(), right.values(), 1, two[0].error)


# Pairs
# -----

LARGEST = 1000  # positions with scores, so that a case takes little


def rules_of(rng: Rng, most_players: int = 3) -> pairs.Rules:
    """Return rules of every kind, of a small game."""
    while True:
        ranks = rng.choice(np.arange(1, 5), int(rng.integers(1, 4)), replace=False)
        players = int(rng.integers(2, most_players + 1))
        try:
            found = pairs.Rules(
                players=players,
                deck={int(rank): int(rng.integers(1, 4)) for rank in ranks},
                target=int(rng.integers(1, 6 - players)),
                reshuffle=some(rng, ("round", "exhausted")),
                deal=int(rng.integers(2)),
                tie=some(rng, ("fold", "hit")),
                capacity=int(rng.integers(1, 3)),
            )
        except ValueError:
            continue
        if Positions(found).size * found.target**players <= LARGEST:
            return found


def kept(given: pairs.Rules, a: str, b: str | None) -> list[Fraction]:
    """Return the chances of one seat with `a`, or its best, against others with `b`."""
    chances = []
    for seat in range(given.players):
        plays = {i: oracles.PLAYS[b or a] for i in range(given.players) if i != seat}
        if b:
            plays[seat] = oracles.PLAYS[a]
        game = oracles.Kept(given, plays)
        chances.append(exact.solve(game, max_states=200_000).payoffs[seat])
    return chances


def close(found: Any, exactly: Any) -> Error:
    """Hold chances against exact ones; they are absolutely right to 1e-13."""
    return held(found, exactly, 1, Fraction(1, 10**13))


@check("pairs.solve, goal", "1e-13", "1", 0.2)
def another_goal(rng: Rng) -> Error:
    """Mean returns of players who want something else than to win."""
    given, goal = rules_of(rng), some(rng, ("points", "lead", 1))
    found, right = both(pairs.solve, given, goal=goal)
    return close(found.payoffs, right.payoffs)


@check("pairs.solve", "1e-13", "1", 0.2)
def pairs_solve(rng: Rng) -> Error:
    found, right = both(pairs.solve, rules_of(rng))
    return close(found.payoffs, right.payoffs)


@check("pairs.rates", "1e-13", "1", 0.2)
def pairs_evaluate(rng: Rng) -> Error:
    given, names = rules_of(rng), sorted(oracles.PLAYS)
    a, b = some(rng, names), some(rng, names)
    found = pairs.rates(given, [a, *[b] * (given.players - 1)]).by_leader
    in_turn = [found[-seat][0] for seat in range(given.players)]
    return close(in_turn, kept(given, a, b))


@check("pairs.rates, best response", "1e-13", "1", 0.2)
def pairs_response(rng: Rng) -> Error:
    given, name = rules_of(rng), some(rng, sorted(oracles.PLAYS))
    found = pairs.rates(given, [None, *[name] * (given.players - 1)]).by_leader
    in_turn = [found[-seat][0] for seat in range(given.players)]
    return close(in_turn, kept(given, name, None))


@check("pairs.enclosure", "half of its width", "1", 0.2)
def pairs_enclosure(rng: Rng) -> Error:
    """Of the intervals' half widths, how far exact chances are from the middles."""
    given = rules_of(rng, most_players=2)
    bounds = pairs.enclosure(given).value_at((0,) * given.players)
    right = pairs.solve(given, backend="exact").payoffs
    return worst_of(
        held([(Fraction(a) + Fraction(b)) / 2], [x], 1, (Fraction(b) - Fraction(a)) / 2)
        for (a, b), x in zip(bounds, right, strict=True)
    )


@check("pairs.rates(...).counts", "1e-13 of the count", "the largest", 0.2)
def frequencies(rng: Rng) -> Error:
    """How often there is a choice, a hit, a fold: sums of chances."""
    given, name = rules_of(rng), some(rng, sorted(oracles.PLAYS))
    found = pairs.rates(given, name).counts
    exactly = oracles.usual(given, oracles.PLAYS[name])
    fields = ("choices", "hits", "folds")
    counted = [exactly[field] for field in fields]
    sums = [found[field].sum() for field in fields]
    most = max(*counted, Fraction(1))
    return held(sums, counted, most, most / 10**13)


# Any game
# --------


def game(rng: Rng, *, alone: bool = False) -> Table:
    """Return a random acyclic game, in which states lead to later ones."""
    players = 1 if alone else int(rng.integers(1, 5))
    size = int(rng.integers(2, 60))
    wide = 10 ** int(rng.integers(0, 9))
    rows: dict[Any, tuple[Any, Any]] = {}
    for state in range(size):
        later = size - state - 1
        kind = (
            some(rng, ("end", "chance", "chance", "move", "move")) if later else "end"
        )
        following = (state + 1 + rng.integers(0, max(later, 1), 4)).tolist()
        if kind == "end" and (state > size // 2 or not later):
            below = int(rng.integers(1, 12))
            paid = rng.integers(-wide, wide + 1, players).tolist()
            rows[state] = ("end", [Fraction(x, below) for x in paid])
        elif kind == "chance":
            weights = rng.integers(1, 1 + wide, 4).tolist()
            rows[state] = ("chance", list(zip(weights, following, strict=True)))
        else:
            moves = {f"{i}": after for i, after in enumerate(following)}
            rows[state] = (int(rng.integers(players)), moves)
    return Table(rows, num_players=players)


def policies(rng: Rng, given: Table) -> list[Any]:
    """Return a mixture for every state, and every player."""
    mixed = {
        state: dict(zip(row, rng.integers(1, 9, len(row)).tolist(), strict=True))
        for state, (kind, row) in given.rows.items()
        if kind not in ("end", "chance")
    }
    return [mixed.__getitem__] * given.num_players


def compared(found: Any, exactly: Any) -> Error:
    """Hold values of all states against exact ones, by the error that is stated."""
    largest = max(abs(x) for s in exactly.values for x in exactly.payoffs_at(s)) or 1
    return worst_of(
        held(found.payoffs_at(s), exactly.payoffs_at(s), largest, found.errors[s])
        for s in exactly.values
    )


def solve(rng: Rng, *, alone: bool) -> Error:
    """Among several players a tie that rounding hides may cost those who wait."""
    given = game(rng, alone=alone)
    return compared(diagonal.solve(given), exact.solve(given))


for _name, _alone in (("one player", True), ("several players", False)):
    check(f"diagonal.solve, {_name}", "Solution.error", "the largest value")(
        partial(solve, alone=_alone)
    )


@check("play.evaluate", "Solution.error", "the largest value")
def evaluate(rng: Rng) -> Error:
    given = game(rng)
    return compared(*both(play.evaluate, given, policies(rng, given)))


@check("play.best_response", "Solution.error", "the largest value")
def best_response(rng: Rng) -> Error:
    given = game(rng)
    player = int(rng.integers(given.num_players))
    found, right = both(play.best_response, given, policies(rng, given), player)
    return compared(found.solution, right.solution)


@check("play.distribution", "Distributions.error", "1")
def laws(rng: Rng) -> Error:
    given = game(rng)
    found, right = both(play.distribution, given, policies(rng, given))
    computed = [found.reach[state] for state in right.reach]
    return held(computed, right.reach.values(), 1, found.error)


@check("play.regret", "Regret.error", "the largest return")
def regret(rng: Rng) -> Error:
    given = game(rng)
    player = int(rng.integers(given.num_players))
    found, right = both(play.regret, given, policies(rng, given), player)
    paid = [abs(x) for kind, row in given.rows.values() if kind == "end" for x in row]
    return of(abs(Fraction(found.loss) - right.loss), max(paid) or 1, found.error)


# Constants and limits
# --------------------


def constant(rng: Rng, digits_of: Any, ranks: int = 0) -> Error:
    """Hold a number of so many digits against one of twenty more."""
    which = [int(rng.integers(1, ranks))] if ranks else []
    digits = int(rng.integers(1, 60))
    found, better = digits_of(*which, digits), digits_of(*which, digits + 20)
    ulp = Fraction(10) ** (better.adjusted() + 1 - digits)
    return held([found], [better], better, ulp / 2 * (1 + Fraction(1, 10**15)))


for _of, _ranks, _weight in (
    (fitting.shepp_alpha, 0, 0.05),
    (fitting.limit_constant, 0, 0.05),
    (fitting.decay_exponent, 6, 0.02),
):
    check(
        f"fitting.{_of.__name__}",
        "half a unit of the last digit",
        "the number",
        _weight,
    )(partial(constant, digits_of=_of, ranks=_ranks))


def limit(rng: Rng, method: str) -> Error:
    """Hold a probability or a density against an inversion by mpmath."""
    x = float(rng.uniform(0.02, 0.98))
    found = getattr(fitting.LimitDistribution("left"), method)(x)
    better = Fraction(*precisely(method, x).as_integer_ratio())
    # Where a density is small it is found from sums that are not.
    bound = Fraction(3, 10**14) if method == "cdf" else (1 + abs(better)) / 10**11
    return held([found], [better], 1, bound)


for _name, _bound in (("cdf", "3e-14"), ("pdf", "1e-11, and 1e-11 of the density")):
    check(f"fitting.LimitDistribution, {_name}", _bound, "1", 0.05)(
        partial(limit, method=_name)
    )


def main() -> None:
    """Print a line for each check."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=time.time_ns())
    parser.add_argument("--only", default="", help="a part of a function's name")
    parser.add_argument("--write", type=Path, help="a table for the documentation")
    given = parser.parse_args()
    print(f"--cases {given.cases} --seed {given.seed}")
    rows, failed = [], []
    for each in CHECKS:
        if given.only not in each.name:
            continue
        cases = max(round(given.cases * each.weight), 1)
        error = each.worst(cases, given.seed)
        row = [each.name, f"{cases:,}", f"{error.relative:.1e}", each.relative_to]
        rows.append([*row, f"{error.share:.2g}", each.bound])
        print("  ".join(map(str.ljust, rows[-1], (36, 6, 8, 20, 8, 0))), flush=True)
        if not error.share <= 1:
            failed.append(each.name)
    if given.write:
        with given.write.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows([HEAD, *rows])
    if failed:
        sys.exit(f"above the bound: {', '.join(failed)}")


if __name__ == "__main__":
    main()
