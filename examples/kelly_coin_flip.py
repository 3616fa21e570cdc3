"""The Kelly coin-flip game, solved as an array game.

You have $25 and may bet any part of what you have, 300 times, on a coin that shows
heads in 60 % of its flips; the game ends when you have $250 or nothing, or after the
last flip. V. Haghani and R. Dewey had people play it (2016), who won $91 on average.
"The Kelly Coin-Flipping Game" (gwern.net/Coin-flip), from which the programs of the
Problem 14 essay took their method, finds that optimal play is worth $246.61.

The script writes the game as a `game.ArrayGame` and solves it for bets of whole units
of money. `play.evaluate` computes what rules of thumb are worth: to bet everything, or
a tenth, or J. L. Kelly's share, which maximises growth. For smaller units there is a
loop over the recurrence. Takes the dollars that a unit is worth, or else 1; prints the
results, and writes kelly_coin_flip.csv.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import diagonal, play
from cardgames_dp.game import CHANCE, TERMINAL

START, CAP, FLIPS = 25, 250, 300
"""Dollars at the start and at most, and how many flips there are."""
HEADS, TAILS = 3, 2
"""Weights of the two sides: 60 % and 40 %."""
PUBLISHED = 246.61
"""The value of optimal play that the source states."""
FINER = (2.5, 1.0, 0.5, 0.25, 0.1)
"""Units of the plain loop, in dollars."""

States = NDArray[np.int64]


class CoinFlips:
    """The game; a state is a row of flips left, money in units, and the bet on now.

    A bet of -1 means that there is none yet. No bet is larger than what the cap allows
    to win.
    """

    num_players = 1

    def __init__(self, start: int, cap: int, flips: int) -> None:
        self.start, self.cap, self.flips = start, cap, flips

    def initial_states(self) -> States:
        """Return the start."""
        return np.array([[self.flips, self.start, -1]])

    def current_players(self, states: States) -> NDArray[Any]:
        """Return who moves: the player bets, then the coin is flipped."""
        flips, money, bet = states.T
        over = (flips == 0) | (money == 0) | (money == self.cap)
        return np.where(over, TERMINAL, np.where(bet < 0, 0, CHANCE))

    def legal_actions(self, states: States) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return the bets, from none to all."""
        money = states[:, 1]
        most = np.minimum(money, self.cap - money)
        index = np.repeat(np.arange(len(states)), most + 1)
        first = np.repeat(np.cumsum(most + 1) - (most + 1), most + 1)
        return index, np.arange(len(index)) - first

    def next_states(self, states: States, actions: NDArray[Any]) -> NDArray[Any]:
        """Return the states in which the bets are made."""
        return np.column_stack([states[:, :2], actions])

    def chance_outcomes(
        self, states: States
    ) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """Return heads and tails."""
        flips, money, bet = states.T
        none = np.full(len(states), -1)
        after = [np.column_stack([flips - 1, money + won, none]) for won in (bet, -bet)]
        index = np.tile(np.arange(len(states)), 2)
        weights = np.repeat([HEADS, TAILS], len(states))
        return index, weights, np.concatenate(after)

    def returns(self, states: States) -> NDArray[Any]:
        """Return the money in the end."""
        return states[:, 1]


def game_of(unit: float) -> CoinFlips:
    """Return the game with bets of whole units of so many dollars."""
    return CoinFlips(round(START / unit), round(CAP / unit), FLIPS)


def share(part: float, game: CoinFlips) -> Callable[[States], NDArray[Any]]:
    """Return the policy of betting a part of the money, rounded down to units."""

    def bets(states: States) -> NDArray[Any]:
        money = states[:, 1]
        wanted = np.floor(part * money + 1e-9).astype(np.int64)
        most: NDArray[Any] = np.minimum(np.maximum(wanted, 1), game.cap - money)
        return most

    return bets


def by_loop(unit: float) -> float:
    """Return the value by the recurrence, for units that are too small for a table."""
    start, cap = round(START / unit), round(CAP / unit)
    heads = HEADS / (HEADS + TAILS)
    money = np.arange(cap + 1)
    worth = money.astype(np.float64)
    for _ in range(FLIPS):
        best = worth.copy()
        for bet in range(1, cap // 2 + 1):
            can = slice(bet, cap - bet + 1)  # sums that allow to win and to lose it
            won, lost = worth[2 * bet :], worth[: cap + 1 - 2 * bet]
            np.maximum(best[can], heads * won + (1 - heads) * lost, out=best[can])
        worth = best
    return float(unit * worth[start])


def main() -> None:
    """Solve the game, play rules of thumb, and make the unit smaller."""
    unit = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
    game = game_of(unit)
    solution = diagonal.solve(game)
    units = solution.value
    print(f"In units of ${unit:g} optimal play is worth ${unit * units:.4f}")
    error = unit * solution.error
    print(f"  ({solution.num_states:,} states; the error is at most {error:.0e})")
    print(f"The source has ${PUBLISHED}, for any bets.\n")
    first = solution.policy(game.initial_states()).item()
    kelly = (HEADS - TAILS) / (HEADS + TAILS)
    print(f"The first bet is ${unit * first:g}; Kelly's share is {kelly:.0%}.\n")
    print("What rules of thumb are worth:")
    rows = [["optimal play", f"{unit * units:.2f}"]]
    thumbs = {"a tenth": 0.1, "Kelly's share": kelly, "half": 0.5, "everything": 1.0}
    for name, part in thumbs.items():
        worth = play.evaluate(game, share(part, game)).value
        rows.append([f"bet {name}", f"{unit * worth:.2f}"])
    for name, dollars in rows:
        print(f"  {name:<18} ${dollars:>7}")
    print("\nSmaller units:")
    for finer in FINER if len(sys.argv) < 2 else (unit,):
        value = by_loop(finer)
        rows.append([f"optimal play, units of ${finer:g}", f"{value:.4f}"])
        print(f"  ${finer:<5g} ${value:.4f}, {value - PUBLISHED:+.4f} from the source")
    with Path("kelly_coin_flip.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(
            [["policy", "worth in dollars"], *rows]
        )


if __name__ == "__main__":
    main()
