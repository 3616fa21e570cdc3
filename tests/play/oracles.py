"""Played games by brute force: every play one by one, along every path of the tree."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple

from ..written import Table

Mixture = Mapping[str, Fraction]
Behaviour = Mapping[Any, Mixture]
"""The probabilities of the actions in every decision state, whoever moves there."""


class Play(NamedTuple):
    """One play from a state to the end of the game, and how probable it is."""

    chance: Fraction
    states: tuple[Any, ...]
    returns: tuple[Fraction, ...]


def plays(game: Table, behaviour: Behaviour, start: Any) -> Iterator[Play]:
    """Yield all plays of positive probability that go on from a state."""
    kind, row = game.rows[start]
    if kind == "end":
        yield Play(Fraction(1), (start,), tuple(map(Fraction, row)))
        return
    if kind == "chance":
        total = sum(weight for weight, _ in row)
        moves = [(Fraction(weight, total), state) for weight, state in row]
    else:
        moves = [(share, row[action]) for action, share in behaviour[start].items()]
    for share, state in moves:
        if share:
            for chance, states, returns in plays(game, behaviour, state):
                yield Play(share * chance, (start, *states), returns)


def value(game: Table, behaviour: Behaviour, start: Any) -> tuple[Fraction, ...]:
    """Return the expected returns from a state on."""
    sums = [Fraction(0)] * game.num_players
    for chance, _, returns in plays(game, behaviour, start):
        sums = [x + chance * y for x, y in zip(sums, returns, strict=True)]
    return tuple(sums)


def reach(game: Table, behaviour: Behaviour) -> dict[Any, Fraction]:
    """Return the probability that a play comes to each state."""
    found: defaultdict[Any, Fraction] = defaultdict(Fraction)
    for chance, states, _ in plays(game, behaviour, game.start):
        for state in states:
            found[state] += chance
    return found


def decisions(game: Table, player: int) -> list[Any]:
    """Return the reachable states in which a player moves."""
    seen, ahead = {game.start}, [game.start]
    while ahead:
        kind, row = game.rows[ahead.pop()]
        if kind == "end":
            continue
        pairs = [(weight, s) for weight, s in row] if kind == "chance" else []
        after = [s for weight, s in pairs if weight]
        after += [] if kind == "chance" else row.values()
        ahead += {*after} - seen
        seen |= {*after}
    return sorted(state for state in seen if game.rows[state][0] == player)


def pure(game: Table, player: int) -> Iterator[dict[Any, Mixture]]:
    """Yield all policies of a player that do not mix actions."""
    states = decisions(game, player)
    for choice in product(*[game.rows[state][1] for state in states]):
        pairs = zip(states, choice, strict=True)
        yield {state: {action: Fraction(1)} for state, action in pairs}
