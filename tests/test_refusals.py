"""What a game, a policy or an argument is refused for: call, kind of error, words."""

import math
import re
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from cardgames_dp import TooLargeError, diagonal, exact, game, play
from cardgames_dp._support import running
from cardgames_dp.game import GameError, TooManyStatesError, explore

from .written import Cards, Listed, Paying, RedBlack, Table

SOLVERS: list[Callable[..., Any]] = [exact.solve, diagonal.solve]
Refused = tuple[Any, type[Exception], str]
N = np.array


def refuses(
    call: Callable[..., Any], error: type[Exception], words: str, *given: Any
) -> Any:
    with pytest.raises(error) as caught:
        call(*given)
    assert re.search(words, str(caught.value)), str(caught.value)
    return caught.value


# Answers of a game
# -----------------


def asked(*, pays: bool = False, **answers: Any) -> Any:
    """Return a game of two players with some answers given."""
    rows: dict[Any, Any] = {
        0: (0, {"left": 1, "right": 2}),
        1: ("chance", [(1, 3), (3, 2)]),
        2: (1, {"on": 3}),
        3: ("end", [1, Fraction(-1, 2)]),
    }
    made: Any = (Paying if pays else Table)(rows, num_players=2)
    for name, answer in answers.items():
        value = answer if name == "num_players" else lambda *_, a=answer: a
        setattr(made, name, value)
    return made


def paid(answer: Any) -> list[tuple[str, Any]]:
    """Return a game that pays an answer in each of three places, and the call."""
    return [
        (r"^returns\(3\)", {"returns": answer}),
        (r"^rewards\(0, 'left'\)", {"rewards": answer}),
        (
            r"^chance_outcomes\(1\) with rewards",
            {"chance_outcomes": [(1, 3), [2, 2, answer]]},
        ),
    ]


PLAYERS = (
    r"^current_player\(0\) must be the index of one of the players \(num_players is 2\)"
    r", CHANCE \(-1\) or TERMINAL \(-4\), got .* of type "
)
OUTCOMES = (
    r"^chance_outcomes\(1\) must hold pairs \(weight, state\), or triples \(weight, "
    r"state, rewards\)"
)
HASHABLE = "must give hashable states and actions, got .* of type "
SEQUENCE = "must be a sequence, as a list or a tuple, got .* of type "
WRONG_NUMBERS: list[Any] = [0, -1, True, 2.0, "2", None]
NOTHING: list[Any] = [[], (), "", range(0), N([])]
UNHASHABLE: list[Any] = [["list"], {}, ("tuple", ["of a list"])]
ANSWERS: list[Refused] = [
    *(
        ({"num_players": n}, kind, r"^num_players must be an integer >= 1, got ")
        for n in WRONG_NUMBERS
        for kind in [GameError if type(n) is int else TypeError]
    ),
    *(
        ({"current_player": p}, kind, f"{PLAYERS}{type(p).__name__}")
        for kind, players in [
            (GameError, [2, 10**9, -2, -3, -5, np.int64(2)]),
            (TypeError, [0.0, "0", None, True, False, Fraction(1)]),
        ]
        for p in players
    ),
    *(
        ({name: answer}, TypeError, rf"^{call} {HASHABLE}")
        for state in UNHASHABLE
        for name, answer, call in [
            ("initial_state", state, r"initial_state\(\)"),
            ("next_state", state, r"next_state\(0, 'left'\)"),
            ("chance_outcomes", [(1, state)], r"chance_outcomes\(1\)"),
            ("legal_actions", ["a", state], r"legal_actions\(0\)"),
        ]
    ),
    *(
        (
            {"legal_actions": none},
            GameError,
            r"^legal_actions\(0\) must hold at least one action, got none; where the "
            r"game is over, current_player is TERMINAL \(-4\)$",
        )
        for none in NOTHING
    ),
    (
        {"legal_actions": ["a", "b", "a"]},
        GameError,
        r"^legal_actions\(0\) must hold distinct actions, got \['a', 'b', 'a'\]",
    ),
    *(
        ({"legal_actions": a}, TypeError, rf"^legal_actions\(0\) {SEQUENCE}")
        for a in (None, 1, {"a"}, {"a": 1}, iter("a"))
    ),
    *(
        ({"chance_outcomes": a}, TypeError, f"{OUTCOMES}, got ")
        for a in (None, 3, [5], [(1,)], [(1, "t", [1, 2], 3)], ["1t"], [{1: 2, 3: 4}])
    ),
    # Its keys look like weight and state.
    ({"chance_outcomes": {(1, 2): 1, (1, 3): 1}}, GameError, "for state, weight in"),
    *(
        (
            {"chance_outcomes": [(1, 3), (weight, 2)]},
            TypeError,
            f"{OUTCOMES} whose weights are integers >= 0, got the weight .* of type "
            f"{type(weight).__name__}$",
        )
        for weight in (0.5, 1.0, Fraction(1, 2), Fraction(1), True, np.True_, "t", None)
    ),
    (
        {"chance_outcomes": [(2, 3), (-1, 2)]},
        GameError,
        f"{OUTCOMES} whose weights are integers >= 0, got the weight -1$",
    ),
    *(
        (
            {"chance_outcomes": a},
            GameError,
            f"{OUTCOMES} whose weights have a positive sum, got 0$",
        )
        for a in ([], [(0, 3), (0, 2)])
    ),
    *(
        (
            answers,
            GameError,
            rf"{call} must hold one number a player .* is 2\), got {len(wrong)}: ",
        )
        for wrong in ([], [1], [1, 2, 3])
        for call, answers in paid(wrong)
    ),
    *(
        (answers, TypeError, rf"{call} {SEQUENCE}")
        for wrong in (None, 3, {1, 2}, {1: 2}, iter([1, 2]))
        for call, answers in paid(wrong)
    ),
    *(
        (
            answers,
            TypeError,
            rf"{call} must hold numbers \(int, Fraction or float\), got .* of type "
            rf"{type(wrong).__name__}$",
        )
        for wrong in ("1", True, np.True_, Decimal(1), None, 1j)
        for call, answers in paid([1, wrong])
    ),
    *(
        (answers, GameError, rf"{call} must hold finite numbers, got {wrong}$")
        for wrong in (math.nan, math.inf, -np.float64("inf"))
        for call, answers in paid([1, wrong])
    ),
]


