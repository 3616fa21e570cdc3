"""Solve Pairs completely, and answer the questions of the Pairs essay.

Reproduces and corrects the table of the essay. Then it solves the published game of two
players (55 cards, 31 points, 250 million positions) and prints what it is worth, when
to fold, what rules of thumb cost, and whether it pays to count cards. Writes a table
into the current folder, pairs_thumbs.csv, and saves one picture, pairs_complete.png, if
matplotlib is installed.

The number of ranks can be given if it is less than 10; with 10 the script takes a
minute or two.
"""

import csv
import dataclasses
import importlib.util
import math
import sys
from concurrent.futures import Executor, ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from cardgames_dp import game, pairs
from cardgames_dp.game import CHANCE

if TYPE_CHECKING:
    from matplotlib.figure import Figure

RANKS = int(sys.argv[1]) if sys.argv[1:] else 10
GAME = pairs.Rules(deck=RANKS)
ESSAY = ((2, 5, 3), (2, 6, 3), (2, 5, 4), (2, 6, 4), (3, 5, 4), (3, 6, 4))
"""Players, target and ranks in the table of the essay."""
THUMBS = ("expected_points", "fifty_percent", "always_hit")
HIT = 1
"""The code of a hit, as policies of states in arrays have it."""

Solution: TypeAlias = game.Solution[pairs.State, Any, float]


def heading(text: str) -> None:
    """Print a line that sets off what follows."""
    print(f"\n{text}\n{'-' * len(text)}")


def below(difference: float) -> str:
    """Return the next larger power of ten: digits of rounding errors mean nothing."""
    return f"{10 ** math.ceil(math.log10(difference)):.0e}" if difference else "0"


def met(rules: pairs.Rules) -> tuple[Any, Any]:
    """Return the states that can be reached, whoever leads, and where play is stuck.

    There nobody can do anything: a round starts with an empty deck.
    """
    explored = game.explore(pairs.game(rules))
    rows = explored.states_at(np.flatnonzero(explored.graph.players != CHANCE))
    rows = rows[fields(rules, rows).scores.max(axis=1) < rules.target]
    seats = -2  # the column of the player, whose seat does not matter
    _, first = np.unique(np.delete(rows, seats, axis=1), axis=0, return_index=True)
    state = fields(rules, rows[first])
    return rows[first], ~state.unseen.any(axis=1) & (table(state).sum(axis=1) == 0)


def hits(solution: Any, rows: Any, stuck: Any) -> Any:
    """Return where a solution hits; as on any empty table, where play is stuck."""
    decided = stuck.copy()
    decided[~stuck] = solution.policy(rows[~stuck]) == HIT
    return decided


def fields(rules: pairs.Rules, rows: Any) -> Any:
    """Return states as one `pairs.State` of arrays."""
    return pairs.game(rules).names.fields_of(rows)


def table(state: Any) -> Any:
    """Return the cards on the table."""
    return state.hand + state.others.sum(axis=1)


def inverted(rules: pairs.Rules, state: Any) -> Any:
    """Hit if a pair is more likely than not, as the essay's program does."""
    cards = np.maximum(state.unseen.sum(axis=1), 1)
    return 2 * rules.pairing(state).sum(axis=1) > cards


def half(rules: pairs.Rules, state: Any) -> Any:
    """Hit if a pair is less likely than not: the 50 % rule."""
    cards = np.maximum(state.unseen.sum(axis=1), 1)
    return 2 * rules.pairing(state).sum(axis=1) < cards


def points(rules: pairs.Rules, state: Any) -> Any:
    """Hit if that scores less on average than a fold: expected points."""
    cards = np.maximum(state.unseen.sum(axis=1), 1)
    return rules.pairing(state) @ rules.ranks < rules.lowest(state) * cards


def counts(rules: pairs.Rules) -> list[int]:
    """Return a row of the essay's table: positions, and those in which rules differ."""
    noisy = dataclasses.replace(rules, tie="rounding")
    exactly, as_written = pairs.solve(rules), pairs.solve(noisy)
    compared = [
        (as_written, inverted),
        (as_written, points),
        (exactly, half),
        (exactly, points),
    ]
    rows, stuck = met(rules)
    states = fields(rules, rows)
    return [
        len(rows),
        *[
            int(np.count_nonzero(hits(solution, rows, stuck) != rule(rules, states)))
            for solution, rule in compared
        ],
    ]


def show_essay() -> None:
    """Print the table of the Pairs essay, as its program counts, and corrected."""
    heading(
        "The Pairs essay: positions where a rule of thumb differs from optimal play"
    )
    print(f"{'as its program counts':>55}{'exactly':>13}")
    print(
        "players  target  ranks  positions   50 % rule  exp. points   50 % rule  ",
        end="",
    )
    print("exp. points")
    for players, target, ranks in ESSAY:
        row = counts(pairs.Rules(players, ranks, target, reshuffle="essay"))
        print(
            f"{players:7}{target:8}{ranks:7}{row[0]:11,}{row[1]:12,}{row[2]:13,}"
            f"{row[3]:12,}{row[4]:13,}"
        )
    print(
        "Its 50 % rule is inverted; the correct rule is not much worse than the other."
    )


