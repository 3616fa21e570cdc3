"""Red/black: values and enclosures, what to do, what will happen."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from cardgames_dp import diagonal, exact, play, redblack
from cardgames_dp.redblack import Rules, State, kinds, urns

from ..records import counts, of

TWO_FOR_ONE = Rules(win=2)
FEE = Rules(fee="1/10")
ODD = Rules(win="3/2", lose="5/4", fee="1/8", tie="draw")


def timid(state: Any) -> Any:
    return np.where(state.black - state.red >= 1, "stop", "draw")


def patient(state: Any) -> Any:
    late = state.red + state.black < 18
    return np.where((state.black > state.red) & late, "stop", "draw")


def rising(state: Any) -> Any:
    level = 2 + (state.red + state.black) // 12
    return np.where(state.black - state.red >= level, "stop", "draw")


def torn(stop: int, draw: int) -> Any:
    """Return a policy that is a mixture, the same in all states."""
    return lambda state: {"stop": stop, "draw": draw}


def root(cash: float) -> float:
    """A user's own utility, of one number at a time."""
    return math.sqrt(100 + cash)


def steps(cash: Fraction) -> Fraction:
    """A utility in fractions, which is not concave."""
    return cash if cash < 2 else cash**2


POLICIES: dict[str, Any] = {
    "first_positive": "first_positive",
    "quit_when_negative": "quit_when_negative",
    "never_stop": "never_stop",
    "at_cash": redblack.StopAt(cash=3),
    "at_loss": redblack.StopAt(loss=5),
    "after": redblack.StopAt(draws=20),
    "at_excess": rising,
    "at_first": redblack.StopAt(loss=1, policy="optimal"),
    "bounds": redblack.StopAt(cash=2, loss=3),
    "within_loss": redblack.OptimalWithin(loss=8),
    "within_draws": redblack.OptimalWithin(draws=30),
    "within_both": redblack.OptimalWithin(loss="5/2", draws=40),
    "callable": timid,
}
VALUED = {name: policy for name, policy in POLICIES.items() if name != "at_excess"}


@cache
def table(red: int, black: int, backend: Any = "float64", rules: Any = None) -> Any:
    return redblack.solve(red, black, rules=rules, backend=backend)


def sheet(found: Any) -> dict[str, Any]:
    """Return a full table; its values are the gain of playing on over stopping."""
    totals, stop = found.table("total"), found.table("stop")
    values, stop[0, 0] = found.table("values"), True
    utility = found.game.rules.utility
    if utility is not None:
        worth = [in_hand(found, r, b, utility) for r, b in np.ndindex(*totals.shape)]
        gain = [0 if x == y else x - y for x, y in zip(totals.flat, worth, strict=True)]
        values = np.array(gain, dtype=totals.dtype).reshape(totals.shape)
    tables = {"values": values, "totals": totals, "stop": stop}
    return {"value": found.value, **tables, "ties": found.table("ties")}


def in_hand(found: Any, red: int, black: int, utility: Any = None) -> Any:
    """Return the cash in hand in a state, or its utility."""
    full_red, full_black = found.game.counts
    cash = found.game.rules.cash(full_red - red, full_black - black)
    if isinstance(found.value, Fraction):
        return cash if utility is None else utility(cash)
    return float(cash) if utility is None else float(utility(np.float64(cash)))


def advised(found: Any, red: int, black: int) -> dict[str, Any]:
    """Return what to do, and the total that each action is worth."""
    told = found.advice((red, black))
    hand = told.collected or 0
    values = {word: hand + told.values[word] for word in ("stop", "draw")}
    best = [word for word in values if word in told.best]
    return {"action": told.action, "best": best, "values": values, **of(told, "margin")}


def laws(red: int, black: int, policy: Any = "optimal", **options: Any) -> Any:
    """Return the distributions of the payoff and of the cards drawn."""
    deck = redblack.game(red, black, rules=options.pop("rules", None))
    return play.distribution(deck, policy, count="draw", **options)


def payoff(*given: Any, **options: Any) -> Any:
    return laws(*given, **options).returns[0]


def drawn(*given: Any, **options: Any) -> Any:
    return laws(*given, **options).moves


def bounds(*found: Any) -> list[Any]:
    """Return enclosures, of one deck each or of many."""
    rows = (
        zip(*map(np.ravel, (e.lower, e.upper, e.method)), strict=True) for e in found
    )
    return [[cell.item() for cell in row] for each in rows for row in each]


