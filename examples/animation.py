"""Draw a game of red/black on the solved map, card by card, as an animation.

The optimal player plays 26 red and 26 black cards, and stops when the line enters the
grey. Prints the game, and saves game.gif if matplotlib is installed. Takes no
arguments.
"""

import importlib.util

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import redblack

CARDS, SEED = 26, 14
LAST = 8
"""How many times the last picture is shown, so that it can be read."""


def positions(cash: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the black and red cards left after each draw, from the cash in hand."""
    drawn = np.arange(len(cash))
    red = CARDS - (drawn + cash) / 2
    return np.column_stack([2 * CARDS - drawn - red, red]).astype(np.int64)


def save(
    table: redblack.Solution[float],
    path: NDArray[np.int64],
    cash: NDArray[np.float64],
) -> None:
    """Save the animation."""
    from matplotlib.animation import FuncAnimation, PillowWriter
    from matplotlib.figure import Figure

    figure = Figure(figsize=(4.8, 4.2), dpi=75, layout="constrained")
    ax = redblack.plots.plot_sheet(table, ax=figure.subplots())
    legend = ax.get_legend()
    assert legend is not None
    legend.remove()
    (line,) = ax.plot([], [], color="#d55e00", linewidth=3)
    (place,) = ax.plot([], [], "o", color="#d55e00", markeredgecolor="white", ms=10)

    def show(number: int) -> None:
        drawn = min(number, len(path) - 1)
        line.set_data(*path[: drawn + 1].T)
        place.set_data(*path[drawn : drawn + 1].T)
        said = "stop with" if drawn == len(path) - 1 else "in hand:"
        ax.set_title(f"{drawn} cards drawn, {said} {cash[drawn]:+.0f}", pad=6)

    film = FuncAnimation(figure, show, frames=len(path) + LAST)
    film.save("game.gif", writer=PillowWriter(fps=4))


def main() -> None:
    """Play, print, and save the animation."""
    table = redblack.solve(CARDS, CARDS)
    games = redblack.simulate(CARDS, CARDS, games=1, rng=SEED, paths=1)
    (cash,) = games.paths
    path = positions(cash)
    print("cash in hand:", *[f"{amount:+.0f}" for amount in cash])
    print(table.advice(red=int(path[-1, 1]), black=int(path[-1, 0])))
    if importlib.util.find_spec("matplotlib") is not None:
        save(table, path, cash)
        print("game.gif")


if __name__ == "__main__":
    main()
