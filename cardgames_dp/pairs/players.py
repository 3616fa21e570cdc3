"""Players of Pairs: the simulation of many games.

The kernel `playing` deals the games, and `seats` asks the policies.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import Any

import numpy as np

from cardgames_dp import _checks
from cardgames_dp._effort import real, refuse_too_long
from cardgames_dp._extras import progress_bar
from cardgames_dp.diagonal import TooLargeError, refuse_too_large
from cardgames_dp.pairs._kernels.playing import play
from cardgames_dp.pairs._kernels.seats import Asked, LookedUp, Player
from cardgames_dp.pairs._kernels.tabled import WithSweep, solved_play
from cardgames_dp.pairs.deciders import Policy, decider, policy_name
from cardgames_dp.pairs.official import OfficialRules
from cardgames_dp.pairs.rules import Rules
from cardgames_dp.pairs.simulation import Simulation, Tally, tally_shape
from cardgames_dp.pairs.table import solve

_TURN_SECONDS = 7e-7
"""About what a turn of a simple policy takes."""
_MOST_TURNS = 12
"""Of a round, in the estimate of the time."""

CHUNK = 2**14
"""Games side by side: few enough for their arrays to stay in the cache."""


def simulate(
    rules: Rules | OfficialRules | None,
    policies: Policy | Iterable[Policy],
    *,
    games: int,
    rng: int | np.random.Generator | None = None,
    progress: bool = False,
) -> Simulation:
    """Deal many games to players of given policies, and count what came of them.

    Grade: estimated, with standard errors.

    Parameters
    ----------
    rules : Rules, OfficialRules or None
        The published game of two players, as :class:`Rules` have it, if None.
    policies : word, callable, Solution or BestResponse, or an iterable of them
        What the players do: one policy for each seat, or one for all.

        - a word or a function of a `View`, as for :func:`win_rate`. A function that
          answers in two dimensions is asked about the games of each vector of scores.
        - "optimal": the policy of ``solve(rules)``. Under `OfficialRules` nobody knows
          it.
        - a `Solution` or `BestResponse`, or its `policy`, of any rules with as many
          players, the same deck, capacity and target. It looks at hands and scores
          (and, if its rules remember discards, at the cards unseen) and takes them for
          what they would be under its own rules. In hands that these do not lead to it
          does what "expected_points" does: with three or more players, when some got
          another card in the deal.
    games : int
        How many games, at least 1.
    rng : None, int or numpy.random.Generator
        A seed, or a source of random numbers. The same seed gives the same games.
    progress : bool, default False
        Show a progress bar, for which `tqdm` is needed (the extra ``progress``).

    Returns
    -------
    Simulation
        How the games went and ended, in counts for each seat.

    Raises
    ------
    TypeError, ValueError
        If an argument is none of the kinds above; there is not one policy for each
        seat; a policy does not return an array of bool of the right shape; "optimal" is
        asked for under official rules; or a Solution or BestResponse is of another
        deck, capacity, target or number of players.
    TooLargeError
        If a policy to be looked up, or the counts, would not fit in memory.
    TooLongError
        If the games would take more than a week.
    ModuleNotFoundError
        If `progress` is asked for and `tqdm` is not installed.

    Notes
    -----
    Time grows as the number of turns, some 0.5 µs each for simple policies; memory does
    not depend on `games`. What is solved is looked up in a table with a bit for each
    position and vector of scores, 31 MB in the published game. It is there if `solve`
    or `best_response` has just been called; after a pickle, or beyond 64 MiB, it is
    made first, in about the time of solving the game.

    The `View` of a policy in the official game is that of
    ``OfficialRules.without_scored_cards``: its `unseen` are right, but `not_on_table`
    has the discards and scored cards in it.

    References
    ----------
    The game: J. Ernest and others, *Pairs*, Cheapass Games, 2014.

    Examples
    --------
    >>> from cardgames_dp import pairs
    >>> rules = pairs.Rules(deck=pairs.triangular(4), target=10)
    >>> result = pairs.simulate(
    ...     rules, ["optimal", "fifty_percent"], games=20_000, rng=31
    ... )
    >>> exact = pairs.win_rate(rules, "optimal", "fifty_percent").first
    >>> abs(result.win_rates[0] - exact) < 5 * result.standard_errors[0]
    True

    The game as it is printed on its sheet, for six players, with a policy of one's own:

    >>> def careful(view):
    ...     return view.hand.sum(axis=1) < 2
    >>> six = pairs.OfficialRules(players=6)
    >>> result = pairs.simulate(
    ...     six, [careful] + ["expected_points"] * 5, games=2000, rng=1
    ... )
    >>> result.policies[0], sum(result.losses), six.target
    ('careful', 2000, 11)
    """
    if not isinstance(rules, OfficialRules):
        rules = _checks.rules(rules, Rules)
    games = _checks.integer("games", games, minimum=1)
    source = _checks.generator(rng)
    progress = _checks.boolean("progress", progress)
    official = isinstance(rules, OfficialRules)
    known = rules.without_scored_cards if isinstance(rules, OfficialRules) else rules
    _refuse_absurd(known, games)
    by_seat = _by_seat(policies, rules.players)
    for name, policy in by_seat:
        _refuse_unknown(name, policy, rules, known)
    players = _players(by_seat, known, progress=progress)
    tally = Tally.empty(known)
    with progress_bar(games, "games", shown=progress) as bar:
        for start in range(0, games, CHUNK):
            size = min(CHUNK, games - start)
            play(known, players, size, source, tally, scored_stay_out=official)
            if bar is not None:
                bar.update(size)
    names = tuple([policy_name(policy) for _, policy in by_seat])
    return Simulation(rules, names, games, *tally)


def _refuse_absurd(rules: Rules, games: int) -> None:
    """Refuse what would not fit in memory or in an int64, or take weeks."""
    n, scores, rounds = tally_shape(rules)
    target = f"{_checks.shown(rules.target)} points"
    refuse_too_large(
        f"counts of games to {target}",
        8 * (n * scores + rounds),
        "use a smaller target, and smaller ranks",
    )
    refuse_too_large(
        f"games of {_checks.shown(n)} players",
        8 * n * (len(rules.ranks) + 2) * min(games, CHUNK),
        "use fewer players",
    )
    cards = sum(rules.counts)
    if cards >= 2**62:
        raise TooLargeError(
            f"rules have {_checks.shown(cards)} cards, whose numbers would not fit in "
            "an int64; use a smaller deck"
        )
    refuse_too_long(
        f"the play of {_checks.shown(games)} games to {target}",
        real(games) * _seconds_of_a_game(rules),
        "ask for fewer games",
    )


def _seconds_of_a_game(rules: Rules) -> float:
    """Return about how long a game takes, if a round scores an average card."""
    cards = sum(rules.counts)
    points = sum(map(operator.mul, rules.ranks, rules.counts)) / cards
    rounds = max(0.7 * rules.players * rules.losing_score / points, 1.0)
    turns = min(rules.players + 4, _MOST_TURNS, cards)
    return float(rounds * turns * _TURN_SECONDS)


def _by_seat(policies: object, players: int) -> list[tuple[str, Any]]:
    """Return a policy for each seat, and what messages call it."""
    if isinstance(policies, (str, WithSweep)) or callable(policies):
        return [("policies", policies)] * players
    if not isinstance(policies, Iterable):
        raise TypeError(
            "policies must be a policy (a word, a callable, a Solution or a "
            "BestResponse), or an iterable of one for each seat, got "
            f"{_checks.described(policies)}"
        )
    listed = list(policies)
    if len(listed) != players:
        raise ValueError(
            f"policies must be one for each of {players} players, or a single one for "
            f"all, got {len(listed)}"
        )
    return [(f"policies[{i}]", policy) for i, policy in enumerate(listed)]


def _refuse_unknown(
    name: str, policy: object, rules: Rules | OfficialRules, known: Rules
) -> None:
    """Refuse what is no policy, or none for these rules."""
    if isinstance(policy, WithSweep):
        field = _other_field(policy, known)
        if field is not None:
            raise ValueError(
                f"{name} must be a {type(policy).__name__} of rules with the same "
                f"players, deck, capacity and target, got {field}="
                f"{_checks.shown(getattr(policy.rules, field))} instead of "
                f"{_checks.shown(getattr(known, field))}"
            )
    elif decider(name, policy) is None and isinstance(rules, OfficialRules):
        raise ValueError(
            f"{name}='optimal' is not known under the official rules, where scored "
            "cards stay out; use the policy of the nearest rules that can be solved: "
            "solve(rules.solvable)"
        )


def _other_field(solved: WithSweep, rules: Rules) -> str | None:
    """Return a field in which the rules of what is solved are too different."""
    for field in ("players", "deck", "capacity", "target"):
        if getattr(solved.rules, field) != getattr(rules, field):
            return field
    return None


def _players(
    by_seat: list[tuple[str, Any]], rules: Rules, *, progress: bool
) -> list[Player]:
    """Return who decides in each seat; the same policy has one player."""
    made: list[tuple[Any, Player]] = []
    seated = []
    for name, policy in by_seat:
        player = next((p for known, p in made if _same(known, policy)), None)
        if player is None:
            player = _player(name, policy, rules, progress=progress)
            made.append((policy, player))
        seated.append(player)
    return seated


def _player(name: str, policy: Any, rules: Rules, *, progress: bool) -> Player:
    solved = solved_play(policy)
    if solved is not None and _other_field(solved, rules) is None:
        return LookedUp(solved, progress=progress)
    decide = decider(name, policy)
    if decide is not None:
        return Asked(decide)
    return LookedUp(solve(rules, progress=progress))


def _same(one: object, other: object) -> bool:
    """Return whether two policies are one, so that a single player will do."""
    if one is other or (isinstance(one, str) and one == other):
        return True
    solved = solved_play(one)
    return solved is not None and solved is solved_play(other)
