"""Whether two DAGs with latents are in the same Markov class, against brute force over all pairs and sets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from support.ancestral_truth import random_latent_dag
from support.builders import mixed
from support.separation_truth import all_separations

from latconf_core.comparison.subject import Subject, are_in_same_class
from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.dag.latent_projection import mag_of_dag
from latconf_core.errors import GraphError
from latconf_core.mag.listing import enumerate_mags
from latconf_core.pag.validity import pag_of_mag

N_PAIRS = 1000


def other_members(dag: LatentDag) -> Iterator[LatentDag]:
    """DAGs with latents of other MAGs of its class, and of its own MAG with one latent per <->."""
    for mag in enumerate_mags(pag_of_mag(mag_of_dag(dag))):
        edges = [(edge.first, edge.second) for edge in mag.edges() if edge.arrow == "-->"]
        edges += [(edge.second, edge.first) for edge in mag.edges() if edge.arrow == "<--"]
        spouses = [(edge.first, edge.second) for edge in mag.edges() if edge.arrow == "<->"]
        yield LatentDag(mag.nodes, edges, [Latent(f"H{k}", 2, pair) for k, pair in enumerate(spouses)])


def three_against_pairs(rng: np.random.Generator) -> tuple[LatentDag, LatentDag]:
    """A latent over three variables, and three latents over two each in its place."""
    dag = random_latent_dag(rng, 6, 0, 0.3)
    a, b, c = (dag.nodes[k] for k in rng.choice(6, 3, replace=False))
    edges = [edge for edge in dag.edges if not {*edge} <= {a, b, c}]
    over = [Latent("H", 2, (a, b, c))]
    apart = [Latent("H1", 2, (a, b)), Latent("H2", 2, (b, c)), Latent("H3", 2, (a, c))]
    return LatentDag(dag.nodes, edges, over), LatentDag(dag.nodes, edges, apart)


def with_one_change(rng: np.random.Generator, dag: LatentDag) -> LatentDag | None:
    """The DAG with one edge more, one less, or one turned round; None where that makes a cycle."""
    edges = [*dag.edges]
    kind = rng.integers(3)
    if kind == 0 or not edges:
        a, b = (dag.nodes[k] for k in rng.choice(len(dag.nodes), 2, replace=False))
        edges = [edge for edge in edges if {*edge} != {a, b}] + [(a, b)]
    else:
        parent, child = edges.pop(int(rng.integers(len(edges))))
        edges += [(child, parent)] if kind == 1 else []
    try:
        changed = LatentDag(dag.nodes, edges, dag.latents)
    except GraphError:
        return None
    return None if changed == dag else changed


def pairs() -> Iterator[tuple[LatentDag, LatentDag]]:
    rng = np.random.default_rng(5)
    while True:
        dag = random_latent_dag(rng, int(rng.integers(5, 7)), int(rng.integers(3)), 0.3)
        members = [other_member for _, other_member in zip(range(40), other_members(dag))]
        yield dag, members[int(rng.integers(len(members)))]
        changed = with_one_change(rng, dag)
        if changed is not None:
            yield dag, changed
        yield three_against_pairs(rng)


@pytest.mark.slow
def test_that_same_class_means_the_same_separations_of_all_pairs_and_sets() -> None:
    n_equivalent, n_other, n_tried = 0, 0, 0
    for a, b in pairs():
        if a == b:
            continue
        truth = all_separations(a) == all_separations(b)
        assert are_in_same_class(Subject("A", a), Subject("B", b)) == truth, (a, b)
        n_equivalent += truth
        n_other += not truth
        n_tried += 1
        if n_tried >= N_PAIRS and n_equivalent >= 300 and n_other >= 300:
            break
    assert n_tried < 2 * N_PAIRS


def test_that_a_pag_is_in_the_class_of_its_mags_and_an_invalid_graph_in_none() -> None:
    chain, collider = mixed("A --> B", "B --> C"), mixed("A --> B", "C --> B", nodes=list("ABC"))
    pag = Subject("PAG", mixed("A o-o B", "B o-o C"))
    assert are_in_same_class(Subject("chain", chain), pag) is True
    assert are_in_same_class(Subject("collider", collider), pag) is False
    assert are_in_same_class(Subject("no PAG", mixed("A o-o B", "B --> C")), pag) is None
    assert are_in_same_class(pag, replace(pag, name="again")) is True
