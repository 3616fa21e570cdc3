"""What calls of cards in a row refuse, with the words of the messages."""

import math
from typing import Any

import numpy as np

from cardgames_dp import cardrow, play
from cardgames_dp.cardrow import (
    Rules,
    State,
    best_response,
    brute_force,
    deal,
    game,
    match,
    plots,
    solve,
    tournament,
    value,
    values,
)

from ..refusals import refuses, too_large, type_error, value_error, within


def answering(answer: Any) -> Any:
    """Return a player who answers so where two cards are left."""

    def player(state: State) -> Any:
        return "left" if state.right - state.left > 1 else answer

    return player


def two_of_it(_state: State) -> Any:
    return 2


def of_rows(policy: Any) -> Any:
    """Return it for rows: what a function of the cards returns."""

    def player(_cards: Any) -> Any:
        return policy

    return player


def sly(_state: State) -> str:
    return "left"


sly.__name__ = "<sly>"


class Careful:
    def __call__(self, _state: State) -> str:
        return "left"


def right(_state: State) -> str:
    return "right"


mixture, respond, Position = play.mixture, play.best_response, play.Position
TWO, THREE, WEIGHTED = Rules(take=2), Rules(players=3), Rules(weights=[1, 2])
PLAN = cardrow.best_response([1, 2, 3], "random")


def test_rows_of_cards() -> None:
    value_error("cards must hold at least one card", value, [])
    type_error("cards[0] must be a finite int, Fraction, Decimal or", value, [1j])
    value_error("cards[0] must be a finite int, Fraction, Decimal or", value, "_5")
    value_error("the number of cards must be at most 24", brute_force, range(25))


def test_many_rows() -> None:
    type_error("rows[0] must be a row, an iterable of numbers", values, [1, 2])
    type_error("policy must be a policy for many rows, a", values, [[1, 2, 3]], PLAN)
    value_error("player 'player', the policy", values, [[1, 2]], of_rows(two_of_it))
    value_error("rules must be the classic", values, [[1, 2]], "greedy", rules=TWO)


def test_several_rows_side_by_side_and_stacks() -> None:
    value_error("rows must hold at least one row", value)
    value_error("several rows need rules with take=1", value, [1], [2], rules=THREE)
    value_error("rules.weights must hold one", value, [1, 2], [3], rules=WEIGHTED)
    value_error("method must be 'auto' for", value, [1], [2], method="diagonal")


def test_rules() -> None:
    value_error("tie must be one of 'larger', 'left', 'right", Rules, tie="up")
    value_error("weights are what the cards are", Rules, weights=[1, 2], players=3)


def test_values() -> None:
    value_error("method must be one of 'auto'", value, [1, 2], method="fast")
    value_error("method 'collapse' is", value, [1, 2], rules=TWO, method="collapse")
    value_error("cards must have a value that fits in a float64", value, [10**400, 1])
    too_large(
        "an optimal player of 1", within, 10**5, lambda: match(range(1000), rules=TWO)
    )
    long: Any = (within, 10**6, value, range(1000))
    too_large("a sweep over 1000 cards with up to", *long, rules=Rules(take=1000))


def test_states_and_turns() -> None:
    values = solve([1, 5]).values
    refuses(KeyError, "'State(left=0, right=0, pl", values.__getitem__, State(0, 0))
    value_error("state must be one in which a", solve([1, 5]).advice, State(2, 1))
    value_error("move must be one of ('right'", Position(solve([1, 2])).play, "up")


def test_tables() -> None:
    value_error("cards must have sums of at most 1e307 for", solve, [10**400, 1])
    nine: Any = (within, 5000, solve, [1] * 9)
    too_large("a table of 9 x 9 intervals needs about", *nine, rules=Rules(players=9))


def test_players() -> None:
    type_error("there must be a player", match, [1, 2], "larger", "larger", "larger")
    value_error("player 'player', who is to", match, [1, 2], answering({}), "larger")
    type_error("players['me'] must be an", tournament, {"me": Careful}, [[1, 2]])
    long: Any = (within, 10**5, match, range(1000), "optimal", "optimal")
    too_large("use shorter rows; match(cards) needs no table", *long)
    value_error("player 'solution', who is", match, [2, 1], "larger", solve([1, 2]))
    value_error(
        "2), tie='larger')", match, [1, 2], "larger", solve([1, 2], rules=WEIGHTED)
    )
    shares: Any = {"larger": 4, "random": 1}
    type_error("first must be a mapping of", match, [1, 2], shares, "larger")
    value_error("player 'mapping', who", match, [1, 2], {(0, 1, 0): "up"}, "larger")
    second = respond(game([1, 5, 2]), ["larger", None], 1)
    value_error("must have an action for every", match, [1, 5, 2], second, "larger")
    value_error("what player '<sly>' returns for a row", tournament, [sly], [[1, 2]])
    type_error("what player 'player', the policy", values, [[1, 2]], of_rows(PLAN))
    value_error("for which this response was made", match, [1, 2, 3], "larger", PLAN)
    value_error("policies must be one", respond, game([1, 5, 2]), ["large", None], 1)


def test_responses() -> None:
    value_error("goal='lead' is for a", best_response, [1, 2], "larger", goal="lead")
    value_error("opponent must be one of 'optimal'", best_response, [1, 2], "sister")
    value_error("seat must be less than the", best_response, [1, 2], "larger", seat=2)
    value_error("cards must have sums of at", best_response, [1e308] * 2, "larger")
    value_error("player 'two_of_it', the", best_response, [1, 2, 3], two_of_it)
    how: Any = {"rules": THREE, "slack": 0}
    value_error("slack is for two players, as", best_response, [1], "random", **how)
    value_error("of 2 other players", best_response, [1], ["random"], rules=THREE)
    value_error(
        "player '<lambda>', the opponent, must return a legal turn, one of ('left'",
        lambda: best_response([1, 2, 3], lambda _: "3 from the left", rules=TWO),
    )
    type_error("opponent must be a policy that looks", best_response, [1, 2, 3], PLAN)
    long = [3**k for k in range(60)]
    too_large("a response for 60 cards with", best_response, long, "random", goal="win")


def test_tournaments_and_deals() -> None:
    type_error("players must have names that", tournament, {1: "larger"}, [[1, 2]])
    value_error(
        "have different names", tournament, [two_of_it, "larger", two_of_it], [[1, 2]]
    )
    value_error("deals must have cards", tournament, ["larger"], [[10**400, 1]] * 2)
    sloth: Any = {"sloth": of_rows(answering(None))}
    value_error("player 'sloth' must return a legal turn", tournament, sloth, [[1, 2]])
    both: Any = {"both": of_rows(answering(np.array(["left", "right"])))}
    value_error("player 'both' must return a legal turn", tournament, both, [[1, 2]])
    value_error("games must be an integer >= 1", deal, 0, 3)
    value_error("cards must be at most the 52 of the deck", deal, 2, 53)
    value_error("deck must be one row of cards", deal, 2, 3, deck=[[1, 2]])
    value_error("deck must hold finite numbers", deal, 2, 1, deck=[math.nan])
    too_large("1000000000000 rows of 3 cards needs about 756.7 TiB", deal, 10**12, 3)


def test_pictures() -> None:
    value_error("cards must be at most 30 for a", plots.plot_collapse, [1] * 10**6)
