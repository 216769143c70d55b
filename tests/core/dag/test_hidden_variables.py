from __future__ import annotations

from itertools import chain, combinations

import networkx as nx
import numpy as np
import pytest

from latconf_core.dag.bayes_net import BayesNet, Cpt
from latconf_core.dag.hidden_variables import hidden_truth
from latconf_core.dag.latent_dag import Latent, LatentDag


def fair(edges: list[tuple[str, str]], nodes: str) -> BayesNet:
    """Fair coins on a DAG: only the structure matters here."""
    parents = {name: [a for a, b in edges if b == name] for name in nodes}
    return BayesNet(Cpt(name, "01", parent, np.full((2,) * (len(parent) + 1), 0.5)) for name, parent in parents.items())


def test_that_a_hidden_root_is_a_latent_and_a_hidden_step_of_a_chain_is_not() -> None:
    network = fair([("H", "A"), ("H", "B"), ("A", "M"), ("M", "B")], "HAMB")
    assert hidden_truth(network, "H") == LatentDag("AMB", [("A", "M"), ("M", "B")], [Latent("H", 2, ("A", "B"))])
    assert hidden_truth(network, "M") == LatentDag("HAB", [("H", "A"), ("H", "B"), ("A", "B")])


@pytest.mark.parametrize("seed", range(30))
def test_that_hiding_keeps_every_independence_of_the_visible_variables(seed: int) -> None:
    rng = np.random.default_rng(seed)
    nodes = "ABCDEFG"
    edges = [pair for pair in combinations(nodes, 2) if rng.random() < 0.4]
    hidden = set(rng.choice(list(nodes), size=3, replace=False).tolist())
    whole = nx.DiGraph(edges)
    whole.add_nodes_from(nodes)
    seen = hidden_truth(fair(edges, nodes), hidden)
    assert not set(seen.nodes) & hidden
    assert all(latent.parent is None for latent in seen.latents)
    reduced = seen.to_networkx()
    for first, second in combinations(seen.nodes, 2):
        rest = [name for name in seen.nodes if name not in (first, second)]
        for given in chain.from_iterable(combinations(rest, size) for size in range(len(rest) + 1)):
            expected = nx.is_d_separator(whole, {first}, {second}, set(given))
            assert nx.is_d_separator(reduced, {first}, {second}, set(given)) == expected
