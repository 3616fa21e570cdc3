"""The secretary problem: when to stop looking, for the best one or for a good one.

Some candidates come in a random order, and you know only how each compares with those
before. You take one at once or never. The usual aim is the very best candidate; the
other one is a good rank, where 1 is the best.

J. P. Gilbert and F. Mosteller, "Recognizing the maximum of a sequence", Journal of the
American Statistical Association 61 (1966), 35-73, treat the first aim: with many
candidates let 1/e of them pass, and win with probability 1/e = 0.3679. Y. S. Chow, S.
Moriguti, H. Robbins and S. M. Samuels, "Optimal selection based on relative rank",
Israel Journal of Mathematics 2 (1964), 81-90, treat the second: however many there are,
the expected rank stays below 3.8695.

The script takes the number of candidates, or else 100. It prints both values, what each
way of choosing means for the other aim, and for which numbers up to this one n/e,
rounded, is not how many to let pass (with two candidates all is alike).
"""

from __future__ import annotations

import sys
from collections import namedtuple
from collections.abc import Iterable
from fractions import Fraction
from math import e

from cardgames_dp import exact, play
from cardgames_dp.game import CHANCE, TERMINAL, Names

State = tuple[int, int, str]
"""How many have come, the rank of the last among them, and what is next."""


class Candidates:
    """Some candidates, with one of the two aims: ``best`` or ``rank``."""

    num_players = 1
    names = Names(namedtuple("State", "candidates rank next"))

    def __init__(self, count: int = 100, aim: str = "best") -> None:
        self.count, self.aim = count, aim

    def initial_state(self) -> State:
        """Return the start, before anybody has come."""
        return 0, 0, "next"

    def current_player(self, state: State) -> int:
        """Return whether a candidate comes, or you choose, or have chosen."""
        return {"next": CHANCE, "choose": 0, "taken": TERMINAL}[state[2]]

    def legal_actions(self, state: State) -> list[str]:
        """Return both; the last candidate must be taken."""
        return ["taken", "next"][: 1 + (state[0] < self.count)]

    def next_state(self, state: State, action: str) -> State:
        """Return the state after a choice; to go on, forget the rank."""
        return (state[0], state[1] if action == "taken" else 0, action)

    def chance_outcomes(self, state: State) -> Iterable[tuple[int, State]]:
        """Return the ranks of the next candidate, which are equally likely."""
        count = state[0] + 1
        return [(1, (count, rank, "choose")) for rank in range(1, count + 1)]

    def returns(self, state: State) -> list[Fraction]:
        """Return how likely this is the best of all, or the expected rank, negative."""
        count, rank, _ = state
        if self.aim == "best":
            return [Fraction(count * (rank == 1), self.count)]
        return [-Fraction(rank * (self.count + 1), count + 1)]


def to_let_pass(count: int) -> int:
    """Return how many candidates not to take, whatever they are like."""
    policy = exact.solve(Candidates(count)).policy
    return next(k for k in range(count) if policy[k + 1, 1, "choose"] == "taken")


def main() -> None:
    """Solve both problems for a number of candidates."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    best = exact.solve(Candidates(count))
    chance = float(best.value)
    print(f"{count} candidates: the best one with probability {chance:.9f}")
    passed = to_let_pass(count)
    print(f"  if {passed} pass; n/e = {count / e:.2f}, and 1/e = {1 / e:.4f}")
    ranked = exact.solve(Candidates(count, "rank"))
    print(f"The expected rank is {-float(ranked.value):.9f}; the limit, 3.8695")
    other = play.evaluate(ranked, best, backend="exact").value
    print(f"  for a player who wants the best one: {-float(other):.6f}")
    other = play.evaluate(best, ranked, backend="exact").value
    print(f"  who wants a good rank finds the best one with {float(other):.6f}")
    small = range(3, min(count, 30) + 1)
    apart = [n for n in small if to_let_pass(n) != round(n / e)]
    numbers = ", ".join(map(str, apart))
    print(f"n/e, rounded, is not that number for n = {numbers} (of 3 to {small[-1]})")


if __name__ == "__main__":
    main()
