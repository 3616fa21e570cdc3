"""What calls of Pairs refuse, with the words of the messages."""

import math
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

import numpy as np

from cardgames_dp import pairs, play
from cardgames_dp.pairs import (
    HitBelow,
    Rules,
    enclosure,
    game,
    opening_table,
    plots,
    positions,
    published,
    rates,
    solve,
    state,
)

from ..refusals import refuses, too_large, type_error, value_error, within

RULES = Rules(deck=3, target=5)
LONGER = Rules(deck=3, target=6)
MORE = Rules(deck={1: 2, 2: 2, 3: 3}, target=5)  # two 1s can be in hands
OFFICIAL = pairs.Rules.official(deck=5, target=8, burn=2)


@cache
def solved() -> Any:
    return pairs.solve(RULES)


@cache
def remembered() -> Any:
    return pairs.solve(Rules(deck=3, target=4, reshuffle="exhausted"))


@cache
def three() -> Any:
    return pairs.solve(Rules(players=3, deck={1: 2, 2: 3}, target=3))


@cache
def response() -> Any:
    return play.best_response(pairs.game(RULES), [None, "never_hit"], 0)


@cache
def evaluated() -> Any:
    return play.evaluate(pairs.game(RULES), ["never_hit", "optimal"])


LOWEST = Rules(deck={1: 2, 2: 2, 3: 1}, target=4, deal=1, first="lowest")


@cache
def dealt() -> Any:
    return play.Position(pairs.solve(LOWEST))


@cache
def over() -> Any:
    return play.Position(pairs.solve(Rules(deck=2, target=1))).play(2).play("fold")


POOL = ThreadPoolExecutor(1)


def advising(scores: Any = (0, 0), **table: Any) -> Any:
    """Ask about one card against another."""
    return pairs.state(
        **{"hand": [1], "others": [2], "scores": scores} | table, rules=RULES
    )


def starting(deck: Any) -> Any:
    rules = remembered().game.rules
    return remembered().payoffs_at(pairs.state(deck=deck, rules=rules))


def deciding(policy: Any = "never_hit", rules: Any = None, **table: Any) -> Any:
    position: Any = {"hand": [5], "others": [9]} | table
    return pairs.decision(policy, pairs.state(**position), rules=rules)


def evaluating(rules: Any = RULES, policy: Any = "never_hit") -> Any:
    return play.evaluate(pairs.game(rules), policy)


def responding(rules: Any = RULES, policy: Any = "never_hit") -> Any:
    return play.best_response(pairs.game(rules), policy, 0)


def broken(_: Any) -> Any:
    raise RuntimeError("not today")


def sly(state: Any) -> Any:
    return np.where(RULES.lowest(state) > 2, "hit", "fold")


sly.__name__ = "<sly>"


class Careful:
    def __call__(self, state: Any) -> Any:
        return np.where(RULES.lowest(state) > 3, "hit", "fold")


def test_instances_of_classes_are_policies() -> None:
    assert pairs.rates(RULES, Careful()).policies == ("Careful",) * 2


def test_rules() -> None:
    type_error("of ranks to numbers of cards, or pairs of both", Rules, deck=[1, 2])
    value_error("a rank of deck must be an integer >= 1", Rules, deck={0: 1})
    value_error("deck must name each rank once", Rules, deck=[(3, 1), (3, 2)])
    value_error("reshuffle must be one of 'round'", Rules, reshuffle="never")
    value_error("deal must be 0 or 1", Rules, deal=2)
    value_error("first must be one of 'rotation', 'lowest", Rules, first="youngest")
    value_error("tie must be one of 'fold', 'hit', 'rounding", Rules, tie="draw")
    value_error("burn=3 and deal=0 for 2 players need 4", Rules, deck={1: 3}, burn=3)
    value_error("first='lowest' needs deal=1: without a deal", Rules, first="lowest")
    three: Any = {"first": "lowest", "deal": 1, "players": 3}
    value_error("has no such deal for 3 players", Rules, deck={1: 4, 2: 1}, **three)
    value_error("burn=1 is not for", Rules, reshuffle="essay", burn=1)
    value_error(
        "first='lowest' is not for", Rules, reshuffle="essay", first="lowest", deal=1
    )
    value_error("reshuffle='essay'", Rules, reshuffle="essay", players=4, deck=4)
    value_error("burn=0 and up to 6 scored", Rules.official, deck=3, target=9, burn=0)
    value_error("reshuffle='official' needs deal=1 and", Rules, reshuffle="official")
    value_error("for a table; use play.simulate(pairs.game(rules)", solve, OFFICIAL)


