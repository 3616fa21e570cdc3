"""Red/black with 4000 + 4000 cards, by NumPy over the decks of as many cards."""

import numpy as np

from cardgames_dp import redblack

GAME = "red/black, 4000 + 4000 cards"
SPECIAL = "NumPy, by numbers of cards"
CARDS = 4000


def ours() -> float:
    """Return the value by the library."""
    return redblack.value(CARDS, CARDS)


def special() -> float:
    """Return the value: of fewer cards first, all decks of as many cards at once."""
    worth = np.zeros(1)
    for cards in range(1, 2 * CARDS + 1):
        red = np.arange(cards + 1)
        with_red = red * (1 + np.append(0, worth))
        with_black = (cards - red) * (np.append(worth, 0) - 1)
        worth = np.maximum((with_red + with_black) / cards, 0)
    return float(worth[CARDS])
