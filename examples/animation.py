"""Draw a game of red/black on the solved map, card by card, as an animation.

The optimal player plays 26 red and 26 black cards, and stops when the line enters the
region in which to stop. Prints the game, and saves game.gif if matplotlib is installed.
Takes no arguments.
"""

import importlib.util
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import play, plots, redblack
from cardgames_dp.game import Solution

CARDS, SEED = 26, 14
LAST = 8
"""How many times the last picture is shown, so that it can be read."""


def save(solution: Solution[Any, Any, float], path: NDArray[np.int64]) -> None:
    """Save the animation of a game, given the black and red cards left."""
    from matplotlib.animation import FuncAnimation, PillowWriter
    from matplotlib.figure import Figure

    figure = Figure(figsize=(4.8, 4.2), dpi=75, layout="constrained")
    ax = plots.plot_map(solution, x="black", y="red", ax=figure.subplots())
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
        black, red = path[drawn]
        ax.set_title(f"{drawn} cards drawn, {said} {black - red:+}")

    film = FuncAnimation(figure, show, frames=len(path) + LAST)
    film.save("game.gif", writer=PillowWriter(fps=4))


def main() -> None:
    """Play, print, and save the animation."""
    solution = redblack.solve(CARDS, CARDS)
    games = play.simulate(solution, games=1, rng=SEED, histories=1)
    states = [state for state in games.histories[0] if not state.decision]
    print("cash in hand:", *[f"{state.black - state.red:+}" for state in states])
    print(solution.advice(states[-1]))
    if importlib.util.find_spec("matplotlib") is not None:
        save(solution, np.array([(state.black, state.red) for state in states]))
        print("game.gif")


if __name__ == "__main__":
    main()
