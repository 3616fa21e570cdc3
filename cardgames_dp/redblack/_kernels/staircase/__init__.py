r"""The staircase: the value through its stopping boundary, in sub-quadratic time.

Let n cards remain, with s more black than red cards: s is the excess, and the cash in a
balanced deck. W(n, s) is the total of optimal play, the cash included. In Pascal form,
multiplied by P(n, s) = C(n, r) / 2**n, a draw is a plain average::

    W P (n, s) = max(s P(n, s), (W P (n-1, s+1) + W P (n-1, s-1)) / 2)

The player stops at excess k exactly when n <= n_k (`cardgames_dp.redblack.boundaries`
says why), so between two thresholds, n_k < n <= n_{k+1}, the stop set is s >= B with
one *fixed* B = k + 1. The gain beyond B, ``D = (W - B) P``, then obeys the averaging
without a maximum, and is 0 on the barrier s = B. Three facts make this fast.

**Reflection.** D is a random walk's law with an absorbing barrier. A sine transform
moves it any number of draws at once, exactly (`walks`).

**The next stair.** At n_{k+1} the barrier rises by one, to where W = B + 1: P is
subtracted from D. Stopping at excess B with n cards is right if it is worth at least as
much as drawing, which means ``D(n-1, B-1) + P(n-1, B+1) <= 0``; n_{k+1} is the largest
such n. An asymptotic formula predicts it (`large_decks`), and two sums over the
surviving waves confirm it: right at n, wrong at n + 2. The prediction is corrected if
the sums clearly contradict it. Where rounding hides the difference, it does not matter:
the two actions are worth the same.

**Stairs among the waves.** The boundary has 1.19 sqrt(l) stairs. Moving a window of
sqrt(l) cells for each would take O(l log l) time. But the effect of a rise of the
barrier on the waves is known in closed form (`stairs`), and in the middle of a stair
few waves are left, so that every m-th cell determines all of them. So a block of stairs
is climbed from the middle of one stair to the middle of another: the samples next to
the barrier become some hundred waves, and each stair takes one product with a small
matrix. Cells further down, which the barrier does not affect in the meantime, are moved
through the whole block at once, as if the barrier had not moved; then one P is
subtracted for each stair passed. In all this takes about O(l**(5/8)) time and O(sqrt l)
memory.

The whole window is the band of the deck (`scaling`): the cells that a path from the
full deck may visit. The totals of all decks passed can be read off, `Staircase.total`.

The rounding error of the transforms is of the size of the largest D times 2**-53. In
the total of l + l cards that is a relative error of about 1e-14; with unequal colours
P(N, s) of the full deck is smaller, and the error is larger by ``exp(s**2 / 2N)``.
`audit` bounds all errors rigorously, while the climb goes on.

References
----------
The reflection principle: W. Feller, *An Introduction to Probability Theory and Its
Applications*, volume 1, chapter III. Free boundaries by FFT, for American options: Z.
Ahmad et al., "Fast American option pricing using nonlinear stencils", PPoPP 2024.
"""