def simulated(red: int, black: int, games: int, **options: Any) -> dict[str, Any]:
    """Return the results of simulated games: of the cash, but the mean utility."""
    rules, policy = options.pop("rules", Rules()), options.pop("policy", "optimal")
    deck = redblack.game(red, black, rules=rules)
    found = play.simulate(deck, policy, games, count="draw", **options)
    cash = found.returns[0]
    if rules.utility is not None:
        careful = table(red, black, rules=rules)
        fair = redblack.game(red, black)
        cash = play.simulate(fair, careful, games, **options).returns[0]
    ends = [history[-1] for history in found.histories]
    facts = "mean", "std", "standard_error"
    return {
        **{name: numbers[0] for name, numbers in of(found, *facts).items()},
        "payoffs": cash.support,
        "payoff_counts": counts(cash, games),
        "loss_frequency": cash.loss_probability,
        "mean_draws": found.moves.mean,
        "durations": found.moves.support,
        "duration_counts": counts(found.moves, games),
        "paths": [float(rules.cash(red - x.red, black - x.black)) for x in ends],
    }


def settled(found: Any) -> dict[str, Any]:
    """Return thresholds, and the excesses of those that are not known."""
    unknown = tuple((np.flatnonzero(found.n < 0) + 1).tolist())
    return {**of(found, "n", "exact_up_to"), "undecided": unknown}


def played(*cards: Any, good: Any = "red") -> Any:
    """Return a game followed card by card."""
    solution = table(26, 26)
    game: Any = play.Position(solution)
    for card in cards:
        game, before = game.play("stop" if card == "stop" else "draw"), game
        if card != "stop":
            red = card == good
            left = State(before.state.red - red, before.state.black - (not red))
            game = game.play(left)
    left = game.state[:2]
    red, black = left if good == "red" else left[::-1]
    return {
        "red": red,
        "black": black,
        "cash": game.collected[0],
        **of(game, "value", "over"),
        "history": cards,
        "advice": None if game.over else advised(solution, *left),
        "undone": before.collected[0],
    }


def ahead(state: Any) -> Any:
    """Stop as soon as the cash is positive, with equally many cards of both colours."""
    return np.where(state.black > state.red, "stop", "draw")


class AtTheEnd:
    """A game of cards that pays at its end, so that other floats are summed."""

    def __init__(self, game: Any) -> None:
        self._game = game

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def chance_outcomes(self, states: Any) -> Any:
        return self._game.chance_outcomes(states)[:3]

    def returns(self, states: Any) -> Any:
        drawn = np.array(self._game.counts) - states[:, :-1]
        return drawn @ np.array(self._game.worths, dtype=int)


def _all_states(
    deck: dict[int, int], solve: Any, *, at_the_end: bool = False
) -> dict[str, Any]:
    """Return what playing on is worth with all cards left, and where to stop."""
    counts = [deck[worth] for worth in sorted(deck, reverse=True)]
    left = np.indices([count + 1 for count in counts]).reshape(len(counts), -1)
    rows = np.column_stack([left.T, np.zeros(left.shape[1], dtype=int)])
    game = kinds.game(deck)
    solution = solve(AtTheEnd(game) if at_the_end else game)
    values = solution.values(rows)
    if at_the_end:
        values = values - AtTheEnd(game).returns(rows)
    shape = [count + 1 for count in counts]
    index, _ = solution.optimal_actions(rows[left.any(axis=0)])
    ties = np.zeros(left.shape[1], dtype=bool)
    ties[left.any(axis=0)] = np.bincount(index) > 1
    tables = {"values": values, "ties": ties, "stop": values <= 1e-12}
    return {name: table.reshape(shape) for name, table in tables.items()}


def urn(prior: Any, backend: str = "float64", rules: Any = None) -> Any:
    """Return the solution of draws with a prior."""
    solver = exact if backend == "exact" else diagonal
    return solver.solve(urns.game(prior, rules=rules))


def by_drawn(found: Any, *names: str) -> dict[str, Any]:
    """Return tables by the cards drawn, 0 where a state is impossible."""
    values = found.table("values")
    gaps = np.vectorize(lambda x: x is None or math.isnan(x), otypes=[bool])(values)
    rows = np.argwhere(~gaps)
    rows = rows[rows.sum(axis=1) < len(values) - 1]
    states = np.column_stack([rows, np.full(len(rows), 2)])
    red, black = found.game.chance_outcomes(states)[1].reshape(2, -1)
    odds = np.zeros(values.shape, dtype=values.dtype)
    odds[*rows.T] = [
        Fraction(*pair)
        for pair in zip(red.tolist(), (red + black).tolist(), strict=True)
    ]
    tables = {"values": values, "totals": found.table("total")}
    for table in tables.values():
        table[gaps] = 0
    tables |= {"odds": odds, "ties": found.table("ties"), "stop": values == 0}
    return {name: tables[name] for name in names}


def given_up(found: Any) -> Any:
    """Return what a policy gives up, indexed by the cards left."""
    table = np.zeros((27, 27))
    for state, amount in zip(found.states, found.given_up, strict=True):
        table[state[:2]] = amount
    return table
