"""Refusals, before work begins, of what would not fit in memory or would never end.

What takes hours is not refused: it shows how far it is, and can be interrupted. Limits
are of about a week on one core of a server of 2025.
"""

from __future__ import annotations

import math

from cardgames_dp._support.arguments import at_most, shown
from cardgames_dp._support.running import real, refuse_too_large
from cardgames_dp.redblack.rules import Rules

_FRACTION_BYTES = 200
"""Bytes of a Fraction in a table, with its integers and its place in the array."""

_UTILITY_LEVEL_BYTES = 200
"""Bytes of a cell of a level in the recurrence."""

_AMOUNT_BYTES = 500
"""Bytes of an amount of cash with its exact utility."""

_BOUNDARY_BYTES = 48
"""Bytes of a level of a boundary, as an array and as a list of ints for a loop."""

_RUNS_BYTES = 250
"""Bytes of a level of a policy made of runs of cards, as lists of ints."""

_RESULT_BYTES = 300
"""Bytes of a result of a law, in dicts and arrays, besides its boundary's level."""

_PROFILE_BYTES = 500
"""Bytes of a profile of records while it is found, as a tuple and as a key."""

_PATH_BYTES, _POLICY_BYTES = 16, 64
"""Bytes of a level of a simulation: for each path, and for the policy."""

_MOST_SWEPT, _MOST_SWEPT_EXACTLY = 10**10, 10**8
"""Levels of a sweep, in float64 and in integers."""

_MOST_CUT = 10**9
"""Levels of a sweep in integers that are cut to the digits asked for."""

_MOST_STATES, _MOST_STATES_EXACTLY = 10**14, 10**12
"""States of a recurrence in every state, as under a utility."""

_MOST_FOLLOWED, _MOST_FOLLOWED_EXACTLY = 10**10, 10**6
"""Cards of a deck through which play is followed forwards."""

_MOST_FORESEEN = 10**9
"""Cards of a deck with partial foresight."""

_MOST_DRAWN = 10**14
"""Cards of all games of a simulation."""


