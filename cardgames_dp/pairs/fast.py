"""What Pairs answers faster than any game does: by sweeps over rounds, and deals.

`PairsGame.fast` has these ways; `cardgames_dp._graph.lookup` says when they are asked.
"""

from __future__ import annotations

from collections import Counter
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._graph.mixtures import Mixture
from cardgames_dp._results.distribution import Distribution
from cardgames_dp._support import arguments, executors
from cardgames_dp._support.arguments import Backend
from cardgames_dp._support.running import refuse_too_large, with_progress
from cardgames_dp.pairs import forward, seats
from cardgames_dp.pairs._kernels.induction import BEST, optimal
from cardgames_dp.pairs._kernels.positions import most_decks, most_positions
from cardgames_dp.pairs._kernels.simulation import Games, tally_shape
from cardgames_dp.pairs.lookup import SolvedRounds, run_sweep
from cardgames_dp.pairs.players import LookupPlayer, ThumbPlayer
from cardgames_dp.pairs.policies import expected_points
from cardgames_dp.pairs.rules import Goal, Rules, Tie, in_arrays

CHUNK = 2**14
"""The number of games side by side: few enough for their arrays to fit in the cache."""


@dataclass(frozen=True, slots=True)
class Fast:
    """The faster ways of Pairs."""

    rules: Rules
    goal: Goal

    def solve(self, backend: Backend, tie_break: str) -> SolvedRounds | None:
        """Return the solution, by backward induction over rounds."""
        way = self._preferring(tie_break)
        if way is None or not self._sweeps(backend):
            return None
        sweep = run_sweep(way.rules, self.goal, [optimal(self.rules.players)])
        return SolvedRounds.of(sweep)

    def evaluate(self, policies: Any, backend: Backend) -> SolvedRounds | None:
        """Return the values of policies."""
        return (
            self.evaluate_policies(policies)
            if self._sweeps(backend, policies)
            else None
        )

    def _sweeps(self, backend: Backend, policies: Any = None) -> bool:
        """Return whether sweeps answer."""
        ours = backend == "float64" and self.rules.reshuffle != "official"
        return ours and not seats.by_states_alone(policies)

    def _preferring(self, tie_break: str) -> Fast | None:
        """Return the same with a tie rule by which the first action is the best."""
        if tie_break == "first":
            return self
        if self.rules.tie == "rounding":
            return None
        tie: Tie = "fold" if self.rules.tie == "hit" else "hit"
        return replace(self, rules=replace(self.rules, tie=tie))

    def evaluate_policies(
        self,
        policies: Any,
        free: int | None = None,
        executor: Executor | None = None,
    ) -> SolvedRounds:
        """Return the values of policies; a player who is free does what is best."""
        profile = seats.by_seat(policies, self.rules.players, free)
        if free is not None:
            profile[free] = None
        own = seats.profiles_of(profile, self.rules, self.goal)
        sweep = run_sweep(self.rules, self.goal, own, executor)
        return SolvedRounds.of(sweep, tuple(profile), seats.profiles_of)

    def best_response(
        self, policies: Any, player: int, backend: Backend, tie_break: str
    ) -> tuple[SolvedRounds, tuple[float, ...] | None] | None:
        """Return the best response of a player, and the payoffs of its own policy."""
        way = self._preferring(tie_break)
        if way is None or not self._sweeps(backend, policies):
            return None
        if way is not self and _has_optimal(policies):
            return None  # the others' optimal play keeps the tie rule of the game
        arguments.index("player", player, "num_players", self.rules.players)
        lookup = way.evaluate_policies(policies, free=player)
        if isinstance(policies, (list, tuple)) and policies[player] is None:
            return lookup, None
        return lookup, tuple(
            self.evaluate_policies(policies).at_start()[-1, 0].tolist()
        )

    def regret(
        self, policies: Any, player: int, backend: Backend, most: int | None
    ) -> dict[str, Any] | None:
        """Return the mistakes of a player, the costliest first, and what they cost."""
        if not self._sweeps(backend, policies):
            return None
        n = self.rules.players
        player = arguments.index("player", player, "num_players", n)
        # One sweep of both, in which a policy is the same player.
        own = seats.profiles_of(seats.by_seat(policies, n), self.rules, self.goal)
        *first, playing = own
        others = [BEST if i == player else x for i, x in enumerate(playing)]
        responding = seats.profiles(tuple(others))[-1]
        both = [*first, playing, responding]
        sweep = run_sweep(self.rules, self.goal, both, keep_decisions=False)
        return forward.regret(sweep, self.goal, playing, responding, player, most)

    def distribution(
        self, policies: Any, backend: Backend, count: Any
    ) -> tuple[tuple[Distribution[Any], ...], Distribution[Any], float, Any] | None:
        """Return the distributions of each player's returns, and of the moves."""
        valid = count is None or (isinstance(count, str) and count in forward.COUNTS)
        alike = self.rules.reshuffle == "round" and self.rules.first == "rotation"
        if not (valid and alike and self._sweeps(backend, policies)):
            return None
        return *forward.distribution(self.evaluate_policies(policies), count), policies

    def simulate(
        self,
        policies: Any,
        games: int,
        histories: int,
        rng: np.random.Generator,
        count: Any,
        executor: Executor | None,
    ) -> tuple[Any, ...] | None:
        """Return how often each return and number of moves occurred."""
        valid = count is None or (isinstance(count, str) and count in forward.COUNTS)
        if histories or not valid or seats.by_states_alone(policies):
            return None
        counters, _ = self.simulated(policies, games, rng, count, executor)
        return *counters, ()

    def simulated(
        self,
        policies: Any,
        games: int,
        rng: np.random.Generator,
        count: Any,
        executor: Executor | None,
    ) -> tuple[list[Counter[Any]], tuple[NDArray[np.int64], ...]]:
        """Return the counts of returns and moves; and rounds and, by seat, actions."""
        rules = self.rules
        _refuse_absurd(rules, games)
        profile = seats.by_seat(policies, rules.players)
        made: dict[Any, Any] = {}
        players = []
        for seat, policy in enumerate(profile):
            name = f"policies[{seat}]"
            if seats.key_of(policy) not in made:
                made[seats.key_of(policy)] = self._simulated_player(name, policy)
            players.append(made[seats.key_of(policy)])
        counters = [Counter[Any]() for _ in range(rules.players + 1)]
        totals: Any = [0] * 5
        batches = executors.map_items(
            _play_chunk,
            (rules, players, self.goal, count),
            executors.chunks(games, CHUNK, rng),
            executor=executor,
            name=str,
        )
        size = lambda batch: int(batch[1][0][-1][1].sum())  # noqa: E731
        for _, (results, tallies) in with_progress(batches, games, "games", size):
            for counter, (values, times) in zip(counters, results, strict=True):
                counter.update(dict(zip(values.tolist(), times.tolist(), strict=True)))
            totals = [x + y for x, y in zip(totals, tallies, strict=True)]
        return counters, tuple(totals)

    def _simulated_player(self, name: str, policy: Any) -> Any:
        """Return a policy as a player of simulated games."""
        rules, solved = self.rules, seats.solved_rounds_of(policy)
        if isinstance(policy, str) and policy == "optimal":
            if rules.reshuffle == "official":
                raise ValueError(
                    f"{name}='optimal' is not known under the official rules, where "
                    "scored cards stay out; use the solution of the nearest rules that "
                    "can be solved, Rules(deal=1, first='lowest')"
                )
            solved = seats.optimal_rounds(rules, self.goal)
        if solved is None:
            return seats.player_of(name, policy, rules, self.goal)
        for field in ("players", "deck", "capacity", "target"):
            its, own = getattr(solved.rules, field), getattr(rules, field)
            if its != own:
                raise ValueError(
                    f"{name} must be a solution of rules with the same players, deck, "
                    f"capacity and target, got {field}={arguments.shown(its)} instead "
                    f"of {arguments.shown(own)}"
                )
        # In hands that cannot arise under its rules, as after ties in a deal.
        return LookupPlayer(solved.sweep, ThumbPlayer(expected_points, rules))


