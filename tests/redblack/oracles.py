"""Independent answers for small decks, from the definitions alone."""

from __future__ import annotations

import functools
import itertools
from collections import defaultdict
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from cardgames_dp.redblack import Rules
from cardgames_dp.redblack.utilities import in_fractions

Stops = Callable[[int, int], Any]
"""How likely a player is to stop, or whether, with red and black cards remaining."""


def orders(red: int, black: int) -> Iterator[tuple[int, ...]]:
    """Yield every order of a deck, once, as 1 for a red card and 0 for a black one."""
    for places in itertools.combinations(range(red + black), red):
        yield tuple(int(i in places) for i in range(red + black))


def highest_cash(order: tuple[int, ...]) -> int:
    """Return the maximum of the walk of +1 for red and -1 for black, start included."""
    return max(itertools.accumulate((2 * card - 1 for card in order), initial=0))


def laws(
    red: int, black: int, rules: Rules, stops: Stops
) -> list[dict[Fraction, Fraction]]:
    """Return the laws of payoff, moves and lowest cash, by a walk over all cards."""
    results: list[dict[Fraction, Fraction]] = [defaultdict(Fraction) for _ in range(3)]

    def walk(r: int, b: int, lowest: Fraction, chance: Fraction) -> None:
        n, cash = r + b, rules.cash(red - r, black - b)
        lowest = min(lowest, cash)
        stop = chance * (Fraction(stops(r, b)) if n else 1)
        ends = cash, Fraction(red + black - n), lowest
        for law, result in zip(results, ends, strict=True):
            law[result] += stop
        for cards, after in ((r, (r - 1, b)), (b, (r, b - 1))):
            if cards and chance > stop:
                walk(*after, lowest, (chance - stop) * Fraction(cards, n))

    walk(red, black, Fraction(0), Fraction(1))
    return [{x: p for x, p in sorted(law.items()) if p} for law in results]


class Game:
    """The best player, word by word, on totals counted from a full deck.

    One who must not lose more than `loss`, nor draw more than so many cards, if given.
    """

    def __init__(
        self,
        red: int,
        black: int,
        rules: Rules,
        loss: Fraction | None = None,
        draws: int | None = None,
    ) -> None:
        self.red, self.black, self.rules, self.loss = red, black, rules, loss
        self.draws = red + black if draws is None else draws
        self.total = functools.cache(self._total)

    def cash(self, red: int, black: int) -> Fraction:
        drawn = self.red - red, self.black - black
        return self.rules.gain * drawn[0] - self.rules.cost * drawn[1]

    def stop(self, red: int, black: int) -> Fraction:
        """Return the worth of stopping."""
        return in_fractions(self.rules.utility, [self.cash(red, black)])[0]

    def barred(self, red: int, black: int) -> bool:
        if self.red + self.black - red - black >= self.draws or red + black == 0:
            return True
        worst = -self.rules.cost if black else self.rules.gain
        return self.loss is not None and self.cash(red, black) + worst < -self.loss

    def draw(self, red: int, black: int) -> Fraction:
        """Return the worth of drawing a card and playing on optimally."""
        after_red = self.total(red - 1, black) if red else Fraction(0)
        after_black = self.total(red, black - 1) if black else Fraction(0)
        return (red * after_red + black * after_black) / (red + black)

    def _total(self, red: int, black: int) -> Fraction:
        stop = self.stop(red, black)
        return stop if self.barred(red, black) else max(stop, self.draw(red, black))

    def stops(self, red: int, black: int) -> bool:
        """Return whether the player stops, the tie rule included."""
        if self.barred(red, black):
            return True
        advantage = self.draw(red, black) - self.stop(red, black)
        return advantage < 0 or (advantage == 0 and self.rules.tie == "stop")

    def ties(self, red: int, black: int) -> bool:
        """Return whether drawing and stopping are worth the same."""
        if red + black == 0:
            return False
        return self.draw(red, black) == self.stop(red, black)
