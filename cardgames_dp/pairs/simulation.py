"""Games of Pairs dealt to players of given policies, and the account of them."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np

from cardgames_dp import _checks, _html, _records, _samples, _spread
from cardgames_dp._effort import real, refuse_too_long
from cardgames_dp._extras import progress_bar
from cardgames_dp._memory import TooLargeError, refuse_too_large
from cardgames_dp._records import ArrayRecord
from cardgames_dp.pairs._frames import data_frame
from cardgames_dp.pairs._kernels.playing import Player, Tally, play, tally_shape
from cardgames_dp.pairs._kernels.setting import Integers
from cardgames_dp.pairs._seating import by_seat, players_of, refuse_unknown
from cardgames_dp.pairs.official import OfficialRules
from cardgames_dp.pairs.policies import Policy, policy_name
from cardgames_dp.pairs.rules import Rules

if TYPE_CHECKING:
    from concurrent.futures import Executor

    import pandas as pd

_TURN_SECONDS = 7e-7
"""Seconds that a turn of a simple policy takes, about."""
_MOST_TURNS = 12
"""Turns of a round, at most, in the estimate of the time."""

CHUNK = 2**14
"""Games side by side: few enough for their arrays to stay in the cache."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Simulation(ArrayRecord):
    """What came of simulated games: made by :func:`simulate`, read-only.

    Seats are counted from the one that starts the first round (with a deal of which the
    lowest card leads, from any one), to the left. All counts are exact.

    Attributes
    ----------
    rules : Rules or OfficialRules
        Those of the games.
    policies : tuple of str
        What each seat does.
    games : int
        How many were played.
    final_scores : ndarray of int64, shape (players, scores)
        How many games each seat ended with each number of points, from 0 on.
    durations : ndarray of int64, shape (rounds,)
        How many games had each number of rounds, from 0 on.
    choices, hits, folds, pairs : ndarray of int64, shape (players,)
        Decisions of each seat where both actions are allowed; how many of these are
        hits; and the rounds that the seat ended by a fold, allowed or forced, and by a
        pair.

    Examples
    --------
    >>> from cardgames_dp import pairs
    >>> rules = pairs.Rules(deck=pairs.triangular(3), target=5)
    >>> result = pairs.simulate(rules, "never_hit", games=1000, rng=1)
    >>> result.wins, result.losses, result.hit_rate
    ((1000, 0), (0, 1000), 0.0)
    >>> {n: games for n, games in enumerate(result.durations.tolist()) if games}
    {2: 565, 3: 406, 4: 29}
    """

    rules: Rules | OfficialRules
    policies: tuple[str, ...]
    games: int
    final_scores: Integers
    durations: Integers
    choices: Integers
    hits: Integers
    folds: Integers
    pairs: Integers

    @property
    def losses(self) -> tuple[int, ...]:
        """How many games each seat lost."""
        target = self.rules.target
        return tuple(self.final_scores[:, target:].sum(axis=1).tolist())

    @property
    def wins(self) -> tuple[int, ...]:
        """How many games each seat won: those that another one lost.

        A game without a loser, which `reshuffle="essay"` knows, has no winner.
        """
        losses = self.losses
        return tuple([sum(losses) - lost for lost in losses])

    @property
    def win_rates(self) -> tuple[float, ...]:
        """The share of games that each seat won."""
        return tuple([won / self.games for won in self.wins])

    @property
    def standard_errors(self) -> tuple[float, ...]:
        """The standard error of each of `win_rates`; NaN for one game."""
        return tuple([_samples.rate_error(p, self.games) for p in self.win_rates])

    @property
    def mean_rounds(self) -> float:
        """The average number of rounds of a game."""
        rounds = np.arange(len(self.durations))
        return int(rounds @ self.durations) / self.games

    @property
    def mean_rounds_error(self) -> float:
        """The standard error of `mean_rounds`; NaN for one game."""
        rounds = np.arange(len(self.durations))
        deviation = _samples.deviation(rounds, self.durations, self.mean_rounds)
        return _samples.mean_error(deviation, self.games)

    @property
    def hit_rate(self) -> float:
        """The share of hits among decisions where both actions are allowed.

        NaN if there are none.
        """
        choices = int(self.choices.sum())
        return int(self.hits.sum()) / choices if choices else math.nan

    def to_dict(self, *, json: bool = False) -> dict[str, Any]:
        """Return everything, the rules included, as plain lists and numbers.

        Parameters
        ----------
        json : bool, default False
            Whether only what JSON has may be in it: NaN becomes a string, tuples lists.
        """
        derived = {
            "wins": self.wins,
            "win_rates": self.win_rates,
            "standard_errors": self.standard_errors,
            "losses": self.losses,
            "mean_rounds": self.mean_rounds,
            "mean_rounds_error": self.mean_rounds_error,
            "hit_rate": self.hit_rate,
        }
        plain = _records.plain(self, json=json) | _records.plain(derived, json=json)
        return {k: list(x) if isinstance(x, tuple) else x for k, x in plain.items()}

    def to_pandas(self) -> pd.DataFrame:
        """Return a DataFrame with a row for each seat.

        Its columns are "policy", "wins", "win_rate", "standard_error", "losses",
        "choices", "hits", "folds" and "pairs".

        Raises
        ------
        ModuleNotFoundError
            If pandas is not installed (the extra ``pandas``).
        """
        columns = {
            "policy": self.policies,
            "wins": self.wins,
            "win_rate": self.win_rates,
            "standard_error": self.standard_errors,
            "losses": self.losses,
            "choices": self.choices,
            "hits": self.hits,
            "folds": self.folds,
            "pairs": self.pairs,
        }
        return data_frame(columns, index=("seat", range(len(self.policies))))

    def __repr__(self) -> str:
        return _records.summary(
            self,
            policies=self.policies,
            games=self.games,
            win_rates=self.win_rates,
            standard_errors=self.standard_errors,
        )

    def __str__(self) -> str:
        seats = zip(self.policies, self.win_rates, self.standard_errors, strict=True)
        shown = ", ".join([f"{name} {p:.4f} ± {error:.2g}" for name, p, error in seats])
        return (
            f"{self.games} games of {self.mean_rounds:.4g} rounds on average; chances "
            f"of winning: {shown}."
        )

    def _repr_html_(self) -> str:
        head = ["seat", "policy", "wins", "chance", "±", "hits", "folds", "pairs"]
        columns = zip(
            self.policies,
            self.wins,
            [f"{rate:.4f}" for rate in self.win_rates],
            [f"{error:.2g}" for error in self.standard_errors],
            self.hits.tolist(),
            self.folds.tolist(),
            self.pairs.tolist(),
            strict=True,
        )
        rows = (
            [
                _html.label(str(seat)),
                _html.cell(name),
                *(_html.cell(str(count)) for count in counts),
            ]
            for seat, (name, *counts) in enumerate(columns)
        )
        title = f"{self.games} games, {self.mean_rounds:.4g} rounds each on average"
        return _html.table(title, head, rows, ["± is the standard error."])


