"""What a person sees of a result: in a terminal, in a notebook, as a frame."""
# ruff: noqa: E501 - pages are as wide as they are

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from cardgames_dp import cardrow, diagonal, exact, pairs, play, redblack
from cardgames_dp._results.records import Advice
from cardgames_dp._support.printing import leading_digits, short
from cardgames_dp.redblack import Rules, StopAt

from .games import Table
from .notebook_html import shown
from .results import result

PAGES = {
    "solution of nasty names": r"""
Solution(value=1, num_states=3, ties=1, tie_break='<script>alert(\'&amp;\')</script><b id="x">')
marked (tie): several actions are optimal
state | value | optimal actions
'<script>alert(\'&amp;\')</script><b id="x">' | 1 | ['<script>alert(\'&amp;\')</script><b id="x">', '<script>alert(\'&amp;\')</script><b id="x">&' (tie)]
'&lt;' | 1 |
'</td>' | 0 |
""",
    "advice": r"""
Advice(state=State(red=1, black=2, decision=''), player=0, payoffs=Fraction(0, 1), certain=True, error=0, collected=Fraction(1, 1), action='stop', value=Fraction(0, 1), tie=True)
State(red=1, black=2, decision=''), 1 in hand: stop (a tie)
Marked *: optimal.
action | still to come
[stop*] | 0
[draw*] | 0
""",
    "response": r"""
Response(player=0, value=2/3, gain=Fraction(0, 1))
player | before | with the best response
0 | 0.666667 | 0.666667
""",
    "distributions, exact": r"""
Distributions(mean=Fraction(2, 3), moves=Fraction(16, 3), error=0)
 | mean | standard deviation | least | median | most
return | 0.666667 | 0.471405 | 0 | 1 | 1
moves | 5.33333 | 2.35702 | 3 | 3 | 8
""",
    "variants": r"""
Variants(axes=('red', 'fee'), combinations=((2, 0), (2, '1/5'), (3, 0), (3, '1/5'), (-1, 0), (-1, '1/5')))
changed: states shared with the last solved row, with no best action in common
red | fee | value | best at the start | changed | refused
2 | 0 | 0 | stop |  |
2 | 1/5 | 0 | stop | 1 |
3 | 0 | 0.342857 | draw | 1 |
3 | 1/5 | 0 | stop | 2 |
-1 | 0 |  |  |  | red must be an integer >= 0, got -1
-1 | 1/5 |  |  |  | red must be an integer >= 0, got -1
""",
    "law, exact": r"""
Distribution(of="'draw' moves", support=[1, 3, 4, 6, 7], mean=Fraction(118, 35), std=2.39148)
mean 3.37143, standard deviation 2.39148
'draw' moves | probability | exact |
1 | 0.428571 | 3/7 |
3 | 0.114286 | 4/35 |
4 | 0.171429 | 6/35 |
6 | 0.0857143 | 3/35 |
7 | 0.2 | 1/5 |
""",
    "thresholds in doubt": r"""
Thresholds(n=[3, -1], exact_up_to=1, rules=Rules(win=1, lose=1, fee=0, utility=None, tie='stop'))
At each excess, stop exactly when at most this many cards remain.
excess | cards remaining
1 | 3
2 | not known
""",
    "row of three players": r"""
Solution(payoffs=(11, 2.333333333, 0), error=3.7e-15, tie_break='first')
4 cards, float64: lead 8.667
rows: left end card; columns: right end card
cells: turn (↓ left, ← right) and the sums of the player to move and of the others
left \ right | 4 | 7 | 2 | 0.3333
4 | 4:0:0 | ↓2 11:0:0 | ↓2 11:2:0 | ↓2 11:2.333:0
7 |  | 7:0:0 | ↓2 9:0:0 | ↓2 9:0.3333:0
2 |  |  | 2:0:0 | ↓2 2.333:0:0
0.3333 |  |  |  | 0.3333:0:0
""",
    "match": r"""
Match(cards=4, players=('optimal', 'optimal'), sums=(Fraction(22, 3), Fraction(6, 1)))
4 cards: optimal, who started, took 7.33333 and optimal 6.
player | side | position | card
optimal | right | 3 | 0.333333
optimal | left | 0 | 4
optimal | left | 1 | 7
optimal | left | 2 | 2
""",
    "row response, sure": r"""
Response(cards=4, opponents=('random',), seat=0, goal='lead', win=1, lead=1.33333)
response to random: lead 1.33333 (surely 1) on average; wins 1, draws 0, loses 0
wins | draws | loses | lead
1 | 0 | 0 | 1.33333
""",
    "opening of three": r"""
OpeningTable(scores=(0, 0, 0), possible=19, hits=10, ties=3)
H hit, f fold (marked in pages), = tie; own and last cards down, left across.
own; last \ left | 1 | 2 | 3
1; 1 |   |   |
2; 1 |   | [=] | H
3; 1 |   | [f] | [f]
1; 2 |   | [=] | H
2; 2 | [=] |   | H
3; 2 | [f] | [f] | H
1; 3 |   | H | H
2; 3 | [f] | H | H
3; 3 | [f] | H | H
""",
    "win rates": r"""
Rates(policies=('optimal', 'optimal'), payoffs=(0, 1))
seat | policy | wins | loses
0 | optimal | 0 | 1
1 | optimal | 1 | 0
""",
    "pairs enclosure": r"""
Enclosure(value=(0, 1.77636e-15), width=1.77636e-15, choices=32, undecided=21)
Lower bounds of the leader's chance of winning, plus the difference to the upper bounds, by the leader's points (down) and the other player's.
own \ other | 0 | 1
0 | 0.000000 + 2e-15 | 1.000000 + 2e-15
1 | 0.000000 + 4e-300 | 0.000000 + 4e-300
""",
    "asymptotic deck": r"""
AsymptoticValue(cards=1005, value=9.94665, error=0.000173021, excess=10)
Values by the law of growth
V(l) within ± error
black - red = 10
l | V(l) | error
1005 | 9.94665453323 | 0.00017
""",
}
"""The repr, and below it the page of a notebook, with marked cells in brackets."""


