"""Every argument of every public function, given what it is not; and past faults."""

import inspect
import math
import zipfile
from collections.abc import Callable
from fractions import Fraction
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cardgames_dp import (
    cardrow,
    diagonal,
    exact,
    fitting,
    game,
    interop,
    pairs,
    play,
    redblack,
)
from cardgames_dp._graph import explored
from cardgames_dp._support import checkpoints

from . import hostile
from .games import Cards, RedBlack
from .hostile import Lies, compressed
from .refusals import refuses, too_large, type_error, value_error
from .test_refusals import toy

DECK = redblack.game(2, 2)
HAND = pairs.Rules(deck=3, target=3)


@cache
def solved() -> Any:
    return exact.solve(DECK)


@cache
def hands() -> Any:
    return pairs.solve(HAND)


CALLS: list[tuple[Callable[..., Any], Callable[[], dict[str, Any]]]] = [
    (cardrow.Rules, lambda: {"take": 2}),
    (cardrow.best_response, lambda: {"cards": [1, 5, 2], "opponent": "random"}),
    (cardrow.brute_force, lambda: {"cards": [1, 5, 2]}),
    (cardrow.collapsed, lambda: {"cards": [1, 5, 2]}),
    (cardrow.deal, lambda: {"games": 2, "cards": 3}),
    (cardrow.game, lambda: {"cards": [1, 5, 2]}),
    (cardrow.solve, lambda: {"cards": [1, 5, 2]}),
    (cardrow.tournament, lambda: {"players": ["larger"], "deals": [[1, 5, 2]]}),
    (cardrow.values, lambda: {"rows": [[1, 5], [2, 3]]}),
    (diagonal.solve, lambda: {"game": DECK}),
    (exact.solve, lambda: {"game": DECK}),
    (fitting.LimitDistribution, dict),
    (fitting.asymptotic_value, lambda: {"red": 1000}),
    (fitting.decay_exponent, lambda: {"k": 1, "digits": 5}),
    (fitting.fit, lambda: {"cards": [1, 2, 3, 4], "values": [1, 2, 2, 3]}),
    (fitting.shepp_alpha, lambda: {"digits": 5}),
    (interop.from_efg, lambda: {"source": interop.to_efg(DECK)}),
    (interop.from_table, lambda: {"path": "none.npz"}),
    (interop.to_efg, lambda: {"game": DECK}),
    (interop.to_html, lambda: {"solution": solved(), "path": "none/page.html"}),
    (interop.to_table, lambda: {"solution": solved(), "path": "table.npz"}),
    (game.check, lambda: {"game": DECK}),
    (game.explore, lambda: {"game": DECK}),
    (pairs.FoldUpTo, lambda: {"points": 3}),
    (pairs.HitBelow, lambda: {"chance": 0.5}),
    (pairs.Rules, lambda: {"deck": 3}),
    (pairs.SumBelow, lambda: {"times": 3}),
    (pairs.decision, lambda: {"policy": "never_hit", "state": pairs.state(rules=HAND)}),
    (pairs.enclosure, lambda: {"rules": HAND}),
    (pairs.game, lambda: {"rules": HAND}),
    (pairs.opening_table, lambda: {"solution": hands()}),
    (pairs.positions, lambda: {"solution": hands()}),
    (pairs.published, lambda: {"players": 2, "ranks": 10}),
    (pairs.rates, lambda: {"rules": HAND, "policies": "never_hit"}),
    (pairs.score_table, lambda: {"solution": hands()}),
    (pairs.solve, lambda: {"rules": HAND}),
    (pairs.state, lambda: {"rules": HAND}),
    (play.Position, lambda: {"solution": solved()}),
    (play.best_response, lambda: {"game": DECK, "policies": solved(), "player": 0}),
    (play.distribution, lambda: {"game": DECK, "policies": solved()}),
    (play.equilibrium, lambda: {"game": DECK}),
    (play.evaluate, lambda: {"game": DECK, "policies": solved()}),
    (play.mixture, lambda: {"policies": {"optimal": 1}}),
    (play.regret, lambda: {"game": DECK, "policies": solved()}),
    (
        play.short_rule,
        lambda: {"solution": solved(), "features": {}, "loss": 1},
    ),
    (play.simulate, lambda: {"game": DECK, "policies": solved(), "games": 2}),
    (redblack.OptimalWithin, lambda: {"loss": 1}),
    (redblack.Rules, lambda: {"win": 1}),
    (redblack.StopAt, lambda: {"cash": 1}),
    (redblack.boundary, lambda: {"solution": redblack.solve(2, 2)}),
    (redblack.bridge_value, lambda: {"t": 0.5, "x": 0}),
    (redblack.enclosure, lambda: {"red": 2, "black": 2}),
    (redblack.foresight_value, lambda: {"red": 2, "black": 2}),
    (redblack.game, lambda: {"red": 2, "black": 2}),
    (redblack.lowest_cash, lambda: {"red": 2, "black": 2}),
    (redblack.solve, lambda: {"red": 2, "black": 2}),
    (redblack.thresholds, lambda: {"max_excess": 2}),
    (redblack.value, lambda: {"red": 2, "black": 2}),
    (redblack.kinds.value, lambda: {"deck": {1: 2, -1: 1}}),
    (redblack.urns.beta_binomial, lambda: {"draws": 2, "red": 1, "black": 1}),
    (redblack.urns.fixed_odds, lambda: {"draws": 2, "odds": 0.5}),
    (redblack.urns.game, lambda: {"prior": [1, 1]}),
    (redblack.utilities.exponential, lambda: {"risk_aversion": 1}),
    (redblack.utilities.log, lambda: {"wealth": 1}),
    (redblack.utilities.power, lambda: {"risk_aversion": 0.5, "wealth": 1}),
]
"""Small calls, by keyword."""

