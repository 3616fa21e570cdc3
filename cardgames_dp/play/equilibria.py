"""Equilibria of games of several players, found by best responses in turn.

In a *subgame-perfect equilibrium* [1]_ no player gains by another policy, in any state.
Backward induction finds one where play cannot come back to a state. Where it can, and
three players decide, or two whose interests are not opposed, none among policies that
depend on the state alone need exist, and several may. So policies are improved here
player by player, and it is proved of the result that nobody gains.

References
----------
.. [1] R. Selten, "Spieltheoretische Behandlung eines Oligopolmodells mit
   Nachfrageträgheit", Zeitschrift für die gesamte Staatswissenschaft 121 (1965),
   301-324 and 667-689.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Generic, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._graph.graph import Integers
from cardgames_dp._graph.mixtures import RANDOM, freeze_policies
from cardgames_dp._graph.solution import Number, Solution, payoffs_text
from cardgames_dp._results.records import Action, Result, State
from cardgames_dp._results.tables import Table
from cardgames_dp._support import arguments
from cardgames_dp._support.arguments import Backend
from cardgames_dp._support.calls import suggest_arguments
from cardgames_dp._support.running import with_progress
from cardgames_dp.game import GameError
from cardgames_dp.play._kernels.chain import fixed, returns_of, whole
from cardgames_dp.play.evaluation import (
    Played,
    PlayedArrays,
    as_explored,
    game_of,
    solved,
)
from cardgames_dp.play.policies import Profile, weighed

_MOST_STEPS = 6
"""The most changes of a circle that its message tells."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Equilibrium(Result, Generic[State, Action, Number]):
    """Policies from which no player gains by deviating; made by :func:`equilibrium`.

    Attributes
    ----------
    policies : tuple
        The policy of each player: a best response, by state, or as it was given.
    solution : Solution
        What all players can expect with these policies, in every state.
    regrets : ndarray of float64 or Fractions, shape (players, states)
        What each player would gain by the best response, by place of the state.
    error : float
        A bound on the errors of regrets; 0 for Fractions.
    rounds : int
        How many rounds of best responses changed a policy.

    Examples
    --------
    Three players in turn take one or two of five matches; the last one wins:

    >>> from cardgames_dp import game, play
    >>> def matches(state):
    ...     left, player = state
    ...     if left == 0:
    ...         return game.TERMINAL, [int(i == (player - 1) % 3) for i in range(3)]
    ...     after = (player + 1) % 3
    ...     return player, {n: (left - n, after) for n in (1, 2) if n <= left}
    >>> found = play.equilibrium(game.from_function(matches, (5, 0), 3))
    >>> found.payoffs, float(found.regrets.max()), found.policies[0][5, 0]
    ((0.5, 0.0, 0.5), 0.0, 1)
    """

    policies: tuple[Any, ...]
    solution: Solution[State, Action, Number]
    regrets: NDArray[Any]
    error: float
    rounds: int

    @property
    def value(self) -> Number:
        """What the first player can expect at the start."""
        return self.solution.value

    @property
    def payoffs(self) -> tuple[Number, ...]:
        """What each player can expect at the start."""
        return self.solution.payoffs

    _derived = ("payoffs",)

    def _table(self) -> Table:
        most = [max(row) for row in self.regrets.tolist()]
        rows = zip(map(str, range(len(most))), self.payoffs, most, strict=True)
        note = "no player gains in any state; other equilibria may exist"
        return Table(("player", "payoff", "largest regret"), [*rows], [note])

    def __repr__(self) -> str:
        doubt = f", error={self.error:.2g}" if self.error else ""
        return f"Equilibrium({payoffs_text(self.payoffs)}, rounds={self.rounds}{doubt})"


