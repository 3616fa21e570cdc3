"""Blackjack: the endless deck of learning agents, and one deck card by card.

Player and dealer have two cards each, and one of the dealer's is face up. An ace counts
11 if the hand then has at most 21 (it is *usable*), otherwise 1. The player draws (hit)
until satisfied (stick); more than 21 loses. Then the dealer draws up to 17 or more, and
the higher hand wins. An ace with a ten is a *natural*.

From an endless deck each card is a ten with chance 4/13 and any other with 1/13. What a
natural is worth is the rule of Gymnasium's environment ``Blackjack-v1``:

``plain``
    Nothing more (``natural=False, sab=False``).
``natural``
    If it wins it pays 3/2 (``natural=True, sab=False``).
``sab``
    It beats all but a natural of the dealer (``sab=True``, what ``gymnasium.make``
    takes by itself): the game of R. S. Sutton and A. G. Barto, *Reinforcement Learning:
    An Introduction*, 2nd edition, MIT Press, 2018, example 5.1.
``casino``
    Naturals of both beat all else; the player's pays 3/2. Gymnasium lacks this one.

`OneDeck` is the casino's game with 52 cards. The dealer looks for a natural first. The
player may also double the bet on two cards, for one more card; nobody splits.

M. Shackleford (Wizard of Odds, "Blackjack appendix 9", 2019) has the first hands with
one deck, J. A. Nairn (geditcom.com, "Single deck blackjack expected values") the value
for players of basic strategy.

The script solves all this. With the name of a rule it prints instead the values of
sticking and hitting in each of its states: the player's sum, a usable ace, the dealer's
card.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement, product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import diagonal, exact, play
from cardgames_dp.game import CHANCE, TERMINAL, Solution

States = NDArray[Any]
RULES = ("plain", "natural", "sab", "casino")
CARDS = {card: 1 + 3 * (card == 10) for card in range(1, 11)}


class Hand(NamedTuple):
    """What matters of some cards: with one card the kind is "card", later "hand"."""

    total: int = 0
    usable: bool = False
    kind: str = ""

    def add(self, card: int) -> Hand:
        """Return the hand with one card more."""
        total, usable = self.total + card, self.usable
        if card == 1 and total <= 11:
            total, usable = total + 10, True
        elif total > 21 and usable:
            total, usable = total - 10, False
        if self.kind == "card" and total == 21:
            return Hand(total, usable, "natural")
        return Hand(total, usable, "hand" if self.kind else "card")


class State(NamedTuple):
    """Both hands, and what is next: "deal", "choose", "hit", "stick" or "over"."""

    player: Hand
    dealer: Hand
    phase: str


class Endless:
    """The game with an endless deck, by one of the rules."""

    num_players = 1

    def __init__(self, rule: str = "sab") -> None:
        self.rule = rule

    def initial_state(self) -> State:
        """Return the state before the deal."""
        return State(Hand(), Hand(), "deal")

    def current_player(self, state: State) -> int:
        """Return whether the player chooses or cards are drawn."""
        return {"choose": 0, "over": TERMINAL}.get(state.phase, CHANCE)

    def legal_actions(self, state: State) -> list[str]:
        """Return both decisions."""
        return ["stick", "hit"]

    def next_state(self, state: State, action: str) -> State:
        """Return the state in which somebody draws."""
        return state._replace(phase=action)

    def chance_outcomes(self, state: State) -> Iterator[tuple[int, State]]:
        """Yield the cards that can come."""
        player, dealer, phase = state
        if phase == "deal":
            for first, second, up in product(CARDS, repeat=3):
                hands = Hand().add(first).add(second), Hand().add(up)
                ways = CARDS[first] * CARDS[second] * CARDS[up]
                yield ways, State(*hands, "choose")
            return
        for card, ways in CARDS.items():
            if phase == "hit":
                hand = player.add(card)
                over = hand.total > 21
                yield ways, State(hand, dealer, "over" if over else "choose")
            else:
                hand = dealer.add(card)
                over = hand.total >= 17
                yield ways, State(player, hand, "over" if over else "stick")

    def returns(self, state: State) -> list[Fraction]:
        """Return what the player wins."""
        player, dealer, _ = state
        other = dealer.total if dealer.total <= 21 else 0
        lead = (player.total > other) - (player.total < other)
        if player.total > 21:
            return [Fraction(-1)]
        naturals = player.kind == "natural", dealer.kind == "natural"
        if self.rule == "sab" and naturals == (True, False):
            return [Fraction(1)]
        if self.rule == "casino" and naturals[0] != naturals[1]:
            return [Fraction(3, 2) if naturals[0] else Fraction(-1)]
        if self.rule == "natural" and naturals[0] and lead == 1:
            return [Fraction(3, 2)]
        return [Fraction(lead)]


def state(total: int, usable: bool, up: int, kind: str = "hand") -> State:
    """Return the state of an observation, in which the player chooses."""
    return State(Hand(total, usable, kind), Hand().add(up), "choose")


def stick_from(total: int) -> Any:
    """Return the policy to stick on some total or more."""
    return lambda state: "stick" if state.player.total >= total else "hit"


DEAL, CHOOSE, STICK, HIT, DOUBLE, DOUBLED, END = range(7)
MOST = 9
"""The most cards that the dealer draws from 52: 2, then 2 2 2 3 A A A A and any."""


class OneDeck:
    """The game with one deck, in halves of the bet.

    A state has how many cards of each rank the player holds, from the ace to the ten,
    the dealer's card, and what is next. The dealer's play is one move of chance: its
    weights are counted by `dealt`, so that no state is needed for it.
    """

    num_players = 1

    def __init__(self, deck: tuple[int, ...] = (4,) * 9 + (16,)) -> None:
        self.deck = np.array(deck)

    def initial_states(self) -> States:
        """Return the state before the deal."""
        return np.array([[*[0] * 11, DEAL]])

    def levels(self, states: States) -> States:
        """Return the number of cards, which grows."""
        over = states[:, 11] == END
        return np.where(over, 99, states[:, :10].sum(axis=1))

    def current_players(self, states: States) -> States:
        """Return whether the player chooses or cards are drawn."""
        players = np.full(len(states), CHANCE)
        players[states[:, 11] == CHOOSE] = 0
        players[states[:, 11] == END] = TERMINAL
        return players

    def legal_actions(self, states: States) -> tuple[States, States]:
        """Return what the player can do: nobody draws to 21, or doubles with three."""
        hands = states[:, :10]
        draws = totals(hands)[0] < 21
        two = hands.sum(axis=1) == 2
        legal = np.column_stack([np.ones_like(draws), draws, draws & two])
        index, which = np.nonzero(legal)
        return index, np.array([STICK, HIT, DOUBLE])[which]

    def next_states(self, states: States, actions: States) -> States:
        """Return the states in which somebody draws."""
        return np.column_stack([states[:, :11], actions])

    def chance_outcomes(self, states: States) -> tuple[States, States, States, States]:
        """Return all that can be drawn, and what it pays in halves of the bet."""
        index = np.arange(len(states))
        phase = states[:, 11]
        some = [
            (self.opened, index[phase == DEAL]),
            (self.drawn, index[(phase == HIT) | (phase == DOUBLE)]),
            (self.shown, index[(phase == STICK) | (phase == DOUBLED)]),
        ]
        parts = [(chosen, *ask(states[chosen])) for ask, chosen in some if len(chosen)]
        of, ways, after, paid = zip(
            *[(chosen[of], *rest) for chosen, of, *rest in parts], strict=True
        )
        return tuple(map(np.concatenate, (of, ways, after, paid)))  # type: ignore[return-value]

    def opened(self, _: States) -> tuple[States, ...]:
        """Return the first deals, and with them the games that a natural ends."""
        found = []
        for two in combinations_with_replacement(range(10), 2):
            for up in range(10):
                left, ways = self.deck.copy(), 1 + (two[0] != two[1])
                for card in (*two, up):
                    ways *= left[card]
                    left[card] -= 1
                own, lost = two == (0, 9), left[completing(up)].sum()
                over = [*[0] * 11, END]
                hand = [*np.bincount(two, minlength=10), up, CHOOSE]
                found.append((ways * lost, over, 0 if own else -2))
                rest = ways * (left.sum() - lost)
                found.append((rest, over if own else hand, 3 if own else 0))
        chances, after, paid = (np.array(each) for each in zip(*found, strict=True))
        return np.zeros_like(chances), chances, after, paid

    def left(self, states: States) -> tuple[States, States]:
        """Return what is unseen, and how many of it the hidden card cannot be."""
        up = states[:, 10]
        left = self.deck - states[:, :10] - np.eye(10, dtype=int)[up]
        never = np.where(up == 0, left[:, 9], np.where(up == 9, left[:, 0], 0))
        return left, never

    def drawn(self, states: States) -> tuple[States, ...]:
        """Return the cards that the player can draw.

        The dealer has no natural: the hidden card is one of the others, and so a card
        that it cannot be is more likely to be drawn.
        """
        left, never = self.left(states)
        up, unseen = states[:, 10], left.sum(axis=1)
        ways = left * (unseen - never - 1)[:, np.newaxis]
        for ace_or_ten in (0, 9):
            rows = up == 9 - ace_or_ten
            ways[rows, ace_or_ten] = (never * (unseen - never))[rows]
        index, card = np.nonzero(ways)
        after, phase = states[index], states[index, 11]
        after[np.arange(len(index)), card] += 1
        bust = totals(after[:, :10])[0] > 21
        after[:, 11] = np.where(phase == HIT, CHOOSE, DOUBLED)
        after[bust] = [*[0] * 11, END]
        paid = np.where(bust, np.where(phase == HIT, -2, -4), 0)
        return index, ways[index, card], after, paid

    def shown(self, states: States) -> tuple[States, ...]:
        """Return how often the player loses, draws and wins."""
        left, _ = self.left(states)
        total, _ = totals(states[:, :10])
        ways = np.zeros((len(states), 3), dtype=np.int64)
        for up in np.unique(states[:, 10]):
            rows = np.flatnonzero(states[:, 10] == up)
            for last, many in dealt(left[rows], int(up)).items():
                sign = np.sign(total[rows] - (last if last <= 21 else 0))
                ways[rows, sign + 1] += many
        index = np.repeat(np.arange(len(states)), 3)
        stake = np.where(states[index, 11] == STICK, 2, 4)
        paid = stake * np.tile([-1, 0, 1], len(states))
        after = np.tile([*[0] * 11, END], (len(index), 1))
        return index, ways.ravel(), after, paid

    def returns(self, states: States) -> States:
        """Return nothing, as all is paid."""
        return np.zeros(len(states), dtype=int)


def totals(hands: States) -> tuple[States, States]:
    """Return what hands count, and whether they have a usable ace."""
    hard = hands @ np.arange(1, 11)
    usable = (hands[:, 0] > 0) & (hard <= 11)
    return hard + 10 * usable, usable


def completing(up: int) -> list[int]:
    """Return the ranks that make the dealer's card a natural."""
    return {0: [9], 9: [0]}.get(up, [])


