"""The vocabulary, and the answers that `CheckedGame` refuses."""

from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from cardgames_dp._graph.answers import CheckedGame
from cardgames_dp.game import CHANCE, TERMINAL, Game, GameError


@dataclass
class Scripted:
    """Two players; every answer is an attribute, so that each can be made wrong."""

    num_players: Any = 2
    start: Any = "s"
    player: Any = 0
    actions: Any = ("left", "right")
    following: Any = "t"
    outcomes: Any = ((1, "t"), (3, "u"))
    payoffs: Any = (1, Fraction(-1, 2))
    asked: list[Any] = field(default_factory=list)

    def initial_state(self) -> Any:
        return self.start

    def current_player(self, state: Any) -> Any:
        return self.player

    def legal_actions(self, state: Any) -> Any:
        return self.actions

    def next_state(self, state: Any, action: Any) -> Any:
        self.asked.append((state, action))
        return self.following

    def chance_outcomes(self, state: Any) -> Any:
        return self.outcomes

    def returns(self, state: Any) -> Any:
        return self.payoffs


def test_the_words_are_those_of_openspiel() -> None:
    assert (CHANCE, TERMINAL) == (-1, -4)


def test_game_error_is_a_value_error() -> None:
    assert issubclass(GameError, ValueError)


def test_protocol_is_structural() -> None:
    assert isinstance(Scripted(), Game)
    assert not isinstance("chess", Game)


def test_a_checked_game_is_a_game_with_the_same_answers() -> None:
    scripted = Scripted()
    game = CheckedGame(scripted)
    assert isinstance(game, Game)
    assert game.num_players == 2
    assert game.initial_state() == "s"
    assert game.current_player("s") == 0
    assert game.legal_actions("s") == ("left", "right")
    assert game.next_state("s", "right") == "t"
    assert scripted.asked == [("s", "right")]
    assert game.chance_outcomes("s") == [(1, "t"), (3, "u")]
    assert game.returns("s") == (Fraction(1), Fraction(-1, 2))
    assert [type(x) for x in game.returns("s")] == [Fraction, Fraction]


@pytest.mark.parametrize("player", [0, 1, np.int64(1), CHANCE, TERMINAL])
def test_players_of_any_integer_type(player: Any) -> None:
    answer = CheckedGame(Scripted(player=player)).current_player("s")
    assert answer == player
    assert type(answer) is int


@pytest.mark.parametrize("kind", [list, tuple, np.array])
def test_sequences_of_any_kind(kind: Any) -> None:
    game = CheckedGame(Scripted(actions=kind([5, 7]), payoffs=kind([2, -2])))
    assert game.legal_actions("s") == (5, 7)
    assert game.returns("s") == (Fraction(2), Fraction(-2))
    assert [type(x) for x in game.returns("s")] == [Fraction, Fraction]


def test_outcomes_from_an_iterator_lists_and_numpy_weights() -> None:
    game = CheckedGame(Scripted(outcomes=iter([[np.int32(2), "t"], (1, "t")])))
    outcomes = game.chance_outcomes("s")
    assert outcomes == [(2, "t"), (1, "t")]
    assert type(outcomes[0][0]) is int


def test_outcomes_of_weight_zero_are_left_out() -> None:
    game = CheckedGame(Scripted(outcomes=[(0, ["not hashable"]), (2, "t")]))
    assert game.chance_outcomes("s") == [(2, "t")]


class Empty:
    """Has nothing that a game needs."""


class Half:
    """Lacks two methods, and has a third that is not one."""

    num_players = 1
    returns = 3
    initial_state = current_player = legal_actions = lambda *_: 0


@pytest.mark.parametrize(
    ("thing", "missing"),
    [
        (
            Empty(),
            "num_players, initial_state, current_player, legal_actions, next_state, "
            "chance_outcomes, returns",
        ),
        (Half(), "next_state, chance_outcomes, returns"),
    ],
)
def test_missing_members_are_named(thing: Any, missing: str) -> None:
    message = (
        "^game must have the members of cardgames_dp.game.Game, got .* of type "
        f"{type(thing).__name__} without {missing}$"
    )
    with pytest.raises(TypeError, match=message):
        CheckedGame(thing)


def test_a_class_in_place_of_a_game() -> None:
    class Property(Scripted):
        @property
        def num_players(self) -> int:
            return 2

    with pytest.raises(
        TypeError,
        match=r"instance of Property, got the class itself; use Property\(",
    ):
        CheckedGame(Property)


