"""Players under any rules: policies in the form in which the engines call them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from cardgames_dp import _checks
from cardgames_dp.cardrow._kernels import odds
from cardgames_dp.cardrow._kernels.instance import Instance, Tie
from cardgames_dp.cardrow._kernels.odds import Odds, Player, Setting, Spots
from cardgames_dp.cardrow._kernels.row import Row
from cardgames_dp.cardrow.policies import Mixed, Policy
from cardgames_dp.cardrow.rules import Rules, terms_of, weights_of
from cardgames_dp.cardrow.turns import Turn


def setting_of(rules: Rules, rows: Sequence[Row], tie: Tie) -> Setting:
    """Return rows of one length under rules, with the tie rule of the players."""
    terms = terms_of(rules)._replace(tie=tie)
    weights = weights_of(rules, len(rows[0].numerators))
    denominator = math.lcm(*[row.denominator for row in rows])
    given = tuple([tuple(row.numbers()) for row in rows])
    alike = [Row(row.over(denominator), denominator, row.integral) for row in rows]
    instances = [Instance.of(terms, row, weights) for row in alike]
    return Setting.of(terms, instances, given)


def player_of(policy: Policy, setting: Setting, name: str) -> Player:
    """Return a policy as a player under the rules of a setting.

    Raises
    ------
    ValueError
        If the policy is not defined under these rules. The player itself raises it if a
        callable does not return a legal turn.
    """
    if isinstance(policy, Mixed):
        parts = [player_of(part, setting, name) for part, _ in policy.shares]
        shares = [share for _, share in policy.shares]
        return lambda spots, seat: odds.mixed([p(spots, seat) for p in parts], shares)
    if callable(policy):
        return lambda spots, _seat: odds.asked(policy, answer, name, setting, spots)
    if policy == "greedy_literal" and setting.terms.take > 1:
        raise ValueError(
            f"player {name} must be another policy than 'greedy_literal', which "
            f"compares two cards, with take={setting.terms.take}"
        )
    if policy == "optimal":
        return odds.optimal(setting)
    return _by_rule_of_thumb(policy, setting)


def _by_rule_of_thumb(policy: str, setting: Setting) -> Player:
    rules_of_thumb: dict[str, Callable[[Spots, int], Odds]] = {
        "random": lambda spots, _seat: odds.even(setting, spots),
        "larger": lambda spots, seat: odds.extreme(setting, spots, seat, 1),
        "smaller": lambda spots, seat: odds.extreme(setting, spots, seat, -1),
        "greedy": lambda spots, seat: odds.greedy(setting, spots, seat),
        "greedy_literal": lambda spots, seat: odds.greedy(
            setting, spots, seat, literal=True
        ),
    }
    return rules_of_thumb[policy]


def answer(given: Any) -> dict[int, Fraction]:
    """Return the probabilities of turns, by their codes, from a callable's answer.

    Raises
    ------
    TypeError, ValueError
        If it is not an answer.
    """
    if isinstance(given, Turn):
        return {given.code: Fraction(1)}
    if isinstance(given, str):
        return {Turn(given).code: Fraction(1)}  # type: ignore[arg-type]  # or refused
    if isinstance(given, Mapping):
        weights = {
            _code(turn): _checks.amount("a weight", x) for turn, x in given.items()
        }
        total = sum(weights.values())
        if not total:
            raise ValueError
        return {code: x / total for code, x in weights.items() if x}
    chance = _checks.amount("a probability", given)
    if chance > 1:
        raise ValueError
    return {code: x for code, x in ((-1, chance), (1, 1 - chance)) if x}


def _code(turn: Any) -> int:
    return turn.code if isinstance(turn, Turn) else Turn(turn).code