def dealt(left: States, up: int) -> Counter[int]:
    """Return in how many orders of the unseen cards the dealer ends with a total.

    Of the orders the first `MOST` cards count; the first makes no natural. The totals
    above 21 are one, 22. All numbers are arrays, by the rows of `left`.
    """
    unseen, found = left.sum(axis=1), Counter[int]()
    rest = [np.ones_like(unseen)]
    for drawn in reversed(range(MOST)):
        rest.insert(0, rest[0] * (unseen - drawn))
    ranks = left.T.copy()

    def draw(hand: Hand, ways: States, drawn: int) -> None:
        if hand.total >= 17:
            found[min(hand.total, 22)] += ways * rest[drawn]
            return
        for rank in range(10):
            if drawn == 0 and rank in completing(up):
                continue
            many = ways * ranks[rank]
            if many.any():
                ranks[rank] -= 1
                draw(hand.add(rank + 1), many, drawn + 1)
                ranks[rank] += 1

    draw(Hand().add(up + 1), np.ones_like(unseen), 0)
    return found


def hand_of(*cards: int, up: int) -> States:
    """Return the state of one deck in which the player chooses with some cards."""
    ranks = np.bincount(np.array(cards) - 1, minlength=10)
    return np.array([[*ranks, up - 1, CHOOSE]])


