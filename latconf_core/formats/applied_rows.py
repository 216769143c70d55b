"""What a model says of each row of a table, as a CSV file: log-likelihoods and posteriors of latents."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np

from latconf_core.control import RunControl
from latconf_core.data.watch import OnProgress, Watch
from latconf_core.files import write_atomically
from latconf_core.inference.applying import Applied

ROWS_AT_ONCE = 20_000


def write_applied_rows(
    applied: Applied, path: Path, *, control: RunControl | None = None, on_progress: OnProgress | None = None
) -> None:
    """One line per row of the table: its log-likelihood, then each state of each latent with its probability."""
    titles, columns = ["row", "log_likelihood"], [applied.log_likelihoods]
    for latent in applied.posteriors_of_distinct:
        shares = applied.posterior(latent)
        titles += [f"{latent}={state}" for state in applied.network.states(latent)]
        columns += list(shares.T)
    numbers, watch = np.column_stack(columns), Watch(control, on_progress)
    with write_atomically(path) as temporary, temporary.open("w", encoding="utf-8", newline="") as file:
        lines = csv.writer(file, lineterminator="\n")
        lines.writerow(titles)
        for first in range(0, len(numbers), ROWS_AT_ONCE):
            watch.step(first, len(numbers), f"writing {path.name}")
            piece = numbers[first : first + ROWS_AT_ONCE].tolist()
            lines.writerows([number, *row] for number, row in enumerate(piece, start=first + 1))
