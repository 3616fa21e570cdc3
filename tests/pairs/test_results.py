"""What a person sees: solutions, rounds, advice, and how they keep."""

import copy
import dataclasses
import json
import pickle
import re
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest

from cardgames_dp import pairs

from .counted import win_rate

RULES = pairs.Rules(deck=3, target=9)
SOLUTION = pairs.solve(RULES)
THREE = pairs.solve(pairs.Rules(players=3, deck=3, target=4))
REMEMBERED = pairs.solve(dataclasses.replace(RULES, target=4, reshuffle="exhausted"))
RESPONSE = pairs.best_response(RULES, "fifty_percent")

RESULTS = [
    RULES,
    SOLUTION,
    THREE,
    REMEMBERED,
    SOLUTION.round([0, 0]),
    SOLUTION.opening_table(),
    SOLUTION.advice(hand=[2], others=[3], scores=[0, 0]),
    RESPONSE,
    pairs.evaluate(RULES, ["optimal", "fifty_percent"]),
    pairs.regret(RULES, "fifty_percent"),
    pairs.evaluate(RULES, "optimal"),
    pairs.enclosure(RULES),
    pairs.solve(RULES, goal="lead"),
    pairs.HitBelow(0.25),
    pairs.HitBelow("1/3", or_equal=True),
    pairs.SumBelow(4, 1),
    pairs.FoldUpTo(2),
    RULES.game(),
]


@pytest.mark.parametrize("result", RESULTS, ids=lambda r: type(r).__name__)
def test_results_are_values(result: Any) -> None:
    """They pickle, copy, compare by content and stay read-only."""
    for other in (pickle.loads(pickle.dumps(result)), copy.deepcopy(result)):
        assert other == result
        assert repr(other) == repr(result)
        arrays = [getattr(other, field.name) for field in dataclasses.fields(other)]
        for array in arrays + list(getattr(other, "tables", ())):
            if isinstance(array, np.ndarray):
                with pytest.raises(ValueError, match="read-only"):
                    array[...] = 0
    assert result != 3
    assert len(repr(result)) < 300
    field = dataclasses.fields(result)[0].name
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(result, field, None)


def test_results_differ_by_content() -> None:
    assert pairs.solve(dataclasses.replace(RULES, target=8)) != SOLUTION
    assert pairs.solve(RULES) == SOLUTION
    assert SOLUTION.round([0, 1]) != SOLUTION.round([1, 0])
    assert SOLUTION.round([0, 1]) == pairs.solve(RULES).round([0, 1])
    assert pairs.best_response(RULES, "never_hit") != RESPONSE
    assert SOLUTION.opening_table([0, 1]) != SOLUTION.opening_table([1, 0])


def test_rules_are_values() -> None:
    """A mapping in any order, pairs and NumPy's integers make the same rules."""
    numpy_integers: dict[str, Any] = {
        "players": np.int8(2),
        "deck": {np.int64(rank): np.uint8(rank) for rank in (1, 2, 3)},
        "target": np.int32(9),
    }
    same = [
        pairs.Rules(deck={3: 3, 1: 1, 2: 2}, target=9),
        pairs.Rules(deck=[(2, 2), (1, 1), (3, 3)], target=9),
        pairs.Rules(deck=zip((1, 2, 3), (1, 2, 3), strict=True), target=9),
        pairs.Rules(**numpy_integers),
        dataclasses.replace(RULES),
        dataclasses.replace(pairs.Rules(deck=3), target=9),
        pairs.Rules(deck=RULES.deck, target=9, capacity=zip((3, 2, 1), (1, 1, 1))),  # noqa: B905
    ]
    for rules in same:
        assert rules == RULES
        assert hash(rules) == hash(RULES)
        assert repr(rules) == repr(RULES)
        assert type(rules.players) is type(rules.target) is int
    others = [
        dataclasses.replace(RULES, **change)
        for change in (
            {"players": 3},
            {"deck": {1: 1, 2: 2, 3: 2}},
            {"target": 8},
            {"reshuffle": "exhausted"},
            {"deal": 1},
            {"burn": 1},
            {"tie": "hit"},
            {"capacity": 2},
        )
    ]
    assert len({RULES, *others}) == 9
    assert eval(repr(RULES), {"Rules": pairs.Rules}) == RULES
    assert (RULES.ranks, RULES.counts, RULES.capacities) == ((1, 2, 3),) * 2 + (
        (1, 1, 1),
    )
    assert dataclasses.replace(RULES, burn=2).kept_back == 2


