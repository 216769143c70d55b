"""Splits a DAG into what is scored on its own: plain families, and groups of latents that share children."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from math import prod
from typing import NamedTuple

from latconf_core.graph.bits import bits
from latconf_core.model.bit_dag import NO_PARENT, Hidden, children_of


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
        return tuple([latent.n_states for latent in self.latents])

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
    component_families = [
        ComponentFamily(child, tuple(bits(mask)), _latents_above(child, latents))
        for child, mask in zip(bits(observed), component.parents)
    ]
    for index, latent in enumerate(latents):
        above = {
            *_latents_above(n_columns + index, latents),
            *([latent.parent - n_columns] * (latent.parent >= n_columns)),
        }
        upper = (latent.parent,) if 0 <= latent.parent < n_columns else ()
        component_families.append(ComponentFamily(n_columns + index, upper, tuple(sorted(above))))
    return tuple(sorted(component_families, key=lambda family: (family.child >= n_columns, not family.parents, family)))


def _latents_above(child: int, latents: Sequence[Hidden]) -> tuple[int, ...]:
    return tuple([index for index, latent in enumerate(latents) if latent.children >> child & 1])


def split_latents(parents: Sequence[int], latents: tuple[Hidden, ...]) -> list[tuple[Component, Sequence[int]]]:
    """The components of a DAG as bits, with the places of their latents in it; in the order of their first latents."""
    n_columns = len(parents)
    return [
        (Component(n_columns, group.latents, tuple([parents[child] for child in group.children])), group.places)
        for group in _connected(n_columns, latents)
    ]


def plain_families(parents: Sequence[int], latents: Iterable[Hidden]) -> Iterator[tuple[int, int]]:
    """The families of a DAG as bits that have no latent parent, as (child, parents)."""
    below = children_of(latents)
    return ((child, mask) for child, mask in enumerate(parents) if not below >> child & 1)


class _Group(NamedTuple):
    """Latents that share children or are parent and child, as in their component; their observed children."""

    places: tuple[int, ...]
    latents: tuple[Hidden, ...]
    children: tuple[int, ...]


@lru_cache(maxsize=4096)  # MAGs that differ in directed edges alone come by the thousand
def _connected(n_columns: int, latents: tuple[Hidden, ...]) -> tuple[_Group, ...]:
    below = children_of(latents)
    are_roots = not below >> n_columns and all(other_latent.parent == NO_PARENT for other_latent in latents)
    if are_roots and below.bit_count() == sum(
        [other_latent.children.bit_count() for other_latent in latents]
    ):  # no child in common
        return tuple(
            [
                _Group((index,), (other_latent,), _places(other_latent.children))
                for index, other_latent in enumerate(latents)
            ]
        )
    groups: list[tuple[int, tuple[int, ...]]] = []  # all that a further latent may have in common with the places
    for number, latent in enumerate(latents):
        near = latent.children | 1 << n_columns + number | (1 << latent.parent if latent.parent >= n_columns else 0)
        places: tuple[int, ...] = (number,)
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
        members = tuple(latents[index] for index in places)
        children = tuple(bits(children_of(members) & observed))
        found.append(_Group(places, _renumber(n_columns, members, places), children))
    return tuple(found)


@lru_cache(maxsize=4096)
def _places(mask: int) -> tuple[int, ...]:
    return tuple(bits(mask))


def _renumber(n_columns: int, latents: Sequence[Hidden], places: Sequence[int]) -> tuple[Hidden, ...]:
    """Latents that name others by their places in the DAG, made to name them by their places in the component."""
    if all(latent.parent < n_columns and not latent.children >> n_columns for latent in latents):
        return tuple(latents)
    position = {n_columns + latent_index: n_columns + k for k, latent_index in enumerate(places)}
    return tuple(
        Hidden(
            sum(1 << position.get(child, child) for child in bits(latent.children)),
            latent.n_states,
            position.get(latent.parent, latent.parent),
        )
        for latent in latents
    )
