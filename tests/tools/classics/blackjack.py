"""One deck of blackjack, by backward induction over the player's hands alone."""

from itertools import combinations_with_replacement
from typing import Any

import numpy as np

from cardgames_dp import diagonal
from tests.classics.scripts import loaded

GAME = "blackjack, one deck"
SPECIAL = "NumPy, over the hands by number of cards"
PIPS = np.arange(1, 11)


def ours() -> float:
    """Return the value by the script, in bets."""
    value: float = diagonal.solve(loaded("blackjack").OneDeck()).value[0] / 2
    return value


def score(hands: Any) -> Any:
    """Return the totals of hands."""
    hard = hands @ PIPS
    return hard + 10 * ((hands[:, 0] > 0) & (hard < 12))


def dealer(left: Any, up: int) -> Any:
    """Return the chances of 17 to 21 and of more, for each row of unseen cards."""
    found = np.zeros((6, len(left)))
    left = left.T.astype(float)
    size = left.sum(axis=0)
    never = {1: 10, 10: 1}.get(up)

    def draw(total: int, ace: bool, chance: Any, drawn: int) -> None:
        for rank in range(1, 11):
            if drawn == 0 and rank == never:
                continue
            here = left[rank - 1]
            likely = chance * here
            if not likely.any():
                continue
            first = size - left[never - 1] if never and not drawn else size - drawn
            likely /= first
            hard, soft = total + rank, ace or rank == 1
            best = hard + 10 * (soft and hard < 12)
            if best >= 17:
                found[min(best, 22) - 17] += likely
            else:
                here -= 1
                draw(hard, soft, likely, drawn + 1)
                here += 1

    draw(up, up == 1, np.ones(len(size)), 0)
    return found


def hands_of(deck: Any) -> list[Any]:
    """Return all hands of up to 21 by their number of cards, from two on."""
    two = [
        np.bincount(pair, minlength=10)
        for pair in combinations_with_replacement(range(10), 2)
    ]
    levels = [np.array(two)]
    while len(levels[-1]):
        more = (levels[-1][:, np.newaxis] + np.eye(10, dtype=int)).reshape(-1, 10)
        more = more[(more @ PIPS <= 21) & (more <= deck).all(axis=1)]
        levels.append(np.unique(more, axis=0) if len(more) else more)
    return levels[:-1]


def against(up: int, deck: Any, levels: list[Any]) -> float:
    """Return the value against a card, of all deals with it, without their chance."""
    deck = deck.copy()
    deck[up - 1] -= 1
    codes = 17 ** np.arange(10)
    stuck: dict[int, tuple[Any, Any]] = {}
    for hands in levels:
        fits = hands[(hands <= deck).all(axis=1)]
        chances = dealer(deck - fits, up)
        total = score(fits)[:, np.newaxis]
        ends = np.array([17, 18, 19, 20, 21, 0])
        stuck[len(stuck)] = fits, ((np.sign(total - ends)) * chances.T).sum(axis=1)
    after: dict[int, tuple[float, float]] = {}
    value = 0.0
    for place in reversed(range(len(stuck))):
        fits, stick = stuck[place]
        left = deck - fits
        size = left.sum(axis=1)
        chance = left / size[:, np.newaxis]
        if up in (1, 10):  # the hidden card is no ten, or no ace
            never = 9 if up == 1 else 0
            free = size - left[:, never]
            chance *= (size / (size - 1) * (free - 1) / free)[:, np.newaxis]
            chance[:, never] = left[:, never] / (size - 1)
        keys = (fits @ codes)[:, np.newaxis] + codes
        pairs = np.array(
            [after.get(key, (-1.0, -1.0)) for key in keys.ravel().tolist()]
        ).reshape(*keys.shape, 2)
        hit, once = (chance[:, :, np.newaxis] * pairs).sum(axis=1).T
        best = np.where(score(fits) == 21, stick, np.maximum(stick, hit))
        if place == 0:
            best = np.maximum(best, 2 * once)
            value = total_of(fits, best, deck, up)
        after = dict(
            zip((fits @ codes).tolist(), zip(best, stick, strict=True), strict=True)
        )
    return value


def total_of(fits: Any, best: Any, deck: Any, up: int) -> float:
    """Return the mean over the first two cards, with the naturals."""
    value = 0.0
    size = deck.sum()
    for hand, worth in zip(fits, best, strict=True):
        ranks = np.repeat(np.arange(10), hand)
        ways = deck[ranks[0]] * (deck[ranks[1]] - (ranks[0] == ranks[1]))
        ways *= 1 + (ranks[0] != ranks[1])
        left = deck - hand
        lost = {1: left[9], 10: left[0]}.get(up, 0) / left.sum()
        own = hand[0] == hand[9] == 1
        mean = (1 - lost) * 1.5 if own else (1 - lost) * worth - lost
        value += ways / (size * (size - 1)) * mean
    return value


def special() -> float:
    """Return the value, one card of the dealer after the other."""
    deck = np.array([4] * 9 + [16])
    levels = hands_of(deck)
    return float(
        sum(deck[up - 1] / 52 * against(up, deck, levels) for up in range(1, 11))
    )
