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
# else matters. Let $v(r, b)$ be the value of playing on with $r$ red and $b$ black cards
# left. If you stop, you get nothing more. If you draw, the card is red with probability
# $r / (r + b)$:
#
# $$v(r, b) = \max\Bigl(0,\ \frac{r}{r + b} \bigl(1 + v(r - 1, b)\bigr) +
# \frac{b}{r + b} \bigl(v(r, b - 1) - 1\bigr)\Bigr).$$
#
# So each cell of a table follows from two others. The page
# [Red/black](../../docs/theory/redblack.rst) has the mathematics.

# %%
from fractions import Fraction

import matplotlib.pyplot as plt
import numpy as np

from cardgames_dp import play, plots, redblack

print("worth exactly ", redblack.value(26, 26, backend="exact"))
print("which is about", redblack.value(26, 26))

# %% [markdown]
# Here is the table: the cash in hand plus $v$. The full deck is at the top left; in the
# marked cells you stop.

# %%
best = redblack.solve(26, 26)
best

# %% [markdown]
# You can ask it about any position. With the same cash, it depends on the cards left
# whether you should stop. The answer compares what each action still brings, on average.

# %%
for left in [(16, 20), (16, 22), (5, 9), (3, 5), (2, 4), (1, 2)]:
    print(best.advice(left))

# %% [markdown]
# The upper picture is a map of what to do, by the cards that are left. The lower one is the
# edge of this region. It follows Shepp's law $\alpha \sqrt n$ for $n$ cards left; with
# its corrections, the law runs along the lowest dots. The page
# [Growth and limits](../../docs/theory/growth.rst) explains it.

# %% mystnb={"image": {"alt": "Above the map of all positions, below the edge at which to stop."}}
figure, (top, bottom) = plt.subplots(2, 1, figsize=(6, 8.6), layout="constrained")
plots.plot_map(best, x="black", y="red", ax=top)
redblack.plots.plot_boundary(redblack.boundary(best), ax=bottom)
plt.show()

# %% [markdown]
# ## 49 games
#
# What are such games like? Here are the first 49 of many simulated games. A dot marks
# where the player stops. A few games end early with a good gain. The others go on, and
# many that began badly come back to 0 or a little more in the end.

# %% mystnb={"image": {"alt": "The paths of 49 simulated games, each with a dot where it stops."}}
games = play.simulate(best, games=200_000, histories=49, rng=14)
redblack.plots.plot_paths(games)
plt.show()

# %% [markdown]
# ## How likely each payoff is
#
# A mean says little about a single game. The whole distribution of the payoff follows
# exactly: run the optimal policy forwards through the table. The dots are the simulated
# games.

# %% mystnb={"image": {"alt": "Bars: the distribution of the payoff, with simulated frequencies as dots."}}
payoff = play.distribution(best, backend="exact").returns[0]
print(
    f"mean {float(payoff.mean):.6f}, chance to win nothing {float(payoff.cdf(0)):.4f}"
)

figure, ax = plt.subplots(figsize=(6, 4.5), layout="constrained")
plots.plot_distribution(payoff, games, ax=ax)
plt.show()

# %% [markdown]
# ## Rival policies
#
# Do you need the table? Perhaps a rule of thumb does as well: stop at the first gain, or
# at a gain of some fixed amount. Or follow the table roughly, and stop 2 below its edge.
# A policy can be any function of the cards left. All policies play the same deals.

# %%
edge = redblack.boundary(
    best
).excess  # by cards left: stop at this excess of black ones


def two_below(state):
    """Stop 2 below the edge, but never without a gain."""
    least = np.maximum(1, edge[state.red + state.black] - 2)
    return np.where(state.black - state.red >= least, "stop", "draw")


deck = redblack.game(26, 26)
policies = ["never_stop", "first_positive", two_below, "optimal"]
policies += [redblack.StopAt(cash) for cash in range(2, 7)]
for policy in policies:
    rival = play.simulate(deck, policy, 200_000, rng=14)
    (mean,), (error,) = rival.mean, rival.standard_error
    name = getattr(policy, "__name__", str(policy))
    print(f"{name:<20} wins {mean:.3f} ± {2 * error:.3f}")

# %% [markdown]
# The best fixed gain to wait for is 4, and it still loses a sixth of the value: you must
# also look at the cards that are left. Following the table roughly is hardly better.
#
# ## What if every card costs something?
#
# With a fee for each card you stop earlier, and soon you should not even begin. Move the
# fee, in hundredths, and see how the map changes.


# %% mystnb={"image": {"alt": "The map of all positions for a fee of 0.04."}}
def map_with_fee(fee_in_hundredths=4):
    """Draw the map of all positions with a fee for each card"""
    rules = redblack.Rules(fee=Fraction(fee_in_hundredths, 100))
    solution = redblack.solve(26, 26, rules=rules)
    plots.plot_map(solution, x="black", y="red")
    plt.show()


try:
    from ipywidgets import interact

    interact(map_with_fee, fee_in_hundredths=(0, 12, 4))
except ImportError:  # the picture alone
    map_with_fee()

# %% [markdown]
# ## A large deck
#
# The table of a million cards of each colour has $10^{12}$ cells, but the value needs
# only the edge. `enclosure` returns bounds that certainly contain the value, because it
# counts all rounding errors. The value of $l$ red and $l$ black cards, divided by
# $\sqrt l$, tends to a constant.

# %%
for size in [26, 10**3, 10**4, 10**5, 10**6]:
    bounds = redblack.enclosure(size, size)
    print(f"{size:>9,}: {bounds.lower} to {bounds.upper}")
    print(f"           {bounds.midpoint / size**0.5:.6f} times the root")

# %% [markdown]
# ## The answer
#
# Problem 14 is worth more than two and a half, and you never lose. Stop when you are
# ahead, but wait for more the more cards are left: for $0.84 \sqrt n$ with $n$ cards,
# less about a half. A rule of thumb that ignores the cards left loses a sixth of the
# value or more. The notebook [How does the value grow?](how_it_grows.py) goes on with
# larger decks.
#
# ## Exercises
#
# **1.** Find the value of 2 red and 2 black cards with a pencil.

# %% tags=["hide-cell"]
print(redblack.value(2, 2, backend="exact"))

# %% [markdown]
# **2.** A friend offers you the game for 2.50, and you play once. How likely do you get
# more than you paid?

# %% tags=["hide-cell"]
print(f"{float(payoff.sf(2)):.4f}, if you win 3 or more")

# %% [markdown]
# **3.** How much is a look at the whole deck worth, before the first card?

# %% tags=["hide-cell"]
all_seen = redblack.foresight_value(26, 26)
print(f"{all_seen - redblack.value(26, 26):.4f}: with it you get {all_seen:.4f}")

# %% [markdown]
# **4.** From which fee on, in thousandths, should you not begin?

# %% tags=["hide-cell"]
fee = 0
while redblack.value(26, 26, rules=redblack.Rules(fee=Fraction(fee, 1000))) > 0:
    fee += 1
print(fee)
