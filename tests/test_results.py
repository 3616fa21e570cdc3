"""What holds for the results of all games: data, one-line summaries, copies."""

import copy
import inspect
import json
import pickle
import re
from typing import Any

import numpy as np
import pytest

import cardgames_dp
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
from cardgames_dp.redblack import kinds, urns

from .written import Cards

LITTLE = pairs.Rules(deck={1: 2, 2: 2}, target=2)
PAIRS = pairs.solve(LITTLE)
FIT = fitting.fit([1, 2, 3, 4, 5], [1, 3, 2, 5, 4])
TABLE, EXACTLY = redblack.solve(3, 4), redblack.solve(3, 4, backend="exact")
RISKY = redblack.Rules(fee="1/20", utility=redblack.utilities.log(wealth=9))
ROW: list[int | str] = [4, 7, 2, "1/3"]

SOLVED = exact.solve(redblack.Rules().game(2, 2))

RESULTS: list[Any] = [
    SOLVED.advice(redblack.State(1, 2)),
    diagonal.solve(redblack.Rules().game(2, 2)).advice(redblack.State(1, 2)),
    play.evaluate(SOLVED, SOLVED, backend="exact"),
    play.best_response(SOLVED, SOLVED, 0, backend="exact"),
    play.best_response(SOLVED, [None], 0),
    play.regret(SOLVED, lambda state: "stop"),
    play.regret(SOLVED, lambda state: "stop", backend="exact"),
    play.distribution(SOLVED, SOLVED),
    play.distribution(SOLVED, SOLVED, backend="exact"),
    play.distribution(SOLVED, SOLVED).moves,
    play.simulate(SOLVED, SOLVED, 1),
    play.simulate(SOLVED, SOLVED, 20, histories=2, rng=1),
    exact.solve(redblack.Rules().game(2, 2)),
    diagonal.solve(redblack.Rules().game(2, 2)),
    *(diagonal.solve(Cards(2, 2)), exact.solve(Cards(2, 2))),
    exact.solve(LITTLE.game()),
    *(TABLE, EXACTLY, redblack.solve(2, 2, rules=RISKY)),
    *(TABLE.advice(red=1, black=2), EXACTLY.advice(red=3, black=4)),
    *(TABLE.boundary, EXACTLY.boundary),
    redblack.enclosure(3, 4),
    redblack.distribution(3, 4).payoff,
    redblack.distribution(3, 4, backend="exact").moves,
    redblack.regret(2, 3, policy={"stop": 1, "draw": 1}, backend="exact"),
    redblack.thresholds(7),
    redblack.published_values(),
    kinds.advice({2: 1, -1: 2}, {-1: 1}, backend="exact"),
    *(urns.solve([1, 2, 1]), urns.solve([1, 2, 1], backend="exact")),
    urns.solve([1, 2, 1]).advice(red=1, black=0),
    redblack.simulate(3, 4, games=10, paths=2, rng=1),
    redblack.simulate(3, 4, games=10, policy=lambda red, black: red < black, rng=1),
    cardrow.solve([4, 7, 2]),
    cardrow.solve(ROW, rules=cardrow.Rules(players=3, take=2)),
    cardrow.Position(ROW).advice(),
    cardrow.advice_of_rows(ROW, [1], stacks=[[2, 3]]),
    cardrow.match(ROW),
    cardrow.match([4, 7, 2], "greedy", lambda cards, left, right: "left"),
    cardrow.best_response(
        ROW, cardrow.Mixed({"random": 1, "larger": 2}), backend="exact"
    ),
    cardrow.best_response([4, 7, 2], "random", backend="float64"),
    cardrow.best_response([4, 7, 2], "random", goal="win", backend="exact"),
    cardrow.best_response(ROW, ["random", "greedy"], rules=cardrow.Rules(players=3)),
    cardrow.distribution(ROW, "random", "larger"),
    cardrow.tournament(["larger", "random"], [[4, 7, 2]], rng=1),
    cardrow.tournament(["larger", "random"], [[4, 7, 2]] * 3, rng=1),
    PAIRS,
    PAIRS.advice(hand=[2], others=[1], scores=[0, 0]),
    PAIRS.opening_table(),
    PAIRS.round([0, 0]),
    pairs.best_response(LITTLE, pairs.HitBelow("1/4")),
    pairs.evaluate(LITTLE, "optimal"),
    pairs.evaluate(LITTLE, ["optimal", lambda view: view.lowest > 1]),
    pairs.regret(LITTLE, "never_hit"),
    pairs.enclosure(LITTLE),
    pairs.solve(LITTLE, goal="points"),
    pairs.simulate(LITTLE, ["optimal", PAIRS], games=10, rng=1),
    pairs.evaluate(LITTLE, ["optimal", lambda view: np.ones(len(view.hand), bool)]),
    FIT,
    fitting.fit([1, 4, 9], [0, 0, 0]),
    *(FIT.confidence_intervals(), FIT.predict_interval([9, 16])),
    *(fitting.asymptotic_value(1000), fitting.asymptotic_value([1000, 2000])),
    fitting.asymptotic_deck(1000, 1010),
    fitting.GROWTH_TERMS[0],
    redblack.distribution(8, 6, rules=redblack.Rules(tie="draw")),
    *(fitting.limit_distribution("duration"), fitting.limit_distribution(digits=20)),
]