def test_default_rules() -> None:
    rules = pairs.Rules()
    assert rules == pairs.Rules(2, 10, 31)
    assert (rules.reshuffle, rules.deal, rules.first) == ("round", 0, "rotation")
    assert (rules.burn, rules.tie, rules.shuffle_limit) == (0, "fold", 0)


def test_solution() -> None:
    assert SOLUTION.value == SOLUTION.value_at((0, 0))
    assert SOLUTION.table.shape == (1, 81, 2)
    assert SOLUTION.num_positions == len(SOLUTION.round([0, 0])) * 81
    for own, other in np.ndindex(9, 9):
        row = SOLUTION.table[0, 9 * own + other]
        assert SOLUTION.value_at([own, other]) == tuple(row)
    assert REMEMBERED.table.shape == (24, 16, 2)
    decks = {c: REMEMBERED.value_at([0, 0], deck={3: c}) for c in (1, 2, 3)}
    assert len(set(decks.values())) == 3
    everything = REMEMBERED.value_at([0, 0], deck={1: 1, 2: 2, 3: 3})
    assert everything == REMEMBERED.value
    assert REMEMBERED.value_at([0, 0], deck=[3, 2, 1, 3, 2, 3]) == everything  # type: ignore[arg-type]
    assert THREE.table.shape == (1, 64, 3)


@pytest.mark.parametrize("solution", [SOLUTION, THREE, REMEMBERED], ids=repr)
def test_solution_after_pickling(solution: pairs.Solution) -> None:
    """Rounds and advice are made from the table alone."""
    other = pickle.loads(pickle.dumps(solution))
    n = solution.rules.players
    scores = list(range(n))
    assert other.round(scores) == solution.round(scores)
    hands: dict[str, Any] = {"hand": [], "others": [[]] * (n - 1), "scores": scores}
    assert other.advice(**hands) == solution.advice(**hands)
    assert other.num_positions == solution.num_positions
    assert len(pickle.dumps(solution)) < 2 * solution.table.nbytes + 2000


@pytest.mark.parametrize("solution", [SOLUTION, THREE, REMEMBERED], ids=repr)
def test_round(solution: pairs.Solution) -> None:
    rules = solution.rules
    n, ranks = rules.players, len(rules.ranks)
    scores = tuple(range(n))
    table = solution.round(scores)
    size = len(table)
    assert (table.rules, table.scores) == (rules, scores)
    assert table.hands.shape == (size, n, ranks)
    assert table.hands.dtype == np.int8
    assert table.unseen.shape == (size, ranks)
    assert table.hit.shape == table.fold.shape == table.values.shape == (size, n)
    for name in ("cards", "can_hit", "can_fold", "hits", "ties", "choice"):
        assert getattr(table, name).shape == (size,), name
    assert (table.hands.sum(axis=(1, 2)) == table.cards).all()
    # The player to move has as many cards as anybody, or one less.
    sizes = table.hands.sum(axis=2)
    assert (np.diff(sizes, axis=1) >= 0).all()
    assert (sizes[:, -1] - sizes[:, 0] <= 1).all()
    assert (np.diff(table.cards) >= 0).all()
    if rules.reshuffle == "round":
        everything = table.unseen + table.hands.sum(axis=1)
        assert (everything == rules.counts).all()
        assert table.values[0] == pytest.approx(solution.value_at(scores), abs=1e-15)
    # A hand of the others is where it should be: position by position the advice.
    rng = np.random.default_rng(1)
    for i in rng.choice(size, 20, replace=False):
        hands = [
            dict(zip(rules.ranks, hand, strict=True))
            for hand in table.hands[i].tolist()
        ]
        deck = dict(zip(rules.ranks, table.unseen[i].tolist(), strict=True))
        mover = int(table.cards[i]) % n
        advice = solution.advice(
            hand=hands[0],
            others=hands[1:],
            scores=scores[mover:] + scores[:mover],
            deck=deck,
        )
        assert advice.action == ("hit" if table.hits[i] else "fold")
        assert advice.tie == table.ties[i]
        assert advice.returns == tuple(table.values[i])
        assert advice.hit == (table.hit[i, 0] if table.can_hit[i] else None)
        assert advice.fold == (table.fold[i, 0] if table.can_fold[i] else None)
        if table.choice[i]:
            assert advice.margin == abs(table.hit[i, 0] - table.fold[i, 0])
        else:
            assert advice.margin is None