@pytest.mark.parametrize("number", [True, 2.0, "2", None])
def test_num_players_of_a_wrong_type(number: Any) -> None:
    with pytest.raises(TypeError, match=r"^num_players must be an integer >= 1, got "):
        CheckedGame(Scripted(num_players=number))


@pytest.mark.parametrize("number", [0, -1])
def test_num_players_not_positive(number: int) -> None:
    message = f"^num_players must be an integer >= 1, got {number}$"
    with pytest.raises(GameError, match=message):
        CheckedGame(Scripted(num_players=number))


@pytest.mark.parametrize("state", [["list"], {}, ("tuple", ["of a list"])])
@pytest.mark.parametrize(
    ("method", "arguments", "field_name", "call"),
    [
        ("initial_state", (), "start", r"initial_state\(\)"),
        ("next_state", ("s", "a"), "following", r"next_state\('s', 'a'\)"),
        ("chance_outcomes", ("s",), "outcomes", r"chance_outcomes\('s'\)"),
        ("legal_actions", ("s",), "actions", r"legal_actions\('s'\)"),
    ],
)
def test_states_and_actions_must_be_hashable(
    state: Any, method: str, arguments: tuple[str, ...], field_name: str, call: str
) -> None:
    answer = {"outcomes": [(1, state)], "actions": ["a", state]}.get(field_name, state)
    game = CheckedGame(Scripted(**{field_name: answer}))
    message = (
        rf"^{call} must give hashable states and actions, got .* of type "
        rf"{type(state).__name__}$"
    )
    with pytest.raises(TypeError, match=message):
        getattr(game, method)(*arguments)


PLAYERS = (
    r"^current_player\('s'\) must be the index of one of the players "
    r"\(num_players is 2\), CHANCE \(-1\) or TERMINAL \(-4\), got "
)


@pytest.mark.parametrize("player", [2, 10**9, -2, -3, -5, np.int64(2)])
def test_player_out_of_range(player: Any) -> None:
    with pytest.raises(GameError, match=f"{PLAYERS}.* of type {type(player).__name__}"):
        CheckedGame(Scripted(player=player)).current_player("s")


@pytest.mark.parametrize("player", [0.0, "0", None, True, False, Fraction(1)])
def test_player_of_a_wrong_type(player: Any) -> None:
    with pytest.raises(TypeError, match=f"{PLAYERS}.* of type {type(player).__name__}"):
        CheckedGame(Scripted(player=player)).current_player("s")


@pytest.mark.parametrize("actions", [[], (), "", range(0), np.array([])])
def test_no_legal_action(actions: Any) -> None:
    message = (
        r"^legal_actions\('s'\) must hold at least one action, got none; where the "
        r"game is over, current_player is TERMINAL \(-4\)$"
    )
    with pytest.raises(GameError, match=message):
        CheckedGame(Scripted(actions=actions)).legal_actions("s")


def test_an_action_twice() -> None:
    message = r"^legal_actions\('s'\) must hold distinct actions, got \['a', 'b', 'a'\]"
    with pytest.raises(GameError, match=message):
        CheckedGame(Scripted(actions=["a", "b", "a"])).legal_actions("s")


@pytest.mark.parametrize("answer", [None, 1, {"a"}, {"a": 1}, iter("a")])
@pytest.mark.parametrize(
    ("method", "field_name"), [("legal_actions", "actions"), ("returns", "payoffs")]
)
def test_answers_that_are_no_sequence(
    answer: Any, method: str, field_name: str
) -> None:
    message = (
        rf"^{method}\('s'\) must be a sequence, as a list or a tuple, got .* of type "
        rf"{type(answer).__name__}$"
    )
    game = CheckedGame(Scripted(**{field_name: answer}))
    with pytest.raises(TypeError, match=message):
        getattr(game, method)("s")


PAIRS = (
    r"^chance_outcomes\('s'\) must hold pairs \(weight, state\), or triples \(weight, "
    r"state, rewards\)"
)


@pytest.mark.parametrize("outcomes", [None, 3])
def test_outcomes_that_are_no_iterable(outcomes: Any) -> None:
    message = f"{PAIRS}, got {outcomes} of type {type(outcomes).__name__}$"
    with pytest.raises(TypeError, match=message):
        CheckedGame(Scripted(outcomes=outcomes)).chance_outcomes("s")


@pytest.mark.parametrize("outcome", [5, (1,), (1, "t", [1, 2], 3), "1t", {1: 2, 3: 4}])
def test_outcomes_that_are_no_pairs(outcome: Any) -> None:
    with pytest.raises(TypeError, match=f"{PAIRS}, got "):
        CheckedGame(Scripted(outcomes=[outcome])).chance_outcomes("s")


