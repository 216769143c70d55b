"""Lays a component out on its data as flat arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, pairwise, product
from math import prod
from typing import TYPE_CHECKING, Literal

import numpy as np

from latconf_core.arrays import FloatArray, IntArray
from latconf_core.counts.families import group_rows
from latconf_core.data.dataset import Dataset
from latconf_core.families.priors import Priors
from latconf_core.model.component import Component, ComponentFamily
from latconf_core.score.arrangement import Arrangement, arrange

Form = Literal["joint", "tree", "factorised"]  # of the posterior of latents; the first two are the same, and exact

if TYPE_CHECKING:
    from latconf_core.score.kernels.layout import RowIndex
    from latconf_core.score.kernels.vbem import Problem


@dataclass(frozen=True, eq=False)
class Rows:
    """Distinct rows over some columns, in an order free of the order of rows and of the names of states.

    codes : (n_rows, n_columns); states are numbered by falling count
    ranks : for each column, the new number of each of the data's states
    contents : how often each state of each column occurs, by falling count
    """

    columns: tuple[int, ...]
    codes: IntArray
    weights: FloatArray
    ranks: tuple[IntArray, ...]
    contents: tuple[tuple[int, ...], ...]


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

    arrangement : the order of all that follows
    sight : what each row has of every family
    latents, n_latent : of each family, see FamilyCells
    lines, first : the lines of all families, and where each family's begin
    offsets : the first cell of each family, and the number of cells
    price : what the objective asks for the component's edges and latents
    below : (n_latents, most children) the observed families each latent is a parent of, −1 behind the last
    """

    arrangement: Arrangement
    problem: Problem
    row_index: RowIndex
    rows: Rows
    latents: tuple[tuple[int, ...], ...]
    n_latent: Sequence[int]
    lines: IntArray
    first: IntArray
    offsets: IntArray
    below: IntArray
    price: float

    @property
    def families(self) -> list[FamilyCells]:
        lines = [self.lines[start:end] for start, end in pairwise(self.first)]
        return [FamilyCells(*of_family) for of_family in zip(lines, self.n_latent, self.latents)]


def canonical_rows(dataset: Dataset, columns: Sequence[int], priors: Priors) -> Rows:
    """The distinct rows over these columns."""
    ranks = tuple([priors.ranks[column] for column in columns])
    grouped = group_rows(dataset, columns, ranks=ranks)
    contents = tuple([priors.order.contents[column] for column in columns])
    return Rows(tuple(columns), grouped.codes, grouped.counts.astype(np.float64), ranks, contents)


def lay_out(component: Component, dataset: Dataset, priors: Priors, *, form: Form = "joint") -> Layout:
    """The flat problem of a component, for the joint posterior of its latents, along a tree, or for one factor each."""
    from latconf_core.score.kernels import layout as kernels

    arrangement = arrange(component, priors.order.places)
    columns, _, states, families = arrangement
    has_own_table = [component.is_latent(family) for family in families]
    rows = canonical_rows(dataset, columns, priors)
    position_of = {column: k for k, column in enumerate(columns)}
    places = [
        [position_of[column] for column in (*family.parents, family.child) if column in position_of]
        for family in families
    ]
    latents = tuple([_latents(component, family) for family in families])
    n_latent = [prod([states[k] for k in behind]) for behind in latents]
    prior = [_prior(family, dataset, priors, n_columns=component.n_columns, states=states) for family in families]
    structure = kernels.Structure(
        np.array([0, *accumulate(map(len, places))]),
        np.array([k for of_family in places for k in of_family], dtype=np.int64),
        np.array([dataset.n_states[column] for column in columns]),
        np.array(n_latent),
        np.array([len(of_family) if is_own else 0 for is_own, of_family in zip(has_own_table, prior)]),
        np.array([0, *accumulate(map(len, prior))]),
        np.concatenate(prior),
    )
    joint = _joint_states(states, latents) if form == "joint" else _none(len(latents))
    tree = _tree(states, latents, tuple(has_own_table)) if form == "tree" else _none(1)
    problem, row_index, lines, first, offsets = kernels.lay_out(
        rows.codes, rows.weights, structure, joint, tree, *_factors(states, latents)
    )
    below = _below(len(states), latents[: len(latents) - sum(has_own_table)])
    return Layout(
        arrangement, problem, row_index, rows, latents, n_latent, lines, first, offsets, below, priors.price(component)
    )


