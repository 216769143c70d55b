"""Where structural EM begins: node-average scores, each family on the rows that are complete in it.

Fewer rows score higher, so that sums over different rows would favour parents with missing cells: the mean over rows is
compared instead (Balov 2013; Bodewes and Scutari 2021), and what is missing makes a parent dearer.
"""

from __future__ import annotations

from collections.abc import Callable
from math import log, sqrt

import numpy as np

from latconf_core.data.dataset import Dataset
from latconf_core.graph.bits import bits
from latconf_core.inference.completing.expected_logs import count_available

MOST_CELLS = 1 << 18  # of a table; larger families are left out
LEAST_ROWS = 10  # complete in a family


def node_average_score(dataset: Dataset) -> Callable[[int, int], float]:
    """The score of a child with parents as bits: rows × mean log-likelihood − price.

    A parameter costs ½ log n, as in BIC, and √n for the share of rows that are not complete: means over other rows
    differ by that much where nothing depends on anything.
    """
    n_rows = dataset.n_rows

    def score(child: int, parents: int) -> float:
        columns = [*bits(parents), child]
        if float(np.prod([dataset.n_states[column] for column in columns], dtype=np.float64)) > MOST_CELLS:
            return -np.inf
        counts = count_available(dataset, columns)
        n_used = float(counts.sum())
        if n_used < LEAST_ROWS:
            return -np.inf if parents else 0.0
        of_parents = counts.sum(axis=-1, keepdims=True)
        shares = np.divide(counts, of_parents, out=np.ones_like(counts), where=counts > 0)
        mean = float((counts * np.log(shares)).sum()) / n_used
        n_parameters = of_parents.size * (counts.shape[-1] - 1)
        price = 0.5 * log(n_rows) + (1 - n_used / n_rows) * sqrt(n_rows)
        return float(n_rows * mean - n_parameters * price)

    return score
