# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Stop or draw?
#
# A shuffled deck holds 26 red and 26 black cards, face down. You turn them over one by
# one. A red card wins 1, a black card costs 1, and you may stop whenever you like.
#
# You cannot lose: if you turn over the whole deck, you get all red and all black cards,
# and end with 0. So the game is worth something. **How much is it worth, and when should
# you stop?** This is Problem 14 of N. Coldwell's collection.
#
# In the middle of a game you know how many cards of each colour are left, and nothing
# else matters. Let $v(r, b)$ be what playing on is worth with $r$ red and $b$ black
# cards left. If you stop, you get nothing more. If you draw, the card is red with
# probability $r / (r + b)$:
#
# $$v(r, b) = \max\Bigl(0,\ \frac{r}{r + b} \bigl(1 + v(r - 1, b)\bigr) +
# \frac{b}{r + b} \bigl(v(r, b - 1) - 1\bigr)\Bigr).$$
#
# So each cell of a table follows from two others. The table below shows the cash in hand
# plus $v$. The full deck is at the top left; in the marked cells you stop. The page
# [Red/black](../../docs/theory/redblack.rst) has the mathematics, and exercises.

# %%
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from fractions import Fraction
from functools import partial
from importlib import import_module
from importlib.util import find_spec

import matplotlib.pyplot as plt
import numpy as np
from numpy.typing import NDArray

from cardgames_dp import plots, redblack

BLUE, ORANGE = "#0072b2", "#d55e00"  # colour-blind people tell them apart

print("worth exactly ", redblack.value(26, 26, backend="exact"))
print("which is about", redblack.value(26, 26))
print("to a player who knows the order of the cards", redblack.foresight_value(26, 26))

table = redblack.solve(26, 26)
table

# %% [markdown]
# Ask the table about any position. Whether you should stop with the same cash depends on
# how many cards are left. The upper picture is the table, with the region where you
# stop. The lower one is the edge of this region. It follows Shepp's law $\alpha \sqrt n$
# for $n$ cards left; with its corrections, the law runs along the lowest dots. The page
# [Growth and limits](../../docs/theory/growth.rst) has more on it.

# %% mystnb={"image": {"alt": "Above the map of all positions, below the edge at which to stop."}}
for red, black in ((16, 20), (16, 22), (5, 9), (3, 5), (2, 4), (1, 2)):
    print(table.advice(red=red, black=black))

figure, (top, bottom) = plt.subplots(2, 1, figsize=(6, 8.6), layout="constrained")
top = redblack.plots.plot_sheet(table, ax=top)
bottom = redblack.plots.plot_boundary(table.boundary, ax=bottom)

# %% [markdown]
# ## 49 games
#
# What are such games like? Here are the first 49 of many simulated games. A dot marks
# where the player stops. A few games end early with a good gain. The others go on, and
# many that began badly come back to 0 or a little more in the end.

# %% mystnb={"image": {"alt": "The paths of 49 simulated games, each with a dot where it stops."}}
games = redblack.simulate(26, 26, games=200_000, paths=49, rng=14)
panels = redblack.plots.plot_paths(games)

# %% [markdown]
# ## How likely each payoff is
#
# A mean says little about a single game. The whole probability distribution of the
# payoff follows exactly: run the optimal policy forwards through the table.
# The dots are the simulated games. They agree with it.

# %% mystnb={"image": {"alt": "Bars: the distribution of the payoff, with simulated frequencies as dots."}}
found = redblack.distribution(26, 26, backend="exact")
law = found.payoff
print(f"mean {float(law.mean):.6f}, standard deviation {law.standard_deviation:.4f}")
print(f"chance of a loss {law.loss_probability}, of no gain {float(law.cdf(0)):.4f}")
print(f"the mean is the value: {law.mean == redblack.value(26, 26, backend='exact')}")
print(f"cards drawn {float(found.moves.mean):.2f} on average")

figure, ax = plt.subplots(figsize=(6, 4.5), layout="constrained")
ax = plots.plot_distribution(law, games, ax=ax)

# %% [markdown]
# ## Rival policies
#
# Do you need the table? Perhaps a rule of thumb does as well: stop at the first gain, or
# at a gain of some fixed amount. Or follow the table roughly: stop when you are 2 below
# the edge, or go on until you are 2 above it. A policy can be any function of the cards
# left. All policies play the same deals.

# %% mystnb={"image": {"alt": "What rival policies win on average, with error bars."}}
edge = table.boundary.excess  # by cards left: stop when this many more black are left


