"""Splits a DAG into what is scored on its own: plain families, and groups of latents that share children."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod

from latconf_core.dag.latent_dag import LatentDag
from latconf_core.data.dataset import Dataset
from latconf_core.errors import GraphError

MAX_TABLE_CELLS = 10_000_000  # 80 MB for one table
Family = tuple[int, tuple[int, ...]]


@dataclass(frozen=True, order=True)
class ComponentFamily:
    """One variable that has a latent among its parents, or is latent itself.

    child : a column of the data, or n_columns + k for the component's latent k
    parents : columns of the data, rising
    latents : positions of latents in the component, rising
    """

    child: int
    parents: tuple[int, ...]
    latents: tuple[int, ...]


@dataclass(frozen=True)
class Component:
    """Latents that interact through common children: the unit of variational Bayes, and the key of its cache.

    n_columns : columns of the data; a family's child from here on is a latent
    states : number of states of each latent
    families : one for each observed child, then one for each latent, those without observed parents last
    """

    n_columns: int
    states: tuple[int, ...]
    families: tuple[ComponentFamily, ...]

    @property
    def n_joint_states(self) -> int:
        return prod(self.states)

    def is_latent(self, family: ComponentFamily) -> bool:
        """The family's child is one of the component's latents."""
        return family.child >= self.n_columns

    def with_states(self, states: Sequence[int]) -> Component:
        """The same structure with other numbers of states."""
        return replace(self, states=tuple(states))


@dataclass(frozen=True)
class Parts:
    """What a DAG's score is the sum of; `latents` names the latents of each component in its order."""

    families: tuple[Family, ...]
    components: tuple[Component, ...]
    latents: tuple[tuple[str, ...], ...]


def split(dag: LatentDag, dataset: Dataset) -> Parts:
    """The plain families and the components of a DAG over the variables of a dataset."""
    check_fits(dag, dataset)
    column = dataset.index
    position = {latent.name: i for i, latent in enumerate(dag.latents)}
    touched: dict[str, tuple[str, ...]] = {}
    plain: list[Family] = []
    for name, parents in dag.parents_with_latents.items():
        if name in position or not position.keys().isdisjoint(parents):
            touched[name] = parents
        else:
            plain.append((column[name], tuple(sorted([column[parent] for parent in parents])) if parents else ()))
    groups = _connected(list(position), touched)
    components = tuple(_component(dag, group, touched, column) for group in groups)
    return Parts(tuple(plain), components, tuple(tuple(group) for group in groups))


def check_fits(dag: LatentDag, dataset: Dataset) -> None:
    """Refuse a DAG that names what the data lack, leaves out a variable, or needs a table too large to hold."""
    if dag.nodes != dataset.names:
        _check_names(dag, dataset)
    states = dict(zip(dataset.names, dataset.n_states))
    states |= {latent.name: latent.n_states for latent in dag.latents}
    for name, parents in dag.parents_with_latents.items():
        if not parents:
            continue
        configurations = prod([states[parent] for parent in parents])
        if configurations * states[name] > MAX_TABLE_CELLS:
            raise GraphError(
                f"the parents of {name!r} have {configurations:,} joint states, a table of "
                f"{configurations * states[name]:,} numbers; at most {MAX_TABLE_CELLS:,} are possible: remove parents"
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


def _connected(latents: Sequence[str], families: Mapping[str, tuple[str, ...]]) -> list[list[str]]:
    """Latents grouped by common families, in their order."""
    leader = {name: name for name in latents}

    def find(name: str) -> str:
        while leader[name] != name:
            name = leader[name]
        return name

    for child, parents in families.items():
        members = [name for name in (child, *parents) if name in leader]
        for other in members[1:]:
            leader[find(other)] = find(members[0])
    groups: dict[str, list[str]] = {}
    for name in latents:
        groups.setdefault(find(name), []).append(name)
    return list(groups.values())


def _component(
    dag: LatentDag, group: Sequence[str], families: Mapping[str, tuple[str, ...]], column: Mapping[str, int]
) -> Component:
    place = {name: i for i, name in enumerate(group)}
    n_columns = len(column)
    found = []
    for name, parents in families.items():
        if name in place or any(parent in place for parent in parents):
            found.append(
                ComponentFamily(
                    n_columns + place[name] if name in place else column[name],
                    tuple(sorted(column[parent] for parent in parents if parent not in place)),
                    tuple(sorted(place[parent] for parent in parents if parent in place)),
                )
            )
    found.sort(key=lambda family: (family.child >= n_columns, not family.parents, family))
    states = {latent.name: latent.n_states for latent in dag.latents}
    return Component(n_columns, tuple(states[name] for name in group), tuple(found))
