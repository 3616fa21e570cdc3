"""Exact values of well-known Markov decision processes and small games.

Learning algorithms are tested on models such as FrozenLake, Taxi or the grids of Sutton
and Barto, and judged by thresholds and published numbers. Here each model is written
as a table of transitions by its rules, read by `interop.from_transitions` and solved
exactly, where it is of rational numbers. None of the libraries that they come from is
needed.

The script writes ground_truth.csv: the value at the start beside the number that was
published or configured, and its source.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from cardgames_dp import diagonal, exact, interop, play

Outcomes = list[tuple[Any, Any, Any]]
"""What an action may lead to: probability, next state (None at the end), reward."""
Rules = Callable[[Any], list[Outcomes]]
"""The outcomes of each action in a state; none at the end."""

GYMNASIUM = "Gymnasium, envs/__init__.py"
BOOK = "Sutton and Barto, 2nd edition"
THIRD = Fraction(1, 3)
UP, RIGHT, DOWN, LEFT = SIDES = (-1, 0), (0, 1), (1, 0), (0, -1)
KINGS = [move for move in product((-1, 0, 1), repeat=2) if move != (0, 0)]


@dataclass
class Model:
    """A model, and what was published of it.

    Attributes
    ----------
    name : str
    rules : callable
    starts : list
        The first states, all equally likely.
    published, source, remark : str
        A published or configured number, where it stands, and what there is to say.
    discount : float
    horizon : int or None
        The step limit.
    mover : callable, optional
        With two players: who decides in a state. Rewards are those of player 0.
    random : bool
        Whether all actions are taken with the same probability.
    rational : bool
        Whether its numbers are rational, and the value is to be exact.
    """

    name: str
    rules: Rules
    starts: list[Any]
    published: str
    source: str
    remark: str = ""
    discount: Any = 1
    horizon: int | None = None
    mover: Callable[[Any], int] | None = None
    random: bool = False
    rational: bool = True
    states: list[Any] = field(init=False)

    def table(self) -> dict[int, dict[int, list[Any]]]:
        """Return the table in the form of Gymnasium, and number the states."""
        numbers = {state: i for i, state in enumerate(dict.fromkeys(self.starts))}
        states, found = list(numbers), dict[int, dict[int, list[Any]]]()
        for state in states:  # which grow on the way
            actions = self.rules(state)
            found[numbers[state]] = {a: [] for a in range(max(len(actions), 1))}
            for action, outcomes in enumerate(actions):
                for chance, after, paid in outcomes:
                    if after is not None and after not in numbers:
                        numbers[after] = len(states)
                        states.append(after)
                    row = chance, numbers.get(after, numbers[state]), paid
                    found[numbers[state]][action].append((*row, after is None))
            if not actions:
                found[numbers[state]][0] = [(1, numbers[state], 0, True)]
        self.states = states
        return found

    def starting(self) -> Any:
        """Return the first state, or the probability of each."""
        if len(self.starts) == 1:
            return 0
        chances = np.zeros(len(self.states))
        chances[: len(self.starts)] = 1 / len(self.starts)
        return chances

    def game(self) -> interop.DecisionProcess:
        """Return the model as a game."""
        return interop.from_transitions(
            self.table(),
            discount=self.discount,
            start=self.starting(),
            horizon=self.horizon,
            owner=[self.mover(s) for s in self.states] if self.mover else None,
        )

    def value(self) -> Any:
        """Return the value at the start: a Fraction, or a float."""
        game = self.game()
        if self.random:
            backend: Any = "exact" if self.rational else "float64"
            mixed = play.evaluate(game, even, backend=backend)
            return mixed.value
        return (exact if self.rational else diagonal).solve(game).value


def even(states: Any) -> tuple[Any, Any, Any]:
    """Return the policy that takes four actions with the same probability."""
    index = np.repeat(np.arange(len(states)), 4)
    return index, np.tile(np.arange(4), len(states)), np.ones_like(index)


# The toy texts of Gymnasium
# --------------------------

LAKE = ("SFFF", "FHFH", "FFFH", "HFFG")
LARGE_LAKE = (
    *("SFFFFFFF", "FFFFFFFF", "FFFHFFFF", "FFFFFHFF"),
    *("FFFHFFFF", "FHHFFFHF", "FHFFHFHF", "FFFHFFFG"),
)


def lake(rows: tuple[str, ...], slippery: bool = True) -> Rules:
    """Return the rules of FrozenLake; actions are left, down, right and up."""
    moves, size = [LEFT, DOWN, RIGHT, UP], len(rows)

    def rules(state: Any) -> list[Outcomes]:
        def outcome(move: Any, chance: Any) -> Any:
            y, x = (
                min(max(i + d, 0), size - 1) for i, d in zip(state, move, strict=True)
            )
            over = rows[y][x] in "HG"
            return chance, None if over else (y, x), int(rows[y][x] == "G")

        if not slippery:
            return [[outcome(move, 1)] for move in moves]
        turns = [[moves[(a + turn) % 4] for turn in (-1, 0, 1)] for a in range(4)]
        return [[outcome(move, THIRD) for move in each] for each in turns]

    return rules


def cliff(height: int, width: int, slippery: bool = False) -> Rules:
    """Return the rules of CliffWalking; actions are up, right, down and left."""
    start = height - 1, 0

    def outcome(state: Any, move: Any, chance: Any) -> Any:
        y = min(max(state[0] + move[0], 0), height - 1)
        x = min(max(state[1] + move[1], 0), width - 1)
        if y == height - 1 and 0 < x < width - 1:
            return chance, start, -100
        return chance, None if (y, x) == (height - 1, width - 1) else (y, x), -1

    def rules(state: Any) -> list[Outcomes]:
        if not slippery:
            return [[outcome(state, move, 1)] for move in SIDES]
        turns = [[SIDES[(a + turn) % 4] for turn in (-1, 0, 1)] for a in range(4)]
        return [[outcome(state, move, THIRD) for move in each] for each in turns]

    return rules


STANDS = (0, 0), (0, 4), (4, 0), (4, 3)
WALLS = {(0, 1), (1, 1), (3, 0), (4, 0), (3, 2), (4, 2)}
"""Squares with a wall on their right."""


def taxi(walls: set[tuple[int, int]]) -> Rules:
    """Return the rules of Taxi; a state is row, column, passenger and destination."""

    def rules(state: Any) -> list[Outcomes]:
        y, x, passenger, goal = state
        here, riding = (y, x), passenger == 4
        east = min(x + (here not in walls), 4)
        west = max(x - ((y, x - 1) not in walls), 0)
        moves = [(min(y + 1, 4), x), (max(y - 1, 0), x), (y, east), (y, west)]
        found: list[Outcomes] = [[(1, (*to, passenger, goal), -1)] for to in moves]
        at = not riding and here == STANDS[passenger]
        found.append([(1, (y, x, 4, goal) if at else state, -1 if at else -10)])
        after, paid = state, -10
        if riding and here == STANDS[goal]:
            after, paid = None, 20
        elif riding and here in STANDS:
            after, paid = (y, x, STANDS.index(here), goal), -1
        return [*found, [(1, after, paid)]]

    return rules


RIDES = [
    (y, x, passenger, goal)
    for y, x, passenger, goal in product(range(5), range(5), range(4), range(4))
    if passenger != goal
]


def blackjack(kind: str) -> Rules:
    """Return the rules of Blackjack from an endless deck; actions: stick and hit.

    A state is the player's sum, whether an ace counts 11, the dealer's card, and
    whether the hand is a natural; or None before the deal, with one action. `kind` is
    "plain", "natural" (one that wins pays 3/2) or "sab" (it beats all but another).
    """
    cards = {card: Fraction(1 + 3 * (card == 10), 13) for card in range(1, 11)}

    def with_card(total: int, soft: bool, card: int) -> tuple[int, bool]:
        total, soft = total + card, soft or card == 1
        return total, soft

    def best(total: int, soft: bool) -> int:
        return total + 10 * (soft and total <= 11)

    def dealers(total: int, soft: bool, count: int) -> dict[tuple[int, bool], Fraction]:
        """Return the probabilities of the dealer's sums, and of a natural."""
        now = best(total, soft)
        if now >= 17:
            return {(now if now <= 21 else 0, now == 21 and count == 2): Fraction(1)}
        found: dict[tuple[int, bool], Fraction] = {}
        for card, chance in cards.items():
            for end, p in dealers(*with_card(total, soft, card), count + 1).items():
                found[end] = found.get(end, Fraction(0)) + chance * p
        return found

    shown = {card: dealers(card, card == 1, 1) for card in cards}

    def rules(state: Any) -> list[Outcomes]:
        if state == "deal":
            found: dict[Any, Fraction] = {}
            for one, two, up in product(cards, cards, cards):
                total, soft = with_card(*with_card(0, False, one), two)
                hand = total, soft, up, best(total, soft) == 21
                chance = cards[one] * cards[two] * cards[up]
                found[hand] = found.get(hand, Fraction(0)) + chance
            return [[(chance, hand, 0) for hand, chance in found.items()]]
        total, soft, up, natural = state
        stick: Outcomes = []
        for (end, ace_ten), chance in shown[up].items():
            mine = best(total, soft)
            paid = Fraction((mine > end) - (mine < end))
            if kind == "sab" and natural and not ace_ten:
                paid = Fraction(1)
            elif kind == "natural" and natural and paid == 1:
                paid = Fraction(3, 2)
            stick.append((chance, None, paid))
        hit: Outcomes = []
        for card, chance in cards.items():
            now, ace = with_card(total, soft, card)
            bust = now > 21
            hit.append((chance, None if bust else (now, ace, up, False), -int(bust)))
        return [stick, hit]

    return rules