MODULES = [
    *(cardgames_dp, cardrow, fitting, pairs, redblack),
    *(diagonal, exact, game, interop, kinds, play, urns),
]
OTHERS = {
    *(cardrow.Mixed, cardrow.Turn, cardgames_dp.running),
    *(room.Position for room in (cardrow, pairs, play, redblack)),
    *(pairs.FoldUpTo, pairs.HitBelow, pairs.SumBelow),
    *(pairs.OfficialRules, pairs.View),
    *(redblack.StopAtCash, redblack.StopAtLoss, redblack.StopAfter),
    *(redblack.StopAtExcess, redblack.StopAtFirst, redblack.OptimalWithin),
    *(game.Game, game.ArrayGame, game.Explored, game.ExploredArrays),
    *(room.Rules for room in (cardrow, pairs, redblack)),
    *(room.State for room in (cardrow, pairs, redblack)),
    *(interop.GambitGame, interop.OpenSpielGame),
}
"""Public classes whose instances are rules, states, players or rows, not results."""

each = pytest.mark.parametrize(
    "result", RESULTS, ids=lambda x: f"{type(x).__module__[13:]}.{type(x).__name__}"
)


def test_no_result_is_left_out() -> None:
    classes = {
        member
        for module in MODULES
        for member in [getattr(module, name) for name in module.__all__]
        if inspect.isclass(member) and not issubclass(member, Exception)
    }
    assert classes - OTHERS <= {type(result) for result in RESULTS}


@each
def test_a_result_is_plain_data(result: Any) -> None:
    plain = result.to_dict()
    assert isinstance(plain, dict)
    assert plain


@each
def test_a_result_is_json(result: Any) -> None:
    written = json.dumps(result.to_dict(json=True), allow_nan=False)
    assert json.loads(written) == result.to_dict(json=True)


@each
def test_a_result_is_summed_up_in_a_line(result: Any) -> None:
    name = type(result).__name__
    assert re.fullmatch(rf"{name}\(\w+=.*\)", repr(result))
    assert " at 0x" not in repr(result)
    assert len(repr(result)) < 400
    assert str(result)


@each
def test_a_result_that_pickles_is_equal_to_itself(result: Any) -> None:
    assert copy.copy(result) == result
    try:
        written = pickle.dumps(result)
    except (AttributeError, pickle.PicklingError) as error:
        assert "lambda" in str(error)  # noqa: PT017  # a function given by the user
    else:
        assert pickle.loads(written) == result