def two_below(red: NDArray[np.int64], black: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Stop 2 below the edge, but never without a gain."""
    stop: NDArray[np.bool_] = black - red >= np.maximum(1, edge[red + black] - 2)
    return stop


def two_above(red: NDArray[np.int64], black: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Stop 2 above the edge."""
    stop: NDArray[np.bool_] = black - red >= edge[red + black] + 2
    return stop


play = partial(redblack.simulate, 26, 26, games=200_000, rng=14)
rivals = [
    play(policy="never_stop"),
    play(policy="first_positive"),
    *[play(policy=redblack.StopAtCash(cash)) for cash in range(2, 7)],
    play(policy=two_below),
    play(policy=two_above),
    games,
]
for rival in rivals[1:-1]:
    lost = float(law.mean) - rival.mean
    print(f"{rival.policy:<21} loses {lost:.3f} of the value, {lost / law.mean:.0%}")

figure, ax = plt.subplots(figsize=(6, 4.5), layout="constrained")
names, means = [rival.policy for rival in rivals], [rival.mean for rival in rivals]
errors = [2 * rival.standard_error for rival in rivals]
ax.errorbar(means, names, xerr=errors, fmt="o", capsize=3, color=BLUE)
ax.axvline(float(law.mean), linestyle="--", color=ORANGE, label="value of the game")
ax.set(xlabel="mean payoff, ± 2 standard errors")
ax.invert_yaxis()
_ = ax.legend()

# %% [markdown]
# The best fixed gain to wait for is 4, and it still loses a sixth of the value: you must
# also look at the cards that are left. Following the table roughly is hardly better. It is
# the smaller mistake to stop too soon.
#
# ## What if every card costs something?
#
# With a fee for each card you stop earlier, and a fee that is not much larger makes the
# game worthless.

# %% mystnb={"image": {"alt": "The value of the game, and the cards drawn, against the fee: both fall to 0."}}
fees = [Fraction(k, 1000) for k in range(121)]
rules = [redblack.Rules(fee=fee) for fee in fees]
worth = [redblack.value(26, 26, rules=rule) for rule in rules]
draws = [redblack.distribution(26, 26, rules=rule).moves.mean for rule in rules]
too_much = next(fee for fee, v in zip(fees, worth, strict=True) if v == 0)
print(f"From a fee of about {float(too_much):.3f} on you should not begin.")

figure, (top, bottom) = plt.subplots(2, 1, figsize=(6, 8.6), layout="constrained")
top.plot(fees, worth, color=BLUE)
top.set(xlabel="fee for each card", ylabel="value of the game")
_ = top.set_title("What the game is worth")
bottom.plot(fees, draws, color=BLUE)
bottom.set(xlabel="fee for each card", ylabel="cards drawn on average")
_ = bottom.set_title("How long you play")

# %% [markdown]
# How does the map change? Here it is for a fee of 0.05.


# %% mystnb={"image": {"alt": "The map of all positions for a fee of 0.05."}}
def sheet_with_fee(hundredths: int = 5) -> None:
    """Draw the map of all positions if each card costs this many hundredths."""
    costly = redblack.Rules(fee=Fraction(hundredths, 100))
    redblack.plots.plot_sheet(redblack.solve(26, 26, rules=costly))
    plt.show()


sheet_with_fee()

# %% [markdown]
# Move the fee yourself: run the next cell in Jupyter, with `ipywidgets` installed.

# %% tags=["remove-output"]
if find_spec("ipywidgets"):
    import_module("ipywidgets").interact(sheet_with_fee, hundredths=(0, 12))

# %% [markdown]
# ## What if you hate risk?
#
# A player with the utility $-e^{-a x}$ for $x$ in cash avoids risk: the larger $a$, the
# more. Such a player stops earlier, gives up some of the mean, and gets rid of much of
# the spread. With the same spread, the rules of thumb above have a lower mean.

# %% mystnb={"image": {"alt": "Mean payoff against its standard deviation, for careful players and rules of thumb."}}
aversions = [0.02, 0.1, 0.2, 0.5, 1.0, 2.0]


def averse(a: float) -> redblack.Rules:
    """Return the rules with constant absolute risk aversion a."""
    return redblack.Rules(utility=lambda cash: -np.exp(-a * cash))


laws = [redblack.distribution(26, 26, rules=averse(a)).payoff for a in aversions]
print("   a     mean   deviation   no gain")
for a, careful in zip(aversions, laws, strict=True):
    spread = careful.standard_deviation
    print(f"{a:4}   {careful.mean:.4f}   {spread:9.4f}   {careful.cdf(0):7.4f}")

figure, ax = plt.subplots(figsize=(6, 4.5), layout="constrained")
averse_points = [(each.standard_deviation, float(each.mean)) for each in laws]
thumb_points = [(r.standard_error * r.games**0.5, r.mean) for r in rivals[1:7]]
careful_ones = ("optimal for aversion $a$", "o-", BLUE, aversions, averse_points)
thumbs = ("stop at a gain of 1, 2, ..., 6", "s--", ORANGE, range(1, 7), thumb_points)
for (label, marker, colour, marks, points), beside in (
    (careful_ones, (-12, 7)),
    (thumbs, (3, -13)),
):
    ax.plot(*zip(*points, strict=True), marker, color=colour, label=label)
    for mark, point in zip(marks, points, strict=True):
        ax.annotate(f"{mark}", point, beside, textcoords="offset points")
ax.set(xlabel="standard deviation of the payoff", ylabel="mean payoff")
ax.margins(y=0.12)
ax.set_title("Mean against risk")
_ = ax.legend(loc="lower right")

# %% [markdown]
# ## A large deck
#
# The table of a million cards of each colour has $10^{12}$ cells, but the value needs
# only the edge. `enclosure` returns bounds that certainly contain the value, because it
# counts all rounding errors; so the print rounds them outwards, too. The value of $l$
# red and $l$ black cards, divided by $\sqrt l$, tends to a constant.

# %%
unit = Decimal("1e-9")
for size in (26, 10**3, 10**4, 10**5, 10**6):
    bounds = redblack.enclosure(size, size)
    lower = Decimal(bounds.lower).quantize(unit, ROUND_FLOOR)
    upper = Decimal(bounds.upper).quantize(unit, ROUND_CEILING)
    print(
        f"{size:>9,}: from {lower} to {upper},"
        f" {bounds.midpoint / size**0.5:.6f} times the root"
    )

# %% [markdown]
# ## The answer
#
# Problem 14 is worth more than two and a half, and you never lose. Stop when you are
# ahead, but wait for more the more cards are left: for $0.84 \sqrt n$ with $n$ cards,
# less about a half. A rule of thumb that ignores the cards left loses a sixth of the
# value or more. The notebook [How does the value grow?](how_it_grows.py) goes on with
# larger decks. Try the exercises on the page
# [Red/black](../../docs/theory/redblack.rst); they have solutions.