# Textbooks
# ---------


def jumps(state: Any) -> list[Outcomes]:
    """Return the rules of the grid of example 3.5: A and B pay 10 and 5."""
    found: list[Outcomes] = []
    for dy, dx in SIDES:
        after, paid = (state[0] + dy, state[1] + dx), 0
        if state in ((0, 1), (0, 3)):
            after, paid = ((4, 1), 10) if state == (0, 1) else ((2, 3), 5)
        elif not (0 <= after[0] < 5 and 0 <= after[1] < 5):
            after, paid = state, -1
        found.append([(1, after, paid)])
    return found


def corners(state: Any) -> list[Outcomes]:
    """Return the rules of the grid of example 4.1, which ends in two corners."""
    found: list[Outcomes] = []
    for move in SIDES:
        y, x = (min(max(i + d, 0), 3) for i, d in zip(state, move, strict=True))
        found.append([(1, None if (y, x) in ((0, 0), (3, 3)) else (y, x), -1)])
    return found


def gambler(heads: Fraction) -> Rules:
    """Return the rules of the gambler's problem; 100 pays 1."""

    def rules(money: Any) -> list[Outcomes]:
        return [
            [
                (
                    heads,
                    None if money + bet == 100 else money + bet,
                    int(money + bet == 100),
                ),
                (1 - heads, money - bet or None, 0),
            ]
            for bet in range(1, min(money, 100 - money) + 1)
        ]

    return rules


