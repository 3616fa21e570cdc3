"""Estimate which mixture of policies a player follows, from games.

A sister takes the larger card, but any card in one turn of five. Prints what a hundred
games against her tell, and the best response to the estimate. Takes no arguments.

At each turn the player follows one of several candidates, drawn anew with unknown
weights w, as a mixture does, so that a turn t that candidate k takes with probability
p[k, t] is taken with probability ``sum(w[k] p[k, t])``. The EM algorithm shares each
turn among the candidates in proportion to ``w[k] p[k, t]``, makes these shares the new
weights, and repeats (Dempster, Laird and Rubin 1977, section 4.3). A turn is added for
each candidate beforehand.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import cardrow, play

SISTER = play.mixture({"larger": 4, "random": 1})
CANDIDATES = ["larger", "random"]
GAMES, CARDS, ROUNDS = 100, 12, 1000


def chance(policy: str, rest: tuple[int, ...], side: str) -> float:
    """Return the probability that a player takes a side of what is left."""
    if policy == "random":
        return 0.5
    return float(cardrow.match(rest, policy, "optimal").turns[0] == side)


def turns(game: cardrow.Match[Any], seat: int) -> Iterator[tuple[tuple[int, ...], str]]:
    """Yield what was left before each turn of a player with a choice, and the side."""
    rest = tuple(map(int, game.cards))
    for number, turn in enumerate(game.turns):
        if number % 2 == seat and len(rest) > 1:
            yield rest, turn
        rest = rest[1:] if turn == "left" else rest[:-1]


def most_likely(table: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the weights of the candidates, from their chances of each turn."""
    count, candidates = table.shape
    weights = np.full(candidates, 1 / candidates)
    for _ in range(ROUNDS):
        shares = table * weights
        shares /= shares.sum(axis=1, keepdims=True)
        weights = (shares.sum(axis=0) + 1) / (count + candidates)
    return weights


def errors(
    table: NDArray[np.float64], weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return standard errors, from the curvature at the most likely weights."""
    scaled = table / (table @ weights)[:, None]
    curvature = scaled.T @ scaled + np.diag(1 / weights**2)
    # Weights sum to 1, so only directions that sum to 0 count: an orthonormal basis.
    basis = np.linalg.svd(np.ones((1, len(weights))))[2][1:].T
    spread = basis @ np.linalg.inv(basis.T @ curvature @ basis) @ basis.T
    return np.sqrt(np.diag(spread))


def main() -> None:
    """Print the estimate and the response to it."""
    rng = np.random.default_rng(1)
    rows = cardrow.deal(GAMES, CARDS, rng=rng)
    games = [cardrow.match(row, "optimal", SISTER, rng=rng) for row in rows]
    seen = [turn for game in games for turn in turns(game, seat=1)]
    table = np.array([[chance(k, *turn) for k in CANDIDATES] for turn in seen])
    weights = most_likely(table)
    print(f"The sister, by {len(seen)} turns:")
    for policy, *numbers in zip(
        CANDIDATES, weights, errors(table, weights), strict=True
    ):
        print(f"{policy:8}", " ± ".join(f"{x:.3f}" for x in numbers))
    row = [8, 4, 2, 2, 4, 8]
    found = play.mixture(zip(CANDIDATES, weights.tolist(), strict=True))
    for name, player in [("the estimate", found), ("the sister", SISTER)]:
        value = play.best_response(cardrow.game(row), player, 0).value
        print(f"The best response to {name} wins {value:.2f} on {row}.")


if __name__ == "__main__":
    main()