def most_states(rules: Rules) -> int:
    """Return an upper bound of the number of states.

    A state is a position with scores and a leader, before a decision or a draw; or the
    end of the game, with the loser beyond the target by less than the highest rank.
    """
    n, target, decks = rules.players, rules.target, most_decks(rules)
    going_on: int = 2 * n * target**n * most_positions(rules, decks)
    over: int = n * target ** (n - 1) * rules.ranks[-1] * decks
    return going_on + over


def _play_chunk(shared: Any, chunk: executors.Chunk) -> Any:
    """Return the results of a chunk of games, and their tallies."""
    rules, players, goal, count = shared
    games = Games(rules, players, chunk.games, chunk.rng)
    return games.play(in_arrays(rules, goal), count)


def _refuse_absurd(rules: Rules, games: int) -> None:
    """Refuse games that would not fit in memory or in an int64."""
    refuse_too_large(
        f"games of {arguments.shown(rules.players)} players",
        8 * rules.players * (len(rules.ranks) + 2) * min(games, CHUNK),
        "use fewer players",
    )
    refuse_too_large(
        f"counts of games to {arguments.shown(rules.target)} points",
        8 * tally_shape(rules),
        "use a smaller target, and smaller ranks",
    )


def _has_optimal(policies: Any) -> bool:
    """Return whether the word "optimal" is among policies, or in a mixture."""
    if isinstance(policies, Mixture):
        policies = policies.policies
    if isinstance(policies, (list, tuple)):
        return any(map(_has_optimal, policies))
    return isinstance(policies, str) and policies == "optimal"
