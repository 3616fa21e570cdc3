"""pymdptoolbox: a Markov decision process with a finite horizon."""

from typing import Any

import numpy as np
from mdptoolbox.mdp import FiniteHorizon
from scipy import sparse

ABOUT = ("pymdptoolbox", "pymdptoolbox", "float64")


def build(n: int) -> Any:
    red, black = (grid.ravel() for grid in np.indices((n + 1, n + 1)))
    over = (n + 1) ** 2
    state = np.arange(over)
    cards = np.maximum(red + black, 1)
    stop = sparse.csr_matrix(
        (np.ones(over + 1), (np.arange(over + 1), [over] * (over + 1)))
    )
    rows = np.concatenate([state[red > 0], state[black > 0], [0, over]])
    after = np.concatenate([state[red > 0] - n - 1, state[black > 0] - 1, [over, over]])
    chance = np.concatenate(
        [(red / cards)[red > 0], (black / cards)[black > 0], [1, 1]]
    )
    draw = sparse.csr_matrix((chance, (rows, after)))
    rewards = np.zeros((over + 1, 2))
    rewards[:over, 1] = (red - black) / cards
    return n, FiniteHorizon([stop, draw], rewards, 1, 2 * n)


def solve(model: Any) -> float:
    n, process = model
    process.run()
    return float(process.V[(n + 1) ** 2 - 1, 0])
