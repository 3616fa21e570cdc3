"""Surveys of cards in a row: deals of many lengths under many rules, in one table."""

from __future__ import annotations

import copy
import math
import os
from collections.abc import Iterable
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from cardgames_dp import _checks, _samples, _spread, _survey
from cardgames_dp._numbers import written
from cardgames_dp._records import plain
from cardgames_dp._survey import Case, Survey
from cardgames_dp.cardrow.deals import FRENCH_DECK, deal
from cardgames_dp.cardrow.rules import Rules
from cardgames_dp.cardrow.valuation import values

if TYPE_CHECKING:
    from concurrent.futures import Executor

MEASURES = {
    "games": int,
    "wins": int,
    "draws": int,
    "losses": int,
    "mean_lead": float,
    "lead_deviation": float,
    "lead_error": float,
}


def survey(
    cards: int | Iterable[int],
    *,
    games: int,
    deck: ArrayLike = FRENCH_DECK,
    replace: bool = False,
    rules: Rules | Iterable[Rules] | None = None,
    rng: int | np.random.Generator | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    executor: Executor | None = None,
    progress: bool = False,
) -> Survey:
    """Estimate who wins under optimal play, for many lengths and rules, in one table.

    All players play optimally. The rows of each length are dealt once, and played by
    all rules.

    Grade: estimated, with standard errors; each deal is solved in float64.

    Parameters
    ----------
    cards : int or iterable of int
        The numbers of cards in a row, at least 1.
    games : int
        The number of rows dealt for each length, at least 1.
    deck, replace
        Where the cards come from, as for :func:`deal`.
    rules : Rules or iterable of Rules, optional
        The classic rules if not given.
    rng : None, int or numpy.random.Generator
        A seed, or a source of random numbers. The same seed gives the same table,
        whatever `executor`, `checkpoint` and `progress` are.
    checkpoint : path, optional
        A file that keeps the results, written every ten seconds and at the end; it
        requires `rng`. A later call with the same seed continues from it, also with
        other rules or more lengths. The file is not deleted.
    executor : concurrent.futures.Executor, optional
        Where to work in parallel: threads, processes or a cluster (:doc:`/cluster`).
    progress : bool, default False
        Show a progress bar, for which `tqdm` is needed (the extra ``progress``).

    Returns
    -------
    Survey
        A row for each length and each of the rules, in this order. The columns are
        "cards", "take", "players", "misere", "weights" and "games"; then, for the first
        player, "wins", "draws" and "losses", and "mean_lead", "lead_deviation" and
        "lead_error": the mean of the values (see :func:`value`), the sample standard
        deviation (NaN for one game), and the standard error of the mean.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described above, a row is longer than the deck, or the
        weights are not one for each card; with a `checkpoint` also if `rng` is None, or
        if the file is damaged or of another survey.
    TooLargeError, TooLongError
        As for :func:`deal` and :func:`values`, for the rows of one length. A note on
        the error names them; earlier results are in the file.
    ModuleNotFoundError
        If `progress` is true and `tqdm` is not installed.

    Examples
    --------
    An even number of cards favours the player who starts, and an odd number the other,
    unless two cards may be taken at a time:

    >>> from cardgames_dp import cardrow
    >>> both = [cardrow.Rules(), cardrow.Rules(take=2)]
    >>> found = cardrow.survey([10, 11], games=1000, rules=both, rng=1)
    >>> for cards, take, lead in found.table[["cards", "take", "mean_lead"]]:
    ...     print(cards, take, round(lead, 1))
    10 1 11.3
    10 2 11.5
    11 1 -1.9
    11 2 10.1
    """
    lengths = [cards] if not isinstance(cards, Iterable) else cards
    sizes = _checks.integers("cards", lengths, minimum=1)
    if not sizes:
        raise ValueError("cards must hold at least one number, got none")
    games = _checks.integer("games", games, minimum=1)
    replace = _checks.boolean("replace", replace)
    played = _survey.several("rules", rules, Rules, Rules())
    if checkpoint is not None and rng is None:
        raise ValueError("rng must be given with a checkpoint, to continue from it")
    source = _checks.generator(rng)
    deal(1, max(sizes), deck=deck, replace=replace, rng=0)  # refuses a bad deck
    for size, one in product(sizes, played):
        one.worths([0] * size)  # refuses weights that are not one for each card
    streams = zip(sizes, _spread.streams(source), strict=False)
    return _survey.run(
        "cardrow",
        [_case(size, one, stream) for size, stream in streams for one in played],
        _measured,
        (games, np.asarray(deck).tolist(), replace),
        MEASURES,
        checkpoint=checkpoint,
        executor=executor,
        progress=progress,
    )


def _case(size: int, rules: Rules, stream: np.random.Generator) -> Case:
    weights = "" if rules.weights is None else " ".join(map(written, rules.weights))
    labels: dict[str, str | int] = {
        "cards": size,
        "take": rules.take,
        "players": rules.players,
        "misere": rules.misere,
        "weights": weights,
    }
    seed: Any = stream.bit_generator.seed_seq
    origin = [type(stream.bit_generator).__name__, seed.entropy, *seed.spawn_key]
    key = [size, plain(rules, json=True), plain(origin, json=True)]
    return Case(labels, (size, rules, stream), key)


def _measured(shared: tuple[int, list[float], bool], given: Any) -> list[float]:
    (games, deck, replace), (size, rules, stream) = shared, given
    source = copy.deepcopy(stream)  # other rules have the same deals
    rows = deal(games, size, deck=deck, replace=replace, rng=source)
    leads, counts = np.unique(values(rows, rules=rules), return_counts=True)
    mean = math.fsum(leads * counts) / games
    deviation = _samples.deviation(leads, counts, mean)
    return [
        games,
        int(counts[leads > 0].sum()),
        int(counts[leads == 0].sum()),
        int(counts[leads < 0].sum()),
        mean,
        deviation,
        _samples.mean_error(deviation, games),
    ]
