"""The expected logs of a model's tables, by which a VB-E step weighs what missing cells may be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np

from latconf_core.arrays import FloatArray
from latconf_core.dag.bayes_net import Cpt
from latconf_core.data.dataset import Dataset
from latconf_core.families.priors import Priors


@dataclass(frozen=True, eq=False)
class LogTable:
    """E[log θ] of one family.

    variables : its parents, then the child; numbers from the number of columns on are latents
    logs : one axis for each of them
    """

    variables: tuple[int, ...]
    logs: FloatArray


def log_table(variables: Sequence[int], dirichlet: FloatArray) -> LogTable:
    """The expected logs of a table under its Dirichlets; the last axis is the child's."""
    from scipy.special import digamma

    logs = digamma(dirichlet) - digamma(dirichlet.sum(axis=-1, keepdims=True))
    return LogTable(tuple(variables), np.asarray(logs))


def tables_of_cpts(cpts: Mapping[str, Cpt], names: Sequence[str]) -> list[LogTable]:
    """The expected logs of fitted tables; latents are numbered behind the columns, in their order in `cpts`."""
    number = {name: k for k, name in enumerate(names)}
    for name in cpts:
        number.setdefault(name, len(number))
    tables = []
    for cpt in cpts.values():
        if cpt.dirichlet is None:
            raise ValueError(f"the table of {cpt.variable!r} was given, not learned")
        tables.append(log_table([number[name] for name in (*cpt.parents, cpt.variable)], cpt.dirichlet))
    return tables


def available_tables(dataset: Dataset, parents: Sequence[Sequence[int]], priors: Priors) -> list[LogTable]:
    """The expected logs of a DAG's tables by the rows that are complete in each family.

    parents : of every column
    """
    tables = []
    for child, above in enumerate(parents):
        family = [*above, child]
        counts = count_available(dataset, family)
        prior = priors.of_family(child, above)
        tables.append(log_table(family, counts + np.broadcast_to(prior, counts.shape)))
    return tables


def count_available(dataset: Dataset, columns: Sequence[int]) -> FloatArray:
    """How often each configuration of some columns occurs in the rows complete there, an axis per column."""
    codes, shape = dataset.distinct.codes, [dataset.n_states[column] + 1 for column in columns]
    places = np.zeros(len(codes), dtype=np.int64)
    for column, size in zip(columns, shape):
        places *= size
        places += codes[:, column]
        places += 1  # a missing cell is the first state of all
    counts = np.bincount(places, weights=dataset.distinct.counts, minlength=prod(shape)).reshape(shape)
    return np.ascontiguousarray(counts[tuple(slice(1, None) for _ in columns)], dtype=np.float64)
