"""Policies of cards in a row: the rules by which a player chooses turns.

A policy here is *memoryless*: its turn depends only on the cards left, an interval of
the row, and on random draws made anew at each turn. The named policies are those of
Pashevich's report and a few others for comparison; `Policy` lists them.

References
----------
Pashevich and others ("APP2: Hold'em for n00bs"), sections 2 to 4.
"""

from __future__ import annotations

import functools
import reprlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias, get_args

import numpy as np

from cardgames_dp._support import arguments
from cardgames_dp._support.aliases import Alias
from cardgames_dp.cardrow._kernels import players
from cardgames_dp.cardrow._kernels.players import Deals, Hands, Odds, Player
from cardgames_dp.cardrow._kernels.row import Exact, Number, Row, RuleSet
from cardgames_dp.cardrow.rules import Rules, Side, State, Turn

NamedPolicy: TypeAlias = Literal[
    "optimal", "greedy", "greedy_literal", "larger", "smaller", "random"
]
POLICIES: tuple[NamedPolicy, ...] = get_args(NamedPolicy)
PolicyFunction: TypeAlias = Callable[
    [tuple[Exact, ...], int, int],
    Side | Turn | Fraction | Decimal | float | Mapping[Any, Any],
]
"""``policy(cards, left, right)``: the whole row, and the positions of its end cards."""
Mixture: TypeAlias = Mapping[Any, Number]
"""Policies with weights, one of which is drawn anew at each turn."""


class RecordPlayer(Protocol):
    """A record of turns that plays by them: a solution or a best response."""

    def _player(self, deals: Deals, name: str) -> Player: ...


if TYPE_CHECKING:
    Policy: TypeAlias = NamedPolicy | RecordPlayer | PolicyFunction | Mixture
else:
    Policy = Alias(
        "Policy",
        __name__,
        NamedPolicy | RecordPlayer | PolicyFunction | Mixture,
        """A policy: a name, a function, a solved row, or a mixture of policies.

        The named policies are:

        ====================  =======================================================
        ``"optimal"``         Plays optimally: guarantees the value of the cards left.
        ``"greedy"``          Looks one turn ahead: maximises the card taken less the
                              best card that the opponent can take next.
        ``"greedy_literal"``  The greedy player as Pashevich's report prints it, with a
                              mistake: it compares the absolute values of these two
                              differences, and takes the left card if its is smaller.
                              Ties are frequent; the report's rule for them is
                              ``Rules(tie="right")``, by which it takes the 1 of 2, 1.
        ``"larger"``          Takes the larger of the two end cards.
        ``"smaller"``         Takes the smaller of the two end cards.
        ``"random"``          Takes either end card, with probability 1/2 each.
        ====================  =======================================================

        A function ``policy(cards, left, right)`` gets the whole row as a tuple of exact
        numbers, and the positions of the end cards of the interval that is left. It
        returns "left", "right", the probability of taking the left card, a
        :class:`Turn`, or a mapping of turns to weights.

        A :class:`Solution` plays its best turns, a :class:`Response` its own, on the
        row and by the rules for which they were made, a response in its seat only.

        A mapping of policies to weights follows one of them, drawn anew at each turn.
        Weights are ints, Fractions, Decimals or floats >= 0; only their ratios matter.
        7 and 3 are exactly 70 % and 30 %; the floats 0.7 and 0.3 are binary fractions,
        whose ratio is not exactly 7 to 3.

        Under rules with several cards a turn, "larger" and "smaller" take the turn that
        is worth most or least at once, "greedy" subtracts the next player's best turn,
        and "random" takes every legal turn with the same probability; "greedy_literal"
        is not defined. Each player counts the cards by their own values. Where both
        ends are equally good to a named player, ``rules.tie`` decides; a function that
        returns ``Fraction(1, 2)`` there takes either end with even chances.

        Examples
        --------
        >>> from cardgames_dp import cardrow
        >>> def sweet_tooth(cards, left, right):
        ...     return "right" if cards[right] == 8 else "left"
        >>> sister = {"larger": 4, "random": 1}  # at random in one turn of five
        >>> policies: list[cardrow.Policy] = ["optimal", sweet_tooth, sister]
        >>> cardrow.best_response([8, 4, 2, 2, 4, 8], sister, backend="exact").value
        Fraction(6, 5)
        """,
    )


