"""Single games: Pashevich's figures, and what every game has to keep to."""

import json
import pickle
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from cardgames_dp.cardrow.matches import Match, match
from cardgames_dp.cardrow.policies import Mixed
from cardgames_dp.cardrow.rules import Rules
from cardgames_dp.cardrow.valuation import value

from .opponents import NAMES, TIES

policies = st.sampled_from([*NAMES, Mixed({"larger": 4, "random": 1})])
rows = st.lists(st.integers(-3, 9), min_size=1, max_size=9)
LOST = [4, 4, 6, 6, 12, 9]


def test_pashevich_greedy_loses() -> None:
    policies: list[Any] = ["greedy", "greedy_literal"]
    for policy, tie in product(policies, TIES[:1] + TIES[2:]):
        game = match(LOST, policy, "larger", rules=Rules(tie=tie))
        assert game.positions.tolist() == [5, 4, 3, 2, 1, 0]
        assert game.from_right.tolist() == [True] * 5 + [False]
        assert game.sums == (19, 22)
        assert (game.lead, game.winner) == (-3, "second")


def test_pashevich_play_along_the_table() -> None:
    game = match([14, 4, 7, 2, 5, 12], "optimal", "optimal", rules=Rules(tie="larger"))
    assert game.taken == (14, 12, 5, 4, 7, 2)
    assert game.sums == (26, 18)
    assert game.winner == "first"


@pytest.mark.parametrize("second", ["optimal", "larger"])
def test_pashevich_draw(second: Any) -> None:
    game = match([8, 4, 2, 2, 4, 8], "optimal", second)
    assert (game.sums, game.winner) == ((14, 14), "draw")


@given(rows, policies, policies, st.sampled_from(TIES), st.integers(0, 9))
def test_every_game(
    cards: list[int], first: Any, second: Any, tie: Any, seed: int
) -> None:
    game = match(cards, first, second, rng=seed, rules=Rules(tie=tie))
    left, right = 0, len(cards) - 1
    for position, from_right in zip(game.positions, game.from_right, strict=True):
        assert position == (right if from_right else left)
        left, right = left + 1 - from_right, right - from_right
    assert sorted(game.positions.tolist()) == [*range(len(cards))]
    assert game.taken == tuple([cards[i] for i in game.positions])
    assert game.sums == (sum(game.taken[::2]), sum(game.taken[1::2]))
    if first == "optimal":
        assert game.lead >= value(cards, backend="exact")
    if second == "optimal":
        assert game.lead <= value(cards, backend="exact")
    assert match(cards, first, second, rng=seed, rules=Rules(tie=tie)) == game


@pytest.mark.slow
def test_chance_is_used_where_there_is_some() -> None:
    generator = np.random.default_rng(1)
    match(LOST, "greedy", Mixed({"larger": 1}), rng=generator)
    assert generator.random() == np.random.default_rng(1).random()
    row, times = np.arange(30), 300
    lefts = sum(
        int(np.count_nonzero(~match(row, player, player, rng=seed).from_right[:-1]))
        for seed, player in enumerate([Mixed({"smaller": 1, "larger": 3})] * times)
    )
    turns = 29 * times  # the smaller card is the left one
    assert abs(lefts - turns / 4) < 5 * (turns * 3 / 16) ** 0.5
    assert match(row, "random", "random", rng=1) == match(
        row, "random", "random", rng=1
    )
    assert match(row, "random", "random", rng=1) != match(
        row, "random", "random", rng=2
    )
    assert match(row, "random", "random") != match(row, "random", "random")


def test_sums_are_exact() -> None:
    game = match([Fraction(1, 3), 0.5, Fraction(1, 6)], "larger", "larger")
    assert game.sums == (Fraction(1, 3) + Fraction(1, 6), Fraction(1, 2))
    assert game.winner == "draw"
    big = match([10**30, 1], "larger", "larger")
    assert (big.sums, big.lead) == ((10**30, 1), 10**30 - 1)
    assert match(np.array([250, 7, 251], np.uint8), "larger", "larger").sums == (
        258,
        250,
    )


def test_match_is_a_value() -> None:
    game = match([1, 2, 3], "larger", "random", rng=1)
    assert pickle.loads(pickle.dumps(game)) == game
    arrays: list[Any] = [game.positions, game.from_right]
    for array in arrays:
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
    with pytest.raises(TypeError, match="unhashable"):
        hash(game)


def test_match_in_words_and_in_plain_data() -> None:
    game: Match[Any] = match([1, 5], "larger", Mixed({"random": 1}))
    assert repr(game) == (
        "Match(cards=2, players=('larger', 'Mixed(1 random)'), sums=(5, 1))"
    )
    assert str(game) == "2 cards: larger, who started, took 5 and Mixed(1 random) 1."
    assert json.loads(json.dumps(game.to_dict())) == {
        "cards": [1, 5],
        "players": ["larger", "Mixed(1 random)"],
        "positions": [1, 0],
        "from_right": [True, False],
        "sums": [5, 1],
        "takers": [0, 1],
        "rules": {
            "take": 1,
            "players": 2,
            "misere": False,
            "weights": None,
            "tie": "larger",
        },
        "lead": 4,
        "winner": "first",
    }


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"cards": []}, ValueError, "cards must hold at least one card, got none"),
        ({"cards": b"12"}, TypeError, "cards must be an iterable of numbers"),
        (
            {"first": "largest"},
            ValueError,
            "first must be one of 'optimal', 'greedy', 'greedy_literal', 'larger', "
            "'smaller', 'random', a Mixed, or a callable of the cards, "
            "left and right, got 'largest'",
        ),
        ({"first": np.arange(3)}, TypeError, "first must be one of .*, got array"),
        ({"second": None}, TypeError, "second must be one of .*, got None"),
        ({"rng": "x"}, TypeError, "rng must be None, a seed"),
    ],
)
def test_errors(
    arguments: dict[str, Any], error: type[Exception], message: str
) -> None:
    given_ = {"cards": [1, 2], "first": "larger", "second": "larger"} | arguments
    with pytest.raises(error, match=message):
        match(*[given_.pop(name) for name in ("cards", "first", "second")], **given_)
