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
# # Beat the house
#
# Blackjack, as no casino would offer it: from **one suit**, thirteen cards, one hand a
# deck. You get two cards, the house shows one. You draw until you have enough; above 21
# you have lost. Then the house draws, and must stand from 17 on. The higher hand wins the
# stake. An ace counts 1 or 11, court cards count 10. On your first two cards you may
# double the stake and get exactly one more card. Two cards that make 21 are a
# *blackjack*, which pays one and a half times the stake and beats every other hand. A
# blackjack of the house beats every hand but yours.
#
# The library does not know this game. Here are all of its rules; the page
# [A game of your own](../../docs/own.rst) explains how to write them.

# %%
from collections import Counter
from fractions import Fraction
from typing import NamedTuple

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import ListedColormap

from cardgames_dp import diagonal, exact, play, plots
from cardgames_dp.game import CHANCE, TERMINAL, explore

SUIT = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10]


class State(NamedTuple):
    mine: tuple  # the cards
    house: tuple
    stake: int
    moment: str  # "deal", "choose", "card", "house" or "over"


def points(cards):
    """Count an ace 11 if that is not too much."""
    hard = sum(cards)
    return hard + 10 if 1 in cards and hard <= 11 else hard


class Blackjack:
    num_players = 1

    def __init__(self, cards):
        self.deck = Counter(cards)

    def initial_state(self):
        return State((), (), 1, "deal")

    def current_player(self, state):
        return {"choose": 0, "over": TERMINAL}.get(state.moment, CHANCE)

    def legal_actions(self, state):
        two_cards = len(state.mine) == 2
        return ["stand", "hit", "double"] if two_cards else ["stand", "hit"]

    def next_state(self, state, action):
        if action == "stand":
            return state._replace(moment="house")
        return state._replace(stake=2 if action == "double" else 1, moment="card")

    def chance_outcomes(self, state):
        """Every card that is left is as likely as any other."""
        seen = state.mine + state.house
        left = {card: count - seen.count(card) for card, count in self.deck.items()}
        return [(left[card], self.dealt(state, card)) for card in left if left[card]]

    def dealt(self, state, card):
        """Your first two cards come first, then one of the house."""
        if state.moment == "house" or (state.moment == "deal" and len(state.mine) == 2):
            house = tuple(sorted((*state.house, card)))
            if state.moment == "house":
                moment = "over" if points(house) >= 17 else "house"
            else:
                moment = "house" if points(state.mine) == 21 else "choose"
            return State(state.mine, house, state.stake, moment)
        mine = tuple(sorted((*state.mine, card)))
        moment = state.moment
        if moment == "card":
            done = state.stake == 2 or points(mine) == 21
            moment = "over" if points(mine) > 21 else "house" if done else "choose"
        return State(mine, state.house, state.stake, moment)

    def returns(self, state):
        """The stake, won or lost, or the bonus of a blackjack."""
        mine, house = points(state.mine), points(state.house)
        natural = mine == 21 and len(state.mine) == 2
        theirs = house == 21 and len(state.house) == 2
        if natural or theirs:
            lead = Fraction(3, 2) if natural else -state.stake
            return [0 if natural and theirs else lead]
        if mine > 21 or mine < house <= 21:
            return [-state.stake]
        return [0 if mine == house else state.stake]


# %% [markdown]
# ## What is it worth?
#
# `explore` finds all states once, and `solve` solves them in fractions. In every state
# you know your cards, the house's card, and so what is left in the deck. This is the best
# possible play for a player who counts cards.

# %%
game = explore(Blackjack(SUIT))
solution = exact.solve(game)
print(game)
print("worth exactly ", solution.value)
print("which is about", float(solution.value), "of the stake, in your favour")

# %% [markdown]
# You win! In such a small deck, every card that you see changes the odds. With 10 and 6
# against a 10, two of the four tens are gone. With 10 and 7 against an 8 you should even
# draw on seventeen.

# %%
for mine, house in [((6, 10), 10), ((6, 7), 10), ((2, 10), 4), ((2, 6), 5)]:
    state = State(mine, (house,), 1, "choose")
    print(mine, "against", house, "-", solution.policy[state])

# %% [markdown]
# In a notebook the advice is a table. This is the one for 10 and 7 against an 8:

# %%
solution.advice(State((7, 10), (8,), 1, "choose"))

# %% [markdown]
# ## The book
#
# *Basic strategy* is what the books teach: a table by your points and the house's card,
# made for many decks, in which a single card hardly matters. Two simpler rules are
# popular as well: play like the house, and never risk going above 21. How much worse are
# they than perfect play?


# %%
def book(state):
    """Basic strategy for many decks; the house stands on all 17."""
    mine, up = points(state.mine), state.house[0]
    may_double = len(state.mine) == 2
    if mine != sum(state.mine):  # an ace that counts 11
        low = {13: 5, 14: 5, 15: 4, 16: 4, 17: 3, 18: 3}
        if may_double and mine in low and low[mine] <= up <= 6:
            return "double"
        return "stand" if mine >= 19 or (mine == 18 and 2 <= up <= 8) else "hit"
    doubles = {9: range(3, 7), 10: range(2, 10), 11: range(2, 10)}
    if may_double and up in doubles.get(mine, ()):
        return "double"
    if mine >= 17 or (mine >= 13 and 2 <= up <= 6) or (mine == 12 and 4 <= up <= 6):
        return "stand"
    return "hit"


