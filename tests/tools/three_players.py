"""What Pairs with three players takes, and whether its table is right.

The table comes with the package. Some vectors of scores of a few totals are solved
again by the library, given the entries of higher totals alone, and compared bit for
bit; their time and memory tell what all 61 totals take. Then the same with two threads
and with two forked processes.

    python -m tests.tools three_players [ranks]

With ten ranks, if none are given, that takes some ten minutes of one core, and 4 GB.
"""

import resource
import sys
import time
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context

import numpy as np

from cardgames_dp import pairs
from cardgames_dp._support import executors
from cardgames_dp.pairs._kernels.game import Integers, vectors_of
from cardgames_dp.pairs._kernels.induction import scores_of, solved
from cardgames_dp.pairs._kernels.positions import share
from cardgames_dp.pairs._kernels.sweeps import Sweep
from cardgames_dp.pairs.solution import sweep_of

RANKS = int(sys.argv[1]) if sys.argv[1:] else 10
TOTALS = (0, 9, 20, 30, 41, 55)
VECTORS = 16
"""Vectors of scores that are solved side by side."""


def peak() -> str:
    """Return the most memory that this process has had."""
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return f"{most / 2**20:.2f} GiB"


def some(sweep: Sweep, total: int, rng: np.random.Generator) -> Integers:
    """Return some vectors of scores of a total."""
    every = vectors_of(sweep.rules)[total]
    chosen: Integers = every[np.sort(rng.permutation(len(every))[:VECTORS])]
    return chosen


def again(sweep: Sweep, blocks: list[Integers], executor: Executor | None) -> bool:
    """Solve blocks again; return whether all entries come out, bit for bit."""
    (table,) = sweep.tables
    totals = np.indices((sweep.rules.target,) * 3).sum(axis=0).reshape(1, -1, 1)
    items = []
    for block in blocks:
        known = totals > block[0].sum()
        sweep.tables = [np.where(known, table, np.nan)]
        items.append((block, sweep.outcomes(block)))
    sweep.tables = [table]
    share(sweep.positions)
    shared = sweep.positions, sweep.profiles, None
    work = executors.over(solved, shared, executor=executor, name=scores_of)
    found = {number: values[0][0] for number, (values, _, _) in work(items)}
    return all(
        np.array_equal(found[number].T, table[0, sweep.index(block)])
        for number, block in enumerate(blocks)
    )


def main() -> None:
    """Print all that."""
    start, rng = time.process_time(), np.random.default_rng()
    sweep = sweep_of(pairs.published(3, RANKS))
    positions = sweep.positions
    print(f"{positions.size:,} positions, {positions.draws:,} draws: ", end="")
    print(f"{time.process_time() - start:.0f} s, {peak()}", flush=True)
    costs = []
    for total in TOTALS:
        block, start = some(sweep, total, rng), time.process_time()
        right = again(sweep, [block], None)
        seconds = (time.process_time() - start) / len(block)
        if len(block) == VECTORS:
            costs.append(seconds)
        print(f"total {total}, {len(block)} vectors, the same bits: {right}; ", end="")
        print(f"{seconds:.2f} s a vector, {peak()}", flush=True)
    print(f"all {21**3} vectors: {np.mean(costs) * 21**3 / 3600:.2f} h of one core")
    blocks = [some(sweep, 20, rng) for _ in range(4)]
    pools = (ThreadPoolExecutor(2), ProcessPoolExecutor(2, get_context("fork")))
    for pool in pools:
        begun = time.perf_counter()
        with pool:
            right = again(sweep, blocks, pool)
        print(f"{type(pool).__name__}: the same bits: {right}; ", end="")
        print(
            f"{time.perf_counter() - begun:.0f} s for {4 * VECTORS} vectors, {peak()}"
        )


if __name__ == "__main__":
    main()
