"""Writes the rows of a Dataset as lines of text."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from latconf_core.data.dataset import Dataset
from latconf_core.data.watch import Watch

BLOCK_ROWS = 1 << 15


def write_rows(
    dataset: Dataset,
    path: Path,
    *,
    head: str,
    separator: str,
    quote: Callable[[str], str],
    missing: str = "NA",
    watch: Watch,
) -> None:
    """Write `head`, then a line per row with the states as `quote` writes them.

    missing : what stands for a missing cell; the last text of each column, where code −1 points to
    """
    cells = [np.array([*map(quote, states), missing], dtype=object) for states in dataset.states]
    with path.open("w", encoding="utf-8", newline="") as file:
        file.write(head)
        for start in range(0, dataset.n_rows, BLOCK_ROWS):
            watch.step(start, dataset.n_rows, "writing rows")
            block = dataset.codes[start : start + BLOCK_ROWS]
            columns = [cell[block[:, i]].tolist() for i, cell in enumerate(cells)]
            file.write("\n".join(map(separator.join, zip(*columns))))
            file.write("\n")
