"""Pairs as a game for both backends and `cardgames_dp.play`, with ways of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from cardgames_dp._support import arguments
from cardgames_dp._support.calls import suggest_arguments
from cardgames_dp._support.running import TooLargeError
from cardgames_dp.pairs.fast import Fast, most_states
from cardgames_dp.pairs.rules import Goal, Rules, returns_of
from cardgames_dp.pairs.seats import by_state
from cardgames_dp.pairs.turns import Turns

_MOST = 2**62


@dataclass(frozen=True, slots=True, repr=False)
class PairsGame(Turns):
    """A game of Pairs, as an `ArrayGame`; made by :func:`game`."""

    @property
    def _num_states(self) -> int:
        # For `explore`, which so refuses a large game before it finds its states.
        return most_states(self.rules) if self.rules.reshuffle == "round" else 0

    def as_policy(self, policy: Any, backend: str) -> Any:
        """Return a policy of Pairs as a function of states, and others as None."""
        return by_state(policy, self, backend) if type(self) is PairsGame else None

    @property
    def fast(self) -> Fast | None:
        """The faster ways of this game, which the functions for any game take.

        None of a class derived from this one, whose rules may be others.
        """
        if type(self) is not PairsGame:
            return None
        return Fast(self.rules, self.goal)


@suggest_arguments
def game(rules: Rules | None = None, *, goal: Goal = "win") -> PairsGame:
    """Return Pairs as a game for either backend and `cardgames_dp.play`.

    The `tie` rule orders the actions: the preferred one comes first, which solvers take
    by default.

    Grade: exact.

    Parameters
    ----------
    rules : Rules, optional
        The published game of two players, to 31 points, if not given; the official
        rules as well.
    goal : str, int or callable, default "win"
        What players maximise; see :func:`solve`. With "points" the returns are minus
        the final scores.

    Returns
    -------
    PairsGame
        A `cardgames_dp.game.ArrayGame`. Its states are named `State`, its actions
        "fold" and "hit". What chance does is named by the card that is drawn or, in a
        deal, by a tuple of the cards that are dealt, from the first player's on.

    Notes
    -----
    Unless the rules are official, `cardgames_dp.play` evaluates policies, responds to
    them and finds their mistakes by the sweeps of :func:`solve`, without exploring the
    game, and simulates games under all rules. Its `count` may be "fold" or "hit", or
    "round": how many rounds a game has. (Where discards stay out of the deck, the game
    is explored for distributions.)

    Examples
    --------
    >>> from cardgames_dp import exact, pairs, play
    >>> game = pairs.game(pairs.Rules(deck=3, target=5))
    >>> exact.solve(game).value
    Fraction(27261969263, 60750000000)

    What policies win, and how many rounds they play:

    >>> policies = ["fifty_percent", pairs.FoldUpTo(1)]
    >>> round(play.evaluate(game, policies).value, 6)
    0.495664
    >>> round(play.distribution(game, policies, count="round").moves.mean, 6)
    4.922014

    A game of optimal players, card by card:

    >>> position = play.Position(pairs.solve(game.rules))
    >>> position = position.play(2).play(3)
    >>> position.state.hand, position.advice().action
    ((0, 1, 0), 'hit')
    """
    checked = arguments.rules(rules, Rules)
    returns_of(checked, goal)
    points = checked.target + checked.ranks[-1] * sum(checked.counts)
    if max(sum(checked.counts), points) >= _MOST:
        raise TooLargeError(
            "rules have cards or points that an int64 does not hold; use a smaller deck"
        )
    return PairsGame(checked, goal)