def show_table(rule: str) -> None:
    """Print the values of all states by a rule."""
    solution = exact.solve(Endless(rule))
    print("sum, ace, dealer's card: stick, hit")
    hands = [(t, False, "hand") for t in range(4, 22)]
    hands += [(t, True, "hand") for t in range(12, 22)] + [(21, True, "natural")]
    for total, usable, kind in hands:
        for up in CARDS:
            advice = solution.advice(state(total, usable, up, kind))
            stick, hit = (float(advice.values[each]) for each in ("stick", "hit"))
            name = {"natural": "natural"}.get(kind, "usable" if usable else "none")
            print(f"{total:2} {name:7} {up:2}: {stick:+.9f} {hit:+.9f}")


def show_endless() -> None:
    """Print what all rules are worth, and the policies by the rule of the book."""
    print("endless deck: optimal play; stick on 20 or 21; stick from 17, as the dealer")
    solutions = {rule: exact.solve(Endless(rule)) for rule in RULES}
    for rule, solution in solutions.items():
        simple: list[Any] = [
            play.evaluate(solution, stick_from(n)).value for n in (20, 17)
        ]
        values = [f"{float(x):+.10f}" for x in (solution.value, *simple)]
        print(f"  {rule:8}", *values)
    solution = solutions["sab"]
    print(f"exactly, by the rule sab: {solution.value * 13**26} / 13^26")
    print("and there you stick from these sums, against A 2 3 4 5 6 7 8 9 10:")
    for usable, lowest in ((False, 11), (True, 12)):
        least = [
            next(
                total
                for total in range(lowest, 22)
                if solution.policy[state(total, usable, up)] == "stick"
            )
            for up in CARDS
        ]
        print(f"  {'usable ace' if usable else 'no ace':11}", *least)