def like_the_house(state):
    """Stand from 17 on."""
    return "stand" if points(state.mine) >= 17 else "hit"


def never_bust(state):
    """Hit only where no card can lose."""
    safe = points(state.mine) <= 11 or points(state.mine) != sum(state.mine)
    return "hit" if safe and points(state.mine) < 18 else "stand"


for policy in [never_bust, like_the_house, book]:
    value = play.evaluate(game, policy).value
    print(f"{policy.__name__:<15} {value:+.4f}")
print(f"{'perfect play':<15} {float(solution.value):+.4f}")

# %% [markdown]
# The book wins, too, but it gives up two fifths of what perfect play wins. *Where* is it
# wrong? The regret shows, state by state, how likely you are to meet it, what the book
# gives up there, and the product of both. No single mistake matters much, but there are
# many.

# %%
regret = play.regret(game, book)
print("yours     house  the book  perfect   met      gives up")
for i in range(8):
    state = regret.states[i]
    print(f"{state.mine!s:<11}  {state.house[0]:>2}  ", end="")
    print(f"{book(state):<8}  {solution.policy[state]:<8}", end="  ")
    print(f"{regret.reach[i]:.5f}  {regret.given_up[i]:.4f}")
mistakes = np.count_nonzero(regret.given_up)
print(f"All {mistakes} mistakes cost {regret.loss:.4f} of the stake a hand.")

# %% [markdown]
# Here is a picture of it: what to do with your first two cards (a row) against each card
# of the house (a column). A dot marks where the book says something else. A cell is empty
# where no such card is left for the house.

# %% mystnb={"image": {"alt": "The book of Blackjack: for each hand of the player and card of the house, what to do."}}
deals = [
    (first, second)
    for first in range(1, 11)
    for second in range(first, 11)
    if points((first, second)) < 21 and (first < second or first == 10)
]
words = ["stand", "hit", "double"]
grid = np.full((len(deals), 10), np.nan)
wrong = []
for row, mine in enumerate(deals):
    for column in range(10):
        state = State(mine, (column + 1,), 1, "choose")
        if state in solution.policy:
            grid[row, column] = words.index(solution.policy[state])
            if book(state) not in solution.optimal_actions[state]:
                wrong.append((row, column))

figure, ax = plt.subplots(figsize=(6, 9), layout="constrained")
colours = ListedColormap(["#d55e00", "#56b4e9", "#009e73"])
image = ax.imshow(grid, cmap=colours, vmin=-0.5, vmax=2.5, aspect="auto")
rows, columns = zip(*wrong)
dots = {"color": "black", "markeredgecolor": "white", "markeredgewidth": 0.4}
ax.plot(columns, rows, ".", label="the book says something else", **dots)
ax.set_xticks(range(10), ["A", *map(str, range(2, 11))])
names = [f"{'A' if a == 1 else a} {b}" for a, b in deals]
ax.set_yticks(range(len(deals)), names, size=9)
ax.set(xlabel="the house's card", ylabel="your first two cards")
figure.colorbar(image, ticks=range(3), shrink=0.3).set_ticklabels(words)
figure.legend(loc="outside upper center")
plt.show()

# %% [markdown]
# ## One hand
#
# The distribution of the returns says how a hand ends, and how often. The dots are
# 20,000 simulated hands.

# %% mystnb={"image": {"alt": "Bars: how one hand of Blackjack ends, and how often."}}
found = play.distribution(solution)
hands = play.simulate(solution, games=20_000, rng=21)
figure, ax = plt.subplots(figsize=(6, 4), layout="constrained")
plots.plot_distribution(found, hands, ax=ax)
plt.show()

# %% [markdown]
# ## More cards
#
# Two suits have 26 cards, and the game has eight hundred thousand states. When the states
# have been found, `diagonal.solve` solves them in floats within a moment, and bounds its
# error.

# %%
larger = explore(Blackjack(SUIT * 2))
two_suits = diagonal.solve(larger)
print(larger)
print(f"worth {two_suits.value:+.6f}, known to {two_suits.error:.0e}")
print(f"by the book {play.evaluate(larger, book).value:+.6f}")

# %% [markdown]
# The advantage shrinks, from three per cent of the stake with one suit to half a per cent
# with two. So does what the book gives up: from 1.2 to 0.25 per cent. The book was made
# for the many decks of a casino, where one card more or less hardly matters.
#
# ## Exercises
#
# **1.** How likely do you win a hand if you play perfectly, and how likely do you lose?

# %% tags=["hide-cell"]
mine = found.returns[0]
print(f"you win with probability {mine.sf(0):.3f}, and lose with {mine.cdf(-1):.3f}")

# %% [markdown]
# **2.** Against which cards of the house do you hit on 10 and 7?

# %% tags=["hide-cell"]
for up in [1, 2, 3, 4, 5, 6, 8, 9, 10]:  # the only 7 is yours
    if solution.policy[State((7, 10), (up,), 1, "choose")] == "hit":
        print(up)

# %% [markdown]
# **3.** Suppose that you may not double. What is the game worth then? Write a subclass
# with another `legal_actions`.


# %% tags=["hide-cell"]
class NoDouble(Blackjack):
    def legal_actions(self, state):
        return ["stand", "hit"]


print(f"{float(exact.solve(NoDouble(SUIT)).value):+.4f}")
