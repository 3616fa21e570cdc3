"""Cards in a row: values, what to do, and games against other players."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from cardgames_dp import cardrow
from cardgames_dp.cardrow import Rules

from ..records import advice, of

SIX = (4, 4, 6, 6, 12, 9)
SISTER = (14, 4, 7, 2, 5, 12)
EVEN = (8, 4, 2, 2, 4, 8)
EIGHT = (2, 7, 5, 3, 8, 1, 4, 3)
RISKY = (5, 2, 9, 12, 10, 11, 4, 4)
ODD: tuple[Any, ...] = (Fraction(1, 3), "2.5", -1, 7, 0, Fraction(7, 2), 4)
TIED = (0, 1, 1, 2, 1, 1, 0, 2, 2)
MIXED = {"larger": 4, "random": 1}
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


def sweet_tooth(cards: Any, left: int, right: int) -> Any:
    return "right" if cards[right] == 8 > cards[left] else "left"


def hesitant(cards: Any, left: int, right: int) -> Any:
    """A user's own player, who answers with the chance of the left card."""
    return Fraction(1, 3) if cards[left] < cards[right] else Fraction(3, 4)


def turns(found: Any) -> str:
    """Return turns as signs: L and R, or as numbers of cards."""
    return " ".join(turn.side[0].upper() + str(turn.count) for turn in found)


def table(found: Any) -> dict[str, Any]:
    return of(found, "value", "sums", "sums_of_second", "best", "ties")


def line(found: Any) -> dict[str, Any]:
    """Return a play or a match."""
    return {
        "positions": found.positions,
        "from_right": found.from_right,
        "sums": found.sums,
    }


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


def response(
    cards: Any, opponent: Any, tie: Any = "right", **options: Any
) -> dict[str, Any]:
    """Return a response that looks at the cards alone."""
    found = cardrow.best_response(cards, opponent, rules=Rules(tie=tie), **options)
    best: Any = found.best  # there is one, as this response counts no cards
    return of(found, "value", "best") | {"ties": abs(best) == 2}


def plan(
    cards: Any, opponent: Any, rules: Any = None, **options: Any
) -> dict[str, Any]:
    """Return a response that looks at sums as well, with its turn in every state."""
    tie = options.pop("tie", "right")
    rules = rules or Rules(tie=tie)
    found: Any = cardrow.best_response(
        cards, opponent, rules=replace(rules, tie=tie), **options
    )
    game = rules.game(cards)
    states, done = [game.initial_state()], ""
    for state in states:  # which grows
        if state.left > state.right:
            continue
        actions = game.legal_actions(state)
        if state.player == found.seat:
            done += f"{found(state).side[0].upper()}{found(state).count}"
        after = [game.next_state(state, action) for action in actions]
        states += [each for each in after if each not in states]
    return {
        **of(found, "value", "lead", "win", "draw", "guaranteed"),
        "lose": None if found.win is None else 1 - found.win - found.draw,
        "turns": done[:400],
    }


def scores(found: Any) -> dict[str, Any]:
    """Return a tournament."""
    return of(
        found, "players", "wins", "draws", "losses", "mean_lead", "lead_deviation"
    )


def followed(*sides: Any, cards: Any = SIX, rules: Any = None) -> dict[str, Any]:
    """Return a game followed move by move."""
    game = cardrow.Position(cards, rules=rules)
    worth = []
    for side in sides:
        worth.append(game.value)
        game = game.play(side)
    return {
        **game.state._asdict(),
        **of(game, "over", "value", "lead"),
        "values": worth,
        "advice": None if game.over else advice(game.advice()),
        "undone": game.undo().state.sums,
    }


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


def _recorded(_cards: Any, left: int, right: int) -> Any:
    """Repeat a game that was played elsewhere."""
    return {5: "right", 4: "right", 3: "left", 2: "right", 1: "left"}[right - left]


def _queries(cards: int) -> list[Any]:
    """Return the values of some positions far from optimal play."""
    game, found = cardrow.Position(row(cards)), []
    rng = np.random.default_rng(5)
    for _ in range(60):
        for side in rng.integers(0, 2, 20):
            game = game.play("right" if side else "left")
        found.append(game.value)
    return found


def _distribution(
    cards: Any, *players: Any, rules: Any = None, tie: Any = "right", **options: Any
) -> Any:
    """Return the distribution of the lead."""
    rules = replace(rules or Rules(), tie=tie)
    return cardrow.distribution(cards, *players, rules=rules, **options)


def _answered(
    rows: Any, opponent: Any, seat: str = "first", tie: Any = "right", **options: Any
) -> Any:
    """Return the values of best responses."""
    other: Any = {"first": "second", "second": "first"}[seat]
    rules = Rules(tie=tie)
    return 0 - cardrow.values(rows, opponent, seat=other, rules=rules, **options)
