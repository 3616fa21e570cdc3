"""How games end: the probability distributions of returns and of moves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Generic, Literal, overload

from numpy.typing import NDArray

from cardgames_dp import _checks, _html
from cardgames_dp._checks import Backend
from cardgames_dp._law import Law
from cardgames_dp._numbers import Number, short
from cardgames_dp._records import ArrayRecord, plain, summary
from cardgames_dp._views import ByState
from cardgames_dp.explored import Explored
from cardgames_dp.game import Action, State
from cardgames_dp.play._kernels.chain import fixed
from cardgames_dp.play._kernels.endings import law_of_moves, laws_of_returns
from cardgames_dp.play._kernels.forward import ends_by_length, reach
from cardgames_dp.play.evaluation import Played, PlayedArrays, explored_of, start_of
from cardgames_dp.play.policies import Profile, deciders, weighed


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Laws(ArrayRecord, Generic[State, Number]):
    """The distributions (laws) of how a game ends; made by :func:`law`.

    It prints as tables.

    Attributes
    ----------
    returns : tuple of Law
        The distribution of the returns of each player.
    moves : Law
        The distribution of the number of moves, including those of chance.
    reach : mapping of State to float or Fraction
        The probability that a play reaches each state; for a terminal state this is the
        probability that the game ends there. For a game for arrays, an array by place.
    error : float
        A bound of the error of every probability; 0 for Fractions.

    Examples
    --------
    >>> from cardgames_dp import exact, play, redblack
    >>> solution = exact.solve(redblack.Rules().game(2, 2))
    >>> laws = play.law(solution, solution)
    >>> print(laws)
    return  probability
         0     0.333333
         1     0.666667
    (mean 0.666667, standard deviation 0.471405)
    <BLANKLINE>
    moves  probability
        3          0.5
        7     0.166667
        8     0.333333
    (mean 5.33333, standard deviation 2.35702)
    >>> laws.reach[redblack.State(red=1, black=2)]
    0.5
    """

    returns: tuple[Law[Number], ...]
    moves: Law[Number]
    reach: Mapping[State, Number]
    error: float

    @property
    def means(self) -> tuple[Number, ...]:
        """The expected return of each player."""
        return tuple([law.mean for law in self.returns])

    def to_dict(self, *, json: bool = False) -> dict[str, Any]:
        """Return all fields as plain objects, with lists of states and of `reach`.

        For a game for arrays, without these two lists.

        Parameters
        ----------
        json : bool, default False
            Whether to use only types that JSON has: Fractions become strings.
        """
        laws = {
            "returns": [law.to_dict(json=json) for law in self.returns],
            "moves": self.moves.to_dict(json=json),
        }
        columns: dict[str, Any] = {}
        by_state: Any = self.reach
        if isinstance(by_state, Mapping):
            columns = {"states": list(by_state), "reach": list(by_state.values())}
        return {**laws, **plain(columns, json=json), "error": self.error}

    def __str__(self) -> str:
        return "\n\n".join(map(str, (*self.returns, self.moves)))

    def __repr__(self) -> str:
        return summary(
            self,
            means=self.means,
            moves=self.moves.mean,
            states=len(self.reach),
            error=self.error,
        )

    def _repr_html_(self) -> str:
        laws: list[Law[Any]] = [*self.returns, self.moves]
        head = ["", "mean", "standard deviation", "least", "median", "most"]
        return _html.table(repr(self), head, map(_row, laws))


def _row(law: Law[Any]) -> list[_html.Html]:
    """Return the row of a law in a table."""
    ends = law.support[0], law.median, law.support[-1]
    numbers = (law.mean, law.standard_deviation, *ends)
    return [_html.label(law.of), *(_html.cell(short(number)) for number in numbers)]


class ByPlace(ByState[State, Any, Any]):
    """A mapping of states to numbers, from an array by places."""

    __slots__ = ("table",)

    def __init__(self, explored: Explored[State, Any], table: NDArray[Any]) -> None:
        self.explored, self.table = explored, table

    def at(self, place: int) -> Any:
        """Return the number of the state at a place."""
        return self.table.item(place)

    def all(self) -> list[Any]:
        """Return the numbers of all states."""
        numbers: list[Any] = self.table.tolist()
        return numbers


@overload
def law(
    game: Played[State, Action],
    policies: Profile[State, Action],
    *,
    backend: Literal["float64"] = "float64",
) -> Laws[State, float]: ...
@overload
def law(
    game: Played[State, Action],
    policies: Profile[State, Action],
    *,
    backend: Literal["exact"],
) -> Laws[State, Fraction]: ...
@overload
def law(
    game: Played[State, Action], policies: Profile[State, Action], *, backend: Backend
) -> Laws[State, Any]: ...
@overload
def law(
    game: PlayedArrays, policies: Any, *, backend: Backend = "float64"
) -> Laws[Any, Any]: ...
def law(game: Any, policies: Any, *, backend: Backend = "float64") -> Laws[Any, Any]:
    """Return the distributions of returns and of moves, and how likely states are.

    Grade: exact, or certified by `Laws.error` in float64.

    Parameters
    ----------
    game : Game, Explored or Solution; or one for arrays
        The game that is played.
    policies : Policy, or list or tuple of Policy
        One policy for all players, or one for each player, as for :func:`evaluate`.
    backend : {"float64", "exact"}, default "float64"
        The arithmetic.

    Returns
    -------
    Laws
        The distribution of each player's returns and of the number of moves, and the
        probability of every state. The time is linear in the moves of the game, except
        for the distribution of the number of moves: there a state counts once for every
        number of moves after which it can be reached.

    Raises
    ------
    TypeError, ValueError
        As for :func:`evaluate`.

    Examples
    --------
    >>> from cardgames_dp import exact, play, redblack
    >>> solution = exact.solve(redblack.Rules().game(2, 2))
    >>> laws = play.law(solution, solution, backend="exact")
    >>> laws.means == solution.value
    True
    >>> {str(x): str(p) for x, p in laws.returns[0].to_dict().items()}
    {'0': '1/3', '1': '2/3'}
    """
    name = _checks.backend(backend)
    found = explored_of(game)
    if name == "exact" and found.graph.numerators.dtype.kind == "f":
        raise TypeError(
            "returns(states) must hold integers for backend='exact', got floats; use "
            "backend='float64'"
        )
    asked = deciders(policies, found)
    weights = weighed(found, asked, exact=name == "exact")
    graph, _ = fixed(found.graph, weights)
    start = start_of(found)
    reached = reach(graph, start, exact=name == "exact")
    lengths = ends_by_length(graph, start, exact=name == "exact")
    returns, error = laws_of_returns(graph, reached, exact=name == "exact")
    moves, other = law_of_moves(lengths, exact=name == "exact")
    reached_by: Any = reached.chances
    if isinstance(found, Explored):
        reached_by = ByPlace(found, reached.chances)
    return Laws(
        returns=returns,
        moves=moves,
        reach=reached_by,
        error=max(error, other, float(reached.errors.max())),
    )
