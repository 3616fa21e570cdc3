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
# # How does the value grow?
#
# You win 1 for every red card, pay 1 for every black one, and stop when you like. The
# notebook [Stop or draw?](stop_or_draw.py) plays this with 26 cards of each colour. Now
# take $l$ red and $l$ black cards, and let $V(l)$ be their value. **How does $V(l)$ grow,
# and how far can you trust a law that was fitted to small decks?**
#
# An algorithm that follows the edge of the stopping region alone finds the values of
# large decks at once; the page [How the staircase works](../../docs/theory/staircase.rst)
# explains it.

# %%
import matplotlib.pyplot as plt
import numpy as np

from cardgames_dp import fitting, redblack

sizes = 10 ** np.arange(8)
values = redblack.value(sizes, sizes)
for size, value in zip(sizes, values):
    print(f"V({size:>10,}) = {value:13.8f} = {value / size**0.5:.6f} sqrt(l)")

# %% [markdown]
# Ten times the cards are worth about three times as much, so the value grows like
# $\sqrt l$. The factor seems to tend to a constant.
#
# ## What the Problem 14 essay fitted
#
# The essay "Problem 14 Dynamic Programming Solutions" has all decks up to
# $l = 22{,}974$. It fits a logarithm, a square root, and both. Here are its decks and
# the three laws.

# %% mystnb={"image": {"alt": "Values of decks, and three fitted laws of growth."}}
cards = range(1, 22_975)
known = redblack.value(cards, cards)
log_law = fitting.fit(cards, known, "log")
root_law = fitting.fit(cards, known, "sqrt")
both_law = fitting.fit(cards, known, "log+sqrt")

figure, ax = plt.subplots(figsize=(6, 4.5), layout="constrained")
fitting.plots.plot_fits([log_law, root_law, both_law], ax=ax)
plt.show()

# %%
root_law

# %% [markdown]
# ## A look at what is left
#
# The logarithm does not fit. The other two laws seem to go through all points.
# Statistics agree: the square root explains everything, and its coefficients, in the
# table, have tiny standard errors.
#
# The residuals show that this is wrong. They are small, but they have a shape: neither
# law has the right form. Statistics treat residuals as noise, and here nothing is
# random.

# %% mystnb={"image": {"alt": "The residuals of the fitted laws, which are waves and no noise."}}
figure, ax = plt.subplots(figsize=(6, 4.5), layout="constrained")
for law in [root_law, both_law]:
    ax.semilogx(law.cards, law.residuals, label=law.model)
ax.set(ylim=(-0.01, 0.01), xlabel="$l$", ylabel="value less law")
ax.set_title("What the fitted laws leave")
ax.legend()
plt.show()

# %% [markdown]
# ## The law of growth
#
# For large decks the game becomes a stopping problem for a Brownian bridge, which L. A.
# Shepp solved in 1969. It gives the limit $V(l) / \sqrt l \to c$. Near the end of the
# deck the cards differ from a bridge; this costs a part that decays like $l^{-\lambda}$,
# where $\lambda$ is the root of an equation. More terms follow. The page
# [Growth and limits](../../docs/theory/growth.rst) derives them.

# %%
for term in fitting.GROWTH_TERMS:
    print(f"{term.coefficient:+.8f} l^{term.exponent:+.6f}  {term.origin}")

print("\nlaw less computed value, and the error that the law states")
for size, value in zip(sizes[3:], values[3:]):
    law = fitting.asymptotic_value(size)
    print(f"l = {size:>10,}  {float(law) - value:+.0e}  {law.error:.0e}")

# %% [markdown]
# Two coefficients are fitted, to decks of up to a million cards of each colour; the
# others follow from theory. The law agrees with the values to many digits. For the
# largest deck the computed value has the larger error, from the rounding of its many
# steps.
#
# How far is $V(l)$ below $c \sqrt l$? On logarithmic axes a power of $l$ is a straight
# line, and its slope is the exponent. The fitted laws follow it for a while and then
# leave it: their square roots have another factor.

