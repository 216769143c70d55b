"""DAGs with names as bits and back, and the parts of their scores: where searches begin and results are made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import NamedTuple

from latconf_core.dag.latent_dag import Latent, LatentDag, latent_names
from latconf_core.data.dataset import Dataset
from latconf_core.errors import GraphError
from latconf_core.families.objectives import Prices
from latconf_core.graph.bits import bits
from latconf_core.model.bit_dag import NO_PARENT, BitDag, Hidden
from latconf_core.model.component import Component, plain_families, split_latents
from latconf_core.options.scoring import VbemOptions

MAX_TABLE_CELLS = 10_000_000  # 80 MB for one table


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
    plain = dict(plain_families(parents, latents))
    columns = [dataset.index[name] for name in dag.nodes]
    parts = split_latents(parents, latents)
    return Parts(
        tuple((child, plain[child]) for child in columns if child in plain),
        tuple(component for component, _ in parts),
        tuple(tuple(dag.latents[index].name for index in places) for _, places in parts),
    )


def to_bits(dag: LatentDag, column: Mapping[str, int] | None = None) -> BitDag:
    """The DAG without names, its latents in their order; variables stand at their columns, or as in the DAG."""
    n_columns = len(dag.nodes)
    position = dict(column or {name: i for i, name in enumerate(dag.nodes)})
    position |= {latent.name: n_columns + k for k, latent in enumerate(dag.latents)}
    parents = [0] * n_columns
    for parent, child in dag.edges:
        parents[position[child]] |= 1 << position[parent]
    latents = [
        Hidden(
            sum(1 << position[child] for child in latent.children),
            latent.n_states,
            NO_PARENT if latent.parent is None else position[latent.parent],
        )
        for latent in dag.latents
    ]
    return BitDag(tuple(parents), tuple(latents))


def to_dag(dag: BitDag, nodes: Sequence[str]) -> LatentDag:
    """The DAG on these nodes, its latents called L1, L2, … in their order."""
    names = [*nodes, *latent_names(len(dag.latents), nodes)]
    edges = [(names[parent], names[child]) for child, mask in enumerate(dag.parents) for parent in bits(mask)]
    latents = [
        Latent(
            names[len(nodes) + k],
            latent.n_states,
            tuple(names[child] for child in bits(latent.children)),
            None if latent.parent == NO_PARENT else names[latent.parent],
        )
        for k, latent in enumerate(dag.latents)
    ]
    return LatentDag(nodes, edges, latents)


def price_of(dag: LatentDag, options: VbemOptions) -> float:
    """What the edges and latents of a DAG cost under the objective of some options."""
    bits_of = to_bits(dag)
    prices = Prices(options.prices, len(dag.nodes))
    return prices.of_structure(bits_of.parents, [latent.children for latent in bits_of.latents])


def check_tables(
    parents: Sequence[int], latents: Sequence[Hidden], dataset: Dataset, *, latent_names: Sequence[str]
) -> None:
    """Refuse a DAG that needs a table too large to hold."""
    n_columns = len(parents)
    above = [list(bits(mask)) for mask in parents] + [
        [other_latent.parent] * (other_latent.parent != NO_PARENT) for other_latent in latents
    ]
    for index, latent in enumerate(latents):
        for child in bits(latent.children):
            if n_columns + index not in above[child]:
                above[child].append(n_columns + index)
    states = [*dataset.n_states, *(other_latent.n_states for other_latent in latents)]
    for child, upper in enumerate(above):
        if not upper:
            continue
        configurations = prod([states[parent] for parent in upper])
        if configurations * states[child] > MAX_TABLE_CELLS:
            names = [*dataset.names, *latent_names]
            largest = max([*upper, child], key=lambda node: states[node])
            raise GraphError(
                f"the parents of {names[child]!r} have {configurations:,} joint states, a table of "
                f"{configurations * states[child]:,} numbers; the maximum is {MAX_TABLE_CELLS:,}: discretise or "
                f"merge states, such as the {states[largest]:,} of {names[largest]!r}, or remove parents"
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
