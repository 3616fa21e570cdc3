"""Small results of all kinds, and what a person sees of them.

``python -m tests.shown`` writes this to ``shown.txt``: the repr of each, and its table
in a notebook, a row a line, with [brackets] around what is marked. Look at the changes
before you commit them.
"""

from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np

from cardgames_dp import (
    cardrow,
    diagonal,
    exact,
    fitting,
    pairs,
    play,
    redblack,
)
from cardgames_dp.game import TERMINAL
from cardgames_dp.redblack import urns

from .written import Cards

FILE = Path(__file__).with_suffix(".txt")
TAGS = {
    *("figure", "figcaption", "br", "div", "table", "thead", "tbody"),
    *("tr", "th", "td", "b"),
}
MARK = "background:#e904"
NASTY = "<script>alert('&amp;')</script><b id=\"x\">"


class Page(HTMLParser):
    """Reads what a result shows, and finds fault with what it should not.

    Attributes
    ----------
    caption : list of str
        Its lines.
    rows : list of lists of tuples
        The tag and the text of each cell, and whether it is marked.
    """

    def __init__(self, text: str) -> None:
        super().__init__()
        self.caption = [""]
        self.rows: list[list[tuple[str, str, bool]]] = []
        self.open: list[str] = []
        self.styles: list[str] = []
        self.marked = self.bold = False
        self.text = ""
        assert text.startswith("<figure ")
        self.feed(text)
        self.close()
        assert self.open == []

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
            self.rows[-1].append((tag, self.text, self.marked))

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
        return [text for _, text, _ in self.rows[0]]

    @property
    def texts(self) -> list[list[str]]:
        return [[text for _, text, _ in row] for row in self.rows[1:]]

    @property
    def marks(self) -> list[list[bool]]:
        """Which cells of the body are marked, without the labels of rows."""
        return [[m for tag, _, m in row if tag == "td"] for row in self.rows[1:]]

    def __str__(self) -> str:
        rows = [[f"[{t}]" if m else t for _, t, m in row] for row in self.rows[:11]]
        lines = [" | ".join(row).rstrip() for row in rows]
        more = [f"and {len(self.rows) - 11} rows more"] * (len(self.rows) > 11)
        return "\n".join([*self.caption, *lines, *more])


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


def nasty(function: Any) -> Any:
    function.__name__ = NASTY
    return function


LITTLE = pairs.Rules(deck={1: 2, 2: 2}, target=2)
PAIRS = pairs.solve(pairs.Rules(deck=3, target=5))
FIT = fitting.fit([1, 2, 3, 4, 5], [1, 3, 2, 5, 4])
TABLE, EXACTLY = redblack.solve(4, 3), redblack.solve(3, 4, backend="exact")
RISKY = redblack.Rules(fee="1/20", utility=redblack.utilities.log(wealth=9))
ROW: list[int | str] = [4, 7, 2, "1/3"]
LEFT = nasty(lambda cards, left, right: "left")
FOLDS = nasty(lambda view: np.zeros(len(view.hand), bool))
GAME = redblack.Rules().game(2, 2)
SOLVED = exact.solve(GAME)
NAMED = exact.solve(Nasty(), tie_break=nasty(lambda state, best: best[0]))