ARGUMENTS = [
    pytest.param(
        function,
        make,
        name,
        id=f"{function.__module__[13:]}.{function.__name__}-{name}",
    )
    for function, make in CALLS
    for name in inspect.signature(function).parameters
]


@pytest.mark.parametrize(("function", "make", "name"), ARGUMENTS)
def test_an_object_of_no_use_is_refused_by_name(
    function: Callable[..., Any], make: Callable[[], dict[str, Any]], name: str
) -> None:
    with pytest.raises((TypeError, ValueError, KeyError)) as caught:
        function(**make() | {name: object()})
    words = "cannot be reached" if function is play.Position else name
    assert words in str(caught.value) or name in str(caught.value)


LEAST: list[tuple[Callable[..., Any], dict[str, int]]] = [
    (cardrow.Rules, {"players": 2, "take": 1}),
    (cardrow.deal, {"games": 1, "cards": 1}),
    (game.explore, {"max_states": 1}),
    (fitting.decay_exponent, {"k": 1, "digits": 1}),
    (game.check, {"plays": 1}),
    (interop.to_efg, {"max_nodes": 1, "max_states": 1}),
    (pairs.FoldUpTo, {"points": 0}),
    (pairs.Rules, {"players": 2, "deck": 1, "target": 1, "burn": 0, "capacity": 1}),
    (pairs.SumBelow, {"times": 0, "less": 0}),
    (pairs.rates, {"games": 1}),
    (pairs.solve, {"goal": 1}),
    (play.best_response, {"player": 0}),
    (play.equilibrium, {"rounds": 1}),
    (play.regret, {"player": 0, "most": 0}),
    (play.simulate, {"games": 1, "histories": 0}),
    (redblack.OptimalWithin, {"draws": 0}),
    (redblack.StopAt, {"draws": 0}),
    (redblack.enclosure, {"red": 0, "black": 0, "digits": 1}),
    (redblack.foresight_value, {"cards": 0}),
    (redblack.solve, {"red": 0, "black": 0}),
    (redblack.thresholds, {"max_excess": 1}),
    (redblack.value, {"red": 0, "black": 0, "digits": 1}),
]
"""The least value of each integer."""


@pytest.mark.parametrize(("function", "least"), LEAST)
def test_integers_that_are_too_small(
    function: Callable[..., Any], least: dict[str, int]
) -> None:
    (make,) = (make for other, make in CALLS if other is function)
    for name, value in least.items():
        words = f"{name} must be an integer >= {value}, got {value - 1}"
        value_error(words, function, **make() | {name: value - 1})


HOSTILE: list[Callable[[], Any]] = [
    *(hostile.Refuses, lambda: hostile.raises, lambda: hostile.nested(100)),
    *(lambda: hostile.FloatOf(1.5), lambda: hostile.IntOf(3)),
    *(lambda: hostile.TextOf("optimal"), lambda: math.nan, lambda: -1, lambda: "x"),
    *(lambda: {1: math.nan}, lambda: [1, "two", None], lambda: np.zeros((2, 0, 2))),
    lambda: np.array(3),
]


