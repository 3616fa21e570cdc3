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
# Cards lie face up in a row. You and your little sister take turns. Each turn takes the
# card at the left end or the card at the right end. At the end the larger sum wins.
# Pashevich's report (A. Pashevich and others) is about a sister who wins too often.
# **What is the best turn? And is it still the best if she makes mistakes?**
#
# There are only two cards to choose from, so you may first try greed. Here is the row on
# which the report's greedy player loses. This player looks one card ahead: it takes the
# card whose lead over the best card that she can take next is largest. She simply takes
# the larger card. In the pictures of play you are blue and she is orange.

# %% mystnb={"image": {"alt": "Who takes which card: above the greedy player loses, below optimal play wins."}}
from fractions import Fraction
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Literal

import matplotlib.pyplot as plt

from cardgames_dp import cardrow

lost = [4, 4, 6, 6, 12, 9]
rules = cardrow.Rules(tie="right")  # of two equal ends, her report takes the right one
print("greedy ", cardrow.match(lost, "greedy", "larger", rules=rules))
print("optimal", cardrow.match(lost, "optimal", "larger", rules=rules))

figure, (top, bottom) = plt.subplots(2, 1, figsize=(6, 8.6), layout="constrained")
games = [cardrow.match(lost, "greedy", "larger", rules=rules)]
games.append(cardrow.match(lost, "optimal", "larger", rules=rules))
for game, ax in zip(games, (top, bottom), strict=True):
    cardrow.plots.plot_play(game, ax=ax)

# %% [markdown]
# ## The table
#
# The cards left are always an interval of the row, from card $i$ to card $j$. Let
# $V(i, j)$ be what the player to move wins by on these cards. Then
#
# $$V(i, j) = \max\bigl(x_i - V(i + 1, j),\ x_j - V(i, j - 1)\bigr).$$
#
# Solve short intervals first. This fills a table, and an arrow in each cell shows which
# end to take. Start at the top right, where nothing has been taken, and follow the
# arrows. The page [Cards in a row](../../docs/theory/cardrow.rst) has the proofs.

# %%
table = cardrow.solve(lost, backend="exact")
table


# %% mystnb={"image": {"alt": "The table of the row, an arrow in each interval for the card to take."}}
def table_with(card: int = 12) -> None:
    """Draw the table of the row with another number on its largest card."""
    _, ax = plt.subplots(figsize=(6, 4.5), layout="constrained")
    cardrow.plots.plot_table(cardrow.solve([4, 4, 6, 6, card, 9]), ax=ax)
    plt.show()


table_with()

# %% [markdown]
# In the picture a cell has the sum of the player to move and that of the other player.
# The colour is the difference. The frame follows the best line of play.
#
# What if the 12 were another card? Move it yourself: run the next cell in Jupyter, with
# `ipywidgets` installed, and see which arrows turn.

# %% tags=["remove-output"]
if find_spec("ipywidgets"):
    import_module("ipywidgets").interact(table_with, card=(0, 24))

# %% [markdown]
# The table has the answer for every position, so it shows what a mistake costs. Look at
# the turn with which greed lost the game.

# %%
game = cardrow.match(lost, "greedy", "larger", rules=rules)
first, last = 0, len(lost) - 1
for turn, position in enumerate(game.positions.tolist()):
    advice = table.advice(first, last)
    who = game.players[turn % 2]
    print(f"{who:<7} takes {lost[position]:>2};  {advice}")
    first, last = (first + 1, last) if position == first else (first, last - 1)

# %% [markdown]
# ## No table at all
#
# You can find the value without the table. Three neighbours $a \le b \ge c$ are a
# *peak*. If you replace a peak by one card $a - b + c$, the value stays the same. When no
# peak is left, the row falls and then rises, and the larger end is always right. So the
# time for a row grows only in proportion to its length.

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

figure, ax = plt.subplots(figsize=(6, 4), layout="constrained")
ax = cardrow.plots.plot_collapse(row, ax=ax)

