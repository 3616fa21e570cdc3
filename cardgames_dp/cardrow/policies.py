"""Policies of cards in a row: the rules by which a player chooses turns.

A policy here is *memoryless*: its turn depends only on the cards left, an interval of
the row, and on random draws made anew at each turn. The named policies are those of
Pashevich's report and a few others for comparison; `Policy` lists them.

References
----------
Pashevich and others ("APP2: Hold'em for n00bs"), sections 2 to 4.
"""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias, get_args

from cardgames_dp._results.records import Record
from cardgames_dp._support import arguments
from cardgames_dp._support.door import Alias
from cardgames_dp.cardrow._kernels import players
from cardgames_dp.cardrow._kernels.players import Deals, Hands, Odds, Player
from cardgames_dp.cardrow._kernels.row import Exact, Number
from cardgames_dp.cardrow.rules import Rules, Side, Turn, terms_of

NamedPolicy: TypeAlias = Literal[
    "optimal", "greedy", "greedy_literal", "larger", "smaller", "random"
]
POLICIES: tuple[NamedPolicy, ...] = get_args(NamedPolicy)
PolicyFunction: TypeAlias = Callable[
    [tuple[Exact, ...], int, int],
    Side | Turn | Fraction | Decimal | float | Mapping[Any, Any],
]
"""``policy(cards, left, right)``: the whole row, and the positions of its end cards."""


class RecordPlayer(Protocol):
    """A record of turns that plays by them: a solution or a best response."""

    def _player(self, deals: Deals, name: str) -> Player: ...


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Mixed(Record):
    """A random mixture of policies: one of them is drawn anew at each turn.

    Parameters
    ----------
    weights : mapping of Policy to number
        How often each policy is followed, relative to the others: ints, Fractions,
        Decimals or floats >= 0. Only the ratios matter. 7 and 3 are exactly 70 % and
        30 %; the floats 0.7 and 0.3 are binary fractions, whose ratio is not exactly 7
        to 3.

    Attributes
    ----------
    shares : tuple of pairs of Policy and Fraction
        The policies with their exact probabilities.

    Raises
    ------
    ValueError
        If a key is not the name of a policy, a weight is negative, NaN or infinite, or
        no weight is positive.

    Examples
    --------
    A sister who takes the larger card, but plays at random in one turn of five:

    >>> from cardgames_dp import cardrow
    >>> sister = cardrow.Mixed({"larger": 4, "random": 1})
    >>> sister
    Mixed(0.8 larger, 0.2 random)
    >>> cardrow.best_response([8, 4, 2, 2, 4, 8], sister, backend="exact").value
    Fraction(6, 5)
    """

    shares: tuple[tuple[Policy, Fraction], ...]

    def __init__(self, weights: Mapping[Policy, Number]) -> None:
        if not isinstance(weights, Mapping):
            raise TypeError(
                "weights must be a mapping of policies to numbers, got "
                f"{arguments.described(weights)}"
            )
        policies = [checked("a policy in weights", policy) for policy in weights]
        amounts = [
            arguments.amount(f"weights[{name_of(policy)}]", weights[policy])
            for policy in policies
        ]
        total = sum(amounts)
        if not total:
            raise ValueError(
                f"weights must not all be 0, got {arguments.shown(weights)}"
            )
        shares = [(p, x / total) for p, x in zip(policies, amounts, strict=True)]
        object.__setattr__(self, "shares", tuple(shares))

    def __repr__(self) -> str:
        parts = [f"{float(x):.4g} {name_of(policy)}" for policy, x in self.shares]
        return f"Mixed({', '.join(parts)})"


if TYPE_CHECKING:
    Policy: TypeAlias = NamedPolicy | Mixed | RecordPlayer | PolicyFunction