# %% mystnb={"image": {"alt": "How far the value is below the limit, on logarithmic axes: points on a straight line."}}
figure, ax = plt.subplots(figsize=(6, 4.5), layout="constrained")
fitting.plots.plot_fits([root_law, both_law], missing=True, ax=ax)
plt.show()

# %% [markdown]
# ## Ten billion cards
#
# Now use the laws far beyond the decks that they were fitted to. Statistics give an
# interval for the prediction, which should contain the value in all but one case of a
# million.

# %%
giant = 10**10
truth = fitting.asymptotic_value(giant)
print(f"law of growth      {float(truth):.6f} +- {truth.error:.0e}")
for law in [log_law, root_law, both_law]:
    lower, upper = law.predict_interval(giant, level=0.999999)
    print(f"{law.model:<8} says {law.predict(giant):12.3f},", end=" ")
    print(f"99.9999% from {lower:.3f} to {upper:.3f}")

# %% [markdown]
# Would more decks have helped? Here are the errors of the laws beyond the decks that they
# were fitted to. Move the largest deck. Ten times the decks make the errors smaller, but
# they grow just as fast.


# %% mystnb={"image": {"alt": "The errors of the fitted laws grow with the deck, on logarithmic axes."}}
def errors(largest_deck=22_000):
    """Draw how wrong the laws are beyond the largest deck of the fit"""
    many = np.geomspace(1000, 1e12, 300)
    exact = fitting.asymptotic_value(many).value
    _, ax = plt.subplots(figsize=(6, 4.5), layout="constrained")
    for model in ["log", "sqrt", "log+sqrt"]:
        law = fitting.fit(range(1, largest_deck + 1), known[:largest_deck], model)
        ax.loglog(many, abs(law.predict(many) - exact), label=model)
    ax.axvline(largest_deck, color="gray", linestyle="--", label="largest deck")
    ax.set(ylim=(1e-4, 1e6), xlabel="$l$", ylabel="error")
    ax.set_title("How wrong the fitted laws become")
    ax.legend(loc="upper left")
    plt.show()


try:
    from ipywidgets import interact

    interact(errors, largest_deck=(2000, 22_000, 5000))
except ImportError:  # the picture alone
    errors()

# %% [markdown]
# ## The answer
#
# The value grows like $c \sqrt l$, less a part that decays slowly, like $l^{-\lambda}$. A
# fit without this term puts it into the other coefficients. Within the data you do not
# notice. At $10^{10}$ the error is many times the interval that statistics promise,
# because they account for noise only, and not for a wrong form. A law whose form comes
# from theory does better: it agrees with the value of the largest deck above, to which it
# was not fitted.
#
# ## Exercises
#
# **1.** Guess the value of four million red and four million black cards from the list of
# values at the top, and compare.

# %% tags=["hide-cell"]
print(f"guess    {0.52204 * 4_000_000**0.5:.2f}, twice the value of a million")
print(f"computed {redblack.value(4_000_000, 4_000_000):.2f}")

# %% [markdown]
# **2.** With $n$ cards left you stop when you are about $\alpha \sqrt n$ ahead. Estimate
# $\alpha$ from the threshold $n_k$, the largest number of cards with which you stop when
# you are $k = 1000$ ahead.

# %% tags=["hide-cell"]
n = redblack.thresholds(1000).n[-1]
print(f"estimate {1000 / n**0.5:.5f}, or {1000.5 / n**0.5:.5f} with half a step more")
print(f"Shepp's  {float(fitting.shepp_alpha()):.5f}")

# %% [markdown]
# **3.** Fit $V(l) = a + c \sqrt l$ to the last thousand decks only. Is its error for ten
# billion cards smaller?

# %% tags=["hide-cell"]
last = fitting.fit(cards[-1000:], known[-1000:], "sqrt")
for law in [root_law, last]:
    print(f"{law.predict(giant) - float(truth):+.3f}")