@pytest.mark.parametrize(("answers", "error", "words"), ANSWERS)
def test_answers(answers: Any, error: type[Exception], words: str) -> None:
    for solve in SOLVERS:
        refusal = refuses(solve, error, words, asked(**answers))
        # What the message says already is no note; rewards are looked at later.
        assert not hasattr(refusal, "__notes__") or words.startswith("^rewards")


def test_answers_of_any_kind() -> None:
    """Sequences, iterators and numbers of NumPy; weights of 0 lead nowhere."""
    value = exact.solve(asked()).value
    chance = [(np.int32(1), 3), [3, 2], (0, ["not hashable"])]
    for kind in (list, tuple, N):
        made = asked(legal_actions=kind([0, 1]), chance_outcomes=iter(chance))
        made.next_state = lambda state, action: 3 if state == 2 else int(1 + action)
        made.returns = lambda state, k=kind: k([1, Fraction(-1, 2)])
        made.current_player = lambda state: N([0, -1, 1, -4])[state]
        made.legal_actions = lambda state, k=kind: k([0, 1][: 1 + (state == 0)])
        assert exact.solve(made).value == value
    (huge,) = exact.solve(
        Table(
            {
                0: ("chance", [(np.int64(2**62), 1), (np.int64(2**62), 2)]),
                1: ("end", [np.int64(2**62)]),
                2: ("end", N([2**62])),
            }
        )
    ).value
    assert huge == 2**62
    assert type(huge.numerator) is int
    mixed = asked(returns=[np.float32(0.5), np.int8(2)])
    assert diagonal.solve(mixed).value == (0.5, 2)
    assert isinstance(asked(), game.Game)
    assert not isinstance("chess", game.Game)


class Half:
    """Lacks two methods, and has a third that is not one."""

    num_players = 1
    returns = 3
    initial_state = current_player = legal_actions = lambda *_: 0


class HalfArrays:
    def initial_states(self) -> None: ...


MEMBERS = "^game must have the members of cardgames_dp.game."
WHOLE = "num_players, initial_state, current_player, legal_actions, next_state, "
RATIONAL = "must be integers or Fractions to be exact, got floats"
ROUND = Table({0: (0, {"on": 1}), 1: (0, {"back": 0})})
FAVOUR = Table(
    {0: (0, {"yes": 1, "no": 2}), 1: ("end", [1]), 2: ("end", [1])},
)
TIE_RULES = (
    "^tie_break must be one of 'first', 'last', 'uniform', or a callable of a state "
    "and its optimal actions, got "
)


class Endless(Table):
    def next_state(self, state: Any, action: Any) -> Any:
        return state + 1

    def current_player(self, state: Any) -> Any:
        return 0

    def legal_actions(self, state: Any) -> Any:
        return ["on"]


