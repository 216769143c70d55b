"""Splits a DAG into what is scored on its own: plain families, and groups of latents that share children."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from math import prod
from typing import NamedTuple

from latconf_core.dag.latent_dag import LatentDag
from latconf_core.data.dataset import Dataset
from latconf_core.errors import GraphError
from latconf_core.graph.bits import bits

NO_PARENT = -1
MAX_TABLE_CELLS = 10_000_000  # 80 MB for one table


class Hidden(NamedTuple):
    """A latent: its children as bits, its number of states, and the position of its parent.

    Positions from the number of observed nodes on are latents.
    """

    children: int
    n_states: int = 2
    parent: int = NO_PARENT


class ComponentFamily(NamedTuple):
    """One variable that has a latent among its parents, or is latent itself.

    child : a column of the data, or n_columns + k for the component's latent k
    parents : columns of the data, rising
    latents : positions of latents in the component, rising
    """

    child: int
    parents: tuple[int, ...]
    latents: tuple[int, ...]


class Component(NamedTuple):
    """Latents that interact through common children: the unit of variational Bayes, and the key of its cache.

    n_columns : columns of the data; positions from here on are the component's latents
    latents : each with its children, as bits
    parents : the observed parents of each observed child as bits, children in the order of their columns
    """

    n_columns: int
    latents: tuple[Hidden, ...]
    parents: tuple[int, ...]

    @property
    def states(self) -> tuple[int, ...]:
        """The number of states of each latent."""
        return tuple([one.n_states for one in self.latents])

    @property
    def families(self) -> tuple[ComponentFamily, ...]:
        """One for each observed child, then one for each latent, those without observed parents last."""
        return _families(self)

    @property
    def n_joint_states(self) -> int:
        return prod(self.states)

    @property
    def is_tree(self) -> bool:
        """Every child of the latents, latent or not, has one latent parent at most: what they share is a tree."""
        return all(len(family.latents) <= 1 for family in self.families)

    def is_latent(self, family: ComponentFamily) -> bool:
        """The family's child is one of the component's latents."""
        return family.child >= self.n_columns


@lru_cache(maxsize=1024)
def _families(component: Component) -> tuple[ComponentFamily, ...]:
    n_columns, latents, _ = component
    observed = children_of(latents) & (1 << n_columns) - 1
    found = [
        ComponentFamily(child, tuple(bits(mask)), _latents_above(child, latents))
        for child, mask in zip(bits(observed), component.parents)
    ]
    for place, one in enumerate(latents):
        above = {*_latents_above(n_columns + place, latents), *([one.parent - n_columns] * (one.parent >= n_columns))}
        own = (one.parent,) if 0 <= one.parent < n_columns else ()
        found.append(ComponentFamily(n_columns + place, own, tuple(sorted(above))))
    return tuple(sorted(found, key=lambda family: (family.child >= n_columns, not family.parents, family)))


def _latents_above(child: int, latents: Sequence[Hidden]) -> tuple[int, ...]:
    return tuple([place for place, one in enumerate(latents) if one.children >> child & 1])


def children_of(latents: Iterable[Hidden]) -> int:
    """The children of all latents together."""
    found = 0
    for one in latents:
        found |= one.children
    return found


def split_latents(parents: Sequence[int], latents: tuple[Hidden, ...]) -> list[tuple[Component, Sequence[int]]]:
    """The components of a DAG as bits, with the places of their latents in it; in the order of their first latents."""
    n_columns = len(parents)
    return [
        (Component(n_columns, group.latents, tuple([parents[child] for child in group.children])), group.places)
        for group in _connected(n_columns, latents)
    ]


class _Group(NamedTuple):
    """Latents that share children or are parent and child, as in their component; their observed children."""

    places: tuple[int, ...]
    latents: tuple[Hidden, ...]
    children: tuple[int, ...]


@lru_cache(maxsize=4096)  # MAGs that differ in directed edges alone come by the thousand
def _connected(n_columns: int, latents: tuple[Hidden, ...]) -> tuple[_Group, ...]:
    below = children_of(latents)
    are_roots = not below >> n_columns and all(one.parent == NO_PARENT for one in latents)
    if are_roots and below.bit_count() == sum([one.children.bit_count() for one in latents]):  # no child in common
        return tuple([_Group((place,), (one,), _places(one.children)) for place, one in enumerate(latents)])
    groups: list[tuple[int, tuple[int, ...]]] = []  # all that a further latent may have in common with the places
    for place, one in enumerate(latents):
        near = one.children | 1 << n_columns + place | (1 << one.parent if one.parent >= n_columns else 0)
        places: tuple[int, ...] = (place,)
        apart = []
        for group in groups:
            if group[0] & near:
                near, places = near | group[0], group[1] + places
            else:
                apart.append(group)
        groups = [*apart, (near, tuple(sorted(places)))]
    observed = (1 << n_columns) - 1
    found = []
    for places in sorted(places for _, places in groups):
        own = tuple(latents[place] for place in places)
        children = tuple(bits(children_of(own) & observed))
        found.append(_Group(places, _renumber(n_columns, own, places), children))
    return tuple(found)


@lru_cache(maxsize=4096)
def _places(mask: int) -> tuple[int, ...]:
    return tuple(bits(mask))


def _renumber(n_columns: int, latents: Sequence[Hidden], places: Sequence[int]) -> tuple[Hidden, ...]:
    """Latents that name others by their places in the DAG, made to name them by their places in the component."""
    if all(one.parent < n_columns and not one.children >> n_columns for one in latents):
        return tuple(latents)
    position = {n_columns + place: n_columns + k for k, place in enumerate(places)}
    return tuple(
        Hidden(
            sum(1 << position.get(child, child) for child in bits(one.children)),
            one.n_states,
            position.get(one.parent, one.parent),
        )
        for one in latents
    )


class Parts(NamedTuple):
    """What a DAG's score is the sum of.

    families : (child, parents as bits) of every variable without a latent parent, in the order of the DAG
    latents : the names of the latents of each component, in its order
    """

    families: tuple[tuple[int, int], ...]
    components: tuple[Component, ...]
    latents: tuple[tuple[str, ...], ...]


def split(dag: LatentDag, dataset: Dataset) -> Parts:
    """The plain families and the components of a DAG over the variables of a dataset."""
    if dag.nodes != dataset.names:
        _check_names(dag, dataset)
    parents, latents = to_bits(dag, dataset.index)
    check_tables(parents, latents, dataset, latent_names=[latent.name for latent in dag.latents])
    below = children_of(latents)
    columns = [dataset.index[name] for name in dag.nodes]
    found = split_latents(parents, latents)
    return Parts(
        tuple((child, parents[child]) for child in columns if not below >> child & 1),
        tuple(component for component, _ in found),
        tuple(tuple(dag.latents[place].name for place in places) for _, places in found),
    )


def to_bits(dag: LatentDag, column: Mapping[str, int]) -> tuple[tuple[int, ...], tuple[Hidden, ...]]:
    """The observed parents of every column, and the latents of a DAG in its order."""
    n_columns = len(dag.nodes)
    position = {**column, **{latent.name: n_columns + place for place, latent in enumerate(dag.latents)}}
    parents = [0] * n_columns
    for parent, child in dag.edges:
        parents[position[child]] |= 1 << position[parent]
    latents = [
        Hidden(
            sum(1 << position[child] for child in one.children),
            one.n_states,
            NO_PARENT if one.parent is None else position[one.parent],
        )
        for one in dag.latents
    ]
    return tuple(parents), tuple(latents)


def check_tables(
    parents: Sequence[int], latents: Sequence[Hidden], dataset: Dataset, *, latent_names: Sequence[str]
) -> None:
    """Refuse a DAG that needs a table too large to hold."""
    n_columns = len(parents)
    above = [list(bits(mask)) for mask in parents] + [[one.parent] * (one.parent != NO_PARENT) for one in latents]
    for place, one in enumerate(latents):
        for child in bits(one.children):
            if n_columns + place not in above[child]:
                above[child].append(n_columns + place)
    states = [*dataset.n_states, *(one.n_states for one in latents)]
    for child, own in enumerate(above):
        if not own:
            continue
        configurations = prod([states[parent] for parent in own])
        if configurations * states[child] > MAX_TABLE_CELLS:
            name = [*dataset.names, *latent_names][child]
            raise GraphError(
                f"the parents of {name!r} have {configurations:,} joint states, a table of "
                f"{configurations * states[child]:,} numbers; at most {MAX_TABLE_CELLS:,} are possible: remove parents"
            )


def _check_names(dag: LatentDag, dataset: Dataset) -> None:
    for name in dag.nodes:
        if name not in dataset.index:
            raise GraphError(f"the graph has a variable {name!r} that the data lack")
    if len(dag.nodes) != dataset.n_variables:
        missing = next(name for name in dataset.names if name not in dag.nodes)
        raise GraphError(
            f"the data have a variable {missing!r} that the graph lacks; add it or leave it out of the data"
        )
