"""Bad input is refused before any work, in words that name it."""

import re
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given

import cardgames_dp
from cardgames_dp import TooLargeError, pairs, play
from cardgames_dp.pairs._kernels import positions as positions_module
from cardgames_dp.pairs._kernels.positions import Positions, most_positions
from cardgames_dp.pairs.rules import FIRSTS

from .strategies import small_rules

RULES = pairs.Rules(deck=3, target=5)
SOLUTION = pairs.solve(RULES)
THREE = pairs.solve(pairs.Rules(players=3, deck={1: 2, 2: 3}, target=3))
REMEMBERED = pairs.solve(pairs.Rules(deck=3, target=4, reshuffle="exhausted"))


def refused(
    error: type[Exception], message: str, function: Callable[..., Any], *args: Any
) -> None:
    with pytest.raises(error, match=re.escape(message)) as caught:
        function(*args)
    assert type(caught.value) is error


@pytest.mark.parametrize(
    ("fields", "error", "message"),
    [
        ({"players": 1}, ValueError, "players must be an integer >= 2, got 1"),
        ({"players": True}, TypeError, "players must be an integer >= 2, got True"),
        ({"players": 2.0}, TypeError, "players must be an integer >= 2, got 2.0"),
        ({"deck": {}}, ValueError, "deck must hold at least one card, got none"),
        ({"deck": []}, ValueError, "deck must hold at least one card, got none"),
        ({"deck": 0}, ValueError, "deck must be an integer >= 1, got 0"),
        ({"deck": -1}, ValueError, "deck must be an integer >= 1, got -1"),
        (
            {"deck": 2**64},
            ValueError,
            "deck must be at most 1000000, got 1844674407370",
        ),
        ({"deck": 2.0}, TypeError, "deck must be an integer >= 1, got 2.0"),
        ({"deck": True}, TypeError, "deck must be an integer >= 1, got True"),
        ({"deck": "12"}, TypeError, "numbers of cards, got '12' of type str"),
        ({"deck": [1, 2]}, TypeError, "or pairs of both, got the item 1"),
        ({"deck": [(1, 2, 3)]}, TypeError, "got the item (1, 2, 3)"),
        ({"deck": {0: 1}}, ValueError, "a rank of deck must be an integer >= 1, got 0"),
        ({"deck": {1.0: 1}}, TypeError, "a rank of deck must be an integer >= 1"),
        ({"deck": {"1": 1}}, TypeError, "a rank of deck must be an integer >= 1"),
        ({"deck": {7: 0}}, ValueError, "deck[7] must be an integer >= 1, got 0"),
        ({"deck": {7: 1.5}}, TypeError, "deck[7] must be an integer >= 1, got 1.5"),
        ({"deck": [(3, 1), (3, 2)]}, ValueError, "name each rank once, got 3 again"),
        ({"target": 0}, ValueError, "target must be an integer >= 1, got 0"),
        ({"target": -3}, ValueError, "target must be an integer >= 1, got -3"),
        ({"target": 31.0}, TypeError, "target must be an integer >= 1, got 31.0"),
        ({"reshuffle": "never"}, ValueError, "one of 'round', 'exhausted', 'essay'"),
        ({"reshuffle": None}, TypeError, "reshuffle must be one of"),
        ({"deal": 2}, ValueError, "deal must be 0 or 1, got 2"),
        ({"deal": True}, TypeError, "deal must be an integer >= 0, got True"),
        ({"first": "youngest"}, ValueError, "first must be one of 'rotation', 'low"),
        ({"first": 1}, TypeError, "first must be one of 'rotation', 'lowest', got 1"),
        ({"burn": -1}, ValueError, "burn must be an integer >= 0, got -1"),
        (
            {"tie": "draw"},
            ValueError,
            "tie must be one of 'fold', 'hit', 'rounding', got",
        ),
        ({"capacity": 0}, ValueError, "capacity must be an integer >= 1, got 0"),
        ({"capacity": None}, TypeError, "capacity must be an integer >= 1, got None"),
        ({"capacity": "2"}, TypeError, "capacity must be an integer >= 1, got '2'"),
        (
            {"deck": {1: 2, 3: 1}, "capacity": {1: 1}},
            ValueError,
            "capacity must name the ranks of the deck, [1, 3], got [1]",
        ),
        (
            {"deck": {1: 2}, "capacity": {1: 0}},
            ValueError,
            "capacity[1] must be an integer >= 1, got 0",
        ),
        ({"shuffle_limit": -1}, ValueError, "shuffle_limit must be an integer >= 0"),
        (
            {"deck": {1: 3}, "burn": 3},
            ValueError,
            "burn=3 and deal=0 for 2 players need 4 cards, the deck holds 3",
        ),
        (
            {"deck": {1: 1}, "deal": 1},
            ValueError,
            "burn=0 and deal=1 for 2 players need 2 cards, the deck holds 1",
        ),
        (
            {"deck": {1: 3}, "players": 4, "deal": 1},
            ValueError,
            "deal=1 for 4 players need 4 cards, the deck holds 3",
        ),
        (
            {"deck": {1: 4}, "burn": 1, "shuffle_limit": 3, "reshuffle": "exhausted"},
            ValueError,
            "burn=1 and shuffle_limit=3 must leave a card of the deck, which holds 4",
        ),
        (
            {"shuffle_limit": 1},
            ValueError,
            "shuffle_limit=1 has no meaning with reshuffle='round'",
        ),
        ({"first": "lowest"}, ValueError, "first='lowest' needs deal=1"),
        (
            {"first": "lowest", "deal": 1, "deck": {1: 4}},
            ValueError,
            "deck={1: 4} has no such deal for 2 players",
        ),
        (
            {"first": "lowest", "deal": 1, "deck": {1: 4, 2: 1}, "players": 3},
            ValueError,
            "has no such deal for 3 players",
        ),
        (
            {"reshuffle": "essay", "burn": 1},
            ValueError,
            "burn=1 is not for reshuffle='essay'",
        ),
        (
            {"reshuffle": "essay", "first": "lowest", "deal": 1},
            ValueError,
            "first='lowest' is not for reshuffle='essay'",
        ),
        (  # the Pairs essay's own Main, with more players
            {"reshuffle": "essay", "players": 4, "deck": 4},
            ValueError,
            "than the hands of 4 players can hold: the Pairs essay's program",
        ),
        (
            {"reshuffle": "essay", "deck": {1: 4, 2: 4}, "capacity": 2},
            ValueError,
            "needs more cards than the hands of 2 players can hold",
        ),
    ],
)
def test_rules(fields: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=re.escape(message)):
        pairs.Rules(**fields)


