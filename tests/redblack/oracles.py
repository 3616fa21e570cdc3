"""Independent answers for small decks, from the definitions alone."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator
from fractions import Fraction

from cardgames_dp.redblack import Rules


def orders(red: int, black: int) -> Iterator[tuple[int, ...]]:
    """Yield every order of a deck, once, as 1 for a red card and 0 for a black one."""
    for places in itertools.combinations(range(red + black), red):
        yield tuple(int(i in places) for i in range(red + black))


class Game:
    """The recurrence, word by word, on totals counted from a full deck."""

    def __init__(self, red: int, black: int, rules: Rules) -> None:
        self.red, self.black, self.rules = red, black, rules
        self.total = functools.cache(self._total)

    def stop(self, red: int, black: int) -> Fraction:
        """Return the worth of stopping."""
        cash = self.rules.gain * (self.red - red)
        cash -= self.rules.cost * (self.black - black)
        return self.rules.exact_reward([cash])[0]

    def draw(self, red: int, black: int) -> Fraction:
        """Return the worth of drawing a card and playing on optimally."""
        after_red = self.total(red - 1, black) if red else Fraction(0)
        after_black = self.total(red, black - 1) if black else Fraction(0)
        return (red * after_red + black * after_black) / (red + black)

    def _total(self, red: int, black: int) -> Fraction:
        if red + black == 0:
            return self.stop(0, 0)
        return max(self.stop(red, black), self.draw(red, black))

    def stops(self, red: int, black: int) -> bool:
        """Return whether an optimal player stops, the tie rule included."""
        if red + black == 0:
            return True
        advantage = self.draw(red, black) - self.stop(red, black)
        return advantage < 0 or (advantage == 0 and self.rules.tie == "stop")

    def ties(self, red: int, black: int) -> bool:
        """Return whether drawing and stopping are worth the same."""
        if red + black == 0:
            return False
        return self.draw(red, black) == self.stop(red, black)

    def play(self, order: tuple[int, ...]) -> tuple[Fraction, int]:
        """Return cash and cards drawn of an optimal player who meets this order."""
        red, black = self.red, self.black
        for card in order:
            if self.stops(red, black):
                break
            red, black = red - card, black - (1 - card)
        cash = self.rules.gain * (self.red - red)
        cash -= self.rules.cost * (self.black - black)
        return cash, self.red - red + self.black - black


def highest_cash(order: tuple[int, ...]) -> int:
    """Return the maximum of the walk of +1 for red and -1 for black, start included."""
    return max(itertools.accumulate((2 * card - 1 for card in order), initial=0))
