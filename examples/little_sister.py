"""Beat your little sister at cards, with the ideas of Pashevich's report.

Two players take cards from the ends of a row, in turns, and she wins too often. Prints
what each idea of the report is worth, up to a row of a million cards. Saves one
picture, little_sister.png, if matplotlib is installed. Takes no arguments.
"""

import importlib.util
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from cardgames_dp import cardrow, play, plots
from cardgames_dp.game import Solution

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LOST = [4, 4, 6, 6, 12, 9]
"""The row on which the greedy player of the report loses."""
DRAWN = [8, 4, 2, 2, 4, 8]
"""The row that the report calls hopeless."""
TABLE = [14, 4, 7, 2, 5, 12]
"""The row of the table in the report."""
RULES = cardrow.Rules(tie="right")
"""Where both ends are equally good, the players of the report take the right one."""
GAMES = 4000
PLAYERS = [
    "optimal",
    "greedy",
    "larger",
    "greedy_literal",
    "random",
]


def heading(text: str) -> None:
    """Print a line that sets off what follows."""
    print(f"\n{text}\n{'-' * len(text)}")


def show_greedy() -> None:
    """Print how the greedy player loses a game that can be won."""
    heading(f"Greedy play, one card ahead, on {LOST}")
    print("The sister always takes the larger card.")
    for name in ("greedy", "larger", "optimal"):
        print(cardrow.match(LOST, name, "larger", rules=RULES))
    game = cardrow.game(LOST, rules=RULES)
    response = play.best_response(game, "larger", 0, backend="exact")
    print(f"The best response to her also wins by {response.value}.")


def show_brute_force() -> None:
    """Print what the exponential search finds, and how many calls it makes."""
    heading("Brute force: all possible games")
    for row in (TABLE, LOST, DRAWN, [1, 5, 1]):
        worth = cardrow.value(row, backend="exact")
        start = "first" if worth > 0 else "second" if worth < 0 else "indifferent"
        print(f"{row!s:<22} value {worth:3}; better to start: {start}")
    for n in (6, 12, 18):
        *_, calls = cardrow.brute_force(cardrow.deal(1, n, rng=n)[0])
        print(f"{n:2} cards: {calls:7,} calls for the first move")
    print(f"52 cards: {2**52 - 1:,} calls, which would take years")


def show_table(table: Solution[Any, Any, Any]) -> None:
    """Print the table by dynamic programming."""
    heading(f"Dynamic programming: the table of {TABLE}")
    print(table)
    game = cardrow.match(TABLE, table, table)
    taken = ", ".join([str(TABLE[i]) for i in game.positions])
    print(f"Optimal play takes {taken}; {game.sums[0]} to {game.sums[1]}.")


def show_draw() -> None:
    """Print what a drawn row is worth against sisters who are not optimal."""
    heading(f"A drawn row: {DRAWN}")
    print(
        f"Against an optimal sister: {cardrow.value(DRAWN, backend='exact')}, a draw."
    )
    game = cardrow.game(DRAWN, rules=RULES)
    sisters = {
        "takes the larger card": "larger",
        "takes any card": "random",
        "takes any card in every fifth turn": play.mixture({"larger": 4, "random": 1}),
    }
    for what, sister in sisters.items():
        first, second = (
            float(play.best_response(game, sister, seat, backend="exact").payoffs[seat])
            for seat in (0, 1)
        )
        print(
            f"If she {what}: {first:+.2f} when we start, {second:+.2f} when she does."
        )


def show_starts() -> None:
    """Print how often it is better to let her start."""
    heading("Who should start?")
    print("Share of shuffled deals on which it is better not to start:")
    for n in (3, 13, 51, 12):
        rows = cardrow.deal(GAMES, n, rng=n)
        second = cardrow.values(rows, backend="exact") < 0
        print(f"{n:2} cards: {second.mean():4.0%}")
    print(
        "With an even number of cards the first player can take all even places or all"
    )
    print("odd ones, and never loses.")


def tournament() -> cardrow.Tournament:
    """Let all play against all, on the same ten cards from 1 to 13."""
    rows = cardrow.deal(GAMES, 10, deck=range(1, 14), replace=True, rng=2)
    return cardrow.tournament(PLAYERS, rows, rules=RULES, rng=3)


def show_tournament(results: cardrow.Tournament) -> None:
    """Print the results of all against all."""
    heading("All against all, on ten cards from 1 to 13")
    print(results)
    print("greedy_literal compares as the program of the report does, by size alone.")
    print("Its losses to an optimal player are not its largest, because optimal play")
    print("expects an optimal opponent, and does not exploit mistakes on purpose.")


def show_million() -> None:
    """Print the game of a row whose table would not fit in memory."""
    heading("A million cards")
    row = np.random.default_rng(1).integers(1, 14, 1_000_000)
    game, start = cardrow.match(row), cardrow.State(0, len(row) - 1)
    worth = cardrow.value(row, backend="exact")
    print(f"value {worth}: {game.sums[0]:,} to {game.sums[1]:,}")
    print(f"first move: {cardrow.solve(row).advice(start)}")


def draw(axes: "Iterable[Axes]") -> None:
    """Draw the values and the turns of a row, and a collapse."""
    of_values, of_turns, of_collapse = axes
    table = cardrow.solve(TABLE, backend="exact")
    plots.plot_map(table, x="right", y="left", of="value", ax=of_values)
    plots.plot_map(table, x="right", y="left", ax=of_turns)
    cardrow.plots.plot_collapse([*LOST, 3, 8, 2, 7, 7, 1], ax=of_collapse)


def save_picture() -> None:
    """Save the picture, in the format that matplotlib's settings name."""
    from matplotlib import rcParams
    from matplotlib.figure import Figure

    figure = Figure(figsize=(18, 5), layout="constrained")
    draw(figure.subplots(1, 3))
    figure.savefig("little_sister")
    print(f"\nThe picture is in little_sister.{rcParams['savefig.format']}")


def main() -> None:
    """Print everything, and save the picture if matplotlib is installed."""
    table = cardrow.solve(TABLE, backend="exact")
    show_greedy()
    show_brute_force()
    show_table(table)
    show_draw()
    show_starts()
    show_tournament(tournament())
    show_million()
    if importlib.util.find_spec("matplotlib"):
        save_picture()


if __name__ == "__main__":
    main()
