"""Players: policies as the engines ask them, about rounds and about games.

A policy is a word, a function of what the player sees, or solved play. Here it becomes
a player, once: `Asked` asks a function, `Tabled` looks solved play up, and `COPY` does
as the solution of the game itself. Sweeps ask players by ``in_round``, simulations call
them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, SupportsIndex, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._results.records import Record
from cardgames_dp._support import arguments
from cardgames_dp._support.aliases import Alias
from cardgames_dp._support.calls import suggest_arguments
from cardgames_dp.pairs._kernels.game import Action, Hits, Integers
from cardgames_dp.pairs._kernels.induction import COPY, Behaviour
from cardgames_dp.pairs._kernels.positions import Positions
from cardgames_dp.pairs._kernels.simulation import Seen
from cardgames_dp.pairs._kernels.sweeps import Tabled
from cardgames_dp.pairs.policies import NAMED, NAMES, Decide, Name, View
from cardgames_dp.pairs.rounds import checked_scores, read_position
from cardgames_dp.pairs.rules import Rules, tabled
from cardgames_dp.pairs.solution import Hand, SolvedPlay, solved_play, sweep_of

Made = TypeVar("Made")

if TYPE_CHECKING:
    Policy: TypeAlias = Name | Decide | SolvedPlay
else:
    Policy = Alias(
        "Policy",
        __name__,
        Name | Decide | SolvedPlay,
        """A policy: a name, a function of a `View`, or solved play.

        The named policies are:

        =====================  ======================================================
        ``"optimal"``          Plays as the solution of :func:`solve`, whatever the
                               others do.
        ``"fifty_percent"``    Hits if the chance of a pair is below 1/2.
        ``"expected_points"``  Hits if a hit scores less on average than a fold.
        ``"never_hit"``        Folds whenever folding is allowed.
        ``"always_hit"``       Hits whenever hitting is allowed.
        =====================  ======================================================

        A function gets a `View` of many positions with several vectors of scores, and
        returns an array of bool, true where to hit, of shape (positions, vectors), or
        (positions,) if it does not look at the scores. Where only one action is
        allowed, its answer is ignored. `HitBelow`, `FoldUpTo` and `SumBelow` are such
        functions. A player who mixes returns the probabilities of a hit, or a mapping
        of "hit" and "fold" to weights (numbers or such arrays).

        Solved play is a `Solution` or a `Response`, or the method `policy` of one. It
        may be of other rules, if all positions and scores of the game can arise under
        them.

        Examples
        --------
        >>> from cardgames_dp import pairs
        >>> def greedy(view: pairs.View):
        ...     return view.lowest >= 3
        >>> policies: list[pairs.Policy] = ["optimal", pairs.HitBelow(0.4), greedy]
        >>> def hesitant(view: pairs.View):
        ...     return 0.9 * greedy(view)
        >>> rules = pairs.Rules(deck=4, target=5)
        >>> for policy in (greedy, hesitant):
        ...     print(pairs.evaluate(rules, [policy, "optimal"]))
        seat  policy       wins     loses
           0  greedy   0.165295  0.834705
           1  optimal  0.834705  0.165295
        seat  policy       wins    loses
           0  hesitant  0.12301  0.87699
           1  optimal   0.87699  0.12301
        """,
    )


def policy_name(policy: Policy) -> str:
    """Return the name of a policy in results."""
    if isinstance(policy, str):
        return policy
    solved = solved_play(policy)
    if solved is not None:
        return solved._label
    if isinstance(policy, Record):  # such as HitBelow(0.4)
        return repr(policy)
    return arguments.called(policy)


def decider(name: str, policy: object) -> Decide | None:
    """Return the function that a policy stands for; None for "optimal".

    Raises
    ------
    TypeError, ValueError
        If it is neither a known name nor callable, or a class.
    """
    solved = solved_play(policy)
    if solved is not None:
        return solved.policy
    arguments.not_a_class(name, policy)
    if callable(policy):
        return policy
    if not isinstance(policy, str) or policy not in NAMES:
        raise arguments.not_one_of(
            name, policy, NAMES, "a Solution or Response", "a callable of a View"
        )
    return NAMED.get(policy)


class Asked:
    """A player who asks a function of a `View`.

    Parameters
    ----------
    name : str
        The policy's name in error messages.
    decide : callable
    rules : Rules
        Those of the views.

    Raises
    ------
    ValueError
        Raised by the methods if the function does not return decisions.
    """

    __slots__ = ("_answers", "_by_scores", "_given")

    def __init__(self, name: str, decide: Decide, rules: Rules) -> None:
        self._given = name, decide, rules
        self._answers: dict[int, tuple[Positions, Hits]] = {}
        self._by_scores = False

    def __reduce__(self) -> tuple[Any, ...]:
        return Asked, self._given  # answers are not sent to other processes

    def answer(self, view: View) -> Hits:
        """Return decisions, shape (positions, vectors) or (positions,)."""
        name, decide, _ = self._given
        positions, vectors = len(view.hand), len(view.scores)
        try:
            answer: Any = decide(view)
        except Exception as error:
            hands = [*view.hand[:1], *view.others[:1].reshape(-1, len(view.ranks))]
            first = [np.repeat(view.ranks, hand).tolist() for hand in hands]
            error.add_note(
                f"raised by {name} for {view!r}, first for the hands {first}, its own "
                f"before the others', and the scores {view.scores[:1].tolist()}"
            )
            raise
        if isinstance(answer, Mapping):
            answer = _share_of_hits(name, answer, positions)
        mixes = isinstance(answer, np.ndarray) and answer.dtype.kind == "f"
        if (
            not isinstance(answer, np.ndarray)
            or not (answer.dtype == np.bool_ or mixes)
            or answer.shape not in ((positions,), (positions, vectors))
            or (mixes and not ((answer >= 0) & (answer <= 1)).all())
        ):
            got = (
                f"an array of {answer.dtype} of shape {answer.shape}"
                if isinstance(answer, np.ndarray)
                else arguments.described(answer)
            )
            raise ValueError(
                f"{name} must return an array of bool of shape "
                f"({positions},) or ({positions}, {vectors}), got {got}; floats must "
                "be probabilities of a hit, from 0 to 1"
            )
        found: Hits = answer.astype(np.float64) if mixes else answer
        return found

    def in_round(
        self, positions: Positions, vectors: Integers
    ) -> Callable[[int], Hits]:
        """Return where to hit, by layers; see the engines' `InRounds`.

        A function that does not look at the scores is asked once for each layer.
        """
        return partial(self._in_layer, positions, vectors)

    def _in_layer(self, positions: Positions, vectors: Integers, in_hands: int) -> Hits:
        kept = self._answers.get(in_hands)
        if kept is not None and kept[0] is positions:
            return kept[1]
        answer = self.answer(view_of(self._given[2], positions, in_hands, vectors))
        if answer.ndim == 2:
            return answer
        self._answers[in_hands] = positions, answer[:, None]
        return answer[:, None]

    def __call__(self, seen: Seen) -> Hits:
        """Return true where to hit, shape (games,).

        Every game has its own scores, while a `View` combines all its vectors of scores
        with all its positions. A function that does not look at the scores returns one
        dimension, and is asked once for all games. Once it has returned two, it is
        asked separately for the games of each vector.
        """
        if not self._by_scores:
            # With two vectors, an answer that mixes them with positions is refused.
            first = seen.scores[:, :1]
            other = int((seen.scores != first).any(axis=0).argmax())
            vectors = seen.scores[:, sorted({0, other})].T
            answer = self.answer(self._view(seen, vectors))
            if answer.ndim == 1:
                return answer
            self._by_scores = True
        vectors, group = np.unique(seen.scores.T, axis=0, return_inverse=True)
        order = np.argsort(group.reshape(-1), kind="stable")
        ends = np.cumsum(np.bincount(group.reshape(-1)))
        hits, mixes = np.empty(len(order)), False
        for vector, games in zip(vectors, np.split(order, ends[:-1]), strict=True):
            answer = self.answer(self._view(seen.of(games), vector[None]))
            hits[games] = answer.reshape(-1)
            mixes |= answer.dtype != np.bool_
        return hits if mixes else hits.astype(bool)

    def _view(self, seen: Seen, vectors: Integers) -> View:
        """Return the view of all games with certain vectors of scores."""
        hands = seen.hands.astype(np.int64)
        return View(
            self._given[2],
            hands[0].T,
            hands[1:].transpose(2, 0, 1),
            seen.unseen.astype(np.int64).T,
            vectors,
        )


def _share_of_hits(
    name: str, weights: Mapping[Any, Any], positions: int
) -> NDArray[np.float64]:
    """Return the probability of a hit from a mapping of actions to weights."""
    if not weights.keys() <= {"hit", "fold"}:
        raise arguments.wrong_value(
            f"{name} must return weights of 'hit' and 'fold'", [*weights]
        )
    hit, fold = (np.asarray(weights.get(x, 0), np.float64) for x in ("hit", "fold"))
    total = hit + fold
    if not ((hit >= 0) & (fold >= 0) & (total > 0) & (total < np.inf)).all():
        raise arguments.wrong_value(
            f"{name} must return finite weights >= 0 with positive sums", dict(weights)
        )
    share: NDArray[np.float64] = hit / total
    return np.full(positions, share) if not share.ndim else share


def view_of(
    rules: Rules, positions: Positions, in_hands: int, vectors: Integers
) -> View:
    """Return the view of the player to move in a layer; scores are leader first."""
    unseen, hands = positions.cards(in_hands)
    mover = in_hands % rules.players
    order = np.roll(np.arange(rules.players), -mover)
    return View(rules, hands[:, mover], hands[:, order[1:]], unseen, vectors[:, order])


def player_of(name: str, policy: object, rules: Rules) -> Behaviour:
    """Return a policy as a player under these rules; `COPY` for "optimal"."""
    solved = solved_play(policy)
    if solved is not None:
        return Tabled(sweep_of(solved)).in_round
    decide = decider(name, policy)
    return COPY if decide is None else Asked(name, decide, rules).in_round


def seated(
    seats: Iterable[tuple[str, Any]], make: Callable[[str, Any], Made]
) -> list[Made]:
    """Return what `make` makes of each seat's policy, made once for equal policies."""
    made: dict[object, Made] = {}
    found = []
    for name, policy in seats:
        same = policy if isinstance(policy, str) else id(solved_play(policy) or policy)
        if same not in made:
            made[same] = make(name, policy)
        found.append(made[same])
    return found