def test_round_in_columns() -> None:
    table = SOLUTION.round([2, 5])
    plain = table.to_dict()
    assert plain["rules"] == dataclasses.asdict(RULES)
    assert plain["scores"] == (2, 5)
    assert plain["values"] == table.values.tolist()
    _, columns = table._columns()
    assert all(len(column) == len(table) for column in columns.values())
    names = ["hand", "others", "unseen", "action", "tie", "hit", "fold"]
    assert list(columns) == names
    assert (columns["hand"][0], columns["others"][0]) == ((), ((),))
    assert columns["unseen"][0] == (1, 2, 2, 3, 3, 3)
    assert columns["fold"][0] is None
    assert columns["action"][0] == "hit"
    place = [
        i for i, hand in enumerate(columns["hand"])
        if hand == (1, 3) and columns["others"][i] == ((2, 3),)
    ]  # fmt: skip
    advice = SOLUTION.advice(hand=[1, 3], others=[2, 3], scores=[2, 5])
    assert len(place) == 1
    assert columns["action"][place[0]] == advice.action
    assert columns["hit"][place[0]] == advice.hit
    frame = table.to_pandas()
    assert isinstance(frame, pd.DataFrame)
    assert frame.shape == (len(table), 7)
    _, remembered = REMEMBERED.round([0, 0])._columns()
    assert len(set(remembered["unseen"])) > 10


def test_solution_in_columns() -> None:
    everything = SOLUTION.to_dict()
    _, columns = SOLUTION._columns()
    assert list(columns) == ["score_0", "score_1", "win_0", "win_1"]
    assert everything.pop("value") == SOLUTION.value
    assert everything.pop("table") == SOLUTION.table.tolist()
    assert everything.pop("rules") == dataclasses.asdict(RULES)
    assert everything == {
        field.name: getattr(SOLUTION, field.name)
        for field in dataclasses.fields(SOLUTION)
        if field.name not in ("rules", "table")
    }
    assert len(columns["win_0"]) == 81
    for own, other, win, lose in zip(*columns.values(), strict=True):
        assert SOLUTION.value_at([own, other]) == (win, lose)
    totals = np.add(columns["score_0"], columns["score_1"])
    assert (np.diff(totals) >= 0).all()
    assert SOLUTION.to_pandas().shape == (81, 4)
    assert THREE.to_pandas().shape == (64, 6)


EXPORTED = [
    *(r for r in RESULTS if hasattr(r, "to_dict")),
    pairs.simulate(RULES, ["never_hit", pairs.HitBelow("0.4")], games=1, rng=1),
    pairs.simulate(pairs.OfficialRules(), "never_hit", games=20, rng=1),
    pairs.evaluate(pairs.Rules(deck={1: 1}, target=1), "never_hit"),  # NaN in it
    pairs.best_response(THREE.rules, SOLUTION.policy.__func__.__get__(THREE)),  # type: ignore[attr-defined]
]


@pytest.mark.parametrize("result", EXPORTED, ids=lambda r: type(r).__name__)
def test_results_are_exported_whole(result: Any) -> None:
    """Every field and every property, as plain objects, and on request as JSON."""
    plain = result.to_dict()
    text = json.dumps(result.to_dict(json=True), allow_nan=False)
    assert list(json.loads(text)) == list(plain)
    named = {field.name for field in dataclasses.fields(result)}
    if not isinstance(result, pairs.Round):
        # Policies are told by their names.
        assert named - {"seats"} <= plain.keys()
    if "rules" in named:
        assert type(result.rules)(**json.loads(text)["rules"]) == result.rules
    own = {"hit", "fold", "unseen"} if isinstance(result, pairs.Round) else set()
    for name in plain.keys() & named - own:
        value = getattr(result, name)
        if isinstance(value, np.ndarray):
            assert plain[name] == value.tolist(), name


