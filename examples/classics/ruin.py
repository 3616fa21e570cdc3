"""Gambler's ruin, and a gambler who chooses the stakes.

You have some money and want more, up to a goal. You bet at even odds on red, which wins
with 18 of 38 numbers, as often as you like, and lose all, or reach the goal. With a
stake of 1 each time (*timid* play) this is the gambler's ruin, for which there is a
formula. *Bold* play stakes all you have, or what is missing. L. E. Dubins and L. J.
Savage, *How to Gamble If You Must* (1965), proved that nothing is better than bold play
if the odds are against you.

The script takes the money, or else 20, the goal, or else 100, and how many of 38
numbers win, or else 18. It prints the chances of the best stakes, of bold play and of
timid play.
"""

from __future__ import annotations

import sys
from collections import namedtuple
from collections.abc import Iterable
from fractions import Fraction

from cardgames_dp import exact, play
from cardgames_dp.game import CHANCE, TERMINAL, Names

NUMBERS = 38
State = tuple[int, int]
"""The money, and the stake, 0 before it is chosen."""


class Casino:
    """The game with some money, a goal, and how many numbers win."""

    num_players = 1
    names = Names(namedtuple("State", "money stake"))

    def __init__(self, money: int = 20, goal: int = 100, winning: int = 18) -> None:
        self.money, self.goal, self.winning = money, goal, winning

    def initial_state(self) -> State:
        """Return the start."""
        return self.money, 0

    def current_player(self, state: State) -> int:
        """Return whether you choose, or the wheel, or it is over."""
        money, stake = state
        return CHANCE if stake else 0 if 0 < money < self.goal else TERMINAL

    def legal_actions(self, state: State) -> range:
        """Return the stakes: never more than you have, or miss."""
        return range(1, min(state[0], self.goal - state[0]) + 1)

    def next_state(self, state: State, action: int) -> State:
        """Return the state in which the wheel turns."""
        return state[0], action

    def chance_outcomes(self, state: State) -> Iterable[tuple[int, State]]:
        """Return what follows if the bet wins, and if it loses."""
        money, stake = state
        yield self.winning, (money + stake, 0)
        yield NUMBERS - self.winning, (money - stake, 0)

    def returns(self, state: State) -> list[int]:
        """Return 1 if the goal is reached."""
        return [int(state[0] > 0)]


def ruin(money: int, goal: int, winning: int) -> Fraction:
    """Return the chance of timid play by the formula."""
    ratio = Fraction(NUMBERS - winning, winning)
    if ratio == 1:
        return Fraction(money, goal)
    return (ratio**money - 1) / (ratio**goal - 1)


def main() -> None:
    """Solve the game, and compare three ways of play."""
    given = [int(word) for word in sys.argv[1:]]
    money, goal, winning = [*given, *(20, 100, 18)[len(given) :]]
    game = Casino(money, goal, winning)

    def bold(state: State) -> int:
        return min(state[0], goal - state[0])

    def timid(_: State) -> int:
        return 1

    best = exact.solve(game)
    print(f"From {money} to {goal}, {winning} of {NUMBERS} numbers win:")
    print(f"  best stakes {float(best.value):.12f} = {best.value}")
    value = play.evaluate(best, bold, backend="exact").value
    print(f"  bold play   {float(value):.12f}, as good: {value == best.value}")
    value = play.evaluate(best, timid, backend="exact").value
    by_formula = ruin(money, goal, winning)
    print(f"  timid play  {float(value):.3e}, as the formula: {value == by_formula}")
    alike = best.optimal_actions[money, 0]
    print(f"Stakes that are best at the start: {', '.join(map(str, alike))}")


if __name__ == "__main__":
    main()
