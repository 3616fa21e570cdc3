"""Solve Pairs with three players: seats, the first decision, rules of thumb.

The games with eight, nine and ten ranks (55 cards) come with the library; the script
solves smaller ones.

The first argument is the largest number of ranks to solve, 4 to 7; with 6, as without
an argument, it takes a minute or two, with 7 ten times as long. The second argument is
the number of ranks for the first decision, 8 to 10; 10 takes some minutes and 4 GB,
because it needs all positions of a round.
"""

import itertools
import sys
from collections.abc import Iterable
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import Any, TypeAlias

from cardgames_dp import game, pairs

RANKS = int(sys.argv[1]) if sys.argv[1:] else 6
OPENING = int(sys.argv[2]) if sys.argv[2:] else 8
KNOWN = (8, 9, 10)
"""Ranks of the games that come with the library."""
THUMBS = ("expected_points", "fifty_percent", "always_hit")


Solution: TypeAlias = game.Solution[pairs.State, Any, float]


def heading(text: str) -> None:
    """Print a line that sets off what follows."""
    print(f"\n{text}\n{'-' * len(text)}")


def show_seats(solutions: Iterable[Solution]) -> None:
    """Print the chances of winning by seat; a fair share is two games in three."""
    heading("Three players, 21 points: chances of winning by seat")
    print("ranks   cards     first    second     third     ties   smallest difference")
    for solution in solutions:
        about = pairs.score_table(solution)
        ranks, cards = len(about.rules.ranks), sum(about.rules.counts)
        chances = [f"{chance:.6f}" for chance in solution.payoffs]
        closest = f"{about.smallest_lead:.0e}"
        print(f"{ranks:5}{cards:8}  {'  '.join(chances)}{about.ties:9,}{closest:>12}")


def runs(ranks: Iterable[int]) -> str:
    """Return ranks in short: 1-3 for 1, 2 and 3."""
    told = []
    numbered = enumerate(ranks)
    for _, together in itertools.groupby(numbered, lambda pair: pair[1] - pair[0]):
        first, *rest = [rank for _, rank in together]
        told.append(f"{first}-{rest[-1]}" if rest else str(first))
    return " ".join(told)


def show_opening(solution: Solution) -> None:
    """Print the third cards against which the leader folds, by the two others."""
    opening = pairs.opening_table(solution)
    ranks = opening.ranks
    heading(f"The first decision with {len(ranks)} ranks, one card each, 0 points")
    print("The cards of the last player against which the leader folds. Rows: the own")
    print("card. Columns: the card of the player on the left.\n")
    print("own" + "".join([f"{rank:>8}" for rank in ranks]))
    for own, rank in enumerate(ranks):
        cells = []
        for left in range(len(ranks)):
            possible = opening.possible[own, left]
            folds = possible & ~opening.hits[own, left]
            last = [ranks[i] for i in folds.nonzero()[0]]
            if possible.any() and (folds == possible).all():
                cells.append("all")
            else:
                cells.append(runs(last) or ("none" if possible.any() else ""))
        print(f"{rank:3}" + "".join([f"{cell:>8}" for cell in cells]))


def show_thumbs(solutions: Iterable[Solution], executor: Executor) -> None:
    """Print what rules of thumb win against two players who play better."""
    heading("Rules of thumb: chance of winning against two others (fair: 0.6667)")
    print("                         against optimal play           a best response")
    print("ranks                      first    second     third      mean  wins of two")
    for solution in solutions:
        rules: pairs.Rules = solution.game.rules
        ranks = len(rules.ranks)
        for thumb in THUMBS:
            policies = [thumb, solution, solution]
            found = pairs.rates(rules, policies, executor=executor)
            best = pairs.rates(rules, [None, thumb, thumb], executor=executor)
            # In the second seat another player moves first: the last of the three.
            seats = [found.by_leader[-seat][0] for seat in range(3)]
            chances = [*seats, found.mean[0], best.mean[0]]
            print(
                f"{ranks:5}  {thumb!s:<17}"
                + "".join([f"{chance:10.6f}" for chance in chances])
            )


def main() -> None:
    """Print everything."""
    games = [pairs.Rules(3, ranks) for ranks in range(4, RANKS + 1)]
    with ThreadPoolExecutor() as executor:
        solved = [pairs.solve(rules, executor=executor) for rules in games]
        show_seats([*solved, *[pairs.published(3, ranks) for ranks in KNOWN]])
        show_opening(pairs.published(3, OPENING))
        show_thumbs(solved, executor)


if __name__ == "__main__":
    main()
