"""Compute the results of the library as tables: values, thresholds, limits, contests.

Prints every table and writes it to a file, results_*.csv, in the current folder; the
page "Results" of the documentation shows copies of these files, from docs/tables, and
has what one line of code gives. (The results on Pairs come from pairs_complete.py.)

Takes the number of zeros of the largest deck. With 9, as without an argument, the
values go up to a billion cards of each colour, which takes a minute or two; 10
takes five or six times as long.
"""

import csv
import functools
import math
import sys
import time
from collections.abc import Iterable, Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from fractions import Fraction
from pathlib import Path

from cardgames_dp import cardrow, fitting, play, redblack

ZEROS = int(sys.argv[1]) if sys.argv[1:] else 9
LARGEST = 10**ZEROS
"""No deck below has more cards of a colour."""

DOCUMENT = {
    26: "2.62447555; its fraction",
    143: "6.21519192",
    22_974: "",
    100_000: "165.075847",
    2_000_000: "818.1",
    133_787_000: "6038.22; 6038.32 in its summary",
}
"""Values of decks that the Problem 14 essay states, or has without stating them."""

AUDITED = {
    1000: "exact",
    3000: "exact",
    100_000: "diagonal",
    1_000_000: "law",
    133_787_000: "law",
}
"""Decks for the bounds of the staircase, and what their midpoints are compared with:
the exact value, that of the other float64 method, or the law of growth."""

LONGER_FLOATS = 1_000_000
"""The largest of them for which longer floats are used as well."""

LARGE_THRESHOLDS = (100, 200, 500, 1000, 2000, 5000, 10_000)

LIMIT = (26, 100, 1000, 10_000)
"""Decks whose laws are compared with the limit."""