def checked(name: str, policy: Any, *, sums: bool = False) -> Policy:
    """Return a policy given as an argument, checked.

    Parameters
    ----------
    name : str
        The name of the argument in error messages.
    policy : object
    sums : bool, default False
        Whether it may look at what has been taken so far.

    Raises
    ------
    TypeError, ValueError
        If it is not a policy. What a callable returns is checked when it is called.
    """
    arguments.not_a_class(name, policy)
    if looks_at_sums(policy) and not sums:
        raise TypeError(
            f"{name} must be a policy that looks only at the cards left, got a "
            "response that looks at the sums as well; match and distribution play it, "
            "and its attribute `guaranteed` is its worst case, if made with slack="
        )
    if isinstance(policy, Mapping):
        _shares(name, policy)
        return policy
    named = isinstance(policy, str) and policy in POLICIES
    if named or is_record(policy) or callable(policy):
        return policy  # type: ignore[no-any-return]
    raise arguments.not_one_of(
        name,
        policy,
        POLICIES,
        "a callable of the cards, left and right",
        "a mapping of policies to weights",
    )


def _shares(name: str, mixture: Mixture) -> dict[Policy, Fraction]:
    """Return the policies of a mixture with their exact probabilities, checked."""
    amounts = {
        checked(f"a policy in {name}", policy): arguments.amount(
            f"{name}[{arguments.shown(name_of(policy))}]", weight
        )
        for policy, weight in mixture.items()
    }
    total = sum(amounts.values())
    if not total:
        raise arguments.wrong_value(
            f"{name} must not have weights that are all 0", mixture
        )
    return {policy: amount / total for policy, amount in amounts.items()}


def name_of(policy: Policy) -> str:
    """Return the name of a policy."""
    if isinstance(policy, str):
        return str(policy)
    if isinstance(policy, Mapping):
        shares = _shares("policy", policy).items()
        return " + ".join([f"{float(x):.4g} {name_of(part)}" for part, x in shares])
    if is_record(policy):
        return str(policy.__name__)  # type: ignore[union-attr]
    return arguments.called(policy)


def is_record(policy: object) -> bool:
    """Return whether a policy is a record of turns."""
    return hasattr(policy, "_player")


def looks_at_sums(policy: Any) -> bool:
    """Return whether a policy is a response that looks at the sums taken so far."""
    return is_record(policy) and getattr(policy, "plan", None) is not None


def player_of(policy: Policy, deals: Deals, name: str) -> Player:
    """Return a policy in the form in which the kernels ask it.

    Parameters
    ----------
    policy : Policy
        A checked one.
    deals : Deals
        The rows that are played, with the rules.
    name : str
        The player's name in error messages.

    Raises
    ------
    ValueError
        If the policy is not one for these rows and rules. The player itself raises it
        if a callable does not return a legal turn.
    TooLargeError
        If a table that it needs would not fit in memory.
    """
    if isinstance(policy, Mapping):
        shares = _shares(name, policy)
        parts = [player_of(part, deals, name) for part in shares]
        return lambda hands, seat: players.mixed(
            [p(hands, seat) for p in parts], [*shares.values()]
        )
    if is_record(policy):
        found: Player = policy._player(deals, name)  # type: ignore[union-attr]
        return found
    if callable(policy):
        return lambda hands, _seat: _asked(policy, name, hands)
    if policy == "greedy_literal" and deals.rules.take > 1:
        raise ValueError(
            f"player {name} must be another policy than 'greedy_literal', which "
            f"compares two cards, with take={deals.rules.take}"
        )
    if policy == "optimal":
        return players.optimal(deals)
    return players.RULES_OF_THUMB[str(policy)]


def named_player(policy: Any, rules: RuleSet, row: Row) -> tuple[Player, Deals] | None:
    """Return a player with a name, or a mixture of such, and the deal of a row.

    Others are returned as None: they are policies of any game already.
    """
    mixed = isinstance(policy, Mapping) and policy and policy.keys() <= set(POLICIES)
    if not mixed and not isinstance(policy, str):
        return None
    if not mixed:
        arguments.choice("policies", policy, POLICIES)
    deals = Deals.of(rules, [row])
    return player_of(policy, deals, arguments.shown(name_of(policy))), deals