SOLVERS: list[Callable[..., Any]] = [
    pairs.solve,
    lambda rules, **options: pairs.evaluate(rules, "optimal", **options),
    lambda rules, **options: pairs.best_response(rules, "never_hit", **options),
]


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"rules": {}}, TypeError, "rules must be pairs.Rules or None, got {} of type"),
        ({"executor": 4}, TypeError, "concurrent.futures.Executor or None, got 4"),
    ],
)
def test_options(
    solver: Callable[..., Any],
    options: dict[str, Any],
    error: type[Exception],
    message: str,
) -> None:
    with pytest.raises(error, match=re.escape(message)):
        solver(**({"rules": RULES} | options))


@pytest.mark.parametrize(
    ("bad", "error", "message"),
    [
        (-1, ValueError, "max_bytes must be an integer >= 0, got -1"),
        (1e9, TypeError, "max_bytes must be an integer >= 0, got 1000000000.0"),
        (
            100,
            TooLargeError,
            " of memory, more than max_bytes, 100 bytes; use a smaller deck",
        ),
    ],
)
def test_memory(bad: Any, error: type[Exception], message: str) -> None:
    with (
        pytest.raises(error, match=re.escape(message)),
        cardgames_dp.running(max_bytes=bad),
    ):
        pairs.solve(RULES)