@pytest.mark.parametrize(
    "weight", [0.5, 1.0, Fraction(1, 2), Fraction(1), True, np.True_, "t", None]
)
def test_weights_of_a_wrong_type(weight: Any) -> None:
    message = (
        f"{PAIRS} whose weights are integers >= 0, got the weight .* of type "
        f"{type(weight).__name__}$"
    )
    with pytest.raises(TypeError, match=message):
        CheckedGame(Scripted(outcomes=[(1, "t"), (weight, "u")])).chance_outcomes("s")


def test_negative_weight() -> None:
    message = f"{PAIRS} whose weights are integers >= 0, got the weight -1$"
    with pytest.raises(GameError, match=message):
        CheckedGame(Scripted(outcomes=[(2, "t"), (-1, "u")])).chance_outcomes("s")


@pytest.mark.parametrize("outcomes", [[], [(0, "t"), (0, "u")]])
def test_weights_that_sum_to_zero(outcomes: Any) -> None:
    message = f"{PAIRS} whose weights have a positive sum, got 0$"
    with pytest.raises(GameError, match=message):
        CheckedGame(Scripted(outcomes=outcomes)).chance_outcomes("s")


PAID = [
    ("returns", ("s",), r"^returns\('s'\)"),
    ("rewards", ("s", "left"), r"^rewards\('s', 'left'\)"),
    ("chance_outcomes", ("s",), r"^chance_outcomes\('s'\) with rewards"),
]
"""Where numbers are paid: the method, its arguments, and how messages begin."""


class Paying(Scripted):
    """The same payoffs wherever something is paid."""

    def rewards(self, state: Any, action: Any) -> Any:
        return self.payoffs

    def chance_outcomes(self, state: Any) -> Any:
        return [(1, "t"), [2, "u", self.payoffs]]


@pytest.mark.parametrize(("method", "given", "call"), PAID)
@pytest.mark.parametrize("payoffs", [[], [1], [1, 2, 3]])
def test_wrong_numbers_of_payoffs(
    method: str, given: Any, call: str, payoffs: Any
) -> None:
    message = rf"{call} must hold one number a player .* is 2\), got {len(payoffs)}: "
    with pytest.raises(GameError, match=message):
        getattr(CheckedGame(Paying(payoffs=payoffs)), method)(*given)


@pytest.mark.parametrize(("method", "given", "call"), PAID)
@pytest.mark.parametrize("payoffs", [None, 3, {1, 2}, {1: 2}, iter([1, 2])])
def test_payoffs_that_are_no_sequence(
    method: str, given: Any, call: str, payoffs: Any
) -> None:
    with pytest.raises(TypeError, match=rf"{call} must be a sequence, as a list or a "):
        getattr(CheckedGame(Paying(payoffs=payoffs)), method)(*given)


@pytest.mark.parametrize(("method", "given", "call"), PAID)
@pytest.mark.parametrize("payoff", ["1", True, np.True_, Decimal(1), None, 1j])
def test_payoffs_that_are_no_numbers(
    method: str, given: Any, call: str, payoff: Any
) -> None:
    message = (
        rf"{call} must hold numbers \(int, Fraction or float\), got .* of type "
        rf"{type(payoff).__name__}$"
    )
    with pytest.raises(TypeError, match=message):
        getattr(CheckedGame(Paying(payoffs=[1, payoff])), method)(*given)


@pytest.mark.parametrize(("method", "given", "call"), PAID)
@pytest.mark.parametrize("payoff", [float("nan"), float("inf"), -np.float64("inf")])
def test_payoffs_that_are_not_finite(
    method: str, given: Any, call: str, payoff: Any
) -> None:
    message = rf"{call} must hold finite numbers, got {payoff}$"
    with pytest.raises(GameError, match=message):
        getattr(CheckedGame(Paying(payoffs=[1, payoff])), method)(*given)


def test_payoffs_of_any_kind() -> None:
    game = CheckedGame(Paying(payoffs=[np.float32(0.5), np.int8(2)]))
    assert game.returns("s") == game.rewards("s", "left") == (0.5, 2)
    assert list(map(type, game.returns("s"))) == [float, Fraction]
    assert game.chance_outcomes("s") == [(1, "t"), (2, "u", (0.5, 2))]
    assert CheckedGame(Scripted()).rewards("s", "left") == (0, 0)


def test_rewards_that_are_no_method() -> None:
    class Listing(Scripted):
        rewards = (1, 2)

    with pytest.raises(
        TypeError, match=r"^rewards of a game must be a method, .*\(1, "
    ):
        CheckedGame(Listing())
