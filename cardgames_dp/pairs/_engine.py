"""Run the engine for the public functions: check, fill tables, keep decisions."""

from __future__ import annotations

from concurrent.futures import Executor
from typing import Any, SupportsIndex

import numpy as np

from cardgames_dp import _checks, _records, _spread
from cardgames_dp._checkpoint import Checkpoint
from cardgames_dp.pairs._asking import AskedInRounds
from cardgames_dp.pairs._kernels.induction import (
    COPY,
    Behaviour,
    Profile,
    optimal,
)
from cardgames_dp.pairs._kernels.positions import Positions
from cardgames_dp.pairs._kernels.setting import Floats, Returns
from cardgames_dp.pairs._kernels.sweep import Sweep
from cardgames_dp.pairs._kernels.tabled import Tabled
from cardgames_dp.pairs.policies import decider, solved_play, sweep_of
from cardgames_dp.pairs.rules import Rules

TOLERANCE = 1e-12
"""Chances of winning count as equal if they differ by at most this. Rounding makes the
two sides of an exact tie differ by up to about 1e-16; other differences are rarely
below about 1e-12. `Solution.doubtful` counts the positions in between."""


def checked_tolerance(tolerance: object) -> float:
    """Return the largest difference of two chances that counts as equal, checked."""
    amount = _checks.amount("tolerance", tolerance)
    if amount >= 1:
        raise ValueError(f"tolerance must be below 1, got {_checks.shown(tolerance)}")
    return float(amount)


def solved(
    rules: Rules,
    profiles: list[Profile],
    *,
    tolerance: float,
    progress: bool,
    executor: Executor | None,
    max_bytes: SupportsIndex | None = None,
    keep_decisions: bool = False,
    checkpoint: object = None,
    returns: Returns | None = None,
) -> Sweep:
    """Return a sweep with the tables of profiles and of their turns filled."""
    tolerance = checked_tolerance(tolerance)
    progress = _checks.boolean("progress", progress)
    executor = _spread.checked(executor)
    limit = None if max_bytes is None else _checks.integer("max_bytes", max_bytes)
    save = None
    if checkpoint is not None:
        save = checkpoint_of(checkpoint, rules, tolerance)
        save.load()  # refuses a file of something else before any work
    positions = Positions(rules, limit)
    sweep = Sweep(positions, profiles, tolerance, limit, returns)
    sweep.run(
        executor,
        progress=progress,
        keep_decisions=keep_decisions and save is None,
        checkpoint=save,
    )
    return sweep


def kept_to(
    rules: Rules,
    profile: Profile,
    *,
    tolerance: float,
    progress: bool,
    executor: Executor | None,
) -> Sweep:
    """Return the tables of a profile and of its turns.

    If a seat copies optimal play, the tables of optimal play come first.
    """
    profiles = [optimal(rules.players), profile] if COPY in profile else [profile]
    return solved(
        rules, profiles, tolerance=tolerance, progress=progress, executor=executor
    )


def tables_by_leader(sweep: Sweep, profile: Profile) -> list[Floats]:
    """Return the tables of a profile, one for each seat that may lead."""
    turns = [profile[by:] + profile[:by] for by in range(len(profile))]
    return [sweep.tables[sweep.profiles.index(turned)] for turned in turns]


def checkpoint_of(path: object, rules: Rules, tolerance: float) -> Checkpoint:
    """Return the checkpoint, in a file, of optimal play under rules."""
    what = {
        "game": "pairs",
        "rules": _records.plain(rules, json=True),
        "tolerance": tolerance,
    }
    return Checkpoint.of(path, what)


def played(name: str, policy: object, rules: Rules) -> Behaviour:
    """Return the behaviour of a seat with a policy, as in profiles."""
    solved = solved_play(policy)
    if solved is not None:
        return Tabled(sweep_of(solved))
    decide = decider(name, policy)
    return COPY if decide is None else AskedInRounds(rules, decide)


def score_columns(sweep: Sweep, table: Floats) -> dict[str, list[Any]]:
    """Return scores, and chances with the full deck, as columns; low totals first."""
    vectors = np.concatenate(sweep.vectors())
    wins = table[-1, sweep.index(vectors)]
    players = range(sweep.rules.players)
    columns = {f"score_{i}": vectors[:, i].tolist() for i in players}
    return columns | {f"win_{i}": wins[:, i].tolist() for i in players}