@pytest.mark.parametrize(("function", "make", "name"), ARGUMENTS)
def test_what_is_hostile_is_refused_or_answered(
    function: Callable[..., Any],
    make: Callable[[], dict[str, Any]],
    name: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With a message of some lines, and without NaN."""
    monkeypatch.chdir(tmp_path)  # where a word may be the name of a file
    for value in HOSTILE:
        message = "answered"
        try:
            result = function(**make() | {name: value()})
            assert not (isinstance(result, float) and math.isnan(result))
        except (TypeError, ValueError, KeyError, OSError) as error:
            message = str(error)
        except hostile.OwnError:
            pass
        assert 0 < len(message) < 2000


GAME: Any = explored.explore(RedBlack(3, 3))
ARRAYS: Any = explored.explore(Cards(3, 3))
ONES = np.lib.stride_tricks.as_strided(np.ones(1), (10**12,), (0,))


def test_places_of_states_tie_rules_answers() -> None:
    value_error("places must be from 0 to 45", ARRAYS.states_at, -1)
    type_error("places must be an array of integers", ARRAYS.states_at, 0.0)
    too_large("states with 9.22337e+18 items needs about", ARRAYS.places, Lies())
    type_error("'NotImplementedType' object is", ARRAYS.with_returns, NotImplemented)
    refuses(
        KeyError,
        "cannot be reached in this game",
        cardrow.solve([1, 5, 1]).values.__getitem__,
        None,
    )


def test_more_items_than_memory_holds_they_were_taken_one_by_one_for_hours() -> None:
    too_large("cards with 1e+12 items needs about 36.38 TiB of", cardrow.value, ONES)
    too_large("a game of 1e+12", exact.solve, toy(num_players=10**12))
    too_large("10000001 probabilities in", redblack.urns.fixed_odds, 10**7, "0.55")
    too_large("1e+200 probabilities in", redblack.urns.fixed_odds, 10**200, "0.55")
    too_large(
        "10000001 probabilities in", redblack.urns.beta_binomial, 10**7, "1/2", 10**200
    )
    too_large("the text of", interop.to_efg, redblack.game(26, 26), max_nodes=2**64)
    too_large(
        "a response for 1000000 cards with at least 5e+11 states needs about 227.4",
        cardrow.best_response,
        [1] * 10**6,
        "random",
        goal="win",
        backend="exact",
    )


def test_beyond_float64() -> None:
    value_error("cash must have a", redblack.utilities.exponential(0.5), -(2**63))
    value_error(
        "the distribution of returns needs",
        play.distribution,
        cardrow.game([10**400, 3, 5]),
        ["greedy", "random"],
    )
    value_error(
        "reshuffle='essay' needs more", pairs.Rules, players=10**400, reshuffle="essay"
    )


def test_what_fell_over_is_right() -> None:
    assert GAME.actions_at(np.int8(0)) == ("stop", "draw")
    assert ARRAYS.states_at(np.array([0])).tolist() == [[3, 3, 0]]
    assert ARRAYS.states_at([]).shape == (0, 3)
    assert len(redblack.urns.beta_binomial(20_000, 1, 1)) == 20_001


def test_cards_beyond_float64_are_exact() -> None:
    row, how = cardrow.game([1e308, 1e308, 5]), ["greedy", "larger"]
    law = play.distribution(row, how, backend="exact").returns[0]
    assert law.support.tolist() == [5]
    heavy = cardrow.game([1, 2, 3, 4], rules=cardrow.Rules(weights=["1e400", 1, 1, 1]))
    law = play.distribution(heavy, ["greedy", "random"], backend="exact").returns[0]
    assert law.probabilities.tolist() == [Fraction(1, 2)] * 2
    respond = partial(
        cardrow.best_response, [5, 2, 9, "1e400", 10], "random", backend="exact"
    )
    assert 0 < respond(goal="win").win <= 1
    assert respond(slack=10**401).win == Fraction(3, 4)


def test_a_limit_distribution_of_many_arguments_takes_little_memory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It took 2.4 GiB for a million of them: 320 waves of each at once."""
    law, many = fitting.LimitDistribution("duration"), np.linspace(0.1, 0.9, 2500)
    largest = []
    exp = np.exp

    def watched(x: Any, *args: Any, **kwargs: Any) -> Any:
        largest.append(np.size(x))
        return exp(x, *args, **kwargs)

    monkeypatch.setattr(np, "exp", watched)
    result = law.cdf(many)
    assert max(largest) < 500 * len(many)
    assert result[[0, 999, 1000, 2499]] == pytest.approx(
        [float(law.cdf(x)) for x in many[[0, 999, 1000, 2499]]], rel=1e-14
    )


def test_probabilities_of_next_to_nothing_are_not_negative() -> None:
    """They were, by some 1e-20; a test of random shares met one."""
    xs = np.linspace(0.0001, 0.02, 400)
    law = fitting.LimitDistribution("duration")
    assert (law.cdf(xs) >= 0).all()
    assert (law.pdf(xs) >= 0).all()


def deflated(content: bytes) -> bytes:
    """Return the same archive as another program writes it, with a damaged stream."""
    damaged = bytearray(compressed(content))
    damaged[45:60] = b"\xff" * 15
    return bytes(damaged)


def encrypted(content: bytes) -> bytes:
    """Return an archive whose directory says that a password is needed."""
    damaged = bytearray(content)
    for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        place = damaged.index(signature)
        damaged[place + offset] |= 1
    return bytes(damaged)


@pytest.mark.parametrize("damaged", [deflated, encrypted])
def test_checkpoints_that_are_damaged_in_the_archive(
    damaged: Callable[[bytes], bytes], tmp_path: Path
) -> None:
    """They raised errors of zlib, and a RuntimeError of zipfile."""
    checkpoint = checkpoints.Checkpoint(tmp_path / "file", {"of": "a test"})
    checkpoint.save({"values": np.arange(9.0)})
    before = damaged(checkpoint.path.read_bytes())
    checkpoint.path.write_bytes(before)
    with pytest.raises(ValueError, match="is not a whole checkpoint") as caught:
        checkpoint.load()
    assert not isinstance(caught.value.__cause__, (ValueError, zipfile.BadZipFile))
    assert checkpoint.path.read_bytes() == before
