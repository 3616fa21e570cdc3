"""Estimate which mixture of policies a player follows, from games.

Model: at each turn the player follows one of several candidate policies, drawn anew
with unknown weights, as a :class:`Mixed` does. A turn t is taken with probability
``sum(w[k] p[k, t])``, where ``p[k, t]`` is its probability under candidate k, so that
the log-likelihood of all turns is a concave function of w. With c turns added for each
candidate beforehand (a Dirichlet prior with all parameters 1 + c) the EM algorithm
finds the most likely weights: it shares each turn among the candidates in proportion to
``w[k] p[k, t]``, makes these shares the new weights, and repeats.

References
----------
Dempster, A. P., Laird, N. M. and Rubin, D. B., "Maximum likelihood from incomplete data
via the EM algorithm", Journal of the Royal Statistical Society B 39 (1977), section
4.3, on mixtures.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import _checks
from cardgames_dp._effort import real
from cardgames_dp._records import ArrayRecord, plain, summary
from cardgames_dp._text import aligned
from cardgames_dp.cardrow._cards import read
from cardgames_dp.cardrow._kernels.instance import Tie
from cardgames_dp.cardrow._kernels.odds import Spots, turn_codes
from cardgames_dp.cardrow._kernels.row import Cards, Number
from cardgames_dp.cardrow._seats import player_of, setting_of
from cardgames_dp.cardrow.matches import Match
from cardgames_dp.cardrow.policies import Mixed, Policy, checked, name_of
from cardgames_dp.cardrow.rules import TIES, Rules
from cardgames_dp.cardrow.turns import Side, Turn

_CANDIDATES: tuple[Policy, ...] = ("optimal", "greedy", "larger", "smaller", "random")

_MOST_ROUNDS = 100_000
"""Iterations of the EM algorithm."""

_LARGEST_PRIOR = 1e300
"""The largest prior with which sums of float64 do not overflow."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Estimate(ArrayRecord):
    """An estimated mixture of policies; made by :func:`estimate`, prints as a table.

    Attributes
    ----------
    player : str
        The name of the player in the games.
    candidates : tuple of Policy
        The policies that the player may follow.
    weights : ndarray of float64, shape (candidates,)
        The most likely frequency of each; they sum to 1.
    errors : ndarray of float64, shape (candidates,)
        Their standard errors, by the curvature of the likelihood; large where
        candidates mostly agree.
    agreement : ndarray of float64, shape (candidates,)
        The mean probability that each candidate gives to the turns that were taken.
    turns : int
        The number of observed turns in which the player had a choice.

    Examples
    --------
    >>> from cardgames_dp import cardrow
    >>> rows = cardrow.deal(200, 12, rng=1)
    >>> sister = cardrow.Mixed({"larger": 4, "random": 1})
    >>> games = [cardrow.match(row, "greedy", sister, rng=7) for row in rows]
    >>> found = cardrow.estimate(games, "Mixed(0.8 larger, 0.2 random)")
    >>> found.policy == cardrow.Mixed(dict(zip(found.candidates, found.weights)))
    True
    """

    player: str
    candidates: tuple[Policy, ...]
    weights: NDArray[np.float64]
    errors: NDArray[np.float64]
    agreement: NDArray[np.float64]
    turns: int

    @property
    def policy(self) -> Mixed:
        """The most likely mixture, as a policy to play or to respond to."""
        return Mixed(dict(zip(self.candidates, self.weights.tolist(), strict=True)))

    def to_dict(self, *, json: bool = False) -> dict[str, Any]:
        """Return all fields as plain lists and numbers.

        Parameters
        ----------
        json : bool, default False
            Whether to use only types that JSON has: policies become their names.
        """
        json = _checks.boolean("json", json)
        names: list[Any] = [*map(name_of, self.candidates)]
        found: dict[str, Any] = plain(
            {
                "player": self.player,
                "candidates": names if json else list(self.candidates),
                "weights": self.weights,
                "errors": self.errors,
                "agreement": self.agreement,
                "turns": self.turns,
            },
            json=json,
        )
        return found

    def __str__(self) -> str:
        table = [["", "weight", "error", "agreement"]]
        columns = zip(self.weights, self.errors, self.agreement, strict=True)
        for policy, numbers in zip(self.candidates, columns, strict=True):
            table.append([name_of(policy), *[f"{x:.3f}" for x in numbers]])
        title = f"{self.player}, by {self.turns} turns"
        return "\n".join([title, *aligned(table, left=(0,))])

    def __repr__(self) -> str:
        return summary(
            self,
            player=self.player,
            turns=self.turns,
            candidates=tuple(map(name_of, self.candidates)),
            weights=self.weights,
        )