@pytest.mark.parametrize(
    "result",
    [result for result in EXPORTED if hasattr(result, "to_pandas")],
    ids=lambda r: type(r).__name__,
)
def test_tables_hold_what_results_do(result: Any) -> None:
    frame = result.to_pandas()
    assert isinstance(frame, pd.DataFrame)
    assert len(frame) > 0
    plain = result.to_dict()
    if isinstance(result, pairs.Regret):
        assert frame.to_dict("records") == list(plain["dearest"])
    elif isinstance(result, pairs.Simulation):
        assert frame["wins"].tolist() == list(result.wins)
        assert frame.index.name == "seat"
    elif isinstance(result, pairs.OpeningTable):
        hits = frame[frame["action"] == "hit"]
        assert len(frame) == result.possible.sum()
        assert len(hits) == result.hits.sum()
        for own, other, lead in zip(
            frame["own"], frame["other"], frame["lead"], strict=True
        ):
            i, j = result.ranks.index(own), result.ranks.index(other)
            assert lead == result.lead[i, j]
    elif isinstance(result, pairs.Response):
        starts = frame[(frame.filter(like="score") == 0).all(axis=1)]
        for seat, chance in enumerate(result.values):
            at_seat = starts[starts["seat"] == seat]
            assert at_seat[f"win_{seat}"].item() == chance
    elif isinstance(result, pairs.Evaluation):
        columns = {"policy": "policies", "win": "value", "lose": "lose"}
        assert list(frame.columns) == list(columns)
        for name, field in columns.items():
            assert tuple(frame[name]) == plain[field]
    elif isinstance(result, pairs.Advice):
        assert tuple(frame["action"]) == plain["actions"]
        assert frame["value"].tolist() == plain["values"]
        assert tuple(frame["action"][frame["best"]]) == result.best


def test_without_pandas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pandas", None)
    for result in EXPORTED:
        if not hasattr(result, "to_pandas"):
            continue
        with pytest.raises(ModuleNotFoundError, match=r"cardgames_dp\[pandas\]"):
            result.to_pandas()


def test_forms_of_a_hand() -> None:
    """Ranks in any order, or counts; the other's hand alone or in a list."""
    scores = [0, 3]
    advice = SOLUTION.advice(hand=[1, 3], others=[3, 2], scores=scores)
    hand: Any
    others: Any
    for hand in ([3, 1], (1, 3), {1: 1, 3: 1}, {1: 1, 2: 0, 3: 1}, np.array([1, 3])):
        for others in ([2, 3], [[2, 3]], [{2: 1, 3: 1}], {3: 1, 2: 1}, ((2, 3),)):
            other = SOLUTION.advice(hand=hand, others=others, scores=scores)
            assert other == advice
    unseen = {1: 0, 2: 1, 3: 1}
    with_deck = SOLUTION.advice(hand=[1, 3], others=[2, 3], scores=scores, deck=unseen)
    assert with_deck == advice


def test_advice_in_words() -> None:
    hit = 0.6895123
    in_words: list[tuple[Any, Any, str]] = [
        (
            ["hit"],
            {"hit": hit, "fold": 0.66481},
            "hit, winning 0.689512; a fold wins 0.66481.",
        ),
        (
            ["fold"],
            {"hit": hit, "fold": 0.75},
            "fold, winning 0.75; a hit wins 0.689512.",
        ),
        (
            ["hit", "fold"],
            {"hit": hit, "fold": hit},
            "hitting and folding both win 0.689512; the tie rule says hit.",
        ),
        (["hit"], {"hit": hit}, "hit, winning 0.689512; nobody can fold here."),
        (["fold"], {"fold": 0.25}, "fold, winning 0.25; there is no card to draw."),
    ]
    for best, values, words in in_words:
        assert str(pairs.Advice(best[0], tuple(best), values, (0.7, 0.3))) == words


