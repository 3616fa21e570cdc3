"""Any game: both backends, and games played by policies."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from random import Random
from typing import Any

import numpy as np

from cardgames_dp import diagonal
from cardgames_dp._graph import explored
from cardgames_dp.game import CHANCE, TERMINAL

from ...games import Cards, RedBlack, Table
from ..records import counts, law, of


class Pig:
    """Roll for points until you hold; a 1 loses the turn's points."""

    num_players = 2

    def __init__(self, goal: int = 12, turns: int = 5) -> None:
        self.goal, self.turns = goal, turns

    def initial_state(self) -> Any:
        return "move", self.turns, 0, 0, 0, 0  # turns left, mover, mine, yours, pot

    def current_player(self, state: Any) -> int:
        word, turns, mover, _, yours, _ = state
        if turns == 0 or yours >= self.goal:
            return TERMINAL
        return CHANCE if word == "roll" else int(mover)

    def legal_actions(self, state: Any) -> list[str]:
        return ["hold"] if state[3] + state[5] >= self.goal else ["hold", "roll"]

    def next_state(self, state: Any, action: str) -> Any:
        _, turns, mover, mine, yours, pot = state
        if action == "roll":
            return "roll", turns, mover, mine, yours, pot
        return "move", turns - 1, 1 - mover, yours, mine + pot, 0

    def chance_outcomes(self, state: Any) -> list[Any]:
        _, turns, mover, mine, yours, pot = state
        bust = "move", turns - 1, 1 - mover, yours, mine, 0
        lucky = [("move", turns, mover, mine, yours, pot + n) for n in range(2, 7)]
        return [(1, bust), *((1, state) for state in lucky)]

    def returns(self, state: Any) -> list[int]:
        _, _, mover, _, yours, _ = state
        if yours < self.goal:
            return [0, 0]
        return [1, -1] if mover == 1 else [-1, 1]


class Matches:
    """Take one or two; the last taker wins. A game for arrays, without chance."""

    num_players = 2

    def __init__(self, matches: int) -> None:
        self.matches = matches

    def initial_states(self) -> Any:
        return np.array([[self.matches, 0]])

    def current_players(self, states: Any) -> Any:
        return np.where(states[:, 0] > 0, states[:, 1], TERMINAL)

    def legal_actions(self, states: Any) -> Any:
        two = np.flatnonzero(states[:, 0] > 1)
        index = np.append(np.arange(len(states)), two)
        return index, np.repeat([1, 2], [len(states), len(two)])

    def next_states(self, states: Any, taken: Any) -> Any:
        return np.column_stack([states[:, 0] - taken, 1 - states[:, 1]])

    def chance_outcomes(self, states: Any) -> Any:
        raise AssertionError("there is no chance")

    def returns(self, states: Any) -> Any:
        return np.where(states[:, 1:] == 0, [[-1, 1]], [[1, -1]])


@cache
def wild(seed: int, players: int = 3, size: int = 60, largest: int = 9) -> Table:
    """Return a random game, with fractions, ties and moves that cannot happen."""
    rng = Random(seed)
    rows: dict[Any, tuple[Any, Any]] = {}
    for state in range(size):
        ahead = range(state + 1, min(size, state + 9))
        after = [rng.choice(ahead) for _ in range(3)] if ahead else []
        kind = rng.choice(["chance", "move", "move", "end"][: 4 if state > 9 else 3])
        if kind == "chance" and after:
            weights = [rng.randrange(largest) for _ in after]
            rows[state] = (
                "chance",
                [(weights[0] + 1, after[0]), *zip(weights, after, strict=True)][:3],
            )
        elif kind == "move" and after:
            rows[state] = rng.randrange(players), {f"to {x}": x for x in after}
        else:
            thirds = [rng.randrange(-6, 7) for _ in range(players)]
            rows[state] = "end", [Fraction(x, rng.choice([1, 2, 3])) for x in thirds]
    return Table(rows, num_players=players)


@cache
def found(game: str) -> Any:
    """Return a game explored once."""
    return explored.explore(GAMES[game])


@cache
def certainty(solved: Any, state: Any) -> dict[str, Any]:
    """Return what is sure of advice, with the error of all states."""
    advice = solved.advice(state)
    return {
        "certain": advice.certain,
        "error": max(solved.errors.values()),
        "values": advice.payoffs,
        "player": advice.player,
    }


def best(game: str, backend: Any = diagonal) -> Any:
    return backend.solve(found(game))


GAMES: dict[str, Any] = {
    "pig": Pig(),
    "red-black": RedBlack(9, 8),
    "wild": wild(1),
    "wild-2": wild(2, 2, 90),
    "wild-huge": wild(3, 3, 40, 10**25),
    "wild-wide": wild(4, 2, 60, 10**5),
    "cards": Cards(9, 8),
    "matches": Matches(11),
}


def thumb(state: Any) -> str:
    """Red/black: draw until ahead by two."""
    red, black, _ = state
    return "draw" if red and black - red < 2 else "stop"