def simulate(
    rules: Rules | OfficialRules | None,
    policies: Policy | Iterable[Policy],
    *,
    games: SupportsIndex,
    rng: int | np.random.Generator | None = None,
    progress: bool = False,
    executor: Executor | None = None,
) -> Simulation:
    """Deal many games to players of given policies, and count what came of them.

    Grade: estimated, with standard errors.

    Parameters
    ----------
    rules : Rules, OfficialRules or None
        The published game of two players, as :class:`Rules` have it, if None.
    policies : word, callable, Solution or BestResponse, or an iterable of them
        What the players do: one policy for each seat, or one for all.

        - a word or a function of a `View`, as for :func:`win_rate`. A function that
          answers in two dimensions is asked about the games of each vector of scores.
        - "optimal": the policy of ``solve(rules)``. Under `OfficialRules` nobody knows
          it.
        - a `Solution` or `BestResponse`, or its `policy`, of any rules with as many
          players, the same deck, capacity and target. It looks at hands and scores
          (and, if its rules remember discards, at the cards unseen) and takes them for
          what they would be under its own rules. In hands that these do not lead to it
          does what "expected_points" does: with three or more players, when some got
          another card in the deal.
    games : int
        How many games, at least 1.
    rng : None, int or numpy.random.Generator
        A seed, or a source of random numbers. The same seed gives the same games,
        whatever `progress` and `executor` are.
    progress : bool, default False
        Show a progress bar, for which `tqdm` is needed (the extra ``progress``).
    executor : concurrent.futures.Executor, optional
        Where to play games side by side, in chunks: threads, processes or a cluster
        (:doc:`/cluster`). Each worker is sent the tables of solved play once. Policies
        must pickle for that, which a ``lambda`` does on a cluster of Dask alone.

    Returns
    -------
    Simulation
        How the games went and ended, in counts for each seat.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described above; there is not one policy for each
        seat; a policy does not return an array of bool of the right shape; "optimal" is
        asked for under official rules; or a Solution or BestResponse is of another
        deck, capacity, target or number of players.
    TooLargeError
        If a policy to be looked up, or the counts, would not fit in memory.
    TooLongError
        If the games would take more than a week.
    ModuleNotFoundError
        If `progress` is true and `tqdm` is not installed.

    Notes
    -----
    Time grows as the number of turns, about 0.5 µs each for simple policies; memory
    does not depend on `games`. What is solved is looked up in a table with a bit for
    each position and vector of scores, 31 MB in the published game. It is there if
    `solve` or `best_response` has just been called; after a pickle, or beyond 64 MiB,
    it is made first, in about the time of solving the game.

    The `View` of a policy in the official game is that of
    ``OfficialRules.without_scored_cards``: its `unseen` are right, but `not_on_table`
    has the discards and scored cards in it.

    References
    ----------
    The game: J. Ernest and others, *Pairs*, Cheapass Games, 2014.

    Examples
    --------
    >>> from cardgames_dp import pairs
    >>> rules = pairs.Rules(deck=pairs.triangular(4), target=10)
    >>> result = pairs.simulate(
    ...     rules, ["optimal", "fifty_percent"], games=20_000, rng=31
    ... )
    >>> exact = pairs.win_rate(rules, "optimal", "fifty_percent").first
    >>> abs(result.win_rates[0] - exact) < 5 * result.standard_errors[0]
    True

    The game as it is printed on its sheet, for six players, with a policy of one's own:

    >>> def careful(view):
    ...     return view.hand.sum(axis=1) < 2
    >>> six = pairs.OfficialRules(players=6)
    >>> result = pairs.simulate(
    ...     six, [careful] + ["expected_points"] * 5, games=2000, rng=1
    ... )
    >>> result.policies[0], sum(result.losses), six.target
    ('careful', 2000, 11)
    """
    if not isinstance(rules, OfficialRules):
        rules = _checks.rules(rules, Rules)
    games = _checks.integer("games", games, minimum=1)
    source = _checks.generator(rng)
    progress = _checks.boolean("progress", progress)
    executor = _spread.checked(executor)
    official = isinstance(rules, OfficialRules)
    known = rules.without_scored_cards if isinstance(rules, OfficialRules) else rules
    _refuse_absurd(known, games)
    seats = by_seat(policies, rules.players)
    for name, policy in seats:
        refuse_unknown(name, policy, rules, known)
    players = players_of(seats, known, progress=progress)
    total = Tally.empty(known)
    with progress_bar(games, "games", shown=progress) as bar:
        for _, tally in _spread.each(
            _played,
            (known, players, official),
            _spread.chunks(games, CHUNK, source),
            executor=executor,
            name=str,
        ):
            total.add(tally)
            if bar is not None:
                bar.update(int(tally.durations.sum()))
    names = tuple([policy_name(policy) for _, policy in seats])
    return Simulation(rules, names, games, *total)


