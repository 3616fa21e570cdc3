"""All checks of accuracy."""

from . import decks, games, hands, limits, players, rows
from .checks import Check

CHECKS: list[Check] = [
    *decks.CHECKS,
    *players.CHECKS,
    *rows.CHECKS,
    *hands.CHECKS,
    *games.CHECKS,
    *limits.CHECKS,
]
