"""Pictures of Pairs: when to hit, chances of winning, and what policies cost.

They draw where `cardgames_dp.plots` does, whose pictures are for any game.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._results import figures
from cardgames_dp._results.figures import COLOURS, require_kind
from cardgames_dp._support import arguments
from cardgames_dp._support.calls import suggest_arguments
from cardgames_dp.pairs.rates import Rates
from cardgames_dp.pairs.rounds import Round, solved_by_pairs
from cardgames_dp.pairs.state import ranks_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.colors import Colormap

__all__ = ["plot_hands", "plot_scores", "plot_win_rates"]
__dir__ = __all__.copy  # for completion

_TIE = COLOURS[2]
_NONE = 0.15
"""How grey cells are that no hands belong to."""

_MOST_WORDS = 12
"""The largest number of rows and columns with the action written in each cell."""

_MOST_LETTERS = 60
"""The largest number of letters of the hands on an axis; of more, not all are shown."""


@suggest_arguments
def plot_hands(
    round_: Round, *, own: int = 2, other: int = 2, ax: Axes | None = None
) -> Axes:
    """Draw whether to hit with every hand against every hand, and the gain.

    Rows are the hands of the player to move, columns those of the other. They are in
    the order of their lowest cards, which are the cost of a fold, then of their sums,
    which indicate the chance of a pair in a triangular deck.

    Parameters
    ----------
    round_ : Round
        A round of two players with the full deck, from :func:`pairs.positions`. If a
        player follows a policy, as in a best response, dots mark where the other action
        would be better.
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
    >>> [text.get_text() for text in ax.texts][:5]
    ['hit', 'hit', 'hit', 'fold', 'hit']
    """
    require_kind("round_", round_, Round)
    _require_two("round_", round_.rules.players)
    here = _choices(round_, own, other)
    ax = figures.axes(ax)
    ranks = round_.rules.ranks
    rows, row = _in_order(round_.hands[here, 0], ranks)
    columns, column = _in_order(round_.hands[here, 1], ranks)
    _label_hands(ax.yaxis, rows, ranks, "own hand")
    _label_hands(ax.xaxis, columns, ranks, "the other's hand")
    shape = len(rows), len(columns)
    lead = np.ma.masked_array(np.zeros(shape), True)
    lead[row, column] = round_.hit[here, 0] - round_.fold[here, 0]
    hits, ties = np.zeros(shape, bool), np.zeros(shape, bool)
    hits[row, column], ties[row, column] = round_.hits[here], round_.ties[here]
    mover = (own + other) % 2
    scores = f"{round_.scores[mover]} to {round_.scores[1 - mover]}"
    cards = f"{own} card{'s' * (own != 1)} against {other}"
    _draw_choices(ax, lead, hits, ties, f"{cards}, at {scores} points")
    return ax


@suggest_arguments
def plot_scores(solution: Any, *, ax: Axes | None = None, **style: Any) -> Axes:
    """Draw the chance of winning at the start of a round, by the points of both.

    Parameters
    ----------
    solution : Solution
        The solution of a game of two players.
    ax : matplotlib Axes, optional
    **style
        Any of ``cmap``, ``norm``, ``vmin`` and ``vmax``, as in `plots.plot_map`.

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
    look = figures.image_style(style, cmap="PuOr", vmin=0, vmax=1)
    lookup = solved_by_pairs(solution)
    _require_two("solution", lookup.rules.players)
    ax = figures.axes(ax)
    target = lookup.rules.target
    # The full deck is the last one.
    chances = lookup.at_start()[-1, :, 0].reshape(target, target)
    image = ax.imshow(chances, origin="lower", aspect="equal", **look)
    ax.figure.colorbar(image, ax=ax, label="the leader's chance of winning")
    ax.locator_params(integer=True, min_n_ticks=1)
    ax.set_xlabel("the other player's points")
    ax.set_ylabel("the leader's points")
    ax.set_title("Chance of winning at the start of a round")
    return ax


