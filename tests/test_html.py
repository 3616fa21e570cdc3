"""How results show themselves in a notebook: what holds for all of them."""

import importlib
import inspect
import math
import pkgutil
import re
from collections.abc import Callable
from fractions import Fraction
from html.parser import HTMLParser
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, strategies as st

import cardgames_dp
from cardgames_dp import TERMINAL, cardrow, exact, fitting, pairs, play, redblack
from cardgames_dp._results import tables
from cardgames_dp._results.advice import AdviceRecord
from cardgames_dp._results.distribution import Distribution
from cardgames_dp._results.records import Result
from cardgames_dp.game import Solution
from cardgames_dp.pairs.advice import SolvedPlay

NASTY = "<script>alert('&amp;')</script><b id=\"x\">"

TAGS = {
    *("figure", "figcaption", "br", "div", "table", "thead", "tbody"),
    *("tr", "th", "td", "b"),
}
MARK = "background:#e904"


class Cell(NamedTuple):
    """A cell as a reader finds it."""

    tag: str
    text: str
    marked: bool


class Page(HTMLParser):
    """Reads what a result shows, and finds fault with what it should not.

    Attributes
    ----------
    caption : list of str
        Its lines.
    rows : list of lists of Cell
    """

    def __init__(self, text: str) -> None:
        super().__init__()
        self.caption = [""]
        self.rows: list[list[Cell]] = []
        self.open: list[str] = []
        self.styles: list[str] = []
        self.marked = self.bold = False
        self.text = ""
        self.feed(text)
        self.close()
        assert self.open == []
        assert text.startswith("<figure ")

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in TAGS
        assert {name for name, _ in attrs} <= {"style", "scope"}
        style = dict(attrs).get("style") or ""
        self.styles.append(style)
        if tag == "br":
            assert self.open[-1] == "figcaption"
            self.caption.append("")
            return
        self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.text, self.marked, self.bold = "", style == MARK, False
        elif tag == "b":
            self.bold = True

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag
        if tag in ("td", "th"):
            assert self.marked == self.bold  # not by colour alone
            self.rows[-1].append(Cell(tag, self.text, self.marked))

    def handle_data(self, data: str) -> None:
        if "figcaption" in self.open:
            self.caption[-1] += data
        else:
            assert {"td", "th"} & {*self.open}
            self.text += data

    def handle_comment(self, data: str) -> None:
        raise AssertionError(data)

    def handle_decl(self, decl: str) -> None:
        raise AssertionError(decl)

    handle_pi = unknown_decl = handle_comment

    @property
    def head(self) -> list[str]:
        return [cell.text for cell in self.rows[0]]

    @property
    def body(self) -> list[list[Cell]]:
        return self.rows[1:]

    @property
    def texts(self) -> list[list[str]]:
        return [[cell.text for cell in row] for row in self.body]

    @property
    def marks(self) -> list[list[bool]]:
        """Which cells of the body are marked, without the labels of rows."""
        return [[c.marked for c in row if c.tag == "td"] for row in self.body]


def page(result: Any) -> Page:
    return Page(result._repr_html_())


# Small results of all kinds.

ROW = [4, 7, 2, 9, 9, 3, 8, 8, 1, 5]
DECK = pairs.Rules(deck=3, target=5)