@suggest_arguments
def equilibrium(
    game: Played[State, Action] | PlayedArrays,
    policies: Profile[State, Action] | None = None,
    rounds: int = 100,
    *,
    backend: Backend = "float64",
) -> Equilibrium[State, Action, Any]:
    """Return policies from which no player gains by deviating, in any state.

    The players take turns: each who gains anywhere by the best response to the others
    takes it, until nobody gains in any state. The result is an equilibrium, proved by
    its regrets; others may exist, and from other policies another may be found.

    Grade: exact, or certified by `Equilibrium.error` in float64.

    Parameters
    ----------
    game : Game, ArrayGame, Explored, ExploredArrays, Solution or Response
        The game that is played.
    policies : Policy, or list or tuple of Policy, optional
        Where to start, as for :func:`evaluate`; "random", every action with equal
        chances, if not given.
    rounds : int, default 100
        How often all players may take their turns.
    backend : {"float64", "exact"}, default "float64"
        The arithmetic. In float64 a gain counts if it is certain.

    Returns
    -------
    Equilibrium
        Policies, payoffs, and the regrets of all players in all states.

    Raises
    ------
    GameError
        If best responses go round in a circle, which the message shows. Also if play
        need not end when the others follow their policies.
    TypeError, ValueError
        As for :func:`evaluate`, or if players still gain after all rounds.

    References
    ----------
    R. Selten, "Spieltheoretische Behandlung eines Oligopolmodells mit
    Nachfrageträgheit", Zeitschrift für die gesamte Staatswissenschaft 121 (1965),
    301-324 and 667-689.

    Examples
    --------
    Three players in turn stop or pass. Who stops gets a point, and the next player two:

    >>> from cardgames_dp import game, play
    >>> from cardgames_dp.game import TERMINAL
    >>> def around(stopper, after, before):
    ...     def rules(state):
    ...         player, over = state
    ...         if over:
    ...             paid = stopper, after, before
    ...             return TERMINAL, [paid[i - player] for i in range(3)]
    ...         return player, {"pass": ((player + 1) % 3, 0), "stop": (player, 1)}
    ...     return game.from_function(rules, (0, 0), 3)
    >>> found = play.equilibrium(around(1, 2, 0), backend="exact")
    >>> print(found)
    player  payoff  largest regret
    0            1               0
    1            2               0
    2            0               0
    (no player gains in any state; other equilibria may exist)
    >>> [policy[player, 0] for player, policy in enumerate(found.policies)]
    ['stop', 'stop', 'stop']

    If the player before gets the two points, everybody wants the next one to stop:

    >>> play.equilibrium(around(1, 0, 2))
    Traceback (most recent call last):
        ...
    cardgames_dp.game.GameError: best responses in turn go round: policies are the \
same after rounds 2 and 6, and in between change player 1 in (1, 0): 'pass' -> ...
    """
    name = arguments.backend(backend)
    rounds = arguments.integer("rounds", rounds, minimum=1)
    given = freeze_policies(game_of(game), RANDOM if policies is None else policies)
    search = _Search(as_explored(game), given, name)
    for number in with_progress(range(rounds), None, "rounds"):
        if not search.round(number):
            return search.result(number)
    player, gain, state = search.largest()
    raise ValueError(
        f"rounds must be more than {rounds}, as players still gain: player {player} "
        f"gained {gain} in {arguments.shown(state)}; other policies may also lead "
        "to an equilibrium"
    )


class _Turn(NamedTuple):
    """A best response that a player took.

    Attributes
    ----------
    round, player : int
    before, after : ndarray of int, or None
        The actions by place, as ranks; before there may be none.
    """

    round: int
    player: int
    before: Integers | None
    after: Integers