@pytest.mark.parametrize(
    ("rules", "what"),
    [
        (pairs.Rules(players=6), "Pairs with 6 players and 10 ranks needs about"),
        (pairs.Rules(reshuffle="exhausted"), "Pairs with 2 players and 10 ranks"),
        (pairs.Rules(deck={1: 1}, target=10**9), "1 x 1000000000000000000 starts"),
        (
            pairs.Rules(deck={1: 10**9}, capacity=10**9),
            "Pairs with 2 players and 1 ranks needs about 2.728 TiB",
        ),
        (
            pairs.Rules(deck={1: 10**4, 2: 10**4}, capacity=10**4),
            "Pairs with 2 players and 2 ranks needs about",
        ),
    ],
)
def test_too_large(rules: pairs.Rules, what: str) -> None:
    with pytest.raises(TooLargeError, match=what):
        pairs.solve(rules)


@pytest.mark.parametrize(
    "rules",
    [
        pairs.Rules(target=10**400),
        pairs.Rules(deck={1: 1, 10**400: 3}, target=5),
        pairs.Rules(deck={1: 1, 2: 10**400}, target=5),
        pairs.Rules(deck={1: 1, 2: 2**63}, target=5),
    ],
    ids=["target", "rank", "cards", "many cards"],
)
def test_numbers_beyond_float64_and_int64(rules: pairs.Rules) -> None:
    for call in (
        lambda: pairs.simulate(rules, "never_hit", games=1),
        lambda: pairs.solve(rules),
    ):
        with pytest.raises(TooLargeError):
            call()


@given(small_rules())
def test_estimate_of_memory(rules: pairs.Rules) -> None:
    """Never below, and far above only in decks of a few cards."""
    positions = Positions(rules)
    counted = most_positions(rules, positions.decks)
    assert counted >= positions.size
    if not rules.deal and rules.reshuffle == "round" and rules.burn == 0:
        assert counted == positions.size