def named(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    function.__name__ = name
    return function


def leftmost() -> Callable[..., Any]:
    return named(NASTY, lambda cards, left, right: "left")


def folds() -> Callable[..., Any]:
    return named(NASTY, lambda view: np.zeros(len(view.hand), bool))


class Nasty:
    """A game whose states and actions are text that is no one's friend."""

    num_players = 1

    def initial_state(self) -> str:
        return NASTY

    def current_player(self, state: str) -> int:
        return 0 if state == NASTY else TERMINAL

    def legal_actions(self, state: str) -> list[str]:
        return [NASTY, "<i>", NASTY + "&"]

    def next_state(self, state: str, action: str) -> str:
        return "&lt;" if action.startswith(NASTY) else "</td>"

    def chance_outcomes(self, state: str) -> list[tuple[int, str]]:
        raise AssertionError

    def returns(self, state: str) -> list[int]:
        return [1 if state == "&lt;" else 0]


TABLE = redblack.solve(8, 6)
PAIRS = pairs.solve(DECK)
FIT = fitting.fit([1, 2, 3, 4, 5], [1, 3, 2, 5, 4])

RESULTS: list[Any] = [
    TABLE,
    TABLE.advice(red=3, black=2),
    TABLE.boundary,
    redblack.distribution(8, 6),
    redblack.distribution(8, 6).payoff,
    redblack.published_values(),
    Distribution("points", np.arange(1, 7), np.full(6, 1 / 6)),
    redblack.thresholds(7),
    redblack.simulate(
        *(8, 6),
        games=10,
        policy=named(NASTY, lambda red, black: red < black),
        rng=1,
    ),
    cardrow.solve(ROW),
    cardrow.Position(ROW).advice(),
    cardrow.advice_of_rows(ROW, [2, 3]),
    cardrow.match(ROW),
    cardrow.match(ROW, leftmost(), "larger"),
    cardrow.best_response(ROW, leftmost(), backend="exact"),
    cardrow.tournament({NASTY: "larger", "sly": "smaller"}, [ROW]),
    PAIRS,
    PAIRS.advice(hand=[2], others=[3], scores=[0, 0]),
    PAIRS.opening_table(),
    PAIRS.round([0, 0]),
    pairs.best_response(DECK, "fifty_percent"),
    pairs.evaluate(DECK, ["fifty_percent", "optimal"]),
    pairs.regret(DECK, folds()),
    pairs.enclosure(DECK),
    pairs.simulate(DECK, ["optimal", folds()], games=10, rng=1),
    FIT,
    FIT.confidence_intervals(),
    fitting.asymptotic_value([1000, 2000]),
    exact.solve(Nasty(), tie_break=named(NASTY, lambda state, best: best[0])),
    exact.solve(Nasty()).advice(NASTY),
    play.best_response(Nasty(), lambda state: "<i>", 0),
    play.regret(Nasty(), lambda state: "<i>"),
    play.distribution(Nasty(), lambda state: NASTY),
    play.distribution(Nasty(), lambda state: NASTY).moves,
    play.simulate(Nasty(), lambda state: NASTY, 10),
]
NAMED = (
    *(redblack.Simulation, cardrow.Match, cardrow.Response, cardrow.Tournament),
    *(pairs.Regret, pairs.Simulation, Solution),
    *(play.Advice, play.Regret),
)
each = pytest.mark.parametrize(
    "result", RESULTS, ids=lambda x: f"{type(x).__module__[13:]}.{type(x).__name__}"
)


def test_no_class_is_left_out() -> None:
    modules = [
        importlib.import_module(info.name)
        for info in pkgutil.walk_packages(cardgames_dp.__path__, "cardgames_dp.")
        # Engines of `interop`, which is gone through, need other packages.
        if not info.name.startswith("cardgames_dp._interop.")
    ]
    classes = {
        cls
        for module in modules
        for _, cls in inspect.getmembers(module, inspect.isclass)
        if hasattr(cls, "_repr_html_")
        and not (
            issubclass(cls, Result)
            and cls._table is Result._table
            and cls._repr_html_ is Result._repr_html_
        )
        and cls not in (AdviceRecord, SolvedPlay)
    }
    assert classes == {type(result) for result in RESULTS}


@each
def test_html_is_sound(result: Any) -> None:
    text = result._repr_html_()
    shown = Page(text)
    assert shown.caption[0]
    assert len({len(row) for row in shown.rows}) == 1
    # A heading without words heads nothing, and would be read aloud as one.
    assert all((cell.tag == "th") == bool(cell.text) for cell in shown.rows[0])
    assert shown.body
    assert len(text) < 6000
    # The page's text colour and its own rules are left alone.
    assert "color:inherit" in text
    for style in shown.styles:
        properties = [part.split(":")[0] for part in style.split(";") if part]
        assert {*properties} <= {
            *("margin", "overflow-x", "color", "border-spacing", "text-align"),
            *("font-variant-numeric", "background", "width", "height", "opacity"),
        }
    # What a mark means is said where there is one.
    if any(map(any, shown.marks)):
        told = "\n".join(shown.caption).lower()
        assert "marked " in told or "*: " in told


@each
def test_names_are_escaped(result: Any) -> None:
    if not isinstance(result, NAMED) or getattr(result, "players", 0) == (
        *("optimal", "optimal"),
    ):
        assert "<script" not in repr(result)
        return
    shown = page(result)
    texts = [*shown.caption, *shown.head, *chain.from_iterable(shown.texts)]
    assert any(NASTY in text or repr(NASTY) in text for text in texts)


@each
def test_plain_representations_are_a_line(result: Any) -> None:
    text = repr(result)
    assert "\n" not in text
    assert "array" not in text
    assert len(text) < 250 + 2 * len(NASTY)


@pytest.mark.parametrize(
    ("result", "shown"),
    [
        (
            TABLE.boundary,
            "Boundary(red=8, black=6, rules=Rules(win=1, lose=1, fee=0, utility=None, "
            "tie='stop'), excess=[0, 1, 2, 1, 2, 3, 2, 3, ...])",
        ),
        (
            fitting.Interval("confidence", 0.5, np.arange(8) / 3, 1 / 3, 10**9),
            "Interval(kind='confidence', level=0.5, estimate=[0, 0.333333, 0.666667, "
            "1, 1.33333, 1.66667, 2, 2.33333], lower=0.333333, "
            "upper=1000000000)",
        ),
        (
            redblack.Thresholds(np.array([12345678]), 1, tuple(range(9)), None),  # type: ignore[arg-type]
            "Thresholds(n=[12345678], exact_up_to=1, undecided=(0, 1, 2, 3, 4, 5, 6, "
            "7, ...), rules=None)",
        ),
        (
            cardrow.Rules(weights=range(9)),
            "Rules(take=1, players=2, misere=False, weights=(0, 1, 2, 3, 4, 5, 6, 7, "
            "...), tie='larger')",
        ),
        (
            cardrow.Rules().game(range(9)),
            f"CardRowGame(rules={cardrow.Rules()!r}, worths=((0, 1, 2, 3, 4, 5, 6, 7, "
            "...), (0, 1, 2, 3, 4, 5, 6, 7, ...)))",
        ),
        (
            cardrow.Position([4, 7, 2]).advice(),
            "Advice(left=0, right=2, action=Turn(side='left', count=1), value=-1, "
            "tie=True)",
        ),
    ],
    ids=lambda x: type(x).__name__,
)
def test_representations_are_cut(result: Any, shown: str) -> None:
    assert repr(result) == shown


def test_representation_of_a_view() -> None:
    seen: list[pairs.View] = []

    def watching(view: pairs.View) -> Any:
        seen.append(view)
        return np.ones(len(view.hand), bool)

    pairs.evaluate(DECK, watching)
    view = seen[0]
    assert repr(view) == (
        f"View(positions={len(view.hand)}, vectors={len(view.scores)})"
    )


# Escaping, and what is long.

TEXTS = st.text(
    st.characters(exclude_categories=["Cs"]), max_size=60
) | st.sampled_from([NASTY, "&lt;", "</td>", "<!--", "]]>", "<?", "&#60", "\"'>"])


@given(TEXTS, st.lists(TEXTS, min_size=2, max_size=2), TEXTS, TEXTS, TEXTS, TEXTS)
def test_any_text_is_escaped(
    title: str, head: list[str], label: str, text: str, mark: str, note: str
) -> None:
    rows = [
        [tables.label(label), tables.cell(text)],
        [tables.cell(text, mark=mark)] * 2,
    ]
    shown = Page(tables.table(title, head, rows, [note]))
    assert shown.caption == [title, note]
    assert shown.head == head
    assert shown.texts == [[label, text], [text + mark] * 2]
    assert shown.body[1][0].marked
    assert not shown.body[0][1].marked


@pytest.mark.parametrize("length", [100, 101, 10_000])
def test_long_text_is_cut_before_it_is_escaped(length: int) -> None:
    shown = Page(
        tables.table("<" * 2000, ["<" * length], [[tables.cell("<" * length)]])
    )
    cut = "<" * 100 if length == 100 else "<" * 99 + "…"
    assert shown.head == [cut]
    assert shown.texts == [[cut]]
    assert shown.caption == ["<" * 999 + "…"]


@given(st.integers(1, 10_000), st.integers(2, 50))
def test_spread(count: int, most: int) -> None:
    shown = tables.spread(count, most)
    assert (shown[0], shown[-1]) == (0, count - 1)
    assert len(shown) <= most + 1
    steps = np.diff(shown)
    assert len({*steps[:-1].tolist()}) <= 1
    assert (steps > 0).all()
    if count <= most:
        assert shown == list(range(count))
    elif count > 2:
        assert len(shown) > most / 2
        assert steps[-1] <= steps[0]


# What is marked, and what is left out.


@pytest.mark.parametrize(
    "table",
    [
        TABLE,
        redblack.solve(40, 40),
        redblack.solve(95, 30, backend="exact"),
        redblack.solve(7, 300, rules=redblack.Rules(win=3, lose=2, tie="draw")),
        redblack.solve(6, 5, rules=redblack.Rules(utility=np.sign)),
    ],
    ids=repr,
)
def test_stop_cells_are_marked(table: redblack.Solution[Any]) -> None:
    shown, totals = page(table), table.totals
    corner, *columns = shown.head
    assert corner == "red \\ black"
    assert (columns[0], columns[-1]) == (str(table.black), "0")
    assert (shown.texts[0][0], shown.texts[-1][0]) == (str(table.red), "0")
    states = [[(int(row[0].text), int(b)) for b in columns] for row in shown.body]
    assert shown.marks == [[bool(table.stop[s]) for s in row] for row in states]
    assert [row[1:] for row in shown.texts] == [
        [f"{float(totals[s]):.4g}" + "*" * bool(table.stop[s]) for s in row]
        for row in states
    ]
    whole = table.red <= 40 and table.black <= 40
    assert len(shown.caption) == (2 if whole else 3)


def test_a_large_deck_s_sheet_shows_stops_and_draws() -> None:
    """The corner at the full deck, 60 by 60, has no stop cell."""
    table = redblack.solve(1000, 1000)
    assert not table.stop[-60:, -60:].all(axis=1).any()
    shown = page(table)
    assert shown.head[1:] == [str(black) for black in range(1000, -1, -25)]
    assert 0.4 < np.mean(shown.marks) < 0.6


@pytest.mark.parametrize(
    "table",
    [
        cardrow.solve(ROW),
        cardrow.solve(ROW, rules=cardrow.Rules(players=3, take=2)),
        cardrow.solve(ROW * 4),
        cardrow.best_response(ROW, "larger", backend="exact"),
        cardrow.best_response(ROW * 4, "smaller", seat="second", backend="exact"),
    ],
    ids=repr,
)
def test_ties_of_a_row_are_marked(
    table: cardrow.Solution[Any] | cardrow.Response[Any],
) -> None:
    n = len(table.cards)
    shown, most = page(table), min(n, 20)
    assert shown.head == ["left \\ right", *map(str, table.cards[n - most :])]
    assert [row[0] for row in shown.texts] == [str(x) for x in table.cards[:most]]
    ties = table.ties[:most, n - most :]
    assert shown.marks == ties.tolist()
    assert ties.any()
    assert len(shown.caption) == (3 if n <= 20 else 4)
    for left, row in enumerate(shown.texts):
        for right, text in enumerate(row[1:], n - most):
            assert table.best is not None
            code = int(table.best[left, right])
            turn = "" if left > right or not code else "↓" if code < 0 else "←"
            if isinstance(table, cardrow.Solution):
                sums = ":".join(f"{x:g}" for x in table.sums[:, left, right])
                count = str(abs(code)) if abs(code) > 1 else ""
                turn = "" if left == right else f"{turn}{count} "
                turn = f"{turn}{sums}" if left <= right else ""
            assert text == turn + "*" * bool(table.ties[left, right])


def test_folds_are_marked() -> None:
    opening = PAIRS.opening_table()
    shown = page(opening)
    folds = opening.possible & ~opening.hits
    assert shown.marks == folds.tolist()
    assert folds.any()
    assert {text for row in shown.texts for text in row[1:]} >= {"H", "f"}

    three = pairs.Rules(players=3, deck=3, target=4)
    opening = pairs.solve(three).opening_table()
    shown = page(opening)
    assert [row[0] for row in shown.texts][:4] == ["1; 1", "2; 1", "3; 1", "1; 2"]
    folds = (opening.possible & ~opening.hits).transpose(2, 0, 1)
    assert shown.marks == folds.reshape(9, 3).tolist()
    assert folds.any()

    table = PAIRS.round([0, 0])
    shown = page(table)
    assert [row[1] for row in shown.marks] == (~table.hits[:20]).tolist()
    assert not any(row[0] or row[2] or row[3] for row in shown.marks)
    columns = table.to_pandas().to_dict("list")
    for place, (hand, others, action, hit, fold) in enumerate(shown.texts):
        assert hand == str(columns["hand"][place])
        assert others == str(columns["others"][place][0])
        tie = " (tie)" * columns["tie"][place]
        said = columns["action"][place]
        assert action == said + tie + "*" * (said == "fold")
        for text, chance in (
            (hit, columns["hit"][place]),
            (fold, columns["fold"][place]),
        ):
            assert text == ("" if math.isnan(chance) else f"{chance:.6f}")
    assert shown.caption[2] == f"(the first 20 of {len(table)} positions shown)"


def test_ties_of_any_game_are_marked() -> None:
    solution = exact.solve(Nasty())
    shown = page(solution)
    assert [row[2] for row in shown.marks] == [
        s in solution.ties for s in solution.values
    ]
    assert shown.texts[0][2] == f"{NASTY!r}, {NASTY + '&'!r} (tie)"


@pytest.mark.parametrize(
    ("red", "black", "marks"), [(20, 18, [False, True]), (16, 22, [True, False])]
)
def test_red_black_advice(red: int, black: int, marks: list[bool]) -> None:
    advice = redblack.solve(26, 26).advice(red=red, black=black)
    shown = page(advice)
    assert shown.caption == [str(advice)[:-1], "Marked *: optimal."]
    assert [row[0] for row in shown.marks] == marks
    assert [row[1] for row in shown.texts] == [
        f"{advice.stop:.6g}",
        f"{advice.draw:.6g}",
    ]
    over = page(redblack.solve(2, 2).advice(red=0, black=0))
    assert over.texts == [["stop*", "0"]]


def test_card_row_advice() -> None:
    advice = cardrow.solve([1] * 90, rules=cardrow.Rules(take=40)).advice(0, 89)
    shown = page(advice)
    assert shown.caption[2] == "(the first 20 of 80 actions shown)"
    marks = [turn in advice.best for turn in list(advice.values)[:20]]
    assert [row[0] for row in shown.marks] == marks
    texts = page(cardrow.Position([4, 7, 2]).advice()).texts
    assert texts == [["left*", "-1"], ["right*", "-1"]]


def test_pairs_advice() -> None:
    advice = PAIRS.advice(hand=[2], others=[3], scores=[0, 0])
    shown = page(advice)
    assert shown.texts == [
        [action + "*" * (action == advice.action), f"{chance:.6g}"]
        for action, chance in (("hit", advice.hit), ("fold", advice.fold))
    ]
    assert shown.caption[0] + "." == str(advice)
    forced = page(PAIRS.advice(hand=[], others=[[]], scores=[0, 0]))
    assert forced.caption[0].endswith("nobody can fold here")
    assert len(forced.body) == 1
    both: dict[Any, float] = {"hit": 0.5, "fold": 0.5}
    tie = page(pairs.Advice("fold", ("hit", "fold"), both, (0.5, 0.5)))
    assert tie.caption[0].endswith("the tie rule says fold")
    assert [row[0] for row in tie.marks] == [True, True]


# Lists and laws.


def test_boundary() -> None:
    boundary = redblack.solve(26, 26).boundary
    shown = page(boundary)
    head, *lines, note = str(boundary).splitlines()
    assert re.split("  +", head) == shown.head
    assert shown.head == ["cards remaining", "stop at an excess of", "in cash"]
    assert [re.split("  +", line) for line in map(str.lstrip, lines)] == shown.texts
    assert shown.texts[0] == ["47 to 52", "never", "never"]
    assert [f"({line})" for line in shown.caption[1:]] == [note]
    long = redblack.solve(600, 600).boundary
    assert page(long).caption[-1] == str(long).splitlines()[-1]


def test_thresholds() -> None:
    found = redblack.thresholds(7)
    texts = page(found).texts
    assert texts == [[str(k), str(n)] for k, n in enumerate(found, 1)]
    doubtful = redblack.Thresholds(np.array([3, -1]), 1, (2,), redblack.Rules())
    assert page(doubtful).texts == [["1", "3"], ["2", "not known"]]


def test_law() -> None:
    law = redblack.distribution(6, 5, backend="exact").payoff
    shown = page(law)
    assert shown.head == ["payoff", "probability", ""]
    assert shown.texts == [
        [f"{float(x):.6g}", f"{float(p):.4g}", ""] for x, p in law.to_dict().items()
    ]
    widths = [s for s in shown.styles if s.startswith("width")]
    longest = float(max(law.probabilities))
    assert [float(s[6 : s.index("em")]) for s in widths] == [
        round(12 * float(p) / longest, 2) for p in law.probabilities
    ]


def test_long_law_is_grouped() -> None:
    law = redblack.distribution(60, 60).moves
    shown = page(law)
    size = len(law.support)
    assert size > 40
    assert shown.caption[-1] == f"({size} results, 2 to a row)"
    assert len(shown.body) == -(-size // 2)
    total = sum(float(row[1]) for row in shown.texts)
    assert total == pytest.approx(1, abs=1e-3)
    first, second, *_ = law.probabilities.tolist()
    a, b, *_ = law.support.tolist()
    assert shown.texts[0] == [f"{a} to {b}", f"{first + second:.4g}", ""]
    last = int(law.support[-1])
    ends = {f"{last}", f"{law.support[-2]} to {last}"}
    assert shown.texts[-1][0] in ends


def test_simulation_shows_what_games_brought() -> None:
    result = redblack.simulate(8, 6, games=50, rng=1)
    shown = page(result)
    assert shown.caption == [str(result)]
    assert [row[:2] for row in shown.texts] == [
        [f"{x:.6g}", f"{count / 50:.4g}"]
        for x, count in zip(result.payoffs, result.payoff_counts, strict=True)
    ]


def test_intervals_and_asymptotic_values() -> None:
    limits = FIT.predict_interval(range(1, 43))
    shown = page(limits)
    assert [row[0] for row in shown.texts] == [str(i) for i in [*range(1, 43, 3), 42]]
    assert isinstance(limits.upper, np.ndarray)
    assert shown.texts[1][3] == f"{limits.upper[3]:.6g}"
    single = FIT.predict_interval(5)
    assert page(single).texts == [
        ["5", *(f"{x:.6g}" for x in (single.estimate, single.lower, single.upper))]
    ]
    terms = page(FIT.confidence_intervals())
    assert [row[0] for row in terms.texts] == list(FIT.terms)
    law = fitting.asymptotic_value(10**9)
    assert page(law).texts == [["1000000000", f"{law.value:.12g}", f"{law.error:.2g}"]]


def test_play_and_match() -> None:
    play = cardrow.match(ROW * 3)
    shown = page(play)
    assert (
        shown.texts
        == [
            ["optimal", side, str(position), str((ROW * 3)[position])]
            for side, position in zip(play.sides, play.positions.tolist(), strict=True)
        ][:20]
    )
    assert shown.caption[-1] == "(the first 20 of 30 cards shown)"
    match = cardrow.match([4, 7, 2], "larger", "optimal")
    shown = page(match)
    assert shown.caption == [str(match)]
    assert [row[3] for row in shown.texts] == [str(card) for card in match.taken]
    assert [row[0] for row in shown.texts] == ["larger", "optimal", "larger"]
    assert [row[1] == "right" for row in shown.texts] == match.from_right.tolist()


# The largest ones: nothing is made that grows with them.


def large_red_black(states: int) -> redblack.Solution[Any]:
    shape = states, states
    values = np.broadcast_to(np.float64(1 / 3), shape)
    stop = np.broadcast_to(np.True_, shape)
    size = states - 1
    return redblack.Solution(
        size, size, redblack.Rules(), "float64", values, stop, stop
    )


def large_row(cards: int, players: int) -> cardrow.Solution[float]:
    shape = cards, cards
    return cardrow.Solution(
        tuple(range(-cards, 0)),
        cardrow.Rules(players=players),
        "exact",
        np.broadcast_to(np.int8(-1), shape),
        np.broadcast_to(np.True_, shape),
        np.broadcast_to(np.int64(-123456789012), (players, *shape)),
        None,
    )


def large_tournament(players: int) -> cardrow.Tournament:
    counts = np.broadcast_to(np.int64(123456), (players, players))
    leads = np.broadcast_to(np.float64(1), (players, players))
    names = tuple(NASTY * 10 + str(i) for i in range(players))
    return cardrow.Tournament(names, 3 * 123456, counts, counts, counts, leads, leads)


def large_opening(ranks: int, players: int = 2) -> pairs.OpeningTable:
    shape = (ranks,) * players
    no, yes = (np.broadcast_to(x, shape) for x in (np.False_, np.True_))
    lead, scores = np.broadcast_to(np.float64(-1), shape), (0,) * players
    return pairs.OpeningTable(tuple(range(1, ranks + 1)), scores, no, no, lead, yes)


def large_states() -> Solution[Any, Any, Fraction]:
    values = {(i, NASTY * 100): (Fraction(1, 3),) * 1000 for i in range(100)}
    best = dict.fromkeys(values, (NASTY * 100,) * 2)
    policy = dict.fromkeys(values, NASTY * 100)
    return Solution((0, NASTY * 100), "first", values, best, policy)


@pytest.mark.parametrize(
    ("result", "note"),
    [
        (large_red_black(5001), "(41 of 5001 rows and 41 of 5001 columns shown)"),
        (
            large_row(5000, 2),
            "the first 20 rows and the last 20 columns of 5000 shown",
        ),
        (
            large_row(500, 25),
            "the first 9 rows and the last 9 columns of 500 shown",
        ),
        (
            large_row(50, 4000),
            "the first 1 rows and the last 1 columns of 50 shown",
        ),
        (large_tournament(200), "(the first 20 of 200 players shown)"),
        (large_opening(400), "(41 of 400 ranks shown)"),
        (large_opening(60, 3), "(19 of 3600 rows shown)"),
        (large_states(), "(the first 20 of 100 states shown)"),
    ],
    ids=lambda x: type(x).__name__,
)
def test_html_of_the_largest_is_small(result: Any, note: str) -> None:
    text = result._repr_html_()
    assert len(text.encode()) < 95_000
    assert Page(text).caption[-1] == note


def test_advice_for_a_row() -> None:
    advice = cardrow.solve([0, 1, 0], rules=cardrow.Rules(take=2)).advice(0, 2)
    shown = page(advice)
    assert shown.caption[0] == "cards 0 to 2: take 2 from the right (a tie)"
    assert shown.texts == [
        ["left", "-1"],
        ["2 from the left*", "1"],
        ["right", "-1"],
        ["2 from the right*", "1"],
    ]