def by_seat(policies: Any, players: int) -> list[tuple[str, Any]]:
    """Return the policy of each seat with its name in error messages."""
    if isinstance(policies, (str, SolvedPlay)) or callable(policies):
        return [("policies", policies)] * players
    if not arguments.is_iterable(policies):
        raise arguments.wrong_type(
            "policies must be a policy (a name, a callable, a Solution or a "
            "Response), or an iterable of one for each seat",
            policies,
        )
    listed = list(arguments.items("policies", policies))
    if len(listed) != players:
        raise ValueError(
            f"policies must be one for each of {players} players, or a single one for "
            f"all, got {len(listed)}"
        )
    return [(f"policies[{i}]", policy) for i, policy in enumerate(listed)]


@suggest_arguments
def decision(
    policy: Policy,
    *,
    hand: Hand,
    others: Iterable[Hand] | Hand,
    scores: Iterable[SupportsIndex],
    deck: Mapping[Any, SupportsIndex] | None = None,
    rules: Rules | None = None,
) -> Action | dict[Action, float]:
    """Return the action of a policy in one position, without solving the game.

    Where only one action is allowed, it is returned whatever the policy says: nobody
    can fold on an empty table, or hit if no card is left to draw.

    Grade: float64.

    Parameters
    ----------
    policy : Policy
        Any policy but "optimal", for which the game must be solved; use
        ``Solution.advice`` instead.
    hand, others, scores, deck
        The position, as for :meth:`Solution.advice`. The cards and the numbers of cards
        are checked, but not whether a round can reach exactly this `deck`.
    rules : Rules, optional
        The published game of two players if not given.

    Returns
    -------
    {"hit", "fold"} or dict
        The action; of a player who mixes, the probability of each.

    Examples
    --------
    With 3 and 9 against 7 and 10, at 12 points to 20:

    >>> from cardgames_dp import pairs
    >>> position = {"hand": [3, 9], "others": [7, 10], "scores": [12, 20]}
    >>> pairs.decision("expected_points", **position)
    'hit'
    >>> pairs.decision(pairs.HitBelow(0.15), **position)
    'fold'
    """
    rules = tabled(rules)
    decide = decider("policy", policy)
    if decide is None:
        raise ValueError(
            "policy must not be 'optimal', for which the game must be solved; use "
            "solve(rules).advice(...)"
        )
    vector = checked_scores(rules, scores)
    hands, unseen = read_position(rules, hand, others, deck)
    if not hands.any():
        return "hit"
    if unseen.sum() <= rules.burn:
        return "fold"
    view = View(rules, hands[:1], hands[None, 1:], unseen[None], vector[None])
    hit = Asked("policy", decide, rules).answer(view).item()
    if 0 < hit < 1:
        return {"hit": hit, "fold": 1 - hit}
    return "hit" if hit else "fold"