@pytest.mark.parametrize("name", PAGES)
def test_repr_and_page(name: str) -> None:
    lines = [line.rstrip() for line in shown(result(name)).splitlines()]
    if lines[1:2] == lines[:1]:  # most pages begin with the repr
        del lines[0]
    assert lines == PAGES[name][1:].splitlines()


TEXTS: dict[str, tuple[Callable[[], Any], str]] = {
    "a deck with a utility": (
        lambda: redblack.solve(
            4, 3, rules=Rules(utility=redblack.utilities.log(wealth=3))
        ),
        r"""
red \ black       3       2        1       0
          4  1.289   1.131   0.9969   0.863
          3  1.408   1.198     1.03   0.863
          2  1.617   1.309    1.086   0.863
          1  2.079*  1.532*   1.198   0.863
          0  2.542*  2.079*   1.532*  0.863*
(rows: red cards left, columns: black cards left; expected utility; *: stop)
""",
    ),
    "an empty boundary": (
        lambda: redblack.boundary(redblack.solve(0, 0)),
        """
cards remaining  stop at an excess of  in cash
              0  any                   any
(The excess is how many more black than red cards remain, odd with an odd number.)
""",
    ),
    "an urn": (
        lambda: diagonal.solve(redblack.urns.game([1, 0, 2])),
        r"""
red_drawn \ black_drawn   0    1    2
                      0  1   -1*  -2*
                      1  2
                      2  2*
(rows: red cards drawn, columns: black cards drawn; total; *: stop; blank: cannot be reached)
""",
    ),
    "a simulation": (
        lambda: play.simulate(redblack.game(2, 1), "never_stop", 10, count="draw"),
        """
player  mean return  standard error
     0            1               0
(10 games, 3 'draw' moves on average)
""",
    ),
    "advice of actions of one text": (
        lambda: Advice(
            (1, 2),
            ((1, 2),),
            {(1, 2): Fraction(1, 3), "(1, 2)": 0},
            "here",
            0,
            (0,),
            True,
            0,
        ),
        """
here: (1, 2); value: (1, 2) 0.333333, (1, 2) 0.
""",
    ),
    "points": (
        lambda: pairs.solve(pairs.Rules(deck=3, target=3), goal="points"),
        r"""
own \ left        0        1        2
0           -2.1665  -1.7762  -1.1148
1           -2.7818  -2.6276  -2.0850
2           -3.3838  -3.3417  -3.0833
(The leader's mean return, by the leader's points (down) and those of the player on the left.)
""",
    ),
    "a match": (
        lambda: cardrow.match(
            [1, 9, 5, 2], *["larger"] * 3, rules=cardrow.Rules(players=3)
        ),
        """
4 cards: larger, who started, took 3, larger 5 and larger 9.
""",
    ),
    "a large number": (
        lambda: repr(exact.solve(Table({0: ("end", [Fraction(10**5000 + 1, 3)])}))),
        """
Solution(value=3.333333333...E+4999, num_states=1, ties=0, tie_break='first')
""",
    ),
    "a long fraction": (
        lambda: repr(exact.solve(Table({0: ("end", [Fraction(2**63, 2**63 - 1)])}))),
        """
Solution(value=1.000000000..., num_states=1, ties=0, tie_break='first')
""",
    ),
    "a position": (
        lambda: (
            play.Position(redblack.solve(3, 3)).play("draw").play((2, 3)).play("stop")
        ),
        """
Position(state=State(red=2, black=3, decision='stop'), collected=1, value=0, over=True)
""",
    ),
    "rules of thumb": (
        lambda: StopAt(
            "0.05", loss=3.0, policy=StopAt(draws=np.int8(2), policy="optimal")
        ),
        """
StopAt(cash=Fraction(1, 20), loss=3.0, policy=StopAt(draws=2, policy='optimal'))
""",
    ),
    "a mixture": (
        lambda: play.mixture([("optimal", 1), (StopAt(2), Fraction(1, 2))]),
        """
Mixture(policies=('optimal', StopAt(cash=2)), weights=(1, Fraction(1, 2)))
""",
    ),
    "a huge deck": (
        lambda: redblack.game(10**5000, 1),
        """
Deck(rules=Rules(win=1, lose=1, fee=0, utility=None, tie='stop'), worths=(Fraction(1, 1), Fraction(-1, 1)), counts=(1000000000..., 1))
""",
    ),
}
"""What print shows."""


