r"""The staircase: the value through its stopping boundary, in sub-quadratic time.

Let n cards remain, s more black ones than red: the excess, and the cash of the player
of a balanced deck. W(n, s) is the total of optimal play, cash and all; in Pascal form,
times P(n, s) = C(n, r) / 2**n, one card less is one plain average::

    W P (n, s) = max(s P(n, s), (W P (n-1, s+1) + W P (n-1, s-1)) / 2)

The player stops at excess k exactly when n <= n_k (`boundary` says why), so between two
thresholds, n_k < n <= n_{k+1}, the stop set is s >= B with one *fixed* B = k + 1. What
the player can still win beyond B, ``D = (W - B) P``, then obeys the averaging without
any maximum, and is 0 on the barrier s = B. Three facts make that fast.

**Reflection.** D is a random walk's law with an absorbing barrier. A sine transform
moves it any number of draws at once, exactly (`walk`).

**The next stair.** At n_{k+1} the barrier rises by one, to where W = B + 1: D loses P.
Stopping at excess B is right with n cards when it is worth what drawing brings, which
is when ``D(n-1, B-1) + P(n-1, B+1) <= 0``; n_{k+1} is the largest such n. An asymptotic
formula knows it beforehand (`cardgames_dp._boundary_law`), and two sums over the
surviving waves confirm it: right at n, wrong at n + 2. The guess is overruled when they
clearly say so. Where rounding hides the difference it cannot matter: the two actions
are worth the same.

**Stairs among the waves.** A boundary of 1.19 sqrt(l) stairs, each moved on a window of
sqrt(l) cells, would be O(l log l). But what the rise of the barrier does to the waves
is known in closed form (`rise`), and in the middle of a stair few waves are left, so
that every m-th cell tells them all. So a block of stairs (`block`) is climbed from the
middle of one to the middle of another: the samples next to the barrier become some
hundred waves, and each stair takes one product of a small matrix. Cells further down,
which do not feel the barrier meanwhile, are moved through the whole block at once, as
if it had stayed where it was; then each of the stairs passed costs them one P. In all,
about O(l**(5/8)) time and O(sqrt l) memory.

The whole window is the band of the deck (`band`): what a path from the full deck may
visit. All deck sizes on the way can be read off, `Staircase.total`.

The transforms' rounding is of the size of the largest D times 2**-53. In the total of
l + l cards that is a relative error of about 1e-14; with unequal colours P(N, s) of the
full deck is smaller, and the error is larger by ``exp(s**2 / 2N)``. `audit` bounds all
errors rigorously, while the climb goes on.

References
----------
The reflection principle: W. Feller, *An Introduction to Probability Theory and Its
Applications*, volume 1, chapter III. Free boundaries by FFT, for American options: Z.
Ahmad et al., "Fast American option pricing using nonlinear
stencils", PPoPP 2024.
"""
