"""Find the best rules of thumb for Pairs that a player can remember.

There are three kinds of rules, each with a few numbers: `FoldUpTo`, the points that a
fold may cost; `HitBelow`, a chance of a pair; and `SumBelow`, a limit for the sum of
the cards in hand. The chance of winning against optimal play is computed for each
choice of numbers, without simulation. The search begins with the best numbers in games
with fewer ranks, and moves to a neighbour that wins more, until there is none. Writes a
table into the current folder, pairs_rules.csv.

The number of ranks can be given; otherwise it is 7. With 10, the published game, the
script takes a quarter of an hour or more.
"""

import csv
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

from cardgames_dp import game, pairs

RANKS = int(sys.argv[1]) if sys.argv[1:] else 7
Numbers: TypeAlias = tuple[int, ...]
Kind: TypeAlias = Callable[..., Any]
Solution: TypeAlias = game.Solution[pairs.State, Any, float]


def hit_below(hundredths: int) -> Any:
    """Return the rule with a chance in hundredths."""
    return pairs.HitBelow(f"{hundredths / 100:.2f}")


KINDS: tuple[tuple[Kind, Numbers, tuple[Numbers, ...]], ...] = (
    (pairs.FoldUpTo, (1,), ((1,),)),
    (hit_below, (50,), ((10,), (3,), (1,))),
    (pairs.SumBelow, (8, 0, 1), ((1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 2, 0))),
)
"""The kinds of rules, the numbers to start with, and steps to their neighbours."""


def neighbours(numbers: Numbers, steps: tuple[Numbers, ...]) -> Iterator[Numbers]:
    """Yield the numbers that are one step away, up or down."""
    for step in steps:
        for sign in (1, -1):
            there = [x + sign * by for x, by in zip(numbers, step, strict=True)]
            if min(there) >= 0:
                yield tuple(there)


def climb(
    worth: Callable[[Numbers], float], numbers: Numbers, steps: tuple[Numbers, ...]
) -> Numbers:
    """Return numbers that are worth more than all their neighbours."""
    known = {numbers: worth(numbers)}
    while True:
        here = numbers
        for there in neighbours(here, steps):
            if there not in known:
                known[there] = worth(there)
            if known[there] > known[numbers]:
                numbers = there
        if numbers == here:
            return here


def search(
    kind: Kind,
    numbers: Numbers,
    steps: tuple[Numbers, ...],
    games: list[Solution],
    executor: Executor,
) -> Numbers:
    """Return the best numbers for the last of some games, by way of the others."""
    for optimal in games:
        numbers = climb(partial(wins, kind, optimal, executor), numbers, steps)
    return numbers


def wins(kind: Kind, optimal: Solution, executor: Executor, numbers: Numbers) -> float:
    """Return how often a rule wins against optimal play, and print it."""
    rule, rules = kind(*numbers), optimal.game.rules
    mean = pairs.rates(rules, [rule, optimal], executor=executor).mean[0]
    print(f"{len(rules.ranks):3} ranks  {rule!s:24} {mean:.6f}", flush=True)
    return mean


def row(policy: Any, optimal: Solution, executor: Executor) -> list[str]:
    """Return what a rule wins against optimal play and against a best response."""
    rules = optimal.game.rules
    found = pairs.rates(rules, [policy, optimal], executor=executor)
    worst = pairs.rates(rules, [policy, None], executor=executor).mean[0]
    first, second = [chances[0] for chances in found.by_leader]
    chances = [first, second, found.mean[0], 0.5 - found.mean[0], worst]
    return [found.policies[0], *[f"{chance:.6f}" for chance in chances]]


def main() -> None:
    """Search, and print and write the table."""
    header = ["rule", "first", "second", "mean", "loss", "mean, at worst"]
    found: list[Any] = ["fifty_percent", "expected_points"]
    with ThreadPoolExecutor() as executor:
        games = [
            pairs.solve(pairs.Rules(deck=ranks), executor=executor)
            for ranks in range(min(6, RANKS), RANKS + 1)
        ]
        for kind, start, steps in KINDS:
            found.append(kind(*search(kind, start, steps, games, executor)))
        rows = [row(policy, games[-1], executor) for policy in found]
    for cells in [header, *rows]:
        print(f"{cells[0]:22}" + "".join([f"{cell:>16}" for cell in cells[1:]]))
    with Path("pairs_rules.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([header, *rows])


if __name__ == "__main__":
    main()