def _played(
    shared: tuple[Rules, Sequence[Player], bool], chunk: _spread.Chunk
) -> Tally:
    """Return the counts of some games."""
    rules, players, official = shared
    tally = Tally.empty(rules)
    play(rules, players, chunk.games, chunk.rng, tally, scored_stay_out=official)
    return tally


def _refuse_absurd(rules: Rules, games: int) -> None:
    """Refuse what would not fit in memory or in an int64, or take weeks."""
    n, scores, rounds = tally_shape(rules)
    target = f"{_checks.shown(rules.target)} points"
    refuse_too_large(
        f"counts of games to {target}",
        8 * (n * scores + rounds),
        "use a smaller target, and smaller ranks",
    )
    refuse_too_large(
        f"games of {_checks.shown(n)} players",
        8 * n * (len(rules.ranks) + 2) * min(games, CHUNK),
        "use fewer players",
    )
    cards = sum(rules.counts)
    if cards >= 2**62:
        raise TooLargeError(
            f"rules have {_checks.shown(cards)} cards, whose numbers would not fit in "
            "an int64; use a smaller deck"
        )
    refuse_too_long(
        f"the play of {_checks.shown(games)} games to {target}",
        real(games) * _seconds_of_a_game(rules),
        "ask for fewer games",
    )


def _seconds_of_a_game(rules: Rules) -> float:
    """Return about how long a game takes, if a round scores an average card."""
    cards = sum(rules.counts)
    points = sum(map(operator.mul, rules.ranks, rules.counts)) / cards
    rounds = max(0.7 * rules.players * rules.losing_score / points, 1.0)
    turns = min(rules.players + 4, _MOST_TURNS, cards)
    return float(rounds * turns * _TURN_SECONDS)
