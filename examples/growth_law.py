"""Compare values of l red and l black cards, from l = 1 to 10^10, with their law.

Prints the values and the law of growth, and the three regressions of the Problem 14
essay beside the theory; writes these regressions, the essay's and ours, to
growth_law_regressions.csv. Saves one picture, growth_law.png, if matplotlib is
installed: the difference from the limit c sqrt(l), on logarithmic axes, whose slope is
an eigenvalue. Takes no arguments.
"""

import csv
import importlib.util
import math
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import fitting, redblack

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]

LARGEST = 10**7
"""Decks up to this one are computed by the script, in about a second."""

TABLED = {
    10**8: 5220.3753150398,
    10**9: 16508.279955142,
    10**10: 52203.767098828,
}
"""Computed before, by ``redblack.value`` with the staircase, in one climb."""

DOCUMENT = range(1, 22_975), 100_000
"""The decks that the Problem 14 essay fits its laws to."""

ADDED = 133_787_000
"""The deck that the essay adds to the fit of its square-root law in the end."""

MODELS: tuple[Literal["log", "sqrt", "log+sqrt"], ...] = ("log", "sqrt", "log+sqrt")

PRINTED = {
    "logarithm": "−106.645 + 17.6267 log(l)",
    "square root": "−0.0186936 + 0.522088 √l",
    f"the same, with l = {ADDED:,}": "−0.0146229 + 0.522048 √l",
    "both": "−26.6931 + 4.40946 log(l) + 0.391493 √l",
}
"""The Problem 14 essay's regressions, with the digits that it prints."""

C = float(fitting.limit_constant())
LAMBDA = float(fitting.decay_exponent(1))
A = -fitting.GROWTH_TERMS[1].coefficient


def heading(text: str) -> None:
    """Print a line that sets off what follows."""
    print(f"\n{text}\n{'-' * len(text)}")


def all_values() -> dict[int, float]:
    """Return the values of some decks in every decade, live and from the table."""
    decades = [10**k for k in range(11)]
    between = [round(10 ** (k / 6)) for k in range(61)]
    live = sorted({size for size in decades + between if size <= LARGEST})
    values = dict(zip(live, redblack.value(live, live).tolist(), strict=True))
    return values | {size: v for size, v in TABLED.items() if size > LARGEST}


def show_values(values: dict[int, float]) -> None:
    """Print the values of the powers of ten beside the law of growth."""
    heading("What l red and l black cards are worth")
    print(f"{'l':>14}  {'V(l)':>15}  V / sqrt(l)   law - V   stated error")
    for size in (10**k for k in range(11)):
        value, note = values[size], "" if size <= LARGEST else "  (tabled)"
        print(f"{size:>14,}  {value:15.8f}  {value / math.sqrt(size):.9f}", end="   ")
        if size >= 1000:
            law = fitting.asymptotic_value(size)
            # Below 1e-8 there are only the rounding errors of both.
            off = f"{float(law) - value:7.0e}" if size < 10**5 else "< 1e-8"
            print(f"{off:>7}   {law.error:12.0e}{note}")
        else:
            print("(the law is for l >= 1000)")
    print(f"{'the limit':>14}  {'':15}  {C:.9f}")


def show_terms() -> None:
    """Print the terms of the law."""
    heading("The law")
    for term in fitting.GROWTH_TERMS:
        known = f" +- {term.uncertainty:.0e}" if term.origin == "fitted" else ""
        print(f"{term.coefficient:+.10f} l^{term.exponent:+.6f}  {term.origin}{known}")


def show_regressions() -> None:
    """Fit the Problem 14 essay's laws to its decks and compare them with the theory."""
    heading("The regressions of the Problem 14 essay, in double precision")
    cards = [*DOCUMENT[0], DOCUMENT[1]]
    # Many small decks in one sweep, the large one by a climb.
    values = [
        *redblack.value(DOCUMENT[0], DOCUMENT[0]),
        redblack.value(DOCUMENT[1], DOCUMENT[1]),
    ]
    far = 10**10
    print(f"{'model':>9}  {'law':<58}  V(10^10)")
    for model in MODELS:
        growth = fitting.fit(cards, values, model)
        names = ["", *(f" {name}" for name in growth.terms[1:])]
        formula = " ".join(
            f"{coefficient:+.6f}{name}"
            for coefficient, name in zip(growth.coefficients, names, strict=True)
        )
        print(f"{model:>9}  {formula:<58}  {growth.predict(far):.2f}")
    power = f"{A:.6f} l^-{LAMBDA:.6f}"
    law = f"{C:+.6f} sqrt(l) - {power} + ..."
    print(f"{'theory':>9}  {law:<58}  {float(fitting.asymptotic_value(far)):.2f}")
    sizes = np.array(cards, dtype=np.float64)
    of_power = fitting.fit(sizes, -A * sizes**-LAMBDA)
    write_regressions(cards, values)
    print(
        f"There is no constant term. A square-root law fitted to -{power} alone,\n"
        f"at the same decks, has an intercept of {of_power.coefficients[0]:.4f}, which "
        "explains the one above.\nThe essay conjectures 0.5 sqrt(l) plus an intercept."
    )