@suggest_arguments
def plot_win_rates(
    rates: Iterable[Rates],
    worst: Iterable[Rates] = (),
    *,
    ax: Axes | None = None,
) -> Axes:
    """Draw how often policies win, in either seat and at worst, as dots.

    The number above a line is the mean of both seats.

    Parameters
    ----------
    rates : iterable of Rates
        Of two players each, from ``pairs.rates``; one line each, from the top, with the
        chances of the first policy against the second.
    worst : iterable of Rates
        Those of some or all of these policies against a best response, from
        ``pairs.rates(rules, [policy, None])``, under the same rules.
    ax : matplotlib Axes, optional

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from cardgames_dp import pairs
    >>> rules = pairs.Rules(deck=4, target=10)
    >>> names = ["expected_points", "fifty_percent", "always_hit"]
    >>> found = [pairs.rates(rules, [name, "optimal"]) for name in names]
    >>> worst = [pairs.rates(rules, [name, None]) for name in names]
    >>> ax = pairs.plots.plot_win_rates(found, worst)
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['expected_points', 'fifty_percent', 'always_hit']
    """
    several, cross = figures.list_of("rates", rates, Rates), list(worst)
    _require_exact("rates", several)
    _require_exact("worst", cross)
    names = [rate.policies[0] for rate in several]
    for rate in cross:
        if rate.policies[0] not in names:
            raise ValueError(
                "worst must be of policies of rates, got one of "
                f"{arguments.shown(rate.policies[0])}"
            )
    ax = figures.axes(ax, size=(6, 1.8 + 0.6 * len(several)))
    lines = np.arange(len(several))
    seats = [[rate.by_leader[seat][0] for rate in several] for seat in (0, 1)]
    ax.hlines(lines, seats[0], seats[1], color=figures.ink(0.5), zorder=1)
    style: dict[str, Any]
    for seat, chances, look in zip(("first", "second"), seats, "os", strict=True):
        style = {"color": COLOURS[look == "s"], "ms": 8}
        ax.plot(chances, lines, look, label=f"in the {seat} seat", **style)
    means = [rate.mean[0] for rate in several]
    ax.plot(means, lines, "|", color=figures.ink(), ms=15, mew=2, label="mean")
    for mean, line in zip(means, lines, strict=True):
        above: dict[str, Any] = {
            "xytext": (0, 9),
            "textcoords": "offset points",
            "ha": "center",
        }
        ax.annotate(f"{mean:.3f}", (mean, line), **above)
    if cross:
        places = [names.index(rate.policies[0]) for rate in cross]
        style = {"color": COLOURS[3], "ms": 8, "mec": figures.ink()}
        chances = [rate.mean[0] for rate in cross]
        ax.plot(chances, places, "X", label="mean, at worst", **style)
    ax.axvline(0.5, color=figures.ink(0.5), linewidth=0.8, zorder=0)
    others = {rate.policies[1] for rate in several}
    alike = len(others) == 1
    labels = names if alike else [" against ".join(one.policies) for one in several]
    ax.set_yticks(lines, labels)
    ax.set_ylim(len(several) - 0.5, -0.7)
    ax.grid(axis="x", alpha=0.4)
    ax.set_xlabel("chance of winning" + f" against {min(others)}" * alike)
    figures.title(ax, "What policies win")
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
) -> tuple[NDArray[np.int8], NDArray[np.int64]]:
    """Return the distinct hands, by lowest card and sum, and the index of each hand."""
    distinct, index = np.unique(hands, axis=0, return_inverse=True)
    lexicographic = -np.arange(len(distinct))  # more low cards first
    lowest = (distinct > 0).argmax(axis=1)
    order = np.lexsort((lexicographic, distinct @ np.array(ranks), lowest))
    return distinct[order], np.argsort(order)[index.ravel()]