def _latents(component: Component, family: ComponentFamily) -> tuple[int, ...]:
    """The latents behind the cells of a line: its latent parents, then itself where it is latent."""
    if component.is_latent(family):
        return *family.latents, family.child - component.n_columns
    return family.latents


def _prior(
    family: ComponentFamily, dataset: Dataset, priors: Priors, *, n_columns: int, states: Sequence[int]
) -> FloatArray:
    """The Dirichlet parameters of one configuration of a family, its states by falling count where it is observed."""
    parent_states = [dataset.n_states[parent] for parent in family.parents]
    parent_states += [states[k] for k in family.latents]
    if family.child >= n_columns:
        return priors.latent(states[family.child - n_columns], parent_states)
    return priors.ranked(family.child, parent_states)


@lru_cache(maxsize=1024)
def _below(n_latents: int, latents: tuple[tuple[int, ...], ...]) -> IntArray:
    """The families of observed children, given their latents, that each latent is a parent of."""
    children_of = [[f for f, behind in enumerate(latents) if latent in behind] for latent in range(n_latents)]
    children_of = [
        families or list(range(len(latents))) for families in children_of
    ]  # above latents alone: any child may stand for its own
    width = max(map(len, children_of))
    return np.array([families + [-1] * (width - len(families)) for families in children_of])


@lru_cache(maxsize=1024)
def _joint_states(states: tuple[int, ...], latents: tuple[tuple[int, ...], ...]) -> IntArray:
    """(n_joint, n_families) the latent configuration of each family in each joint state."""
    joint = np.arange(prod(states))
    joint_states = np.zeros((len(joint), len(latents)), dtype=np.int64)
    for index, behind in enumerate(latents):
        for latent in behind:
            joint_states[:, index] *= states[latent]
            joint_states[:, index] += joint // prod(states[latent + 1 :]) % states[latent]
    return joint_states


def _none(width: int) -> IntArray:
    """A table without lines."""
    return np.zeros((0, width), dtype=np.int64)


@lru_cache(maxsize=1024)
def _tree(states: tuple[int, ...], latents: tuple[tuple[int, ...], ...], is_root: tuple[bool, ...]) -> IntArray:
    """The way up a tree of latents: what is added at each, the messages from the leaves up, the sums at roots.

    is_root : which families are those of latents
    """
    from latconf_core.score.kernels.tree import NONE

    column = [0, *accumulate(states)]
    family = {behind[-1]: f for f, (behind, is_own) in enumerate(zip(latents, is_root)) if is_own}
    parent = {latent: latents[f][0] for latent, f in family.items() if len(latents[f]) > 1}
    at_latent = [
        (f, column[behind[0]], states[behind[0]], NONE, 0, 0) for f, behind in enumerate(latents) if len(behind) == 1
    ]
    free = 2 * column[-1]  # logits and shares stand before the messages
    messages, roots = [], []
    for latent in sorted(family, key=lambda latent_family: -_depth(latent_family, parent)):
        if latent in parent:
            above = parent[latent]
            messages.append((family[latent], column[latent], states[latent], column[above], states[above], free))
            free += states[above]
        else:
            roots.append((NONE, column[latent], states[latent], NONE, 0, free))
            free += 1
    return np.array([*at_latent, *messages, *roots])


def _depth(latent: int, parent: Mapping[int, int]) -> int:
    """How many latents stand above one."""
    depth = 0
    while latent in parent:
        latent, depth = parent[latent], depth + 1
    return depth


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