def mixture(state: Any) -> dict[str, Any]:
    red, black, _ = state
    return {"draw": Fraction(red + 1, 3), "stop": 2} if red or black else {"stop": 1}


def hold(state: Any) -> str:
    """Pig: hold at six points."""
    *_, mine, _, pot = state
    return "hold" if pot >= 6 or mine + pot >= 12 else "roll"


def middle(state: Any) -> Any:
    """The second action, or the only one."""
    return [*GAMES["wild"].rows[state][1]][:2][-1]


def any_of(state: Any) -> dict[str, int]:
    return {action: k + 1 for k, action in enumerate(GAMES["wild"].rows[state][1])}


def greedy_cards(states: Any) -> Any:
    """Red/black for arrays: draw until ahead by two."""
    red, black, _ = states.T
    return np.where((red > 0) & (black - red < 2), 2, 1)


def mixed_cards(states: Any) -> Any:
    index = np.repeat(np.arange(len(states)), 2)
    return index, np.tile([1, 2], len(states)), np.tile([2, 3], len(states))


POLICIES: dict[str, tuple[str, Any]] = {
    "red-black/thumb": ("red-black", thumb),
    "red-black/mixture": ("red-black", mixture),
    "pig/hold": ("pig", hold),
    "pig/against-best": ("pig", [hold, "best"]),
    "wild/middle": ("wild", middle),
    "wild/any": ("wild", any_of),
    "wild/some": ("wild", [middle, any_of, middle]),
    "cards/greedy": ("cards", greedy_cards),
    "cards/mixed": ("cards", mixed_cards),
}
STATES = {name: case for name, case in POLICIES.items() if case[0] != "cards"}
BACKENDS: tuple[Any, ...] = ("exact", "float64")


def players(case: tuple[str, Any]) -> tuple[Any, Any]:
    """Return a game and its policies."""
    game, given = case
    return found(game), [hold, best(game)] if given == [hold, "best"] else given


def start(solved: Any) -> dict[str, Any]:
    """Return what a solution says of the start, and the largest error of any state."""
    return {
        "value": solved.payoffs,
        "num_states": solved.num_states,
        "error": max(solved.errors.values()),
    }


def solution(solved: Any) -> dict[str, Any]:
    """Return all that a solution by states has."""
    states = list(solved.values)
    values = [x for state in states for x in solved.payoffs_at(state)]
    return {
        **start(solved),
        "values": np.array(
            values, dtype=None if isinstance(values[0], float) else object
        ),
        "policy": _hashed(str(action) for action in solved.policy.values()),
        "actions": _hashed(
            " ".join(map(str, x)) for x in solved.optimal_actions.values()
        ),
        "ties": len(solved.ties),
        "possible": len(solved.possible_ties),
    }


def _hashed(words: Any) -> Any:
    """Return the lengths and letters of many words as one array."""
    return np.array([sum(map(ord, word)) + 1000 * len(word) for word in words])


def arrays(solved: Any, states: Any) -> dict[str, Any]:
    """Return what a solution over arrays says of some states."""
    states = np.array(states)
    return {
        **start(solved),
        "values": solved.payoffs_at(states),
        "policy": solved.policy(states),
        "actions": solved.optimal_actions(states),
    }


ROWS = [[9, 8, 0], [5, 5, 0], [3, 6, 0], [1, 2, 0]]


def regret(told: Any, most: int = 12) -> dict[str, Any]:
    columns = ("taken", "best", "reach", "given_up", "cost")
    return {
        **of(told, "loss", "error"),
        "num_deviations": int(np.count_nonzero(told.given_up)),
        "states": [*map(str, told.states[:most])],
        **{name: [*getattr(told, name)[:most]] for name in columns},
    }


def response(told: Any) -> dict[str, Any]:
    changes = None
    if told.before is not None:
        changes = tuple(x - y for x, y in zip(told.payoffs, told.before, strict=True))
    return {
        "value": told.payoffs,
        "gain": told.gain,
        "changes": changes,
        "error": max(told.solution.errors.values()),
        "policy": _hashed(map(str, told.policy.values())),
    }


def distribution(told: Any) -> dict[str, Any]:
    return {
        "returns": [law(each) for each in told.returns],
        "moves": law(told.moves),
        "reach": np.array([*told.reach.values()]),
        "means": tuple([each.mean for each in told.returns]),
        "error": told.error,
    }


def simulated(told: Any) -> dict[str, Any]:
    return {
        **of(told, "mean", "std", "standard_error"),
        "returns": tuple([each.support for each in told.returns]),
        "return_counts": tuple([counts(each, told.games) for each in told.returns]),
        "moves": told.moves.support,
        "move_counts": counts(told.moves, told.games),
        "mean_moves": told.moves.mean,
        "histories": [[str(state) for state in x][-3:] for x in told.histories],
    }


def steep(state: Any) -> list[int]:
    """Other returns of red/black."""
    return [(state[1] - state[0]) ** 3]


def rightmost(state: Any, among: tuple[Any, ...]) -> Any:
    return sorted(among, key=str)[-(state % 2)]


SOLVABLE = [name for name in GAMES if name not in ("cards", "matches")]
