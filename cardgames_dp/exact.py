"""The exact-rational backend: backward induction over any game, in Fractions.

Model
-----
A finite, acyclic game of perfect information with any number of players and chance,
written as a `cardgames_dp.game.Game`. The value of a state is a vector, one rational a
player:

- terminal: its returns;
- chance: the mean of the outcomes' values;
- decision: the value of the action chosen, which is one that is best for the player to
  move.

So play is *subgame perfect* [1]_. With one player, or two whose returns always have
the same sum, the values are unique. With more they need not be: several actions may be
exactly as good for the player to move and yet differ for the others, and the value
passed on is that of the action which the *tie rule* chooses. Values and optimal actions
are therefore those of the tie rule in use. As values are exact, a tie is never an
accident of rounding.

Algorithm
---------
Depth-first search from the initial state without Python recursion, which meets every
state after all states that can follow it, each state once. Mean values are summed as
integers over a common denominator and reduced once. Time is linear in states and moves
(and grows with the digits of the fractions), memory in states.

References
----------
.. [1] R. Selten, "Spieltheoretische Behandlung eines Oligopolmodells mit
   Nachfrageträgheit", Zeitschrift für die gesamte Staatswissenschaft 121 (1965),
   301-324 and 667-689.

Examples
--------
A game of your own takes a dozen lines. Roll a die up to three times; the last roll
pays:

>>> from cardgames_dp import exact
>>> from cardgames_dp.game import CHANCE, TERMINAL
>>> class ThreeRolls:
...     num_players = 1
...     def initial_state(self):
...         return 3, None, "roll"                    # rolls left, die, what comes next
...     def current_player(self, state):
...         return {"roll": CHANCE, "choose": 0, "keep": TERMINAL}[state[2]]
...     def legal_actions(self, state):
...         return ["keep", "roll"] if state[0] > 0 else ["keep"]
...     def next_state(self, state, action):
...         return state[0], state[1], action
...     def chance_outcomes(self, state):
...         return [(1, (state[0] - 1, die, "choose")) for die in range(1, 7)]
...     def returns(self, state):
...         return [state[1]]
>>> solution = exact.solve(ThreeRolls())
>>> solution.value
(Fraction(14, 3),)
>>> [solution.policy[2, die, "choose"] for die in range(1, 7)]
['roll', 'roll', 'roll', 'roll', 'keep', 'keep']
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from fractions import Fraction
from itertools import islice
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeAlias, TypeVar

from cardgames_dp import _checks, _html
from cardgames_dp._extras import require, tracked
from cardgames_dp._memory import physical_memory
from cardgames_dp._numbers import printable
from cardgames_dp._records import Record, plain
from cardgames_dp.game import (
    CHANCE,
    TERMINAL,
    Action,
    CheckedGame,
    Game,
    GameError,
    State,
)

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Solution", "TieBreak", "TooManyStatesError", "Value", "solve"]

Value: TypeAlias = tuple[Fraction, ...]
TieBreak: TypeAlias = (
    Literal["first", "last"] | Callable[[State, tuple[Action, ...]], Action]
)
_Item = TypeVar("_Item")

_UNVISITED = -3  # no player, nor CHANCE or TERMINAL
_STATE_BYTES = 1024  # about what a state takes until all are solved
_CYCLE_STATES = 6  # named in an error message before it shortens the cycle
_DECIMAL = Context(prec=10, Emin=MIN_EMIN, Emax=MAX_EMAX)


def __dir__() -> list[str]:
    return __all__


class TooManyStatesError(ValueError):
    """A game has more reachable states than `max_states` allows, or than memory holds.

    Examples
    --------
    >>> from cardgames_dp import exact, redblack
    >>> exact.solve(redblack.Rules().game(26, 26), max_states=2000)
    Traceback (most recent call last):
        ...
    cardgames_dp.exact.TooManyStatesError: the game has more states than \
