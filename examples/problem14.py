"""Solve Problem 14: 26 red and 26 black cards, +1 and -1, stop when you like.

Prints the value, a map of best play, some advice, the distribution of the payoff, and a
simulation that confirms it. Saves one picture, problem14.png, if matplotlib is
installed. Takes no arguments.
"""

import importlib.util
import textwrap
from fractions import Fraction

import cardgames_dp
from cardgames_dp import play, plots, redblack

RED, BLACK = 26, 26
GAMES = 500_000


def heading(text: str) -> None:
    """Print a line that sets off what follows."""
    print(f"\n{text}\n{'-' * len(text)}")


def wrapped(text: object) -> str:
    """Return text in lines that fit a terminal of 80 columns."""
    return textwrap.fill(str(text), 80, subsequent_indent="  ")


def show_value() -> None:
    """Print the value as a fraction, as a float and between bounds."""
    heading(f"What {RED} red and {BLACK} black cards are worth")
    exact = redblack.value(RED, BLACK, backend="exact")
    bounds = redblack.enclosure(RED, BLACK)
    knowing = redblack.foresight_value(RED, BLACK)
    print(f"exactly            {exact}")
    print(f"in float64         {redblack.value(RED, BLACK)!r}")
    print(f"certified bounds   {bounds.lower!r} to {bounds.upper!r}")
    print(
        f"A player who knew the order of the cards would win {knowing:.4f} on average."
    )


def show_policy(table: redblack.Solution[float]) -> None:
    """Print where to stop, and advice in some positions."""
    heading("When to stop: . draw, # stop")
    print(f"red left   black left: {BLACK}, {BLACK - 1}, ..., 0")
    for red, row in zip(range(RED, -1, -1), table.stop[::-1, ::-1], strict=True):
        print(f"{red:8}   {''.join('#' if stop else '.' for stop in row)}")

    heading("Advice")
    for red, black in ((26, 26), (20, 18), (16, 20), (16, 22), (1, 2)):
        print(wrapped(table.advice(red=red, black=black)))
    print("With 14 cards in hand, of which 10 are good:")
    print(wrapped(table.advice(drawn=14, good=10)))
    thresholds = ", ".join(map(str, redblack.thresholds(6).n))
    print(
        "With k more black than red cards left, stop if at most n_k cards remain;\n"
        f"n_1, n_2, ... are {thresholds}."
    )


def show_distribution(
    payoffs: play.Distribution[Fraction], games: redblack.Simulation
) -> None:
    """Print the distribution of the payoff beside the simulated frequencies."""
    heading("How likely each payoff is, and the simulation that confirms it")
    print("payoff   probability     simulated")
    for payoff, probability in payoffs:
        share = games.payoff.probability(payoff)
        print(f"{float(payoff):6.0f}   {float(probability):11.6f}   {share:11.6f}")
    print(f"mean               {float(payoffs.mean):.9f}")
    print(f"standard deviation {payoffs.standard_deviation:.6f}")
    print(f"chance of a loss   {float(payoffs.loss_probability)}")
    draws = redblack.distribution(RED, BLACK).moves
    print(f"cards drawn        {draws.mean:.6f} on average")
    print(wrapped(games))
    distance = (games.mean - float(payoffs.mean)) / games.standard_error
    print(f"That is {distance:+.2f} standard errors from the value.")


def save_picture(
    table: redblack.Solution[float],
    payoffs: play.Distribution[Fraction],
    games: redblack.Simulation,
) -> None:
    """Save the sheet, the boundary, the distribution and some paths in one picture."""
    from matplotlib import rcParams
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10.5, 8), dpi=150)
    parts = figure.subfigures(2, 2, squeeze=False)
    (top_left, top_right), (bottom_left, bottom_right) = parts
    redblack.plots.plot_sheet(table, ax=top_left.subplots())
    redblack.plots.plot_boundary(table.boundary, ax=top_right.subplots())
    plots.plot_distribution(payoffs, games, ax=bottom_left.subplots())
    panels = bottom_right.subplots(7, 7, sharex=True, sharey=True)
    redblack.plots.plot_paths(games, ax=panels)
    for part in parts.flat:
        part.subplots_adjust(left=0.14, right=0.96, bottom=0.14, top=0.87)
    figure.savefig("problem14")
    print(f"\nThe picture is in problem14.{rcParams['savefig.format']}")


def main() -> None:
    """Print everything, and save the picture if matplotlib is installed."""
    table = redblack.solve(RED, BLACK)
    payoffs = redblack.distribution(RED, BLACK, backend="exact").payoff
    progress = importlib.util.find_spec("tqdm") is not None
    with cardgames_dp.running(progress=progress):
        games = redblack.simulate(RED, BLACK, games=GAMES, rng=14, paths=49)
    show_value()
    show_policy(table)
    show_distribution(payoffs, games)
    if importlib.util.find_spec("matplotlib"):
        save_picture(table, payoffs, games)


if __name__ == "__main__":
    main()