@pytest.mark.parametrize(
    "rules",
    [
        pairs.Rules(),
        pairs.Rules(3, 6),
        pairs.Rules(deck=5, reshuffle="exhausted"),
        pairs.Rules(3, 4, reshuffle="exhausted"),
    ],
    ids=lambda rules: f"{rules.players},{len(rules.ranks)},{rules.reshuffle}",
)
def test_estimates_are_near(
    rules: pairs.Rules, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With hands counted, and still a bound where they are not."""
    positions = Positions(rules)
    near = most_positions(rules, positions.decks)
    assert positions.size <= near <= 1.1 * positions.size
    monkeypatch.setattr(positions_module, "_MOST_COUNTED", 0)
    assert near <= most_positions(rules, positions.decks) <= 20 * near


@pytest.mark.parametrize(
    "rules",
    [
        pairs.Rules(players=64, deck={1: 100}, target=1),
        pairs.Rules(players=70, deck={1: 100}, target=1),
        pairs.Rules(deck={1: 2**63 - 1, 2: 10**18}, target=3),
        pairs.Rules(deck={1: 10**30}, target=3),
        pairs.Rules(deck={1: 2, 10**30: 2}, target=3),
        pairs.Rules(deck={1: 2, 2**52: 2}, target=3),
    ],
    ids=lambda rules: f"{rules.players}-{rules.deck}",
)
def test_beyond_the_arithmetic(rules: pairs.Rules) -> None:
    """Integers that wrap around and floats that round would give wrong chances."""
    message = "would not fit in 63 bits.* the exact backend with rules.game()"
    with pytest.raises(TooLargeError, match=message):
        pairs.solve(rules)


@pytest.mark.parametrize(
    ("scores", "error", "message"),
    [
        ([0], ValueError, "from 0 to 4 for each of 2 players, got [0]"),
        ([], ValueError, "from 0 to 4 for each of 2 players, got []"),
        ([0, 0, 0], ValueError, "for each of 2 players, got [0, 0, 0]"),
        ([0, 5], ValueError, "from 0 to 4 for each of 2 players, got [0, 5]"),
        (
            [0, 10**30],
            ValueError,
            "from 0 to 4 for each of 2 players, got [0, about 1e30]",
        ),
        ([0, -1], ValueError, "scores[1] must be an integer >= 0, got -1"),
        ([0, 1.0], TypeError, "scores[1] must be an integer >= 0, got 1.0"),
        ([0, True], TypeError, "scores[1] must be an integer >= 0, got True"),
        (3, TypeError, "scores must be an iterable of integers >= 0, got 3"),
        ("00", TypeError, "scores must be an iterable of integers >= 0, got '00'"),
    ],
)
@pytest.mark.parametrize(
    "asked",
    [
        SOLUTION.value_at,
        SOLUTION.round,
        SOLUTION.opening_table,
        lambda scores: SOLUTION.advice(hand=[1], others=[2], scores=scores),
        pairs.best_response(RULES, "never_hit").round,
    ],
)
def test_scores(
    asked: Callable[[Any], Any], scores: Any, error: type[Exception], message: str
) -> None:
    refused(error, message, asked, scores)


@pytest.mark.parametrize(
    ("deck", "error", "message"),
    [
        ({}, ValueError, "deck must be one with which a round can start, with at most"),
        ({3: 4}, ValueError, "{1: 1, 2: 2, 3: 3} and more than 0 cards, got {3: 4}"),
        ({3: 7}, ValueError, "no more cards than the deck, 6, got 7 of rank 3"),
        ({3: 10**30}, ValueError, "no more cards than the deck, 6, got about 1e30"),
        ({4: 1}, ValueError, "deck must hold ranks of the deck, (1, 2, 3), got 4"),
        ({3: -1}, ValueError, "deck[3] must be an integer >= 0, got -1"),
        ({3: 1.0}, TypeError, "deck[3] must be an integer >= 0, got 1.0"),
        ({True: 1}, TypeError, "a rank of deck must be an integer >= 1, got True"),
        (3, TypeError, "deck must be an iterable of integers >= 1, got 3"),
    ],
)
def test_decks(deck: Any, error: type[Exception], message: str) -> None:
    refused(error, message, lambda: REMEMBERED.value_at([0, 0], deck=deck))


def test_deck_that_is_no_question() -> None:
    message = "with reshuffle='round' every round starts with the full deck"
    with pytest.raises(ValueError, match=message):
        SOLUTION.value_at([0, 0], deck={1: 1})


@pytest.mark.parametrize(
    ("asked", "error", "message"),
    [
        ({"hand": [4]}, ValueError, "hand must hold ranks of the deck, (1, 2, 3)"),
        ({"hand": 1}, TypeError, "hand must be an iterable of integers >= 1, got 1"),
        ({"hand": "1"}, TypeError, "hand must be an iterable of integers >= 1"),
        ({"hand": [0]}, ValueError, "hand[0] must be an integer >= 1, got 0"),
        ({"hand": {1.0: 1}}, TypeError, "a rank of hand must be an integer >= 1"),
        ({"hand": {3: 10**30}}, ValueError, "hand must hold no more cards than the"),
        ({"hand": {3: -1}}, ValueError, "hand[3] must be an integer >= 0, got -1"),
        ({"others": 2}, TypeError, "others must be the hands of the other players"),
        ({"others": "2"}, TypeError, "others must be the hands of the other players"),
        ({"others": [2.0]}, TypeError, "others[0] must be an integer >= 1, got 2.0"),
        ({"others": [[2], [3]]}, TypeError, "others[0] must be an integer >= 1"),
        ({"others": [1]}, ValueError, "{1: 1, 2: 2, 3: 3} together and"),
        (
            {"hand": [3, 3], "others": [1, 2]},
            ValueError,
            "and {1: 1, 2: 1, 3: 1} each, got [(3, 3), (1, 2)]",
        ),
        (
            {"others": []},
            ValueError,
            "others must hold as many cards as the player to move, or one more; got 1 "
            "in hand and 0 in others",
        ),
        (
            {"others": [2, 3, 1], "hand": [3]},
            ValueError,
            "or one more; got 1 in hand and 3 in others",
        ),
        ({"deck": {3: 3}}, ValueError, "all of them, with reshuffle='round', got {3:"),
        ({"deck": {1: 1, 2: 2}}, ValueError, "deck must hold cards that are not on"),
    ],
)
def test_advice(asked: dict[str, Any], error: type[Exception], message: str) -> None:
    question = {"hand": [1], "others": [2], "scores": [0, 0]} | asked
    refused(error, message, lambda: SOLUTION.advice(**question))


def test_advice_for_three() -> None:
    scores = [0, 0, 0]
    for others, error, message in [
        ([[1]], ValueError, "others must hold the hands of 2 players, got 1"),
        ([[1], [2], []], ValueError, "others must hold the hands of 2 players, got 3"),
        ([1, 2], TypeError, "others[0] must be an iterable of integers >= 1, got 1"),
        ([[], [5]], ValueError, "others[1] must hold ranks of the deck, (1, 2), got 5"),
        (
            # The neighbour on the left has moved, the one on the right has not.
            [[1], []],
            ValueError,
            "others must hold as many cards each as the player to move, and from some "
            "player on, who have had their turn already, one more; got 0 in hand and "
            "[1, 0] in others",
        ),
        ([[], [1, 2]], ValueError, "got 0 in hand and [0, 2] in others"),
        ([[1, 2], [1, 2]], ValueError, "got 0 in hand and [2, 2] in others"),
    ]:
        refused(
            error,
            message,
            lambda others=others: THREE.advice(hand=[], others=others, scores=scores),
        )
    assert THREE.advice(hand=[], others=[[], [1]], scores=scores).action == "hit"


def test_advice_with_a_deck() -> None:
    def asked(deck: Any) -> pairs.Advice:
        return REMEMBERED.advice(hand=[1], others=[2], scores=[0, 0], deck=deck)

    assert asked({2: 1, 3: 3}) == asked(None) != asked([2, 3])
    refused(
        ValueError, "deck must hold cards that are not on the table, got", asked, [1]
    )
    # With nothing left to draw, and discards, the deck would have been full again.
    with pytest.raises(ValueError, match="must be a position that can arise"):
        asked({})


def test_advice_before_the_deal() -> None:
    for first in FIRSTS:
        solution = pairs.solve(pairs.Rules(deck=3, target=3, deal=1, first=first))
        message = (
            "hand must hold 1 card or more under rules with deal=1, as each player is "
            "dealt one before the first turn; got 0"
        )
        for others in ([], [1]):
            with pytest.raises(ValueError, match=re.escape(message)):
                solution.advice(hand=[], others=others, scores=[0, 0])
        for others in ([2], [2, 3]):
            assert solution.advice(hand=[1], others=others, scores=[0, 0]).values


def test_large_rounds() -> None:
    """No position is found for what would not fit in memory."""
    rules = pairs.Rules(players=4, deck=10, target=2)
    table = np.full((1, 16, 4), 0.75)
    solution = pairs.Solution(rules, "win", table, 0, 0.0, 1.0, 0)
    refused(
        TooLargeError,
        "a round of 29791689148 positions needs about 12.36 TiB of memory, more than",
        solution.round,
        (0, 0, 0, 0),
    )
    many = pairs.Rules(players=20, deck=3, target=1)
    table = np.full((1, 1, 20), 0.95)
    solution = pairs.Solution(many, "win", table, 0, 0.0, 1.0, 0)
    refused(
        TooLargeError,
        "an opening table of 20 cards of 3 ranks needs about 35.72 GiB of memory",
        solution.opening_table,
    )


@pytest.mark.parametrize(
    ("seat", "error", "message"),
    [
        (2, ValueError, "seat must be an integer from 0 to 1, got 2"),
        (-1, ValueError, "seat must be an integer >= 0, got -1"),
        (0.0, TypeError, "seat must be an integer >= 0, got 0.0"),
    ],
)
def test_seats(seat: Any, error: type[Exception], message: str) -> None:
    response = pairs.best_response(RULES, "never_hit")
    refused(error, message, lambda: response.round([0, 0], seat=seat))


POLICY_ARGUMENTS: dict[str, Callable[[Any], Any]] = {
    "policies[0]": lambda policy: pairs.evaluate(RULES, [policy, "optimal"]),
    "policies[1]": lambda policy: pairs.evaluate(RULES, ["optimal", policy]),
    "policy": lambda policy: pairs.best_response(RULES, policy),
}


@pytest.mark.parametrize("name", POLICY_ARGUMENTS)
@pytest.mark.parametrize(
    ("policy", "error", "message"),
    [
        ("fifty", ValueError, "must be one of 'optimal', 'fifty_percent', "),
        (None, TypeError, "or a callable of a View, got None"),
        (0.5, TypeError, "or a callable of a View, got 0.5"),
        (lambda view: True, ValueError, "got True of type bool"),
        (lambda view: None, ValueError, "got None of type NoneType"),
        (
            lambda view: [True] * len(view.hand),
            ValueError,
            "must return an array of bool of shape",
        ),
        (
            lambda view: np.full(len(view.hand), 1.01),
            ValueError,
            "got an array of float64 of shape",
        ),
        (
            lambda view: np.full(len(view.hand), np.nan),
            ValueError,
            "got an array of float64 of shape",
        ),
        (
            lambda view: np.zeros(len(view.hand) + 1, bool),
            ValueError,
            "got an array of bool of shape",
        ),
        (
            lambda view: np.zeros((len(view.hand), 1, 1), bool),
            ValueError,
            "got an array of bool of shape",
        ),
        (
            lambda view: np.zeros((len(view.scores), len(view.hand) + 7), bool),
            ValueError,
            "got an array of bool of shape",
        ),
    ],
)
def test_policies(name: str, policy: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=re.escape(message)) as caught:
        POLICY_ARGUMENTS[name](policy)
    assert str(caught.value).startswith(f"{name} must ")


def test_evaluation_of_no_policy() -> None:
    with pytest.raises(ValueError, match="policies must be one of"):
        pairs.evaluate(RULES, "best")  # type: ignore[arg-type]


def test_a_policys_own_error_is_seen() -> None:
    def broken(_: pairs.View) -> Any:
        raise RuntimeError("not today")

    with pytest.raises(RuntimeError, match="not today"):
        pairs.evaluate(RULES, broken)


@pytest.mark.parametrize(
    ("chance", "error"),
    [
        (-0.1, ValueError),
        (float("nan"), ValueError),
        (float("inf"), ValueError),
        (Decimal("NaN"), ValueError),
        ("one half", ValueError),
        (True, TypeError),
        (None, TypeError),
        (0.5j, TypeError),
    ],
)
def test_hit_below(chance: Any, error: type[Exception]) -> None:
    with pytest.raises(
        error, match=r"^chance must be a finite int, Fraction, Decimal or float"
    ):
        pairs.HitBelow(chance)


def test_hit_at_equality() -> None:
    with pytest.raises(TypeError, match=r"^or_equal must be True or False, got 1"):
        pairs.HitBelow(0.5, or_equal=1)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("points", "error"),
    [(-1, ValueError), (1.0, TypeError), (Fraction(1), TypeError), (True, TypeError)],
)
def test_fold_up_to(points: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match=r"^points must be an integer >= 0, got"):
        pairs.FoldUpTo(points)


@pytest.mark.parametrize("chance", [30, 1.0000001, "1.1", Fraction(10**400, 3), "1e9"])
def test_chances_above_one(chance: Any) -> None:
    with pytest.raises(ValueError, match=r"^chance must be a number from 0 to 1, got"):
        pairs.HitBelow(chance)


@pytest.mark.parametrize("name", [*POLICY_ARGUMENTS, "policies"])
def test_classes_are_no_policies(name: str) -> None:
    class Careful:
        def __call__(self, view: pairs.View) -> Any:
            return view.lowest > 3

    def simulate(policy: Any) -> Any:
        return pairs.simulate(RULES, policy, games=1)

    call = (POLICY_ARGUMENTS | {"policies": simulate})[name]
    for kind in (Careful, pairs.HitBelow, pairs.Solution):
        message = r" must be an instance of (\w+), got the class itself; use \1"
        with pytest.raises(TypeError, match=f"^{re.escape(name)}{message}"):
            call(kind)
    call(Careful())


FIELDS: dict[str, Any] = {
    "rules": RULES,
    "hand": np.array([[1, 0, 0]]),
    "others": np.array([[[0, 1, 0]]]),
    "unseen": np.array([[0, 1, 3]]),
    "scores": np.array([[0, 0], [1, 2]]),
}


@pytest.mark.parametrize(
    ("name", "value", "error", "message"),
    [
        ("rules", None, TypeError, "rules must be pairs.Rules, got None"),
        ("hand", 3, TypeError, "hand must be an array of integers, got 3"),
        ("hand", [[1, 0, 0]], TypeError, "hand must be an array of integers, got"),
        ("hand", np.array([1, 0, 0]), ValueError, "hand must be of shape (3, 3), to"),
        ("others", FIELDS["hand"], ValueError, "others must be of shape (1, 1, 3), to"),
        ("others", None, TypeError, "others must be an array of integers, got None"),
        (
            "unseen",
            FIELDS["hand"] / 2,
            TypeError,
            "unseen must be an array of integers",
        ),
        ("unseen", np.zeros((2, 3), int), ValueError, "got one of shape (2, 3)"),
        ("scores", np.array(7), ValueError, "scores must be of shape (2,), to"),
        ("scores", "00", TypeError, "scores must be an array of integers, got '00'"),
    ],
)
def test_views(name: str, value: Any, error: type[Exception], message: str) -> None:
    assert pairs.View(**FIELDS).table.tolist() == [[1, 1, 0]]
    with pytest.raises(error, match=re.escape(message)):
        pairs.View(**(FIELDS | {name: value}))


@pytest.mark.parametrize(
    "policy",
    [
        SOLUTION.policy,
        pairs.best_response(RULES, "never_hit").policy,
        pairs.HitBelow(0.5),
        pairs.FoldUpTo(1),
    ],
)
@pytest.mark.parametrize("given", [None, 3, tuple(FIELDS.values()), FIELDS])
def test_policies_of_no_view(policy: Any, given: Any) -> None:
    with pytest.raises(TypeError, match=r"^view must be a pairs\.View, got "):
        policy(given)


@pytest.mark.parametrize("policy", [SOLUTION, pairs.HitBelow(0.5)])
def test_states_in_place_of_views(policy: Any) -> None:
    """A policy of views given to `play` names the way out."""
    game = RULES.game()
    message = r"^view must be a pairs\.View, got State\(.*; pairs\.decision asks a "
    with pytest.raises(TypeError, match=message):
        play.evaluate(game, policy)
    with pytest.raises(ValueError, match=r"^policy must be one of 'optimal', "):
        pairs.decision("best", hand=[], others=[], scores=[0, 0])  # type: ignore[arg-type]
    hint = "got 'optimal' of type str; names of policies are for the functions of their"
    with pytest.raises(TypeError, match=hint):
        play.evaluate(game, "optimal")
