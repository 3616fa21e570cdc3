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

# %%
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from importlib.util import find_spec

import matplotlib.pyplot as plt
import numpy as np

from cardgames_dp import pairs

rules = pairs.Rules(deck=4, target=10)
small = pairs.solve(rules)
small

# %% [markdown]
# ## A small deck first
#
# This is the game with four ranks, to 10 points. The table has the leader's chance of
# winning, by the points of both players. The leader must draw the first card, which is a
# disadvantage.
#
# Below is every hand of one card against one card, and of two against two. The risk of a
# pair is not all that matters: a low card on the table makes folding cheap.

# %% mystnb={"image": {"alt": "Where to hit and where to fold in a small deck, with one and with two cards."}}
figure, (top, bottom) = plt.subplots(2, 1, figsize=(6, 8.6), layout="constrained")
top = pairs.plots.plot_hands(small.round([0, 0]), own=1, other=1, ax=top)
bottom = pairs.plots.plot_hands(small.round([0, 0]), own=2, other=2, ax=bottom)

# %% [markdown]
# The scores matter as well. With 1 and 3 against 2 and 4 you fold at the start, for a
# single point. But when the other player is one point from losing, they cannot afford to
# fold at all. So you hit, and leave the danger to them.

# %%
for scores in ([0, 0], [0, 9], [8, 5], [9, 0]):
    advice = small.advice(hand=[1, 3], others=[2, 4], scores=scores)
    print(
        f"1 and 3 against 2 and 4, at {scores[0]} to {scores[1]}: {advice.action:<4}"
        f" (a hit wins {advice.hit:.4f}, a fold {advice.fold:.4f})"
    )

# %% [markdown]
# How does the first decision change with the scores? Here it is at 0 to 9.


# %% mystnb={"image": {"alt": "The first decision of the small game at 0 to 9 points."}}
def opening_at(own: int = 0, other: int = 9) -> None:
    """Draw the first decision at these scores."""
    _, ax = plt.subplots(figsize=(6, 4.5), layout="constrained")
    pairs.plots.plot_hands(small.round([own, other]), own=1, other=1, ax=ax)
    plt.show()


opening_at()

# %% [markdown]
# Move the scores yourself: run the next cell in Jupyter, with `ipywidgets` installed.

# %% tags=["remove-output"]
if find_spec("ipywidgets"):
    import_module("ipywidgets").interact(opening_at, own=(0, 9), other=(0, 9))

# %% [markdown]
# ## The published game
#
# With ten ranks and 31 points there are many more positions. `solve` solves all of them,
# round by round, from the highest scores down. This takes some seconds.

# %% mystnb={"image": {"alt": "The first decision of the published game, and the chance of winning by scores."}}
with ThreadPoolExecutor() as executor:
    game = pairs.solve(executor=executor)
first, second = game.value
print(f"{game.num_positions:,} positions")
print(f"the first player wins {first:.6f}, the second {second:.6f}")

figure, (top, bottom) = plt.subplots(2, 1, figsize=(6, 8.6), layout="constrained")
top = pairs.plots.plot_hands(game.round([0, 0]), own=1, other=1, ax=top)
bottom = pairs.plots.plot_scores(game, ax=bottom)

# %% [markdown]
# The upper picture is the first real decision, one card against one. Against a 1 you
# fold at once, which costs a single point. The lower picture has the leader's chance of
# winning at the start of a round. The player with more points is behind.
#
# ## The question
#
# Now to the 3 and the 9 against the 4 and the 10. How likely is a pair? And what is
# best, at 12 to 20 and at other scores?

# %% mystnb={"image": {"alt": "A map of what a hit brings with 3 and 9 against 4 and 10, at all scores."}}
deck = dict(game.rules.deck)
unseen = sum(deck.values()) - 4
print(f"a hit makes a pair with probability {(deck[3] + deck[9] - 2) / unseen:.3f}")
advice = game.advice(hand=[3, 9], others=[4, 10], scores=[12, 20])
print(f"at 12 to 20: {advice.action}; hit {advice.hit:.4f}, fold {advice.fold:.4f}")


