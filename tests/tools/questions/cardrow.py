"""Cards in a row: values, what to do, and games against other players."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from cardgames_dp import cardrow, play
from cardgames_dp.cardrow import Rules, State

from ..records import of

SIX = (4, 4, 6, 6, 12, 9)
SISTER = (14, 4, 7, 2, 5, 12)
EVEN = (8, 4, 2, 2, 4, 8)
EIGHT = (2, 7, 5, 3, 8, 1, 4, 3)
RISKY = (5, 2, 9, 12, 10, 11, 4, 4)
ODD: tuple[Any, ...] = (Fraction(1, 3), "2.5", -1, 7, 0, Fraction(7, 2), 4)
TIED = (0, 1, 1, 2, 1, 1, 0, 2, 2)
MIXED: Any = play.mixture({"larger": 4, "random": 1})
NAMES: tuple[Any, ...] = (
    *("optimal", "larger", "smaller"),
    *("greedy", "greedy_literal", "random"),
)
TIES: tuple[Any, ...] = ("right", "left", "larger")
RULES = {
    "take-2": Rules(take=2),
    "take-3": Rules(take=3, tie="left"),
    "misere": Rules(misere=True),
    "players-3": Rules(players=3),
    "players-4": Rules(players=4, take=2, tie="right"),
    "misere-3": Rules(players=3, misere=True),
    "weights": Rules(weights=[1, 2, 3, 4, 5, 6]),
    "weights-2": Rules(weights=[3, 1, 4, 1, 5, 9], take=2, misere=True),
}


@cache
def row(cards: int, largest: int = 13, seed: int = 1) -> Any:
    """Return a row of random cards."""
    return np.random.default_rng(seed).integers(1, largest + 1, cards)


@cache
def deals(games: int, cards: int) -> Any:
    return cardrow.deal(games, cards, rng=1)


def sweet_tooth(cards: Any) -> Any:
    """Return a player of a row who cannot resist an 8."""

    def turn(state: State) -> str:
        return "right" if cards[state.right] == 8 > cards[state.left] else "left"

    return turn


def hesitant(cards: Any) -> Any:
    """Return a user's own player of a row, who answers with chances."""

    def turn(state: State) -> dict[str, Fraction]:
        rises = cards[state.left] < cards[state.right]
        left = Fraction(1, 3) if rises else Fraction(3, 4)
        return {"left": left, "right": 1 - left}

    return turn


def signed(turn: str) -> int:
    """Return how many cards a turn takes, negative from the left."""
    count = int(turn.partition(" ")[0]) if turn[0].isdigit() else 1
    return -count if turn.endswith("left") else count


def as_pair(turn: str) -> list[Any]:
    """Return a turn as the side and the number of cards."""
    return ["left" if signed(turn) < 0 else "right", abs(signed(turn))]


def in_order(turn: str) -> Any:
    """Sort turns from the left first, and fewer cards before more."""
    return signed(turn) > 0, abs(signed(turn))


def after(state: State, turn: str, players: int = 2) -> State:
    """Return the state after a turn."""
    left, right = max(0, -signed(turn)), max(0, signed(turn))
    mover = (state.player + 1) % players
    return State(state.left + left, state.right - right, mover)


def as_lead(rules: Any, payoff: Any) -> Any:
    """Return what a payoff is in leads or sums."""
    return 0 - payoff if rules.misere else payoff


def at(found: Any, left: int, right: int, player: int = 0) -> tuple[Any, State]:
    """Return a solution and a state with an interval left and a player to move.

    A state that does not come up in the game is the start of one on fewer cards.
    """
    state = State(left, right, player)
    if state in found.values:
        return found, state
    cards, rules = found.game.cards[left : right + 1], found.game.rules
    if rules.weights is not None:
        worths = rules.weights[left : right + 1]
        if player:
            cards, worths = worths, cards
        rules = replace(rules, weights=worths)
    backend: Any = "float64" if isinstance(found.value, float) else "exact"
    fewer = cardrow.solve(cards, rules=rules, backend=backend)
    return fewer, State(0, right - left, 0)


def weighed(found: Any, left: int, right: int, player: int) -> list[Any]:
    """Return what two players take of an interval, each by their own values."""
    solution, state = at(found, left, right, player)
    game, mover = solution.game, state.player
    worths = (game.cards, game.rules.weights)[mover]
    payoff = solution.payoffs_at(state)[mover]
    own = type(payoff)(0)
    while state.left <= state.right:
        then = after(state, solution.policy[state])
        if state.player == mover:
            own += sum(worths[state.left : then.left])
            own += sum(worths[then.right + 1 : state.right + 1])
        state = then
    return [own, own - as_lead(game.rules, payoff)]


