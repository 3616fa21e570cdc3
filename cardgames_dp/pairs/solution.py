"""The solution of a game: a table of scores, rounds made from it, advice, and a policy.

What `Solution` and the best `Response` to others have in common is `SolvedPlay`.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import astuple, dataclass
from typing import Any, SupportsIndex, TypeAlias, TypeVar

import numpy as np

from cardgames_dp import diagonal
from cardgames_dp._graph.explored import explore
from cardgames_dp._graph.own_solutions import OwnSolution
from cardgames_dp._results import tables
from cardgames_dp._results.records import AdviceRecord
from cardgames_dp._support import arguments
from cardgames_dp._support.printing import short
from cardgames_dp.pairs._kernels.game import Action, Decisions, Floats, State
from cardgames_dp.pairs._kernels.induction import all_players
from cardgames_dp.pairs._kernels.positions import Positions
from cardgames_dp.pairs._kernels.sweeps import Sweep, Tabled
from cardgames_dp.pairs.policies import View, require_view
from cardgames_dp.pairs.rounds import (
    OpeningTable,
    Round,
    checked_scores,
    opening_from,
    read_position,
    round_from,
    score_columns,
    start_of,
)
from cardgames_dp.pairs.rules import Goal, Rules, in_arrays, returns_of

_MOST_SCORES = 16

Hand: TypeAlias = Mapping[Any, SupportsIndex] | Iterable[SupportsIndex]
"""The cards of a hand: its ranks, one for each card, or a mapping of rank to count."""


@dataclass(frozen=True, slots=True, repr=False)
class Advice(AdviceRecord[Action, float]):
    """The best action in a position; prints as a sentence.

    Attributes
    ----------
    action : {"hit", "fold"}
        The best action; in a tie, the one of the tie rule.
    best : tuple of {"hit", "fold"}
        All best actions: both in a tie.
    values : mapping of {"hit", "fold"} to float
        The player's chance of winning after each action that is allowed, if this player
        plays on optimally and the others play as in the solution (optimally) or as the
        best response assumes.
    returns : tuple of float
        The chances of winning of all players if the advice is followed: of the player
        to move, then of the others in turn order.

    Examples
    --------
    >>> from cardgames_dp import pairs
    >>> solution = pairs.solve(pairs.Rules(deck=3, target=5))
    >>> advice = solution.advice(hand=[2], others=[3], scores=[0, 0])
    >>> advice.action, round(advice.margin, 4)
    ('hit', 0.18)
    >>> [round(chance, 4) for chance in advice.returns]  # the player's, the other's
    [0.4878, 0.5122]
    >>> print(advice)
    hit, winning 0.48779; a fold wins 0.307781.
    >>> advice = solution.advice(hand=[], others=[], scores=[0, 0])
    >>> [*advice.values], advice.margin  # on an empty table nobody can fold
    (['hit'], None)
    >>> print(advice)
    hit, winning 0.448757; nobody can fold here.
    """

    returns: tuple[float, ...]

    def __str__(self) -> str:
        return f"{self._summary()}."

    def _summary(self) -> str:
        hit, fold = self.values.get("hit"), self.values.get("fold")
        if hit is None:
            return f"fold, winning {short(self.value)}; there is no card to draw"
        if fold is None:
            return f"hit, winning {short(hit)}; nobody can fold here"
        if self.tie:
            return (
                f"hitting and folding both win {short(fold)}; the tie rule says "
                f"{self.action}"
            )
        if self.action == "hit":
            return f"hit, winning {short(hit)}; a fold wins {short(fold)}"
        return f"fold, winning {short(fold)}; a hit wins {short(hit)}"

    def _measure(self) -> str:
        return "chance of winning"


def placed(
    positions: Positions, hand: object, others: object, deck: object
) -> tuple[Positions, int, int]:
    """Return where a position is: among which, in which layer, and where in it.

    With reshuffle='round' they are only the position and those that may follow it.

    Raises
    ------
    ValueError
        If no round leads to the position.
    """
    rules = positions.rules
    hands, unseen = read_position(rules, hand, others, deck)
    in_hands = int(hands.sum())
    by_seat = np.roll(hands, in_hands % rules.players, axis=0)
    (key,) = positions.keys(unseen[None], by_seat[None], in_hands)
    if positions.decks > 1:
        if in_hands < len(positions.layers):
            keys = positions.layers[in_hands].keys
            place = int(np.searchsorted(keys, key))
            if (keys[place : place + 1] == key).all() and place < len(keys):
                return positions, in_hands, place
    elif in_hands == 0 or sum(rules.counts) - in_hands >= rules.burn:
        return positions.after(in_hands, int(key)), in_hands, 0
    hand, others, deck = map(arguments.shown, (hand, others, deck))
    raise ValueError(
        f"hand={hand} and others={others} with deck={deck} must be a position that can "
        "arise in a round"
    )


class Swept(OwnSolution):
    """A result with a slot for a sweep, which is made when first needed.

    It is not compared, and not pickled.
    """

    __slots__ = ("_sweep",)
    _sweep: Sweep

    @abstractmethod
    def _filled_sweep(self) -> Sweep: ...

    def _solved_in_general(self) -> Any:
        raise TypeError(
            "cardgames_dp.play takes what pairs.solve returns, and no "
            f"{arguments.described(self)}"
        )


Made = TypeVar("Made", bound=Swept)


def with_sweep(result: Made, sweep: Sweep) -> Made:
    """Return a new result with the sweep from which it was made."""
    object.__setattr__(result, "_sweep", sweep)
    return result


def sweep_of(result: Swept) -> Sweep:
    """Return the sweep of a result, with its tables filled."""
    if not hasattr(result, "_sweep"):
        with_sweep(result, result._filled_sweep())
    return result._sweep


class SolvedPlay(Swept):
    """What `Solution` and `Response` have in common: decisions in all positions."""

    __slots__ = ()
    rules: Rules

    @property
    @abstractmethod
    def _label(self) -> str:
        """The name of this play as a policy."""

    def advice(
        self,
        *,
        hand: Hand,
        others: Iterable[Hand] | Hand,
        scores: Iterable[SupportsIndex],
        deck: Mapping[Any, SupportsIndex] | None = None,
    ) -> Advice:
        """Return the best action of the player to move, and the chances after each.

        For a `Response` this is the responder, whose seat follows from the numbers of
        cards.

        Parameters
        ----------
        hand : iterable of int, or mapping of int to int
            The cards of the player to move: the rank of each, or the number of each
            rank.
        others : iterable of such hands
            The hands of the others in turn order, beginning with the player on the
            left. With two players you may give the other's hand itself. As players take
            turns, each other hand has as many cards as `hand`, or one more if its
            player, one of the last in turn order, has already had this turn.
        scores : iterable of int
            The points in the same order, the player to move first.
        deck : mapping of int to int, optional
            The cards that nobody has seen, for rules under which discards stay out of
            the deck; all cards that are not on the table if not given.

        Raises
        ------
        TypeError, ValueError
            If the position cannot arise: more cards of a rank than there are, a hand
            with more than it may hold, or numbers of cards that do not fit to taking
            turns; or the players have another goal than to win.

        Examples
        --------
        >>> from cardgames_dp import pairs
        >>> solution = pairs.solve(pairs.Rules(deck=4, target=10))
        >>> advice = solution.advice(hand=[2, 3], others=[4, 1], scores=[3, 5])
        >>> advice.action, round(advice.values["hit"], 4), round(advice.value, 4)
        ('fold', 0.5973, 0.6325)
        """
        self._refuse_advice()
        vector = checked_scores(self.rules, scores)
        sweep, n = sweep_of(self), self.rules.players
        some, in_hands, place = placed(sweep.positions, hand, others, deck)
        mover = in_hands % n
        steps = sweep.best_steps(np.roll(vector, mover)[None], some)
        step = next(step for step in steps if step.in_hands == in_hands)
        hit, fold, returns = (
            np.roll(
                all_players(chances[place : place + 1], n)[0, :, 0], -mover
            ).tolist()
            for chances in (step.hit, step.fold, step.values)
        )
        allowed = step.layer.can_hit[place], step.layer.can_fold[place]
        chances: tuple[tuple[Action, float], ...] = ("hit", hit[0]), ("fold", fold[0])
        values = {x[0]: x[1] for x, can in zip(chances, allowed, strict=True) if can}
        action: Action = "hit" if step.hits[place, 0] else "fold"
        tie = len(values) == 2 and abs(hit[0] - fold[0]) <= sweep.tolerance
        best = tuple(values) if tie else (action,)
        return Advice(action, best, values, tuple(returns))

    def opening_table(
        self, scores: Iterable[SupportsIndex] | None = None
    ) -> OpeningTable:
        r"""Return the first decision with a choice in a round, with one card each.

        Parameters
        ----------
        scores : iterable of int, optional
            The points in turn order, the player to move first, who is the responder of
            a `Response`; 0 if not given.

        Examples
        --------
        >>> from cardgames_dp import pairs
        >>> solution = pairs.solve(pairs.Rules(deck=4, target=10))
        >>> print(solution.opening_table())
        own \ other  1  2  3  4
        1               H  H  H
        2            f  H  H  H
        3            f  H  H  H
        4            f  f  H  H
        (H hit, f fold (marked in pages); own card down, the other's across.)
        """
        return opening_from(sweep_of(self), self.rules, scores)

    def policy(self, view: View) -> Decisions:
        """Return where to hit: a policy for any game with the same hands.

        With ``evaluate(rules, ["optimal", solution])``, for example, a player can play
        as if all cards returned after each round in a game where they do not.

        Parameters
        ----------
        view : View
            Positions of a game with as many players, the same ranks and capacity, and
            scores below this game's target. The unseen cards matter only if discards
            stay out of the deck in this game.

        Returns
        -------
        ndarray of bool, shape (positions, vectors)
            True where to hit.

        Raises
        ------
        ValueError
            If a position cannot arise in this game.

        Notes
        -----
        A new result keeps its decisions if they take at most 64 MiB, one bit for each
        position and vector of scores, and looks them up. Otherwise each call solves the
        rounds with the scores of the view.
        """
        require_view(view)
        hands = np.concatenate([view.hand[:, None], view.others], axis=1)
        return Tabled(sweep_of(self)).at(view.rules, hands, view.unseen, view.scores)

    def _refuse_advice(self) -> None:
        """Refuse where there is no advice."""


def solved_play(policy: object) -> SolvedPlay | None:
    """Return the result that a policy is or whose method `policy` it is; else None."""
    source = getattr(policy, "__self__", policy)
    if isinstance(source, SolvedPlay) and (policy is source or policy == source.policy):
        return source
    return None


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Solution(SolvedPlay):
    """Subgame-perfect play under given rules; made by :func:`solve`, read-only.

    Attributes
    ----------
    rules : Rules
        The rules of the game.
    goal : str, int or callable
        What all players maximise, "win" if not said otherwise; see :func:`solve`.
    table : ndarray of float64, shape (decks, vectors of scores, players)
        Chances of winning (with another goal, mean returns) at the start of a round,
        the leader's first. The first index
        is the deck at the start of the round (a single one with reshuffle="round"); the
        second one is the scores, leader first, as a number in base `target`. With
        ``first="lowest"`` nobody leads before the deal, and the player who is dealt the
        first card takes the leader's place.
    ties, doubtful : int
        The number of positions in which hit and fold were equal, and in which they
        differed by between 1e-14 and 1e-9, so that a tie is in doubt.
    largest_tie, smallest_lead : float
        The largest difference that counted as a tie, at most 1e-12, and the smallest
        that did not. If they are far apart, ties are told from other differences.

    Examples
    --------
    The leader's chance of winning with 0 to 4 points, while the other player has none:

    >>> from cardgames_dp import pairs
    >>> solution = pairs.solve(pairs.Rules(deck=3, target=5))
    >>> [round(solution.value_at([points, 0])[0], 4) for points in range(5)]
    [0.4488, 0.3309, 0.2135, 0.1253, 0.049]
    >>> solution.ties, solution.doubtful
    (57, 0)

    Players who want few points play differently, and win less often:

    >>> rules = pairs.Rules(deck=4, target=10)
    >>> careful = pairs.solve(rules, goal="points")
    >>> careful
    Solution(goal='points', payoffs=(-7.79216, -7.1597), rules=Rules(players=2, \
deck=((1, 1), (2, 2), (3, 3), (4, 4)), target=10, ...), ties=24)
    >>> round(pairs.evaluate(rules, [careful, "optimal"]).mean[0], 4)
    0.4308
    """

    rules: Rules
    goal: Goal
    table: Floats
    ties: int
    largest_tie: float
    smallest_lead: float
    doubtful: int

    @property
    def value(self) -> float:
        """The first player's chance of winning, or mean return, at the start."""
        return self.payoffs[0]

    @property
    def payoffs(self) -> tuple[float, ...]:
        """Chances of winning, or mean returns, at the start of the game.

        They are in turn order: the player who moves first comes first.
        """
        return tuple(self.table[-1, 0].tolist())  # of the full deck

    @property
    def num_positions(self) -> int:
        """The number of positions solved: those of cards times vectors of scores."""
        return sweep_of(self).positions.size * int(self.table.shape[1])

    @property
    def _label(self) -> str:
        return "Solution" if self.goal == "win" else f"solution for {self._goal}"

    @property
    def _goal(self) -> str:
        if isinstance(self.goal, str):
            return self.goal
        return (
            arguments.called(self.goal) if callable(self.goal) else f"best {self.goal}"
        )

    def value_at(
        self,
        scores: Iterable[SupportsIndex],
        *,
        deck: Mapping[Any, SupportsIndex] | None = None,
    ) -> tuple[float, ...]:
        """Return the chances of winning, or mean returns, at the start of a round.

        Parameters
        ----------
        scores : iterable of int
            The points of the players in turn order, the leader of the round first; with
            ``first="lowest"``, the player who is dealt the first card first.
        deck : mapping of int to int, optional
            The cards that nobody has seen, for rules under which discards stay out of
            the deck; ranks that are not keys have no cards. The full deck if not given.

        Returns
        -------
        tuple of float
            In the order of `scores`.

        Examples
        --------
        >>> from cardgames_dp import pairs
        >>> solution = pairs.solve(pairs.Rules(deck=4, target=10))
        >>> [round(chance, 4) for chance in solution.value_at([9, 0])]
        [0.0164, 0.9836]
        """
        vector = checked_scores(self.rules, scores)
        place = start_of(sweep_of(self).positions, vector, deck)
        return tuple(self.table[place].tolist())

    def round(self, scores: Iterable[SupportsIndex]) -> Round:
        """Return all positions of a round with given scores.

        Parameters
        ----------
        scores : iterable of int
            The points of the players in turn order, the leader of the round first.

        Returns
        -------
        Round
            The positions, computed at each call.
        """
        vector = checked_scores(self.rules, scores)
        return round_from(sweep_of(self), self.rules, 0, vector)

    def _refuse_advice(self) -> None:
        if self.goal != "win":
            raise ValueError(
                f"advice is for goal='win', got a solution for {self._goal}; use "
                "round(...) or opening_table(...)"
            )

    _derived = ("value", "payoffs")

    def _filled_sweep(self) -> Sweep:
        returns = in_arrays(returns_of(self.rules, self.goal))
        return Sweep.filled(self.rules, [self.table], returns=returns)

    def _solved_in_general(self) -> Any:
        found, returns = explore(self.rules.game()), returns_of(self.rules, self.goal)
        if returns is not None:
            found = found.with_returns(lambda state: returns(state.scores))

        def own_action(state: State, _: tuple[Action, ...]) -> Action:
            # Where others care about a tie, the values depend on it.
            turned = [np.roll(x, -state.player, axis=0)[None] for x in state[:2]]
            scores, hands = turned
            unseen = np.array([state.unseen])
            view = View(self.rules, hands[:, 0], hands[:, 1:], unseen, scores)
            return "hit" if self.policy(view).item() else "fold"

        return diagonal.solve(found, tie_break=own_action)

    def _facts(self) -> dict[str, object]:
        goal = {} if self.goal == "win" else {"goal": self._goal}
        return {
            **goal,
            "payoffs": self.payoffs,
            **({} if self.rules == Rules() else {"rules": self.rules}),
            "ties": self.ties,
        }

    def _table(self) -> tables.Table:
        n, target = self.rules.players, self.rules.target
        shown = tables.spread(target, _MOST_SCORES)
        leader = self.table[-1, :, 0].reshape(target, target, -1)[:, :, 0]
        rows = [
            [own, *(f"{leader[own, other]:.4f}" for other in shown)] for own in shown
        ]
        what = "chance of winning" if self.goal == "win" else "mean return"
        rest = ", all others at 0" * (n > 2)
        more = f" ({len(shown)} of {target} shown)" * (len(shown) < target)
        note = (
            f"The leader's {what}, by the leader's points (down) and those of the "
            f"player on the left{rest}{more}."
        )
        return tables.Table(["own \\ left", *map(str, shown)], rows, [note])

    def _columns(self) -> tuple[Any, dict[str, Any]]:
        what = "win" if self.goal == "win" else "return"
        players = range(self.rules.players)
        by_seat = {f"{what}_{i}": self.table[-1, :, i] for i in players}
        return None, score_columns(self.rules, by_seat)


def solution_of(rules: Rules, sweep: Sweep, goal: Goal = "win") -> Solution:
    """Return the solution with the table of a sweep, computed or loaded."""
    found = Solution(rules, goal, sweep.tables[0], *astuple(sweep.gaps))
    return with_sweep(found, sweep)
