"""What the session `fuzz` has found, each mended and kept here."""

import zipfile
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cardgames_dp import (
    TooLargeError,
    cardrow,
    exact,
    fitting,
    interop,
    pairs,
    redblack,
)
from cardgames_dp._graph import explored
from cardgames_dp._support import checkpoints
from cardgames_dp.game import GameError

from ...written import Cards
from .hostile import Lies, Toss, compressed

GAME = explored.explore(redblack.Rules().game(3, 3))
ARRAYS = explored.explore(Cards(3, 3))


@pytest.mark.parametrize("place", [-1, 1000, 10**400, 0.0, "nan", None, [1], {1: 2}])
def test_places_of_states_that_are_none(place: Any) -> None:
    with pytest.raises((TypeError, ValueError), match=r"^place must be "):
        GAME.actions_at(place)
    with pytest.raises((TypeError, ValueError), match=r"^places must be "):
        ARRAYS.states_at("1" if place == [1] else place)  # type: ignore[arg-type]


def test_places_of_states() -> None:
    assert GAME.actions_at(np.int8(0)) == ("stop", "draw")  # type: ignore[arg-type]
    assert ARRAYS.states_at(np.array([0])).tolist() == [[3, 3, 0]]
    assert ARRAYS.states_at([]).shape == (0, 3)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "given",
    [np.empty((0, 3)), np.array(["first", "last"]), 1, None, ["first"]],
    ids=repr,
)
def test_tie_rules_that_are_none(given: Any) -> None:
    with pytest.raises(
        TypeError, match=r"^tie_break must be one of 'first', 'last', 'uniform', or"
    ):
        exact.solve(GAME, tie_break=given)


def test_states_that_lie_about_their_number() -> None:
    with pytest.raises((TypeError, GameError), match=r"^states must hold states"):
        ARRAYS.places(Lies())  # type: ignore[arg-type]


def test_other_returns_need_not_know_whether_they_are_true() -> None:
    with pytest.raises(TypeError):
        ARRAYS.with_returns(NotImplemented)


def test_a_refusal_of_many_scores_is_short() -> None:
    solution = pairs.solve(pairs.Rules(deck=3, target=3))
    with pytest.raises(ValueError, match=r"^scores must hold an integer") as caught:
        pairs.Position(solution, scores=[1] * 10**5)
    assert len(str(caught.value)) < 400


