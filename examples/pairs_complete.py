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
import functools
import importlib.util
import math
import operator
import sys
from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from cardgames_dp import pairs
from cardgames_dp.game import TERMINAL

if TYPE_CHECKING:
    from matplotlib.figure import Figure

RANKS = int(sys.argv[1]) if sys.argv[1:] else 10
GAME = pairs.Rules(deck=RANKS)
ESSAY = ((2, 5, 3), (2, 6, 3), (2, 5, 4), (2, 6, 4), (3, 5, 4), (3, 6, 4))
"""Players, target and ranks in the table of the essay."""
THUMBS: tuple[pairs.Policy, ...] = (
    "expected_points",
    "fifty_percent",
    "always_hit",
)


def heading(text: str) -> None:
    """Print a line that sets off what follows."""
    print(f"\n{text}\n{'-' * len(text)}")


def below(difference: float) -> str:
    """Return the next larger power of ten: digits of rounding errors mean nothing."""
    return f"{10 ** math.ceil(math.log10(difference)):.0e}" if difference else "0"


Met: TypeAlias = set[tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]]
"""Positions: the hands, the leader's first, and the cards that nobody has seen."""


def met(rules: pairs.Rules) -> Iterator[tuple[tuple[int, ...], Met]]:
    """Yield all scores, the leader's first, and the positions that can be reached.

    A round depends on the deck with which it starts, and not on the scores.
    """
    game = rules.game()

    @functools.cache
    def played(deck: tuple[int, ...]) -> tuple[Met, set[pairs.State]]:
        """Return the positions of a round, and the states after it."""
        todo = [game.initial_state()._replace(unseen=deck)]
        seen, ends = set(todo), set()
        while todo:
            state = todo.pop()
            if state.drawing:
                after = [after for _, after in game.chance_outcomes(state)]
            elif game.current_player(state) == TERMINAL:
                after = []
            else:
                actions = game.legal_actions(state)
                after = [game.next_state(state, action) for action in actions]
            ends |= {each for each in after if any(each.scores)}
            new = {each for each in after if not any(each.scores)} - seen
            seen |= new
            todo += new
        return {(s.hands, s.unseen) for s in seen if not s.drawing}, ends

    decks = {(0,) * rules.players: {rules.counts}}
    while decks:
        scores = min(decks, key=sum)  # every round adds to the scores
        rounds = [played(deck) for deck in decks.pop(scores)]
        yield scores, set().union(*[positions for positions, _ in rounds])
        for end in set().union(*[ends for _, ends in rounds]):
            points = tuple(map(operator.add, scores, end.scores))
            if max(points) < rules.target:
                turned = points[end.player :] + points[: end.player]
                decks.setdefault(turned, set()).add(end.unseen)


def views(rules: pairs.Rules) -> Iterator[pairs.View]:
    """Yield views of all positions that can be reached, with their scores."""
    for scores, positions in met(rules):
        hands = np.array([hands for hands, _ in positions])
        unseen = np.array([unseen for _, unseen in positions])
        players = hands.sum(axis=(1, 2)) % rules.players
        for player in np.unique(players).tolist():
            here = players == player
            turned = np.roll(hands[here], -player, axis=1)
            points = np.roll([scores], -player, axis=1)
            yield pairs.View(rules, turned[:, 0], turned[:, 1:], unseen[here], points)


def chances(view: pairs.View) -> tuple[Any, Any]:
    """Return how many cards of each rank make a pair, and how many cards there are."""
    return np.where(view.scoring, view.unseen, 0), view.unseen.sum(axis=1)


def inverted(view: pairs.View) -> Any:
    """Hit if a pair is more likely than not, as the essay's program does."""
    making, cards = chances(view)
    return 2 * making.sum(axis=1) > np.maximum(cards, 1)


def half(view: pairs.View) -> Any:
    """Hit if a pair is less likely than not: the 50 % rule."""
    making, cards = chances(view)
    return 2 * making.sum(axis=1) < np.maximum(cards, 1)


def points(view: pairs.View) -> Any:
    """Hit if that scores less on average than a fold: expected points."""
    making, cards = chances(view)
    return making @ view.ranks < view.lowest * np.maximum(cards, 1)


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
    found = np.zeros(1 + len(compared), int)
    for view in views(rules):
        found += [
            len(view.hand),
            *[
                np.count_nonzero(solution.policy(view).ravel() != rule(view))
                for solution, rule in compared
            ],
        ]
    return found.tolist()


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