BOTH: list[Refused] = [
    (lambda s: s(object()), TypeError, f"{MEMBERS}Game, got .* without {WHOLE}chance"),
    (lambda s: s(26), TypeError, "got 26 of type int without num_players, init"),
    (lambda s: s(Half()), TypeError, "type Half without next_state, chance_outc.*ns$"),
    (lambda s: s(Table), TypeError, r"of Table, got the class itself; use Table\("),
    (lambda s: s(HalfArrays()), TypeError, f"{MEMBERS}ArrayGame, .* without num_pl"),
    (lambda s: s(Cards), TypeError, "^game must be an instance of Cards, got the cl"),
    (
        lambda s: s(asked(pays=True, rewards=1, num_players=2) and _listing()),
        TypeError,
        r"^rewards of a game must be a method, .*\(1, ",
    ),
    *(
        (lambda s, w=w: s(FAVOUR, tie_break=w), ValueError, f"{TIE_RULES}'{w}'{hint}$")
        for w, hint in [("best", ""), ("", ""), ("First", r"; did you mean 'first'\?")]
    ),
    *(
        (lambda s, w=w: s(FAVOUR, tie_break=w), TypeError, TIE_RULES)
        for w in (None, 0, ("first",))
    ),
    (
        lambda s: s(FAVOUR, tie_break=lambda state, actions: "perhaps"),
        ValueError,
        r"^tie_break must return one of the optimal actions \('yes', 'no'\) at state "
        r"0, got 'perhaps'$",
    ),
    (
        lambda s: s(Cards(1, 1), tie_break=lambda state, actions: actions[0]),
        TypeError,
        r"^tie_break must be 'first', 'last' or 'uniform' for a game for arrays, got ",
    ),
    *(
        (
            lambda s, n=n: s(FAVOUR, max_states=n),
            ValueError if type(n) is int else TypeError,
            f"^max_states must be an integer >= 1, got {n!r}",
        )
        for n in (0, -5, 1e6, True, "10")
    ),
    (
        lambda s: s(Endless({}), max_states=1000),
        TooManyStatesError,
        "^the game has more states than max_states=1000 allows; the first one beyond "
        "is 1000$",
    ),
    (lambda s: s(RedBlack(3, 3), max_states=9), TooManyStatesError, "max_states=9 all"),
    (lambda s: s(Cards(3, 3), max_states=45), TooManyStatesError, "max_states=45 all"),
    (lambda s: s(ROUND), GameError, "^every play must end, but .* comes? |every play"),
    (
        lambda s: s(Listed(Table({0: (0, {"0": 0, "1": 1}), 1: ("end", [0])}))),
        GameError,
        "^the game must be acyclic, but the states aft",
    ),
]


def _listing() -> Any:
    made: Any = asked()
    made.rewards = (1, 2)
    return made


@pytest.mark.parametrize(("call", "error", "words"), BOTH)
def test_both_backends(call: Any, error: type[Exception], words: str) -> None:
    for solve in SOLVERS:
        refuses(call, error, words, solve)


def one(reward: Any, *, end: Any = 1) -> Paying:
    """Return a game of one move, and what it pays."""
    rows: Any = {0: (0, {"0": 1}), 1: ("end", [end])}
    return Paying(rows, paid={(0, "0"): [reward]})


NUMBERS: list[Refused] = [
    (lambda: exact.solve(one(0, end=0.5)), TypeError, f"^returns {RATIONAL}"),
    (lambda: exact.solve(one(0.5)), TypeError, f"^rewards {RATIONAL}; use flo"),
    (lambda: exact.solve(Listed(one(0.5))), TypeError, f"^rewards {RATIONAL}"),
    (lambda: exact.solve(Listed(one(1, end=0.5))), TypeError, f"^returns {RATIONAL}"),
    *(
        (
            lambda x=x: diagonal.solve(one(0, end=x)),
            ValueError,
            r"^returns must be at m",
        )
        for x in (10**400, Fraction(10**310, 3), -(2**1001))
    ),
    (lambda: diagonal.solve(one(2**1001)), ValueError, r"^rewards must be at most 2\*"),
    (
        lambda: diagonal.solve(one(-(2.0**1000))),
        ValueError,
        r"^returns with all rewards must be at most 2\*\*1000 in absolut",
    ),
]


@pytest.mark.parametrize(("call", "error", "words"), NUMBERS)
def test_numbers(call: Any, error: type[Exception], words: str) -> None:
    refuses(call, error, words)


CYCLES: list[tuple[dict[Any, Any], str]] = [
    ({0: (0, {"on": 0})}, r"0 -> 0 \(a cycle of 1\)"),
    ({0: (0, {"on": 1}), 1: (0, {"on": 0})}, r"[01] -> [01] -> [01] \(a cycle of 2\)"),
    (
        {
            0: (0, {"end": 3, "on": 1}),
            1: ("chance", [(0, 3), (1, 2)]),
            2: (0, {"back": 1}),
            3: ("end", [0]),
        },
        r"2 -> 1 -> 2 \(a cycle of 2\)",
    ),
    (
        {i: ("chance", [(1, (i + 1) % 5000)]) for i in range(5000)},
        r"0 -> 1 -> 2 -> 3 -> 4 -> \.\.\. -> 4999 -> 0 \(a cycle of 5000\)",
    ),
]


@pytest.mark.parametrize(("rows", "states"), CYCLES)
def test_a_cycle_without_end_is_named(rows: Any, states: str) -> None:
    words = f"^every play must end, but .*: {states}"
    refuses(lambda: exact.solve(Table(rows)), GameError, words)


def test_more_than_memory_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "physical_memory", lambda: 2 * 5 * 512)
    for solve in SOLVERS:
        with pytest.raises(TooManyStatesError, match="memory holds, 5 of about 512 B"):
            solve(RedBlack(3, 3), max_states=10**12)
    monkeypatch.setattr(running, "physical_memory", lambda: 10**5)
    with pytest.raises(
        TooLargeError, match=r"a game of at least \d+ states and \d+ mo"
    ):
        diagonal.solve(Cards(90, 90))