WIND = (0, 0, 0, 1, 1, 1, 2, 2, 1, 0)


def windy(moves: Any, stochastic: bool = False) -> Rules:
    """Return the rules of the windy gridworld."""

    def rules(state: Any) -> list[Outcomes]:
        wind = WIND[state[1]]
        gusts = (-1, 0, 1) if stochastic and wind else (0,)
        found: list[Outcomes] = []
        for dy, dx in moves:
            ends = []
            for gust in gusts:
                y = min(max(state[0] + dy - wind - gust, 0), 6)
                x = min(max(state[1] + dx, 0), 9)
                ends.append(None if (y, x) == (3, 7) else (y, x))
            found.append([(Fraction(1, len(ends)), end, -1) for end in ends])
        return found

    return rules


def four_by_three(state: Any) -> list[Outcomes]:
    """Return the rules of Russell and Norvig's grid; states are column and row."""
    prizes = {(4, 3): 1, (4, 2): -1}
    found: list[Outcomes] = []
    for a in range(4):
        outcomes: Outcomes = []
        for turn, chance in ((0, 8), (1, 1), (3, 1)):
            dy, dx = SIDES[(a + turn) % 4]
            after = state[0] + dx, state[1] - dy
            if not (1 <= after[0] <= 4 and 1 <= after[1] <= 3) or after == (2, 2):
                after = state
            paid = Fraction(-1, 25) + prizes.get(after, 0)
            end = None if after in prizes else after
            outcomes.append((Fraction(chance, 10), end, paid))
        found.append(outcomes)
    return found


