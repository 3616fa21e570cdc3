"""QuantEcon.py: a discrete dynamic program, solved by backward induction."""

from typing import Any

import numpy as np
from quantecon.markov import DiscreteDP, backward_induction
from scipy import sparse

ABOUT = ("QuantEcon.py", "quantecon", "float64")


def build(n: int) -> Any:
    red, black = (grid.ravel() for grid in np.indices((n + 1, n + 1)))
    over = (n + 1) ** 2
    state = np.arange(over)
    cards = np.maximum(red + black, 1)
    stop = sparse.csr_matrix(
        (np.ones(over + 1), (np.arange(over + 1), [over] * (over + 1)))
    )
    rows = np.concatenate([state[red > 0], state[black > 0]])
    after = np.concatenate([state[red > 0] - n - 1, state[black > 0] - 1])
    chance = np.concatenate([(red / cards)[red > 0], (black / cards)[black > 0]])
    shape = (over, over + 1)
    draw = sparse.csr_matrix((chance, (rows, after)), shape)[1:]
    pairs = np.concatenate([np.arange(over + 1), state[1:]])
    actions = np.concatenate([np.zeros(over + 1, int), np.ones(over - 1, int)])
    rewards = np.concatenate([np.zeros(over + 1), ((red - black) / cards)[1:]])
    order = np.lexsort((actions, pairs))
    moves = sparse.vstack([stop, draw]).tocsr()[order]
    return n, DiscreteDP(rewards[order], moves, 1.0, pairs[order], actions[order])


def solve(model: Any) -> float:
    n, program = model
    values, _ = backward_induction(program, 2 * n)
    return float(values[0, (n + 1) ** 2 - 1])