def estimate(
    games: Iterable[Match],
    player: str,
    *,
    candidates: Sequence[Policy] = _CANDIDATES,
    prior: Number = 1,
    tie: Tie = "right",
) -> Estimate:
    """Estimate how often a player follows each of several policies, from games.

    The model is a player who draws a policy anew at each turn. For a player who
    remembers or learns it is an approximation, and so is the best response to it.

    Grade: estimated, with standard errors.

    Parameters
    ----------
    games : iterable of Match
        Games from :func:`match`, or from :func:`recorded` if they were played
        elsewhere.
    player : str
        The name of the player, one of the `players` of each game.
    candidates : sequence of Policy, default optimal, greedy, larger, smaller, random
        The policies that the player may follow: names (see `Policy`), or callables, for
        example for a player who prefers the left end. Include "random", which explains
        turns that no other candidate takes.
    prior : number, default 1
        Pseudo-count: the number of turns added for each candidate beforehand. With 0
        the likelihood alone decides.
    tie : {"right", "left", "larger"}
        What named candidates do where both ends are equally good, as for :func:`match`.

    Returns
    -------
    Estimate
        ``best_response(cards, found.policy)`` is the best response to it.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described above; if there is no turn in which the
        player had a choice; or if a turn was taken that no candidate ever takes.

    Examples
    --------
    A sister takes the larger card, but plays at random in one turn of five. Estimate
    this from a hundred games, and respond to it:

    >>> from cardgames_dp import cardrow
    >>> import numpy as np
    >>> sister = cardrow.Mixed({"larger": 4, "random": 1})
    >>> rng = np.random.default_rng(1)
    >>> rows = cardrow.deal(100, 12, rng=rng)
    >>> games = [cardrow.match(row, "optimal", sister, rng=rng) for row in rows]
    >>> found = cardrow.estimate(games, str(sister), candidates=["larger", "random"])
    >>> print(found)
    Mixed(0.8 larger, 0.2 random), by 500 turns
            weight  error  agreement
    larger   0.805  0.026      0.904
    random   0.195  0.026      0.500
    >>> row = [8, 4, 2, 2, 4, 8]
    >>> round(cardrow.best_response(row, found.policy).value, 2)  # 1.2 against her
    1.17
    """
    listed = [_game(i, game, player) for i, game in enumerate(games)]
    policies = [
        checked(f"candidates[{i}]", policy) for i, policy in enumerate(candidates)
    ]
    if not policies:
        raise ValueError("candidates must hold at least one policy, got none")
    before = real(_checks.amount("prior", prior))
    if before > _LARGEST_PRIOR:
        raise ValueError(f"prior must be at most 1e300, got {_checks.shown(prior)}")
    tie = _checks.choice("tie", tie, TIES)
    seen = [
        chances for game in listed for chances in _chances(game, player, policies, tie)
    ]
    if not seen:
        raise ValueError(
            f"games must have a turn in which {_checks.shown(player)} had a choice"
        )
    table = np.array(seen)
    if not table.any(axis=1).all():
        raise ValueError(
            "candidates must include a policy that may take each turn that was taken "
            "('random' does); some turn is taken by none of them"
        )
    weights = _most_likely(table, before)
    return Estimate(
        player=player,
        candidates=tuple(policies),
        weights=weights,
        errors=_errors(table, weights, before),
        agreement=table.mean(axis=0),
        turns=len(table),
    )


def _game(number: int, game: object, player: str) -> Match:
    if not isinstance(game, Match):
        raise TypeError(
            f"games[{number}] must be a cardrow.Match, got {_checks.described(game)}"
        )
    if player not in game.players:
        raise ValueError(
            f"player must be one of the players {game.players} of games[{number}], got "
            f"{_checks.shown(player)}"
        )
    return game


def _turns(game: Match) -> Iterator[tuple[int, int, int, int]]:
    """Yield the player, the ends of the interval and the code of each turn."""
    left, right, at = 0, len(game.cards) - 1, 0
    takers, from_right = game.takers.tolist(), game.from_right.tolist()
    while left <= right:
        count = 1
        while at + count < len(takers) and takers[at + count] == takers[at]:
            count += 1
        code = count if from_right[at] else -count
        yield takers[at], left, right, code
        left, right = (left - code, right) if code < 0 else (left, right - code)
        at += count