GAMES = min(20_000, LARGEST // 100)
"""Games of cards in a row for each pair of players."""

PLAYERS = [
    "optimal",
    "greedy",
    "larger",
    "greedy_literal",
    "random",
]


def show(
    name: str, title: str, header: Sequence[str], rows: Iterable[Sequence[str]]
) -> None:
    """Print a table and write it to results_`name`.csv."""
    table = [header, *rows]
    with Path(f"results_{name}.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(table)
    print(f"\n{title}\n{'-' * len(title)}")
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for row in table:
        cells = [cell.rjust(width) for cell, width in zip(row, widths, strict=True)]
        print("  ".join(cells))


def outwards(bounds: redblack.Enclosure[float]) -> tuple[str, str]:
    """Return the bounds with as many digits as their width has meaning for.

    Rounded outwards, so that what is printed is certified, too.
    """
    unit = Decimal(1).scaleb(math.floor(math.log10(bounds.width)) - 1)
    lower = Decimal(bounds.lower).quantize(unit, ROUND_FLOOR)
    upper = Decimal(bounds.upper).quantize(unit, ROUND_CEILING)
    return f"{lower:f}", f"{upper:f}"


@functools.cache
def enclosed(size: int) -> redblack.Enclosure[float]:
    """Return certified bounds of V(l), computed once: two of the decks take seconds."""
    return redblack.enclosure(size, size)


def within(sizes: Iterable[int]) -> list[int]:
    """Return the sizes of decks that are not too large for this run."""
    return [size for size in sizes if size <= LARGEST]


def show_values() -> None:
    """Show values between certified bounds, and compare the law of growth at 10^k."""
    values, growth = [], []
    powers = [10**k for k in range(ZEROS + 1)]
    limit = float(fitting.limit_constant())
    # The first climb loads what it needs, which is not to be timed.
    redblack.enclosure(1000, 1000, method="staircase")
    for size in sorted({*powers, *within(DOCUMENT)}):
        start = time.process_time()
        bounds = enclosed(size)
        seconds = f"{float(f'{time.process_time() - start:.2g}'):g}"
        print(f"V({size:,}) enclosed in {seconds} s", flush=True)
        width = f"{bounds.width:.0e}"
        stated = DOCUMENT.get(size, "")
        row = [f"{size:,}", *outwards(bounds), width, bounds.method, seconds, stated]
        values.append(row)
        if size not in powers:
            continue
        share = f"{bounds.midpoint / math.sqrt(size):.9f}"
        missing = f"{limit * math.sqrt(size) - bounds.midpoint:.6f}"
        growth.append([f"{size:,}", share, missing, *errors_of_law(size, bounds)])
    show(
        "values",
        "What l red and l black cards are worth, V(l), between certified bounds",
        [
            *("l", "at least", "at most", "width", "method"),
            *("seconds, measured", "the Problem 14 essay"),
        ],
        values,
    )
    show(
        "growth",
        "The same, compared with the limit c √l and the law of growth",
        ["l", "V / √l", "c √l − V", "law's stated error", "certified error"],
        growth,
    )


def errors_of_law(size: int, bounds: redblack.Enclosure[float]) -> tuple[str, str]:
    """Return the error that the law of growth states, and a certified one."""
    if size < 1000:
        return "", ""
    law = fitting.asymptotic_value(size)
    certain = max(law.value - bounds.lower, bounds.upper - law.value)
    return f"{law.error:.0e}", f"{certain:.0e}"


def show_widths() -> None:
    """Show the widths of the staircase's bounds, and how good their midpoints are."""
    rows = []
    for size in within(AUDITED):
        bounds = enclosed(size)
        if bounds.method != "staircase":
            bounds = redblack.enclosure(size, size, method="staircase")
        against = AUDITED[size]
        other: Fraction | float
        if against == "exact":
            other = redblack.value(size, size, backend="exact")
        elif against == "diagonal":
            other = redblack.value(size, size, method="diagonal")
        else:
            other = float(fitting.asymptotic_value(size))
        error = abs(float(bounds.midpoint - other)) / bounds.midpoint
        relative = [f"{bounds.width / bounds.lower:.1e}", ""]
        if size <= LONGER_FLOATS:
            longer = redblack.enclosure(size, size, digits=12, method="staircase")
            relative[1] = f"{longer.width / longer.lower:.0e}"
        rows.append([f"{size:,}", *relative, f"{error:.0e}", against])
    header = [
        "l",
        "relative width",
        "with digits=12",
        "relative error of the midpoint, measured",
        "against",
    ]
    show("widths", "The bounds of the staircase", header, rows)


def boundary(n: int) -> float:
    """Return about where to stop with n cards left, for large n: the terms known."""
    alpha, decay = float(fitting.shepp_alpha()), float(fitting.decay_exponent(1))
    zeta, end = -0.2078862249773546, -0.113568895  # zeta(-1/2); of the end of the deck
    root = math.sqrt(n)
    quarter = -2 * zeta * math.sqrt(alpha / math.pi) / math.sqrt(root)
    end *= root ** (-2 * decay)
    return float(alpha * root - 1 / 2 + end + quarter - alpha**3 / 12 / root)


def show_thresholds() -> None:
    """Show where to stop: some large thresholds."""
    alpha = float(fitting.shepp_alpha())
    large = [k for k in LARGE_THRESHOLDS if (k / alpha) ** 2 < 2 * LARGEST]
    found = redblack.thresholds(max(large))
    count = len(found.n)
    rows = []
    for k in large:
        n, limit = found.n[k - 1].item(), f"{(k / alpha) ** 2:,.1f}"
        if n < 0:
            rows.append([f"{k:,}", "open", limit, ""])
        else:
            guessed = boundary(n) <= k < boundary(n + 2)
            rows.append([f"{k:,}", f"{n:,}", limit, "yes" if guessed else "no"])
    header = ["k", "n_k", "(k / α)²", "guessed right"]
    show("large_thresholds", "Large thresholds", header, rows)
    print(f"Of the first {count:,}, {(found.n > 0).sum():,} are certain.")


def show_limit() -> None:
    """Show payoff and duration of larger and larger decks beside their limit."""
    drawn = fitting.LimitDistribution("duration")
    paid = fitting.LimitDistribution("payoff")
    exponent, seen = float(fitting.decay_exponent(1)), fitting.shepp_alpha() ** 2
    rows = []
    for size in within(LIMIT):
        deck = redblack.game(size, size)
        found = play.distribution(deck, "optimal", count="draw")
        payoff, share = found.returns[0], found.moves.mean / (2 * size)
        deviation = payoff.std / math.sqrt(size)
        last = payoff.cdf(0) * size**exponent
        bound = (1 - float(seen)) * (4**size / math.comb(2 * size, size))
        below = (bound - redblack.value(size, size)) * size**exponent
        numbers = (share, deviation, last, below)
        rows.append([f"{size:,}", *(f"{x:.6f}" for x in numbers)])
    limits = [drawn.mean, paid.std, -fitting.GROWTH_TERMS[1].coefficient]
    mean, spread, missing = (f"{x:.6f}" for x in limits)
    rows.append(["limit", mean, spread, "", missing])
    header = [
        "l",
        "cards drawn, mean share",
        "deviation of the payoff / √l",
        "P(all are drawn) l^λ",
        "(bound − V) l^λ",
    ]
    show("limit", "Payoff and duration of large decks", header, rows)


def show_tournament() -> None:
    """Show who wins cards in a row, all against all."""
    deals = cardrow.deal(GAMES, 10, deck=range(1, 14), replace=True, rng=2)
    rules = cardrow.Rules(tie="right")
    results = cardrow.tournament(PLAYERS, deals, rules=rules, rng=3)
    rows = []
    for name, rates, errors in zip(
        results.players, results.win_rate, results.win_rate_error, strict=True
    ):
        cells = zip(rates.tolist(), errors.tolist(), strict=True)
        rows.append(
            [name, *[f"{100 * rate:.2f} ± {100 * error:.2f}" for rate, error in cells]]
        )
    title = f"Wins of the first seat (rows), in % of {GAMES:,} games of ten cards"
    show("tournament", title, ["%", *results.players], rows)


def main() -> None:
    """Show every table."""
    show_values()
    show_widths()
    show_thresholds()
    show_limit()
    show_tournament()


if __name__ == "__main__":
    main()