else:
    Policy = Alias(
        "Policy",
        __name__,
        NamedPolicy | Mixed | RecordPlayer | PolicyFunction,
        """A policy: a name, a mixture of policies, a function, or a solved row.

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

        ``Mixed({policy: weight, ...})`` follows one of several policies, drawn anew at
        each turn.

        A function ``policy(cards, left, right)`` gets the whole row as a tuple of exact
        numbers, and the positions of the end cards of the interval that is left. It
        returns "left", "right", the probability of taking the left card, a
        :class:`Turn`, or a mapping of turns to weights.

        A :class:`Solution` plays its best turns, a :class:`Response` its own, on the
        row and by the rules for which they were made, a response in its seat only.

        Under rules with several cards a turn, "larger" and "smaller" take the turn that
        is worth most or least at once, "greedy" subtracts the next player's best turn,
        and "random" takes every legal turn with the same probability; "greedy_literal"
        is not defined. Each player counts the cards by their own values. Where both
        ends are equally good to a named player, ``rules.tie`` decides.

        Examples
        --------
        >>> from cardgames_dp import cardrow
        >>> def sweet_tooth(cards, left, right):
        ...     return "right" if cards[right] == 8 else "left"
        >>> sister = cardrow.Mixed({"larger": 4, "random": 1})
        >>> policies: list[cardrow.Policy] = ["optimal", sister, sweet_tooth]
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
    if getattr(policy, "looks_at_sums", False) and not sums:
        raise TypeError(
            f"{name} must be a policy that looks only at the cards left, got a "
            "response that looks at the sums as well; match and distribution play it, "
            "and its attribute `guaranteed` is its worst case, if made with slack="
        )
    named = isinstance(policy, str) and policy in POLICIES
    if named or isinstance(policy, Mixed) or is_record(policy) or callable(policy):
        return policy  # type: ignore[no-any-return]
    raise arguments.not_one_of(
        name, policy, POLICIES, "a Mixed", "a callable of the cards, left and right"
    )


def name_of(policy: Policy) -> str:
    """Return the name of a policy."""
    if isinstance(policy, (str, Mixed)):
        return str(policy)
    if is_record(policy):
        return str(policy.__name__)  # type: ignore[union-attr]
    return arguments.called(policy)


def is_record(policy: object) -> bool:
    """Return whether a policy is a record of turns."""
    return hasattr(policy, "_player")


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
    if isinstance(policy, Mixed):
        parts = [player_of(part, deals, name) for part, _ in policy.shares]
        shares = [share for _, share in policy.shares]
        return lambda hands, seat: players.mixed(
            [p(hands, seat) for p in parts], shares
        )
    if is_record(policy):
        found: Player = policy._player(deals, name)  # type: ignore[union-attr]
        return found
    if callable(policy):
        return lambda hands, _seat: _asked(policy, name, hands)
    if policy == "greedy_literal" and deals.terms.take > 1:
        raise ValueError(
            f"player {name} must be another policy than 'greedy_literal', which "
            f"compares two cards, with take={deals.terms.take}"
        )
    if policy == "optimal":
        return players.optimal(deals)
    return players.RULES_OF_THUMB[str(policy)]


def _asked(policy: Callable[..., Any], name: str, hands: Hands) -> Odds:
    """Ask a callable about each interval, and check its answers."""
    found: dict[tuple[int, int], dict[int, Fraction]] = {}
    legal, places = {*hands.codes}, [*hands.places()]
    for row, left in dict.fromkeys(places):
        if hands.length == 1:
            found[row, left] = {-1: Fraction(1)}
            continue
        cards, right = hands.deals.given[row], left + hands.length - 1
        answer = policy(cards, left, right)
        try:
            chances = _chances(answer)
            if not chances.keys() <= legal:
                raise ValueError
        except (TypeError, ValueError) as error:
            rest = reprlib.repr(list(cards[left : right + 1]))
            raise type(error)(
                f"player {name} must return {_ACCEPTED[hands.deals.terms.take > 1]}, "
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
    if isinstance(answer, str):
        return _SIDES[answer] if answer in _SIDES else {_code(answer): Fraction(1)}
    if isinstance(answer, Turn):
        return {answer.code: Fraction(1)}
    if isinstance(answer, Mapping):
        weights = {_code(turn): arguments.amount("a", x) for turn, x in answer.items()}
        total = sum(weights.values())
        if not total:
            raise ValueError
        return {code: x / total for code, x in weights.items() if x}
    chance = arguments.amount("a probability", answer)
    if chance > 1:
        raise ValueError
    return {code: x for code, x in ((-1, chance), (1, 1 - chance)) if x}


def _code(turn: Any) -> int:
    return turn.code if isinstance(turn, Turn) else Turn(turn).code


def places(players: int) -> list[str]:
    """Return the names of the seats: "first", "second" and so on."""
    words = ["first", "second", "third", "fourth", "fifth", "sixth"]
    return [*words, *[f"{i + 1}th" for i in range(len(words), players)]][:players]


def seated(given: Sequence[Any], deals: Deals) -> list[Player]:
    """Return checked policies as players, one for each seat."""
    names = places(deals.terms.players)
    found = []
    for name, policy in zip(names, given, strict=True):
        called = f"{arguments.shown(name_of(policy))}, who is to move {name},"
        found.append(player_of(policy, deals, called))
    return found


def checked_players(given: tuple[Any, ...], rules: Rules) -> list[Any]:
    """Return a policy for each seat, checked."""
    if len(given) != rules.players:
        raise TypeError(
            f"there must be a player for each of {rules.players} seats, got "
            f"{len(given)}"
        )
    return [
        checked(place, policy, sums=True)
        for place, policy in zip(places(rules.players), given, strict=True)
    ]


def refuse_other_games(
    cards: tuple[Exact, ...], rules: Rules, deals: Deals, name: str
) -> None:
    """Refuse rows and rules for which a record of turns was not made."""
    its, weights = deals.instances[0], None
    if its.weighted:
        weights = tuple([Fraction(x, its.unit.denominator) for x in its.own(1)])
    same = terms_of(rules)._replace(tie=deals.terms.tie) == deals.terms
    alike = [given == cards for given in deals.given]
    if not (same and weights == rules.weights and all(alike)):
        raise ValueError(
            f"player {name} must be made for this row and these rules; it is for "
            f"{arguments.shown(list(cards))}, by {rules!r}"
        )
