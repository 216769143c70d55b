"""The table of a variable as a report shows it: as broad as paper, and no broader."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from latconf_core.dag.bayes_net import BayesNet, Cpt
from latconf_core.report.page import paragraph, table, with_interval

MOST_ROWS = 400  # of a table that is printed; larger ones are in the model's files
INTERVAL = 0.95
PAPER = 88  # signs that a line of a table has room for
GAP = 2  # signs between two columns
BESIDE, BELOW = 21, 12  # signs of a probability with its interval beside or below it


def probability_table(network: BayesNet, variable: str) -> str:
    """A row per configuration of the parents: the probability of each state, with its interval where there is one.

    Where that is broader than paper, intervals stand below; where that is too broad still, there is a row per state.
    """
    cpt = network.cpts[variable]
    configurations = list(product(*(network.states(parent) for parent in cpt.parents)))
    if _width(network, cpt, BELOW) > PAPER:
        rows = [
            (*labels, state, cell)
            for labels, cells in zip(configurations, _cells(network, cpt))
            for state, cell in zip(cpt.states, cells)
        ]
        titles: Sequence[str] = (*cpt.parents, variable, "Probability")
        return _shown(titles, rows, first_number=len(cpt.parents) + 1)
    rows = [(*labels, *cells) for labels, cells in zip(configurations, _cells(network, cpt))]
    titles = (*cpt.parents, *(f"{variable} = {state}" for state in cpt.states))
    is_stacked = network.has_exact_interval(variable) and _width(network, cpt, BESIDE) > PAPER
    return _shown(titles, rows, first_number=len(cpt.parents), is_stacked=is_stacked)


def _shown(titles: Sequence[str], rows: Sequence[Sequence[str]], *, first_number: int, is_stacked: bool = False) -> str:
    left_out = len(rows) - MOST_ROWS
    note = paragraph(f"{left_out:,} more rows are in the files of the model.") if left_out > 0 else ""
    numbers = range(first_number, len(titles))
    return table(titles, rows[:MOST_ROWS], numbers=numbers, is_stacked=is_stacked) + note


def _width(network: BayesNet, cpt: Cpt, cell: int) -> int:
    """The signs of a line of the table, where a probability takes `cell` of them; titles break at blanks."""
    words = max(map(len, f"{cpt.variable} = ".split()))
    states = [max(cell, words, *map(len, state.split() or [""])) for state in cpt.states]
    parents = [max(map(len, (parent, *network.states(parent)))) for parent in cpt.parents]
    return sum(states) + sum(parents) + GAP * (len(states) + len(parents) - 1)


def _cells(network: BayesNet, cpt: Cpt) -> Iterator[tuple[str, ...]]:
    n_states = len(cpt.states)
    means = cpt.table.reshape(-1, n_states)
    if not network.has_exact_interval(cpt.variable):
        yield from (tuple(f"{mean:.3f}" for mean in row) for row in means)
        return
    lower, upper = (end.reshape(-1, n_states) for end in cpt.credible_interval(INTERVAL))
    for row, low, high in zip(means, lower, upper):
        yield tuple(with_interval(f"{mean:.3f}", f"{a:.3f} – {b:.3f}") for mean, a, b in zip(row, low, high))
