"""Lays a component out on its data as flat arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, pairwise, product
from math import prod
from typing import TYPE_CHECKING

import numpy as np

from latconf_core.arrays import FloatArray, IntArray
from latconf_core.counts.families import group_rows
from latconf_core.data.dataset import Dataset
from latconf_core.score.component import Component, ComponentFamily
from latconf_core.score.prior import Priors

if TYPE_CHECKING:
    from latconf_core.score.kernels.layout import RowIndex
    from latconf_core.score.kernels.vbem import Problem


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
    """The cells of one family: n_latent of them for each line, a (configuration of observed parents, state) seen.

    lines : (n_lines,) as numbers, rising; configurations alone where the child is latent
    n_latent : configurations of its latents, its own states included where it is latent (own state fastest)
    latents : the latents behind n_latent, slowest first
    """

    lines: IntArray
    n_latent: int
    latents: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Layout:
    """A component's flat problem, and what is needed to read its cells back.

    sight : what each row has of every family
    latents, n_latent : of each family, see FamilyCells
    lines, first : the lines of all families, and where each family's begin
    offsets : the first cell of each family, and the number of cells
    below : (n_latents, most children) the observed families each latent is a parent of, −1 behind the last
    """

    problem: Problem
    row_index: RowIndex
    rows: Rows
    latents: tuple[tuple[int, ...], ...]
    n_latent: Sequence[int]
    lines: IntArray
    first: IntArray
    offsets: IntArray
    below: IntArray

    @property
    def families(self) -> list[FamilyCells]:
        lines = [self.lines[start:end] for start, end in pairwise(self.first)]
        return [FamilyCells(*of_family) for of_family in zip(lines, self.n_latent, self.latents)]


def canonical_rows(dataset: Dataset, columns: Sequence[int], priors: Priors) -> Rows:
    """The distinct rows over these columns."""
    ranks = tuple([priors.ranks[column] for column in columns])
    grouped = group_rows(dataset, columns, ranks=ranks)
    return Rows(tuple(columns), grouped.codes, grouped.counts.astype(np.float64), ranks)


def lay_out(component: Component, dataset: Dataset, priors: Priors, *, joint: bool = True) -> Layout:
    """The flat problem of a component, for the joint posterior of its latents or for one factor each."""
    from latconf_core.score.kernels import layout as kernels

    own = [component.is_latent(family) for family in component.families]
    columns = sorted({column for family in component.families for column in (family.child, *family.parents)})
    columns = columns[: len(columns) - sum(own)]  # without the latents
    rows = canonical_rows(dataset, columns, priors)
    place = {column: k for k, column in enumerate(columns)}
    places = [
        [place[column] for column in (*family.parents, family.child) if column in place]
        for family in component.families
    ]
    latents = tuple([_latents(component, family) for family in component.families])
    n_latent = [prod([component.states[k] for k in behind]) for behind in latents]
    prior = [_prior(component, family, dataset, priors) for family in component.families]
    structure = kernels.Structure(
        np.array([0, *accumulate(map(len, places))]),
        np.array([k for of_family in places for k in of_family], dtype=np.int64),
        np.array([dataset.n_states[column] for column in columns]),
        np.array(n_latent),
        np.array([len(of_family) if is_own else 0 for is_own, of_family in zip(own, prior)]),
        np.array([0, *accumulate(map(len, prior))]),
        np.concatenate(prior),
    )
    states = _joint_states(component.states, latents) if joint else np.zeros((0, len(latents)), dtype=np.int64)
    problem, row_index, lines, first, offsets = kernels.lay_out(
        rows.codes, rows.weights, structure, states, *_factors(component.states, latents)
    )
    below = _below(len(component.states), latents[: len(latents) - sum(own)])
    return Layout(problem, row_index, rows, latents, n_latent, lines, first, offsets, below)


def _latents(component: Component, family: ComponentFamily) -> tuple[int, ...]:
    """The latents behind the cells of a line: its latent parents, then itself where it is latent."""
    if component.is_latent(family):
        return *family.latents, family.child - component.n_columns
    return family.latents


def _prior(component: Component, family: ComponentFamily, dataset: Dataset, priors: Priors) -> FloatArray:
    """The Dirichlet parameters of one configuration of a family, its states by falling count where it is observed."""
    parent_states = [dataset.n_states[parent] for parent in family.parents]
    parent_states += [component.states[k] for k in family.latents]
    if component.is_latent(family):
        return priors.latent(component.states[family.child - component.n_columns], parent_states)
    return priors.ranked(family.child, parent_states)


@lru_cache(maxsize=1024)
def _below(n_latents: int, latents: tuple[tuple[int, ...], ...]) -> IntArray:
    """The families of observed children, given their latents, that each latent is a parent of."""
    found = [[f for f, behind in enumerate(latents) if latent in behind] for latent in range(n_latents)]
    found = [own or list(range(len(latents))) for own in found]  # above latents alone: any child may stand for its own
    width = max(map(len, found))
    return np.array([own + [-1] * (width - len(own)) for own in found])


@lru_cache(maxsize=1024)
def _joint_states(states: tuple[int, ...], latents: tuple[tuple[int, ...], ...]) -> IntArray:
    """(n_joint, n_families) the latent configuration of each family in each joint state."""
    joint = np.arange(prod(states))
    found = np.zeros((len(joint), len(latents)), dtype=np.int64)
    for place, behind in enumerate(latents):
        for latent in behind:
            found[:, place] *= states[latent]
            found[:, place] += joint // prod(states[latent + 1 :]) % states[latent]
    return found


@lru_cache(maxsize=1024)
def _factors(states: tuple[int, ...], latents: tuple[tuple[int, ...], ...]) -> tuple[IntArray, IntArray, IntArray]:
    """Where each family's latent configurations begin, the columns of q behind these, and each latent's first one."""
    column = [0, *accumulate(states)]
    width = max(map(len, latents))
    factors: list[tuple[int, ...]] = []
    first = [0]
    for behind in latents:
        none = (-1,) * (width - len(behind))
        columns = [range(column[latent], column[latent + 1]) for latent in behind]
        factors += [(*configuration, *none) for configuration in product(*columns)]
        first.append(len(factors))
    return np.array(first), np.array(factors), np.array(column)
