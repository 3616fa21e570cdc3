"""Solve endgames of chess with few pieces: draws by repetition, and moves to mate.

A game of two players in which nobody has to make progress: what a play pays that never
ends is said by `endless_returns`, here a draw. First it is found which positions are
won; then with how many moves, in a game in which each move of White costs one. Prints
how many positions with Black to move are mate in so many moves, or drawn. Play begins
in any of them, by lot, as to some of them no move leads.

King and rook against king has 28,056 on the usual board, of which 27 are mates, and
none that is won takes more than 16 moves: the classes of the table of A. Bain and
A. Hoff, "Chess (King-Rook vs. King)", UCI Machine Learning Repository, 1994. With a
queen it is 10 moves.

White's pieces and the size of the board can be given, as "rook 8" or "bishop+knight 5";
Black's stand behind a slash, as "queen/rook 5". With four pieces, 36 squares take two
minutes and 1.3 GB, so 64 squares would take about half an hour and 20 GB.
"""

import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import permutations, product
from typing import TypeAlias

from cardgames_dp import diagonal
from cardgames_dp.game import CHANCE, TERMINAL, explore

Position: TypeAlias = tuple[int, ...] | str
"""Who is to move and the squares of all pieces; or how the game begins or ended."""

STRAIGHT = [(0, 1), (1, 0), (0, -1), (-1, 0)]
OBLIQUE = [(x, y) for x in (-1, 1) for y in (-1, 1)]
LEAPS = [(x, y) for x, y in product((-2, -1, 1, 2), repeat=2) if abs(x * y) == 2]
STEPS: dict[str, list[tuple[int, int]]] = {
    "king": STRAIGHT + OBLIQUE,
    "queen": STRAIGHT + OBLIQUE,
    "rook": STRAIGHT,
    "bishop": OBLIQUE,
    "knight": LEAPS,
}


class Endgame:
    """White with some pieces against Black, on a board of any size.

    Positions that are the same up to symmetries of the board are one state. White can
    win only with all of its pieces; a square of -1 is that of a piece of Black that was
    taken.
    """

    num_players = 2
    endless_returns = 0, 0

    def __init__(self, size: int, white: Sequence[str], black: Sequence[str]) -> None:
        self.size, self.first = size, 1 + len(white)  # the number of White's pieces
        self.kinds = ["king", *white, "king", *black]
        self.rays: dict[str, list[list[list[int]]]] = {
            kind: [list(self.rays_of(kind, square)) for square in range(size**2)]
            for kind in self.kinds
        }
        self.aims = {
            kind: [{to for ray in rays for to in ray} for rays in each]
            for kind, each in self.rays.items()
        }
        self.symmetries = [[*each, -1] for each in self.symmetries_of()]

    def rays_of(self, kind: str, square: int) -> Iterable[list[int]]:
        """Yield where a piece gets to in each direction, if nothing is in its way."""
        far = 1 if kind in ("king", "knight") else self.size
        for x, y in STEPS[kind]:
            row, column = divmod(square, self.size)
            ray = []
            for _ in range(far):
                row, column = row + x, column + y
                if 0 <= min(row, column) <= max(row, column) < self.size:
                    ray.append(row * self.size + column)
            yield ray

    def symmetries_of(self) -> Iterable[list[int]]:
        """Yield where each square goes when the board is turned or reflected."""
        last = self.size - 1
        for right, top, across in product((False, True), repeat=3):
            pairs = product(range(self.size), repeat=2)
            each = [
                (last - x if right else x, last - y if top else y) for x, y in pairs
            ]
            yield [y * self.size + x if across else x * self.size + y for x, y in each]

    def initial_state(self) -> Position:
        """Return the state in which the pieces are not yet placed."""
        return "any position"

    def current_player(self, state: Position) -> int:
        """Return who is to move."""
        if isinstance(state, str):
            return CHANCE if state == self.initial_state() else TERMINAL
        return state[0]

    def legal_actions(self, state: Position) -> Sequence[Position]:
        """Return the positions to which moves lead, or how the game ends."""
        assert not isinstance(state, str)
        mover, *squares = state
        moves: set[Position] = set()
        mine = slice(self.first, None) if mover else slice(self.first)
        for i in range(*mine.indices(len(squares))):
            for ray in self.rays[self.kinds[i]][squares[i]] if squares[i] >= 0 else ():
                for to in ray:
                    if to in squares[mine]:
                        break
                    after = [-1 if square == to else square for square in squares]
                    after[i] = to
                    if not self.check(after, mover):
                        moves.add(self.turned(after, 1 - mover))
                    if to in squares:
                        break
        if not moves:
            moves.add("mate" if self.check(squares, mover) and mover else "draw")
        return sorted(moves, key=str)

    def next_state(self, state: Position, move: Position) -> Position:
        """Return the position to which a move leads."""
        return move

    def chance_outcomes(self, state: Position) -> list[tuple[int, Position]]:
        """Return all positions with Black to move in which White is not in check."""
        every = range(self.size**2)
        corner = {min(turn[square] for turn in self.symmetries) for square in every}
        placed = {
            self.turned(squares, 1)
            for squares in permutations(every, len(self.kinds))
            if squares[0] in corner and not self.check(squares, 0)
        }
        return [(1, position) for position in sorted(placed, key=str)]

    def returns(self, state: Position) -> list[int]:
        """Return 1 for a mate, and 0 for a draw."""
        return [1, -1] if state == "mate" else [0, 0]

    def check(self, squares: Sequence[int], player: int) -> bool:
        """Return whether the king of a player is attacked."""
        king = squares[self.first if player else 0]
        theirs = range(self.first) if player else range(self.first, len(squares))
        for i in theirs:
            kind, square = self.kinds[i], squares[i]
            if square >= 0 and king in self.aims[kind][square]:
                for ray in self.rays[kind][square]:
                    for to in ray:
                        if to == king:
                            return True
                        if to in squares:
                            break
        return False

    def turned(self, squares: Sequence[int], mover: int) -> Position:
        """Return the first of the positions that are the same up to symmetry."""
        if -1 in squares[: self.first]:
            return "draw"  # at best
        turns = self.symmetries
        return mover, *min([[turn[square] for square in squares] for turn in turns])


def classes(endgame: Endgame) -> dict[int | None, int]:
    """Return how many positions with Black to move are mate in so many moves, or not.

    Mate is worth more than all moves cost, so a draw is better than no mate only.
    """
    found, most = explore(endgame), 4 * endgame.size**2
    won = diagonal.solve(found)
    costly = found.with_returns(lambda end: [most, -most] if end == "mate" else [0, 0])
    costly = costly.with_rewards(
        lambda state, move: [-1, 1] if state[0] == 0 else [0, 0]
    )
    quick = diagonal.solve(costly)
    assert max(won.error, quick.error) < 1e-6  # so numbers of moves are right
    counts: Counter[int | None] = Counter()
    for state, value in quick.values.items():
        if found.current_player(state) == 1 and -1 not in state:
            drawn = round(won.values[state]) == 0
            counts[None if drawn else most - round(value)] += 1
    return counts


def main() -> None:
    """Print the classes of an endgame."""
    pieces, size = [*sys.argv[1:], *["rook", "8"][len(sys.argv) - 1 :]]
    white, _, black = pieces.partition("/")
    counts = classes(
        Endgame(int(size), white.split("+"), black.split("+") if black else [])
    )
    for moves in sorted(x for x in counts if x is not None):
        print(f"mate in {moves:2}: {counts[moves]}")
    print(f"drawn:      {counts[None]}")
    print(f"positions:  {sum(counts.values())}")


if __name__ == "__main__":
    main()