def by_state(policy: Any, rules: RuleSet, row: Row) -> Callable[[State], Any] | None:
    """Return a policy with a name as one of the states of `Rules.game`, or None."""
    named = named_player(policy, rules, row)
    if named is None:
        return None
    player, deals = named

    @functools.cache
    def turns(left: int, right: int, seat: int) -> dict[Turn, int]:
        which = np.array([0]), np.array([left])
        hands = Hands(deals, right - left + 1, which)
        weights = player(hands, seat).parts[:, 0].tolist()
        parts = zip(hands.codes, weights, strict=True)
        return {Turn.of_code(code): int(weight) for code, weight in parts if weight}

    return lambda state: turns(*state[:3])


def _asked(policy: Callable[..., Any], name: str, hands: Hands) -> Odds:
    """Ask a callable about each interval, and check its answers."""
    found: dict[tuple[int, int], dict[int, Fraction]] = {}
    legal, places = {*hands.codes}, [*hands.places()]
    for row, left in dict.fromkeys(places):
        if hands.length == 1:
            found[row, left] = {-1: Fraction(1)}
            continue
        cards, right = hands.deals.given[row], left + hands.length - 1
        answer = arguments.ask(f"player {name}", policy, cards, left, right)
        try:
            chances = _chances(answer)
            if not chances.keys() <= legal:
                raise ValueError
        except (TypeError, ValueError) as error:
            rest = reprlib.repr(list(cards[left : right + 1]))
            raise type(error)(
                f"player {name} must return {_ACCEPTED[hands.deals.rules.take > 1]}, "
                f"got {arguments.shown(answer)} for the cards {rest} at {left} to "
                f"{right}"
            ) from None
        found[row, left] = chances
    return players.weighed([found[place] for place in places], hands)


_ACCEPTED = (
    "'left', 'right' or the probability of 'left', a number from 0 to 1",
    "a legal turn ('left', 'right' or a cardrow.Turn), the probability of 'left', or a "
    "mapping of turns to weights",
)
"""What a callable may return, by the classic rules and by others."""

_SIDES = {"left": {-1: Fraction(1)}, "right": {1: Fraction(1)}}


def _chances(answer: Any) -> dict[int, Fraction]:
    """Return the probabilities of turns, by their codes; errors have no message."""
    if isinstance(answer, str) and answer in _SIDES:
        return _SIDES[answer]
    if isinstance(answer, (str, Turn)):
        answer = {answer: 1}
    if isinstance(answer, Mapping):
        turns = [turn if isinstance(turn, Turn) else Turn(turn) for turn in answer]
        weights = [arguments.amount("a weight", x) for x in answer.values()]
        total = sum(weights)
        if not total:
            raise ValueError
        parts = zip(turns, weights, strict=True)
        return {turn.code: x / total for turn, x in parts if x}
    chance = arguments.amount("a probability", answer)
    if chance > 1:
        raise ValueError
    return {code: x for code, x in ((-1, chance), (1, 1 - chance)) if x}


def places(players: int) -> list[str]:
    """Return the names of the seats: "first", "second" and so on."""
    words = ["first", "second", "third", "fourth", "fifth", "sixth"]
    return [*words, *[f"{i + 1}th" for i in range(len(words), players)]][:players]


def seated(given: Sequence[Any], rules: Rules, deals: Deals) -> list[Player]:
    """Return policies as players, one for each seat, checked."""
    if len(given) != rules.players:
        raise TypeError(
            f"there must be a player for each of {rules.players} seats, got "
            f"{len(given)}"
        )
    found = []
    for name, policy in zip(places(rules.players), given, strict=True):
        checked(name, policy, sums=True)
        called = f"{arguments.shown(name_of(policy))}, who is to move {name},"
        found.append(player_of(policy, deals, called))
    return found


def refuse_other_games(
    cards: tuple[Exact, ...], rules: Rules, deals: Deals, name: str
) -> None:
    """Refuse rows and rules for which a record of turns was not made."""
    same = replace(rules, tie=deals.rules.tie) == deals.rules
    if not same or any(given != cards for given in deals.given):
        raise ValueError(
            f"player {name} must be made for this row and these rules; it is for "
            f"{arguments.shown(list(cards))}, by {rules!r}"
        )