@pytest.mark.parametrize("players", [1, 3])
def test_the_size_that_is_refused(
    monkeypatch: pytest.MonkeyPatch, players: int
) -> None:
    """By state two floats a player and eight bytes besides, and two bytes by move."""
    rows: dict[Any, Any] = {0: (0, {"a": 1, "b": 2})}
    rows |= {state: ("end", [0] * players) for state in (1, 2)}
    needed = 3 * (16 * players + 8) + 2 * 2
    found = explore(Table(rows, num_players=players))
    monkeypatch.setattr(running, "physical_memory", lambda: 2 * needed)
    assert diagonal.solve(found).value == (0,) * players
    monkeypatch.setattr(running, "physical_memory", lambda: 2 * needed - 2)
    with pytest.raises(TooLargeError, match=f"needs about {needed} bytes"):
        diagonal.solve(found)


# Errors of the game itself
# -------------------------


@pytest.mark.parametrize("error", [RuntimeError("mine"), TypeError("mine")])
@pytest.mark.parametrize(
    "call",
    [
        "current_player(0)",
        "legal_actions(0)",
        "next_state(0, 'left')",
        "rewards(0, 'left')",
        "chance_outcomes(1)",
        "returns(3)",
    ],
)
def test_errors_of_a_game_say_where(call: str, error: Exception) -> None:
    def fail(*_: Any) -> Any:
        raise type(error)("mine")

    made = asked()
    setattr(made, call.partition("(")[0], fail)
    caught = refuses(lambda: exact.solve(made), type(error), "^mine")
    (note,) = caught.__notes__
    state = call.partition(",")[0].strip(")")
    assert note == f"raised when the game was asked {state})"