def refuse_sweep(
    rules: Rules, red: int, black: int, *, exact: bool, last: int = 0
) -> None:
    """Refuse a sweep of a deck that would be too large or too long.

    A sweep that ends at level `last`, if not 0, takes less time.
    """
    deck = _deck(red, black)
    if exact:
        # Two windows of integers of as many bits as levels, in 30-bit digits.
        bits = levels(rules, red, black)
        size = 2 * (min(red, black) + 1) * (int(bits) * 4 // 30 + 36)
        instead = "use backend='float64', and enclosure(...) for its error"
        refuse_too_large(f"the exact sweep of {deck}", size, instead)
    else:
        instead = (
            "use method='staircase' (up to 2**50 cards, about as many red as black "
            "ones, and rules under which a red card gains what a black one costs), "
            "fitting.asymptotic_value(...) beyond, or a smaller deck; "
            "foresight_value(...) is a bound"
        )
    passed = int(levels(rules, red, black, last))
    most = _MOST_SWEPT_EXACTLY if exact else _MOST_SWEPT
    at_most(f"the levels of a sweep of {deck}", passed, most, instead)


def refuse_cut_sweep(red: int, black: int, last: int) -> None:
    """Refuse a sweep in integers of some digits, up to a level, if it is too long."""
    what = f"the levels of a sweep of {_deck(red, black)} with digits"
    at_most(what, last, _MOST_CUT, "use enclosure(..., digits=), or a smaller deck")


def refuse_recurrence(rules: Rules, red: int, black: int, *, exact: bool) -> None:
    """Refuse the recurrence under a utility if it would be too large or too long."""
    what = f"the utility of {_deck(red, black)}, in every state,"
    instead = "use a smaller deck" + ", or backend='float64'" * exact
    size = _UTILITY_LEVEL_BYTES * (min(red, black) + 1)
    states = (red + 1) * (black + 1)
    if exact:
        units = (rules.gain * red + rules.cost * black) / rules.cash_unit
        amounts = min(states, abs(int(units)) + 1)
        size += _AMOUNT_BYTES * amounts + (min(red, black) + 1) * (red + black) // 2
    refuse_too_large(what, size, instead)
    most = _MOST_STATES_EXACTLY if exact else _MOST_STATES
    at_most(f"the states of {_deck(red, black)}", states, most, instead)
    at_most("the number of cards under a utility", red + black, _MOST_SWEPT, instead)


def refuse_tables(red: int, black: int, *, exact: bool) -> None:
    """Refuse the tables of a deck if they would be too large."""
    what = f"a table of {shown(red + 1)} x {shown(black + 1)} states"
    instead = "use value(...), thresholds(...), distribution(...), which need no table"
    cell = _FRACTION_BYTES + (red + black) // 4 if exact else 10
    refuse_too_large(what, (red + 1) * (black + 1) * cell, instead)


def refuse_boundary(levels: int) -> None:
    """Refuse a boundary that would be too large."""
    refuse_too_large(
        f"the boundary of {shown(levels)} levels",
        _BOUNDARY_BYTES * levels,
        "use value(...), or thresholds(...) with a bound on the excess",
    )


def refuse_floor(rules: Rules, red: int, black: int, *, exact: bool) -> None:
    """Refuse the best policy above a floor if it would be too large or too long."""
    what = f"the best policy within a loss, of {_deck(red, black)},"
    instead = "use a smaller deck" + ", or backend='float64'" * exact
    refuse_too_large(what, _RUNS_BYTES * (red + black + 1), instead)
    if exact or rules.utility is not None:
        refuse_recurrence(rules, red, black, exact=exact)


def refuse_law(red: int, black: int, *, exact: bool) -> None:
    """Refuse a law that would be too large or too long."""
    law = f"a law of {_deck(red, black)}"
    instead = "use a smaller deck" + ", or backend='float64'" * exact
    refuse_too_large(law, _RESULT_BYTES * (red + black + 1), instead)
    most = _MOST_FOLLOWED_EXACTLY if exact else _MOST_FOLLOWED
    at_most(f"the cards of {law}", red + black, most, instead)


def refuse_foresight(red: int, black: int, profiles: int, *, exact: bool) -> None:
    """Refuse partial foresight with a number of profiles of records."""
    what = f"foresight with {shown(profiles)} profiles, for {_deck(red, black)},"
    instead = "let fewer cards be seen; foresight_value(...) is a bound"
    cells = min(red, black) if exact else int(min(_width(red, black), 1e18))
    cell = 3 * (_FRACTION_BYTES + (red + black) // 8) if exact else 40
    size = profiles * ((cells + 2) * cell + _PROFILE_BYTES)
    refuse_too_large(what, size, instead)
    at_most(
        "the number of cards with foresight",
        red + black,
        _MOST_FORESEEN,
        "use a smaller deck; foresight_value(...) is a bound",
    )


def refuse_simulation(red: int, black: int, games: int, paths: int) -> None:
    """Refuse a simulation that would be too large or too long."""
    deck = _deck(red, black)
    refuse_too_large(
        f"a simulation of {deck} with {shown(paths)} paths",
        (paths * _PATH_BYTES + _POLICY_BYTES) * (red + black + 1),
        "simulate a smaller deck, or ask for fewer paths",
    )
    what = f"the cards of {shown(games)} games of {deck}"
    at_most(what, games * (red + black), _MOST_DRAWN, "simulate fewer games")


def omniscient_results(red: int, black: int) -> int:
    """Return how many results of the omniscient player are not negligible."""
    return int(leads(red, black)) + 1


def refuse_omniscient_law(red: int, black: int, *, exact: bool) -> None:
    """Refuse the omniscient law if it would be too large."""
    law = f"the omniscient law of {_deck(red, black)}"
    instead = "use foresight_value(...), its mean" + ", or backend='float64'" * exact
    if exact:
        size = (min(red, black) + 1) * (_FRACTION_BYTES + (red + black) // 2)
    elif leads(red, black) > 1e15:
        size = 10**17
    else:
        size = 50 * omniscient_results(red, black)
    refuse_too_large(law, size, instead)


def levels(rules: Rules, red: int, black: int, last: int = 0) -> float:
    """Return how many levels a sweep passes: to level `last`, or to its end.

    It ends where stopping brings about as much as playing to the end of the deck.
    """
    n = real(last or red + black)
    even = real(math.ceil(red * (1 + rules.gain / rules.cost))) if rules.cost else n
    return min(n, even + 4 * math.sqrt(even) + 64)


def leads(red: int, black: int) -> float:
    """Return how many leads the omniscient player may win, down to chances of 1e-25."""
    n, most = real(red + black), real(min(red, black))
    half = real(abs(red - black)) / 2
    # The chance falls as exp(-2 (m**2 + m |red - black|) / N), or faster.
    far = math.sqrt(35 * n + half * half) - half if n < math.inf else math.inf
    return min(most, far + 60)


def floor_cells(red: int, black: int) -> int:
    """Return about how many cells play above a floor has, on average."""
    return int(_width(red, black) / 3) + 2


def leaping_pays(rules: Rules, size: int, free: int, cells: int, leaps: int) -> bool:
    """Return whether leaps from level `free` are faster than a sweep of l + l cards.

    A level of a leap takes 0.15 us and a cell 1.2 us; a level of the sweep 2.5 us and a
    cell of its band 0.5 ns.
    """
    sweep = levels(rules, size, size) * (2.5e-6 + 0.5e-9 * _width(size, size))
    return leaps * (free * 0.15e-6 + cells * 1.2e-6) < sweep


def _width(red: int, black: int) -> float:
    """Return about how many cells the band of a float64 sweep has.

    It is widest at half of the deck.
    """
    return min(real(min(red, black)), 5.3 * math.sqrt(real(red + black))) + 1


def _deck(red: int, black: int) -> str:
    return f"{shown(red)} red and {shown(black)} black cards"