class _Search:
    """The policies of all players, improved one after the other.

    Parameters
    ----------
    explored : Explored or ExploredArrays
    policies : Profile
    backend : {"float64", "exact"}
    """

    def __init__(self, explored: Any, policies: Any, backend: Backend) -> None:
        self._explored, self._backend = explored, backend
        graph = explored.graph
        several = isinstance(policies, tuple)
        self._policies = [*policies] if several else [policies] * graph.num_players
        self._weights = weighed(explored, policies, backend)
        self._movers = np.repeat(graph.players, np.diff(graph.offsets))
        self._chosen: list[Integers | None] = [None] * graph.num_players
        self._values = self._evaluated()
        shape = graph.num_players, graph.num_states
        kind = np.dtype(object if backend == "exact" else np.float64)
        self._regrets = whole(0, math.prod(shape), kind).reshape(shape)
        self._errors = np.zeros(shape)
        self._turns: list[_Turn] = []
        self._seen: dict[bytes, int] = {}

    def _evaluated(self) -> Any:
        graph = fixed(self._explored.graph, self._weights)[0]
        return solved(self._explored, graph, self._backend)

    def round(self, number: int) -> bool:
        """Let all players respond; return whether anyone changed a policy.

        Raises
        ------
        GameError
            If all policies are as after an earlier round.
        """
        before = len(self._turns)
        for player in range(self._explored.num_players):
            self._respond(player, number)
        if len(self._turns) == before:
            return False
        every = b"".join([b"-" if x is None else x.tobytes() for x in self._chosen])
        earlier = self._seen.setdefault(blake2b(every).digest(), number)
        if earlier < number:
            self._refuse_circle(earlier, number)
        return True

    def _respond(self, player: int, number: int) -> None:
        """Find what a player gains in every state, and let him respond if he does."""
        graph, moves = self._explored.graph, self._movers == player
        if not moves.any():
            return
        left, _ = fixed(graph, self._weights, free=player)
        best = solved(self._explored, returns_of(left, player), self._backend)
        here = np.arange(graph.num_states)
        source = self._values._source
        gains = best._source.value_of(here) - source.payoffs_of(here)[:, player]
        errors = best._source.error_of(here) + source.error_of(here)
        # The difference rounds as well.
        errors += np.abs(gains).astype(np.float64) * 2.0**-52 * (errors > 0)
        self._regrets[player], self._errors[player] = gains, errors
        if not (gains > errors).any():
            return
        places = np.flatnonzero(graph.players == player)
        chosen = best._source.chosen[places]
        self._turns.append(_Turn(number, player, self._chosen[player], chosen))
        self._weights[moves] = 0
        self._weights[graph.offsets[places] + chosen] = 1
        self._chosen[player], self._policies[player] = chosen, best.policy
        self._values = self._evaluated()

    def result(self, rounds: int) -> Equilibrium[Any, Any, Any]:
        """Return the policies, from which nobody gains."""
        return Equilibrium(
            policies=tuple(self._policies),
            solution=self._values,
            regrets=np.maximum(self._regrets, 0),
            error=float(self._errors.max()),
            rounds=rounds,
        )

    def largest(self) -> tuple[int, Any, Any]:
        """Return who gained most in the last round, how much, and in which state."""
        player, place = divmod(int(self._regrets.argmax()), self._regrets.shape[1])
        return player, self._regrets[player, place], self._explored.state(place)

    def _refuse_circle(self, earlier: int, number: int) -> None:
        """Refuse a game in which all policies are as after an earlier round."""
        steps = []
        for turn in self._turns:
            if turn.round > earlier and turn.before is not None:
                places = np.flatnonzero(self._explored.graph.players == turn.player)
                for k in np.flatnonzero(turn.before != turn.after).tolist():
                    actions = self._explored.actions_at(int(places[k]))
                    old, new = actions[turn.before[k]], actions[turn.after[k]]
                    state = arguments.shown(self._explored.state(int(places[k])))
                    steps.append(f"player {turn.player} in {state}: {old!r} -> {new!r}")
        changes = "; ".join(steps[:_MOST_STEPS])
        more = len(steps) - _MOST_STEPS
        raise GameError(
            f"best responses in turn go round: policies are the same after rounds "
            f"{earlier + 1} and {number + 1}, and in between change {changes}"
            f"{f'; and {more} more' if more > 0 else ''}. Other policies to start from "
            "may lead to an equilibrium, if there is one in pure policies"
        )
