"""All checks of accuracy."""

from . import decks, games, hands, limits, rows
from .checks import Check

CHECKS: list[Check] = [
    *decks.CHECKS,
    *rows.CHECKS,
    *hands.CHECKS,
    *games.CHECKS,
    *limits.CHECKS,
]
