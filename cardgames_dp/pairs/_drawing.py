"""Parts of pictures: maps of hands against hands, and the losses of policies.

The rows of a map are the hands of the player to move, the columns those of the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import _checks, _figures
from cardgames_dp.pairs._arguments import ranks_of
from cardgames_dp.pairs.evaluation import WinRate
from cardgames_dp.pairs.policies import policy_name
from cardgames_dp.pairs.response import BestResponse
from cardgames_dp.pairs.rounds import Round

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.colors import Colormap

_INK, _NONE, _TIE = "black", "0.85", _figures.COLOURS[2]

_MOST_WORDS = 12
"""The largest number of rows and columns with the action written in each cell."""

_MOST_LETTERS = 60
"""The largest number of letters of the hands on an axis; of more, not all are shown."""


def choices(round_: Round, own: int, other: int) -> NDArray[np.int64]:
    """Return the positions with these numbers of cards in which there is a choice."""
    sizes = [_checks.integer("own", own), _checks.integer("other", other)]
    # Where discards stay out, there are other positions, with fewer cards in the deck.
    all_cards = round_.unseen + round_.hands.sum(axis=1)
    fresh = (all_cards == round_.rules.counts).all(axis=1)
    free = np.flatnonzero(fresh & round_.choice)
    in_hands = round_.hands[free].sum(axis=2)
    here: NDArray[np.int64] = free[(in_hands == sizes).all(axis=1)]
    if not len(here):
        found = np.unique(in_hands, axis=0).tolist()
        listed = ", ".join([f"{a} and {b}" for a, b in found])
        raise ValueError(
            "own and other must be numbers of cards with which there is a choice: "
            f"{listed or 'this round has none'}; got {own} and {other}"
        )
    return here


def in_order(
    hands: NDArray[np.int8], ranks: tuple[int, ...]
) -> tuple[NDArray[np.int8], NDArray[np.int64]]:
    """Return the distinct hands, by lowest card and sum, and the index of each hand."""
    found, which = np.unique(hands, axis=0, return_inverse=True)
    lexicographic = -np.arange(len(found))  # more low cards first
    lowest = (found > 0).argmax(axis=1)
    order = np.lexsort((lexicographic, found @ np.array(ranks), lowest))
    return found[order], np.argsort(order)[which.ravel()]


def label_hands(
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


def draw_choices(
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
    entries = [(not possible.all(), _NONE, "no such hands")]
    size = max(lead.shape)
    if size <= _MOST_WORDS:
        words = np.where(ties, "tie", np.where(hits, "hit", "fold"))
        style: dict[str, Any] = {"ha": "center", "va": "center"}
        style["size"] = min(10, 90 / size)
        colours = image.to_rgba(lead)
        for own, other in np.argwhere(possible).tolist():
            colour = _figures.ink(colours[own, other])
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
        ax.plot(
            x + 0.3,
            y - 0.3,
            ".",
            color=_INK,
            markersize=min(6, 130 / size),
            label="the other action is better",
        )
    ax.set_facecolor(_NONE)
    _figures.title(ax, title, columns=3)


def losses(
    rates: Sequence[WinRate], responses: Iterable[BestResponse]
) -> tuple[dict[str, float], dict[str, float]]:
    """Return the losses of policies against optimal play, and at worst, by name."""
    for rate in rates:
        require_two("rates", len(rate.values))
        if rate.b != "optimal":
            raise ValueError(
                f"rates must be against 'optimal', got against {_checks.shown(rate.b)}"
            )
    names = [rate.a for rate in rates]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(
                f"rates must be of different policies, got {_checks.shown(name)} twice"
            )
    worst = {}
    for response in responses:
        kind = "pairs.BestResponse each"
        _figures.require_kind("responses", response, BestResponse, kind)
        require_two("responses", response.rules.players)
        name = policy_name(response.others)
        if name not in names:
            raise ValueError(
                "responses must be to policies of rates, got one to "
                f"{_checks.shown(name)}"
            )
        worst[name] = response.mean - 0.5
    return {rate.a: 0.5 - rate.mean for rate in rates}, worst


def require_two(name: str, players: int) -> None:
    """Refuse what is not of two players."""
    if players != 2:
        raise ValueError(f"{name} must be of two players, got players={players}")


def _shades() -> Colormap:
    """Return orange for fold and purple for hit, without the white between them."""
    from matplotlib import colormaps
    from matplotlib.colors import ListedColormap

    return ListedColormap(colormaps["PuOr"](np.r_[0:0.38:128j, 0.62:1:128j]))
