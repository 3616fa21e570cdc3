"""Slow and simple: values and players from their definitions, and rows to try."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import Any, TypeAlias

from hypothesis import strategies as st

from cardgames_dp import exact
from cardgames_dp.cardrow import Rules, State, Turn

Player: TypeAlias = Callable[[State], dict[Turn, Any]]
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


def play_out(cards: Any, rules: Rules, turns: Any) -> list[Any]:
    """Return what each player has after these turns; each of them must be legal."""
    left, right, player = 0, len(cards), 0
    second: Any = cards if rules.weights is None else rules.weights
    sums: list[Any] = [0] * rules.players
    for side, count in turns:
        assert 1 <= count <= min(rules.take, right - left)
        values = second if player == 1 else cards
        if side == "left":
            taken, left = values[left : left + count], left + count
        else:
            taken, right = values[right - count : right], right - count
        sums[player] += sum(taken)
        player = (player + 1) % rules.players
    assert left == right
    return sums


def player(policy: Any, rules: Rules, cards: Any) -> Player:
    """Return a policy by any rules, written once more from its description."""
    worths, sign = rules.worths(cards), -1 if rules.misere else 1
    if isinstance(policy, Mapping):
        parts = [
            (player(part, rules, cards), Fraction(str(weight)))
            for part, weight in policy.items()
        ]

        def mix(state: State) -> dict[Turn, Any]:
            weights: dict[Turn, Any] = {}
            for part, share in parts:
                answer = part(state)
                for turn, weight in answer.items():
                    more = share * weight / sum(answer.values())
                    weights[turn] = weights.get(turn, 0) + more
            return weights

        return mix
    if callable(policy):  # one that says the chance of the left card

        def between(state: State) -> dict[Turn, Any]:
            if state.left == state.right:
                return {Turn("left"): 1}
            chance = Fraction(policy(worths[0], state.left, state.right))
            return {Turn("left"): chance, Turn("right"): 1 - chance}

        return between
    if policy == "optimal":
        solved = exact.solve(rules.game(cards)).policy
        best = {state[:3]: turn for state, turn in solved.items()}
        return lambda state: {best[state[:3]]: 1}  # whatever has been taken

    def turns(left: int, right: int) -> list[Turn]:
        most = min(rules.take, right - left + 1)
        some = [Turn("left", c) for c in range(1, most + 1)]
        return some + [Turn("right", c) for c in range(1, min(most, right - left) + 1)]

    def taken(turn: Turn, left: int, right: int, seat: int) -> tuple[Any, int, int]:
        own = worths[seat]
        if turn.side == "left":
            return sum(own[left : left + turn.count]), left + turn.count, right
        return sum(own[right - turn.count + 1 : right + 1]), left, right - turn.count

    def score(turn: Turn, state: State) -> Any:
        gain, low, high = taken(turn, state.left, state.right, state.player)
        if not policy.startswith("greedy"):
            return -gain if policy == "smaller" else gain
        after = (state.player + 1) % rules.players
        answers = [sign * taken(t, low, high, after)[0] for t in turns(low, high)]
        ahead = sign * gain - max(answers, default=0)
        return -abs(ahead) if policy == "greedy_literal" else ahead

    def act(state: State) -> dict[Turn, Any]:
        every = turns(state.left, state.right)
        if policy == "random":
            return dict.fromkeys(every, 1)
        scores = [score(turn, state) for turn in every]
        best = [t for t, x in zip(every, scores, strict=True) if x == max(scores)]
        if len(best) == 2 == len(every) and rules.take == 1 and not rules.weights:
            larger = sign * worths[0][state.left] > sign * worths[0][state.right]
            side = ("left" if larger else "right") if rules.tie == "larger" else None
            return {Turn(side or rules.tie): 1}  # type: ignore[arg-type]
        legal = rules.game(cards).legal_actions(state)
        return {next(turn for turn in legal if turn in best): 1}

    return act


def third(_cards: Any, _left: int, _right: int) -> Fraction:
    """Take the left card in one turn of three."""
    return Fraction(1, 3)


THUMBS = ["greedy", "larger", "smaller", "random", "optimal"]
NAMES = [*THUMBS, "greedy_literal"]
CLASSIC: list[Any] = [*NAMES, {"larger": 2, "random": 1, "greedy": 1}, third]

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
