"""The solution of a game of Pairs: a table of scores, and rounds made from it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, SupportsIndex

from cardgames_dp import _html, _records
from cardgames_dp.pairs._arguments import checked_scores, start_deck
from cardgames_dp.pairs._engine import score_columns
from cardgames_dp.pairs._frames import data_frame
from cardgames_dp.pairs._kernels.setting import Decisions, Floats
from cardgames_dp.pairs._kernels.sweep import Sweep
from cardgames_dp.pairs.advice import Advice, Hand, advice_from
from cardgames_dp.pairs.openings import OpeningTable, opening_from
from cardgames_dp.pairs.policies import SolvedPlay, policy_of, sweep_of
from cardgames_dp.pairs.rounds import Round, round_from
from cardgames_dp.pairs.rules import Rules
from cardgames_dp.pairs.views import View

if TYPE_CHECKING:
    import pandas as pd

_MOST_SCORES = 16


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Solution(SolvedPlay):
    """Subgame-perfect play under given rules; made by :func:`solve`, read-only.

    Attributes
    ----------
    rules : Rules
        The rules of the game.
    method : str
        "layers": one layer of positions after another, for many scores at once.
    tolerance : float
        The largest difference of chances of winning that counts as a tie.
    table : ndarray of float64, shape (decks, vectors of scores, players)
        Chances of winning at the start of a round, the leader's first. The first index
        is the deck at the start of the round (a single one with reshuffle="round"); the
        second one is the scores, leader first, as a number in base `target`. With
        ``first="lowest"`` nobody leads before the deal, and the player who is dealt the
        first card takes the leader's place.
    ties, doubtful : int
        The number of positions in which hit and fold were equal, and in which they
        differed by between 1e-14 and 1e-9, so that a tie is in doubt.
    largest_tie, smallest_lead : float
        The largest difference that counted as a tie, and the smallest that did not. If
        they are far apart, `tolerance` separates ties from other differences.

    See Also
    --------
    solve : Solve a game.
    decision : Return the action of another policy in a position.

    Examples
    --------
    The leader's chance of winning with 0 to 4 points, while the other player has none:

    >>> from cardgames_dp import pairs
    >>> solution = pairs.solve(pairs.Rules(deck=pairs.triangular(3), target=5))
    >>> [round(solution.value_at([points, 0])[0], 4) for points in range(5)]
    [0.4488, 0.3309, 0.2135, 0.1253, 0.049]
    >>> solution.ties, solution.doubtful
    (57, 0)
    """

    rules: Rules
    method: str
    tolerance: float
    table: Floats
    ties: int
    largest_tie: float
    smallest_lead: float
    doubtful: int

    @property
    def value(self) -> tuple[float, ...]:
        """Chances of winning at the start of the game, in turn order.

        The player who moves first comes first.
        """
        return tuple(self.table[-1, 0].tolist())  # of the full deck

    @property
    def num_positions(self) -> int:
        """The number of positions solved: those of cards times vectors of scores."""
        return sweep_of(self).positions.size * int(self.table.shape[1])

    @property
    def label(self) -> str:
        """The name of this policy in results."""
        return "Solution"

    def value_at(
        self,
        scores: Iterable[SupportsIndex],
        *,
        deck: Mapping[Any, SupportsIndex] | None = None,
    ) -> tuple[float, ...]:
        """Return the chances of winning at the start of a round.

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
            The chances in the order of `scores`.

        Raises
        ------
        TypeError, ValueError
            If `scores` is not one score below the target for each player, or a round
            cannot start with `deck`.

        Examples
        --------
        >>> from cardgames_dp import pairs
        >>> solution = pairs.solve(pairs.Rules(deck=pairs.triangular(4), target=10))
        >>> [round(chance, 4) for chance in solution.value_at([9, 0])]
        [0.0164, 0.9836]
        """
        vector = checked_scores(self.rules, scores)
        sweep = sweep_of(self)
        number = start_deck(sweep.positions, deck)
        return tuple(self.table[number, sweep.index(vector)].tolist())

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

        Raises
        ------
        TypeError, ValueError
            If `scores` is not one score below the target for each player.
        """
        vector = checked_scores(self.rules, scores)
        return round_from(sweep_of(self), self.rules, 0, vector)

    def advice(
        self,
        *,
        hand: Hand,
        others: Iterable[Hand] | Hand,
        scores: Iterable[SupportsIndex],
        deck: Mapping[Any, SupportsIndex] | None = None,
    ) -> Advice:
        """Return the best action of the player to move, and the chances after each.

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

        Returns
        -------
        Advice
            The best action, and the chances of winning after each action.

        Raises
        ------
        TypeError, ValueError
            If an argument is not as described above, or the position cannot arise: more
            cards of a rank than there are, a hand with more than it may hold, or
            numbers of cards that do not fit to taking turns.

        Examples
        --------
        >>> from cardgames_dp import pairs
        >>> solution = pairs.solve(pairs.Rules(deck=pairs.triangular(4), target=10))
        >>> advice = solution.advice(hand=[2, 3], others=[4, 1], scores=[3, 5])
        >>> advice.action, round(advice.hit, 4), round(advice.fold, 4)
        ('fold', 0.5973, 0.6325)
        """
        vector = checked_scores(self.rules, scores)
        return advice_from(sweep_of(self), hand, others, vector, deck)

    def opening_table(
        self, scores: Iterable[SupportsIndex] | None = None
    ) -> OpeningTable:
        """Return the first decision with a choice in a round, with one card each.

        Parameters
        ----------
        scores : iterable of int, optional
            The points in turn order, the player to move first; 0 if not given.

        Returns
        -------
        OpeningTable
            The decisions by the cards of all players.

        Raises
        ------
        TypeError, ValueError
            If `scores` is not one score below the target for each player.
        TooLargeError
            If the table, or the round from which it is made, would not fit in memory.

        Examples
        --------
        >>> from cardgames_dp import pairs
        >>> solution = pairs.solve(pairs.Rules(deck=pairs.triangular(4), target=10))
        >>> print(solution.opening_table())  # own card down; H hit, f fold
           1 2 3 4
         1   H H H
         2 f H H H
         3 f H H H
         4 f f H H
        """
        return opening_from(sweep_of(self), self.rules, 0, scores)

    def policy(self, view: View) -> Decisions:
        """Return where to hit: a policy for any game with the same hands.

        With ``win_rate(rules, "optimal", solution.policy)``, for example, a player can
        play as if all cards returned after each round in a game where they do not.

        Parameters
        ----------
        view : View
            Positions of a game with as many players, the same ranks and capacities, and
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
        A new solution keeps its decisions if they take at most 64 MiB, one bit for each
        position and vector of scores, and looks them up. Otherwise each call solves the
        rounds with the scores of the view.
        """
        return policy_of(self, view)

    def to_dict(self, *, json: bool = False) -> dict[str, Any]:
        """Return all fields, with the rules, as plain objects.

        Parameters
        ----------
        json : bool, default False
            Whether to use only types that JSON has: tuples become lists.

        Returns
        -------
        dict
            The columns of `to_pandas` as lists; the attributes by name, with "table"
            for all decks; and "value".
        """
        everything = {
            **score_columns(sweep_of(self), self.table),
            "value": self.value,
            **{field.name: getattr(self, field.name) for field in fields(self)},
        }
        plain: dict[str, Any] = _records.plain(everything, json=json)
        return plain

    def to_pandas(self) -> pd.DataFrame:
        """Return a DataFrame of chances with the full deck, one row for each scores.

        The columns are "score_0", "score_1", ..., the leader's first, and "win_0",
        "win_1", .... For the decisions with given scores use
        ``round(scores).to_pandas()``.

        Raises
        ------
        ModuleNotFoundError
            If pandas is not installed (the extra ``pandas``).
        """
        return data_frame(score_columns(sweep_of(self), self.table))

    def _filled_sweep(self) -> Sweep:
        return Sweep.filled(self.rules, self.tolerance, [self.table])

    def __repr__(self) -> str:
        return _records.summary(
            self,
            value=self.value,
            players=self.rules.players,
            cards=sum(self.rules.counts),
            target=self.rules.target,
            reshuffle=self.rules.reshuffle,
            ties=self.ties,
        )

    def _repr_html_(self) -> str:
        n, target = self.rules.players, self.rules.losing_score
        shown = _html.spread(target, _MOST_SCORES)
        leader = self.table[-1, :, 0].reshape(target, target, -1)[:, :, 0]
        rows = (
            [
                _html.label(str(own)),
                *(_html.cell(f"{leader[own, other]:.4f}") for other in shown),
            ]
            for own in shown
        )
        rest = ", all others at 0" * (n > 2)
        more = f" ({len(shown)} of {target} shown)" * (len(shown) < target)
        note = (
            "The leader's chance of winning, by the leader's points (down) and those "
            f"of the player on the left{rest}{more}."
        )
        return _html.table(repr(self), ["own \\ left", *map(str, shown)], rows, [note])


def solution_of(rules: Rules, sweep: Sweep) -> Solution:
    """Return the solution with the table of a sweep, computed or loaded."""
    gaps = sweep.gaps
    solution = Solution(
        rules,
        "layers",
        sweep.tolerance,
        sweep.tables[0],
        gaps.ties,
        gaps.largest_tie,
        gaps.smallest_lead,
        gaps.doubtful,
    )
    object.__setattr__(solution, "_sweep", sweep)
    return solution
