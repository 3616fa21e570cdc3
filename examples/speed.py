"""Measure how fast the library is on your machine, and what each of its methods costs.

Prints each time when it is measured, and writes tables into the current folder,
speed_*.csv, with a line on the machine, speed_machine.txt; pages of the documentation
show those files. The calls in the tables are the code that is timed.

With a size as its argument, it leaves out calls with larger sizes and makes all others
once. Without an argument it takes about a minute.
"""

import csv
import functools
import math
import os
import platform
import sys
import time
import timeit
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import scipy

from cardgames_dp import (
    cardrow,
    diagonal,
    exact,
    fitting,
    game,
    pairs,
    play,
    redblack,
)

LARGEST = int(sys.argv[1]) if sys.argv[1:] else 10**9
RUNS = 1 if sys.argv[1:] else 5
ENOUGH = 1.5  # seconds; a call that has taken them is not made again

FINE = time.get_clock_info("process_time").resolution <= 1e-6
CLOCK = time.process_time if FINE else time.perf_counter
"""The processor's time, so that what else the machine does matters little; or the
clock's, on systems that do not tell the other finely enough."""


MODULES = {
    "cardrow": cardrow,
    "diagonal": diagonal,
    "exact": exact,
    "fitting": fitting,
    "game": game,
    "pairs": pairs,
    "play": play,
    "redblack": redblack,
}


def deck(size: int) -> dict[str, Any]:
    """Return the names in calls of red/black, each of which uses one of the three.

    They are l, the cards of each colour, k, the largest excess, and a number of games.
    """
    return {**MODULES, "l": size, "k": size, "games": size}


def row(n: int) -> dict[str, Any]:
    """Return the names in calls of cards in a row: n random cards from 1 to 13."""
    cards = np.random.default_rng(1).integers(1, 14, n)
    return {**MODULES, "cards": cards, "game_of": game_of}


def triangle(n: int) -> dict[str, Any]:
    """Return the names in calls of Pairs: four sets of rules for a deck of n cards."""
    cards = math.isqrt(2 * n)  # n = ranks (ranks + 1) / 2
    return {
        **MODULES,
        "two": pairs.Rules(deck=cards),
        "three": pairs.Rules(deck=cards, players=3),
        "counting": pairs.Rules(deck=cards, reshuffle="exhausted"),
        "short": pairs.Rules(deck=cards, target=5),
    }


def game_of(position: play.Position[Any, Any, Any]) -> None:
    """Play a whole game, by the best move against a player who takes any end."""
    coins = np.random.default_rng(1).random(position.state.right + 1) < 0.5
    for coin in coins.tolist():
        if position.player == 0:
            position = position.play(position.advice().action)
        else:
            position = position.play("left" if coin else "right")


Names = Callable[[int], dict[str, Any]]


class Method(NamedTuple):
    """A way to solve a game, and the sizes that it is for."""

    call: str
    largest: int
    smallest: int = 1


CHOICES: dict[str, tuple[Names, tuple[int, ...], tuple[Method, ...]]] = {
    "redblack": (
        deck,
        (10, 100, 1000, 10**5, 10**7),
        (
            Method("exact.solve(game.explore(redblack.game(l, l)))", 100),
            Method("redblack.value(l, l, backend='exact')", 1000),
            Method("redblack.enclosure(l, l, method='diagonal')", 10**5),
            Method("redblack.enclosure(l, l, method='staircase')", 10**7),
            Method("redblack.value(l, l, method='diagonal')", 10**5),
            Method("redblack.value(l, l, method='staircase')", 10**7),
            Method("fitting.asymptotic_value(l)", 10**7, smallest=1000),
        ),
    ),
    "cardrow": (
        row,
        (10, 18, 2000, 20_000, 10**6),
        (
            Method("cardrow.brute_force(cards)", 18),
            Method("exact.solve(game.explore(cardrow.game(cards)))", 18),
            Method("cardrow.solve(cards).table()", 2000),
            Method("cardrow.value(cards, method='diagonal')", 20_000),
            Method("cardrow.match(cards)", 10**6),
            Method("cardrow.value(cards)", 10**6),
        ),
    ),
    "pairs": (
        triangle,
        (3, 6, 10, 15, 36, 55),
        (
            Method("exact.solve(pairs.game(short))", 6),
            Method("pairs.solve(short)", 55),
            Method("pairs.solve(two)", 55),
            Method("pairs.solve(three)", 15),
            Method("pairs.solve(counting)", 15),
        ),
    ),
}
"""Of each game, ways to solve it and the sizes to compare them at."""

