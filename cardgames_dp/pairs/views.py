"""The information of the player to move: the argument of every policy."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Self, TypeAlias

import numpy as np

from cardgames_dp import _checks
from cardgames_dp.pairs._kernels.setting import Action, Decisions, Integers
from cardgames_dp.pairs._kernels.turns import State
from cardgames_dp.pairs.rules import Rules


class _Seen(NamedTuple):
    """The fields of a `View`."""

    rules: Rules
    hand: Integers
    others: Integers
    unseen: Integers
    scores: Integers


class View(_Seen):
    """The information of the player to move, in many positions and with several scores.

    Attributes
    ----------
    rules : Rules
        The rules of the game.
    hand : ndarray of int64, shape (positions, ranks)
        The number of cards of each rank in the player's hand.
    others : ndarray of int64, shape (positions, players - 1, ranks)
        The same for the other hands, in turn order.
    unseen : ndarray of int64, shape (positions, ranks)
        The number of cards of each rank that nobody has seen: neither on the table nor
        among the discards that players remember.
    scores : ndarray of int64, shape (vectors, players)
        Points in turn order, the player's own first. Every vector is combined with
        every position.

    Examples
    --------
    Improve a simple policy by hitting if a fold would lose the game:

    >>> from cardgames_dp import pairs
    >>> def at_last(view):
    ...     fold_loses = view.lowest[:, None] + view.scores[:, 0] >= view.rules.target
    ...     return pairs.HitBelow(0.5)(view)[:, None] | fold_loses
    >>> rules = pairs.Rules(deck=pairs.triangular(3), target=5)
    >>> round(pairs.win_rate(rules, at_last, "fifty_percent").mean, 4)
    0.5427
    """

    __slots__ = ()

    def __new__(
        cls,
        rules: Rules,
        hand: Integers,
        others: Integers,
        unseen: Integers,
        scores: Integers,
    ) -> Self:
        """Return a view, with the shapes of the arrays checked."""
        if not isinstance(rules, Rules):
            raise TypeError(
                f"rules must be pairs.Rules, got {_checks.described(rules)}"
            )
        n, ranks = rules.players, len(rules.ranks)
        positions, vectors = (getattr(x, "shape", ())[:1] for x in (hand, scores))
        _require_counts("hand", hand, (*positions, ranks))
        _require_counts("others", others, (*positions, n - 1, ranks))
        _require_counts("unseen", unseen, (*positions, ranks))
        _require_counts("scores", scores, (*vectors, n))
        return super().__new__(cls, rules, hand, others, unseen, scores)

    def __repr__(self) -> str:
        return f"View(positions={len(self.hand)}, vectors={len(self.scores)})"

    @property
    def ranks(self) -> Integers:
        """The ranks, shape (ranks,)."""
        return np.array(self.rules.ranks)

    @property
    def table(self) -> Integers:
        """The number of cards of each rank on the table, shape (positions, ranks)."""
        cards: Integers = self.hand + self.others.sum(axis=1)
        return cards

    @property
    def not_on_table(self) -> Integers:
        """The number of all other cards of each rank, shape (positions, ranks)."""
        cards: Integers = np.array(self.rules.counts) - self.table
        return cards

    @property
    def scoring(self) -> Decisions:
        """Whether drawing a card of each rank scores, shape (positions, ranks)."""
        full: Decisions = self.hand == np.array(self.rules.capacities)
        return full

    @property
    def lowest(self) -> Integers:
        """The points of a fold, shape (positions,); above all ranks if not allowed."""
        beyond = self.ranks[-1] + 1
        lowest: Integers = np.where(self.table > 0, self.ranks, beyond).min(axis=1)
        return lowest


def _require_counts(name: str, counts: object, shape: tuple[int, ...]) -> None:
    """Refuse what is not an array of integers of the given shape."""
    if not isinstance(counts, np.ndarray) or counts.dtype.kind not in "iu":
        raise TypeError(
            f"{name} must be an array of integers, got {_checks.described(counts)}"
        )
    if counts.shape != shape:
        raise ValueError(
            f"{name} must be of shape {shape}, to fit the rules and the other arrays, "
            f"got one of shape {counts.shape}"
        )


def require_view(view: object) -> None:
    """Refuse what is not a `View`."""
    if not isinstance(view, View):
        hint = (
            "; pairs.state_policy(rules, policy) makes a policy for the states of "
            "rules.game()"
        )
        raise TypeError(
            f"view must be a pairs.View, got {_checks.described(view)}"
            f"{hint if isinstance(view, State) else ''}"
        )


Decide: TypeAlias = Callable[[View], Decisions]
"""A policy as a function: it returns true where to hit, of shape (positions, vectors),
or always (positions,) if it does not look at the scores; then it is asked only once
about the same positions. Where only one action is allowed, its answer is ignored."""


def decided(decide: Decide, view: View) -> Decisions:
    """Return decisions of shape (positions, vectors), or (positions, 1)."""
    hits = decide(view)
    return hits[:, None] if hits.ndim == 1 else hits


def decided_at(
    decide: Decide, rules: Rules, hands: Integers, unseen: Integers, scores: Integers
) -> Action:
    """Return the decision in one position, given from the player to move on."""
    view = View(rules, hands[:1], hands[None, 1:], unseen[None], scores[None])
    return "hit" if decided(decide, view).item() else "fold"
