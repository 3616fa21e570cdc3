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
# take $l$ red and $l$ black cards, and let $V(l)$ be what they are worth. **How does
# $V(l)$ grow, and how far can you trust a law that was fitted to small decks?**
#
# An algorithm that follows the edge of the stopping region alone finds the values of
# large decks at once; the page [How the staircase works](../../docs/theory/staircase.rst)
# explains it.

# %%
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import matplotlib.pyplot as plt
import mpmath
import numpy as np

from cardgames_dp import fitting, redblack

COLOURS = {"log": "#0072b2", "sqrt": "#d55e00", "log+sqrt": "#009e73"}
NAMES = {
    "log": r"$a + b\,\log\,l$",
    "sqrt": r"$a + b\,\sqrt{l}$",
    "log+sqrt": r"$a + b\,\log\,l + c\,\sqrt{l}$",
}
CARDS = "$l$, the number of red and of black cards"

sizes = np.array(sorted({round(10 ** (k / 6)) for k in range(43)}))
values = redblack.value(sizes, sizes)
for size, value in zip(sizes.tolist(), values.tolist(), strict=True):
    if str(size).strip("0") == "1":
        root = size**0.5
        print(f"V({size:>10,}) = {value:13.8f} = {value / root:.6f} sqrt(l)")

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
laws = [log_law, root_law, both_law]

figure, ax = plt.subplots(figsize=(6, 4.5), layout="constrained")
ax = fitting.plots.plot_fits(laws, ax=ax)
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
for law in laws[1:]:
    ax.semilogx(
        law.cards, law.residuals, color=COLOURS[law.model], label=NAMES[law.model]
    )
ax.axhline(0, color="0.5", linewidth=0.8)
ax.set_ylim(-0.01, 0.01)
ax.set(xlabel=CARDS, ylabel="value less law")
ax.set_title("What the fitted laws leave")
_ = ax.legend()

# %% [markdown]
# ## The law of growth
#
# For large decks the game becomes a stopping problem for a Brownian bridge, which L. A.
# Shepp solved in 1969. It gives the limit $V(l) / \sqrt l \to c$. Near the end of the
# deck the cards differ from a bridge; what this costs decays like $l^{-\lambda}$, where
# $\lambda$ is the root of an equation. More terms follow. The page
# [Growth and limits](../../docs/theory/growth.rst) lists them.

# %%
for term in fitting.GROWTH_TERMS:
    print(f"{term.coefficient:+.8f} l^{term.exponent:+.6f}  {term.origin}")

print("\nlaw less computed value, and the error that the law states")
for size, value in zip(sizes.tolist(), values.tolist(), strict=True):
    if size in (10**3, 10**4, 10**5, 10**6, 10**7):
        deck = fitting.asymptotic_value(size)
        print(f"l = {size:>10,}  {float(deck) - value:+.0e}  {deck.error:.0e}")

# %% [markdown]
# Two coefficients are fitted, to decks of up to a million cards of each colour; the
# others follow from theory. The law agrees with the values to many digits. For the
# largest deck the computed value has the larger error, from the rounding of its many
# steps.
#
# ## How far from the limit?
#
# How far is $V(l)$ below $c \sqrt l$? On logarithmic axes a power of $l$ is a straight
# line, and its slope is the exponent. The dots are the values. The fitted laws follow
# them for a while and then leave them: their square roots have another factor.

# %% mystnb={"image": {"alt": "How far the value is below the limit, on logarithmic axes: points on a straight line."}}
c, lam = float(fitting.limit_constant()), float(fitting.decay_exponent(1))
missing = c * np.sqrt(sizes) - values
far = sizes >= 10**4
slope = np.polyfit(np.log(sizes[far]), np.log(missing[far]), 1)[0]
better = missing[far] + c / 8 / np.sqrt(sizes[far])
better_slope = np.polyfit(np.log(sizes[far]), np.log(better), 1)[0]
print(f"slope from 10,000 cards on      {slope:.5f}")
print(f"with the next term taken away   {better_slope:.5f}")
print(f"-lambda                         {-lam:.5f}")

figure, (top, bottom) = plt.subplots(2, 1, figsize=(6, 8.6), layout="constrained")
top = fitting.plots.plot_missing(laws[1:], ax=top)
bottom.set_title("Up to ten million cards of each colour")
bottom.loglog(sizes, missing, ".", color="gray", label=r"$c\,\sqrt{l} - V(l)$")
A = -fitting.GROWTH_TERMS[1].coefficient
bottom.loglog(sizes, A * sizes**-lam, "--", color="gray", label=r"$A\,l^{-\lambda}$")
for law in laws[1:]:
    lacking = np.abs(c * np.sqrt(sizes) - law.predict(sizes))
    label = f"the same of {NAMES[law.model]}"
    bottom.loglog(sizes, lacking, color=COLOURS[law.model], label=label)
bottom.set(xlabel=CARDS, ylabel="difference, in units of cash")
_ = bottom.legend()

