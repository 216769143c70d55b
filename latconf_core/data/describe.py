"""A table of data in words."""

from __future__ import annotations

from latconf_core.data.dataset import Dataset
from latconf_core.phrases import counted

STATES_SHOWN = 6


def describe(dataset: Dataset) -> str:
    """The size of the data and a line for every variable: its states with their shares."""
    lines = [
        f"{counted(dataset.n_rows, 'row')}, {len(dataset.distinct.counts):,} of them different, "
        f"{counted(dataset.n_variables, 'variable')}"
    ]
    width = max((len(name) for name in dataset.names), default=0)
    lines += [f"  {name:<{width}}  {_shares(dataset, name)}" for name in dataset.names]
    return "\n".join(lines)


def _shares(dataset: Dataset, name: str) -> str:
    states = dataset.states[dataset.index[name]]
    counts = dataset.counts(name).tolist()
    shown = [f"{state} {count / max(dataset.n_rows, 1):.1%}" for state, count in zip(states, counts)]
    rest = len(shown) - STATES_SHOWN
    return ", ".join(shown[:STATES_SHOWN]) + (f" and {counted(rest, 'more state')}" if rest > 0 else "")
