"""One run of variational Bayes on one component, as the paper describes it: slow, plain, the truth of the kernels.

Joint posterior of the latents, every row of the data on its own, every table whole.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np
from scipy.special import digamma, gammaln, logsumexp

from latconf_core.arrays import FloatArray, IntArray
from latconf_core.data.dataset import Dataset
from latconf_core.families.priors import Priors
from latconf_core.model.component import Component, ComponentFamily


@dataclass(frozen=True, eq=False)
class VbemRun:
    """The end of a run.

    trace : the bound after each E-step; it never falls
    responsibilities : (n_rows, n_joint) posterior over joint states of the latents, the first latent slowest
    tables : Dirichlet parameters of each family, (parents' configurations, latents' configurations, states)
    """

    trace: FloatArray
    responsibilities: FloatArray
    tables: tuple[FloatArray, ...]


@dataclass(frozen=True, eq=False)
class _Table:
    """The cells of one family: its prior, and which cell every row has in every joint state, each (n_rows, n_joint)."""

    prior: FloatArray
    cells: tuple[IntArray, IntArray, IntArray]


def run_vbem(
    component: Component,
    dataset: Dataset,
    priors: Priors,
    start: FloatArray,
    *,
    n_iterations: int = 1000,
    tolerance: float = 1e-9,
) -> VbemRun:
    """M-step and E-step in turn from the responsibilities `start` (n_rows, n_joint) until the bound stands still."""
    families = [_lay_out(family, component, dataset, priors) for family in component.families]
    responsibilities, trace = start, [-np.inf]
    for _ in range(n_iterations):
        tables = [_m_step(family, responsibilities) for family in families]
        logits = sum(_expected_log(table)[family.cells] for table, family in zip(tables, families))
        log_z = logsumexp(logits, axis=1, keepdims=True)
        responsibilities = np.exp(logits - log_z)
        trace.append(
            float(log_z.sum()) - sum(_divergence(table, family.prior) for table, family in zip(tables, families))
        )
        if trace[-1] - trace[-2] < tolerance:
            break
    return VbemRun(np.array(trace[1:]), responsibilities, tuple(tables))


def _m_step(family: _Table, responsibilities: FloatArray) -> FloatArray:
    """Prior plus expected counts."""
    table = family.prior.copy()
    np.add.at(table, family.cells, responsibilities)
    return table


def _expected_log(table: FloatArray) -> FloatArray:
    """E[log θ] = ψ(a) − ψ(Σ a)."""
    expected_log: FloatArray = digamma(table) - digamma(table.sum(axis=-1, keepdims=True))
    return expected_log


def _divergence(a: FloatArray, prior: FloatArray) -> float:
    """KL(q(θ) ‖ p(θ)) of all Dirichlets of a family."""
    normalisers = gammaln(a.sum(axis=-1)) - gammaln(a).sum(axis=-1) - gammaln(prior.sum(-1)) + gammaln(prior).sum(-1)
    return float(normalisers.sum() + ((a - prior) * _expected_log(a)).sum())


def _lay_out(family: ComponentFamily, component: Component, dataset: Dataset, priors: Priors) -> _Table:
    joint = np.array(list(product(*map(range, component.states))))  # (n_joint, n_latents)
    codes = dataset.codes.astype(np.int64)
    observed = [dataset.n_states[parent] for parent in family.parents]
    hidden = [component.states[latent] for latent in family.latents]
    if component.is_latent(family):
        index = family.child - component.n_columns
        prior, states = priors.latent(component.states[index], [*observed, *hidden]), joint[None, :, index]
    else:
        prior, states = priors.observed(family.child, [*observed, *hidden]), codes[:, family.child, None]
    shape = (int(np.prod(observed)), int(np.prod(hidden)), len(prior))
    cells = np.broadcast_arrays(
        _configuration(codes, family.parents, observed)[:, None],
        _configuration(joint, family.latents, hidden)[None, :],
        states,
    )
    return _Table(np.broadcast_to(prior, shape), (cells[0], cells[1], cells[2]))


def _configuration(codes: IntArray, columns: tuple[int, ...], n_states: list[int]) -> IntArray:
    """A number for the states of some columns in each row."""
    configuration = np.zeros(len(codes), dtype=np.int64)
    for column, n in zip(columns, n_states):
        configuration = configuration * n + codes[:, column]
    return configuration
