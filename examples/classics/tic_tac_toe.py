"""Tic-tac-toe and Nim, whose rules come from OpenSpiel.

In tic-tac-toe two players mark squares in turn, and the first with three in a line
wins. In Nim they take any number of counters from one of some heaps; in normal play the
last counter wins, in misère play it loses. OpenSpiel has the rules of both.

C. L. Bouton, "Nim, a game with a complete mathematical theory", Annals of Mathematics 3
(1901), 35-39, found who wins: in normal play the player to move, unless the binary
numbers of counters add up to nothing without carrying; in misère play the same, but for
heaps of one counter only.

The script needs OpenSpiel (the extra openspiel). It prints what tic-tac-toe is worth,
between perfect players and against one who plays at random, and in how many positions
of Nim Bouton's rule is right.
"""

from __future__ import annotations

from functools import reduce
from operator import xor
from typing import Any

from cardgames_dp import exact, interop, play

HEAPS = (1, 3, 5, 7)


def tic_tac_toe() -> Any:
    """Return the game; a state is the text of the board."""
    return interop.from_open_spiel("tic_tac_toe", key=str)


def turned(board: str) -> str:
    """Return what a board looks like from the best of eight sides: the least text."""
    rows = board.split("\n")
    sides = []
    for square in (rows, ["".join(column) for column in zip(*rows, strict=True)]):
        sides += [
            "\n".join(line[::across] for line in square[::down])
            for down, across in [(1, 1), (1, -1), (-1, 1), (-1, -1)]
        ]
    return min(sides)


def at_random(game: Any) -> Any:
    """Return a player to whom all actions are alike."""
    return lambda state: dict.fromkeys(game.legal_actions(state), 1)


def outcomes(game: Any, *players: Any) -> dict[int, Any]:
    """Return how likely the first player is to win (1), to draw (0) and to lose."""
    law = play.distribution(game, players, backend="exact").returns[0]
    return {result: law.pmf(result) for result in (1, 0, -1)}


def nim(*, misere: bool) -> Any:
    """Return Nim; a state is the text of the heaps, and who moves."""
    piles = ";".join(map(str, HEAPS))
    name = f"nim(pile_sizes={piles},is_misere={str(misere).lower()})"
    return interop.from_open_spiel(name, key=lambda s: (str(s), s.current_player()))


def mover_wins(heaps: list[int], *, misere: bool) -> bool:
    """Return whether the player to move wins, by Bouton's rule."""
    unequal = reduce(xor, heaps) != 0
    return unequal != (misere and max(heaps) <= 1)


def right(solution: Any, *, misere: bool) -> int:
    """Return in how many positions the rule says who wins."""
    count = 0
    for (text, mover), value in solution.values.items():
        if mover < 0:
            continue
        heaps = [int(word) for word in text.partition(": ")[2].split()]
        count += (value == (1, -1)[mover]) == mover_wins(heaps, misere=misere)
    return count


def main() -> None:
    """Solve both games."""
    try:
        game = tic_tac_toe()
    except ModuleNotFoundError as error:
        print(error)
        return
    solution = exact.solve(game)
    boards = [*solution.values]
    print(
        f"tic-tac-toe: worth {solution.value}, {len(boards)} positions, "
        f"{len({*map(turned, boards)})} if turned boards are the same"
    )
    chaos, perfect = at_random(game), exact.solve(game, tie_break="uniform")
    first = play.best_response(game, [None, chaos], 0, backend="exact")
    rows = {
        "both at random": outcomes(game, chaos, chaos),
        "perfect against random": outcomes(game, perfect, chaos),
        "random against perfect": outcomes(game, chaos, perfect),
        "best answer to random": outcomes(game, first, chaos),
    }
    print(f"{'first player':24}  wins      draws     loses")
    for name, row in rows.items():
        print(f"{name:24}", *[f"{float(row[x]):9.6f}" for x in (1, 0, -1)])
    print(
        "wins of the last two:",
        rows["both at random"][1],
        "and",
        rows["best answer to random"][1],
    )
    for misere in (False, True):
        heaps = exact.solve(nim(misere=misere))
        moves = sum(mover >= 0 for _, mover in heaps.values)
        print(
            f"Nim {HEAPS}, {'misère' if misere else 'normal'}: first player "
            f"{'wins' if heaps.value > 0 else 'loses'}; Bouton's rule is right in "
            f"{right(heaps, misere=misere)} of {moves} positions"
        )


if __name__ == "__main__":
    main()
