from __future__ import annotations

from itertools import permutations

import networkx as nx
import numpy as np
import pytest
from support.joint_truth import marginals_by_summing, random_network

from latconf_core.dag.bayes_net import BayesNet, Cpt
from latconf_core.errors import OptionError
from latconf_core.formats.examples import load_example
from latconf_core.inference.asking import InferenceEngine
from latconf_core.inference.contrast import back_door_graph, contrast, contrast_sentence, path_text, sole_sources

EXACT = 1e-9


def network_of(*edges: tuple[str, str], latents: str = "", seed: int = 0) -> BayesNet:
    """Two states each, tables drawn evenly."""
    rng = np.random.default_rng(seed)
    names = list(dict.fromkeys(name for edge in edges for name in edge))
    parents = {name: [a for a, b in edges if b == name] for name in names}
    tables = {name: rng.dirichlet([1, 1], size=[2] * len(parent)) for name, parent in parents.items()}
    return BayesNet([Cpt(name, "ab", parents[name], tables[name]) for name in names], latents=latents)


def test_that_seeing_and_setting_are_those_of_the_joint_table_and_differ_only_over_open_paths() -> None:
    differing = 0
    for seed in range(25):
        rng = np.random.default_rng(seed)
        network = random_network(rng, 4, 1)
        observed = [name for name in network.variables if name not in network.latents]
        engine = InferenceEngine(network)
        cause, effect, given = (observed[i] for i in rng.permutation(4)[:3])
        held = {given: network.states(given)[0]} if seed % 2 else {}
        found = contrast(engine, (cause, network.states(cause)[1]), effect, see=held)
        codes = dict.fromkeys(held, 0)
        seen, _ = marginals_by_summing(network, {**codes, cause: 1}, {})
        set_to, _ = marginals_by_summing(network, codes, {cause: 1})
        np.testing.assert_allclose(found.seen, seen[effect], atol=EXACT)
        np.testing.assert_allclose(found.set_to, set_to[effect], atol=EXACT)
        if found.open_paths:
            differing += found.largest_difference > EXACT
        else:
            assert found.largest_difference < EXACT
    assert differing > 3


def test_that_a_sole_source_lies_on_every_open_path_and_nothing_else_is_one() -> None:
    found_some = 0
    for seed in range(40):
        network = random_network(np.random.default_rng(seed), 4, 2)
        observed = [name for name in network.variables if name not in network.latents]
        for cause, effect in permutations(observed[:3], 2):
            given = () if seed % 2 else (observed[3],)
            graph = back_door_graph(network, cause)
            paths = _open_paths(network, cause, effect, set(given))
            wanted = set.intersection(*map(set, paths)) - {cause, effect} if paths else set()
            sources = sole_sources(graph, (cause, effect), given, network.latents)
            assert set(sources) == wanted
            found_some += bool(sources)
    assert found_some > 10


def _open_paths(network: BayesNet, cause: str, effect: str, given: set[str]) -> list[list[str]]:
    """By the definition, in the graph without the edges out of the cause."""
    graph = nx.DiGraph([edge for edge in network.edges if edge[0] != cause])
    graph.add_nodes_from(network.variables)
    paths = []
    for path in nx.all_simple_paths(graph.to_undirected(), cause, effect):
        steps = zip(path, path[1:], path[2:])
        is_open = all(
            bool(given & {node, *nx.descendants(graph, node)})
            if graph.has_edge(before, node) and graph.has_edge(after, node)
            else node not in given
            for before, node, after in steps
        )
        paths += [path] if is_open else []
    return paths


def test_that_a_difference_comes_from_the_latent_that_every_open_path_passes() -> None:
    network = network_of(("L1", "A"), ("L1", "B"), ("A", "B"), ("A", "C"), ("C", "B"), latents=["L1"])  # type: ignore[arg-type]
    found = contrast(InferenceEngine(network), ("A", "a"), "B")
    assert found.sole_sources == ("L1",)
    assert contrast_sentence(found).endswith("One back-door path is open, through L1: this comes from L1.")
    assert [path_text(network, path) for path in found.open_paths] == ["A ← L1 → B"]


def test_that_two_ways_around_are_blamed_on_neither() -> None:
    edges = (("L1", "A"), ("L1", "B"), ("Z", "A"), ("Z", "B"), ("A", "B"))
    network = network_of(*edges, latents=["L1"])  # type: ignore[arg-type]
    engine = InferenceEngine(network)
    found = contrast(engine, ("A", "a"), "B")
    assert found.sole_sources == ()
    assert "comes from" not in contrast_sentence(found)
    assert "2 back-door paths are open, some through L1." in contrast_sentence(found)
    assert contrast(engine, ("A", "a"), "B", see={"Z": "b"}).sole_sources == ("L1",)
    assert contrast(engine, ("A", "a"), "B", do={"Z": "b"}).sole_sources == ("L1",)


def test_that_without_an_open_path_both_are_said_to_be_the_same() -> None:
    asia = load_example("asia")
    found = contrast(InferenceEngine(asia), ("smoke", "yes"), "dysp")
    assert contrast_sentence(found) == (
        "No back-door path is open: observing smoke = yes and setting it predict the same for dysp."
    )


def test_that_a_pair_that_is_none_is_refused() -> None:
    engine = InferenceEngine(load_example("asia"))
    with pytest.raises(OptionError, match="cannot be cause and effect at once"):
        contrast(engine, ("smoke", "yes"), "smoke")
    with pytest.raises(OptionError, match="there is no variable 'nobody'"):
        contrast(engine, ("smoke", "yes"), "nobody")