def show_game(solution: pairs.Solution) -> None:
    """Print what the game is worth, and the first decision."""
    heading(f"Two players, {sum(GAME.counts)} cards, {GAME.target} points")
    print(f"positions solved    {solution.num_positions:,}")
    first, second = solution.payoffs
    print(f"chances of winning  {first:.12f} first, {second:.12f} second")
    print(
        f"exact ties of hit and fold: {solution.ties}, with differences below "
        f"{below(solution.largest_tie)};"
    )
    print(f"the smallest other difference: {solution.smallest_lead:.0e}")
    print("\nOne card against one card at 0 to 0: H hit, f fold (rows: the own card)")
    print(solution.opening_table())
    print("\nThe leader's chance of winning; rows: own points, columns: the other's")
    grid = [*range(0, solution.rules.target, 5)]
    print("    " + "".join([f"{other:8}" for other in grid]))
    for own in grid:
        chances = [solution.value_at((own, other))[0] for other in grid]
        print(f"{own:4}" + "".join([f"{chance:8.4f}" for chance in chances]))


def show_play(solution: pairs.Solution, executor: Executor) -> None:
    """Print what optimal play looks like, and one piece of advice."""
    usual = pairs.evaluate(GAME, solution, executor=executor)
    heading("What optimal play looks like")
    print(f"rounds in a game       {usual.rounds:.6f}")
    print(f"of which end by pairs  {usual.rounds - usual.folds:.6f}")
    print(f"hits among choices     {usual.hits / usual.choices:.4%}")
    if RANKS == 10:
        advice = solution.advice(
            hand=[1, 2, 3, 4, 5], others=[4, 5, 7, 8, 9], scores=[0, 0]
        )
        print(
            "The essay calls it wise to hit with 1, 2, 3, 4, 5 against 4, 5, 7, 8, 9:"
        )
        hit, fold = advice.values["hit"], advice.values["fold"]
        print(f"at 0 to 0 a hit wins {hit:.4f}, a fold {fold:.4f}.")


def show_thumbs(solution: pairs.Solution, executor: Executor) -> list[pairs.Evaluation]:
    """Print what rules of thumb win, against optimal play and at worst."""
    heading("Rules of thumb: their chance of winning")
    print(f"{'against optimal play':>42}{'against a best response':>33}")
    print(
        " " * 18 + "".join([f"{seat:>10}" for seat in ["first", "second", "mean"] * 2])
    )
    rates, rows = [], []
    for thumb in THUMBS:
        rate = pairs.evaluate(GAME, [thumb, solution], executor=executor)
        worst = pairs.best_response(GAME, thumb, executor=executor)
        rates.append(rate)
        chances = [*[leads[0] for leads in rate.by_leader], rate.mean[0]]
        chances += [1 - worst.values[1], 1 - worst.values[0], 1 - worst.mean]
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
    return rates


def show_sizes(solution: pairs.Solution) -> None:
    """Print how the value depends on the target and on the deck."""
    heading("The leader's chance of winning, by target and ranks")
    targets = [6, 11, 16, 21, 26, 31]
    print("ranks" + "".join([f"{f'to {target}':>10}" for target in targets]))
    for ranks in range(2, RANKS + 1):
        rules = pairs.Rules(deck=ranks)
        solved = solution if ranks == RANKS else pairs.solve(rules)
        # At a to a, a player has as many points left as in a game to T - a.
        chances = [solved.value_at((31 - t, 31 - t))[0] for t in targets]
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
        one = pairs.evaluate(rules, ["optimal", fresh]).mean[0]
        print(f"{ranks:5}{fresh.value:22.6f}{both.value:13.6f}{one:19.6f}")


def picture(solution: pairs.Solution, rates: list[pairs.Evaluation]) -> "Figure":
    """Draw the opening, the chances by scores and the rules of thumb in one picture."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(18, 5), layout="constrained")
    # The names of policies and the legend above take room.
    left, middle, right = figure.subplots(1, 3, width_ratios=[5, 5, 7])
    pairs.plots.plot_hands(solution.round([0, 0]), own=1, other=1, ax=left)
    pairs.plots.plot_scores(solution, ax=middle)
    pairs.plots.plot_win_rates(rates, ax=right)
    return figure


def save_picture(solution: pairs.Solution, rates: list[pairs.Evaluation]) -> None:
    """Save the picture, in the format that matplotlib's settings name."""
    from matplotlib import rcParams

    picture(solution, rates).savefig("pairs_complete")
    print(f"\nThe picture is in pairs_complete.{rcParams['savefig.format']}")


def main() -> None:
    """Print everything, and save the picture if matplotlib is installed."""
    show_essay()
    with ThreadPoolExecutor() as executor:
        solution = pairs.solve(GAME, executor=executor)
        show_game(solution)
        show_play(solution, executor)
        rates = show_thumbs(solution, executor)
    show_sizes(solution)
    show_counting()
    if importlib.util.find_spec("matplotlib"):
        save_picture(solution, rates)


if __name__ == "__main__":
    main()
