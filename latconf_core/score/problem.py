"""Lays a component out on its data as flat arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from math import prod
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from latconf_core.counts.families import group_rows
from latconf_core.data.dataset import Dataset
from latconf_core.score.component import Component, ComponentFamily
from latconf_core.score.prior import Priors

if TYPE_CHECKING:
    from latconf_core.score.kernels.layout import Sight
    from latconf_core.score.kernels.vbem import Problem

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
    offsets : the first cell of each family, and the number of cells
    below : (n_latents, most children) the observed families each latent is a parent of, −1 behind the last
    """

    problem: Problem
    sight: Sight
    rows: Rows
    families: tuple[FamilyCells, ...]
    offsets: IntArray
    below: IntArray


def canonical_rows(dataset: Dataset, columns: Sequence[int], priors: Priors) -> Rows:
    """The distinct rows over these columns."""
    ranks = tuple(priors.rank(column) for column in columns)
    grouped = group_rows(dataset, columns, ranks=ranks)
    return Rows(tuple(columns), grouped.codes, grouped.counts.astype(np.float64), ranks)


def lay_out(component: Component, dataset: Dataset, priors: Priors, *, joint: bool = True) -> Layout:
    """The flat problem of a component, for the joint posterior of its latents or for one factor each."""
    from latconf_core.score.kernels import layout as kernels

    children = {family.child for family in component.families if not component.is_latent(family)}
    columns = sorted(children.union(*(family.parents for family in component.families)))
    rows = canonical_rows(dataset, columns, priors)
    n_states = [dataset.n_states[column] for column in columns]
    places = [_places(component, family, columns) for family in component.families]
    latents = tuple(_latents(component, family) for family in component.families)
    n_latent = [prod([component.states[k] for k in own]) for own in latents]
    prior = [_prior(component, family, rows, dataset=dataset, priors=priors) for family in component.families]
    structure = kernels.Structure(
        np.array([0, *accumulate(map(len, places))]),
        np.array([place for own in places for place in own], dtype=np.int64),
        np.array(n_states),
        np.array(n_latent),
        np.array([len(own) if component.is_latent(f) else 0 for f, own in zip(component.families, prior)]),
        np.array([0, *accumulate(map(len, prior))]),
        np.concatenate(prior),
    )
    states = _joint_states(component.states, latents) if joint else np.zeros((0, len(latents)), dtype=np.int64)
    problem, sight, lines, first, offsets = kernels.lay_out(
        rows.codes, rows.weights, structure, states, *_factors(component.states, latents)
    )
    families = tuple(
        FamilyCells(lines[start:end], width, own) for start, end, width, own in zip(first, first[1:], n_latent, latents)
    )
    return Layout(problem, sight, rows, families, offsets, _below(component))


def _places(component: Component, family: ComponentFamily, columns: Sequence[int]) -> list[int]:
    """Where a family's observed parents, then its child where it is observed, stand among the columns."""
    found = [columns.index(parent) for parent in family.parents]
    if not component.is_latent(family):
        found.append(columns.index(family.child))
    return found


def _latents(component: Component, family: ComponentFamily) -> tuple[int, ...]:
    """The latents behind the cells of a line: its latent parents, then itself where it is latent."""
    if component.is_latent(family):
        return *family.latents, family.child - component.n_columns
    return family.latents


def _prior(
    component: Component, family: ComponentFamily, rows: Rows, *, dataset: Dataset, priors: Priors
) -> FloatArray:
    """The Dirichlet parameters of one configuration of a family, its states by falling count where it is observed."""
    parent_states = [dataset.n_states[parent] for parent in family.parents]
    parent_states += [component.states[k] for k in family.latents]
    if component.is_latent(family):
        return priors.latent(component.states[family.child - component.n_columns], parent_states)
    prior = np.empty(dataset.n_states[family.child])
    prior[rows.ranks[rows.columns.index(family.child)]] = priors.observed(family.child, parent_states)
    return prior


def _below(component: Component) -> IntArray:
    """The observed families that each latent is a parent of."""
    observed = [f for f, family in enumerate(component.families) if not component.is_latent(family)]
    found = [
        [f for f in observed if latent in component.families[f].latents] for latent in range(len(component.states))
    ]
    found = [own or observed for own in found]  # a latent above latents alone: any child may stand for its own
    width = max(map(len, found))
    return np.array([own + [-1] * (width - len(own)) for own in found])


@lru_cache(maxsize=1024)
def _joint_states(states: tuple[int, ...], latents: tuple[tuple[int, ...], ...]) -> IntArray:
    """(n_joint, n_families) the latent configuration of each family in each joint state."""
    n_joint = prod(states)
    joint = np.unravel_index(np.arange(n_joint), states)
    found = np.zeros((n_joint, len(latents)), dtype=np.int64)
    for place, own in enumerate(latents):
        for latent in own:
            found[:, place] *= states[latent]
            found[:, place] += joint[latent]
    return found


@lru_cache(maxsize=1024)
def _factors(states: tuple[int, ...], latents: tuple[tuple[int, ...], ...]) -> tuple[IntArray, IntArray, IntArray]:
    """Where each family's latent configurations begin, the columns of q behind these, and each latent's first one."""
    column = np.cumsum([0, *states])
    sizes = [prod(states[k] for k in own) for own in latents]
    first = np.cumsum([0, *sizes])
    factors = np.full((first[-1], max(len(own) for own in latents)), -1, dtype=np.int64)
    for start, size, own in zip(first, sizes, latents):
        configurations = np.unravel_index(np.arange(size), [states[k] for k in own])
        for place, latent in enumerate(own):
            factors[start : start + size, place] = column[latent] + configurations[place]
    return first, factors, column
