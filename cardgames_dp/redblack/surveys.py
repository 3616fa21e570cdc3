"""Surveys: many decks under many rules, in one table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from cardgames_dp import _checks, _survey
from cardgames_dp._records import Record, plain
from cardgames_dp._survey import Case, Survey
from cardgames_dp.redblack.laws import duration_law, payoff_law
from cardgames_dp.redblack.rules import Rules
from cardgames_dp.redblack.valuation import Checkpoint, value

if TYPE_CHECKING:
    from concurrent.futures import Executor

Measure: TypeAlias = Literal["value", "deviation", "loss_probability", "mean_draws"]


def _of_payoff(what: str, red: int, black: int, *, rules: Rules) -> float:
    return float(getattr(payoff_law(red, black, rules=rules), what))


def _mean_draws(red: int, black: int, *, rules: Rules) -> float:
    return duration_law(red, black, rules=rules).mean


MEASURES: Mapping[Measure, Callable[..., float]] = {
    "value": value,
    "deviation": partial(_of_payoff, "standard_deviation"),
    "loss_probability": partial(_of_payoff, "loss_probability"),
    "mean_draws": _mean_draws,
}


def survey(
    decks: Iterable[int | tuple[int, int]],
    *,
    rules: Rules | Iterable[Rules] | None = None,
    what: Measure | Iterable[Measure] = "value",
    checkpoint: Checkpoint = None,
    executor: Executor | None = None,
    progress: bool = False,
) -> Survey:
    """Return results for many decks under many rules, as a tidy table.

    Grade: float64.

    Parameters
    ----------
    decks : iterable of int or of pairs of int
        The decks: an int l for a balanced deck of l red and l black cards, or a pair
        ``(red, black)``.
    rules : Rules or iterable of Rules, optional
        The rules; each deck is solved under each of them. The classic rules if not
        given.
    what : str or iterable of str, default "value"
        What to compute:

        - "value": the result of :func:`value`;
        - "deviation", "loss_probability": the standard deviation of the payoff of
          optimal play, and the probability that it is negative;
        - "mean_draws": the mean number of cards that optimal play draws.
    checkpoint : path, optional
        A file that stores the results, written every ten seconds and at the end. A
        later call continues from it, also with other decks and rules. The file is kept.
    executor : concurrent.futures.Executor, optional
        Where to work on decks in parallel: threads, processes or a cluster
        (:doc:`/cluster`). The result is the same, bit for bit.
    progress : bool, default False
        Show a progress bar, for which `tqdm` is needed (the extra ``progress``).

    Returns
    -------
    Survey
        A row for each deck and rules, in the order given. The columns are "red",
        "black", "win", "lose", "fee", "utility", "tie", and the words of `what`.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described above; with a `checkpoint` also if a utility
        is a function of your own, which a later call could not identify, or if the
        file is damaged or belongs to another kind of survey.
    TooLargeError, TooLongError
        As for the functions above, for each deck, without a progress bar of its own. A
        note names the deck; earlier results are in the file.
    ModuleNotFoundError
        If `progress` is true and `tqdm` is not installed.

    Notes
    -----
    For the values of balanced decks under one set of rules, :func:`values` is faster,
    because one sweep passes all of them.

    Examples
    --------
    The effect of a fee:

    >>> from cardgames_dp import redblack
    >>> fees = [redblack.Rules(fee=f"{cents}/100") for cents in (0, 5)]
    >>> what = ["value", "mean_draws"]
    >>> print(redblack.survey([26, (26, 20)], rules=fees, what=what))
    red  black  win  lose   fee  utility  tie     value  mean_draws
     26     26    1     1     0           stop  2.62448     36.4516
     26     26    1     1  0.05           stop   1.0064     25.3716
     26     20    1     1     0           stop  7.31114     40.6853
     26     20    1     1  0.05           stop  5.31479     38.9073
    """
    listed = [_deck(f"decks[{i}]", deck) for i, deck in enumerate(_iterated(decks))]
    if not listed:
        raise ValueError("decks must hold at least one deck, got none")
    played = _survey.several("rules", rules, Rules, Rules())
    wanted = _survey.words("what", what, list(MEASURES))
    if checkpoint is not None:
        _refuse_own_utilities(played)
    return _survey.run(
        "redblack",
        [_case(deck, one) for deck in listed for one in played],
        _measured,
        wanted,
        dict.fromkeys(wanted, float),
        checkpoint=checkpoint,
        executor=executor,
        progress=progress,
    )


def _iterated(decks: object) -> Iterable[object]:
    if isinstance(decks, (str, bytes)) or not isinstance(decks, Iterable):
        raise TypeError(
            "decks must be an iterable of sizes, or of pairs (red, black), got "
            f"{_checks.described(decks)}"
        )
    return _checks.items("decks", decks)


def _deck(name: str, deck: object) -> tuple[int, int]:
    if not isinstance(deck, (tuple, list)):
        size = _checks.integer(name, deck)
        return size, size
    if len(deck) != 2:
        raise ValueError(
            f"{name} must be a size or a pair (red, black), got {_checks.shown(deck)}"
        )
    red, black = [_checks.integer(f"{name}[{i}]", x) for i, x in enumerate(deck)]
    return red, black


def _refuse_own_utilities(played: list[Rules]) -> None:
    """Refuse utilities that a later call could not identify."""
    for i, rules in enumerate(played):
        if rules.utility is not None and not isinstance(rules.utility, Record):
            raise ValueError(
                f"rules[{i}] must have a utility of redblack.utilities, or none, as a "
                f"checkpoint cannot identify {_checks.shown(rules.utility)}"
            )


def _case(deck: tuple[int, int], rules: Rules) -> Case:
    utility: object = rules.utility
    labels = {
        "red": deck[0],
        "black": deck[1],
        **{name: float(getattr(rules, name)) for name in ("win", "lose", "fee")},
        "utility": repr(utility) if isinstance(utility, Record) else _name(utility),
        "tie": rules.tie,
    }
    key = [*deck, {**plain(rules, json=True), "utility": labels["utility"]}]
    return Case(labels, (deck, rules), key)


def _name(utility: object) -> str:
    return "" if utility is None else _checks.called(utility)


def _measured(wanted: list[Measure], given: Any) -> list[float]:
    deck, rules = given
    return [MEASURES[word](*deck, rules=rules) for word in wanted]