def _chances(
    game: Match, player: str, policies: Sequence[Policy], tie: Tie
) -> Iterator[list[float]]:
    """Yield the chances of each turn of a player who has a choice, one a policy."""
    setting = setting_of(game.rules, [read("cards", game.cards)], tie)
    players = [
        player_of(policy, setting, f"{_checks.shown(name_of(policy))}, a candidate,")
        for policy in policies
    ]
    for seat, left, right, code in _turns(game):
        if game.players[seat] != player or left == right:
            continue
        spots = Spots(right - left + 1, np.zeros(1, np.int64), np.array([left]))
        place = turn_codes(right - left + 1, game.rules.take).index(code)
        odds = [policy(spots, seat) for policy in players]
        yield [int(one.parts[place, 0]) / one.whole for one in odds]


def _most_likely(table: NDArray[np.float64], prior: float) -> NDArray[np.float64]:
    """Return the most likely weights, from the chances of each turn by each policy."""
    kinds, counts = np.unique(table, axis=0, return_counts=True)
    policies = table.shape[1]
    weights = np.full(policies, 1 / policies)
    for _ in range(_MOST_ROUNDS):
        shares = kinds * weights
        shares *= (counts / shares.sum(axis=1))[:, None]
        new = (shares.sum(axis=0) + prior) / (len(table) + policies * prior)
        settled = np.abs(new - weights).max() < 1e-13
        weights = new
        if settled:
            break
    return weights


def _errors(
    table: NDArray[np.float64], weights: NDArray[np.float64], prior: float
) -> NDArray[np.float64]:
    """Return standard errors from the curvature at the most likely weights."""
    policies = len(weights)
    if policies == 1:
        return np.zeros(1)
    scaled = table / (table @ weights)[:, None]
    curvature = scaled.T @ scaled + np.diag(prior / np.maximum(weights, 1e-150) ** 2)
    # Weights sum to 1, so only directions that sum to 0 count: an orthonormal basis.
    basis = np.linalg.svd(np.ones((1, policies)))[2][1:].T
    spread = basis @ np.linalg.pinv(basis.T @ curvature @ basis) @ basis.T
    return np.sqrt(np.maximum(np.diag(spread), 0))


def recorded(
    cards: Cards,
    turns: Iterable[Side | Turn],
    *,
    players: Sequence[str] = ("first", "second"),
    rules: Rules | None = None,
) -> Match:
    """Return a game that was played elsewhere, from its turns.

    Grade: exact.

    Parameters
    ----------
    cards : iterable of int, Fraction, Decimal or float
        The row from left to right, as for :func:`value`.
    turns : iterable of "left", "right" or Turn
        All turns, in order.
    players : sequence of str, default "first" and "second"
        The names of the players, in the order in which they move.
    rules : Rules, optional
        The classic rules if not given.

    Returns
    -------
    Match
        The game, as from :func:`match`.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described above, a turn is not allowed, or there are
        too few or too many turns.

    Examples
    --------
    >>> from cardgames_dp import cardrow
    >>> sides = ["right", "right", "left", "right", "left", "left"]
    >>> print(cardrow.recorded([4, 4, 6, 6, 12, 9], sides, players=["me", "sister"]))
    6 cards: me, who started, took 17 and sister 24.
    """
    rules = _checks.rules(rules, Rules)
    row = read("cards", cards)
    names = tuple(players)
    if isinstance(players, str) or len(names) != rules.players:
        raise ValueError(
            f"players must be {rules.players} names, got {_checks.shown(players)}"
        )
    game = rules.game(row.numbers())
    state, n = game.initial_state(), len(row.numerators)
    positions: list[int] = []
    takers: list[int] = []
    ends: list[bool] = []
    for i, turn in enumerate(turns):
        if state.left > state.right:
            raise ValueError(f"turns must stop when no card is left, got more than {i}")
        taken = turn if isinstance(turn, Turn) else Turn(turn)
        if taken.count == state.right - state.left + 1:
            taken = Turn("left", taken.count)  # by convention, for the last cards
        after = game.next_state(state, taken)
        if taken.side == "left":
            positions += range(state.left, after.left)
        else:
            positions += range(state.right, after.right, -1)
        takers += [state.player] * taken.count
        ends += [taken.side == "right"] * taken.count
        state = after
    if state.left <= state.right:
        left = state.right - state.left + 1
        raise ValueError(f"turns must take all {n} cards, got {left} left")
    return Match(
        cards=tuple(row.numbers()),
        players=names,
        positions=np.array(positions),
        from_right=np.array(ends),
        sums=state.sums,
        takers=np.array(takers),
        rules=rules,
    )