SPEED: dict[str, tuple[Names, Mapping[str, tuple[int, ...]]]] = {
    "redblack": (
        deck,
        {
            "redblack.value(l, l)": (10**5, 10**6, 10**7, 133_787_000),
            "redblack.enclosure(l, l)": (10**5, 10**6, 10**7),
            "redblack.value(l, l, method='diagonal')": (10**5,),
            "redblack.value(l, l, backend='exact')": (1000, 3000),
            "redblack.value(l, l, digits=50)": (1000, 10_000),
            "redblack.value(range(l), range(l))": (22_975,),
            "redblack.solve(l, l)": (5000,),
            "redblack.thresholds(k)": (389, 2000),
            "play.distribution(redblack.game(l, l), 'optimal')": (10**4,),
            "play.simulate(redblack.game(26, 26), 'optimal', games)": (10**7,),
            "exact.solve(game.explore(redblack.game(l, l)))": (26, 100),
            "diagonal.solve(game.explore(redblack.game(l, l)))": (26, 100),
        },
    ),
    "cardrow": (
        row,
        {
            "cardrow.value(cards)": (20_000, 10**6, 10**7),
            "cardrow.value(cards, method='diagonal')": (20_000,),
            "cardrow.match(cards)": (10**6,),
            "play.Position(cardrow.solve(cards)).advice()": (10**6,),
            "cardrow.solve(cards).table()": (2000,),
            "play.best_response(cardrow.game(cards), [None, 'larger'], 0)": (5000,),
            "game_of(play.Position(cardrow.solve(cards)))": (10**5,),
        },
    ),
    "pairs": (
        triangle,
        {
            "pairs.solve(two)": (55,),
            "pairs.enclosure(two)": (55,),
            "pairs.rates(two, [None, 'fifty_percent'])": (55,),
            "pairs.rates(two, ['fifty_percent', 'always_hit'])": (55,),
            "pairs.rates(two, ['fifty_percent', 'always_hit'], games=10**5)": (55,),
            "pairs.solve(three)": (21,),
            "pairs.solve(counting)": (15,),
        },
    ),
}
"""Of each game, the calls that most people make, and their sizes."""


@functools.cache
def measured(names: Names, call: str, n: int) -> str:
    """Return how long a call takes in the best of some runs, and print it."""
    timer = timeit.Timer(call, timer=CLOCK, globals=names(n))
    times: list[float] = []
    while len(times) < RUNS and sum(times) < ENOUGH:
        times.append(timer.timeit(1))
    taken = in_words(min(times))
    print(f"{taken:>8}  {call}, size {n:,}", flush=True)
    return taken


def in_words(seconds: float) -> str:
    """Return a time with two digits and its unit."""
    unit, length = "µs", 1e-6
    for larger, so_long in (("ms", 1e-3), ("s", 1.0)):
        if seconds >= 0.1 * so_long:
            unit, length = larger, so_long
    return f"{float(f'{seconds / length:.2g}'):g} {unit}"


def write(name: str, header: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Write a table to speed_`name`.csv, its first column as code.

    No line breaks before a unit.
    """
    table = [list(header)]
    for call, *figures in rows:
        table.append(
            [f"``{call}``", *[cell.replace(" ", "\N{NBSP}") for cell in figures]]
        )
    with Path(f"speed_{name}.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(table)


def write_machine() -> None:
    """Write what the times depend on."""
    versions = {
        "Python": platform.python_version(),
        "NumPy": np.__version__,
        "SciPy": scipy.__version__,
    }
    of = ", ".join([f"{name} {version}" for name, version in versions.items()])
    clock = "a processor" if FINE else "the clock"
    Path("speed_machine.txt").write_text(
        f"Measured on a machine with {os.cpu_count()} processors, with {of}. Times are "
        f"those of {clock}, in the best of a few runs.\n",
        encoding="utf-8",
    )


def compare(name: str) -> None:
    """Measure all ways to solve a game at all sizes that they are for."""
    names, sizes, methods = CHOICES[name]
    sizes = tuple([n for n in sizes if n <= LARGEST])
    rows = []
    for call, largest, smallest in methods:
        suited = [smallest <= n <= largest for n in sizes]
        times = [
            measured(names, call, n) if suits else ""
            for n, suits in zip(sizes, suited, strict=True)
        ]
        rows.append([call, *times])
    letter = "l" if name == "redblack" else "n"
    write(f"choose_{name}", [letter, *[f"{n:,}" for n in sizes]], rows)


def measure() -> None:
    """Measure the usual calls of all games."""
    rows = [
        [call, f"{n:,}", measured(names, call, n)]
        for names, calls in SPEED.values()
        for call, sizes in calls.items()
        for n in sizes
        if n <= LARGEST
    ]
    write("calls", ["call", "size", "time"], rows)


def main() -> None:
    """Measure everything."""
    for name in CHOICES:
        compare(name)
    measure()
    write_machine()


if __name__ == "__main__":
    main()
