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
# the larger card.

# %%
import matplotlib.pyplot as plt

from cardgames_dp import cardrow, play, plots

lost = [4, 4, 6, 6, 12, 9]
rules = cardrow.Rules(tie="right")  # of two equal ends, her report takes the right one
greedy = cardrow.match(lost, "greedy", "larger", rules=rules)
optimal = cardrow.match(lost, "optimal", "larger", rules=rules)
print("greedy ", greedy)
print("optimal", optimal)

# %% [markdown]
# ## The table
#
# The cards left are always an interval of the row, from card $i$ to card $j$. Let
# $V(i, j)$ be what the player to move wins by on these cards. Then
#
# $$V(i, j) = \max\bigl(x_i - V(i + 1, j),\ x_j - V(i, j - 1)\bigr).$$
#
# Solve short intervals first. This fills a table. The page [Cards in a row](../../docs/theory/cardrow.rst) has the proofs.

# %%
table = cardrow.solve(lost, backend="exact")
table

# %% [markdown]
# The picture shows which end to take, *l* or *r*, by the left and the right end of the
# cards that remain; a dot marks a tie. Move the largest card, the 12, and see which
# letters change.


# %% mystnb={"image": {"alt": "A map of the row: for each interval, whether to take the left or the right card."}}
def table_with(card=12):
    """Draw the best turns with another number on the largest card"""
    plots.plot_map(cardrow.solve([4, 4, 6, 6, card, 9]), x="right", y="left")
    plt.show()


try:
    from ipywidgets import interact

    interact(table_with, card=(4, 20, 4))
except ImportError:  # the picture alone
    table_with()

# %% [markdown]
# The table has the answer for every position, so it shows what a mistake costs. Look at
# the turn with which greed lost the game.

# %%
first, last = 0, len(lost) - 1
for turn, taken in enumerate(greedy.positions.tolist()):
    player = greedy.players[turn % 2]
    print(
        f"{player:<7} takes {lost[taken]:>2};  {table.advice((first, last, turn % 2))}"
    )
    if taken == first:
        first += 1
    else:
        last -= 1

# %% [markdown]
# ## No table at all
#
# You can find the value without the table. Three neighbours $a \le b \ge c$ are a
# *peak*. If you replace a peak by one card $a - b + c$, the value stays the same. When no
# peak is left, the row falls and then rises, and the larger end is always right. So the
# time for a row grows only in proportion to its length.

# %% mystnb={"image": {"alt": "A row of cards that collapses, peak by peak."}}
row = [4, 4, 6, 6, 12, 9, 3, 8, 2, 7, 7, 1]
print("the row is worth", cardrow.value(row, backend="exact"))
million = cardrow.deal(1, 10**6, deck=range(1, 14), replace=True, rng=1)[0]
print("a million cards are worth", cardrow.value(million, backend="exact"))

figure, ax = plt.subplots(figsize=(6, 4), layout="constrained")
cardrow.plots.plot_collapse(row, ax=ax)
plt.show()

# %% [markdown]
# ## A greedy sister
#
# Now she is greedy, and you begin. The optimal player expects her to play perfectly, and
# on this row you cannot win against a perfect sister. But she is not perfect, and you
# know how she plays. `play.best_response` finds what is best against *her*.

# %%
row = [2, 3, 8, 4, 9, 9, 3]
game = cardrow.game(row, rules=rules)
response = play.best_response(game, [None, "greedy"], 0, backend="exact")
cautious = cardrow.match(row, "optimal", "greedy", rules=rules)
trap = cardrow.match(row, response, "greedy", rules=rules)
print("if both play perfectly, you win by       ", cardrow.value(row, backend="exact"))
print("optimal play against the greedy sister:  ", cautious.lead)
print("best response to the greedy sister:      ", trap.lead)
print("the cards that it takes, and when:", trap.positions[::2])

# %% [markdown]
# Against a bad player, the best response wins more than optimal play. Optimal play gets
# the most that you can be *sure* of. It sets no traps.
#
# The trap has a price. The best response is a player like any other, so there is a best
# response to it. Suppose that she knows your plan:

# %%
sure = play.best_response(game, ["optimal", None], 1, backend="exact")
seen = play.best_response(game, [response, None], 1, backend="exact")
print("optimal play, against its best response:", sure.value)
print("the trap, against its best response:   ", seen.value)

# %% [markdown]
# ## A small tournament
#
# Was that row an exception? Play many rows. With an odd number of cards the game is about
# even. A player of your own can be any function of the row, which returns a policy. The
# *trapper* plays the best response to greed against every opponent.


# %%
def trapper(cards):
    """Play as if the other were greedy."""
    game = cardrow.game(cards, rules=rules)
    answers = [
        play.best_response(game, "greedy", seat, backend="exact") for seat in (0, 1)
    ]
    return lambda state: answers[state.player].policy[state]


rows = cardrow.deal(200, 9, rng=2)
results = cardrow.tournament(
    ["optimal", "greedy", trapper, "larger", "random"], rows, rules=rules, rng=3
)
results

# %%
leads = (results.mean_lead - results.mean_lead.T) / 2  # half the games in each seat
print("lead of the player on the left over each player, on average")
for name, row_of_leads in zip(results.players, leads.round(2)):
    print(f"{name:<8}", row_of_leads)

# %% [markdown]
# Against the greedy player the trapper wins more than the optimal player does. No player
# wins against the optimal one, but the trapper comes close, so most traps cost little.
# And against the random player, the greedy one and the one who takes the larger card win
# most!
#
# ## The answer
#
# Follow the table, or collapse the row, and you get the most that you can be sure of. If
# you know how your sister plays, use the best response to *her*: it wins more, as long as
# she does not learn.
#
# ## Exercises
#
# **1.** Collapse the row 3, 8, 2, 7 with a pencil, peak by peak. Who wins, and by how
# much?

# %% tags=["hide-cell"]
print("the first player wins by", cardrow.value([3, 8, 2, 7], backend="exact"))

# %% [markdown]
# **2.** Find a row of three cards on which the first player loses, whatever the first
# turn.

# %% tags=["hide-cell"]
print("1, 5, 2: the first player's lead is", cardrow.value([1, 5, 2], backend="exact"))

# %% [markdown]
# **3.** Your sister takes the *smaller* card of the two. Write her as a function, and
# find what you win by on the row 2, 3, 8, 4, 9, 9, 3 against her.


# %% tags=["hide-cell"]
def smaller(state):
    return "left" if row[state.left] < row[state.right] else "right"


row = [2, 3, 8, 4, 9, 9, 3]
print(play.best_response(cardrow.game(row), [None, smaller], 0, backend="exact").value)