# Packages
# --------


def forest(age: Any) -> list[Outcomes]:
    """Return the rules of ``mdptoolbox.example.forest()``; actions: wait and cut."""
    fire, older = Fraction(1, 10), min(age + 1, 2)
    wait, cut = (0, 0, 4)[age], (0, 1, 2)[age]
    return [[(fire, 0, wait), (1 - fire, older, wait)], [(1, 0, cut)]]


def small(state: Any) -> list[Outcomes]:
    """Return the rules of ``mdptoolbox.example.small()``."""
    half, fifth, tenth = Fraction(1, 2), Fraction(1, 5), Fraction(1, 10)
    if state == 0:
        return [[(half, 0, 5), (half, 1, 5)], [(1, 1, 10)]]
    return [[(4 * fifth, 0, -1), (fifth, 1, -1)], [(tenth, 0, 2), (9 * tenth, 1, 2)]]


def puterman(state: Any) -> list[Outcomes]:
    """Return the rules of Puterman's two states, in QuantEcon's documentation."""
    half = Fraction(1, 2)
    return (
        [[(half, 0, 5), (half, 1, 5)], [(1, 1, 10)]] if state == 0 else [[(1, 1, -1)]]
    )


def growth(stock: Any) -> list[Outcomes]:
    """Return the rules of QuantEcon's growth model: store up to 5, eat the rest."""
    shock = Fraction(1, 11)
    return [
        [(shock, stored + more, math.sqrt(stock - stored)) for more in range(11)]
        for stored in range(min(stock, 5) + 1)
    ]


LINES = (
    (0, 1, 2),
    (3, 4, 5),
    (6, 7, 8),
    (0, 3, 6),
    (1, 4, 7),
    (2, 5, 8),
    (0, 4, 8),
    (2, 4, 6),
)


def tic_tac_toe(board: Any) -> list[Outcomes]:
    """Return the rules of tic-tac-toe; a board is text."""
    mark = "xo"[board.count("x") - board.count("o")]
    found: list[Outcomes] = []
    for square in [i for i, cell in enumerate(board) if cell == "."]:
        after = board[:square] + mark + board[square + 1 :]
        won = any(all(after[i] == mark for i in line) for line in LINES)
        over = won or "." not in after
        paid = (1 if mark == "x" else -1) * won
        found.append([(1, None if over else after, paid)])
    return found


def nim(state: Any) -> list[Outcomes]:
    """Return the rules of Nim; who takes the last piece loses."""
    *piles, mover = state
    found: list[Outcomes] = []
    for i, pile in enumerate(piles):
        for left in range(pile):
            after = *piles[:i], left, *piles[i + 1 :], 1 - mover
            over = not any(after[:-1])
            paid = (-1 if mover == 0 else 1) * over
            found.append([(1, None if over else after, paid)])
    return found


def catch(state: Any) -> list[Outcomes]:
    """Return the rules of catch; a state is the ball's row and column, and the paddle.

    The ball falls from the top of ten rows; the paddle is in the last one.
    """
    row, ball, paddle = state
    found: list[Outcomes] = []
    for step in (-1, 0, 1):
        after = min(max(paddle + step, 0), 4)
        over = row + 1 == 9
        paid = (1 if after == ball else -1) * over
        found.append([(1, None if over else (row + 1, ball, after), paid)])
    return found