def lead_of_hit(own: int, other: int) -> float:
    """Return by how much a hit is better than a fold at these scores."""
    advice = game.advice(hand=[3, 9], others=[4, 10], scores=[own, other])
    margin = advice.margin or 0.0
    return margin if advice.action == "hit" else -margin


points = range(0, 31, 2)
leads = np.array([[lead_of_hit(own, other) for other in points] for own in points])
print(f"you fold at {(leads < 0).sum()} of {leads.size} scores")

figure, ax = plt.subplots(figsize=(6, 5), layout="constrained")
image = ax.pcolormesh(points, points, leads, cmap="PuOr", vmin=-0.1, vmax=0.1)
figure.colorbar(image, label="chance of winning: hit less fold", extend="both")
ax.set(xlabel="the other player's points", ylabel="your points", aspect="equal")
_ = ax.set_title("3 and 9 against 4 and 10")

# %% [markdown]
# Hit, at nearly all scores. The decision matters in a few games of a hundred. At the top,
# with 28 points or more, a fold would lose the game, and you have to hit.
#
# Here is every hand of two cards against every other, at 12 to 20. Hands are in the
# order of their lowest cards.

# %% mystnb={"image": {"alt": "Hit or fold: every hand of two cards against every other, at 12 to 20 points."}}
figure, ax = plt.subplots(figsize=(6, 5.2), layout="constrained")
ax = pairs.plots.plot_hands(game.round([12, 20]), own=2, other=2, ax=ax)

# %% [markdown]
# ## Rules of thumb
#
# At a table you need something simpler. The Pairs essay has two rules: hit while a pair
# is less likely than not, and hit while a hit scores less on average than a fold. How
# often is the second rule wrong in the first round of the game, and by how much?

# %%
opening = game.round([0, 0])
ranks = np.array(opening.rules.ranks)
table = opening.hands.sum(axis=1)
lowest = np.where(table > 0, ranks, ranks.max() + 1).min(axis=1)
makes_pair = np.minimum(opening.hands[:, 0], 1) * opening.unseen
thumb_hits = makes_pair @ ranks < lowest * opening.unseen.sum(axis=1)

wrong = opening.choice & (thumb_hits != opening.hits)
loss = np.abs(opening.hit[:, 0] - opening.fold[:, 0])[wrong]
print(f"{wrong.sum():,} of {opening.choice.sum():,} positions, {wrong.mean():.1%}")
print(f"a wrong decision costs {loss.mean():.4f} on average, {loss.max():.4f} at most")

# %% [markdown]
# Every mistake is small, but a game is long. What remains of the chance of winning? This
# takes a while in the published game; the page [Pairs](../../docs/theory/pairs.rst) has
# the results. With seven ranks it takes seconds, also against a player who knows the rule
# and makes the most of it.

# %% mystnb={"image": {"alt": "Dots: what three rules of thumb win against optimal play and at worst."}}
seven = pairs.Rules(deck=7)
thumbs: list[pairs.Policy] = ["expected_points", "fifty_percent", "always_hit"]
with ThreadPoolExecutor() as executor:
    found = [pairs.evaluate(seven, [p, "optimal"], executor=executor) for p in thumbs]
    worst = [pairs.best_response(seven, p, executor=executor) for p in thumbs]

figure, ax = plt.subplots(figsize=(6.4, 4), layout="constrained")
ax = pairs.plots.plot_win_rates(found, worst, ax=ax)

# %% [markdown]
# ## The answer
#
# Hit. The fold costs 3 points for sure. The hit makes a pair one time in five, and
# leaves the other player with the same choice. To compare expected points is the better
# rule of thumb, but it still loses about four games in a hundred: it looks only at this
# hit, and not at what comes after it, nor at the scores. Try the exercises on the page
# [Pairs](../../docs/theory/pairs.rst); they have solutions.
