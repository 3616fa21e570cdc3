"""The exact probability distribution of the lead in a game between given players."""

from __future__ import annotations

from typing import Any, Literal, overload

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import _checks
from cardgames_dp._checks import Backend
from cardgames_dp._law import Law
from cardgames_dp._memory import refuse_too_large
from cardgames_dp.cardrow._cards import read
from cardgames_dp.cardrow._kernels.courses import (
    Actor,
    Board,
    actor_of,
    law,
    most_states,
)
from cardgames_dp.cardrow._kernels.instance import Tie
from cardgames_dp.cardrow._kernels.odds import Setting
from cardgames_dp.cardrow._kernels.row import Cards, Exact
from cardgames_dp.cardrow._seats import player_of, setting_of
from cardgames_dp.cardrow.plans import Plan, actor_of_plan, refuse_other_games
from cardgames_dp.cardrow.policies import Policy, checked, name_of
from cardgames_dp.cardrow.rules import TIES, Rules


@overload
def lead_law(
    cards: Cards,
    *players: Policy | Plan[Any],
    rules: Rules | None = None,
    tie: Tie = "right",
    backend: Literal["float64"] = "float64",
) -> Law[float]: ...
@overload
def lead_law(
    cards: Cards,
    *players: Policy | Plan[Any],
    rules: Rules | None = None,
    tie: Tie = "right",
    backend: Literal["exact"],
) -> Law[Any]: ...
def lead_law(
    cards: Cards,
    *players: Policy | Plan[Any],
    rules: Rules | None = None,
    tie: Tie = "right",
    backend: Backend = "float64",
) -> Law[Any]:
    """Return the probability distribution (law) of the first player's lead.

    It says who wins how often, and by how much, where players play at random. All
    courses of the game are counted; none is simulated.

    Grade: float64; exact with ``backend="exact"``.

    Parameters
    ----------
    cards : iterable of int, Fraction, Decimal or float
        The row from left to right, as for :func:`value`.
    *players : Policy or Plan
        One for each seat, as for :func:`match`.
    rules : Rules, optional
        The classic rules if not given.
    tie : {"right", "left", "larger"}
        What players do where both ends are equally good, as for :func:`match`.
    backend : {"float64", "exact"}
        The arithmetic of the probabilities. The possible leads are exact with either.

    Returns
    -------
    Law
        Of the first player's sum less the opponent's; with more players, less the best
        of the others' sums, as for :func:`value`. ``law.loss_probability`` is the
        probability of losing, and ``1 - law.cdf(0)`` that of winning (the other way
        round under misère rules).

    Raises
    ------
    TypeError, ValueError
        As for :func:`match`.
    TooLargeError
        If the possible sums are too many to fit in memory.

    Examples
    --------
    >>> from cardgames_dp import cardrow
    >>> print(cardrow.lead_law([8, 4, 2, 2, 4, 8], "greedy", "random"))
    lead  probability
       0         0.25
       4         0.25
       8         0.25
      12         0.25
    (mean 6, standard deviation 4.47214)
    """
    row = read("cards", cards)
    rules = _checks.rules(rules, Rules)
    tie = _checks.choice("tie", tie, TIES)
    exact = _checks.backend(backend) == "exact"
    policies = checked_players(players, rules)
    setting = setting_of(rules, [row], tie)
    instance = setting.instances[0]
    if not exact:
        instance.array(exact=False)  # leads are floats
    board = Board.of(instance)
    states = min(most_states(board), 1e300)
    refuse_too_large(
        f"the law of a game with {board.cards} cards and up to {states:.3g} states",
        int(states * (200 if exact else 40)),
        "use a shorter row or smaller integers",
    )
    actors = [_actor(policy, setting, rules, i) for i, policy in enumerate(policies)]
    tallies, shares = law(board, actors, exact=exact)
    if rules.players == 2:
        leads = [instance.lead(tally) for tally in tallies.tolist()]
    else:
        sums = [x.tolist() for x in board.own_sums(tallies)]
        sign = -1 if rules.misere else 1
        leads = [
            instance.unit.exact(sign * (own - max(others)))
            for own, *others in zip(*sums, strict=True)
        ]
    return _law(leads, shares, exact)


def checked_players(players: tuple[Any, ...], rules: Rules) -> list[Any]:
    """Return a policy or a plan for each seat, checked."""
    if len(players) != rules.players:
        raise TypeError(
            f"there must be a player for each of {rules.players} seats, got "
            f"{len(players)}"
        )
    return [
        checked(place, policy, plans=True)
        for place, policy in zip(places(rules.players), players, strict=True)
    ]


def places(players: int) -> list[str]:
    """Return the names of the seats: "first", "second" and so on."""
    words = ["first", "second", "third", "fourth", "fifth", "sixth"]
    return [*words, *[f"{i + 1}th" for i in range(len(words), players)]][:players]


def _actor(policy: Any, setting: Setting, rules: Rules, seat: int) -> Actor:
    """Return a policy or a plan as a function of tallies."""
    name = f"{_checks.shown(name_of(policy))}, who is to move {places(seat + 1)[-1]},"
    if isinstance(policy, Plan):
        refuse_other_games(policy, setting.given[0], rules, seat, name)
        return actor_of_plan(policy, rules.take)
    return actor_of(player_of(policy, setting, name))


def _law(leads: list[Exact], shares: NDArray[Any], exact: bool) -> Law[Any]:
    """Return the law of leads, given in any order and with repetitions."""
    support = sorted(set(leads))
    place = {lead: i for i, lead in enumerate(support)}
    probabilities = np.zeros(len(support), shares.dtype)
    np.add.at(probabilities, [place[lead] for lead in leads], shares)
    whole = all(isinstance(x, int) and abs(x) < 2**63 for x in support)
    dtype: Any = np.int64 if whole else (object if exact else np.float64)
    return Law("lead", np.array(support, dtype), probabilities)