CORNER = [(0, 0)]
CLIFF_EDGE = [(3, 0)]
BELLMAN = "mdptoolbox/mdp.py, docstrings"
LECTURE = "QuantEcon, Discrete State Dynamic Programming"


def toy_texts() -> list[Model]:
    """Return Gymnasium's models."""
    lakes = lake(LAKE), lake(LARGE_LAKE)
    limits = "threshold 0.70, optimum 0.74", "threshold 0.85, optimum 0.91"
    old = "threshold of an earlier version: "
    beyond = "above the optimum, with the limit or without: out of reach"
    stale = "8.46 was right before a wall was added in 2019; 8 is out of reach"
    none = "none"
    every = "agrees"
    dry = taxi(WALLS - {(1, 1)})
    return [
        Model(
            "FrozenLake, limit 100",
            lakes[0],
            CORNER,
            limits[0],
            GYMNASIUM,
            every,
            horizon=100,
        ),
        Model(
            "FrozenLake, no limit",
            lakes[0],
            CORNER,
            "solved at 0.9",
            "openai/gym, issue 3017",
            beyond,
        ),
        Model("FrozenLake, discount 0.99", lakes[0], CORNER, none, "", discount=0.99),
        Model(
            "FrozenLake, not slippery, discount 0.99",
            lake(LAKE, slippery=False),
            CORNER,
            none,
            "",
            "0.99 to the fifth: the sixth move pays",
            discount=0.99,
        ),
        Model(
            "FrozenLake8x8, limit 200",
            lakes[1],
            CORNER,
            limits[1],
            GYMNASIUM,
            every,
            horizon=200,
        ),
        Model(
            "FrozenLake8x8, limit 200",
            lakes[1],
            CORNER,
            old + "0.99",
            "openai/gym, pull request 2205",
            "above the optimum: out of reach",
            horizon=200,
        ),
        Model(
            "FrozenLake8x8, no limit",
            lakes[1],
            CORNER,
            none,
            "",
            "the goal is reached with probability 1",
        ),
        Model(
            "CliffWalking",
            cliff(4, 12),
            CLIFF_EDGE,
            "13 moves",
            f"{BOOK}, example 6.6",
            every,
        ),
        Model(
            "CliffWalkingSlippery", cliff(4, 12, slippery=True), CLIFF_EDGE, none, ""
        ),
        Model(
            "Taxi, limit 200",
            taxi(WALLS),
            RIDES,
            "threshold 8, optimum 8.46",
            GYMNASIUM,
            stale,
            horizon=200,
        ),
        Model(
            "Taxi before its version 3", dry, RIDES, "optimum 8.46", GYMNASIUM, every
        ),
        Model(
            "Blackjack (sab=True, the default)", blackjack("sab"), ["deal"], none, ""
        ),
        Model("Blackjack (sab=False)", blackjack("plain"), ["deal"], none, ""),
        Model("Blackjack (natural=True)", blackjack("natural"), ["deal"], none, ""),
    ]