def taken(found: Any, player: int = 0) -> Any:
    """Return what all take of each interval, the player to move first.

    With weights, a player is to move.
    """
    cards, rules = found.game.cards, found.game.rules
    values = np.array([found.table(player=i) for i in range(rules.players)])
    left, right = np.indices(values.shape[1:])
    values[:, left > right] = 0
    if rules.weights is not None:
        for i, j in np.argwhere(left <= right).tolist():
            values[:, i, j] = weighed(found, i, j, player)
        return values
    mover = len(cards) - 1 - right + left
    seats = (mover + np.arange(rules.players)[:, np.newaxis, np.newaxis]) % len(values)
    payoffs = as_lead(rules, np.take_along_axis(values, seats, axis=0))
    if rules.players > 2:
        return payoffs
    before = np.array([0, *cards], dtype=object).cumsum()
    total = (before[right + 1] - before[left]).astype(values.dtype)
    return np.where(left > right, values, (total + payoffs) / 2)


def ahead(rules: Any, sums: Any) -> Any:
    """Return the first of some sums less the best of the others."""
    return sums[0] - (min if rules.misere else max)(sums[1:])


def table(found: Any) -> dict[str, Any]:
    """Return a solution as tables of all intervals."""
    rules, sums = found.game.rules, taken(found)
    value = as_lead(rules, found.value)
    if rules.players > 2:
        value = ahead(rules, sums[:, 0, -1])
    return {
        "value": value,
        "sums": sums,
        "sums_of_second": None if rules.weights is None else taken(found, 1),
        "best": best(found),
        "ties": found.table("ties"),
    }


def best(found: Any) -> Any:
    """Return the best turn at each interval, as a number of cards."""
    turns = {turn: found.table(turn) for turn in found.game.names.actions}
    every: Any = sum([signed(turn) * where for turn, where in turns.items()])
    return every


def advised(found: Any, left: int, right: int, player: int = 0) -> dict[str, Any]:
    """Return what to do, and what each turn is worth: by how much it wins."""
    solution, state = at(found, left, right, player)
    told, rules = solution.advice(state), solution.game.rules
    return {
        "action": as_pair(told.action),
        "best": [as_pair(turn) for turn in sorted(told.best, key=in_order)],
        "values": {
            turn: as_lead(rules, told.values[turn])
            for turn in sorted(told.values, key=in_order)
        },
        "margin": told.margin,
    }


def line(found: Any) -> dict[str, Any]:
    """Return a match."""
    return of(found, "positions", "from_right", "sums")


def played(found: Any) -> dict[str, Any]:
    """Return the game in which all follow a solution, and the sums that it has."""
    cards, rules = found.game.cards, found.game.rules
    match = cardrow.match(cards, *[found] * rules.players, rules=rules)
    return line(match) | {"sums": taken(found)[:, 0, -1].tolist()}


def matched(
    *players: Any,
    cards: Any = SIX,
    rules: Any = None,
    tie: Any = "right",
    **options: Any,
) -> list[Any]:
    rules = Rules(tie=tie) if rules is None else replace(rules, tie=tie)
    game = cardrow.match(cards, *players, rules=rules, **options)
    return [game.positions, game.sums, game.takers, game.winner]


def responded(
    cards: Any, others: list[Any], rules: Any, seat: Any = "first", **options: Any
) -> Any:
    """Return the response with the largest mean lead, at any risk."""
    player = {"first": 0, "second": 1}[seat]
    players = [*others[:player], None, *others[player:]]
    row = cardrow.game(cards, rules=rules)
    return play.best_response(row, players, player, **options)


def scores(found: Any) -> dict[str, Any]:
    """Return a tournament."""
    return of(
        found, "players", "wins", "draws", "losses", "mean_lead", "lead_deviation"
    )


def _tried(cards: Any, tie: Any) -> dict[str, Any]:
    left, right, _ = cardrow.brute_force(cards)
    prefers_left = tie == "left" or (tie == "larger" and cards[0] > cards[-1])
    goes_left = left > right or (left == right and prefers_left)
    return {"side": "left" if goes_left else "right", "balance": max(left, right)}


def _doubled(times: int) -> Any:
    """Return a row put together from itself, as in Project Euler's problem 477."""
    piece: Any = (3, 1, 4, 1, 5, 9, 2, 6)
    for _ in range(times):
        piece = cardrow.collapsed(piece + piece)
    return piece


def _recorded(state: State) -> Any:
    """Repeat a game that was played elsewhere."""
    turns = {5: "right", 4: "right", 3: "left", 2: "right", 1: "left"}
    return turns[state.right - state.left]


def _answered(
    rows: Any, opponent: Any, seat: str = "first", tie: Any = "right", **options: Any
) -> Any:
    """Return the values of best responses."""
    other: Any = {"first": "second", "second": "first"}[seat]
    rules = Rules(tie=tie)
    return 0 - cardrow.values(rows, opponent, seat=other, rules=rules, **options)
