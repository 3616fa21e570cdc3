"""What the tool `fuzz` has found, each mended and kept; refusals in ``found.txt``."""

import zipfile
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cardgames_dp import cardrow, exact, fitting, interop, pairs, play, redblack
from cardgames_dp._graph import explored
from cardgames_dp._support import checkpoints

from ...games import Cards, RedBlack
from ...refusals import refuses, too_large, type_error, value_error
from .hostile import Lies, Toss, compressed

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
    too_large("a game of 1e+12", exact.solve, Toss("num_players", lambda: 10**12))
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
    found = law.cdf(many)
    assert max(largest) < 500 * len(many)
    assert found[[0, 999, 1000, 2499]] == pytest.approx(
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