def textbooks() -> list[Model]:
    """Return the models of textbooks."""
    grids, every = f"{BOOK}, figure", "agrees"
    kings, two_fifths = f"{BOOK}, exercise", Fraction(2, 5)
    breezy = windy(KINGS, stochastic=True)
    closed = "(1 - (9/11)^50) / (1 - (9/11)^100)"
    return [
        Model(
            "5 x 5 grid, at A, discount 0.9",
            jumps,
            [(0, 1)],
            "24.4",
            f"{grids} 3.5",
            every,
            discount=0.9,
        ),
        Model(
            "5 x 5 grid, at A, random moves",
            jumps,
            [(0, 1)],
            "8.8",
            f"{grids} 3.2",
            every,
            discount=0.9,
            random=True,
        ),
        Model(
            "4 x 4 grid, below a corner, random moves",
            corners,
            [(1, 0)],
            "-14",
            f"{grids} 4.1",
            every,
            random=True,
        ),
        Model(
            "Gambler with 50, heads 2/5",
            gambler(two_fifths),
            [50],
            "2/5",
            "bold play",
            every,
        ),
        Model(
            "Gambler with 50, heads 1/4",
            gambler(Fraction(1, 4)),
            [50],
            "1/4",
            "bold play",
            every,
        ),
        Model(
            "Gambler with 50, heads 11/20",
            gambler(Fraction(11, 20)),
            [50],
            closed,
            "ruin, stakes of 1",
            every,
        ),
        Model(
            "Windy grid",
            windy(SIDES),
            [(3, 0)],
            "15 moves",
            f"{BOOK}, example 6.5",
            every,
        ),
        Model(
            "Windy grid, king's moves",
            windy(KINGS),
            [(3, 0)],
            "7 moves",
            f"{kings} 6.9",
            every,
        ),
        Model(
            "Windy grid, king's moves, stochastic wind",
            breezy,
            [(3, 0)],
            "none",
            f"{kings} 6.10",
        ),
        Model(
            "4 x 3 grid, at (1, 1)",
            four_by_three,
            [(1, 1)],
            "0.705",
            "Russell and Norvig, chapter on decision processes",
            every,
        ),
    ]


def packages() -> list[Model]:
    """Return the models of packages."""
    stops = "stops when values change evenly: the policy is right, V is no value"
    board, piles = "." * 9, (3, 4, 5, 0)
    every = "agrees"
    return [
        Model(
            "forest(), young, discount 0.96",
            forest,
            [0],
            "5.932 (ValueIteration)",
            BELLMAN,
            stops,
            discount=0.96,
        ),
        Model(
            "forest(), young, discount 0.9",
            forest,
            [0],
            "26.244 (PolicyIteration)",
            BELLMAN,
            every,
            discount=0.9,
        ),
        Model(
            "forest(), young, discount 0.9",
            forest,
            [0],
            "21.81 (PolicyIterationModified)",
            BELLMAN,
            stops,
            discount=0.9,
        ),
        Model(
            "2 x 2 example, discount 0.9",
            small,
            [0],
            "40.05 (ValueIteration)",
            BELLMAN,
            stops,
            discount=0.9,
        ),
        Model(
            "Puterman's two states, discount 0.95",
            puterman,
            [0],
            "-8.57142857",
            "quantecon/markov/ddp.py, docstrings",
            every,
            discount=0.95,
        ),
        Model(
            "Growth model, stock 0, discount 0.9",
            growth,
            [0],
            "19.01740222",
            LECTURE,
            every,
            discount=0.9,
            rational=False,
        ),
        Model(
            "OpenSpiel tic_tac_toe",
            tic_tac_toe,
            [board],
            "a draw",
            "folklore",
            every,
            mover=lambda cells: (cells.count("x") - cells.count("o")) % 2,
        ),
        Model(
            "OpenSpiel catch",
            catch,
            [(0, ball, 2) for ball in range(5)],
            "none",
            "",
            "every ball can be caught",
        ),
        Model(
            "OpenSpiel nim(pile_sizes=3;4;5)",
            nim,
            [piles],
            "the first player wins",
            "theory of Nim",
            every,
            mover=lambda piles: piles[-1],
        ),
        Model(
            "OpenSpiel cliff_walking",
            cliff(4, 8),
            CLIFF_EDGE,
            "none",
            "",
            "nine moves; Gymnasium's cliff is longer",
        ),
    ]


def shown(value: Any) -> tuple[str, str]:
    """Return a value as a fraction, if it is short, and as a decimal."""
    short = isinstance(value, Fraction) and len(str(value)) <= 30
    return str(value) if short else "", f"{float(value):.10g}"


def main() -> None:
    """Write the table."""
    head = (
        "model",
        "exact value",
        "value",
        "published or configured",
        "source",
        "remark",
    )
    rows = [
        (model.name, *shown(model.value()), model.published, model.source, model.remark)
        for model in (*toy_texts(), *textbooks(), *packages())
    ]
    with Path("ground_truth.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([head, *rows])
    print(f"{len(rows)} rows in ground_truth.csv")


if __name__ == "__main__":
    main()