def show_game(solution: Solution) -> None:
    """Print what the game is worth, and the first decision."""
    about = pairs.score_table(solution)
    heading(f"Two players, {sum(GAME.counts)} cards, {GAME.target} points")
    print(f"positions solved    {about.num_positions:,}")
    first, second = solution.payoffs
    print(f"chances of winning  {first:.12f} first, {second:.12f} second")
    print(
        f"exact ties of hit and fold: {about.ties}, with differences below "
        f"{below(about.largest_tie)};"
    )
    print(f"the smallest other difference: {about.smallest_lead:.0e}")
    print("\nOne card against one card at 0 to 0: H hit, f fold (rows: the own card)")
    print(pairs.opening_table(solution))
    print("\nThe leader's chance of winning; rows: own points, columns: the other's")
    grid = [*range(0, GAME.target, 5)]
    print("    " + "".join([f"{other:8}" for other in grid]))
    for own in grid:
        chances = [at_scores(solution, GAME, own, other) for other in grid]
        print(f"{own:4}" + "".join([f"{chance:8.4f}" for chance in chances]))


def at_scores(solution: Solution, rules: pairs.Rules, own: int, other: int) -> float:
    """Return the leader's chance of winning."""
    start = pairs.state(scores=[own, other], rules=rules)
    return solution.payoffs_at(start)[0]


def show_play(solution: Solution, executor: Executor) -> None:
    """Print what optimal play looks like, and one piece of advice."""
    usual = pairs.rates(GAME, solution, executor=executor)
    choices, hits, _, made = [each.sum() for each in usual.counts.values()]
    heading("What optimal play looks like")
    print(f"rounds in a game       {usual.rounds:.6f}")
    print(f"of which end by pairs  {made:.6f}")
    print(f"hits among choices     {hits / choices:.4%}")
    if RANKS == 10:
        advice = solution.advice(pairs.state([1, 2, 3, 4, 5], [4, 5, 7, 8, 9]))
        print(
            "The essay calls it wise to hit with 1, 2, 3, 4, 5 against 4, 5, 7, 8, 9:"
        )
        hit, fold = advice.values["hit"], advice.values["fold"]
        print(f"at 0 to 0 a hit wins {hit:.4f}, a fold {fold:.4f}.")


def show_thumbs(solution: Solution, executor: Executor) -> None:
    """Print what rules of thumb win, against optimal play and at worst."""
    heading("Rules of thumb: their chance of winning")
    print(f"{'against optimal play':>42}{'against a best response':>33}")
    print(
        " " * 18 + "".join([f"{seat:>10}" for seat in ["first", "second", "mean"] * 2])
    )
    rows = []
    for thumb in THUMBS:
        rate = pairs.rates(GAME, [thumb, solution], executor=executor)
        worst = pairs.rates(GAME, [thumb, None], executor=executor)
        chances = [*[leads[0] for leads in rate.by_leader], rate.mean[0]]
        chances += [*[leads[0] for leads in worst.by_leader], worst.mean[0]]
        rows.append([str(thumb), *[f"{chance:.6f}" for chance in chances]])
        print(f"{thumb!s:<18}" + "".join([f"{chance:10.6f}" for chance in chances]))
    first, second = solution.payoffs
    print(f"{'optimal':<18}{first:10.6f}{second:10.6f}{0.5:10.6f}")
    fair = [f"{chance:.6f}" for chance in (first, second, 0.5)]
    header = ["policy", "first", "second", "mean"]
    header += ["first, at worst", "second, at worst", "mean, at worst"]
    # Against a best response to it, optimal play keeps what it is worth.
    rows = [header, *rows, ["optimal", *fair, *fair]]
    with Path("pairs_thumbs.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)


def show_sizes(solution: Solution) -> None:
    """Print how the value depends on the target and on the deck."""
    heading("The leader's chance of winning, by target and ranks")
    targets = [6, 11, 16, 21, 26, 31]
    print("ranks" + "".join([f"{f'to {target}':>10}" for target in targets]))
    for ranks in range(2, RANKS + 1):
        rules = pairs.Rules(deck=ranks)
        solved = solution if ranks == RANKS else pairs.solve(rules)
        # At a to a, a player has as many points left as in a game to T - a.
        chances = [at_scores(solved, rules, 31 - t, 31 - t) for t in targets]
        print(f"{ranks:5}" + "".join([f"{chance:10.6f}" for chance in chances]))


def show_counting() -> None:
    """Print whether it pays to remember the discards."""
    heading("Does it pay to count cards?")
    print(
        "The deck is used up before it is shuffled; both players count cards, or one."
    )
    print("ranks   shuffled each round   both count   one counts, against the other")
    for ranks in range(3, min(RANKS, 5) + 1):
        fresh = pairs.solve(pairs.Rules(deck=ranks))
        rules = pairs.Rules(deck=ranks, reshuffle="exhausted")
        both = pairs.solve(rules)
        one = pairs.rates(rules, ["optimal", fresh]).mean[0]
        print(f"{ranks:5}{fresh.value:22.6f}{both.value:13.6f}{one:19.6f}")


def picture(solution: Solution) -> "Figure":
    """Draw the opening and the chances by scores in one picture."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(12, 5), layout="constrained")
    left, right = figure.subplots(1, 2)
    pairs.plots.plot_hands(pairs.positions(solution), own=1, other=1, ax=left)
    pairs.plots.plot_scores(solution, ax=right)
    return figure


def save_picture(solution: Solution) -> None:
    """Save the picture, in the format that matplotlib's settings name."""
    from matplotlib import rcParams

    picture(solution).savefig("pairs_complete")
    print(f"\nThe picture is in pairs_complete.{rcParams['savefig.format']}")


def main() -> None:
    """Print everything, and save the picture if matplotlib is installed."""
    show_essay()
    with ThreadPoolExecutor() as executor:
        solution = pairs.solve(GAME, executor=executor)
        show_game(solution)
        show_play(solution, executor)
        show_thumbs(solution, executor)
    show_sizes(solution)
    show_counting()
    if importlib.util.find_spec("matplotlib"):
        save_picture(solution)


if __name__ == "__main__":
    main()