max_states=2000 allows; the first one beyond is State(red=..., black=..., decision=...)
    """


@dataclass(frozen=True, slots=True, repr=False)
class Solution(Record, Generic[State, Action]):
    """What backward induction knows of a game: made by `solve`, read-only.

    Attributes
    ----------
    initial_state : State
        Where the game starts.
    tie_break : str
        The tie rule in use: "first", "last" or the name of the callable.
    values : mapping of State to tuple of Fraction
        Expected returns, one a player, of every reachable state (decision, chance and
        terminal) under the policy. The initial state comes first, and every state
        before those that can follow it.
    optimal_actions : mapping of State to tuple of Action
        Of every decision state all actions that are exactly best for the player to
        move, given the policy in later states; in the order of `legal_actions`.
    policy : mapping of State to Action
        Of every decision state the optimal action that the tie rule chose.

    See Also
    --------
    solve : makes one.

    Examples
    --------
    Tables are looked up by state; where actions tie, all of them are kept:

    >>> from cardgames_dp import exact, redblack
    >>> solution = exact.solve(redblack.Rules().game(3, 3))
    >>> solution.value, solution.num_states
    ((Fraction(17, 20),), 46)
    >>> solution.ties
    (State(red=1, black=2, decision=''),)
    >>> state = redblack.State(red=1, black=2)
    >>> solution.optimal_actions[state], solution.policy[state]
    (('stop', 'draw'), 'stop')
    """

    initial_state: State
    tie_break: str
    values: Mapping[State, Value] = field(hash=False)
    optimal_actions: Mapping[State, tuple[Action, ...]] = field(hash=False)
    policy: Mapping[State, Action] = field(hash=False)

    def __post_init__(self) -> None:
        for name in ("values", "optimal_actions", "policy"):
            read_only = MappingProxyType(dict(getattr(self, name)))
            object.__setattr__(self, name, read_only)

    @property
    def value(self) -> Value:
        """Expected returns at the start, one Fraction a player."""
        return self.values[self.initial_state]

    @property
    def num_players(self) -> int:
        """How many players the game has."""
        return len(self.value)

    @property
    def num_states(self) -> int:
        """How many states can be reached, the initial one included."""
        return len(self.values)

    @property
    def ties(self) -> tuple[State, ...]:
        """The decision states with more than one optimal action."""
        return tuple([s for s, best in self.optimal_actions.items() if len(best) > 1])

    def to_dict(self, *, json: bool = False) -> dict[str, Any]:
        """Return all that the solution holds as plain columns, a row for every state.

        Parameters
        ----------
        json : bool, default False
            Whether only what JSON has may be left: Fractions become strings like
            ``"17/20"``, tuples lists, states and actions of other kinds their repr.

        Returns
        -------
        dict of str to list
            "state" (the initial one first), "values", "optimal_actions" and "policy";
            where nobody decides the optimal actions are ``()`` and the policy is None.
            Besides "tie_break", which is a word.
        """
        columns = self._columns()
        if json:
            columns = plain(columns, json=True)
        return {"tie_break": self.tie_break, **columns}

    def _columns(self) -> dict[str, list[Any]]:
        return {
            "state": list(self.values),
            "values": list(self.values.values()),
            "optimal_actions": [self.optimal_actions.get(s, ()) for s in self.values],
            "policy": [self.policy.get(s) for s in self.values],
        }

    def to_pandas(self) -> pd.DataFrame:
        """Return the columns of `to_dict` as a DataFrame of objects.

        Raises
        ------
        ModuleNotFoundError
            If pandas is not installed (the extra ``pandas``).
        """
        pandas = require("pandas", extra="pandas", purpose="to_pandas")
        frame: pd.DataFrame = pandas.DataFrame(self._columns(), dtype=object)
        return frame

    def __reduce__(self) -> tuple[Any, ...]:
        # Read-only views do not pickle; the constructor makes them anew.
        mappings = (self.values, self.optimal_actions, self.policy)
        return type(self), (
            self.initial_state,
            self.tie_break,
            *(dict(mapping) for mapping in mappings),
        )

    def __repr__(self) -> str:
        return (
            f"Solution(value={_shown(self.value)}, num_states={self.num_states}, "
            f"ties={len(self.ties)}, tie_break={self.tie_break!r})"
        )

    def _repr_html_(self) -> str:
        rows = []
        for state, value in islice(self.values.items(), _html.MOST_ROWS):
            best = self.optimal_actions.get(state, ())
            actions = ", ".join(map(repr, best))
            rows.append(
                [
                    _html.cell(repr(state)),
                    _html.cell(_shown(value)),
                    _html.cell(actions, mark=" (tie)" if len(best) > 1 else None),
                ]
            )
        head = ["state", "value", "optimal actions"]
        notes = [
            "Marked (tie): several actions are optimal.",
            *_html.first_of(self.num_states, "states"),
        ]
        return _html.table(repr(self), head, rows, notes)


def solve(
    game: Game[State, Action],
    *,
    tie_break: TieBreak[State, Action] = "first",
    max_states: int = 1_000_000,
    progress: bool = False,
) -> Solution[State, Action]:
    """Solve a game exactly by backward induction over its reachable states.

    Grade: exact.

    Parameters
    ----------
    game : Game
        Any object with the members of `cardgames_dp.game.Game`.
    tie_break : {"first", "last"} or callable, default "first"
        Which of several optimal actions the player takes: the first or the last in the
        order of `legal_actions`, or what ``tie_break(state, optimal_actions)`` returns.
        A callable is asked only where there is more than one. Every optimal action is
        worth the same to the player to move; to the other players it need not be, so
        that with three players or more (or two whose interests are not opposed) the
        rule is part of the answer. See the notes at the head of this module.
    max_states : int, default 1_000_000
        The search ends with an error at the first state beyond this number, before the
        memory does. A state takes about 1 kB, and more when its fractions are long; the
        search also ends where such states would fill half of this machine's memory.
    progress : bool, default False
        Show how many states are solved, for which `tqdm` is needed (the extra
        ``progress``). How many there will be nobody knows before the end.

    Returns
    -------
    Solution
        Values, all optimal actions, and the policy.

    Raises
    ------
    TypeError
        If an argument is of a wrong type, `game` is a class or lacks members, or an
        answer of the game is of a wrong type: returns that are not int or Fraction,
        weights that are not integers, states or actions that are not hashable.
    GameError
        If the game breaks a promise of the protocol: it has no player, a cycle, a
        player's index out of range, a decision state without actions or with the same
        one twice, negative weights or weights that sum to zero, or a number of returns
        that is not the number of players.
    TooManyStatesError
        If more than `max_states` states can be reached, or more than memory holds.
    ValueError
        If `tie_break` is another word, or returns an action that is not optimal, or
        `max_states` is not positive. (The two errors above are ValueErrors as well.)
    ModuleNotFoundError
        If `progress` is asked for and `tqdm` is not installed.

    References
    ----------
    R. Selten, "Spieltheoretische Behandlung eines Oligopolmodells mit
    Nachfrageträgheit", Zeitschrift für die gesamte Staatswissenschaft 121 (1965),
    301-324 and 667-689, for subgame-perfect play.

    Examples
    --------
    Take one or two of five matches; who takes the last one wins.

    >>> from cardgames_dp import exact
    >>> from cardgames_dp.game import TERMINAL
    >>> class Matches:
    ...     num_players = 2
    ...     def initial_state(self): return 5, 0                     # matches, mover
    ...     def current_player(self, state): return state[1] if state[0] else TERMINAL
    ...     def legal_actions(self, state): return [1, 2][:state[0]]
    ...     def next_state(self, state, taken): return state[0] - taken, 1 - state[1]
    ...     def chance_outcomes(self, state): return []              # never asked
    ...     def returns(self, state): return [-1, 1] if state[1] == 0 else [1, -1]
    >>> solution = exact.solve(Matches())
    >>> solution
    Solution(value=(1, -1), num_states=10, ties=2, tie_break='first')
    >>> solution.policy[5, 0]
    2
    """
    checked = CheckedGame(game)
    rule, rule_name = _tie_rule(tie_break)
    limit = _checks.integer("max_states", max_states, minimum=1)
    progress = _checks.boolean("progress", progress)

    values: dict[State, Value] = {}
    optimal_actions: dict[State, tuple[Action, ...]] = {}
    policy: dict[State, Action] = {}
    nodes = _last_states_first(checked, limit)
    for node in tracked(nodes, None, "states", shown=progress):
        following = [child.value for child in node.children]
        if node.player == TERMINAL:
            node.value = checked.returns(node.state)
        elif node.player == CHANCE:
            node.value = _mean(node.weights, following)
        else:
            worth = [value[node.player] for value in following]
            best = max(worth)
            optimal = [i for i, w in enumerate(worth) if w == best]
            actions = tuple([node.actions[i] for i in optimal])
            chosen = 0 if len(actions) == 1 else rule(node.state, actions)
            node.value = following[optimal[chosen]]
            optimal_actions[node.state] = actions
            policy[node.state] = actions[chosen]
        values[node.state] = tuple([printable(x) for x in node.value])
    return Solution(
        initial_state=next(reversed(values)),
        tie_break=rule_name,
        values=_reversed(values),
        optimal_actions=_reversed(optimal_actions),
        policy=_reversed(policy),
    )


class _Node(Generic[State, Action]):
    """A state while the game is being solved, and what may come next."""

    __slots__ = (
        "actions",
        "children",
        "finished",
        "player",
        "state",
        "value",
        "weights",
    )

    def __init__(self, state: State) -> None:
        self.state = state
        self.player = _UNVISITED
        self.actions: tuple[Action, ...] = ()  # of a decision state
        self.weights: list[int] = []  # of a chance state
        self.children: list[_Node[State, Action]] = []
        self.finished = False
        self.value: Value = ()


def _last_states_first(
    game: CheckedGame[State, Action], max_states: int
) -> Iterator[_Node[State, Action]]:
    """Yield every reachable state once, after all states that can follow it."""
    nodes: dict[State, _Node[State, Action]] = {}
    room = physical_memory() // 2 // _STATE_BYTES

    def node_of(state: State) -> _Node[State, Action]:
        node = nodes.get(state)
        if node is None:
            if len(nodes) == min(max_states, room):
                why = f"max_states={max_states} allows"
                if room < max_states:
                    why = f"half of this machine's memory holds, {room} of about 1 kB"
                raise TooManyStatesError(
                    f"the game has more states than {why}; the first one beyond is "
                    f"{_checks.shown(state)}"
                )
            node = nodes[state] = _Node(state)
        return node

    def visit(node: _Node[State, Action]) -> None:
        state = node.state
        node.player = game.current_player(state)
        if node.player == CHANCE:
            for weight, following in game.chance_outcomes(state):
                node.weights.append(weight)
                node.children.append(node_of(following))
        elif node.player != TERMINAL:
            node.actions = game.legal_actions(state)
            node.children = [node_of(game.next_state(state, a)) for a in node.actions]
        path.append(node)
        unseen.append(iter(node.children))

    path: list[_Node[State, Action]] = []  # from the initial state to where we are,
    unseen: list[Iterator[_Node[State, Action]]] = []  # with children still to look at
    visit(node_of(game.initial_state()))
    while path:
        for child in unseen[-1]:
            if child.player == _UNVISITED:
                visit(child)
                break
            if not child.finished:
                raise GameError(_cycle(path, child))
        else:
            unseen.pop()
            node = path.pop()
            yield node
            node.finished = True
            node.children = []


def _cycle(path: list[_Node[State, Action]], repeated: _Node[State, Action]) -> str:
    cycle = path[path.index(repeated) :]
    steps = [_checks.shown(node.state) for node in cycle[: _CYCLE_STATES - 1]]
    if len(cycle) > _CYCLE_STATES:
        steps.append("...")
    if len(cycle) >= _CYCLE_STATES:
        steps.append(_checks.shown(cycle[-1].state))
    again = _checks.shown(repeated.state)
    return (
        f"the game must be acyclic, but a play can come back to {again}: "
        f"{' -> '.join([*steps, again])} (a cycle of {len(cycle)})"
    )


def _mean(weights: list[int], values: list[Value]) -> Value:
    total = sum(weights)
    means = []
    for column in zip(*values, strict=True):
        # One gcd a mean, not one an addition: gcds are what long fractions cost.
        denominator = math.lcm(*[x.denominator for x in column])
        numerator = sum(
            [
                weight * x.numerator * (denominator // x.denominator)
                for weight, x in zip(weights, column, strict=True)
            ]
        )
        means.append(Fraction(numerator, denominator * total))
    return tuple(means)


def _tie_rule(tie_break: object) -> tuple[Callable[[Any, tuple[Any, ...]], int], str]:
    """Return the function that gives the index of the chosen tied action; its name."""
    if callable(tie_break):
        choose: Callable[..., object] = tie_break

        def asked(state: object, actions: tuple[object, ...]) -> int:
            action = choose(state, actions)
            if action not in actions:
                raise ValueError(
                    "tie_break must return one of the optimal actions "
                    f"{_checks.shown(actions)} at state {_checks.shown(state)}, got "
                    f"{_checks.shown(action)}"
                )
            return actions.index(action)

        return asked, getattr(tie_break, "__name__", type(tie_break).__name__)
    if tie_break == "first":
        return lambda state, actions: 0, "first"
    if tie_break == "last":
        return lambda state, actions: len(actions) - 1, "last"
    kind = ValueError if isinstance(tie_break, str) else TypeError
    raise kind(
        "tie_break must be 'first', 'last' or a callable of a state and its optimal "
        f"actions, got {_checks.shown(tie_break)}"
    )


def _reversed(mapping: dict[State, _Item]) -> dict[State, _Item]:
    return dict(reversed(mapping.items()))


def _shown(value: Value) -> str:
    """Return a value vector in few characters: long fractions as decimals."""
    texts = [
        str(x)
        if x.numerator.bit_length() + x.denominator.bit_length() < 64
        else f"~{_DECIMAL.divide(Decimal(x.numerator), Decimal(x.denominator))}"
        for x in value
    ]
    return f"({', '.join(texts)}{',' if len(texts) == 1 else ''})"