def test_advice_follows_the_turns() -> None:
    """For any numbers of cards: it is given just where a round can come to them."""
    cards = {0: [], 1: [1], 2: [1, 2], 3: [1, 2, 3]}
    rules = pairs.Rules(deck={1: 3, 2: 3, 3: 3}, target=1, players=3)
    for deal in (0, 1):
        solution = pairs.solve(dataclasses.replace(rules, deal=deal))
        _, table = solution.round([0, 0, 0])._columns()
        met = {
            (len(hand), *map(len, others))
            for hand, others in zip(table["hand"], table["others"], strict=True)
            if len(hand) >= deal  # else cards are being dealt
        }
        given = set()
        for held in np.ndindex(4, 4, 4):
            hand, *others = [cards[size] for size in held]
            try:
                solution.advice(hand=hand, others=others, scores=[0, 0, 0])
            except ValueError as error:
                assert "must hold" in str(error)  # noqa: PT017
            else:
                given.add(held)
        assert given == met


def test_advice_at_an_empty_table() -> None:
    advice = SOLUTION.advice(hand=[], others=[], scores=[0, 0])
    assert (advice.action, advice.tie, advice.fold) == ("hit", False, None)
    assert advice.margin is None
    assert advice.hit == pytest.approx(SOLUTION.value[0])
    assert advice.returns == pytest.approx(SOLUTION.value)


def test_advice_without_cards_to_draw() -> None:
    rules = pairs.Rules(players=3, deck=2, target=3)
    advice = pairs.solve(rules).advice(
        hand=[], others=[[1], [2]], scores=[0, 0, 0], deck={2: 1}
    )
    assert advice.hit is not None
    none_left = pairs.solve(dataclasses.replace(rules, burn=1)).advice(
        hand=[], others=[[1], [2]], scores=[0, 0, 0]
    )
    assert (none_left.action, none_left.hit, none_left.margin) == ("fold", None, None)


def test_opening_table() -> None:
    table = SOLUTION.opening_table([1, 4])
    assert (table.ranks, table.scores) == ((1, 2, 3), (1, 4))
    for own, other in np.ndindex(3, 3):
        assert table.possible[own, other] == ((own, other) != (0, 0))
        if table.possible[own, other]:
            advice = SOLUTION.advice(hand=[own + 1], others=[other + 1], scores=[1, 4])
            assert table.hits[own, other] == (advice.action == "hit")
            assert table.ties[own, other] == advice.tie
            assert advice.hit is not None
            assert advice.fold is not None
            assert table.lead[own, other] == pytest.approx(advice.hit - advice.fold)
    assert not table.hits[0, 0]
    assert table.lead[0, 0] == 0
    fresh = REMEMBERED.opening_table()
    assert fresh.possible.sum() == 8
    for own, other in np.argwhere(fresh.possible):
        advice = REMEMBERED.advice(hand=[own + 1], others=[other + 1], scores=[0, 0])
        assert fresh.hits[own, other] == (advice.action == "hit")


@pytest.mark.parametrize(
    "rules",
    [
        pairs.Rules(players=3, deck=3, target=4),
        pairs.Rules(players=4, deck={1: 2, 3: 3}, target=4),
        pairs.Rules(players=3, deck={1: 2, 2: 2}, target=3, reshuffle="exhausted"),
        pairs.Rules(players=3, deck=3, target=4, deal=1, first="lowest"),
    ],
)
def test_opening_table_of_more_players(rules: pairs.Rules) -> None:
    """Every entry is the advice to the player with that card."""
    solution, n = pairs.solve(rules), rules.players
    scores = [1, *[0] * (n - 1)]
    table = solution.opening_table(scores)
    assert table.scores == tuple(scores)
    for cards in np.ndindex(table.hits.shape):
        ranks = [rules.ranks[card] for card in cards]
        there = all(ranks.count(r) <= c for r, c in rules.deck)
        assert table.possible[cards] == there
        if there:
            others = [[rank] for rank in ranks[1:]]
            advice = solution.advice(hand=ranks[:1], others=others, scores=scores)
            assert table.hits[cards] == (advice.action == "hit")
            assert table.ties[cards] == advice.tie
            assert advice.fold is not None
            lead = 0.0 if advice.hit is None else advice.hit - advice.fold
            assert table.lead[cards] == pytest.approx(lead, abs=1e-15)
    assert table.hits.any()
    assert not table.hits.all()