RESULTS: dict[str, Any] = {
    # Any game.
    "solution": SOLVED,
    "solution in floats": diagonal.solve(GAME),
    "solution of nasty names": NAMED,
    "solution of arrays": diagonal.solve(Cards(2, 2)),
    "solution of arrays, exact": exact.solve(Cards(2, 2)),
    "advice": SOLVED.advice(redblack.State(1, 2)),
    "advice in floats": diagonal.solve(GAME).advice(redblack.State(1, 2)),
    "advice of nasty names": NAMED.advice(NASTY),
    "evaluation": play.evaluate(SOLVED, SOLVED, backend="exact"),
    "response": play.best_response(SOLVED, SOLVED, 0, backend="exact"),
    "response to nobody": play.best_response(SOLVED, [None], 0),
    "response of nasty names": play.best_response(Nasty(), lambda state: "<i>", 0),
    "regret": play.regret(SOLVED, lambda state: "stop"),
    "regret, exact": play.regret(SOLVED, lambda state: "stop", backend="exact"),
    "regret of nasty names": play.regret(Nasty(), lambda state: "<i>"),
    "distributions": play.distribution(SOLVED, SOLVED),
    "distributions, exact": play.distribution(SOLVED, SOLVED, backend="exact"),
    "moves": play.distribution(SOLVED, SOLVED).moves,
    "one game": play.simulate(SOLVED, SOLVED, 1, rng=1),
    "games": play.simulate(SOLVED, SOLVED, 20, histories=2, rng=1),
    # Red and black cards.
    "table": TABLE,
    "table, exact": EXACTLY,
    "table with a fee": redblack.solve(2, 2, rules=RISKY),
    "table, thinned": redblack.solve(3, 60),
    "red or black": TABLE.advice(red=1, black=2),
    "red or black, exact": EXACTLY.advice(red=3, black=4),
    "over": EXACTLY.advice(red=0, black=0),
    "boundary": redblack.solve(26, 26).boundary,
    "boundary, exact": EXACTLY.boundary,
    "enclosure": redblack.enclosure(3, 4),
    "law": redblack.distribution(3, 4).payoff,
    "law, exact": redblack.distribution(3, 4, backend="exact").moves,
    "long law": redblack.distribution(22, 22).moves,
    "laws": redblack.distribution(8, 6, rules=redblack.Rules(tie="draw")),
    "regret of red/black": redblack.regret(2, 3, policy={"stop": 1, "draw": 1}),
    "thresholds": redblack.thresholds(7),
    "thresholds in doubt": redblack.Thresholds(
        np.array([3, -1]), 1, (2,), redblack.Rules()
    ),
    "published": redblack.published_values(),
    "urn": urns.solve([1, 2, 1]),
    "urn, exact": urns.solve([1, 2, 1], backend="exact"),
    "urn advice": urns.solve([1, 2, 1]).advice(red=1, black=0),
    "red/black games": redblack.simulate(3, 4, games=10, paths=2, rng=1),
    "red/black games, nasty": redblack.simulate(
        3, 4, games=10, policy=nasty(lambda red, black: red < black), rng=1
    ),
    # Cards in a row.
    "row": cardrow.solve([4, 7, 2]),
    "row of ties": cardrow.solve([4, 7, 2, 9, 9, 3, 8, 8, 1, 5] * 3),
    "row of three players": cardrow.solve(ROW, rules=cardrow.Rules(players=3, take=2)),
    "row advice": cardrow.Position(ROW).advice(),
    "row advice, two cards": cardrow.solve(
        [0, 1, 0], rules=cardrow.Rules(take=2)
    ).advice(0, 2),
    "row advice, many": cardrow.solve([1] * 50, rules=cardrow.Rules(take=20)).advice(
        0, 49
    ),
    "rows advice": cardrow.advice_of_rows(ROW, [1], stacks=[[2, 3]]),
    "match": cardrow.match(ROW),
    "match, nasty": cardrow.match([4, 7, 2], "greedy", LEFT),
    "row response": cardrow.best_response(
        ROW, {"random": 1, "larger": 2}, backend="exact"
    ),
    "row response, nasty": cardrow.best_response(ROW, LEFT, backend="exact"),
    "row response in floats": cardrow.best_response([4, 7, 2], "random"),
    "row response for wins": cardrow.best_response(
        [4, 7, 2], "random", goal="win", backend="exact"
    ),
    "row response to two": cardrow.best_response(
        ROW, ["random", "greedy"], rules=cardrow.Rules(players=3)
    ),
    "row laws": cardrow.distribution(ROW, "random", "larger"),
    "tournament": cardrow.tournament(["larger", "random"], [[4, 7, 2]] * 3, rng=1),
    "tournament, nasty": cardrow.tournament({NASTY: "larger", "sly": "greedy"}, [ROW]),
    # Pairs.
    "pairs": PAIRS,
    "pairs, exact": exact.solve(LITTLE.game()),
    "pairs for points": pairs.solve(LITTLE, goal="points"),
    "pairs advice": PAIRS.advice(hand=[2], others=[3], scores=[0, 0]),
    "pairs advice, forced": PAIRS.advice(hand=[], others=[[]], scores=[0, 0]),
    "pairs advice, a tie": pairs.Advice(
        "fold", ("hit", "fold"), {"hit": 0.5, "fold": 0.5}, (0.5, 0.5)
    ),
    "opening": PAIRS.opening_table(),
    "opening of three": pairs.solve(
        pairs.Rules(players=3, deck=3, target=4)
    ).opening_table(),
    "round": PAIRS.round([0, 0]),
    "pairs response": pairs.best_response(LITTLE, pairs.HitBelow("1/4")),
    "win rates": pairs.evaluate(LITTLE, "optimal"),
    "win rates of two": pairs.evaluate(
        LITTLE, ["optimal", lambda view: view.lowest > 1]
    ),
    "pairs regret": pairs.regret(LITTLE, "never_hit"),
    "pairs regret, nasty": pairs.regret(LITTLE, FOLDS),
    "pairs enclosure": pairs.enclosure(LITTLE),
    "pairs games": pairs.simulate(LITTLE, ["optimal", "never_hit"], games=10, rng=1),
    "pairs games, nasty": pairs.simulate(LITTLE, ["optimal", FOLDS], games=10, rng=1),
    # Fits and limits.
    "fit": FIT,
    "fit of nothing": fitting.fit([1, 4, 9], [0, 0, 0]),
    "confidence": FIT.confidence_intervals(),
    "prediction": FIT.predict_interval([9, 16]),
    "prediction of many": FIT.predict_interval(range(1, 43)),
    "prediction of one": FIT.predict_interval(5),
    "asymptotic": fitting.asymptotic_value(1000),
    "asymptotic values": fitting.asymptotic_value([1000, 2000]),
    "asymptotic deck": fitting.asymptotic_deck(1000, 1010),
    "term": fitting.GROWTH_TERMS[0],
    "limit": fitting.limit_distribution("duration"),
    "limit of digits": fitting.limit_distribution(digits=20),
}
"""Results of all kinds, each with the name by which the file has it."""


def html_of(result: Any) -> str | None:
    """Return what a notebook shows, of results that have a table."""
    shown: str | None = getattr(result, "_repr_html_", lambda: None)()
    return shown


def written() -> str:
    """Return what a person sees of all of them."""
    parts = []
    for name, result in RESULTS.items():
        lines = [f"# {name}", repr(result)]
        if html := html_of(result):
            lines.append(str(Page(html)))
        parts.append("\n".join(lines))
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    FILE.write_text(written(), encoding="utf-8")
