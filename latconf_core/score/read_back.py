"""Reads a component's fitted parameters back as tables and posteriors of named variables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from latconf_core.arrays import FloatArray, IntArray
from latconf_core.counts.families import group_rows, row_places
from latconf_core.dag.bayes_net import Cpt
from latconf_core.dag.latent_dag import LatentDag
from latconf_core.data.dataset import Dataset
from latconf_core.families.family_model import FamilyModel
from latconf_core.families.priors import Priors
from latconf_core.model.component import Component, ComponentFamily
from latconf_core.score.component_layout import FamilyCells, Layout, Rows
from latconf_core.score.fit import Fit
from latconf_core.score.posterior import LatentPosterior, in_order, latent_states


@dataclass(frozen=True, eq=False)
class Fitted:
    """A component with its layout, its fit and the names of its latents."""

    component: Component
    names: tuple[str, ...]
    layout: Layout
    fit: Fit


def latent_posteriors(fitted: Fitted) -> dict[str, LatentPosterior]:
    """The posterior of each latent, its states by falling weight."""
    factors = marginals(fitted)
    rows = fitted.layout.rows
    posteriors = {}
    for latent, order in enumerate(state_orders(fitted, factors)):
        of_distinct = factors[latent][:, order]
        weights = rows.weights @ of_distinct / rows.weights.sum()
        name = fitted.names[latent]
        posteriors[name] = LatentPosterior(name, weights, rows.columns, data_codes(rows), of_distinct)
    return posteriors


def marginals(fitted: Fitted) -> list[FloatArray]:
    """The posterior over each latent's states of every distinct row: latents as in the component, states as fitted."""
    from latconf_core.score.kernels import vbem as kernels

    problem, arrangement = fitted.layout.problem, fitted.layout.arrangement
    states, q = arrangement.states, fitted.fit.q
    if problem.tree.size:
        q = kernels.tree_responsibilities(problem, fitted.fit.parameters)
    if q.size:
        return arrangement.restore([q[:, first : first + n] for first, n in zip(problem.q_first, states)])
    joint = kernels.joint_responsibilities(problem, fitted.fit.parameters).reshape(-1, *states)
    axes = range(1, len(states) + 1)
    return arrangement.restore(
        [joint.sum(axis=tuple(axis for axis in axes if axis != latent + 1)) for latent in range(len(states))]
    )


def states_of_rows(fitted: Fitted, dataset: Dataset) -> IntArray:
    """The most probable state of each latent in every row of the data, numbered by falling weight."""
    factors = marginals(fitted)
    best = [np.argmax(factor[:, order], axis=1) for factor, order in zip(factors, state_orders(fitted, factors))]
    rows = fitted.layout.rows
    return np.stack(best, axis=1)[row_places(dataset, rows.columns, data_codes(rows))]


def state_orders(fitted: Fitted, factors: Sequence[FloatArray]) -> list[IntArray]:
    """The states of each latent by falling weight; empty ones that tie stand by their parameters."""
    weights = fitted.layout.rows.weights
    return [np.argsort(-(weights @ factor), kind="stable") for factor in factors]


def data_codes(rows: Rows) -> IntArray:
    """The distinct rows in the data's own numbers of states."""
    codes = np.empty_like(rows.codes)
    for index, rank in enumerate(rows.ranks):
        codes[:, index] = np.argsort(rank)[rows.codes[:, index]]
    return codes


def tables(fitted: Fitted, dag: LatentDag, dataset: Dataset, *, priors: Priors) -> dict[str, Cpt]:
    """The table of every variable of the component."""
    orders = state_orders(fitted, marginals(fitted))
    offsets = fitted.layout.offsets
    result = {}
    families = fitted.layout.arrangement.families
    for family, cells, first, end in zip(families, fitted.layout.families, offsets, offsets[1:]):
        parameters = fitted.fit.parameters[first:end]
        table, axes = _full_table(fitted, family, cells, parameters, dataset=dataset, priors=priors)
        for axis, name in enumerate(axes):
            if name in fitted.names:
                table = np.take(table, orders[fitted.names.index(name)], axis=axis)
        child = axes[-1]
        parents = dag.parents_with_latents[child]
        states = dataset.states[dataset.index[child]] if child in dataset.index else latent_states(table.shape[-1])
        result[child] = Cpt.from_dirichlet(child, states, parents, in_order(table, axes, [*parents, child]))
    return result


def _full_table(
    fitted: Fitted,
    family: ComponentFamily,
    cells: FamilyCells,
    parameters: FloatArray,
    *,
    dataset: Dataset,
    priors: Priors,
) -> tuple[FloatArray, list[str]]:
    """Dirichlet parameters of every configuration, seen or not, and the names of the axes, the child last."""
    component, rows, states = fitted.component, fitted.layout.rows, fitted.layout.arrangement.states
    latent_parents = [states[k] for k in family.latents]
    parent_states = [*(dataset.n_states[parent] for parent in family.parents), *latent_parents]
    names = [*(dataset.names[parent] for parent in family.parents)]
    arranged_names = fitted.layout.arrangement.arrange(fitted.names)
    latent_names = [arranged_names[k] for k in cells.latents]
    observed = list(family.parents)
    if component.is_latent(family):
        state = states[cells.latents[-1]]
        table = np.tile(priors.latent(state, parent_states), (_product(dataset, observed), _size(latent_parents)))
        axes = [*names, *latent_names]
    else:
        observed.append(family.child)
        ranked = priors.ranked(family.child, parent_states)
        table = np.tile(ranked, _product(dataset, family.parents))[:, None] * np.ones(cells.n_latent)
        axes = [*names, dataset.names[family.child], *latent_names]
    table[cells.lines] = parameters.reshape(len(cells.lines), cells.n_latent)
    full = table.reshape(*(dataset.n_states[c] for c in observed), *(states[k] for k in cells.latents))
    for axis, column in enumerate(observed):
        full = np.take(full, rows.ranks[rows.columns.index(column)], axis=axis)
    if not component.is_latent(family):
        full = np.moveaxis(full, len(names), -1)
        axes = [*names, *latent_names, dataset.names[family.child]]
    return full, axes


def _product(dataset: Dataset, columns: Sequence[int]) -> int:
    return _size([dataset.n_states[column] for column in columns])


def _size(states: Sequence[int]) -> int:
    return int(np.prod(states, dtype=np.int64))


def log_likelihood(fitted: Fitted) -> float:
    """Of the component's observed children at the mean parameters; the layout must be a joint one or a tree."""
    from latconf_core.score.kernels import vbem as kernels

    return float(kernels.log_likelihood(fitted.layout.problem, fitted.fit.parameters))


def plain_table(dag: LatentDag, dataset: Dataset, name: str, *, families: FamilyModel) -> tuple[Cpt, float]:
    """The table of a variable without latents around it, and its part of the log-likelihood."""
    parents = dag.parents[name]
    columns = [dataset.index[variable] for variable in (*parents, name)]
    table = families.table(columns[-1], columns[:-1])
    cpt = Cpt.from_dirichlet(name, dataset.states[columns[-1]], parents, table)
    rows = group_rows(dataset, columns)
    return cpt, float(rows.counts @ np.log(cpt.table[tuple(rows.codes.T)]))
