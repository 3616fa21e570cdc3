"""Surveys of Pairs: many rules in one table."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from cardgames_dp import _survey
from cardgames_dp._records import plain
from cardgames_dp._survey import Case, Survey
from cardgames_dp.pairs.evaluation import frequencies, win_rate
from cardgames_dp.pairs.policies import NAMES, Name
from cardgames_dp.pairs.rules import Rules
from cardgames_dp.pairs.solver import solve

if TYPE_CHECKING:
    from concurrent.futures import Executor

Measure: TypeAlias = Literal["value", "ties", "rounds", "pairs", "hit_rate"]
MEASURES: tuple[Measure, ...] = ("value", "ties", "rounds", "pairs", "hit_rate")


class _Wanted(NamedTuple):
    """What to compute: measures, the number of seats, and opponents."""

    what: list[Measure]
    seats: int
    against: list[Name]


def survey(
    rules: Rules | Iterable[Rules],
    *,
    what: Measure | Iterable[Measure] = "value",
    against: Name | Iterable[Name] = (),
    checkpoint: str | os.PathLike[str] | None = None,
    executor: Executor | None = None,
    progress: bool = False,
) -> Survey:
    """Compute values, ties and other measures under many rules, in one table.

    Grade: float64.

    Parameters
    ----------
    rules : Rules or iterable of Rules
        The games.
    what : str or iterable of str, default "value"
        The measures to compute:

        - "value": the chances of winning of all players under optimal play, in the
          columns "win_0", "win_1" and so on, in turn order, the first leader's first;
          NaN where a game has fewer players than others.
        - "ties": the number of positions in which hit and fold are equally good.
        - "rounds", "pairs", "hit_rate": the mean numbers of rounds and of pairs in a
          game, and the share of hits, under optimal play (see :func:`frequencies`).
    against : str or iterable of str, optional
        Names of policies (see `Policy`). For each, the chance that an optimal player in
        a random seat wins if all others follow it (see :func:`win_rate`), in a column
        such as ``against_fifty_percent``. Between equal players it is
        ``1 - 1 / players``.
    checkpoint : path, optional
        A file that keeps the results, written every ten seconds and at the end. A later
        call continues from it, also with other rules for at most as many players. The
        file is not deleted.
    executor : concurrent.futures.Executor, optional
        Where to work on games in parallel: threads, processes or a cluster
        (:doc:`/cluster`). The result is the same, bit for bit.
    progress : bool, default False
        Show a progress bar, for which `tqdm` is needed (the extra ``progress``).

    Returns
    -------
    Survey
        One row for each of the rules, in their order. The columns are "players", "deck"
        (ranks and counts, such as ``"1:1 2:2"``), "target", "reshuffle", "deal",
        "first", "burn", "tie", "capacity", "shuffle_limit", and the measures.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described above, or the file is damaged or of another
        survey.
    TooLargeError, TooLongError
        As for :func:`solve`. A note on the error names the rules; earlier results are
        in the file.
    ModuleNotFoundError
        If `progress` is true and `tqdm` is not installed.

    Examples
    --------
    The longer the game, the less it matters who leads, and the more who plays better:

    >>> from cardgames_dp import pairs
    >>> games = [pairs.Rules(deck=pairs.triangular(4), target=t) for t in (5, 10, 15)]
    >>> found = pairs.survey(games, against="fifty_percent")
    >>> found["win_0"].round(4)
    array([0.4477, 0.4655, 0.4721])
    >>> found["against_fifty_percent"].round(4)
    array([0.5952, 0.6153, 0.6304])
    """
    played = _survey.several("rules", rules, Rules)
    wanted = _Wanted(
        _survey.words("what", what, MEASURES),
        max(one.players for one in played),
        _survey.words("against", against, NAMES, least=0),
    )
    columns = dict(_columns(wanted))
    return _survey.run(
        "pairs",
        [_case(one) for one in played],
        _measured,
        wanted,
        columns,
        checkpoint=checkpoint,
        executor=executor,
        progress=progress,
    )


def _columns(wanted: _Wanted) -> Iterator[tuple[str, type]]:
    for word in wanted.what:
        if word == "value":
            yield from [(f"win_{i}", float) for i in range(wanted.seats)]
        else:
            yield word, int if word == "ties" else float
    for name in wanted.against:
        yield f"against_{name}", float


def _case(rules: Rules) -> Case:
    labels = {
        "players": rules.players,
        "deck": _listed(rules.deck),
        **{
            name: getattr(rules, name)
            for name in ("target", "reshuffle", "deal", "first", "burn", "tie")
        },
        "capacity": _listed(rules.capacity),
        "shuffle_limit": rules.shuffle_limit,
    }
    return Case(labels, rules, plain(rules, json=True))


def _listed(numbers: tuple[tuple[int, int], ...]) -> str:
    return " ".join([f"{rank}:{count}" for rank, count in numbers])


def _measured(wanted: _Wanted, rules: Rules) -> list[float]:
    found: dict[str, float] = {}
    if {"value", "ties"} & {*wanted.what}:
        solution = solve(rules)
        chances = [*map(float, solution.value), *[math.nan] * wanted.seats]
        found = {f"win_{i}": chances[i] for i in range(wanted.seats)}
        found["ties"] = solution.ties
    if {"rounds", "pairs", "hit_rate"} & {*wanted.what}:
        usual = frequencies(rules)
        found |= {"rounds": usual.rounds, "pairs": usual.pairs}
        found["hit_rate"] = usual.hit_rate
    for name in wanted.against:
        found[f"against_{name}"] = win_rate(rules, "optimal", name).mean
    return [found[name] for name, _ in _columns(wanted)]