def test_opening_table_of_three_in_print() -> None:
    rules = pairs.Rules(players=3, deck=3, target=4)
    table = pairs.solve(rules).opening_table()
    lines = str(table).splitlines()
    assert lines[::5] == ["last: 1", "last: 2", "last: 3"]
    assert {lines[1], lines[6], lines[11]} == {"   1 2 3"}
    marks = {True: "H", False: "f"}
    for own, left, last in np.argwhere(table.possible & ~table.ties):
        line = f"{lines[5 * last + 2 + own]:9}"
        assert line[3 + 2 * left] == marks[bool(table.hits[own, left, last])]
    pandas = pytest.importorskip("pandas")
    frame = table.to_pandas()
    assert isinstance(frame, pandas.DataFrame)
    assert list(frame.columns[:3]) == ["own", "other_0", "other_1"]
    assert len(frame) == table.possible.sum()
    for row in frame.itertuples():
        place = row.own - 1, row.other_0 - 1, row.other_1 - 1
        assert row.lead == table.lead[place]
        assert (row.action == "hit") == table.hits[place]


def test_opening_table_in_print() -> None:
    lines = str(SOLUTION.opening_table()).splitlines()
    assert lines[0] == "   1 2 3"
    assert lines[1:] == [" 1   H H", " 2 f H H", " 3 f H H"]
    assert set("".join(lines[1:])) <= set("123 Hf=")
    assert lines[1][:4] == " 1  "  # there is only one 1
    tied = pairs.solve(pairs.Rules(deck={1: 2, 2: 2}, target=1)).opening_table()
    assert "=" in str(tied) or tied.ties.sum() == 0
    assert str(tied).count("=") == tied.ties.sum()
    one = pairs.solve(pairs.Rules(deck={1: 1}, target=2)).opening_table()
    assert str(one).split() == ["1", "1"]


def test_repr() -> None:
    assert repr(SOLUTION).startswith("Solution(value=(0.")
    assert "players=2, cards=6, target=9, reshuffle='round', ties=" in repr(SOLUTION)
    table = SOLUTION.round([0, 0])
    assert repr(table) == (
        f"Round(scores=(0, 0), positions={len(table)}, choices={table.choice.sum()}, "
        f"hits={(table.hits & table.choice).sum()}, ties={table.ties.sum()})"
    )
    opening = SOLUTION.opening_table()
    text = f"possible=8, hits={opening.hits.sum()}, ties={opening.ties.sum()})"
    assert repr(opening) == f"OpeningTable(scores=(0, 0), {text}"
    assert repr(RESPONSE).startswith("Response(to='fifty_percent', values=(0.")


@pytest.mark.parametrize(
    ("shown", "rows"),
    [
        (SOLUTION, 1 + 9),
        (THREE, 1 + 4),
        (SOLUTION.round([0, 0]), 1 + 20),
        (pairs.solve(pairs.Rules(deck={1: 1}, target=2)).round([0, 0]), 1 + 2),
        (SOLUTION.opening_table(), 1 + 3),
    ],
    ids=lambda x: type(x).__name__,
)
def test_html(shown: Any, rows: int) -> None:
    html = str(shown._repr_html_())
    assert html.count("<tr>") == html.count("</tr>") == rows
    assert "reshuffle='" not in html  # quotes are escaped
    assert len(html) < 6000


def test_html_says_what_it_leaves_out() -> None:
    assert "shown" not in str(SOLUTION._repr_html_())
    assert "all others at 0." in str(THREE._repr_html_())
    table = SOLUTION.round([0, 0])
    assert f"(the first 20 of {len(table)} positions shown)" in str(table._repr_html_())
    longer = pairs.solve(pairs.Rules(deck=3, target=18))
    html = str(longer._repr_html_())
    assert "(10 of 18 shown)" in html
    shown = [0, 2, 4, 6, 8, 10, 12, 14, 16, 17]
    chances = [float(cell) for cell in re.findall(r"<td>([^<]*)</td>", html)]
    assert chances == [
        round(longer.value_at((own, other))[0], 4) for own in shown for other in shown
    ]