def show_notch() -> None:
    """Print what is best with an ace and a seven against an ace."""
    print("ace and seven against an ace: stick, hit, and what is lost by sticking")
    for rule in ("sab", "casino"):
        game = Endless(rule)
        solution = exact.solve(game)
        notch = state(18, True, 1)
        stick, hit = (float(x) for x in solution.advice(notch).values.values())
        thorp = {**solution.policy, notch: "stick"}
        lost = float(play.regret(solution, thorp).loss)
        print(f"  endless, {rule:7}{stick:+.7f} {hit:+.7f} {lost:.1e}")


def by_totals(solution: Solution[Any, Any, float]) -> Any:
    """Return the policy to do with a total what is best on average with two cards."""
    found = solution.explored
    states: States = found.states_at(np.flatnonzero(found.graph.players == 0))
    states = states[states[:, :10].sum(axis=1) == 2]
    index, actions, values, _ = solution.advice(states)
    reach: Any = play.distribution(solution).reach
    brought = np.zeros((450, DOUBLED))
    np.add.at(brought, (groups(states)[index], actions), reach(states)[index] * values)

    def policy(states: States) -> States:
        worth = brought[groups(states)]
        worth[states[:, :10].sum(axis=1) > 2, DOUBLE] = -np.inf
        best: States = STICK + worth[:, STICK:].argmax(axis=1)
        return best

    return policy


def groups(states: States) -> States:
    """Return a number for a total, a usable ace, and the dealer's card."""
    total, usable = totals(states[:, :10])
    return (2 * total + usable) * 10 + states[:, 10]


def show_one_deck() -> None:
    """Print what the game with one deck is worth."""
    solution = diagonal.solve(OneDeck())
    _, _, values, _ = solution.advice(hand_of(1, 7, up=1))
    stick, hit = values[:2] / 2
    print(f"  one deck        {stick:+.7f} {hit:+.7f} (published: -0.101015 -0.108386)")
    value, error = solution.value / 2, solution.error / 2
    print(f"one deck, no splits, {solution.num_states:,} states")
    print(f"  card by card    {value:+.12f}, within {error:.0e}")
    rule = play.evaluate(solution, by_totals(solution))
    print(f"  by totals       {rule.value / 2:+.12f} (basic strategy: -0.0038485)")


def main() -> None:
    """Solve the games, or print the table of one rule."""
    if len(sys.argv) > 1:
        show_table(sys.argv[1])
        return
    show_endless()
    show_notch()
    show_one_deck()


if __name__ == "__main__":
    main()
