"""Numbers of a fitted model as CSV: the table of one variable, and the states of a latent row by row."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from itertools import product
from pathlib import Path

import numpy as np
import numpy.typing as npt

from latconf_core.dag.bayes_net import BayesNet
from latconf_core.data.watch import Watch
from latconf_core.files import write_atomically, write_text_atomically
from latconf_core.score.posterior import Posterior

INTERVAL = 0.95
BLOCK_ROWS = 1 << 14


def write_cpt_csv(network: BayesNet, variable: str, path: str | Path) -> None:
    """Write the table of one variable."""
    write_text_atomically(path, cpt_text(network, variable))


def cpt_text(network: BayesNet, variable: str) -> str:
    """A line for each parent configuration and state: its probability and, where learned, what stands behind it.

    A table around a latent has no interval: its Dirichlets take the states of the latent as known.
    """
    cpt = network.cpts[variable]
    stream = io.StringIO()
    rows = csv.writer(stream, lineterminator="\n")
    header = [*cpt.parents, variable, "probability"]
    numbers = [cpt.table]
    if network.has_exact_interval(variable):
        header += ["lower_95", "upper_95"]
        numbers += cpt.credible_interval(INTERVAL)
    if cpt.dirichlet is not None:
        header.append("dirichlet")
        numbers.append(cpt.dirichlet)
    rows.writerow(header)
    states = [network.states(parent) for parent in cpt.parents] + [cpt.states]
    for labels, values in zip(product(*states), zip(*(each.ravel().tolist() for each in numbers))):
        rows.writerow([*labels, *map(repr, values)])
    return stream.getvalue()


def write_latent_rows(
    posterior: Posterior,
    latent: str,
    path: str | Path,
    *,
    states: Sequence[str],
    name: str | None = None,
    rows: npt.NDArray[np.integer] | None = None,
    watch: Watch | None = None,
) -> None:
    """Write the posterior over a latent's states of every row of the data, a column a state; last the most probable.

    name : what the latent is called in the file, where that is not its name in the model
    rows : which row of the table that was read each row of the data is, from 0; written from 1
    """
    shares = posterior.responsibilities(latent)
    numbers = np.arange(len(shares)) if rows is None else rows
    with write_atomically(path) as temporary, open(temporary, "w", encoding="utf-8", newline="") as file:
        lines = csv.writer(file, lineterminator="\n")
        lines.writerow(["row", *(f"{name or latent}={state}" for state in states), name or latent])
        for start in range(0, len(shares), BLOCK_ROWS):
            if watch is not None:
                watch.step(start, len(shares), f"writing the states of {latent}")
            block = shares[start : start + BLOCK_ROWS]
            best = [states[k] for k in block.argmax(axis=1).tolist()]
            own_numbers = numbers[start : start + BLOCK_ROWS].tolist()
            lines.writerows([n + 1, *numbers, state] for n, numbers, state in zip(own_numbers, block.tolist(), best))