def test_html_of_three_is_of_the_leader_against_the_player_on_the_left() -> None:
    cells = re.findall(r"<td>([^<]*)</td>", str(THREE._repr_html_()))
    assert [float(cell) for cell in cells] == [
        round(THREE.value_at((own, left, 0))[0], 4)
        for own in range(4)
        for left in range(4)
    ]


def test_names_of_policies() -> None:
    def mine(view: pairs.View) -> Any:
        return np.ones(len(view.hand), bool)

    class Bold:
        def __call__(self, view: pairs.View) -> Any:
            return mine(view)

    rate = win_rate(RULES, mine, Bold())
    assert (rate.a, rate.b) == ("mine", "Bold")
    named = win_rate(RULES, "always_hit", "always_hit")
    assert (named.first, named.second) == (rate.first, rate.second)
    assert "HitBelow" in repr(pairs.best_response(RULES, pairs.HitBelow(0.5)))
    assert pairs.HitBelow(0.5) == pairs.HitBelow(1 / 2) != pairs.HitBelow(0.25)
    assert hash(pairs.FoldUpTo(1)) == hash(pairs.FoldUpTo(1))


@pytest.mark.parametrize(
    ("chance", "text"),
    [
        (0, "0"),
        (1, "1"),
        (0.4, "0.4"),
        (1 / 3, repr(1 / 3)),
        (5e-324, "5e-324"),
        ("0.4", "'0.4'"),
        (Decimal("0.05"), "'0.05'"),
        (Fraction(1, 3), "'1/3'"),
        ("2/7", "'2/7'"),
        ("1/2", "0.5"),
        (np.float64(0.1), "0.1"),
    ],
)
def test_chances_print_as_they_were_given(chance: Any, text: str) -> None:
    policy = pairs.HitBelow(chance)
    assert repr(policy) == f"HitBelow({text})"
    assert eval(repr(policy), {"HitBelow": pairs.HitBelow}) == policy
    rules = pairs.Rules(deck={1: 1, 2: 2}, target=3)
    assert pairs.simulate(rules, policy, games=1).policies == (repr(policy),) * 2
    other = pairs.HitBelow(chance, or_equal=True)
    assert repr(other) == f"HitBelow({text}, or_equal=True)"
    assert eval(repr(other), {"HitBelow": pairs.HitBelow}) == other != policy


def test_chances_with_many_digits_are_short_in_print() -> None:
    assert repr(pairs.HitBelow("0.3" + "0" * 3000 + "1")) == "HitBelow(about 0.3)"
    assert repr(pairs.HitBelow(Fraction(1, 3**5000))) == "HitBelow(about 0)"


def test_what_a_policy_sees() -> None:
    """The player to move first, in cards and in scores, and all cards accounted for."""
    seen = []

    def watching(view: pairs.View) -> Any:
        seen.append(view)
        return np.ones((len(view.hand), len(view.scores)), bool)

    rules = THREE.rules
    pairs.best_response(rules, watching)
    for view in seen:
        size = len(view.hand)
        assert view.rules == rules
        assert view.hand.shape == view.unseen.shape == view.table.shape == (size, 3)
        assert view.others.shape == (size, 2, 3)
        assert view.scores.shape[1] == 3
        assert (view.table + view.unseen == rules.counts).all()
        assert (view.not_on_table == view.unseen).all()
        assert (view.scoring == (view.hand == 1)).all()
        left, right = view.others.sum(axis=2).T
        own = view.hand.sum(axis=1)
        assert ((own <= left) & (left <= right) & (right <= own + 1)).all()
        lowest = [
            min((r for r in (1, 2, 3) if cards[r - 1]), default=4)
            for cards in view.table
        ]
        assert view.lowest.tolist() == lowest
    totals = {int(view.scores[0].sum()) for view in seen}
    assert totals == set(range(10))
