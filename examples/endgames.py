"""Solve king and rook against king: draws by repetition, and moves to mate.

A game of two players in which nobody has to make progress: what a play pays that never
ends is said by `endless_returns`, here a draw. First it is found which positions are
won; then with how many moves, in a game in which each move of White costs one. Prints
how many positions with Black to move are mate in so many moves, or drawn. On the usual
board these are the classes of the table of A. Bain and A. Hoff, "Chess (King-Rook vs.
King)", UCI Machine Learning Repository, 1994: 27 mates, 16 moves at most, 2796 draws.
(Its table also has 6 positions to which no play leads from here.)

The size of the board can be given; 8 if not, which takes half a minute.
"""

import sys
from collections import Counter
from collections.abc import Sequence
from itertools import product
from typing import Any, TypeAlias

from cardgames_dp import diagonal
from cardgames_dp.game import TERMINAL, explore

Square: TypeAlias = tuple[int, int]
Position: TypeAlias = tuple[Square, Square, Square, int] | str
"""The king and rook of White, the king of Black and who is to move; or how it ended."""

STEPS = [step for step in product((-1, 0, 1), repeat=2) if any(step)]
LINES = [step for step in STEPS if not all(step)]


class Endgame:
    """King and rook against king on a board of any size, up to its symmetries."""

    num_players = 2
    endless_returns = 0, 0

    def __init__(self, size: int) -> None:
        self.size = size

    def initial_state(self) -> Position:
        """Return a position that leads to nearly all others."""
        return self.turned(((0, 0), (1, 1), (self.size - 1, self.size - 2), 0))

    def current_player(self, state: Position) -> int:
        """Return who is to move."""
        return TERMINAL if isinstance(state, str) else state[3]

    def legal_actions(self, state: Position) -> Sequence[Position]:
        """Return the positions to which moves lead, or how the game ends."""
        assert not isinstance(state, str)
        king, rook, black, mover = state
        moves: set[Position] = set()
        for to in self.around(king if mover == 0 else black):
            if mover == 0 and to != rook and not near(to, black):
                moves.add(self.turned((to, rook, black, 1)))
            elif mover == 1 and not near(to, king) and to not in self.line(rook, king):
                moves.add("draw" if to == rook else self.turned((king, rook, to, 0)))
        if mover == 0:
            for to in self.line(rook, king, black):
                moves.add(self.turned((king, to, black, 1)))
        if not moves:
            moves.add("mate" if black in self.line(rook, king) else "draw")
        return sorted(moves, key=str)

    def next_state(self, state: Position, move: Position) -> Position:
        """Return the position to which a move leads."""
        return move

    def chance_outcomes(self, state: Position) -> Any:
        """There is no chance."""
        raise AssertionError("there is no chance")

    def returns(self, state: Position) -> list[int]:
        """Return 1 for a mate, and 0 for a draw."""
        return [1, -1] if state == "mate" else [0, 0]

    def around(self, king: Square) -> list[Square]:
        """Return the squares next to a king."""
        squares = [(king[0] + x, king[1] + y) for x, y in STEPS]
        return [square for square in squares if self.has(square)]

    def line(self, rook: Square, *pieces: Square) -> list[Square]:
        """Return the squares to which a rook can go, with some pieces in its way."""
        squares = []
        for x, y in LINES:
            to = rook[0] + x, rook[1] + y
            while self.has(to) and to not in pieces:
                squares.append(to)
                to = to[0] + x, to[1] + y
        return squares

    def has(self, square: Square) -> bool:
        """Return whether a square is on the board."""
        return min(square) >= 0 and max(square) < self.size

    def turned(self, position: tuple[Square, Square, Square, int]) -> Position:
        """Return the first of the positions that are the same up to symmetry."""
        *pieces, mover = position
        last, every = self.size - 1, []
        for right, top, diagonal_ in product((False, True), repeat=3):
            squares = [
                (last - x if right else x, last - y if top else y) for x, y in pieces
            ]
            every.append([(y, x) for x, y in squares] if diagonal_ else squares)
        king, rook, black = min(every)
        return king, rook, black, mover


def near(one: Square, other: Square) -> bool:
    """Return whether a king could step from one square to another."""
    return max(abs(one[0] - other[0]), abs(one[1] - other[1])) <= 1


def classes(size: int) -> dict[int | None, int]:
    """Return how many positions with Black to move are mate in so many moves, or not.

    Mate is worth more than all moves cost, so a draw is better than no mate only.
    """
    found, most = explore(Endgame(size)), 4 * size * size
    won = diagonal.solve(found)
    costly = found.with_returns(lambda end: [most, -most] if end == "mate" else [0, 0])
    costly = costly.with_rewards(
        lambda state, move: [-1, 1] if state[3] == 0 else [0, 0]
    )
    quick = diagonal.solve(costly)
    assert won.error == 0
    assert quick.error < 1e-6  # so numbers of moves are right
    counts: Counter[int | None] = Counter()
    for state, value in quick.values.items():
        if found.current_player(state) == 1:
            drawn = won.values[state] == 0
            counts[None if drawn else most - round(value)] += 1
    return counts


def main() -> None:
    """Print the classes of a board."""
    size = int(sys.argv[1]) if len(sys.argv) > 1 else 8
    counts = classes(size)
    for moves in sorted(x for x in counts if x is not None):
        print(f"mate in {moves:2}: {counts[moves]}")
    print(f"drawn:      {counts[None]}")


if __name__ == "__main__":
    main()
