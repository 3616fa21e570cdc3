"""Refusals of what would not fit in memory or would take too long, before work begins.

Bytes are counted here, seconds in `cardgames_dp.redblack._kernels.costs`. Each refusal
is a `TooLargeError` or a `TooLongError` that says what to use instead.
"""

from __future__ import annotations

from collections.abc import Sequence

from cardgames_dp._checks import shown
from cardgames_dp._effort import refuse_too_long
from cardgames_dp._memory import refuse_too_large
from cardgames_dp.redblack._kernels import costs
from cardgames_dp.redblack._kernels.terms import Terms

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

_AUDIT = 3
"""The time of a climb with certified errors, as a multiple of a plain climb."""

_LONGER = 10
"""The time of a climb in longer floats, as a multiple of the same in float64."""


def refuse_sweep(
    rules: Terms,
    red: int,
    black: int,
    *,
    exact: bool,
    last: int = 0,
    progress: bool = True,
) -> None:
    """Refuse a sweep of a deck that would be too large or too long.

    A sweep that ends at level `last`, if not 0, takes less time.
    """
    deck = _deck(red, black)
    if exact:
        # Two windows of integers of as many bits as levels, in 30-bit digits.
        bits = costs.levels(rules, red, black)
        size = 2 * (min(red, black) + 1) * (int(bits) * 4 // 30 + 36)
        instead = "use backend='float64', and enclosure(...) for its error"
        refuse_too_large(f"the exact sweep of {deck}", size, instead)
    else:
        instead = (
            "use method='staircase' (up to 2**50 cards, about as many red as black "
            "ones, and rules under which a red card gains what a black one costs), "
            "fitting.asymptotic_value(...) beyond, or a smaller deck; "
            "omniscient_value(...) is a bound"
        )
    refuse_too_long(
        f"the {'exact' if exact else 'diagonal'} sweep of {deck}",
        costs.sweep(rules, red, black, exact=exact, last=last),
        instead,
        progress=progress,
    )


def refuse_cut_sweep(
    red: int, black: int, *, last: int, bits: int, tilted: bool, progress: bool
) -> None:
    """Refuse a sweep in integers of a number of bits if it would be too long."""
    refuse_too_long(
        f"the sweep of {_deck(red, black)} in integers of {shown(bits)} bits",
        costs.cut_sweep(red, black, last, bits, tilted=tilted),
        "use fewer digits or a smaller deck, or enclosure(..., digits=) for up to 15",
        progress=progress,
    )


def refuse_climb(red: int, black: int, *, progress: bool) -> None:
    """Refuse a staircase that would be too long."""
    refuse_too_long(
        f"the staircase of {red + black} cards",
        costs.climb(red, black),
        "use fitting.asymptotic_value(...), or a smaller deck",
        progress=progress,
    )


def refuse_recurrence(
    rules: Terms, red: int, black: int, *, exact: bool, progress: bool
) -> None:
    """Refuse the recurrence under a utility if it would be too large or too long."""
    what = f"the utility of {_deck(red, black)}, in every state,"
    instead = "use a smaller deck" + ", or backend='float64'" * exact
    size = _UTILITY_LEVEL_BYTES * (min(red, black) + 1)
    if exact:
        units = (rules.gain * red + rules.cost * black) / rules.cash_unit
        amounts = min((red + 1) * (black + 1), abs(int(units)) + 1)
        size += _AMOUNT_BYTES * amounts + (min(red, black) + 1) * (red + black) // 2
    refuse_too_large(what, size, instead)
    seconds = costs.recurrence(red, black, exact=exact)
    refuse_too_long(what, seconds, instead, progress=progress)


def refuse_recurrences(
    rules: Terms, sizes: Sequence[int], *, exact: bool, progress: bool
) -> None:
    """Refuse balanced decks of these sizes under a utility if all would be too long."""
    refuse_too_long(
        f"the utility of {len(sizes)} decks, in every state of each,",
        sum(costs.recurrence(size, size, exact=exact) for size in sizes),
        "use fewer or smaller decks",
        progress=progress,
    )
    for size in sizes:  # their time has been checked
        refuse_recurrence(rules, size, size, exact=exact, progress=True)


def refuse_tables(
    red: int, black: int, *, exact: bool, progress: bool, max_bytes: int | None = None
) -> None:
    """Refuse the tables of a deck if they would be too large or too long."""
    what = f"a table of {shown(red + 1)} x {shown(black + 1)} states"
    instead = "use value(...), thresholds(...), payoff_law(...), which need no table"
    cell = _FRACTION_BYTES + (red + black) // 4 if exact else 10
    refuse_too_large(what, (red + 1) * (black + 1) * cell, instead, max_bytes)
    seconds = costs.table(red, black, exact=exact)
    refuse_too_long(what, seconds, instead, progress=progress)


def refuse_boundary(levels: int) -> None:
    """Refuse a boundary that would be too large."""
    refuse_too_large(
        f"the boundary of {shown(levels)} levels",
        _BOUNDARY_BYTES * levels,
        "use value(...), or thresholds(...) with a bound on the excess",
    )


def refuse_certified_climb(
    thresholds: int, red: int, black: int, *, again: bool, progress: bool
) -> None:
    """Refuse a certified climb past some thresholds if it would be too long.

    It may have to be repeated in longer floats: `again`.
    """
    refuse_too_long(
        f"{thresholds} thresholds",
        _AUDIT * costs.climb(red, black) * (1 + _LONGER * again),
        "ask for fewer",
        progress=progress,
    )


def refuse_audited_climb(
    red: int, black: int, *, extended: bool, progress: bool
) -> None:
    """Refuse a certified staircase that would be too long."""
    refuse_too_long(
        f"the certified staircase of {red + black} cards"
        + " in longer floats" * extended,
        _AUDIT * costs.climb(red, black) * (_LONGER if extended else 1),
        "use a smaller deck" + ", or fewer digits" * extended,
        progress=progress,
    )


def refuse_thresholds(rules: Terms, max_excess: int, most_cards: int) -> None:
    """Refuse thresholds that neither the staircase nor the diagonal can find."""
    # n_k is about (k / 0.84)**2, and the staircase's decks have `most_cards` at most.
    cards = 2 * max_excess * max_excess
    if cards > 2 * most_cards:
        refuse_too_long(
            f"{shown(max_excess)} thresholds",
            costs.sweep(rules, cards, cards, exact=False, last=cards),
            "ask for fewer: n_k is about (k / 0.83992 + 0.6)**2 for large k",
        )


def refuse_floor(
    rules: Terms, red: int, black: int, *, exact: bool, progress: bool
) -> None:
    """Refuse the best policy above a floor if it would be too large or too long."""
    what = f"the best policy within a loss, of {_deck(red, black)},"
    instead = "use a smaller deck" + ", or backend='float64'" * exact
    refuse_too_large(what, _RUNS_BYTES * (red + black + 1), instead)
    every_state = exact or rules.utility is not None
    seconds = (
        costs.recurrence(red, black, exact=exact)
        if every_state
        else costs.floor(red, black)
    )
    if every_state:
        refuse_recurrence(rules, red, black, exact=exact, progress=progress)
    refuse_too_long(what, seconds, instead, progress=progress)


def refuse_law(red: int, black: int, *, exact: bool, progress: bool) -> None:
    """Refuse a law that would be too large or too long."""
    law = f"a law of {_deck(red, black)}"
    instead = "use a smaller deck" + ", or backend='float64'" * exact
    refuse_too_large(law, _RESULT_BYTES * (red + black + 1), instead)
    seconds = costs.forward(red, black, exact=exact)
    refuse_too_long(law, seconds, instead, progress=progress)


def refuse_depths(
    red: int, black: int, depths: int, *, exact: bool, progress: bool
) -> None:
    """Refuse a number of depths of the lowest cash if they would be too long."""
    instead = "use a smaller deck, or amounts that are the same for both colours"
    refuse_too_long(
        f"to follow play down to {depths} depths in {_deck(red, black)}",
        costs.depths(red, black, depths, exact=exact),
        instead + ", or backend='float64'" * exact,
        progress=progress,
    )


def refuse_foresight(
    red: int, black: int, profiles: int, *, exact: bool, progress: bool
) -> None:
    """Refuse partial foresight with a number of profiles of records."""
    what = f"foresight with {shown(profiles)} profiles, for {_deck(red, black)},"
    instead = "let fewer cards be seen; omniscient_value(...) is a bound"
    cells = min(red, black) if exact else costs.band_cells(red, black)
    cell = 3 * (_FRACTION_BYTES + (red + black) // 8) if exact else 40
    size = profiles * ((cells + 2) * cell + _PROFILE_BYTES)
    refuse_too_large(what, size, instead)
    seconds = costs.foresight(red, black, profiles, exact=exact)
    refuse_too_long(what, seconds, instead, progress=progress)


def refuse_simulation(
    red: int, black: int, games: int, paths: int, *, progress: bool
) -> None:
    """Refuse a simulation that would be too large or too long."""
    refuse_too_large(
        f"a simulation of {_deck(red, black)} with {shown(paths)} paths",
        (paths * _PATH_BYTES + _POLICY_BYTES) * (red + black + 1),
        "simulate a smaller deck, or ask for fewer paths",
    )
    refuse_too_long(
        f"to play {shown(games)} games of {_deck(red, black)} to the end",
        costs.simulation(red, black, games),
        "simulate fewer games, or a smaller deck; payoff_law(...) is the limit",
        progress=progress,
    )


def refuse_omniscience(red: int, black: int, *, exact: bool, progress: bool) -> None:
    """Refuse the sum for the omniscient value if it would be too long."""
    refuse_too_long(
        f"the {'exact' if exact else 'float64'} sum over the lead, of "
        f"{_deck(red, black)},",
        costs.omniscient(red, black, exact=exact),
        ("use backend='float64'; " if exact else "")
        + "for l + l cards it is sqrt(pi l) / 2 - 1 / 2 to within a part in 8 l",
        progress=progress,
    )


def omniscient_results(red: int, black: int) -> int:
    """Return how many results of the omniscient player are not negligible."""
    return int(costs.leads(red, black)) + 1


def refuse_omniscient_law(red: int, black: int, *, exact: bool, progress: bool) -> None:
    """Refuse the omniscient law if it would be too large or too long."""
    law = f"the omniscient law of {_deck(red, black)}"
    instead = "use omniscient_value(...), its mean" + ", or backend='float64'" * exact
    if exact:
        size = (min(red, black) + 1) * (_FRACTION_BYTES + (red + black) // 2)
    elif costs.leads(red, black) > 1e15:
        size = 10**17
    else:
        size = 50 * omniscient_results(red, black)
    refuse_too_large(law, size, instead)
    if exact:
        seconds = costs.omniscient_law(red, black)
        refuse_too_long(law, seconds, instead, progress=progress)


def _deck(red: int, black: int) -> str:
    return f"{shown(red)} red and {shown(black)} black cards"
