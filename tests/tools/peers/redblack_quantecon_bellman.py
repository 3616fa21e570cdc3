"""QuantEcon.py: the same program, its operator applied once for each move."""

from typing import Any

import numpy as np

from .redblack_quantecon import build

ABOUT = ("QuantEcon.py, bellman_operator", "quantecon", "float64")

__all__ = ["ABOUT", "build", "solve"]


def solve(model: Any) -> float:
    n, program = model
    values, after = np.zeros(program.num_states), np.empty(program.num_states)
    for _ in range(2 * n):  # two vectors, where backward_induction keeps all of them
        program.bellman_operator(values, after)
        values, after = after, values
    return float(values[(n + 1) ** 2 - 1])
