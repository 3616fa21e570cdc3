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
# # Beat your sister
#
# Cards lie face up in a row. You and your little sister take turns, each time the card
# at the left end or the one at the right end. The larger sum in the end has
# won. Pashevich's report (A. Pashevich and others) tells of a sister who wins too
# often.
# **What is the best turn? And is it still the best if she is no master herself?**
#
# There are only two cards to choose from, so greed comes to mind first. Here is the row
# on which the greedy player of the report loses. It looks one card ahead, and takes the
# card that is further ahead of the best one which she can take next. She just takes the
# larger one.

# %% mystnb={"image": {"alt": "Who takes which card: above the greedy player loses, below optimal play wins."}}
from fractions import Fraction
from functools import cache
from typing import Literal

import matplotlib.pyplot as plt

from cardgames_dp import cardrow

lost = [4, 4, 6, 6, 12, 9]
print("greedy ", cardrow.match(lost, "greedy", "larger"))
print("optimal", cardrow.match(lost, "optimal", "larger"))

figure, (top, bottom) = plt.subplots(2, 1, figsize=(7, 9), layout="constrained")
top = cardrow.plots.plot_play(lost, cardrow.match(lost, "greedy", "larger"), ax=top)
bottom = cardrow.plots.plot_play(
    lost, cardrow.match(lost, "optimal", "larger"), ax=bottom
)

# %% [markdown]
# ## The table
#
# The cards left are always an interval of the row, from card $i$ to card $j$. Let
# $V(i, j)$ be what the player to move wins by on these cards. Then
#
# $$V(i, j) = \max\bigl(x_i - V(i + 1, j),\ x_j - V(i, j - 1)\bigr).$$
#
# Short intervals first: that makes a table, and an arrow in each cell says which end to
# take. Start at the top right, where nothing has been taken, and follow the arrows.

# %%
table = cardrow.solve(lost, backend="exact")
table

# %% mystnb={"image": {"alt": "The table of the row, an arrow in each interval for the card to take."}}
figure, ax = plt.subplots(figsize=(8, 5), layout="constrained")
ax = cardrow.plots.plot_table(table, ax=ax)

# %% [markdown]
# In the picture a cell has the sum of the player to move, and that of the other. Colour
# is the difference. The frame follows the best line of play.
#
# The table answers for every position, so one can see what a mistake costs. Look at the
# turn with which greed lost the game.

# %%
game = cardrow.match(lost, "greedy", "larger")
first, last = 0, len(lost) - 1
for turn, position in enumerate(game.positions.tolist()):
    advice = table.advice(first, last)
    who = game.players[turn % 2]
    print(f"{who:<7} takes {lost[position]:>2};  {advice}")
    first, last = (first + 1, last) if position == first else (first, last - 1)

# %% [markdown]
# ## No table at all
#
# The value does not need the table. Three neighbours $a \le b \ge c$ are a *peak*, and
# a peak may be replaced by one card $a - b + c$: the value stays the same. The page on
# cards in a row proves it. When no peak is left, the row falls and then rises, and the
# larger end is always right. So a long row takes no longer than to read it.

# %% mystnb={"image": {"alt": "A row of cards that collapses, peak by peak."}}
row = [*lost, 3, 8, 2, 7, 7, 1]
million = cardrow.deal(1, 10**6, deck=range(1, 14), replace=True, rng=1)[0]
print(
    "the row below is worth",
    cardrow.value(row, backend="exact"),
    "and by the table",
    cardrow.solve(row).value,
)
print("a million cards are worth", cardrow.value(million, backend="exact"))

figure, ax = plt.subplots(figsize=(8, 4), layout="constrained")
ax = cardrow.plots.plot_collapse(row, ax=ax)

# %% [markdown]
# ## A greedy sister
#
# Now she is the greedy one, and we begin. The optimal player expects her to play as
# well as can be, and on this row there is nothing to be won from a perfect sister. But
# she is not perfect, and we know how she plays. `best_response` finds what is best
# against *her*.

# %% mystnb={"image": {"alt": "Who takes which card against a greedy sister: optimal play above, the trap below."}}
row = [2, 3, 8, 4, 9, 9, 3]
response = cardrow.best_response(row, "greedy", backend="exact")
cautious = cardrow.match(row, "optimal", "greedy")
trap = cardrow.match(row, response, "greedy")
print("if both play as well as can be, we win by", cardrow.value(row, backend="exact"))
print("optimal play against the greedy sister:  ", cautious.lead)
print("best response to the greedy sister:      ", trap.lead)

figure, (top, bottom) = plt.subplots(
    2, 1, figsize=(7, 8), sharex=True, layout="constrained"
)
top = cardrow.plots.plot_play(row, cautious, ax=top)
bottom = cardrow.plots.plot_play(row, trap, ax=bottom)

# %% [markdown]
# The best response to a bad player beats optimal play. Optimal play gets the most that
# one can be *sure* of. It sets no traps.
#
# The trap has a price. The best response is a player like any other, and one can ask
# for the best response to it. Suppose that she sees through us:

# %%
sure = cardrow.best_response(row, "optimal", seat="second", backend="exact")
seen = cardrow.best_response(row, response, seat="second", backend="exact")
print("optimal play, against its best response:", -sure.value)
print("our trap, against its best response:    ", -seen.value)

# %% [markdown]
# ## A small tournament
#
# Was that row an accident? Let many rows be played. With an odd number of cards the
# game is about even. A player of our own is any function of the row and of what is
# left; this one plays the best response to greed, whoever the opponent is.


# %%
@cache
def best(
    cards: tuple[int | Fraction, ...], seat: Literal["first", "second"]
) -> cardrow.Response[int | Fraction]:
    """Return the best response to a greedy player on a row."""
    return cardrow.best_response(cards, "greedy", seat=seat, backend="exact")


def trapper(
    cards: tuple[int | Fraction, ...], left: int, right: int
) -> Literal["left", "right"]:
    """Play as if the other were greedy."""
    taken = len(cards) - (right - left + 1)
    return best(cards, "second" if taken % 2 else "first")(cards, left, right)


rows = cardrow.deal(4000, 9, rng=2)
results = cardrow.tournament(
    ["optimal", trapper, "greedy", "larger", "random"], rows, rng=3
)
results

# %% mystnb={"image": {"alt": "Bars: the share of games that each player wins in a tournament."}}
figure, ax = plt.subplots(figsize=(9, 4.5), layout="constrained")
ax = cardrow.plots.plot_tournament(results, ax=ax)

both_seats = (results.mean_lead - results.mean_lead.T) / 2
print("what the player on the left wins by on average, starting in every second game,")
print(f"with a standard error of at most {results.lead_error.max():.2f}:")
print(" " * 9 + "".join(f"{name:>9}" for name in results.players))
for name, leads in zip(results.players, both_seats.tolist(), strict=True):
    print(f"{name:<9}" + "".join(f"{lead:>+9.2f}" for lead in leads))

# %% [markdown]
# The trapper wins more from the greedy player than the optimal one does. Nobody wins
# from the optimal player. But the trapper comes close, so most traps cost little. And
# from the random player it is the greedy one who wins most!
#
# ## The answer
#
# Take the turn that the table says, or collapse the row, and you get what you can be
# sure of. If you know how your sister plays, ask for the best response to *her*: it
# wins more. But mind that she may learn.
