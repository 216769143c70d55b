"""The compiled local score of the score search: one call counts a family and scores it. It releases the GIL."""

from __future__ import annotations

from latconf_core.compiled import numba
from latconf_core.counts.kernels import gammaln
from latconf_core.independence.kernels import count_cells, extend_keys


@numba.njit(nogil=True, cache=True)
def bdeu(codes, weights, cards, child, parents, ess, keys, table):  # type: ignore[no-untyped-def]
    """Log marginal likelihood of column `child` given the columns `parents` under BDeu.

    keys : scratch (n_rows,), of a type that can number the cells
    table : scratch with room for every cell
    """
    n_configurations = 1
    keys[:] = 0
    for parent in parents:
        extend_keys(keys, codes[:, parent], cards[parent], keys)
        n_configurations *= cards[parent]
    n_states = cards[child]
    extend_keys(keys, codes[:, child], n_states, keys)
    cells = table[: n_configurations * n_states]
    count_cells(keys, weights, cells)
    of_configuration = ess / n_configurations
    of_cell = of_configuration / n_states
    empty_configuration, empty_cell = gammaln(of_configuration), gammaln(of_cell)
    total = 0.0
    for j in range(n_configurations):
        count = 0
        for k in range(n_states):
            n = cells[j * n_states + k]
            if n:
                count += n
                total += gammaln(of_cell + n) - empty_cell
        if count:
            total += empty_configuration - gammaln(of_configuration + count)
    return total
