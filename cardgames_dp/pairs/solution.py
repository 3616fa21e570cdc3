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
    """Subgame-perfect play under some rules: made by :func:`solve`, read-only.

    Attributes
    ----------
    rules : Rules
        Those of the game.
    method : str
        "layers": one layer of positions after another, for many scores at once.
    tolerance : float
        Chances of winning that differ by no more than this were taken for equal.
    table : ndarray of float64, shape (decks, vectors of scores, players)
        Chances of winning at the start of a round, from its leader on, by the deck that
        it starts with (one, if everything returns) and the scores, leader first, as
        a number in base `target`. With ``first="lowest"`` nobody leads before the
        deal, and the player who is dealt the first card takes the leader's place.
    ties, doubtful : int
        In how many positions hit and fold were equal; and in how many they differed by
        between 1e-14 and 1e-9, so that one could doubt it.
    largest_tie, smallest_lead : float
        The largest difference that was taken for a tie, and the smallest that was not:
        far apart, they show that `tolerance` tells one from the other.

    See Also
    --------
    solve : makes one.
    decision : what another policy does in a position.

    Examples
    --------
    What is each point worth to the leader, while the other player has none?

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
        """Chances of winning at the start of the game, of the player to move first.

        Then of the others, from the left on.
        """
        return tuple(self.table[-1, 0].tolist())  # of the full deck

    @property
    def num_positions(self) -> int:
        """How many positions were solved: on the table, times vectors of scores."""
        return sweep_of(self).positions.size * int(self.table.shape[1])

    @property
    def label(self) -> str:
        """What results call this policy."""
        return "Solution"

    def value_at(
        self,
        scores: Iterable[SupportsIndex],
        *,
        deck: Mapping[Any, SupportsIndex] | None = None,
    ) -> tuple[float, ...]:
        """Return chances of winning at the start of a round.

        Parameters
        ----------
        scores : iterable of int
            Points of each player, the leader of the round first; with
            ``first="lowest"`` who is dealt the first card.
        deck : mapping of int to int, optional
            Which cards nobody has seen, where players remember; the full deck if not
            given. A rank that is not named is gone.

        Returns
        -------
        tuple of float
            In the order of `scores`.

        Raises
        ------
        TypeError, ValueError
            If there is not one score below the target for each player, or the deck is
            none with which a round can start.

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
        """Return all positions of a round with certain scores.

        Parameters
        ----------
        scores : iterable of int
            Points of each player, the leader of the round first.

        Returns
        -------
        Round
            Made anew at each call.

        Raises
        ------
        TypeError, ValueError
            If there is not one score below the target for each player.
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
        """Return what the player to move should do, and by how much.

        Parameters
        ----------
        hand : iterable of int, or mapping of int to int
            The cards of the player to move: ranks, or how many of each.
        others : iterable of such hands
            Those of the others, from the player on the left on. With two players the
            other's hand itself will do. As players take turns, it has as many cards as
            `hand` or one more. Of more players the first ones have as many as `hand`,
            and those who have had their turn already, the last ones, one more.
        scores : iterable of int
            Points in the same order, the player to move first.
        deck : mapping of int to int, optional
            Which cards nobody has seen, where players remember them; all that are not
            on the table if not given.

        Returns
        -------
        Advice
            With the chances of winning after either action.

        Raises
        ------
        TypeError, ValueError
            If an argument is of another kind, or the position cannot arise: more cards
            of a rank than there are, a hand with more than it may hold, or numbers of
            cards that taking turns does not lead to.

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
        """Return the first real decision of a round, with one card each.

        Parameters
        ----------
        scores : iterable of int, optional
            Points of the player to move, and of the others; none if not given.

        Returns
        -------
        OpeningTable
            By the own card and the others'.

        Raises
        ------
        TypeError, ValueError
            If there is not one score below the target for each player.
        TooLargeError
            If the table, or the round that it follows from, would not fit in memory.

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
        """Return where to hit, as a policy for any game with the same hands.

        So a player may be let play as if the cards were shuffled each round in a game
        where they are not, as ``win_rate(rules, "optimal", solution.policy)``.

        Parameters
        ----------
        view : View
            Of a game with as many players, the same ranks and capacities, and scores
            below this game's target. The cards unseen are looked at if this game's
            players remember them.

        Returns
        -------
        ndarray of bool, shape (positions, vectors)
            True where to hit.

        Raises
        ------
        ValueError
            If a position is none that can arise in this game.

        Notes
        -----
        A solution just made keeps its decisions if they take no more than 64 MiB, a bit
        for each position and vector of scores, and looks them up. Otherwise each call
        solves the rounds with the view's scores.
        """
        return policy_of(self, view)

    def to_dict(self, *, json: bool = False) -> dict[str, Any]:
        """Return everything, the rules included, as plain objects.

        Parameters
        ----------
        json : bool, default False
            Whether only what JSON has may be in it: tuples become lists.

        Returns
        -------
        dict
            The columns of `to_pandas` as lists; "table", of all decks, and the other
            attributes by their names; and "value".
        """
        everything = {
            **score_columns(sweep_of(self), self.table),
            "value": self.value,
            **{field.name: getattr(self, field.name) for field in fields(self)},
        }
        plain: dict[str, Any] = _records.plain(everything, json=json)
        return plain

    def to_pandas(self) -> pd.DataFrame:
        """Return a DataFrame of chances, with the full deck: a row for each scores.

        Its columns are "score_0", "score_1", ..., from the leader on, and "win_0",
        "win_1", .... What to do with given scores is in ``round(scores).to_pandas()``.

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
            "The leader's chance of winning, by the own points (down) and those of the "
            f"player on the left{rest}{more}."
        )
        return _html.table(repr(self), ["own \\ left", *map(str, shown)], rows, [note])


def solution_of(rules: Rules, sweep: Sweep) -> Solution:
    """Return the solution whose table a sweep has filled, or has been given."""
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