def write_regressions(cards: list[int], values: list[float]) -> None:
    """Write the essay's regressions beside the same in double precision."""
    added = [*cards, ADDED], [*values, float(fitting.asymptotic_value(ADDED))]
    fits = [
        fitting.fit(cards, values, "log"),
        fitting.fit(cards, values, "sqrt"),
        fitting.fit(*added, "sqrt"),
        fitting.fit(cards, values, "log+sqrt"),
    ]
    rows = []
    for (law, printed), growth in zip(PRINTED.items(), fits, strict=True):
        intercept, *coefficients = [f"{x:#.6g}" for x in growth.coefficients]
        terms = zip(coefficients, growth.terms[1:], strict=True)
        ours = " + ".join([intercept, *map(" ".join, terms)])
        ours = ours.replace("-", "−").replace("sqrt(l)", "√l")
        rows.append([law, printed, ours])
    path = Path("growth_law_regressions.csv")
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerows([["law", "the Problem 14 essay", "double precision"], *rows])


def slope(sizes: Floats, missing: Floats) -> float:
    """Return the least-squares slope on logarithmic axes, of the largest decks."""
    large = sizes >= 10**5
    return float(np.polyfit(np.log(sizes[large]), np.log(missing[large]), 1)[0])


def missing_of(values: dict[int, float]) -> tuple[Floats, Floats]:
    """Return the sizes of decks, and the differences of their values from c sqrt(l)."""
    sizes = np.array(sorted(values), dtype=np.float64)
    worth = np.array([values[int(size)] for size in sizes])
    return sizes, C * np.sqrt(sizes) - worth


def show_slope(values: dict[int, float]) -> None:
    """Print how the difference from the limit falls."""
    heading("The difference from the limit: c sqrt(l) - V(l)")
    sizes, missing = missing_of(values)
    whole, rest = slope(sizes, missing), slope(sizes, missing + C / 8 / np.sqrt(sizes))
    print(
        f"Its slope on logarithmic axes, from l = 10^5 on, is {whole:.4f}; with the\n"
        f"next term, (c / 8) l^(-1/2), subtracted it is {rest:.4f}. "
        f"-lambda is {-LAMBDA:.4f}."
    )


def draw(values: dict[int, float], axes: "Axes") -> None:
    """Draw the difference from the limit against l, on logarithmic axes."""
    sizes, missing = missing_of(values)
    line, ink = np.geomspace(1, sizes[-1], 200), axes.xaxis.label.get_color()
    axes.loglog(line, A * line**-LAMBDA, color="#0072b2")
    live = sizes <= LARGEST
    axes.loglog(sizes[live], missing[live], "o", color=ink)
    axes.loglog(sizes[~live], missing[~live], "o", color=ink, mfc="none")
    law = sizes[sizes >= 1000]
    beyond = np.abs(missing - A * sizes**-LAMBDA)[sizes >= 1000]
    axes.loglog(law, beyond, "^", color="#d55e00")
    axes.loglog(line, C / 8 * line**-0.5, color="#d55e00", linestyle="--")
    axes.legend(
        [
            rf"${A:.4f}\,l^{{-{LAMBDA:.4f}}}$",
            r"$c\,\sqrt{l} - V(l)$, computed now",
            "the same, tabled",
            "the difference of these, in size",
            r"$(c/8)\,l^{-1/2}$",
        ],
        fontsize="small",
    )
    axes.set(xlabel="$l$, the number of red and of black cards", ylabel="units of cash")
    axes.set_title(r"The difference of the value of a deck from $c\,\sqrt{l}$")
    axes.grid(alpha=0.4)


def save_picture(values: dict[int, float]) -> None:
    """Save the picture, in the format that matplotlib's settings name."""
    from matplotlib import rcParams
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 6), layout="constrained")
    draw(values, figure.subplots())
    figure.savefig("growth_law")
    print(f"\nThe picture is in growth_law.{rcParams['savefig.format']}")


def main() -> None:
    """Print everything, and save the picture if matplotlib is installed."""
    values = all_values()
    show_values(values)
    show_terms()
    show_regressions()
    show_slope(values)
    if importlib.util.find_spec("matplotlib"):
        save_picture(values)


if __name__ == "__main__":
    main()