# %% [markdown]
# ## A greedy sister
#
# Now she is greedy, and you begin. The optimal player expects her to play perfectly, and
# on this row you cannot win against a perfect sister. But she is not perfect, and you
# know how she plays. `best_response` finds what is best against *her*.

# %% mystnb={"image": {"alt": "Who takes which card against a greedy sister: optimal play above, the trap below."}}
row = [2, 3, 8, 4, 9, 9, 3]
response = cardrow.best_response(row, "greedy", rules=rules, backend="exact")
cautious = cardrow.match(row, "optimal", "greedy", rules=rules)
trap = cardrow.match(row, response, "greedy", rules=rules)
print("if both play perfectly, you win by       ", cardrow.value(row, backend="exact"))
print("optimal play against the greedy sister:  ", cautious.lead)
print("best response to the greedy sister:      ", trap.lead)

figure, (top, bottom) = plt.subplots(
    2, 1, figsize=(6, 8), sharex=True, layout="constrained"
)
top = cardrow.plots.plot_play(cautious, ax=top)
bottom = cardrow.plots.plot_play(trap, ax=bottom)

# %% [markdown]
# Against a bad player, the best response wins more than optimal play. Optimal play gets
# the most that you can be *sure* of. It sets no traps.
#
# The trap has a price. The best response is a player like any other, so there is a best
# response to it. Suppose that she knows your plan:

# %%
sure = cardrow.best_response(row, "optimal", seat="second", backend="exact")
seen = cardrow.best_response(row, response, seat="second", backend="exact")
print("optimal play, against its best response:", -sure.value)
print("the trap, against its best response:   ", -seen.value)

# %% [markdown]
# ## A small tournament
#
# Was that row an exception? Play many rows. With an odd number of cards the game is about
# even. A player of your own can be any function of the row and of what is left. The
# *trapper* plays the best response to greed against every opponent.


# %%
@cache
def best(
    cards: tuple[int | Fraction, ...], seat: int
) -> cardrow.Response[int | Fraction]:
    """Return the best response to a greedy player on a row."""
    return cardrow.best_response(
        cards, "greedy", rules=rules, seat=seat, backend="exact"
    )


def trapper(
    cards: tuple[int | Fraction, ...], left: int, right: int
) -> Literal["left", "right"]:
    """Play as if the other were greedy."""
    seat = (len(cards) - (right - left + 1)) % 2
    state = cardrow.State(left, right, seat, (0, 0))  # the sums do not matter to it
    return best(cards, seat)(state).side


rows = cardrow.deal(4000, 9, rng=2)
results = cardrow.tournament(
    ["optimal", "greedy", trapper, "larger", "random"], rows, rules=rules, rng=3
)
results

# %% mystnb={"image": {"alt": "Bars: the share of games that each player wins in a tournament."}}
figure, ax = plt.subplots(figsize=(6.4, 4.5), layout="constrained")
ax = cardrow.plots.plot_tournament(results, ax=ax)

both_seats = (results.mean_lead - results.mean_lead.T) / 2
print(
    "what the player on the left wins by on average, in the first seat half the time,"
)
print(f"with a standard error of at most {results.lead_error.max():.2f}:")
print(" " * 9 + "".join(f"{name:>9}" for name in results.players))
for name, leads in zip(results.players, both_seats.tolist(), strict=True):
    print(f"{name:<9}" + "".join(f"{lead:>+9.2f}" for lead in leads))

# %% [markdown]
# Against the greedy player the trapper wins more than the optimal player does. No player
# wins against the optimal one, but the trapper comes close, so most traps cost little.
# And against the random player, the greedy one wins most!
#
# ## The answer
#
# Follow the table, or collapse the row, and you get the most that you can be sure of. If
# you know how your sister plays, use the best response to *her*: it wins more, as long as
# she does not learn. Try the exercises on the page
# [Cards in a row](../../docs/theory/cardrow.rst); they have solutions.
