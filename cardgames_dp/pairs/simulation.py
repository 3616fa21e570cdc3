"""Simulated games of Pairs between players with given policies, and their counts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, SupportsIndex

import numpy as np

from cardgames_dp._results import tables
from cardgames_dp._results.distribution import Distribution, frequencies, rate_error
from cardgames_dp._results.records import Result
from cardgames_dp._support import arguments, executors
from cardgames_dp._support.calls import suggest_arguments
from cardgames_dp._support.printing import counted, short
from cardgames_dp._support.running import TooLargeError, refuse_too_large, tracked
from cardgames_dp.pairs._kernels.game import Integers
from cardgames_dp.pairs._kernels.simulation import Games, LookedUp, Player, tally_shape
from cardgames_dp.pairs.players import (
    Asked,
    Policy,
    by_seat,
    decider,
    policy_name,
    seated,
)
from cardgames_dp.pairs.policies import expected_points
from cardgames_dp.pairs.rules import Rules
from cardgames_dp.pairs.solution import solved_play, sweep_of
from cardgames_dp.pairs.solver import solve

if TYPE_CHECKING:
    from concurrent.futures import Executor

CHUNK = 2**14
"""The number of games side by side: few enough for their arrays to fit in the cache."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Simulation(Result):
    """Counts of simulated games; made by :func:`simulate`.

    Seats are counted to the left, beginning with the leader of the first round (if the
    lowest card leads, with any player). All counts are exact. The arrays are read-only.

    Attributes
    ----------
    rules : Rules
        The rules of the games.
    policies : tuple of str
        The name of the policy in each seat.
    games : int
        The number of games.
    final_scores : ndarray of int64, shape (players, scores)
        The number of games that each seat ended with 0, 1, 2, ... points.
    rounds : Distribution
        The frequencies of the numbers of rounds.
    choices, hits, folds, pairs : ndarray of int64, shape (players,)
        For each seat: the decisions in which both actions are allowed; the hits among
        these; the rounds that the seat ended by a fold, chosen or forced; and the
        rounds that it ended by a pair.

    Examples
    --------
    >>> from cardgames_dp import pairs
    >>> rules = pairs.Rules(deck=3, target=5)
    >>> result = pairs.simulate(rules, "never_hit", games=1000, rng=1)
    >>> result.wins, result.losses, result.hits.tolist()
    ((1000, 0), (0, 1000), [0, 0])
    >>> result.rounds.to_dict()
    {2: 0.565, 3: 0.406, 4: 0.029}
    """

    rules: Rules
    policies: tuple[str, ...]
    games: int
    final_scores: Integers
    rounds: Distribution[float]
    choices: Integers
    hits: Integers
    folds: Integers
    pairs: Integers

    @property
    def losses(self) -> tuple[int, ...]:
        """The number of games that each seat lost."""
        target = self.rules.target
        return tuple(self.final_scores[:, target:].sum(axis=1).tolist())

    @property
    def wins(self) -> tuple[int, ...]:
        """The number of games that each seat won: those that another seat lost.

        A game without a loser, as can happen with `reshuffle="essay"`, has no winner.
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
        return tuple([rate_error(p, self.games) for p in self.win_rates])

    _derived = ("wins", "win_rates", "standard_errors", "losses")
    _told = ("policies", "games", "win_rates", "standard_errors")

    def _table(self) -> tables.Table:
        columns: dict[str, Iterable[object]] = {
            "seat": range(len(self.policies)),
            "policy": self.policies,
            "wins": self.wins,
            "win_rate": self.win_rates,
            "standard_error": self.standard_errors,
            "choices": self.choices.tolist(),
            "hits": self.hits.tolist(),
            "folds": self.folds.tolist(),
            "pairs": self.pairs.tolist(),
        }
        rounds = counted(short(self.rounds.mean, 4), "round")
        title = f"{counted(self.games, 'game')}, {rounds} each on average"
        rows = [*zip(*columns.values(), strict=True)]
        return tables.Table([*columns], rows, title=title, left=(1,))


@suggest_arguments
def simulate(
    rules: Rules | None,
    policies: Policy | Iterable[Policy],
    *,
    games: SupportsIndex,
    rng: int | np.random.Generator | None = None,
    executor: Executor | None = None,
) -> Simulation:
    """Simulate games between players with given policies, and count the results.

    Grade: estimated, with standard errors.

    Parameters
    ----------
    rules : Rules or None
        The published game of two players if None; ``Rules.official()`` as well.
    policies : Policy, or iterable of Policy
        The policy of each seat, in turn order, or one for all seats:

        - a name or a function of a `View`; see `Policy`. A function that returns two
          dimensions is called once for each vector of scores.
        - "optimal", the policy of ``solve(rules)``; it is not known under the official
          rules.
        - a `Solution` or `Response`, or its `policy`, of any rules with as many
          players, the same deck, capacity and target. It looks at hands and scores
          (and at the cards unseen, if discards stay out under its rules) as if the game
          had its rules. In hands that cannot arise under its rules it does the same as
          "expected_points"; these occur with three or more players, when some got
          another card in the deal.
    games : int
        The number of games, at least 1.
    rng : None, int or numpy.random.Generator
        A seed, or a source of random numbers. The same seed gives the same games,
        whatever `executor` is.
    executor : concurrent.futures.Executor, optional
        Where to play chunks of games in parallel: threads, processes or a cluster
        (:doc:`/cluster`), which have to pickle the policies.

    Returns
    -------
    Simulation
        Counts of results and decisions for each seat.

    Raises
    ------
    ValueError
        If "optimal" is given under official rules, or a Solution or Response has
        another deck, capacity, target or number of players.
    TooLargeError
        If the decisions of solved play, or the counts, would not fit in memory.

    Notes
    -----
    The time is proportional to the number of turns, about 0.5 µs each for simple
    policies; memory does not depend on `games`. The actions of solved play are looked
    up in a table with one bit for each position and vector of scores, 31 MB in the
    published game. New results of `solve` and `best_response` have this table; after a
    pickle, or beyond 64 MiB, it is made first, in about the time of solving the game.
    With three players and the published deck it does not fit in memory.

    Examples
    --------
    >>> from cardgames_dp import pairs
    >>> rules = pairs.Rules(deck=4, target=10)
    >>> seats = ["optimal", "fifty_percent"]
    >>> result = pairs.simulate(rules, seats, games=20_000, rng=31)
    >>> exact = pairs.evaluate(rules, seats).value
    >>> abs(result.win_rates[0] - exact) < 5 * result.standard_errors[0]
    True

    The official game for six players, one of whom has a policy of your own:

    >>> def careful(view):
    ...     return view.hand.sum(axis=1) < 2
    >>> six, seats = pairs.Rules.official(players=6), [careful] + ["never_hit"] * 5
    >>> result = pairs.simulate(six, seats, games=2000, rng=1)
    >>> result.policies[0], sum(result.losses), six.target
    ('careful', 2000, 11)
    """
    rules = arguments.rules(rules, Rules)
    games = arguments.integer("games", games, minimum=1)
    source = arguments.generator(rng)
    executor = executors.checked(executor)
    _refuse_absurd(rules, games)
    seats = by_seat(policies, rules.players)
    for name, policy in seats:
        _refuse_unknown(name, policy, rules)

    def player(name: str, policy: Policy) -> Player:
        decide, solved = decider(name, policy), solved_play(policy)
        if decide is not None and solved is None:
            return Asked(name, decide, rules)
        otherwise = Asked(name, expected_points, rules)
        return LookedUp(sweep_of(solved or solve(rules)), otherwise)

    players = seated(seats, player)
    total = Games(rules, (), 0, source).play()  # no games
    each = executors.each(
        _played,
        (rules, players),
        executors.chunks(games, CHUNK, source),
        executor=executor,
        name=str,
    )
    for _, counts in tracked(each, games, "games", lambda each: int(each[1][1].sum())):
        total = tuple(map(np.add, total, counts))
    names = tuple([policy_name(policy) for _, policy in seats])
    scores, lasted, *decisions = total
    rounds = np.flatnonzero(lasted)
    often = frequencies("rounds", rounds, lasted[rounds])
    return Simulation(rules, names, games, scores, often, *decisions)


def _played(
    shared: tuple[Rules, Sequence[Player]], chunk: executors.Chunk
) -> tuple[Integers, ...]:
    """Return the counts of a chunk of games."""
    return Games(*shared, chunk.games, chunk.rng).play()


def _refuse_unknown(name: str, policy: Policy, rules: Rules) -> None:
    """Refuse what is not a policy, or not one for these rules."""
    solved = solved_play(policy)
    if solved is not None:
        for field in ("players", "deck", "capacity", "target"):
            its, own = getattr(solved.rules, field), getattr(rules, field)
            if its != own:
                raise ValueError(
                    f"{name} must be a {type(solved).__name__} of rules with the same "
                    f"players, deck, capacity and target, got {field}="
                    f"{arguments.shown(its)} instead of {arguments.shown(own)}"
                )
    elif decider(name, policy) is None and rules.reshuffle == "official":
        raise ValueError(
            f"{name}='optimal' is not known under the official rules, where scored "
            "cards stay out; use the policy of the nearest rules that can be solved, "
            "Rules(deal=1, first='lowest')"
        )


def _refuse_absurd(rules: Rules, games: int) -> None:
    """Refuse games that would not fit in memory or in an int64."""
    n, scores, rounds = tally_shape(rules)
    target = f"{arguments.shown(rules.target)} points"
    refuse_too_large(
        f"counts of games to {target}",
        8 * (n * scores + rounds),
        "use a smaller target, and smaller ranks",
    )
    refuse_too_large(
        f"games of {arguments.shown(n)} players",
        8 * n * (len(rules.ranks) + 2) * min(games, CHUNK),
        "use fewer players",
    )
    cards = sum(rules.counts)
    if cards >= 2**62:
        raise TooLargeError(
            f"rules have {arguments.shown(cards)} cards, too many for an int64; use a "
            "smaller deck"
        )
