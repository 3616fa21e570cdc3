"""The value of a row: by collapsing where this is valid, otherwise by diagonals."""

from __future__ import annotations

from collections import deque
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardgames_dp.cardrow._kernels import collapse, diagonals
from cardgames_dp.cardrow._kernels.instance import Instance
from cardgames_dp.cardrow._kernels.row import Exact

Method: TypeAlias = Literal["auto", "collapse", "diagonal"]


def value(
    instance: Instance, method: Method = "auto", *, progress: bool = False
) -> Exact:
    """Return what the first player wins by; of more than two, less the best other."""
    if instance.terms.players > 2:
        sums = end_sums(instance, progress=progress)
        others = sums[1:]
        return sums[0] - (min(others) if instance.terms.misere else max(others))
    return instance.lead(wanted_lead(instance, method, progress=progress))


def wanted_lead(
    instance: Instance, method: Method = "auto", *, progress: bool = False
) -> int:
    """Return the lead of the first of two players, in the cards that both want."""
    if method == "diagonal" or not instance.terms.linear:
        take = instance.terms.take
        return diagonals.value(instance.wanted, take, progress=progress)
    return collapse.value(instance.wanted)


def end_sums(instance: Instance, *, progress: bool = False) -> list[Exact]:
    """Return the final sum of each player, by diagonals and the tie rule."""
    worths = instance.array(exact=True)
    every = diagonals.sweep(worths, instance.terms, progress=progress)
    sums = deque(every, maxlen=1).pop().sums[:, :, 0].tolist()
    own = [sums[1][0], sums[2][1]] if instance.weighted else sums[0]
    return [instance.unit.exact(x) for x in own]


def taken_sums(
    instance: Instance, positions: NDArray[np.int64], players: NDArray[np.int64]
) -> tuple[Exact, ...]:
    """Return the sum of each player, from the order of positions and their takers."""

    def sum_of(player: int) -> int:
        taken = positions[players == player].tolist()
        return sum(map(instance.own(player).__getitem__, taken))

    last = instance.terms.players - 1
    sums = [sum_of(player) for player in range(last)]
    # Where all value the cards alike the last player has the rest.
    rest = sum_of(last) if instance.weighted else sum(instance.worths[0]) - sum(sums)
    return tuple([instance.unit.exact(x) for x in (*sums, rest)])
