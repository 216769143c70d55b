"""Lays a component out on its data as flat arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import prod
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from latconf_core.counts.families import group_rows
from latconf_core.data.dataset import Dataset
from latconf_core.score.component import Component, ComponentFamily
from latconf_core.score.prior import Priors

if TYPE_CHECKING:
    from latconf_core.score.kernels import Problem

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Rows:
    """Distinct rows over some columns, in an order free of the order of rows and of the names of states.

    codes : (n_rows, n_columns); states are numbered by falling count (ties keep the data's order)
    ranks : for each column, the new number of each of the data's states
    """

    columns: tuple[int, ...]
    codes: IntArray
    weights: FloatArray
    ranks: tuple[IntArray, ...]


@dataclass(frozen=True, eq=False)
class FamilyCells:
    """The cells of one family: n_latent of them for each (configuration of observed parents, state) seen in the data.

    n_states : of the child
    of_row : (n_rows,) which seen pair each row has
    seen : (n_seen,) the pairs as numbers, rising; configurations alone where the child is latent
    n_latent : configurations of its latents, its own states included where it is latent (own state fastest)
    latents : the latents behind n_latent, slowest first
    prior : (n_seen * n_latent,)
    first, size, stride, rest : the Dirichlets: first cell, cells, distance, prior mass on states never seen
    """

    is_latent: bool
    n_states: int
    of_row: IntArray
    seen: IntArray
    n_latent: int
    latents: tuple[int, ...]
    prior: FloatArray
    first: IntArray
    size: IntArray
    stride: IntArray
    rest: FloatArray


@dataclass(frozen=True, eq=False)
class Layout:
    """A component's flat problem, and what is needed to read its cells back.

    offsets : the first cell of each family, and the number of cells
    children : (n_latents, most children) the columns of `rows` each latent points at, −1 behind the last
    """

    problem: Problem
    rows: Rows
    families: tuple[FamilyCells, ...]
    offsets: tuple[int, ...]
    children: IntArray


def canonical_rows(dataset: Dataset, columns: Sequence[int], priors: Priors) -> Rows:
    """The distinct rows over these columns."""
    grouped = group_rows(dataset, columns)
    ranks = tuple(priors.rank(column) for column in columns)
    codes = np.empty_like(grouped.codes)
    for place, rank in enumerate(ranks):
        codes[:, place] = rank[grouped.codes[:, place]]
    order = np.lexsort(codes.T[::-1])
    return Rows(tuple(columns), np.ascontiguousarray(codes[order]), grouped.counts[order].astype(np.float64), ranks)


def lay_out(component: Component, dataset: Dataset, priors: Priors, *, joint: bool = True) -> Layout:
    """The flat problem of a component, for the joint posterior of its latents or for one factor each."""
    children = {family.child for family in component.families if not component.is_latent(family)}
    columns = sorted(children.union(*(family.parents for family in component.families)))
    rows = canonical_rows(dataset, columns, priors)
    families = []
    for family in component.families:
        if component.is_latent(family):
            families.append(_latent_cells(component, family, rows, dataset=dataset, priors=priors))
        else:
            families.append(_observed_cells(component, family, rows, dataset=dataset, priors=priors))
    offsets = np.cumsum([0, *(len(cells.prior) for cells in families)])
    problem = _flat(component, rows, families, offsets=offsets, joint=joint)
    return Layout(problem, rows, tuple(families), tuple(int(offset) for offset in offsets), _children(component, rows))


def _children(component: Component, rows: Rows) -> IntArray:
    found = [
        [
            rows.columns.index(family.child)
            for family in component.families
            if latent in family.latents and not component.is_latent(family)
        ]
        for latent in range(len(component.states))
    ]
    everything = list(range(len(rows.columns)))
    found = [own or everything for own in found]  # a latent above latents alone: any column may stand for it
    children = np.full((len(found), max(len(own) for own in found)), -1, dtype=np.int64)
    for latent, own in enumerate(found):
        children[latent, : len(own)] = own
    return children


def _index(rows: Rows, columns: Sequence[int], dataset: Dataset) -> tuple[IntArray, IntArray]:
    """Which distinct configuration of these columns each row has, and the distinct ones as numbers."""
    from latconf_core.score import kernels

    places = np.array([rows.columns.index(column) for column in columns], dtype=np.int64)
    cards = np.array([dataset.n_states[column] for column in columns], dtype=np.int64)
    of_row, seen = kernels.index_rows(rows.codes, places, cards)
    return of_row, seen


def _observed_cells(
    component: Component, family: ComponentFamily, rows: Rows, *, dataset: Dataset, priors: Priors
) -> FamilyCells:
    from latconf_core.score import kernels

    of_row, seen = _index(rows, [*family.parents, family.child], dataset)
    latent_states = [component.states[k] for k in family.latents]
    parent_states = [*(dataset.n_states[parent] for parent in family.parents), *latent_states]
    prior = np.empty(dataset.n_states[family.child])
    prior[rows.ranks[rows.columns.index(family.child)]] = priors.observed(family.child, parent_states)
    n_latent = prod(latent_states)
    groups = kernels.observed_groups(seen, prior, n_latent)
    return FamilyCells(False, len(prior), of_row, seen, n_latent, family.latents, *groups)


def _latent_cells(
    component: Component, family: ComponentFamily, rows: Rows, *, dataset: Dataset, priors: Priors
) -> FamilyCells:
    of_row, seen = _index(rows, family.parents, dataset)
    own = family.child - component.n_columns
    n_states = component.states[own]
    latent_states = [component.states[k] for k in family.latents]
    parent_states = [*(dataset.n_states[parent] for parent in family.parents), *latent_states]
    n_dirichlets = len(seen) * prod(latent_states)
    return FamilyCells(
        True,
        n_states,
        of_row,
        seen,
        prod(latent_states) * n_states,
        (*family.latents, own),
        np.tile(priors.latent(n_states, parent_states), n_dirichlets),
        np.arange(n_dirichlets) * n_states,
        np.full(n_dirichlets, n_states),
        np.ones(n_dirichlets, dtype=np.int64),
        np.zeros(n_dirichlets),
    )


def _flat(
    component: Component, rows: Rows, families: Sequence[FamilyCells], *, offsets: IntArray, joint: bool
) -> Problem:
    """All families behind one another; those that look at the row stand first in `cells`."""
    from latconf_core.score import kernels

    order = sorted(range(len(families)), key=lambda f: len(families[f].seen) == 1)
    cells = np.empty((len(rows.weights), len(families)), dtype=np.int64)
    for place, f in enumerate(order):
        np.multiply(families[f].of_row, families[f].n_latent, out=cells[:, place])
        cells[:, place] += offsets[f]
    latents = tuple(families[f].latents for f in order)
    q_first, factor_first, factors = _factors(component.states, latents)
    blocks = [_blocks(family, offset) for family, offset in zip(families, offsets)]
    n_latents = len(component.states)
    problem = kernels.Problem(
        rows.weights,
        cells,
        sum(len(family.seen) > 1 for family in families),
        _joint_states(component.states, latents) if joint else np.zeros((len(families), 0), np.int64),
        factor_first,
        factors,
        q_first,
        np.concatenate([family.prior for family in families]),
        np.concatenate([offset + family.first for family, offset in zip(families, offsets)]),
        np.concatenate([family.size for family in families]),
        np.concatenate([family.stride for family in families]),
        np.concatenate([family.rest for family in families]),
        0.0,
        np.concatenate([block[0] for block in blocks]),
        np.concatenate([block[1] for block in blocks]),
        np.concatenate([block[2] for block in blocks]),
        sum(len(blocks[f][0]) for f in range(n_latents)),
    )
    scratch = np.empty_like(problem.prior)
    return problem._replace(constant=-kernels.expect(problem, problem.prior, scratch))


@lru_cache(maxsize=1024)
def _joint_states(states: tuple[int, ...], latents: tuple[tuple[int, ...], ...]) -> IntArray:
    """(n_families, n_joint) the latent configuration of each family in each joint state."""
    n_joint = prod(states)
    joint = np.unravel_index(np.arange(n_joint), states)
    found = np.zeros((len(latents), n_joint), dtype=np.int64)
    for place, own in enumerate(latents):
        for latent in own:
            found[place] *= states[latent]
            found[place] += joint[latent]
    return found


@lru_cache(maxsize=1024)
def _factors(states: tuple[int, ...], latents: tuple[tuple[int, ...], ...]) -> tuple[IntArray, IntArray, IntArray]:
    """Where each latent's columns of q and each family's latent configurations begin, and the columns behind these."""
    column = np.cumsum([0, *states])
    sizes = [prod(states[k] for k in own) for own in latents]
    first = np.cumsum([0, *sizes])
    factors = np.full((first[-1], max(len(own) for own in latents)), -1, dtype=np.int64)
    for start, size, own in zip(first, sizes, latents):
        configurations = np.unravel_index(np.arange(size), [states[k] for k in own])
        for place, latent in enumerate(own):
            factors[start : start + size, place] = column[latent] + configurations[place]
    return column, first, factors


def _blocks(family: FamilyCells, offset: int) -> tuple[IntArray, IntArray, IntArray]:
    """First cell, lines and width of the cells of each configuration of observed parents."""
    if family.is_latent:
        first = np.arange(len(family.seen)) * family.n_latent
        size = np.ones(len(first), dtype=np.int64)
    else:
        first, size = family.first[:: family.n_latent], family.size[:: family.n_latent]
    return offset + first, size, np.full(len(first), family.n_latent)
