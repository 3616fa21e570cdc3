"""Tic-tac-toe and Nim, as OpenSpiel has them.

OpenSpiel is a collection of games and of algorithms that learn them. A game of perfect
information of its is solved exactly here: `cardgames_dp.interop.from_open_spiel` finds
all states, which a function of the position tells apart.

In Nim two players in turn take any number of matches from one of some heaps. The usual
question is who takes the last match: this player wins, or in the *misere* game loses.
C. L. Bouton ("Nim, a game with a complete mathematical theory", Annals of Mathematics 3
(1901), 35-39) gave the rule: who is to move loses if the heaps, in binary, sum to 0
without carry. In the misere game this is so if a heap has two matches or more; if none
has, who is to move loses if the number of heaps is odd.

The script needs OpenSpiel (the extra ``openspiel``), and takes no argument.
"""

from __future__ import annotations

import sys
from functools import reduce
from importlib.util import find_spec
from operator import xor
from typing import Any

from cardgames_dp import exact, interop
from cardgames_dp.game import Solution

SIDES = [
    (0, 1, 2, 3, 4, 5, 6, 7, 8),
    (6, 3, 0, 7, 4, 1, 8, 5, 2),
    (8, 7, 6, 5, 4, 3, 2, 1, 0),
    (2, 5, 8, 1, 4, 7, 0, 3, 6),
]
"""A board turned; each of them read from right to left is its mirror image."""


def least(board: str) -> str:
    """Return the first of all boards that are the same but for turns and mirrors."""
    cells = board.replace("\n", "")
    turned = ["".join([cells[i] for i in side]) for side in SIDES]
    mirrored = [
        "".join([each[i] for i in (2, 1, 0, 5, 4, 3, 8, 7, 6)]) for each in turned
    ]
    return min(turned + mirrored)


def tic_tac_toe() -> Solution[Any, int, Any]:
    """Return the game, solved. A state is the text of the board."""
    return exact.solve(interop.from_open_spiel("tic_tac_toe", key=str, rng=1))


def nim(heaps: tuple[int, ...], *, misere: bool) -> Solution[Any, int, Any]:
    """Return Nim, solved. A state is a text: who moves, and the heaps."""
    sizes = ";".join(map(str, heaps))
    name = f"nim(pile_sizes={sizes},is_misere={misere})"
    return exact.solve(interop.from_open_spiel(name, key=str, rng=1))


def read(state: str) -> tuple[int, list[int]]:
    """Return who moves and the heaps, from the text of a state of Nim."""
    mover, heaps = state.split(":")
    return int(mover.strip("()")), [int(heap) for heap in heaps.split()]


def bouton(heaps: list[int], *, misere: bool) -> bool:
    """Return whether who is to move wins, by the rule."""
    if misere and max(heaps) <= 1:
        return sum(heaps) % 2 == 0
    return reduce(xor, heaps) != 0


def main() -> None:
    """Solve both games."""
    if find_spec("pyspiel") is None:
        sys.exit("This example needs OpenSpiel: pip install cardgames_dp[openspiel]")
    solution = tic_tac_toe()
    boards = {*map(least, solution.values)}
    print(f"tic-tac-toe: {solution.num_states:,} positions,", end=" ")
    print(f"{len(boards)} but for turns and mirrors; value {solution.value[0]}")
    for name, opening in (("corner", 0), ("edge", 1), ("centre", 4)):
        board = ["."] * 9
        board[opening] = "x"
        state = "\n".join("".join(board[i : i + 3]) for i in (0, 3, 6))
        count = len(solution.optimal_actions[state])
        print(f"  after an opening in the {name}, replies that do not lose: {count}")
    wins = {}
    for misere in (False, True):
        found = nim((1, 3, 5, 7), misere=misere)
        wins[misere] = {
            state: values[read(state)[0]] == 1 for state, values in found.values.items()
        }
        right = [
            won == bouton(read(state)[1], misere=misere)
            for state, won in wins[misere].items()
        ]
        kind = "misere" if misere else "normal"
        loser = "loses" if found.value[0] == -1 else "wins"
        print(f"Nim with 1, 3, 5 and 7, {kind}: who begins {loser};")
        print(f"  Bouton's rule is right in {sum(right)} of {len(right)} positions")
    other = [state for state, won in wins[False].items() if won != wins[True][state]]
    largest = max(max(read(state)[1]) for state in other)
    print(
        f"different winners in {len(other)} positions, with heaps of {largest} at most"
    )


if __name__ == "__main__":
    main()
