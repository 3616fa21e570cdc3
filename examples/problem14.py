"""Solve Problem 14: 26 red and 26 black cards, +1 and -1, stop when you like.

Prints the value, a map of best play, some advice, the distribution of the payoff, and a
simulation that confirms it. Saves one picture, problem14.png, if matplotlib is
installed. Takes no arguments.
"""

import importlib.util
import textwrap
from fractions import Fraction
from typing import Any

import cardgames_dp
from cardgames_dp import play, plots, redblack
from cardgames_dp.game import Solution

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


def show_policy(solution: Solution[Any, Any, float]) -> None:
    """Print where to stop, and advice in some positions."""
    heading("When to stop: . draw, # stop")
    print(f"red left   black left: {BLACK}, {BLACK - 1}, ..., 0")
    stop = solution.table("stop")
    stop[0, 0] = True  # no card is left
    for red, row in zip(range(RED, -1, -1), stop[::-1, ::-1], strict=True):
        print(f"{red:8}   {''.join('#' if stops else '.' for stops in row)}")

    heading("Advice")
    for red, black in ((26, 26), (20, 18), (16, 20), (16, 22), (1, 2)):
        print(wrapped(solution.advice((red, black))))
    thresholds = ", ".join(map(str, redblack.thresholds(6).n))
    print(
        "With k more black than red cards left, stop if at most n_k cards remain;\n"
        f"n_1, n_2, ... are {thresholds}."
    )


def show_distribution(
    found: play.Distributions[Any, Fraction], games: play.Simulation[Any]
) -> None:
    """Print the distribution of the payoff beside the simulated frequencies."""
    heading("How likely each payoff is, and the simulation that confirms it")
    print("payoff   probability     simulated")
    (payoffs,) = found.returns
    for payoff, probability in payoffs:
        share = games.returns[0].pmf(payoff)
        print(f"{float(payoff):6.0f}   {float(probability):11.6f}   {share:11.6f}")
    print(f"mean               {float(payoffs.mean):.9f}")
    print(f"standard deviation {payoffs.std:.6f}")
    print(f"chance of a loss   {float(payoffs.loss_probability)}")
    print(f"cards drawn        {float(found.moves.mean):.6f} on average")
    print()
    print(games)
    distance = (games.mean[0] - float(payoffs.mean)) / games.standard_error[0]
    print(f"That is {distance:+.2f} standard errors from the value.")


def save_picture(
    solution: Solution[Any, Any, float],
    payoffs: play.Distribution[Fraction],
    games: play.Simulation[Any],
) -> None:
    """Save the map, the boundary, the distribution and some paths in one picture."""
    from matplotlib import rcParams
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10.5, 8), dpi=150)
    parts = figure.subfigures(2, 2, squeeze=False)
    (top_left, top_right), (bottom_left, bottom_right) = parts
    plots.plot_map(solution, x="black", y="red", ax=top_left.subplots())
    boundary = redblack.boundary(solution)
    redblack.plots.plot_boundary(boundary, ax=top_right.subplots())
    plots.plot_distribution(payoffs, games, ax=bottom_left.subplots())
    redblack.plots.plot_paths(games, ax=bottom_right.subplots())
    for part in parts.flat:
        part.subplots_adjust(left=0.14, right=0.96, bottom=0.14, top=0.87)
    figure.savefig("problem14")
    print(f"\nThe picture is in problem14.{rcParams['savefig.format']}")


def main() -> None:
    """Print everything, and save the picture if matplotlib is installed."""
    solution = redblack.solve(RED, BLACK)
    found = play.distribution(solution, count="draw", backend="exact")
    progress = importlib.util.find_spec("tqdm") is not None
    with cardgames_dp.running(progress=progress):
        games = play.simulate(solution, games=GAMES, rng=14, histories=49, count="draw")
    show_value()
    show_policy(solution)
    show_distribution(found, games)
    if importlib.util.find_spec("matplotlib"):
        save_picture(solution, found.returns[0], games)


if __name__ == "__main__":
    main()
