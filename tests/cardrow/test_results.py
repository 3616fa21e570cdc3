"""Every result as plain data, complete, and as a table where it is one."""

import dataclasses
import json
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from cardgames_dp import cardrow
from cardgames_dp.cardrow import Rules

ROW: list[Any] = [Fraction(1, 3), 5, 2, Fraction(1, 2)]


def from_the_left(_cards: Any, _left: int, _right: int) -> Any:
    return "left"


RESULTS: list[Any] = [
    cardrow.Position(ROW).advice(),
    cardrow.Position(ROW, rules=Rules(take=2, misere=True)).advice(),
    cardrow.match(ROW, from_the_left, cardrow.Mixed({"larger": 2, "random": 1}), rng=1),
    cardrow.match(ROW),
    cardrow.best_response(ROW, "random", backend="exact"),
    cardrow.best_response(ROW, "random", goal="win"),
    cardrow.solve(ROW, rules=Rules(weights=[1, 2, 3, "0.5"])),
    cardrow.solve(ROW, backend="float64"),
    cardrow.tournament(["larger", from_the_left], [ROW, ROW[1:]]),
    cardrow.tournament(["larger"], [ROW]),
]


@pytest.mark.parametrize("result", RESULTS, ids=lambda x: type(x).__name__)
def test_dictionaries(result: Any) -> None:
    content = result.to_dict(json=True)
    assert json.loads(json.dumps(content, allow_nan=False)) == content
    everything = result.to_dict()
    assert everything.keys() == content.keys()
    for field in dataclasses.fields(result):
        assert field.name in everything


@pytest.mark.parametrize("result", RESULTS, ids=lambda x: type(x).__name__)
def test_representations_are_one_line_of_one_style(result: Any) -> None:
    shown = repr(result)
    assert shown.startswith(f"{type(result).__name__}(")
    assert shown.endswith(")")
    assert "\n" not in shown


def test_fractions_are_read_back() -> None:
    found = cardrow.match(ROW).to_dict(json=True)["sums"]
    assert tuple(map(Fraction, found)) == cardrow.match(ROW).sums
    rules = cardrow.solve([1, 2], rules=Rules(weights=["0.1", 3])).to_dict(json=True)
    assert Rules(**rules["rules"]) == Rules(weights=["0.1", 3])


def test_advice_as_a_table() -> None:
    advice = cardrow.Position([0, 1, 0], rules=Rules(take=2)).advice()
    frame = advice.to_pandas()
    turns = frame["action"].tolist()
    assert turns == list(advice.values)
    assert frame["value"].tolist() == list(advice.values.values())
    assert [t for t, best in zip(turns, frame["best"], strict=True) if best] == list(
        advice.best
    )


def test_play_and_match_as_tables() -> None:
    play = cardrow.match([14, 4, 7, 2, 5, 12])
    frame = play.to_pandas()
    assert frame["position"].tolist() == play.positions.tolist()
    assert frame["player"].tolist() == ["optimal"] * 6
    assert tuple(frame["side"]) == play.sides
    game = cardrow.match([1, 5, 2], "larger", "greedy")
    frame = game.to_pandas()
    assert frame["player"].tolist() == ["larger", "greedy", "larger"]
    assert tuple(frame["card"]) == game.taken
    assert frame["position"].tolist() == game.positions.tolist()
    assert frame["side"].tolist() == [
        "right" if right else "left" for right in game.from_right
    ]


@pytest.mark.parametrize("seat", ["first", "second"])
def test_a_response_as_a_table(seat: Any) -> None:
    response = cardrow.best_response(
        [8, 4, 2, 2, 4, 8], "random", seat=seat, backend="exact"
    )
    frame = response.to_pandas()
    assert response.best is not None
    assert len(frame) == np.count_nonzero(response.best)
    for place, line in frame.iterrows():
        interval: Any = place
        left, right = interval
        assert (
            line["side"]
            == response(cardrow.State(left, right, response.seat, (0, 0))).side
        )
        assert line["tie"] == response.ties[left, right]


def test_one_game_has_no_deviation_and_is_no_plural() -> None:
    result = cardrow.tournament(["larger", "smaller"], [[1, 5, 2]])
    assert np.isnan(result.lead_deviation).all()
    assert np.isnan(result.lead_error).all()
    assert np.isnan(result.win_rate_error).all()
    content = result.to_dict()
    for name in ("lead_deviation", "lead_error", "win_rate_error"):
        assert np.isnan(content[name]).all()
    assert content["mean_lead"] == result.mean_lead.tolist()
    assert str(result).startswith("win/draw/lose of the first seat, 1 game a pair\n")
    assert "nan" not in str(result)
    assert "nan" not in str(result._repr_html_())
    several = cardrow.tournament(["larger"], [[1, 5, 2]] * 2)
    assert several.to_dict()["lead_deviation"] == [[0.0]]
    assert str(cardrow.match([3], "larger", "larger")).startswith("1 card: larger")


class Careful:
    def __call__(self, _cards: Any, _left: int, _right: int) -> str:
        return "left"


A_CLASS: Any = Careful


@pytest.mark.parametrize(
    "call",
    [
        lambda: cardrow.match([1, 2], A_CLASS, "larger"),
        lambda: cardrow.tournament([A_CLASS], [[1, 2]]),
        lambda: cardrow.tournament({"me": A_CLASS}, [[1, 2]]),
        lambda: cardrow.best_response([1, 2], A_CLASS, backend="exact"),
        lambda: cardrow.Mixed({A_CLASS: 1}),
    ],
)
def test_a_class_in_place_of_a_policy(call: Any) -> None:
    with pytest.raises(TypeError, match=r"of Careful, got the class itself"):
        call()