# %% [markdown]
# ## The edge
#
# With $n$ cards left you stop when you are about $\alpha \sqrt n$ ahead. That is the
# limit; the true edge lies lower. The threshold $n_k$ is the largest number of cards
# with which you stop when you are $k$ ahead; with $n_k + 2$ cards you draw. So the edge
# is $k$ at about $n_k + 1$. The page [Growth and limits](../../docs/theory/growth.rst)
# has corrections: minus a half, for steps of whole cards; a term in $n^{-\lambda}$, with
# the same exponent as above; one in $n^{-1/4}$ with Riemann's zeta function; and so on.

# %% mystnb={"image": {"alt": "By how much the law of the boundary is off, term by term, on logarithmic axes."}}
k, thresholds = np.arange(1, 1501), redblack.thresholds(1500).n
n = thresholds + 1.0
alpha, zeta = float(fitting.shepp_alpha()), float(mpmath.zeta(-0.5))
quarter = -2 * zeta * (alpha / np.pi) ** 0.5
corrections = {  # the factor and the power of n
    r"$\alpha\,\sqrt{n}$": (alpha, 0.5),
    r"$-\,1/2$": (-0.5, 0),
    r"$-\,1.107\,A\,n^{-\lambda}$": (-1.107018654 * A, -lam),
    r"$-\,2\,\zeta(-1/2)\,\sqrt{\alpha/\pi}\;n^{-1/4}$": (quarter, -0.25),
    r"$-\,(\alpha^3/12)\;n^{-1/2}$": (-(alpha**3) / 12, -0.5),
}


def boundary(cards: Any) -> Any:
    """Return the edge with so many cards left, by these terms."""
    return sum(factor * cards**power for factor, power in corrections.values())


palette = ("#0072b2", "#d55e00", "#009e73", "#c973a3", "#7a6a55")
figure, ax = plt.subplots(figsize=(6, 4.5), layout="constrained")
edge = np.zeros(len(n))
print("law less edge, on average from k = 1001 to 1500, after each term")
for colour, (name, (coefficient, power)) in zip(
    palette, corrections.items(), strict=True
):
    edge += coefficient * n**power
    ax.loglog(n, np.abs(edge - k), ".", markersize=3, color=colour, label=name)
    print(f"{np.mean(edge[1000:] - k[1000:]):+.6f}")
ax.set(xlabel="$n$, cards left at a threshold", ylabel="law less edge, in size")
ax.set_title("Where to stop: the law, term by term")
_ = ax.legend(markerscale=3)

# %% [markdown]
# The half corrects most, but less than it seems: the next two terms nearly cancel each
# other here. The rest is there because thresholds are whole numbers.
#
# Do these five terms say where to stop? At $n_k$ the edge should be at most $k$, and at
# $n_k + 2$ above it.

# %%
right = (boundary(thresholds) <= k) & (k < boundary(thresholds + 2))
print(f"correct guesses of thresholds: {right.sum()} of {len(k)}")
print(f"with 10^20 cards left, stop when about {boundary(1e20):,.0f} ahead")

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
for law in laws:
    predicted = law.predict_interval(giant, level=0.999999)
    error = predicted.estimate - float(truth)
    print(
        f"{law.model:<10} says {predicted.estimate:12.3f}, off by {error:+12.3f};"
        f" 99.9999% from {predicted.lower:.3f} to {predicted.upper:.3f}"
    )

# %% [markdown]
# Would more decks have helped? Here are the errors of laws fitted to all decks of up to
# 22,974 cards of each colour, beyond these decks.


# %% mystnb={"image": {"alt": "The errors of the fitted laws grow with the deck, on logarithmic axes."}}
def errors(decks: int = 22_974) -> None:
    """Draw how wrong the laws are that are fitted to this many decks."""
    many = np.geomspace(1000, 1e12, 300)
    exact = fitting.asymptotic_value(many).value
    _, ax = plt.subplots(figsize=(6, 4.5), layout="constrained")
    for model in (law.model for law in laws):
        law = fitting.fit(range(1, decks + 1), known[:decks], model)
        error = np.abs(law.predict(many) - exact)
        ax.loglog(many, error, color=COLOURS[model], label=NAMES[model])
    ax.axvspan(1000, decks, color="gray", alpha=0.3, label="decks of the fit")
    ax.set(xlabel=CARDS, ylabel="error, in units of cash")
    ax.set_title("How wrong the fitted laws become")
    ax.legend()
    plt.show()


errors()

# %% [markdown]
# Move the largest deck yourself: run the next cell in Jupyter, with `ipywidgets`
# installed. Ten times the decks make the errors smaller, but they grow just as fast.

# %% tags=["remove-output"]
if find_spec("ipywidgets"):
    import_module("ipywidgets").interact(errors, decks=(2_000, 22_974, 100))

# %% [markdown]
# ## The answer
#
# The value grows like $c \sqrt l$, less a part that decays slowly, like $l^{-\lambda}$. A
# fit without this term puts it into the other coefficients. Within the data you do not
# notice. At $10^{10}$ the error is many times the interval that statistics promise,
# because they account for noise only, and not for a wrong form. A law whose form comes
# from theory does better: it agrees with the value of the largest deck above, to which it
# was not fitted. The page [Growth and limits](../../docs/theory/growth.rst) has the
# theorems, and the distributions of payoff and duration in the limit.
