"""Pictures of Pairs: when to hit, and the chances of winning.

They draw where `cardgames_dp.plots` does, whose pictures are for any game.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._results import figures
from cardgames_dp._results.figures import Side, Squares, require_kind
from cardgames_dp._support import arguments
from cardgames_dp._support.calls import suggest_arguments
from cardgames_dp.pairs.rounds import Round, solved_by_pairs
from cardgames_dp.pairs.state import ranks_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["plot_hands", "plot_scores"]
__dir__ = __all__.copy  # for completion

_TIE = figures.COLOURS[2]


@suggest_arguments
def plot_hands(
    round_: Round, *, own: int = 2, other: int = 2, ax: Axes | None = None
) -> Axes:
    """Draw whether to hit with every hand against every hand, and the gain.

    Rows are the hands of the player to move, columns those of the other. They are in
    the order of their lowest cards, which are the cost of a fold, then of their sums,
    which indicate the chance of a pair in a triangular deck. If they are few, squares
    show the first letter of the better action.

    Parameters
    ----------
    round_ : Round
        A round of two players with the full deck, from :func:`pairs.positions`. If a
        player follows a policy, as in a best response, dots mark where it errs.
    own, other : int, default 2
        The numbers of cards of the player to move and of the other: equal, or one more.
    ax : matplotlib Axes, optional

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from cardgames_dp import pairs
    >>> solution = pairs.solve(pairs.Rules(deck=4, target=10))
    >>> ax = pairs.plots.plot_hands(pairs.positions(solution), own=1, other=2)
    >>> [label.get_text() for label in ax.get_xticklabels()]
    ['1 2', '1 3', '1 4', '2 3', '2 4', '3 4']

    The first decision with a choice, as ``pairs.opening_table`` has it in text:

    >>> ax = pairs.plots.plot_hands(pairs.positions(solution), own=1, other=1)
    >>> sorted({text.get_text() for text in ax.texts})
    ['f', 'h']
    """
    require_kind("round_", round_, Round)
    _require_two("round_", round_.rules.players)
    here = _choices(round_, own, other)
    ax, ranks = figures.axes(ax), round_.rules.ranks
    hands, row = _in_order(round_.hands[here, 0], ranks)
    others, column = _in_order(round_.hands[here, 1], ranks)
    ties = round_.ties[here]
    lead = np.where(ties, 0, round_.hit[here, 0] - round_.fold[here, 0])
    sides = Side("own hand", hands), Side("the other's hand", others)
    label = "chance of winning: hit less fold"
    picture = Squares(sides, np.column_stack([row, column]), lead, label)
    most = float(np.abs(lead).max()) or 1.0
    picture.signs, picture.look = ("fold", "hit"), {"vmin": -most, "vmax": most}
    picture.look["cmap"] = "PuOr"
    if ties.any():
        picture.covers = [(ties, _TIE, "tie")]
    worse = ~ties & (round_.hits[here] != (lead > 0))
    picture.dots = worse, "the policy does not"
    picture.draw(ax)
    mover = (own + other) % 2
    scores = f"{round_.scores[mover]} to {round_.scores[1 - mover]}"
    cards = f"{own} card{'s' * (own != 1)} against {other}"
    figures.title(ax, f"{cards}, at {scores} points")
    return ax


@suggest_arguments
def plot_scores(solution: Any, *, ax: Axes | None = None) -> Axes:
    """Draw the chance of winning at the start of a round, by the points of both.

    Parameters
    ----------
    solution : Solution
        The solution of a game of two players.
    ax : matplotlib Axes, optional

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from cardgames_dp import pairs
    >>> solution = pairs.solve(pairs.Rules(deck=4, target=10))
    >>> ax = pairs.plots.plot_scores(solution)
    >>> ax.get_xlabel(), ax.get_ylabel()
    ("the other player's points", "the leader's points")
    """
    lookup = solved_by_pairs(solution)
    _require_two("solution", lookup.rules.players)
    ax, points = figures.axes(ax), range(lookup.rules.target)
    sides = (
        Side("the leader's points", points),
        Side("the other player's points", points),
    )
    chances = lookup.at_start()[-1, :, 0]  # the full deck is the last one
    places = np.argwhere(np.ones((len(points), len(points))))
    picture = Squares(sides, places, chances, "the leader's chance of winning")
    picture.look = {"cmap": "PuOr", "vmin": 0, "vmax": 1}
    picture.draw(ax)
    figures.title(ax, "Chance of winning at the start of a round")
    return ax


def _choices(round_: Round, own: int, other: int) -> NDArray[np.int64]:
    """Return the positions with these numbers of cards in which there is a choice."""
    sizes = [arguments.integer("own", own), arguments.integer("other", other)]
    # Where discards stay out, there are other positions, with fewer cards in the deck.
    all_cards = round_.unseen + round_.hands.sum(axis=1)
    fresh = (all_cards == round_.rules.counts).all(axis=1)
    free = np.flatnonzero(fresh & round_.can_hit & round_.can_fold)
    in_hands = round_.hands[free].sum(axis=2)
    here: NDArray[np.int64] = free[(in_hands == sizes).all(axis=1)]
    if not len(here):
        possible = np.unique(in_hands, axis=0).tolist()
        text = ", ".join([f"{a} and {b}" for a, b in possible])
        raise ValueError(
            "own and other must be numbers of cards with which there is a choice: "
            f"{text or 'this round has none'}; got {own} and {other}"
        )
    return here


def _in_order(
    hands: NDArray[np.int8], ranks: tuple[int, ...]
) -> tuple[list[str], NDArray[np.int64]]:
    """Return the distinct hands, by lowest card and sum, and the index of each hand."""
    distinct, index = np.unique(hands, axis=0, return_inverse=True)
    lexicographic = -np.arange(len(distinct))  # more low cards first
    lowest = (distinct > 0).argmax(axis=1)
    order = np.lexsort((lexicographic, distinct @ np.array(ranks), lowest))
    cards = [ranks_of(hand, ranks) for hand in distinct[order].tolist()]
    names = [" ".join(map(str, each)) or "none" for each in cards]
    return names, np.argsort(order)[index.ravel()]


def _require_two(name: str, players: int) -> None:
    """Refuse what is not of two players."""
    if players != 2:
        raise ValueError(f"{name} must be of two players, got players={players}")
