"""Assign things to places at the least cost: the Hungarian method, with shortest paths."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def assign(costs: NDArray[np.float64]) -> tuple[NDArray[np.intp], float]:
    """Return the column of each row, intp (n,), and the sum of their costs, the least there is.

    *costs*, finite, has shape (n, m) with n <= m; no column is given twice.
    """
    rows, columns = costs.shape
    row_price, column_price = np.zeros(rows + 1), np.zeros(columns + 1)
    owner = np.zeros(columns + 1, np.intp)  # the row of each column, from 1; 0 for none
    for row in range(1, rows + 1):
        owner[0], column = row, 0
        least, before = np.full(columns + 1, np.inf), np.zeros(columns + 1, np.intp)
        used = np.zeros(columns + 1, bool)
        while owner[column]:
            used[column] = True
            here = owner[column]
            reduced = costs[here - 1] - row_price[here] - column_price[1:]
            better = ~used[1:] & (reduced < least[1:])
            least[1:][better], before[1:][better] = reduced[better], column
            nearest = int(np.where(used, np.inf, least)[1:].argmin()) + 1
            step = least[nearest]
            row_price[owner[used]] += step
            column_price[used] -= step
            least[~used] -= step
            column = nearest
        while column:
            owner[column] = owner[before[column]]
            column = int(before[column])
    out = np.zeros(rows, np.intp)
    taken = np.flatnonzero(owner[1:])
    out[owner[1:][taken] - 1] = taken
    return out, float(costs[np.arange(rows), out].sum())
