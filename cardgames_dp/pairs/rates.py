"""How often policies win, hit, fold and make pairs, exactly or in simulated games."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import Executor
from dataclasses import dataclass, field
from typing import Any, SupportsIndex

import numpy as np

from cardgames_dp._results.records import Record, Result
from cardgames_dp._results.tables import Table
from cardgames_dp._support import arguments, executors
from cardgames_dp._support.calls import suggest_arguments
from cardgames_dp.pairs import forward
from cardgames_dp.pairs.game import game
from cardgames_dp.pairs.lookup import SolvedRounds
from cardgames_dp.pairs.rules import Floats, Rules, tabled_rules
from cardgames_dp.pairs.seats import by_states_alone, solved_rounds_of

_COUNTED = ("choices", "hits", "folds", "pairs")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Rates(Result):
    """How often policies win, and what they do; made by :func:`rates`.

    It prints as a table.

    Seats are numbered in turn order; seat 0 moves first in the game. The arrays are
    read-only, with an entry for each seat.

    What the players do is computed when it is first needed.

    Attributes
    ----------
    rules : Rules
        The rules of the game.
    policies : tuple of str
        The name of the policy in each seat.
    by_leader : tuple of tuple of float
        The chances of winning, by seat, if each seat in turn moves first in the game;
        of simulated games, if seat 0 does.
    games : int or None
        The number of simulated games; None for exact rates.

    Examples
    --------
    A policy against one other, in both seats, and on average:

    >>> from cardgames_dp import pairs
    >>> rules = pairs.Rules(deck=4, target=10)
    >>> found = pairs.rates(rules, ["optimal", "fifty_percent"])
    >>> [round(chances[0], 4) for chances in found.by_leader], round(found.mean[0], 4)
    ([0.5774, 0.6531], 0.6153)

    How long games of optimal players are, and how often these hit and fold:

    >>> usual = pairs.rates(rules, "optimal")
    >>> choices, hits, folds, _ = [x.sum() for x in usual.counts.values()]
    >>> [round(float(x), 3) for x in (usual.rounds, hits / choices, folds)]
    [7.763, 0.822, 4.486]
    """

    rules: Rules
    policies: tuple[str, ...]
    by_leader: tuple[tuple[float, ...], ...]
    games: int | None
    _source: Any = field(compare=False, repr=False)
    """Solved rounds, or the number of rounds, and the other numbers by seat."""

    @property
    def rounds(self) -> float:
        """The mean number of rounds."""
        return self._means[0]

    @property
    def counts(self) -> dict[str, Floats]:
        """Mean numbers per game, an array with an entry for each seat.

        "choices" are decisions in which both actions are allowed, "hits" the hits among
        these; "folds", chosen or forced, and "pairs" are rounds that the seat so ends.
        """
        return dict(zip(_COUNTED, self._means[1], strict=True))

    @property
    def _means(self) -> tuple[float, Floats]:
        if isinstance(self._source, SolvedRounds):
            self._set(_source=forward.tallies(self._source.sweep))
        means: tuple[float, Floats] = self._source
        return means

    @property
    def payoffs(self) -> tuple[float, ...]:
        """Chances of winning, by seat."""
        return self.by_leader[0]

    @property
    def mean(self) -> tuple[float, ...]:
        """Chances of winning, by seat, if it is drawn by lot who moves first.

        They are 1 - 1/players if all follow the same policy, as one of them loses. Of
        simulated games they are `payoffs`.
        """
        n, chances = len(self.by_leader), self.by_leader
        if self.games:
            return self.payoffs
        # From the policy's own lead on: in each place that it may have.
        return tuple(
            [sum([chances[i - k][i] for k in range(n)]) / n for i in range(self._seats)]
        )

    @property
    def lose(self) -> tuple[float, ...]:
        """Chances of losing, by seat.

        They sum to 1, except with ``reshuffle="essay"``, where games may end without a
        loser.
        """
        ending = 1.0
        if self.rules.reshuffle == "essay":
            ending = sum(self.payoffs) / (self._seats - 1)
        return tuple([ending - win for win in self.payoffs])

    @property
    def _seats(self) -> int:
        return len(self.policies)

    _derived = ("payoffs", "lose", "mean")
    _repr_fields = ("policies", "payoffs")

    def _table(self) -> Table:
        every = zip(self.policies, self.payoffs, self.lose, strict=True)
        rows = [(seat, *each) for seat, each in enumerate(every)]
        notes = [f"{self.games} simulated games"] if self.games else []
        return Table(("seat", "policy", "wins", "loses"), rows, notes, left=(1,))

    def _columns(self) -> tuple[Any, dict[str, Any]]:
        columns: dict[str, Any] = {"policy": list(self.policies)}
        columns |= {"wins": list(self.payoffs), "loses": list(self.lose)}
        return None, columns | {x: each.tolist() for x, each in self.counts.items()}


@suggest_arguments
def rates(
    rules: Rules | None,
    policies: Any,
    *,
    games: SupportsIndex | None = None,
    rng: int | np.random.Generator | None = None,
    executor: Executor | None = None,
) -> Rates:
    """Return how often policies win, hit, fold and make pairs.

    Grade: float64; estimated with `games`.

    Parameters
    ----------
    rules : Rules or None
        The published game of two players if None; with `games` the official rules as
        well.
    policies : Policy, or list or tuple of Policy
        The policy of each seat, in turn order, beginning with the player who moves
        first; or one for all seats. One of them may be None, for the best response to
        the others: what is left against it is what they win at worst.
    games : int, optional
        The number of games to simulate; the rates are exact, except for rounding, if
        not given.
    rng : None, int or numpy.random.Generator
        A seed, or a source of random numbers, for simulated games.
    executor : concurrent.futures.Executor, optional
        Where to solve vectors of scores with the same total, or to play chunks of
        games, in parallel; the result is the same, bit for bit.

    Returns
    -------
    Rates
        The chances of winning by seat, whoever leads, and mean numbers of a game.

    See Also
    --------
    cardgames_dp.play.evaluate : Values in all states.
    cardgames_dp.play.simulate : Distributions of simulated games.

    Examples
    --------
    The first of four players folds if the chance of a pair is above 1/5, and the others
    play optimally. The chances of each seat to lose are:

    >>> from cardgames_dp import pairs
    >>> rules = pairs.Rules(players=4, deck=4, target=3)
    >>> careful = pairs.HitBelow("1/5", or_equal=True)
    >>> chances = pairs.rates(rules, [careful, "optimal", "optimal", "optimal"])
    >>> [round(chance, 5) for chance in chances.lose]
    [0.50514, 0.18572, 0.16707, 0.14207]

    What a policy wins against optimal play, and at worst, in a random seat:

    >>> rules = pairs.Rules(deck=4, target=10)
    >>> for other in ("optimal", None):
    ...     print(round(pairs.rates(rules, ["fifty_percent", other]).mean[0], 5))
    0.38471
    0.38266

    By the official rules, with scored cards that stay out:

    >>> official = pairs.Rules.official()
    >>> found = pairs.rates(official, "expected_points", games=1000, rng=1)
    >>> round(found.rounds, 1)
    8.8
    """
    checked = (
        arguments.rules(rules, Rules) if games is not None else tabled_rules(rules)
    )
    fast, n = game(checked).fast, checked.players
    assert fast is not None
    means: Any
    every = policies if isinstance(policies, (list, tuple)) else [policies] * n
    if by_states_alone(every):
        raise ValueError(
            "policies must not be mappings or solutions of explored games, which know "
            "only the states of a game from its start; use cardgames_dp.play"
        )
    free = [seat for seat, policy in enumerate(every) if policy is None]
    if games is None:
        if rng is not None:
            raise ValueError("rng is for simulated games; give games= as well")
        first = free[0] if free else None
        means = fast.evaluate_policies(
            policies, first, executors.check_executor(executor)
        )
        by_leader = [
            tuple(np.roll(means.at_start(leader)[-1, 0], leader).tolist())
            for leader in range(n)
        ]
    else:
        games = arguments.integer("games", games, minimum=1)
        source, pool = arguments.generator(rng), executors.check_executor(executor)
        counters, totals = fast.simulated(policies, games, source, None, pool)
        rounds, *decisions = [total / games for total in totals]
        means = float(rounds), np.array(decisions)
        by_leader = [tuple([counter[1] / games for counter in counters[:-1]])]
    names = tuple(map(policy_name, every))
    return Rates(checked, names, tuple(by_leader), games, means)


def policy_name(policy: Any) -> str:
    """Return the name of a policy in results."""
    if isinstance(policy, str):
        return policy
    solved = solved_rounds_of(policy)
    if policy is None or solved is not None:
        best = solved is not None and set(solved.policies) == {None}
        return "Solution" if best else "best response"
    if isinstance(policy, Record) and not isinstance(policy, Result):
        return repr(policy)  # such as HitBelow(0.4)
    if isinstance(policy, Iterable) or not callable(policy):
        return type(policy).__name__
    return arguments.function_name(policy)