def test_errors_of_an_answer_that_is_made_while_it_is_read_say_where() -> None:
    made = asked(chance_outcomes=(1 // k for k in (1, 0)))
    made.chance_outcomes = lambda state: ((1 // k, 3) for k in (1, 0))
    (note,) = refuses(lambda: exact.solve(made), ZeroDivisionError, "").__notes__
    assert note == "raised when the game was asked chance_outcomes(1)"


@pytest.mark.parametrize(
    "method",
    [
        *("current_players", "legal_actions", "next_states"),
        *("rewards", "chance_outcomes", "returns"),
    ],
)
def test_errors_of_a_game_for_arrays_say_where(method: str) -> None:
    def failing(*_: Any) -> Any:
        raise RuntimeError("mine")

    made = wrong(**{method: failing})
    (note,) = refuses(lambda: explore(made), RuntimeError, "^mine").__notes__
    assert note.startswith(f"raised when the game was asked {method} for ")
    assert ", the first of which is [2, 1, " in note


# Answers of a game for arrays
# ----------------------------


def wrong(**answers: Any) -> Any:
    """Return a little game of which some answers are given."""
    made: Any = Cards(2, 1)
    for name, answer in answers.items():
        given = answer if callable(answer) else lambda *_, a=answer: a
        setattr(made, name, given if name != "num_players" else answer)
    return made


def pays_wrongly(states: NDArray[Any]) -> NDArray[Any]:
    return np.zeros((len(states), 2), int)


STATE, ONE, HALVES = N([0]), N([[1, 1, 0]]), N([Fraction(1, 2), np.nan])
INTEGERS = "must hold integers of at most 64 bits, got"
ARRAYS: list[Refused] = [
    ({"num_players": 0}, GameError, "must be an integer >= 1, got "),
    ({"num_players": 1.0}, TypeError, "must be an integer >= 1, got "),
    ({"initial_states": N([])}, GameError, "must hold one or more"),
    ({"initial_states": N(3)}, GameError, r"of shape \(\)$"),
    ({"initial_states": N([[1.0]])}, TypeError, INTEGERS),
    ({"initial_states": N([2**63])}, TypeError, INTEGERS),
    ({"initial_states": N(["a"])}, TypeError, INTEGERS),
    (
        {"current_players": N([0, 0])},
        GameError,
        r"one player a state, .* \(1,\), got an array of int64 of shape \(2,\)$",
    ),
    (
        {"current_players": N([1])},
        GameError,
        r"players \(num_players is 1\), CHANCE \(-1\) or TERMINAL \(-4\), got 1",
    ),
    *(
        ({"current_players": N([p])}, GameError, rf"got {p} at state \[2, 1, 0\]$")
        for p in (-2, -3, -5)
    ),
    ({"current_players": N([0.0])}, TypeError, INTEGERS),
    ({"legal_actions": STATE}, TypeError, "must be 2 arrays"),
    ({"legal_actions": None}, TypeError, r"\(index, actions\), got None of type NoneT"),
    *(
        (
            {"legal_actions": (i, N([1, 2])[: i.size])},
            GameError,
            "of the 1 states first",
        )
        for i in (N([0, 1]), N([-1, 0]), N([[0]]))
    ),
    ({"legal_actions": (N([0.0]), N([1]))}, TypeError, INTEGERS),
    ({"legal_actions": (N([0, 0]), N([1]))}, GameError, "hold an action for each ind"),
    ({"legal_actions": (STATE, N([0.5]))}, TypeError, "got an array"),
    (
        {"legal_actions": (N([], int), N([], int))},
        GameError,
        r"at least one action for each state, got none for \[2, 1, 0\]$",
    ),
    (
        {"legal_actions": (N([0, 0, 0]), N([1, 2, 1]))},
        GameError,
        r"distinct actions, got 1 twice for state \[2, 1, 0\]$",
    ),
    ({"next_states": N([[1, 1, 1]])}, GameError, r"in an array of shape \(2, "),
    ({"next_states": N([[1, 1], [1, 1]])}, GameError, r"of shape \(2, 3\), got an"),
    ({"next_states": np.ones((2, 3))}, TypeError, "array of float64 of"),
    ({"chance_outcomes": (STATE, N([1]))}, TypeError, "must be 3 arrays"),
    *(
        ({"chance_outcomes": (STATE, w, ONE)}, kind, words)
        for w, kind, words in [
            (N([-1]), GameError, r"weights >= 0, got -1 at state \[2, 1, "),
            (N([0]), GameError, r"a positive sum for each state, got none for \[2, 1"),
            (N([0.5]), TypeError, INTEGERS),
            (N([1, 1]), GameError, "must hold a weight for each index"),
        ]
    ),
    *(
        ({"chance_outcomes": (STATE, N([1]), *more)}, kind, words)
        for more, kind, words in [
            ([N([1, 1, 0])], GameError, r"states in an array of shape \(1, 3\)"),
            ([ONE, N([[1, 2]])], GameError, "with rewards must hold one number a pl"),
            ([ONE, N([1]), N([1])], TypeError, "3 arrays, .* or a fourth of rewards"),
        ]
    ),
    (
        {"returns": pays_wrongly},
        GameError,
        r"one number a player \(num_players is 1\), .* \(1, 1\), got .* \(1, 2\)$",
    ),
    ({"returns": N(["1"])}, TypeError, "64 bits, floats or Fractions, got an"),
    ({"returns": N([0.5, None])[[1]]}, TypeError, "at state .* got None of type"),
    ({"returns": HALVES[[1]]}, GameError, "at state .* finite numbers, got nan$"),
    ({"returns": N([np.nan])}, GameError, r"finite numbers, got nan at state \[2, 1, "),
    (
        {"rewards": N([1, 2, 3])},
        GameError,
        r"one number a player .* an array of shape \(2, 1\), got .* \(3,\)$",
    ),
    ({"rewards": N([1, np.inf])}, GameError, r"finite .* inf at state \[2, 1, 0\]$"),
    (
        {"rewards": N([True, False])},
        TypeError,
        "floats or Fractions, got an array of b",
    ),
    ({"rewards": None}, GameError, "must hold one number"),
    ({"levels": N([0, 0])}, GameError, "must hold one integer a state"),
    ({"levels": N([0.0])}, TypeError, f"{INTEGERS} an array"),
    ({"levels": None}, TypeError, f"{INTEGERS} an array of obj"),
    (
        {"levels": lambda states: states[:, 0]},
        GameError,
        r"along a move, got level 2 at state \[2, 1, 2\] and 1 at \[1, 1, 0\], whi",
    ),
]


@pytest.mark.parametrize(("answers", "error", "words"), ARRAYS)
def test_answers_for_arrays(answers: Any, error: type[Exception], words: str) -> None:
    method = next(iter(answers))
    for solve in SOLVERS:
        called = rf"^{method}(\(.*?\))? .*{words}"
        refuses(solve, error, called, wrong(**answers))


@pytest.mark.parametrize("levels", [None, [0] * 10, range(10)])
def test_too_many_states_of_a_game_for_arrays(levels: Any) -> None:
    rows: Any = {i: (0, {"0": i + 1}) for i in range(9)} | {9: ("end", [0])}
    made = Listed(Table(rows), levels=levels)
    assert exact.solve(made, max_states=10).num_states == 10
    words = "7 are found, and 1 follow, among them 7$"
    refuses(lambda: exact.solve(made, max_states=7), TooManyStatesError, words)


# What a game that is explored is given anew
# -------------------------------------------

BRANCH: Any = explore(
    Table({0: ("chance", [(1, 1), (0, 2), (1, 3)]), 1: ("end", [0]), 3: ("end", [1])})
)
FOUND: Any = explore(Cards(2, 1))
PAYS: Any = explore(Listed(one(1), kind=int))
THREE: Any = FOUND.with_returns(
    lambda ends: np.arange(1, 4)[:, None, None] * Cards(2, 1).returns(ends)[:, None]
)


def skipping(states: NDArray[Any]) -> Any:
    index, weights, after = Cards(2, 1).chance_outcomes(states)
    return index, weights, after - [1, 0, 0]


ANEW: list[Refused] = [
    *(
        (lambda g=given: BRANCH.with_weights(lambda state: g), kind, words)
        for given, kind, words in [
            (
                [(1, 2)],
                GameError,
                r"^chance_outcomes\(0\) must lead to states that follow it in the "
                r"explored game, and pay what it pays, got 2; explore the game",
            ),
            ([(0, 1)], GameError, "weights have a positive sum, got 0$"),
            ([(0.5, 1)], TypeError, "integers >= 0, got the weight 0.5"),
            (None, TypeError, r"^chance_outcomes\(0\) must hold pairs"),
            ([(1, [])], TypeError, r"^chance_outcomes\(0\) must give hashable"),
        ]
    ),
    *(
        (lambda g=given: BRANCH.with_returns(lambda state: g), kind, words)
        for given, kind, words in [
            ([1, 2], GameError, r"^returns\(1\) must hold one number a player"),
            (["1"], TypeError, r"^returns\(1\) must hold numbers .* got '1' of"),
            ([math.nan], GameError, r"^returns\(1\) must hold finite .* nan$"),
            (3, TypeError, r"^returns\(1\) must be a sequence"),
        ]
    ),
    (
        lambda: FOUND.with_weights(skipping),
        GameError,
        r"must lead from state \[2, 1, 2\] to states that follow it .* got \[0, 1",
    ),
    (lambda: exact.solve(THREE), TypeError, "game must be of one position to be sol"),
    (lambda: THREE.at(3), ValueError, "position must be below num_positions, 3, got"),
    (lambda: THREE.at(-1), ValueError, "position must be"),
    (lambda: THREE.at(0).at(0), ValueError, "at is for a game of many positions"),
    (
        lambda: diagonal.solve(THREE).optimal_actions(N([[2, 1, 0]])),
        ValueError,
        "optimal_actions is for one position",
    ),
    (lambda: diagonal.solve(THREE).to_pandas(), ValueError, "to_pandas is for one po"),
    *(
        (lambda f=f: THREE.with_returns(lambda s: f((2, len(s)))), kind, words)
        for f, kind, words in [
            (
                lambda n: np.zeros((*n, 2)),
                GameError,
                r"returns\(states\) must hold one number a player",
            ),
            (
                lambda n: np.full((*n, 1), np.inf),
                GameError,
                r"finite numbers, got \[inf\] at state .* in position 0$",
            ),
            (lambda n: np.full((*n, 1), "1"), TypeError, "must hold integers of at m"),
        ]
    ),
    (
        lambda: diagonal.solve(PAYS.with_returns(lambda s: np.zeros((2, len(s), 1)))),
        ValueError,
        "pays on the way is solved in one position",
    ),
    *(
        (lambda f=f: play_of_three(f), ValueError, "of one position, got one of 3")
        for f in (play.regret, play.evaluate, play.distribution)
    ),
]


def play_of_three(function: Any) -> Any:
    return function(THREE, lambda states: np.ones(len(states), int))


@pytest.mark.parametrize(("call", "error", "words"), ANEW)
def test_games_given_anew(call: Any, error: type[Exception], words: str) -> None:
    refuses(call, error, words)


def test_more_positions_than_memory_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "physical_memory", lambda: 400)
    words = r"a solution of 3 x \d+ x 1 values .*; solve fewer positions at a time"
    refuses(lambda: diagonal.solve(THREE), TooLargeError, words)


# What a solution is asked
# ------------------------

LITTLE: Any = exact.solve(Cards(2, 2))
STATES: Any = diagonal.solve(RedBlack(2, 2))
ASKED: list[Refused] = [
    (lambda: LITTLE.values(N([[9, 1, 0]])), KeyError, r"\[9, 1, 0\] cannot be"),
    (lambda: LITTLE.values(N([[2, 2, 1], [0, 0, 2]])), KeyError, r"\[0, 0, 2\]"),
    (lambda: LITTLE.policy(N([[2, 2, 1]])), KeyError, "nobody decides in"),
    (lambda: LITTLE.values(N([2, 2, 1])), GameError, r"of shape \(3, 3\), got"),
    (lambda: LITTLE.values(N([[2, 2, 1.0]])), TypeError, "states must hold int"),
    (lambda: LITTLE.values(3), GameError, "states must hold states in an array"),
    *(
        (
            lambda s=s: STATES.advice(s),
            ValueError,
            "^state must be one in which a player moves and that can be reached, got",
        )
        for s in [(9, 9, "decide"), (2, 2, "draw"), (2, 2, "stop"), "x"]
    ),
]


@pytest.mark.parametrize(("call", "error", "words"), ASKED)
def test_questions_to_solutions(call: Any, error: type[Exception], words: str) -> None:
    refuses(call, error, words)


# Games that are played
# ---------------------

GAME = Table(
    {
        "start": (0, {"left": "chance", "right": "other"}),
        "chance": ("chance", [(1, "end"), (2, "other")]),
        "other": (1, {"up": "end", "down": "last"}),
        "end": ("end", [1, -1]),
        "last": ("end", [0, Fraction(1, 3)]),
    },
    start="start",
    num_players=2,
)
FIRST, SECOND = {"start": "left"}, {"other": "up"}
ALL = FIRST | SECOND
PLAYED: dict[str, Callable[..., Any]] = {
    "evaluate": play.evaluate,
    "best_response": lambda game, policies, **how: play.best_response(
        game, policies, 0, **how
    ),
    "regret": play.regret,
    "distribution": play.distribution,
    "simulate": lambda game, policies: play.simulate(game, policies, 5),
}
KINDS = "a callable of a state, a mapping of states to actions, or a solution"
MUST = (
    r"the policy of player 1 must give one of the legal actions \('up', 'down'\) at "
    r"state 'other', or a mapping of them to weights"
)
SHARES: list[tuple[Any, type[Exception], str]] = [
    (-1, ValueError, "got -1$"),
    (math.nan, ValueError, "got nan$"),
    (math.inf, ValueError, "got inf$"),
    ("one", ValueError, "got 'one'$"),
    (True, TypeError, "got True of type bool$"),
]
WEIGHT = "^the weight of 'up' in the policy of player 1 at state 'other' must be"
WEIGHTS: list[tuple[Any, type[Exception], str]] = [
    ({}, ValueError, " with a positive sum, got {}"),
    ({"up": 0, "down": 0}, ValueError, " with a positive sum, got"),
    ({"up": 1, "left": 1}, ValueError, ", got a weight for 'left'$"),
]
POLICIES: list[Refused] = [
    (7, TypeError, f"^policies must be {KINDS}, or a list .* got 7 of type int$"),
    ("first", TypeError, "policies must be .* got 'first' of type str"),
    (dict, TypeError, "policies must be an instance of dict, got the class itself"),
    (None, TypeError, "policies must be .* got None of type NoneType"),
    ([FIRST], ValueError, r"one policy a player \(num_players is 2\), got 1$"),
    ([FIRST] * 3, ValueError, r"one policy a player \(num_players is 2\), got 3$"),
    ([FIRST, None], TypeError, rf"policies\[1\] must be {KINDS}, got None"),
    ([FIRST, 1.5], TypeError, rf"policies\[1\] must be {KINDS}, got 1.5 of type"),
    (
        FIRST,
        ValueError,
        "^policies must have an action for every state in which player 1 moves, "
        "and has none for 'other'$",
    ),
    (
        [SECOND, SECOND],
        ValueError,
        r"^policies\[0\] must have an action for every state in which player 0 "
        "moves, and has none for 'start'$",
    ),
    (lambda state: "left", ValueError, f"^{MUST}, got 'left' of type str$"),
    ([FIRST, lambda state: None], ValueError, f"{MUST}, got None of type"),
    ([FIRST, lambda state: ["up"]], ValueError, rf"{MUST}, got \['up'\] of type"),
    *(([FIRST, {"other": w}], kind, f"{MUST}{words}") for w, kind, words in WEIGHTS),
    *(
        ([FIRST, {"other": {"up": w}}], kind, f"{WEIGHT} a finite .* >= 0, .*{words}")
        for w, kind, words in SHARES
    ),
]
GAMES: list[Refused] = [
    (7, TypeError, "game must have the members of cardgames_dp.game.Game, got 7"),
    (Table, TypeError, "game must be an instance of Table, got the class itself"),
]
function = pytest.mark.parametrize("function", PLAYED.values(), ids=PLAYED)


@function
def test_played_games(function: Any) -> None:
    for policies, error, words in POLICIES:
        refuses(function, error, words, GAME, policies)
    for wrong_game, error, words in GAMES:
        refuses(function, error, words, wrong_game, ALL)
    words = "every play must end, but a play can come back to 0: 0 -> 1 -> 0"
    refuses(function, GameError, words, ROUND, {0: "on", 1: "back"})
    idle = Table({**GAME.rows, "other": ("end", [1, -1])}, "start", 2)
    function(idle, [FIRST, None])  # the second player has nothing to decide


MIXED: Any = [FIRST, {"other": {"up": 0.5, "down": 1}}]


@pytest.mark.parametrize("name", [*PLAYED][:4])
def test_floats_where_exact_weights_are_asked(name: str) -> None:
    ask = PLAYED[name]
    ask(GAME, MIXED)
    words = f"{WEIGHT} exact .* with backend='exact', got 0.5 of type float$"
    refuses(lambda: ask(GAME, MIXED, backend="exact"), TypeError, words)
    single: Any = [FIRST, {"other": {"up": np.float32(0.5)}}]
    refuses(lambda: ask(GAME, single, backend="exact"), TypeError, "exact")
    words = "backend must be one of 'float64', 'exact'"
    refuses(lambda: ask(GAME, ALL, backend="float"), ValueError, words)


HUGE = Table({0: ("end", [10**400])})
START: Any = play.Position(exact.solve(RedBlack(2, 2)))
respond: Any = play.best_response
simulate: Any = play.simulate
position: Any = play.Position
OTHERS: list[Refused] = [
    *(
        (lambda f=f, p=p: f(GAME, ALL, p), kind, f"player must be {words}")
        for f in (respond, play.regret)
        for p, kind, words in [
            (2, ValueError, "less than num_players, 2, go"),
            (-1, ValueError, "an integer >= 0, got -1"),
            ("me", TypeError, "an integer >= 0, got 'me'"),
        ]
    ),
    (
        lambda: respond(GAME, [3, SECOND], 0),
        TypeError,
        r"policies\[0\] must be .* got 3",
    ),
    (lambda: respond(GAME, [None, SECOND], 1), TypeError, r"policies\[0\] .* got None"),
    (
        lambda: respond(GAME, ALL, 0, tie_break="best"),
        ValueError,
        "tie_break must be one of 'first', 'last'",
    ),
    (
        lambda: simulate(GAME, ALL, 0),
        ValueError,
        "games must be an integer >= 1, got 0",
    ),
    (lambda: simulate(GAME, ALL, 5.0), TypeError, r"games must be an integer .* 5\.0"),
    (
        lambda: simulate(GAME, ALL, 5, histories=6),
        ValueError,
        "histories must be at most games, 5, got 6",
    ),
    (lambda: simulate(GAME, ALL, 5, rng="1"), TypeError, "rng must be None, a seed"),
    (
        lambda: simulate(GAME, ALL, 10**11, histories=10**11),
        TooLargeError,
        "histories of 100000000000 games",
    ),
    (
        lambda: simulate(GAME, ALL, 5, executor=2),
        TypeError,
        r"executor must be a concurrent\.futures",
    ),
    *(
        (lambda n=n: PLAYED[n](HUGE, {}), ValueError, r"returns must be at most 2\*\*1")
        for n in ("evaluate", "distribution", "simulate")
    ),
    (lambda: position(3), TypeError, "solution must be what exact.solve"),
    (lambda: position(LITTLE), TypeError, "a game written for states, got ArraySol"),
    (lambda: START.play("stay"), ValueError, r"move must be one of \('stop', 'dr"),
    (lambda: START.play([]), ValueError, r"move must be one of .*, got \[\]"),
    (lambda: START.play("draw").play("draw"), ValueError, r"move must be one of"),
    (lambda: START.play("draw").advice(), ValueError, "^chance moves, so there"),
    (lambda: START.play("stop").advice(), ValueError, "^the game is over, so the"),
    (lambda: START.play("stop").play(1), ValueError, "^the game is over, so noth"),
    (START.undo, ValueError, "there is no move to undo"),
]


@pytest.mark.parametrize(("call", "error", "words"), OTHERS)
def test_arguments_of_play(call: Any, error: type[Exception], words: str) -> None:
    refuses(call, error, words)


def test_what_needs_no_policy() -> None:
    assert respond(GAME, [None, SECOND], 0).before is None
    value: Any = play.evaluate(HUGE, {}, backend="exact").value
    assert value == (10**400,)


# Policies of games for arrays
# ----------------------------


def mix(*more: Any) -> Callable[[NDArray[Any]], Any]:
    """Return a policy that gives for each state what functions make of the states."""
    return lambda states: tuple([each(states) for each in more])


def index(states: NDArray[Any]) -> NDArray[Any]:
    return np.arange(len(states))


def full(number: Any) -> Callable[[NDArray[Any]], NDArray[Any]]:
    return lambda states: np.full(len(states), number)


EACH = "the policy of player 0 must give a"
MIXTURES: list[Refused] = [
    ({}, TypeError, "policies of a game for arrays must be callables of an array"),
    (lambda s: 0, TypeError, f"{EACH}n array of integers of shape"),
    (full(0.0), TypeError, f"{EACH}n array of integers of shape"),
    (full(7), ValueError, r"one of the legal actions \[1, 2\] at state \[2, .* got 7"),
    *((mix(*[index] * n), TypeError, f"{EACH} mixture as") for n in (1, 2, 4)),
    (mix(full(0.0), full(1), full(1)), TypeError, "index and actions of integers"),
    (
        mix(index, full(1), lambda s: np.ones((len(s), 2))),
        TypeError,
        "one action and one weight each",
    ),
    (
        mix(lambda s: index(s) + 1, full(1), full(1)),
        ValueError,
        r"index from 0 to \d+$",
    ),
    (mix(index, full(5), full(1)), ValueError, r"legal actions \[1, 2\] .* got 5"),
    (mix(index, full(1), full(0)), ValueError, "with a positive sum for state"),
    (mix(index, full(1), full(np.nan)), ValueError, "weights finite and >= 0"),
    (mix(index, full(1), full(-1)), ValueError, "weights finite and >= 0"),
    (mix(index, full(1), full("1")), TypeError, "weights of integers or floats"),
]


@pytest.mark.parametrize(("policy", "error", "words"), MIXTURES)
def test_policies_for_arrays(policy: Any, error: type[Exception], words: str) -> None:
    for ask in PLAYED.values():
        if ask is not PLAYED["best_response"]:  # in which the player is who responds
            refuses(ask, error, words, FOUND, policy)


def test_floats_for_arrays_where_exact_ones_are_asked() -> None:
    halves = mix(index, full(1), full(0.5))
    words = "weights of integers, got float64"
    refuses(lambda: play.evaluate(FOUND, halves, backend="exact"), TypeError, words)
    floats: Any = FOUND.with_returns(lambda s: Cards(2, 1).returns(s) / 2)
    assert play.distribution(floats, full(1)).error < 1e-13
    ask = PLAYED["distribution"]
    words = "^returns must be integers or Fractions"
    refuses(lambda: ask(floats, full(1), backend="exact"), TypeError, words)