def test_a_limit_distribution_of_many_arguments_takes_little_memory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It took 2.4 GiB for a million of them: 320 waves of each at once."""
    law, many = fitting.limit_distribution("duration"), np.linspace(0.1, 0.9, 2500)
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
    law = fitting.limit_distribution("duration")
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


@pytest.mark.parametrize("state", [None, "state", (0, 2, 0, ("1", "0"))])
def test_a_plan_counts_what_was_taken_in_states_only(state: Any) -> None:
    response = cardrow.best_response([1, 5, 1], "random", goal="win")
    with pytest.raises(TypeError, match=r"^state must "):
        response(state)


MANY = range(10**18)
PAIRS = pairs.solve(pairs.Rules(deck=3, target=3))
ONES = np.lib.stride_tricks.as_strided(np.ones(1), (10**12,), (0,))


@pytest.mark.parametrize(
    ("what", "call"),
    [
        ("red", lambda: redblack.value(MANY, MANY)),
        ("prior", lambda: redblack.urns.solve(MANY)),
        ("scores", lambda: PAIRS.value_at(MANY)),
        ("scores", lambda: PAIRS.round(range(2**70))),
        ("cards", lambda: cardrow.value(ONES)),
        ("a game", lambda: exact.solve(Toss("num_players", lambda: 10**12))),
    ],
)
def test_more_items_than_memory_holds(what: str, call: Callable[[], object]) -> None:
    """They were taken one by one, for hours, or until there was no memory."""
    with pytest.raises(
        TooLargeError, match=rf"^{what} (with|of) [\d.e+]+ .* needs about"
    ):
        call()


@pytest.mark.parametrize("draws", [10**7, 10**200])
def test_a_prior_of_too_many_draws(draws: int) -> None:
    """Binomial weights took 47 s for 3000 draws at the float 0.55; now 1 s."""
    with pytest.raises(TooLargeError, match="probabilities in exact numbers"):
        redblack.urns.fixed_odds(draws, "0.55")
    with pytest.raises(TooLargeError, match="probabilities in exact numbers"):
        redblack.urns.beta_binomial(draws, "1/2", 10**200)


def test_a_prior_of_many_draws() -> None:
    assert len(redblack.urns.beta_binomial(20_000, 1, 1)) == 20_001


def test_a_tree_for_which_more_nodes_are_allowed_than_memory_holds() -> None:
    with pytest.raises(TooLargeError, match=r"^the text of \d+ nodes needs about"):
        interop.to_efg(redblack.Rules().game(26, 26), max_nodes=2**64)


def test_what_has_no_truth_value() -> None:
    """Python warned of NotImplemented, which was asked whether it is true."""
    with pytest.raises(TypeError, match=r"^deck must be a mapping"):
        redblack.kinds.value(NotImplemented)


@pytest.mark.parametrize(
    "utility",
    [
        redblack.utilities.exponential(0.5),
        redblack.utilities.power("0.01", wealth=5e-324),
    ],
    ids=repr,
)
def test_utilities_beyond_float64(utility: Callable[[Any], Any]) -> None:
    """NumPy warned, and the answer was an infinity, which is not the utility."""
    for cash in (10**300, [-1e300, 0]) if "power" in repr(utility) else (-(2**63),):
        with pytest.raises(ValueError, match=r"^cash must have a utility that fits in"):
            utility(cash)


@pytest.mark.parametrize("goal", ["lead", "win"])
def test_a_plan_for_a_million_cards(goal: Any) -> None:
    """An array of their pairs was made, to find out that there are too many."""
    with pytest.raises(TooLargeError, match=r"^a (plan|response) for 1000000 cards"):
        cardrow.best_response([1] * 10**6, "random", goal=goal, backend="exact")


def test_a_refused_utility_of_many_digits_is_short() -> None:
    utility = redblack.utilities.exponential(0.5)
    with pytest.raises(ValueError, match="fit in float64") as caught:
        utility(Fraction(10**4000))
    assert len(str(caught.value)) < 1000


def test_a_certified_climb_that_would_never_end_is_refused() -> None:
    """It was not looked at."""
    with pytest.raises(ValueError, match="must be at most"):
        redblack.enclosure(10**15, 10**15 - 2)


@pytest.mark.parametrize("json", [NotImplemented, 1, None])
def test_whether_for_json_is_true_or_false(json: Any) -> None:
    with pytest.raises(TypeError, match="json must be True or False, got"):
        exact.solve(redblack.Rules().game(1, 1)).to_dict(json=json)


@pytest.mark.parametrize(
    ("cards", "lead"), [([10**400, 3, 5], 10**400 - 2), ([1e308, 1e308, 5], 5)]
)
def test_leads_beyond_float64(cards: Any, lead: int) -> None:
    with pytest.raises(ValueError, match="cards must have sums of at most 1e307"):
        cardrow.distribution(cards, "greedy", "random")
    law = cardrow.distribution(cards, "greedy", "larger", backend="exact")
    assert law.support.tolist() == [lead]


WEIGHTS: list[str | int] = ["1e400", 1, 1, 1]


@pytest.mark.parametrize(
    ("cards", "rules"),
    [
        ([5, 2, 9, "1e400", 10, 11, 4, 4], None),
        ([5, 2, 9, "1e-400", 10], None),  # in units of which the others are too large
        ([1e308, 2, 9, 5], cardrow.Rules(players=3)),
        ([1, 2, 3, 4], cardrow.Rules(weights=WEIGHTS)),
    ],
)
@pytest.mark.parametrize("goal", ["lead", "win"])
def test_responses_beyond_float64(cards: Any, rules: Any, goal: Any) -> None:
    with pytest.raises(ValueError, match="cards must have sums of at most 1e306, in u"):
        cardrow.best_response(cards, "random", rules=rules, goal=goal)
    response = cardrow.best_response(
        cards, "random", rules=rules, goal=goal, backend="exact"
    )
    assert response.win is None or 0 < response.win <= 1


def test_greedy_players_whose_cards_need_more_than_64_bits() -> None:
    """The first one's gains did, and the other's did not."""
    row, rules = [1, 2, 3, 4], cardrow.Rules(weights=WEIGHTS)
    with pytest.raises(ValueError, match="cards must have sums of at most 1e307"):
        cardrow.distribution(row, "greedy", "random", rules=rules)
    law = cardrow.distribution(row, "greedy", "random", rules=rules, backend="exact")
    assert law.probabilities.sum() == 1
    small = cardrow.Rules(weights=[1000, 1, 1, 1])
    assert law.probabilities.tolist() == [
        *cardrow.distribution(
            row, "greedy", "random", rules=small, backend="exact"
        ).probabilities
    ]


def test_sizes_beyond_float64() -> None:
    with pytest.raises(ValueError, match=r"^red and black must be at most 10\*\*300"):
        redblack.enclosure([10**400], [10**400 - 2], digits=12)
    with pytest.raises(ValueError, match="needs more cards than the hands of"):
        pairs.Rules(players=10**400, reshuffle="essay")


def test_results_too_small_for_float64() -> None:
    """For lack of a float above 0 it was said that the duration surely is less."""
    law = fitting.limit_distribution("duration", digits=20)
    for x in ("1e-301", "1e-400", Fraction(1, 10**3000)):
        with pytest.raises(ValueError, match="x must be 0 or at least 1e-300, got"):
            law.cdf(x)
    assert (law.cdf(0), law.cdf(10**400)) == (0, 1)
    with pytest.raises(ValueError, match=r"leading zeros of a probability .* must be"):
        law.cdf("1e-300")
