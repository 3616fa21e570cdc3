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
# # Hit or fold?
#
# A deck holds one 1, two 2s, and so on to ten 10s. Two players take turns to *hit* or
# *fold*. A hit draws a card. If it has a rank that you hold, you have made a pair, and you
# score its rank. If you fold, you score the lowest rank on the table. A pair or a fold
# ends the round, all cards go back, and the other player leads. Points are bad: the first
# player with 31 points loses.
#
# You hold a 3 and a 9, the other player a 4 and a 10. You have 12 points, they have 20.
# **Do you hit or fold?** Only a 3 or a 9 makes a pair. But a fold costs only 3.
#
# ## A small deck first
#
# This is the game with four ranks, to 10 points. The table has the leader's chance of
# winning, by the points of both players. The leader must draw the first card, which is a
# disadvantage.

# %%
from concurrent.futures import ThreadPoolExecutor

import matplotlib.pyplot as plt
import numpy as np

from cardgames_dp import pairs

rules = pairs.Rules(deck=4, target=10)
small = pairs.solve(rules)
small

# %% [markdown]
# Here is every hand of one card against one card, and of two against two. The risk of a
# pair is not all that matters: a low card on the table makes folding cheap.

# %% mystnb={"image": {"alt": "Where to hit and where to fold in a small deck, with one and with two cards."}}
figure, (top, bottom) = plt.subplots(2, 1, figsize=(6, 8.6), layout="constrained")
pairs.plots.plot_hands(pairs.positions(small), own=1, other=1, ax=top)
pairs.plots.plot_hands(pairs.positions(small), own=2, other=2, ax=bottom)
plt.show()

# %% [markdown]
# The scores matter as well. With 1 and 3 against 2 and 4 you fold at the start, for a
# single point. But when the other player is one point from losing, they cannot afford to
# fold at all. So you hit, and leave the danger to them.

# %%
for scores in [[0, 0], [0, 9], [8, 5], [9, 0]]:
    print(scores, small.advice(pairs.state([1, 3], [2, 4], scores, rules=rules)))

# %% [markdown]
# How does the first decision change with the other player's points? Move them.


# %% mystnb={"image": {"alt": "The first decision of the small game at 0 to 9 points."}}
def opening_at(their_points=9):
    """Draw the first decision, at 0 points to the other player's"""
    _, ax = plt.subplots(figsize=(6, 4.5), layout="constrained")
    pairs.plots.plot_hands(
        pairs.positions(small, [0, their_points]), own=1, other=1, ax=ax
    )
    plt.show()


try:
    from ipywidgets import interact

    interact(opening_at, their_points=(0, 9, 3))
except ImportError:  # the picture alone
    opening_at()

# %% [markdown]
# ## The published game
#
# With ten ranks and 31 points there are many more positions. `solve` solves all of them,
# round by round, from the highest scores down. This takes some seconds.

# %% mystnb={"image": {"alt": "The first decision of the published game, and the chance of winning by scores."}}
with ThreadPoolExecutor() as executor:
    game = pairs.solve(executor=executor)
first, second = game.payoffs
print(f"{pairs.score_table(game).num_positions:,} positions")
print(f"the first player wins {first:.6f}, the second {second:.6f}")

figure, (top, bottom) = plt.subplots(2, 1, figsize=(6, 8.6), layout="constrained")
pairs.plots.plot_hands(pairs.positions(game), own=1, other=1, ax=top)
pairs.plots.plot_scores(game, ax=bottom)
plt.show()

# %% [markdown]
# The upper picture is the first real decision, one card against one. Against a 1 you
# fold at once, which costs a single point. The lower picture has the leader's chance of
# winning at the start of a round. The player with more points is behind.
#
# ## The question
#
# Now to the 3 and the 9 against the 4 and the 10, at 12 to 20.

# %% mystnb={"image": {"alt": "Hit or fold: every hand of two cards against every other, at 12 to 20 points."}}
deck = dict(game.game.rules.deck)
unseen = sum(deck.values()) - 4
print(f"a hit makes a pair with probability {(deck[3] + deck[9] - 2) / unseen:.3f}")
print(game.advice(pairs.state(hand=[3, 9], others=[4, 10], scores=[12, 20])))

figure, ax = plt.subplots(figsize=(6, 5.2), layout="constrained")
pairs.plots.plot_hands(pairs.positions(game, [12, 20]), own=2, other=2, ax=ax)
plt.show()

# %% [markdown]
# Hit! The picture has every hand of two cards against every other, at the same scores.
# Hands are in the order of their lowest cards.
#
# ## Rules of thumb
#
# At a table you need something simpler. The Pairs essay has two rules: hit while a pair
# is less likely than not, and hit while a hit scores less on average than a fold. What
# remains of the chance of winning? This takes a while in the published game; the page
# [Pairs](../../docs/theory/pairs.rst) has the results. With seven ranks it takes seconds,
# also against a player who knows the rule and makes the most of it.

# %%
seven = pairs.Rules(deck=7)
thumbs = ["expected_points", "fifty_percent", "always_hit"]
with ThreadPoolExecutor() as executor:
    print("wins against   optimal play   a best response")
    for thumb in thumbs:
        against = [
            pairs.rates(seven, [thumb, other], executor=executor).mean[0]
            for other in ("optimal", None)
        ]
        print(f"{thumb:<15}{against[0]:13.3f}{against[1]:18.3f}")

# %% [markdown]
# ## The answer
#
# Hit. The fold costs 3 points for sure. The hit makes a pair one time in five, and
# leaves the other player with the same choice. To compare expected points is the better
# rule of thumb, but it still loses about four games in a hundred: it looks only at this
# hand, and not at what comes after it, nor at the scores.
#
# ## Exercises
#
# **1.** You hold a 2 and a 5, the other player a 3 and an 8. How likely does a hit make a
# pair in the published game?

# %% tags=["hide-cell"]
print(f"1 + 4 of {unseen} cards: {5 / unseen:.4f}")

# %% [markdown]
# **2.** You have a 10, the other player a 1, at 0 to 0. Why do you fold although a pair is
# not likely? How much would the hit cost?

# %% tags=["hide-cell"]
advice = game.advice(pairs.state(hand=[10], others=[1]))
print(f"A fold costs 1 point, and the pair 10. The hit costs {advice.margin:.4f} wins.")

# %% [markdown]
# **3.** At how many of the scores 0, 5, ..., 30 of both players is it right to fold the 3
# and the 9 against the 4 and the 10?

# %% tags=["hide-cell"]
points = range(0, 31, 5)
folds = np.array(
    [
        game.advice(pairs.state([3, 9], [4, 10], [own, other])).action == "fold"
        for own in points
        for other in points
    ]
)
print(f"{folds.sum()} of {folds.size}")