@pytest.mark.parametrize("name", TEXTS)
def test_text(name: str) -> None:
    make, text = TEXTS[name]
    assert [line.rstrip() for line in str(make()).splitlines()] == text[1:].splitlines()


FRAMES: dict[str, tuple[Callable[[], Any], str]] = {
    "scores": (
        lambda: pairs.score_table(pairs.solve(pairs.Rules(deck=3, target=2))),
        """
,score_0,score_1,win_0,win_1
0,0,0,0.409778,0.590222
1,0,1,0.573333,0.426667
2,1,0,0.226667,0.773333
3,1,1,0.400000,0.600000
""",
    ),
    "positions": (
        lambda: pairs.positions(pairs.solve(pairs.Rules(deck={1: 2, 2: 1}, target=2))),
        """
,hand,others,unseen,action,tie,hit,fold
0,(),"((),)","(1, 1, 2)",hit,False,0.592593,
1,(),"((1,),)","(1, 2)",hit,False,0.500000,0.222222
2,(),"((2,),)","(1, 1)",hit,False,0.222222,0.000000
3,"(1,)","((1,),)","(2,)",hit,False,0.777778,0.222222
4,"(2,)","((1,),)","(1,)",hit,False,0.777778,0.222222
5,"(1,)","((2,),)","(1,)",fold,True,0.222222,0.222222
6,"(1,)","((1, 2),)",(),fold,False,,0.222222
""",
    ),
    "tournament": (
        lambda: cardrow.tournament(["larger", "smaller"], [[1, 2], [5, 5, 1]]),
        """
first,second,wins,draws,losses,mean_lead,lead_deviation,win_rate,win_rate_error,lead_error
larger,larger,2,0,0,1.000000,0.000000,1.000000,0.000000,0.000000
larger,smaller,2,0,0,5.000000,5.656854,1.000000,0.000000,4.000000
smaller,larger,1,0,1,0.000000,1.414214,0.500000,0.500000,1.000000
smaller,smaller,1,0,1,0.000000,1.414214,0.500000,0.500000,1.000000
""",
    ),
}


@pytest.mark.parametrize("name", FRAMES)
def test_frame(name: str) -> None:
    make, text = FRAMES[name]
    assert make().to_pandas().to_csv(float_format="%.6f") == text[1:]


def test_plain_data_of_a_solution() -> None:
    rows: dict[Any, tuple[Any, Any]] = {
        "start": (0, {"ask": "end", "wait": "chance"}),
        "chance": ("chance", [(1, "end")]),
        "end": ("end", [Fraction(1, 3)]),
    }
    solution = exact.solve(Table(rows, "start"), tie_break="last")
    assert solution.to_dict(json=True) == {
        "tie_break": "last",
        "error": 0.0,
        "possible_ties": [],
        "turned_ties": [],
        "state": ["start", "chance", "end"],
        "mover": [0, -1, -4],
        "payoff_0": ["1/3"] * 3,
        "action": ["wait", None, None],
        "margin": ["0", None, None],
    }


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (float("-inf"), "-inf"),
        (Fraction(2, 3), "0.666667"),
        (10**400, "1e+400"),
        (Fraction(-(10**401), 3), "-3.33333e+400"),
        (Fraction(2, 10**400), "2e-400"),
    ],
)
def test_short_numbers(number: Any, text: str) -> None:
    assert short(number) == text
    assert leading_digits(-(10**5000)) == "-1000000000..."


def test_a_round_says_how_much_of_it_is_shown() -> None:
    assert "the first 20 of 25 positions shown" in shown(result("round"))
