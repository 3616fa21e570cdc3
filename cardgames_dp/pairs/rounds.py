"""What only solutions of Pairs have: tables of scores, rounds, first decisions."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import astuple, dataclass, field
from typing import Any, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._graph.solution import as_solution
from cardgames_dp._results import tables
from cardgames_dp._results.records import Result
from cardgames_dp._support import arguments
from cardgames_dp._support.calls import suggest_arguments
from cardgames_dp._support.running import refuse_too_large
from cardgames_dp.pairs._kernels.induction import Step, all_players
from cardgames_dp.pairs._kernels.positions import Positions, most_positions
from cardgames_dp.pairs._kernels.sweeps import Sweep
from cardgames_dp.pairs.lookup import SolvedRounds
from cardgames_dp.pairs.rules import (
    Floats,
    Goal,
    Integers,
    Rules,
    numbers_of,
    vectors_of,
)
from cardgames_dp.pairs.state import checked_scores, rank_vector, ranks_of


def start_of(positions: Positions, scores: Integers, deck: object) -> tuple[int, int]:
    """Return the place of the start of a round in tables: its deck and its scores."""
    rules, column = positions.rules, int(numbers_of(positions.rules, scores))
    if deck is None:
        return positions.full_deck, column
    if rules.reshuffle == "round":
        raise ValueError(
            "deck is for rules under which discards stay out of the deck; with "
            "reshuffle='round' every round starts with the full deck"
        )
    unseen = rank_vector("deck", deck, rules)
    number = int(positions.deck_number(unseen))
    beyond = (unseen > np.array(rules.counts)).any()
    if beyond or number not in positions.layers[0].keys:
        raise arguments.wrong_value(
            "deck must be one with which a round can start, with at most "
            f"{dict(rules.deck)} and more than {rules.burn} cards",
            deck,
        )
    return number, column


def score_columns(rules: Rules, chances: Mapping[str, Floats]) -> dict[str, Any]:
    """Return scores, low totals first, and chances by their vectors, as columns."""
    vectors = np.concatenate(vectors_of(rules))
    scores = {f"score_{i}": vectors[:, i].tolist() for i in range(rules.players)}
    here = numbers_of(rules, vectors)
    return scores | {name: each[here].tolist() for name, each in chances.items()}


def solved_by_pairs(solution: Any) -> SolvedRounds:
    """Return the solved rounds of a solution of Pairs; refuse any other."""
    source = getattr(as_solution(solution), "_source", None)
    lookup = getattr(source, "lookup", None)
    if not isinstance(lookup, SolvedRounds):
        raise arguments.wrong_type(
            "solution must be a result of pairs.solve, or of cardgames_dp.play for "
            "pairs.game(...), in float64",
            solution,
        )
    return lookup


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Round(Result):
    """Every position of a round; made by :func:`positions`.

    In all arrays the player to move comes first, then the others in turn order. The
    arrays are read-only.

    Attributes
    ----------
    rules : Rules
        The rules of the game.
    scores : tuple of int
        The points at the start of the round, the leader's first.
    cards : ndarray of int64, shape (positions,)
        The number of cards in all hands. The player to move sits that many seats to the
        left of the leader, counted around the table.
    hands : ndarray of int8, shape (positions, players, ranks)
        The number of cards of each rank in each hand.
    unseen : ndarray of int64, shape (positions, ranks)
        The number of cards of each rank that nobody has seen.
    can_hit, can_fold : ndarray of bool, shape (positions,)
        Whether the action is allowed.
    hit, fold : ndarray of float64, shape (positions, players)
        Chances of winning after the action; 0 where it is not allowed.
    hits : ndarray of bool or float64, shape (positions,)
        Whether to hit; if a player mixes, with what probability.
    ties : ndarray of bool, shape (positions,)
        Whether both actions are allowed and equally good.
    values : ndarray of float64, shape (positions, players)
        Chances of winning.

    Examples
    --------
    The position of the first round in which hit and fold are equally good:

    >>> from cardgames_dp import pairs
    >>> solution = pairs.solve(pairs.Rules(deck=3, target=5))
    >>> first = pairs.positions(solution)
    >>> first
    Round(scores=(0, 0), hits=16, ties=1)
    >>> tied = first.ties.argmax()  # a 2 against a 1 and a 2; three 3s are left
    >>> first.hands[tied].tolist(), first.unseen[tied].tolist()
    ([[0, 1, 0], [1, 1, 0]], [0, 0, 3])
    """

    rules: Rules
    scores: tuple[int, ...]
    cards: NDArray[np.int64]
    hands: NDArray[np.int8]
    unseen: NDArray[np.int64]
    can_hit: NDArray[np.bool_]
    can_fold: NDArray[np.bool_]
    hit: Floats
    fold: Floats
    hits: NDArray[Any]
    ties: NDArray[np.bool_]
    values: Floats

    def __len__(self) -> int:
        return len(self.cards)

    def _facts(self) -> dict[str, object]:
        choice = self.can_hit & self.can_fold
        return {
            "scores": self.scores,
            "hits": (self.hits * choice).sum().item(),
            "ties": int(self.ties.sum()),
        }

    def _columns(self, most: int | None = None) -> tuple[Any, dict[str, Any]]:
        """Return columns for the first positions, or for all."""
        ranks, few = self.rules.ranks, slice(most)
        nothing: Any = None  # where an action is not allowed
        hands = self.hands[few].tolist()
        seen = [[ranks_of(hand, ranks) for hand in row] for row in hands]
        return None, {
            "hand": [row[0] for row in seen],
            "others": [tuple(row[1:]) for row in seen],
            "unseen": [ranks_of(row, ranks) for row in self.unseen[few].tolist()],
            "action": np.select(
                [self.hits[few] == 1, self.hits[few] == 0], ["hit", "fold"], "mix"
            ).tolist(),
            "tie": self.ties[few].tolist(),
            "hit": np.where(self.can_hit[few], self.hit[few, 0], nothing).tolist(),
            "fold": np.where(self.can_fold[few], self.fold[few, 0], nothing).tolist(),
        }

    def _table(self) -> tables.Table:
        _, columns = self._columns(tables.MOST_ROWS)
        rows: list[list[object]] = []
        for hand, others, _, action, tie, *chances in zip(
            *columns.values(), strict=True
        ):
            word = action + " (tie)" * tie
            marked = tables.Marked(word) if action == "fold" else word
            numbers = ["" if x is None else f"{x:.6f}" for x in chances]
            rows.append([str(hand), ", ".join(map(str, others)), marked, *numbers])
        notes = [
            "Chances of winning after each action; marked *: fold.",
            *tables.first_of(len(self), "positions"),
        ]
        head = ("hand", "others", "action", "hit", "fold")
        return tables.Table(head, rows, notes, left=(0, 1, 2))


def round_from(
    sweep: Sweep, rules: Rules, profile: int, scores: NDArray[np.int64]
) -> Round:
    """Return a round with the decisions of one of the profiles of a sweep."""
    positions = most_positions(rules, sweep.positions.decks)
    n, ranks = rules.players, len(rules.ranks)
    each = 8 + 8 * ranks + 3 * 8 * n  # cards, unseen; hit, fold, values
    each += n * ranks + 4  # hands; can_hit, can_fold, hits, ties
    refuse_too_large(
        f"a round of {positions} positions",
        2 * positions * each,  # twice, while layers are joined
        "use solution.advice(...), for one position, or opening_table(...)",
    )
    downwards = [by_profile[profile] for by_profile in sweep.steps(scores[None, :])]
    layers = [in_layer(sweep, step) for step in downwards[::-1]]
    arrays = [np.concatenate(parts) for parts in zip(*layers, strict=True)]
    return Round(rules, tuple(scores.tolist()), *arrays)


def in_layer(sweep: Sweep, step: Step) -> tuple[NDArray[Any], ...]:
    """Return the arrays of a `Round` for one layer."""
    n, layer = sweep.rules.players, step.layer
    order = np.roll(np.arange(n), -(step.in_hands % n))
    unseen, hands = sweep.positions.cards(step.in_hands, step.rows)
    hit, fold, values = (
        all_players(chances, n)[:, order, 0]
        for chances in (step.hit, step.fold, step.values)
    )
    hit, fold = hit * layer.can_hit[:, None], fold * layer.can_fold[:, None]
    even = np.abs(hit[:, 0] - fold[:, 0]) <= sweep.tolerance
    return (
        np.full(len(hands), step.in_hands),
        hands[:, order].astype(np.int8),
        unseen,
        layer.can_hit,
        layer.can_fold,
        hit,
        fold,
        step.hits[:, 0],
        layer.choice & even,
        values,
    )


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class OpeningTable(Result):
    r"""Whether to hit when each player has one card; prints as a table.

    Made by :func:`opening_table`. The arrays are read-only and have one axis
    for each player's card: the player to move first, then the others in turn order.

    Attributes
    ----------
    ranks : tuple of int
        The ranks to which the indices of the arrays belong, increasing.
    scores : tuple of int
        The points of the player to move, then of the others in turn order.
    hits, ties : ndarray of bool, shape (ranks, ranks, ...)
        Whether to hit, and whether hit and fold are equally good. False where the deck
        does not have these cards.
    lead : ndarray of float64, shape (ranks, ranks, ...)
        The chance of winning after a hit less that after a fold; 0 where the deck does
        not have these cards.
    possible : ndarray of bool, shape (ranks, ranks, ...)
        Whether the deck has these cards.

    Examples
    --------
    With three players there are rows for each card of the last player, who sits on the
    right of the player to move:

    >>> from cardgames_dp import pairs
    >>> three = pairs.Rules(players=3, deck=3, target=5)
    >>> print(pairs.opening_table(pairs.solve(three)))
    own; last \ left  1  2  3
    1; 1
    2; 1                 =  H
    3; 1                 f  f
    1; 2                 =  H
    2; 2              =     H
    3; 2              f  f  H
    1; 3                 H  H
    2; 3              f  H  H
    3; 3              f  H  H
    (H hit, f fold (marked in pages), = tie; own and last cards down, left across.)
    """

    ranks: tuple[int, ...]
    scores: tuple[int, ...]
    hits: NDArray[np.bool_]
    ties: NDArray[np.bool_]
    lead: Floats
    possible: NDArray[np.bool_]

    def _facts(self) -> dict[str, object]:
        counted = ("possible", "hits", "ties")
        counts = {name: int(getattr(self, name).sum()) for name in counted}
        return {"scores": self.scores, **counts}

    def _columns(self) -> tuple[Any, dict[str, Any]]:
        there, ranks = np.nonzero(self.possible), np.array(self.ranks)
        others = [f"other_{i}" for i in range(len(there) - 1)]
        names = ["own", *(others if len(others) > 1 else ["other"])]
        cards = {name: ranks[i] for name, i in zip(names, there, strict=True)}
        decided = {
            "action": np.where(self.hits, "hit", "fold")[there],
            "tie": self.ties[there],
            "lead": self.lead[there],
        }
        return None, cards | decided

    def _table(self) -> tables.Table:
        ranks, further = self.ranks, self.hits.shape[2:]
        shown = tables.spread(len(ranks))
        every = len(ranks) * math.prod(further)
        few = tables.spread(every, tables.MOST_ROWS - 1)
        rows: list[list[object]] = []
        for number in few:
            last, own = divmod(number, len(ranks))
            beyond = np.unravel_index(last, further)
            there: Any = own, shown, *beyond
            possible, hits, ties = (
                each[there].tolist() for each in (self.possible, self.hits, self.ties)
            )
            cards = ", ".join([str(ranks[i]) for i in beyond])
            row: list[object] = [f"{ranks[own]}; {cards}" if cards else str(ranks[own])]
            for can, hit, tie in zip(possible, hits, ties, strict=True):
                mark = " " if not can else "=" if tie else "H" if hit else "f"
                row.append(tables.Marked(mark, "") if can and not hit else mark)
            rows.append(row)
        corner, whose = "own \\ other", "own card down, the other's across"
        if further:
            corner = "own; last \\ left"
            whose = "own and last cards down, left across"
        marks = [getattr(x, "cell", x) for row in rows for x in row]
        tie = ", = tie" * ("=" in marks)
        notes = [f"H hit, f fold (marked in pages){tie}; {whose}."]
        if len(shown) < len(ranks):
            notes.append(f"{len(shown)} of {len(ranks)} ranks shown")
        if further and len(few) < every:
            notes.append(f"{len(few)} of {every} rows shown")
        return tables.Table([corner, *(str(ranks[i]) for i in shown)], rows, notes)


@suggest_arguments
def positions(
    solution: Any,
    scores: Iterable[SupportsIndex] | None = None,
    *,
    leader: SupportsIndex = 0,
) -> Round:
    """Return all positions of a round with given scores.

    Grade: float64.

    Parameters
    ----------
    solution : Solution or Response
        What :func:`solve` returns or, for :func:`game`, a function of
        `cardgames_dp.play`: then players follow their policies.
    scores : iterable of int, optional
        The points of the players in turn order, the leader of the round first; 0 if not
        given.
    leader : int, default 0
        The seat of the leader, if players follow policies.

    Returns
    -------
    Round
        The positions, computed at each call.

    Examples
    --------
    >>> from cardgames_dp import pairs
    >>> solution = pairs.solve(pairs.Rules(deck=3, target=5))
    >>> len(pairs.positions(solution, [3, 1]))
    25
    """
    lookup = solved_by_pairs(solution)
    rules = lookup.rules
    points = checked_scores(rules, (0,) * rules.players if scores is None else scores)
    seat = arguments.index("leader", leader, "players", rules.players)
    return round_from(
        lookup.sweep, rules, lookup.sweep.place(lookup.sweep.played, seat), points
    )


@suggest_arguments
def opening_table(
    solution: Any, scores: Iterable[SupportsIndex] | None = None
) -> OpeningTable:
    r"""Return the first decision with a choice in a round, with one card each.

    Grade: float64.

    Parameters
    ----------
    solution : Solution or Response
        As for :func:`positions`; of a best response, the responder leads the round.
    scores : iterable of int, optional
        The points in turn order, the player to move first; 0 if not given.

    Examples
    --------
    >>> from cardgames_dp import pairs
    >>> solution = pairs.solve(pairs.Rules(deck=4, target=10))
    >>> print(pairs.opening_table(solution))
    own \ other  1  2  3  4
    1               H  H  H
    2            f  H  H  H
    3            f  H  H  H
    4            f  f  H  H
    (H hit, f fold (marked in pages); own card down, the other's across.)
    """
    lookup = solved_by_pairs(solution)
    if not lookup.decides:
        raise ValueError(
            "solution must be one in which a player decides, got the values of policies"
        )
    rules = lookup.rules
    n, ranks = rules.players, len(rules.ranks)
    points = checked_scores(rules, (0,) * n if scores is None else scores)
    refuse_too_large(
        f"an opening table of {n} cards of {ranks} ranks",
        ranks**n * 8 * (n + 2) * (ranks + 1),
        "use solution.advice(...), for one position",
    )
    shape = (ranks,) * n
    cards = np.indices(shape).reshape(n, -1).T
    hands = (cards[:, :, np.newaxis] == np.arange(ranks)).astype(np.int64)
    unseen = np.array(rules.counts) - hands.sum(axis=1)
    rows = lookup.rows(hands, unseen, np.broadcast_to(points, cards.shape))
    possible = lookup.reaches(rows)
    hits, ties = np.zeros((2, len(cards)), dtype=np.bool_)
    lead = np.zeros(len(cards))
    if possible.any():
        step = lookup.decisions_in(rows[possible])
        hits[possible], lead[possible] = step.hits > 0, step.lead * step.choice
        ties[possible] = step.choice & (np.abs(step.lead) <= lookup.sweep.tolerance)
    hits, ties, possible = (x.reshape(shape) for x in (hits, ties, possible))
    scored = tuple(points.tolist())
    return OpeningTable(rules.ranks, scored, hits, ties, lead.reshape(shape), possible)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ScoreTable(Result):
    """The chances at the starts of all rounds, and how clear decisions were.

    Made by :func:`score_table`, prints as a table.

    Attributes
    ----------
    rules : Rules
        The rules of the game.
    goal : str, int or callable
        What players maximise.
    table : ndarray of float64, shape (decks, vectors of scores, players)
        Chances of winning (with another goal, mean returns) at the start of a round,
        the leader's first. The first index is the deck at the start of the round (a
        single one with reshuffle="round"); the second one is the scores, leader first,
        as a number in base `target`. With ``first="lowest"`` nobody leads before the
        deal, and the player who is dealt the first card takes the leader's place.
    ties, doubtful : int
        The number of positions in which hit and fold were equal, and in which they
        differed by between 1e-14 and 1e-9, so that a tie is in doubt.
    largest_tie, smallest_lead : float
        The largest difference that counted as a tie, at most 1e-12, and the smallest
        that did not. If they are far apart, ties are told from other differences.

    Examples
    --------
    >>> from cardgames_dp import pairs
    >>> table = pairs.score_table(pairs.solve(pairs.Rules(deck=3, target=5)))
    >>> table
    ScoreTable(payoffs=(0.448757, 0.551243), ties=57, doubtful=0)
    >>> table.num_positions, table.doubtful, table.largest_tie < 1e-15
    (625, 0, True)
    """

    rules: Rules
    goal: Goal
    table: Floats
    ties: int
    largest_tie: float
    smallest_lead: float
    doubtful: int
    _lookup: SolvedRounds = field(compare=False, repr=False)

    @property
    def payoffs(self) -> tuple[float, ...]:
        """The chances, or mean returns, of all players at the start of the game."""
        return tuple(self.table[-1, 0].tolist())

    @property
    def num_positions(self) -> int:
        """The number of positions, all of which are found: by cards times scores."""
        return self._lookup.sweep.positions.size * int(self.table.shape[1])

    _derived = ("payoffs",)

    def _facts(self) -> dict[str, object]:
        goal = {} if self.goal == "win" else {"goal": self.goal}
        facts = {name: getattr(self, name) for name in ("payoffs", "ties", "doubtful")}
        return goal | facts

    def _table(self) -> tables.Table:
        return self._lookup.sheet()

    def _columns(self) -> tuple[Any, dict[str, Any]]:
        what = "win" if self.goal == "win" else "return"
        players = range(self.rules.players)
        by_seat = {f"{what}_{i}": self.table[-1, :, i] for i in players}
        return None, score_columns(self.rules, by_seat)


@suggest_arguments
def score_table(solution: Any, *, leader: SupportsIndex = 0) -> ScoreTable:
    """Return the chances at the starts of all rounds, and how clear decisions were.

    Grade: float64.

    Parameters
    ----------
    solution : Solution or Response
        As for :func:`positions`.
    leader : int, default 0
        The seat of the leader, if players follow policies.

    Examples
    --------
    In the published game, hit and fold are equal in 430 of 250 million positions:

    >>> from cardgames_dp import pairs
    >>> table = pairs.score_table(pairs.published())
    >>> table.ties, table.largest_tie < 1e-15, table.smallest_lead > 4e-12
    (430, True, True)
    """
    lookup = solved_by_pairs(solution)
    rules = lookup.rules
    seat = arguments.index("leader", leader, "players", rules.players)
    table = lookup.at_start(seat)
    gaps: tuple[Any, Any, Any, Any] = astuple(lookup.gaps)
    return ScoreTable(rules, lookup.goal, table, *gaps, lookup)
