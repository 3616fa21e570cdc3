"""Slow and simple: values and players from their definitions, and rows to try."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import Any, NamedTuple, TypeAlias

from hypothesis import strategies as st

from cardgames_dp import exact, play
from cardgames_dp.cardrow import Rules, State
from cardgames_dp.game import TERMINAL

Player: TypeAlias = Callable[[Any], dict[str, Any]]
"""The weights of turns in a state."""


def rows(alphabet: tuple[int, ...], longest: int) -> Iterator[tuple[int, ...]]:
    """Yield all rows over an alphabet up to a length."""
    for length in range(1, longest + 1):
        yield from product(alphabet, repeat=length)


@lru_cache(2**16)
def _best(cards: tuple[Any, ...], take: int) -> Any:
    counts = range(1, min(take, len(cards)) + 1)
    lefts = [sum(cards[:c]) - _best(cards[c:], take) for c in counts]
    rights = [sum(cards[-c:]) - _best(cards[:-c], take) for c in counts]
    return max(lefts + rights, default=0)


def brute_force(cards: Any, take: int = 1) -> Any:
    """Return what the first of two wins by, from the definition."""
    return _best(tuple(cards), take)


def parsed(turn: str) -> tuple[str, int]:
    """Return the side and the number of cards of a turn."""
    first, *rest = turn.split()
    return (first, 1) if not rest else (rest[-1], int(first))


def worths_of(cards: Any, rules: Rules) -> list[list[Fraction]]:
    """Return the worths of the cards to each player."""
    own = [Fraction(x) for x in cards]
    second = own if rules.weights is None else [Fraction(x) for x in rules.weights]
    return [second if seat == 1 else own for seat in range(rules.players)]


def turns_of(left: int, right: int, take: int) -> list[str]:
    """Return the legal turns: a turn that takes all is one from the left."""
    cards = right - left + 1
    counts = [("left", min(take, cards)), ("right", min(take, cards - 1))]
    return [
        side if k == 1 else f"{k} from the {side}"
        for side, most in counts
        for k in range(1, most + 1)
    ]


def taken(turn: str, left: int, right: int) -> tuple[slice, int, int]:
    """Return what a turn takes, and the ends of what it leaves."""
    side, count = parsed(turn)
    if side == "left":
        return slice(left, left + count), left + count, right
    return slice(right + 1 - count, right + 1), left, right - count


class Sums(NamedTuple):
    """A state with the sums taken so far."""

    left: int
    right: int
    player: int
    sums: tuple[Fraction, ...]


@dataclass(frozen=True)
class Slow:
    """Cards in a row as a plain game with the sums in its states, from the rules."""

    cards: Any
    rules: Rules

    @property
    def num_players(self) -> int:
        return self.rules.players

    def initial_state(self) -> Sums:
        nothing = (Fraction(0),) * self.rules.players
        return Sums(0, len(self.cards) - 1, 0, nothing)

    def current_player(self, state: Sums) -> int:
        return state.player if state.left <= state.right else TERMINAL

    def legal_actions(self, state: Sums) -> list[str]:
        turns = turns_of(state.left, state.right, self.rules.take)
        worths = worths_of(self.cards, self.rules)
        first, last = (
            sum([row[i] for row in worths]) for i in (state.left, state.right)
        )
        right = last >= first if self.rules.tie == "larger" else False
        if self.rules.tie == "right" or right:
            turns.sort(key=lambda turn: parsed(turn)[0] == "left")
        return turns

    def next_state(self, state: Sums, action: str) -> Sums:
        some, left, right = taken(action, state.left, state.right)
        sums = list(state.sums)
        sums[state.player] += sum(worths_of(self.cards, self.rules)[state.player][some])
        after = (state.player + 1) % self.rules.players
        return Sums(left, right, after, tuple(sums))

    def chance_outcomes(self, state: Sums) -> list[tuple[int, Sums]]:
        return []

    def returns(self, state: Sums) -> list[Fraction]:
        sign, sums = -1 if self.rules.misere else 1, state.sums
        if len(sums) == 2:
            ahead = sign * (sums[0] - sums[1])
            return [ahead, -ahead]
        return [sign * x for x in sums]


def play_out(cards: Any, rules: Rules, turns: Any) -> list[Any]:
    """Return what each player has after these turns; each of them must be legal."""
    game = Slow(cards, rules)
    state = game.initial_state()
    for turn in turns:
        assert turn in turns_of(state.left, state.right, rules.take)
        state = game.next_state(state, turn)
    assert state.left > state.right
    return list(state.sums)


def player(policy: Any, rules: Rules, cards: Any) -> Player:
    """Return a policy by any rules, written once more from its description."""
    worths, sign = worths_of(cards, rules), -1 if rules.misere else 1
    if not isinstance(policy, str) and not callable(policy):
        shares = [Fraction(str(weight)) for weight in policy.weights]
        parts = [player(part, rules, cards) for part in policy.policies]

        def mix(state: Any) -> dict[str, Any]:
            weights: dict[str, Any] = {}
            for part, share in zip(parts, shares, strict=True):
                answer = part(state)
                for turn, weight in answer.items():
                    more = share * weight / sum(answer.values())
                    weights[turn] = weights.get(turn, 0) + more
            return weights

        return mix
    if callable(policy):
        return policy  # type: ignore[no-any-return]
    if policy == "optimal":
        solved = exact.solve(Slow(cards, rules)).policy
        best = {state[:3]: turn for state, turn in solved.items()}
        return lambda state: {best[tuple(state[:3])]: 1}  # whatever has been taken

    def score(turn: str, state: Any) -> Any:
        some, low, high = taken(turn, state.left, state.right)
        gain = sum(worths[state.player][some])
        if not policy.startswith("greedy"):
            return -gain if policy == "smaller" else gain
        after = worths[(state.player + 1) % rules.players]
        answers = [
            sign * sum(after[taken(answer, low, high)[0]])
            for answer in turns_of(low, high, rules.take)
            if low <= high
        ]
        ahead = sign * gain - max(answers, default=0)
        return -abs(ahead) if policy == "greedy_literal" else ahead

    def act(state: Any) -> dict[str, Any]:
        every = turns_of(state.left, state.right, rules.take)
        if policy == "random":
            return dict.fromkeys(every, 1)
        scores = [score(turn, state) for turn in every]
        best = [t for t, x in zip(every, scores, strict=True) if x == max(scores)]
        here = Sums(state.left, state.right, state.player, ())
        legal = Slow(cards, rules).legal_actions(here)
        return {next(turn for turn in legal if turn in best): 1}

    return act


def third(state: State) -> dict[str, Any]:
    """Take the left card in one turn of three."""
    return {"left": 1, "right": 2} if state.left < state.right else {"left": 1}


THUMBS = ["greedy", "larger", "smaller", "random", "optimal"]
NAMES = [*THUMBS, "greedy_literal"]
BLEND = play.mixture({"larger": 2, "random": 1, "greedy": 1})
CLASSIC: list[Any] = [*NAMES, BLEND, third]

small = st.integers(-4, 4)
integers = st.integers() | st.integers(-(10**30), 10**30)
tenths = st.integers(-30, 30).map(lambda x: x / 10)
fractions = st.builds(Fraction, small, st.integers(1, 6))
decimals = st.decimals(-9, 9, places=2, allow_nan=False)
floats = st.floats(-1e9, 1e9)
numbers = st.sampled_from([small, integers, tenths, fractions, decimals, floats])
ties = st.sampled_from(["larger", "left", "right"])
seats = st.sampled_from(["first", "second"])


def lists(longest: int = 10) -> st.SearchStrategy[list[Any]]:
    """Rows of one kind of number, and rows of several."""
    alike = numbers.flatmap(lambda kind: st.lists(kind, min_size=1, max_size=longest))
    mixed = st.lists(numbers.flatmap(lambda kind: kind), min_size=1, max_size=longest)
    return alike | mixed


def rows_of(longest: int) -> st.SearchStrategy[list[Any]]:
    """Rows with many ties."""
    some = st.integers(-3, 9) | st.fractions(0, 3, max_denominator=3)
    return st.lists(some, min_size=1, max_size=longest)


rules = st.builds(
    Rules,
    take=st.integers(1, 3),
    players=st.integers(2, 4),
    misere=st.booleans(),
    tie=ties,
)


@st.composite
def games(draw: st.DrawFn, longest: int, players: int = 3) -> tuple[list[Any], Rules]:
    """Rows with rules of every kind."""
    cards = draw(rows_of(longest))
    known = draw(rules.filter(lambda each: each.players <= players))
    if known.players == 2 and draw(st.booleans()):
        some = st.integers(-3, 9) | st.fractions(0, 3, max_denominator=3)
        weights = draw(st.lists(some, min_size=len(cards), max_size=len(cards)))
        known = Rules(known.take, 2, known.misere, weights, known.tie)
    return cards, known


def classic(rules: Rules) -> bool:
    return rules.take == 1 and rules.players == 2 and not rules.misere


@st.composite
def seated(draw: st.DrawFn, rules: Rules) -> list[Any]:
    """A policy for each seat."""
    known = CLASSIC if classic(rules) and rules.weights is None else THUMBS
    size = rules.players
    return draw(st.lists(st.sampled_from(known), min_size=size, max_size=size))