def test_solving() -> None:
    too_large("Pairs with 2 players and 3 ranks", within, 100, lambda: solve(RULES))
    remembered = Rules(reshuffle="exhausted")
    too_large(
        "2 players and 10 ranks needs about 116.4", within, 10**9, solve, remembered
    )
    ones = Rules(deck={1: 10**9}, capacity=10**9)
    too_large("2 players and 1 ranks needs about 2.728 TiB", within, 10**9, solve, ones)
    too_large("Pairs with 2 players", solve, Rules(deck={1: 1, 2: 10**400}, target=5))
    value_error("backend writes none", solve, RULES, backend="exact", checkpoint="x")
    value_error("executor is for", solve, RULES, backend="exact", executor=POOL)
    small: Any = (within, 1000, solve, RULES)
    too_large("the exact solution of up to", *small, backend="exact")
    value_error("in a folder that exists", solve, RULES, checkpoint="none/table.npz")
    value_error("goal must be fewer players than the game has", solve, RULES, goal=2)
    type_error("goal must return a finite number for", solve, RULES, goal=lambda _: 3)
    value_error("what goal returns must", solve, RULES, goal=lambda _: [1, math.nan])
    essay = Rules(deck=3, target=5, reshuffle="essay")
    value_error("a game may end without a loser; use", solve, essay, goal="points")
    value_error(
        "checkpoint is for goal='win", solve, RULES, goal="points", checkpoint="x.npz"
    )
    value_error("rules must be for two players, where", enclosure, Rules(players=3))
    value_error("rules must not have", enclosure, Rules(reshuffle="essay"))
    value_error("players and ranks must be one of (2, 10), (3, 8), (3", published, 4)


def test_scores_decks_and_hands() -> None:
    value_error("scores must hold an integer from 0 to 4 for each of 2", advising, [])
    refuses(KeyError, "'State(hand=(0, 0, 0), others=((0, 0, 0),)", starting, {})
    value_error("deck must hold cards that are not on the table", starting, {3: 4})
    value_error("deck must hold no more cards than the deck, 6", starting, {3: 7})
    value_error("deck must hold ranks of the deck, (1, 2, 3)", starting, {4: 1})
    type_error("a rank of hand must be an integer >= 1", advising, hand={1.0: 1})
    value_error("hand and others must hold at most {1: 1, 2", advising, others=[1])
    value_error("others must hold as many cards as the player", advising, others=[])
    value_error("others must hold the", state, [], [[1]], rules=three().game.rules)
    value_error("others[1] must hold", state, [], [[], [5]], rules=three().game.rules)
    value_error("already, one more", state, [], [[1], []], rules=three().game.rules)
    value_error("must hold", state, [], [1], rules=LOWEST)
    value_error("policy must not be 'optimal', for which the", deciding, "optimal")
    value_error("policy must be one of 'optimal', 'fifty_percent'", deciding, "bold")
    value_error("policy must give 'fold' or 'hit', or", deciding, lambda state: True)
    value_error("policy must give 'fold' or", deciding, lambda state: {"hit": 0.0})
    value_error("hand must hold ranks of the deck, (1, 2, 3, 4", deciding, hand=[11])
    value_error("the table, all of them, with reshuffle='round", deciding, deck=[4])


def test_positions() -> None:
    value_error("move must be one of ('hit',)", play.Position(solved()).play, 4)
    value_error("move must be one of ('fold'", play.Position(solved()).play(1).play, 1)
    value_error("chance moves, so there is no action to advise", dealt().advice)
    value_error("move must be one of ((1, 2), (1, 3), (2, 1)", dealt().play, "fold")
    value_error("the game is over, so nothing can be played", over().play, 1)
    value_error("the game is over, so there is no action to advise", over().advice)


def test_policies() -> None:
    value_error("1), player=1, drawing=False)", responding, policy=lambda state: True)
    value_error(
        "or a mapping of both to weights: an action must be one of ('fold', 'hit'),",
        responding,
        policy=lambda state: [True] * len(state.hand),
    )
    value_error(
        "policies[1] must give 'fold' or 'hit', or a mapping of both to weights",
        responding,
        policy=lambda state: {"hit": np.full(len(state.hand), -1.0), "fold": 3},
    )
    type_error("policies must be an instance of Careful", evaluating, policy=Careful)
    refuses(RuntimeError, "not today", evaluating, policy=broken)
    value_error("policies must be solutions of", play.evaluate, game(MORE), response())
    value_error("chance must be a number from 0 to 1", HitBelow, 30)


def test_simulations() -> None:
    long = game(Rules(deck={1: 2, 10**12: 1}, target=10**12))
    too_large("counts of games to 10000", play.simulate, long, "never_hit", 1)


def test_pictures() -> None:
    type_error("round_ must be a pairs.Round", plots.plot_hands, 3)
    start: Any = (plots.plot_hands, positions(solved()))
    value_error("1 and 2, 2 and 2, 2 and 3", *start, own=0, other=0)
    ones = positions(solve(Rules(deck={1: 1}, target=1)))
    value_error("own and other must be numbers of cards with", plots.plot_hands, ones)
    value_error("solution must be of two players", plots.plot_scores, three())
    value_error("rng is for simulated games; give", rates, RULES, "never_hit", rng=1)
    value_error("policies must not be mappings or solutions of", rates, RULES, {1: 2})
    value_error("solution must be one in which a player", opening_table, evaluated())
    value_error("has scored cards as well; use pairs.State", state, rules=OFFICIAL)
    value_error("leader must be below players, 2", state, leader=2)
    too_large("rules have cards or points that an", game, Rules(deck={1: 10**30}))
    table: Any = {"hit": 1, "fold": 2}
    value_error("policies must have an action", play.evaluate, game(RULES), table)
    value_error(
        "policies[0] must be a", play.evaluate, game(RULES), [evaluated(), "optimal"]
    )
    value_error("policies[0]='optimal'", play.simulate, game(OFFICIAL), "optimal", 1)
    value_error("deck, capacity and target", play.simulate, game(LONGER), solved(), 1)
    too_large("a game of 1000739892", within, 10**8, lambda: published().num_states)