def _label_hands(
    axis: Axis, hands: NDArray[np.int8], ranks: tuple[int, ...], label: str
) -> None:
    """Label each hand if they are few, otherwise each group with one lowest card."""
    cards = [" ".join(map(str, ranks_of(hand, ranks))) for hand in hands.tolist()]
    if len(cards) * max(map(len, cards)) <= _MOST_LETTERS:
        axis.set_ticks(range(len(hands)), [text or "none" for text in cards])
        axis.set_label_text(label)
        return
    lowest = (hands > 0).argmax(axis=1)
    groups, starts, sizes = np.unique(lowest, return_index=True, return_counts=True)
    middles = starts + (sizes - 1) / 2
    shown = [0]
    for group in range(1, len(groups)):
        if middles[group] - middles[shown[-1]] >= len(hands) / 24:  # else they overlap
            shown.append(group)
    axis.set_ticks(middles[shown], [str(ranks[group]) for group in groups[shown]])
    axis.set_ticks(starts[shown] - 0.5, minor=True)
    axis.set_tick_params(which="major", length=0)
    axis.grid(which="minor", color="white", linewidth=0.6)
    axis.set_label_text(f"{label}, by its lowest card")


def _draw_choices(
    ax: Axes,
    lead: np.ma.MaskedArray[Any, Any],
    hits: NDArray[np.bool_],
    ties: NDArray[np.bool_],
    title: str,
) -> None:
    """Draw the gain of a hit over a fold, and the best action in words or a legend."""
    from matplotlib.colors import ListedColormap

    largest = float(np.abs(lead.filled(0)).max()) or 1.0
    shades = _shades()
    plain: dict[str, Any] = {"aspect": "auto", "interpolation": "nearest"}
    image = ax.imshow(lead, cmap=shades, vmin=-largest, vmax=largest, **plain)
    ax.figure.colorbar(image, ax=ax, label="chance of winning: hit less fold")
    ax.imshow(np.ma.masked_equal(ties, False), cmap=ListedColormap([_TIE]), **plain)
    possible = ~np.ma.getmaskarray(lead)
    entries: list[tuple[bool, Any, str]]
    entries = [(not possible.all(), figures.ink(_NONE), "no such hands")]
    size = max(lead.shape)
    if size <= _MOST_WORDS:
        words = np.where(ties, "tie", np.where(hits, "hit", "fold"))
        style: dict[str, Any] = {"ha": "center", "va": "center"}
        style["size"] = min(10, 90 / size)
        colours = image.to_rgba(lead)
        for own, other in np.argwhere(possible).tolist():
            colour = figures.ink_on(colours[own, other])
            ax.text(other, own, words[own, other], color=colour, **style)
    else:
        actions = [(True, shades(0.8), "hit"), (True, shades(0.2), "fold")]
        entries = [*actions, (bool(ties.any()), _TIE, "tie"), *entries]
    for shown, colour, label in entries:
        if shown:
            ax.plot([], [], "s", color=colour, label=label)
    worse = possible & ~ties & (hits != (lead.filled(0) > 0))
    if worse.any():
        y, x = np.nonzero(worse)
        # In the corner of each cell, away from the word.
        style = {"mec": "white", "mew": 0.5, "ms": min(7, 130 / size)}
        style["label"] = "the other action is better"
        ax.plot(x + 0.3, y - 0.3, ".", color="black", **style)
    ax.set_facecolor(figures.ink(_NONE))
    figures.title(ax, title, columns=3)


def _require_exact(name: str, rates: list[Rates]) -> None:
    """Refuse what are no exact rates of two players."""
    for each in rates:
        require_kind(name, each, Rates, "pairs.Rates each")
        _require_two(name, each.rules.players)
        if each.games is not None:
            raise ValueError(f"{name} must be exact, got those of simulated games")


def _require_two(name: str, players: int) -> None:
    """Refuse what is not of two players."""
    if players != 2:
        raise ValueError(f"{name} must be of two players, got players={players}")


def _shades() -> Colormap:
    """Return orange for fold and purple for hit, without the white between them."""
    from matplotlib import colormaps
    from matplotlib.colors import ListedColormap

    return ListedColormap(colormaps["PuOr"](np.r_[0:0.38:128j, 0.62:1:128j]))
